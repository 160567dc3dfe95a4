/* ai.onnx.ml: support vector machines. What stands in no text follows the runtime. */
#include "lower/ops/ml.h"

/* --- kernels -------------------------------------------------------------------------------------------- */

struct svm_kernel {
    struct span type;
    struct floats params; /* gamma, coef0, degree */
};

#define KERNEL(of)                                                                         \
    ATTR_(PARAM_STRING, of, kernel.type, "kernel_type", .fallback_text = "LINEAR",         \
          .allowed = "LINEAR POLY RBF SIGMOID"),                                           \
        ATTR_(PARAM_FLOATS, of, kernel.params, "kernel_params"),                           \
        ATTR_FLOATS(of, coefficients, .required = true), ATTR_FLOATS(of, support_vectors), \
        ATTR_FLOATS(of, rho, .required = true),                                            \
        ATTR_STRING(of, post_transform, .fallback_text = "NONE", .allowed = POST_TRANSFORMS)

/* The squared distance of each row from each vector, [N, S]. */
static o2w_status distances(struct lower *l, value x, value vectors, value *out)
{
    const uint32_t rows = 1, columns = 0, last = 2;
    TRY(unsqueeze(l, x, &rows, 1, &x));
    TRY(unsqueeze(l, vectors, &columns, 1, &vectors));
    struct calc c = calc_begin(l, x);
    value d = calc_sub(&c, x, vectors);
    d = calc_reduce(&c, WEBNN_REDUCE_SUM, calc_mul(&c, d, d), 2);
    TRY(c.status);
    return squeeze(l, d, &last, 1, out);
}

/* K(x, s) of x [N, F] and support vectors [S, F], not linear: [N, S]. */
static o2w_status kernel_rows(struct lower *l, const struct node_view *n,
                              const struct svm_kernel *k, value x, const struct floats *vectors,
                              uint32_t count, value *out)
{
    static const uint32_t turned[2] = { 1, 0 };
    const dim dims[2] = { count, x->dims[1] };
    bool rbf = span_is(k->type, "RBF");
    value s, y;
    TRY(ml_count(l, n, "support_vectors", vectors->count, (uint64_t)count * (uint64_t)dims[1]));
    TRY(ml_count(l, n, "kernel_params", k->params.count, 3));
    TRY(ml_floats(l, vectors->items, dims, 2, &s));
    if (rbf) {
        TRY(distances(l, x, s, &y));
    } else {
        TRY(transpose(l, s, turned, &s));
        TRY(op2(l, WEBNN_MATMUL, x, s, &y));
    }
    const float *p = k->params.items;
    struct calc c = calc_begin(l, y);
    y = calc_mul(&c, y, calc_number(&c, (double)(rbf ? -p[0] : p[0])));
    if (!rbf)
        y = calc_add(&c, y, calc_number(&c, (double)p[1]));
    *out = rbf                           ? calc_exp(&c, y)
           : span_is(k->type, "SIGMOID") ? calc_tanh(&c, y)
                                         : calc_pow(&c, y, calc_number(&c, (double)p[2]));
    return c.status;
}

/* Weights [S, C] of support vectors [S, F] as those of the features, [F, C]: all of a linear kernel. */
static o2w_status feature_weights(struct lower *l, const struct node_view *n,
                                  const struct floats *vectors, const struct tensor *weights,
                                  dim features, value *out)
{
    const dim dims[2] = { features, weights->dims[1] };
    struct tensor t;
    TRY(ml_count(l, n, "support_vectors", vectors->count,
                 (uint64_t)weights->dims[0] * (uint64_t)features));
    TRY(known_new(l, DTYPE_FLOAT32, dims, 2, &t, out));
    for (int64_t f = 0; f < features; f++)
        for (int64_t c = 0; c < dims[1]; c++) {
            double sum = 0;
            for (int64_t v = 0; v < weights->dims[0]; v++)
                sum += (double)vectors->items[v * features + f] *
                       (double)((const float *)weights->data)[v * dims[1] + c];
            ((float *)t.data)[f * dims[1] + c] = (float)sum;
        }
    return O2W_OK;
}

