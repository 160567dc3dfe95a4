/* Recording: every call is checked and atomic. */
#include "graphs.h"

#include <math.h>
#include <string.h>

/* ---- inputs and outputs ---- */

static void input_names_are_non_empty_and_unique(void **state)
{
    struct bench b;
    operand_id id = 77;
    struct descriptor d = shape(DTYPE_FLOAT32, 2, 2, 3);
    bench_open(&b);
    assert_status(builder_input(&b.builder, SPAN(""), &d, &id), O2W_INVALID_ARGUMENT);
    expect_message(&b, DIAG_BUILD_ARGUMENT, "an input needs a name");
    input(&b, "x", d);
    assert_status(builder_input(&b.builder, SPAN("x"), &d, &id), O2W_INVALID_ARGUMENT);
    expect_message(&b, DIAG_BUILD_ARGUMENT, "input 'x' is already there");
    assert_int_equal(id, 77);
    assert_int_equal(b.builder.graph->inputs.count, 1);
    input(&b, "y", d);
    assert_span(names_text(&b.builder.graph->names, graph_operand(b.builder.graph, 1)->identifier),
                "y");
    assert_int_equal(graph_operand(b.builder.graph, 1)->source, 1);
    bench_close(&b);
    (void)state;
}

static void descriptors_are_held_to_the_limits(void **state)
{
    struct bench b;
    operand_id id;
    bench_open(&b);
    b.limits.min_dimension = 1;
    b.limits.dynamic_dims = false;
    struct descriptor empty = shape(DTYPE_FLOAT32, 1, 0, 0), wide = shape(DTYPE_FLOAT64, 1, 1, 0);
    struct descriptor open = shape(DTYPE_FLOAT32, 1, named(&b, "n", 8), 0);
    assert_status(builder_input(&b.builder, SPAN("x"), &empty, &id), O2W_INVALID_ARGUMENT);
    assert_status(builder_input(&b.builder, SPAN("x"), &wide, &id), O2W_INVALID_ARGUMENT);
    assert_status(builder_input(&b.builder, SPAN("x"), &open, &id), O2W_UNSUPPORTED);
    b.limits.constant.dtypes &= ~DTYPE_BIT(DTYPE_FLOAT32);
    b.limits.output.dtypes &= ~DTYPE_BIT(DTYPE_FLOAT32);
    struct descriptor scalar = { .dtype = DTYPE_FLOAT32 };
    float one = 1;
    assert_status(builder_constant_bytes(&b.builder, &scalar, &one, 4, false, &id),
                  O2W_UNSUPPORTED);
    operand_id x = input(&b, "x", scalar), y = op(&b, WEBNN_RELU, x, NO_ID, NULL);
    assert_status(builder_output(&b.builder, SPAN("y"), y), O2W_UNSUPPORTED);
    bench_close(&b);
    (void)state;
}

static void dims_of_inputs_are_numbers_or_names(void **state)
{
    struct bench b;
    operand_id id;
    dim sum;
    bench_open(&b);
    assert_ok(dim_apply(b.builder.graph->exprs, EXPR_ADD, named(&b, "n", 8), 1, &sum));
    struct descriptor d = shape(DTYPE_FLOAT32, 2, named(&b, "n", 8), sum);
    assert_status(builder_input(&b.builder, SPAN("x"), &d, &id), O2W_INVALID_ARGUMENT);
    expect_message(&b, DIAG_BUILD_ARGUMENT, "input 'x': shape[1] must be a number or one name");
    bench_close(&b);
    (void)state;
}

