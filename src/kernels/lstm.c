#include "kernels/recurrent.h"

/* Which block of rows holds each gate. */
struct lstm_gates {
    int64_t i, o, f, g;
};

static const struct lstm_gates gates_of_layout[] = {
    [WEBNN_LSTM_WEIGHT_LAYOUT_IOFG] = { 0, 1, 2, 3 },
    [WEBNN_LSTM_WEIGHT_LAYOUT_IFGO] = { 0, 3, 1, 2 },
};

struct lstm {
    struct recurrent base; /* first: steps get this */
    const struct lstm_gates *gates;
    const double *peephole; /* [directions][i, o, f][hidden] or NULL */
};

/* Pre-activation of one gate: what x gives, what the last state gives, and its peephole. */
static double gate_sum(const double *projected, const double *recalled, const double *bias,
                       const double *peephole, double cell)
{
    return *projected + *recalled + *bias + (peephole ? *peephole * cell : 0);
}

/* One element of the states. The output gate sees the old cell, as the others do. */
static void lstm_element(struct lstm *l, int64_t direction, int64_t batch, int64_t j,
                         const double *projected)
{
    struct recurrent *r = &l->base;
    int64_t rows = r->gates * r->hidden, hidden = r->hidden;
    int64_t state = (direction * r->batch + batch) * hidden + j;
    double cell = r->cell_state[state], sums[4];
    const int64_t blocks[4] = { l->gates->i, l->gates->o, l->gates->f, l->gates->g };
    for (int64_t k = 0; k < 4; k++) {
        int64_t at = blocks[k] * hidden + j;
        const double *peephole =
            l->peephole && k < 3 ? l->peephole + (direction * 3 + k) * hidden + j : NULL;
        sums[k] = gate_sum(projected + batch * rows + at, r->recalled + batch * rows + at,
                           r->recurrent_bias + direction * rows + at, peephole, cell);
    }
    double i = recurrent_activate(r->activations[0], sums[0]);
    double o = recurrent_activate(r->activations[0], sums[1]);
    double f = recurrent_activate(r->activations[0], sums[2]);
    double g = recurrent_activate(r->activations[1], sums[3]);
    r->cell_state[state] = f * cell + i * g;
    r->hidden_state[state] = o * recurrent_activate(r->activations[2], r->cell_state[state]);
}

static void lstm_step(struct recurrent *r, int64_t direction, const double *projected)
{
    struct lstm *l = (struct lstm *)(void *)r;
    const double *state = r->hidden_state + direction * r->batch * r->hidden;
    recurrent_recall(r, direction, 0, r->gates * r->hidden, state, r->recalled);
    for (int64_t batch = 0; batch < r->batch; batch++)
        for (int64_t j = 0; j < r->hidden; j++)
            lstm_element(l, direction, batch, j, projected);
}

static o2w_status lstm_run(struct lstm *l, uint32_t layout, const struct recurrent_slots *slots,
                           uint32_t peephole_slot, const struct webnn_u32s *activations,
                           bool keeps_sequence)
{
    struct recurrent *r = &l->base;
    const struct tensor *peephole = call_operand(r->call, peephole_slot);
    l->gates = &gates_of_layout[layout];
    r->gates = 4;
    TRY(recurrent_begin(r, slots, activations, keeps_sequence));
    if (peephole && !(l->peephole = recurrent_doubles(r->call, peephole)))
        return O2W_NO_MEMORY;
    recurrent_run(r, lstm_step);
    int64_t states = r->directions * r->batch * r->hidden;
    recurrent_store(r, 0, r->hidden_state, states);
    recurrent_store(r, 1, r->cell_state, states);
    if (keeps_sequence)
        recurrent_store(r, 2, r->sequence, r->steps * states);
    return O2W_OK;
}

o2w_status kernel_lstm(const struct kernel_call *call)
{
    const struct webnn_lstm_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0];
    struct lstm l = { .base = { .call = call,
                                .steps = x->dims[0],
                                .batch = x->dims[1],
                                .input = x->dims[2],
                                .hidden = p->hidden_size,
                                .directions = p->direction == WEBNN_DIRECTION_BOTH ? 2 : 1,
                                .reversed_only = p->direction == WEBNN_DIRECTION_BACKWARD } };
    const struct recurrent_slots slots = { 3, 4, 6, 7 };
    return lstm_run(&l, p->layout, &slots, 5, &p->activations, p->return_sequence);
}

o2w_status kernel_lstm_cell(const struct kernel_call *call)
{
    const struct webnn_lstm_cell_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0];
    struct lstm l = { .base = { .call = call,
                                .steps = 1,
                                .batch = x->dims[0],
                                .input = x->dims[1],
                                .hidden = p->hidden_size,
                                .directions = 1 } };
    const struct recurrent_slots slots = { 5, 6, 3, 4 };
    return lstm_run(&l, p->layout, &slots, 7, &p->activations, false);
}
