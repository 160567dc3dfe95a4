/* Pins, sizes and rules of the feeds, and whether the graph takes them. */
#include "validate/validation.h"

#include "validate/carry.h"
#include "validate/given.h"

#include <string.h>

/* --- pins --------------------------------------------------------------------------------------------- */

static bool is_pinned(const struct validation *v, struct span name)
{
    const struct source_input *in = source_input(&v->source, name);
    return in && in->pinned;
}

/* Given ones, then those of the graph, then those of the record, name by name. */
o2w_status stage_pin(struct validation *v)
{
    const struct graph *g = api_graph(v->graph);
    for (size_t i = 0; i < v->options->pin_count; i++)
        TRY(source_pin(&v->source, span_of(v->options->pins[i].name), v->options->pins[i].value,
                       v->diags));
    for (size_t i = 0; i < g->pins.count; i++) {
        struct span name = names_text(&g->names, g->pins.items[i].name);
        if (!is_pinned(v, name))
            TRY(source_pin(&v->source, name, g->pins.items[i].value, v->diags));
    }
    for (size_t i = 0; i < v->record.pin_count; i++)
        if (!is_pinned(v, v->record.pins[i].name))
            TRY(source_pin(&v->source, v->record.pins[i].name, v->record.pins[i].value, v->diags));
    return O2W_OK;
}

/* --- sizes -------------------------------------------------------------------------------------------- */

static o2w_status add(struct validation *v, dim_binding_list *l, struct span name, int64_t value,
                      enum dim_source from)
{
    struct dim_binding b = { name, value, from };
    for (size_t i = 0; from != DIM_CLI && i < l->count; i++)
        if (l->items[i].from == from && span_equal(l->items[i].name, name))
            return O2W_OK;
    return VEC_PUSH(l, b) ? O2W_OK : diag_memory(v->diags);
}

/* Fixed dims of the graph's inputs: of each axis, and of the name that it has in the model. */
static o2w_status add_graph_input(struct validation *v, dim_binding_list *l, size_t port)
{
    const struct graph *g = api_graph(v->graph);
    const struct operand *o = graph_operand(g, g->inputs.items[port]);
    const struct source_input *in = &v->source.inputs[v->map.inputs[port].source];
    for (uint32_t i = 0; i < o->rank; i++) {
        struct span name;
        char *label = arena_printf(&v->arena, "%s_dim%u", in->feed.name, i);
        if (!label)
            return diag_memory(v->diags);
        if (in->initialized || !dim_is_static(o->dims[i]) || !source_axis_is_open(in, i, &name))
            continue;
        TRY(add(v, l, span_of(label), o->dims[i], DIM_GRAPH));
        if (name.size)
            TRY(add(v, l, name, o->dims[i], DIM_GRAPH));
    }
    return O2W_OK;
}

static o2w_status add_all(struct validation *v, dim_binding_list *l)
{
    const struct graph *g = api_graph(v->graph);
    for (size_t i = 0; i < v->options->dim_count; i++)
        TRY(add(v, l, span_of(v->options->dims[i].name), v->options->dims[i].value, DIM_CLI));
    TRY(given_dims(&v->source, v->given, l, v->diags));
    for (size_t i = 0; i < g->inputs.count; i++)
        TRY(add_graph_input(v, l, i));
    for (size_t i = 0; i < g->dims.count; i++)
        TRY(add(v, l, names_text(&g->names, g->dims.items[i].name), g->dims.items[i].value,
                DIM_RECORD));
    for (size_t i = 0; i < v->record.dim_count; i++)
        TRY(add(v, l, v->record.dims[i].name, v->record.dims[i].value, DIM_RECORD));
    return O2W_OK;
}

static o2w_status size_inputs(struct validation *v)
{
    dim_binding_list bindings = { .allocator = v->allocator };
    o2w_status s = add_all(v, &bindings);
    if (s == O2W_OK)
        s = source_size(&v->source, bindings.items, bindings.count, v->diags);
    if (s != O2W_OK && v->diags->newest && v->diags->newest->code == DIAG_DIM_DISAGREES)
        diag_hint(v->diags, "--override-dim as the graph was converted, or convert again");
    VEC_FREE(&bindings);
    return s;
}

