/* ONNX models. */
#include "convert/inspect.h"

#include "lower/row.h"

#include <string.h>

static const char *text_of(struct inspect_summary *s, struct span text)
{
    char *copy = arena_text(s->arena, text);
    return copy ? copy : "";
}

static const char *type_text(const struct onnx_type *t)
{
    static const char *const kinds[] = { [ONNX_TYPE_NONE] = "none",
                                         [ONNX_TYPE_TENSOR] = "tensor",
                                         [ONNX_TYPE_SPARSE_TENSOR] = "sparse",
                                         [ONNX_TYPE_SEQUENCE] = "sequence",
                                         [ONNX_TYPE_OPTIONAL] = "optional",
                                         [ONNX_TYPE_MAP] = "map",
                                         [ONNX_TYPE_OPAQUE] = "opaque" };
    enum dtype dtype;
    if (t->kind != ONNX_TYPE_TENSOR)
        return kinds[t->kind];
    return dtype_by_onnx(t->dtype, &dtype) ? dtype_name(dtype) : "unknown";
}

/* Numbers, names, or `?` with the name by which --override-dim reaches the axis. */
static const char *dims_of(struct inspect_summary *s, const struct onnx_model *m,
                           const struct onnx_value_info *info)
{
    const char *text = "[";
    if (!info->type.has_shape)
        return "without shape";
    for (uint32_t i = 0; i < info->type.rank; i++) {
        const struct onnx_dim *d = &info->type.dims[i];
        const char *comma = i ? ", " : "";
        if (d->kind == ONNX_DIM_VALUE && d->value > 0)
            text = arena_printf(s->arena, "%s%s%lld", text ? text : "", comma, (long long)d->value);
        else if (d->kind == ONNX_DIM_NAMED && d->name.size)
            text = arena_printf(s->arena, "%s%s%.*s", text ? text : "", comma, SPAN_ARG(d->name));
        else
            text = arena_printf(s->arena, "%s%s? (%.*s_dim%u)", text ? text : "", comma,
                                SPAN_ARG(onnx_name(m, info->name)), i);
    }
    return arena_printf(s->arena, "%s]", text ? text : "");
}

static bool initialized(const struct onnx_graph *g, name_id name)
{
    for (uint32_t i = 0; i < g->initializer_count; i++)
        if (g->initializers[i].name == name)
            return true;
    return false;
}

static o2w_status add_ports(struct inspect_summary *s, const struct onnx_model *m)
{
    const struct onnx_graph *g = &m->graph;
    for (uint32_t i = 0; i < g->input_count + g->output_count; i++) {
        bool in = i < g->input_count;
        const struct onnx_value_info *info = in ? &g->inputs[i] : &g->outputs[i - g->input_count];
        struct inspect_port p = { .name = text_of(s, onnx_name(m, info->name)),
                                  .type = type_text(&info->type),
                                  .dims = dims_of(s, m, info),
                                  .has_default = in && initialized(g, info->name) };
        if (!p.dims || !(in ? VEC_PUSH(&s->inputs, p) : VEC_PUSH(&s->outputs, p)))
            return O2W_NO_MEMORY;
    }
    return O2W_OK;
}

/* --- operators ---------------------------------------------------------------------------------------- */

static o2w_status add_unsupported(struct inspect_summary *s, const struct onnx_node *n,
                                  const struct onnx_row *row, bool known)
{
    const char *name = arena_printf(s->arena, "%.*s (%.*s %lld)", SPAN_ARG(n->op_type),
                                    SPAN_ARG(n->domain), (long long)n->opset);
    if (!name)
        return O2W_NO_MEMORY;
    for (size_t i = 0; i < s->unsupported.count; i++)
        if (strcmp(s->unsupported.items[i].first, name) == 0) {
            s->unsupported.items[i].number++;
            return O2W_OK;
        }
    const char *node = n->name.size
                           ? text_of(s, n->name)
                           : arena_printf(s->arena, "%.*s#%u", SPAN_ARG(n->op_type), n->index);
    const char *reason = row     ? row->reason
                         : known ? "this version of the operator has no lowering"
                                 : "no lowering for this operator";
    struct inspect_line line = { .first = name, .second = node, .third = reason, .number = 1 };
    return VEC_PUSH(&s->unsupported, line) ? O2W_OK : O2W_NO_MEMORY;
}

