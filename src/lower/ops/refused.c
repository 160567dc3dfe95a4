/* Operators that no WebNN graph can hold, and what helps. */
#include "lower/row.h"

#define RANDOM                                                                                  \
    "draws random numbers; WebNN is deterministic. Export in inference mode or pin the random " \
    "tensor as an input"
#define STRINGS "string operator; WebNN has no strings. Move text processing out of the model"

#define REFUSED(op, from, why)                                        \
    {                                                                 \
        ONNX(op, from, LATEST), .class = CLASS_REFUSED, .reason = why \
    }

const struct onnx_row refused_rows[] = {
    REFUSED("Bernoulli", 15, RANDOM),
    REFUSED("Multinomial", 7, RANDOM),
    REFUSED("RandomNormal", 1, RANDOM),
    REFUSED("RandomNormalLike", 1, RANDOM),
    REFUSED("RandomUniform", 1, RANDOM),
    REFUSED("RandomUniformLike", 1, RANDOM),
    REFUSED("ImageDecoder", 20, "decodes image files; feed pixels instead"),
    REFUSED("RegexFullMatch", 20, STRINGS),
    REFUSED("StringConcat", 20, STRINGS),
    REFUSED("StringNormalizer", 10, STRINGS),
    REFUSED("StringSplit", 20, STRINGS),
    REFUSED("GRUUnit", 1, "experimental operator, removed from ONNX"),
    REFUSED("ATen", 1, "experimental operator, removed from ONNX"),
    REFUSED("LoopIndexTensor", 1, "experimental operator, removed from ONNX"),
};
ROW_COUNT(refused);
