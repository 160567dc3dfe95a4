/* Operators that move elements: concat, split, slice, pad, tile, expand, reshape, transpose. */
#include "webnn/infer/rules.h"

#include <inttypes.h>
#include <stdio.h>

/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-concat: the dims of axis add up, others agree. */
o2w_status infer_concat(struct infer *in)
{
    const struct webnn_concat_attributes *p = in->attributes;
    const struct descriptor *first = infer_operand(in, 0);
    struct descriptor *result = infer_result(in, 0);
    TRY(infer_axis(in, "axis", p->axis, first->rank));
    TRY(infer_append(in, result, first->dims, first->rank));
    for (uint32_t k = 1; k < in->operand_count; k++) {
        const struct descriptor *x = infer_operand(in, k);
        if (x->rank != first->rank)
            return infer_fail(in, "inputs[%u] has rank %u, must be that of inputs[0]: %u", k,
                              x->rank, first->rank);
        for (uint32_t i = 0; i < x->rank; i++) {
            char what[64];
            if (i == p->axis) {
                TRY(infer_dim(in, EXPR_ADD, result->dims[i], x->dims[i], &result->dims[i]));
                continue;
            }
            snprintf(what, sizeof what, "inputs[%u].shape[%u]", k, i);
            TRY(infer_same_dim(in, what, x->dims[i], first->dims[i]));
            if (dim_is_static(x->dims[i]))
                result->dims[i] = x->dims[i];
        }
    }
    return O2W_OK;
}

static o2w_status add_part(struct infer *in, uint32_t index, uint32_t axis, dim size)
{
    const struct descriptor *x = infer_operand(in, 0);
    struct descriptor *part = infer_result(in, index);
    TRY(infer_append(in, part, x->dims, x->rank));
    part->dims[axis] = size;
    return O2W_OK;
}

static o2w_status split_equally(struct infer *in, const struct webnn_split_attributes *p)
{
    dim whole = infer_operand(in, 0)->dims[p->axis], size, rest;
    if (dim_is_static(whole) && whole % p->splits.count != 0)
        return infer_fail(in, "input.shape[%u] is %" PRId64 ", must be a multiple of splits = %u",
                          p->axis, whole, p->splits.count);
    TRY(infer_dim(in, EXPR_MOD, whole, p->splits.count, &rest));
    TRY(infer_same_dim(in, "the remainder of the split", rest, 0));
    TRY(infer_dim(in, EXPR_FLOOR_DIV, whole, p->splits.count, &size));
    for (uint32_t i = 0; i < p->splits.count; i++)
        TRY(add_part(in, i, p->axis, size));
    return O2W_OK;
}

/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-split */
o2w_status infer_split(struct infer *in)
{
    const struct webnn_split_attributes *p = in->attributes;
    const struct descriptor *x = infer_operand(in, 0);
    dim sum = 0;
    TRY(infer_axis(in, "axis", p->axis, x->rank));
    if (p->splits.equal)
        return split_equally(in, p);
    for (uint32_t i = 0; i < p->splits.count; i++) {
        if (p->splits.items[i] < in->limits->min_dimension)
            return infer_fail(in, "splits[%u] is 0, must be at least 1", i);
        sum += p->splits.items[i]; /* at most 8192 · 2^32 */
        TRY(add_part(in, i, p->axis, p->splits.items[i]));
    }
    return infer_same_dim(in, "the sum of splits", sum, x->dims[p->axis]);
}

/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-slice: result = ⌈size / stride⌉ */
o2w_status infer_slice(struct infer *in)
{
    const struct webnn_slice_attributes *p = in->attributes;
    const struct descriptor *x = infer_operand(in, 0);
    struct descriptor *result = infer_result(in, 0);
    TRY(rule_count(in, "starts", p->starts.count, x->rank));
    TRY(rule_count(in, "sizes", p->sizes.count, x->rank));
    TRY(rule_positive(in, "strides", &p->strides, x->rank));
    for (uint32_t i = 0; i < x->rank; i++) {
        dim end, size;
        char found[DIM_TEXT], whole[DIM_TEXT];
        if (p->sizes.items[i] == 0 && in->limits->min_dimension > 0)
            return infer_fail(in, "sizes[%u] is 0, must be at least 1", i);
        TRY(infer_dim(in, EXPR_ADD, p->sizes.items[i], p->starts.items[i], &end));
        if (rule_greater(in, end, x->dims[i]))
            return infer_fail(
                in, "starts[%u] + sizes[%u] is %s, must be at most input.shape[%u] = %s", i, i,
                rule_dim_text(in, end, found), i, rule_dim_text(in, x->dims[i], whole));
        TRY(rule_at_most(in, "the end of the slice", end, x->dims[i]));
        TRY(infer_dim(in, EXPR_CEIL_DIV, p->sizes.items[i], p->strides.items[i], &size));
        TRY(infer_append(in, result, &size, 1));
    }
    return O2W_OK;
}

void resolve_slice(const struct infer *in, void *attributes)
{
    struct webnn_slice_attributes *p = attributes;
    if (p->strides.given)
        return;
    p->strides.given = true;
    p->strides.count = infer_operand(in, 0)->rank;
    for (uint32_t i = 0; i < p->strides.count; i++)
        p->strides.items[i] = 1;
}

