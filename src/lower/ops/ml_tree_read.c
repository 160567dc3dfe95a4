/* ai.onnx.ml: decision trees as they are stored. */
#include "lower/ops/ml_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- numbers ------------------------------------------------------------------------------------------ */

static o2w_status tensor_doubles(struct lower *l, const struct onnx_tensor *from,
                                 struct tree_numbers *out)
{
    struct tensor t;
    value v;
    TRY(value_from_tensor(l, from, &v));
    TRY(known_tensor(l, v, &t));
    uint64_t count = tensor_count(&t);
    double *items = count <= UINT32_MAX ? ARENA_ARRAY(lower_arena(l), (size_t)count, double) : NULL;
    if (!items)
        return diag_memory(lower_diags(l));
    for (uint64_t i = 0; i < count; i++)
        items[i] = tensor_get_double(&t, i);
    *out = (struct tree_numbers){ items, (uint32_t)count, t.dtype == DTYPE_FLOAT64 };
    return O2W_OK;
}

o2w_status tree_numbers_of(struct lower *l, const struct node_view *n, const char *name,
                           const struct floats *list, const struct onnx_tensor *tensor,
                           struct tree_numbers *out)
{
    *out = (struct tree_numbers){ 0 };
    if (list->count && tensor)
        return refuse_attribute(l, n, name, "is given as a list and as a tensor");
    if (tensor)
        return tensor_doubles(l, tensor, out);
    double *items = ARENA_ARRAY(lower_arena(l), list->count, double);
    if (!items)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < list->count; i++)
        items[i] = (double)list->items[i];
    *out = (struct tree_numbers){ items, list->count, false };
    return O2W_OK;
}

/* The float32 with the same truth for every float32 x: down for <= and >, up for < and >=; equality with
 * what is no float32 is equality with NaN. Of a double x, which is rounded itself, the nearest one: equal
 * numbers stay equal. */
static float float_threshold(const struct node_view *n, double t, enum tree_mode mode)
{
    float f = (float)t;
    if (isnan(t) || (double)f == t || input(n, 0)->dtype == DTYPE_FLOAT64)
        return f;
    if (mode == TREE_EQ || mode == TREE_NEQ)
        return NAN;
    bool down = mode == TREE_LEQ || mode == TREE_GT;
    if (down && (double)f > t)
        return nextafterf(f, -INFINITY);
    return !down && (double)f < t ? nextafterf(f, INFINITY) : f;
}

/* --- what both forms share ------------------------------------------------------------------------------ */

static o2w_status ensemble_room(struct lower *l, const struct node_view *n, struct ensemble *e,
                                uint32_t nodes, uint32_t leaves, uint32_t trees)
{
    uint64_t cells = (uint64_t)leaves * e->columns;
    struct arena *a = lower_arena(l);
    if (nodes == 0 || nodes > MOST_TREE_NODES || cells > (uint64_t)1 << 28)
        return refuse(l, n, DIAG_LOWER_LIMIT,
                      "%u nodes of trees with %llu weights, at most %d nodes are allowed", nodes,
                      (unsigned long long)cells, MOST_TREE_NODES);
    e->nodes = ARENA_ARRAY(a, nodes, struct tree_node);
    e->roots = ARENA_ARRAY(a, trees, uint32_t);
    e->weights = ARENA_ARRAY(a, (size_t)cells, double);
    e->given = ARENA_ARRAY(a, (size_t)cells, uint32_t);
    if (!e->nodes || !e->roots || !e->weights || !e->given)
        return diag_memory(lower_diags(l));
    return O2W_OK;
}

static o2w_status check_feature(struct lower *l, const struct node_view *n, int64_t feature,
                                int64_t features)
{
    if (feature >= 0 && feature < features)
        return O2W_OK;
    return refuse_attribute(l, n, "nodes_featureids", "holds %lld, the input has %lld features",
                            (long long)feature, (long long)features);
}

/* One weight more of a leaf. Values of a column are added, or the least or greatest of them counts; where
 * there is one column alone, the first. */
