/* Recurrent operators: weights hold `gates` blocks of hiddenSize rows per direction.
 * https://www.w3.org/TR/webnn/#api-mlgraphbuilder-gru
 * https://www.w3.org/TR/webnn/#api-mlgraphbuilder-lstm */
#include "webnn/infer/rules.h"

#include <inttypes.h>

static o2w_status check_hidden_size(const struct infer *in, uint32_t hidden, uint32_t gates)
{
    if (hidden == 0)
        return infer_fail(in, "hiddenSize is 0, must be at least 1");
    if ((uint64_t)hidden * gates * 2 > INT32_MAX)
        return infer_fail(in, "hiddenSize is %u, must be at most %u", hidden,
                          (uint32_t)INT32_MAX / (gates * 2));
    return O2W_OK;
}

/* A sequence operator: slots 0 to 2 are input, weight, recurrentWeight. */
struct sequence {
    uint32_t steps, hidden, gates;
    dim directions, batch;
};

static o2w_status check_sequence(struct infer *in, uint32_t direction,
                                 const struct webnn_u32s *activations, struct sequence *s)
{
    const struct descriptor *x = infer_operand(in, 0);
    s->directions = direction == WEBNN_DIRECTION_BOTH ? 2 : 1;
    s->batch = x->dims[1];
    if (s->steps == 0)
        return infer_fail(in, "steps is 0, must be at least 1");
    TRY(check_hidden_size(in, s->hidden, s->gates));
    TRY(rule_dim_is(in, 0, 0, "steps", s->steps));
    dim rows = (dim)s->gates * s->hidden;
    TRY(rule_shape_is(in, 1, (dim[]){ s->directions, rows, x->dims[2] }, 3));
    TRY(rule_shape_is(in, 2, (dim[]){ s->directions, rows, s->hidden }, 3));
    TRY(rule_shape_is(in, 3, (dim[]){ s->directions, rows }, 2));
    TRY(rule_shape_is(in, 4, (dim[]){ s->directions, rows }, 2));
    return rule_count(in, "activations", activations->count, s->gates - 1);
}

static o2w_status state_results(struct infer *in, const struct sequence *s, uint32_t states,
                                bool sequence)
{
    const dim shape[] = { s->steps, s->directions, s->batch, s->hidden };
    for (uint32_t i = 0; i < states; i++)
        TRY(infer_append(in, infer_result(in, i), shape + 1, 3));
    return sequence ? infer_append(in, infer_result(in, states), shape, 4) : O2W_OK;
}

o2w_status infer_gru(struct infer *in)
{
    const struct webnn_gru_attributes *p = in->attributes;
    struct sequence s = { .steps = p->steps, .hidden = p->hidden_size, .gates = 3 };
    TRY(check_sequence(in, p->direction, &p->activations, &s));
    TRY(rule_shape_is(in, 5, (dim[]){ s.directions, s.batch, s.hidden }, 3));
    return state_results(in, &s, 1, p->return_sequence);
}

o2w_status infer_lstm(struct infer *in)
{
    const struct webnn_lstm_attributes *p = in->attributes;
    struct sequence s = { .steps = p->steps, .hidden = p->hidden_size, .gates = 4 };
    TRY(check_sequence(in, p->direction, &p->activations, &s));
    TRY(rule_shape_is(in, 5, (dim[]){ s.directions, 3 * (dim)s.hidden }, 2));
    TRY(rule_shape_is(in, 6, (dim[]){ s.directions, s.batch, s.hidden }, 3));
    TRY(rule_shape_is(in, 7, (dim[]){ s.directions, s.batch, s.hidden }, 3));
    return state_results(in, &s, 2, p->return_sequence);
}

/* One step: slots 0 to 2 as above, then `states` states, then bias and recurrentBias. */
static o2w_status check_cell(struct infer *in, uint32_t hidden, uint32_t gates, uint32_t states,
                             const struct webnn_u32s *activations)
{
    const struct descriptor *x = infer_operand(in, 0);
    const dim state[] = { x->dims[0], hidden };
    TRY(check_hidden_size(in, hidden, gates));
    dim rows = (dim)gates * hidden;
    TRY(rule_shape_is(in, 1, (dim[]){ rows, x->dims[1] }, 2));
    TRY(rule_shape_is(in, 2, (dim[]){ rows, hidden }, 2));
    for (uint32_t i = 0; i < states; i++)
        TRY(rule_shape_is(in, 3 + i, state, 2));
    TRY(rule_shape_is(in, 3 + states, &rows, 1));
    TRY(rule_shape_is(in, 4 + states, &rows, 1));
    TRY(rule_count(in, "activations", activations->count, gates - 1));
    for (uint32_t i = 0; i < states; i++)
        TRY(infer_append(in, infer_result(in, i), state, 2));
    return O2W_OK;
}

/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-grucell */
o2w_status infer_gru_cell(struct infer *in)
{
    const struct webnn_gru_cell_attributes *p = in->attributes;
    return check_cell(in, p->hidden_size, 3, 1, &p->activations);
}

/* https://www.w3.org/TR/webnn/#api-mlgraphbuilder-lstmcell */
o2w_status infer_lstm_cell(struct infer *in)
{
    const struct webnn_lstm_cell_attributes *p = in->attributes;
    TRY(rule_shape_is(in, 7, (dim[]){ 3 * (dim)p->hidden_size }, 1));
    return check_cell(in, p->hidden_size, 4, 2, &p->activations);
}
