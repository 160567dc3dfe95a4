/* Files: mapped for reading, replaced atomically when written, streamed file to file. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/diag.h"

/* A file open for reading. The bytes are mapped on the first call of file_bytes. Shared by
 * reference count; references may be taken and released on any thread, other calls not at once. */
struct file {
    const o2w_allocator *allocator;
    char *path;
    int descriptor;
    uint64_t size;
    uint64_t device, inode, mtime_ns;
    struct span mapping;
    _Atomic unsigned references;
    bool shared; /* by file_open_shared */
    struct file *next_shared;
};

/* Opens a regular file (anything else is file.read). Missing: file.read with the system's words. */
o2w_status file_open(const char *path, const o2w_allocator *allocator, struct diags *d,
                     struct file **out);
/* A file that is memory: `bytes` are borrowed, descriptor is -1. */
o2w_status file_from_bytes(struct span bytes, const char *name, const o2w_allocator *allocator,
                           struct file **out);
/* Like file_open, mapped at once: all who open the same unchanged file (device, inode, size, mtime)
 * in the process get one object, which is thread-safe and lives on the default allocator. */
o2w_status file_open_shared(const char *path, struct diags *d, struct file **out);
/* For file_release: takes one reference; true when it was the last, *f is then nobody's. */
bool file_shared_drop(struct file *f);
struct file *file_retain(struct file *f);
void file_release(struct file *f); /* NULL is fine */
/* All bytes, mapped read-only. Reading pages of a file that was cut meanwhile is guarded by
 * file_unchanged checks of the caller at its borders, and by file_read for bulk data. */
o2w_status file_bytes(struct file *f, struct diags *d, struct span *out);
/* pread of exactly `size` bytes; a short file is file.changed. */
o2w_status file_read(struct file *f, uint64_t offset, void *to, size_t size, struct diags *d);
/* Size, mtime and inode are those of opening; else file.changed. */
o2w_status file_unchanged(struct file *f, struct diags *d);
/* One file on disk, whatever it held when either was opened; memory is none. */
static inline bool file_same(const struct file *a, const struct file *b)
{
    return a->descriptor >= 0 && b->descriptor >= 0 && a->device == b->device &&
           a->inode == b->inode;
}
/* Whole small file into the arena, at most `limit` bytes (error code limit). */
o2w_status file_read_all(const char *path, uint64_t limit, struct arena *a, struct diags *d,
                         struct span *out);

/* A file being written: a temporary `.o2w-<pid>-<n>.tmp` beside the target, renamed over it by
 * file_commit; file_discard (or a signal handler through files_discard_all) removes it. Buffered
 * 1 MiB. After the first failure every call fails with it. */
struct file_writer;
o2w_status file_create(const char *path, const o2w_allocator *allocator, struct diags *d,
                       struct file_writer **out);
o2w_status file_write(struct file_writer *w, const void *data, size_t size, struct diags *d);
/* Streams a range of an open file: copy_file_range where the system can, else through the buffer. */
o2w_status file_write_from(struct file_writer *w, struct file *from, uint64_t offset, uint64_t size,
                           struct diags *d);
uint64_t file_written(const struct file_writer *w);
/* Writes what is buffered (to disk when `sync`): afterwards file_commit only has to rename. */
o2w_status file_flush(struct file_writer *w, bool sync, struct diags *d);
/* Flushes (to disk when `sync`), renames over the target, frees the writer, also on failure. */
o2w_status file_commit(struct file_writer *w, bool sync, struct diags *d);
void file_discard(struct file_writer *w); /* NULL is fine */
/* Async-signal-safe: unlinks all temporaries of this process. */
void files_discard_all(void);

/* Folder with parents, mode 0777 (or 0700 for a new cache root). */
o2w_status folder_create(const char *path, unsigned mode, struct diags *d);
/* Removes temporaries of processes that do not live any more. */
void folder_clean(const char *path);
bool path_is_folder(const char *path);
bool path_is_file(const char *path);
/* Text in the arena; NULL when memory is out. An absolute name stays as it is. */
char *path_join(struct arena *a, struct span folder, struct span name);
struct span path_folder(struct span path);    /* before the last slash; "" when there is none */
struct span path_name(struct span path);      /* behind the last slash */
struct span path_stem(struct span path);      /* name without its last extension */
struct span path_extension(struct span path); /* without the dot, "" when there is none */
/* Canonical absolute path, symlinks resolved. */
o2w_status path_canonical(const char *path, struct arena *a, struct diags *d, char **out);
/* What is wrong with a relative path by the rules below, as "a component '..'"; NULL: nothing. */
const char *path_unsafe(struct span path);
/* Opens `relative` inside `folder` by the rules of safe relative paths: '/'-separated normal
 * components, 1…1024 bytes, no backslash, colon or control byte, result a regular file inside the
 * folder (a symlink may lead out only into `blobs/` of the same hub model folder): path.unsafe. */
o2w_status file_open_inside(const char *folder, struct span relative,
                            const o2w_allocator *allocator, struct diags *d, struct file **out);

#endif
