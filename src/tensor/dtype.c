#include "tensor/dtype.h"

#include "base/checked.h"

#include <stdio.h>
#include <string.h>

static const struct dtype_info infos[DTYPE_COUNT] = {
#define DTYPE(ID, NAME, TEXT, BITS, CLASS, ONNX, SAFETENSORS) \
    [DTYPE_##ID] = { .name = (NAME),                          \
                     .text = (TEXT),                          \
                     .safetensors = (SAFETENSORS),            \
                     .bits = (BITS),                          \
                     .onnx = (ONNX),                          \
                     .class = DTYPE_CLASS_##CLASS },
#include "tensor/dtypes.def"
};

_Static_assert(DTYPE_WEBNN_COUNT == 10, "the first ten are WebNN's");
_Static_assert(DTYPE_COUNT <= 32, "a dtype_set has 32 bits");

const struct dtype_info *dtype_info(enum dtype t)
{
    return &infos[t];
}

const char *dtype_name(enum dtype t)
{
    return infos[t].name;
}

bool dtype_is_float(enum dtype t)
{
    return infos[t].class == DTYPE_CLASS_FLOAT;
}

bool dtype_is_integer(enum dtype t)
{
    return infos[t].class == DTYPE_CLASS_SIGNED || infos[t].class == DTYPE_CLASS_UNSIGNED;
}

bool dtype_is_signed(enum dtype t)
{
    return infos[t].class == DTYPE_CLASS_SIGNED;
}

/* The first row whose text at `offset` in the row is `text`; rows without one have "". */
static bool find_text(struct span text, size_t offset, enum dtype *t)
{
    if (text.size == 0)
        return false;
    for (unsigned i = 0; i < DTYPE_COUNT; i++) {
        const char *have = *(const char *const *)((const char *)&infos[i] + offset);
        if (span_is(text, have)) {
            *t = (enum dtype)i;
            return true;
        }
    }
    return false;
}

bool dtype_by_name(struct span name, enum dtype *t)
{
    return find_text(name, offsetof(struct dtype_info, name), t);
}

bool dtype_by_text(struct span text, enum dtype *t)
{
    return find_text(text, offsetof(struct dtype_info, text), t);
}

bool dtype_by_safetensors(struct span name, enum dtype *t)
{
    return find_text(name, offsetof(struct dtype_info, safetensors), t);
}

bool dtype_by_onnx(int64_t number, enum dtype *t)
{
    for (unsigned i = 0; i < DTYPE_COUNT; i++)
        if (infos[i].onnx == number) {
            *t = (enum dtype)i;
            return true;
        }
    return false;
}

bool dtype_bytes(enum dtype t, uint64_t count, uint64_t *bytes)
{
    unsigned bits = infos[t].bits;
    if (bits == 0)
        return false;
    if (bits >= 8)
        return mul_u64(count, bits / 8, bytes);
    unsigned per_byte = 8 / bits;
    *bytes = count / per_byte + (count % per_byte != 0);
    return true;
}

int64_t dtype_min(enum dtype t)
{
    return dtype_is_signed(t) ? -(int64_t)(UINT64_MAX >> (65 - infos[t].bits)) - 1 : 0;
}

uint64_t dtype_max(enum dtype t)
{
    if (infos[t].class == DTYPE_CLASS_BOOL)
        return 1;
    return UINT64_MAX >> (64 - infos[t].bits + (dtype_is_signed(t) ? 1u : 0u));
}

void dtype_set_text(dtype_set s, char *text, size_t size)
{
    size_t used = 0;
    if (size != 0)
        text[0] = 0;
    for (unsigned i = 0; i < DTYPE_COUNT; i++) {
        if (!dtype_in((enum dtype)i, s))
            continue;
        dtype_set rest = i + 1 < 32 ? s >> (i + 1) : 0;
        const char *before = used == 0 ? "" : rest == 0 ? " or " : ", ";
        int n = snprintf(text + used, size - used, "%s%s", before, infos[i].name);
        if (n < 0 || (size_t)n >= size - used)
            return;
        used += (size_t)n;
    }
}
