/* Lowerings of the elementwise family that stand in files of their own. */
#ifndef LOWER_OPS_ELEMENTWISE_H
#define LOWER_OPS_ELEMENTWISE_H

#include "lower/helpers.h"

typedef o2w_status lowering_function(struct lower *l, const struct node_view *n,
                                     const void *params);

/* elementwise_activations.c */
struct alpha_params {
    double alpha;
};
struct selu_params {
    double alpha, gamma;
};
struct hard_sigmoid_params {
    double alpha, beta;
};
struct gelu_params {
    struct span approximate;
};
lowering_function lower_leaky_relu, lower_elu, lower_celu, lower_selu, lower_thresholded_relu,
    lower_hard_sigmoid, lower_gelu, lower_mish, lower_swish, lower_prelu, lower_prelu_legacy;

/* elementwise_functions.c */
lowering_function lower_acos, lower_acosh, lower_asin, lower_asinh, lower_atan, lower_atanh,
    lower_cosh, lower_sinh;

/* elementwise_integers.c */
struct mod_params {
    int64_t fmod;
};
struct shrink_params {
    double bias, lambd;
};
struct shift_params {
    struct span direction;
};
lowering_function lower_pow, lower_pow_legacy, lower_mod, evaluate_mod, lower_shrink,
    lower_bit_shift, lower_bitwise, lower_bitwise_not;

#endif