static o2w_status add_node_line(struct inspect_summary *s, const struct onnx_model *m,
                                const struct onnx_node *n)
{
    const char *in = "", *out = "";
    for (uint32_t k = 0; k < n->input_count; k++)
        in = arena_printf(s->arena, "%s%s%.*s", in ? in : "", k ? ", " : "",
                          SPAN_ARG(onnx_name(m, n->inputs[k])));
    for (uint32_t k = 0; k < n->output_count; k++)
        out = arena_printf(s->arena, "%s%s%.*s", out ? out : "", k ? ", " : "",
                           SPAN_ARG(onnx_name(m, n->outputs[k])));
    struct inspect_line line = { .number = n->index,
                                 .first = text_of(s, n->op_type),
                                 .second = text_of(s, n->name),
                                 .third = arena_printf(s->arena, "%s -> %s", in ? in : "",
                                                       out ? out : "") };
    return line.third && VEC_PUSH(&s->nodes, line) ? O2W_OK : O2W_NO_MEMORY;
}

static o2w_status walk(struct inspect_summary *s, const struct onnx_model *m,
                       const struct onnx_graph *g, bool nodes)
{
    for (uint32_t i = 0; i < g->node_count; i++) {
        const struct onnx_node *n = &g->nodes[i];
        bool known = false;
        const struct onnx_row *row =
            n->function ? NULL : onnx_row_find(n->domain, n->op_type, n->opset, &known);
        TRY(inspect_add_count(&s->histogram, text_of(s, n->op_type), 1, 0));
        if (!n->function && (!row || row->class == CLASS_REFUSED))
            TRY(add_unsupported(s, n, row, known));
        if (nodes)
            TRY(add_node_line(s, m, n));
        for (uint32_t k = 0; k < n->attribute_count; k++)
            for (uint32_t b = 0;
                 onnx_attribute_has_graphs(&n->attributes[k]) && b < n->attributes[k].count; b++)
                TRY(walk(s, m, &n->attributes[k].graphs[b], false));
    }
    return O2W_OK;
}

/* --- weights ------------------------------------------------------------------------------------------ */

static o2w_status add_weights(struct inspect_summary *s, const struct onnx_model *m)
{
    for (uint32_t i = 0; i < m->graph.initializer_count; i++) {
        const struct onnx_tensor *t = &m->graph.initializers[i];
        enum dtype dtype;
        uint64_t count, bytes = 0;
        char dims[400];
        dims_text(t->dims, t->rank, dims, sizeof dims);
        const char *type = dtype_by_onnx(t->dtype, &dtype) ? dtype_name(dtype) : "unknown";
        if (dims_count(t->dims, t->rank, &count) && onnx_dtype_bytes(t->dtype, count, &bytes))
            s->weight_bytes += bytes;
        struct inspect_constant c = { .name = text_of(s, onnx_name(m, t->name)),
                                      .type = type,
                                      .dims = text_of(s, span_of(dims)),
                                      .bytes = bytes };
        if (!VEC_PUSH(&s->constants, c))
            return O2W_NO_MEMORY;
        TRY(inspect_add_count(&s->weights, type, 1, bytes));
    }
    return O2W_OK;
}

static o2w_status add_external(struct inspect_summary *s, const struct onnx_model *m)
{
    struct span folder = path_folder(span_of(m->file->path));
    for (uint32_t i = 0; i < m->graph.initializer_count; i++) {
        const struct onnx_external *e = m->graph.initializers[i].external;
        if (!m->graph.initializers[i].is_external || !e)
            continue;
        const char *name = text_of(s, e->location);
        bool seen = false;
        for (size_t k = 0; k < s->external.count && !seen; k++)
            seen = strcmp(s->external.items[k].first, name) == 0;
        char *path = seen ? NULL : path_join(s->arena, folder, e->location);
        struct inspect_line line = { .first = name,
                                     .second = path && path_is_file(path) ? "found" : "missing" };
        if (!seen && !VEC_PUSH(&s->external, line))
            return O2W_NO_MEMORY;
    }
    return O2W_OK;
}

