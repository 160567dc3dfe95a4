#include "webnn/builder.h"
#include "api/objects.h"

#include <string.h>

struct webnn_builder {
    const o2w_environment *environment;
    const o2w_allocator *allocator;
    struct builder_link link;
    struct limits *limits;
    struct builder builder;
    uint32_t tag;       /* in the upper bits of its operands and its graph's; never 0 */
    struct diags diags; /* of the call that runs */
};

enum { TAG_SHIFT = 24, TAG_COUNT = 255 };

/* Builders made one after another have different tags. */
static uint32_t next_tag(void)
{
    static _Atomic uint32_t made;
    return (made++ % TAG_COUNT + 1) << TAG_SHIFT;
}

static webnn_operand public_operand(const webnn_builder *b, operand_id id)
{
    return b->tag | (id + 1);
}

/* The operand behind a public one; false for what is none of this builder. */
static bool own_operand(const webnn_builder *b, webnn_operand operand, operand_id *id)
{
    uint32_t index = operand & ((1u << TAG_SHIFT) - 1);
    *id = index - 1;
    return operand - index == b->tag && index > 0 && index <= b->builder.graph->operands.count;
}

/* What may still be recorded: public operands have no more bits. */
static o2w_status has_room(webnn_builder *b, size_t more)
{
    size_t most = (1u << TAG_SHIFT) - 2;
    if (b->builder.graph->operands.count + more <= most)
        return O2W_OK;
    return diag_error(&b->diags, DIAG_LIMIT, "a builder records at most %zu operands", most);
}

static void link_builder(webnn_builder *b, webnn_context *c)
{
    pthread_mutex_lock(&c->queue);
    b->link.context = c;
    b->link.next = c->builders;
    b->link.link = &c->builders;
    if (c->builders)
        c->builders->link = &b->link.next;
    c->builders = &b->link;
    pthread_mutex_unlock(&c->queue);
}

void api_builder_unlink(struct builder_link *b)
{
    if (!b->context)
        return;
    *b->link = b->next;
    if (b->next)
        b->next->link = b->link;
    b->context = NULL;
}

static o2w_status builder_start(webnn_builder *b, webnn_context *context)
{
    if (context)
        *b->limits = *context->limits;
    else
        limits_own(b->limits);
    TRY(builder_init(&b->builder, b->limits, b->allocator, &b->diags));
    if (context)
        link_builder(b, context);
    return O2W_OK;
}

o2w_status webnn_builder_create(webnn_context *context, const o2w_environment *environment,
                                webnn_builder **out, o2w_error **error)
{
    const o2w_environment *e = environment ? environment : context ? context->environment : NULL;
    const o2w_allocator *allocator = environment_allocator(e);
    webnn_builder *b = mem_alloc(allocator, sizeof *b);
    struct limits *limits = mem_alloc(allocator, sizeof *limits);
    if (!b || !limits) {
        mem_free(allocator, b, sizeof *b);
        mem_free(allocator, limits, sizeof *limits);
        return error_from_diags(NULL, O2W_NO_MEMORY, error);
    }
    *b = (webnn_builder){
        .environment = e, .allocator = allocator, .limits = limits, .tag = next_tag()
    };
    diags_init(&b->diags, allocator);
    o2w_status s = error_from_diags(&b->diags, builder_start(b, context), error);
    if (s == O2W_OK)
        *out = b;
    else
        webnn_builder_free(b);
    return s;
}

void webnn_builder_free(webnn_builder *b)
{
    if (!b)
        return;
    webnn_context *c = b->link.context;
    if (c)
        pthread_mutex_lock(&c->queue);
    api_builder_unlink(&b->link);
    if (c)
        pthread_mutex_unlock(&c->queue);
    builder_free(&b->builder);
    diags_free(&b->diags);
    mem_free(b->allocator, b->limits, sizeof *b->limits);
    mem_free(b->allocator, b, sizeof *b);
}

/* Ends a call: its messages become the error, or go. */
static o2w_status done(webnn_builder *b, o2w_status s, o2w_error **error)
{
    s = error_from_diags(&b->diags, s, error);
    diags_free(&b->diags);
    diags_init(&b->diags, b->allocator);
    return s;
}

static o2w_status ready(webnn_builder *b)
{
    if (b->link.lost)
        return diag_error(&b->diags, DIAG_BUILD_STATE, "the builder's context was freed");
    return b->builder.finished
               ? diag_error(&b->diags, DIAG_BUILD_STATE, "the builder has built its graph")
               : has_room(b, 1);
}

