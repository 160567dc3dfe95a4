/* Products with few rows: B is read once and never packed. */
#ifndef KERNELS_MATVEC_H
#define KERNELS_MATVEC_H

#include "kernels/gemm.h"
#include "kernels/packed.h"

enum { MATVEC_ROWS = 4 };

/* batch products C[m × n] = A[m × k] · B[k × n], m <= MATVEC_ROWS; B dense along k or along n, or packed. */
struct matvec {
    int64_t m, n, k, batch;
    struct matrix a, b;
    const struct packed_matrix *packed;   /* in place of b, or NULL */
    const int64_t *a_offsets, *b_offsets; /* per product; of packed ones the first line */
    float *c;                             /* dense, one product after the other */
    bool load;                            /* C starts with what is in it */
};

o2w_status matvec_run(const struct kernel_call *call, const struct matvec *v);

#endif
