/* A graph from a document: inputs, constants, nodes, outputs, directives, in this order. */
#include "format/load.h"

#include "base/number.h"
#include "base/text.h"
#include "format/weights.h"

#include <string.h>

o2w_status loader_note(const struct loader *l, struct place at, const char *format, ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    text_vformat(text, sizeof text, format, args);
    va_end(args);
    return doc_at(l->doc, l->diags, at, diag_note(l->diags, DIAG_TEXT_DIALECT, "%s", text));
}

/* ---- names ---- */

static const struct doc_directive *name_directive(const struct loader *l, struct span identifier)
{
    const uint32_t *index = map_find(&l->originals, identifier);
    return index ? &l->doc->directives.items[*index] : NULL;
}

struct span loader_public_name(const struct loader *l, struct span identifier)
{
    const struct doc_directive *directive = name_directive(l, identifier);
    return directive && directive->text.size > 0 ? directive->text : identifier;
}

o2w_status loader_declare(struct loader *l, struct doc_name name, enum scope_kind kind,
                          operand_id operand)
{
    const struct doc_directive *directive = name_directive(l, name.name);
    TRY(scope_declare(&l->scope, name, kind, operand));
    TRY(builder_set_identifier(&l->builder, operand, name.name));
    return directive ? builder_set_original(&l->builder, operand, directive->text) : O2W_OK;
}

static o2w_status index_names(struct loader *l)
{
    for (size_t i = 0; i < l->doc->directives.count; i++) {
        const struct doc_directive *directive = &l->doc->directives.items[i];
        uint32_t *index;
        bool added;
        if (directive->kind != DIRECTIVE_NAME)
            continue;
        if (map_insert(&l->originals, directive->subject, (uint32_t)i, &index, &added) != O2W_OK)
            return diag_memory(l->diags);
        if (!added)
            return loader_at(l, directive->place,
                             diag_error(l->diags, DIAG_TEXT_DIRECTIVE,
                                        "directive 'name': '%.*s' has a name from line %u",
                                        SPAN_ARG(directive->subject),
                                        l->doc->directives.items[*index].place.line));
    }
    return O2W_OK;
}

o2w_status loader_count(const struct loader *l, struct place at, struct span name,
                        const struct descriptor *d, uint64_t *count)
{
    char shape[300];
    *count = 0;
    if (!dims_static(d->dims, d->rank) ||
        (dims_count(d->dims, d->rank, count) && *count <= LIMIT_DIM))
        return O2W_OK;
    dims_text(d->dims, d->rank, shape, sizeof shape);
    return loader_at(l, at,
                     diag_error(l->diags, DIAG_LIMIT,
                                "element count of '%.*s' %s exceeds the limit %d", SPAN_ARG(name),
                                shape, LIMIT_DIM));
}

/* ---- inputs ---- */

static o2w_status input_dim(struct loader *l, const struct doc_input *input,
                            const struct doc_dim *from, dim *out)
{
    expr_id name;
    *out = from->size;
    if (!from->name.data)
        return O2W_OK;
    TRY(loader_at(l, input->place,
                  expr_name(loader_graph(l)->exprs, from->name, l->limits->min_dimension,
                            from->size, l->diags, &name)));
    *out = dim_of_expr_id(name);
    return O2W_OK;
}

static o2w_status load_input(struct loader *l, const struct doc_input *input)
{
    struct descriptor d = { .dtype = input->type.dtype, .rank = input->type.rank };
    operand_id id;
    uint64_t count;
    if (scope_lookup(&l->scope, input->name))
        return scope_declare(&l->scope, (struct doc_name){ input->name, input->place }, SCOPE_INPUT,
                             NO_ID);
    for (uint32_t i = 0; i < d.rank; i++)
        TRY(input_dim(l, input, &input->type.dims[i], &d.dims[i]));
    TRY(loader_count(l, input->place, input->name, &d, &count));
    TRY(loader_at(l, input->place, builder_input(&l->builder, input->name, &d, &id)));
    return loader_declare(l, (struct doc_name){ input->name, input->place }, SCOPE_INPUT, id);
}

