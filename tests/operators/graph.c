/* Whole graphs: order, outputs, what the file claims. */
#include "runner.h"

static void build_backwards(struct model_builder *b)
{
    mb_node(b, "Add", "a x0", "y0");
    mb_node(b, "Relu", "x0", "a");
}

static void build_initializer_output(struct model_builder *b)
{
    mb_floats(b, "y0", DIMS(2), FLOATS(3, 4));
    mb_node(b, "Add", "x0 y0", "y1");
}

static void build_input_output(struct model_builder *b)
{
    mb_node(b, "Identity", "x0", "y0");
    mb_node(b, "Identity", "x0", "y1");
    mb_node(b, "Neg", "x0", "y2");
}

static void build_empty_between(struct model_builder *b)
{
    const int64_t zero = 0;
    mb_int64s(b, "zero", DIMS(1), &zero, 1);
    mb_node(b, "Relu", "x0", "y0");
    mb_node(b, "Slice", "x0 zero zero", "y1");
    mb_node(b, "Neg", "x0", "y2");
}

static void build_stale_claim(struct model_builder *b)
{
    mb_value_info(b, 13, "a", ONNX_FLOAT, DIMS(9));
    mb_node(b, "Relu", "x0", "a");
    mb_node(b, "Neg", "a", "y0");
}

/* Buckets of relative positions: the logarithm of 0 is cast, and another element chosen in its place. */
static void build_undefined_cast(struct model_builder *b)
{
    const int64_t four = 4;
    mb_floats(b, "distance", DIMS(3), FLOATS(0, 4, 64));
    mb_int64s(b, "four", DIMS(1), &four, 1);
    mb_node(b, "Log", "distance", "log");
    mb_node_open(b, "Cast", "log", "large");
    mb_int(b, "to", ONNX_INT64);
    mb_close(b);
    mb_node_open(b, "Cast", "distance", "exact");
    mb_int(b, "to", ONNX_INT64);
    mb_close(b);
    mb_node(b, "Less", "exact four", "is_small");
    mb_node(b, "Where", "is_small exact large", "bucket");
    mb_node(b, "Gather", "x0 bucket", "y0");
}

/* Arithmetic on sizes that leaves int64. */
static void build_large_shape(struct model_builder *b)
{
    const int64_t large = INT64_MAX;
    mb_int64s(b, "large", DIMS(1), &large, 1);
    mb_node(b, "Shape", "x0", "shape");
    mb_node(b, "Mul", "shape large", "more");
    mb_node(b, "Mul", "more large", "target");
    mb_node(b, "Expand", "x0 target", "y0");
}

static void build_unused(struct model_builder *b)
{
    mb_floats(b, "unused", DIMS(3), FLOATS(1, 2, 3));
    mb_floats(b, "one", DIMS(1), FLOATS(1));
    mb_node(b, "Add", "x0 one", "a");
    mb_node(b, "Add", "x0 one", "b");
    mb_node(b, "Mul", "a b", "y0");
    mb_node(b, "Exp", "x0", "nobody_reads_this");
}

/* The runner lists the output once more. */
static void build_output_twice(struct model_builder *b)
{
    mb_output(b, "y0", ONNX_FLOAT, DIMS(2));
    mb_node(b, "Relu", "x0", "y0");
}

/* clang-format off */
OP_CASES = {
    { .rule = "an output that is listed twice", .opset = 13, .build = build_output_twice, .inputs = { "f32[2] -1 2" }, .outputs = { "f32[2] 0 2" }, .native = "gives it twice" },
    { .rule = "7.79 nodes in any order", .opset = 13, .build = build_backwards, .inputs = { "f32[2] -1 2" }, .outputs = { "f32[2] -1 4" }, .operators = "relu add" },
    { .rule = "7.79 an output that is an initializer", .opset = 13, .build = build_initializer_output, .inputs = { "f32[2] 1 2" }, .outputs = { "f32[2] 3 4", "f32[2] 4 6" } },
    { .rule = "outputs that are inputs", .opset = 13, .build = build_input_output, .inputs = { "f32[2] 1 2" }, .outputs = { "f32[2] 1 2", "f32[2] 1 2", "f32[2] -1 -2" } },
    { .rule = "7.82 an empty output between others", .opset = 13, .build = build_empty_between, .inputs = { "f32[2] -1 2" }, .outputs = { "f32[2] 0 2", "f32[0]", "f32[2] 1 -2" } },
    { .rule = "7.43 the computed shape wins", .opset = 13, .build = build_stale_claim, .inputs = { "f32[2] -1 2" }, .outputs = { "f32[2] 0 -2" } },
    { .rule = "7.36 shape arithmetic that wraps is an error", .opset = 13, .open = true, .build = build_large_shape, .inputs = { "f32[n:4] 1 2 3 4" }, .refused = "lower.overflow" },
    { .rule = "a known cast without a defined result is left to the engine", .opset = 13, .build = build_undefined_cast, .inputs = { "f32[5] 1 2 3 4 5" }, .outputs = { "f32[3] 1 2 5" } },
    { .rule = "7.48 what nobody uses is gone, what is equal is there once", .opset = 13, .build = build_unused, .inputs = { "f32[2] 1 2" }, .outputs = { "f32[2] 4 9" }, .operators = "add mul" },
};
/* clang-format on */
OP_CASES_END
