/* gather, gatherElements, gatherND: an index below 0 counts from the end, then all are clamped. */
#include "kernels/indices.h"
#include "kernels/move.h"

#include <string.h>

enum { GRAIN_BYTES = 1 << 16 };

struct gather {
    struct indices indices;
    const uint8_t *x;
    uint8_t *y;
    int64_t outer, count, length; /* y: [outer, count, block], x: [outer, length, block] */
    size_t block;                 /* bytes */
};

static void copy_block(uint8_t *to, const uint8_t *from, size_t size)
{
    if (size == 4)
        memcpy(to, from, 4);
    else if (size == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, size);
}

static void gather_blocks(void *user, int64_t begin, int64_t end)
{
    const struct gather *w = user;
    for (int64_t i = begin; i < end; i++) {
        int64_t at = index_at(&w->indices, i % w->count, w->length);
        copy_block(w->y + (size_t)i * w->block,
                   w->x + (size_t)(i / w->count * w->length + at) * w->block, w->block);
    }
}

o2w_status kernel_gather(const struct kernel_call *call)
{
    const struct webnn_gather_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0], *indices = call->operands[1];
    struct gather w = { .indices = indices_of(indices),
                        .x = x->data,
                        .y = call_result(call, 0)->data,
                        .outer = dims_product(x->dims, 0, p->axis),
                        .count = count_of(indices),
                        .length = x->dims[p->axis] };
    w.block = (size_t)dims_product(x->dims, p->axis + 1, x->rank) * element_size(x->dtype);
    if (w.length == 0)
        return O2W_UNSUPPORTED; /* nothing that an index could be clamped to */
    kernel_ranges(call, w.outer * w.count, max_i64(1, GRAIN_BYTES / (int64_t)w.block),
                  gather_blocks, &w);
    return O2W_OK;
}

/* Rows along the last dim of the indices; elsewhere positions are equal in x and the result. */
struct gather_elements {
    struct indices indices;
    const struct tensor *x, *y;
    uint32_t axis;
    int64_t strides[MAX_RANK];
    size_t size;
};

static void gather_element_range(void *user, int64_t begin, int64_t end)
{
    const struct gather_elements *w = user;
    const uint8_t *x = w->x->data;
    uint8_t *y = w->y->data;
    for (int64_t i = begin; i < end; i++) {
        int64_t offset = 0, rest = i;
        for (uint32_t d = w->y->rank; d-- > 0; rest /= w->y->dims[d])
            if (d != w->axis)
                offset += rest % w->y->dims[d] * w->strides[d];
        offset += index_at(&w->indices, i, w->x->dims[w->axis]) * w->strides[w->axis];
        copy_block(y + (size_t)i * w->size, x + (size_t)offset * w->size, w->size);
    }
}

o2w_status kernel_gather_elements(const struct kernel_call *call)
{
    const struct webnn_gather_elements_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0], *indices = call->operands[1];
    struct gather_elements w = { .indices = indices_of(indices),
                                 .x = x,
                                 .y = call_result(call, 0),
                                 .axis = p->axis,
                                 .size = element_size(x->dtype) };
    tensor_strides(x, w.strides);
    if (count_of(x) == 0)
        return O2W_UNSUPPORTED;
    kernel_ranges(call, count_of(indices), GRAIN_BYTES / 8, gather_element_range, &w);
    return O2W_OK;
}

struct gather_nd {
    struct coordinates coordinates;
    const uint8_t *x;
    uint8_t *y;
    size_t block;
};

static void gather_nd_blocks(void *user, int64_t begin, int64_t end)
{
    const struct gather_nd *w = user;
    for (int64_t i = begin; i < end; i++)
        copy_block(w->y + (size_t)i * w->block,
                   w->x + (size_t)coordinate_at(&w->coordinates, i) * w->block, w->block);
}

o2w_status kernel_gather_nd(const struct kernel_call *call)
{
    const struct tensor *x = call->operands[0], *indices = call->operands[1];
    struct gather_nd w = { coordinates_of(indices, x), x->data, call_result(call, 0)->data, 0 };
    uint32_t depth = w.coordinates.depth;
    w.block = (size_t)dims_product(x->dims, depth, x->rank) * element_size(x->dtype);
    if (count_of(x) == 0)
        return O2W_UNSUPPORTED;
    kernel_ranges(call, dims_product(indices->dims, 0, indices->rank - 1),
                  max_i64(1, GRAIN_BYTES / (int64_t)w.block), gather_nd_blocks, &w);
    return O2W_OK;
}
