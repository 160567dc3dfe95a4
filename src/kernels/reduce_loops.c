#include "kernels/reduce_loops.h"

#include "kernels/math32.h"
#include "kernels/types.h"

#include <math.h>

/* Sums keep the order of eight lanes; extremes have none, and take as many as hide the latency. */
enum { LANES = 8, EXTREME_LANES = 32 };

/* MAP turns the element p into an accumulator (`shift` is its shift), COMBINE joins p and q. */
#define REDUCE_LOOPS(NAME, CLONES, WIDTH, TYPE, ACCUMULATOR, START, MAP, COMBINE)      \
    static inline ACCUMULATOR NAME##_combine(ACCUMULATOR p, ACCUMULATOR q)             \
    {                                                                                  \
        return COMBINE;                                                                \
    }                                                                                  \
    static void NAME##_start(void *accumulators, int64_t n)                            \
    {                                                                                  \
        ACCUMULATOR *to = accumulators;                                                \
        for (int64_t i = 0; i < n; i++)                                                \
            to[i] = START;                                                             \
    }                                                                                  \
    CLONES static void NAME##_row(void *accumulator, const void *from, int64_t n,      \
                                  const double *shifts)                                \
    {                                                                                  \
        const TYPE *x = from;                                                          \
        const double shift = *shifts;                                                  \
        (void)shift;                                                                   \
        ACCUMULATOR lanes[WIDTH];                                                      \
        for (int l = 0; l < WIDTH; l++)                                                \
            lanes[l] = START;                                                          \
        int64_t i = 0;                                                                 \
        for (; i + WIDTH <= n; i += WIDTH) {                                           \
            for (int l = 0; l < WIDTH; l++) {                                          \
                const TYPE p = x[i + l];                                               \
                lanes[l] = NAME##_combine(lanes[l], (ACCUMULATOR)(MAP));               \
            }                                                                          \
        }                                                                              \
        for (; i < n; i++) {                                                           \
            const TYPE p = x[i];                                                       \
            lanes[i % WIDTH] = NAME##_combine(lanes[i % WIDTH], (ACCUMULATOR)(MAP));   \
        }                                                                              \
        for (int half = WIDTH / 2; half > 0; half /= 2)                                \
            for (int l = 0; l < half; l++)                                             \
                lanes[l] = NAME##_combine(lanes[l], lanes[l + half]);                  \
        ACCUMULATOR *to = accumulator;                                                 \
        *to = NAME##_combine(*to, lanes[0]);                                           \
    }                                                                                  \
    CLONES static void NAME##_columns(void *accumulators, const void *from, int64_t n, \
                                      const double *shifts)                            \
    {                                                                                  \
        ACCUMULATOR *restrict to = accumulators;                                       \
        const TYPE *x = from;                                                          \
        for (int64_t i = 0; i < n; i++) {                                              \
            const TYPE p = x[i];                                                       \
            const double shift = shifts[i];                                            \
            (void)shift;                                                               \
            to[i] = NAME##_combine(to[i], (ACCUMULATOR)(MAP));                         \
        }                                                                              \
    }                                                                                  \
    static void NAME##_merge(void *accumulators, const void *others, int64_t n)        \
    {                                                                                  \
        ACCUMULATOR *to = accumulators;                                                \
        const ACCUMULATOR *from = others;                                              \
        for (int64_t i = 0; i < n; i++)                                                \
            to[i] = NAME##_combine(to[i], from[i]);                                    \
    }

static double finished(double value, const struct reduce_finish *how, int64_t i)
{
    switch ((int)how->kind) {
    case WEBNN_REDUCE_MEAN: return value / (double)how->count;
    case WEBNN_REDUCE_L2: return sqrt(value);
    case WEBNN_REDUCE_LOG_SUM: return log(value);
    case WEBNN_REDUCE_LOG_SUM_EXP: return how->shift[i] + log(value);
    default: return value;
    }
}

#define FINISH_FLOAT(op, ID, name, type, wide)                       \
    static void finish_##name(void *to, const void *from, int64_t n, \
                              const struct reduce_finish *how)       \
    {                                                                \
        const double *accumulators = from;                           \
        type *y = to;                                                \
        for (int64_t i = 0; i < n; i++)                              \
            y[i] = (type)finished(accumulators[i], how, i);          \
    }
#define FINISH_INTEGER(op, ID, name, type, wide)                     \
    static void finish_##name(void *to, const void *from, int64_t n, \
                              const struct reduce_finish *how)       \
    {                                                                \
        const uint64_t *accumulators = from;                         \
        type *y = to;                                                \
        (void)how;                                                   \
        for (int64_t i = 0; i < n; i++)                              \
            y[i] = (type)accumulators[i];                            \
    }
/* Extremes are elements already. */
#define FINISH_EXTREME(op, ID, name, type, wide)                             \
    static void finish_extreme_##name(void *to, const void *from, int64_t n, \
                                      const struct reduce_finish *how)       \
    {                                                                        \
        const type *accumulators = from;                                     \
        type *y = to;                                                        \
        (void)how;                                                           \
        for (int64_t i = 0; i < n; i++)                                      \
            y[i] = accumulators[i];                                          \
    }
FLOAT_TYPES(FINISH_FLOAT, finish)
INTEGER_TYPES(FINISH_INTEGER, finish)
NUMERIC_TYPES(FINISH_EXTREME, finish)

