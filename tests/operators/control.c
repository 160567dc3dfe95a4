/* Control flow, sequences, optionals: bodies in models of a few nodes. */
#include "runner.h"

static void put_bool(struct model_builder *b, const char *name, bool v)
{
    const uint8_t byte = v;
    mb_raw(b, name, ONNX_BOOL, SCALAR, &byte, 1);
}

static void put_int64(struct model_builder *b, const char *name, int64_t v)
{
    mb_int64s(b, name, SCALAR, &v, 1);
}

static void put_float(struct model_builder *b, const char *name, float v)
{
    mb_floats(b, name, SCALAR, &v, 1);
}

/* A branch that computes `output` of x0 by one operator. */
static void branch(struct model_builder *b, const char *attribute, const char *op,
                   const char *inputs, const char *output)
{
    mb_subgraph(b, attribute);
    mb_node(b, op, inputs, output);
    mb_output(b, output, ONNX_FLOAT, DIMS(2));
    mb_close(b);
}

/* --- If ---------------------------------------------------------------------------------------------- */

static void if_of(struct model_builder *b, const char *condition, const char *output)
{
    mb_node_open(b, "If", condition, output);
    branch(b, "then_branch", "Neg", "x0", "t");
    branch(b, "else_branch", "Abs", "x0", "e");
    mb_close(b);
}

static void build_if_true(struct model_builder *b)
{
    put_bool(b, "c", true);
    if_of(b, "c", "y0");
}

static void build_if_runtime(struct model_builder *b)
{
    if_of(b, "x1", "y0");
}

/* Branches of unequal shapes: only a known condition tells. */
static void build_if_shapes(struct model_builder *b)
{
    mb_node_open(b, "If", "x1", "y0");
    branch(b, "then_branch", "Neg", "x0", "t");
    mb_subgraph(b, "else_branch");
    mb_node_open(b, "Concat", "x0 x0", "e");
    mb_int(b, "axis", 0);
    mb_close(b);
    mb_output(b, "e", ONNX_FLOAT, DIMS(4));
    mb_close(b);
    mb_close(b);
}

/* Branches with unequal numbers of outputs. */
static void build_if_counts(struct model_builder *b)
{
    mb_node_open(b, "If", "x1", "y0");
    branch(b, "then_branch", "Neg", "x0", "t");
    mb_subgraph(b, "else_branch");
    mb_node(b, "Abs", "x0", "e");
    mb_output(b, "e", ONNX_FLOAT, DIMS(2));
    mb_output(b, "e", ONNX_FLOAT, DIMS(2));
    mb_close(b);
    mb_close(b);
}

/* The inner branch captures a value of the outer one. */
static void build_if_nested(struct model_builder *b)
{
    put_bool(b, "c", true);
    put_float(b, "k", 10);
    mb_node_open(b, "If", "c", "y0");
    mb_subgraph(b, "then_branch");
    mb_node(b, "Mul", "x0 k", "scaled");
    mb_node_open(b, "If", "c", "inner");
    branch(b, "then_branch", "Neg", "scaled", "t");
    branch(b, "else_branch", "Abs", "scaled", "e");
    mb_close(b);
    mb_output(b, "inner", ONNX_FLOAT, DIMS(2));
    mb_close(b);
    branch(b, "else_branch", "Abs", "x0", "other");
    mb_close(b);
}

/* A branch that gives an outer value as it is. */
static void build_if_outer_value(struct model_builder *b)
{
    put_bool(b, "c", false);
    mb_node_open(b, "If", "c", "y0");
    branch(b, "then_branch", "Neg", "x0", "t");
    mb_subgraph(b, "else_branch");
    mb_node(b, "Identity", "x0", "same");
    mb_output(b, "same", ONNX_FLOAT, DIMS(2));
    mb_close(b);
    mb_close(b);
}

/* --- Loop --------------------------------------------------------------------------------------------- */

/* v = v + x0, trip by trip; each v is scanned too; the condition is `next`. */
static void adding_body(struct model_builder *b, const char *next)
{
    mb_subgraph(b, "body");
    mb_input(b, "i", ONNX_INT64, SCALAR);
    mb_input(b, "on", ONNX_BOOL, SCALAR);
    mb_input(b, "v", ONNX_FLOAT, DIMS(2));
    mb_node(b, "Add", "v x0", "w");
    mb_node(b, "Identity", "w", "item");
    mb_node(b, "Identity", next, "go");
    mb_output(b, "go", ONNX_BOOL, SCALAR);
    mb_output(b, "w", ONNX_FLOAT, DIMS(2));
    mb_output(b, "item", ONNX_FLOAT, DIMS(2));
    mb_close(b);
}

