#include "support/graph_compare.h"

#include <stdlib.h>
#include <string.h>

struct comparison {
    const struct graph *a, *b;
    enum compare_names names;
    struct arena *arena;
    operand_id *map; /* operands of a in b */
    const char *difference;
};

#define DIFFERS(c, ...) ((c)->difference = arena_printf((c)->arena, __VA_ARGS__), false)

/* ---- texts ---- */

/* What a file makes of texts that it may not hold. */
static struct span cleaned(struct arena *arena, struct span s)
{
    uint8_t *to = arena_alloc(arena, s.size + 1, 1);
    for (size_t i = 0; i < s.size; i++) {
        bool colons = s.data[i] == ':' &&
                      ((i + 1 < s.size && s.data[i + 1] == ':') || (i > 0 && s.data[i - 1] == ':'));
        to[i] = colons || s.data[i] < 0x20 || s.data[i] == 0x7f ? '_' : s.data[i];
    }
    return (struct span){ to, s.size };
}

static bool same_text(const struct comparison *c, name_id a, name_id b)
{
    return span_equal(names_text(&c->a->names, a), names_text(&c->b->names, b));
}

static bool same_clean_text(const struct comparison *c, name_id a, name_id b)
{
    struct span x = cleaned(c->arena, names_text(&c->a->names, a));
    while (x.size > 255 || (x.size == 255 && names_text(&c->a->names, a).size > 255 &&
                            (x.data[255] & 0xc0) == 0x80))
        x.size--;
    return span_equal(x, names_text(&c->b->names, b));
}

static struct span given_name(const struct graph *g, operand_id id)
{
    const struct operand *o = graph_operand(g, id);
    return names_text(&g->names, o->original ? o->original : o->identifier);
}

/* ---- types ---- */

static bool same_dim(const struct comparison *c, dim a, dim b)
{
    if (dim_is_static(a) || dim_is_static(b))
        return a == b;
    const char *x = expr_text(c->a->exprs, dim_expr_id(a), c->arena),
               *y = expr_text(c->b->exprs, dim_expr_id(b), c->arena);
    int64_t low[2], high[2];
    dim_bounds(c->a->exprs, a, &low[0], &high[0]);
    dim_bounds(c->b->exprs, b, &low[1], &high[1]);
    return span_equal(cleaned(c->arena, span_of(x)), cleaned(c->arena, span_of(y))) &&
           low[0] == low[1] && high[0] == high[1];
}

static bool same_dims(const struct comparison *c, const dim *a, const dim *b, uint32_t rank)
{
    for (uint32_t i = 0; i < rank; i++)
        if (!same_dim(c, a[i], b[i]))
            return false;
    return true;
}

static bool same_type(struct comparison *c, operand_id a, operand_id b)
{
    const struct operand *x = graph_operand(c->a, a), *y = graph_operand(c->b, b);
    if (x->kind == y->kind && x->dtype == y->dtype && x->rank == y->rank &&
        same_dims(c, x->dims, y->dims, x->rank))
        return true;
    return DIFFERS(c, "operand %u is %s%s, the other %s%s", a, dtype_name(x->dtype),
                   dim_list_text(c->a->exprs, x->dims, x->rank, c->arena), dtype_name(y->dtype),
                   dim_list_text(c->b->exprs, y->dims, y->rank, c->arena));
}

static bool same_name(struct comparison *c, operand_id a, operand_id b)
{
    struct span x = given_name(c->a, a), y = given_name(c->b, b);
    if (x.size == 0 || span_equal(x, y))
        return true;
    return DIFFERS(c, "operand %u is '%.*s', the other '%.*s'", a, SPAN_ARG(x), SPAN_ARG(y));
}

/* ---- parts ---- */

static bool same_inputs(struct comparison *c)
{
    if (c->a->inputs.count != c->b->inputs.count)
        return DIFFERS(c, "%zu inputs, the other has %zu", c->a->inputs.count, c->b->inputs.count);
    for (size_t i = 0; i < c->a->inputs.count; i++) {
        operand_id a = c->a->inputs.items[i], b = c->b->inputs.items[i];
        c->map[a] = b;
        if (!same_type(c, a, b) || (c->names != COMPARE_NO_NAMES && !same_name(c, a, b)))
            return false;
    }
    return true;
}

