/* Whole validations: convert, run on `cpu`, compare with native ONNX Runtime. Numbers of cases are
 * those of the contract. */
#include "case.h"

#include "base/file.h"

#include <stdlib.h>
#include <unistd.h>

enum { FLOAT = 1, UINT8 = 2, INT8 = 3, INT64 = 7, STRING = 8, BOOL = 9, DOUBLE = 11 };

static void begin(struct model_case *c, int64_t opset)
{
    case_begin(c, opset);
    mb_graph(&c->b);
}

/* y = x + w */
static void add_model(struct model_case *c)
{
    begin(c, 17);
    mb_input(&c->b, "x", FLOAT, DIMS(2, 3));
    mb_floats(&c->b, "w", DIMS(3), FLOATS(1, 2, 3));
    mb_node(&c->b, "Add", "x w", "y");
    mb_output(&c->b, "y", FLOAT, DIMS(2, 3));
}

/* Replaces the graph by this text. */
static void graph_text(struct model_case *c, const char *text)
{
    temp_write(&c->folder, "model.webnn", text, strlen(text));
}

static o2w_report *report_of(struct model_case *c, o2w_validate_options *o)
{
    o2w_report *report = NULL;
    if (case_validate(c, o, &report) != O2W_OK)
        fail_msg("%s", o2w_error_text(c->error));
    return report;
}

static void a_small_model_passes(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    add_model(&c);
    o2w_convert_options record = { .record = true };
    case_convert(&c, &record);
    o2w_report *r = report_of(&c, NULL);
    assert_true(o2w_report_passed(r));
    assert_null(o2w_report_diagnostics(r));
    assert_has(o2w_report_text(r), "graph      model.webnn (fresh)\nbackend    cpu");
    assert_has(o2w_report_text(r), "input  x float32 [2, 3] pattern\n"
                                   "output y float32 [2, 3]: ok, max |d| 0, max normalized 0\n"
                                   "passed: 1 of 1 outputs, 1 input\n");
    o2w_report_free(r);
    case_end(&c);
}

static void an_operator_goes_before_a_function_of_its_name(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    case_begin(&c, 17);
    mb_function(&c.b, "", "Relu", "a", "r");
    mb_opset(&c.b, "", 17);
    mb_node(&c.b, "Neg", "a", "r");
    mb_close(&c.b);
    mb_graph(&c.b);
    mb_input(&c.b, "x", FLOAT, DIMS(2, 3));
    mb_node(&c.b, "Relu", "x", "y");
    mb_output(&c.b, "y", FLOAT, DIMS(2, 3));
    case_convert(&c, NULL);
    case_passes(&c, NULL);
    case_end(&c);
}

static void case_6_scalar_and_empty(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    begin(&c, 17);
    mb_input(&c.b, "x", FLOAT, SCALAR);
    mb_input_named(&c.b, "e", FLOAT, "2 n 3");
    mb_node(&c.b, "Relu", "x", "y");
    mb_node(&c.b, "Relu", "e", "f");
    mb_output(&c.b, "y", FLOAT, SCALAR);
    mb_output(&c.b, "f", FLOAT, DIMS(2, -1, 3));
    const o2w_dim n = { "n", 0 };
    o2w_convert_options o = { .dims = &n, .dim_count = 1 };
    case_convert(&c, &o);
    o2w_report *r = report_of(&c, NULL);
    assert_true(o2w_report_passed(r));
    assert_has(o2w_report_text(r),
               "input  x float32 [] pattern\ninput  e float32 [2, 0, 3] pattern");
    assert_has(o2w_report_text(r), "output f float32 [2, 0, 3]: ok");
    o2w_report_free(r);
    case_end(&c);
}

