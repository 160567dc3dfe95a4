/* Operators that compute every element from the elements at its place. */
#include "lower/ops/elementwise.h"

#include <float.h>
#include <math.h>

/* One WebNN operator with the row's name. */
static o2w_status lower_unary(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value y;
    TRY(op1(l, row_operator(n), input(n, 0), &y));
    return emit_wrapped(l, n, y);
}

static o2w_status lower_binary(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value y;
    TRY(op2(l, row_operator(n), input(n, 0), input(n, 1), &y));
    return emit_wrapped(l, n, y);
}

static o2w_status lower_binary_legacy(struct lower *l, const struct node_view *n,
                                      const void *params)
{
    value b, y;
    TRY(legacy_operand(l, n, params, &b));
    TRY(op2(l, row_operator(n), input(n, 0), b, &y));
    return emit_wrapped(l, n, y);
}

static o2w_status lower_div(struct lower *l, const struct node_view *n, const void *params)
{
    TRY(check_divisor(l, n, input(n, 1)));
    return lower_binary(l, n, params);
}

static o2w_status lower_div_legacy(struct lower *l, const struct node_view *n, const void *params)
{
    TRY(check_divisor(l, n, input(n, 1)));
    return lower_binary_legacy(l, n, params);
}

static bool is_unsigned(value x)
{
    return dtype_is_integer(x->dtype) && !dtype_is_signed(x->dtype);
}

/* Unsigned numbers are their own size. */
static o2w_status lower_abs(struct lower *l, const struct node_view *n, const void *params)
{
    return is_unsigned(input(n, 0)) ? emit_value(l, n, input(n, 0)) : lower_unary(l, n, params);
}

static o2w_status lower_sign(struct lower *l, const struct node_view *n, const void *params)
{
    value one;
    if (!is_unsigned(input(n, 0)))
        return lower_unary(l, n, params);
    TRY(scalar_like(l, input(n, 0), 1, &one));
    return emit(l, n, WEBNN_MIN, OPERANDS(input(n, 0), one), NULL);
}

static o2w_status lower_identity(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return emit_value(l, n, input(n, 0));
}

/* --- several inputs ------------------------------------------------------------------------------- */

static o2w_status lower_chain(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value y = input(n, 0);
    for (uint32_t i = 1; i < n->input_count; i++)
        TRY(op2(l, row_operator(n), y, input(n, i), &y));
    return emit_value(l, n, y);
}

static o2w_status lower_chain_legacy(struct lower *l, const struct node_view *n, const void *params)
{
    TRY(check_equal_shapes(l, n, 1));
    return lower_chain(l, n, params);
}

static o2w_status wide_sum(struct lower *l, const struct node_view *n, value *out)
{
    TRY(widen(l, input(n, 0), out));
    for (uint32_t i = 1; i < n->input_count; i++) {
        value x;
        TRY(widen(l, input(n, i), &x));
        TRY(op2(l, WEBNN_ADD, *out, x, out));
    }
    return O2W_OK;
}

static o2w_status lower_sum(struct lower *l, const struct node_view *n, const void *params)
{
    value y;
    if (n->input_count < 3)
        return lower_chain(l, n, params);
    TRY(wide_sum(l, n, &y));
    return emit_narrowed(l, n, y);
}

static o2w_status lower_sum_legacy(struct lower *l, const struct node_view *n, const void *params)
{
    TRY(check_equal_shapes(l, n, 1));
    return lower_sum(l, n, params);
}

static o2w_status lower_mean(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value y, count;
    if (n->input_count == 1)
        return emit_value(l, n, input(n, 0));
    TRY(wide_sum(l, n, &y));
    TRY(scalar_like(l, y, n->input_count, &count));
    TRY(op2(l, WEBNN_DIV, y, count, &y));
    return emit_narrowed(l, n, y);
}

static o2w_status lower_mean_legacy(struct lower *l, const struct node_view *n, const void *params)
{
    TRY(check_equal_shapes(l, n, 1));
    return lower_mean(l, n, params);
}

