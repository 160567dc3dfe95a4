/* Recurrent operators: WebNN's own where they say the same, else written out step by step. */
#include "lower/ops/recurrent.h"

#define DIRECTION(words) \
    ATTR_STRING(struct recurrent, direction, .fallback_text = "forward", .allowed = words)
#define RECURRENT_ATTRS                                                                      \
    ATTR_GIVEN_INT(struct recurrent, hidden_size), ATTR_GIVEN_FLOAT(struct recurrent, clip), \
        ATTR_STRINGS(struct recurrent, activations),                                         \
        ATTR_FLOATS(struct recurrent, activation_alpha),                                     \
        ATTR_FLOATS(struct recurrent, activation_beta)
#define DIRECTIONS      DIRECTION("forward reverse bidirectional")
#define OUTPUT_SEQUENCE ATTR_INT(struct recurrent, output_sequence, .allowed = "0 1")
#define INPUT_FORGET    ATTR_INT(struct recurrent, input_forget, .allowed = "0 1")
#define LINEAR          ATTR_INT(struct recurrent, linear_before_reset, .allowed = "0 1")
#define LAYOUT          ATTR_INT(struct recurrent, layout, .allowed = "0 1")

#define SET_8 (DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_UINT8))

static const struct attr_row lstm_1_attrs[] = { RECURRENT_ATTRS, DIRECTIONS, INPUT_FORGET,
                                                OUTPUT_SEQUENCE };
static const struct attr_row lstm_7_attrs[] = { RECURRENT_ATTRS, DIRECTIONS, INPUT_FORGET };
static const struct attr_row lstm_14_attrs[] = { RECURRENT_ATTRS, DIRECTIONS, INPUT_FORGET,
                                                 LAYOUT };
/* Version 1 of GRU has its default misspelt. */
static const struct attr_row gru_1_attrs[] = { RECURRENT_ATTRS,
                                               DIRECTION("forward foward reverse bidirectional"),
                                               OUTPUT_SEQUENCE };
static const struct attr_row gru_3_attrs[] = { RECURRENT_ATTRS, DIRECTIONS, LINEAR,
                                               OUTPUT_SEQUENCE };
static const struct attr_row gru_7_attrs[] = { RECURRENT_ATTRS, DIRECTIONS, LINEAR };
static const struct attr_row gru_14_attrs[] = { RECURRENT_ATTRS, DIRECTIONS, LINEAR, LAYOUT };
static const struct attr_row rnn_1_attrs[] = { RECURRENT_ATTRS, DIRECTIONS, OUTPUT_SEQUENCE };
static const struct attr_row rnn_7_attrs[] = { RECURRENT_ATTRS, DIRECTIONS };
static const struct attr_row rnn_14_attrs[] = { RECURRENT_ATTRS, DIRECTIONS, LAYOUT };

/* --- inputs ------------------------------------------------------------------------------------------ */

static o2w_status batch_second(struct lower *l, value x, value *out)
{
    static const uint32_t swap[] = { 1, 0, 2 };
    *out = x;
    return x && x->rank == 3 ? transpose(l, x, swap, out) : O2W_OK;
}

static o2w_status check_shape(struct lower *l, const struct node_view *n, uint32_t at, value v,
                              const dim *dims, uint32_t rank)
{
    bool fits = !v || v->rank == rank;
    for (uint32_t i = 0; v && fits && i < rank; i++)
        fits = dims[i] < 0 || !dim_is_static(v->dims[i]) ||
               dim_compare(lower_exprs(l), v->dims[i], dims[i]) != EXPR_DIFFERENT;
    if (fits)
        return O2W_OK;
    return refuse_input(l, n, at, "has shape %s, must be %s",
                        dim_list_text(lower_exprs(l), v->dims, v->rank, lower_arena(l)),
                        dim_list_text(lower_exprs(l), dims, rank, lower_arena(l)));
}

