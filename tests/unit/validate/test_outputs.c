/* Outputs that are not the same tensor on both sides: class names, maps of scores, bounded sizes. */
#include "case.h"

enum { FLOAT = 1, INT64 = 7, BOOL = 9 };

static void string_list(struct model_case *c, const char *name, const char *const *texts,
                        size_t count)
{
    size_t begun = wire_begin(&c->b.w, 5); /* attribute of a node */
    wire_put_text(&c->b.w, 1, name);
    for (size_t i = 0; i < count; i++)
        wire_put_text(&c->b.w, 9, texts[i]);
    wire_put_i64(&c->b.w, 20, 8); /* STRINGS */
    wire_end(&c->b.w, begun);
}

static void graph_text(struct model_case *c, const char *text)
{
    temp_write(&c->folder, "model.webnn", text, strlen(text));
}

static o2w_report *report_of(struct model_case *c)
{
    o2w_report *report = NULL;
    if (case_validate(c, NULL, &report) != O2W_OK)
        fail_msg("%s", o2w_error_text(c->error));
    return report;
}

/* Strings of 0, 1, 2, 0, 1 as an encoder gives them. */
static void encoder(struct model_case *c)
{
    static const char *const texts[] = { "cat", "dog", "it's" };
    case_begin(c, 17);
    mb_opset(&c->b, "ai.onnx.ml", 2);
    mb_graph(&c->b);
    mb_input(&c->b, "x", INT64, DIMS(5));
    mb_int64s(&c->b, "three", SCALAR, INTS(3));
    mb_node(&c->b, "Mod", "x three", "m");
    mb_node_open(&c->b, "LabelEncoder", "m", "y");
    mb_node_domain(&c->b, "ai.onnx.ml");
    mb_int_list(&c->b, "keys_int64s", INTS(0, 1, 2));
    string_list(c, "values_strings", texts, 3);
    mb_close(&c->b);
    mb_output(&c->b, "y", 8, DIMS(5));
    case_write(c);
}

#define ENCODER_GRAPH(labels)                                      \
    "webnn_graph \"g\" v1 {\n  # o2w labels y " labels "\n"        \
    "inputs { x: i64[5]; } consts { three: i64[5] @scalar(3); }\n" \
    "nodes { d = div(x, three); p = mul(d, three); y = sub(x, p); } outputs { y; } }\n"

static void class_names_of_indices(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    encoder(&c);
    graph_text(&c, ENCODER_GRAPH("[\"cat\", \"dog\", \"it's\"]"));
    o2w_report *r = report_of(&c);
    if (!o2w_report_passed(r))
        fail_msg("%s", o2w_report_text(r));
    assert_has(o2w_report_text(r), "output y string [5]: ok");
    o2w_report_free(r);

    graph_text(&c, ENCODER_GRAPH("[\"cat\", \"dog\"]"));
    r = report_of(&c);
    assert_false(o2w_report_passed(r));
    assert_has(o2w_report_json(r), "\"outside\":1,");
    assert_has(o2w_report_json(r), "\"reference\":\"'it's'\",\"got\":\"'no label'\"");
    o2w_report_free(r);
    case_end(&c);
}

static void scores(struct model_case *c)
{
    static const char *const texts[] = { "b", "a" };
    case_begin(c, 17);
    mb_opset(&c->b, "ai.onnx.ml", 1);
    mb_graph(&c->b);
    mb_input(&c->b, "x", FLOAT, DIMS(3, 2));
    mb_node_open(&c->b, "ZipMap", "x", "y");
    mb_node_domain(&c->b, "ai.onnx.ml");
    string_list(c, "classlabels_strings", texts, 2);
    mb_close(&c->b);
    size_t output = wire_begin(&c->b.w, 12); /* sequence(map(string, float)) */
    wire_put_text(&c->b.w, 1, "y");
    size_t type = wire_begin(&c->b.w, 2), sequence = wire_begin(&c->b.w, 4);
    size_t element = wire_begin(&c->b.w, 1), map = wire_begin(&c->b.w, 5);
    wire_put_i64(&c->b.w, 1, 8);
    size_t value = wire_begin(&c->b.w, 2), tensor = wire_begin(&c->b.w, 1);
    wire_put_i64(&c->b.w, 1, 1);
    wire_end(&c->b.w, tensor);
    wire_end(&c->b.w, value);
    wire_end(&c->b.w, map);
    wire_end(&c->b.w, element);
    wire_end(&c->b.w, sequence);
    wire_end(&c->b.w, type);
    wire_end(&c->b.w, output);
    case_write(c);
}

