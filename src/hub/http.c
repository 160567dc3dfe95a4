#include "hub/http.h"

#include "base/number.h"
#include "base/system.h"
#include "base/text.h"
#include "hub/curl_abi.h"

#include <pthread.h>
#include <string.h>
#include <strings.h>

enum { CONNECT_SECONDS = 10, STALL_SECONDS = 120, STEP_MS = 50 };

struct http {
    const o2w_allocator *allocator;
    struct curl_calls curl;
    void *multi;
};

/* --- the library -------------------------------------------------------------------------------------- */

/* Debian has one library for each of several TLS libraries. */
static const char *const sonames[] = {
#if defined(__APPLE__)
    "libcurl.4.dylib",
#else
    "libcurl.so.4",
    "libcurl-gnutls.so.4",
#endif
};

static o2w_status open_library(struct diags *d, struct library **out)
{
    struct diags tried;
    o2w_status s = O2W_UNAVAILABLE;
    for (size_t i = 0; s != O2W_OK && i < sizeof sonames / sizeof *sonames; i++) {
        diags_init(&tried, NULL);
        s = library_open(sonames[i], NULL, &tried, out);
        diags_free(&tried);
    }
    if (s == O2W_OK)
        return O2W_OK;
    s = diag_error(d, DIAG_HUB_LIBRARY,
                   "libcurl is needed to ask the model hub, and cannot be loaded");
    diag_line(d, "searched", "%s", sonames[0]);
    diag_hint(d, "install the package libcurl4 (tools/setup packages), or use --offline with a "
                 "filled cache");
    return s;
}

static o2w_status find_calls(struct library *l, struct curl_calls *c, struct diags *d)
{
    const struct {
        const char *name;
        void *place;
    } rows[] = {
        { "curl_global_init", &c->global_init },
        { "curl_easy_init", &c->easy_init },
        { "curl_easy_setopt", &c->easy_setopt },
        { "curl_easy_getinfo", &c->easy_getinfo },
        { "curl_easy_cleanup", &c->easy_cleanup },
        { "curl_easy_strerror", &c->easy_strerror },
        { "curl_slist_append", &c->slist_append },
        { "curl_slist_free_all", &c->slist_free_all },
        { "curl_multi_init", &c->multi_init },
        { "curl_multi_add_handle", &c->multi_add_handle },
        { "curl_multi_remove_handle", &c->multi_remove_handle },
        { "curl_multi_perform", &c->multi_perform },
        { "curl_multi_wait", &c->multi_wait },
        { "curl_multi_info_read", &c->multi_info_read },
        { "curl_multi_cleanup", &c->multi_cleanup },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *symbol = library_symbol(l, rows[i].name);
        if (!symbol)
            return diag_error(d, DIAG_HUB_LIBRARY, "%s has no '%s'", library_path(l), rows[i].name);
        memcpy(rows[i].place, &symbol, sizeof symbol);
    }
    return O2W_OK;
}

static pthread_mutex_t init_lock = PTHREAD_MUTEX_INITIALIZER;

static o2w_status start(struct http *h, struct diags *d)
{
    struct library *library;
    TRY(open_library(d, &library));
    TRY(find_calls(library, &h->curl, d));
    pthread_mutex_lock(&init_lock); /* older libraries do not lock it themselves */
    bool fine = h->curl.global_init(CURL_INIT_ALL) == 0;
    pthread_mutex_unlock(&init_lock);
    if (!fine || !(h->multi = h->curl.multi_init()))
        return diag_error(d, DIAG_HUB_LIBRARY, "%s cannot be initialised", library_path(library));
    return O2W_OK;
}

o2w_status http_open(const o2w_allocator *allocator, struct diags *d, struct http **out)
{
    struct http *h = mem_alloc(allocator, sizeof *h);
    if (!h)
        return diag_memory(d);
    *h = (struct http){ .allocator = allocator };
    o2w_status s = start(h, d);
    if (s == O2W_OK)
        *out = h;
    else
        mem_free(allocator, h, sizeof *h);
    return s;
}

void http_close(struct http *h)
{
    if (!h)
        return;
    h->curl.multi_cleanup(h->multi);
    mem_free(h->allocator, h, sizeof *h);
}

