/* Structure: what stands in the file stands in the view. */
#include "unit/onnx/onnx_test.h"

#include "onnx/model.h"

#include <inttypes.h>
#include <math.h>

static void a_model_is_read(void **state)
{
    (void)state;
    struct fixture f;
    fixture_begin(&f);
    wire_put_text(&f.b.w, MODEL_PRODUCER_NAME, "me");
    wire_put_text(&f.b.w, MODEL_PRODUCER_VERSION, "1");
    wire_put_text(&f.b.w, MODEL_DOMAIN, "org");
    wire_put_text(&f.b.w, MODEL_DOC_STRING, "doc");
    wire_put_i64(&f.b.w, MODEL_MODEL_VERSION, 3);
    wire_put_text(&f.b.w, MODEL_TRAINING_INFO, "");
    mb_opset(&f.b, "com.microsoft", 1);
    mb_metadata(&f.b, "k", "v");
    mb_graph(&f.b);
    mb_input(&f.b, "x", ONNX_FLOAT, DIMS(2, -1));
    mb_input_named(&f.b, "s", ONNX_INT64, "batch 3 ?");
    mb_floats(&f.b, "w", DIMS(1), FLOATS(5));
    mb_node(&f.b, "Add", "x w", "y");
    mb_output(&f.b, "y", ONNX_FLOAT, SCALAR);
    mb_value_info(&f.b, GRAPH_VALUE_INFO, "y", ONNX_FLOAT, DIMS(9));
    assert_ok(fixture_open(&f));

    const struct onnx_model *m = f.m;
    assert_int_equal(m->ir_version, 10);
    assert_int_equal(m->model_version, 3);
    assert_span(m->producer_name, "me");
    assert_span(m->producer_version, "1");
    assert_span(m->domain, "org");
    assert_span(m->doc, "doc");
    assert_true(m->has_training_info);
    assert_int_equal(onnx_opset_version(m, NULL, SPAN("")), 17);
    assert_int_equal(onnx_opset_version(m, NULL, SPAN("ai.onnx")), 17);
    assert_int_equal(onnx_opset_version(m, NULL, SPAN("com.microsoft")), 1);
    assert_int_equal(onnx_opset_version(m, NULL, SPAN("other")), 0);
    assert_int_equal(m->metadata_count, 1);
    assert_span(m->metadata[0].key, "k");
    assert_span(m->metadata[0].value, "v");

    const struct onnx_graph *g = &m->graph;
    assert_null(g->parent);
    assert_span(g->name, "g");
    assert_int_equal(g->input_count, 2);
    assert_span(onnx_name(m, g->inputs[0].name), "x");
    const struct onnx_type *x = &g->inputs[0].type, *s = &g->inputs[1].type;
    assert_int_equal(x->kind, ONNX_TYPE_TENSOR);
    assert_int_equal(x->dtype, ONNX_FLOAT);
    assert_int_equal(x->rank, 2);
    assert_int_equal(x->dims[0].kind, ONNX_DIM_VALUE);
    assert_int_equal(x->dims[0].value, 2);
    assert_int_equal(x->dims[1].kind, ONNX_DIM_UNKNOWN);
    assert_int_equal(s->rank, 3);
    assert_int_equal(s->dims[0].kind, ONNX_DIM_NAMED);
    assert_span(s->dims[0].name, "batch");
    assert_int_equal(s->dims[1].value, 3);
    assert_int_equal(s->dims[2].kind, ONNX_DIM_UNKNOWN);
    assert_int_equal(g->value_info_count, 1);
    assert_int_equal(g->initializer_count, 1);
    assert_int_equal(g->output_count, 1);
    assert_true(g->outputs[0].type.has_shape);
    assert_int_equal(g->outputs[0].type.rank, 0);
    assert_int_equal(g->node_count, 1);
    assert_span(g->nodes[0].op_type, "Add");
    assert_span(g->nodes[0].domain, "ai.onnx");
    assert_int_equal(g->nodes[0].opset, 17);
    assert_int_equal(g->nodes[0].outputs[0], g->outputs[0].name);
    fixture_end(&f);
}

