/* Cases 1 to 39: the text. Each test has the number of its case. */
#include "fixture.h"

#include "webnn/limits.h"

#define RELU "y = relu(x);"

static void case_1_a_plain_graph(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    read_silently(&f, NODES(RELU));
    const struct operand *y = graph_operand(f.graph, f.graph->outputs.items[0].operand);
    assert_int_equal(y->dtype, DTYPE_FLOAT32);
    assert_int_equal(y->rank, 2);
    assert_int_equal(y->dims[0], 2);
    assert_int_equal(y->dims[1], 3);
    assert_span(names_text(&f.graph->names, f.graph->outputs.items[0].name), "y");
    fixture_free(&f);
}

static void case_2_white_space_is_free(void **state)
{
    (void)state;
    assert_same_graph("webnn_graph\"g\"v1{inputs{x:f32[2,3];}nodes{y=relu(x);}outputs{y;}}",
                      NODES(RELU));
    assert_same_graph(
        "webnn_graph \"g\" v 1 {\r\n\tinputs {\r\n\t\tx : f32 [ 2 , 3 ] ;\r\n\t}\r\nnodes { y = relu ( x ) ; }\r\n"
        "outputs { y ; }\r\n}\r\n",
        NODES(RELU));
    assert_same_graph(
        "# 1\nwebnn_graph# 2\n\"g\"#\nv1#\n{#\ninputs#\n{#\nx#\n:#\nf32#\n[#\n2#\n,#\n3#\n]#\n;#\n}#\nnodes#\n{#\n"
        "y#\n=#\nrelu#\n(#\nx#\n)#\n;#\n}#\noutputs#\n{#\ny#\n;#\n}#\n}#\n# the end",
        NODES(RELU));
}

static void case_3_a_list_of_one_result(void **state)
{
    (void)state;
    assert_same_graph(NODES("[y] = relu(x, label=\"\");"), NODES(RELU));
}

static void case_4_forms_of_outputs(void **state)
{
    (void)state;
    assert_same_graph(GRAPH(X_IN, RELU, "y"), NODES(RELU));
    assert_same_graph(GRAPH(X_IN, RELU, "y;"), NODES(RELU));
    const char *two = GRAPH(X_IN, "a = relu(x); b = abs(x);", "a; b;");
    assert_same_graph(GRAPH(X_IN, "a = relu(x); b = abs(x);", "a, b;"), two);
    assert_same_graph(GRAPH(X_IN, "a = relu(x); b = abs(x);", "a; b"), two);
    assert_refused(GRAPH(X_IN, RELU, "y,"), DIAG_TEXT_SYNTAX,
                   "expected the name of an output, found '}'");
    assert_refused(GRAPH(X_IN, RELU, ", y"), DIAG_TEXT_SYNTAX,
                   "expected the name of an output, found ','");
}

static void case_5_version_3(void **state)
{
    (void)state;
    assert_refused_at("webnn_graph \"g\" v3 {", DIAG_TEXT_VERSION,
                      "version 3 isn't supported (1 or 2)", 1, 17);
}

static void case_6_dynamic_under_version_1(void **state)
{
    (void)state;
    assert_dialect(
        "webnn_graph \"g\" v1 { inputs { x: f32[dyn(\"n\", 4)]; } nodes { y = relu(x); } outputs { y; } }",
        "webnn_graph \"g\" v2 { inputs { x: f32[dyn(\"n\", 4)]; } nodes { y = relu(x); } outputs { y; } }");
}

static void case_7_the_quantized_flag_is_kept(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    const char *text = read_silently(&f, "webnn_graph \"g\" v2 @quantized {" X_IN
                                         "nodes { y = relu(x); }" Y_OUT "}");
    assert_non_null(strstr(text, "v1 @quantized {"));
    assert_true(f.graph->quantized);
    assert_int_equal(f.graph->version, 2);
    fixture_free(&f);
}

