/* Conversions between dtypes. */
#include "base/half.h"
#include "base/number.h"
#include "lower/helpers.h"

#include <math.h>
#include <string.h>

struct cast_params {
    int64_t to, saturate;
    struct span round_mode;
};
struct cast_1_params {
    struct span to;
};

/* saturate and round_mode say something of 8-bit floats only; before there were any, all is as it is
 * by default. */
#define ATTR_TO       ATTR_INT(struct cast_params, to, .required = true)
#define ATTR_SATURATE ATTR_INT(struct cast_params, saturate, .fallback_int = 1, .allowed = "0 1")
#define ATTR_ROUND \
    ATTR_STRING(struct cast_params, round_mode, .fallback_text = "up", .allowed = "up down nearest")
static const struct attr_row cast_6_attrs[] = { ATTR_TO };
static const struct attr_row cast_19_attrs[] = { ATTR_TO, ATTR_SATURATE };
static const struct attr_row cast_24_attrs[] = { ATTR_TO, ATTR_SATURATE, ATTR_ROUND };
static const struct attr_row cast_like_19_attrs[] = { ATTR_SATURATE };
static const struct attr_row cast_like_24_attrs[] = { ATTR_SATURATE, ATTR_ROUND };
static const struct attr_row cast_1_attrs[] = {
    ATTR_STRING(struct cast_1_params, to, .required = true),
};

#define SET_FEW_BITS (DTYPES_4BIT | DTYPE_BIT(DTYPE_INT2) | DTYPE_BIT(DTYPE_UINT2))

static o2w_status refuse_type(struct lower *l, const struct node_view *n, enum dtype to,
                              const char *why)
{
    o2w_status s = refuse(l, n, DIAG_LOWER_DTYPE, "a cast from %s to %s %s",
                          dtype_name(input(n, 0)->dtype), dtype_name(to), why);
    return s;
}

/* Whether a graph's operand can have the dtype. */
static bool lives_in_graphs(enum dtype t)
{
    return dtype_in(t, SET_ALL | SET_FEW_BITS);
}

/* The first known element that the integer type cannot hold. */
static o2w_status first_outside(struct lower *l, value x, enum dtype to, bool *found, uint64_t *at,
                                double *element)
{
    struct tensor t;
    *found = false;
    if (!value_is_known(x) || !dtype_is_float(x->dtype) || !dtype_is_integer(to))
        return O2W_OK;
    TRY(known_tensor(l, x, &t));
    uint64_t count = tensor_count(&t);
    double low = (double)dtype_min(to),
           high = ldexp(1, (int)dtype_info(to)->bits - (dtype_is_signed(to) ? 1 : 0));
    for (*at = 0; *at < count; ++*at) {
        *element = trunc(tensor_get_double(&t, *at));
        if (!(*element >= low && *element < high)) {
            *found = true;
            return O2W_OK;
        }
    }
    return O2W_OK;
}

/* A float that the integer type cannot hold has no defined result, and evaluating would invent one. The cast
 * stays an operator: its results are unknown, and whoever needs them known, or gives them to the caller, is
 * refused. Exports of relative positions cast the logarithm of 0, and choose other elements later. */
static o2w_status leave_undefined(struct lower *l, const struct node_view *n, enum dtype to,
                                  value *x)
{
    bool found;
    uint64_t at;
    double element;
    TRY(first_outside(l, *x, to, &found, &at, &element));
    if (!found)
        return O2W_OK;
    if (dtype_in(to, SET_SMALL) || !lives_in_graphs(to) || !lives_in_graphs((*x)->dtype) ||
        gives_model_output(l, n, 0))
        return refuse(l, n, DIAG_LOWER_VALUE, "element %llu is %g, which %s cannot hold",
                      (unsigned long long)at, element, dtype_name(to));
    lower_report(l, n, DIAG_LOWER_NOTE,
                 "element %llu of a cast is %g, which %s cannot hold: its result is undefined",
                 (unsigned long long)at, element, dtype_name(to));
    return unevaluated(l, *x, x);
}

/* --- kinds that only known values have ------------------------------------------------------------ */

struct small_float {
    float (*decode)(uint8_t bits);
    unsigned codes;
    bool infinite; /* has infinities */
    bool one_zero; /* and no negative one */
};

