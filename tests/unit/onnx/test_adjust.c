/* One attribute changed everywhere. */
#include "unit/onnx/onnx_test.h"

#include "onnx/adjust.h"

static const struct onnx_adjustment adjustment = { "com.microsoft", "MatMulNBits", "accuracy_level",
                                                   0 };

static void put_node(struct fixture *f, const char *output, const char *domain,
                     const char *attribute, int64_t value)
{
    mb_node_open(&f->b, "MatMulNBits", "x", output);
    mb_int(&f->b, "bits", 4);
    mb_int(&f->b, attribute, value);
    mb_node_domain(&f->b, domain); /* behind what depends on it */
    mb_close(&f->b);
}

static void begin(struct fixture *f)
{
    fixture_begin(f);
    mb_opset(&f->b, "com.microsoft", 1);
    mb_opset(&f->b, "local", 1);
    mb_graph(&f->b);
    mb_input(&f->b, "x", ONNX_FLOAT, DIMS(2));
    mb_output(&f->b, "y", ONNX_FLOAT, DIMS(2));
}

/* The value in a node of the adjusted model. */
static int64_t value_of(const struct onnx_node *n)
{
    const struct onnx_attribute *a = onnx_node_attribute(n, "accuracy_level");
    assert_non_null(a);
    assert_int_equal(onnx_node_attribute(n, "bits")->i, 4);
    return a->i;
}

static void nodes_at_any_depth_are_changed(void **state)
{
    (void)state;
    struct fixture f;
    struct onnx_model *m;
    struct wire_writer w = { 0 };
    struct span bytes;
    uint32_t nodes;
    begin(&f);
    put_node(&f, "a", "com.microsoft", "accuracy_level", 4);
    put_node(&f, "b", "com.microsoft", "accuracy_level", 0);
    put_node(&f, "c", "local", "accuracy_level", 4);
    mb_node_open(&f.b, "If", "x", "y");
    mb_subgraph(&f.b, "then_branch");
    mb_node_open(&f.b, "If", "x", "d");
    mb_subgraph(&f.b, "then_branch");
    put_node(&f, "e", "com.microsoft", "accuracy_level", 300);
    mb_output(&f.b, "e", ONNX_FLOAT, DIMS(2));
    mb_close(&f.b);
    mb_close(&f.b);
    mb_output(&f.b, "d", ONNX_FLOAT, DIMS(2));
    mb_close(&f.b);
    mb_close(&f.b);
    mb_close(&f.b);
    mb_function(&f.b, "local", "F", "x", "r");
    mb_opset(&f.b, "com.microsoft", 1);
    put_node(&f, "r", "com.microsoft", "accuracy_level", 1);
    assert_ok(fixture_open(&f));
    assert_ok(onnx_model_adjust(f.m, &adjustment, &f.diags, &w, &nodes));
    assert_int_equal(nodes, 3);
    assert_ok(wire_written(&w, &bytes));
    assert_ok(onnx_model_open_bytes(bytes, "adjusted", NULL, NULL, NULL, &f.diags, &m));
    const struct onnx_node *n = m->graph.nodes;
    assert_int_equal(value_of(&n[0]), 0);
    assert_int_equal(value_of(&n[1]), 0);
    assert_int_equal(value_of(&n[2]), 4);
    assert_int_equal(
        value_of(&n[3].attributes[0].graphs[0].nodes[0].attributes[0].graphs[0].nodes[0]), 0);
    assert_int_equal(value_of(&m->functions[0].body.nodes[0]), 0);
    onnx_model_close(m);
    wire_writer_free(&w);
    fixture_end(&f);
}

static void nothing_to_change_writes_nothing(void **state)
{
    (void)state;
    struct fixture f;
    struct wire_writer w = { 0 };
    uint32_t nodes = 9;
    begin(&f);
    put_node(&f, "y", "com.microsoft", "block_size", 4);
    assert_ok(fixture_open(&f));
    assert_ok(onnx_model_adjust(f.m, &adjustment, &f.diags, &w, &nodes));
    assert_int_equal(nodes, 0);
    assert_int_equal(w.bytes.count, 0);
    wire_writer_free(&w);
    fixture_end(&f);
}

static o2w_status adjust(const o2w_allocator *allocator, void *user)
{
    uint32_t nodes;
    struct span bytes;
    struct wire_writer w;
    wire_writer_init(&w, allocator);
    o2w_status status = onnx_model_adjust(user, &adjustment, NULL, &w, &nodes);
    if (status == O2W_OK)
        status = wire_written(&w, &bytes);
    wire_writer_free(&w);
    return status;
}

static void running_out_of_memory_is_survived(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    put_node(&f, "y", "com.microsoft", "accuracy_level", 4);
    assert_ok(fixture_open(&f));
    assert_true(sweep_allocations(adjust, f.m) > 1);
    fixture_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_at_any_depth_are_changed),
        cmocka_unit_test(nothing_to_change_writes_nothing),
        cmocka_unit_test(running_out_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
