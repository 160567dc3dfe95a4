#include "support/test.h"

#include "base/decimal.h"
#include "base/number.h"
#include "base/text.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_bits(void)
{
    static uint64_t x = 88172645463325252u;
    x ^= x << 13;
    x ^= x >> 7;
    return x ^= x << 17;
}

static double random_double(void)
{
    double value;
    do {
        uint64_t bits = random_bits();
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

static float random_float(void)
{
    float value;
    do {
        uint32_t bits = (uint32_t)random_bits();
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

static void assert_double_text(double value, const char *text)
{
    char found[NUMBER_TEXT];
    assert_int_equal(number_print_double(value, found), strlen(text));
    assert_string_equal(found, text);
}

static void doubles_are_laid_out_as_the_graph_text_has_them(void **state)
{
    (void)state;
    assert_double_text(0.0, "0.0");
    assert_double_text(-0.0, "-0.0");
    assert_double_text(6, "6.0");
    assert_double_text(1e-5, "0.00001");
    assert_double_text(1e-6, "1e-6");
    assert_double_text(9.99e-6, "9.99e-6");
    assert_double_text(1234567890123456.0, "1234567890123456.0");
    assert_double_text(9999999999999998.0, "9999999999999998.0");
    assert_double_text(1e16, "1e+16");
    assert_double_text(1e20, "1e+20");
    assert_double_text(1.5e300, "1.5e+300");
    assert_double_text(-123.456, "-123.456");
    assert_double_text(1e15, "1000000000000000.0");
    assert_double_text(NAN, "NaN");
    assert_double_text((double)INFINITY, "Infinity");
    assert_double_text(-(double)INFINITY, "-Infinity");
}

static void edges_of_the_format_have_their_known_digits(void **state)
{
    (void)state;
    assert_double_text(5e-324, "5e-324");
    assert_double_text(DBL_MIN, "2.2250738585072014e-308");
    assert_double_text(2.225073858507201e-308, "2.225073858507201e-308");
    assert_double_text(DBL_MAX, "1.7976931348623157e+308");
    assert_double_text(1e23, "1e+23");
    assert_double_text(9007199254740993.0, "9007199254740992.0");
    assert_double_text(2e-44, "2e-44");
    assert_double_text(9.5367431640625e-7, "9.5367431640625e-7");
    assert_double_text(8.41e21, "8.41e+21");
    assert_double_text(2.0e-323, "2e-323");
    for (int e = -1074; e <= 1023; e++) {
        double value = ldexp(1, e), back;
        char text[NUMBER_TEXT];
        size_t size = number_print_double(value, text);
        assert_ok(number_parse_double((struct span){ (uint8_t *)text, size }, &back));
        assert_true(back == value);
    }
}

static int digit_count(uint64_t digits)
{
    char text[NUMBER_TEXT];
    return (int)number_print_u64(digits, text);
}

/* No decimal with fewer digits reads back, and none with as many is nearer. */
static void doubles_have_the_fewest_digits(void **state)
{
    (void)state;
    for (int i = 0; i < 100000; i++) {
        double value = fabs(random_double());
        struct decimal d = decimal_of_double(value);
        char text[64];
        int precision = digit_count(d.digits);
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)d.digits, d.exponent);
        assert_true(strtod(text, NULL) == value);
        if (precision > 1) {
            snprintf(text, sizeof text, "%.*e", precision - 2, value);
            assert_true(strtod(text, NULL) != value);
        }
        snprintf(text, sizeof text, "%.*e", precision - 1, value);
        double nearest = strtod(text, NULL);
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)d.digits, d.exponent);
        assert_true(nearest != value || strtod(text, NULL) == nearest);
    }
}

static void floats_have_the_fewest_digits(void **state)
{
    (void)state;
    for (int i = 0; i < 200000; i++) {
        float value = fabsf(random_float());
        struct decimal d = decimal_of_float(value);
        char text[64];
        int precision = digit_count(d.digits);
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)d.digits, d.exponent);
        assert_true(strtof(text, NULL) == value);
        if (precision > 1) {
            snprintf(text, sizeof text, "%.*e", precision - 2, (double)value);
            assert_true(strtof(text, NULL) != value);
        }
    }
}

static void doubles_read_back_bit_for_bit(void **state)
{
    (void)state;
    for (int i = 0; i < 500000; i++) {
        double value = random_double(), back = 0;
        char text[NUMBER_TEXT];
        size_t size = number_print_double(value, text);
        assert_int_equal(size, strlen(text));
        assert_ok(number_parse_double((struct span){ (uint8_t *)text, size }, &back));
        assert_memory_equal(&back, &value, sizeof back);
    }
}

