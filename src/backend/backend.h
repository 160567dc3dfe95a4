/* What an engine is: a const descriptor at the end of its file, one line in backends.def. */
#ifndef BACKEND_BACKEND_H
#define BACKEND_BACKEND_H

#include "base/system.h"
#include "webnn/graph.h"

struct backend_option {
    const char *key, *value;
};

struct backend_option_row {
    const char *key, *values, *fallback, *help;
};

/* What a context of an engine is made with. */
struct backend_settings {
    const struct backend_option *options;
    size_t option_count;
    unsigned threads; /* 0: cores available */
    bool require;     /* refuse a build that leaves nodes to another provider */
    bool frugal;      /* low power: no memory for speed where there is much of it */
    const o2w_environment *environment;
};

struct backend_device {
    const char *name, *kind;
};

/* What probing found; texts in the arena given. */
struct backend_probe {
    bool available;
    const char *engine, *version, *library;
    struct backend_device *devices;
    size_t device_count;
    const char *reason;
};

struct engine;   /* opened engine: one per context; engine-private */
struct compiled; /* compiled graph; engine-private */

/* A tensor given to dispatch: host memory, dense. */
struct binding {
    struct tensor tensor;
};

struct backend {
    const char *name; /* id: "cpu", "onnx" */
    const char *summary, *needs, *get_it;
    const struct backend_option_row *options;
    size_t option_count;
    bool dynamic; /* runs graphs with open dims */
    bool loose;   /* NaN, infinities and what overflows are the engine's own, not the standard's */
    /* The engine's own limits, already intersected with limits_own. Static data, no engine started. */
    void (*limits)(struct limits *out);
    /* Available or everything searched and the reason, as backend.unavailable in d. */
    o2w_status (*probe)(struct arena *a, struct diags *d, struct backend_probe *out);
    o2w_status (*open)(const struct backend_settings *settings, struct diags *d,
                       struct engine **out);
    void (*close)(struct engine *e);
    /* The graph outlives the compiled object. */
    o2w_status (*compile)(struct engine *e, const struct graph *g, struct diags *d,
                          struct compiled **out);
    /* inputs, outputs in the graph's order, names, shapes and constraints checked by the caller;
     * outputs have room for their shapes. `cancel` is polled (may be NULL). */
    o2w_status (*dispatch)(struct compiled *c, const struct binding *inputs,
                           struct binding *outputs, const _Atomic bool *cancel, struct diags *d);
    void (*release)(struct compiled *c);
    /* Nodes the engine ran of all it made; false when it cannot say. */
    bool (*placement)(const struct compiled *c, uint64_t *on_backend, uint64_t *nodes);
};

/* All compiled-in backends, `cpu` first. */
extern const struct backend *const backends[];
extern const size_t backend_count;
/* By id or alias ("burn-cpu" runs on "cpu"); *alias is then true. NULL: none. */
const struct backend *backend_by_name(struct span name, bool *alias);
/* The ids that are known, compiled in or not, aliases too; NULL behind the last. */
const char *backend_id(size_t index);

/* Shared by dispatchers: binds dims by the inputs' shapes, checks bounds, equal names and the graph's
 * constraints (dyn.constraint), and computes the shape of any operand. values has
 * expr_name_count(g->exprs) entries. */
o2w_status backend_bind_dims(const struct graph *g, const struct binding *inputs, int64_t *values,
                             struct diags *d);
o2w_status backend_operand_shape(const struct graph *g, operand_id id, const int64_t *values,
                                 struct tensor *out);

#endif
