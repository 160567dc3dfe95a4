/* Models made in memory: graph, nodes and constants handed to the runtime's Model Editor. */
#include "ort/internal.h"
#include "ort/ort_model.h"

#include <limits.h>
#include <string.h>

#define MODEL_TRY(m, call, ...) ORT_TRY((m)->ort, call, DIAG_BUILD_FAILED, d, __VA_ARGS__)

enum { LEAST_BORROWED = 128 }; /* smaller constants must be copied: the runtime insists */

/* Inputs and outputs are collected: the graph takes each list once. */
struct ort_model {
    const struct ort *ort;
    const o2w_allocator *allocator;
    OrtGraph *graph; /* until the model owns it */
    OrtModel *model;
    VEC(OrtValueInfo *) inputs;
    VEC(OrtValueInfo *) outputs;
};

static o2w_status create_parts(struct ort_model *m, const struct sink_opset *opsets, size_t count,
                               struct diags *d)
{
    enum { MOST = 8 };
    const char *domains[MOST];
    int versions[MOST];
    if (count > MOST)
        return diag_error(d, DIAG_INTERNAL, "%zu operator sets, must be at most %d", count, MOST);
    for (size_t i = 0; i < count; i++) {
        domains[i] = opsets[i].domain;
        versions[i] = opsets[i].version;
    }
    MODEL_TRY(m, m->ort->editor.CreateGraph(&m->graph), "ONNX Runtime gives no graph");
    MODEL_TRY(m, m->ort->editor.CreateModel(domains, versions, count, &m->model),
              "ONNX Runtime gives no model");
    return O2W_OK;
}

o2w_status ort_model_create(const struct ort *o, const struct sink_opset *opsets,
                            size_t opset_count, const o2w_allocator *allocator, struct diags *d,
                            struct ort_model **out)
{
    struct ort_model *m = mem_alloc(allocator, sizeof *m);
    if (!m)
        return diag_memory(d);
    *m = (struct ort_model){ .ort = o,
                             .allocator = allocator,
                             .inputs.allocator = allocator,
                             .outputs.allocator = allocator };
    o2w_status status = create_parts(m, opsets, opset_count, d);
    if (status == O2W_OK)
        *out = m;
    else
        ort_model_free(m);
    return status;
}

void ort_model_free(struct ort_model *m)
{
    if (!m)
        return;
    const struct ort_api *api = &m->ort->api;
    for (size_t i = 0; i < m->inputs.count; i++)
        api->ReleaseValueInfo(m->inputs.items[i]);
    for (size_t i = 0; i < m->outputs.count; i++)
        api->ReleaseValueInfo(m->outputs.items[i]);
    if (m->graph)
        api->ReleaseGraph(m->graph);
    if (m->model)
        api->ReleaseModel(m->model);
    VEC_FREE(&m->inputs);  /* of pointers: NOLINT(bugprone-sizeof-expression) */
    VEC_FREE(&m->outputs); /* of pointers: NOLINT(bugprone-sizeof-expression) */
    mem_free(m->allocator, m, sizeof *m);
}

static o2w_status fill_tensor_info(struct ort_model *m, OrtTensorInfo *info,
                                   const struct ort_port *port, bool named, struct diags *d)
{
    const struct ort_api *api = &m->ort->api;
    const struct ort_type *t = &port->type;
    const char *symbols[MAX_RANK];
    MODEL_TRY(m, api->SetTensorElementType(info, dtype_info(t->dtype)->onnx),
              "ONNX Runtime refused '%s'", port->name);
    MODEL_TRY(m, api->SetDimensions(info, t->dims, t->rank), "ONNX Runtime refused '%s'",
              port->name);
    for (uint32_t i = 0; i < t->rank; i++)
        symbols[i] = t->symbols[i] ? t->symbols[i] : "";
    if (named)
        MODEL_TRY(m, api->SetSymbolicDimensions(info, symbols, t->rank),
                  "ONNX Runtime refused '%s'", port->name);
    return O2W_OK;
}

