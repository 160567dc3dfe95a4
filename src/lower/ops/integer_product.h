/* Exact products of 8-bit tensors. */
#ifndef LOWER_OPS_INTEGER_PRODUCT_H
#define LOWER_OPS_INTEGER_PRODUCT_H

#include "lower/ops/convolution.h"
#include "lower/quantized.h"

/* An operand as it stands among the inputs: data, zero point (NULL is 0). */
struct factor {
    uint32_t at, zero_at;
    value x, zero;
};
struct factor factor_at(const struct node_view *n, uint32_t at, uint32_t zero_at);

/* Input `at`, which has one element, as a scalar. */
o2w_status scalar_input(struct lower *l, const struct node_view *n, uint32_t at, value *out);

/* H10, int32. Of a->x [.., M, K] and b->x [.., K, N] … */
o2w_status exact_product(struct lower *l, const struct node_view *n, const struct factor *a,
                         const struct factor *b, value *out);
/* … of the inputs a->at and b->at, where vectors are rows and columns … */
o2w_status exact_matmul(struct lower *l, const struct node_view *n, const struct factor *a,
                        const struct factor *b, value *out);
/* … and over windows. */
o2w_status exact_conv(struct lower *l, const struct node_view *n, const struct conv_params *p,
                      const struct factor *x, const struct factor *w, value *out);

#endif
