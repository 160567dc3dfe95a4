/* Results of operators over known sizes. */
#include "unit/webnn/infer_case.h"

#define LIST(...)                                                                                  \
    {                                                                                              \
        .given = true, .count = sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), .items = { \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define DIMS(...)                                                                                \
    {                                                                                            \
        .given = true, .count = sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), .items = { \
            __VA_ARGS__                                                                          \
        }                                                                                        \
    }

static void binary_operators_broadcast(void **state)
{
    infers(WEBNN_ADD, NULL, "f32[2,1] f32[5,1,3]", "f32[5, 2, 3]");
    infers(WEBNN_PRELU, NULL, "f16[3] f16[2,1]", "f16[2, 3]");
    infers(WEBNN_MUL, NULL, "i64[] i64[0,2]", "i64[0, 2]");
    infers(WEBNN_ADD, NULL, "f32[2] f32[3]", "add: shapes [2] and [3] do not broadcast");
    infers(WEBNN_ADD, NULL, "f32[2] f16[2]", "add: b is float16, must be float32 as a is");
}

static void comparisons_give_uint8(void **state)
{
    infers(WEBNN_GREATER, NULL, "i64[2] i64[1]", "u8[2]");
    infers(WEBNN_IS_NAN, NULL, "f16[2]", "u8[2]");
    infers(WEBNN_LOGICAL_NOT, NULL, "u8[]", "u8[]");
    infers(WEBNN_IS_INFINITE, NULL, "i32[2]", "isInfinite: a is int32, must be float32 or float16");
    infers(WEBNN_LOGICAL_AND, NULL, "i32[2] i32[2]", "logicalAnd: a is int32, must be uint8");
}

static void cast_has_the_type_asked_for(void **state)
{
    struct webnn_cast_attributes p = { .to = WEBNN_INT64 };
    infers(WEBNN_CAST, &p, "f32[2, 3]", "i64[2, 3]");
    p.to = WEBNN_INT4;
    infers(
        WEBNN_CAST, &p, "f32[2]",
        "cast: output is int4, must be float32, float16, int32, uint32, int64, uint64, int8 or uint8");
}

static void clamp_bounds_are_compared_exactly(void **state)
{
    struct webnn_clamp_attributes p = { .min_value = { .kind = WEBNN_NUMBER_UINT, .u = UINT64_MAX },
                                        .max_value = { .kind = WEBNN_NUMBER_DOUBLE, .d = 0x1p64 } };
    infers(WEBNN_CLAMP, &p, "u64[2]", "u64[2]");
    p.max_value.d = 0x1.fffffffffffffp63;
    infers(WEBNN_CLAMP, &p, "u64[2]", "clamp: minValue is greater than maxValue");
    p.max_value.d = (double)NAN;
    infers(WEBNN_CLAMP, &p, "u64[2]", "clamp: maxValue is NaN, must be a number");
    infers(WEBNN_CLAMP, NULL, "f32[2]", "f32[2]");
}

static void where_broadcasts_all_three(void **state)
{
    infers(WEBNN_WHERE, NULL, "u8[3,1,1] f16[2,1] f16[4]", "f16[3, 2, 4]");
    infers(WEBNN_WHERE, NULL, "f32[3] f32[3] f32[3]", "where: condition is float32, must be uint8");
}

static void transpose_permutes_and_reverses_by_default(void **state)
{
    struct webnn_transpose_attributes p = { .permutation = LIST(2, 0, 1) };
    infers(WEBNN_TRANSPOSE, &p, "f32[2,3,4]", "f32[4, 2, 3]");
    infers(WEBNN_TRANSPOSE, NULL, "f32[2,3,4]", "f32[4, 3, 2]");
    infers(WEBNN_TRANSPOSE, NULL, "f32[]", "f32[]");
    infers(WEBNN_TRANSPOSE, &p, "f32[2,3]", "transpose: permutation has 3 values, must have 2");
    p.permutation.items[0] = 1;
    infers(WEBNN_TRANSPOSE, &p, "f32[2,3,4]", "transpose: permutation names 1 twice");
    p.permutation.items[0] = 3;
    infers(WEBNN_TRANSPOSE, &p, "f32[2,3,4]",
           "transpose: permutation[0] is 3, must be below the rank 3");
}

