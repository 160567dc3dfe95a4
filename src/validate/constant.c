/* Values that follow from initializers and Constants alone. Each node is lowered by itself, with its
 * inputs as initializers: what the conversion would compute is what counts as the value. */
#include "validate/scope.h"

#include "lower/program.h"
#include "onnx/open.h"
#include "onnx/proto.h"
#include "onnx/store.h"
#include "onnx/tensor.h"

#include <string.h>

enum { DEPTH = 200 };

struct evaluation {
    struct scopes *scopes;
    struct diags *diags;
    unsigned depth;
};

static o2w_status value_of(struct evaluation *e, const struct scope *at, name_id name,
                           struct known_value *out);

o2w_status initializer_tensor(struct onnx_model *m, const struct onnx_tensor *t, struct arena *a,
                              struct diags *d, struct tensor *out)
{
    struct onnx_payload payload;
    struct span bytes = { 0 };
    enum dtype dtype;
    TRY(onnx_tensor_payload(m, t, d, &payload));
    if (!dtype_by_onnx(t->dtype, &dtype) || payload.kind == ONNX_PAYLOAD_STRINGS ||
        t->rank > MAX_RANK)
        return O2W_UNSUPPORTED;
    if (payload.size)
        TRY(onnx_payload_bytes(&payload, a, d, &bytes));
    const void *data = bytes.data;
    if ((uintptr_t)data % 8) {
        void *aligned = arena_alloc(a, bytes.size, 16);
        if (!aligned)
            return diag_memory(d);
        data = memcpy(aligned, bytes.data, bytes.size);
    }
    *out = (struct tensor){ .dtype = dtype, .rank = t->rank, .data = (void *)(uintptr_t)data };
    for (uint32_t i = 0; i < t->rank; i++)
        out->dims[i] = t->dims[i];
    return O2W_OK;
}

/* --- one node as a model ---------------------------------------------------------------------------- */

struct one_node {
    struct onnx_model model;
    struct onnx_node node;
    struct onnx_value_info output;
    struct onnx_attribute *attributes;
    struct onnx_tensor *initializers;
};

static bool holds_graphs(const struct onnx_node *n)
{
    for (uint32_t i = 0; i < n->attribute_count; i++)
        if (onnx_attribute_has_graphs(&n->attributes[i]))
            return true;
    return false;
}

static o2w_status put_initializer(struct evaluation *e, struct one_node *one, name_id name,
                                  const struct tensor *value)
{
    struct arena *a = e->scopes->arena;
    struct onnx_graph *g = &one->model.graph;
    struct onnx_decoded *decoded = ARENA_NEW(a, struct onnx_decoded);
    int64_t *dims = ARENA_ARRAY(a, value->rank, int64_t);
    if (!decoded || !dims)
        return diag_memory(e->diags);
    for (uint32_t i = 0; i < g->initializer_count; i++)
        if (one->initializers[i].name == name)
            return O2W_OK;
    if (value->rank)
        memcpy(dims, value->dims, value->rank * sizeof *dims);
    *decoded =
        (struct onnx_decoded){ .done = true, .memory = { value->data, tensor_bytes(value) } };
    one->initializers[g->initializer_count++] =
        (struct onnx_tensor){ .name = name,
                              .dtype = dtype_info(value->dtype)->onnx,
                              .rank = value->rank,
                              .dims = dims,
                              .typed_field = TENSOR_INT32_DATA,
                              .decoded = decoded };
    return O2W_OK;
}

static o2w_status one_node_make(struct evaluation *e, const struct scope *at,
                                const struct onnx_node *n, name_id output, struct one_node *one)
{
    struct arena *a = e->scopes->arena;
    *one = (struct one_node){ .model = *e->scopes->model, .node = *n };
    one->attributes = ARENA_ARRAY(a, n->attribute_count, struct onnx_attribute);
    one->initializers = ARENA_ARRAY(a, n->input_count, struct onnx_tensor);
    if (!one->attributes || !one->initializers)
        return diag_memory(e->diags);
    one->node.attribute_count = 0;
    for (uint32_t i = 0; i < n->attribute_count; i++) {
        char *name = arena_text(a, n->attributes[i].name);
        const struct onnx_attribute *found = name ? scope_attribute(at, n, name) : NULL;
        if (!name)
            return diag_memory(e->diags);
        if (!found)
            continue;
        struct onnx_attribute *copy = &one->attributes[one->node.attribute_count++];
        *copy = *found;
        copy->name = n->attributes[i].name;
    }
    one->node.attributes = one->attributes;
    one->output = (struct onnx_value_info){ .name = output };
    one->model.graph = (struct onnx_graph){ .outputs = &one->output,
                                            .output_count = 1,
                                            .nodes = &one->node,
                                            .node_count = 1,
                                            .initializers = one->initializers };
    return O2W_OK;
}

