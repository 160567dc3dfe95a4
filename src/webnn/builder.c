#include "webnn/builder.h"

#include "webnn/graph_private.h"

#include <string.h>

/* ---- life ---- */

o2w_status builder_init(struct builder *b, const struct limits *limits,
                        const o2w_allocator *allocator, struct diags *d)
{
    struct graph *g;
    if (graph_create(allocator, &g) != O2W_OK)
        return diag_memory(d);
    *b = (struct builder){ .graph = g, .limits = limits, .diags = d };
    arena_init(&b->keys, allocator);
    map_init(&b->input_names, allocator);
    map_init(&b->output_names, allocator);
    map_init(&b->weights, allocator);
    map_init(&b->small_weights, allocator);
    map_init(&b->constraints, allocator);
    infer_room_init(&b->room, allocator);
    b->same_bytes.allocator = allocator;
    return O2W_OK;
}

static void release_tools(struct builder *b)
{
    map_free(&b->input_names);
    map_free(&b->output_names);
    map_free(&b->weights);
    map_free(&b->small_weights);
    map_free(&b->constraints);
    VEC_FREE(&b->same_bytes);
    infer_room_free(&b->room);
    arena_free(&b->keys);
}

void builder_free(struct builder *b)
{
    release_tools(b);
    graph_free(b->graph);
    b->graph = NULL;
}

static o2w_status check_open(const struct builder *b)
{
    return b->finished ? diag_error(b->diags, DIAG_BUILD_STATE,
                                    "the graph was built, its builder takes no more calls")
                       : O2W_OK;
}

/* Says when memory was out. */
static o2w_status said(struct builder *b, o2w_status status)
{
    return status == O2W_NO_MEMORY ? diag_memory(b->diags) : status;
}

/* ---- operands ---- */

/* Adds the operand; room for it was made. */
static operand_id append_operand(struct graph *g, struct operand o, const struct descriptor *d,
                                 const dim *dims)
{
    o.dtype = d->dtype;
    o.rank = d->rank;
    o.dims = dims;
    g->operands.items[g->operands.count] = o;
    return (operand_id)g->operands.count++;
}

static dim *copy_dims(struct graph *g, const struct descriptor *d)
{
    dim *dims = ARENA_ARRAY(&g->arena, d->rank, dim);
    if (dims && d->rank)
        memcpy(dims, d->dims, d->rank * sizeof *dims);
    return dims;
}

/* ---- inputs ---- */

static o2w_status check_input_dims(struct builder *b, struct span name, const struct descriptor *d)
{
    size_t index;
    for (uint32_t i = 0; i < d->rank; i++)
        if (!dim_is_static(d->dims[i]) &&
            !expr_is_name(b->graph->exprs, dim_expr_id(d->dims[i]), &index))
            return diag_error(b->diags, DIAG_BUILD_ARGUMENT,
                              "input '%.*s': shape[%u] must be a number or one name",
                              SPAN_ARG(name), i);
    return O2W_OK;
}

/* `what` and the name in quotes, for messages. */
static char *quoted(struct builder *b, const char *what, struct span name)
{
    return name.size ? arena_printf(&b->keys, "%s '%.*s'", what, SPAN_ARG(name))
                     : arena_printf(&b->keys, "%s", what);
}

static o2w_status check_input(struct builder *b, struct span name, const struct descriptor *d)
{
    if (name.size == 0)
        return diag_error(b->diags, DIAG_BUILD_ARGUMENT, "an input needs a name");
    if (map_find(&b->input_names, name))
        return diag_error(b->diags, DIAG_BUILD_ARGUMENT, "input '%.*s' is already there",
                          SPAN_ARG(name));
    char *what = quoted(b, "input", name);
    if (!what)
        return diag_memory(b->diags);
    TRY(infer_check_descriptor(b->limits, b->graph->exprs, b->diags, what, &b->limits->input, d));
    return check_input_dims(b, name, d);
}

o2w_status builder_input(struct builder *b, struct span name, const struct descriptor *descriptor,
                         operand_id *out)
{
    TRY(check_open(b));
    TRY(check_input(b, name, descriptor));
    struct graph *g = b->graph;
    struct operand o = { .kind = OPERAND_INPUT, .source = (uint32_t)g->inputs.count };
    dim *dims = copy_dims(g, descriptor);
    if (!dims || !VEC_RESERVE(&g->operands, 1) || !VEC_RESERVE(&g->inputs, 1) ||
        names_add(&g->names, name, &o.identifier) != O2W_OK ||
        map_insert(&b->input_names, names_text(&g->names, o.identifier), 0, NULL, NULL) != O2W_OK)
        return diag_memory(b->diags);
    *out = append_operand(g, o, descriptor, dims);
    g->inputs.items[g->inputs.count++] = *out;
    return O2W_OK;
}

/* ---- operators ---- */