static void outputs_are_results_under_unique_names(void **state)
{
    struct bench b;
    struct graph *g = NULL;
    bench_open(&b);
    operand_id x = input(&b, "x", shape(DTYPE_FLOAT32, 0, 0, 0)), c = constant(&b, 1),
               y = op(&b, WEBNN_ADD, x, c, NULL);
    assert_status(builder_build(&b.builder, &g), O2W_INVALID_ARGUMENT);
    expect_message(&b, DIAG_BUILD_ARGUMENT, "a graph needs at least one output");
    assert_status(builder_output(&b.builder, SPAN("o"), x), O2W_INVALID_ARGUMENT);
    assert_string_equal(b.diags.newest->hint, "identity of it can be an output");
    expect_message(&b, DIAG_BUILD_ARGUMENT, "output 'o' is an input");
    assert_status(builder_output(&b.builder, SPAN("o"), c), O2W_INVALID_ARGUMENT);
    expect_message(&b, DIAG_BUILD_ARGUMENT, "output 'o' is a constant");
    assert_status(builder_output(&b.builder, SPAN("o"), 17), O2W_INVALID_ARGUMENT);
    expect_message(&b, DIAG_BUILD_ARGUMENT, "output 'o': the operand is not of this builder");
    assert_status(builder_output(&b.builder, SPAN(""), y), O2W_INVALID_ARGUMENT);
    expect_message(&b, DIAG_BUILD_ARGUMENT, "an output needs a name");
    output(&b, "o", y);
    assert_status(builder_output(&b.builder, SPAN("o"), y), O2W_INVALID_ARGUMENT);
    expect_message(&b, DIAG_BUILD_ARGUMENT, "output 'o' is already there");
    output(&b, "x", y); /* inputs and outputs have names of their own */
    g = built(&b);
    assert_int_equal(g->outputs.count, 2);
    graph_free(g);
    bench_close(&b);
    (void)state;
}

static void after_build_every_call_is_refused(void **state)
{
    struct bench b;
    struct descriptor d = { .dtype = DTYPE_FLOAT32 };
    struct webnn_number one = { .kind = WEBNN_NUMBER_INT, .i = 1 };
    operand_id id;
    uint32_t count = 1;
    bench_open(&b);
    operand_id x = input(&b, "x", d), y = op(&b, WEBNN_RELU, x, NO_ID, NULL);
    output(&b, "y", y);
    struct graph *g = built(&b), *other = NULL;
    assert_status(builder_input(&b.builder, SPAN("z"), &d, &id), O2W_INVALID_STATE);
    assert_status(builder_constant_fill(&b.builder, &d, one, &id), O2W_INVALID_STATE);
    assert_status(builder_op(&b.builder, WEBNN_RELU, &x, 1, NULL, SPAN(""), &id, &count),
                  O2W_INVALID_STATE);
    assert_status(builder_output(&b.builder, SPAN("z"), y), O2W_INVALID_STATE);
    assert_status(builder_set_original(&b.builder, x, SPAN("z")), O2W_INVALID_STATE);
    assert_status(builder_build(&b.builder, &other), O2W_INVALID_STATE);
    expect_message(&b, DIAG_BUILD_STATE, "the graph was built, its builder takes no more calls");
    assert_null(other);
    graph_free(g);
    bench_close(&b);
    (void)state;
}

/* ---- operators ---- */

static void results_follow_the_operator(void **state)
{
    struct bench b;
    uint32_t sizes[] = { 1, 2, 3 }, count = 5;
    struct webnn_split_attributes split = { .splits = { .count = 3, .items = sizes }, .axis = 1 };
    operand_id results[5];
    bench_open(&b);
    operand_id x = input(&b, "x", shape(DTYPE_FLOAT16, 2, 2, 6));
    assert_int_equal(builder_result_count(WEBNN_SPLIT, &split, 0), 3);
    assert_ok(builder_op(&b.builder, WEBNN_SPLIT, &x, 1, &split, SPAN("cut"), results, &count));
    memset(sizes, 0xff, sizeof sizes); /* the list was copied */
    assert_int_equal(count, 3);
    const struct graph *g = b.builder.graph;
    const struct operator_node *node = &g->operators.items[0];
    const struct webnn_split_attributes *kept = node->attributes;
    assert_int_equal(
        kept->splits.items[0] + kept->splits.items[1] * 10 + kept->splits.items[2] * 100, 321);
    assert_int_equal(node->first_result, results[0]);
    assert_int_equal(node->result_count, 3);
    assert_span(names_text(&g->names, node->label), "cut");
    for (uint32_t i = 0; i < 3; i++) {
        const struct operand *o = graph_operand(g, results[i]);
        assert_int_equal(results[i], results[0] + i);
        assert_int_equal(o->result_index, i);
        assert_int_equal(o->source, 0);
        assert_int_equal(o->kind, OPERAND_RESULT);
        assert_int_equal(o->dtype, DTYPE_FLOAT16);
        assert_int_equal(o->dims[1], i + 1);
    }
    bench_close(&b);
    (void)state;
}

