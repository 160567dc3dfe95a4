/* The table of kernels against the standard's tables, scratch memory, and what refuses. */
#include "calls.h"

#include "kernels/workspace.h"

static void every_operator_has_a_kernel_for_every_allowed_dtype(void **state)
{
    for (int kind = 0; kind < WEBNN_OPERATOR_COUNT; kind++) {
        const struct operator_row *row = operator_row((enum webnn_operator)kind);
        dtype_set missing = row->operands[0].dtypes & ~kernel_dtypes((enum webnn_operator)kind);
        if (missing || !kernel_find((enum webnn_operator)kind)) {
            char text[200];
            dtype_set_text(missing, text, sizeof text);
            print_error("%s lacks %s\n", row->name, text);
            fail();
        }
    }
    (void)state;
}

static void dtypes_that_move_are_moved_packed_too(void **state)
{
    static const enum webnn_operator movers[] = { WEBNN_RESHAPE,   WEBNN_CONCAT, WEBNN_IDENTITY,
                                                  WEBNN_TRANSPOSE, WEBNN_SLICE,  WEBNN_SPLIT,
                                                  WEBNN_GATHER,    WEBNN_EXPAND, WEBNN_TILE };
    for (size_t i = 0; i < sizeof movers / sizeof *movers; i++)
        assert_true((kernel_dtypes(movers[i]) & DTYPES_4BIT) == DTYPES_4BIT);
    assert_true((kernel_dtypes(WEBNN_DEQUANTIZE_LINEAR) & DTYPES_4BIT) == DTYPES_4BIT);
    (void)state;
}

static void a_dtype_without_a_kernel_is_refused(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = TENSOR(&k, DTYPE_INT32, DIMS(1), 1), u = TENSOR(&k, DTYPE_UINT8, DIMS(1), 1);
    struct call exp = { WEBNN_EXP, NULL, 1, { &x }, 1, { blank(&k, DTYPE_INT32, DIMS(1)) } };
    struct call neg = { WEBNN_NEG, NULL, 1, { &u }, 1, { blank(&k, DTYPE_UINT8, DIMS(1)) } };
    assert_status(run_with(&exp, NULL, NULL), O2W_UNSUPPORTED);
    assert_status(run_with(&neg, NULL, NULL), O2W_UNSUPPORTED);
    kit_close(&k);
    (void)state;
}

static void the_workspace_grows_to_what_was_asked(void **state)
{
    struct kernel_workspace w = { .allocator = NULL };
    assert_null(workspace_take(&w, 1000));
    assert_null(workspace_take(&w, 24));
    workspace_reset(&w);
    uint8_t *a = workspace_take(&w, 1000), *b = workspace_take(&w, 24);
    assert_non_null(a);
    assert_non_null(b);
    assert_true((uintptr_t)a % 64 == 0 && (uintptr_t)b % 64 == 0 && b >= a + 1000);
    assert_null(workspace_take(&w, 100));
    assert_null(workspace_take(&w, SIZE_MAX));
    workspace_reset(&w);
    assert_non_null(workspace_take(&w, 1000));
    workspace_free(&w);
    (void)state;
}

static void a_kept_workspace_changes_nothing(void **state)
{
    struct kit k;
    kit_open(&k);
    struct kernel_workspace w = { .allocator = NULL };
    struct tensor a = noise(&k, DTYPE_FLOAT16, DIMS(40, 50), -1, 1),
                  b = noise(&k, DTYPE_FLOAT16, DIMS(50, 60), -1, 1);
    struct tensor first = blank(&k, DTYPE_FLOAT16, DIMS(40, 60)),
                  y = blank(&k, DTYPE_FLOAT16, DIMS(40, 60));
    const struct tensor *operands[] = { &a, &b };
    for (int i = 0; i < 3; i++) {
        struct arena scratch;
        arena_init(&scratch, NULL);
        struct kernel_call call = { .kind = WEBNN_MATMUL,
                                    .operands = operands,
                                    .operand_count = 2,
                                    .results = i ? &y : &first,
                                    .result_count = 1,
                                    .pool = k.pool,
                                    .scratch = &scratch,
                                    .workspace = &w };
        assert_ok(kernel_run(&call));
        if (i)
            assert_memory_equal(first.data, y.data, tensor_bytes(&y));
        arena_free(&scratch);
    }
    workspace_free(&w);
    kit_close(&k);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operator_has_a_kernel_for_every_allowed_dtype),
        cmocka_unit_test(dtypes_that_move_are_moved_packed_too),
        cmocka_unit_test(a_dtype_without_a_kernel_is_refused),
        cmocka_unit_test(the_workspace_grows_to_what_was_asked),
        cmocka_unit_test(a_kept_workspace_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
