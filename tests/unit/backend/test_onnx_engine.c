/* The engine `onnx` itself: options, sharing, borrowed constants, cancelling, what it says. */
#include "runtime.h"

#include "base/file.h"
#include "webnn/builder.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct scene {
    struct limits limits;
    struct diags diags;
    struct builder builder;
    struct graph *graph;
    struct engine *engine;
    struct compiled *compiled;
};

static const struct backend *onnx(void)
{
    bool alias;
    return backend_by_name(SPAN("onnx"), &alias);
}

static void scene_open(struct scene *s)
{
    *s = (struct scene){ 0 };
    onnx()->limits(&s->limits);
    diags_init(&s->diags, NULL);
    assert_ok(builder_init(&s->builder, &s->limits, NULL, &s->diags));
}

static void scene_compile(struct scene *s, const struct backend_settings *settings)
{
    assert_ok(builder_build(&s->builder, &s->graph));
    assert_ok(onnx()->open(settings, &s->diags, &s->engine));
    if (onnx()->compile(s->engine, s->graph, &s->diags, &s->compiled) != O2W_OK)
        fail_msg("%s",
                 s->diags.newest->lines ? s->diags.newest->lines->text : s->diags.newest->message);
}

static void scene_close(struct scene *s)
{
    onnx()->release(s->compiled);
    if (s->engine)
        onnx()->close(s->engine);
    graph_free(s->graph);
    builder_free(&s->builder);
    diags_free(&s->diags);
}

static operand_id input(struct scene *s, const char *name, enum dtype t, int64_t count)
{
    const struct descriptor d = { .dtype = t, .rank = 1, .dims = { count } };
    operand_id id = NO_ID;
    assert_ok(builder_input(&s->builder, span_of(name), &d, &id));
    return id;
}

static operand_id op(struct scene *s, enum webnn_operator kind, const void *attributes,
                     operand_id a, operand_id b)
{
    const operand_id operands[2] = { a, b };
    operand_id result = NO_ID;
    uint32_t count = 1;
    assert_ok(builder_op(&s->builder, kind, operands, b == NO_ID ? 1 : 2, attributes, SPAN("here"),
                         &result, &count));
    return result;
}

static struct binding bound(enum dtype t, int64_t count, void *data)
{
    return (struct binding){ { .dtype = t, .rank = 1, .dims = { count }, .data = data } };
}

static void every_operator_is_within_the_limits(void **state)
{
    (void)state;
    static struct limits own, mine;
    limits_own(&own);
    onnx()->limits(&mine);
    assert_string_equal(mine.name, "onnx");
    for (uint32_t i = 0; i < WEBNN_OPERATOR_COUNT; i++)
        assert_int_equal(mine.refused[i], own.refused[i]);
    assert_int_equal(mine.min_dimension, 0);
    assert_true(mine.dynamic_dims);
}