static void a_failed_operator_leaves_no_trace(void **state)
{
    struct bench b;
    operand_id result = 99;
    uint32_t count = 1;
    bench_open(&b);
    operand_id x = input(&b, "x", shape(DTYPE_FLOAT32, 2, 2, 3)),
               y = input(&b, "y", shape(DTYPE_FLOAT32, 2, 4, 5));
    operand_id wrong[] = { x, y }, foreign[] = { x, 55 };
    size_t operands = b.builder.graph->operands.count;
    assert_status(builder_op(&b.builder, WEBNN_ADD, wrong, 2, NULL, SPAN("sum"), &result, &count),
                  O2W_INVALID_ARGUMENT);
    assert_int_equal(b.diags.newest->code, DIAG_OP_INVALID);
    assert_true(strncmp(b.diags.newest->message, "add 'sum': ", 11) == 0);
    assert_status(builder_op(&b.builder, WEBNN_ADD, foreign, 2, NULL, SPAN("sum"), &result, &count),
                  O2W_INVALID_ARGUMENT);
    expect_message(&b, DIAG_BUILD_ARGUMENT, "add 'sum': an operand is not of this builder");
    count = 0;
    assert_status(builder_op(&b.builder, WEBNN_RELU, &x, 1, NULL, SPAN(""), &result, &count),
                  O2W_INVALID_ARGUMENT);
    expect_message(&b, DIAG_BUILD_ARGUMENT, "relu: there is no room for all its results");
    assert_status(
        builder_op(&b.builder, WEBNN_OPERATOR_COUNT, &x, 1, NULL, SPAN(""), &result, &count),
        O2W_INVALID_ARGUMENT);
    assert_int_equal(result, 99);
    assert_int_equal(b.builder.graph->operators.count, 0);
    assert_int_equal(b.builder.graph->operands.count, operands);
    op(&b, WEBNN_RELU, x, NO_ID, NULL);
    bench_close(&b);
    (void)state;
}

static void attributes_are_kept_resolved(void **state)
{
    struct bench b;
    bench_open(&b);
    operand_id x = input(&b, "x", shape(DTYPE_FLOAT32, 2, 2, 3)),
               y = op(&b, WEBNN_TRANSPOSE, x, NO_ID, NULL);
    const struct webnn_transpose_attributes *a = b.builder.graph->operators.items[0].attributes;
    assert_true(a->permutation.given);
    assert_int_equal(a->permutation.count, 2);
    assert_int_equal(a->permutation.items[0], 1);
    assert_int_equal(graph_operand(b.builder.graph, y)->dims[0], 3);
    bench_close(&b);
    (void)state;
}

static void undecided_dims_become_constraints_once(void **state)
{
    struct bench b;
    bench_open(&b);
    dim n = named(&b, "n", 8), m = named(&b, "m", 8);
    operand_id x = input(&b, "x", shape(DTYPE_FLOAT32, 1, n, 0)),
               y = input(&b, "y", shape(DTYPE_FLOAT32, 1, m, 0));
    op(&b, WEBNN_ADD, x, y, NULL);
    op(&b, WEBNN_SUB, y, x, NULL);
    op(&b, WEBNN_ADD, x, x, NULL);
    struct graph *g = b.builder.graph;
    assert_int_equal(g->constraints.count, 1);
    assert_int_equal(g->constraints.items[0].kind, WEBNN_ADD);
    assert_string_equal(g->constraints.items[0].label, "");
    assert_true(graph_has_dynamic_dims(g));
    bench_close(&b);
    (void)state;
}

static void dim_names_that_read_as_sums_are_constraints(void **state)
{
    struct bench b;
    struct arena a;
    bench_open(&b);
    arena_init(&a, NULL);
    dim total = named(&b, "past + seq", 16), past = named(&b, "past", 8), seq = named(&b, "seq", 8);
    operand_id x = input(&b, "mask", shape(DTYPE_FLOAT32, 1, total, 0));
    input(&b, "ids", shape(DTYPE_FLOAT32, 2, past, seq));
    named(&b, "seq * 2", 16); /* no input has it */
    output(&b, "y", op(&b, WEBNN_RELU, x, NO_ID, NULL));
    struct graph *g = built(&b);
    assert_int_equal(g->constraints.count, 1);
    const struct constraint *c = &g->constraints.items[0];
    assert_int_equal(c->kind, WEBNN_OPERATOR_COUNT);
    assert_string_equal(expr_text(g->exprs, c->a, &a), "past + seq");
    assert_string_equal(expr_text(g->exprs, c->b, &a), "(past + seq)");
    arena_free(&a);
    graph_free(g);
    bench_close(&b);
    (void)state;
}

