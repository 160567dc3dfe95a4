/* The files of an ONNX model: where each constant lies, and the protobuf around them. */
#include "emit/onnx.h"

#include "base/checked.h"
#include "base/number.h"
#include "nodes/nodes.h"
#include "onnx/proto.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

/* Constants in the data file begin where a reader can use them as they are mapped. */
enum { ALIGNMENT = 64, PAGE = 4096, LEAST_PAGED = 64 * 1024 };

/* IR versions that came with the operator sets. */
enum { OPSET_OF_IR_10 = 21 };

struct maker {
    const struct graph *graph;
    const struct emit_onnx_options *options;
    struct arena *arena;
    struct diags *diags;
    struct made_parts parts;
    struct made_names names;
    struct wire_writer body; /* of the graph, without what goes between */
    VEC(struct splice) splices;
    VEC(struct home) homes;
    struct map placed; /* address and size to an index of offsets */
    VEC(uint64_t) offsets;
    struct emit_onnx *out;
};

/* The bytes of a constant stand behind so many of the body. */
struct splice {
    size_t behind;
    struct emit_piece piece;
};

/* A mapped file with weights of the graph. */
struct home {
    struct file *file;
    const char *location; /* from the model's folder; NULL: it is not referred to */
};

static o2w_status check(const struct maker *m, bool good)
{
    return good ? O2W_OK : diag_memory(m->diags);
}

/* ---- where constants lie ---- */

/* The archive of the graph, where it stands as itself in the model's folder. */
static o2w_status find_location(struct maker *m, const struct weight *w, const char **out)
{
    char *canonical = NULL;
    const char *folder = m->options->folder;
    *out = NULL;
    if (!folder || !w->key || path_canonical(w->file->path, m->arena, NULL, &canonical) != O2W_OK)
        return O2W_OK;
    struct span name = path_name(span_of(w->file->path));
    const char *beside = path_join(m->arena, span_of(folder), name);
    if (!beside)
        return diag_memory(m->diags);
    if (strcmp(beside, canonical) == 0 && !path_unsafe(name))
        *out = arena_text(m->arena, name);
    return O2W_OK;
}

static o2w_status collect_homes(struct maker *m)
{
    for (size_t i = 0; i < m->graph->weights.count; i++) {
        const struct weight *w = &m->graph->weights.items[i];
        size_t k = 0;
        if (w->source != WEIGHT_FILE || !w->file->mapping.size)
            continue;
        while (k < m->homes.count && m->homes.items[k].file != w->file)
            k++;
        struct home home = { .file = w->file };
        if (k < m->homes.count)
            continue;
        TRY(find_location(m, w, &home.location));
        TRY(check(m, VEC_PUSH(&m->homes, home)));
    }
    return O2W_OK;
}

/* The file that the bytes are a part of; NULL: none. */
static const struct home *home_of(const struct maker *m, struct span bytes, uint64_t *offset)
{
    for (size_t i = 0; i < m->homes.count; i++) {
        struct span mapping = m->homes.items[i].file->mapping;
        uintptr_t from = (uintptr_t)mapping.data, at = (uintptr_t)bytes.data;
        if (at >= from && at - from < mapping.size) {
            *offset = at - from;
            return &m->homes.items[i];
        }
    }
    return NULL;
}

static struct emit_piece piece_of(const struct maker *m, struct span bytes)
{
    uint64_t offset = 0;
    const struct home *home = home_of(m, bytes, &offset);
    bool real = home && home->file->descriptor >= 0;
    return (struct emit_piece){ bytes, real ? home->file : NULL, offset };
}

/* ---- the data file ---- */

static o2w_status add_piece(struct maker *m, struct emit_piece piece)
{
    if (!add_u64(m->out->data_bytes, piece.bytes.size, &m->out->data_bytes))
        return diag_error(m->diags, DIAG_LIMIT, "the weights have no size in 64 bits");
    return check(m, VEC_PUSH(&m->out->data, piece));
}

static o2w_status add_data(struct maker *m, struct span bytes, uint64_t *offset)
{
    static const uint8_t zeros[PAGE];
    uint64_t alignment = bytes.size >= LEAST_PAGED ? PAGE : ALIGNMENT;
    uint64_t over = m->out->data_bytes % alignment;
    if (over)
        TRY(add_piece(m, (struct emit_piece){ .bytes = { zeros, (size_t)(alignment - over) } }));
    *offset = m->out->data_bytes;
    return add_piece(m, piece_of(m, bytes));
}

