/* TensorProto, SparseTensorProto. Payloads are not looked at. */

#include "onnx/read.h"

/* A …_data field: remembers which one holds something. */
static void note_typed(struct onnx_tensor *t, const struct wire_reader *r)
{
    if (r->type == WIRE_TYPE_BYTES && r->bytes.size == 0 && r->field != TENSOR_STRING_DATA)
        return;
    if (t->typed_field && t->typed_field != r->field)
        t->mixed_fields = true;
    t->typed_field = (uint8_t)r->field;
}

static o2w_status read_tensor_field(struct onnx_read *rd, struct wire_reader *r,
                                    struct onnx_tensor *t, size_t *dims, size_t *entries)
{
    size_t count;
    switch (r->field) {
    case TENSOR_DIMS:
        TRY(wire_value_count(r, &count));
        *dims += count;
        return O2W_OK;
    case TENSOR_DATA_TYPE: t->dtype = wire_i32(r); return O2W_OK;
    case TENSOR_SEGMENT: t->has_segment = true; return O2W_OK;
    case TENSOR_NAME: return onnx_read_name(rd, r->bytes, &t->name);
    case TENSOR_RAW_DATA:
        t->has_raw = true;
        t->raw = r->bytes;
        return O2W_OK;
    case TENSOR_EXTERNAL_DATA: ++*entries; return O2W_OK;
    case TENSOR_DATA_LOCATION: t->is_external = wire_i32(r) == 1; return O2W_OK;
    case TENSOR_FLOAT_DATA:
    case TENSOR_INT32_DATA:
    case TENSOR_STRING_DATA:
    case TENSOR_INT64_DATA:
    case TENSOR_DOUBLE_DATA:
    case TENSOR_UINT64_DATA: note_typed(t, r); return O2W_OK;
    default: return O2W_OK;
    }
}

static o2w_status read_external(struct onnx_read *rd, const struct wire_message *m,
                                struct onnx_tensor *t, size_t count)
{
    struct onnx_entry *entries = ARENA_ARRAY(rd->arena, count, struct onnx_entry);
    if (!entries)
        return diag_memory(rd->source.diags);
    struct wire_reader r = wire_read(&rd->source, m, &proto_tensor);
    for (size_t i = 0; wire_next(&r);) {
        struct wire_message entry = { .bytes = r.bytes };
        if (r.field == TENSOR_EXTERNAL_DATA)
            TRY(onnx_read_entry(rd, &entry, &entries[i++]));
    }
    TRY(r.status);
    return onnx_external_read(rd->model, t, rd->names.entries[t->name].key, entries, count,
                              rd->source.diags);
}

o2w_status onnx_read_tensor(struct onnx_read *rd, const struct wire_message *m,
                            struct onnx_tensor *t)
{
    size_t dims = 0, entries = 0;
    struct wire_reader r = wire_read(&rd->source, m, &proto_tensor);
    while (wire_next(&r))
        TRY(read_tensor_field(rd, &r, t, &dims, &entries));
    TRY(r.status);
    t->bytes = *m;
    t->rank = (uint32_t)dims;
    if (dims)
        TRY(onnx_read_i64s(rd, m, &proto_tensor, TENSOR_DIMS, dims, &t->dims));
    if (t->typed_field) {
        t->decoded = ARENA_NEW(rd->arena, struct onnx_decoded);
        if (!t->decoded)
            return diag_memory(rd->source.diags);
    }
    return t->is_external ? read_external(rd, m, t, entries) : O2W_OK;
}

o2w_status onnx_read_sparse_tensor(struct onnx_read *rd, const struct wire_message *m,
                                   struct onnx_sparse_tensor *s)
{
    size_t counts[WIRE_FIELD_LIMIT];
    TRY(onnx_read_tally(rd, m, &proto_sparse_tensor, counts));
    struct wire_message values = { 0 }, indices = { 0 };
    struct wire_reader r = wire_read(&rd->source, m, &proto_sparse_tensor);
    while (wire_next(&r)) {
        if (r.field == SPARSE_VALUES)
            TRY(onnx_read_piece(rd, &r, &values));
        else if (r.field == SPARSE_INDICES)
            TRY(onnx_read_piece(rd, &r, &indices));
    }
    TRY(r.status);
    s->rank = (uint32_t)counts[SPARSE_DIMS];
    TRY(onnx_read_i64s(rd, m, &proto_sparse_tensor, SPARSE_DIMS, s->rank, &s->dims));
    TRY(onnx_read_tensor(rd, &values, &s->values));
    return onnx_read_tensor(rd, &indices, &s->indices);
}
