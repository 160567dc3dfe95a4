/* Conversions through the public calls. */
#include <onnx2webnn/convert.h>

#include "models.h"

#include <string.h>

static const o2w_dim three = { "seq", 3 };

static o2w_convert_options with_dim(void)
{
    return (
        o2w_convert_options){ .size = sizeof(o2w_convert_options), .dims = &three, .dim_count = 1 };
}

static void bytes_convert_without_a_file(void **state)
{
    (void)state;
    struct model_builder b;
    o2w_conversion *c = NULL;
    o2w_convert_options o = with_dim();
    o2w_port p;
    o2w_resolved_dim d;
    o2w_conversion_counts counts = { .size = sizeof counts };
    struct span bytes = add_model(&b, "2 seq");
    assert_ok(o2w_convert_bytes(bytes.data, bytes.size, NULL, &o, &c, NULL));
    assert_int_equal(o2w_conversion_input_count(c), 1);
    assert_true(o2w_conversion_input(c, 0, &p));
    assert_string_equal(p.name, "x");
    assert_string_equal(p.graph_name, "x");
    assert_string_equal(p.model_type, "float32");
    assert_int_equal(p.descriptor.rank, 2);
    assert_int_equal(p.descriptor.dims[1], 3);
    assert_false(p.pinned || p.pruned || p.kept || p.empty);
    assert_false(o2w_conversion_input(c, 1, &p));
    assert_true(o2w_conversion_output(c, 0, &p));
    assert_string_equal(p.name, "y");
    assert_false(o2w_conversion_output(c, 1, &p));
    assert_true(o2w_conversion_dim(c, 0, &d));
    assert_string_equal(d.name, "seq");
    assert_string_equal(d.from, "cli");
    assert_false(o2w_conversion_dim(c, 1, &d));
    o2w_conversion_count(c, &counts);
    assert_int_equal(counts.nodes, 1);
    assert_int_equal(counts.operators, 1);
    assert_int_equal(counts.weight_bytes, 12);
    for (int i = 0; i < 5; i++)
        assert_null(o2w_conversion_path(c, (o2w_written)i));
    assert_null(o2w_conversion_diagnostics(c));
    o2w_conversion_free(c);
    o2w_conversion_free(NULL);
    mb_free(&b);
}

static void the_graph_moves_out_once(void **state)
{
    (void)state;
    struct model_builder b;
    o2w_conversion *c = NULL;
    o2w_convert_options o = with_dim();
    o2w_port p;
    struct span bytes = add_model(&b, "2 seq");
    assert_ok(o2w_convert_bytes(bytes.data, bytes.size, NULL, &o, &c, NULL));
    webnn_graph *g = o2w_conversion_take_graph(c);
    assert_non_null(g);
    assert_null(o2w_conversion_take_graph(c));
    webnn_graph_free(g);
    assert_true(o2w_conversion_input(c, 0, &p)); /* the interface stays */
    assert_string_equal(p.name, "x");
    o2w_conversion_free(c);
    mb_free(&b);
}

static void a_graph_outlives_its_conversion(void **state)
{
    (void)state;
    struct temp_folder t;
    o2w_conversion *c = NULL;
    o2w_convert_options o = with_dim();
    float data[3];
    temp_folder_create(&t);
    assert_ok(o2w_convert_file(add_file(&t, "m.onnx", "2 seq"), &o, &c, NULL));
    webnn_graph *g = o2w_conversion_take_graph(c);
    o2w_conversion_free(c);
    temp_folder_remove(&t);
    assert_int_equal(webnn_graph_constant_count(g), 1);
    assert_ok(webnn_graph_constant_read(g, 0, data, sizeof data, NULL));
    assert_true(data[0] == 1 && data[2] == 3);
    webnn_graph_free(g);
}

