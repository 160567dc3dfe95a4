/* Loaded graphs, and what a backend for models is. */
#ifndef WASI_MODEL_H
#define WASI_MODEL_H

#include "base/file.h"
#include "tensor/tensor.h"
#include "wasi/scan.h"

struct nn_graph;
struct nn_backend;

enum nn_container { NN_ONNX, NN_WEBNN };

/* An input or output as the guest sees it. */
struct nn_port {
    const char *name;
    const char *kind;     /* "sequence", "map" …; NULL: a tensor */
    enum dtype dtype;     /* DTYPE_COUNT: one that is not known here */
    enum dtype carried;   /* what the backend takes or gives in its place */
    bool has_shape, used; /* used: the backend wants it */
    uint32_t rank;
    int64_t dims[MAX_RANK]; /* -1: open */
    const char *symbols[MAX_RANK];
    uint32_t same_input[MAX_RANK], same_axis[MAX_RANK]; /* the first of that symbol */
};

/* A backend as the host was asked for it. */
struct nn_choice {
    const struct nn_backend *backend;
    char name[48];                /* "webnn:cpu" */
    const struct backend *engine; /* of webnn:… */
    bool available;
    char *reason; /* why not; on the default allocator */
};

struct nn_load {
    wasinn_host *host;
    const struct nn_choice *choice;
    enum nn_container container;
    struct span bytes, weights; /* weights: the second builder; data NULL: none */
    const char *path;           /* NULL: from memory */
    struct file *file;          /* whose bytes they are, or NULL */
    bool trusted;               /* the host's own */
    bool bytes_stay;            /* the bytes live as long as the host */
    bool fallback;              /* another device than asked for may run parts */
    wasinn_target target;
    const struct model_scan *scan; /* of ONNX models */
    const _Atomic bool *stop;
    uint64_t deadline_ns;
    struct failure *failure;
    struct diags *diags;
};

struct nn_output {
    struct tensor tensor;
    bool present; /* false: of a kind that guests cannot have */
    void *owner;  /* the backend's */
    void *block, *converted;
    size_t block_size, converted_size;
};

/* Of one context; zero before the first run, kept from run to run. */
struct nn_results {
    struct nn_output *outputs;
    uint64_t bytes;
};

struct nn_run {
    const struct tensor *inputs; /* by port, in the carried dtype */
    const _Atomic bool *stop;
    uint64_t deadline_ns, output_limit;
    struct failure *failure;
    struct diags *diags;
};

/* FAULT_UNSUPPORTED of `load` lets the next choice try. Several threads may compute on one graph. */
struct nn_backend {
    const char *name;
    bool (*serves)(const struct nn_choice *c, enum nn_container container, wasinn_target target);
    o2w_status (*probe)(struct nn_choice *c, struct diags *d); /* or why not, in d */
    enum fault (*load)(const struct nn_load *l, struct nn_graph *g);
    enum fault (*compute)(struct nn_graph *g, const struct nn_run *r, struct nn_results *out);
    void (*clear)(struct nn_graph *g, struct nn_results *results);
    void (*release)(struct nn_graph *g);
};
extern const struct nn_backend nn_backend_onnx, nn_backend_webnn;

struct nn_graph { /* immutable after loading; counted */
    wasinn_host *host;
    const struct nn_choice *choice;
    struct arena arena; /* ports */
    wasinn_target target;
    struct nn_port *inputs, *outputs;
    uint32_t input_count, output_count;
    uint64_t model_bytes;
    bool from_guest; /* its bytes count */
    void *state;     /* the backend's */
    /* Guarded by the host's lock: */
    unsigned references;
    uint8_t digest[32];
    const wasinn_instance *owner; /* who loaded it; NULL: the host */
    struct nn_graph *next, **link;
};

/* What the bytes are: ONNX, or a WebNN graph as text or JSON; FAULT_ENCODING. */
enum fault container_of(struct span bytes, struct failure *f, enum nn_container *out);
/* Loads by the host's choices in order; one reference. The fault is that of the most preferred. */
enum fault graph_load(struct nn_load *l, struct nn_graph **out);
void graph_release(struct nn_graph *g); /* NULL is fine */
struct nn_graph *graph_retain(struct nn_graph *g);

enum { BLOCK_EXTRA = 64 }; /* bytes of a block beside its data */
/* A block aligned to 64, of at least `size` bytes; the old one is freed. False, *data NULL: no memory. */
bool block_reserve(const o2w_allocator *a, void **block, size_t *block_size, size_t size,
                   void **data);
/* "f32" for what has a code, else the long name. */
const char *dtype_short(enum dtype t);
bool is_symbol(struct span name); /* whether the name of an open dim means a size: "?" does not */

#endif
