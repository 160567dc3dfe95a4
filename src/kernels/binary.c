/* add, sub, mul, div, max, min, pow over broadcast operands. */
#include "kernels/elementwise.h"

#include <math.h>

enum { BINARY_GRAIN = 1 << 15 };

struct binary_work {
    struct nest nest;
    binary_loop loop;
    uint8_t *y;
    const uint8_t *a, *b;
    int64_t result_size, operand_size;
    int64_t step_a, step_b;
};

static void binary_body(void *user, const int64_t offsets[NEST_VIEWS], int64_t count)
{
    const struct binary_work *w = user;
    w->loop(w->y + offsets[0] * w->result_size, w->a + offsets[1] * w->operand_size,
            w->b + offsets[2] * w->operand_size, count, w->step_a, w->step_b);
}

static void binary_part(void *user, int64_t begin, int64_t end)
{
    struct binary_work *w = user;
    nest_walk(&w->nest, begin, end, binary_body, w);
}

static int64_t element_size(enum dtype t)
{
    return dtype_info(t)->bits / 8;
}

o2w_status binary_run(const struct kernel_call *call, binary_loop loop)
{
    const struct tensor *a = call->operands[0], *b = call->operands[1];
    struct tensor *y = call_result(call, 0);
    struct binary_work w = { .loop = loop, .y = y->data, .a = a->data, .b = b->data };
    w.result_size = element_size(y->dtype);
    w.operand_size = element_size(a->dtype);
    nest_begin(&w.nest, y->dims, y->rank);
    nest_broadcast(&w.nest, y);
    nest_broadcast(&w.nest, a);
    nest_broadcast(&w.nest, b);
    nest_collapse(&w.nest);
    w.step_a = w.nest.strides[1][w.nest.rank - 1];
    w.step_b = w.nest.strides[2][w.nest.rank - 1];
    kernel_ranges(call, count_of(y), BINARY_GRAIN, binary_part, &w);
    return O2W_OK;
}

/* x / 0 is 0 and MIN / -1 is MIN: unspecified, chosen so that nothing traps. */
#define UNSIGNED_DIVISION(op, ID, name, type, wide)  \
    static inline type divide_##name(type p, type q) \
    {                                                \
        return (type)(q == 0 ? 0 : p / q);           \
    }
#define SIGNED_DIVISION(op, ID, name, type, wide)                   \
    static inline type divide_##name(type p, type q)                \
    {                                                               \
        if (q == 0)                                                 \
            return 0;                                               \
        return (type)(q == -1 ? (type)((wide)0 - (wide)p) : p / q); \
    }
UNSIGNED_TYPES(UNSIGNED_DIVISION, division)
SIGNED_TYPES(SIGNED_DIVISION, division)
#define divide_float32(p, q) ((p) / (q))
#define divide_float64(p, q) ((p) / (q))

#define UNSIGNED_POWER(op, ID, name, type, wide)                \
    static inline type power_##name(type base, type exponent)   \
    {                                                           \
        wide result = 1, square = (wide)base;                   \
        for (; exponent > 0; exponent = (type)(exponent / 2)) { \
            if (exponent % 2)                                   \
                result *= square;                               \
            square *= square;                                   \
        }                                                       \
        return (type)result;                                    \
    }
UNSIGNED_TYPES(UNSIGNED_POWER, power)

/* A negative exponent leaves 0 of every base but 1 and -1. */
#define SIGNED_POWER(op, ID, name, type, wide)                            \
    static inline type power_##name(type base, type exponent)             \
    {                                                                     \
        if (exponent >= 0)                                                \
            return (type)power_u##name((u##type)base, (u##type)exponent); \
        if (base == 1)                                                    \
            return 1;                                                     \
        return (type)(base != -1 ? 0 : exponent % 2 ? -1 : 1);            \
    }
SIGNED_TYPES(SIGNED_POWER, power)
#define power_float32(p, q) ((q) == 2 ? (p) * (p) : powf((p), (q)))
#define power_float64(p, q) pow((p), (q))

#define ADD(op, ID, name, type, wide) \
    BINARY_LOOP(op##_##name, CLONES_##ID, type, type, (wide)p + (wide)q)
#define SUB(op, ID, name, type, wide) \
    BINARY_LOOP(op##_##name, CLONES_##ID, type, type, (wide)p - (wide)q)
#define MUL(op, ID, name, type, wide) \
    BINARY_LOOP(op##_##name, CLONES_##ID, type, type, (wide)p *(wide)q)
#define DIV(op, ID, name, type, wide) \
    BINARY_LOOP(op##_##name, CLONES_##ID, type, type, divide_##name(p, q))
#define MAX(op, ID, name, type, wide) \
    BINARY_LOOP(op##_##name, CLONES_##ID, type, type, larger_##name(p, q))
#define MIN(op, ID, name, type, wide) \
    BINARY_LOOP(op##_##name, CLONES_##ID, type, type, smaller_##name(p, q))
#define POW(op, ID, name, type, wide) BINARY_LOOP(op##_##name, , type, type, power_##name(p, q))

NUMERIC_TYPES(ADD, add)
NUMERIC_TYPES(SUB, sub)
NUMERIC_TYPES(MUL, mul)
NUMERIC_TYPES(DIV, div)
NUMERIC_TYPES(MAX, max)
NUMERIC_TYPES(MIN, min)
NUMERIC_TYPES(POW, pow)

typedef binary_loop binary_loops[DTYPE_COUNT];

static const binary_loops loops[WEBNN_OPERATOR_COUNT] = {
    [WEBNN_ADD] = { NUMERIC_TYPES(LOOP_ENTRY, add) },
    [WEBNN_SUB] = { NUMERIC_TYPES(LOOP_ENTRY, sub) },
    [WEBNN_MUL] = { NUMERIC_TYPES(LOOP_ENTRY, mul) },
    [WEBNN_DIV] = { NUMERIC_TYPES(LOOP_ENTRY, div) },
    [WEBNN_MAX] = { NUMERIC_TYPES(LOOP_ENTRY, max) },
    [WEBNN_MIN] = { NUMERIC_TYPES(LOOP_ENTRY, min) },
    [WEBNN_POW] = { NUMERIC_TYPES(LOOP_ENTRY, pow) },
};

o2w_status kernel_binary(const struct kernel_call *call)
{
    binary_loop loop = loops[call->kind][call->operands[0]->dtype];
    return loop ? binary_run(call, loop) : O2W_UNSUPPORTED;
}
