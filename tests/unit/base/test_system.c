#include "support/test.h"

#include "base/sha256_blocks.h"
#include "base/system.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- SHA-256 ---- */

static void assert_sha256(const void *data, size_t size, size_t step, const char *text)
{
    struct sha256 s;
    uint8_t digest[32];
    char hex[65];
    sha256_begin(&s);
    for (size_t i = 0; i < size; i += step)
        sha256_add(&s, (const uint8_t *)data + i, size - i < step ? size - i : step);
    sha256_end(&s, digest);
    hex_print(digest, 32, hex);
    assert_string_equal(hex, text);
}

static void sha256_gives_the_published_digests(void **state)
{
    (void)state;
    static uint8_t million[1000000];
    memset(million, 'a', sizeof million);
    assert_sha256("", 0, 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_sha256("abc", 3, 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, 56,
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    static const size_t steps[] = { 1, 7, 63, 64, 65, 1000, 1000000 };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        assert_sha256(million, sizeof million, steps[i],
                      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void both_ways_to_digest_are_equal(void **state)
{
    (void)state;
    if (!sha256_has_instructions())
        skip();
    uint32_t a[8], b[8];
    uint8_t data[64 * 50];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * i >> 3);
    for (uint32_t i = 0; i < 8; i++)
        a[i] = b[i] = i * 0x9e3779b9u;
    sha256_blocks_portable(a, data, 50);
    sha256_blocks_instructions(b, data, 50);
    assert_memory_equal(a, b, sizeof a);
}

/* ---- threads ---- */

struct sums {
    atomic_size_t calls;
    size_t parts[1000];
};

static void square(void *user, size_t index)
{
    struct sums *s = user;
    atomic_fetch_add(&s->calls, 1);
    s->parts[index] += index * index;
}

static void assert_squares(struct pool *p, size_t count)
{
    struct sums s = { 0 };
    pool_run(p, count, square, &s);
    assert_int_equal(atomic_load(&s.calls), count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(s.parts[i], i * i);
}

static void every_part_runs_once(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct pool *p;
        assert_ok(pool_create(threads, NULL, &p));
        assert_int_equal(pool_threads(p), threads);
        for (size_t count = 0; count <= 1000; count = count * 2 + 1)
            for (int round = 0; round < 20; round++)
                assert_squares(p, count > 1000 ? 1000 : count);
        pool_free(p);
    }
}

static void no_pool_runs_on_the_caller_in_order(void **state)
{
    (void)state;
    assert_squares(NULL, 100);
    assert_int_equal(pool_threads(NULL), 1);
    pool_free(NULL);
}

static void zero_threads_are_all_cores(void **state)
{
    (void)state;
    struct pool *p;
    assert_ok(pool_create(0, NULL, &p));
    assert_int_equal(pool_threads(p), system_cores());
    pool_free(p);
}

static o2w_status make_pool(const o2w_allocator *allocator, void *user)
{
    (void)user;
    struct pool *p;
    o2w_status status = pool_create(3, allocator, &p);
    if (status == O2W_OK) {
        assert_squares(p, 50);
        pool_free(p);
    }
    return status;
}

static void a_pool_may_run_out_of_memory(void **state)
{
    (void)state;
    assert_int_equal(sweep_allocations(make_pool, NULL), 2);
}

/* ---- libraries ---- */

static void a_wrong_variable_ends_the_search(void **state)
{
    (void)state;
    struct diags d;
    struct library *l = NULL;
    diags_init(&d, NULL);
    setenv("O2W_TEST_LIBRARY", "/nowhere/libx.so", 1);
    assert_status(library_open("libm.so.6", "O2W_TEST_LIBRARY", &d, &l), O2W_UNAVAILABLE);
    assert_diags_text(&d, "error[backend.unavailable]: 'libm.so.6' cannot be loaded\n"
                          "  searched: /nowhere/libx.so (O2W_TEST_LIBRARY): no such file\n");
    assert_null(l);
    unsetenv("O2W_TEST_LIBRARY");
    diags_free(&d);
}

static void the_loader_is_asked_last(void **state)
{
    (void)state;
    struct library *l = NULL, *again = NULL;
    struct diags d;
    diags_init(&d, NULL);
    unsetenv("O2W_ENGINE_DIR");
    assert_ok(library_open("libm.so.6", NULL, &d, &l));
    assert_int_equal(d.count, 0);
    assert_string_equal(library_path(l), "libm.so.6");
    assert_non_null(library_symbol(l, "cos"));
    assert_null(library_symbol(l, "no_such_symbol"));
    assert_ok(library_open("libm.so.6", NULL, &d, &again));
    assert_ptr_equal(l, again);
    diags_free(&d);
}

static void everything_searched_is_told_in_order(void **state)
{
    (void)state;
    struct temp_folder t;
    struct diags d;
    struct library *l;
    char self[PATH_MAX], line[PATH_MAX + 64];
    diags_init(&d, NULL);
    temp_folder_create(&t);
    temp_write(&t, "libo2wnone.so", "text", 4);
    setenv("O2W_ENGINE_DIR", t.path, 1);
    assert_status(library_open("libo2wnone.so", "O2W_TEST_LIBRARY", &d, &l), O2W_UNAVAILABLE);
    unsetenv("O2W_ENGINE_DIR");

    assert_non_null(realpath("/proc/self/exe", self));
    *strrchr(self, '/') = '\0';
    const struct diag_line *found = d.first->lines;
    assert_string_equal(found->text, "O2W_TEST_LIBRARY: not set");
    found = found->next;
    snprintf(line, sizeof line, "%s/libo2wnone.so (O2W_ENGINE_DIR): ", t.path);
    assert_memory_equal(found->text, line, strlen(line));
    assert_null(strstr(found->text, "no such file"));
    found = found->next;
    assert_non_null(strstr(found->text, "/lib/onnx2webnn/libo2wnone.so: no such file"));
    found = found->next;
    snprintf(line, sizeof line, "%s/.deps/lib/libo2wnone.so: no such file", self);
    assert_string_equal(found->text, line);
    while (found->next)
        found = found->next;
    assert_memory_equal(found->text, "system loader: ", 15);
    temp_folder_remove(&t);
    diags_free(&d);
}

/* ---- the rest ---- */

static void an_empty_variable_is_unset(void **state)
{
    (void)state;
    setenv("O2W_TEST_VARIABLE", "", 1);
    assert_null(system_variable("O2W_TEST_VARIABLE"));
    setenv("O2W_TEST_VARIABLE", "x", 1);
    assert_string_equal(system_variable("O2W_TEST_VARIABLE"), "x");
    unsetenv("O2W_TEST_VARIABLE");
    assert_null(system_variable("O2W_TEST_VARIABLE"));
}

static void the_clock_goes_forward(void **state)
{
    (void)state;
    uint64_t before = system_clock_ns();
    usleep(2000);
    assert_true(system_clock_ns() >= before + 2000000);
    assert_true(system_cores() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_gives_the_published_digests),
        cmocka_unit_test(both_ways_to_digest_are_equal),
        cmocka_unit_test(every_part_runs_once),
        cmocka_unit_test(no_pool_runs_on_the_caller_in_order),
        cmocka_unit_test(zero_threads_are_all_cores),
        cmocka_unit_test(a_pool_may_run_out_of_memory),
        cmocka_unit_test(a_wrong_variable_ends_the_search),
        cmocka_unit_test(the_loader_is_asked_last),
        cmocka_unit_test(everything_searched_is_told_in_order),
        cmocka_unit_test(an_empty_variable_is_unset),
        cmocka_unit_test(the_clock_goes_forward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
