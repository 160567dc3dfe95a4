/* Archives: reading with every check, writing as the reference library does. */
#include "files.h"

#include "format/safetensors.h"

static struct archive *open_archive(struct files *s, const char *name)
{
    struct archive *a = NULL;
    o2w_status status = archive_open(temp_path(&s->folder, name), NULL, &s->f.diags, &a);
    if (status != O2W_OK)
        print_message("%s", diags_text(&s->f.diags, &s->f.arena));
    assert_ok(status);
    return a;
}

static void refuse(const char *header, const void *data, size_t size, enum diag_code code,
                   const char *message)
{
    struct files s;
    struct archive *a = NULL;
    files_init(&s);
    put_archive(&s, "a.safetensors", header, data, size);
    assert_int_not_equal(archive_open(temp_path(&s.folder, "a.safetensors"), NULL, &s.f.diags, &a),
                         O2W_OK);
    if (s.f.diags.newest->code != code || !strstr(s.f.diags.newest->message, message))
        print_message("%s\n%s", header, diags_text(&s.f.diags, &s.f.arena));
    assert_int_equal(s.f.diags.newest->code, code);
    assert_non_null(strstr(s.f.diags.newest->message, message));
    assert_true(s.f.diags.newest->offset >= 0);
    files_free(&s);
}

static void an_archive_is_read(void **state)
{
    (void)state;
    struct files s;
    struct tensor t;
    files_init(&s);
    put_archive(
        &s, "a.safetensors",
        " {\"__metadata__\":{\"by\":\"x\\\"y\",\"n\":\"\"},\"b\":{\"shape\":[2],\"data_offsets\":[3,7],\"dtype\":\"F16\",\"more\":[1]},"
        "\"a\":{\"dtype\":\"U8\",\"shape\":[3,1],\"data_offsets\":[0,3]}}  \n",
        "\1\2\3\4\5\6\7", 7);
    struct archive *a = open_archive(&s, "a.safetensors");
    assert_int_equal(a->count, 2);
    assert_span(a->entries[0].key, "a");
    assert_span(archive_metadata(a, SPAN("by")), "x\"y");
    assert_non_null(archive_metadata(a, SPAN("n")).data);
    assert_null(archive_metadata(a, SPAN("m")).data);
    assert_null(archive_find(a, SPAN("c")));
    const struct archive_entry *b = archive_find(a, SPAN("b"));
    assert_int_equal(b->dtype, DTYPE_FLOAT16);
    assert_ok(archive_tensor(a, b, &s.f.arena, &s.f.diags, &t));
    assert_int_equal(t.rank, 1);
    assert_int_equal((uintptr_t)t.data % 2, 0); /* it lies at an odd offset */
    assert_memory_equal(t.data, "\4\5\6\7", 4);
    archive_free(a);
    files_free(&s);
}

#define ONE(dtype, shape, begin, end) \
    "{\"w\":{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":[" begin "," end "]}}"

