/* Passes: what goes, what stays, under which ids and names. */
#include "graphs.h"
#include "webnn/passes.h"

#include <string.h>

/* ---- the graph as text, to compare ---- */

static char *graph_text(const struct graph *g, struct arena *a)
{
    char *text = arena_printf(a, "in");
    for (size_t i = 0; i < g->inputs.count; i++)
        text = arena_printf(a, "%s %u", text, g->inputs.items[i]);
    for (size_t i = 0; i < g->operators.count; i++) {
        const struct operator_node *node = &g->operators.items[i];
        text = arena_printf(a, "%s; %u = %s(", text, node->first_result,
                            operator_row(node->kind)->name);
        for (uint32_t k = 0; k < node->operand_count; k++)
            text = arena_printf(a, "%s%s%u", text, k ? " " : "", node->operands[k]);
        text = arena_printf(a, "%s)", text);
    }
    text = arena_printf(a, "%s; out", text);
    for (size_t i = 0; i < g->outputs.count; i++)
        text = arena_printf(a, "%s %s=%u", text,
                            (const char *)names_text(&g->names, g->outputs.items[i].name).data,
                            g->outputs.items[i].operand);
    return text;
}

/* Ids and sources fit together. */
static void check_consistent(const struct graph *g)
{
    size_t results = 0;
    for (size_t i = 0; i < g->inputs.count; i++) {
        assert_int_equal(graph_operand(g, g->inputs.items[i])->kind, OPERAND_INPUT);
        assert_int_equal(graph_operand(g, g->inputs.items[i])->source, i);
    }
    for (size_t i = 0; i < g->constants.count; i++) {
        assert_int_equal(graph_operand(g, g->constants.items[i])->kind, OPERAND_CONSTANT);
        assert_true(graph_operand(g, g->constants.items[i])->source < g->weights.count);
    }
    for (operator_id i = 0; i < g->operators.count; i++) {
        const struct operator_node *node = &g->operators.items[i];
        for (uint32_t k = 0; k < node->operand_count; k++)
            assert_true(node->operands[k] == NO_ID || node->operands[k] < node->first_result);
        for (uint32_t k = 0; k < node->result_count; k++, results++) {
            assert_int_equal(graph_operand(g, node->first_result + k)->source, i);
            assert_int_equal(graph_operand(g, node->first_result + k)->result_index, k);
        }
    }
    assert_int_equal(g->inputs.count + g->constants.count + results, g->operands.count);
}

static void expect_graph(const struct graph *g, const char *wanted)
{
    struct arena a;
    arena_init(&a, NULL);
    check_consistent(g);
    assert_string_equal(graph_text(g, &a), wanted);
    arena_free(&a);
}

/* ---- dead code ---- */

static void what_no_output_needs_goes(void **state)
{
    struct bench b;
    bench_open(&b);
    operand_id x = input(&b, "x", shape(DTYPE_FLOAT32, 1, 4, 0)),
               unused = input(&b, "u", shape(DTYPE_FLOAT32, 1, 4, 0));
    operand_id two = constant(&b, 2), three = constant(&b, 3);
    op(&b, WEBNN_MUL, unused, two, NULL);
    operand_id y = op(&b, WEBNN_ADD, x, three, NULL);
    op(&b, WEBNN_NEG, y, NO_ID, NULL);
    output(&b, "y", y);
    struct graph *g = built(&b);
    assert_ok(pass_dead_code(g, false, NULL));
    expect_graph(g, "in 0 1; 3 = add(0 2); out y=3");
    assert_int_equal(g->weights.count, 1);
    float value;
    memcpy(&value, graph_weight(g, 2)->bytes, 4);
    assert_true(value == 3);
    assert_span(names_text(&g->names, graph_operand(g, 1)->identifier), "u");
    assert_ok(pass_dead_code(g, true, NULL));
    expect_graph(g, "in 0; 2 = add(0 1); out y=2");
    assert_ok(pass_dead_code(g, true, NULL));
    expect_graph(g, "in 0; 2 = add(0 1); out y=2");
    graph_free(g);
    bench_close(&b);
    (void)state;
}

