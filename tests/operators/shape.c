/* Shapes as values, reshaping, casts, comparisons and choice. */
#include "runner.h"

/* Reshape to what Shape, Gather and Concat give. */
static void build_shape_chain(struct model_builder *b)
{
    const int64_t zero = 0, axes = 0, last[] = { -1 };
    mb_raw(b, "zero", ONNX_INT64, SCALAR, &zero, sizeof zero);
    mb_raw(b, "axes", ONNX_INT64, DIMS(1), &axes, sizeof axes);
    mb_int64s(b, "last", DIMS(1), last, 1);
    mb_node(b, "Shape", "x0", "shape");
    mb_node_open(b, "Gather", "shape zero", "batch");
    mb_int(b, "axis", 0);
    mb_close(b);
    mb_node(b, "Unsqueeze", "batch axes", "first");
    mb_node_open(b, "Concat", "first last", "target");
    mb_int(b, "axis", 0);
    mb_close(b);
    mb_node(b, "Reshape", "x0 target", "y0");
}

/* An input called input_ids beside shape vectors keeps its own shape. */
static void build_input_ids(struct model_builder *b)
{
    mb_node(b, "Shape", "x0", "shape");
    mb_node(b, "Expand", "x1 shape", "wide");
    mb_node(b, "Add", "x0 wide", "y0");
    mb_node(b, "Identity", "x0", "y1");
}

static void build_broken_middle(struct model_builder *b)
{
    mb_node(b, "Relu", "x0", "a");
    mb_node(b, "NoSuchOperator", "a", "b");
    mb_node(b, "AnotherOne", "b", "c");
    mb_node(b, "Neg", "c", "y0");
}

/* Halves a size, as upsampling models do. */
static void build_half_size(struct model_builder *b)
{
    const int64_t index = 1, two = 2, one = 1, axes = 0;
    mb_raw(b, "i", ONNX_INT64, SCALAR, &index, sizeof index);
    mb_raw(b, "two", ONNX_INT64, SCALAR, &two, sizeof two);
    mb_raw(b, "axes", ONNX_INT64, DIMS(1), &axes, sizeof axes);
    mb_raw(b, "one", ONNX_INT64, DIMS(1), &one, sizeof one);
    mb_node(b, "Shape", "x0", "shape");
    mb_node(b, "Gather", "shape i", "n");
    mb_node(b, "Div", "n two", "half");
    mb_node(b, "Unsqueeze", "half axes", "end");
    mb_node(b, "Slice", "x0 axes end one", "y0");
}

static void build_and_back(struct model_builder *b, int to, int saturate)
{
    mb_node_open(b, "Cast", "x0", "small");
    mb_int(b, "to", to);
    mb_int(b, "saturate", saturate);
    mb_close(b);
    mb_node_open(b, "Cast", "small", "y0");
    mb_int(b, "to", ONNX_FLOAT);
    mb_close(b);
}

static void build_e4m3_and_back(struct model_builder *b)
{
    build_and_back(b, ONNX_FLOAT8E4M3FN, 1);
}

static void build_e5m2_and_back(struct model_builder *b)
{
    build_and_back(b, ONNX_FLOAT8E5M2, 0);
}

static void build_e4m3fnuz_and_back(struct model_builder *b)
{
    build_and_back(b, ONNX_FLOAT8E4M3FNUZ, 1);
}

static void build_e5m2fnuz_and_back(struct model_builder *b)
{
    build_and_back(b, ONNX_FLOAT8E5M2FNUZ, 1);
}

/* 1 / x tells the zeros apart. */
static void build_zeros(struct model_builder *b, int to)
{
    mb_node_open(b, "Cast", "x0", "small");
    mb_int(b, "to", to);
    mb_close(b);
    mb_node_open(b, "Cast", "small", "x");
    mb_int(b, "to", ONNX_FLOAT);
    mb_close(b);
    mb_node(b, "Reciprocal", "x", "y0");
}

static void build_e4m3_zeros(struct model_builder *b)
{
    build_zeros(b, ONNX_FLOAT8E4M3FN);
}

static void build_e4m3fnuz_zeros(struct model_builder *b)
{
    build_zeros(b, ONNX_FLOAT8E4M3FNUZ);
}

