/* The built-in engine: memory that is shared and reused, sizes that change, outputs, cancelling. */
#include "../webnn/graphs.h"
#include "once.h"

#include <string.h>

/* A finished graph on an engine of two threads. */
struct bed {
    struct bench bench;
    struct graph *graph;
    struct engine *engine;
    struct compiled *compiled;
    struct arena arena;
};

static void bed_open(struct bed *b)
{
    bench_open(&b->bench);
    b->graph = NULL;
    b->engine = NULL;
    b->compiled = NULL;
    arena_init(&b->arena, NULL);
}

static void bed_compile(struct bed *b)
{
    const struct backend_settings settings = { .threads = 2 };
    assert_ok(builder_build(&b->bench.builder, &b->graph));
    assert_ok(backends[0]->open(&settings, &b->bench.diags, &b->engine));
    assert_ok(backends[0]->compile(b->engine, b->graph, &b->bench.diags, &b->compiled));
}

static void bed_close(struct bed *b)
{
    backends[0]->release(b->compiled);
    backends[0]->close(b->engine);
    graph_free(b->graph);
    arena_free(&b->arena);
    bench_close(&b->bench);
}

static struct binding bound(struct bed *b, uint32_t rank, int64_t rows, int64_t columns,
                            const float *values)
{
    struct binding out;
    const int64_t dims[] = { rows, columns };
    assert_ok(tensor_new(&b->arena, DTYPE_FLOAT32, dims, rank, &out.tensor));
    if (values)
        memcpy(out.tensor.data, values, tensor_bytes(&out.tensor));
    return out;
}

static o2w_status dispatch(struct bed *b, const struct binding *inputs, struct binding *outputs)
{
    return backends[0]->dispatch(b->compiled, inputs, outputs, NULL, &b->bench.diags);
}

#define assert_floats(binding, ...)                                              \
    assert_memory_equal((binding).tensor.data, ((const float[]){ __VA_ARGS__ }), \
                        sizeof((const float[]){ __VA_ARGS__ }))

static operand_id reshaped(struct bed *b, operand_id x, uint32_t rank, dim a, dim c)
{
    const struct webnn_reshape_attributes p = { .new_shape = { true, rank, { a, c } } };
    return op(&b->bench, WEBNN_RESHAPE, x, NO_ID, &p);
}

static void operators_run_in_order_over_reused_memory(void **state)
{
    struct bed b;
    bed_open(&b);
    operand_id x = input(&b.bench, "x", shape(DTYPE_FLOAT32, 1, 4, 0)), one = constant(&b.bench, 1);
    operand_id sum = x, kept = NO_ID;
    for (int i = 0; i < 10; i++) {
        sum = op(&b.bench, WEBNN_ADD, sum, one, NULL);
        kept = i == 2 ? sum : kept; /* lives over the others */
    }
    output(&b.bench, "y", op(&b.bench, WEBNN_MUL, sum, kept, NULL));
    bed_compile(&b);
    struct binding in = bound(&b, 1, 4, 0, (const float[]){ 0, 1, 2, 3 }),
                   out = bound(&b, 1, 4, 0, NULL);
    for (int i = 0; i < 2; i++) {
        assert_ok(dispatch(&b, &in, &out));
        assert_floats(out, 30, 44, 60, 78);
    }
    bed_close(&b);
    (void)state;
}

static void reshapes_share_memory_wherever_they_stand(void **state)
{
    struct bed b;
    bed_open(&b);
    operand_id x = input(&b.bench, "x", shape(DTYPE_FLOAT32, 2, 2, 2));
    operand_id flat = reshaped(&b, x, 1, 4, 0); /* of an input */
    operand_id neg = op(&b.bench, WEBNN_NEG, flat, NO_ID, NULL);
    operand_id back = reshaped(&b, neg, 2, 2, 2); /* of a result that is an output itself */
    operand_id inner = op(&b.bench, WEBNN_ABS, neg, NO_ID, NULL);
    operand_id out = reshaped(&b, inner, 2, 4, 1); /* of a result, an output */
    output(&b.bench, "flat", flat);
    output(&b.bench, "neg", neg);
    output(&b.bench, "back", back);
    output(&b.bench, "out", out);
    output(&b.bench, "twice", op(&b.bench, WEBNN_ADD, out, out, NULL));
    bed_compile(&b);
    struct binding in = bound(&b, 2, 2, 2, (const float[]){ 1, -2, 3, -4 });
    struct binding outs[] = { bound(&b, 1, 4, 0, NULL), bound(&b, 1, 4, 0, NULL),
                              bound(&b, 2, 2, 2, NULL), bound(&b, 2, 4, 1, NULL),
                              bound(&b, 2, 4, 1, NULL) };
    assert_ok(dispatch(&b, &in, outs));
    assert_floats(outs[0], 1, -2, 3, -4);
    assert_floats(outs[1], -1, 2, -3, 4);
    assert_floats(outs[2], -1, 2, -3, 4);
    assert_floats(outs[3], 1, 2, 3, 4);
    assert_floats(outs[4], 2, 4, 6, 8);
    assert_floats(in, 1, -2, 3, -4);
    bed_close(&b);
    (void)state;
}

