/* ai.onnx.ml: scores, their transforms, and the labels behind them. */
#include "lower/ops/ml.h"

#include <math.h>
#include <string.h>

o2w_status ml_floats(struct lower *l, const float *items, const dim *dims, uint32_t rank,
                     value *out)
{
    struct tensor t;
    TRY(known_new(l, DTYPE_FLOAT32, dims, rank, &t, out));
    if (tensor_count(&t))
        memcpy(t.data, items, (size_t)tensor_bytes(&t));
    return O2W_OK;
}

o2w_status ml_rows(struct lower *l, const struct node_view *n, value *out)
{
    value x = input(n, 0);
    dim row[2] = { 1, 0 };
    int64_t features;
    if (x->rank != 1 && x->rank != 2)
        return refuse_input(l, n, 0, "has rank %u, 1 or 2 is needed", x->rank);
    TRY(static_dim(l, n, x, x->rank - 1, &features));
    TRY(cast(l, x, DTYPE_FLOAT32, &x));
    row[1] = features;
    *out = x;
    return x->rank == 1 ? reshape(l, x, row, 2, out) : O2W_OK;
}

o2w_status ml_count(struct lower *l, const struct node_view *n, const char *name, uint64_t given,
                    uint64_t count)
{
    if (given == count)
        return O2W_OK;
    return refuse_attribute(l, n, name, "has %llu items, %llu are needed",
                            (unsigned long long)given, (unsigned long long)count);
}

/* --- transforms ------------------------------------------------------------------------------------ */

enum post_transform post_transform_of(struct span text)
{
    static const char *const names[] = { [POST_SOFTMAX] = "SOFTMAX",
                                         [POST_LOGISTIC] = "LOGISTIC",
                                         [POST_SOFTMAX_ZERO] = "SOFTMAX_ZERO",
                                         [POST_PROBIT] = "PROBIT" };
    for (unsigned i = POST_LOGISTIC; i <= POST_PROBIT; i++)
        if (span_is(text, names[i]))
            return (enum post_transform)i;
    return POST_NONE;
}

/* l = log((1 - x)(1 + x)), v = 2 / (pi a) + l / 2: sign x · sqrt(sqrt(v² - l / a) - v) */
value probit(struct calc *c, value x)
{
    const float a = 0.147f, pi = (float)M_PI;
    value one = calc_number(c, 1);
    value y = calc_sub(c, calc_mul(c, x, calc_number(c, 2)), one);
    value log = calc_log(c, calc_mul(c, calc_sub(c, one, y), calc_add(c, one, y)));
    value v = calc_add(c, calc_mul(c, log, calc_number(c, 0.5)), calc_number(c, 2 / (pi * a)));
    value v2 = calc_mul(c, log, calc_number(c, 1 / a));
    value root = calc_sqrt(c, calc_sub(c, calc_mul(c, v, v), v2));
    value size = calc_sqrt(c, calc_sub(c, root, v));
    value sign = calc_where(c, calc_less(c, y, calc_number(c, 0)), calc_number(c, -1), one);
    return calc_mul(c, calc_mul(c, sign, size), calc_number(c, (double)1.41421356f));
}

static value softmax_rows(struct calc *c, value x)
{
    value y = NULL;
    if (c->status == O2W_OK)
        c->status = op(c->l, WEBNN_SOFTMAX, OPERANDS(x),
                       &(struct webnn_softmax_attributes){ .axis = 1 }, &y);
    return y;
}

/* Over the entries that are not 0, which stay 0. */
static value softmax_zero(struct calc *c, value x)
{
    value top = calc_reduce(c, WEBNN_REDUCE_MAX, x, 1);
    value counts = calc_greater(c, calc_abs(c, x), calc_number(c, (double)0.0000001f));
    value e = calc_exp(c, calc_sub(c, x, top));
    e = calc_where(c, counts, e, calc_number(c, 0));
    return calc_div(c, e, calc_reduce(c, WEBNN_REDUCE_SUM, e, 1));
}

value post_scores(struct calc *c, enum post_transform post, value scores)
{
    switch (post) {
    case POST_NONE: return scores;
    case POST_SOFTMAX: return softmax_rows(c, scores);
    case POST_LOGISTIC: return calc_sigmoid(c, scores);
    case POST_SOFTMAX_ZERO: return softmax_zero(c, scores);
    case POST_PROBIT: return probit(c, scores);
    }
    return scores;
}

value post_pair(struct calc *c, enum post_transform post, value score, bool complement)
{
    value high = score, low, y = NULL;
    bool logistic = post == POST_LOGISTIC;
    if (logistic)
        high = calc_sigmoid(c, score);
    if (logistic && !complement)
        low = calc_sigmoid(c, calc_neg(c, score));
    else
        low = complement ? calc_sub(c, calc_number(c, 1), high) : calc_neg(c, high);
    if (c->status == O2W_OK)
        c->status = concat(c->l, (const value[]){ low, high }, 2, 1, &y);
    return y;
}

value post_single(struct calc *c, enum post_transform post, value score)
{
    return post == POST_PROBIT ? probit(c, score) : score;
}

/* --- labels ------------------------------------------------------------------------------------------ */

o2w_status ml_check_labels(struct lower *l, const struct node_view *n,
                           const struct ml_labels *labels)
{
    if ((labels->strings.count > 0) == (labels->integers.count > 0))
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE,
                      "class labels are given %s, one list of integers or of strings is needed",
                      labels->strings.count ? "twice" : "nowhere");
    return O2W_OK;
}

o2w_status ml_best(struct lower *l, value scores, value *out)
{
    struct webnn_arg_min_max_attributes a = { .axis = 1, .output_data_type = WEBNN_INT64 };
    return op(l, WEBNN_ARG_MAX, OPERANDS(scores), &a, out);
}

o2w_status ml_choose(struct lower *l, value condition, int64_t yes, int64_t no, value *out)
{
    value a, b;
    TRY(scalar_i64(l, DTYPE_INT64, yes, &a));
    TRY(scalar_i64(l, DTYPE_INT64, no, &b));
    return op3(l, WEBNN_WHERE, condition, a, b, out);
}

/* Whether the label of each place is its number. */
static bool are_places(const struct ints *labels)
{
    for (uint32_t i = 0; i < labels->count; i++)
        if (labels->items[i] != i)
            return false;
    return true;
}

o2w_status ml_emit_labels(struct lower *l, const struct node_view *n, uint32_t i,
                          const struct ml_labels *labels, value index)
{
    struct webnn_gather_attributes a = webnn_gather_defaults();
    value table;
    if (labels->strings.count) {
        TRY(classes_of(l, index, labels->strings.items, labels->strings.count, &table));
        return emit_output(l, n, i, table);
    }
    if (are_places(&labels->integers))
        return emit_output(l, n, i, index);
    TRY(known_i64s(l, labels->integers.items, labels->integers.count, &table));
    TRY(op(l, WEBNN_GATHER, OPERANDS(table, index), &a, &index));
    return emit_output(l, n, i, index);
}