static void wrong_options_name_what_is_allowed(void **state)
{
    (void)state;
    static const struct {
        struct backend_option option;
        const char *message;
    } wrong[] = {
        { { "speed", "all" }, "onnx: unknown option 'speed'" },
        { { "optimization", "fast" },
          "onnx: option 'optimization' is 'fast', must be one of none|basic|extended|all" },
        { { "prepack", "" }, "onnx: option 'prepack' is '', must be one of auto|on|off" },
        { { "accuracy", "5" }, "onnx: option 'accuracy' is '5', must be one of 0|1|2|3|4" },
        { { "accuracy", "0|1" }, "onnx: option 'accuracy' is '0|1', must be one of 0|1|2|3|4" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct diags d;
        struct engine *e = NULL;
        const struct backend_settings settings = { .options = &wrong[i].option, .option_count = 1 };
        diags_init(&d, NULL);
        assert_status(onnx()->open(&settings, &d, &e), O2W_INVALID_ARGUMENT);
        assert_null(e);
        assert_int_equal(d.first->code, DIAG_BACKEND_OPTION);
        assert_string_equal(d.first->message, wrong[i].message);
        diags_free(&d);
    }
}

static void every_option_value_works(void **state)
{
    (void)state;
    for (size_t i = 0; i < onnx()->option_count; i++) {
        char values[64];
        snprintf(values, sizeof values, "%s", onnx()->options[i].values);
        for (char *save, *value = strtok_r(values, "|", &save); value;
             value = strtok_r(NULL, "|", &save)) {
            const struct backend_option option = { onnx()->options[i].key, value };
            struct scene s;
            float x[2] = { 3, -4 }, y[2] = { 0 };
            struct binding in = bound(DTYPE_FLOAT32, 2, x), out = bound(DTYPE_FLOAT32, 2, y);
            scene_open(&s);
            operand_id a = input(&s, "x", DTYPE_FLOAT32, 2);
            assert_ok(builder_output(&s.builder, SPAN("y"), op(&s, WEBNN_MUL, NULL, a, a)));
            scene_compile(&s, &(struct backend_settings){
                                  .options = &option, .option_count = 1, .threads = 1 });
            assert_ok(onnx()->dispatch(s.compiled, &in, &out, NULL, &s.diags));
            assert_true(y[0] == 9 && y[1] == 16);
            scene_close(&s);
        }
    }
}

/* identity is no node; each output still is memory of its own. */
static void outputs_may_share_a_value_or_be_an_input(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    operand_id x = input(&s, "x", DTYPE_INT32, 3), same = op(&s, WEBNN_IDENTITY, NULL, x, NO_ID);
    operand_id sum = op(&s, WEBNN_ADD, NULL, x, x),
               again = op(&s, WEBNN_IDENTITY, NULL, sum, NO_ID);
    const operand_id outputs[4] = { same, sum, again, sum };
    static const char *const names[4] = { "a", "b", "c", "d" };
    for (int i = 0; i < 4; i++)
        assert_ok(builder_output(&s.builder, span_of(names[i]), outputs[i]));
    scene_compile(&s, &(struct backend_settings){ .threads = 1 });
    int32_t in[3] = { 1, -2, INT32_MAX }, out[4][3];
    struct binding input_binding = bound(DTYPE_INT32, 3, in), bindings[4];
    for (int i = 0; i < 4; i++)
        bindings[i] = bound(DTYPE_INT32, 3, out[i]);
    assert_ok(onnx()->dispatch(s.compiled, &input_binding, bindings, NULL, &s.diags));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(out[0][i], in[i]);
        for (int k = 1; k < 4; k++)
            assert_int_equal((uint32_t)out[k][i], 2 * (uint32_t)in[i]);
    }
    scene_close(&s);
}

static void packed_inputs_come_out_as_they_went_in(void **state)
{
    (void)state;
    static const enum dtype dtypes[] = { DTYPE_INT4, DTYPE_UINT4 };
    for (int i = 0; i < 2; i++) {
        struct scene s;
        scene_open(&s);
        operand_id x = input(&s, "x", dtypes[i], 5);
        assert_ok(builder_output(&s.builder, SPAN("same"), op(&s, WEBNN_IDENTITY, NULL, x, NO_ID)));
        const struct webnn_slice_attributes part = {
            .starts = { .given = true, .count = 1, .items = { 1 } },
            .sizes = { .given = true, .count = 1, .items = { 3 } },
            .strides = { .given = true, .count = 1, .items = { 1 } },
        };
        assert_ok(builder_output(&s.builder, SPAN("part"), op(&s, WEBNN_SLICE, &part, x, NO_ID)));
        scene_compile(&s, &(struct backend_settings){ .threads = 1 });
        uint8_t in[3] = { 0x21, 0xf8, 0x05 }, same[3] = { 0 }, cut[2] = { 0 };
        struct binding input_binding = bound(dtypes[i], 5, in),
                       outputs[2] = { bound(dtypes[i], 5, same), bound(dtypes[i], 3, cut) };
        assert_ok(onnx()->dispatch(s.compiled, &input_binding, outputs, NULL, &s.diags));
        assert_memory_equal(same, in, 3);
        assert_memory_equal(cut, ((const uint8_t[]){ 0x82, 0x0f }), 2);
        scene_close(&s);
    }
}

/* The mapping itself is read at every run: with packing and folding off nothing was copied. */
static void large_constants_are_borrowed(void **state)
{
    (void)state;
    static float weights[4096];
    struct scene s;
    struct descriptor d = { .dtype = DTYPE_FLOAT32, .rank = 1, .dims = { 4096 } };
    operand_id w = NO_ID;
    for (int i = 0; i < 4096; i++)
        weights[i] = (float)i;
    scene_open(&s);
    operand_id x = input(&s, "x", DTYPE_FLOAT32, 4096);
    assert_ok(builder_constant_bytes(&s.builder, &d, weights, sizeof weights, true, &w));
    assert_ok(builder_output(&s.builder, SPAN("y"), op(&s, WEBNN_ADD, NULL, x, w)));
    scene_compile(&s, &(struct backend_settings){ .threads = 1 });
    static float in[4096], out[4096];
    struct binding input_binding = bound(DTYPE_FLOAT32, 4096, in),
                   output = bound(DTYPE_FLOAT32, 4096, out);
    weights[7] = -1;
    assert_ok(onnx()->dispatch(s.compiled, &input_binding, &output, NULL, &s.diags));
    assert_true(out[6] == 6 && out[7] == -1);
    scene_close(&s);
}

