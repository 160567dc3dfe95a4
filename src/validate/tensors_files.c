/* Tensors from and to files. */
#include "validate/tensors.h"

#include "base/error.h"
#include "base/file.h"
#include "format/npy.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- reading ------------------------------------------------------------------------------------------ */

static o2w_status read_npy(o2w_tensors *t, const char *name, const char *path, struct diags *d)
{
    struct tensor tensor;
    TRY(npy_read(path, &t->arena, d, &tensor));
    TRY(tensors_add_file(t, path, d));
    return tensors_add(t, name, &tensor, false, d);
}

static o2w_status read_archive(o2w_tensors *t, const char *path, struct diags *d)
{
    o2w_tensors *loaded;
    TRY(tensors_load(path, t->allocator, d, &loaded));
    o2w_status s = tensors_add_file(t, path, d);
    for (size_t i = 0; i < loaded->items.count && s == O2W_OK; i++) {
        const struct named_tensor *n = &loaded->items.items[i];
        s = tensors_add(t, n->name, &n->tensor, true, d);
        if (s == O2W_OK)
            VEC_LAST(&t->items).packed = n->packed;
    }
    o2w_tensors_free(loaded);
    return s;
}

static int digit(char c)
{
    const char *digits = "0123456789ABCDEF", *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* NAME of NAME.npy, with %XX as bytes. */
static char *file_to_name(const char *file, struct arena *a)
{
    char *name = arena_text(a, path_stem(span_of(file))), *to = name;
    for (const char *from = name; from && *from; from++) {
        if (*from == '%' && digit(from[1]) >= 0 && digit(from[2]) >= 0) {
            *to++ = (char)(digit(from[1]) * 16 + digit(from[2]));
            from += 2;
        } else {
            *to++ = *from;
        }
    }
    if (to)
        *to = '\0';
    return name;
}

static int only_npy(const struct dirent *entry)
{
    return span_is(path_extension(span_of(entry->d_name)), "npy");
}

static o2w_status read_folder(o2w_tensors *t, const char *folder, struct diags *d)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, only_npy, alphasort);
    o2w_status s = O2W_OK;
    if (count < 0)
        return diag_error(d, DIAG_FILE_READ, "folder '%s' cannot be read: %s", folder,
                          strerror(errno));
    for (int i = 0; i < count; i++) {
        const char *file = entries[i]->d_name;
        char *path = path_join(&t->arena, span_of(folder), span_of(file));
        char *name = file_to_name(file, &t->arena);
        if (s == O2W_OK)
            s = path && name ? read_npy(t, name, path, d) : diag_memory(d);
        free(entries[i]);
    }
    free(entries);
    return s;
}

static o2w_status read_spec(o2w_tensors *t, const char *spec, struct diags *d)
{
    struct span all = span_of(spec);
    const char *equals = strrchr(spec, '=');
    if (path_is_folder(spec))
        return read_folder(t, spec, d);
    if (span_is(path_extension(all), "safetensors"))
        return read_archive(t, spec, d);
    if (!equals || equals == spec || !span_is(path_extension(all), "npy")) {
        o2w_status s =
            diag_error(d, DIAG_USAGE,
                       "'%s' names no tensors: must be FILE.safetensors, NAME=FILE.npy or a folder "
                       "of NAME.npy",
                       spec);
        diag_hint(d, "see 'onnx2webnn run --help'");
        return s;
    }
    char *name =
        arena_text(&t->arena, (struct span){ (const uint8_t *)spec, (size_t)(equals - spec) });
    return name ? read_npy(t, name, equals + 1, d) : diag_memory(d);
}

o2w_status o2w_tensors_read(o2w_tensors *t, const char *spec, o2w_error **error)
{
    struct diags d;
    diags_init(&d, t->allocator);
    d.stage = "feed";
    o2w_status s = error_from_diags(&d, read_spec(t, spec, &d), error);
    diags_free(&d);
    return s;
}

/* --- writing ------------------------------------------------------------------------------------------ */

static char *name_to_file(const char *name, struct arena *a)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t size = strlen(name);
    char *file = arena_alloc(a, size * 3 + 5, 1), *to = file;
    for (size_t i = 0; file && i < size; i++) {
        uint8_t c = (uint8_t)name[i];
        if (c == '/' || c == '%' || c == '\\' || c < 0x20 || c == 0x7f) {
            *to++ = '%';
            *to++ = digits[c >> 4];
            *to++ = digits[c & 15];
        } else {
            *to++ = (char)c;
        }
    }
    if (file)
        memcpy(to, ".npy", 5);
    return file;
}

static bool is_archive(const char *spec)
{
    return span_is(path_extension(span_of(spec)), "safetensors") && !path_is_folder(spec);
}

const char *tensors_path(const char *spec, const char *name, struct arena *a)
{
    if (is_archive(spec))
        return spec;
    const char *file = name_to_file(name, a);
    return file ? path_join(a, span_of(spec), span_of(file)) : NULL;
}

static o2w_status write_npy(const struct named_tensor *n, const char *folder, struct arena *a,
                            struct diags *d)
{
    const char *path = tensors_path(folder, n->name, a);
    if (!path)
        return diag_memory(d);
    if (n->tensor.dtype < DTYPE_COUNT && npy_has_dtype(n->tensor.dtype))
        return npy_write(path, &n->tensor, NULL, d);
    o2w_status s =
        diag_error(d, DIAG_NPY_DTYPE, "'%s' is %s, which npy cannot hold", n->name, n->type);
    diag_hint(d, "write FILE.safetensors");
    return s;
}

static o2w_status write_spec(const o2w_tensors *t, const char *spec, struct diags *d)
{
    struct arena a;
    if (is_archive(spec))
        return tensors_save(t, spec, d);
    TRY(folder_create(spec, 0777, d));
    arena_init(&a, t->allocator);
    o2w_status s = O2W_OK;
    for (size_t i = 0; i < t->items.count && s == O2W_OK; i++)
        s = write_npy(&t->items.items[i], spec, &a, d);
    arena_free(&a);
    return s;
}

o2w_status o2w_tensors_write(const o2w_tensors *t, const char *spec, o2w_error **error)
{
    struct diags d;
    diags_init(&d, t->allocator);
    d.stage = "write";
    o2w_status s = error_from_diags(&d, write_spec(t, spec, &d), error);
    diags_free(&d);
    return s;
}
