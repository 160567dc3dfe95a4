/* Case 55 and every other spelling that tolerant reading accepts: each gives the canonical graph with
 * a note, and strict reading refuses it. */
#include "fixture.h"

#define IMAGE "inputs { x: f32[1, 2, 5, 6]; w: f32[4, 2, 3, 2]; b: f32[4]; }"

static void case_55_options_with_other_names(void **state)
{
    (void)state;
    assert_dialect(NODES("y = triangular(x, k=1);"), NODES("y = triangular(x, diagonal=1);"));
    assert_dialect(NODES("y = slice(x, starts=[0, 1], ends=[2, 3]);"),
                   NODES("y = slice(x, sizes=[2, 2], starts=[0, 1]);"));
    assert_dialect(GRAPH("inputs { x: f32[1, 2, 1]; }", "y = squeeze(x, axes=[0]);", "y;"),
                   GRAPH("inputs { x: f32[1, 2, 1]; }", "y = reshape(x, newShape=[2, 1]);", "y;"));
    assert_dialect(
        GRAPH(IMAGE,
              "y = maxPool2d(x, windowDimensions=[2, 2], strides=[2, 2], roundingType=\"ceil\");",
              "y;"),
        GRAPH(
            IMAGE,
            "y = maxPool2d(x, outputShapeRounding=\"ceil\", strides=[2, 2], windowDimensions=[2, 2]);",
            "y;"));
}

static void camel_case_is_restored(void **state)
{
    (void)state;
    assert_dialect(NODES("y = cast(x, dataType=\"int32\");"), NODES("y = cast(x, to=\"int32\");"));
    assert_dialect(NODES("y = reshape(x, new_shape=[6]);"), NODES("y = reshape(x, newShape=[6]);"));
    assert_dialect(NODES("y = expand(x, new_shape=[2, 2, 3], axes=[0]);"),
                   NODES("y = expand(x, newShape=[2, 2, 3]);"));
    assert_dialect(NODES("y = pad(x, beginning_padding=[1, 0], ending_padding=[0, 0]);"),
                   NODES("y = pad(x, beginningPadding=[1, 0], endingPadding=[0, 0]);"));
    assert_dialect(GRAPH("inputs { x: f32[1, 3]; w: f32[6, 3]; r: f32[6, 2]; h: f32[1, 2]; }",
                         "y = gruCell(x, w, r, h, hidden_size=2, resetAfter=true);", "y;"),
                   GRAPH("inputs { x: f32[1, 3]; w: f32[6, 3]; r: f32[6, 2]; h: f32[1, 2]; }",
                         "y = gruCell(x, w, r, h, hiddenSize=2, layout=\"zrn\", resetAfter=true);",
                         "y;"));
    assert_refused(
        NODES("y = reshape(x, new_shape=[6], newShape=[6]);"), DIAG_OP_OPTION_VALUE,
        "reshape.new_shape = [6]: allowed are nothing: 'newShape', which is the same, is given too");
}

static void old_operators(void **state)
{
    (void)state;
    assert_dialect(NODES("y = round(x);"), NODES("y = roundEven(x);"));
    assert_dialect(GRAPH(IMAGE, "y = globalAveragePool(x);", "y;"),
                   GRAPH(IMAGE, "y = averagePool2d(x);", "y;"));
    assert_dialect(GRAPH(IMAGE, "y = globalMaxPool(x);", "y;"),
                   GRAPH(IMAGE, "y = maxPool2d(x);", "y;"));
}

