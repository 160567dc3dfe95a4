/* Elements of feeds: patterns, levels, random ones. Numbers of cases are those of the contract. */
#include "case.h"

#include "validate/feed.h"

#include <math.h>

/* A feed of one dimension with its elements. */
struct made {
    struct feed feed;
    uint8_t bytes[512];
    struct tensor tensor;
};

static void make(struct made *m, const char *name, enum dtype t, int64_t n, enum feed_rule rule,
                 uint64_t seed)
{
    m->feed.name = name;
    m->feed.dtype = t;
    m->feed.rank = 1;
    m->feed.dims[0] = n;
    m->feed.rule = rule;
    assert_ok(feed_measure(&m->feed, NULL));
    assert_true(m->feed.bytes <= sizeof m->bytes);
    memset(m->bytes, 0xee, sizeof m->bytes);
    feed_fill(&m->feed, seed, m->bytes);
    m->tensor = (struct tensor){ .dtype = t, .rank = 1, .dims = { n }, .data = m->bytes };
}

static void expect(const struct made *m, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double found = tensor_get_double(&m->tensor, i);
        if (!(found >= values[i] && found <= values[i]))
            fail_msg("element %zu is %.17g, expected %.17g", i, found, values[i]);
    }
}

static void case_1_generic_float32(void **state)
{
    (void)state;
    struct made m = { 0 };
    make(&m, "x", DTYPE_FLOAT32, 18, FEED_PATTERN, 0);
    const float *x = (const float *)(const void *)m.bytes;
    assert_true(x[0] == -0.5f && x[8] == 0.0f && x[16] == 0.5f && x[17] == -0.5f);
    assert_false(signbit(x[8]));
}

static void case_2_generic_integers(void **state)
{
    (void)state;
    static const enum dtype types[] = { DTYPE_INT64,  DTYPE_UINT8,  DTYPE_INT8,  DTYPE_INT32,
                                        DTYPE_UINT32, DTYPE_UINT64, DTYPE_INT16, DTYPE_UINT16 };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct made m = { 0 };
        make(&m, "x", types[i], 8, FEED_PATTERN, 0);
        expect(&m, VALUES(0, 1, 2, 3, 4, 5, 6, 0));
    }
}

static void case_3_generic_bool(void **state)
{
    (void)state;
    struct made m = { 0 };
    make(&m, "x", DTYPE_BOOL, 3, FEED_PATTERN, 0);
    assert_memory_equal(m.bytes, "\1\0\1", 3);
}

static void case_4_bits_of_small_floats(void **state)
{
    (void)state;
    struct made h = { 0 }, b = { 0 };
    make(&h, "x", DTYPE_FLOAT16, 2, FEED_PATTERN, 0);
    make(&b, "x", DTYPE_BFLOAT16, 1, FEED_PATTERN, 0);
    assert_memory_equal(h.bytes + 2, "\x00\xb7", 2);
    assert_memory_equal(b.bytes, "\x00\xbf", 2);
}

static void case_5_generic_uint4_is_packed(void **state)
{
    (void)state;
    struct made m = { 0 };
    make(&m, "x", DTYPE_UINT4, 3, FEED_PATTERN, 0);
    assert_int_equal(m.feed.bytes, 2);
    assert_memory_equal(m.bytes, "\x10\x02\xee", 3);
}

static void case_6_scalars_and_empty_tensors(void **state)
{
    (void)state;
    struct feed scalar = { .name = "x", .dtype = DTYPE_FLOAT32 };
    struct feed empty = { .name = "x", .dtype = DTYPE_FLOAT32, .rank = 3, .dims = { 2, 0, 3 } };
    float one = 9;
    assert_ok(feed_measure(&scalar, NULL));
    assert_ok(feed_measure(&empty, NULL));
    assert_int_equal(scalar.bytes, 4);
    assert_int_equal(empty.bytes, 0);
    feed_fill(&scalar, 0, &one);
    assert_true(one == -0.5f);
    feed_fill(&empty, 0, NULL);
    feed_fill(&empty, 3, NULL);
}

static void case_7_too_large(void **state)
{
    (void)state;
    struct diags d;
    struct feed f = {
        .name = "x", .dtype = DTYPE_FLOAT32, .rank = 3, .dims = { 2147483647, 2147483647, 8 }
    };
    diags_init(&d, NULL);
    assert_status(feed_measure(&f, &d), O2W_RANGE);
    assert_int_equal(d.first->code, DIAG_FEED_TOO_LARGE);
    f.dims[2] = 0; /* no element: nothing is too large */
    diags_free(&d);
    diags_init(&d, NULL);
    struct feed bytes = { .name = "x",
                          .dtype = DTYPE_FLOAT64,
                          .rank = 2,
                          .dims = { (int64_t)1 << 31, (int64_t)1 << 31 } };
    assert_status(feed_measure(&bytes, &d), O2W_RANGE);
    diags_free(&d);
}

static void case_9_zeros_and_ones(void **state)
{
    (void)state;
    static const enum dtype types[] = { DTYPE_INT64, DTYPE_FLOAT16, DTYPE_UINT4, DTYPE_BFLOAT16 };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct made zeros = { 0 }, ones = { 0 };
        make(&zeros, "token_type_ids", types[i], 4, FEED_ZEROS, 0);
        make(&ones, "attention_mask", types[i], 4, FEED_ONES, 0);
        expect(&zeros, VALUES(0, 0, 0, 0));
        expect(&ones, VALUES(1, 1, 1, 1));
        make(&ones, "attention_mask", types[i], 4, FEED_ONES, 7);
        expect(&ones, VALUES(1, 1, 1, 1));
    }
}

