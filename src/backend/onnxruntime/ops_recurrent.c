/* GRU and LSTM: the runtime's nodes over sequences; single cells, and peepholes that look at the old
 * cell, written out. */
#include "backend/onnxruntime/lower.h"

#include <string.h>

static const char *const activation_names[] = {
    [WEBNN_ACTIVATION_RELU] = "Relu",
    [WEBNN_ACTIVATION_SIGMOID] = "Sigmoid",
    [WEBNN_ACTIVATION_TANH] = "Tanh",
};
static const char *const direction_names[] = {
    [WEBNN_DIRECTION_FORWARD] = "forward",
    [WEBNN_DIRECTION_BACKWARD] = "reverse",
    [WEBNN_DIRECTION_BOTH] = "bidirectional",
};
static const uint32_t zrn_from_rzn[] = { 1, 0, 2 }, iofg_from_ifgo[] = { 0, 3, 1, 2 };

static void split(struct emit *e, ref x, uint32_t axis, int64_t size, ref *parts, uint32_t count)
{
    int64_t sizes[8];
    for (uint32_t i = 0; i < count; i++)
        sizes[i] = size;
    emit_nodes(e, "Split", REFS(x, emit_i64s(e, sizes, count)), ATTRIBUTES(INT("axis", axis)),
               parts, count);
}

/* Blocks of `hidden` along axis in another order; order NULL: as they are. */
static ref reorder(struct emit *e, ref x, uint32_t axis, int64_t hidden, const uint32_t *order,
                   uint32_t count)
{
    ref parts[4] = { NULL }, sorted[4];
    if (!order || !x)
        return x;
    split(e, x, axis, hidden, parts, count);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = parts[order[i]];
    return emit_node(e, "Concat", sorted, count, ATTRIBUTES(INT("axis", axis)));
}

/* The weights of one operator with all directions. */
struct sequence {
    uint32_t gates, directions, hidden, direction;
    const uint32_t *order;
    uint32_t bias, recurrent_bias; /* slots */
};

/* Both biases side by side; a missing one is zero, no bias at all is NULL. */
static ref joined_biases(struct emit *e, const struct sequence *s)
{
    const int64_t dims[2] = { s->directions, (int64_t)s->gates * s->hidden };
    const uint32_t slots[2] = { s->bias, s->recurrent_bias };
    ref both[2];
    if (!has_operand(e, s->bias) && !has_operand(e, s->recurrent_bias))
        return NULL;
    for (uint32_t i = 0; i < 2; i++)
        both[i] = has_operand(e, slots[i])
                      ? reorder(e, operand(e, slots[i]), 1, s->hidden, s->order, s->gates)
                      : emit_filled(e, operand_dtype(e, 0), dims, 2, 0);
    return emit_node(e, "Concat", both, 2, ATTRIBUTES(INT("axis", 1)));
}

static void sequence_node(struct emit *e, const char *op, const struct sequence *s,
                          const struct webnn_u32s *activations, const ref states[3],
                          const struct ort_attribute *more, ref *outputs, uint32_t output_count)
{
    const char *functions[8];
    uint32_t count = activations->count * s->directions;
    for (uint32_t i = 0; i < count; i++)
        functions[i] = activation_names[activations->items[i % activations->count]];
    struct ort_attribute attributes[4] = {
        INT("hidden_size", s->hidden),
        TEXT("direction", direction_names[s->direction]),
        { .name = "activations", .kind = ORT_ATTRIBUTE_STRINGS, .data = functions, .count = count },
    };
    if (more)
        attributes[3] = *more;
    ref inputs[8] = {
        operand(e, 0),
        reorder(e, operand(e, 1), 1, s->hidden, s->order, s->gates),
        reorder(e, operand(e, 2), 1, s->hidden, s->order, s->gates),
        joined_biases(e, s),
        NULL,
        states[0],
        states[1],
        states[2],
    };
    emit_nodes(e, op, inputs, 8, attributes, more ? 4 : 3, outputs, output_count);
}

static uint32_t directions_of(uint32_t direction)
{
    return direction == WEBNN_DIRECTION_BOTH ? 2 : 1;
}

void lower_gru(struct emit *e)
{
    const struct webnn_gru_attributes *p = ATTRIBUTES_OF(e, gru);
    const struct sequence s = {
        .gates = 3,
        .directions = directions_of(p->direction),
        .hidden = p->hidden_size,
        .direction = p->direction,
        .order = p->layout == WEBNN_GRU_WEIGHT_LAYOUT_RZN ? zrn_from_rzn : NULL,
        .bias = 3,
        .recurrent_bias = 4,
    };
    const struct ort_attribute reset = INT("linear_before_reset", p->reset_after);
    ref outputs[2] = { p->return_sequence ? NULL : "", NULL };
    sequence_node(e, "GRU", &s, &p->activations, (const ref[3]){ operand(e, 5) }, &reset, outputs,
                  2);
    set_result(e, 0, outputs[1]);
    if (p->return_sequence)
        set_result(e, 1, outputs[0]);
}

