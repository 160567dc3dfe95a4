/* batch-, instance- and layerNormalization: statistics in float64, two passes, biased variance. */
#include "kernels/axis.h"
#include "kernels/layout.h"
#include "kernels/move.h"
#include "kernels/types.h"

enum { GRAIN = 1 << 14, LANES = 8 };

/* Rows that are normalised one by one. */
struct norm {
    const void *x;
    void *y;
    int64_t length;
    const void *scale, *bias; /* NULL: 1, 0 */
    int64_t row_parameters;   /* instance: rows share parameters modulo this; 0: one per element */
    double epsilon;
};

#define NORM_ROWS(op, ID, name, type, wide)                                                       \
    CLONES_##ID static double sum_##name(const type *x, int64_t n, double shift, bool squares)    \
    {                                                                                             \
        double lanes[LANES] = { 0 };                                                              \
        int64_t i = 0;                                                                            \
        for (; i + LANES <= n; i += LANES) {                                                      \
            for (int l = 0; l < LANES; l++) {                                                     \
                double p = (double)x[i + l] - shift;                                              \
                lanes[l] += squares ? p * p : p;                                                  \
            }                                                                                     \
        }                                                                                         \
        for (; i < n; i++) {                                                                      \
            double p = (double)x[i] - shift;                                                      \
            lanes[i % LANES] += squares ? p * p : p;                                              \
        }                                                                                         \
        for (int half = LANES / 2; half > 0; half /= 2)                                           \
            for (int l = 0; l < half; l++)                                                        \
                lanes[l] += lanes[l + half];                                                      \
        return lanes[0];                                                                          \
    }                                                                                             \
    CLONES_##ID static void scale_##name(const type *x, type *restrict y, int64_t n, double mean, \
                                         double factor, double bias)                              \
    {                                                                                             \
        for (int64_t i = 0; i < n; i++)                                                           \
            y[i] = (type)(((double)x[i] - mean) * factor + bias);                                 \
    }                                                                                             \
    CLONES_##ID static void scale_each_##name(const type *x, type *restrict y, int64_t n,         \
                                              double mean, double factor, const type *scale,      \
                                              const type *bias)                                   \
    {                                                                                             \
        if (scale && bias)                                                                        \
            for (int64_t i = 0; i < n; i++)                                                       \
                y[i] =                                                                            \
                    (type)(((double)x[i] - mean) * factor * (double)scale[i] + (double)bias[i]);  \
        else if (scale)                                                                           \
            for (int64_t i = 0; i < n; i++)                                                       \
                y[i] = (type)(((double)x[i] - mean) * factor * (double)scale[i]);                 \
        else                                                                                      \
            for (int64_t i = 0; i < n; i++)                                                       \
                y[i] = (type)(((double)x[i] - mean) * factor + (bias ? (double)bias[i] : 0));     \
    }                                                                                             \
    static void rows_##name(void *user, int64_t begin, int64_t end)                               \
    {                                                                                             \
        const struct norm *w = user;                                                              \
        const type *scale = w->scale, *bias = w->bias;                                            \
        for (int64_t row = begin; row < end; row++) {                                             \
            const type *x = (const type *)w->x + row * w->length;                                 \
            type *y = (type *)w->y + row * w->length;                                             \
            double mean = sum_##name(x, w->length, 0, false) / (double)w->length;                 \
            double variance = sum_##name(x, w->length, mean, true) / (double)w->length;           \
            double factor = 1 / sqrt(variance + w->epsilon);                                      \
            if (w->row_parameters == 0) {                                                         \
                scale_each_##name(x, y, w->length, mean, factor, scale, bias);                    \
                continue;                                                                         \
            }                                                                                     \
            int64_t at = row % w->row_parameters;                                                 \
            scale_##name(x, y, w->length, mean, scale ? factor *(double)scale[at] : factor,       \
                         bias ? (double)bias[at] : 0);                                            \
        }                                                                                         \
    }
FLOAT_TYPES(NORM_ROWS, norm)

static o2w_status run_rows(const struct kernel_call *call, struct norm *w, int64_t rows,
                           enum dtype t)
{
    if (t != DTYPE_FLOAT32 && t != DTYPE_FLOAT64)
        return O2W_UNSUPPORTED;
    kernel_ranges(call, rows, max_i64(1, GRAIN / max_i64(1, w->length)),
                  t == DTYPE_FLOAT32 ? rows_float32 : rows_float64, w);
    return O2W_OK;
}

static const void *data_of(const struct tensor *t)
{
    return t ? t->data : NULL;
}

o2w_status kernel_instance_normalization(const struct kernel_call *call)
{
    const struct webnn_instance_normalization_attributes *p = call->attributes;
    struct tensor x, y;
    TRY(layout_images(call, p->layout, 0, &x));
    TRY(layout_result(call, p->layout, &y));
    struct norm w = { .x = x.data,
                      .y = y.data,
                      .length = x.dims[2] * x.dims[3],
                      .scale = data_of(call_operand(call, 1)),
                      .bias = data_of(call_operand(call, 2)),
                      .row_parameters = x.dims[1],
                      .epsilon = option_double(call, x.dtype, p->epsilon) };
    TRY(run_rows(call, &w, x.dims[0] * x.dims[1], x.dtype));
    layout_finish(call, p->layout, &y);
    return O2W_OK;
}

