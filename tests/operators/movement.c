/* Operators that only move elements. */
#include "runner.h"

#define GRID "f32[3,4] iota 0 1" /* 0 1 2 3 / 4 5 6 7 / 8 9 10 11 */

/* Concat of shapes of two open inputs. */
static void build_concat_open(struct model_builder *b)
{
    mb_node_open(b, "Concat", "x0 x1", "y0");
    mb_int(b, "axis", 0);
    mb_close(b);
}

/* A row at a computed place: end = start + 2, by way of reshapes. */
static void build_computed_rows(struct model_builder *b)
{
    const int64_t two = 2, axes = 0, one = 1;
    mb_raw(b, "two", ONNX_INT64, SCALAR, &two, sizeof two);
    mb_raw(b, "axes", ONNX_INT64, DIMS(1), &axes, sizeof axes);
    mb_raw(b, "one", ONNX_INT64, DIMS(1), &one, sizeof one);
    mb_node(b, "Add", "x1 two", "last");
    mb_node(b, "Unsqueeze", "x1 axes", "start");
    mb_node(b, "Unsqueeze", "last axes", "end");
    mb_node(b, "Slice", "x0 start end one", "y0");
}

/* clang-format off */
OP_CASES = {
    /* Concat, Split */
    { .rule = "a negative axis", .op = "Concat", .opset = 13, .attributes = "axis=-1", .inputs = { "f32[2,1] 1 2", "f32[2,2] 3 4 5 6" }, .outputs = { "f32[2,3] 1 3 4 2 5 6" }, .operators = "concat" },
    { .rule = "7.84 an empty part adds nothing", .op = "Concat", .opset = 13, .attributes = "axis=0", .inputs = { "f32[0,2]", "f32[1,2] 1 2" }, .outputs = { "f32[1,2] 1 2" }, .operators = "identity" },
    { .rule = "7.84 all parts empty", .op = "Concat", .opset = 13, .attributes = "axis=0", .inputs = { "f32[0,2]", "f32[0,2]" }, .outputs = { "f32[0,2]" } },
    { .rule = "7.84 an empty part must fit", .op = "Concat", .opset = 13, .attributes = "axis=0", .inputs = { "f32[0,3]", "f32[1,2] 1 2" }, .refused = "lower.input" },
    { .rule = "one part is itself", .op = "Concat", .opset = 13, .attributes = "axis=0", .inputs = { "i8[2] 1 2" }, .outputs = { "i8[2] 1 2" }, .operators = "identity" },
    { .rule = "axis 1 when not given in 1", .op = "Concat", .opset = 1, .inputs = { "f32[1,2] 1 2", "f32[1,1] 3" }, .outputs = { "f32[1,3] 1 2 3" }, .native = "opset 1 has no kernel" },
    { .rule = "open sizes add", .opset = 13, .open = true, .build = build_concat_open, .inputs = { "f32[a:2] 1 2", "f32[b:3] 3 4 5" }, .outputs = { "f32[5] 1 2 3 4 5" } },
    { .rule = "ranks differ", .op = "Concat", .opset = 13, .attributes = "axis=0", .inputs = { "f32[2] 1 2", "f32[1,2] 1 2" }, .refused = "lower.input", .says = "rank" },
    { .rule = "scalars have no axis", .op = "Concat", .opset = 13, .attributes = "axis=0", .inputs = { "f32[] 1", "f32[] 2" }, .refused = "lower.attribute", .says = "scalar" },
    { .rule = "7.63 num_outputs = 3 of 7", .op = "Split", .opset = 18, .attributes = "num_outputs=3", .inputs = { "f32[7] iota 0 1" }, .outputs = { "f32[3] 0 1 2", "f32[3] 3 4 5", "f32[1] 6" } },
    { .rule = "equal parts", .op = "Split", .opset = 13, .attributes = "axis=1", .inputs = { "f32[2,4] iota 0 1" }, .outputs = { "f32[2,2] 0 1 4 5", "f32[2,2] 2 3 6 7" }, .operators = "split" },
    { .rule = "sizes as an input", .op = "Split", .opset = 13, .inputs = { "f32[5] iota 0 1", "=i64[2] 1 4" }, .outputs = { "f32[1] 0", "f32[4] 1 2 3 4" } },
    { .rule = "a part of size 0", .op = "Split", .opset = 13, .inputs = { "f32[3] 1 2 3", "=i64[3] 2 0 1" }, .outputs = { "f32[2] 1 2", "f32[0]", "f32[1] 3" } },
    { .rule = "one part is itself", .op = "Split", .opset = 13, .inputs = { "f32[3] 1 2 3", "=i64[1] 3" }, .outputs = { "f32[3] 1 2 3" }, .operators = "identity" },
    { .rule = "sizes as an attribute", .op = "Split", .opset = 11, .attributes = "axis=-1 split=[1,2]", .inputs = { "i64[1,3] 1 2 3" }, .outputs = { "i64[1,1] 1", "i64[1,2] 2 3" } },
    { .rule = "sizes that do not add up", .op = "Split", .opset = 13, .inputs = { "f32[3] 1 2 3", "=i64[2] 1 1" }, .outputs = { "f32[1] 1", "f32[1] 2" }, .refused = "lower.shape" },
    { .rule = "an uneven split below 18", .op = "Split", .opset = 13, .inputs = { "f32[3] 1 2 3" }, .outputs = { "f32[2] 1 2", "f32[1] 3" }, .refused = "lower.shape", .says = "not a multiple" },

    /* Slice */
    { .rule = "7.12 step 2 counts before the stride", .op = "Slice", .opset = 13, .inputs = { "f32[7] iota 0 1", "=i64[1] 0", "=i64[1] 7", "=i64[1] 0", "=i64[1] 2" }, .outputs = { "f32[4] 0 2 4 6" }, .operators = "slice" },
    { .rule = "7.11 step -2 over a part", .op = "Slice", .opset = 13, .inputs = { "f32[7] iota 0 1", "=i64[1] 5", "=i64[1] 0", "=i64[1] 0", "=i64[1] -2" }, .outputs = { "f32[3] 5 3 1" } },
    { .rule = "7.11 negative ends and INT64_MIN", .op = "Slice", .opset = 13, .inputs = { GRID, "=i64[2] -1 -1", "=i64[2] -9223372036854775808 -3", "=i64[2] 0 1", "=i64[2] -1 -1" },
      .outputs = { "f32[3,2] 11 10 7 6 3 2" } },
    { .rule = "a whole reversal", .op = "Slice", .opset = 13, .inputs = { "f32[4] iota 0 1", "=i64[1] -1", "=i64[1] -9223372036854775808", "=i64[1] 0", "=i64[1] -1" }, .outputs = { "f32[4] 3 2 1 0" }, .operators = "reverse" },
    { .rule = "clamped at both ends", .op = "Slice", .opset = 13, .inputs = { GRID, "=i64[2] -100 1", "=i64[2] 2 9223372036854775807" }, .outputs = { "f32[2,3] 1 2 3 5 6 7" } },
    { .rule = "7.11 INT64_MIN step", .op = "Slice", .opset = 13, .inputs = { "f32[4] iota 0 1", "=i64[1] 3", "=i64[1] 0", "=i64[1] 0", "=i64[1] -9223372036854775808" }, .outputs = { "f32[1] 3" } },
    { .rule = "down from before the first: the first", .op = "Slice", .opset = 13, .inputs = { "f32[3] iota 0 1", "=i64[1] -100", "=i64[1] -9223372036854775808", "=i64[1] 0", "=i64[1] -1" }, .outputs = { "f32[1] 0" } },
    { .rule = "down to the greatest end: all", .op = "Slice", .opset = 13, .inputs = { "f32[3] iota 0 1", "=i64[1] 2", "=i64[1] 2147483647", "=i64[1] 0", "=i64[1] -2" }, .outputs = { "f32[2] 2 0" } },
    { .rule = "down in nothing", .op = "Slice", .opset = 13, .inputs = { "f32[0]", "=i64[1] -1", "=i64[1] -9223372036854775808", "=i64[1] 0", "=i64[1] -1" }, .outputs = { "f32[0]" } },
    { .rule = "a step beyond the axis", .op = "Slice", .opset = 13, .inputs = { "f32[4] iota 0 1", "=i64[1] 1", "=i64[1] 4", "=i64[1] 0", "=i64[1] 100" }, .outputs = { "f32[1] 1" } },
    { .rule = "nothing is left", .op = "Slice", .opset = 13, .inputs = { "f32[4] iota 0 1", "=i64[1] 3", "=i64[1] 1" }, .outputs = { "f32[0]" } },
    { .rule = "everything is no operator", .op = "Slice", .opset = 13, .inputs = { "f32[4] iota 0 1", "=i64[1] 0", "=i64[1] 4" }, .outputs = { "f32[4] iota 0 1" }, .operators = "identity" },
    { .rule = "axes as attributes", .op = "Slice", .opset = 1, .attributes = "starts=[1] ends=[-1] axes=[1]", .inputs = { GRID }, .outputs = { "f32[3,2] 1 2 5 6 9 10" } },
    { .rule = "7.10 computed bounds without a known size", .op = "Slice", .opset = 13, .inputs = { "f32[4] iota 0 1", "i64[1] 1", "i64[1] 3" }, .refused = "lower.not-known" },
    { .rule = "7.10 computed bounds of a known size", .opset = 13, .build = build_computed_rows, .inputs = { GRID, "i64[] 1" }, .outputs = { "f32[3,2] 1 2 5 6 9 10" } },
    { .rule = "step 0", .op = "Slice", .opset = 13, .inputs = { "f32[4] iota 0 1", "=i64[1] 0", "=i64[1] 4", "=i64[1] 0", "=i64[1] 0" }, .refused = "lower.value" },
    { .rule = "bool", .op = "Slice", .opset = 13, .inputs = { "bool[3] 1 0 1", "=i64[1] 1", "=i64[1] 3" }, .outputs = { "bool[2] 0 1" } },
    { .rule = "the last of an open axis", .op = "Slice", .opset = 13, .open = true, .inputs = { "f32[n:4,2] iota 0 1", "=i64[1] -1", "=i64[1] 9223372036854775807", "=i64[1] 0" }, .outputs = { "f32[1,2] 6 7" }, .operators = "gather" },
    { .rule = "two near the end of an open axis", .op = "Slice", .opset = 13, .open = true, .inputs = { "f32[n:5] iota 0 1", "=i64[1] -3", "=i64[1] -1" }, .outputs = { "f32[2] 2 3" }, .operators = "reverse slice reverse" },
    { .rule = "more from the end than an open axis has", .op = "Slice", .opset = 13, .open = true, .inputs = { "f32[n:2] iota 0 1", "=i64[1] -3", "=i64[1] 9223372036854775807" },
      .outputs = { "f32[2] 0 1" }, .dispatch = "dyn.constraint" },
    { .rule = "the last of an empty open axis", .op = "Slice", .opset = 13, .open = true, .inputs = { "f32[n:0]", "=i64[1] -1", "=i64[1] 9223372036854775807" },
      .outputs = { "f32[0]" }, .dispatch = "dyn.constraint" },
    { .rule = "all but the last of an open axis", .op = "Slice", .opset = 13, .open = true, .inputs = { "f32[n:4] iota 0 1", "=i64[1] 0", "=i64[1] -1" }, .outputs = { "f32[3] 0 1 2" }, .operators = "slice" },
    { .rule = "from a number to the end of an open axis", .op = "Slice", .opset = 13, .open = true, .inputs = { "f32[n:5] iota 0 1", "=i64[1] 2", "=i64[1] 9223372036854775807" }, .outputs = { "f32[3] 2 3 4" } },
    { .rule = "every second of an open axis", .op = "Slice", .opset = 13, .open = true, .inputs = { "f32[n:5] iota 0 1", "=i64[1] 0", "=i64[1] 9223372036854775807", "=i64[1] 0", "=i64[1] 2" }, .outputs = { "f32[3] 0 2 4" } },
    { .rule = "the first of an open axis, which may be shorter", .op = "Slice", .opset = 13, .open = true, .inputs = { "f32[n:2] iota 0 1", "=i64[1] 0", "=i64[1] 3" }, .outputs = { "f32[2] 0 1" } },
    { .rule = "an open axis backwards", .op = "Slice", .opset = 13, .open = true, .inputs = { "f32[n:3] iota 0 1", "=i64[1] -1", "=i64[1] -9223372036854775808", "=i64[1] 0", "=i64[1] -1" }, .outputs = { "f32[3] 2 1 0" }, .operators = "reverse" },

    /* Transpose, DepthToSpace, SpaceToDepth */
    { .rule = "no perm reverses", .op = "Transpose", .opset = 13, .inputs = { "f32[2,3,1] iota 0 1" }, .outputs = { "f32[1,3,2] 0 3 1 4 2 5" }, .operators = "transpose" },
    { .rule = "a perm", .op = "Transpose", .opset = 13, .attributes = "perm=[0,2,1]", .inputs = { "i8[1,2,2] 1 2 3 4" }, .outputs = { "i8[1,2,2] 1 3 2 4" } },
    { .rule = "of rank 1 is itself", .op = "Transpose", .opset = 13, .inputs = { "f32[2] 1 2" }, .outputs = { "f32[2] 1 2" }, .operators = "identity" },
    { .rule = "an axis twice", .op = "Transpose", .opset = 13, .attributes = "perm=[0,0]", .inputs = { "f32[1,1] 1" }, .refused = "lower.attribute", .says = "once" },
    { .rule = "7.68 DCR", .op = "DepthToSpace", .opset = 13, .attributes = "blocksize=2", .inputs = { "f32[1,8,1,1] iota 0 1" }, .outputs = { "f32[1,2,2,2] 0 2 4 6 1 3 5 7" } },
    { .rule = "7.68 CRD", .op = "DepthToSpace", .opset = 13, .attributes = "blocksize=2 mode='CRD'", .inputs = { "f32[1,8,1,1] iota 0 1" }, .outputs = { "f32[1,2,2,2] 0 1 2 3 4 5 6 7" } },
    { .rule = "blocks become channels", .op = "SpaceToDepth", .opset = 13, .attributes = "blocksize=2", .inputs = { "f32[1,1,2,4] iota 0 1" }, .outputs = { "f32[1,4,1,2] 0 2 1 3 4 6 5 7" } },
    { .rule = "channels that do not divide", .op = "DepthToSpace", .opset = 13, .attributes = "blocksize=2", .inputs = { "f32[1,6,1,1] iota 0 1" }, .refused = "lower.input", .says = "multiple of 4" },
    { .rule = "open spatial dims", .op = "DepthToSpace", .opset = 13, .attributes = "blocksize=2", .open = true, .inputs = { "f32[1,4,h:1,w:2] iota 0 1" }, .outputs = { "f32[1,1,2,4] 0 2 1 3 4 6 5 7" } },

    /* Pad */
    { .rule = "begin and end in ONNX order", .op = "Pad", .opset = 13, .inputs = { "f32[1,2] 1 2", "=i64[4] 1 2 0 1", "=f32[] 9" }, .outputs = { "f32[2,5] 9 9 9 9 9 9 9 1 2 9" }, .operators = "pad" },
    { .rule = "7.52 negative pads cut", .op = "Pad", .opset = 13, .inputs = { "f32[5] iota 0 1", "=i64[2] -1 -2" }, .outputs = { "f32[2] 1 2" }, .operators = "slice" },
    { .rule = "cut on one side, filled on the other", .op = "Pad", .opset = 13, .inputs = { "f32[3] 1 2 3", "=i64[2] -1 2" }, .outputs = { "f32[4] 2 3 0 0" } },
    { .rule = "cut by more than there is, the other side's padding is left", .op = "Pad", .opset = 18, .inputs = { "f32[2,3] iota 1 1", "=i64[4] 0 -4 1 2", "=f32[] 7" }, .outputs = { "f32[3,1] 7 7 7" } },
    { .rule = "cut by more than there is, padding in front", .op = "Pad", .opset = 13, .inputs = { "f32[3] iota 1 1", "=i64[2] 4 -5" }, .outputs = { "f32[2] 0 0" } },
    { .rule = "cut by more than there is", .op = "Pad", .opset = 13, .inputs = { "f32[3] iota 1 1", "=i64[2] -2 -2" }, .refused = "lower.shape", .says = "it has 3" },
    { .rule = "7.52 axes shorter than the rank", .op = "Pad", .opset = 18, .inputs = { "f32[2,2] 1 2 3 4", "=i64[2] 1 0", "-", "=i64[1] -1" }, .outputs = { "f32[2,3] 0 1 2 0 3 4" } },
    { .rule = "reflection inside", .op = "Pad", .opset = 13, .attributes = "mode='reflect'", .inputs = { "f32[3] 1 2 3", "=i64[2] 2 1" }, .outputs = { "f32[6] 3 2 1 2 3 2" }, .operators = "pad" },
    { .rule = "7.52 reflection beyond the axis", .op = "Pad", .opset = 19, .attributes = "mode='reflect'", .inputs = { "f32[3] 1 2 3", "=i64[2] 5 0" }, .outputs = { "f32[8] 2 1 2 3 2 1 2 3" }, .native = "reads outside of the input" },
    { .rule = "reflection of an open axis", .op = "Pad", .opset = 13, .attributes = "mode='reflect'", .open = true, .inputs = { "f32[n:3] 1 2 3", "=i64[2] 2 1" }, .outputs = { "f32[6] 3 2 1 2 3 2" } },
    { .rule = "a reflection that an open axis is too short for", .op = "Pad", .opset = 13, .attributes = "mode='reflect'", .open = true, .inputs = { "f32[n:2] 1 2", "=i64[2] 2 1" },
      .outputs = { "f32[5] 0 0 0 0 0" }, .dispatch = "dyn.constraint" },
    { .rule = "edge", .op = "Pad", .opset = 13, .attributes = "mode='edge'", .inputs = { "f32[2,2] 1 2 3 4", "=i64[4] 1 0 0 1" }, .outputs = { "f32[3,3] 1 2 2 1 2 2 3 4 4" } },
    { .rule = "7.52 wrap", .op = "Pad", .opset = 19, .attributes = "mode='wrap'", .inputs = { "f32[3] 1 2 3", "=i64[2] 2 4" }, .outputs = { "f32[9] 2 3 1 2 3 1 2 3 1" } },
    { .rule = "7.52 wrap below 19", .op = "Pad", .opset = 18, .attributes = "mode='wrap'", .inputs = { "f32[3] 1 2 3", "=i64[2] 1 1" }, .refused = "lower.attribute", .says = "wrap" },
    { .rule = "a computed constant", .op = "Pad", .opset = 13, .inputs = { "f32[2] 1 2", "=i64[2] 1 1", "f32[] 7" }, .outputs = { "f32[4] 7 1 2 7" } },
    { .rule = "bool", .op = "Pad", .opset = 13, .inputs = { "bool[1] 0", "=i64[2] 1 1", "=bool[] 1" }, .outputs = { "bool[3] 1 0 1" } },
    { .rule = "int64 constants are exact", .op = "Pad", .opset = 13, .inputs = { "i64[1] 1", "=i64[2] 0 1", "=i64[] 9007199254740993" }, .outputs = { "i64[2] 1 9007199254740993" } },
    { .rule = "an empty axis is filled", .op = "Pad", .opset = 13, .inputs = { "f32[0]", "=i64[2] 1 1", "=f32[] 5" }, .outputs = { "f32[2] 5 5" } },
    { .rule = "no padding is itself", .op = "Pad", .opset = 13, .inputs = { "f32[1] 1", "=i64[2] 0 0" }, .outputs = { "f32[1] 1" }, .operators = "identity" },
    { .rule = "paddings of 1", .op = "Pad", .opset = 1, .attributes = "paddings=[0,1] value=2.5", .inputs = { "f32[2] 1 2" }, .outputs = { "f32[3] 1 2 2.5" }, .native = "opset 1 has no kernel" },
    { .rule = "pads of 2", .op = "Pad", .opset = 2, .attributes = "pads=[1,0] mode='edge'", .inputs = { "f32[2] 1 2" }, .outputs = { "f32[3] 1 1 2" } },
    { .rule = "too few pads", .op = "Pad", .opset = 13, .inputs = { "f32[1,1] 1", "=i64[2] 0 1" }, .refused = "lower.input" },
    { .rule = "both at once", .op = "CenterCropPad", .opset = 18, .inputs = { "f32[3,2] iota 0 1", "=i64[2] 2 5" }, .outputs = { "f32[2,5] 0 0 1 0 0 0 2 3 0 0" } },
    { .rule = "axes in any order", .op = "CenterCropPad", .opset = 18, .attributes = "axes=[-1]", .inputs = { "f32[2,4] iota 0 1", "=i64[1] 1" }, .outputs = { "f32[2,1] 1 5" } },

    /* Trilu, ReverseSequence */
    { .rule = "upper from the main diagonal", .op = "Trilu", .opset = 14, .inputs = { "f32[3,4] iota 1 1" }, .outputs = { "f32[3,4] 1 2 3 4 0 6 7 8 0 0 11 12" }, .operators = "triangular" },
    { .rule = "lower with k = -1", .op = "Trilu", .opset = 14, .attributes = "upper=0", .inputs = { "i64[3,3] iota 1 1", "=i64[] -1" }, .outputs = { "i64[3,3] 0 0 0 4 0 0 7 8 0" } },
    { .rule = "a computed k", .op = "Trilu", .opset = 14, .inputs = { "f32[2,3] iota 1 1", "i64[] 1" }, .outputs = { "f32[2,3] 0 2 3 0 0 6" } },
    { .rule = "bool", .op = "Trilu", .opset = 14, .inputs = { "bool[2,2] 1 1 1 1" }, .outputs = { "bool[2,2] 1 1 0 1" } },
    { .rule = "k beyond the matrix", .op = "Trilu", .opset = 14, .inputs = { "f32[2,2] 1 2 3 4", "=i64[] 5000000000" }, .outputs = { "f32[2,2] 0 0 0 0" } },
    { .rule = "7.15 only the prefixes", .op = "ReverseSequence", .opset = 10, .attributes = "time_axis=1 batch_axis=0", .inputs = { "f32[2,4] iota 0 1", "=i64[2] 1 3" }, .outputs = { "f32[2,4] 0 1 2 3 6 5 4 7" } },
    { .rule = "time first, lengths at run time", .op = "ReverseSequence", .opset = 10, .inputs = { "f32[3,2,1] iota 0 1", "i64[2] 3 2" }, .outputs = { "f32[3,2,1] 4 3 2 1 0 5" } },
    { .rule = "a length beyond the axis", .op = "ReverseSequence", .opset = 10, .inputs = { "f32[2,1] 1 2", "=i64[1] 3" }, .refused = "lower.input" },
};
/* clang-format on */
OP_CASES_END