static ref activate(struct emit *e, const struct webnn_u32s *activations, uint32_t index, ref x)
{
    return emit_unary(e, activation_names[activations->items[index]], x);
}

/* x · weightᵀ + bias. */
static ref affine(struct emit *e, ref x, ref weight, ref bias)
{
    return emit_node(e, "Gemm", REFS(x, weight, bias), ATTRIBUTES(INT("transB", 1)));
}

static ref add(struct emit *e, ref a, ref b)
{
    return a && b ? emit_binary(e, "Add", a, b) : a ? a : b;
}

/* Operands: input, weight, recurrentWeight, hiddenState, bias, recurrentBias. */
void lower_gru_cell(struct emit *e)
{
    const struct webnn_gru_cell_attributes *p = ATTRIBUTES_OF(e, gru_cell);
    int64_t hidden = p->hidden_size;
    const uint32_t *order = p->layout == WEBNN_GRU_WEIGHT_LAYOUT_RZN ? zrn_from_rzn : NULL;
    ref h = operand_wide(e, 3), x_parts[3] = { NULL }, h_parts[3] = { NULL }, weights[3] = { NULL },
        biases[3] = { NULL };
    ref weight = reorder(e, operand_wide(e, 1), 0, hidden, order, 3);
    ref recurrent = reorder(e, operand_wide(e, 2), 0, hidden, order, 3);
    ref bias = reorder(e, operand_wide(e, 4), 0, hidden, order, 3);
    ref recurrent_bias = reorder(e, operand_wide(e, 5), 0, hidden, order, 3);
    split(e, affine(e, operand_wide(e, 0), weight, bias), 1, hidden, x_parts, 3);
    if (p->reset_after) {
        split(e, affine(e, h, recurrent, recurrent_bias), 1, hidden, h_parts, 3);
    } else {
        split(e, recurrent, 0, hidden, weights, 3);
        if (recurrent_bias)
            split(e, recurrent_bias, 0, hidden, biases, 3);
        for (uint32_t i = 0; i < 2; i++)
            h_parts[i] = affine(e, h, weights[i], biases[i]);
    }
    ref z = activate(e, &p->activations, 0, add(e, x_parts[0], h_parts[0]));
    ref r = activate(e, &p->activations, 0, add(e, x_parts[1], h_parts[1]));
    ref reset = p->reset_after ? emit_binary(e, "Mul", r, h_parts[2])
                               : affine(e, emit_binary(e, "Mul", r, h), weights[2], biases[2]);
    ref n = activate(e, &p->activations, 1, add(e, x_parts[2], reset));
    ref kept = emit_binary(e, "Mul", z, h);
    ref fresh = emit_binary(e, "Mul", emit_binary(e, "Sub", emit_float(e, DTYPE_FLOAT32, 1), z), n);
    set_result_wide(e, 0, add(e, kept, fresh));
}

/* One LSTM cell; weights in the operator's own layout, without a dim of directions. */
struct lstm_cell {
    ref weight, recurrent, bias, recurrent_bias, peephole;
    int64_t hidden;
    uint32_t layout;
    const struct webnn_u32s *activations;
};

/* The output gate sees the old cell, as the other gates do. */
static void lstm_step(struct emit *e, const struct lstm_cell *cell, ref x, ref *h, ref *c)
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
    split(e, sum, 1, cell->hidden, parts, 4);
    if (cell->peephole)
        split(e, cell->peephole, 0, cell->hidden, peepholes, 3);
    for (uint32_t i = 0; i < 3; i++) { /* i, o, f: the order of the peepholes too */
        ref gate = parts[place[i]];
        if (peepholes[i])
            gate = add(e, gate, emit_binary(e, "Mul", peepholes[i], *c));
        gates[i] = activate(e, cell->activations, 0, gate);
    }
    ref g = activate(e, cell->activations, 1, parts[place[3]]);
    *c = add(e, emit_binary(e, "Mul", gates[2], *c), emit_binary(e, "Mul", gates[0], g));
    *h = emit_binary(e, "Mul", gates[1], activate(e, cell->activations, 2, *c));
}

