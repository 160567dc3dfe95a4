/* Cases 43 to 54: weight files. */
#include "files.h"

#include "base/half.h"

#include <stdio.h>

static const uint8_t floats[24] = { 0, 0,  128, 63, 1,  2,  3,  4,  5,  6,  7,  8,
                                    9, 10, 11,  12, 13, 14, 15, 16, 17, 18, 19, 20 };

#define ENTRY(key, dtype, shape, begin, end) \
    "\"" key "\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":[" begin "," end "]}"
#define PACKED "\"__metadata__\":{\"rustnn.webnn.packed4\":\"1\"}"

static void case_43_the_own_archive_comes_first(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    put_text(&s, "g.webnn", WITH_CONST("f32[6]", "w"));
    put_archive(&s, "model.safetensors", "{" ENTRY("w", "F32", "[6]", "0", "24") "}", floats, 24);
    uint8_t other[24] = { 1 };
    assert_reads(&s, "g.webnn", 0);
    assert_constant(&s, 0, floats, 24);
    put_archive(&s, "g.safetensors", "{" ENTRY("w", "F32", "[6]", "0", "24") "}", other, 24);
    assert_reads(&s, "g.webnn", 0);
    assert_constant(&s, 0, other, 24);
    files_free(&s);
}

static void case_44_a_blob_needs_a_manifest(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    put_text(&s, "g.webnn", WITH_CONST("f32[6]", "w"));
    temp_write(&s.folder, "model.weights", floats, 24);
    assert_fails(&s, "g.webnn", DIAG_WEIGHTS_NONE, "g.manifest.json, manifest.json");
    files_free(&s);
}

static void no_file_is_looked_for_without_need(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    put_text(&s, "g.webnn",
             "webnn_graph \"g\" v1 {\n  # o2w weights \"../outside.safetensors\"\n" X_IN
             "nodes { y = relu(x); }" Y_OUT "}");
    s.f.options.weights = "nowhere.safetensors";
    assert_reads(&s, "g.webnn", 0);
    files_free(&s);
}

static void everything_that_was_looked_for_is_named(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    put_text(&s, "g.webnn", WITH_CONST("f32[6]", "w"));
    assert_fails(&s, "g.webnn", DIAG_WEIGHTS_NONE,
                 "g.webnn: looked for g.safetensors, g.weights, model.safetensors, model.weights");
    assert_memory_equal(s.f.diags.newest->message, "no weights for 1 constants beside ", 34);
    assert_string_equal(s.f.diags.newest->hint, "--weights PATH");
    assert_string_equal(s.f.diags.newest->subject_name, "k");
    s.f.options.weights = "other.safetensors";
    assert_fails(&s, "g.webnn", DIAG_WEIGHTS_NONE, "looked for other.safetensors");
    put_archive(&s, "model.safetensors", "{" ENTRY("v", "F32", "[6]", "0", "24") "}", floats, 24);
    s.f.options.weights = NULL;
    assert_fails(&s, "g.webnn", DIAG_WEIGHTS_MISSING, "model.safetensors (1 tensors; nearest 'v')");
    assert_memory_equal(s.f.diags.newest->message, "'w' (constant 'k') isn't in ", 28);
    assert_non_null(strstr(s.f.diags.newest->hint,
                           "was taken because there is no g.safetensors and no g.weights"));
    files_free(&s);
}

static void an_explicit_path_and_a_directive_say_where(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    uint8_t other[24] = { 9 };
    put_archive(&s, "sub/w.SafeTensors", "{" ENTRY("w", "F32", "[6]", "0", "24") "}", floats, 24);
    put_archive(&s, "g.safetensors", "{" ENTRY("w", "F32", "[6]", "0", "24") "}", other, 24);
    put_text(&s, "g.webnn", WITH_CONST("f32[6]", "w"));
    s.f.options.weights = "sub/w.SafeTensors";
    assert_reads(&s, "g.webnn", 0);
    assert_constant(&s, 0, floats, 24);
    s.f.options.weights = NULL;
    put_text(&s, "g.webnn",
             "webnn_graph \"g\" v1 {\n  # o2w weights \"sub/w.SafeTensors\"\n" X_IN
             "consts { w: f32[6]; } nodes { y = relu(x); }" Y_OUT "}");
    assert_reads(&s, "g.webnn", 0);
    assert_constant(&s, 0, floats, 24);
    assert_span(names_text(&s.f.graph->names, s.f.graph->archive), "sub/w.SafeTensors");
    static const char *const unsafe[] = { "../w.safetensors", "/etc/hostname", "a\\\\b",
                                          "sub/../g.safetensors" };
    for (size_t i = 0; i < 4; i++) {
        put_text(&s, "w.safetensors", "");
        put_text(&s, "sub/g.webnn",
                 arena_printf(&s.f.arena,
                              "webnn_graph \"g\" v1 {\n  # o2w weights \"%s\"\n" X_IN
                              "consts { w: f32[6]; } nodes { y = relu(x); }" Y_OUT "}",
                              unsafe[i]));
        assert_int_not_equal(read_file(&s, "sub/g.webnn"), O2W_OK);
        assert_true(s.f.diags.newest->code == DIAG_PATH_UNSAFE ||
                    s.f.diags.newest->code == DIAG_WEIGHTS_NONE);
    }
    files_free(&s);
}

