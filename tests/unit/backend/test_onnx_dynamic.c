/* Open dims: one compiled graph on many sizes, empty ones too, against the `cpu` engine, and the same bytes from
 * the model that is written out, whose nodes compute the sizes. */
#include "once.h"
#include "runtime.h"

#include "support/emitted_model.h"

#include "webnn/builder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64 }; /* of a dim */

struct scene {
    struct limits limits;
    struct diags diags;
    struct builder builder;
    dim n, m;
};

static dim named(struct scene *s, const char *name)
{
    expr_id e = 0;
    assert_ok(expr_name(s->builder.graph->exprs, span_of(name), 0, MOST, NULL, &e));
    return dim_of_expr_id(e);
}

static void scene_open(struct scene *s)
{
    limits_own(&s->limits);
    diags_init(&s->diags, NULL);
    assert_ok(builder_init(&s->builder, &s->limits, NULL, &s->diags));
    s->n = named(s, "n");
    s->m = named(s, "m");
}

static dim applied(struct scene *s, enum expr_op op, dim a, dim b)
{
    dim out = 0;
    assert_ok(dim_apply(s->builder.graph->exprs, op, a, b, &out));
    return out;
}

static operand_id input(struct scene *s, const char *name, enum dtype t, uint32_t rank,
                        const dim *dims)
{
    struct descriptor d = { .dtype = t, .rank = rank };
    operand_id id = NO_ID;
    memcpy(d.dims, dims, rank * sizeof *dims);
    assert_ok(builder_input(&s->builder, span_of(name), &d, &id));
    return id;
}

#define INPUT(s, name, t, ...)                                                    \
    input(s, name, DTYPE_##t, sizeof((const dim[]){ __VA_ARGS__ }) / sizeof(dim), \
          (const dim[]){ __VA_ARGS__ })

static operand_id op(struct scene *s, enum webnn_operator kind, const void *attributes,
                     uint32_t count, const operand_id *operands)
{
    operand_id results[4] = { NO_ID };
    uint32_t result_count = 4;
    o2w_status status = builder_op(&s->builder, kind, operands, count, attributes, SPAN(""),
                                   results, &result_count);
    if (status != O2W_OK)
        fail_msg("%s", s->diags.newest->message);
    return results[0];
}

#define OP(s, kind, attributes, ...)                                     \
    op(s, WEBNN_##kind, attributes,                                      \
       sizeof((const operand_id[]){ __VA_ARGS__ }) / sizeof(operand_id), \
       (const operand_id[]){ __VA_ARGS__ })