/* ---- constants ---- */

static weight_id weight_of(const struct bench *b, operand_id id)
{
    assert_int_equal(graph_operand(b->builder.graph, id)->kind, OPERAND_CONSTANT);
    return graph_operand(b->builder.graph, id)->source;
}

static operand_id bytes(struct bench *b, enum dtype t, dim count, const void *data, size_t size,
                        bool borrowed)
{
    struct descriptor d = shape(t, 1, count, 0);
    operand_id id = NO_ID;
    assert_ok(builder_constant_bytes(&b->builder, &d, data, size, borrowed, &id));
    return id;
}

static void equal_small_bytes_share_a_weight(void **state)
{
    struct bench b;
    static uint8_t big[70000], same[70000];
    uint8_t first[] = { 1, 2, 3, 4 }, second[] = { 1, 2, 3, 4 }, third[] = { 1, 2, 3, 5 };
    bench_open(&b);
    operand_id x = bytes(&b, DTYPE_UINT8, 4, first, 4, false);
    assert_int_equal(weight_of(&b, x), weight_of(&b, bytes(&b, DTYPE_UINT8, 4, second, 4, true)));
    assert_int_not_equal(weight_of(&b, x),
                         weight_of(&b, bytes(&b, DTYPE_UINT8, 4, third, 4, true)));
    assert_int_not_equal(weight_of(&b, x), weight_of(&b, bytes(&b, DTYPE_INT8, 4, first, 4, true)));
    assert_int_not_equal(weight_of(&b, x),
                         weight_of(&b, bytes(&b, DTYPE_FLOAT32, 1, first, 4, true)));
    assert_int_equal(weight_of(&b, x), weight_of(&b, bytes(&b, DTYPE_UINT8, 4, second, 4, false)));
    assert_int_not_equal(weight_of(&b, bytes(&b, DTYPE_UINT8, 70000, big, 70000, true)),
                         weight_of(&b, bytes(&b, DTYPE_UINT8, 70000, same, 70000, true)));
    assert_int_equal(weight_of(&b, bytes(&b, DTYPE_UINT8, 0, NULL, 0, true)),
                     weight_of(&b, bytes(&b, DTYPE_UINT8, 0, first, 0, false)));
    memset(first, 9, sizeof first); /* was copied */
    const struct weight *w = graph_weight(b.builder.graph, x);
    assert_memory_equal(w->bytes, second, 4);
    bench_close(&b);
    (void)state;
}

static void transforms_are_part_of_identity(void **state)
{
    struct bench b;
    const uint8_t data[] = { 0x12, 0x34 };
    struct descriptor d = shape(DTYPE_INT4, 1, 4, 0);
    struct weight w = {
        .source = WEIGHT_BYTES, .dtype = DTYPE_INT4, .from = DTYPE_INT4, .count = 4, .bytes = data
    };
    operand_id plain, flipped, again, other;
    bench_open(&b);
    assert_ok(builder_constant(&b.builder, &d, &w, SPAN("a"), &plain));
    w.transform = WEIGHT_XOR;
    w.from = DTYPE_UINT4;
    w.flip = 0x88;
    assert_ok(builder_constant(&b.builder, &d, &w, SPAN("b"), &flipped));
    assert_ok(builder_constant(&b.builder, &d, &w, SPAN("c"), &again));
    w.flip = 0x11;
    assert_ok(builder_constant(&b.builder, &d, &w, SPAN("d"), &other));
    assert_int_not_equal(weight_of(&b, plain), weight_of(&b, flipped));
    assert_int_equal(weight_of(&b, flipped), weight_of(&b, again));
    assert_int_not_equal(weight_of(&b, flipped), weight_of(&b, other));
    assert_span(graph_operand_name(b.builder.graph, again, NULL), "c");
    bench_close(&b);
    (void)state;
}

