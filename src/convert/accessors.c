/* What a conversion tells. */
#include "convert/conversion.h"

#include <string.h>

webnn_graph *o2w_conversion_take_graph(o2w_conversion *c)
{
    webnn_graph *g = c->graph;
    c->graph = NULL;
    return g;
}

/* --- ports: made once, since the graph may leave the conversion ------------------------------------------ */

static o2w_status fill_dim(o2w_conversion *c, const struct graph *g, dim d, uint32_t axis,
                           o2w_port *out)
{
    int64_t least;
    out->descriptor.dims[axis] = dim_is_static(d) ? d : WEBNN_DYNAMIC;
    if (dim_is_static(d))
        return O2W_OK;
    dim_bounds(g->exprs, d, &least, &out->dim_maxima[axis]);
    out->dim_names[axis] = expr_text(g->exprs, dim_expr_id(d), &c->arena);
    return out->dim_names[axis] ? O2W_OK : O2W_NO_MEMORY;
}

static o2w_status fill_port(o2w_conversion *c, const struct graph *g, const struct lower_port *p,
                            struct span identifier, o2w_port *out)
{
    *out = (o2w_port){ .name = (const char *)p->name.data,
                       .model_type = dtype_name(p->model),
                       .graph_type = dtype_name(p->graph),
                       .pinned = p->pinned,
                       .pruned = p->pruned,
                       .kept = p->kept,
                       .empty = p->empty,
                       .pin = p->pin };
    out->descriptor = (webnn_descriptor){ .data_type = (enum webnn_data_type)p->graph,
                                          .rank = p->descriptor.rank };
    for (uint32_t i = 0; i < p->descriptor.rank; i++)
        TRY(fill_dim(c, g, p->descriptor.dims[i], i, out));
    if (identifier.size && !(out->graph_name = arena_text(&c->arena, identifier)))
        return O2W_NO_MEMORY;
    return O2W_OK;
}

o2w_status conversion_fill_ports(o2w_conversion *c, const struct graph *g)
{
    const struct lowering *l = c->lowering;
    size_t at = 0; /* place among the graph's outputs, which leave out the empty ones */
    c->inputs = ARENA_ARRAY(&c->arena, l->input_count, o2w_port);
    c->outputs = ARENA_ARRAY(&c->arena, l->output_count, o2w_port);
    if (!c->inputs || !c->outputs)
        return O2W_NO_MEMORY;
    for (size_t i = 0; i < l->input_count; i++) {
        const struct lower_port *p = &l->inputs[i];
        struct span name = p->operand == NO_ID ? (struct span){ 0 } : c->names.operands[p->operand];
        TRY(fill_port(c, g, p, name, &c->inputs[i]));
    }
    for (size_t i = 0; i < l->output_count; i++) {
        const struct lower_port *p = &l->outputs[i];
        struct span name = p->empty ? (struct span){ 0 } : c->names.outputs[at++];
        TRY(fill_port(c, g, p, name, &c->outputs[i]));
    }
    return O2W_OK;
}

size_t o2w_conversion_input_count(const o2w_conversion *c)
{
    return c->lowering->input_count;
}

size_t o2w_conversion_output_count(const o2w_conversion *c)
{
    return c->lowering->output_count;
}

bool o2w_conversion_input(const o2w_conversion *c, size_t index, o2w_port *out)
{
    if (index >= c->lowering->input_count)
        return false;
    *out = c->inputs[index];
    return true;
}

bool o2w_conversion_output(const o2w_conversion *c, size_t index, o2w_port *out)
{
    if (index >= c->lowering->output_count)
        return false;
    *out = c->outputs[index];
    return true;
}

size_t o2w_conversion_dim_count(const o2w_conversion *c)
{
    return c->lowering->dim_count;
}

bool o2w_conversion_dim(const o2w_conversion *c, size_t index, o2w_resolved_dim *out)
{
    if (index >= c->lowering->dim_count)
        return false;
    const struct resolved_dim *d = &c->lowering->dims[index];
    *out = (o2w_resolved_dim){ (const char *)d->name.data, d->value, dim_source_text(d->from) };
    return true;
}

const o2w_error *o2w_conversion_diagnostics(const o2w_conversion *c)
{
    return c->diagnostics;
}

void o2w_conversion_count(const o2w_conversion *c, o2w_conversion_counts *out)
{
    *out = c->counts;
}

const char *o2w_conversion_path(const o2w_conversion *c, o2w_written what)
{
    return (unsigned)what < 4 ? c->paths[what] : NULL;
}

/* --- caches ------------------------------------------------------------------------------------------- */

o2w_status o2w_cache_folder(o2w_cache kind, bool create, char **path, o2w_error **error)
{
    struct arena a;
    struct diags d;
    const char *folder;
    diags_init(&d, NULL);
    arena_init(&a, NULL);
    o2w_status s = cache_folder(kind, create, &a, &d, &folder);
    if (s == O2W_OK && !(*path = api_text_of(span_of(folder))))
        s = O2W_NO_MEMORY;
    s = error_from_diags(&d, s, error);
    arena_free(&a);
    diags_free(&d);
    return s;
}

static o2w_status cached_graph(const char *model, struct arena *a, struct diags *d, char **path)
{
    const char *folder, *name;
    TRY(cache_folder(O2W_CACHE_WEBNN, false, a, d, &folder));
    TRY(cache_name(model, a, d, &name));
    char *text = arena_printf(a, "%s/%s.webnn", folder, name);
    char *copy = text ? api_text_of(span_of(text)) : NULL;
    if (!copy)
        return diag_memory(d);
    *path = copy;
    return O2W_OK;
}

o2w_status o2w_cached_graph(const char *model, char **path, o2w_error **error)
{
    struct arena a;
    struct diags d;
    diags_init(&d, NULL);
    arena_init(&a, NULL);
    o2w_status s = error_from_diags(&d, cached_graph(model, &a, &d, path), error);
    arena_free(&a);
    diags_free(&d);
    return s;
}
