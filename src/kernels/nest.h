/* Loop nests over tensors addressed by strides: what broadcasting and moving are made of. */
#ifndef KERNELS_NEST_H
#define KERNELS_NEST_H

#include "kernels/internal.h"

enum { NEST_VIEWS = 4, NEST_RANK = 2 * MAX_RANK };

/* dims are walked row by row; every view has its own strides, in elements, also 0 or negative. */
struct nest {
    uint32_t rank, views;
    int64_t dims[NEST_RANK];
    int64_t strides[NEST_VIEWS][NEST_RANK];
};

/* A nest over dims without views. */
void nest_begin(struct nest *n, const int64_t *dims, uint32_t rank);
/* Adds a view with its strides, one per dim. */
void nest_view(struct nest *n, const int64_t *strides);
/* Adds a dense tensor broadcast to the dims: aligned at the last dim, stride 0 where it has size 1. */
void nest_broadcast(struct nest *n, const struct tensor *t);
/* Takes dim d out; *dim and strides (one per view) receive what it was. */
void nest_take(struct nest *n, uint32_t d, int64_t *dim_size, int64_t strides[NEST_VIEWS]);
/* Drops dims of size 1 and joins neighbours that every view walks as one. Rank is at least 1 then. */
void nest_collapse(struct nest *n);
int64_t nest_count(const struct nest *n);

/* A run along the last dim: `count` elements that start at the offsets of the views. */
typedef void (*nest_body)(void *user, const int64_t offsets[NEST_VIEWS], int64_t count);
/* The runs that cover elements begin … end of the nest in row-major order. */
void nest_walk(const struct nest *n, int64_t begin, int64_t end, nest_body body, void *user);

#endif
