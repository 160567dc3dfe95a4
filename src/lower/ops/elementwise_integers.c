/* Powers, remainders and bits: where integers and floats need different words. */
#include "lower/ops/elementwise.h"

#include <math.h>

/* --- Pow ---------------------------------------------------------------------------------------- */

/* The exponent as one known number; false where it is not. */
static o2w_status known_exponent(struct lower *l, value exponent, bool *known, double *number)
{
    struct tensor t;
    uint64_t count;
    *known = value_is_known(exponent) && value_count(exponent, &count) && count == 1;
    if (!*known)
        return O2W_OK;
    TRY(known_tensor(l, exponent, &t));
    *number = tensor_get_double(&t, 0);
    return O2W_OK;
}

/* x², x and 1/x have operators with the same values; only where the shape stays that of the base. */
static o2w_status simple_power(struct lower *l, value x, value exponent, bool *done, value *out)
{
    bool known;
    double number;
    *done = false;
    TRY(known_exponent(l, exponent, &known, &number));
    if (!known || exponent->rank > x->rank)
        return O2W_OK;
    *done = number == 1 || number == 2 || (number == -1 && dtype_is_float(x->dtype));
    if (number == 1)
        *out = x;
    else if (number == 2)
        return op2(l, WEBNN_MUL, x, x, out);
    else if (*done)
        return op1(l, WEBNN_RECIPROCAL, x, out);
    return O2W_OK;
}

/* In the wider of both float types. */
static o2w_status float_power(struct lower *l, value x, value exponent, value *out)
{
    if (dtype_is_float(exponent->dtype) && exponent->dtype != DTYPE_FLOAT16)
        TRY(widen(l, x, &x));
    enum dtype dtype = value_working_dtype(x);
    TRY(cast(l, exponent, dtype, &exponent));
    return op2(l, WEBNN_POW, x, exponent, out);
}

/* Whether a float exponent is known and holds integers only. */
static o2w_status is_whole(struct lower *l, value exponent, bool *whole)
{
    struct tensor t;
    uint64_t count;
    *whole = value_is_known(exponent) && value_count(exponent, &count) && count <= 65536;
    if (!*whole)
        return O2W_OK;
    TRY(known_tensor(l, exponent, &t));
    for (uint64_t i = 0; *whole && i < count; i++) {
        double v = tensor_get_double(&t, i);
        *whole = v == trunc(v) && fabs(v) < 1e9;
    }
    return O2W_OK;
}

/* Where the exponent is whole the power of integers is exact. */
static o2w_status prefer_whole(struct lower *l, value x, value exponent, value *y)
{
    struct calc c = calc_begin(l, exponent);
    value whole = calc_and(&c, calc_equal(&c, exponent, calc_trunc(&c, exponent)),
                           calc_less(&c, calc_abs(&c, exponent), calc_number(&c, 1e9)));
    value safe = calc_where(&c, whole, exponent, calc_number(&c, 1)), exact;
    safe = calc_cast(&c, safe, x->dtype);
    TRY(c.status);
    TRY(op2(l, WEBNN_POW, x, safe, &exact));
    return op3(l, WEBNN_WHERE, whole, exact, *y, y);
}

/* In float32, cut to an integer. A power that is one but for rounding is that integer. */
static o2w_status cut_power(struct lower *l, const struct node_view *n, value x, value exponent,
                            value *out)
{
    enum dtype dtype = x->dtype;
    value base;
    TRY(cast(l, x, DTYPE_FLOAT32, &base));
    TRY(cast(l, exponent, DTYPE_FLOAT32, &exponent));
    struct calc c = calc_begin(l, base);
    value y = calc_pow(&c, base, exponent), nearest = calc_round(&c, y);
    value gap = calc_abs(&c, calc_sub(&c, y, nearest));
    value small = calc_less_equal(&c, gap, calc_mul(&c, calc_abs(&c, y), calc_number(&c, 3e-7)));
    *out = calc_cast(&c, calc_where(&c, small, nearest, y), dtype);
    TRY(c.status);
    lower_report(l, n, DIAG_LOWER_NOTE,
                 "Pow of %s with a float exponent that is not whole is computed in float32",
                 dtype_name(dtype));
    return prefer_whole(l, x, exponent, out);
}

