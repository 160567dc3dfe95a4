/* Preloaded into the command by the cases of full disks: from NOSPACE bytes on, writing files fails. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#pragma GCC visibility push(default)

static long long left = -1;

static int is_full(size_t size)
{
    const char *limit = getenv("NOSPACE");
    if (left < 0)
        left = limit ? atoll(limit) : 0;
    if ((long long)size > left) {
        errno = ENOSPC;
        return 1;
    }
    left -= (long long)size;
    return 0;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    static ssize_t (*real)(int, const void *, size_t, off_t);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pwrite");
    return is_full(size) ? -1 : real(fd, data, size, offset);
}

/* The same under the name that it has with large files. */
ssize_t pwrite64(int fd, const void *data, size_t size, off_t offset)
{
    return pwrite(fd, data, size, offset);
}

ssize_t copy_file_range(int in, off_t *in_offset, int out, off_t *out_offset, size_t size,
                        unsigned flags)
{
    (void)in, (void)in_offset, (void)out, (void)out_offset, (void)size, (void)flags;
    errno = ENOSYS;
    return -1;
}
