/* Where graphs go: --output, and the two caches. */
#include "convert/conversion.h"

#include <string.h>

const char *path_with_extension(const char *path, const char *extension, struct arena *a)
{
    struct span all = span_of(path), ext = path_extension(all);
    size_t keep = ext.size ? all.size - ext.size - 1 : all.size;
    return arena_printf(a, "%.*s%s", (int)keep, path, extension);
}

/* The last component, without slashes behind it, has no dot after its first byte. */
static bool is_folder_name(const char *output)
{
    struct span all = span_of(output), name = path_name(all);
    if (path_is_folder(output) || span_ends(all, SPAN("/")))
        return true;
    return name.size && !memchr(name.data + 1, '.', name.size - 1) && !path_is_file(output) &&
           !span_is(all, "-");
}

static o2w_status graph_path(const char *output, const char *model, struct arena *a,
                             struct diags *d, const char **out)
{
    struct span all = span_of(output);
    const char *path;
    if (span_ends(all, SPAN(".webnn")) && !path_is_folder(output)) {
        path = arena_text(a, all);
    } else if (is_folder_name(output)) {
        char *name = arena_printf(a, "%.*s.webnn", SPAN_ARG(path_stem(path_name(span_of(model)))));
        path = name ? path_join(a, all, span_of(name)) : NULL;
    } else {
        o2w_status s =
            diag_error(d, DIAG_USAGE,
                       "option '--output' is '%s', must be a .webnn file or a directory", output);
        diag_hint(d, "--output NAME.webnn, or --output FOLDER/; see 'onnx2webnn convert --help'");
        return s;
    }
    if (!path)
        return diag_memory(d);
    *out = path;
    return O2W_OK;
}

/* Whether two folders, of which the second need not exist, are the same. */
static bool same_folder(const char *folder, struct span graph_folder, struct arena *a)
{
    char *first, *second, *text = arena_text(a, graph_folder);
    if (text && span_equal(span_of(folder), graph_folder))
        return true;
    return text && path_canonical(folder, a, NULL, &first) == O2W_OK &&
           path_canonical(*text ? text : ".", a, NULL, &second) == O2W_OK &&
           strcmp(first, second) == 0;
}

static o2w_status archive_name(const char *weights, const char *graph, struct arena *a,
                               struct diags *d, const char **out)
{
    struct span all = span_of(weights), folder = path_folder(span_of(graph));
    char *own = arena_text(a, path_folder(all)), *name = arena_text(a, path_name(all));
    if (!own || !name)
        return diag_memory(d);
    bool inside = !strchr(weights, '/') || same_folder(own, folder, a);
    if (inside && path_stem(span_of(name)).size &&
        span_is(path_extension(span_of(name)), "safetensors")) {
        *out = name;
        return O2W_OK;
    }
    o2w_status s =
        inside
            ? diag_error(d, DIAG_USAGE, "option '--weights' is '%s', must end in .safetensors",
                         weights)
            : diag_error(d, DIAG_USAGE,
                         "option '--weights' is '%s', must be a file in the graph's folder '%.*s'",
                         weights, SPAN_ARG(folder.size ? folder : SPAN(".")));
    diag_hint(d, "--weights NAME.safetensors; see 'onnx2webnn convert --help'");
    return s;
}

o2w_status output_plan(const o2w_convert_options *o, const char *model, struct arena *a,
                       struct diags *d, struct output_paths *out)
{
    *out = (struct output_paths){ 0 };
    TRY(graph_path(o->output, model, a, d, &out->graph));
    if (o->weights)
        TRY(archive_name(o->weights, out->graph, a, d, &out->archive));
    return output_complete(a, d, out);
}

o2w_status output_complete(struct arena *a, struct diags *d, struct output_paths *p)
{
    p->archive_path = p->archive ? path_join(a, path_folder(span_of(p->graph)), span_of(p->archive))
                                 : path_with_extension(p->graph, ".safetensors", a);
    p->record = path_with_extension(p->graph, ".o2w.json", a);
    return p->archive_path && p->record ? O2W_OK : diag_memory(d);
}

o2w_status output_make_folder(const struct output_paths *p, struct arena *a, struct diags *d)
{
    struct span folder = path_folder(span_of(p->graph));
    char *path = arena_text(a, folder);
    if (!path)
        return diag_memory(d);
    return folder.size ? folder_create(path, 0777, d) : O2W_OK;
}

/* --- caches ---------------------------------------------------------------------------------------- */

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
        const char *base = system_cache_folder(a);
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