/* --- Clip ------------------------------------------------------------------------------------------ */

struct clip {
    struct given_float min, max;
};

static const struct attr_row clip_attrs[] = {
    ATTR_GIVEN_FLOAT(struct clip, min),
    ATTR_GIVEN_FLOAT(struct clip, max),
};

static o2w_status emit_clamp(struct lower *l, const struct node_view *n, struct webnn_number low,
                             struct webnn_number high)
{
    struct webnn_clamp_attributes a = { .min_value = low, .max_value = high };
    if (low.kind == WEBNN_NUMBER_NONE && high.kind == WEBNN_NUMBER_NONE)
        return emit_value(l, n, input(n, 0));
    return emit(l, n, WEBNN_CLAMP, OPERANDS(input(n, 0)), &a);
}

/* min(max(x, low), high): what clamp is, for any bounds; the upper one wins. */
static o2w_status emit_bounded(struct lower *l, const struct node_view *n, value low, value high)
{
    value y = input(n, 0);
    if (low) {
        TRY(reshape(l, low, NULL, 0, &low));
        TRY(op2(l, WEBNN_MAX, y, low, &y));
    }
    if (high) {
        TRY(reshape(l, high, NULL, 0, &high));
        TRY(op2(l, WEBNN_MIN, y, high, &y));
    }
    return emit_value(l, n, y);
}

static o2w_status bound_number(struct lower *l, const struct node_view *n, uint32_t i, bool *known,
                               struct webnn_number *out)
{
    struct tensor t;
    uint64_t count;
    value v = input(n, i);
    if (!v)
        return O2W_OK;
    if (v->rank > 1 || !value_count(v, &count) || count != 1)
        return refuse_input(l, n, i, "has shape %s, one number is needed",
                            dim_list_text(lower_exprs(l), v->dims, v->rank, lower_arena(l)));
    *known &= value_is_known(v);
    if (!value_is_known(v))
        return O2W_OK;
    TRY(known_tensor(l, v, &t));
    *out = number_at(&t, 0);
    return O2W_OK;
}

static bool is_nan(const struct webnn_number *v)
{
    return v->kind == WEBNN_NUMBER_DOUBLE && isnan(v->d);
}

/* The largest finite number. */
static double most_of(enum dtype dtype)
{
    return dtype == DTYPE_FLOAT16    ? 65504
           : dtype == DTYPE_BFLOAT16 ? 0x1.fep127
           : dtype == DTYPE_FLOAT64  ? DBL_MAX
                                     : FLT_MAX;
}

/* An absent bound is the last finite number: it bounds infinities. That of float64 is beyond the
 * float32 which carries it; integers have none. */
static o2w_status default_bound(struct lower *l, const struct node_view *n, uint32_t i,
                                struct webnn_number *number, value *bound)
{
    enum dtype dtype = input(n, 0)->dtype;
    *bound = input(n, i);
    if (*bound || !dtype_is_float(dtype) || dtype == DTYPE_FLOAT64)
        return O2W_OK;
    *number = (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE,
                                     .d = i == 1 ? -most_of(dtype) : most_of(dtype) };
    return scalar_like(l, input(n, 0), number->d, bound);
}

static o2w_status lower_clip(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    struct webnn_number low = { 0 }, high = { 0 };
    value a, b;
    bool known = true;
    TRY(bound_number(l, n, 1, &known, &low));
    TRY(bound_number(l, n, 2, &known, &high));
    TRY(default_bound(l, n, 1, &low, &a));
    TRY(default_bound(l, n, 2, &high, &b));
    bool ordered = !is_nan(&low) && !is_nan(&high) &&
                   (low.kind == WEBNN_NUMBER_NONE || high.kind == WEBNN_NUMBER_NONE ||
                    number_compare(&low, &high) <= 0);
    return known && ordered ? emit_clamp(l, n, low, high) : emit_bounded(l, n, a, b);
}

