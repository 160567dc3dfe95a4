/* Whom a token may go to. */
#include "support/test.h"

#include "hub/http.h"

static struct url parsed(const char *text)
{
    struct url u;
    assert_true(url_parse(text, &u));
    return u;
}

static bool same(const char *a, const char *b)
{
    struct url x = parsed(a), y = parsed(b);
    return url_same_origin(&x, &y);
}

static bool private(const char *text)
{
    struct url u = parsed(text);
    return url_is_private(&u);
}

static void origins(void **state)
{
    (void)state;
    assert_true(same("https://hub.example/a", "https://HUB.example:443/b?c"));
    assert_true(same("http://u:p@hub.example", "http://hub.example:80"));
    assert_false(same("https://hub.example", "http://hub.example"));
    assert_false(same("https://hub.example", "https://hub.example:8443"));
    assert_false(same("https://hub.example", "https://hub.example.evil"));
    assert_false(same("https://hub.example", "https://hub.example@evil"));
    assert_true(same("http://[::1]:80/", "http://[::1]"));
}

static void clear_text_stays_here(void **state)
{
    (void)state;
    assert_true(private("https://hub.example"));
    assert_true(private("http://localhost:1"));
    assert_true(private("http://127.0.0.1"));
    assert_true(private("http://[::1]:9/x"));
    assert_false(private("http://hub.example"));
    assert_false(private("http://localhost.evil"));
}

static void what_is_no_url(void **state)
{
    struct url u;
    (void)state;
    assert_false(url_parse("hub.example", &u));
    assert_false(url_parse("ftp://hub.example", &u));
    assert_false(url_parse("https:///path", &u));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(origins),
                                        cmocka_unit_test(clear_text_stays_here),
                                        cmocka_unit_test(what_is_no_url) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
