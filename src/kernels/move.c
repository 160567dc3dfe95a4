#include "kernels/move.h"

#include <string.h>

enum { MOVE_BYTES = 1 << 17, TILE = 16, FEW_PLANES = 8 };

size_t element_size(enum dtype t)
{
    return dtype_info(t)->bits / 8u;
}

/* The two inner loops of a copy: rows × cols elements. */
struct plane {
    int64_t rows, cols;
    int64_t to_row, to_col, from_row, from_col; /* strides in elements */
};

typedef void (*plane_copy)(const struct plane *p, void *to, const void *from);

/* Tiles keep both sides in the first cache when one is walked across its rows. */
#define PLANE_LOOPS(type)                                                                         \
    static void copy_tile_##type(const struct plane *p, type *to, const type *from, int64_t rows, \
                                 int64_t cols)                                                    \
    {                                                                                             \
        for (int64_t r = 0; r < rows; r++)                                                        \
            for (int64_t c = 0; c < cols; c++)                                                    \
                to[r * p->to_row + c * p->to_col] = from[r * p->from_row + c * p->from_col];      \
    }                                                                                             \
    static void copy_plane_##type(const struct plane *p, void *to, const void *from)              \
    {                                                                                             \
        type *y = to;                                                                             \
        const type *x = from;                                                                     \
        if (p->from_row != 1) {                                                                   \
            copy_tile_##type(p, y, x, p->rows, p->cols);                                          \
            return;                                                                               \
        }                                                                                         \
        for (int64_t r = 0; r < p->rows; r += TILE)                                               \
            for (int64_t c = 0; c < p->cols; c += TILE)                                           \
                copy_tile_##type(p, y + r * p->to_row + c * p->to_col,                            \
                                 x + r * p->from_row + c * p->from_col,                           \
                                 min_i64(TILE, p->rows - r), min_i64(TILE, p->cols - c));         \
    }
PLANE_LOOPS(uint8_t)
PLANE_LOOPS(uint16_t)
PLANE_LOOPS(uint32_t)
PLANE_LOOPS(uint64_t)

static plane_copy copy_of_size(size_t size)
{
    static const plane_copy by_size[] = { [1] = copy_plane_uint8_t,
                                          [2] = copy_plane_uint16_t,
                                          [4] = copy_plane_uint32_t,
                                          [8] = copy_plane_uint64_t };
    return by_size[size];
}

struct move {
    struct nest outer;
    struct plane plane;
    plane_copy copy;
    uint8_t *to;
    const uint8_t *from;
    size_t size;
};

static uint8_t *at(uint8_t *base, int64_t offset, size_t size)
{
    return base + offset * (int64_t)size;
}

static void copy_plane(const struct move *m, const struct plane *p, uint8_t *to,
                       const uint8_t *from)
{
    size_t run = (size_t)p->cols * m->size;
    if (p->from_col != 1 || p->to_col != 1 || run < 32) {
        m->copy(p, to, from);
        return;
    }
    for (int64_t r = 0; r < p->rows; r++)
        memcpy(at(to, r * p->to_row, m->size), from + r * p->from_row * (int64_t)m->size, run);
}

static void move_body(void *user, const int64_t offsets[NEST_VIEWS], int64_t count)
{
    const struct move *m = user;
    uint32_t last = m->outer.rank - 1;
    for (int64_t i = 0; i < count; i++) {
        int64_t to = offsets[0] + i * m->outer.strides[0][last];
        int64_t from = offsets[1] + i * m->outer.strides[1][last];
        copy_plane(m, &m->plane, at(m->to, to, m->size), m->from + from * (int64_t)m->size);
    }
}

static void move_part(void *user, int64_t begin, int64_t end)
{
    struct move *m = user;
    nest_walk(&m->outer, begin, end, move_body, m);
}

/* Some rows of the only plane. */
static void rows_part(void *user, int64_t begin, int64_t end)
{
    const struct move *m = user;
    struct plane p = m->plane;
    p.rows = end - begin;
    copy_plane(m, &p, at(m->to, begin * p.to_row, m->size),
               m->from + begin * p.from_row * (int64_t)m->size);
}

/* The dim that is walked together with the last one: along which the source is dense, else the
 * neighbour. */
