/* Our declarations of libcurl against its own header. */
#include "support/test.h"

#include <curl/curl.h>

#include "hub/curl_abi.h"
#include "hub/http.h"

static void options_are_those_of_the_library(void **state)
{
    (void)state;
    assert_int_equal(CURL_WRITE_DATA, CURLOPT_WRITEDATA);
    assert_int_equal(CURL_URL, CURLOPT_URL);
    assert_int_equal(CURL_ERROR_BUFFER, CURLOPT_ERRORBUFFER);
    assert_int_equal(CURL_USER_AGENT, CURLOPT_USERAGENT);
    assert_int_equal(CURL_HTTP_HEADER, CURLOPT_HTTPHEADER);
    assert_int_equal(CURL_HEADER_DATA, CURLOPT_HEADERDATA);
    assert_int_equal(CURL_CA_INFO, CURLOPT_CAINFO);
    assert_int_equal(CURL_PRIVATE, CURLOPT_PRIVATE);
    assert_int_equal(CURL_WRITE_FUNCTION, CURLOPT_WRITEFUNCTION);
    assert_int_equal(CURL_HEADER_FUNCTION, CURLOPT_HEADERFUNCTION);
    assert_int_equal(CURL_LOW_SPEED_LIMIT, CURLOPT_LOW_SPEED_LIMIT);
    assert_int_equal(CURL_LOW_SPEED_TIME, CURLOPT_LOW_SPEED_TIME);
    assert_int_equal(CURL_NO_BODY, CURLOPT_NOBODY);
    assert_int_equal(CURL_CONNECT_TIMEOUT, CURLOPT_CONNECTTIMEOUT);
    assert_int_equal(CURL_NO_SIGNAL, CURLOPT_NOSIGNAL);
    assert_int_equal(CURL_PROTOCOL_BITS,
                     181); /* CURLOPT_PROTOCOLS, which warns where it is named */
}

static void values_are_those_of_the_library(void **state)
{
    (void)state;
    assert_int_equal(CURL_INFO_STATUS, CURLINFO_RESPONSE_CODE);
    assert_int_equal(CURL_INFO_PRIVATE, CURLINFO_PRIVATE);
    assert_int_equal(CURL_MESSAGE_DONE, CURLMSG_DONE);
    assert_int_equal(CURL_HTTP_AND_HTTPS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
    assert_int_equal(CURL_INIT_ALL, CURL_GLOBAL_ALL);
    assert_true(CURL_ERROR_SIZE <= HTTP_TEXT);
    assert_int_equal(sizeof(struct curl_message), sizeof(CURLMsg));
    assert_int_equal(offsetof(struct curl_message, easy), offsetof(CURLMsg, easy_handle));
    assert_int_equal(offsetof(struct curl_message, data), offsetof(CURLMsg, data));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(options_are_those_of_the_library),
                                        cmocka_unit_test(values_are_those_of_the_library) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
