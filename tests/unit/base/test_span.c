#include "support/test.h"

static void cut_takes_what_lies_inside(void **state)
{
    (void)state;
    struct span part = { 0 };
    assert_ok(span_cut(SPAN("abcdef"), 2, 3, &part));
    assert_span(part, "cde");
    assert_ok(span_cut(SPAN("abc"), 3, 0, &part));
    assert_int_equal(part.size, 0);
    assert_ok(span_cut((struct span){ 0 }, 0, 0, &part));
}

static void cut_outside_is_range_and_leaves_the_result(void **state)
{
    (void)state;
    struct span part = SPAN("kept");
    assert_status(span_cut(SPAN("abc"), 4, 0, &part), O2W_RANGE);
    assert_status(span_cut(SPAN("abc"), 1, 3, &part), O2W_RANGE);
    assert_status(span_cut(SPAN("abc"), 2, UINT64_MAX, &part), O2W_RANGE);
    assert_status(span_cut(SPAN("abc"), UINT64_MAX, 2, &part), O2W_RANGE);
    assert_span(part, "kept");
}

static void equality_is_by_bytes_and_size(void **state)
{
    (void)state;
    assert_true(span_equal(SPAN("a\0b"), SPAN("a\0b")));
    assert_false(span_equal(SPAN("a\0b"), SPAN("a\0c")));
    assert_false(span_equal(SPAN("ab"), SPAN("a")));
    assert_true(span_equal((struct span){ 0 }, SPAN("")));
    assert_true(span_is(SPAN("x"), "x"));
    assert_false(span_is(SPAN("x\0"), "x"));
    assert_int_equal(span_of(NULL).size, 0);
}

static void starts_and_ends_compare_the_edges(void **state)
{
    (void)state;
    assert_true(span_starts(SPAN("model.onnx"), SPAN("model")));
    assert_false(span_starts(SPAN("mod"), SPAN("model")));
    assert_true(span_ends(SPAN("model.onnx"), SPAN(".onnx")));
    assert_false(span_ends(SPAN("onnx"), SPAN(".onnx")));
    assert_true(span_starts((struct span){ 0 }, (struct span){ 0 }));
    assert_true(span_ends((struct span){ 0 }, (struct span){ 0 }));
}

static void order_is_by_unsigned_bytes_then_size(void **state)
{
    (void)state;
    assert_true(span_compare(SPAN("a"), SPAN("b")) < 0);
    assert_true(span_compare(SPAN("\xff"), SPAN("a")) > 0);
    assert_true(span_compare(SPAN("ab"), SPAN("abc")) < 0);
    assert_int_equal(span_compare(SPAN("abc"), SPAN("abc")), 0);
    assert_int_equal(span_compare((struct span){ 0 }, SPAN("")), 0);
}

static void trim_removes_ascii_blanks_only(void **state)
{
    (void)state;
    assert_span(span_trim(SPAN(" \t\r\n x y \f\v")), "x y");
    assert_span(span_trim(SPAN("   ")), "");
    assert_span(span_trim(SPAN("\xc2\xa0x")), "\xc2\xa0x");
}

static void fnv1a64_is_the_published_function(void **state)
{
    (void)state;
    assert_true(span_fnv1a64(SPAN("")) == 0xcbf29ce484222325u);
    assert_true(span_fnv1a64(SPAN("a")) == 0xaf63dc4c8601ec8cu);
    assert_true(span_fnv1a64(SPAN("/models/my model.v2.onnx")) == 0x71aeed09f35b40ddu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_takes_what_lies_inside),
        cmocka_unit_test(cut_outside_is_range_and_leaves_the_result),
        cmocka_unit_test(equality_is_by_bytes_and_size),
        cmocka_unit_test(starts_and_ends_compare_the_edges),
        cmocka_unit_test(order_is_by_unsigned_bytes_then_size),
        cmocka_unit_test(trim_removes_ascii_blanks_only),
        cmocka_unit_test(fnv1a64_is_the_published_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
