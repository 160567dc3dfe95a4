/* cumulativeSum: one running sum per line, floats in float64, every result rounded once. */
#include "kernels/axis.h"
#include "kernels/types.h"

enum { GRAIN = 1 << 14 };

struct running {
    struct axis_view view;
    void (*loop)(const struct running *w, int64_t block);
    const void *x;
    void *y;
    bool exclusive, reversed;
};

#define RUNNING(name, type, sum_type)                                      \
    static void cumulative_##name(const struct running *w, int64_t block)  \
    {                                                                      \
        int64_t lines, offset = axis_block(&w->view, block, &lines);       \
        int64_t step = w->reversed ? -w->view.inner : w->view.inner;       \
        if (w->reversed)                                                   \
            offset += (w->view.length - 1) * w->view.inner;                \
        const type *x = (const type *)w->x + offset;                       \
        type *y = (type *)w->y + offset;                                   \
        sum_type sums[AXIS_LINES] = { 0 };                                 \
        for (int64_t i = 0; i < w->view.length; i++) {                     \
            for (int64_t j = 0; j < lines; j++) {                          \
                sum_type before = sums[j], p = (sum_type)x[i * step + j];  \
                sums[j] = before + p;                                      \
                y[i * step + j] = (type)(w->exclusive ? before : sums[j]); \
            }                                                              \
        }                                                                  \
    }
#define RUNNING_INTEGER(op, ID, name, type, wide) RUNNING(name, type, wide)
#define RUNNING_FLOAT(op, ID, name, type, wide)   RUNNING(name, type, double)
INTEGER_TYPES(RUNNING_INTEGER, cumulative)
FLOAT_TYPES(RUNNING_FLOAT, cumulative)

static void running_part(void *user, int64_t begin, int64_t end)
{
    const struct running *w = user;
    for (int64_t i = begin; i < end; i++)
        w->loop(w, i);
}

o2w_status kernel_cumulative(const struct kernel_call *call)
{
    static void (*const loops[DTYPE_COUNT])(const struct running *,
                                            int64_t) = { NUMERIC_TYPES(LOOP_ENTRY, cumulative) };
    const struct webnn_cumulative_sum_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0];
    struct running w = { axis_of(x, p->axis),        loops[x->dtype], x->data,
                         call_result(call, 0)->data, p->exclusive,    p->reversed };
    if (!w.loop)
        return O2W_UNSUPPORTED;
    kernel_ranges(call, axis_blocks(&w.view), axis_grain(&w.view, GRAIN), running_part, &w);
    return O2W_OK;
}
