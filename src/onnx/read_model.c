/* ModelProto, FunctionProto, GraphProto, NodeProto. Each message is walked twice: to count, then to
 * fill arrays of exactly that size. */

#include "onnx/read.h"

/* "" and "ai.onnx" are one domain. */
static struct span domain_of(struct span text)
{
    return text.size ? text : SPAN("ai.onnx");
}

/* ---- nodes ---- */

/* All but the attributes. */
static o2w_status read_node_head(struct onnx_read *rd, const struct wire_message *m,
                                 struct onnx_node *node, name_id *inputs, name_id *outputs)
{
    struct wire_reader r = wire_read(&rd->source, m, &proto_node);
    while (wire_next(&r)) {
        switch (r.field) {
        case NODE_INPUT: TRY(onnx_read_name(rd, r.bytes, inputs++)); break;
        case NODE_OUTPUT: TRY(onnx_read_name(rd, r.bytes, outputs++)); break;
        case NODE_NAME: node->name = r.bytes; break;
        case NODE_OP_TYPE: node->op_type = r.bytes; break;
        case NODE_DOMAIN: node->domain = domain_of(r.bytes); break;
        case NODE_OVERLOAD: node->overload = r.bytes; break;
        default: break;
        }
    }
    return r.status;
}

static o2w_status read_node_attributes(struct onnx_read *rd, const struct wire_message *m,
                                       const struct onnx_graph *owner,
                                       struct onnx_attribute *attributes)
{
    struct wire_reader r = wire_read(&rd->source, m, &proto_node);
    while (wire_next(&r)) {
        struct wire_message attribute = { .bytes = r.bytes };
        if (r.field == NODE_ATTRIBUTE)
            TRY(onnx_read_attribute(rd, &attribute, owner, attributes++));
    }
    return r.status;
}

static o2w_status read_node(struct onnx_read *rd, struct span bytes, const struct onnx_graph *owner,
                            struct onnx_node *node)
{
    size_t counts[WIRE_FIELD_LIMIT];
    struct wire_message m = { .bytes = bytes };
    TRY(onnx_read_tally(rd, &m, &proto_node, counts));
    name_id *names = ARENA_ARRAY(rd->arena, counts[NODE_INPUT] + counts[NODE_OUTPUT], name_id);
    struct onnx_attribute *attributes =
        ARENA_ARRAY(rd->arena, counts[NODE_ATTRIBUTE], struct onnx_attribute);
    if (!names || !attributes)
        return diag_memory(rd->source.diags);
    node->inputs = names;
    node->outputs = names + counts[NODE_INPUT];
    node->attributes = attributes;
    node->input_count = (uint32_t)counts[NODE_INPUT];
    node->output_count = (uint32_t)counts[NODE_OUTPUT];
    node->domain = domain_of(SPAN(""));
    TRY(read_node_head(rd, &m, node, names, names + counts[NODE_INPUT]));
    if (counts[NODE_ATTRIBUTE] == 0)
        return O2W_OK;
    node->attribute_count = (uint32_t)counts[NODE_ATTRIBUTE];
    o2w_status status = read_node_attributes(rd, &m, owner, attributes);
    if (status != O2W_OK && !rd->blamed) {
        rd->blamed = true; /* the innermost node says enough */
        onnx_at_node(rd->source.diags, rd->model, node, NULL);
    }
    return status;
}

/* ---- graphs ---- */

struct graph_arrays {
    struct onnx_node *nodes;
    struct onnx_value_info *inputs, *outputs, *value_infos;
    struct onnx_tensor *initializers;
    struct onnx_sparse_tensor *sparse_initializers;
};

static bool graph_allocate(struct arena *a, struct onnx_graph *g, struct graph_arrays *to)
{
    to->nodes = ARENA_ARRAY(a, g->node_count, struct onnx_node);
    to->inputs = ARENA_ARRAY(a, g->input_count, struct onnx_value_info);
    to->outputs = ARENA_ARRAY(a, g->output_count, struct onnx_value_info);
    to->value_infos = ARENA_ARRAY(a, g->value_info_count, struct onnx_value_info);
    to->initializers = ARENA_ARRAY(a, g->initializer_count, struct onnx_tensor);
    to->sparse_initializers =
        ARENA_ARRAY(a, g->sparse_initializer_count, struct onnx_sparse_tensor);
    g->nodes = to->nodes;
    g->inputs = to->inputs;
    g->outputs = to->outputs;
    g->value_infos = to->value_infos;
    g->initializers = to->initializers;
    g->sparse_initializers = to->sparse_initializers;
    return to->nodes && to->inputs && to->outputs && to->value_infos && to->initializers &&
           to->sparse_initializers;
}

