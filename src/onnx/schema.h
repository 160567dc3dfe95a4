/* What the standards say of each operator: ai.onnx up to opset 26, ai.onnx.ml, com.microsoft. */
#ifndef ONNX_SCHEMA_H
#define ONNX_SCHEMA_H

#include "base/span.h"

enum { ONNX_OPSET_KNOWN = 26, ONNX_ML_OPSET_KNOWN = 5 };

/* One version of one operator. Static texts. */
struct onnx_schema {
    const char *domain, *name;
    int since, until; /* opset versions, inclusive; until 0: the last one known */
    bool deprecated;
    uint32_t input_count, output_count, attribute_count;
    uint32_t index;
};

enum onnx_slot_option { ONNX_SLOT_REQUIRED, ONNX_SLOT_OPTIONAL, ONNX_SLOT_VARIADIC };

struct onnx_schema_slot {
    const char *name;
    enum onnx_slot_option option;
    uint32_t dtypes; /* of tensors, by bits of the numbers in onnx.proto */
    bool other;      /* sequences, optionals, maps or sparse tensors too */
};

struct onnx_schema_attribute {
    const char *name;
    int type; /* AttributeProto.AttributeType */
    bool required;
};

/* Sorted by domain (ai.onnx first), name, since. False behind the last. */
bool onnx_schema_at(size_t index, struct onnx_schema *out);
/* The version that an import of `opset` means; false when the operator is not there. */
bool onnx_schema_find(struct span domain, struct span name, int64_t opset, struct onnx_schema *out);
/* Input i, or output i; attribute i. i must be below the count. */
void onnx_schema_slot(const struct onnx_schema *s, bool output, uint32_t i,
                      struct onnx_schema_slot *out);
void onnx_schema_attribute(const struct onnx_schema *s, uint32_t i,
                           struct onnx_schema_attribute *out);

#endif
