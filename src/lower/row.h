/* The rows of the ONNX operators: who they are, what they take, who lowers them.
 * One row per behaviour: two behaviours in two opsets are two rows. */
#ifndef LOWER_ROW_H
#define LOWER_ROW_H

#include "lower/param.h"
#include "lower/slot.h"

struct lower;
struct node_view;

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
    bool classes; /* moves elements of input 0: of class labels it moves the places */
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
