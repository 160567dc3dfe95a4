#include "format/safetensors_dtypes.h"

#include "base/checked.h"

static const struct archive_dtype kinds[] = {
    { "U64", 64, DTYPE_UINT64 },
    { "I64", 64, DTYPE_INT64 },
    { "F64", 64, DTYPE_FLOAT64 },
    { "C64", 64, DTYPE_COMPLEX64 },
    { "F32", 32, DTYPE_FLOAT32 },
    { "U32", 32, DTYPE_UINT32 },
    { "I32", 32, DTYPE_INT32 },
    { "BF16", 16, DTYPE_BFLOAT16 },
    { "F16", 16, DTYPE_FLOAT16 },
    { "U16", 16, DTYPE_UINT16 },
    { "I16", 16, DTYPE_INT16 },
    { "F8_E8M0", 8, DTYPE_FLOAT8E8M0 },
    { "F8_E4M3", 8, DTYPE_FLOAT8E4M3FN },
    { "F8_E5M2", 8, DTYPE_FLOAT8E5M2 },
    { "I8", 8, DTYPE_INT8 },
    { "U8", 8, DTYPE_UINT8 },
    { "F6_E3M2", 6, DTYPE_COUNT },
    { "F6_E2M3", 6, DTYPE_COUNT },
    { "F4", 4, DTYPE_FLOAT4E2M1 },
    { "BOOL", 8, DTYPE_BOOL },
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

const struct archive_dtype *archive_dtype_find(struct span name)
{
    for (size_t i = 0; i < KINDS; i++)
        if (span_is(name, kinds[i].name))
            return &kinds[i];
    return NULL;
}

const char *archive_dtype_name(enum dtype t)
{
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].dtype == t && t != DTYPE_COUNT)
            return kinds[i].name;
    return NULL;
}

bool archive_dtype_bytes(const struct archive_dtype *t, uint64_t count, uint64_t *bytes)
{
    uint64_t bits;
    if (!mul_u64(count, t->bits, &bits) || bits % 8 != 0)
        return false;
    *bytes = bits / 8;
    return true;
}
