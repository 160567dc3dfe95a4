/* Element-wise loops over runs of elements. */
#ifndef KERNELS_ELEMENTWISE_H
#define KERNELS_ELEMENTWISE_H

#include "kernels/nest.h"
#include "kernels/types.h"

/* Options of one-operand loops, rounded to the operand's dtype. */
struct unary_options {
    double alpha, beta;
};

/* y[i] = f(x[i]) for i < n. */
typedef void (*unary_loop)(void *y, const void *x, int64_t n, const struct unary_options *options);
/* y[i] = f(a[i * step_a], b[i * step_b]) for i < n, steps 0 or 1, not both 0. */
typedef void (*binary_loop)(void *y, const void *a, const void *b, int64_t n, int64_t step_a,
                            int64_t step_b);

/* One loop per dtype; NULL where there is none. */
struct unary_loops {
    unary_loop by_dtype[DTYPE_COUNT];
    int64_t grain; /* elements that are worth a part of their own */
};

/* Defined by the files of the families. */
extern const struct unary_loops *const unary_table[WEBNN_OPERATOR_COUNT];

/* Runs a two-operand loop over the broadcast operands into result 0. */
o2w_status binary_run(const struct kernel_call *call, binary_loop loop);

#define UNARY_LOOP(NAME, CLONES, TYPE, RESULT, EXPRESSION)                   \
    CLONES static void NAME(void *to, const void *from, int64_t n,           \
                            const struct unary_options *options)             \
    {                                                                        \
        RESULT *y = to;                                                      \
        const TYPE *x = from;                                                \
        const TYPE alpha = (TYPE)options->alpha, beta = (TYPE)options->beta; \
        (void)alpha, (void)beta;                                             \
        for (int64_t i = 0; i < n; i++) {                                    \
            const TYPE p = x[i];                                             \
            y[i] = (RESULT)(EXPRESSION);                                     \
        }                                                                    \
    }

#define BINARY_LOOP(NAME, CLONES, TYPE, RESULT, EXPRESSION)                           \
    CLONES static void NAME(void *to, const void *left, const void *right, int64_t n, \
                            int64_t step_a, int64_t step_b)                           \
    {                                                                                 \
        RESULT *restrict y = to;                                                      \
        const TYPE *a = left, *b = right;                                             \
        if (step_b == 0) {                                                            \
            const TYPE q = *b;                                                        \
            for (int64_t i = 0; i < n; i++) {                                         \
                const TYPE p = a[i * step_a];                                         \
                y[i] = (RESULT)(EXPRESSION);                                          \
            }                                                                         \
        } else if (step_a == 0) {                                                     \
            const TYPE p = *a;                                                        \
            for (int64_t i = 0; i < n; i++) {                                         \
                const TYPE q = b[i];                                                  \
                y[i] = (RESULT)(EXPRESSION);                                          \
            }                                                                         \
        } else {                                                                      \
            for (int64_t i = 0; i < n; i++) {                                         \
                const TYPE p = a[i], q = b[i];                                        \
                y[i] = (RESULT)(EXPRESSION);                                          \
            }                                                                         \
        }                                                                             \
    }

#endif