static void one_operand_under_two_names(void **state)
{
    struct bed b;
    bed_open(&b);
    operand_id x = input(&b.bench, "x", shape(DTYPE_FLOAT32, 1, 2, 0)),
               y = op(&b.bench, WEBNN_NEG, x, NO_ID, NULL);
    output(&b.bench, "a", y);
    output(&b.bench, "b", y);
    bed_compile(&b);
    struct binding in = bound(&b, 1, 2, 0, (const float[]){ 5, -6 });
    struct binding outs[] = { bound(&b, 1, 2, 0, NULL), bound(&b, 1, 2, 0, NULL) };
    assert_ok(dispatch(&b, &in, outs));
    assert_floats(outs[0], -5, 6);
    assert_floats(outs[1], -5, 6);
    bed_close(&b);
    (void)state;
}

/* y = relu(x · x^T) + sum of everything; x is [n, 3]. */
static void open_sizes(struct bed *b)
{
    bed_open(b);
    struct descriptor d = { .dtype = DTYPE_FLOAT32,
                            .rank = 2,
                            .dims = { named(&b->bench, "n", 100), 3 } };
    const struct webnn_transpose_attributes t = { .permutation = { true, 2, { 1, 0 } } };
    const struct webnn_reduce_attributes all = { .axes = { .given = false } };
    operand_id x = input(&b->bench, "x", d), turned = op(&b->bench, WEBNN_TRANSPOSE, x, NO_ID, &t);
    operand_id product = op(&b->bench, WEBNN_MATMUL, x, turned, NULL);
    operand_id sum = op(&b->bench, WEBNN_REDUCE_SUM, product, NO_ID, &all);
    output(&b->bench, "y", op(&b->bench, WEBNN_ADD, product, sum, NULL));
    bed_compile(b);
}

static void every_size_has_its_plan(void **state)
{
    struct bed b;
    open_sizes(&b);
    for (int round = 0; round < 3; round++)
        for (int64_t n = 0; n < 20; n += round + 1) { /* more sizes than plans are kept */
            struct binding in = bound(&b, 2, n, 3, NULL), out = bound(&b, 2, n, n, NULL);
            float *x = in.tensor.data, *y = out.tensor.data;
            for (int64_t i = 0; i < 3 * n; i++)
                x[i] = (float)(i % 5);
            assert_ok(dispatch(&b, &in, &out));
            float total = 0;
            for (int pass = 0; pass < 2; pass++)
                for (int64_t i = 0; i < n * n; i++) {
                    const float *p = x + i / n * 3, *q = x + i % n * 3;
                    float dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
                    if (pass == 0)
                        total += dot;
                    else
                        assert_true(y[i] == dot + total);
                }
        }
    bed_close(&b);
    (void)state;
}

static void sizes_outside_their_bounds_are_refused(void **state)
{
    struct bed b;
    open_sizes(&b);
    struct binding in = bound(&b, 2, 101, 3, NULL), out = bound(&b, 2, 101, 101, NULL);
    assert_status(dispatch(&b, &in, &out), O2W_INVALID_ARGUMENT);
    expect_message(&b.bench, DIAG_DISPATCH_ARGUMENT,
                   "input 'x': dim 0 is 101, must be 0 to 100 (dim 'n')");
    bed_close(&b);
    (void)state;
}

static void equal_names_are_equal_sizes(void **state)
{
    struct bed b;
    bed_open(&b);
    struct descriptor d = { .dtype = DTYPE_FLOAT32,
                            .rank = 1,
                            .dims = { named(&b.bench, "n", 9) } };
    operand_id x = input(&b.bench, "x", d), y = input(&b.bench, "y", d);
    output(&b.bench, "sum", op(&b.bench, WEBNN_ADD, x, y, NULL));
    bed_compile(&b);
    struct binding in[] = { bound(&b, 1, 2, 0, NULL), bound(&b, 1, 3, 0, NULL) },
                   out = bound(&b, 1, 2, 0, NULL);
    assert_status(dispatch(&b, in, &out), O2W_INVALID_ARGUMENT);
    expect_message(&b.bench, DIAG_DISPATCH_ARGUMENT,
                   "input 'y': dim 0 is 3, must be 2, the size of 'n' elsewhere");
    bed_close(&b);
    (void)state;
}

