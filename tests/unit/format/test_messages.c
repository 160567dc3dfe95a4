/* Messages that no numbered case has, and what directives and dimensions mean. */
#include "files.h"

#include "webnn/expr.h"

#include <stdio.h>

static void syntax(void **state)
{
    (void)state;
    static const char *const table[][2] = {
        { "", "expected webnn_graph, found the end of the file" },
        { "\n\n", "expected webnn_graph, found the end of the file" },
        { "webnn 1", "expected webnn_graph, found 'webnn'" },
        { "webnn_graph g v1 {", "expected the quoted name of the graph, found 'g'" },
        { "webnn_graph \"g\" 1 {", "expected a version (v1 or v2), found '1'" },
        { "webnn_graph \"g\" v {", "expected the number of the version, found '{'" },
        { "webnn_graph \"g\" v1", "expected '{', found the end of the file" },
        { "webnn_graph \"g\" v1 { things { } }",
          "expected inputs, consts, nodes, outputs or '}', found 'things'" },
        { "webnn_graph \"g\" v1 { inputs { \"x\": f32[]; } }",
          "expected the name of an input, found string \"x\"" },
        { "webnn_graph \"g\" v1 { inputs { x f32[]; } }", "expected ':', found 'f32'" },
        { "webnn_graph \"g\" v1 { inputs { x: f64[]; } }",
          "expected a type (f32, f16, i32, u32, i64, u64, i8, u8, i4 or u4), found 'f64'" },
        { "webnn_graph \"g\" v1 { inputs { x: f32; } }", "expected '[', found ';'" },
        { "webnn_graph \"g\" v1 { inputs { x: f32[-1]; } }", "expected an integer, found '-1'" },
        { "webnn_graph \"g\" v1 { inputs { x: f32[1.0]; } }", "expected an integer, found '1.0'" },
        { "webnn_graph \"g\" v1 { inputs { x: f32[1,]; } }", "expected an integer, found ']'" },
        { "webnn_graph \"g\" v1 { inputs { x: f32[1 2]; } }", "expected ',', found '2'" },
        { "webnn_graph \"g\" v1 { inputs { x: f32[dyn(n, 3)]; } }",
          "expected the quoted name of a dimension, found 'n'" },
        { "webnn_graph \"g\" v1 { inputs { x: f32[] } }", "expected ';', found '}'" },
        { "webnn_graph \"g\" v1 { consts { k: f32[] @const(1); } }",
          "expected @weights, @scalar or @bytes, found '@const'" },
        { "webnn_graph \"g\" v1 { consts { k: f32[] @scalar(\"1\"); } }",
          "expected a number, found string \"1\"" },
        { "webnn_graph \"g\" v1 { consts { k: f32[] @weights(w); } }",
          "expected a quoted reference, found 'w'" },
        { "webnn_graph \"g\" v1 { consts { k: f32[] @scalar(.5); } }",
          "expected a number, found '.'" },
        { "webnn_graph \"g\" v1 { consts { k: f32[] @scalar(+1); } }",
          "expected a number, found '+'" },
        { "webnn_graph \"g\" v1 { consts { k: f32[] @scalar(1.); } }", "expected ')', found '.'" },
        { "webnn_graph \"g\" v1 { nodes { = relu(x); } }",
          "expected the name of a result, found '='" },
        { "webnn_graph \"g\" v1 { nodes { [] = relu(x); } }",
          "expected the name of a result, found ']'" },
        { "webnn_graph \"g\" v1 { nodes { y = relu(x, a={1: 2}); } }",
          "expected a key, found '1'" },
        { "webnn_graph \"g\" v1 { nodes { y = relu(x, a={b 2}); } }", "expected ':', found '2'" },
        { "webnn_graph \"g\" v1 { nodes { y = relu(x, a=[1 2]); } }",
          "expected ',' or ']', found '2'" },
        { "webnn_graph \"g\" v1 { nodes { y = relu(x y); } }", "expected ',' or ')', found 'y'" },
        { "webnn_graph \"g\" v1 { nodes { y = relu(x } }", "expected ',' or ')', found '}'" },
        { "webnn_graph \"g\" v1 { nodes { \xc3\xb6 = relu(x); } }",
          "expected the name of a result, found '\xc3\xb6'" },
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_refused(table[i][0], DIAG_TEXT_SYNTAX, table[i][1]);
}

static void bytes_and_strings(void **state)
{
    (void)state;
    assert_refused_at("webnn_graph \"g\" v1 {\n # \xc3\xa9 \xff", DIAG_TEXT_UTF8,
                      "invalid UTF-8 byte 0xff", 2, 7);
    assert_refused_at("webnn_graph \"g\nv1 {", DIAG_TEXT_STRING, "string isn't closed", 1, 13);
    assert_refused_at(NODES("y = relu(x, label=\"a\\\");"), DIAG_TEXT_STRING, "string isn't closed",
                      3, 27);
    struct fixture f;
    fixture_init(&f);
    read_silently(&f,
                  "webnn_graph \"a\\\"b\\\\c\\n\nd\" v1 {" X_IN "nodes { y = relu(x); }" Y_OUT "}");
    assert_span(names_text(&f.graph->names, f.graph->name), "a\"b\\c\\n\nd");
    fixture_free(&f);
}

static void places_count_lines_and_bytes(void **state)
{
    (void)state;
    assert_refused_at("webnn_graph \"\xc3\xa9\n\xc3\xa9\" 1", DIAG_TEXT_SYNTAX, NULL, 2, 5);
    assert_refused_at(
        "webnn_graph \"g\" v1 {\r\n\tinputs { x: f32[]; }\r\n\tnodes { y = Relu(x); }",
        DIAG_OP_UNKNOWN, NULL, 3, 14);
}

static void notes_keep_their_places(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    assert_ok(fixture_read(
        &f,
        "webnn_graph \"g\" v1 {\ninputs { x: f32[2, 3]; }\nnodes {\n  a = softmax(x);\n  b = round(a);\n"
        "  y = relu(b);\n}\noutputs { y; }"));
    assert_int_equal(f.diags.count, 3);
    assert_int_equal(f.diags.first->line, 8); /* the missing brace is seen first */
    assert_int_equal(f.diags.first->next->line, 4);
    assert_int_equal(f.diags.first->next->column, 7);
    assert_int_equal(f.diags.first->next->next->line, 5);
    fixture_free(&f);
}

static void limits(void **state)
{
    (void)state;
    static char long_name[70000], text[80000];
    memset(long_name, 'n', 65536);
    sprintf(text, "webnn_graph \"g\" v1 { inputs { %s: f32[]; } }", long_name);
    assert_refused(text, DIAG_LIMIT, "bytes of a name: 65536 exceeds the limit 65535");
    sprintf(text, "webnn_graph \"%s\" v1 {", long_name);
    assert_refused(text, DIAG_LIMIT, "bytes of a string: 65536 exceeds the limit 65535");
    assert_refused("webnn_graph \"g\" v1 { inputs { x: f32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]; } }",
                   DIAG_LIMIT, "rank of 'x' 17 exceeds the limit 16");
    assert_refused("webnn_graph \"g\" v1 { inputs { x: f32[2147483648]; } }", DIAG_LIMIT,
                   "dimension of 'x' 2147483648 exceeds the limit 2147483647");
    assert_refused("webnn_graph \"g\" v1 { inputs { x: f32[99999999999999999999]; } }", DIAG_LIMIT,
                   "dimension of 'x' 99999999999999999999 exceeds the limit 2147483647");
    assert_refused(GRAPH("inputs { x: f32[65536, 65536]; }", "y = relu(x);", "y;"), DIAG_LIMIT,
                   "element count of 'x' [65536, 65536] exceeds the limit 2147483647");
    strcpy(text, "webnn_graph \"g\" v1 {" X_IN "nodes { y = concat(x");
    for (int i = 0; i < 8200; i++)
        strcat(text + 60 + 3 * i, ", x");
    strcat(text, ", axis=0); } }");
    assert_refused(text, DIAG_LIMIT, "arguments of concat: 8201 exceeds the limit 8200");
    struct fixture f;
    fixture_init(&f);
    assert_int_not_equal(
        fixture_read(
            &f,
            "webnn_graph \"g\" v1 { nodes { y = relu(x, a=0000000000000000000000000000000000000000000000000000000000000000000"
            "00000000000000000000000000000000000009999999999999999999999); } }"),
        O2W_OK);
    assert_int_equal(f.diags.newest->code, DIAG_TEXT_NUMBER);
    fixture_free(&f);
}

static void option_values(void **state)
{
    (void)state;
    static const struct {
        const char *nodes, *message;
        enum diag_code code;
    } table[] = {
        { NODES("y = softmax(x, axis=-1);"),
          "softmax.axis = -1: allowed are integers from 0 to 4294967295", DIAG_OP_OPTION_VALUE },
        { NODES("y = softmax(x, axis=1.0);"), "softmax.axis must be an integer, found a number 1.0",
          DIAG_OP_OPTION_TYPE },
        { NODES("y = softmax(x, axis=\"1\");"), "softmax.axis must be an integer, found a string",
          DIAG_OP_OPTION_TYPE },
        { NODES("y = softmax(x, axis=[1]);"), "softmax.axis must be an integer, found an array",
          DIAG_OP_OPTION_TYPE },
        { NODES("y = softmax(x, axis=true);"), "softmax.axis must be an integer, found a boolean",
          DIAG_OP_OPTION_TYPE },
        { NODES("y = elu(x, alpha=nan);"), "elu.alpha must be a number, found a string",
          DIAG_OP_OPTION_TYPE },
        { NODES("y = reduceSum(x, keepDimensions=1);"),
          "reduceSum.keepDimensions must be a boolean, found a number 1", DIAG_OP_OPTION_TYPE },
        { NODES("y = reduceSum(x, axes=[0, \"1\"]);"),
          "reduceSum.axes must be an array of integers, found an array [0, 1]",
          DIAG_OP_OPTION_TYPE },
        { NODES("y = reduceSum(x, axes=[4294967296]);"),
          "reduceSum.axes = [4294967296]: allowed are integers from 0 to 4294967295",
          DIAG_OP_OPTION_VALUE },
        { NODES("y = reduceSum(x, axes=[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]);"),
          "reduceSum.axes = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]: allowed are at most 16 items",
          DIAG_OP_OPTION_VALUE },
        { NODES("y = cast(x, to=\"f32\");"), NULL, DIAG_OP_OPTION_VALUE },
        { NODES("y = pad(x, beginningPadding=[0, 0], endingPadding=[0, 0], mode=\"symmetric\");"),
          "pad.mode = 'symmetric': allowed are 'constant', 'edge', 'reflection'",
          DIAG_OP_OPTION_VALUE },
        { NODES("y = triangular(x, diagonal=2147483648);"),
          "triangular.diagonal = 2147483648: allowed are integers from -2147483648 to 2147483647",
          DIAG_OP_OPTION_VALUE },
        { NODES("y = split(x, splits=0);"), "split.splits = 0: allowed are integers from 1 to 8192",
          DIAG_OP_OPTION_VALUE },
        { NODES("y = split(x, splits=\"2\");"),
          "split.splits must be an integer or an array of integers, found a string",
          DIAG_OP_OPTION_TYPE },
        { NODES("y = reshape(x, newShape=[{n: 1}]);"),
          "reshape.newShape must be an array of integers and of {\"maxSize\":m,\"name\":\"n\"}, found an array […]",
          DIAG_OP_OPTION_TYPE },
        { NODES("y = relu(x, label=3);"), "relu.label must be a string, found a number 3",
          DIAG_OP_OPTION_TYPE },
        { NODES("y = softmax(x, axis=0, axis=1);"),
          "'axis' is already declared as option at line 3", DIAG_TEXT_DUPLICATE },
        { NODES("y = add(x, k);"), "'k' isn't declared before this use", DIAG_TEXT_UNDECLARED },
        { NODES("y = softmax(x, axis=2);"), NULL, DIAG_OP_INVALID },
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_refused(table[i].nodes, table[i].code, table[i].message);
}

/* ---- directives ---- */

#define DIRECTIVE(line) \
    "webnn_graph \"g\" v1 {\n  " line "\n" X_IN "nodes { y = relu(x); }" Y_OUT "}"

static void directives_that_are_broken(void **state)
{
    (void)state;
    static const char *const table[][2] = {
        { DIRECTIVE("# o2w name x"), "directive 'name': expected a quoted text" },
        { DIRECTIVE("# o2w name \"x\""), "directive 'name': expected an identifier" },
        { DIRECTIVE("# o2w name x \"a\" b"), "directive 'name': expected the end of the line" },
        { DIRECTIVE("# o2w name x \"a"), "directive 'name': expected a quoted text" },
        { DIRECTIVE("# o2w name x \"a\\q\""),
          "directive 'name': expected a text with the escapes of JSON" },
        { DIRECTIVE("# o2w name z \"a\""), "directive 'name': 'z' isn't declared" },
        { DIRECTIVE("# o2w name x \"a\"\n  # o2w name x \"b\""),
          "directive 'name': 'x' has a name from line 2" },
        { DIRECTIVE("# o2w dim \"n\""), "directive 'dim': expected an integer" },
        { DIRECTIVE("# o2w dim \"n\" 1.5"), "directive 'dim': expected an integer" },
        { DIRECTIVE("# o2w labels y \"a\""),
          "directive 'labels': expected an array of texts or of integers" },
        { DIRECTIVE("# o2w labels y [\"a\", 1]"),
          "directive 'labels': 'y' needs an array of texts or of integers of 64 bits" },
        { DIRECTIVE("# o2w labels y [1.5]"),
          "directive 'labels': 'y' needs an array of texts or of integers of 64 bits" },
        { DIRECTIVE("# o2w labels y [9223372036854775808]"),
          "directive 'labels': 'y' needs an array of texts or of integers of 64 bits" },
        { DIRECTIVE("# o2w labels z [1]"), "directive 'labels': 'z' isn't declared" },
        { DIRECTIVE("# o2w labels y [1]\n  # o2w labels y [1]"),
          "directive 'labels': 'y' has labels already" },
        { DIRECTIVE("# o2w weights model"), "directive 'weights': expected a quoted text" },
        { DIRECTIVE("# o2w meta \"a\""), "directive 'meta': expected a quoted text" },
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_refused(table[i][0], DIAG_TEXT_DIRECTIVE, table[i][1]);
}

static void comments_that_are_no_directives(void **state)
{
    (void)state;
    static const char *const comments[] = {
        DIRECTIVE("# o2w future \"x\" [1"), DIRECTIVE("#o2w name z \"a\""),
        DIRECTIVE("# O2W name z \"a\""),    DIRECTIVE("# o2w\tname z \"a\""),
        DIRECTIVE("#  o2w name z \"a\""),   DIRECTIVE("# o2wname z"),
    };
    for (size_t i = 0; i < sizeof comments / sizeof comments[0]; i++)
        assert_same_graph(comments[i], NODES("y = relu(x);"));
}

static void directives_are_kept(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    read_silently(
        &f,
        DIRECTIVE(
            "# o2w dim \"b\" 2\r\n  # o2w dim \"a\" 1\n  # o2w pin \"p\" -9223372036854775808\n  # o2w kept \"k\"\n"
            "  # o2w bound \"o\" 7\n  # o2w subgraph \"s\"\n  # o2w labels y [3, -4]\n  # o2w name y \"the \\u0079\""));
    assert_int_equal(f.graph->dims.count, 2);
    assert_int_equal(f.graph->pins.items[0].value, INT64_MIN);
    assert_span(names_text(&f.graph->names, f.graph->kept.items[0]), "k");
    assert_int_equal(f.graph->bounds.items[0].value, 7);
    assert_span(names_text(&f.graph->names, f.graph->subgraph), "s");
    assert_int_equal(f.graph->labels.items[0].integers[1], -4);
    assert_span(names_text(&f.graph->names, f.graph->outputs.items[0].name), "the y");
    assert_true(graph_find_output(f.graph, SPAN("the y")) != NO_ID);
    assert_true(graph_find_output(f.graph, SPAN("y")) != NO_ID);
    assert_non_null(
        strstr(fixture_print(&f, NULL),
               "  # o2w dim \"a\" 1\n  # o2w dim \"b\" 2\n  # o2w pin \"p\" -9223372036854775808\n"
               "  # o2w kept \"k\"\n  # o2w bound \"o\" 7\n  # o2w subgraph \"s\"\n"
               "  # o2w name y \"the y\"\n  # o2w labels y [3, -4]\n  inputs {"));
    fixture_free(&f);
}

/* ---- dimensions ---- */

#define DYNAMIC(inputs, nodes) \
    "webnn_graph \"g\" v2 { inputs { " inputs " } nodes { " nodes " } outputs { y; } }"

static void dimensions_that_do_not_fit(void **state)
{
    (void)state;
    assert_refused(DYNAMIC("x: f32[dyn(\"n\", 4)]; z: f32[dyn(\"n\", 5)];", "y = relu(x);"),
                   DIAG_DYN_MAX, "dimension 'n' has maxima 4 and 5");
    assert_refused(
        DYNAMIC("x: f32[dyn(\"n\", 4)];", "y = reshape(x, newShape=[1, {maxSize: 5, name: n}]);"),
        DIAG_DYN_MAX, "dimension 'n' has maxima 4 and 5");
    assert_refused(
        DYNAMIC("x: f32[dyn(\"n\", 4)];", "y = reshape(x, newShape=[1, {maxSize: 4, name: m}]);"),
        DIAG_DYN_UNKNOWN, NULL);
    assert_refused(DYNAMIC("x: f32[dyn(\"n\", 4)];",
                           "y = reshape(x, newShape=[1, {maxSize: 4, name: \"n +\"}]);"),
                   DIAG_DYN_UNKNOWN, NULL);
    assert_refused(DYNAMIC("x: f32[dyn(\"n\", 0)];", "y = relu(x);"), DIAG_TEXT_NUMBER,
                   "number 0 is out of range (the maximum of a dimension of 'x' is at least 1)");
}

static void names_that_read_as_formulas_are_constraints(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    const char *text = read_silently(
        &f,
        DYNAMIC(
            "a: f32[dyn(\"past + seq\", 9)]; b: f32[dyn(\"past\", 4)]; c: f32[dyn(\"seq\", 5)];",
            "d = concat(b, c, axis=0); y = add(a, d);"));
    assert_int_equal(f.graph->constraints.count, 1);
    assert_non_null(strstr(text, "a: f32[dyn(\"past + seq\", 9)];"));
    struct fixture again;
    fixture_init(&again);
    assert_string_equal(read_silently(&again, text), text);
    assert_int_equal(again.graph->constraints.count, 1);
    fixture_free(&again);
    fixture_free(&f);
}

static void sizes_may_be_expressions(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    const char *text = read_silently(
        &f, DYNAMIC("x: f32[dyn(\"n\", 4), 3]; z: f32[dyn(\"past len\", 7)];",
                    "y = reshape(x, newShape=[{\"name\": \"n * 3\", \"maxSize\": 12}]);"));
    assert_non_null(strstr(text, "newShape=[{\"maxSize\":12,\"name\":\"3 * n\"}]"));
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(syntax),
        cmocka_unit_test(bytes_and_strings),
        cmocka_unit_test(places_count_lines_and_bytes),
        cmocka_unit_test(notes_keep_their_places),
        cmocka_unit_test(limits),
        cmocka_unit_test(option_values),
        cmocka_unit_test(directives_that_are_broken),
        cmocka_unit_test(comments_that_are_no_directives),
        cmocka_unit_test(directives_are_kept),
        cmocka_unit_test(dimensions_that_do_not_fit),
        cmocka_unit_test(names_that_read_as_formulas_are_constraints),
        cmocka_unit_test(sizes_may_be_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
