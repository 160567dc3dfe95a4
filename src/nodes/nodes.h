/* A WebNN graph as a model in ONNX operators. */
#ifndef NODES_NODES_H
#define NODES_NODES_H

#include "nodes/emit.h"

enum numerics { NUMERICS_AUTO, NUMERICS_NATIVE, NUMERICS_EXACT };

struct nodes_settings {
    bool single_thread;  /* updates of one place come in order */
    bool orders_64_bits; /* the runtime's Min, Max, Clip are right there */
    bool raise;          /* patterns become operators of the runtime's own */
    bool portable;       /* of these only those that stand in its own operator set, by name */
    bool
        fed_shapes; /* sizes that depend on open dims are further inputs; else nodes compute them */
    int accuracy;   /* of products with quantised weights: 4 rounds activations to int8 */
    enum numerics numerics;
};

/* The version of the default operator set. */
int nodes_opset(const struct graph *g);
/* Puts the graph into the sink; com.microsoft may occur beside the default operator set. Names and constants
 * live in `arena`; what a session must know besides is left in *e (shapes, mapped, matrix_bytes), which
 * emit_free frees. build.failed, op.limits. */
o2w_status nodes_write(const struct nodes_settings *settings, const struct graph *g,
                       const struct model_sink *sink, struct arena *arena, struct diags *d,
                       struct emit *e);
/* What nodes_write left in it. */
void emit_free(struct emit *e);

#endif