/* x [N, F] through the kernel, by the weights [S, C] of the support vectors: [N, C]. The runtime adds up
 * large values that cancel in double; of a linear kernel this is done here, once. */
static o2w_status weighted(struct lower *l, const struct node_view *n, const struct svm_kernel *k,
                           value x, const struct floats *vectors, value weights, value *out)
{
    struct tensor t;
    TRY(known_tensor(l, weights, &t));
    if (span_is(k->type, "LINEAR"))
        TRY(feature_weights(l, n, vectors, &t, x->dims[1], &weights));
    else
        TRY(kernel_rows(l, n, k, x, vectors, (uint32_t)t.dims[0], &x));
    return op2(l, WEBNN_MATMUL, x, weights, out);
}

/* --- SVMRegressor ------------------------------------------------------------------------------------------ */

struct svm_regressor {
    struct svm_kernel kernel;
    struct floats coefficients, support_vectors, rho;
    struct span post_transform;
    int64_t n_supports, one_class;
};

static const struct attr_row svm_regressor_attrs[] = {
    KERNEL(struct svm_regressor),
    ATTR_INT(struct svm_regressor, n_supports),
    ATTR_INT(struct svm_regressor, one_class, .allowed = "0 1"),
};

/* Without support vectors the coefficients are those of the features. */
static o2w_status lower_svm_regressor(struct lower *l, const struct node_view *n,
                                      const void *params)
{
    const struct svm_regressor *p = params;
    value x, terms, coefficients;
    TRY(ml_rows(l, n, &x));
    TRY(ml_count(l, n, "rho", p->rho.count, 1));
    if (p->n_supports < 0 || p->n_supports > INT32_MAX)
        return refuse_attribute(l, n, "n_supports", "is %lld", (long long)p->n_supports);
    const dim dims[2] = { p->n_supports > 0 ? p->n_supports : x->dims[1], 1 };
    TRY(ml_count(l, n, "coefficients", p->coefficients.count, (uint64_t)dims[0]));
    TRY(ml_floats(l, p->coefficients.items, dims, 2, &coefficients));
    if (p->n_supports > 0)
        TRY(weighted(l, n, &p->kernel, x, &p->support_vectors, coefficients, &terms));
    else
        TRY(op2(l, WEBNN_MATMUL, x, coefficients, &terms));
    struct calc c = calc_begin(l, terms);
    value y = calc_add(&c, terms, calc_number(&c, (double)p->rho.items[0]));
    if (p->one_class)
        y = calc_where(&c, calc_greater(&c, y, calc_number(&c, 0)), calc_number(&c, 1),
                       calc_number(&c, -1));
    TRY(c.status);
    return emit_value(l, n, y);
}

/* --- SVMClassifier ------------------------------------------------------------------------------------------- */

enum { MOST_CLASSES = 16 };

struct svm_classifier {
    struct svm_kernel kernel;
    struct floats coefficients, support_vectors, rho, prob_a, prob_b;
    struct span post_transform;
    struct ints vectors_per_class;
    struct ml_labels labels;
};

static const struct attr_row svm_classifier_attrs[] = {
    KERNEL(struct svm_classifier),
    ATTR_FLOATS(struct svm_classifier, prob_a),
    ATTR_FLOATS(struct svm_classifier, prob_b),
    ATTR_INTS(struct svm_classifier, vectors_per_class),
    ATTR_(PARAM_INTS, struct svm_classifier, labels.integers, "classlabels_ints"),
    ATTR_(PARAM_STRINGS, struct svm_classifier, labels.strings, "classlabels_strings"),
};

static o2w_status emit_scored(struct lower *l, const struct node_view *n,
                              const struct svm_classifier *p, value place, value scores)
{
    TRY(ml_emit_labels(l, n, 0, &p->labels, place));
    return emit_output(l, n, 1, scores);
}

/* The highest of the scores [N, classes] has the label. */
static o2w_status emit_best(struct lower *l, const struct node_view *n,
                            const struct svm_classifier *p, value scores)
{
    enum post_transform post = post_transform_of(p->post_transform);
    struct calc c = calc_begin(l, scores);
    value place, y = ml_label_count(&p->labels) == 1 ? post_single(&c, post, scores)
                                                     : post_scores(&c, post, scores);
    TRY(c.status);
    TRY(ml_best(l, scores, &place));
    return emit_scored(l, n, p, place, y);
}