/* What is evaluated has no 0 to a power below 0, which no integer is. */
static o2w_status check_powers(struct lower *l, const struct node_view *n, value x, value exponent)
{
    struct tensor a, b;
    uint64_t bases, exponents;
    bool zero = false, below = false;
    if (!value_is_known(x) || !value_is_known(exponent) || !value_count(x, &bases) ||
        !value_count(exponent, &exponents) || bases > 65536 || exponents > 65536)
        return O2W_OK;
    TRY(known_tensor(l, x, &a));
    TRY(known_tensor(l, exponent, &b));
    for (uint64_t i = 0; i < bases; i++)
        zero |= tensor_get_i64(&a, i) == 0;
    for (uint64_t i = 0; i < exponents; i++)
        below |= tensor_get_double(&b, i) < 0;
    if (bases == 1 && exponents == 1 && zero && below)
        return refuse(l, n, DIAG_LOWER_VALUE, "0 to the power %g is no integer",
                      tensor_get_double(&b, 0));
    for (uint64_t i = 0; zero && below && bases == exponents && i < bases; i++)
        if (tensor_get_i64(&a, i) == 0 && tensor_get_double(&b, i) < 0)
            return refuse(l, n, DIAG_LOWER_VALUE,
                          "0 to the power %g is no integer, at element %llu",
                          tensor_get_double(&b, i), (unsigned long long)i);
    return O2W_OK;
}

static o2w_status integer_power(struct lower *l, const struct node_view *n, value x, value exponent,
                                value *out)
{
    bool whole = !dtype_is_float(exponent->dtype);
    TRY(check_powers(l, n, x, exponent));
    if (!whole)
        TRY(is_whole(l, exponent, &whole));
    if (!whole)
        return cut_power(l, n, x, exponent, out);
    TRY(cast(l, exponent, x->dtype, &exponent));
    return op2(l, WEBNN_POW, x, exponent, out);
}

/* The result has the dtype of the base. */
static o2w_status power(struct lower *l, const struct node_view *n, value x, value exponent)
{
    value y;
    bool done;
    TRY(simple_power(l, x, exponent, &done, &y));
    if (!done)
        TRY(dtype_is_float(x->dtype) ? float_power(l, x, exponent, &y)
                                     : integer_power(l, n, x, exponent, &y));
    return emit_narrowed(l, n, y);
}

o2w_status lower_pow(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return power(l, n, input(n, 0), input(n, 1));
}

o2w_status lower_pow_legacy(struct lower *l, const struct node_view *n, const void *params)
{
    value exponent;
    TRY(legacy_operand(l, n, params, &exponent));
    return power(l, n, input(n, 0), exponent);
}

/* --- Mod ---------------------------------------------------------------------------------------- */

/* x - q · y, exactly while |q| < 2^22: q in parts of 11 bits, y of 12, so that no product and no
 * difference needs more than 24. */
static value minus_product(struct calc *c, value x, value q, value y)
{
    value part = calc_number(c, 2048), wide = calc_mul(c, y, calc_number(c, 4097));
    value y_high = calc_sub(c, wide, calc_sub(c, wide, y)), y_low = calc_sub(c, y, y_high);
    value q_high = calc_mul(c, calc_round(c, calc_div(c, q, part)), part);
    value q_low = calc_sub(c, q, q_high);
    value r = calc_sub(c, x, calc_mul(c, q_high, y_high));
    r = calc_sub(c, r, calc_mul(c, q_high, y_low));
    r = calc_sub(c, r, calc_mul(c, q_low, y_high));
    return calc_sub(c, r, calc_mul(c, q_low, y_low));
}

/* x - y · trunc(x / y); a quotient that was rounded over an integer shows as a wrong sign. */
static value float_remainder(struct calc *c, value x, value y)
{
    value zero = calc_number(c, 0), size = calc_abs(c, y);
    value r = minus_product(c, x, calc_trunc(c, calc_div(c, x, y)), y);
    value over = calc_xor(c, calc_less(c, r, zero), calc_less(c, x, zero));
    value wrong = calc_and(c, calc_not_equal(c, r, zero), over);
    value step = calc_mul(c, calc_sign(c, x), size);
    r = calc_where(c, wrong, calc_add(c, r, step), r);
    value whole = calc_greater_equal(c, calc_abs(c, r), size);
    r = calc_where(c, whole, calc_sub(c, r, step), r);
    return calc_where(c, calc_less(c, calc_abs(c, x), size), x,
                      r); /* y may be endless, or nearly */
}

static o2w_status float_mod(struct lower *l, const struct node_view *n)
{
    value a, b;
    TRY(widen(l, input(n, 0), &a));
    TRY(widen(l, input(n, 1), &b));
    struct calc c = calc_begin(l, a);
    value y = float_remainder(&c, a, b);
    TRY(c.status);
    lower_report(l, n, DIAG_LOWER_NOTE, "Mod of floats loses digits where |a / b| is above 2^22");
    return emit_narrowed(l, n, y);
}

o2w_status lower_mod(struct lower *l, const struct node_view *n, const void *params)
{
    const struct mod_params *p = params;
    value a = input(n, 0), b = input(n, 1);
    if (dtype_is_float(a->dtype)) {
        if (!p->fmod)
            return refuse_attribute(l, n, "fmod", "is 0, floats need 1");
        return float_mod(l, n);
    }
    TRY(check_divisor(l, n, b));
    struct calc c = calc_begin(l, a);
    value y = calc_imod(&c, a, b, p->fmod != 0);
    TRY(c.status);
    return emit_wrapped(l, n, y);
}

