/* What gru, lstm and their cells share. Everything is computed in float64 and rounded once, at the
 * results; but products with large float32 weights are those of matmul. */
#ifndef KERNELS_RECURRENT_H
#define KERNELS_RECURRENT_H

#include "kernels/internal.h"

/* `gates` blocks of `hidden` rows per direction; a cell is one step in one direction. */
struct recurrent {
    const struct kernel_call *call;
    int64_t steps, batch, input, hidden, directions, gates;
    bool reversed_only; /* the single direction runs backward */
    enum dtype dtype;
    const double *x;                   /* [steps][batch][input] */
    const void *weight, *recurrent;    /* [directions][gates * hidden][input or hidden] */
    double *bias, *recurrent_bias;     /* [directions][gates * hidden], zeros when absent */
    double *hidden_state, *cell_state; /* [directions][batch][hidden]; cell NULL for gru */
    double *projected; /* [steps][batch][gates * hidden], of the direction at work */
    double *recalled;  /* [batch][gates * hidden] */
    float *single;     /* operands and results of float32 products; NULL: of float64 */
    float *turned;     /* recurrent weights of the direction at work by columns, or NULL */
    double *sequence;  /* [steps][directions][batch][hidden] or NULL */
    enum webnn_activation activations[3];
};

/* Reads x (slot 0), weights (1, 2); slots of what is optional, or -1. Allocates the rest. */
struct recurrent_slots {
    int bias, recurrent_bias, hidden_state, cell_state;
};
o2w_status recurrent_begin(struct recurrent *r, const struct recurrent_slots *slots,
                           const struct webnn_u32s *activations, bool keeps_sequence);
/* Runs all directions; `step` advances the states of one step from projected and recalled. */
typedef void (*recurrent_step)(struct recurrent *r, int64_t direction, const double *projected);
void recurrent_run(struct recurrent *r, recurrent_step step);
/* to[b][row] = weights[row] · from[b] for rows first … first + count of one direction. */
void recurrent_recall(const struct recurrent *r, int64_t direction, int64_t first, int64_t count,
                      const double *from, double *to);
/* Rounds n values into result `index`. */
void recurrent_store(const struct recurrent *r, uint32_t index, const double *values, int64_t n);
/* A tensor as doubles in scratch; NULL when memory is out. */
double *recurrent_doubles(const struct kernel_call *call, const struct tensor *t);

double recurrent_activate(enum webnn_activation a, double x);

#endif