/* The constant behind an output, identities and casts between carried forms skipped. */
static operand_id constant_behind(const struct graph *g, operand_id id)
{
    for (;;) {
        const struct operand *o = graph_operand(g, id);
        if (o->kind == OPERAND_CONSTANT)
            return id;
        if (o->kind != OPERAND_RESULT || g->operators.items[o->source].kind != WEBNN_IDENTITY)
            return NO_ID;
        id = g->operators.items[o->source].operands[0];
    }
}

static o2w_status take_constant(struct evaluation *e, const struct lowering *l,
                                struct known_value *out)
{
    struct tensor carried;
    const struct lower_port *port = &l->outputs[0];
    operand_id id = port->operand == NO_ID ? NO_ID : constant_behind(l->graph, port->operand);
    if (id == NO_ID)
        return O2W_OK;
    struct tensor *t = &out->tensor;
    TRY(graph_constant(l->graph, id, e->scopes->arena, e->diags, &carried));
    if (tensor_new(e->scopes->arena, port->model, carried.dims, carried.rank, t) != O2W_OK)
        return diag_memory(e->diags);
    out->known = tensor_convert(&carried, t) == O2W_OK;
    return O2W_OK;
}

static o2w_status lower_one(struct evaluation *e, struct one_node *one, struct known_value *out)
{
    struct lower_options options = { .constant_folding = true };
    const o2w_environment environment = { .size = sizeof environment,
                                          .allocator = *e->scopes->allocator };
    struct lowering *l = NULL;
    struct diags own;
    diags_init(&own, e->scopes->allocator);
    o2w_status s = lower_model(&one->model, &options, &environment, &own, &l);
    if (s == O2W_OK)
        s = take_constant(e, l, out);
    else if (s != O2W_NO_MEMORY)
        s = O2W_OK; /* what cannot be evaluated is not known */
    lowering_free(l);
    diags_free(&own);
    return s == O2W_NO_MEMORY ? diag_memory(e->diags) : s;
}

static o2w_status evaluate_node(struct evaluation *e, const struct scope *at,
                                const struct onnx_node *n, name_id output, struct known_value *out)
{
    struct one_node one;
    if (holds_graphs(n))
        return O2W_OK;
    TRY(one_node_make(e, at, n, output, &one));
    for (uint32_t i = 0; i < n->input_count; i++) {
        struct known_value input = { 0 };
        if (!n->inputs[i])
            continue;
        TRY(value_of(e, at, n->inputs[i], &input));
        if (!input.known)
            return O2W_OK;
        TRY(put_initializer(e, &one, n->inputs[i], &input.tensor));
    }
    return lower_one(e, &one, out);
}

/* --- names ----------------------------------------------------------------------------------------- */

static o2w_status value_here(struct evaluation *e, const struct scope *at, name_id name,
                             struct known_value *out)
{
    uint32_t output, input;
    const struct onnx_tensor *initializer = scope_initializer(at, name);
    if (initializer) {
        o2w_status s = initializer_tensor(e->scopes->model, initializer, e->scopes->arena, e->diags,
                                          &out->tensor);
        out->known = s == O2W_OK;
        return s == O2W_UNSUPPORTED ? O2W_OK : s;
    }
    const struct onnx_node *n = scope_producer(at, name, &output);
    if (n)
        return evaluate_node(e, at, n, name, out);
    input = scope_input(at, name);
    if (input == UINT32_MAX || !scope_is_function(at) || input >= at->node->input_count ||
        !at->node->inputs[input])
        return O2W_OK;
    return value_of(e, at->caller, at->node->inputs[input], out);
}

