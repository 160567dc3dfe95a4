/* Compositions as formulas. Part of helpers.h, which includes it. */
#ifndef LOWER_CALC_H
#define LOWER_CALC_H

#include "lower/lower.h"

/* --- formulas ------------------------------------------------------------------------------------ */

/* Compositions as formulas: after a failed step the later ones do nothing and give NULL; `status`
 * tells. Numbers get the dtype of the formula. */
struct calc {
    struct lower *l;
    enum dtype dtype;
    o2w_status status;
};

struct calc calc_begin(struct lower *l, value like);
value calc_op(struct calc *c, enum webnn_operator kind, value a, value b, value d);
value calc_number(struct calc *c, double number);
value calc_cast(struct calc *c, value x, enum dtype dtype);
/* Reduced over one axis, which stays as 1. */
value calc_reduce(struct calc *c, enum webnn_operator kind, value x, uint32_t axis);

#define CALC1(name, kind)                                    \
    static inline value calc_##name(struct calc *c, value a) \
    {                                                        \
        return calc_op(c, WEBNN_##kind, a, NULL, NULL);      \
    }
#define CALC2(name, kind)                                             \
    static inline value calc_##name(struct calc *c, value a, value b) \
    {                                                                 \
        return calc_op(c, WEBNN_##kind, a, b, NULL);                  \
    }
CALC1(abs, ABS)
CALC1(ceil, CEIL)
CALC1(exp, EXP)
CALC1(floor, FLOOR)
CALC1(log, LOG)
CALC1(neg, NEG)
CALC1(not, LOGICAL_NOT)
CALC1(round, ROUND_EVEN)
CALC1(sigmoid, SIGMOID)
CALC1(sign, SIGN)
CALC1(softplus, SOFTPLUS)
CALC1(sqrt, SQRT)
CALC1(tanh, TANH)
CALC2(add, ADD)
CALC2(and, LOGICAL_AND)
CALC2(div, DIV)
CALC2(equal, EQUAL)
CALC2(greater, GREATER)
CALC2(greater_equal, GREATER_OR_EQUAL)
CALC2(less, LESSER)
CALC2(less_equal, LESSER_OR_EQUAL)
CALC2(max, MAX)
CALC2(min, MIN)
CALC2(mul, MUL)
CALC2(not_equal, NOT_EQUAL)
CALC2(or, LOGICAL_OR)
CALC2(pow, POW)
CALC2(sub, SUB)
CALC2(xor, LOGICAL_XOR)
static inline value calc_where(struct calc *c, value condition, value yes, value no)
{
    return calc_op(c, WEBNN_WHERE, condition, yes, no);
}

/* H2 */
value calc_trunc(struct calc *c, value x);
/* H3 */
value calc_log1p(struct calc *c, value u);
value calc_expm1(struct calc *c, value x);
/* H4: integers; the sign of the divisor, or with `truncated` of the dividend. */
value calc_imod(struct calc *c, value a, value b, bool truncated);
/* H20 */
value calc_asin(struct calc *c, value x);
value calc_acos(struct calc *c, value x);
value calc_atan(struct calc *c, value x);

/* H9: z = x - max; log of the sum of exp z; max. */
struct softmax_parts {
    value z, log_sum, max;
};
void calc_softmax_parts(struct calc *c, value x, uint32_t axis, struct softmax_parts *out);

#endif