static void case_8_blocks_in_any_order(void **state)
{
    (void)state;
    const char *expected = GRAPH("inputs { x: f32[2, 3]; z: f32[3]; }", "y = add(x, z);", "y;");
    assert_same_graph(
        "webnn_graph \"g\" v1 { nodes { y = add(x, z); } outputs { y; } inputs { x: f32[2, 3]; } inputs { z: f32[3]; } }",
        expected);
}

static void case_9_the_same_input_twice(void **state)
{
    (void)state;
    assert_refused_at(
        "webnn_graph \"g\" v1 {\ninputs { x: f32[];\nx: f32[]; } nodes { y = relu(x); } outputs { y; } }",
        DIAG_TEXT_DUPLICATE, "'x' is already declared as input at line 2", 3, 1);
}

static void case_10_one_scope_for_all_names(void **state)
{
    (void)state;
    assert_refused(GRAPH(X_IN "consts { x: f32[] @scalar(1); }", RELU, "y;"), DIAG_TEXT_DUPLICATE,
                   "'x' is already declared as input at line 2");
    assert_refused_at(NODES("x = relu(x);"), DIAG_TEXT_DUPLICATE,
                      "'x' is already declared as input at line 2", 3, 9);
    assert_refused(CONSTS("k: f32[] @scalar(1); k: f32[] @scalar(2);"), DIAG_TEXT_DUPLICATE,
                   "'k' is already declared as constant at line 3");
    assert_refused(NODES("y = relu(x);\ny = abs(x);"), DIAG_TEXT_DUPLICATE,
                   "'y' is already declared as node result at line 3");
}

static void case_11_undeclared_names(void **state)
{
    (void)state;
    assert_refused_at(NODES("y = relu(z);"), DIAG_TEXT_UNDECLARED,
                      "'z' isn't declared before this use", 3, 18);
    assert_refused_at(NODES("y = relu(z);\nz = abs(x);"), DIAG_TEXT_UNDECLARED,
                      "'z' isn't declared before this use (a later declaration is at line 4)", 3,
                      18);
    assert_refused(GRAPH("inputs { hidden: f32[]; }", "y = relu(hiden);", "y;"),
                   DIAG_TEXT_UNDECLARED,
                   "'hiden' isn't declared before this use (did you mean 'hidden'?)");
    assert_refused(GRAPH(X_IN, RELU, "z;"), DIAG_TEXT_UNDECLARED,
                   "'z' isn't declared before this use");
}

static void case_12_no_right_hand_side_without_a_call(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    assert_status(fixture_read(&f, NODES("y = x;")), O2W_FORMAT);
    assert_diag(&f.diags, 0, DIAG_TEXT_SYNTAX, "expected '(', found ';'");
    assert_string_equal(f.diags.newest->hint, "write y = identity(x)");
    assert_string_equal(f.diags.newest->subject_name, "y");
    fixture_free(&f);
    assert_refused_at(NODES("y = 3;"), DIAG_TEXT_SYNTAX, "expected an operator, found '3'", 3, 13);
}

static void case_13_positional_arguments_are_operands(void **state)
{
    (void)state;
    assert_refused_at(NODES("y = add(x, 3);"), DIAG_TEXT_POSITIONAL,
                      "argument 2 of add must be an operand name, found a number", 3, 20);
    assert_refused(NODES("y = add(x, true);"), DIAG_TEXT_POSITIONAL,
                   "argument 2 of add must be an operand name, found a boolean");
    assert_refused(NODES("y = add(null, x);"), DIAG_TEXT_POSITIONAL,
                   "argument 1 of add must be an operand name, found null");
    assert_refused(NODES("y = add(x, {});"), DIAG_TEXT_POSITIONAL,
                   "argument 2 of add must be an operand name, found an object");
    assert_refused(NODES("y = concat([x, [x]], axis=0);"), DIAG_TEXT_POSITIONAL,
                   "argument 1 of concat must be an operand name, found an array");
}

