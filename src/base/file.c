#include "base/file.h"

#include "base/file_internal.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

o2w_status file_read_failed(struct diags *d, const char *verb, const char *path, const char *reason)
{
    o2w_status status = diag_error(d, DIAG_FILE_READ, "cannot %s '%s': %s", verb, path, reason);
    diag_position(d, span_of(path), -1, -1, -1);
    return status;
}

static o2w_status system_failed(struct diags *d, const char *verb, const char *path)
{
    char reason[ERRNO_TEXT];
    return file_read_failed(d, verb, path, text_of_errno(errno, reason));
}

const char *file_kind(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFREG: return "a regular file";
    case S_IFDIR: return "a folder";
    case S_IFIFO: return "a pipe";
    case S_IFSOCK: return "a socket";
    case S_IFLNK: return "a symbolic link";
    default: return "a device";
    }
}

static uint64_t modification_ns(const struct stat *s)
{
#if defined(__APPLE__)
    struct timespec t = s->st_mtimespec;
#else
    struct timespec t = s->st_mtim;
#endif
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static struct file *file_new(const char *path, const o2w_allocator *allocator)
{
    struct file *f = mem_alloc(allocator, sizeof *f);
    size_t size = strlen(path) + 1;
    char *copy = mem_alloc(allocator, size);
    if (!f || !copy) {
        mem_free(allocator, f, sizeof *f);
        mem_free(allocator, copy, size);
        return NULL;
    }
    memcpy(copy, path, size);
    *f = (struct file){ .allocator = allocator, .path = copy, .descriptor = -1, .references = 1 };
    return f;
}

static o2w_status check_regular(int descriptor, const char *path, enum diag_code code,
                                struct diags *d, struct stat *s)
{
    if (fstat(descriptor, s) != 0)
        return system_failed(d, "read", path);
    if (S_ISREG(s->st_mode))
        return O2W_OK;
    o2w_status status =
        diag_error(d, code, "'%s' is %s, expected a regular file", path, file_kind(s->st_mode));
    diag_position(d, span_of(path), -1, -1, -1);
    return status;
}

o2w_status file_from_descriptor(int descriptor, const char *path, enum diag_code code,
                                const o2w_allocator *allocator, struct diags *d, struct file **out)
{
    struct stat s;
    o2w_status status = check_regular(descriptor, path, code, d, &s);
    struct file *f = status == O2W_OK ? file_new(path, allocator) : NULL;
    if (!f) {
        close(descriptor);
        return status == O2W_OK ? diag_memory(d) : status;
    }
    f->descriptor = descriptor;
    f->size = (uint64_t)s.st_size;
    f->device = (uint64_t)s.st_dev;
    f->inode = (uint64_t)s.st_ino;
    f->mtime_ns = modification_ns(&s);
    *out = f;
    return O2W_OK;
}

o2w_status file_open(const char *path, const o2w_allocator *allocator, struct diags *d,
                     struct file **out)
{
    /* Without O_NONBLOCK a pipe would wait for a writer before it can be refused. */
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor < 0)
        return system_failed(d, "open", path);
    return file_from_descriptor(descriptor, path, DIAG_FILE_READ, allocator, d, out);
}

o2w_status file_from_bytes(struct span bytes, const char *name, const o2w_allocator *allocator,
                           struct file **out)
{
    struct file *f = file_new(name, allocator);
    if (!f)
        return O2W_NO_MEMORY;
    f->size = bytes.size;
    f->mapping = bytes;
    *out = f;
    return O2W_OK;
}

struct file *file_retain(struct file *f)
{
    f->references++;
    return f;
}

void file_release(struct file *f)
{
    if (!f || (f->shared ? !file_shared_drop(f) : --f->references > 0))
        return;
    if (f->descriptor >= 0) {
        if (f->mapping.size)
            munmap((void *)(uintptr_t)f->mapping.data, f->mapping.size);
        close(f->descriptor);
    }
    const o2w_allocator *allocator = f->allocator;
    mem_free(allocator, f->path, strlen(f->path) + 1);
    mem_free(allocator, f, sizeof *f);
}

