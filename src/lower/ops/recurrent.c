/* Recurrent operators, in the forms that WebNN has: gates of sigmoid, tanh and relu, whole sequences. */
#include "lower/lower.h"

#include <ctype.h>
#include <string.h>

struct recurrent {
    struct span direction;
    struct given_int hidden_size;
    struct given_float clip;
    struct texts activations;
    struct floats activation_alpha, activation_beta;
    int64_t layout, input_forget, linear_before_reset, output_sequence;
};

#define RECURRENT_ATTRS                                                                          \
    ATTR_STRING(struct recurrent, direction, .fallback_text = "forward",                         \
                .allowed = "forward reverse bidirectional"),                                     \
        ATTR_GIVEN_INT(struct recurrent, hidden_size), ATTR_GIVEN_FLOAT(struct recurrent, clip), \
        ATTR_STRINGS(struct recurrent, activations),                                             \
        ATTR_FLOATS(struct recurrent, activation_alpha),                                         \
        ATTR_FLOATS(struct recurrent, activation_beta)

static const struct attr_row lstm_1_attrs[] = {
    RECURRENT_ATTRS,
    ATTR_INT(struct recurrent, input_forget, .allowed = "0 1"),
    ATTR_INT(struct recurrent, output_sequence, .allowed = "0 1"),
};
static const struct attr_row lstm_7_attrs[] = {
    RECURRENT_ATTRS, ATTR_INT(struct recurrent, input_forget, .allowed = "0 1")
};
static const struct attr_row lstm_14_attrs[] = {
    RECURRENT_ATTRS,
    ATTR_INT(struct recurrent, input_forget, .allowed = "0 1"),
    ATTR_INT(struct recurrent, layout, .allowed = "0 1"),
};
static const struct attr_row gru_1_attrs[] = {
    RECURRENT_ATTRS, ATTR_INT(struct recurrent, output_sequence, .allowed = "0 1")
};
static const struct attr_row gru_3_attrs[] = {
    RECURRENT_ATTRS,
    ATTR_INT(struct recurrent, linear_before_reset, .allowed = "0 1"),
    ATTR_INT(struct recurrent, output_sequence, .allowed = "0 1"),
};
static const struct attr_row gru_7_attrs[] = {
    RECURRENT_ATTRS, ATTR_INT(struct recurrent, linear_before_reset, .allowed = "0 1")
};
static const struct attr_row gru_14_attrs[] = {
    RECURRENT_ATTRS,
    ATTR_INT(struct recurrent, linear_before_reset, .allowed = "0 1"),
    ATTR_INT(struct recurrent, layout, .allowed = "0 1"),
};

/* The operands in WebNN's order, and what the attributes say in its words. */
struct cell {
    value x, w, r, bias, recurrent_bias, state_h, state_c, peephole;
    uint32_t steps, hidden, directions, direction;
    struct webnn_u32s activations;
};

static bool same_word(struct span word, const char *name)
{
    if (word.size != strlen(name))
        return false;
    for (size_t i = 0; i < word.size; i++)
        if (tolower(word.data[i]) != name[i])
            return false;
    return true;
}