static void gather_puts_the_indices_shape_in(void **state)
{
    struct webnn_gather_attributes p = { .axis = 1 };
    infers(WEBNN_GATHER, &p, "f32[2,3,4] i32[5,6]", "f32[2, 5, 6, 4]");
    infers(WEBNN_GATHER, &p, "f32[2,3,4] i64[]", "f32[2, 4]");
    infers(WEBNN_GATHER, NULL, "f32[3] u32[]", "f32[]");
    p.axis = 3;
    infers(WEBNN_GATHER, &p, "f32[2,3,4] i32[1]", "gather: axis is 3, must be below the rank 3");
    infers(WEBNN_GATHER, NULL, "f32[2] f32[1]",
           "gather: indices is float32, must be int32, uint32 or int64");
    infers(WEBNN_GATHER, NULL, "f32[1,1,1,1,1,1,1,1,1] i32[1,1,1,1,1,1,1,1,1]",
           "gather: the result's rank is 17, must be at most 16");
}

static void gather_elements_has_the_shape_of_indices(void **state)
{
    struct webnn_gather_elements_attributes p = { .axis = 1 };
    infers(WEBNN_GATHER_ELEMENTS, &p, "f32[2,3] i32[2,7]", "f32[2, 7]");
    infers(WEBNN_GATHER_ELEMENTS, &p, "f32[2,3] i32[1,7]",
           "gatherElements: indices.shape[0] is 1, must be the input's = 2");
    infers(WEBNN_GATHER_ELEMENTS, &p, "f32[2,3] i32[2]",
           "gatherElements: indices has rank 1, must be the input's: 2");
}

static void nd_operators_point_at_blocks(void **state)
{
    infers(WEBNN_GATHER_ND, NULL, "f32[2,3,4] i32[5,2]", "f32[5, 4]");
    infers(WEBNN_GATHER_ND, NULL, "f32[2,3] i32[2]", "f32[]");
    infers(WEBNN_GATHER_ND, NULL, "f32[2] i32[5,2]",
           "gatherND: indices.shape[1] is 2, must be at most the input's rank 1");
    infers(WEBNN_SCATTER_ND, NULL, "f32[2,3,4] i32[5,2] f32[5,4]", "f32[2, 3, 4]");
    infers(WEBNN_SCATTER_ND, NULL, "f32[2,3,4] i32[5,2] f32[5]",
           "scatterND: updates has shape [5], must be [5, 4]");
    infers(WEBNN_SCATTER_ND, NULL, "f32[2] i32[1] f16[]",
           "scatterND: updates is float16, must be float32 as input is");
}

static void scatter_elements_takes_updates_like_indices(void **state)
{
    infers(WEBNN_SCATTER_ELEMENTS, NULL, "f32[3,2] i32[9,2] f32[9,2]", "f32[3, 2]");
    infers(WEBNN_SCATTER_ELEMENTS, NULL, "f32[3,2] i32[9,2] f32[3,2]",
           "scatterElements: updates has shape [3, 2], must be [9, 2]");
}

