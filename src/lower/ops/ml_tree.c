/* ai.onnx.ml: ensembles of decision trees. What stands in no text follows the runtime. */
#include "lower/ops/ml_tree.h"

#include <float.h>
#include <math.h>

/* --- attributes of the older form --------------------------------------------------------------------- */

struct tree_params {
    struct tree_lists lists;
    struct floats values, leaf_weights, base_values, hitrates;
    const struct onnx_tensor *values_as_tensor, *leaf_weights_as_tensor, *base_values_as_tensor;
    struct span post_transform, aggregate_function;
    struct ml_labels labels;
    struct given_int n_targets;
};

#define LIST(member, attribute) ATTR_(PARAM_INTS, struct tree_params, lists.member, attribute)
#define NODES                                                                             \
    LIST(treeids, "nodes_treeids"), LIST(nodeids, "nodes_nodeids"),                       \
        LIST(featureids, "nodes_featureids"), LIST(yes, "nodes_truenodeids"),             \
        LIST(no, "nodes_falsenodeids"), LIST(missing, "nodes_missing_value_tracks_true"), \
        ATTR_(PARAM_STRINGS, struct tree_params, lists.modes, "nodes_modes"),             \
        ATTR_(PARAM_FLOATS, struct tree_params, values, "nodes_values"),                  \
        ATTR_(PARAM_FLOATS, struct tree_params, hitrates, "nodes_hitrates"),              \
        ATTR_FLOATS(struct tree_params, base_values),                                     \
        ATTR_STRING(struct tree_params, post_transform, .fallback_text = "NONE",          \
                    .allowed = POST_TRANSFORMS)
#define CLASSIFIER                                                                    \
    LIST(leaf_treeids, "class_treeids"), LIST(leaf_nodeids, "class_nodeids"),         \
        LIST(leaf_columns, "class_ids"),                                              \
        ATTR_(PARAM_FLOATS, struct tree_params, leaf_weights, "class_weights"),       \
        ATTR_(PARAM_INTS, struct tree_params, labels.integers, "classlabels_int64s"), \
        ATTR_(PARAM_STRINGS, struct tree_params, labels.strings, "classlabels_strings")
#define REGRESSOR                                                                   \
    LIST(leaf_treeids, "target_treeids"), LIST(leaf_nodeids, "target_nodeids"),     \
        LIST(leaf_columns, "target_ids"),                                           \
        ATTR_(PARAM_FLOATS, struct tree_params, leaf_weights, "target_weights"),    \
        ATTR_GIVEN_INT(struct tree_params, n_targets),                              \
        ATTR_STRING(struct tree_params, aggregate_function, .fallback_text = "SUM", \
                    .allowed = "SUM AVERAGE MIN MAX")
#define TENSORS(weights)                                                                 \
    ATTR_(PARAM_TENSOR, struct tree_params, values_as_tensor, "nodes_values_as_tensor"), \
        ATTR_(PARAM_TENSOR, struct tree_params, leaf_weights_as_tensor, weights),        \
        ATTR_TENSOR(struct tree_params, base_values_as_tensor),                          \
    {                                                                                    \
        .name = "nodes_hitrates_as_tensor", .type = PARAM_TENSOR, .ignored = true        \
    }

static const struct attr_row classifier_1_attrs[] = { NODES, CLASSIFIER };
static const struct attr_row classifier_3_attrs[] = { NODES, CLASSIFIER,
                                                      TENSORS("class_weights_as_tensor") };
static const struct attr_row regressor_1_attrs[] = { NODES, REGRESSOR };
static const struct attr_row regressor_3_attrs[] = { NODES, REGRESSOR,
                                                     TENSORS("target_weights_as_tensor") };

/* The ensemble of a node with rows x, and its base values. */
static o2w_status read_ensemble(struct lower *l, const struct node_view *n,
                                const struct tree_params *p, enum tree_aggregate aggregate,
                                uint32_t columns, value *x, struct ensemble *e,
                                struct tree_numbers *base)
{
    struct tree_lists lists = p->lists;
    lists.aggregate = aggregate;
    TRY(ml_rows(l, n, x));
    TRY(tree_numbers_of(l, n, "nodes_values", &p->values, p->values_as_tensor, &lists.values));
    TRY(tree_numbers_of(l, n, "weights of leaves", &p->leaf_weights, p->leaf_weights_as_tensor,
                        &lists.leaf_weights));
    TRY(tree_numbers_of(l, n, "base_values", &p->base_values, p->base_values_as_tensor, base));
    return ensemble_from_lists(l, n, &lists, columns, (*x)->dims[1], e);
}

