/* Scales and zero points in WebNN's shapes, and exact integer products: what the rows of quantised
 * operators share. */
#ifndef LOWER_QUANTIZED_H
#define LOWER_QUANTIZED_H

#include "lower/helpers.h"

/* A tensor with its scale and zero point; after quantized_shape these have x's rank. */
struct quantized {
    value x, scale, zero; /* zero NULL: absent */
    int64_t axis;   /* as the attribute has it; without meaning where the scale is one number */
    int64_t block;  /* elements of the axis that share a scale; 0: not blocked */
    uint32_t along; /* the axis, once it is needed */
};

/* H12: scale and zero point in the rank of x: one element as all ones, per axis as [1, …, C, …, 1],
 * blocked as they are. An absent zero point becomes zeros of `dtype`. `scale_at` and `zero_at` are
 * their inputs, for messages. */
o2w_status quantized_shape(struct lower *l, const struct node_view *n, struct quantized *q,
                           enum dtype dtype, uint32_t scale_at, uint32_t zero_at);
/* quantizeLinear, dequantizeLinear, or mul of x and scale alone; a last block that is shorter than
 * the others is done apart. */
o2w_status quantized_run(struct lower *l, const struct quantized *q, enum webnn_operator kind,
                         value *out);

/* DynamicQuantizeLinear: the range of float32 x and 0 onto uint8; scale and zero are scalars. */
o2w_status dynamic_quantize(struct lower *l, const struct node_view *n, value x, value *y,
                            value *scale, value *zero);

/* x - zero in float32, exact for 8-bit x. zero has one element, or one per index of `axis`, or x's
 * rank; NULL is 0. */
o2w_status centred(struct lower *l, const struct node_view *n, value x, value zero,
                   uint32_t zero_at, uint32_t axis, value *out);

/* A sum of products of two 8-bit tensors, a computed and b perhaps known (H10). */
struct exact_sum {
    enum dtype a_dtype;
    value a_zero, b, b_zero; /* zero points: NULL is 0 */
    uint32_t axis;           /* of b: what is summed over */
    bool inner_too;          /* the dims behind it as well */
};
/* How many indices of the axis may be summed in float32 so that every sum is exact; 0: not one. */
o2w_status exact_sum_chunk(struct lower *l, const struct exact_sum *s, int64_t *chunk);

/* H11: cast(clamp(roundEven(acc · m) + zero)) to the 8-bit `dtype`; acc is int32, m float32, both in
 * shapes that broadcast; zero NULL is 0. */
o2w_status requantize(struct lower *l, value acc, value m, value zero, enum dtype dtype,
                      value *out);
/* NULL where a zero point is known to be 0 everywhere. */
o2w_status drop_zero(struct lower *l, value *zero);

/* The same bytes of a known tensor under another dtype and dims (uint8 as uint4): nothing is copied.
 * O2W_INTERNAL when the sizes differ. */
o2w_status known_view(struct lower *l, value x, enum dtype dtype, const dim *dims, uint32_t rank,
                      value *out);

#endif
