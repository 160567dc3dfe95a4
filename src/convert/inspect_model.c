/* A model: what stands in it, and what a conversion would make of it. */
#include "convert/inspect.h"

#include <string.h>

/* --- dimensions: with and without a value --------------------------------------------------------------- */

static o2w_status add_dim(struct inspect_summary *s, struct span name, int64_t value,
                          const char *from)
{
    struct inspect_dim item = { inspect_text(s, name), value, from };
    return VEC_PUSH(&s->dims, item) ? O2W_OK : O2W_NO_MEMORY;
}

static o2w_status add_dims(struct inspect_summary *s, const struct onnx_model *m, const char *path,
                           const o2w_convert_options *o)
{
    struct lower_options options;
    struct dims_result found = { 0 };
    struct diags own;
    diags_init(&own, s->arena->allocator);
    o2w_status status = convert_lower_options(o, path, s->arena, &own, &options);
    if (status == O2W_OK)
        (void)dims_resolve(m, &m->graph, options.dims, s->arena, &own, &found);
    diags_free(&own);
    if (status == O2W_NO_MEMORY)
        return status;
    for (size_t i = 0; i < found.dim_count; i++)
        TRY(add_dim(s, found.dims[i].name, found.dims[i].value,
                    dim_source_text(found.dims[i].from)));
    for (size_t i = 0; i < found.unresolved_count; i++)
        TRY(add_dim(s, found.unresolved[i], 0, NULL));
    return O2W_OK;
}

/* --- what a conversion would find ------------------------------------------------------------------------ */

static o2w_status copy_unsupported(struct inspect_summary *s, const struct diags *own)
{
    for (const struct diag_unsupported *from = own->unsupported; from; from = from->next) {
        const char **nodes = ARENA_ARRAY(s->arena, from->item.node_count, const char *);
        o2w_unsupported item = from->item;
        for (size_t i = 0; nodes && i < item.node_count; i++)
            nodes[i] = inspect_text(s, span_of(from->item.nodes[i]));
        item.domain = inspect_text(s, span_of(item.domain));
        item.name = inspect_text(s, span_of(item.name));
        item.reason = inspect_text(s, span_of(item.reason));
        item.nodes = nodes;
        if (!nodes || !VEC_PUSH(&s->unsupported, item))
            return O2W_NO_MEMORY;
    }
    return O2W_OK;
}

/* The first thing in the way of figures. */
static void note_obstacle(struct inspect_summary *s, const struct diags *own)
{
    for (const struct diag *item = own->first; item; item = item->next)
        if (item->severity == O2W_SEVERITY_ERROR) {
            s->obstacle = item->code == DIAG_DIM_UNRESOLVED
                              ? "needs dims"
                              : inspect_text(s, span_of(item->message));
            return;
        }
    s->obstacle = "cannot be converted";
}

/* The model as convert would see it; a failure is shown, it does not make inspect fail. */
static o2w_status try_conversion(struct inspect_summary *s, const char *path,
                                 const o2w_convert_options *given, struct diags *d)
{
    o2w_convert_options options = *given;
    o2w_conversion *c;
    struct diags own;
    uint64_t model_weights = s->weight_bytes;
    options.allow_missing_external_data = true;
    diags_init(&own, s->arena->allocator);
    o2w_status status = convert_open_file(path, &options, &own, &c);
    if (status == O2W_OK) {
        s->weight_bytes = 0;
        status = inspect_graph(s, api_graph(c->graph), d);
        o2w_conversion_free(c);
        diags_append(d, &own);
    } else if (status != O2W_NO_MEMORY && status != O2W_CANCELLED && status != O2W_USAGE) {
        s->weight_bytes = model_weights;
        note_obstacle(s, &own);
        status = copy_unsupported(s, &own);
    } else {
        diags_append(d, &own);
    }
    diags_free(&own);
    return status;
}

/* --- entry ------------------------------------------------------------------------------------------------- */

static o2w_status fill(struct inspect_summary *s, const struct onnx_model *m,
                       const o2w_inspect_options *o)
{
    static const o2w_convert_options none = { .size = sizeof none };
    s->ir_version = m->ir_version;
    s->producer = arena_printf(s->arena, "%.*s%s%.*s", SPAN_ARG(m->producer_name),
                               m->producer_version.size ? " " : "", SPAN_ARG(m->producer_version));
    for (uint32_t i = 0; i < m->opset_count; i++)
        TRY(inspect_add_count(&s->opsets, inspect_text(s, m->opsets[i].domain),
                              (uint64_t)m->opsets[i].version, 0));
    TRY(inspect_model_parts(s, m, o->nodes));
    return add_dims(s, m, s->path, o->convert ? o->convert : &none);
}

o2w_status inspect_model(struct inspect_summary *s, const char *path, const o2w_inspect_options *o,
                         struct diags *d)
{
    static const o2w_convert_options none = { .size = sizeof none };
    struct onnx_open_options open = { .allow_missing_external_data = true };
    struct onnx_model *m;
    TRY(onnx_model_open(path, &open, s->arena->allocator, d, &m));
    o2w_status status = fill(s, m, o);
    onnx_model_close(m);
    if (status == O2W_OK)
        status = try_conversion(s, path, o->convert ? o->convert : &none, d);
    return status == O2W_NO_MEMORY ? diag_memory(d) : status;
}
