/* Cases 56 to 59 and the canonical form. */
#include "files.h"

#include "webnn/builder.h"

struct made {
    struct fixture f;
    struct limits limits;
    struct builder b;
};

static void made_begin(struct made *m)
{
    fixture_init(&m->f);
    limits_own(&m->limits);
    assert_ok(builder_init(&m->b, &m->limits, NULL, &m->f.diags));
}

static const char *made_end(struct made *m, const struct format_write_options *options)
{
    if (!m->f.graph)
        assert_ok(builder_build(&m->b, &m->f.graph));
    return fixture_print(&m->f, options);
}

static void made_free(struct made *m)
{
    builder_free(&m->b);
    fixture_free(&m->f);
}

static operand_id input(struct made *m, const char *name, uint32_t rank, dim size)
{
    struct descriptor d = { .dtype = DTYPE_FLOAT32, .rank = rank };
    operand_id id;
    for (uint32_t i = 0; i < rank; i++)
        d.dims[i] = size;
    assert_ok(builder_input(&m->b, span_of(name), &d, &id));
    return id;
}

static operand_id call(struct made *m, enum webnn_operator kind, operand_id x,
                       const void *attributes, const char *name)
{
    uint32_t count = 1;
    operand_id id;
    assert_ok(builder_op(&m->b, kind, &x, 1, attributes, SPAN(""), &id, &count));
    if (name)
        assert_ok(builder_set_original(&m->b, id, span_of(name)));
    return id;
}

static void case_56_names_that_collide(void **state)
{
    (void)state;
    struct made m;
    made_begin(&m);
    operand_id a = input(&m, "a.b", 0, 0);
    input(&m, "a/b", 0, 0);
    input(&m, "a_b_2", 0, 0);
    operand_id y = call(&m, WEBNN_RELU, a, NULL, NULL);
    assert_ok(builder_output(&m.b, SPAN("y"), y));
    const char *text = made_end(&m, NULL);
    assert_non_null(strstr(text, "    a_b: f32[];\n    a_b_3: f32[];\n    a_b_2: f32[];\n"));
    assert_non_null(strstr(text, "  # o2w name a_b \"a.b\"\n  # o2w name a_b_3 \"a/b\"\n  inputs"));
    made_free(&m);
}

static void case_57_any_name_fits_in_a_directive(void **state)
{
    (void)state;
    struct made m;
    made_begin(&m);
    operand_id y = call(&m, WEBNN_RELU, input(&m, "a\nb\"c\\", 0, 0), NULL, NULL);
    assert_ok(builder_output(&m.b, SPAN("y"), y));
    const char *text = made_end(&m, NULL);
    assert_non_null(strstr(text, "  # o2w name a_b_c_ \"a\\nb\\\"c\\\\\"\n"));
    struct fixture again;
    fixture_init(&again);
    read_silently(&again, text);
    assert_span(names_text(&again.graph->names, graph_operand(again.graph, 0)->original),
                "a\nb\"c\\");
    assert_true(graph_find_input(again.graph, SPAN("a\nb\"c\\")) != NO_ID);
    fixture_free(&again);
    made_free(&m);
}

static void names_that_are_not_utf8_lose_bytes_with_a_note(void **state)
{
    (void)state;
    struct made m;
    made_begin(&m);
    operand_id y = call(&m, WEBNN_RELU, input(&m, "a\xff", 0, 0), NULL, NULL);
    assert_ok(builder_output(&m.b, SPAN("y"), y));
    assert_non_null(strstr(made_end(&m, NULL), "  # o2w name axff_ \"a\xef\xbf\xbd\"\n"));
    assert_int_equal(m.f.diags.count, 1);
    assert_int_equal(m.f.diags.errors, 0);
    made_free(&m);
}