/* y = If(flag) x + a else x * a; only the second uses `a`. */
static void pinned_model(struct model_case *c)
{
    begin(c, 17);
    mb_input(&c->b, "flag", BOOL, SCALAR);
    mb_input(&c->b, "x", FLOAT, DIMS(2));
    mb_input(&c->b, "a", FLOAT, DIMS(2));
    mb_node_open(&c->b, "If", "flag", "y");
    mb_subgraph(&c->b, "then_branch");
    mb_node(&c->b, "Relu", "x", "t");
    mb_output(&c->b, "t", FLOAT, DIMS(2));
    mb_close(&c->b);
    mb_subgraph(&c->b, "else_branch");
    mb_node(&c->b, "Mul", "x a", "e");
    mb_output(&c->b, "e", FLOAT, DIMS(2));
    mb_close(&c->b);
    mb_close(&c->b);
    mb_output(&c->b, "y", FLOAT, DIMS(2));
}

static void case_11_and_37_pinned_both_ways(void **state)
{
    (void)state;
    need_runtime();
    for (int64_t value = 0; value < 2; value++) {
        struct model_case c;
        const o2w_pin pin = { "flag", value, false };
        o2w_convert_options o = { .pins = &pin, .pin_count = 1 };
        pinned_model(&c);
        case_convert(&c, &o);
        o2w_report *r = report_of(&c, NULL); /* the pin is the graph's own */
        assert_true(o2w_report_passed(r));
        assert_has(o2w_report_text(r),
                   value ? "pinned flag bool [] 1\npruned a\n" : "pinned flag bool [] 0\n");
        assert_has(o2w_report_json(r), value ? "\"pruned\":[\"a\"]" : "\"pruned\":[]");
        o2w_report_free(r);
        case_end(&c);
    }
}

static void a_pin_that_differs(void **state)
{
    (void)state;
    struct model_case c;
    const o2w_pin pin = { "flag", 0, false }, other = { "flag", 1, false };
    o2w_convert_options o = { .pins = &pin, .pin_count = 1 };
    o2w_validate_options v = { .pins = &other, .pin_count = 1 };
    need_runtime();
    pinned_model(&c);
    case_convert(&c, &o);
    case_fails(&c, &v, "cache.specialization");
    assert_has(o2w_error_text(c.error), "flag=0 in the graph, 1 asked for");
    const o2w_pin unknown = { "flog", 1, false };
    v.pins = &unknown;
    case_fails(&c, &v, "pin.unknown");
    assert_has(o2w_error_text(c.error), "no input 'flog', nearest 'flag'");
    case_end(&c);
}

static void case_12_and_13_quantisers_on_both_sides(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    begin(&c, 13);
    mb_input(&c.b, "x", FLOAT, DIMS(64));
    mb_input(&c.b, "u", UINT8, DIMS(64));
    mb_floats(&c.b, "s", SCALAR, FLOATS(0.5f));
    mb_raw(&c.b, "z", INT8, SCALAR, "\0", 1);
    mb_node(&c.b, "QuantizeLinear", "x s z", "q");
    mb_node(&c.b, "DequantizeLinear", "u s", "d");
    mb_output(&c.b, "q", INT8, DIMS(64));
    mb_output(&c.b, "d", FLOAT, DIMS(64));
    case_convert(&c, NULL);
    o2w_report *r = report_of(&c, NULL);
    if (!o2w_report_passed(r))
        fail_msg("%s", o2w_report_text(r));
    assert_has(o2w_report_text(r),
               "input  x float32 [64] scale-aware\ninput  u uint8 [64] scale-aware");
    o2w_report_free(r);
    case_end(&c);
}

static void case_19_dynamic_levels_are_equal(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    begin(&c, 13);
    mb_input(&c.b, "x", FLOAT, DIMS(300));
    mb_node(&c.b, "DynamicQuantizeLinear", "x", "y ys yz");
    mb_output(&c.b, "y", UINT8, DIMS(300));
    mb_output(&c.b, "ys", FLOAT, SCALAR);
    mb_output(&c.b, "yz", UINT8, SCALAR);
    case_convert(&c, NULL);
    const uint64_t seeds[] = { 1, 99 };
    o2w_validate_options o = { .seeds = seeds, .seed_count = 2 };
    o2w_report *r = report_of(&c, &o);
    if (!o2w_report_passed(r))
        fail_msg("%s", o2w_report_text(r));
    assert_has(o2w_report_text(r), "passed: 3 of 3 runs\n");
    o2w_report_free(r);
    case_end(&c);
}

