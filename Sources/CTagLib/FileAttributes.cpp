#include "CTagLib.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <new>
#include <sys/types.h>
#include <unistd.h>
#include <vector>

#if defined(__APPLE__)
#include <copyfile.h>
#include <sys/stdio.h>
#elif defined(__linux__)
#include <cstring>
#include <sys/syscall.h>
#include <sys/xattr.h>
#endif

void earshot_copy_attributes(int from, int to) {
#if defined(__APPLE__)
    fcopyfile(from, to, nullptr, COPYFILE_XATTR | COPYFILE_ACL);
#elif defined(__linux__)
    try {
        ssize_t size = flistxattr(from, nullptr, 0);
        if (size <= 0) return;
        std::vector<char> names(static_cast<size_t>(size));
        size = flistxattr(from, names.data(), names.size());
        for (ssize_t place = 0; place < size; place += static_cast<ssize_t>(strlen(&names[place])) + 1) {
            const char *name = &names[place];
            ssize_t count = fgetxattr(from, name, nullptr, 0);
            if (count < 0) continue;
            std::vector<char> value(static_cast<size_t>(count) + 1);
            count = fgetxattr(from, name, value.data(), value.size());
            // What a file system or the rights do not let be set is left out.
            if (count >= 0) (void)fsetxattr(to, name, value.data(), static_cast<size_t>(count), 0);
        }
    } catch (...) {
        // Without memory the file goes without attributes.
    }
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
