/* Our declarations of libmicrohttpd against its own header. */
#include "support/test.h"

#include <microhttpd.h>

#include "cli/microhttpd_abi.h"

static void values_are_those_of_the_library(void **state)
{
    (void)state;
    assert_int_equal(HTTPD_NO, MHD_NO);
    assert_int_equal(HTTPD_YES, MHD_YES);
    assert_int_equal(HTTPD_INTERNAL_POLLING_THREAD, MHD_USE_INTERNAL_POLLING_THREAD);
    assert_int_equal(HTTPD_IPV6, MHD_USE_IPv6);
    assert_int_equal(HTTPD_AUTO, MHD_USE_AUTO);
    assert_int_equal(HTTPD_OPTION_END, MHD_OPTION_END);
    assert_int_equal(HTTPD_OPTION_CONNECTION_LIMIT, MHD_OPTION_CONNECTION_LIMIT);
    assert_int_equal(HTTPD_OPTION_SOCK_ADDR, MHD_OPTION_SOCK_ADDR);
    assert_int_equal(HTTPD_HEADER_KIND, MHD_HEADER_KIND);
    assert_int_equal(HTTPD_COPY, MHD_RESPMEM_MUST_COPY);
    assert_int_equal(sizeof(enum MHD_Result), sizeof(int));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(values_are_those_of_the_library) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
