/* Passes over a finished graph. Each makes a new graph through a builder, so what it makes is
 * validated; operands keep their names. */
#ifndef WEBNN_PASSES_H
#define WEBNN_PASSES_H

#include "webnn/graph.h"

struct pass_options {
    bool keep_unused_inputs; /* default: the interface stays complete */
    bool drop_unused_inputs;
};

/* Operators, constants and weights that no output needs are gone. In place, ids change. */
o2w_status pass_dead_code(struct graph *g, bool drop_unused_inputs, struct diags *d);
/* Equal operators on equal operands become one; equal constants one. In place, ids change. */
o2w_status pass_common_subexpressions(struct graph *g, struct diags *d);
/* The whole graph against limits: every refusal is an item (op.limits), all are reported. */
o2w_status graph_check_limits(const struct graph *g, const struct limits *limits, struct diags *d);

#endif