static o2w_status make_value_info(struct ort_model *m, const struct ort_port *port, bool named,
                                  struct diags *d, OrtValueInfo **out)
{
    const struct ort_api *api = &m->ort->api;
    OrtTensorInfo *info = NULL;
    OrtTypeInfo *type = NULL;
    MODEL_TRY(m, api->CreateTensorTypeAndShapeInfo(&info), "ONNX Runtime refused '%s'", port->name);
    o2w_status status = fill_tensor_info(m, info, port, named, d);
    OrtStatus *refused = status == O2W_OK ? m->ort->editor.CreateTensorTypeInfo(info, &type) : NULL;
    if (status == O2W_OK && !refused)
        refused = m->ort->editor.CreateValueInfo(port->name, type, out);
    if (type)
        api->ReleaseTypeInfo(type);
    api->ReleaseTensorTypeAndShapeInfo(info);
    return refused ? ort_fail(m->ort, refused, DIAG_BUILD_FAILED, d, "ONNX Runtime refused '%s'",
                              port->name)
                   : status;
}

static o2w_status make_port(struct ort_model *m, const char *name, enum dtype dtype,
                            const int64_t *dims, uint32_t rank, const char *const *symbols,
                            struct diags *d, OrtValueInfo **out)
{
    struct ort_port port = { .name = name, .type = { .dtype = dtype, .rank = rank } };
    for (uint32_t i = 0; i < rank; i++) {
        port.type.dims[i] = dims[i] < 0 ? -1 : dims[i];
        port.type.symbols[i] = symbols && dims[i] < 0 ? symbols[i] : NULL;
    }
    return make_value_info(m, &port, symbols != NULL, d, out);
}

o2w_status ort_model_input(struct ort_model *m, const char *name, enum dtype dtype,
                           const int64_t *dims, uint32_t rank, const char *const *symbols,
                           struct diags *d)
{
    OrtValueInfo *info = NULL;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression) */
    if (!VEC_RESERVE(&m->inputs, 1))
        return diag_memory(d);
    TRY(make_port(m, name, dtype, dims, rank, symbols, d, &info));
    m->inputs.items[m->inputs.count++] = info;
    return O2W_OK;
}

o2w_status ort_model_output(struct ort_model *m, const char *name, enum dtype dtype,
                            const int64_t *dims, uint32_t rank, const char *const *symbols,
                            struct diags *d)
{
    OrtValueInfo *info = NULL;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression) */
    if (!VEC_RESERVE(&m->outputs, 1))
        return diag_memory(d);
    TRY(make_port(m, name, dtype, dims, rank, symbols, d, &info));
    m->outputs.items[m->outputs.count++] = info;
    return O2W_OK;
}

/* A value with its own copy of the bytes. */
static o2w_status copy_value(struct ort_model *m, const char *name, const struct tensor *t,
                             struct diags *d, OrtValue **out)
{
    OrtValue *value = NULL;
    void *data = NULL;
    MODEL_TRY(m,
              m->ort->api.CreateTensorAsOrtValue(m->ort->allocator, t->dims, t->rank,
                                                 dtype_info(t->dtype)->onnx, &value),
              "ONNX Runtime refused the constant '%s'", name);
    OrtStatus *status = m->ort->api.GetTensorMutableData(value, &data);
    if (status) {
        m->ort->api.ReleaseValue(value);
        return ort_fail(m->ort, status, DIAG_BUILD_FAILED, d,
                        "ONNX Runtime refused the constant '%s'", name);
    }
    if (tensor_bytes(t) > 0)
        memcpy(data, t->data, (size_t)tensor_bytes(t));
    *out = value;
    return O2W_OK;
}

