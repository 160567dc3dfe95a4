/* A tensor seen from one of its axes. */
#ifndef KERNELS_AXIS_H
#define KERNELS_AXIS_H

#include "kernels/internal.h"

/* Element (o, i, j) is at (o * length + i) * inner + j. */
struct axis_view {
    int64_t outer, length, inner;
};

static inline struct axis_view axis_of(const struct tensor *t, uint32_t axis)
{
    return (struct axis_view){ dims_product(t->dims, 0, axis), t->dims[axis],
                               dims_product(t->dims, axis + 1, t->rank) };
}

/* Lines along the axis are taken LINES neighbours at a time. */
enum { AXIS_LINES = 128 };

static inline int64_t axis_blocks(const struct axis_view *v)
{
    return v->outer * ceil_div(v->inner, AXIS_LINES);
}

/* The first element of block `index` and how many lines it has. */
static inline int64_t axis_block(const struct axis_view *v, int64_t index, int64_t *lines)
{
    int64_t per_row = ceil_div(v->inner, AXIS_LINES);
    int64_t first = index % per_row * AXIS_LINES;
    *lines = min_i64(AXIS_LINES, v->inner - first);
    return index / per_row * v->length * v->inner + first;
}

/* Where line 0 of the block is in a tensor that has one element per line. */
static inline int64_t axis_line(const struct axis_view *v, int64_t index)
{
    int64_t per_row = ceil_div(v->inner, AXIS_LINES);
    return index / per_row * v->inner + index % per_row * AXIS_LINES;
}

/* Blocks worth a part of their own. */
static inline int64_t axis_grain(const struct axis_view *v, int64_t elements)
{
    int64_t each = v->length * min_i64(v->inner, AXIS_LINES);
    return max_i64(1, elements / max_i64(each, 1));
}

#endif