static void case_20_ids_that_the_reference_accepts(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    begin(&c, 17);
    mb_input(&c.b, "ids", INT64, DIMS(1, 9));
    mb_floats(&c.b, "table", DIMS(3, 2), FLOATS(1, 2, 3, 4, 5, 6));
    mb_node(&c.b, "Gather", "table ids", "y");
    mb_output(&c.b, "y", FLOAT, DIMS(1, 9, 2));
    case_convert(&c, NULL);
    o2w_report *r = report_of(&c, NULL);
    assert_true(o2w_report_passed(r));
    assert_has(o2w_report_text(r), "input  ids int64 [1, 9] ids<3\n");
    assert_has(o2w_report_json(r), "\"feed\":\"ids\",\"vocabulary\":3");
    o2w_report_free(r);
    case_end(&c);
}

static void case_21_seeds_do_not_depend_on_threads(void **state)
{
    (void)state;
    struct model_case c;
    const uint64_t seed = 1;
    char *texts[2];
    need_runtime();
    add_model(&c);
    case_convert(&c, NULL);
    for (unsigned i = 0; i < 2; i++) {
        char folder[160];
        snprintf(folder, sizeof folder, "%s/out%u", c.folder.path, i);
        o2w_validate_options o = {
            .seeds = &seed, .seed_count = 1, .threads = i ? 8 : 1, .save_outputs = folder
        };
        o2w_report *r = report_of(&c, &o);
        texts[i] = strdup(o2w_report_text(r));
        o2w_report_free(r);
    }
    assert_string_equal(texts[0], texts[1]);
    assert_has(texts[0], "run    seed 0\n");
    assert_has(texts[0], "run    seed 1\ninput  x float32 [2, 3] random\n");
    free(texts[0]);
    free(texts[1]);
    struct arena a;
    struct span one, other;
    arena_init(&a, NULL);
    assert_ok(
        file_read_all(temp_path(&c.folder, "out0/seed-1/graph.safetensors"), 4096, &a, NULL, &one));
    assert_ok(file_read_all(temp_path(&c.folder, "out1/seed-1/graph.safetensors"), 4096, &a, NULL,
                            &other));
    assert_true(span_equal(one, other));
    arena_free(&a);
    case_end(&c);
}

static void case_22_seeds_that_cannot_be(void **state)
{
    (void)state;
    struct model_case c;
    uint64_t seed = 0;
    o2w_validate_options o = { .seeds = &seed, .seed_count = 1 };
    add_model(&c);
    case_convert(&c, NULL);
    case_fails(&c, &o, "usage");
    seed = 1;
    o.input = "f.safetensors";
    case_fails(&c, &o, "usage");
    case_end(&c);
}

static void case_30_shapes_must_be_equal(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    add_model(&c);
    case_write(&c);
    graph_text(&c, "webnn_graph \"g\" v1 { inputs { x: f32[2, 3]; }\n"
                   "consts { w: f32[3] @bytes([0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64]); }\n"
                   "nodes { t = add(x, w); y = reshape(t, newShape=[6]); } outputs { y; } }\n");
    o2w_report *r = report_of(&c, NULL);
    assert_false(o2w_report_passed(r));
    assert_has(o2w_report_text(r),
               "output y float32 [6]: MISMATCH, shape [6], the reference has [2, 3]");
    assert_has(o2w_report_json(r), "\"kind\":\"shape\"");
    o2w_report_free(r);
    case_end(&c);
}

