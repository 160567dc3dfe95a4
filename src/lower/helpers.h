/* Compositions that rows share. Each stands once. */
#ifndef LOWER_HELPERS_H
#define LOWER_HELPERS_H

#include "lower/lower.h"

/* Dtypes that only move: those of SET_ALL, and the kinds that live as constants. */
#define SET_SMALL                                                                                  \
    (DTYPES_4BIT | DTYPE_BIT(DTYPE_INT2) | DTYPE_BIT(DTYPE_UINT2) |                                \
     DTYPE_BIT(DTYPE_FLOAT8E4M3FN) | DTYPE_BIT(DTYPE_FLOAT8E4M3FNUZ) |                             \
     DTYPE_BIT(DTYPE_FLOAT8E5M2) | DTYPE_BIT(DTYPE_FLOAT8E5M2FNUZ) | DTYPE_BIT(DTYPE_FLOAT8E8M0) | \
     DTYPE_BIT(DTYPE_FLOAT4E2M1))
#define SET_MOVED (SET_ALL | SET_SMALL)
#define SET_ANY   (((dtype_set)1 << DTYPE_COUNT) - 1)

/* --- rows ---------------------------------------------------------------------------------------- */

/* The graph that is being recorded. */
const struct graph *lower_graph(struct lower *l);
/* The operator that the row's `webnn` names, where it is only one. */
enum webnn_operator row_operator(const struct node_view *n);
/* Output 0 from a value of the carried dtype: 16-bit types wrap. */
o2w_status emit_wrapped(struct lower *l, const struct node_view *n, value v);
/* Output 0 from a value of a wider float dtype: cast to the output's dtype. */
o2w_status emit_narrowed(struct lower *l, const struct node_view *n, value v);
/* H17: operands of opset < 7. broadcast = 0: equal shapes, else refused; 1: B's axes are aligned at
 * `axis` of A, by default at its end. */
struct legacy_broadcast {
    struct given_int axis;
    int64_t broadcast;
};
o2w_status legacy_operand(struct lower *l, const struct node_view *n,
                          const struct legacy_broadcast *p, value *b);
/* All inputs from `first` on have the shape of input 0. */
o2w_status check_equal_shapes(struct lower *l, const struct node_view *n, uint32_t first);

/* --- values -------------------------------------------------------------------------------------- */

/* `number` in every element, also where dims are open. */
o2w_status fill(struct lower *l, enum dtype dtype, struct webnn_number number, const dim *dims,
                uint32_t rank, value *out);
o2w_status fill_i64(struct lower *l, enum dtype dtype, int64_t number, const dim *dims,
                    uint32_t rank, value *out);
/* 0, 1 … count-1 along `axis` of rank `rank`, other dims 1. */
o2w_status iota(struct lower *l, enum dtype dtype, int64_t count, uint32_t axis, uint32_t rank,
                value *out);
/* 0, 1 … of an open size, rank 1: the first of as many numbers as it can be, or sums of ones. */
o2w_status open_iota(struct lower *l, enum dtype dtype, dim size, value *out);
/* dims[axis] as a number: refused with the dim's name where it is open. */
o2w_status static_dim(struct lower *l, const struct node_view *n, value x, uint32_t axis,
                      int64_t *out);
/* Product of dims[from] … dims[to-1]. */
o2w_status dims_product(struct lower *l, const struct node_view *n, const dim *dims, uint32_t from,
                        uint32_t to, dim *out);
/* float16 as float32, others as they are (H1). */
o2w_status widen(struct lower *l, value x, value *out);
/* The one element of a known tensor. */
struct webnn_number number_at(const struct tensor *t, uint64_t index);
/* Gathers along an axis by known indices. */
o2w_status gather_known(struct lower *l, value x, const int64_t *indices, uint32_t count,
                        uint32_t axis, value *out);

/* Index into an operand of shape v->dims for element `i` of the result's shape. */
uint64_t broadcast_index(uint64_t i, const int64_t *shape, uint32_t rank, value v);
/* A known integer divisor has no 0, which no integer can be divided by. */
o2w_status check_divisor(struct lower *l, const struct node_view *n, value b);

/* Whether output i is an output of the model as well. */
bool gives_model_output(const struct lower *l, const struct node_view *n, uint32_t i);
/* A known value as an operand of the graph: nothing evaluates it any more. */
o2w_status unevaluated(struct lower *l, value x, value *out);

#include "lower/calc.h" /* compositions as formulas */

#endif
