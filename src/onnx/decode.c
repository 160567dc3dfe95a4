#include "onnx/decode.h"

#include "onnx/proto.h"

#include <inttypes.h>
#include <string.h>

/* How a dtype lies in its typed field. */
struct layout {
    uint8_t field;
    uint8_t bytes;     /* of one value in storage; 0: 6 bits */
    uint8_t numerator; /* values per element: numerator / denominator, rounded up */
    uint8_t denominator;
    bool checked; /* values must lie in low … high */
    int64_t low, high;
};

#define EXACT(FIELD, BYTES)                                              \
    {                                                                    \
        .field = FIELD, .bytes = BYTES, .numerator = 1, .denominator = 1 \
    }
#define COMPLEX(FIELD, BYTES)                                            \
    {                                                                    \
        .field = FIELD, .bytes = BYTES, .numerator = 2, .denominator = 1 \
    }
#define WITHIN(FIELD, BYTES, LOW, HIGH)                                                    \
    {                                                                                      \
        .field = FIELD, .bytes = BYTES, .numerator = 1, .denominator = 1, .checked = true, \
        .low = LOW, .high = HIGH                                                           \
    }
#define BITS(BYTES) WITHIN(TENSOR_INT32_DATA, BYTES, 0, (1 << 8 * (BYTES)) - 1)
#define PACKED(PER_BYTE)                                                                 \
    {                                                                                    \
        .field = TENSOR_INT32_DATA, .bytes = 1, .numerator = 1, .denominator = PER_BYTE, \
        .checked = true, .low = 0, .high = 255                                           \
    }

static const struct layout layouts[ONNX_DTYPE_COUNT] = {
    [ONNX_FLOAT] = EXACT(TENSOR_FLOAT_DATA, 4),
    [ONNX_UINT8] = BITS(1),
    [ONNX_INT8] = WITHIN(TENSOR_INT32_DATA, 1, INT8_MIN, INT8_MAX),
    [ONNX_UINT16] = BITS(2),
    [ONNX_INT16] = WITHIN(TENSOR_INT32_DATA, 2, INT16_MIN, INT16_MAX),
    [ONNX_INT32] = EXACT(TENSOR_INT32_DATA, 4),
    [ONNX_INT64] = EXACT(TENSOR_INT64_DATA, 8),
    [ONNX_STRING] = EXACT(TENSOR_STRING_DATA, 0),
    [ONNX_BOOL] = WITHIN(TENSOR_INT32_DATA, 1, 0, 1),
    [ONNX_FLOAT16] = BITS(2),
    [ONNX_DOUBLE] = EXACT(TENSOR_DOUBLE_DATA, 8),
    [ONNX_UINT32] = WITHIN(TENSOR_UINT64_DATA, 4, 0, UINT32_MAX),
    [ONNX_UINT64] = EXACT(TENSOR_UINT64_DATA, 8),
    [ONNX_COMPLEX64] = COMPLEX(TENSOR_FLOAT_DATA, 4),
    [ONNX_COMPLEX128] = COMPLEX(TENSOR_DOUBLE_DATA, 8),
    [ONNX_BFLOAT16] = BITS(2),
    [ONNX_FLOAT8E4M3FN] = BITS(1),
    [ONNX_FLOAT8E4M3FNUZ] = BITS(1),
    [ONNX_FLOAT8E5M2] = BITS(1),
    [ONNX_FLOAT8E5M2FNUZ] = BITS(1),
    [ONNX_UINT4] = PACKED(2),
    [ONNX_INT4] = PACKED(2),
    [ONNX_FLOAT4E2M1] = PACKED(2),
    [ONNX_FLOAT8E8M0] = BITS(1),
    [ONNX_UINT2] = PACKED(4),
    [ONNX_INT2] = PACKED(4),
    [ONNX_FLOAT6E2M3] = WITHIN(TENSOR_INT32_DATA, 0, 0, 63),
    [ONNX_FLOAT6E3M2] = WITHIN(TENSOR_INT32_DATA, 0, 0, 63),
};

const char *onnx_typed_field_name(uint32_t field)
{
    return proto_tensor.fields[field].name;
}

struct decoding {
    struct onnx_model *m;
    const struct onnx_tensor *t;
    struct diags *d;
    struct wire_source source;
    const struct layout *layout;
    uint64_t count; /* values that the field must hold */
};

/* Counts the values; *whole is the field's bytes when all lie in one packed piece. */
static o2w_status count_values(struct decoding *dec, uint64_t *count, struct span *whole)
{
    unsigned pieces = 0;
    *count = 0;
    struct wire_reader r = wire_read(&dec->source, &dec->t->bytes, &proto_tensor);
    while (wire_next(&r)) {
        size_t n = 1;
        if (r.field != dec->t->typed_field)
            continue;
        if (r.field != TENSOR_STRING_DATA)
            TRY(wire_value_count(&r, &n));
        *count += n;
        if (n)
            *whole = ++pieces == 1 && r.type == WIRE_TYPE_BYTES ? r.bytes : (struct span){ 0 };
    }
    return r.status;
}