static void case_36_all_outputs_are_compared(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    begin(&c, 17);
    mb_input(&c.b, "x", FLOAT, DIMS(1, 2));
    mb_node(&c.b, "Relu", "x", "a");
    mb_node(&c.b, "Neg", "x", "b");
    mb_node(&c.b, "Abs", "x", "d");
    mb_output(&c.b, "a", FLOAT, DIMS(1, 2));
    mb_output(&c.b, "b", FLOAT, DIMS(1, 2));
    mb_output(&c.b, "d", FLOAT, DIMS(1, 2));
    case_write(&c);
    graph_text(&c, "webnn_graph \"g\" v1 { inputs { x: f32[1, 2]; }\n"
                   "nodes { a = identity(x); b = neg(x); d = abs(x); } outputs { b, a, d; } }\n");
    o2w_report *r = report_of(&c, NULL);
    assert_false(o2w_report_passed(r));
    assert_has(
        o2w_report_text(r),
        "output a float32 [1, 2]: MISMATCH, 2 of 2 values outside 1e-05 + 0.0001*|ref| (profile "
        "float32)\n"
        "  first: index 0 [0, 0]: reference 0.0, got -0.5, |d| 0.5, allowed 1e-05\n");
    assert_has(o2w_report_text(r), "  nan 0/0, inf 0/0\noutput b float32 [1, 2]: ok");
    assert_has(o2w_report_text(r), "output d float32 [1, 2]: ok");
    assert_has(o2w_report_text(r), "failed: 2 of 3 outputs, 1 input\n");
    assert_has(o2w_error_text(o2w_report_diagnostics(r)),
               "error[compare.mismatch]: 1 of 3 outputs differ from the reference: 'a'");
    o2w_report_free(r);
    case_end(&c);
}

/* The second output has `rows` rows. */
static void left_out(struct model_case *c, int64_t rows)
{
    begin(c, 17);
    mb_input(&c->b, "x", FLOAT, DIMS(2, 3));
    mb_int64s(&c->b, "begin", DIMS(1), INTS(0));
    mb_int64s(&c->b, "end", DIMS(1), INTS(rows));
    mb_node(&c->b, "Relu", "x", "y");
    mb_node(&c->b, "Slice", "x begin end", "s");
    mb_output(&c->b, "y", FLOAT, DIMS(2, 3));
    mb_output(&c->b, "s", FLOAT, DIMS(rows, 3));
    case_write(c);
    graph_text(
        c,
        "webnn_graph \"g\" v1 { inputs { x: f32[2, 3]; } nodes { y = relu(x); } outputs { y; } }");
}

static void case_38_outputs_that_the_graph_left_out(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    left_out(&c, 0);
    o2w_report *r = report_of(&c, NULL);
    assert_true(o2w_report_passed(r));
    assert_has(o2w_report_text(r), "empty  s\npassed: 1 of 1 outputs");
    assert_has(o2w_report_json(r), "\"emptyOutputs\":[\"s\"]");
    o2w_report_free(r);
    case_end(&c);

    left_out(&c, 1);
    case_fails(&c, NULL, "map.output-missing");
    assert_has(o2w_error_text(c.error), "'s', which the reference gives with shape [1, 3]");
    case_end(&c);
}

static void case_40_names_that_collide_are_fed_rightly(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    begin(&c, 17);
    mb_input(&c.b, "a.b", FLOAT, DIMS(2));
    mb_input(&c.b, "a_b", FLOAT, DIMS(2, 2));
    mb_node(&c.b, "Relu", "a.b", "y");
    mb_node(&c.b, "Neg", "a_b", "z");
    mb_output(&c.b, "y", FLOAT, DIMS(2));
    mb_output(&c.b, "z", FLOAT, DIMS(2, 2));
    o2w_convert_options o = { 0 };
    case_convert(&c, &o);
    o2w_report *r = report_of(&c, NULL);
    assert_true(o2w_report_passed(r));
    assert_has(o2w_report_json(r), "{\"name\":\"a.b\",\"graphName\":\"a_b_2\"");
    assert_has(o2w_report_json(r), "{\"name\":\"a_b\",\"graphName\":\"a_b\"");
    o2w_report_free(r);
    case_end(&c);
}

