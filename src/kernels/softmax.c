/* softmax along one axis: the maximum is taken off, sums are float64. */
#include "kernels/axis.h"
#include "kernels/math32.h"
#include "kernels/types.h"

enum { GRAIN = 1 << 13, LANES = 8, MOST_LANES = 32 };

struct softmax {
    struct axis_view view;
    const void *x;
    void *y;
};

/* y = e^(x - shift) along a dense line; returns the sum, taken in eight lanes. */
VECTOR_CLONES static double exp_line(const float *x, float *restrict y, int64_t n, float shift)
{
    double lanes[LANES] = { 0 };
    for (int64_t i = 0; i < n; i++)
        y[i] = exp_difference_float32(x[i], shift);
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++)
            lanes[l] += (double)y[i + l];
    for (; i < n; i++)
        lanes[i % LANES] += (double)y[i];
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++)
            lanes[l] += lanes[l + half];
    return lanes[0];
}

VECTOR_CLONES static float line_maximum(const float *x, int64_t n)
{
    float lanes[MOST_LANES];
    for (int l = 0; l < MOST_LANES; l++)
        lanes[l] = -INFINITY;
    int64_t i = 0;
    for (; i + MOST_LANES <= n; i += MOST_LANES)
        for (int l = 0; l < MOST_LANES; l++)
            lanes[l] = larger_float32(lanes[l], x[i + l]);
    for (; i < n; i++)
        lanes[0] = larger_float32(lanes[0], x[i]);
    for (int l = 1; l < MOST_LANES; l++)
        lanes[0] = larger_float32(lanes[0], lanes[l]);
    return lanes[0];
}

VECTOR_CLONES static void divide_line(float *y, int64_t n, double sum)
{
    const double factor = 1 / sum;
    for (int64_t i = 0; i < n; i++)
        y[i] = (float)((double)y[i] * factor);
}

static void dense_lines(void *user, int64_t begin, int64_t end)
{
    const struct softmax *w = user;
    int64_t n = w->view.length;
    for (int64_t line = begin; line < end; line++) {
        const float *x = (const float *)w->x + line * n;
        float *y = (float *)w->y + line * n;
        double sum = exp_line(x, y, n, line_maximum(x, n));
        divide_line(y, n, sum);
    }
}

static inline double exp_difference_float64(double x, double y)
{
    return exp(x - y);
}

/* Lines that lie across: AXIS_LINES at a time. */
#define ACROSS(name, type, EXP)                                                                \
    static void across_##name(void *user, int64_t begin, int64_t end)                          \
    {                                                                                          \
        const struct softmax *w = user;                                                        \
        for (int64_t block = begin; block < end; block++) {                                    \
            int64_t lines, offset = axis_block(&w->view, block, &lines), step = w->view.inner; \
            const type *x = (const type *)w->x + offset;                                       \
            type *y = (type *)w->y + offset, shifts[AXIS_LINES];                               \
            double sums[AXIS_LINES] = { 0 };                                                   \
            for (int64_t j = 0; j < lines; j++)                                                \
                shifts[j] = x[j];                                                              \
            for (int64_t i = 1; i < w->view.length; i++)                                       \
                for (int64_t j = 0; j < lines; j++)                                            \
                    shifts[j] = larger_##name(shifts[j], x[i * step + j]);                     \
            for (int64_t i = 0; i < w->view.length; i++) {                                     \
                for (int64_t j = 0; j < lines; j++)                                            \
                    y[i * step + j] = EXP(x[i * step + j], shifts[j]);                         \
                for (int64_t j = 0; j < lines; j++)                                            \
                    sums[j] += (double)y[i * step + j];                                        \
            }                                                                                  \
            for (int64_t i = 0; i < w->view.length; i++)                                       \
                for (int64_t j = 0; j < lines; j++)                                            \
                    y[i * step + j] = (type)((double)y[i * step + j] / sums[j]);               \
        }                                                                                      \
    }
ACROSS(float32, float, exp_difference_float32)
ACROSS(float64, double, exp_difference_float64)

o2w_status kernel_softmax(const struct kernel_call *call)
{
    const struct webnn_softmax_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0];
    struct softmax w = { axis_of(x, p->axis), x->data, call_result(call, 0)->data };
    if (x->dtype == DTYPE_FLOAT32 && w.view.inner == 1)
        kernel_ranges(call, w.view.outer, max_i64(1, GRAIN / w.view.length), dense_lines, &w);
    else if (x->dtype == DTYPE_FLOAT32)
        kernel_ranges(call, axis_blocks(&w.view), axis_grain(&w.view, GRAIN), across_float32, &w);
    else if (x->dtype == DTYPE_FLOAT64)
        kernel_ranges(call, axis_blocks(&w.view), axis_grain(&w.view, GRAIN), across_float64, &w);
    else
        return O2W_UNSUPPORTED;
    return O2W_OK;
}
