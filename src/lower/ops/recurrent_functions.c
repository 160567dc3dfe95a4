/* Activations of recurrent cells. */
#include "lower/ops/recurrent.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Names in lower case; NaN: the function has no such parameter; infinity: it must be given. */
static const struct known_function {
    const char *name;
    double alpha, beta;
} functions[] = {
    [FUNCTION_SIGMOID] = { "sigmoid", (double)NAN, (double)NAN },
    [FUNCTION_TANH] = { "tanh", (double)NAN, (double)NAN },
    [FUNCTION_RELU] = { "relu", (double)NAN, (double)NAN },
    [FUNCTION_AFFINE] = { "affine", (double)INFINITY, (double)INFINITY },
    [FUNCTION_LEAKY_RELU] = { "leakyrelu", 0.01, (double)NAN },
    [FUNCTION_THRESHOLDED_RELU] = { "thresholdedrelu", 1, (double)NAN },
    [FUNCTION_SCALED_TANH] = { "scaledtanh", (double)INFINITY, (double)INFINITY },
    [FUNCTION_HARD_SIGMOID] = { "hardsigmoid", 0.2, 0.5 },
    [FUNCTION_ELU] = { "elu", 1, (double)NAN },
    [FUNCTION_SOFTSIGN] = { "softsign", (double)NAN, (double)NAN },
    [FUNCTION_SOFTPLUS] = { "softplus", (double)NAN, (double)NAN },
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

/* The parameters are consumed in order by those functions that take one. */
static o2w_status take(struct lower *l, const struct node_view *n, const char *attribute,
                       const struct floats *given, uint32_t *next, double fallback,
                       struct span name, double *out)
{
    *out = fallback;
    if (isnan(fallback))
        return O2W_OK;
    if (*next < given->count)
        *out = (double)given->items[(*next)++];
    else if (isinf(fallback))
        return refuse_attribute(l, n, attribute, "is missing for '%.*s'", SPAN_ARG(name));
    return O2W_OK;
}

static o2w_status find_function(struct lower *l, const struct node_view *n, struct span name,
                                struct function *f)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (same_word(name, functions[i].name)) {
            f->kind = (enum function_kind)i;
            return O2W_OK;
        }
    return refuse_attribute(l, n, "activations",
                            "has '%.*s', known are Sigmoid, Tanh, Relu, Affine, LeakyRelu, "
                            "ThresholdedRelu, ScaledTanh, HardSigmoid, Elu, Softsign, Softplus",
                            SPAN_ARG(name));
}

o2w_status functions_read(struct lower *l, const struct node_view *n, const struct recurrent *p,
                          struct cell *c)
{
    static const struct function fallback[] = { { .kind = FUNCTION_SIGMOID },
                                                { .kind = FUNCTION_TANH },
                                                { .kind = FUNCTION_TANH } };
    uint32_t alpha = 0, beta = 0, count = c->functions * c->directions;
    for (uint32_t i = 0; i < count; i++)
        c->function[i / c->functions][i % c->functions] =
            fallback[c->kind == CELL_RNN ? 1 : i % c->functions];
    if (p->activations.given && p->activations.count != count &&
        !(c->kind == CELL_RNN && p->activations.count == 2))
        return refuse_attribute(l, n, "activations", "has %u names, must have %u",
                                p->activations.count, count);
    for (uint32_t i = 0; p->activations.given && i < count; i++) {
        struct span name = p->activations.items[i];
        struct function *f = &c->function[i / c->functions][i % c->functions];
        TRY(find_function(l, n, name, f));
        TRY(take(l, n, "activation_alpha", &p->activation_alpha, &alpha, functions[f->kind].alpha,
                 name, &f->alpha));
        TRY(take(l, n, "activation_beta", &p->activation_beta, &beta, functions[f->kind].beta, name,
                 &f->beta));
    }
    if (alpha < p->activation_alpha.count || beta < p->activation_beta.count)
        return refuse_attribute(
            l, n, alpha < p->activation_alpha.count ? "activation_alpha" : "activation_beta",
            "has more values than its activations take");
    return O2W_OK;
}

static value with_attributes(struct calc *c, enum webnn_operator kind, value x,
                             const void *attributes)
{
    value y = NULL;
    if (c->status == O2W_OK)
        c->status = op(c->l, kind, OPERANDS(x), attributes, &y);
    return c->status == O2W_OK ? y : NULL;
}

static value linear(struct calc *c, value x, double alpha, double beta)
{
    struct webnn_linear_attributes a = { .alpha = alpha, .beta = beta };
    return with_attributes(c, WEBNN_LINEAR, x, &a);
}

value function_apply(struct calc *c, const struct function *f, value x)
{
    switch (f->kind) {
    case FUNCTION_SIGMOID: return calc_sigmoid(c, x);
    case FUNCTION_TANH: return calc_tanh(c, x);
    case FUNCTION_RELU: return calc_op(c, WEBNN_RELU, x, NULL, NULL);
    case FUNCTION_AFFINE: return linear(c, x, f->alpha, f->beta);
    case FUNCTION_LEAKY_RELU:
        return with_attributes(c, WEBNN_LEAKY_RELU, x,
                               &(struct webnn_leaky_relu_attributes){ .alpha = f->alpha });
    case FUNCTION_THRESHOLDED_RELU:
        return calc_where(c, calc_greater(c, x, calc_number(c, f->alpha)), x, calc_number(c, 0));
    case FUNCTION_SCALED_TANH:
        return linear(c, calc_tanh(c, linear(c, x, f->beta, 0)), f->alpha, 0);
    case FUNCTION_HARD_SIGMOID:
        return with_attributes(
            c, WEBNN_HARD_SIGMOID, x,
            &(struct webnn_hard_sigmoid_attributes){ .alpha = f->alpha, .beta = f->beta });
    case FUNCTION_ELU:
        return with_attributes(c, WEBNN_ELU, x,
                               &(struct webnn_elu_attributes){ .alpha = f->alpha });
    case FUNCTION_SOFTSIGN: return calc_op(c, WEBNN_SOFTSIGN, x, NULL, NULL);
    case FUNCTION_SOFTPLUS: return calc_softplus(c, x);
    }
    return NULL;
}