static void case_47_external_data_from_another_folder(void **state)
{
    (void)state;
    struct model_case c;
    const float w[] = { 1, 2, 3 };
    char before[4096];
    need_runtime();
    begin(&c, 17);
    mb_input(&c.b, "x", FLOAT, DIMS(2, 3));
    mb_external(&c.b, "w", FLOAT, DIMS(3), "w.bin", "0", "12");
    mb_node(&c.b, "Add", "x w", "y");
    mb_output(&c.b, "y", FLOAT, DIMS(2, 3));
    temp_write(&c.folder, "w.bin", w, sizeof w);
    case_convert(&c, NULL);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir("/"), 0);
    case_passes(&c, NULL);
    assert_int_equal(chdir(before), 0);
    case_end(&c);
}

static void case_48_reference_refuses_the_model(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    case_begin(&c, 17);
    mb_opset(&c.b, "nobody.knows", 1);
    mb_graph(&c.b);
    mb_input(&c.b, "x", FLOAT, DIMS(2));
    mb_node_open(&c.b, "Mystery", "x", "y");
    mb_node_domain(&c.b, "nobody.knows");
    mb_close(&c.b);
    mb_output(&c.b, "y", FLOAT, DIMS(2));
    case_write(&c);
    graph_text(
        &c, "webnn_graph \"g\" v1 { inputs { x: f32[2]; } nodes { y = relu(x); } outputs { y; } }");
    case_fails(&c, NULL, "reference.load");
    assert_string_equal(o2w_error_item(c.error, 0)->stage, "reference");
    assert_has(o2w_error_text(c.error), " refuses the model: ");
    assert_has(o2w_error_text(c.error), "\n  engine: ");
    assert_null(strstr(o2w_error_text(c.error), "mismatch"));
    case_end(&c);
}

static void case_52_an_alias_is_reported(void **state)
{
    (void)state;
    struct model_case c;
    o2w_validate_options o = { .backend = "burn-cpu" };
    need_runtime();
    add_model(&c);
    case_convert(&c, NULL);
    o2w_report *r = report_of(&c, &o);
    assert_true(o2w_report_passed(r));
    assert_has(o2w_report_text(r), ", requested: burn-cpu\n");
    assert_has(o2w_report_json(r), "\"backend\":{\"id\":\"cpu\",\"requested\":\"burn-cpu\"");
    o2w_report_free(r);
    case_end(&c);
}

static void kept_inputs_get_their_initializer(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    add_model(&c);
    mb_input(&c.b, "w", FLOAT, DIMS(3));
    o2w_convert_options o = { .keep_inputs = true };
    case_convert(&c, &o);
    o2w_report *r = report_of(&c, NULL);
    if (!o2w_report_passed(r))
        fail_msg("%s", o2w_report_text(r));
    assert_has(o2w_report_text(r), "input  w float32 [3] default\n");
    o2w_report_free(r);
    case_end(&c);
}

static void saved_feeds_are_an_archive_of_feeds(void **state)
{
    (void)state;
    struct model_case c;
    char path[160];
    need_runtime();
    add_model(&c);
    case_convert(&c, NULL);
    snprintf(path, sizeof path, "%s/f.safetensors", c.folder.path);
    o2w_validate_options save = { .save_feeds = path }, load = { .input = path };
    case_passes(&c, &save);
    o2w_report *r = report_of(&c, &load);
    assert_has(o2w_report_text(r), "input  x float32 [2, 3] archive\n");
    o2w_report_free(r);
    case_end(&c);
}

