/* Names as identifiers. */
#include "support/test.h"

#include "format/mangle.h"

#include <string.h>

static void known_names(void **state)
{
    (void)state;
    static const char *const table[][2] = {
        { "input_ids", "input_ids" },
        { "past_key_values.0.key", "past_key_values_0_key" },
        { "onnx::MatMul_17", "onnx__MatMul_17" },
        { "/model/layers.0/Add:0", "_model_layers_0_Add_0" },
        { "3d", "_3d" },
        { "true_mask", "_true_mask" },
        { "falsehood", "_falsehood" },
        { "null", "_null" },
        { "a-b c", "a_b_c" },
        { "gr\xc3\xb6\xc3\237e", "gru00f6_u00df_e" },
        { "\xf0\x9f\x98\x80", "u1f600_" },
        { "\xff", "xff_" },
        { "a\xc3", "axc3_" },
        { "\xed\xa0\x80", "xed_xa0_x80_" },
        { "", "_" },
        { ":", "_" },
        { "$x", "_x" },
        { "a\nb", "a_b" },
    };
    struct arena a;
    arena_init(&a, NULL);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_span(name_mangle(span_of(table[i][0]), &a), table[i][1]);
        assert_true(name_is_safe(name_mangle(span_of(table[i][0]), &a)));
    }
    arena_free(&a);
}

static void the_peer_changes_three_characters(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, NULL);
    assert_span(name_peer(span_of("a::b.c/d:e f\xc3\xb6"), &a), "a__b_c_d_e f\xc3\xb6");
    assert_span(name_peer(span_of("0x"), &a), "_0x");
    assert_span(name_peer(span_of(""), &a), "");
    assert_span(name_normal(span_of("a::b.c/d:e:::f"), &a), "a__b_c/d:e__:f");
    arena_free(&a);
}

static void safe_identifiers(void **state)
{
    (void)state;
    static const char *const safe[] = { "a", "_", "A9_", "tru", "nul1", "inputs", "True", "_true" };
    static const char *const unsafe[] = { "",       "9a",     "a.b",      "a/b",      "$a", "true",
                                          "truely", "false_", "nullable", "\xc3\xb6", "a-" };
    for (size_t i = 0; i < sizeof safe / sizeof safe[0]; i++)
        assert_true(name_is_safe(span_of(safe[i])));
    for (size_t i = 0; i < sizeof unsafe / sizeof unsafe[0]; i++)
        assert_false(name_is_safe(span_of(unsafe[i])));
}

static void long_names_end_in_a_digest(void **state)
{
    (void)state;
    struct arena a;
    char name[400];
    arena_init(&a, NULL);
    memset(name, 'a', sizeof name);
    struct span whole = { (const uint8_t *)name, 255 };
    assert_true(span_equal(name_mangle(whole, &a), whole));
    whole.size = 256;
    struct span cut = name_mangle(whole, &a);
    assert_int_equal(cut.size, 255);
    assert_memory_equal(cut.data, name, 246);
    /* SHA-256 of 256 times 'a' begins with 02d7160d. */
    assert_memory_equal(cut.data + 246, "_02d7160d", 9);
    whole.size = 257;
    assert_false(span_equal(cut, name_mangle(whole, &a)));
    assert_true(name_is_safe(cut));
    arena_free(&a);
}

static void collisions_are_numbered(void **state)
{
    (void)state;
    struct arena a;
    struct name_table t;
    struct span got;
    bool taken;
    arena_init(&a, NULL);
    name_table_init(&t, &a, NULL);
    assert_ok(name_table_claim(&t, SPAN("a_b_2"), &taken));
    assert_true(taken);
    assert_ok(name_table_claim(&t, SPAN("a_b_2"), &taken));
    assert_false(taken);
    assert_ok(name_table_unique(&t, SPAN("a_b"), &got));
    assert_span(got, "a_b");
    assert_ok(name_table_unique(&t, SPAN("a_b"), &got));
    assert_span(got, "a_b_3");
    assert_ok(name_table_unique(&t, SPAN("a_b"), &got));
    assert_span(got, "a_b_4");
    name_table_free(&t);
    arena_free(&a);
}

static void numbered_names_stay_short(void **state)
{
    (void)state;
    struct arena a;
    struct name_table t;
    struct span got, base;
    char name[255];
    arena_init(&a, NULL);
    name_table_init(&t, &a, NULL);
    memset(name, 'n', sizeof name);
    base = (struct span){ (const uint8_t *)name, sizeof name };
    for (int i = 0; i < 12; i++) {
        assert_ok(name_table_unique(&t, base, &got));
        assert_int_equal(got.size, 255);
        assert_true(name_is_safe(got));
    }
    name_table_free(&t);
    arena_free(&a);
}

/* Law 6 over random byte strings. */
static void l6_mangling_is_injective_and_idempotent(void **state)
{
    (void)state;
    static const char alphabet[] = "ab_2./: \xc3\xb6\xff\x01truefalsn";
    struct arena a;
    struct name_table t;
    uint64_t random = 88172645463325252u;
    arena_init(&a, NULL);
    name_table_init(&t, &a, NULL);
    for (int i = 0; i < 20000; i++) {
        uint8_t name[8];
        struct span got;
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        size_t size = random % 7;
        for (size_t j = 0; j < size; j++)
            name[j] = (uint8_t)alphabet[(random >> (8 * j + 3)) % (sizeof alphabet - 1)];
        struct span base = name_mangle((struct span){ name, size }, &a);
        assert_true(name_is_safe(base));
        assert_true(span_equal(base, name_mangle(base, &a)));
        assert_ok(name_table_unique(
            &t, base, &got)); /* never one that was given before: it would not be free */
        assert_true(name_is_safe(got));
    }
    assert_int_equal(t.taken.count, 20000);
    name_table_free(&t);
    arena_free(&a);
}

static void labels_are_cut_between_code_points(void **state)
{
    (void)state;
    uint8_t text[300];
    memset(text, 'x', sizeof text);
    memcpy(text + 254, "\xc3\xb6", 2);
    assert_int_equal(name_cut((struct span){ text, 255 + 1 }).size, 254);
    memcpy(text + 254, "xx", 2);
    assert_int_equal(name_cut((struct span){ text, 300 }).size, 255);
    assert_int_equal(name_cut((struct span){ text, 255 }).size, 255);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_names),
        cmocka_unit_test(the_peer_changes_three_characters),
        cmocka_unit_test(safe_identifiers),
        cmocka_unit_test(long_names_end_in_a_digest),
        cmocka_unit_test(collisions_are_numbered),
        cmocka_unit_test(numbered_names_stay_short),
        cmocka_unit_test(l6_mangling_is_injective_and_idempotent),
        cmocka_unit_test(labels_are_cut_between_code_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