static void case_14_counts_of_operands_and_results(void **state)
{
    (void)state;
    assert_refused_at(NODES("y = add(x);"), DIAG_TEXT_ARITY, "add takes 2 operands, found 1", 3,
                      13);
    assert_refused(NODES("y = relu(x, x);"), DIAG_TEXT_ARITY, "relu takes 1 operands, found 2");
    assert_refused(NODES("y = concat(axis=0);"), DIAG_TEXT_ARITY,
                   "concat takes at least 1 operands, found 0");
    assert_refused_at(NODES("[a, b] = relu(x);"), DIAG_TEXT_RESULTS,
                      "relu returns 1 results, 2 names given", 3, 18);
    assert_refused(NODES("[a, y] = split(x, splits=3, axis=1);"), DIAG_TEXT_RESULTS,
                   "split returns 3 results, 2 names given");
    assert_refused(NODES("y = split(x, splits=3, axis=1);"), DIAG_TEXT_RESULTS,
                   "split returns 3 results, 1 names given");
    assert_same_graph(NODES("y = split(x, splits=1);"), NODES("[y] = split(x, axis=0, splits=1);"));
}

static void case_15_operator_names_have_one_spelling(void **state)
{
    (void)state;
    assert_refused_at(NODES("y = Relu(x);"), DIAG_OP_UNKNOWN,
                      "unknown operator 'Relu' (did you mean relu?)", 3, 13);
    assert_refused(NODES("y = frobnicate(x);"), DIAG_OP_UNKNOWN, "unknown operator 'frobnicate'");
}

static void case_16_forms_of_operands(void **state)
{
    (void)state;
    const char *expected = NODES("y = concat(x, x, axis=0);");
    assert_same_graph(NODES("y = concat([x, x], axis=0);"), expected);
    assert_same_graph(NODES("y = concat(\"x\", \"x\", axis=0);"), expected);
    assert_same_graph(NODES("y = concat([\"x\"], x, axis=0);"), expected);
    struct fixture f;
    fixture_init(&f);
    read_silently(&f, expected);
    assert_int_equal(graph_operand(f.graph, f.graph->outputs.items[0].operand)->dims[0], 4);
    fixture_free(&f);
}

static void case_17_a_missing_axis_is_0(void **state)
{
    (void)state;
    assert_dialect(NODES("y = softmax(x);"), NODES("y = softmax(x, axis=0);"));
    struct fixture f;
    fixture_init(&f);
    f.options.strict = true;
    assert_int_not_equal(fixture_read(&f, NODES("y = softmax(x);")), O2W_OK);
    assert_diag(&f.diags, 0, DIAG_OP_OPTION_MISSING, "softmax needs 'axis': 0 is taken");
    fixture_free(&f);
}

static void case_18_a_missing_shape(void **state)
{
    (void)state;
    assert_refused_at(NODES("y = reshape(x);"), DIAG_OP_OPTION_MISSING, "reshape needs 'newShape'",
                      3, 13);
}

static void case_19_an_empty_shape_is_a_scalar(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    assert_int_not_equal(fixture_read(&f, NODES("y = reshape(x, newShape=[]);")), O2W_OK);
    assert_int_equal(f.diags.newest->code, DIAG_OP_INVALID);
    assert_memory_equal(f.diags.newest->message, "reshape: ", 9);
    assert_string_equal(f.diags.newest->subject_name, "y");
    fixture_free(&f);
    assert_same_graph(GRAPH("inputs { x: f32[1, 1]; }", "y = reshape(x, newShape=[]);", "y;"),
                      GRAPH("inputs { x: f32[1, 1]; }", "y=reshape(\"x\",newShape=[]);", "y;"));
}

static uint32_t result_rank(const char *text)
{
    struct fixture f;
    fixture_init(&f);
    read_silently(&f, text);
    uint32_t rank = graph_operand(f.graph, f.graph->outputs.items[0].operand)->rank;
    fixture_free(&f);
    return rank;
}

static void case_20_empty_axes_of_a_reduction(void **state)
{
    (void)state;
    assert_int_equal(result_rank(NODES("y = reduceSum(x, axes=[]);")), 2);
    assert_int_equal(result_rank(NODES("y = reduceSum(x, axes=null);")), 0);
    assert_int_equal(result_rank(NODES("y = reduceSum(x);")), 0);
    assert_int_equal(result_rank(NODES("y = reduceSum(x, axes=[1]);")), 1);
}

