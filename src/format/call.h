/* A call of the file on its way to the builder. */
#ifndef FORMAT_CALL_H
#define FORMAT_CALL_H

#include "format/load.h"

struct call {
    struct loader *loader;
    const struct doc_node *node;
    struct span name; /* of the operator, as the file has it */
    enum webnn_operator kind;
    const struct operator_row *row;
    struct argument *options; /* in the loader's list */
    size_t option_count;
    operand_id *operands; /* positional ones, in the loader's list; room for MAX_SLOTS more */
    size_t operand_count;
    operand_id named[MAX_SLOTS]; /* by slot; NO_ID */
    uint32_t given;              /* attributes that have a value, by row index */
    struct span label;
    const struct argument *auto_pad; /* a dialect's padding, computed when the options are read */
    const struct argument *shape;    /* the result's shape, which a dialect says; checked then */
    uint8_t *attributes;             /* the operator's attribute struct */
};

/* Adds place and node to the newest diagnostic. */
o2w_status call_at(const struct call *c, struct place at, o2w_status status);
/* A note about a dialect. */
o2w_status call_note(const struct call *c, struct place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* op.option-type: "OP.KEY must be WANTED, found KIND". */
o2w_status call_wrong_type(const struct call *c, const struct argument *a, const char *wanted);
/* op.option-value: "OP.KEY = VALUE: allowed are …". */
o2w_status call_wrong_value(const struct call *c, const struct argument *a, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The option of that key that no dialect has used; NULL. */
struct argument *call_option(const struct call *c, const char *key);
/* Whether an option counts as absent: null, "", and [] where `empty_is_absent`. */
bool argument_is_absent(const struct argument *a, bool empty_is_absent);
/* The operand that an option names. */
o2w_status call_operand(const struct call *c, const struct argument *a, operand_id *out);
/* Where an attribute of this call lies; marks it as given. */
void *call_attribute(struct call *c, const char *name);
/* Of a positional operand. */
void call_descriptor(const struct call *c, size_t operand, struct descriptor *out);

/* arguments.c: the value of an option into the call's attributes. */
o2w_status call_read_attribute(struct call *c, const struct attribute_row *row,
                               const struct argument *a);
/* An array of integers in [min, max], or one such integer. */
o2w_status call_read_integers(const struct call *c, const struct argument *a, int64_t min,
                              int64_t max, int64_t *items, uint32_t capacity, uint32_t *count);
o2w_status call_read_integer(const struct call *c, const struct argument *a, int64_t min,
                             int64_t max, int64_t *out);

/* Records one operator for a dialect; its only result. */
o2w_status call_emit(const struct call *c, enum webnn_operator kind, const operand_id *operands,
                     uint32_t count, const void *attributes, operand_id *result);
/* Positional operands, found by name. */
o2w_status call_collect_operands(struct call *c);
/* Sets kind, row and default attributes. */
o2w_status call_set_operator(struct call *c, enum webnn_operator kind);

/* dialects.c: other spellings. The first before the operator is known (*done: nothing is left to be
 * done), the second when operands and defaults are there, the third when the options are read. */
o2w_status dialect_operator(struct call *c, bool *done);
o2w_status dialect_arguments(struct call *c);
o2w_status dialect_finish(struct call *c);

#endif
