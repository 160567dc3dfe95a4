/* Patterns: what a lowering had to spell out, written as one operator of the runtime again. A pattern
 * looks at structure and constants only. */
#ifndef BACKEND_ONNXRUNTIME_RAISE_H
#define BACKEND_ONNXRUNTIME_RAISE_H

#include "backend/onnxruntime/lower.h"

struct raise_row {
    const char *name;
    enum webnn_operator anchor; /* the last operator of the pattern: its results stay */
    /* Whether the pattern ends in `node`; then the operand slot of it whose producers it absorbs. */
    bool (*matches)(struct emit *e, const struct operator_node *node, uint32_t *slot);
    lower_function emit; /* in place of the anchor's lowering */
};

/* What becomes of each operator of the graph. */
struct raising {
    const struct raise_row **rows; /* NULL: its own lowering */
    bool *absorbed;                /* nothing reads its results any more: not written */
};

/* In e->arena. Nothing is raised when not `raises`. */
o2w_status raise_plan(struct emit *e, bool raises, struct raising *out);

/* The operator that made an operand; NULL for inputs and constants. */
const struct operator_node *operand_producer(const struct emit *e, operand_id id);

extern const struct raise_row raise_matmul_nbits;

#endif
