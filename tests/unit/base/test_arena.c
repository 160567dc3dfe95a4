#include "support/test.h"

#include "base/checked.h"

#include <string.h>

static void memory_is_zeroed_and_aligned(void **state)
{
    (void)state;
    struct failing_allocator f;
    struct arena a;
    failing_allocator_init(&f, SIZE_MAX);
    arena_init(&a, &f.allocator);
    static const uint8_t zero[3000];
    for (size_t i = 0; i < 500; i++) {
        size_t align = (size_t)1 << (i % 7), size = i * 7 % 3000 + 1;
        uint8_t *p = arena_alloc(&a, size, align);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % align, 0);
        assert_memory_equal(p, zero, size);
        memset(p, 0xff, size);
    }
    arena_free(&a);
    assert_int_equal(f.live_blocks, 0);
}

static void blocks_never_move_or_overlap(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    static const size_t sizes[] = { 1, 8, 100, 4000, 5000, 100000, 3, 700000, 2000000 };
    struct arena a;
    uint8_t *parts[COUNT];
    arena_init(&a, NULL);
    for (size_t i = 0; i < COUNT; i++) {
        size_t size = i < 50 ? sizes[i % 9] : sizes[i % 5];
        parts[i] = arena_alloc(&a, size, 1);
        assert_non_null(parts[i]);
        memset(parts[i], (int)(i & 0xff), size);
    }
    for (size_t i = 0; i < COUNT; i++) {
        size_t size = i < 50 ? sizes[i % 9] : sizes[i % 5];
        assert_int_equal(parts[i][0], i & 0xff);
        assert_int_equal(parts[i][size - 1], i & 0xff);
    }
    arena_free(&a);
}

static void size_zero_gives_an_address(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, NULL);
    void *p = arena_alloc(&a, 0, 64);
    assert_non_null(p);
    assert_int_equal((uintptr_t)p % 64, 0);
    assert_non_null(ARENA_ARRAY(&a, 0, uint64_t));
    arena_free(&a);
}

static void sizes_that_overflow_give_null(void **state)
{
    (void)state;
    struct failing_allocator f;
    struct arena a;
    failing_allocator_init(&f, SIZE_MAX);
    arena_init(&a, &f.allocator);
    assert_null(arena_array(&a, SIZE_MAX / 4, 8, 8));
    assert_null(arena_alloc(&a, SIZE_MAX - 8, 64));
    assert_int_equal(f.calls, 0);
    arena_free(&a);
}

static void a_freed_arena_can_be_used_again(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, NULL);
    assert_non_null(arena_alloc(&a, 10, 1));
    arena_free(&a);
    assert_non_null(arena_alloc(&a, 10, 1));
    arena_free(&a);
    arena_free(&a);
}

static void a_zeroed_arena_uses_malloc(void **state)
{
    (void)state;
    struct arena a = { 0 };
    assert_non_null(arena_alloc(&a, 10, 1));
    arena_free(&a);
}

static void many_small_ones_take_few_blocks(void **state)
{
    (void)state;
    struct failing_allocator f;
    struct arena a;
    failing_allocator_init(&f, SIZE_MAX);
    arena_init(&a, &f.allocator);
    for (size_t i = 0; i < 100000; i++)
        assert_non_null(arena_alloc(&a, 24, 8));
    assert_true(f.calls <= 12);
    arena_free(&a);
}

static void copies_end_with_nul(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, NULL);
    struct span copy = arena_copy(&a, SPAN("ab\0c"));
    assert_int_equal(copy.size, 4);
    assert_memory_equal(copy.data, "ab\0c", 5);
    assert_string_equal(arena_text(&a, SPAN("text")), "text");
    assert_string_equal(arena_text(&a, (struct span){ 0 }), "");
    assert_non_null(arena_copy(&a, (struct span){ 0 }).data);
    arena_free(&a);
}

static void printf_takes_texts_of_any_length(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, NULL);
    assert_string_equal(arena_printf(&a, "%d-%s", 7, "x"), "7-x");
    for (int width = 250; width < 260; width++) {
        char *text = arena_printf(&a, "%*s", width, "end");
        assert_int_equal(strlen(text), width);
        assert_string_equal(text + width - 3, "end");
    }
    arena_free(&a);
}

