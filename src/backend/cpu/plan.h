/* How one graph runs with one set of sizes: where every tensor lies, which operators are executed. */
#ifndef BACKEND_CPU_PLAN_H
#define BACKEND_CPU_PLAN_H

#include "webnn/graph.h"

/* Memory that an operand's elements are in. Reshapes and identities share that of their operand. */
enum place_kind { PLACE_NONE, PLACE_INPUT, PLACE_CONSTANT, PLACE_OUTPUT, PLACE_BUFFER };

struct place {
    enum place_kind kind;
    uint32_t index;  /* of the graph's input or output; of the operand for a constant */
    uint64_t offset; /* in the buffer of intermediate results */
    uint64_t size;
    uint32_t last_use; /* number of the last operator that reads it */
};

struct plan {
    struct arena arena;
    int64_t *values;        /* of the named dims: the signature */
    struct tensor *tensors; /* per operand; data is set for each dispatch */
    uint32_t *storage;      /* per operand: index of its place */
    struct place *places;   /* per operand; those that storage names count */
    bool *runs;             /* per operator: false where results only share memory */
    uint64_t buffer_size;
    uint64_t used; /* clock of the last dispatch */
};

/* The plan for these sizes. `values` is copied; `known` says per operand what is constant,
 * `absorbed` per operator what is not run. */
o2w_status cpu_plan_create(const struct graph *g, const bool *known, const bool *absorbed,
                           const int64_t *values, struct diags *d, struct plan **out);
void cpu_plan_free(struct plan *p); /* NULL is fine */

#endif