static void case_58_a_shared_archive(void **state)
{
    (void)state;
    struct files s;
    struct format_written written;
    struct format_write_options add = { .archive = "model.safetensors",
                                        .add = true,
                                        .inline_limit = FORMAT_INLINE_NONE };
    files_init(&s);
    read_silently(&s.f, CONSTS("w: u8[2] @bytes([1, 2]); v: u8[3] @bytes([7, 8, 9]);"));
    assert_ok(format_write(s.f.graph, temp_path(&s.folder, "prefill.webnn"), &add, &s.f.arena,
                           &s.f.diags, &written));
    assert_int_equal(written.entries, 2);
    read_silently(&s.f, CONSTS("w: u8[2] @bytes([3, 4]); x2: u8[3] @bytes([7, 8, 9]);"));
    assert_ok(format_write(s.f.graph, temp_path(&s.folder, "decode.webnn"), &add, &s.f.arena,
                           &s.f.diags, &written));
    struct span text;
    assert_ok(file_read_all(temp_path(&s.folder, "decode.webnn"), 4096, &s.f.arena, NULL, &text));
    const char *decode = arena_text(&s.f.arena, text);
    assert_non_null(strstr(decode, "  # o2w weights \"model.safetensors\"\n"));
    assert_non_null(strstr(decode, "    x2: u8[3] @weights(\"v\");\n"));
    const char *key = strstr(decode, "    w: u8[2] @weights(\"w_");
    assert_non_null(key);
    assert_memory_equal(key + 33, "\");\n", 4); /* eight digits */
    assert_reads(&s, "prefill.webnn", 0);
    assert_constant(&s, 0, "\1\2", 2);
    assert_constant(&s, 1, "\7\10\11", 3);
    assert_reads(&s, "decode.webnn", 0);
    assert_constant(&s, 0, "\3\4", 2);
    assert_constant(&s, 1, "\7\10\11", 3);
    files_free(&s);
}

static void case_59_numbers(void **state)
{
    (void)state;
    struct made m;
    made_begin(&m);
    operand_id x = input(&m, "x", 4, 2), id;
    struct webnn_instance_normalization_attributes norm = webnn_instance_normalization_defaults();
    struct webnn_linear_attributes linear = { 1e20, 1e-5 };
    struct webnn_clamp_attributes clamp = { .max_value = { .kind = WEBNN_NUMBER_DOUBLE, .d = 6 } };
    norm.epsilon = 1e-6;
    operand_id operands[3] = { x, NO_ID, NO_ID };
    uint32_t count = 1;
    assert_ok(
        builder_op(&m.b, WEBNN_INSTANCE_NORMALIZATION, operands, 3, &norm, SPAN(""), &id, &count));
    id = call(&m, WEBNN_LINEAR, id, &linear, NULL);
    id = call(&m, WEBNN_CLAMP, id, &clamp, NULL);
    assert_ok(builder_output(&m.b, SPAN("y"), id));
    const char *text = made_end(&m, NULL);
    assert_non_null(strstr(text, "instanceNormalization(x, epsilon=1e-6);"));
    assert_non_null(strstr(text, "linear(operand_1, alpha=1e+20, beta=0.00001);"));
    assert_non_null(strstr(text, "clamp(operand_2, maxValue=6.0);"));
    made_free(&m);
}

static void the_example_of_the_format(void **state)
{
    (void)state;
    static const char example[] = "webnn_graph \"tiny\" v2 @quantized {\n"
                                  "  # o2w name tok_0 \"tok:0\"\n"
                                  "  inputs {\n"
                                  "    tok_0: i32[dyn(\"n\", 16)];\n"
                                  "  }\n"
                                  "\n"
                                  "  consts {\n"
                                  "    qw: u4[32, 6] @weights(\"qw\");\n"
                                  "    sc: f32[32, 1] @weights(\"sc\");\n"
                                  "    zp: u4[32, 1] @weights(\"zp\");\n"
                                  "    half: f32[] @scalar(0.5);\n"
                                  "  }\n"
                                  "\n"
                                  "  nodes {\n"
                                  "    deq = dequantizeLinear(qw, sc, zp);\n"
                                  "    emb = gather(deq, tok_0);\n"
                                  "    y = mul(emb, half);\n"
                                  "    [lo, hi] = split(y, axis=1, splits=[2, 4]);\n"
                                  "  }\n"
                                  "\n"
                                  "  outputs { lo; hi; }\n"
                                  "}\n";
    struct files s;
    uint8_t data[128 + 96 + 16];
    files_init(&s);
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)i;
    put_archive(&s, "tiny.safetensors",
                "{\"__metadata__\":{\"rustnn.webnn.packed4\":\"1\"},"
                "\"sc\":{\"dtype\":\"F32\",\"shape\":[32,1],\"data_offsets\":[0,128]},"
                "\"qw\":{\"dtype\":\"U8\",\"shape\":[96],\"data_offsets\":[128,224]},"
                "\"zp\":{\"dtype\":\"U8\",\"shape\":[16],\"data_offsets\":[224,240]}}",
                data, sizeof data);
    put_text(&s, "tiny.webnn", example);
    assert_reads(&s, "tiny.webnn", 0);
    struct format_written written;
    assert_ok(format_write(s.f.graph, temp_path(&s.folder, "again.webnn"), NULL, &s.f.arena,
                           &s.f.diags, &written));
    assert_file(temp_path(&s.folder, "again.webnn"), example, sizeof example - 1);
    assert_int_equal(written.graph_bytes, sizeof example - 1);
    assert_int_equal(written.entries, 3);
    struct span a, b;
    assert_ok(file_read_all(temp_path(&s.folder, "tiny.safetensors"), 4096, &s.f.arena, NULL, &a));
    assert_ok(file_read_all(temp_path(&s.folder, "again.safetensors"), 4096, &s.f.arena, NULL, &b));
    assert_int_equal(written.archive_bytes, b.size);
    /* equal but for the blanks that pad the header */
    assert_memory_equal(a.data + a.size - sizeof data, b.data + b.size - sizeof data, sizeof data);
    files_free(&s);
}