static o2w_status check_version(struct loader *l)
{
    if (l->doc->version != 1 || l->doc->first_dynamic.line == 0)
        return O2W_OK;
    return loader_note(l, l->doc->first_dynamic,
                       "dynamic dimensions need version 2, the file says 1");
}

o2w_status loader_dim(struct loader *l, struct place at, int64_t max, struct span name, dim *out)
{
    struct exprs *x = loader_graph(l)->exprs;
    expr_id e;
    int64_t least, most;
    if (expr_find_name(x, name, &e)) {
        expr_bounds(x, e, &least, &most);
        if (most != max)
            return loader_at(l, at,
                             diag_error(l->diags, DIAG_DYN_MAX,
                                        "dimension '%.*s' has maxima %lld and %lld", SPAN_ARG(name),
                                        (long long)most, (long long)max));
    } else {
        TRY(loader_at(l, at, expr_parse(x, name, l->diags, &e)));
    }
    *out = dim_from_expr(x, e);
    return O2W_OK;
}

/* ---- outputs ---- */

static o2w_status output_source(const struct loader *l, const struct doc_output *output,
                                enum scope_kind kind)
{
    struct span name = output->binding;
    return loader_at(l, output->place,
                     diag_error(l->diags, DIAG_OUTPUT_SOURCE,
                                "output '%.*s' is %s; write %.*s_out = identity(%.*s)",
                                SPAN_ARG(name), kind == SCOPE_INPUT ? "an input" : "a constant",
                                SPAN_ARG(name), SPAN_ARG(name)));
}

/* An identity of the operand, for an output that needs a node result of its own. */
static o2w_status add_identity(struct loader *l, const struct doc_output *output, operand_id *id)
{
    uint32_t count = 1;
    operand_id from = *id;
    TRY(loader_note(l, output->place, "output '%.*s' is an identity of '%.*s'",
                    SPAN_ARG(output->binding), SPAN_ARG(output->operand)));
    return loader_at(l, output->place,
                     builder_op(&l->builder, WEBNN_IDENTITY, &from, 1, NULL, SPAN(""), id, &count));
}

/* The output's operand, which is a node result and of no other output. */
static o2w_status resolve_output(struct loader *l, const struct doc_output *output,
                                 struct map *bound, operand_id *id)
{
    uint32_t *value;
    bool added;
    TRY(scope_find(&l->scope, output->operand, output->place, id));
    const struct operand *o = graph_operand(loader_graph(l), *id);
    if (o->kind != OPERAND_RESULT) {
        if (!l->doc->json)
            return output_source(l, output,
                                 o->kind == OPERAND_INPUT ? SCOPE_INPUT : SCOPE_CONSTANT);
        return add_identity(l, output, id);
    }
    operand_id *key = ARENA_NEW(l->arena, operand_id);
    if (!key)
        return diag_memory(l->diags);
    *key = *id;
    if (map_insert(bound, (struct span){ (const uint8_t *)key, sizeof *key }, 0, &value, &added) !=
        O2W_OK)
        return diag_memory(l->diags);
    if (added)
        return O2W_OK;
    if (!l->doc->json)
        return loader_at(l, output->place,
                         diag_error(l->diags, DIAG_OUTPUT_TWICE, "output '%.*s' is listed twice",
                                    SPAN_ARG(output->binding)));
    return add_identity(l, output, id);
}

static o2w_status load_output(struct loader *l, const struct doc_output *output, struct map *bound)
{
    const struct doc_directive *directive = name_directive(l, output->binding);
    operand_id id;
    TRY(resolve_output(l, output, bound, &id));
    if (!span_equal(output->binding, output->operand)) {
        const struct scope_entry *other = scope_lookup(&l->scope, output->binding);
        TRY(builder_set_identifier(&l->builder, id, other ? SPAN("") : output->binding));
        if (directive)
            TRY(builder_set_original(&l->builder, id, directive->text));
    }
    return loader_at(l, output->place,
                     builder_output(&l->builder, loader_public_name(l, output->binding), id));
}