static void all_results_of_a_needed_operator_stay(void **state)
{
    struct bench b;
    struct webnn_split_attributes split = { .splits = { .equal = true, .count = 3 } };
    operand_id parts[3];
    uint32_t count = 3;
    bench_open(&b);
    operand_id x = input(&b, "x", shape(DTYPE_FLOAT32, 1, 6, 0));
    op(&b, WEBNN_NEG, x, NO_ID, NULL);
    assert_ok(builder_op(&b.builder, WEBNN_SPLIT, &x, 1, &split, SPAN(""), parts, &count));
    output(&b, "y", op(&b, WEBNN_NEG, parts[1], NO_ID, NULL));
    struct graph *g = built(&b);
    assert_ok(pass_dead_code(g, false, NULL));
    expect_graph(g, "in 0; 1 = split(0); 4 = neg(2); out y=4");
    graph_free(g);
    bench_close(&b);
    (void)state;
}

/* `mask` gives its size to the result although nobody reads it. */
static void inputs_that_alone_name_a_dim_stay(void **state)
{
    struct bench b;
    bench_open(&b);
    dim n = named(&b, "n", 8), m = named(&b, "m", 8), k = named(&b, "k", 8);
    operand_id x = input(&b, "x", shape(DTYPE_FLOAT32, 1, 1, 0));
    input(&b, "only_k", shape(DTYPE_FLOAT32, 1, k, 0));
    input(&b, "mask", shape(DTYPE_FLOAT32, 2, n, m));
    input(&b, "also_n", shape(DTYPE_FLOAT32, 1, n, 0));
    struct webnn_expand_attributes expand = { .new_shape = {
                                                  .given = true, .count = 2, .items = { 0, n } } };
    assert_ok(dim_apply(b.builder.graph->exprs, EXPR_ADD, n, 1, &expand.new_shape.items[0]));
    output(&b, "y", op(&b, WEBNN_EXPAND, x, NO_ID, &expand));
    struct graph *g = built(&b);
    assert_ok(pass_dead_code(g, true, NULL));
    expect_graph(g, "in 0 1; 2 = expand(0); out y=2");
    assert_span(names_text(&g->names, graph_operand(g, 1)->identifier), "mask");
    graph_free(g);
    bench_close(&b);
    (void)state;
}

static void constraints_go_with_their_operators(void **state)
{
    struct bench b;
    operand_id r;
    uint32_t count = 1;
    bench_open(&b);
    operand_id x = input(&b, "x", shape(DTYPE_FLOAT32, 1, named(&b, "n", 8), 0));
    operand_id y = input(&b, "y", shape(DTYPE_FLOAT32, 1, named(&b, "m", 8), 0));
    operand_id z = input(&b, "z", shape(DTYPE_FLOAT32, 1, named(&b, "k", 8), 0)), xz[] = { x, z };
    op(&b, WEBNN_ADD, x, y, NULL);
    op(&b, WEBNN_ADD, x, z, NULL);
    assert_ok(builder_op(&b.builder, WEBNN_MUL, xz, 2, NULL, SPAN("kept"), &r, &count));
    output(&b, "r", r);
    struct graph *g = built(&b);
    assert_int_equal(g->constraints.count, 2);
    assert_ok(pass_dead_code(g, false, NULL));
    assert_int_equal(g->constraints.count, 1);
    assert_int_equal(g->constraints.items[0].kind, WEBNN_MUL);
    assert_string_equal(g->constraints.items[0].label, "kept");
    graph_free(g);
    bench_close(&b);
    (void)state;
}

static void labels_follow_their_operand(void **state)
{
    struct bench b;
    bench_open(&b);
    operand_id x = input(&b, "x", shape(DTYPE_FLOAT32, 0, 0, 0)),
               dead = op(&b, WEBNN_NEG, x, NO_ID, NULL);
    operand_id y = op(&b, WEBNN_ABS, x, NO_ID, NULL);
    output(&b, "y", y);
    struct graph *g = built(&b);
    assert_true(VEC_PUSH(&g->labels, (struct graph_labels){ .operand = dead }));
    assert_true(VEC_PUSH(&g->labels, (struct graph_labels){ .operand = y }));
    assert_ok(pass_dead_code(g, false, NULL));
    assert_int_equal(g->labels.count, 1);
    assert_int_equal(g->labels.items[0].operand, 1);
    graph_free(g);
    bench_close(&b);
    (void)state;
}

