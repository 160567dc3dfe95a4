/* ai.onnx.ml: decision trees in WebNN's words. Small trees are asked whole: all tests at once, and the
 * leaf where every test on its path agrees. Others are walked down, all rows and trees a level at a time. */
#include "lower/ops/ml_tree.h"

#include <math.h>
#include <string.h>

/* --- tests ------------------------------------------------------------------------------------------------ */

/* What the tests of some nodes need, element by element. */
struct tests {
    const struct ensemble *e;
    bool modes[TREE_MODES]; /* that occur */
    unsigned mode_count;
    bool missing;
    value threshold, mode, tracks; /* tables; mode uint8, tracks uint8 */
    value members[MOST_TREE_MEMBERS];
};

static value compared(struct calc *c, enum tree_mode mode, value x, value t)
{
    switch (mode) {
    case TREE_LEQ: return calc_less_equal(c, x, t);
    case TREE_LT: return calc_less(c, x, t);
    case TREE_GTE: return calc_greater_equal(c, x, t);
    case TREE_GT: return calc_greater(c, x, t);
    case TREE_EQ: return calc_equal(c, x, t);
    case TREE_NEQ: return calc_not_equal(c, x, t);
    case TREE_MEMBER:
    case TREE_LEAF:
    case TREE_MODES: break;
    }
    return NULL;
}

/* The table itself where `at` is NULL, else its elements there. */
static value table_at(struct calc *c, value table, value at)
{
    struct webnn_gather_attributes a = webnn_gather_defaults();
    value y = table;
    if (at && c->status == O2W_OK)
        c->status = op(c->l, WEBNN_GATHER, OPERANDS(table, at), &a, &y);
    return y;
}

static value member_test(struct calc *c, const struct tests *t, value x, value at)
{
    value y = calc_equal(c, x, table_at(c, t->members[0], at));
    for (uint32_t i = 1; i < t->e->most_members; i++)
        y = calc_or(c, y, calc_equal(c, x, table_at(c, t->members[i], at)));
    return y;
}

/* uint8: whether x goes the way of `yes` at the nodes `at` (NULL: at all, in the tables' order). */
static value tested(struct calc *c, const struct tests *t, value x, value at)
{
    value y = NULL, threshold = table_at(c, t->threshold, at);
    value mode = t->mode_count > 1 ? table_at(c, t->mode, at) : NULL;
    for (unsigned m = 0; m < TREE_LEAF; m++) {
        if (!t->modes[m])
            continue;
        value test = m == TREE_MEMBER ? member_test(c, t, x, at)
                                      : compared(c, (enum tree_mode)m, x, threshold);
        if (y) {
            struct calc whole = { .l = c->l, .dtype = DTYPE_UINT8, .status = c->status };
            value here = calc_equal(&whole, mode, calc_number(&whole, m));
            c->status = whole.status;
            y = calc_where(c, here, test, y);
        } else {
            y = test;
        }
    }
    if (!t->missing)
        return y;
    value nan = calc_op(c, WEBNN_IS_NAN, x, NULL, NULL);
    return calc_or(c, y, calc_and(c, nan, table_at(c, t->tracks, at)));
}

static o2w_status member_tables(struct lower *l, struct tests *t, const uint32_t *order,
                                uint32_t count)
{
    const struct ensemble *e = t->e;
    const dim size = count;
    for (uint32_t k = 0; k < e->most_members; k++) {
        struct tensor table;
        TRY(known_new(l, DTYPE_FLOAT32, &size, 1, &table, &t->members[k]));
        for (uint32_t i = 0; i < count; i++) {
            const struct tree_node *node = order[i] == NO_ID ? NULL : &e->nodes[order[i]];
            bool has = node && k < node->member_count;
            tensor_put_double(&table, i, has ? (double)e->members[node->first_member + k] : NAN);
        }
    }
    return O2W_OK;
}