/* --- columns ----------------------------------------------------------------------------------------------- */

/* Which leaves have a value for a column. */
struct coverage {
    bool never;  /* none */
    bool always; /* every row gets one, of some tree all of whose leaves have it */
};

/* column == e->columns: for any column. */
static bool leaf_has(const struct ensemble *e, uint32_t leaf, uint32_t column)
{
    const uint32_t *given = &e->given[(size_t)leaf * e->columns];
    if (column < e->columns)
        return given[column] > 0;
    for (uint32_t i = 0; i < e->columns; i++)
        if (given[i])
            return true;
    return false;
}

static o2w_status coverage_of(struct lower *l, const struct ensemble *e, uint32_t column,
                              struct coverage *out)
{
    uint32_t *stack = ARENA_ARRAY(lower_arena(l), (size_t)e->depth + 2, uint32_t);
    *out = (struct coverage){ .never = true };
    if (!stack)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < e->tree_count; i++) {
        bool whole = true;
        uint32_t top = 0;
        stack[top++] = e->roots[i];
        while (top) {
            const struct tree_node *node = &e->nodes[stack[--top]];
            if (node->mode != TREE_LEAF) {
                stack[top++] = node->no;
                stack[top++] = node->yes;
                continue;
            }
            bool has = leaf_has(e, node->leaf, column);
            whole &= has;
            out->never &= !has;
        }
        out->always |= whole;
    }
    return O2W_OK;
}

/* Columns as [leaf][width]: the weights (`missing` where none is given), behind them with `flags` 1 where
 * one is. */
static o2w_status leaf_table(struct lower *l, const struct ensemble *e, float missing, bool flags,
                             float **out)
{
    uint32_t width = flags ? 2 * e->columns : e->columns;
    float *table = ARENA_ARRAY(lower_arena(l), (size_t)e->leaf_count * width, float);
    if (!table)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < e->leaf_count; i++)
        for (uint32_t k = 0; k < e->columns; k++) {
            size_t at = (size_t)i * e->columns + k;
            table[(size_t)i * width + k] = e->given[at] ? (float)e->weights[at] : missing;
            if (flags)
                table[(size_t)i * width + e->columns + k] = e->given[at] ? 1 : 0;
        }
    *out = table;
    return O2W_OK;
}

/* Sums of the columns: scores [N, C]. */
static o2w_status column_sums(struct lower *l, const struct node_view *n, const struct ensemble *e,
                              value x, value *out)
{
    float *table = NULL;
    value leaves;
    TRY(leaf_table(l, e, 0, false, &table));
    TRY(ensemble_leaves(l, n, e, x, table, e->columns, &leaves));
    return ensemble_sum(l, leaves, out);
}

/* 1 where a row has a weight for the column: uint8 [N, C]. */
static o2w_status given_columns(struct lower *l, const struct node_view *n,
                                const struct ensemble *e, value x, value *out)
{
    float *table = NULL;
    value leaves, flags;
    TRY(leaf_table(l, e, 0, true, &table));
    TRY(ensemble_leaves(l, n, e, x, table, 2 * e->columns, &leaves));
    TRY(slice(l, leaves, 2, e->columns, e->columns, 1, &leaves));
    TRY(ensemble_sum(l, leaves, &flags));
    struct calc c = calc_begin(l, flags);
    *out = calc_greater(&c, flags, calc_number(&c, 0));
    return c.status;
}

/* Whether every row has a weight for every column. */
static o2w_status all_covered(struct lower *l, const struct ensemble *e, bool *out)
{
    struct coverage c;
    *out = true;
    for (uint32_t i = 0; *out && i < e->columns; i++) {
        TRY(coverage_of(l, e, i, &c));
        *out = c.always;
    }
    return O2W_OK;
}

