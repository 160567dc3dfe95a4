/* averagePool2d, l2Pool2d, maxPool2d. */
#include "kernels/conv.h"
#include "kernels/layout.h"
#include "kernels/types.h"

#include <math.h>

enum { GRAIN = 1 << 15, BLOCK = 256, LANES = 8 };

struct pool_work;
/* Output positions begin … end of one row: to[0] belongs to begin. */
typedef void (*pool_row)(const struct pool_work *w, const void *plane, int64_t oy, int64_t begin,
                         int64_t end, void *to);

struct pool_work {
    struct window y, x;
    pool_row row;
    const uint8_t *input;
    uint8_t *output;
    size_t size;          /* of an element */
    bool root;            /* l2: root of the sum of squares; else the average */
    const int64_t *valid; /* elements of the window inside the row, by output column */
};

static int64_t valid_count(const struct window *w, int64_t o)
{
    int64_t count = 0;
    for (int64_t k = 0; k < w->kernel; k++) {
        int64_t at = window_input(w, o, k);
        count += at >= 0 && at < w->input;
    }
    return count;
}

/* Sum of a dense line in lanes, the same whatever adds them. */
#define SUM_LINE(NAME, TYPE, MAP)                                     \
    VECTOR_CLONES static double line_##NAME(const TYPE *x, int64_t n) \
    {                                                                 \
        double lanes[LANES] = { 0 };                                  \
        int64_t i = 0;                                                \
        for (; i + LANES <= n; i += LANES)                            \
            for (int l = 0; l < LANES; l++) {                         \
                const double p = x[i + l];                            \
                lanes[l] += MAP;                                      \
            }                                                         \
        for (; i < n; i++) {                                          \
            const double p = x[i];                                    \
            lanes[i % LANES] += MAP;                                  \
        }                                                             \
        for (int half = LANES / 2; half > 0; half /= 2)               \
            for (int l = 0; l < half; l++)                            \
                lanes[l] += lanes[l + half];                          \
        return lanes[0];                                              \
    }
SUM_LINE(average_float32, float, p)
SUM_LINE(average_float64, double, p)
SUM_LINE(l2_float32, float, p *p)
SUM_LINE(l2_float64, double, p *p)

/* Sums over the valid elements in float64; the divisor is their number. A row with one window reads
 * its lines, others take one column of the window after the other. */
#define SUM_ROW(NAME, TYPE, MAP)                                                             \
    VECTOR_CLONES static void NAME(const struct pool_work *w, const void *plane, int64_t oy, \
                                   int64_t begin, int64_t end, void *to)                     \
    {                                                                                        \
        double sums[BLOCK] = { 0 };                                                          \
        for (int64_t ky = 0; ky < w->y.kernel; ky++) {                                       \
            int64_t iy = window_input(&w->y, oy, ky);                                        \
            if (iy < 0 || iy >= w->y.input)                                                  \
                continue;                                                                    \
            const TYPE *row = (const TYPE *)plane + iy * w->x.input;                         \
            if (w->x.output == 1 && w->x.dilation == 1) {                                    \
                sums[0] += line_##NAME(row, w->valid[0]);                                    \
                continue;                                                                    \
            }                                                                                \
            for (int64_t kx = 0; kx < w->x.kernel; kx++) {                                   \
                int64_t low, high, first = window_input(&w->x, 0, kx);                       \
                window_range(&w->x, kx, &low, &high);                                        \
                low = max_i64(low, begin);                                                   \
                high = min_i64(high, end);                                                   \
                for (int64_t o = low; o < high; o++) {                                       \
                    const double p = row[first + o * w->x.stride];                           \
                    sums[o - begin] += MAP;                                                  \
                }                                                                            \
            }                                                                                \
        }                                                                                    \
        TYPE *y = to;                                                                        \
        int64_t rows = valid_count(&w->y, oy);                                               \
        for (int64_t o = begin; o < end; o++) {                                              \
            double sum = sums[o - begin];                                                    \
            y[o - begin] = (TYPE)(w->root ? sqrt(sum) : sum / (double)(rows * w->valid[o])); \
        }                                                                                    \
    }
SUM_ROW(average_float32, float, p)
SUM_ROW(average_float64, double, p)
SUM_ROW(l2_float32, float, p *p)
SUM_ROW(l2_float64, double, p *p)