static void constraints_are_checked_before_any_work(void **state)
{
    struct bed b;
    bed_open(&b);
    struct descriptor d = { .dtype = DTYPE_FLOAT32,
                            .rank = 1,
                            .dims = { named(&b.bench, "a", 9) } };
    struct descriptor e = { .dtype = DTYPE_FLOAT32,
                            .rank = 1,
                            .dims = { named(&b.bench, "b", 9) } };
    operand_id operands[] = { input(&b.bench, "x", d), input(&b.bench, "y", e) }, sum = NO_ID;
    uint32_t count = 1;
    assert_ok(
        builder_op(&b.bench.builder, WEBNN_ADD, operands, 2, NULL, SPAN("join"), &sum, &count));
    output(&b.bench, "sum", sum);
    bed_compile(&b);
    struct binding in[] = { bound(&b, 1, 2, 0, (const float[]){ 1, 2 }),
                            bound(&b, 1, 2, 0, (const float[]){ 3, 4 }) };
    struct binding out = bound(&b, 1, 2, 0, NULL);
    assert_ok(dispatch(&b, in, &out));
    assert_floats(out, 4, 6);
    in[1] = bound(&b, 1, 3, 0, NULL);
    assert_status(dispatch(&b, in, &out), O2W_INVALID_ARGUMENT);
    expect_message(&b.bench, DIAG_DYN_CONSTRAINT, "a must equal b, but they are 2 and 3");
    bed_close(&b);
    (void)state;
}

static operand_id halves(struct bed *b, const double *values, int64_t rows, int64_t columns,
                         const char *name)
{
    struct descriptor d = shape(DTYPE_FLOAT16, 2, rows, columns);
    struct tensor t;
    operand_id id = NO_ID;
    if (name)
        return input(&b->bench, name, d);
    assert_ok(tensor_new(&b->arena, DTYPE_FLOAT16, d.dims, 2, &t));
    for (uint64_t i = 0; i < tensor_count(&t); i++)
        tensor_put_double(&t, i, values[i]);
    assert_ok(builder_constant_bytes(&b->bench.builder, &d, t.data, tensor_bytes(&t), true, &id));
    return id;
}

static void what_constants_decide_is_computed_ahead(void **state)
{
    struct bed b;
    bed_open(&b);
    operand_id two = constant(&b.bench, 2), three = constant(&b.bench, 3);
    operand_id six = op(&b.bench, WEBNN_MUL, two, three, NULL), row = reshaped(&b, six, 1, 1, 0);
    operand_id x = input(&b.bench, "x", shape(DTYPE_FLOAT32, 1, 2, 0));
    output(&b.bench, "six", six);
    output(&b.bench, "row", row);
    output(&b.bench, "sum", op(&b.bench, WEBNN_ADD, x, row, NULL));
    bed_compile(&b);
    struct binding in = bound(&b, 1, 2, 0, (const float[]){ 1, 2 });
    struct binding outs[] = { bound(&b, 0, 0, 0, NULL), bound(&b, 1, 1, 0, NULL),
                              bound(&b, 1, 2, 0, NULL) };
    assert_ok(dispatch(&b, &in, outs));
    assert_floats(outs[0], 6);
    assert_floats(outs[1], 6);
    assert_floats(outs[2], 7, 8);
    bed_close(&b);
    (void)state;
}

/* The same graph with the weights as a constant and as an input. */
static void run_halves(bool constant_weights, uint16_t *to)
{
    struct bed b;
    const double x[] = { 0.1, -2.5, 3.75, 0.001 }, w[] = { 0.3, 7, -0.2, 0.1, 2.2, -5.5 };
    const struct webnn_leaky_relu_attributes leaky = { .alpha = 0.01 };
    bed_open(&b);
    operand_id a = halves(&b, NULL, 2, 2, "x");
    operand_id weights = halves(&b, w, 2, 3, constant_weights ? NULL : "w");
    operand_id product = op(&b.bench, WEBNN_MATMUL, a, weights, NULL);
    operand_id bent = op(&b.bench, WEBNN_LEAKY_RELU, product, NO_ID, &leaky);
    operand_id moved = op(&b.bench, WEBNN_IDENTITY, weights, NO_ID, NULL); /* stays float16 */
    output(&b.bench, "y", op(&b.bench, WEBNN_MUL, bent, moved, NULL));
    bed_compile(&b);
    struct binding in[2], out;
    const int64_t dims[2][2] = { { 2, 2 }, { 2, 3 } };
    for (int i = 0; i < 2; i++) {
        assert_ok(tensor_new(&b.arena, DTYPE_FLOAT16, dims[i], 2, &in[i].tensor));
        for (uint64_t k = 0; k < tensor_count(&in[i].tensor); k++)
            tensor_put_double(&in[i].tensor, k, i ? w[k] : x[k]);
    }
    assert_ok(tensor_new(&b.arena, DTYPE_FLOAT16, dims[1], 2, &out.tensor));
    assert_ok(dispatch(&b, in, &out));
    memcpy(to, out.tensor.data, 12);
    bed_close(&b);
}

