/* Names of the graph against names of the model. Numbers of cases are those of the contract. */
#include "case.h"

#include "format/format.h"
#include "validate/map.h"

enum { FLOAT = 1 };

struct mapped {
    struct graph *graph;
    struct port_map map;
};

/* A model of Relus: outputs "y0", "y1" … or those given; maps the graph text to it. */
static void model(struct model_case *c, const char *const *inputs, const char *const *outputs,
                  size_t count)
{
    case_begin(c, 17);
    mb_graph(&c->b);
    for (size_t i = 0; i < count; i++) {
        mb_input(&c->b, inputs[i], FLOAT, DIMS(2));
        if (strcmp(inputs[i], outputs[i]) != 0)
            mb_node(&c->b, "Relu", inputs[i], outputs[i]);
        mb_output(&c->b, outputs[i], FLOAT, DIMS(2));
    }
    case_write(c);
    assert_ok(source_open(c->model, NULL, &c->diags, &c->source));
}

static o2w_status map(struct model_case *c, const char *text, struct mapped *m)
{
    *m = (struct mapped){ 0 };
    o2w_status s =
        format_read_bytes(span_of(text), "g.webnn", NULL, NULL, NULL, &c->diags, &m->graph);
    if (s != O2W_OK)
        fail_msg("%s", c->diags.first->message);
    return port_map_make(&c->source, m->graph, &c->diags, &m->map);
}

static void mapped_end(struct model_case *c, struct mapped *m)
{
    graph_free(m->graph);
    case_end(c);
}

#define TWO \
    "inputs { a_b: f32[2]; a_b_2: f32[2]; } nodes { y0 = relu(a_b_2); y1 = relu(a_b); } outputs { y0, y1; }"

static void case_40_colliding_names(void **state)
{
    (void)state;
    static const char *const inputs[] = { "a.b", "a_b" }, *const outputs[] = { "y0", "y1" };
    struct model_case c;
    struct mapped m;
    model(&c, inputs, outputs, 2);
    assert_ok(map(&c, "webnn_graph \"g\" v1 {\n  # o2w name a_b_2 \"a.b\"\n" TWO "}\n", &m));
    assert_int_equal(m.map.input_of[0], 1);
    assert_int_equal(m.map.input_of[1], 0);
    mapped_end(&c, &m);

    model(&c, inputs, outputs, 2); /* a reader that dropped the comments wrote it again */
    assert_ok(map(&c, "webnn_graph \"g\" v1 {\n" TWO "}\n", &m));
    assert_int_equal(m.map.input_of[0], 1);
    assert_int_equal(m.map.input_of[1], 0);
    mapped_end(&c, &m);

    model(&c, inputs, outputs, 2);
    assert_status(map(&c,
                      "webnn_graph \"g\" v1 {\ninputs { a_b: f32[2]; } "
                      "nodes { y0 = relu(a_b); y1 = abs(a_b); } outputs { y0, y1; } }\n",
                      &m),
                  O2W_INVALID_ARGUMENT);
    assert_diag(&c.diags, 0, DIAG_MAP_INPUT_COLLISION,
                "inputs 'a.b' and 'a_b' of the model can both be 'a_b' of the graph");
    mapped_end(&c, &m);
}

static void case_39_input_that_the_model_has_not(void **state)
{
    (void)state;
    static const char *const inputs[] = { "x" }, *const outputs[] = { "y" };
    struct model_case c;
    struct mapped m;
    model(&c, inputs, outputs, 1);
    assert_status(map(&c,
                      "webnn_graph \"g\" v1 { inputs { x: f32[2]; extra: f32[2]; } "
                      "nodes { y = add(x, extra); } outputs { y; } }",
                      &m),
                  O2W_INVALID_ARGUMENT);
    assert_diag(&c.diags, 0, DIAG_MAP_INPUT_UNKNOWN,
                "the graph has input 'extra', the model has none of this name");
    mapped_end(&c, &m);
}

static void a_pinned_input_is_none_of_the_graph(void **state)
{
    (void)state;
    static const char *const inputs[] = { "x.1" }, *const outputs[] = { "y" };
    struct model_case c;
    struct mapped m;
    model(&c, inputs, outputs, 1);
    assert_ok(source_pin(&c.source, SPAN("x.1"), 1, &c.diags));
    assert_status(map(&c,
                      "webnn_graph \"g\" v1 { inputs { x_1: f32[2]; } nodes { y = relu(x_1); } "
                      "outputs { y; } }",
                      &m),
                  O2W_INVALID_ARGUMENT);
    assert_non_null(case_find(&c, DIAG_MAP_INPUT_PINNED));
    mapped_end(&c, &m);
}

