/* Several ranges of a large file at a time, each into its place. Never under the name `.incomplete`, whose length
 * other clients take for progress. */
#include "hub/internal.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 16 << 20, JOBS_MOST = 64 };

/* A range on its way. */
struct lane {
    struct parallel *p;
    struct http_transfer transfer;
    uint64_t chunk, at; /* `at`: bytes of it that are written */
    unsigned tries;
    uint64_t wait_until_ns;
    bool active, begun, plain, foreign; /* plain: this one was asked without If-Range */
    char *url;                          /* after redirects */
    unsigned redirects;
};

struct parallel {
    struct hub_download *g;
    const char *path, *map_path;
    int file, map;
    uint64_t chunks, next, finished, hashed; /* chunks */
    uint8_t *done;                           /* one byte for each chunk */
    uint64_t bytes;                          /* that are there */
    bool no_ranges, plain;                   /* plain: ranges are asked for without If-Range */
    int error;
    struct lane lanes[JOBS_MOST];
    unsigned lane_count;
    struct arena *arena;
    uint8_t *buffer;
};

static uint64_t chunk_size(const struct parallel *p, uint64_t chunk)
{
    uint64_t left = p->g->about->length - chunk * CHUNK;
    return left < CHUNK ? left : CHUNK;
}

static o2w_status write_failed(const struct parallel *p, int error, struct diags *d)
{
    char words[ERRNO_TEXT];
    return diag_error(d, error == ENOSPC || error == EDQUOT ? DIAG_FILE_SPACE : DIAG_FILE_WRITE,
                      "cannot write '%s': %s", p->path, text_of_errno(error, words));
}

/* --- what an earlier download left -------------------------------------------------------------------- */

