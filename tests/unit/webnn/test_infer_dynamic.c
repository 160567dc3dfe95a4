/* Open dimensions: every rule works on expressions, and what cannot be decided is a constraint. */
#include "unit/webnn/infer_case.h"

#define LIST(...)                                                                                  \
    {                                                                                              \
        .given = true, .count = sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), .items = { \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static dim name_of(struct infer_case *c, const char *name)
{
    return parse_dim(c, &name);
}

static void equal_names_agree(void **state)
{
    infers(WEBNN_ADD, NULL, "f32[n,3] f32[n,1]", "f32[n, 3]");
    infers(WEBNN_MATMUL, NULL, "f32[b,m,k] f32[b,k,n]", "f32[b, m, n]");
}

static void one_gives_way(void **state)
{
    infers(WEBNN_ADD, NULL, "f32[1] f32[n]", "f32[n]");
    infers(WEBNN_ADD, NULL, "f32[n] f32[]", "f32[n]");
}

static void undecided_pairs_are_constraints(void **state)
{
    infers(WEBNN_ADD, NULL, "f32[n] f32[5]", "f32[5], n = 5");
    infers(WEBNN_ADD, NULL, "f32[a] f32[b]", "f32[a], a = b");
    infers(WEBNN_MATMUL, NULL, "f32[2,k] f32[7,3]", "f32[2, 3], 7 = k");
    infers(WEBNN_ADD, NULL, "f32[n] f32[1001]", "add: shapes [n] and [1001] do not broadcast");
}

static void concat_adds_names(void **state)
{
    struct webnn_concat_attributes p = { .axis = 0 };
    infers(WEBNN_CONCAT, &p, "f32[p,4] f32[s,4] f32[2,4]", "f32[p + s + 2, 4]");
    infers(WEBNN_CONCAT, &p, "f32[p,n] f32[s,4]", "f32[p + s, 4], 4 = n");
}

static void slice_pad_tile_compute(void **state)
{
    struct infer_case *c = *state;
    struct webnn_slice_attributes slice = { .starts = LIST(1),
                                            .sizes = { .given = true, .count = 1 } };
    struct webnn_pad_attributes pad = webnn_pad_defaults();
    struct webnn_tile_attributes tile = { .repetitions = LIST(3) };
    assert_ok(dim_apply(c->exprs, EXPR_SUB, name_of(c, "n"), 1, &slice.sizes.items[0]));
    infers(WEBNN_SLICE, &slice, "f32[n]", "f32[n - 1]");
    slice.strides = (struct webnn_u32s)LIST(2);
    infers(WEBNN_SLICE, &slice, "f32[n]", "f32[floor(n / 2)]");
    slice.starts.items[0] = 2;
    infers(WEBNN_SLICE, &slice, "f32[n]",
           "slice: starts[0] + sizes[0] is n + 1, must be at most input.shape[0] = n");
    pad.beginning_padding = (struct webnn_u32s)LIST(1);
    pad.ending_padding = (struct webnn_u32s)LIST(2);
    infers(WEBNN_PAD, &pad, "f32[n]", "f32[n + 3]");
    infers(WEBNN_TILE, &tile, "f32[n]", "f32[3 * n]");
}

static void reshape_compares_products(void **state)
{
    struct infer_case *c = *state;
    struct webnn_reshape_attributes p = { .new_shape = { .given = true, .count = 2 } };
    dim b = name_of(c, "b"), s = name_of(c, "s");
    assert_ok(dim_apply(c->exprs, EXPR_MUL, b, s, &p.new_shape.items[0]));
    p.new_shape.items[1] = 4;
    infers(WEBNN_RESHAPE, &p, "f32[s,b,2,2]", "f32[b * s, 4]");
    p.new_shape.items[0] = 6;
    infers(WEBNN_RESHAPE, &p, "f32[n,4]", "f32[6, 4], 24 = 4 * n");
}

static void equal_split_needs_no_remainder(void **state)
{
    struct webnn_split_attributes p = { .splits = { .equal = true, .count = 2 } };
    infers(WEBNN_SPLIT, &p, "f32[n]", "f32[floor(n / 2)] f32[floor(n / 2)], mod(n, 2) = 0");
    const uint32_t sizes[] = { 1, 2 };
    p.splits = (struct webnn_splits){ .count = 2, .items = sizes };
    infers(WEBNN_SPLIT, &p, "f32[n]", "f32[1] f32[2], 3 = n");
}

static void windows_compute(void **state)
{
    struct webnn_pool2d_attributes p = webnn_max_pool2d_defaults();
    p.window_dimensions = (struct webnn_u32s)LIST(2, 2);
    p.strides = (struct webnn_u32s)LIST(2, 1);
    infers(WEBNN_MAX_POOL2D, &p, "f32[1,1,h,w]", "f32[1, 1, floor(h / 2), w - 1]");
    infers(WEBNN_CONV2D, NULL, "f32[b,3,h,8] f32[4,3,3,3]", "f32[b, 4, h - 2, 6]");
    infers(WEBNN_CONV2D, NULL, "f32[b,c,8,8] f32[4,3,3,3]", "f32[b, 4, 6, 6], c = 3");
    infers(WEBNN_CONV_TRANSPOSE2D, NULL, "f32[b,3,h,8] f32[3,4,3,3]", "f32[b, 4, h + 2, 10]");
}

static void whole_plane_pool_of_an_open_plane_is_one(void **state)
{
    const struct webnn_pool2d_attributes *resolved =
        (const void *)((struct infer_case *)*state)->scratch;
    infers(WEBNN_AVERAGE_POOL2D, NULL, "f32[1,3,h,w]", "f32[1, 3, 1, 1]");
    assert_false(resolved->window_dimensions.given);
}

static void pool_output_sizes_need_numbers(void **state)
{
    struct webnn_pool2d_attributes p = webnn_max_pool2d_defaults();
    p.window_dimensions = (struct webnn_u32s)LIST(2, 2);
    p.output_sizes = (struct webnn_u32s)LIST(4, 4);
    infers(WEBNN_MAX_POOL2D, &p, "f32[1,1,h,5]", "f32[1, 1, 4, 4], 4 = h - 1");
    p.strides = (struct webnn_u32s)LIST(2, 1);
    infers(WEBNN_MAX_POOL2D, &p, "f32[1,1,h,5]",
           "maxPool2d: input.shape[2] is 'h', must be a number");
    assert_non_null(((struct infer_case *)*state)->diags.newest->hint);
}

static void scales_become_fractions(void **state)
{
    struct webnn_resample2d_attributes p = webnn_resample2d_defaults();
    p.scales = (struct webnn_doubles){ .given = true, .count = 2, .items = { 2, 0.75 } };
    infers(WEBNN_RESAMPLE2D, &p, "f32[1,1,h,w]", "f32[1, 1, 2 * h, floor(3 * w / 4)]");
    p.scales.items[0] = 1e30;
    infers(WEBNN_RESAMPLE2D, &p, "f32[1,1,h,w]",
           "resample2d: scale 1e+30 is too far from 1 for an open dimension");
}

static void numbers_where_numbers_are_needed(void **state)
{
    infers(WEBNN_CONV2D, NULL, "f32[1,3,8,8] f32[4,3,k,3]",
           "conv2d: filter.shape[2] is 'k', must be a number");
    infers(WEBNN_GATHER_ND, NULL, "f32[2,3] i32[5,k]",
           "gatherND: indices.shape[1] is 'k', must be a number");
}

static void blocks_of_open_dims(void **state)
{
    infers(WEBNN_DEQUANTIZE_LINEAR, NULL, "i8[n,4] f32[1,4] i8[1,4]", "f32[n, 4]");
    infers(WEBNN_DEQUANTIZE_LINEAR, NULL, "i8[n] f32[n] i8[n]", "f32[n]");
    infers(WEBNN_DEQUANTIZE_LINEAR, NULL, "i8[n] f32[3] i8[3]", "f32[n], mod(n, 3) = 0");
}

static void recurrent_batch_may_be_open(void **state)
{
    struct webnn_gru_attributes p = webnn_gru_defaults();
    p.steps = 4;
    p.hidden_size = 2;
    infers(WEBNN_GRU, &p, "f32[4,b,5] f32[1,6,5] f32[1,6,2] - - f32[1,b,2]", "f32[1, b, 2]");
    infers(WEBNN_GRU, &p, "f32[s,b,5] f32[1,6,5] f32[1,6,2]", "f32[1, b, 2], s = 4");
}

static void limits_may_refuse_open_dims(void **state)
{
    struct infer_case *c = *state;
    c->limits.dynamic_dims = false;
    infers(WEBNN_RELU, NULL, "f32[n]",
           "relu: output.shape[0] is open, onnx2webnn allows numbers only");
    assert_int_equal(c->status, O2W_UNSUPPORTED);
}

static void arg_max_over_an_open_axis(void **state)
{
    infers(WEBNN_ARG_MAX, &(struct webnn_arg_min_max_attributes){ .output_data_type = WEBNN_INT32 },
           "f32[n,2]", "i32[2]");
}

/* Every allocation fails once; nothing is left behind. */
static o2w_status infer_with(const o2w_allocator *allocator, void *user)
{
    struct exprs *exprs = NULL;
    struct limits *limits = user;
    expr_id n, m;
    o2w_status status = exprs_create(allocator, &exprs);
    if (status == O2W_OK)
        status = expr_name(exprs, SPAN("n"), 0, 9, NULL, &n);
    if (status == O2W_OK)
        status = expr_name(exprs, SPAN("m"), 0, 9, NULL, &m);
    if (status == O2W_OK) {
        const struct descriptor a = { .dtype = DTYPE_FLOAT32,
                                      .rank = 1,
                                      .dims = { dim_of_expr_id(n) } };
        const struct descriptor b = { .dtype = DTYPE_FLOAT32,
                                      .rank = 1,
                                      .dims = { dim_of_expr_id(m) } };
        const struct descriptor *operands[] = { &a, &b };
        struct descriptor result;
        struct infer in = { .kind = WEBNN_ADD,
                            .limits = limits,
                            .exprs = exprs,
                            .operands = operands,
                            .operand_count = 2,
                            .results = &result,
                            .result_capacity = 1,
                            .constraints = { .allocator = allocator } };
        status = infer_operator(&in, NULL);
        VEC_FREE(&in.constraints);
    }
    exprs_free(exprs);
    return status;
}

static void running_out_of_memory_is_said(void **state)
{
    assert_true(sweep_allocations(infer_with, &((struct infer_case *)*state)->limits) > 2);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, infer_case_setup, infer_case_teardown)
    const struct CMUnitTest tests[] = {
        T(equal_names_agree),
        T(one_gives_way),
        T(undecided_pairs_are_constraints),
        T(concat_adds_names),
        T(slice_pad_tile_compute),
        T(reshape_compares_products),
        T(equal_split_needs_no_remainder),
        T(windows_compute),
        T(whole_plane_pool_of_an_open_plane_is_one),
        T(pool_output_sizes_need_numbers),
        T(scales_become_fractions),
        T(numbers_where_numbers_are_needed),
        T(blocks_of_open_dims),
        T(recurrent_batch_may_be_open),
        T(limits_may_refuse_open_dims),
        T(arg_max_over_an_open_axis),
        T(running_out_of_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
