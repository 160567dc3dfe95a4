/* Reading and writing by indices. */
#include "webnn/infer/rules.h"

#include <inttypes.h>

static bool has_zero(const struct descriptor *d)
{
    for (uint32_t i = 0; i < d->rank; i++)
        if (d->dims[i] == 0)
            return true;
    return false;
}

/* result = input[:axis] ++ indices ++ input[axis + 1:]
 * https://www.w3.org/TR/webnn/#api-mlgraphbuilder-gather */
o2w_status infer_gather(struct infer *in)
{
    const struct webnn_gather_attributes *p = in->attributes;
    const struct descriptor *x = infer_operand(in, 0), *indices = infer_operand(in, 1);
    struct descriptor *result = infer_result(in, 0);
    TRY(infer_axis(in, "axis", p->axis, x->rank));
    if (dims_static(indices->dims, indices->rank) && !has_zero(indices))
        TRY(rule_at_most(in, "the gathered dim", 1, x->dims[p->axis]));
    TRY(infer_append(in, result, x->dims, p->axis));
    TRY(infer_append(in, result, indices->dims, indices->rank));
    return infer_append(in, result, x->dims + p->axis + 1, x->rank - p->axis - 1);
}

/* indices has the input's rank and, but for axis, its dims. */
static o2w_status check_elements(struct infer *in, uint32_t axis)
{
    const struct descriptor *x = infer_operand(in, 0), *indices = infer_operand(in, 1);
    TRY(infer_axis(in, "axis", axis, x->rank));
    if (indices->rank != x->rank)
        return infer_fail(in, "indices has rank %u, must be the input's: %u", indices->rank,
                          x->rank);
    for (uint32_t i = 0; i < x->rank; i++)
        if (i != axis)
            TRY(rule_dim_is(in, 1, i, "the input's", x->dims[i]));
    return O2W_OK;
}

/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-gatherelements */
o2w_status infer_gather_elements(struct infer *in)
{
    const struct webnn_gather_elements_attributes *p = in->attributes;
    TRY(check_elements(in, p->axis));
    return infer_append(in, infer_result(in, 0), infer_operand(in, 1)->dims,
                        infer_operand(in, 1)->rank);
}

/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-scatterelements */
o2w_status infer_scatter_elements(struct infer *in)
{
    const struct webnn_scatter_elements_attributes *p = in->attributes;
    const struct descriptor *indices = infer_operand(in, 1);
    TRY(check_elements(in, p->axis));
    TRY(rule_shape_is(in, 2, indices->dims, indices->rank));
    return infer_same(in);
}

/* indices[:-1] ++ input[indices.shape[-1]:], the shape of what coordinates point at. */
static o2w_status pointed_shape(struct infer *in, struct descriptor *out)
{
    const struct descriptor *x = infer_operand(in, 0), *indices = infer_operand(in, 1);
    uint32_t last = indices->rank - 1;
    TRY(rule_static_dim(in, 1, last));
    if (indices->dims[last] > x->rank)
        return infer_fail(in,
                          "indices.shape[%u] is %" PRId64 ", must be at most the input's rank %u",
                          last, indices->dims[last], x->rank);
    uint32_t size = (uint32_t)indices->dims[last];
    TRY(infer_append(in, out, indices->dims, last));
    return infer_append(in, out, x->dims + size, x->rank - size);
}

/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-gathernd */
o2w_status infer_gather_nd(struct infer *in)
{
    return pointed_shape(in, infer_result(in, 0));
}

/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-scatternd */
o2w_status infer_scatter_nd(struct infer *in)
{
    struct descriptor updates = { .rank = 0 };
    TRY(pointed_shape(in, &updates));
    TRY(rule_shape_is(in, 2, updates.dims, updates.rank));
    return infer_same(in);
}
