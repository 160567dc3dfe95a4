/* Dimension expressions: normal form, division, bounds, comparison. */
#include "support/test.h"
#include "webnn/expr.h"

#include <string.h>

/* past, seq, n: 0…; batch, heads: 1…; a, b: 2…100. */
static struct exprs *make(void)
{
    static const struct {
        const char *name;
        int64_t min, max;
    } names[] = {
        { "past", 0, 4096 }, { "seq", 0, 4096 }, { "n", 0, 1000 }, { "batch", 1, 8 },
        { "heads", 1, 64 },  { "a", 2, 100 },    { "b", 2, 100 },
    };
    struct exprs *x;
    expr_id e;
    assert_int_equal(exprs_create(NULL, &x), O2W_OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(expr_name(x, span_of(names[i].name), names[i].min, names[i].max, NULL, &e),
                         O2W_OK);
    return x;
}

static expr_id parse(struct exprs *x, const char *text)
{
    expr_id e = 0;
    if (expr_parse(x, span_of(text), NULL, &e) != O2W_OK)
        fail_msg("'%s' does not parse", text);
    return e;
}

static void expect_text(struct exprs *x, const char *text, const char *wanted)
{
    struct arena a;
    arena_init(&a, NULL);
    char *found = expr_text(x, parse(x, text), &a);
    if (strcmp(found, wanted) != 0)
        fail_msg("'%s' gives '%s', not '%s'", text, found, wanted);
    arena_free(&a);
}

static void normal_form_prints(void **state)
{
    static const char *const cases[][2] = {
        { "seq + past", "past + seq" },
        { "n*2", "2 * n" },
        { "seq * batch", "seq * batch" },
        { "n + n", "2 * n" },
        { "n - n", "0" },
        { "3 - n", "3 - n" },
        { "-n", "-1 * n" },
        { "-3 * n", "-3 * n" },
        { "n - 3 - seq", "n - seq - 3" },
        { "(past + seq) * (past - seq)", "past * past - seq * seq" },
        { "2 * (n + 1) * batch", "2 * n * batch + 2 * batch" },
        { "-9223372036854775808", "-9223372036854775808" },
        { "9223372036854775807", "9223372036854775807" },
        { "floor(n / seq) + past", "past + floor(n / seq)" },
        { "floor((n + 1) / (2 * seq))", "floor((n + 1) / (2 * seq))" },
        { "floor(2 * n / 3)", "floor(2 * n / 3)" },
        { "mod(seq + past, 7)", "mod(past + seq, 7)" },
        { "min(seq, past)", "min(past, seq)" },
        { "max(5, n)", "max(n, 5)" },
    };
    struct exprs *x = make();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_text(x, cases[i][0], cases[i][1]);
    exprs_free(x);
    (void)state;
}

static void division_simplifies(void **state)
{
    static const char *const cases[][2] = {
        { "floor(2 * n / 2)", "n" },
        { "floor((4 * n + 2) / 2)", "2 * n + 1" },
        { "floor((a * seq + b * a) / a)", "seq + b" },
        { "floor((a * seq + 1) / a)", "seq" },
        { "floor((a * seq - 1) / a)", "seq - 1" },
        { "ceil((a * seq + 1) / a)", "seq + 1" },
        { "floor((batch * seq * 768) / (batch * 12 * 64))", "seq" },
        { "floor((a * heads + a) / (heads + 1))", "a" },
        { "floor(n * seq / n)", "floor(seq * n / n)" },
        { "floor(0 / n)", "floor(0 / n)" },
        { "floor(0 / a)", "0" },
        { "floor(a / (a + 1))", "0" },
        { "floor(batch / 9)", "0" },
        { "floor((batch + 8) / 9)", "1" },
        { "floor((3 * n + 1) / 2)", "n + ceil(n / 2)" },
        { "floor((n - 1) / 2) + 1", "ceil(n / 2)" },
        { "ceil(n / 2)", "ceil(n / 2)" },
        { "floor((ceil(n / 2) + 1) / 2)", "ceil(n / 4)" },
        { "floor(floor(n / 3) / 5)", "floor(n / 15)" },
        { "floor((2 * n + 1) / 4)", "floor(n / 2)" },
        { "floor(-n / 2)", "floor(n / 2) - n" },
        { "floor(n / -2)", "floor(n / 2) - n" },
        { "floor(-n / seq)", "-1 * ceil(n / seq)" },
        { "ceil(-n / seq)", "-1 * floor(n / seq)" },
        { "mod(4 * n + 7, 4)", "3" },
        { "mod(5 * n + 7, 4)", "mod(n + 3, 4)" },
        { "mod(2 * n + 1, 4)", "2 * mod(n, 2) + 1" },
        { "mod(batch, 9)", "batch" },
        { "mod(batch + 9, 9)", "batch" },
        { "mod(a * seq + 1, a)", "1" },
        { "mod(-1, a)", "a - 1" },
        { "mod(n, -4)", "-1 * mod(3 * n, 4)" },
        { "min(batch, 9)", "batch" },
        { "max(batch, 8)", "8" },
        { "max(n + 1, n)", "n + 1" },
        { "min(past + seq, seq)", "seq" },
    };
    struct exprs *x = make();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_text(x, cases[i][0], cases[i][1]);
    exprs_free(x);
    (void)state;
}

static void equal_normal_forms_are_one_id(void **state)
{
    struct exprs *x = make();
    assert_int_equal(parse(x, "(past + seq) * batch"), parse(x, "batch * seq + past * batch"));
    assert_int_equal(parse(x, "floor((n + 2 - 3) / 2) + 1"), parse(x, "ceil(n / 2)"));
    assert_int_equal(parse(x, "-floor(-n / past)"), parse(x, "ceil(n / past)"));
    assert_int_equal(parse(x, "min(n, past)"), parse(x, "min(past, n)"));
    assert_int_not_equal(parse(x, "floor(n / 2)"), parse(x, "ceil(n / 2)"));
    exprs_free(x);
    (void)state;
}

static void exact_quotients_hold_for_size_0(void **state)
{
    struct exprs *x = make();
    expr_id q = 0;
    bool exact = false;
    assert_int_equal(expr_divide(x, parse(x, "n * seq * 768"), parse(x, "12 * n"), &exact, &q),
                     O2W_OK);
    assert_true(exact);
    assert_int_equal(q, parse(x, "64 * seq"));
    assert_int_equal(expr_divide(x, parse(x, "n * seq + 1"), parse(x, "-1 * n"), &exact, &q),
                     O2W_OK);
    assert_false(exact);
    assert_int_equal(expr_divide(x, parse(x, "n"), parse(x, "0"), &exact, &q), O2W_RANGE);
    exprs_free(x);
    (void)state;
}

static void bounds_follow_the_names(void **state)
{
    static const struct {
        const char *text;
        int64_t min, max;
    } cases[] = {
        { "past + seq", 0, 8192 },     { "2 * batch - 1", 1, 15 },
        { "3 - batch", -5, 2 },        { "floor(n / a)", 0, 500 },
        { "ceil(n / a)", 0, 500 },     { "floor((n - 7) / a)", -4, 496 },
        { "mod(n, 7)", 0, 6 },         { "mod(n, a)", 0, 99 },
        { "min(n, a)", 0, 100 },       { "max(n, a)", 2, 1000 },
        { "floor(n / seq)", 0, 1000 }, { "floor((n + 1) / (n - 3))", -3, 5 },
    };
    struct exprs *x = make();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t min, max;
        expr_bounds(x, parse(x, cases[i].text), &min, &max);
        if (min != cases[i].min || max != cases[i].max)
            fail_msg("'%s' has bounds %lld, %lld", cases[i].text, (long long)min, (long long)max);
    }
    exprs_free(x);
    (void)state;
}