static void from_memory_only_an_explicit_path_counts(void **state)
{
    (void)state;
    struct files s;
    struct file *archive;
    files_init(&s);
    put_archive(&s, "g.safetensors", "{" ENTRY("w", "F32", "[6]", "0", "24") "}", floats, 24);
    struct span text = SPAN(WITH_CONST("f32[6]", "w"));
    assert_int_not_equal(format_read_bytes(text, "-", NULL, NULL, NULL, &s.f.diags, &s.f.graph),
                         O2W_OK);
    assert_int_equal(s.f.diags.newest->code, DIAG_WEIGHTS_NONE);
    s.f.options.weights = temp_path(&s.folder, "g.safetensors");
    assert_ok(format_read_bytes(text, "-", NULL, &s.f.options, NULL, &s.f.diags, &s.f.graph));
    assert_constant(&s, 0, floats, 24);
    graph_free(s.f.graph);
    s.f.graph = NULL;
    struct span bytes;
    assert_ok(file_read_all(s.f.options.weights, 1000, &s.f.arena, NULL, &bytes));
    assert_ok(file_from_bytes(bytes, "memory", NULL, &archive));
    assert_ok(format_read_bytes(text, "-", archive, NULL, NULL, &s.f.diags, &s.f.graph));
    file_release(archive);
    assert_constant(&s, 0, floats, 24);
    files_free(&s);
}

static void read_with_keys(struct files *s, const char *ref, const char *first, const char *second)
{
    const char *graph =
        arena_printf(&s->f.arena,
                     "webnn_graph \"g\" v1 {\n" X_IN "\nconsts { k: u8[1] @weights(\"%s\"); }\n"
                     "nodes { y = relu(x); }\n" Y_OUT "\n}\n",
                     ref);
    put_text(s, "g.webnn", graph);
    const char *header = second
                             ? "{\"%s\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
                               "\"%s\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}"
                             : "{\"%s\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}";
    char text[400];
    snprintf(text, sizeof text, header, first, second);
    put_archive(s, "g.safetensors", text, "\1\2", second ? 2 : 1);
}

static void assert_key(struct files *s, const char *ref, const char *first, const char *second,
                       uint8_t value, size_t notes)
{
    read_with_keys(s, ref, first, second);
    assert_reads(s, "g.webnn", notes);
    assert_constant(s, 0, &value, 1);
}

static void case_45_a_dotted_reference(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    assert_key(&s, "layer.w", "layer.w", NULL, 1, 0);
    assert_key(&s, "layer.w", "layer_w", NULL, 1, 1);
    assert_key(&s, "layer.w", "layer.w", "layer_w", 1, 0);
    s.f.options.strict = true;
    read_with_keys(&s, "layer.w", "layer_w", NULL);
    assert_fails(&s, "g.webnn", DIAG_TEXT_DIALECT, "'layer.w' isn't in ");
    files_free(&s);
}

static void case_46_references_under_other_readers_rules(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    assert_key(&s, "a_b", "a.b", "a::b", 1, 1);
    assert_key(&s, "a_b", "a/b", "a.b", 2, 1);
    read_with_keys(&s, "a_b", "a:b", "a/b");
    assert_fails(&s, "g.webnn", DIAG_WEIGHTS_AMBIGUOUS, "'a_b' matches 'a:b' and 'a/b'");
    assert_key(&s, "c", "c", "a/b", 1, 0);
    files_free(&s);
}

