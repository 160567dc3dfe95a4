/* Normalisations. The runtime's nodes want scale and bias; where they are missing, ones and zeros. */
#include "nodes/lower.h"

#include <math.h>

/* A 1-D operand, or `length` times `value` where it is absent. */
static ref vector_or(struct emit *e, uint32_t slot, const dim *length, double value)
{
    if (has_operand(e, slot))
        return operand(e, slot);
    return emit_filled(e, operand_dtype(e, 0), length, 1, value);
}

/* A 1-D operand as float32, lying along `axis` of the input. */
static ref along_axis(struct emit *e, uint32_t slot, uint32_t axis)
{
    dim dims[MAX_RANK];
    uint32_t rank = operand_at(e, 0)->rank - axis;
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = 1;
    dims[0] = operand_at(e, slot)->dims[0];
    ref value = operand_wide(e, slot);
    return rank == 1 ? value : emit_reshape(e, value, dims, rank);
}

/* y * scale + bias, each where it is there. */
static ref scale_and_bias(struct emit *e, ref y, ref scale, ref bias)
{
    if (scale)
        y = emit_binary(e, "Mul", y, scale);
    return bias ? emit_binary(e, "Add", y, bias) : y;
}

static ref deviation(struct emit *e, ref variance, double epsilon)
{
    ref sum = emit_binary(e, "Add", variance, emit_float(e, DTYPE_FLOAT32, epsilon));
    return emit_unary(e, "Sqrt", sum);
}

/* Operands: input, mean, variance, scale, bias. */
void nodes_batch_normalization(struct emit *e)
{
    const struct webnn_batch_normalization_attributes *p = ATTRIBUTES_OF(e, batch_normalization);
    const struct operand *mean = operand_at(e, 1);
    double epsilon = option_value(e, p->epsilon);
    if (p->axis == 1 && dims_static(mean->dims, 1) &&
        !e->exact) { /* it subtracts scaled means: digits are lost */
        ref inputs[5] = { operand(e, 0), vector_or(e, 3, mean->dims, 1),
                          vector_or(e, 4, mean->dims, 0), operand(e, 1), operand(e, 2) };
        set_result(
            e, 0,
            emit_node(e, "BatchNormalization", inputs, 5, ATTRIBUTES(FLOAT("epsilon", epsilon))));
        return;
    }
    ref centred = emit_binary(e, "Sub", operand_wide(e, 0), along_axis(e, 1, p->axis));
    ref y = emit_binary(e, "Div", centred, deviation(e, along_axis(e, 2, p->axis), epsilon));
    ref scale = has_operand(e, 3) ? along_axis(e, 3, p->axis) : NULL;
    ref bias = has_operand(e, 4) ? along_axis(e, 4, p->axis) : NULL;
    set_result_wide(e, 0, scale_and_bias(e, y, scale, bias));
}

void nodes_instance_normalization(struct emit *e)
{
    const struct webnn_instance_normalization_attributes *p =
        ATTRIBUTES_OF(e, instance_normalization);
    const struct operand *x = operand_at(e, 0);
    const dim *channels = &x->dims[p->layout == WEBNN_INPUT_LAYOUT_NHWC ? 3 : 1];
    if (!dim_is_static(*channels) && !need_static(e, x, "input"))
        return;
    ref inputs[3] = { operand_nchw(e, 0, p->layout), vector_or(e, 1, channels, 1),
                      vector_or(e, 2, channels, 0) };
    ref y = emit_node(e, "InstanceNormalization", inputs, 3,
                      ATTRIBUTES(FLOAT("epsilon", option_value(e, p->epsilon))));
    set_result_nchw(e, y, p->layout);
}

/* The input's dims with the normalised ones last, and how scale and bias are reordered for that. */
struct normal_order {
    uint32_t input[MAX_RANK], back[MAX_RANK], parameter[MAX_RANK];
    uint32_t first; /* of the normalised ones */
    bool as_is;
};

