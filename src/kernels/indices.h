/* Reading indices: negative ones count from the end, all are clamped into the dim. */
#ifndef KERNELS_INDICES_H
#define KERNELS_INDICES_H

#include "kernels/internal.h"

struct indices {
    enum dtype dtype; /* int32, uint32 or int64 */
    const void *data;
};

static inline struct indices indices_of(const struct tensor *t)
{
    return (struct indices){ t->dtype, t->data };
}

/* Index i inside 0 … length - 1, compared in 64 bits. length > 0. */
static inline int64_t index_at(const struct indices *s, int64_t i, int64_t length)
{
    int64_t at = s->dtype == DTYPE_INT64   ? ((const int64_t *)s->data)[i]
                 : s->dtype == DTYPE_INT32 ? ((const int32_t *)s->data)[i]
                                           : (int64_t)((const uint32_t *)s->data)[i];
    at += (at >> 63) & length; /* without a branch: indices are as random as their signs */
    return at < 0 ? 0 : at >= length ? length - 1 : at;
}

/* Tuples of indices over the first dims of a tensor: the last dim of the indices is the depth. */
struct coordinates {
    struct indices indices;
    uint32_t depth;
    int64_t dims[MAX_RANK];
};

static inline struct coordinates coordinates_of(const struct tensor *indices,
                                                const struct tensor *x)
{
    struct coordinates c = { indices_of(indices),
                             (uint32_t)indices->dims[indices->rank - 1],
                             { 0 } };
    for (uint32_t d = 0; d < c.depth; d++)
        c.dims[d] = x->dims[d];
    return c;
}

/* The block that tuple i points at, counted in blocks of the dims behind the depth. */
static inline int64_t coordinate_at(const struct coordinates *c, int64_t i)
{
    int64_t at = 0;
    for (uint32_t d = 0; d < c->depth; d++)
        at = at * c->dims[d] + index_at(&c->indices, i * c->depth + d, c->dims[d]);
    return at;
}

#endif