static void reductions_drop_or_keep(void **state)
{
    struct webnn_reduce_attributes p = { .axes = LIST(2, 0), .keep_dimensions = true };
    infers(WEBNN_REDUCE_SUM, &p, "f32[2,3,4]", "f32[1, 3, 1]");
    p.keep_dimensions = false;
    infers(WEBNN_REDUCE_SUM, &p, "f32[2,3,4]", "f32[3]");
    infers(WEBNN_REDUCE_SUM, NULL, "f32[2,3,4]", "f32[]");
    p.axes.count = 0;
    infers(WEBNN_REDUCE_SUM_SQUARE, &p, "i64[2,3]", "i64[2, 3]");
    infers(WEBNN_REDUCE_MEAN, NULL, "f32[0,3]", "f32[]");
    infers(WEBNN_REDUCE_MEAN, NULL, "i32[3]",
           "reduceMean: input is int32, must be float32 or float16");
    p.axes = (struct webnn_u32s)LIST(0, 0);
    infers(WEBNN_REDUCE_MAX, &p, "f32[2,3]", "reduceMax: axes names 0 twice");
}

static void arg_min_needs_an_element(void **state)
{
    struct webnn_arg_min_max_attributes p = webnn_arg_min_defaults();
    p.axis = 1;
    infers(WEBNN_ARG_MIN, &p, "f32[2,3]", "i32[2]");
    p.output_data_type = WEBNN_INT64;
    p.keep_dimensions = true;
    infers(WEBNN_ARG_MAX, &p, "f32[2,3]", "i64[2, 1]");
    infers(WEBNN_ARG_MAX, &p, "f32[2,0]", "argMax: input.shape[1] is 0, must be at least 1");
    infers(WEBNN_ARG_MAX, &p, "f32[0,2]", "i64[0, 1]");
    p.output_data_type = WEBNN_FLOAT32;
    infers(WEBNN_ARG_MAX, &p, "f32[2,3]", "argMax: output is float32, must be int32 or int64");
}

static void concat_adds_one_axis(void **state)
{
    struct webnn_concat_attributes p = { .axis = 1 };
    infers(WEBNN_CONCAT, &p, "f32[2,3] f32[2,0] f32[2,4]", "f32[2, 7]");
    infers(WEBNN_CONCAT, &p, "f32[2,3]", "f32[2, 3]");
    infers(WEBNN_CONCAT, &p, "f32[2,3] f32[3,3]", "concat: inputs[1].shape[0] is 3, must be 2");
    infers(WEBNN_CONCAT, &p, "f32[2,3] f32[2]",
           "concat: inputs[1] has rank 1, must be that of inputs[0]: 2");
    infers(WEBNN_CONCAT, &p, "f32[2,3] i32[2,3]",
           "concat: inputs[1] is int32, must be float32 as inputs[0] is");
    infers(WEBNN_CONCAT, &p, "f32[2,3] - f32[2,3]", "concat: inputs[1] is missing");
    infers(WEBNN_CONCAT, &p, "", "concat: 0 operands given, must be 1…8192");
    infers(WEBNN_CONCAT, NULL, "f32[2]", "concat: axis is missing");
}

static void split_into_equal_or_given_parts(void **state)
{
    const uint32_t sizes[] = { 1, 0, 5 };
    struct webnn_split_attributes p = { .splits = { .equal = true, .count = 3 }, .axis = 1 };
    infers(WEBNN_SPLIT, &p, "f32[2,6]", "f32[2, 2] f32[2, 2] f32[2, 2]");
    infers(WEBNN_SPLIT, &p, "f32[2,7]",
           "split: input.shape[1] is 7, must be a multiple of splits = 3");
    p.splits = (struct webnn_splits){ .count = 3, .items = sizes };
    infers(WEBNN_SPLIT, &p, "f32[2,6]", "f32[2, 1] f32[2, 0] f32[2, 5]");
    infers(WEBNN_SPLIT, &p, "f32[2,7]", "split: the sum of splits is 6, must be 7");
    limits_standard(&((struct infer_case *)*state)->limits);
    infers(WEBNN_SPLIT, &p, "f32[2,6]", "split: splits[1] is 0, must be at least 1");
    p.splits = (struct webnn_splits){ .equal = true, .count = 0 };
    infers(WEBNN_SPLIT, &p, "f32[2,6]", "split: splits asks for 0 parts, must be 1…8192");
    p.splits.count = 8193;
    infers(WEBNN_SPLIT, &p, "f32[2,8193]", "split: splits asks for 8193 parts, must be 1…8192");
}