static bool small_float_of(enum dtype t, struct small_float *out)
{
    switch ((int)t) {
    case DTYPE_FLOAT8E4M3FN:
        *out = (struct small_float){ float8_e4m3fn_to_float, 256, 0, 0 };
        break;
    case DTYPE_FLOAT8E4M3FNUZ:
        *out = (struct small_float){ float8_e4m3fnuz_to_float, 256, 0, 1 };
        break;
    case DTYPE_FLOAT8E5M2: *out = (struct small_float){ float8_e5m2_to_float, 256, 1, 0 }; break;
    case DTYPE_FLOAT8E5M2FNUZ:
        *out = (struct small_float){ float8_e5m2fnuz_to_float, 256, 0, 1 };
        break;
    case DTYPE_FLOAT4E2M1: *out = (struct small_float){ float4_e2m1_to_float, 16, 0, 0 }; break;
    default: return false;
    }
    return true;
}

/* The nearest of the finite values, an even code on ties. The positive codes ascend. */
static double nearest_code(const struct small_float *f, double v)
{
    double size = fabs(v), best = 0, gap = INFINITY;
    for (unsigned i = 0; i < f->codes / 2; i++) {
        double candidate = f->decode((uint8_t)i), distance = fabs(candidate - size);
        if (!isfinite(candidate) || distance > gap || (distance == gap && i % 2 == 1))
            continue;
        gap = distance;
        best = candidate;
    }
    return best == 0 && f->one_zero ? 0 : copysign(best, v);
}

/* The largest value, and from where on rounding would pass it. */
static double largest_code(const struct small_float *f, double *edge, bool *edge_outside)
{
    double most = 0, below = 0;
    for (unsigned i = 0; i < f->codes / 2; i++) {
        double v = f->decode((uint8_t)i);
        if (!isfinite(v))
            continue;
        below = most;
        most = v;
        *edge_outside = i % 2 == 1;
    }
    *edge = most + (most - below) / 2;
    return most;
}

static double round_small(const struct small_float *f, double v, bool saturate)
{
    bool edge_outside = false;
    double edge, most = largest_code(f, &edge, &edge_outside);
    if (isnan(v))
        return v;
    if (saturate || fabs(v) < edge || (fabs(v) == edge && !edge_outside))
        return nearest_code(f, isinf(v) ? copysign(most, v) : v);
    return f->infinite ? copysign((double)INFINITY, v) : (double)NAN;
}

/* 2^k of the size of v: up, down, or to the nearer, up in the middle. */
static double round_power(double v, struct span mode)
{
    int exponent;
    double fraction = frexp(v, &exponent); /* 0.5 <= fraction < 1 */
    bool up =
        fraction > 0.5 && (span_is(mode, "up") || (span_is(mode, "nearest") && fraction >= 0.75));
    exponent = exponent - 1 + up;
    return ldexp(1, exponent < -127 ? -127 : exponent > 127 ? 127 : exponent);
}

static o2w_status cast_power(struct lower *l, const struct node_view *n, const struct tensor *x,
                             const struct cast_params *p, struct tensor *y)
{
    uint64_t count = tensor_count(x);
    for (uint64_t i = 0; i < count; i++) {
        double v = tensor_get_double(x, i);
        if (v < 0 || (v > ldexp(1, 127) && !p->saturate && isfinite(v)))
            return refuse(l, n, DIAG_LOWER_VALUE,
                          "element %llu is %g, which float8e8m0 cannot hold", (unsigned long long)i,
                          v);
        tensor_put_double(y, i,
                          isfinite(v) ? v == 0 ? ldexp(1, -127) : round_power(v, p->round_mode)
                          : isnan(v) || !p->saturate ? (double)NAN
                                                     : ldexp(1, 127));
    }
    return O2W_OK;
}

/* 4 bits have no NaN: what one becomes is not defined. */
static o2w_status cast_small_float(struct lower *l, const struct node_view *n,
                                   const struct tensor *x, enum dtype to,
                                   const struct small_float *f, bool saturate, struct tensor *y)
{
    bool four_bits = to == DTYPE_FLOAT4E2M1;
    uint64_t count = tensor_count(x);
    for (uint64_t i = 0; i < count; i++) {
        double v = tensor_get_double(x, i);
        if (four_bits && isnan(v))
            return refuse(l, n, DIAG_LOWER_VALUE,
                          "element %llu is NaN, which float4e2m1 cannot hold",
                          (unsigned long long)i);
        tensor_put_double(y, i, round_small(f, v, saturate || four_bits));
    }
    return O2W_OK;
}

