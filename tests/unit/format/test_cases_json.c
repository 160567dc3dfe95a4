/* Cases 40 to 42 and the rest of the JSON form. */
#include "fixture.h"

#define HEAD          "{\"format\":\"webnn-graph-json\",\"version\":1,\"name\":\"g\","
#define X_JSON        "\"inputs\":{\"x\":{\"dataType\":\"float32\",\"shape\":[2,3]}},"
#define RELU_JSON     "\"nodes\":[{\"id\":\"y\",\"op\":\"relu\",\"inputs\":[\"x\"]}],"
#define JSON(outputs) HEAD X_JSON RELU_JSON "\"outputs\":" outputs "}"

static void assert_same_as_text(const char *json, const char *text, size_t notes)
{
    struct fixture a, b;
    fixture_init(&a);
    fixture_init(&b);
    o2w_status status = fixture_read(&a, json);
    if (status != O2W_OK || a.diags.count != notes)
        print_message("%s", diags_text(&a.diags, &a.arena));
    assert_ok(status);
    assert_int_equal(a.diags.count, notes);
    assert_string_equal(fixture_print(&a, NULL), read_silently(&b, text));
    fixture_free(&a);
    fixture_free(&b);
}

static void case_40_a_binding_renames_its_operand(void **state)
{
    (void)state;
    assert_same_as_text(JSON("{\"out\":\"y\"}"), GRAPH(X_IN, "out = relu(x);", "out;"), 0);
}

static void case_41_further_bindings_are_identities(void **state)
{
    (void)state;
    assert_same_as_text(JSON("{\"a\":\"y\",\"b\":\"y\"}"),
                        GRAPH(X_IN, "a = relu(x); b = identity(a);", "a; b;"), 1);
    assert_same_as_text(HEAD X_JSON "\"nodes\":[],\"outputs\":{\"y\":\"x\"}}",
                        GRAPH(X_IN, "y = identity(x);", "y;"), 1);
    struct fixture f;
    fixture_init(&f);
    f.options.strict = true;
    assert_int_not_equal(fixture_read(&f, JSON("{\"a\":\"y\",\"b\":\"y\"}")), O2W_OK);
    fixture_free(&f);
}

static void case_42_a_key_twice(void **state)
{
    (void)state;
    assert_refused(HEAD X_JSON X_JSON RELU_JSON "\"outputs\":{\"y\":\"y\"}}", DIAG_TEXT_DUPLICATE,
                   NULL);
    assert_refused_at(HEAD
                      "\n\"inputs\":{\n\"x\":{\"dataType\":\"float32\",\"shape\":[]},\n\"x\":{}}}",
                      DIAG_TEXT_DUPLICATE, "key 'x' stands at line 3 already", 4, 1);
}

static void every_part_means_what_it_means_in_text(void **state)
{
    (void)state;
    assert_same_as_text(
        "{\"version\":2,\"outputs\":{\"lo\":\"lo\",\"hi\":\"hi\"},\"extra\":[{\"a\":null}],\"quantized\":true,"
        "\"nodes\":[{\"op\":\"gather\",\"id\":\"e\",\"inputs\":[\"k\",\"t\"],\"outputs\":null,\"more\":1},"
        "{\"id\":\"s\",\"op\":\"split\",\"inputs\":[\"e\"],\"options\":{\"axis\":1,\"splits\":[2,4],\"label\":\"\"},"
        "\"outputs\":[\"lo\",\"hi\"]}],"
        "\"consts\":{\"k\":{\"dataType\":\"uint8\",\"shape\":[1,6],\"init\":{\"kind\":\"inlineBytes\",\"bytes\":[0,1,2,3,4,255]}},"
        "\"h\":{\"dataType\":\"float16\",\"shape\":[2],\"init\":{\"kind\":\"scalar\",\"value\":0.1}}},"
        "\"inputs\":{\"t\":{\"dataType\":\"int32\",\"shape\":[{\"name\":\"n\",\"maxSize\":16}]}},\"name\":\"g\","
        "\"format\":\"webnn-graph-json\",\"onnx2webnn\":{\"names\":{\"t\":\"t:0\"},\"dims\":{\"b\":1},\"pins\":{\"p\":-1},"
        "\"labels\":{\"lo\":[\"cat\",\"dog\"]},\"kept\":[\"w\"],\"bound\":{\"hi\":4},\"subgraph\":\"s\",\"unknown\":{}}}",
        "webnn_graph \"g\" v2 @quantized {\n  # o2w dim \"b\" 1\n  # o2w pin \"p\" -1\n  # o2w kept \"w\"\n  # o2w bound \"hi\" 4\n"
        "  # o2w subgraph \"s\"\n  # o2w name t \"t:0\"\n  # o2w labels lo [\"cat\", \"dog\"]\n"
        "inputs { t: i32[dyn(\"n\", 16)]; }\n"
        "consts { k: u8[1, 6] @bytes([0, 1, 2, 3, 4, 255]); h: f16[2] @scalar(0.1); }\n"
        "nodes { e = gather(k, t); [lo, hi] = split(e, axis=1, splits=[2, 4]); }\noutputs { lo; hi; } }",
        0);
}