static void texts_lie_in_the_file(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    mb_node_open(&f.b, "Relu", "x", "y");
    mb_string(&f.b, "a", "text");
    mb_tensor(&f.b, "t", ONNX_UINT8, DIMS(4), "abcd", 4);
    mb_close(&f.b);
    struct span bytes = mb_end(&f.b);
    assert_ok(fixture_open(&f));
    const struct onnx_node *n = &f.m->graph.nodes[0];
    const struct span parts[] = { n->op_type, onnx_name(f.m, n->inputs[0]), n->attributes[0].s,
                                  n->attributes[1].name, n->attributes[1].tensors[0].raw };
    for (size_t i = 0; i < 5; i++)
        assert_in_range((uintptr_t)parts[i].data, (uintptr_t)bytes.data,
                        (uintptr_t)bytes.data + bytes.size);
    fixture_end(&f);
}

static void attributes_of_every_type_are_read(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    struct wire_writer *w = &f.b.w;
    mb_node_open(&f.b, "Relu", "x - ", "y");
    mb_int(&f.b, "i", -7);
    mb_float(&f.b, "f", 0.5f);
    mb_string(&f.b, "s", "");
    mb_int_list(&f.b, "ints", INTS(INT64_MIN, 0, INT64_MAX));
    mb_float_list(&f.b, "floats", FLOATS(1, -2));
    mb_tensor(&f.b, "t", ONNX_UINT8, DIMS(1), "a", 1);
    mb_subgraph(&f.b, "body");
    mb_node(&f.b, "Neg", "x", "inner");
    mb_output(&f.b, "inner", ONNX_FLOAT, DIMS(2));
    mb_close(&f.b);
    size_t a = wire_begin(w, NODE_ATTRIBUTE);
    wire_put_text(w, ATTRIBUTE_NAME, "strings");
    wire_put_i64(w, ATTRIBUTE_TYPE, ONNX_ATTRIBUTE_STRINGS);
    wire_put_text(w, ATTRIBUTE_STRINGS, "one");
    wire_put_text(w, ATTRIBUTE_STRINGS, "two");
    wire_end(w, a);
    a = wire_begin(w, NODE_ATTRIBUTE);
    wire_put_text(w, ATTRIBUTE_NAME, "types");
    wire_put_i64(w, ATTRIBUTE_TYPE, ONNX_ATTRIBUTE_TYPE_PROTOS);
    wire_put_text(w, ATTRIBUTE_TYPE_PROTOS, "");
    wire_put_bytes(w, ATTRIBUTE_TYPE_PROTOS, SPAN("\x22\x06\x0a\x04\x0a\x02\x08\x07"));
    wire_end(w, a);
    mb_close(&f.b);
    assert_ok(fixture_open(&f));

    const struct onnx_node *n = &f.m->graph.nodes[0];
    assert_int_equal(n->input_count, 2);
    assert_int_equal(n->inputs[1], 0);
    assert_int_equal(n->attribute_count, 9);
    assert_int_equal(onnx_node_attribute(n, "i")->i, -7);
    assert_true(fabsf(onnx_node_attribute(n, "f")->f - 0.5f) < 1e-9f);
    assert_int_equal(onnx_node_attribute(n, "s")->type, ONNX_ATTRIBUTE_STRING);
    assert_span(onnx_node_attribute(n, "s")->s, "");
    const struct onnx_attribute *ints = onnx_node_attribute(n, "ints");
    assert_int_equal(ints->count, 3);
    assert_true(ints->ints[0] == INT64_MIN && ints->ints[2] == INT64_MAX);
    const struct onnx_attribute *floats = onnx_node_attribute(n, "floats");
    assert_int_equal(floats->count, 2);
    assert_true(floats->floats[1] < -1.5f);
    assert_int_equal(onnx_node_attribute(n, "t")->tensors[0].dims[0], 1);
    const struct onnx_attribute *body = onnx_node_attribute(n, "body");
    assert_true(onnx_attribute_has_graphs(body));
    assert_int_equal(body->count, 1);
    assert_ptr_equal(body->graphs[0].parent, &f.m->graph);
    assert_int_equal(body->graphs[0].node_count, 1);
    const struct onnx_attribute *strings = onnx_node_attribute(n, "strings");
    assert_int_equal(strings->count, 2);
    assert_span(strings->strings[1], "two");
    const struct onnx_attribute *types = onnx_node_attribute(n, "types");
    assert_int_equal(types->types[0].kind, ONNX_TYPE_NONE);
    assert_int_equal(types->types[1].kind, ONNX_TYPE_SEQUENCE);
    assert_int_equal(types->types[1].element->dtype, ONNX_INT64);
    assert_null(onnx_node_attribute(n, "none"));
    fixture_end(&f);
}