static o2w_status add_weight(struct lower *l, const struct node_view *n, struct ensemble *e,
                             uint32_t leaf, int64_t column, double weight,
                             enum tree_aggregate aggregate)
{
    if (column < 0 || column >= e->columns)
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE, "a leaf has a weight for column %lld of %u",
                      (long long)column, e->columns);
    if (!isfinite((float)weight))
        return refuse(l, n, DIAG_LOWER_VALUE, "a leaf has the weight %g", weight);
    size_t at = (size_t)leaf * e->columns + (size_t)column;
    double *held = &e->weights[at];
    if (e->given[at]++ == 0)
        *held = weight;
    else if (e->columns == 1)
        lower_report(l, n, DIAG_LOWER_NOTE,
                     "of several weights of a leaf the runtime takes the first one here");
    else if (aggregate == TREE_MIN || aggregate == TREE_MAX)
        *held = aggregate == TREE_MIN ? fmin(*held, weight) : fmax(*held, weight);
    else
        *held += weight;
    e->negative |= weight < 0;
    return O2W_OK;
}

struct walk {
    uint32_t node, depth;
};

/* One tree from its root: each node once. */
static o2w_status walk_tree(struct lower *l, const struct node_view *n, struct ensemble *e,
                            uint32_t root, bool *seen, struct walk *stack)
{
    uint32_t top = 0, inner = 0, leaves = 0;
    stack[top++] = (struct walk){ root, 0 };
    while (top) {
        struct walk w = stack[--top];
        const struct tree_node *node = &e->nodes[w.node];
        if (seen[w.node])
            return refuse(l, n, DIAG_LOWER_VALUE,
                          "node %u of the trees is reached twice: a cycle, or no tree", w.node);
        seen[w.node] = true;
        e->depth = w.depth > e->depth ? w.depth : e->depth;
        if (node->mode == TREE_LEAF) {
            leaves++;
            continue;
        }
        inner++;
        stack[top++] = (struct walk){ node->no, w.depth + 1 };
        stack[top++] = (struct walk){ node->yes, w.depth + 1 };
    }
    e->most_inner = inner > e->most_inner ? inner : e->most_inner;
    e->most_leaves = leaves > e->most_leaves ? leaves : e->most_leaves;
    return O2W_OK;
}

static o2w_status check_trees(struct lower *l, const struct node_view *n, struct ensemble *e)
{
    bool *seen = ARENA_ARRAY(lower_arena(l), e->node_count, bool);
    struct walk *stack = ARENA_ARRAY(lower_arena(l), (size_t)e->node_count + 2, struct walk);
    if (!seen || !stack)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < e->tree_count; i++)
        TRY(walk_tree(l, n, e, e->roots[i], seen, stack));
    for (uint32_t i = 0; i < e->node_count; i++) {
        if (!seen[i])
            return refuse(l, n, DIAG_LOWER_VALUE, "node %u of the trees is reached from no root",
                          i);
        if (e->nodes[i].member_count > e->most_members)
            e->most_members = e->nodes[i].member_count;
    }
    if (e->most_members > MOST_TREE_MEMBERS)
        return refuse(l, n, DIAG_LOWER_LIMIT, "a node has %u members, %d are allowed",
                      e->most_members, MOST_TREE_MEMBERS);
    return O2W_OK;
}

/* --- the older form: nodes by tree and number ------------------------------------------------------------- */

struct node_key {
    int64_t tree, node;
    uint32_t index;
};

static int compare_keys(const void *a, const void *b)
{
    const struct node_key *x = a, *y = b;
    if (x->tree != y->tree)
        return x->tree < y->tree ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static const struct node_key *find_node(const struct node_key *keys, uint32_t count, int64_t tree,
                                        int64_t node)
{
    struct node_key wanted = { .tree = tree, .node = node };
    return bsearch(&wanted, keys, count, sizeof *keys, compare_keys);
}

static o2w_status sorted_keys(struct lower *l, const struct node_view *n,
                              const struct tree_lists *p, struct node_key **out)
{
    uint32_t count = p->nodeids.count;
    struct node_key *keys = ARENA_ARRAY(lower_arena(l), count, struct node_key);
    if (!keys)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < count; i++)
        keys[i] = (struct node_key){ p->treeids.items[i], p->nodeids.items[i], i };
    qsort(keys, count, sizeof *keys, compare_keys);
    for (uint32_t i = 1; i < count; i++)
        if (compare_keys(&keys[i - 1], &keys[i]) == 0)
            return refuse(l, n, DIAG_LOWER_VALUE, "node %lld of tree %lld is given twice",
                          (long long)keys[i].node, (long long)keys[i].tree);
    *out = keys;
    return O2W_OK;
}

