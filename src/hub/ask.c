/* A question to the hub: redirects, repetitions, what its refusals mean. */
#include "hub/internal.h"

#include "base/log.h"

#include <string.h>

enum { RETRY_AFTER_MOST = 60 };

bool hub_is_transient(const struct http_answer *a)
{
    if (a->refused)
        return false;
    return a->problem[0] != '\0' || a->status == 0 || a->status == 408 || a->status == 429 ||
           a->status >= 500;
}

bool hub_is_foreign_etag(const struct hub_about *about, const struct http_answer *a, bool plain)
{
    return !plain && a->status == 200 && a->etag[0] && strcmp(a->etag, about->etag) != 0 &&
           hub_digest_of(about->etag) != HUB_DIGEST_NONE;
}

double hub_delay(const struct http_answer *a, unsigned next)
{
    if (a->retry_after >= 0)
        return a->retry_after < RETRY_AFTER_MOST ? a->retry_after : RETRY_AFTER_MOST;
    return 1.5 * (next - 1);
}

bool hub_is_redirect(long status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/* The place that a redirect names; NULL: it names none that may be gone to. */
static char *next_url(const char *url, const struct http_answer *a, struct arena *arena)
{
    struct url from, to;
    if (!url_parse(url, &from))
        return NULL;
    if (a->location[0] == '/' && a->location[1] != '/') {
        size_t origin = (size_t)((const char *)from.path.data - url);
        return arena_printf(arena, "%.*s%s", (int)origin, url, a->location);
    }
    if (!url_parse(a->location, &to) || (url_is_private(&from) && !url_is_private(&to)))
        return NULL;
    return arena_text(arena, span_of(a->location));
}

o2w_status hub_redirect(const char *url, const struct http_answer *answer, unsigned count,
                        struct arena *a, struct diags *d, char **next)
{
    if (count == HUB_REDIRECTS)
        return diag_error(d, DIAG_HUB_PROTOCOL, "more than %d redirects, the last to %s",
                          HUB_REDIRECTS, url);
    *next = next_url(url, answer, a);
    return *next ? O2W_OK
                 : diag_error(d, DIAG_HUB_PROTOCOL, "%s leads to '%s', where nothing is asked for",
                              url, answer->location);
}

o2w_status hub_follow(const char *url, bool stay, struct arena *a, struct diags *d,
                      struct http_answer *out, struct hub_call call)
{
    for (unsigned i = 0;; i++) {
        char *next = NULL;
        TRY(call.call(call.context, url, d, out));
        bool leads = hub_is_redirect(out->status) && !out->problem[0];
        if (!leads || (stay && out->location[0] != '/'))
            return O2W_OK;
        TRY(hub_redirect(url, out, i, a, d, &next));
        url = next;
    }
}

o2w_status hub_gave_up(const char *url, const struct http_answer *a, struct diags *d)
{
    struct url parts = { 0 };
    o2w_status s;
    (void)url_parse(url, &parts);
    if (a->problem[0])
        s = diag_error(d, DIAG_HUB_UNREACHABLE, "%d tries failed, last: %s", HUB_TRIES, a->problem);
    else
        s = diag_error(d, DIAG_HUB_UNREACHABLE, "%d tries failed, last: status %ld", HUB_TRIES,
                       a->status);
    diag_at(d, "%.*s", SPAN_ARG(parts.host));
    diag_hint(d,
              "HF_ENDPOINT names another hub, HTTPS_PROXY a proxy; --offline uses the cache alone");
    return s;
}

o2w_status hub_ask(struct hub *h, const char *url, bool stay, struct diags *d,
                   struct http_answer *out, struct hub_call call)
{
    struct arena a;
    arena_init(&a, h->allocator);
    o2w_status s = O2W_OK;
    for (unsigned try = 1; s == O2W_OK; try++) {
        s = hub_follow(url, stay, &a, d, out, call);
        if (s != O2W_OK || !hub_is_transient(out))
            break;
        if (try == HUB_TRIES)
            s = hub_gave_up(url, out, d);
        else
            s = hub_pause(h, hub_delay(out, try + 1), d);
    }
    arena_free(&a);
    return s;
}

o2w_status hub_refused(const struct hub_request *r, const struct http_answer *a, struct diags *d)
{
    const char *revision = r->revision ? r->revision : "main";
    o2w_status s;
    if (strcmp(a->error_code, "RepoNotFound") == 0)
        s = diag_error(d, DIAG_HUB_NOT_FOUND, "no repository %s", r->repository);
    else if (strcmp(a->error_code, "RevisionNotFound") == 0)
        s = diag_error(d, DIAG_HUB_NOT_FOUND, "no revision '%s' in %s", revision, r->repository);
    else if (a->status == 404 || strcmp(a->error_code, "EntryNotFound") == 0)
        s = diag_error(d, DIAG_HUB_NOT_FOUND, "no file '%s' in %s at '%s'", r->path, r->repository,
                       revision);
    else if (a->status == 401 || a->status == 403) {
        s = diag_error(d, DIAG_HUB_UNAUTHORIZED, "%ld for %s: gated or private", a->status,
                       r->repository);
    } else
        return diag_error(d, DIAG_HUB_PROTOCOL, "%s/%s: status %ld", r->repository, r->path,
                          a->status);
    if (a->status == 401 || a->status == 403)
        diag_hint(d, "HF_TOKEN gives a token that may read it");
    return s;
}

static bool is_hex(const char *text, size_t size)
{
    return strlen(text) == size && strspn(text, "0123456789abcdef") == size;
}

/* An etag names files: nothing but letters, digits and '-', '_', '.'. */
static bool is_name(const char *text)
{
    return *text && text[0] != '.' &&
           text[strspn(
               text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")] == '\0';
}

static o2w_status take_about(const struct hub_request *r, const struct http_answer *a,
                             struct diags *d, struct hub_about *out)
{
    const char *etag = a->linked_etag[0] ? a->linked_etag : a->etag;
    const char *missing = NULL;
    if (!is_hex(a->commit, 40))
        missing = "X-Repo-Commit";
    else if (!is_name(etag) || strlen(etag) >= sizeof out->etag)
        missing = "ETag";
    else if (!a->has_linked_length && !a->has_length)
        missing = "Content-Length";
    if (missing)
        return diag_error(d, DIAG_HUB_PROTOCOL, "%s/%s: the answer has no valid %s", r->repository,
                          r->path, missing);
    memcpy(out->commit, a->commit, sizeof out->commit);
    memcpy(out->etag, etag, strlen(etag) + 1);
    out->length = a->has_linked_length ? a->linked_length : a->length;
    return O2W_OK;
}

static o2w_status ask_head(void *context, const char *url, struct diags *d, struct http_answer *out)
{
    struct hub *h = context;
    struct http_transfer t = { .request = {
                                   .url = url, .token = hub_token_for(h, url), .head = true } };
    o2w_status s;
    TRY(http_begin(h->http, &t, d));
    do {
        http_step(h->http);
        s = progress_poll(h->environment, "asking the hub", 0, 0);
    } while (!t.done && s == O2W_OK);
    *out = t.answer;
    http_end(&t);
    return s == O2W_OK ? O2W_OK : diag_error(d, DIAG_INTERRUPTED, "cancelled by the caller");
}

o2w_status hub_head(struct hub *h, const struct hub_request *r, struct diags *d,
                    struct hub_about *out)
{
    struct arena a;
    struct http_answer answer;
    arena_init(&a, h->allocator);
    const char *url = hub_url(h, r->repository, r->revision ? r->revision : "main", r->path, &a);
    o2w_status s =
        url ? hub_ask(h, url, true, d, &answer, (struct hub_call){ ask_head, h }) : diag_memory(d);
    arena_free(&a);
    TRY(s);
    if (answer.status != 200 && !(hub_is_redirect(answer.status) && answer.linked_etag[0]))
        return hub_refused(r, &answer, d);
    return take_about(r, &answer, d, out);
}
