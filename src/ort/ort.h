/* ONNX Runtime, loaded when it is first asked for: sessions, their interface, runs. Knows neither
 * ONNX files nor WebNN. Texts of the runtime follow a message as its "engine:" line. */
#ifndef ORT_ORT_H
#define ORT_ORT_H

#include "base/system.h"
#include "tensor/tensor.h"

/* The runtime of this process: opened once, never unloaded. */
struct ort;
/* A value made by the runtime: a tensor, a sequence, a map. */
typedef struct OrtValue ort_value;
struct ort_session;
struct ort_model;

/* Finds (ORT_DYLIB_PATH, then the usual places), loads and initialises the runtime, or gives the one
 * that is open. backend.unavailable: not found, older than 1.29, initialisation failed. Any thread. */
o2w_status ort_open(struct diags *d, const struct ort **out);
const char *ort_version(const struct ort *o); /* "1.32.0" */
bool ort_is_at_least(const struct ort *o, unsigned major, unsigned minor);
const char *ort_library(const struct ort *o); /* the path it was loaded from */
/* Execution providers that are built in or were registered, the runtime's order. */
size_t ort_providers(const struct ort *o, const char *const **names);
bool ort_has_provider(const struct ort *o, const char *name);
/* Registers a provider's plug-in library: the providers it offers devices for join the list. */
o2w_status ort_register_plugin(const struct ort *o, const char *path, struct diags *d);

/* What ends a load or a run early: O2W_CANCELLED within some milliseconds. Zero: nothing does. */
struct ort_cancel {
    const _Atomic bool *flag;
    uint64_t deadline_ns; /* of system_clock_ns; 0: none */
};

enum ort_optimization {
    ORT_OPTIMIZATION_NONE,
    ORT_OPTIMIZATION_BASIC,
    ORT_OPTIMIZATION_EXTENDED,
    ORT_OPTIMIZATION_ALL
};

struct ort_config {
    const char *key, *value;
};

/* How a session is made. Zero: no optimisation, all cores, one operator at a time. */
struct ort_options {
    const o2w_allocator *allocator;
    enum ort_optimization optimization;
    unsigned threads;       /* within an operator; 0: cores available */
    unsigned inter_threads; /* operators at a time; 0: 1 */
    bool deterministic;     /* same bits at every run */
    bool no_memory_pattern, no_arena;
    const struct ort_config *configs; /* session config entries */
    size_t config_count;
    const char *provider; /* NULL: the CPU provider alone */
    const struct ort_config *provider_options;
    size_t provider_option_count;
    const char
        *optimized_model;  /* writes what the optimiser made of it to this file; NULL: does not */
    bool record_placement; /* for ort_session_placement */
    struct ort_cancel cancel;             /* of making the session */
    enum diag_code load_error, run_error; /* 0: build.failed, dispatch.failed */
};

/* External data resolve beside the file. */
o2w_status ort_session_from_file(const struct ort *o, const char *path,
                                 const struct ort_options *options, struct diags *d,
                                 struct ort_session **out);
/* External data resolve in `folder` (NULL: there are none). The bytes may go after the call. */
o2w_status ort_session_from_bytes(const struct ort *o, struct span model, const char *folder,
                                  const struct ort_options *options, struct diags *d,
                                  struct ort_session **out);
/* Constants that the model borrows must outlive the session; the model itself may go after the call.
 * Nothing can be added to it any more. */
o2w_status ort_session_from_model(const struct ort *o, struct ort_model *model,
                                  const struct ort_options *options, struct diags *d,
                                  struct ort_session **out);
void ort_session_free(struct ort_session *s); /* NULL is fine */
/* Nodes assigned to `provider` and to all providers, fused ones as one; false when not recorded. */
bool ort_session_placement(const struct ort_session *s, const char *provider, uint64_t *on_provider,
                           uint64_t *nodes);

enum ort_kind { ORT_TENSOR, ORT_SEQUENCE, ORT_MAP, ORT_OPTIONAL, ORT_OTHER };

struct ort_type {
    enum ort_kind kind;
    enum dtype dtype; /* of a tensor's elements, of a map's keys; DTYPE_COUNT: unknown to us */
    bool has_shape;   /* tensors */
    uint32_t rank;    /* may exceed MAX_RANK; then dims are not told */
    int64_t dims[MAX_RANK];        /* -1: open */
    const char *symbols[MAX_RANK]; /* names of open dims; "" where there is none */
    const struct ort_type *item;   /* of a sequence, an optional; a map's values; else NULL */
};

struct ort_port {
    const char *name;
    struct ort_type type;
};

/* The interface, alive as long as the session. */
size_t ort_session_inputs(const struct ort_session *s, const struct ort_port **ports);
size_t ort_session_outputs(const struct ort_session *s, const struct ort_port **ports);
/* Initializers that an input may replace. */
size_t ort_session_overridables(const struct ort_session *s, const struct ort_port **ports);

/* An input of a run. The bytes are borrowed, not copied. Elements of strings are `const char *`. */
struct ort_feed {
    const char *name;
    struct tensor tensor;
};

/* Runs with outputs[0 … count) made by the runtime, in the order of `names` (NULL: all outputs of the
 * session). values receives count handles; each is freed by ort_value_free. Several threads may run
 * one session. */
o2w_status ort_session_run(const struct ort_session *s, const struct ort_feed *feeds,
                           size_t feed_count, const char *const *names, size_t count,
                           const struct ort_cancel *cancel, struct diags *d, ort_value **values);

#endif
