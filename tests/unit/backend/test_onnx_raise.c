/* Patterns that the onnx engine writes as one operator of the runtime, against their spelled-out form. */
#include "runtime.h"

#include "webnn/builder.h"

#include <math.h>
#include <string.h>

enum { N = 6, ROWS = 5, MOST = 6 * 48 };

struct product {
    int64_t k, blocks, block;
    enum dtype q, a;
    bool middle;    /* zero points are the runtime's default */
    bool visible;   /* the matrix is an output too */
    int64_t stack;  /* so many matrices of N / stack columns; 0: one of N */
    bool shifted;   /* zero points are floats */
    int64_t shared; /* rank of an input that all of them take; 0: each takes its part */
};

struct scene {
    struct limits limits;
    struct diags diags;
    struct builder builder;
    struct graph *graph;
    uint8_t q[MOST], zeros[64];
    uint16_t scales[128]; /* float16, or float32 in pairs */
    float ones[1], shifts[64];
};

/* Of the input and of the result; ranks are 3 but for shared ones of rank 2. */
static void shapes(const struct product *p, struct tensor *a, struct tensor *y)
{
    int64_t stack = p->stack ? p->stack : 2;
    *a = (struct tensor){ .dtype = p->a, .rank = 3, .dims = { stack, ROWS, p->k } };
    if (p->shared == 3)
        a->dims[0] = 1;
    if (p->shared == 2)
        *a = (struct tensor){ .dtype = p->a, .rank = 2, .dims = { ROWS, p->k } };
    *y = (struct tensor){ .dtype = p->a,
                          .rank = 3,
                          .dims = { stack, ROWS, p->stack ? N / p->stack : N } };
}

static operand_id op(struct scene *s, enum webnn_operator kind, const void *attributes,
                     const operand_id *operands, uint32_t count)
{
    operand_id result = NO_ID;
    uint32_t results = 1;
    if (builder_op(&s->builder, kind, operands, count, attributes, SPAN(""), &result, &results) !=
        O2W_OK)
        fail_msg("%s", s->diags.newest->message);
    return result;
}

static operand_id constant(struct scene *s, enum dtype t, const int64_t *dims, void *data,
                           double first, double step, unsigned period)
{
    struct tensor view = {
        .dtype = t, .rank = 3, .dims = { dims[0], dims[1], dims[2] }, .data = data
    };
    struct descriptor d = { .dtype = t, .rank = 3, .dims = { dims[0], dims[1], dims[2] } };
    operand_id id = NO_ID;
    for (uint64_t i = 0; i < tensor_count(&view); i++)
        tensor_put_double(&view, i, first + step * (double)(i * 7 % period));
    assert_ok(
        builder_constant_bytes(&s->builder, &d, data, (size_t)tensor_bytes(&view), true, &id));
    return id;
}

/* (q - zero) · scale with floats for zero points. */
static operand_id shifted(struct scene *s, operand_id q, operand_id scale, const int64_t *per_block)
{
    const int64_t ones[3] = { 1, 1, 1 };
    const operand_id plain[3] = { q, constant(s, DTYPE_FLOAT32, ones, s->ones, 1, 0, 1),
                                  constant(s, DTYPE_UINT4, ones, s->zeros, 0, 0, 1) };
    operand_id parts[2] = { op(s, WEBNN_DEQUANTIZE_LINEAR, NULL, plain, 3),
                            constant(s, DTYPE_FLOAT32, per_block, s->shifts, 5.25, 0.5, 7) };
    parts[0] = op(s, WEBNN_SUB, NULL, parts, 2);
    parts[1] = scale;
    return op(s, WEBNN_MUL, NULL, parts, 2);
}

