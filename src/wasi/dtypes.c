/* The three numberings of tensor types. */
#include "wasi/instance.h"

enum { CODES = 7 };
#define NO_DTYPE DTYPE_COUNT

static const uint8_t numberings[][CODES] = {
    [WASINN_DTYPES_2023] = { DTYPE_FLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64, DTYPE_UINT8, DTYPE_INT32,
                             DTYPE_INT64, NO_DTYPE },
    [WASINN_DTYPES_2022] = { DTYPE_FLOAT16, DTYPE_FLOAT32, DTYPE_UINT8, DTYPE_INT32, NO_DTYPE,
                             NO_DTYPE, NO_DTYPE },
    [WASINN_DTYPES_WIT] = { DTYPE_FLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64, DTYPE_BFLOAT16,
                            DTYPE_UINT8, DTYPE_INT32, DTYPE_INT64 },
};

bool dtype_of_code(wasinn_dtypes n, uint32_t code, enum dtype *out)
{
    if (code >= CODES || numberings[n][code] == NO_DTYPE)
        return false;
    *out = (enum dtype)numberings[n][code];
    return true;
}

bool code_of_dtype(wasinn_dtypes n, enum dtype t, uint32_t *code)
{
    for (uint32_t i = 0; i < CODES; i++)
        if (t != NO_DTYPE && numberings[n][i] == (uint8_t)t) {
            *code = i;
            return true;
        }
    return false;
}

enum dtype dtype_for_guest(enum dtype model)
{
    return model == DTYPE_BOOL ? DTYPE_UINT8 : model;
}

bool dtype_widened(enum dtype model, enum dtype *out)
{
    switch ((int)model) {
    case DTYPE_INT4:
    case DTYPE_UINT4:
    case DTYPE_INT8:
    case DTYPE_INT16:
    case DTYPE_UINT16: *out = DTYPE_INT32; return true;
    case DTYPE_UINT32: *out = DTYPE_INT64; return true;
    case DTYPE_FLOAT8E4M3FN:
    case DTYPE_FLOAT8E4M3FNUZ:
    case DTYPE_FLOAT8E5M2:
    case DTYPE_FLOAT8E5M2FNUZ:
    case DTYPE_FLOAT8E8M0: *out = DTYPE_FLOAT32; return true;
    default: return false;
    }
}

const char *dtypes_name(wasinn_dtypes n)
{
    static const char *const names[] = { "2023", "2022", "wit" };
    return names[n];
}
