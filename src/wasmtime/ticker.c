#include "wasmtime/ticker.h"

#include <errno.h>
#include <time.h>

/* It ticks again and again: a guest that is in a call of the host when the time is over runs on after it. */
enum { AGAIN_NS = 50 * 1000 * 1000, SECOND_NS = 1000000000 };

static void add_ns(struct timespec *t, uint64_t ns)
{
    uint64_t all = (uint64_t)t->tv_nsec + ns;
    t->tv_sec += (time_t)(all / SECOND_NS);
    t->tv_nsec = (long)(all % SECOND_NS);
}

static void *wait(void *user)
{
    struct ticker *t = user;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    add_ns(&until, t->ms * 1000000ull);
    pthread_mutex_lock(&t->lock);
    for (uint64_t late = 0; !t->stopped;) {
        if (pthread_cond_timedwait(&t->over, &t->lock, &until) != ETIMEDOUT)
            continue;
        t->tick(t->user);
        if (t->overdue && late >= t->overdue_ms * 1000000ull) {
            t->overdue(t->user);
            t->overdue = NULL;
        }
        late += AGAIN_NS;
        add_ns(&until, AGAIN_NS);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

bool ticker_start(struct ticker *t)
{
    pthread_condattr_t attributes;
    if (!t->ms)
        return true;
    pthread_mutex_init(&t->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&t->over, &attributes);
    pthread_condattr_destroy(&attributes);
    if (pthread_create(&t->thread, NULL, wait, t) == 0)
        return true;
    pthread_cond_destroy(&t->over);
    pthread_mutex_destroy(&t->lock);
    return false;
}

void ticker_stop(struct ticker *t)
{
    if (!t->ms)
        return;
    pthread_mutex_lock(&t->lock);
    t->stopped = true;
    pthread_cond_signal(&t->over);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    pthread_cond_destroy(&t->over);
    pthread_mutex_destroy(&t->lock);
}