/* a · dequantised(q [N, blocks, block])ᵀ, as the lowering of MatMulNBits spells it. */
static void build(struct scene *s, const struct product *p)
{
    const int64_t whole[3] = { N, p->blocks, p->block }, per_block[3] = { N, p->blocks, 1 };
    double middle = p->q == DTYPE_UINT4 ? 8 : 128;
    *s = (struct scene){ 0 };
    limits_own(&s->limits);
    diags_init(&s->diags, NULL);
    assert_ok(builder_init(&s->builder, &s->limits, NULL, &s->diags));
    struct tensor left, result;
    shapes(p, &left, &result);
    struct descriptor input = { .dtype = p->a, .rank = left.rank };
    memcpy(input.dims, left.dims, sizeof left.dims);
    operand_id a = NO_ID;
    assert_ok(builder_input(&s->builder, SPAN("a"), &input, &a));
    const operand_id parts[3] = {
        constant(s, p->q, whole, s->q, 0, 1, p->q == DTYPE_UINT4 ? 16 : 251),
        constant(s, p->a, per_block, s->scales, 0.125, 0.0625, 5),
        constant(s, p->q, per_block, s->zeros, p->middle ? middle : 3, p->middle ? 0 : 1, 9),
    };
    const struct webnn_reshape_attributes rows = {
        .new_shape = { .given = true, .count = 2, .items = { N, p->blocks * p->block } }
    };
    const struct webnn_slice_attributes part = {
        .starts = { .given = true, .count = 2 },
        .sizes = { .given = true, .count = 2, .items = { N, p->k } },
        .strides = { .given = true, .count = 2, .items = { 1, 1 } },
    };
    const struct webnn_reshape_attributes stack = {
        .new_shape = { .given = true,
                       .count = 3,
                       .items = { p->stack, p->stack ? N / p->stack : N, p->k } }
    };
    const struct webnn_transpose_attributes
        turn = { .permutation = { .given = true, .count = 2, .items = { 1, 0 } } },
        turn_each = { .permutation = { .given = true, .count = 3, .items = { 0, 2, 1 } } };
    operand_id b = p->shifted ? shifted(s, parts[0], parts[1], per_block)
                              : op(s, WEBNN_DEQUANTIZE_LINEAR, NULL, parts, 3);
    b = op(s, WEBNN_RESHAPE, &rows, &b, 1);
    if (p->k != p->blocks * p->block)
        b = op(s, WEBNN_SLICE, &part, &b, 1);
    if (p->stack)
        b = op(s, WEBNN_RESHAPE, &stack, &b, 1);
    b = op(s, WEBNN_TRANSPOSE, p->stack ? &turn_each : &turn, &b, 1);
    operand_id y = op(s, WEBNN_MATMUL, NULL, (const operand_id[]){ a, b }, 2);
    assert_ok(builder_output(&s->builder, SPAN("y"), y));
    if (p->visible)
        assert_ok(builder_output(&s->builder, SPAN("b"), b));
    assert_ok(builder_build(&s->builder, &s->graph));
}

/* Runs it; returns the number of nodes, 0 where the engine does not say. */
static uint64_t run(struct scene *s, const struct product *p, const char *engine, const char *raise,
                    struct arena *arena, struct tensor *y)
{
    bool alias;
    const struct backend *backend = backend_by_name(span_of(engine), &alias);
    const struct backend_option options[] = { { "raise", raise }, { "optimization", "none" } };
    const struct backend_settings settings = {
        .threads = 1, .options = options, .option_count = strcmp(engine, "onnx") == 0 ? 2 : 0
    };
    struct engine *e = NULL;
    struct compiled *c = NULL;
    struct binding input, outputs[2];
    uint64_t on = 0, nodes = 0;
    assert_ok(backend->open(&settings, &s->diags, &e));
    if (backend->compile(e, s->graph, &s->diags, &c) != O2W_OK)
        fail_msg("%s", diags_text(&s->diags, arena));
    struct tensor left, result;
    shapes(p, &left, &result);
    assert_ok(tensor_new(arena, p->a, left.dims, left.rank, &input.tensor));
    for (uint64_t i = 0; i < tensor_count(&input.tensor); i++)
        tensor_put_double(&input.tensor, i, (double)(i * 13 % 17) / 8 - 1);
    assert_ok(tensor_new(arena, p->a, result.dims, result.rank, y));
    outputs[0].tensor = *y;
    assert_ok(tensor_new(arena, p->a, (const int64_t[]){ p->k, N }, 2, &outputs[1].tensor));
    assert_ok(backend->dispatch(c, &input, outputs, NULL, &s->diags));
    if (!backend->placement || !backend->placement(c, &on, &nodes))
        nodes = 0;
    backend->release(c);
    backend->close(e);
    return nodes;
}

