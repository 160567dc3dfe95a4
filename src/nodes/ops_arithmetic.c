/* Element-wise arithmetic. Integers wrap and never trap. */
#include "nodes/lower.h"

#include <math.h>

/* Operators whose node means the same for all dtypes: NaN, infinities, -0 and wrapping included. */
static const char *const direct_nodes[WEBNN_OPERATOR_COUNT] = {
    [WEBNN_ADD] = "Add",           [WEBNN_SUB] = "Sub",
    [WEBNN_MUL] = "Mul",           [WEBNN_DIV] = "Div",

    [WEBNN_POW] = "Pow",           [WEBNN_ABS] = "Abs",
    [WEBNN_CEIL] = "Ceil",         [WEBNN_COS] = "Cos",
    [WEBNN_ERF] = "Erf",           [WEBNN_EXP] = "Exp",
    [WEBNN_FLOOR] = "Floor",       [WEBNN_LOG] = "Log",
    [WEBNN_NEG] = "Neg",           [WEBNN_RECIPROCAL] = "Reciprocal",
    [WEBNN_ROUND_EVEN] = "Round",  [WEBNN_SIN] = "Sin",
    [WEBNN_SQRT] = "Sqrt",         [WEBNN_TAN] = "Tan",
    [WEBNN_GELU] = "Gelu",         [WEBNN_SOFTPLUS] = "Softplus",
    [WEBNN_SOFTSIGN] = "Softsign", [WEBNN_TANH] = "Tanh",
};

void nodes_direct(struct emit *e)
{
    ref inputs[2] = { NULL, NULL };
    for (uint32_t i = 0; i < e->node->operand_count; i++)
        inputs[i] = operand(e, i);
    set_result(e, 0,
               emit_node(e, direct_nodes[e->node->kind], inputs, e->node->operand_count, PLAIN));
}

void nodes_min_max(struct emit *e)
{
    ref a = operand(e, 0), b = operand(e, 1);
    enum dtype t = operand_dtype(e, 0);
    set_result(e, 0, e->node->kind == WEBNN_MAX ? emit_max(e, t, a, b) : emit_min(e, t, a, b));
}

/* Whether no element of a constant divisor can trap. */
static bool divides_safely(struct emit *e, uint32_t slot)
{
    struct tensor t;
    if (!operand_constant(e, slot, &t))
        return false;
    for (uint64_t i = 0; i < tensor_count(&t); i++) {
        bool is_signed = dtype_is_signed(t.dtype);
        int64_t value = is_signed ? tensor_get_i64(&t, i) : (int64_t)tensor_get_u64(&t, i);
        if (value == 0 || (is_signed && value == -1))
            return false;
    }
    return true;
}

/* Integers: x / 0 = 0 and MIN / -1 = MIN; the processor would trap at both. */
void nodes_div(struct emit *e)
{
    enum dtype t = operand_dtype(e, 0);
    if (dtype_is_float(t) || divides_safely(e, 1)) {
        nodes_direct(e);
        return;
    }
    ref a = operand(e, 0), b = operand(e, 1), zero = emit_int(e, t, 0), one = emit_int(e, t, 1);
    ref by_zero = emit_binary(e, "Equal", b, zero), by_minus = NULL;
    ref divisor = emit_where(e, t, by_zero, one, b);
    if (dtype_is_signed(t)) {
        by_minus = emit_binary(e, "Equal", b, emit_int(e, t, -1));
        divisor = emit_where(e, t, by_minus, one, divisor);
    }
    ref quotient = emit_binary(e, "Div", a, divisor);
    if (by_minus)
        quotient = emit_where(e, t, by_minus, emit_unary(e, "Neg", quotient), quotient);
    set_result(e, 0, emit_where(e, t, by_zero, zero, quotient));
}