static o2w_status check_shapes(struct lower *l, const struct node_view *n,
                               const struct recurrent *p, struct cell *c)
{
    dim d = c->directions;
    for (uint32_t i = 0; i < 3; i++)
        if (input(n, i)->rank != 3)
            return refuse_input(l, n, i, "has rank %u, must be 3", input(n, i)->rank);
    int64_t steps, hidden;
    TRY(static_dim(l, n, c->x, 0, &steps));
    TRY(static_dim(l, n, c->r, 2, &hidden));
    if (steps < 1 || steps > INT32_MAX || hidden < 1 || hidden > INT32_MAX / 8)
        return refuse(l, n, DIAG_LOWER_SHAPE, "%lld steps of %lld hidden units are out of range",
                      (long long)steps, (long long)hidden);
    c->steps = (uint32_t)steps;
    c->hidden = (uint32_t)hidden;
    c->batch = c->x->dims[1];
    if (p->hidden_size.given && p->hidden_size.value != hidden)
        return refuse_attribute(l, n, "hidden_size", "is %lld, R has %u",
                                (long long)p->hidden_size.value, c->hidden);
    dim rows = c->gates * hidden;
    TRY(check_shape(l, n, 1, c->w, (const dim[]){ d, rows, c->x->dims[2] }, 3));
    TRY(check_shape(l, n, 2, c->r, (const dim[]){ d, rows, hidden }, 3));
    TRY(check_shape(l, n, 3, c->bias, (const dim[]){ d, 2 * rows }, 2));
    TRY(check_shape(l, n, 4, c->lengths, &c->batch, 1));
    TRY(check_shape(l, n, 5, c->state_h, (const dim[]){ d, c->batch, hidden }, 3));
    TRY(check_shape(l, n, 6, c->state_c, (const dim[]){ d, c->batch, hidden }, 3));
    return check_shape(l, n, 7, c->peephole, (const dim[]){ d, 3 * hidden }, 2);
}

/* Lengths that are known to be those of the input say nothing. */
static o2w_status read_lengths(struct lower *l, const struct node_view *n, struct cell *c)
{
    struct ints lengths;
    bool whole = true;
    if (!value_is_known(c->lengths))
        return O2W_OK;
    TRY(known_ints(l, n, 4, &lengths));
    for (uint32_t i = 0; i < lengths.count; i++) {
        if (lengths.items[i] < 0 || lengths.items[i] > c->steps)
            return refuse_input(l, n, 4, "is %lld at index %u, must be from 0 to %u",
                                (long long)lengths.items[i], i, c->steps);
        whole &= lengths.items[i] == c->steps;
    }
    if (whole)
        c->lengths = NULL;
    return O2W_OK;
}

o2w_status cell_read(struct lower *l, const struct node_view *n, const struct recurrent *p,
                     enum cell_kind kind, struct cell *c)
{
    static const uint32_t gates[] = { 1, 3, 4 }, functions[] = { 1, 2, 3 };
    bool lstm = kind == CELL_LSTM;
    *c = (struct cell){ .kind = kind,
                        .gates = gates[kind],
                        .functions = functions[kind],
                        .directions = span_is(p->direction, "bidirectional") ? 2 : 1,
                        .reverse = span_is(p->direction, "reverse"),
                        .x = input(n, 0),
                        .w = input(n, 1),
                        .r = input(n, 2),
                        .bias = input(n, 3),
                        .lengths = input(n, 4),
                        .state_h = input(n, 5),
                        .state_c = lstm ? input(n, 6) : NULL,
                        .peephole = lstm ? input(n, 7) : NULL };
    if (n->row->until && n->row->until <= 6 && !p->output_sequence && output_used(n, 0))
        return refuse_attribute(l, n, "output_sequence", "is 0, but output Y is used");
    if (p->clip.given && !(p->clip.value > 0))
        return refuse_attribute(l, n, "clip", "is %g, must be greater than 0", p->clip.value);
    if (p->layout) {
        TRY(batch_second(l, c->x, &c->x));
        TRY(batch_second(l, c->state_h, &c->state_h));
        TRY(batch_second(l, c->state_c, &c->state_c));
    }
    TRY(check_shapes(l, n, p, c));
    TRY(read_lengths(l, n, c));
    return functions_read(l, n, p, c);
}

