/* A run over the selected entries of a manifest, from inside. */
#ifndef SWEEP_SWEEP_H
#define SWEEP_SWEEP_H

#include "hub/hub.h"
#include "sweep/child.h"
#include "sweep/summary.h"

enum state { STATE_WAITING, STATE_READY, STATE_RUNNING, STATE_DONE };

/* A selected entry. */
struct item {
    const struct manifest_entry *entry;
    struct result *result; /* in the summary */
    const char *identity, *record_path, *graph, *archive, *lock;
    char key[MANIFEST_KEY], source_key[MANIFEST_KEY];
    enum state state;
    struct hub_model model;
    double download_ms;
    uint64_t estimate; /* of memory, in bytes */
    struct child child;
};

struct sweep {
    const o2w_manifest *m;
    const o2w_sweep_options *options;
    const o2w_environment *environment; /* the caller's */
    o2w_environment inner;              /* pumps while it asks the caller */
    struct arena *arena;                /* the summary's */
    struct diags *d;
    o2w_summary *summary;
    struct hub *hub;
    const char *cache, *results, *engine, *program;
    const char **reasons; /* of expected failures, by entry; NULL: none */
    struct item *items;   /* in the order of starting */
    size_t count, running, finished;
    uint64_t limit, used; /* bytes of memory */
    bool stopping, interrupted, pumping;
};

/* Reads --expected-failures: manifest.label for labels that are none. */
o2w_status sweep_read_reasons(struct sweep *s, const char *path);
/* Folders, keys, estimates, the hub. */
o2w_status sweep_prepare(struct sweep *s);
/* Downloads the item's model: ready then, or done when that failed or a record makes it needless. */
void sweep_download(struct sweep *s, struct item *item);
/* Starts what can start, takes what has ended. */
void sweep_pump(struct sweep *s);
/* Until a running case says something or ends, a few milliseconds at most. */
void sweep_wait(const struct sweep *s);
void sweep_stop(struct sweep *s); /* ends all cases */
/* The item is done: its result is told, recorded and counted. */
void sweep_finish(struct sweep *s, struct item *item);

#endif
