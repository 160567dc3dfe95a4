/* Activations. */
#include "lower/ops/elementwise.h"

static bool is_unsigned(value x)
{
    return dtype_is_integer(x->dtype) && !dtype_is_signed(x->dtype);
}

o2w_status lower_leaky_relu(struct lower *l, const struct node_view *n, const void *params)
{
    const struct alpha_params *p = params;
    return emit(l, n, WEBNN_LEAKY_RELU, OPERANDS(input(n, 0)),
                &(struct webnn_leaky_relu_attributes){ .alpha = p->alpha });
}

o2w_status lower_elu(struct lower *l, const struct node_view *n, const void *params)
{
    const struct alpha_params *p = params;
    return emit(l, n, WEBNN_ELU, OPERANDS(input(n, 0)),
                &(struct webnn_elu_attributes){ .alpha = p->alpha });
}

/* max(0, x) + min(0, α · expm1(x / α)); elu has the expm1 of what is negative. */
o2w_status lower_celu(struct lower *l, const struct node_view *n, const void *params)
{
    const struct alpha_params *p = params;
    value x = input(n, 0), e = NULL;
    struct calc c = calc_begin(l, x);
    if (p->alpha == 0)
        return refuse_attribute(l, n, "alpha", "is 0, any other number is allowed");
    if (p->alpha == 1)
        return emit(l, n, WEBNN_ELU, OPERANDS(x), NULL);
    value alpha = calc_number(&c, p->alpha), zero = calc_number(&c, 0);
    value ratio = calc_div(&c, x, alpha);
    e = p->alpha > 0 ? calc_op(&c, WEBNN_ELU, ratio, NULL, NULL) : calc_expm1(&c, ratio);
    value low = calc_min(&c, zero, calc_mul(&c, alpha, e));
    value y = calc_add(&c, calc_max(&c, zero, x), low);
    TRY(c.status);
    return emit_value(l, n, y);
}

/* gamma · elu(x, alpha) */
o2w_status lower_selu(struct lower *l, const struct node_view *n, const void *params)
{
    const struct selu_params *p = params;
    value y;
    TRY(widen(l, input(n, 0), &y));
    struct calc c = calc_begin(l, y);
    TRY(op(l, WEBNN_ELU, OPERANDS(y), &(struct webnn_elu_attributes){ .alpha = p->alpha }, &y));
    y = calc_mul(&c, calc_number(&c, p->gamma), y);
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

o2w_status lower_thresholded_relu(struct lower *l, const struct node_view *n, const void *params)
{
    const struct alpha_params *p = params;
    value x = input(n, 0);
    struct calc c = calc_begin(l, x);
    value above = calc_greater(&c, x, calc_number(&c, p->alpha));
    value y = calc_where(&c, above, x, calc_number(&c, 0));
    TRY(c.status);
    return emit_value(l, n, y);
}

o2w_status lower_hard_sigmoid(struct lower *l, const struct node_view *n, const void *params)
{
    const struct hard_sigmoid_params *p = params;
    struct webnn_hard_sigmoid_attributes a = { .alpha = p->alpha, .beta = p->beta };
    return emit(l, n, WEBNN_HARD_SIGMOID, OPERANDS(input(n, 0)), &a);
}

/* tanh: x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³))) */
o2w_status lower_gelu(struct lower *l, const struct node_view *n, const void *params)
{
    const struct gelu_params *p = params;
    value x;
    if (span_is(p->approximate, "none"))
        return emit(l, n, WEBNN_GELU, OPERANDS(input(n, 0)), NULL);
    TRY(widen(l, input(n, 0), &x));
    struct calc c = calc_begin(l, x);
    value cube = calc_mul(&c, calc_mul(&c, calc_mul(&c, x, x), x), calc_number(&c, 0.044715));
    value inner = calc_mul(&c, calc_number(&c, 0.7978845608028654), calc_add(&c, x, cube));
    value gate = calc_add(&c, calc_number(&c, 1), calc_tanh(&c, inner));
    value y = calc_mul(&c, calc_mul(&c, calc_number(&c, 0.5), x), gate);
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

/* x · tanh(softplus x) */
o2w_status lower_mish(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value x;
    TRY(widen(l, input(n, 0), &x));
    struct calc c = calc_begin(l, x);
    value y = calc_mul(&c, x, calc_tanh(&c, calc_softplus(&c, x)));
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

/* x · sigmoid(α x) */
o2w_status lower_swish(struct lower *l, const struct node_view *n, const void *params)
{
    const struct alpha_params *p = params;
    value x;
    TRY(widen(l, input(n, 0), &x));
    struct calc c = calc_begin(l, x);
    value inner = p->alpha == 1 ? x : calc_mul(&c, calc_number(&c, p->alpha), x);
    value y = calc_mul(&c, x, calc_sigmoid(&c, inner));
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

/* The slope fits x from its last axis on. */
static o2w_status check_slope(struct lower *l, const struct node_view *n, value x, value slope)
{
    bool fits = slope->rank <= x->rank;
    for (uint32_t i = 0; fits && i < slope->rank; i++) {
        dim d = slope->dims[slope->rank - 1 - i];
        fits = d == 1 || dim_compare(lower_exprs(l), d, x->dims[x->rank - 1 - i]) != EXPR_DIFFERENT;
    }
    if (fits)
        return O2W_OK;
    return refuse_input(l, n, 1, "has shape %s, which does not spread over %s",
                        dim_list_text(lower_exprs(l), slope->dims, slope->rank, lower_arena(l)),
                        dim_list_text(lower_exprs(l), x->dims, x->rank, lower_arena(l)));
}

static o2w_status emit_prelu(struct lower *l, const struct node_view *n, value slope)
{
    value x = input(n, 0);
    TRY(check_slope(l, n, x, slope));
    if (is_unsigned(x))
        return emit_value(l, n, x);
    return emit(l, n, WEBNN_PRELU, OPERANDS(x, slope), NULL);
}

o2w_status lower_prelu(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return emit_prelu(l, n, input(n, 1));
}

/* Below 7 the slope is one number, or one per channel. */
o2w_status lower_prelu_legacy(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value x = input(n, 0), slope = input(n, 1);
    if (slope->rank == 1 && slope->dims[0] != 1 && x->rank > 2) {
        dim dims[MAX_RANK];
        for (uint32_t i = 1; i + 1 < x->rank; i++)
            dims[i] = 1;
        dims[0] = slope->dims[0];
        TRY(reshape(l, slope, dims, x->rank - 1, &slope));
    }
    return emit_prelu(l, n, slope);
}
