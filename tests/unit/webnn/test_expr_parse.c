/* Dimension expressions as text: grammar, quoting, laws over random expressions, memory. */
#include "support/test.h"
#include "webnn/expr.h"

#include <string.h>

/* ---- deterministic randomness ---- */

static uint64_t seed;

static uint32_t draw(uint32_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

/* ---- names of every kind ---- */

static const struct {
    const char *name;
    int64_t min, max;
} names[] = {
    { "seq", 0, 6 },   { "past len", 0, 5 }, { "it's", 1, 4 },
    { "floor", 0, 3 }, { "3d", 2, 5 },       { "seq + floor", 0, 9 },
    { "größe", 1, 3 }, { "x/y", 0, 7 },      { "7", 0, 4 },
    { "", 1, 2 },
};
enum { NAMES = sizeof names / sizeof *names };

static o2w_status declare(struct exprs *x, bool backwards)
{
    for (size_t i = 0; i < NAMES; i++) {
        size_t k = backwards ? NAMES - 1 - i : i;
        expr_id e;
        TRY(expr_name(x, span_of(names[k].name), names[k].min, names[k].max, NULL, &e));
    }
    return O2W_OK;
}

static struct exprs *make(void)
{
    struct exprs *x;
    assert_int_equal(exprs_create(NULL, &x), O2W_OK);
    assert_int_equal(declare(x, false), O2W_OK);
    return x;
}

static expr_id leaf(struct exprs *x)
{
    expr_id e = 0;
    if (draw(3) == 0)
        assert_int_equal(expr_number(x, (int64_t)draw(12) - 4, &e), O2W_OK);
    else
        assert_true(expr_find_name(x, span_of(names[draw(NAMES)].name), &e));
    return e;
}

static expr_id random_expr(struct exprs *x, int depth)
{
    if (depth == 0)
        return leaf(x);
    expr_id a = random_expr(x, depth - 1), b = draw(2) ? leaf(x) : random_expr(x, depth - 1), e;
    return expr_apply(x, (enum expr_op)draw(8), a, b, &e) == O2W_OK ? e : a;
}

static void random_values(int64_t values[NAMES])
{
    for (size_t i = 0; i < NAMES; i++)
        values[i] = names[i].min + draw((uint32_t)(names[i].max - names[i].min + 1));
}

/* ---- laws ---- */

static void parse_gives_back_what_was_printed(void **state)
{
    struct exprs *x = make();
    seed = 1;
    for (int i = 0; i < 5000; i++) {
        struct arena a;
        arena_init(&a, NULL);
        expr_id e = random_expr(x, 1 + (int)draw(4)), back = 0;
        char *text = expr_text(x, e, &a);
        if (expr_parse(x, span_of(text), NULL, &back) != O2W_OK || back != e)
            fail_msg("'%s' reads as another expression", text);
        arena_free(&a);
    }
    exprs_free(x);
    (void)state;
}

/* Where both operands and the operation are defined, the normal form has the same value. */
static void operations_keep_the_value(void **state)
{
    struct exprs *x = make();
    uint32_t compared = 0;
    seed = 2;
    for (int i = 0; i < 20000; i++) {
        expr_id a = random_expr(x, 1 + (int)draw(3)), b = random_expr(x, (int)draw(3)), e;
        enum expr_op op = (enum expr_op)draw(8);
        if (expr_apply(x, op, a, b, &e) != O2W_OK)
            continue;
        for (int k = 0; k < 4; k++) {
            int64_t values[NAMES], va, vb, wanted, found, min, max;
            random_values(values);
            if (expr_evaluate(x, a, values, &va) != O2W_OK ||
                expr_evaluate(x, b, values, &vb) != O2W_OK ||
                expr_apply_numbers(op, va, vb, &wanted) != O2W_OK)
                continue;
            assert_int_equal(expr_evaluate(x, e, values, &found), O2W_OK);
            assert_int_equal(found, wanted);
            expr_bounds(x, e, &min, &max);
            assert_true(min <= found && found <= max);
            compared++;
        }
    }
    assert_true(compared > 20000);
    exprs_free(x);
    (void)state;
}

static void decided_comparisons_hold(void **state)
{
    struct exprs *x = make();
    uint32_t decided = 0;
    seed = 3;
    for (int i = 0; i < 20000; i++) {
        expr_id a = random_expr(x, 1 + (int)draw(2)), b = random_expr(x, 1 + (int)draw(2));
        int64_t values[NAMES], va, vb;
        random_values(values);
        if (expr_compare(x, a, b) != EXPR_DIFFERENT || expr_evaluate(x, a, values, &va) != O2W_OK ||
            expr_evaluate(x, b, values, &vb) != O2W_OK)
            continue;
        assert_int_not_equal(va, vb);
        decided++;
    }
    assert_true(decided > 1000);
    exprs_free(x);
    (void)state;
}

static void exact_quotients_multiply_back(void **state)
{
    struct exprs *x = make();
    uint32_t found = 0;
    seed = 4;
    for (int i = 0; i < 5000; i++) {
        expr_id a = random_expr(x, 2), b = random_expr(x, 2), product, q, again;
        bool exact = false;
        if (expr_apply(x, EXPR_MUL, a, b, &product) != O2W_OK ||
            expr_divide(x, product, b, &exact, &q) != O2W_OK)
            continue;
        assert_true(exact);
        assert_int_equal(q, a);
        assert_int_equal(expr_apply(x, EXPR_MUL, q, b, &again), O2W_OK);
        assert_int_equal(again, product);
        found++;
    }
    assert_true(found > 3000);
    exprs_free(x);
    (void)state;
}

/* Other expressions made before do not change how one prints. */
static void printing_does_not_depend_on_history(void **state)
{
    struct exprs *x = make();
    seed = 5;
    for (int i = 0; i < 300; i++)
        random_expr(x, 3);
    seed = 6;
    for (int i = 0; i < 300; i++) {
        struct arena a;
        arena_init(&a, NULL);
        char *text = expr_text(x, random_expr(x, 4), &a);
        struct exprs *fresh = make();
        expr_id e = 0;
        assert_int_equal(expr_parse(fresh, span_of(text), NULL, &e), O2W_OK);
        assert_string_equal(expr_text(fresh, e, &a), text);
        exprs_free(fresh);
        arena_free(&a);
    }
    exprs_free(x);
    (void)state;
}

/* ---- grammar ---- */

static void names_are_quoted_where_they_must(void **state)
{
    static const char *const cases[][2] = {
        { "seq", "seq" },
        { "past len", "past len" },
        { "'past len' + 1", "'past len' + 1" },
        { "'past len'+seq", "seq + 'past len'" },
        { "2 * 'it''s'", "2 * 'it''s'" },
        { "floor", "floor" },
        { "'floor' + 1", "'floor' + 1" },
        { "'3d' * größe", "'3d' * größe" },
        { "seq + floor", "seq + floor" },
        { "seq + 'floor'", "seq + 'floor'" },
        { "7", "7" },
        { "(7)", "(7)" },
        { "7 + '7'", "'7' + 7" },
        { "''", "" },
        { "floor('x/y' / 2)", "floor('x/y' / 2)" },
    };
    struct exprs *x = make();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a;
        arena_init(&a, NULL);
        expr_id e = 0;
        assert_int_equal(expr_parse(x, span_of(cases[i][0]), NULL, &e), O2W_OK);
        assert_string_equal(expr_text(x, e, &a), cases[i][1]);
        arena_free(&a);
    }
    exprs_free(x);
    (void)state;
}

