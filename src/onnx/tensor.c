#include "onnx/tensor.h"

#include "base/checked.h"
#include "base/text.h"
#include "onnx/decode.h"
#include "onnx/store.h"

#include <inttypes.h>

o2w_status onnx_tensor_refuse(const struct onnx_model *m, const struct onnx_tensor *t,
                              struct diags *d, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    text_vformat(text, sizeof text, format, args);
    va_end(args);
    struct span name = onnx_name(m, t->name);
    o2w_status status = diag_error(d, DIAG_MODEL_TENSOR, "tensor '%.*s': %s", SPAN_ARG(name), text);
    diag_subject(d, "tensor", name);
    return status;
}

/* The product, zero dims included: what overflows without them is refused too. */
static bool count_elements(const int64_t *dims, uint32_t rank, uint64_t *count)
{
    uint64_t n = 1;
    bool empty = false;
    for (uint32_t i = 0; i < rank; i++) {
        empty = empty || dims[i] == 0;
        if (dims[i] != 0 && !mul_u64(n, (uint64_t)dims[i], &n))
            return false;
    }
    *count = empty ? 0 : n;
    return n <= INT64_MAX;
}

o2w_status onnx_dims_count(const struct onnx_model *m, const struct onnx_tensor *t,
                           const int64_t *dims, uint32_t rank, struct diags *d, uint64_t *count)
{
    for (uint32_t i = 0; i < rank; i++)
        if (dims[i] < 0)
            return onnx_tensor_refuse(
                m, t, d, "dimension %" PRIu32 " is %" PRId64 ", must not be negative", i, dims[i]);
    uint64_t n = 0;
    if (!count_elements(dims, rank, &n))
        return onnx_tensor_refuse(m, t, d, "dimensions multiply to more than %" PRId64 " elements",
                                  INT64_MAX);
    *count = n;
    return O2W_OK;
}

o2w_status onnx_tensor_count(const struct onnx_model *m, const struct onnx_tensor *t,
                             struct diags *d, uint64_t *count)
{
    return onnx_dims_count(m, t, t->dims, t->rank, d, count);
}

o2w_status onnx_tensor_size(const struct onnx_model *m, const struct onnx_tensor *t,
                            struct diags *d, uint64_t *count, uint64_t *size)
{
    uint64_t n = 0, bytes = 0;
    if (!onnx_dtype_known(t->dtype))
        return onnx_tensor_refuse(m, t, d, "data type %" PRId32 ", must be from 1 to %d", t->dtype,
                                  ONNX_DTYPE_COUNT - 1);
    TRY(onnx_tensor_count(m, t, d, &n));
    if (!onnx_dtype_bytes(t->dtype, n, &bytes) || bytes > INT64_MAX)
        return onnx_tensor_refuse(m, t, d,
                                  "%" PRIu64 " elements of %s take more than %" PRId64 " bytes", n,
                                  onnx_dtype_name(t->dtype), INT64_MAX);
    *count = n;
    *size = bytes;
    return O2W_OK;
}

/* A part of the mapped model file. */
static void set_model_range(const struct onnx_model *m, struct span bytes, struct onnx_payload *p)
{
    p->kind = ONNX_PAYLOAD_RANGE;
    p->file = m->file;
    p->offset = bytes.size ? (uint64_t)(bytes.data - m->file->mapping.data) : 0;
}

static o2w_status external_payload(struct onnx_model *m, const struct onnx_tensor *t,
                                   struct diags *d, struct onnx_payload *p)
{
    if (t->has_raw || t->typed_field)
        return onnx_tensor_refuse(m, t, d,
                                  "has external data and data in the model, must have one");
    if (t->dtype == ONNX_STRING)
        return onnx_tensor_refuse(m, t, d, "strings cannot be external data");
    TRY(onnx_model_open_external(m, d));
    p->kind = t->external->file ? ONNX_PAYLOAD_RANGE : ONNX_PAYLOAD_ZEROS;
    p->file = t->external->file;
    p->offset = t->external->offset;
    return O2W_OK;
}

static o2w_status raw_payload(const struct onnx_model *m, const struct onnx_tensor *t,
                              struct diags *d, struct onnx_payload *p)
{
    if (t->typed_field)
        return onnx_tensor_refuse(m, t, d, "has raw_data and %s, must have one of them",
                                  onnx_typed_field_name(t->typed_field));
    if (t->dtype == ONNX_STRING)
        return onnx_tensor_refuse(m, t, d, "strings in raw_data, must be in string_data");
    if (t->raw.size != p->size)
        return onnx_tensor_refuse(
            m, t, d, "raw_data has %zu bytes, %" PRIu64 " elements of %s take %" PRIu64,
            t->raw.size, p->count, onnx_dtype_name(t->dtype), p->size);
    set_model_range(m, t->raw, p);
    return O2W_OK;
}

static o2w_status typed_payload(struct onnx_model *m, const struct onnx_tensor *t, struct diags *d,
                                struct onnx_payload *p)
{
    if (!t->decoded->done)
        TRY(onnx_decode(m, t, p->count, p->size, d));
    if (t->dtype == ONNX_STRING) {
        p->kind = ONNX_PAYLOAD_STRINGS;
        p->strings = t->decoded->strings;
    } else if (t->decoded->in_file) {
        set_model_range(m, t->decoded->memory, p);
    } else {
        p->kind = ONNX_PAYLOAD_MEMORY;
        p->memory = t->decoded->memory;
    }
    return O2W_OK;
}

o2w_status onnx_tensor_payload(struct onnx_model *m, const struct onnx_tensor *t, struct diags *d,
                               struct onnx_payload *out)
{
    struct onnx_payload p = { .kind = ONNX_PAYLOAD_MEMORY };
    TRY(onnx_tensor_size(m, t, d, &p.count, &p.size));
    if (t->has_segment)
        return onnx_tensor_refuse(m, t, d, "has a segment, must hold all of its elements");
    if (t->external)
        TRY(external_payload(m, t, d, &p));
    else if (t->has_raw)
        TRY(raw_payload(m, t, d, &p));
    else if (t->typed_field)
        TRY(typed_payload(m, t, d, &p));
    else if (p.count)
        return onnx_tensor_refuse(m, t, d, "has no data, must hold %" PRIu64 " elements of %s",
                                  p.count, onnx_dtype_name(t->dtype));
    else if (t->dtype == ONNX_STRING)
        p.kind = ONNX_PAYLOAD_STRINGS;
    *out = p;
    return O2W_OK;
}

o2w_status onnx_payload_bytes(const struct onnx_payload *p, struct arena *a, struct diags *d,
                              struct span *out)
{
    struct span all;
    switch (p->kind) {
    case ONNX_PAYLOAD_RANGE:
        TRY(file_bytes(p->file, d, &all));
        if (span_cut(all, p->offset, p->size, out) != O2W_OK)
            return diag_error(d, DIAG_FILE_CHANGED, "'%s' became shorter while it was read",
                              p->file->path);
        return O2W_OK;
    case ONNX_PAYLOAD_ZEROS:
        if (p->size > SIZE_MAX)
            return diag_memory(d);
        *out = (struct span){ arena_alloc(a, (size_t)p->size, 16), (size_t)p->size };
        return out->data ? O2W_OK : diag_memory(d);
    case ONNX_PAYLOAD_MEMORY: *out = p->memory; return O2W_OK;
    case ONNX_PAYLOAD_STRINGS: break;
    }
    return diag_error(d, DIAG_INTERNAL, "strings have no bytes");
}