/* Strings as an attribute, read as numbers. */
static void build_string_to_float(struct model_builder *b)
{
    static const char *const texts[] = { "-1.5", "INF", "1e3" };
    mb_node_open(b, "Constant", "", "texts");
    size_t attribute = wire_begin(&b->w, 5);
    wire_put_text(&b->w, 1, "value_strings");
    for (size_t i = 0; i < 3; i++)
        wire_put_text(&b->w, 9, texts[i]);
    wire_put_i64(&b->w, 20, 8);
    wire_end(&b->w, attribute);
    mb_close(b);
    mb_node_open(b, "Cast", "texts", "y0");
    mb_int(b, "to", ONNX_FLOAT);
    mb_close(b);
}

static void put_scalar(struct model_builder *b, const char *name, int64_t number)
{
    mb_raw(b, name, ONNX_INT64, SCALAR, &number, sizeof number);
}

static void put_size(struct model_builder *b, const char *input, const char *name)
{
    mb_node(b, "Shape", input, name);
    mb_node(b, "Squeeze", name, name[0] == 'a' ? "a" : "b");
}

/* 0 … n-1 of an open n, and the shape itself. */
static void build_positions(struct model_builder *b)
{
    put_scalar(b, "zero", 0);
    put_scalar(b, "one", 1);
    mb_node(b, "Shape", "x0", "shape");
    mb_node(b, "Gather", "shape zero", "n");
    mb_node(b, "Range", "zero n one", "y0");
    mb_node(b, "Identity", "shape", "y1");
}

static void build_range_between(struct model_builder *b)
{
    put_scalar(b, "two", 2);
    put_size(b, "x0", "as");
    put_size(b, "x1", "bs");
    mb_node(b, "Range", "a b two", "y0");
}

/* An open size divides, is compared with 3, and is counted from below. */
static void build_size_as_number(struct model_builder *b)
{
    const int64_t one = 1;
    put_scalar(b, "three", 3);
    mb_int64s(b, "one", DIMS(1), &one, 1);
    put_size(b, "x0", "as");
    mb_node_open(b, "Cast", "a", "number");
    mb_int(b, "to", ONNX_FLOAT);
    mb_close(b);
    mb_node(b, "Div", "x0 number", "y0");
    mb_node(b, "Equal", "a three", "y1");
    mb_node(b, "Sub", "as one", "y2");
}

static void build_large_splat(struct model_builder *b)
{
    const int64_t size = INT32_MAX, one = 1;
    mb_int64s(b, "size", DIMS(1), &size, 1);
    mb_node_open(b, "ConstantOfShape", "size", "target");
    mb_tensor(b, "value", ONNX_INT64, DIMS(1), &one, sizeof one);
    mb_close(b);
    mb_node(b, "Reshape", "x0 target", "y0");
}

