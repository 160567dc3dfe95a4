#include "support/model_builder.h"

#include "onnx/model.h"
#include "onnx/proto.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

static void open_message(struct model_builder *b, uint32_t field)
{
    assert_true(b->depth < MB_DEPTH);
    b->open[b->depth].begun = wire_begin(&b->w, field);
    b->open[b->depth++].with_outer = false;
}

void mb_close(struct model_builder *b)
{
    assert_true(b->depth > 0);
    b->depth--;
    wire_end(&b->w, b->open[b->depth].begun);
    if (b->open[b->depth].with_outer)
        mb_close(b);
    b->in_function = b->in_function && b->depth > 0;
}

/* ---- the model ---- */

void mb_begin(struct model_builder *b, int64_t opset)
{
    *b = (struct model_builder){ 0 };
    wire_put_i64(&b->w, MODEL_IR_VERSION, 10);
    if (opset)
        mb_opset(b, "", opset);
}

void mb_opset(struct model_builder *b, const char *domain, int64_t version)
{
    size_t begun = wire_begin(&b->w, b->in_function ? FUNCTION_OPSET_IMPORT : MODEL_OPSET_IMPORT);
    if (*domain)
        wire_put_text(&b->w, OPSET_DOMAIN, domain);
    wire_put_i64(&b->w, OPSET_VERSION, version);
    wire_end(&b->w, begun);
}

static void put_entry(struct model_builder *b, uint32_t field, const char *key, const char *value)
{
    size_t begun = wire_begin(&b->w, field);
    wire_put_text(&b->w, ENTRY_KEY, key);
    wire_put_text(&b->w, ENTRY_VALUE, value);
    wire_end(&b->w, begun);
}

void mb_metadata(struct model_builder *b, const char *key, const char *value)
{
    put_entry(b, MODEL_METADATA_PROPS, key, value);
}

struct span mb_end(struct model_builder *b)
{
    struct span bytes;
    while (b->depth)
        mb_close(b);
    assert_ok(wire_written(&b->w, &bytes));
    return bytes;
}

void mb_free(struct model_builder *b)
{
    wire_writer_free(&b->w);
}

void mb_graph(struct model_builder *b)
{
    open_message(b, MODEL_GRAPH);
    wire_put_text(&b->w, GRAPH_NAME, "g");
}

/* Each name of a list as a field; "-" is the empty one. */
static void put_names(struct model_builder *b, uint32_t field, const char *names)
{
    while (*names) {
        size_t size = strcspn(names, " ");
        struct span name = { (const uint8_t *)names, size };
        wire_put_bytes(&b->w, field, span_is(name, "-") ? SPAN("") : name);
        names += size;
        names += strspn(names, " ");
    }
}

void mb_function(struct model_builder *b, const char *domain, const char *name, const char *inputs,
                 const char *outputs)
{
    open_message(b, MODEL_FUNCTIONS);
    b->in_function = true;
    wire_put_text(&b->w, FUNCTION_NAME, name);
    wire_put_text(&b->w, FUNCTION_DOMAIN, domain);
    put_names(b, FUNCTION_INPUT, inputs);
    put_names(b, FUNCTION_OUTPUT, outputs);
}

void mb_function_attribute(struct model_builder *b, const char *name)
{
    wire_put_text(&b->w, FUNCTION_ATTRIBUTE, name);
}

/* ---- values ---- */

static void put_dim(struct model_builder *b, struct span text, int64_t value)
{
    size_t begun = wire_begin(&b->w, SHAPE_DIM);
    if (text.size)
        wire_put_bytes(&b->w, DIM_PARAM, text);
    else if (value >= 0)
        wire_put_i64(&b->w, DIM_VALUE, value);
    wire_end(&b->w, begun);
}

struct type_marks {
    size_t info, type, tensor, shape;
};

static struct type_marks open_info(struct model_builder *b, uint32_t field, const char *name,
                                   int dtype)
{
    struct type_marks m;
    m.info = wire_begin(&b->w, field);
    wire_put_text(&b->w, VALUE_INFO_NAME, name);
    m.type = wire_begin(&b->w, VALUE_INFO_TYPE);
    m.tensor = wire_begin(&b->w, TYPE_TENSOR);
    wire_put_i64(&b->w, TYPE_TENSOR_ELEM_TYPE, dtype);
    m.shape = wire_begin(&b->w, TYPE_TENSOR_SHAPE);
    return m;
}

