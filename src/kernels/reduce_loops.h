/* The loops of reductions, per operator and dtype. */
#ifndef KERNELS_REDUCE_LOOPS_H
#define KERNELS_REDUCE_LOOPS_H

#include "kernels/internal.h"

/* How accumulators become results. */
struct reduce_finish {
    enum webnn_operator kind;
    int64_t count;       /* elements behind each result */
    const double *shift; /* reduceLogSumExp: what was taken off, per result */
};

/* Accumulators are `size` bytes: float64 for sums of floats, 64-bit integers that wrap, the element
 * itself for extremes. */
struct reduce_loops {
    size_t size;
    void (*start)(void *accumulators, int64_t n);
    /* One accumulator over n neighbours; always in the same order of eight lanes. */
    void (*row)(void *accumulator, const void *x, int64_t n, const double *shift);
    /* n accumulators, each over its own element. */
    void (*columns)(void *accumulators, const void *x, int64_t n, const double *shift);
    void (*merge)(void *accumulators, const void *others, int64_t n);
    void (*finish)(void *y, const void *accumulators, int64_t n, const struct reduce_finish *how);
};

/* NULL when the operator has no loops for the dtype. */
const struct reduce_loops *reduce_loops_of(enum webnn_operator kind, enum dtype t);

#endif