static void cast_two_bits(const struct tensor *x, bool is_signed, struct tensor *y)
{
    uint64_t count = tensor_count(x);
    for (uint64_t i = 0; i < count; i++) {
        int64_t v = dtype_is_float(x->dtype) ? (int64_t)tensor_get_double(x, i)
                    : dtype_is_signed(x->dtype) || x->dtype == DTYPE_BOOL
                        ? tensor_get_i64(x, i)
                        : (int64_t)tensor_get_u64(x, i);
        int64_t low = v & 3;
        tensor_put_i64(y, i, is_signed && low > 1 ? low - 4 : low);
    }
}

/* The values that the small type has, kept in the type that carries it. */
static o2w_status cast_small(struct lower *l, const struct node_view *n, enum dtype to,
                             const struct cast_params *p)
{
    struct tensor x, y;
    struct small_float f;
    enum dtype carried = DTYPE_FLOAT32;
    value out;
    dtype_carried(to, &carried);
    value source = input(n, 0);
    TRY(leave_undefined(l, n, to, &source));
    TRY(known_tensor(l, input(n, 0), &x));
    TRY(known_new(l, carried, x.dims, x.rank, &y, &out));
    if (to == DTYPE_FLOAT8E8M0) {
        TRY(cast_power(l, n, &x, p, &y));
    } else if (small_float_of(to, &f)) {
        TRY(cast_small_float(l, n, &x, to, &f, p->saturate, &y));
    } else {
        cast_two_bits(&x, to == DTYPE_INT2, &y);
    }
    return emit_as(l, n, 0, out, to);
}

/* --- 4 and 2 bits at run time ---------------------------------------------------------------------- */

/* 1 and 0 with the rank of x: what makes the quantising operators plain conversions. */
static o2w_status unit_scale(struct lower *l, value x, enum dtype packed, value *scale, value *zero)
{
    const struct webnn_number one = { .kind = WEBNN_NUMBER_INT, .i = 1 };
    dim ones[MAX_RANK];
    for (uint32_t i = 0; i < x->rank; i++)
        ones[i] = 1;
    TRY(filled(l, DTYPE_FLOAT32, one, ones, x->rank, scale));
    return fill_i64(l, packed, 0, ones, x->rank, zero);
}

/* Only dequantizeLinear reads 4 bits. */
static o2w_status unpack(struct lower *l, value x, value *out)
{
    value scale, zero;
    TRY(unit_scale(l, x, x->dtype, &scale, &zero));
    return op(l, WEBNN_DEQUANTIZE_LINEAR, OPERANDS(x, scale, zero), NULL, out);
}

/* The low bits of the whole part. */
static o2w_status low_bits(struct lower *l, value x, enum dtype to, value *out)
{
    int64_t size = (int64_t)1 << dtype_info(to)->bits;
    TRY(cast(l, x, DTYPE_INT32, &x));
    struct calc c = calc_begin(l, x);
    value half = calc_number(&c, dtype_is_signed(to) ? (double)size / 2 : 0);
    value rest = calc_imod(&c, calc_add(&c, x, half), calc_number(&c, (double)size), false);
    *out = calc_sub(&c, rest, half);
    return c.status;
}

/* Only quantizeLinear writes 4 bits; 2 bits are carried by 8. */
static o2w_status pack(struct lower *l, value x, enum dtype to, value *out)
{
    value scale, zero;
    TRY(low_bits(l, x, to, &x));
    if (!dtype_in(to, DTYPES_4BIT)) {
        TRY(cast(l, x, to == DTYPE_INT2 ? DTYPE_INT8 : DTYPE_UINT8, &x));
        return retype(l, x, to, out);
    }
    TRY(cast(l, x, DTYPE_FLOAT32, &x));
    TRY(unit_scale(l, x, to, &scale, &zero));
    return op(l, WEBNN_QUANTIZE_LINEAR, OPERANDS(x, scale, zero), NULL, out);
}

/* --- strings --------------------------------------------------------------------------------------- */

static bool parse_float(struct span s, double *out)
{
    bool negative = s.size && s.data[0] == '-';
    struct span size = { s.data + (s.size && (s.data[0] == '-' || s.data[0] == '+')), s.size };
    size.size -= (size_t)(size.data - s.data);
    if (span_is(size, "inf") || span_is(size, "INF") || span_is(size, "Infinity"))
        *out = negative ? -(double)INFINITY : (double)INFINITY;
    else if (span_is(size, "nan") || span_is(size, "NaN"))
        *out = (double)NAN;
    else
        return number_parse_double(s.data[0] == '+' ? size : s, out) == O2W_OK;
    return true;
}

