/* A whole model: inputs, initializers, nodes, outputs; then the graph and its interface. */
#include "lower/program.h"

#include "base/log.h"
#include "base/number.h"
#include "lower/bounded.h"
#include "lower/internal.h"
#include "onnx/open.h"
#include "onnx/tensor.h"
#include "webnn/passes.h"

#include <stdio.h>
#include <string.h>

/* --- state ------------------------------------------------------------------------------------- */

static void mark_used_graph(struct lower *l, const struct onnx_graph *g)
{
    for (uint32_t i = 0; i < g->output_count; i++)
        l->used[g->outputs[i].name] = true;
    for (uint32_t i = 0; i < g->node_count; i++) {
        const struct onnx_node *n = &g->nodes[i];
        for (uint32_t k = 0; k < n->input_count; k++)
            l->used[n->inputs[k]] = true;
        for (uint32_t k = 0; k < n->attribute_count; k++)
            for (uint32_t b = 0;
                 onnx_attribute_has_graphs(&n->attributes[k]) && b < n->attributes[k].count; b++)
                mark_used_graph(l, &n->attributes[k].graphs[b]);
    }
}

static o2w_status lower_init(struct lower *l)
{
    arena_init(&l->arena, l->allocator);
    map_init(&l->refusal_index, l->allocator);
    map_init(&l->reports, l->allocator);
    l->undo.allocator = l->refusals.allocator = l->allocator;
    l->names = ARENA_ARRAY(&l->arena, (size_t)l->model->name_count + 1, value);
    l->used = ARENA_ARRAY(&l->arena, (size_t)l->model->name_count + 1, bool);
    l->bounds_used = ARENA_ARRAY(&l->arena, l->options->bound_count, bool);
    if (!l->names || !l->used || !l->bounds_used)
        return diag_memory(l->diags);
    limits_own(&l->limits);
    limits_evaluation(&l->wide);
    mark_used_graph(l, &l->model->graph);
    for (uint32_t i = 0; i < l->model->function_count; i++)
        mark_used_graph(l, &l->model->functions[i].body);
    return builder_init(&l->builder, &l->limits, l->allocator, l->diags);
}

static void lower_free(struct lower *l)
{
    builder_free(&l->builder);
    map_free(&l->refusal_index);
    map_free(&l->reports);
    VEC_FREE(&l->undo);
    VEC_FREE(&l->refusals);
    arena_free(&l->arena);
}

/* --- inputs ------------------------------------------------------------------------------------- */

static const struct lower_pin *find_pin(const struct lower *l, struct span name)
{
    for (size_t i = 0; i < l->options->pin_count; i++)
        if (span_equal(l->options->pins[i].name, name))
            return &l->options->pins[i];
    return NULL;
}

static o2w_status input_dtype(struct lower *l, const struct onnx_value_info *info, enum dtype *onnx,
                              enum dtype *carried)
{
    struct span name = onnx_name(l->model, info->name);
    static const char *const kinds[] = { [ONNX_TYPE_NONE] = "no type",
                                         [ONNX_TYPE_TENSOR] = "a tensor type",
                                         [ONNX_TYPE_SPARSE_TENSOR] = "a sparse tensor type",
                                         [ONNX_TYPE_SEQUENCE] = "a sequence type",
                                         [ONNX_TYPE_OPTIONAL] = "an optional type",
                                         [ONNX_TYPE_MAP] = "a map type",
                                         [ONNX_TYPE_OPAQUE] = "an opaque type" };
    if (info->type.kind != ONNX_TYPE_TENSOR)
        return diag_error(l->diags, DIAG_LOWER_DTYPE, "input '%.*s' has %s, a tensor is needed",
                          SPAN_ARG(name), kinds[info->type.kind]);
    if (!dtype_by_onnx(info->type.dtype, onnx) || !dtype_carried(*onnx, carried) ||
        (dtype_info(*onnx)->bits <= 8 && dtype_is_float(*onnx)))
        return diag_error(l->diags, DIAG_LOWER_DTYPE,
                          "input '%.*s' has type %s, which no WebNN input can have", SPAN_ARG(name),
                          onnx_dtype_name(info->type.dtype) ? onnx_dtype_name(info->type.dtype)
                                                            : "unknown");
    return O2W_OK;
}