static void bounds_saturate_and_stay_sound(void **state)
{
    struct exprs *x;
    expr_id a, b, c, e;
    int64_t min, max, big = INT32_MAX;
    assert_int_equal(exprs_create(NULL, &x), O2W_OK);
    assert_int_equal(expr_name(x, SPAN("a"), big, big, NULL, &a), O2W_OK);
    assert_int_equal(expr_name(x, SPAN("b"), 0, big, NULL, &b), O2W_OK);
    c = parse(x, "a * a * a - b * b * b");
    expr_bounds(x, c, &min, &max);
    assert_true(min == INT64_MIN && max == INT64_MAX);
    assert_int_equal(expr_compare(x, parse(x, "a * a * a"), parse(x, "b * b * b")), EXPR_UNDECIDED);
    assert_int_equal(expr_number(x, INT64_MAX, &e), O2W_OK);
    assert_int_equal(expr_apply(x, EXPR_ADD, e, e, &c), O2W_RANGE);
    assert_int_equal(expr_apply(x, EXPR_MUL, e, parse(x, "2 * b"), &c), O2W_RANGE);
    assert_int_equal(expr_apply(x, EXPR_FLOOR_DIV, a, parse(x, "0"), &c), O2W_RANGE);
    assert_int_equal(expr_apply(x, EXPR_MOD, a, parse(x, "0"), &c), O2W_RANGE);
    exprs_free(x);
    (void)state;
}