static void constants_are_static_and_of_the_right_size(void **state)
{
    struct bench b;
    operand_id id;
    float one = 1;
    bench_open(&b);
    struct descriptor open = shape(DTYPE_FLOAT32, 1, named(&b, "n", 8), 0),
                      two = shape(DTYPE_FLOAT32, 1, 2, 0);
    assert_status(builder_constant_bytes(&b.builder, &open, &one, 4, false, &id), O2W_FORMAT);
    expect_message(&b, DIAG_CONST_DYNAMIC, "constant: constants must be static");
    assert_status(builder_constant_bytes(&b.builder, &two, &one, 4, false, &id),
                  O2W_INVALID_ARGUMENT);
    expect_message(&b, DIAG_BUILD_ARGUMENT, "constant: 4 bytes, its descriptor needs 8");
    bench_close(&b);
    (void)state;
}

static struct webnn_number whole(int64_t v)
{
    return (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = v };
}
static struct webnn_number real(double v)
{
    return (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE, .d = v };
}

static void fill_saturates_and_drops_fractions(void **state)
{
    const struct {
        enum dtype t;
        struct webnn_number value;
        uint64_t bits;
    } cases[] = {
        { DTYPE_UINT8, whole(-1), 0 },
        { DTYPE_UINT8, whole(300), 255 },
        { DTYPE_INT8, real(2.5), 2 },
        { DTYPE_INT8, real(-3.5), 0xfd },
        { DTYPE_INT32, real(3.9), 3 },
        { DTYPE_INT32, real(NAN), 0 },
        { DTYPE_INT64, real(1e30), INT64_MAX },
        { DTYPE_INT64, { .kind = WEBNN_NUMBER_UINT, .u = 9223372036854775820u }, INT64_MAX },
        { DTYPE_UINT64, { .kind = WEBNN_NUMBER_UINT, .u = UINT64_MAX }, UINT64_MAX },
        { DTYPE_FLOAT16, real(0.1), 0x2e66 },
        { DTYPE_FLOAT32, real(1e300), 0x7f800000 },
        { DTYPE_FLOAT32, real(-0.0), 0x80000000 },
        { DTYPE_INT4, whole(-100), 0x8 },
        { DTYPE_UINT4, whole(100), 0xf },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench b;
        struct descriptor d = shape(cases[i].t, 2, 3, 5);
        operand_id id, again;
        bench_open(&b);
        assert_ok(builder_constant_fill(&b.builder, &d, cases[i].value, &id));
        assert_ok(builder_constant_fill(&b.builder, &d, cases[i].value, &again));
        assert_int_equal(weight_of(&b, id), weight_of(&b, again));
        const struct weight *w = graph_weight(b.builder.graph, id);
        uint64_t bits = 0;
        memcpy(&bits, w->bytes, (dtype_info(cases[i].t)->bits + 7u) / 8);
        assert_int_equal(w->source, WEIGHT_SPLAT);
        assert_int_equal(w->count, 15);
        assert_true(bits == cases[i].bits);
        bench_close(&b);
    }
    (void)state;
}

/* ---- memory ---- */

static o2w_status record_all(struct builder *b, struct graph **out)
{
    struct descriptor d = { .dtype = DTYPE_FLOAT32, .rank = 1 },
                      scalar = { .dtype = DTYPE_FLOAT32 };
    operand_id ids[3], results[2];
    uint32_t count = 2, sizes[] = { 1, 3 };
    struct webnn_split_attributes split = { .splits = { .count = 2, .items = sizes } };
    struct webnn_number one = { .kind = WEBNN_NUMBER_INT, .i = 1 };
    float value = 2;
    expr_id e;
    TRY(expr_name(b->graph->exprs, SPAN("n"), 4, 8, NULL, &e));
    d.dims[0] = dim_of_expr_id(e);
    TRY(builder_input(b, SPAN("x"), &d, &ids[0]));
    TRY(expr_name(b->graph->exprs, SPAN("n * 1 + 0 * m"), 4, 8, NULL, &e));
    d.dims[0] = dim_of_expr_id(e);
    TRY(builder_input(b, SPAN("z"), &d, &ids[1]));
    TRY(builder_op(b, WEBNN_ADD, ids, 2, NULL, SPAN("sum"), results, &count));
    TRY(builder_constant_fill(b, &scalar, one, &ids[1]));
    TRY(builder_constant_bytes(b, &scalar, &value, 4, false, &ids[2]));
    TRY(builder_constant_bytes(b, &scalar, &value, 4, false, &ids[2]));
    ids[0] = results[0];
    TRY(builder_op(b, WEBNN_MUL, ids, 2, NULL, SPAN("scale"), results, &count));
    TRY(builder_output(b, SPAN("y"), results[0]));
    d.dims[0] = 4;
    TRY(builder_input(b, SPAN("w"), &d, &ids[0]));
    count = 2;
    TRY(builder_op(b, WEBNN_SPLIT, ids, 1, &split, SPAN(""), results, &count));
    TRY(builder_output(b, SPAN("v"), results[1]));
    TRY(builder_set_original(b, results[1], SPAN("model/v:0")));
    return builder_build(b, out);
}

