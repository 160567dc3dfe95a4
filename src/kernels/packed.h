/* Matrices of few bits per element, dequantised where a product reads them, never whole. */
#ifndef KERNELS_PACKED_H
#define KERNELS_PACKED_H

#include "tensor/dtype.h"

/* (q - zero) · scale, rounded as dequantizeLinear, or as sub and mul round it. Lines are what lies densely in
 * memory: columns of the matrix, or rows. Equally large matrices follow each other as further lines. */
struct packed_matrix {
    enum dtype dtype;         /* of q and zero: int4, uint4, int8, uint8 */
    const void *q, *zero;     /* zero: where its scale is */
    const float *shift;       /* in place of zero, or NULL; q is unsigned then */
    const void *scale;        /* float32, or where elements are rounded to float16, that */
    bool columns;             /* lines are columns */
    bool halved;              /* elements are rounded to float16 */
    int64_t line;             /* elements from one line to the next */
    int64_t block, lines;     /* elements of a line, and lines, that share a scale */
    int64_t step, lines_step; /* scales from a block to the next: in a line, over lines */
};

#define DTYPES_PACKED (DTYPES_4BIT | DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_UINT8))

/* Elements first, first + 1, … of a line. */
void packed_read(const struct packed_matrix *m, int64_t line, int64_t first, int64_t count,
                 float *to);
/* As matrix_pack_b (kernels/gemm.h); the matrix is that whose first line is `start`. */
void packed_pack_b(const struct packed_matrix *m, int64_t start, int64_t first, int64_t count,
                   int64_t column, int64_t columns, int nr, float *to);

#endif
