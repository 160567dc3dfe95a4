/* One descriptor per WebNN operator. The rows are generated from the standard's tables
 * (tools/gen/operators.py); parser, printer, emitters and documentation walk them. */
#ifndef WEBNN_OPERATOR_H
#define WEBNN_OPERATOR_H

#include <onnx2webnn/webnn_operators.h> /* enum webnn_operator, the attribute structs, defaults */

#include "tensor/tensor.h"

struct infer;

enum attribute_type {
    ATTRIBUTE_BOOL,    /* bool */
    ATTRIBUTE_U32,     /* uint32_t */
    ATTRIBUTE_I32,     /* int32_t */
    ATTRIBUTE_DOUBLE,  /* double */
    ATTRIBUTE_NUMBER,  /* struct webnn_number */
    ATTRIBUTE_ENUM,    /* uint32_t, index into values */
    ATTRIBUTE_DTYPE,   /* uint32_t, an enum dtype */
    ATTRIBUTE_U32S,    /* struct webnn_u32s */
    ATTRIBUTE_ENUMS,   /* struct webnn_u32s of indices into values */
    ATTRIBUTE_DOUBLES, /* struct webnn_doubles */
    ATTRIBUTE_DIMS,    /* struct webnn_dims: numbers or expressions */
    ATTRIBUTE_SPLITS   /* struct webnn_splits: a number of equal parts, or their sizes */
};

struct attribute_row {
    const char *name; /* camelCase, as in the standard */
    enum attribute_type type;
    uint16_t offset;  /* in the operator's attribute struct */
    bool required;    /* must stand in a file */
    uint8_t position; /* among the builder method's arguments, from 1; 0: member of its options */
    bool always_written;       /* canonical text holds it even when it is the default */
    bool empty_means_none;     /* [] differs from absent */
    const char *const *values; /* of enums */
    uint32_t value_count;
};

enum slot_kind { SLOT_REQUIRED, SLOT_OPTIONAL, SLOT_VARIADIC };

struct slot_row {
    const char *name;
    enum slot_kind kind;
    bool named;           /* a member of the options object ("bias"), not positional */
    int8_t same_dtype_as; /* index of the slot whose dtype it must have, or -1 */
    dtype_set dtypes, required_dtypes;
    uint8_t rank_min, rank_max, required_rank_min, required_rank_max; /* max MAX_RANK: no limit */
};

struct operator_row {
    const char *name; /* "conv2d" */
    const char *link; /* the standard's section */
    const struct slot_row *operands;
    uint32_t operand_count;
    const struct slot_row
        *results; /* split: one row for all parts; gru, lstm, lstmCell: one each */
    uint32_t result_count;
    bool list_result;                       /* split, gru, lstm, lstmCell */
    const struct attribute_row *attributes; /* sorted by name */
    uint32_t attribute_count;
    size_t attribute_size;
    const void *defaults; /* an attribute struct with every default */
    /* Pure: descriptors of the results from those of the operands, or a message. Slots were checked. */
    o2w_status (*infer)(struct infer *in);
    /* Fills what depends on operand shapes and was not given (permutation, axes, window …); NULL:
     * nothing does. Operates on a copy of the attributes. */
    void (*resolve)(const struct infer *in, void *attributes);
};

extern const struct operator_row webnn_operator_rows[WEBNN_OPERATOR_COUNT];

static inline const struct operator_row *operator_row(enum webnn_operator kind)
{
    return &webnn_operator_rows[kind];
}

bool operator_by_name(struct span name, enum webnn_operator *kind);
/* The nearest operator name for "did you mean", NULL when none is near. */
const char *operator_nearest(struct span name);
const struct attribute_row *attribute_by_name(const struct operator_row *row, struct span name);

static inline const void *attribute_at(const void *attributes, const struct attribute_row *row)
{
    return (const uint8_t *)attributes + row->offset;
}

/* Exact order of two numbers that are given: <0, 0, >0. NaN equals NaN and is above all; -0 is 0. */
int number_compare(const struct webnn_number *a, const struct webnn_number *b);
/* Stores a number that is given by the rule of MLNumber: floats are rounded once, half to even; for
 * integers the fraction is cut off, what is out of range saturates, NaN is 0. */
void number_put(const struct webnn_number *number, struct tensor *t, uint64_t index);

/* Whether two values of one row are the same. Numbers compare by value, but -0 is not 0. */
bool attribute_equal(const struct attribute_row *row, const void *a, const void *b);

#endif