static o2w_status open_files(struct parallel *p, struct diags *d)
{
    struct stat st, map;
    p->file = open(p->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    p->map = open(p->map_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (p->file < 0 || p->map < 0 || fstat(p->file, &st) != 0 || fstat(p->map, &map) != 0)
        return write_failed(p, errno, d);
    bool fits = (uint64_t)st.st_size == p->g->about->length && (uint64_t)map.st_size == p->chunks &&
                hub_digest_of(p->g->about->etag) != HUB_DIGEST_NONE &&
                pread(p->map, p->done, p->chunks, 0) == (ssize_t)p->chunks;
    if (!fits) {
        memset(p->done, 0, p->chunks);
        if (ftruncate(p->file, 0) != 0 || ftruncate(p->map, 0) != 0 ||
            ftruncate(p->file, (off_t)p->g->about->length) != 0 ||
            ftruncate(p->map, (off_t)p->chunks) != 0)
            return write_failed(p, errno, d);
    }
    for (uint64_t i = 0; i < p->chunks; i++) {
        p->done[i] = p->done[i] == 1;
        p->finished += p->done[i];
        p->bytes += p->done[i] ? chunk_size(p, i) : 0;
    }
    return O2W_OK;
}

/* The digest moves over all chunks that are there from the start on. */
static o2w_status hash_ready(struct parallel *p, struct diags *d)
{
    while (p->hashed < p->chunks && p->done[p->hashed]) {
        size_t size = (size_t)chunk_size(p, p->hashed);
        size_t at = 0;
        while (at < size) {
            ssize_t part = pread(p->file, p->buffer, size - at, (off_t)(p->hashed * CHUNK + at));
            if (part <= 0 && errno != EINTR)
                return diag_error(d, DIAG_FILE_READ, "cannot read '%s' again", p->path);
            if (part > 0) {
                hub_digest_add(p->g->digest, (struct span){ p->buffer, (size_t)part });
                at += (size_t)part;
            }
        }
        p->hashed++;
    }
    return O2W_OK;
}

/* --- lanes -------------------------------------------------------------------------------------------- */

static bool sink(void *user, struct span data)
{
    struct lane *l = user;
    struct parallel *p = l->p;
    uint64_t start = 0, place = l->chunk * CHUNK + l->at;
    if (!l->begun) {
        l->begun = true;
        if (l->transfer.answer.status != 206 || !http_range_start(&l->transfer.answer, &start) ||
            start != place) {
            l->foreign = hub_is_foreign_etag(p->g->about, &l->transfer.answer, l->plain);
            p->no_ranges |= l->transfer.answer.status == 200 && !l->foreign;
            return false;
        }
    }
    if (data.size > chunk_size(p, l->chunk) - l->at)
        return false;
    for (size_t at = 0; at < data.size;) {
        ssize_t size = pwrite(p->file, data.data + at, data.size - at, (off_t)(place + at));
        if (size < 0 && errno != EINTR) {
            p->error = errno;
            return false;
        }
        at += size > 0 ? (size_t)size : 0;
    }
    l->at += data.size;
    p->bytes += data.size;
    p->g->fetched += data.size;
    return true;
}

static o2w_status begin(struct lane *l, struct diags *d)
{
    struct parallel *p = l->p;
    uint64_t first = l->chunk * CHUNK;
    l->transfer.request = (struct http_request){ .url = l->url,
                                                 .token = hub_token_for(p->g->hub, l->url),
                                                 .ranged = true,
                                                 .first = first + l->at,
                                                 .last = first + chunk_size(p, l->chunk) - 1,
                                                 .if_range = p->plain ? NULL : p->g->about->etag,
                                                 .sink = sink,
                                                 .user = l };
    l->begun = l->foreign = false;
    l->plain = p->plain;
    l->active = true;
    return http_begin(p->g->hub->http, &l->transfer, d);
}

static uint64_t next_chunk(struct parallel *p)
{
    while (p->next < p->chunks && p->done[p->next])
        p->next++;
    return p->next < p->chunks ? p->next++ : p->chunks;
}

static o2w_status take_chunk(struct lane *l, struct diags *d)
{
    struct parallel *p = l->p;
    l->chunk = next_chunk(p);
    l->at = 0;
    l->tries = 1;
    l->redirects = 0;
    l->active = false;
    if (l->chunk == p->chunks)
        return O2W_OK;
    l->url = arena_text(p->arena, span_of(p->g->url));
    return l->url ? begin(l, d) : diag_memory(d);
}

static o2w_status chunk_done(struct lane *l, struct diags *d)
{
    struct parallel *p = l->p;
    const uint8_t one = 1;
    if (pwrite(p->map, &one, 1, (off_t)l->chunk) != 1)
        return write_failed(p, errno, d);
    p->done[l->chunk] = 1;
    p->finished++;
    TRY(hash_ready(p, d));
    return take_chunk(l, d);
}

static o2w_status try_again(struct lane *l, const struct http_answer *a, struct diags *d)
{
    if (++l->tries > HUB_TRIES)
        return hub_gave_up(l->p->g->url, a, d);
    l->wait_until_ns = system_clock_ns() + (uint64_t)(hub_delay(a, l->tries) * 1e9);
    return O2W_OK;
}

/* A transfer came to its end. */
static o2w_status settle(struct lane *l, struct diags *d)
{
    struct parallel *p = l->p;
    struct http_answer a = l->transfer.answer;
    http_end(&l->transfer);
    if (p->error)
        return write_failed(p, p->error, d);
    if (p->no_ranges)
        return O2W_OK;
    if (l->foreign) {
        p->plain = true;
        return begin(l, d);
    }
    if (hub_is_redirect(a.status) && !a.problem[0]) {
        char *next = NULL;
        TRY(hub_redirect(l->url, &a, l->redirects++, p->arena, d, &next));
        l->url = next;
        return begin(l, d);
    }
    if (l->at == chunk_size(p, l->chunk))
        return chunk_done(l, d);
    if (hub_is_transient(&a) || a.status == 206 || a.refused)
        return try_again(l, &a, d);
    return hub_refused(p->g->request, &a, d);
}

static o2w_status step_lane(struct lane *l, struct diags *d)
{
    if (!l->active)
        return O2W_OK;
    if (l->transfer.http && l->transfer.done)
        return settle(l, d);
    if (l->transfer.http || system_clock_ns() < l->wait_until_ns)
        return O2W_OK;
    l->url = arena_text(l->p->arena, span_of(l->p->g->url));
    l->redirects = 0;
    return l->url ? begin(l, d) : diag_memory(d);
}

static o2w_status run(struct parallel *p, struct diags *d)
{
    TRY(hash_ready(p, d));
    for (unsigned i = 0; i < p->lane_count; i++)
        TRY(take_chunk(&p->lanes[i], d));
    while (p->finished < p->chunks && !p->no_ranges) {
        http_step(p->g->hub->http);
        TRY(hub_progress(p->g, p->bytes, d));
        for (unsigned i = 0; i < p->lane_count && !p->no_ranges; i++)
            TRY(step_lane(&p->lanes[i], d));
    }
    return O2W_OK;
}

static o2w_status fetch(struct parallel *p, struct diags *d, bool *wrong)
{
    TRY(open_files(p, d));
    TRY(hub_check_space(p->g->places->blobs, p->g->about->length - p->bytes, d));
    o2w_status s = run(p, d);
    for (unsigned i = 0; i < p->lane_count; i++)
        http_end(&p->lanes[i].transfer);
    TRY(s);
    if (p->no_ranges)
        return O2W_OK;
    *wrong = !hub_digest_matches(p->g->digest, p->g->about->etag);
    if (!*wrong && fsync(p->file) != 0)
        return write_failed(p, errno, d);
    return O2W_OK;
}

static o2w_status prepare(struct parallel *p, struct arena *a, struct diags *d)
{
    struct hub_download *g = p->g;
    p->chunks = (g->about->length + CHUNK - 1) / CHUNK;
    p->lane_count = g->hub->jobs < JOBS_MOST ? g->hub->jobs : JOBS_MOST;
    p->arena = a;
    p->file = p->map = -1;
    p->path = arena_printf(a, "%s/%s.o2w-part", g->places->blobs, g->about->etag);
    p->map_path = p->path ? arena_printf(a, "%s.map", p->path) : NULL;
    p->done = arena_array(a, (size_t)p->chunks, 1, 1);
    p->buffer = arena_alloc(a, CHUNK, 64);
    for (unsigned i = 0; i < p->lane_count; i++)
        p->lanes[i].p = p;
    return p->map_path && p->done && p->buffer ? O2W_OK : diag_memory(d);
}

o2w_status hub_fetch_parallel(struct hub_download *g, struct arena *a, struct diags *d,
                              const char **path, bool *wrong, bool *no_ranges)
{
    struct parallel *p = ARENA_NEW(a, struct parallel);
    if (!p)
        return diag_memory(d);
    p->g = g;
    TRY(prepare(p, a, d));
    o2w_status s = fetch(p, d, wrong);
    if (p->file >= 0)
        close(p->file);
    if (p->map >= 0)
        close(p->map);
    *path = p->path;
    *no_ranges = p->no_ranges;
    if (s == O2W_OK && (p->no_ranges || *wrong)) {
        (void)unlink(p->path);
        (void)unlink(p->map_path);
    }
    return s;
}
