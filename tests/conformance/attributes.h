/* Arguments of a builder method as JavaScript gives them, into the attribute structs of the rows. */
#ifndef CONFORMANCE_ATTRIBUTES_H
#define CONFORMANCE_ATTRIBUTES_H

#include "tree.h"
#include "webnn/operator.h"

/* The value of one attribute by the conversion rules of the standard's interface language: integers
 * are truncated and range-checked, doubles finite. Returns NULL, or why it does not convert. Lists
 * of splits live in the arena. */
const char *attribute_from_tree(const struct attribute_row *row, void *attributes,
                                const struct tree *value, struct arena *a);
/* The attribute that stands at this place among the arguments behind the operands; NULL: none. */
const struct attribute_row *attribute_at_position(const struct operator_row *row,
                                                  uint32_t position);

#endif
