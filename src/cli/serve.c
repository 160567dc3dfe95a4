#include "cli/serve.h"

#include "base/file.h"
#include "base/system.h"
#include "base/text.h"
#include "cli/microhttpd_abi.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONNECTIONS = 64, NAME = 512, HEADER = 128 };

struct server {
    struct microhttpd http;
    struct MHD_Daemon *daemon;
    char *folder;
    bool loopback;
};

/* ---- the library ---- */

static o2w_status bind_symbols(struct library *l, struct microhttpd *out, struct diags *d)
{
    static const struct {
        const char *name;
        size_t offset;
    } rows[] = {
        { "MHD_start_daemon", offsetof(struct microhttpd, start) },
        { "MHD_stop_daemon", offsetof(struct microhttpd, stop) },
        { "MHD_create_response_from_fd_at_offset64", offsetof(struct microhttpd, from_file) },
        { "MHD_create_response_from_buffer", offsetof(struct microhttpd, from_buffer) },
        { "MHD_add_response_header", offsetof(struct microhttpd, add_header) },
        { "MHD_queue_response", offsetof(struct microhttpd, queue) },
        { "MHD_destroy_response", offsetof(struct microhttpd, destroy) },
        { "MHD_lookup_connection_value", offsetof(struct microhttpd, header) },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *symbol = library_symbol(l, rows[i].name);
        if (!symbol)
            return diag_error(d, DIAG_BACKEND_UNAVAILABLE, "'%s' has no %s", library_path(l),
                              rows[i].name);
        memcpy((char *)out + rows[i].offset, &symbol, sizeof symbol);
    }
    return O2W_OK;
}

static o2w_status load(struct microhttpd *out, struct diags *d)
{
    struct library *l;
    o2w_status s = library_open(MICROHTTPD_SONAME, NULL, d, &l);
    if (s != O2W_OK)
        diag_hint(d, "install libmicrohttpd: apt-get install libmicrohttpd12");
    return s == O2W_OK ? bind_symbols(l, out, d) : s;
}

/* ---- answers ---- */