static void levels_spread_over_the_whole_range(void **state)
{
    (void)state;
    assert_int_equal(feed_stride(16), 9);
    assert_int_equal(feed_stride(256), 157);
    assert_int_equal(feed_stride(65536), 40503);
    assert_int_equal(feed_stride(1), 1);
    assert_int_equal(feed_stride(2), 1);
    for (uint64_t levels = 3; levels < 400; levels++) {
        uint64_t p = feed_stride(levels), a = p, b = levels;
        while (b) {
            uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        assert_int_equal(a, 1);
        assert_true(p < 2 * levels);
    }
}

static void scale_aware_elements(void **state)
{
    (void)state;
    static const struct {
        int64_t least, most, zero;
        double scale, values[4];
    } rows[] = {
        { -128, 127, 0, 0.5, { 14.5, -35, 43.5, -6 } },
        { 0, 255, 128, 0.25, { 7.25, -17.5, 21.75, -3 } },
        { -8, 7, 0, 1, { 1, -6, 3, -4 } },
        { -32768, 32767, 0, 1, { 7735, -17298, 23205, -1828 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct made m = { 0 };
        m.feed.grid = (struct feed_grid){ .least = rows[i].least,
                                          .most = rows[i].most,
                                          .count = 1,
                                          .scales = &rows[i].scale,
                                          .zeros = &rows[i].zero };
        make(&m, "x", DTYPE_FLOAT32, 4, FEED_SCALE_AWARE, 0);
        expect(&m, rows[i].values, 4);
    }
}

static void dynamic_elements_make_the_scale_exact(void **state)
{
    (void)state;
    struct made m = { 0 };
    m.feed.grid = (struct feed_grid){ .dynamic = true, .most = 255 };
    make(&m, "x", DTYPE_FLOAT32, 4, FEED_SCALE_AWARE, 0);
    expect(&m, VALUES(-2, 1.984375, 1.359375, -0.1875));
    make(&m, "x", DTYPE_FLOAT32, 4, FEED_SCALE_AWARE, 5);
    expect(&m, VALUES(-2, 1.984375));
}

static void case_21_random_numbers(void **state)
{
    (void)state;
    assert_int_equal(feed_random(1, SPAN("x"), 0), 0x05091a5b3ab97166);
    assert_int_equal(feed_random(1, SPAN("x"), 1), 0x19b9a89174510236);
    assert_int_equal(feed_random(2, SPAN("x"), 0), 0xd55a14d1852c1632);
    assert_int_equal(feed_random(1, SPAN("input_ids"), 0), 0xb902334a24a20a51);
    struct made m = { 0 };
    make(&m, "x", DTYPE_FLOAT32, 2, FEED_PATTERN, 1);
    expect(&m, VALUES(-0.9606597423553467, -0.7990217208862305));
    make(&m, "x", DTYPE_FLOAT32, 1, FEED_PATTERN, 2);
    expect(&m, VALUES(0.666811466217041));
}

static void random_elements_by_rule(void **state)
{
    (void)state;
    struct made m = { 0 };
    uint64_t r = feed_random(3, SPAN("n"), 2);
    m.feed.vocabulary = 1000;
    make(&m, "n", DTYPE_INT64, 3, FEED_IDS, 3);
    assert_int_equal(tensor_get_i64(&m.tensor, 2), r % 1000);
    make(&m, "n", DTYPE_INT64, 3, FEED_ZEROS, 3);
    assert_int_equal(tensor_get_i64(&m.tensor, 2), r % 1000);
    m.feed.vocabulary = 0;
    make(&m, "n", DTYPE_INT64, 3, FEED_ZEROS, 3);
    assert_int_equal(tensor_get_i64(&m.tensor, 2), 0);
    make(&m, "n", DTYPE_INT32, 3, FEED_PATTERN, 3);
    assert_int_equal(tensor_get_i64(&m.tensor, 2), r % 7);
    make(&m, "n", DTYPE_BOOL, 3, FEED_PATTERN, 3);
    assert_int_equal(tensor_get_i64(&m.tensor, 2), r % 2);
    m.feed.pin = -5;
    make(&m, "n", DTYPE_INT8, 3, FEED_PINNED, 3);
    expect(&m, VALUES(-5, -5, -5));
}

static void words_of_reports(void **state)
{
    (void)state;
    char text[FEED_WORD];
    struct feed f = { .rule = FEED_IDS, .vocabulary = 30522 };
    assert_string_equal(feed_word(&f, 0, text), "ids<30522");
    f.rule = FEED_PATTERN;
    assert_string_equal(feed_word(&f, 0, text), "pattern");
    assert_string_equal(feed_word(&f, 1, text), "random");
    f.rule = FEED_SCALE_AWARE;
    assert_string_equal(feed_word(&f, 1, text), "scale-aware");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_1_generic_float32),
        cmocka_unit_test(case_2_generic_integers),
        cmocka_unit_test(case_3_generic_bool),
        cmocka_unit_test(case_4_bits_of_small_floats),
        cmocka_unit_test(case_5_generic_uint4_is_packed),
        cmocka_unit_test(case_6_scalars_and_empty_tensors),
        cmocka_unit_test(case_7_too_large),
        cmocka_unit_test(case_9_zeros_and_ones),
        cmocka_unit_test(levels_spread_over_the_whole_range),
        cmocka_unit_test(scale_aware_elements),
        cmocka_unit_test(dynamic_elements_make_the_scale_exact),
        cmocka_unit_test(case_21_random_numbers),
        cmocka_unit_test(random_elements_by_rule),
        cmocka_unit_test(words_of_reports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
