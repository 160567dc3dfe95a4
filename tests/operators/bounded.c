/* Operators whose results have a size that depends on data: known ones, and under a bound. */
#include "runner.h"

static void named(struct model_builder *b, const char *op, const char *inputs, const char *output)
{
    mb_node_open(b, op, inputs, output);
    mb_node_name(b, "n");
    mb_close(b);
}

static void build_masked(struct model_builder *b)
{
    mb_floats(b, "two", SCALAR, FLOATS(2));
    named(b, "NonZero", "x0", "a");
    mb_node(b, "Transpose", "a", "t");
    mb_node(b, "GatherND", "x0 t", "g");
    mb_node(b, "Mul", "g two", "y0");
}

static void build_picked(struct model_builder *b)
{
    named(b, "NonZero", "x0", "a");
    mb_node_open(b, "Gather", "x1 a", "y0");
    mb_int(b, "axis", 1);
    mb_close(b);
}

static void build_summed(struct model_builder *b)
{
    named(b, "NonZero", "x0", "a");
    mb_node(b, "ReduceSum", "a", "y0");
}

static void build_beside(struct model_builder *b)
{
    named(b, "NonZero", "x0", "a");
    mb_node(b, "Add", "a x1", "y0");
}

/* v doubles while the first element stays below 20: at most `trips` times, and while x1 holds. */
static void doubling(struct model_builder *b, const char *inputs, bool grows)
{
    mb_floats(b, "end", DIMS(1), FLOATS(20));
    mb_floats(b, "zero", SCALAR, FLOATS(0));
    mb_int64s(b, "first", DIMS(1), INTS(0));
    mb_node_open(b, "Loop", inputs, "y0");
    mb_node_name(b, "n");
    mb_subgraph(b, "body");
    mb_input(b, "i", ONNX_INT64, SCALAR);
    mb_input(b, "on", ONNX_BOOL, SCALAR);
    mb_input(b, "v", ONNX_FLOAT, DIMS(2));
    if (grows) {
        mb_node_open(b, "Concat", "v v", "w");
        mb_int(b, "axis", 0);
        mb_close(b);
    } else {
        mb_node(b, "Add", "v v", "w");
    }
    mb_node(b, "Gather", "w first", "head");
    mb_node(b, "Less", "head end", "go");
    mb_output(b, "go", ONNX_BOOL, DIMS(1));
    mb_output(b, "w", ONNX_FLOAT, DIMS(2));
    mb_close(b);
    mb_close(b);
}

static void build_while(struct model_builder *b)
{
    mb_int64s(b, "m", SCALAR, INTS(6));
    doubling(b, "m x1 x0", false);
}

static void build_while_from_true(struct model_builder *b)
{
    const uint8_t yes = 1;
    mb_raw(b, "c", ONNX_BOOL, SCALAR, &yes, 1);
    mb_int64s(b, "m", SCALAR, INTS(6));
    doubling(b, "m c x0", false);
}

static void build_while_growing(struct model_builder *b)
{
    mb_int64s(b, "m", SCALAR, INTS(6));
    doubling(b, "m x1 x0", true);
}

static void build_while_open(struct model_builder *b)
{
    doubling(b, "- x1 x0", false);
}

/* The rows that there are, -1 behind them. */
#define NMS_REFERENCE(slots, inputs, attributes)                                               \
    "a = NonMaxSuppression " inputs attributes "; n = Shape a | start=0 end=1; m = Sub n one;" \
    "i = Min q m; g = Gather a i | axis=0; h = Less r n; y0 = Where h g none; y1 = Squeeze n;" \
    "one := i64[] 1; none := i64[] -1; " slots

