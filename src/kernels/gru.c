#include "kernels/recurrent.h"

/* Which block of rows holds the update and reset gates; the new gate is the last. */
struct gru {
    struct recurrent base; /* first: steps get this */
    int64_t z, r;
    bool reset_after;
    double *reset_state; /* [batch][hidden]: r ∘ h, unless the reset comes after */
};

enum { NEW_GATE = 2 };

/* Places of one element in the arrays of a step. */
struct place {
    int64_t state, row, bias; /* in states, in projected and recalled, in biases; row of block 0 */
};

static struct place place_of(const struct recurrent *r, int64_t direction, int64_t batch, int64_t j)
{
    int64_t rows = r->gates * r->hidden;
    return (struct place){ (direction * r->batch + batch) * r->hidden + j, batch * rows + j,
                           direction * rows + j };
}

static double gate(const struct gru *g, const struct place *at, int64_t block,
                   const double *projected)
{
    const struct recurrent *r = &g->base;
    int64_t offset = block * r->hidden;
    return recurrent_activate(r->activations[0], projected[at->row + offset] +
                                                     r->recalled[at->row + offset] +
                                                     r->recurrent_bias[at->bias + offset]);
}

/* Before the new gate's product: it is taken with r ∘ h. */
static void reset_states(struct gru *g, int64_t direction, const double *projected)
{
    struct recurrent *r = &g->base;
    for (int64_t batch = 0; batch < r->batch; batch++) {
        for (int64_t j = 0; j < r->hidden; j++) {
            struct place at = place_of(r, direction, batch, j);
            g->reset_state[batch * r->hidden + j] =
                gate(g, &at, g->r, projected) * r->hidden_state[at.state];
        }
    }
}

static void gru_element(struct gru *g, const struct place *at, const double *projected)
{
    struct recurrent *r = &g->base;
    int64_t offset = NEW_GATE * r->hidden;
    double recalled = r->recalled[at->row + offset] + r->recurrent_bias[at->bias + offset];
    double z = gate(g, at, g->z, projected);
    double factor = g->reset_after ? gate(g, at, g->r, projected) : 1;
    double n =
        recurrent_activate(r->activations[1], projected[at->row + offset] + factor * recalled);
    r->hidden_state[at->state] = z * r->hidden_state[at->state] + (1 - z) * n;
}

static void gru_step(struct recurrent *r, int64_t direction, const double *projected)
{
    struct gru *g = (struct gru *)(void *)r;
    const double *state = r->hidden_state + direction * r->batch * r->hidden;
    int64_t gates = NEW_GATE * r->hidden;
    recurrent_recall(r, direction, 0, g->reset_after ? gates + r->hidden : gates, state,
                     r->recalled);
    if (!g->reset_after) {
        reset_states(g, direction, projected);
        recurrent_recall(r, direction, gates, r->hidden, g->reset_state, r->recalled);
    }
    for (int64_t batch = 0; batch < r->batch; batch++) {
        for (int64_t j = 0; j < r->hidden; j++) {
            struct place at = place_of(r, direction, batch, j);
            gru_element(g, &at, projected);
        }
    }
}

static o2w_status gru_run(struct gru *g, uint32_t layout, const struct recurrent_slots *slots,
                          const struct webnn_u32s *activations, bool keeps_sequence)
{
    struct recurrent *r = &g->base;
    g->z = layout == WEBNN_GRU_WEIGHT_LAYOUT_ZRN ? 0 : 1;
    g->r = 1 - g->z;
    r->gates = 3;
    TRY(recurrent_begin(r, slots, activations, keeps_sequence));
    g->reset_state = kernel_memory(r->call, r->batch * r->hidden, sizeof(double));
    if (!g->reset_state)
        return O2W_NO_MEMORY;
    recurrent_run(r, gru_step);
    int64_t states = r->directions * r->batch * r->hidden;
    recurrent_store(r, 0, r->hidden_state, states);
    if (keeps_sequence)
        recurrent_store(r, 1, r->sequence, r->steps * states);
    return O2W_OK;
}

o2w_status kernel_gru(const struct kernel_call *call)
{
    const struct webnn_gru_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0];
    struct gru g = { .base = { .call = call,
                               .steps = x->dims[0],
                               .batch = x->dims[1],
                               .input = x->dims[2],
                               .hidden = p->hidden_size,
                               .directions = p->direction == WEBNN_DIRECTION_BOTH ? 2 : 1,
                               .reversed_only = p->direction == WEBNN_DIRECTION_BACKWARD },
                     .reset_after = p->reset_after };
    const struct recurrent_slots slots = { 3, 4, 5, -1 };
    return gru_run(&g, p->layout, &slots, &p->activations, p->return_sequence);
}

o2w_status kernel_gru_cell(const struct kernel_call *call)
{
    const struct webnn_gru_cell_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0];
    struct gru g = { .base = { .call = call,
                               .steps = 1,
                               .batch = x->dims[0],
                               .input = x->dims[1],
                               .hidden = p->hidden_size,
                               .directions = 1 },
                     .reset_after = p->reset_after };
    const struct recurrent_slots slots = { 4, 5, 3, -1 };
    return gru_run(&g, p->layout, &slots, &p->activations, false);
}