static void case_21_empty_axes_of_a_layer(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    assert_non_null(strstr(read_silently(&f, NODES("y = layerNormalization(x, axes=[]);")),
                           "layerNormalization(x, axes=[]);"));
    fixture_free(&f);
}

#define CONV_IN         "inputs { x: f32[1, 1, 4, 4]; w: f32[2, 1, 3, 3]; b: f32[2]; c: f32[2]; }"
#define CONV(arguments) GRAPH(CONV_IN, "y = conv2d(x, w" arguments ");", "y;")

static void case_22_a_number_for_a_list(void **state)
{
    (void)state;
    assert_refused_at(CONV(", strides=2"), DIAG_OP_OPTION_TYPE,
                      "conv2d.strides must be an array of integers, found a number 2", 3, 26);
}

static void case_23_an_unknown_option(void **state)
{
    (void)state;
    assert_refused_at(CONV(", stride=[2, 2]"), DIAG_OP_OPTION_UNKNOWN,
                      "conv2d has no option 'stride' (did you mean 'strides'?)", 3, 26);
    struct fixture f;
    fixture_init(&f);
    f.options.note_unknown_options = true;
    assert_ok(fixture_read(&f, CONV(", stride=[2, 2]")));
    assert_int_equal(f.diags.count, 1);
    assert_int_equal(f.diags.errors, 0);
    fixture_free(&f);
}

static void case_24_a_bias_by_position(void **state)
{
    (void)state;
    assert_dialect(CONV(", b, bias=\"b\""), CONV(", bias=b"));
    assert_dialect(CONV(", b"), CONV(", bias=b"));
    assert_refused(CONV(", b, bias=\"c\""), DIAG_OP_OPTION_VALUE,
                   "conv2d.bias = 'c': allowed are the operand that is given by position too");
}

static void case_25_an_operand_option(void **state)
{
    (void)state;
    assert_same_graph(CONV(", bias=b"), CONV(", bias=\"b\""));
    struct fixture f;
    fixture_init(&f);
    assert_int_not_equal(fixture_read(&f, CONV(", bias=3")), O2W_OK);
    assert_diag(&f.diags, 0, DIAG_OP_OPTION_TYPE,
                "conv2d.bias must be the name of an operand, found a number 3");
    assert_string_equal(f.diags.newest->hint,
                        "an operand index; written by an old version, can't be resolved");
    fixture_free(&f);
    assert_refused(CONV(", bias=d"), DIAG_TEXT_UNDECLARED, "'d' isn't declared before this use");
}

#define GRU_IN         "inputs { x: f32[2, 1, 3]; w: f32[1, 6, 3]; r: f32[1, 6, 2]; }"
#define GRU(arguments) GRAPH(GRU_IN, "y = gru(x, w, r, steps=2, hiddenSize=2" arguments ");", "y;")

static void case_26_reset_after_is_never_guessed(void **state)
{
    (void)state;
    for (int strict = 0; strict < 2; strict++) {
        struct fixture f;
        fixture_init(&f);
        f.options.strict = strict;
        assert_int_not_equal(fixture_read(&f, GRU("")), O2W_OK);
        assert_diag(&f.diags, 0, DIAG_OP_OPTION_MISSING, "gru needs 'resetAfter'");
        assert_string_equal(f.diags.newest->hint,
                            "true is WebNN's default, false is what rustnn assumes");
        fixture_free(&f);
    }
    struct fixture f;
    fixture_init(&f);
    assert_non_null(strstr(
        read_silently(&f, GRU(", resetAfter=false")),
        "[y] = gru(x, w, r, direction=\"forward\", hiddenSize=2, layout=\"zrn\", resetAfter=false, "
        "returnSequence=false, steps=2);"));
    fixture_free(&f);
}

static void case_27_names_that_begin_like_words(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    const char *text =
        read_silently(&f, GRAPH("inputs { true_mask: f32[]; }",
                                "nullable = relu(true_mask); y = abs(nullable);", "y;"));
    assert_non_null(strstr(text, "  # o2w name _true_mask \"true_mask\"\n"));
    assert_non_null(strstr(text, "_nullable = relu(_true_mask);"));
    fixture_free(&f);
}

