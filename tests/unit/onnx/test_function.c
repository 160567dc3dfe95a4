/* Functions of the model. */
#include "unit/onnx/onnx_test.h"

#include <stdio.h>

static void put_function(struct fixture *f, const char *name, const char *op, const char *domain)
{
    mb_function(&f->b, "local", name, "a", "b");
    mb_opset(&f->b, "", 18);
    mb_opset(&f->b, "local", 1);
    mb_node_open(&f->b, op, "a", "b");
    mb_node_domain(&f->b, domain);
    mb_close(&f->b);
    mb_close(&f->b);
}

static void put_call(struct fixture *f, const char *name)
{
    mb_graph(&f->b);
    mb_input(&f->b, "x", ONNX_FLOAT, DIMS(2));
    mb_output(&f->b, "y", ONNX_FLOAT, DIMS(2));
    mb_node_open(&f->b, name, "x", "y");
    mb_node_domain(&f->b, "local");
    mb_close(&f->b);
    mb_close(&f->b);
}

static void a_function_is_read_and_found(void **state)
{
    (void)state;
    struct fixture f;
    fixture_begin(&f);
    mb_opset(&f.b, "local", 1);
    mb_function(&f.b, "local", "F", "a b", "c");
    wire_put_text(&f.b.w, FUNCTION_OVERLOAD, "");
    wire_put_text(&f.b.w, FUNCTION_DOC_STRING, "doc");
    mb_function_attribute(&f.b, "alpha");
    mb_opset(&f.b, "", 18);
    mb_node(&f.b, "Add", "a b", "s");
    mb_node_open(&f.b, "Elu", "s", "c");
    mb_reference(&f.b, "alpha", ONNX_ATTRIBUTE_FLOAT, "alpha");
    mb_close(&f.b);
    mb_close(&f.b);
    mb_graph(&f.b);
    mb_input(&f.b, "x", ONNX_FLOAT, DIMS(2));
    mb_output(&f.b, "y", ONNX_FLOAT, DIMS(2));
    mb_node_open(&f.b, "F", "x x", "y");
    mb_node_domain(&f.b, "local");
    assert_ok(fixture_open(&f));
    assert_int_equal(f.m->function_count, 1);
    const struct onnx_function *fn = &f.m->functions[0];
    assert_ptr_equal(f.m->graph.nodes[0].function, fn);
    assert_int_equal(f.m->graph.nodes[0].opset, 1);
    assert_span(fn->name, "F");
    assert_span(fn->doc, "doc");
    assert_int_equal(fn->attribute_count, 1);
    assert_span(fn->attributes[0], "alpha");
    assert_int_equal(onnx_opset_version(f.m, fn, SPAN("ai.onnx")), 18);
    assert_int_equal(fn->body.input_count, 2);
    assert_span(onnx_name(f.m, fn->body.inputs[1].name), "b");
    assert_int_equal(fn->body.node_count, 2);
    assert_int_equal(fn->body.nodes[0].opset, 18);
    assert_span(fn->body.nodes[1].attributes[0].ref_name, "alpha");
    assert_null(fn->body.nodes[0].function);
    fixture_end(&f);
}

static void overloads_are_told_apart(void **state)
{
    (void)state;
    struct fixture f;
    fixture_begin(&f);
    mb_function(&f.b, "local", "F", "a", "a");
    mb_close(&f.b);
    mb_function(&f.b, "local", "F", "a", "a");
    wire_put_text(&f.b.w, FUNCTION_OVERLOAD, "two");
    mb_close(&f.b);
    mb_graph(&f.b);
    mb_input(&f.b, "x", ONNX_FLOAT, DIMS(2));
    mb_output(&f.b, "y", ONNX_FLOAT, DIMS(2));
    mb_node_open(&f.b, "F", "x", "y"); /* called without an import */
    mb_node_domain(&f.b, "local");
    wire_put_text(&f.b.w, NODE_OVERLOAD, "two");
    assert_ok(fixture_open(&f));
    assert_ptr_equal(f.m->graph.nodes[0].function, &f.m->functions[1]);
    assert_int_equal(f.m->graph.nodes[0].opset, 0);
    fixture_end(&f);
}

static void functions_are_defined_once(void **state)
{
    (void)state;
    struct fixture f;
    fixture_begin(&f);
    put_function(&f, "F", "Relu", "");
    put_function(&f, "F", "Neg", "");
    put_call(&f, "F");
    assert_refused(&f, "error[model.function]: function 'F' of domain 'local' defined twice\n");
}

static void recursion_is_refused(void **state)
{
    (void)state;
    struct fixture f;
    fixture_begin(&f);
    put_function(&f, "F", "G", "local");
    put_function(&f, "G", "H", "local");
    put_function(&f, "H", "F", "local");
    put_call(&f, "F");
    assert_refused(&f, "error[model.function]: recursion of function 'F', calls must end\n"
                       "  at: function 'F' calls 'G'\n"
                       "  at: function 'G' calls 'H'\n"
                       "  at: function 'H' calls 'F'\n");
}

static void expansion_is_bounded(void **state)
{
    (void)state;
    struct fixture f;
    char name[8], next[8];
    fixture_begin(&f);
    for (unsigned i = 0; i < 60; i++) {
        snprintf(name, sizeof name, "F%u", i);
        snprintf(next, sizeof next, "F%u", i + 1);
        mb_function(&f.b, "local", name, "a", "c");
        mb_opset(&f.b, "", 18);
        for (unsigned k = 0; k < 2; k++) {
            mb_node_open(&f.b, i == 59 ? "Relu" : next, k ? "b" : "a", k ? "c" : "b");
            if (i < 59)
                mb_node_domain(&f.b, "local");
            mb_close(&f.b);
        }
        mb_close(&f.b);
    }
    put_call(&f, "F0");
    assert_refused(&f, "error[limit]: expansion of functions gives more than 16777216 operators\n");
}

static void errors_in_a_body_name_the_function(void **state)
{
    (void)state;
    struct fixture f;
    fixture_begin(&f);
    put_function(&f, "F", "Gelu", "com.microsoft");
    put_call(&f, "F");
    assert_refused(&f, "error[model.opset]: domain 'com.microsoft' is not in opset_import\n"
                       "  at: node 'Gelu#0' (Gelu, com.microsoft) of output 'b'\n"
                       "  at: function 'F'\n");
    fixture_begin(&f);
    mb_function(&f.b, "local", "F", "a", "b");
    mb_close(&f.b);
    put_call(&f, "F");
    assert_refused(&f, "error[model.name]: output 'b' of graph 'F' is produced by nothing\n"
                       "  at: function 'F'\n");
}

/* Bodies are scopes of their own: names of the main graph mean nothing there. */
static void bodies_see_only_their_own_names(void **state)
{
    (void)state;
    struct fixture f;
    fixture_begin(&f);
    mb_function(&f.b, "local", "F", "y", "x");
    mb_opset(&f.b, "", 18);
    mb_node(&f.b, "Relu", "y", "x");
    mb_close(&f.b);
    put_call(&f, "F");
    assert_ok(fixture_open(&f));
    fixture_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_is_read_and_found),
        cmocka_unit_test(overloads_are_told_apart),
        cmocka_unit_test(functions_are_defined_once),
        cmocka_unit_test(recursion_is_refused),
        cmocka_unit_test(expansion_is_bounded),
        cmocka_unit_test(errors_in_a_body_name_the_function),
        cmocka_unit_test(bodies_see_only_their_own_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
