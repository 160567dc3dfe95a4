/* AttributeProto. */

#include "onnx/read.h"

#include <inttypes.h>
#include <string.h>

struct attribute_read {
    struct onnx_read *rd;
    const struct wire_message *message;
    const struct onnx_graph *owner;
    const struct wire_message *items; /* of message kinds */
    size_t count;
    struct onnx_attribute *attribute;
};

static o2w_status read_floats(struct attribute_read *ar)
{
    struct onnx_read *rd = ar->rd;
    float *items = ARENA_ARRAY(rd->arena, ar->count, float);
    if (!items)
        return diag_memory(rd->source.diags);
    struct wire_reader r = wire_read(&rd->source, ar->message, &proto_attribute);
    for (size_t i = 0; wire_next(&r);) {
        uint64_t bits;
        if (r.field == ATTRIBUTE_FLOATS)
            for (struct wire_values v = wire_values(&r); wire_value(&v, &bits); i++) {
                uint32_t low = (uint32_t)bits;
                memcpy(&items[i], &low, sizeof low);
            }
    }
    ar->attribute->floats = items;
    return r.status;
}

static o2w_status read_ints(struct attribute_read *ar)
{
    return onnx_read_i64s(ar->rd, ar->message, &proto_attribute, ATTRIBUTE_INTS, ar->count,
                          &ar->attribute->ints);
}

static o2w_status read_strings(struct attribute_read *ar)
{
    return onnx_read_texts(ar->rd, ar->message, &proto_attribute, ATTRIBUTE_STRINGS, ar->count,
                           &ar->attribute->strings);
}

static o2w_status read_tensors(struct attribute_read *ar)
{
    struct onnx_tensor *items = ARENA_ARRAY(ar->rd->arena, ar->count, struct onnx_tensor);
    if (!items)
        return diag_memory(ar->rd->source.diags);
    ar->attribute->tensors = items;
    for (size_t i = 0; i < ar->count; i++)
        TRY(onnx_read_tensor(ar->rd, &ar->items[i], &items[i]));
    return O2W_OK;
}

static o2w_status read_sparse_tensors(struct attribute_read *ar)
{
    struct onnx_sparse_tensor *items =
        ARENA_ARRAY(ar->rd->arena, ar->count, struct onnx_sparse_tensor);
    if (!items)
        return diag_memory(ar->rd->source.diags);
    ar->attribute->sparse_tensors = items;
    for (size_t i = 0; i < ar->count; i++)
        TRY(onnx_read_sparse_tensor(ar->rd, &ar->items[i], &items[i]));
    return O2W_OK;
}

static o2w_status read_types(struct attribute_read *ar)
{
    struct onnx_type *items = ARENA_ARRAY(ar->rd->arena, ar->count, struct onnx_type);
    if (!items)
        return diag_memory(ar->rd->source.diags);
    ar->attribute->types = items;
    for (size_t i = 0; i < ar->count; i++)
        TRY(onnx_read_type(ar->rd, &ar->items[i], &items[i]));
    return O2W_OK;
}

static o2w_status read_graphs(struct attribute_read *ar)
{
    struct onnx_graph *items = ARENA_ARRAY(ar->rd->arena, ar->count, struct onnx_graph);
    if (!items)
        return diag_memory(ar->rd->source.diags);
    ar->attribute->graphs = items;
    for (size_t i = 0; i < ar->count; i++)
        TRY(onnx_read_graph(ar->rd, &ar->items[i], ar->owner, &items[i]));
    return O2W_OK;
}

/* One number or text: the last one counts; absent it is 0 or empty, as proto3 writers mean it. */
static o2w_status read_scalar(struct attribute_read *ar)
{
    struct onnx_attribute *a = ar->attribute;
    struct wire_reader r = wire_read(&ar->rd->source, ar->message, &proto_attribute);
    while (wire_next(&r)) {
        if (r.field == ATTRIBUTE_F && a->type == ONNX_ATTRIBUTE_FLOAT)
            a->f = wire_f32(&r);
        else if (r.field == ATTRIBUTE_I && a->type == ONNX_ATTRIBUTE_INT)
            a->i = wire_i64(&r);
        else if (r.field == ATTRIBUTE_S && a->type == ONNX_ATTRIBUTE_STRING)
            a->s = r.bytes;
    }
    return r.status;
}

