/* What directives say, in the graph. */
#include "base/number.h"
#include "format/load.h"

struct applying {
    struct loader *loader;
    struct graph *graph;
    struct map bindings; /* output binding → index */
    struct map labelled; /* identifier → index of its directive */
};

static o2w_status wrong(const struct applying *a, const struct doc_directive *directive,
                        const char *keyword, const char *what)
{
    return loader_at(a->loader, directive->place,
                     diag_error(a->loader->diags, DIAG_TEXT_DIRECTIVE, "directive '%s': '%.*s' %s",
                                keyword, SPAN_ARG(directive->subject), what));
}

/* The operand that an identifier or a binding names; NO_ID. */
static operand_id subject_of(const struct applying *a, struct span identifier)
{
    const struct scope_entry *entry = scope_lookup(&a->loader->scope, identifier);
    if (entry)
        return entry->operand;
    const uint32_t *index = map_find(&a->bindings, identifier);
    return index ? a->graph->outputs.items[*index].operand : NO_ID;
}

static o2w_status intern(struct applying *a, struct span text, name_id *out)
{
    return names_add(&a->graph->names, text, out) == O2W_OK ? O2W_OK
                                                            : diag_memory(a->loader->diags);
}

static o2w_status add_dim(struct applying *a, const struct doc_directive *directive, bool pin)
{
    struct graph_dim item = { .value = directive->number };
    TRY(intern(a, directive->text, &item.name));
    bool added = pin ? VEC_PUSH(&a->graph->pins, item) : VEC_PUSH(&a->graph->dims, item);
    return added ? O2W_OK : diag_memory(a->loader->diags);
}

static o2w_status add_bound(struct applying *a, const struct doc_directive *directive)
{
    struct graph_bound item = { .value = directive->number };
    TRY(intern(a, directive->text, &item.output));
    return VEC_PUSH(&a->graph->bounds, item) ? O2W_OK : diag_memory(a->loader->diags);
}

static o2w_status add_kept(struct applying *a, const struct doc_directive *directive)
{
    name_id name;
    TRY(intern(a, directive->text, &name));
    return VEC_PUSH(&a->graph->kept, name) ? O2W_OK : diag_memory(a->loader->diags);
}

static o2w_status add_meta(struct applying *a, const struct doc_directive *directive)
{
    struct graph_text item;
    TRY(intern(a, directive->subject, &item.key));
    TRY(intern(a, directive->text, &item.value));
    return VEC_PUSH(&a->graph->meta, item) ? O2W_OK : diag_memory(a->loader->diags);
}

/* ---- labels ---- */

static o2w_status read_texts(struct applying *a, const struct doc_value *v, name_id *out,
                             uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        TRY(intern(a, doc_text(&v[i]), &out[i]));
    return O2W_OK;
}

static bool read_integers(const struct doc_value *v, int64_t *out, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (number_parse_i64(doc_text(&v[i]), &out[i]) != O2W_OK)
            return false;
    return true;
}

static bool all_of(const struct doc_value *v, uint32_t count, enum doc_kind kind)
{
    for (uint32_t i = 0; i < count; i++)
        if (v[i].kind != kind)
            return false;
    return true;
}

static o2w_status add_labels(struct applying *a, const struct doc_directive *directive,
                             uint32_t index)
{
    const struct doc_value *array = &a->loader->doc->values.items[directive->value],
                           *items = array + 1;
    struct graph_labels labels = { .operand = subject_of(a, directive->subject),
                                   .count = array->size };
    uint32_t *first;
    bool added;
    if (labels.operand == NO_ID)
        return wrong(a, directive, "labels", "isn't declared");
    if (map_insert(&a->labelled, directive->subject, index, &first, &added) != O2W_OK)
        return diag_memory(a->loader->diags);
    if (!added)
        return wrong(a, directive, "labels", "has labels already");
    labels.strings = all_of(items, labels.count, DOC_STRING);
    name_id *texts = ARENA_ARRAY(&a->graph->arena, labels.strings ? labels.count : 0, name_id);
    int64_t *integers = ARENA_ARRAY(&a->graph->arena, labels.strings ? 0 : labels.count, int64_t);
    if (!texts || !integers)
        return diag_memory(a->loader->diags);
    if (labels.strings)
        TRY(read_texts(a, items, texts, labels.count));
    else if (!all_of(items, labels.count, DOC_NUMBER) ||
             !read_integers(items, integers, labels.count))
        return wrong(a, directive, "labels", "needs an array of texts or of integers of 64 bits");
    labels.texts = labels.strings ? texts : NULL;
    labels.integers = labels.strings ? NULL : integers;
    return VEC_PUSH(&a->graph->labels, labels) ? O2W_OK : diag_memory(a->loader->diags);
}

/* ---- all ---- */

static o2w_status apply(struct applying *a, const struct doc_directive *directive, uint32_t index)
{
    switch (directive->kind) {
    case DIRECTIVE_WEIGHTS: return intern(a, directive->text, &a->graph->archive);
    case DIRECTIVE_SUBGRAPH: return intern(a, directive->text, &a->graph->subgraph);
    case DIRECTIVE_DIM: return add_dim(a, directive, false);
    case DIRECTIVE_PIN: return add_dim(a, directive, true);
    case DIRECTIVE_KEPT: return add_kept(a, directive);
    case DIRECTIVE_BOUND: return add_bound(a, directive);
    case DIRECTIVE_NAME:
        return subject_of(a, directive->subject) == NO_ID
                   ? wrong(a, directive, "name", "isn't declared")
                   : O2W_OK;
    case DIRECTIVE_LABELS: return add_labels(a, directive, index);
    case DIRECTIVE_META: return add_meta(a, directive);
    }
    return O2W_INTERNAL;
}

static o2w_status apply_all(struct applying *a)
{
    const struct document *doc = a->loader->doc;
    for (size_t i = 0; i < doc->outputs.count; i++)
        if (map_insert(&a->bindings, doc->outputs.items[i].binding, (uint32_t)i,
                       &(uint32_t *){ NULL }, NULL) != O2W_OK)
            return diag_memory(a->loader->diags);
    for (size_t i = 0; i < doc->directives.count; i++)
        TRY(apply(a, &doc->directives.items[i], (uint32_t)i));
    return O2W_OK;
}

o2w_status apply_directives(struct loader *l)
{
    struct applying a = { .loader = l, .graph = loader_graph(l) };
    map_init(&a.bindings, a.graph->allocator);
    map_init(&a.labelled, a.graph->allocator);
    o2w_status status = apply_all(&a);
    map_free(&a.bindings);
    map_free(&a.labelled);
    return status;
}
