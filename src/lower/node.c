/* One node: find its row, read its attributes, check its slots, let the row make its outputs. */
#include "lower/internal.h"

#include "base/log.h"
#include "lower/bounded.h"
#include "onnx/tensor.h"

/* --- scopes ----------------------------------------------------------------------------------- */

o2w_status scope_bind(struct lower *l, name_id name, value v)
{
    if (name == 0)
        return O2W_OK;
    if (!VEC_PUSH(&l->undo, (struct undo){ name, l->names[name] }))
        return diag_memory(l->diags);
    l->names[name] = v;
    return O2W_OK;
}

void scope_leave(struct lower *l, size_t mark)
{
    while (l->undo.count > mark) {
        struct undo u = l->undo.items[--l->undo.count];
        l->names[u.name] = u.old;
    }
}

o2w_status value_from_sparse(struct lower *l, const struct onnx_sparse_tensor *s, value *out)
{
    const int64_t *indices;
    uint64_t count;
    struct tensor values, dense;
    value stored;
    TRY(value_from_tensor(l, &s->values, &stored));
    TRY(known_tensor(l, stored, &values));
    TRY(onnx_sparse_indices(l->model, s, &l->arena, l->diags, &indices, &count));
    uint64_t total;
    if (!dims_count(s->dims, s->rank, &total) || total > (uint64_t)1 << 28)
        return diag_error(l->diags, DIAG_LOWER_LIMIT,
                          "sparse initializer '%.*s' is too large to be made dense",
                          SPAN_ARG(onnx_name(l->model, s->values.name)));
    TRY(known_new(l, stored->dtype, s->dims, s->rank, &dense, out));
    for (uint64_t i = 0; i < count; i++) {
        if (dtype_is_float(values.dtype))
            tensor_put_double(&dense, (uint64_t)indices[i], tensor_get_double(&values, i));
        else
            tensor_put_i64(&dense, (uint64_t)indices[i], tensor_get_i64(&values, i));
    }
    return O2W_OK;
}

o2w_status scope_initializers(struct lower *l, const struct onnx_graph *g)
{
    for (uint32_t i = 0; i < g->initializer_count; i++) {
        value v;
        TRY(value_from_tensor(l, &g->initializers[i], &v));
        TRY(scope_bind(l, g->initializers[i].name, v));
    }
    for (uint32_t i = 0; i < g->sparse_initializer_count; i++) {
        value v;
        TRY(value_from_sparse(l, &g->sparse_initializers[i], &v));
        TRY(scope_bind(l, g->sparse_initializers[i].values.name, v));
    }
    return O2W_OK;
}

static o2w_status strings_value(struct lower *l, const struct onnx_tensor *t,
                                const struct onnx_payload *p, value *out)
{
    struct lower_value v = { .kind = VALUE_STRINGS,
                             .dtype = DTYPE_STRING,
                             .rank = t->rank,
                             .dims = t->dims,
                             .operand = NO_ID,
                             .name = t->name,
                             .strings = p->strings };
    return value_new(l, &v, out);
}

o2w_status value_from_tensor(struct lower *l, const struct onnx_tensor *t, value *out)
{
    struct onnx_payload p;
    enum dtype dtype;
    if (t->rank > MAX_RANK)
        return diag_error(l->diags, DIAG_LIMIT, "tensor '%.*s': rank %u exceeds the limit %d",
                          SPAN_ARG(onnx_name(l->model, t->name)), t->rank, MAX_RANK);
    TRY(onnx_tensor_payload(l->model, t, l->diags, &p));
    if (p.kind == ONNX_PAYLOAD_STRINGS)
        return strings_value(l, t, &p, out);
    if (!dtype_by_onnx(t->dtype, &dtype))
        return diag_error(l->diags, DIAG_LOWER_DTYPE,
                          "tensor '%.*s' has type %s, which has no WebNN form",
                          SPAN_ARG(onnx_name(l->model, t->name)), onnx_dtype_name(t->dtype));
    struct weight w = {
        .transform = WEIGHT_COPY, .dtype = dtype, .from = dtype, .count = p.count, .length = p.size
    };
    w.source = p.kind == ONNX_PAYLOAD_RANGE    ? WEIGHT_FILE
               : p.kind == ONNX_PAYLOAD_MEMORY ? WEIGHT_BYTES
                                               : WEIGHT_ZEROS;
    w.file = p.file;
    w.offset = p.offset;
    w.bytes = p.memory.data;
    TRY(value_of_weight(l, &w, dtype, t->dims, t->rank, out));
    ((struct lower_value *)(uintptr_t)*out)->name = t->name;
    return O2W_OK;
}

