/* Activations with parameters. */
#include "backend/onnxruntime/lower.h"

static const char *const alpha_nodes[WEBNN_OPERATOR_COUNT] = {
    [WEBNN_ELU] = "Elu",
    [WEBNN_LEAKY_RELU] = "LeakyRelu",
};

void lower_relu(struct emit *e)
{
    enum dtype t = operand_dtype(e, 0);
    if (t == DTYPE_INT64)
        set_result(e, 0, emit_binary(e, "Max", operand(e, 0), emit_int(e, t, 0)));
    else
        set_result(e, 0, emit_unary(e, "Relu", operand(e, 0)));
}

/* elu and leakyRelu: their structs hold alpha alone. */
void lower_alpha(struct emit *e)
{
    _Static_assert(
        sizeof(struct webnn_elu_attributes) == sizeof(struct webnn_leaky_relu_attributes), "");
    ref x = operand(e, 0);
    double alpha = option_value(e, ATTRIBUTES_OF(e, elu)->alpha);
    set_result(e, 0,
               emit_node(e, alpha_nodes[e->node->kind], &x, 1, ATTRIBUTES(FLOAT("alpha", alpha))));
}

void lower_hard_sigmoid(struct emit *e)
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

void lower_prelu(struct emit *e)
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

void lower_softmax(struct emit *e)
{
    ref x = operand(e, 0);
    set_result(
        e, 0,
        emit_node(e, "Softmax", &x, 1, ATTRIBUTES(INT("axis", ATTRIBUTES_OF(e, softmax)->axis))));
}
