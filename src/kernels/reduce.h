/* Reductions over dims of one tensor. */
#ifndef KERNELS_REDUCE_H
#define KERNELS_REDUCE_H

#include "kernels/nest.h"
#include "kernels/reduce_loops.h"

/* A tensor as kept dims, in row-major order of the results, and reduced dims. */
struct reduction {
    struct nest kept, reduced; /* view 0: the tensor */
    int64_t kept_count, reduced_count;
};

/* axes not given: all dims. */
void reduction_begin(struct reduction *r, const struct tensor *x, const struct webnn_u32s *axes);

#endif
