/* Tensors as one line of text; runner.h says how they look. */
#ifndef OPERATORS_TENSOR_TEXT_H
#define OPERATORS_TENSOR_TEXT_H

#include "tensor/tensor.h"

struct tensor_text {
    bool absent, initializer;
    bool native, any; /* the values are those of native ONNX Runtime; whatever they are */
    struct tensor tensor;
    const char *names[MAX_RANK]; /* of dims; NULL: a number only */
};

/* NULL when it is well-formed, else what is wrong. Everything lives in the arena. */
const char *tensor_text_parse(const char *text, struct arena *a, struct tensor_text *out);

#endif