static void squeeze_and_unsqueeze_are_reshapes(void **state)
{
    (void)state;
    assert_dialect(GRAPH("inputs { x: f32[1, 2, 1]; }", "y = squeeze(x);", "y;"),
                   GRAPH("inputs { x: f32[1, 2, 1]; }", "y = reshape(x, newShape=[2]);", "y;"));
    assert_dialect(GRAPH("inputs { x: f32[1, 2, 1]; }", "y = squeeze(x, axes=[-1]);", "y;"),
                   GRAPH("inputs { x: f32[1, 2, 1]; }", "y = reshape(x, newShape=[1, 2]);", "y;"));
    assert_dialect(
        GRAPH("inputs { x: f32[1, 2, 1]; }", "y = squeeze(x, axes=[]);", "y;"),
        GRAPH("inputs { x: f32[1, 2, 1]; }", "y = reshape(x, newShape=[1, 2, 1]);", "y;"));
    assert_dialect(NODES("y = unsqueeze(x, axes=[0, -1]);"),
                   NODES("y = reshape(x, newShape=[1, 2, 3, 1]);"));
    assert_dialect(NODES("y = unsqueeze(x, axes=[1]);"),
                   NODES("y = reshape(x, newShape=[2, 1, 3]);"));
    assert_refused(NODES("y = squeeze(x, axes=[0]);"), DIAG_OP_OPTION_VALUE,
                   "squeeze.axes = [0]: allowed are axes of size 1");
    assert_refused(NODES("y = unsqueeze(x);"), DIAG_OP_OPTION_MISSING, "unsqueeze needs 'axes'");
    assert_refused(NODES("y = unsqueeze(x, axes=[3]);"), DIAG_OP_OPTION_VALUE,
                   "unsqueeze.axes = [3]: allowed are integers from -3 to 2");
    assert_refused(NODES("y = unsqueeze(x, axes=[0, 0]);"), DIAG_OP_OPTION_VALUE,
                   "unsqueeze.axes = [0, 0]: allowed are axes, each once");
}

static void squeeze_keeps_dynamic_dims(void **state)
{
    (void)state;
    assert_dialect(
        "webnn_graph \"g\" v2 { inputs { x: f32[1, dyn(\"n\", 4)]; } nodes { y = squeeze(x, axes=[0]); } outputs { y; } }",
        "webnn_graph \"g\" v2 { inputs { x: f32[1, dyn(\"n\", 4)]; } "
        "nodes { y = reshape(x, newShape=[{\"maxSize\":4,\"name\":\"n\"}]); } outputs { y; } }");
    assert_refused(
        "webnn_graph \"g\" v2 { inputs { x: f32[1, dyn(\"n\", 4)]; } nodes { y = squeeze(x, axes=[1]); } outputs { y; } }",
        DIAG_OP_OPTION_VALUE, "squeeze.axes = [1]: allowed are axes of size 1");
}

static void shape_is_a_constant(void **state)
{
    (void)state;
    assert_dialect(
        GRAPH(X_IN, "s = shape(x); y = abs(s);", "y;"),
        GRAPH(X_IN "consts { s: i64[2] @bytes([2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]); }",
              "y = abs(s);", "y;"));
    assert_refused(
        "webnn_graph \"g\" v2 { inputs { x: f32[dyn(\"n\", 4)]; } nodes { y = shape(x); } outputs { y; } }",
        DIAG_OP_INVALID, "shape: its input must be static");
}

static void constant_nodes(void **state)
{
    (void)state;
    assert_dialect(
        GRAPH(
            X_IN,
            "k = constant(shape=[3], dataType=\"float32\", data=\"AACAPwAAAEAAAEBA\"); y = add(x, k);",
            "y;"),
        GRAPH(X_IN "consts { k: f32[3] @bytes([0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64]); }",
              "y = add(x, k);", "y;"));
    assert_dialect(GRAPH(X_IN,
                         "k = constant(shape=[], dataType=\"uint8\", data=\"BQ==\"); y = relu(x);",
                         "y;"),
                   GRAPH(X_IN "consts { k: u8[] @scalar(5); }", "y = relu(x);", "y;"));
    assert_dialect(
        GRAPH(X_IN "consts { k: f32[6] @scalar(2); }",
              "v = constant(shape=[2, 3], dataType=\"float32\", init=\"$k\"); y = add(x, v);",
              "y;"),
        GRAPH(X_IN "consts { k: f32[6] @scalar(2.0); v: f32[2, 3] @scalar(2.0); }",
              "y = add(x, v);", "y;"));
    assert_refused(NODES("y = constant(shape=[1], dataType=\"float64\", data=\"AAAAAA==\");"),
                   DIAG_OP_OPTION_VALUE, NULL);
    assert_refused(NODES("k = constant(shape=[1], data=\"AAAAAA==\");"), DIAG_CONST_INIT,
                   "constant node 'k' needs dataType");
    assert_refused(NODES("k = constant(shape=[1], dataType=\"float32\");"), DIAG_CONST_INIT,
                   "constant node 'k' needs data or init");
    assert_refused(NODES("k = constant(shape=[2], dataType=\"float32\", data=\"AAAAAA==\");"),
                   DIAG_CONST_BYTES, "'k': 4 bytes, f32[2] needs 8");
    static const char *const broken[] = { "AAA", "A===", "AA=A", "AAAA=AAA", "AA?A", "====" };
    for (size_t i = 0; i < 6; i++) {
        char text[300] =
            "webnn_graph \"g\" v1 { inputs { x: f32[]; } nodes { k = constant(shape=[1], dataType=\"float32\", data=\"";
        strcat(strcat(text, broken[i]), "\"); y = relu(x); } outputs { y; } }");
        assert_refused(text, DIAG_CONST_INIT, "constant node 'k' has data that isn't base64");
    }
}

