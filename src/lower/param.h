/* Attributes of ONNX operators as a row reads them: presence, type, default and allowed values. */
#ifndef LOWER_PARAM_H
#define LOWER_PARAM_H

#include "lower/value.h"

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

#endif
