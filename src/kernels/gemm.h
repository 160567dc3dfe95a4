/* float32 matrix products: C = A · B (+ what C starts with), packed and blocked, one kernel per
 * instruction set. The order in which a sum is taken depends on k alone. */
#ifndef KERNELS_GEMM_H
#define KERNELS_GEMM_H

#include "kernels/internal.h"

/* How C begins. */
enum gemm_start {
    GEMM_ZERO,
    GEMM_ROWS, /* every row with its element of `rows` */
    GEMM_LOAD  /* with what is in C */
};

/* The inner kernel: C[mr × nr] over the packed panel a[k][mr] and k lines of nr floats, `line` apart from b on. */
struct gemm_micro {
    int mr, nr;
    void (*run)(int64_t k, const float *a, const float *b, int64_t line, float *c, int64_t row,
                enum gemm_start start, const float *rows);
};

enum { GEMM_MR_MAX = 16, GEMM_NR_MAX = 32 };

/* The one for this processor. */
const struct gemm_micro *gemm_micro(void);

/* Floats from one panel of B to the next: a line more than they hold, so that neighbours do not fall
 * into the same cache set. */
static inline int64_t gemm_panel(int64_t count, int nr)
{
    return (count + 1) * nr;
}

/* A matrix in memory: element (i, j) is data[i * row + j * column]. */
struct matrix {
    const float *data;
    int64_t row, column;
};

/* `batch` products of one shape. */
struct gemm {
    int64_t m, n, k, batch;
    /* to[p * mr + i] = A(row + i, first + p) for i < rows, p < count; 0 for rows <= i < mr. */
    void (*pack_a)(const void *user, int64_t batch, int64_t row, int64_t rows, int64_t first,
                   int64_t count, int mr, float *to);
    /* Panels of nr columns, gemm_panel(count, nr) floats apart: panel j / nr has B(first + p,
     * column + j) at p * nr + j % nr for j < columns; the last one is filled up with 0. */
    void (*pack_b)(const void *user, int64_t batch, int64_t first, int64_t count, int64_t column,
                   int64_t columns, int nr, float *to);
    /* Optional: where B lies, if its columns are neighbours; few rows of A read it there. */
    bool (*place_b)(const void *user, int64_t batch, struct matrix *b);
    const void *user;
    bool shared_a; /* pack_a gives the same for every batch */
    float *c;      /* rows `row` apart, batches `step` apart */
    int64_t row, step;
    enum gemm_start start;
    const float *rows; /* GEMM_ROWS: row_sets times m values; batch b takes set b % row_sets */
    int64_t row_sets;
};

o2w_status gemm_run(const struct kernel_call *call, const struct gemm *g);

/* The same in two steps: memory once, for any number of runs with at most that m. */
struct gemm_memory {
    float *packed, *scratch;
    int64_t chunk, scratch_size; /* rows packed at a time; floats per slot */
};
o2w_status gemm_reserve(const struct kernel_call *call, const struct gemm *g,
                        struct gemm_memory *memory);
void gemm_run_in(const struct kernel_call *call, const struct gemm *g,
                 const struct gemm_memory *memory);

void matrix_pack_a(const struct matrix *a, int64_t row, int64_t rows, int64_t first, int64_t count,
                   int mr, float *to);
void matrix_pack_b(const struct matrix *b, int64_t first, int64_t count, int64_t column,
                   int64_t columns, int nr, float *to);

#endif
