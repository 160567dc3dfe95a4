/* Panels of matrices in the order that the inner kernels read them. */
#include "kernels/gemm.h"
#include "kernels/vector.h"

#include <string.h>

#if VECTOR_X86
#include <immintrin.h>
#endif

/* `count` lines of `width` neighbours, width known to the compiler. */
#define COPY_LINES(width)               \
    for (int64_t p = 0; p < count; p++) \
    memcpy(to + p * (width), from + p * step, (size_t)(width) * sizeof *to)

static void copy_lines(const float *from, int64_t step, int64_t count, int width, float *to)
{
    if (width == 16)
        COPY_LINES(16);
    else if (width == 32)
        COPY_LINES(32);
    else if (width == 8)
        COPY_LINES(8);
    else
        COPY_LINES(width);
}

/* to[p * width + i] = from[i * step + p] for i < 4. */
static int64_t turn_four(const float *from, int64_t step, int64_t count, int width, float *to)
{
    int64_t p = 0;
#if VECTOR_X86
    for (; p + 4 <= count; p += 4) {
        __m128 a = _mm_loadu_ps(from + p), b = _mm_loadu_ps(from + step + p);
        __m128 c = _mm_loadu_ps(from + 2 * step + p), d = _mm_loadu_ps(from + 3 * step + p);
        _MM_TRANSPOSE4_PS(a, b, c, d);
        _mm_storeu_ps(to + p * width, a);
        _mm_storeu_ps(to + (p + 1) * width, b);
        _mm_storeu_ps(to + (p + 2) * width, c);
        _mm_storeu_ps(to + (p + 3) * width, d);
    }
#else
    (void)from, (void)step, (void)count, (void)width, (void)to;
#endif
    return p;
}

static int64_t turn_two(const float *from, int64_t step, int64_t count, int width, float *to)
{
    int64_t p = 0;
#if VECTOR_X86
    for (; p + 4 <= count; p += 4) {
        __m128 a = _mm_loadu_ps(from + p), b = _mm_loadu_ps(from + step + p);
        __m128 low = _mm_unpacklo_ps(a, b), high = _mm_unpackhi_ps(a, b);
        _mm_storel_pi((__m64 *)(void *)(to + p * width), low);
        _mm_storeh_pi((__m64 *)(void *)(to + (p + 1) * width), low);
        _mm_storel_pi((__m64 *)(void *)(to + (p + 2) * width), high);
        _mm_storeh_pi((__m64 *)(void *)(to + (p + 3) * width), high);
    }
#else
    (void)from, (void)step, (void)count, (void)width, (void)to;
#endif
    return p;
}

/* Rows that are dense along k, turned: to[p * width + i] = from[i * step + p]. */
static void turn_rows(const float *from, int64_t step, int64_t rows, int64_t count, int width,
                      float *to)
{
    int64_t taken;
    for (int64_t i = 0; i < rows; i += taken) {
        int64_t left = rows - i, p = 0;
        taken = left >= 4 ? 4 : left >= 2 ? 2 : 1;
        if (taken == 4)
            p = turn_four(from + i * step, step, count, width, to + i);
        else if (taken == 2)
            p = turn_two(from + i * step, step, count, width, to + i);
        for (; p < count; p++)
            for (int64_t j = i; j < i + taken; j++)
                to[p * width + j] = from[j * step + p];
    }
}

void matrix_pack_a(const struct matrix *a, int64_t row, int64_t rows, int64_t first, int64_t count,
                   int mr, float *to)
{
    const float *from = a->data + row * a->row + first * a->column;
    if (a->row == 1 && rows == mr) {
        copy_lines(from, a->column, count, mr, to);
        return;
    }
    if (rows < mr)
        memset(to, 0, (size_t)(count * mr) * sizeof *to);
    if (a->column == 1) {
        turn_rows(from, a->row, rows, count, mr, to);
        return;
    }
    for (int64_t p = 0; p < count; p++)
        for (int64_t i = 0; i < rows; i++)
            to[p * mr + i] = from[i * a->row + p * a->column];
}

/* Lines of B are read whole: its rows may be far apart. */
static void pack_lines(const float *from, int64_t step, int64_t count, int64_t columns, int nr,
                       float *to)
{
    int64_t whole = columns / nr * nr, rest = columns - whole, panel = gemm_panel(count, nr);
    for (int64_t p = 0; p < count; p++) {
        const float *line = from + p * step;
        float *place = to + p * nr;
        for (int64_t j = 0; j < whole; j += nr, place += panel)
            copy_lines(line + j, 0, 1, nr, place);
        for (int64_t j = 0; rest > 0 && j < nr; j++)
            place[j] = j < rest ? line[whole + j] : 0.0f;
    }
}

void matrix_pack_b(const struct matrix *b, int64_t first, int64_t count, int64_t column,
                   int64_t columns, int nr, float *to)
{
    if (b->column == 1) {
        pack_lines(b->data + first * b->row + column, b->row, count, columns, nr, to);
        return;
    }
    struct matrix turned = { b->data, b->column, b->row };
    for (int64_t j = 0; j < columns; j += nr)
        matrix_pack_a(&turned, column + j, min_i64(nr, columns - j), first, count, nr,
                      to + j / nr * gemm_panel(count, nr));
}
