/* quantizeLinear and dequantizeLinear: one scale, one per index of an axis, or one per block. */
#include "nodes/lower.h"

#include <string.h>

/* How the scale lies over the input. The runtime knows the first three. */
enum grain { GRAIN_TENSOR, GRAIN_AXIS, GRAIN_BLOCK, GRAIN_OTHER };

struct layout {
    enum grain grain;
    uint32_t axis;
    int64_t block;
};

static struct layout layout_of(const struct operand *x, const struct operand *scale)
{
    uint32_t whole = 0, whole_axis = 0, split = 0, split_axis = 0;
    for (uint32_t i = 0; i < x->rank; i++) {
        if (x->dims[i] == 1)
            continue;
        if (scale->dims[i] == x->dims[i]) {
            whole++;
            whole_axis = i;
        } else {
            split++;
            split_axis = i;
        }
    }
    bool one = whole == 0;
    for (uint32_t i = 0; i < scale->rank; i++)
        one = one && scale->dims[i] == 1;
    if (one)
        return (struct layout){ GRAIN_TENSOR, 0, 0 };
    bool per_axis = whole == 1;
    for (uint32_t i = 0; i < scale->rank; i++)
        per_axis = per_axis && (i == whole_axis || scale->dims[i] == 1);
    if (per_axis && dim_is_static(x->dims[whole_axis]))
        return (struct layout){ GRAIN_AXIS, whole_axis, 0 };
    if (split == 1 && dim_is_static(x->dims[split_axis]) && scale->dims[split_axis] > 0)
        return (struct layout){ GRAIN_BLOCK, split_axis,
                                x->dims[split_axis] / scale->dims[split_axis] };
    if (split == 0 && x->rank > 0)
        return (struct layout){ GRAIN_BLOCK, x->rank - 1, 1 };
    return (struct layout){ GRAIN_OTHER, 0, 0 };
}

bool quantizes_blocks(const struct graph *g, const struct operator_node *node)
{
    if (node->kind != WEBNN_QUANTIZE_LINEAR && node->kind != WEBNN_DEQUANTIZE_LINEAR)
        return false;
    const struct operand *x = graph_operand(g, node->operands[0]),
                         *scale = graph_operand(g, node->operands[1]);
    return layout_of(x, scale).grain == GRAIN_BLOCK;
}

/* Scale or zero point in the shape that the runtime wants for the grain. */
static ref parameter(struct emit *e, uint32_t slot, const struct layout *layout)
{
    if (layout->grain == GRAIN_BLOCK)
        return operand(e, slot);
    const int64_t *length = &operand_at(e, slot)->dims[layout->axis];
    return operand_reshaped(e, slot, length, layout->grain == GRAIN_AXIS ? 1 : 0);
}

/* 4-bit values that are computed cannot be reshaped. */
static bool can_shape(const struct emit *e, uint32_t slot, const struct layout *layout)
{
    const struct operand *o = operand_at(e, slot);
    bool stays = layout->grain == GRAIN_BLOCK || (layout->grain == GRAIN_TENSOR && o->rank == 0) ||
                 (layout->grain == GRAIN_AXIS && o->rank == 1);
    return stays || o->kind == OPERAND_CONSTANT || !dtype_in(o->dtype, DTYPES_4BIT);
}

static ref quantize_node(struct emit *e, const char *op, const ref inputs[3],
                         const struct layout *layout)
{
    const struct sink_attribute attributes[] = { INT("axis", layout->axis),
                                                 INT("block_size", layout->block) };
    static const size_t counts[] = {
        [GRAIN_TENSOR] = 0, [GRAIN_AXIS] = 1, [GRAIN_BLOCK] = 2, [GRAIN_OTHER] = 0
    };
    return emit_node(e, op, inputs, 3, attributes, counts[layout->grain]);
}

/* Scale or zero point, as dtype t, repeated to the input's shape wherever one stands for a block. */
static ref spread(struct emit *e, uint32_t slot, enum dtype t)
{
    const struct operand *x = operand_at(e, 0), *p = operand_at(e, slot);
    dim split[MAX_RANK * 2], repeated[MAX_RANK * 2];
    uint32_t rank = 0;
    bool blocks = false;
    for (uint32_t i = 0; i < x->rank; i++) {
        bool block = p->dims[i] != 1 && p->dims[i] != x->dims[i];
        split[rank] = repeated[rank] = p->dims[i];
        rank++;
        if (!block)
            continue;
        if (!dim_is_static(x->dims[i]) || !dim_is_static(p->dims[i]) || p->dims[i] == 0) {
            need_static(e, x, "input");
            return NULL;
        }
        split[rank] = 1;
        repeated[rank++] = x->dims[i] / p->dims[i];
        blocks = true;
    }
    ref value = operand_as(e, slot, t);
    if (!blocks)
        return value;
    dim whole[MAX_RANK];
    for (uint32_t i = 0; i < x->rank; i++)
        whole[i] = p->dims[i] == 1 ? 1 : x->dims[i];
    value = emit_reshape(e, value, split, rank);
    value = emit_binary(e, "Expand", value, emit_dims(e, repeated, NULL, rank));
    return emit_reshape(e, value, whole, x->rank);
}