/* Pages of this server are alone with each other, so that they may share memory; types are as they are told. */
static void add_headers(const struct server *s, struct MHD_Response *r, const char *type)
{
    static const char *const rows[][2] = {
        { "Cross-Origin-Opener-Policy", "same-origin" },
        { "Cross-Origin-Embedder-Policy", "require-corp" },
        { "Cross-Origin-Resource-Policy", "same-origin" },
        { "X-Content-Type-Options", "nosniff" },
        { "Cache-Control", "no-cache" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        (void)s->http.add_header(r, rows[i][0], rows[i][1]);
    (void)s->http.add_header(r, "Content-Type", type);
}

static int answer(const struct server *s, struct MHD_Connection *c, unsigned status,
                  struct MHD_Response *r)
{
    if (!r)
        return HTTPD_NO;
    int queued = s->http.queue(c, status, r);
    s->http.destroy(r);
    return queued;
}

static int answer_text(const struct server *s, struct MHD_Connection *c, unsigned status,
                       const char *text, const char *type)
{
    struct MHD_Response *r = s->http.from_buffer(strlen(text), (void *)(uintptr_t)text, HTTPD_COPY);
    if (r)
        add_headers(s, r, type);
    return answer(s, c, status, r);
}

static int refuse(const struct server *s, struct MHD_Connection *c, unsigned status,
                  const char *text)
{
    return answer_text(s, c, status, text, "text/plain; charset=utf-8");
}

static int answer_outside(const struct server *s, struct MHD_Connection *c, uint64_t size)
{
    char range[HEADER];
    static const char text[] = "range outside of the file\n";
    struct MHD_Response *r = s->http.from_buffer(sizeof text - 1, (void *)(uintptr_t)text, 0);
    text_format(range, sizeof range, "bytes */%llu", (unsigned long long)size);
    if (r) {
        add_headers(s, r, "text/plain; charset=utf-8");
        (void)s->http.add_header(r, "Content-Range", range);
    }
    return answer(s, c, 416, r);
}

/* The file is the answer's from here on, as a descriptor of its own. */
static int answer_part(const struct server *s, struct MHD_Connection *c, const struct file *f,
                       bool part, uint64_t begin, uint64_t count, const char *etag)
{
    char range[HEADER];
    int descriptor = dup(f->descriptor);
    struct MHD_Response *r = descriptor < 0 ? NULL : s->http.from_file(count, descriptor, begin);
    if (!r) {
        if (descriptor >= 0)
            (void)close(descriptor);
        return HTTPD_NO;
    }
    add_headers(s, r, media_type(span_of(f->path)));
    (void)s->http.add_header(r, "Accept-Ranges", "bytes");
    (void)s->http.add_header(r, "ETag", etag);
    text_format(range, sizeof range, "bytes %llu-%llu/%llu", (unsigned long long)begin,
                (unsigned long long)(begin + count - 1), (unsigned long long)f->size);
    if (part)
        (void)s->http.add_header(r, "Content-Range", range);
    return answer(s, c, part ? 206 : 200, r);
}

static int answer_file(const struct server *s, struct MHD_Connection *c, const struct file *f)
{
    char etag[HEADER];
    uint64_t begin, count;
    const char *known = s->http.header(c, HTTPD_HEADER_KIND, "If-None-Match");
    const char *range = s->http.header(c, HTTPD_HEADER_KIND, "Range");
    const char *if_range = s->http.header(c, HTTPD_HEADER_KIND, "If-Range");
    text_format(etag, sizeof etag, "\"%llx-%llx\"", (unsigned long long)f->mtime_ns,
                (unsigned long long)f->size);
    if (known && strcmp(known, etag) == 0)
        return answer_text(s, c, 304, "", media_type(span_of(f->path)));
    if (if_range && strcmp(if_range, etag) != 0)
        range = NULL;
    switch (range_read(range, f->size, &begin, &count)) {
    case RANGE_OUTSIDE: return answer_outside(s, c, f->size);
    case RANGE_PART: return answer_part(s, c, f, true, begin, count, etag);
    case RANGE_ALL: break;
    }
    return answer_part(s, c, f, false, 0, f->size, etag);
}

/* ---- the list of pages ---- */

static bool is_page(const char *name)
{
    return *name != '.' && span_is(path_extension(span_of(name)), "html");
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int only_pages(const struct dirent *e)
{
    return is_page(e->d_name);
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("-_.", c);
}

/* A link to the file by its name, whatever bytes that has; shown as UTF-8. */
static void add_link(struct arena_string *page, const char *name)
{
    arena_string_add(page, "<li><a href=\"");
    for (const char *c = name; *c; c++)
        arena_string_add(page, is_plain(*c) ? "%c" : "%%%02X", (unsigned char)*c);
    arena_string_add(page, "\">");
    for (const char *c = name; *c; c++)
        arena_string_add(page, strchr("&<>\"", *c) ? "&#%u;" : "%c", (unsigned char)*c);
    arena_string_add(page, "</a>");
}

static int answer_list(const struct server *s, struct MHD_Connection *c)
{
    struct dirent **entries;
    struct arena a;
    int count = scandir(s->folder, &entries, only_pages, by_name);
    arena_init(&a, NULL);
    struct arena_string text = { .arena = &a };
    arena_string_add(
        &text,
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Pages</title><h1>Pages</h1><ul>");
    for (int i = 0; i < count; i++) {
        add_link(&text, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    const char *page = arena_string_text(&text);
    int answered = page ? answer_text(s, c, 200, page, "text/html; charset=utf-8") : HTTPD_NO;
    arena_free(&a);
    return answered;
}

/* ---- requests ---- */

/* A name that leads to this computer only: another one in the header is another site's page asking. */
static bool is_local_name(const char *host)
{
    static const char *const names[] = { "localhost", "127.0.0.1", "[::1]" };
    for (size_t i = 0; host && i < sizeof names / sizeof *names; i++) {
        size_t size = strlen(names[i]);
        if (strncmp(host, names[i], size) == 0 && (host[size] == ':' || !host[size]))
            return true;
    }
    return false;
}

static int handle(void *user, struct MHD_Connection *c, const char *url, const char *method,
                  const char *version, const char *upload, size_t *upload_size, void **state)
{
    const struct server *s = user;
    static char seen; /* an answer to the first call would close the connection */
    struct file *f;
    (void)version, (void)upload, (void)upload_size;
    if (!*state) {
        *state = &seen;
        return HTTPD_YES;
    }
    if (s->loopback && !is_local_name(s->http.header(c, HTTPD_HEADER_KIND, "Host")))
        return refuse(s, c, 403, "this server answers to localhost only\n");
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return refuse(s, c, 405, "GET and HEAD only\n");
    while (*url == '/')
        url++;
    const char *name = *url ? url : "index.html";
    if (file_open_inside(s->folder, span_of(name), NULL, NULL, &f) != O2W_OK)
        return *url ? refuse(s, c, 404, "no such file\n") : answer_list(s, c);
    int answered = answer_file(s, c, f);
    file_release(f);
    return answered;
}

/* ---- start and stop ---- */

struct address {
    const char *text;
    bool is_six;
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } socket;
};

static bool read_address(const char *text, uint16_t port, struct address *out)
{
    *out = (struct address){ .text = text };
    out->is_six = inet_pton(AF_INET6, text, &out->socket.six.sin6_addr) == 1;
    if (out->is_six) {
        out->socket.six.sin6_family = AF_INET6;
        out->socket.six.sin6_port = htons(port);
        return true;
    }
    out->socket.four.sin_family = AF_INET;
    out->socket.four.sin_port = htons(port);
    return inet_pton(AF_INET, text, &out->socket.four.sin_addr) == 1;
}

static bool is_loopback(const struct address *a)
{
    return a->is_six ? IN6_IS_ADDR_LOOPBACK(&a->socket.six.sin6_addr)
                     : ntohl(a->socket.four.sin_addr.s_addr) >> 24 == 127;
}

static o2w_status open_daemon(struct server *s, const struct address *a, uint16_t port,
                              struct diags *d)
{
    char words[ERRNO_TEXT];
    s->loopback = is_loopback(a);
    unsigned flags = HTTPD_AUTO | HTTPD_INTERNAL_POLLING_THREAD | (a->is_six ? HTTPD_IPV6 : 0u);
    errno = 0;
    s->daemon =
        s->http.start(flags, port, NULL, NULL, handle, s, HTTPD_OPTION_SOCK_ADDR, &a->socket.any,
                      HTTPD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, HTTPD_OPTION_END);
    if (s->daemon)
        return O2W_OK;
    o2w_status status = diag_error(d, DIAG_FILE_READ, "%s:%u cannot be served: %s", a->text, port,
                                   errno ? text_of_errno(errno, words) : "the port is taken");
    diag_hint(d, "--port N");
    return status;
}

o2w_status server_start(const char *folder, const char *address, uint16_t port, struct diags *d,
                        struct server **out)
{
    if (!path_is_folder(folder))
        return diag_error(d, DIAG_FILE_READ, "'%s' is no folder", folder);
    struct address where;
    if (!read_address(address, port, &where))
        return diag_error(d, DIAG_USAGE, "'%s' is no address", address);
    struct server *s = mem_alloc(NULL, sizeof *s);
    if (!s)
        return diag_memory(d);
    *s = (struct server){ .folder = strdup(folder) };
    o2w_status status = s->folder ? load(&s->http, d) : diag_memory(d);
    if (status == O2W_OK)
        status = open_daemon(s, &where, port, d);
    if (status == O2W_OK)
        *out = s;
    else
        server_stop(s);
    return status;
}

void server_stop(struct server *s)
{
    if (!s)
        return;
    if (s->daemon)
        s->http.stop(s->daemon);
    free(s->folder);
    mem_free(NULL, s, sizeof *s);
}