/* --- shapes of graph and feeds ------------------------------------------------------------------------- */

static bool fits(const struct graph *g, const struct operand *o, const int64_t *dims, uint32_t rank)
{
    if (o->rank != rank)
        return false;
    for (uint32_t i = 0; i < rank; i++) {
        int64_t least, most;
        if (dim_is_static(o->dims[i])) {
            if (o->dims[i] != dims[i])
                return false;
            continue;
        }
        dim_bounds(g->exprs, o->dims[i], &least, &most);
        if (dims[i] < least || dims[i] > most)
            return false;
    }
    return true;
}

static void graph_dims_text(const struct graph *g, const struct operand *o, char *text, size_t size)
{
    int64_t dims[MAX_RANK];
    for (uint32_t i = 0; i < o->rank; i++) {
        int64_t least;
        dims[i] = o->dims[i];
        if (!dim_is_static(o->dims[i]))
            dim_bounds(g->exprs, o->dims[i], &least, &dims[i]);
    }
    dims_text(dims, o->rank, text, size);
}

static o2w_status check_input(struct validation *v, size_t port, const char *what,
                              const int64_t *dims, uint32_t rank)
{
    const struct graph *g = api_graph(v->graph);
    const struct operand *o = graph_operand(g, g->inputs.items[port]);
    const struct source_input *in = &v->source.inputs[v->map.inputs[port].source];
    char a[200], b[200];
    if (fits(g, o, dims, rank))
        return O2W_OK;
    dims_text(dims, rank, a, sizeof a);
    graph_dims_text(g, o, b, sizeof b);
    o2w_status s =
        diag_error(v->diags, DIAG_FEED_SHAPE, "input '%s': %s has %s, the graph takes %s%s",
                   in->feed.name, what, a, dims_static(o->dims, o->rank) ? "" : "at most ", b);
    diag_subject(v->diags, "input", span_of(in->feed.name));
    diag_hint(v->diags, "--override-dim as the graph was converted, or convert again");
    return s;
}

/* Before sizes are compared by name: both whole shapes say more. */
static o2w_status check_given(struct validation *v)
{
    for (size_t i = 0; v->given && i < api_graph(v->graph)->inputs.count; i++) {
        const struct source_input *in = &v->source.inputs[v->map.inputs[i].source];
        const struct named_tensor *n = tensors_find(v->given, span_of(in->feed.name));
        if (n && n->tensor.dtype == in->feed.dtype)
            TRY(check_input(v, i, "archive", n->tensor.dims, n->tensor.rank));
    }
    return O2W_OK;
}

static o2w_status check_inputs(struct validation *v)
{
    const struct graph *g = api_graph(v->graph);
    for (size_t i = 0; i < g->inputs.count; i++) {
        const struct feed *f = &v->source.inputs[v->map.inputs[i].source].feed;
        enum dtype t = graph_operand(g, g->inputs.items[i])->dtype;
        TRY(check_input(v, i, "the feed", f->dims, f->rank));
        if (!carry_has_pair(f->dtype, t))
            return diag_error(
                v->diags, DIAG_MAP_DTYPE, "input '%s': %s of the model cannot be %s of the graph",
                f->name, f->dtype < DTYPE_COUNT ? dtype_name(f->dtype) : "its type", dtype_name(t));
    }
    return O2W_OK;
}

o2w_status stage_feed(struct validation *v)
{
    if (v->options->input) {
        TRY(tensors_load(v->options->input, v->allocator, v->diags, &v->given));
        TRY(given_check(&v->source, v->given, true, v->diags));
        TRY(check_given(v));
    }
    TRY(size_inputs(v));
    TRY(given_take(&v->source, v->given, v->diags));
    TRY(source_plan(&v->source, v->diags));
    return check_inputs(v);
}