static void close_info(struct model_builder *b, struct type_marks m)
{
    wire_end(&b->w, m.shape);
    wire_end(&b->w, m.tensor);
    wire_end(&b->w, m.type);
    wire_end(&b->w, m.info);
}

void mb_value_info(struct model_builder *b, uint32_t field, const char *name, int dtype,
                   const int64_t *dims, size_t rank)
{
    struct type_marks m = open_info(b, field, name, dtype);
    for (size_t i = 0; i < rank; i++)
        put_dim(b, SPAN(""), dims[i]);
    close_info(b, m);
}

void mb_input(struct model_builder *b, const char *name, int dtype, const int64_t *dims,
              size_t rank)
{
    mb_value_info(b, GRAPH_INPUT, name, dtype, dims, rank);
}

void mb_output(struct model_builder *b, const char *name, int dtype, const int64_t *dims,
               size_t rank)
{
    mb_value_info(b, GRAPH_OUTPUT, name, dtype, dims, rank);
}

void mb_input_named(struct model_builder *b, const char *name, int dtype, const char *dims)
{
    struct type_marks m = open_info(b, GRAPH_INPUT, name, dtype);
    while (*dims) {
        size_t size = strcspn(dims, " ");
        struct span text = { (const uint8_t *)dims, size };
        bool number = *dims >= '0' && *dims <= '9';
        if (span_is(text, "'?'"))
            put_dim(b, SPAN("?"), -1);
        else if (number || span_is(text, "?"))
            put_dim(b, SPAN(""), number ? strtoll(dims, NULL, 10) : -1);
        else
            put_dim(b, text, -1);
        dims += size;
        dims += strspn(dims, " ");
    }
    close_info(b, m);
}

size_t mb_tensor_open(struct model_builder *b, uint32_t field, const char *name, int dtype,
                      const int64_t *dims, size_t rank)
{
    size_t begun = wire_begin(&b->w, field);
    wire_put_i64s(&b->w, TENSOR_DIMS, dims, rank);
    wire_put_i64(&b->w, TENSOR_DATA_TYPE, dtype);
    if (*name)
        wire_put_text(&b->w, TENSOR_NAME, name);
    return begun;
}

static void put_raw_tensor(struct model_builder *b, uint32_t field, const char *name, int dtype,
                           const int64_t *dims, size_t rank, const void *data, size_t size)
{
    size_t begun = mb_tensor_open(b, field, name, dtype, dims, rank);
    wire_put_bytes(&b->w, TENSOR_RAW_DATA, (struct span){ data, size });
    wire_end(&b->w, begun);
}

void mb_raw(struct model_builder *b, const char *name, int dtype, const int64_t *dims, size_t rank,
            const void *data, size_t size)
{
    put_raw_tensor(b, GRAPH_INITIALIZER, name, dtype, dims, rank, data, size);
}

void mb_floats(struct model_builder *b, const char *name, const int64_t *dims, size_t rank,
               const float *values, size_t count)
{
    mb_raw(b, name, ONNX_FLOAT, dims, rank, values, count * sizeof *values);
}

void mb_int64s(struct model_builder *b, const char *name, const int64_t *dims, size_t rank,
               const int64_t *values, size_t count)
{
    mb_raw(b, name, ONNX_INT64, dims, rank, values, count * sizeof *values);
}

void mb_external(struct model_builder *b, const char *name, int dtype, const int64_t *dims,
                 size_t rank, const char *location, const char *offset, const char *length)
{
    size_t begun = mb_tensor_open(b, GRAPH_INITIALIZER, name, dtype, dims, rank);
    wire_put_i64(&b->w, TENSOR_DATA_LOCATION, 1);
    if (location)
        put_entry(b, TENSOR_EXTERNAL_DATA, "location", location);
    if (offset)
        put_entry(b, TENSOR_EXTERNAL_DATA, "offset", offset);
    if (length)
        put_entry(b, TENSOR_EXTERNAL_DATA, "length", length);
    wire_end(&b->w, begun);
}