static void comparison_goes_by_the_difference(void **state)
{
    struct exprs *x = make();
    assert_int_equal(expr_compare(x, parse(x, "past + seq"), parse(x, "seq + past")), EXPR_EQUAL);
    assert_int_equal(expr_compare(x, parse(x, "n + 1"), parse(x, "n")), EXPR_DIFFERENT);
    assert_int_equal(expr_compare(x, parse(x, "n + batch"), parse(x, "n")), EXPR_DIFFERENT);
    assert_int_equal(expr_compare(x, parse(x, "n"), parse(x, "2000")), EXPR_DIFFERENT);
    assert_int_equal(expr_compare(x, parse(x, "n + past"), parse(x, "n")), EXPR_UNDECIDED);
    assert_int_equal(expr_compare(x, parse(x, "n"), parse(x, "seq")), EXPR_UNDECIDED);
    exprs_free(x);
    (void)state;
}

static void a_name_has_one_pair_of_bounds(void **state)
{
    struct exprs *x = make();
    struct diags d;
    expr_id e;
    diags_init(&d, NULL);
    assert_int_equal(expr_name(x, SPAN("n"), 0, 1000, &d, &e), O2W_OK);
    assert_int_equal(expr_name(x, SPAN("n"), 0, 1001, &d, &e), O2W_FORMAT);
    assert_string_equal(d.newest->message, "dimension 'n' has maxima 1000 and 1001");
    assert_int_equal(d.newest->code, DIAG_DYN_MAX);
    assert_int_equal(expr_name(x, SPAN("n"), 1, 1000, &d, &e), O2W_FORMAT);
    diags_free(&d);
    exprs_free(x);
    (void)state;
}

static void long_expressions_are_refused(void **state)
{
    struct exprs *x = make();
    expr_id e = parse(x, "past + seq + n + 1"), base = e;
    o2w_status status = O2W_OK;
    for (int i = 0; i < 40 && status == O2W_OK; i++)
        status = expr_apply(x, EXPR_MUL, e, base, &e);
    assert_int_equal(status, O2W_RANGE);
    status = O2W_OK;
    e = base;
    for (int i = 0; i < 200 && status == O2W_OK; i++) {
        status = expr_apply(x, EXPR_FLOOR_DIV, e, parse(x, "seq"), &e);
        if (status == O2W_OK)
            status = expr_apply(x, EXPR_ADD, e, base, &e);
    }
    assert_int_equal(status, O2W_RANGE);
    exprs_free(x);
    (void)state;
}

