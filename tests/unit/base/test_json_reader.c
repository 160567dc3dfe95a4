#include "support/test.h"

#include "base/json.h"
#include "base/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct input {
    struct arena arena;
    struct diags diags;
    struct json_reader reader;
};

static void open_input(struct input *in, struct span text)
{
    arena_init(&in->arena, NULL);
    diags_init(&in->diags, NULL);
    assert_ok(json_begin(&in->reader, text, SPAN("a.json"), &in->arena, &in->diags));
}

static void close_input(struct input *in)
{
    diags_free(&in->diags);
    arena_free(&in->arena);
}

static struct json_value next(struct input *in, enum json_kind kind)
{
    struct json_value v;
    assert_ok(json_next(&in->reader, &v));
    assert_int_equal(v.kind, kind);
    return v;
}

/* Reads everything there is. */
static o2w_status read_all(struct json_reader *r)
{
    struct json_value v;
    TRY(json_next(r, &v));
    TRY(json_skip(r, &v));
    return json_finish(r);
}

static void assert_fails(struct span text, enum diag_code code, int line, int column,
                         const char *message)
{
    struct input in;
    open_input(&in, text);
    assert_int_not_equal(read_all(&in.reader), O2W_OK);
    assert_diag(&in.diags, 0, code, message);
    assert_int_equal(in.diags.count, 1);
    assert_int_equal(in.diags.first->line, line);
    assert_int_equal(in.diags.first->column, column);
    assert_string_equal(in.diags.first->file, "a.json");
    close_input(&in);
}

static void values_come_in_order_with_their_places(void **state)
{
    (void)state;
    struct input in;
    open_input(&in, SPAN("{\"a\": [1, -2.5e3, true,\n  false, null], \"b\": {\"c\": \"x\"}}\n"));
    struct json_value v = next(&in, JSON_OBJECT);
    assert_true(v.line == 1 && v.column == 1);
    v = next(&in, JSON_ARRAY);
    assert_span(v.key, "a");
    assert_true(v.key_line == 1 && v.key_column == 2 && v.line == 1 && v.column == 7);
    v = next(&in, JSON_NUMBER);
    assert_span(v.text, "1");
    assert_int_equal(v.key.size, 0);
    v = next(&in, JSON_NUMBER);
    assert_span(v.text, "-2.5e3");
    assert_true(next(&in, JSON_BOOL).boolean);
    v = next(&in, JSON_BOOL);
    assert_false(v.boolean);
    assert_true(v.line == 2 && v.column == 3);
    next(&in, JSON_NULL);
    v = next(&in, JSON_END);
    assert_true(v.line == 2 && v.column == 14);
    v = next(&in, JSON_OBJECT);
    assert_span(v.key, "b");
    v = next(&in, JSON_STRING);
    assert_span(v.key, "c");
    assert_span(v.text, "x");
    next(&in, JSON_END);
    next(&in, JSON_END);
    assert_ok(json_finish(&in.reader));
    close_input(&in);
}

static void any_value_may_be_the_root(void **state)
{
    (void)state;
    static const char *const texts[] = { "1",  " \"x\" ", "null",           "true",
                                         "[]", "{}",      "\r\n\t [[],{}]", "-0.0e-0" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct input in;
        open_input(&in, span_of(texts[i]));
        assert_ok(read_all(&in.reader));
        close_input(&in);
    }
}