static o2w_status add_base(struct lower *l, const struct tree_numbers *base, value scores,
                           value *out)
{
    struct tensor t;
    value numbers;
    const dim count = base->count;
    *out = scores;
    if (base->count == 0)
        return O2W_OK;
    TRY(known_new(l, DTYPE_FLOAT32, &count, 1, &t, &numbers));
    for (uint32_t i = 0; i < base->count; i++)
        tensor_put_double(&t, i, base->items[i]);
    return op2(l, WEBNN_ADD, scores, numbers, out);
}

static o2w_status check_base(struct lower *l, const struct node_view *n,
                             const struct tree_numbers *base, uint32_t count)
{
    return base->count ? ml_count(l, n, "base_values", base->count, count) : O2W_OK;
}

/* --- TreeEnsembleClassifier --------------------------------------------------------------------------------- */

/* A classifier at work. */
struct classifier {
    const struct tree_params *p;
    const struct ensemble *e;
    struct tree_numbers base;
    enum post_transform post;
    struct coverage covered[2];
};

static o2w_status emit_classes(struct lower *l, const struct node_view *n,
                               const struct classifier *s, value place, value scores)
{
    TRY(ml_emit_labels(l, n, 0, &s->p->labels, place));
    return emit_output(l, n, 1, scores);
}

/* [N] of a column [N, 1] above a number. */
static value above(struct calc *c, value column, double number)
{
    const uint32_t columns = 1;
    value y = calc_greater(c, column, calc_number(c, number));
    if (c->status == O2W_OK)
        c->status = squeeze(c->l, y, &columns, 1, &y);
    return y;
}

/* The runtime labels these 1 and 0, whatever the labels are; of strings it takes their places. */
static o2w_status emit_signs(struct lower *l, const struct node_view *n, const struct classifier *s,
                             value positive, value scores)
{
    const struct ints *labels = &s->p->labels.integers;
    value place;
    TRY(ml_choose(l, positive, 1, 0, &place));
    TRY(emit_output(l, n, 1, scores));
    if (!labels->count)
        return ml_emit_labels(l, n, 0, &s->p->labels, place);
    if (labels->count == 1 || labels->items[0] != 0 || labels->items[1] != 1)
        lower_report(l, n, DIAG_LOWER_NOTE,
                     "the runtime labels the rows 1 and 0 here, not by its labels");
    return emit_output(l, n, 0, place);
}

static o2w_status one_label(struct lower *l, const struct node_view *n, const struct classifier *s,
                            value scores)
{
    if (s->p->labels.strings.count)
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE, "one string label is given, two are needed");
    TRY(check_base(l, n, &s->base, 1));
    TRY(add_base(l, &s->base, scores, &scores));
    struct calc c = calc_begin(l, scores);
    value positive = above(&c, scores, 0), y = post_single(&c, s->post, scores);
    TRY(c.status);
    return emit_signs(l, n, s, positive, y);
}

/* One column alone has weights: the first one stands for both. */
static o2w_status first_of_two(struct lower *l, const struct node_view *n,
                               const struct classifier *s, value first)
{
    bool positive = !s->e->negative;
    struct calc c = calc_begin(l, first);
    value place, pair;
    if (s->base.count)
        first = calc_add(&c, first, calc_number(&c, s->base.items[0]));
    value high = above(&c, first, positive ? 0.5 : 0);
    if (s->base.count == 2) {
        value none = calc_mul(&c, first, calc_number(&c, 0));
        TRY(c.status);
        TRY(concat(l, (const value[]){ first, none }, 2, 1, &pair));
        pair = post_scores(&c, s->post, pair);
    } else if (s->post == POST_PROBIT) {
        return refuse_attribute(l, n, "post_transform",
                                "is 'PROBIT' beside weights of one class of two, which leaves the "
                                "other score open");
    } else {
        pair = post_pair(&c, s->post, first, positive);
    }
    TRY(c.status);
    TRY(ml_choose(l, high, 1, 0, &place));
    return emit_classes(l, n, s, place, pair);
}