static o2w_status input_dims(struct lower *l, struct span name, const struct input_shape *shape,
                             struct descriptor *d)
{
    d->rank = shape->rank;
    for (uint32_t i = 0; i < shape->rank; i++) {
        const struct input_dim *in = &shape->dims[i];
        expr_id e;
        d->dims[i] = in->value;
        if (in->value > INT32_MAX)
            return diag_error(l->diags, DIAG_LIMIT,
                              "input '%.*s': dimension %u is %lld, must be from 0 to %d",
                              SPAN_ARG(name), i, (long long)in->value, INT32_MAX);
        if (in->value >= 0)
            continue;
        TRY(expr_name(lower_exprs(l), in->name, 0, in->max, l->diags, &e));
        d->dims[i] = dim_of_expr_id(e);
    }
    return O2W_OK;
}

static bool pin_fits(const struct lower_pin *pin, enum dtype t)
{
    if (t == DTYPE_BOOL)
        return pin->value == 0 || pin->value == 1;
    if (dtype_is_integer(t))
        return pin->value >= dtype_min(t) &&
               (pin->value < 0 || (uint64_t)pin->value <= dtype_max(t));
    struct tensor one = { .dtype = t, .data = &(uint64_t){ 0 } };
    tensor_put_i64(&one, 0, pin->value);
    double v = (double)pin->value; /* 2^63 where the value is close to it: no int64 again */
    return tensor_get_double(&one, 0) == v && v < 9223372036854775808.0 && (int64_t)v == pin->value;
}

static o2w_status pinned_value(struct lower *l, const struct lower_pin *pin, enum dtype t,
                               const struct descriptor *d, value *out)
{
    if (t == DTYPE_STRING || !pin_fits(pin, t))
        return diag_error(l->diags, DIAG_PIN_RANGE, "input '%.*s': %lld is not representable in %s",
                          SPAN_ARG(pin->name), (long long)pin->value, dtype_name(t));
    return filled(l, t, (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = pin->value }, d->dims,
                  d->rank, out);
}

static o2w_status make_input(struct lower *l, const struct onnx_value_info *info,
                             const struct input_shape *shape, struct lower_port *port)
{
    struct descriptor d = { 0 };
    value v;
    port->name = onnx_name(l->model, info->name);
    port->operand = NO_ID;
    TRY(input_dtype(l, info, &port->model, &port->graph));
    TRY(input_dims(l, port->name, shape, &d));
    const struct lower_pin *pin = find_pin(l, port->name);
    port->pinned = pin != NULL;
    port->pin = pin ? pin->value : 0;
    d.dtype = port->graph;
    port->descriptor = d;
    if (pin) {
        TRY(pinned_value(l, pin, port->model, &d, &v));
        return scope_bind(l, info->name, v);
    }
    TRY(builder_input(&l->builder, port->name, &d, &port->operand));
    TRY(value_of_operand(l, port->operand, &v));
    struct lower_value *own = (struct lower_value *)(uintptr_t)v;
    own->dtype = port->model;
    own->name = info->name;
    if (port->model == DTYPE_FLOAT64 || port->model == DTYPE_BFLOAT16)
        lower_report(l, NULL, DIAG_MODEL_NARROWED, "%s is carried as float32",
                     dtype_name(port->model));
    return scope_bind(l, info->name, v);
}

