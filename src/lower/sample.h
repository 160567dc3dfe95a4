/* H7: reading images at computed places. Coordinates are whole numbers in float32, [N, P] for P places
 * per image; what lies outside is clamped before anything is read. */
#ifndef LOWER_SAMPLE_H
#define LOWER_SAMPLE_H

#include "lower/helpers.h"

enum { SAMPLE_DIMS = 3 };

/* x [N, C, spatial …] as rows of channels. */
struct image {
    value rows;    /* [N · plane, C] */
    value offsets; /* int32 [N, 1]: where each image begins; NULL: there is one */
    uint32_t rank; /* spatial dims */
    int64_t size[SAMPLE_DIMS];
};

/* Needs numbers for N and the spatial dims; at most three of them, fewer than 2^31 places. */
o2w_status image_begin(struct lower *l, const struct node_view *n, value x, struct image *out);
/* The part of the index that coordinate `at` of spatial dim i gives, clamped: int32 [N, P]. */
value image_index(struct calc *c, const struct image *m, uint32_t i, value at);
/* Whether the coordinate lies inside: uint8 [N, P]. */
value image_inside(struct calc *c, const struct image *m, uint32_t i, value at);
/* The channels at an index, the sum of its parts: [N, P, C]. */
value image_read(struct calc *c, const struct image *m, value index);
/* [N, P] as [N, P, 1]. */
value per_place(struct calc *c, value v);
/* [N, P, C] as [N, C, dims …]; dims has N, C, then what P is made of. */
o2w_status image_shape(struct lower *l, value y, const dim *dims, uint32_t rank, value *out);

#endif
