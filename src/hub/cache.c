/* The cache's folders: blobs, snapshots that link to them, refs, locks. */
#include "hub/internal.h"

#include "base/log.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum { SPACE_RESERVE = 64 << 20, REF_LIMIT = 4096 };

o2w_status hub_places(const struct hub *h, const char *repository, struct arena *a, struct diags *d,
                      struct hub_places *out)
{
    const char *slash = strchr(repository, '/');
    const char *name = slash ? arena_printf(a, "models--%.*s--%s", (int)(slash - repository),
                                            repository, slash + 1)
                             : arena_printf(a, "models--%s", repository);
    out->folder = name ? arena_printf(a, "%s/%s", h->root, name) : NULL;
    if (!out->folder)
        return diag_memory(d);
    out->blobs = arena_printf(a, "%s/blobs", out->folder);
    out->snapshots = arena_printf(a, "%s/snapshots", out->folder);
    out->refs = arena_printf(a, "%s/refs", out->folder);
    out->locks = arena_printf(a, "%s/.locks/%s", h->root, name);
    return out->blobs && out->snapshots && out->refs && out->locks ? O2W_OK : diag_memory(d);
}

/* --- locks -------------------------------------------------------------------------------------------- */

static o2w_status wait_for(struct hub *h, int descriptor, const char *path, struct diags *d)
{
    const struct timespec pause = { .tv_nsec = 50000000 };
    bool said = false;
    char words[ERRNO_TEXT];
    while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return diag_error(d, DIAG_FILE_WRITE, "cannot lock '%s': %s", path,
                              text_of_errno(errno, words));
        if (!said)
            log_text(h->environment, O2W_LOG_WARN,
                     "waiting for another process that downloads the same file (%s)", path);
        said = true;
        if (progress_poll(h->environment, "waiting for another download", 0, 0) != O2W_OK)
            return diag_error(d, DIAG_INTERRUPTED, "cancelled by the caller");
        nanosleep(&pause, NULL);
    }
    return O2W_OK;
}

o2w_status hub_lock(struct hub *h, const struct hub_places *p, const char *etag, struct diags *d,
                    int *descriptor)
{
    char words[ERRNO_TEXT];
    struct arena a;
    TRY(folder_create(p->locks, 0777, d));
    arena_init(&a, h->allocator);
    const char *path = arena_printf(&a, "%s/%s.lock", p->locks, etag);
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    o2w_status s = O2W_OK;
    if (!path)
        s = diag_memory(d);
    else if (file < 0)
        s = diag_error(d, DIAG_FILE_WRITE, "cannot make '%s': %s", path,
                       text_of_errno(errno, words));
    else
        s = wait_for(h, file, path, d);
    arena_free(&a);
    if (s == O2W_OK)
        *descriptor = file;
    else if (file >= 0)
        close(file);
    return s;
}

/* --- links -------------------------------------------------------------------------------------------- */

o2w_status hub_write_text(const char *path, const char *text, struct diags *d)
{
    struct file_writer *w;
    struct arena a;
    arena_init(&a, NULL);
    char *folder = arena_text(&a, path_folder(span_of(path)));
    o2w_status s = folder ? folder_create(folder, 0777, d) : diag_memory(d);
    if (s == O2W_OK)
        folder_clean(folder);
    arena_free(&a);
    TRY(s);
    TRY(file_create(path, NULL, d, &w));
    s = file_write(w, text, strlen(text), d);
    if (s == O2W_OK)
        return file_commit(w, true, d);
    file_discard(w);
    return s;
}

const char *hub_snapshot_path(const struct hub_places *p, const char *commit, const char *path,
                              struct arena *a)
{
    return arena_printf(a, "%s/%s/%s", p->snapshots, commit, path);
}

/* "../../blobs/ETAG", as far up as the path is deep. */
static const char *link_text(const char *path, const char *etag, struct arena *a)
{
    const char *up = "../..";
    for (const char *c = path; up && *c; c++)
        if (*c == '/')
            up = arena_printf(a, "%s/..", up);
    return up ? arena_printf(a, "%s/blobs/%s", up, etag) : NULL;
}

static bool links_to(const char *path, const char *text)
{
    char now[1024];
    ssize_t size = readlink(path, now, sizeof now);
    return size > 0 && (size_t)size < sizeof now && strlen(text) == (size_t)size &&
           memcmp(now, text, (size_t)size) == 0;
}

