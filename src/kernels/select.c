/* clamp, where, prelu. */
#include "kernels/elementwise.h"
#include "kernels/move.h"
#include "kernels/number.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 1 << 15 };

struct clamp {
    void (*loop)(const struct clamp *c, int64_t begin, int64_t end);
    const void *x;
    void *y;
    uint64_t low, high; /* each holds one element */
};

#define CLAMP_LOOP(op, ID, name, type, wide)                                    \
    static void clamp_##name(const struct clamp *c, int64_t begin, int64_t end) \
    {                                                                           \
        type low, high;                                                         \
        memcpy(&low, &c->low, sizeof low);                                      \
        memcpy(&high, &c->high, sizeof high);                                   \
        const type *x = c->x;                                                   \
        type *y = c->y;                                                         \
        for (int64_t i = begin; i < end; i++)                                   \
            y[i] = smaller_##name(larger_##name(x[i], low), high);              \
    }
INTEGER_TYPES(CLAMP_LOOP, clamp)
CLAMP_LOOP(clamp, FLOAT64, float64, double, double)

/* Two comparisons an element. A lower bound of +0 lifts -0: adding +0 does that and nothing else,
 * and adding -0 does nothing at all. */
VECTOR_CLONES static void clamp_run(const float *x, float *restrict y, int64_t n, float low,
                                    float high)
{
    const float lift = low == 0 && !signbit(low) ? 0.0f : -0.0f;
    for (int64_t i = 0; i < n; i++) {
        float raised = (x[i] < low ? low : x[i]) + lift;
        y[i] = raised > high ? high : raised;
    }
}

static void clamp_float32(const struct clamp *c, int64_t begin, int64_t end)
{
    float low, high;
    memcpy(&low, &c->low, sizeof low);
    memcpy(&high, &c->high, sizeof high);
    const float *x = c->x;
    float *y = c->y;
    bool plain = low == low && !(high == 0 && signbit(high));
    if (plain && high == high)
        clamp_run(x + begin, y + begin, end - begin, low, high);
    else
        for (int64_t i = begin; i < end; i++)
            y[i] = smaller_float32(larger_float32(x[i], low), high);
}

static void clamp_part(void *user, int64_t begin, int64_t end)
{
    const struct clamp *c = user;
    c->loop(c, begin, end);
}

/* The bound, or without one what bounds nothing. */
static uint64_t clamp_bound(const struct kernel_call *call, struct webnn_number n, enum dtype t,
                            double nothing)
{
    uint64_t element = 0;
    if (n.kind == WEBNN_NUMBER_NONE)
        n = (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE, .d = nothing };
    number_operand(call, n, t, &element);
    return element;
}

o2w_status kernel_clamp(const struct kernel_call *call)
{
    static void (*const loops[DTYPE_COUNT])(const struct clamp *, int64_t,
                                            int64_t) = { NUMERIC_TYPES(LOOP_ENTRY, clamp) };
    const struct webnn_clamp_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0];
    struct clamp c = { loops[x->dtype], x->data, call_result(call, 0)->data, 0, 0 };
    if (!c.loop)
        return O2W_UNSUPPORTED;
    c.low = clamp_bound(call, p->min_value, x->dtype, -INFINITY);
    c.high = clamp_bound(call, p->max_value, x->dtype, INFINITY);
    kernel_ranges(call, count_of(x), GRAIN, clamp_part, &c);
    return O2W_OK;
}

struct choice {
    struct nest nest;
    uint8_t *y;
    const uint8_t *condition, *yes, *no;
    size_t size;
    int64_t step_condition, step_yes, step_no;
};

#define CHOICE_LOOP(type)                                                                \
    static void choose_##type(const struct choice *w, const int64_t offsets[NEST_VIEWS], \
                              int64_t count)                                             \
    {                                                                                    \
        type *y = (type *)(void *)w->y + offsets[0];                                     \
        const uint8_t *condition = w->condition + offsets[1];                            \
        const type *yes = (const type *)(const void *)w->yes + offsets[2];               \
        const type *no = (const type *)(const void *)w->no + offsets[3];                 \
        int64_t step = w->step_condition, step_yes = w->step_yes, step_no = w->step_no;  \
        if (step == 1 && step_yes == 1 && step_no == 1)                                  \
            for (int64_t i = 0; i < count; i++)                                          \
                y[i] = condition[i] ? yes[i] : no[i];                                    \
        else                                                                             \
            for (int64_t i = 0; i < count; i++)                                          \
                y[i] = condition[i * step] ? yes[i * step_yes] : no[i * step_no];        \
    }
CHOICE_LOOP(uint8_t)
CHOICE_LOOP(uint16_t)
CHOICE_LOOP(uint32_t)
CHOICE_LOOP(uint64_t)

static void choice_body(void *user, const int64_t offsets[NEST_VIEWS], int64_t count)
{
    const struct choice *w = user;
    if (w->size == 1)
        choose_uint8_t(w, offsets, count);
    else if (w->size == 2)
        choose_uint16_t(w, offsets, count);
    else if (w->size == 4)
        choose_uint32_t(w, offsets, count);
    else
        choose_uint64_t(w, offsets, count);
}

static void choice_part(void *user, int64_t begin, int64_t end)
{
    struct choice *w = user;
    nest_walk(&w->nest, begin, end, choice_body, w);
}

o2w_status kernel_where(const struct kernel_call *call)
{
    const struct tensor *condition = call->operands[0], *yes = call->operands[1],
                        *no = call->operands[2];
    struct tensor *y = call_result(call, 0);
    if (!dtype_in(yes->dtype, DTYPES_MOVED))
        return O2W_UNSUPPORTED;
    struct choice w = { .y = y->data,
                        .condition = condition->data,
                        .yes = yes->data,
                        .no = no->data,
                        .size = element_size(yes->dtype) };
    nest_begin(&w.nest, y->dims, y->rank);
    nest_broadcast(&w.nest, y);
    nest_broadcast(&w.nest, condition);
    nest_broadcast(&w.nest, yes);
    nest_broadcast(&w.nest, no);
    nest_collapse(&w.nest);
    uint32_t last = w.nest.rank - 1;
    w.step_condition = w.nest.strides[1][last];
    w.step_yes = w.nest.strides[2][last];
    w.step_no = w.nest.strides[3][last];
    kernel_ranges(call, count_of(y), GRAIN, choice_part, &w);
    return O2W_OK;
}

/* b is the slope, broadcast both ways. */
#define PRELU(op, ID, name, type, wide) \
    BINARY_LOOP(op##_##name, CLONES_##ID, type, type, p >= 0 ? (wide)p : (wide)p * (wide)q)
SIGNED_TYPES(PRELU, prelu)
FLOAT_TYPES(PRELU, prelu)

o2w_status kernel_prelu(const struct kernel_call *call)
{
    static const binary_loop loops[DTYPE_COUNT] = { SIGNED_TYPES(LOOP_ENTRY, prelu)
                                                        FLOAT_TYPES(LOOP_ENTRY, prelu) };
    binary_loop loop = loops[call->operands[0]->dtype];
    return loop ? binary_run(call, loop) : O2W_UNSUPPORTED;
}