static void failures_name_the_operator(void **state)
{
    (void)state;
    struct scene s;
    expr_id n = 0;
    scene_open(&s);
    assert_ok(expr_name(s.builder.graph->exprs, SPAN("n"), 1, 9, NULL, &n));
    operand_id x = input(&s, "x", DTYPE_INT32, dim_of_expr_id(n));
    assert_ok(builder_output(&s.builder, SPAN("y"), op(&s, WEBNN_REDUCE_PRODUCT, NULL, x, NO_ID)));
    assert_ok(builder_build(&s.builder, &s.graph));
    assert_ok(onnx()->open(&(struct backend_settings){ .threads = 1 }, &s.diags, &s.engine));
    assert_status(onnx()->compile(s.engine, s.graph, &s.diags, &s.compiled), O2W_BUILD_FAILED);
    assert_string_equal(
        s.diags.newest->message,
        "reduceProduct 'here': input has shape [?], must be all numbers on ONNX Runtime; give the dim a size with --override-dim");
    scene_close(&s);
}

enum { WIDE = 600, CHAIN = 500 };

static void slow_graph(struct scene *s, float *weights)
{
    const struct descriptor d = { .dtype = DTYPE_FLOAT32, .rank = 2, .dims = { WIDE, WIDE } };
    operand_id w = NO_ID, x = NO_ID;
    scene_open(s);
    assert_ok(builder_input(&s->builder, SPAN("x"), &d, &x));
    assert_ok(
        builder_constant_bytes(&s->builder, &d, weights, WIDE * WIDE * sizeof *weights, true, &w));
    for (int i = 0; i < CHAIN; i++)
        x = op(s, WEBNN_MATMUL, NULL, x, w);
    assert_ok(builder_output(&s->builder, SPAN("y"), x));
}

static _Atomic bool stop;

static void *stop_soon(void *unused)
{
    nanosleep(&(struct timespec){ .tv_nsec = 60 * 1000 * 1000 }, NULL);
    stop = true;
    return unused;
}

static void dispatch_ends_when_it_is_cancelled(void **state)
{
    (void)state;
    static float weights[WIDE * WIDE], in[WIDE * WIDE], out[WIDE * WIDE];
    struct scene s;
    pthread_t thread;
    slow_graph(&s, weights);
    scene_compile(&s, &(struct backend_settings){ .threads = 1 });
    struct binding x = { { .dtype = DTYPE_FLOAT32,
                           .rank = 2,
                           .dims = { WIDE, WIDE },
                           .data = in } },
                   y = x;
    y.tensor.data = out;
    stop = false;
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, NULL), 0);
    uint64_t begun = system_clock_ns();
    assert_status(onnx()->dispatch(s.compiled, &x, &y, &stop, &s.diags), O2W_CANCELLED);
    assert_true(system_clock_ns() - begun < 1500u * 1000 * 1000);
    pthread_join(thread, NULL);
    scene_close(&s);
}

static int refuse(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    assert_string_equal(stage, "compile");
    ++*(int *)user;
    return 1;
}

static int go_on(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)user, (void)stage, (void)done, (void)total;
    return 0;
}

/* Whether loading is slow enough to be asked depends on the machine; a refusal ends it, never half. */
static void compiling_asks_the_environment(void **state)
{
    (void)state;
    static float weights[WIDE * WIDE];
    int asked = 0;
    const o2w_environment refusing = { .size = sizeof refusing,
                                       .progress = refuse,
                                       .user = &asked };
    const o2w_environment willing = { .size = sizeof willing, .progress = go_on };
    struct scene s;
    slow_graph(&s, weights);
    assert_ok(builder_build(&s.builder, &s.graph));
    assert_ok(onnx()->open(&(struct backend_settings){ .threads = 1, .environment = &refusing },
                           &s.diags, &s.engine));
    o2w_status status = onnx()->compile(s.engine, s.graph, &s.diags, &s.compiled);
    assert_true(status == O2W_CANCELLED ? asked > 0 && !s.compiled
                                        : status == O2W_OK && asked <= 1);
    onnx()->release(s.compiled);
    s.compiled = NULL;
    onnx()->close(s.engine);
    assert_ok(onnx()->open(&(struct backend_settings){ .threads = 1, .environment = &willing },
                           &s.diags, &s.engine));
    assert_ok(onnx()->compile(s.engine, s.graph, &s.diags, &s.compiled));
    scene_close(&s);
}

