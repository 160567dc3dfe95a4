#include "onnx/dtype.h"

#include "base/checked.h"

static const struct {
    const char *name;
    unsigned bits;
} rows[ONNX_DTYPE_COUNT] = {
    [ONNX_FLOAT] = { "float", 32 },
    [ONNX_UINT8] = { "uint8", 8 },
    [ONNX_INT8] = { "int8", 8 },
    [ONNX_UINT16] = { "uint16", 16 },
    [ONNX_INT16] = { "int16", 16 },
    [ONNX_INT32] = { "int32", 32 },
    [ONNX_INT64] = { "int64", 64 },
    [ONNX_STRING] = { "string", 0 },
    [ONNX_BOOL] = { "bool", 8 },
    [ONNX_FLOAT16] = { "float16", 16 },
    [ONNX_DOUBLE] = { "double", 64 },
    [ONNX_UINT32] = { "uint32", 32 },
    [ONNX_UINT64] = { "uint64", 64 },
    [ONNX_COMPLEX64] = { "complex64", 64 },
    [ONNX_COMPLEX128] = { "complex128", 128 },
    [ONNX_BFLOAT16] = { "bfloat16", 16 },
    [ONNX_FLOAT8E4M3FN] = { "float8e4m3fn", 8 },
    [ONNX_FLOAT8E4M3FNUZ] = { "float8e4m3fnuz", 8 },
    [ONNX_FLOAT8E5M2] = { "float8e5m2", 8 },
    [ONNX_FLOAT8E5M2FNUZ] = { "float8e5m2fnuz", 8 },
    [ONNX_UINT4] = { "uint4", 4 },
    [ONNX_INT4] = { "int4", 4 },
    [ONNX_FLOAT4E2M1] = { "float4e2m1", 4 },
    [ONNX_FLOAT8E8M0] = { "float8e8m0", 8 },
    [ONNX_UINT2] = { "uint2", 2 },
    [ONNX_INT2] = { "int2", 2 },
    [ONNX_FLOAT6E2M3] = { "float6e2m3", 6 },
    [ONNX_FLOAT6E3M2] = { "float6e3m2", 6 },
};

bool onnx_dtype_known(int32_t number)
{
    return number > ONNX_UNDEFINED && number < ONNX_DTYPE_COUNT;
}

const char *onnx_dtype_name(int32_t number)
{
    return onnx_dtype_known(number) ? rows[number].name : NULL;
}

unsigned onnx_dtype_bits(int32_t number)
{
    return onnx_dtype_known(number) ? rows[number].bits : 0;
}

bool onnx_dtype_bytes(int32_t number, uint64_t count, uint64_t *bytes)
{
    uint64_t bits;
    unsigned each = onnx_dtype_bits(number);
    if (each % 8 == 0)
        return mul_u64(count, each / 8, bytes);
    if (!mul_u64(count, each, &bits) || !add_u64(bits, 7, &bits))
        return false;
    *bytes = bits / 8;
    return true;
}
