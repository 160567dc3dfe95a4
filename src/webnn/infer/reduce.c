/* Operators along axes.
 * https://www.w3.org/TR/webnn/#api-mlgraphbuilder-reduce */
#include "webnn/infer/rules.h"

#include <inttypes.h>

/* https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softmax
 * https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cumulativesum: the shape stays. */
o2w_status infer_along_axis(struct infer *in)
{
    uint32_t axis = in->kind == WEBNN_SOFTMAX
                        ? ((const struct webnn_softmax_attributes *)in->attributes)->axis
                        : ((const struct webnn_cumulative_sum_attributes *)in->attributes)->axis;
    TRY(infer_axis(in, "axis", axis, infer_operand(in, 0)->rank));
    return infer_same(in);
}

/* Dims of `axes` are dropped, or 1 where they are kept. */
static o2w_status reduced_shape(struct infer *in, const struct webnn_u32s *axes, bool keep)
{
    const struct descriptor *x = infer_operand(in, 0);
    struct descriptor *result = infer_result(in, 0);
    const dim one = 1;
    TRY(rule_axes(in, "axes", axes, x->rank));
    for (uint32_t i = 0; i < x->rank; i++) {
        if (!rule_has_axis(axes, i))
            TRY(infer_append(in, result, &x->dims[i], 1));
        else if (keep)
            TRY(infer_append(in, result, &one, 1));
    }
    return O2W_OK;
}

o2w_status infer_reduce(struct infer *in)
{
    const struct webnn_reduce_attributes *p = in->attributes;
    return reduced_shape(in, &p->axes, p->keep_dimensions);
}

static void resolve_axes(const struct infer *in, struct webnn_u32s *axes)
{
    if (!axes->given)
        rule_fill_range(axes, 0, infer_operand(in, 0)->rank);
}

void resolve_reduce(const struct infer *in, void *attributes)
{
    resolve_axes(in, &((struct webnn_reduce_attributes *)attributes)->axes);
}

/* https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-argmin: the index of an empty axis' minimum does
 * not exist, and the type must hold every index. */
o2w_status infer_arg_min_max(struct infer *in)
{
    const struct webnn_arg_min_max_attributes *p = in->attributes;
    const struct descriptor *x = infer_operand(in, 0);
    TRY(infer_axis(in, "axis", p->axis, x->rank));
    int64_t min, max;
    rule_bounds(in, x->dims[p->axis], &min, &max);
    if (max == 0)
        return infer_fail(in, "input.shape[%u] is 0, must be at least 1", p->axis);
    if (dtype_is_integer((enum dtype)p->output_data_type) && min > 0 &&
        (uint64_t)min > dtype_max((enum dtype)p->output_data_type))
        return infer_fail(in, "input.shape[%u] is %" PRId64 ", outputDataType %s holds less",
                          p->axis, min, dtype_name((enum dtype)p->output_data_type));
    infer_result(in, 0)->dtype = (enum dtype)p->output_data_type;
    struct webnn_u32s axes = { .given = true, .count = 1, .items = { p->axis } };
    return reduced_shape(in, &axes, p->keep_dimensions);
}

/* https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reverse */
o2w_status infer_reverse(struct infer *in)
{
    const struct webnn_reverse_attributes *p = in->attributes;
    TRY(rule_axes(in, "axes", &p->axes, infer_operand(in, 0)->rank));
    return infer_same(in);
}

void resolve_reverse(const struct infer *in, void *attributes)
{
    resolve_axes(in, &((struct webnn_reverse_attributes *)attributes)->axes);
}