/* Tables of the nodes in `order`; NO_ID is a place that holds none. */
static o2w_status make_tests(struct lower *l, const struct ensemble *e, const uint32_t *order,
                             uint32_t count, struct tests *t)
{
    const dim size = count;
    struct tensor threshold, mode, tracks;
    *t = (struct tests){ .e = e };
    TRY(known_new(l, DTYPE_FLOAT32, &size, 1, &threshold, &t->threshold));
    TRY(known_new(l, DTYPE_UINT8, &size, 1, &mode, &t->mode));
    TRY(known_new(l, DTYPE_UINT8, &size, 1, &tracks, &t->tracks));
    for (uint32_t i = 0; i < count; i++) {
        const struct tree_node *node = order[i] == NO_ID ? NULL : &e->nodes[order[i]];
        if (!node || node->mode == TREE_LEAF)
            continue;
        t->mode_count += !t->modes[node->mode];
        t->modes[node->mode] = true;
        t->missing |= node->missing_true;
        tensor_put_double(&threshold, i, (double)node->threshold);
        tensor_put_i64(&mode, i, node->mode);
        tensor_put_i64(&tracks, i, node->missing_true);
    }
    if (t->mode_count == 0)
        t->modes[TREE_LEQ] = true; /* leaves alone */
    return member_tables(l, t, order, count);
}

/* --- all tests at once ---------------------------------------------------------------------------------------- */

/* Inner nodes and leaves of each tree, padded to the largest. */
struct layout {
    uint32_t trees, inner, leaves;
    uint32_t *nodes;           /* [tree][inner]: node, or NO_ID */
    struct tensor path, count; /* [T, I, L] of 1, -1, 0; [T, 1, L] of the tests that must hold */
    struct tensor weights;     /* [T, L, W] */
    uint32_t *places;          /* of the path to the node at work */
    bool *ways;
};

struct step_down {
    uint32_t node, depth, from; /* inner place that it comes from */
    bool way;
};

static void put_leaf(struct layout *y, uint32_t tree, uint32_t leaf, uint32_t depth,
                     const float *row, uint32_t width)
{
    uint32_t held = 0;
    for (uint32_t i = 0; i < depth; i++) {
        uint64_t at = ((uint64_t)tree * y->inner + y->places[i]) * y->leaves + leaf;
        ((float *)y->path.data)[at] = y->ways[i] ? 1 : -1;
        held += y->ways[i];
    }
    ((float *)y->count.data)[(uint64_t)tree * y->leaves + leaf] = (float)held;
    memcpy((float *)y->weights.data + ((uint64_t)tree * y->leaves + leaf) * width, row,
           width * sizeof *row);
}

/* Depth first: the path to a node is what was taken before it at lesser depths. */
static void lay_tree(const struct ensemble *e, struct layout *y, uint32_t tree,
                     struct step_down *stack, const float *table, uint32_t width)
{
    uint32_t top = 0, inner = 0, leaf = 0;
    stack[top++] = (struct step_down){ .node = e->roots[tree] };
    while (top) {
        struct step_down s = stack[--top];
        const struct tree_node *node = &e->nodes[s.node];
        if (s.depth) {
            y->places[s.depth - 1] = s.from;
            y->ways[s.depth - 1] = s.way;
        }
        if (node->mode == TREE_LEAF) {
            put_leaf(y, tree, leaf++, s.depth, table + (size_t)node->leaf * width, width);
            continue;
        }
        y->nodes[(size_t)tree * y->inner + inner] = s.node;
        stack[top++] = (struct step_down){ node->no, s.depth + 1, inner, false };
        stack[top++] = (struct step_down){ node->yes, s.depth + 1, inner, true };
        inner++;
    }
}