/* ---- common subexpressions ---- */

static void equal_operators_become_one(void **state)
{
    struct bench b;
    bench_open(&b);
    operand_id x = input(&b, "x", shape(DTYPE_FLOAT32, 1, 4, 0));
    operand_id c = constant(&b, 2), same = constant(&b, 2), other = constant(&b, 3);
    operand_id p = op(&b, WEBNN_MUL, x, c, NULL), q = op(&b, WEBNN_MUL, x, same, NULL),
               r = op(&b, WEBNN_MUL, x, other, NULL);
    operand_id s = op(&b, WEBNN_ADD, p, q, NULL), t = op(&b, WEBNN_ADD, q, p, NULL);
    output(&b, "y", op(&b, WEBNN_SUB, op(&b, WEBNN_SUB, s, t, NULL), r, NULL));
    struct graph *g = built(&b);
    assert_ok(pass_common_subexpressions(g, NULL));
    expect_graph(
        g, "in 0; 3 = mul(0 1); 4 = mul(0 2); 5 = add(3 3); 6 = sub(5 5); 7 = sub(6 4); out y=7");
    assert_int_equal(g->constants.count, 2);
    graph_free(g);
    bench_close(&b);
    (void)state;
}

static void attributes_must_be_equal(void **state)
{
    struct bench b;
    uint32_t first[] = { 1, 3 }, again[] = { 1, 3 }, other[] = { 2, 2 };
    struct webnn_split_attributes splits[] = {
        { .splits = { .count = 2, .items = first } },
        { .splits = { .count = 2, .items = again } },
        { .splits = { .count = 2, .items = other } },
        { .splits = { .equal = true, .count = 2 } },
    };
    operand_id parts[4][2];
    bench_open(&b);
    operand_id x = input(&b, "x", shape(DTYPE_FLOAT32, 1, 4, 0));
    for (int i = 0; i < 4; i++) {
        uint32_t count = 2;
        assert_ok(builder_op(&b.builder, WEBNN_SPLIT, &x, 1, &splits[i],
                             i ? SPAN("later") : SPAN("first"), parts[i], &count));
    }
    /* number kinds, bounds, padding bytes of the struct */
    struct webnn_clamp_attributes clamps[3];
    memset(clamps, 0xee, sizeof clamps);
    for (int i = 0; i < 3; i++) {
        clamps[i].min_value.kind = WEBNN_NUMBER_INT;
        clamps[i].min_value.i = i == 2 ? 1 : 0;
        clamps[i].max_value = (struct webnn_number){ .kind = WEBNN_NUMBER_NONE };
        clamps[i].max_value.u = (uint64_t)i;
    }
    operand_id k[3];
    for (int i = 0; i < 3; i++)
        k[i] = op(&b, WEBNN_CLAMP, parts[i][1], NO_ID, &clamps[i]);
    operand_id z = op(&b, WEBNN_CLAMP, parts[0][1], NO_ID, &clamps[2]);
    output(&b, "a", op(&b, WEBNN_ADD, k[0], k[1], NULL));
    output(&b, "b", op(&b, WEBNN_MUL, k[2], parts[3][0], NULL));
    output(&b, "c", z);
    struct graph *g = built(&b);
    assert_ok(pass_common_subexpressions(g, NULL));
    expect_graph(
        g,
        "in 0; 1 = split(0); 3 = split(0); 5 = split(0); 7 = clamp(2); 8 = clamp(4); 9 = clamp(2); "
        "10 = add(7 7); 11 = mul(8 5); out a=10 b=11 c=9");
    assert_span(names_text(&g->names, g->operators.items[0].label), "first");
    graph_free(g);
    bench_close(&b);
    (void)state;
}

