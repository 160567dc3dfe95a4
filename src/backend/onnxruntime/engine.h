/* The engine and its compiled graphs. */
#ifndef BACKEND_ONNXRUNTIME_ENGINE_H
#define BACKEND_ONNXRUNTIME_ENGINE_H

#include "backend/backend.h"
#include "nodes/nodes.h"
#include "ort/ort_binding.h"
#include "ort/ort_model.h"

/* The runtime that everything is tested with; older ones have faults that are worked around. */
enum { TESTED_MAJOR = 1, TESTED_MINOR = 32 };

enum prepack { PREPACK_AUTO, PREPACK_ON, PREPACK_OFF };

struct engine {
    const struct ort *ort;
    const o2w_allocator *allocator;
    const o2w_environment *environment;
    const char *provider; /* NULL: the CPU provider alone */
    const char *id;       /* of the backend, for messages */
    unsigned threads;
    bool require, frugal;
    enum ort_optimization optimization;
    enum prepack prepack;
    char accuracy[2];
    enum numerics numerics;
    bool arena, raise;
    bool asked_ties, asked_order; /* probe.h: the runtime answered as the standard wants */
};

struct compiled {
    const struct engine *engine;
    const struct graph *graph;
    bool unfused;       /* quantised products are computed in floats */
    struct arena arena; /* constants that the session reads */
    struct ort_session *session;
    struct ort_binding *binding;
    const struct shape_input *shapes;
    size_t shape_count;
    struct tensor *shape_tensors;
    int64_t *dim_values; /* by name; for the shapes */
};

/* The graph as a model of the runtime. Names and constants live in `arena`, which must outlive the
 * session; what that must know besides is left in *e, which emit_free frees. */
o2w_status onnxruntime_write(const struct engine *engine, const struct graph *g,
                             struct arena *arena, struct diags *d, struct emit *e,
                             struct ort_model **model);

/* A session of the model; asks the environment's progress while the runtime works. `packed`: what
 * was written, whose weights the runtime copies into packed form (NULL: it reads them in place). */
o2w_status onnxruntime_load(const struct engine *engine, struct ort_model *model,
                            const struct ort_options *options, const struct emit *packed,
                            struct diags *d, struct ort_session **out);

o2w_status onnxruntime_compile(struct engine *engine, const struct graph *g, struct diags *d,
                               struct compiled **out);
o2w_status onnxruntime_dispatch(struct compiled *c, const struct binding *inputs,
                                struct binding *outputs, const _Atomic bool *cancel,
                                struct diags *d);
void onnxruntime_release(struct compiled *c);
bool onnxruntime_placement(const struct compiled *c, uint64_t *on_backend, uint64_t *nodes);

#endif