static void case_28_bounds_that_bound_nothing(void **state)
{
    (void)state;
    assert_dialect(NODES("y = clamp(x, minValue=\"-Infinity\", maxValue=6);"),
                   NODES("y = clamp(x, maxValue=6);"));
    assert_dialect(NODES("y = clamp(x, minValue=-6.5, maxValue=\"+inf\");"),
                   NODES("y = clamp(x, minValue=-6.5);"));
    assert_dialect(NODES("y = clamp(x, minValue=INF);"), NODES("y = clamp(x);"));
    assert_refused(NODES("y = clamp(x, minValue=\"NaN\");"), DIAG_OP_OPTION_VALUE,
                   "clamp.minValue = 'NaN': allowed are numbers and 'Infinity', '-Infinity'");
}

static void case_29_numbers_that_overflow(void **state)
{
    (void)state;
    assert_refused_at(NODES("y = clamp(x, minValue=1e999);"), DIAG_TEXT_NUMBER,
                      "number 1e999 is out of range ('minValue' needs a finite 64-bit float)", 3,
                      31);
    assert_refused(
        NODES("y = clamp(x, minValue=18446744073709551616);"), DIAG_TEXT_NUMBER,
        "number 18446744073709551616 is out of range ('minValue' needs an integer from -2^63 to 2^64 - 1)");
    assert_same_graph(NODES("y = clamp(x, minValue=18446744073709551615);"),
                      NODES("y = clamp(x,minValue=18446744073709551615);"));
    assert_refused(CONSTS("k: f32[] @scalar(-1e999);"), DIAG_TEXT_NUMBER,
                   "number -1e999 is out of range ('k' needs a finite 64-bit float)");
}

static uint64_t constant_bits(const char *text, size_t index)
{
    struct fixture f;
    struct tensor t;
    uint64_t bits = 0;
    fixture_init(&f);
    read_silently(&f, text);
    assert_ok(graph_constant(f.graph, f.graph->constants.items[0], &f.arena, NULL, &t));
    size_t size = dtype_info(t.dtype)->bits / 8u;
    if (size == 0) {
        bits = (((const uint8_t *)t.data)[index / 2] >> (4 * (index % 2))) & 15;
    } else {
        memcpy(&bits, (const uint8_t *)t.data + index * size, size);
    }
    fixture_free(&f);
    return bits;
}

static void case_30_integers_keep_64_bits(void **state)
{
    (void)state;
    assert_true(constant_bits(CONSTS("k: i64[] @scalar(16777217);"), 0) == 16777217);
    assert_true(constant_bits(CONSTS("k: u64[2] @scalar(18446744073709551615);"), 1) == UINT64_MAX);
    assert_true(constant_bits(CONSTS("k: i64[] @scalar(-9223372036854775808);"), 0) ==
                (uint64_t)INT64_MIN);
    assert_true(constant_bits(CONSTS("k: i32[] @scalar(-3e2);"), 0) == (uint32_t)-300);
    struct fixture f;
    fixture_init(&f);
    assert_non_null(strstr(read_silently(&f, CONSTS("k: i64[] @scalar(16777217);")),
                           "@bytes([1, 0, 0, 1, 0, 0, 0, 0])"));
    fixture_free(&f);
}

static void case_31_float16_is_rounded_over_float32(void **state)
{
    (void)state;
    assert_int_equal(constant_bits(CONSTS("k: f16[] @scalar(0.1);"), 0), 0x2e66);
    assert_int_equal(constant_bits(CONSTS("k: f16[3] @scalar(-0.0);"), 2), 0x8000);
    assert_int_equal(constant_bits(CONSTS("k: f32[] @scalar(-0);"), 0), 0);
}