/* --- slots -------------------------------------------------------------------------------------- */

static const struct row_slot *slot_at(const struct row_slot *slots, uint32_t count, uint32_t i)
{
    if (i < count)
        return &slots[i];
    return count && slots[count - 1].kind == SLOT_VARIADIC ? &slots[count - 1] : NULL;
}

static o2w_status check_dtype(struct lower *l, struct node_view *n, uint32_t i,
                              const struct row_slot *slot)
{
    char allowed[400];
    value v = n->inputs[i];
    if (!slot->dtypes && slot->variable == TYPE_NONE)
        return O2W_OK; /* any kind of value */
    if (v->kind == VALUE_CLASSES && !slot->classes)
        return refuse_input(l, n, i, "is a computed string tensor, which no WebNN graph holds");
    if (!value_is_tensor(v) && v->kind != VALUE_STRINGS && v->kind != VALUE_CLASSES)
        return refuse_input(l, n, i, "is a sequence or optional, a tensor is needed");
    if (slot->dtypes && !dtype_in(v->dtype, slot->dtypes)) {
        dtype_set_text(slot->dtypes, allowed, sizeof allowed);
        return refuse_input(l, n, i, "has type %s, allowed: %s", dtype_name(v->dtype), allowed);
    }
    if (slot->variable == TYPE_NONE)
        return O2W_OK;
    enum dtype *bound = &n->variables[slot->variable];
    if (*bound != DTYPE_COUNT && *bound != v->dtype)
        return refuse_input(l, n, i, "has type %s, must be %s as the inputs before it",
                            dtype_name(v->dtype), dtype_name(*bound));
    *bound = v->dtype;
    return O2W_OK;
}

static o2w_status check_known(struct lower *l, const struct node_view *n, uint32_t i,
                              const struct row_slot *slot)
{
    struct ints ignored;
    value v = n->inputs[i];
    if (!slot->known || v->kind == VALUE_KNOWN || v->kind == VALUE_STRINGS ||
        (slot->shape && v->kind == VALUE_SHAPE))
        return O2W_OK;
    return known_ints(l, n, i, &ignored); /* says why it is not */
}

static o2w_status check_inputs(struct lower *l, struct node_view *n)
{
    const struct onnx_row *row = n->row;
    for (uint32_t i = 0; i < n->input_count; i++) {
        const struct row_slot *slot = slot_at(row->inputs, row->input_count, i);
        if (!slot)
            return refuse(l, n, DIAG_LOWER_INPUT, "%u inputs are given, at most %u are allowed",
                          n->input_count, row->input_count);
        if (!n->inputs[i] && slot->kind == SLOT_VARIADIC)
            return refuse_input(l, n, i, "is missing");
        if (!n->inputs[i])
            continue;
        TRY(check_dtype(l, n, i, slot));
        TRY(check_known(l, n, i, slot));
    }
    for (uint32_t i = 0; i < row->input_count; i++) {
        bool one_at_least = row->inputs[i].kind == SLOT_REQUIRED ||
                            (i == 0 && row->inputs[i].kind == SLOT_VARIADIC);
        if (one_at_least && !input(n, i))
            return refuse_input(l, n, i, "is missing");
    }
    if (n->output_count > row->result_count &&
        !slot_at(row->results, row->result_count, n->output_count))
        return refuse(l, n, DIAG_LOWER_INPUT, "%u outputs are given, at most %u are allowed",
                      n->output_count, row->result_count);
    return O2W_OK;
}

/* --- outputs ------------------------------------------------------------------------------------ */

/* The dtype of a set of one. */
static enum dtype only_dtype(dtype_set set)
{
    unsigned t = 0;
    while (t + 1 < DTYPE_COUNT && !(set >> t & 1))
        t++;
    return (enum dtype)t;
}

