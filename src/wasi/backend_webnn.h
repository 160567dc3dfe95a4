/* What the files of the backend `webnn:…` share. */
#ifndef WASI_BACKEND_WEBNN_H
#define WASI_BACKEND_WEBNN_H

#include "backend/backend.h"
#include "convert/conversion.h"
#include "wasi/host.h"

enum { WEBNN_VARIANTS = 8 };

/* An engine with the compiled graph: one runs at a time on it. */
struct lane {
    struct engine *engine;
    struct compiled *compiled;
    struct lane *next;
};

/* When a load or compute ends. */
struct until {
    const _Atomic bool *stop;
    uint64_t deadline_ns;
};

/* The graph for one set of input sizes; for all where the engine runs open dims. */
struct variant {
    o2w_environment environment; /* of the conversion */
    const struct until *until;   /* of the conversion while it runs */
    o2w_conversion *conversion;  /* of models; owns the graph */
    struct graph *own;           /* of graph files */
    const struct graph *graph;
    int64_t *sizes;             /* of the open dims, in order of the inputs; NULL: any */
    uint32_t *inputs, *outputs; /* port of each graph input and output */
    struct lane *idle;
    unsigned users;
    uint64_t used; /* when, for the least recent one to go */
    struct variant *next;
};

struct open_dim {
    uint32_t input, axis;
    const char *name; /* of the dim, else "<input>_dim<axis>" */
};

struct webnn_state {
    const struct backend *engine;
    const o2w_allocator *allocator;
    o2w_environment environment; /* of engines and files */
    const struct until *until;   /* of the load while it runs */
    unsigned threads;
    pthread_mutex_t lock; /* of the variants; variants and lanes are made without it */
    struct variant *variants;
    uint32_t variant_count;
    uint64_t clock;
    bool ambiguous; /* open dims may share a name that means no size */
    struct open_dim *open;
    uint32_t open_count;
    uint32_t *places; /* of models: the output of the conversion that each output is */
    /* where conversions come from */
    struct model_source source;
    void *copy; /* of a guest's bytes */
    size_t copy_size;
    struct file *weights, *model;
};

/* The fault that a failed stage means for what the guest gave. */
enum fault webnn_fault(enum nn_container c, const struct diags *d, o2w_status s);
/* The progress function of an environment: user is a `const struct until **`. */
int poll_until(void *user, const char *stage, uint64_t done, uint64_t total);
/* webnn_variant.c: a variant for these sizes (NULL: open dims stay open); O2W_CANCELLED. */
o2w_status variant_convert(struct nn_graph *g, const int64_t *sizes, const struct until *until,
                           struct diags *d, struct variant **out);
o2w_status variant_read(struct nn_graph *g, const struct nn_load *l, struct variant **out);
void variant_free(struct webnn_state *s, struct variant *v);
/* Compiled, and in the list; its caller gives it back by variant_leave. */
o2w_status variant_add(struct webnn_state *s, struct variant *v, struct diags *d);
void variant_leave(struct webnn_state *s, struct variant *v);
/* A lane of the variant for the inputs, made where none is idle; given back by lane_return. */
o2w_status lane_take(struct nn_graph *g, const struct nn_run *r, struct variant **variant,
                     struct lane **lane);
void lane_return(struct webnn_state *s, struct variant *v, struct lane *lane);

#endif