/* --- headers ------------------------------------------------------------------------------------------ */

static void keep(char *to, size_t room, struct span value)
{
    size_t size = value.size < room - 1 ? value.size : 0; /* too long: as if it were not there */
    memcpy(to, value.data, size);
    to[size] = '\0';
}

/* An etag without its weakness and quotes. */
static void keep_etag(char to[HTTP_TEXT], struct span v)
{
    if (span_starts(v, SPAN("W/")))
        v = (struct span){ v.data + 2, v.size - 2 };
    if (v.size >= 2 && v.data[0] == '"' && v.data[v.size - 1] == '"')
        v = (struct span){ v.data + 1, v.size - 2 };
    keep(to, HTTP_TEXT, v);
}

static void keep_header(struct http_answer *a, struct span name, struct span v)
{
    uint64_t number;
    char text[64];
    keep(text, sizeof text, name);
    bool is_number = number_parse_u64(v, &number) == O2W_OK;
    if (strcasecmp(text, "etag") == 0)
        keep_etag(a->etag, v);
    else if (strcasecmp(text, "x-linked-etag") == 0)
        keep_etag(a->linked_etag, v);
    else if (strcasecmp(text, "x-repo-commit") == 0)
        keep(a->commit, sizeof a->commit, v);
    else if (strcasecmp(text, "x-error-code") == 0)
        keep(a->error_code, sizeof a->error_code, v);
    else if (strcasecmp(text, "location") == 0)
        keep(a->location, sizeof a->location, v);
    else if (strcasecmp(text, "content-range") == 0)
        keep(a->content_range, sizeof a->content_range, v);
    else if (strcasecmp(text, "content-length") == 0 && is_number) {
        a->length = number;
        a->has_length = true;
    } else if (strcasecmp(text, "x-linked-size") == 0 && is_number) {
        a->linked_length = number;
        a->has_linked_length = true;
    } else if (strcasecmp(text, "retry-after") == 0 && is_number)
        a->retry_after = number > 3600 ? 3600 : (int)number;
}

static size_t on_header(char *data, size_t size, size_t count, void *user)
{
    struct http_transfer *t = user;
    struct span line = span_trim((struct span){ (const uint8_t *)data, size * count });
    const uint8_t *colon = line.size ? memchr(line.data, ':', line.size) : NULL;
    if (span_starts(line, SPAN("HTTP/")))
        t->answer = (struct http_answer){ .retry_after = -1 };
    else if (colon) {
        struct span name = { line.data, (size_t)(colon - line.data) };
        keep_header(&t->answer, name,
                    span_trim((struct span){ colon + 1, line.size - name.size - 1 }));
    }
    return size * count;
}

bool http_range_start(const struct http_answer *a, uint64_t *start)
{
    const char *text = a->content_range;
    if (strncasecmp(text, "bytes ", 6) != 0)
        return false;
    text += 6;
    return number_parse_u64((struct span){ (const uint8_t *)text, strcspn(text, "-") }, start) ==
           O2W_OK;
}

static size_t on_body(char *data, size_t size, size_t count, void *user)
{
    struct http_transfer *t = user;
    t->http->curl.easy_getinfo(t->easy, CURL_INFO_STATUS, &t->answer.status);
    if (!t->request.sink || (t->answer.status != 200 && t->answer.status != 206))
        return size * count;
    if (t->request.sink(t->request.user, (struct span){ (const uint8_t *)data, size * count }))
        return size * count;
    t->answer.refused = true;
    return 0;
}

/* --- transfers ---------------------------------------------------------------------------------------- */

static bool add_header(struct http_transfer *t, const char *text)
{
    void *list = t->http->curl.slist_append(t->headers, text);
    if (list)
        t->headers = list;
    return list != NULL;
}