static void operands_that_are_options(void **state)
{
    (void)state;
    assert_dialect(GRAPH("inputs { x: f32[2, 3]; s: f32[3]; b: f32[3]; }",
                         "y = layerNormalization(x, s, b);", "y;"),
                   GRAPH("inputs { x: f32[2, 3]; s: f32[3]; b: f32[3]; }",
                         "y = layerNormalization(x, bias=b, scale=s);", "y;"));
    assert_dialect(
        GRAPH("inputs { x: f32[2, 3]; s: f32[3]; }", "y = layerNormalization(x, s);", "y;"),
        GRAPH("inputs { x: f32[2, 3]; s: f32[3]; }", "y = layerNormalization(x, scale=s);", "y;"));
    assert_dialect(
        GRAPH(
            "inputs { x: f32[1, 3]; w: f32[6, 3]; r: f32[6, 2]; h: f32[1, 2]; b: f32[6]; c: f32[6]; }",
            "y = gruCell(x, w, r, h, b, c, hiddenSize=2, resetAfter=true);", "y;"),
        GRAPH(
            "inputs { x: f32[1, 3]; w: f32[6, 3]; r: f32[6, 2]; h: f32[1, 2]; b: f32[6]; c: f32[6]; }",
            "y = gruCell(x, w, r, h, bias=b, hiddenSize=2, layout=\"zrn\", recurrentBias=c, resetAfter=true);",
            "y;"));
#define CELL_IN \
    "inputs { x: f32[1, 3]; w: f32[6, 3]; r: f32[6, 2]; h: f32[1, 2]; b: f32[6]; c: f32[6]; }"
    assert_dialect(
        GRAPH(
            CELL_IN,
            "y = gruCell(x, w, r, h, c, bias=null, hiddenSize=2, recurrentBias=\"c\", resetAfter=true);",
            "y;"),
        GRAPH(
            CELL_IN,
            "y = gruCell(x, w, r, h, hiddenSize=2, layout=\"zrn\", recurrentBias=c, resetAfter=true);",
            "y;"));
    assert_refused(
        GRAPH(
            CELL_IN,
            "y = gruCell(x, w, r, h, b, bias=null, hiddenSize=2, recurrentBias=c, resetAfter=true);",
            "y;"),
        DIAG_OP_OPTION_VALUE,
        "gruCell.recurrentBias = 'c': allowed are the operand that is given by position too");
    assert_dialect(GRAPH("inputs { x: f32[1, 2, 5, 5]; w: f32[2, 3, 2, 2]; b: f32[3]; }",
                         "y = convTranspose2d(x, w, b);", "y;"),
                   GRAPH("inputs { x: f32[1, 2, 5, 5]; w: f32[2, 3, 2, 2]; b: f32[3]; }",
                         "y = convTranspose2d(x, w, bias=b);", "y;"));
    assert_refused(GRAPH(IMAGE, "y = conv2d(x, w, b, b);", "y;"), DIAG_TEXT_ARITY,
                   "conv2d takes 2 operands, found 4");
}

