/* Operands that carry the values of a type which a target moves at most. */
#ifndef WEBNN_LEGALISE_CARRIED_H
#define WEBNN_LEGALISE_CARRIED_H

#include "webnn/legalise_private.h"

/* Decides which types others carry. */
void legal_choose_carried(struct legalise *l);
/* The type that carries `t`: t itself where nothing does. */
enum dtype legal_carrier(const struct legalise *l, enum dtype t);
/* An operator of `from` on uint64 that int64 carries; operands are of `to`. */
bool legal_is_carried(const struct legalise *l, const struct operator_node *node);
o2w_status legal_carried(struct legalise *l, const struct operator_node *node,
                         const operand_id *operands, operand_id *results);
/* A uint64 constant of `from` with the bits as int64. */
o2w_status legal_carried_constant(struct legalise *l, operand_id old, operand_id *out);

/* ---- legalise_bits.c: 4-bit types ---- */

/* Where an operand is the 8-bit stand-in of a 4-bit one, constants beside it become such too.
 * O2W_UNSUPPORTED: one of them is no constant. */
o2w_status legal_match_4bit(struct legalise *l, operand_id *operands, uint32_t count);
/* Notes that an operand stands for one of 4 bits. */
o2w_status legal_mark(struct legalise *l, operand_id id);
/* Operands that stand for the 4-bit results of an operator of `from` are noted, within the range of 4 bits. */
o2w_status legal_follow_4bit(struct legalise *l, const struct operator_node *node,
                             operand_id *results);

#endif