static void case_47_bfloat16_is_widened(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    put_text(&s, "g.webnn", WITH_CONST("f32[2]", "w"));
    put_archive(&s, "g.safetensors", "{" ENTRY("w", "BF16", "[2]", "0", "4") "}",
                "\x80\x3f\x00\xc0", 4);
    assert_reads(&s, "g.webnn", 0);
    float wide[2] = { 1.0f, -2.0f };
    assert_constant(&s, 0, wide, 8);
    files_free(&s);
}

static void case_48_other_dtypes_do_not_fit(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    put_text(&s, "g.webnn", WITH_CONST("f32[3]", "w"));
    put_archive(&s, "g.safetensors", "{" ENTRY("w", "F64", "[3]", "0", "24") "}", floats, 24);
    assert_fails(&s, "g.webnn", DIAG_WEIGHTS_DTYPE, "'w': declared float32, stored F64");
    put_archive(&s, "g.safetensors", "{" ENTRY("w", "F32", "[2, 3]", "0", "24") "}", floats, 24);
    assert_fails(&s, "g.webnn", DIAG_WEIGHTS_SHAPE, "'w': declared [3], stored [2, 3]");
    files_free(&s);
}

static void bool_is_uint8_when_it_holds_bits(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    put_text(&s, "g.webnn", WITH_CONST("u8[3]", "w"));
    put_archive(&s, "g.safetensors", "{" ENTRY("w", "BOOL", "[3]", "0", "3") "}", "\0\1\1", 3);
    assert_reads(&s, "g.webnn", 1);
    assert_constant(&s, 0, "\0\1\1", 3);
    put_archive(&s, "g.safetensors", "{" ENTRY("w", "BOOL", "[3]", "0", "3") "}", "\0\1\2", 3);
    assert_fails(&s, "g.webnn", DIAG_WEIGHTS_DTYPE, "stored BOOL with bytes other than 0 and 1");
    files_free(&s);
}

static void case_49_four_bits_need_the_marker(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    put_text(&s, "g.webnn", WITH_CONST("u4[3]", "w"));
    put_archive(&s, "g.safetensors", "{" ENTRY("w", "U8", "[2]", "0", "2") "}", "\x21\xf3", 2);
    assert_fails(&s, "g.webnn", DIAG_WEIGHTS_PACKED4,
                 "int4/uint4 constants need __metadata__ rustnn.webnn.packed4 = \"1\", found none");
    put_archive(
        &s, "g.safetensors",
        "{\"__metadata__\":{\"rustnn.webnn.packed4\":\"2\"}," ENTRY("w", "U8", "[2]", "0", "2") "}",
        "\x21\xf3", 2);
    assert_fails(&s, "g.webnn", DIAG_WEIGHTS_PACKED4, "found \"2\"");
    put_archive(&s, "g.safetensors", "{" PACKED "," ENTRY("w", "U8", "[3]", "0", "3") "}",
                "\x21\xf3\0", 3);
    assert_fails(&s, "g.webnn", DIAG_WEIGHTS_SHAPE, "'w': declared [2], stored [3]");
    put_archive(&s, "g.safetensors", "{" PACKED "," ENTRY("w", "I8", "[2]", "0", "2") "}",
                "\x21\xf3", 2);
    assert_fails(&s, "g.webnn", DIAG_WEIGHTS_DTYPE, "'w': declared uint4, stored I8");
    files_free(&s);
}

static void case_50_four_bits_low_nibble_first(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    put_text(&s, "g.webnn", WITH_CONST("u4[3]", "w"));
    put_archive(&s, "g.safetensors", "{" PACKED "," ENTRY("w", "U8", "[2]", "0", "2") "}",
                "\x21\xf3", 2);
    assert_reads(&s, "g.webnn", 0);
    struct tensor t;
    assert_ok(graph_constant(s.f.graph, s.f.graph->constants.items[0], &s.f.arena, NULL, &t));
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(tensor_get_u64(&t, i), i + 1);
    files_free(&s);
}

