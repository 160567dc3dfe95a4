/* What a server of files answers: ranges and types. */
#include "cli/serve.h"
#include "support/test.h"

static void check(const char *header, enum range_kind kind, uint64_t begin, uint64_t count)
{
    uint64_t b, n;
    assert_int_equal(range_read(header, 100, &b, &n), kind);
    if (kind != RANGE_OUTSIDE) {
        assert_int_equal(b, begin);
        assert_int_equal(n, count);
    }
}

static void one_range_is_a_part(void **state)
{
    (void)state;
    check("bytes=0-7", RANGE_PART, 0, 8);
    check("bytes=10-", RANGE_PART, 10, 90);
    check("bytes=-10", RANGE_PART, 90, 10);
    check("bytes=-1000", RANGE_PART, 0, 100);
    check("bytes=90-1000", RANGE_PART, 90, 10);
    check("bytes=99-99", RANGE_PART, 99, 1);
}

static void a_range_behind_the_end_is_outside(void **state)
{
    uint64_t b, n;
    (void)state;
    check("bytes=100-", RANGE_OUTSIDE, 0, 0);
    check("bytes=-0", RANGE_OUTSIDE, 0, 0);
    check("bytes=18446744073709551615-", RANGE_OUTSIDE, 0, 0);
    assert_int_equal(range_read("bytes=0-", 0, &b, &n), RANGE_OUTSIDE);
}

static void anything_else_is_the_whole_file(void **state)
{
    static const char *const headers[] = { "",           "bytes",
                                           "bytes=",     "bytes=a-b",
                                           "bytes=7-3",  "bytes=1-2,4-5",
                                           "items=0-7",  "bytes=-",
                                           "bytes=1 -2", "bytes=99999999999999999999999-" };
    (void)state;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        check(headers[i], RANGE_ALL, 0, 100);
    check(NULL, RANGE_ALL, 0, 100);
}

static void types_are_those_that_browsers_insist_on(void **state)
{
    (void)state;
    assert_string_equal(media_type(SPAN("a.mjs")), "text/javascript; charset=utf-8");
    assert_string_equal(media_type(SPAN("a.b/c.html")), "text/html; charset=utf-8");
    assert_string_equal(media_type(SPAN("a.safetensors")), "application/octet-stream");
    assert_string_equal(media_type(SPAN("none")), "application/octet-stream");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_range_is_a_part),
        cmocka_unit_test(a_range_behind_the_end_is_outside),
        cmocka_unit_test(anything_else_is_the_whole_file),
        cmocka_unit_test(types_are_those_that_browsers_insist_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
