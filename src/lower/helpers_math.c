/* Functions that WebNN has not, in its words. Accuracies are relative, in float32. */
#include "lower/helpers.h"

#include <math.h>

/* H2: trunc x = sign x · floor |x| */
value calc_trunc(struct calc *c, value x)
{
    return calc_mul(c, calc_sign(c, x), calc_floor(c, calc_abs(c, x)));
}

/* H3: log1p within 3e-7. w = 1 + u, d = w - 1: log(w) · u / d undoes the rounding of w. */
value calc_log1p(struct calc *c, value u)
{
    value w = calc_add(c, u, calc_number(c, 1));
    value d = calc_sub(c, w, calc_number(c, 1));
    value log_w = calc_log(c, w);
    value near = calc_mul(c, log_w, calc_div(c, u, d));
    value far = calc_where(c, calc_greater(c, w, calc_number(c, 1e10)), log_w, near);
    return calc_where(c, calc_equal(c, d, calc_number(c, 0)), u, far);
}

/* H3: expm1 within 3e-7, by the same trick on e = exp x. */
value calc_expm1(struct calc *c, value x)
{
    value one = calc_number(c, 1), e = calc_exp(c, x);
    value d = calc_sub(c, e, one);
    value near = calc_mul(c, d, calc_div(c, x, calc_log(c, e)));
    value far = calc_where(c, calc_greater(c, d, calc_number(c, 1e10)), d, near);
    value low = calc_number(c, -1);
    value rest = calc_where(c, calc_equal(c, d, low), low, far);
    return calc_where(c, calc_equal(c, e, one), x, rest);
}

/* H4: r = a - b · (a / b), whose sign is a's; else moved to b's sign. */
value calc_imod(struct calc *c, value a, value b, bool truncated)
{
    value r = calc_sub(c, a, calc_mul(c, b, calc_div(c, a, b)));
    if (truncated || !dtype_is_signed(c->dtype))
        return r;
    value zero = calc_number(c, 0);
    value differs = calc_xor(c, calc_less(c, r, zero), calc_less(c, b, zero));
    value wrong = calc_and(c, calc_not_equal(c, r, zero), differs);
    return calc_where(c, wrong, calc_add(c, r, b), r);
}

static value polynomial(struct calc *c, value z, const double *factors, unsigned count)
{
    value y = calc_number(c, factors[0]);
    for (unsigned i = 1; i < count; i++)
        y = calc_add(c, calc_mul(c, y, z), calc_number(c, factors[i]));
    return y;
}

/* H20: asin on |x| <= 0.5. */
static value small_asin(struct calc *c, value x)
{
    static const double factors[] = { 4.2163199048e-2, 2.4181311049e-2, 4.5470025998e-2,
                                      7.4953002686e-2, 1.6666752422e-1 };
    value z = calc_mul(c, x, x);
    return calc_add(c, calc_mul(c, calc_mul(c, polynomial(c, z, factors, 5), z), x), x);
}

/* 2 · asin √((1 - a) / 2) = acos a for a in 0.5 … 1; NaN above. */
static value large_acos(struct calc *c, value a)
{
    value half = calc_mul(c, calc_sub(c, calc_number(c, 1), a), calc_number(c, 0.5));
    return calc_mul(c, small_asin(c, calc_sqrt(c, half)), calc_number(c, 2));
}

value calc_asin(struct calc *c, value x)
{
    value a = calc_abs(c, x);
    value large =
        calc_mul(c, calc_sign(c, x), calc_sub(c, calc_number(c, M_PI_2), large_acos(c, a)));
    return calc_where(c, calc_greater(c, a, calc_number(c, 0.5)), large, small_asin(c, x));
}

value calc_acos(struct calc *c, value x)
{
    value a = calc_abs(c, x), outer = large_acos(c, a);
    value mirrored = calc_sub(c, calc_number(c, M_PI), outer);
    value middle = calc_sub(c, calc_number(c, M_PI_2), small_asin(c, x));
    value side = calc_where(c, calc_less(c, x, calc_number(c, 0)), mirrored, outer);
    return calc_where(c, calc_greater(c, a, calc_number(c, 0.5)), side, middle);
}

value calc_atan(struct calc *c, value x)
{
    static const double factors[] = { 8.05374449538e-2, -1.38776856032e-1, 1.99777106478e-1,
                                      -3.33329491539e-1 };
    value a = calc_abs(c, x), one = calc_number(c, 1), zero = calc_number(c, 0);
    value high = calc_greater(c, a, calc_number(c, 2.414213562373095));
    value middle = calc_greater(c, a, calc_number(c, 0.4142135623730950));
    value folded = calc_div(c, calc_sub(c, a, one), calc_add(c, a, one));
    value t =
        calc_where(c, high, calc_div(c, calc_number(c, -1), a), calc_where(c, middle, folded, a));
    value base = calc_where(c, high, calc_number(c, M_PI_2),
                            calc_where(c, middle, calc_number(c, M_PI_4), zero));
    value z = calc_mul(c, t, t);
    value series = calc_mul(c, calc_mul(c, polynomial(c, z, factors, 4), z), t);
    return calc_mul(c, calc_sign(c, x), calc_add(c, calc_add(c, series, t), base));
}

void calc_softmax_parts(struct calc *c, value x, uint32_t axis, struct softmax_parts *out)
{
    out->max = calc_reduce(c, WEBNN_REDUCE_MAX, x, axis);
    out->z = calc_sub(c, x, out->max);
    out->log_sum = calc_log(c, calc_reduce(c, WEBNN_REDUCE_SUM, calc_exp(c, out->z), axis));
}