static void strings_are_decoded(void **state)
{
    (void)state;
    static const struct {
        struct span json, text;
    } cases[] = {
        { { (const uint8_t *)"\"\"", 2 }, { (const uint8_t *)"", 0 } },
        { { (const uint8_t *)"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", 18 },
          { (const uint8_t *)"\"\\/\b\f\n\r\t", 8 } },
        { { (const uint8_t *)"\"a\\u0000b\"", 10 }, { (const uint8_t *)"a\0b", 3 } },
        { { (const uint8_t *)"\"\\u00e4\\u20AC\"", 14 },
          { (const uint8_t *)"\xc3\xa4\xe2\x82\xac", 5 } },
        { { (const uint8_t *)"\"\\ud83d\\ude00\"", 14 },
          { (const uint8_t *)"\xf0\x9f\x98\x80", 4 } },
        { { (const uint8_t *)"\"\\ud800\\udc00\\udbff\\udfff\"", 26 },
          { (const uint8_t *)"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 8 } },
        { { (const uint8_t *)"\"\xc3\xa4\x7f\"", 5 }, { (const uint8_t *)"\xc3\xa4\x7f", 3 } },
        { { (const uint8_t *)"\"\\u007f\\u07ff\\uffff\"", 20 },
          { (const uint8_t *)"\x7f\xdf\xbf\xef\xbf\xbf", 6 } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct input in;
        open_input(&in, cases[i].json);
        struct json_value v = next(&in, JSON_STRING);
        assert_true(span_equal(v.text, cases[i].text));
        assert_ok(json_finish(&in.reader));
        close_input(&in);
    }
}

static void texts_stay_valid(void **state)
{
    (void)state;
    struct input in;
    open_input(&in, SPAN("[\"pl\\u0061in\", \"other\", \"thi\\u0072d\"]"));
    next(&in, JSON_ARRAY);
    struct json_value a = next(&in, JSON_STRING), b = next(&in, JSON_STRING),
                      c = next(&in, JSON_STRING);
    assert_span(a.text, "plain");
    assert_span(b.text, "other");
    assert_span(c.text, "third");
    close_input(&in);
}

static void whatever_is_not_json_is_refused_at_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line, column;
        const char *message;
    } cases[] = {
        { "", 1, 1, "expected a value, found the end of the text" },
        { "  \n ", 2, 2, "expected a value, found the end of the text" },
        { "[1,]", 1, 4, "expected a value, found ']'" },
        { "[,1]", 1, 2, "expected a value, found ','" },
        { "[1 2]", 1, 4, "expected ',' or ']', found '2'" },
        { "[1}", 1, 3, "expected ',' or ']', found '}'" },
        { "[1", 1, 3, "expected ',' or ']', found the end of the text" },
        { "{1:2}", 1, 2, "expected a key or '}', found '1'" },
        { "{\"a\" 1}", 1, 6, "expected ':', found '1'" },
        { "{\"a\":1,}", 1, 8, "expected a key, found '}'" },
        { "{\"a\":}", 1, 6, "expected a value, found '}'" },
        { "{\"a\":1 \"b\":2}", 1, 8, "expected ',' or '}', found '\"'" },
        { "{\"a\":1]", 1, 7, "expected ',' or '}', found ']'" },
        { "{a:1}", 1, 2, "expected a key or '}', found 'a'" },
        { "'x'", 1, 1, "expected a value, found '''" },
        { "True", 1, 1, "expected a value, found 'T'" },
        { "truex", 1, 5, "expected the end of the text, found 'x'" },
        { "NaN", 1, 1, "expected a value, found 'N'" },
        { "1 2", 1, 3, "expected the end of the text, found '2'" },
        { "[]]", 1, 3, "expected the end of the text, found ']'" },
        { "01", 1, 1, "a number must not begin with 0" },
        { "-", 1, 2, "expected a digit, found the end of the text" },
        { "+1", 1, 1, "expected a value, found '+'" },
        { ".5", 1, 1, "expected a value, found '.'" },
        { "1.", 1, 3, "expected a digit, found the end of the text" },
        { "[1.]", 1, 4, "expected a digit, found ']'" },
        { "1e", 1, 3, "expected a digit, found the end of the text" },
        { "1e+-1", 1, 4, "expected a digit, found '-'" },
        { "0x10", 1, 2, "expected the end of the text, found 'x'" },
        { "// c\n1", 1, 1, "expected a value, found '/'" },
        { "\xef\xbb\xbf"
          "1",
          1, 1, "expected a value, found '\xef\xbb\xbf'" },
        { "\"abc", 1, 5, "string isn't closed" },
        { "\"abc\\", 1, 6, "string isn't closed" },
        { "[\n \"a\nb\"]", 2, 4, "control byte in a string, expected an escape" },
        { "\"\\x\"", 1, 2, "invalid escape in a string" },
        { "\"ab\\u12\"", 1, 4, "invalid escape in a string" },
        { "\"\\u123g\"", 1, 2, "invalid escape in a string" },
        { "\"\\ud800\"", 1, 2, "invalid escape in a string" },
        { "\"\\ud800\\u0041\"", 1, 2, "invalid escape in a string" },
        { "\"\\ud800\\ud800\"", 1, 2, "invalid escape in a string" },
        { "\"\\udc00\"", 1, 2, "invalid escape in a string" },
        { "\"\\U0041\"", 1, 2, "invalid escape in a string" },
        { "[\"\", \"a\xff\"]", 1, 8, "invalid UTF-8 byte 0xff" },
        { "\"\xed\xa0\x80\"", 1, 2, "invalid UTF-8 byte 0xed" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_fails(span_of(cases[i].text), DIAG_JSON_SYNTAX, cases[i].line, cases[i].column,
                     cases[i].message);
    assert_fails(SPAN("[\0]"), DIAG_JSON_SYNTAX, 1, 2, "expected a value, found byte 0x00");
    assert_fails(SPAN("\"\0\""), DIAG_JSON_SYNTAX, 1, 2,
                 "control byte in a string, expected an escape");
    assert_fails(SPAN("\"\\\0\""), DIAG_JSON_SYNTAX, 1, 2, "invalid escape in a string");
}

static void a_key_stands_once_per_object(void **state)
{
    (void)state;
    assert_fails(SPAN("{\"a\":1,\n\"b\":2,\n\"a\":3}"), DIAG_JSON_DUPLICATE, 3, 1,
                 "key 'a' stands at line 1 already");
    assert_fails(SPAN("{\"a\":1,\"\\u0061\":2}"), DIAG_JSON_DUPLICATE, 1, 8,
                 "key 'a' stands at line 1 already");
    assert_fails(SPAN("{\"\":1,\"\":2}"), DIAG_JSON_DUPLICATE, 1, 7,
                 "key '' stands at line 1 already");
    struct input in;
    open_input(&in, SPAN("[{\"a\":{\"a\":[{\"a\":1},{\"a\":1}]},\"b\":{\"a\":1}},{\"a\":1}]"));
    assert_ok(read_all(&in.reader));
    close_input(&in);
}

static void codes_can_be_those_of_another_format(void **state)
{
    (void)state;
    struct input in;
    open_input(&in, SPAN("{\"a\":1,\"a\":2}"));
    in.reader.duplicate = DIAG_TEXT_DUPLICATE;
    assert_status(read_all(&in.reader), O2W_FORMAT);
    assert_int_equal(in.diags.first->code, DIAG_TEXT_DUPLICATE);
    close_input(&in);
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    char text[200];
    struct input in;
    memset(text, '[', 64);
    memset(text + 64, ']', 64);
    open_input(&in, (struct span){ (uint8_t *)text, 128 });
    assert_ok(read_all(&in.reader));
    close_input(&in);
    memset(text, '[', sizeof text);
    assert_fails((struct span){ (uint8_t *)text, sizeof text }, DIAG_LIMIT, 1, 65,
                 "nesting 65 exceeds the limit 64");
}

static void skip_leaves_the_rest(void **state)
{
    (void)state;
    struct input in;
    open_input(&in, SPAN("{\"a\":[1,{\"x\":[2]},3],\"b\":4,\"c\":{},\"d\":5}"));
    next(&in, JSON_OBJECT);
    struct json_value v = next(&in, JSON_ARRAY);
    next(&in, JSON_NUMBER);
    assert_ok(json_skip(&in.reader, &v));
    v = next(&in, JSON_NUMBER);
    assert_span(v.key, "b");
    assert_ok(json_skip(&in.reader, &v));
    v = next(&in, JSON_OBJECT);
    assert_ok(json_skip(&in.reader, &v));
    v = next(&in, JSON_NUMBER);
    assert_span(v.key, "d");
    next(&in, JSON_END);
    assert_ok(json_finish(&in.reader));
    close_input(&in);
}

static void after_the_root_there_is_nothing(void **state)
{
    (void)state;
    struct input in;
    struct json_value v;
    open_input(&in, SPAN("1"));
    next(&in, JSON_NUMBER);
    assert_status(json_next(&in.reader, &v), O2W_FORMAT);
    close_input(&in);
}

static void integers_are_exact(void **state)
{
    (void)state;
    struct input in;
    int64_t i;
    uint64_t u;
    double x;
    open_input(&in,
               SPAN("[-9223372036854775808, 18446744073709551615, 9007199254740993, -0, 0.1]"));
    next(&in, JSON_ARRAY);
    struct json_value v = next(&in, JSON_NUMBER);
    assert_true(json_is_integer(&v));
    assert_ok(json_i64(&in.reader, &v, &i));
    assert_true(i == INT64_MIN);
    v = next(&in, JSON_NUMBER);
    assert_ok(json_u64(&in.reader, &v, &u));
    assert_true(u == UINT64_MAX);
    v = next(&in, JSON_NUMBER);
    assert_ok(json_i64(&in.reader, &v, &i));
    assert_true(i == 9007199254740993);
    v = next(&in, JSON_NUMBER);
    assert_ok(json_i64(&in.reader, &v, &i));
    assert_ok(json_u64(&in.reader, &v, &u));
    assert_true(i == 0 && u == 0);
    v = next(&in, JSON_NUMBER);
    assert_false(json_is_integer(&v));
    assert_ok(json_double(&in.reader, &v, &x));
    assert_true(x == 0.1);
    close_input(&in);
}

static void another_type_is_told_with_the_key(void **state)
{
    (void)state;
    struct input in;
    struct json_value v;
    int64_t i;
    uint64_t u;
    double x;
    bool b;
    struct span s;
    open_input(
        &in,
        SPAN(
            "{\"n\": \"x\",\n \"i\": 1.5, \"big\": 9223372036854775808, \"minus\": -1, \"e\": 1e999, "
            "\"o\": {}, \"list\": [null, 1e2]}"));
    next(&in, JSON_OBJECT);
    v = next(&in, JSON_STRING);
    assert_status(json_i64(&in.reader, &v, &i), O2W_FORMAT);
    assert_status(json_double(&in.reader, &v, &x), O2W_FORMAT);
    assert_status(json_bool(&in.reader, &v, &b), O2W_FORMAT);
    v = next(&in, JSON_NUMBER);
    assert_status(json_i64(&in.reader, &v, &i), O2W_FORMAT);
    v = next(&in, JSON_NUMBER);
    assert_status(json_i64(&in.reader, &v, &i), O2W_FORMAT);
    v = next(&in, JSON_NUMBER);
    assert_status(json_u64(&in.reader, &v, &u), O2W_FORMAT);
    v = next(&in, JSON_NUMBER);
    assert_status(json_double(&in.reader, &v, &x), O2W_FORMAT);
    v = next(&in, JSON_OBJECT);
    assert_status(json_wrong(&in.reader, &v, "an array"), O2W_FORMAT);
    assert_ok(json_skip(&in.reader, &v));
    next(&in, JSON_ARRAY);
    v = next(&in, JSON_NULL);
    assert_status(json_string(&in.reader, &v, &s), O2W_FORMAT);
    v = next(&in, JSON_NUMBER);
    assert_status(json_i64(&in.reader, &v, &i), O2W_FORMAT);
    static const char *const messages[] = {
        "'n' must be an integer, found a string",
        "'n' must be a number, found a string",
        "'n' must be true or false, found a string",
        "'i' must be an integer, found 1.5",
        "'big' must be an integer from -9223372036854775808 to 9223372036854775807, found 9223372036854775808",
        "'minus' must be an integer from 0 to 18446744073709551615, found -1",
        "'e' must be a number below 1.8e+308, found 1e999",
        "'o' must be an array, found an object",
        "value must be a string, found null",
        "value must be an integer, found 1e2",
    };
    for (size_t k = 0; k < sizeof messages / sizeof *messages; k++)
        assert_diag(&in.diags, k, DIAG_JSON_TYPE, messages[k]);
    assert_true(in.diags.first->line == 1 && in.diags.first->column == 7);
    close_input(&in);
}

/* Many keys, all different: a thousand times as many take about a thousand times as long, and
 * certainly not a million times. */
static void many_keys_take_linear_time(void **state)
{
    (void)state;
    enum { KEYS = 400000 };
    char *text = malloc(KEYS * 16 + 16), *to = text;
    assert_non_null(text);
    *to++ = '{';
    for (int i = 0; i < KEYS; i++)
        to += snprintf(to, 16, "%s\"%d\":%d", i ? "," : "", i, i % 10);
    *to++ = '}';
    struct input in;
    uint64_t before = system_clock_ns();
    open_input(&in, (struct span){ (uint8_t *)text, (size_t)(to - text) });
    assert_ok(read_all(&in.reader));
    close_input(&in);
    assert_true(system_clock_ns() - before < 10000000000u);
    free(text);
}

/* One big object first must not make each of the small ones after it expensive. */
static void small_objects_after_a_big_one_stay_cheap(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    char *text = malloc(MANY * 32 + 16), *to = text;
    assert_non_null(text);
    *to++ = '[';
    *to++ = '{';
    for (int i = 0; i < MANY; i++)
        to += snprintf(to, 16, "%s\"%d\":0", i ? "," : "", i);
    *to++ = '}';
    for (int i = 0; i < MANY; i++)
        to += snprintf(to, 16, ",{\"a\":0}");
    *to++ = ']';
    struct input in;
    uint64_t before = system_clock_ns();
    open_input(&in, (struct span){ (uint8_t *)text, (size_t)(to - text) });
    assert_ok(read_all(&in.reader));
    close_input(&in);
    assert_true(system_clock_ns() - before < 10000000000u);
    free(text);
}

static void objects_reuse_memory(void **state)
{
    (void)state;
    struct failing_allocator f;
    struct arena arena;
    struct json_reader r;
    char *text = malloc(2000000), *to = text;
    assert_non_null(text);
    *to++ = '[';
    for (int i = 0; i < 100000; i++)
        to += snprintf(to, 20, "%s{\"a\":0,\"b\":1}", i ? "," : "");
    *to++ = ']';
    failing_allocator_init(&f, SIZE_MAX);
    arena_init(&arena, &f.allocator);
    assert_ok(json_begin(&r, (struct span){ (uint8_t *)text, (size_t)(to - text) }, SPAN("x"),
                         &arena, NULL));
    assert_ok(read_all(&r));
    assert_true(f.peak_bytes < 32768);
    arena_free(&arena);
    free(text);
}

static o2w_status read_with(const o2w_allocator *allocator, void *user)
{
    (void)user;
    struct arena arena;
    struct json_reader r;
    static char text[40000];
    char *to = text;
    *to++ = '{';
    for (int i = 0; i < 1000; i++)
        to += snprintf(to, 40, "%s\"k\\u0061%d\":\"\\n\"", i ? "," : "", i);
    *to++ = '}';
    arena_init(&arena, allocator);
    o2w_status status = json_begin(&r, (struct span){ (uint8_t *)text, (size_t)(to - text) },
                                   SPAN("x"), &arena, NULL);
    if (status == O2W_OK)
        status = read_all(&r);
    arena_free(&arena);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(sweep_allocations(read_with, NULL) > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_in_order_with_their_places),
        cmocka_unit_test(any_value_may_be_the_root),
        cmocka_unit_test(strings_are_decoded),
        cmocka_unit_test(texts_stay_valid),
        cmocka_unit_test(whatever_is_not_json_is_refused_at_its_place),
        cmocka_unit_test(a_key_stands_once_per_object),
        cmocka_unit_test(codes_can_be_those_of_another_format),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(skip_leaves_the_rest),
        cmocka_unit_test(after_the_root_there_is_nothing),
        cmocka_unit_test(integers_are_exact),
        cmocka_unit_test(another_type_is_told_with_the_key),
        cmocka_unit_test(many_keys_take_linear_time),
        cmocka_unit_test(small_objects_after_a_big_one_stay_cheap),
        cmocka_unit_test(objects_reuse_memory),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
