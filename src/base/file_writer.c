#include "base/file_internal.h"
#include "base/log.h"
#include "base/temporaries.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    BUFFER_SIZE = 1 << 20,
    COPY_LEAST = 1 << 16, /* shorter ranges go through the buffer */
    WRITE_MOST = 1 << 30,
    POLL_BYTES = 1 << 24, /* of writing, between two questions to the caller */
};

struct file_writer {
    const o2w_allocator *allocator;
    char *path;
    const char *name; /* in path */
    int folder, descriptor;
    struct temporary *temporary;
    bool created; /* the temporary is there */
    uint8_t *buffer;
    size_t buffered;
    uint64_t flushed; /* bytes in the file; the buffer follows */
    uint64_t polled;  /* bytes when the caller was asked last */
    o2w_status failed;
};

/* ---- errors ---- */

static o2w_status write_failed(const char *path, int error, struct diags *d)
{
    char reason[ERRNO_TEXT];
    bool space = error == ENOSPC || error == EDQUOT;
    o2w_status status = diag_error(d, space ? DIAG_FILE_SPACE : DIAG_FILE_WRITE,
                                   "cannot write '%s': %s", path, text_of_errno(error, reason));
    diag_position(d, span_of(path), -1, -1, -1);
    return status;
}

static o2w_status fail(struct file_writer *w, int error, struct diags *d)
{
    return w->failed = write_failed(w->path, error, d);
}

/* ---- beginning ---- */

static void writer_free(struct file_writer *w)
{
    if (w->descriptor >= 0)
        close(w->descriptor);
    if (w->created)
        unlinkat(w->folder, temporary_name(w->temporary), 0);
    temporary_remove(w->temporary);
    if (w->folder >= 0)
        close(w->folder);
    const o2w_allocator *allocator = w->allocator;
    mem_free(allocator, w->buffer, BUFFER_SIZE);
    if (w->path)
        mem_free(allocator, w->path, strlen(w->path) + 1);
    mem_free(allocator, w, sizeof *w);
}

static struct file_writer *writer_new(const char *path, const o2w_allocator *allocator)
{
    struct file_writer *w = mem_alloc(allocator, sizeof *w);
    if (!w)
        return NULL;
    *w = (struct file_writer){ .allocator = allocator, .folder = -1, .descriptor = -1 };
    w->path = mem_alloc(allocator, strlen(path) + 1);
    w->buffer = mem_alloc(allocator, BUFFER_SIZE);
    if (!w->path || !w->buffer) {
        if (w->path)
            memcpy(w->path, path, strlen(path) + 1);
        writer_free(w);
        return NULL;
    }
    memcpy(w->path, path, strlen(path) + 1);
    struct span name = path_name(span_of(w->path));
    w->name = (const char *)name.data;
    return w;
}

static int open_folder(const char *path)
{
    char folder[PATH_MAX];
    struct span s = path_folder(span_of(path));
    if (s.size >= sizeof folder) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (s.size)
        memcpy(folder, s.data, s.size);
    folder[s.size] = '\0';
    return open(s.size ? folder : ".", FOLDER_FLAGS);
}

/* A device or a folder must not be renamed over. */
static o2w_status check_target(const struct file_writer *w, struct diags *d)
{
    struct stat s;
    bool exists = *w->name && fstatat(w->folder, w->name, &s, 0) == 0;
    if (*w->name && (!exists || S_ISREG(s.st_mode)))
        return O2W_OK;
    o2w_status status =
        diag_error(d, DIAG_FILE_WRITE, "cannot write '%s': it is %s, expected a file", w->path,
                   exists ? file_kind(s.st_mode) : "a folder");
    diag_position(d, span_of(w->path), -1, -1, -1);
    return status;
}