static void case_51_broken_archives(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    put_text(&s, "g.webnn", WITH_CONST("f32[6]", "w"));
    temp_write(&s.folder, "g.safetensors", "\0\0\0\0\0\0\0\x80{}", 10);
    assert_fails(&s, "g.webnn", DIAG_ST_HEADER,
                 "header length 9223372036854775808 exceeds the limit 100000000");
    put_archive(&s, "g.safetensors",
                "{" ENTRY("w", "U8", "[4]", "0", "4") "," ENTRY("v", "U8", "[4]", "8", "12") "}",
                floats, 12);
    assert_fails(&s, "g.webnn", DIAG_ST_RANGE,
                 "'v': bytes [8,12) of data_offsets leave a gap behind those of 'w'");
    put_archive(&s, "g.safetensors", "{" ENTRY("w", "U8", "[4]", "4", "8") "}", floats, 8);
    assert_fails(&s, "g.webnn", DIAG_ST_RANGE,
                 "'w': bytes [4,8) of data_offsets leave a gap behind the header");
    put_archive(&s, "g.safetensors",
                "{" ENTRY("w", "U8", "[4]", "0", "4") "," ENTRY("v", "U8", "[4]", "2", "6") "}",
                floats, 6);
    assert_fails(&s, "g.webnn", DIAG_ST_RANGE,
                 "'v': bytes [2,6) of data_offsets overlap those of 'w'");
    put_archive(&s, "g.safetensors", "{" ENTRY("w", "F32", "[6]", "0", "24") "}", floats, 23);
    assert_fails(&s, "g.webnn", DIAG_ST_RANGE,
                 "'w': bytes [0,24) of data_offsets are past the end of the file");
    put_archive(&s, "g.safetensors", "{" ENTRY("w", "F32", "[5]", "0", "20") "}", floats, 21);
    assert_fails(&s, "g.webnn", DIAG_ST_TRAILING, "1 bytes after the last tensor");
    put_archive(&s, "g.safetensors", "{\"__metadata__\":{\"a\":1}}", NULL, 0);
    assert_fails(&s, "g.webnn", DIAG_ST_HEADER,
                 "header: __metadata__ value of 'a' must be a string");
    files_free(&s);
}

static void case_52_an_empty_tensor(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    put_text(&s, "g.webnn", WITH_CONST("f32[0]", "w"));
    put_archive(&s, "g.safetensors",
                "{" ENTRY("w", "F32", "[0]", "4", "4") "," ENTRY(
                    "v", "U8", "[4]", "0", "4") "," ENTRY("u", "U8", "[0]", "0", "0") "}",
                floats, 4);
    assert_reads(&s, "g.webnn", 0);
    assert_constant(&s, 0, "", 0);
    files_free(&s);
}

#define MANIFEST(tensors)                                                                               \
    "{\"format\":\"wg-weights-manifest\",\"version\":1,\"endianness\":\"little\",\"tensors\":{" tensors \
    "}}"
#define BLOB(key, type, shape, offset, length)                                          \
    "\"" key "\":{\"dataType\":\"" type "\",\"shape\":" shape ",\"byteOffset\":" offset \
    ",\"byteLength\":" length ",\"layout\":\"row-major\"}"

static void case_53_blobs_with_and_without_head(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    uint8_t headed[32] = "WGWT\1\0\0\0";
    memcpy(headed + 8, floats, 24);
    put_text(&s, "g.webnn", WITH_CONST("f32[6]", "w"));
    temp_write(&s.folder, "g.weights", headed, 32);
    put_text(&s, "g.manifest.json", MANIFEST(BLOB("w", "float32", "[6]", "8", "24")));
    assert_reads(&s, "g.webnn", 0);
    assert_constant(&s, 0, floats, 24);
    put_text(&s, "g.manifest.json", MANIFEST(BLOB("w", "float32", "[6]", "4", "24")));
    assert_fails(&s, "g.webnn", DIAG_ST_RANGE, "'w': bytes [4,28) touch the head of the file");
    temp_write(&s.folder, "g.weights", floats, 24);
    put_text(&s, "g.manifest.json", MANIFEST(BLOB("w", "float32", "[6]", "0", "24")));
    assert_reads(&s, "g.webnn", 0);
    assert_constant(&s, 0, floats, 24);
    headed[4] = 2;
    temp_write(&s.folder, "g.weights", headed, 32);
    assert_fails(&s, "g.webnn", DIAG_WEIGHTS_MANIFEST, "version 2 of the blob isn't supported (1)");
    files_free(&s);
}

