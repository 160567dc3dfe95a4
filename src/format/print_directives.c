#include "format/print_directives.h"

#include "base/number.h"

#include <stdlib.h>

/* ---- groups ---- */

static int compare_lines(const void *a, const void *b)
{
    const struct directive_line *x = a, *y = b;
    int order = span_compare(x->text, y->text);
    if (order == 0)
        order = span_compare(x->value, y->value);
    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

static size_t group_count(const struct graph *g, enum directive_group group)
{
    switch (group) {
    case GROUP_DIMS: return g->dims.count;
    case GROUP_PINS: return g->pins.count;
    case GROUP_KEPT: return g->kept.count;
    case GROUP_BOUNDS: return g->bounds.count;
    case GROUP_META: return g->meta.count;
    }
    return 0;
}

static struct directive_line group_line(const struct graph *g, enum directive_group group, size_t i)
{
    const struct names *names = &g->names;
    switch (group) {
    case GROUP_DIMS:
        return (struct directive_line){ .text = names_text(names, g->dims.items[i].name),
                                        .number = g->dims.items[i].value };
    case GROUP_PINS:
        return (struct directive_line){ .text = names_text(names, g->pins.items[i].name),
                                        .number = g->pins.items[i].value };
    case GROUP_KEPT: return (struct directive_line){ .text = names_text(names, g->kept.items[i]) };
    case GROUP_BOUNDS:
        return (struct directive_line){ .text = names_text(names, g->bounds.items[i].output),
                                        .number = g->bounds.items[i].value };
    case GROUP_META:
        return (struct directive_line){ .text = names_text(names, g->meta.items[i].key),
                                        .value = names_text(names, g->meta.items[i].value) };
    }
    return (struct directive_line){ 0 };
}

o2w_status directive_group(const struct plan *p, enum directive_group group,
                           struct directive_lines *out)
{
    bool written = group != GROUP_META || p->options->names == FORMAT_NAMES_ALL;
    out->count = written ? group_count(p->graph, group) : 0;
    out->items = ARENA_ARRAY(p->arena, out->count, struct directive_line);
    if (!out->items)
        return diag_memory(p->diags);
    for (size_t i = 0; i < out->count; i++)
        out->items[i] = group_line(p->graph, group, i);
    if (out->count > 1)
        qsort(out->items, out->count, sizeof *out->items, compare_lines);
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++)
        if (i == 0 || compare_lines(&out->items[i], &out->items[kept - 1]) != 0)
            out->items[kept++] = out->items[i];
    out->count = kept;
    return O2W_OK;
}

/* ---- names ---- */

struct collecting {
    const struct plan *plan;
    struct name_line *lines;
    size_t count;
};

static o2w_status add_name(struct collecting *c, struct span identifier, struct span original)
{
    size_t bad;
    if (original.size == 0 || span_equal(identifier, original))
        return O2W_OK;
    c->lines[c->count++] = (struct name_line){ identifier, original };
    if (utf8_valid(original, &bad))
        return O2W_OK;
    return diag_note(c->plan->diags, DIAG_TEXT_DIRECTIVE,
                     "the name of '%.*s' is not UTF-8: its bytes from %zu on are lost",
                     SPAN_ARG(identifier), bad);
}

static o2w_status add_operand(struct collecting *c, operand_id id)
{
    return add_name(c, c->plan->names.operands[id], c->plan->names.originals[id]);
}

static bool *output_operands(const struct plan *p)
{
    bool *is = ARENA_ARRAY(p->arena, p->graph->operands.count, bool);
    for (size_t i = 0; is && i < p->graph->outputs.count; i++)
        is[p->graph->outputs.items[i].operand] = true;
    return is;
}

static o2w_status add_results(struct collecting *c)
{
    const struct graph *g = c->plan->graph;
    const bool *is_output = output_operands(c->plan);
    if (!is_output)
        return diag_memory(c->plan->diags);
    for (operand_id id = 0; id < g->operands.count; id++)
        if (graph_operand(g, id)->kind == OPERAND_RESULT && !is_output[id])
            TRY(add_operand(c, id));
    return O2W_OK;
}

o2w_status directive_names(const struct plan *p, struct name_line **out, size_t *count)
{
    const struct graph *g = p->graph;
    struct collecting c = { .plan = p };
    c.lines = ARENA_ARRAY(p->arena, g->operands.count + g->outputs.count, struct name_line);
    if (!c.lines)
        return diag_memory(p->diags);
    *out = c.lines;
    *count = 0;
    if (p->options->names == FORMAT_NAMES_NONE)
        return O2W_OK;
    for (size_t i = 0; i < g->inputs.count; i++)
        TRY(add_operand(&c, g->inputs.items[i]));
    for (size_t i = 0; i < g->constants.count; i++)
        TRY(add_operand(&c, g->constants.items[i]));
    if (p->options->names == FORMAT_NAMES_ALL)
        TRY(add_results(&c));
    for (size_t i = 0; i < g->outputs.count; i++)
        TRY(add_name(&c, p->names.outputs[i], names_text(&g->names, g->outputs.items[i].name)));
    *count = c.count;
    return O2W_OK;
}

/* ---- labels ---- */

struct labelled {
    const struct graph_labels *labels;
    uint32_t output; /* its place; UINT32_MAX: not an output */
};

static int compare_labelled(const void *a, const void *b)
{
    const struct labelled *x = a, *y = b;
    if (x->output != y->output)
        return x->output < y->output ? -1 : 1;
    return (x->labels > y->labels) - (x->labels < y->labels);
}

o2w_status directive_labels(const struct plan *p, const struct graph_labels ***out)
{
    const struct graph *g = p->graph;
    const struct graph_labels **sorted =
        ARENA_ARRAY(p->arena, g->labels.count, const struct graph_labels *);
    struct labelled *all = ARENA_ARRAY(p->arena, g->labels.count, struct labelled);
    uint32_t *places = ARENA_ARRAY(p->arena, g->labels.count ? g->operands.count : 0, uint32_t);
    if (!sorted || !all || !places)
        return diag_memory(p->diags);
    for (uint32_t i = (uint32_t)g->outputs.count; g->labels.count > 0 && i-- > 0;)
        places[g->outputs.items[i].operand] = i + 1;
    for (size_t i = 0; i < g->labels.count; i++)
        all[i] = (struct labelled){ &g->labels.items[i], places[g->labels.items[i].operand] - 1 };
    if (g->labels.count > 1)
        qsort(all, g->labels.count, sizeof *all, compare_labelled);
    for (size_t i = 0; i < g->labels.count; i++)
        sorted[i] = all[i].labels;
    *out = sorted;
    return O2W_OK;
}
