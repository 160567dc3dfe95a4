/* resample2d: positions from the sizes of both sides, nearest by exact fractions. */
#include "kernels/move.h"
#include "kernels/types.h"

#include <string.h>

enum { GRAIN = 1 << 14 };

/* Where an output position along one axis reads: between low and high, `part` of the way. */
struct position {
    int64_t low, high;
    double part;
};

/* The tensor as [before, first, between, second, inner], first and second being the axes. */
struct resample {
    int64_t before, between, inner;
    int64_t input[2], output[2];
    const struct position *positions[2];
    const void *x;
    void *y;
    void (*row)(const struct resample *w, const void *low, const void *high, double part, void *y);
    size_t size;
};

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* c - 1/2 is ((2 o + 1) in - 2 out) / (2 out), and its ceiling the nearest element, ties down. */
static int64_t nearest(int64_t o, int64_t in, int64_t out)
{
    int64_t at = -floor_div(-((2 * o + 1) * in - 2 * out), 2 * out);
    return min_i64(max_i64(at, 0), in - 1);
}

static struct position position_of(int64_t o, int64_t in, int64_t out, bool linear)
{
    if (!linear) {
        int64_t at = nearest(o, in, out);
        return (struct position){ at, at, 0 };
    }
    int64_t numerator = (2 * o + 1) * in - out; /* of c, over 2 out */
    numerator = min_i64(max_i64(numerator, 0), (in - 1) * 2 * out);
    int64_t low = numerator / (2 * out), rest = numerator % (2 * out);
    return (struct position){ low, low + (rest > 0), (double)rest / (double)(2 * out) };
}

static const struct position *positions_of(const struct kernel_call *call, int64_t in, int64_t out,
                                           bool linear)
{
    struct position *list = kernel_memory(call, out, sizeof *list);
    for (int64_t o = 0; list && o < out; o++)
        list[o] = position_of(o, in, out, linear);
    return list;
}

/* An exact position reads one element alone: its neighbour may be infinite. */
static inline float between(float p, float q, float part)
{
    return part == 0 ? p : p * (1.0f - part) + q * part;
}

static inline double between_float64(double p, double q, double part)
{
    return part == 0 ? p : p * (1.0 - part) + q * part;
}

#define MIXED_ROW(name, type, wide, MIX, STORE)                                           \
    static void row_##name(const struct resample *w, const void *low, const void *high,   \
                           double part, void *to)                                         \
    {                                                                                     \
        const type *upper = low, *lower = high;                                           \
        type *y = to;                                                                     \
        for (int64_t o = 0; o < w->output[1]; o++) {                                      \
            const struct position *p = &w->positions[1][o];                               \
            const int64_t left = p->low * w->inner, right = p->high * w->inner;           \
            const wide across = (wide)p->part, down = (wide)part;                         \
            for (int64_t j = 0; j < w->inner; j++) {                                      \
                wide top = MIX((wide)upper[left + j], (wide)upper[right + j], across);    \
                wide bottom = MIX((wide)lower[left + j], (wide)lower[right + j], across); \
                wide mixed = MIX(top, bottom, down);                                      \
                y[o * w->inner + j] = (type)(STORE);                                      \
            }                                                                             \
        }                                                                                 \
    }
MIXED_ROW(float32, float, float, between, mixed)
MIXED_ROW(float64, double, double, between_float64, mixed)
MIXED_ROW(int8, int8_t, float, between, rintf(mixed))
MIXED_ROW(uint8, uint8_t, float, between, rintf(mixed))

#define NEAREST_ROW(type)                                                                   \
    static void nearest_##type(const struct resample *w, const void *low, const void *high, \
                               double part, void *to)                                       \
    {                                                                                       \
        const type *x = low;                                                                \
        type *y = to;                                                                       \
        (void)high, (void)part;                                                             \
        for (int64_t o = 0; w->inner == 1 && o < w->output[1]; o++)                         \
            y[o] = x[w->positions[1][o].low];                                               \
        for (int64_t o = 0; w->inner != 1 && o < w->output[1]; o++) {                       \
            const type *from = x + w->positions[1][o].low * w->inner;                       \
            for (int64_t j = 0; j < w->inner; j++)                                          \
                y[o * w->inner + j] = from[j];                                              \
        }                                                                                   \
    }
NEAREST_ROW(uint8_t)
NEAREST_ROW(uint16_t)
NEAREST_ROW(uint32_t)
NEAREST_ROW(uint64_t)

/* Rows of the result: (before, first, between). */
static void resample_rows(void *user, int64_t begin, int64_t end)
{
    const struct resample *w = user;
    size_t x_row = (size_t)(w->input[1] * w->inner) * w->size;
    size_t y_row = (size_t)(w->output[1] * w->inner) * w->size;
    const uint8_t *last_low = NULL, *last_high = NULL;
    double last_part = 0;
    for (int64_t row = begin; row < end; row++) {
        int64_t middle = row % w->between, first = row / w->between % w->output[0];
        int64_t before = row / w->between / w->output[0];
        const struct position *p = &w->positions[0][first];
        const uint8_t *x =
            (const uint8_t *)w->x + (size_t)(before * w->input[0] * w->between + middle) * x_row;
        const uint8_t *low = x + (size_t)(p->low * w->between) * x_row;
        const uint8_t *high = x + (size_t)(p->high * w->between) * x_row;
        uint8_t *y = (uint8_t *)w->y + (size_t)row * y_row;
        if (low == last_low && high == last_high && p->part == last_part)
            memcpy(y, y - y_row, y_row);
        else
            w->row(w, low, high, p->part, y);
        last_low = low, last_high = high, last_part = p->part;
    }
}

static void (*row_of(bool linear, enum dtype t))(const struct resample *, const void *,
                                                 const void *, double, void *)
{
    if (linear)
        return t == DTYPE_FLOAT32   ? row_float32
               : t == DTYPE_FLOAT64 ? row_float64
               : t == DTYPE_INT8    ? row_int8
               : t == DTYPE_UINT8   ? row_uint8
                                    : NULL;
    size_t size = element_size(t);
    return size == 1   ? nearest_uint8_t
           : size == 2 ? nearest_uint16_t
           : size == 4 ? nearest_uint32_t
                       : nearest_uint64_t;
}

o2w_status kernel_resample2d(const struct kernel_call *call)
{
    const struct webnn_resample2d_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0], *y = call_result(call, 0);
    bool linear = p->mode == WEBNN_INTERPOLATION_LINEAR;
    uint32_t a = p->axes.given ? p->axes.items[0] : 2, b = p->axes.given ? p->axes.items[1] : 3;
    uint32_t first = a < b ? a : b, second = a < b ? b : a;
    struct resample w = { .before = dims_product(x->dims, 0, first),
                          .between = dims_product(x->dims, first + 1, second),
                          .inner = dims_product(x->dims, second + 1, x->rank),
                          .input = { x->dims[first], x->dims[second] },
                          .output = { y->dims[first], y->dims[second] },
                          .x = x->data,
                          .y = y->data,
                          .row = row_of(linear, x->dtype),
                          .size = element_size(x->dtype) };
    if (!w.row)
        return O2W_UNSUPPORTED;
    w.positions[0] = positions_of(call, w.input[0], w.output[0], linear);
    w.positions[1] = positions_of(call, w.input[1], w.output[1], linear);
    if (!w.positions[0] || !w.positions[1])
        return O2W_NO_MEMORY;
    kernel_ranges(call, w.before * w.output[0] * w.between,
                  max_i64(1, GRAIN / (w.output[1] * w.inner)), resample_rows, &w);
    return O2W_OK;
}