static void slices_by_ends(void **state)
{
    (void)state;
#define SLICE(from, to)                                           \
    assert_dialect(GRAPH("inputs { x: f32[8, 5]; }", from, "y;"), \
                   GRAPH("inputs { x: f32[8, 5]; }", to, "y;"))
    SLICE("y = slice(x, starts=[-3], ends=[100], axes=[0]);",
          "y = slice(x, sizes=[3, 5], starts=[5, 0]);");
    SLICE("y = slice(x, starts=[1], ends=[-1], axes=[-1], steps=[2]);",
          "y = slice(x, sizes=[8, 3], starts=[0, 1], strides=[1, 2]);");
    SLICE("y = slice(x, starts=[0, 0], ends=[9223372036854775807, 2]);",
          "y = slice(x, sizes=[8, 2], starts=[0, 0]);");
    SLICE("y = slice(x, starts=[-1], ends=[-9223372036854775808], axes=[0], steps=[-1]);",
          "operand_1 = reverse(x, axes=[0]); y = slice(operand_1, sizes=[8, 5], starts=[0, 0]);");
    SLICE(
        "y = slice(x, starts=[6], ends=[1], axes=[0], steps=[-2]);",
        "operand_1 = reverse(x, axes=[0]); y = slice(operand_1, sizes=[5, 5], starts=[1, 0], strides=[2, 1]);");
    SLICE("y = slice(x, starts=[0], ends=[8], axes=[0], steps=[100]);",
          "y = slice(x, sizes=[8, 5], starts=[0, 0], strides=[8, 1]);");
    SLICE("y = slice(x, starts=[5], ends=[2], axes=[0]);",
          "y = slice(x, sizes=[0, 5], starts=[5, 0]);");
    assert_refused(NODES("y = slice(x, starts=[0], ends=[1, 2]);"), DIAG_OP_OPTION_VALUE, NULL);
    assert_refused(NODES("y = slice(x, starts=[0], ends=[1], axes=[2]);"), DIAG_OP_OPTION_VALUE,
                   NULL);
    assert_refused(NODES("y = slice(x, starts=[0], ends=[1], steps=[0]);"), DIAG_OP_OPTION_VALUE,
                   NULL);
    assert_refused(NODES("y = slice(x, starts=[0, 0], ends=[1, 1], axes=[0, 0]);"),
                   DIAG_OP_OPTION_VALUE, NULL);
    assert_refused(NODES("y = slice(x, starts=[0], ends=[1], sizes=[1, 1]);"), DIAG_OP_OPTION_VALUE,
                   NULL);
    assert_refused(
        "webnn_graph \"g\" v2 { inputs { x: f32[dyn(\"n\", 4)]; } nodes { y = slice(x, starts=[0], ends=[1]); } outputs { y; } }",
        DIAG_OP_INVALID, "slice: the input of a slice with ends must be static");
}

static void automatic_padding(void **state)
{
    (void)state;
    assert_dialect(GRAPH(IMAGE, "y = conv2d(x, w, autoPad=\"same-upper\");", "y;"),
                   GRAPH(IMAGE, "y = conv2d(x, w, padding=[1, 1, 0, 1]);", "y;"));
    assert_dialect(
        GRAPH(IMAGE, "y = conv2d(x, w, autoPad=\"same-lower\", padding=[9, 9, 9, 9]);", "y;"),
        GRAPH(IMAGE, "y = conv2d(x, w, padding=[1, 1, 1, 0]);", "y;"));
    assert_dialect(
        GRAPH(IMAGE, "y = conv2d(x, w, autoPad=\"explicit\", padding=[1, 0, 0, 0]);", "y;"),
        GRAPH(IMAGE, "y = conv2d(x, w, padding=[1, 0, 0, 0]);", "y;"));
    assert_dialect(
        GRAPH(
            IMAGE,
            "y = averagePool2d(x, windowDimensions=[3, 3], strides=[2, 2], autoPad=\"same-upper\");",
            "y;"),
        GRAPH(
            IMAGE,
            "y = averagePool2d(x, padding=[1, 1, 0, 1], strides=[2, 2], windowDimensions=[3, 3]);",
            "y;"));
    assert_dialect(GRAPH("inputs { x: f32[1, 2, 4, 4]; w: f32[2, 3, 3, 3]; }",
                         "y = convTranspose2d(x, w, strides=[2, 2], autoPad=\"same-upper\");",
                         "y;"),
                   GRAPH("inputs { x: f32[1, 2, 4, 4]; w: f32[2, 3, 3, 3]; }",
                         "y = convTranspose2d(x, w, padding=[0, 1, 0, 1], strides=[2, 2]);", "y;"));
    assert_dialect(
        GRAPH(
            "inputs { x: f32[1, 5, 6, 2]; w: f32[3, 2, 2, 4]; }",
            "y = conv2d(x, w, inputLayout=\"nhwc\", filterLayout=\"hwio\", autoPad=\"same-upper\");",
            "y;"),
        GRAPH(
            "inputs { x: f32[1, 5, 6, 2]; w: f32[3, 2, 2, 4]; }",
            "y = conv2d(x, w, filterLayout=\"hwio\", inputLayout=\"nhwc\", padding=[1, 1, 0, 1]);",
            "y;"));
    assert_refused(GRAPH(IMAGE, "y = conv2d(x, w, autoPad=\"valid\");", "y;"), DIAG_OP_OPTION_VALUE,
                   "conv2d.autoPad = 'valid': allowed are 'explicit', 'same-upper', 'same-lower'");
}