o2w_status emit_output(struct lower *l, const struct node_view *n, uint32_t i, value v)
{
    const struct row_slot *slot = slot_at(n->row->results, n->row->result_count, i);
    if (i >= n->output_count)
        return O2W_OK;
    if (!slot)
        return diag_error(l->diags, DIAG_INTERNAL, "%s has no result %u", n->row->name, i);
    if (slot->variable != TYPE_NONE && n->variables[slot->variable] != DTYPE_COUNT)
        return emit_as(l, n, i, v, n->variables[slot->variable]);
    if (slot->dtypes)
        return emit_as(l, n, i, v, only_dtype(slot->dtypes));
    n->outputs[i] = v;
    return O2W_OK;
}

o2w_status emit_as(struct lower *l, const struct node_view *n, uint32_t i, value v, enum dtype onnx)
{
    if (i >= n->output_count)
        return O2W_OK;
    if (value_is_tensor(v))
        return retype(l, v, onnx, &n->outputs[i]);
    n->outputs[i] = v;
    return O2W_OK;
}

o2w_status emit_value(struct lower *l, const struct node_view *n, value v)
{
    return emit_output(l, n, 0, v);
}

o2w_status emit(struct lower *l, const struct node_view *n, enum webnn_operator kind,
                const value *operands, uint32_t count, const void *attributes)
{
    value y;
    TRY(op(l, kind, operands, count, attributes, &y));
    return emit_value(l, n, y);
}

/* --- nodes -------------------------------------------------------------------------------------- */

static bool all_inputs_known(const struct node_view *n)
{
    for (uint32_t i = 0; i < n->input_count; i++)
        if (n->inputs[i] && n->inputs[i]->kind != VALUE_KNOWN &&
            n->inputs[i]->kind != VALUE_STRINGS)
            return false;
    return true;
}

static o2w_status run_lowering(struct lower *l, struct node_view *n)
{
    void *params;
    for (int i = 0; i < TYPE_COUNT; i++)
        n->variables[i] = DTYPE_COUNT;
    TRY(params_read(l, n, &params));
    TRY(check_inputs(l, n));
    if (n->row->evaluate && (!n->row->lower || all_inputs_known(n)))
        TRY(n->row->evaluate(l, n, params));
    else
        TRY(n->row->lower(l, n, params));
    for (uint32_t i = 0; i < n->output_count; i++)
        if (n->used[i] && !n->outputs[i])
            return refuse(l, n, DIAG_LOWER_ATTRIBUTE, "output %u has no lowering", i);
    return O2W_OK;
}

/* A mover of class labels moves their places; what has a bounded size keeps it. */
static o2w_status run_row(struct lower *l, struct node_view *n)
{
    value classes = input(n, 0);
    struct bounded_use bounded;
    TRY(bounded_take(l, n, &bounded));
    if (bounded.mark) {
        TRY(run_lowering(l, n));
        return bounded_give(l, n, &bounded);
    }
    if (!n->row->classes || !classes || classes->kind != VALUE_CLASSES)
        return run_lowering(l, n);
    ((value *)(uintptr_t)n->inputs)[0] = classes->items[0];
    TRY(run_lowering(l, n));
    for (uint32_t i = 0; i < n->output_count; i++)
        if (n->outputs[i])
            TRY(classes_of(l, n->outputs[i], classes->labels.texts, classes->labels.count,
                           &n->outputs[i]));
    return O2W_OK;
}

static o2w_status call_function(struct lower *l, struct node_view *n)
{
    const struct onnx_function *f = n->onnx->function;
    struct call call = { .node = n->onnx, .function = f, .outer = l->call };
    size_t mark = l->undo.count;
    if (n->input_count > f->body.input_count || n->output_count > f->body.output_count)
        return refuse(l, n, DIAG_MODEL_FUNCTION,
                      "%u inputs and %u outputs are given, the function has %u and %u",
                      n->input_count, n->output_count, f->body.input_count, f->body.output_count);
    for (uint32_t i = 0; i < f->body.input_count; i++)
        TRY(scope_bind(l, f->body.inputs[i].name, input(n, i)));
    l->call = &call;
    o2w_status s = lower_nodes(l, &f->body);
    l->call = call.outer;
    for (uint32_t i = 0; s == O2W_OK && i < n->output_count; i++)
        n->outputs[i] = l->names[f->body.outputs[i].name];
    scope_leave(l, mark);
    return s;
}

