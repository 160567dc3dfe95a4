/* What stands in a model: ports, nodes, functions, weights, external files. */
#include "convert/inspect.h"

#include "base/checked.h"
#include "onnx/dtype.h"

#include <string.h>

struct parts {
    struct inspect_summary *s;
    const struct onnx_model *m;
    const struct onnx_type **types; /* by name id: as declared */
    const struct onnx_tensor **initial;
    struct map external; /* location → index in s->external */
};

/* --- types ------------------------------------------------------------------------------------------------ */

static const char *dtype_text(int32_t onnx)
{
    enum dtype t;
    const char *name = dtype_by_onnx(onnx, &t) ? dtype_name(t) : onnx_dtype_name(onnx);
    return name ? name : "unknown";
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
    if (t->kind != ONNX_TYPE_TENSOR)
        return kinds[t->kind];
    return dtype_text(t->dtype);
}

/* Numbers, names, or `?` with the name by which --override-dim reaches the axis. */
static const char *dims_text_of(struct parts *p, const struct onnx_type *t, struct span name)
{
    struct arena_string text = { .arena = p->s->arena };
    if (!t->has_shape)
        return "without shape";
    arena_string_add(&text, "[");
    for (uint32_t i = 0; i < t->rank; i++) {
        const struct onnx_dim *d = &t->dims[i];
        const char *comma = i ? ", " : "";
        if (d->kind == ONNX_DIM_VALUE && d->value > 0)
            arena_string_add(&text, "%s%lld", comma, (long long)d->value);
        else if (d->kind == ONNX_DIM_NAMED && d->name.size)
            arena_string_add(&text, "%s%.*s", comma, SPAN_ARG(d->name));
        else
            arena_string_add(&text, "%s? (%.*s_dim%u)", comma, SPAN_ARG(name), i);
    }
    arena_string_add(&text, "]");
    return arena_string_text(&text);
}

/* The same as numbers, strings and nulls. */
static const char *shape_json(struct parts *p, const struct onnx_type *t)
{
    struct json_writer w;
    struct span text;
    if (!t->has_shape)
        return "null";
    json_writer_init(&w, p->s->arena->allocator, 0);
    json_open(&w, '[');
    for (uint32_t i = 0; i < t->rank; i++) {
        const struct onnx_dim *d = &t->dims[i];
        if (d->kind == ONNX_DIM_VALUE && d->value > 0)
            json_put_i64(&w, d->value);
        else if (d->kind == ONNX_DIM_NAMED && d->name.size)
            json_put_string(&w, d->name);
        else
            json_put_null(&w);
    }
    json_close(&w, ']');
    const char *copy = json_written(&w, &text) == O2W_OK ? arena_text(p->s->arena, text) : NULL;
    json_writer_free(&w);
    return copy;
}

static o2w_status add_port(struct parts *p, const struct onnx_value_info *info, bool input)
{
    struct span name = onnx_name(p->m, info->name);
    struct inspect_port port = { .name = inspect_text(p->s, name),
                                 .type = type_text(&info->type),
                                 .dims = dims_text_of(p, &info->type, name),
                                 .shape = shape_json(p, &info->type),
                                 .has_default = input && p->initial[info->name] };
    if (!port.dims || !port.shape)
        return O2W_NO_MEMORY;
    return (input ? VEC_PUSH(&p->s->inputs, port) : VEC_PUSH(&p->s->outputs, port)) ? O2W_OK
                                                                                    : O2W_NO_MEMORY;
}

/* --- nodes ------------------------------------------------------------------------------------------------- */

/* "name float32 [2, 3]", as far as the model says it. */
static const char *value_text(struct parts *p, name_id id)
{
    struct span name = onnx_name(p->m, id);
    struct arena *a = p->s->arena;
    if (!id)
        return "-";
    if (p->types[id])
        return arena_printf(a, "%.*s %s %s", SPAN_ARG(name), type_text(p->types[id]),
                            dims_text_of(p, p->types[id], name));
    const struct onnx_tensor *t = p->initial[id];
    if (!t)
        return inspect_text(p->s, name);
    return arena_printf(a, "%.*s %s %s", SPAN_ARG(name), dtype_text(t->dtype),
                        inspect_dims(p->s, t->dims, t->rank));
}

static const char *value_list(struct parts *p, const name_id *ids, uint32_t count)
{
    struct arena_string list = { .arena = p->s->arena };
    for (uint32_t k = 0; k < count; k++) {
        const char *text = value_text(p, ids[k]);
        list.failed |= !text;
        arena_string_add(&list, "%s%s", k ? ", " : "", text);
    }
    return arena_string_text(&list);
}

static o2w_status add_node(struct parts *p, const struct onnx_node *n)
{
    struct inspect_node node = { .index = n->index,
                                 .op = inspect_text(p->s, n->op_type),
                                 .name = inspect_text(p->s, n->name),
                                 .inputs = value_list(p, n->inputs, n->input_count),
                                 .outputs = value_list(p, n->outputs, n->output_count) };
    return node.inputs && node.outputs && VEC_PUSH(&p->s->nodes, node) ? O2W_OK : O2W_NO_MEMORY;
}