static void all_nodes_run_on_the_cpu_provider(void **state)
{
    (void)state;
    struct scene s;
    uint64_t on = 0, all = 0;
    scene_open(&s);
    operand_id x = input(&s, "x", DTYPE_FLOAT32, 4);
    assert_ok(builder_output(&s.builder, SPAN("y"),
                             op(&s, WEBNN_SIN, NULL, op(&s, WEBNN_COS, NULL, x, NO_ID), NO_ID)));
    scene_compile(&s, &(struct backend_settings){ .threads = 1, .require = true });
    assert_true(onnx()->placement(s.compiled, &on, &all));
    assert_int_equal(on, 2);
    assert_int_equal(all, 2);
    scene_close(&s);
}

static void a_missing_provider_says_what_was_searched(void **state)
{
    (void)state;
    struct arena a;
    struct diags d;
    struct backend_probe probe;
    bool alias;
    arena_init(&a, NULL);
    diags_init(&d, NULL);
    const struct backend *cann = backend_by_name(SPAN("cann"), &alias);
    assert_status(cann->probe(&a, &d, &probe), O2W_UNAVAILABLE);
    assert_int_equal(d.first->code, DIAG_BACKEND_UNAVAILABLE);
    assert_non_null(strstr(d.first->message, "backend 'cann' cannot be used: ONNX Runtime "));
    assert_non_null(strstr(d.first->message, "offers no CANNExecutionProvider"));
    assert_string_equal(d.first->lines->label, "searched");
    assert_non_null(strstr(d.first->lines->text, "CPUExecutionProvider"));
    assert_non_null(d.first->hint);
    diags_free(&d);
    arena_free(&a);
}

static struct graph *sweep_graph;

static o2w_status compile_with(const o2w_allocator *allocator, void *user)
{
    const o2w_environment environment = { .size = sizeof environment, .allocator = *allocator };
    const struct backend_settings settings = { .threads = 1, .environment = &environment };
    struct engine *e = NULL;
    struct compiled *c = NULL;
    (void)user;
    TRY(onnx()->open(&settings, NULL, &e));
    o2w_status status = onnx()->compile(e, sweep_graph, NULL, &c);
    onnx()->release(c);
    onnx()->close(e);
    return status;
}

static void memory_that_runs_out_leaves_nothing_behind(void **state)
{
    (void)state;
    struct scene s;
    expr_id n = 0;
    static float weights[64];
    const struct descriptor d = { .dtype = DTYPE_FLOAT32, .rank = 1, .dims = { 64 } };
    operand_id w = NO_ID;
    scene_open(&s);
    assert_ok(expr_name(s.builder.graph->exprs, SPAN("n"), 0, 9, NULL, &n));
    operand_id i = input(&s, "i", DTYPE_INT32, dim_of_expr_id(n));
    assert_ok(builder_constant_bytes(&s.builder, &d, weights, sizeof weights, true, &w));
    operand_id picked = op(&s, WEBNN_GATHER, NULL, w, i);
    const struct webnn_expand_attributes shape = {
        .new_shape = { .given = true, .count = 2, .items = { 2, dim_of_expr_id(n) } }
    };
    assert_ok(builder_output(&s.builder, SPAN("y"), op(&s, WEBNN_EXPAND, &shape, picked, NO_ID)));
    assert_ok(builder_build(&s.builder, &s.graph));
    sweep_graph = s.graph;
    assert_true(sweep_allocations(compile_with, NULL) > 5);
    scene_close(&s);
}

#define TEST(name) cmocka_unit_test_setup(name, need_runtime)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operator_is_within_the_limits),
        TEST(wrong_options_name_what_is_allowed),
        TEST(every_option_value_works),
        TEST(outputs_may_share_a_value_or_be_an_input),
        TEST(packed_inputs_come_out_as_they_went_in),
        TEST(large_constants_are_borrowed),
        TEST(failures_name_the_operator),
        TEST(dispatch_ends_when_it_is_cancelled),
        TEST(compiling_asks_the_environment),
        TEST(all_nodes_run_on_the_cpu_provider),
        TEST(a_missing_provider_says_what_was_searched),
        TEST(memory_that_runs_out_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
