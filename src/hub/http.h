/* HTTP and HTTPS over libcurl, which is loaded when it is first needed. One thread; several transfers at a time. */
#ifndef HUB_HTTP_H
#define HUB_HTTP_H

#include "base/diag.h"

struct http;

/* hub.library: there is no libcurl. Certificates are always checked (SSL_CERT_FILE names others). */
o2w_status http_open(const o2w_allocator *allocator, struct diags *d, struct http **out);
void http_close(struct http *h); /* NULL is fine; no transfer may be active */

enum { HTTP_TEXT = 256, HTTP_URL = 8192 };

/* What a transfer asks for. Redirects are not followed here. */
struct http_request {
    const char *url;
    const char *token; /* NULL: none is sent */
    bool head;
    bool ranged;
    uint64_t first, last; /* of a range; last UINT64_MAX: to the end */
    const char *if_range; /* an etag, without quotes; NULL: none */
    /* Gets the body of answers 200 and 206; false ends the transfer. `partial`: the answer is 206. */
    bool (*sink)(void *user, struct span data);
    void *user;
};

struct http_answer {
    long status; /* 0: there was none */
    char etag[HTTP_TEXT], linked_etag[HTTP_TEXT], commit[HTTP_TEXT], error_code[HTTP_TEXT],
        content_range[HTTP_TEXT];
    char location[HTTP_URL];
    uint64_t length, linked_length;
    bool has_length, has_linked_length, refused; /* refused: the sink ended it */
    int retry_after;                             /* seconds, -1: not said */
    char problem[HTTP_URL + HTTP_TEXT];          /* why there is no whole answer; empty: there is */
};

/* One transfer: begun, then driven by http_step with others until `done`. Address stays. */
struct http_transfer {
    struct http_request request;
    struct http_answer answer;
    bool done;
    /* Inside: */
    struct http *http;
    void *easy, *headers;
    char error[HTTP_TEXT];
};

o2w_status http_begin(struct http *h, struct http_transfer *t, struct diags *d);
/* Moves all transfers on, waiting up to some 50 ms for something to happen. */
void http_step(struct http *h);
void http_end(struct http_transfer *t); /* also in the middle; a zeroed one is fine */

/* The start of a 206 answer's range; false when it names none. */
bool http_range_start(const struct http_answer *a, uint64_t *start);

/* Parts of a URL that decide whom a token may go to. */
struct url {
    struct span scheme, host, port, path; /* port empty: that of the scheme */
};
bool url_parse(const char *text, struct url *out);
/* Same scheme, host and port. */
bool url_same_origin(const struct url *a, const struct url *b);
/* TLS, or a host of this machine. */
bool url_is_private(const struct url *u);

#endif