static void outputs_keep_their_bindings(void **state)
{
    struct bench b;
    bench_open(&b);
    operand_id x = input(&b, "x", shape(DTYPE_FLOAT32, 1, 4, 0)),
               p = op(&b, WEBNN_NEG, x, NO_ID, NULL);
    operand_id q = op(&b, WEBNN_NEG, x, NO_ID, NULL), r = op(&b, WEBNN_NEG, x, NO_ID, NULL),
               s = op(&b, WEBNN_ABS, r, NO_ID, NULL);
    assert_ok(builder_set_original(&b.builder, q, SPAN("model/q:0")));
    output(&b, "q", q);
    output(&b, "r", r);
    output(&b, "s", s);
    output(&b, "p_too", op(&b, WEBNN_ADD, p, q, NULL));
    struct graph *g = built(&b);
    assert_true(VEC_PUSH(&g->labels, (struct graph_labels){ .operand = q }));
    assert_ok(pass_common_subexpressions(g, NULL));
    /* q's place is the first one, r stays an operand of its own for its binding only */
    expect_graph(g,
                 "in 0; 1 = neg(0); 2 = neg(0); 3 = abs(1); 4 = add(1 1); out q=1 r=2 s=3 p_too=4");
    assert_span(names_text(&g->names, graph_operand(g, 1)->original), "model/q:0");
    assert_int_equal(graph_find_output(g, SPAN("q")), 1);
    assert_int_equal(g->labels.items[0].operand, 1);
    graph_free(g);
    bench_close(&b);
    (void)state;
}

static void absent_operands_differ_from_given_ones(void **state)
{
    struct bench b;
    operand_id ids[3], results[4];
    bench_open(&b);
    ids[0] = input(&b, "x", shape(DTYPE_FLOAT32, 2, 2, 2));
    operand_id scale = input(&b, "scale", shape(DTYPE_FLOAT32, 1, 2, 0));
    for (int i = 0; i < 4; i++) {
        uint32_t count = 1;
        ids[1] = i % 2 ? scale : NO_ID;
        ids[2] = i % 2 ? NO_ID : scale;
        assert_ok(builder_op(&b.builder, WEBNN_LAYER_NORMALIZATION, ids, 3, NULL, SPAN(""),
                             &results[i], &count));
    }
    output(&b, "y",
           op(&b, WEBNN_ADD, op(&b, WEBNN_ADD, results[0], results[1], NULL),
              op(&b, WEBNN_ADD, results[2], results[3], NULL), NULL));
    struct graph *g = built(&b);
    assert_ok(pass_common_subexpressions(g, NULL));
    assert_int_equal(g->operators.count, 4);
    check_consistent(g);
    graph_free(g);
    bench_close(&b);
    (void)state;
}

/* ---- size ---- */

/* A chain with a dead and an equal node at every step. */
static void large_graphs_take_linear_time(void **state)
{
    enum { STEPS = 50000 };
    struct bench b;
    bench_open(&b);
    operand_id x = input(&b, "x", shape(DTYPE_FLOAT32, 1, named(&b, "n", 8), 0)), y = x;
    for (int i = 0; i < STEPS; i++) {
        operand_id c = constant(&b, (float)i);
        op(&b, WEBNN_SUB, y, c, NULL);
        operand_id p = op(&b, WEBNN_ADD, y, c, NULL), q = op(&b, WEBNN_ADD, y, c, NULL);
        y = op(&b, WEBNN_MUL, p, q, NULL);
    }
    output(&b, "y", y);
    struct graph *g = built(&b);
    assert_ok(pass_dead_code(g, false, NULL));
    assert_int_equal(g->operators.count, 3 * STEPS);
    assert_ok(pass_common_subexpressions(g, NULL));
    assert_int_equal(g->operators.count, 2 * STEPS);
    check_consistent(g);
    graph_free(g);
    bench_close(&b);
    (void)state;
}

/* ---- limits ---- */