/* The second column has weights. With two base values it becomes the first one's sum. */
static o2w_status second_of_two(struct lower *l, const struct node_view *n,
                                const struct classifier *s, value first, value second)
{
    bool alone = s->covered[0].never;
    struct calc c = calc_begin(l, first);
    value pair, place;
    if (s->base.count == 2) {
        second = calc_add(&c, first, calc_number(&c, s->base.items[1]));
        if (!alone)
            first = calc_neg(&c, second);
    } else if (s->base.count == 1 && !alone) {
        first = calc_add(&c, first, calc_number(&c, s->base.items[0]));
    }
    value high = above(&c, second, alone && !s->e->negative ? 0.5 : 0);
    TRY(c.status);
    TRY(concat(l, (const value[]){ first, second }, 2, 1, &pair));
    pair = post_scores(&c, s->post, pair);
    TRY(c.status);
    if (!alone)
        return emit_signs(l, n, s, high, pair);
    TRY(ml_choose(l, high, 1, 0, &place));
    return emit_classes(l, n, s, place, pair);
}

static o2w_status two_labels(struct lower *l, const struct node_view *n, struct classifier *s,
                             value scores)
{
    value first, second;
    TRY(coverage_of(l, s->e, 0, &s->covered[0]));
    TRY(coverage_of(l, s->e, 1, &s->covered[1]));
    bool plain = s->base.count == 0 || s->covered[0].never || s->covered[0].always ||
                 (s->base.count == 2 && s->covered[1].never);
    if (s->base.count > 2)
        return ml_count(l, n, "base_values", s->base.count, 2);
    if (!(s->covered[1].never || s->covered[1].always) || !plain)
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE,
                      "some rows get no weight for a class of two: the runtime leaves their scores "
                      "open");
    TRY(slice(l, scores, 1, 0, 1, 1, &first));
    if (s->covered[1].never)
        return first_of_two(l, n, s, first);
    TRY(slice(l, scores, 1, 1, 1, 1, &second));
    return second_of_two(l, n, s, first, second);
}

/* Of three classes and more the highest among those that a row has weights for; with base values, among all. */
static o2w_status best_class(struct lower *l, const struct node_view *n, const struct classifier *s,
                             value x, value scores, value *out)
{
    const struct ensemble *e = s->e;
    struct coverage any;
    bool all;
    value has, lowest;
    TRY(coverage_of(l, e, e->columns, &any));
    TRY(all_covered(l, e, &all));
    if (all || s->base.count)
        return ml_best(l, scores, out);
    if (!any.always)
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE, "some rows get no weight for any class");
    TRY(given_columns(l, n, e, x, &has));
    TRY(scalar_like(l, scores, -INFINITY, &lowest));
    TRY(op3(l, WEBNN_WHERE, has, scores, lowest, &scores));
    return ml_best(l, scores, out);
}

static o2w_status lower_classifier(struct lower *l, const struct node_view *n, const void *params)
{
    const struct tree_params *p = params;
    struct classifier s = { .p = p, .post = post_transform_of(p->post_transform) };
    struct ensemble e;
    value x, scores, place = NULL;
    TRY(ml_check_labels(l, n, &p->labels));
    uint32_t labels = ml_label_count(&p->labels);
    TRY(read_ensemble(l, n, p, TREE_SUM, labels, &x, &e, &s.base));
    s.e = &e;
    TRY(column_sums(l, n, &e, x, &scores));
    if (labels == 1)
        return one_label(l, n, &s, scores);
    if (labels == 2)
        return two_labels(l, n, &s, scores);
    TRY(check_base(l, n, &s.base, labels));
    TRY(add_base(l, &s.base, scores, &scores));
    TRY(best_class(l, n, &s, x, scores, &place));
    struct calc c = calc_begin(l, scores);
    value y = post_scores(&c, s.post, scores);
    TRY(c.status);
    return emit_classes(l, n, &s, place, y);
}

/* --- TreeEnsembleRegressor, TreeEnsemble ------------------------------------------------------------------------ */

static enum tree_aggregate aggregate_of(struct span text)
{
    return span_is(text, "AVERAGE") ? TREE_AVERAGE
           : span_is(text, "MIN")   ? TREE_MIN
           : span_is(text, "MAX")   ? TREE_MAX
                                    : TREE_SUM;
}

