/* Recording graphs: calls that fail leave the builder as it was. */
#include "graphs.h"

#include <stdio.h>

static const webnn_descriptor vector = { .data_type = WEBNN_FLOAT32, .rank = 1, .dims = { 3 } };

static void names_are_not_empty_and_unique(void **state)
{
    (void)state;
    webnn_builder *b = NULL;
    webnn_operand x;
    assert_ok(webnn_builder_create(NULL, NULL, &b, NULL));
    assert_status(webnn_input(b, "", &vector, NULL, &x, NULL), O2W_INVALID_ARGUMENT);
    assert_ok(webnn_input(b, "x", &vector, NULL, &x, NULL));
    webnn_operand first = x;
    assert_status(webnn_input(b, "x", &vector, NULL, &x, NULL), O2W_INVALID_ARGUMENT);
    assert_int_equal(x, first); /* outputs are set on success only */
    webnn_builder_free(b);
}

static void descriptors_are_checked(void **state)
{
    (void)state;
    webnn_builder *b = NULL;
    webnn_operand x;
    o2w_error *e = NULL;
    webnn_descriptor d = { .data_type = (enum webnn_data_type)99 };
    assert_ok(webnn_builder_create(NULL, NULL, &b, NULL));
    o2w_status s = webnn_input(b, "x", &d, NULL, &x, &e);
    assert_said(s, O2W_INVALID_ARGUMENT, e, "data type 99 is none of WebNN's");
    d = (webnn_descriptor){ .rank = 99 };
    s = webnn_input(b, "x", &d, NULL, &x, &e);
    assert_said(s, O2W_INVALID_ARGUMENT, e, "rank is 99, must be at most 16");
    d = (webnn_descriptor){ .rank = 1, .dims = { -5 } };
    s = webnn_input(b, "x", &d, NULL, &x, &e);
    assert_said(s, O2W_INVALID_ARGUMENT, e, "dimension 0 is -5, must not be negative");
    assert_status(webnn_constant(b, &vector, "1234", 4, false, &x, NULL), O2W_INVALID_ARGUMENT);
    webnn_builder_free(b);
}

static void a_call_that_fails_records_nothing(void **state)
{
    (void)state;
    webnn_builder *b = NULL;
    webnn_graph *g = NULL;
    webnn_operand x, c, y;
    size_t one = 1;
    float data[4] = { 1, 2, 3, 4 };
    webnn_descriptor four = { .data_type = WEBNN_FLOAT32, .rank = 1, .dims = { 4 } };
    assert_ok(webnn_builder_create(NULL, NULL, &b, NULL));
    assert_ok(webnn_input(b, "x", &vector, NULL, &x, NULL));
    assert_ok(webnn_constant(b, &four, data, sizeof data, false, &c, NULL));
    o2w_error *e = NULL;
    assert_int_not_equal(
        webnn_op(b, WEBNN_ADD, (webnn_operand[]){ x, c }, 2, NULL, NULL, &y, &one, &e), O2W_OK);
    assert_string_equal(o2w_error_item(e, 0)->code, "op.invalid");
    o2w_error_free(e);
    assert_int_equal(one, 1);
    assert_int_not_equal(webnn_op(b, (enum webnn_operator)500, &x, 1, NULL, NULL, &y, &one, NULL),
                         O2W_OK);
    webnn_operand none = 77;
    assert_int_not_equal(webnn_op(b, WEBNN_RELU, &none, 1, NULL, NULL, &y, &one, NULL), O2W_OK);
    assert_ok(webnn_op(b, WEBNN_RELU, &x, 1, NULL, NULL, &y, &one, NULL));
    assert_ok(webnn_builder_build(b, &(webnn_named_operand){ "y", y }, 1, &g, NULL));
    assert_int_equal(webnn_graph_operator_count(g), 1);
    webnn_graph_free(g);
    webnn_builder_free(b);
}

static void a_build_that_fails_can_be_repeated(void **state)
{
    (void)state;
    webnn_builder *b = NULL;
    webnn_graph *g = NULL;
    webnn_operand x, y, z;
    size_t one = 1;
    assert_ok(webnn_builder_create(NULL, NULL, &b, NULL));
    assert_ok(webnn_input(b, "x", &vector, NULL, &x, NULL));
    assert_ok(webnn_op(b, WEBNN_RELU, &x, 1, NULL, NULL, &y, &one, NULL));
    webnn_named_operand outputs[] = { { "y", y }, { "z", x } };
    assert_int_not_equal(webnn_builder_build(b, outputs, 2, &g, NULL), O2W_OK); /* an input */
    assert_int_not_equal(webnn_builder_build(b, outputs, 0, &g, NULL), O2W_OK);
    outputs[1].operand = 99;
    assert_status(webnn_builder_build(b, outputs, 2, &g, NULL), O2W_INVALID_ARGUMENT);
    assert_null(g);
    assert_ok(webnn_op(b, WEBNN_ABS, &y, 1, NULL, NULL, &z, &one, NULL));
    outputs[1].operand = z;
    assert_ok(webnn_builder_build(b, outputs, 2, &g, NULL));
    assert_int_equal(webnn_graph_output_count(g), 2);
    webnn_graph_free(g);
    webnn_builder_free(b);
}

