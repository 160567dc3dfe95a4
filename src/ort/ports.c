/* The interface of a session. */
#include "ort/internal.h"

#include <string.h>

/* Reading of one session's types; the first failure stands. */
struct reading {
    struct ort_session *session;
    enum diag_code code;
    struct diags *diags;
};

enum { MAX_NESTING = 8 };

static o2w_status read_type(struct reading *r, const OrtTypeInfo *info, unsigned depth,
                            struct ort_type *out);

#define READ_TRY(r, call)                                   \
    ORT_TRY((r)->session->ort, call, (r)->code, (r)->diags, \
            "the interface of the model cannot be read")

static o2w_status read_symbols(struct reading *r, const OrtTensorInfo *tensor, struct ort_type *out)
{
    const char *symbols[MAX_RANK] = { 0 };
    READ_TRY(r, r->session->ort->api.GetSymbolicDimensions(tensor, symbols, out->rank));
    for (uint32_t i = 0; i < out->rank; i++) {
        out->symbols[i] = arena_text(&r->session->arena, span_of(symbols[i]));
        if (!out->symbols[i])
            return diag_memory(r->diags);
    }
    return O2W_OK;
}

static o2w_status read_tensor(struct reading *r, const OrtTypeInfo *info, struct ort_type *out)
{
    const struct ort_api *api = &r->session->ort->api;
    const OrtTensorInfo *tensor = NULL;
    int element = 0;
    size_t rank = 0;
    READ_TRY(r, api->CastTypeInfoToTensorInfo(info, &tensor));
    READ_TRY(r, api->GetTensorElementType(tensor, &element));
    out->has_shape = api->TensorTypeAndShape_HasShape(tensor);
    READ_TRY(r, api->GetDimensionsCount(tensor, &rank));
    if (!dtype_by_onnx(element, &out->dtype))
        out->dtype = DTYPE_COUNT;
    out->rank = rank > UINT32_MAX ? UINT32_MAX : (uint32_t)rank;
    if (rank > MAX_RANK)
        return O2W_OK;
    READ_TRY(r, api->GetDimensions(tensor, out->dims, rank));
    return read_symbols(r, tensor, out);
}

/* The type inside a sequence, a map or an optional; `inner` is freed. */
static o2w_status read_item(struct reading *r, OrtTypeInfo *inner, unsigned depth,
                            struct ort_type *out)
{
    struct ort_type *item = ARENA_NEW(&r->session->arena, struct ort_type);
    o2w_status status = item ? read_type(r, inner, depth + 1, item) : diag_memory(r->diags);
    r->session->ort->api.ReleaseTypeInfo(inner);
    out->item = item;
    return status;
}

static o2w_status read_map(struct reading *r, const OrtTypeInfo *info, unsigned depth,
                           struct ort_type *out)
{
    const struct ort_api *api = &r->session->ort->api;
    const OrtMapTypeInfo *map = NULL;
    OrtTypeInfo *inner = NULL;
    int key = 0;
    READ_TRY(r, api->CastTypeInfoToMapTypeInfo(info, &map));
    READ_TRY(r, api->GetMapKeyType(map, &key));
    if (!dtype_by_onnx(key, &out->dtype))
        out->dtype = DTYPE_COUNT;
    READ_TRY(r, api->GetMapValueType(map, &inner));
    return read_item(r, inner, depth, out);
}

static o2w_status read_sequence(struct reading *r, const OrtTypeInfo *info, unsigned depth,
                                struct ort_type *out)
{
    const OrtSequenceTypeInfo *sequence = NULL;
    OrtTypeInfo *inner = NULL;
    READ_TRY(r, r->session->ort->api.CastTypeInfoToSequenceTypeInfo(info, &sequence));
    READ_TRY(r, r->session->ort->api.GetSequenceElementType(sequence, &inner));
    return read_item(r, inner, depth, out);
}

static o2w_status read_optional(struct reading *r, const OrtTypeInfo *info, unsigned depth,
                                struct ort_type *out)
{
    const OrtOptionalTypeInfo *optional = NULL;
    OrtTypeInfo *inner = NULL;
    READ_TRY(r, r->session->ort->api.CastTypeInfoToOptionalTypeInfo(info, &optional));
    READ_TRY(r, r->session->ort->api.GetOptionalContainedTypeInfo(optional, &inner));
    return read_item(r, inner, depth, out);
}

