/* Convolutions, pools, resampling, recurrent operators. */
#include "unit/webnn/infer_case.h"

#define LIST(...)                                                                                  \
    {                                                                                              \
        .given = true, .count = sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), .items = { \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static void conv2d_slides_a_dilated_window(void **state)
{
    struct webnn_conv2d_attributes p = webnn_conv2d_defaults();
    infers(WEBNN_CONV2D, NULL, "f32[1,2,5,5] f32[7,2,3,2] f32[7]", "f32[1, 7, 3, 4]");
    p.padding = (struct webnn_u32s)LIST(1, 2, 0, 3);
    p.strides = (struct webnn_u32s)LIST(2, 3);
    p.dilations = (struct webnn_u32s)LIST(2, 1);
    infers(WEBNN_CONV2D, &p, "f32[1,2,5,5] f32[7,2,3,2]", "f32[1, 7, 2, 3]");
    infers(WEBNN_CONV2D, &p, "f32[0,2,5,5] f32[7,2,3,2]", "f32[0, 7, 2, 3]");
    infers(WEBNN_CONV2D, NULL, "f32[1,2,2,5] f32[7,2,3,2]",
           "conv2d: the padded input's height is 2, the window needs 3");
    infers(WEBNN_CONV2D, NULL, "f32[1,2,5,5] f32[7,2,0,2]",
           "conv2d: the window's height is 0, must be at least 1");
    p.strides.items[1] = 0;
    infers(WEBNN_CONV2D, &p, "f32[1,2,5,5] f32[7,2,3,2]",
           "conv2d: strides[1] is 0, must be at least 1");
    p.padding.count = 2;
    infers(WEBNN_CONV2D, &p, "f32[1,2,5,5] f32[7,2,3,2]",
           "conv2d: padding has 2 values, must have 4");
}

static void conv2d_channels_fit_the_groups(void **state)
{
    struct webnn_conv2d_attributes p = webnn_conv2d_defaults();
    p.groups = 2;
    infers(WEBNN_CONV2D, &p, "f32[1,8,5,5] f32[6,4,1,1]", "f32[1, 6, 5, 5]");
    infers(WEBNN_CONV2D, &p, "f32[1,8,5,5] f32[6,3,1,1]",
           "conv2d: filter.shape[1] is 3, must be input channels / groups = 4");
    infers(WEBNN_CONV2D, &p, "f32[1,7,5,5] f32[6,3,1,1]",
           "conv2d: input channels are 7, must be a multiple of groups = 2");
    infers(WEBNN_CONV2D, &p, "f32[1,8,5,5] f32[5,4,1,1]",
           "conv2d: output channels are 5, must be a multiple of groups = 2");
    infers(WEBNN_CONV2D, &p, "f32[1,8,5,5] f32[6,4,1,1] f32[5]",
           "conv2d: bias has shape [5], must be [6]");
    p.groups = 0;
    infers(WEBNN_CONV2D, &p, "f32[1,8,5,5] f32[6,4,1,1]",
           "conv2d: groups is 0, must be at least 1");
}

static void conv2d_layouts(void **state)
{
    struct webnn_conv2d_attributes p = webnn_conv2d_defaults();
    p.input_layout = WEBNN_INPUT_LAYOUT_NHWC;
    p.filter_layout = WEBNN_CONV2D_FILTER_LAYOUT_HWIO;
    infers(WEBNN_CONV2D, &p, "f32[1,5,6,2] f32[2,3,2,7]", "f32[1, 4, 4, 7]");
    p.filter_layout = WEBNN_CONV2D_FILTER_LAYOUT_OHWI;
    infers(WEBNN_CONV2D, &p, "f32[1,5,6,2] f32[7,2,3,2]", "f32[1, 4, 4, 7]");
    p.filter_layout = WEBNN_CONV2D_FILTER_LAYOUT_IHWO;
    infers(WEBNN_CONV2D, &p, "f32[1,5,6,2] f32[2,2,3,7]", "f32[1, 4, 4, 7]");
    p.input_layout = WEBNN_INPUT_LAYOUT_NCHW;
    infers(WEBNN_CONV2D, &p, "f32[1,2,5,6] f32[2,2,3,7]", "f32[1, 7, 4, 4]");
}

static void conv_transpose2d_undoes_a_convolution(void **state)
{
    struct webnn_conv_transpose2d_attributes p = webnn_conv_transpose2d_defaults();
    infers(WEBNN_CONV_TRANSPOSE2D, NULL, "f32[1,2,3,3] f32[2,5,3,2]", "f32[1, 5, 5, 4]");
    p.strides = (struct webnn_u32s)LIST(2, 3);
    p.padding = (struct webnn_u32s)LIST(1, 0, 0, 1);
    p.output_padding = (struct webnn_u32s)LIST(1, 2);
    p.groups = 2;
    infers(WEBNN_CONV_TRANSPOSE2D, &p, "f32[1,2,3,3] f32[2,5,3,2] f32[10]", "f32[1, 10, 7, 9]");
    p.output_padding.items[0] = 2;
    infers(WEBNN_CONV_TRANSPOSE2D, &p, "f32[1,2,3,3] f32[2,5,3,2]",
           "convTranspose2d: outputPadding[0] is 2, must be below strides[0] = 2");
    infers(WEBNN_CONV_TRANSPOSE2D, NULL, "f32[1,4,3,3] f32[2,5,3,2]",
           "convTranspose2d: input.shape[1] is 4, must be the filter's input channels = 2");
    p.groups = 3;
    p.output_padding.items[0] = 0;
    infers(WEBNN_CONV_TRANSPOSE2D, &p, "f32[1,4,3,3] f32[4,5,3,2]",
           "convTranspose2d: input channels are 4, must be a multiple of groups = 3");
    p.padding = (struct webnn_u32s)LIST(9, 9, 0, 0);
    p.groups = 1;
    infers(WEBNN_CONV_TRANSPOSE2D, &p, "f32[1,4,3,3] f32[4,5,3,2]",
           "convTranspose2d: the output's height is below 0: padding 9 and 9 is too large");
}

static void output_sizes_lie_within_one_stride(void **state)
{
    struct infer_case *c = *state;
    struct webnn_conv_transpose2d_attributes p = webnn_conv_transpose2d_defaults();
    const struct webnn_conv_transpose2d_attributes *resolved = (const void *)c->scratch;
    p.strides = (struct webnn_u32s)LIST(2, 2);
    p.output_sizes = (struct webnn_u32s)LIST(8, 7);
    p.output_padding = (struct webnn_u32s)LIST(5, 5);
    infers(WEBNN_CONV_TRANSPOSE2D, &p, "f32[1,1,3,3] f32[1,1,3,3]", "f32[1, 1, 8, 7]");
    assert_int_equal(resolved->output_padding.items[0], 0);
    p.output_sizes.items[0] = 9;
    infers(WEBNN_CONV_TRANSPOSE2D, &p, "f32[1,1,3,3] f32[1,1,3,3]",
           "convTranspose2d: outputSizes[0] (height) is 9, must be 7…8");
    p.output_sizes.items[0] = 6;
    infers(WEBNN_CONV_TRANSPOSE2D, &p, "f32[1,1,3,3] f32[1,1,3,3]",
           "convTranspose2d: outputSizes[0] (height) is 6, must be 7…8");
}

static void pools_round_as_asked(void **state)
{
    struct webnn_pool2d_attributes p = webnn_max_pool2d_defaults();
    p.window_dimensions = (struct webnn_u32s)LIST(2, 2);
    p.strides = (struct webnn_u32s)LIST(2, 2);
    infers(WEBNN_MAX_POOL2D, &p, "i8[1,3,5,6]", "i8[1, 3, 2, 3]");
    p.output_shape_rounding = WEBNN_ROUNDING_CEIL;
    infers(WEBNN_MAX_POOL2D, &p, "i8[1,3,5,6]", "i8[1, 3, 3, 3]");
    p.layout = WEBNN_INPUT_LAYOUT_NHWC;
    p.padding = (struct webnn_u32s)LIST(1, 0, 2, 3);
    infers(WEBNN_AVERAGE_POOL2D, &p, "f32[1,5,6,3]", "f32[1, 3, 6, 3]");
    infers(WEBNN_AVERAGE_POOL2D, &p, "i8[1,5,6,3]",
           "averagePool2d: input is int8, must be float32 or float16");
    infers(WEBNN_L2_POOL2D, NULL, "f32[1,3,5,6]", "f32[1, 3, 1, 1]");
}

static void pool_output_sizes_are_one_of_two_pairs(void **state)
{
    struct webnn_pool2d_attributes p = webnn_max_pool2d_defaults();
    p.window_dimensions = (struct webnn_u32s)LIST(3, 3);
    p.strides = (struct webnn_u32s)LIST(2, 2);
    p.padding = (struct webnn_u32s)LIST(1, 0, 0, 1);
    p.output_sizes = (struct webnn_u32s)LIST(3, 3);
    infers(WEBNN_MAX_POOL2D, &p, "f32[1,2,5,5]", "f32[1, 2, 3, 3]");
    p.output_sizes = (struct webnn_u32s)LIST(2, 2);
    p.output_shape_rounding = WEBNN_ROUNDING_CEIL;
    infers(WEBNN_MAX_POOL2D, &p, "f32[1,2,5,5]", "f32[1, 2, 2, 2]");
    p.output_sizes = (struct webnn_u32s)LIST(2, 3);
    infers(WEBNN_MAX_POOL2D, &p, "f32[1,2,5,5]",
           "maxPool2d: outputSizes is [2, 3], must be [2, 2] or [3, 3]");
}

static void pool_window_is_the_plane_by_default(void **state)
{
    const struct webnn_pool2d_attributes *resolved =
        (const void *)((struct infer_case *)*state)->scratch;
    infers(WEBNN_AVERAGE_POOL2D, NULL, "f32[1,3,5,6]", "f32[1, 3, 1, 1]");
    assert_true(resolved->window_dimensions.given);
    assert_int_equal(resolved->window_dimensions.items[0], 5);
    assert_int_equal(resolved->window_dimensions.items[1], 6);
}

static void resample_sizes_win_over_scales(void **state)
{
    struct infer_case *c = *state;
    const struct webnn_resample2d_attributes *resolved = (const void *)c->scratch;
    struct webnn_resample2d_attributes p = webnn_resample2d_defaults();
    infers(WEBNN_RESAMPLE2D, NULL, "f32[1,2,3,4]", "f32[1, 2, 3, 4]");
    assert_true(resolved->scales.given && !resolved->sizes.given);
    p.scales = (struct webnn_doubles){ .given = true, .count = 2, .items = { 2, 0.5 } };
    p.axes = (struct webnn_u32s)LIST(3, 1);
    infers(WEBNN_RESAMPLE2D, &p, "u8[1,2,3,4]", "u8[1, 1, 3, 8]");
    p.sizes = (struct webnn_u32s)LIST(9, 7);
    infers(WEBNN_RESAMPLE2D, &p, "f32[1,2,3,4]", "f32[1, 7, 3, 9]");
    assert_true(!resolved->scales.given && resolved->sizes.given);
    p.scales.items[1] = 0;
    infers(WEBNN_RESAMPLE2D, &p, "f32[1,2,3,4]",
           "resample2d: scales[1] is 0, must be a float32 above 0");
    p.scales.given = false;
    p.axes.items[0] = 1;
    infers(WEBNN_RESAMPLE2D, &p, "f32[1,2,3,4]", "resample2d: axes names 1 twice");
    p.axes.count = 3;
    infers(WEBNN_RESAMPLE2D, &p, "f32[1,2,3,4]", "resample2d: axes has 3 values, must have 2");
}

/* 0.7 is 0.699999988 as a float32: of 10 there are 6 left, not 7. */
static void scales_are_float32(void **state)
{
    struct webnn_resample2d_attributes p = webnn_resample2d_defaults();
    p.scales = (struct webnn_doubles){ .given = true, .count = 2, .items = { 0.7, 1 } };
    infers(WEBNN_RESAMPLE2D, &p, "f32[1,1,10,1]", "f32[1, 1, 6, 1]");
    p.scales.items[0] = 4294967295.0;
    infers(WEBNN_RESAMPLE2D, &p, "f32[1,1,4,1]",
           "resample2d: the result's dimension 17179869184 is above 2147483647");
    infers(WEBNN_RESAMPLE2D, &p, "f32[1,1,0,1]", "f32[1, 1, 0, 1]");
}

static void gru_shapes(void **state)
{
    struct webnn_gru_attributes p = webnn_gru_defaults();
    p.steps = 4;
    p.hidden_size = 2;
    infers(WEBNN_GRU, &p, "f32[4,3,5] f32[1,6,5] f32[1,6,2]", "f32[1, 3, 2]");
    p.return_sequence = true;
    p.direction = WEBNN_DIRECTION_BOTH;
    infers(WEBNN_GRU, &p, "f16[4,3,5] f16[2,6,5] f16[2,6,2] f16[2,6] f16[2,6] f16[2,3,2]",
           "f16[2, 3, 2] f16[4, 2, 3, 2]");
    infers(WEBNN_GRU, &p, "f32[4,3,5] f32[1,6,5] f32[2,6,2]",
           "gru: weight has shape [1, 6, 5], must be [2, 6, 5]");
    infers(WEBNN_GRU, &p, "f32[5,3,5] f32[2,6,5] f32[2,6,2]",
           "gru: input.shape[0] is 5, must be steps = 4");
    p.steps = 0;
    infers(WEBNN_GRU, &p, "f32[0,3,5] f32[2,6,5] f32[2,6,2]",
           "gru: steps is 0, must be at least 1");
    p.steps = 4;
    p.hidden_size = 0;
    infers(WEBNN_GRU, &p, "f32[4,3,5] f32[2,6,5] f32[2,6,2]",
           "gru: hiddenSize is 0, must be at least 1");
    p.hidden_size = 357913942;
    infers(WEBNN_GRU, &p, "f32[4,3,5] f32[2,6,5] f32[2,6,2]",
           "gru: hiddenSize is 357913942, must be at most 357913941");
    p.hidden_size = 2;
    p.activations.count = 3;
    infers(WEBNN_GRU, &p, "f32[4,3,5] f32[2,6,5] f32[2,6,2]",
           "gru: activations has 3 values, must have 2");
    infers(WEBNN_GRU, NULL, "f32[4,3,5] f32[2,6,5] f32[2,6,2]", "gru: hiddenSize is missing");
}

static void lstm_shapes(void **state)
{
    struct webnn_lstm_attributes p = webnn_lstm_defaults();
    struct webnn_lstm_cell_attributes cell = webnn_lstm_cell_defaults();
    struct webnn_gru_cell_attributes gru = webnn_gru_cell_defaults();
    p.steps = 4;
    p.hidden_size = cell.hidden_size = gru.hidden_size = 2;
    p.return_sequence = true;
    infers(WEBNN_LSTM, &p,
           "f32[4,3,5] f32[1,8,5] f32[1,8,2] f32[1,8] f32[1,8] f32[1,6] f32[1,3,2] f32[1,3,2]",
           "f32[1, 3, 2] f32[1, 3, 2] f32[4, 1, 3, 2]");
    infers(WEBNN_LSTM, &p, "f32[4,3,5] f32[1,8,5] f32[1,8,2] - - f32[1,8]",
           "lstm: peepholeWeight has shape [1, 8], must be [1, 6]");
    infers(WEBNN_LSTM_CELL, &cell,
           "f32[3,5] f32[8,5] f32[8,2] f32[3,2] f32[3,2] f32[8] f32[8] f32[6]",
           "f32[3, 2] f32[3, 2]");
    infers(WEBNN_LSTM_CELL, &cell, "f32[3,5] f32[8,5] f32[8,2] f32[3,2] f32[1,2]",
           "lstmCell: cellState has shape [1, 2], must be [3, 2]");
    infers(WEBNN_GRU_CELL, &gru, "f32[3,5] f32[6,5] f32[6,2] f32[3,2] f32[6] f32[6]", "f32[3, 2]");
    infers(WEBNN_GRU_CELL, &gru, "f32[3,5] f32[6,5] f32[6,2] f32[3,2] f32[8]",
           "gruCell: bias has shape [8], must be [6]");
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, infer_case_setup, infer_case_teardown)
    const struct CMUnitTest tests[] = {
        T(conv2d_slides_a_dilated_window),
        T(conv2d_channels_fit_the_groups),
        T(conv2d_layouts),
        T(conv_transpose2d_undoes_a_convolution),
        T(output_sizes_lie_within_one_stride),
        T(pools_round_as_asked),
        T(pool_output_sizes_are_one_of_two_pairs),
        T(pool_window_is_the_plane_by_default),
        T(resample_sizes_win_over_scales),
        T(scales_are_float32),
        T(gru_shapes),
        T(lstm_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
