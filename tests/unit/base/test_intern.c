#include "support/test.h"

#include "base/intern.h"

#include <stdio.h>
#include <string.h>

enum { MANY = 20000 };

static struct span key_of(char text[32], int i)
{
    int size = snprintf(text, 32, "key %d", i);
    return (struct span){ (const uint8_t *)text, (size_t)size };
}

static void a_map_finds_what_was_inserted(void **state)
{
    (void)state;
    static char texts[MANY][32];
    char text[32];
    struct map m;
    map_init(&m, NULL);
    assert_null(map_find(&m, SPAN("x")));
    for (int i = 0; i < MANY; i++) {
        uint32_t *value;
        bool added;
        assert_ok(map_insert(&m, key_of(texts[i], i), (uint32_t)i * 3, &value, &added));
        assert_true(added);
        assert_int_equal(*value, i * 3);
    }
    for (int i = 0; i < MANY; i++)
        assert_int_equal(*map_find(&m, key_of(text, i)), i * 3);
    assert_null(map_find(&m, key_of(text, MANY)));
    map_free(&m);
}

static void inserting_again_keeps_the_value(void **state)
{
    (void)state;
    struct map m;
    uint32_t *value;
    bool added;
    map_init(&m, NULL);
    assert_ok(map_insert(&m, SPAN("a"), 1, NULL, NULL));
    assert_ok(map_insert(&m, SPAN("a"), 2, &value, &added));
    assert_false(added);
    assert_int_equal(*value, 1);
    *value = 9;
    assert_int_equal(*map_find(&m, SPAN("a")), 9);
    map_free(&m);
}

static void order_is_that_of_insertion(void **state)
{
    (void)state;
    static char texts[1000][32];
    struct map m;
    map_init(&m, NULL);
    for (int i = 0; i < 1000; i++)
        assert_ok(map_insert(&m, key_of(texts[i], 1000 - i), (uint32_t)i, NULL, NULL));
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(m.entries[i].value, i);
    map_free(&m);
}

static void keys_are_bytes_of_any_kind(void **state)
{
    (void)state;
    struct map m;
    map_init(&m, NULL);
    assert_ok(map_insert(&m, SPAN(""), 1, NULL, NULL));
    assert_ok(map_insert(&m, SPAN("\0"), 2, NULL, NULL));
    assert_ok(map_insert(&m, SPAN("\0\0"), 3, NULL, NULL));
    assert_ok(map_insert(&m, SPAN("\0\0\0\0\0\0\0\0"), 4, NULL, NULL));
    assert_int_equal(*map_find(&m, (struct span){ 0 }), 1);
    assert_int_equal(*map_find(&m, SPAN("\0")), 2);
    assert_int_equal(*map_find(&m, SPAN("\0\0")), 3);
    assert_int_equal(*map_find(&m, SPAN("\0\0\0\0\0\0\0\0")), 4);
    map_free(&m);
}

static void a_cleared_map_keeps_its_memory(void **state)
{
    (void)state;
    static char texts[1000][32];
    struct failing_allocator f;
    struct map m;
    failing_allocator_init(&f, SIZE_MAX);
    map_init(&m, &f.allocator);
    map_clear(&m);
    for (int round = 0; round < 3; round++) {
        size_t calls = f.calls;
        for (int i = 0; i < 1000; i++)
            assert_ok(map_insert(&m, key_of(texts[i], i), (uint32_t)i, NULL, NULL));
        assert_true(round == 0 || f.calls == calls);
        map_clear(&m);
        assert_int_equal(m.count, 0);
        assert_null(map_find(&m, SPAN("key 1")));
    }
    map_free(&m);
    assert_int_equal(f.live_blocks, 0);
}

static void the_hash_sees_every_byte(void **state)
{
    (void)state;
    uint8_t bytes[40] = { 0 };
    for (size_t size = 0; size <= sizeof bytes; size++) {
        uint64_t before = map_hash((struct span){ bytes, size });
        assert_true(before == map_hash((struct span){ bytes, size }));
        for (size_t i = 0; i < size; i++) {
            bytes[i] ^= 1;
            assert_true(map_hash((struct span){ bytes, size }) != before);
            bytes[i] ^= 1;
        }
        if (size)
            assert_true(map_hash((struct span){ bytes, size - 1 }) != before);
    }
}

static void equal_names_have_equal_ids(void **state)
{
    (void)state;
    struct names n;
    name_id a, b, c, empty;
    char text[] = "conv1";
    assert_ok(names_init(&n, NULL));
    assert_ok(names_add(&n, span_of(text), &a));
    assert_ok(names_add(&n, SPAN("conv2"), &b));
    memset(text, 'x', 5);
    assert_ok(names_add(&n, SPAN("conv1"), &c));
    assert_ok(names_add(&n, SPAN(""), &empty));
    assert_int_equal(a, c);
    assert_int_not_equal(a, b);
    assert_int_equal(empty, 0);
    assert_string_equal((const char *)names_text(&n, a).data, "conv1");
    assert_int_equal(names_text(&n, 0).size, 0);
    assert_int_equal(names_text(&n, 1000).size, 0);
    names_free(&n);
}

static o2w_status fill(const o2w_allocator *allocator, void *user)
{
    (void)user;
    struct names n;
    o2w_status status = names_init(&n, allocator);
    if (status != O2W_OK)
        return status;
    char text[32];
    for (int i = 0; i < 200 && status == O2W_OK; i++) {
        name_id id;
        status = names_add(&n, key_of(text, i), &id);
        if (status == O2W_OK)
            assert_int_equal(id, i + 1);
        else
            assert_int_equal(n.map.count, i + 1);
    }
    for (name_id id = 1; id < n.map.count; id++)
        assert_int_equal(*map_find(&n.map, key_of(text, (int)id - 1)), id);
    names_free(&n);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(sweep_allocations(fill, NULL) > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_finds_what_was_inserted),
        cmocka_unit_test(inserting_again_keeps_the_value),
        cmocka_unit_test(order_is_that_of_insertion),
        cmocka_unit_test(keys_are_bytes_of_any_kind),
        cmocka_unit_test(a_cleared_map_keeps_its_memory),
        cmocka_unit_test(the_hash_sees_every_byte),
        cmocka_unit_test(equal_names_have_equal_ids),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