/* Of two classes without support vectors the runtime takes the second one wherever a score is above 0 (0.5
 * and more where no coefficient is below 0), else the higher one. */
static o2w_status emit_two(struct lower *l, const struct node_view *n,
                           const struct svm_classifier *p, value scores)
{
    bool positive = true;
    const uint32_t columns = 1;
    value best, second, y;
    for (uint32_t i = 0; i < p->coefficients.count; i++)
        positive &= p->coefficients.items[i] >= 0;
    struct calc c = calc_begin(l, scores);
    value top = calc_reduce(&c, WEBNN_REDUCE_MAX, scores, 1);
    value high = positive ? calc_greater_equal(&c, top, calc_number(&c, 0.5))
                          : calc_greater(&c, top, calc_number(&c, 0));
    y = post_scores(&c, post_transform_of(p->post_transform), scores);
    TRY(c.status);
    TRY(squeeze(l, high, &columns, 1, &high));
    TRY(ml_best(l, scores, &best));
    TRY(scalar_i64(l, DTYPE_INT64, 1, &second));
    TRY(op3(l, WEBNN_WHERE, high, second, best, &best));
    return emit_scored(l, n, p, best, y);
}

/* Without support vectors: coefficients [classes, F], and the first rho to each. */
static o2w_status linear_mode(struct lower *l, const struct node_view *n,
                              const struct svm_classifier *p, value x)
{
    static const uint32_t turned[2] = { 1, 0 };
    const dim dims[2] = { ml_label_count(&p->labels), x->dims[1] };
    value coefficients, scores;
    TRY(ml_count(l, n, "coefficients", p->coefficients.count, (uint64_t)(dims[0] * dims[1])));
    TRY(ml_floats(l, p->coefficients.items, dims, 2, &coefficients));
    TRY(transpose(l, coefficients, turned, &coefficients));
    TRY(op2(l, WEBNN_MATMUL, x, coefficients, &scores));
    struct calc c = calc_begin(l, scores);
    scores = calc_add(&c, scores, calc_number(&c, (double)p->rho.items[0]));
    TRY(c.status);
    return dims[0] == 2 ? emit_two(l, n, p, scores) : emit_best(l, n, p, scores);
}

/* --- pairs ------------------------------------------------------------------------------------------------------ */

struct svm_pairs {
    uint32_t classes, pairs, vectors;
    int64_t first[MOST_CLASSES + 1]; /* vector of each class */
};

static o2w_status read_pairs(struct lower *l, const struct node_view *n,
                             const struct svm_classifier *p, struct svm_pairs *out)
{
    uint32_t classes = p->vectors_per_class.count;
    *out = (struct svm_pairs){ .classes = classes, .pairs = classes * (classes - 1) / 2 };
    if (classes < 2 || classes > MOST_CLASSES)
        return refuse_attribute(l, n, "vectors_per_class", "has %u classes, 2 to %d are allowed",
                                classes, MOST_CLASSES);
    TRY(ml_count(l, n, "labels", ml_label_count(&p->labels), classes));
    for (uint32_t i = 0; i < classes; i++) {
        int64_t count = p->vectors_per_class.items[i];
        if (count < 0 || count > 1 << 24)
            return refuse_attribute(l, n, "vectors_per_class", "holds %lld", (long long)count);
        out->first[i + 1] = out->first[i] + count;
    }
    out->vectors = (uint32_t)out->first[classes];
    TRY(ml_count(l, n, "rho", p->rho.count, out->pairs));
    TRY(ml_count(l, n, "prob_b", p->prob_b.count, p->prob_a.count));
    if (p->prob_a.count)
        TRY(ml_count(l, n, "prob_a", p->prob_a.count, out->pairs));
    return ml_count(l, n, "coefficients", p->coefficients.count,
                    (uint64_t)(classes - 1) * out->vectors);
}

/* Decisions of the pairs i < j, [N, pairs]: above 0 is for i. Of a vector of class i the coefficient in row
 * j - 1 counts, of one of class j that in row i. */
