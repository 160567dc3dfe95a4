/* The host: options, registry, what runs under deadlines. */
#ifndef WASI_HOST_H
#define WASI_HOST_H

#include "base/error.h"
#include "base/log.h"
#include "base/system.h"
#include "wasi/model.h"

#include <pthread.h>

enum { NN_CHOICES = 16, NN_NAME = 256 };

/* A graph that guests load by name. */
struct nn_entry {
    char *name, *path;
    struct span bytes;
    wasinn_encoding encoding;
    wasinn_target target;
    bool lazy, tried;
    pthread_mutex_t loading; /* one load at a time; the others wait for it */
    struct nn_graph *graph;
    struct failure failure; /* of the load that was tried */
};

/* A call that must end. */
struct nn_watched {
    _Atomic bool *stop;
    uint64_t deadline_ns;
    uint64_t overdue_ns; /* when `overdue` is called; 0: never */
    wasinn_overdue_fn *overdue;
    void *user;
    const char *what;
    bool linked; /* of the call's own thread */
    struct nn_watched *next, **link;
};

struct nn_watchdog {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool running, quit;
    uint64_t next_ns; /* when it wakes */
    struct nn_watched *first;
};

struct wasinn_host {
    const o2w_allocator *allocator;
    wasinn_host_options options;
    wasinn_limits limits; /* resolved */
    struct nn_choice choices[NN_CHOICES];
    size_t choice_count;
    VEC(struct nn_entry *) entries;
    bool sealed;
    struct nn_watchdog watchdog;
    pthread_mutex_t lock; /* of what follows */
    unsigned references;
    size_t loaded;
    struct nn_graph *graphs; /* those with a digest */
};

void host_release(wasinn_host *h);
void host_log(wasinn_host *h, o2w_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* All diagnostics, at debug level: they may name files of the host. */
void host_log_diags(wasinn_host *h, o2w_log_level level, const char *what, const struct diags *d);
/* choices.c: "onnx,webnn:cpu", or NULL for the default. O2W_USAGE. */
o2w_status host_choose(wasinn_host *h, const char *list, struct diags *d);

/* registry.c */
o2w_status registry_add(wasinn_host *h, const wasinn_graph_source *s, struct diags *d);
o2w_status registry_seal(wasinn_host *h, struct diags *d);
void registry_free(wasinn_host *h);
/* A reference to the graph of that name, loaded at first use. */
enum fault registry_get(wasinn_host *h, struct span name, const _Atomic bool *stop,
                        uint64_t deadline_ns, struct failure *f, struct nn_graph **out);

/* watchdog.c: sets *stop when the time has come. False when no thread can be had. */
void watchdog_init(struct nn_watchdog *w);
void watchdog_free(struct nn_watchdog *w);
bool watchdog_begin(struct nn_watchdog *w, struct nn_watched *call);
void watchdog_end(struct nn_watchdog *w, struct nn_watched *call);

#endif