/* A bound beyond the type's numbers bounds nothing. */
static struct webnn_number float_bound(enum dtype dtype, double v)
{
    double most = most_of(dtype);
    if (fabs(v) > most * (1 + 1e-6))
        return (struct webnn_number){ 0 };
    return (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE,
                                  .d = v > most    ? most
                                       : v < -most ? -most
                                                   : v };
}

/* Bounds are attributes; absent ones are none below 6, and the largest floats from 6 on. */
static o2w_status clip_attributes(struct lower *l, const struct node_view *n, const struct clip *p,
                                  double most)
{
    enum dtype dtype = input(n, 0)->dtype;
    struct webnn_number low = float_bound(dtype, p->min.given ? p->min.value : -most),
                        high = float_bound(dtype, p->max.given ? p->max.value : most);
    value a = NULL, b = NULL;
    if (!(low.kind && high.kind) || low.d <= high.d)
        return emit_clamp(l, n, low, high);
    TRY(scalar_like(l, input(n, 0), low.d, &a));
    TRY(scalar_like(l, input(n, 0), high.d, &b));
    return emit_bounded(l, n, a, b);
}

static o2w_status lower_clip_1(struct lower *l, const struct node_view *n, const void *params)
{
    return clip_attributes(l, n, params, (double)INFINITY);
}

static o2w_status lower_clip_6(struct lower *l, const struct node_view *n, const void *params)
{
    return clip_attributes(l, n, params, FLT_MAX);
}

/* --- Dropout --------------------------------------------------------------------------------------- */

struct dropout {
    int64_t is_test;
    double ratio;
};

static const struct attr_row dropout_1_attrs[] = {
    ATTR_INT(struct dropout, is_test, .fallback_int = 0, .allowed = "0 1"),
    ATTR_FLOAT(struct dropout, ratio, .fallback_float = 0.5),
};
static const struct attr_row dropout_7_attrs[] = {
    ATTR_FLOAT(struct dropout, ratio, .fallback_float = 0.5),
};
static const struct attr_row dropout_12_attrs[] = { ATTR_IGNORED("seed") };

static o2w_status emit_dropout(struct lower *l, const struct node_view *n, enum dtype mask_dtype,
                               int64_t mask)
{
    value x = input(n, 0), m;
    TRY(emit_value(l, n, x));
    if (!output_used(n, 1))
        return O2W_OK;
    TRY(fill_i64(l, mask_dtype, mask, x->dims, x->rank, &m));
    return emit_as(l, n, 1, m, mask_dtype);
}

/* Below 7 the mask is not filled in inference. */
static o2w_status lower_dropout_1(struct lower *l, const struct node_view *n, const void *params)
{
    const struct dropout *p = params;
    if (output_used(n, 1))
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE,
                      "output 1 'mask' is used, which inference does not fill");
    if (!p->is_test)
        lower_report(l, n, DIAG_LOWER_NOTE, "Dropout with is_test = 0 is lowered for inference");
    return emit_value(l, n, input(n, 0));
}

static o2w_status lower_dropout_7(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return emit_dropout(l, n, input(n, 0)->dtype, 0);
}

static o2w_status lower_dropout_10(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return emit_dropout(l, n, DTYPE_BOOL, 0);
}

/* Training with a ratio other than 0 is random. */
static o2w_status lower_dropout_12(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    int64_t training = 0;
    double ratio = 0.5;
    if (input(n, 2))
        TRY(known_int(l, n, 2, &training));
    if (training && input(n, 1))
        TRY(known_double(l, n, 1, &ratio));
    if (training && ratio != 0)
        return refuse_input(
            l, n, 2, "is true with ratio %g: dropping elements is random, WebNN is not", ratio);
    return emit_dropout(l, n, DTYPE_BOOL, 1);
}

/* --- rows ------------------------------------------------------------------------------------------ */

