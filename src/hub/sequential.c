/* One request for what is left of a file, into blobs/<etag>.incomplete. */
#include "hub/internal.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct sequential {
    struct hub_download *g;
    struct http_request request;
    const char *path;
    int file;
    uint64_t at; /* bytes that are in the file and in the digest */
    bool begun;  /* the answer was looked at */
    bool plain;  /* ranges are asked for without If-Range */
    bool foreign;
    const struct http_answer *answer;
    int error;
};

static o2w_status write_failed(const struct sequential *q, int error, struct diags *d)
{
    char words[ERRNO_TEXT];
    return diag_error(d, error == ENOSPC || error == EDQUOT ? DIAG_FILE_SPACE : DIAG_FILE_WRITE,
                      "cannot write '%s': %s", q->path, text_of_errno(error, words));
}

/* Writes all of it at the place; 0 or an errno. */
static int write_all(int file, struct span data, uint64_t at)
{
    while (data.size) {
        ssize_t size = pwrite(file, data.data, data.size, (off_t)at);
        if (size < 0 && errno != EINTR)
            return errno;
        if (size > 0) {
            data = (struct span){ data.data + size, data.size - (size_t)size };
            at += (uint64_t)size;
        }
    }
    return 0;
}

static bool start_over(struct sequential *q)
{
    q->at = 0;
    hub_digest_restart(q->g->digest);
    return ftruncate(q->file, 0) == 0;
}

static bool on_data(void *user, struct span data)
{
    struct sequential *q = user;
    if (q->at + data.size > q->g->about->length) {
        q->error = EFBIG; /* more than was announced: not that file */
        return false;
    }
    q->error = write_all(q->file, data, q->at);
    if (q->error)
        return false;
    hub_digest_add(q->g->digest, data);
    q->at += data.size;
    q->g->fetched += data.size;
    return true;
}

/* What is asked for now: the rest, where there is something. */
static void ask_rest(struct sequential *q)
{
    q->request.ranged = q->at > 0;
    q->request.first = q->at;
    q->request.last = UINT64_MAX;
    q->request.if_range = q->plain ? NULL : q->g->about->etag;
    q->begun = q->foreign = false;
    q->error = 0;
}

/* The digest of what an earlier download left. */
static o2w_status read_partial(struct sequential *q, struct arena *a, struct diags *d)
{
    enum { BLOCK = 1 << 20 };
    struct stat st;
    uint8_t *buffer = arena_alloc(a, BLOCK, 16);
    if (!buffer)
        return diag_memory(d);
    if (fstat(q->file, &st) != 0 || (uint64_t)st.st_size > q->g->about->length)
        return start_over(q) ? O2W_OK : write_failed(q, errno, d);
    while (q->at < (uint64_t)st.st_size) {
        ssize_t size = pread(q->file, buffer, BLOCK, (off_t)q->at);
        if (size <= 0 && errno != EINTR)
            return start_over(q) ? O2W_OK : write_failed(q, errno, d);
        if (size > 0) {
            hub_digest_add(q->g->digest, (struct span){ buffer, (size_t)size });
            q->at += (uint64_t)size;
        }
    }
    return O2W_OK;
}

/* The body goes where the answer's status says it belongs. */
static bool sink(void *user, struct span data)
{
    struct sequential *q = user;
    uint64_t start = 0;
    if (!q->begun) {
        q->begun = true;
        bool continues =
            q->answer->status == 206 && http_range_start(q->answer, &start) && start == q->at;
        q->foreign = q->request.ranged && hub_is_foreign_etag(q->g->about, q->answer, q->plain);
        if (q->foreign)
            return false;
        if (!continues && q->answer->status == 206) {
            q->error = ESPIPE; /* a range that was not asked for */
            return false;
        }
        if (!continues && !start_over(q)) {
            q->error = errno;
            return false;
        }
    }
    return on_data(q, data);
}

static o2w_status one_answer(void *context, const char *url, struct diags *d,
                             struct http_answer *out)
{
    struct sequential *q = context;
    struct hub *h = q->g->hub;
    struct http_transfer t = { .request = q->request };
    o2w_status s = O2W_OK;
    t.request.url = url;
    t.request.token = hub_token_for(h, url);
    t.request.sink = sink;
    t.request.user = q;
    q->answer = &t.answer;
    TRY(http_begin(h->http, &t, d));
    while (!t.done && s == O2W_OK) {
        http_step(h->http);
        s = hub_progress(q->g, q->at, d);
    }
    *out = t.answer;
    http_end(&t);
    q->answer = NULL;
    return s;
}

/* Whether the file is whole, or worth another try. */
static o2w_status judge(struct sequential *q, const struct http_answer *a, struct diags *d,
                        bool *again)
{
    *again = q->foreign;
    q->plain |= q->foreign;
    if (q->foreign || q->error == EFBIG)
        return O2W_OK;
    if (a->status == 416)
        return O2W_OK; /* the file ends before the length that was said: not that file */
    if (q->error == ESPIPE) {
        *again = true;
        return start_over(q) ? O2W_OK : write_failed(q, errno, d);
    }
    if (q->error)
        return write_failed(q, q->error, d);
    if (hub_is_transient(a)) {
        *again = true;
        return O2W_OK;
    }
    if (a->status != 200 && a->status != 206)
        return hub_refused(q->g->request, a, d);
    *again = q->at < q->g->about->length; /* closed early without a word */
    return O2W_OK;
}

static o2w_status fetch(struct sequential *q, struct arena *a, struct diags *d)
{
    struct http_answer answer = { 0 };
    bool again = true;
    for (unsigned try = 1; q->at < q->g->about->length || try == 1; try++) {
        uint64_t before = q->at;
        if (q->at == q->g->about->length && q->at)
            return O2W_OK;
        ask_rest(q);
        TRY(hub_follow(q->g->url, false, a, d, &answer, (struct hub_call){ one_answer, q }));
        TRY(judge(q, &answer, d, &again));
        if (!again)
            return O2W_OK;
        if (q->at > before)
            try = 1; /* it moves */
        if (try >= HUB_TRIES)
            return hub_gave_up(q->g->url, &answer, d);
        TRY(hub_pause(q->g->hub, hub_delay(&answer, try + 1), d));
    }
    return O2W_OK;
}

static o2w_status fetch_and_check(struct sequential *q, struct arena *a, struct diags *d,
                                  bool *wrong)
{
    TRY(read_partial(q, a, d));
    TRY(hub_check_space(q->g->places->blobs, q->g->about->length - q->at, d));
    TRY(fetch(q, a, d));
    *wrong = q->at != q->g->about->length || q->error == EFBIG ||
             !hub_digest_matches(q->g->digest, q->g->about->etag);
    if (!*wrong && fsync(q->file) != 0)
        return write_failed(q, errno, d);
    return O2W_OK;
}

o2w_status hub_fetch_sequential(struct hub_download *g, struct arena *a, struct diags *d,
                                const char **path, bool *wrong)
{
    struct sequential q = { .g = g };
    q.path = arena_printf(a, "%s/%s.incomplete", g->places->blobs, g->about->etag);
    if (!q.path)
        return diag_memory(d);
    *path = q.path;
    q.file = open(q.path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (q.file < 0)
        return write_failed(&q, errno, d);
    o2w_status s = fetch_and_check(&q, a, d, wrong);
    close(q.file);
    return s;
}
