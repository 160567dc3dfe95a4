/* argMin, argMax: the first of the best; a NaN is better than everything. */
#include "kernels/axis.h"
#include "kernels/types.h"

enum { GRAIN = 1 << 14 };

struct arg {
    struct axis_view view;
    void (*loop)(const struct arg *w, int64_t block);
    const void *x;
    struct tensor *y;
};

static void store_indices(const struct arg *w, int64_t block, const int64_t *indices, int64_t lines)
{
    int64_t first = axis_line(&w->view, block);
    int64_t *wide = w->y->data;
    int32_t *narrow = w->y->data;
    for (int64_t j = 0; j < lines; j++) {
        if (w->y->dtype == DTYPE_INT64)
            wide[first + j] = indices[j];
        else
            narrow[first + j] = (int32_t)indices[j];
    }
}

#define ARG_LOOP(NAME, type, BETTER)                                              \
    static void NAME(const struct arg *w, int64_t block)                          \
    {                                                                             \
        int64_t lines, indices[AXIS_LINES] = { 0 };                               \
        const type *x = (const type *)w->x + axis_block(&w->view, block, &lines); \
        type best[AXIS_LINES];                                                    \
        for (int64_t j = 0; j < lines; j++)                                       \
            best[j] = x[j];                                                       \
        for (int64_t i = 1; i < w->view.length; i++) {                            \
            for (int64_t j = 0; j < lines; j++) {                                 \
                const type p = x[i * w->view.inner + j], q = best[j];             \
                bool better = BETTER;                                             \
                best[j] = better ? p : q;                                         \
                indices[j] = better ? i : indices[j];                             \
            }                                                                     \
        }                                                                         \
        store_indices(w, block, indices, lines);                                  \
    }
#define ARG_INTEGER(op, ID, name, type, wide) \
    ARG_LOOP(arg_min_##name, type, p < q)     \
    ARG_LOOP(arg_max_##name, type, p > q)
#define ARG_FLOAT(op, ID, name, type, wide)                         \
    ARG_LOOP(arg_min_##name, type, (p < q) | ((p != p) & (q == q))) \
    ARG_LOOP(arg_max_##name, type, (p > q) | ((p != p) & (q == q)))
INTEGER_TYPES(ARG_INTEGER, arg)
FLOAT_TYPES(ARG_FLOAT, arg)

static void arg_part(void *user, int64_t begin, int64_t end)
{
    const struct arg *w = user;
    for (int64_t i = begin; i < end; i++)
        w->loop(w, i);
}

o2w_status kernel_arg(const struct kernel_call *call)
{
    typedef void (*arg_loop)(const struct arg *, int64_t);
    static const arg_loop minima[DTYPE_COUNT] = { NUMERIC_TYPES(LOOP_ENTRY, arg_min) };
    static const arg_loop maxima[DTYPE_COUNT] = { NUMERIC_TYPES(LOOP_ENTRY, arg_max) };
    const struct webnn_arg_min_max_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0];
    struct arg w = { axis_of(x, p->axis), NULL, x->data, call_result(call, 0) };
    w.loop = call->kind == WEBNN_ARG_MIN ? minima[x->dtype] : maxima[x->dtype];
    if (!w.loop || w.view.length == 0)
        return O2W_UNSUPPORTED;
    kernel_ranges(call, axis_blocks(&w.view), axis_grain(&w.view, GRAIN), arg_part, &w);
    return O2W_OK;
}