static void loop_of(struct model_builder *b, const char *inputs, const char *next)
{
    mb_node_open(b, "Loop", inputs, "y0 y1");
    adding_body(b, next);
    mb_close(b);
}

static void build_loop_trips(struct model_builder *b)
{
    put_int64(b, "m", 3);
    put_bool(b, "c", true);
    loop_of(b, "m c x1", "on");
}

static void build_loop_no_trip(struct model_builder *b)
{
    put_int64(b, "m", 0);
    put_bool(b, "c", true);
    loop_of(b, "m c x1", "on");
}

static void build_loop_false(struct model_builder *b)
{
    put_int64(b, "m", 5);
    put_bool(b, "c", false);
    loop_of(b, "m c x1", "on");
}

/* Ends by its own condition: i < 1. */
static void build_loop_condition(struct model_builder *b)
{
    put_int64(b, "one", 1);
    put_bool(b, "c", true);
    mb_node_open(b, "Loop", "- c x1", "y0");
    mb_subgraph(b, "body");
    mb_input(b, "i", ONNX_INT64, SCALAR);
    mb_input(b, "on", ONNX_BOOL, SCALAR);
    mb_input(b, "v", ONNX_FLOAT, DIMS(2));
    mb_node(b, "Add", "v x0", "w");
    mb_node(b, "Less", "i one", "go");
    mb_output(b, "go", ONNX_BOOL, SCALAR);
    mb_output(b, "w", ONNX_FLOAT, DIMS(2));
    mb_close(b);
    mb_close(b);
}

static void build_loop_runtime_trips(struct model_builder *b)
{
    put_bool(b, "c", true);
    loop_of(b, "x2 c x1", "on");
}

static void build_loop_runtime_condition(struct model_builder *b)
{
    put_int64(b, "m", 3);
    put_bool(b, "c", true);
    loop_of(b, "m c x1", "x2");
}

static void build_loop_too_long(struct model_builder *b)
{
    put_int64(b, "m", 100000);
    loop_of(b, "m - x1", "on");
}

/* --- Scan ---------------------------------------------------------------------------------------------- */

/* s = s + x; the items are s. */
static void scan_of(struct model_builder *b, const char *attribute, int64_t value)
{
    mb_node_open(b, "Scan", "x0 x1", "y0 y1");
    mb_int(b, "num_scan_inputs", 1);
    if (attribute)
        mb_int_list(b, attribute, INTS(value));
    mb_subgraph(b, "body");
    mb_input(b, "s", ONNX_FLOAT, DIMS(2));
    mb_input(b, "x", ONNX_FLOAT, DIMS(2));
    mb_node(b, "Add", "s x", "t");
    mb_node(b, "Identity", "t", "item");
    mb_output(b, "t", ONNX_FLOAT, DIMS(2));
    mb_output(b, "item", ONNX_FLOAT, DIMS(2));
    mb_close(b);
    mb_close(b);
}

static void build_scan(struct model_builder *b)
{
    scan_of(b, NULL, 0);
}
static void build_scan_input_axis(struct model_builder *b)
{
    scan_of(b, "scan_input_axes", -1);
}
static void build_scan_output_axis(struct model_builder *b)
{
    scan_of(b, "scan_output_axes", 1);
}
static void build_scan_input_backwards(struct model_builder *b)
{
    scan_of(b, "scan_input_directions", 1);
}
static void build_scan_output_backwards(struct model_builder *b)
{
    scan_of(b, "scan_output_directions", 1);
}
static void build_scan_bad_direction(struct model_builder *b)
{
    scan_of(b, "scan_output_directions", 2);
}

