/* com.microsoft: activations inside of other operators, gates. */
#include "lower/ops/microsoft_activation.h"

#include "lower/ops/recurrent.h"

/* --- by name ------------------------------------------------------------------------------------------ */

enum { CLIP = -1, SELU = -2 };

static const struct known {
    const char *name;
    int kind; /* of function_kind, or one of the above */
    uint32_t numbers;
} known[] = {
    { "Relu", FUNCTION_RELU, 0 },
    { "Tanh", FUNCTION_TANH, 0 },
    { "Sigmoid", FUNCTION_SIGMOID, 0 },
    { "Softplus", FUNCTION_SOFTPLUS, 0 },
    { "Softsign", FUNCTION_SOFTSIGN, 0 },
    { "LeakyRelu", FUNCTION_LEAKY_RELU, 1 },
    { "ThresholdedRelu", FUNCTION_THRESHOLDED_RELU, 1 },
    { "Elu", FUNCTION_ELU, 1 },
    { "HardSigmoid", FUNCTION_HARD_SIGMOID, 2 },
    { "ScaledTanh", FUNCTION_SCALED_TANH, 2 },
    { "Clip", CLIP, 2 },
    { "Selu", SELU, 2 },
};

static const struct known *find(struct span name)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (span_is(name, known[i].name))
            return &known[i];
    return NULL;
}

static o2w_status clip(struct lower *l, value x, double low, double high, value *out)
{
    struct webnn_clamp_attributes a = webnn_clamp_defaults();
    a.min_value = (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE, .d = low };
    a.max_value = (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE, .d = high };
    return op(l, WEBNN_CLAMP, OPERANDS(x), &a, out);
}

/* gamma · elu(x, alpha) */
static o2w_status selu(struct lower *l, value x, double alpha, double gamma, value *out)
{
    struct calc c = calc_begin(l, x);
    TRY(op(l, WEBNN_ELU, OPERANDS(x), &(struct webnn_elu_attributes){ .alpha = alpha }, &x));
    *out = calc_mul(&c, x, calc_number(&c, gamma));
    return c.status;
}

o2w_status ms_activate(struct lower *l, const struct node_view *n, const struct ms_activation *a,
                       value x, value *out)
{
    *out = x;
    if (a->name.size == 0)
        return O2W_OK;
    const struct known *k = find(a->name);
    if (!k)
        return refuse_attribute(l, n, a->attribute,
                                "is '%.*s', known are Relu, Tanh, Sigmoid, Softplus, Softsign, "
                                "LeakyRelu, ThresholdedRelu, Elu, HardSigmoid, ScaledTanh, Clip, "
                                "Selu",
                                SPAN_ARG(a->name));
    if (a->count != k->numbers)
        return refuse_attribute(l, n, a->numbers_attribute, "has %u numbers, '%s' takes %u",
                                a->count, k->name, k->numbers);
    if (k->kind == CLIP)
        return clip(l, x, a->numbers[0], a->numbers[1], out);
    if (k->kind == SELU)
        return selu(l, x, a->numbers[0], a->numbers[1], out);
    struct function f = { .kind = (enum function_kind)k->kind };
    f.alpha = k->numbers > 0 ? a->numbers[0] : 0;
    f.beta = k->numbers > 1 ? a->numbers[1] : 0;
    struct calc c = calc_begin(l, x);
    *out = function_apply(&c, &f, x);
    return c.status;
}

/* --- gates -------------------------------------------------------------------------------------------- */

value ms_gate(struct calc *c, const struct ms_swiglu *p, value gate)
{
    value limit = p->limited ? calc_number(c, p->limit) : NULL;
    if (limit && !p->limit_activated)
        gate = calc_min(c, gate, limit);
    value inner = p->alpha == 1 ? gate : calc_mul(c, gate, calc_number(c, p->alpha));
    value y = calc_mul(c, gate, calc_sigmoid(c, inner));
    return limit && p->limit_activated ? calc_min(c, y, limit) : y;
}

value ms_linear_part(struct calc *c, const struct ms_swiglu *p, value up)
{
    if (p->limited)
        up = calc_max(c, calc_min(c, up, calc_number(c, p->limit)), calc_number(c, -p->limit));
    return p->beta == 0 ? up : calc_add(c, up, calc_number(c, p->beta));
}

value ms_fast_gelu(struct calc *c, value x)
{
    value cube = calc_mul(c, calc_mul(c, x, x), x);
    value inner = calc_add(c, x, calc_mul(c, cube, calc_number(c, 0.044715)));
    value turned = calc_tanh(c, calc_mul(c, inner, calc_number(c, 0.7978845608028654)));
    return calc_mul(c, calc_mul(c, x, calc_number(c, 0.5)), calc_add(c, turned, calc_number(c, 1)));
}

/* --- SwiGLU, ScaledSiLU, GatedAdd ----------------------------------------------------------------------- */

struct swiglu {
    double limit, activation_alpha, activation_beta;
    int64_t round_activation;
};

