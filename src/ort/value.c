/* Values of the runtime: views of host memory going in, results coming out. */
#include "ort/internal.h"
#include "ort/ort_value.h"

#include <string.h>

static o2w_status string_value(const struct ort *o, const struct tensor *t, enum diag_code code,
                               const char *name, struct diags *d, OrtValue **out)
{
    OrtValue *value = NULL;
    ORT_TRY(o,
            o->api.CreateTensorAsOrtValue(o->allocator, t->dims, t->rank,
                                          dtype_info(t->dtype)->onnx, &value),
            code, d, "ONNX Runtime refused the strings of '%s'", name);
    OrtStatus *status = o->api.FillStringTensor(value, t->data, (size_t)tensor_count(t));
    if (status) {
        o->api.ReleaseValue(value);
        return ort_fail(o, status, code, d, "ONNX Runtime refused the strings of '%s'", name);
    }
    *out = value;
    return O2W_OK;
}

o2w_status ort_value_over(const struct ort *o, const struct tensor *t, enum diag_code code,
                          const char *name, struct diags *d, OrtValue **out)
{
    static uint64_t nothing; /* an address for tensors without elements */
    if (t->dtype == DTYPE_STRING)
        return string_value(o, t, code, name, d, out);
    void *data = t->data ? t->data : &nothing;
    ORT_TRY(o,
            o->api.CreateTensorWithDataAsOrtValue(o->cpu_memory, data, (size_t)tensor_bytes(t),
                                                  t->dims, t->rank, dtype_info(t->dtype)->onnx,
                                                  out),
            code, d, "ONNX Runtime refused the tensor of '%s'", name);
    return O2W_OK;
}

void ort_value_free(const struct ort *o, ort_value *v)
{
    if (v)
        o->api.ReleaseValue(v);
}

static void forget(const struct ort *o, OrtStatus *status)
{
    if (status)
        o->api.ReleaseStatus(status);
}

enum ort_kind ort_value_kind(const struct ort *o, const ort_value *v)
{
    int has = 0, type = 0;
    if (!v)
        return ORT_OPTIONAL;
    forget(o, o->api.HasValue(v, &has));
    if (!has)
        return ORT_OPTIONAL;
    forget(o, o->api.GetValueType(v, &type));
    switch (type) {
    case ORT_TYPE_TENSOR: return ORT_TENSOR;
    case ORT_TYPE_SEQUENCE: return ORT_SEQUENCE;
    case ORT_TYPE_MAP: return ORT_MAP;
    default: return ORT_OTHER;
    }
}

static o2w_status value_shape(const struct ort *o, const OrtTensorInfo *info, struct diags *d,
                              struct tensor *t)
{
    int element = 0;
    size_t rank = 0;
    ORT_TRY(o, o->api.GetTensorElementType(info, &element), DIAG_DISPATCH_FAILED, d,
            "a result cannot be read");
    ORT_TRY(o, o->api.GetDimensionsCount(info, &rank), DIAG_DISPATCH_FAILED, d,
            "a result cannot be read");
    if (!dtype_by_onnx(element, &t->dtype))
        return diag_error(d, DIAG_LIMIT, "a result has element type %d, which is not known here",
                          element);
    if (rank > MAX_RANK)
        return diag_error(d, DIAG_LIMIT, "a result has rank %zu, must be at most %d", rank,
                          MAX_RANK);
    t->rank = (uint32_t)rank;
    ORT_TRY(o, o->api.GetDimensions(info, t->dims, rank), DIAG_DISPATCH_FAILED, d,
            "a result cannot be read");
    return O2W_OK;
}

o2w_status ort_value_tensor(const struct ort *o, ort_value *v, struct diags *d, struct tensor *out)
{
    OrtTensorInfo *info = NULL;
    struct tensor t = { 0 };
    if (ort_value_kind(o, v) != ORT_TENSOR)
        return diag_error(d, DIAG_DISPATCH_FAILED, "a result is not a tensor");
    ORT_TRY(o, o->api.GetTensorTypeAndShape(v, &info), DIAG_DISPATCH_FAILED, d,
            "a result cannot be read");
    o2w_status status = value_shape(o, info, d, &t);
    o->api.ReleaseTensorTypeAndShapeInfo(info);
    if (status != O2W_OK)
        return status;
    if (t.dtype != DTYPE_STRING)
        ORT_TRY(o, o->api.GetTensorMutableData(v, &t.data), DIAG_DISPATCH_FAILED, d,
                "a result cannot be read");
    *out = t;
    return O2W_OK;
}

o2w_status ort_value_string(const struct ort *o, const ort_value *v, uint64_t index,
                            struct arena *a, struct diags *d, struct span *out)
{
    size_t size = 0;
    ORT_TRY(o, o->api.GetStringTensorElementLength(v, (size_t)index, &size), DIAG_DISPATCH_FAILED,
            d, "a string cannot be read");
    char *text = size < SIZE_MAX ? arena_alloc(a, size + 1, 1) : NULL;
    if (!text)
        return diag_memory(d);
    ORT_TRY(o, o->api.GetStringTensorElement(v, size, (size_t)index, text), DIAG_DISPATCH_FAILED, d,
            "a string cannot be read");
    text[size] = 0;
    *out = (struct span){ (const uint8_t *)text, size };
    return O2W_OK;
}

o2w_status ort_value_count(const struct ort *o, const ort_value *v, struct diags *d, size_t *count)
{
    ORT_TRY(o, o->api.GetValueCount(v, count), DIAG_DISPATCH_FAILED, d,
            "a sequence cannot be read");
    return O2W_OK;
}

o2w_status ort_value_item(const struct ort *o, const ort_value *v, size_t index, struct diags *d,
                          ort_value **item)
{
    ORT_TRY(o, o->api.GetValue(v, (int)index, o->allocator, item), DIAG_DISPATCH_FAILED, d,
            "item %zu of a sequence cannot be read", index);
    return O2W_OK;
}