/* `at` walks through the arrays. */
static o2w_status read_graph_field(struct onnx_read *rd, const struct wire_reader *r,
                                   struct onnx_graph *g, struct graph_arrays *at)
{
    struct wire_message m = { .bytes = r->bytes };
    switch (r->field) {
    case GRAPH_NODE:
        at->nodes->index = (uint32_t)(at->nodes - g->nodes);
        return read_node(rd, r->bytes, g, at->nodes++);
    case GRAPH_NAME: g->name = r->bytes; return O2W_OK;
    case GRAPH_DOC_STRING: g->doc = r->bytes; return O2W_OK;
    case GRAPH_INITIALIZER: return onnx_read_tensor(rd, &m, at->initializers++);
    case GRAPH_SPARSE_INITIALIZER:
        return onnx_read_sparse_tensor(rd, &m, at->sparse_initializers++);
    case GRAPH_INPUT: return onnx_read_value_info(rd, &m, at->inputs++);
    case GRAPH_OUTPUT: return onnx_read_value_info(rd, &m, at->outputs++);
    case GRAPH_VALUE_INFO: return onnx_read_value_info(rd, &m, at->value_infos++);
    default: return O2W_OK;
    }
}

o2w_status onnx_read_graph(struct onnx_read *rd, const struct wire_message *m,
                           const struct onnx_graph *parent, struct onnx_graph *g)
{
    size_t counts[WIRE_FIELD_LIMIT];
    TRY(onnx_read_enter(rd, "subgraphs", m));
    TRY(onnx_read_tally(rd, m, &proto_graph, counts));
    *g = (struct onnx_graph){
        .parent = parent,
        .input_count = (uint32_t)counts[GRAPH_INPUT],
        .output_count = (uint32_t)counts[GRAPH_OUTPUT],
        .value_info_count = (uint32_t)counts[GRAPH_VALUE_INFO],
        .initializer_count = (uint32_t)counts[GRAPH_INITIALIZER],
        .sparse_initializer_count = (uint32_t)counts[GRAPH_SPARSE_INITIALIZER],
        .node_count = (uint32_t)counts[GRAPH_NODE],
    };
    struct graph_arrays at;
    if (!graph_allocate(rd->arena, g, &at))
        return diag_memory(rd->source.diags);
    struct wire_reader r = wire_read(&rd->source, m, &proto_graph);
    while (wire_next(&r))
        TRY(read_graph_field(rd, &r, g, &at));
    onnx_read_leave(rd);
    return r.status;
}

/* ---- functions ---- */

static o2w_status read_opset(struct onnx_read *rd, struct span bytes, struct onnx_opset *o)
{
    struct wire_message m = { .bytes = bytes };
    struct wire_reader r = wire_read(&rd->source, &m, &proto_opset);
    o->domain = domain_of(SPAN(""));
    while (wire_next(&r)) {
        if (r.field == OPSET_DOMAIN)
            o->domain = domain_of(r.bytes);
        else
            o->version = wire_i64(&r);
    }
    return r.status;
}

struct function_arrays {
    struct span *attributes;
    struct onnx_attribute *defaults;
    struct onnx_opset *opsets;
    struct graph_arrays body;
};

static bool function_allocate(struct arena *a, struct onnx_function *f, struct function_arrays *to)
{
    to->attributes = ARENA_ARRAY(a, f->attribute_count, struct span);
    to->defaults = ARENA_ARRAY(a, f->default_count, struct onnx_attribute);
    to->opsets = ARENA_ARRAY(a, f->opset_count, struct onnx_opset);
    f->attributes = to->attributes;
    f->defaults = to->defaults;
    f->opsets = to->opsets;
    return to->attributes && to->defaults && to->opsets && graph_allocate(a, &f->body, &to->body);
}

static o2w_status read_function_field(struct onnx_read *rd, const struct wire_reader *r,
                                      struct onnx_function *f, struct function_arrays *at)
{
    struct wire_message m = { .bytes = r->bytes };
    struct graph_arrays *body = &at->body;
    switch (r->field) {
    case FUNCTION_NAME: f->name = f->body.name = r->bytes; return O2W_OK;
    case FUNCTION_DOMAIN: f->domain = domain_of(r->bytes); return O2W_OK;
    case FUNCTION_OVERLOAD: f->overload = r->bytes; return O2W_OK;
    case FUNCTION_DOC_STRING: f->doc = r->bytes; return O2W_OK;
    case FUNCTION_INPUT: return onnx_read_name(rd, r->bytes, &body->inputs++->name);
    case FUNCTION_OUTPUT: return onnx_read_name(rd, r->bytes, &body->outputs++->name);
    case FUNCTION_ATTRIBUTE: *at->attributes++ = r->bytes; return O2W_OK;
    case FUNCTION_ATTRIBUTE_PROTO: return onnx_read_attribute(rd, &m, &f->body, at->defaults++);
    case FUNCTION_NODE:
        body->nodes->index = (uint32_t)(body->nodes - f->body.nodes);
        return read_node(rd, r->bytes, &f->body, body->nodes++);
    case FUNCTION_OPSET_IMPORT: return read_opset(rd, r->bytes, at->opsets++);
    case FUNCTION_VALUE_INFO: return onnx_read_value_info(rd, &m, body->value_infos++);
    default: return O2W_OK;
    }
}