static void after_building_every_call_is_an_invalid_state(void **state)
{
    (void)state;
    webnn_builder *b = NULL;
    webnn_graph *g = NULL;
    webnn_operand x, y, z;
    webnn_descriptor d;
    size_t one = 1;
    assert_ok(webnn_builder_create(NULL, NULL, &b, NULL));
    assert_ok(webnn_input(b, "x", &vector, NULL, &x, NULL));
    assert_ok(webnn_op(b, WEBNN_RELU, &x, 1, NULL, NULL, &y, &one, NULL));
    assert_ok(webnn_operand_descriptor(b, y, &d, NULL));
    assert_int_equal(d.dims[0], 3);
    assert_ok(webnn_builder_build(b, &(webnn_named_operand){ "y", y }, 1, &g, NULL));
    assert_status(webnn_input(b, "z", &vector, NULL, &z, NULL), O2W_INVALID_STATE);
    assert_status(webnn_constant(b, &vector, (float[3]){ 0 }, 12, false, &z, NULL),
                  O2W_INVALID_STATE);
    assert_status(webnn_constant_scalar(b, WEBNN_INT8,
                                        (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = 1 },
                                        &z, NULL),
                  O2W_INVALID_STATE);
    assert_status(webnn_op(b, WEBNN_RELU, &x, 1, NULL, NULL, &z, &one, NULL), O2W_INVALID_STATE);
    assert_status(webnn_operand_descriptor(b, y, &d, NULL), O2W_INVALID_STATE);
    assert_status(webnn_builder_build(b, &(webnn_named_operand){ "y", y }, 1, &g, NULL),
                  O2W_INVALID_STATE);
    webnn_graph_free(g);
    webnn_builder_free(b);
    webnn_builder_free(NULL);
}

static void operands_belong_to_their_builder(void **state)
{
    (void)state;
    webnn_builder *a = NULL, *b = NULL;
    webnn_operand x, y;
    webnn_graph *g = NULL;
    webnn_descriptor d;
    o2w_error *e = NULL;
    char message[120];
    assert_ok(webnn_builder_create(NULL, NULL, &a, NULL));
    assert_ok(webnn_builder_create(NULL, NULL, &b, NULL));
    assert_ok(webnn_input(a, "x", &vector, NULL, &x, NULL));
    assert_ok(webnn_input(b, "x", &vector, NULL, &y, NULL));
    assert_int_not_equal(x, y);
    o2w_status s = webnn_add(b, y, x, "sum", &y, &e);
    snprintf(message, sizeof message, "add 'sum': b is operand %u, which is none of this builder",
             x);
    assert_said(s, O2W_INVALID_ARGUMENT, e, message);
    assert_status(webnn_operand_descriptor(b, x, &d, NULL), O2W_INVALID_ARGUMENT);
    assert_status(webnn_builder_build(b, &(webnn_named_operand){ "y", x }, 1, &g, NULL),
                  O2W_INVALID_ARGUMENT);
    webnn_builder_free(a);
    webnn_builder_free(b);
}

static void typed_calls_record_what_webnn_op_records(void **state)
{
    (void)state;
    const webnn_descriptor image = { .data_type = WEBNN_FLOAT32,
                                     .rank = 4,
                                     .dims = { 1, 2, 5, 5 } };
    const webnn_descriptor filter = { .data_type = WEBNN_FLOAT32,
                                      .rank = 4,
                                      .dims = { 4, 2, 3, 3 } };
    webnn_builder *b = NULL;
    webnn_operand x, f, y, parts[2], joined[2];
    webnn_descriptor d;
    size_t count = 2;
    struct webnn_conv2d_attributes conv = webnn_conv2d_defaults();
    struct webnn_split_attributes split = webnn_split_defaults();
    struct webnn_concat_attributes concat = { .axis = 1 };
    conv.padding = (struct webnn_u32s){ .given = true, .count = 4, .items = { 1, 1, 1, 1 } };
    split.splits = (struct webnn_splits){ .equal = true, .count = 2 };
    split.axis = 1;
    assert_ok(webnn_builder_create(NULL, NULL, &b, NULL));
    assert_ok(webnn_input(b, "x", &image, NULL, &x, NULL));
    assert_ok(webnn_input(b, "f", &filter, NULL, &f, NULL));
    assert_ok(webnn_conv2d(b, x, f, WEBNN_ABSENT, &conv, NULL, &y, NULL));
    assert_ok(webnn_split(b, y, &split, NULL, parts, &count, NULL));
    assert_int_equal(count, 2);
    joined[0] = parts[1], joined[1] = x;
    assert_ok(webnn_concat(b, joined, 2, &concat, NULL, &y, NULL));
    assert_ok(webnn_operand_descriptor(b, y, &d, NULL));
    assert_int_equal(d.dims[1], 4);
    assert_int_equal(d.dims[3], 5);
    webnn_builder_free(b);
}

