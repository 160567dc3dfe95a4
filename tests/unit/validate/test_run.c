/* Runs of graphs and models, feeds and references of their own. */
#include "case.h"

enum { FLOAT = 1, INT64 = 7, STRING = 8 };

static void begin(struct model_case *c)
{
    case_begin(c, 17);
    mb_graph(&c->b);
}

/* y = x + w, where w has an initializer and is an input too. */
static void add_model(struct model_case *c)
{
    begin(c);
    mb_input_named(&c->b, "x", FLOAT, "n");
    mb_input(&c->b, "w", FLOAT, DIMS(1));
    mb_floats(&c->b, "w", DIMS(1), FLOATS(10));
    mb_node(&c->b, "Add", "x w", "y");
    mb_output(&c->b, "y", FLOAT, DIMS(-1));
    case_write(c);
}

static o2w_tensors *given(const char *name, const float *data, int64_t count)
{
    o2w_tensors *t = NULL;
    o2w_tensor_view view = { .name = name,
                             .type = "float32",
                             .rank = 1,
                             .dims = { count },
                             .data = data,
                             .bytes = (uint64_t)count * 4 };
    assert_ok(o2w_tensors_create(NULL, &t, NULL));
    assert_ok(o2w_tensors_add(t, &view, NULL));
    return t;
}

static o2w_run *run_of(struct model_case *c, const char *path, o2w_run_options *o)
{
    o2w_run *run = NULL;
    o->size = sizeof *o;
    if (o2w_run_file(path, o, &run, &c->error) != O2W_OK)
        fail_msg("%s", o2w_error_text(c->error));
    return run;
}

static void expect_floats(const o2w_tensors *t, const char *name, const float *values, size_t count)
{
    o2w_tensor_view v;
    for (size_t i = 0; o2w_tensors_at(t, i, &v); i++)
        if (strcmp(v.name, name) == 0) {
            assert_int_equal(v.bytes, count * 4);
            assert_memory_equal(v.data, values, count * 4);
            return;
        }
    fail_msg("no '%s'", name);
}

static void a_model_takes_its_sizes_from_the_feeds(void **state)
{
    (void)state;
    struct model_case c;
    const float x[] = { 1, 2, 3 }, y[] = { 11, 12, 13 };
    o2w_tensors *t = given("x", x, 3);
    o2w_run_options o = { .feeds = t };
    add_model(&c);
    o2w_run *run = run_of(&c, c.model, &o);
    expect_floats(o2w_run_outputs(run), "y", y, 3);
    assert_int_equal(o2w_run_made_count(run), 0);
    assert_string_equal(o2w_run_backend(run), "cpu");
    assert_int_equal(o2w_run_count(run), 1);
    o2w_run_free(run);
    o2w_tensors_free(t);
    case_end(&c);
}

static void kept_inputs_have_their_default_or_a_feed(void **state)
{
    (void)state;
    struct model_case c;
    const float w[] = { 100 }, y[] = { 99.5f, 99.5625f }, plain[] = { 9.5f, 9.5625f };
    const o2w_dim n = { "n", 2 };
    o2w_convert_options convert = {
        .size = sizeof convert, .dims = &n, .dim_count = 1, .keep_inputs = true
    };
    o2w_tensors *t = given("w", w, 1);
    o2w_run_options o = { .convert = &convert };
    add_model(&c);
    o2w_run *run = run_of(&c, c.model, &o);
    expect_floats(o2w_run_outputs(run), "y", plain, 2);
    o2w_run_free(run);
    o.feeds = t;
    run = run_of(&c, c.model, &o);
    expect_floats(o2w_run_outputs(run), "y", y, 2);
    assert_int_equal(o2w_run_made_count(run), 1);
    assert_string_equal(o2w_run_made(run, 0), "x");
    o2w_run_free(run);

    convert.keep_inputs = false;
    run = NULL;
    assert_status(o2w_run_file(c.model, &o, &run, &c.error), O2W_INVALID_ARGUMENT);
    assert_has(o2w_error_text(c.error), "unknown 'w'");
    o2w_tensors_free(t);
    case_end(&c);
}

static void a_graph_finds_its_inputs_by_mangled_names(void **state)
{
    (void)state;
    struct model_case c;
    const float x[] = { -1, 2 }, y[] = { 0, 2 };
    static const char text[] = "webnn_graph \"g\" v2 { inputs { a_b: f32[dyn(\"n\", 4)]; }\n"
                               "nodes { y = relu(a_b); } outputs { y; } }\n";
    add_model(&c);
    temp_write(&c.folder, "model.webnn", text, strlen(text));
    o2w_tensors *t = given("a.b", x, 2);
    o2w_run_options o = { .feeds = t };
    o2w_run *run = run_of(&c, c.graph, &o);
    expect_floats(o2w_run_outputs(run), "y", y, 2);
    o2w_run_free(run);
    o2w_tensors_free(t);

    o2w_run_options none = { .size = sizeof none }; /* an open size that nobody gives */
    assert_status(o2w_run_file(c.graph, &none, &run, &c.error), O2W_INVALID_ARGUMENT);
    assert_has(o2w_error_text(c.error), "dim.unresolved");
    case_end(&c);
}