/* The types by number: the field that holds the value, and how it is read. */
static const struct {
    const char *name;
    uint32_t field;
    o2w_status (*read)(struct attribute_read *ar);
} rows[] = {
    [ONNX_ATTRIBUTE_NONE] = { "UNDEFINED", 0, NULL },
    [ONNX_ATTRIBUTE_FLOAT] = { "FLOAT", ATTRIBUTE_F, read_scalar },
    [ONNX_ATTRIBUTE_INT] = { "INT", ATTRIBUTE_I, read_scalar },
    [ONNX_ATTRIBUTE_STRING] = { "STRING", ATTRIBUTE_S, read_scalar },
    [ONNX_ATTRIBUTE_TENSOR] = { "TENSOR", ATTRIBUTE_T, read_tensors },
    [ONNX_ATTRIBUTE_GRAPH] = { "GRAPH", ATTRIBUTE_G, read_graphs },
    [ONNX_ATTRIBUTE_FLOATS] = { "FLOATS", ATTRIBUTE_FLOATS, read_floats },
    [ONNX_ATTRIBUTE_INTS] = { "INTS", ATTRIBUTE_INTS, read_ints },
    [ONNX_ATTRIBUTE_STRINGS] = { "STRINGS", ATTRIBUTE_STRINGS, read_strings },
    [ONNX_ATTRIBUTE_TENSORS] = { "TENSORS", ATTRIBUTE_TENSORS, read_tensors },
    [ONNX_ATTRIBUTE_GRAPHS] = { "GRAPHS", ATTRIBUTE_GRAPHS, read_graphs },
    [ONNX_ATTRIBUTE_SPARSE_TENSOR] = { "SPARSE_TENSOR", ATTRIBUTE_SPARSE_TENSOR,
                                       read_sparse_tensors },
    [ONNX_ATTRIBUTE_SPARSE_TENSORS] = { "SPARSE_TENSORS", ATTRIBUTE_SPARSE_TENSORS,
                                        read_sparse_tensors },
    [ONNX_ATTRIBUTE_TYPE_PROTO] = { "TYPE_PROTO", ATTRIBUTE_TP, read_types },
    [ONNX_ATTRIBUTE_TYPE_PROTOS] = { "TYPE_PROTOS", ATTRIBUTE_TYPE_PROTOS, read_types },
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

const char *onnx_attribute_type_name(enum onnx_attribute_type type)
{
    return (unsigned)type < ROW_COUNT ? rows[type].name : NULL;
}

/* Whether the field holds one value, so that its pieces are merged. */
static bool is_single(enum onnx_attribute_type type)
{
    return type == ONNX_ATTRIBUTE_TENSOR || type == ONNX_ATTRIBUTE_GRAPH ||
           type == ONNX_ATTRIBUTE_SPARSE_TENSOR || type == ONNX_ATTRIBUTE_TYPE_PROTO;
}

/* The name, and how many values each field holds. */
static o2w_status read_head(struct onnx_read *rd, const struct wire_message *m,
                            struct onnx_attribute *a, int32_t *type,
                            size_t counts[WIRE_FIELD_LIMIT])
{
    struct wire_reader r = wire_read(&rd->source, m, &proto_attribute);
    while (wire_next(&r)) {
        size_t count = 1;
        if (r.field == ATTRIBUTE_NAME)
            a->name = r.bytes;
        else if (r.field == ATTRIBUTE_REF_ATTR_NAME)
            a->ref_name = r.bytes;
        else if (r.field == ATTRIBUTE_TYPE)
            *type = wire_i32(&r);
        if (proto_attribute.fields[r.field].kind >= WIRE_VARINTS)
            TRY(wire_value_count(&r, &count));
        counts[r.field] += count;
    }
    return r.status;
}

/* The type given, or in files without types that of the only value. Another value beside it is
 * refused: which one is meant would be a guess. */
static o2w_status find_type(struct onnx_read *rd, struct onnx_attribute *a, int32_t given,
                            const size_t counts[WIRE_FIELD_LIMIT])
{
    if (given < 0 || given >= ROW_COUNT)
        return diag_error(rd->source.diags, DIAG_MODEL_STRUCTURE,
                          "attribute '%.*s' has type %" PRId32 ", must be from 1 to %d",
                          SPAN_ARG(a->name), given, ROW_COUNT - 1);
    a->type = (enum onnx_attribute_type)given;
    for (int32_t t = 1; t < ROW_COUNT; t++) {
        if (t == (int32_t)a->type || counts[rows[t].field] == 0)
            continue;
        if (a->type != ONNX_ATTRIBUTE_NONE)
            return diag_error(rd->source.diags, DIAG_MODEL_STRUCTURE,
                              "attribute '%.*s' of type %s also has a value of type %s",
                              SPAN_ARG(a->name), rows[a->type].name, rows[t].name);
        a->type = (enum onnx_attribute_type)t;
    }
    return O2W_OK;
}

static o2w_status collect_items(struct attribute_read *ar, bool single, struct wire_message *items)
{
    uint32_t field = rows[ar->attribute->type].field;
    struct wire_reader r = wire_read(&ar->rd->source, ar->message, &proto_attribute);
    for (size_t i = 0; wire_next(&r);)
        if (r.field == field)
            TRY(onnx_read_piece(ar->rd, &r, single ? items : &items[i++]));
    return r.status;
}

/* The messages that are the value. */
static o2w_status read_items(struct attribute_read *ar)
{
    struct wire_message one = { 0 };
    bool single = is_single(ar->attribute->type);
    struct wire_message *items =
        single ? &one : ARENA_ARRAY(ar->rd->arena, ar->count, struct wire_message);
    if (!items)
        return diag_memory(ar->rd->source.diags);
    if (single)
        ar->count = 1;
    TRY(collect_items(ar, single, items));
    ar->items = items;
    return rows[ar->attribute->type].read(ar);
}

static o2w_status read_value(struct attribute_read *ar)
{
    struct onnx_attribute *a = ar->attribute;
    uint32_t field = rows[a->type].field;
    a->count = (uint32_t)ar->count;
    if (is_single(a->type) && ar->count == 0)
        return a->ref_name.size ? O2W_OK
                                : diag_error(ar->rd->source.diags, DIAG_MODEL_STRUCTURE,
                                             "attribute '%.*s' of type %s has no value",
                                             SPAN_ARG(a->name), rows[a->type].name);
    if (is_single(a->type))
        a->count = 1;
    return proto_attribute.fields[field].message ? read_items(ar) : rows[a->type].read(ar);
}

o2w_status onnx_read_attribute(struct onnx_read *rd, const struct wire_message *m,
                               const struct onnx_graph *owner, struct onnx_attribute *a)
{
    int32_t type = 0;
    size_t counts[WIRE_FIELD_LIMIT] = { 0 };
    TRY(read_head(rd, m, a, &type, counts));
    TRY(find_type(rd, a, type, counts));
    if (a->type == ONNX_ATTRIBUTE_NONE)
        return O2W_OK;
    size_t count = counts[rows[a->type].field];
    if (count > UINT32_MAX)
        return diag_error(rd->source.diags, DIAG_LIMIT,
                          "attribute '%.*s' has %zu values, at most %" PRIu32, SPAN_ARG(a->name),
                          count, UINT32_MAX);
    return read_value(&(struct attribute_read){
        .rd = rd, .message = m, .owner = owner, .count = count, .attribute = a });
}
