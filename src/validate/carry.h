/* The same feed in the dtype of the graph. */
#ifndef VALIDATE_CARRY_H
#define VALIDATE_CARRY_H

#include "base/diag.h"
#include "tensor/tensor.h"

/* Whether the model's dtype can stand as the graph's: for feeds, and for results. */
bool carry_has_pair(enum dtype model, enum dtype graph);
/* Whether the bytes are the same. */
bool carry_is_plain(enum dtype model, enum dtype graph);
/* Every element of `from` in the dtype of `to`, exactly; floats are rounded once. feed.range names
 * input, value and index; `given` values that change by rounding are the warning feed.rounded. */
o2w_status carry_feed(const char *name, const struct tensor *from, bool given, struct tensor *to,
                      struct diags *d);

#endif
