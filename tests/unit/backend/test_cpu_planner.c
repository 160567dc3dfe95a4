/* Offsets of intermediate results. */
#include "backend/cpu/planner.h"
#include "support/test.h"

static void gaps_are_found_joined_and_cut(void **state)
{
    struct planner p;
    uint64_t a = 1, b = 1, c = 1, d = 1;
    planner_init(&p, NULL);
    assert_true(planner_take(&p, 100, &a) && planner_take(&p, 64, &b) && planner_take(&p, 1, &c));
    assert_int_equal(a, 0);
    assert_int_equal(b, 128);
    assert_int_equal(c, 192);
    assert_true(planner_give(&p, a, 100));
    assert_true(planner_give(&p, c, 1));
    assert_true(planner_take(&p, 60, &d)); /* the smallest gap that fits */
    assert_int_equal(d, 192);
    assert_true(planner_give(&p, b, 64)); /* joins the first: 192 bytes */
    assert_true(planner_take(&p, 192, &a));
    assert_int_equal(a, 0);
    assert_true(planner_take(&p, 1, &b));
    assert_int_equal(b, 256);
    assert_int_equal(p.end, 320);
    planner_free(&p);
    (void)state;
}

static void nothing_overlaps(void **state)
{
    enum { ROUNDS = 5000, LIVE = 40 };
    struct planner p;
    uint64_t offsets[LIVE], sizes[LIVE] = { 0 }, seed = 7;
    planner_init(&p, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t at = (seed >> 33) % LIVE;
        if (sizes[at]) {
            assert_true(planner_give(&p, offsets[at], sizes[at]));
            sizes[at] = 0;
            continue;
        }
        sizes[at] = 1 + (seed >> 40) % 3000;
        assert_true(planner_take(&p, sizes[at], &offsets[at]));
        for (size_t k = 0; k < LIVE; k++)
            if (k != at && sizes[k])
                assert_true(offsets[at] + sizes[at] <= offsets[k] ||
                            offsets[k] + sizes[k] <= offsets[at]);
    }
    for (size_t k = 0; k < LIVE; k++)
        if (sizes[k])
            assert_true(planner_give(&p, offsets[k], sizes[k]));
    assert_int_equal(p.gaps.count, 1); /* all of it is one gap again */
    assert_int_equal(p.gaps.items[0].size, p.end);
    planner_free(&p);
    (void)state;
}

static void sizes_that_overflow_are_refused(void **state)
{
    struct planner p;
    uint64_t a;
    planner_init(&p, NULL);
    assert_false(planner_take(&p, UINT64_MAX, &a));
    assert_true(planner_take(&p, 0, &a));
    assert_true(planner_give(&p, a, 0));
    planner_free(&p);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_are_found_joined_and_cut),
        cmocka_unit_test(nothing_overlaps),
        cmocka_unit_test(sizes_that_overflow_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