/* --- outputs ----------------------------------------------------------------------------------------- */

o2w_status emit_sequence(struct lower *l, const struct node_view *n, const struct recurrent *p,
                         value y)
{
    static const uint32_t batch_first[] = { 2, 0, 1, 3 };
    if (p->layout)
        TRY(transpose(l, y, batch_first, &y));
    return emit_output(l, n, 0, y);
}

o2w_status emit_state(struct lower *l, const struct node_view *n, const struct recurrent *p,
                      uint32_t i, value y)
{
    if (!output_used(n, i))
        return O2W_OK;
    if (p->layout)
        TRY(batch_second(l, y, &y));
    return emit_output(l, n, i, y);
}

/* --- WebNN's own forms --------------------------------------------------------------------------------- */

/* ONNX's output gate sees the new cell state, WebNN's the old one: equal only without its peephole. */
static o2w_status peephole_fits(struct lower *l, const struct cell *c, bool *fits)
{
    struct tensor t;
    *fits = !c->peephole;
    if (!c->peephole || !value_is_known(c->peephole))
        return O2W_OK;
    TRY(known_tensor(l, c->peephole, &t));
    *fits = true;
    for (uint32_t d = 0; d < c->directions; d++)
        for (uint32_t i = 0; i < c->hidden; i++)
            *fits &= tensor_get_double(&t, (uint64_t)d * 3 * c->hidden + c->hidden + i) == 0;
    return O2W_OK;
}

static bool functions_fit(const struct cell *c, struct webnn_u32s *activations)
{
    static const uint32_t ids[] = { WEBNN_ACTIVATION_SIGMOID, WEBNN_ACTIVATION_TANH,
                                    WEBNN_ACTIVATION_RELU };
    *activations = (struct webnn_u32s){ .given = true, .count = c->functions };
    for (uint32_t i = 0; i < c->functions; i++) {
        enum function_kind kind = c->function[0][i].kind;
        if (kind > FUNCTION_RELU || (c->directions == 2 && c->function[1][i].kind != kind))
            return false;
        activations->items[i] = ids[kind];
    }
    return true;
}

static o2w_status is_direct(struct lower *l, const struct recurrent *p, const struct cell *c,
                            struct webnn_u32s *activations, bool *direct)
{
    TRY(peephole_fits(l, c, direct));
    *direct &= functions_fit(c, activations) && !p->clip.given && !c->lengths && !p->input_forget;
    return O2W_OK;
}

static uint32_t direction_of(const struct cell *c)
{
    return c->directions == 2 ? WEBNN_DIRECTION_BOTH
           : c->reverse       ? WEBNN_DIRECTION_BACKWARD
                              : WEBNN_DIRECTION_FORWARD;
}

static o2w_status half_of_bias(struct lower *l, const struct cell *c, uint32_t half, value *out)
{
    dim rows = (dim)c->gates * c->hidden;
    *out = NULL;
    return c->bias ? slice(l, c->bias, 1, half * rows, rows, 1, out) : O2W_OK;
}

static o2w_status direct_lstm(struct lower *l, const struct node_view *n, const struct recurrent *p,
                              const struct cell *c, const struct webnn_u32s *activations)
{
    struct webnn_lstm_attributes a = webnn_lstm_defaults();
    value out[3], bias, recurrent_bias;
    TRY(half_of_bias(l, c, 0, &bias));
    TRY(half_of_bias(l, c, 1, &recurrent_bias));
    a.steps = c->steps;
    a.hidden_size = c->hidden;
    a.direction = direction_of(c);
    a.activations = *activations;
    a.return_sequence = output_used(n, 0);
    TRY(op_list(
        l, WEBNN_LSTM,
        OPERANDS(c->x, c->w, c->r, bias, recurrent_bias, c->peephole, c->state_h, c->state_c), &a,
        out, a.return_sequence ? 3 : 2));
    if (a.return_sequence)
        TRY(emit_sequence(l, n, p, out[2]));
    TRY(emit_state(l, n, p, 1, out[0]));
    return emit_state(l, n, p, 2, out[1]);
}

