/* Inverse and hyperbolic functions, in float32 where x is float16. */
#include "lower/ops/elementwise.h"

#include <math.h>

static const double ln2 = 0.6931471805599453;

/* All of these: y = function(x), computed wide. */
static o2w_status emit_function(struct lower *l, const struct node_view *n,
                                value (*function)(struct calc *c, value x))
{
    value x;
    TRY(widen(l, input(n, 0), &x));
    struct calc c = calc_begin(l, x);
    value y = function(&c, x);
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

/* log1p(t + √(2t + t²)) for t = x - 1; the guard keeps x < 1 from rounding to a number. */
static value acosh_of(struct calc *c, value x)
{
    value one = calc_number(c, 1), two = calc_number(c, 2);
    value t = calc_sub(c, x, one);
    value root = calc_sqrt(c, calc_add(c, calc_mul(c, two, t), calc_mul(c, t, t)));
    value near = calc_log1p(c, calc_add(c, t, root));
    value far = calc_add(c, calc_log(c, x), calc_number(c, ln2));
    value inside = calc_where(c, calc_greater(c, x, calc_number(c, 1e9)), far, near);
    return calc_where(c, calc_less(c, x, one), calc_number(c, (double)NAN), inside);
}

/* sign x · log1p(a + a² / (1 + √(a² + 1))) for a = |x| */
static value asinh_of(struct calc *c, value x)
{
    value a = calc_abs(c, x), one = calc_number(c, 1), square = calc_mul(c, a, a);
    value root = calc_add(c, one, calc_sqrt(c, calc_add(c, square, one)));
    value near = calc_log1p(c, calc_add(c, a, calc_div(c, square, root)));
    value far = calc_add(c, calc_log(c, a), calc_number(c, ln2));
    value size = calc_where(c, calc_greater(c, a, calc_number(c, 1e9)), far, near);
    return calc_mul(c, calc_sign(c, x), size);
}

/* sign x · log1p(2a / (1 - a)) / 2 */
static value atanh_of(struct calc *c, value x)
{
    value a = calc_abs(c, x);
    value ratio = calc_div(c, calc_mul(c, calc_number(c, 2), a), calc_sub(c, calc_number(c, 1), a));
    value half = calc_mul(c, calc_number(c, 0.5), calc_log1p(c, ratio));
    return calc_mul(c, calc_sign(c, x), half);
}

/* exp(|x|) / 2, which overflows no earlier than the result */
static value half_exp(struct calc *c, value a)
{
    return calc_exp(c, calc_sub(c, a, calc_number(c, ln2)));
}

static value cosh_of(struct calc *c, value x)
{
    value e = half_exp(c, calc_abs(c, x));
    return calc_add(c, e, calc_div(c, calc_number(c, 0.25), e));
}

/* A series below 1, where the difference of exponentials loses digits. */
static value sinh_of(struct calc *c, value x)
{
    value a = calc_abs(c, x), e = half_exp(c, a), z = calc_mul(c, x, x);
    value far = calc_mul(c, calc_sign(c, x), calc_sub(c, e, calc_div(c, calc_number(c, 0.25), e)));
    value s = calc_add(c, calc_number(c, 1.0 / 5040), calc_div(c, z, calc_number(c, 362880)));
    s = calc_add(c, calc_number(c, 1.0 / 120), calc_mul(c, z, s));
    s = calc_add(c, calc_number(c, 1.0 / 6), calc_mul(c, z, s));
    value near = calc_add(c, x, calc_mul(c, x, calc_mul(c, z, s)));
    return calc_where(c, calc_less(c, a, calc_number(c, 1)), near, far);
}

#define FUNCTION(name, function)                                                            \
    o2w_status lower_##name(struct lower *l, const struct node_view *n, const void *params) \
    {                                                                                       \
        (void)params;                                                                       \
        return emit_function(l, n, function);                                               \
    }
FUNCTION(acos, calc_acos)
FUNCTION(acosh, acosh_of)
FUNCTION(asin, calc_asin)
FUNCTION(asinh, asinh_of)
FUNCTION(atan, calc_atan)
FUNCTION(atanh, atanh_of)
FUNCTION(cosh, cosh_of)
FUNCTION(sinh, sinh_of)