static void dims_are_numbers_or_expressions(void **state)
{
    struct exprs *x = make();
    dim n = dim_of_expr_id(parse(x, "n")), d;
    int64_t min, max;
    assert_int_equal(dim_apply(NULL, EXPR_MUL, 3, 4, &d), O2W_OK);
    assert_int_equal(d, 12);
    assert_int_equal(dim_apply(NULL, EXPR_SUB, 3, 4, &d), O2W_RANGE);
    assert_int_equal(dim_apply(x, EXPR_SUB, 3, 4, &d), O2W_OK);
    assert_false(dim_is_static(d));
    dim_bounds(x, d, &min, &max);
    assert_true(min == -1 && max == -1);
    assert_int_equal(dim_apply(x, EXPR_ADD, n, 5, &d), O2W_OK);
    assert_int_equal(dim_apply(x, EXPR_SUB, d, n, &d), O2W_OK);
    assert_int_equal(d, 5);
    assert_int_equal(dim_compare(x, n, n), EXPR_EQUAL);
    assert_int_equal(dim_compare(x, 3, 4), EXPR_DIFFERENT);
    assert_int_equal(dim_compare(x, n, 4), EXPR_UNDECIDED);
    assert_int_equal(dim_compare(x, n, 1001), EXPR_DIFFERENT);
    assert_int_equal(dim_apply(x, EXPR_FLOOR_DIV, n, 0, &d), O2W_RANGE);

    struct arena a;
    arena_init(&a, NULL);
    dim dims[] = { 1, n, dim_of_expr_id(parse(x, "past + seq")) };
    assert_string_equal(dim_list_text(x, dims, 3, &a), "[1, n, past + seq]");
    assert_string_equal(dim_list_text(x, dims, 0, &a), "[]");
    arena_free(&a);
    exprs_free(x);
    (void)state;
}

static void numbers_divide_toward_minus_infinity(void **state)
{
    static const struct {
        enum expr_op op;
        int64_t a, b, wanted;
    } cases[] = {
        { EXPR_FLOOR_DIV, -7, 2, -4 },  { EXPR_FLOOR_DIV, 7, -2, -4 }, { EXPR_CEIL_DIV, -7, 2, -3 },
        { EXPR_CEIL_DIV, 7, 2, 4 },     { EXPR_MOD, -7, 2, 1 },        { EXPR_MOD, 7, -2, -1 },
        { EXPR_MOD, INT64_MIN, -1, 0 }, { EXPR_MIN, -1, 1, -1 },       { EXPR_MAX, -1, 1, 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t v = 99;
        assert_int_equal(expr_apply_numbers(cases[i].op, cases[i].a, cases[i].b, &v), O2W_OK);
        assert_int_equal(v, cases[i].wanted);
    }
    int64_t v;
    assert_int_equal(expr_apply_numbers(EXPR_FLOOR_DIV, INT64_MIN, -1, &v), O2W_RANGE);
    assert_int_equal(expr_apply_numbers(EXPR_CEIL_DIV, 1, 0, &v), O2W_RANGE);
    assert_int_equal(expr_apply_numbers(EXPR_SUB, INT64_MIN, 1, &v), O2W_RANGE);
    (void)state;
}

static void names_inside_are_marked(void **state)
{
    struct exprs *x = make();
    bool used[7] = { 0 };
    expr_mark_names(x, parse(x, "floor((n + 1) / seq) * batch + min(a, past)"), used);
    bool wanted[7] = { true, true, true, true, false, true, false };
    assert_memory_equal(used, wanted, sizeof used);
    exprs_free(x);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_form_prints),
        cmocka_unit_test(division_simplifies),
        cmocka_unit_test(equal_normal_forms_are_one_id),
        cmocka_unit_test(exact_quotients_hold_for_size_0),
        cmocka_unit_test(bounds_follow_the_names),
        cmocka_unit_test(bounds_saturate_and_stay_sound),
        cmocka_unit_test(comparison_goes_by_the_difference),
        cmocka_unit_test(a_name_has_one_pair_of_bounds),
        cmocka_unit_test(long_expressions_are_refused),
        cmocka_unit_test(dims_are_numbers_or_expressions),
        cmocka_unit_test(numbers_divide_toward_minus_infinity),
        cmocka_unit_test(names_inside_are_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