/* A window wholly in the padding gives the least value. */
#define MAX_ROW(op, ID, name, type, wide)                                                         \
    CLONES_##ID static void most_##name(const struct pool_work *w, const void *plane, int64_t oy, \
                                        int64_t begin, int64_t end, void *to)                     \
    {                                                                                             \
        type *y = (type *)to - begin;                                                             \
        for (int64_t o = begin; o < end; o++)                                                     \
            y[o] = LEAST_##ID;                                                                    \
        for (int64_t ky = 0; ky < w->y.kernel; ky++) {                                            \
            int64_t iy = window_input(&w->y, oy, ky);                                             \
            if (iy < 0 || iy >= w->y.input)                                                       \
                continue;                                                                         \
            const type *row = (const type *)plane + iy * w->x.input;                              \
            for (int64_t kx = 0; kx < w->x.kernel; kx++) {                                        \
                int64_t low, high, first = window_input(&w->x, 0, kx), stride = w->x.stride;      \
                window_range(&w->x, kx, &low, &high);                                             \
                low = max_i64(low, begin);                                                        \
                high = min_i64(high, end);                                                        \
                for (int64_t o = low; o < high; o++)                                              \
                    y[o] = larger_##name(y[o], row[first + o * stride]);                          \
            }                                                                                     \
        }                                                                                         \
    }
NUMERIC_TYPES(MAX_ROW, most)

static void pool_rows(void *user, int64_t begin, int64_t end)
{
    const struct pool_work *w = user;
    size_t plane_bytes = (size_t)(w->y.input * w->x.input) * w->size;
    for (int64_t row = begin; row < end; row++) {
        const uint8_t *plane = w->input + (size_t)(row / w->y.output) * plane_bytes;
        uint8_t *to = w->output + (size_t)(row * w->x.output) * w->size;
        for (int64_t o = 0; o < w->x.output; o += BLOCK)
            w->row(w, plane, row % w->y.output, o, min_i64(o + BLOCK, w->x.output),
                   to + (size_t)o * w->size);
    }
}

static pool_row row_of(enum webnn_operator kind, enum dtype t)
{
    static const pool_row maxima[DTYPE_COUNT] = { NUMERIC_TYPES(LOOP_ENTRY, most) };
    static const pool_row averages[DTYPE_COUNT] = {
        [DTYPE_FLOAT32] = average_float32, [DTYPE_FLOAT64] = average_float64
    };
    static const pool_row roots[DTYPE_COUNT] = {
        [DTYPE_FLOAT32] = l2_float32, [DTYPE_FLOAT64] = l2_float64
    };
    return kind == WEBNN_MAX_POOL2D       ? maxima[t]
           : kind == WEBNN_AVERAGE_POOL2D ? averages[t]
                                          : roots[t];
}

static struct window window_of(const struct webnn_pool2d_attributes *p, int axis, int64_t input,
                               int64_t output)
{
    return (struct window){ .input = input,
                            .output = output,
                            .kernel = p->window_dimensions.given ? p->window_dimensions.items[axis]
                                                                 : input,
                            .stride = p->strides.given ? p->strides.items[axis] : 1,
                            .dilation = p->dilations.given ? p->dilations.items[axis] : 1,
                            .padding = p->padding.given ? p->padding.items[2 * axis] : 0 };
}

o2w_status kernel_pool2d(const struct kernel_call *call)
{
    const struct webnn_pool2d_attributes *p = call->attributes;
    struct tensor x, y;
    TRY(layout_images(call, p->layout, 0, &x));
    TRY(layout_result(call, p->layout, &y));
    struct pool_work w = { .y = window_of(p, 0, x.dims[2], y.dims[2]),
                           .x = window_of(p, 1, x.dims[3], y.dims[3]),
                           .row = row_of(call->kind, x.dtype),
                           .input = x.data,
                           .output = y.data,
                           .size = dtype_info(x.dtype)->bits / 8,
                           .root = call->kind == WEBNN_L2_POOL2D };
    if (!w.row)
        return O2W_UNSUPPORTED;
    int64_t *valid = kernel_memory(call, w.x.output, sizeof *valid);
    if (!valid)
        return O2W_NO_MEMORY;
    for (int64_t o = 0; o < w.x.output; o++)
        valid[o] = valid_count(&w.x, o);
    w.valid = valid;
    int64_t each = w.x.output * w.y.kernel * w.x.kernel;
    kernel_ranges(call, y.dims[0] * y.dims[1] * w.y.output, max_i64(1, GRAIN / max_i64(1, each)),
                  pool_rows, &w);
    layout_finish(call, p->layout, &y);
    return O2W_OK;
}
