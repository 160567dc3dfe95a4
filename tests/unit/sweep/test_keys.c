/* What names the files of a case: the contract's example. */
#include "support/test.h"

#include "sweep/manifest.h"

#define FILE_NAME "Xenova--tiny-random-RoFormerForMultipleChoice/onnx/model.onnx"

static const o2w_dim dims[] = { { "batch_size", 1 },
                                { "num_choices", 2 },
                                { "sequence_length", 16 } };
static const struct manifest_entry gate = {
    .file = FILE_NAME,
    .path = "onnx/model.onnx",
    .revision = "3db6c9837f894f35ff0c26afe547bcbf24c97de0",
    .sha256 = "62128b34993971fcb7ded053c9af6932f2490724247315a112317fe398c97572",
    .dims = dims,
    .dim_count = 3,
};

static void the_gate_entry(void **state)
{
    struct arena a;
    char key[MANIFEST_KEY];
    (void)state;
    arena_init(&a, NULL);
    manifest_key(manifest_identity(&gate, false, &a), key);
    assert_string_equal(key, "1eff753cd474cfde");
    assert_string_equal(manifest_base_name(&gate, key, &a), "model-1eff753cd474cfde-real");
    arena_free(&a);
}

static void folding_is_another_case_with_the_same_archive(void **state)
{
    struct arena a;
    char plain[MANIFEST_KEY], folded[MANIFEST_KEY], source[MANIFEST_KEY], other[MANIFEST_KEY];
    struct manifest_entry pinned = gate;
    (void)state;
    arena_init(&a, NULL);
    manifest_key(manifest_identity(&gate, false, &a), plain);
    manifest_key(manifest_identity(&gate, true, &a), folded);
    assert_string_not_equal(plain, folded);
    pinned.dim_count = 0;
    assert_true(manifest_source_key(&gate, &a, source));
    assert_true(manifest_source_key(&pinned, &a, other));
    assert_string_equal(source, other);
    arena_free(&a);
}

static void odd_stems(void **state)
{
    struct arena a;
    struct manifest_entry e = { .path = "x/my_model.v2\xc3\xa4.onnx" };
    (void)state;
    arena_init(&a, NULL);
    assert_string_equal(manifest_base_name(&e, "k", &a), "my-model-v2---k-real");
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gate_entry),
        cmocka_unit_test(folding_is_another_case_with_the_same_archive), cmocka_unit_test(odd_stems)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
