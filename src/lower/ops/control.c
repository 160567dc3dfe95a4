/* Control flow: branches are chosen or joined while lowering. */
#include "lower/lower.h"

#include <string.h>

struct if_params {
    const struct onnx_graph *then_branch, *else_branch;
};

static const struct attr_row if_attrs[] = {
    ATTR_GRAPH(struct if_params, then_branch, .required = true),
    ATTR_GRAPH(struct if_params, else_branch, .required = true),
};

static o2w_status branch_values(struct lower *l, const struct node_view *n,
                                const struct onnx_graph *g, value **out)
{
    *out = arena_array(lower_arena(l), g->output_count, sizeof(value), _Alignof(value));
    if (!*out)
        return diag_memory(lower_diags(l));
    return lower_body(l, n, g, NULL, 0, *out);
}

static o2w_status known_branch(struct lower *l, const struct node_view *n,
                               const struct if_params *p)
{
    struct tensor condition;
    value *values;
    TRY(known_tensor(l, input(n, 0), &condition));
    if (tensor_count(&condition) != 1)
        return refuse_input(l, n, 0, "has %llu elements, one is needed",
                            (unsigned long long)tensor_count(&condition));
    const struct onnx_graph *branch =
        tensor_get_i64(&condition, 0) ? p->then_branch : p->else_branch;
    TRY(branch_values(l, n, branch, &values));
    for (uint32_t i = 0; i < n->output_count; i++)
        TRY(emit_output(l, n, i, values[i]));
    return O2W_OK;
}

static o2w_status refuse_condition(struct lower *l, const struct node_view *n, const char *why,
                                   uint32_t output)
{
    o2w_status s = refuse(l, n, DIAG_LOWER_IF_CONDITION,
                          "If needs a condition known at conversion: output %u %s", output, why);
    return s;
}

/* Both branches, joined where by where: only when their results agree in dtype and shape. */
static o2w_status joined_branches(struct lower *l, const struct node_view *n,
                                  const struct if_params *p)
{
    value *yes, *no, condition;
    TRY(branch_values(l, n, p->then_branch, &yes));
    TRY(branch_values(l, n, p->else_branch, &no));
    TRY(reshape(l, input(n, 0), NULL, 0, &condition));
    for (uint32_t i = 0; i < n->output_count; i++) {
        value a = yes[i], b = no[i], y;
        if (a->kind == VALUE_FAILED || b->kind == VALUE_FAILED)
            return emit_output(l, n, i, a->kind == VALUE_FAILED ? a : b);
        if (!value_is_tensor(a) || !value_is_tensor(b))
            return refuse_condition(l, n, "is a sequence or optional", i);
        if (a->dtype != b->dtype)
            return refuse_condition(l, n, "differs in type between the branches", i);
        if (a->rank != b->rank || !dims_equal(a->dims, b->dims, a->rank))
            return refuse_condition(l, n, "differs in shape between the branches", i);
        TRY(op3(l, WEBNN_WHERE, condition, a, b, &y));
        TRY(emit_as(l, n, i, y, a->dtype));
    }
    return O2W_OK;
}

static o2w_status lower_if(struct lower *l, const struct node_view *n, const void *params)
{
    const struct if_params *p = params;
    if (p->then_branch->output_count != n->output_count ||
        p->else_branch->output_count != n->output_count)
        return refuse(l, n, DIAG_MODEL_STRUCTURE,
                      "the node has %u outputs, its branches give %u and %u", n->output_count,
                      p->then_branch->output_count, p->else_branch->output_count);
    return value_is_known(input(n, 0)) ? known_branch(l, n, p) : joined_branches(l, n, p);
}

const struct onnx_row control_rows[] = {
    { ONNX("If", 1, LATEST), INPUTS(IN("cond", NONE, SET_BOOL)),
      RESULTS({ .name = "outputs", .kind = SLOT_VARIADIC, .variable = TYPE_NONE }),
      PARAMS(struct if_params, if_attrs), .lower = lower_if, .class = CLASS_STATIC, .partial = true,
      .webnn = "where",
      .notes = "an unknown condition needs branches with equal dtypes and shapes" },
};
ROW_COUNT(control);