/* Operands: input, weight, recurrentWeight, hiddenState, cellState, bias, recurrentBias, peepholeWeight. */
void lower_lstm_cell(struct emit *e)
{
    const struct webnn_lstm_cell_attributes *p = ATTRIBUTES_OF(e, lstm_cell);
    const struct lstm_cell cell = {
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

/* Whether the runtime's peepholes mean the same: the one of the output gate is all zero. */
static bool output_peephole_is_zero(struct emit *e, uint32_t directions, uint32_t hidden)
{
    struct tensor t;
    if (!operand_constant(e, 5, &t))
        return false;
    for (uint32_t d = 0; d < directions; d++)
        for (uint32_t i = 0; i < hidden; i++)
            if (tensor_get_double(&t, (uint64_t)d * 3 * hidden + hidden + i) != 0)
                return false;
    return true;
}

static ref element(struct emit *e, ref x, int64_t index)
{
    return x ? emit_node(e, "Gather", REFS(x, emit_int(e, DTYPE_INT64, index)),
                         ATTRIBUTES(INT("axis", 0)))
             : NULL;
}

/* [batch, hidden] of one direction; zeros where it is absent. */
static ref first_state(struct emit *e, uint32_t slot, uint32_t direction, uint32_t hidden)
{
    const dim dims[2] = { operand_at(e, 0)->dims[1], hidden };
    if (has_operand(e, slot))
        return element(e, operand_wide(e, slot), direction);
    return emit_binary(e, "Expand", emit_float(e, DTYPE_FLOAT32, 0), emit_dims(e, dims, NULL, 2));
}

static ref stack(struct emit *e, const ref *items, uint32_t count, ref axis)
{
    ref *raised = ARENA_ARRAY(e->arena, count, ref);
    if (!raised) {
        emit_keep(e, diag_memory(e->diags));
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++)
        raised[i] = emit_binary(e, "Unsqueeze", items[i], axis);
    return emit_node(e, "Concat", raised, count, ATTRIBUTES(INT("axis", 0)));
}

/* All steps of one direction: last states, and all hidden states in the order of the input. */
static void unrolled_direction(struct emit *e, const struct webnn_lstm_attributes *p,
                               uint32_t index, bool backward, ref *h, ref *c, ref *sequence)
{
    const struct lstm_cell cell = {
        .weight = element(e, operand_wide(e, 1), index),
        .recurrent = element(e, operand_wide(e, 2), index),
        .bias = element(e, operand_wide(e, 3), index),
        .recurrent_bias = element(e, operand_wide(e, 4), index),
        .peephole = element(e, operand_wide(e, 5), index),
        .hidden = p->hidden_size,
        .layout = p->layout,
        .activations = &p->activations,
    };
    ref *states = ARENA_ARRAY(e->arena, p->steps, ref);
    if (!states) {
        emit_keep(e, diag_memory(e->diags));
        return;
    }
    *h = first_state(e, 6, index, p->hidden_size);
    *c = first_state(e, 7, index, p->hidden_size);
    for (uint32_t i = 0; i < p->steps && e->status == O2W_OK; i++) {
        uint32_t step = backward ? p->steps - 1 - i : i;
        lstm_step(e, &cell, element(e, operand_wide(e, 0), step), h, c);
        states[step] = *h;
    }
    if (p->return_sequence && e->status == O2W_OK)
        *sequence = stack(e, states, p->steps, emit_i64s(e, &(const int64_t){ 0 }, 1));
}

static void unrolled_lstm(struct emit *e, const struct webnn_lstm_attributes *p)
{
    uint32_t directions = directions_of(p->direction);
    ref h[2] = { NULL }, c[2] = { NULL }, sequences[2] = { NULL },
        front = emit_i64s(e, &(const int64_t){ 0 }, 1);
    for (uint32_t i = 0; i < directions; i++)
        unrolled_direction(e, p, i, i == 1 || p->direction == WEBNN_DIRECTION_BACKWARD, &h[i],
                           &c[i], &sequences[i]);
    if (e->status != O2W_OK)
        return;
    set_result_wide(e, 0, stack(e, h, directions, front));
    set_result_wide(e, 1, stack(e, c, directions, front));
    if (!p->return_sequence)
        return;
    ref axis = emit_i64s(e, &(const int64_t){ 1 }, 1), raised[2];
    for (uint32_t i = 0; i < directions; i++)
        raised[i] = emit_binary(e, "Unsqueeze", sequences[i], axis);
    set_result_wide(e, 2, emit_node(e, "Concat", raised, directions, ATTRIBUTES(INT("axis", 1))));
}

/* Operands: input, weight, recurrentWeight, bias, recurrentBias, peepholeWeight, initialHiddenState,
 * initialCellState. */
void lower_lstm(struct emit *e)
{
    const struct webnn_lstm_attributes *p = ATTRIBUTES_OF(e, lstm);
    const struct sequence s = {
        .gates = 4,
        .directions = directions_of(p->direction),
        .hidden = p->hidden_size,
        .direction = p->direction,
        .order = p->layout == WEBNN_LSTM_WEIGHT_LAYOUT_IFGO ? iofg_from_ifgo : NULL,
        .bias = 3,
        .recurrent_bias = 4,
    };
    if (has_operand(e, 5) && !output_peephole_is_zero(e, s.directions, s.hidden)) {
        unrolled_lstm(e, p);
        return;
    }
    ref outputs[3] = { p->return_sequence ? NULL : "", NULL, NULL };
    sequence_node(e, "LSTM", &s, &p->activations,
                  (const ref[3]){ operand(e, 6), operand(e, 7), operand(e, 5) }, NULL, outputs, 3);
    set_result(e, 0, outputs[1]);
    set_result(e, 1, outputs[2]);
    if (p->return_sequence)
        set_result(e, 2, outputs[0]);
}
