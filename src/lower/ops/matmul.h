/* Shapes of matrix products. */
#ifndef LOWER_OPS_MATMUL_H
#define LOWER_OPS_MATMUL_H

#include "lower/lower.h"

/* Inputs a_at and b_at with at least two dims: a vector is a row on the left, a column on the right.
 * Scalars are refused. */
o2w_status matmul_operands(struct lower *l, const struct node_view *n, uint32_t a_at, uint32_t b_at,
                           value *a, value *b);
/* The product y without the dims that this added. */
o2w_status matmul_result(struct lower *l, const struct node_view *n, uint32_t a_at, uint32_t b_at,
                         value y, value *out);
/* Of integers: WebNN multiplies floats only, so it is products and a sum, which wraps as ONNX's do. */
o2w_status integer_product(struct lower *l, const struct node_view *n, value a, value b,
                           value *out);

#endif