static o2w_status check_descriptor(webnn_builder *b, const webnn_descriptor *from,
                                   struct descriptor *to)
{
    if ((unsigned)from->data_type >= WEBNN_DATA_TYPE_COUNT)
        return diag_error(&b->diags, DIAG_BUILD_ARGUMENT, "data type %d is none of WebNN's",
                          (int)from->data_type);
    if (from->rank > MAX_RANK)
        return diag_error(&b->diags, DIAG_BUILD_ARGUMENT, "rank is %u, must be at most %d",
                          from->rank, MAX_RANK);
    *to = (struct descriptor){ .dtype = (enum dtype)from->data_type, .rank = from->rank };
    for (uint32_t i = 0; i < from->rank; i++) {
        if (from->dims[i] < 0)
            return diag_error(&b->diags, DIAG_BUILD_ARGUMENT,
                              "dimension %u is %lld, must not be negative", i,
                              (long long)from->dims[i]);
        to->dims[i] = from->dims[i];
    }
    return O2W_OK;
}

static o2w_status add_input(webnn_builder *b, const char *name, const webnn_descriptor *descriptor,
                            const char *const *dim_names, webnn_operand *out)
{
    struct descriptor d;
    operand_id id;
    TRY(ready(b));
    TRY(check_descriptor(b, descriptor, &d));
    for (uint32_t i = 0; dim_names && i < d.rank; i++) {
        expr_id e;
        if (!dim_names[i])
            continue;
        TRY(expr_name(b->builder.graph->exprs, span_of(dim_names[i]), b->limits->min_dimension,
                      d.dims[i], &b->diags, &e));
        d.dims[i] = dim_of_expr_id(e);
    }
    TRY(builder_input(&b->builder, span_of(name), &d, &id));
    *out = public_operand(b, id);
    return O2W_OK;
}

o2w_status webnn_input(webnn_builder *b, const char *name, const webnn_descriptor *descriptor,
                       const char *const *dim_names, webnn_operand *out, o2w_error **error)
{
    return done(b, add_input(b, name, descriptor, dim_names, out), error);
}

static o2w_status add_constant(webnn_builder *b, const webnn_descriptor *descriptor,
                               const void *data, size_t size, bool borrowed, webnn_operand *out)
{
    struct descriptor d;
    operand_id id;
    TRY(ready(b));
    TRY(check_descriptor(b, descriptor, &d));
    TRY(builder_constant_bytes(&b->builder, &d, data, size, borrowed, &id));
    *out = public_operand(b, id);
    return O2W_OK;
}

o2w_status webnn_constant(webnn_builder *b, const webnn_descriptor *descriptor, const void *data,
                          size_t size, bool borrowed, webnn_operand *out, o2w_error **error)
{
    return done(b, add_constant(b, descriptor, data, size, borrowed, out), error);
}

static o2w_status add_tensor(webnn_builder *b, const webnn_tensor *t, webnn_operand *out)
{
    webnn_descriptor d;
    TRY(ready(b));
    if (!t->context || t->context != b->link.context)
        return diag_error(&b->diags, DIAG_BUILD_STATE,
                          "the tensor is not of the builder's context");
    if (!t->constant)
        return diag_error(&b->diags, DIAG_BUILD_ARGUMENT, "the tensor is no constant");
    (void)webnn_tensor_descriptor(t, &d);
    return add_constant(b, &d, t->tensor.data, (size_t)t->bytes, false, out);
}

o2w_status webnn_constant_tensor(webnn_builder *b, webnn_tensor *tensor, webnn_operand *out,
                                 o2w_error **error)
{
    return done(b, add_tensor(b, tensor, out), error);
}

static o2w_status add_scalar(webnn_builder *b, enum webnn_data_type type, struct webnn_number v,
                             webnn_operand *out)
{
    webnn_descriptor descriptor = { .data_type = type };
    struct descriptor d;
    operand_id id;
    TRY(ready(b));
    TRY(check_descriptor(b, &descriptor, &d));
    TRY(builder_constant_fill(&b->builder, &d, v, &id));
    *out = public_operand(b, id);
    return O2W_OK;
}

o2w_status webnn_constant_scalar(webnn_builder *b, enum webnn_data_type type, struct webnn_number v,
                                 webnn_operand *out, o2w_error **error)
{
    return done(b, add_scalar(b, type, v, out), error);
}

static o2w_status own_operands(webnn_builder *b, enum webnn_operator kind,
                               const webnn_operand *operands, size_t count, const char *label,
                               operand_id *ids)
{
    const struct operator_row *row = operator_row(kind);
    for (size_t i = 0; i < count; i++) {
        size_t slot = i < row->operand_count ? i : row->operand_count - 1;
        ids[i] = NO_ID;
        if (operands[i] == WEBNN_ABSENT || own_operand(b, operands[i], &ids[i]))
            continue;
        return diag_error(&b->diags, DIAG_BUILD_ARGUMENT,
                          "%s%s%s%s: %s is operand %u, which is none of this builder", row->name,
                          label && *label ? " '" : "", label ? label : "",
                          label && *label ? "'" : "", row->operands[slot].name, operands[i]);
    }
    return O2W_OK;
}