static void constants_stand_where_every_reader_gets_them_right(void **state)
{
    (void)state;
    static const char *const table[][2] = {
        { "k: f32[2] @bytes([0, 0, 128, 63, 0, 0, 128, 63]);", "k: f32[2] @scalar(1.0);" },
        { "k: f32[1] @bytes([0, 0, 0, 128]);", "k: f32[1] @bytes([0, 0, 0, 128]);" },
        { "k: f32[1] @bytes([0, 0, 192, 127]);", "k: f32[1] @bytes([0, 0, 192, 127]);" },
        { "k: f32[1] @bytes([0, 0, 128, 255]);", "k: f32[1] @bytes([0, 0, 128, 255]);" },
        { "k: f32[1] @scalar(0.1);", "k: f32[1] @scalar(0.1);" },
        { "k: f16[1] @scalar(0.1);", "k: f16[1] @scalar(0.099975586);" },
        { "k: f32[1] @bytes([255, 255, 127, 127]);", "k: f32[1] @scalar(3.4028235e+38);" },
        { "k: i32[2] @scalar(16777216);", "k: i32[2] @scalar(16777216);" },
        { "k: i32[2] @scalar(16777217);", "k: i32[2] @bytes([1, 0, 0, 1, 1, 0, 0, 1]);" },
        { "k: i64[1] @scalar(-16777216);", "k: i64[1] @scalar(-16777216);" },
        { "k: u64[1] @scalar(18446744073709551615);",
          "k: u64[1] @bytes([255, 255, 255, 255, 255, 255, 255, 255]);" },
        { "k: u8[3] @bytes([1, 0, 1]);", "k: u8[3] @bytes([1, 0, 1]);" },
        { "k: u8[0] @bytes([]);", "k: u8[0] @bytes([]);" },
        { "k: f32[64] @scalar(0);", "k: f32[64] @scalar(0.0);" },
        { "k: i4[3] @scalar(-1);", "k: i4[3] @weights(\"k\");" },
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[400] = "webnn_graph \"g\" v1 { inputs { x: f32[]; } consts { ";
        strcat(strcat(text, table[i][0]), " } nodes { y = relu(x); } outputs { y; } }");
        struct fixture f;
        fixture_init(&f);
        const char *printed = read_silently(&f, text);
        if (!strstr(printed, table[i][1]))
            print_message("%s\n%s\n", table[i][1], printed);
        assert_non_null(strstr(printed, table[i][1]));
        fixture_free(&f);
    }
}

static void the_inline_limit_counts_bytes(void **state)
{
    (void)state;
    struct fixture f;
    struct format_write_options o = { .inline_limit = 3 };
    fixture_init(&f);
    read_silently(
        &f,
        CONSTS("a: u8[3] @bytes([1, 0, 1]); b: u8[4] @bytes([1, 0, 1, 0]); c: u8[0] @bytes([]);"));
    const char *text = fixture_print(&f, &o);
    assert_non_null(strstr(
        text,
        "a: u8[3] @bytes([1, 0, 1]);\n    b: u8[4] @weights(\"b\");\n    c: u8[0] @bytes([]);"));
    o.inline_limit = FORMAT_INLINE_NONE;
    assert_non_null(strstr(fixture_print(&f, &o), "c: u8[0] @weights(\"c\");"));
    fixture_free(&f);
}