/* (float(x) - float(zero point)) * scale, the difference exact: 64 bits for 32-bit integers. */
static void dequantize_by_parts(struct emit *e)
{
    enum dtype exact = dtype_info(operand_dtype(e, 0))->bits == 32 ? DTYPE_INT64 : DTYPE_INT32;
    ref difference = emit_binary(e, "Sub", operand_as(e, 0, exact), spread(e, 2, exact));
    ref value = emit_cast(e, difference, DTYPE_FLOAT32);
    set_result_wide(e, 0, emit_binary(e, "Mul", value, spread(e, 1, DTYPE_FLOAT32)));
}

static bool all_zero(struct emit *e, uint32_t slot)
{
    struct tensor t;
    if (!operand_constant(e, slot, &t))
        return false;
    for (uint64_t i = 0; i < tensor_bytes(&t); i++)
        if (((const uint8_t *)t.data)[i])
            return false;
    return true;
}

static bool is_product(enum webnn_operator kind)
{
    return kind == WEBNN_CONV2D || kind == WEBNN_CONV_TRANSPOSE2D || kind == WEBNN_GEMM ||
           kind == WEBNN_MATMUL;
}

/* Whether something beside a product reads the result. */
static bool is_moved(struct emit *e)
{
    const struct graph *g = e->graph;
    if (!e->moved) {
        e->moved = ARENA_ARRAY(e->arena, g->operands.count, bool);
        if (!e->moved) {
            emit_keep(e, diag_memory(e->diags));
            return true;
        }
        for (size_t i = 0; i < g->operators.count; i++)
            for (uint32_t k = 0; k < g->operators.items[i].operand_count; k++)
                if (g->operators.items[i].operands[k] != NO_ID &&
                    !is_product(g->operators.items[i].kind))
                    e->moved[g->operators.items[i].operands[k]] = true;
    }
    return e->moved[e->node->first_result];
}

/* The runtime has no int32 with a zero point; and without one its optimiser quantises a moved result
 * again, to uint8. */
static bool is_bias(struct emit *e)
{
    return operand_dtype(e, 0) == DTYPE_INT32 && all_zero(e, 2) && !is_moved(e);
}

void nodes_dequantize(struct emit *e)
{
    enum dtype t = operand_dtype(e, 0);
    struct layout layout = layout_of(operand_at(e, 0), operand_at(e, 1));
    bool symmetric = is_bias(e);
    bool native = dtype_info(t)->bits <= 8 || symmetric;
    if (!native || layout.grain == GRAIN_OTHER || !can_shape(e, 2, &layout)) {
        dequantize_by_parts(e);
        return;
    }
    const ref inputs[3] = { operand(e, 0), parameter(e, 1, &layout),
                            symmetric ? NULL : parameter(e, 2, &layout) };
    set_result(e, 0, quantize_node(e, "DequantizeLinear", inputs, &layout));
}

/* roundEven(x / scale) + zero point in 64-bit integers, saturated; NaN gives 0. */
static void quantize_by_parts(struct emit *e)
{
    enum dtype t = result_at(e, 0)->dtype;
    const double far =
        17179869184.0; /* 2^34: beyond every sum that does not saturate, exact in float */
    ref zero = emit_float(e, DTYPE_FLOAT32, 0);
    ref steps = emit_unary(e, "Round",
                           emit_binary(e, "Div", operand_wide(e, 0), spread(e, 1, DTYPE_FLOAT32)));
    ref is_nan = emit_unary(e, "IsNaN", steps);
    steps = emit_node(e, "Where", REFS(is_nan, zero, steps), PLAIN);
    steps = emit_node(
        e, "Clip",
        REFS(steps, emit_float(e, DTYPE_FLOAT32, -far), emit_float(e, DTYPE_FLOAT32, far)), PLAIN);
    ref sum = emit_binary(e, "Add", emit_cast(e, steps, DTYPE_INT64), spread(e, 2, DTYPE_INT64));
    sum = emit_node(e, "Where", REFS(is_nan, emit_int(e, DTYPE_INT64, 0), sum), PLAIN);
    ref low = emit_int(e, DTYPE_INT64, dtype_min(t)),
        high = emit_int(e, DTYPE_INT64, (int64_t)dtype_max(t));
    ref value = emit_clip(e, DTYPE_INT64, sum, low, high);
    set_result(e, 0, emit_cast(e, value, t));
}

void nodes_quantize(struct emit *e)
{
    struct layout layout = layout_of(operand_at(e, 0), operand_at(e, 1));
    bool native =
        dtype_info(result_at(e, 0)->dtype)->bits <= 8 && !e->exact; /* NaN: its lowest value */
    if (!native || layout.grain == GRAIN_OTHER || !can_shape(e, 2, &layout)) {
        quantize_by_parts(e);
        return;
    }
    /* the runtime's float16 kernel rounds twice */
    ref scale = parameter(e, 1, &layout);
    if (operand_dtype(e, 1) == DTYPE_FLOAT16)
        scale = emit_cast(e, scale, DTYPE_FLOAT32);
    const ref inputs[3] = { operand_wide(e, 0), scale, parameter(e, 2, &layout) };
    set_result(e, 0, quantize_node(e, "QuantizeLinear", inputs, &layout));
}