static void every_refusal_is_reported(void **state)
{
    struct bench b;
    struct limits limits;
    bench_open(&b);
    operand_id x = input(&b, "x", shape(DTYPE_INT64, 1, 4, 0)),
               h = input(&b, "h", shape(DTYPE_FLOAT16, 2, 0, 5)), results[2];
    operand_id xx[] = { x, x };
    uint32_t count = 1;
    assert_ok(builder_op(&b.builder, WEBNN_ADD, xx, 2, NULL, SPAN("sum"), &results[0], &count));
    assert_ok(builder_op(&b.builder, WEBNN_GELU, &h, 1, NULL, SPAN("act"), &results[1], &count));
    output(&b, "sum", results[0]);
    output(&b, "act", results[1]);
    struct graph *g = built(&b);
    assert_ok(graph_check_limits(g, &b.limits, &b.diags));
    assert_int_equal(b.diags.count, 0);
    limits = b.limits;
    limits.name = "small";
    limits.input.dtypes = limits.output.dtypes =
        DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16);
    limits.operators[WEBNN_ADD][0].dtypes = limits.operators[WEBNN_ADD][1].dtypes =
        DTYPE_BIT(DTYPE_FLOAT32);
    limits.operators[WEBNN_ADD][2].rank_max = 0;
    limits.refused[WEBNN_GELU] = true;
    assert_status(graph_check_limits(g, &limits, &b.diags), O2W_UNSUPPORTED);
    assert_diags_text(
        &b.diags,
        "error[op.limits]: input 'x': descriptor is int64, small allows float32 or float16\n"
        "error[op.limits]: add 'sum': a is int64, small allows float32\n"
        "error[op.limits]: add 'sum': b is int64, small allows float32\n"
        "error[op.limits]: add 'sum': output has rank 1, small allows 0…0\n"
        "error[op.limits]: gelu 'act': small does not have this operator\n"
        "error[op.limits]: output 'sum': descriptor is int64, small allows float32 or float16\n");
    graph_free(g);
    bench_close(&b);
    (void)state;
}

/* ---- memory ---- */

static o2w_status make_and_shrink(struct builder *b, struct diags *d, struct graph **out)
{
    struct descriptor d1 = { .dtype = DTYPE_FLOAT32, .rank = 1 };
    struct limits limits;
    operand_id x, y, ids[2], r[3];
    uint32_t count = 1;
    expr_id e;
    TRY(expr_name(b->graph->exprs, SPAN("n"), 0, 8, d, &e));
    d1.dims[0] = dim_of_expr_id(e);
    TRY(builder_input(b, SPAN("x"), &d1, &x));
    TRY(expr_name(b->graph->exprs, SPAN("m"), 0, 8, d, &e));
    d1.dims[0] = dim_of_expr_id(e);
    TRY(builder_input(b, SPAN("y"), &d1, &y));
    ids[0] = x, ids[1] = y;
    for (int i = 0; i < 3; i++)
        TRY(builder_op(b, i == 2 ? WEBNN_SUB : WEBNN_ADD, ids, 2, NULL, SPAN("op"), &r[i], &count));
    ids[0] = r[0], ids[1] = r[1];
    TRY(builder_op(b, WEBNN_MUL, ids, 2, NULL, SPAN(""), &r[2], &count));
    TRY(builder_output(b, SPAN("z"), r[2]));
    TRY(builder_build(b, out));
    TRY(pass_dead_code(*out, true, d));
    TRY(pass_common_subexpressions(*out, d));
    limits_own(&limits);
    return graph_check_limits(*out, &limits, d);
}

static o2w_status run_passes(const o2w_allocator *allocator, void *user)
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
        status = make_and_shrink(&b, &d, &g);
        if (g)
            check_consistent(g);
        builder_free(&b);
        graph_free(g);
    }
    diags_free(&d);
    return status;
}

static void every_failed_allocation_is_reported(void **state)
{
    assert_true(sweep_allocations(run_passes, NULL) > 40);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_no_output_needs_goes),
        cmocka_unit_test(all_results_of_a_needed_operator_stay),
        cmocka_unit_test(inputs_that_alone_name_a_dim_stay),
        cmocka_unit_test(constraints_go_with_their_operators),
        cmocka_unit_test(labels_follow_their_operand),
        cmocka_unit_test(equal_operators_become_one),
        cmocka_unit_test(attributes_must_be_equal),
        cmocka_unit_test(outputs_keep_their_bindings),
        cmocka_unit_test(absent_operands_differ_from_given_ones),
        cmocka_unit_test(large_graphs_take_linear_time),
        cmocka_unit_test(every_refusal_is_reported),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
