/* Activations with parameters. */
#include "nodes/lower.h"

void nodes_relu(struct emit *e)
{
    enum dtype t = operand_dtype(e, 0);
    if (t == DTYPE_INT64)
        set_result(e, 0, emit_max(e, t, operand(e, 0), emit_int(e, t, 0)));
    else
        set_result(e, 0, emit_unary(e, "Relu", operand(e, 0)));
}

/* exp(x) - 1 as 2 t / (1 - t) with t = tanh(x / 2): relative error small near 0 too. */
static ref exact_expm1(struct emit *e, ref x)
{
    ref t = emit_unary(e, "Tanh", emit_binary(e, "Mul", x, emit_float(e, DTYPE_FLOAT32, 0.5)));
    ref below = emit_binary(e, "Sub", emit_float(e, DTYPE_FLOAT32, 1), t);
    return emit_binary(e, "Div", emit_binary(e, "Add", t, t), below);
}

void nodes_elu(struct emit *e)
{
    double alpha = option_value(e, ATTRIBUTES_OF(e, elu)->alpha);
    if (!e->exact) {
        ref x = operand(e, 0);
        set_result(e, 0, emit_node(e, "Elu", &x, 1, ATTRIBUTES(FLOAT("alpha", alpha))));
        return;
    }
    ref x = operand_wide(e, 0);
    ref negative = emit_binary(e, "Mul", exact_expm1(e, x), emit_float(e, DTYPE_FLOAT32, alpha));
    ref keeps = emit_binary(e, "GreaterOrEqual", x, emit_float(e, DTYPE_FLOAT32, 0));
    set_result_wide(e, 0, emit_where(e, DTYPE_FLOAT32, keeps, x, negative));
}

void nodes_leaky_relu(struct emit *e)
{
    ref x = operand(e, 0);
    double alpha = option_value(e, ATTRIBUTES_OF(e, leaky_relu)->alpha);
    set_result(e, 0, emit_node(e, "LeakyRelu", &x, 1, ATTRIBUTES(FLOAT("alpha", alpha))));
}

ref emit_exact_sigmoid(struct emit *e, ref x)
{
    ref one = emit_float(e, DTYPE_FLOAT32, 1);
    return emit_unary(e, "Reciprocal",
                      emit_binary(e, "Add", one, emit_unary(e, "Exp", emit_unary(e, "Neg", x))));
}

void nodes_sigmoid(struct emit *e)
{
    if (e->exact)
        set_result_wide(e, 0, emit_exact_sigmoid(e, operand_wide(e, 0)));
    else
        set_result(e, 0, emit_unary(e, "Sigmoid", operand(e, 0)));
}

/* The runtime adds 1/2 to x / 6, which loses digits near -3. */
void nodes_hard_swish(struct emit *e)
{
    if (!e->exact) {
        set_result(e, 0, emit_unary(e, "HardSwish", operand(e, 0)));
        return;
    }
    ref x = operand_wide(e, 0), six = emit_float(e, DTYPE_FLOAT32, 6),
        zero = emit_float(e, DTYPE_FLOAT32, 0);
    ref moved = emit_binary(e, "Add", x, emit_float(e, DTYPE_FLOAT32, 3));
    ref share = emit_node(e, "Clip", REFS(moved, zero, six), PLAIN);
    set_result_wide(e, 0, emit_binary(e, "Mul", x, emit_binary(e, "Div", share, six)));
}

void nodes_hard_sigmoid(struct emit *e)
{
    const struct webnn_hard_sigmoid_attributes *p = ATTRIBUTES_OF(e, hard_sigmoid);
    ref x = operand(e, 0);
    double alpha = option_value(e, p->alpha), beta = option_value(e, p->beta);
    set_result(
        e, 0,
        emit_node(e, "HardSigmoid", &x, 1, ATTRIBUTES(FLOAT("alpha", alpha), FLOAT("beta", beta))));
}

/* Whether the slope broadcasts to the input's shape alone. */
static bool broadcasts_to(const struct operand *from, const struct operand *to)
{
    if (from->rank > to->rank)
        return false;
    const dim *aligned = to->dims + (to->rank - from->rank);
    for (uint32_t i = 0; i < from->rank; i++)
        if (from->dims[i] != 1 && from->dims[i] != aligned[i])
            return false;
    return true;
}

void nodes_prelu(struct emit *e)
{
    enum dtype t = operand_dtype(e, 0);
    if (dtype_is_float(t) && broadcasts_to(operand_at(e, 1), operand_at(e, 0))) {
        set_result(e, 0, emit_binary(e, "PRelu", operand(e, 0), operand(e, 1)));
        return;
    }
    ref x = operand(e, 0), scaled = emit_binary(e, "Mul", x, operand(e, 1));
    ref keeps = emit_binary(e, "GreaterOrEqual", x,
                            dtype_is_float(t) ? emit_float(e, t, 0) : emit_int(e, t, 0));
    set_result(e, 0, emit_where(e, t, keeps, x, scaled));
}

void nodes_softmax(struct emit *e)
{
    ref x = operand(e, 0);
    set_result(
        e, 0,
        emit_node(e, "Softmax", &x, 1, ATTRIBUTES(INT("axis", ATTRIBUTES_OF(e, softmax)->axis))));
}
