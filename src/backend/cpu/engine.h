/* The built-in engine: own kernels on a pool of threads. */
#ifndef BACKEND_CPU_ENGINE_H
#define BACKEND_CPU_ENGINE_H

#include "backend/backend.h"
#include "backend/cpu/plan.h"
#include "kernels/workspace.h"

enum { PLANS_KEPT = 8, PREPARED_MAX = 128 << 20 };

struct engine {
    const o2w_allocator *allocator; /* NULL: the default */
    struct pool *pool;
    struct kernel_workspace workspace;
};

struct compiled {
    struct engine *engine;
    const struct graph *graph;
    struct arena arena; /* for the life of the object */
    bool *known;        /* per operand: a constant, or computed from constants alone */
    void **known_data;  /* per operand that is known */
    void **wide_data;   /* per known float16 operand: as float32, or NULL */
    const struct packed_matrix **packed; /* per operator: what it reads as operand 1, or NULL */
    bool *absorbed;  /* per operator: nobody reads its results once products read packed matrices */
    uint64_t spent;  /* bytes of what was computed ahead */
    int64_t *values; /* of the named dims at the dispatch at work */
    struct plan *plans[PLANS_KEPT]; /* by signature; the one not used for longest goes first */
    uint64_t clock;
    void *block; /* intermediate results, for the largest plan so far */
    size_t block_size;
};

o2w_status cpu_compile(struct engine *e, const struct graph *g, struct diags *d,
                       struct compiled **out);
void cpu_release(struct compiled *c);
/* Finds products whose matrix is dequantised from constants. */
o2w_status cpu_fuse(struct compiled *c, struct diags *d);
/* Computes ahead what depends on constants alone, and float32 forms of float16 constants, within
 * PREPARED_MAX bytes. */
o2w_status cpu_prepare(struct compiled *c, struct diags *d);
o2w_status cpu_dispatch(struct compiled *c, const struct binding *inputs, struct binding *outputs,
                        const _Atomic bool *cancel, struct diags *d);

#endif