/* The least or greatest value of each column among the trees, 0 where no leaf gives one. */
static o2w_status extreme(struct lower *l, const struct node_view *n, const struct ensemble *e,
                          value x, bool least, value *out)
{
    const float missing = least ? FLT_MAX : -FLT_MAX;
    const uint32_t front = 0;
    float *table = NULL;
    value leaves;
    TRY(leaf_table(l, e, missing, false, &table));
    TRY(ensemble_leaves(l, n, e, x, table, e->columns, &leaves));
    struct calc c = calc_begin(l, leaves);
    value y = calc_reduce(&c, least ? WEBNN_REDUCE_MIN : WEBNN_REDUCE_MAX, leaves, 0);
    value none = calc_equal(&c, y, calc_number(&c, (double)missing));
    y = calc_where(&c, none, calc_number(&c, 0), y);
    TRY(c.status);
    return squeeze(l, y, &front, 1, out);
}

static o2w_status aggregate(struct lower *l, const struct node_view *n, const struct ensemble *e,
                            value x, enum tree_aggregate how, value *out)
{
    if (how == TREE_MIN || how == TREE_MAX)
        return extreme(l, n, e, x, how == TREE_MIN, out);
    TRY(column_sums(l, n, e, x, out));
    if (how == TREE_SUM)
        return O2W_OK;
    struct calc c = calc_begin(l, *out);
    *out = calc_div(&c, *out, calc_number(&c, e->tree_count));
    return c.status;
}

/* Targets for which a row has no weight stay 0, without their base value. */
static o2w_status add_target_base(struct lower *l, const struct node_view *n,
                                  const struct ensemble *e, value x,
                                  const struct tree_numbers *base, value *y)
{
    value has, zero;
    bool all = true;
    TRY(add_base(l, base, *y, y));
    if (base->count)
        TRY(all_covered(l, e, &all));
    if (all)
        return O2W_OK;
    TRY(given_columns(l, n, e, x, &has));
    TRY(scalar_like(l, *y, 0, &zero));
    return op3(l, WEBNN_WHERE, has, *y, zero, y);
}

/* Aggregated, with the base values, transformed; of one column PROBIT alone has an effect. */
static o2w_status regress(struct lower *l, const struct node_view *n, const struct ensemble *e,
                          value x, enum tree_aggregate how, const struct tree_numbers *base,
                          enum post_transform post, value *out)
{
    value y;
    TRY(check_base(l, n, base, e->columns));
    TRY(aggregate(l, n, e, x, how, &y));
    TRY(add_target_base(l, n, e, x, base, &y));
    struct calc c = calc_begin(l, y);
    *out = e->columns == 1 ? post_single(&c, post, y) : post_scores(&c, post, y);
    return c.status;
}

static o2w_status target_count(struct lower *l, const struct node_view *n,
                               const struct given_int *targets, uint32_t *out)
{
    if (!targets->given || targets->value < 1 || targets->value > 1 << 20)
        return refuse_attribute(l, n, "n_targets", "is %lld, 1 to %d are allowed",
                                (long long)targets->value, 1 << 20);
    *out = (uint32_t)targets->value;
    return O2W_OK;
}

static o2w_status lower_regressor(struct lower *l, const struct node_view *n, const void *params)
{
    const struct tree_params *p = params;
    enum tree_aggregate how = aggregate_of(p->aggregate_function);
    struct ensemble e;
    struct tree_numbers base;
    uint32_t targets = 0;
    value x, y;
    TRY(target_count(l, n, &p->n_targets, &targets));
    TRY(read_ensemble(l, n, p, how, targets, &x, &e, &base));
    TRY(regress(l, n, &e, x, how, &base, post_transform_of(p->post_transform), &y));
    return emit_value(l, n, y);
}

struct tree_5_params {
    struct tree_arrays arrays;
    struct given_int n_targets;
    int64_t aggregate_function, post_transform;
};

#define ARRAY(member, attribute) \
    ATTR_(PARAM_INTS, struct tree_5_params, arrays.member, attribute, .required = true)
#define ARRAY_TENSOR(member, attribute, ...) \
    ATTR_(PARAM_TENSOR, struct tree_5_params, arrays.member, attribute, __VA_ARGS__)

