/* One thread per host that ends what takes too long; started at the first deadline. */
#include "wasi/host.h"

#include <time.h>

void watchdog_init(struct nn_watchdog *w)
{
    pthread_condattr_t attributes;
    pthread_mutex_init(&w->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&w->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* What a call is due for; when it is due next. */
static uint64_t attend(struct nn_watched *c, uint64_t now)
{
    if (c->deadline_ns > now)
        return c->deadline_ns;
    *c->stop = true;
    if (c->overdue_ns && c->overdue_ns <= now) {
        c->overdue_ns = 0;
        c->overdue(c->user, c->what);
    }
    return c->overdue_ns ? c->overdue_ns : UINT64_MAX;
}

static uint64_t stop_due(struct nn_watchdog *w)
{
    uint64_t now = system_clock_ns(), next = UINT64_MAX;
    for (struct nn_watched *c = w->first; c; c = c->next) {
        uint64_t due = attend(c, now);
        next = due < next ? due : next;
    }
    return next;
}

static void *watch(void *user)
{
    struct nn_watchdog *w = user;
    pthread_mutex_lock(&w->lock);
    while (!w->quit) {
        w->next_ns = stop_due(w);
        struct timespec until = { .tv_sec = (time_t)(w->next_ns / 1000000000),
                                  .tv_nsec = (long)(w->next_ns % 1000000000) };
        if (w->next_ns == UINT64_MAX)
            pthread_cond_wait(&w->changed, &w->lock);
        else
            pthread_cond_timedwait(&w->changed, &w->lock, &until);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

bool watchdog_begin(struct nn_watchdog *w, struct nn_watched *call)
{
    if (call->deadline_ns == UINT64_MAX)
        return true;
    pthread_mutex_lock(&w->lock);
    if (!w->running) {
        w->next_ns = 0;
        w->running = pthread_create(&w->thread, NULL, watch, w) == 0;
    }
    bool running = call->linked = w->running;
    if (running) {
        call->next = w->first;
        call->link = &w->first;
        if (w->first)
            w->first->link = &call->next;
        w->first = call;
        if (call->deadline_ns < w->next_ns)
            pthread_cond_signal(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
    return running;
}

void watchdog_end(struct nn_watchdog *w, struct nn_watched *call)
{
    if (!call->linked)
        return;
    pthread_mutex_lock(&w->lock);
    *call->link = call->next;
    if (call->next)
        call->next->link = call->link;
    call->linked = false;
    pthread_mutex_unlock(&w->lock);
}

void watchdog_free(struct nn_watchdog *w)
{
    if (w->running) {
        pthread_mutex_lock(&w->lock);
        w->quit = true;
        pthread_cond_signal(&w->changed);
        pthread_mutex_unlock(&w->lock);
        pthread_join(w->thread, NULL);
    }
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
}
