#include "support/test.h"

#include "base/json.h"

#include <math.h>
#include <string.h>

static void assert_written(struct json_writer *w, const char *text)
{
    struct span found;
    assert_ok(json_written(w, &found));
    assert_span(found, text);
    json_writer_free(w);
}

static void put_sample(struct json_writer *w)
{
    json_open(w, '{');
    json_key(w, "a");
    json_open(w, '[');
    json_put_i64(w, -1);
    json_put_u64(w, UINT64_MAX);
    json_close(w, ']');
    json_key_span(w, SPAN("b"));
    json_open(w, '{');
    json_close(w, '}');
    json_key(w, "c");
    json_open(w, '[');
    json_close(w, ']');
    json_key(w, "d");
    json_put_bool(w, true);
    json_key(w, "e");
    json_put_text(w, NULL);
    json_key(w, "f");
    json_put_raw(w, SPAN("[1]"));
    json_close(w, '}');
}

static void compact_text_has_no_blanks(void **state)
{
    (void)state;
    struct json_writer w;
    json_writer_init(&w, NULL, 0);
    put_sample(&w);
    assert_written(
        &w, "{\"a\":[-1,18446744073709551615],\"b\":{},\"c\":[],\"d\":true,\"e\":null,\"f\":[1]}");
}

static void indented_text_has_a_line_per_value(void **state)
{
    (void)state;
    struct json_writer w;
    json_writer_init(&w, NULL, 2);
    put_sample(&w);
    assert_written(
        &w, "{\n  \"a\": [\n    -1,\n    18446744073709551615\n  ],\n  \"b\": {},\n  \"c\": [],\n"
            "  \"d\": true,\n  \"e\": null,\n  \"f\": [1]\n}");
}

static void strings_are_escaped_as_little_as_possible(void **state)
{
    (void)state;
    struct json_writer w;
    json_writer_init(&w, NULL, 0);
    json_put_string(&w, SPAN("\"\\/\b\f\n\r\t\x01\x1f\x7f\0\xc3\xa4\xf0\x9f\x98\x80"));
    assert_written(&w,
                   "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\\u0000\xc3\xa4\xf0\x9f\x98\x80\"");
}

static void bytes_that_are_not_utf8_are_replaced(void **state)
{
    (void)state;
    struct json_writer w;
    json_writer_init(&w, NULL, 0);
    json_put_string(&w, SPAN("a\xff"
                             "b\xc3"));
    assert_written(&w, "\"a\xef\xbf\xbd"
                       "b\xef\xbf\xbd\"");
}

static void doubles_are_shortest_and_others_are_strings(void **state)
{
    (void)state;
    struct json_writer w;
    json_writer_init(&w, NULL, 0);
    json_open(&w, '[');
    json_put_double(&w, 0.1);
    json_put_double(&w, 6);
    json_put_double(&w, 1e-6);
    json_put_double(&w, NAN);
    json_put_double(&w, (double)INFINITY);
    json_put_double(&w, -(double)INFINITY);
    json_close(&w, ']');
    assert_written(&w, "[0.1,6.0,1e-6,\"NaN\",\"Infinity\",\"-Infinity\"]");
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    struct json_writer w;
    struct json_reader r;
    struct json_value v;
    struct span text;
    struct arena arena;
    char all[128];
    for (int i = 0; i < 128; i++)
        all[i] = (char)i;
    arena_init(&arena, NULL);
    json_writer_init(&w, NULL, 4);
    json_put_string(&w, (struct span){ (uint8_t *)all, 128 });
    assert_ok(json_written(&w, &text));
    assert_ok(json_begin(&r, text, SPAN("x"), &arena, NULL));
    assert_ok(json_next(&r, &v));
    assert_ok(json_finish(&r));
    assert_int_equal(v.text.size, 128);
    assert_memory_equal(v.text.data, all, 128);
    json_writer_free(&w);
    arena_free(&arena);
}

static o2w_status write_with(const o2w_allocator *allocator, void *user)
{
    (void)user;
    struct json_writer w;
    struct span text;
    json_writer_init(&w, allocator, 1);
    put_sample(&w);
    o2w_status status = json_written(&w, &text);
    json_writer_free(&w);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(sweep_allocations(write_with, NULL) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compact_text_has_no_blanks),
        cmocka_unit_test(indented_text_has_a_line_per_value),
        cmocka_unit_test(strings_are_escaped_as_little_as_possible),
        cmocka_unit_test(bytes_that_are_not_utf8_are_replaced),
        cmocka_unit_test(doubles_are_shortest_and_others_are_strings),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
