#define _GNU_SOURCE
#include "CSandbox.h"

#include <stddef.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Landlock, of which older headers know less than the kernel. The numbers are those of every architecture.
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };

struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

enum {
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_FOLDER = 1 << 3,
    REMOVE_FILE = 1 << 5,
    MAKE_FILE = 1 << 8,
    TRUNCATE = 1 << 14,
};

static int thread_count(void) {
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks) return 0;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(tasks));) count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

static void allow(int ruleset, const char *folder, uint64_t allowed) {
    int parent = open(folder, O_PATH | O_CLOEXEC | O_DIRECTORY);
    if (parent < 0) return;
    struct path_rule rule = {allowed, parent};
    syscall(ADD_RULE, ruleset, 1, &rule, 0);
    close(parent);
}

int earshot_landlock_version(void) {
    long version = syscall(CREATE_RULESET, NULL, 0, 1);
    return version < 0 ? 0 : (int)version;
}

static void confine_paths(const char *folder, int file) {
    int version = earshot_landlock_version();
    if (version < 1) return;
    // What each version of Landlock knows of files, and of connections and signals.
    uint64_t files = version >= 5 ? 0xFFFF : version >= 3 ? 0x7FFF : version >= 2 ? 0x3FFF : 0x1FFF;
    struct ruleset rules = {files, version >= 4 ? 3 : 0, version >= 6 ? 3 : 0};
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int ruleset = (int)syscall(CREATE_RULESET, &rules, size, 0);
    if (ruleset < 0) return;
    // libdispatch reads how its threads do in /proc, and ends the process where it cannot. Landlock keeps the memory, environment and
    // files of other processes closed there too.
    allow(ruleset, "/proc", READ_FILE);
    const uint64_t making = WRITE_FILE | READ_FILE | READ_FOLDER | REMOVE_FILE | MAKE_FILE | TRUNCATE;
    if (folder) allow(ruleset, folder, making & files);
    // The rule is of the file and not of its name: another one in its place stays closed.
    if (file >= 0) {
        struct path_rule rule = {READ_FILE, file};
        syscall(ADD_RULE, ruleset, 1, &rule, 0);
    }
    syscall(RESTRICT_SELF, ruleset, 0);
    close(ruleset);
}

// Calls that a decoder never makes: sockets, processes and programs, looks into others, changes of the system.
static const int refused[] = {
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_execve, SYS_execveat, SYS_ptrace,
    SYS_process_vm_readv, SYS_process_vm_writev, SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_mount,
    SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_keyctl,
    SYS_add_key, SYS_request_key, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon,
    SYS_swapoff, SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_personality, SYS_acct, SYS_settimeofday, SYS_clock_settime,
    SYS_clock_adjtime, SYS_adjtimex, SYS_sethostname, SYS_setdomainname, SYS_quotactl, SYS_syslog, SYS_vhangup, SYS_setuid,
    SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setgroups, SYS_setfsuid, SYS_setfsgid, SYS_capset,
    SYS_shmget, SYS_shmat, SYS_msgget, SYS_semget, SYS_mq_open, SYS_move_pages, SYS_migrate_pages, SYS_kcmp, SYS_fanotify_init,
    SYS_inotify_init1, 424 /* pidfd_send_signal */, 425 /* io_uring_setup */, 426, 427, 428 /* open_tree */, 429 /* move_mount */,
    430 /* fsopen */, 431, 432, 433, 434 /* pidfd_open */, 438 /* pidfd_getfd */, 440 /* process_madvise */, 442 /* mount_setattr */,
#ifdef __x86_64__
    SYS_fork, SYS_vfork, SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_kexec_file_load, SYS_inotify_init,
#endif
};

enum { MOST_STEPS = 16 + 2 * sizeof(refused) / sizeof(refused[0]) };

static void confine_calls(void) {
    struct sock_filter steps[MOST_STEPS];
    unsigned short count = 0;
#define STEP(...) steps[count++] = (struct sock_filter)__VA_ARGS__
#ifdef __x86_64__
    const uint32_t architecture = AUDIT_ARCH_X86_64;
#else
    const uint32_t architecture = AUDIT_ARCH_AARCH64;
#endif
    const uint32_t refuse = SECCOMP_RET_ERRNO | EPERM;
    STEP(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
    STEP(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
    STEP(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    STEP(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
#ifdef __x86_64__
    // The calls of the x32 interface have the same architecture and other numbers.
    STEP(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
    STEP(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
#endif
    for (size_t index = 0; index < sizeof(refused) / sizeof(refused[0]); index++) {
        STEP(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)refused[index], 0, 1));
        STEP(BPF_STMT(BPF_RET | BPF_K, refuse));
    }
    // Threads are made by clone, which is looked into; clone3 has its flags in memory, and who is told that there is none uses clone.
    STEP(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 435, 0, 1));
    STEP(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
    STEP(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3));
    STEP(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)));
    STEP(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x00010000 /* CLONE_THREAD */, 1, 0));
    STEP(BPF_STMT(BPF_RET | BPF_K, refuse));
    STEP(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    struct sock_fprog program = {count, steps};
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

void earshot_confine(const char *folder, int file) {
    if (thread_count() != 1 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
    // Where the service runs as root: with its capabilities a decoder could look into other processes whatever else holds.
    struct { uint32_t version; int32_t process; } header = {0x20080522, 0};
    struct { uint32_t effective, permitted, inheritable; } none[2] = {{0, 0, 0}, {0, 0, 0}};
    syscall(SYS_capset, &header, none);
    confine_paths(folder, file);
    confine_calls();
}

int earshot_try_escapes(const char *file) {
    int could = 0;
    char environment[32];
    snprintf(environment, sizeof environment, "/proc/%d/environ", getppid());
    const char *const reads[] = {"/etc/passwd", environment};
    int descriptor;
    for (int index = 0; index < 2; index++) {
        char byte;
        descriptor = open(reads[index], O_RDONLY | O_CLOEXEC);
        if (descriptor >= 0 && read(descriptor, &byte, 1) > 0) could |= EARSHOT_CAN_READ;
        if (descriptor >= 0) close(descriptor);
    }
    descriptor = open(file, O_RDWR | O_CLOEXEC);
    if (descriptor >= 0) could |= EARSHOT_CAN_WRITE;
    if (descriptor >= 0) close(descriptor);
    descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor >= 0) could |= EARSHOT_CAN_CONNECT;
    if (descriptor >= 0) close(descriptor);
    pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) could |= EARSHOT_CAN_FORK;
    // There is no such program: it is refused, or not found.
    char *const arguments[] = {NULL};
    execve("/dev/null/none", arguments, arguments);
    if (errno != EPERM && errno != EACCES) could |= EARSHOT_CAN_RUN;
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0) could |= EARSHOT_CAN_TRACE;
    if (kill(getppid(), 0) == 0) could |= EARSHOT_CAN_SIGNAL;
    return could;
}

#else

int earshot_landlock_version(void) { return 0; }

void earshot_confine(const char *folder, int file) {
    (void)folder;
    (void)file;
}

int earshot_try_escapes(const char *file) {
    (void)file;
    return 127;
}

#endif