static o2w_status decisions(struct lower *l, const struct node_view *n,
                            const struct svm_classifier *p, const struct svm_pairs *s, value x,
                            value *out)
{
    const dim dims[2] = { s->vectors, s->pairs };
    struct tensor t;
    value matrix, rho;
    uint32_t pair = 0;
    TRY(known_new(l, DTYPE_FLOAT32, dims, 2, &t, &matrix));
    for (uint32_t i = 0; i < s->classes; i++)
        for (uint32_t j = i + 1; j < s->classes; j++, pair++) {
            float *column = (float *)t.data + pair;
            for (int64_t v = s->first[i]; v < s->first[i + 1]; v++)
                column[v * s->pairs] = p->coefficients.items[(j - 1) * s->vectors + v];
            for (int64_t v = s->first[j]; v < s->first[j + 1]; v++)
                column[v * s->pairs] = p->coefficients.items[i * s->vectors + v];
        }
    TRY(weighted(l, n, &p->kernel, x, &p->support_vectors, matrix, out));
    TRY(ml_floats(l, p->rho.items, &dims[1], 1, &rho));
    return op2(l, WEBNN_ADD, *out, rho, out);
}

/* The class with the most votes, [N]: of equal ones the first. */
static o2w_status voted(struct lower *l, const struct svm_pairs *s, value decision, value *out)
{
    const dim dims[2] = { s->pairs, s->classes };
    struct tensor yes, no;
    value for_first, for_second;
    uint32_t pair = 0;
    TRY(known_new(l, DTYPE_FLOAT32, dims, 2, &yes, &for_first));
    TRY(known_new(l, DTYPE_FLOAT32, dims, 2, &no, &for_second));
    for (uint32_t i = 0; i < s->classes; i++)
        for (uint32_t j = i + 1; j < s->classes; j++, pair++) {
            ((float *)yes.data)[pair * s->classes + i] = 1;
            ((float *)no.data)[pair * s->classes + j] = 1;
        }
    struct calc c = calc_begin(l, decision);
    value high = calc_greater(&c, decision, calc_number(&c, 0));
    value won = calc_cast(&c, high, DTYPE_FLOAT32),
          lost = calc_cast(&c, calc_not(&c, high), DTYPE_FLOAT32);
    value votes = calc_add(&c, calc_op(&c, WEBNN_MATMUL, won, for_first, NULL),
                           calc_op(&c, WEBNN_MATMUL, lost, for_second, NULL));
    TRY(c.status);
    return ml_best(l, votes, out);
}

static o2w_status emit_votes(struct lower *l, const struct node_view *n,
                             const struct svm_classifier *p, const struct svm_pairs *s,
                             value decision)
{
    enum post_transform post = post_transform_of(p->post_transform);
    struct calc c = calc_begin(l, decision);
    value place, scores;
    if (s->pairs == 1 && post == POST_PROBIT)
        return refuse_attribute(l, n, "post_transform",
                                "is 'PROBIT' beside one decision for two labels, which leaves the "
                                "other score open");
    scores = s->pairs == 1 ? post_pair(&c, post, decision, post != POST_NONE)
                           : post_scores(&c, post, decision);
    TRY(c.status);
    TRY(voted(l, s, decision, &place));
    return emit_scored(l, n, p, place, scores);
}

/* --- probabilities ------------------------------------------------------------------------------------------------- */

/* Rounds of the coupling. The iteration stops by itself, at most after 100 rounds; over grids and random
 * tables of pair probabilities of 2 to 16 classes, extremes included, no row needs more than 4. */
enum { ROUNDS = 8 };

/* Pair probabilities become class probabilities: Q [N, C, C], p [N, C]. */
struct coupling {
    uint32_t classes;
    value q, diagonal[MOST_CLASSES], row[MOST_CLASSES], unit[MOST_CLASSES];
};