/* Known floats: the C library's remainder, which is exact. */
o2w_status evaluate_mod(struct lower *l, const struct node_view *n, const void *params)
{
    const struct mod_params *p = params;
    struct tensor a, b, y;
    int64_t dims[MAX_RANK];
    uint32_t rank;
    value out;
    if (!dtype_is_float(input(n, 0)->dtype) || !p->fmod)
        return lower_mod(l, n, params);
    TRY(known_tensor(l, input(n, 0), &a));
    TRY(known_tensor(l, input(n, 1), &b));
    if (!broadcast_static(a.dims, a.rank, b.dims, b.rank, dims, &rank))
        return refuse(l, n, DIAG_LOWER_SHAPE, "shapes of the inputs do not fit");
    TRY(known_new(l, n->variables[TYPE_T], dims, rank, &y, &out));
    uint64_t count = tensor_count(&y);
    for (uint64_t i = 0; i < count; i++)
        tensor_put_double(&y, i,
                          fmod(tensor_get_double(&a, broadcast_index(i, dims, rank, input(n, 0))),
                               tensor_get_double(&b, broadcast_index(i, dims, rank, input(n, 1)))));
    return emit_value(l, n, out);
}

/* --- Shrink ------------------------------------------------------------------------------------- */

static o2w_status shrink_floats(struct lower *l, const struct node_view *n,
                                const struct shrink_params *p)
{
    value x;
    TRY(widen(l, input(n, 0), &x));
    struct calc c = calc_begin(l, x);
    value bias = calc_number(&c, p->bias);
    value below = calc_less(&c, x, calc_number(&c, -p->lambd));
    value above = calc_greater(&c, x, calc_number(&c, p->lambd));
    value high = calc_where(&c, above, calc_sub(&c, x, bias), calc_number(&c, 0));
    value y = calc_where(&c, below, calc_add(&c, x, bias), high);
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

static value moved(struct calc *c, value x, double by)
{
    return by < 0 ? calc_sub(c, x, calc_number(c, -by)) : calc_add(c, x, calc_number(c, by));
}

/* trunc(x + shift) in integers: up to 0 from below, down from above. */
static value shifted(struct calc *c, value x, double shift)
{
    value low = moved(c, x, floor(shift));
    if (shift == floor(shift))
        return low;
    value high = moved(c, x, ceil(shift));
    return calc_where(c, calc_greater_equal(c, x, calc_number(c, ceil(-shift))), low, high);
}

static bool is_inside(double number, enum dtype dtype)
{
    return fabs(number) + 1 < (double)dtype_max(dtype) && (dtype_is_signed(dtype) || number >= 0);
}

/* The dtype itself where it holds both numbers, else a wider one. */
static o2w_status shrink_dtype(struct lower *l, const struct node_view *n,
                               const struct shrink_params *p, enum dtype dtype, enum dtype *out)
{
    unsigned bits = dtype_info(dtype)->bits;
    *out = dtype;
    if (is_inside(p->lambd, dtype) && is_inside(p->bias, dtype))
        return O2W_OK;
    *out = bits <= 16 ? DTYPE_INT32 : DTYPE_INT64;
    bool lambd = is_inside(p->lambd, *out);
    if (bits < 64 && lambd && is_inside(p->bias, *out))
        return O2W_OK;
    lambd = bits == 64 ? is_inside(p->lambd, dtype) : lambd;
    return refuse_attribute(l, n, lambd ? "bias" : "lambd", "is %g, which lies outside of %s",
                            lambd ? p->bias : p->lambd, dtype_name(bits == 64 ? dtype : *out));
}

/* Exact in integers: x < -λ where x < ceil(-λ), x > λ where x > floor λ. */
static o2w_status shrink_integers(struct lower *l, const struct node_view *n,
                                  const struct shrink_params *p)
{
    value x, y;
    enum dtype dtype, given = input(n, 0)->dtype;
    TRY(shrink_dtype(l, n, p, given, &dtype));
    TRY(cast(l, input(n, 0), dtype, &x));
    struct calc c = calc_begin(l, x);
    value above = calc_greater(&c, x, calc_number(&c, floor(p->lambd)));
    y = calc_where(&c, above, shifted(&c, x, -p->bias), calc_number(&c, 0));
    if (dtype_is_signed(x->dtype)) {
        value below = calc_less(&c, x, calc_number(&c, ceil(-p->lambd)));
        y = calc_where(&c, below, shifted(&c, x, p->bias), y);
    }
    TRY(c.status);
    if (dtype != given)
        TRY(cast(l, y, given, &y));
    return emit_wrapped(l, n, y);
}

o2w_status lower_shrink(struct lower *l, const struct node_view *n, const void *params)
{
    return dtype_is_float(input(n, 0)->dtype) ? shrink_floats(l, n, params)
                                              : shrink_integers(l, n, params);
}