static o2w_status check_pins(struct lower *l, const struct onnx_graph *g)
{
    for (size_t i = 0; i < l->options->pin_count; i++) {
        struct span name = l->options->pins[i].name, near = { 0 };
        size_t best = name.size / 3 + 2;
        bool found = false;
        for (uint32_t k = 0; k < g->input_count && !found; k++) {
            struct span candidate = onnx_name(l->model, g->inputs[k].name);
            if (g->inputs[k].initializer)
                continue;
            found = span_equal(candidate, name);
            size_t distance = text_distance(candidate, name);
            if (distance < best) {
                best = distance;
                near = candidate;
            }
        }
        if (found)
            continue;
        o2w_status s =
            diag_error(l->diags, DIAG_PIN_UNKNOWN, "no input '%.*s'%s%.*s%s", SPAN_ARG(name),
                       near.size ? ", nearest '" : "", SPAN_ARG(near), near.size ? "'" : "");
        diag_hint(l->diags, "'onnx2webnn inspect' lists the inputs of a model");
        return s;
    }
    return O2W_OK;
}

/* Inputs without an initializer, and those with one where they are kept. */
static o2w_status make_inputs(struct lower *l, const struct onnx_graph *g,
                              const struct dims_result *dims, struct lowering *out)
{
    out->inputs = ARENA_ARRAY(&out->arena, g->input_count, struct lower_port);
    if (!out->inputs)
        return diag_memory(l->diags);
    for (uint32_t i = 0; i < g->input_count; i++) {
        bool initialized = g->inputs[i].initializer != 0;
        if (initialized && !l->options->keep_inputs)
            continue;
        struct lower_port *port = &out->inputs[out->input_count++];
        port->kept = initialized;
        o2w_status s = make_input(l, &g->inputs[i], &dims->inputs[i], port);
        if (s == O2W_OK)
            continue;
        if (status_is_fatal(s))
            return s;
        value failed;
        TRY(value_failed(l, &failed));
        TRY(scope_bind(l, g->inputs[i].name, failed));
    }
    return O2W_OK;
}

/* --- outputs ------------------------------------------------------------------------------------ */

static bool is_plain_result(struct lower *l, value v, const struct lowering *out)
{
    if (v->kind != VALUE_OPERAND ||
        graph_operand(l->builder.graph, v->operand)->kind != OPERAND_RESULT)
        return false;
    for (size_t i = 0; i < out->output_count; i++)
        if (out->outputs[i].operand == v->operand)
            return false;
    return true;
}

/* An output that is an input, a constant or another output goes through identity. */
static o2w_status output_operand(struct lower *l, value v, const struct lowering *out,
                                 operand_id *id)
{
    operand_id from;
    uint32_t one = 1;
    TRY(value_operand(l, v, &from));
    if (is_plain_result(l, v, out)) {
        *id = from;
        return O2W_OK;
    }
    return builder_op(&l->builder, WEBNN_IDENTITY, &from, 1, NULL, (struct span){ 0 }, id, &one);
}

static o2w_status refuse_output(struct lower *l, struct span name, value v)
{
    if (v && (v->kind == VALUE_SEQUENCE || v->kind == VALUE_OPTIONAL)) {
        o2w_status s = diag_error(l->diags, DIAG_LOWER_DTYPE,
                                  "output '%.*s' is a sequence or optional, a tensor is needed",
                                  SPAN_ARG(name));
        diag_hint(l->diags, "export its elements as outputs");
        return s;
    }
    if (v && v->kind == VALUE_STRINGS)
        return diag_error(l->diags, DIAG_LOWER_DTYPE,
                          "output '%.*s' is a string tensor, WebNN has none", SPAN_ARG(name));
    return diag_error(l->diags, DIAG_MODEL_STRUCTURE, "output '%.*s' has no value", SPAN_ARG(name));
}

