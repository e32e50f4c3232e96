// For `syscall`.
#define _GNU_SOURCE

#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <copyfile.h>
#include <sys/stdio.h>
#elif defined(__linux__)
#include <sys/syscall.h>
#include <sys/xattr.h>
#endif

#if defined(__linux__)
static void copy_attribute(int from, int to, const char *name) {
    ssize_t size = fgetxattr(from, name, NULL, 0);
    if (size < 0) return;
    char *value = malloc((size_t)size + 1);
    if (!value) return;
    size = fgetxattr(from, name, value, (size_t)size + 1);
    // What a file system or the rights do not let be set is left out.
    if (size >= 0) (void)!fsetxattr(to, name, value, (size_t)size, 0);
    free(value);
}
#endif

void earshot_copy_attributes(int from, int to) {
#if defined(__APPLE__)
    fcopyfile(from, to, NULL, COPYFILE_XATTR | COPYFILE_ACL);
#elif defined(__linux__)
    ssize_t size = flistxattr(from, NULL, 0);
    if (size <= 0) return;
    char *names = malloc((size_t)size);
    // Without memory the file goes without attributes.
    if (!names) return;
    size = flistxattr(from, names, (size_t)size);
    for (ssize_t place = 0; place < size; place += (ssize_t)strlen(names + place) + 1) {
        copy_attribute(from, to, names + place);
    }
    free(names);
#else
    (void)from, (void)to;
#endif
}

int earshot_rename_exclusively(const char *from, const char *to) {
#if defined(__APPLE__)
    if (renamex_np(from, to, RENAME_EXCL) == 0) return 0;
    return errno == EINVAL ? ENOTSUP : errno;
#elif defined(__linux__) && defined(SYS_renameat2)
    // By its number: the function is not in every C library. 1 is RENAME_NOREPLACE.
    if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1u) == 0) return 0;
    return errno == EINVAL || errno == ENOSYS ? ENOTSUP : errno;
#else
    (void)from, (void)to;
    return ENOTSUP;
#endif
}