static void adopt_moves_all_blocks(void **state)
{
    (void)state;
    struct failing_allocator f, g;
    struct arena a, b;
    failing_allocator_init(&f, SIZE_MAX);
    failing_allocator_init(&g, SIZE_MAX);
    arena_init(&a, &f.allocator);
    arena_init(&b, &g.allocator);
    for (int i = 0; i < 5; i++) {
        assert_non_null(arena_alloc(&a, 3000, 1));
        assert_non_null(arena_alloc(&b, 3000, 1));
    }
    char *text = arena_text(&b, SPAN("kept"));
    arena_adopt(&a, &b);
    assert_null(b.last);
    arena_free(&b);
    assert_string_equal(text, "kept");
    assert_non_null(arena_alloc(&a, 3000, 1));
    arena_free(&a);
    assert_int_equal(f.live_blocks, 0);
    assert_int_equal(g.live_blocks, 0);
}

static void adopt_into_an_empty_one(void **state)
{
    (void)state;
    struct arena a, b;
    arena_init(&a, NULL);
    arena_init(&b, NULL);
    arena_adopt(&a, &b);
    char *text = arena_text(&b, SPAN("kept"));
    arena_adopt(&a, &b);
    assert_string_equal(text, "kept");
    arena_free(&a);
    arena_free(&b);
}

static void an_array_in_an_arena_grows(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, NULL);
    o2w_allocator inside = arena_allocator(&a);
    VEC(uint32_t) v = { .allocator = &inside };
    for (uint32_t i = 0; i < 1000; i++)
        assert_true(VEC_PUSH(&v, i));
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(v.items[i], i);
    VEC_FREE(&v);
    arena_free(&a);
}

static void vec_keeps_items_and_frees_by_capacity(void **state)
{
    (void)state;
    struct failing_allocator f;
    failing_allocator_init(&f, SIZE_MAX);
    struct pair {
        int a, b;
    };
    VEC(struct pair) v = { .allocator = &f.allocator };
    for (int i = 0; i < 1000; i++)
        assert_true(VEC_PUSH(&v, (struct pair){ i, -i }));
    assert_int_equal(v.count, 1000);
    assert_int_equal(v.items[500].b, -500);
    assert_int_equal(VEC_LAST(&v).a, 999);
    assert_true(f.calls < 20);
    VEC_FREE(&v);
    assert_int_equal(f.live_blocks, 0);
    assert_null(v.items);
}

static void vec_refuses_sizes_that_overflow(void **state)
{
    (void)state;
    VEC(uint64_t) v = { 0 };
    assert_true(VEC_PUSH(&v, 1));
    assert_false(VEC_RESERVE(&v, SIZE_MAX));
    assert_false(VEC_RESERVE(&v, SIZE_MAX / 4));
    assert_int_equal(v.count, 1);
    assert_int_equal(v.items[0], 1);
    VEC_FREE(&v);
}

static void a_string_grows_by_parts(void **state)
{
    (void)state;
    enum { PARTS = 20000 };
    struct arena a;
    struct arena_string s = { .arena = &a };
    arena_init(&a, NULL);
    assert_string_equal(arena_string_text(&s), "");
    arena_string_add(&s, "%s", "");
    assert_string_equal(arena_string_text(&s), "");
    for (int i = 0; i < PARTS; i++)
        arena_string_add(&s, "%s%05d", i ? ", " : "", i);
    const char *text = arena_string_text(&s);
    assert_int_equal(strlen(text), s.size);
    assert_int_equal(s.size, PARTS * 7 - 2);
    assert_true(s.room <= 4 * s.size);
    assert_memory_equal(text, "00000, 00001, ", 14);
    assert_string_equal(text + s.size - 12, "19998, 19999");
    arena_free(&a);
}

