#include "kernels/packed.h"

#include "base/half.h"
#include "kernels/convert.h"
#include "kernels/gemm.h"
#include "kernels/vector.h"

#include <string.h>

enum { PIECE = 512, ROWS = 128 }; /* elements read at once; of a line that is turned */

/* Elements at, at + 1, … of nibbles as bytes. */
static inline void unpack(const uint8_t *q, int64_t at, int64_t count, uint8_t *restrict to)
{
    const uint8_t *from = q + at / 2;
    int64_t head = at % 2, pairs = (count - head) / 2;
    if (head)
        *to++ = *from++ >> 4;
    for (int64_t i = 0; i < pairs; i++) {
        to[2 * i] = from[i] & 15;
        to[2 * i + 1] = from[i] >> 4;
    }
    if ((count - head) % 2)
        to[2 * pairs] = from[pairs] & 15;
}

/* Elements under one scale; they are read as unsigned: `flip` moves signed ones there, and `zero` with them. */
static inline void dequantize(const uint8_t *restrict q, int64_t count, uint8_t flip, float zero,
                              float scale, float *restrict to)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = ((float)(q[i] ^ flip) - zero) * scale;
}

/* Integers of 8 bits: their difference as floats is exact. */
static inline float zero_of(const struct packed_matrix *m, int64_t at, int flip)
{
    if (m->shift)
        return m->shift[at];
    const uint8_t *zero = m->zero;
    int z = dtype_in(m->dtype, DTYPES_4BIT) ? zero[at / 2] >> (at % 2 * 4) & 15 : zero[at];
    return (float)(z ^ flip);
}

static inline float scale_of(const struct packed_matrix *m, int64_t at)
{
    return m->halved ? half_to_float(((const uint16_t *)m->scale)[at])
                     : ((const float *)m->scale)[at];
}

static inline int flip_of(enum dtype t)
{
    return t == DTYPE_INT4 ? 8 : t == DTYPE_INT8 ? 128 : 0;
}

/* At most PIECE elements. */
VECTOR_CLONES static void packed_piece(const struct packed_matrix *m, int64_t line, int64_t first,
                                       int64_t count, float *to)
{
    uint8_t bytes[PIECE];
    const uint8_t *q = m->q;
    const int flip = flip_of(m->dtype);
    int64_t from = line * m->line + first, block = first / m->block;
    int64_t scales = line / m->lines * m->lines_step, left = (block + 1) * m->block - first;
    if (dtype_in(m->dtype, DTYPES_4BIT))
        unpack(q, from, count, bytes);
    q = dtype_in(m->dtype, DTYPES_4BIT) ? bytes : q + from;
    for (int64_t i = 0, part; i < count; i += part, block++, left = m->block) {
        int64_t at = scales + block * m->step;
        part = min_i64(count - i, left);
        dequantize(q + i, part, (uint8_t)flip, zero_of(m, at, flip), scale_of(m, at), to + i);
    }
}

/* Rounds to float16 and back. */
static void halve(float *values, int64_t count)
{
    uint16_t halves[128];
    for (int64_t i = 0; i < count; i += 128) {
        int64_t part = min_i64(128, count - i);
        half_narrow(values + i, halves, part);
        half_widen(halves, values + i, part);
    }
}

void packed_read(const struct packed_matrix *m, int64_t line, int64_t first, int64_t count,
                 float *to)
{
    for (int64_t i = 0; i < count; i += PIECE)
        packed_piece(m, line, first + i, min_i64(PIECE, count - i), to + i);
    if (m->halved)
        halve(to, count);
}

/* A panel of columns, which are lines: read in pieces, turned. */
static void pack_columns(const struct packed_matrix *m, int64_t line, int64_t columns,
                         int64_t first, int64_t count, int nr, float *to)
{
    float read[GEMM_NR_MAX * ROWS];
    const struct matrix turned = { read, ROWS, 1 };
    for (int64_t p = 0; p < count; p += ROWS) {
        int64_t part = min_i64(ROWS, count - p);
        for (int64_t j = 0; j < columns; j++)
            packed_read(m, line + j, first + p, part, read + j * ROWS);
        matrix_pack_a(&turned, 0, columns, 0, part, nr, to + p * nr);
    }
}

static void pack_rows(const struct packed_matrix *m, int64_t line, int64_t count, int64_t column,
                      int64_t columns, int nr, float *to)
{
    for (int64_t p = 0; p < count; p++) {
        packed_read(m, line + p, column, columns, to + p * nr);
        memset(to + p * nr + columns, 0, (size_t)(nr - columns) * sizeof *to);
    }
}

void packed_pack_b(const struct packed_matrix *m, int64_t start, int64_t first, int64_t count,
                   int64_t column, int64_t columns, int nr, float *to)
{
    for (int64_t j = 0; j < columns; j += nr) {
        int64_t width = min_i64(nr, columns - j);
        float *panel = to + j / nr * gemm_panel(count, nr);
        if (m->columns)
            pack_columns(m, start + column + j, width, first, count, nr, panel);
        else
            pack_rows(m, start + first, count, column + j, width, nr, panel);
    }
}