static void intermediate_shapes_are_checked(void **state)
{
    (void)state;
    const char *right = JSON(
        "{\"y\":\"y\"},\"intermediate_shapes\":{\"y\":{\"dataType\":\"float32\",\"shape\":[2,3]}}");
    assert_same_as_text(right, NODES("y = relu(x);"), 0);
    assert_refused(
        JSON(
            "{\"y\":\"y\"},\"intermediate_shapes\":{\"y\":{\"dataType\":\"float32\",\"shape\":[3,2]}}"),
        DIAG_OP_INVALID,
        "'y': intermediate_shapes differs from float32[2, 3], which its node gives");
    assert_refused(
        JSON(
            "{\"y\":\"y\"},\"intermediate_shapes\":{\"y\":{\"dataType\":\"int32\",\"shape\":[2,3]}}"),
        DIAG_OP_INVALID,
        "'y': intermediate_shapes differs from float32[2, 3], which its node gives");
}

static void what_is_missing_is_said(void **state)
{
    (void)state;
    static const char *const files[][2] = {
        { "{\"version\":1,\"inputs\":{},\"nodes\":[],\"outputs\":{}}",
          "expected the key 'format', found none" },
        { "{\"format\":\"webnn-graph-json\",\"inputs\":{},\"nodes\":[],\"outputs\":{}}",
          "expected the key 'version', found none" },
        { HEAD "\"nodes\":[],\"outputs\":{}}", "expected the key 'inputs', found none" },
        { HEAD "\"inputs\":{},\"outputs\":{}}", "expected the key 'nodes', found none" },
        { HEAD "\"inputs\":{},\"nodes\":[]}", "expected the key 'outputs', found none" },
        { HEAD "\"inputs\":{\"x\":{\"shape\":[]}}}", "expected the key 'dataType', found none" },
        { HEAD "\"inputs\":{\"x\":{\"dataType\":\"int8\"}}}",
          "expected the key 'shape', found none" },
        { HEAD "\"inputs\":{\"\":{}}}", "expected a name, found an empty text" },
        { HEAD "\"inputs\":{\"x\":{\"dataType\":\"f32\"}}}",
          "'dataType' must be a type (float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4), found a string" },
        { HEAD "\"inputs\":{\"x\":{\"shape\":[{\"name\":\"n\"}]}}}",
          "number 0 is out of range (the maximum of a dimension of 'x' is at least 1)" },
        { HEAD "\"inputs\":{\"x\":{\"shape\":[{\"maxSize\":3}]}}}",
          "expected the key 'name', found none" },
        { HEAD "\"inputs\":{\"x\":{\"shape\":[2147483648]}}}",
          "dimension of 'x' 2147483648 exceeds the limit 2147483647" },
        { HEAD "\"nodes\":[{\"op\":\"relu\",\"inputs\":[]}]}",
          "expected the key 'id', found none" },
        { HEAD "\"nodes\":[{\"id\":\"y\",\"inputs\":[]}]}", "expected the key 'op', found none" },
        { HEAD "\"nodes\":[{\"id\":\"y\",\"op\":\"relu\"}]}",
          "expected the key 'inputs', found none" },
        { HEAD "\"consts\":{\"k\":{\"init\":{\"kind\":\"scalar\"}}}}",
          "expected the key 'value', found none" },
        { HEAD "\"consts\":{\"k\":{\"init\":{\"kind\":\"weights\"}}}}",
          "expected the key 'ref', found none" },
        { HEAD "\"consts\":{\"k\":{\"init\":{\"kind\":\"inlineBytes\"}}}}",
          "expected the key 'bytes', found none" },
        { HEAD "\"consts\":{\"k\":{\"init\":{\"kind\":\"magic\"}}}}",
          "expected kind weights, scalar or inlineBytes, found 'magic'" },
        { HEAD "\"consts\":{\"k\":{\"init\":{\"value\":\"1\"}}}}",
          "value of 'k' must be a number" },
        { "{\"format\":\"onnx\"}", "'format' must be \"webnn-graph-json\", found a string" },
        { "{\"format\":\"webnn-graph-json\",\"version\":3}", "version 3 isn't supported (1 or 2)" },
        { "[1]", "value must be an object, found an array" },
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct fixture f;
        fixture_init(&f);
        f.options.kind = FORMAT_JSON;
        assert_int_not_equal(fixture_read(&f, files[i][0]), O2W_OK);
        assert_string_equal(f.diags.newest->message, files[i][1]);
        assert_true(f.diags.newest->line > 0);
        fixture_free(&f);
    }
}

