/* A model with one attribute changed, for a runtime that is to compute something else with it. */
#ifndef ONNX_ADJUST_H
#define ONNX_ADJUST_H

#include "onnx/model.h"
#include "wire/writer.h"

struct onnx_adjustment {
    const char *domain, *op_type, *attribute;
    int64_t value;
};

/* Appends the model's bytes with the int attribute set to `value` in every node of that operator
 * that has it with another value: in the main graph, in subgraphs at any depth, in functions.
 * Everything else stays byte by byte. *nodes: how many were changed; 0 leaves `w` alone. */
o2w_status onnx_model_adjust(const struct onnx_model *m, const struct onnx_adjustment *adjustment,
                             struct diags *d, struct wire_writer *w, uint32_t *nodes);

#endif