/* Where there are no symbolic links: the blob's bytes, shared by the file system where it can. */
static o2w_status copy_blob(const char *blob, const char *to, struct diags *d)
{
    struct file *f;
    struct file_writer *w;
    TRY(file_open(blob, NULL, d, &f));
    o2w_status s = file_create(to, NULL, d, &w);
    if (s == O2W_OK) {
        s = file_write_from(w, f, 0, f->size, d);
        if (s == O2W_OK)
            s = file_commit(w, true, d);
        else
            file_discard(w);
    }
    file_release(f);
    return s;
}

/* A new link under another name, renamed over what is there. */
static o2w_status place_link(const char *text, const char *path, const char *blob, struct arena *a,
                             struct diags *d)
{
    char words[ERRNO_TEXT];
    if (links_to(path, text))
        return O2W_OK;
    struct span folder = path_folder(span_of(path));
    char *own = arena_text(a, folder);
    char *fresh = own ? arena_printf(a, "%s/.o2w-%ld-0.tmp", own, (long)getpid()) : NULL;
    if (!fresh)
        return diag_memory(d);
    TRY(folder_create(own, 0777, d));
    folder_clean(own);
    (void)unlink(fresh);
    if (symlink(text, fresh) != 0) {
        if (errno == EPERM || errno == ENOSYS || errno == EOPNOTSUPP)
            return copy_blob(blob, path, d);
        return diag_error(d, DIAG_FILE_WRITE, "cannot make '%s': %s", path,
                          text_of_errno(errno, words));
    }
    if (rename(fresh, path) == 0)
        return O2W_OK;
    int error = errno;
    (void)unlink(fresh);
    return diag_error(d, DIAG_FILE_WRITE, "cannot make '%s': %s", path,
                      text_of_errno(error, words));
}

static o2w_status write_ref(const struct hub_places *p, const struct hub_request *r,
                            const char *commit, struct arena *a, struct diags *d)
{
    char known[HTTP_TEXT];
    const char *revision = r->revision ? r->revision : "main";
    if (strcmp(revision, commit) == 0 ||
        (hub_cached_commit(p, revision, a, known) && strcmp(known, commit) == 0))
        return O2W_OK;
    const char *path = arena_printf(a, "%s/%s", p->refs, revision);
    return path ? hub_write_text(path, commit, d) : diag_memory(d);
}

o2w_status hub_link(const struct hub_places *p, const struct hub_request *r,
                    const struct hub_about *about, struct arena *a, struct diags *d)
{
    const char *text = link_text(r->path, about->etag, a);
    const char *path = hub_snapshot_path(p, about->commit, r->path, a);
    const char *blob = arena_printf(a, "%s/%s", p->blobs, about->etag);
    if (!text || !path || !blob)
        return diag_memory(d);
    TRY(place_link(text, path, blob, a, d));
    return write_ref(p, r, about->commit, a, d);
}

static bool is_commit(struct span s)
{
    for (size_t i = 0; i < s.size; i++)
        if (!strchr("0123456789abcdef", s.data[i]) || !s.data[i])
            return false;
    return s.size == 40;
}

bool hub_cached_commit(const struct hub_places *p, const char *revision, struct arena *a,
                       char commit[HTTP_TEXT])
{
    struct span text = span_of(revision);
    const char *path = arena_printf(a, "%s/%s", p->refs, revision);
    if (path && path_is_file(path) && file_read_all(path, REF_LIMIT, a, NULL, &text) == O2W_OK)
        text = span_trim(text);
    if (!is_commit(text))
        return false;
    memcpy(commit, text.data, text.size);
    commit[text.size] = '\0';
    return true;
}

/* --- space -------------------------------------------------------------------------------------------- */

o2w_status hub_check_space(const char *folder, uint64_t needed, struct diags *d)
{
    struct statvfs v;
    if (statvfs(folder, &v) != 0)
        return O2W_OK; /* who cannot tell lets the download try */
    uint64_t room = (uint64_t)v.f_bavail * v.f_frsize;
    if (room >= SPACE_RESERVE && needed <= room - SPACE_RESERVE)
        return O2W_OK;
    return diag_error(d, DIAG_HUB_DISK_FULL, "%.1f GB needed in %s, %.1f GB free",
                      ((double)needed + SPACE_RESERVE) / 1e9, folder, (double)room / 1e9);
}
