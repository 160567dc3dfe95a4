#include "kernels/matvec.h"

#include "kernels/vector.h"

#include <string.h>

enum { BLOCK = 512, PACKED_BLOCK = 64, LANES = 16, GRAIN = 1 << 16 };

struct matvec_work {
    const struct matvec *v;
    const float *rows;     /* A dense: [batch][m][k] */
    int64_t block, blocks; /* columns of a part; parts of a product */
};

/* sums[j] += a[0] * b[0][j] + … for four lines of B. */
VECTOR_CLONES static void add_lines(float *restrict sums, const float *a, const float *b,
                                    int64_t line, int64_t n)
{
    const float *b1 = b + line, *b2 = b1 + line, *b3 = b2 + line;
    for (int64_t j = 0; j < n; j++)
        sums[j] += a[0] * b[j] + a[1] * b1[j] + (a[2] * b2[j] + a[3] * b3[j]);
}

VECTOR_CLONES static void add_line(float *restrict sums, float a, const float *b, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        sums[j] += a * b[j];
}

/* lanes[p % LANES] += a[p] · b[p] */
VECTOR_CLONES static void add_products(float *restrict lanes, const float *a, const float *b,
                                       int64_t k)
{
    int64_t p = 0;
    float sums[LANES];
    memcpy(sums, lanes, sizeof sums);
    for (; p + LANES <= k; p += LANES)
        for (int l = 0; l < LANES; l++)
            sums[l] += a[p + l] * b[p + l];
    memcpy(lanes, sums, sizeof sums);
    for (; p < k; p++)
        lanes[p % LANES] += a[p] * b[p];
}

static float lanes_sum(float *lanes)
{
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++)
            lanes[l] += lanes[l + half];
    return lanes[0];
}

static float dot(const float *a, const float *b, int64_t k)
{
    float lanes[LANES] = { 0 };
    add_products(lanes, a, b, k);
    return lanes_sum(lanes);
}

/* One row of one block of columns: B is dense along n. */
static void row_by_lines(const struct matvec *v, const float *a, const float *b, float *sums,
                         int64_t n)
{
    int64_t p = 0, line = v->b.row;
    for (; p + 4 <= v->k; p += 4)
        add_lines(sums, a + p, b + p * line, line, n);
    for (; p < v->k; p++)
        add_line(sums, a[p], b + p * line, n);
}

/* Columns first … first + n of a packed matrix whose lines are columns. */
static void packed_columns(const struct matvec *v, int64_t start, const float *rows, float *c,
                           int64_t n)
{
    float read[BLOCK];
    for (int64_t j = 0; j < n; j++) {
        float lanes[MATVEC_ROWS][LANES] = { 0 };
        for (int64_t p = 0; p < v->k; p += BLOCK) {
            int64_t part = min_i64(BLOCK, v->k - p);
            packed_read(v->packed, start + j, p, part, read);
            for (int64_t i = 0; i < v->m; i++)
                add_products(lanes[i], rows + i * v->k + p, read, part);
        }
        for (int64_t i = 0; i < v->m; i++)
            c[i * v->n + j] += lanes_sum(lanes[i]);
    }
}

/* The same where lines are rows: four at a time, in the order of row_by_lines. */
static void packed_rows(const struct matvec *v, int64_t start, int64_t first, const float *rows,
                        float *c, int64_t n)
{
    float read[4 * BLOCK];
    for (int64_t p = 0, part; p < v->k; p += part) {
        part = v->k - p >= 4 ? 4 : 1;
        for (int64_t i = 0; i < part; i++)
            packed_read(v->packed, start + p + i, first, n, read + i * n);
        for (int64_t i = 0; i < v->m; i++) {
            const float *a = rows + i * v->k + p;
            if (part == 4)
                add_lines(c + i * v->n, a, read, n, n);
            else
                add_line(c + i * v->n, *a, read, n);
        }
    }
}

static void run_packed(void *user, int64_t begin, int64_t end)
{
    const struct matvec_work *w = user;
    const struct matvec *v = w->v;
    for (int64_t index = begin; index < end; index++) {
        int64_t batch = index / w->blocks, first = index % w->blocks * w->block;
        int64_t n = min_i64(w->block, v->n - first), start = v->b_offsets[batch];
        const float *rows = w->rows + batch * v->m * v->k;
        float *c = v->c + batch * v->m * v->n + first;
        for (int64_t i = 0; i < v->m && !v->load; i++)
            memset(c + i * v->n, 0, (size_t)n * sizeof *c);
        if (v->packed->columns)
            packed_columns(v, start + first, rows, c, n);
        else
            packed_rows(v, start, first, rows, c, n);
    }
}

static void run_blocks(void *user, int64_t begin, int64_t end)
{
    const struct matvec_work *w = user;
    const struct matvec *v = w->v;
    for (int64_t index = begin; index < end; index++) {
        int64_t batch = index / w->blocks, first = index % w->blocks * w->block;
        int64_t n = min_i64(w->block, v->n - first);
        const float *b = v->b.data + v->b_offsets[batch] + first * v->b.column;
        for (int64_t i = 0; i < v->m; i++) {
            const float *a = w->rows + (batch * v->m + i) * v->k;
            float *c = v->c + (batch * v->m + i) * v->n + first;
            if (!v->load)
                memset(c, 0, (size_t)n * sizeof *c);
            if (v->b.column == 1)
                row_by_lines(v, a, b, c, n);
            else
                for (int64_t j = 0; j < n; j++)
                    c[j] += dot(a, b + j * v->b.column, v->k);
        }
    }
}

static void copy_row(const struct matrix *a, int64_t offset, int64_t k, float *to)
{
    const float *from = a->data + offset;
    for (int64_t p = 0; p < k; p++)
        to[p] = from[p * a->column];
}

o2w_status matvec_run(const struct kernel_call *call, const struct matvec *v)
{
    float *rows = kernel_memory(call, v->batch * v->m * v->k, sizeof *rows);
    if (!rows)
        return O2W_NO_MEMORY;
    for (int64_t batch = 0; batch < v->batch; batch++)
        for (int64_t i = 0; i < v->m; i++)
            copy_row(&v->a, v->a_offsets[batch] + i * v->a.row, v->k,
                     rows + (batch * v->m + i) * v->k);
    int64_t block = v->packed && v->packed->columns ? PACKED_BLOCK : BLOCK;
    struct matvec_work w = { v, rows, block, ceil_div(v->n, block) };
    int64_t each = v->k * min_i64(v->n, block) * v->m;
    kernel_ranges(call, v->batch * w.blocks, max_i64(1, GRAIN / max_i64(each, 1)),
                  v->packed ? run_packed : run_blocks, &w);
    return O2W_OK;
}