/* Equal bytes that are one constant of the graph lie there once. */
static o2w_status place_data(struct maker *m, struct span bytes, uint64_t *offset)
{
    uint32_t *index;
    bool added;
    struct span key = arena_copy(m->arena, (struct span){ (const uint8_t *)&bytes, sizeof bytes });
    TRY(check(m, key.data && map_insert(&m->placed, key, (uint32_t)m->offsets.count, &index,
                                        &added) == O2W_OK));
    if (!added) {
        *offset = m->offsets.items[*index];
        return O2W_OK;
    }
    TRY(add_data(m, bytes, offset));
    return check(m, VEC_PUSH(&m->offsets, *offset));
}

/* ---- tensors ---- */

static void put_entry(struct wire_writer *w, uint32_t field, struct span key, struct span value)
{
    size_t begun = wire_begin(w, field);
    wire_put_bytes(w, ENTRY_KEY, key);
    wire_put_bytes(w, ENTRY_VALUE, value);
    wire_end(w, begun);
}

static void put_number_entry(struct wire_writer *w, const char *key, uint64_t value)
{
    char text[NUMBER_TEXT + 1] = { 0 };
    number_print_u64(value, text);
    put_entry(w, TENSOR_EXTERNAL_DATA, span_of(key), span_of(text));
}

static void put_reference(struct wire_writer *w, const char *location, uint64_t offset,
                          uint64_t size)
{
    enum { EXTERNAL = 1 };
    put_entry(w, TENSOR_EXTERNAL_DATA, SPAN("location"), span_of(location));
    put_number_entry(w, "offset", offset);
    put_number_entry(w, "length", size);
    wire_put_varint(w, TENSOR_DATA_LOCATION, EXTERNAL);
}

static o2w_status refer(struct maker *m, const struct made_constant *c, struct span bytes,
                        struct wire_writer *w)
{
    uint64_t offset = 0, element = (dtype_info(c->tensor.dtype)->bits + 7U) / 8;
    const struct home *home = home_of(m, bytes, &offset);
    if (home && home->location && offset % element == 0) {
        put_reference(w, home->location, offset, bytes.size);
        return O2W_OK;
    }
    if (!m->options->data) {
        o2w_status s =
            diag_error(m->diags, DIAG_USAGE, "the weights have no place beside standard output");
        diag_hint(m->diags, "--weight-data inline, or -o PATH");
        return s;
    }
    TRY(place_data(m, bytes, &offset));
    put_reference(w, m->options->data, offset, bytes.size);
    return O2W_OK;
}

/* In the body, its bytes as a splice. */
static o2w_status put_within(struct maker *m, const struct wire_writer *w, struct span bytes)
{
    struct span head;
    struct wire_writer raw;
    uint64_t size = 0;
    TRY(wire_written(w, &head));
    wire_writer_init(&raw, m->arena->allocator);
    wire_put_head(&raw, TENSOR_RAW_DATA, bytes.size);
    bool fits = add_u64(head.size, raw.bytes.count, &size) && add_u64(size, bytes.size, &size);
    wire_put_head(&m->body, GRAPH_INITIALIZER, size);
    wire_put_raw(&m->body, head);
    wire_put_raw(&m->body, (struct span){ raw.bytes.items, raw.bytes.count });
    bool failed = raw.failed;
    wire_writer_free(&raw);
    const struct splice splice = { m->body.bytes.count, piece_of(m, bytes) };
    return check(m, fits && !failed && (!bytes.size || VEC_PUSH(&m->splices, splice)));
}

/* Lists of sizes are read before weights are: shape inference does not look into other files. */
static bool stands_within(const struct maker *m, const struct tensor *t, uint64_t size)
{
    bool is_list = t->dtype == DTYPE_INT64 && t->rank == 1;
    return m->options->weights == EMIT_WEIGHTS_INLINE ||
           size < (is_list ? ONNX_LIST_LIMIT : ONNX_INLINE_LIMIT);
}

static o2w_status put_constant_in(struct maker *m, const struct made_constant *c,
                                  struct wire_writer *w)
{
    struct span name, bytes = { c->tensor.data, (size_t)tensor_bytes(&c->tensor) };
    TRY(made_name(&m->names, c->value, &name));
    wire_put_i64s(w, TENSOR_DIMS, c->tensor.dims, c->tensor.rank);
    wire_put_varint(w, TENSOR_DATA_TYPE, (uint64_t)dtype_info(c->tensor.dtype)->onnx);
    wire_put_bytes(w, TENSOR_NAME, name);
    if (stands_within(m, &c->tensor, bytes.size))
        return put_within(m, w, bytes);
    TRY(refer(m, c, bytes, w));
    size_t begun = wire_begin(&m->body, GRAPH_INITIALIZER);
    wire_put_raw(&m->body, (struct span){ w->bytes.items, w->bytes.count });
    wire_end(&m->body, begun);
    return check(m, !w->failed);
}

