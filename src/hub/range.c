/* A file of the hub read in ranges, never downloaded. */
#include "hub/internal.h"

#include "base/log.h"

#include <string.h>

enum { WHOLE_MOST = 64 << 20 };

struct hub_file {
    struct hub *hub;
    struct hub_request request;
    struct hub_about about;
    struct arena arena;
    const char *url;
    uint8_t *whole; /* of a server that ignores ranges */
    bool plain;     /* ranges are asked for without If-Range */
};

/* One range on its way to memory. */
struct range {
    struct hub_file *f;
    uint8_t *to;
    uint64_t offset;
    size_t size, at;
    const struct http_answer *answer;
    bool begun, ignored, wrong, foreign;
};

o2w_status hub_file_open(struct hub *h, const struct hub_request *r, struct diags *d,
                         struct hub_file **out)
{
    struct hub_file *f = mem_alloc(h->allocator, sizeof *f);
    if (!f)
        return diag_memory(d);
    *f = (struct hub_file){ .hub = h, .request = *r };
    arena_init(&f->arena, h->allocator);
    f->url = hub_url(h, r->repository, r->revision ? r->revision : "main", r->path, &f->arena);
    o2w_status s = f->url ? hub_online(h, r->path, d) : diag_memory(d);
    if (s == O2W_OK)
        s = hub_head(h, r, d, &f->about);
    if (s == O2W_OK)
        *out = f;
    else
        hub_file_close(f);
    return s;
}

void hub_file_close(struct hub_file *f)
{
    if (!f)
        return;
    if (f->whole)
        mem_free(f->hub->allocator, f->whole, (size_t)f->about.length);
    arena_free(&f->arena);
    mem_free(f->hub->allocator, f, sizeof *f);
}

uint64_t hub_file_size(const struct hub_file *f)
{
    return f->about.length;
}

const char *hub_file_etag(const struct hub_file *f)
{
    return f->about.etag;
}

static bool on_data(void *user, struct span data)
{
    struct range *r = user;
    uint64_t start = 0;
    if (!r->begun) {
        r->begun = true;
        r->foreign = hub_is_foreign_etag(&r->f->about, r->answer, r->f->plain) &&
                     r->size < r->f->about.length;
        r->ignored =
            !r->foreign && r->answer->status == 200 && (r->offset || r->size < r->f->about.length);
        r->wrong = r->answer->status == 206 &&
                   (!http_range_start(r->answer, &start) || start != r->offset + r->at);
    }
    if (r->foreign || r->ignored || r->wrong || data.size > r->size - r->at)
        return false;
    memcpy(r->to + r->at, data.data, data.size);
    r->at += data.size;
    return true;
}

static o2w_status one_answer(void *context, const char *url, struct diags *d,
                             struct http_answer *out)
{
    struct range *r = context;
    struct hub *h = r->f->hub;
    struct http_transfer t = { .request = { .url = url,
                                            .token = hub_token_for(h, url),
                                            .ranged = r->size < r->f->about.length,
                                            .first = r->offset + r->at,
                                            .last = r->offset + r->size - 1,
                                            .if_range = r->f->plain ? NULL : r->f->about.etag,
                                            .sink = on_data,
                                            .user = r } };
    o2w_status s = O2W_OK;
    r->begun = r->foreign = false;
    r->answer = &t.answer;
    TRY(http_begin(h->http, &t, d));
    while (!t.done && s == O2W_OK) {
        http_step(h->http);
        if (progress_poll(h->environment, "reading ranges", 0, 0) != O2W_OK)
            s = diag_error(d, DIAG_INTERRUPTED, "cancelled by the caller");
    }
    *out = t.answer;
    http_end(&t);
    if (!r->ignored && !r->wrong && !r->foreign)
        out->refused = false; /* more than was asked for: as any broken answer */
    return s;
}

static o2w_status fetch(struct range *r, struct diags *d)
{
    struct http_answer answer;
    TRY(hub_ask(r->f->hub, r->f->url, false, d, &answer, (struct hub_call){ one_answer, r }));
    if (r->foreign) {
        r->f->plain = true;
        TRY(hub_ask(r->f->hub, r->f->url, false, d, &answer, (struct hub_call){ one_answer, r }));
    }
    if (r->ignored)
        return O2W_OK;
    if (r->wrong)
        return diag_error(d, DIAG_HUB_PROTOCOL, "%s: another range came than was asked for",
                          r->f->request.path);
    if (r->at == r->size)
        return O2W_OK;
    if (answer.status != 200 && answer.status != 206)
        return hub_refused(&r->f->request, &answer, d);
    return diag_error(d, DIAG_HUB_PROTOCOL, "%s: the answer ends early", r->f->request.path);
}

static o2w_status fetch_whole(struct hub_file *f, struct diags *d)
{
    if (f->about.length > WHOLE_MOST)
        return diag_error(d, DIAG_HUB_NO_RANGE,
                          "%s/%s has %.1f GB and the server sends no ranges of it",
                          f->request.repository, f->request.path, (double)f->about.length / 1e9);
    struct range r = { .f = f, .size = (size_t)f->about.length };
    r.to = mem_alloc(f->hub->allocator, r.size);
    if (!r.to)
        return diag_memory(d);
    o2w_status s = fetch(&r, d);
    if (s == O2W_OK)
        f->whole = r.to;
    else
        mem_free(f->hub->allocator, r.to, r.size);
    return s;
}

o2w_status hub_file_read(struct hub_file *f, uint64_t offset, void *to, size_t size,
                         struct diags *d)
{
    if (offset > f->about.length || size > f->about.length - offset)
        return diag_error(d, DIAG_HUB_PROTOCOL, "%s ends before byte %llu", f->request.path,
                          (unsigned long long)offset + size);
    if (!f->whole) {
        struct range r = { .f = f, .to = to, .offset = offset, .size = size };
        if (size)
            TRY(fetch(&r, d));
        if (!r.ignored)
            return O2W_OK;
        TRY(fetch_whole(f, d));
    }
    if (size)
        memcpy(to, f->whole + offset, size);
    return O2W_OK;
}

o2w_status hub_file_unchanged(struct hub_file *f, struct diags *d)
{
    struct hub_about now;
    TRY(hub_head(f->hub, &f->request, d, &now));
    if (strcmp(now.etag, f->about.etag) == 0 && now.length == f->about.length)
        return O2W_OK;
    return diag_error(d, DIAG_HUB_CORRUPT, "%s/%s changed while it was read", f->request.repository,
                      f->request.path);
}
