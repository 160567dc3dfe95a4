/* Comparisons and logical operators: uint8 results of 0 and 1. */
#include "kernels/elementwise.h"

#define COMPARISON(op, OPERATOR)                                           \
    BINARY_LOOP(op##_int8, , int8_t, uint8_t, p OPERATOR q)                \
    BINARY_LOOP(op##_int16, , int16_t, uint8_t, p OPERATOR q)              \
    BINARY_LOOP(op##_int32, , int32_t, uint8_t, p OPERATOR q)              \
    BINARY_LOOP(op##_int64, , int64_t, uint8_t, p OPERATOR q)              \
    BINARY_LOOP(op##_uint8, , uint8_t, uint8_t, p OPERATOR q)              \
    BINARY_LOOP(op##_uint16, , uint16_t, uint8_t, p OPERATOR q)            \
    BINARY_LOOP(op##_uint32, , uint32_t, uint8_t, p OPERATOR q)            \
    BINARY_LOOP(op##_uint64, , uint64_t, uint8_t, p OPERATOR q)            \
    BINARY_LOOP(op##_float32, VECTOR_CLONES, float, uint8_t, p OPERATOR q) \
    BINARY_LOOP(op##_float64, , double, uint8_t, p OPERATOR q)

COMPARISON(equal, ==)
COMPARISON(not_equal, !=)
COMPARISON(greater, >)
COMPARISON(greater_or_equal, >=)
COMPARISON(lesser, <)
COMPARISON(lesser_or_equal, <=)

#define COMPARISON_LOOPS(op)                                   \
    {                                                          \
        NUMERIC_TYPES(LOOP_ENTRY, op)[DTYPE_BOOL] = op##_uint8 \
    }

static const binary_loop loops[WEBNN_OPERATOR_COUNT][DTYPE_COUNT] = {
    [WEBNN_EQUAL] = COMPARISON_LOOPS(equal),
    [WEBNN_NOT_EQUAL] = COMPARISON_LOOPS(not_equal),
    [WEBNN_GREATER] = COMPARISON_LOOPS(greater),
    [WEBNN_GREATER_OR_EQUAL] = COMPARISON_LOOPS(greater_or_equal),
    [WEBNN_LESSER] = COMPARISON_LOOPS(lesser),
    [WEBNN_LESSER_OR_EQUAL] = COMPARISON_LOOPS(lesser_or_equal),
};

o2w_status kernel_compare(const struct kernel_call *call)
{
    binary_loop loop = loops[call->kind][call->operands[0]->dtype];
    return loop ? binary_run(call, loop) : O2W_UNSUPPORTED;
}

BINARY_LOOP(logical_and, , uint8_t, uint8_t, (p != 0) & (q != 0))
BINARY_LOOP(logical_or, , uint8_t, uint8_t, (p != 0) | (q != 0))
BINARY_LOOP(logical_xor, , uint8_t, uint8_t, (p != 0) ^ (q != 0))

o2w_status kernel_logical(const struct kernel_call *call)
{
    binary_loop loop = call->kind == WEBNN_LOGICAL_AND  ? logical_and
                       : call->kind == WEBNN_LOGICAL_OR ? logical_or
                                                        : logical_xor;
    return binary_run(call, loop);
}