/* Reflection mirrors inside the input; edge repeats what must be there. */
static o2w_status check_padding(struct infer *in, const char *name, uint32_t mode, uint32_t size,
                                uint32_t axis)
{
    char whole[DIM_TEXT];
    dim d = infer_operand(in, 0)->dims[axis];
    if (size != 0 && mode == WEBNN_PADDING_MODE_EDGE && d == 0)
        return infer_fail(in, "input.shape[%u] is 0 and has no edge", axis);
    if (mode == WEBNN_PADDING_MODE_REFLECTION && size != 0 && rule_greater(in, (dim)size + 1, d))
        return infer_fail(in, "%s[%u] is %u, must be below input.shape[%u] = %s", name, axis, size,
                          axis, rule_dim_text(in, d, whole));
    if (mode == WEBNN_PADDING_MODE_REFLECTION && size != 0)
        return rule_at_most(in, "the reflected dim", (dim)size + 1, d);
    return O2W_OK;
}

/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-pad */
o2w_status infer_pad(struct infer *in)
{
    const struct webnn_pad_attributes *p = in->attributes;
    const struct descriptor *x = infer_operand(in, 0);
    struct descriptor *result = infer_result(in, 0);
    TRY(rule_count(in, "beginningPadding", p->beginning_padding.count, x->rank));
    TRY(rule_count(in, "endingPadding", p->ending_padding.count, x->rank));
    for (uint32_t i = 0; i < x->rank; i++) {
        uint32_t begin = p->beginning_padding.items[i], end = p->ending_padding.items[i];
        dim size;
        TRY(check_padding(in, "beginningPadding", p->mode, begin, i));
        TRY(check_padding(in, "endingPadding", p->mode, end, i));
        TRY(infer_dim(in, EXPR_ADD, x->dims[i], (dim)begin + end, &size));
        TRY(infer_append(in, result, &size, 1));
    }
    return O2W_OK;
}

/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-tile */
o2w_status infer_tile(struct infer *in)
{
    const struct webnn_tile_attributes *p = in->attributes;
    const struct descriptor *x = infer_operand(in, 0);
    struct descriptor *result = infer_result(in, 0);
    if (in->limits->min_dimension > 0)
        TRY(rule_positive(in, "repetitions", &p->repetitions, x->rank));
    else
        TRY(rule_count(in, "repetitions", p->repetitions.count, x->rank));
    for (uint32_t i = 0; i < x->rank; i++) {
        dim size;
        TRY(infer_dim(in, EXPR_MUL, x->dims[i], p->repetitions.items[i], &size));
        TRY(infer_append(in, result, &size, 1));
    }
    return O2W_OK;
}

/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-expand */
o2w_status infer_expand(struct infer *in)
{
    const struct webnn_expand_attributes *p = in->attributes;
    struct descriptor *result = infer_result(in, 0);
    TRY(infer_append(in, result, p->new_shape.items, p->new_shape.count));
    return infer_broadcastable(in, "input", infer_operand(in, 0), result);
}

static o2w_status product(struct infer *in, const dim *dims, uint32_t rank, dim *out)
{
    uint64_t count;
    if (dims_static(dims, rank)) {
        if (!dims_count(dims, rank, &count))
            return infer_fail(in, "the number of elements is too large");
        *out = (dim)count;
        return O2W_OK;
    }
    *out = 1;
    for (uint32_t i = 0; i < rank; i++)
        TRY(infer_dim(in, EXPR_MUL, *out, dims[i], out));
    return O2W_OK;
}

/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-reshape-method: the number of elements stays. */
o2w_status infer_reshape(struct infer *in)
{
    const struct webnn_reshape_attributes *p = in->attributes;
    const struct descriptor *x = infer_operand(in, 0);
    dim have, want;
    TRY(product(in, x->dims, x->rank, &have));
    TRY(product(in, p->new_shape.items, p->new_shape.count, &want));
    if (dim_is_static(have) && dim_is_static(want) && have != want) {
        char from[SHAPE_TEXT], to[SHAPE_TEXT];
        return infer_fail(in, "newShape %s has %" PRId64 " elements, the input %s has %" PRId64,
                          rule_shape_text(in, p->new_shape.items, p->new_shape.count, to), want,
                          rule_shape_text(in, x->dims, x->rank, from), have);
    }
    TRY(infer_same_dim(in, "the number of elements of newShape", want, have));
    return infer_append(in, infer_result(in, 0), p->new_shape.items, p->new_shape.count);
}

/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-transpose: out[i] = in[permutation[i]] */
o2w_status infer_transpose(struct infer *in)
{
    const struct webnn_transpose_attributes *p = in->attributes;
    const struct descriptor *x = infer_operand(in, 0);
    struct descriptor *result = infer_result(in, 0);
    TRY(rule_count(in, "permutation", p->permutation.count, x->rank));
    TRY(rule_axes(in, "permutation", &p->permutation, x->rank));
    for (uint32_t i = 0; i < x->rank; i++)
        TRY(infer_append(in, result, &x->dims[p->permutation.items[i]], 1));
    return O2W_OK;
}

void resolve_transpose(const struct infer *in, void *attributes)
{
    struct webnn_transpose_attributes *p = attributes;
    if (p->permutation.given)
        return;
    p->permutation.given = true;
    p->permutation.count = infer_operand(in, 0)->rank;
    for (uint32_t i = 0; i < p->permutation.count; i++)
        p->permutation.items[i] = p->permutation.count - 1 - i;
}