/* r(i, j) = 1 - r(j, i), as a square with 0 on its diagonal: [N, C, C]. */
static o2w_status pair_square(struct calc *c, const struct svm_pairs *s, value r, value *out)
{
    const dim dims[2] = { s->pairs, (dim)s->classes * s->classes };
    const dim square[3] = { r ? r->dims[0] : 0, s->classes, s->classes };
    struct tensor upper, lower;
    value above, below;
    uint32_t pair = 0;
    TRY(c->status);
    TRY(known_new(c->l, DTYPE_FLOAT32, dims, 2, &upper, &above));
    TRY(known_new(c->l, DTYPE_FLOAT32, dims, 2, &lower, &below));
    for (uint32_t i = 0; i < s->classes; i++)
        for (uint32_t j = i + 1; j < s->classes; j++, pair++) {
            ((float *)upper.data)[pair * dims[1] + i * s->classes + j] = 1;
            ((float *)lower.data)[pair * dims[1] + j * s->classes + i] = 1;
        }
    value other = calc_sub(c, calc_number(c, 1), r);
    value y = calc_add(c, calc_op(c, WEBNN_MATMUL, r, above, NULL),
                       calc_op(c, WEBNN_MATMUL, other, below, NULL));
    TRY(c->status);
    return reshape(c->l, y, square, 3, out);
}

/* Q(i, j) = -r(j, i) r(i, j), Q(i, i) = the sum of r(j, i)² over j. */
static o2w_status coupling_init(struct calc *c, value square, uint32_t classes,
                                struct coupling *out)
{
    static const uint32_t turned[3] = { 0, 2, 1 };
    const uint32_t middle = 1;
    const dim eye_dims[2] = { classes, classes };
    struct tensor t;
    value eye, other;
    *out = (struct coupling){ .classes = classes };
    TRY(known_new(c->l, DTYPE_FLOAT32, eye_dims, 2, &t, &eye));
    for (uint32_t i = 0; i < classes; i++)
        ((float *)t.data)[i * classes + i] = 1;
    TRY(transpose(c->l, square, turned, &other));
    value sums = calc_reduce(c, WEBNN_REDUCE_SUM, calc_mul(c, square, square), 1);
    value pairs = calc_neg(c, calc_mul(c, other, square));
    out->q = calc_add(c, calc_mul(c, sums, eye), pairs);
    TRY(c->status);
    TRY(squeeze(c->l, sums, &middle, 1, &sums));
    for (uint32_t i = 0; i < classes; i++) {
        TRY(slice(c->l, sums, 1, i, 1, 1, &out->diagonal[i]));
        TRY(slice(c->l, out->q, 1, i, 1, 1, &out->row[i]));
        TRY(squeeze(c->l, out->row[i], &middle, 1, &out->row[i]));
        TRY(slice(c->l, eye, 0, i, 1, 1, &out->unit[i]));
    }
    return O2W_OK;
}

/* One class after the other moves to where its own error is 0. */
static o2w_status couple_classes(struct calc *c, const struct coupling *k, value qp, value total,
                                 value *p)
{
    value one = calc_number(c, 1), two = calc_number(c, 2);
    for (uint32_t i = 0; i < k->classes; i++) {
        value own = NULL;
        TRY(c->status);
        TRY(slice(c->l, qp, 1, i, 1, 1, &own));
        value step = calc_div(c, calc_sub(c, total, own), k->diagonal[i]);
        value scale = calc_add(c, one, step);
        value grown = calc_add(c, calc_mul(c, step, k->diagonal[i]), calc_mul(c, two, own));
        total = calc_add(c, total, calc_mul(c, step, grown));
        total = calc_div(c, calc_div(c, total, scale), scale);
        qp = calc_div(c, calc_add(c, qp, calc_mul(c, step, k->row[i])), scale);
        *p = calc_div(c, calc_add(c, *p, calc_mul(c, step, k->unit[i])), scale);
    }
    return c->status;
}

/* A round moves the rows whose error is not small yet; the others stay as they are from then on. */
static o2w_status couple_round(struct calc *c, const struct coupling *k, value *p, value *alive)
{
    const uint32_t last = 2;
    value column, qp, moved = *p;
    TRY(unsqueeze(c->l, *p, &last, 1, &column));
    TRY(op2(c->l, WEBNN_MATMUL, k->q, column, &qp));
    TRY(squeeze(c->l, qp, &last, 1, &qp));
    value total = calc_reduce(c, WEBNN_REDUCE_SUM, calc_mul(c, *p, qp), 1);
    value error = calc_reduce(c, WEBNN_REDUCE_MAX, calc_abs(c, calc_sub(c, qp, total)), 1);
    value eps = calc_number(c, (double)(0.005f / (float)k->classes));
    value open = calc_not(c, calc_less(c, error, eps));
    *alive = *alive ? calc_and(c, *alive, open) : open;
    TRY(couple_classes(c, k, qp, total, &moved));
    *p = calc_where(c, *alive, moved, *p);
    return c->status;
}

