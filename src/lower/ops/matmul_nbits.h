/* Matrices of few bits per element, in blocks along K with a scale each. */
#ifndef LOWER_OPS_MATMUL_NBITS_H
#define LOWER_OPS_MATMUL_NBITS_H

#include "lower/quantized.h"

/* [N, K] as blocks of `block` elements; the inputs where its parts stand (NBITS_ABSENT: nowhere). */
struct nbits_matrix {
    int64_t N, K, block, bits; /* 2, 4 or 8 bits, low ones first */
    uint32_t data, scales, zeros, groups;
};
enum { NBITS_ABSENT = 1000 };

/* Refuses sizes that no matrix has. `block_size` and so on are the attributes' names. */
o2w_status nbits_check(struct lower *l, const struct node_view *n, const struct nbits_matrix *m);
/* (q - zero) · scale in the dtype of the scales, [N, K]. 4 and 8 bits are used as they lie. */
o2w_status nbits_floats(struct lower *l, const struct node_view *n, const struct nbits_matrix *m,
                        value *out);
/* a [.., K] · matrixᵀ + bias (input `bias_at`, NBITS_ABSENT: none). */
o2w_status nbits_product(struct lower *l, const struct node_view *n, const struct nbits_matrix *m,
                         value a, uint32_t bias_at, value *out);

/* Packed elements of a known tensor, each row of `length` in whole bytes, one per byte: uint8
 * [rows, length]. */
o2w_status nbits_unpack(struct lower *l, value packed, int64_t bits, int64_t rows, int64_t length,
                        value *out);
/* uint8 elements of 0 to 15 as uint4. */
o2w_status nbits_pack4(struct lower *l, value bytes, value *out);

#endif