static o2w_status read_function(struct onnx_read *rd, struct span bytes, struct onnx_function *f)
{
    size_t counts[WIRE_FIELD_LIMIT];
    struct wire_message m = { .bytes = bytes };
    TRY(onnx_read_tally(rd, &m, &proto_function, counts));
    f->domain = domain_of(SPAN(""));
    f->attribute_count = (uint32_t)counts[FUNCTION_ATTRIBUTE];
    f->default_count = (uint32_t)counts[FUNCTION_ATTRIBUTE_PROTO];
    f->opset_count = (uint32_t)counts[FUNCTION_OPSET_IMPORT];
    f->body.input_count = (uint32_t)counts[FUNCTION_INPUT];
    f->body.output_count = (uint32_t)counts[FUNCTION_OUTPUT];
    f->body.node_count = (uint32_t)counts[FUNCTION_NODE];
    f->body.value_info_count = (uint32_t)counts[FUNCTION_VALUE_INFO];
    struct function_arrays at;
    if (!function_allocate(rd->arena, f, &at))
        return diag_memory(rd->source.diags);
    struct wire_reader r = wire_read(&rd->source, &m, &proto_function);
    while (wire_next(&r))
        TRY(read_function_field(rd, &r, f, &at));
    return r.status;
}

/* ---- the model ---- */

struct model_arrays {
    struct onnx_opset *opsets;
    struct onnx_entry *metadata;
    struct onnx_function *functions;
    struct wire_message graph;
};

static bool model_allocate(struct arena *a, struct onnx_model *model, struct model_arrays *to)
{
    to->opsets = ARENA_ARRAY(a, model->opset_count, struct onnx_opset);
    to->metadata = ARENA_ARRAY(a, model->metadata_count, struct onnx_entry);
    to->functions = ARENA_ARRAY(a, model->function_count, struct onnx_function);
    to->graph = (struct wire_message){ 0 };
    model->opsets = to->opsets;
    model->metadata = to->metadata;
    model->functions = to->functions;
    return to->opsets && to->metadata && to->functions;
}

static o2w_status read_model_field(struct onnx_read *rd, const struct wire_reader *r,
                                   struct model_arrays *at)
{
    struct onnx_model *model = rd->model;
    struct wire_message m = { .bytes = r->bytes };
    switch (r->field) {
    case MODEL_IR_VERSION: model->ir_version = wire_i64(r); return O2W_OK;
    case MODEL_PRODUCER_NAME: model->producer_name = r->bytes; return O2W_OK;
    case MODEL_PRODUCER_VERSION: model->producer_version = r->bytes; return O2W_OK;
    case MODEL_DOMAIN: model->domain = r->bytes; return O2W_OK;
    case MODEL_MODEL_VERSION: model->model_version = wire_i64(r); return O2W_OK;
    case MODEL_DOC_STRING: model->doc = r->bytes; return O2W_OK;
    case MODEL_GRAPH: return onnx_read_piece(rd, r, &at->graph);
    case MODEL_OPSET_IMPORT: return read_opset(rd, r->bytes, at->opsets++);
    case MODEL_METADATA_PROPS: return onnx_read_entry(rd, &m, at->metadata++);
    case MODEL_TRAINING_INFO: model->has_training_info = true; return O2W_OK;
    case MODEL_FUNCTIONS: return read_function(rd, r->bytes, at->functions++);
    default: return O2W_OK;
    }
}

/* The texts of the ids, in a row. */
static o2w_status keep_names(struct onnx_read *rd)
{
    struct span *texts = ARENA_ARRAY(rd->arena, rd->names.count, struct span);
    if (!texts)
        return diag_memory(rd->source.diags);
    for (size_t i = 0; i < rd->names.count; i++)
        texts[i] = rd->names.entries[i].key;
    rd->model->names = texts;
    rd->model->name_count = (uint32_t)rd->names.count;
    return O2W_OK;
}

o2w_status onnx_read_model(struct onnx_read *rd, struct span bytes)
{
    name_id empty;
    size_t counts[WIRE_FIELD_LIMIT];
    struct onnx_model *model = rd->model;
    struct wire_message m = { .bytes = bytes };
    TRY(onnx_read_name(rd, SPAN(""), &empty));
    TRY(onnx_read_tally(rd, &m, &proto_model, counts));
    model->opset_count = (uint32_t)counts[MODEL_OPSET_IMPORT];
    model->metadata_count = (uint32_t)counts[MODEL_METADATA_PROPS];
    model->function_count = (uint32_t)counts[MODEL_FUNCTIONS];
    struct model_arrays at;
    if (!model_allocate(rd->arena, model, &at))
        return diag_memory(rd->source.diags);
    struct wire_reader r = wire_read(&rd->source, &m, &proto_model);
    while (wire_next(&r))
        TRY(read_model_field(rd, &r, &at));
    TRY(r.status);
    if (!at.graph.bytes.data)
        return diag_error(rd->source.diags, DIAG_MODEL_STRUCTURE, "model has no graph");
    TRY(onnx_read_graph(rd, &at.graph, NULL, &model->graph));
    return keep_names(rd);
}