static const struct attr_row leaky_relu_attrs[] = {
    ATTR_FLOAT(struct alpha_params, alpha, .fallback_float = 0.01),
};
static const struct attr_row alpha_1_attrs[] = {
    ATTR_FLOAT(struct alpha_params, alpha, .fallback_float = 1),
};
static const struct attr_row selu_1_attrs[] = {
    ATTR_FLOAT(struct selu_params, alpha, .fallback_float = 1.673200011253357),
    ATTR_FLOAT(struct selu_params, gamma, .fallback_float = 1.0506999492645264),
};
static const struct attr_row selu_attrs[] = {
    ATTR_FLOAT(struct selu_params, alpha, .fallback_float = 1.6732631921768188),
    ATTR_FLOAT(struct selu_params, gamma, .fallback_float = 1.0507010221481323),
};
static const struct attr_row hard_sigmoid_attrs[] = {
    ATTR_FLOAT(struct hard_sigmoid_params, alpha, .fallback_float = 0.2),
    ATTR_FLOAT(struct hard_sigmoid_params, beta, .fallback_float = 0.5),
};
static const struct attr_row gelu_attrs[] = {
    ATTR_STRING(struct gelu_params, approximate, .fallback_text = "none", .allowed = "none tanh"),
};
static const struct attr_row mod_attrs[] = {
    ATTR_INT(struct mod_params, fmod, .fallback_int = 0, .allowed = "0 1"),
};
static const struct attr_row shrink_attrs[] = {
    ATTR_FLOAT(struct shrink_params, bias, .fallback_float = 0),
    ATTR_FLOAT(struct shrink_params, lambd, .fallback_float = 0.5),
};
static const struct attr_row shift_attrs[] = {
    ATTR_STRING(struct shift_params, direction, .required = true, .allowed = "LEFT RIGHT"),
};
static const struct attr_row legacy_attrs[] = {
    ATTR_GIVEN_INT(struct legacy_broadcast, axis),
    ATTR_INT(struct legacy_broadcast, broadcast, .fallback_int = 0, .allowed = "0 1"),
};

#define SET_SIGNED_NUMERIC (SET_FLOATS | SET_SIGNED)
#define SET_WIDE_INTS      (SET_INDEX | DTYPE_BIT(DTYPE_UINT32) | DTYPE_BIT(DTYPE_UINT64))

#define UNARY(op, from, types, function, kind)                                   \
    {                                                                            \
        ONNX(op, from, LATEST), INPUTS(IN("X", T, types)), RESULTS(OUT("Y", T)), \
            .lower = function, .class = CLASS_DIRECT, .webnn = kind              \
    }
#define UNARY_WITH(op, from, to, type, rows, function, kind)                            \
    {                                                                                   \
        ONNX(op, from, to), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),       \
            PARAMS(type, rows), .lower = function, .class = CLASS_DIRECT, .webnn = kind \
    }
#define COMPOSED(op, from, function, kinds)                                           \
    {                                                                                 \
        ONNX(op, from, LATEST), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)), \
            .lower = function, .class = CLASS_COMPOSED, .webnn = kinds                \
    }
#define COMPOSED_WITH(op, from, to, type, rows, function, kinds)                           \
    {                                                                                      \
        ONNX(op, from, to), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),          \
            PARAMS(type, rows), .lower = function, .class = CLASS_COMPOSED, .webnn = kinds \
    }
#define BINARY(op, from, types, function, kind)                                           \
    {                                                                                     \
        ONNX(op, from, LATEST), INPUTS(IN("A", T, types), IN("B", T, types)),             \
            RESULTS(OUT("C", T)), .lower = function, .class = CLASS_DIRECT, .webnn = kind \
    }
#define BINARY_LEGACY(op, types, function, kind)                                            \
    {                                                                                       \
        ONNX(op, 1, 6), INPUTS(IN("A", T, types), IN("B", T, types)), RESULTS(OUT("C", T)), \
            PARAMS(struct legacy_broadcast, legacy_attrs),                                  \
            .lower = function, .class = CLASS_DIRECT, .webnn = kind,                        \
            .notes = "attributes broadcast and axis"                                        \
    }
#define CHAIN(op, from, to, types, function, claimed, kind)                               \
    {                                                                                     \
        ONNX(op, from, to), INPUTS(IN_MANY("data", T, types)), RESULTS(OUT("result", T)), \
            .lower = function, .class = claimed, .webnn = kind                            \
    }

