/* The rows of the ONNX operators: who they are, what they take, who lowers them.
 * One row per behaviour: two behaviours in two opsets are two rows. */
#ifndef LOWER_ROW_H
#define LOWER_ROW_H

#include "lower/value.h"

struct lower;
struct node_view;

enum param_type {
    PARAM_INT,        /* int64_t */
    PARAM_FLOAT,      /* double: the shortest decimal of the file's float */
    PARAM_STRING,     /* struct span */
    PARAM_INTS,       /* struct ints */
    PARAM_FLOATS,     /* struct floats */
    PARAM_STRINGS,    /* struct texts */
    PARAM_TENSOR,     /* const struct onnx_tensor *, NULL = absent */
    PARAM_SPARSE,     /* const struct onnx_sparse_tensor * */
    PARAM_GRAPH,      /* const struct onnx_graph * */
    PARAM_TYPE,       /* const struct onnx_type * */
    PARAM_GIVEN_INT,  /* struct given_int: no default, presence matters */
    PARAM_GIVEN_FLOAT /* struct given_float */
};

struct given_int {
    bool given;
    int64_t value;
};
struct given_float {
    bool given;
    double value;
};
struct ints {
    bool given;
    uint32_t count;
    const int64_t *items;
};
struct floats {
    bool given;
    uint32_t count;
    const float *items;
};
struct texts {
    bool given;
    uint32_t count;
    const struct span *items;
};

struct attr_row {
    const char *name;
    enum param_type type;
    size_t offset;
    bool required;
    int64_t fallback_int;
    double fallback_float;
    const char *fallback_text;
    const char
        *allowed; /* "0 1" or "DCR CRD": values that are honoured; NULL: the lowering checks */
    bool ignored; /* has no effect on the result: accepted whatever it is (see notes) */
};

/* Rows of attributes. Further members by name: .fallback_int = 1, .required = true, .allowed = "0 1". */
#define ATTR_(kind, of, member, attribute, ...)                                      \
    {                                                                                \
        .name = attribute, .type = kind, .offset = offsetof(of, member), __VA_ARGS__ \
    }
#define ATTR_INT(of, member, ...)         ATTR_(PARAM_INT, of, member, #member, __VA_ARGS__)
#define ATTR_FLOAT(of, member, ...)       ATTR_(PARAM_FLOAT, of, member, #member, __VA_ARGS__)
#define ATTR_STRING(of, member, ...)      ATTR_(PARAM_STRING, of, member, #member, __VA_ARGS__)
#define ATTR_INTS(of, member, ...)        ATTR_(PARAM_INTS, of, member, #member, __VA_ARGS__)
#define ATTR_FLOATS(of, member, ...)      ATTR_(PARAM_FLOATS, of, member, #member, __VA_ARGS__)
#define ATTR_STRINGS(of, member, ...)     ATTR_(PARAM_STRINGS, of, member, #member, __VA_ARGS__)
#define ATTR_TENSOR(of, member, ...)      ATTR_(PARAM_TENSOR, of, member, #member, __VA_ARGS__)
#define ATTR_GRAPH(of, member, ...)       ATTR_(PARAM_GRAPH, of, member, #member, __VA_ARGS__)
#define ATTR_SPARSE(of, member, ...)      ATTR_(PARAM_SPARSE, of, member, #member, __VA_ARGS__)
#define ATTR_TYPE(of, member, ...)        ATTR_(PARAM_TYPE, of, member, #member, __VA_ARGS__)
#define ATTR_GIVEN_INT(of, member, ...)   ATTR_(PARAM_GIVEN_INT, of, member, #member, __VA_ARGS__)
#define ATTR_GIVEN_FLOAT(of, member, ...) ATTR_(PARAM_GIVEN_FLOAT, of, member, #member, __VA_ARGS__)
/* An attribute without effect (white list of the row): consumed_inputs of opset 1 is one everywhere. */
#define ATTR_IGNORED(attribute)                               \
    {                                                         \
        .name = attribute, .type = PARAM_INT, .ignored = true \
    }

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
#define KNOWN .known = true
#define SHAPE .known = true, .shape = true
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

enum operator_class { CLASS_DIRECT, CLASS_COMPOSED, CLASS_STATIC, CLASS_BOUNDED, CLASS_REFUSED };

struct onnx_row {
    const char *domain, *name; /* domain "ai.onnx", "ai.onnx.ml", "com.microsoft" */
    int since, until;          /* opset versions, inclusive; until LATEST: no end */
    const struct row_slot *inputs, *results;
    uint32_t input_count, result_count;
    const struct attr_row *attributes;
    uint32_t attribute_count;
    size_t params_size;
    /* Makes the node's outputs (emit …) or fails with a diagnostic about the node. */
    o2w_status (*lower)(struct lower *l, const struct node_view *node, const void *params);
    /* Instead of `lower` when every input that is present is known (a shape vector does not count). */
    o2w_status (*evaluate)(struct lower *l, const struct node_view *node, const void *params);
    enum operator_class class;
    bool partial; /* some attribute value, form or dtype is refused; notes say which */
    const char *webnn,
        *notes;         /* for the catalog: WebNN operators used; what is special or refused */
    const char *reason; /* CLASS_REFUSED: why, and what helps */
};

enum { LATEST = 0 };

#define ONNX(op, from, to)    .domain = "ai.onnx", .name = op, .since = from, .until = to
#define MICROSOFT(op)         .domain = "com.microsoft", .name = op, .since = 1, .until = LATEST
#define ONNX_ML(op, from, to) .domain = "ai.onnx.ml", .name = op, .since = from, .until = to
#define INPUTS(...)                                     \
    .inputs = (const struct row_slot[]){ __VA_ARGS__ }, \
    .input_count = sizeof((const struct row_slot[]){ __VA_ARGS__ }) / sizeof(struct row_slot)
#define RESULTS(...)                                     \
    .results = (const struct row_slot[]){ __VA_ARGS__ }, \
    .result_count = sizeof((const struct row_slot[]){ __VA_ARGS__ }) / sizeof(struct row_slot)
#define PARAMS(type, rows)                                                 \
    .attributes = rows, .attribute_count = sizeof(rows) / sizeof(*(rows)), \
    .params_size = sizeof(type)

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

/* Rows of a file of operators, at its end; lower/families.def lists the files:
 *     const struct onnx_row shape_rows[] = {…};
 *     ROW_COUNT(shape); */
#define ROW_COUNT(family) \
    const size_t family##_row_count = sizeof family##_rows / sizeof *family##_rows

/* All rows, in the order of the families, and sorted by domain, name, since. NULL outside. */
size_t onnx_row_count(void);
const struct onnx_row *onnx_row_at(size_t index);
const struct onnx_row *onnx_row_sorted(size_t index);
/* The row of the highest `since` <= opset whose range holds it; NULL: none. *known_name tells whether
 * the operator has a row in another version. */
const struct onnx_row *onnx_row_find(struct span domain, struct span name, int64_t opset,
                                     bool *known_name);

#endif
