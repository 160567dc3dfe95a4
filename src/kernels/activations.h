/* One-operand loops over transcendental functions. */
#ifndef KERNELS_ACTIVATIONS_H
#define KERNELS_ACTIVATIONS_H

struct unary_loops;

extern const struct unary_loops exp_loops, log_loops, sin_loops, cos_loops, tan_loops, tanh_loops,
    erf_loops, sigmoid_loops, softplus_loops, gelu_loops, elu_loops;

#endif