static void slice_counts_strides_up(void **state)
{
    struct webnn_slice_attributes p = { .starts = LIST(1, 0),
                                        .sizes = DIMS(3, 2),
                                        .strides = LIST(2, 5) };
    infers(WEBNN_SLICE, &p, "f32[4,2]", "f32[2, 1]");
    infers(WEBNN_SLICE, &p, "f32[3,2]",
           "slice: starts[0] + sizes[0] is 4, must be at most input.shape[0] = 3");
    p.strides.given = false;
    infers(WEBNN_SLICE, &p, "f32[4,2]", "f32[3, 2]");
    p.sizes.items[1] = 0;
    infers(WEBNN_SLICE, &p, "f32[4,2]", "f32[3, 0]");
    limits_standard(&((struct infer_case *)*state)->limits);
    infers(WEBNN_SLICE, &p, "f32[4,2]", "slice: sizes[1] is 0, must be at least 1");
    p.starts.given = false;
    infers(WEBNN_SLICE, &p, "f32[4,2]", "slice: starts is missing");
}

static void pad_reflects_inside_the_input(void **state)
{
    struct webnn_pad_attributes p = webnn_pad_defaults();
    p.beginning_padding = (struct webnn_u32s)LIST(2, 0);
    p.ending_padding = (struct webnn_u32s)LIST(1, 4);
    infers(WEBNN_PAD, &p, "f32[3,2]", "f32[6, 6]");
    p.mode = WEBNN_PADDING_MODE_EDGE;
    infers(WEBNN_PAD, &p, "f32[3,2]", "f32[6, 6]");
    infers(WEBNN_PAD, &p, "f32[0,2]", "pad: input.shape[0] is 0 and has no edge");
    p.mode = WEBNN_PADDING_MODE_REFLECTION;
    infers(WEBNN_PAD, &p, "f32[3,5]", "f32[6, 9]");
    infers(WEBNN_PAD, &p, "f32[3,4]",
           "pad: endingPadding[1] is 4, must be below input.shape[1] = 4");
    p.mode = 3;
    infers(WEBNN_PAD, &p, "f32[3,4]", "pad: mode has no value number 3");
}

static void tile_repeats(void **state)
{
    struct webnn_tile_attributes p = { .repetitions = LIST(2, 3) };
    infers(WEBNN_TILE, &p, "i4[2,5]", "i4[4, 15]");
    p.repetitions.items[0] = UINT32_MAX;
    infers(WEBNN_TILE, &p, "f32[2,5]", "tile: output.shape[0] is 8589934590, must be 0…2147483647");
    p.repetitions.items[0] = 0;
    infers(WEBNN_TILE, &p, "f32[2,5]", "f32[0, 15]");
    limits_standard(&((struct infer_case *)*state)->limits);
    infers(WEBNN_TILE, &p, "f32[2,5]", "tile: repetitions[0] is 0, must be at least 1");
}

static void expand_is_one_way(void **state)
{
    struct webnn_expand_attributes p = { .new_shape = DIMS(2, 3, 4) };
    infers(WEBNN_EXPAND, &p, "f32[3,1]", "f32[2, 3, 4]");
    infers(WEBNN_EXPAND, &p, "f32[]", "f32[2, 3, 4]");
    infers(WEBNN_EXPAND, &p, "f32[1,2,3,4]",
           "expand: input of shape [1, 2, 3, 4] does not broadcast to [2, 3, 4]");
    infers(WEBNN_EXPAND, &p, "f32[2]",
           "expand: input of shape [2] does not broadcast to [2, 3, 4]");
}

