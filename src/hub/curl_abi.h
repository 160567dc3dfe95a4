/* What is used of libcurl, declared here so that nothing of it is needed to build. The values are of its stable
 * interface (7.20 and newer); tests/unit/hub compares them with the library's own header. */
#ifndef HUB_CURL_ABI_H
#define HUB_CURL_ABI_H

#include <stddef.h>

enum {
    CURL_WRITE_DATA = 10001,
    CURL_URL = 10002,
    CURL_ERROR_BUFFER = 10010,
    CURL_USER_AGENT = 10018,
    CURL_HTTP_HEADER = 10023,
    CURL_HEADER_DATA = 10029,
    CURL_CA_INFO = 10065,
    CURL_PRIVATE = 10103,
    CURL_WRITE_FUNCTION = 20011,
    CURL_HEADER_FUNCTION = 20079,
    CURL_LOW_SPEED_LIMIT = 19,
    CURL_LOW_SPEED_TIME = 20,
    CURL_NO_BODY = 44,
    CURL_CONNECT_TIMEOUT = 78,
    CURL_NO_SIGNAL = 99,
    CURL_PROTOCOL_BITS = 181,

    CURL_INFO_STATUS = 0x200000 + 2,
    CURL_INFO_PRIVATE = 0x100000 + 21,
    CURL_MESSAGE_DONE = 1,
    CURL_HTTP_AND_HTTPS = 3,
    CURL_INIT_ALL = 3
};

struct curl_message {
    int kind;
    void *easy;
    union {
        void *other;
        int code;
    } data;
};

/* The calls, found by name. */
struct curl_calls {
    int (*global_init)(long flags);
    void *(*easy_init)(void);
    int (*easy_setopt)(void *easy, int option, ...);
    int (*easy_getinfo)(void *easy, int info, ...);
    void (*easy_cleanup)(void *easy);
    const char *(*easy_strerror)(int code);
    void *(*slist_append)(void *list, const char *text);
    void (*slist_free_all)(void *list);
    void *(*multi_init)(void);
    int (*multi_add_handle)(void *multi, void *easy);
    int (*multi_remove_handle)(void *multi, void *easy);
    int (*multi_perform)(void *multi, int *running);
    int (*multi_wait)(void *multi, void *extra, unsigned extra_count, int timeout_ms, int *ready);
    struct curl_message *(*multi_info_read)(void *multi, int *left);
    int (*multi_cleanup)(void *multi);
};

#endif