#define A(type, ...)                          \
    &(const struct webnn_##type##_attributes) \
    {                                         \
        __VA_ARGS__                           \
    }
#define LIST(...)                                                                        \
    {                                                                                    \
        .given = true, .count = sizeof((const int64_t[]){ __VA_ARGS__ }) / 8, .items = { \
            __VA_ARGS__                                                                  \
        }                                                                                \
    }

static void output(struct scene *s, operand_id id)
{
    assert_ok(builder_output(&s->builder, SPAN("y"), id));
}

/* Sizes of n and m in the inputs' shapes. */
static void fill_inputs(const struct graph *g, const int64_t *sizes, struct arena *a,
                        struct binding *inputs)
{
    for (size_t i = 0; i < g->inputs.count; i++) {
        input_tensor(g, i, sizes, a, &inputs[i].tensor);
        for (uint64_t k = 0; k < tensor_count(&inputs[i].tensor); k++)
            tensor_put_double(&inputs[i].tensor, k, (double)((k * 7 + i * 3) % 11) - 4);
    }
}

static void dispatch(const struct backend *backend, struct compiled *c, const struct graph *g,
                     const struct binding *inputs, struct arena *a, struct diags *d,
                     struct tensor *out)
{
    int64_t values[8];
    struct binding outputs[1];
    assert_ok(backend_bind_dims(g, inputs, values, d));
    struct tensor shape;
    assert_ok(backend_operand_shape(g, g->outputs.items[0].operand, values, &shape));
    assert_ok(tensor_new(a, shape.dtype, shape.dims, shape.rank, out));
    outputs[0].tensor = *out;
    if (backend->dispatch(c, inputs, outputs, NULL, d) != O2W_OK)
        fail_msg("%s", diags_text(d, a));
}

static void assert_close(const struct tensor *want, const struct tensor *got, const int64_t *sizes)
{
    for (uint64_t i = 0; i < tensor_count(want); i++) {
        double w = tensor_get_double(want, i), x = tensor_get_double(got, i);
        if (!(w == x || (isnan(w) && isnan(x)) || fabs(w - x) <= 1e-5 + 1e-5 * fabs(w)))
            fail_msg("n = %d, m = %d: element %d is %g, must be %g", (int)sizes[0], (int)sizes[1],
                     (int)i, x, w);
    }
}

static void same_from_the_model(struct emitted_model *m, const struct binding *inputs,
                                const struct tensor *want, const int64_t *sizes)
{
    const struct ort *o;
    struct tensor operands[4], got[1];
    for (size_t i = 0; i < m->graph->inputs.count; i++)
        operands[i] = inputs[i].tensor;
    assert_ok(ort_open(&m->diags, &o));
    if (emitted_run(m, o, operands, got) != O2W_OK)
        fail_msg("as a model: %s", diags_text(&m->diags, &m->arena));
    if (!emitted_equal(got, want))
        fail_msg("n = %d, m = %d: the model gives other bytes", (int)sizes[0], (int)sizes[1]);
}

/* Builds, compiles on both engines, and compares over several sizes. */
static void agree(struct scene *s)
{
    static const int64_t sizes[][8] = { { 3, 4 }, { 1, 1 }, { 5, 2 }, { 0, 3 },
                                        { 2, 0 }, { 3, 4 }, { 16, 7 } };
    bool alias;
    const struct backend *engines[2] = { backend_by_name(SPAN("cpu"), &alias),
                                         backend_by_name(SPAN("onnx"), &alias) };
    struct engine *opened[2] = { NULL };
    struct compiled *compiled[2] = { NULL };
    struct graph *g = NULL;
    struct emitted_model model;
    const struct backend_settings settings = { .threads = 2 };
    assert_ok(builder_build(&s->builder, &g));
    if (emitted_make(&model, g) != O2W_OK)
        fail_msg("as a model: %s", diags_text(&model.diags, &model.arena));
    for (int i = 0; i < 2; i++) {
        assert_ok(engines[i]->open(&settings, &s->diags, &opened[i]));
        if (engines[i]->compile(opened[i], g, &s->diags, &compiled[i]) != O2W_OK) {
            struct arena text;
            arena_init(&text, NULL);
            fail_msg("%s", diags_text(&s->diags, &text));
        }
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct arena a;
        struct binding inputs[4];
        struct tensor results[2];
        arena_init(&a, NULL);
        fill_inputs(g, sizes[i], &a, inputs);
        for (int k = 0; k < 2; k++)
            dispatch(engines[k], compiled[k], g, inputs, &a, &s->diags, &results[k]);
        assert_close(&results[0], &results[1], sizes[i]);
        same_from_the_model(&model, inputs, &results[1], sizes[i]);
        arena_free(&a);
    }
    for (int i = 0; i < 2; i++) {
        engines[i]->release(compiled[i]);
        engines[i]->close(opened[i]);
    }
    emitted_free(&model);
    graph_free(g);
    builder_free(&s->builder);
    diags_free(&s->diags);
}

/* Left sides below 0 tell floor from rounding toward 0. */
static void sizes_of_every_operation(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    operand_id x = INPUT(&s, "x", INT32, s.n, 1, s.m), one = INPUT(&s, "z", INT32, 1);
    dim below = applied(&s, EXPR_SUB, s.n, 20), twice = applied(&s, EXPR_MUL, s.m, 2);
    const dim shape[] = {
        applied(&s, EXPR_ADD, applied(&s, EXPR_FLOOR_DIV, below, applied(&s, EXPR_ADD, s.m, 3)),
                20),
        applied(&s, EXPR_CEIL_DIV, applied(&s, EXPR_ADD, s.n, 1), applied(&s, EXPR_ADD, s.m, 2)),
        applied(&s, EXPR_ADD, applied(&s, EXPR_MOD, below, applied(&s, EXPR_ADD, s.m, 1)), 1),
        applied(&s, EXPR_MIN, s.n, twice),
        applied(&s, EXPR_MAX, applied(&s, EXPR_SUB, s.n, 3), s.m),
    };
    operand_id first =
                   OP(&s, EXPAND, A(expand, .new_shape = LIST(shape[0], shape[1], shape[2])), one),
               second = OP(&s, EXPAND, A(expand, .new_shape = LIST(shape[3], shape[4], 2)), one);
    dim count = applied(&s, EXPR_MUL, applied(&s, EXPR_MUL, shape[0], shape[1]), shape[2]),
        more = applied(&s, EXPR_MUL, applied(&s, EXPR_MUL, shape[3], shape[4]), 2);
    output(&s,
           OP(&s, CONCAT, A(concat, .axis = 0),
              OP(&s, RESHAPE, A(reshape, .new_shape = LIST(count)), first),
              OP(&s, RESHAPE, A(reshape, .new_shape = LIST(more)), second),
              OP(&s, RESHAPE, A(reshape, .new_shape = LIST(applied(&s, EXPR_MUL, s.n, s.m))), x)));
    agree(&s);
}

static void reshape_to_a_product(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    operand_id x = INPUT(&s, "x", FLOAT32, s.n, s.m, 6);
    output(&s, OP(&s, RESHAPE, A(reshape, .new_shape = LIST(applied(&s, EXPR_MUL, s.n, s.m), 2, 3)),
                  x));
    agree(&s);
}

static void reshape_with_two_open_dims(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    operand_id x = INPUT(&s, "x", FLOAT32, s.n, s.m, 6);
    output(&s, OP(&s, RESHAPE, A(reshape, .new_shape = LIST(s.m, 2, s.n, 3)), x));
    agree(&s);
}

static void expand_of_open_dims(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    operand_id x = INPUT(&s, "x", INT32, s.n, 1), y = INPUT(&s, "v", INT32, s.m);
    operand_id wide = OP(&s, EXPAND, A(expand, .new_shape = LIST(2, s.n, s.m)), x);
    output(&s, OP(&s, ADD, NULL, wide, y));
    agree(&s);
}

static void slice_to_an_open_end(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    operand_id x = INPUT(&s, "x", FLOAT32, applied(&s, EXPR_ADD, s.n, 0), 8),
               y = INPUT(&s, "v", FLOAT32, s.m);
    operand_id both =
        OP(&s, CONCAT, A(concat, .axis = 0),
           OP(&s, SLICE,
              A(slice, .starts = LIST(0, 3), .sizes = LIST(s.n, 1), .strides = LIST(1, 1)), x),
           OP(&s, RESHAPE, A(reshape, .new_shape = LIST(s.m, 1)), y));
    operand_id tail =
        OP(&s, SLICE, A(slice, .starts = LIST(0, 0), .sizes = LIST(s.m, 1), .strides = LIST(1, 1)),
           both);
    output(&s, tail);
    agree(&s);
}

static void gather_clamps_to_an_open_dim(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    dim rows = applied(&s, EXPR_ADD, s.n, 1);
    operand_id x = INPUT(&s, "x", FLOAT32, s.n, 3), more = INPUT(&s, "z", FLOAT32, 1, 3),
               i = INPUT(&s, "i", INT32, s.m);
    operand_id table = OP(&s, CONCAT, A(concat, .axis = 0), x, more);
    (void)rows;
    output(&s, OP(&s, GATHER, A(gather, .axis = 0), table, i));
    agree(&s);
}

static void gather_nd_clamps_to_open_dims(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    operand_id x = INPUT(&s, "x", FLOAT32, s.n, s.n), one = INPUT(&s, "z", FLOAT32, 1, 1),
               i = INPUT(&s, "i", INT64, s.m, 2);
    operand_id grown =
        OP(&s, PAD, A(pad, .beginning_padding = LIST(0, 0), .ending_padding = LIST(1, 1)), x);
    output(&s, OP(&s, GATHER_ND, NULL, OP(&s, ADD, NULL, grown, one), i));
    agree(&s);
}

static void scatter_nd_last_update_wins_in_open_dims(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    operand_id x = INPUT(&s, "x", FLOAT32, s.n, 3, 2), i = INPUT(&s, "i", INT64, s.m, 2),
               u = INPUT(&s, "u", FLOAT32, s.m, 2);
    operand_id grown =
        OP(&s, PAD, A(pad, .beginning_padding = LIST(0, 0, 0), .ending_padding = LIST(1, 0, 0)), x);
    output(&s, OP(&s, SCATTER_ND, NULL, grown, i, u));
    agree(&s);
}

static void mean_over_nothing_is_nan(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    operand_id x = INPUT(&s, "x", FLOAT32, s.n, s.m);
    output(&s, OP(&s, REDUCE_MEAN, A(reduce, .axes = LIST(1)), x));
    agree(&s);
}

static void layer_normalization_over_an_open_dim(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    operand_id x = INPUT(&s, "x", FLOAT32, s.n, s.m);
    output(&s, OP(&s, LAYER_NORMALIZATION, A(layer_normalization, .axes = LIST(1), .epsilon = 1e-3),
                  x));
    agree(&s);
}

static void pooling_over_open_dims(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    dim h = applied(&s, EXPR_ADD, s.n, 0);
    operand_id x = INPUT(&s, "x", FLOAT32, 1, 2, h, s.m);
    operand_id grown =
        OP(&s, PAD,
           A(pad, .beginning_padding = LIST(0, 0, 2, 2), .ending_padding = LIST(0, 0, 1, 1)), x);
    output(&s, OP(&s, MAX_POOL2D,
                  A(pool2d, .window_dimensions = LIST(2, 3), .padding = LIST(0, 0, 0, 0),
                    .strides = LIST(2, 1), .dilations = LIST(1, 1)),
                  grown));
    agree(&s);
}

static void pooling_rounds_up_over_open_dims(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    operand_id x = INPUT(&s, "x", FLOAT32, 1, 2, s.n, s.m);
    operand_id grown =
        OP(&s, PAD,
           A(pad, .beginning_padding = LIST(0, 0, 2, 2), .ending_padding = LIST(0, 0, 1, 1)), x);
    output(&s, OP(&s, AVERAGE_POOL2D,
                  A(pool2d, .window_dimensions = LIST(2, 3), .padding = LIST(0, 0, 0, 0),
                    .strides = LIST(2, 3), .dilations = LIST(1, 1),
                    .output_shape_rounding = WEBNN_ROUNDING_CEIL),
                  grown));
    agree(&s);
}

static void resampling_of_open_dims(void **state)
{
    (void)state;
    static const enum webnn_interpolation modes[] = { WEBNN_INTERPOLATION_NEAREST_NEIGHBOR,
                                                      WEBNN_INTERPOLATION_LINEAR };
    for (int i = 0; i < 2; i++) {
        struct scene s;
        scene_open(&s);
        operand_id x = INPUT(&s, "x", FLOAT32, 1, 1, s.n, s.m);
        operand_id grown =
            OP(&s, PAD,
               A(pad, .beginning_padding = LIST(0, 0, 1, 1), .ending_padding = LIST(0, 0, 1, 1),
                 .mode = WEBNN_PADDING_MODE_CONSTANT),
               x);
        output(&s, OP(&s, RESAMPLE2D,
                      A(resample2d, .mode = modes[i],
                        .scales = { .given = true, .count = 2, .items = { 1.5, 0.75 } },
                        .axes = LIST(2, 3)),
                      grown));
        agree(&s);
    }
}

static void initial_states_of_an_open_batch_are_zero(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    dim batch = applied(&s, EXPR_ADD, s.n, 0);
    operand_id x = INPUT(&s, "x", FLOAT32, 3, batch, 2), w = INPUT(&s, "w", FLOAT32, 1, 8, 2),
               r = INPUT(&s, "r", FLOAT32, 1, 8, 2), p = INPUT(&s, "p", FLOAT32, 1, 6);
    output(&s, OP(&s, LSTM,
                  A(lstm, .steps = 3, .hidden_size = 2,
                    .activations = LIST(WEBNN_ACTIVATION_SIGMOID, WEBNN_ACTIVATION_TANH,
                                        WEBNN_ACTIVATION_TANH)),
                  x, w, r, NO_ID, NO_ID, p));
    agree(&s);
}

static void truth_moves_without_casts_and_comes_out_as_bytes(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    operand_id x = INPUT(&s, "x", FLOAT32, s.n, s.m), zero = INPUT(&s, "z", FLOAT32, 1, 1);
    operand_id above = OP(&s, GREATER, NULL, x, zero);
    operand_id flat = OP(&s, TRANSPOSE, A(transpose, .permutation = LIST(1, 0)), above);
    operand_id chosen = OP(&s, WHERE, NULL, above, x, zero);
    operand_id sums = OP(&s, CAST, A(cast, .to = WEBNN_FLOAT32), flat);
    output(&s, OP(&s, ADD, NULL, chosen,
                  OP(&s, TRANSPOSE, A(transpose, .permutation = LIST(1, 0)), sums)));
    agree(&s);
}

#define TEST(name) cmocka_unit_test_setup(name, need_runtime)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sizes_of_every_operation),
        TEST(reshape_to_a_product),
        TEST(reshape_with_two_open_dims),
        TEST(expand_of_open_dims),
        TEST(slice_to_an_open_end),
        TEST(gather_clamps_to_an_open_dim),
        TEST(gather_nd_clamps_to_open_dims),
        TEST(scatter_nd_last_update_wins_in_open_dims),
        TEST(mean_over_nothing_is_nan),
        TEST(layer_normalization_over_an_open_dim),
        TEST(pooling_over_open_dims),
        TEST(pooling_rounds_up_over_open_dims),
        TEST(resampling_of_open_dims),
        TEST(initial_states_of_an_open_batch_are_zero),
        TEST(truth_moves_without_casts_and_comes_out_as_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
