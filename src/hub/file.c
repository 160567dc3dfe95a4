/* One file of a repository: asked for, locked, fetched, verified, linked. */
#include "hub/internal.h"

#include "base/intern.h"
#include "base/log.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PARALLEL_FROM = 64 << 20 };

o2w_status hub_progress(struct hub_download *g, uint64_t done, struct diags *d)
{
    double seconds = (double)(system_clock_ns() - g->begun_ns) / 1e9;
    double rate = seconds > 0.5 ? (double)g->fetched / seconds : 0;
    if (rate > 0)
        text_format(g->text, sizeof g->text, "download %.80s (%.1f MB/s, %.0f s left)", g->stage,
                    rate / 1e6, (double)(g->about->length - done) / rate);
    else
        text_format(g->text, sizeof g->text, "download %.80s", g->stage);
    if (progress_poll(g->hub->environment, g->text, done, g->about->length) == O2W_OK)
        return O2W_OK;
    return diag_error(d, DIAG_INTERRUPTED, "cancelled by the caller");
}

static bool has_length(const char *path, uint64_t length)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size == length;
}

/* Content of the etag at *path, or *wrong. Small files and servers without ranges: one request. */
static o2w_status fetch_once(struct hub_download *g, struct arena *a, struct diags *d,
                             const char **path, bool *wrong)
{
    bool no_ranges = false;
    *wrong = false;
    hub_digest_restart(g->digest);
    if (g->about->length >= PARALLEL_FROM && g->hub->jobs > 1) {
        TRY(hub_fetch_parallel(g, a, d, path, wrong, &no_ranges));
        if (!no_ranges)
            return O2W_OK;
        hub_digest_restart(g->digest);
    }
    return hub_fetch_sequential(g, a, d, path, wrong);
}

static o2w_status place(const char *from, const char *blob, struct arena *a, struct diags *d)
{
    char words[ERRNO_TEXT];
    if (rename(from, blob) != 0)
        return diag_error(d, DIAG_FILE_WRITE, "cannot make '%s': %s", blob,
                          text_of_errno(errno, words));
    const char *map = arena_printf(a, "%s.map", from);
    if (map)
        (void)unlink(map);
    return O2W_OK;
}

/* With wrong content it is fetched once more, from nothing. */
static o2w_status fetch(struct hub_download *g, const char *blob, struct arena *a, struct diags *d)
{
    for (int try = 0; try < 2; try++) {
        const char *path;
        bool wrong;
        TRY(fetch_once(g, a, d, &path, &wrong));
        if (!wrong)
            return place(path, blob, a, d);
        (void)unlink(path);
    }
    return diag_error(d, DIAG_HUB_CORRUPT,
                      "%s/%s: what was received is not what its etag %s says, twice",
                      g->request->repository, g->request->path, g->about->etag);
}

/* Whether the blob must be fetched anew although it is there: once for each file. */
static bool must_refresh(struct hub *h, const struct hub_request *r, const char *blob)
{
    uint32_t *value;
    bool added = false;
    (void)r;
    return h->refresh && map_insert(h->refreshed, span_of(blob), 1, &value, &added) == O2W_OK &&
           added;
}

static o2w_status get_blob(struct hub *h, const struct hub_request *r, const struct hub_places *p,
                           const struct hub_about *about, struct arena *a, struct diags *d,
                           uint64_t *downloaded)
{
    const char *blob = arena_printf(a, "%s/%s", p->blobs, about->etag);
    struct hub_download g = { .hub = h,
                              .request = r,
                              .about = about,
                              .places = p,
                              .stage = r->path,
                              .begun_ns = system_clock_ns() };
    g.url = hub_url(h, r->repository, r->revision ? r->revision : "main", r->path, a);
    g.digest = hub_digest_new(about->etag, about->length, a);
    const char *kept = blob ? arena_text(&h->arena, span_of(blob)) : NULL;
    if (!kept || !g.url || !g.digest)
        return diag_memory(d);
    if (has_length(blob, about->length) && !must_refresh(h, r, kept))
        return O2W_OK;
    TRY(folder_create(p->blobs, 0777, d));
    o2w_status s = fetch(&g, blob, a, d);
    *downloaded += g.fetched;
    return s;
}

static o2w_status get_file(struct hub *h, const struct hub_request *r, struct arena *a,
                           struct diags *d, struct hub_about *about, uint64_t *downloaded)
{
    struct hub_places p;
    int lock;
    const char *what = arena_printf(a, "%s/%s", r->repository, r->path);
    TRY(hub_places(h, r->repository, a, d, &p));
    TRY(hub_online(h, what ? what : r->path, d));
    TRY(hub_head(h, r, d, about));
    TRY(hub_lock(h, &p, about->etag, d, &lock));
    o2w_status s = get_blob(h, r, &p, about, a, d, downloaded);
    close(lock);
    if (s == O2W_OK)
        s = hub_link(&p, r, about, a, d);
    return s;
}

o2w_status hub_get_file(struct hub *h, const struct hub_request *r, struct diags *d,
                        struct hub_about *about, uint64_t *downloaded)
{
    struct arena a; /* buffers of a download do not outlive it */
    arena_init(&a, h->allocator);
    o2w_status s = get_file(h, r, &a, d, about, downloaded);
    arena_free(&a);
    return s;
}
