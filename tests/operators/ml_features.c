/* ai.onnx.ml: linear models, features, encoders. */
#include "runner.h"

static void ml_node(struct model_builder *b, const char *op, const char *inputs, const char *output)
{
    mb_node_open(b, op, inputs, output);
    mb_node_domain(b, "ai.onnx.ml");
}

static void encoder(struct model_builder *b, const char *input, const char *output)
{
    ml_node(b, "LabelEncoder", input, output);
    mb_int_list(b, "keys_int64s", INTS(3, 5));
    mb_string_list(b, "values_strings", "three five");
    mb_close(b);
}

/* Labels through movers, and to numbers again. */
static void build_moved_labels(struct model_builder *b)
{
    mb_int64s(b, "shape", DIMS(2), INTS(2, 2));
    mb_int64s(b, "one", SCALAR, INTS(1));
    encoder(b, "x0", "a");
    mb_node(b, "Reshape", "a shape", "m");
    mb_node(b, "Transpose", "m", "t");
    mb_node(b, "Gather", "t one", "g");
    mb_node_open(b, "Cast", "g", "s");
    mb_int(b, "to", 8);
    mb_close(b);
    mb_node(b, "Identity", "s", "y0");
}

static void build_labels_to_numbers(struct model_builder *b)
{
    encoder(b, "x0", "a");
    ml_node(b, "LabelEncoder", "a", "y0");
    mb_string_list(b, "keys_strings", "five six five _Unused");
    mb_float_list(b, "values_floats", FLOATS(5, 6, 7, -1));
    mb_float(b, "default_float", 0.5F);
    mb_close(b);
}

static void build_labels_compared(struct model_builder *b)
{
    encoder(b, "x0", "a");
    mb_node(b, "Equal", "a a", "y0");
}

static void categories(struct model_builder *b, const char *input, const char *output)
{
    ml_node(b, "CategoryMapper", input, output);
    mb_string_list(b, "cats_strings", "five three five _Unused");
    mb_int_list(b, "cats_int64s", INTS(5, -3, 7, 9007199254740993));
    mb_int(b, "default_int64", 42);
    mb_close(b);
}

/* Labels to integers: of equal strings the last. */
static void build_labels_to_categories(struct model_builder *b)
{
    encoder(b, "x0", "a");
    categories(b, "a", "y0");
}

static void build_strings_to_categories(struct model_builder *b)
{
    mb_node_open(b, "Constant", "", "names");
    mb_string_list(b, "value_strings", "three six five");
    mb_close(b);
    categories(b, "names", "c");
    mb_node(b, "Add", "c x0", "y0");
}

static void build_string_categories(struct model_builder *b)
{
    mb_input(b, "names", 8, DIMS(2));
    categories(b, "names", "c");
    mb_node(b, "Add", "c x0", "y0");
}

/* Strings as a table, in the way of exporters. */
static void build_table_of_strings(struct model_builder *b)
{
    mb_node_open(b, "Constant", "", "names");
    mb_string_list(b, "value_strings", "red green blue");
    mb_close(b);
    mb_node_open(b, "ArgMax", "x0", "place");
    mb_int(b, "axis", 1);
    mb_close(b);
    ml_node(b, "ArrayFeatureExtractor", "names place", "y0");
    mb_close(b);
}

static void zip(struct model_builder *b, const char *output)
{
    ml_node(b, "ZipMap", "x0", output);
    mb_int_list(b, "classlabels_int64s", INTS(7, -9007199254740993));
    mb_close(b);
}

static void build_zip(struct model_builder *b)
{
    zip(b, "y0");
}

static void build_zip_inside(struct model_builder *b)
{
    zip(b, "z");
    mb_node(b, "SequenceLength", "z", "y0");
}