static void floats_read_back_bit_for_bit(void **state)
{
    (void)state;
    for (int i = 0; i < 500000; i++) {
        float value = random_float(), back;
        char text[NUMBER_TEXT];
        number_print_float(value, text);
        back = strtof(text, NULL);
        assert_memory_equal(&back, &value, sizeof back);
    }
}

static void a_float_widens_to_its_shortest_decimal(void **state)
{
    (void)state;
    assert_true(number_widen(0.01f) == 0.01);
    assert_true(number_widen(-1.1f) == -1.1);
    assert_true(number_widen(FLT_MAX) == 3.4028235e38);
    assert_true(number_widen(1e-45f) == 1e-45);
    assert_true(number_widen(16777216.0f) == 16777216.0);
    assert_true(signbit(number_widen(-0.0f)));
    assert_true(isnan(number_widen(NAN)) && isinf(number_widen(INFINITY)));
    for (int i = 0; i < 100000; i++) {
        float value = random_float();
        assert_true((float)number_widen(value) == value);
    }
}

static void parsing_rounds_correctly(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0",
        "-0",
        "1",
        "-1.5",
        "9007199254740993",
        "9007199254740992.9999999999999999999",
        "9007199254740993.00000000000000000000000000000000000001",
        "1e23",
        "123456789012345678901234567890",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "179769313486231570000000000000000000000e270",
        "0.000000000000000000000000000000000000000000000000000001",
        "1e-400",
        "1e-999999999999999999999",
        "0e999999999999999999999",
        "8.5e+1",
        "7E-2",
        "6.02214076e23",
        "0.1",
        "00012.50",
        "5708990770823839207320493820740630171355185152001e-3",
        "1.00000000000000011102230246251565",
        "1.00000000000000011102230246251566",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value = NAN, wanted = strtod(texts[i], NULL);
        assert_ok(number_parse_double(span_of(texts[i]), &value));
        assert_memory_equal(&value, &wanted, sizeof value);
    }
}

/* A tie between two doubles, then the same with a digit far behind it. */
static void digits_far_behind_break_ties(void **state)
{
    (void)state;
    enum { SIZE = 100000 };
    static char text[SIZE];
    double value;
    memset(text, '0', sizeof text);
    memcpy(text, "9007199254740993.", 17);
    assert_ok(number_parse_double((struct span){ (uint8_t *)text, SIZE }, &value));
    assert_true(value == 9007199254740992.0);
    text[SIZE - 1] = '1';
    assert_ok(number_parse_double((struct span){ (uint8_t *)text, SIZE }, &value));
    assert_true(value == 9007199254740994.0);
    text[0] = '0';
    memset(text + 1, '0', SIZE - 1);
    text[1] = '.';
    text[SIZE - 1] = '7';
    assert_ok(number_parse_double((struct span){ (uint8_t *)text, SIZE }, &value));
    assert_true(value == 0);
    memset(text, '1', SIZE);
    assert_status(number_parse_double((struct span){ (uint8_t *)text, SIZE }, &value), O2W_RANGE);
}

static void a_long_mantissa_and_its_exponent_cancel(void **state)
{
    (void)state;
    char text[2000];
    double value;
    memset(text, '0', sizeof text);
    memcpy(text, "0.", 2);
    memcpy(text + 1500, "15e1501", 8);
    assert_ok(number_parse_double(span_of(text), &value));
    assert_true(value == strtod(text, NULL));
}

static void only_the_grammar_is_a_number(void **state)
{
    (void)state;
    static const char *const texts[] = { "",    "-",    "+1",  ".5", "1.",  "1.e5", "0x10", "1_0",
                                         "inf", "nan",  "NaN", "1e", "1e+", "1 ",   " 1",   "--1",
                                         "1,5", "1e1.", "1f",  "e5", "-.5", "1..2", "1e--1" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value = 7;
        assert_status(number_parse_double(span_of(texts[i]), &value), O2W_FORMAT);
        assert_true(value == 7);
    }
    double value = 7;
    assert_status(number_parse_double(SPAN("1\0"), &value), O2W_FORMAT);
}

static void overflow_is_range(void **state)
{
    (void)state;
    double value = 7;
    assert_status(number_parse_double(SPAN("1e999"), &value), O2W_RANGE);
    assert_status(number_parse_double(SPAN("-1.7976931348623159e308"), &value), O2W_RANGE);
    assert_status(number_parse_double(SPAN("1e99999999999999999999"), &value), O2W_RANGE);
    assert_true(value == 7);
}