o2w_status ort_model_constant(struct ort_model *m, const char *name, const struct tensor *t,
                              bool copied, struct diags *d)
{
    OrtValue *value = NULL;
    bool borrowed = !copied && tensor_bytes(t) >= LEAST_BORROWED;
    TRY(borrowed ? ort_value_over(m->ort, t, DIAG_BUILD_FAILED, name, d, &value)
                 : copy_value(m, name, t, d, &value));
    OrtStatus *status = m->ort->editor.AddInitializerToGraph(m->graph, name, value, borrowed);
    if (!status)
        return O2W_OK;
    m->ort->api.ReleaseValue(value);
    return ort_fail(m->ort, status, DIAG_BUILD_FAILED, d, "ONNX Runtime refused the constant '%s'",
                    name);
}

static o2w_status make_attribute(struct ort_model *m, const struct sink_node *node,
                                 const struct sink_attribute *a, struct diags *d, OrtOpAttr **out)
{
    static const int types[] = {
        [SINK_INT] = ORT_ATTR_INT,       [SINK_INTS] = ORT_ATTR_INTS,
        [SINK_FLOAT] = ORT_ATTR_FLOAT,   [SINK_FLOATS] = ORT_ATTR_FLOATS,
        [SINK_STRING] = ORT_ATTR_STRING, [SINK_STRINGS] = ORT_ATTR_STRINGS,
    };
    if (a->count > INT_MAX)
        return diag_error(d, DIAG_BUILD_FAILED, "attribute '%s' of %s has %zu elements", a->name,
                          node->op, a->count);
    MODEL_TRY(m, m->ort->api.CreateOpAttr(a->name, a->data, (int)a->count, types[a->kind], out),
              "ONNX Runtime refused attribute '%s' of %s", a->name, node->op);
    return O2W_OK;
}

o2w_status ort_model_node(struct ort_model *m, const struct sink_node *node, struct diags *d)
{
    enum { MOST = 16 };
    OrtOpAttr *attributes[MOST] = { 0 };
    OrtNode *made = NULL;
    size_t count = 0;
    o2w_status status = O2W_OK;
    if (node->attribute_count > MOST)
        return diag_error(d, DIAG_INTERNAL, "%s has %zu attributes, must be at most %d", node->op,
                          node->attribute_count, MOST);
    for (; status == O2W_OK && count < node->attribute_count; count++)
        status = make_attribute(m, node, &node->attributes[count], d, &attributes[count]);
    OrtStatus *refused = NULL;
    if (status == O2W_OK) {
        refused = m->ort->editor.CreateNode(node->op, node->domain, node->name, node->inputs,
                                            node->input_count, node->outputs, node->output_count,
                                            attributes, node->attribute_count, &made);
        if (!refused)
            refused = m->ort->editor.AddNodeToGraph(m->graph, made);
    }
    if (status == O2W_OK && !refused)
        return O2W_OK;
    if (made)
        m->ort->api.ReleaseNode(made);
    for (size_t i = 0; !made && i < count; i++)
        if (attributes[i])
            m->ort->api.ReleaseOpAttr(attributes[i]);
    return refused ? ort_fail(m->ort, refused, DIAG_BUILD_FAILED, d,
                              "ONNX Runtime refused the node %s", node->op)
                   : status;
}

/* Hands the lists of ports and then the graph to the model, each once. */
o2w_status ort_model_close(struct ort_model *m, struct diags *d, const OrtModel **out)
{
    if (m->graph) {
        MODEL_TRY(m, m->ort->editor.SetGraphInputs(m->graph, m->inputs.items, m->inputs.count),
                  "ONNX Runtime refused the inputs");
        m->inputs.count = 0;
        MODEL_TRY(m, m->ort->editor.SetGraphOutputs(m->graph, m->outputs.items, m->outputs.count),
                  "ONNX Runtime refused the outputs");
        m->outputs.count = 0;
        MODEL_TRY(m, m->ort->editor.AddGraphToModel(m->model, m->graph),
                  "ONNX Runtime refused the graph");
        m->graph = NULL;
    }
    *out = m->model;
    return O2W_OK;
}