/* A declared type or shape that disagrees is reported, never believed. */
static void check_declared(struct lower *l, const struct onnx_value_info *info, value v)
{
    enum dtype declared;
    const struct onnx_type *t = &info->type;
    if (!value_is_tensor(v) || t->kind != ONNX_TYPE_TENSOR)
        return;
    struct span name = onnx_name(l->model, info->name);
    if (t->dtype && (!dtype_by_onnx(t->dtype, &declared) || declared != v->dtype))
        lower_report(l, NULL, DIAG_MODEL_VALUE_INFO, "'%.*s' is declared as %s, it is %s",
                     SPAN_ARG(name),
                     onnx_dtype_name(t->dtype) ? onnx_dtype_name(t->dtype) : "unknown",
                     dtype_name(v->dtype));
    bool differs = t->has_shape && t->rank != v->rank;
    for (uint32_t i = 0; t->has_shape && !differs && i < v->rank; i++)
        differs = t->dims[i].kind == ONNX_DIM_VALUE && t->dims[i].value > 0 &&
                  dim_is_static(v->dims[i]) && t->dims[i].value != v->dims[i];
    if (differs)
        lower_report(l, NULL, DIAG_MODEL_VALUE_INFO,
                     "the declared shape of '%.*s' disagrees with the computed %s", SPAN_ARG(name),
                     dim_list_text(lower_exprs(l), v->dims, v->rank, &l->arena));
}

static void report_labels(struct lower *l, struct span name, value v)
{
    if (v->kind == VALUE_CLASSES)
        lower_report(l, NULL, DIAG_MODEL_INTERFACE,
                     "output '%.*s' is string, the graph gives int64 places among its %u labels",
                     SPAN_ARG(name), v->labels.count);
    else
        lower_report(l, NULL, DIAG_MODEL_INTERFACE,
                     "output '%.*s' is a sequence of maps, the graph gives a float32 tensor with a "
                     "column for each of its %u labels",
                     SPAN_ARG(name), v->labels.count);
}

/* The labels of an output, as the graph's own. */
static o2w_status add_labels(struct lower *l, operand_id operand, const struct label_table *t)
{
    struct graph *g = l->builder.graph;
    struct graph_labels labels = { .operand = operand, .strings = t->texts, .count = t->count };
    name_id *texts = ARENA_ARRAY(&g->arena, t->texts ? t->count : 0, name_id);
    int64_t *integers = ARENA_ARRAY(&g->arena, t->texts ? 0 : t->count, int64_t);
    if (!texts || !integers)
        return diag_memory(l->diags);
    for (uint32_t i = 0; t->texts && i < t->count; i++)
        if (names_add(&g->names, t->texts[i], &texts[i]) != O2W_OK)
            return diag_memory(l->diags);
    if (!t->texts && t->count)
        memcpy(integers, t->integers, t->count * sizeof *integers);
    labels.texts = t->texts ? texts : NULL;
    labels.integers = t->texts ? NULL : integers;
    return VEC_PUSH(&g->labels, labels) ? O2W_OK : diag_memory(l->diags);
}

/* `<name>.count`: how many elements of a bounded output mean something. */
static o2w_status add_count(struct lower *l, struct span output, const struct bounded *b,
                            struct lowering *out)
{
    struct graph *g = l->builder.graph;
    struct graph_bound bound = { .value = b->most };
    char *text = arena_printf(&l->arena, "%.*s.count", SPAN_ARG(output));
    if (!text)
        return diag_memory(l->diags);
    struct lower_port port = { .name = span_of(text), .model = DTYPE_INT64 };
    TRY(output_operand(l, b->count, out, &port.operand));
    TRY(builder_output(&l->builder, port.name, port.operand));
    builder_set_original(&l->builder, port.operand, port.name);
    graph_descriptor(g, port.operand, &port.descriptor);
    port.graph = port.descriptor.dtype;
    out->outputs[out->output_count++] = port;
    if (names_add(&g->names, output, &bound.output) != O2W_OK || !VEC_PUSH(&g->bounds, bound))
        return diag_memory(l->diags);
    lower_report(l, NULL, DIAG_MODEL_INTERFACE,
                 "output '%.*s' has up to %lld elements along axis %u, output '%s' says how many",
                 SPAN_ARG(output), (long long)b->most, b->axis, text);
    return O2W_OK;
}