/* An attribute of a Relu, from the bytes of its message. */
static void put_attribute(struct fixture *f, struct span bytes)
{
    fixture_graph(f);
    mb_node_open(&f->b, "Relu", "x", "y");
    mb_node_name(&f->b, "n");
    wire_put_bytes(&f->b.w, NODE_ATTRIBUTE, bytes);
    mb_close(&f->b);
}

static void attribute_types_are_inferred_only_when_clear(void **state)
{
    (void)state;
    struct fixture f;
    put_attribute(&f, SPAN("\x0a\x01"
                           "a"
                           "\x18\x05")); /* no type, i */
    assert_ok(fixture_open(&f));
    assert_int_equal(f.m->graph.nodes[0].attributes[0].type, ONNX_ATTRIBUTE_INT);
    assert_int_equal(f.m->graph.nodes[0].attributes[0].i, 5);
    fixture_end(&f);

    put_attribute(&f, SPAN("\x0a\x01"
                           "a"
                           "\xa0\x01\x02")); /* INT without i: 0 */
    assert_ok(fixture_open(&f));
    assert_int_equal(f.m->graph.nodes[0].attributes[0].i, 0);
    fixture_end(&f);

    put_attribute(&f, SPAN("\x0a\x01"
                           "a"
                           "\xa0\x01\x02\x18\x05\x40\x01")); /* INT with ints */
    assert_refused(
        &f, "error[model.structure]: attribute 'a' of type INT also has a value of type INTS\n"
            "  at: node 'n' (Relu, ai.onnx)\n");
    put_attribute(&f, SPAN("\x0a\x01"
                           "a"
                           "\xa0\x01\x63"));
    assert_refused(&f, "error[model.structure]: attribute 'a' has type 99, must be from 1 to 14\n"
                       "  at: node 'n' (Relu, ai.onnx)\n");
    put_attribute(&f, SPAN("\x0a\x01"
                           "a"
                           "\xa0\x01\x04"));
    assert_refused(&f, "error[model.structure]: attribute 'a' of type TENSOR has no value\n"
                       "  at: node 'n' (Relu, ai.onnx)\n");
    put_attribute(&f, SPAN("\xa0\x01\x02"));
    assert_refused(&f, "error[model.structure]: an attribute has no name\n"
                       "  at: node 'n' (Relu, ai.onnx 14)\n");
    put_attribute(&f, SPAN("\x0a\x01"
                           "a"
                           "\xa0\x01\x02\xaa\x01\x01"
                           "b"));
    assert_refused(
        &f, "error[model.structure]: attribute 'a' refers to 'b' of a call, must be in a function\n"
            "  at: node 'n' (Relu, ai.onnx 14)\n");
}