static void every_check_of_the_container(void **state)
{
    (void)state;
    static const uint8_t data[32] = { 0 };
    refuse("", data, 0, DIAG_ST_HEADER, "header: expected a value, found the end of the text");
    refuse("{", data, 0, DIAG_ST_HEADER, "header: expected a key or '}'");
    refuse("[]", data, 0, DIAG_ST_HEADER, "header must be a JSON object");
    refuse("{} x", data, 0, DIAG_ST_HEADER, "header: expected the end of the text, found 'x'");
    refuse("{\"\xff\":1}", data, 0, DIAG_ST_HEADER, "invalid UTF-8 byte 0xff");
    refuse("{\"w\":{},\"w\":{}}", data, 0, DIAG_ST_HEADER, "header: dtype of 'w' is missing");
    refuse(ONE("\"F99\"", "[2]", "0", "8"), data, 8, DIAG_ST_HEADER,
           "header: dtype of 'w' is 'F99', which is unknown");
    refuse(ONE("7", "[2]", "0", "8"), data, 8, DIAG_ST_HEADER,
           "header: dtype of 'w' must be a string");
    refuse(ONE("\"F32\"", "2", "0", "8"), data, 8, DIAG_ST_HEADER,
           "header: shape of 'w' must be an array");
    refuse(ONE("\"F32\"", "[-2]", "0", "8"), data, 8, DIAG_ST_HEADER,
           "header: shape of 'w' must hold integers from 0");
    refuse(ONE("\"F32\"", "[2.0]", "0", "8"), data, 8, DIAG_ST_HEADER,
           "header: shape of 'w' must hold integers from 0");
    refuse(ONE("\"F32\"", "[18446744073709551615]", "0", "8"), data, 8, DIAG_ST_HEADER,
           "shape of 'w' holds a number above 64 bits");
    refuse(ONE("\"F32\"", "[4294967296,4294967296]", "0", "8"), data, 8, DIAG_ST_HEADER,
           "shape of 'w' has no size in bytes");
    refuse(ONE("\"F4\"", "[3]", "0", "2"), data, 2, DIAG_ST_HEADER,
           "shape of 'w' has no size in bytes");
    refuse(ONE("\"F32\"", "[2]", "8", "0"), data, 8, DIAG_ST_RANGE,
           "'w': bytes [8,0) of data_offsets end before they begin");
    refuse(ONE("\"F32\"", "[2]", "0", "1e999"), data, 8, DIAG_ST_HEADER,
           "data_offsets of 'w' must hold integers from 0");
    refuse(ONE("\"F32\"", "[2]", "0", "18446744073709551616"), data, 8, DIAG_ST_HEADER,
           "data_offsets of 'w' holds a number above 64 bits");
    refuse(ONE("\"F32\"", "[2]", "18446744073709551612", "18446744073709551615"), data, 8,
           DIAG_ST_RANGE, "are past the end of the file");
    refuse(ONE("\"F32\"", "[2]", "0", "7"), data, 8, DIAG_ST_RANGE,
           "'w': bytes [0,7) of data_offsets are 7 bytes, dtype F32 of shape [2] needs 8");
    refuse("{\"w\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0]}}", data, 1, DIAG_ST_HEADER,
           "data_offsets of 'w' must hold two numbers");
    refuse("{\"w\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1,2]}}", data, 1,
           DIAG_ST_HEADER, "data_offsets of 'w' must hold two numbers");
    refuse("{\"w\":{\"dtype\":\"U8\",\"shape\":[1]}}", data, 1, DIAG_ST_HEADER,
           "header: data_offsets of 'w' is missing");
    refuse("{\"w\":{\"dtype\":\"U8\",\"data_offsets\":[0,1]}}", data, 1, DIAG_ST_HEADER,
           "header: shape of 'w' is missing");
    refuse("{\"w\":3}", data, 0, DIAG_ST_HEADER, "header: entry of 'w' must be an object");
    refuse("{\"__metadata__\":[]}", data, 0, DIAG_ST_HEADER,
           "value of '__metadata__' must be an object");
    refuse("{}", data, 5, DIAG_ST_TRAILING, "5 bytes after the last tensor");
    refuse(
        "{\"v\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},\"v\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}",
        data, 1, DIAG_ST_HEADER, "key 'v' stands at line 1 already");
}