static o2w_status put_constant(struct maker *m, const struct made_constant *c)
{
    struct wire_writer w;
    wire_writer_init(&w, m->arena->allocator);
    o2w_status s = put_constant_in(m, c, &w);
    wire_writer_free(&w);
    return s;
}

/* ---- nodes and ports ---- */

static o2w_status put_values(struct maker *m, uint32_t field, const char *const *values,
                             size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct span name;
        TRY(made_name(&m->names, values[i], &name));
        wire_put_bytes(&m->body, field, name);
    }
    return O2W_OK;
}

static o2w_status put_node(struct maker *m, const struct made_node *node)
{
    struct span name;
    TRY(made_node_name(&m->names, node, &name));
    size_t begun = wire_begin(&m->body, GRAPH_NODE);
    TRY(put_values(m, NODE_INPUT, node->inputs, node->input_count));
    TRY(put_values(m, NODE_OUTPUT, node->outputs, node->output_count));
    wire_put_bytes(&m->body, NODE_NAME, name);
    wire_put_text(&m->body, NODE_OP_TYPE, node->op);
    wire_put_raw(&m->body, node->attributes);
    if (*node->domain)
        wire_put_text(&m->body, NODE_DOMAIN, node->domain);
    wire_end(&m->body, begun);
    return O2W_OK;
}

static void put_dim(struct wire_writer *w, const struct made_port *port, uint32_t axis)
{
    size_t begun = wire_begin(w, SHAPE_DIM);
    if (port->dims[axis] >= 0)
        wire_put_i64(w, DIM_VALUE, port->dims[axis]);
    else if (port->symbols && made_text(span_of(port->symbols[axis])))
        wire_put_text(w, DIM_PARAM, port->symbols[axis]);
    wire_end(w, begun);
}

static o2w_status put_port(struct maker *m, uint32_t field, const struct made_port *port)
{
    struct wire_writer *w = &m->body;
    struct span name;
    TRY(made_name(&m->names, port->value, &name));
    size_t info = wire_begin(w, field);
    wire_put_bytes(w, VALUE_INFO_NAME, name);
    size_t type = wire_begin(w, VALUE_INFO_TYPE), tensor = wire_begin(w, TYPE_TENSOR);
    wire_put_varint(w, TYPE_TENSOR_ELEM_TYPE, (uint64_t)dtype_info(port->dtype)->onnx);
    size_t shape = wire_begin(w, TYPE_TENSOR_SHAPE);
    for (uint32_t i = 0; i < port->rank; i++)
        put_dim(w, port, i);
    wire_end(w, shape);
    wire_end(w, tensor);
    wire_end(w, type);
    wire_end(w, info);
    return O2W_OK;
}

static o2w_status put_graph(struct maker *m)
{
    struct span name = names_text(&m->graph->names, m->graph->name);
    for (size_t i = 0; i < m->parts.nodes.count; i++)
        TRY(put_node(m, &m->parts.nodes.items[i]));
    wire_put_bytes(&m->body, GRAPH_NAME, made_text(name) ? name : SPAN("graph"));
    for (size_t i = 0; i < m->parts.constants.count; i++)
        TRY(put_constant(m, &m->parts.constants.items[i]));
    for (size_t i = 0; i < m->parts.inputs.count; i++)
        TRY(put_port(m, GRAPH_INPUT, &m->parts.inputs.items[i]));
    for (size_t i = 0; i < m->parts.outputs.count; i++)
        TRY(put_port(m, GRAPH_OUTPUT, &m->parts.outputs.items[i]));
    return check(m, !m->body.failed);
}

/* ---- the file ---- */

static void put_opset(struct wire_writer *w, const char *domain, int version)
{
    size_t begun = wire_begin(w, MODEL_OPSET_IMPORT);
    wire_put_text(w, OPSET_DOMAIN, domain);
    wire_put_i64(w, OPSET_VERSION, version);
    wire_end(w, begun);
}

/* Of the source model. */
static void put_metadata(const struct graph *g, struct wire_writer *w)
{
    for (size_t i = 0; i < g->meta.count; i++) {
        struct span key = names_text(&g->names, g->meta.items[i].key),
                    value = names_text(&g->names, g->meta.items[i].value);
        if (made_text(key) && (value.size == 0 || made_text(value)))
            put_entry(w, MODEL_METADATA_PROPS, key, value);
    }
}