/* clang-format off */
OP_CASES = {
    /* Shape, Size */
    { .rule = "all dims", .op = "Shape", .opset = 13, .inputs = { "f32[2,3,4] all 0" }, .outputs = { "i64[3] 2 3 4" } },
    { .rule = "7.40 start = rank is empty", .op = "Shape", .opset = 15, .attributes = "start=3", .inputs = { "f32[2,3,4] all 0" }, .outputs = { "i64[0]" } },
    { .rule = "7.40 start = -1", .op = "Shape", .opset = 15, .attributes = "start=-1", .inputs = { "f32[2,3,4] all 0" }, .outputs = { "i64[1] 4" } },
    { .rule = "7.40 an end beyond the rank", .op = "Shape", .opset = 15, .attributes = "start=1 end=9", .inputs = { "f32[2,3,4] all 0" }, .outputs = { "i64[2] 3 4" } },
    { .rule = "start far below and a negative end", .op = "Shape", .opset = 15, .attributes = "start=-9 end=-1", .inputs = { "f32[2,3,4] all 0" }, .outputs = { "i64[2] 2 3" } },
    { .rule = "of a scalar", .op = "Shape", .opset = 15, .inputs = { "f32[] 1" }, .outputs = { "i64[0]" } },
    { .rule = "an empty tensor has a shape", .op = "Shape", .opset = 15, .inputs = { "f32[0,3]" }, .outputs = { "i64[2] 0 3" } },
    { .rule = "the number of elements", .op = "Size", .opset = 13, .inputs = { "f32[2,3,4] all 0" }, .outputs = { "i64[] 24" } },
    { .rule = "of a scalar", .op = "Size", .opset = 13, .inputs = { "f32[] 1" }, .outputs = { "i64[] 1" } },
    { .rule = "of an empty tensor", .op = "Size", .opset = 13, .inputs = { "f32[2,0] " }, .outputs = { "i64[] 0" } },

    /* Reshape */
    { .rule = "0 copies and -1 is inferred", .op = "Reshape", .opset = 14, .inputs = { "f32[2,3,4] iota 0 1", "=i64[3] 0 -1 2" }, .outputs = { "f32[2,6,2] iota 0 1" }, .operators = "reshape" },
    { .rule = "7.6 rank 6 stays rank 6", .op = "Reshape", .opset = 14, .inputs = { "f32[2,12] iota 0 1", "=i64[6] 1 2 1 3 2 2" }, .outputs = { "f32[1,2,1,3,2,2] iota 0 1" } },
    { .rule = "7.3 a count that does not match", .op = "Reshape", .opset = 14, .inputs = { "f32[2,3] iota 0 1", "=i64[2] 2 4" }, .refused = "lower.shape" },
    { .rule = "7.3 a known input too", .op = "Reshape", .opset = 14, .inputs = { "=f32[2,3] iota 0 1", "=i64[2] 2 4" }, .refused = "lower.shape" },
    { .rule = "7.4 -1 that leaves a rest", .op = "Reshape", .opset = 14, .inputs = { "f32[2,3] iota 0 1", "=i64[2] 4 -1" }, .refused = "lower.shape", .says = "cannot be inferred" },
    { .rule = "7.4 two -1", .op = "Reshape", .opset = 14, .inputs = { "f32[2,3] iota 0 1", "=i64[2] -1 -1" }, .refused = "lower.shape", .says = "indices 0 and 1" },
    { .rule = "7.5 a computed target", .op = "Reshape", .opset = 14, .inputs = { "f32[2,3] iota 0 1", "i64[2] 3 2" }, .refused = "lower.not-known", .says = "shape" },
    { .rule = "7.7 allowzero with a 0 dim", .op = "Reshape", .opset = 14, .attributes = "allowzero=1", .inputs = { "f32[0,3]", "=i64[2] 3 0" }, .outputs = { "f32[3,0]" } },
    { .rule = "7.7 allowzero with 0 and -1", .op = "Reshape", .opset = 14, .attributes = "allowzero=1", .inputs = { "f32[0,3]", "=i64[2] 0 -1" }, .refused = "lower.shape" },
    { .rule = "7.7 0 copies the size at its place", .op = "Reshape", .opset = 14, .inputs = { "f32[2,0,3]", "=i64[3] 3 0 2" }, .outputs = { "f32[3,0,2]" } },
    { .rule = "0 beyond the rank", .op = "Reshape", .opset = 14, .inputs = { "f32[2] 1 2", "=i64[2] 2 0" }, .refused = "lower.shape", .says = "rank 1" },
    { .rule = "a size below -1", .op = "Reshape", .opset = 14, .inputs = { "f32[2] 1 2", "=i64[1] -2" }, .refused = "lower.shape" },
    { .rule = "to a scalar", .op = "Reshape", .opset = 14, .inputs = { "f32[1,1] 7", "=i64[0]" }, .outputs = { "f32[] 7" } },
    { .rule = "the same shape is no operator", .op = "Reshape", .opset = 14, .inputs = { "f32[2,3] iota 0 1", "=i64[2] 2 3" }, .outputs = { "f32[2,3] iota 0 1" }, .operators = "identity" },
    { .rule = "the attribute of 1", .op = "Reshape", .opset = 1, .attributes = "shape=[3,-1]", .inputs = { "f32[2,3] iota 0 1" }, .outputs = { "f32[3,2] iota 0 1" } },
    { .rule = "a chain of shapes is numbers", .opset = 13, .build = build_shape_chain, .inputs = { "f32[2,3,4] iota 0 1" }, .outputs = { "f32[2,12] iota 0 1" }, .operators = "reshape" },
    { .rule = "a chain of open shapes is an expression", .opset = 13, .build = build_shape_chain, .open = true, .inputs = { "f32[n:2,3,m:4] iota 0 1" }, .outputs = { "f32[2,12] iota 0 1" }, .operators = "reshape" },
    { .rule = "7.2 a name changes nothing", .opset = 13, .build = build_input_ids, .inputs = { "f32[2,3] iota 0 1", "f32[3] 1 2 3" },
      .outputs = { "f32[2,3] 1 3 5 4 6 8", "f32[2,3] iota 0 1" } },
    { .rule = "7.76 unsupported operators in the middle", .opset = 13, .build = build_broken_middle, .inputs = { "f32[1] 1" }, .refused = "lower.unsupported", .says = "2 operators" },
    { .rule = "half of a size", .opset = 13, .build = build_half_size, .inputs = { "f32[3,4] iota 0 1" }, .outputs = { "f32[3,2] 0 1 4 5 8 9" }, .operators = "slice" },

    /* Squeeze, Unsqueeze, Flatten */
    { .rule = "without axes every 1 goes", .op = "Squeeze", .opset = 13, .inputs = { "f32[1,3,1,2] iota 0 1" }, .outputs = { "f32[3,2] iota 0 1" }, .operators = "reshape" },
    { .rule = "negative axes", .op = "Squeeze", .opset = 13, .inputs = { "f32[1,3,1,2] iota 0 1", "=i64[1] -2" }, .outputs = { "f32[1,3,2] iota 0 1" } },
    { .rule = "an empty list of axes where one is 1", .op = "Squeeze", .opset = 13, .inputs = { "f32[1,3] iota 0 1", "=i64[0]" }, .refused = "lower.shape", .says = "two ways" },
    { .rule = "an empty list of axes where none is 1", .op = "Squeeze", .opset = 13, .inputs = { "f32[2,3] iota 0 1", "=i64[0]" }, .outputs = { "f32[2,3] iota 0 1" } },
    { .rule = "an axis that is not 1", .op = "Squeeze", .opset = 13, .inputs = { "f32[1,3] iota 0 1", "=i64[1] 1" }, .refused = "lower.shape", .says = "size 3" },
    { .rule = "axes as an attribute", .op = "Squeeze", .opset = 11, .attributes = "axes=[0]", .inputs = { "f32[1,3,1] iota 0 1" }, .outputs = { "f32[3,1] iota 0 1" } },
    { .rule = "an open dim is not taken for 1", .op = "Squeeze", .opset = 13, .open = true, .inputs = { "f32[1,n:3] iota 0 1" }, .outputs = { "f32[3] iota 0 1" }, .refused = "lower.not-known", .says = "'n'" },
    { .rule = "negative axes count in the result", .op = "Unsqueeze", .opset = 13, .inputs = { "f32[2,3] iota 0 1", "=i64[2] -1 0" }, .outputs = { "f32[1,2,3,1] iota 0 1" }, .operators = "reshape" },
    { .rule = "axes in any order", .op = "Unsqueeze", .opset = 11, .attributes = "axes=[3,1]", .inputs = { "f32[2,3] iota 0 1" }, .outputs = { "f32[2,1,3,1] iota 0 1" } },
    { .rule = "the same axis twice", .op = "Unsqueeze", .opset = 13, .inputs = { "f32[2] 1 2", "=i64[2] 0 -3" }, .refused = "lower.attribute", .says = "twice" },
    { .rule = "of a scalar", .op = "Unsqueeze", .opset = 13, .inputs = { "f32[] 5", "=i64[2] 0 1" }, .outputs = { "f32[1,1] 5" } },
    { .rule = "at 1 when not given", .op = "Flatten", .opset = 13, .inputs = { "f32[2,3,2] iota 0 1" }, .outputs = { "f32[2,6] iota 0 1" } },
    { .rule = "axis 0 makes one row", .op = "Flatten", .opset = 13, .attributes = "axis=0", .inputs = { "f32[2,3] iota 0 1" }, .outputs = { "f32[1,6] iota 0 1" } },
    { .rule = "axis = rank makes one column", .op = "Flatten", .opset = 13, .attributes = "axis=2", .inputs = { "f32[2,3] iota 0 1" }, .outputs = { "f32[6,1] iota 0 1" } },
    { .rule = "a negative axis", .op = "Flatten", .opset = 13, .attributes = "axis=-1", .inputs = { "f32[2,3,4] iota 0 1" }, .outputs = { "f32[6,4] iota 0 1" } },
    { .rule = "no negative axis below 11", .op = "Flatten", .opset = 9, .attributes = "axis=-1", .inputs = { "f32[2,3] iota 0 1" }, .refused = "lower.attribute" },
    { .rule = "of a scalar", .op = "Flatten", .opset = 13, .attributes = "axis=0", .inputs = { "f32[] 3" }, .outputs = { "f32[1,1] 3" } },
    { .rule = "open dims multiply", .op = "Flatten", .opset = 13, .open = true, .attributes = "axis=2", .inputs = { "f32[n:2,m:3,2] iota 0 1" }, .outputs = { "f32[6,2] iota 0 1" } },

    /* Expand, Tile */
    { .rule = "7.8 ones change nothing", .op = "Expand", .opset = 13, .inputs = { "f32[2,3] iota 0 1", "=i64[2] 1 1" }, .outputs = { "f32[2,3] iota 0 1" }, .operators = "identity" },
    { .rule = "7.9 both ways", .op = "Expand", .opset = 13, .inputs = { "f32[2,1] 1 2", "=i64[2] 1 3" }, .outputs = { "f32[2,3] 1 1 1 2 2 2" } },
    { .rule = "to a higher rank", .op = "Expand", .opset = 13, .inputs = { "bool[2] 1 0", "=i64[3] 2 1 1" }, .outputs = { "bool[2,1,2] 1 0 1 0" } },
    { .rule = "to nothing", .op = "Expand", .opset = 13, .inputs = { "f32[1,2] 1 2", "=i64[2] 0 1" }, .outputs = { "f32[0,2]" } },
    { .rule = "sizes that do not fit", .op = "Expand", .opset = 13, .inputs = { "f32[2] 1 2", "=i64[1] 3" }, .refused = "lower.input", .says = "asks for" },
    { .rule = "a computed shape", .op = "Expand", .opset = 13, .inputs = { "f32[2] 1 2", "i64[1] 2" }, .refused = "lower.not-known" },
    { .rule = "per axis", .op = "Tile", .opset = 13, .inputs = { "f32[1,2] 1 2", "=i64[2] 2 2" }, .outputs = { "f32[2,4] 1 2 1 2 1 2 1 2" }, .operators = "tile" },
    { .rule = "no repetition is empty", .op = "Tile", .opset = 13, .inputs = { "i32[2,2] 1 2 3 4", "=i64[2] 1 0" }, .outputs = { "i32[2,0]" } },
    { .rule = "once is itself", .op = "Tile", .opset = 13, .inputs = { "f32[2] 1 2", "=i64[1] 1" }, .outputs = { "f32[2] 1 2" }, .operators = "identity" },
    { .rule = "a negative number", .op = "Tile", .opset = 13, .inputs = { "f32[2] 1 2", "=i64[1] -1" }, .refused = "lower.input" },
    { .rule = "one axis in 1", .op = "Tile", .opset = 1, .inputs = { "f32[2,2] 1 2 3 4", "=f32[] 2", "=f32[] 1" }, .outputs = { "f32[2,4] 1 2 1 2 3 4 3 4" }, .native = "opset 1 has no kernel" },

    /* ConstantOfShape, Range, Constant, EyeLike */
    { .rule = "7.13 an unknown shape", .op = "ConstantOfShape", .opset = 9, .inputs = { "i64[2] 2 3" }, .refused = "lower.not-known" },
    { .rule = "one number for 2^31 - 1 elements that are read one by one", .opset = 13, .build = build_large_splat, .inputs = { "f32[1] 1" },
      .refused = "lower.limit", .says = "GiB" },
    { .rule = "7.13 absent is float 0", .op = "ConstantOfShape", .opset = 9, .inputs = { "=i64[2] 2 1" }, .outputs = { "f32[2,1] 0 0" } },
    { .rule = "no size is a scalar", .op = "ConstantOfShape", .opset = 9, .inputs = { "=i64[0]" }, .outputs = { "f32[] 0" } },
    { .rule = "7.14 an empty range", .op = "Range", .opset = 11, .inputs = { "=i64[] 3", "=i64[] 3", "=i64[] 1" }, .outputs = { "i64[0]" } },
    { .rule = "a constant has no more bytes than 4 GiB", .op = "Range", .opset = 11, .inputs = { "=i64[] 0", "=i64[] 1073741824", "=i64[] 1" }, .refused = "lower.limit", .says = "GiB" },
    { .rule = "7.14 int32 stays int32", .op = "Range", .opset = 11, .inputs = { "=i32[] 5", "=i32[] -2", "=i32[] -3" }, .outputs = { "i32[3] 5 2 -1" } },
    { .rule = "floats", .op = "Range", .opset = 11, .inputs = { "=f32[] 0", "=f32[] 1", "=f32[] 0.25" }, .outputs = { "f32[4] 0 0.25 0.5 0.75" } },
    { .rule = "up to an open size", .opset = 13, .open = true, .build = build_positions, .inputs = { "f32[n:3,2] all 0" }, .outputs = { "i64[3] 0 1 2", "i64[2] 3 2" } },
    { .rule = "from one open size to another", .opset = 13, .open = true, .build = build_range_between, .inputs = { "f32[past:2] all 0", "f32[all:6] all 0" }, .outputs = { "i64[2] 2 4" } },
    { .rule = "an open size in arithmetic of the graph", .opset = 13, .open = true, .build = build_size_as_number, .inputs = { "f32[n:4] 8 4 2 1" }, .outputs = { "f32[4] 2 1 0.5 0.25", "bool[] 0", "i64[1] 3" } },
    { .rule = "a diagonal above", .op = "EyeLike", .opset = 9, .attributes = "k=1", .inputs = { "i32[2,3] all 7" }, .outputs = { "i32[2,3] 0 1 0 0 0 1" } },

    /* Cast */
    { .rule = "7.35 to bool by != 0", .op = "Cast", .opset = 13, .attributes = "to=9", .inputs = { "f32[4] 0.5 nan 0 -0.0" }, .outputs = { "bool[4] 1 1 0 0" } },
    { .rule = "7.35 integers keep their low bits", .op = "Cast", .opset = 13, .attributes = "to=2", .inputs = { "i32[3] 256 -1 511" }, .outputs = { "u8[3] 0 255 255" } },
    { .rule = "floats are cut", .op = "Cast", .opset = 13, .attributes = "to=6", .inputs = { "f32[4] 1.9 -1.9 0.5 -0.5" }, .outputs = { "i32[4] 1 -1 0 0" } },
    { .rule = "int64 to float rounds once", .op = "Cast", .opset = 13, .attributes = "to=1", .inputs = { "i64[2] 16777217 -9007199254740993" }, .outputs = { "f32[2] 16777216 -9007199254740992" } },
    { .rule = "to float16 overflows", .op = "Cast", .opset = 13, .attributes = "to=10", .inputs = { "f32[3] 70000 65504 0.00000006" }, .outputs = { "f16[3] inf 65504 0.00000006" } },
    { .rule = "bool is 0 or 1", .op = "Cast", .opset = 13, .attributes = "to=1", .inputs = { "bool[2] 1 0" }, .outputs = { "f32[2] 1 0" } },
    { .rule = "to int16 wraps", .op = "Cast", .opset = 13, .attributes = "to=5", .inputs = { "i32[4] 40000 -40000 65536 -1" }, .outputs = { "i16[4] -25536 25536 0 -1" } },
    { .rule = "to uint16 wraps", .op = "Cast", .opset = 13, .attributes = "to=4", .inputs = { "i32[3] -1 65537 5" }, .outputs = { "u16[3] 65535 1 5" } },
    { .rule = "a known double beyond float is infinite", .op = "Cast", .opset = 13, .attributes = "to=1", .inputs = { "=f64[2] 1e300 1.5" }, .outputs = { "f32[2] inf 1.5" } },
    { .rule = "a known float that does not fit", .op = "Cast", .opset = 13, .attributes = "to=3", .inputs = { "=f32[2] 1 300" }, .refused = "lower.value", .says = "element 1 is 300" },
    { .rule = "a known NaN to an integer", .op = "Cast", .opset = 13, .attributes = "to=6", .inputs = { "=f32[1] nan" }, .refused = "lower.value" },
    { .rule = "a known value to bfloat16 rounds to even", .op = "Cast", .opset = 13, .attributes = "to=16", .inputs = { "=f32[3] 1.00390625 1.01171875 3.1415927" }, .outputs = { "bf16[3] 1 1.015625 3.140625" }, .relative = 1e-9 },
    { .rule = "known 8-bit floats saturate", .opset = 19, .build = build_e4m3_and_back, .inputs = { "=f32[5] 1000 0.3 -inf 464 0.001" }, .outputs = { "f32[5] 448 0.3125 -448 448 0.001953125" }, .relative = 1e-9 },
    { .rule = "known 8-bit floats without saturation", .opset = 19, .build = build_e5m2_and_back, .inputs = { "=f32[5] 61440 57344 inf 1.1 -0.0000001" }, .outputs = { "f32[5] inf 57344 inf 1 0" }, .relative = 1e-9,
      .native = "makes NaN of the tie above the largest number" },
    { .rule = "infinity saturates where there is none", .opset = 19, .build = build_e4m3fnuz_and_back, .inputs = { "=f32[5] inf -inf nan 1000 -0.3" }, .outputs = { "f32[5] 240 -240 nan 240 -0.3125" }, .relative = 1e-9 },
    { .rule = "infinity saturates where there is none: 5 bits of exponent", .opset = 19, .build = build_e5m2fnuz_and_back, .inputs = { "=f32[4] inf -inf nan 1.1" }, .outputs = { "f32[4] 57344 -57344 nan 1" }, .relative = 1e-9 },
    { .rule = "the negative zero of 8 bits", .opset = 19, .build = build_e4m3_zeros, .inputs = { "=f32[4] -0.0 -1e-9 0 0.5" }, .outputs = { "f32[4] -inf -inf inf 2" } },
    { .rule = "8 bits without a negative zero", .opset = 19, .build = build_e4m3fnuz_zeros, .inputs = { "=f32[4] -0.0 -1e-9 0 0.5" }, .outputs = { "f32[4] inf inf inf 2" } },
    { .rule = "4 bits have no NaN", .op = "Cast", .opset = 23, .attributes = "to=23", .inputs = { "=f32[2] 1 nan" }, .refused = "lower.value", .says = "element 1 is NaN" },
    { .rule = "an 8-bit float at run time", .op = "Cast", .opset = 19, .attributes = "to=17", .inputs = { "f32[1] 1" }, .refused = "lower.dtype" },
    { .rule = "known strings are numbers", .opset = 13, .build = build_string_to_float, .inputs = { "f32[1] 1" }, .outputs = { "f32[3] -1.5 inf 1000" } },
    { .rule = "7.46 value_int is int64 of rank 0", .op = "Constant", .opset = 13, .attributes = "value_int=9007199254740993", .outputs = { "i64[] 9007199254740993" } },
    { .rule = "7.46 value_ints is int64 of rank 1", .op = "Constant", .opset = 13, .attributes = "value_ints=[1,-2]", .outputs = { "i64[2] 1 -2" } },
    { .rule = "7.46 value_float is float32 of rank 0", .op = "Constant", .opset = 13, .attributes = "value_float=0.1", .outputs = { "f32[] 0.1" } },
    { .rule = "7.46 value_floats is float32 of rank 1", .op = "Constant", .opset = 13, .attributes = "value_floats=[0.5,1.0]", .outputs = { "f32[2] 0.5 1" } },
    { .rule = "7.46 two forms at once", .op = "Constant", .opset = 13, .attributes = "value_float=0.5 value_int=1", .refused = "lower.attribute", .says = "2 of" },
    { .rule = "value_int below 12", .op = "Constant", .opset = 11, .attributes = "value_int=1", .refused = "lower.attribute", .says = "value_int" },
    { .rule = "a string type", .op = "Cast", .opset = 13, .attributes = "to=8", .inputs = { "f32[1] 1" }, .refused = "lower.dtype" },
    { .rule = "the name of 1", .op = "Cast", .opset = 1, .attributes = "to='INT64'", .inputs = { "f32[2] 1.5 -2" }, .outputs = { "i64[2] 1 -2" }, .native = "opset 1 has no kernel" },
    { .rule = "no cast where nothing changes", .op = "Cast", .opset = 13, .attributes = "to=1", .inputs = { "f32[1] 1" }, .outputs = { "f32[1] 1" }, .operators = "identity" },
    { .rule = "the type of the other input", .op = "CastLike", .opset = 15, .inputs = { "f32[2] 1.5 0", "bool[1] 0" }, .outputs = { "bool[2] 1 0" } },
    { .rule = "bits of known floats", .op = "BitCast", .opset = 26, .attributes = "to=6", .inputs = { "=f32[2] 1 -0.0" }, .outputs = { "i32[2] 1065353216 -2147483648" } },
    { .rule = "integers of one width", .op = "BitCast", .opset = 26, .attributes = "to=12", .inputs = { "i32[2] -1 5" }, .outputs = { "u32[2] 4294967295 5" } },
    { .rule = "computed floats", .op = "BitCast", .opset = 26, .attributes = "to=6", .inputs = { "f32[1] 1" }, .refused = "lower.dtype" },

    /* comparison and choice */
    { .rule = "7.1 a mixed condition chooses per element", .op = "Where", .opset = 9, .inputs = { "=bool[4] 1 0 1 0", "f32[4] 1 1 1 1", "f32[4] 5 6 7 8" }, .outputs = { "f32[4] 1 6 1 8" } },
    { .rule = "three-way broadcast", .op = "Where", .opset = 9, .inputs = { "bool[2,1,1] 1 0", "i64[3,1] 1 2 3", "i64[2] 10 20" },
      .outputs = { "i64[2,3,2] 1 1 2 2 3 3 10 20 10 20 10 20" } },
    { .rule = "NaN in the part that is not chosen", .op = "Where", .opset = 9, .inputs = { "bool[2] 1 0", "f32[2] 1 nan", "f32[2] inf 2" }, .outputs = { "f32[2] 1 2" } },
    { .rule = "bool values", .op = "Where", .opset = 16, .inputs = { "bool[2] 1 0", "bool[2] 0 0", "bool[2] 1 1" }, .outputs = { "bool[2] 0 1" }, .native = "no kernel of bool" },
    { .rule = "NaN is equal to nothing", .op = "Equal", .opset = 13, .inputs = { "f32[3] nan 1 inf", "f32[3] nan 1 inf" }, .outputs = { "bool[3] 0 1 1" }, .operators = "equal" },
    { .rule = "int64 beyond float", .op = "Equal", .opset = 13, .inputs = { "i64[2] 9007199254740993 5", "i64[2] 9007199254740992 5" }, .outputs = { "bool[2] 0 1" } },
    { .rule = "bool", .op = "Equal", .opset = 13, .inputs = { "bool[3] 1 0 1", "bool[1] 1" }, .outputs = { "bool[3] 1 0 1" } },
    { .rule = "unsigned", .op = "Greater", .opset = 13, .inputs = { "u64[2] 18446744073709551615 1", "u64[2] 1 2" }, .outputs = { "bool[2] 1 0" } },
    { .rule = "NaN is not above", .op = "GreaterOrEqual", .opset = 16, .inputs = { "f32[3] nan 2 2", "f32[3] 1 2 3" }, .outputs = { "bool[3] 0 1 0" } },
    { .rule = "NaN is not below", .op = "LessOrEqual", .opset = 16, .inputs = { "f32[3] nan 2 4", "f32[3] 1 2 3" }, .outputs = { "bool[3] 0 1 0" } },
    { .rule = "int8", .op = "Less", .opset = 13, .inputs = { "i8[3] -128 5 1", "i8[3] 127 5 0" }, .outputs = { "bool[3] 1 0 0" } },
    { .rule = "below 7 at an axis", .op = "Less", .opset = 1, .attributes = "broadcast=1 axis=0", .inputs = { "f32[2,2] 1 5 3 4", "f32[2] 2 4" }, .outputs = { "bool[2,2] 1 0 1 0" }, .native = "opset 1 has no kernel" },
    { .rule = "truth", .op = "And", .opset = 7, .inputs = { "bool[2,1] 1 0", "bool[2] 1 0" }, .outputs = { "bool[2,2] 1 0 0 0" } },
    { .rule = "truth", .op = "Or", .opset = 7, .inputs = { "bool[4] 1 1 0 0", "bool[4] 1 0 1 0" }, .outputs = { "bool[4] 1 1 1 0" } },
    { .rule = "truth", .op = "Xor", .opset = 7, .inputs = { "bool[4] 1 1 0 0", "bool[4] 1 0 1 0" }, .outputs = { "bool[4] 0 1 1 0" } },
    { .rule = "truth", .op = "Not", .opset = 1, .inputs = { "bool[2] 1 0" }, .outputs = { "bool[2] 0 1" } },
    { .rule = "7.17 detect_negative = 0", .op = "IsInf", .opset = 10, .attributes = "detect_negative=0", .inputs = { "f32[4] -inf inf 1 nan" }, .outputs = { "bool[4] 0 1 0 0" } },
    { .rule = "detect_positive = 0", .op = "IsInf", .opset = 10, .attributes = "detect_positive=0", .inputs = { "f32[4] -inf inf 1 nan" }, .outputs = { "bool[4] 1 0 0 0" } },
    { .rule = "neither", .op = "IsInf", .opset = 10, .attributes = "detect_negative=0 detect_positive=0", .inputs = { "f32[2] -inf inf" }, .outputs = { "bool[2] 0 0" } },
    { .rule = "both", .op = "IsInf", .opset = 20, .inputs = { "f16[3] -inf inf 2" }, .outputs = { "bool[3] 1 1 0" }, .operators = "isInfinite" },
    { .rule = "float16", .op = "IsNaN", .opset = 20, .inputs = { "f16[3] nan inf 2" }, .outputs = { "bool[3] 1 0 0" } },
};
/* clang-format on */
OP_CASES_END
