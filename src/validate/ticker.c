#include "validate/ticker.h"

#include "base/log.h"

#include <errno.h>
#include <time.h>

enum { PERIOD_NS = 20 * 1000 * 1000 };

static void wait_period(struct ticker *t)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PERIOD_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    while (!t->done && pthread_cond_timedwait(&t->wake, &t->lock, &until) != ETIMEDOUT)
        ;
}

static void *tick(void *user)
{
    struct ticker *t = user;
    pthread_mutex_lock(&t->lock);
    while (!t->done) {
        wait_period(t);
        if (!t->done && progress_poll(t->environment, t->stage, 0, 0) != O2W_OK)
            t->cancel = true;
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

o2w_status ticker_begin(struct ticker *t, const o2w_environment *e, const char *stage,
                        struct diags *d)
{
    *t = (struct ticker){ .environment = e, .stage = stage };
    if (progress_poll(e, stage, 0, 0) != O2W_OK)
        return diag_error(d, DIAG_INTERRUPTED, "cancelled by the caller");
    if (!progress_wanted(e))
        return O2W_OK;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->wake, NULL);
    if (pthread_create(&t->thread, NULL, tick, t) != 0) {
        pthread_cond_destroy(&t->wake);
        pthread_mutex_destroy(&t->lock);
        return diag_error(d, DIAG_INTERNAL, "no thread can be started to watch for cancellation");
    }
    t->running = true;
    return O2W_OK;
}

void ticker_end(struct ticker *t)
{
    if (!t->running)
        return;
    pthread_mutex_lock(&t->lock);
    t->done = true;
    pthread_cond_signal(&t->wake);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    pthread_cond_destroy(&t->wake);
    pthread_mutex_destroy(&t->lock);
    t->running = false;
}
