/* Slots of ONNX operators: names, presence, dtypes. */
#ifndef LOWER_SLOT_H
#define LOWER_SLOT_H

#include "lower/value.h"

/* Type variables: inputs of one variable have one dtype. */
enum type_variable { TYPE_NONE = -1, TYPE_T, TYPE_T1, TYPE_T2, TYPE_T3, TYPE_T4, TYPE_COUNT };

struct row_slot {
    const char *name;
    enum slot_kind kind; /* of webnn/operator.h; an optional one may be absent */
    enum type_variable
        variable;     /* TYPE_NONE: its dtype stands alone (or is the lowering's to set) */
    dtype_set dtypes; /* of inputs: allowed; of results with TYPE_NONE: one bit = that dtype,
                                    0 = the lowering says (emit_as) */
    bool known;       /* must be known, a shape vector will do where `shape` is set too */
    bool shape;
    bool classes; /* of SET_STRING: class labels will do, a VALUE_CLASSES */
};

#define IN(slot, var, types, ...)                                                       \
    {                                                                                   \
        .name = slot, .kind = SLOT_REQUIRED, .variable = TYPE_##var, .dtypes = (types), \
        __VA_ARGS__                                                                     \
    }
#define IN_OPT(slot, var, types, ...)                                                   \
    {                                                                                   \
        .name = slot, .kind = SLOT_OPTIONAL, .variable = TYPE_##var, .dtypes = (types), \
        __VA_ARGS__                                                                     \
    }
#define IN_MANY(slot, var, types, ...)                                                  \
    {                                                                                   \
        .name = slot, .kind = SLOT_VARIADIC, .variable = TYPE_##var, .dtypes = (types), \
        __VA_ARGS__                                                                     \
    }
#define KNOWN   .known = true
#define SHAPE   .known = true, .shape = true
#define CLASSES .classes = true
#define OUT(slot, var)                                              \
    {                                                               \
        .name = slot, .kind = SLOT_REQUIRED, .variable = TYPE_##var \
    }
#define OUT_OPT(slot, var)                                          \
    {                                                               \
        .name = slot, .kind = SLOT_OPTIONAL, .variable = TYPE_##var \
    }
#define OUT_MANY(slot, var)                                         \
    {                                                               \
        .name = slot, .kind = SLOT_VARIADIC, .variable = TYPE_##var \
    }
/* A result of a fixed dtype: OUT_OF("Y", DTYPE_BOOL). */
#define OUT_OF(slot, id)                                                                    \
    {                                                                                       \
        .name = slot, .kind = SLOT_REQUIRED, .variable = TYPE_NONE, .dtypes = DTYPE_BIT(id) \
    }
#define OUT_OPT_OF(slot, id)                                                                \
    {                                                                                       \
        .name = slot, .kind = SLOT_OPTIONAL, .variable = TYPE_NONE, .dtypes = DTYPE_BIT(id) \
    }

/* Sets of dtypes as ONNX's type constraints use them. */
#define SET_FLOATS                                                                    \
    (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_FLOAT64) | \
     DTYPE_BIT(DTYPE_BFLOAT16))
#define SET_SIGNED                                                             \
    (DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_INT16) | DTYPE_BIT(DTYPE_INT32) | \
     DTYPE_BIT(DTYPE_INT64))
#define SET_UNSIGNED                                                              \
    (DTYPE_BIT(DTYPE_UINT8) | DTYPE_BIT(DTYPE_UINT16) | DTYPE_BIT(DTYPE_UINT32) | \
     DTYPE_BIT(DTYPE_UINT64))
#define SET_INTS    (SET_SIGNED | SET_UNSIGNED)
#define SET_NUMERIC (SET_FLOATS | SET_INTS)
#define SET_BOOL    DTYPE_BIT(DTYPE_BOOL)
#define SET_I64     DTYPE_BIT(DTYPE_INT64)
#define SET_INDEX   (DTYPE_BIT(DTYPE_INT32) | DTYPE_BIT(DTYPE_INT64))
#define SET_ALL     (SET_NUMERIC | SET_BOOL) /* all that a graph can carry, 4-bit kinds apart */
#define SET_STRING  DTYPE_BIT(DTYPE_STRING)

#endif