static o2w_status lay_out(struct lower *l, const struct ensemble *e, const float *table,
                          uint32_t width, struct layout *y, value *path, value *count,
                          value *weights)
{
    struct arena *a = lower_arena(l);
    *y = (struct layout){ .trees = e->tree_count,
                          .inner = e->most_inner ? e->most_inner : 1,
                          .leaves = e->most_leaves };
    const dim path_dims[3] = { y->trees, y->inner, y->leaves };
    const dim count_dims[3] = { y->trees, 1, y->leaves };
    const dim weight_dims[3] = { y->trees, y->leaves, width };
    size_t places = (size_t)y->trees * y->inner;
    struct step_down *stack = ARENA_ARRAY(a, (size_t)e->node_count + 2, struct step_down);
    y->nodes = ARENA_ARRAY(a, places, uint32_t);
    y->places = ARENA_ARRAY(a, (size_t)e->depth + 1, uint32_t);
    y->ways = ARENA_ARRAY(a, (size_t)e->depth + 1, bool);
    if (!stack || !y->nodes || !y->places || !y->ways)
        return diag_memory(lower_diags(l));
    TRY(known_new(l, DTYPE_FLOAT32, path_dims, 3, &y->path, path));
    TRY(known_new(l, DTYPE_FLOAT32, count_dims, 3, &y->count, count));
    TRY(known_new(l, DTYPE_FLOAT32, weight_dims, 3, &y->weights, weights));
    for (size_t i = 0; i < places; i++)
        y->nodes[i] = NO_ID;
    for (uint64_t i = 0; i < tensor_count(&y->count); i++)
        ((float *)y->count.data)[i] = -1; /* a leaf that is none: never reached */
    for (uint32_t t = 0; t < y->trees; t++)
        lay_tree(e, y, t, stack, table, width);
    return O2W_OK;
}

static o2w_status features_of(struct lower *l, const struct ensemble *e, const uint32_t *order,
                              uint32_t count, enum dtype dtype, value *out)
{
    struct tensor t;
    const dim size = count;
    TRY(known_new(l, dtype, &size, 1, &t, out));
    for (uint32_t i = 0; i < count; i++)
        tensor_put_i64(&t, i, order[i] == NO_ID ? 0 : e->nodes[order[i]].feature);
    return O2W_OK;
}

static o2w_status ask_all(struct lower *l, const struct ensemble *e, value x, const float *table,
                          uint32_t width, value *out)
{
    static const uint32_t tree_first[3] = { 1, 0, 2 };
    struct webnn_gather_attributes a = webnn_gather_defaults();
    struct layout y;
    struct tests t;
    value path = NULL, count = NULL, weights = NULL, features, at, tests;
    TRY(lay_out(l, e, table, width, &y, &path, &count, &weights));
    uint32_t places = y.trees * y.inner;
    TRY(make_tests(l, e, y.nodes, places, &t));
    TRY(features_of(l, e, y.nodes, places, DTYPE_INT32, &features));
    a.axis = 1;
    TRY(op(l, WEBNN_GATHER, OPERANDS(x, features), &a, &at));
    struct calc c = calc_begin(l, at);
    tests = calc_cast(&c, tested(&c, &t, at, NULL), DTYPE_FLOAT32);
    TRY(c.status);
    const dim dims[3] = { x->dims[0], y.trees, y.inner };
    TRY(reshape(l, tests, dims, 3, &tests));
    TRY(transpose(l, tests, tree_first, &tests));
    TRY(op2(l, WEBNN_MATMUL, tests, path, &tests));
    value hit = calc_cast(&c, calc_equal(&c, tests, count), DTYPE_FLOAT32);
    TRY(c.status);
    return op2(l, WEBNN_MATMUL, hit, weights, out);
}

/* --- level by level -------------------------------------------------------------------------------------------- */

/* Tables by node: where it leads; leaves lead to themselves. */
struct ways {
    value feature, yes, no, leaf;
};

static o2w_status make_ways(struct lower *l, const struct ensemble *e, const uint32_t *order,
                            struct ways *w)
{
    const dim size = e->node_count;
    struct tensor yes, no, leaf;
    TRY(features_of(l, e, order, e->node_count, DTYPE_INT32, &w->feature));
    TRY(known_new(l, DTYPE_INT32, &size, 1, &yes, &w->yes));
    TRY(known_new(l, DTYPE_INT32, &size, 1, &no, &w->no));
    TRY(known_new(l, DTYPE_INT32, &size, 1, &leaf, &w->leaf));
    for (uint32_t i = 0; i < e->node_count; i++) {
        bool ends = e->nodes[i].mode == TREE_LEAF;
        tensor_put_i64(&yes, i, ends ? i : e->nodes[i].yes);
        tensor_put_i64(&no, i, ends ? i : e->nodes[i].no);
        tensor_put_i64(&leaf, i, ends ? e->nodes[i].leaf : 0);
    }
    return O2W_OK;
}