static void equal_constants_share_a_tensor(void **state)
{
    (void)state;
    struct fixture f;
    struct format_write_options o = { .inline_limit = FORMAT_INLINE_NONE };
    fixture_init(&f);
    read_silently(
        &f,
        CONSTS(
            "a: u8[2] @bytes([1, 2]); b: u8[2] @bytes([1, 2]); c: u8[2, 1] @bytes([1, 2]); d: i8[2] @bytes([1, 2]);"));
    assert_non_null(strstr(fixture_print(&f, &o),
                           "a: u8[2] @weights(\"a\");\n    b: u8[2] @weights(\"a\");\n"
                           "    c: u8[2, 1] @weights(\"c\");\n    d: i8[2] @weights(\"d\");\n"));
    fixture_free(&f);
}

static void an_output_with_the_name_of_an_input(void **state)
{
    (void)state;
    struct made m;
    made_begin(&m);
    operand_id y = call(&m, WEBNN_RELU, input(&m, "x.1", 0, 0), NULL, "x.1");
    assert_ok(builder_output(&m.b, SPAN("x.1"), y));
    assert_ok(builder_output(&m.b, SPAN("second"), y));
    const char *text = made_end(&m, NULL);
    assert_non_null(
        strstr(text, "    x_1__output = relu(x_1);\n    second = identity(x_1__output);\n"));
    assert_non_null(strstr(text, "  outputs { x_1__output; second; }\n"));
    assert_non_null(strstr(text, "  # o2w name x_1 \"x.1\"\n  # o2w name x_1__output \"x.1\"\n"));
    made_free(&m);
}

static void names_none_interface_all(void **state)
{
    (void)state;
    struct fixture f;
    struct format_write_options o = { .names = FORMAT_NAMES_NONE };
    fixture_init(&f);
    read_silently(
        &f,
        "webnn_graph \"g\" v1 {\n  # o2w dim \"n\" 3\n  # o2w name x \"x.0\"\n  # o2w name k \"k.0\"\n  # o2w name h \"h.0\"\n"
        "  # o2w name y \"y.0\"\n  # o2w meta \"author\" \"me\"\n inputs { x: f32[]; } consts { k: f32[] @scalar(1); }\n"
        " nodes { h = add(x, k, label=\"the sum\"); y = relu(h); } outputs { y; } }");
    const char *none = fixture_print(&f, &o);
    assert_null(strstr(none, "o2w name"));
    assert_null(strstr(none, "label"));
    assert_non_null(strstr(none, "  # o2w dim \"n\" 3\n"));
    o.names = FORMAT_NAMES_INTERFACE;
    const char *interface = fixture_print(&f, &o);
    assert_non_null(
        strstr(interface,
               "  # o2w name x \"x.0\"\n  # o2w name k \"k.0\"\n  # o2w name y \"y.0\"\n  inputs"));
    assert_null(strstr(interface, "label"));
    o.names = FORMAT_NAMES_ALL;
    const char *all = fixture_print(&f, &o);
    assert_non_null(strstr(
        all,
        "  # o2w name k \"k.0\"\n  # o2w name h \"h.0\"\n  # o2w name y \"y.0\"\n  # o2w meta \"author\" \"me\"\n"));
    assert_non_null(strstr(all, "h = add(x, k, label=\"the sum\");"));
    fixture_free(&f);
}

static void texts_that_would_break_other_readers(void **state)
{
    (void)state;
    struct fixture f;
    struct format_write_options o = { .names = FORMAT_NAMES_ALL };
    fixture_init(&f);
    assert_ok(fixture_read(
        &f,
        "webnn_graph \"a::b\nc\" v2 { inputs { x: f32[dyn(\"n::m\", 4)]; } "
        "nodes { y = reshape(x, newShape=[1, {name: \"n::m\", maxSize: 4}], label=\"q::r\"); } outputs { y; } }"));
    const char *text = fixture_print(&f, &o);
    assert_non_null(strstr(text, "webnn_graph \"a__b_c\" v2 {\n"));
    assert_non_null(strstr(text, "dyn(\"n__m\", 4)"));
    assert_non_null(strstr(
        text, "reshape(x, label=\"q__r\", newShape=[1, {\"maxSize\":4,\"name\":\"n__m\"}]);"));
    fixture_free(&f);
}