static void case_54_four_bits_in_blobs(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    put_text(&s, "g.webnn", WITH_CONST("u4[3]", "w"));
    temp_write(&s.folder, "g.weights", "\x21\xf3\3\0", 4);
    put_text(&s, "manifest.json", MANIFEST(BLOB("w", "uint4", "[3]", "0", "2")));
    assert_reads(&s, "g.webnn", 0);
    assert_constant(&s, 0, "\x21\xf3", 2); /* the last half byte belongs to no element */
    temp_write(&s.folder, "g.weights", "\1\2\3\0", 4);
    put_text(&s, "manifest.json", MANIFEST(BLOB("w", "uint4", "[3]", "0", "3")));
    assert_reads(&s, "g.webnn", 0);
    assert_constant(&s, 0, "\x21\x03", 2);
    put_text(&s, "manifest.json", MANIFEST(BLOB("w", "uint4", "[3]", "0", "4")));
    assert_fails(&s, "g.webnn", DIAG_WEIGHTS_MANIFEST,
                 "'w': byteLength is 4, the declared type needs 2 packed or one byte per element");
    temp_write(&s.folder, "g.weights", "\1\2\20\0", 4);
    put_text(&s, "manifest.json", MANIFEST(BLOB("w", "uint4", "[3]", "0", "3")));
    assert_fails(&s, "g.webnn", DIAG_WEIGHTS_MANIFEST,
                 "'w': element 2 is 16, out of the range of uint4");
    put_text(&s, "g.webnn", WITH_CONST("i4[3]", "w"));
    temp_write(&s.folder, "g.weights", "\xff\x07\xf8\0", 4);
    put_text(&s, "manifest.json", MANIFEST("\"w\":{\"byteOffset\":0,\"byteLength\":3}"));
    assert_reads(&s, "g.webnn", 0);
    assert_constant(&s, 0, "\x7f\x08", 2);
    files_free(&s);
}

/* Law 8, over the blob's one byte per element. */
static void l8_four_bits_are_packed_as_they_were_unpacked(void **state)
{
    (void)state;
    struct files s;
    uint64_t random = 88172645463325252u;
    files_init(&s);
    for (uint32_t count = 2; count < 40; count += 3)
        for (int is_signed = 0; is_signed < 2; is_signed++) {
            uint8_t packed[20], raw[40];
            for (uint32_t i = 0; i < 20; i++) {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                packed[i] = (uint8_t)random;
            }
            for (uint32_t i = 0; i < count; i++)
                raw[i] = is_signed ? (uint8_t)nibble_get_signed(packed, i) : nibble_get(packed, i);
            if (count % 2)
                packed[count / 2] &= 15; /* the law holds but for the last half byte */
            temp_write(&s.folder, "g.weights", raw, count);
            put_text(&s, "g.webnn",
                     arena_printf(&s.f.arena,
                                  "webnn_graph \"g\" v1 {" X_IN
                                  "consts { w: %s[%u]; } nodes { y = relu(x); }" Y_OUT "}",
                                  is_signed ? "i4" : "u4", count));
            put_text(&s, "manifest.json",
                     arena_printf(&s.f.arena,
                                  "{\"tensors\":{\"w\":{\"byteOffset\":0,\"byteLength\":%u}}}",
                                  count));
            assert_reads(&s, "g.webnn", 0);
            assert_constant(&s, 0, packed, (count + 1) / 2);
        }
    files_free(&s);
}