static o2w_status mode_of(struct lower *l, const struct node_view *n, struct span text,
                          enum tree_mode *out)
{
    static const char *const names[] = {
        [TREE_LEQ] = "BRANCH_LEQ", [TREE_LT] = "BRANCH_LT", [TREE_GTE] = "BRANCH_GTE",
        [TREE_GT] = "BRANCH_GT",   [TREE_EQ] = "BRANCH_EQ", [TREE_NEQ] = "BRANCH_NEQ",
        [TREE_MEMBER] = "",        [TREE_LEAF] = "LEAF",
    };
    for (unsigned i = 0; i < TREE_MODES; i++)
        if (names[i][0] && span_is(text, names[i])) {
            *out = (enum tree_mode)i;
            return O2W_OK;
        }
    return refuse_attribute(l, n, "nodes_modes", "holds '%.*s'", SPAN_ARG(text));
}

static o2w_status read_node(struct lower *l, const struct node_view *n, const struct tree_lists *p,
                            const struct node_key *keys, uint32_t i, int64_t features,
                            struct ensemble *e)
{
    struct tree_node *node = &e->nodes[i];
    TRY(mode_of(l, n, p->modes.items[i], &node->mode));
    if (node->mode == TREE_LEAF) {
        node->leaf = e->leaf_count++;
        return O2W_OK;
    }
    int64_t tree = p->treeids.items[i];
    const struct node_key *yes = find_node(keys, p->nodeids.count, tree, p->yes.items[i]);
    const struct node_key *no = find_node(keys, p->nodeids.count, tree, p->no.items[i]);
    if (!yes || !no)
        return refuse(l, n, DIAG_LOWER_VALUE,
                      "node %lld of tree %lld leads to %lld, which is not there",
                      (long long)p->nodeids.items[i], (long long)tree,
                      (long long)(yes ? p->no.items[i] : p->yes.items[i]));
    TRY(check_feature(l, n, p->featureids.items[i], features));
    node->feature = (uint32_t)p->featureids.items[i];
    node->threshold = float_threshold(n, p->values.items[i], node->mode);
    node->missing_true = p->missing.count && p->missing.items[i] != 0;
    node->yes = yes->index;
    node->no = no->index;
    return O2W_OK;
}

static o2w_status check_lengths(struct lower *l, const struct node_view *n,
                                const struct tree_lists *p)
{
    uint32_t count = p->nodeids.count;
    TRY(ml_count(l, n, "nodes_treeids", p->treeids.count, count));
    TRY(ml_count(l, n, "nodes_featureids", p->featureids.count, count));
    TRY(ml_count(l, n, "nodes_truenodeids", p->yes.count, count));
    TRY(ml_count(l, n, "nodes_falsenodeids", p->no.count, count));
    TRY(ml_count(l, n, "nodes_modes", p->modes.count, count));
    TRY(ml_count(l, n, "nodes_values", p->values.count, count));
    if (p->missing.count)
        TRY(ml_count(l, n, "nodes_missing_value_tracks_true", p->missing.count, count));
    TRY(ml_count(l, n, "treeids of leaves", p->leaf_treeids.count, p->leaf_weights.count));
    TRY(ml_count(l, n, "nodeids of leaves", p->leaf_nodeids.count, p->leaf_weights.count));
    return ml_count(l, n, "ids of leaves", p->leaf_columns.count, p->leaf_weights.count);
}

/* A tree begins where the tree's number changes; its first node is its root. */
static o2w_status find_roots(struct lower *l, const struct node_view *n, const struct tree_lists *p,
                             const struct node_key *keys, struct ensemble *e)
{
    uint32_t trees = 0;
    for (uint32_t i = 0; i < e->node_count; i++)
        if (i == 0 || p->treeids.items[i] != p->treeids.items[i - 1])
            e->roots[e->tree_count++] = i;
    for (uint32_t i = 0; i < e->node_count; i++)
        trees += i == 0 || keys[i].tree != keys[i - 1].tree;
    if (trees != e->tree_count)
        return refuse_attribute(l, n, "nodes_treeids",
                                "has the nodes of one tree in several places");
    return O2W_OK;
}