static o2w_status cast_strings(struct lower *l, const struct node_view *n, enum dtype to)
{
    value x = input(n, 0), out;
    struct tensor y;
    uint64_t count = 0;
    if (to == DTYPE_STRING)
        return emit_as(l, n, 0, x, to);
    if (!dtype_in(to, SET_ALL) || !value_count(x, &count))
        return refuse_type(l, n, to, "has no WebNN form");
    TRY(known_new(l, to, x->dims, x->rank, &y, &out));
    for (uint64_t i = 0; i < count; i++) {
        int64_t whole;
        double v;
        struct span s = span_trim(x->strings[i]);
        if (dtype_is_float(to) && s.size && parse_float(s, &v))
            tensor_put_double(&y, i, v);
        else if (dtype_is_integer(to) && number_parse_i64(s, &whole) == O2W_OK)
            tensor_put_i64(&y, i, whole);
        else
            return refuse_input(l, n, 0, "holds '%.*s' at element %llu, which is no %s",
                                SPAN_ARG(s), (unsigned long long)i, dtype_name(to));
    }
    return emit_as(l, n, 0, out, to);
}

static struct cast_params with_defaults(const struct node_view *n, const struct cast_params *p)
{
    struct cast_params q = *p;
    if (n->row->since < 19)
        q.saturate = 1;
    if (n->row->since < 24)
        q.round_mode = SPAN("up");
    return q;
}

static o2w_status emit_cast(struct lower *l, const struct node_view *n, enum dtype to,
                            const struct cast_params *p)
{
    value x = input(n, 0), y;
    if (x->kind == VALUE_STRINGS)
        return cast_strings(l, n, to);
    if (x->kind == VALUE_CLASSES && to == DTYPE_STRING)
        return emit_value(l, n, x);
    if (x->kind == VALUE_CLASSES)
        return refuse_type(l, n, to, "has no WebNN form of computed strings");
    if (to == DTYPE_STRING || to == DTYPE_COMPLEX64 || to == DTYPE_COMPLEX128)
        return refuse_type(l, n, to, "has no WebNN form");
    if (x->dtype == to)
        return emit_as(l, n, 0, x, to);
    if (!value_is_known(x) && !(lives_in_graphs(to) && lives_in_graphs(x->dtype)))
        return refuse_type(l, n, to, "has no WebNN form, only known values have one");
    if (value_is_known(x) && dtype_in(to, SET_SMALL) && !dtype_in(to, DTYPES_4BIT))
        return cast_small(l, n, to, p);
    TRY(leave_undefined(l, n, to, &x));
    if (!value_is_known(x) && dtype_in(x->dtype, DTYPES_4BIT))
        TRY(unpack(l, x, &x));
    if (!value_is_known(x) && dtype_in(to, SET_FEW_BITS))
        TRY(pack(l, x, to, &y));
    else
        TRY(cast(l, x, to, &y));
    return emit_as(l, n, 0, y, to);
}

static o2w_status lower_cast(struct lower *l, const struct node_view *n, const void *params)
{
    struct cast_params p = with_defaults(n, params);
    enum dtype to;
    if (!dtype_by_onnx(p.to, &to))
        return refuse_attribute(l, n, "to", "is %lld, not a type that can be carried",
                                (long long)p.to);
    return emit_cast(l, n, to, &p);
}

/* Version 1 names the type. */
static o2w_status lower_cast_1(struct lower *l, const struct node_view *n, const void *params)
{
    static const struct {
        const char *name;
        enum dtype dtype;
    } names[] = { { "FLOAT", DTYPE_FLOAT32 },  { "FLOAT16", DTYPE_FLOAT16 },
                  { "DOUBLE", DTYPE_FLOAT64 }, { "INT8", DTYPE_INT8 },
                  { "INT16", DTYPE_INT16 },    { "INT32", DTYPE_INT32 },
                  { "INT64", DTYPE_INT64 },    { "UINT8", DTYPE_UINT8 },
                  { "UINT16", DTYPE_UINT16 },  { "UINT32", DTYPE_UINT32 },
                  { "UINT64", DTYPE_UINT64 },  { "BOOL", DTYPE_BOOL } };
    const struct cast_1_params *p = params;
    struct cast_params rest = { .saturate = 1, .round_mode = SPAN("up") };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (span_is(p->to, names[i].name))
            return emit_cast(l, n, names[i].dtype, &rest);
    return refuse_attribute(l, n, "to", "is '%.*s', not a type that can be carried",
                            SPAN_ARG(p->to));
}

