/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-dequantizelinear
 * https://www.w3.org/TR/webnn/#api-mlgraphbuilder-quantizelinear */
#include "webnn/infer/rules.h"

#include <inttypes.h>
#include <stdio.h>

/* A dim of scale divides the input's: blocks of equal length. */
static o2w_status check_blocks(struct infer *in, uint32_t axis)
{
    dim whole = infer_operand(in, 0)->dims[axis], blocks = infer_operand(in, 1)->dims[axis], rest;
    char text[DIM_TEXT], what[96];
    if (blocks == 1 || blocks == whole)
        return O2W_OK;
    if (blocks == 0 || (dim_is_static(whole) && dim_is_static(blocks) && whole % blocks != 0))
        return infer_fail(in, "scale.shape[%u] is %" PRId64 ", must divide input.shape[%u] = %s",
                          axis, blocks, axis, rule_dim_text(in, whole, text));
    snprintf(what, sizeof what, "the remainder of input.shape[%u] by scale.shape[%u]", axis, axis);
    TRY(infer_dim(in, EXPR_MOD, whole, blocks, &rest));
    return infer_same_dim(in, what, rest, 0);
}

/* scale and zeroPoint have the input's rank and equal shapes. */
o2w_status infer_quantize(struct infer *in)
{
    const struct descriptor *x = infer_operand(in, 0), *scale = infer_operand(in, 1),
                            *zero = infer_operand(in, 2);
    if (scale->rank != x->rank)
        return infer_fail(in, "scale has rank %u, must be the input's: %u", scale->rank, x->rank);
    if (zero->rank != x->rank)
        return infer_fail(in, "zeroPoint has rank %u, must be the input's: %u", zero->rank,
                          x->rank);
    TRY(rule_shape_is(in, 2, scale->dims, scale->rank));
    for (uint32_t axis = 0; axis < x->rank; axis++)
        TRY(check_blocks(in, axis));
    return infer_same(in);
}
