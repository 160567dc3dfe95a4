/* What a conversion tells. */
#include "convert/conversion.h"

#include "lower/row.h"

#include <string.h>

webnn_graph *o2w_conversion_take_graph(o2w_conversion *c)
{
    webnn_graph *g = c->graph;
    c->graph = NULL;
    return g;
}

static void fill_port(o2w_conversion *c, const struct lower_port *p, struct span identifier,
                      o2w_port *out)
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
        out->descriptor.dims[i] =
            dim_is_static(p->descriptor.dims[i]) ? p->descriptor.dims[i] : WEBNN_DYNAMIC;
    if (identifier.size)
        out->graph_name = arena_text(&c->arena, identifier);
}

size_t o2w_conversion_input_count(const o2w_conversion *c)
{
    return c->lowering->input_count;
}

size_t o2w_conversion_output_count(const o2w_conversion *c)
{
    return c->lowering->output_count;
}

bool o2w_conversion_input(const o2w_conversion *conversion, size_t index, o2w_port *out)
{
    o2w_conversion *c = (o2w_conversion *)(uintptr_t)conversion;
    if (index >= c->lowering->input_count)
        return false;
    const struct lower_port *p = &c->lowering->inputs[index];
    fill_port(c, p, p->operand == NO_ID ? (struct span){ 0 } : c->names.operands[p->operand], out);
    return true;
}

bool o2w_conversion_output(const o2w_conversion *conversion, size_t index, o2w_port *out)
{
    o2w_conversion *c = (o2w_conversion *)(uintptr_t)conversion;
    if (index >= c->lowering->output_count)
        return false;
    const struct lower_port *p = &c->lowering->outputs[index];
    size_t at = 0; /* its place among the graph's outputs, which leave out the empty ones */
    for (size_t i = 0; i < index; i++)
        at += !c->lowering->outputs[i].empty;
    fill_port(c, p, p->empty ? (struct span){ 0 } : c->names.outputs[at], out);
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

/* --- catalog ------------------------------------------------------------------------------------------ */

size_t o2w_operator_count(void)
{
    return onnx_row_count();
}

bool o2w_operator_at(size_t index, o2w_operator_info *out)
{
    static const o2w_operator_class classes[] = { [CLASS_DIRECT] = O2W_CLASS_DIRECT,
                                                  [CLASS_COMPOSED] = O2W_CLASS_COMPOSED,
                                                  [CLASS_STATIC] = O2W_CLASS_STATIC,
                                                  [CLASS_BOUNDED] = O2W_CLASS_BOUNDED,
                                                  [CLASS_REFUSED] = O2W_CLASS_REFUSED };
    const struct onnx_row *row = onnx_row_sorted(index);
    if (!row)
        return false;
    *out =
        (o2w_operator_info){ row->domain,  row->name,  row->since, row->until, classes[row->class],
                             row->partial, row->webnn, row->notes, row->reason };
    return true;
}
