/* Recurrent operators: what their attributes and inputs say, before a form is chosen. */
#ifndef LOWER_OPS_RECURRENT_H
#define LOWER_OPS_RECURRENT_H

#include "lower/helpers.h"

struct recurrent {
    struct span direction;
    struct given_int hidden_size;
    struct given_float clip;
    struct texts activations;
    struct floats activation_alpha, activation_beta;
    int64_t layout, input_forget, linear_before_reset, output_sequence;
};

enum cell_kind { CELL_RNN, CELL_GRU, CELL_LSTM };

enum function_kind {
    FUNCTION_SIGMOID,
    FUNCTION_TANH,
    FUNCTION_RELU,
    FUNCTION_AFFINE,
    FUNCTION_LEAKY_RELU,
    FUNCTION_THRESHOLDED_RELU,
    FUNCTION_SCALED_TANH,
    FUNCTION_HARD_SIGMOID,
    FUNCTION_ELU,
    FUNCTION_SOFTSIGN,
    FUNCTION_SOFTPLUS
};

struct function {
    enum function_kind kind;
    double alpha, beta;
};

enum { MAX_FUNCTIONS = 3 };

struct cell {
    enum cell_kind kind;
    uint32_t gates, functions; /* per direction: rows of W in units of hidden, activations */
    uint32_t steps, hidden, directions;
    bool reverse; /* of one direction */
    dim batch;
    value x;                /* [steps, batch, input] */
    value w, r, bias;       /* as given; bias may be NULL */
    value state_h, state_c; /* [directions, batch, hidden] or NULL */
    value peephole;         /* [directions, 3 · hidden] or NULL */
    value lengths;          /* int32 [batch]; NULL: every sequence has all steps */
    struct function function[2][MAX_FUNCTIONS];
    value w_scale, w_zero, r_scale, r_zero; /* of 8-bit weights, [directions] or [directions, rows];
                                               NULL: the weights are floats */
};

/* Reads and checks attributes and inputs. */
o2w_status cell_read(struct lower *l, const struct node_view *n, const struct recurrent *p,
                     enum cell_kind kind, struct cell *c);
/* Names, alpha and beta of all directions. */
o2w_status functions_read(struct lower *l, const struct node_view *n, const struct recurrent *p,
                          struct cell *c);
value function_apply(struct calc *c, const struct function *f, value x);

/* Y [steps, directions, batch, hidden] and the states [directions, batch, hidden] as outputs. */
o2w_status emit_sequence(struct lower *l, const struct node_view *n, const struct recurrent *p,
                         value y);
o2w_status emit_state(struct lower *l, const struct node_view *n, const struct recurrent *p,
                      uint32_t i, value y);

/* H16: the cell written out for every step. */
o2w_status recurrent_unroll(struct lower *l, const struct node_view *n, const struct recurrent *p,
                            const struct cell *c);

#endif
