/* One-operand loops that need no function of their own: sign, rounding, roots, piecewise lines. */
#include "kernels/activations.h"
#include "kernels/elementwise.h"

#include <math.h>

enum { GRAIN = 1 << 15 };

#define NEGATIVE(op, ID, name, type, wide) \
    UNARY_LOOP(op##_##name, CLONES_##ID, type, type, (wide)0 - (wide)p)
#define NEGATIVE_FLOAT(op, ID, name, type, wide) \
    UNARY_LOOP(op##_##name, CLONES_##ID, type, type, -p)
SIGNED_TYPES(NEGATIVE, neg)
FLOAT_TYPES(NEGATIVE_FLOAT, neg)

#define MAGNITUDE(op, ID, name, type, wide) \
    UNARY_LOOP(op##_##name, CLONES_##ID, type, type, p < 0 ? (wide)0 - (wide)p : (wide)p)
UNARY_LOOP(abs_float32, VECTOR_CLONES, float, float, fabsf(p))
UNARY_LOOP(abs_float64, , double, double, fabs(p))
SIGNED_TYPES(MAGNITUDE, abs)

#define SIGN(op, ID, name, type, wide) \
    UNARY_LOOP(op##_##name, CLONES_##ID, type, type, (p > 0) - (p < 0))
#define SIGN_FLOAT(op, ID, name, type, wide)         \
    UNARY_LOOP(op##_##name, CLONES_##ID, type, type, \
               p > 0    ? (type)1                    \
               : p < 0  ? (type)-1                   \
               : p == 0 ? (type)0                    \
                        : p)
SIGNED_TYPES(SIGN, sign)
FLOAT_TYPES(SIGN_FLOAT, sign)

#define RELU(op, ID, name, type, wide) \
    UNARY_LOOP(op##_##name, CLONES_##ID, type, type, p <= 0 ? 0 : p)
SIGNED_TYPES(RELU, relu)
FLOAT_TYPES(RELU, relu)

/* The float functions differ by suffix. */
#define ROUNDING(name, function)                                            \
    UNARY_LOOP(name##_float32, VECTOR_CLONES, float, float, function##f(p)) \
    UNARY_LOOP(name##_float64, , double, double, function(p))
ROUNDING(ceil, ceil)
ROUNDING(floor, floor)
ROUNDING(round_even, rint)
ROUNDING(sqrt, sqrt)

#define RECIPROCAL(op, ID, name, type, wide) UNARY_LOOP(op##_##name, CLONES_##ID, type, type, 1 / p)
#define LEAKY(op, ID, name, type, wide) \
    UNARY_LOOP(op##_##name, CLONES_##ID, type, type, p >= 0 ? p : alpha * p)
#define LINE(op, ID, name, type, wide) \
    UNARY_LOOP(op##_##name, CLONES_##ID, type, type, alpha *p + beta)
#define HARD_SIGMOID(op, ID, name, type, wide) \
    UNARY_LOOP(op##_##name, CLONES_##ID, type, type, clamp_##name(alpha *p + beta, 0, 1))
#define HARD_SWISH(op, ID, name, type, wide) \
    UNARY_LOOP(op##_##name, CLONES_##ID, type, type, p *(clamp_##name(p + 3, 0, 6) / 6))
#define CLAMP(op, ID, name, type, wide)                          \
    static inline type clamp_##name(type p, type low, type high) \
    {                                                            \
        type raised = p < low ? low : p;                         \
        return raised > high ? high : raised;                    \
    }
FLOAT_TYPES(CLAMP, clamp)
FLOAT_TYPES(RECIPROCAL, reciprocal)
FLOAT_TYPES(LEAKY, leaky_relu)
FLOAT_TYPES(LINE, linear)
FLOAT_TYPES(HARD_SIGMOID, hard_sigmoid)
FLOAT_TYPES(HARD_SWISH, hard_swish)

#define SOFTSIGN(op, ID, name, type, wide) \
    UNARY_LOOP(op##_##name, CLONES_##ID, type, type, p / (1 + (p < 0 ? -p : p)))
FLOAT_TYPES(SOFTSIGN, softsign)

UNARY_LOOP(logical_not_uint8, , uint8_t, uint8_t, p == 0)

#define IS_NAN(op, ID, name, type, wide) UNARY_LOOP(op##_##name, CLONES_##ID, type, uint8_t, p != p)
#define IS_INFINITE(op, ID, name, type, wide) \
    UNARY_LOOP(op##_##name, CLONES_##ID, type, uint8_t, p == (type)INFINITY || p == -(type)INFINITY)
FLOAT_TYPES(IS_NAN, is_nan)
FLOAT_TYPES(IS_INFINITE, is_infinite)

#define SIGNED_AND_FLOAT_LOOPS(op)                                          \
    static const struct unary_loops op##_loops = {                          \
        { SIGNED_TYPES(LOOP_ENTRY, op) FLOAT_TYPES(LOOP_ENTRY, op) }, GRAIN \
    };
#define FLOAT_LOOPS(op) \
    static const struct unary_loops op##_loops = { { FLOAT_TYPES(LOOP_ENTRY, op) }, GRAIN };

SIGNED_AND_FLOAT_LOOPS(neg)
SIGNED_AND_FLOAT_LOOPS(abs)
SIGNED_AND_FLOAT_LOOPS(sign)
SIGNED_AND_FLOAT_LOOPS(relu)
FLOAT_LOOPS(ceil)
FLOAT_LOOPS(floor)
FLOAT_LOOPS(round_even)
FLOAT_LOOPS(sqrt)
FLOAT_LOOPS(reciprocal)
FLOAT_LOOPS(leaky_relu)
FLOAT_LOOPS(linear)
FLOAT_LOOPS(hard_sigmoid)
FLOAT_LOOPS(hard_swish)
FLOAT_LOOPS(softsign)
FLOAT_LOOPS(is_nan)
FLOAT_LOOPS(is_infinite)
static const struct unary_loops logical_not_loops = {
    { [DTYPE_UINT8] = logical_not_uint8, [DTYPE_BOOL] = logical_not_uint8 }, GRAIN
};

const struct unary_loops *const unary_table[WEBNN_OPERATOR_COUNT] = {
    [WEBNN_NEG] = &neg_loops,
    [WEBNN_ABS] = &abs_loops,
    [WEBNN_SIGN] = &sign_loops,
    [WEBNN_RELU] = &relu_loops,
    [WEBNN_CEIL] = &ceil_loops,
    [WEBNN_FLOOR] = &floor_loops,
    [WEBNN_ROUND_EVEN] = &round_even_loops,
    [WEBNN_SQRT] = &sqrt_loops,
    [WEBNN_RECIPROCAL] = &reciprocal_loops,
    [WEBNN_LEAKY_RELU] = &leaky_relu_loops,
    [WEBNN_LINEAR] = &linear_loops,
    [WEBNN_HARD_SIGMOID] = &hard_sigmoid_loops,
    [WEBNN_HARD_SWISH] = &hard_swish_loops,
    [WEBNN_SOFTSIGN] = &softsign_loops,
    [WEBNN_LOGICAL_NOT] = &logical_not_loops,
    [WEBNN_IS_NAN] = &is_nan_loops,
    [WEBNN_IS_INFINITE] = &is_infinite_loops,
    [WEBNN_EXP] = &exp_loops,
    [WEBNN_LOG] = &log_loops,
    [WEBNN_SIN] = &sin_loops,
    [WEBNN_COS] = &cos_loops,
    [WEBNN_TAN] = &tan_loops,
    [WEBNN_TANH] = &tanh_loops,
    [WEBNN_ERF] = &erf_loops,
    [WEBNN_SIGMOID] = &sigmoid_loops,
    [WEBNN_SOFTPLUS] = &softplus_loops,
    [WEBNN_GELU] = &gelu_loops,
    [WEBNN_ELU] = &elu_loops,
};