/* "conv2d 'stem': " for messages. */
static o2w_status refuse_call(struct builder *b, enum webnn_operator kind, struct span label,
                              const char *text)
{
    const char *name = operator_row(kind)->name;
    if (label.size)
        return diag_error(b->diags, DIAG_BUILD_ARGUMENT, "%s '%.*s': %s", name, SPAN_ARG(label),
                          text);
    return diag_error(b->diags, DIAG_BUILD_ARGUMENT, "%s: %s", name, text);
}

uint32_t builder_result_count(enum webnn_operator kind, const void *attributes,
                              uint32_t split_axis_parts)
{
    return kind == WEBNN_SPLIT && !attributes ? split_axis_parts
                                              : infer_result_count(kind, attributes);
}

/* One call: what it was given, what inference found, what is ready to be recorded. */
struct call {
    enum webnn_operator kind;
    const operand_id *operands;
    uint32_t operand_count;
    struct span label;
    struct infer infer;
    struct operator_node node;
    const dim **dims; /* of the results */
};

static o2w_status check_operands(struct builder *b, const struct call *c)
{
    for (uint32_t i = 0; i < c->operand_count; i++)
        if (c->operands[i] != NO_ID && c->operands[i] >= b->graph->operands.count)
            return refuse_call(b, c->kind, c->label, "an operand is not of this builder");
    return O2W_OK;
}

static o2w_status infer_call(struct builder *b, struct call *c, const void *attributes,
                             uint32_t result_count)
{
    const struct operator_row *row = operator_row(c->kind);
    void *resolved = arena_alloc(&b->graph->arena, row->attribute_size, 16);
    c->infer = (struct infer){ .kind = c->kind,
                               .limits = b->limits,
                               .exprs = b->graph->exprs,
                               .diags = b->diags,
                               .label = c->label,
                               .attributes = attributes,
                               .constraints.allocator = b->graph->allocator };
    if (!resolved || infer_room_load(&b->room, b->graph, c->operands, c->operand_count,
                                     result_count, &c->infer) != O2W_OK)
        return diag_memory(b->diags);
    TRY(infer_operator(&c->infer, resolved));
    c->node.attributes = row->attribute_count ? resolved : NULL;
    return O2W_OK;
}

/* Lists that the attributes borrow come into the graph's arena. */
static o2w_status own_attributes(struct builder *b, struct call *c)
{
    const struct operator_row *row = operator_row(c->kind);
    for (uint32_t i = 0; i < row->attribute_count; i++) {
        if (row->attributes[i].type != ATTRIBUTE_SPLITS)
            continue;
        struct webnn_splits *s =
            (void *)((uint8_t *)(uintptr_t)c->node.attributes + row->attributes[i].offset);
        uint32_t *items = ARENA_ARRAY(&b->graph->arena, s->equal ? 0 : s->count, uint32_t);
        if (!items)
            return O2W_NO_MEMORY;
        if (!s->equal && s->count)
            memcpy(items, s->items, s->count * sizeof *items);
        s->items = s->equal ? NULL : items;
    }
    return O2W_OK;
}

/* Everything that can fail, so that recording cannot. */
static o2w_status prepare_node(struct builder *b, struct call *c)
{
    struct graph *g = b->graph;
    uint32_t count = c->infer.result_count;
    operand_id *operands = ARENA_ARRAY(&g->arena, c->operand_count, operand_id);
    c->dims = ARENA_ARRAY(&g->arena, count, const dim *);
    if (!operands || !c->dims || !VEC_RESERVE(&g->operators, 1) ||
        !VEC_RESERVE(&g->operands, count))
        return O2W_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        if (!(c->dims[i] = copy_dims(g, &c->infer.results[i])))
            return O2W_NO_MEMORY;
    if (c->operand_count)
        memcpy(operands, c->operands, c->operand_count * sizeof *operands);
    TRY(names_add(&g->names, c->label, &c->node.label));
    TRY(own_attributes(b, c));
    c->node.kind = c->kind;
    c->node.operands = operands;
    c->node.operand_count = c->operand_count;
    c->node.result_count = count;
    c->node.first_result = (operand_id)g->operands.count;
    return O2W_OK;
}

/* All or none. */
static o2w_status record_constraints(struct builder *b, struct call *c)
{
    size_t before = b->graph->constraints.count;
    o2w_status status =
        graph_record_constraints(b->graph, &b->constraints, &b->keys, &c->infer, c->node.label);
    if (status != O2W_OK)
        b->graph->constraints.count = before;
    return status;
}

static void record(struct graph *g, const struct call *c, operand_id *results)
{
    operator_id id = (operator_id)g->operators.count;
    g->operators.items[g->operators.count++] = c->node;
    for (uint32_t i = 0; i < c->node.result_count; i++)
        results[i] = append_operand(
            g, (struct operand){ .kind = OPERAND_RESULT, .source = id, .result_index = i },
            &c->infer.results[i], c->dims[i]);
}

static o2w_status run_call(struct builder *b, struct call *c, const void *attributes,
                           uint32_t capacity)
{
    TRY(check_operands(b, c));
    TRY(infer_call(b, c, attributes, capacity));
    TRY(said(b, prepare_node(b, c)));
    return said(b, record_constraints(b, c));
}

