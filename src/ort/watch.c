/* One thread that looks at the cancels of all calls under way. It sleeps while there is none. */
#include "ort/internal.h"

#include <pthread.h>
#include <time.h>

enum { TICK_NS = 2 * 1000 * 1000, IDLE_TICKS = 250 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static struct watch *watches;
static bool running, sleeping;

static bool is_due(const struct ort_cancel *c)
{
    return (c->flag && *c->flag) || (c->deadline_ns && system_clock_ns() >= c->deadline_ns);
}

static void fire_due(void)
{
    for (struct watch *w = watches; w; w = w->next)
        if (!w->fired && is_due(w->cancel)) {
            w->fired = true;
            w->fire(w->user);
        }
}

/* Between two calls that follow each other closely it keeps ticking: waking it costs more. */
static void *watch_thread(void *unused)
{
    unsigned idle = 0;
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        idle = watches ? 0 : idle + 1;
        if (idle > IDLE_TICKS) {
            sleeping = true;
            while (!watches)
                pthread_cond_wait(&work, &lock);
            sleeping = false;
            idle = 0;
        }
        pthread_mutex_unlock(&lock);
        nanosleep(&(struct timespec){ .tv_nsec = TICK_NS }, NULL);
        pthread_mutex_lock(&lock);
        fire_due();
    }
    return NULL;
}

/* Called with the lock held. */
static bool start_thread(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    if (running)
        return true;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    running = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0 &&
              pthread_create(&thread, &attributes, watch_thread, NULL) == 0;
    pthread_attr_destroy(&attributes);
    return running;
}

o2w_status watch_cancelled(const struct ort_cancel *cancel, const char *what, struct diags *d)
{
    bool asked = cancel->flag && *cancel->flag;
    return diag_error(d, DIAG_INTERRUPTED, "%s was ended: %s", what,
                      asked ? "cancelled by the caller" : "its time is over");
}

o2w_status watch_begin(struct watch *w, struct diags *d)
{
    w->fired = w->linked = false;
    if (!w->cancel || (!w->cancel->flag && !w->cancel->deadline_ns))
        return O2W_OK;
    if (is_due(w->cancel))
        return watch_cancelled(w->cancel, "the call", d);
    pthread_mutex_lock(&lock);
    bool started = start_thread();
    if (started) {
        *w = (struct watch){
            .cancel = w->cancel, .fire = w->fire, .user = w->user, .linked = true, .next = watches
        };
        if (watches)
            watches->previous = w;
        watches = w;
        if (sleeping)
            pthread_cond_signal(&work);
    }
    pthread_mutex_unlock(&lock);
    return started
               ? O2W_OK
               : diag_error(d, DIAG_INTERNAL, "no thread can be started to watch for cancellation");
}

bool watch_end(struct watch *w)
{
    if (!w->linked)
        return false;
    pthread_mutex_lock(&lock);
    if (w->previous)
        w->previous->next = w->next;
    else
        watches = w->next;
    if (w->next)
        w->next->previous = w->previous;
    w->linked = false;
    pthread_mutex_unlock(&lock);
    return w->fired;
}