static void class_names_of_outputs(void **state)
{
    (void)state;
    struct model_case c;
    static const char text[] =
        "webnn_graph \"g\" v1 {\n  # o2w labels i [\"cat\", \"dog\"]\n  # o2w labels s [7, 8]\n"
        "inputs { x: f32[2, 2]; } consts { k: i64[3] @bytes([1, 0, 0, 0, 0, 0, 0, 0, "
        "0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0]); }\n"
        "nodes { i = identity(k); s = relu(x); } outputs { i, s; } }\n";
    o2w_run_options o = { 0 };
    add_model(&c);
    temp_write(&c.folder, "model.webnn", text, strlen(text));
    o2w_run *run = run_of(&c, c.graph, &o);
    assert_true(o2w_run_has_labels(run, 0));
    assert_string_equal(o2w_run_label(run, 0, 0), "dog");
    assert_string_equal(o2w_run_label(run, 0, 1), "cat");
    assert_null(o2w_run_label(run, 0, 2));
    assert_string_equal(o2w_run_label(run, 1, 3), "8");
    assert_null(o2w_run_label(run, 1, 4));
    assert_false(o2w_run_has_labels(run, 2));
    o2w_run_free(run);
    case_end(&c);
}

static void random_feeds_are_those_of_validation(void **state)
{
    (void)state;
    struct model_case c;
    const o2w_dim n = { "n", 2 };
    o2w_convert_options convert = { .size = sizeof convert, .dims = &n, .dim_count = 1 };
    o2w_run_options o = { .convert = &convert, .seed = 1, .repeat = 3, .warmup = 1 };
    const float x[] = { -0.9606597423553467f, -0.7990217208862305f };
    o2w_tensors *made = NULL;
    o2w_validate_options v = { .size = sizeof v, .dims = &n, .dim_count = 1 };
    add_model(&c);
    o2w_run *run = run_of(&c, c.model, &o);
    expect_floats(o2w_run_inputs(run), "x", x, 2);
    assert_int_equal(o2w_run_count(run), 3);
    o2w_run_free(run);
    assert_ok(o2w_feeds_make(c.model, &v, 1, &made, &c.error));
    assert_int_equal(o2w_tensors_count(made), 1);
    expect_floats(made, "x", x, 2);
    o2w_tensors_free(made);
    case_end(&c);
}

static void the_reference_runs_the_model_as_it_is(void **state)
{
    (void)state;
    struct model_case c;
    const float x[] = { 1, 2 }, y[] = { 11, 12 };
    o2w_tensors *t = given("x", x, 2), *out = NULL;
    o2w_run_options o = { .feeds = t, .reference = true };
    need_runtime();
    add_model(&c);
    o2w_run *run = run_of(&c, c.model, &o);
    expect_floats(o2w_run_outputs(run), "y", y, 2);
    assert_null(o2w_run_backend(run));
    o2w_run_free(run);
    assert_ok(o2w_reference_run(c.model, t, NULL, &out, &c.error));
    expect_floats(out, "y", y, 2);
    o2w_tensors_free(out);
    o2w_tensors_free(t);
    case_end(&c);
}

static void strings_and_sequences_of_a_reference(void **state)
{
    (void)state;
    struct model_case c;
    o2w_tensors *out = NULL;
    o2w_tensor_view v;
    char text[O2W_ELEMENT_TEXT];
    need_runtime();
    begin(&c);
    mb_input(&c.b, "x", FLOAT, DIMS(2));
    size_t s = mb_tensor_open(&c.b, 5, "s", STRING, DIMS(2));
    wire_put_text(&c.b.w, 6, "one");
    wire_put_text(&c.b.w, 6, "two words");
    wire_end(&c.b.w, s);
    mb_node(&c.b, "Identity", "s", "t");
    mb_node(&c.b, "SequenceConstruct", "x x", "q");
    mb_output(&c.b, "t", STRING, DIMS(2));
    size_t output = wire_begin(&c.b.w, 12); /* sequence(tensor(float)) */
    wire_put_text(&c.b.w, 1, "q");
    size_t type = wire_begin(&c.b.w, 2), sequence = wire_begin(&c.b.w, 4);
    size_t element = wire_begin(&c.b.w, 1), tensor = wire_begin(&c.b.w, 1);
    wire_put_i64(&c.b.w, 1, 1);
    wire_end(&c.b.w, tensor);
    wire_end(&c.b.w, element);
    wire_end(&c.b.w, sequence);
    wire_end(&c.b.w, type);
    wire_end(&c.b.w, output);
    case_write(&c);
    if (o2w_reference_run(c.model, NULL, NULL, &out, &c.error) != O2W_OK)
        fail_msg("%s", o2w_error_text(c.error));
    assert_true(o2w_tensors_at(out, 0, &v));
    assert_string_equal(v.type, "string");
    o2w_tensor_text(&v, 1, text);
    assert_string_equal(text, "two words");
    assert_true(o2w_tensors_at(out, 1, &v));
    assert_string_equal(v.type, "sequence");
    assert_null(v.data);
    o2w_tensors_free(out);
    case_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_takes_its_sizes_from_the_feeds),
        cmocka_unit_test(kept_inputs_have_their_default_or_a_feed),
        cmocka_unit_test(a_graph_finds_its_inputs_by_mangled_names),
        cmocka_unit_test(class_names_of_outputs),
        cmocka_unit_test(random_feeds_are_those_of_validation),
        cmocka_unit_test(the_reference_runs_the_model_as_it_is),
        cmocka_unit_test(strings_and_sequences_of_a_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