static o2w_status value_of(struct evaluation *e, const struct scope *at, name_id name,
                           struct known_value *out)
{
    struct {
        const struct scope *scope;
        uintptr_t name;
    } key = { scope_of_name(at, name), name };
    uint32_t *index;
    bool added;
    if (!key.scope || e->depth == DEPTH)
        return O2W_OK;
    struct span bytes =
        arena_copy(e->scopes->arena, (struct span){ (const void *)&key, sizeof key });
    uint32_t fresh = (uint32_t)e->scopes->known.count;
    if (!bytes.data || map_insert(&e->scopes->values, bytes, fresh, &index, &added) != O2W_OK)
        return diag_memory(e->diags);
    if (!added) {
        *out = e->scopes->known.items[*index];
        return O2W_OK;
    }
    if (!VEC_PUSH(&e->scopes->known, (struct known_value){ 0 }))
        return diag_memory(e->diags);
    e->depth++;
    o2w_status s = value_here(e, key.scope, name, out);
    e->depth--;
    e->scopes->known.items[fresh] = *out;
    return s;
}

o2w_status scope_value(struct scopes *s, const struct scope *at, name_id name, struct diags *d,
                       struct tensor *out, bool *known)
{
    struct evaluation e = { .scopes = s, .diags = d };
    struct known_value v = { 0 };
    TRY(value_of(&e, at, name, &v));
    *known = v.known;
    if (v.known)
        *out = v.tensor;
    return O2W_OK;
}

/* --- dims ------------------------------------------------------------------------------------------ */

static bool declared_dims(const struct onnx_type *t, uint32_t *rank, int64_t dims[MAX_RANK])
{
    if (t->kind != ONNX_TYPE_TENSOR || !t->has_shape || t->rank > MAX_RANK)
        return false;
    for (uint32_t i = 0; i < t->rank; i++) {
        if (t->dims[i].kind != ONNX_DIM_VALUE || t->dims[i].value < 0)
            return false;
        dims[i] = t->dims[i].value;
    }
    *rank = t->rank;
    return true;
}

static bool keeps_dims(const struct onnx_node *n)
{
    static const char *const names[] = { "Identity", "Cast", "DequantizeLinear", "QuantizeLinear",
                                         "Dropout" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (span_is(n->op_type, names[i]) && n->input_count)
            return !n->function;
    return false;
}

static bool constant_dims(const struct scope *at, const struct onnx_node *n, uint32_t *rank,
                          int64_t dims[MAX_RANK])
{
    const struct onnx_attribute *a =
        span_is(n->op_type, "Constant") ? scope_attribute(at, n, "value") : NULL;
    if (!a || a->type != ONNX_ATTRIBUTE_TENSOR || a->tensors[0].rank > MAX_RANK)
        return false;
    *rank = a->tensors[0].rank;
    if (*rank)
        memcpy(dims, a->tensors[0].dims, *rank * sizeof *dims);
    return true;
}

bool scope_dims(const struct scopes *s, const struct scope *at, name_id name, uint32_t *rank,
                int64_t dims[MAX_RANK])
{
    for (unsigned depth = 0; depth < DEPTH; depth++) {
        uint32_t output, input;
        const struct scope *here = scope_of_name(at, name);
        const struct onnx_tensor *initializer = here ? scope_initializer(here, name) : NULL;
        if (!here)
            return false;
        if (initializer && initializer->rank <= MAX_RANK) {
            *rank = initializer->rank;
            if (*rank)
                memcpy(dims, initializer->dims, *rank * sizeof *dims);
            return true;
        }
        for (uint32_t i = 0; i < here->graph->value_info_count; i++)
            if (here->graph->value_infos[i].name == name &&
                declared_dims(&here->graph->value_infos[i].type, rank, dims))
                return true;
        input = scope_input(here, name);
        if (input != UINT32_MAX && !scope_is_function(here))
            return declared_dims(&here->graph->inputs[input].type, rank, dims);
        const struct onnx_node *n = scope_producer(here, name, &output);
        if (n && constant_dims(here, n, rank, dims))
            return true;
        if (n && keeps_dims(n)) {
            at = here;
            name = n->inputs[0];
        } else if (!n && input != UINT32_MAX && input < here->node->input_count) {
            at = here->caller;
            name = here->node->inputs[input];
        } else {
            return false;
        }
    }
    (void)s;
    return false;
}
