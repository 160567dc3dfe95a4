#include "kernels/nest.h"

#include <string.h>

void nest_begin(struct nest *n, const int64_t *dims, uint32_t rank)
{
    n->rank = rank;
    n->views = 0;
    memcpy(n->dims, dims, rank * sizeof *dims);
}

void nest_view(struct nest *n, const int64_t *strides)
{
    memcpy(n->strides[n->views++], strides, n->rank * sizeof *strides);
}

void nest_broadcast(struct nest *n, const struct tensor *t)
{
    int64_t strides[NEST_RANK] = { 0 };
    int64_t step = 1;
    for (uint32_t i = 0; i < t->rank; i++) {
        uint32_t from = t->rank - 1 - i;
        strides[n->rank - 1 - i] = t->dims[from] == 1 ? 0 : step;
        step *= t->dims[from];
    }
    nest_view(n, strides);
}

static void keep_dim(struct nest *n, uint32_t to, uint32_t from)
{
    n->dims[to] = n->dims[from];
    for (uint32_t v = 0; v < n->views; v++)
        n->strides[v][to] = n->strides[v][from];
}

static bool joins(const struct nest *n, uint32_t outer, uint32_t inner)
{
    for (uint32_t v = 0; v < n->views; v++)
        if (n->strides[v][outer] != n->strides[v][inner] * n->dims[inner])
            return false;
    return true;
}

/* A nest of one element. */
static void nest_unit(struct nest *n)
{
    n->rank = 1;
    n->dims[0] = 1;
    for (uint32_t v = 0; v < n->views; v++)
        n->strides[v][0] = 1;
}

void nest_collapse(struct nest *n)
{
    uint32_t rank = 0;
    for (uint32_t d = 0; d < n->rank; d++) {
        if (n->dims[d] == 1)
            continue;
        if (rank > 0 && joins(n, rank - 1, d)) {
            int64_t outer = n->dims[rank - 1];
            keep_dim(n, rank - 1, d);
            n->dims[rank - 1] *= outer;
        } else {
            keep_dim(n, rank++, d);
        }
    }
    n->rank = rank;
    if (rank == 0)
        nest_unit(n);
}

void nest_take(struct nest *n, uint32_t d, int64_t *dim_size, int64_t strides[NEST_VIEWS])
{
    *dim_size = n->dims[d];
    for (uint32_t v = 0; v < n->views; v++)
        strides[v] = n->strides[v][d];
    n->rank--;
    for (; d < n->rank; d++)
        keep_dim(n, d, d + 1);
    if (n->rank == 0)
        nest_unit(n);
}

int64_t nest_count(const struct nest *n)
{
    return dims_product(n->dims, 0, n->rank);
}

struct cursor {
    int64_t index[NEST_RANK];
    int64_t offsets[NEST_VIEWS];
};

static void seek(const struct nest *n, struct cursor *c, int64_t position)
{
    memset(c, 0, sizeof *c);
    for (uint32_t d = n->rank; d-- > 0;) {
        c->index[d] = position % n->dims[d];
        position /= n->dims[d];
        for (uint32_t v = 0; v < n->views; v++)
            c->offsets[v] += c->index[d] * n->strides[v][d];
    }
}

/* To the start of the next run: the last dim is done, the dims before it count on. */
static void next_run(const struct nest *n, struct cursor *c)
{
    uint32_t last = n->rank - 1;
    for (uint32_t v = 0; v < n->views; v++)
        c->offsets[v] -= c->index[last] * n->strides[v][last];
    c->index[last] = 0;
    for (uint32_t d = last; d-- > 0;) {
        for (uint32_t v = 0; v < n->views; v++)
            c->offsets[v] += n->strides[v][d];
        if (++c->index[d] < n->dims[d])
            return;
        for (uint32_t v = 0; v < n->views; v++)
            c->offsets[v] -= n->dims[d] * n->strides[v][d];
        c->index[d] = 0;
    }
}

void nest_walk(const struct nest *n, int64_t begin, int64_t end, nest_body body, void *user)
{
    if (begin >= end)
        return;
    struct cursor c;
    seek(n, &c, begin);
    while (begin < end) {
        int64_t run = min_i64(n->dims[n->rank - 1] - c.index[n->rank - 1], end - begin);
        body(user, c.offsets, run);
        begin += run;
        next_run(n, &c);
    }
}
