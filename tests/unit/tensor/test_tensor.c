#include "support/test.h"
#include "tensor/tensor.h"

#include <string.h>

static void count_of_dims(void **state)
{
    uint64_t count = 9;
    const dim open[] = { 2, -1 }, big[] = { INT64_MAX, 3 }, big_empty[] = { INT64_MAX, 3, 0 };
    (void)state;
    assert_true(dims_count(NULL, 0, &count) && count == 1);
    assert_true(dims_count((dim[]){ 2, 3, 0 }, 3, &count) && count == 0);
    assert_true(dims_count((dim[]){ 2, 3, 4 }, 3, &count) && count == 24);
    assert_false(dims_count(open, 2, &count));
    assert_false(dims_count(big, 2, &count));
    assert_true(count == 24);
    assert_true(dims_count(big_empty, 3, &count) && count == 0);
}

static void static_dims_are_numbers(void **state)
{
    const dim open[] = { 2, -1 };
    (void)state;
    assert_false(dims_static(open, 2));
    assert_true(dims_static(open, 1));
    assert_true(dims_static(NULL, 0));
    assert_true(dims_equal((dim[]){ 2, 3 }, (dim[]){ 2, 4 }, 1));
    assert_false(dims_equal((dim[]){ 2, 3 }, (dim[]){ 2, 4 }, 2));
}

static void shapes_print(void **state)
{
    char text[32], small[8];
    (void)state;
    dims_text((dim[]){ 1, 3, -5 }, 3, text, sizeof text);
    assert_string_equal(text, "[1, 3, ?]");
    dims_text(NULL, 0, text, sizeof text);
    assert_string_equal(text, "[]");
    dims_text((dim[]){ 1000, 2000, 3000 }, 3, small, sizeof small);
    assert_string_equal(small, "[1000, ");
}

static void new_tensors_are_zero(void **state)
{
    struct arena a;
    struct tensor t;
    (void)state;
    arena_init(&a, NULL);
    assert_ok(tensor_new(&a, DTYPE_INT4, (int64_t[]){ 3, 3 }, 2, &t));
    assert_int_equal(tensor_count(&t), 9);
    assert_int_equal(tensor_bytes(&t), 5);
    assert_memory_equal(t.data, "\0\0\0\0", 5);
    assert_ok(tensor_new(&a, DTYPE_FLOAT32, (int64_t[]){ 0, 3 }, 2, &t));
    assert_int_equal(tensor_bytes(&t), 0);
    arena_free(&a);
}

static void sizes_that_overflow_are_refused(void **state)
{
    struct arena a;
    struct tensor t = { .rank = 7 };
    (void)state;
    arena_init(&a, NULL);
    assert_status(tensor_new(&a, DTYPE_INT64, (int64_t[]){ INT64_MAX }, 1, &t), O2W_RANGE);
    assert_status(tensor_new(&a, DTYPE_INT64, (int64_t[]){ INT64_MAX, 2 }, 2, &t), O2W_RANGE);
    assert_status(tensor_new(&a, DTYPE_INT8, (int64_t[]){ -1 }, 1, &t), O2W_RANGE);
    assert_status(tensor_new(&a, DTYPE_STRING, (int64_t[]){ 1 }, 1, &t), O2W_RANGE);
    assert_int_equal(t.rank, 7);
    arena_free(&a);
}

static void no_memory_is_said(void **state)
{
    struct failing_allocator f;
    struct arena a;
    struct tensor t;
    (void)state;
    failing_allocator_init(&f, 0);
    arena_init(&a, &f.allocator);
    assert_status(tensor_new(&a, DTYPE_INT64, (int64_t[]){ 1 << 20 }, 1, &t), O2W_NO_MEMORY);
    arena_free(&a);
}

static void strides_are_row_major(void **state)
{
    const struct tensor t = { .rank = 3, .dims = { 2, 3, 4 } };
    int64_t strides[MAX_RANK];
    (void)state;
    tensor_strides(&t, strides);
    assert_int_equal(strides[0], 12);
    assert_int_equal(strides[1], 4);
    assert_int_equal(strides[2], 1);
}

static bool broadcasts(const int64_t *a, uint32_t rank_a, const int64_t *b, uint32_t rank_b,
                       const char *want)
{
    int64_t out[MAX_RANK];
    uint32_t rank;
    char text[64];
    if (!broadcast_static(a, rank_a, b, rank_b, out, &rank))
        return false;
    dims_text(out, rank, text, sizeof text);
    assert_string_equal(text, want);
    return true;
}

static void shapes_broadcast_both_ways(void **state)
{
    (void)state;
    assert_true(broadcasts((int64_t[]){ 2, 1 }, 2, (int64_t[]){ 5, 1, 3 }, 3, "[5, 2, 3]"));
    assert_true(broadcasts(NULL, 0, (int64_t[]){ 4 }, 1, "[4]"));
    assert_true(broadcasts((int64_t[]){ 1 }, 1, (int64_t[]){ 0 }, 1, "[0]"));
    assert_true(broadcasts((int64_t[]){ 0 }, 1, (int64_t[]){ 0 }, 1, "[0]"));
    assert_false(broadcasts((int64_t[]){ 2 }, 1, (int64_t[]){ 0 }, 1, ""));
    assert_false(broadcasts((int64_t[]){ 2 }, 1, (int64_t[]){ 3 }, 1, ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(count_of_dims),         cmocka_unit_test(static_dims_are_numbers),
        cmocka_unit_test(shapes_print),          cmocka_unit_test(new_tensors_are_zero),
        cmocka_unit_test(no_memory_is_said),     cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(strides_are_row_major), cmocka_unit_test(shapes_broadcast_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