static void what_does_not_parse_says_why(void **state)
{
    static const char *const cases[][2] = {
        { "seq +", "dimension 'seq +' doesn't parse: expected a name or number, found its end" },
        { "seq seq",
          "dimension 'seq seq' doesn't parse: expected an operator or the end, found 'seq' at byte 4" },
        { "other", "dimension 'other' isn't declared by an input" },
        { "seq * other", "dimension 'other' isn't declared by an input" },
        { "seq / 2",
          "dimension 'seq / 2' doesn't parse: expected an operator or the end, found '/' at byte 4" },
        { "floor(seq + 1 / 2)",
          "dimension 'floor(seq + 1 / 2)' doesn't parse: expected '/', found '+' at byte 10" },
        { "floor(seq)", "dimension 'floor(seq)' doesn't parse: expected '/', found ')' at byte 9" },
        { "min(seq)", "dimension 'min(seq)' doesn't parse: expected ',', found ')' at byte 7" },
        { "max + 1", "dimension 'max + 1' doesn't parse: expected '(', found '+' at byte 4" },
        { "(seq", "dimension '(seq' doesn't parse: expected ')', found its end" },
        { "'seq",
          "dimension ''seq' doesn't parse: expected a name or number, found ''seq' at byte 0" },
        { "[seq]",
          "dimension '[seq]' doesn't parse: expected a name or number, found '[' at byte 0" },
        { "9223372036854775808",
          "dimension '9223372036854775808' doesn't parse: expected a 64-bit integer, found '9223372036854775808' at byte 0" },
        { "floor(seq / 0)",
          "dimension 'floor(seq / 0)' can't be computed: it divides by 0, overflows or is too long" },
        { "9223372036854775807 + 1",
          "dimension '9223372036854775807 + 1' can't be computed: it divides by 0, overflows or is too long" },
    };
    struct exprs *x = make();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct diags d;
        expr_id e = 12345;
        diags_init(&d, NULL);
        assert_int_equal(expr_parse(x, span_of(cases[i][0]), &d, &e), O2W_FORMAT);
        assert_int_equal(d.count, 1);
        assert_int_equal(d.newest->code, DIAG_DYN_UNKNOWN);
        assert_string_equal(d.newest->message, cases[i][1]);
        assert_int_equal(e, 12345);
        diags_free(&d);
    }
    exprs_free(x);
    (void)state;
}