static o2w_status make_output(struct lower *l, const struct onnx_value_info *info,
                              struct lowering *out)
{
    value v = l->names[info->name], labelled = NULL;
    struct span name = onnx_name(l->model, info->name);
    if (v && v->kind == VALUE_FAILED)
        return O2W_OK;
    struct lower_port port = { .name = name, .operand = NO_ID };
    if (v && (v->kind == VALUE_CLASSES || v->kind == VALUE_MAPS)) {
        labelled = v;
        v = v->items[0];
        report_labels(l, name, labelled);
    }
    if (!value_is_tensor(v))
        return refuse_output(l, name, v);
    if (!labelled)
        check_declared(l, info, v);
    port.model = labelled && labelled->kind == VALUE_CLASSES ? DTYPE_STRING : v->dtype;
    port.empty = l->options->pin_count && v->kind == VALUE_KNOWN && value_is_empty(v);
    if (!port.empty) {
        TRY(output_operand(l, v, out, &port.operand));
        TRY(builder_output(&l->builder, name, port.operand));
        builder_set_original(&l->builder, port.operand, name);
        graph_descriptor(l->builder.graph, port.operand, &port.descriptor);
        port.graph = port.descriptor.dtype;
        if (labelled)
            TRY(add_labels(l, port.operand, &labelled->labels));
    }
    out->outputs[out->output_count++] = port;
    return v->bounded ? add_count(l, name, v->bounded, out) : O2W_OK;
}

static o2w_status make_outputs(struct lower *l, const struct onnx_graph *g, struct lowering *out)
{
    /* one more for each, its count */
    out->outputs = ARENA_ARRAY(&out->arena, 2 * (size_t)g->output_count, struct lower_port);
    bool *listed = ARENA_ARRAY(&l->arena, (size_t)l->model->name_count + 1, bool);
    if (!out->outputs || !listed)
        return diag_memory(l->diags);
    for (uint32_t i = 0; i < g->output_count; i++) {
        if (listed[g->outputs[i].name]) {
            lower_report(l, NULL, DIAG_LOWER_NOTE,
                         "output '%.*s' is listed more than once: kept once",
                         SPAN_ARG(onnx_name(l->model, g->outputs[i].name)));
            continue;
        }
        listed[g->outputs[i].name] = true;
        o2w_status s = make_output(l, &g->outputs[i], out);
        if (status_is_fatal(s))
            return s;
    }
    return O2W_OK;
}

/* --- refusals ------------------------------------------------------------------------------------ */

/* For who wants the list: the texts of the message's lines. */
static void list_refusal(struct lower *l, const struct lower_refusal *r)
{
    char *domain = arena_text(&l->arena, r->domain), *name = arena_text(&l->arena, r->name);
    size_t listed = sizeof r->nodes / sizeof *r->nodes;
    if (domain && name)
        diag_unsupported(l->diags,
                         &(o2w_unsupported){ .domain = domain,
                                             .name = name,
                                             .opset = r->opset,
                                             .count = r->count,
                                             .nodes = r->nodes,
                                             .node_count = r->count < listed ? r->count : listed,
                                             .reason = r->reason });
}

static void report_refusals(struct lower *l)
{
    size_t count = l->refusals.count;
    const char *path = l->model->file ? l->model->file->path : "";
    (void)diag_error(l->diags, DIAG_LOWER_UNSUPPORTED, "%zu operator%s cannot be lowered", count,
                     count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++) {
        const struct lower_refusal *r = &l->refusals.items[i];
        char more[40] = "";
        if (r->count > 1)
            snprintf(more, sizeof more, ", and %u more", r->count - 1);
        diag_at(l->diags, "node '%s' (%.*s, %.*s %lld)%s: %s", r->nodes[0], SPAN_ARG(r->name),
                SPAN_ARG(r->domain), (long long)r->opset, more, r->reason);
        list_refusal(l, r);
    }
    diag_hint(l->diags,
              "'onnx2webnn inspect %s' shows the whole model; 'onnx2webnn operators' the coverage",
              path);
}