static void reshape_keeps_the_number_of_elements(void **state)
{
    struct webnn_reshape_attributes p = { .new_shape = DIMS(2, 6) };
    infers(WEBNN_RESHAPE, &p, "u4[3,4]", "u4[2, 6]");
    infers(WEBNN_RESHAPE, &p, "f32[3,5]",
           "reshape: newShape [2, 6] has 12 elements, the input [3, 5] has 15");
    p.new_shape.count = 0;
    infers(WEBNN_RESHAPE, &p, "f32[1,1]", "f32[]");
    p.new_shape = (struct webnn_dims)DIMS(0, 7);
    infers(WEBNN_RESHAPE, &p, "f32[3,0]", "f32[0, 7]");
    infers(WEBNN_RESHAPE, NULL, "f32[3,0]", "reshape: newShape is missing");
}

static void too_many_elements_are_refused(void **state)
{
    struct webnn_expand_attributes p = { .new_shape = DIMS(65536, 32768) };
    infers(
        WEBNN_EXPAND, &p, "i8[]",
        "expand: output of shape [65536, 32768] has too many elements, must be at most 2147483647");
    p.new_shape.items[1] = 32767;
    infers(WEBNN_EXPAND, &p, "i8[]", "i8[65536, 32767]");
    ((struct infer_case *)*state)->limits.max_tensor_bytes = INT32_MAX;
    infers(
        WEBNN_EXPAND, &p, "f16[]",
        "expand: output of shape [65536, 32767] has 2147418112 elements of float16, onnx2webnn allows 2147483647 bytes");
    p.new_shape.items[1] = (int64_t)INT32_MAX + 1;
    infers(WEBNN_EXPAND, &p, "i8[]",
           "expand: newShape[1] is 2147483648, must be at most 2147483647");
}

static void matmul_and_gemm(void **state)
{
    struct webnn_gemm_attributes p = webnn_gemm_defaults();
    infers(WEBNN_MATMUL, NULL, "f32[5,1,2,3] f32[4,3,7]", "f32[5, 4, 2, 7]");
    infers(WEBNN_MATMUL, NULL, "f32[2,3] f32[4,7]",
           "matmul: b.shape[0] is 4, must be the columns of a = 3");
    infers(WEBNN_MATMUL, NULL, "f32[3] f32[3,7]", "matmul: a has rank 1, must be 2…16");
    p.a_transpose = p.b_transpose = true;
    infers(WEBNN_GEMM, &p, "f32[3,2] f32[4,3] f32[4]", "f32[2, 4]");
    infers(WEBNN_GEMM, &p, "f32[3,2] f32[4,3]", "f32[2, 4]");
    infers(WEBNN_GEMM, &p, "f32[3,2] f32[4,3] f32[2]",
           "gemm: c of shape [2] does not broadcast to [2, 4]");
    infers(WEBNN_GEMM, &p, "f32[3,2] f32[4,3] f32[1,2,4]", "gemm: c has rank 3, must be 0…2");
}

static void blocks_of_scale_divide_the_input(void **state)
{
    infers(WEBNN_DEQUANTIZE_LINEAR, NULL, "u4[6,4] f16[3,1] u4[3,1]", "f16[6, 4]");
    infers(WEBNN_QUANTIZE_LINEAR, NULL, "f32[6] f32[6] i4[6]", "i4[6]");
    infers(WEBNN_DEQUANTIZE_LINEAR, NULL, "i8[] f32[] i8[]", "f32[]");
    infers(WEBNN_DEQUANTIZE_LINEAR, NULL, "i8[6,4] f32[4,1] i8[4,1]",
           "dequantizeLinear: scale.shape[0] is 4, must divide input.shape[0] = 6");
    infers(WEBNN_DEQUANTIZE_LINEAR, NULL, "i8[6,4] f32[1] i8[1]",
           "dequantizeLinear: scale has rank 1, must be the input's: 2");
    infers(WEBNN_DEQUANTIZE_LINEAR, NULL, "i8[6] f32[3] i8[1]",
           "dequantizeLinear: zeroPoint has shape [1], must be [3]");
    infers(WEBNN_DEQUANTIZE_LINEAR, NULL, "i8[6] f32[6] u8[6]",
           "dequantizeLinear: zeroPoint is uint8, must be int8 as input is");
    infers(WEBNN_DEQUANTIZE_LINEAR, NULL, "i8[6] f32[6]", "dequantizeLinear: zeroPoint is missing");
    infers(WEBNN_QUANTIZE_LINEAR, NULL, "f32[0] f32[0] u8[0]", "u8[0]");
}