static const struct attr_row swiglu_attrs[] = {
    ATTR_FLOAT(struct swiglu, limit, .fallback_float = 0),
    ATTR_FLOAT(struct swiglu, activation_alpha, .fallback_float = 1),
    ATTR_FLOAT(struct swiglu, activation_beta, .fallback_float = 0),
    ATTR_INT(struct swiglu, round_activation),
};

/* Rounded to the dtype of the node, and on in float32. */
static value rounded(struct calc *c, enum dtype dtype, value x)
{
    value narrow = NULL;
    if (c->status == O2W_OK)
        c->status = cast(c->l, x, dtype, &narrow);
    if (c->status == O2W_OK)
        c->status = widen(c->l, narrow, &narrow);
    return narrow;
}

static o2w_status gate_and_up(struct lower *l, const struct node_view *n, value *gate, value *up)
{
    value x = input(n, 0);
    int64_t size;
    TRY(widen(l, x, gate));
    if (input(n, 1))
        return widen(l, input(n, 1), up);
    if (x->rank == 0)
        return refuse_input(l, n, 0, "is a scalar, it must hold two halves");
    TRY(static_dim(l, n, x, x->rank - 1, &size));
    if (size % 2)
        return refuse_input(l, n, 0, "has %lld columns, an even number is needed", (long long)size);
    x = *gate;
    TRY(slice(l, x, x->rank - 1, 0, size / 2, 1, gate));
    return slice(l, x, x->rank - 1, size / 2, size / 2, 1, up);
}

static o2w_status lower_swiglu(struct lower *l, const struct node_view *n, const void *params)
{
    const struct swiglu *p = params;
    const struct ms_swiglu s = { .alpha = p->activation_alpha,
                                 .beta = p->activation_beta,
                                 .limited = p->limit > 0,
                                 .limit = p->limit };
    value gate, up;
    TRY(gate_and_up(l, n, &gate, &up));
    struct calc c = calc_begin(l, gate);
    value y = ms_gate(&c, &s, gate);
    if (p->round_activation)
        y = rounded(&c, input(n, 0)->dtype, y);
    y = calc_mul(&c, y, ms_linear_part(&c, &s, up));
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

struct scaled_silu {
    double alpha;
};

static const struct attr_row scaled_silu_attrs[] = { ATTR_FLOAT(struct scaled_silu, alpha,
                                                                .fallback_float = 1) };

/* z = scale · x, y = z · sigmoid(z), each step rounded to the dtype. */
static o2w_status lower_scaled_silu(struct lower *l, const struct node_view *n, const void *params)
{
    const struct scaled_silu *p = params;
    enum dtype dtype = input(n, 0)->dtype;
    value x, scale = input(n, 1);
    uint64_t count;
    TRY(widen(l, input(n, 0), &x));
    struct calc c = calc_begin(l, x);
    if (scale) {
        if (!value_count(scale, &count) || count != 1)
            return refuse_input(l, n, 1, "has rank %u and more than one element", scale->rank);
        TRY(reshape(l, scale, NULL, 0, &scale));
        TRY(cast(l, scale, DTYPE_FLOAT32, &scale));
    } else {
        scale = calc_number(&c, p->alpha);
    }
    value z = rounded(&c, dtype, calc_mul(&c, x, scale));
    value s = rounded(&c, dtype, calc_sigmoid(&c, z));
    value y = calc_mul(&c, z, s);
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

/* x + y · gate, where the product is rounded to the dtype. */
static o2w_status lower_gated_add(struct lower *l, const struct node_view *n, const void *params)
{
    value product;
    (void)params;
    if (input(n, 3))
        return refuse_input(l, n, 3,
                            "is given: a projected gate rounds to bfloat16 in steps that WebNN "
                            "has not; export the projection as operators of its own");
    TRY(op2(l, WEBNN_MUL, input(n, 1), input(n, 2), &product));
    return emit(l, n, WEBNN_ADD, OPERANDS(input(n, 0), product), NULL);
}

#define SET_T (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_BFLOAT16))

const struct onnx_row microsoft_activation_rows[] = {
    { MICROSOFT("SwiGLU"), INPUTS(IN("gate", T, SET_T), IN_OPT("up", T, SET_T)),
      RESULTS(OUT("output", T)), PARAMS(struct swiglu, swiglu_attrs), .lower = lower_swiglu,
      .class = CLASS_COMPOSED, .webnn = "min, max, mul, sigmoid" },
    { MICROSOFT("ScaledSiLU"), INPUTS(IN("X", T, SET_T), IN_OPT("scale", NONE, SET_T)),
      RESULTS(OUT("Y", T)), PARAMS(struct scaled_silu, scaled_silu_attrs),
      .lower = lower_scaled_silu, .class = CLASS_COMPOSED, .webnn = "mul, sigmoid" },
    { MICROSOFT("GatedAdd"),
      INPUTS(IN("X", T, SET_T), IN("Y", T, SET_T), IN("gate", T, SET_T),
             IN_OPT("gate_weight", T, SET_T)),
      RESULTS(OUT("output", T)), .lower = lower_gated_add, .class = CLASS_COMPOSED, .partial = true,
      .webnn = "mul, add", .notes = "gate_weight refused" },
};
ROW_COUNT(microsoft_activation);
