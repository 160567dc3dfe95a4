#include "labelled.h"

#include "base/file.h"
#include "base/span.h"
#include "wire/reader.h"

#include <math.h>
#include <string.h>

/* --- the messages of onnx.proto that are read here ---------------------------------------------------- */

static const struct wire_schema tensor_schema = {
    .name = "TensorProto",
    .fields = { [1] = { "dims", WIRE_VARINTS, NULL },
                [4] = { "float_data", WIRE_FIXED32S, NULL },
                [6] = { "string_data", WIRE_BYTES, NULL },
                [9] = { "raw_data", WIRE_BYTES, NULL } },
};
static const struct wire_schema values_schema = {
    .name = "SequenceProto",
    .fields = { [3] = { "tensor_values", WIRE_BYTES, &tensor_schema } },
};
static const struct wire_schema map_schema = {
    .name = "MapProto",
    .fields = { [3] = { "keys", WIRE_VARINTS, NULL },
                [4] = { "string_keys", WIRE_BYTES, NULL },
                [5] = { "values", WIRE_BYTES, &values_schema } },
};
static const struct wire_schema sequence_schema = {
    .name = "SequenceProto",
    .fields = { [6] = { "map_values", WIRE_BYTES, &map_schema } },
};

enum { MOST = 1024 };

/* --- labels ------------------------------------------------------------------------------------------------ */

static const struct graph_labels *labels_of(const struct graph *g, operand_id operand)
{
    for (size_t i = 0; i < g->labels.count; i++)
        if (g->labels.items[i].operand == operand)
            return &g->labels.items[i];
    return NULL;
}

/* --- strings ------------------------------------------------------------------------------------------------ */

const char *labelled_strings_differ(const char *file, const struct graph *g,
                                    const struct model_result *got, operand_id operand,
                                    struct arena *a)
{
    const struct graph_labels *labels = labels_of(g, operand);
    uint64_t at = 0;
    struct span bytes;
    if (file_read_all(file, 1 << 24, a, NULL, &bytes) != O2W_OK)
        return "the file cannot be read";
    if (!labels || !labels->strings || got->tensor.dtype != DTYPE_INT64)
        return "the graph has no string labels for it";
    struct wire_source source = { .file = bytes, .name = span_of(file) };
    struct wire_message m = { .bytes = bytes };
    struct wire_reader r = wire_read(&source, &m, &tensor_schema);
    while (wire_next(&r)) {
        if (r.field != 6)
            continue;
        if (at >= tensor_count(&got->tensor))
            return "has too few elements";
        int64_t place = tensor_get_i64(&got->tensor, at);
        if (place < 0 || place >= labels->count ||
            !span_equal(names_text(&g->names, labels->texts[place]), r.bytes))
            return arena_printf(a, "element %llu is label %lld, must be '%.*s'",
                                (unsigned long long)at, (long long)place, SPAN_ARG(r.bytes));
        at++;
    }
    return at == tensor_count(&got->tensor) && r.status == O2W_OK ? NULL : "has too many elements";
}

/* --- maps ----------------------------------------------------------------------------------------------------- */

struct map_entries {
    size_t key_count, text_count, value_count;
    int64_t keys[MOST];
    struct span texts[MOST];
    float values[MOST];
};

static void read_value(struct wire_source *source, struct span bytes, struct map_entries *out)
{
    struct wire_message m = { .bytes = bytes };
    struct wire_reader r = wire_read(source, &m, &tensor_schema);
    while (wire_next(&r) && out->value_count < MOST)
        if (r.field == 9 && r.bytes.size == sizeof(float))
            memcpy(&out->values[out->value_count++], r.bytes.data, sizeof(float));
}

static void read_values(struct wire_source *source, struct span bytes, struct map_entries *out)
{
    struct wire_message m = { .bytes = bytes };
    struct wire_reader r = wire_read(source, &m, &values_schema);
    while (wire_next(&r))
        read_value(source, r.bytes, out);
}

static void read_map(struct wire_source *source, struct span bytes, struct map_entries *out)
{
    struct wire_message m = { .bytes = bytes };
    struct wire_reader r = wire_read(source, &m, &map_schema);
    *out = (struct map_entries){ 0 };
    while (wire_next(&r)) {
        size_t count;
        uint64_t bits;
        if (r.field == 5) {
            read_values(source, r.bytes, out);
        } else if (r.field == 4 && out->text_count < MOST) {
            out->texts[out->text_count++] = r.bytes;
        } else if (r.field == 3 && wire_value_count(&r, &count) == O2W_OK) {
            for (struct wire_values v = wire_values(&r);
                 out->key_count < MOST && wire_value(&v, &bits);)
                out->keys[out->key_count++] = (int64_t)bits;
        }
    }
}

/* The column of a key; UINT32_MAX: none. */
static uint32_t column_of(const struct graph *g, const struct graph_labels *labels,
                          const struct map_entries *m, size_t i)
{
    for (uint32_t k = 0; k < labels->count; k++)
        if (labels->strings ? i < m->text_count &&
                                  span_equal(names_text(&g->names, labels->texts[k]), m->texts[i])
                            : i < m->key_count && labels->integers[k] == m->keys[i])
            return k;
    return UINT32_MAX;
}

static const char *row_differs(const struct graph *g, const struct graph_labels *labels,
                               const struct map_entries *m, const struct tensor *got, uint64_t row,
                               struct arena *a)
{
    if (m->value_count != labels->count || m->key_count + m->text_count != labels->count)
        return arena_printf(a, "map %llu has %zu keys, the graph %u labels",
                            (unsigned long long)row, m->key_count + m->text_count, labels->count);
    for (size_t i = 0; i < labels->count; i++) {
        uint32_t column = column_of(g, labels, m, i);
        if (column == UINT32_MAX)
            return arena_printf(a, "key %zu of map %llu is no label", i, (unsigned long long)row);
        double x = tensor_get_double(got, row * labels->count + column), y = (double)m->values[i];
        if (!(fabs(x - y) <= 1e-5 * (1 + fabs(y))))
            return arena_printf(a, "row %llu, label %u is %.9g, must be %.9g",
                                (unsigned long long)row, column, x, y);
    }
    return NULL;
}

const char *labelled_maps_differ(const char *file, const struct graph *g,
                                 const struct model_result *got, operand_id operand,
                                 struct arena *a)
{
    const struct graph_labels *labels = labels_of(g, operand);
    struct map_entries *map = ARENA_NEW(a, struct map_entries);
    struct span bytes;
    uint64_t row = 0;
    if (!map || file_read_all(file, 1 << 24, a, NULL, &bytes) != O2W_OK)
        return "the file cannot be read";
    if (!labels || got->tensor.rank != 2 || got->tensor.dims[1] != labels->count)
        return "the graph has no rows of labelled columns for it";
    struct wire_source source = { .file = bytes, .name = span_of(file) };
    struct wire_message m = { .bytes = bytes };
    struct wire_reader r = wire_read(&source, &m, &sequence_schema);
    while (wire_next(&r)) {
        if (row >= (uint64_t)got->tensor.dims[0])
            return "has too few rows";
        read_map(&source, r.bytes, map);
        const char *why = row_differs(g, labels, map, &got->tensor, row++, a);
        if (why)
            return why;
    }
    return row == (uint64_t)got->tensor.dims[0] && r.status == O2W_OK ? NULL : "has too many rows";
}
