/* Files that a model or a manifest names: only inside the folder they belong to. */

#include "base/file_internal.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_LONGEST = 1024 };

/* ---- the text ---- */

static const char *bad_component(struct span c)
{
    if (c.size == 0)
        return "an empty component";
    if (span_is(c, "."))
        return "a component '.'";
    return span_is(c, "..") ? "a component '..'" : NULL;
}

static const char *bad_byte(uint8_t c)
{
    if (c < 0x20 || c == 0x7f)
        return "a control byte";
    if (c == '\\')
        return "a backslash";
    return c == ':' ? "a colon" : NULL;
}

const char *path_unsafe(struct span path)
{
    if (path.size == 0)
        return "nothing";
    if (path.size > PATH_LONGEST)
        return "more than 1024 bytes";
    if (path.data[0] == '/')
        return "an absolute path";
    size_t start = 0;
    for (size_t i = 0; i <= path.size; i++) {
        const char *bad = NULL;
        if (i < path.size && path.data[i] != '/') {
            bad = bad_byte(path.data[i]);
        } else {
            bad = bad_component((struct span){ path.data + start, i - start });
            start = i + 1;
        }
        if (bad)
            return bad;
    }
    return NULL;
}

static o2w_status unsafe_text(struct diags *d, struct span path, const char *found)
{
    return diag_error(
        d, DIAG_PATH_UNSAFE,
        "path '%.*s' has %s, expected a relative path of normal components inside the "
        "model's folder",
        SPAN_ARG(path), found);
}

/* ---- where it leads ---- */

struct inside {
    const char *path;                        /* as given, for messages */
    char folder[PATH_MAX], target[PATH_MAX]; /* canonical */
};

static o2w_status leads_out(struct diags *d, const struct inside *in)
{
    o2w_status status =
        diag_error(d, DIAG_PATH_UNSAFE, "'%s' leads out of the model's folder", in->path);
    diag_line(d, "found", "%s", in->target);
    return status;
}

/* The part of the target below `root`; NULL when it lies elsewhere. */
static const char *below(const char *target, struct span root)
{
    if (!span_starts(span_of(target), root))
        return NULL;
    if (span_ends(root, SPAN("/")))
        return target + root.size;
    return target[root.size] == '/' ? target + root.size + 1 : NULL;
}

/* The folder `models--…` that the canonical folder lies in, or is; empty when there is none. */
static struct span hub_folder(struct span folder)
{
    while (folder.size > 1 && !span_starts(path_name(folder), SPAN("models--")))
        folder = path_folder(folder);
    return folder.size > 1 ? folder : (struct span){ 0 };
}

/* Sets the root that the target lies in; returns the way from there, or NULL. */
static const char *find_root(const struct inside *in, struct span *root)
{
    *root = span_of(in->folder);
    const char *way = below(in->target, *root);
    if (way)
        return way;
    *root = hub_folder(*root);
    way = root->size ? below(in->target, *root) : NULL;
    return way && strncmp(way, "blobs/", 6) == 0 ? way : NULL;
}

/* Follows a canonical way component by component and no symbolic link: what was checked is what is
 * opened, whatever happens in the folders meanwhile. */
static int open_way(const char *root, const char *way)
{
    int at = open(root, FOLDER_FLAGS);
    while (at >= 0) {
        char name[NAME_MAX + 1];
        size_t size = strcspn(way, "/");
        bool last = way[size] == '\0';
        if (size > NAME_MAX) {
            close(at);
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(name, way, size);
        name[size] = '\0';
        int flags = last ? O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK : FOLDER_FLAGS;
        int next = openat(at, name, flags | O_NOFOLLOW);
        int error = errno;
        close(at);
        errno = error;
        if (last)
            return next;
        at = next;
        way += size + 1;
    }
    return -1;
}

static o2w_status open_target(const struct inside *in, const o2w_allocator *allocator,
                              struct diags *d, struct file **out)
{
    struct span root;
    char text[PATH_MAX], reason[ERRNO_TEXT];
    const char *way = find_root(in, &root);
    if (!way)
        return leads_out(d, in);
    memcpy(text, root.data, root.size);
    text[root.size] = '\0';
    int descriptor = open_way(text, way);
    if (descriptor < 0 && (errno == ELOOP || errno == ENOTDIR))
        return leads_out(d, in);
    if (descriptor < 0)
        return file_read_failed(d, "open", in->path, text_of_errno(errno, reason));
    return file_from_descriptor(descriptor, in->path, DIAG_PATH_UNSAFE, allocator, d, out);
}

static o2w_status resolve_and_open(struct inside *in, const char *folder,
                                   const o2w_allocator *allocator, struct diags *d,
                                   struct file **out)
{
    char reason[ERRNO_TEXT];
    if (!realpath(*folder ? folder : ".", in->folder))
        return file_read_failed(d, "open", *folder ? folder : ".", text_of_errno(errno, reason));
    if (!realpath(in->path, in->target))
        return file_read_failed(d, "open", in->path, text_of_errno(errno, reason));
    return open_target(in, allocator, d, out);
}

o2w_status file_open_inside(const char *folder, struct span relative,
                            const o2w_allocator *allocator, struct diags *d, struct file **out)
{
    const char *bad = path_unsafe(relative);
    if (bad)
        return unsafe_text(d, relative, bad);
    struct arena arena;
    arena_init(&arena, allocator);
    struct inside *in = ARENA_NEW(&arena, struct inside);
    if (in)
        in->path = path_join(&arena, span_of(folder), relative);
    o2w_status status =
        in && in->path ? resolve_and_open(in, folder, allocator, d, out) : diag_memory(d);
    arena_free(&arena);
    return status;
}
