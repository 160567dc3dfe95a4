/* Patterns: what a lowering had to spell out, written as one operator of the runtime again. A pattern
 * looks at structure and constants only. */
#ifndef NODES_RAISE_H
#define NODES_RAISE_H

#include "nodes/lower.h"

enum { RAISE_READS = 6 };

/* What a pattern makes of its anchor's operands. */
struct raise_match {
    uint32_t absorbs;              /* bit per slot whose producers are part of the pattern */
    operand_id reads[RAISE_READS]; /* operands from further up that the raised form reads; constants
                                      need not stand here */
    uint32_t read_count;
};

struct raise_row {
    const char *name;
    enum webnn_operator anchor; /* the last operator of the pattern: its results stay */
    /* Whether the pattern ends in `node`; *m is zero before. */
    bool (*matches)(struct emit *e, const struct operator_node *node, struct raise_match *m);
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
/* The same where it is of that kind; else NULL. */
const struct operator_node *operand_made_by(const struct emit *e, operand_id id,
                                            enum webnn_operator kind);
/* The one number of a constant float; false when it is none. */
bool operand_number(struct emit *e, operand_id id, double *out);
/* The value of operand `slot` of another node, as if that were being lowered. */
ref operand_of(struct emit *e, const struct operator_node *node, uint32_t slot);

extern const struct raise_row raise_matmul_nbits, raise_rms_norm, raise_rotary;

#endif