static o2w_status open_temporary(struct file_writer *w, struct diags *d)
{
    w->temporary = temporary_add(w->folder);
    if (!w->temporary)
        return diag_error(d, DIAG_LIMIT, "cannot write '%s': too many files are being written",
                          w->path);
    do {
        w->descriptor = openat(w->folder, temporary_name(w->temporary),
                               O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        w->created = w->descriptor >= 0;
        if (w->created)
            return O2W_OK;
        if (errno == EEXIST)
            temporary_rename(w->temporary);
    } while (errno == EEXIST || errno == EINTR);
    return fail(w, errno, d);
}

static o2w_status writer_open(struct file_writer *w, struct diags *d)
{
    w->folder = open_folder(w->path);
    if (w->folder < 0)
        return fail(w, errno, d);
    TRY(check_target(w, d));
    return open_temporary(w, d);
}

o2w_status file_create(const char *path, const o2w_allocator *allocator, struct diags *d,
                       struct file_writer **out)
{
    struct file_writer *w = writer_new(path, allocator);
    if (!w)
        return diag_memory(d);
    o2w_status status = writer_open(w, d);
    if (status != O2W_OK) {
        writer_free(w);
        return status;
    }
    *out = w;
    return O2W_OK;
}

/* ---- writing ---- */

static o2w_status write_at(struct file_writer *w, uint64_t offset, const uint8_t *data, size_t size,
                           struct diags *d)
{
    while (size) {
        size_t part = size < WRITE_MOST ? size : WRITE_MOST;
        ssize_t done = pwrite(w->descriptor, data, part, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return fail(w, errno, d);
        data += done;
        offset += (uint64_t)done;
        size -= (size_t)done;
    }
    return O2W_OK;
}

/* Every few megabytes the caller may end it. */
static o2w_status poll_caller(struct file_writer *w, uint64_t more, struct diags *d)
{
    if (!d || !d->environment || w->polled / POLL_BYTES == (w->flushed + more) / POLL_BYTES)
        return O2W_OK;
    w->polled = w->flushed + more;
    o2w_status status = progress_poll(d->environment, "write", w->polled, 0);
    return status == O2W_OK ? O2W_OK : (w->failed = status);
}

static o2w_status flush(struct file_writer *w, struct diags *d)
{
    TRY(poll_caller(w, w->buffered, d));
    TRY(write_at(w, w->flushed, w->buffer, w->buffered, d));
    w->flushed += w->buffered;
    w->buffered = 0;
    return O2W_OK;
}

o2w_status file_write(struct file_writer *w, const void *data, size_t size, struct diags *d)
{
    TRY(w->failed);
    if (size == 0)
        return O2W_OK;
    if (size > BUFFER_SIZE - w->buffered)
        TRY(flush(w, d));
    if (size >= BUFFER_SIZE) {
        TRY(write_at(w, w->flushed, data, size, d));
        w->flushed += size;
        return O2W_OK;
    }
    memcpy(w->buffer + w->buffered, data, size);
    w->buffered += size;
    return O2W_OK;
}

uint64_t file_written(const struct file_writer *w)
{
    return w->flushed + w->buffered;
}

/* ---- file to file ---- */

static o2w_status copy_buffered(struct file_writer *w, struct file *from, uint64_t offset,
                                uint64_t size, struct diags *d)
{
    while (size) {
        if (w->buffered == BUFFER_SIZE)
            TRY(flush(w, d));
        size_t room = BUFFER_SIZE - w->buffered, part = size < room ? (size_t)size : room;
        o2w_status status = file_read(from, offset, w->buffer + w->buffered, part, d);
        if (status != O2W_OK)
            return w->failed = status;
        w->buffered += part;
        offset += part;
        size -= part;
    }
    return O2W_OK;
}

#if defined(__linux__)

/* What the kernel copies by itself, or shares; stops early where it cannot. Returns the bytes. */
static uint64_t copy_in_kernel(struct file_writer *w, const struct file *from, uint64_t offset,
                               uint64_t size)
{
    uint64_t copied = 0;
    off_t in = (off_t)offset, out = (off_t)w->flushed;
    while (copied < size) {
        size_t part = size - copied < WRITE_MOST ? (size_t)(size - copied) : WRITE_MOST;
        ssize_t done = copy_file_range(from->descriptor, &in, w->descriptor, &out, part, 0);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            break;
        copied += (uint64_t)done;
    }
    return copied;
}

#else

static uint64_t copy_in_kernel(struct file_writer *w, const struct file *from, uint64_t offset,
                               uint64_t size)
{
    (void)w, (void)from, (void)offset, (void)size;
    return 0;
}

#endif

o2w_status file_write_from(struct file_writer *w, struct file *from, uint64_t offset, uint64_t size,
                           struct diags *d)
{
    TRY(w->failed);
    bool inside = offset <= INT64_MAX && size <= (uint64_t)INT64_MAX - offset;
    while (inside && from->descriptor >= 0 && size >= COPY_LEAST) {
        uint64_t part = size < POLL_BYTES ? size : POLL_BYTES;
        TRY(flush(w, d));
        TRY(poll_caller(w, part, d));
        uint64_t copied = copy_in_kernel(w, from, offset, part);
        w->flushed += copied;
        offset += copied;
        size -= copied;
        if (copied < part)
            break;
    }
    /* The rest, and whatever error the kernel met: it is met again here. */
    return copy_buffered(w, from, offset, size, d);
}

/* ---- end ---- */

static o2w_status sync_folder(struct file_writer *w, struct diags *d)
{
    int folder = openat(w->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = folder < 0 || fsync(folder) != 0 ? errno : 0;
    if (folder >= 0)
        close(folder);
    return error && error != EINVAL ? fail(w, error, d) : O2W_OK;
}

o2w_status file_flush(struct file_writer *w, bool sync, struct diags *d)
{
    TRY(w->failed);
    TRY(flush(w, d));
    return sync && fsync(w->descriptor) != 0 ? fail(w, errno, d) : O2W_OK;
}

/* Whether the file took the place of an old one, which goes. Some file systems write a file out before
 * they rename it over another one; two that change places they leave in memory. */
static bool change_places(struct file_writer *w)
{
#ifdef RENAME_EXCHANGE
    const char *temporary = temporary_name(w->temporary);
    if (renameat2(w->folder, temporary, w->folder, w->name, RENAME_EXCHANGE) != 0)
        return false;
    unlinkat(w->folder, temporary, 0);
    return true;
#else
    (void)w;
    return false;
#endif
}

static o2w_status finish(struct file_writer *w, bool sync, struct diags *d)
{
    TRY(file_flush(w, sync, d));
    int closed = close(w->descriptor);
    w->descriptor = -1;
    if (closed != 0 && errno != EINTR)
        return fail(w, errno, d);
    if (!change_places(w) &&
        renameat(w->folder, temporary_name(w->temporary), w->folder, w->name) != 0)
        return fail(w, errno, d);
    w->created = false;
    return sync ? sync_folder(w, d) : O2W_OK;
}

o2w_status file_commit(struct file_writer *w, bool sync, struct diags *d)
{
    o2w_status status = finish(w, sync, d);
    writer_free(w);
    return status;
}

void file_discard(struct file_writer *w)
{
    if (w)
        writer_free(w);
}
