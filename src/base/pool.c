#include "base/system.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

struct pool {
    o2w_allocator allocator;
    pthread_t *workers;
    unsigned worker_count, workers_asked;

    pthread_mutex_t run; /* held by the one caller of pool_run */
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    unsigned tickets; /* workers that may still join this run */
    unsigned active;  /* tickets not given back */
    bool stop;

    void (*part)(void *user, size_t index);
    void *user;
    size_t count;
    atomic_size_t next;
};

static void run_parts(struct pool *p)
{
    for (;;) {
        size_t index = atomic_fetch_add_explicit(&p->next, 1, memory_order_relaxed);
        if (index >= p->count)
            return;
        p->part(p->user, index);
    }
}

static void *work(void *argument)
{
    struct pool *p = argument;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->tickets == 0 && !p->stop)
            pthread_cond_wait(&p->work, &p->lock);
        if (p->stop)
            break;
        p->tickets--;
        pthread_mutex_unlock(&p->lock);
        run_parts(p);
        pthread_mutex_lock(&p->lock);
        if (--p->active == 0)
            pthread_cond_signal(&p->done);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Signals are for the program's own threads. Fewer workers than asked for change no result. */
static void start_workers(struct pool *p)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (p->worker_count < p->workers_asked &&
           pthread_create(&p->workers[p->worker_count], NULL, work, p) == 0)
        p->worker_count++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

o2w_status pool_create(unsigned threads, const o2w_allocator *allocator, struct pool **out)
{
    if (threads == 0)
        threads = system_cores();
    struct pool *p = mem_alloc(allocator, sizeof *p);
    pthread_t *workers = mem_alloc(allocator, threads * sizeof *workers);
    if (!p || !workers) {
        mem_free(allocator, p, sizeof *p);
        mem_free(allocator, workers, threads * sizeof *workers);
        return O2W_NO_MEMORY;
    }
    *p = (struct pool){ .workers = workers, .workers_asked = threads - 1 };
    p->allocator = allocator ? *allocator : mem_default;
    pthread_mutex_init(&p->run, NULL);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->done, NULL);
    start_workers(p);
    *out = p;
    return O2W_OK;
}

void pool_free(struct pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < p->worker_count; i++)
        pthread_join(p->workers[i], NULL);
    pthread_cond_destroy(&p->done);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
    pthread_mutex_destroy(&p->run);
    o2w_allocator allocator = p->allocator;
    mem_free(&allocator, p->workers, (p->workers_asked + 1) * sizeof *p->workers);
    mem_free(&allocator, p, sizeof *p);
}

unsigned pool_threads(const struct pool *p)
{
    return p ? p->worker_count + 1 : 1;
}

static void invite(struct pool *p, unsigned helpers)
{
    pthread_mutex_lock(&p->lock);
    p->tickets = p->active = helpers;
    for (unsigned i = 0; i < helpers; i++)
        pthread_cond_signal(&p->work);
    pthread_mutex_unlock(&p->lock);
}

/* Waits for those who came; nobody else may join. */
static void wait_for_helpers(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->active -= p->tickets;
    p->tickets = 0;
    while (p->active)
        pthread_cond_wait(&p->done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

void pool_run(struct pool *p, size_t count, void (*part)(void *user, size_t index), void *user)
{
    if (!p || p->worker_count == 0 || count < 2) {
        for (size_t i = 0; i < count; i++)
            part(user, i);
        return;
    }
    pthread_mutex_lock(&p->run);
    p->part = part;
    p->user = user;
    p->count = count;
    atomic_store_explicit(&p->next, 0, memory_order_relaxed);
    invite(p, count - 1 < p->worker_count ? (unsigned)(count - 1) : p->worker_count);
    run_parts(p);
    wait_for_helpers(p);
    pthread_mutex_unlock(&p->run);
}