static o2w_status read_weights(struct lower *l, const struct node_view *n,
                               const struct tree_lists *p, const struct node_key *keys,
                               struct ensemble *e)
{
    for (uint32_t i = 0; i < p->leaf_weights.count; i++) {
        int64_t tree = p->leaf_treeids.items[i], node = p->leaf_nodeids.items[i];
        const struct node_key *key = find_node(keys, e->node_count, tree, node);
        if (!key)
            return refuse(l, n, DIAG_LOWER_VALUE,
                          "a weight is of node %lld of tree %lld, which is not there",
                          (long long)node, (long long)tree);
        const struct tree_node *leaf = &e->nodes[key->index];
        if (leaf->mode != TREE_LEAF)
            lower_report(l, n, DIAG_LOWER_NOTE,
                         "weights of nodes that are no leaves have no effect");
        else
            TRY(add_weight(l, n, e, leaf->leaf, p->leaf_columns.items[i], p->leaf_weights.items[i],
                           p->aggregate));
    }
    for (uint32_t i = 0; e->columns == 1 && i < e->leaf_count; i++)
        e->given[i] = 1; /* of one column every leaf has a value, without a weight 0 */
    return O2W_OK;
}

o2w_status ensemble_from_lists(struct lower *l, const struct node_view *n,
                               const struct tree_lists *p, uint32_t columns, int64_t features,
                               struct ensemble *out)
{
    struct node_key *keys = NULL;
    uint32_t count = p->nodeids.count, leaves = 0;
    *out = (struct ensemble){ .columns = columns, .node_count = count };
    TRY(check_lengths(l, n, p));
    for (uint32_t i = 0; i < count; i++)
        leaves += span_is(p->modes.items[i], "LEAF");
    TRY(ensemble_room(l, n, out, count, leaves, count));
    TRY(sorted_keys(l, n, p, &keys));
    for (uint32_t i = 0; i < count; i++)
        TRY(read_node(l, n, p, keys, i, features, out));
    TRY(find_roots(l, n, p, keys, out));
    TRY(check_trees(l, n, out));
    return read_weights(l, n, p, keys, out);
}

/* --- TreeEnsemble 5: leaves apart ---------------------------------------------------------------------------- */

/* Every way that leads to a leaf ends in a node of its own. */
static o2w_status child_of(struct lower *l, const struct node_view *n, const struct tree_arrays *p,
                           struct ensemble *e, bool leaf, int64_t id, uint32_t *out)
{
    int64_t limit = leaf ? p->leaf_columns.count : p->featureids.count;
    if (id < 0 || id >= limit)
        return refuse(l, n, DIAG_LOWER_VALUE, "a node leads to %s %lld of %lld",
                      leaf ? "leaf" : "node", (long long)id, (long long)limit);
    *out = (uint32_t)id;
    if (!leaf)
        return O2W_OK;
    *out = e->node_count++;
    e->nodes[*out] = (struct tree_node){ .mode = TREE_LEAF, .leaf = (uint32_t)id };
    return O2W_OK;
}

/* Members stand in the order of their nodes, each list ends with NaN. */
static o2w_status take_members(struct lower *l, const struct node_view *n,
                               const struct tree_numbers *members, uint32_t *at, struct ensemble *e,
                               struct tree_node *node)
{
    node->first_member = *at;
    while (*at < members->count && !isnan(members->items[*at])) {
        e->members[*at] = float_threshold(n, members->items[*at], TREE_EQ);
        node->member_count++;
        ++*at;
    }
    if (*at >= members->count)
        return refuse_attribute(l, n, "membership_values", "ends before the members of a node do");
    ++*at;
    return O2W_OK;
}

struct arrays_read {
    struct tensor modes;
    struct tree_numbers splits, weights, members;
};

