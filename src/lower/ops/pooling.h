/* Pools over one to three spatial dims. */
#ifndef LOWER_OPS_POOLING_H
#define LOWER_OPS_POOLING_H

#include "lower/helpers.h"
#include "lower/ops/window.h"

struct pool_params {
    struct window_params window;
    int64_t count_include_pad, storage_order, p;
    double p_float;       /* of version 1 */
    bool counts_overhang; /* count_include_pad counts the overhang of ceil_mode too */
};

/* x [N, C, spatial …] of floats. */
o2w_status average_pool_run(struct lower *l, const struct node_view *n, const struct pool_params *p,
                            value x, value *out);
o2w_status max_pool_run(struct lower *l, const struct node_view *n, const struct pool_params *p,
                        value x, value *out);

#endif