static void quantisation_of_older_files(void **state)
{
    (void)state;
#define QUANTIZER_IN "inputs { x: f32[2, 3]; q: i8[2, 3]; s: f32[2, 3]; t: f32[3]; u: f32[]; }"
    assert_dialect(GRAPH(QUANTIZER_IN, "y = dequantizeLinear(q, s);", "y;"),
                   GRAPH(QUANTIZER_IN "consts { operand_5: i8[2, 3] @scalar(0); }",
                         "y = dequantizeLinear(q, s, operand_5);", "y;"));
    assert_dialect(GRAPH(QUANTIZER_IN, "y = quantizeLinear(x, s);", "y;"),
                   GRAPH(QUANTIZER_IN "consts { operand_5: u8[2, 3] @scalar(0); }",
                         "y = quantizeLinear(x, s, operand_5);", "y;"));
    assert_dialect(
        GRAPH(QUANTIZER_IN, "y = dequantizeLinear(q, t);", "y;"),
        GRAPH(
            QUANTIZER_IN "consts { operand_6: i8[1, 3] @scalar(0); }",
            "operand_5 = reshape(t, newShape=[1, 3]); y = dequantizeLinear(q, operand_5, operand_6);",
            "y;"));
    assert_dialect(
        GRAPH(QUANTIZER_IN "consts { z: i8[] @scalar(1); }", "y = dequantizeLinear(q, u, z);",
              "y;"),
        GRAPH(QUANTIZER_IN "consts { z: i8[] @scalar(1); }",
              "operand_6 = reshape(u, newShape=[1, 1]); operand_7 = reshape(z, newShape=[1, 1]); "
              "y = dequantizeLinear(q, operand_6, operand_7);",
              "y;"));
    assert_refused(
        GRAPH("inputs { q: i8[3, 3]; t: f32[3]; }", "y = dequantizeLinear(q, t);", "y;"),
        DIAG_OP_INVALID,
        "dequantizeLinear: scale has rank 1, the input 2: only a scalar or a list that fits exactly one dimension can be "
        "taken");
}

static void batch_dimensions(void **state)
{
    (void)state;
#define GATHER_IN "inputs { x: f32[4, 2]; i: i32[3]; }"
    assert_dialect(GRAPH(GATHER_IN, "y = gather(x, i, batchDimensions=0);", "y;"),
                   GRAPH(GATHER_IN, "y = gather(x, i);", "y;"));
    assert_dialect(GRAPH(GATHER_IN, "y = gather(x, i, batch_dimensions=0);", "y;"),
                   GRAPH(GATHER_IN, "y = gather(x, i);", "y;"));
    assert_refused(GRAPH(GATHER_IN, "y = gather(x, i, batchDimensions=1);", "y;"),
                   DIAG_OP_OPTION_VALUE,
                   "gather.batchDimensions = 1: allowed are 0: batchDimensions isn't WebNN");
}

static void a_gather_may_say_its_own_shape(void **state)
{
    (void)state;
    assert_dialect(GRAPH(GATHER_IN, "y = gather(x, i, axis=1, shape=[4, 3]);", "y;"),
                   GRAPH(GATHER_IN, "y = gather(x, i, axis=1);", "y;"));
#define SCALAR_IN "inputs { x: f32[4]; i: i32[]; }"
    assert_dialect(GRAPH(SCALAR_IN, "y = gather(x, i, shape=[]);", "y;"),
                   GRAPH(SCALAR_IN, "y = gather(x, i);", "y;"));
    assert_refused(GRAPH(GATHER_IN, "y = gather(x, i, shape=[4, 3]);", "y;"), DIAG_OP_OPTION_VALUE,
                   "gather.shape = [4, 3]: allowed are the shape of the result, or none");
    assert_refused(GRAPH(GATHER_IN, "y = gather(x, i, shape=[3]);", "y;"), DIAG_OP_OPTION_VALUE,
                   NULL);
    assert_refused(GRAPH(GATHER_IN, "y = gather(x, i, axis=2, shape=[3]);", "y;"), DIAG_OP_INVALID,
                   NULL);
}

