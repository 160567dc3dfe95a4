/* Normalisation and rotary positions that the onnx engine writes as one operator of the runtime, against
 * their spelled-out form. */
#include "runtime.h"

#include "webnn/builder.h"

#include <math.h>
#include <string.h>

enum { ROWS = 5, HEADS = 2, SIZE = 8, HALF = SIZE / 2, COUNT = ROWS * HEADS * SIZE };

struct scene {
    struct limits limits;
    struct diags diags;
    struct builder builder;
    struct graph *graph;
    float gain[SIZE], matrix[SIZE * SIZE], cosine[ROWS * HALF], sine[ROWS * HALF], numbers[3];
};

static operand_id op(struct scene *s, enum webnn_operator kind, const void *attributes,
                     operand_id a, operand_id b)
{
    const operand_id operands[] = { a, b };
    operand_id result = NO_ID;
    uint32_t results = 1;
    if (builder_op(&s->builder, kind, operands, b == NO_ID ? 1 : 2, attributes, SPAN(""), &result,
                   &results) != O2W_OK)
        fail_msg("%s", s->diags.newest->message);
    return result;
}

static operand_id constant(struct scene *s, uint32_t rank, const int64_t *dims, float *data,
                           double phase)
{
    struct descriptor d = { .dtype = DTYPE_FLOAT32, .rank = rank };
    size_t count = 1;
    operand_id id = NO_ID;
    for (uint32_t i = 0; i < rank; i++) {
        d.dims[i] = dims[i];
        count *= (size_t)dims[i];
    }
    for (size_t i = 0; i < count; i++)
        data[i] = (float)sin(phase + 0.7 * (double)i);
    assert_ok(builder_constant_bytes(&s->builder, &d, data, count * sizeof *data, true, &id));
    return id;
}

static operand_id number(struct scene *s, float *data, float value)
{
    operand_id id = constant(s, 0, NULL, data, 0);
    *data = value;
    return id;
}

static operand_id half_of(struct scene *s, operand_id x, int64_t start)
{
    struct webnn_slice_attributes p = {
        .starts = { .given = true, .count = 4, .items = { 0, 0, 0, (uint32_t)start } },
        .sizes = { .given = true, .count = 4, .items = { 1, ROWS, HEADS, HALF } },
        .strides = { .given = true, .count = 4, .items = { 1, 1, 1, 1 } },
    };
    return op(s, WEBNN_SLICE, &p, x, NO_ID);
}

enum form { BY_FACTOR, BY_ROOT, BY_QUOTIENT };

/* x / sqrt(mean(x²) + ε), as exporters and lowerings spell it. */
static operand_id normal(struct scene *s, enum form form, operand_id x, operand_id *r)
{
    struct webnn_reduce_attributes mean = webnn_reduce_mean_defaults();
    mean.keep_dimensions = true;
    mean.axes = (struct webnn_u32s){ .given = true, .count = 1, .items = { 3 } };
    operand_id square = form == BY_FACTOR ? op(s, WEBNN_MUL, NULL, x, x)
                                          : op(s, WEBNN_POW, NULL, x, number(s, &s->numbers[0], 2));
    *r = op(s, WEBNN_REDUCE_MEAN, &mean, square, NO_ID);
    *r = op(s, WEBNN_ADD, NULL, *r, number(s, &s->numbers[1], 0.1F));
    *r = op(s, WEBNN_SQRT, NULL, *r, NO_ID);
    if (form == BY_ROOT)
        return op(s, WEBNN_DIV, NULL, x, *r);
    *r = form == BY_FACTOR ? op(s, WEBNN_RECIPROCAL, NULL, *r, NO_ID)
                           : op(s, WEBNN_DIV, NULL, number(s, &s->numbers[2], 1), *r);
    return op(s, WEBNN_MUL, NULL, x, *r);
}