/* p(i of i and j) = 1 - sigmoid(a · decision + b), inside 1e-7 and 1 - 1e-7. */
static o2w_status pair_probabilities(struct calc *c, const struct svm_classifier *p, value decision,
                                     value *out)
{
    const dim count = p->prob_a.count;
    value a, b;
    TRY(ml_floats(c->l, p->prob_a.items, &count, 1, &a));
    TRY(ml_floats(c->l, p->prob_b.items, &count, 1, &b));
    value z = calc_add(c, calc_mul(c, decision, a), b);
    value r = calc_sub(c, calc_number(c, 1), calc_sigmoid(c, z));
    r = calc_max(c, r, calc_number(c, (double)1.0e-7f));
    *out = calc_min(c, r, calc_number(c, (double)(1 - 1.0e-7f)));
    return c->status;
}

static o2w_status emit_probabilities(struct lower *l, const struct node_view *n,
                                     const struct svm_classifier *p, const struct svm_pairs *s,
                                     value decision)
{
    const dim dims[2] = { decision->dims[0], s->classes };
    struct coupling k;
    struct calc c = calc_begin(l, decision);
    value r, square, scores, alive = NULL;
    TRY(pair_probabilities(&c, p, decision, &r));
    TRY(pair_square(&c, s, r, &square));
    TRY(coupling_init(&c, square, s->classes, &k));
    value start = calc_number(&c, (double)(1.0f / (float)s->classes));
    TRY(c.status);
    TRY(expand(l, start, dims, 2, &scores));
    for (unsigned i = 0; i < ROUNDS; i++)
        TRY(couple_round(&c, &k, &scores, &alive));
    value place, y = post_scores(&c, post_transform_of(p->post_transform), scores);
    TRY(c.status);
    TRY(voted(l, s, decision, &place)); /* not the highest probability */
    return emit_scored(l, n, p, place, y);
}

static o2w_status lower_svm_classifier(struct lower *l, const struct node_view *n,
                                       const void *params)
{
    const struct svm_classifier *p = params;
    struct svm_pairs s;
    value x, decision;
    TRY(ml_check_labels(l, n, &p->labels));
    TRY(ml_rows(l, n, &x));
    if (!p->rho.count)
        return refuse_attribute(l, n, "rho", "is empty");
    if (!p->vectors_per_class.count)
        return linear_mode(l, n, p, x);
    TRY(read_pairs(l, n, p, &s));
    TRY(decisions(l, n, p, &s, x, &decision));
    return p->prob_a.count ? emit_probabilities(l, n, p, &s, decision)
                           : emit_votes(l, n, p, &s, decision);
}

/* --- rows ------------------------------------------------------------------------------------------------------------ */

const struct onnx_row ml_svm_rows[] = {
    { ONNX_ML("SVMClassifier", 1, LATEST), INPUTS(IN("X", NONE, SET_ML)),
      RESULTS(OUT("Y", NONE), OUT_OF("Z", DTYPE_FLOAT32)),
      PARAMS(struct svm_classifier, svm_classifier_attrs), .lower = lower_svm_classifier,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "matmul, exp, tanh, pow, argMax",
      .notes = "at most 16 classes; PROBIT of one decision for two labels refused; string labels "
               "become places in the output's labels" },
    { ONNX_ML("SVMRegressor", 1, LATEST), INPUTS(IN("X", NONE, SET_ML)),
      RESULTS(OUT_OF("Y", DTYPE_FLOAT32)), PARAMS(struct svm_regressor, svm_regressor_attrs),
      .lower = lower_svm_regressor, .class = CLASS_COMPOSED, .webnn = "matmul, exp, tanh, pow",
      .notes = "post_transform has no effect in the runtime" },
};
ROW_COUNT(ml_svm);
