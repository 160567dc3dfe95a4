#include "kernels/activations.h"

#include "kernels/elementwise.h"
#include "kernels/erf32.h"
#include "kernels/math64.h"

enum { VECTOR_GRAIN = 1 << 13, CALL_GRAIN = 1 << 12, CIRCULAR_BLOCK = 64 };

/* 1 / (1 + e^-x) in double, from the side that does not overflow. */
static inline double sigmoid_float64(double x)
{
    double e = exp(-fabs(x));
    return (x < 0 ? e : 1) / (1 + e);
}

static inline float softplus_float32(float x)
{
    double above = x > 0 ? (double)x : x == x ? 0 : (double)x;
    return (float)(above + log1p_core((double)exp_float32(-fabsf(x))));
}

static inline double softplus_float64(double x)
{
    return (x > 0 ? x : x == x ? 0 : x) + log1p(exp(-fabs(x)));
}

/* alpha apart: e^x - 1 below 0, from the polynomial itself where the 1 would swallow it. */
static inline float elu_float32(float x)
{
    float near = expm1_core(x > -0.34f ? x : -0.34f), far = exp_float32(x) - 1.0f;
    return x > -0.34f ? near : far;
}

static inline double gelu_float64(double x)
{
    return 0.5 * x * erfc(-x * 0.70710678118654752440);
}

/* Blocks with an argument beyond the vector form's reach, infinite or NaN take the library's. */
#define CIRCULAR_LOOP(NAME, FUNCTION, QUARTERS)                                 \
    VECTOR_CLONES static bool NAME##_block(float *y, const float *x, int64_t n) \
    {                                                                           \
        int outside = 0;                                                        \
        for (int64_t i = 0; i < n; i++)                                         \
            outside |= !(fabsf(x[i]) <= (float)CIRCLE_QUARTERS);                \
        for (int64_t i = 0; i < n && !outside; i++)                             \
            y[i] = (float)sine_core((double)x[i], QUARTERS);                    \
        return !outside;                                                        \
    }                                                                           \
    static void NAME##_loop(void *to, const void *from, int64_t n,              \
                            const struct unary_options *options)                \
    {                                                                           \
        (void)options;                                                          \
        for (int64_t i = 0; i < n; i += CIRCULAR_BLOCK) {                       \
            const float *x = (const float *)from + i;                           \
            float *y = (float *)to + i;                                         \
            int64_t count = n - i < CIRCULAR_BLOCK ? n - i : CIRCULAR_BLOCK;    \
            if (NAME##_block(y, x, count))                                      \
                continue;                                                       \
            for (int64_t k = 0; k < count; k++)                                 \
                y[k] = FUNCTION(x[k]);                                          \
        }                                                                       \
    }

UNARY_LOOP(exp_float32_loop, VECTOR_CLONES, float, float, exp_float32(p))
UNARY_LOOP(exp_float64_loop, , double, double, exp(p))
UNARY_LOOP(log_float32_loop, VECTOR_CLONES, float, float, log_by_float64(p))
UNARY_LOOP(log_float64_loop, , double, double, log(p))
CIRCULAR_LOOP(sin_float32, sinf, 0)
UNARY_LOOP(sin_float64_loop, , double, double, sin(p))
CIRCULAR_LOOP(cos_float32, cosf, 1)
UNARY_LOOP(cos_float64_loop, , double, double, cos(p))
UNARY_LOOP(tan_float32_loop, , float, float, tanf(p))
UNARY_LOOP(tan_float64_loop, , double, double, tan(p))
UNARY_LOOP(tanh_float32_loop, VECTOR_CLONES, float, float, tanh_float32(p))
UNARY_LOOP(tanh_float64_loop, , double, double, tanh(p))
UNARY_LOOP(erf_float32_loop, VECTOR_CLONES, float, float, erf_float32(p))
UNARY_LOOP(erf_float64_loop, , double, double, erf(p))
UNARY_LOOP(sigmoid_float32_loop, VECTOR_CLONES, float, float, sigmoid_float32(p))
UNARY_LOOP(sigmoid_float64_loop, , double, double, sigmoid_float64(p))
UNARY_LOOP(softplus_float32_loop, VECTOR_CLONES, float, float, softplus_float32(p))
UNARY_LOOP(softplus_float64_loop, , double, double, softplus_float64(p))
UNARY_LOOP(gelu_float32_loop, VECTOR_CLONES, float, float, gelu_float32(p))
UNARY_LOOP(gelu_float64_loop, , double, double, gelu_float64(p))
UNARY_LOOP(elu_float32_loop, VECTOR_CLONES, float, float, p >= 0 ? p : alpha * elu_float32(p))
UNARY_LOOP(elu_float64_loop, , double, double, p >= 0 ? p : alpha * expm1(p))

#define LOOPS(op, GRAIN)                                                                    \
    const struct unary_loops op##_loops = {                                                 \
        { [DTYPE_FLOAT32] = op##_float32_loop, [DTYPE_FLOAT64] = op##_float64_loop }, GRAIN \
    };

LOOPS(exp, VECTOR_GRAIN)
LOOPS(log, CALL_GRAIN)
LOOPS(sin, CALL_GRAIN)
LOOPS(cos, CALL_GRAIN)
LOOPS(tan, CALL_GRAIN)
LOOPS(tanh, VECTOR_GRAIN)
LOOPS(erf, VECTOR_GRAIN)
LOOPS(sigmoid, VECTOR_GRAIN)
LOOPS(softplus, CALL_GRAIN)
LOOPS(gelu, VECTOR_GRAIN)
LOOPS(elu, VECTOR_GRAIN)