static void constant_tensors_become_constants(void **state)
{
    (void)state;
    webnn_context *c = cpu_context(), *other = cpu_context();
    webnn_builder *b = NULL;
    webnn_tensor *t = NULL, *plain = tensor_of(c, 3);
    webnn_operand w = 0;
    webnn_graph *g = NULL;
    float data[3] = { 1, 2, 3 }, back[3];
    o2w_error *e = NULL;
    o2w_status status;
    assert_status(webnn_tensor_create_constant(c, &vector, data, 8, &t, NULL),
                  O2W_INVALID_ARGUMENT);
    assert_ok(webnn_tensor_create_constant(c, &vector, data, sizeof data, &t, NULL));
    assert_status(webnn_tensor_write(t, data, sizeof data, NULL), O2W_INVALID_ARGUMENT);
    assert_status(webnn_tensor_read(t, back, sizeof back, NULL), O2W_INVALID_ARGUMENT);
    assert_ok(webnn_builder_create(other, NULL, &b, NULL));
    status = webnn_constant_tensor(b, t, &w, &e);
    assert_said(status, O2W_INVALID_STATE, e, "the tensor is not of the builder's context");
    webnn_builder_free(b);
    assert_ok(webnn_builder_create(c, NULL, &b, NULL));
    status = webnn_constant_tensor(b, plain, &w, &e);
    assert_said(status, O2W_INVALID_ARGUMENT, e, "the tensor is no constant");
    assert_ok(webnn_constant_tensor(b, t, &w, NULL));
    webnn_tensor_free(t);
    assert_ok(webnn_neg(b, w, NULL, &w, NULL));
    assert_ok(webnn_builder_build(b, &(webnn_named_operand){ "y", w }, 1, &g, NULL));
    assert_ok(webnn_dispatch(c, g, NULL, 0, &(webnn_named_tensor){ "y", plain }, 1, NULL));
    assert_ok(webnn_tensor_read(plain, back, sizeof back, NULL));
    assert_true(back[0] == -1 && back[2] == -3);
    webnn_graph_free(g);
    webnn_builder_free(b);
    webnn_tensor_free(plain);
    webnn_context_free(c);
    webnn_context_free(other);
}

static void constants_are_copied_or_borrowed(void **state)
{
    (void)state;
    webnn_builder *b = NULL;
    webnn_graph *g = NULL;
    webnn_operand x, c, y, found;
    size_t one = 1;
    uint64_t bytes;
    float data[3] = { 1, 2, 3 }, back[3];
    assert_ok(webnn_builder_create(NULL, NULL, &b, NULL));
    assert_ok(webnn_input(b, "x", &vector, NULL, &x, NULL));
    assert_ok(webnn_constant(b, &vector, data, sizeof data, false, &c, NULL));
    data[0] = 9;
    assert_ok(webnn_op(b, WEBNN_ADD, (webnn_operand[]){ x, c }, 2, NULL, "sum", &y, &one, NULL));
    assert_ok(webnn_builder_build(b, &(webnn_named_operand){ "y", y }, 1, &g, NULL));
    assert_int_equal(webnn_graph_constant_count(g), 1);
    assert_true(webnn_graph_constant(g, 0, &found, &bytes));
    assert_int_equal(found, c);
    assert_int_equal(bytes, 12);
    assert_ok(webnn_graph_constant_read(g, 0, back, sizeof back, NULL));
    assert_true(back[0] == 1 && back[2] == 3);
    assert_status(webnn_graph_constant_read(g, 0, back, 4, NULL), O2W_INVALID_ARGUMENT);
    assert_status(webnn_graph_constant_read(g, 1, back, 12, NULL), O2W_INVALID_ARGUMENT);
    assert_false(webnn_graph_constant(g, 1, &found, &bytes));
    webnn_graph_free(g);
    webnn_builder_free(b);
}