static void open_dims_have_names_and_maxima(void **state)
{
    (void)state;
    struct model_builder b;
    o2w_conversion *c = NULL;
    o2w_dim most = { "rows", 9 };
    o2w_convert_options o = {
        .size = sizeof o, .dynamic_inputs = true, .max_dims = &most, .max_dim_count = 1
    };
    o2w_port p;
    struct span bytes = add_model(&b, "rows 3");
    assert_ok(o2w_convert_bytes(bytes.data, bytes.size, NULL, &o, &c, NULL));
    webnn_graph_free(o2w_conversion_take_graph(c));
    assert_true(o2w_conversion_input(c, 0, &p));
    assert_int_equal(p.descriptor.dims[0], WEBNN_DYNAMIC);
    assert_string_equal(p.dim_names[0], "rows");
    assert_int_equal(p.dim_maxima[0], 9);
    assert_null(p.dim_names[1]);
    o2w_conversion_free(c);
    mb_free(&b);
}

static void the_error_lists_unsupported_operators(void **state)
{
    (void)state;
    struct model_builder b;
    o2w_conversion *c = NULL;
    o2w_error *e = NULL;
    mb_begin(&b, 17);
    mb_graph(&b);
    mb_input(&b, "x", ONNX_FLOAT, DIMS(2));
    mb_node_open(&b, "Frob", "x", "a");
    mb_node_name(&b, "one");
    mb_close(&b);
    mb_node(&b, "Frob", "a", "c"); /* behind one that is refused */
    mb_node(&b, "Nicate", "x", "d");
    mb_output(&b, "c", ONNX_FLOAT, DIMS(2));
    mb_output(&b, "d", ONNX_FLOAT, DIMS(2));
    struct span bytes = mb_end(&b);
    assert_status(o2w_convert_bytes(bytes.data, bytes.size, NULL, NULL, &c, &e), O2W_UNSUPPORTED);
    assert_null(c);
    assert_int_equal(o2w_error_unsupported_count(e), 2);
    const o2w_unsupported *u = o2w_error_unsupported(e, 0);
    assert_string_equal(u->domain, "ai.onnx");
    assert_string_equal(u->name, "Frob");
    assert_int_equal(u->opset, 17);
    assert_int_equal(u->count, 2);
    assert_int_equal(u->node_count, 2);
    assert_string_equal(u->nodes[0], "one");
    assert_string_equal(u->nodes[1], "Frob#1");
    assert_string_equal(u->reason, "no lowering for this operator");
    assert_string_equal(o2w_error_unsupported(e, 1)->name, "Nicate");
    assert_null(o2w_error_unsupported(e, 2));
    o2w_error_free(e);
    mb_free(&b);
}

static int stop_now(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)stage, (void)done, (void)total;
    return --*(int *)user < 0;
}

static void a_caller_can_stop_it_at_any_poll(void **state)
{
    (void)state;
    struct temp_folder t;
    temp_folder_create(&t);
    const char *model = add_file(&t, "m.onnx", "2 3");
    bool finished = false;
    for (int polls = 0; polls < 20 && !finished; polls++) {
        int left = polls;
        o2w_environment e = { .size = sizeof e, .progress = stop_now, .user = &left };
        o2w_convert_options o = { .size = sizeof o,
                                  .output = temp_path(&t, "out/g.webnn"),
                                  .environment = &e };
        o2w_conversion *c = NULL;
        o2w_error *error = NULL;
        o2w_status s = o2w_convert_file(model, &o, &c, &error);
        finished = s == O2W_OK;
        if (!finished) {
            assert_status(s, O2W_CANCELLED);
            assert_string_equal(o2w_error_item(error, 0)->code, "interrupted");
            assert_int_equal(temp_count(&t), 1); /* nothing but the model */
        }
        o2w_conversion_free(c);
        o2w_error_free(error);
    }
    assert_true(finished);
    temp_folder_remove(&t);
}