/* ---- nodes ---- */

void mb_node_open(struct model_builder *b, const char *op, const char *inputs, const char *outputs)
{
    /* Only the function itself counts: its subgraphs are graphs. */
    open_message(b, b->in_function && b->depth == 1 ? FUNCTION_NODE : GRAPH_NODE);
    put_names(b, NODE_INPUT, inputs);
    put_names(b, NODE_OUTPUT, outputs);
    wire_put_text(&b->w, NODE_OP_TYPE, op);
}

void mb_node(struct model_builder *b, const char *op, const char *inputs, const char *outputs)
{
    mb_node_open(b, op, inputs, outputs);
    mb_close(b);
}

void mb_node_name(struct model_builder *b, const char *name)
{
    wire_put_text(&b->w, NODE_NAME, name);
}

void mb_node_domain(struct model_builder *b, const char *domain)
{
    wire_put_text(&b->w, NODE_DOMAIN, domain);
}

/* ---- attributes ---- */

static void open_attribute(struct model_builder *b, const char *name, int type)
{
    open_message(b, NODE_ATTRIBUTE);
    wire_put_text(&b->w, ATTRIBUTE_NAME, name);
    wire_put_i64(&b->w, ATTRIBUTE_TYPE, type);
}

void mb_int(struct model_builder *b, const char *name, int64_t value)
{
    open_attribute(b, name, ONNX_ATTRIBUTE_INT);
    wire_put_i64(&b->w, ATTRIBUTE_I, value);
    mb_close(b);
}

void mb_float(struct model_builder *b, const char *name, float value)
{
    open_attribute(b, name, ONNX_ATTRIBUTE_FLOAT);
    wire_put_f32(&b->w, ATTRIBUTE_F, value);
    mb_close(b);
}

void mb_string(struct model_builder *b, const char *name, const char *value)
{
    open_attribute(b, name, ONNX_ATTRIBUTE_STRING);
    wire_put_text(&b->w, ATTRIBUTE_S, value);
    mb_close(b);
}

void mb_int_list(struct model_builder *b, const char *name, const int64_t *values, size_t count)
{
    open_attribute(b, name, ONNX_ATTRIBUTE_INTS);
    wire_put_i64s(&b->w, ATTRIBUTE_INTS, values, count);
    mb_close(b);
}

void mb_float_list(struct model_builder *b, const char *name, const float *values, size_t count)
{
    open_attribute(b, name, ONNX_ATTRIBUTE_FLOATS);
    wire_put_f32s(&b->w, ATTRIBUTE_FLOATS, values, count);
    mb_close(b);
}

void mb_string_list(struct model_builder *b, const char *name, const char *words)
{
    open_attribute(b, name, ONNX_ATTRIBUTE_STRINGS);
    while (*words) {
        size_t size = strcspn(words, " ");
        wire_put_bytes(&b->w, ATTRIBUTE_STRINGS, (struct span){ (const uint8_t *)words, size });
        words += size + (words[size] == ' ');
    }
    mb_close(b);
}

void mb_reference(struct model_builder *b, const char *name, int type, const char *outer)
{
    open_attribute(b, name, type);
    wire_put_text(&b->w, ATTRIBUTE_REF_ATTR_NAME, outer);
    mb_close(b);
}

void mb_tensor(struct model_builder *b, const char *name, int dtype, const int64_t *dims,
               size_t rank, const void *data, size_t size)
{
    open_attribute(b, name, ONNX_ATTRIBUTE_TENSOR);
    put_raw_tensor(b, ATTRIBUTE_T, "", dtype, dims, rank, data, size);
    mb_close(b);
}

void mb_subgraph(struct model_builder *b, const char *name)
{
    open_attribute(b, name, ONNX_ATTRIBUTE_GRAPH);
    open_message(b, ATTRIBUTE_G);
    b->open[b->depth - 1].with_outer = true;
    wire_put_text(&b->w, GRAPH_NAME, name);
}