static void attributes_given_twice_are_refused(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    mb_node_open(&f.b, "Relu", "x", "y");
    mb_int(&f.b, "a", 1);
    mb_int(&f.b, "a", 1);
    mb_close(&f.b);
    assert_refused(&f, "error[model.structure]: attribute 'a' given twice\n"
                       "  at: node 'Relu#0' (Relu, ai.onnx 14) of output 'y'\n");
}

static void unpacked_lists_read_like_packed_ones(void **state)
{
    (void)state;
    struct fixture f;
    put_attribute(&f, SPAN("\x0a\x01"
                           "a"
                           "\xa0\x01\x07"
                           "\x40\x01"
                           "\x42\x02\x02\x03"
                           "\x40\x04"));
    assert_ok(fixture_open(&f));
    const struct onnx_attribute *a = &f.m->graph.nodes[0].attributes[0];
    assert_int_equal(a->count, 4);
    for (int64_t i = 0; i < 4; i++)
        assert_int_equal(a->ints[i], i + 1);
    fixture_end(&f);
}

/* The last scalar wins, messages are merged, a oneof keeps its last member. */
static void singular_fields_that_repeat_are_merged(void **state)
{
    (void)state;
    struct fixture f;
    fixture_begin(&f);
    wire_put_i64(&f.b.w, MODEL_IR_VERSION, 8);
    mb_graph(&f.b);
    mb_node(&f.b, "Relu", "x", "h");
    mb_output(&f.b, "y", ONNX_FLOAT, DIMS(2));
    mb_close(&f.b);
    mb_graph(&f.b);
    wire_put_text(&f.b.w, GRAPH_NAME, "second");
    mb_node(&f.b, "Neg", "h", "y");
    /* type: int64 tensor, then a sequence, then a tensor in two pieces: elem_type, shape */
    wire_put_bytes(&f.b.w, GRAPH_INPUT,
                   SPAN("\x0a\x01x"
                        "\x12\x04\x0a\x02\x08\x07"
                        "\x12\x02\x22\x00"
                        "\x12\x04\x0a\x02\x08\x01"
                        "\x12\x08\x0a\x06\x12\x04\x0a\x02\x08\x05"));
    assert_ok(fixture_open(&f));
    const struct onnx_graph *g = &f.m->graph;
    assert_int_equal(f.m->ir_version, 8);
    assert_span(g->name, "second");
    assert_int_equal(g->node_count, 2);
    assert_span(g->nodes[1].op_type, "Neg");
    assert_int_equal(g->inputs[0].type.kind, ONNX_TYPE_TENSOR);
    assert_int_equal(g->inputs[0].type.dtype, ONNX_FLOAT);
    assert_int_equal(g->inputs[0].type.dims[0].value, 5);
    fixture_end(&f);
}

static void unknown_fields_matter_only_in_newer_models(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    mb_node_open(&f.b, "Relu", "x", "y");
    wire_put_i64(&f.b.w, 31, 1);
    assert_ok(fixture_open(&f));
    fixture_end(&f);

    fixture_graph(&f);
    mb_node(&f.b, "Relu", "x", "y");
    mb_close(&f.b);
    wire_put_i64(&f.b.w, MODEL_IR_VERSION, 15);
    assert_ok(fixture_open(&f));
    fixture_end(&f);

    fixture_graph(&f);
    mb_node_open(&f.b, "Relu", "x", "y");
    wire_put_i64(&f.b.w, 31, 1);
    mb_close(&f.b);
    mb_close(&f.b);
    wire_put_i64(&f.b.w, MODEL_IR_VERSION, 15);
    assert_refused(
        &f, "error[model.version]: ir_version 15 with the unknown field 31 in NodeProto, must "
            "be from 3 to 14\n");
}

