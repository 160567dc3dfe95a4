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
    int64_t strides[MAX_RANK], length; /* of x; of its axis */
    size_t size;
};

/* Where the row of element i begins in x; its last dim and the axis apart. */
static int64_t element_row(const struct gather_elements *w, int64_t i)
{
    int64_t offset = 0;
    for (uint32_t d = w->y->rank - 1; d-- > 0;) {
        if (d != w->axis)
            offset += i % w->y->dims[d] * w->strides[d];
        i /= w->y->dims[d];
    }
    return offset;
}

/* Elements first … first + n of one row, whose last dim begins at element `at`. */
#define ELEMENT_ROW(type)                                                                    \
    static void elements_##type(const struct gather_elements *w, int64_t row, int64_t at,    \
                                int64_t first, int64_t n)                                    \
    {                                                                                        \
        const type *x = (const type *)w->x->data + row;                                      \
        type *y = (type *)w->y->data + first;                                                \
        int64_t along = w->strides[w->axis], step = w->axis == w->y->rank - 1 ? 0 : 1;       \
        for (int64_t j = 0; j < n; j++)                                                      \
            y[j] = x[(at + j) * step + index_at(&w->indices, first + j, w->length) * along]; \
    }
ELEMENT_ROW(uint8_t)
ELEMENT_ROW(uint16_t)
ELEMENT_ROW(uint32_t)
ELEMENT_ROW(uint64_t)

static void gather_element_range(void *user, int64_t begin, int64_t end)
{
    const struct gather_elements *w = user;
    int64_t last = w->y->dims[w->y->rank - 1];
    for (int64_t i = begin, n; i < end; i += n) {
        int64_t at = i % last, row = element_row(w, i / last);
        n = min_i64(last - at, end - i);
        if (w->size == 1)
            elements_uint8_t(w, row, at, i, n);
        else if (w->size == 2)
            elements_uint16_t(w, row, at, i, n);
        else if (w->size == 4)
            elements_uint32_t(w, row, at, i, n);
        else
            elements_uint64_t(w, row, at, i, n);
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
                                 .length = x->dims[p->axis],
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