static bool same_constants(struct comparison *c)
{
    if (c->a->constants.count != c->b->constants.count)
        return DIFFERS(c, "%zu constants, the other has %zu", c->a->constants.count,
                       c->b->constants.count);
    for (size_t i = 0; i < c->a->constants.count; i++) {
        operand_id a = c->a->constants.items[i], b = c->b->constants.items[i];
        bool same = false;
        c->map[a] = b;
        if (!same_type(c, a, b) || (c->names != COMPARE_NO_NAMES && !same_name(c, a, b)))
            return false;
        if (weight_same(graph_weight(c->a, a), graph_weight(c->b, b), NULL, &same) != O2W_OK ||
            !same)
            return DIFFERS(c, "constant %zu differs", i);
    }
    return true;
}

static bool same_list(const struct comparison *c, const struct webnn_dims *a,
                      const struct webnn_dims *b)
{
    return a->given == b->given &&
           (!a->given || (a->count == b->count && same_dims(c, a->items, b->items, a->count)));
}

static bool same_attributes(struct comparison *c, size_t index, const struct operator_row *row,
                            const void *a, const void *b)
{
    for (uint32_t i = 0; i < row->attribute_count; i++) {
        const struct attribute_row *r = &row->attributes[i];
        bool same = r->type == ATTRIBUTE_DIMS ? same_list(c, attribute_at(a, r), attribute_at(b, r))
                                              : attribute_equal(r, a, b);
        if (!same)
            return DIFFERS(c, "operator %zu, %s: %s differs", index, row->name, r->name);
    }
    return true;
}

static bool same_operator(struct comparison *c, size_t index)
{
    const struct operator_node *a = &c->a->operators.items[index],
                               *b = &c->b->operators.items[index];
    const struct operator_row *row = operator_row(a->kind);
    if (a->kind != b->kind || a->result_count != b->result_count)
        return DIFFERS(c, "operator %zu is %s, the other %s", index, row->name,
                       operator_row(b->kind)->name);
    uint32_t count = a->operand_count > b->operand_count ? a->operand_count : b->operand_count;
    for (uint32_t i = 0; i < count; i++) {
        operand_id x = i < a->operand_count ? a->operands[i] : NO_ID,
                   y = i < b->operand_count ? b->operands[i] : NO_ID;
        if ((x == NO_ID ? NO_ID : c->map[x]) != y)
            return DIFFERS(c, "operator %zu, %s: operand %u differs", index, row->name, i);
    }
    for (uint32_t i = 0; i < a->result_count; i++) {
        c->map[a->first_result + i] = b->first_result + i;
        if (!same_type(c, a->first_result + i, b->first_result + i) ||
            (c->names == COMPARE_ALL_NAMES &&
             !same_name(c, a->first_result + i, b->first_result + i)))
            return false;
    }
    if (c->names == COMPARE_ALL_NAMES && !same_clean_text(c, a->label, b->label))
        return DIFFERS(c, "operator %zu, %s: label differs", index, row->name);
    return same_attributes(c, index, row, a->attributes, b->attributes);
}

/* The operand of an output of b, seen through the identities behind the operators of a. */
static operand_id bound_operand(const struct comparison *c, const struct graph_output *output)
{
    const struct operand *o = graph_operand(c->b, output->operand);
    bool added = o->source >= c->a->operators.count;
    return added ? c->b->operators.items[o->source].operands[0] : output->operand;
}

static bool same_outputs(struct comparison *c)
{
    if (c->a->outputs.count != c->b->outputs.count)
        return DIFFERS(c, "%zu outputs, the other has %zu", c->a->outputs.count,
                       c->b->outputs.count);
    for (size_t i = 0; i < c->a->outputs.count; i++) {
        const struct graph_output *a = &c->a->outputs.items[i], *b = &c->b->outputs.items[i];
        if (c->map[a->operand] != bound_operand(c, b))
            return DIFFERS(c, "output %zu is of another operand", i);
        if (c->names != COMPARE_NO_NAMES && !same_text(c, a->name, b->name))
            return DIFFERS(c, "output %zu is '%.*s', the other '%.*s'", i,
                           SPAN_ARG(names_text(&c->a->names, a->name)),
                           SPAN_ARG(names_text(&c->b->names, b->name)));
    }
    return true;
}

/* ---- what the conversion fixed, whatever the order ---- */

