/* ai.onnx.ml: ensembles of trees. */
#include "runner.h"

enum { LEVELS = 8, LEAVES = 1 << LEVELS, NODES = 2 * LEAVES - 1 };

/* A tree of one feature whose leaves are worth their number, in order. */
struct tree {
    size_t nodes, leaves;
    int64_t number[NODES], yes[NODES], no[NODES], missing[NODES], leaf[LEAVES];
    float split[NODES];
    const char *mode;
};

static void put_leaf(struct tree *t, int64_t node)
{
    t->leaf[t->leaves++] = node;
}

static void put_inner(struct tree *t, int64_t node, int64_t yes, int64_t no, float split)
{
    t->yes[node] = yes;
    t->no[node] = no;
    t->split[node] = split;
}

static void put_modes(struct model_builder *b, const struct tree *t)
{
    static char modes[16 * NODES];
    size_t size = 0;
    for (size_t i = 0; i < t->nodes; i++) {
        for (const char *c = t->yes[i] ? t->mode : "LEAF"; *c; c++)
            modes[size++] = *c;
        modes[size++] = ' ';
    }
    modes[size - 1] = 0;
    mb_string_list(b, "nodes_modes", modes);
}

static void put_tree(struct model_builder *b, struct tree *t)
{
    static const int64_t zero[NODES];
    float worth[LEAVES];
    for (size_t i = 0; i < t->nodes; i++)
        t->number[i] = (int64_t)i;
    for (size_t i = 0; i < t->leaves; i++)
        worth[i] = (float)i;
    mb_node_open(b, "TreeEnsembleRegressor", "x0", "y0");
    mb_node_domain(b, "ai.onnx.ml");
    mb_int_list(b, "nodes_treeids", zero, t->nodes);
    mb_int_list(b, "nodes_nodeids", t->number, t->nodes);
    mb_int_list(b, "nodes_featureids", zero, t->nodes);
    mb_int_list(b, "nodes_truenodeids", t->yes, t->nodes);
    mb_int_list(b, "nodes_falsenodeids", t->no, t->nodes);
    mb_int_list(b, "nodes_missing_value_tracks_true", t->missing, t->nodes);
    mb_float_list(b, "nodes_values", t->split, t->nodes);
    put_modes(b, t);
    mb_int_list(b, "target_treeids", zero, t->leaves);
    mb_int_list(b, "target_nodeids", t->leaf, t->leaves);
    mb_int_list(b, "target_ids", zero, t->leaves);
    mb_float_list(b, "target_weights", worth, t->leaves);
    mb_int(b, "n_targets", 1);
    mb_close(b);
}

/* Node i of a whole tree has the children 2i + 1 and 2i + 2. The inner nodes bisect 0 … LEAVES. */
static void build_whole_tree(struct model_builder *b, const char *mode, bool tracks)
{
    struct tree t = { .nodes = NODES, .mode = mode };
    for (int i = 0; i < LEAVES - 1; i++) {
        int level = 0;
        while ((2 << level) - 1 <= i)
            level++;
        int place = i + 1 - (1 << level), width = LEAVES >> level;
        put_inner(&t, i, 2 * i + 1, 2 * i + 2, (float)(place * width + width / 2));
        t.missing[i] = tracks;
    }
    for (int i = LEAVES - 1; i < NODES; i++)
        put_leaf(&t, i);
    put_tree(b, &t);
}

/* A chain: node 2i tests against i, its first child is leaf 2i + 1. */
static void build_chain(struct model_builder *b, int levels)
{
    struct tree t = { .nodes = 2 * (size_t)levels + 1, .mode = "BRANCH_LEQ" };
    for (int i = 0; i < levels; i++) {
        put_inner(&t, 2 * i, 2 * i + 1, 2 * i + 2, (float)i);
        put_leaf(&t, 2 * i + 1);
    }
    put_leaf(&t, 2 * levels);
    put_tree(b, &t);
}

static void build_bisection(struct model_builder *b)
{
    build_whole_tree(b, "BRANCH_LT", false);
}

static void build_tracking(struct model_builder *b)
{
    build_whole_tree(b, "BRANCH_LEQ", true);
}

static void build_chain_of_100(struct model_builder *b)
{
    build_chain(b, 100);
}

static void build_chain_of_200(struct model_builder *b)
{
    build_chain(b, 200);
}