static void case_41_output_named_like_an_input(void **state)
{
    (void)state;
    static const char *const inputs[] = { "x", "p" }, *const outputs[] = { "x", "p" };
    struct model_case c;
    struct mapped m;
    model(&c, inputs, outputs, 2);
    assert_ok(source_pin(&c.source, SPAN("p"), 1, &c.diags)); /* occupies no name any more */
    assert_ok(map(&c,
                  "webnn_graph \"g\" v1 { inputs { x: f32[2]; } consts { k: f32[2] @scalar(1); } "
                  "nodes { x__output = identity(x); p = identity(k); } outputs { p, x__output; } }",
                  &m));
    assert_int_equal(m.map.output_of[0], 1);
    assert_int_equal(m.map.output_of[1], 0);
    mapped_end(&c, &m);
}

static void names_of_other_converters(void **state)
{
    (void)state;
    static const char *const inputs[] = { "past.0::key" }, *const outputs[] = { "1/out:0" };
    struct model_case c;
    struct mapped m;
    model(&c, inputs, outputs, 1);
    assert_ok(map(&c,
                  "webnn_graph \"g\" v1 { inputs { past_0__key: f32[2]; } "
                  "nodes { _1_out_0 = relu(past_0__key); } outputs { _1_out_0; } }",
                  &m));
    assert_int_equal(m.map.input_of[0], 0);
    assert_int_equal(m.map.output_of[0], 0);
    mapped_end(&c, &m);
}

static void an_output_that_the_model_has_not(void **state)
{
    (void)state;
    static const char *const inputs[] = { "x" }, *const outputs[] = { "y" };
    struct model_case c;
    struct mapped m;
    model(&c, inputs, outputs, 1);
    assert_status(map(&c,
                      "webnn_graph \"g\" v1 { inputs { x: f32[2]; } nodes { z = relu(x); } "
                      "outputs { z; } }",
                      &m),
                  O2W_INVALID_ARGUMENT);
    assert_non_null(case_find(&c, DIAG_MAP_OUTPUT_UNKNOWN));
    mapped_end(&c, &m);
}

static void a_body_graph_has_no_reference(void **state)
{
    (void)state;
    static const char *const inputs[] = { "x" }, *const outputs[] = { "y" };
    struct model_case c;
    struct mapped m;
    model(&c, inputs, outputs, 1);
    assert_status(map(&c,
                      "webnn_graph \"g\" v1 {\n  # o2w subgraph \"loop.body\"\n"
                      "inputs { x: f32[2]; } nodes { y = relu(x); } outputs { y; } }",
                      &m),
                  O2W_UNSUPPORTED);
    assert_int_equal(c.diags.first->code, DIAG_MAP_SUBGRAPH);
    mapped_end(&c, &m);
}

static void the_count_of_a_bounded_output_is_its_own_port(void **state)
{
    (void)state;
    static const char *const inputs[] = { "x" }, *const outputs[] = { "y" };
    struct model_case c;
    struct mapped m;
    model(&c, inputs, outputs, 1);
    assert_ok(
        map(&c,
            "webnn_graph \"g\" v1 {\n  # o2w bound \"y\" 2\n  # o2w name y_count \"y.count\"\n"
            "inputs { x: f32[2]; } consts { n: i64[] @scalar(2); } "
            "nodes { y = relu(x); y_count = identity(n); } outputs { y, y_count; } }",
            &m));
    assert_int_equal(m.map.count_of[0], 1);
    assert_int_equal(m.map.output_of[0], 0);
    mapped_end(&c, &m);
}

struct sweep {
    const char *model, *text;
};

static o2w_status map_with(const o2w_allocator *allocator, void *user)
{
    const struct sweep *sweep = user;
    const o2w_environment e = { .size = sizeof e, .allocator = *allocator };
    struct source s = { 0 };
    struct port_map map;
    struct graph *g = NULL;
    struct diags d;
    diags_init(&d, allocator);
    o2w_status status = source_open(sweep->model, &e, &d, &s);
    if (status == O2W_OK)
        status = format_read_bytes(span_of(sweep->text), "g.webnn", NULL, NULL, allocator, &d, &g);
    if (status == O2W_OK)
        status = port_map_make(&s, g, &d, &map);
    graph_free(g);
    if (s.allocator)
        source_close(&s);
    diags_free(&d);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char *const inputs[] = { "a.b", "a_b" }, *const outputs[] = { "y0", "y1" };
    struct model_case c;
    model(&c, inputs, outputs, 2);
    struct sweep sweep = { c.model, "webnn_graph \"g\" v1 {\n" TWO "}\n" };
    assert_true(sweep_allocations(map_with, &sweep) > 10);
    case_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_39_input_that_the_model_has_not),
        cmocka_unit_test(case_40_colliding_names),
        cmocka_unit_test(a_pinned_input_is_none_of_the_graph),
        cmocka_unit_test(case_41_output_named_like_an_input),
        cmocka_unit_test(names_of_other_converters),
        cmocka_unit_test(an_output_that_the_model_has_not),
        cmocka_unit_test(a_body_graph_has_no_reference),
        cmocka_unit_test(the_count_of_a_bounded_output_is_its_own_port),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
