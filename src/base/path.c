#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Bytes up to and with the last slash. */
static size_t folder_size(struct span path)
{
    size_t size = path.size;
    while (size && path.data[size - 1] != '/')
        size--;
    return size;
}

struct span path_folder(struct span path)
{
    size_t size = folder_size(path);
    return (struct span){ path.data, size > 1 ? size - 1 : size };
}

struct span path_name(struct span path)
{
    size_t size = folder_size(path);
    return size ? (struct span){ path.data + size, path.size - size } : path;
}

/* Where the last extension of a name begins, with its dot; its end when there is none. */
static size_t extension_start(struct span name)
{
    for (size_t i = name.size; i > 1; i--)
        if (name.data[i - 1] == '.')
            return i - 1;
    return name.size;
}

struct span path_stem(struct span path)
{
    struct span name = path_name(path);
    return (struct span){ name.data, extension_start(name) };
}

struct span path_extension(struct span path)
{
    struct span name = path_name(path);
    size_t start = extension_start(name);
    if (start == name.size)
        return SPAN("");
    return (struct span){ name.data + start + 1, name.size - start - 1 };
}

static char *put(char *to, struct span s)
{
    if (s.size)
        memcpy(to, s.data, s.size);
    return to + s.size;
}

char *path_join(struct arena *a, struct span folder, struct span name)
{
    if (folder.size == 0 || span_starts(name, SPAN("/")))
        return arena_text(a, name);
    char *text = arena_alloc(a, folder.size + name.size + 2, 1);
    if (!text)
        return NULL;
    char *to = put(text, folder);
    if (!span_ends(folder, SPAN("/")))
        *to++ = '/';
    put(to, name);
    return text;
}

bool path_is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

bool path_is_file(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

o2w_status path_canonical(const char *path, struct arena *a, struct diags *d, char **out)
{
    char resolved[PATH_MAX], reason[ERRNO_TEXT];
    if (!realpath(path, resolved)) {
        int error = errno;
        o2w_status status = diag_error(d, DIAG_FILE_READ, "cannot find '%s': %s", path,
                                       text_of_errno(error, reason));
        diag_position(d, span_of(path), -1, -1, -1);
        return status;
    }
    char *text = arena_text(a, span_of(resolved));
    if (!text)
        return diag_memory(d);
    *out = text;
    return O2W_OK;
}

/* ---- folders ---- */

static bool make_folder(const char *path, mode_t mode)
{
    if (mkdir(path, mode) == 0)
        return true;
    int error = errno;
    if (path_is_folder(path))
        return true;
    errno = error == EEXIST ? ENOTDIR : error;
    return false;
}

/* All folders on the way and the last one; errno says why not. */
static bool make_folders(char *path, mode_t mode)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = make_folder(path, mode);
        *slash = '/';
        if (!made)
            return false;
    }
    return make_folder(path, mode);
}

o2w_status folder_create(const char *path, unsigned mode, struct diags *d)
{
    char copy[PATH_MAX], reason[ERRNO_TEXT];
    size_t size = strlen(path);
    int error = size == 0 ? ENOENT : size >= sizeof copy ? ENAMETOOLONG : 0;
    if (!error) {
        memcpy(copy, path, size + 1);
        error = make_folders(copy, (mode_t)mode) ? 0 : errno;
    }
    if (!error)
        return O2W_OK;
    o2w_status status = diag_error(d, DIAG_FILE_WRITE, "cannot create the folder '%s': %s", path,
                                   text_of_errno(error, reason));
    diag_position(d, span_of(path), -1, -1, -1);
    return status;
}