static void integers_are_exact_over_their_range(void **state)
{
    (void)state;
    char text[NUMBER_TEXT];
    int64_t i = 7;
    uint64_t u = 7;
    assert_int_equal(number_print_i64(INT64_MIN, text), 20);
    assert_string_equal(text, "-9223372036854775808");
    assert_int_equal(number_print_u64(UINT64_MAX, text), 20);
    assert_string_equal(text, "18446744073709551615");
    assert_int_equal(number_print_i64(0, text), 1);
    assert_ok(number_parse_i64(SPAN("-9223372036854775808"), &i));
    assert_true(i == INT64_MIN);
    assert_ok(number_parse_i64(SPAN("9223372036854775807"), &i));
    assert_true(i == INT64_MAX);
    assert_ok(number_parse_u64(SPAN("018446744073709551615"), &u));
    assert_true(u == UINT64_MAX);
    i = 7;
    u = 7;
    assert_status(number_parse_i64(SPAN("9223372036854775808"), &i), O2W_RANGE);
    assert_status(number_parse_i64(SPAN("-9223372036854775809"), &i), O2W_RANGE);
    assert_status(number_parse_u64(SPAN("18446744073709551616"), &u), O2W_RANGE);
    assert_status(number_parse_u64(SPAN("99999999999999999999999"), &u), O2W_RANGE);
    assert_status(number_parse_u64(SPAN("-1"), &u), O2W_FORMAT);
    assert_status(number_parse_i64(SPAN("+1"), &i), O2W_FORMAT);
    assert_status(number_parse_i64(SPAN("-"), &i), O2W_FORMAT);
    assert_status(number_parse_i64(SPAN(""), &i), O2W_FORMAT);
    assert_status(number_parse_i64(SPAN("1.0"), &i), O2W_FORMAT);
    assert_status(number_parse_i64(SPAN("99999999999999999999999x"), &i), O2W_FORMAT);
    assert_true(i == 7 && u == 7);
}

static void general_format_is_that_of_printf(void **state)
{
    (void)state;
    char text[NUMBER_TEXT];
    number_print_general(1234.5678, 6, text);
    assert_string_equal(text, "1234.57");
    number_print_general(1e-10, 3, text);
    assert_string_equal(text, "1e-10");
    number_print_general(-(double)INFINITY, 3, text);
    assert_string_equal(text, "-Infinity");
    size_t size = number_print_general(1.0 / 3, 1000, text);
    assert_int_equal(size, strlen(text));
}

/* Makes a locale with a decimal comma; false where the machine has none. */
static bool comma_locale(const struct temp_folder *t)
{
    char command[256];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null",
             t->path);
    if (setlocale(LC_ALL, "de_DE.UTF-8"))
        return true;
    if (system(command) != 0)
        return false;
    setenv("LOCPATH", t->path, 1);
    bool made = setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
    unsetenv("LOCPATH");
    return made;
}

static void nothing_follows_the_locale(void **state)
{
    (void)state;
    struct temp_folder t;
    char text[NUMBER_TEXT], comma[8];
    double value = 0;
    temp_folder_create(&t);
    bool made = comma_locale(&t);
    temp_folder_remove(&t);
    if (!made)
        skip();
    snprintf(comma, sizeof comma, "%.1f", 0.5);
    assert_string_equal(comma, "0,5");
    number_print_double(0.5, text);
    assert_string_equal(text, "0.5");
    number_print_general(0.5, 3, text);
    assert_string_equal(text, "0.5");
    assert_ok(number_parse_double(SPAN("123456789012345678901234.5"), &value));
    assert_true(value == 123456789012345678901234.5);
    assert_ok(number_parse_double(SPAN("0.000000000000000000000000000000000001"), &value));
    assert_true(value == 1e-36);
    struct diags d;
    diags_init(&d, NULL);
    diag_error(&d, DIAG_USAGE, "%g", 1.5);
    assert_diag(&d, 0, DIAG_USAGE, "1.5");
    diags_free(&d);
    assert_string_equal(setlocale(LC_ALL, NULL), "de_DE.UTF-8");
    setlocale(LC_ALL, "C");
}