/* clang-format off */
OP_CASES = {
    /* Unique */
    { .rule = "sorted=1", .op = "Unique", .opset = 11, .attributes = "sorted=1",
      .inputs = { "=f32[6] 2.0 1.0 1.0 3.0 4.0 3.0" },
      .outputs = { "f32[4] 1.0 2.0 3.0 4.0", "i64[4] 1 0 3 4", "i64[6] 1 0 0 2 3 2", "i64[4] 2 1 2 1" } },
    { .rule = "sorted=0", .op = "Unique", .opset = 11, .attributes = "sorted=0",
      .inputs = { "=f32[6] 2.0 1.0 1.0 3.0 4.0 3.0" },
      .outputs = { "f32[4] 2.0 1.0 3.0 4.0", "i64[4] 0 1 3 4", "i64[6] 0 1 1 2 3 2", "i64[4] 1 2 2 1" } },
    { .rule = "axis=0 sorted=1", .op = "Unique", .opset = 11, .attributes = "axis=0 sorted=1",
      .inputs = { "=f32[4,3] 1.0 0.0 0.0 1.0 0.0 0.0 2.0 3.0 4.0 1.0 0.0 -1.0" },
      .outputs = { "f32[3,3] 1.0 0.0 -1.0 1.0 0.0 0.0 2.0 3.0 4.0", "i64[3] 3 0 2", "i64[4] 1 1 2 0", "i64[3] 1 2 1" } },
    { .rule = "axis=0 sorted=0", .op = "Unique", .opset = 11, .attributes = "axis=0 sorted=0",
      .inputs = { "=f32[4,3] 1.0 0.0 0.0 1.0 0.0 0.0 2.0 3.0 4.0 1.0 0.0 -1.0" },
      .outputs = { "f32[3,3] 1.0 0.0 0.0 2.0 3.0 4.0 1.0 0.0 -1.0", "i64[3] 0 2 3", "i64[4] 0 0 1 2", "i64[3] 2 1 1" } },
    { .rule = "axis=1 sorted=1", .op = "Unique", .opset = 11, .attributes = "axis=1 sorted=1",
      .inputs = { "=f32[4,3] 1.0 0.0 0.0 1.0 0.0 0.0 2.0 3.0 4.0 1.0 0.0 -1.0" },
      .outputs = { "f32[4,3] 0.0 0.0 1.0 0.0 0.0 1.0 3.0 4.0 2.0 0.0 -1.0 1.0", "i64[3] 1 2 0", "i64[3] 2 0 1", "i64[3] 1 1 1" } },
    { .rule = "axis=1 sorted=0", .op = "Unique", .opset = 11, .attributes = "axis=1 sorted=0",
      .inputs = { "=f32[4,3] 1.0 0.0 0.0 1.0 0.0 0.0 2.0 3.0 4.0 1.0 0.0 -1.0" },
      .outputs = { "f32[4,3] 1.0 0.0 0.0 1.0 0.0 0.0 2.0 3.0 4.0 1.0 0.0 -1.0", "i64[3] 0 1 2", "i64[3] 0 1 2", "i64[3] 1 1 1" } },
    { .rule = "axis=-1 sorted=1", .op = "Unique", .opset = 11, .attributes = "axis=-1 sorted=1",
      .inputs = { "=f32[4,3] 1.0 0.0 0.0 1.0 0.0 0.0 2.0 3.0 4.0 1.0 0.0 -1.0" },
      .outputs = { "f32[4,3] 0.0 0.0 1.0 0.0 0.0 1.0 3.0 4.0 2.0 0.0 -1.0 1.0", "i64[3] 1 2 0", "i64[3] 2 0 1", "i64[3] 1 1 1" } },
    { .rule = "axis=-1 sorted=0", .op = "Unique", .opset = 11, .attributes = "axis=-1 sorted=0",
      .inputs = { "=f32[4,3] 1.0 0.0 0.0 1.0 0.0 0.0 2.0 3.0 4.0 1.0 0.0 -1.0" },
      .outputs = { "f32[4,3] 1.0 0.0 0.0 1.0 0.0 0.0 2.0 3.0 4.0 1.0 0.0 -1.0", "i64[3] 0 1 2", "i64[3] 0 1 2", "i64[3] 1 1 1" } },
    { .rule = "flattened", .op = "Unique", .opset = 11,
      .inputs = { "=f32[4,3] 1.0 0.0 0.0 1.0 0.0 0.0 2.0 3.0 4.0 1.0 0.0 -1.0" },
      .outputs = { "f32[6] -1.0 0.0 1.0 2.0 3.0 4.0", "i64[6] 11 1 0 6 7 8", "i64[12] 2 1 1 2 1 1 3 4 5 2 1 0", "i64[6] 1 5 3 1 1 1" } },
    { .rule = "rank 3", .op = "Unique", .opset = 11, .attributes = "axis=1",
      .inputs = { "=f32[2,4,2] 1.0 1.0 0.0 1.0 2.0 1.0 0.0 1.0 1.0 1.0 0.0 1.0 2.0 1.0 0.0 1.0" },
      .outputs = { "f32[2,3,2] 0.0 1.0 1.0 1.0 2.0 1.0 0.0 1.0 1.0 1.0 2.0 1.0", "i64[3] 1 0 2", "i64[4] 1 0 2 0", "i64[3] 2 1 1" } },
    { .rule = "of int8", .op = "Unique", .opset = 11,
      .inputs = { "=i8[4] -3 100 -3 5" },
      .outputs = { "i8[3] -3 5 100", "i64[3] 0 3 1", "i64[4] 0 2 0 1", "i64[3] 2 1 1" } },
    { .rule = "of int64", .op = "Unique", .opset = 11,
      .inputs = { "=i64[4] -3 100 -3 5" },
      .outputs = { "i64[3] -3 5 100", "i64[3] 0 3 1", "i64[4] 0 2 0 1", "i64[3] 2 1 1" } },
    { .rule = "of float64", .op = "Unique", .opset = 11,
      .inputs = { "=f64[4] -3.0 100.0 -3.0 5.0" },
      .outputs = { "f64[3] -3.0 5.0 100.0", "i64[3] 0 3 1", "i64[4] 0 2 0 1", "i64[3] 2 1 1" } },
    { .rule = "of int64 beyond 2^53", .op = "Unique", .opset = 11,
      .inputs = { "=i64[2] 9007199254740993 9007199254740992" },
      .outputs = { "i64[2] 9007199254740992 9007199254740993", "i64[2] 1 0", "i64[2] 1 0", "i64[2] 1 1" } },
    { .rule = "NaN equals nothing", .op = "Unique", .opset = 11,
      .inputs = { "=f32[2] 1.0 nan" }, .refused = "lower.value", .says = "NaN" },
    { .rule = "a computed input", .op = "Unique", .opset = 11,
      .inputs = { "f32[6] 2.0 1.0 1.0 3.0 4.0 3.0" }, .refused = "lower.unsupported" },

    /* TfIdfVectorizer */
    { .rule = "TF", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TF' ngram_counts=[0,4] ngram_indexes=[0,1,2,3,4,5,6] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=2 max_skip_count=0",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" },
      .outputs = { "f32[2,7] 0.0 3.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 0.0 1.0 0.0 1.0" } },
    { .rule = "TF, weights", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TF' ngram_counts=[0,4] ngram_indexes=[0,1,2,3,4,5,6] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=2 max_skip_count=0 weights=[0.5,1.5,2.5,3.5,4.5,5.5,6.5]",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" },
      .outputs = { "f32[2,7] 0.0 3.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 0.0 1.0 0.0 1.0" } },
    { .rule = "TF, weights, columns turned round", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TF' ngram_counts=[0,4] ngram_indexes=[6,5,4,3,2,1,0] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=2 max_skip_count=0 weights=[0.5,1.5,2.5,3.5,4.5,5.5,6.5]",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" },
      .outputs = { "f32[2,7] 0.0 0.0 0.0 0.0 0.0 3.0 0.0 1.0 0.0 1.0 0.0 1.0 0.0 0.0" } },
    { .rule = "IDF", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='IDF' ngram_counts=[0,4] ngram_indexes=[0,1,2,3,4,5,6] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=2 max_skip_count=0",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" },
      .outputs = { "f32[2,7] 0.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 0.0 1.0 0.0 1.0" } },
    { .rule = "IDF, weights", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='IDF' ngram_counts=[0,4] ngram_indexes=[0,1,2,3,4,5,6] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=2 max_skip_count=0 weights=[0.5,1.5,2.5,3.5,4.5,5.5,6.5]",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" },
      .outputs = { "f32[2,7] 0.0 1.5 0.0 0.0 0.0 0.0 0.0 0.0 0.0 2.5 0.0 4.5 0.0 6.5" } },
    { .rule = "IDF, weights, columns turned round", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='IDF' ngram_counts=[0,4] ngram_indexes=[6,5,4,3,2,1,0] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=2 max_skip_count=0 weights=[0.5,1.5,2.5,3.5,4.5,5.5,6.5]",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" },
      .outputs = { "f32[2,7] 0.0 0.0 0.0 0.0 0.0 1.5 0.0 6.5 0.0 4.5 0.0 2.5 0.0 0.0" } },
    { .rule = "TFIDF", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TFIDF' ngram_counts=[0,4] ngram_indexes=[0,1,2,3,4,5,6] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=2 max_skip_count=0",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" },
      .outputs = { "f32[2,7] 0.0 3.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 0.0 1.0 0.0 1.0" } },
    { .rule = "TFIDF, weights", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TFIDF' ngram_counts=[0,4] ngram_indexes=[0,1,2,3,4,5,6] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=2 max_skip_count=0 weights=[0.5,1.5,2.5,3.5,4.5,5.5,6.5]",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" },
      .outputs = { "f32[2,7] 0.0 4.5 0.0 0.0 0.0 0.0 0.0 0.0 0.0 2.5 0.0 4.5 0.0 6.5" } },
    { .rule = "TFIDF, weights, columns turned round", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TFIDF' ngram_counts=[0,4] ngram_indexes=[6,5,4,3,2,1,0] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=2 max_skip_count=0 weights=[0.5,1.5,2.5,3.5,4.5,5.5,6.5]",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" },
      .outputs = { "f32[2,7] 0.0 0.0 0.0 0.0 0.0 4.5 0.0 6.5 0.0 4.5 0.0 2.5 0.0 0.0" } },
    { .rule = "skips count pairs, unigrams once", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TF' ngram_counts=[0,4] ngram_indexes=[0,1,2,3,4,5,6] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=2 max_skip_count=3",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" },
      .outputs = { "f32[2,7] 0.0 3.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 0.0 1.0 1.0 1.0" } },
    { .rule = "pairs only", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TF' ngram_counts=[0,4] ngram_indexes=[0,1,2,3,4,5,6] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=2 max_gram_length=2 max_skip_count=0",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" },
      .outputs = { "f32[2,7] 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 0.0 1.0" } },
    { .rule = "unigrams only", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TF' ngram_counts=[0,4] ngram_indexes=[0,1,2,3,4,5,6] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=1 max_skip_count=0",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" },
      .outputs = { "f32[2,7] 0.0 3.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 0.0" } },
    { .rule = "triples with skips", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TF' ngram_counts=[0,0,0] ngram_indexes=[0,1] pool_int64s=[1,3,3,8,7,6] min_gram_length=3 max_gram_length=3 max_skip_count=2",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" },
      .outputs = { "f32[2,2] 2.0 0.0 0.0 1.0" } },
    { .rule = "several n-grams of a column", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TF' ngram_counts=[0,4] ngram_indexes=[0,0,1,1,2,2,3] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=2 max_skip_count=0",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" },
      .outputs = { "f32[2,4] 3.0 0.0 0.0 0.0 0.0 1.0 1.0 1.0" } },
    { .rule = "several n-grams of a column, TFIDF", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TFIDF' ngram_counts=[0,4] ngram_indexes=[0,0,1,1,2,2,3] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=2 max_skip_count=0 weights=[0.5,1.5,2.5,3.5,4.5,5.5,6.5]",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" },
      .outputs = { "f32[2,4] 4.5 0.0 0.0 0.0 0.0 2.5 4.5 6.5" } },
    { .rule = "columns of no n-gram", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TF' ngram_counts=[0,4] ngram_indexes=[0,2,3,4,5,6,9] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=2 max_skip_count=0",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" },
      .outputs = { "f32[2,10] 0.0 0.0 3.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 0.0 1.0 0.0 0.0 0.0 1.0" } },
    { .rule = "a vector", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TF' ngram_counts=[0,4] ngram_indexes=[0,1,2,3,4,5,6] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=2 max_skip_count=0",
      .inputs = { "i32[6] 1 1 3 3 3 7" },
      .outputs = { "f32[7] 0.0 3.0 0.0 0.0 0.0 0.0 0.0" } },
    { .rule = "int64", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TF' ngram_counts=[0,4] ngram_indexes=[0,1,2,3,4,5,6] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=2 max_skip_count=1",
      .inputs = { "i64[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" },
      .outputs = { "f32[2,7] 0.0 3.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 0.0 1.0 0.0 1.0" } },
    { .rule = "fewer numbers than a pair", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TF' ngram_counts=[0,4] ngram_indexes=[0,1,2,3,4,5,6] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=2 max_gram_length=2 max_skip_count=0",
      .inputs = { "i32[2,1] 1 8" },
      .outputs = { "f32[2,7] 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0" } },
    { .rule = "IDF with two weights for a column", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='IDF' ngram_counts=[0,4] ngram_indexes=[0,0,1,1,2,2,3] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=2 max_skip_count=0 weights=[0.5,1.5,2.5,3.5,4.5,5.5,6.5]",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" }, .refused = "lower.attribute", .says = "weights" },
    { .rule = "a pool that does not divide", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TF' ngram_counts=[0,4] ngram_indexes=[0,1,2,3,4,5,6] pool_int64s=[1,2,3,4,5,6,7,8,9] min_gram_length=1 max_gram_length=2 max_skip_count=0",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" }, .refused = "lower.attribute", .says = "ngram_counts" },
    { .rule = "indexes of another number", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TF' ngram_counts=[0,4] ngram_indexes=[0,1] pool_int64s=[2,3,5,4,5,6,7,8,6,7] min_gram_length=1 max_gram_length=2 max_skip_count=0",
      .inputs = { "i32[2,6] 1 1 3 3 3 7 8 6 7 5 6 8" }, .refused = "lower.attribute", .says = "ngram_indexes" },
    { .rule = "strings", .op = "TfIdfVectorizer", .opset = 9, .attributes = "mode='TF' ngram_counts=[0] ngram_indexes=[0] pool_strings=['a','b'] min_gram_length=1 max_gram_length=1 max_skip_count=0",
      .inputs = { "i64[2] 1 2" }, .refused = "lower.attribute", .says = "pool_strings" },

    /* NonMaxSuppression of known boxes */
    { .rule = "overlap", .op = "NonMaxSuppression", .opset = 11,
      .inputs = { "=f32[1,6,4] 0.0 0.0 1.0 1.0 0.0 0.100000001 1.0 1.10000002 0.0 -0.100000001 1.0 0.899999976 0.0 10.0 1.0 11.0 0.0 10.1000004 1.0 11.1000004 0.0 100.0 1.0 101.0", "=f32[1,1,6] 0.899999976 0.75 0.600000024 0.949999988 0.5 0.300000012", "=i64[1] 3", "=f32[1] 0.5", "=f32[1] 0.0" },
      .outputs = { "i64[3,3] 0 0 3 0 0 0 0 0 5" } },
    { .rule = "a score threshold", .op = "NonMaxSuppression", .opset = 11,
      .inputs = { "=f32[1,6,4] 0.0 0.0 1.0 1.0 0.0 0.100000001 1.0 1.10000002 0.0 -0.100000001 1.0 0.899999976 0.0 10.0 1.0 11.0 0.0 10.1000004 1.0 11.1000004 0.0 100.0 1.0 101.0", "=f32[1,1,6] 0.899999976 0.75 0.600000024 0.949999988 0.5 0.300000012", "=i64[1] 3", "=f32[1] 0.5", "=f32[1] 0.400000006" },
      .outputs = { "i64[2,3] 0 0 3 0 0 0" } },
    { .rule = "one box", .op = "NonMaxSuppression", .opset = 11,
      .inputs = { "=f32[1,6,4] 0.0 0.0 1.0 1.0 0.0 0.100000001 1.0 1.10000002 0.0 -0.100000001 1.0 0.899999976 0.0 10.0 1.0 11.0 0.0 10.1000004 1.0 11.1000004 0.0 100.0 1.0 101.0", "=f32[1,1,6] 0.899999976 0.75 0.600000024 0.949999988 0.5 0.300000012", "=i64[1] 1", "=f32[1] 0.5", "=f32[1] 0.0" },
      .outputs = { "i64[1,3] 0 0 3" } },
    { .rule = "no threshold of scores", .op = "NonMaxSuppression", .opset = 11,
      .inputs = { "=f32[1,6,4] 0.0 0.0 1.0 1.0 0.0 0.100000001 1.0 1.10000002 0.0 -0.100000001 1.0 0.899999976 0.0 10.0 1.0 11.0 0.0 10.1000004 1.0 11.1000004 0.0 100.0 1.0 101.0", "=f32[1,1,6] 0.899999976 0.75 0.600000024 0.949999988 0.5 0.300000012", "=i64[1] 10", "=f32[1] 0.5" },
      .outputs = { "i64[3,3] 0 0 3 0 0 0 0 0 5" } },
    { .rule = "no thresholds", .op = "NonMaxSuppression", .opset = 11,
      .inputs = { "=f32[1,6,4] 0.0 0.0 1.0 1.0 0.0 0.100000001 1.0 1.10000002 0.0 -0.100000001 1.0 0.899999976 0.0 10.0 1.0 11.0 0.0 10.1000004 1.0 11.1000004 0.0 100.0 1.0 101.0", "=f32[1,1,6] 0.899999976 0.75 0.600000024 0.949999988 0.5 0.300000012", "=i64[1] 10" },
      .outputs = { "i64[3,3] 0 0 3 0 0 0 0 0 5" } },
    { .rule = "no limit given: nothing", .op = "NonMaxSuppression", .opset = 11,
      .inputs = { "=f32[1,6,4] 0.0 0.0 1.0 1.0 0.0 0.100000001 1.0 1.10000002 0.0 -0.100000001 1.0 0.899999976 0.0 10.0 1.0 11.0 0.0 10.1000004 1.0 11.1000004 0.0 100.0 1.0 101.0", "=f32[1,1,6] 0.899999976 0.75 0.600000024 0.949999988 0.5 0.300000012" },
      .outputs = { "i64[0,3] " } },
    { .rule = "limit 0", .op = "NonMaxSuppression", .opset = 11,
      .inputs = { "=f32[1,6,4] 0.0 0.0 1.0 1.0 0.0 0.100000001 1.0 1.10000002 0.0 -0.100000001 1.0 0.899999976 0.0 10.0 1.0 11.0 0.0 10.1000004 1.0 11.1000004 0.0 100.0 1.0 101.0", "=f32[1,1,6] 0.899999976 0.75 0.600000024 0.949999988 0.5 0.300000012", "=i64[1] 0", "=f32[1] 0.5", "=f32[1] 0.0" },
      .outputs = { "i64[0,3] " } },
    { .rule = "flipped corners", .op = "NonMaxSuppression", .opset = 11,
      .inputs = { "=f32[1,6,4] 1.0 1.0 0.0 0.0 1.0 1.10000002 0.0 0.100000001 1.0 0.899999976 0.0 -0.100000001 1.0 11.0 0.0 10.0 1.0 11.1000004 0.0 10.1000004 1.0 101.0 0.0 100.0", "=f32[1,1,6] 0.899999976 0.75 0.600000024 0.949999988 0.5 0.300000012", "=i64[1] 3", "=f32[1] 0.5", "=f32[1] 0.0" },
      .outputs = { "i64[3,3] 0 0 3 0 0 0 0 0 5" } },
    { .rule = "centres and sizes", .op = "NonMaxSuppression", .opset = 11, .attributes = "center_point_box=1",
      .inputs = { "=f32[1,6,4] 0.5 0.5 1.0 1.0 0.5 0.600000024 1.0 1.0 0.5 0.399999976 1.0 1.0 0.5 10.5 1.0 1.0 0.5 10.6000004 1.0 1.0 0.5 100.5 1.0 1.0", "=f32[1,1,6] 0.899999976 0.75 0.600000024 0.949999988 0.5 0.300000012", "=i64[1] 3", "=f32[1] 0.5", "=f32[1] 0.0" },
      .outputs = { "i64[3,3] 0 0 3 0 0 0 0 0 5" } },
    { .rule = "two batches, two classes", .op = "NonMaxSuppression", .opset = 11,
      .inputs = { "=f32[2,6,4] 0.0 0.0 1.0 1.0 0.0 0.100000001 1.0 1.10000002 0.0 -0.100000001 1.0 0.899999976 0.0 10.0 1.0 11.0 0.0 10.1000004 1.0 11.1000004 0.0 100.0 1.0 101.0 0.0 100.0 1.0 101.0 0.0 10.1000004 1.0 11.1000004 0.0 10.0 1.0 11.0 0.0 -0.100000001 1.0 0.899999976 0.0 0.100000001 1.0 1.10000002 0.0 0.0 1.0 1.0", "=f32[2,2,6] 0.899999976 0.75 0.600000024 0.949999988 0.5 0.300000012 0.300000012 0.5 0.949999988 0.600000024 0.75 0.899999976 0.899999976 0.75 0.600000024 0.949999988 0.5 0.300000012 0.300000012 0.5 0.949999988 0.600000024 0.75 0.899999976", "=i64[1] 2", "=f32[1] 0.5", "=f32[1] 0.0" },
      .outputs = { "i64[8,3] 0 0 3 0 0 0 0 1 2 0 1 5 1 0 3 1 0 0 1 1 2 1 1 5" } },
    { .rule = "equal scores: the lower box first", .op = "NonMaxSuppression", .opset = 11,
      .inputs = { "=f32[1,6,4] 0.0 0.0 1.0 1.0 0.0 0.100000001 1.0 1.10000002 0.0 -0.100000001 1.0 0.899999976 0.0 10.0 1.0 11.0 0.0 10.1000004 1.0 11.1000004 0.0 100.0 1.0 101.0", "=f32[1,1,6] 0.5 0.5 0.5 0.5 0.5 0.5", "=i64[1] 3", "=f32[1] 0.5", "=f32[1] 0.0" },
      .outputs = { "i64[3,3] 0 0 0 0 0 3 0 0 5" } },
    { .rule = "identical boxes", .op = "NonMaxSuppression", .opset = 11,
      .inputs = { "=f32[1,6,4] 0.0 0.0 1.0 1.0 0.0 0.0 1.0 1.0 0.0 0.0 1.0 1.0 0.0 0.0 1.0 1.0 0.0 0.0 1.0 1.0 0.0 0.0 1.0 1.0", "=f32[1,1,6] 0.899999976 0.899999976 0.899999976 0.899999976 0.899999976 0.899999976", "=i64[1] 3", "=f32[1] 0.5", "=f32[1] 0.0" },
      .outputs = { "i64[1,3] 0 0 0" } },
    { .rule = "boxes without an area", .op = "NonMaxSuppression", .opset = 11,
      .inputs = { "=f32[1,3,4] 0.0 0.0 0.0 1.0 0.0 0.0 0.0 1.0 1.0 1.0 1.0 1.0", "=f32[1,1,3] 0.899999976 0.75 0.600000024", "=i64[1] 5", "=f32[1] 0.5", "=f32[1] 0.0" },
      .outputs = { "i64[3,3] 0 0 0 0 0 1 0 0 2" } },
    { .rule = "above the threshold, not at it", .op = "NonMaxSuppression", .opset = 11,
      .inputs = { "=f32[1,3,4] 0.0 0.0 1.0 2.0 0.0 1.0 1.0 3.0 0.0 0.0 1.0 1.0", "=f32[1,1,3] 0.899999976 0.75 0.600000024", "=i64[1] 5", "=f32[1] 0.333333343", "=f32[1] 0.600000024" },
      .outputs = { "i64[2,3] 0 0 0 0 0 1" } },
    { .rule = "negative scores", .op = "NonMaxSuppression", .opset = 11,
      .inputs = { "=f32[1,6,4] 0.0 0.0 1.0 1.0 0.0 0.100000001 1.0 1.10000002 0.0 -0.100000001 1.0 0.899999976 0.0 10.0 1.0 11.0 0.0 10.1000004 1.0 11.1000004 0.0 100.0 1.0 101.0", "=f32[1,1,6] -0.899999976 -0.75 -0.600000024 -0.949999988 -0.5 -0.300000012", "=i64[1] 5", "=f32[1] 0.5", "=f32[1] -0.800000012" },
      .outputs = { "i64[3,3] 0 0 5 0 0 4 0 0 2" } },
    { .rule = "computed boxes", .op = "NonMaxSuppression", .opset = 11,
      .inputs = { "f32[1,6,4] 0.0 0.0 1.0 1.0 0.0 0.100000001 1.0 1.10000002 0.0 -0.100000001 1.0 0.899999976 0.0 10.0 1.0 11.0 0.0 10.1000004 1.0 11.1000004 0.0 100.0 1.0 101.0", "f32[1,1,6] 0.899999976 0.75 0.600000024 0.949999988 0.5 0.300000012", "=i64[1] 3", "=f32[1] 0.5", "=f32[1] 0.0" }, .refused = "lower.unsupported" },

    /* computed boxes */
    { .rule = "boxes up to a bound, -1 behind them", .op = "NonMaxSuppression", .opset = 16, .bound = 4, .inputs = { "f32[1,6,4] 0 0 1 1 0 0.1 1 1.1 0 -0.1 1 0.9 0 10 1 11 0 10.1 1 11.1 0 100 1 101", "f32[1,1,6] 0.9 0.75 0.6 0.95 0.5 0.3", "=i64[1] 6", "f32[1] 0.5", "f32[1] 0" },
      .outputs = { "i64[4,3] 0 0 3 0 0 0 0 0 5 -1 -1 -1", "i64[] 3" }, .reference = NMS_REFERENCE("r := i64[4,1] 0 1 2 3; q := i64[4] 0 1 2 3", "x0 x1 x2 x3 x4", "") },
    { .rule = "centres, two batches and classes, a limit per class", .op = "NonMaxSuppression", .opset = 16, .attributes = "center_point_box=1", .bound = 7, .inputs = { "f32[2,3,4] 0.5 0.5 1 1 0.5 0.6 1 1 0.5 10.5 1 1 2 2 3 3 2 2 3 2 9 9 1 1", "f32[2,2,3] 0.9 0.75 0.6 0.1 0.2 0.3 0.5 0.5 0.5 -1 0 1", "=i64[1] 2", "f32[] 0.5", "f32[] 0.15" },
      .outputs = { "i64[7,3] 0 0 0 0 0 2 0 1 2 0 1 1 1 0 0 1 0 2 1 1 2", "i64[] 7" }, .reference = NMS_REFERENCE("r := i64[7,1] 0 1 2 3 4 5 6; q := i64[7] 0 1 2 3 4 5 6", "x0 x1 x2 x3 x4", "| center_point_box=1") },
    { .rule = "no thresholds, flipped corners, known scores", .op = "NonMaxSuppression", .opset = 16, .bound = 4, .inputs = { "f32[1,3,4] 1 1 0 0 0 2 1 1.5 5 5 4 4", "=f32[1,1,3] -0.5 0.25 -inf", "=i64[1] 4" },
      .outputs = { "i64[4,3] 0 0 1 0 0 0 0 0 2 -1 -1 -1", "i64[] 3" }, .reference = NMS_REFERENCE("r := i64[4,1] 0 1 2 3; q := i64[4] 0 1 2 3", "x0 x1 x2", "") },
    { .rule = "a bound that is too small shows in the count", .op = "NonMaxSuppression", .opset = 16, .bound = 1, .inputs = { "f32[1,3,4] 0 0 1 1 2 2 3 3 4 4 5 5", "f32[1,1,3] 0.1 0.3 0.2", "=i64[1] 3", "f32[1] 0.5" },
      .outputs = { "i64[1,3] 0 0 1", "i64[] 2" }, .native = "counts 3: one more than the bound is all that is looked for" },
    { .rule = "a limit of 0", .op = "NonMaxSuppression", .opset = 16, .bound = 2, .inputs = { "f32[1,1,4] 0 0 1 1", "f32[1,1,1] 1" }, .refused = "lower.input", .says = "no box" },

    /* results of a bounded size */
    { .rule = "coordinates up to a bound", .op = "NonZero", .opset = 16, .bound = 5, .inputs = { "f32[2,3] 1 0 nan -2 0 0" }, .outputs = { "i64[2,5] 0 0 1 1 1 0 2 0 0 0", "i64[] 3" },
      .reference = "a = NonZero x0; s = Shape a | start=1; m = Sub s one; i = Min r m; y0 = Gather a i | axis=1; y1 = Squeeze s; r := i64[5] 0 1 2 3 4; one := i64[] 1" },
    { .rule = "a bound that is too small shows in the count", .op = "NonZero", .opset = 16, .bound = 2, .inputs = { "i32[4] 1 0 5 -2" }, .outputs = { "i64[1,2] 0 2", "i64[] 3" },
      .reference = "a = NonZero x0; s = Shape a | start=1; y0 = Gather a r | axis=1; y1 = Squeeze s; r := i64[2] 0 1" },
    { .rule = "nothing found", .op = "NonZero", .opset = 16, .bound = 2, .inputs = { "bool[2,2] all 0" }, .outputs = { "i64[2,2] all 0", "i64[] 0" }, .native = "there is nothing to repeat" },
    { .rule = "rank 3, prime dims", .op = "NonZero", .opset = 16, .bound = 4, .inputs = { "u8[2,3,5] cycle 0 0 0 0 0 0 0 0 0 0 1" }, .outputs = { "i64[3,4] 0 1 1 1 2 1 1 1 0 1 1 1", "i64[] 2" },
      .reference = "a = NonZero x0; s = Shape a | start=1; m = Sub s one; i = Min r m; y0 = Gather a i | axis=1; y1 = Squeeze s; r := i64[4] 0 1 2 3; one := i64[] 1" },
    { .rule = "without a bound", .op = "NonZero", .opset = 13, .inputs = { "f32[2] 1 0" }, .refused = "lower.unsupported" },
    { .rule = "a scalar", .op = "NonZero", .opset = 16, .bound = 1, .inputs = { "f32[] 1" }, .refused = "lower.input", .says = "scalar" },
    { .rule = "rows up to a bound", .op = "Compress", .opset = 16, .attributes = "axis=0", .bound = 3, .inputs = { "f32[4,2] iota 0 1", "bool[4] 0 1 0 1" }, .outputs = { "f32[3,2] 2 3 6 7 6 7", "i64[] 2" },
      .reference = "a = Compress x0 x1 | axis=0; n = Shape a | start=0 end=1; m = Sub n one; i = Min r m; y0 = Gather a i | axis=0; y1 = Squeeze n; r := i64[3] 0 1 2; one := i64[] 1" },
    { .rule = "columns, a short condition", .op = "Compress", .opset = 16, .attributes = "axis=-1", .bound = 2, .inputs = { "i8[2,3] iota 0 1", "bool[2] 0 1" }, .outputs = { "i8[2,2] 1 1 4 4", "i64[] 1" },
      .reference = "a = Compress x0 x1 | axis=1; n = Shape a | start=1 end=2; m = Sub n one; i = Min r m; y0 = Gather a i | axis=1; y1 = Squeeze n; r := i64[2] 0 1; one := i64[] 1" },
    { .rule = "flattened", .op = "Compress", .opset = 16, .bound = 3, .inputs = { "bool[2,2] 1 0 0 1", "bool[4] 0 1 1 1" }, .outputs = { "bool[3] 0 0 1", "i64[] 3" },
      .reference = "y0 = Compress x0 x1; n = Shape y0; y1 = Squeeze n" },
    { .rule = "without a bound", .op = "Compress", .opset = 11, .inputs = { "f32[2] 1 2", "bool[2] 1 0" }, .refused = "lower.unsupported" },
    { .rule = "a condition longer than the axis", .op = "Compress", .opset = 16, .bound = 2, .inputs = { "f32[2] 1 2", "bool[3] 1 0 0" }, .outputs = { "f32[2] 1 1", "i64[] 1" }, .refused = "lower.input", .says = "3 elements" },
    { .rule = "through Transpose, GatherND and a product", .opset = 16, .build = build_masked, .bound = 4, .inputs = { "f32[2,3] 1 0 3 -2 0 0" }, .outputs = { "f32[4] 2 6 -4 -4", "i64[] 3" },
      .reference = "a = NonZero x0; t = Transpose a; g = GatherND x0 t; w = Mul g two; s = Shape w; m = Sub s one; i = Min r m; y0 = Gather w i; y1 = Squeeze s; r := i64[4] 0 1 2 3; one := i64[] 1; two := f32[] 2" },
    { .rule = "through Gather", .opset = 16, .build = build_picked, .bound = 3, .inputs = { "f32[3] 1 0 -1", "f32[2,3] iota 1 1" }, .outputs = { "f32[2,1,3] 1 3 3 4 6 6", "i64[] 2" },
      .reference = "a = NonZero x0; w = Gather x1 a | axis=1; s = Shape w | start=2; m = Sub s one; i = Min r m; y0 = Gather w i | axis=2; y1 = Squeeze s; r := i64[3] 0 1 2; one := i64[] 1" },
    { .rule = "not through a sum", .opset = 16, .build = build_summed, .bound = 3, .inputs = { "f32[3] 1 0 -1" }, .outputs = { "i64[] 0", "i64[] 2" }, .refused = "lower.input", .says = "size that depends on data" },
    { .rule = "not beside a size of its own", .opset = 16, .build = build_beside, .bound = 3, .inputs = { "f32[3] 1 0 -1", "i64[1,3] 1 2 3" }, .outputs = { "i64[1,3] 0 0 0", "i64[] 2" }, .refused = "lower.shape", .says = "no size 1" },

    /* loops that end by a computed condition */
    { .rule = "ends by itself", .opset = 16, .build = build_while, .bound = 6, .inputs = { "f32[2] 3 -1", "bool[] 1" }, .outputs = { "f32[2] 24 -8" } },
    { .rule = "ends by the number of trips", .opset = 16, .build = build_while, .bound = 8, .inputs = { "f32[2] 0.125 1", "bool[] 1" }, .outputs = { "f32[2] 8 64" } },
    { .rule = "does not begin", .opset = 16, .build = build_while, .bound = 6, .inputs = { "f32[2] 3 -1", "bool[] 0" }, .outputs = { "f32[2] 3 -1" } },
    { .rule = "begins in any case", .opset = 16, .build = build_while_from_true, .bound = 6, .inputs = { "f32[2] 50 1" }, .outputs = { "f32[2] 100 2" } },
    { .rule = "more trips than the bound", .opset = 16, .build = build_while, .bound = 5, .inputs = { "f32[2] 3 -1", "bool[] 1" }, .refused = "lower.limit", .says = "not above the bound 5" },
    { .rule = "no number of trips", .opset = 16, .build = build_while_open, .bound = 5, .inputs = { "f32[2] 3 -1", "bool[] 1" }, .refused = "lower.limit", .says = "'M' must be known" },
    { .rule = "without a bound", .opset = 16, .build = build_while, .inputs = { "f32[2] 3 -1", "bool[] 1" }, .refused = "lower.not-known", .says = "condition after 0 trips" },
    { .rule = "a carried shape that grows", .opset = 16, .build = build_while_growing, .bound = 6, .inputs = { "f32[2] 3 -1", "bool[] 1" }, .refused = "lower.shape", .says = "changes its type or shape" },
};
/* clang-format on */
OP_CASES_END
