/* identity, reshape, transpose, slice, concat, split, expand, tile, reverse: elements keep their bits. */
#include "kernels/move.h"

#include <string.h>

/* A nest over dims with the dense strides of `t` as its view. */
static void begin_dense(struct nest *n, const struct tensor *t)
{
    int64_t strides[MAX_RANK];
    tensor_strides(t, strides);
    nest_begin(n, t->dims, t->rank);
    nest_view(n, strides);
}

o2w_status kernel_identity(const struct kernel_call *call)
{
    const struct tensor *x = call->operands[0];
    move_dense(call, call_result(call, 0)->data, x->data, count_of(x), element_size(x->dtype));
    return O2W_OK;
}

o2w_status kernel_transpose(const struct kernel_call *call)
{
    const struct webnn_transpose_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0];
    struct tensor *y = call_result(call, 0);
    int64_t strides[MAX_RANK], permuted[MAX_RANK];
    tensor_strides(x, strides);
    for (uint32_t d = 0; d < x->rank; d++)
        permuted[d] = strides[p->permutation.given ? p->permutation.items[d] : x->rank - 1 - d];
    struct nest n;
    begin_dense(&n, y);
    nest_view(&n, permuted);
    move_elements(call, &n, y->data, x->data, element_size(x->dtype));
    return O2W_OK;
}

o2w_status kernel_slice(const struct kernel_call *call)
{
    const struct webnn_slice_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0];
    struct tensor *y = call_result(call, 0);
    int64_t strides[MAX_RANK], start = 0;
    tensor_strides(x, strides);
    for (uint32_t d = 0; d < x->rank; d++) {
        start += strides[d] * p->starts.items[d];
        if (p->strides.given)
            strides[d] *= p->strides.items[d];
    }
    struct nest n;
    begin_dense(&n, y);
    nest_view(&n, strides);
    size_t size = element_size(x->dtype);
    move_elements(call, &n, y->data, (const uint8_t *)x->data + start * (int64_t)size, size);
    return O2W_OK;
}

/* Copies between the whole and its part that begins at `offset` along the axis. */
static void move_part_of(const struct kernel_call *call, const struct tensor *whole,
                         const struct tensor *part, uint32_t axis, int64_t offset, bool to_whole)
{
    int64_t strides[MAX_RANK];
    tensor_strides(whole, strides);
    size_t size = element_size(whole->dtype);
    uint8_t *inside = (uint8_t *)whole->data + offset * strides[axis] * (int64_t)size;
    struct nest n;
    if (to_whole) {
        nest_begin(&n, part->dims, part->rank);
        nest_view(&n, strides);
        nest_broadcast(&n, part);
        move_elements(call, &n, inside, part->data, size);
    } else {
        begin_dense(&n, part);
        nest_view(&n, strides);
        move_elements(call, &n, part->data, inside, size);
    }
}

o2w_status kernel_concat(const struct kernel_call *call)
{
    const struct webnn_concat_attributes *p = call->attributes;
    int64_t offset = 0;
    for (uint32_t i = 0; i < call->operand_count; i++) {
        const struct tensor *part = call->operands[i];
        if (count_of(part) > 0)
            move_part_of(call, call_result(call, 0), part, p->axis, offset, true);
        offset += part->dims[p->axis];
    }
    return O2W_OK;
}

o2w_status kernel_split(const struct kernel_call *call)
{
    const struct webnn_split_attributes *p = call->attributes;
    int64_t offset = 0;
    for (uint32_t i = 0; i < call->result_count; i++) {
        const struct tensor *part = call_result(call, i);
        if (count_of(part) > 0)
            move_part_of(call, call->operands[0], part, p->axis, offset, false);
        offset += part->dims[p->axis];
    }
    return O2W_OK;
}