static void an_archive_of_another_size(void **state)
{
    (void)state;
    struct model_case c;
    char path[160];
    o2w_tensors *t = NULL;
    const float data[4] = { 0 };
    const o2w_dim n = { "n", 3 };
    o2w_convert_options o = { .dims = &n, .dim_count = 1 };
    need_runtime();
    begin(&c, 17);
    mb_input_named(&c.b, "x", FLOAT, "n");
    mb_node(&c.b, "Relu", "x", "y");
    mb_output(&c.b, "y", FLOAT, DIMS(-1));
    case_convert(&c, &o);
    assert_ok(o2w_tensors_create(NULL, &t, NULL));
    o2w_tensor_view view = {
        .name = "x", .type = "float32", .rank = 1, .dims = { 4 }, .data = data, .bytes = 16
    };
    assert_ok(o2w_tensors_add(t, &view, NULL));
    snprintf(path, sizeof path, "%s/f.safetensors", c.folder.path);
    assert_ok(o2w_feeds_save(t, path, NULL));
    o2w_tensors_free(t);
    o2w_validate_options v = { .input = path };
    case_fails(&c, &v, "feed.shape");
    assert_has(o2w_error_text(c.error), "input 'x': archive has [4], the graph takes [3]");
    case_end(&c);
}

static void float64_is_carried_as_float32(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    begin(&c, 17);
    mb_input(&c.b, "x", DOUBLE, DIMS(5));
    mb_node(&c.b, "Relu", "x", "y");
    mb_output(&c.b, "y", DOUBLE, DIMS(5));
    case_convert(&c, NULL);
    o2w_report *r = report_of(&c, NULL);
    assert_true(o2w_report_passed(r));
    assert_has(o2w_report_text(r), "output y float64 [5]: ok");
    o2w_report_free(r);
    case_end(&c);
}

static void case_49_open_sizes_below_the_maximum(void **state)
{
    (void)state;
    struct model_case c;
    const o2w_dim most = { "n", 64 };
    o2w_dim n = { "n", 5 };
    o2w_convert_options o = { .dynamic_inputs = true, .max_dims = &most, .max_dim_count = 1 };
    o2w_validate_options v = { .dims = &n, .dim_count = 1 };
    need_runtime();
    begin(&c, 17);
    mb_input_named(&c.b, "x", FLOAT, "2 n");
    mb_node(&c.b, "Transpose", "x", "y");
    mb_output(&c.b, "y", FLOAT, DIMS(-1, 2));
    case_convert(&c, &o);
    o2w_report *r = report_of(&c, &v);
    assert_true(o2w_report_passed(r));
    assert_has(o2w_report_text(r), "output y float32 [5, 2]: ok");
    o2w_report_free(r);
    n.value = 65;
    case_fails(&c, &v, "feed.shape");
    assert_has(o2w_error_text(c.error), "the feed has [2, 65], the graph takes at most [2, 64]");
    case_end(&c);
}

/* An engine that is here and takes no open sizes; NULL: none. */
static const char *fixed_engine(void)
{
    size_t count;
    const webnn_backend_info *all = webnn_backends(&count);
    for (size_t i = 0; i < count; i++) {
        webnn_probe *probe = NULL;
        bool here =
            !all[i].dynamic && webnn_backend_probe(all[i].name, NULL, &probe, NULL) == O2W_OK;
        webnn_probe_free(probe);
        if (here)
            return all[i].name;
    }
    return NULL;
}

static void case_49_a_backend_without_open_sizes(void **state)
{
    (void)state;
    struct model_case c;
    const o2w_dim most = { "n", 64 };
    const o2w_dim n = { "n", 5 };
    o2w_convert_options o = { .dynamic_inputs = true, .max_dims = &most, .max_dim_count = 1 };
    o2w_validate_options v = { .dims = &n, .dim_count = 1, .backend = fixed_engine() };
    if (!v.backend) {
        print_message("skipped: all engines that are here take open sizes\n");
        skip();
    }
    need_runtime();
    begin(&c, 17);
    mb_input_named(&c.b, "x", FLOAT, "2 n");
    mb_node(&c.b, "Transpose", "x", "y");
    mb_output(&c.b, "y", FLOAT, DIMS(-1, 2));
    case_convert(&c, &o);
    case_fails(&c, &v, "backend.no-dynamic");
    case_end(&c);
}

