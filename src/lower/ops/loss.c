/* Losses over classes. */
#include "lower/helpers.h"

struct loss {
    struct given_int ignore_index;
    struct span reduction;
};

static const struct attr_row loss_attrs[] = {
    ATTR_GIVEN_INT(struct loss, ignore_index),
    ATTR_STRING(struct loss, reduction, .fallback_text = "mean", .allowed = "none sum mean"),
};

/* What a target picks: its weight, and whether it counts (NULL: every one does). */
struct picked {
    value index, counts, weight;
};

static o2w_status check_classes(struct lower *l, const struct node_view *n, value x, value target,
                                value weight)
{
    if (x->rank < 2 || target->rank != x->rank - 1)
        return refuse(
            l, n, DIAG_LOWER_SHAPE,
            "scores have rank %u, targets rank %u: one less is needed, and classes on axis 1",
            x->rank, target->rank);
    if (weight && weight->rank != 1)
        return refuse_input(l, n, 2, "has rank %u, one weight per class is needed", weight->rank);
    return O2W_OK;
}

/* Ignored targets point at class 0, whose value is masked. */
static void pick(struct calc *c, const struct loss *p, value target, value weight,
                 struct picked *out)
{
    struct calc integers = { .l = c->l, .dtype = target->dtype, .status = c->status };
    struct webnn_gather_attributes rows = { .axis = 0 };
    *out = (struct picked){ .index = target };
    if (p->ignore_index.given) {
        value ignored = calc_number(&integers, (double)p->ignore_index.value);
        out->counts = calc_not_equal(&integers, target, ignored);
        out->index = calc_where(&integers, out->counts, target, calc_number(&integers, 0));
    }
    c->status = integers.status;
    if (weight && c->status == O2W_OK)
        c->status = op(c->l, WEBNN_GATHER, OPERANDS(weight, out->index), &rows, &out->weight);
}

static value sum_all(struct calc *c, value x)
{
    struct webnn_reduce_attributes r = webnn_reduce_sum_defaults();
    value y = NULL;
    if (c->status == O2W_OK)
        c->status = op(c->l, WEBNN_REDUCE_SUM, OPERANDS(x), &r, &y);
    return y;
}

/* -log_probability of the target's class, weighted; ignored ones are 0. */
static value losses(struct calc *c, value log_probability, const struct picked *at)
{
    struct webnn_gather_elements_attributes classes = { .axis = 1 };
    uint32_t axis = 1;
    value index = NULL, y = NULL;
    if (c->status == O2W_OK)
        c->status = unsqueeze(c->l, at->index, &axis, 1, &index);
    if (c->status == O2W_OK)
        c->status = op(c->l, WEBNN_GATHER_ELEMENTS, OPERANDS(log_probability, index), &classes, &y);
    if (c->status == O2W_OK)
        c->status = squeeze(c->l, y, &axis, 1, &y);
    y = calc_neg(c, y);
    if (at->weight)
        y = calc_mul(c, y, at->weight);
    return at->counts ? calc_where(c, at->counts, y, calc_number(c, 0)) : y;
}

/* The weights that a mean divides by. */
static value weights(struct calc *c, const struct picked *at, value loss)
{
    value ones = at->weight ? at->weight : calc_number(c, 1);
    if (at->counts)
        ones = calc_where(c, at->counts, ones, calc_number(c, 0));
    if (c->status == O2W_OK && ones->rank != loss->rank)
        c->status = expand(c->l, ones, loss->dims, loss->rank, &ones);
    return ones;
}

static value reduce(struct calc *c, const struct loss *p, const struct picked *at, value loss)
{
    if (span_is(p->reduction, "none"))
        return loss;
    value total = sum_all(c, loss);
    bool nothing = c->status == O2W_OK && value_is_empty(loss) && !at->weight && !at->counts;
    if (span_is(p->reduction, "sum") || nothing)
        return total; /* of nothing: 0, the plain mean too */
    return calc_div(c, total, sum_all(c, weights(c, at, loss)));
}

static o2w_status lower_negative_log_likelihood(struct lower *l, const struct node_view *n,
                                                const void *params)
{
    const struct loss *p = params;
    value x, weight = input(n, 2);
    struct picked at;
    TRY(check_classes(l, n, input(n, 0), input(n, 1), weight));
    TRY(widen(l, input(n, 0), &x));
    if (weight)
        TRY(widen(l, weight, &weight));
    struct calc c = calc_begin(l, x);
    pick(&c, p, input(n, 1), weight, &at);
    value y = reduce(&c, p, &at, losses(&c, x, &at));
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

static o2w_status lower_softmax_cross_entropy(struct lower *l, const struct node_view *n,
                                              const void *params)
{
    const struct loss *p = params;
    value x, weight = input(n, 2), narrow;
    struct picked at;
    struct softmax_parts parts;
    TRY(check_classes(l, n, input(n, 0), input(n, 1), weight));
    TRY(widen(l, input(n, 0), &x));
    if (weight)
        TRY(widen(l, weight, &weight));
    struct calc c = calc_begin(l, x);
    calc_softmax_parts(&c, x, 1, &parts);
    value log_probability = calc_sub(&c, parts.z, parts.log_sum);
    pick(&c, p, input(n, 1), weight, &at);
    value y = reduce(&c, p, &at, losses(&c, log_probability, &at));
    TRY(c.status);
    TRY(emit_narrowed(l, n, y));
    TRY(cast(l, log_probability, input(n, 0)->dtype, &narrow));
    return emit_output(l, n, 1, narrow);
}

const struct onnx_row loss_rows[] = {
    { ONNX("NegativeLogLikelihoodLoss", 12, LATEST),
      INPUTS(IN("input", T, SET_FLOATS), IN("target", NONE, SET_INDEX),
             IN_OPT("weight", T, SET_FLOATS)),
      RESULTS(OUT("loss", T)), PARAMS(struct loss, loss_attrs),
      .lower = lower_negative_log_likelihood, .class = CLASS_COMPOSED,
      .webnn = "gatherElements, neg, mul, where, reduceSum, div" },
    { ONNX("SoftmaxCrossEntropyLoss", 12, LATEST),
      INPUTS(IN("scores", T, SET_FLOATS), IN("labels", NONE, SET_INDEX),
             IN_OPT("weights", T, SET_FLOATS)),
      RESULTS(OUT("output", T), OUT_OPT("log_prob", T)), PARAMS(struct loss, loss_attrs),
      .lower = lower_softmax_cross_entropy, .class = CLASS_COMPOSED,
      .webnn = "softmax parts, gatherElements, where, reduceSum, div" },
};
ROW_COUNT(loss);