/* The root of each tree for each row. */
static o2w_status begin_walk(struct lower *l, const struct ensemble *e, value x, value *out)
{
    struct tensor roots;
    const dim one[2] = { 1, e->tree_count }, all[2] = { x->dims[0], e->tree_count };
    TRY(known_new(l, DTYPE_INT32, one, 2, &roots, out));
    for (uint32_t i = 0; i < e->tree_count; i++)
        tensor_put_i64(&roots, i, e->roots[i]);
    return expand(l, *out, all, 2, out);
}

static value one_level(struct calc *c, const struct tests *t, const struct ways *w, value x,
                       value at)
{
    struct webnn_gather_elements_attributes a = { .axis = 1 };
    value number = NULL, feature = table_at(c, w->feature, at);
    if (c->status == O2W_OK)
        c->status = op(c->l, WEBNN_GATHER_ELEMENTS, OPERANDS(x, feature), &a, &number);
    value test = tested(c, t, number, at);
    return calc_where(c, test, table_at(c, w->yes, at), table_at(c, w->no, at));
}

static o2w_status walk_down(struct lower *l, const struct node_view *n, const struct ensemble *e,
                            value x, const float *table, uint32_t width, value *out)
{
    static const uint32_t tree_first[3] = { 1, 0, 2 };
    uint32_t *order = ARENA_ARRAY(lower_arena(l), e->node_count, uint32_t);
    const dim dims[2] = { e->leaf_count, width };
    struct tests t;
    struct ways w;
    value at, weights, y;
    if (!order)
        return diag_memory(lower_diags(l));
    if (e->depth > MOST_TREE_DEPTH)
        return refuse(l, n, DIAG_LOWER_LIMIT, "a tree is %u levels deep, %d are allowed", e->depth,
                      MOST_TREE_DEPTH);
    for (uint32_t i = 0; i < e->node_count; i++)
        order[i] = i;
    TRY(make_tests(l, e, order, e->node_count, &t));
    TRY(make_ways(l, e, order, &w));
    TRY(ml_floats(l, table, dims, 2, &weights));
    TRY(begin_walk(l, e, x, &at));
    struct calc c = calc_begin(l, x);
    for (uint32_t i = 0; i < e->depth; i++)
        at = one_level(&c, &t, &w, x, at);
    y = table_at(&c, weights, table_at(&c, w.leaf, at));
    TRY(c.status);
    return transpose(l, y, tree_first, out);
}

o2w_status ensemble_leaves(struct lower *l, const struct node_view *n, const struct ensemble *e,
                           value x, const float *table, uint32_t width, value *out)
{
    const uint64_t cells = (uint64_t)e->tree_count * (e->most_inner ? e->most_inner : 1);
    if (e->tree_count == 0)
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE, "there is no tree");
    if (e->most_leaves <= 128 && cells * e->most_leaves <= 1 << 22)
        return ask_all(l, e, x, table, width, out);
    return walk_down(l, n, e, x, table, width, out);
}

o2w_status ensemble_sum(struct lower *l, value leaves, value *out)
{
    const uint32_t front = 0;
    dim trees = leaves->dims[0];
    value sums = leaves;
    if (trees > 1) {
        struct webnn_cumulative_sum_attributes a = { .axis = 0 };
        TRY(op(l, WEBNN_CUMULATIVE_SUM, OPERANDS(leaves), &a, &sums));
        TRY(slice(l, sums, 0, trees - 1, 1, 1, &sums));
    }
    return squeeze(l, sums, &front, 1, out);
}