static const struct attr_row tree_5_attrs[] = {
    ARRAY(roots, "tree_roots"),
    ARRAY(featureids, "nodes_featureids"),
    ARRAY(yes, "nodes_truenodeids"),
    ARRAY(no, "nodes_falsenodeids"),
    ARRAY(yes_leaf, "nodes_trueleafs"),
    ARRAY(no_leaf, "nodes_falseleafs"),
    ARRAY(leaf_columns, "leaf_targetids"),
    ATTR_(PARAM_INTS, struct tree_5_params, arrays.missing, "nodes_missing_value_tracks_true"),
    ARRAY_TENSOR(modes, "nodes_modes", .required = true),
    ARRAY_TENSOR(splits, "nodes_splits", .required = true),
    ARRAY_TENSOR(leaf_weights, "leaf_weights", .required = true),
    ARRAY_TENSOR(members, "membership_values"),
    { .name = "nodes_hitrates", .type = PARAM_TENSOR, .ignored = true },
    ATTR_GIVEN_INT(struct tree_5_params, n_targets),
    ATTR_INT(struct tree_5_params, aggregate_function, .fallback_int = TREE_SUM,
             .allowed = "0 1 2 3"),
    ATTR_INT(struct tree_5_params, post_transform, .allowed = "0 1 2 3 4"),
};

static o2w_status lower_tree_5(struct lower *l, const struct node_view *n, const void *params)
{
    const struct tree_5_params *p = params;
    const struct tree_numbers no_base = { 0 };
    struct ensemble e;
    uint32_t targets = 0;
    value x, y;
    TRY(target_count(l, n, &p->n_targets, &targets));
    TRY(ml_rows(l, n, &x));
    TRY(ensemble_from_arrays(l, n, &p->arrays, targets, x->dims[1], &e));
    TRY(regress(l, n, &e, x, (enum tree_aggregate)p->aggregate_function, &no_base,
                (enum post_transform)p->post_transform, &y));
    if (p->post_transform == POST_LOGISTIC || p->post_transform == POST_SOFTMAX)
        lower_report(
            l, n, DIAG_LOWER_NOTE,
            "post_transform is %lld: by the text of the operator %s, by the runtime, which is "
            "followed, %s",
            (long long)p->post_transform,
            p->post_transform == POST_LOGISTIC ? "SOFTMAX" : "LOGISTIC",
            p->post_transform == POST_LOGISTIC ? "LOGISTIC" : "SOFTMAX");
    TRY(cast(l, y, input(n, 0)->dtype, &y));
    return emit_value(l, n, y);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

#define TREE_CLASSIFIER(from, to, rows)                                                            \
    {                                                                                              \
        ONNX_ML("TreeEnsembleClassifier", from, to), INPUTS(IN("X", NONE, SET_ML)),                \
            RESULTS(OUT("Y", NONE), OUT_OF("Z", DTYPE_FLOAT32)), PARAMS(struct tree_params, rows), \
            .lower = lower_classifier, .class = CLASS_COMPOSED, .partial = true,                   \
            .webnn = "gather, lesserOrEqual, matmul, equal, cumulativeSum, argMax",                \
            .notes = "PROBIT of one class of two refused; string labels become places in the "     \
                     "output's labels"                                                             \
    }
#define TREE_REGRESSOR(from, to, rows)                                             \
    {                                                                              \
        ONNX_ML("TreeEnsembleRegressor", from, to), INPUTS(IN("X", NONE, SET_ML)), \
            RESULTS(OUT_OF("Y", DTYPE_FLOAT32)), PARAMS(struct tree_params, rows), \
            .lower = lower_regressor, .class = CLASS_COMPOSED,                     \
            .webnn = "gather, lesserOrEqual, matmul, equal, cumulativeSum"         \
    }

const struct onnx_row ml_tree_rows[] = {
    TREE_CLASSIFIER(1, 2, classifier_1_attrs),
    TREE_CLASSIFIER(3, LATEST, classifier_3_attrs),
    TREE_REGRESSOR(1, 2, regressor_1_attrs),
    TREE_REGRESSOR(3, LATEST, regressor_3_attrs),
    { ONNX_ML("TreeEnsemble", 5, LATEST),
      INPUTS(IN("X", T,
                DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT64) | DTYPE_BIT(DTYPE_FLOAT16))),
      RESULTS(OUT("Y", T)), PARAMS(struct tree_5_params, tree_5_attrs), .lower = lower_tree_5,
      .class = CLASS_COMPOSED, .webnn = "gather, lesserOrEqual, matmul, equal, cumulativeSum",
      .notes = "post_transform 1 and 2 as the runtime has them, LOGISTIC and SOFTMAX" },
};
ROW_COUNT(ml_tree);