static void case_32_scalars_that_no_type_holds(void **state)
{
    (void)state;
    assert_refused_at(CONSTS("k: i32[] @scalar(0.5);"), DIAG_CONST_SCALAR, "'k': 0.5 isn't a int32",
                      3, 10);
    assert_refused(CONSTS("k: u8[] @scalar(300);"), DIAG_CONST_SCALAR, "'k': 300 isn't a uint8");
    assert_refused(CONSTS("k: u64[] @scalar(-1);"), DIAG_CONST_SCALAR, "'k': -1 isn't a uint64");
    assert_refused(CONSTS("k: f32[] @scalar(1e39);"), DIAG_CONST_SCALAR,
                   "'k': 1e39 isn't a float32");
    assert_refused(CONSTS("k: f16[] @scalar(65520);"), DIAG_CONST_SCALAR,
                   "'k': 65520 isn't a float16");
    assert_refused(CONSTS("k: i4[] @scalar(8);"), DIAG_CONST_SCALAR, "'k': 8 isn't a int4");
}

static void case_33_four_bit_scalars(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(constant_bits(CONSTS("k: i4[3] @scalar(-1);"), i), 15);
}

static void case_34_bytes(void **state)
{
    (void)state;
    assert_refused_at(CONSTS("k: u8[3] @bytes([1, 2]);"), DIAG_CONST_BYTES,
                      "'k': 2 bytes, u8[3] needs 3", 3, 10);
    assert_refused_at(CONSTS("k: u8[1] @bytes([256]);"), DIAG_TEXT_NUMBER,
                      "number 256 is out of range (bytes of 'k' are from 0 to 255)", 3, 27);
    assert_refused(CONSTS("k: u8[1] @bytes([-1]);"), DIAG_TEXT_NUMBER,
                   "number -1 is out of range (bytes of 'k' are from 0 to 255)");
    assert_refused(CONSTS("k: u4[3] @bytes([1]);"), DIAG_CONST_BYTES,
                   "'k': 1 bytes, u4[3] needs 2");
    assert_int_equal(constant_bits(CONSTS("k: u4[3] @bytes([33, 243]);"), 2), 3);
    assert_refused(CONSTS("k: u8[1] @bytes([1,]);"), DIAG_TEXT_SYNTAX,
                   "expected a byte, found ']'");
}

static void case_35_one_initialiser_and_static_dims(void **state)
{
    (void)state;
    assert_refused_at(CONSTS("k: f32[] @weights(\"a\") @scalar(1);"), DIAG_CONST_INIT,
                      "'k' has 2 initialisers", 3, 10);
    assert_refused_at(CONSTS("k: f32[dyn(\"n\", 4)] @scalar(1);"), DIAG_CONST_DYNAMIC,
                      "'k': constants must be static", 3, 10);
}

static void case_36_no_initialiser_is_the_own_name(void **state)
{
    (void)state;
    struct temp_folder folder;
    struct fixture f;
    struct format_written written;
    temp_folder_create(&folder);
    fixture_init(&f);
    const char *path = temp_path(&folder, "g.webnn");
    struct format_write_options external = { .inline_limit = FORMAT_INLINE_NONE };
    read_silently(&f, CONSTS("k: u8[3] @bytes([1, 2, 3]);"));
    assert_ok(format_write(f.graph, path, &external, &f.arena, &f.diags, &written));
    const char *bare = CONSTS("k: u8[3];");
    temp_write(&folder, "g.webnn", bare, strlen(bare));
    graph_free(f.graph);
    assert_ok(format_read(path, NULL, NULL, &f.diags, &f.graph));
    assert_non_null(strstr(fixture_print(&f, NULL), "k: u8[3] @bytes([1, 2, 3]);"));
    fixture_free(&f);
    temp_folder_remove(&folder);
}

static void case_37_nesting_is_bounded(void **state)
{
    (void)state;
    enum { DEEP = 100000 };
    struct fixture f;
    fixture_init(&f);
    char *text = arena_alloc(&f.arena, DEEP + 200, 1);
    strcpy(text, "webnn_graph \"g\" v1 {" X_IN "nodes { y = relu(x, a=");
    size_t at = strlen(text);
    memset(text + at, '[', DEEP);
    assert_status(fixture_read(&f, text), O2W_RANGE);
    assert_diag(&f.diags, 0, DIAG_LIMIT, "nesting 65 exceeds the limit 64");
    fixture_free(&f);
}

