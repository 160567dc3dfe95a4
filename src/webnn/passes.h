/* Passes over a finished graph, in place: linear in its size, deterministic. */
#ifndef WEBNN_PASSES_H
#define WEBNN_PASSES_H

#include "webnn/graph.h"

/* Operators, constants and weights that no output needs are gone, with the constraints they asked
 * for; order stays, ids change. Unused inputs stay, so that the interface is complete; where they are
 * dropped, one that alone tells the size of a named dim still stays. */
o2w_status pass_dead_code(struct graph *g, bool drop_unused_inputs, struct diags *d);
/* Equal operators on equal operands become the first of them, equal constants (one weight, one shape)
 * too; labels and names are the first's, else those of the ones that went. Outputs keep their bindings:
 * two outputs stay two operands. Ids change. */
o2w_status pass_common_subexpressions(struct graph *g, struct diags *d);
/* The whole graph against limits: every refusal is an item (op.limits), all are reported. */
o2w_status graph_check_limits(const struct graph *g, const struct limits *limits, struct diags *d);

#endif
