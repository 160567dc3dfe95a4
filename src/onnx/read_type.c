/* TypeProto, ValueInfoProto. */

#include "onnx/read.h"

/* Of the two members the last one counts. */
static o2w_status read_dim(struct onnx_read *rd, const struct wire_message *m, struct onnx_dim *dim)
{
    struct wire_reader r = wire_read(&rd->source, m, &proto_dim);
    while (wire_next(&r)) {
        if (r.field == DIM_VALUE)
            *dim = (struct onnx_dim){ .kind = ONNX_DIM_VALUE, .value = wire_i64(&r) };
        else if (r.field == DIM_PARAM)
            *dim = (struct onnx_dim){ .kind = ONNX_DIM_NAMED, .name = r.bytes };
    }
    if (dim->kind == ONNX_DIM_NAMED && dim->name.size == 0)
        dim->kind = ONNX_DIM_UNKNOWN;
    return r.status;
}

static o2w_status read_shape(struct onnx_read *rd, const struct wire_message *m,
                             struct onnx_type *type)
{
    size_t counts[WIRE_FIELD_LIMIT];
    TRY(onnx_read_tally(rd, m, &proto_shape, counts));
    struct onnx_dim *dims = ARENA_ARRAY(rd->arena, counts[SHAPE_DIM], struct onnx_dim);
    if (!dims)
        return diag_memory(rd->source.diags);
    struct wire_reader r = wire_read(&rd->source, m, &proto_shape);
    for (size_t i = 0; wire_next(&r); i++) {
        struct wire_message dim = { .bytes = r.bytes };
        TRY(read_dim(rd, &dim, &dims[i]));
    }
    type->has_shape = true;
    type->rank = (uint32_t)counts[SHAPE_DIM];
    type->dims = dims;
    return r.status;
}

static o2w_status read_tensor_type(struct onnx_read *rd, const struct wire_message *m,
                                   struct onnx_type *type)
{
    struct wire_message shape = { 0 };
    struct wire_reader r = wire_read(&rd->source, m, &proto_type_tensor);
    while (wire_next(&r)) {
        if (r.field == TYPE_TENSOR_ELEM_TYPE)
            type->dtype = wire_i32(&r);
        else
            TRY(onnx_read_piece(rd, &r, &shape));
    }
    TRY(r.status);
    return shape.bytes.data ? read_shape(rd, &shape, type) : O2W_OK;
}

static o2w_status read_nested(struct onnx_read *rd, const struct wire_message *m,
                              struct onnx_type *type)
{
    struct onnx_type *element = ARENA_NEW(rd->arena, struct onnx_type);
    if (!element)
        return diag_memory(rd->source.diags);
    type->element = element;
    return m->bytes.data ? onnx_read_type(rd, m, element) : O2W_OK;
}

static o2w_status read_element_type(struct onnx_read *rd, const struct wire_message *m,
                                    struct onnx_type *type)
{
    struct wire_message element = { 0 };
    struct wire_reader r = wire_read(&rd->source, m, &proto_type_element);
    while (wire_next(&r))
        TRY(onnx_read_piece(rd, &r, &element));
    TRY(r.status);
    return read_nested(rd, &element, type);
}

static o2w_status read_map_type(struct onnx_read *rd, const struct wire_message *m,
                                struct onnx_type *type)
{
    struct wire_message values = { 0 };
    struct wire_reader r = wire_read(&rd->source, m, &proto_type_map);
    while (wire_next(&r)) {
        if (r.field == TYPE_MAP_KEY)
            type->dtype = wire_i32(&r);
        else
            TRY(onnx_read_piece(rd, &r, &values));
    }
    TRY(r.status);
    return read_nested(rd, &values, type);
}

static o2w_status read_opaque_type(struct onnx_read *rd, const struct wire_message *m,
                                   struct onnx_type *type)
{
    (void)rd, (void)m, (void)type;
    return O2W_OK;
}

/* The members of TypeProto's oneof by field number. */
static const struct {
    enum onnx_type_kind kind;
    o2w_status (*read)(struct onnx_read *rd, const struct wire_message *m, struct onnx_type *type);
} members[] = {
    [TYPE_TENSOR] = { ONNX_TYPE_TENSOR, read_tensor_type },
    [TYPE_SEQUENCE] = { ONNX_TYPE_SEQUENCE, read_element_type },
    [TYPE_MAP] = { ONNX_TYPE_MAP, read_map_type },
    [TYPE_OPAQUE] = { ONNX_TYPE_OPAQUE, read_opaque_type },
    [TYPE_SPARSE_TENSOR] = { ONNX_TYPE_SPARSE_TENSOR, read_tensor_type },
    [TYPE_OPTIONAL] = { ONNX_TYPE_OPTIONAL, read_element_type },
};

enum { MEMBER_COUNT = sizeof members / sizeof *members };

/* The last member counts, with all pieces since another one stood there. */
static o2w_status find_member(struct onnx_read *rd, const struct wire_message *m, uint32_t *member,
                              struct wire_message *value)
{
    *member = 0;
    struct wire_reader r = wire_read(&rd->source, m, &proto_type);
    while (wire_next(&r)) {
        if (r.field >= MEMBER_COUNT || !members[r.field].read)
            continue;
        if (r.field != *member)
            *value = (struct wire_message){ 0 };
        *member = r.field;
        TRY(onnx_read_piece(rd, &r, value));
    }
    return r.status;
}

o2w_status onnx_read_type(struct onnx_read *rd, const struct wire_message *m,
                          struct onnx_type *type)
{
    uint32_t member;
    struct wire_message value;
    TRY(onnx_read_enter(rd, "types", m));
    TRY(find_member(rd, m, &member, &value));
    if (member) {
        type->kind = members[member].kind;
        TRY(members[member].read(rd, &value, type));
    }
    onnx_read_leave(rd);
    return O2W_OK;
}

o2w_status onnx_read_value_info(struct onnx_read *rd, const struct wire_message *m,
                                struct onnx_value_info *v)
{
    struct wire_message type = { 0 };
    struct wire_reader r = wire_read(&rd->source, m, &proto_value_info);
    while (wire_next(&r)) {
        if (r.field == VALUE_INFO_NAME)
            TRY(onnx_read_name(rd, r.bytes, &v->name));
        else if (r.field == VALUE_INFO_TYPE)
            TRY(onnx_read_piece(rd, &r, &type));
    }
    TRY(r.status);
    return type.bytes.data ? onnx_read_type(rd, &type, &v->type) : O2W_OK;
}