static void check(const struct product *p)
{
    struct scene s;
    struct arena a;
    struct tensor want, raised, spelled;
    arena_init(&a, NULL);
    build(&s, p);
    run(&s, p, "cpu", "", &a, &want);
    uint64_t few = run(&s, p, "onnx", "on", &a, &raised),
             many = run(&s, p, "onnx", "off", &a, &spelled);
    if (p->stack) /* a product each, what joins them, what splits or raises the input, casts */
        assert_in_range(few, p->stack + 1, p->stack + (p->a == DTYPE_FLOAT16 ? 5 : 3));
    else
        assert_true(few < many);
    if (!p->visible && !p->stack && p->a == DTYPE_FLOAT32)
        assert_int_equal(few, 1);
    double tolerance = p->a == DTYPE_FLOAT16 ? 2e-2 : 1e-4;
    for (uint64_t i = 0; i < tensor_count(&want); i++) {
        double w = tensor_get_double(&want, i), g = tensor_get_double(&raised, i),
               o = tensor_get_double(&spelled, i);
        if (fabs(w - g) > tolerance * (1 + fabs(w)) || fabs(w - o) > tolerance * (1 + fabs(w)))
            fail_msg("element %d: raised %g, spelled out %g, must be %g", (int)i, g, o, w);
    }
    graph_free(s.graph);
    builder_free(&s.builder);
    diags_free(&s.diags);
    arena_free(&a);
}

static void four_bits(void **state)
{
    (void)state;
    check(&(struct product){
        .k = 32, .blocks = 2, .block = 16, .q = DTYPE_UINT4, .a = DTYPE_FLOAT32 });
    check(&(struct product){
        .k = 32, .blocks = 2, .block = 16, .q = DTYPE_UINT4, .a = DTYPE_FLOAT32, .middle = true });
    check(&(struct product){
        .k = 32, .blocks = 1, .block = 32, .q = DTYPE_UINT4, .a = DTYPE_FLOAT32 });
}

static void four_bits_with_an_odd_number_of_blocks_and_a_cut_end(void **state)
{
    (void)state;
    check(&(struct product){
        .k = 48, .blocks = 3, .block = 16, .q = DTYPE_UINT4, .a = DTYPE_FLOAT32 });
    check(&(struct product){
        .k = 40, .blocks = 3, .block = 16, .q = DTYPE_UINT4, .a = DTYPE_FLOAT32 });
}

static void four_bits_with_floats_for_zero_points(void **state)
{
    (void)state;
    struct product p = {
        .k = 40, .blocks = 3, .block = 16, .q = DTYPE_UINT4, .a = DTYPE_FLOAT32, .shifted = true
    };
    check(&p);
    p.stack = 3;
    p.shared = 2;
    check(&p);
}

static void eight_bits(void **state)
{
    (void)state;
    check(&(struct product){
        .k = 32, .blocks = 2, .block = 16, .q = DTYPE_UINT8, .a = DTYPE_FLOAT32 });
    check(&(struct product){
        .k = 48, .blocks = 3, .block = 16, .q = DTYPE_UINT8, .a = DTYPE_FLOAT32, .middle = true });
}

static void float16_activations(void **state)
{
    (void)state;
    check(&(struct product){
        .k = 32, .blocks = 2, .block = 16, .q = DTYPE_UINT4, .a = DTYPE_FLOAT16 });
}

static void stacks_of_matrices(void **state)
{
    (void)state;
    for (int64_t shared = 0; shared < 4; shared += shared ? 1 : 2)
        for (int64_t stack = 1; stack < 4; stack++) {
            struct product p = { .k = 48,
                                 .blocks = 3,
                                 .block = 16,
                                 .q = DTYPE_UINT4,
                                 .a = DTYPE_FLOAT32,
                                 .stack = stack,
                                 .shared = shared };
            check(&p);
            p.k = 40; /* a cut end */
            check(&p);
            p.q = DTYPE_UINT8;
            check(&p);
            p.a = DTYPE_FLOAT16;
            check(&p);
        }
}

static void a_matrix_that_is_read_elsewhere_stays(void **state)
{
    (void)state;
    struct product p = {
        .k = 32, .blocks = 2, .block = 16, .q = DTYPE_UINT4, .a = DTYPE_FLOAT32, .visible = true
    };
    struct scene s;
    struct arena a;
    struct tensor y;
    arena_init(&a, NULL);
    build(&s, &p);
    assert_int_equal(run(&s, &p, "onnx", "on", &a, &y), run(&s, &p, "onnx", "off", &a, &y));
    graph_free(s.graph);
    builder_free(&s.builder);
    diags_free(&s.diags);
    arena_free(&a);
}

#define TEST(name) cmocka_unit_test_setup(name, need_runtime)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(four_bits),
        TEST(four_bits_with_an_odd_number_of_blocks_and_a_cut_end),
        TEST(four_bits_with_floats_for_zero_points),
        TEST(eight_bits),
        TEST(float16_activations),
        TEST(stacks_of_matrices),
        TEST(a_matrix_that_is_read_elsewhere_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
