/* Which options of a node are written, in the order in which they are. */
#ifndef FORMAT_OPTIONS_H
#define FORMAT_OPTIONS_H

#include "format/plan.h"

enum { MAX_OPTIONS = 24 };

struct option {
    const char *key;
    const struct attribute_row *row; /* NULL: an operand or the label */
    operand_id operand;              /* NO_ID: the label */
};

struct options {
    uint32_t count;
    struct option items[MAX_OPTIONS];
};

/* Required and always written ones, those that differ from their default for these operands, named
 * operands; sorted by key. */
void options_collect(const struct plan *p, const struct operator_node *node, struct options *out);
/* Whether an attribute was left to the operator's rule. */
bool option_is_absent(const struct attribute_row *row, const void *attributes);
/* How many of the node's operands are positional: the first ones. */
uint32_t options_positional(const struct operator_node *node);

/* Where the parts of a value go. */
struct value_sink {
    void *user;
    void (*begin_list)(void *user);
    void (*end_list)(void *user);
    void (*number)(void *user, struct span text); /* also true and false */
    void (*string)(void *user, struct span text);
    void (*dynamic)(void *user, struct span name, int64_t max);
};
/* op.option-value for numbers that no text can hold. */
o2w_status value_walk(const struct plan *p, const struct attribute_row *row, const void *attributes,
                      const struct value_sink *sink);

#endif
