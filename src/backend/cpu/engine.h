/* The built-in engine: own kernels on a pool of threads. */
#ifndef BACKEND_CPU_ENGINE_H
#define BACKEND_CPU_ENGINE_H

#include "backend/backend.h"
#include "backend/cpu/plan.h"
#include "kernels/workspace.h"

enum { PLANS_KEPT = 8 };

struct engine {
    const o2w_allocator *allocator; /* NULL: the default */
    struct pool *pool;
    struct kernel_workspace workspace;
};

struct compiled {
    struct engine *engine;
    const struct graph *graph;
    struct arena arena;             /* for the life of the object */
    void **constant_data;           /* per operand; NULL for what is no constant */
    int64_t *values;                /* of the named dims at the dispatch at work */
    struct plan *plans[PLANS_KEPT]; /* by signature; the one not used for longest goes first */
    uint64_t clock;
    void *block; /* intermediate results, for the largest plan so far */
    size_t block_size;
};

o2w_status cpu_compile(struct engine *e, const struct graph *g, struct diags *d,
                       struct compiled **out);
void cpu_release(struct compiled *c);
o2w_status cpu_dispatch(struct compiled *c, const struct binding *inputs, struct binding *outputs,
                        const volatile bool *cancel, struct diags *d);

#endif