static o2w_status direct_gru(struct lower *l, const struct node_view *n, const struct recurrent *p,
                             const struct cell *c, const struct webnn_u32s *activations)
{
    struct webnn_gru_attributes a = webnn_gru_defaults();
    value out[2], bias, recurrent_bias;
    TRY(half_of_bias(l, c, 0, &bias));
    TRY(half_of_bias(l, c, 1, &recurrent_bias));
    a.steps = c->steps;
    a.hidden_size = c->hidden;
    a.direction = direction_of(c);
    a.reset_after = p->linear_before_reset != 0;
    a.activations = *activations;
    a.return_sequence = output_used(n, 0);
    TRY(op_list(l, WEBNN_GRU, OPERANDS(c->x, c->w, c->r, bias, recurrent_bias, c->state_h), &a, out,
                a.return_sequence ? 2 : 1));
    if (a.return_sequence)
        TRY(emit_sequence(l, n, p, out[1]));
    return emit_state(l, n, p, 1, out[0]);
}

static o2w_status lower_lstm(struct lower *l, const struct node_view *n, const void *params)
{
    const struct recurrent *p = params;
    struct webnn_u32s activations;
    struct cell c;
    bool direct;
    TRY(cell_read(l, n, p, CELL_LSTM, &c));
    TRY(is_direct(l, p, &c, &activations, &direct));
    return direct ? direct_lstm(l, n, p, &c, &activations) : recurrent_unroll(l, n, p, &c);
}

/* com.microsoft: 8-bit weights [directions, in, rows] whose scales and zero points stand at 8 to 11;
 * the input and each step's state are quantised by their own range. */
static o2w_status lower_dynamic_lstm(struct lower *l, const struct node_view *n, const void *params)
{
    static const uint32_t rows_second[] = { 0, 2, 1 };
    const struct recurrent *p = params;
    struct node_view plain = *n;
    struct cell c;
    value inputs[8];
    for (uint32_t i = 0; i < 8; i++)
        inputs[i] = input(n, i);
    for (uint32_t i = 1; i < 3; i++) {
        if (inputs[i]->rank != 3)
            return refuse_input(l, n, i, "has rank %u, must be 3", inputs[i]->rank);
        TRY(transpose(l, inputs[i], rows_second, &inputs[i]));
    }
    plain.inputs = inputs;
    plain.input_count = 8;
    TRY(cell_read(l, &plain, p, CELL_LSTM, &c));
    c.w_scale = input(n, 8);
    c.w_zero = input(n, 9);
    c.r_scale = input(n, 10);
    c.r_zero = input(n, 11);
    dim rows = (dim)c.gates * c.hidden;
    for (uint32_t i = 8; i < 12; i++)
        TRY(check_shape(l, n, i, input(n, i), (const dim[]){ c.directions, rows },
                        input(n, i)->rank == 1 ? 1 : 2));
    return recurrent_unroll(l, &plain, p, &c);
}

static o2w_status lower_gru(struct lower *l, const struct node_view *n, const void *params)
{
    const struct recurrent *p = params;
    struct webnn_u32s activations;
    struct cell c;
    bool direct;
    TRY(cell_read(l, n, p, CELL_GRU, &c));
    TRY(is_direct(l, p, &c, &activations, &direct));
    return direct ? direct_gru(l, n, p, &c, &activations) : recurrent_unroll(l, n, p, &c);
}

static o2w_status lower_rnn(struct lower *l, const struct node_view *n, const void *params)
{
    struct cell c;
    TRY(cell_read(l, n, params, CELL_RNN, &c));
    return recurrent_unroll(l, n, params, &c);
}

/* --- rows --------------------------------------------------------------------------------------------- */

#define RECURRENT_NOTE                                                                     \
    "clip, other activations, sequence lengths, coupled gates and an output peephole are " \
    "written out step by step, up to 2048 steps"
