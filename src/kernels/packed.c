#include "kernels/packed.h"

#include "base/half.h"
#include "kernels/convert.h"
#include "kernels/gemm.h"
#include "kernels/vector.h"

#include <string.h>

/* Part of a line under one scale. Elements are read as unsigned: `flip` moves signed ones there, and `zero`
 * with them. */
struct run {
    const uint8_t *from; /* of the line's matrix */
    int64_t at, count;   /* elements */
    int flip;
    float zero, scale;
};

static inline void read_nibbles(const struct run *r, float *restrict to)
{
    const int flip = r->flip * 17;
    const float scale = r->scale, zero = r->zero;
    const uint8_t *from = r->from + r->at / 2;
    int64_t head = r->at % 2, pairs = (r->count - head) / 2;
    if (head)
        *to++ = ((float)((*from++ ^ flip) >> 4) - zero) * scale;
    for (int64_t i = 0; i < pairs; i++) {
        int byte = from[i] ^ flip;
        to[2 * i] = ((float)(byte & 15) - zero) * scale;
        to[2 * i + 1] = ((float)(byte >> 4) - zero) * scale;
    }
    if ((r->count - head) % 2)
        to[2 * pairs] = ((float)((from[pairs] ^ flip) & 15) - zero) * scale;
}

static inline void read_bytes(const struct run *r, float *restrict to)
{
    const uint8_t *from = r->from + r->at;
    for (int64_t i = 0; i < r->count; i++)
        to[i] = ((float)(from[i] ^ r->flip) - r->zero) * r->scale;
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

VECTOR_CLONES static void packed_line(const struct packed_matrix *m, int64_t line, int64_t first,
                                      int64_t count, float *to)
{
    bool nibbles = dtype_in(m->dtype, DTYPES_4BIT);
    struct run r = { .from = m->q,
                     .flip = m->dtype == DTYPE_INT4   ? 8
                             : m->dtype == DTYPE_INT8 ? 128
                                                      : 0 };
    int64_t scales = line / m->lines * m->lines_step;
    for (int64_t end = first + count; first < end; first += r.count) {
        int64_t at = scales + first / m->block * m->step;
        r.at = line * m->line + first;
        r.count = min_i64(end, (first / m->block + 1) * m->block) - first;
        r.scale = scale_of(m, at);
        r.zero = zero_of(m, at, r.flip);
        if (nibbles)
            read_nibbles(&r, to);
        else
            read_bytes(&r, to);
        to += r.count;
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
    packed_line(m, line, first, count, to);
    if (m->halved)
        halve(to, count);
}

enum { PIECE = 128 };

/* A panel of columns, which are lines: read in pieces, turned. */
static void pack_columns(const struct packed_matrix *m, int64_t line, int64_t columns,
                         int64_t first, int64_t count, int nr, float *to)
{
    float read[GEMM_NR_MAX * PIECE];
    const struct matrix turned = { read, PIECE, 1 };
    for (int64_t p = 0; p < count; p += PIECE) {
        int64_t part = min_i64(PIECE, count - p);
        for (int64_t j = 0; j < columns; j++)
            packed_read(m, line + j, first + p, part, read + j * PIECE);
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