static o2w_status add_op(webnn_builder *b, enum webnn_operator kind, const webnn_operand *operands,
                         size_t count, const void *attributes, const char *label,
                         webnn_operand *results, size_t *result_count)
{
    uint32_t made = *result_count > UINT32_MAX ? UINT32_MAX : (uint32_t)*result_count;
    TRY(ready(b));
    if ((unsigned)kind >= WEBNN_OPERATOR_COUNT)
        return diag_error(&b->diags, DIAG_OP_UNKNOWN, "unknown operator %d", (int)kind);
    if (count > UINT16_MAX)
        return diag_error(&b->diags, DIAG_LIMIT, "%zu operands exceed the limit %d", count,
                          UINT16_MAX);
    operand_id *ids = mem_alloc(b->allocator, count * sizeof *ids);
    if (count && !ids)
        return diag_memory(&b->diags);
    o2w_status s = own_operands(b, kind, operands, count, label, ids);
    if (s == O2W_OK)
        s = builder_op(&b->builder, kind, ids, (uint32_t)count, attributes, span_of(label), results,
                       &made);
    mem_free(b->allocator, ids, count * sizeof *ids);
    TRY(s);
    for (uint32_t i = 0; i < made; i++)
        results[i] = public_operand(b, results[i]);
    *result_count = made;
    return O2W_OK;
}

o2w_status webnn_op(webnn_builder *b, enum webnn_operator kind, const webnn_operand *operands,
                    size_t operand_count, const void *attributes, const char *label,
                    webnn_operand *results, size_t *result_count, o2w_error **error)
{
    return done(b,
                add_op(b, kind, operands, operand_count, attributes, label, results, result_count),
                error);
}

static o2w_status describe(webnn_builder *b, webnn_operand operand, webnn_descriptor *out)
{
    struct descriptor d;
    operand_id id;
    TRY(ready(b));
    if (!own_operand(b, operand, &id))
        return diag_error(&b->diags, DIAG_BUILD_ARGUMENT, "operand %u is none of this builder",
                          operand);
    graph_descriptor(b->builder.graph, id, &d);
    *out = (webnn_descriptor){ .data_type = (enum webnn_data_type)d.dtype, .rank = d.rank };
    for (uint32_t i = 0; i < d.rank; i++)
        out->dims[i] = dim_is_static(d.dims[i]) ? d.dims[i] : WEBNN_DYNAMIC;
    return O2W_OK;
}

o2w_status webnn_operand_descriptor(const webnn_builder *builder, webnn_operand operand,
                                    webnn_descriptor *out, o2w_error **error)
{
    webnn_builder *b = (webnn_builder *)(uintptr_t)builder;
    return done(b, describe(b, operand, out), error);
}

static o2w_status name_outputs(webnn_builder *b, const webnn_named_operand *outputs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        operand_id id;
        if (!own_operand(b, outputs[i].operand, &id))
            return diag_error(&b->diags, DIAG_BUILD_ARGUMENT,
                              "output '%s': operand %u is none of this builder", outputs[i].name,
                              outputs[i].operand);
        TRY(builder_output(&b->builder, span_of(outputs[i].name), id));
    }
    return O2W_OK;
}

static o2w_status build_into(webnn_builder *b, const webnn_named_operand *outputs, size_t count,
                             webnn_graph *made)
{
    TRY(name_outputs(b, outputs, count));
    TRY(builder_build(&b->builder, &made->graph));
    made->tag = b->tag;
    return b->link.context ? api_graph_compile(b->link.context, made, &b->diags) : O2W_OK;
}

static o2w_status build(webnn_builder *b, const webnn_named_operand *outputs, size_t count,
                        webnn_graph **out)
{
    webnn_graph *made;
    TRY(ready(b));
    TRY(api_graph_wrap(NULL, b->environment, &b->diags, &made));
    o2w_status s = build_into(b, outputs, count, made);
    if (s == O2W_OK) {
        *out = made;
        return O2W_OK;
    }
    builder_reopen(&b->builder, made->graph);
    made->graph = NULL;
    webnn_graph_free(made);
    return s;
}

o2w_status webnn_builder_build(webnn_builder *b, const webnn_named_operand *outputs, size_t count,
                               webnn_graph **out, o2w_error **error)
{
    return done(b, build(b, outputs, count, out), error);
}