static o2w_status lower_cast_like(struct lower *l, const struct node_view *n, const void *params)
{
    struct cast_params p = with_defaults(n, params);
    return emit_cast(l, n, input(n, 1)->dtype, &p);
}

/* --- BitCast ----------------------------------------------------------------------------------------- */

static const struct attr_row bit_cast_attrs[] = {
    ATTR_INT(struct cast_params, to, .required = true),
};

/* The bytes of a known tensor under another name. */
static o2w_status same_bytes(struct lower *l, value x, enum dtype to, value *out)
{
    struct tensor stored, own, y;
    TRY(known_tensor(l, x, &stored));
    own = stored;
    if (stored.dtype != x->dtype) {
        value v;
        TRY(known_new(l, x->dtype, x->dims, x->rank, &own, &v));
        TRY(tensor_convert(&stored, &own));
    }
    TRY(known_new(l, to, x->dims, x->rank, &y, out));
    if (tensor_bytes(&y))
        memcpy(y.data, own.data, tensor_bytes(&y));
    return O2W_OK;
}

/* Integers of one width keep their bits in a cast; other computed values have no WebNN form. */
static o2w_status lower_bit_cast(struct lower *l, const struct node_view *n, const void *params)
{
    const struct cast_params *p = params;
    value x = input(n, 0), y;
    enum dtype to;
    if (!dtype_by_onnx(p->to, &to) || dtype_info(to)->bits != dtype_info(x->dtype)->bits)
        return refuse_attribute(l, n, "to", "is %lld, not a type of %u bits as %s",
                                (long long)p->to, dtype_info(x->dtype)->bits, dtype_name(x->dtype));
    bool integers = !dtype_is_float(x->dtype) && !dtype_is_float(to);
    if (value_is_known(x) && dtype_in(to, SET_ALL))
        TRY(same_bytes(l, x, to, &y));
    else if (!dtype_in(to, SET_ALL) || !dtype_in(x->dtype, SET_ALL) || !integers)
        return refuse_type(l, n, to, "by bits has no WebNN form, only known values have one");
    else
        TRY(cast(l, x, to, &y));
    return emit_as(l, n, 0, y, to);
}

#define SET_CAST (SET_MOVED | SET_STRING)
#define CAST(from, to, type, rows, function)                                            \
    {                                                                                   \
        ONNX("Cast", from, to), INPUTS(IN("input", NONE, SET_CAST, CLASSES)),           \
            RESULTS({ .name = "output", .variable = TYPE_NONE }), PARAMS(type, rows),   \
            .lower = function, .class = CLASS_DIRECT, .partial = true, .webnn = "cast", \
            .notes = "8-bit floats and strings: known values only"                      \
    }

#define CAST_LIKE(from, to, ...)                                                               \
    {                                                                                          \
        ONNX("CastLike", from, to),                                                            \
            INPUTS(IN("input", NONE, SET_CAST), IN("target_type", NONE, SET_CAST)),            \
            RESULTS({ .name = "output", .variable = TYPE_NONE }),                              \
            .lower = lower_cast_like, .class = CLASS_DIRECT, .partial = true, .webnn = "cast", \
            .notes = "8-bit floats and strings: known values only", __VA_ARGS__                \
    }
#define PARAMS_NONE .params_size = sizeof(struct cast_params)

const struct onnx_row cast_rows[] = {
    CAST(1, 5, struct cast_1_params, cast_1_attrs, lower_cast_1),
    CAST(6, 18, struct cast_params, cast_6_attrs, lower_cast),
    CAST(19, 23, struct cast_params, cast_19_attrs, lower_cast),
    CAST(24, LATEST, struct cast_params, cast_24_attrs, lower_cast),
    CAST_LIKE(15, 18, PARAMS_NONE),
    CAST_LIKE(19, 23, PARAMS(struct cast_params, cast_like_19_attrs)),
    CAST_LIKE(24, LATEST, PARAMS(struct cast_params, cast_like_24_attrs)),
    { ONNX("BitCast", 26, LATEST), INPUTS(IN("input", NONE, SET_MOVED)),
      RESULTS({ .name = "output", .variable = TYPE_NONE }),
      PARAMS(struct cast_params, bit_cast_attrs), .lower = lower_bit_cast, .class = CLASS_COMPOSED,
      .partial = true, .webnn = "cast",
      .notes = "computed values: integers of one width; small kinds refused" },
};
ROW_COUNT(cast);