static void case_38_final_braces(void **state)
{
    (void)state;
    assert_dialect("webnn_graph \"g\" v1 {" X_IN "nodes { y = relu(x); }" Y_OUT, NODES(RELU));
    assert_dialect("webnn_graph \"g\" v1 {" X_IN "nodes { y = relu(x); }" Y_OUT "}}", NODES(RELU));
    assert_dialect("webnn_graph \"g\" v1 {" X_IN "nodes { y = relu(x); } }" Y_OUT, NODES(RELU));
}

static void case_39_outputs_are_node_results(void **state)
{
    (void)state;
    assert_refused_at(GRAPH(X_IN, RELU, ""), DIAG_OUTPUT_NONE, "a graph needs at least one output",
                      6, 1);
    assert_refused_at(GRAPH(X_IN, RELU, "x;"), DIAG_OUTPUT_SOURCE,
                      "output 'x' is an input; write x_out = identity(x)", 4, 11);
    assert_refused(GRAPH(X_IN "consts { k: f32[] @scalar(1); }", RELU, "k;"), DIAG_OUTPUT_SOURCE,
                   "output 'k' is a constant; write k_out = identity(k)");
    assert_refused_at(GRAPH(X_IN, RELU, "y; y;"), DIAG_OUTPUT_TWICE, "output 'y' is listed twice",
                      4, 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_1_a_plain_graph),
        cmocka_unit_test(case_2_white_space_is_free),
        cmocka_unit_test(case_3_a_list_of_one_result),
        cmocka_unit_test(case_4_forms_of_outputs),
        cmocka_unit_test(case_5_version_3),
        cmocka_unit_test(case_6_dynamic_under_version_1),
        cmocka_unit_test(case_7_the_quantized_flag_is_kept),
        cmocka_unit_test(case_8_blocks_in_any_order),
        cmocka_unit_test(case_9_the_same_input_twice),
        cmocka_unit_test(case_10_one_scope_for_all_names),
        cmocka_unit_test(case_11_undeclared_names),
        cmocka_unit_test(case_12_no_right_hand_side_without_a_call),
        cmocka_unit_test(case_13_positional_arguments_are_operands),
        cmocka_unit_test(case_14_counts_of_operands_and_results),
        cmocka_unit_test(case_15_operator_names_have_one_spelling),
        cmocka_unit_test(case_16_forms_of_operands),
        cmocka_unit_test(case_17_a_missing_axis_is_0),
        cmocka_unit_test(case_18_a_missing_shape),
        cmocka_unit_test(case_19_an_empty_shape_is_a_scalar),
        cmocka_unit_test(case_20_empty_axes_of_a_reduction),
        cmocka_unit_test(case_21_empty_axes_of_a_layer),
        cmocka_unit_test(case_22_a_number_for_a_list),
        cmocka_unit_test(case_23_an_unknown_option),
        cmocka_unit_test(case_24_a_bias_by_position),
        cmocka_unit_test(case_25_an_operand_option),
        cmocka_unit_test(case_26_reset_after_is_never_guessed),
        cmocka_unit_test(case_27_names_that_begin_like_words),
        cmocka_unit_test(case_28_bounds_that_bound_nothing),
        cmocka_unit_test(case_29_numbers_that_overflow),
        cmocka_unit_test(case_30_integers_keep_64_bits),
        cmocka_unit_test(case_31_float16_is_rounded_over_float32),
        cmocka_unit_test(case_32_scalars_that_no_type_holds),
        cmocka_unit_test(case_33_four_bit_scalars),
        cmocka_unit_test(case_34_bytes),
        cmocka_unit_test(case_35_one_initialiser_and_static_dims),
        cmocka_unit_test(case_36_no_initialiser_is_the_own_name),
        cmocka_unit_test(case_37_nesting_is_bounded),
        cmocka_unit_test(case_38_final_braces),
        cmocka_unit_test(case_39_outputs_are_node_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
