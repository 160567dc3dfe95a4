/* Selection and order, for every dtype and runtime. */
#include "nodes/order.h"

/* The runtime selects among these dtypes only; others go there and back without loss. */
static enum dtype where_dtype(enum dtype t)
{
    if (t == DTYPE_INT8 || t == DTYPE_UINT32)
        return DTYPE_INT32;
    return t == DTYPE_UINT64 ? DTYPE_INT64 : t;
}

ref emit_where(struct emit *e, enum dtype t, ref condition, ref a, ref b)
{
    enum dtype through = where_dtype(t);
    if (through == t)
        return emit_node(e, "Where", REFS(condition, a, b), PLAIN);
    ref chosen = emit_node(
        e, "Where", REFS(condition, emit_cast(e, a, through), emit_cast(e, b, through)), PLAIN);
    return emit_cast(e, chosen, t);
}

/* Whether Min, Max and Clip are right: not of 64 bits in older runtimes. */
static bool is_ordered(const struct emit *e, enum dtype t)
{
    return e->orders_64_bits || (t != DTYPE_INT64 && t != DTYPE_UINT64);
}

ref emit_min(struct emit *e, enum dtype t, ref a, ref b)
{
    return is_ordered(e, t) ? emit_binary(e, "Min", a, b)
                            : emit_where(e, t, emit_binary(e, "Less", a, b), a, b);
}

ref emit_max(struct emit *e, enum dtype t, ref a, ref b)
{
    return is_ordered(e, t) ? emit_binary(e, "Max", a, b)
                            : emit_where(e, t, emit_binary(e, "Less", a, b), b, a);
}

ref emit_clip(struct emit *e, enum dtype t, ref x, ref low, ref high)
{
    if (is_ordered(e, t))
        return emit_node(e, "Clip", REFS(x, low, high), PLAIN);
    x = low ? emit_max(e, t, x, low) : x;
    return high ? emit_min(e, t, x, high) : x;
}
