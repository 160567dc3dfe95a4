/* What the readers of all messages share, and the small messages. */

#include "onnx/read.h"

#include <inttypes.h>
#include <string.h>

o2w_status onnx_read_enter(struct onnx_read *rd, const char *what, const struct wire_message *m)
{
    uint32_t limit = rd->model->store->options.max_depth;
    if (rd->depth == limit) {
        int64_t offset = wire_offset(&rd->source, m->bytes.data);
        o2w_status status = diag_error(
            rd->source.diags, DIAG_LIMIT,
            "nesting depth of %s at byte offset %" PRId64 " exceeds %" PRIu32, what, offset, limit);
        diag_position(rd->source.diags, rd->source.name, offset, -1, -1);
        return status;
    }
    rd->depth++;
    return O2W_OK;
}

void onnx_read_leave(struct onnx_read *rd)
{
    rd->depth--;
}

o2w_status onnx_read_tally(struct onnx_read *rd, const struct wire_message *m,
                           const struct wire_schema *schema, size_t counts[WIRE_FIELD_LIMIT])
{
    TRY(wire_tally(&rd->source, m, schema, counts));
    for (uint32_t f = 0; f < WIRE_FIELD_LIMIT; f++)
        if (counts[f] > UINT32_MAX)
            return diag_error(rd->source.diags, DIAG_LIMIT, "%zu items in %s.%s, at most %" PRIu32,
                              counts[f], schema->name, schema->fields[f].name, UINT32_MAX);
    return O2W_OK;
}

o2w_status onnx_read_piece(struct onnx_read *rd, const struct wire_reader *r,
                           struct wire_message *m)
{
    return wire_message_add(m, r->bytes, rd->arena) ? O2W_OK : diag_memory(rd->source.diags);
}

o2w_status onnx_read_name(struct onnx_read *rd, struct span text, name_id *id)
{
    uint32_t *value;
    if (text.size > ONNX_NAME_LIMIT)
        return diag_error(rd->source.diags, DIAG_LIMIT,
                          "a name of %zu bytes, at most %d are allowed", text.size,
                          ONNX_NAME_LIMIT);
    const void *nul = text.size > 0 ? memchr(text.data, 0, text.size) : NULL;
    if (nul)
        return diag_error(rd->source.diags, DIAG_MODEL_NAME,
                          "name '%.*s' goes on after a byte 0: names are text",
                          (int)((const uint8_t *)nul - text.data), (const char *)text.data);
    if (map_insert(&rd->names, text, (uint32_t)rd->names.count, &value, NULL) != O2W_OK)
        return diag_memory(rd->source.diags);
    *id = *value;
    return O2W_OK;
}

o2w_status onnx_read_i64s(struct onnx_read *rd, const struct wire_message *m,
                          const struct wire_schema *schema, uint32_t field, size_t count,
                          const int64_t **out)
{
    int64_t *items = ARENA_ARRAY(rd->arena, count, int64_t);
    if (!items)
        return diag_memory(rd->source.diags);
    struct wire_reader r = wire_read(&rd->source, m, schema);
    for (size_t i = 0; wire_next(&r);) {
        uint64_t bits;
        if (r.field == field)
            for (struct wire_values v = wire_values(&r); wire_value(&v, &bits); i++)
                memcpy(&items[i], &bits, sizeof bits);
    }
    *out = items;
    return r.status;
}

o2w_status onnx_read_texts(struct onnx_read *rd, const struct wire_message *m,
                           const struct wire_schema *schema, uint32_t field, size_t count,
                           const struct span **out)
{
    struct span *items = ARENA_ARRAY(rd->arena, count, struct span);
    if (!items)
        return diag_memory(rd->source.diags);
    struct wire_reader r = wire_read(&rd->source, m, schema);
    for (size_t i = 0; wire_next(&r);)
        if (r.field == field)
            items[i++] = r.bytes;
    *out = items;
    return r.status;
}

o2w_status onnx_read_entry(struct onnx_read *rd, const struct wire_message *m, struct onnx_entry *e)
{
    struct wire_reader r = wire_read(&rd->source, m, &proto_entry);
    while (wire_next(&r)) {
        if (r.field == ENTRY_KEY)
            e->key = r.bytes;
        else
            e->value = r.bytes;
    }
    return r.status;
}
