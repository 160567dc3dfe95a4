/* quantizeLinear, dequantizeLinear. A dim of the scale of size k cuts the operand's dim into k blocks;
 * as [k, block] pairs of dims the scale simply stands still along the second. */
#include "kernels/convert.h"
#include "kernels/move.h"
#include "kernels/types.h"

enum { GRAIN = 1 << 15 };

struct quantize;
typedef void (*quantize_loop)(const struct quantize *w, const int64_t offsets[NEST_VIEWS],
                              int64_t n);

struct quantize {
    struct nest nest; /* x and result, scale and zero point */
    quantize_loop loop;
    const void *x, *zero_point;
    const float *scale;
    void *y;
    double min, max; /* of the result's dtype */
};

static inline double quantized(float x, float scale, double zero_point, double min, double max)
{
    double q = (double)rintf(x / scale) + zero_point;
    if (q != q)
        return 0;
    return q < min ? min : q > max ? max : q;
}

#define QUANTIZE(op, ID, name, type, wide)                                                         \
    static void quantize_##name(const struct quantize *w, const int64_t offsets[NEST_VIEWS],       \
                                int64_t n)                                                         \
    {                                                                                              \
        const float *x = (const float *)w->x + offsets[0], *scale = w->scale + offsets[1];         \
        const type *zero = (const type *)w->zero_point + offsets[1];                               \
        type *y = (type *)w->y + offsets[0];                                                       \
        const int64_t step = w->nest.strides[1][w->nest.rank - 1];                                 \
        for (int64_t i = 0; i < n; i++)                                                            \
            y[i] = (type)quantized(x[i], scale[i * step], (double)zero[i * step], w->min, w->max); \
    }
#define DEQUANTIZE(op, ID, name, type, wide)                                                   \
    static void dequantize_##name(const struct quantize *w, const int64_t offsets[NEST_VIEWS], \
                                  int64_t n)                                                   \
    {                                                                                          \
        const type *x = (const type *)w->x + offsets[0];                                       \
        const type *zero = (const type *)w->zero_point + offsets[1];                           \
        const float *scale = w->scale + offsets[1];                                            \
        float *y = (float *)w->y + offsets[0];                                                 \
        const int64_t step = w->nest.strides[1][w->nest.rank - 1];                             \
        for (int64_t i = 0; i < n; i++)                                                        \
            y[i] = (float)((int64_t)x[i] - (int64_t)zero[i * step]) * scale[i * step];         \
    }
#define QUANTIZED_TYPES(X, op)        \
    X(op, INT8, int8, int8_t, )       \
    X(op, UINT8, uint8, uint8_t, )    \
    X(op, INT16, int16, int16_t, )    \
    X(op, UINT16, uint16, uint16_t, ) \
    X(op, INT32, int32, int32_t, )    \
    X(op, UINT32, uint32, uint32_t, )
QUANTIZED_TYPES(QUANTIZE, quantize)
QUANTIZED_TYPES(DEQUANTIZE, dequantize)

static void quantize_body(void *user, const int64_t offsets[NEST_VIEWS], int64_t count)
{
    const struct quantize *w = user;
    w->loop(w, offsets, count);
}

static void quantize_part(void *user, int64_t begin, int64_t end)
{
    struct quantize *w = user;
    nest_walk(&w->nest, begin, end, quantize_body, w);
}

static void blockwise_nest(struct nest *n, const struct tensor *x, const struct tensor *scale)
{
    int64_t x_strides[MAX_RANK], scale_strides[MAX_RANK];
    int64_t dims[NEST_RANK], walk_x[NEST_RANK], walk_scale[NEST_RANK];
    tensor_strides(x, x_strides);
    tensor_strides(scale, scale_strides);
    for (uint32_t d = 0; d < x->rank; d++) {
        int64_t block = x->dims[d] / scale->dims[d];
        dims[2 * d] = scale->dims[d];
        dims[2 * d + 1] = block;
        walk_x[2 * d] = x_strides[d] * block;
        walk_x[2 * d + 1] = x_strides[d];
        walk_scale[2 * d] = scale_strides[d];
        walk_scale[2 * d + 1] = 0;
    }
    nest_begin(n, dims, 2 * x->rank);
    nest_view(n, walk_x);
    nest_view(n, walk_scale);
    nest_collapse(n);
}

/* The elements as bytes where they are packed; NULL when memory is out. */
static const void *unpacked(const struct kernel_call *call, const struct tensor *t)
{
    if (!dtype_in(t->dtype, DTYPES_4BIT))
        return t->data;
    uint8_t *bytes = kernel_memory(call, count_of(t), 1);
    if (bytes)
        nibbles_unpack(t->data, 0, count_of(t), t->dtype == DTYPE_INT4, bytes);
    return bytes;
}

static enum dtype byte_dtype(enum dtype t)
{
    return t == DTYPE_INT4 ? DTYPE_INT8 : t == DTYPE_UINT4 ? DTYPE_UINT8 : t;
}

static void quantize_run(const struct kernel_call *call, struct quantize *w)
{
    const struct tensor *x = call->operands[0];
    blockwise_nest(&w->nest, x, call->operands[1]);
    kernel_ranges(call, count_of(x), GRAIN, quantize_part, w);
}

o2w_status kernel_quantize_linear(const struct kernel_call *call)
{
    static const quantize_loop loops[DTYPE_COUNT] = { QUANTIZED_TYPES(LOOP_ENTRY, quantize) };
    const struct tensor *x = call->operands[0], *scale = call->operands[1];
    const struct tensor *zero_point = call->operands[2];
    struct tensor *y = call_result(call, 0);
    bool packed = dtype_in(y->dtype, DTYPES_4BIT);
    struct quantize w = { .loop = loops[byte_dtype(y->dtype)],
                          .x = x->data,
                          .zero_point = unpacked(call, zero_point),
                          .scale = scale->data,
                          .y = packed ? kernel_memory(call, count_of(y), 1) : y->data };
    if (!w.loop || x->dtype != DTYPE_FLOAT32)
        return O2W_UNSUPPORTED;
    if (!w.zero_point || !w.y)
        return O2W_NO_MEMORY;
    w.min = (double)dtype_min(y->dtype);
    w.max = (double)dtype_max(y->dtype);
    quantize_run(call, &w);
    if (packed)
        nibbles_pack(w.y, count_of(y), y->data);
    return O2W_OK;
}

o2w_status kernel_dequantize_linear(const struct kernel_call *call)
{
    static const quantize_loop loops[DTYPE_COUNT] = { QUANTIZED_TYPES(LOOP_ENTRY, dequantize) };
    const struct tensor *x = call->operands[0], *scale = call->operands[1];
    struct quantize w = { .loop = loops[byte_dtype(x->dtype)],
                          .x = unpacked(call, x),
                          .zero_point = unpacked(call, call->operands[2]),
                          .scale = scale->data,
                          .y = call_result(call, 0)->data };
    if (!w.loop || scale->dtype != DTYPE_FLOAT32)
        return O2W_UNSUPPORTED;
    if (!w.x || !w.zero_point)
        return O2W_NO_MEMORY;
    quantize_run(call, &w);
    return O2W_OK;
}