/* --- weights --------------------------------------------------------------------------------------------- */

static o2w_status add_external(struct parts *p, const struct onnx_external *e, uint64_t bytes)
{
    uint32_t *index;
    bool added;
    uint64_t end;
    if (!VEC_RESERVE(&p->s->external, 1) ||
        map_insert(&p->external, e->location, (uint32_t)p->s->external.count, &index, &added) !=
            O2W_OK)
        return O2W_NO_MEMORY;
    struct inspect_file *item = &p->s->external.items[*index];
    if (added) {
        struct file *f;
        const char *folder = inspect_text(p->s, path_folder(span_of(p->m->file->path)));
        *item = (struct inspect_file){ .path = inspect_text(p->s, e->location) };
        p->s->external.count++;
        if (file_open_inside(*folder ? folder : ".", e->location, NULL, NULL, &f) == O2W_OK) {
            item->found = true;
            item->bytes = f->size;
            file_release(f);
        }
    }
    if (!add_u64(e->offset, e->has_length ? e->length : bytes, &end))
        end = UINT64_MAX;
    item->needed = end > item->needed ? end : item->needed;
    return O2W_OK;
}

static o2w_status add_weight(struct parts *p, const struct onnx_tensor *t)
{
    uint64_t count, bytes = 0;
    if (!dims_count(t->dims, t->rank, &count) || !onnx_dtype_bytes(t->dtype, count, &bytes))
        bytes = 0;
    if (!add_u64(p->s->weight_bytes, bytes, &p->s->weight_bytes))
        p->s->weight_bytes = UINT64_MAX;
    struct inspect_constant c = { .name = inspect_text(p->s, onnx_name(p->m, t->name)),
                                  .type = dtype_text(t->dtype),
                                  .dims = inspect_dims(p->s, t->dims, t->rank),
                                  .bytes = bytes };
    if (!VEC_PUSH(&p->s->constants, c))
        return O2W_NO_MEMORY;
    if (t->is_external && t->external)
        TRY(add_external(p, t->external, bytes));
    return inspect_add_count(&p->s->weights, c.type, 1, bytes);
}

/* --- the whole --------------------------------------------------------------------------------------------- */

static void note_types(struct parts *p, const struct onnx_graph *g)
{
    for (uint32_t i = 0; i < g->value_info_count; i++)
        p->types[g->value_infos[i].name] = &g->value_infos[i].type;
    for (uint32_t i = 0; i < g->input_count; i++)
        p->types[g->inputs[i].name] = &g->inputs[i].type;
    for (uint32_t i = 0; i < g->output_count; i++)
        p->types[g->outputs[i].name] = &g->outputs[i].type;
    for (uint32_t i = 0; i < g->initializer_count; i++)
        p->initial[g->initializers[i].name] = &g->initializers[i];
}

static o2w_status walk(struct parts *p, const struct onnx_graph *g, bool nodes)
{
    note_types(p, g);
    for (uint32_t i = 0; i < g->initializer_count; i++)
        TRY(add_weight(p, &g->initializers[i]));
    for (uint32_t i = 0; i < g->node_count; i++) {
        const struct onnx_node *n = &g->nodes[i];
        TRY(inspect_add_count(&p->s->histogram, inspect_text(p->s, n->op_type), 1, 0));
        if (nodes)
            TRY(add_node(p, n));
        for (uint32_t k = 0; k < n->attribute_count; k++)
            for (uint32_t b = 0;
                 onnx_attribute_has_graphs(&n->attributes[k]) && b < n->attributes[k].count; b++)
                TRY(walk(p, &n->attributes[k].graphs[b], false));
    }
    return O2W_OK;
}

static o2w_status add_functions(struct parts *p)
{
    for (uint32_t i = 0; i < p->m->function_count; i++) {
        const struct onnx_function *f = &p->m->functions[i];
        const char *name =
            arena_printf(p->s->arena, "%.*s %.*s", SPAN_ARG(f->domain), SPAN_ARG(f->name));
        if (!name || !VEC_PUSH(&p->s->functions, name))
            return O2W_NO_MEMORY;
        TRY(walk(p, &f->body, false));
    }
    return O2W_OK;
}

static o2w_status fill(struct parts *p, bool nodes)
{
    const struct onnx_graph *g = &p->m->graph;
    TRY(walk(p, g, nodes));
    for (uint32_t i = 0; i < g->input_count; i++)
        TRY(add_port(p, &g->inputs[i], true));
    for (uint32_t i = 0; i < g->output_count; i++)
        TRY(add_port(p, &g->outputs[i], false));
    return add_functions(p);
}

o2w_status inspect_model_parts(struct inspect_summary *s, const struct onnx_model *m, bool nodes)
{
    size_t names = (size_t)m->name_count + 1;
    struct parts p = { .s = s,
                       .m = m,
                       .types = ARENA_ARRAY(s->arena, names, const struct onnx_type *),
                       .initial = ARENA_ARRAY(s->arena, names, const struct onnx_tensor *) };
    if (!p.types || !p.initial)
        return O2W_NO_MEMORY;
    map_init(&p.external, s->arena->allocator);
    o2w_status status = fill(&p, nodes);
    map_free(&p.external);
    return status;
}