static o2w_status put_head(struct maker *m, uint64_t graph_size)
{
    struct wire_writer w;
    struct span written = { 0 };
    int opset = nodes_opset(m->graph);
    wire_writer_init(&w, m->arena->allocator);
    wire_put_varint(&w, MODEL_IR_VERSION, opset < OPSET_OF_IR_10 ? 9 : 10);
    wire_put_text(&w, MODEL_PRODUCER_NAME, "onnx2webnn");
    wire_put_text(&w, MODEL_PRODUCER_VERSION, O2W_VERSION);
    put_opset(&w, "", opset);
    if (m->parts.microsoft)
        put_opset(&w, "com.microsoft", 1);
    put_metadata(m->graph, &w);
    wire_put_head(&w, MODEL_GRAPH, graph_size);
    bool good = wire_written(&w, &written) == O2W_OK;
    struct emit_piece head = { .bytes = good ? arena_copy(m->arena, written) : (struct span){ 0 } };
    wire_writer_free(&w);
    m->out->model_bytes = head.bytes.size;
    return check(m, head.bytes.data && VEC_PUSH(&m->out->model, head));
}

static o2w_status put_body(struct maker *m, struct span body)
{
    size_t at = 0;
    for (size_t i = 0; i < m->splices.count; i++) {
        const struct splice *s = &m->splices.items[i];
        const struct emit_piece before = { .bytes = { body.data + at, s->behind - at } };
        TRY(check(m, VEC_PUSH(&m->out->model, before) && VEC_PUSH(&m->out->model, s->piece)));
        at = s->behind;
    }
    const struct emit_piece rest = { .bytes = { body.data + at, body.size - at } };
    return check(m, VEC_PUSH(&m->out->model, rest));
}

/* Readers of protobuf take so much and no more. */
static o2w_status check_size(struct maker *m, uint64_t graph_size)
{
    if (m->out->model_bytes <= INT_MAX && graph_size <= INT_MAX - m->out->model_bytes)
        return O2W_OK;
    o2w_status s =
        diag_error(m->diags, DIAG_LIMIT,
                   "the model has %" PRIu64 " bytes and more, a file of protobuf holds at most %d",
                   graph_size, INT_MAX);
    if (m->options->weights == EMIT_WEIGHTS_INLINE)
        diag_hint(m->diags, "--weight-data external");
    return s;
}

static o2w_status make_model(struct maker *m)
{
    uint64_t size = m->body.bytes.count;
    struct span body = arena_copy(m->arena, (struct span){ m->body.bytes.items, (size_t)size });
    TRY(check(m, body.data != NULL));
    for (size_t i = 0; i < m->splices.count; i++)
        if (!add_u64(size, m->splices.items[i].piece.bytes.size, &size))
            size = UINT64_MAX;
    TRY(put_head(m, size));
    TRY(check_size(m, size));
    m->out->model_bytes += size;
    return put_body(m, body);
}

static o2w_status make(struct maker *m)
{
    static const struct nodes_settings settings = { .raise = true, .portable = true };
    struct model_sink sink = made_parts_sink(&m->parts);
    struct emit e;
    TRY(nodes_write(&settings, m->graph, &sink, m->arena, m->diags, &e));
    emit_free(&e);
    TRY(made_names_assign(&m->names, &m->parts));
    TRY(collect_homes(m));
    TRY(put_graph(m));
    return make_model(m);
}

o2w_status emit_onnx(const struct graph *g, const struct emit_onnx_options *options,
                     struct arena *arena, struct diags *d, struct emit_onnx *out)
{
    const o2w_allocator *allocator = arena->allocator;
    struct maker m = { .graph = g, .options = options, .arena = arena, .diags = d, .out = out };
    *out = (struct emit_onnx){ .arena = arena };
    out->model.allocator = out->data.allocator = allocator;
    m.splices.allocator = m.homes.allocator = m.offsets.allocator = allocator;
    made_parts_init(&m.parts, arena);
    made_names_init(&m.names, arena, d);
    wire_writer_init(&m.body, allocator);
    map_init(&m.placed, allocator);
    o2w_status s = make(&m);
    map_free(&m.placed);
    wire_writer_free(&m.body);
    made_names_free(&m.names);
    made_parts_free(&m.parts);
    VEC_FREE(&m.splices);
    VEC_FREE(&m.homes);
    VEC_FREE(&m.offsets);
    if (s != O2W_OK)
        emit_onnx_free(out);
    return s;
}

void emit_onnx_free(struct emit_onnx *m)
{
    VEC_FREE(&m->model);
    VEC_FREE(&m->data);
}

o2w_status emit_onnx_write(const struct emit_piece *pieces, size_t count, struct file_writer *w,
                           struct diags *d)
{
    for (size_t i = 0; i < count; i++) {
        const struct emit_piece *p = &pieces[i];
        TRY(p->file ? file_write_from(w, p->file, p->offset, p->bytes.size, d)
                    : file_write(w, p->bytes.data, p->bytes.size, d));
    }
    return O2W_OK;
}

void emit_onnx_text(const struct emit_onnx *m, struct text_out *out)
{
    for (size_t i = 0; i < m->model.count; i++)
        out_span(out, m->model.items[i].bytes);
}