/* The dims in the order kept dims, axes as given; the length of the axes together. */
static int64_t rows_order(const struct tensor *x, const struct webnn_u32s *axes,
                          uint32_t order[MAX_RANK])
{
    uint32_t kept = 0, normalised = x->rank - axes->count;
    int64_t length = 1;
    for (uint32_t d = 0; d < x->rank; d++) {
        bool is_axis = false;
        for (uint32_t i = 0; i < axes->count; i++)
            is_axis = is_axis || axes->items[i] == d;
        if (!is_axis)
            order[kept++] = d;
    }
    for (uint32_t i = 0; i < axes->count; i++) {
        order[normalised + i] = axes->items[i];
        length *= x->dims[axes->items[i]];
    }
    return length;
}

/* Between a tensor and dense rows in the order given. */
static void move_rows(const struct kernel_call *call, const struct tensor *t,
                      const uint32_t order[MAX_RANK], void *rows, bool to_rows)
{
    int64_t strides[MAX_RANK], permuted[MAX_RANK], dense[MAX_RANK];
    struct tensor arranged = *t;
    tensor_strides(t, strides);
    for (uint32_t d = 0; d < t->rank; d++) {
        arranged.dims[d] = t->dims[order[d]];
        permuted[d] = strides[order[d]];
    }
    tensor_strides(&arranged, dense);
    struct nest n;
    nest_begin(&n, arranged.dims, t->rank);
    nest_view(&n, to_rows ? dense : permuted);
    nest_view(&n, to_rows ? permuted : dense);
    move_elements(call, &n, to_rows ? rows : t->data, to_rows ? t->data : rows,
                  element_size(t->dtype));
}

static struct webnn_u32s axes_of(const struct webnn_u32s *axes, uint32_t rank)
{
    struct webnn_u32s all = *axes;
    if (axes->given)
        return all;
    all.count = rank > 0 ? rank - 1 : 0;
    for (uint32_t i = 0; i < all.count; i++)
        all.items[i] = i + 1;
    return all;
}

o2w_status kernel_layer_normalization(const struct kernel_call *call)
{
    const struct webnn_layer_normalization_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0], *y = call_result(call, 0);
    struct webnn_u32s axes = axes_of(&p->axes, x->rank);
    uint32_t order[MAX_RANK];
    struct norm w = { .x = x->data,
                      .y = y->data,
                      .length = rows_order(x, &axes, order),
                      .scale = data_of(call_operand(call, 1)),
                      .bias = data_of(call_operand(call, 2)),
                      .epsilon = option_double(call, x->dtype, p->epsilon) };
    bool in_order = true;
    for (uint32_t d = 0; d < x->rank; d++)
        in_order = in_order && order[d] == d;
    if (!in_order) {
        void *rows = kernel_memory(call, count_of(x), element_size(x->dtype));
        void *normalised = kernel_memory(call, count_of(x), element_size(x->dtype));
        if (!rows || !normalised)
            return O2W_NO_MEMORY;
        move_rows(call, x, order, rows, true);
        w.x = rows;
        w.y = normalised;
    }
    TRY(run_rows(call, &w, count_of(x) / w.length, x->dtype));
    if (!in_order)
        move_rows(call, y, order, w.y, false);
    return O2W_OK;
}

struct batch_norm {
    struct axis_view view;
    const void *x, *mean, *variance, *scale, *bias;
    void *y;
    double epsilon;
};

/* Lines of `inner` elements that share a channel; one channel per element where inner is 1. */
#define BATCH_LINES(op, ID, name, type, wide)                                                     \
    static void batch_##name(void *user, int64_t begin, int64_t end)                              \
    {                                                                                             \
        const struct batch_norm *w = user;                                                        \
        const type *scale = w->scale, *bias = w->bias;                                            \
        for (int64_t line = begin; line < end; line++) {                                          \
            int64_t c = line % w->view.length, at = line * w->view.inner;                         \
            double variance = (double)((const type *)w->variance)[c];                             \
            double factor = 1 / sqrt(variance + w->epsilon);                                      \
            scale_##name((const type *)w->x + at, (type *)w->y + at, w->view.inner,               \
                         (double)((const type *)w->mean)[c],                                      \
                         scale ? factor * (double)scale[c] : factor, bias ? (double)bias[c] : 0); \
        }                                                                                         \
    }
FLOAT_TYPES(BATCH_LINES, batch)

o2w_status kernel_batch_normalization(const struct kernel_call *call)
{
    const struct webnn_batch_normalization_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0];
    struct batch_norm w = { .view = axis_of(x, p->axis),
                            .x = x->data,
                            .mean = call->operands[1]->data,
                            .variance = call->operands[2]->data,
                            .scale = data_of(call_operand(call, 3)),
                            .bias = data_of(call_operand(call, 4)),
                            .y = call_result(call, 0)->data,
                            .epsilon = option_double(call, x->dtype, p->epsilon) };
    if (x->dtype != DTYPE_FLOAT32 && x->dtype != DTYPE_FLOAT64)
        return O2W_UNSUPPORTED;
    kernel_ranges(call, w.view.outer * w.view.length, max_i64(1, GRAIN / w.view.inner),
                  x->dtype == DTYPE_FLOAT32 ? batch_float32 : batch_float64, &w);
    return O2W_OK;
}
