/* Model → graph → files. */
#include "convert/conversion.h"

#include "base/log.h"
#include "convert/guard.h"
#include "convert/record.h"
#include "webnn/legalise.h"

#include <stdio.h>

/* --- the conversion object --------------------------------------------------------------------------- */

/* NULL when memory is out. */
static o2w_conversion *conversion_new(const o2w_environment *e)
{
    o2w_conversion *c = mem_alloc(environment_allocator(e), sizeof *c);
    if (!c)
        return NULL;
    *c = (o2w_conversion){ .environment = e, .allocator = environment_allocator(e) };
    arena_init(&c->arena, c->allocator);
    return c;
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

/* Which dimension got its size from where. */
static void log_dims(const o2w_conversion *c)
{
    for (size_t i = 0; i < c->lowering->dim_count; i++)
        log_text(c->environment, O2W_LOG_DEBUG, "dimension '%.*s' is %lld (%s)",
                 SPAN_ARG(c->lowering->dims[i].name), (long long)c->lowering->dims[i].value,
                 dim_source_text(c->lowering->dims[i].from));
}

o2w_status convert_for_target(struct graph **g, const o2w_convert_options *o, bool carry_ports,
                              struct arena *a, struct diags *d)
{
    struct legalise_options options = { .assume_int32 = o->assume_int32,
                                        .assume_int32_count = o->assume_int32_count,
                                        .carry_ports = carry_ports };
    if (!o->target)
        return O2W_OK;
    struct limits *limits = ARENA_NEW(a, struct limits);
    if (!limits)
        return diag_memory(d);
    d->stage = "target";
    TRY(limits_of_target(o->target, a, d, limits));
    return graph_legalise(g, limits, &options, d);
}

static o2w_status lower(o2w_conversion *c, const o2w_convert_options *o,
                        const struct model_source *from, struct diags *d)
{
    struct lower_options options;
    TRY(convert_lower_options(o, from->path, &c->arena, d, &options));
    d->stage = "lower";
    TRY(lower_model(c->model, &options, c->environment, d, &c->lowering));
    log_dims(c);
    TRY(convert_for_target(&c->lowering->graph, o, from->carry_ports, &c->arena, d));
    lowering_locate_ports(c->lowering);
    struct graph *g = c->lowering->graph;
    c->lowering->graph = NULL;
    if (graph_names_assign(g, &c->arena, &c->names) != O2W_OK ||
        conversion_fill_ports(c, g) != O2W_OK) {
        graph_free(g);
        return diag_memory(d);
    }
    count(c, g);
    return api_graph_wrap(g, c->environment, d, &c->graph);
}

static o2w_status open_model(o2w_conversion *c, const struct model_source *from,
                             const o2w_convert_options *o, struct diags *d)
{
    struct onnx_open_options open = { .allow_missing_external_data =
                                          o->allow_missing_external_data };
    d->stage = "read";
    TRY(progress_poll(c->environment, "read", 0, 0));
    TRY(from->bytes.data ? onnx_model_open_bytes(from->bytes, "(memory)", from->folder, &open,
                                                 c->allocator, d, &c->model)
                         : onnx_model_open(from->path, &open, c->allocator, d, &c->model));
    return lower(c, o, from, d);
}

o2w_status convert_open(const struct model_source *from, const o2w_convert_options *o,
                        struct diags *d, o2w_conversion **out)
{
    o2w_conversion *c = conversion_new(o->environment);
    if (!c)
        return diag_memory(d);
    o2w_status s = open_model(c, from, o, d);
    if (s == O2W_OK)
        *out = c;
    else
        o2w_conversion_free(c);
    return s;
}

o2w_status convert_open_file(const char *path, const o2w_convert_options *o, struct diags *d,
                             o2w_conversion **out)
{
    return convert_open(&(struct model_source){ .path = path }, o, d, out);
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

static o2w_status check_paths(const o2w_conversion *c, const struct output_paths *p,
                              const o2w_convert_options *o, struct diags *d)
{
    const struct guard guard = { .model = c->model, .paths = { o->target } };
    TRY(guard_check(&guard, p->graph, d));
    TRY(guard_check(&guard, p->archive_path, d));
    return guard_check(&guard, p->record, d);
}

/* The record of an earlier conversion would lie about this graph: it goes where none is written. */
static o2w_status write_record(o2w_conversion *c, const struct output_paths *p,
                               const o2w_convert_options *o, const struct format_written *written,
                               struct diags *d)
{
    if (o->record || c->lowering->zero_filled_count)
        return record_write(c, o, written, p->graph, &c->arena, d, &c->paths[O2W_WRITTEN_RECORD]);
    (void)remove(p->record);
    return O2W_OK;
}

static o2w_status write_files(o2w_conversion *c, const struct output_paths *p,
                              const o2w_convert_options *o, struct diags *d)
{
    struct format_written written;
    struct format_write_options options = { .names = written_names(o->names),
                                            .archive = p->archive,
                                            .add = p->archive != NULL,
                                            .sync = o->sync };
    d->stage = "write";
    TRY(check_paths(c, p, o, d));
    TRY(output_make_folder(p, &c->arena, d));
    TRY(format_write(api_graph(c->graph), p->graph, &options, &c->arena, d, &written));
    c->paths[O2W_WRITTEN_GRAPH] = p->graph;
    c->paths[O2W_WRITTEN_WEIGHTS] = written.archive_path;
    c->counts.graph_bytes = written.graph_bytes;
    c->counts.archive_bytes = written.archive_bytes;
    return write_record(c, p, o, &written, d);
}

/* Paths are judged before anything is read. `a` holds them. */
static o2w_status convert_to(const struct model_source *from, const o2w_convert_options *o,
                             struct arena *a, struct diags *d, o2w_conversion **out)
{
    o2w_conversion *c = NULL;
    struct output_paths paths;
    if (o->output)
        TRY(output_plan(o, from->path ? from->path : "model.onnx", a, d, &paths));
    TRY(convert_open(from, o, d, &c));
    o2w_status s = O2W_OK;
    if (o->output) {
        arena_adopt(&c->arena, a);
        s = write_files(c, &paths, o, d);
    }
    if (s == O2W_OK)
        *out = c;
    else
        o2w_conversion_free(c);
    return s;
}

static o2w_status cache_plan(const char *path, struct arena *a, struct diags *d, const char **name,
                             struct output_paths *out)
{
    const char *folder;
    *out = (struct output_paths){ 0 };
    TRY(cache_name(path, a, d, name));
    TRY(cache_folder(O2W_CACHE_WEBNN, true, a, d, &folder));
    out->graph = arena_printf(a, "%s/%s.webnn", folder, *name);
    return out->graph ? output_complete(a, d, out) : diag_memory(d);
}

static o2w_status convert_cached(const char *path, const o2w_convert_options *o, struct diags *d,
                                 o2w_conversion **out)
{
    o2w_conversion *c = NULL;
    const char *name;
    struct output_paths paths;
    TRY(convert_open(&(struct model_source){ .path = path }, o, d, &c));
    d->stage = "write";
    o2w_status s = cache_plan(path, &c->arena, d, &name, &paths);
    if (s == O2W_OK)
        s = write_files(c, &paths, o, d);
    if (s == O2W_OK && !o->no_source_copy)
        s = cache_source(c->model, name, o->sync, &c->arena, d, &c->paths[O2W_WRITTEN_SOURCE]);
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

static o2w_status convert_from(const struct model_source *from, const o2w_convert_options *options,
                               o2w_conversion **out, o2w_error **error)
{
    struct arena a;
    struct diags d;
    const o2w_convert_options *o = options ? options : &no_options;
    diags_init(&d, environment_allocator(o->environment));
    d.environment = o->environment;
    arena_init(&a, environment_allocator(o->environment));
    o2w_status s = convert_to(from, o, &a, &d, out);
    arena_free(&a);
    return finish(&d, s, s == O2W_OK ? *out : NULL, error);
}

o2w_status o2w_convert_file(const char *path, const o2w_convert_options *options,
                            o2w_conversion **out, o2w_error **error)
{
    return convert_from(&(struct model_source){ .path = path }, options, out, error);
}

o2w_status o2w_convert_bytes(const void *bytes, size_t size, const char *folder,
                             const o2w_convert_options *options, o2w_conversion **out,
                             o2w_error **error)
{
    struct model_source from = { .bytes = { bytes, size }, .folder = folder };
    return convert_from(&from, options, out, error);
}

o2w_status o2w_convert_cached(const char *path, const o2w_convert_options *options,
                              o2w_conversion **out, o2w_error **error)
{
    struct diags d;
    const o2w_convert_options *o = options ? options : &no_options;
    diags_init(&d, environment_allocator(o->environment));
    d.environment = o->environment;
    o2w_status s = convert_cached(path, o, &d, out);
    return finish(&d, s, s == O2W_OK ? *out : NULL, error);
}
