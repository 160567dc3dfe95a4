/* com.microsoft: activations that are fused into other operators, and gates. */
#ifndef LOWER_OPS_MICROSOFT_ACTIVATION_H
#define LOWER_OPS_MICROSOFT_ACTIVATION_H

#include "lower/helpers.h"

/* The name of an activation and its parameters, in the order of the function. */
struct ms_activation {
    struct span name; /* empty: none */
    const double *numbers;
    uint32_t count;
    const char *attribute, *numbers_attribute; /* for messages */
};
/* x through the activation, in the dtype of x. Refuses what it does not know, and numbers that are
 * missing or too many. */
o2w_status ms_activate(struct lower *l, const struct node_view *n, const struct ms_activation *a,
                       value x, value *out);

/* G · sigmoid(alpha · G) · (L + beta), G = min(gate, limit), L = up within ±limit. */
struct ms_swiglu {
    double alpha, beta;
    bool limited;
    double limit;
    bool limit_activated; /* the product G · sigmoid … is limited instead of G */
};
/* gate · sigmoid(alpha · gate), limited as above … */
value ms_gate(struct calc *c, const struct ms_swiglu *p, value gate);
/* … and what it is multiplied with. */
value ms_linear_part(struct calc *c, const struct ms_swiglu *p, value up);
/* 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x³))) */
value ms_fast_gelu(struct calc *c, value x);

#endif