/* Normalised, times a gain, turned, times a matrix. */
static void build(struct scene *s, enum form form, bool rms_visible)
{
    const struct webnn_concat_attributes last = { .axis = 3 };
    const struct descriptor input = { .dtype = DTYPE_FLOAT32,
                                      .rank = 4,
                                      .dims = { 1, ROWS, HEADS, SIZE } };
    operand_id x, r, n, a, b, c, z, m;
    *s = (struct scene){ 0 };
    limits_own(&s->limits);
    diags_init(&s->diags, NULL);
    assert_ok(builder_init(&s->builder, &s->limits, NULL, &s->diags));
    assert_ok(builder_input(&s->builder, SPAN("x"), &input, &x));
    n = normal(s, form, x, &r);
    n = op(s, WEBNN_MUL, NULL, n, constant(s, 1, (const int64_t[]){ SIZE }, s->gain, 1));
    c = constant(s, 4, (const int64_t[]){ 1, ROWS, 1, HALF }, s->cosine, 2);
    z = constant(s, 4, (const int64_t[]){ 1, ROWS, 1, HALF }, s->sine, 3);
    a = half_of(s, n, 0);
    b = half_of(s, n, HALF);
    operand_id bs = op(s, WEBNN_MUL, NULL, b, z), ac = op(s, WEBNN_MUL, NULL, a, c);
    operand_id front = op(s, WEBNN_SUB, NULL, ac, bs);
    operand_id bc = op(s, WEBNN_MUL, NULL, b, c), as = op(s, WEBNN_MUL, NULL, a, z);
    operand_id back = op(s, WEBNN_ADD, NULL, as, bc);
    m = constant(s, 2, (const int64_t[]){ SIZE, SIZE }, s->matrix, 4);
    n = op(s, WEBNN_MATMUL, NULL, op(s, WEBNN_CONCAT, &last, front, back), m);
    assert_ok(builder_output(&s->builder, SPAN("y"), n));
    if (rms_visible)
        assert_ok(builder_output(&s->builder, SPAN("r"), r));
    assert_ok(builder_build(&s->builder, &s->graph));
}

/* Runs it; the number of nodes, 0 where the engine does not say. */
static uint64_t run(struct scene *s, const char *engine, const char *raise, float *y, float *r)
{
    bool alias;
    const struct backend *backend = backend_by_name(span_of(engine), &alias);
    const struct backend_option options[] = { { "raise", raise }, { "optimization", "none" } };
    const struct backend_settings settings = {
        .threads = 1, .options = options, .option_count = strcmp(engine, "onnx") == 0 ? 2 : 0
    };
    float data[COUNT];
    struct engine *e = NULL;
    struct compiled *c = NULL;
    struct binding input = { .tensor = { .dtype = DTYPE_FLOAT32, .rank = 4, .data = data } },
                   outputs[2] = { input, input };
    uint64_t on = 0, nodes = 0;
    memcpy(input.tensor.dims, (const int64_t[]){ 1, ROWS, HEADS, SIZE }, 4 * sizeof(int64_t));
    outputs[0] = outputs[1] = input;
    outputs[0].tensor.data = y;
    outputs[1].tensor.data = r;
    outputs[1].tensor.dims[3] = 1;
    for (int i = 0; i < COUNT; i++)
        data[i] = (float)(i * 13 % 17) / 8 - 1;
    assert_ok(backend->open(&settings, &s->diags, &e));
    assert_ok(backend->compile(e, s->graph, &s->diags, &c));
    assert_ok(backend->dispatch(c, &input, outputs, NULL, &s->diags));
    if (!backend->placement || !backend->placement(c, &on, &nodes))
        nodes = 0;
    backend->release(c);
    backend->close(e);
    return nodes;
}

static void check(enum form form, bool rms_visible, uint64_t most)
{
    struct scene s;
    float want[COUNT], raised[COUNT], spelled[COUNT], r[3][ROWS * HEADS];
    build(&s, form, rms_visible);
    run(&s, "cpu", "", want, r[0]);
    uint64_t few = run(&s, "onnx", "on", raised, r[1]),
             many = run(&s, "onnx", "off", spelled, r[2]);
    if (few > most || few >= many)
        fail_msg("%d nodes, at most %d and fewer than %d are expected", (int)few, (int)most,
                 (int)many);
    for (int i = 0; i < COUNT; i++)
        if (fabsf(want[i] - raised[i]) > 1e-5F || fabsf(want[i] - spelled[i]) > 1e-5F)
            fail_msg("element %d: raised %g, spelled out %g, must be %g", i, (double)raised[i],
                     (double)spelled[i], (double)want[i]);
    for (int i = 0; rms_visible && i < ROWS * HEADS; i++)
        assert_true(fabsf(r[0][i] - r[1][i]) <= 1e-5F);
    graph_free(s.graph);
    builder_free(&s.builder);
    diags_free(&s.diags);
}

/* Norm, reshape and rotary and reshape, product. */
static void norm_and_rotary(void **state)
{
    (void)state;
    check(BY_FACTOR, false, 5);
    check(BY_ROOT, false, 5);
    check(BY_QUOTIENT, false, 5);
}

/* The factor stays for its other reader, the rest goes. */
static void a_factor_that_is_read_elsewhere_stays(void **state)
{
    (void)state;
    check(BY_FACTOR, true, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(norm_and_rotary, need_runtime),
        cmocka_unit_test_setup(a_factor_that_is_read_elsewhere_stays, need_runtime),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
