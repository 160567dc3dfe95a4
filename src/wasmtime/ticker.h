/* A thread that does one thing again and again when a time is over, and another once where that does not help. */
#ifndef WASMTIME_TICKER_H
#define WASMTIME_TICKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct ticker {
    void (*tick)(void *user);
    void (*overdue)(void *user); /* or NULL */
    void *user;
    uint32_t ms;         /* 0: never */
    uint32_t overdue_ms; /* after ms */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool stopped;
};

/* False when no thread can be had. */
bool ticker_start(struct ticker *t);
/* Afterwards it does not tick. */
void ticker_stop(struct ticker *t);

#endif