static o2w_status decode_strings(struct decoding *dec)
{
    struct span *items = ARENA_ARRAY(&dec->m->store->arena, (size_t)dec->count, struct span);
    if (!items)
        return diag_memory(dec->d);
    struct wire_reader r = wire_read(&dec->source, &dec->t->bytes, &proto_tensor);
    for (size_t i = 0; wire_next(&r);)
        if (r.field == TENSOR_STRING_DATA)
            items[i++] = r.bytes;
    dec->t->decoded->strings = items;
    return r.status;
}

/* The number that the bits of an integer field mean. */
static int64_t value_of(uint32_t field, uint64_t bits)
{
    int64_t value;
    if (field == TENSOR_INT32_DATA) {
        uint32_t low = (uint32_t)bits;
        int32_t small;
        memcpy(&small, &low, sizeof small);
        return small;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static o2w_status check_value(struct decoding *dec, uint64_t index, uint64_t bits)
{
    const struct layout *l = dec->layout;
    int64_t value = value_of(l->field, bits);
    if (value >= l->low && value <= l->high)
        return O2W_OK;
    return onnx_tensor_refuse(dec->m, dec->t, dec->d,
                              "value %" PRIu64 " of %s is %" PRId64 ", must be from %" PRId64
                              " to %" PRId64 " for %s",
                              index, onnx_typed_field_name(l->field), value, l->low, l->high,
                              onnx_dtype_name(dec->t->dtype));
}

/* Value `index` into the storage, which is zero. */
static void store_value(const struct layout *l, uint8_t *to, uint64_t index, uint64_t bits)
{
    if (l->bytes == 0) {
        uint64_t bit = index * 6;
        uint32_t shifted = (uint32_t)(bits & 63) << (bit % 8);
        to[bit / 8] |= (uint8_t)shifted;
        if (shifted >> 8)
            to[bit / 8 + 1] |= (uint8_t)(shifted >> 8);
        return;
    }
    for (unsigned b = 0; b < l->bytes; b++)
        to[index * l->bytes + b] = (uint8_t)(bits >> (8 * b));
}

static o2w_status decode_numbers(struct decoding *dec, uint8_t *to)
{
    uint64_t index = 0, bits;
    struct wire_reader r = wire_read(&dec->source, &dec->t->bytes, &proto_tensor);
    while (wire_next(&r)) {
        if (r.field != dec->layout->field)
            continue;
        for (struct wire_values v = wire_values(&r); wire_value(&v, &bits); index++) {
            if (dec->layout->checked)
                TRY(check_value(dec, index, bits));
            store_value(dec->layout, to, index, bits);
        }
    }
    return r.status;
}

static o2w_status check_field(struct decoding *dec)
{
    const struct onnx_tensor *t = dec->t;
    if (t->mixed_fields)
        return onnx_tensor_refuse(dec->m, t, dec->d,
                                  "elements in more than one field, must be in %s",
                                  onnx_typed_field_name(dec->layout->field));
    if (t->typed_field != dec->layout->field)
        return onnx_tensor_refuse(dec->m, t, dec->d,
                                  "elements of %s in %s, must be in %s or raw_data",
                                  onnx_dtype_name(t->dtype), onnx_typed_field_name(t->typed_field),
                                  onnx_typed_field_name(dec->layout->field));
    return O2W_OK;
}

static o2w_status decode_all(struct decoding *dec, uint64_t size)
{
    uint64_t found;
    struct span whole = { 0 };
    struct onnx_decoded *out = dec->t->decoded;
    TRY(check_field(dec));
    TRY(count_values(dec, &found, &whole));
    if (found != dec->count)
        return onnx_tensor_refuse(dec->m, dec->t, dec->d,
                                  "%s has %" PRIu64 " values, must have %" PRIu64,
                                  onnx_typed_field_name(dec->layout->field), found, dec->count);
    if (dec->t->dtype == ONNX_STRING)
        return decode_strings(dec);
    if (whole.data && proto_tensor.fields[dec->layout->field].kind != WIRE_VARINTS) {
        out->memory = whole; /* little-endian already */
        out->in_file = true;
        return O2W_OK;
    }
    uint8_t *memory = arena_alloc(&dec->m->store->arena, (size_t)size, 16);
    if (!memory)
        return diag_memory(dec->d);
    out->memory = (struct span){ memory, (size_t)size };
    return decode_numbers(dec, memory);
}

o2w_status onnx_decode(struct onnx_model *m, const struct onnx_tensor *t, uint64_t count,
                       uint64_t size, struct diags *d)
{
    const struct layout *l = &layouts[t->dtype];
    struct decoding dec = {
        .m = m,
        .t = t,
        .d = d,
        .source = { .file = m->file->mapping, .name = span_of(m->file->path), .diags = d },
        .layout = l,
        .count = (count * l->numerator + l->denominator - 1) / l->denominator,
    };
    TRY(decode_all(&dec, size));
    t->decoded->done = true;
    return O2W_OK;
}
