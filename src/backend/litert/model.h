/* A TensorFlow Lite model being made: one subgraph of float32 tensors, with int32 ones for shapes. */
#ifndef BACKEND_LITERT_MODEL_H
#define BACKEND_LITERT_MODEL_H

#include "backend/litert/flat.h"
#include "tensor/tensor.h"

/* Operators and option tables by their numbers in the format's schema. */
enum lite_op {
    LITE_ADD = 0,
    LITE_AVERAGE_POOL_2D = 1,
    LITE_CONCATENATION = 2,
    LITE_CONV_2D = 3,
    LITE_DEPTHWISE_CONV_2D = 4,
    LITE_FLOOR = 8,
    LITE_LOGISTIC = 14,
    LITE_MAX_POOL_2D = 17,
    LITE_MUL = 18,
    LITE_RELU = 19,
    LITE_RESHAPE = 22,
    LITE_RESIZE_BILINEAR = 23,
    LITE_SOFTMAX = 25,
    LITE_TANH = 28,
    LITE_TRANSPOSE = 39,
    LITE_MEAN = 40,
    LITE_SUB = 41,
    LITE_DIV = 42,
    LITE_STRIDED_SLICE = 45,
    LITE_EXP = 47,
    LITE_MAXIMUM = 55,
    LITE_MINIMUM = 57,
    LITE_NEG = 59,
    LITE_PADV2 = 60,
    LITE_SIN = 66,
    LITE_TILE = 69,
    LITE_LOG = 73,
    LITE_SUM = 74,
    LITE_SQRT = 75,
    LITE_POW = 78,
    LITE_REDUCE_MAX = 82,
    LITE_REDUCE_MIN = 89,
    LITE_RESIZE_NEAREST_NEIGHBOR = 97,
    LITE_ABS = 101,
    LITE_CEIL = 104,
    LITE_COS = 108,
    LITE_ROUND = 116,
    LITE_BATCH_MATMUL = 126,
    LITE_BROADCAST_TO = 130
};
enum lite_options {
    LITE_NO_OPTIONS = 0,
    LITE_CONV_2D_OPTIONS = 1,
    LITE_DEPTHWISE_CONV_2D_OPTIONS = 2,
    LITE_POOL_2D_OPTIONS = 5,
    LITE_SOFTMAX_OPTIONS = 9,
    LITE_CONCATENATION_OPTIONS = 10,
    LITE_ADD_OPTIONS = 11,
    LITE_RESIZE_BILINEAR_OPTIONS = 15,
    LITE_MUL_OPTIONS = 21,
    LITE_REDUCER_OPTIONS = 27,
    LITE_SUB_OPTIONS = 28,
    LITE_DIV_OPTIONS = 29,
    LITE_STRIDED_SLICE_OPTIONS = 32,
    LITE_RESIZE_NEAREST_NEIGHBOR_OPTIONS = 74,
    LITE_BATCH_MATMUL_OPTIONS = 101
};

enum { LITE_NONE = -1, LITE_OPTION_FIELDS = 7, LITE_INPUTS = 8 };

struct lite_tensor {
    enum dtype dtype; /* float32 or int32 */
    uint32_t rank;
    int32_t dims[8];
    const void *data; /* constants; borrowed */
    size_t size;
};

struct lite_node {
    enum lite_op op;
    enum lite_options options;
    struct flat_field fields[LITE_OPTION_FIELDS];
    size_t field_count;
    const int32_t *inputs; /* borrowed */
    size_t input_count;
    int32_t output;
};

struct lite_model {
    VEC(struct lite_tensor) tensors;
    VEC(struct lite_node) nodes;
    bool failed; /* memory is out */
};

void lite_init(struct lite_model *m, const o2w_allocator *allocator);
void lite_free(struct lite_model *m);
/* The tensor's number; data NULL: it is computed. */
int32_t lite_tensor(struct lite_model *m, enum dtype t, const int64_t *dims, uint32_t rank,
                    const void *data, size_t size);
void lite_node(struct lite_model *m, const struct lite_node *node);
/* The finished file; false when memory is out or it would exceed 2 GiB. f is begun here. */
bool lite_write(const struct lite_model *m, const int32_t *inputs, size_t input_count,
                const int32_t *outputs, size_t output_count, const o2w_allocator *allocator,
                struct flat *f);

#endif