static uint32_t row_dim(const struct nest *n)
{
    uint32_t last = n->rank - 1;
    if (n->strides[1][last] == 1)
        return last - 1;
    for (uint32_t d = 0; d < last; d++)
        if (n->strides[1][d] == 1)
            return d;
    return last - 1;
}

static void take_plane(struct move *m)
{
    struct nest *n = &m->outer;
    int64_t strides[NEST_VIEWS] = { 0 };
    uint32_t row = n->rank > 1 ? row_dim(n) : 0;
    m->plane = (struct plane){ .rows = 1 };
    if (n->rank > 1) {
        nest_take(n, row, &m->plane.rows, strides);
        m->plane.to_row = strides[0];
        m->plane.from_row = strides[1];
    }
    nest_take(n, n->rank - 1, &m->plane.cols, strides);
    m->plane.to_col = strides[0];
    m->plane.from_col = strides[1];
}

/* Each plane in turn, its rows in parallel. */
static void move_large_planes(const struct kernel_call *call, const struct move *m, int64_t grain)
{
    int64_t planes = nest_count(&m->outer);
    for (int64_t i = 0; i < planes; i++) {
        struct move one = *m;
        int64_t rest = i;
        for (uint32_t d = one.outer.rank; d-- > 0; rest /= one.outer.dims[d]) {
            int64_t index = rest % one.outer.dims[d];
            one.to = at(one.to, index * one.outer.strides[0][d], m->size);
            one.from += index * one.outer.strides[1][d] * (int64_t)m->size;
        }
        kernel_ranges(call, one.plane.rows, grain, rows_part, &one);
    }
}

void move_elements(const struct kernel_call *call, const struct nest *n, void *to, const void *from,
                   size_t size)
{
    struct move m = {
        .outer = *n, .copy = copy_of_size(size), .to = to, .from = from, .size = size
    };
    if (nest_count(n) == 0)
        return;
    nest_collapse(&m.outer);
    if (m.outer.rank == 1 && m.outer.strides[0][0] == 1 && m.outer.strides[1][0] == 1) {
        move_dense(call, to, from, m.outer.dims[0], size);
        return;
    }
    take_plane(&m);
    int64_t planes = nest_count(&m.outer);
    int64_t row_bytes = m.plane.cols * (int64_t)size;
    if (planes <= FEW_PLANES && row_bytes * m.plane.rows > MOVE_BYTES)
        move_large_planes(call, &m, max_i64(1, MOVE_BYTES / row_bytes));
    else
        kernel_ranges(call, planes, max_i64(1, MOVE_BYTES / (row_bytes * m.plane.rows)), move_part,
                      &m);
}

struct dense {
    uint8_t *to;
    const uint8_t *from;
    size_t size;
};

static void dense_part(void *user, int64_t begin, int64_t end)
{
    const struct dense *d = user;
    memcpy(d->to + (size_t)begin * d->size, d->from + (size_t)begin * d->size,
           (size_t)(end - begin) * d->size);
}

void move_dense(const struct kernel_call *call, void *to, const void *from, int64_t count,
                size_t size)
{
    struct dense d = { to, from, size };
    kernel_ranges(call, count, MOVE_BYTES * 2 / (int64_t)size, dense_part, &d);
}

#define FILL(type)                              \
    {                                           \
        type *y = (type *)(void *)to, element;  \
        memcpy(&element, from, sizeof element); \
        for (int64_t i = 0; i < count; i++)     \
            y[i] = element;                     \
    }

static void fill_part(void *user, int64_t begin, int64_t end)
{
    const struct dense *d = user;
    uint8_t *to = d->to + (size_t)begin * d->size;
    const uint8_t *from = d->from;
    int64_t count = end - begin;
    if (d->size == 1)
        memset(to, *from, (size_t)count);
    else if (d->size == 2)
        FILL(uint16_t)
    else if (d->size == 4)
        FILL(uint32_t)
    else
        FILL(uint64_t)
}

void move_fill(const struct kernel_call *call, void *to, const void *element, int64_t count,
               size_t size)
{
    struct dense d = { to, element, size };
    kernel_ranges(call, count, MOVE_BYTES * 2 / (int64_t)size, fill_part, &d);
}
