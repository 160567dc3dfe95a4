/* What the passes share: taking parts out of a graph. */
#ifndef WEBNN_PASSES_PRIVATE_H
#define WEBNN_PASSES_PRIVATE_H

#include "webnn/passes.h"

/* What stays, by old id. Operands that are results stay with their operator; `operands` counts for
 * inputs and constants. */
struct selection {
    bool *operators, *operands, *weights;
    operand_id *moved; /* room for the new ids */
    uint32_t *moved_weights;
    operator_id *moved_operators;
    struct arena arena;
};

/* Nothing stays. O2W_NO_MEMORY leaves nothing to clear. */
o2w_status selection_init(struct selection *s, const struct graph *g);
void selection_clear(struct selection *s);
/* Takes out everything else and closes the gaps: order stays, ids change. Nothing that stays refers to
 * what goes, labels apart, which go with their operand. Cannot fail. */
void graph_compact(struct graph *g, struct selection *s);

#endif