static o2w_status read_type(struct reading *r, const OrtTypeInfo *info, unsigned depth,
                            struct ort_type *out)
{
    int kind = 0;
    *out = (struct ort_type){ .kind = ORT_OTHER, .dtype = DTYPE_COUNT };
    READ_TRY(r, r->session->ort->api.GetOnnxTypeFromTypeInfo(info, &kind));
    if (kind == ORT_TYPE_TENSOR) {
        out->kind = ORT_TENSOR;
        return read_tensor(r, info, out);
    }
    if (depth >= MAX_NESTING)
        return O2W_OK;
    switch (kind) {
    case ORT_TYPE_SEQUENCE: out->kind = ORT_SEQUENCE; return read_sequence(r, info, depth, out);
    case ORT_TYPE_MAP: out->kind = ORT_MAP; return read_map(r, info, depth, out);
    case ORT_TYPE_OPTIONAL: out->kind = ORT_OPTIONAL; return read_optional(r, info, depth, out);
    default: return O2W_OK;
    }
}

/* The three lists of ports are read by the same calls under other names. */
struct port_calls {
    OrtStatus *(*count)(const OrtSession *, size_t *);
    OrtStatus *(*name)(const OrtSession *, size_t, OrtAllocator *, char **);
    OrtStatus *(*type)(const OrtSession *, size_t, OrtTypeInfo **);
};

static o2w_status read_port(struct reading *r, const struct port_calls *calls, size_t index,
                            struct ort_port *port)
{
    const struct ort *o = r->session->ort;
    char *name = NULL;
    OrtTypeInfo *info = NULL;
    READ_TRY(r, calls->name(r->session->session, index, o->allocator, &name));
    port->name = arena_text(&r->session->arena, span_of(name));
    OrtStatus *freed = o->api.AllocatorFree(o->allocator, name);
    if (freed)
        o->api.ReleaseStatus(freed);
    if (!port->name)
        return diag_memory(r->diags);
    READ_TRY(r, calls->type(r->session->session, index, &info));
    o2w_status status = read_type(r, info, 0, &port->type);
    o->api.ReleaseTypeInfo(info);
    return status;
}

static o2w_status read_ports(struct reading *r, const struct port_calls *calls,
                             struct ort_port **ports, size_t *count)
{
    size_t n = 0;
    READ_TRY(r, calls->count(r->session->session, &n));
    *ports = ARENA_ARRAY(&r->session->arena, n, struct ort_port);
    if (!*ports)
        return diag_memory(r->diags);
    for (size_t i = 0; i < n; i++)
        TRY(read_port(r, calls, i, &(*ports)[i]));
    *count = n;
    return O2W_OK;
}

o2w_status ort_session_read_ports(struct ort_session *s, enum diag_code code, struct diags *d)
{
    const struct ort_api *api = &s->ort->api;
    struct reading r = { s, code, d };
    const struct port_calls inputs = { api->SessionGetInputCount, api->SessionGetInputName,
                                       api->SessionGetInputTypeInfo };
    const struct port_calls outputs = { api->SessionGetOutputCount, api->SessionGetOutputName,
                                        api->SessionGetOutputTypeInfo };
    const struct port_calls overridables = { api->SessionGetOverridableInitializerCount,
                                             api->SessionGetOverridableInitializerName,
                                             api->SessionGetOverridableInitializerTypeInfo };
    TRY(read_ports(&r, &inputs, &s->inputs, &s->input_count));
    TRY(read_ports(&r, &outputs, &s->outputs, &s->output_count));
    return read_ports(&r, &overridables, &s->overridables, &s->overridable_count);
}

size_t ort_session_inputs(const struct ort_session *s, const struct ort_port **ports)
{
    *ports = s->inputs;
    return s->input_count;
}

size_t ort_session_outputs(const struct ort_session *s, const struct ort_port **ports)
{
    *ports = s->outputs;
    return s->output_count;
}

size_t ort_session_overridables(const struct ort_session *s, const struct ort_port **ports)
{
    *ports = s->overridables;
    return s->overridable_count;
}