static void normalizations_take_lengths_of_axes(void **state)
{
    struct webnn_layer_normalization_attributes layer = { .axes = LIST(2, 1), .epsilon = 1e-5 };
    struct webnn_batch_normalization_attributes batch = { .axis = 3, .epsilon = 0 };
    struct webnn_instance_normalization_attributes instance = { .layout = WEBNN_INPUT_LAYOUT_NHWC };
    infers(WEBNN_LAYER_NORMALIZATION, &layer, "f32[2,3,4] f32[4,3] f32[4,3]", "f32[2, 3, 4]");
    infers(WEBNN_LAYER_NORMALIZATION, &layer, "f32[2,3,4] f32[3,4]",
           "layerNormalization: scale has shape [3, 4], must be [4, 3]");
    infers(WEBNN_LAYER_NORMALIZATION, NULL, "f32[2,3,4] - f32[3,4]", "f32[2, 3, 4]");
    infers(WEBNN_LAYER_NORMALIZATION, NULL, "f32[2] f32[]", "f32[2]");
    infers(WEBNN_LAYER_NORMALIZATION, NULL, "f32[]", "f32[]");
    infers(WEBNN_BATCH_NORMALIZATION, &batch, "f32[1,2,3,4] f32[4] f32[4] - f32[4]",
           "f32[1, 2, 3, 4]");
    infers(WEBNN_BATCH_NORMALIZATION, &batch, "f32[1,2,3,4] f32[4] f32[2]",
           "batchNormalization: variance has shape [2], must be [4]");
    infers(WEBNN_BATCH_NORMALIZATION, NULL, "f32[3] f32[3] f32[3]",
           "batchNormalization: axis is 1, must be below the rank 1");
    infers(WEBNN_INSTANCE_NORMALIZATION, &instance, "f32[1,2,3,4] f32[4]", "f32[1, 2, 3, 4]");
    infers(WEBNN_INSTANCE_NORMALIZATION, NULL, "f32[1,2,3,4] f32[4]",
           "instanceNormalization: scale has shape [4], must be [2]");
    batch.epsilon = (double)INFINITY;
    infers(WEBNN_BATCH_NORMALIZATION, &batch, "f32[3] f32[3] f32[3]",
           "batchNormalization: epsilon is not finite");
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, infer_case_setup, infer_case_teardown)
    const struct CMUnitTest tests[] = {
        T(binary_operators_broadcast),
        T(comparisons_give_uint8),
        T(cast_has_the_type_asked_for),
        T(clamp_bounds_are_compared_exactly),
        T(where_broadcasts_all_three),
        T(transpose_permutes_and_reverses_by_default),
        T(gather_puts_the_indices_shape_in),
        T(gather_elements_has_the_shape_of_indices),
        T(nd_operators_point_at_blocks),
        T(scatter_elements_takes_updates_like_indices),
        T(reductions_drop_or_keep),
        T(arg_min_needs_an_element),
        T(concat_adds_one_axis),
        T(split_into_equal_or_given_parts),
        T(slice_counts_strides_up),
        T(pad_reflects_inside_the_input),
        T(tile_repeats),
        T(expand_is_one_way),
        T(reshape_keeps_the_number_of_elements),
        T(too_many_elements_are_refused),
        T(matmul_and_gemm),
        T(blocks_of_scale_divide_the_input),
        T(normalizations_take_lengths_of_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
