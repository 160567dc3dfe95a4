/* Shared by the files of the gather family. */
#ifndef LOWER_OPS_GATHER_H
#define LOWER_OPS_GATHER_H

#include "lower/helpers.h"

struct axis_params {
    int64_t axis;
};

/* ScatterND has no axis; without `reduction` it is none. */
struct scatter_params {
    int64_t axis;
    struct span reduction;
};

/* Known indices of input i must lie in -size … size-1 (size < 0: not known). */
o2w_status check_indices(struct lower *l, const struct node_view *n, uint32_t i, int64_t size);
/* How many axes the last dim of input i addresses. */
o2w_status index_depth(struct lower *l, const struct node_view *n, uint32_t i, uint32_t most,
                       uint32_t *out);
/* Known coordinates of input i must lie inside of input 0's axes from `first` on. */
o2w_status check_coordinates(struct lower *l, const struct node_view *n, uint32_t i,
                             uint32_t first);

/* gather_scatter.c */
o2w_status lower_scatter_elements(struct lower *l, const struct node_view *n, const void *params);
o2w_status lower_scatter_nd(struct lower *l, const struct node_view *n, const void *params);
o2w_status lower_scatter_nd_11(struct lower *l, const struct node_view *n, const void *params);

#endif