/* clang-format off */
OP_CASES = {
    /* level by level, and in one */
    { .rule = "256 leaves are walked down to", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1, .build = build_bisection, .inputs = { "f32[9,1] -5 0 0.5 1 77.5 128 254.99 255 1000" }, .outputs = { "f32[9,1] 0 0 0 1 77 128 254 255 255" } },
    { .rule = "256 leaves, an open batch", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1, .build = build_bisection, .inputs = { "f32[n:3,1] 3.5 200 nan" }, .outputs = { "f32[3,1] 3 200 255" }, .open = true },
    { .rule = "256 leaves, NaN tracks true", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1, .build = build_tracking, .inputs = { "f32[4,1] nan 1 1.5 255.5" }, .outputs = { "f32[4,1] 0 0 1 255" } },
    { .rule = "a chain of 100 levels is asked whole", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1, .build = build_chain_of_100, .inputs = { "f32[5,1] -1 0.5 50 99 99.5" }, .outputs = { "f32[5,1] 0 1 50 99 100" } },
    { .rule = "a chain of 200 levels", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1, .build = build_chain_of_200, .inputs = { "f32[1,1] 5" }, .refused = "lower.limit", .says = "200 levels" },

    /* three classes and more */
    { .rule = "three classes, NONE", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0,1,1,1] class_nodeids=[1,1,3,4,4,1,2,2] class_ids=[0,2,1,2,0,0,1,2] class_weights=[0.300000012,0.200000003,0.5,0.899999976,-0.400000006,0.25,-0.75,0.100000001] classlabels_int64s=[0,1,2] post_transform='NONE'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 0 1 2 2", "f32[4,3] 0.550000012 0.0 0.200000003 0.25 0.5 0.0 -0.400000006 -0.75 1.0 -0.400000006 -0.75 1.0" } },
    { .rule = "three classes, LOGISTIC", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0,1,1,1] class_nodeids=[1,1,3,4,4,1,2,2] class_ids=[0,2,1,2,0,0,1,2] class_weights=[0.300000012,0.200000003,0.5,0.899999976,-0.400000006,0.25,-0.75,0.100000001] classlabels_int64s=[0,1,2] post_transform='LOGISTIC'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 0 1 2 2", "f32[4,3] 0.634135604 0.5 0.549833953 0.562176526 0.622459352 0.5 0.401312351 0.320821285 0.731058598 0.401312351 0.320821285 0.731058598" } },
    { .rule = "three classes, SOFTMAX", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0,1,1,1] class_nodeids=[1,1,3,4,4,1,2,2] class_ids=[0,2,1,2,0,0,1,2] class_weights=[0.300000012,0.200000003,0.5,0.899999976,-0.400000006,0.25,-0.75,0.100000001] classlabels_int64s=[0,1,2] post_transform='SOFTMAX'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 0 1 2 2", "f32[4,3] 0.438281626 0.252866507 0.308851838 0.326495856 0.419228971 0.254275233 0.173614487 0.122344062 0.704041421 0.173614487 0.122344062 0.704041421" } },
    { .rule = "three classes, SOFTMAX_ZERO", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0,1,1,1] class_nodeids=[1,1,3,4,4,1,2,2] class_ids=[0,2,1,2,0,0,1,2] class_weights=[0.300000012,0.200000003,0.5,0.899999976,-0.400000006,0.25,-0.75,0.100000001] classlabels_int64s=[0,1,2] post_transform='SOFTMAX_ZERO'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 0 1 2 2", "f32[4,3] 0.586617589 0.0 0.413382411 0.437823504 0.562176526 0.0 0.173614487 0.122344062 0.704041421 0.173614487 0.122344062 0.704041421" } },
    { .rule = "base values", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0,1,1,1] class_nodeids=[1,1,3,4,4,1,2,2] class_ids=[0,2,1,2,0,0,1,2] class_weights=[0.300000012,0.200000003,0.5,0.899999976,-0.400000006,0.25,-0.75,0.100000001] classlabels_int64s=[7,-5,8589934592] base_values=[0.100000001,-0.200000003,0.300000012] post_transform='SOFTMAX'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 7 7 8589934592 8589934592", "f32[4,3] 0.437039465 0.186797187 0.376163334 0.34453544 0.327732265 0.327732265 0.154438287 0.0806238502 0.764937818 0.154438287 0.0806238502 0.764937818" } },
    { .rule = "PROBIT", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0,0,0,0,0] class_nodeids=[1,1,1,3,3,3,4,4,4] class_ids=[0,1,2,0,1,2,0,1,2] class_weights=[0.300000012,0.200000003,0.600000024,0.5,0.25,0.100000001,0.899999976,0.00999999978,0.5] classlabels_int64s=[0,1,2] post_transform='PROBIT'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 2 0 0 0", "f32[4,3] -0.524445891 -0.841756105 0.253353506 0.0 -0.674574316 -1.28171289 1.28171289 -2.32409024 0.0 1.28171289 -2.32409024 0.0" } },
    { .rule = "without base values a class without a weight cannot win", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0] class_nodeids=[1,3,4,4,4] class_ids=[0,1,2,0,1] class_weights=[-1.0,-1.0,-2.0,-2.0,-3.0] classlabels_int64s=[0,1,2]",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 0 1 0 0", "f32[4,3] -1.0 0.0 0.0 0.0 -1.0 0.0 -2.0 -3.0 -2.0 -2.0 -3.0 -2.0" } },
    { .rule = "with base values it can", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0] class_nodeids=[1,3,4,4,4] class_ids=[0,1,2,0,1] class_weights=[-1.0,-1.0,-2.0,-2.0,-3.0] classlabels_int64s=[0,1,2] base_values=[0.0,0.0,0.0]",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 1 0 0 0", "f32[4,3] -1.0 0.0 0.0 0.0 -1.0 0.0 -2.0 -3.0 -2.0 -2.0 -3.0 -2.0" } },
    { .rule = "an open batch", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0,1,1,1] class_nodeids=[1,1,3,4,4,1,2,2] class_ids=[0,2,1,2,0,0,1,2] class_weights=[0.300000012,0.200000003,0.5,0.899999976,-0.400000006,0.25,-0.75,0.100000001] classlabels_int64s=[0,1,2]",
      .inputs = { "f32[n:4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 0 1 2 2", "f32[4,3] 0.550000012 0.0 0.200000003 0.25 0.5 0.0 -0.400000006 -0.75 1.0 -0.400000006 -0.75 1.0" }, .open = true },
    { .rule = "a row without any weight", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0] class_nodeids=[1] class_ids=[0] class_weights=[-1.0] classlabels_int64s=[0,1,2]",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" }, .refused = "lower.attribute", .says = "no weight for any class" },
    { .rule = "base values of another number", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0,1,1,1] class_nodeids=[1,1,3,4,4,1,2,2] class_ids=[0,2,1,2,0,0,1,2] class_weights=[0.300000012,0.200000003,0.5,0.899999976,-0.400000006,0.25,-0.75,0.100000001] classlabels_int64s=[0,1,2] base_values=[0.100000001]",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" }, .refused = "lower.attribute", .says = "base_values" },

    /* two classes: the runtime has a rule for each way to store them */
    { .rule = "first class alone, no weight below 0, NONE", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[0,0,0,0,0] class_weights=[0.300000012,0.449999988,0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] post_transform='NONE'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 10 20 20", "f32[4,2] 0.649999976 0.350000024 0.5 0.5 0.0999999642 0.900000036 0.0999999642 0.900000036" } },
    { .rule = "first class alone, weights of both signs, NONE", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[0,0,0,0,0] class_weights=[-0.300000012,0.449999988,-0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] post_transform='NONE'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 20 10 10", "f32[4,2] 0.25 -0.25 -0.5 0.5 0.699999988 -0.699999988 0.699999988 -0.699999988" } },
    { .rule = "second class alone, no weight below 0, NONE", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[1,1,1,1,1] class_weights=[0.300000012,0.449999988,0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] post_transform='NONE'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 10 20 20", "f32[4,2] 0.0 0.350000024 0.0 0.5 0.0 0.900000036 0.0 0.900000036" } },
    { .rule = "second class alone, weights of both signs, NONE", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[1,1,1,1,1] class_weights=[-0.300000012,0.449999988,-0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] post_transform='NONE'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 20 10 10", "f32[4,2] 0.0 -0.25 0.0 0.5 0.0 -0.699999988 0.0 -0.699999988" } },
    { .rule = "both classes, NONE", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0,0] class_nodeids=[1,1,3,3,4,4] class_ids=[0,1,0,1,0,1] class_weights=[0.300000012,0.699999988,0.5,-0.5,0.899999976,0.100000001] classlabels_int64s=[0,1] post_transform='NONE'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 1 0 1 1", "f32[4,2] 0.300000012 0.699999988 0.5 -0.5 0.899999976 0.100000001 0.899999976 0.100000001" } },
    { .rule = "first class alone, no weight below 0, LOGISTIC", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[0,0,0,0,0] class_weights=[0.300000012,0.449999988,0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] post_transform='LOGISTIC'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 10 20 20", "f32[4,2] 0.413382411 0.586617589 0.377540648 0.622459352 0.289050519 0.710949481 0.289050519 0.710949481" } },
    { .rule = "first class alone, weights of both signs, LOGISTIC", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[0,0,0,0,0] class_weights=[-0.300000012,0.449999988,-0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] post_transform='LOGISTIC'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 20 10 10", "f32[4,2] 0.562176526 0.437823474 0.377540648 0.622459352 0.668187737 0.331812263 0.668187737 0.331812263" } },
    { .rule = "second class alone, no weight below 0, LOGISTIC", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[1,1,1,1,1] class_weights=[0.300000012,0.449999988,0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] post_transform='LOGISTIC'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 10 20 20", "f32[4,2] 0.5 0.586617589 0.5 0.622459352 0.5 0.710949481 0.5 0.710949481" } },
    { .rule = "second class alone, weights of both signs, LOGISTIC", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[1,1,1,1,1] class_weights=[-0.300000012,0.449999988,-0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] post_transform='LOGISTIC'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 20 10 10", "f32[4,2] 0.5 0.437823474 0.5 0.622459352 0.5 0.331812263 0.5 0.331812263" } },
    { .rule = "both classes, LOGISTIC", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0,0] class_nodeids=[1,1,3,3,4,4] class_ids=[0,1,0,1,0,1] class_weights=[0.300000012,0.699999988,0.5,-0.5,0.899999976,0.100000001] classlabels_int64s=[0,1] post_transform='LOGISTIC'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 1 0 1 1", "f32[4,2] 0.574442506 0.668187737 0.622459352 0.377540648 0.710949481 0.524979174 0.710949481 0.524979174" } },
    { .rule = "first class alone, no weight below 0, SOFTMAX", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[0,0,0,0,0] class_weights=[0.300000012,0.449999988,0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] post_transform='SOFTMAX'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 10 20 20", "f32[4,2] 0.649999976 0.350000024 0.5 0.5 0.0999999642 0.900000036 0.0999999642 0.900000036" } },
    { .rule = "first class alone, weights of both signs, SOFTMAX", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[0,0,0,0,0] class_weights=[-0.300000012,0.449999988,-0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] post_transform='SOFTMAX'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 20 10 10", "f32[4,2] 0.25 -0.25 -0.5 0.5 0.699999988 -0.699999988 0.699999988 -0.699999988" } },
    { .rule = "second class alone, no weight below 0, SOFTMAX", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[1,1,1,1,1] class_weights=[0.300000012,0.449999988,0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] post_transform='SOFTMAX'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 10 20 20", "f32[4,2] 0.413382411 0.586617589 0.377540678 0.622459352 0.28905049 0.710949481 0.28905049 0.710949481" } },
    { .rule = "second class alone, weights of both signs, SOFTMAX", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[1,1,1,1,1] class_weights=[-0.300000012,0.449999988,-0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] post_transform='SOFTMAX'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 20 10 10", "f32[4,2] 0.562176526 0.437823504 0.377540678 0.622459352 0.668187737 0.331812203 0.668187737 0.331812203" } },
    { .rule = "both classes, SOFTMAX", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0,0] class_nodeids=[1,1,3,3,4,4] class_ids=[0,1,0,1,0,1] class_weights=[0.300000012,0.699999988,0.5,-0.5,0.899999976,0.100000001] classlabels_int64s=[0,1] post_transform='SOFTMAX'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 1 0 1 1", "f32[4,2] 0.401312321 0.598687649 0.731058598 0.268941432 0.689974427 0.310025513 0.689974427 0.310025513" } },
    { .rule = "first class alone, no weight below 0, SOFTMAX_ZERO", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[0,0,0,0,0] class_weights=[0.300000012,0.449999988,0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] post_transform='SOFTMAX_ZERO'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 10 20 20", "f32[4,2] 0.649999976 0.350000024 0.5 0.5 0.0999999642 0.900000036 0.0999999642 0.900000036" } },
    { .rule = "first class alone, weights of both signs, SOFTMAX_ZERO", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[0,0,0,0,0] class_weights=[-0.300000012,0.449999988,-0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] post_transform='SOFTMAX_ZERO'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 20 10 10", "f32[4,2] 0.25 -0.25 -0.5 0.5 0.699999988 -0.699999988 0.699999988 -0.699999988" } },
    { .rule = "second class alone, no weight below 0, SOFTMAX_ZERO", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[1,1,1,1,1] class_weights=[0.300000012,0.449999988,0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] post_transform='SOFTMAX_ZERO'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 10 20 20", "f32[4,2] 0.0 1.0 0.0 1.0 0.0 1.0 0.0 1.0" } },
    { .rule = "second class alone, weights of both signs, SOFTMAX_ZERO", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[1,1,1,1,1] class_weights=[-0.300000012,0.449999988,-0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] post_transform='SOFTMAX_ZERO'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 20 10 10", "f32[4,2] 0.0 1.0 0.0 1.0 0.0 1.0 0.0 1.0" } },
    { .rule = "both classes, SOFTMAX_ZERO", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0,0] class_nodeids=[1,1,3,3,4,4] class_ids=[0,1,0,1,0,1] class_weights=[0.300000012,0.699999988,0.5,-0.5,0.899999976,0.100000001] classlabels_int64s=[0,1] post_transform='SOFTMAX_ZERO'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 1 0 1 1", "f32[4,2] 0.401312321 0.598687649 0.731058598 0.268941432 0.689974427 0.310025513 0.689974427 0.310025513" } },
    { .rule = "first class alone, no weight below 0, one base value", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[0,0,0,0,0] class_weights=[0.300000012,0.449999988,0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] base_values=[0.25] post_transform='LOGISTIC'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 20 20 20 20", "f32[4,2] 0.354343712 0.645656288 0.320821285 0.679178715 0.240489125 0.759510875 0.240489125 0.759510875" } },
    { .rule = "first class alone, no weight below 0, two base values", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[0,0,0,0,0] class_weights=[0.300000012,0.449999988,0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] base_values=[0.100000001,-0.200000003] post_transform='SOFTMAX'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 20 20 20", "f32[4,2] 0.610639274 0.389360785 0.645656288 0.354343683 0.731058598 0.268941432 0.731058598 0.268941432" } },
    { .rule = "first class alone, weights of both signs, one base value", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[0,0,0,0,0] class_weights=[-0.300000012,0.449999988,-0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] base_values=[0.25] post_transform='LOGISTIC'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 20 10 10", "f32[4,2] 0.5 0.5 0.320821285 0.679178715 0.610639274 0.389360726 0.610639274 0.389360726" } },
    { .rule = "first class alone, weights of both signs, two base values", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[0,0,0,0,0] class_weights=[-0.300000012,0.449999988,-0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] base_values=[0.100000001,-0.200000003] post_transform='SOFTMAX'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 20 10 10", "f32[4,2] 0.462570161 0.53742981 0.645656288 0.354343683 0.354343712 0.645656288 0.354343712 0.645656288" } },
    { .rule = "second class alone, no weight below 0, one base value", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[1,1,1,1,1] class_weights=[0.300000012,0.449999988,0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] base_values=[0.25] post_transform='LOGISTIC'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 10 20 20", "f32[4,2] 0.5 0.586617589 0.5 0.622459352 0.5 0.710949481 0.5 0.710949481" } },
    { .rule = "second class alone, no weight below 0, two base values", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[1,1,1,1,1] class_weights=[0.300000012,0.449999988,0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] base_values=[0.100000001,-0.200000003] post_transform='SOFTMAX'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 10 10 10", "f32[4,2] 0.549833953 0.450165987 0.549833953 0.450165987 0.549833953 0.450165987 0.549833953 0.450165987" } },
    { .rule = "second class alone, weights of both signs, one base value", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[1,1,1,1,1] class_weights=[-0.300000012,0.449999988,-0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] base_values=[0.25] post_transform='LOGISTIC'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 20 10 10", "f32[4,2] 0.5 0.437823474 0.5 0.622459352 0.5 0.331812263 0.5 0.331812263" } },
    { .rule = "second class alone, weights of both signs, two base values", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[1,1,1,1,1] class_weights=[-0.300000012,0.449999988,-0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] base_values=[0.100000001,-0.200000003] post_transform='SOFTMAX'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 10 10 10 10", "f32[4,2] 0.549833953 0.450165987 0.549833953 0.450165987 0.549833953 0.450165987 0.549833953 0.450165987" } },
    { .rule = "both classes, one base value", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0,0] class_nodeids=[1,1,3,3,4,4] class_ids=[0,1,0,1,0,1] class_weights=[0.300000012,0.699999988,0.5,-0.5,0.899999976,0.100000001] classlabels_int64s=[10,20] base_values=[0.25] post_transform='LOGISTIC'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 1 0 1 1", "f32[4,2] 0.634135604 0.668187737 0.679178715 0.377540648 0.759510875 0.524979174 0.759510875 0.524979174" } },
    { .rule = "both classes, two base values", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0,0] class_nodeids=[1,1,3,3,4,4] class_ids=[0,1,0,1,0,1] class_weights=[0.300000012,0.699999988,0.5,-0.5,0.899999976,0.100000001] classlabels_int64s=[10,20] base_values=[0.100000001,-0.200000003] post_transform='SOFTMAX'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 1 1 1 1", "f32[4,2] 0.450165987 0.549834013 0.354343683 0.645656288 0.197816133 0.802183926 0.197816133 0.802183926" } },
    { .rule = "PROBIT leaves the other score open", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[0,0,0,0,0] class_weights=[0.300000012,0.449999988,0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10,20] post_transform='PROBIT'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" }, .refused = "lower.attribute", .says = "PROBIT" },
    { .rule = "rows with and without a weight of the second class", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0] class_nodeids=[1,3,4] class_ids=[0,1,1] class_weights=[0.300000012,0.5,0.5] classlabels_int64s=[10,20]",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" }, .refused = "lower.attribute", .says = "scores open" },
    { .rule = "one class", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[0,0,0,0,0] class_weights=[-0.300000012,0.449999988,-0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10] post_transform='LOGISTIC'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 0 1 0 0", "f32[4,1] -0.25 0.5 -0.699999988 -0.699999988" } },
    { .rule = "one class, a base value", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,1,1] class_nodeids=[1,3,4,1,2] class_ids=[0,0,0,0,0] class_weights=[-0.300000012,0.449999988,-0.800000012,0.0500000007,0.100000001] classlabels_int64s=[10] base_values=[0.25]",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "i64[4] 0 1 0 0", "f32[4,1] 0.0 0.75 -0.449999988 -0.449999988" } },

    /* tests at nodes */
    { .rule = "BRANCH_LEQ", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1",
      .inputs = { "f32[8,1] -1.0 0.0 0.5 1.0 2.0 nan inf -inf" },
      .outputs = { "f32[8,1] 9.0 9.0 10.0 18.0 20.0 20.0 20.0 9.0" } },
    { .rule = "BRANCH_LT", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LT','LEAF','BRANCH_LT','LEAF','LEAF','BRANCH_LT','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1",
      .inputs = { "f32[8,1] -1.0 0.0 0.5 1.0 2.0 nan inf -inf" },
      .outputs = { "f32[8,1] 9.0 10.0 18.0 20.0 20.0 20.0 20.0 9.0" } },
    { .rule = "BRANCH_GTE", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_GTE','LEAF','BRANCH_GTE','LEAF','LEAF','BRANCH_GTE','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1",
      .inputs = { "f32[8,1] -1.0 0.0 0.5 1.0 2.0 nan inf -inf" },
      .outputs = { "f32[8,1] 20.0 17.0 9.0 9.0 9.0 20.0 9.0 20.0" } },
    { .rule = "BRANCH_GT", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_GT','LEAF','BRANCH_GT','LEAF','LEAF','BRANCH_GT','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1",
      .inputs = { "f32[8,1] -1.0 0.0 0.5 1.0 2.0 nan inf -inf" },
      .outputs = { "f32[8,1] 20.0 20.0 17.0 9.0 9.0 20.0 9.0 20.0" } },
    { .rule = "BRANCH_EQ", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_EQ','LEAF','BRANCH_EQ','LEAF','LEAF','BRANCH_EQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1",
      .inputs = { "f32[8,1] -1.0 0.0 0.5 1.0 2.0 nan inf -inf" },
      .outputs = { "f32[8,1] 20.0 17.0 12.0 18.0 20.0 20.0 20.0 20.0" } },
    { .rule = "BRANCH_NEQ", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_NEQ','LEAF','BRANCH_NEQ','LEAF','LEAF','BRANCH_NEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1",
      .inputs = { "f32[8,1] -1.0 0.0 0.5 1.0 2.0 nan inf -inf" },
      .outputs = { "f32[8,1] 9.0 10.0 17.0 9.0 9.0 9.0 9.0 9.0" } },
    { .rule = "7.83 NaN where it tracks true, and where it does not", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] nodes_missing_value_tracks_true=[1,0,0,0,0,1,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1",
      .inputs = { "f32[8,1] -1.0 0.0 0.5 1.0 2.0 nan inf -inf" },
      .outputs = { "f32[8,1] 9.0 9.0 10.0 18.0 20.0 9.0 20.0 9.0" } },
    { .rule = "NaN on a second level", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] nodes_missing_value_tracks_true=[0,0,1,0,0,0,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1",
      .inputs = { "f32[8,1] -1.0 0.0 0.5 1.0 2.0 nan inf -inf" },
      .outputs = { "f32[8,1] 9.0 9.0 10.0 18.0 20.0 18.0 20.0 9.0" } },
    { .rule = "several modes", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_GT','LEAF','BRANCH_EQ','LEAF','LEAF','BRANCH_LT','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] nodes_missing_value_tracks_true=[0,0,1,0,0,0,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1",
      .inputs = { "f32[8,1] -1.0 0.0 0.5 1.0 2.0 nan inf -inf" },
      .outputs = { "f32[8,1] 12.0 12.0 17.0 17.0 17.0 18.0 17.0 12.0" } },
    { .rule = "of int64", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1",
      .inputs = { "i64[4,1] -1 0 1 2" },
      .outputs = { "f32[4,1] 9.0 9.0 18.0 20.0" },
      .native = "no kernel" },
    { .rule = "of int64", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0,1,1,1] class_nodeids=[1,1,3,4,4,1,2,2] class_ids=[0,2,1,2,0,0,1,2] class_weights=[0.300000012,0.200000003,0.5,0.899999976,-0.400000006,0.25,-0.75,0.100000001] classlabels_int64s=[0,1,2]",
      .inputs = { "i64[4,1] -1 0 1 2" },
      .outputs = { "i64[4] 0 0 2 2", "f32[4,3] 0.550000012 0.0 0.200000003 0.550000012 0.0 0.200000003 0.0 -0.25 0.100000001 -0.400000006 -0.75 1.0" } },
    { .rule = "of int32", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1",
      .inputs = { "i32[4,1] -1 0 1 2" },
      .outputs = { "f32[4,1] 9.0 9.0 18.0 20.0" },
      .native = "no kernel" },
    { .rule = "of int32", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0,1,1,1] class_nodeids=[1,1,3,4,4,1,2,2] class_ids=[0,2,1,2,0,0,1,2] class_weights=[0.300000012,0.200000003,0.5,0.899999976,-0.400000006,0.25,-0.75,0.100000001] classlabels_int64s=[0,1,2]",
      .inputs = { "i32[4,1] -1 0 1 2" },
      .outputs = { "i64[4] 0 0 2 2", "f32[4,3] 0.550000012 0.0 0.200000003 0.550000012 0.0 0.200000003 0.0 -0.25 0.100000001 -0.400000006 -0.75 1.0" } },
    { .rule = "of double", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] class_treeids=[0,0,0,0,0,1,1,1] class_nodeids=[1,1,3,4,4,1,2,2] class_ids=[0,2,1,2,0,0,1,2] class_weights=[0.300000012,0.200000003,0.5,0.899999976,-0.400000006,0.25,-0.75,0.100000001] classlabels_int64s=[0,1,2]",
      .inputs = { "f64[4,1] -1.0 0.0 1.0 2.0" },
      .outputs = { "i64[4] 0 0 2 2", "f32[4,3] 0.550000012 0.0 0.200000003 0.550000012 0.0 0.200000003 0.0 -0.25 0.100000001 -0.400000006 -0.75 1.0" } },
    { .rule = "of double", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1",
      .inputs = { "f64[4,1] -1.0 0.0 0.5 2.0" },
      .outputs = { "f32[4,1] 9.0 9.0 10.0 20.0" } },
    { .rule = "a double beside an equal threshold, BRANCH_LEQ", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 3,
      .attributes = "nodes_treeids=[0,0,0] nodes_nodeids=[0,1,2] nodes_featureids=[0,0,0] nodes_values_as_tensor=<f64:0.1,0.0,0.0> nodes_modes=['BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,0] nodes_falsenodeids=[2,0,0] target_weights_as_tensor=<f64:1.0,2.0> target_treeids=[0,0] target_nodeids=[1,2] target_ids=[0,0] n_targets=1",
      .inputs = { "f64[3,1] 0.09 0.1 0.11" },
      .outputs = { "f32[3,1] 1.0 1.0 2.0" } },
    { .rule = "a double beside an equal threshold, BRANCH_LT", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 3,
      .attributes = "nodes_treeids=[0,0,0] nodes_nodeids=[0,1,2] nodes_featureids=[0,0,0] nodes_values_as_tensor=<f64:0.1,0.0,0.0> nodes_modes=['BRANCH_LT','LEAF','LEAF'] nodes_truenodeids=[1,0,0] nodes_falsenodeids=[2,0,0] target_weights_as_tensor=<f64:1.0,2.0> target_treeids=[0,0] target_nodeids=[1,2] target_ids=[0,0] n_targets=1",
      .inputs = { "f64[3,1] 0.09 0.1 0.11" },
      .outputs = { "f32[3,1] 1.0 2.0 2.0" } },
    { .rule = "a double beside an equal threshold, BRANCH_GTE", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 3,
      .attributes = "nodes_treeids=[0,0,0] nodes_nodeids=[0,1,2] nodes_featureids=[0,0,0] nodes_values_as_tensor=<f64:0.1,0.0,0.0> nodes_modes=['BRANCH_GTE','LEAF','LEAF'] nodes_truenodeids=[1,0,0] nodes_falsenodeids=[2,0,0] target_weights_as_tensor=<f64:1.0,2.0> target_treeids=[0,0] target_nodeids=[1,2] target_ids=[0,0] n_targets=1",
      .inputs = { "f64[3,1] 0.09 0.1 0.11" },
      .outputs = { "f32[3,1] 2.0 1.0 1.0" } },
    { .rule = "a double beside an equal threshold, BRANCH_GT", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 3,
      .attributes = "nodes_treeids=[0,0,0] nodes_nodeids=[0,1,2] nodes_featureids=[0,0,0] nodes_values_as_tensor=<f64:0.1,0.0,0.0> nodes_modes=['BRANCH_GT','LEAF','LEAF'] nodes_truenodeids=[1,0,0] nodes_falsenodeids=[2,0,0] target_weights_as_tensor=<f64:1.0,2.0> target_treeids=[0,0] target_nodeids=[1,2] target_ids=[0,0] n_targets=1",
      .inputs = { "f64[3,1] 0.09 0.1 0.11" },
      .outputs = { "f32[3,1] 2.0 2.0 1.0" } },
    { .rule = "a double beside an equal threshold, BRANCH_EQ", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 3,
      .attributes = "nodes_treeids=[0,0,0] nodes_nodeids=[0,1,2] nodes_featureids=[0,0,0] nodes_values_as_tensor=<f64:0.1,0.0,0.0> nodes_modes=['BRANCH_EQ','LEAF','LEAF'] nodes_truenodeids=[1,0,0] nodes_falsenodeids=[2,0,0] target_weights_as_tensor=<f64:1.0,2.0> target_treeids=[0,0] target_nodeids=[1,2] target_ids=[0,0] n_targets=1",
      .inputs = { "f64[3,1] 0.09 0.1 0.11" },
      .outputs = { "f32[3,1] 2.0 1.0 2.0" } },
    { .rule = "a double beside an equal threshold, BRANCH_NEQ", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 3,
      .attributes = "nodes_treeids=[0,0,0] nodes_nodeids=[0,1,2] nodes_featureids=[0,0,0] nodes_values_as_tensor=<f64:0.1,0.0,0.0> nodes_modes=['BRANCH_NEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,0] nodes_falsenodeids=[2,0,0] target_weights_as_tensor=<f64:1.0,2.0> target_treeids=[0,0] target_nodeids=[1,2] target_ids=[0,0] n_targets=1",
      .inputs = { "f64[3,1] 0.09 0.1 0.11" },
      .outputs = { "f32[3,1] 1.0 2.0 1.0" } },
    { .rule = "a double threshold between two floats, BRANCH_LEQ", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 3,
      .attributes = "nodes_treeids=[0,0,0] nodes_nodeids=[0,1,2] nodes_featureids=[0,0,0] nodes_values_as_tensor=<f64:0.1,0.0,0.0> nodes_modes=['BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,0] nodes_falsenodeids=[2,0,0] target_weights_as_tensor=<f64:1.0,2.0> target_treeids=[0,0] target_nodeids=[1,2] target_ids=[0,0] n_targets=1",
      .inputs = { "f32[3,1] 0.099999994 0.100000001 0.100000009" },
      .outputs = { "f32[3,1] 1.0 2.0 2.0" },
      .native = "takes no doubles beside floats" },
    { .rule = "a double threshold between two floats, BRANCH_LT", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 3,
      .attributes = "nodes_treeids=[0,0,0] nodes_nodeids=[0,1,2] nodes_featureids=[0,0,0] nodes_values_as_tensor=<f64:0.1,0.0,0.0> nodes_modes=['BRANCH_LT','LEAF','LEAF'] nodes_truenodeids=[1,0,0] nodes_falsenodeids=[2,0,0] target_weights_as_tensor=<f64:1.0,2.0> target_treeids=[0,0] target_nodeids=[1,2] target_ids=[0,0] n_targets=1",
      .inputs = { "f32[3,1] 0.099999994 0.100000001 0.100000009" },
      .outputs = { "f32[3,1] 1.0 2.0 2.0" },
      .native = "takes no doubles beside floats" },
    { .rule = "a double threshold between two floats, BRANCH_GTE", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 3,
      .attributes = "nodes_treeids=[0,0,0] nodes_nodeids=[0,1,2] nodes_featureids=[0,0,0] nodes_values_as_tensor=<f64:0.1,0.0,0.0> nodes_modes=['BRANCH_GTE','LEAF','LEAF'] nodes_truenodeids=[1,0,0] nodes_falsenodeids=[2,0,0] target_weights_as_tensor=<f64:1.0,2.0> target_treeids=[0,0] target_nodeids=[1,2] target_ids=[0,0] n_targets=1",
      .inputs = { "f32[3,1] 0.099999994 0.100000001 0.100000009" },
      .outputs = { "f32[3,1] 2.0 1.0 1.0" },
      .native = "takes no doubles beside floats" },
    { .rule = "a double threshold between two floats, BRANCH_GT", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 3,
      .attributes = "nodes_treeids=[0,0,0] nodes_nodeids=[0,1,2] nodes_featureids=[0,0,0] nodes_values_as_tensor=<f64:0.1,0.0,0.0> nodes_modes=['BRANCH_GT','LEAF','LEAF'] nodes_truenodeids=[1,0,0] nodes_falsenodeids=[2,0,0] target_weights_as_tensor=<f64:1.0,2.0> target_treeids=[0,0] target_nodeids=[1,2] target_ids=[0,0] n_targets=1",
      .inputs = { "f32[3,1] 0.099999994 0.100000001 0.100000009" },
      .outputs = { "f32[3,1] 2.0 1.0 1.0" },
      .native = "takes no doubles beside floats" },
    { .rule = "a double threshold between two floats, BRANCH_EQ", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 3,
      .attributes = "nodes_treeids=[0,0,0] nodes_nodeids=[0,1,2] nodes_featureids=[0,0,0] nodes_values_as_tensor=<f64:0.1,0.0,0.0> nodes_modes=['BRANCH_EQ','LEAF','LEAF'] nodes_truenodeids=[1,0,0] nodes_falsenodeids=[2,0,0] target_weights_as_tensor=<f64:1.0,2.0> target_treeids=[0,0] target_nodeids=[1,2] target_ids=[0,0] n_targets=1",
      .inputs = { "f32[3,1] 0.099999994 0.100000001 0.100000009" },
      .outputs = { "f32[3,1] 2.0 2.0 2.0" },
      .native = "takes no doubles beside floats" },
    { .rule = "a double threshold between two floats, BRANCH_NEQ", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 3,
      .attributes = "nodes_treeids=[0,0,0] nodes_nodeids=[0,1,2] nodes_featureids=[0,0,0] nodes_values_as_tensor=<f64:0.1,0.0,0.0> nodes_modes=['BRANCH_NEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,0] nodes_falsenodeids=[2,0,0] target_weights_as_tensor=<f64:1.0,2.0> target_treeids=[0,0] target_nodeids=[1,2] target_ids=[0,0] n_targets=1",
      .inputs = { "f32[3,1] 0.099999994 0.100000001 0.100000009" },
      .outputs = { "f32[3,1] 1.0 1.0 1.0" },
      .native = "takes no doubles beside floats" },
    { .rule = "lists as tensors", .op = "ai.onnx.ml:TreeEnsembleClassifier", .opset = 3,
      .attributes = "nodes_treeids=[0,0,0] nodes_nodeids=[0,1,2] nodes_featureids=[0,0,0] nodes_values_as_tensor=<f32:0.5,0.0,0.0> nodes_modes=['BRANCH_LT','LEAF','LEAF'] nodes_truenodeids=[1,0,0] nodes_falsenodeids=[2,0,0] nodes_hitrates_as_tensor=<f32:1.0,1.0,1.0> class_weights_as_tensor=<f32:1.0,2.0,3.0> class_treeids=[0,0,0] class_nodeids=[1,2,2] class_ids=[0,1,2] base_values_as_tensor=<f32:0.5,0.0,-0.5> classlabels_int64s=[0,1,2]",
      .inputs = { "f32[8,1] -1.0 0.0 0.5 1.0 2.0 nan inf -inf" },
      .outputs = { "i64[8] 0 0 2 2 2 2 2 0", "f32[8,3] 1.5 0.0 -0.5 1.5 0.0 -0.5 0.5 2.0 2.5 0.5 2.0 2.5 0.5 2.0 2.5 0.5 2.0 2.5 0.5 2.0 2.5 1.5 0.0 -0.5" } },

    /* aggregates */
    { .rule = "SUM, one target, a base value", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1 aggregate_function='SUM' base_values=[0.5]",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,1] 9.5 10.5 20.5 20.5" } },
    { .rule = "SUM, two targets, some leaves without", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,0,1,1] target_nodeids=[1,1,3,4,1,2] target_ids=[0,1,0,1,0,1] target_weights=[1.0,-3.0,2.0,4.0,8.0,-16.0] n_targets=2 aggregate_function='SUM'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,2] 9.0 -3.0 10.0 0.0 0.0 -12.0 0.0 -12.0" } },
    { .rule = "SUM, two targets, base values, SOFTMAX", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,0,1,1] target_nodeids=[1,1,3,4,1,2] target_ids=[0,1,0,1,0,1] target_weights=[1.0,-3.0,2.0,4.0,8.0,-16.0] n_targets=2 aggregate_function='SUM' base_values=[0.5,-0.25] post_transform='SOFTMAX'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,2] 0.999997139 2.90231196e-06 0.999972463 2.75356906e-05 0.999995232 4.78509446e-06 0.999995232 4.78509446e-06" } },
    { .rule = "AVERAGE, one target, a base value", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1 aggregate_function='AVERAGE' base_values=[0.5]",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,1] 5.0 5.5 10.5 10.5" } },
    { .rule = "AVERAGE, two targets, some leaves without", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,0,1,1] target_nodeids=[1,1,3,4,1,2] target_ids=[0,1,0,1,0,1] target_weights=[1.0,-3.0,2.0,4.0,8.0,-16.0] n_targets=2 aggregate_function='AVERAGE'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,2] 4.5 -1.5 5.0 0.0 0.0 -6.0 0.0 -6.0" } },
    { .rule = "AVERAGE, two targets, base values, SOFTMAX", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,0,1,1] target_nodeids=[1,1,3,4,1,2] target_ids=[0,1,0,1,0,1] target_weights=[1.0,-3.0,2.0,4.0,8.0,-16.0] n_targets=2 aggregate_function='AVERAGE' base_values=[0.5,-0.25] post_transform='SOFTMAX'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,2] 0.998830497 0.00116951019 0.995929897 0.00407013809 0.99807322 0.00192673469 0.99807322 0.00192673469" } },
    { .rule = "MIN, one target, a base value", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1 aggregate_function='MIN' base_values=[0.5]",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,1] 1.5 2.5 4.5 4.5" } },
    { .rule = "MIN, two targets, some leaves without", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,0,1,1] target_nodeids=[1,1,3,4,1,2] target_ids=[0,1,0,1,0,1] target_weights=[1.0,-3.0,2.0,4.0,8.0,-16.0] n_targets=2 aggregate_function='MIN'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,2] 1.0 -3.0 2.0 0.0 0.0 -16.0 0.0 -16.0" } },
    { .rule = "MIN, two targets, base values, SOFTMAX", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,0,1,1] target_nodeids=[1,1,3,4,1,2] target_ids=[0,1,0,1,0,1] target_weights=[1.0,-3.0,2.0,4.0,8.0,-16.0] n_targets=2 aggregate_function='MIN' base_values=[0.5,-0.25] post_transform='SOFTMAX'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,2] 0.991422474 0.00857748464 0.924141824 0.0758581758 0.999999881 8.76424764e-08 0.999999881 8.76424764e-08" } },
    { .rule = "MAX, one target, a base value", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1 aggregate_function='MAX' base_values=[0.5]",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,1] 8.5 8.5 16.5 16.5" } },
    { .rule = "MAX, two targets, some leaves without", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,0,1,1] target_nodeids=[1,1,3,4,1,2] target_ids=[0,1,0,1,0,1] target_weights=[1.0,-3.0,2.0,4.0,8.0,-16.0] n_targets=2 aggregate_function='MAX'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,2] 8.0 -3.0 8.0 0.0 0.0 4.0 0.0 4.0" } },
    { .rule = "MAX, two targets, base values, SOFTMAX", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,0,1,1] target_nodeids=[1,1,3,4,1,2] target_ids=[0,1,0,1,0,1] target_weights=[1.0,-3.0,2.0,4.0,8.0,-16.0] n_targets=2 aggregate_function='MAX' base_values=[0.5,-0.25] post_transform='SOFTMAX'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,2] 0.999992132 7.88926263e-06 0.999796569 0.000203426971 0.0229773708 0.977022648 0.0229773708 0.977022648" } },
    { .rule = "two targets, LOGISTIC", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,0,1,1] target_nodeids=[1,1,3,4,1,2] target_ids=[0,1,0,1,0,1] target_weights=[1.0,-3.0,2.0,4.0,8.0,-16.0] n_targets=2 post_transform='LOGISTIC'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,2] 0.999876618 0.0474258661 0.999954581 0.5 0.5 6.19888306e-06 0.5 6.19888306e-06" } },
    { .rule = "two targets, SOFTMAX_ZERO", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,0,1,1] target_nodeids=[1,1,3,4,1,2] target_ids=[0,1,0,1,0,1] target_weights=[1.0,-3.0,2.0,4.0,8.0,-16.0] n_targets=2 post_transform='SOFTMAX_ZERO'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,2] 0.999993801 6.14417422e-06 1.0 0.0 0.0 1.0 0.0 1.0" } },
    { .rule = "of one target LOGISTIC has no effect", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1 post_transform='LOGISTIC'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,1] 9.0 10.0 20.0 20.0" } },
    { .rule = "of one target PROBIT has", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[0.100000001,0.200000003,0.400000006,0.300000012,0.5] n_targets=1 post_transform='PROBIT'",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,1] -0.253353506 0.0 1.28171289 1.28171289" } },
    { .rule = "weights of one leaf are added", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,0] target_nodeids=[1,1,3,4] target_ids=[0,0,0,0] target_weights=[1.0,2.0,3.0,5.0] n_targets=1",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,1] 1.0 3.0 5.0 5.0" } },
    { .rule = "weights of a branch have no effect", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,0] target_nodeids=[0,1,3,4] target_ids=[0,0,0,0] target_weights=[100.0,2.0,3.0,5.0] n_targets=1",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,1] 2.0 3.0 5.0 5.0" } },
    { .rule = "a tree of one leaf", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,1,1,1] nodes_nodeids=[0,0,1,2] nodes_featureids=[0,0,0,0] nodes_values=[0.0,0.0,0.0,0.0] nodes_modes=['LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[0,1,0,0] nodes_falsenodeids=[0,2,0,0] target_treeids=[0,1,1] target_nodeids=[0,1,2] target_ids=[0,0,0] target_weights=[0.5,1.0,2.0] n_targets=1",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,1] 1.5 2.5 2.5 2.5" } },
    { .rule = "only a leaf", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0] nodes_nodeids=[0] nodes_featureids=[0] nodes_values=[0.0] nodes_modes=['LEAF'] nodes_truenodeids=[0] nodes_falsenodeids=[0] target_treeids=[0] target_nodeids=[0] target_ids=[0] target_weights=[0.5] n_targets=1",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,1] 0.5 0.5 0.5 0.5" } },

    /* trees that are none */
    { .rule = "a cycle", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0] nodes_nodeids=[0,1,2,3] nodes_featureids=[0,0,0,0] nodes_values=[0.0,0.0,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF'] nodes_truenodeids=[1,0,0,0] nodes_falsenodeids=[2,0,3,0] target_treeids=[0] target_nodeids=[1] target_ids=[0] target_weights=[0.5] n_targets=1",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" }, .refused = "lower.value", .says = "reached twice" },
    { .rule = "a node that is not reached", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0] nodes_nodeids=[0,1,2,3] nodes_featureids=[0,0,0,0] nodes_values=[0.0,0.0,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','LEAF','LEAF'] nodes_truenodeids=[1,0,0,0] nodes_falsenodeids=[2,0,3,0] target_treeids=[0] target_nodeids=[1] target_ids=[0] target_weights=[0.5] n_targets=1",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" }, .refused = "lower.value", .says = "reached from no root" },
    { .rule = "a child that is missing", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0] nodes_nodeids=[0,1] nodes_featureids=[0,0] nodes_values=[0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF'] nodes_truenodeids=[1,0] nodes_falsenodeids=[2,0] target_treeids=[0] target_nodeids=[1] target_ids=[0] target_weights=[0.5] n_targets=1",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" }, .refused = "lower.value", .says = "leads to 2" },
    { .rule = "a feature beyond the input", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0] nodes_nodeids=[0,1,2] nodes_featureids=[4,0,0] nodes_values=[0.0,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,0] nodes_falsenodeids=[2,0,0] target_treeids=[0] target_nodeids=[1] target_ids=[0] target_weights=[0.5] n_targets=1",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" }, .refused = "lower.attribute", .says = "nodes_featureids" },
    { .rule = "a mode of no name", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_X','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" }, .refused = "lower.attribute", .says = "nodes_modes" },
    { .rule = "a weight of no node", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,0.0,1.0,0.0,0.0,0.5,0.0,0.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0] target_nodeids=[9] target_ids=[0] target_weights=[0.5] n_targets=1",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" }, .refused = "lower.value", .says = "a weight is of node 9" },
    { .rule = "lists of different lengths", .op = "ai.onnx.ml:TreeEnsembleRegressor", .opset = 1,
      .attributes = "nodes_treeids=[0,0,0,0,0,1,1,1] nodes_nodeids=[0,1,2,3,4,0,1,2] nodes_featureids=[0,0,0,0,0,0,0,0] nodes_values=[0.0,1.0] nodes_modes=['BRANCH_LEQ','LEAF','BRANCH_LEQ','LEAF','LEAF','BRANCH_LEQ','LEAF','LEAF'] nodes_truenodeids=[1,0,3,0,0,1,0,0] nodes_falsenodeids=[2,0,4,0,0,2,0,0] target_treeids=[0,0,0,1,1] target_nodeids=[1,3,4,1,2] target_ids=[0,0,0,0,0] target_weights=[1.0,2.0,4.0,8.0,16.0] n_targets=1",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" }, .refused = "lower.attribute", .says = "nodes_values" },

    /* TreeEnsemble 5 */
    { .rule = "mode 0", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0,0] nodes_truenodeids=[0,1] nodes_falsenodeids=[1,2] nodes_trueleafs=[1,1] nodes_falseleafs=[0,1] nodes_modes=<u8:0,0> nodes_splits=<f32:0.0,1.0> leaf_weights=<f32:1.0,2.0,4.0> leaf_targetids=[0,0,0]",
      .inputs = { "f32[8,1] -1.0 0.0 0.5 1.0 2.0 nan inf -inf" },
      .outputs = { "f32[8,1] 1.0 1.0 2.0 2.0 4.0 4.0 4.0 1.0" } },
    { .rule = "mode 1", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0,0] nodes_truenodeids=[0,1] nodes_falsenodeids=[1,2] nodes_trueleafs=[1,1] nodes_falseleafs=[0,1] nodes_modes=<u8:1,1> nodes_splits=<f32:0.0,1.0> leaf_weights=<f32:1.0,2.0,4.0> leaf_targetids=[0,0,0]",
      .inputs = { "f32[8,1] -1.0 0.0 0.5 1.0 2.0 nan inf -inf" },
      .outputs = { "f32[8,1] 1.0 2.0 2.0 4.0 4.0 4.0 4.0 1.0" } },
    { .rule = "mode 2", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0,0] nodes_truenodeids=[0,1] nodes_falsenodeids=[1,2] nodes_trueleafs=[1,1] nodes_falseleafs=[0,1] nodes_modes=<u8:2,2> nodes_splits=<f32:0.0,1.0> leaf_weights=<f32:1.0,2.0,4.0> leaf_targetids=[0,0,0]",
      .inputs = { "f32[8,1] -1.0 0.0 0.5 1.0 2.0 nan inf -inf" },
      .outputs = { "f32[8,1] 4.0 1.0 1.0 1.0 1.0 4.0 1.0 4.0" } },
    { .rule = "mode 3", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0,0] nodes_truenodeids=[0,1] nodes_falsenodeids=[1,2] nodes_trueleafs=[1,1] nodes_falseleafs=[0,1] nodes_modes=<u8:3,3> nodes_splits=<f32:0.0,1.0> leaf_weights=<f32:1.0,2.0,4.0> leaf_targetids=[0,0,0]",
      .inputs = { "f32[8,1] -1.0 0.0 0.5 1.0 2.0 nan inf -inf" },
      .outputs = { "f32[8,1] 4.0 4.0 1.0 1.0 1.0 4.0 1.0 4.0" } },
    { .rule = "mode 4", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0,0] nodes_truenodeids=[0,1] nodes_falsenodeids=[1,2] nodes_trueleafs=[1,1] nodes_falseleafs=[0,1] nodes_modes=<u8:4,4> nodes_splits=<f32:0.0,1.0> leaf_weights=<f32:1.0,2.0,4.0> leaf_targetids=[0,0,0]",
      .inputs = { "f32[8,1] -1.0 0.0 0.5 1.0 2.0 nan inf -inf" },
      .outputs = { "f32[8,1] 4.0 1.0 4.0 2.0 4.0 4.0 4.0 4.0" } },
    { .rule = "mode 5", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0,0] nodes_truenodeids=[0,1] nodes_falsenodeids=[1,2] nodes_trueleafs=[1,1] nodes_falseleafs=[0,1] nodes_modes=<u8:5,5> nodes_splits=<f32:0.0,1.0> leaf_weights=<f32:1.0,2.0,4.0> leaf_targetids=[0,0,0]",
      .inputs = { "f32[8,1] -1.0 0.0 0.5 1.0 2.0 nan inf -inf" },
      .outputs = { "f32[8,1] 1.0 2.0 1.0 1.0 1.0 1.0 1.0 1.0" } },
    { .rule = "members", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0,0] nodes_truenodeids=[0,1] nodes_falsenodeids=[1,2] nodes_trueleafs=[1,1] nodes_falseleafs=[0,1] nodes_modes=<u8:6,6> nodes_splits=<f32:0.0,0.0> leaf_weights=<f32:1.0,2.0,4.0> leaf_targetids=[0,0,0] membership_values=<f32:1.0,3.0,nan,7.0,-4.0,nan>",
      .inputs = { "f32[7,1] 1.0 2.0 3.0 7.0 -4.0 nan 2.5" },
      .outputs = { "f32[7,1] 1.0 4.0 1.0 2.0 2.0 4.0 4.0" } },
    { .rule = "members and another mode", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0,0] nodes_truenodeids=[0,1] nodes_falsenodeids=[1,2] nodes_trueleafs=[1,1] nodes_falseleafs=[0,1] nodes_modes=<u8:1,6> nodes_splits=<f32:2.0,0.0> leaf_weights=<f32:1.0,2.0,4.0> leaf_targetids=[0,0,0] membership_values=<f32:7.0,3.0,nan>",
      .inputs = { "f32[5,1] 1.0 2.0 3.0 7.0 -4.0" },
      .outputs = { "f32[5,1] 1.0 4.0 2.0 2.0 1.0" } },
    { .rule = "NaN where it tracks true", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0,0] nodes_truenodeids=[0,1] nodes_falsenodeids=[1,2] nodes_trueleafs=[1,1] nodes_falseleafs=[0,1] nodes_modes=<u8:0,0> nodes_splits=<f32:0.0,1.0> leaf_weights=<f32:1.0,2.0,4.0> leaf_targetids=[0,0,0] nodes_missing_value_tracks_true=[0,1]",
      .inputs = { "f32[8,1] -1.0 0.0 0.5 1.0 2.0 nan inf -inf" },
      .outputs = { "f32[8,1] 1.0 1.0 2.0 2.0 4.0 2.0 4.0 1.0" } },
    { .rule = "of double", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0,0] nodes_truenodeids=[0,1] nodes_falsenodeids=[1,2] nodes_trueleafs=[1,1] nodes_falseleafs=[0,1] nodes_modes=<u8:0,0> nodes_splits=<f64:0.1,1.0> leaf_weights=<f64:1.0,2.0,4.0> leaf_targetids=[0,0,0]",
      .inputs = { "f64[4,1] -1.0 0.1 0.2 3.0" },
      .outputs = { "f64[4,1] 1.0 1.0 2.0 4.0" } },
    { .rule = "of float16", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0,0] nodes_truenodeids=[0,1] nodes_falsenodeids=[1,2] nodes_trueleafs=[1,1] nodes_falseleafs=[0,1] nodes_modes=<u8:0,0> nodes_splits=<f16:0.0,1.0> leaf_weights=<f16:1.0,2.0,4.0> leaf_targetids=[0,0,0]",
      .inputs = { "f16[3,1] -1.0 0.5 3.0" },
      .outputs = { "f16[3,1] 1.0 2.0 4.0" },
      .native = "no kernel" },
    { .rule = "aggregate 0", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=2 tree_roots=[0,2] nodes_featureids=[0,0,1] nodes_truenodeids=[0,1,3] nodes_falsenodeids=[1,2,4] nodes_trueleafs=[1,1,1] nodes_falseleafs=[0,1,1] nodes_modes=<u8:0,1,2> nodes_splits=<f32:0.0,1.0,0.5> leaf_weights=<f32:1.0,-2.0,4.0,0.5,8.0> leaf_targetids=[0,1,0,1,0] nodes_hitrates=<f32:1.0,1.0,1.0> aggregate_function=0",
      .inputs = { "f32[4,2] -1.0 5.0 0.5 -5.0 2.0 0.0 2.0 3.0" },
      .outputs = { "f32[4,2] 0.5 0.25 4.0 -1.0 6.0 0.0 2.0 0.25" } },
    { .rule = "aggregate 1", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=2 tree_roots=[0,2] nodes_featureids=[0,0,1] nodes_truenodeids=[0,1,3] nodes_falsenodeids=[1,2,4] nodes_trueleafs=[1,1,1] nodes_falseleafs=[0,1,1] nodes_modes=<u8:0,1,2> nodes_splits=<f32:0.0,1.0,0.5> leaf_weights=<f32:1.0,-2.0,4.0,0.5,8.0> leaf_targetids=[0,1,0,1,0] nodes_hitrates=<f32:1.0,1.0,1.0> aggregate_function=1",
      .inputs = { "f32[4,2] -1.0 5.0 0.5 -5.0 2.0 0.0 2.0 3.0" },
      .outputs = { "f32[4,2] 1.0 0.5 8.0 -2.0 12.0 0.0 4.0 0.5" } },
    { .rule = "aggregate 2", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=2 tree_roots=[0,2] nodes_featureids=[0,0,1] nodes_truenodeids=[0,1,3] nodes_falsenodeids=[1,2,4] nodes_trueleafs=[1,1,1] nodes_falseleafs=[0,1,1] nodes_modes=<u8:0,1,2> nodes_splits=<f32:0.0,1.0,0.5> leaf_weights=<f32:1.0,-2.0,4.0,0.5,8.0> leaf_targetids=[0,1,0,1,0] nodes_hitrates=<f32:1.0,1.0,1.0> aggregate_function=2",
      .inputs = { "f32[4,2] -1.0 5.0 0.5 -5.0 2.0 0.0 2.0 3.0" },
      .outputs = { "f32[4,2] 1.0 0.5 8.0 -2.0 4.0 0.0 4.0 0.5" } },
    { .rule = "aggregate 3", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=2 tree_roots=[0,2] nodes_featureids=[0,0,1] nodes_truenodeids=[0,1,3] nodes_falsenodeids=[1,2,4] nodes_trueleafs=[1,1,1] nodes_falseleafs=[0,1,1] nodes_modes=<u8:0,1,2> nodes_splits=<f32:0.0,1.0,0.5> leaf_weights=<f32:1.0,-2.0,4.0,0.5,8.0> leaf_targetids=[0,1,0,1,0] nodes_hitrates=<f32:1.0,1.0,1.0> aggregate_function=3",
      .inputs = { "f32[4,2] -1.0 5.0 0.5 -5.0 2.0 0.0 2.0 3.0" },
      .outputs = { "f32[4,2] 1.0 0.5 8.0 -2.0 8.0 0.0 4.0 0.5" } },
    { .rule = "transform 1", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=2 tree_roots=[0,2] nodes_featureids=[0,0,1] nodes_truenodeids=[0,1,3] nodes_falsenodeids=[1,2,4] nodes_trueleafs=[1,1,1] nodes_falseleafs=[0,1,1] nodes_modes=<u8:0,1,2> nodes_splits=<f32:0.0,1.0,0.5> leaf_weights=<f32:1.0,-2.0,4.0,0.5,8.0> leaf_targetids=[0,1,0,1,0] nodes_hitrates=<f32:1.0,1.0,1.0> post_transform=1",
      .inputs = { "f32[4,2] -1.0 5.0 0.5 -5.0 2.0 0.0 2.0 3.0" },
      .outputs = { "f32[4,2] 0.731058598 0.622459352 0.999664664 0.119202971 0.999993801 0.5 0.982013762 0.622459352" } },
    { .rule = "transform 2", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=2 tree_roots=[0,2] nodes_featureids=[0,0,1] nodes_truenodeids=[0,1,3] nodes_falsenodeids=[1,2,4] nodes_trueleafs=[1,1,1] nodes_falseleafs=[0,1,1] nodes_modes=<u8:0,1,2> nodes_splits=<f32:0.0,1.0,0.5> leaf_weights=<f32:1.0,-2.0,4.0,0.5,8.0> leaf_targetids=[0,1,0,1,0] nodes_hitrates=<f32:1.0,1.0,1.0> post_transform=2",
      .inputs = { "f32[4,2] -1.0 5.0 0.5 -5.0 2.0 0.0 2.0 3.0" },
      .outputs = { "f32[4,2] 0.622459352 0.377540678 0.999954581 4.53978682e-05 0.999993801 6.14417422e-06 0.970687747 0.0293122306" } },
    { .rule = "transform 3", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=2 tree_roots=[0,2] nodes_featureids=[0,0,1] nodes_truenodeids=[0,1,3] nodes_falsenodeids=[1,2,4] nodes_trueleafs=[1,1,1] nodes_falseleafs=[0,1,1] nodes_modes=<u8:0,1,2> nodes_splits=<f32:0.0,1.0,0.5> leaf_weights=<f32:1.0,-2.0,4.0,0.5,8.0> leaf_targetids=[0,1,0,1,0] nodes_hitrates=<f32:1.0,1.0,1.0> post_transform=3",
      .inputs = { "f32[4,2] -1.0 5.0 0.5 -5.0 2.0 0.0 2.0 3.0" },
      .outputs = { "f32[4,2] 0.622459352 0.377540678 0.999954581 4.53978682e-05 1.0 0.0 0.970687747 0.0293122306" } },
    { .rule = "a leaf for both answers: a tree of one leaf", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0] nodes_truenodeids=[0] nodes_falsenodeids=[0] nodes_trueleafs=[1] nodes_falseleafs=[1] nodes_modes=<u8:0> nodes_splits=<f32:0.0> leaf_weights=<f32:3.0> leaf_targetids=[0]",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" },
      .outputs = { "f32[4,1] 3.0 3.0 3.0 3.0" } },
    { .rule = "a leaf that is missing", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0,0] nodes_truenodeids=[0,1] nodes_falsenodeids=[1,3] nodes_trueleafs=[1,1] nodes_falseleafs=[0,1] nodes_modes=<u8:0,0> nodes_splits=<f32:0.0,1.0> leaf_weights=<f32:1.0,2.0,4.0> leaf_targetids=[0,0,0]",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" }, .refused = "lower.value", .says = "leaf 3" },
    { .rule = "a node twice", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0,0] nodes_truenodeids=[1,0] nodes_falsenodeids=[1,2] nodes_trueleafs=[0,1] nodes_falseleafs=[0,1] nodes_modes=<u8:0,0> nodes_splits=<f32:0.0,1.0> leaf_weights=<f32:1.0,2.0,4.0> leaf_targetids=[0,0,0]",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" }, .refused = "lower.value", .says = "reached twice" },
    { .rule = "a mode beyond", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0,0] nodes_truenodeids=[0,1] nodes_falsenodeids=[1,2] nodes_trueleafs=[1,1] nodes_falseleafs=[0,1] nodes_modes=<u8:7,0> nodes_splits=<f32:0.0,1.0> leaf_weights=<f32:1.0,2.0,4.0> leaf_targetids=[0,0,0]",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" }, .refused = "lower.attribute", .says = "nodes_modes" },
    { .rule = "members without an end", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0,0] nodes_truenodeids=[0,1] nodes_falsenodeids=[1,2] nodes_trueleafs=[1,1] nodes_falseleafs=[0,1] nodes_modes=<u8:6,0> nodes_splits=<f32:0.0,1.0> leaf_weights=<f32:1.0,2.0,4.0> leaf_targetids=[0,0,0] membership_values=<f32:1.0,2.0>",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" }, .refused = "lower.attribute", .says = "membership_values" },
    { .rule = "a root beyond", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[2] nodes_featureids=[0,0] nodes_truenodeids=[0,1] nodes_falsenodeids=[1,2] nodes_trueleafs=[1,1] nodes_falseleafs=[0,1] nodes_modes=<u8:0,0> nodes_splits=<f32:0.0,1.0> leaf_weights=<f32:1.0,2.0,4.0> leaf_targetids=[0,0,0]",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" }, .refused = "lower.attribute", .says = "tree_roots" },
    { .rule = "a target beyond", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0,0] nodes_truenodeids=[0,1] nodes_falsenodeids=[1,2] nodes_trueleafs=[1,1] nodes_falseleafs=[0,1] nodes_modes=<u8:0,0> nodes_splits=<f32:0.0,1.0> leaf_weights=<f32:1.0,2.0,4.0> leaf_targetids=[0,0,1]",
      .inputs = { "f32[4,1] -1.0 0.5 2.0 nan" }, .refused = "lower.attribute", .says = "column 1" },
    { .rule = "members that are no integers", .op = "ai.onnx.ml:TreeEnsemble", .opset = 5,
      .attributes = "n_targets=1 tree_roots=[0] nodes_featureids=[0,0] nodes_truenodeids=[0,1] nodes_falsenodeids=[1,2] nodes_trueleafs=[1,1] nodes_falseleafs=[0,1] nodes_modes=<u8:6,6> nodes_splits=<f32:0.0,0.0> leaf_weights=<f32:1.0,2.0,4.0> leaf_targetids=[0,0,0] membership_values=<f32:2.5,nan,3.0,nan>",
      .inputs = { "f32[3,1] 1.0 2.5 3.0" },
      .outputs = { "f32[3,1] 4.0 1.0 2.0" } },
};
/* clang-format on */
OP_CASES_END