static o2w_status fill(const o2w_allocator *allocator, void *user)
{
    (void)user;
    o2w_status status = O2W_NO_MEMORY;
    struct arena a;
    arena_init(&a, allocator);
    VEC(int) v = { .allocator = allocator };
    if (!arena_alloc(&a, 100, 8) || !arena_alloc(&a, 1 << 20, 8) || !arena_alloc(&a, 4096, 8) ||
        !arena_printf(&a, "%5000d", 1))
        goto out;
    struct arena_string s = { .arena = &a };
    for (int i = 0; i < 100; i++)
        arena_string_add(&s, "%300d", i);
    if (!arena_string_text(&s))
        goto out;
    for (int i = 0; i < 100; i++)
        if (!VEC_PUSH(&v, i))
            goto out;
    status = O2W_OK;
out:
    VEC_FREE(&v);
    arena_free(&a);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(sweep_allocations(fill, NULL) > 5);
}

static void memory_calls_take_null_as_malloc(void **state)
{
    (void)state;
    void *p = mem_alloc(NULL, 10);
    assert_non_null(p);
    p = mem_resize(NULL, p, 10, 1000);
    assert_non_null(p);
    mem_free(NULL, p, 1000);
    mem_free(NULL, NULL, 0);
    assert_null(mem_alloc(NULL, 0));
}

static void checked_sizes_leave_the_result_on_overflow(void **state)
{
    (void)state;
    size_t s = 7;
    int64_t i = 7;
    uint64_t u = 7;
    assert_false(add_size(SIZE_MAX, 1, &s) || mul_size(SIZE_MAX, 2, &s));
    assert_false(add_u64(UINT64_MAX, 1, &u) || mul_u64(UINT64_MAX, 2, &u));
    assert_false(add_i64(INT64_MAX, 1, &i) || sub_i64(INT64_MIN, 1, &i) ||
                 mul_i64(INT64_MIN, -1, &i));
    assert_true(s == 7 && i == 7 && u == 7);
    assert_true(mul_size(SIZE_MAX, 1, &s) && s == SIZE_MAX);
    assert_true(sub_i64(-1, INT64_MAX, &i) && i == INT64_MIN);
}

static void lent_memory_is_used_first(void **state)
{
    struct failing_allocator f;
    struct arena a;
    uint8_t room[256];
    (void)state;
    failing_allocator_init(&f, SIZE_MAX);
    arena_init_over(&a, &f.allocator, room, sizeof room);
    uint8_t *first = arena_alloc(&a, 100, 64);
    assert_in_range((uintptr_t)first, (uintptr_t)room, (uintptr_t)room + 156);
    assert_int_equal((uintptr_t)first % 64, 0);
    assert_int_equal(f.calls, 0);
    assert_non_null(arena_alloc(&a, 200, 8)); /* what does not fit is asked for */
    assert_non_null(arena_alloc(&a, 1 << 20, 8));
    assert_int_equal(f.live_blocks, 2);
    arena_free(&a);
    assert_int_equal(f.live_blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lent_memory_is_used_first),
        cmocka_unit_test(memory_is_zeroed_and_aligned),
        cmocka_unit_test(blocks_never_move_or_overlap),
        cmocka_unit_test(size_zero_gives_an_address),
        cmocka_unit_test(sizes_that_overflow_give_null),
        cmocka_unit_test(a_freed_arena_can_be_used_again),
        cmocka_unit_test(a_zeroed_arena_uses_malloc),
        cmocka_unit_test(many_small_ones_take_few_blocks),
        cmocka_unit_test(copies_end_with_nul),
        cmocka_unit_test(printf_takes_texts_of_any_length),
        cmocka_unit_test(adopt_moves_all_blocks),
        cmocka_unit_test(adopt_into_an_empty_one),
        cmocka_unit_test(an_array_in_an_arena_grows),
        cmocka_unit_test(vec_keeps_items_and_frees_by_capacity),
        cmocka_unit_test(vec_refuses_sizes_that_overflow),
        cmocka_unit_test(a_string_grows_by_parts),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(memory_calls_take_null_as_malloc),
        cmocka_unit_test(checked_sizes_leave_the_result_on_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
