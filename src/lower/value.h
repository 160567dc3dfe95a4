/* What a name of an ONNX program stands for while it is lowered: a value whose shape is always known
 * to the builder, and whose elements often are. Values are immutable and live in the lowering's arena. */
#ifndef LOWER_VALUE_H
#define LOWER_VALUE_H

#include "onnx/model.h"
#include "webnn/builder.h"

enum value_kind {
    VALUE_KNOWN,    /* a tensor: dtype, dims, where its bytes are */
    VALUE_SHAPE,    /* an int64 or int32 tensor whose elements are dimension expressions */
    VALUE_OPERAND,  /* an operand of the graph being built */
    VALUE_STRINGS,  /* a known string tensor */
    VALUE_SEQUENCE, /* items */
    VALUE_OPTIONAL, /* no item: absent */
    VALUE_CLASSES,  /* a string tensor: items[0] is the place of each string among the labels */
    VALUE_MAPS,  /* a sequence of maps: items[0] has a row of values per map, the labels are keys */
    VALUE_FAILED /* of a node that was refused: what depends on it is skipped in silence */
};

/* Texts, or where they are NULL, integers. */
struct label_table {
    uint32_t count;
    const struct span *texts;
    const int64_t *integers;
};

struct lower_value {
    enum value_kind kind;
    enum dtype dtype; /* ONNX's: bool, float64, int16 … stay what they are */
    uint32_t rank;
    const dim *dims;
    struct weight stored; /* KNOWN: .dtype is that of the stored elements; not yet transformed */
    const void *bytes;    /* KNOWN: the stored elements in memory once someone asked; else NULL */
    operand_id operand;   /* OPERAND; else the one that was made for it, or NO_ID */
    name_id name;         /* in the model, of an initializer or input; 0: none */
    const expr_id *elements;                /* SHAPE */
    const struct span *strings;             /* STRINGS */
    const struct lower_value *const *items; /* SEQUENCE, OPTIONAL, CLASSES, MAPS */
    uint32_t item_count;
    struct label_table labels; /* CLASSES, MAPS */
    const struct bounded
        *bounded; /* OPERAND of a size that depends on data: lower/bounded.h; else NULL */
};

/* NULL is absent: neither zero nor empty. */
typedef const struct lower_value *value;

/* The dtype in which WebNN carries an ONNX dtype (bool: uint8, float64: float32 …); false for those
 * that it cannot (complex, string). */
bool dtype_carried(enum dtype onnx, enum dtype *webnn);

static inline bool value_is_known(value v)
{
    return v && v->kind == VALUE_KNOWN;
}
/* Known, or a shape vector. */
static inline bool value_is_static(value v)
{
    return v && (v->kind == VALUE_KNOWN || v->kind == VALUE_SHAPE);
}
static inline bool value_is_tensor(value v)
{
    return v && (v->kind == VALUE_KNOWN || v->kind == VALUE_SHAPE || v->kind == VALUE_OPERAND);
}
/* Number of elements; false when a dim is open. */
bool value_count(value v, uint64_t *count);
/* Whether some dim is 0. */
bool value_is_empty(value v);

#endif
