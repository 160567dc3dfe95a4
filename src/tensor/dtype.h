/* Element types. */
#ifndef TENSOR_DTYPE_H
#define TENSOR_DTYPE_H

#include "base/span.h"

enum dtype {
#define DTYPE(ID, ...) DTYPE_##ID,
#include "tensor/dtypes.def"
    DTYPE_COUNT
};

enum { DTYPE_WEBNN_COUNT = DTYPE_UINT4 + 1 };

enum dtype_class {
    DTYPE_CLASS_FLOAT,
    DTYPE_CLASS_SIGNED,
    DTYPE_CLASS_UNSIGNED,
    DTYPE_CLASS_BOOL,
    DTYPE_CLASS_OTHER
};

/* A set of dtypes as bits. */
typedef uint32_t dtype_set;
#define DTYPE_BIT(id) ((dtype_set)1 << (id))
#define DTYPES_WEBNN8 ((dtype_set)0xff)
#define DTYPES_WEBNN  ((dtype_set)0x3ff)
#define DTYPES_4BIT   (DTYPE_BIT(DTYPE_INT4) | DTYPE_BIT(DTYPE_UINT4))

struct dtype_info {
    const char *name, *text, *safetensors;
    uint8_t bits;
    uint8_t onnx;
    enum dtype_class class;
};

const struct dtype_info *dtype_info(enum dtype t);
const char *dtype_name(enum dtype t);
static inline bool dtype_in(enum dtype t, dtype_set s)
{
    return (s >> t) & 1;
}
bool dtype_is_float(enum dtype t);   /* any float kind */
bool dtype_is_integer(enum dtype t); /* signed or unsigned; bool is not */
bool dtype_is_signed(enum dtype t);  /* signed integer */
/* By long name, .webnn spelling, archive name, ONNX number; false when there is none. */
bool dtype_by_name(struct span name, enum dtype *t);
bool dtype_by_text(struct span text, enum dtype *t);
bool dtype_by_safetensors(struct span name, enum dtype *t);
bool dtype_by_onnx(int64_t number, enum dtype *t);
/* Storage bytes of `count` elements: packed types round up to whole bytes. False on overflow. */
bool dtype_bytes(enum dtype t, uint64_t count, uint64_t *bytes);
/* Inclusive bounds of an integer type as int64 (uint64's upper bound is UINT64_MAX). */
int64_t dtype_min(enum dtype t);
uint64_t dtype_max(enum dtype t);
/* "float32, float16 or int32" for messages, at most `size` bytes with NUL. */
void dtype_set_text(dtype_set s, char *text, size_t size);

#endif