/* Version 8: a batch, lengths, then states and inputs. */
static void build_scan_8(struct model_builder *b)
{
    mb_int64s(b, "lengths", DIMS(2), INTS(2, 1));
    mb_node_open(b, "Scan", "lengths x0 x1", "y0 y1");
    mb_int(b, "num_scan_inputs", 1);
    mb_subgraph(b, "body");
    mb_input(b, "s", ONNX_FLOAT, DIMS(1));
    mb_input(b, "x", ONNX_FLOAT, DIMS(1));
    mb_node(b, "Add", "s x", "t");
    mb_node(b, "Identity", "t", "item");
    mb_output(b, "t", ONNX_FLOAT, DIMS(1));
    mb_output(b, "item", ONNX_FLOAT, DIMS(1));
    mb_close(b);
    mb_close(b);
}

/* --- sequences ------------------------------------------------------------------------------------------ */

static void build_sequence_edit(struct model_builder *b)
{
    put_int64(b, "first", 0);
    put_int64(b, "last", -1);
    mb_node(b, "SequenceConstruct", "x0 x1", "s");
    mb_node(b, "SequenceInsert", "s x2 first", "longer");  /* x2 x0 x1 */
    mb_node(b, "SequenceErase", "longer last", "shorter"); /* x2 x0 */
    mb_node(b, "SequenceAt", "shorter last", "y0");
    mb_node(b, "SequenceLength", "longer", "y1");
    mb_node(b, "SequenceAt", "longer first", "y2");
}

static void build_sequence_beyond(struct model_builder *b)
{
    put_int64(b, "third", 2);
    mb_node(b, "SequenceConstruct", "x0 x1", "s");
    mb_node(b, "SequenceAt", "s third", "y0");
}

static void build_sequence_types(struct model_builder *b)
{
    mb_node(b, "SequenceEmpty", "", "s");
    mb_node(b, "SequenceInsert", "s x0", "t");
    mb_node(b, "SequenceLength", "t", "y0");
}

static void split_join(struct model_builder *b, const char *inputs, int64_t keepdims, int64_t axis,
                       int64_t new_axis)
{
    mb_node_open(b, "SplitToSequence", inputs, "s");
    mb_int(b, "axis", 1);
    mb_int(b, "keepdims", keepdims);
    mb_close(b);
    mb_node_open(b, "ConcatFromSequence", "s", "y0");
    mb_int(b, "axis", axis);
    mb_int(b, "new_axis", new_axis);
    mb_close(b);
    mb_node(b, "SequenceLength", "s", "y1");
}

static void build_split_ones(struct model_builder *b)
{
    split_join(b, "x0", 0, -1, 1);
}
static void build_split_scalar(struct model_builder *b)
{
    put_int64(b, "two", 2);
    split_join(b, "x0 two", 1, 1, 0);
}
static void build_split_whole(struct model_builder *b)
{
    put_int64(b, "most", INT64_MAX);
    split_join(b, "x0 most", 1, 1, 0);
}
static void build_split_sizes(struct model_builder *b)
{
    mb_int64s(b, "sizes", DIMS(2), INTS(1, 2));
    split_join(b, "x0 sizes", 1, 1, 0);
}
static void build_split_wrong(struct model_builder *b)
{
    mb_int64s(b, "sizes", DIMS(2), INTS(1, 1));
    split_join(b, "x0 sizes", 1, 1, 0);
}

static void build_sequence_map(struct model_builder *b)
{
    mb_node(b, "SequenceConstruct", "x0 x1", "s");
    mb_node_open(b, "SequenceMap", "s x2", "m");
    mb_subgraph(b, "body");
    mb_input(b, "a", ONNX_FLOAT, DIMS(2));
    mb_input(b, "c", ONNX_FLOAT, DIMS(2));
    mb_node(b, "Mul", "a c", "p");
    mb_output(b, "p", ONNX_FLOAT, DIMS(2));
    mb_close(b);
    mb_close(b);
    mb_node_open(b, "ConcatFromSequence", "m", "y0");
    mb_int(b, "axis", 0);
    mb_close(b);
}

static void build_optional(struct model_builder *b)
{
    mb_node(b, "Optional", "x0", "o");
    mb_node(b, "OptionalHasElement", "o", "y0");
    mb_node(b, "OptionalGetElement", "o", "y1");
}

static void build_optional_absent(struct model_builder *b)
{
    mb_node(b, "OptionalHasElement", "", "y0");
}

static void build_sequence_output(struct model_builder *b)
{
    mb_node(b, "SequenceConstruct", "x0", "y0");
}