static void manifests_must_agree_with_the_graph(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    put_text(&s, "g.webnn", WITH_CONST("f32[6]", "w"));
    temp_write(&s.folder, "g.weights", floats, 24);
    static const struct {
        const char *manifest, *message;
        enum diag_code code;
    } cases[] = {
        { MANIFEST(BLOB("w", "float16", "[6]", "0", "24")), "'w': declared float32, stored float16",
          DIAG_WEIGHTS_DTYPE },
        { MANIFEST(BLOB("w", "float32", "[2,3]", "0", "24")), "'w': declared [6], stored [2, 3]",
          DIAG_WEIGHTS_SHAPE },
        { MANIFEST(BLOB("w", "float32", "[6]", "0", "20")),
          "'w': byteLength is 20, the declared type needs 24", DIAG_WEIGHTS_MANIFEST },
        { MANIFEST(BLOB("w", "float32", "[6]", "4", "24")),
          "'w': bytes [4,28) are past the end of the file", DIAG_ST_RANGE },
        { MANIFEST(BLOB("w", "float32", "[6]", "18446744073709551615", "24")), "end beyond 2^64",
          DIAG_ST_RANGE },
        { MANIFEST("\"w\":{\"byteOffset\":0}"), "'w' needs byteLength", DIAG_WEIGHTS_MANIFEST },
        { MANIFEST("\"w\":{\"byteLength\":24}"), "'w' needs byteOffset", DIAG_WEIGHTS_MANIFEST },
        { MANIFEST("\"w\":{\"byteOffset\":0,\"byteLength\":24,\"layout\":\"column\"}"),
          "layout of 'w' is 'column', must be 'row-major'", DIAG_WEIGHTS_MANIFEST },
        { "{\"endianness\":\"big\",\"tensors\":{}}",
          "endianness of the manifest is 'big', must be 'little'", DIAG_WEIGHTS_MANIFEST },
        { "{\"version\":2,\"tensors\":{}}", "version 2 of the manifest isn't supported (1)",
          DIAG_WEIGHTS_MANIFEST },
        { "{}", "the manifest needs 'tensors'", DIAG_WEIGHTS_MANIFEST },
        { "[]", "a manifest must be an object", DIAG_WEIGHTS_MANIFEST },
        { "{", "expected a key or '}', found the end of the text", DIAG_WEIGHTS_MANIFEST },
        { MANIFEST(""), "'w' (constant 'k') isn't in ", DIAG_WEIGHTS_MISSING },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_text(&s, "g.manifest.json", cases[i].manifest);
        assert_fails(&s, "g.webnn", cases[i].code, cases[i].message);
    }
    put_text(
        &s, "g.manifest.json",
        "{\"format\":\"other\",\"tensors\":{\"w\":{\"byteOffset\":0,\"byteLength\":24,\"layout\":null}}}");
    assert_reads(&s, "g.webnn", 1);
    s.f.options.strict = true;
    assert_fails(&s, "g.webnn", DIAG_TEXT_DIALECT, "unknown format 'other' in the manifest");
    files_free(&s);
}

static void two_graphs_share_one_mapping(void **state)
{
    (void)state;
    struct files s;
    struct graph *other;
    files_init(&s);
    put_archive(&s, "model.safetensors", "{" ENTRY("w", "F32", "[6]", "0", "24") "}", floats, 24);
    put_text(&s, "a.webnn", WITH_CONST("f32[6]", "w"));
    put_text(&s, "b.webnn", WITH_CONST("f32[6]", "w"));
    assert_reads(&s, "a.webnn", 0);
    assert_ok(format_read(temp_path(&s.folder, "b.webnn"), NULL, NULL, NULL, &other));
    const struct weight *a = &s.f.graph->weights.items[0], *b = &other->weights.items[0];
    assert_ptr_equal(a->file, b->file);
    assert_ptr_equal(a->file->mapping.data, b->file->mapping.data);
    assert_int_equal(a->offset, b->offset);
    graph_free(other);
    assert_constant(&s, 0, floats, 24);
    files_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_43_the_own_archive_comes_first),
        cmocka_unit_test(case_44_a_blob_needs_a_manifest),
        cmocka_unit_test(no_file_is_looked_for_without_need),
        cmocka_unit_test(everything_that_was_looked_for_is_named),
        cmocka_unit_test(an_explicit_path_and_a_directive_say_where),
        cmocka_unit_test(from_memory_only_an_explicit_path_counts),
        cmocka_unit_test(case_45_a_dotted_reference),
        cmocka_unit_test(case_46_references_under_other_readers_rules),
        cmocka_unit_test(case_47_bfloat16_is_widened),
        cmocka_unit_test(case_48_other_dtypes_do_not_fit),
        cmocka_unit_test(bool_is_uint8_when_it_holds_bits),
        cmocka_unit_test(case_49_four_bits_need_the_marker),
        cmocka_unit_test(case_50_four_bits_low_nibble_first),
        cmocka_unit_test(case_51_broken_archives),
        cmocka_unit_test(case_52_an_empty_tensor),
        cmocka_unit_test(case_53_blobs_with_and_without_head),
        cmocka_unit_test(case_54_four_bits_in_blobs),
        cmocka_unit_test(l8_four_bits_are_packed_as_they_were_unpacked),
        cmocka_unit_test(manifests_must_agree_with_the_graph),
        cmocka_unit_test(two_graphs_share_one_mapping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