/* --- the graph ----------------------------------------------------------------------------------- */

static o2w_status add_dim(struct graph *g, struct span name, int64_t number, graph_dim_list *list)
{
    struct graph_dim item = { .value = number };
    TRY(names_add(&g->names, name, &item.name));
    return VEC_PUSH(list, item) ? O2W_OK : O2W_NO_MEMORY;
}

static o2w_status add_notes(struct lower *l, struct graph *g, const struct lowering *out)
{
    for (size_t i = 0; i < out->dim_count; i++)
        TRY(add_dim(g, out->dims[i].name, out->dims[i].value, &g->dims));
    for (size_t i = 0; i < out->input_count; i++) {
        name_id name;
        if (out->inputs[i].pinned)
            TRY(add_dim(g, out->inputs[i].name, out->inputs[i].pin, &g->pins));
        if (!out->inputs[i].kept)
            continue;
        TRY(names_add(&g->names, out->inputs[i].name, &name));
        if (!VEC_PUSH(&g->kept, name))
            return O2W_NO_MEMORY;
    }
    for (uint32_t i = 0; l->options->keep_metadata && i < l->model->metadata_count; i++) {
        struct graph_text text;
        TRY(names_add(&g->names, l->model->metadata[i].key, &text.key));
        TRY(names_add(&g->names, l->model->metadata[i].value, &text.value));
        if (!VEC_PUSH(&g->meta, text))
            return O2W_NO_MEMORY;
    }
    if (l->options->subgraph)
        TRY(names_add(&g->names, span_of(l->options->subgraph), &g->subgraph));
    return names_add(&g->names, l->model->graph.name, &g->name);
}

void lowering_locate_ports(struct lowering *out)
{
    for (size_t i = 0; i < out->input_count; i++) {
        struct lower_port *p = &out->inputs[i];
        p->operand = p->pinned ? NO_ID : graph_find_input(out->graph, p->name);
        p->pruned = !p->pinned && p->operand == NO_ID;
    }
    for (size_t i = 0; i < out->output_count; i++)
        if (!out->outputs[i].empty)
            out->outputs[i].operand = graph_find_output(out->graph, out->outputs[i].name);
}

static o2w_status finish(struct lower *l, struct lowering *out)
{
    if (l->builder.graph->outputs.count == 0)
        return diag_error(l->diags, DIAG_OUTPUT_NONE,
                          "nothing is left to compute: every output of the model is empty");
    TRY(builder_build(&l->builder, &out->graph));
    if (add_notes(l, out->graph, out) != O2W_OK)
        return diag_memory(l->diags);
    TRY(pass_dead_code(out->graph, l->options->pin_count > 0, l->diags));
    TRY(pass_common_subexpressions(out->graph, l->diags));
    lowering_locate_ports(out);
    return O2W_OK;
}

/* --- subgraph selection ---------------------------------------------------------------------------- */

static const struct onnx_graph *find_subgraph(const struct onnx_graph *g, struct span node,
                                              struct span attribute)
{
    for (uint32_t i = 0; i < g->node_count; i++)
        for (uint32_t k = 0; k < g->nodes[i].attribute_count; k++) {
            const struct onnx_attribute *a = &g->nodes[i].attributes[k];
            if (!onnx_attribute_has_graphs(a))
                continue;
            if (span_equal(g->nodes[i].name, node) && span_equal(a->name, attribute))
                return &a->graphs[0];
            for (uint32_t b = 0; b < a->count; b++) {
                const struct onnx_graph *found = find_subgraph(&a->graphs[b], node, attribute);
                if (found)
                    return found;
            }
        }
    return NULL;
}