o2w_status file_bytes(struct file *f, struct diags *d, struct span *out)
{
    if (f->descriptor >= 0 && !f->mapping.data && f->size) {
        if (f->size > SIZE_MAX)
            return file_read_failed(d, "map", f->path, "too large for this machine");
        void *address = mmap(NULL, (size_t)f->size, PROT_READ, MAP_PRIVATE, f->descriptor, 0);
        if (address == MAP_FAILED)
            return system_failed(d, "map", f->path);
        f->mapping = (struct span){ address, (size_t)f->size };
    }
    *out = f->size ? f->mapping : SPAN("");
    return O2W_OK;
}

static o2w_status changed(const struct file *f, struct diags *d, uint64_t end)
{
    o2w_status status = diag_error(
        d, DIAG_FILE_CHANGED, "'%s' ends before byte %" PRIu64 ": it was changed while it was read",
        f->path, end);
    diag_position(d, span_of(f->path), -1, -1, -1);
    return status;
}

static o2w_status read_memory(const struct file *f, uint64_t offset, void *to, size_t size,
                              struct diags *d)
{
    struct span part;
    if (span_cut(f->mapping, offset, size, &part) != O2W_OK)
        return changed(f, d, offset + size);
    if (size)
        memcpy(to, part.data, size);
    return O2W_OK;
}

o2w_status file_read(struct file *f, uint64_t offset, void *to, size_t size, struct diags *d)
{
    enum { MOST = 1 << 30 };
    if (f->descriptor < 0)
        return read_memory(f, offset, to, size, d);
    if (offset > INT64_MAX || size > (uint64_t)INT64_MAX - offset)
        return changed(f, d, offset + size);
    for (size_t done = 0; done < size;) {
        size_t want = size - done < MOST ? size - done : MOST;
        ssize_t got = pread(f->descriptor, (uint8_t *)to + done, want, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return system_failed(d, "read", f->path);
        if (got == 0)
            return changed(f, d, offset + size);
        done += (size_t)got;
    }
    return O2W_OK;
}

o2w_status file_unchanged(struct file *f, struct diags *d)
{
    struct stat s;
    if (f->descriptor < 0)
        return O2W_OK;
    if (fstat(f->descriptor, &s) != 0)
        return system_failed(d, "read", f->path);
    if ((uint64_t)s.st_size == f->size && modification_ns(&s) == f->mtime_ns)
        return O2W_OK;
    o2w_status status =
        diag_error(d, DIAG_FILE_CHANGED, "'%s' was changed while it was read", f->path);
    diag_position(d, span_of(f->path), -1, -1, -1);
    return status;
}

static o2w_status read_whole(struct file *f, uint64_t limit, struct arena *a, struct diags *d,
                             struct span *out)
{
    if (f->size > limit || f->size >= SIZE_MAX) {
        o2w_status status = diag_error(
            d, DIAG_LIMIT, "file size %" PRIu64 " exceeds the limit %" PRIu64, f->size, limit);
        diag_position(d, span_of(f->path), -1, -1, -1);
        return status;
    }
    size_t size = (size_t)f->size;
    uint8_t *bytes = arena_alloc(a, size + 1, 1);
    if (!bytes)
        return diag_memory(d);
    TRY(file_read(f, 0, bytes, size, d));
    *out = (struct span){ bytes, size };
    return O2W_OK;
}

o2w_status file_read_all(const char *path, uint64_t limit, struct arena *a, struct diags *d,
                         struct span *out)
{
    struct file *f = NULL;
    o2w_status status = file_open(path, a->allocator, d, &f);
    if (f)
        status = read_whole(f, limit, a, d, out);
    file_release(f);
    return status;
}