static void widened_constants_give_the_same_bits(void **state)
{
    uint16_t as_constant[6], as_input[6];
    run_halves(true, as_constant);
    run_halves(false, as_input);
    assert_memory_equal(as_constant, as_input, sizeof as_input);
    (void)state;
}

static void a_cancelled_dispatch_ends(void **state)
{
    struct bed b;
    bed_open(&b);
    output(
        &b.bench, "y",
        op(&b.bench, WEBNN_NEG, input(&b.bench, "x", shape(DTYPE_FLOAT32, 1, 1, 0)), NO_ID, NULL));
    bed_compile(&b);
    const _Atomic bool cancel = true;
    struct binding in = bound(&b, 1, 1, 0, NULL), out = bound(&b, 1, 1, 0, NULL);
    assert_status(backends[0]->dispatch(b.compiled, &in, &out, &cancel, &b.bench.diags),
                  O2W_CANCELLED);
    bed_close(&b);
    (void)state;
}

static void the_engine_says_what_it_is(void **state)
{
    struct arena a;
    struct diags d;
    struct backend_probe probe;
    struct limits own, limits;
    bool alias;
    arena_init(&a, NULL);
    diags_init(&d, NULL);
    assert_ok(backends[0]->probe(&a, &d, &probe));
    assert_true(probe.available && probe.device_count == 1);
    assert_string_equal(backends[0]->name, "cpu");
    assert_ptr_equal(backend_by_name(SPAN("cpu"), &alias), backends[0]);
    assert_false(alias);
    assert_ptr_equal(backend_by_name(SPAN("burn-cpu"), &alias), backends[0]);
    assert_true(alias);
    assert_null(backend_by_name(SPAN("CPU"), &alias));
    limits_own(&own);
    backends[0]->limits(&limits);
    assert_memory_equal(own.operators, limits.operators,
                        sizeof own.operators); /* nothing is missing */
    arena_free(&a);
    diags_free(&d);
    (void)state;
}

static void options_are_checked(void **state)
{
    struct diags d;
    struct engine *e = NULL;
    diags_init(&d, NULL);
    const struct backend_option bad = { "threads", "many" }, good = { "threads", "3" };
    const struct backend_settings wrong = { .options = &bad, .option_count = 1 },
                                  right = { .options = &good, .option_count = 1 };
    assert_status(backends[0]->open(&wrong, &d, &e), O2W_INVALID_ARGUMENT);
    assert_diag(&d, 0, DIAG_BACKEND_OPTION, "backend 'cpu': threads is 'many', must be 1 to 1024");
    assert_null(e);
    assert_ok(backends[0]->open(&right, &d, &e));
    backends[0]->close(e);
    backends[0]->close(NULL);
    diags_free(&d);
    (void)state;
}

struct scene {
    struct bed *bed;
    struct binding in, out;
};

static o2w_status run_once(const o2w_allocator *allocator, void *user)
{
    struct scene *s = user;
    return cpu_run_once(allocator, s->bed->graph, &s->in, &s->out);
}

static void every_allocation_may_fail(void **state)
{
    struct bed b;
    open_sizes(&b);
    struct scene s = { &b, bound(&b, 2, 7, 3, NULL), bound(&b, 2, 7, 7, NULL) };
    assert_true(sweep_allocations(run_once, &s) > 5);
    bed_close(&b);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_run_in_order_over_reused_memory),
        cmocka_unit_test(reshapes_share_memory_wherever_they_stand),
        cmocka_unit_test(one_operand_under_two_names),
        cmocka_unit_test(every_size_has_its_plan),
        cmocka_unit_test(sizes_outside_their_bounds_are_refused),
        cmocka_unit_test(equal_names_are_equal_sizes),
        cmocka_unit_test(constraints_are_checked_before_any_work),
        cmocka_unit_test(what_constants_decide_is_computed_ahead),
        cmocka_unit_test(widened_constants_give_the_same_bits),
        cmocka_unit_test(a_cancelled_dispatch_ends),
        cmocka_unit_test(the_engine_says_what_it_is),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
