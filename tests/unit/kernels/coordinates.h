/* Walking tensors by coordinates: the slow and obvious way, for references. */
#ifndef UNIT_KERNELS_COORDINATES_H
#define UNIT_KERNELS_COORDINATES_H

#include "calls.h"

/* Coordinates of element i in row-major order. */
static inline void coordinates_of(const struct tensor *t, uint64_t i, int64_t *at)
{
    for (uint32_t d = t->rank; d-- > 0;) {
        at[d] = (int64_t)(i % (uint64_t)t->dims[d]);
        i /= (uint64_t)t->dims[d];
    }
}

static inline uint64_t index_of(const struct tensor *t, const int64_t *at)
{
    uint64_t i = 0;
    for (uint32_t d = 0; d < t->rank; d++)
        i = i * (uint64_t)t->dims[d] + (uint64_t)at[d];
    return i;
}

static inline double value_at(const struct tensor *t, const int64_t *at)
{
    return tensor_get_double(t, index_of(t, at));
}

/* Elements numbered from 1, as far as the dtype can count. */
static inline struct tensor numbered(struct kit *k, enum dtype t, struct shape s)
{
    struct tensor out = blank(k, t, s);
    for (uint64_t i = 0; i < tensor_count(&out); i++)
        tensor_put_u64(&out, i, i + 1);
    return out;
}

#endif