/* Bits of an exponent that count: of a constant the used ones, else all but the sign. */
static unsigned exponent_bits(struct emit *e)
{
    struct tensor t;
    enum dtype dtype = operand_dtype(e, 1);
    unsigned all = dtype_info(dtype)->bits - dtype_is_signed(dtype), used = 0;
    if (!operand_constant(e, 1, &t))
        return all;
    for (uint64_t i = 0; i < tensor_count(&t); i++) {
        uint64_t value =
            dtype_is_signed(dtype) ? (uint64_t)tensor_get_i64(&t, i) : tensor_get_u64(&t, i);
        if (dtype_is_signed(dtype) && (int64_t)value < 0)
            return all;
        while (used < 64 && value >> used)
            used++;
    }
    return used;
}

/* Square and multiply, wrapping. A negative exponent leaves 1 and -1 and makes 0 of all others. */
static void nodes_integer_pow(struct emit *e, enum dtype t)
{
    ref base = operand(e, 0), exponent = operand(e, 1), zero = emit_int(e, t, 0),
        one = emit_int(e, t, 1);
    ref magnitude = dtype_is_signed(t) ? emit_unary(e, "Abs", exponent) : exponent;
    ref result = emit_binary(e, "Add", one, emit_binary(e, "Mul", zero, base)), power = base;
    unsigned bits = exponent_bits(e);
    for (unsigned i = 0; i < bits && e->status == O2W_OK; i++) {
        ref bit =
            emit_binary(e, "BitwiseAnd", magnitude, emit_int(e, t, (int64_t)((uint64_t)1 << i)));
        ref is_clear = emit_binary(e, "Equal", bit, zero);
        result = emit_where(e, t, is_clear, result, emit_binary(e, "Mul", result, power));
        power = i + 1 < bits ? emit_binary(e, "Mul", power, power) : power;
    }
    if (bits == 0)
        result = emit_binary(e, "Add", result, emit_binary(e, "Mul", zero, exponent));
    if (dtype_is_signed(t)) {
        ref is_negative = emit_binary(e, "Less", exponent, zero);
        ref is_unit = emit_binary(e, "Equal", emit_unary(e, "Abs", base), one);
        ref vanishes = emit_binary(e, "And", is_negative, emit_unary(e, "Not", is_unit));
        result = emit_where(e, t, vanishes, zero, result);
    }
    set_result(e, 0, result);
}

void nodes_pow(struct emit *e)
{
    enum dtype t = operand_dtype(e, 0);
    if (dtype_is_float(t))
        nodes_direct(e);
    else
        nodes_integer_pow(e, t);
}

/* The runtime's float16 kernel gives 0 for NaN. */
void nodes_sign(struct emit *e)
{
    set_result_wide(e, 0, emit_unary(e, "Sign", operand_wide(e, 0)));
}

/* A missing bound of floats is infinite; the runtime's own are its largest numbers. */
static ref bound(struct emit *e, const struct webnn_number *value, double missing)
{
    enum dtype t = operand_dtype(e, 0);
    if (value->kind != WEBNN_NUMBER_NONE)
        return emit_number(e, t, value);
    return dtype_is_float(t) ? emit_float(e, t, missing) : NULL;
}

void nodes_clamp(struct emit *e)
{
    const struct webnn_clamp_attributes *p = ATTRIBUTES_OF(e, clamp);
    if (p->min_value.kind == WEBNN_NUMBER_NONE && p->max_value.kind == WEBNN_NUMBER_NONE) {
        nodes_identity(e);
        return;
    }
    ref low = bound(e, &p->min_value, -(double)INFINITY),
        high = bound(e, &p->max_value, (double)INFINITY);
    set_result(e, 0, emit_clip(e, operand_dtype(e, 0), operand(e, 0), low, high));
}

void nodes_linear(struct emit *e)
{
    const struct webnn_linear_attributes *p = ATTRIBUTES_OF(e, linear);
    ref y = operand_wide(e, 0);
    double alpha = option_value(e, p->alpha), beta = option_value(e, p->beta);
    if (alpha != 1)
        y = emit_binary(e, "Mul", y, emit_float(e, DTYPE_FLOAT32, alpha));
    if (beta != 0)
        y = emit_binary(e, "Add", y, emit_float(e, DTYPE_FLOAT32, beta));
    if (alpha == 1 && beta == 0)
        nodes_identity(e);
    else
        set_result_wide(e, 0, y);
}