static const char *all_facts(const struct graph *g, bool meta, struct arena *arena)
{
    const char *text = "";
    for (size_t i = 0; i < g->dims.count; i++)
        text = arena_printf(arena, "%s dim %s %lld", text,
                            names_text(&g->names, g->dims.items[i].name).data,
                            (long long)g->dims.items[i].value);
    for (size_t i = 0; i < g->pins.count; i++)
        text = arena_printf(arena, "%s pin %s %lld", text,
                            names_text(&g->names, g->pins.items[i].name).data,
                            (long long)g->pins.items[i].value);
    for (size_t i = 0; i < g->kept.count; i++)
        text =
            arena_printf(arena, "%s kept %s", text, names_text(&g->names, g->kept.items[i]).data);
    for (size_t i = 0; i < g->bounds.count; i++)
        text = arena_printf(arena, "%s bound %s %lld", text,
                            names_text(&g->names, g->bounds.items[i].output).data,
                            (long long)g->bounds.items[i].value);
    for (size_t i = 0; meta && i < g->meta.count; i++)
        text = arena_printf(arena, "%s meta %s %s", text,
                            names_text(&g->names, g->meta.items[i].key).data,
                            names_text(&g->names, g->meta.items[i].value).data);
    return arena_printf(arena, "%s subgraph %s", text, names_text(&g->names, g->subgraph).data);
}

static int compare_bytes(const void *a, const void *b)
{
    return (int)*(const unsigned char *)a - *(const unsigned char *)b;
}

/* Order does not count, so the sorted bytes of all facts are compared. */
static bool same_facts(struct comparison *c)
{
    bool meta = c->names == COMPARE_ALL_NAMES;
    char *a = arena_text(c->arena, span_of(all_facts(c->a, meta, c->arena)));
    char *b = arena_text(c->arena, span_of(all_facts(c->b, meta, c->arena)));
    qsort(a, strlen(a), 1, compare_bytes);
    qsort(b, strlen(b), 1, compare_bytes);
    return strcmp(a, b) == 0
               ? true
               : DIFFERS(c, "dims, pins, kept inputs, bounds, subgraph or metadata differ");
}

static const struct graph_labels *labels_of(const struct graph *g, operand_id id)
{
    for (size_t i = 0; i < g->labels.count; i++)
        if (g->labels.items[i].operand == id)
            return &g->labels.items[i];
    return NULL;
}

static bool same_labels(struct comparison *c)
{
    if (c->a->labels.count != c->b->labels.count)
        return DIFFERS(c, "%zu labels, the other has %zu", c->a->labels.count, c->b->labels.count);
    for (size_t i = 0; i < c->a->labels.count; i++) {
        const struct graph_labels *a = &c->a->labels.items[i],
                                  *b = labels_of(c->b, c->map[a->operand]);
        if (!b || a->strings != b->strings || a->count != b->count)
            return DIFFERS(c, "labels %zu differ", i);
        for (uint32_t j = 0; j < a->count; j++)
            if (a->strings ? !same_text(c, a->texts[j], b->texts[j])
                           : a->integers[j] != b->integers[j])
                return DIFFERS(c, "labels %zu differ at %u", i, j);
    }
    return true;
}

static bool same_operators(struct comparison *c)
{
    if (c->b->operators.count < c->a->operators.count)
        return DIFFERS(c, "%zu operators, the other has %zu", c->a->operators.count,
                       c->b->operators.count);
    for (size_t i = 0; i < c->a->operators.count; i++)
        if (!same_operator(c, i))
            return false;
    for (size_t i = c->a->operators.count; i < c->b->operators.count; i++)
        if (c->b->operators.items[i].kind != WEBNN_IDENTITY)
            return DIFFERS(c, "the other has operator %zu more", i);
    return true;
}

const char *graph_difference(const struct graph *a, const struct graph *b, enum compare_names names,
                             struct arena *arena)
{
    struct comparison c = { a,   b, names, arena, ARENA_ARRAY(arena, a->operands.count, operand_id),
                            NULL };
    if (!same_text(&c, a->name, b->name))
        return "the names differ";
    return same_inputs(&c) && same_constants(&c) && same_operators(&c) && same_outputs(&c) &&
                   same_facts(&c) && same_labels(&c)
               ? NULL
               : c.difference;
}