static void the_interface_is_checked(void **state)
{
    (void)state;
    struct fixture f;
    fixture_begin(&f);
    assert_refused(&f, "error[model.structure]: model has no graph\n");

    fixture_begin(&f);
    mb_graph(&f.b);
    mb_input(&f.b, "x", ONNX_FLOAT, DIMS(2));
    assert_refused(&f, "error[model.structure]: graph 'g' has no outputs\n");

    fixture_graph(&f);
    wire_put_bytes(&f.b.w, GRAPH_INPUT, SPAN("\x0a\x01z"));
    assert_refused(&f, "error[model.structure]: type of 'z' is missing\n  at: input 'z'\n");

    fixture_graph(&f);
    mb_input(&f.b, "z", 29, DIMS(2));
    assert_refused(&f, "error[model.structure]: data type 29 of input 'z', must be from 1 to 28\n"
                       "  at: input 'z'\n");

    fixture_graph(&f);
    mb_node(&f.b, "", "x", "y");
    assert_refused(&f, "error[model.structure]: op_type of a node is empty\n"
                       "  at: node '#0' (, ai.onnx) of output 'y'\n");
}

static void versions_and_imports_are_checked(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    mb_close(&f.b);
    wire_put_i64(&f.b.w, MODEL_IR_VERSION, 2);
    assert_refused(&f, "error[model.version]: ir_version 2, must be from 3 to 14\n");

    fixture_begin(&f);
    mb_free(&f.b);
    mb_begin(&f.b, 0);
    mb_graph(&f.b);
    assert_refused(&f, "error[model.opset]: opset_import is missing\n");

    fixture_begin(&f);
    mb_opset(&f.b, "ai.onnx", 18);
    mb_graph(&f.b);
    mb_output(&f.b, "x", ONNX_FLOAT, DIMS(2));
    assert_refused(
        &f,
        "error[model.opset]: opset_import has 'ai.onnx' with versions 17 and 18, must have one\n");

    fixture_begin(&f);
    mb_opset(&f.b, "d", 0);
    mb_graph(&f.b);
    mb_output(&f.b, "x", ONNX_FLOAT, DIMS(2));
    assert_refused(&f,
                   "error[model.opset]: opset_import of 'd' has version 0, must be at least 1\n");

    fixture_graph(&f);
    mb_node_open(&f.b, "Gelu", "x", "y");
    mb_node_domain(&f.b, "com.microsoft");
    assert_refused(&f, "error[model.opset]: domain 'com.microsoft' is not in opset_import\n"
                       "  at: node 'Gelu#0' (Gelu, com.microsoft) of output 'y'\n");
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    for (unsigned depth = 62; depth < 66; depth++) {
        struct fixture f;
        fixture_graph(&f);
        mb_node(&f.b, "Relu", "x", "y");
        for (unsigned i = 0; i < depth; i++) {
            mb_node_open(&f.b, "If", "x", "");
            mb_subgraph(&f.b, "then_branch");
        }
        if (depth < 64) {
            assert_ok(fixture_open(&f));
        } else {
            assert_status(fixture_open(&f), O2W_RANGE);
            assert_int_equal(f.diags.count, 1);
            assert_int_equal(f.diags.first->code, DIAG_LIMIT);
        }
        fixture_end(&f);
    }
}

