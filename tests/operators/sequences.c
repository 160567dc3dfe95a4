/* Sequences, optionals and constants: each operator in a model of a few nodes. */
#include "runner.h"

static void put_int(struct model_builder *b, const char *name, int64_t v)
{
    mb_int64s(b, name, SCALAR, &v, 1);
}

static void two_items(struct model_builder *b)
{
    mb_node(b, "SequenceConstruct", "x0 x1", "s");
}

static void build_construct(struct model_builder *b)
{
    two_items(b);
    put_int(b, "last", -1);
    mb_node(b, "SequenceAt", "s last", "y0");
    mb_node(b, "SequenceLength", "s", "y1");
}

static void build_at(struct model_builder *b)
{
    two_items(b);
    put_int(b, "first", 0);
    mb_node(b, "SequenceAt", "s first", "y0");
}

static void build_at_computed(struct model_builder *b)
{
    two_items(b);
    mb_node(b, "SequenceAt", "s x2", "y0");
}

/* An empty sequence of int64 takes items of it, at its end and in front. */
static void build_empty(struct model_builder *b)
{
    put_int(b, "front", 0);
    mb_node_open(b, "SequenceEmpty", "", "e");
    mb_int(b, "dtype", 7);
    mb_close(b);
    mb_node(b, "SequenceInsert", "e x0", "a");
    mb_node(b, "SequenceInsert", "a x1 front", "s");
    mb_node(b, "SequenceAt", "s front", "y0");
    mb_node(b, "SequenceLength", "s", "y1");
}

static void build_insert_negative(struct model_builder *b)
{
    put_int(b, "before_last", -1);
    put_int(b, "place", 1);
    two_items(b);
    mb_node(b, "SequenceInsert", "s x0 before_last", "t");
    mb_node(b, "SequenceAt", "t place", "y0");
}

static void build_erase_last(struct model_builder *b)
{
    put_int(b, "last", -1);
    two_items(b);
    mb_node(b, "SequenceErase", "s", "t");
    mb_node(b, "SequenceAt", "t last", "y0");
    mb_node(b, "SequenceLength", "t", "y1");
}

static void build_erase_first(struct model_builder *b)
{
    put_int(b, "first", -2);
    put_int(b, "zero", 0);
    two_items(b);
    mb_node(b, "SequenceErase", "s first", "t");
    mb_node(b, "SequenceAt", "t zero", "y0");
}

static void build_join(struct model_builder *b)
{
    two_items(b);
    mb_node_open(b, "ConcatFromSequence", "s", "y0");
    mb_int(b, "axis", -1);
    mb_close(b);
}

static void build_join_new(struct model_builder *b)
{
    two_items(b);
    mb_node_open(b, "ConcatFromSequence", "s", "y0");
    mb_int(b, "axis", 1);
    mb_int(b, "new_axis", 1);
    mb_close(b);
}

static void build_optional(struct model_builder *b)
{
    mb_node(b, "Optional", "x0", "o");
    mb_node(b, "OptionalHasElement", "o", "y0");
    mb_node(b, "OptionalGetElement", "o", "y1");
}

static void constant_tensor(struct model_builder *b, const char *output)
{
    const float values[] = { 1.5F, -2 };
    mb_node_open(b, "Constant", "", output);
    mb_tensor(b, "value", ONNX_FLOAT, DIMS(2), values, sizeof values);
    mb_close(b);
}

static void build_constant(struct model_builder *b)
{
    constant_tensor(b, "c");
    mb_node(b, "Mul", "c x0", "y0");
}

/* clang-format off */
OP_CASES = {
    { .rule = "the last of two", .op = "SequenceConstruct", .opset = 11, .build = build_construct, .inputs = { "f32[2] 1 2", "f32[1] 3" }, .outputs = { "f32[1] 3", "i64[] 2" } },
    { .rule = "the first of two", .op = "SequenceAt", .opset = 11, .build = build_at, .inputs = { "i8[2] -1 2", "i8[1] 3" }, .outputs = { "i8[2] -1 2" } },
    { .rule = "a computed position", .op = "SequenceAt", .opset = 11, .build = build_at_computed, .inputs = { "f32[1] 1", "f32[1] 3", "i64[] 1" }, .refused = "lower.not-known", .says = "position" },
    { .rule = "items of the type given", .op = "SequenceEmpty", .opset = 11, .build = build_empty, .inputs = { "i64[2] 1 2", "i64[] 3" }, .outputs = { "i64[] 3", "i64[] 2" } },
    { .rule = "items of another type", .op = "SequenceEmpty", .opset = 11, .build = build_empty, .inputs = { "f32[2] 1 2", "f32[] 3" }, .outputs = { "f32[] 3", "i64[] 2" }, .refused = "lower.input" },
    { .rule = "before the last one", .op = "SequenceInsert", .opset = 11, .build = build_insert_negative, .inputs = { "f32[2] 1 2", "f32[1] 3" }, .outputs = { "f32[2] 1 2" } },
    { .rule = "the last one by default", .op = "SequenceErase", .opset = 11, .build = build_erase_last, .inputs = { "f32[2] 1 2", "f32[1] 3" }, .outputs = { "f32[2] 1 2", "i64[] 1" } },
    { .rule = "a negative position", .op = "SequenceErase", .opset = 11, .build = build_erase_first, .inputs = { "f32[2] 1 2", "f32[1] 3" }, .outputs = { "f32[1] 3" } },
    { .rule = "how many", .op = "SequenceLength", .opset = 11, .build = build_construct, .inputs = { "u8[2] 1 2", "u8[1] 3" }, .outputs = { "u8[1] 3", "i64[] 2" } },
    { .rule = "along the last axis", .op = "ConcatFromSequence", .opset = 11, .build = build_join, .inputs = { "f32[2,1] 1 2", "f32[2,2] 3 4 5 6" }, .outputs = { "f32[2,3] 1 3 4 2 5 6" } },
    { .rule = "on a new axis", .op = "ConcatFromSequence", .opset = 11, .build = build_join_new, .inputs = { "f32[2,2] iota 0 1", "f32[2,2] iota 10 1" }, .outputs = { "f32[2,2,2] 0 1 10 11 2 3 12 13" } },
    { .rule = "an element", .op = "Optional", .opset = 15, .build = build_optional, .inputs = { "f32[2] 1 2" }, .outputs = { "bool[] 1", "f32[2] 1 2" } },
    { .rule = "has an element", .op = "OptionalHasElement", .opset = 15, .build = build_optional, .inputs = { "i64[1] 7" }, .outputs = { "bool[] 1", "i64[1] 7" } },
    { .rule = "of opset 7", .op = "Constant", .opset = 7, .build = build_constant, .inputs = { "f32[2] 2 3" }, .outputs = { "f32[2] 3 -6" } },
    { .rule = "of opset 11", .op = "Constant", .opset = 11, .build = build_constant, .inputs = { "f32[2] 2 3" }, .outputs = { "f32[2] 3 -6" } },
};
/* clang-format on */
OP_CASES_END
