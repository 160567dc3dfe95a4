/* Making the session, with the caller's progress asked on the caller's thread meanwhile. */
#include "backend/onnxruntime/engine.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

enum { POLL_NS = 5 * 1000 * 1000 };

struct load {
    const struct engine *engine;
    struct ort_model *model;
    const struct ort_options *options;
    struct diags *diags;
    struct ort_session *session;
    o2w_status status;
    volatile bool cancelled;
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

static void poll_until_done(struct load *l, const o2w_environment *environment)
{
    pthread_mutex_lock(&l->lock);
    while (!l->done) {
        struct timespec until = next_poll();
        if (pthread_cond_timedwait(&l->ready, &l->lock, &until) != ETIMEDOUT || l->done)
            continue;
        pthread_mutex_unlock(&l->lock);
        if (environment->progress(environment->user, "compile", 0, 0) != 0)
            l->cancelled = true;
        pthread_mutex_lock(&l->lock);
    }
    pthread_mutex_unlock(&l->lock);
}

o2w_status onnxruntime_load(const struct engine *engine, struct ort_model *model,
                            const struct ort_options *options, struct diags *d,
                            struct ort_session **out)
{
    const o2w_environment *environment = engine->environment;
    pthread_t thread;
    if (!environment || !environment->progress)
        return ort_session_from_model(engine->ort, model, options, d, out);
    struct load l = { .engine = engine, .model = model, .options = options, .diags = d };
    if (pthread_mutex_init(&l.lock, NULL) != 0 || pthread_cond_init(&l.ready, NULL) != 0 ||
        pthread_create(&thread, NULL, load_thread, &l) != 0)
        return diag_error(d, DIAG_INTERNAL, "no thread can be started to load the model");
    poll_until_done(&l, environment);
    pthread_join(thread, NULL);
    pthread_cond_destroy(&l.ready);
    pthread_mutex_destroy(&l.lock);
    if (l.status == O2W_OK)
        *out = l.session;
    return l.status;
}
