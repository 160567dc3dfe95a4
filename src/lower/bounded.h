/* Results whose size depends on data, under a bound (--bound NODE=N): N elements along one axis, of which
 * the first `count` mean something. */
#ifndef LOWER_BOUNDED_H
#define LOWER_BOUNDED_H

#include "lower/lower.h"

struct bounded {
    uint32_t axis;
    value count; /* int64, rank 0; may exceed the bound, which shows that it was too small */
    int64_t most;
};

/* The bound that is given for the node; 0: none. Marks it as used. */
int64_t lower_bound_of(struct lower *l, const struct node_view *n);
/* Adds the node to the operators that cannot be lowered: the size of its result depends on data. */
o2w_status refuse_unbounded(struct lower *l, const struct node_view *n);
/* Output i of a bounded size. */
o2w_status emit_bounded(struct lower *l, const struct node_view *n, uint32_t i, value v,
                        uint32_t axis, value count);

/* Where a mask (uint8 [M]) is 1: the first `most` places, int64 [most], behind them the last one again;
 * and how many there are. M must be a number. */
o2w_status bounded_places(struct lower *l, const struct node_view *n, value mask, int64_t most,
                          value *places, value *count);

/* --- around a row: node.c ------------------------------------------------------------------------ */

struct bounded_use {
    const struct bounded *mark; /* NULL: no input is bounded */
    uint32_t at;                /* the first input that is */
    bool from_end;
    uint32_t axis; /* of the results; from_end: counted from their ends, the last is 1 */
};
/* Takes the marks off the inputs of an operator that may have them; others are refused. */
o2w_status bounded_take(struct lower *l, struct node_view *n, struct bounded_use *use);
o2w_status bounded_give(struct lower *l, struct node_view *n, const struct bounded_use *use);

#endif