static void nesting_is_bounded(void **state)
{
    struct exprs *x = make();
    static char text[200001];
    expr_id e;
    for (size_t i = 0; i < 100000; i++)
        text[i] = '(';
    memcpy(text + 100000, "seq", 3);
    memset(text + 100003, ')', sizeof text - 100004);
    assert_int_equal(expr_parse(x, span_of(text), NULL, &e), O2W_FORMAT);
    memset(text, '-', 100000);
    text[100003] = 0;
    assert_int_equal(expr_parse(x, span_of(text), NULL, &e), O2W_FORMAT);
    exprs_free(x);
    (void)state;
}

static void long_sums_take_linear_memory(void **state)
{
    struct exprs *x = make();
    static char text[65001];
    expr_id e, wanted;
    for (size_t i = 0; i + 5 <= 65000; i += 5)
        memcpy(text + i, i ? " +seq" : "  seq", 5);
    assert_int_equal(expr_parse(x, span_of(text), NULL, &e), O2W_OK);
    assert_int_equal(expr_parse(x, SPAN("13000 * seq"), NULL, &wanted), O2W_OK);
    assert_int_equal(e, wanted);
    exprs_free(x);
    (void)state;
}

static void names_that_read_as_formulas(void **state)
{
    struct exprs *x = make();
    bool found = false;
    expr_id e = 0, wanted = 0;
    assert_int_equal(expr_parse_formula(x, SPAN("seq + 'past len'"), &found, &e), O2W_OK);
    assert_true(found);
    assert_int_equal(expr_parse(x, SPAN("'past len' + seq"), NULL, &wanted), O2W_OK);
    assert_int_equal(e, wanted);
    static const char *const none[] = { "seq",   "'seq'", "7",         "3 * 4", "seq + other",
                                        "seq +", "x/y",   "seq - seq", "" };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        found = true;
        assert_int_equal(expr_parse_formula(x, span_of(none[i]), &found, &e), O2W_OK);
        assert_false(found);
    }
    exprs_free(x);
    (void)state;
}

/* ---- memory ---- */

static o2w_status use_everything(const o2w_allocator *allocator, void *user)
{
    (void)user;
    struct exprs *x;
    struct arena a;
    expr_id e;
    bool found;
    TRY(exprs_create(allocator, &x));
    arena_init(&a, allocator);
    o2w_status status = declare(x, true);
    if (status == O2W_OK)
        status = expr_parse(
            x,
            SPAN("floor((seq * größe + 'past len') / größe) * 3 - mod(seq, 5) + ceil(seq / 'x/y')"),
            NULL, &e);
    if (status == O2W_OK)
        status = expr_apply(x, EXPR_MIN, e, 0, &e);
    if (status == O2W_OK)
        status = expr_parse_formula(x, SPAN("seq + 'it''s'"), &found, &e);
    if (status == O2W_OK)
        status = expr_text(x, e, &a) ? O2W_OK : O2W_NO_MEMORY;
    arena_free(&a);
    exprs_free(x);
    return status;
}

static void every_failed_allocation_is_reported(void **state)
{
    assert_true(sweep_allocations(use_everything, NULL) > 20);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parse_gives_back_what_was_printed),
        cmocka_unit_test(operations_keep_the_value),
        cmocka_unit_test(decided_comparisons_hold),
        cmocka_unit_test(exact_quotients_multiply_back),
        cmocka_unit_test(printing_does_not_depend_on_history),
        cmocka_unit_test(names_are_quoted_where_they_must),
        cmocka_unit_test(what_does_not_parse_says_why),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(long_sums_take_linear_memory),
        cmocka_unit_test(names_that_read_as_formulas),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