/* clang-format off */
OP_CASES = {
    /* linear models */
    { .rule = "one column for two labels, NONE", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25] intercepts=[-0.100000001] classlabels_ints=[7,9] post_transform='NONE' multi_class=1",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "i64[3] 7 9 9", "f32[3,2] 1.10000002 -0.100000001 0.787500024 0.212500006 0.850000024 0.150000006" } },
    { .rule = "one column for two labels, LOGISTIC", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25] intercepts=[-0.100000001] classlabels_ints=[7,9] post_transform='LOGISTIC' multi_class=1",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "i64[3] 7 9 9", "f32[3,2] 0.524979174 0.475020826 0.447074056 0.552925944 0.46257019 0.53742981" } },
    { .rule = "one column for two labels, SOFTMAX", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25] intercepts=[-0.100000001] classlabels_ints=[7,9] post_transform='SOFTMAX' multi_class=1",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "i64[3] 7 9 9", "f32[3,2] 1.10000002 -0.100000001 0.787500024 0.212500006 0.850000024 0.150000006" } },
    { .rule = "one column for two labels, SOFTMAX_ZERO", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25] intercepts=[-0.100000001] classlabels_ints=[7,9] post_transform='SOFTMAX_ZERO' multi_class=1",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "i64[3] 7 9 9", "f32[3,2] 1.10000002 -0.100000001 0.787500024 0.212500006 0.850000024 0.150000006" } },
    { .rule = "three columns, LOGISTIC", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25,-0.300000012,0.100000001,0.200000003,0.400000006] intercepts=[0.100000001,0.0,-0.200000003] classlabels_ints=[0,1,2] post_transform='LOGISTIC'",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "i64[3] 1 0 0", "f32[3,3] 0.524979174 0.622459292 0.598687649 0.601687193 0.468790621 0.5 0.586617589 0.289050519 0.268941432" } },
    { .rule = "three columns, SOFTMAX", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25,-0.300000012,0.100000001,0.200000003,0.400000006] intercepts=[0.100000001,0.0,-0.200000003] classlabels_ints=[0,1,2] post_transform='SOFTMAX'",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "i64[3] 1 0 0", "f32[3,3] 0.260302544 0.388325781 0.351371706 0.445196301 0.260086775 0.294716924 0.646937251 0.185350627 0.167712167" } },
    { .rule = "three columns, SOFTMAX_ZERO", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25,-0.300000012,0.100000001,0.200000003,0.400000006] intercepts=[0.100000001,0.0,-0.200000003] classlabels_ints=[0,1,2] post_transform='SOFTMAX_ZERO'",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "i64[3] 1 0 0", "f32[3,3] 0.260302544 0.388325781 0.351371706 0.631230652 0.368769348 0.0 0.646937251 0.185350627 0.167712167" } },
    { .rule = "three columns, PROBIT", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25,0.300000012,0.100000001,0.200000003,0.400000006] intercepts=[0.100000001,0.200000003,0.300000012] classlabels_ints=[0,1,2] post_transform='PROBIT'",
      .inputs = { "f32[2,2] 0.200000003 0.300000012 0.899999976 0.5" },
      .outputs = { "i64[2] 2 2", "f32[2,3] -0.597822964 -0.55343616 -0.100434124 0.453792751 0.0501481704 0.467732638" } },
    { .rule = "the first of equal scores", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[1.0,0.0,1.0,0.0,0.0,0.0] intercepts=[0.0,0.0,0.0] classlabels_ints=[5,-3,8589934592]",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "i64[3] 8589934592 5 5", "f32[3,3] -1.0 -1.0 0.0 0.5 0.5 0.0 2.0 2.0 0.0" } },
    { .rule = "a vector is one row", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25,-0.300000012,0.100000001] intercepts=[0.100000001,0.0] classlabels_ints=[0,1]",
      .inputs = { "f32[2] -1.0 2.0" },
      .outputs = { "i64[1] 1", "f32[1,2] 0.100000001 0.5" } },
    { .rule = "an open batch", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25,-0.300000012,0.100000001] intercepts=[0.100000001,0.0] classlabels_ints=[4,2]",
      .inputs = { "f32[n:3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "i64[3] 2 4 4", "f32[3,2] 0.100000001 0.5 0.412499994 -0.125 0.349999994 -0.900000036" }, .open = true },
    { .rule = "of int64", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25,-0.300000012,0.100000001] intercepts=[0.100000001,0.0] classlabels_ints=[1,0]",
      .inputs = { "i64[2,2] -1 2 3 1" },
      .outputs = { "i64[2] 0 1", "f32[2,2] 0.100000001 0.5 1.85000002 -0.800000012" } },
    { .rule = "of int32", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25,-0.300000012,0.100000001] intercepts=[0.100000001,0.0] classlabels_ints=[1,0]",
      .inputs = { "i32[2,2] -1 2 3 1" },
      .outputs = { "i64[2] 0 1", "f32[2,2] 0.100000001 0.5 1.85000002 -0.800000012" } },
    { .rule = "of float64", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25,-0.300000012,0.100000001] intercepts=[0.100000001,0.0] classlabels_ints=[1,0]",
      .inputs = { "f64[2,2] -1.0 2.0 3.0 1.0" },
      .outputs = { "i64[2] 0 1", "f32[2,2] 0.100000001 0.5 1.85000002 -0.800000012" } },
    { .rule = "no intercepts", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25,-0.5,0.5] classlabels_ints=[1,0]",
      .inputs = { "f32[1,2] -1.0 2.0" },
      .outputs = { "i64[1] 0", "f32[1,2] 0.0 1.5" },
      .native = "wants intercepts" },
    { .rule = "PROBIT leaves the other score open", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25] intercepts=[-0.100000001] classlabels_ints=[7,9] post_transform='PROBIT'",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" }, .refused = "lower.attribute", .says = "post_transform" },
    { .rule = "labels twice", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25] intercepts=[-0.100000001] classlabels_ints=[7,9] classlabels_strings=['a','b']",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" }, .refused = "lower.attribute", .says = "twice" },
    { .rule = "no labels", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25] intercepts=[-0.100000001]",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" }, .refused = "lower.attribute", .says = "nowhere" },
    { .rule = "coefficients that do not fit", .op = "ai.onnx.ml:LinearClassifier", .opset = 1,
      .attributes = "coefficients=[0.5,0.25,0.100000001] intercepts=[-0.100000001] classlabels_ints=[7,9]",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" }, .refused = "lower.attribute", .says = "coefficients" },
    { .rule = "one target", .op = "ai.onnx.ml:LinearRegressor", .opset = 1,
      .attributes = "coefficients=[0.5,0.25] intercepts=[0.100000001] post_transform='LOGISTIC'",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "f32[3,1] 0.100000001 0.412499994 0.349999994" } },
    { .rule = "one target, PROBIT", .op = "ai.onnx.ml:LinearRegressor", .opset = 1,
      .attributes = "coefficients=[0.5,0.25] intercepts=[0.100000001] post_transform='PROBIT'",
      .inputs = { "f32[2,2] 0.200000003 0.300000012 0.899999976 0.5" },
      .outputs = { "f32[2,1] -0.597822964 0.453792751" } },
    { .rule = "two targets, NONE", .op = "ai.onnx.ml:LinearRegressor", .opset = 1,
      .attributes = "coefficients=[0.5,0.25,0.100000001,0.200000003] targets=2 intercepts=[0.100000001,0.200000003] post_transform='NONE'",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "f32[3,2] 0.100000001 0.5 0.412499994 0.300000012 0.349999994 -0.200000003" } },
    { .rule = "two targets, LOGISTIC", .op = "ai.onnx.ml:LinearRegressor", .opset = 1,
      .attributes = "coefficients=[0.5,0.25,0.100000001,0.200000003] targets=2 intercepts=[0.100000001,0.200000003] post_transform='LOGISTIC'",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "f32[3,2] 0.524979174 0.622459292 0.601687193 0.574442506 0.586617589 0.450166017" } },
    { .rule = "two targets, SOFTMAX", .op = "ai.onnx.ml:LinearRegressor", .opset = 1,
      .attributes = "coefficients=[0.5,0.25,0.100000001,0.200000003] targets=2 intercepts=[0.100000001,0.200000003] post_transform='SOFTMAX'",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "f32[3,2] 0.401312321 0.598687649 0.528095365 0.471904635 0.634135604 0.365864366" } },
    { .rule = "two targets, SOFTMAX_ZERO", .op = "ai.onnx.ml:LinearRegressor", .opset = 1,
      .attributes = "coefficients=[0.5,0.25,0.100000001,0.200000003] targets=2 intercepts=[0.100000001,0.200000003] post_transform='SOFTMAX_ZERO'",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "f32[3,2] 0.401312321 0.598687649 0.528095365 0.471904635 0.634135604 0.365864366" } },
    { .rule = "no intercepts", .op = "ai.onnx.ml:LinearRegressor", .opset = 1,
      .attributes = "coefficients=[0.5,0.25]",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "f32[3,1] 0.0 0.3125 0.25" } },
    { .rule = "of int64", .op = "ai.onnx.ml:LinearRegressor", .opset = 1,
      .attributes = "coefficients=[0.5,0.25]",
      .inputs = { "i64[2,2] -1 2 3 1" },
      .outputs = { "f32[2,1] 0.0 1.75" },
      .native = "no kernel" },
    { .rule = "of int32", .op = "ai.onnx.ml:LinearRegressor", .opset = 1,
      .attributes = "coefficients=[0.5,0.25]",
      .inputs = { "i32[2,2] -1 2 3 1" },
      .outputs = { "f32[2,1] 0.0 1.75" },
      .native = "no kernel" },
    { .rule = "of float64", .op = "ai.onnx.ml:LinearRegressor", .opset = 1,
      .attributes = "coefficients=[0.5,0.25]",
      .inputs = { "f64[2,2] -1.0 2.0 3.0 1.0" },
      .outputs = { "f32[2,1] 0.0 1.75" },
      .native = "no kernel" },

    /* features */
    { .rule = "columns", .op = "ai.onnx.ml:ArrayFeatureExtractor", .opset = 1,
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0", "=i64[1,3] 1 0 1" },
      .outputs = { "f32[3,3] 2.0 -1.0 2.0 0.25 0.5 0.25 -3.0 2.0 -3.0" } },
    { .rule = "a vector is one row", .op = "ai.onnx.ml:ArrayFeatureExtractor", .opset = 1,
      .inputs = { "f32[2] -1.0 2.0", "i64[2,1] 1 0" },
      .outputs = { "f32[1,2] 2.0 -1.0" } },
    { .rule = "rank 3", .op = "ai.onnx.ml:ArrayFeatureExtractor", .opset = 1,
      .inputs = { "f32[2,3,2] -1.0 -2.0 -3.0 -6.0 4.0 8.0 1.0 2.0 3.0 6.0 -4.0 -8.0", "i64[1] 1" },
      .outputs = { "f32[2,3,1] -2.0 -6.0 8.0 2.0 6.0 -8.0" } },
    { .rule = "of int64", .op = "ai.onnx.ml:ArrayFeatureExtractor", .opset = 1,
      .inputs = { "i64[3] 4 -5 6", "i64[2] 2 1" },
      .outputs = { "i64[1,2] 6 -5" } },
    { .rule = "of int32", .op = "ai.onnx.ml:ArrayFeatureExtractor", .opset = 1,
      .inputs = { "i32[3] 4 -5 6", "i64[2] 2 1" },
      .outputs = { "i32[1,2] 6 -5" } },
    { .rule = "of float64", .op = "ai.onnx.ml:ArrayFeatureExtractor", .opset = 1,
      .inputs = { "f64[3] 4.0 -5.0 6.0", "i64[2] 2 1" },
      .outputs = { "f64[1,2] 6.0 -5.0" } },
    { .rule = "a place outside", .op = "ai.onnx.ml:ArrayFeatureExtractor", .opset = 1,
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0", "=i64[1] -1" }, .refused = "lower.input", .says = "holds -1" },
    { .rule = "above the threshold, not at it", .op = "ai.onnx.ml:Binarizer", .opset = 1,
      .attributes = "threshold=0.300000012",
      .inputs = { "f32[2,3] 0.300000012 0.300000042 -1.0 0.5 -inf inf" },
      .outputs = { "f32[2,3] 0.0 1.0 0.0 1.0 0.0 1.0" } },
    { .rule = "NaN is not above", .op = "ai.onnx.ml:Binarizer", .opset = 1,
      .inputs = { "f32[1] nan" },
      .outputs = { "f32[1] 0.0" },
      .native = "refuses NaN" },
    { .rule = "the default threshold", .op = "ai.onnx.ml:Binarizer", .opset = 1,
      .inputs = { "f32[3] -1.0 0.0 1e-30" },
      .outputs = { "f32[3] 0.0 0.0 1.0" } },
    { .rule = "of int64: a fraction", .op = "ai.onnx.ml:Binarizer", .opset = 1,
      .attributes = "threshold=-1.5",
      .inputs = { "i64[5] -2 -1 0 1 2" },
      .outputs = { "i64[5] 0 1 1 1 1" },
      .native = "no kernel" },
    { .rule = "of int32", .op = "ai.onnx.ml:Binarizer", .opset = 1,
      .attributes = "threshold=1.0",
      .inputs = { "i32[3] -2 1 2" },
      .outputs = { "i32[3] 0 0 1" },
      .native = "no kernel" },
    { .rule = "of double", .op = "ai.onnx.ml:Binarizer", .opset = 1,
      .attributes = "threshold=0.5",
      .inputs = { "f64[2] 0.25 0.75" },
      .outputs = { "f64[2] 0.0 1.0" },
      .native = "no kernel" },
    { .rule = "cut and padded", .op = "ai.onnx.ml:FeatureVectorizer", .opset = 1,
      .attributes = "inputdimensions=[1,3]",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0", "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "f32[3,4] -1.0 -1.0 2.0 0.0 0.5 0.5 0.25 0.0 2.0 2.0 -3.0 0.0" } },
    { .rule = "vectors are rows", .op = "ai.onnx.ml:FeatureVectorizer", .opset = 1,
      .attributes = "inputdimensions=[2,2]",
      .inputs = { "f32[2] -1.0 2.0", "f32[2] 0.5 0.25" },
      .outputs = { "f32[1,4] -1.0 2.0 0.5 0.25" } },
    { .rule = "natural sizes", .op = "ai.onnx.ml:FeatureVectorizer", .opset = 1,
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0", "f32[3,1] -1.0 0.5 2.0" },
      .outputs = { "f32[3,3] -1.0 2.0 -1.0 0.5 0.25 0.5 2.0 -3.0 2.0" },
      .native = "wants inputdimensions" },
    { .rule = "of int64", .op = "ai.onnx.ml:FeatureVectorizer", .opset = 1,
      .attributes = "inputdimensions=[2,1]",
      .inputs = { "i64[1,2] 1 2", "i64[1,1] 3" },
      .outputs = { "f32[1,3] 1.0 2.0 3.0" } },
    { .rule = "of int32", .op = "ai.onnx.ml:FeatureVectorizer", .opset = 1,
      .attributes = "inputdimensions=[2,1]",
      .inputs = { "i32[1,2] 1 2", "i32[1,1] 3" },
      .outputs = { "f32[1,3] 1.0 2.0 3.0" } },
    { .rule = "of float64", .op = "ai.onnx.ml:FeatureVectorizer", .opset = 1,
      .attributes = "inputdimensions=[2,1]",
      .inputs = { "f64[1,2] 1.0 2.0", "f64[1,1] 3.0" },
      .outputs = { "f32[1,3] 1.0 2.0 3.0" } },
    { .rule = "as many dimensions as inputs", .op = "ai.onnx.ml:FeatureVectorizer", .opset = 1,
      .attributes = "inputdimensions=[2]",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0", "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" }, .refused = "lower.attribute", .says = "inputdimensions" },
    { .rule = "NaN", .op = "ai.onnx.ml:Imputer", .opset = 1,
      .attributes = "imputed_value_floats=[1.5,-2.0] replaced_value_float=nan",
      .inputs = { "f32[3,2] nan 2.0 3.0 nan 2.0 2.0" },
      .outputs = { "f32[3,2] 1.5 2.0 3.0 -2.0 2.0 2.0" } },
    { .rule = "a number", .op = "ai.onnx.ml:Imputer", .opset = 1,
      .attributes = "imputed_value_floats=[7.0] replaced_value_float=2.0",
      .inputs = { "f32[3,2] nan 2.0 3.0 nan 2.0 2.0" },
      .outputs = { "f32[3,2] nan 7.0 3.0 nan 7.0 7.0" } },
    { .rule = "the default number", .op = "ai.onnx.ml:Imputer", .opset = 1,
      .attributes = "imputed_value_floats=[7.0]",
      .inputs = { "f32[2,2] 0.0 -0.0 1.0 2.0" },
      .outputs = { "f32[2,2] 7.0 7.0 1.0 2.0" } },
    { .rule = "of int64", .op = "ai.onnx.ml:Imputer", .opset = 1,
      .attributes = "imputed_value_int64s=[9007199254740993,6] replaced_value_int64=2",
      .inputs = { "i64[2,2] -1 2 2 5" },
      .outputs = { "i64[2,2] -1 6 9007199254740993 5" } },
    { .rule = "of int32", .op = "ai.onnx.ml:Imputer", .opset = 1,
      .attributes = "imputed_value_int64s=[8] replaced_value_int64=2",
      .inputs = { "i32[2,2] -1 2 2 5" },
      .outputs = { "i32[2,2] -1 8 8 5" },
      .native = "no kernel" },
    { .rule = "of double", .op = "ai.onnx.ml:Imputer", .opset = 1,
      .attributes = "imputed_value_floats=[8.0] replaced_value_float=2.0",
      .inputs = { "f64[2,2] -1.0 2.0 2.0 5.0" },
      .outputs = { "f64[2,2] -1.0 8.0 8.0 5.0" },
      .native = "no kernel" },
    { .rule = "values that do not fit", .op = "ai.onnx.ml:Imputer", .opset = 1,
      .attributes = "imputed_value_floats=[1.0,2.0,3.0]",
      .inputs = { "f32[3,2] nan 2.0 3.0 nan 2.0 2.0" }, .refused = "lower.attribute", .says = "imputed_value_floats" },
    { .rule = "7.83 MAX, rows of zeros and of negative numbers", .op = "ai.onnx.ml:Normalizer", .opset = 1,
      .attributes = "norm='MAX'",
      .inputs = { "f32[4,3] -1.0 -2.0 -4.0 0.0 0.0 0.0 3.0 -4.0 0.0 0.0 -2.0 -1.0" },
      .outputs = { "f32[4,3] 1.0 2.0 4.0 0.0 0.0 0.0 1.0 -1.33333337 0.0 0.0 -2.0 -1.0" } },
    { .rule = "7.83 L1, rows of zeros and of negative numbers", .op = "ai.onnx.ml:Normalizer", .opset = 1,
      .attributes = "norm='L1'",
      .inputs = { "f32[4,3] -1.0 -2.0 -4.0 0.0 0.0 0.0 3.0 -4.0 0.0 0.0 -2.0 -1.0" },
      .outputs = { "f32[4,3] -0.142857149 -0.285714298 -0.571428597 0.0 0.0 0.0 0.428571433 -0.571428597 0.0 0.0 -0.666666687 -0.333333343" } },
    { .rule = "7.83 L2, rows of zeros and of negative numbers", .op = "ai.onnx.ml:Normalizer", .opset = 1,
      .attributes = "norm='L2'",
      .inputs = { "f32[4,3] -1.0 -2.0 -4.0 0.0 0.0 0.0 3.0 -4.0 0.0 0.0 -2.0 -1.0" },
      .outputs = { "f32[4,3] -0.218217894 -0.436435789 -0.872871578 0.0 0.0 0.0 0.600000024 -0.800000012 0.0 0.0 -0.89442718 -0.44721359" } },
    { .rule = "the default is MAX; a vector is one row", .op = "ai.onnx.ml:Normalizer", .opset = 1,
      .inputs = { "f32[3] -1.0 -3.0 -4.0" },
      .outputs = { "f32[3] 1.0 3.0 4.0" } },
    { .rule = "of int64", .op = "ai.onnx.ml:Normalizer", .opset = 1,
      .attributes = "norm='L2'",
      .inputs = { "i64[2,2] -1 0 3 -4" },
      .outputs = { "f32[2,2] -1.0 0.0 0.600000024 -0.800000012" } },
    { .rule = "of int32", .op = "ai.onnx.ml:Normalizer", .opset = 1,
      .attributes = "norm='L1'",
      .inputs = { "i32[2,2] -1 0 3 -4" },
      .outputs = { "f32[2,2] -1.0 0.0 0.428571433 -0.571428597" } },
    { .rule = "of double", .op = "ai.onnx.ml:Normalizer", .opset = 1,
      .attributes = "norm='L1'",
      .inputs = { "f64[2,2] -1.0 0.0 3.0 -4.0" },
      .outputs = { "f32[2,2] -1.0 0.0 0.428571433 -0.571428597" } },
    { .rule = "rank 3", .op = "ai.onnx.ml:Normalizer", .opset = 1,
      .inputs = { "f32[2,3,2] -1.0 -2.0 -3.0 -6.0 4.0 8.0 1.0 2.0 3.0 6.0 -4.0 -8.0" }, .refused = "lower.input", .says = "rank 3" },
    { .rule = "the offset first", .op = "ai.onnx.ml:Scaler", .opset = 1,
      .attributes = "offset=[1.0,-0.5] scale=[2.0,0.25]",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "f32[3,2] -4.0 0.625 -1.0 0.1875 2.0 -0.625" } },
    { .rule = "one for all, rank 3", .op = "ai.onnx.ml:Scaler", .opset = 1,
      .attributes = "offset=[1.0] scale=[-2.0]",
      .inputs = { "f32[2,3,2] -1.0 -2.0 -3.0 -6.0 4.0 8.0 1.0 2.0 3.0 6.0 -4.0 -8.0" },
      .outputs = { "f32[2,3,2] 4.0 6.0 8.0 14.0 -6.0 -14.0 -0.0 -2.0 -4.0 -10.0 10.0 18.0" } },
    { .rule = "one of them", .op = "ai.onnx.ml:Scaler", .opset = 1,
      .attributes = "offset=[1.0,-0.5]",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" },
      .outputs = { "f32[3,2] -2.0 2.5 -0.5 0.75 1.0 -2.5" },
      .native = "wants both" },
    { .rule = "of int64", .op = "ai.onnx.ml:Scaler", .opset = 1,
      .attributes = "offset=[1.0,0.5] scale=[2.0,3.0]",
      .inputs = { "i64[2,2] -1 2 3 1" },
      .outputs = { "f32[2,2] -4.0 4.5 4.0 1.5" } },
    { .rule = "of int32", .op = "ai.onnx.ml:Scaler", .opset = 1,
      .attributes = "offset=[1.0,0.5] scale=[2.0,3.0]",
      .inputs = { "i32[2,2] -1 2 3 1" },
      .outputs = { "f32[2,2] -4.0 4.5 4.0 1.5" } },
    { .rule = "of float64", .op = "ai.onnx.ml:Scaler", .opset = 1,
      .attributes = "offset=[1.0,0.5] scale=[2.0,3.0]",
      .inputs = { "f64[2,2] -1.0 2.0 3.0 1.0" },
      .outputs = { "f32[2,2] -4.0 4.5 4.0 1.5" } },
    { .rule = "as many as features", .op = "ai.onnx.ml:Scaler", .opset = 1,
      .attributes = "offset=[1.0,2.0,3.0] scale=[1.0,2.0,3.0]",
      .inputs = { "f32[3,2] -1.0 2.0 0.5 0.25 2.0 -3.0" }, .refused = "lower.attribute", .says = "offset" },

    /* encoders */
    { .rule = "7.83 the first of equal keys", .op = "ai.onnx.ml:LabelEncoder", .opset = 2,
      .attributes = "keys_int64s=[3,1,3,0] values_floats=[0.5,1.5,2.5,9.0] default_float=-7.5",
      .inputs = { "i64[2,3] 3 1 0 -1 2 7" },
      .outputs = { "f32[2,3] 0.5 1.5 9.0 -7.5 -7.5 -7.5" } },
    { .rule = "int64 to int64", .op = "ai.onnx.ml:LabelEncoder", .opset = 2,
      .attributes = "keys_int64s=[0,1,9007199254740993] values_int64s=[5,-9007199254740993,7] default_int64=42",
      .inputs = { "i64[2,3] 3 1 0 -1 2 7" },
      .outputs = { "i64[2,3] 42 -9007199254740993 5 42 42 42" } },
    { .rule = "the default default", .op = "ai.onnx.ml:LabelEncoder", .opset = 2,
      .attributes = "keys_int64s=[0,1] values_int64s=[5,6]",
      .inputs = { "i64[2,3] 3 1 0 -1 2 7" },
      .outputs = { "i64[2,3] -1 6 5 -1 -1 -1" } },
    { .rule = "version 2: NaN is no key", .op = "ai.onnx.ml:LabelEncoder", .opset = 2,
      .attributes = "keys_floats=[nan,1.5,0.0,-0.0] values_int64s=[5,6,7,8]",
      .inputs = { "f32[5] 1.5 nan 0.0 -0.0 2.0" },
      .outputs = { "i64[5] 6 -1 7 7 -1" } },
    { .rule = "version 4: NaN is a key", .op = "ai.onnx.ml:LabelEncoder", .opset = 4,
      .attributes = "keys_floats=[nan,1.5,-0.0] values_floats=[5.0,6.0,7.0] default_float=-3.0",
      .inputs = { "f32[5] 1.5 nan 0.0 -0.0 2.0" },
      .outputs = { "f32[5] 6.0 5.0 7.0 7.0 -3.0" } },
    { .rule = "keys and values of other length", .op = "ai.onnx.ml:LabelEncoder", .opset = 2,
      .attributes = "keys_int64s=[3,1] values_floats=[0.5]",
      .inputs = { "i64[2,3] 3 1 0 -1 2 7" }, .refused = "lower.attribute", .says = "one length" },
    { .rule = "keys of another type", .op = "ai.onnx.ml:LabelEncoder", .opset = 2,
      .attributes = "keys_floats=[3.0,1.0] values_floats=[0.5,1.0]",
      .inputs = { "i64[2,3] 3 1 0 -1 2 7" }, .refused = "lower.input", .says = "the keys have" },
    { .rule = "values twice", .op = "ai.onnx.ml:LabelEncoder", .opset = 2,
      .attributes = "keys_int64s=[3,1] values_floats=[0.5,1.0] values_int64s=[1,2]",
      .inputs = { "i64[2,3] 3 1 0 -1 2 7" }, .refused = "lower.attribute", .says = "values are given 2" },
    { .rule = "categories", .op = "ai.onnx.ml:OneHotEncoder", .opset = 1,
      .attributes = "cats_int64s=[0,-3,2,2,9007199254740993]",
      .inputs = { "i64[2,2] 2 -3 5 0" },
      .outputs = { "f32[2,2,5] 0.0 0.0 0.0 1.0 0.0 0.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 0.0" } },
    { .rule = "floats lose their fraction", .op = "ai.onnx.ml:OneHotEncoder", .opset = 1,
      .attributes = "cats_int64s=[0,2,-3,10000000000]",
      .inputs = { "f32[5] 2.9000001 -0.899999976 nan 1e+10 -3.5" },
      .outputs = { "f32[5,4] 0.0 1.0 0.0 0.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 0.0 0.0 1.0 0.0" } },
    { .rule = "of double", .op = "ai.onnx.ml:OneHotEncoder", .opset = 1,
      .attributes = "cats_int64s=[0,2]",
      .inputs = { "f64[2] 2.9 -0.9" },
      .outputs = { "f32[2,2] 0.0 1.0 1.0 0.0" } },
    { .rule = "of int32, a category beyond", .op = "ai.onnx.ml:OneHotEncoder", .opset = 1,
      .attributes = "cats_int64s=[0,4294967296,2]",
      .inputs = { "i32[2] 2 0" },
      .outputs = { "f32[2,3] 0.0 0.0 1.0 1.0 0.0 0.0" },
      .native = "no kernel" },
    { .rule = "zeros = 0 must fail", .op = "ai.onnx.ml:OneHotEncoder", .opset = 1,
      .attributes = "cats_int64s=[0,2] zeros=0",
      .inputs = { "i64[2,3] 3 1 0 -1 2 7" }, .refused = "lower.attribute", .says = "unknown category" },
    { .rule = "categories are strings", .op = "ai.onnx.ml:OneHotEncoder", .opset = 1,
      .attributes = "cats_strings=['a','b']",
      .inputs = { "i64[2,3] 3 1 0 -1 2 7" }, .refused = "lower.attribute", .says = "cats_int64s" },

    /* strings: places among labels; ONNX Runtime has them as strings */
    { .rule = "int64 to strings, the default first", .op = "ai.onnx.ml:LabelEncoder", .opset = 2, .attributes = "keys_int64s=[3,1] values_strings=['c','a'] default_string='none'", .inputs = { "i64[4] 1 3 2 1" },
      .outputs = { "i64[4] 2 1 0 2" }, .labels = "none c a", .native = "strings" },
    { .rule = "the default of strings", .op = "ai.onnx.ml:LabelEncoder", .opset = 4, .attributes = "keys_floats=[0.5,nan] values_strings=['half','not']", .inputs = { "f32[3] 0.5 nan 1" },
      .outputs = { "i64[3] 1 2 0" }, .labels = "_Unused half not", .native = "strings" },
    { .rule = "version 1: places to strings", .op = "ai.onnx.ml:LabelEncoder", .opset = 1, .attributes = "classes_strings=['a','b']", .inputs = { "i64[3] 1 0 5" }, .outputs = { "i64[3] 2 1 0" }, .labels = "_Unused a b", .native = "strings" },
    { .rule = "a tensor of strings is no list of keys here", .op = "ai.onnx.ml:LabelEncoder", .opset = 2, .attributes = "keys_strings=['a','b'] values_int64s=[1,2]", .inputs = { "i64[1] 1" }, .refused = "lower.input", .says = "the keys have string" },
    { .rule = "tensors of keys and values", .op = "ai.onnx.ml:LabelEncoder", .opset = 4, .attributes = "keys_tensor=<f64:1.5,0> values_tensor=<f64:10,20> default_tensor=<f64:7>", .inputs = { "f64[4] 1.5 -0 2 nan" }, .outputs = { "f64[4] 10 20 7 7" } },
    { .rule = "the default of a tensor of double", .op = "ai.onnx.ml:LabelEncoder", .opset = 4, .attributes = "keys_tensor=<f64:1.5,0> values_tensor=<f64:10,20>", .inputs = { "f64[2] 2 0" }, .outputs = { "f64[2] -0 20" } },
    { .rule = "tensors of int16", .op = "ai.onnx.ml:LabelEncoder", .opset = 4, .attributes = "keys_tensor=<i16:5,-3> values_tensor=<i16:-1,300>", .inputs = { "i16[3] -3 5 0" }, .outputs = { "i16[3] 300 -1 -1" }, .native = "no kernel" },
    { .rule = "tensors of int32 to float", .op = "ai.onnx.ml:LabelEncoder", .opset = 4, .attributes = "keys_tensor=<i32:5,-3> values_floats=[0.5,1.5]", .inputs = { "i32[3] -3 5 0" }, .outputs = { "f32[3] 1.5 0.5 -0" }, .native = "no kernel" },
    { .rule = "doubles that are one float32", .op = "ai.onnx.ml:LabelEncoder", .opset = 4, .attributes = "keys_tensor=<f64:0.1,0.10000000000000002> values_tensor=<f64:10,20>", .inputs = { "f64[1] 0.1" }, .refused = "lower.value", .says = "one number in float32" },
    { .rule = "labels are moved", .op = "ai.onnx.ml:LabelEncoder", .opset = 2, .build = build_moved_labels, .inputs = { "i64[4] 3 5 4 3" }, .outputs = { "i64[2] 2 1" }, .labels = "_Unused three five", .native = "strings" },
    { .rule = "strings to numbers, the first of equal keys", .op = "ai.onnx.ml:LabelEncoder", .opset = 2, .build = build_labels_to_numbers, .inputs = { "i64[4] 3 5 4 3" }, .outputs = { "f32[4] 0.5 5 -1 0.5" } },
    { .rule = "labels are compared by nothing", .op = "ai.onnx.ml:LabelEncoder", .opset = 2, .build = build_labels_compared, .inputs = { "i64[4] 3 5 4 3" }, .outputs = { "bool[4] all 1" }, .refused = "lower.input", .says = "computed string tensor" },
    { .rule = "categories of labels, the last of equal strings", .op = "ai.onnx.ml:CategoryMapper", .opset = 2, .build = build_labels_to_categories, .inputs = { "i64[4] 3 5 4 3" }, .outputs = { "i64[4] -3 7 9007199254740993 -3" } },
    { .rule = "categories of known strings, the default", .op = "ai.onnx.ml:CategoryMapper", .opset = 1, .build = build_strings_to_categories, .inputs = { "i64[3] 0 0 1" }, .outputs = { "i64[3] -3 42 8" } },
    { .rule = "strings of categories, the last of equal integers", .op = "ai.onnx.ml:CategoryMapper", .opset = 1, .attributes = "cats_int64s=[7,-1,7] cats_strings=['a','b','c'] default_string='none'", .inputs = { "i64[2,2] 7 -1 0 7" },
      .outputs = { "i64[2,2] 1 2 0 1" }, .labels = "none c b", .native = "strings" },
    { .rule = "the default defaults of categories", .op = "ai.onnx.ml:CategoryMapper", .opset = 1, .attributes = "cats_int64s=[7] cats_strings=['a']", .inputs = { "i64[2] 7 8" }, .outputs = { "i64[2] 1 0" }, .labels = "_Unused a", .native = "strings" },
    { .rule = "categories of other numbers", .op = "ai.onnx.ml:CategoryMapper", .opset = 1, .attributes = "cats_int64s=[7,8] cats_strings=['a']", .inputs = { "i64[1] 7" }, .refused = "lower.attribute", .says = "lists of one length" },
    { .rule = "categories of nothing", .op = "ai.onnx.ml:CategoryMapper", .opset = 1, .inputs = { "i64[1] 7" }, .refused = "lower.limit", .says = "0 keys" },
    { .rule = "categories of a string input", .op = "ai.onnx.ml:CategoryMapper", .opset = 1, .build = build_string_categories, .inputs = { "i64[2] 7 8" }, .outputs = { "i64[2] all 0" }, .refused = "lower.dtype", .says = "string" },
    { .rule = "a table of strings", .op = "ai.onnx.ml:ArrayFeatureExtractor", .opset = 1, .build = build_table_of_strings, .inputs = { "f32[2,3] 0 1 0 9 1 9" }, .outputs = { "i64[1,2] 1 0" }, .labels = "red green blue", .native = "strings" },
    { .rule = "string labels, three", .op = "ai.onnx.ml:LinearClassifier", .opset = 1, .attributes = "coefficients=[1.0,0,0,1,0,0] intercepts=[0.0,0,0.5] classlabels_strings=['x','y','z']", .inputs = { "f32[2,2] 1 0 0 0" },
      .outputs = { "i64[2] 0 2", "f32[2,3] 1 0 0.5 0 0 0.5" }, .labels = "x y z", .native = "strings" },
    { .rule = "string labels, two of one column", .op = "ai.onnx.ml:LinearClassifier", .opset = 1, .attributes = "coefficients=[1.0,0] intercepts=[-0.5] classlabels_strings=['no','yes']", .inputs = { "f32[2,2] 1 0 0 0" },
      .outputs = { "i64[2] 1 0", "f32[2,2] 0.5 0.5 1.5 -0.5" }, .labels = "no yes", .native = "strings" },
    { .rule = "7.83 ZipMap is dropped, its keys are labels", .op = "ai.onnx.ml:ZipMap", .opset = 1, .build = build_zip, .inputs = { "f32[2,2] 0.25 0.75 1 0" }, .outputs = { "f32[2,2] 0.25 0.75 1 0" }, .labels = "7 -9007199254740993", .native = "a sequence of maps", .operators = "identity" },
    { .rule = "a vector is one map", .op = "ai.onnx.ml:ZipMap", .opset = 1, .attributes = "classlabels_strings=['a','b']", .inputs = { "f32[2] 0.25 0.75" }, .outputs = { "f32[1,2] 0.25 0.75" }, .labels = "a b", .native = "a sequence of maps" },
    { .rule = "maps inside of a model", .op = "ai.onnx.ml:ZipMap", .opset = 1, .build = build_zip_inside, .inputs = { "f32[2,2] 0.25 0.75 1 0" }, .outputs = { "i64[] 2" }, .refused = "lower.input" },
    { .rule = "columns of another number", .op = "ai.onnx.ml:ZipMap", .opset = 1, .attributes = "classlabels_strings=['a','b']", .inputs = { "f32[2,3] iota 0 1" }, .refused = "lower.input", .says = "3 columns for 2 labels" },
    { .rule = "zeros = 0 by a promise", .op = "ai.onnx.ml:OneHotEncoder", .opset = 1, .attributes = "cats_int64s=[4,2] zeros=0", .known_categories = true, .inputs = { "i64[2] 2 4" }, .outputs = { "f32[2,2] 0 1 1 0" } },
};
/* clang-format on */
OP_CASES_END