const struct onnx_row elementwise_rows[] = {
    UNARY("Abs", 1, SET_NUMERIC, lower_abs, "abs"),
    UNARY("Ceil", 1, SET_FLOATS, lower_unary, "ceil"),
    UNARY("Cos", 7, SET_FLOATS, lower_unary, "cos"),
    { ONNX("Erf", 9, 12), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      .lower = lower_unary, .class = CLASS_DIRECT, .partial = true, .webnn = "erf",
      .notes = "integers refused" },
    UNARY("Erf", 13, SET_FLOATS, lower_unary, "erf"),
    UNARY("Exp", 1, SET_FLOATS, lower_unary, "exp"),
    UNARY("Floor", 1, SET_FLOATS, lower_unary, "floor"),
    UNARY("HardSwish", 14, SET_FLOATS, lower_unary, "hardSwish"),
    UNARY("Log", 1, SET_FLOATS, lower_unary, "log"),
    UNARY("Neg", 1, SET_SIGNED_NUMERIC, lower_unary, "neg"),
    UNARY("Reciprocal", 1, SET_FLOATS, lower_unary, "reciprocal"),
    UNARY("Relu", 1, SET_SIGNED_NUMERIC, lower_unary, "relu"),
    UNARY("Round", 11, SET_FLOATS, lower_unary, "roundEven"),
    UNARY("Sigmoid", 1, SET_FLOATS, lower_unary, "sigmoid"),
    UNARY("Sign", 9, SET_NUMERIC, lower_sign, "sign"),
    UNARY("Sin", 7, SET_FLOATS, lower_unary, "sin"),
    UNARY("Softplus", 1, SET_FLOATS, lower_unary, "softplus"),
    UNARY("Softsign", 1, SET_FLOATS, lower_unary, "softsign"),
    UNARY("Sqrt", 1, SET_FLOATS, lower_unary, "sqrt"),
    UNARY("Tan", 7, SET_FLOATS, lower_unary, "tan"),
    UNARY("Tanh", 1, SET_FLOATS, lower_unary, "tanh"),

    UNARY_WITH("Elu", 1, LATEST, struct alpha_params, alpha_1_attrs, lower_elu, "elu"),
    UNARY_WITH("Gelu", 20, LATEST, struct gelu_params, gelu_attrs, lower_gelu, "gelu"),
    UNARY_WITH("HardSigmoid", 1, LATEST, struct hard_sigmoid_params, hard_sigmoid_attrs,
               lower_hard_sigmoid, "hardSigmoid"),
    UNARY_WITH("LeakyRelu", 1, LATEST, struct alpha_params, leaky_relu_attrs, lower_leaky_relu,
               "leakyRelu"),
    { ONNX("Celu", 12, LATEST), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      PARAMS(struct alpha_params, alpha_1_attrs), .lower = lower_celu, .class = CLASS_DIRECT,
      .partial = true, .webnn = "elu, max, min", .notes = "alpha = 0 refused" },
    COMPOSED_WITH("Selu", 1, 5, struct selu_params, selu_1_attrs, lower_selu, "elu, mul"),
    COMPOSED_WITH("Selu", 6, LATEST, struct selu_params, selu_attrs, lower_selu, "elu, mul"),
    COMPOSED_WITH("Swish", 24, LATEST, struct alpha_params, alpha_1_attrs, lower_swish,
                  "sigmoid, mul"),
    COMPOSED_WITH("ThresholdedRelu", 1, LATEST, struct alpha_params, alpha_1_attrs,
                  lower_thresholded_relu, "greater, where"),
    COMPOSED("Mish", 18, lower_mish, "softplus, tanh, mul"),
    COMPOSED("Acos", 7, lower_acos, "sqrt, mul, add, where"),
    COMPOSED("Acosh", 9, lower_acosh, "log, sqrt, where"),
    COMPOSED("Asin", 7, lower_asin, "sqrt, mul, add, where"),
    COMPOSED("Asinh", 9, lower_asinh, "log, sqrt, where"),
    COMPOSED("Atan", 7, lower_atan, "div, mul, add, where"),
    COMPOSED("Atanh", 9, lower_atanh, "log, div, where"),
    COMPOSED("Cosh", 9, lower_cosh, "exp, div, add"),
    COMPOSED("Sinh", 9, lower_sinh, "exp, div, sub, where"),

    BINARY_LEGACY("Add", SET_NUMERIC, lower_binary_legacy, "add"),
    BINARY("Add", 7, SET_NUMERIC, lower_binary, "add"),
    BINARY_LEGACY("Div", SET_NUMERIC, lower_div_legacy, "div"),
    BINARY("Div", 7, SET_NUMERIC, lower_div, "div"),
    BINARY_LEGACY("Mul", SET_NUMERIC, lower_binary_legacy, "mul"),
    BINARY("Mul", 7, SET_NUMERIC, lower_binary, "mul"),
    BINARY_LEGACY("Sub", SET_NUMERIC, lower_binary_legacy, "sub"),
    BINARY("Sub", 7, SET_NUMERIC, lower_binary, "sub"),
    BINARY_LEGACY("Pow", SET_FLOATS, lower_pow_legacy, "pow"),
    { ONNX("Pow", 7, LATEST), INPUTS(IN("X", T, SET_FLOATS | SET_INDEX), IN("Y", T1, SET_NUMERIC)),
      RESULTS(OUT("Z", T)), .lower = lower_pow, .class = CLASS_DIRECT, .webnn = "pow",
      .notes = "an integer base with a float exponent that is not whole is computed in float32" },
    { ONNX("Mod", 10, LATEST), INPUTS(IN("A", T, SET_NUMERIC), IN("B", T, SET_NUMERIC)),
      RESULTS(OUT("C", T)), PARAMS(struct mod_params, mod_attrs), .lower = lower_mod,
      .evaluate = evaluate_mod, .class = CLASS_COMPOSED, .partial = true,
      .webnn = "div, mul, sub, where", .notes = "fmod = 0 refused for floats" },
    { ONNX("BitShift", 11, LATEST), INPUTS(IN("X", T, SET_UNSIGNED), IN("Y", T, SET_UNSIGNED)),
      RESULTS(OUT("Z", T)), PARAMS(struct shift_params, shift_attrs), .lower = lower_bit_shift,
      .class = CLASS_COMPOSED, .webnn = "gather, mul, div, where" },
#define BITWISE(op)                                                                \
    {                                                                              \
        ONNX(op, 18, LATEST), INPUTS(IN("A", T, SET_INTS), IN("B", T, SET_INTS)),  \
            RESULTS(OUT("C", T)), .lower = lower_bitwise, .class = CLASS_COMPOSED, \
                                  .webnn = "gather, div, mul, add, sub"            \
    }
    BITWISE("BitwiseAnd"),
    BITWISE("BitwiseOr"),
    BITWISE("BitwiseXor"),
    { ONNX("BitwiseNot", 18, LATEST), INPUTS(IN("X", T, SET_INTS)), RESULTS(OUT("Y", T)),
      .lower = lower_bitwise_not, .class = CLASS_COMPOSED, .webnn = "sub" },

    CHAIN("Max", 1, 7, SET_FLOATS, lower_chain_legacy, CLASS_DIRECT, "max"),
    CHAIN("Max", 8, LATEST, SET_NUMERIC, lower_chain, CLASS_DIRECT, "max"),
    CHAIN("Min", 1, 7, SET_FLOATS, lower_chain_legacy, CLASS_DIRECT, "min"),
    CHAIN("Min", 8, LATEST, SET_NUMERIC, lower_chain, CLASS_DIRECT, "min"),
    CHAIN("Sum", 1, 7, SET_FLOATS, lower_sum_legacy, CLASS_DIRECT, "add"),
    CHAIN("Sum", 8, LATEST, SET_FLOATS, lower_sum, CLASS_DIRECT, "add"),
    CHAIN("Mean", 1, 7, SET_FLOATS, lower_mean_legacy, CLASS_COMPOSED, "add, div"),
    CHAIN("Mean", 8, LATEST, SET_FLOATS, lower_mean, CLASS_COMPOSED, "add, div"),

    { ONNX("PRelu", 1, 6), INPUTS(IN("X", T, SET_FLOATS), IN("slope", T, SET_FLOATS)),
      RESULTS(OUT("Y", T)), .lower = lower_prelu_legacy, .class = CLASS_DIRECT, .webnn = "prelu" },
    { ONNX("PRelu", 7, LATEST),
      INPUTS(IN("X", T, SET_FLOATS | SET_WIDE_INTS), IN("slope", T, SET_FLOATS | SET_WIDE_INTS)),
      RESULTS(OUT("Y", T)), .lower = lower_prelu, .class = CLASS_DIRECT, .webnn = "prelu" },
    { ONNX("Shrink", 9, LATEST), INPUTS(IN("X", T, SET_NUMERIC)), RESULTS(OUT("Y", T)),
      PARAMS(struct shrink_params, shrink_attrs), .lower = lower_shrink, .class = CLASS_COMPOSED,
      .webnn = "greater, lesser, where" },

    { ONNX("Clip", 1, 5), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      PARAMS(struct clip, clip_attrs), .lower = lower_clip_1, .class = CLASS_DIRECT,
      .webnn = "clamp" },
    { ONNX("Clip", 6, 10), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      PARAMS(struct clip, clip_attrs), .lower = lower_clip_6, .class = CLASS_DIRECT,
      .webnn = "clamp" },
    { ONNX("Clip", 11, LATEST),
      INPUTS(IN("X", T, SET_NUMERIC), IN_OPT("min", T, SET_NUMERIC), IN_OPT("max", T, SET_NUMERIC)),
      RESULTS(OUT("Y", T)), .lower = lower_clip, .class = CLASS_DIRECT, .webnn = "clamp",
      .notes = "computed or crossed bounds: max, min" },

    { ONNX("Identity", 1, LATEST), INPUTS({ .name = "input", .variable = TYPE_NONE }),
      RESULTS({ .name = "output", .variable = TYPE_NONE }), .lower = lower_identity,
      .class = CLASS_DIRECT, .webnn = "identity" },
    { ONNX("Dropout", 1, 6), INPUTS(IN("data", T, SET_FLOATS)),
      RESULTS(OUT("output", T), OUT_OPT("mask", T)), PARAMS(struct dropout, dropout_1_attrs),
      .lower = lower_dropout_1, .class = CLASS_DIRECT, .partial = true, .webnn = "identity",
      .notes = "inference; a used mask refused" },
    { ONNX("Dropout", 7, 9), INPUTS(IN("data", T, SET_FLOATS)),
      RESULTS(OUT("output", T), OUT_OPT("mask", T)), PARAMS(struct dropout, dropout_7_attrs),
      .lower = lower_dropout_7, .class = CLASS_DIRECT, .webnn = "identity" },
    { ONNX("Dropout", 10, 11), INPUTS(IN("data", T, SET_FLOATS)),
      RESULTS(OUT("output", T), OUT_OPT_OF("mask", DTYPE_BOOL)),
      PARAMS(struct dropout, dropout_7_attrs), .lower = lower_dropout_10, .class = CLASS_DIRECT,
      .webnn = "identity" },
    { ONNX("Dropout", 12, LATEST),
      INPUTS(IN("data", T, SET_FLOATS), IN_OPT("ratio", NONE, SET_FLOATS),
             IN_OPT("training_mode", NONE, SET_BOOL)),
      RESULTS(OUT("output", T), OUT_OPT_OF("mask", DTYPE_BOOL)),
      PARAMS(struct dropout, dropout_12_attrs), .lower = lower_dropout_12, .class = CLASS_DIRECT,
      .partial = true, .webnn = "identity", .notes = "training with a ratio other than 0 refused" },
};
ROW_COUNT(elementwise);
