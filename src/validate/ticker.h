/* Asks the caller, while an engine works, whether to go on. */
#ifndef VALIDATE_TICKER_H
#define VALIDATE_TICKER_H

#include "base/diag.h"

#include <pthread.h>

/* Polls the environment's progress from a thread of its own, the caller's threads being inside an
 * engine, and raises `cancel` for it. */
struct ticker {
    const o2w_environment *environment;
    const char *stage;
    _Atomic bool cancel;
    bool running, done;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
};

/* Asks once itself: O2W_CANCELLED. Without a progress function it starts nothing. */
o2w_status ticker_begin(struct ticker *t, const o2w_environment *e, const char *stage,
                        struct diags *d);
void ticker_end(struct ticker *t);

#endif
