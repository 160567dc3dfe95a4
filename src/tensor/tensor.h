/* Shapes and views of tensors in memory: dense, row-major. */
#ifndef TENSOR_TENSOR_H
#define TENSOR_TENSOR_H

#include "base/arena.h"
#include "tensor/dtype.h"

enum { MAX_RANK = 16 };

/* A size: >= 0 is a number, < 0 an expression of the graph (webnn/expr.h). */
typedef int64_t dim;

static inline bool dim_is_static(dim d)
{
    return d >= 0;
}

struct descriptor {
    enum dtype dtype;
    uint32_t rank;
    dim dims[MAX_RANK];
};

/* A view of elements; `data` is storage in the layout of WebNN and ONNX (little endian, 4-bit types
 * low nibble first). All dims are static. Never owns. */
struct tensor {
    enum dtype dtype;
    uint32_t rank;
    int64_t dims[MAX_RANK];
    void *data;
};

bool dims_equal(const dim *a, const dim *b, uint32_t rank);
bool dims_static(const dim *dims, uint32_t rank);
/* Product of static dims; false on overflow of int64 or where one is not static. Rank 0: 1. */
bool dims_count(const dim *dims, uint32_t rank, uint64_t *count);
/* "[1, 3, 224]" into text (cut at size, NUL-terminated); expressions print as "?". */
void dims_text(const dim *dims, uint32_t rank, char *text, size_t size);

/* Element count of a tensor (checked when it was made). */
uint64_t tensor_count(const struct tensor *t);
uint64_t tensor_bytes(const struct tensor *t);
/* Row-major strides in elements. */
void tensor_strides(const struct tensor *t, int64_t strides[MAX_RANK]);
/* A tensor with fresh zeroed data in the arena. O2W_NO_MEMORY, O2W_RANGE (size). */
o2w_status tensor_new(struct arena *a, enum dtype dtype, const int64_t *dims, uint32_t rank,
                      struct tensor *out);

/* One element as the widest kind of its class: integers and bool exactly, floats as double. */
int64_t tensor_get_i64(const struct tensor *t,
                       uint64_t index); /* signed, bool and unsigned < 2^63 */
uint64_t tensor_get_u64(const struct tensor *t, uint64_t index);  /* unsigned kinds */
double tensor_get_double(const struct tensor *t, uint64_t index); /* any numeric kind */
/* Stores with the conversion rules of WebNN cast: float to integer truncates and saturates, NaN is
 * 0; integer to integer keeps the low bits; to float rounds once, to nearest even. */
void tensor_put_i64(struct tensor *t, uint64_t index, int64_t value);
void tensor_put_u64(struct tensor *t, uint64_t index, uint64_t value);
void tensor_put_double(struct tensor *t, uint64_t index, double value);
/* All elements of `from` to the dtype of `to` (same count), by the rules above; to bool: != 0, NaN is
 * true. Works for every numeric dtype; float8, float4, int2 kinds only as source. O2W_UNSUPPORTED. */
o2w_status tensor_convert(const struct tensor *from, struct tensor *to);

/* Broadcasting of static shapes, both ways; false when they do not fit. */
bool broadcast_static(const int64_t *a, uint32_t rank_a, const int64_t *b, uint32_t rank_b,
                      int64_t *out, uint32_t *rank);

#endif
