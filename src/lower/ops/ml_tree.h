/* Ensembles of decision trees, as both forms of ai.onnx.ml read. */
#ifndef LOWER_OPS_ML_TREE_H
#define LOWER_OPS_ML_TREE_H

#include "lower/ops/ml.h"

/* In the order of the numbers that TreeEnsemble 5 has for them; LEAF is of the older forms alone. */
enum tree_mode {
    TREE_LEQ,
    TREE_LT,
    TREE_GTE,
    TREE_GT,
    TREE_EQ,
    TREE_NEQ,
    TREE_MEMBER,
    TREE_LEAF,
    TREE_MODES
};
enum tree_aggregate { TREE_AVERAGE, TREE_SUM, TREE_MIN, TREE_MAX };

enum { MOST_TREE_NODES = 1 << 22, MOST_TREE_DEPTH = 64, MOST_TREE_MEMBERS = 256 };

struct tree_node {
    enum tree_mode mode;
    bool missing_true; /* NaN goes the way of `yes` */
    uint32_t feature;
    float threshold;  /* of float32 numbers it has the truth of the given one */
    uint32_t yes, no; /* nodes */
    uint32_t first_member, member_count;
    uint32_t leaf; /* LEAF: row of the weights */
};

/* Nodes by number; each is in one tree, and each tree is whole. */
struct ensemble {
    struct tree_node *nodes;
    uint32_t node_count, leaf_count, tree_count, columns;
    uint32_t *roots;
    float *members;
    /* [leaf][column]: the value, and the number of values that were given for it */
    double *weights;
    uint32_t *given;
    bool negative;                                         /* some weight is */
    uint32_t depth, most_inner, most_leaves, most_members; /* of one tree, of one node */
};

/* --- reading: ml_tree_read.c --------------------------------------------------------------------- */

/* Numbers of an attribute, a list or a tensor. */
struct tree_numbers {
    const double *items;
    uint32_t count;
    bool wide; /* were doubles */
};
o2w_status tree_numbers_of(struct lower *l, const struct node_view *n, const char *name,
                           const struct floats *list, const struct onnx_tensor *tensor,
                           struct tree_numbers *out);

/* Attributes of the older form, in its words. */
struct tree_lists {
    struct ints treeids, nodeids, featureids, yes, no, missing;
    struct texts modes;
    struct tree_numbers values;
    struct ints leaf_treeids, leaf_nodeids, leaf_columns;
    struct tree_numbers leaf_weights;
    enum tree_aggregate aggregate;
};
o2w_status ensemble_from_lists(struct lower *l, const struct node_view *n,
                               const struct tree_lists *p, uint32_t columns, int64_t features,
                               struct ensemble *out);

/* Attributes of TreeEnsemble 5. */
struct tree_arrays {
    struct ints roots, featureids, yes, no, yes_leaf, no_leaf, missing, leaf_columns;
    const struct onnx_tensor *modes, *splits, *leaf_weights, *members;
};
o2w_status ensemble_from_arrays(struct lower *l, const struct node_view *n,
                                const struct tree_arrays *p, uint32_t columns, int64_t features,
                                struct ensemble *out);

/* --- forms: ml_tree_forms.c ------------------------------------------------------------------------ */

/* A table [leaf][width] at the leaves that the rows of x [N, F] reach: [T, N, width]. */
o2w_status ensemble_leaves(struct lower *l, const struct node_view *n, const struct ensemble *e,
                           value x, const float *table, uint32_t width, value *out);
/* The sum over trees, one after the other: [N, width]. */
o2w_status ensemble_sum(struct lower *l, value leaves, value *out);

#endif