static void utf8_is_decoded_strictly(void **state)
{
    (void)state;
    static const struct {
        struct span text;
        size_t length;
        uint32_t code_point;
    } cases[] = {
        { { (const uint8_t *)"A", 1 }, 1, 0x41 },
        { { (const uint8_t *)"\0", 1 }, 1, 0 },
        { { (const uint8_t *)"\xc2\x80", 2 }, 2, 0x80 },
        { { (const uint8_t *)"\xdf\xbf", 2 }, 2, 0x7ff },
        { { (const uint8_t *)"\xe0\xa0\x80", 3 }, 3, 0x800 },
        { { (const uint8_t *)"\xed\x9f\xbf", 3 }, 3, 0xd7ff },
        { { (const uint8_t *)"\xf0\x90\x80\x80", 4 }, 4, 0x10000 },
        { { (const uint8_t *)"\xf4\x8f\xbf\xbf", 4 }, 4, 0x10ffff },
        { { (const uint8_t *)"\x80", 1 }, 0, 0 },
        { { (const uint8_t *)"\xc0\x80", 2 }, 0, 0 },
        { { (const uint8_t *)"\xc1\xbf", 2 }, 0, 0 },
        { { (const uint8_t *)"\xe0\x9f\xbf", 3 }, 0, 0 },
        { { (const uint8_t *)"\xed\xa0\x80", 3 }, 0, 0 },
        { { (const uint8_t *)"\xf0\x8f\xbf\xbf", 4 }, 0, 0 },
        { { (const uint8_t *)"\xf4\x90\x80\x80", 4 }, 0, 0 },
        { { (const uint8_t *)"\xf5\x80\x80\x80", 4 }, 0, 0 },
        { { (const uint8_t *)"\xff", 1 }, 0, 0 },
        { { (const uint8_t *)"\xc3", 1 }, 0, 0 },
        { { (const uint8_t *)"\xf0\x90\x80", 3 }, 0, 0 },
        { { (const uint8_t *)"\xc3"
                             "A",
            2 },
          0,
          0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t code_point = 0;
        assert_int_equal(utf8_next(cases[i].text, 0, &code_point), cases[i].length);
        assert_int_equal(code_point, cases[i].code_point);
        assert_int_equal(utf8_valid(cases[i].text, NULL), cases[i].length > 0);
    }
}

static void the_first_bad_byte_is_found(void **state)
{
    (void)state;
    char text[64];
    size_t bad;
    for (size_t at = 0; at < 40; at++) {
        memset(text, 'a', sizeof text);
        text[at] = (char)0x80;
        assert_false(utf8_valid((struct span){ (uint8_t *)text, 40 }, &bad));
        assert_int_equal(bad, at);
    }
    assert_true(utf8_valid((struct span){ 0 }, NULL));
}

static void distance_counts_edits_and_swaps(void **state)
{
    (void)state;
    assert_int_equal(text_distance(SPAN("--mdoel"), SPAN("--model")), 1);
    assert_int_equal(text_distance(SPAN("kitten"), SPAN("sitting")), 3);
    assert_int_equal(text_distance(SPAN(""), SPAN("abc")), 3);
    assert_int_equal(text_distance(SPAN("abc"), SPAN("")), 3);
    assert_int_equal(text_distance(SPAN("same"), SPAN("same")), 0);
    assert_int_equal(text_distance(SPAN("ca"), SPAN("abc")), 3);
    char a[1000], b[1000];
    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    assert_int_equal(
        text_distance((struct span){ (uint8_t *)a, 1000 }, (struct span){ (uint8_t *)b, 10 }),
        1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_are_laid_out_as_the_graph_text_has_them),
        cmocka_unit_test(edges_of_the_format_have_their_known_digits),
        cmocka_unit_test(doubles_have_the_fewest_digits),
        cmocka_unit_test(floats_have_the_fewest_digits),
        cmocka_unit_test(doubles_read_back_bit_for_bit),
        cmocka_unit_test(floats_read_back_bit_for_bit),
        cmocka_unit_test(a_float_widens_to_its_shortest_decimal),
        cmocka_unit_test(parsing_rounds_correctly),
        cmocka_unit_test(digits_far_behind_break_ties),
        cmocka_unit_test(a_long_mantissa_and_its_exponent_cancel),
        cmocka_unit_test(only_the_grammar_is_a_number),
        cmocka_unit_test(overflow_is_range),
        cmocka_unit_test(integers_are_exact_over_their_range),
        cmocka_unit_test(general_format_is_that_of_printf),
        cmocka_unit_test(nothing_follows_the_locale),
        cmocka_unit_test(utf8_is_decoded_strictly),
        cmocka_unit_test(the_first_bad_byte_is_found),
        cmocka_unit_test(distance_counts_edits_and_swaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
