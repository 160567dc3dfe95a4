/* Single cells. float16 is computed in float32 and rounded at the end. */
#include "nodes/cells.h"

static const char *const activation_nodes[] = {
    [WEBNN_ACTIVATION_RELU] = "Relu",
    [WEBNN_ACTIVATION_SIGMOID] = "Sigmoid",
    [WEBNN_ACTIVATION_TANH] = "Tanh",
};

void split_evenly(struct emit *e, ref x, uint32_t axis, int64_t size, ref *parts, uint32_t count)
{
    int64_t sizes[8];
    for (uint32_t i = 0; i < count; i++)
        sizes[i] = size;
    emit_nodes(e, "Split", REFS(x, emit_i64s(e, sizes, count)), ATTRIBUTES(INT("axis", axis)),
               parts, count);
}

static ref activate(struct emit *e, const struct cell *cell, uint32_t index, ref x)
{
    uint32_t kind = cell->activations->items[index];
    if (e->exact && kind == WEBNN_ACTIVATION_SIGMOID)
        return emit_exact_sigmoid(e, x);
    return emit_unary(e, activation_nodes[kind], x);
}

/* x · weightᵀ + bias. */
static ref affine(struct emit *e, ref x, ref weight, ref bias)
{
    return emit_node(e, "Gemm", REFS(x, weight, bias), ATTRIBUTES(INT("transB", 1)));
}

static ref add(struct emit *e, ref a, ref b)
{
    return emit_binary(e, "Add", a, b);
}

static ref mul(struct emit *e, ref a, ref b)
{
    return emit_binary(e, "Mul", a, b);
}

/* The recurrent products of z, r and, unless the reset comes first, n. */
static void recurrent_products(struct emit *e, const struct cell *cell, ref h,
                               const uint32_t place[3], ref products[3], ref *new_weight,
                               ref *new_bias)
{
    ref weights[3] = { NULL }, biases[3] = { NULL };
    if (cell->reset_after) {
        split_evenly(e, affine(e, h, cell->recurrent, cell->recurrent_bias), 1, cell->hidden,
                     products, 3);
        return;
    }
    split_evenly(e, cell->recurrent, 0, cell->hidden, weights, 3);
    if (cell->recurrent_bias)
        split_evenly(e, cell->recurrent_bias, 0, cell->hidden, biases, 3);
    for (uint32_t i = 0; i < 2; i++)
        products[place[i]] = affine(e, h, weights[place[i]], biases[place[i]]);
    *new_weight = weights[2];
    *new_bias = biases[2];
}

void gru_step(struct emit *e, const struct cell *cell, ref x, ref *h, ref *c)
{
    static const uint32_t places[][3] = {
        /* of z, r, n */
        [WEBNN_GRU_WEIGHT_LAYOUT_ZRN] = { 0, 1, 2 },
        [WEBNN_GRU_WEIGHT_LAYOUT_RZN] = { 1, 0, 2 },
    };
    const uint32_t *place = places[cell->layout];
    ref inputs[3] = { NULL }, recurrent[3] = { NULL }, weight = NULL, bias = NULL;
    (void)c;
    split_evenly(e, affine(e, x, cell->weight, cell->bias), 1, cell->hidden, inputs, 3);
    recurrent_products(e, cell, *h, place, recurrent, &weight, &bias);
    ref z = activate(e, cell, 0, add(e, inputs[place[0]], recurrent[place[0]]));
    ref r = activate(e, cell, 0, add(e, inputs[place[1]], recurrent[place[1]]));
    ref reset =
        cell->reset_after ? mul(e, r, recurrent[2]) : affine(e, mul(e, r, *h), weight, bias);
    ref n = activate(e, cell, 1, add(e, inputs[2], reset));
    ref rest = emit_binary(e, "Sub", emit_float(e, DTYPE_FLOAT32, 1), z);
    *h = add(e, mul(e, z, *h), mul(e, rest, n));
}

/* The output gate sees the old cell, as the other gates do. */
void lstm_step(struct emit *e, const struct cell *cell, ref x, ref *h, ref *c)
{
    static const uint32_t places[][4] = {
        /* of i, o, f, g */
        [WEBNN_LSTM_WEIGHT_LAYOUT_IOFG] = { 0, 1, 2, 3 },
        [WEBNN_LSTM_WEIGHT_LAYOUT_IFGO] = { 0, 3, 1, 2 },
    };
    const uint32_t *place = places[cell->layout];
    ref parts[4] = { NULL }, peepholes[3] = { NULL }, gates[3];
    ref sum = add(e, affine(e, x, cell->weight, cell->bias),
                  affine(e, *h, cell->recurrent, cell->recurrent_bias));
    split_evenly(e, sum, 1, cell->hidden, parts, 4);
    if (cell->peephole)
        split_evenly(e, cell->peephole, 0, cell->hidden, peepholes, 3);
    for (uint32_t i = 0; i < 3; i++) { /* i, o, f: the order of the peepholes too */
        ref gate = parts[place[i]];
        if (peepholes[i])
            gate = add(e, gate, mul(e, peepholes[i], *c));
        gates[i] = activate(e, cell, 0, gate);
    }
    ref g = activate(e, cell, 1, parts[place[3]]);
    *c = add(e, mul(e, gates[2], *c), mul(e, gates[0], g));
    *h = mul(e, gates[1], activate(e, cell, 2, *c));
}

/* Operands: input, weight, recurrentWeight, hiddenState, bias, recurrentBias. */
void nodes_gru_cell(struct emit *e)
{
    const struct webnn_gru_cell_attributes *p = ATTRIBUTES_OF(e, gru_cell);
    const struct cell cell = {
        .weight = operand_wide(e, 1),
        .recurrent = operand_wide(e, 2),
        .bias = operand_wide(e, 4),
        .recurrent_bias = operand_wide(e, 5),
        .hidden = p->hidden_size,
        .layout = p->layout,
        .reset_after = p->reset_after,
        .activations = &p->activations,
    };
    ref h = operand_wide(e, 3);
    gru_step(e, &cell, operand_wide(e, 0), &h, NULL);
    set_result_wide(e, 0, h);
}

/* Operands: input, weight, recurrentWeight, hiddenState, cellState, bias, recurrentBias, peepholeWeight. */
void nodes_lstm_cell(struct emit *e)
{
    const struct webnn_lstm_cell_attributes *p = ATTRIBUTES_OF(e, lstm_cell);
    const struct cell cell = {
        .weight = operand_wide(e, 1),
        .recurrent = operand_wide(e, 2),
        .bias = operand_wide(e, 5),
        .recurrent_bias = operand_wide(e, 6),
        .peephole = operand_wide(e, 7),
        .hidden = p->hidden_size,
        .layout = p->layout,
        .activations = &p->activations,
    };
    ref h = operand_wide(e, 3), c = operand_wide(e, 4);
    lstm_step(e, &cell, operand_wide(e, 0), &h, &c);
    set_result_wide(e, 0, h);
    set_result_wide(e, 1, c);
}