static struct normal_order normal_order_of(const struct webnn_u32s *axes, uint32_t rank)
{
    struct normal_order o = { .first = rank - axes->count, .as_is = true };
    uint32_t kept = 0, last = o.first;
    for (uint32_t i = 0; i < rank; i++) {
        uint32_t place = 0;
        while (place < axes->count && axes->items[place] != i)
            place++;
        bool normal = place < axes->count;
        uint32_t at = normal ? last++ : kept++;
        o.input[at] = i;
        o.back[i] = at;
        o.as_is = o.as_is && at == i;
        if (normal)
            o.parameter[at - o.first] = place;
    }
    return o;
}

static void layer_normalization_node(struct emit *e,
                                     const struct webnn_layer_normalization_attributes *p)
{
    const struct operand *x = operand_at(e, 0);
    struct normal_order order = normal_order_of(&p->axes, x->rank);
    dim dims[MAX_RANK];
    for (uint32_t i = 0; i < p->axes.count; i++)
        dims[i] = x->dims[order.input[order.first + i]];
    ref input = order.as_is ? operand(e, 0) : operand_permuted(e, 0, order.input);
    ref scale = has_operand(e, 1) ? operand_permuted(e, 1, order.parameter)
                                  : emit_filled(e, x->dtype, dims, p->axes.count, 1);
    ref bias = has_operand(e, 2) ? operand_permuted(e, 2, order.parameter) : NULL;
    ref y = emit_node(
        e, "LayerNormalization", REFS(input, scale, bias),
        ATTRIBUTES(INT("axis", order.first), FLOAT("epsilon", option_value(e, p->epsilon))));
    set_result(e, 0, order.as_is ? y : emit_transpose(e, y, order.back, x->rank));
}

/* Without axes every element is its own mean. */
static void layer_normalization_of_elements(struct emit *e, double epsilon)
{
    ref x = operand_wide(e, 0), zero = emit_binary(e, "Sub", x, x);
    ref y = emit_binary(e, "Div", zero, emit_float(e, DTYPE_FLOAT32, sqrt((double)(float)epsilon)));
    set_result_wide(e, 0, scale_and_bias(e, y, operand_wide(e, 1), operand_wide(e, 2)));
}

/* Scale or bias, in the order of the axes, lying over the input's dims. */
static ref over_input(struct emit *e, uint32_t slot, const struct normal_order *order)
{
    const struct operand *x = operand_at(e, 0);
    dim dims[MAX_RANK];
    if (!has_operand(e, slot))
        return NULL;
    for (uint32_t i = 0; i < x->rank; i++)
        dims[i] = order->back[i] < order->first ? 1 : x->dims[i];
    ref value = operand_permuted(e, slot, order->parameter);
    value = operand_dtype(e, slot) == DTYPE_FLOAT16 ? emit_cast(e, value, DTYPE_FLOAT32) : value;
    return emit_reshape(e, value, dims, x->rank);
}

static void layer_normalization_by_parts(struct emit *e,
                                         const struct webnn_layer_normalization_attributes *p)
{
    struct normal_order order = normal_order_of(&p->axes, operand_at(e, 0)->rank);
    ref x = operand_wide(e, 0), axes = emit_u32s(e, p->axes.items, p->axes.count);
    ref centred = emit_binary(e, "Sub", x, emit_binary(e, "ReduceMean", x, axes));
    ref variance = emit_binary(e, "ReduceMean", emit_binary(e, "Mul", centred, centred), axes);
    ref y = emit_binary(e, "Div", centred, deviation(e, variance, option_value(e, p->epsilon)));
    set_result_wide(e, 0, scale_and_bias(e, y, over_input(e, 1, &order), over_input(e, 2, &order)));
}

void nodes_layer_normalization(struct emit *e)
{
    const struct webnn_layer_normalization_attributes *p = ATTRIBUTES_OF(e, layer_normalization);
    const struct operand *x = operand_at(e, 0);
    bool sized = true;
    for (uint32_t i = 0; i < p->axes.count; i++)
        sized = sized && dim_is_static(x->dims[p->axes.items[i]]);
    if (p->axes.count == 0)
        layer_normalization_of_elements(e, option_value(e, p->epsilon));
    else if (sized)
        layer_normalization_node(e, p);
    else
        layer_normalization_by_parts(e, p);
}
