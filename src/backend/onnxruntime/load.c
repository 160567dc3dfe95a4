/* Making the session, while the caller's thread asks its progress and keeps memory down. */
#include "backend/onnxruntime/engine.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { POLL_NS = 5 * 1000 * 1000, MANY_BYTES = 32 << 20 };

struct load {
    const struct engine *engine;
    struct ort_model *model;
    const struct ort_options *options;
    const struct emit *packed;
    struct diags *diags;
    struct ort_session *session;
    o2w_status status;
    _Atomic bool cancelled;
    bool done;
    pthread_mutex_t lock;
    pthread_cond_t ready;
};

static void *load_thread(void *user)
{
    struct load *l = user;
    struct ort_options options = *l->options;
    options.cancel.flag = &l->cancelled;
    o2w_status status =
        ort_session_from_model(l->engine->ort, l->model, &options, l->diags, &l->session);
    pthread_mutex_lock(&l->lock);
    l->status = status;
    l->done = true;
    pthread_cond_signal(&l->ready);
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

static struct timespec next_poll(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += POLL_NS;
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    return t;
}

/* Weights that were packed are hardly read again: their pages leave memory, and come back from the
 * file where one is. */
static void release_pages(const struct emit *e)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < e->mapped.count; i++) {
        struct span s = e->mapped.items[i];
        uintptr_t from = ((uintptr_t)s.data + page - 1) / page * page;
        uintptr_t to = ((uintptr_t)s.data + s.size) / page * page;
        if (from < to)
            madvise((void *)from, to - from, MADV_DONTNEED);
    }
}

static bool has_many_bytes(const struct emit *e)
{
    uint64_t bytes = 0;
    for (size_t i = 0; e && i < e->mapped.count; i++)
        bytes += e->mapped.items[i].size;
    return bytes >= MANY_BYTES;
}

static bool asks_progress(const struct engine *engine)
{
    return engine->environment && engine->environment->progress;
}

static void poll_once(struct load *l)
{
    const o2w_environment *environment = l->engine->environment;
    if (l->packed)
        release_pages(l->packed);
    if (asks_progress(l->engine) && environment->progress(environment->user, "compile", 0, 0) != 0)
        l->cancelled = true;
}

static void poll_until_done(struct load *l)
{
    pthread_mutex_lock(&l->lock);
    while (!l->done) {
        struct timespec until = next_poll();
        if (pthread_cond_timedwait(&l->ready, &l->lock, &until) != ETIMEDOUT || l->done)
            continue;
        pthread_mutex_unlock(&l->lock);
        poll_once(l);
        pthread_mutex_lock(&l->lock);
    }
    pthread_mutex_unlock(&l->lock);
}

static o2w_status load_polled(const struct engine *engine, struct ort_model *model,
                              const struct ort_options *options, const struct emit *packed,
                              struct diags *d, struct ort_session **out)
{
    pthread_t thread;
    struct load l = {
        .engine = engine,
        .model = model,
        .options = options,
        .packed = has_many_bytes(packed) ? packed : NULL,
        .diags = d,
    };
    if (pthread_mutex_init(&l.lock, NULL) != 0 || pthread_cond_init(&l.ready, NULL) != 0 ||
        pthread_create(&thread, NULL, load_thread, &l) != 0)
        return diag_error(d, DIAG_INTERNAL, "no thread can be started to load the model");
    poll_until_done(&l);
    pthread_join(thread, NULL);
    pthread_cond_destroy(&l.ready);
    pthread_mutex_destroy(&l.lock);
    if (l.status == O2W_OK)
        *out = l.session;
    return l.status;
}

o2w_status onnxruntime_load(const struct engine *engine, struct ort_model *model,
                            const struct ort_options *options, const struct emit *packed,
                            struct diags *d, struct ort_session **out)
{
    bool polls = has_many_bytes(packed) || asks_progress(engine);
    o2w_status status = polls ? load_polled(engine, model, options, packed, d, out)
                              : ort_session_from_model(engine->ort, model, options, d, out);
    if (packed)
        release_pages(packed);
    return status;
}
