/* conv2d with one input channel per group: rows of output are sums of shifted rows of input. */
#include "kernels/conv.h"
#include "kernels/vector.h"

enum { GRAIN = 1 << 15 };

/* to[j] += sum over k of taps[k] * from[j * stride + k * dilation]. */
#define ROW_TAPS(KERNEL, STRIDE, DILATION)                        \
    for (int64_t j = 0; j < n; j++) {                             \
        float sum = to[j];                                        \
        for (int64_t k = 0; k < (KERNEL); k++)                    \
            sum += taps[k] * from[j * (STRIDE) + k * (DILATION)]; \
        to[j] = sum;                                              \
    }

#define FIXED_ROW(NAME, KERNEL, STRIDE)                                                      \
    VECTOR_CLONES static void NAME(float *restrict to, const float *from, const float *taps, \
                                   int64_t n)                                                \
    {                                                                                        \
        ROW_TAPS(KERNEL, STRIDE, 1)                                                          \
    }
FIXED_ROW(row_3_1, 3, 1)
FIXED_ROW(row_3_2, 3, 2)
FIXED_ROW(row_5_1, 5, 1)
FIXED_ROW(row_5_2, 5, 2)
FIXED_ROW(row_7_1, 7, 1)
FIXED_ROW(row_9_1, 9, 1)

/* One tap at a time, any window. */
VECTOR_CLONES static void row_any(const struct window *w, float *restrict to, const float *from,
                                  const float *taps, int64_t n)
{
    for (int64_t k = 0; k < w->kernel; k++) {
        const float tap = taps[k], *x = from + k * w->dilation;
        if (w->stride == 1)
            for (int64_t j = 0; j < n; j++)
                to[j] += tap * x[j];
        else
            for (int64_t j = 0; j < n; j++)
                to[j] += tap * x[j * w->stride];
    }
}

static void row_inside(const struct window *w, float *to, const float *from, const float *taps,
                       int64_t n)
{
    int64_t stride = w->stride, kernel = w->dilation == 1 ? w->kernel : 0;
    if (kernel == 3 && stride == 1)
        row_3_1(to, from, taps, n);
    else if (kernel == 3 && stride == 2)
        row_3_2(to, from, taps, n);
    else if (kernel == 5 && stride == 1)
        row_5_1(to, from, taps, n);
    else if (kernel == 5 && stride == 2)
        row_5_2(to, from, taps, n);
    else if (kernel == 7 && stride == 1)
        row_7_1(to, from, taps, n);
    else if (kernel == 9 && stride == 1)
        row_9_1(to, from, taps, n);
    else
        row_any(w, to, from, taps, n);
}

/* Positions whose window hangs over an edge of the row. */
static void row_edge(const struct window *w, float *to, const float *row, const float *taps,
                     int64_t begin, int64_t end)
{
    for (int64_t j = begin; j < end; j++) {
        for (int64_t k = 0; k < w->kernel; k++) {
            int64_t at = window_input(w, j, k);
            if (at >= 0 && at < w->input)
                to[j] += taps[k] * row[at];
        }
    }
}

static void output_row(const struct conv *c, const float *plane, const float *filter, int64_t oy,
                       float *to)
{
    int64_t low, high, unused;
    window_range(&c->x, 0, &low, &unused);                /* the first tap is inside from here */
    window_range(&c->x, c->x.kernel - 1, &unused, &high); /* the last one up to here */
    high = max_i64(low, high);
    for (int64_t ky = 0; ky < c->y.kernel; ky++) {
        int64_t iy = window_input(&c->y, oy, ky);
        if (iy < 0 || iy >= c->y.input)
            continue;
        const float *row = plane + iy * c->x.input, *taps = filter + ky * c->x.kernel;
        row_edge(&c->x, to, row, taps, 0, low);
        if (high > low)
            row_inside(&c->x, to + low, row + window_input(&c->x, low, 0), taps, high - low);
        row_edge(&c->x, to, row, taps, high, c->x.output);
    }
}

/* Rows of the output over all planes. */
static void depthwise_rows(void *user, int64_t begin, int64_t end)
{
    const struct conv *c = user;
    int64_t kernel = c->y.kernel * c->x.kernel, input = c->y.input * c->x.input;
    for (int64_t row = begin; row < end; row++) {
        int64_t plane = row / c->y.output;
        int64_t channel = plane % (c->groups * c->filters);
        float *to = (float *)c->output + row * c->x.output;
        float start = c->bias ? ((const float *)c->bias)[channel] : 0.0f;
        for (int64_t j = 0; j < c->x.output; j++)
            to[j] = start;
        output_row(c, (const float *)c->input + plane / c->filters * input,
                   (const float *)c->filter + channel * kernel, row % c->y.output, to);
    }
}

void conv_depthwise(const struct kernel_call *call, const struct conv *c)
{
    struct conv work = *c;
    int64_t each = c->x.output * c->y.kernel * c->x.kernel;
    kernel_ranges(call, c->images * c->groups * c->filters * c->y.output,
                  max_i64(1, GRAIN / max_i64(1, each)), depthwise_rows, &work);
}