static void nothing_is_written_without_output(void **state)
{
    (void)state;
    struct temp_folder t;
    o2w_conversion *c = NULL;
    temp_folder_create(&t);
    assert_ok(o2w_convert_file(add_file(&t, "m.onnx", "2 3"), NULL, &c, NULL));
    assert_int_equal(temp_count(&t), 1);
    o2w_conversion_free(c);
    temp_folder_remove(&t);
}

static void warnings_of_a_success_stay_with_it(void **state)
{
    (void)state;
    struct model_builder b;
    o2w_conversion *c = NULL;
    o2w_dim unused = { "nothing", 4 };
    o2w_convert_options o = { .size = sizeof o, .dims = &unused, .dim_count = 1 };
    struct span bytes = add_model(&b, "2 3");
    assert_ok(o2w_convert_bytes(bytes.data, bytes.size, NULL, &o, &c, NULL));
    const o2w_error *notes = o2w_conversion_diagnostics(c);
    assert_int_equal(o2w_error_count(notes), 1);
    assert_string_equal(o2w_error_item(notes, 0)->code, "dim.unused");
    assert_int_equal(o2w_error_item(notes, 0)->severity, O2W_SEVERITY_WARNING);
    o2w_conversion_free(c);
    mb_free(&b);
}

static o2w_status convert_with(const o2w_allocator *allocator, void *user)
{
    const struct span *bytes = user;
    o2w_environment e = { .size = sizeof e, .allocator = *allocator };
    o2w_convert_options o = with_dim();
    o2w_conversion *c = NULL;
    o.environment = &e;
    o2w_status s = o2w_convert_bytes(bytes->data, bytes->size, NULL, &o, &c, NULL);
    o2w_conversion_free(c);
    return s;
}

static void running_out_of_memory_is_survived(void **state)
{
    (void)state;
    struct model_builder b;
    struct span bytes = add_model(&b, "2 seq");
    assert_true(sweep_allocations(convert_with, &bytes) > 10);
    mb_free(&b);
}

static void inspection_as_text_and_as_document(void **state)
{
    (void)state;
    struct temp_folder t;
    char *text = NULL;
    o2w_error *notes = NULL;
    o2w_convert_options convert = with_dim();
    o2w_inspect_options o = { .size = sizeof o, .convert = &convert, .notes = &notes };
    temp_folder_create(&t);
    const char *model = add_file(&t, "m.onnx", "2 seq");
    assert_ok(o2w_inspect_text(model, &o, &text, NULL));
    assert_non_null(strstr(text, "  seq: 3 (cli)\n"));
    assert_null(notes);
    webnn_text_free(text);
    assert_ok(o2w_inspect_json(model, NULL, &text, NULL));
    assert_non_null(strstr(text, "{\"name\":\"seq\",\"value\":null,\"from\":null}"));
    webnn_text_free(text);
    assert_status(o2w_inspect_text(temp_path(&t, "none"), NULL, &text, NULL), O2W_IO);
    temp_folder_remove(&t);
}

static void the_catalog_has_rows(void **state)
{
    (void)state;
    o2w_operator_info row;
    size_t i = 0;
    while (o2w_operator_at(i, &row)) {
        assert_true(row.until == 0 || row.until >= row.since);
        assert_true(row.op_class != O2W_CLASS_REFUSED || row.reason);
        i++;
    }
    assert_int_equal(i, o2w_operator_count());
    assert_true(i > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_convert_without_a_file),
        cmocka_unit_test(the_graph_moves_out_once),
        cmocka_unit_test(a_graph_outlives_its_conversion),
        cmocka_unit_test(open_dims_have_names_and_maxima),
        cmocka_unit_test(the_error_lists_unsupported_operators),
        cmocka_unit_test(a_caller_can_stop_it_at_any_poll),
        cmocka_unit_test(nothing_is_written_without_output),
        cmocka_unit_test(warnings_of_a_success_stay_with_it),
        cmocka_unit_test(running_out_of_memory_is_survived),
        cmocka_unit_test(inspection_as_text_and_as_document),
        cmocka_unit_test(the_catalog_has_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