static void scores_of_maps(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    scores(&c);
    graph_text(&c, "webnn_graph \"g\" v1 {\n  # o2w labels y [\"b\", \"a\"]\n"
                   "inputs { x: f32[3, 2]; } nodes { y = identity(x); } outputs { y; } }\n");
    o2w_report *r = report_of(&c);
    if (!o2w_report_passed(r))
        fail_msg("%s", o2w_report_text(r));
    assert_has(o2w_report_text(r), "output y float32 [3, 2]: ok");
    o2w_report_free(r);

    graph_text(&c, "webnn_graph \"g\" v1 {\n  # o2w labels y [\"a\", \"b\"]\n"
                   "inputs { x: f32[3, 2]; } nodes { y = identity(x); } outputs { y; } }\n");
    r = report_of(&c);
    assert_false(o2w_report_passed(r)); /* the columns are those of other keys */
    o2w_report_free(r);

    graph_text(&c, "webnn_graph \"g\" v1 {\n  # o2w labels y [\"b\", \"c\"]\n"
                   "inputs { x: f32[3, 2]; } nodes { y = identity(x); } outputs { y; } }\n");
    case_fails(&c, NULL, "map.dtype");
    case_end(&c);
}

static void compressed(struct model_case *c, const char *count)
{
    char text[600];
    case_begin(c, 17);
    mb_graph(&c->b);
    mb_input(&c->b, "x", FLOAT, DIMS(4, 2));
    mb_raw(&c->b, "cond", BOOL, DIMS(4), "\1\1\0\0", 4);
    mb_node_open(&c->b, "Compress", "x cond", "y");
    mb_int(&c->b, "axis", 0);
    mb_close(&c->b);
    mb_output(&c->b, "y", FLOAT, DIMS(-1, 2));
    case_write(c);
    snprintf(text, sizeof text,
             "webnn_graph \"g\" v1 {\n  # o2w name y_count \"y.count\"\n  # o2w bound \"y\" 4\n"
             "inputs { x: f32[4, 2]; } consts { n: i64[] @scalar(%s); }\n"
             "nodes { y = identity(x); y_count = identity(n); } outputs { y, y_count; } }\n",
             count);
    graph_text(c, text);
}

static void bounded_outputs_hold_their_rows_first(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    compressed(&c, "2");
    o2w_report *r = report_of(&c);
    if (!o2w_report_passed(r))
        fail_msg("%s", o2w_report_text(r));
    assert_has(o2w_report_text(r), "output y float32 [2, 2]: ok");
    assert_has(o2w_report_text(r), "passed: 1 of 1 outputs");
    o2w_report_free(r);
    case_end(&c);

    compressed(&c, "3");
    r = report_of(&c);
    assert_false(o2w_report_passed(r));
    assert_has(o2w_report_text(r), "MISMATCH, 3 rows, the reference has 2");
    o2w_report_free(r);
    case_end(&c);
}

static void results_of_another_type(void **state)
{
    (void)state;
    struct model_case c;
    need_runtime();
    case_begin(&c, 17);
    mb_graph(&c.b);
    mb_input(&c.b, "x", FLOAT, DIMS(2));
    mb_node(&c.b, "Relu", "x", "y");
    mb_output(&c.b, "y", FLOAT, DIMS(2));
    case_write(&c);
    graph_text(&c, "webnn_graph \"g\" v1 { inputs { x: f32[2]; } nodes { r = relu(x); "
                   "y = cast(r, to=\"float16\"); } outputs { y; } }\n");
    o2w_report *r = report_of(&c);
    assert_false(o2w_report_passed(r));
    assert_has(o2w_report_json(r), "\"kind\":\"dtype\"");
    o2w_report_free(r);

    graph_text(&c, "webnn_graph \"g\" v1 { inputs { x: f16[2]; } nodes { r = relu(x); "
                   "y = cast(r, to=\"float32\"); } outputs { y; } }\n");
    case_fails(&c, NULL, "map.dtype");
    case_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(class_names_of_indices),
        cmocka_unit_test(scores_of_maps),
        cmocka_unit_test(bounded_outputs_hold_their_rows_first),
        cmocka_unit_test(results_of_another_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