/* --- what a conversion would find ---------------------------------------------------------------------- */

static o2w_status add_dims(struct inspect_summary *s, const struct lowering *l)
{
    for (size_t i = 0; i < l->dim_count; i++) {
        struct inspect_line line = { .first = text_of(s, l->dims[i].name),
                                     .second = arena_printf(s->arena, "%lld",
                                                            (long long)l->dims[i].value),
                                     .third = dim_source_text(l->dims[i].from) };
        if (!line.second || !VEC_PUSH(&s->dims, line))
            return O2W_NO_MEMORY;
    }
    return O2W_OK;
}

static o2w_status note_failure(struct inspect_summary *s, const struct diags *own)
{
    for (const struct diag *item = own->first; item; item = item->next) {
        if (item->severity != O2W_SEVERITY_ERROR)
            continue;
        if (item->code == DIAG_DIM_UNRESOLVED) {
            struct inspect_line line = { .first = text_of(s, span_of(item->message)),
                                         .second = "unresolved",
                                         .third =
                                             item->hint ? text_of(s, span_of(item->hint)) : "" };
            if (!VEC_PUSH(&s->dims, line))
                return O2W_NO_MEMORY;
        }
        if (!s->no_memory)
            s->no_memory = item->code == DIAG_DIM_UNRESOLVED ? "needs dims"
                                                             : text_of(s, span_of(item->message));
    }
    return O2W_OK;
}

/* The model as convert would see it; a failure is shown, it does not make inspect fail. */
static o2w_status try_conversion(struct inspect_summary *s, const char *path,
                                 const o2w_inspect_options *o, struct diags *d)
{
    static const o2w_convert_options none = { .size = sizeof none };
    o2w_convert_options options = o && o->convert ? *o->convert : none;
    o2w_conversion *c;
    struct diags own;
    options.allow_missing_external_data = true;
    diags_init(&own, s->arena->allocator);
    o2w_status status = convert_open_file(path, &options, &own, &c);
    if (status == O2W_OK) {
        uint64_t weights = s->weight_bytes;
        s->weight_bytes = 0;
        status = add_dims(s, c->lowering);
        if (status == O2W_OK)
            status = inspect_graph(s, api_graph(c->graph), o, d);
        s->weight_bytes = s->weight_bytes ? s->weight_bytes : weights;
        o2w_conversion_free(c);
    } else if (status != O2W_NO_MEMORY && status != O2W_CANCELLED) {
        status = note_failure(s, &own);
    }
    diags_free(&own);
    return status;
}

static o2w_status fill(struct inspect_summary *s, const struct onnx_model *m,
                       const o2w_inspect_options *o)
{
    s->ir_version = m->ir_version;
    s->producer = arena_printf(s->arena, "%.*s %.*s", SPAN_ARG(m->producer_name),
                               SPAN_ARG(m->producer_version));
    for (uint32_t i = 0; i < m->opset_count; i++)
        TRY(inspect_add_count(&s->opsets, text_of(s, m->opsets[i].domain),
                              (uint64_t)m->opsets[i].version, 0));
    TRY(add_ports(s, m));
    TRY(walk(s, m, &m->graph, o && o->nodes));
    for (uint32_t i = 0; i < m->function_count; i++) {
        struct inspect_line line = { .first = text_of(s, m->functions[i].domain),
                                     .second = text_of(s, m->functions[i].name) };
        if (!VEC_PUSH(&s->functions, line))
            return O2W_NO_MEMORY;
        TRY(walk(s, m, &m->functions[i].body, false));
    }
    TRY(add_weights(s, m));
    return add_external(s, m);
}

o2w_status inspect_model(struct inspect_summary *s, const char *path, const o2w_inspect_options *o,
                         struct diags *d)
{
    struct onnx_open_options open = { .allow_missing_external_data = true };
    struct onnx_model *m;
    TRY(onnx_model_open(path, &open, s->arena->allocator, d, &m));
    s->kind = "ONNX model";
    o2w_status status = fill(s, m, o);
    onnx_model_close(m);
    if (status == O2W_OK)
        status = try_conversion(s, path, o, d);
    return status == O2W_NO_MEMORY ? diag_memory(d) : status;
}