/* Integers are summed modulo 2^64, which is right modulo every smaller power too. */
#define SUM_FLOAT(op, ID, name, type, wide) \
    REDUCE_LOOPS(op##_##name, CLONES_##ID, LANES, type, double, 0, p, p + q)
#define SUM_INTEGER(op, ID, name, type, wide) \
    REDUCE_LOOPS(op##_##name, CLONES_##ID, LANES, type, uint64_t, 0, p, p + q)
#define ABS_FLOAT(op, ID, name, type, wide) \
    REDUCE_LOOPS(op##_##name, CLONES_##ID, LANES, type, double, 0, fabs((double)p), p + q)
#define ABS_SIGNED(op, ID, name, type, wide)                         \
    REDUCE_LOOPS(op##_##name, CLONES_##ID, LANES, type, uint64_t, 0, \
                 p < 0 ? 0 - (uint64_t)p : (uint64_t)p, p + q)
#define SQUARE_FLOAT(op, ID, name, type, wide) \
    REDUCE_LOOPS(op##_##name, CLONES_##ID, LANES, type, double, 0, (double)p *(double)p, p + q)
#define SQUARE_INTEGER(op, ID, name, type, wide)                                               \
    REDUCE_LOOPS(op##_##name, CLONES_##ID, LANES, type, uint64_t, 0, (uint64_t)p *(uint64_t)p, \
                 p + q)
#define PRODUCT_FLOAT(op, ID, name, type, wide) \
    REDUCE_LOOPS(op##_##name, CLONES_##ID, LANES, type, double, 1, p, p *q)
#define PRODUCT_INTEGER(op, ID, name, type, wide) \
    REDUCE_LOOPS(op##_##name, CLONES_##ID, LANES, type, uint64_t, 1, p, p *q)
#define EXP_FLOAT(op, ID, name, type, wide) \
    REDUCE_LOOPS(op##_##name, CLONES_##ID, LANES, type, double, 0, exp_less_##name(p, shift), p + q)
#define MAX_OF(op, ID, name, type, wide)                                             \
    REDUCE_LOOPS(op##_##name, CLONES_##ID, EXTREME_LANES, type, type, LEAST_##ID, p, \
                 larger_##name(p, q))
#define MIN_OF(op, ID, name, type, wide)                                            \
    REDUCE_LOOPS(op##_##name, CLONES_##ID, EXTREME_LANES, type, type, MOST_##ID, p, \
                 smaller_##name(p, q))

static inline double exp_less_float32(float p, double shift)
{
    return (double)exp_difference_float32(p, (float)shift);
}
static inline double exp_less_float64(double p, double shift)
{
    return exp(p - shift);
}

FLOAT_TYPES(SUM_FLOAT, sum)
INTEGER_TYPES(SUM_INTEGER, sum)
FLOAT_TYPES(ABS_FLOAT, sum_abs)
SIGNED_TYPES(ABS_SIGNED, sum_abs)
UNSIGNED_TYPES(SUM_INTEGER, sum_abs)
FLOAT_TYPES(SQUARE_FLOAT, sum_square)
INTEGER_TYPES(SQUARE_INTEGER, sum_square)
FLOAT_TYPES(PRODUCT_FLOAT, product)
INTEGER_TYPES(PRODUCT_INTEGER, product)
FLOAT_TYPES(EXP_FLOAT, sum_exp)
NUMERIC_TYPES(MAX_OF, max)
NUMERIC_TYPES(MIN_OF, min)

#define LOOPS(op, ID, name, type, wide)     \
    [DTYPE_##ID] = { 8,                     \
                     op##_##name##_start,   \
                     op##_##name##_row,     \
                     op##_##name##_columns, \
                     op##_##name##_merge,   \
                     finish_##name },
#define EXTREME_LOOPS(op, ID, name, type, wide)                                     \
    [DTYPE_##ID] = { sizeof(type),          op##_##name##_start, op##_##name##_row, \
                     op##_##name##_columns, op##_##name##_merge, finish_extreme_##name },

typedef struct reduce_loops loops_by_dtype[DTYPE_COUNT];

static const loops_by_dtype sums = { NUMERIC_TYPES(LOOPS, sum) };
static const loops_by_dtype sums_abs = { NUMERIC_TYPES(LOOPS, sum_abs) };
static const loops_by_dtype sums_square = { NUMERIC_TYPES(LOOPS, sum_square) };
static const loops_by_dtype products = { NUMERIC_TYPES(LOOPS, product) };
static const loops_by_dtype sums_exp = { FLOAT_TYPES(LOOPS, sum_exp) };
static const loops_by_dtype maxima = { NUMERIC_TYPES(EXTREME_LOOPS, max) };
static const loops_by_dtype minima = { NUMERIC_TYPES(EXTREME_LOOPS, min) };

const struct reduce_loops *reduce_loops_of(enum webnn_operator kind, enum dtype t)
{
    static const loops_by_dtype *const by_kind[WEBNN_OPERATOR_COUNT] = {
        [WEBNN_REDUCE_SUM] = &sums,         [WEBNN_REDUCE_MEAN] = &sums,
        [WEBNN_REDUCE_LOG_SUM] = &sums,     [WEBNN_REDUCE_L1] = &sums_abs,
        [WEBNN_REDUCE_L2] = &sums_square,   [WEBNN_REDUCE_SUM_SQUARE] = &sums_square,
        [WEBNN_REDUCE_PRODUCT] = &products, [WEBNN_REDUCE_LOG_SUM_EXP] = &sums_exp,
        [WEBNN_REDUCE_MAX] = &maxima,       [WEBNN_REDUCE_MIN] = &minima,
    };
    const loops_by_dtype *loops = by_kind[kind];
    return loops && (*loops)[t].start ? &(*loops)[t] : NULL;
}
