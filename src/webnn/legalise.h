/* Rewriting a graph for what a target accepts: every rewrite is exact, or the operator is refused. */
#ifndef WEBNN_LEGALISE_H
#define WEBNN_LEGALISE_H

#include "webnn/graph.h"

/* Zero is every default. */
struct legalise_options {
    const char *const *assume_int32; /* int64 inputs whose values are promised to fit int32 */
    size_t assume_int32_count;
    bool keep_pools, keep_resample; /* leave the target's own averages and nearest neighbours */
    bool
        carry_ports; /* inputs and outputs of types that the target does not compute with are carried by
                       * others: graph.carried; without it they are refused */
};

/* *g becomes a graph of the same meaning within `limits`; its interface stays. Dead code and common
 * subexpressions go before and after. What cannot be rewritten is one list: every item op.limits, *g is then
 * as before but for dead code. Linear in the graph's size. */
o2w_status graph_legalise(struct graph **g, const struct limits *limits,
                          const struct legalise_options *options, struct diags *d);

/* The limits of a target: "chromium", "required", or a file as opSupportLimits() prints it. Open dims are allowed:
 * sizes are known when the graph is built. file.read, json.*, usage for a name that is none. */
o2w_status limits_of_target(const char *name, struct arena *arena, struct diags *d,
                            struct limits *out);
/* The same from JSON text. */
o2w_status limits_from_json(struct span text, struct span name, struct arena *arena,
                            struct diags *d, struct limits *out);

#endif