o2w_status builder_op(struct builder *b, enum webnn_operator kind, const operand_id *operands,
                      uint32_t operand_count, const void *attributes, struct span label,
                      operand_id *results, uint32_t *result_count)
{
    TRY(check_open(b));
    if ((unsigned)kind >= WEBNN_OPERATOR_COUNT)
        return diag_error(b->diags, DIAG_BUILD_ARGUMENT, "there is no operator number %u",
                          (unsigned)kind);
    uint32_t needed = infer_result_count(kind, attributes);
    if (needed > *result_count)
        return refuse_call(b, kind, label, "there is no room for all its results");
    struct call c = {
        .kind = kind, .operands = operands, .operand_count = operand_count, .label = label
    };
    o2w_status status = run_call(b, &c, attributes, needed);
    if (status == O2W_OK) {
        record(b->graph, &c, results);
        *result_count = c.node.result_count;
    }
    VEC_FREE(&c.infer.constraints);
    return status;
}

/* ---- outputs ---- */

static o2w_status check_output(struct builder *b, struct span name, operand_id operand)
{
    struct descriptor d;
    if (name.size == 0)
        return diag_error(b->diags, DIAG_BUILD_ARGUMENT, "an output needs a name");
    if (operand >= b->graph->operands.count)
        return diag_error(b->diags, DIAG_BUILD_ARGUMENT,
                          "output '%.*s': the operand is not of this builder", SPAN_ARG(name));
    enum operand_kind kind = graph_operand(b->graph, operand)->kind;
    if (kind != OPERAND_RESULT) {
        o2w_status status =
            diag_error(b->diags, DIAG_BUILD_ARGUMENT, "output '%.*s' is %s", SPAN_ARG(name),
                       kind == OPERAND_INPUT ? "an input" : "a constant");
        diag_hint(b->diags, "identity of it can be an output");
        return status;
    }
    if (map_find(&b->output_names, name))
        return diag_error(b->diags, DIAG_BUILD_ARGUMENT, "output '%.*s' is already there",
                          SPAN_ARG(name));
    char *what = quoted(b, "output", name);
    if (!what)
        return diag_memory(b->diags);
    graph_descriptor(b->graph, operand, &d);
    return infer_check_descriptor(b->limits, b->graph->exprs, b->diags, what, &b->limits->output,
                                  &d);
}

o2w_status builder_output(struct builder *b, struct span name, operand_id operand)
{
    TRY(check_open(b));
    TRY(check_output(b, name, operand));
    struct graph *g = b->graph;
    name_id id;
    if (!VEC_RESERVE(&g->outputs, 1) || names_add(&g->names, name, &id) != O2W_OK ||
        map_insert(&b->output_names, names_text(&g->names, id), 0, NULL, NULL) != O2W_OK)
        return diag_memory(b->diags);
    g->outputs.items[g->outputs.count++] = (struct graph_output){ .name = id, .operand = operand };
    return O2W_OK;
}

/* ---- the end ---- */

/* So that asking for a constant later changes nothing that threads share. */
static o2w_status map_files(struct builder *b)
{
    const struct graph *g = b->graph;
    struct span bytes;
    for (size_t i = 0; i < g->weights.count; i++)
        if (g->weights.items[i].file &&
            (i == 0 || g->weights.items[i].file != g->weights.items[i - 1].file))
            TRY(file_bytes(g->weights.items[i].file, b->diags, &bytes));
    return O2W_OK;
}

o2w_status builder_build(struct builder *b, struct graph **out)
{
    TRY(check_open(b));
    if (b->graph->outputs.count == 0)
        return diag_error(b->diags, DIAG_BUILD_ARGUMENT, "a graph needs at least one output");
    TRY(map_files(b));
    TRY(said(b, graph_constrain_names(b->graph, &b->constraints, &b->keys)));
    *out = b->graph;
    b->graph = NULL;
    b->finished = true;
    return O2W_OK;
}

void builder_reopen(struct builder *b, struct graph *g)
{
    if (g)
        b->graph = g;
    b->finished = false;
    b->graph->outputs.count = 0;
    map_clear(&b->output_names);
}

/* ---- names ---- */

static o2w_status set_name(struct builder *b, operand_id id, struct span name, bool original)
{
    name_id text;
    TRY(check_open(b));
    if (id >= b->graph->operands.count)
        return diag_error(b->diags, DIAG_BUILD_ARGUMENT,
                          "'%.*s' can't name an operand that is not of this builder",
                          SPAN_ARG(name));
    TRY(said(b, names_add(&b->graph->names, name, &text)));
    struct operand *o = &b->graph->operands.items[id];
    *(original ? &o->original : &o->identifier) = text;
    return O2W_OK;
}

o2w_status builder_set_original(struct builder *b, operand_id id, struct span name)
{
    return set_name(b, id, name, true);
}

o2w_status builder_set_identifier(struct builder *b, operand_id id, struct span name)
{
    return set_name(b, id, name, false);
}