static o2w_status choose_graph(struct lower *l, const struct onnx_graph **out)
{
    *out = &l->model->graph;
    if (!l->options->subgraph)
        return O2W_OK;
    struct span text = span_of(l->options->subgraph);
    size_t dot = text.size;
    while (dot > 0 && text.data[dot - 1] != '.')
        dot--;
    struct span node = { text.data, dot ? dot - 1 : 0 },
                attribute = { text.data + dot, text.size - dot };
    *out = dot ? find_subgraph(&l->model->graph, node, attribute) : NULL;
    if (!*out)
        return diag_error(l->diags, DIAG_MODEL_STRUCTURE,
                          "no body graph '%s' in the model, NODE.ATTRIBUTE is needed",
                          l->options->subgraph);
    for (const struct onnx_graph *p = (*out)->parent; p; p = p->parent)
        TRY(scope_initializers(l, p));
    for (uint32_t i = 0; i < (*out)->capture_count; i++)
        if (!l->names[(*out)->captures[i]])
            return diag_error(l->diags, DIAG_MODEL_STRUCTURE,
                              "the body graph uses '%.*s', which is computed outside of it",
                              SPAN_ARG(onnx_name(l->model, (*out)->captures[i])));
    return O2W_OK;
}

/* --- entry ----------------------------------------------------------------------------------------- */

static void check_value_infos(struct lower *l, const struct onnx_graph *g)
{
    for (uint32_t i = 0; i < g->value_info_count; i++)
        if (l->names[g->value_infos[i].name])
            check_declared(l, &g->value_infos[i], l->names[g->value_infos[i].name]);
}

static o2w_status copy_dims(struct lowering *out, const struct dims_result *dims)
{
    out->dims = ARENA_ARRAY(&out->arena, dims->dim_count, struct resolved_dim);
    if (!out->dims)
        return O2W_NO_MEMORY;
    for (size_t i = 0; i < dims->dim_count; i++) {
        out->dims[i] = dims->dims[i];
        out->dims[i].name = arena_copy(&out->arena, dims->dims[i].name);
        if (!out->dims[i].name.data)
            return O2W_NO_MEMORY;
    }
    out->dim_count = dims->dim_count;
    return O2W_OK;
}

static o2w_status resolve_dims(struct lower *l, const struct onnx_graph *g, struct dims_result *out)
{
    struct dims_request request = { 0 };
    struct span *pinned = ARENA_ARRAY(&l->arena, l->options->pin_count, struct span);
    if (!pinned)
        return diag_memory(l->diags);
    if (l->options->dims)
        request = *l->options->dims;
    for (size_t i = 0; i < l->options->pin_count; i++)
        pinned[i] = l->options->pins[i].name;
    request.pinned = pinned;
    request.pinned_count = l->options->pin_count;
    return dims_resolve(l->model, g, &request, &l->arena, l->diags, out);
}

/* Sizes that were asked for under names that only outputs have: the computed ones hold. */
static void check_output_dims(struct lower *l, const struct onnx_graph *g,
                              const struct dims_result *dims)
{
    for (size_t i = 0; i < dims->output_count; i++) {
        const struct output_dim *o = &dims->outputs[i];
        value v = l->names[g->outputs[o->output].name];
        if (!value_is_tensor(v) || o->axis >= v->rank || !dim_is_static(v->dims[o->axis]) ||
            v->dims[o->axis] == o->value)
            continue;
        diag_warning(l->diags, DIAG_DIM_DISAGREES,
                     "axis %u of output '%.*s' is %lld, '%.*s' was given as %lld", o->axis,
                     SPAN_ARG(onnx_name(l->model, g->outputs[o->output].name)),
                     (long long)v->dims[o->axis], SPAN_ARG(o->name), (long long)o->value);
    }
}

static void check_bounds_used(struct lower *l)
{
    for (size_t i = 0; i < l->options->bound_count; i++)
        if (!l->bounds_used[i])
            diag_warning(l->diags, DIAG_DIM_UNUSED, "no operator '%.*s' needs a bound",
                         SPAN_ARG(l->options->bounds[i].node));
}