/* Fills the view; *skip when an input comes from a refused node. */
static o2w_status view_init(struct lower *l, const struct onnx_node *node, struct node_view *n,
                            bool *skip)
{
    value *inputs = ARENA_ARRAY(&l->arena, node->input_count, value);
    bool *used = ARENA_ARRAY(&l->arena, node->output_count, bool);
    *n = (struct node_view){ .onnx = node,
                             .inputs = inputs,
                             .used = used,
                             .outputs = ARENA_ARRAY(&l->arena, node->output_count, value),
                             .input_count = node->input_count,
                             .output_count = node->output_count };
    if (!inputs || !used || !n->outputs)
        return diag_memory(l->diags);
    for (uint32_t i = 0; i < node->input_count; i++) {
        inputs[i] = l->names[node->inputs[i]];
        *skip |= inputs[i] && inputs[i]->kind == VALUE_FAILED;
    }
    for (uint32_t i = 0; i < node->output_count; i++)
        used[i] = node->outputs[i] != 0 && l->used[node->outputs[i]];
    return O2W_OK;
}

static o2w_status fail_outputs(struct lower *l, struct node_view *n)
{
    for (uint32_t i = 0; i < n->output_count; i++)
        TRY(value_failed(l, &n->outputs[i]));
    return O2W_OK;
}

static o2w_status make_outputs(struct lower *l, struct node_view *n, bool skip)
{
    const struct onnx_node *node = n->onnx;
    bool calls = called_function(node) != NULL;
    const char *reason = calls ? NULL : unsupported_reason(l, node, &n->row);
    if (reason) {
        TRY(refuse_operator(l, node, reason));
        return fail_outputs(l, n);
    }
    if (skip) {
        TRY(refuse_unsupported_inside(l, node));
        return fail_outputs(l, n);
    }
    o2w_status s = calls ? call_function(l, n) : run_row(l, n);
    if (s == O2W_OK)
        return O2W_OK;
    if (status_is_fatal(s) || !l->diags || l->diags->errors >= 100)
        return s;
    return fail_outputs(l, n);
}

o2w_status lower_node(struct lower *l, const struct onnx_node *node)
{
    struct node_view n;
    bool skip = false;
    const struct node_view *outer = l->node;
    TRY(progress_poll(l->environment, "lower", l->nodes++, 0));
    TRY(view_init(l, node, &n, &skip));
    l->node = &n;
    o2w_status s = make_outputs(l, &n, skip);
    l->node = outer;
    TRY(s);
    for (uint32_t i = 0; i < n.output_count; i++)
        TRY(scope_bind(l, node->outputs[i], n.outputs[i]));
    return O2W_OK;
}

o2w_status lower_nodes(struct lower *l, const struct onnx_graph *g)
{
    if (l->depth >= MAX_BODY_DEPTH)
        return diag_error(l->diags, DIAG_LIMIT, "bodies are nested deeper than %d", MAX_BODY_DEPTH);
    l->depth++;
    o2w_status s = O2W_OK;
    for (uint32_t i = 0; s == O2W_OK && i < g->node_count; i++)
        s = lower_node(l, &g->nodes[i]);
    l->depth--;
    return s;
}

o2w_status lower_body(struct lower *l, const struct node_view *n, const struct onnx_graph *body,
                      const value *inputs, uint32_t input_count, value *outputs)
{
    size_t mark = l->undo.count;
    if (input_count != body->input_count)
        return refuse(l, n, DIAG_MODEL_STRUCTURE, "the body takes %u inputs, it gets %u",
                      body->input_count, input_count);
    for (uint32_t i = 0; i < input_count; i++)
        TRY(scope_bind(l, body->inputs[i].name, inputs[i]));
    TRY(scope_initializers(l, body));
    TRY(lower_nodes(l, body));
    for (uint32_t i = 0; i < body->output_count; i++)
        outputs[i] = l->names[body->outputs[i].name];
    scope_leave(l, mark);
    return O2W_OK;
}