static void header_lengths(void **state)
{
    (void)state;
    struct files s;
    struct archive *a;
    files_init(&s);
    static const struct {
        const char *bytes, *message;
        size_t size;
    } cases[] = {
        { "", "header length 8 needs so many bytes, the file has 0", 0 },
        { "\2\0\0\0\0\0\0", "header length 8 needs so many bytes, the file has 7", 7 },
        { "\3\0\0\0\0\0\0\0{}", "header length 3 is past the end of the file, bytes left: 2", 10 },
        { "\0\xe1\xf5\5\0\0\0\0",
          "header length 100000000 is past the end of the file, bytes left: 0", 8 },
        { "\1\xe1\xf5\5\0\0\0\0", "header length 100000001 exceeds the limit 100000000", 8 },
        { "\xff\xff\xff\xff\xff\xff\xff\xff",
          "header length 18446744073709551615 exceeds the limit", 8 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        temp_write(&s.folder, "a.safetensors", cases[i].bytes, cases[i].size);
        assert_int_not_equal(
            archive_open(temp_path(&s.folder, "a.safetensors"), NULL, &s.f.diags, &a), O2W_OK);
        assert_int_equal(s.f.diags.newest->code, DIAG_ST_HEADER);
        assert_non_null(strstr(s.f.diags.newest->message, cases[i].message));
    }
    files_free(&s);
}

static void kinds_that_nothing_computes_with(void **state)
{
    (void)state;
    struct files s;
    struct tensor t;
    files_init(&s);
    put_archive(
        &s, "a.safetensors",
        "{\"a\":{\"dtype\":\"F6_E2M3\",\"shape\":[4],\"data_offsets\":[0,3]},\"b\":{\"dtype\":\"F8_E4M3\",\"shape\":[1],\"data_offsets\":[3,4]}}",
        "\1\2\3\4", 4);
    struct archive *a = open_archive(&s, "a.safetensors");
    assert_int_equal(archive_find(a, SPAN("a"))->dtype, DTYPE_COUNT);
    assert_int_equal(archive_find(a, SPAN("b"))->dtype, DTYPE_FLOAT8E4M3FN);
    assert_int_not_equal(archive_tensor(a, archive_find(a, SPAN("a")), &s.f.arena, &s.f.diags, &t),
                         O2W_OK);
    struct weight w = archive_weight(a, archive_find(a, SPAN("a")));
    assert_int_equal(weight_bytes(&w), 3);
    archive_free(a);
    files_free(&s);
}

static struct archive_item item(struct files *s, const char *key, enum dtype t, const int64_t *dims,
                                uint32_t rank, const void *data)
{
    struct archive_item out;
    struct tensor tensor = { .dtype = t, .rank = rank, .data = (void *)(uintptr_t)data };
    for (uint32_t i = 0; i < rank; i++)
        tensor.dims[i] = dims[i];
    assert_ok(archive_item_tensor(span_of(key), &tensor, &s->f.arena, &out));
    return out;
}

/* Law 7: these are the bytes that the reference library writes. */
static void l7_the_bytes_of_the_reference_library(void **state)
{
    (void)state;
    static const char expected[] =
        "\xb0\1\0\0\0\0\0\0{\"__metadata__\":{\"k\":\"v\\\"\"},\"B\":{\"dtype\":\"U64\",\"shape\":[2],\"data_offsets\":[0,16]},"
        "\"\xc3\xa9\\\"\\\\\\n\\u0001\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[16,24]},"
        "\"a\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[24,48]},\"c\":{\"dtype\":\"F16\",\"shape\":[0,4],\"data_offsets\":[48,48]},"
        "\"e\":{\"dtype\":\"I16\",\"shape\":[2],\"data_offsets\":[48,52]},\"b\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[52,55]},"
        "\"d\":{\"dtype\":\"BOOL\",\"shape\":[1],\"data_offsets\":[55,56]}}    "
        "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\5\0\0\0\0\0\0\0\0\0\0\0\0\0\x80?\0\0\0@\0\0@@\0\0\x80@\0\0\xa0@\1\0\2\0\0\1\2\1";
    struct files s;
    uint64_t bytes;
    files_init(&s);
    const float a[] = { 0, 1, 2, 3, 4, 5 };
    const uint64_t b[] = { 1, 2 };
    const int64_t e[] = { 5 };
    const int16_t i16[] = { 1, 2 };
    const struct archive_item items[] = {
        item(&s, "b", DTYPE_UINT8, (const int64_t[]){ 3 }, 1, "\0\1\2"),
        item(&s, "a", DTYPE_FLOAT32, (const int64_t[]){ 2, 3 }, 2, a),
        item(&s, "\xc3\xa9\"\\\n\1", DTYPE_INT64, NULL, 0, e),
        item(&s, "c", DTYPE_FLOAT16, (const int64_t[]){ 0, 4 }, 2, ""),
        item(&s, "B", DTYPE_UINT64, (const int64_t[]){ 2 }, 1, b),
        item(&s, "d", DTYPE_BOOL, (const int64_t[]){ 1 }, 1, "\1"),
        item(&s, "e", DTYPE_INT16, (const int64_t[]){ 2 }, 1, i16),
    };
    const struct archive_text metadata[] = { { SPAN("k"), SPAN("v\"") } };
    assert_ok(archive_write(temp_path(&s.folder, "a.safetensors"), items, 7, metadata, 1, true,
                            NULL, &s.f.diags, &bytes));
    assert_int_equal(bytes, sizeof expected - 1);
    assert_file(temp_path(&s.folder, "a.safetensors"), expected, sizeof expected - 1);
    assert_int_equal(temp_count(&s.folder), 1);
    struct archive *again = open_archive(&s, "a.safetensors");
    assert_int_equal(again->count, 7);
    archive_free(again);
    files_free(&s);
}

static void four_bit_tensors_are_bytes(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    struct archive_item i = item(&s, "q", DTYPE_INT4, (const int64_t[]){ 3 }, 1, "\x21\x03");
    assert_span(i.dtype_name, "U8");
    assert_int_equal(i.rank, 1);
    assert_int_equal(i.dims[0], 2);
    struct tensor t = { .dtype = DTYPE_STRING };
    assert_status(archive_item_tensor(SPAN("s"), &t, &s.f.arena, &i), O2W_UNSUPPORTED);
    files_free(&s);
}

static void keys_are_distinct(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    const struct archive_item items[] = { item(&s, "k", DTYPE_UINT8, NULL, 0, "\1"),
                                          item(&s, "k", DTYPE_INT8, NULL, 0, "\1") };
    assert_int_not_equal(
        archive_write(temp_path(&s.folder, "a"), items, 2, NULL, 0, false, NULL, &s.f.diags, NULL),
        O2W_OK);
    assert_int_equal(s.f.diags.newest->code, DIAG_ST_HEADER);
    assert_int_equal(temp_count(&s.folder), 0);
    files_free(&s);
}

static void ranges_are_copied_file_to_file(void **state)
{
    (void)state;
    struct files s;
    files_init(&s);
    enum { SIZE = 3 << 20 };
    uint8_t *data = arena_alloc(&s.f.arena, SIZE, 1);
    for (size_t i = 0; i < SIZE; i++)
        data[i] = (uint8_t)(i * 31 + i / 4096);
    const struct archive_item first[] = { item(&s, "w", DTYPE_UINT8, (const int64_t[]){ SIZE }, 1,
                                               data) };
    assert_ok(archive_write(temp_path(&s.folder, "a.safetensors"), first, 1, NULL, 0, false, NULL,
                            &s.f.diags, NULL));
    struct archive *a = open_archive(&s, "a.safetensors");
    struct archive_item second[] = { { SPAN("v"), SPAN("U8"), 1, a->entries[0].dims,
                                       archive_weight(a, &a->entries[0]) } };
    assert_ok(archive_write(temp_path(&s.folder, "b.safetensors"), second, 1, NULL, 0, false, NULL,
                            &s.f.diags, NULL));
    struct archive *b = open_archive(&s, "b.safetensors");
    struct tensor t;
    assert_ok(archive_tensor(b, archive_find(b, SPAN("v")), &s.f.arena, NULL, &t));
    assert_memory_equal(t.data, data, SIZE);
    archive_free(a);
    archive_free(b);
    files_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_archive_is_read),
        cmocka_unit_test(every_check_of_the_container),
        cmocka_unit_test(header_lengths),
        cmocka_unit_test(kinds_that_nothing_computes_with),
        cmocka_unit_test(l7_the_bytes_of_the_reference_library),
        cmocka_unit_test(four_bit_tensors_are_bytes),
        cmocka_unit_test(keys_are_distinct),
        cmocka_unit_test(ranges_are_copied_file_to_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