static void names_of_dims_stay_apart(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    const char *text = read_silently(
        &f, "webnn_graph \"g\" v2 { inputs { x: f32[dyn(\"n::m\", 4), dyn(\"n__m\", 4)]; } "
            "nodes { y = relu(x); } outputs { y; } }");
    assert_non_null(strstr(text, "f32[dyn(\"n::m\", 4), dyn(\"n__m\", 4)]"));
    fixture_free(&f);
}

static void options_that_are_always_written(void **state)
{
    (void)state;
    static const char *const table[][2] = {
        { "y = transpose(x);", "y = transpose(x, permutation=[1, 0]);" },
        { "y = reduceSum(x);", "y = reduceSum(x);" },
        { "y = reduceSum(x, axes=[0, 1]);", "y = reduceSum(x);" },
        { "y = reduceSum(x, axes=[1, 0]);", "y = reduceSum(x, axes=[1, 0]);" },
        { "y = cumulativeSum(x, axis=0);", "y = cumulativeSum(x, axis=0);" },
        { "y = slice(x, starts=[0, 0], sizes=[1, 1], strides=[1, 1]);",
          "y = slice(x, sizes=[1, 1], starts=[0, 0]);" },
        { "y = pad(x, beginningPadding=[0, 0], endingPadding=[0, 1], value=0, mode=constant);",
          "y = pad(x, beginningPadding=[0, 0], endingPadding=[0, 1]);" },
        { "y = pad(x, beginningPadding=[0, 0], endingPadding=[0, 1], value=0.5);",
          "y = pad(x, beginningPadding=[0, 0], endingPadding=[0, 1], value=0.5);" },
        { "y = triangular(x, upper=true, diagonal=-1);", "y = triangular(x, diagonal=-1);" },
        { "y = elu(x, alpha=1);", "y = elu(x);" },
        { "y = elu(x, alpha=2);", "y = elu(x, alpha=2.0);" },
        { "y = argMax(x, axis=1, outputDataType=int32);", "y = argMax(x, axis=1);" },
        { "y = clamp(x, minValue=-5);", "y = clamp(x, minValue=-5);" },
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[400] = "webnn_graph \"g\" v1 { inputs { x: f32[2, 3]; } nodes { ";
        strcat(strcat(text, table[i][0]), " } outputs { y; } }");
        struct fixture f;
        fixture_init(&f);
        const char *printed = read_silently(&f, text);
        if (!strstr(printed, table[i][1]))
            print_message("%s\n%s\n", table[i][1], printed);
        assert_non_null(strstr(printed, table[i][1]));
        fixture_free(&f);
    }
}

static void resampling_has_sizes_or_scales(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
#define R_IN "inputs { x: f32[1, 1, 2, 3]; }"
    assert_non_null(
        strstr(read_silently(&f, GRAPH(R_IN, "y = resample2d(x);", "y;")),
               "y = resample2d(x, axes=[2, 3], mode=\"nearest-neighbor\", scales=[1.0, 1.0]);"));
    assert_non_null(strstr(
        read_silently(
            &f, GRAPH(R_IN, "y = resample2d(x, sizes=[4, 4], scales=[2, 2], mode=linear);", "y;")),
        "y = resample2d(x, axes=[2, 3], mode=\"linear\", sizes=[4, 4]);"));
    fixture_free(&f);
}

static void infinite_pad_values(void **state)
{
    (void)state;
    struct made m;
    made_begin(&m);
    struct webnn_pad_attributes a = webnn_pad_defaults();
    a.beginning_padding = a.ending_padding =
        (struct webnn_u32s){ .given = true, .count = 1, .items = { 1 } };
    a.value = (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE, .d = -__builtin_inf() };
    assert_ok(builder_output(&m.b, SPAN("y"), call(&m, WEBNN_PAD, input(&m, "x", 1, 2), &a, NULL)));
    const char *text = made_end(&m, NULL);
    assert_non_null(strstr(text, "value=-1.7976931348623157e+308);"));
    struct fixture again;
    fixture_init(&again);
    read_silently(&again, text);
    const struct webnn_pad_attributes *read = again.graph->operators.items[0].attributes;
    assert_true(read->value.d == -__builtin_inf());
    fixture_free(&again);
    made_free(&m);
    made_begin(&m);
    a.value.d = __builtin_nan("");
    assert_ok(builder_output(&m.b, SPAN("y"), call(&m, WEBNN_PAD, input(&m, "x", 1, 2), &a, NULL)));
    assert_ok(builder_build(&m.b, &m.f.graph));
    struct span printed;
    assert_int_not_equal(format_print(m.f.graph, NULL, SPAN("g"), &m.f.arena, &m.f.diags, &printed),
                         O2W_OK);
    assert_int_equal(m.f.diags.newest->code, DIAG_OP_OPTION_VALUE);
    made_free(&m);
}

