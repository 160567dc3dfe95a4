/* Model → graph → files. */
#include "convert/conversion.h"

#include "convert/record.h"

#include <stdio.h>

/* --- the conversion object --------------------------------------------------------------------------- */

static o2w_status conversion_new(const o2w_convert_options *o, struct diags *d,
                                 o2w_conversion **out)
{
    const o2w_environment *e = o->environment;
    o2w_conversion *c = mem_alloc(environment_allocator(e), sizeof *c);
    if (!c)
        return diag_memory(d);
    *c = (o2w_conversion){ .environment = e, .allocator = environment_allocator(e) };
    arena_init(&c->arena, c->allocator);
    *out = c;
    return O2W_OK;
}

void o2w_conversion_free(o2w_conversion *c)
{
    if (!c)
        return;
    webnn_graph_free(c->graph);
    lowering_free(c->lowering);
    onnx_model_close(c->model);
    o2w_error_free(c->diagnostics);
    arena_free(&c->arena);
    mem_free(c->allocator, c, sizeof *c);
}

static void count(o2w_conversion *c, const struct graph *g)
{
    c->counts = (o2w_conversion_counts){ .size = sizeof c->counts,
                                         .nodes = c->lowering->node_count,
                                         .operators = g->operators.count,
                                         .weights = g->weights.count };
    for (size_t i = 0; i < g->weights.count; i++)
        c->counts.weight_bytes += weight_bytes(&g->weights.items[i]);
}

static o2w_status lower(o2w_conversion *c, const o2w_convert_options *o, const char *path,
                        struct diags *d)
{
    struct lower_options options;
    TRY(convert_lower_options(o, path, &c->arena, d, &options));
    d->stage = "lower";
    TRY(lower_model(c->model, &options, c->environment, d, &c->lowering));
    struct graph *g = c->lowering->graph;
    c->lowering->graph = NULL;
    if (graph_names_assign(g, &c->arena, &c->names) != O2W_OK) {
        graph_free(g);
        return diag_memory(d);
    }
    count(c, g);
    return api_graph_wrap(g, c->environment, d, &c->graph);
}

/* What is not built yet is refused by name, never passed over. */
static o2w_status check_supported(const o2w_convert_options *o, struct diags *d)
{
    if (o->target)
        return diag_error(d, DIAG_LOWER_UNSUPPORTED,
                          "option '--target' is not available in this version");
    if (o->bound_count)
        return diag_error(d, DIAG_LOWER_UNSUPPORTED,
                          "option '--bound' is not available in this version");
    return O2W_OK;
}

static o2w_status open_file(o2w_conversion *c, const char *path, const o2w_convert_options *o,
                            struct diags *d)
{
    struct onnx_open_options open = { .allow_missing_external_data =
                                          o->allow_missing_external_data };
    TRY(check_supported(o, d));
    d->stage = "read";
    TRY(onnx_model_open(path, &open, c->allocator, d, &c->model));
    return lower(c, o, path, d);
}

o2w_status convert_open_file(const char *path, const o2w_convert_options *o, struct diags *d,
                             o2w_conversion **out)
{
    o2w_conversion *c;
    TRY(conversion_new(o, d, &c));
    o2w_status s = open_file(c, path, o, d);
    if (s == O2W_OK)
        *out = c;
    else
        o2w_conversion_free(c);
    return s;
}

/* --- writing ----------------------------------------------------------------------------------------- */

static enum format_names written_names(webnn_names names)
{
    switch (names) {
    case WEBNN_NAMES_NONE: return FORMAT_NAMES_NONE;
    case WEBNN_NAMES_ALL: return FORMAT_NAMES_ALL;
    case WEBNN_NAMES_INTERFACE: break;
    }
    return FORMAT_NAMES_INTERFACE;
}

static bool wants_record(const o2w_conversion *c, const o2w_convert_options *o)
{
    return o->record || c->lowering->zero_filled_count;
}

/* A record of an earlier conversion would lie about this graph. */
static void remove_record(const char *graph_path, struct arena *a)
{
    const char *old = path_with_extension(graph_path, ".o2w.json", a);
    if (old)
        (void)remove(old);
}

static o2w_status write_files(o2w_conversion *c, const char *graph_path,
                              const o2w_convert_options *o, struct diags *d)
{
    struct format_written written;
    struct format_write_options options = { .names = written_names(o->names),
                                            .archive = o->weights,
                                            .add = o->weights != NULL,
                                            .sync = o->sync };
    d->stage = "write";
    TRY(check_not_source(c->model, graph_path, d));
    const char *archive =
        o->weights ? path_join(&c->arena, path_folder(span_of(graph_path)), span_of(o->weights))
                   : path_with_extension(graph_path, ".safetensors", &c->arena);
    if (!archive)
        return diag_memory(d);
    TRY(check_not_source(c->model, archive, d));
    TRY(format_write(api_graph(c->graph), graph_path, &options, &c->arena, d, &written));
    c->paths[O2W_WRITTEN_GRAPH] = graph_path;
    c->paths[O2W_WRITTEN_WEIGHTS] = written.archive_path;
    c->counts.graph_bytes = written.graph_bytes;
    c->counts.archive_bytes = written.archive_bytes;
    if (!wants_record(c, o)) {
        remove_record(graph_path, &c->arena);
        return O2W_OK;
    }
    return record_write(c, o, &written, graph_path, &c->arena, d, &c->paths[O2W_WRITTEN_RECORD]);
}