/* Dimensions without a value, external data that is not there and unsupported operators are told
 * together, though nothing can be lowered then. */
static o2w_status prepare(struct lower *l, const struct onnx_graph *g, struct dims_result *dims)
{
    o2w_status s = resolve_dims(l, g, dims);
    if (s == O2W_NO_MEMORY)
        return s;
    o2w_status external = onnx_model_open_external(l->model, l->diags);
    s = s == O2W_OK ? external : s;
    if (s == O2W_OK || external == O2W_NO_MEMORY)
        return external;
    TRY(refuse_unsupported(l, g));
    if (l->refusals.count)
        report_refusals(l);
    return s;
}

static o2w_status lower_program(struct lower *l, struct lowering *out)
{
    const struct onnx_graph *g;
    struct dims_result dims;
    TRY(choose_graph(l, &g));
    TRY(check_pins(l, g));
    TRY(prepare(l, g, &dims));
    if (copy_dims(out, &dims) != O2W_OK)
        return diag_memory(l->diags);
    TRY(scope_initializers(l, g));
    TRY(make_inputs(l, g, &dims, out));
    TRY(lower_nodes(l, g));
    if (l->refusals.count)
        report_refusals(l);
    check_value_infos(l, g);
    check_bounds_used(l);
    TRY(make_outputs(l, g, out));
    check_output_dims(l, g, &dims);
    if (l->diags->errors)
        return diag_code_status(l->refusals.count ? DIAG_LOWER_UNSUPPORTED : DIAG_LOWER_VALUE);
    out->node_count = g->node_count;
    return finish(l, out);
}

/* Port names point into the model, which may be closed before. */
static o2w_status own_port_names(struct lowering *out)
{
    struct lower_port *lists[] = { out->inputs, out->outputs };
    size_t counts[] = { out->input_count, out->output_count };
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < counts[k]; i++) {
            lists[k][i].name = arena_copy(&out->arena, lists[k][i].name);
            if (!lists[k][i].name.data)
                return O2W_NO_MEMORY;
        }
    return O2W_OK;
}

static o2w_status list_zero_filled(struct lower *l, struct lowering *out)
{
    size_t count;
    const struct onnx_tensor *const *missing = onnx_model_missing(l->model, &count);
    struct span *names = ARENA_ARRAY(&out->arena, count, struct span);
    if (!names)
        return diag_memory(l->diags);
    for (size_t i = 0; i < count; i++) {
        names[i] = arena_copy(&out->arena, onnx_name(l->model, missing[i]->name));
        if (!names[i].data)
            return diag_memory(l->diags);
    }
    out->zero_filled = names;
    out->zero_filled_count = count;
    return O2W_OK;
}

o2w_status lower_model(struct onnx_model *model, const struct lower_options *options,
                       const o2w_environment *environment, struct diags *d, struct lowering **out)
{
    struct lower l = { .model = model,
                       .options = options,
                       .environment = environment,
                       .diags = d,
                       .allocator = environment_allocator(environment) };
    struct lowering *result = mem_alloc(l.allocator, sizeof *result);
    if (!result)
        return diag_memory(d);
    *result = (struct lowering){ 0 };
    arena_init(&result->arena, l.allocator);
    o2w_status s = lower_init(&l);
    if (s == O2W_OK)
        s = lower_program(&l, result);
    if (s == O2W_OK)
        s = list_zero_filled(&l, result);
    if (s == O2W_OK && own_port_names(result) != O2W_OK)
        s = diag_memory(d);
    lower_free(&l);
    if (s == O2W_OK)
        *out = result;
    else
        lowering_free(result);
    return s;
}

void lowering_free(struct lowering *l)
{
    if (!l)
        return;
    const o2w_allocator *allocator = l->arena.allocator;
    graph_free(l->graph);
    arena_free(&l->arena);
    mem_free(allocator, l, sizeof *l);
}