static void an_archive_is_written_in_any_case(void **state)
{
    (void)state;
    struct files s;
    struct format_written written;
    files_init(&s);
    put_text(&s, "g.safetensors", "stale");
    read_silently(&s.f, NODES("y = relu(x);"));
    assert_ok(format_write(s.f.graph, temp_path(&s.folder, "g.webnn"), NULL, &s.f.arena, &s.f.diags,
                           &written));
    assert_file(temp_path(&s.folder, "g.safetensors"), "\10\0\0\0\0\0\0\0{}      ", 16);
    assert_string_equal(written.archive_path, temp_path(&s.folder, "g.safetensors"));
    assert_int_equal(temp_count(&s.folder), 2);
    files_free(&s);
}

static void old_files_stay_on_failure(void **state)
{
    (void)state;
    struct files s;
    struct format_written written;
    struct format_write_options into_nowhere = { .archive = "nowhere/w.safetensors" };
    files_init(&s);
    put_text(&s, "g.webnn", "old");
    read_silently(&s.f, CONSTS("k: u4[3] @scalar(1);"));
    assert_int_not_equal(format_write(s.f.graph, temp_path(&s.folder, "g.webnn"), &into_nowhere,
                                      &s.f.arena, &s.f.diags, &written),
                         O2W_OK);
    assert_file(temp_path(&s.folder, "g.webnn"), "old", 3);
    assert_int_equal(temp_count(&s.folder), 1);
    files_free(&s);
}

static void what_is_written_tells_whether_it_is_still_there(void **state)
{
    (void)state;
    struct files s;
    struct format_written written;
    struct format_write_options o = { .inline_limit = FORMAT_INLINE_NONE };
    uint8_t digest[32];
    files_init(&s);
    read_silently(
        &s.f,
        CONSTS(
            "k: u4[3] @bytes([33, 3]); w: f32[2] @bytes([1, 2, 3, 4, 5, 6, 7, 8]); v: f32[2] @bytes([1, 2, 3, 4, 5, 6, 7, 8]);"));
    assert_ok(format_write(s.f.graph, temp_path(&s.folder, "g.webnn"), &o, &s.f.arena, &s.f.diags,
                           &written));
    assert_int_equal(written.entries, 2);
    assert_reads(&s, "g.webnn", 0);
    assert_ok(format_entries_digest(s.f.graph, NULL, digest));
    assert_memory_equal(digest, written.entries_sha256, 32);
    read_silently(&s.f,
                  CONSTS("k: u4[3] @bytes([33, 4]); w: f32[2] @bytes([1, 2, 3, 4, 5, 6, 7, 8]);"));
    assert_ok(format_write(s.f.graph, temp_path(&s.folder, "g.webnn"), &o, &s.f.arena, &s.f.diags,
                           &written));
    assert_memory_not_equal(digest, written.entries_sha256, 32);
    files_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_56_names_that_collide),
        cmocka_unit_test(case_57_any_name_fits_in_a_directive),
        cmocka_unit_test(names_that_are_not_utf8_lose_bytes_with_a_note),
        cmocka_unit_test(case_58_a_shared_archive),
        cmocka_unit_test(case_59_numbers),
        cmocka_unit_test(the_example_of_the_format),
        cmocka_unit_test(constants_stand_where_every_reader_gets_them_right),
        cmocka_unit_test(the_inline_limit_counts_bytes),
        cmocka_unit_test(equal_constants_share_a_tensor),
        cmocka_unit_test(an_output_with_the_name_of_an_input),
        cmocka_unit_test(names_none_interface_all),
        cmocka_unit_test(texts_that_would_break_other_readers),
        cmocka_unit_test(names_of_dims_stay_apart),
        cmocka_unit_test(options_that_are_always_written),
        cmocka_unit_test(resampling_has_sizes_or_scales),
        cmocka_unit_test(infinite_pad_values),
        cmocka_unit_test(an_archive_is_written_in_any_case),
        cmocka_unit_test(old_files_stay_on_failure),
        cmocka_unit_test(what_is_written_tells_whether_it_is_still_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