static o2w_status convert_file(const char *path, const o2w_convert_options *o, struct diags *d,
                               o2w_conversion **out)
{
    o2w_conversion *c;
    const char *graph_path = NULL;
    o2w_status s = O2W_OK;
    TRY(convert_open_file(path, o, d, &c));
    if (o->output)
        s = output_path(o->output, path, &c->arena, d, &graph_path);
    if (s == O2W_OK && graph_path)
        s = write_files(c, graph_path, o, d);
    if (s == O2W_OK)
        *out = c;
    else
        o2w_conversion_free(c);
    return s;
}

static o2w_status convert_cached(const char *path, const o2w_convert_options *given,
                                 struct diags *d, o2w_conversion **out)
{
    o2w_convert_options o = *given;
    o2w_conversion *c;
    const char *name, *folder, *graph_path = NULL;
    TRY(convert_open_file(path, &o, d, &c));
    o2w_status s = cache_name(path, &c->arena, d, &name);
    if (s == O2W_OK)
        s = cache_folder(O2W_CACHE_WEBNN, true, &c->arena, d, &folder);
    if (s == O2W_OK && !(graph_path = arena_printf(&c->arena, "%s/%s.webnn", folder, name)))
        s = diag_memory(d);
    if (s == O2W_OK)
        s = write_files(c, graph_path, &o, d);
    if (s == O2W_OK && !o.no_source_copy)
        s = cache_source(c->model, name, o.sync, &c->arena, d, &c->paths[O2W_WRITTEN_SOURCE]);
    if (s == O2W_OK)
        *out = c;
    else
        o2w_conversion_free(c);
    return s;
}

/* --- public ------------------------------------------------------------------------------------------ */

/* Warnings and notes of a success stay with the conversion. */
static o2w_status finish(struct diags *d, o2w_status s, o2w_conversion *c, o2w_error **error)
{
    if (s == O2W_OK && d->count)
        (void)error_from_diags(d, O2W_UNSUPPORTED, &c->diagnostics);
    s = error_from_diags(d, s, error);
    diags_free(d);
    return s;
}

static const o2w_convert_options no_options = { .size = sizeof no_options };

o2w_status o2w_convert_file(const char *path, const o2w_convert_options *options,
                            o2w_conversion **out, o2w_error **error)
{
    struct diags d;
    const o2w_convert_options *o = options ? options : &no_options;
    diags_init(&d, environment_allocator(o->environment));
    o2w_status s = convert_file(path, o, &d, out);
    return finish(&d, s, s == O2W_OK ? *out : NULL, error);
}

o2w_status o2w_convert_cached(const char *path, const o2w_convert_options *options,
                              o2w_conversion **out, o2w_error **error)
{
    struct diags d;
    const o2w_convert_options *o = options ? options : &no_options;
    diags_init(&d, environment_allocator(o->environment));
    o2w_status s = convert_cached(path, o, &d, out);
    return finish(&d, s, s == O2W_OK ? *out : NULL, error);
}

static o2w_status convert_bytes(struct span bytes, const char *folder, const o2w_convert_options *o,
                                struct diags *d, o2w_conversion **out)
{
    struct onnx_open_options open = { .allow_missing_external_data =
                                          o->allow_missing_external_data };
    o2w_conversion *c;
    TRY(check_supported(o, d));
    TRY(conversion_new(o, d, &c));
    o2w_status s =
        onnx_model_open_bytes(bytes, "(memory)", folder, &open, c->allocator, d, &c->model);
    const char *graph_path = NULL;
    if (s == O2W_OK)
        s = lower(c, o, NULL, d);
    if (s == O2W_OK && o->output)
        s = output_path(o->output, "model.onnx", &c->arena, d, &graph_path);
    if (s == O2W_OK && graph_path)
        s = write_files(c, graph_path, o, d);
    if (s == O2W_OK)
        *out = c;
    else
        o2w_conversion_free(c);
    return s;
}

o2w_status o2w_convert_bytes(const void *bytes, size_t size, const char *folder,
                             const o2w_convert_options *options, o2w_conversion **out,
                             o2w_error **error)
{
    struct diags d;
    const o2w_convert_options *o = options ? options : &no_options;
    diags_init(&d, environment_allocator(o->environment));
    o2w_status s = convert_bytes((struct span){ bytes, size }, folder, o, &d, out);
    return finish(&d, s, s == O2W_OK ? *out : NULL, error);
}
