/* GRU and LSTM over sequences: the runtime's nodes, or cells step by step where those differ: for a
 * peephole of the output gate, which sees the new cell there, and for NaN, which they lose. */
#include "nodes/cells.h"

#include <string.h>

static const char *const function_names[] = {
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

/* What gru and lstm have in common. */
struct sequence {
    const char *node;
    void (*step)(struct emit *e, const struct cell *cell, ref x, ref *h, ref *c);
    uint32_t gates, directions, hidden, direction, steps, layout;
    const uint32_t *order;     /* of the runtime's gates among ours; NULL: the same */
    uint32_t peephole, states; /* slots; peephole 0: none */
    uint32_t state_count;
    bool reset_after, whole; /* whole: the hidden states of all steps are a result */
    const struct webnn_u32s *activations;
};

enum { SLOT_BIAS = 3, SLOT_RECURRENT_BIAS = 4 };

/* Blocks of `hidden` along axis 1 in the runtime's order. */
static ref reordered(struct emit *e, const struct sequence *s, uint32_t slot)
{
    ref x = operand(e, slot), parts[4] = { NULL }, sorted[4];
    if (!s->order || !x)
        return x;
    split_evenly(e, x, 1, s->hidden, parts, s->gates);
    for (uint32_t i = 0; i < s->gates; i++)
        sorted[i] = parts[s->order[i]];
    return emit_node(e, "Concat", sorted, s->gates, ATTRIBUTES(INT("axis", 1)));
}

/* Both biases side by side; a missing one is zero, no bias at all is NULL. */
static ref joined_biases(struct emit *e, const struct sequence *s)
{
    const int64_t dims[2] = { s->directions, (int64_t)s->gates * s->hidden };
    ref both[2];
    if (!has_operand(e, SLOT_BIAS) && !has_operand(e, SLOT_RECURRENT_BIAS))
        return NULL;
    for (uint32_t i = 0; i < 2; i++)
        both[i] = has_operand(e, SLOT_BIAS + i) ? reordered(e, s, SLOT_BIAS + i)
                                                : emit_filled(e, operand_dtype(e, 0), dims, 2, 0);
    return emit_node(e, "Concat", both, 2, ATTRIBUTES(INT("axis", 1)));
}

static void sequence_node(struct emit *e, const struct sequence *s)
{
    const char *functions[8];
    uint32_t count = s->activations->count * s->directions;
    for (uint32_t i = 0; i < count; i++)
        functions[i] = function_names[s->activations->items[i % s->activations->count]];
    const struct sink_attribute attributes[] = {
        INT("hidden_size", s->hidden),
        TEXT("direction", direction_names[s->direction]),
        { .name = "activations", .kind = SINK_STRINGS, .data = functions, .count = count },
        INT("linear_before_reset", s->reset_after), /* only of GRU */
    };
    ref inputs[8] = { operand(e, 0), reordered(e, s, 1), reordered(e, s, 2), joined_biases(e, s),
                      NULL };
    ref outputs[3] = { s->whole ? NULL : "", NULL, NULL };
    for (uint32_t i = 0; i < s->state_count; i++)
        inputs[5 + i] = operand(e, s->states + i);
    if (s->peephole)
        inputs[7] = operand(e, s->peephole);
    emit_nodes(e, s->node, inputs, 8, attributes, s->state_count == 1 ? 4 : 3, outputs,
               1 + s->state_count);
    for (uint32_t i = 0; i < s->state_count; i++)
        set_result(e, i, outputs[1 + i]);
    if (s->whole)
        set_result(e, s->state_count, outputs[0]);
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

/* Items along a new axis. */
static ref stack(struct emit *e, const ref *items, uint32_t count, int64_t axis)
{
    ref *raised = ARENA_ARRAY(e->arena, count, ref), axes = emit_i64s(e, &axis, 1);
    if (!raised) {
        emit_keep(e, diag_memory(e->diags));
        return NULL;
    }
    for (uint32_t i = 0; i < count && e->status == O2W_OK; i++)
        raised[i] = emit_binary(e, "Unsqueeze", items[i], axes);
    return emit_node(e, "Concat", raised, count, ATTRIBUTES(INT("axis", axis)));
}

/* All steps of one direction: the last states, and the hidden states in the order of the input. */
static ref unroll_direction(struct emit *e, const struct sequence *s, uint32_t index, ref states[2])
{
    const struct cell cell = {
        .weight = element(e, operand_wide(e, 1), index),
        .recurrent = element(e, operand_wide(e, 2), index),
        .bias = element(e, operand_wide(e, SLOT_BIAS), index),
        .recurrent_bias = element(e, operand_wide(e, SLOT_RECURRENT_BIAS), index),
        .peephole = s->peephole ? element(e, operand_wide(e, s->peephole), index) : NULL,
        .hidden = s->hidden,
        .layout = s->layout,
        .reset_after = s->reset_after,
        .activations = s->activations,
    };
    bool backward = index == 1 || s->direction == WEBNN_DIRECTION_BACKWARD;
    ref *hidden = ARENA_ARRAY(e->arena, s->steps, ref), x = operand_wide(e, 0);
    if (!hidden) {
        emit_keep(e, diag_memory(e->diags));
        return NULL;
    }
    for (uint32_t i = 0; i < s->state_count; i++)
        states[i] = first_state(e, s->states + i, index, s->hidden);
    for (uint32_t i = 0; i < s->steps && e->status == O2W_OK; i++) {
        uint32_t step = backward ? s->steps - 1 - i : i;
        s->step(e, &cell, element(e, x, step), &states[0], &states[1]);
        hidden[step] = states[0];
    }
    return s->whole && e->status == O2W_OK ? stack(e, hidden, s->steps, 0) : NULL;
}

static void unroll(struct emit *e, const struct sequence *s)
{
    ref states[2][2] = { { NULL } }, sequences[2] = { NULL };
    uint32_t directions = s->directions > 1 ? 2 : 1;
    for (uint32_t i = 0; i < directions; i++)
        sequences[i] = unroll_direction(e, s, i, states[i]);
    for (uint32_t i = 0; i < s->state_count && e->status == O2W_OK; i++) {
        const ref both[2] = { states[0][i], states[1][i] };
        set_result_wide(e, i, stack(e, both, directions, 0));
    }
    if (s->whole && e->status == O2W_OK)
        set_result_wide(e, s->state_count, stack(e, sequences, directions, 1));
}

static uint32_t directions_of(uint32_t direction)
{
    return direction == WEBNN_DIRECTION_BOTH ? 2 : 1;
}

/* Operands: input, weight, recurrentWeight, bias, recurrentBias, initialHiddenState. */
void nodes_gru(struct emit *e)
{
    const struct webnn_gru_attributes *p = ATTRIBUTES_OF(e, gru);
    const struct sequence s = {
        .node = "GRU",
        .step = gru_step,
        .gates = 3,
        .directions = directions_of(p->direction),
        .hidden = p->hidden_size,
        .direction = p->direction,
        .steps = p->steps,
        .layout = p->layout,
        .order = p->layout == WEBNN_GRU_WEIGHT_LAYOUT_RZN ? zrn_from_rzn : NULL,
        .states = 5,
        .state_count = 1,
        .reset_after = p->reset_after,
        .whole = p->return_sequence,
        .activations = &p->activations,
    };
    if (e->exact)
        unroll(e, &s);
    else
        sequence_node(e, &s);
}

/* Whether the runtime's peepholes mean the same: that of the output gate is all zero. */
static bool output_peephole_is_zero(struct emit *e, const struct sequence *s)
{
    struct tensor t;
    if (!operand_constant(e, s->peephole, &t))
        return false;
    for (uint32_t d = 0; d < s->directions; d++)
        for (uint32_t i = 0; i < s->hidden; i++)
            if (tensor_get_double(&t, ((uint64_t)d * 3 + 1) * s->hidden + i) != 0)
                return false;
    return true;
}

/* Operands: input, weight, recurrentWeight, bias, recurrentBias, peepholeWeight, initialHiddenState,
 * initialCellState. */
void nodes_lstm(struct emit *e)
{
    const struct webnn_lstm_attributes *p = ATTRIBUTES_OF(e, lstm);
    const struct sequence s = {
        .node = "LSTM",
        .step = lstm_step,
        .gates = 4,
        .directions = directions_of(p->direction),
        .hidden = p->hidden_size,
        .direction = p->direction,
        .steps = p->steps,
        .layout = p->layout,
        .order = p->layout == WEBNN_LSTM_WEIGHT_LAYOUT_IFGO ? iofg_from_ifgo : NULL,
        .peephole = 5,
        .states = 6,
        .state_count = 2,
        .whole = p->return_sequence,
        .activations = &p->activations,
    };
    if (e->exact || (has_operand(e, 5) && !output_peephole_is_zero(e, &s)))
        unroll(e, &s);
    else
        sequence_node(e, &s);
}
