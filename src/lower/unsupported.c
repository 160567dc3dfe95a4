/* Operators that cannot be lowered: collected, reported together, also where nothing is lowered. */
#include "lower/internal.h"

static o2w_status count_refused(struct lower *l, const struct onnx_node *node,
                                struct lower_refusal *r)
{
    if (r->count++ >= sizeof r->nodes / sizeof *r->nodes)
        return O2W_OK;
    const char *name =
        node->name.size ? arena_text(&l->arena, node->name)
                        : arena_printf(&l->arena, "%.*s#%u", SPAN_ARG(node->op_type), node->index);
    r->nodes[r->count - 1] = name;
    return name ? O2W_OK : diag_memory(l->diags);
}

o2w_status refuse_operator(struct lower *l, const struct onnx_node *node, const char *reason)
{
    char *key = arena_printf(&l->arena, "%.*s\n%.*s\n%lld", SPAN_ARG(node->domain),
                             SPAN_ARG(node->op_type), (long long)node->opset);
    uint32_t *index;
    bool added;
    if (!key)
        return diag_memory(l->diags);
    if (map_insert(&l->refusal_index, span_of(key), (uint32_t)l->refusals.count, &index, &added) !=
        O2W_OK)
        return diag_memory(l->diags);
    if (added && !VEC_PUSH(&l->refusals, ((struct lower_refusal){ .domain = node->domain,
                                                                  .name = node->op_type,
                                                                  .opset = onnx_node_version(node),
                                                                  .reason = reason })))
        return diag_memory(l->diags);
    return count_refused(l, node, &l->refusals.items[*index]);
}

static const char *missing_row_reason(struct lower *l, const struct onnx_node *node,
                                      bool known_name)
{
    const char *text;
    if (known_name)
        text = arena_printf(&l->arena, "version %lld of the operator has no lowering",
                            (long long)node->opset);
    else if (span_is(node->domain, "ai.onnx") || span_is(node->domain, "com.microsoft") ||
             span_is(node->domain, "ai.onnx.ml"))
        text = "no lowering for this operator";
    else
        text = arena_printf(&l->arena, "no rows for domain '%.*s'", SPAN_ARG(node->domain));
    return text ? text : "no lowering";
}

const char *unsupported_reason(struct lower *l, const struct onnx_node *node,
                               const struct onnx_row **row)
{
    bool known_name = false;
    *row = onnx_row_find(node->domain, node->op_type, node->opset, &known_name);
    const char *newer = newer_than_known(l, node);
    if (newer)
        return newer;
    if (!*row)
        return missing_row_reason(l, node, known_name);
    return (*row)->class == CLASS_REFUSED ? (*row)->reason : NULL;
}

const struct onnx_function *called_function(const struct onnx_node *node)
{
    bool known_name;
    return node->function && !onnx_row_find(node->domain, node->op_type, node->opset, &known_name)
               ? node->function
               : NULL;
}

static o2w_status refuse_in_nodes(struct lower *l, const struct onnx_node *nodes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct onnx_row *row;
        const char *reason =
            called_function(&nodes[i]) ? NULL : unsupported_reason(l, &nodes[i], &row);
        if (reason)
            TRY(refuse_operator(l, &nodes[i], reason));
        TRY(refuse_unsupported_inside(l, &nodes[i]));
    }
    return O2W_OK;
}

o2w_status refuse_unsupported(struct lower *l, const struct onnx_graph *g)
{
    return refuse_in_nodes(l, g->nodes, g->node_count);
}

o2w_status refuse_unsupported_inside(struct lower *l, const struct onnx_node *node)
{
    for (uint32_t k = 0; k < node->attribute_count; k++) {
        const struct onnx_attribute *a = &node->attributes[k];
        for (uint32_t b = 0; onnx_attribute_has_graphs(a) && b < a->count; b++)
            TRY(refuse_unsupported(l, &a->graphs[b]));
    }
    const struct onnx_function *f = called_function(node);
    if (!f)
        return O2W_OK;
    size_t index = (size_t)(f - l->model->functions);
    if (!l->walked && !(l->walked = ARENA_ARRAY(&l->arena, l->model->function_count, bool)))
        return diag_memory(l->diags);
    if (l->walked[index])
        return O2W_OK;
    l->walked[index] = true;
    return refuse_unsupported(l, &f->body);
}