static bool add_headers(struct http_transfer *t, struct arena *a)
{
    const struct http_request *r = &t->request;
    bool fine = add_header(t, "Accept-Encoding: identity");
    const char *line = "";
    if (r->token) {
        line = arena_printf(a, "Authorization: Bearer %s", r->token);
        fine = fine && line && add_header(t, line);
    }
    if (r->ranged) {
        line = r->last == UINT64_MAX
                   ? arena_printf(a, "Range: bytes=%llu-", (unsigned long long)r->first)
                   : arena_printf(a, "Range: bytes=%llu-%llu", (unsigned long long)r->first,
                                  (unsigned long long)r->last);
        fine = fine && line && add_header(t, line);
    }
    if (r->ranged && r->if_range) {
        line = arena_printf(a, "If-Range: \"%s\"", r->if_range);
        fine = fine && line && add_header(t, line);
    }
    return fine;
}

static void set_options(struct http_transfer *t)
{
    const struct curl_calls *c = &t->http->curl;
    const char *certificates = system_variable("SSL_CERT_FILE");
    c->easy_setopt(t->easy, CURL_URL, t->request.url);
    c->easy_setopt(t->easy, CURL_NO_BODY, (long)t->request.head);
    c->easy_setopt(t->easy, CURL_HTTP_HEADER, t->headers);
    c->easy_setopt(t->easy, CURL_HEADER_FUNCTION, on_header);
    c->easy_setopt(t->easy, CURL_HEADER_DATA, t);
    c->easy_setopt(t->easy, CURL_WRITE_FUNCTION, on_body);
    c->easy_setopt(t->easy, CURL_WRITE_DATA, t);
    c->easy_setopt(t->easy, CURL_ERROR_BUFFER, t->error);
    c->easy_setopt(t->easy, CURL_PRIVATE, t);
    c->easy_setopt(t->easy, CURL_NO_SIGNAL, 1L);
    c->easy_setopt(t->easy, CURL_PROTOCOL_BITS, (long)CURL_HTTP_AND_HTTPS);
    c->easy_setopt(t->easy, CURL_USER_AGENT, "onnx2webnn/" O2W_VERSION);
    c->easy_setopt(t->easy, CURL_CONNECT_TIMEOUT, (long)CONNECT_SECONDS);
    c->easy_setopt(t->easy, CURL_LOW_SPEED_LIMIT, 1L);
    c->easy_setopt(t->easy, CURL_LOW_SPEED_TIME, (long)STALL_SECONDS);
    if (certificates)
        c->easy_setopt(t->easy, CURL_CA_INFO, certificates);
}

o2w_status http_begin(struct http *h, struct http_transfer *t, struct diags *d)
{
    struct arena a;
    t->http = h;
    t->done = false;
    t->error[0] = '\0';
    t->answer = (struct http_answer){ .retry_after = -1 };
    t->headers = NULL;
    t->easy = h->curl.easy_init();
    arena_init(&a, h->allocator);
    bool fine = t->easy && add_headers(t, &a);
    arena_free(&a);
    if (fine) {
        set_options(t);
        fine = h->curl.multi_add_handle(h->multi, t->easy) == 0;
    }
    if (fine)
        return O2W_OK;
    http_end(t);
    return diag_memory(d);
}

static void finish(struct http *h, const struct curl_message *m)
{
    void *place = NULL;
    h->curl.easy_getinfo(m->easy, CURL_INFO_PRIVATE, &place);
    struct http_transfer *t = place;
    h->curl.easy_getinfo(m->easy, CURL_INFO_STATUS, &t->answer.status);
    if (m->data.code != 0)
        text_format(t->answer.problem, sizeof t->answer.problem, "%s",
                    t->error[0] ? t->error : h->curl.easy_strerror(m->data.code));
    t->done = true;
}

void http_step(struct http *h)
{
    struct curl_message *m;
    int running = 0, left = 0, ready = 0;
    h->curl.multi_perform(h->multi, &running);
    while ((m = h->curl.multi_info_read(h->multi, &left)))
        if (m->kind == CURL_MESSAGE_DONE)
            finish(h, m);
    if (running)
        h->curl.multi_wait(h->multi, NULL, 0, STEP_MS, &ready);
}

void http_end(struct http_transfer *t)
{
    if (!t->http)
        return;
    const struct curl_calls *c = &t->http->curl;
    if (t->easy) {
        c->multi_remove_handle(t->http->multi, t->easy);
        c->easy_cleanup(t->easy);
    }
    c->slist_free_all(t->headers);
    t->easy = t->headers = NULL;
    t->http = NULL;
}