static void a_graph_can_be_walked(void **state)
{
    (void)state;
    webnn_builder *b = NULL;
    webnn_graph *g = NULL;
    webnn_operand x, y;
    webnn_node n;
    webnn_port p;
    webnn_descriptor d;
    size_t one = 1;
    struct webnn_softmax_attributes softmax = webnn_softmax_defaults();
    assert_ok(webnn_builder_create(NULL, NULL, &b, NULL));
    assert_ok(webnn_input(b, "x", &(webnn_descriptor){ .rank = 1, .dims = { 16 } },
                          &(const char *){ "n" }, &x, NULL));
    assert_ok(webnn_op(b, WEBNN_SOFTMAX, &x, 1, &softmax, "soft", &y, &one, NULL));
    assert_ok(webnn_builder_build(b, &(webnn_named_operand){ "y", y }, 1, &g, NULL));
    assert_true(webnn_graph_input(g, 0, &p));
    assert_string_equal(p.name, "x");
    assert_int_equal(p.descriptor.dims[0], WEBNN_DYNAMIC);
    assert_string_equal(p.dim_names[0], "n");
    assert_int_equal(p.dim_maxima[0], 16);
    assert_true(webnn_graph_output(g, 0, &p));
    assert_string_equal(p.name, "y");
    assert_false(webnn_graph_output(g, 1, &p));
    assert_false(webnn_graph_input(g, 1, &p));
    assert_true(webnn_graph_node(g, 0, &n));
    assert_string_equal(n.name, "softmax");
    assert_string_equal(n.label, "soft");
    assert_int_equal(n.operand_count, 1);
    assert_int_equal(n.operands[0], x);
    assert_int_equal(n.first_result, y);
    assert_int_equal(((const struct webnn_softmax_attributes *)n.attributes)->axis, softmax.axis);
    assert_false(webnn_graph_node(g, 1, &n));
    assert_true(webnn_graph_operand(g, y, &d));
    assert_int_equal(d.rank, 1);
    assert_false(webnn_graph_operand(g, 0, &d));
    assert_false(webnn_graph_operand(g, 99, &d));
    webnn_graph_free(g);
    webnn_builder_free(b);
}

static void files_keep_a_graph(void **state)
{
    (void)state;
    struct temp_folder t;
    webnn_graph *g = relu_graph(NULL, 5, NULL), *back = NULL;
    webnn_port p;
    o2w_error *e = NULL;
    temp_folder_create(&t);
    const char *path = temp_path(&t, "g.webnn");
    assert_ok(webnn_graph_save(g, path, NULL, NULL));
    assert_ok(webnn_graph_load(path, NULL, &back, NULL));
    assert_true(webnn_graph_input(back, 0, &p));
    assert_string_equal(p.identifier, "x");
    assert_int_equal(p.descriptor.dims[0], 5);
    webnn_graph_free(back);
    back = NULL;
    webnn_save_options json = { .size = sizeof json, .json = true };
    assert_ok(webnn_graph_save(g, temp_path(&t, "other.bin"), &json, NULL));
    assert_ok(webnn_graph_load(temp_path(&t, "other.bin"), NULL, &back, NULL));
    webnn_graph_free(back);
    back = NULL;
    static const char text[] =
        "webnn_graph \"g\" v1 { inputs { x: f32[2]; } nodes { y = relu(x); } outputs { y; } }";
    assert_ok(webnn_graph_load_bytes(text, sizeof text - 1, NULL, &back, NULL));
    webnn_graph_free(back);
    back = NULL;
    assert_int_not_equal(webnn_graph_load_bytes("nonsense", 8, NULL, &back, &e), O2W_OK);
    assert_null(back);
    assert_int_equal(o2w_error_item(e, 0)->line, 1);
    o2w_error_free(e);
    assert_status(webnn_graph_load(temp_path(&t, "none.webnn"), NULL, &back, NULL), O2W_IO);
    webnn_graph_free(g);
    temp_folder_remove(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_not_empty_and_unique),
        cmocka_unit_test(descriptors_are_checked),
        cmocka_unit_test(a_call_that_fails_records_nothing),
        cmocka_unit_test(a_build_that_fails_can_be_repeated),
        cmocka_unit_test(after_building_every_call_is_an_invalid_state),
        cmocka_unit_test(operands_belong_to_their_builder),
        cmocka_unit_test(typed_calls_record_what_webnn_op_records),
        cmocka_unit_test(constant_tensors_become_constants),
        cmocka_unit_test(constants_are_copied_or_borrowed),
        cmocka_unit_test(a_graph_can_be_walked),
        cmocka_unit_test(files_keep_a_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