static void any_text_is_a_name(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    assert_ok(fixture_read(
        &f, HEAD
        "\"inputs\":{\"a b\":{\"dataType\":\"float32\",\"shape\":[]}},\"nodes\":[{\"id\":\"\\u00e9\\n\","
        "\"op\":\"relu\",\"inputs\":[\"a b\"]}],\"outputs\":{\"\\u00e9\\n\":\"\\u00e9\\n\"}}"));
    const char *text = fixture_print(&f, NULL);
    assert_non_null(
        strstr(text, "  # o2w name a_b \"a b\"\n  # o2w name u00e9__ \"\xc3\xa9\\n\"\n"));
    assert_non_null(strstr(text, "u00e9__ = relu(a_b);"));
    fixture_free(&f);
}

static void a_binding_with_the_name_of_an_input(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    assert_ok(fixture_read(&f, JSON("{\"x\":\"y\"}")));
    assert_span(names_text(&f.graph->names, f.graph->outputs.items[0].name), "x");
    const char *text = fixture_print(&f, NULL);
    assert_non_null(strstr(text, "  # o2w name x__output \"x\"\n"));
    assert_non_null(strstr(text, "outputs { x__output; }"));
    fixture_free(&f);
}

/* The other form under an extension: a note, which strict reading makes an error. */
static void assert_other_form(const char *text, const char *name)
{
    struct fixture f;
    fixture_init(&f);
    assert_ok(format_read_bytes(span_of(text), name, NULL, NULL, NULL, &f.diags, &f.graph));
    assert_int_equal(f.diags.count, 1);
    assert_int_equal(f.diags.newest->code, DIAG_TEXT_DIALECT);
    graph_free(f.graph);
    f.graph = NULL;
    f.options.strict = true;
    assert_int_not_equal(
        format_read_bytes(span_of(text), name, NULL, &f.options, NULL, &f.diags, &f.graph), O2W_OK);
    f.options = (struct format_read_options){ .kind = span_is(path_extension(span_of(name)), "json")
                                                          ? FORMAT_JSON
                                                          : FORMAT_TEXT };
    assert_int_not_equal(
        format_read_bytes(span_of(text), name, NULL, &f.options, NULL, &f.diags, &f.graph), O2W_OK);
    fixture_free(&f);
}

static void the_kind_is_found_by_content(void **state)
{
    (void)state;
    static const char *const names[] = { "g.json", "g.txt", "-", "g" };
    for (size_t i = 0; i < 4; i++) {
        struct fixture f;
        fixture_init(&f);
        assert_ok(format_read_bytes(span_of(" \n" JSON("{\"y\":\"y\"}")), names[i], NULL, NULL,
                                    NULL, &f.diags, &f.graph));
        fixture_free(&f);
    }
    struct fixture f;
    fixture_init(&f);
    assert_ok(format_read_bytes(span_of(NODES("y = relu(x);")), "g.txt", NULL, NULL, NULL, &f.diags,
                                &f.graph));
    fixture_free(&f);
    assert_other_form(" \n" JSON("{\"y\":\"y\"}"), "g.webnn");
    assert_other_form("# c\n" NODES("y = relu(x);"), "g.json");
    assert_refused("nothing", DIAG_TEXT_SYNTAX, NULL);
    assert_true(format_is_graph(span_of("# c\n webnn_graph")));
    assert_true(format_is_graph(span_of(JSON("{}"))));
    assert_false(format_is_graph(SPAN("{\"format\":\"x\"}")));
    assert_false(format_is_graph(SPAN("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_40_a_binding_renames_its_operand),
        cmocka_unit_test(case_41_further_bindings_are_identities),
        cmocka_unit_test(case_42_a_key_twice),
        cmocka_unit_test(every_part_means_what_it_means_in_text),
        cmocka_unit_test(intermediate_shapes_are_checked),
        cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(any_text_is_a_name),
        cmocka_unit_test(a_binding_with_the_name_of_an_input),
        cmocka_unit_test(the_kind_is_found_by_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