static void case_51_a_provider_that_takes_no_node(void **state)
{
    (void)state;
    print_message("skipped: waits for other engines, no provider is here\n");
    skip();
}

static int stop(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    return strcmp(user, stage) == 0;
}

static void the_caller_can_end_every_stage(void **state)
{
    (void)state;
    static char stages[][16] = { "preflight", "reload",    "map",     "feed",
                                 "build",     "reference", "dispatch" };
    struct model_case c;
    need_runtime();
    add_model(&c);
    case_convert(&c, NULL);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        o2w_report *r = NULL;
        const o2w_environment e = { .size = sizeof e, .progress = stop, .user = stages[i] };
        o2w_validate_options o = { .environment = &e };
        assert_status(case_validate(&c, &o, &r), O2W_CANCELLED);
        assert_string_equal(o2w_error_item(c.error, 0)->code, "interrupted");
    }
    case_end(&c);
}

static void custom_tolerances_are_marked(void **state)
{
    (void)state;
    struct model_case c;
    const o2w_tolerance wide = { "float32", 10, 0 }, wrong = { "flaot", 1, 1 };
    o2w_validate_options o = { .tolerances = &wide, .tolerance_count = 1 };
    need_runtime();
    begin(&c, 17);
    mb_input(&c.b, "x", FLOAT, DIMS(1, 2));
    mb_node(&c.b, "Relu", "x", "y");
    mb_output(&c.b, "y", FLOAT, DIMS(1, 2));
    case_write(&c);
    graph_text(
        &c,
        "webnn_graph \"g\" v1 { inputs { x: f32[1, 2]; } nodes { y = identity(x); } outputs { y; } }");
    o2w_report *r = report_of(&c, &o);
    assert_true(o2w_report_passed(r));
    assert_has(o2w_report_json(r), "\"custom\":true");
    assert_has(o2w_report_json(r), "\"profile\":\"custom\"");
    o2w_report_free(r);
    o.tolerances = &wrong;
    case_fails(&c, &o, "usage");
    case_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_model_passes),
        cmocka_unit_test(an_operator_goes_before_a_function_of_its_name),
        cmocka_unit_test(case_6_scalar_and_empty),
        cmocka_unit_test(case_11_and_37_pinned_both_ways),
        cmocka_unit_test(a_pin_that_differs),
        cmocka_unit_test(case_12_and_13_quantisers_on_both_sides),
        cmocka_unit_test(case_19_dynamic_levels_are_equal),
        cmocka_unit_test(case_20_ids_that_the_reference_accepts),
        cmocka_unit_test(case_21_seeds_do_not_depend_on_threads),
        cmocka_unit_test(case_22_seeds_that_cannot_be),
        cmocka_unit_test(case_30_shapes_must_be_equal),
        cmocka_unit_test(case_36_all_outputs_are_compared),
        cmocka_unit_test(case_38_outputs_that_the_graph_left_out),
        cmocka_unit_test(case_40_names_that_collide_are_fed_rightly),
        cmocka_unit_test(case_47_external_data_from_another_folder),
        cmocka_unit_test(case_48_reference_refuses_the_model),
        cmocka_unit_test(case_49_open_sizes_below_the_maximum),
        cmocka_unit_test(case_49_a_backend_without_open_sizes),
        cmocka_unit_test(case_51_a_provider_that_takes_no_node),
        cmocka_unit_test(case_52_an_alias_is_reported),
        cmocka_unit_test(kept_inputs_get_their_initializer),
        cmocka_unit_test(saved_feeds_are_an_archive_of_feeds),
        cmocka_unit_test(an_archive_of_another_size),
        cmocka_unit_test(float64_is_carried_as_float32),
        cmocka_unit_test(the_caller_can_end_every_stage),
        cmocka_unit_test(custom_tolerances_are_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
