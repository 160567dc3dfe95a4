/* Conversion between dtypes. */
#include "nodes/lower.h"

#include <math.h>

/* Another name of the operand; no node. */
void nodes_identity(struct emit *e)
{
    struct form *form = &e->forms[e->node->operands[0]];
    if (!form->plain && !form->carried)
        operand(e, 0); /* a constant that is first used here */
    e->forms[e->node->first_result] = *form;
}

/* x where it is no NaN, else 0, within low … high. */
static ref bounded(struct emit *e, ref x, double low, double high)
{
    ref zero = emit_float(e, DTYPE_FLOAT32, 0);
    ref number = emit_node(e, "Where", REFS(emit_unary(e, "IsNaN", x), zero, x), PLAIN);
    return emit_node(
        e, "Clip",
        REFS(number, emit_float(e, DTYPE_FLOAT32, low), emit_float(e, DTYPE_FLOAT32, high)), PLAIN);
}

/* 2^63 and 2^64 lie above every float that converts; from there on it is the maximum. */
static ref to_64_bits(struct emit *e, ref x, enum dtype t)
{
    double limit = ldexp(1, t == DTYPE_INT64 ? 63 : 64), low = t == DTYPE_INT64 ? -limit : 0;
    double high = (double)nextafterf((float)limit, 0);
    ref value = emit_cast(e, bounded(e, x, low, high), t);
    ref above = emit_binary(e, "GreaterOrEqual", x, emit_float(e, DTYPE_FLOAT32, limit));
    return emit_where(e, t, above, emit_int(e, t, (int64_t)dtype_max(t)), value);
}

/* Truncates and saturates, NaN is 0: the runtime's own cast leaves all three to the processor. */
static ref float_to_integer(struct emit *e, ref x, enum dtype t)
{
    unsigned bits = dtype_info(t)->bits;
    if (bits == 64)
        return to_64_bits(e, x, t);
    double low = (double)dtype_min(t), high = (double)dtype_max(t);
    if (bits <= 16)
        return emit_cast(e, bounded(e, x, low, high), t);
    ref wide = emit_cast(e, bounded(e, x, low, high + 1), DTYPE_INT64);
    return emit_cast(
        e, emit_min(e, DTYPE_INT64, wide, emit_int(e, DTYPE_INT64, (int64_t)dtype_max(t))), t);
}

void nodes_cast(struct emit *e)
{
    enum dtype from = operand_dtype(e, 0), to = result_at(e, 0)->dtype;
    if (from == to)
        nodes_identity(e);
    else if (dtype_is_float(from) && dtype_is_integer(to))
        set_result(e, 0, float_to_integer(e, operand_wide(e, 0), to));
    else
        set_result(e, 0, operand_as(e, 0, to));
}