static void options_that_mean_nothing(void **state)
{
    (void)state;
    assert_dialect(NODES("y = relu(x, metadata={\"a\":[1, {b: null}]});"), NODES("y = relu(x);"));
    assert_dialect(NODES("y = layerNormalization(x, hasScale=false, has_bias=true);"),
                   NODES("y = layerNormalization(x);"));
    assert_dialect(NODES("y = layerNormalization(x, has_scale=false, hasBias=true);"),
                   NODES("y = layerNormalization(x);"));
}

static void every_default_written_out(void **state)
{
    (void)state;
    assert_same_graph(
        GRAPH(
            IMAGE,
            "y = averagePool2d(x, dilations=[1, 1], label=\"\", layout=\"nchw\", outputShapeRounding=\"floor\", "
            "outputSizes=[], padding=[0, 0, 0, 0], strides=[1, 1], windowDimensions=null);",
            "y;"),
        GRAPH(IMAGE, "y = averagePool2d(x);", "y;"));
    assert_same_graph(
        GRAPH(
            IMAGE,
            "[y] = conv2d(x, w, bias=\"\", dilations=[], filterLayout=\"\", groups=1, inputLayout=null, padding=[]);",
            "y;"),
        GRAPH(IMAGE, "y = conv2d(x, w);", "y;"));
}

static void dotted_names(void **state)
{
    (void)state;
    assert_dialect(GRAPH("inputs { a.b: f32[]; }", "y = relu(a_b);", "y;"),
                   GRAPH("inputs { a.b: f32[]; }", "y = relu(a.b);", "y;"));
    assert_same_graph(GRAPH("inputs { /a/b.c: f32[]; }", "y = relu(/a/b.c);", "y;"),
                      GRAPH("inputs { /a/b.c: f32[]; }", "y=relu(/a/b.c);", "y;"));
    assert_refused(GRAPH("inputs { a.b: f32[]; a..b: f32[]; }", "y = relu(a_c);", "y;"),
                   DIAG_TEXT_UNDECLARED, NULL);
}

static void what_no_reader_reads(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    assert_int_not_equal(fixture_read(&f, NODES("%y = relu(x);")), O2W_OK);
    assert_string_equal(f.diags.newest->hint, "names are written without '%'");
    fixture_free(&f);
    fixture_init(&f);
    assert_int_not_equal(fixture_read(&f, "graph g(x: f32[]) -> (y) { }"), O2W_OK);
    assert_string_equal(f.diags.newest->hint, "a file begins with: webnn_graph \"name\" v1 {");
    fixture_free(&f);
    assert_refused(NODES("y = relu(x); // no"), DIAG_TEXT_SYNTAX, NULL);
    assert_refused(NODES("y = relu(x); /* no */"), DIAG_TEXT_SYNTAX, NULL);
    assert_refused(NODES("y = relu(x,);"), DIAG_TEXT_SYNTAX, "expected a value, found ')'");
    assert_refused(NODES("y = reshape(x, newShape=[6,]);"), DIAG_TEXT_SYNTAX,
                   "expected a value, found ']'");
}

static void a_byte_order_mark(void **state)
{
    (void)state;
    assert_dialect("\xef\xbb\xbf" NODES("y = relu(x);"), NODES("y = relu(x);"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_55_options_with_other_names),
        cmocka_unit_test(camel_case_is_restored),
        cmocka_unit_test(old_operators),
        cmocka_unit_test(squeeze_and_unsqueeze_are_reshapes),
        cmocka_unit_test(squeeze_keeps_dynamic_dims),
        cmocka_unit_test(shape_is_a_constant),
        cmocka_unit_test(constant_nodes),
        cmocka_unit_test(operands_that_are_options),
        cmocka_unit_test(slices_by_ends),
        cmocka_unit_test(automatic_padding),
        cmocka_unit_test(quantisation_of_older_files),
        cmocka_unit_test(batch_dimensions),
        cmocka_unit_test(a_gather_may_say_its_own_shape),
        cmocka_unit_test(options_that_mean_nothing),
        cmocka_unit_test(every_default_written_out),
        cmocka_unit_test(dotted_names),
        cmocka_unit_test(what_no_reader_reads),
        cmocka_unit_test(a_byte_order_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
