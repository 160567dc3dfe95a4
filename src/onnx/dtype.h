/* The element types of ONNX by their numbers in the file. */
#ifndef ONNX_DTYPE_H
#define ONNX_DTYPE_H

#include "base/span.h"

enum onnx_dtype {
    ONNX_UNDEFINED,
    ONNX_FLOAT,
    ONNX_UINT8,
    ONNX_INT8,
    ONNX_UINT16,
    ONNX_INT16,
    ONNX_INT32,
    ONNX_INT64,
    ONNX_STRING,
    ONNX_BOOL,
    ONNX_FLOAT16,
    ONNX_DOUBLE,
    ONNX_UINT32,
    ONNX_UINT64,
    ONNX_COMPLEX64,
    ONNX_COMPLEX128,
    ONNX_BFLOAT16,
    ONNX_FLOAT8E4M3FN,
    ONNX_FLOAT8E4M3FNUZ,
    ONNX_FLOAT8E5M2,
    ONNX_FLOAT8E5M2FNUZ,
    ONNX_UINT4,
    ONNX_INT4,
    ONNX_FLOAT4E2M1,
    ONNX_FLOAT8E8M0,
    ONNX_UINT2,
    ONNX_INT2,
    ONNX_FLOAT6E2M3,
    ONNX_FLOAT6E3M2,
    ONNX_DTYPE_COUNT
};

/* A number that a file may hold: known and not ONNX_UNDEFINED. */
bool onnx_dtype_known(int32_t number);
/* "float", "uint8", … as ONNX spells them in type strings; "data type 99" for others is up to the
 * caller: NULL. Static. */
const char *onnx_dtype_name(int32_t number);
/* Bits of one element in storage; 0 for string and for unknown numbers. */
unsigned onnx_dtype_bits(int32_t number);
/* Bytes that `count` elements take, the last byte filled up; false when it overflows. */
bool onnx_dtype_bytes(int32_t number, uint64_t count, uint64_t *bytes);

#endif