static void what_is_no_model_gets_a_hint(void **state)
{
    (void)state;
    static const struct {
        struct span bytes;
        const char *hint;
    } rows[] = {
        { SPAN("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"),
          "the file is a Git LFS pointer: fetch the model itself with 'git lfs pull'" },
        { SPAN("<!DOCTYPE html><html>"),
          "the file looks like a web page: the download may have failed" },
        { SPAN("\x08\x0a\x3a\xff\x01"), "the file may be incomplete" },
        { SPAN("hello"), NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct diags d;
        struct onnx_model *m = NULL;
        diags_init(&d, NULL);
        assert_status(onnx_model_open_bytes(rows[i].bytes, "m", NULL, NULL, NULL, &d, &m),
                      O2W_FORMAT);
        assert_int_equal(d.count, 1);
        if (rows[i].hint)
            assert_string_equal(d.first->hint, rows[i].hint);
        else
            assert_null(d.first->hint);
        assert_string_equal(d.first->file, "m");
        diags_free(&d);
    }
}

/* Every prefix of a model fails cleanly, or is a smaller model. */
static void cut_models_fail_cleanly(void **state)
{
    (void)state;
    struct fixture f;
    fixture_graph(&f);
    mb_floats(&f.b, "w", DIMS(2), FLOATS(1, 2));
    mb_node_open(&f.b, "Add", "x w", "y");
    mb_int_list(&f.b, "a", INTS(1, 2, 3));
    mb_subgraph(&f.b, "g");
    mb_output(&f.b, "w", ONNX_FLOAT, DIMS(2));
    struct span bytes = mb_end(&f.b);
    for (size_t size = 0; size < bytes.size; size++) {
        struct onnx_model *m = NULL;
        o2w_status status = onnx_model_open_bytes((struct span){ bytes.data, size }, "m", NULL,
                                                  NULL, NULL, NULL, &m);
        assert_true((status == O2W_OK) == (m != NULL));
        onnx_model_close(m);
    }
    fixture_end(&f);
}

static o2w_status open_and_read(const o2w_allocator *allocator, void *user)
{
    const struct span *bytes = user;
    struct diags d;
    struct onnx_model *m = NULL;
    diags_init(&d, allocator);
    o2w_status status = onnx_model_open_bytes(*bytes, "m", NULL, NULL, allocator, &d, &m);
    if (status == O2W_OK) {
        struct onnx_payload p;
        status = onnx_tensor_payload(m, &m->graph.initializers[0], &d, &p);
    }
    onnx_model_close(m);
    diags_free(&d);
    return status;
}

static void running_out_of_memory_is_survived(void **state)
{
    (void)state;
    struct fixture f;
    fixture_begin(&f);
    mb_function(&f.b, "local", "F", "a", "b");
    mb_opset(&f.b, "", 17);
    mb_node(&f.b, "Relu", "a", "b");
    mb_close(&f.b);
    mb_graph(&f.b);
    mb_input(&f.b, "x", ONNX_FLOAT, DIMS(2));
    mb_output(&f.b, "y", ONNX_FLOAT, DIMS(2));
    size_t t = mb_tensor_open(&f.b, GRAPH_INITIALIZER, "w", ONNX_INT32, DIMS(2));
    wire_put_i64s(&f.b.w, TENSOR_INT32_DATA, INTS(1, 2));
    wire_end(&f.b.w, t);
    mb_node_open(&f.b, "If", "x", "y"); /* out of order */
    mb_subgraph(&f.b, "then_branch");
    mb_output(&f.b, "h", ONNX_FLOAT, DIMS(2));
    mb_close(&f.b);
    mb_close(&f.b);
    mb_node_open(&f.b, "F", "x", "h");
    mb_node_domain(&f.b, "local");
    struct span bytes = mb_end(&f.b);
    assert_true(sweep_allocations(open_and_read, &bytes) > 10);
    fixture_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_is_read),
        cmocka_unit_test(texts_lie_in_the_file),
        cmocka_unit_test(attributes_of_every_type_are_read),
        cmocka_unit_test(attribute_types_are_inferred_only_when_clear),
        cmocka_unit_test(attributes_given_twice_are_refused),
        cmocka_unit_test(unpacked_lists_read_like_packed_ones),
        cmocka_unit_test(singular_fields_that_repeat_are_merged),
        cmocka_unit_test(unknown_fields_matter_only_in_newer_models),
        cmocka_unit_test(the_interface_is_checked),
        cmocka_unit_test(versions_and_imports_are_checked),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(what_is_no_model_gets_a_hint),
        cmocka_unit_test(cut_models_fail_cleanly),
        cmocka_unit_test(running_out_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
