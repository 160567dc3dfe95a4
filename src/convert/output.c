/* Where graphs go: --output, and the two caches. */
#include "convert/conversion.h"

#include <limits.h>
#include <string.h>

#define NO_PATH "a .webnn file or a directory"

const char *path_with_extension(const char *path, const char *extension, struct arena *a)
{
    struct span all = span_of(path), ext = path_extension(all);
    size_t keep = ext.size ? all.size - ext.size - 1 : all.size;
    return arena_printf(a, "%.*s%s", (int)keep, path, extension);
}

static o2w_status make_folder(struct span folder, struct arena *a, struct diags *d)
{
    if (!folder.size)
        return O2W_OK;
    char *path = arena_text(a, folder);
    return path ? folder_create(path, 0777, d) : diag_memory(d);
}

static bool is_folder_name(const char *output)
{
    struct span all = span_of(output), name = path_name(all);
    if (path_is_folder(output) || span_ends(all, SPAN("/")))
        return true;
    return name.size && !memchr(name.data + 1, '.', name.size - 1) && !path_is_file(output) &&
           !span_is(all, "-");
}

o2w_status output_path(const char *output, const char *model, struct arena *a, struct diags *d,
                       const char **out)
{
    struct span all = span_of(output);
    const char *path;
    if (span_ends(all, SPAN(".webnn")) && !path_is_folder(output)) {
        TRY(make_folder(path_folder(all), a, d));
        path = arena_text(a, all);
    } else if (is_folder_name(output)) {
        TRY(make_folder(all, a, d));
        char *name = arena_printf(a, "%.*s.webnn", SPAN_ARG(path_stem(path_name(span_of(model)))));
        path = name ? path_join(a, all, span_of(name)) : NULL;
    } else {
        o2w_status s =
            diag_error(d, DIAG_USAGE, "option '--output' is '%s', must be %s", output, NO_PATH);
        diag_hint(d, "--output NAME.webnn; see 'onnx2webnn convert --help'");
        return s;
    }
    if (!path)
        return diag_memory(d);
    *out = path;
    return O2W_OK;
}

o2w_status check_not_source(const struct onnx_model *m, const char *path, struct diags *d)
{
    struct file *f = NULL;
    if (!path_is_file(path) || file_open(path, NULL, NULL, &f) != O2W_OK)
        return O2W_OK;
    bool same = m->file && m->file->device == f->device && m->file->inode == f->inode &&
                m->file->descriptor >= 0;
    size_t count;
    struct file *const *files = onnx_model_files(m, &count);
    for (size_t i = 0; i < count && !same; i++)
        same = files[i] && files[i]->device == f->device && files[i]->inode == f->inode;
    file_release(f);
    return same ? diag_error(d, DIAG_FILE_WRITE,
                             "'%s' is read by the conversion and cannot be its output", path)
                : O2W_OK;
}

/* --- caches ---------------------------------------------------------------------------------------- */

static const char *os_cache(struct arena *a)
{
    const char *base = system_variable("XDG_CACHE_HOME"), *home = system_variable("HOME");
    if (base && base[0] == '/')
        return base;
#if defined(__APPLE__)
    return home ? arena_printf(a, "%s/Library/Caches", home) : NULL;
#else
    return home ? arena_printf(a, "%s/.cache", home) : NULL;
#endif
}

o2w_status cache_folder(o2w_cache kind, bool create, struct arena *a, struct diags *d,
                        const char **out)
{
    static const char *const variables[] = { "O2W_WEBNN_CACHE", "O2W_ONNX_CACHE" };
    static const char *const folders[] = { "webnn", "onnx" };
    const char *own = system_variable(variables[kind]), *both = system_variable("O2W_CACHE_DIR"),
               *path = own;
    if (!path && both)
        path = arena_printf(a, "%s/%s", both, folders[kind]);
    if (!path) {
        const char *base = os_cache(a);
        path = base ? arena_printf(a, "%s/onnx2webnn/%s", base, folders[kind]) : NULL;
    }
    if (!path) {
        o2w_status s = diag_error(d, DIAG_CACHE_FOLDER, "no cache folder can be derived");
        diag_hint(d, "set %s, O2W_CACHE_DIR, XDG_CACHE_HOME or HOME; or give --output",
                  variables[kind]);
        return s;
    }
    if (create)
        TRY(folder_create(path, 0700, d));
    *out = path;
    return O2W_OK;
}

o2w_status cache_name(const char *model, struct arena *a, struct diags *d, const char **out)
{
    char *canonical;
    TRY(path_canonical(model, a, d, &canonical));
    struct span stem = path_stem(path_name(span_of(canonical)));
    size_t size = stem.size < 160 ? stem.size : 160;
    char name[161];
    for (size_t i = 0; i < size; i++) {
        uint8_t c = stem.data[i];
        bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        name[i] = plain ? (char)c : '_';
    }
    name[size] = '\0';
    *out =
        arena_printf(a, "%s-%016llx", name, (unsigned long long)span_fnv1a64(span_of(canonical)));
    return *out ? O2W_OK : diag_memory(d);
}

/* --- copy of the source ----------------------------------------------------------------------------- */

static o2w_status copy_file(struct file *f, const char *to, bool sync, struct diags *d)
{
    struct file_writer *w;
    TRY(file_create(to, NULL, d, &w));
    o2w_status s = file_write_from(w, f, 0, f->size, d);
    if (s == O2W_OK)
        return file_commit(w, sync, d);
    file_discard(w);
    return s;
}

/* External files keep their names: they lie beside the copy in a folder of its own. */
o2w_status cache_source(const struct onnx_model *m, const char *name, bool sync, struct arena *a,
                        struct diags *d, const char **out)
{
    const char *folder, *path;
    size_t count;
    (void)onnx_model_files(m, &count);
    TRY(cache_folder(O2W_CACHE_ONNX, true, a, d, &folder));
    if (count) {
        (void)diag_note(d, DIAG_CACHE_RECORD,
                        "the source has %zu external files and is not copied to the cache", count);
        return O2W_OK;
    }
    path = arena_printf(a, "%s/%s.onnx", folder, name);
    if (!path)
        return diag_memory(d);
    TRY(copy_file(m->file, path, sync, d));
    *out = path;
    return O2W_OK;
}