static o2w_status load_outputs(struct loader *l)
{
    struct map bound;
    o2w_status status = O2W_OK;
    if (l->doc->outputs.count == 0) {
        o2w_status none =
            diag_error(l->diags, DIAG_OUTPUT_NONE, "a graph needs at least one output");
        diag_hint(l->diags, "name them in the block outputs { … }");
        return loader_at(l, l->doc->end, none);
    }
    map_init(&bound, l->builder.graph->allocator);
    for (size_t i = 0; i < l->doc->outputs.count && status == O2W_OK; i++)
        status = load_output(l, &l->doc->outputs.items[i], &bound);
    map_free(&bound);
    return status;
}

/* ---- what the file claims about results ---- */

static bool dim_agrees(const struct loader *l, const struct doc_dim *claim, dim found)
{
    const struct exprs *x = loader_graph(l)->exprs;
    if (!claim->name.data)
        return found == claim->size;
    char *text = dim_is_static(found) ? NULL : expr_text(x, dim_expr_id(found), l->arena);
    return text && span_is(claim->name, text);
}

static o2w_status check_claim(struct loader *l, const struct doc_input *claim)
{
    const struct scope_entry *entry = scope_lookup(&l->scope, claim->name);
    struct descriptor d;
    if (!entry)
        return O2W_OK;
    graph_descriptor(loader_graph(l), entry->operand, &d);
    bool agrees = d.dtype == claim->type.dtype && d.rank == claim->type.rank;
    for (uint32_t i = 0; agrees && i < d.rank; i++)
        agrees = dim_agrees(l, &claim->type.dims[i], d.dims[i]);
    if (agrees)
        return O2W_OK;
    const char *dims = dim_list_text(loader_graph(l)->exprs, d.dims, d.rank, l->arena);
    return loader_at(
        l, claim->place,
        diag_error(l->diags, DIAG_OP_INVALID,
                   "'%.*s': intermediate_shapes differs from %s%s, which its node gives",
                   SPAN_ARG(claim->name), dtype_name(d.dtype), dims ? dims : ""));
}

/* ---- the whole ---- */

static o2w_status load_all(struct loader *l)
{
    const struct document *doc = l->doc;
    TRY(index_names(l));
    TRY(check_version(l));
    for (size_t i = 0; i < doc->inputs.count; i++)
        TRY(load_input(l, &doc->inputs.items[i]));
    TRY(weights_open(l));
    for (size_t i = 0; i < doc->consts.count; i++)
        TRY(load_const(l, &doc->consts.items[i]));
    for (size_t i = 0; i < doc->nodes.count; i++)
        TRY(load_node(l, &doc->nodes.items[i]));
    TRY(load_outputs(l));
    for (size_t i = 0; i < doc->shapes.count; i++)
        TRY(check_claim(l, &doc->shapes.items[i]));
    return apply_directives(l);
}

static o2w_status set_up(struct loader *l)
{
    l->results = ARENA_ARRAY(l->arena, LIMIT_RESULTS, operand_id);
    l->attributes = arena_alloc(l->arena, ATTRIBUTES_SIZE, 16);
    if (!l->results || !l->attributes)
        return diag_memory(l->diags);
    struct graph *g = loader_graph(l);
    g->version = l->doc->version;
    g->quantized = l->doc->quantized;
    return names_add(&g->names, l->doc->name, &g->name) == O2W_OK ? O2W_OK : diag_memory(l->diags);
}

o2w_status load_document(struct loader *l, const o2w_allocator *allocator, struct graph **out)
{
    TRY(builder_init(&l->builder, l->limits, allocator, l->diags));
    scope_init(&l->scope, l->doc, l->diags, l->arena, allocator);
    map_init(&l->originals, allocator);
    l->arguments.allocator = l->operands.allocator = allocator;
    o2w_status status = set_up(l);
    if (status == O2W_OK)
        status = load_all(l);
    if (status == O2W_OK)
        status = loader_at(l, l->doc->end, builder_build(&l->builder, out));
    weights_close(l);
    VEC_FREE(&l->arguments);
    VEC_FREE(&l->operands);
    map_free(&l->originals);
    scope_free(&l->scope);
    builder_free(&l->builder);
    return status;
}
