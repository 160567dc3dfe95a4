/* Comparisons, logic and choice. Truth is uint8 in the graph, always 0 or 1. */
#include "lower/helpers.h"

#include <math.h>

static o2w_status lower_compare(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return emit(l, n, row_operator(n), OPERANDS(input(n, 0), input(n, 1)), NULL);
}

static o2w_status lower_compare_legacy(struct lower *l, const struct node_view *n,
                                       const void *params)
{
    value b;
    TRY(legacy_operand(l, n, params, &b));
    return emit(l, n, row_operator(n), OPERANDS(input(n, 0), b), NULL);
}

static o2w_status lower_test(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return emit(l, n, row_operator(n), OPERANDS(input(n, 0)), NULL);
}

struct is_inf {
    int64_t detect_negative, detect_positive;
};

static const struct attr_row is_inf_attrs[] = {
    ATTR_INT(struct is_inf, detect_negative, .fallback_int = 1),
    ATTR_INT(struct is_inf, detect_positive, .fallback_int = 1),
};

static o2w_status lower_is_inf(struct lower *l, const struct node_view *n, const void *params)
{
    const struct is_inf *p = params;
    value x = input(n, 0), y;
    if (p->detect_negative && p->detect_positive)
        return emit(l, n, WEBNN_IS_INFINITE, OPERANDS(x), NULL);
    if (!p->detect_negative && !p->detect_positive) {
        TRY(fill_i64(l, DTYPE_BOOL, 0, x->dims, x->rank, &y));
        return emit_value(l, n, y);
    }
    TRY(scalar_like(l, x, p->detect_positive ? (double)INFINITY : -(double)INFINITY, &y));
    return emit(l, n, WEBNN_EQUAL, OPERANDS(x, y), NULL);
}

static o2w_status lower_where(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return emit(l, n, WEBNN_WHERE, OPERANDS(input(n, 0), input(n, 1), input(n, 2)), NULL);
}

static const struct attr_row legacy_attrs[] = {
    ATTR_GIVEN_INT(struct legacy_broadcast, axis),
    ATTR_INT(struct legacy_broadcast, broadcast, .fallback_int = 0, .allowed = "0 1"),
};

#define SET_EQUAL_1 (SET_BOOL | SET_INDEX)

#define COMPARE_LEGACY(op, types, kind)                                                      \
    {                                                                                        \
        ONNX(op, 1, 6), INPUTS(IN("A", T, types), IN("B", T, types)),                        \
            RESULTS(OUT_OF("C", DTYPE_BOOL)), PARAMS(struct legacy_broadcast, legacy_attrs), \
            .lower = lower_compare_legacy, .class = CLASS_DIRECT, .webnn = kind,             \
            .notes = "attributes broadcast and axis"                                         \
    }
#define COMPARE(op, from, to, types, kind, ...)                                              \
    {                                                                                        \
        ONNX(op, from, to), INPUTS(IN("A", T, types), IN("B", T, types)),                    \
            RESULTS(OUT_OF("C", DTYPE_BOOL)), .lower = lower_compare, .class = CLASS_DIRECT, \
                                              .webnn = kind, __VA_ARGS__                     \
    }
#define TEST(op, from, types, kind)                                                             \
    {                                                                                           \
        ONNX(op, from, LATEST), INPUTS(IN("X", NONE, types)), RESULTS(OUT_OF("Y", DTYPE_BOOL)), \
            .lower = lower_test, .class = CLASS_DIRECT, .webnn = kind                           \
    }

const struct onnx_row logic_rows[] = {
    COMPARE_LEGACY("And", SET_BOOL, "logicalAnd"),
    COMPARE("And", 7, LATEST, SET_BOOL, "logicalAnd"),
    COMPARE_LEGACY("Or", SET_BOOL, "logicalOr"),
    COMPARE("Or", 7, LATEST, SET_BOOL, "logicalOr"),
    COMPARE_LEGACY("Xor", SET_BOOL, "logicalXor"),
    COMPARE("Xor", 7, LATEST, SET_BOOL, "logicalXor"),
    TEST("Not", 1, SET_BOOL, "logicalNot"),

    COMPARE_LEGACY("Equal", SET_EQUAL_1, "equal"),
    COMPARE("Equal", 7, 18, SET_ALL, "equal"),
    COMPARE("Equal", 19, LATEST, SET_ALL, "equal", .partial = true, .notes = "strings refused"),
    COMPARE_LEGACY("Greater", SET_FLOATS, "greater"),
    COMPARE("Greater", 7, LATEST, SET_NUMERIC, "greater"),
    COMPARE("GreaterOrEqual", 12, LATEST, SET_NUMERIC, "greaterOrEqual"),
    COMPARE_LEGACY("Less", SET_FLOATS, "lesser"),
    COMPARE("Less", 7, LATEST, SET_NUMERIC, "lesser"),
    COMPARE("LessOrEqual", 12, LATEST, SET_NUMERIC, "lesserOrEqual"),

    TEST("IsNaN", 9, SET_FLOATS, "isNaN"),
    { ONNX("IsInf", 10, LATEST), INPUTS(IN("X", NONE, SET_FLOATS)),
      RESULTS(OUT_OF("Y", DTYPE_BOOL)), PARAMS(struct is_inf, is_inf_attrs), .lower = lower_is_inf,
      .class = CLASS_DIRECT, .webnn = "isInfinite", .notes = "one sign: equal" },
    { ONNX("Where", 9, LATEST),
      INPUTS(IN("condition", NONE, SET_BOOL), IN("X", T, SET_ALL), IN("Y", T, SET_ALL)),
      RESULTS(OUT("output", T)), .lower = lower_where, .class = CLASS_DIRECT, .webnn = "where" },
};
ROW_COUNT(logic);
