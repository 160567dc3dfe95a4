/* Graphs: names, descriptors, values of constants. */
#include "graphs.h"

#include <string.h>

static void ports_are_found_by_original_name_then_binding_then_identifier(void **state)
{
    struct bench b;
    bench_open(&b);
    operand_id x = input(&b, "a", shape(DTYPE_FLOAT32, 0, 0, 0)),
               y = input(&b, "b", shape(DTYPE_FLOAT32, 0, 0, 0));
    operand_id p = op(&b, WEBNN_ADD, x, y, NULL), q = op(&b, WEBNN_SUB, x, y, NULL);
    assert_ok(builder_set_original(&b.builder, x, SPAN("b")));
    assert_ok(builder_set_original(&b.builder, p, SPAN("out:0")));
    assert_ok(builder_set_identifier(&b.builder, q, SPAN("q_node")));
    output(&b, "p", p);
    output(&b, "q", q);
    struct graph *g = built(&b);
    assert_int_equal(graph_find_input(g, SPAN("b")), x);
    assert_int_equal(graph_find_input(g, SPAN("a")), x);
    assert_int_equal(graph_find_input(g, SPAN("c")), NO_ID);
    assert_int_equal(graph_find_input(g, SPAN("")), NO_ID);
    assert_int_equal(graph_find_output(g, SPAN("out:0")), p);
    assert_int_equal(graph_find_output(g, SPAN("p")), p);
    assert_int_equal(graph_find_output(g, SPAN("q")), q);
    assert_int_equal(graph_find_output(g, SPAN("q_node")), q);
    assert_int_equal(graph_find_output(g, SPAN("a")), NO_ID);
    graph_free(g);
    bench_close(&b);
    (void)state;
}

static void messages_use_the_best_name(void **state)
{
    struct bench b;
    struct arena a;
    bench_open(&b);
    arena_init(&a, NULL);
    operand_id x = input(&b, "x", shape(DTYPE_FLOAT32, 0, 0, 0)),
               y = op(&b, WEBNN_RELU, x, NO_ID, NULL);
    assert_span(graph_operand_name(b.builder.graph, x, &a), "x");
    assert_span(graph_operand_name(b.builder.graph, y, &a), "operand_1");
    assert_ok(builder_set_original(&b.builder, x, SPAN("model/x:0")));
    assert_span(graph_operand_name(b.builder.graph, x, &a), "model/x:0");
    arena_free(&a);
    bench_close(&b);
    (void)state;
}

static void descriptors_are_copies(void **state)
{
    struct bench b;
    struct descriptor d;
    bench_open(&b);
    operand_id x = input(&b, "x", shape(DTYPE_INT8, 2, 0, 7)), s = constant(&b, 1);
    graph_descriptor(b.builder.graph, x, &d);
    assert_int_equal(d.dtype, DTYPE_INT8);
    assert_int_equal(d.rank, 2);
    assert_int_equal(d.dims[0] * 10 + d.dims[1], 7);
    graph_descriptor(b.builder.graph, s, &d);
    assert_int_equal(d.rank, 0);
    assert_false(graph_has_dynamic_dims(b.builder.graph));
    bench_close(&b);
    (void)state;
}

static void constants_have_shape_and_value(void **state)
{
    struct bench b;
    struct arena a;
    struct tensor t;
    struct descriptor d = shape(DTYPE_INT64, 2, 2, 3), empty = shape(DTYPE_FLOAT32, 2, 4, 0);
    struct webnn_number minus = { .kind = WEBNN_NUMBER_INT, .i = -5 };
    float value = 1.5f;
    bench_open(&b);
    arena_init(&a, NULL);
    operand_id fill, none, scalar = constant(&b, value);
    assert_ok(builder_constant_fill(&b.builder, &d, minus, &fill));
    assert_ok(builder_constant_bytes(&b.builder, &empty, NULL, 0, false, &none));
    assert_ok(graph_constant(b.builder.graph, fill, &a, NULL, &t));
    assert_int_equal(t.rank, 2);
    assert_int_equal(t.dims[1], 3);
    for (uint64_t i = 0; i < 6; i++)
        assert_int_equal(tensor_get_i64(&t, i), -5);
    assert_ok(graph_constant(b.builder.graph, none, &a, NULL, &t));
    assert_non_null(t.data);
    assert_int_equal(tensor_count(&t), 0);
    assert_ok(graph_constant(b.builder.graph, scalar, &a, NULL, &t));
    assert_int_equal(t.rank, 0);
    assert_memory_equal(t.data, &value, 4);
    assert_ptr_equal(t.data, graph_weight(b.builder.graph, scalar)->bytes);
    arena_free(&a);
    bench_close(&b);
    (void)state;
}

/* Bytes that lie askew are copied to where their type may stand. */
static void unaligned_memory_is_copied(void **state)
{
    struct bench b;
    struct arena a;
    struct tensor t;
    static _Alignas(8) uint8_t bytes[40];
    struct descriptor d = shape(DTYPE_FLOAT32, 1, 4, 0);
    operand_id id;
    bench_open(&b);
    arena_init(&a, NULL);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    assert_ok(builder_constant_bytes(&b.builder, &d, bytes + 2, 16, true, &id));
    assert_ok(graph_constant(b.builder.graph, id, &a, NULL, &t));
    assert_ptr_not_equal(t.data, bytes + 2);
    assert_int_equal((uintptr_t)t.data % 4, 0);
    assert_memory_equal(t.data, bytes + 2, 16);
    arena_free(&a);
    bench_close(&b);
    (void)state;
}

static o2w_status make_graph(const o2w_allocator *allocator, void *user)
{
    struct graph *g = NULL;
    (void)user;
    o2w_status status = graph_create(allocator, &g);
    graph_free(g);
    return status;
}

static void creation_reports_failed_allocations(void **state)
{
    assert_true(sweep_allocations(make_graph, NULL) > 3);
    graph_free(NULL);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ports_are_found_by_original_name_then_binding_then_identifier),
        cmocka_unit_test(messages_use_the_best_name),
        cmocka_unit_test(descriptors_are_copies),
        cmocka_unit_test(constants_have_shape_and_value),
        cmocka_unit_test(unaligned_memory_is_copied),
        cmocka_unit_test(creation_reports_failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