/* clang-format off */
OP_CASES = {
    /* If */
    { .rule = "a known condition takes its branch", .op = "If", .opset = 13, .build = build_if_true, .inputs = { "f32[2] 1 -2" },
      .outputs = { "f32[2] -1 2" }, .operators = "neg" },
    { .rule = "a computed condition joins branches of one shape", .op = "If", .opset = 13, .build = build_if_runtime,
      .inputs = { "f32[2] 1 -2", "bool[] 0" }, .outputs = { "f32[2] 1 2" }, .operators = "neg abs where" },
    { .rule = "a computed condition of one element", .op = "If", .opset = 13, .build = build_if_runtime,
      .inputs = { "f32[2] 1 -2", "bool[1] 1" }, .outputs = { "f32[2] -1 2" } },
    { .rule = "branches that differ in shape need a known condition", .op = "If", .opset = 11, .build = build_if_shapes,
      .inputs = { "f32[2] 1 -2", "bool[] 0" }, .refused = "lower.if-condition", .says = "If needs a condition" },
    { .rule = "7.51 branches with unequal numbers of outputs", .op = "If", .opset = 13, .build = build_if_counts,
      .inputs = { "f32[2] 1 -2", "bool[] 0" }, .refused = "model.structure", .says = "branches give 1 and 2" },
    { .rule = "7.50 a nested branch captures a value of its parent", .op = "If", .opset = 13, .build = build_if_nested, .inputs = { "f32[2] 1 -2" },
      .outputs = { "f32[2] -10 20" } },
    { .rule = "a branch that gives an outer value", .op = "If", .opset = 13, .build = build_if_outer_value, .inputs = { "f32[2] 1 -2" },
      .outputs = { "f32[2] 1 -2" }, .operators = "identity" },

    /* Loop */
    { .rule = "trips are written out, items stacked", .op = "Loop", .opset = 13, .build = build_loop_trips, .inputs = { "f32[2] 1 -2", "f32[2] 10 20" },
      .outputs = { "f32[2] 13 14", "f32[3,2] 11 18 12 16 13 14" } },
    { .rule = "no trip leaves what is carried", .op = "Loop", .opset = 13, .build = build_loop_no_trip, .inputs = { "f32[2] 1 -2", "f32[2] 10 20" },
      .outputs = { "f32[2] 10 20", "f32[0,2]" } },
    { .rule = "a false condition at the beginning", .op = "Loop", .opset = 11, .build = build_loop_false, .inputs = { "f32[2] 1 -2", "f32[2] 10 20" },
      .outputs = { "f32[2] 10 20", "f32[0,2]" } },
    { .rule = "the body's condition is known at each trip", .op = "Loop", .opset = 16, .build = build_loop_condition, .inputs = { "f32[2] 1 -2", "f32[2] 10 20" },
      .outputs = { "f32[2] 12 16" } },
    { .rule = "computed trips", .op = "Loop", .opset = 13, .build = build_loop_runtime_trips, .inputs = { "f32[2] 1 -2", "f32[2] 10 20", "i64[] 2" },
      .refused = "lower.not-known", .says = "'M'" },
    { .rule = "a computed condition", .op = "Loop", .opset = 13, .build = build_loop_runtime_condition, .inputs = { "f32[2] 1 -2", "f32[2] 10 20", "bool[] 1" },
      .refused = "lower.not-known", .says = "condition after 1 trips" },
    { .rule = "more trips than the limit", .op = "Loop", .opset = 13, .build = build_loop_too_long, .inputs = { "f32[2] 1 -2", "f32[2] 10 20" },
      .refused = "lower.limit", .says = "4096" },

    /* Scan */
    { .rule = "the first axis, forwards", .op = "Scan", .opset = 11, .build = build_scan, .inputs = { "f32[2] 10 20", "f32[3,2] iota 1 1" },
      .outputs = { "f32[2] 19 32", "f32[3,2] 11 22 14 26 19 32" } },
    { .rule = "another input axis", .op = "Scan", .opset = 11, .build = build_scan_input_axis, .inputs = { "f32[2] 10 20", "f32[2,3] iota 1 1" },
      .outputs = { "f32[2] 16 35", "f32[3,2] 11 24 13 29 16 35" } },
    { .rule = "another output axis", .op = "Scan", .opset = 16, .build = build_scan_output_axis, .inputs = { "f32[2] 10 20", "f32[3,2] iota 1 1" },
      .outputs = { "f32[2] 19 32", "f32[2,3] 11 14 19 22 26 32" } },
    { .rule = "the input backwards", .op = "Scan", .opset = 11, .build = build_scan_input_backwards, .inputs = { "f32[2] 10 20", "f32[3,2] iota 1 1" },
      .outputs = { "f32[2] 19 32", "f32[3,2] 15 26 18 30 19 32" } },
    { .rule = "the output backwards", .op = "Scan", .opset = 11, .build = build_scan_output_backwards, .inputs = { "f32[2] 10 20", "f32[3,2] iota 1 1" },
      .outputs = { "f32[2] 19 32", "f32[3,2] 19 32 14 26 11 22" } },
    { .rule = "a direction that is none", .op = "Scan", .opset = 11, .build = build_scan_bad_direction, .inputs = { "f32[2] 10 20", "f32[3,2] iota 1 1" },
      .refused = "lower.attribute", .says = "allowed: 0 1" },
    { .rule = "version 8 has a batch and lengths", .op = "Scan", .opset = 8, .build = build_scan_8, .inputs = { "f32[2,1] 10 20", "f32[2,2,1] 1 2 3 4" },
      .outputs = { "f32[2,1] 13 23", "f32[2,2,1] 11 13 23 0" } },

    /* sequences and optionals */
    { .rule = "insert, erase, at, length", .op = "SequenceErase", .opset = 11, .build = build_sequence_edit,
      .inputs = { "f32[1] 1", "f32[1] 2", "f32[1] 3" }, .outputs = { "f32[1] 1", "i64[] 3", "f32[1] 3" } },
    { .rule = "a position beyond the end", .opset = 11, .build = build_sequence_beyond, .inputs = { "f32[1] 1", "f32[1] 2" },
      .refused = "lower.input", .says = "allows -2 to 1" },
    { .rule = "items have the type of the sequence", .opset = 11, .build = build_sequence_types, .inputs = { "i32[1] 1" },
      .refused = "lower.input", .says = "holds float32" },
    { .rule = "single parts without their dimension, joined on a new axis", .op = "SplitToSequence", .opset = 11, .build = build_split_ones,
      .inputs = { "f32[2,3] iota 0 1" }, .outputs = { "f32[2,3] iota 0 1", "i64[] 3" } },
    { .rule = "one size, the last part is smaller", .op = "SplitToSequence", .opset = 11, .build = build_split_scalar,
      .inputs = { "f32[2,3] iota 0 1" }, .outputs = { "f32[2,3] iota 0 1", "i64[] 2" } },
    { .rule = "one size beyond the axis is one part", .op = "SplitToSequence", .opset = 11, .build = build_split_whole,
      .inputs = { "f32[2,3] iota 0 1" }, .outputs = { "f32[2,3] iota 0 1", "i64[] 1" } },
    { .rule = "too many parts", .op = "SplitToSequence", .opset = 11, .build = build_split_ones, .inputs = { "f32[0,100000] iota 0 1" },
      .refused = "lower.limit", .says = "100000 parts" },
    { .rule = "sizes", .op = "SplitToSequence", .opset = 11, .build = build_split_sizes,
      .inputs = { "f32[2,3] iota 0 1" }, .outputs = { "f32[2,3] iota 0 1", "i64[] 2" } },
    { .rule = "sizes that do not add up", .op = "SplitToSequence", .opset = 11, .build = build_split_wrong, .inputs = { "f32[2,3] iota 0 1" },
      .refused = "lower.input", .says = "sums up to 2" },
    { .rule = "a body for every item", .op = "SequenceMap", .opset = 17, .build = build_sequence_map,
      .inputs = { "f32[2] 1 2", "f32[2] 3 4", "f32[2] 10 100" }, .outputs = { "f32[4] 10 200 30 400" } },
    { .rule = "an optional with an element", .op = "Optional", .opset = 15, .build = build_optional, .inputs = { "f32[2] 1 2" },
      .outputs = { "bool[] 1", "f32[2] 1 2" } },
    { .rule = "an optional that is absent", .op = "OptionalHasElement", .opset = 18, .build = build_optional_absent, .outputs = { "bool[] 0" } },
    { .rule = "a sequence is no output", .opset = 11, .build = build_sequence_output, .inputs = { "f32[2] 1 2" },
      .refused = "lower.dtype", .says = "sequence" },
};
OP_CASES_END