static o2w_status read_arrays(struct lower *l, const struct node_view *n,
                              const struct tree_arrays *p, struct arrays_read *r)
{
    const struct floats none = { 0 };
    uint32_t count = p->featureids.count;
    value modes;
    *r = (struct arrays_read){ 0 };
    TRY(value_from_tensor(l, p->modes, &modes));
    TRY(known_tensor(l, modes, &r->modes));
    if (r->modes.dtype != DTYPE_UINT8)
        return refuse_attribute(l, n, "nodes_modes", "has type %s, uint8 is needed",
                                dtype_name(r->modes.dtype));
    TRY(tree_numbers_of(l, n, "nodes_splits", &none, p->splits, &r->splits));
    TRY(tree_numbers_of(l, n, "leaf_weights", &none, p->leaf_weights, &r->weights));
    if (p->members)
        TRY(tree_numbers_of(l, n, "membership_values", &none, p->members, &r->members));
    TRY(ml_count(l, n, "nodes_modes", tensor_count(&r->modes), count));
    TRY(ml_count(l, n, "nodes_splits", r->splits.count, count));
    TRY(ml_count(l, n, "nodes_truenodeids", p->yes.count, count));
    TRY(ml_count(l, n, "nodes_falsenodeids", p->no.count, count));
    TRY(ml_count(l, n, "nodes_trueleafs", p->yes_leaf.count, count));
    TRY(ml_count(l, n, "nodes_falseleafs", p->no_leaf.count, count));
    if (p->missing.count)
        TRY(ml_count(l, n, "nodes_missing_value_tracks_true", p->missing.count, count));
    return ml_count(l, n, "leaf_weights", r->weights.count, p->leaf_columns.count);
}

static o2w_status read_inner(struct lower *l, const struct node_view *n,
                             const struct tree_arrays *p, const struct arrays_read *r,
                             int64_t features, struct ensemble *e)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < p->featureids.count; i++) {
        struct tree_node *node = &e->nodes[i];
        int64_t mode = tensor_get_i64(&r->modes, i);
        if (mode > TREE_MEMBER)
            return refuse_attribute(l, n, "nodes_modes", "holds %lld, 0 to %d are allowed",
                                    (long long)mode, TREE_MEMBER);
        TRY(check_feature(l, n, p->featureids.items[i], features));
        node->mode = (enum tree_mode)mode;
        node->feature = (uint32_t)p->featureids.items[i];
        node->threshold = float_threshold(n, r->splits.items[i], node->mode);
        node->missing_true = p->missing.count && p->missing.items[i] != 0;
        if (node->mode == TREE_MEMBER)
            TRY(take_members(l, n, &r->members, &at, e, node));
        TRY(child_of(l, n, p, e, p->yes_leaf.items[i] != 0, p->yes.items[i], &node->yes));
        TRY(child_of(l, n, p, e, p->no_leaf.items[i] != 0, p->no.items[i], &node->no));
    }
    return O2W_OK;
}

o2w_status ensemble_from_arrays(struct lower *l, const struct node_view *n,
                                const struct tree_arrays *p, uint32_t columns, int64_t features,
                                struct ensemble *out)
{
    struct arrays_read r;
    uint32_t count = p->featureids.count;
    *out = (struct ensemble){ .columns = columns,
                              .node_count = count,
                              .leaf_count = p->leaf_columns.count };
    TRY(read_arrays(l, n, p, &r));
    if (count > MOST_TREE_NODES)
        return refuse(l, n, DIAG_LOWER_LIMIT, "%u nodes of trees, at most %d are allowed", count,
                      MOST_TREE_NODES);
    TRY(ensemble_room(l, n, out, 3 * count, out->leaf_count, p->roots.count));
    out->members = ARENA_ARRAY(lower_arena(l), r.members.count, float);
    if (!out->members)
        return diag_memory(lower_diags(l));
    TRY(read_inner(l, n, p, &r, features, out));
    for (uint32_t i = 0; i < p->roots.count; i++) {
        if (p->roots.items[i] < 0 || p->roots.items[i] >= count)
            return refuse_attribute(l, n, "tree_roots", "holds %lld of %u nodes",
                                    (long long)p->roots.items[i], count);
        out->roots[out->tree_count++] = (uint32_t)p->roots.items[i];
    }
    for (uint32_t i = 0; i < out->leaf_count; i++)
        TRY(add_weight(l, n, out, i, p->leaf_columns.items[i], r.weights.items[i], TREE_SUM));
    return check_trees(l, n, out);
}
