/* Operators that take several elements together. */
#include "runner.h"

#define CUBE "f32[2,3,2] iota 1 1" /* 1 2 3 4 5 6 / 7 … 12 */

/* clang-format off */
OP_CASES = {
    /* Reduce* */
    { .rule = "a mean whose sum needs more than 32 bits", .op = "ReduceMean", .opset = 13, .attributes = "axes=[0] keepdims=0", .inputs = { "i32[2] 2147483647 2147483645" }, .outputs = { "i32[] 2147483646" } },
    { .rule = "squares that need more than 32 bits", .op = "ReduceL2", .opset = 13, .attributes = "axes=[0] keepdims=0", .inputs = { "i32[2] 100000 -100000" }, .outputs = { "i32[] 141421" } },
    { .rule = "7.22 keepdims = 0", .op = "ReduceSum", .opset = 13, .attributes = "keepdims=0", .inputs = { CUBE, "=i64[1] 1" }, .outputs = { "f32[2,2] 9 12 27 30" }, .operators = "reduceSum" },
    { .rule = "negative axes, keepdims not given", .op = "ReduceSum", .opset = 13, .inputs = { CUBE, "=i64[2] -1 0" }, .outputs = { "f32[1,3,1] 18 26 34" } },
    { .rule = "7.24 no axes reduce all", .op = "ReduceSum", .opset = 13, .attributes = "keepdims=0", .inputs = { CUBE }, .outputs = { "f32[] 78" } },
    { .rule = "7.24 empty axes reduce all", .op = "ReduceSum", .opset = 13, .attributes = "keepdims=0", .inputs = { CUBE, "=i64[0]" }, .outputs = { "f32[] 78" } },
    { .rule = "7.24 noop with absent axes", .op = "ReduceSum", .opset = 13, .attributes = "noop_with_empty_axes=1", .inputs = { CUBE }, .outputs = { CUBE }, .operators = "identity" },
    { .rule = "7.24 noop with empty axes", .op = "ReduceSumSquare", .opset = 18, .attributes = "noop_with_empty_axes=1", .inputs = { "f32[2] -3 2", "=i64[0]" }, .outputs = { "f32[2] 9 4" } },
    { .rule = "axes as an attribute", .op = "ReduceSum", .opset = 11, .attributes = "axes=[0,2] keepdims=0", .inputs = { CUBE }, .outputs = { "f32[3] 18 26 34" } },
    { .rule = "int64 is exact", .op = "ReduceSum", .opset = 13, .attributes = "keepdims=0", .inputs = { "i64[2] 9007199254740993 2" }, .outputs = { "i64[] 9007199254740995" }, .native = "adds in double" },
    { .rule = "computed axes", .op = "ReduceSum", .opset = 13, .inputs = { CUBE, "i64[1] 1" }, .refused = "lower.not-known" },
    { .rule = "an axis twice", .op = "ReduceSum", .opset = 13, .inputs = { CUBE, "=i64[2] 1 -2" }, .refused = "lower.attribute" },
    { .rule = "a scalar is reduced to itself", .op = "ReduceSum", .opset = 13, .inputs = { "f32[] 3" }, .outputs = { "f32[] 3" } },
    { .rule = "of nothing", .op = "ReduceSum", .opset = 13, .attributes = "keepdims=0", .inputs = { "f32[0,2]", "=i64[1] 0" }, .outputs = { "f32[2] 0 0" } },
    { .rule = "of nothing", .op = "ReduceProd", .opset = 18, .attributes = "keepdims=0", .inputs = { "f32[2,0]", "=i64[1] 1" }, .outputs = { "f32[2] 1 1" } },
    { .rule = "the mean of nothing is 0, as in the runtime", .op = "ReduceMean", .opset = 18, .attributes = "keepdims=0", .inputs = { "f32[0,2]", "=i64[1] 0" }, .outputs = { "f32[2] 0 0" } },
    { .rule = "the mean of no integers", .op = "ReduceMean", .opset = 13, .attributes = "axes=[1]", .inputs = { "i32[2,0]" }, .outputs = { "i32[2,1] 0 0" } },
    { .rule = "a mean beside an axis of nothing", .op = "ReduceMean", .opset = 13, .attributes = "axes=[1] keepdims=0", .inputs = { "f32[0,2]" }, .outputs = { "f32[0]" } },
    { .rule = "of nothing", .op = "ReduceMax", .opset = 20, .attributes = "keepdims=0", .inputs = { "f32[0]" }, .outputs = { "f32[] -inf" } },
    { .rule = "7.22 keepdims = 0", .op = "ReduceMean", .opset = 18, .attributes = "keepdims=0", .inputs = { CUBE, "=i64[2] 0 1" }, .outputs = { "f32[2] 6 7" } },
    { .rule = "integers are cut", .op = "ReduceMean", .opset = 13, .attributes = "keepdims=0", .inputs = { "i32[2,2] 1 2 -1 -2" }, .outputs = { "i32[] 0" } },
    { .rule = "negative integers are cut toward zero", .op = "ReduceMean", .opset = 13, .attributes = "keepdims=0 axes=[0]", .inputs = { "i32[3] -1 -2 -5" }, .outputs = { "i32[] -2" } },
    { .rule = "NaN goes through", .op = "ReduceMax", .opset = 13, .attributes = "keepdims=0 axes=[1]", .inputs = { "f32[2,2] 1 nan -inf -2" }, .outputs = { "f32[2] nan -2" }, .native = "leaves NaN out" },
    { .rule = "int8", .op = "ReduceMin", .opset = 13, .attributes = "keepdims=0", .inputs = { "i8[3] 5 -128 7" }, .outputs = { "i8[] -128" } },
    { .rule = "bool is or", .op = "ReduceMax", .opset = 20, .attributes = "keepdims=0", .inputs = { "bool[2,2] 0 1 0 0", "=i64[1] 1" }, .outputs = { "bool[2] 1 0" }, .operators = "reduceMax" },
    { .rule = "bool is and", .op = "ReduceMin", .opset = 20, .attributes = "keepdims=0", .inputs = { "bool[2,2] 0 1 1 1", "=i64[1] 1" }, .outputs = { "bool[2] 0 1" } },
    { .rule = "sizes", .op = "ReduceL1", .opset = 13, .attributes = "keepdims=0 axes=[1]", .inputs = { "f32[2,2] -1 2 -3 -4" }, .outputs = { "f32[2] 3 7" } },
    { .rule = "7.24 noop is the size", .op = "ReduceL1", .opset = 18, .attributes = "noop_with_empty_axes=1", .inputs = { "f32[2] -1 2" }, .outputs = { "f32[2] 1 2" } },
    { .rule = "the length", .op = "ReduceL2", .opset = 13, .attributes = "keepdims=0 axes=[1]", .inputs = { "f32[2,2] 3 4 -6 8" }, .outputs = { "f32[2] 5 10" } },
    { .rule = "integers are cut", .op = "ReduceL2", .opset = 13, .attributes = "keepdims=0 axes=[1]", .inputs = { "i32[3,2] 3 4 1 1 -30000 0" }, .outputs = { "i32[3] 5 1 30000" } },
    { .rule = "squares beyond 64 bits are not garbage", .op = "ReduceL2", .opset = 13, .attributes = "keepdims=0 axes=[1]", .inputs = { "i64[4,2] 4294967296 0 -9223372036854775808 0 3037000500 0 3 4" }, .outputs = { "i64[4] 4294967296 9223372036854775807 3037000448 5" }, .native = "computes in double" },
    { .rule = "int64 beyond float", .op = "ReduceL2", .opset = 13, .attributes = "keepdims=0 axes=[1]", .inputs = { "i64[2,1] 3037000498 -2147483649" }, .outputs = { "i64[2] 3037000498 2147483649" } },
    { .rule = "products wrap", .op = "ReduceProd", .opset = 13, .attributes = "keepdims=0", .inputs = { "i32[3] 65536 65536 3" }, .outputs = { "i32[] 0" }, .native = "multiplies in double" },
    { .rule = "squares", .op = "ReduceSumSquare", .opset = 13, .attributes = "keepdims=0", .inputs = { "i32[3] -3 2 1" }, .outputs = { "i32[] 14" } },
    { .rule = "the logarithm of the sum", .op = "ReduceLogSum", .opset = 13, .attributes = "keepdims=0 axes=[0]", .inputs = { "f32[2,2] 1 2 0 1" }, .outputs = { "f32[2] 0 1.0986123" } },
    { .rule = "integers are refused", .op = "ReduceLogSum", .opset = 13, .inputs = { "i32[2] 1 2" }, .refused = "lower.input" },
    { .rule = "does not overflow", .op = "ReduceLogSumExp", .opset = 13, .attributes = "keepdims=0 axes=[1]", .inputs = { "f32[3,2] 1000 1000 -1000 -1001 0 1" }, .outputs = { "f32[3] 1000.69315 -999.68674 1.3132617" } },
    { .rule = "infinities", .op = "ReduceLogSumExp", .opset = 13, .attributes = "axes=[1]", .inputs = { "f32[3,2] -inf -inf inf 1 nan 1" }, .outputs = { "f32[3,1] -inf inf nan" } },
    { .rule = "float16 rounds once", .op = "ReduceLogSumExp", .opset = 18, .attributes = "keepdims=0", .inputs = { "f16[2] 100 100.5" }, .outputs = { "f16[] 100.974" }, .relative = 1e-3 },
    { .rule = "an open axis", .op = "ReduceMean", .opset = 18, .open = true, .attributes = "keepdims=0", .inputs = { "f32[n:3,2] iota 0 1", "=i64[1] 0" }, .outputs = { "f32[2] 2 3" } },
    { .rule = "integers along an open axis", .op = "ReduceSum", .opset = 13, .open = true, .attributes = "keepdims=0", .inputs = { "i64[2,n:3] 9007199254740993 1 1 2 3 4", "=i64[1] 1" }, .outputs = { "i64[2] 9007199254740995 9" }, .native = "it loses digits" },

    /* ArgMax, ArgMin */
    { .rule = "7.23 the first of ties", .op = "ArgMax", .opset = 13, .attributes = "axis=1", .inputs = { "f32[2,3] 1 5 5 7 7 0" }, .outputs = { "i64[2,1] 1 0" }, .operators = "argMax" },
    { .rule = "7.23 select_last_index", .op = "ArgMax", .opset = 13, .attributes = "axis=1 select_last_index=1 keepdims=0", .inputs = { "f32[2,3] 1 5 5 7 7 0" }, .outputs = { "i64[2] 2 1" } },
    { .rule = "7.22 keepdims = 0", .op = "ArgMin", .opset = 13, .attributes = "axis=-1 keepdims=0", .inputs = { "i8[2,3] 1 -5 5 7 0 0" }, .outputs = { "i64[2] 1 1" } },
    { .rule = "select_last_index", .op = "ArgMin", .opset = 12, .attributes = "axis=0 select_last_index=1", .inputs = { "f32[3] 0 0 1" }, .outputs = { "i64[1] 1" } },
    { .rule = "an axis outside", .op = "ArgMax", .opset = 13, .attributes = "axis=1", .inputs = { "f32[3] 0 0 1" }, .refused = "lower.attribute" },
    { .rule = "of nothing", .op = "ArgMax", .opset = 13, .inputs = { "f32[0]" }, .refused = "lower.input" },

    { .rule = "of nothing", .op = "Hardmax", .opset = 13, .inputs = { "f32[2,0]" }, .outputs = { "f32[2,0]" } },
    { .rule = "numbers that are far apart", .op = "Softmax", .opset = 13, .inputs = { "f32[2,3] 0.5 16777216 -3.4e38 1 -3.4e38 2" }, .outputs = { "f32[2,3] 0 1 0 0.26894142 0 0.73105858" } },

    { .rule = "the mean of no losses is 0, as in the runtime", .op = "NegativeLogLikelihoodLoss", .opset = 13, .inputs = { "f32[1,1,0]", "=i64[1,0]" }, .outputs = { "f32[] 0" } },

    /* CumSum, CumProd */
    { .rule = "exclusive and reversed", .op = "CumSum", .opset = 14, .attributes = "exclusive=1 reverse=1", .inputs = { "f32[4] 1 2 3 4", "=i64[] 0" }, .outputs = { "f32[4] 9 7 4 0" }, .operators = "cumulativeSum" },
    { .rule = "a negative axis", .op = "CumSum", .opset = 14, .inputs = { "i64[2,2] 1 2 3 4", "=i32[1] -1" }, .outputs = { "i64[2,2] 1 3 3 7" } },
    { .rule = "a computed axis", .op = "CumSum", .opset = 14, .inputs = { "f32[2] 1 2", "i64[] 0" }, .refused = "lower.not-known" },
    { .rule = "7.44 negatives and zero", .op = "CumProd", .opset = 26, .inputs = { "f32[5] -1 2 -3 0 4", "=i64[] 0" }, .outputs = { "f32[5] -1 -2 6 0 0" } },
    { .rule = "exclusive and reversed", .op = "CumProd", .opset = 26, .attributes = "exclusive=1 reverse=1", .inputs = { "i64[4] 2 3 4 5", "=i64[] 0" }, .outputs = { "i64[4] 60 20 5 1" } },

    /* Softmax and its kin */
    { .rule = "7.21 axis 0", .op = "Softmax", .opset = 13, .attributes = "axis=0", .inputs = { "f32[2,2] 0 1 0 3" }, .outputs = { "f32[2,2] 0.5 0.11920292 0.5 0.88079708" }, .operators = "softmax" },
    { .rule = "7.21 axis 1 flattens below 13", .op = "Softmax", .opset = 11, .inputs = { "f32[1,2,2] 0 0 0 0" }, .outputs = { "f32[1,2,2] all 0.25" }, .operators = "reshape softmax reshape" },
    { .rule = "the last axis needs no flattening", .op = "Softmax", .opset = 11, .attributes = "axis=-1", .inputs = { "f32[1,2,2] 0 0 0 0" }, .outputs = { "f32[1,2,2] all 0.5" }, .operators = "softmax" },
    { .rule = "7.21 rank 4, axis 2, below 13", .op = "Softmax", .opset = 11, .attributes = "axis=2", .inputs = { "f32[1,2,2,1] 0 0 1 1" }, .outputs = { "f32[1,2,2,1] all 0.5" } },
    { .rule = "large numbers", .op = "Softmax", .opset = 13, .inputs = { "f32[2] 10000 10001" }, .outputs = { "f32[2] 0.26894142 0.73105858" } },
    { .rule = "float16 rounds once", .op = "Softmax", .opset = 13, .inputs = { "f16[3] 0 1 2" }, .outputs = { "f16[3] 0.09003057 0.24472847 0.66524096" }, .relative = 1e-3 },
    { .rule = "a row of -inf", .op = "Softmax", .opset = 13, .inputs = { "f32[2] -inf -inf" }, .outputs = { "f32[2] nan nan" } },
    { .rule = "never log of softmax", .op = "LogSoftmax", .opset = 13, .inputs = { "f32[2] 0 -1000" }, .outputs = { "f32[2] 0 -1000" } },
    { .rule = "7.21 flattens below 13", .op = "LogSoftmax", .opset = 11, .inputs = { "f32[1,2,2] 0 0 0 0" }, .outputs = { "f32[1,2,2] all -1.3862944" } },
    { .rule = "7.21 axis 0", .op = "LogSoftmax", .opset = 13, .attributes = "axis=0", .inputs = { "f32[2,2] 0 1 0 3" }, .outputs = { "f32[2,2] -0.69314718 -2.126928 -0.69314718 -0.12692801" } },
    { .rule = "the first of ties", .op = "Hardmax", .opset = 13, .inputs = { "f32[2,3] 1 3 3 2 1 0" }, .outputs = { "f32[2,3] 0 1 0 1 0 0" } },
    { .rule = "7.21 axis 0", .op = "Hardmax", .opset = 13, .attributes = "axis=0", .inputs = { "f32[2,2] 1 3 3 2" }, .outputs = { "f32[2,2] 0 1 1 0" } },
    { .rule = "7.21 flattens below 13", .op = "Hardmax", .opset = 11, .inputs = { "f32[1,2,2] 0 1 2 2" }, .outputs = { "f32[1,2,2] 0 0 1 0" } },

    /* TopK */
    { .rule = "7.64 ties take the lower index", .op = "TopK", .opset = 11, .inputs = { "f32[5] 3 1 3 2 3", "=i64[1] 2" }, .outputs = { "f32[2] 3 3", "i64[2] 0 2" } },
    { .rule = "7.64 largest = 0", .op = "TopK", .opset = 11, .attributes = "largest=0", .inputs = { "f32[5] 3 1 3 2 1", "=i64[1] 3" }, .outputs = { "f32[3] 1 1 2", "i64[3] 1 4 3" } },
    { .rule = "7.64 -inf elements and k = n", .op = "TopK", .opset = 11, .inputs = { "f32[4] -inf 2 -inf 5", "=i64[1] 4" }, .outputs = { "f32[4] 5 2 -inf -inf", "i64[4] 3 1 0 2" } },
    { .rule = "an axis, k = 1", .op = "TopK", .opset = 11, .attributes = "axis=0", .inputs = { "i64[2,2] 9007199254740993 1 9007199254740992 5", "=i64[1] 1" }, .outputs = { "i64[1,2] 9007199254740993 5", "i64[1,2] 0 1" } },
    { .rule = "int64 is exact", .op = "TopK", .opset = 11, .inputs = { "i64[3] 9007199254740992 9007199254740993 1", "=i64[1] 2" }, .outputs = { "i64[2] 9007199254740993 9007199254740992", "i64[2] 1 0" } },
    { .rule = "known values", .op = "TopK", .opset = 11, .attributes = "axis=0", .inputs = { "=u8[3,2] 5 200 7 200 7 3", "=i64[1] 2" }, .outputs = { "u8[2,2] 7 200 7 200", "i64[2,2] 1 0 2 1" } },
    { .rule = "k as an attribute", .op = "TopK", .opset = 1, .attributes = "k=2 axis=-1", .inputs = { "f32[3] 1 3 2" }, .outputs = { "f32[2] 3 2", "i64[2] 1 2" } },
    { .rule = "k = 0", .op = "TopK", .opset = 11, .inputs = { "f32[3] 1 3 2", "=i64[1] 0" }, .outputs = { "f32[0]", "i64[0]" } },
    { .rule = "k beyond the axis", .op = "TopK", .opset = 11, .inputs = { "f32[3] 1 3 2", "=i64[1] 4" }, .refused = "lower.value" },
    { .rule = "a long row goes by rounds", .op = "TopK", .opset = 11, .inputs = { "f32[9000] cycle -1 -2 -3 -inf -0.5 -7", "=i64[1] 3" }, .outputs = { "f32[3] -0.5 -0.5 -0.5", "i64[3] 4 10 16" } },
};
/* clang-format on */
OP_CASES_END