#define RECURRENT_INPUTS                                                                   \
    IN("X", T, SET_FLOATS), IN("W", T, SET_FLOATS), IN("R", T, SET_FLOATS),                \
        IN_OPT("B", T, SET_FLOATS), IN_OPT("sequence_lens", NONE, DTYPE_BIT(DTYPE_INT32)), \
        IN_OPT("initial_h", T, SET_FLOATS)
#define LSTM(from, to, attrs)                                                            \
    {                                                                                    \
        ONNX("LSTM", from, to),                                                          \
            INPUTS(RECURRENT_INPUTS, IN_OPT("initial_c", T, SET_FLOATS),                 \
                   IN_OPT("P", T, SET_FLOATS)),                                          \
            RESULTS(OUT_OPT("Y", T), OUT_OPT("Y_h", T), OUT_OPT("Y_c", T)),              \
            PARAMS(struct recurrent, attrs), .lower = lower_lstm, .class = CLASS_DIRECT, \
                                             .webnn = "lstm", .notes = RECURRENT_NOTE    \
    }
#define GRU(from, to, attrs)                                                                   \
    {                                                                                          \
        ONNX("GRU", from, to), INPUTS(RECURRENT_INPUTS),                                       \
            RESULTS(OUT_OPT("Y", T), OUT_OPT("Y_h", T)), PARAMS(struct recurrent, attrs),      \
            .lower = lower_gru, .class = CLASS_DIRECT, .webnn = "gru", .notes = RECURRENT_NOTE \
    }
#define RNN(from, to, attrs)                                                              \
    {                                                                                     \
        ONNX("RNN", from, to), INPUTS(RECURRENT_INPUTS),                                  \
            RESULTS(OUT_OPT("Y", T), OUT_OPT("Y_h", T)), PARAMS(struct recurrent, attrs), \
            .lower = lower_rnn, .class = CLASS_COMPOSED, .webnn = "matmul, add, tanh",    \
            .notes = "written out step by step, up to 2048 steps"                         \
    }

const struct onnx_row recurrent_rows[] = {
    LSTM(1, 6, lstm_1_attrs),
    LSTM(7, 13, lstm_7_attrs),
    LSTM(14, LATEST, lstm_14_attrs),
    GRU(1, 2, gru_1_attrs),
    GRU(3, 6, gru_3_attrs),
    GRU(7, 13, gru_7_attrs),
    GRU(14, LATEST, gru_14_attrs),
    RNN(1, 6, rnn_1_attrs),
    RNN(7, 13, rnn_7_attrs),
    RNN(14, LATEST, rnn_14_attrs),
    { MICROSOFT("DynamicQuantizeLSTM"),
      INPUTS(IN("X", T, DTYPE_BIT(DTYPE_FLOAT32)), IN("W", T2, SET_8), IN("R", T2, SET_8),
             IN_OPT("B", T, DTYPE_BIT(DTYPE_FLOAT32)),
             IN_OPT("sequence_lens", NONE, DTYPE_BIT(DTYPE_INT32)),
             IN_OPT("initial_h", T, DTYPE_BIT(DTYPE_FLOAT32)),
             IN_OPT("initial_c", T, DTYPE_BIT(DTYPE_FLOAT32)),
             IN_OPT("P", T, DTYPE_BIT(DTYPE_FLOAT32)), IN("W_scale", T, DTYPE_BIT(DTYPE_FLOAT32)),
             IN("W_zero_point", T2, SET_8), IN("R_scale", T, DTYPE_BIT(DTYPE_FLOAT32)),
             IN("R_zero_point", T2, SET_8)),
      RESULTS(OUT_OPT("Y", T), OUT_OPT("Y_h", T), OUT_OPT("Y_c", T)),
      PARAMS(struct recurrent, lstm_7_attrs), .lower = lower_dynamic_lstm, .class = CLASS_COMPOSED,
      .webnn = "quantizeLinear, dequantizeLinear, matmul, sigmoid, tanh",
      .notes = "written out step by step" },
};
ROW_COUNT(recurrent);