static o2w_status run_builder(const o2w_allocator *allocator, void *user)
{
    struct limits limits;
    struct builder b;
    struct diags d;
    struct graph *g = NULL;
    (void)user;
    limits_own(&limits);
    diags_init(&d, allocator);
    o2w_status status = builder_init(&b, &limits, allocator, &d);
    if (status == O2W_OK) {
        status = record_all(&b, &g);
        builder_free(&b);
        graph_free(g);
    }
    diags_free(&d);
    return status;
}

static void every_failed_allocation_is_reported(void **state)
{
    assert_true(sweep_allocations(run_builder, NULL) > 30);
    (void)state;
}

/* A call that ran out of memory can be made again. */
static void a_call_can_be_repeated_after_it_failed(void **state)
{
    struct limits limits;
    limits_own(&limits);
    for (size_t fail = 0; fail < 40; fail++) {
        struct failing_allocator f;
        struct builder b;
        struct descriptor d = { .dtype = DTYPE_FLOAT32, .rank = 1 };
        operand_id ids[2], result;
        uint32_t count = 1;
        expr_id e;
        failing_allocator_init(&f, SIZE_MAX);
        assert_ok(builder_init(&b, &limits, &f.allocator, NULL));
        for (int i = 0; i < 2; i++) {
            assert_ok(expr_name(b.graph->exprs, i ? SPAN("m") : SPAN("n"), 0, 8, NULL, &e));
            d.dims[0] = dim_of_expr_id(e);
            assert_ok(builder_input(&b, i ? SPAN("y") : SPAN("x"), &d, &ids[i]));
        }
        f.fail_at = f.calls + fail;
        o2w_status status = builder_op(&b, WEBNN_ADD, ids, 2, NULL, SPAN("sum"), &result, &count);
        f.fail_at = SIZE_MAX;
        if (status != O2W_OK) {
            assert_status(status, O2W_NO_MEMORY);
            assert_int_equal(b.graph->operators.count + b.graph->constraints.count, 0);
            assert_ok(builder_op(&b, WEBNN_ADD, ids, 2, NULL, SPAN("sum"), &result, &count));
        }
        assert_int_equal(b.graph->operators.count, 1);
        assert_int_equal(b.graph->constraints.count, 1);
        assert_int_equal(b.graph->operands.count, 3);
        builder_free(&b);
    }
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(input_names_are_non_empty_and_unique),
        cmocka_unit_test(descriptors_are_held_to_the_limits),
        cmocka_unit_test(dims_of_inputs_are_numbers_or_names),
        cmocka_unit_test(outputs_are_results_under_unique_names),
        cmocka_unit_test(after_build_every_call_is_refused),
        cmocka_unit_test(results_follow_the_operator),
        cmocka_unit_test(a_failed_operator_leaves_no_trace),
        cmocka_unit_test(attributes_are_kept_resolved),
        cmocka_unit_test(undecided_dims_become_constraints_once),
        cmocka_unit_test(dim_names_that_read_as_sums_are_constraints),
        cmocka_unit_test(equal_small_bytes_share_a_weight),
        cmocka_unit_test(transforms_are_part_of_identity),
        cmocka_unit_test(constants_are_static_and_of_the_right_size),
        cmocka_unit_test(fill_saturates_and_drops_fractions),
        cmocka_unit_test(every_failed_allocation_is_reported),
        cmocka_unit_test(a_call_can_be_repeated_after_it_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