static o2w_status read_activation(struct lower *l, const struct node_view *n, struct span word,
                                  uint32_t *out)
{
    static const struct {
        const char *name;
        uint32_t id;
    } known[] = { { "sigmoid", WEBNN_ACTIVATION_SIGMOID },
                  { "tanh", WEBNN_ACTIVATION_TANH },
                  { "relu", WEBNN_ACTIVATION_RELU } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (same_word(word, known[i].name)) {
            *out = known[i].id;
            return O2W_OK;
        }
    return refuse_attribute(l, n, "activations", "has '%.*s', supported are Sigmoid, Tanh and Relu",
                            SPAN_ARG(word));
}

/* `count` names per direction, equal in both. */
static o2w_status read_activations(struct lower *l, const struct node_view *n,
                                   const struct recurrent *p, uint32_t count, struct cell *c)
{
    if (p->activation_alpha.count || p->activation_beta.count)
        return refuse_attribute(l, n,
                                p->activation_alpha.count ? "activation_alpha" : "activation_beta",
                                "is given, WebNN's activations take none");
    c->activations = (struct webnn_u32s){ .given = false };
    if (!p->activations.given)
        return O2W_OK;
    if (p->activations.count != count * c->directions)
        return refuse_attribute(l, n, "activations", "has %u names, must have %u",
                                p->activations.count, count * c->directions);
    c->activations.given = true;
    c->activations.count = count;
    for (uint32_t i = 0; i < p->activations.count; i++) {
        uint32_t id = 0;
        TRY(read_activation(l, n, p->activations.items[i], &id));
        if (i >= count && c->activations.items[i - count] != id)
            return refuse_attribute(l, n, "activations", "differs between the directions");
        if (i < count)
            c->activations.items[i] = id;
    }
    return O2W_OK;
}

/* Only whole sequences: absent, or known to be as long as the input. */
static o2w_status check_lengths(struct lower *l, const struct node_view *n, uint32_t steps)
{
    struct ints lengths;
    TRY(known_ints(l, n, 4, &lengths));
    for (uint32_t i = 0; i < lengths.count; i++)
        if (lengths.items[i] != steps)
            return refuse_input(l, n, 4,
                                "is %lld at index %u, only whole sequences of %u are supported",
                                (long long)lengths.items[i], i, steps);
    return O2W_OK;
}

static o2w_status half_of_bias(struct lower *l, value bias, uint32_t half, uint32_t gates,
                               uint32_t hidden, value *out)
{
    *out = NULL;
    return bias ? slice(l, bias, 1, (int64_t)half * gates * hidden, (dim)gates * hidden, 1, out)
                : O2W_OK;
}

static o2w_status batch_second(struct lower *l, value x, value *out)
{
    static const uint32_t swap[] = { 1, 0, 2 };
    *out = x;
    return x ? transpose(l, x, swap, out) : O2W_OK;
}

static o2w_status check_shapes(struct lower *l, const struct node_view *n,
                               const struct recurrent *p, uint32_t gates, struct cell *c)
{
    if (c->x->rank != 3 || c->w->rank != 3 || c->r->rank != 3)
        return refuse(l, n, DIAG_LOWER_SHAPE, "X, W and R have ranks %u, %u and %u, must be 3",
                      c->x->rank, c->w->rank, c->r->rank);
    if (!dim_is_static(c->x->dims[0]) || c->x->dims[0] < 1 || !dim_is_static(c->r->dims[2]))
        return refuse_input(l, n, 0,
                            "needs a number of steps: give the dimension with --override-dim");
    c->steps = (uint32_t)c->x->dims[0];
    c->hidden = (uint32_t)c->r->dims[2];
    if (p->hidden_size.given && p->hidden_size.value != (int64_t)c->hidden)
        return refuse_attribute(l, n, "hidden_size", "is %lld, R has %u",
                                (long long)p->hidden_size.value, c->hidden);
    if (c->w->dims[0] != c->directions || c->w->dims[1] != (dim)gates * c->hidden)
        return refuse_input(l, n, 1, "has shape %s, must begin with [%u, %u]",
                            dim_list_text(lower_exprs(l), c->w->dims, 3, lower_arena(l)),
                            c->directions, gates * c->hidden);
    return O2W_OK;
}

static o2w_status read_cell(struct lower *l, const struct node_view *n, const struct recurrent *p,
                            uint32_t gates, uint32_t functions, struct cell *c)
{
    *c = (struct cell){
        .x = input(n, 0), .w = input(n, 1), .r = input(n, 2), .state_h = input(n, 5)
    };
    bool both = span_is(p->direction, "bidirectional");
    c->directions = both ? 2 : 1;
    c->direction = both                               ? WEBNN_DIRECTION_BOTH
                   : span_is(p->direction, "reverse") ? WEBNN_DIRECTION_BACKWARD
                                                      : WEBNN_DIRECTION_FORWARD;
    if (p->clip.given)
        return refuse_attribute(l, n, "clip", "is %g, WebNN's recurrent operators do not clip",
                                p->clip.value);
    if (p->layout) {
        TRY(batch_second(l, c->x, &c->x));
        TRY(batch_second(l, c->state_h, &c->state_h));
    }
    TRY(check_shapes(l, n, p, gates, c));
    TRY(read_activations(l, n, p, functions, c));
    TRY(check_lengths(l, n, c->steps));
    TRY(half_of_bias(l, input(n, 3), 0, gates, c->hidden, &c->bias));
    return half_of_bias(l, input(n, 3), 1, gates, c->hidden, &c->recurrent_bias);
}

/* Y [steps, directions, batch, hidden], or batch first. */
static o2w_status emit_sequence(struct lower *l, const struct node_view *n,
                                const struct recurrent *p, value y)
{
    static const uint32_t batch_first[] = { 2, 0, 1, 3 };
    if (p->layout)
        TRY(transpose(l, y, batch_first, &y));
    return emit_output(l, n, 0, y);
}

static o2w_status emit_state(struct lower *l, const struct node_view *n, const struct recurrent *p,
                             uint32_t i, value y)
{
    if (p->layout)
        TRY(batch_second(l, y, &y));
    return emit_output(l, n, i, y);
}

/* ONNX's output gate sees the new cell state, WebNN's the old one: equal only without its peephole. */
static o2w_status check_peephole(struct lower *l, const struct node_view *n, const struct cell *c)
{
    struct tensor t;
    if (!c->peephole)
        return O2W_OK;
    if (!value_is_known(c->peephole))
        return refuse_input(l, n, 7, "must be known, with zeros for the output gate");
    TRY(known_tensor(l, c->peephole, &t));
    for (uint32_t d = 0; d < c->directions; d++)
        for (uint32_t i = 0; i < c->hidden; i++)
            if (tensor_get_double(&t, (uint64_t)d * 3 * c->hidden + c->hidden + i) != 0)
                return refuse_input(
                    l, n, 7,
                    "has a peephole of the output gate, which WebNN's lstm defines differently");
    return O2W_OK;
}

static o2w_status lower_lstm(struct lower *l, const struct node_view *n, const void *params)
{
    const struct recurrent *p = params;
    struct webnn_lstm_attributes a = webnn_lstm_defaults();
    struct cell c;
    value out[3];
    if (p->input_forget)
        return refuse_attribute(l, n, "input_forget",
                                "is 1, WebNN's lstm does not couple the gates");
    TRY(read_cell(l, n, p, 4, 3, &c));
    c.state_c = input(n, 6);
    c.peephole = input(n, 7);
    if (p->layout)
        TRY(batch_second(l, c.state_c, &c.state_c));
    TRY(check_peephole(l, n, &c));
    a.steps = c.steps;
    a.hidden_size = c.hidden;
    a.direction = c.direction;
    if (c.activations.given)
        a.activations = c.activations;
    a.return_sequence = output_used(n, 0);
    TRY(op_list(l, WEBNN_LSTM,
                OPERANDS(c.x, c.w, c.r, c.bias, c.recurrent_bias, c.peephole, c.state_h, c.state_c),
                &a, out, a.return_sequence ? 3 : 2));
    if (a.return_sequence)
        TRY(emit_sequence(l, n, p, out[2]));
    TRY(emit_state(l, n, p, 1, out[0]));
    return emit_state(l, n, p, 2, out[1]);
}

static o2w_status lower_gru(struct lower *l, const struct node_view *n, const void *params)
{
    const struct recurrent *p = params;
    struct webnn_gru_attributes a = webnn_gru_defaults();
    struct cell c;
    value out[2];
    TRY(read_cell(l, n, p, 3, 2, &c));
    a.steps = c.steps;
    a.hidden_size = c.hidden;
    a.direction = c.direction;
    a.reset_after = p->linear_before_reset != 0;
    if (c.activations.given)
        a.activations = c.activations;
    a.return_sequence = output_used(n, 0);
    TRY(op_list(l, WEBNN_GRU, OPERANDS(c.x, c.w, c.r, c.bias, c.recurrent_bias, c.state_h), &a, out,
                a.return_sequence ? 2 : 1));
    if (a.return_sequence)
        TRY(emit_sequence(l, n, p, out[1]));
    return emit_state(l, n, p, 1, out[0]);
}

#define LENGTHS IN_OPT("sequence_lens", NONE, DTYPE_BIT(DTYPE_INT32), KNOWN)
#define LSTM(from, to, attrs)                                                                   \
    {                                                                                           \
        ONNX("LSTM", from, to),                                                                 \
            INPUTS(IN("X", T, SET_FLOATS), IN("W", T, SET_FLOATS), IN("R", T, SET_FLOATS),      \
                   IN_OPT("B", T, SET_FLOATS), LENGTHS, IN_OPT("initial_h", T, SET_FLOATS),     \
                   IN_OPT("initial_c", T, SET_FLOATS), IN_OPT("P", T, SET_FLOATS)),             \
            RESULTS(OUT_OPT("Y", T), OUT_OPT("Y_h", T), OUT_OPT("Y_c", T)),                     \
            PARAMS(struct recurrent, attrs),                                                    \
            .lower = lower_lstm, .class = CLASS_DIRECT, .partial = true, .webnn = "lstm",       \
            .notes =                                                                            \
                "clip, input_forget, other activations, sequence_lens, output peephole refused" \
    }
#define GRU(from, to, attrs)                                                                 \
    {                                                                                        \
        ONNX("GRU", from, to),                                                               \
            INPUTS(IN("X", T, SET_FLOATS), IN("W", T, SET_FLOATS), IN("R", T, SET_FLOATS),   \
                   IN_OPT("B", T, SET_FLOATS), LENGTHS, IN_OPT("initial_h", T, SET_FLOATS)), \
            RESULTS(OUT_OPT("Y", T), OUT_OPT("Y_h", T)), PARAMS(struct recurrent, attrs),    \
            .lower = lower_gru, .class = CLASS_DIRECT, .partial = true, .webnn = "gru",      \
            .notes = "clip, other activations, sequence_lens refused"                        \
    }

const struct onnx_row recurrent_rows[] = {
    LSTM(1, 6, lstm_1_attrs),      LSTM(7, 13, lstm_7_attrs), LSTM(14, LATEST, lstm_14_attrs),
    GRU(1, 2, gru_1_attrs),        GRU(3, 6, gru_3_attrs),    GRU(7, 13, gru_7_attrs),
    GRU(14, LATEST, gru_14_attrs),
};
ROW_COUNT(recurrent);