o2w_status kernel_expand(const struct kernel_call *call)
{
    const struct tensor *x = call->operands[0];
    struct tensor *y = call_result(call, 0);
    struct nest n;
    begin_dense(&n, y);
    nest_broadcast(&n, x);
    move_elements(call, &n, y->data, x->data, element_size(x->dtype));
    return O2W_OK;
}

/* The result as [repetitions[0], dims[0], repetitions[1], dims[1] …]: the source does not move along
 * the repetitions. */
o2w_status kernel_tile(const struct kernel_call *call)
{
    const struct webnn_tile_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0];
    struct tensor *y = call_result(call, 0);
    int64_t x_strides[MAX_RANK], y_strides[MAX_RANK];
    int64_t dims[NEST_RANK], to[NEST_RANK], from[NEST_RANK];
    tensor_strides(x, x_strides);
    tensor_strides(y, y_strides);
    for (uint32_t d = 0; d < x->rank; d++) {
        dims[2 * d] = p->repetitions.items[d];
        dims[2 * d + 1] = x->dims[d];
        to[2 * d] = y_strides[d] * x->dims[d];
        to[2 * d + 1] = y_strides[d];
        from[2 * d] = 0;
        from[2 * d + 1] = x_strides[d];
    }
    struct nest n;
    nest_begin(&n, dims, 2 * x->rank);
    nest_view(&n, to);
    nest_view(&n, from);
    move_elements(call, &n, y->data, x->data, element_size(x->dtype));
    return O2W_OK;
}

static bool reverses(const struct webnn_u32s *axes, uint32_t d)
{
    if (!axes->given)
        return true;
    for (uint32_t i = 0; i < axes->count; i++)
        if (axes->items[i] == d)
            return true;
    return false;
}

o2w_status kernel_reverse(const struct kernel_call *call)
{
    const struct webnn_reverse_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0];
    struct tensor *y = call_result(call, 0);
    int64_t strides[MAX_RANK], start = 0;
    if (count_of(x) == 0)
        return O2W_OK;
    tensor_strides(x, strides);
    for (uint32_t d = 0; d < x->rank; d++) {
        if (!reverses(&p->axes, d))
            continue;
        start += strides[d] * (x->dims[d] - 1);
        strides[d] = -strides[d];
    }
    struct nest n;
    begin_dense(&n, y);
    nest_view(&n, strides);
    size_t size = element_size(x->dtype);
    move_elements(call, &n, y->data, (const uint8_t *)x->data + start * (int64_t)size, size);
    return O2W_OK;
}

struct triangle {
    const uint8_t *from;
    uint8_t *to;
    int64_t rows, cols, diagonal;
    bool upper;
    size_t size;
};

/* Columns that row i of a matrix keeps: j - i >= diagonal (upper), <= diagonal (lower). */
static void triangle_part(void *user, int64_t begin, int64_t end)
{
    const struct triangle *t = user;
    size_t row_bytes = (size_t)t->cols * t->size;
    for (int64_t row = begin; row < end; row++) {
        int64_t edge = row % t->rows + t->diagonal + (t->upper ? 0 : 1);
        edge = min_i64(max_i64(edge, 0), t->cols);
        int64_t first = t->upper ? edge : 0, last = t->upper ? t->cols : edge;
        size_t offset = (size_t)row * row_bytes, keep = (size_t)first * t->size;
        memset(t->to + offset, 0, row_bytes);
        memcpy(t->to + offset + keep, t->from + offset + keep, (size_t)(last - first) * t->size);
    }
}

o2w_status kernel_triangular(const struct kernel_call *call)
{
    const struct webnn_triangular_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0];
    struct triangle t = { x->data,
                          call_result(call, 0)->data,
                          x->dims[x->rank - 2],
                          x->dims[x->rank - 1],
                          p->diagonal,
                          p->upper,
                          element_size(x->dtype) };
    if (count_of(x) > 0)
        kernel_ranges(call, dims_product(x->dims, 0, x->rank - 1), max_i64(1, 65536 / t.cols),
                      triangle_part, &t);
    return O2W_OK;
}
