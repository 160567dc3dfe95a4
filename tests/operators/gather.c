/* Reading and writing at indices. */
#include "runner.h"

/* Where the 1 is among more places than a byte counts. */
static void build_place_of_one(struct model_builder *b)
{
    mb_node(b, "OneHot", "x0 x1 x2", "hot");
    mb_node_open(b, "ArgMax", "hot", "y0");
    mb_int(b, "axis", -1);
    mb_int(b, "keepdims", 0);
    mb_close(b);
}

/* clang-format off */
OP_CASES = {
    { .rule = "7.37 one index of rank 1 keeps the axis", .op = "Gather", .opset = 13, .inputs = { "f32[3,2] iota 0 1", "=i64[1] 1" }, .outputs = { "f32[1,2] 2 3" }, .operators = "gather" },
    { .rule = "7.37 an index of rank 0 drops it", .op = "Gather", .opset = 13, .attributes = "axis=-1", .inputs = { "f32[3,2] iota 0 1", "=i64[] 1" }, .outputs = { "f32[3] 1 3 5" } },
    { .rule = "7.37 a known index outside", .op = "Gather", .opset = 13, .inputs = { "f32[3] 1 2 3", "=i64[2] 0 3" }, .refused = "lower.input", .says = "holds 3" },
    { .rule = "negative indices", .op = "Gather", .opset = 13, .inputs = { "f32[3] 1 2 3", "i64[3] -1 -3 1" }, .outputs = { "f32[3] 3 1 2" } },
    { .rule = "int32 indices of rank 2", .op = "Gather", .opset = 13, .attributes = "axis=1", .inputs = { "i8[2,3] iota 1 1", "i32[1,2] 2 0" }, .outputs = { "i8[2,1,2] 3 1 6 4" } },
    { .rule = "no index", .op = "Gather", .opset = 13, .inputs = { "f32[3,2] iota 0 1", "=i64[0]" }, .outputs = { "f32[0,2]" } },
    { .rule = "an open axis", .op = "Gather", .opset = 13, .open = true, .inputs = { "f32[n:3] 1 2 3", "i64[m:2] 2 0" }, .outputs = { "f32[2] 3 1" } },
    { .rule = "per element", .op = "GatherElements", .opset = 13, .attributes = "axis=1", .inputs = { "f32[2,2] 1 2 3 4", "i64[2,2] 0 0 -1 0" }, .outputs = { "f32[2,2] 1 1 4 3" }, .operators = "gatherElements" },
    { .rule = "fewer indices beside the axis", .op = "GatherElements", .opset = 13, .attributes = "axis=0", .inputs = { "f32[3,3] iota 0 1", "i32[2,2] 2 0 1 1" }, .outputs = { "f32[2,2] 6 1 3 4" } },
    { .rule = "a known index outside", .op = "GatherElements", .opset = 13, .inputs = { "f32[2] 1 2", "=i64[1] -3" }, .refused = "lower.input" },
    { .rule = "slices", .op = "GatherND", .opset = 11, .inputs = { "f32[2,2] 0 1 2 3", "i64[2,1] 1 0" }, .outputs = { "f32[2,2] 2 3 0 1" }, .operators = "gatherND" },
    { .rule = "7.16 batch_dims = 1", .op = "GatherND", .opset = 12, .attributes = "batch_dims=1", .inputs = { "f32[2,2,2] iota 0 1", "i64[2,1] 1 0" }, .outputs = { "f32[2,2] 2 3 4 5" } },
    { .rule = "7.16 batch_dims = 2", .op = "GatherND", .opset = 12, .attributes = "batch_dims=2", .inputs = { "i32[2,1,3] iota 0 1", "=i64[2,1,1] 2 -3" }, .outputs = { "i32[2,1] 2 3" } },
    { .rule = "too deep", .op = "GatherND", .opset = 12, .inputs = { "f32[2] 1 2", "=i64[1,2] 0 0" }, .refused = "lower.input", .says = "addresses 2" },

    /* scatter */
    { .rule = "per element", .op = "ScatterElements", .opset = 13, .attributes = "axis=1", .inputs = { "f32[1,4] 1 2 3 4", "i64[1,2] 1 -1", "f32[1,2] 9 8" }, .outputs = { "f32[1,4] 1 9 3 8" }, .operators = "scatterElements" },
    { .rule = "7.60 the last of known duplicates wins", .op = "ScatterElements", .opset = 13, .inputs = { "f32[3] 1 2 3", "=i64[4] 1 1 0 -2", "f32[4] 7 8 9 6" }, .outputs = { "f32[3] 9 6 3" } },
    { .rule = "fewer indices beside the axis", .op = "ScatterElements", .opset = 13, .attributes = "axis=0", .inputs = { "f32[2,3] all 0", "i64[1,2] 1 0", "f32[1,2] 5 6" }, .outputs = { "f32[2,3] 0 6 0 5 0 0" } },
    { .rule = "7.59 add with known duplicates", .op = "ScatterElements", .opset = 16, .attributes = "reduction='add'", .inputs = { "f32[3] 1 2 3", "=i64[3] 1 1 2", "f32[3] 10 20 30" }, .outputs = { "f32[3] 1 32 33" } },
    { .rule = "7.59 max with known duplicates", .op = "ScatterElements", .opset = 18, .attributes = "reduction='max'", .inputs = { "f32[3] 1 2 3", "=i64[3] 1 1 2", "f32[3] 1 5 2" }, .outputs = { "f32[3] 1 5 3" } },
    { .rule = "7.59 add with computed indices", .op = "ScatterElements", .opset = 16, .attributes = "reduction='add' axis=1", .inputs = { "f32[2,2] 1 2 3 4", "i64[2,3] 0 0 -1 1 1 1", "f32[2,3] iota 1 1" }, .outputs = { "f32[2,2] 4 5 3 19" } },
    { .rule = "mul with computed indices", .op = "ScatterElements", .opset = 16, .attributes = "reduction='mul'", .inputs = { "i32[3] 2 3 4", "i64[3] 0 0 2", "i32[3] 5 -1 2" }, .outputs = { "i32[3] -10 3 8" } },
    { .rule = "min of int8 with computed indices", .op = "ScatterElements", .opset = 18, .attributes = "reduction='min'", .inputs = { "i8[3] 2 3 4", "i64[3] 0 0 2", "i8[3] 1 -100 9" }, .outputs = { "i8[3] -100 3 4" } },
    { .rule = "infinities are added, not multiplied", .op = "ScatterElements", .opset = 16, .attributes = "reduction='add'", .inputs = { "f32[2] 1 2", "i64[2] 0 0", "f32[2] inf 1" }, .outputs = { "f32[2] inf 2" } },
    { .rule = "bool is added by or", .op = "ScatterElements", .opset = 16, .attributes = "reduction='add'", .inputs = { "bool[4] 1 1 0 0", "i64[4] 0 1 2 3", "bool[4] 1 0 1 0" }, .outputs = { "bool[4] 1 1 1 0" } },
    { .rule = "bool is multiplied by and, each place twice", .op = "ScatterElements", .opset = 16, .attributes = "reduction='mul'", .inputs = { "bool[2] 1 1", "=i64[4] 0 1 0 1", "bool[4] 1 0 1 1" }, .outputs = { "bool[2] 1 0" } },
    { .rule = "bool by and, computed", .op = "ScatterND", .opset = 16, .attributes = "reduction='mul'", .inputs = { "bool[3] 1 1 1", "i64[2,1] 2 0", "bool[2] 0 1" }, .outputs = { "bool[3] 1 1 0" } },
    { .rule = "the deprecated name", .op = "Scatter", .opset = 9, .inputs = { "f32[2] 1 2", "i64[1] 1", "f32[1] 5" }, .outputs = { "f32[2] 1 5" } },
    { .rule = "rows", .op = "ScatterND", .opset = 11, .inputs = { "f32[3,2] all 0", "i64[2,1] 2 0", "f32[2,2] 1 2 3 4" }, .outputs = { "f32[3,2] 3 4 0 0 1 2" }, .operators = "scatterND" },
    { .rule = "7.60 the last of known duplicates wins", .op = "ScatterND", .opset = 13, .inputs = { "f32[2,2] all 0", "=i64[3,1] 1 0 1", "f32[3,2] 1 2 3 4 5 6" }, .outputs = { "f32[2,2] 3 4 5 6" } },
    { .rule = "7.59 add with known duplicates", .op = "ScatterND", .opset = 16, .attributes = "reduction='add'", .inputs = { "f32[2,2] 1 1 1 1", "=i64[3,1] 1 0 1", "f32[3,2] 1 2 3 4 5 6" }, .outputs = { "f32[2,2] 4 5 7 9" } },
    { .rule = "7.59 max with computed indices", .op = "ScatterND", .opset = 18, .attributes = "reduction='max'", .inputs = { "f32[2,2] 1 9 1 1", "i64[3,2] 0 1 1 0 1 -2", "f32[3] 4 5 6" }, .outputs = { "f32[2,2] 1 9 6 1" } },
    { .rule = "a coordinate outside", .op = "ScatterND", .opset = 13, .inputs = { "f32[2] 1 2", "=i64[1,1] 2", "f32[1] 0" }, .refused = "lower.input" },

    /* OneHot */
    { .rule = "7.61 -1, depth and below", .op = "OneHot", .opset = 11, .inputs = { "i64[5] 0 -1 3 -3 -4", "=i64[] 3", "=i64[2] 7 9007199254740993" },
      .outputs = { "i64[5,3] 9007199254740993 7 7 7 7 9007199254740993 7 7 7 9007199254740993 7 7 7 7 7" } },
    { .rule = "7.61 axis 0", .op = "OneHot", .opset = 11, .attributes = "axis=0", .inputs = { "i64[2] 1 0", "=i64[1] 3", "f32[2] 0 1" }, .outputs = { "f32[3,2] 0 1 1 0 0 0" } },
    { .rule = "float indices", .op = "OneHot", .opset = 11, .inputs = { "f32[2] 1 2", "=f32[] 3", "f32[2] -1 1" }, .outputs = { "f32[2,3] -1 1 -1 -1 -1 1" } },
    { .rule = "uint8 indices and a larger depth", .opset = 13, .build = build_place_of_one, .inputs = { "u8[2] 255 3", "=i64[] 258", "=i32[2] 0 1" }, .outputs = { "i64[2] 255 3" },
      .native = "no kernel of uint8" },
    { .rule = "a computed depth", .op = "OneHot", .opset = 11, .inputs = { "i64[1] 0", "i64[] 3", "f32[2] 0 1" }, .refused = "lower.not-known" },

    /* NonZero, Compress */
    { .rule = "known coordinates", .op = "NonZero", .opset = 13, .inputs = { "=f32[2,2] 1 0 nan -2" }, .outputs = { "i64[2,3] 0 1 1 0 0 1" } },
    { .rule = "of a known scalar", .op = "NonZero", .opset = 13, .inputs = { "=f32[] 3" }, .outputs = { "i64[0,1]" }, .native = "makes one row of a scalar" },
    { .rule = "computed values", .op = "NonZero", .opset = 13, .inputs = { "f32[2] 1 0" }, .refused = "lower.unsupported" },
    { .rule = "along an axis", .op = "Compress", .opset = 11, .attributes = "axis=1", .inputs = { "f32[2,3] iota 0 1", "=bool[2] 0 1" }, .outputs = { "f32[2,1] 1 4" } },
    { .rule = "without an axis it is flat", .op = "Compress", .opset = 11, .inputs = { "f32[2,3] iota 0 1", "=bool[5] 0 1 0 0 1" }, .outputs = { "f32[2] 1 4" } },
    { .rule = "true beyond the axis", .op = "Compress", .opset = 11, .inputs = { "f32[2] 1 2", "=bool[3] 1 1 1" }, .refused = "lower.input" },
};
/* clang-format on */
OP_CASES_END
