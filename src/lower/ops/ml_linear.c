/* ai.onnx.ml: linear models. */
#include "lower/ops/ml.h"

/* --- LinearClassifier, LinearRegressor ------------------------------------------------------------- */

/* x [N, F] by coefficients [E, F], and intercepts [E] where there are any: [N, E]. */
static o2w_status linear(struct lower *l, const struct node_view *n, value x,
                         const struct floats *coefficients, const struct floats *intercepts,
                         int64_t columns, value *out)
{
    struct webnn_gemm_attributes a = webnn_gemm_defaults();
    const dim dims[2] = { columns, x->dims[1] };
    value matrix, bias = NULL;
    if (columns < 1 || columns > INT32_MAX)
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE, "%lld columns of scores", (long long)columns);
    TRY(ml_count(l, n, "coefficients", coefficients->count, (uint64_t)(columns * x->dims[1])));
    TRY(ml_floats(l, coefficients->items, dims, 2, &matrix));
    if (intercepts->count) {
        TRY(ml_count(l, n, "intercepts", intercepts->count, (uint64_t)columns));
        TRY(ml_floats(l, intercepts->items, dims, 1, &bias));
    }
    a.b_transpose = true;
    return op(l, WEBNN_GEMM, OPERANDS(x, matrix, bias), &a, out);
}

struct linear_classifier {
    struct ml_labels labels;
    struct floats coefficients, intercepts;
    struct span post_transform;
    int64_t multi_class;
};

static const struct attr_row linear_classifier_attrs[] = {
    ATTR_FLOATS(struct linear_classifier, coefficients, .required = true),
    ATTR_FLOATS(struct linear_classifier, intercepts),
    ATTR_STRING(struct linear_classifier, post_transform, .fallback_text = "NONE",
                .allowed = POST_TRANSFORMS),
    ATTR_(PARAM_INTS, struct linear_classifier, labels.integers, "classlabels_ints"),
    ATTR_(PARAM_STRINGS, struct linear_classifier, labels.strings, "classlabels_strings"),
    ATTR_INT(struct linear_classifier, multi_class, .ignored = true),
};

/* One column for two labels: above 0 it is the second. */
static o2w_status emit_binary(struct lower *l, const struct node_view *n,
                              const struct linear_classifier *p, value score)
{
    enum post_transform post = post_transform_of(p->post_transform);
    const uint32_t columns = 1;
    struct calc c = calc_begin(l, score);
    value place;
    if (post == POST_PROBIT)
        return refuse_attribute(l, n, "post_transform",
                                "is 'PROBIT' beside one column of scores for two labels, which "
                                "leaves the other score open");
    value high = calc_greater(&c, score, calc_number(&c, 0));
    value pair = post_pair(&c, post, score, true);
    TRY(c.status);
    TRY(squeeze(l, high, &columns, 1, &high));
    TRY(ml_choose(l, high, 1, 0, &place));
    TRY(ml_emit_labels(l, n, 0, &p->labels, place));
    return emit_output(l, n, 1, pair);
}

static o2w_status lower_linear_classifier(struct lower *l, const struct node_view *n,
                                          const void *params)
{
    const struct linear_classifier *p = params;
    uint32_t labels = ml_label_count(&p->labels),
             columns = p->intercepts.count ? p->intercepts.count : labels;
    value x, scores = NULL, place;
    TRY(ml_check_labels(l, n, &p->labels));
    if (columns != labels && !(columns == 1 && labels == 2))
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE, "%u intercepts are given for %u labels", columns,
                      labels);
    TRY(ml_rows(l, n, &x));
    TRY(linear(l, n, x, &p->coefficients, &p->intercepts, columns, &scores));
    if (columns == 1 && labels == 2)
        return emit_binary(l, n, p, scores);
    if (columns == 1)
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE, "one label is given, two are needed at least");
    struct calc c = calc_begin(l, scores);
    value turned = post_scores(&c, post_transform_of(p->post_transform), scores);
    TRY(c.status);
    TRY(ml_best(l, scores, &place));
    TRY(ml_emit_labels(l, n, 0, &p->labels, place));
    return emit_output(l, n, 1, turned);
}

struct linear_regressor {
    struct floats coefficients, intercepts;
    struct span post_transform;
    int64_t targets;
};

static const struct attr_row linear_regressor_attrs[] = {
    ATTR_FLOATS(struct linear_regressor, coefficients, .required = true),
    ATTR_FLOATS(struct linear_regressor, intercepts),
    ATTR_STRING(struct linear_regressor, post_transform, .fallback_text = "NONE",
                .allowed = POST_TRANSFORMS),
    ATTR_INT(struct linear_regressor, targets, .fallback_int = 1),
};

static o2w_status lower_linear_regressor(struct lower *l, const struct node_view *n,
                                         const void *params)
{
    const struct linear_regressor *p = params;
    enum post_transform post = post_transform_of(p->post_transform);
    value x, y = NULL;
    TRY(ml_rows(l, n, &x));
    TRY(linear(l, n, x, &p->coefficients, &p->intercepts, p->targets, &y));
    struct calc c = calc_begin(l, y);
    y = p->targets == 1 ? post_single(&c, post, y) : post_scores(&c, post, y);
    TRY(c.status);
    return emit_value(l, n, y);
}

/* --- rows -------------------------------------------------------------------------------------------- */

const struct onnx_row ml_linear_rows[] = {
    { ONNX_ML("LinearClassifier", 1, LATEST), INPUTS(IN("X", NONE, SET_ML)),
      RESULTS(OUT("Y", NONE), OUT_OF("Z", DTYPE_FLOAT32)),
      PARAMS(struct linear_classifier, linear_classifier_attrs), .lower = lower_linear_classifier,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "gemm, argMax, gather, softmax, sigmoid",
      .notes = "multi_class has no effect in the runtime; PROBIT of one column for two labels "
               "refused; string labels become places in the output's labels" },
    { ONNX_ML("LinearRegressor", 1, LATEST), INPUTS(IN("X", NONE, SET_ML)),
      RESULTS(OUT_OF("Y", DTYPE_FLOAT32)), PARAMS(struct linear_regressor, linear_regressor_attrs),
      .lower = lower_linear_regressor, .class = CLASS_COMPOSED, .webnn = "gemm" },
};
ROW_COUNT(ml_linear);
