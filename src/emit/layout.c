#include "emit/layout.h"

#include <stdlib.h>

enum { SWEEPS = 4, GAP = 20, LETTER = 8, LEAST = 64, MOST_LETTERS = 24 };

struct place {
    double wanted; /* the middle that its neighbours ask for */
    uint32_t node, before;
};

struct ordering {
    struct layout *l;
    struct arena *arena;
    uint32_t *starts;     /* by layer: first of its places */
    struct place *places; /* layer after layer */
    uint32_t layer_count;
    uint32_t *first_in, *first_out; /* by node: its edges in `in` and `out` */
    uint32_t *in, *out;             /* edge numbers by target, by source */
};

struct span layout_text(const struct graph *g, const struct layout *l, uint32_t node,
                        struct arena *arena)
{
    if (node < l->input_count)
        return graph_operand_name(g, g->inputs.items[node], arena);
    if (node < l->input_count + l->operator_count)
        return span_of(operator_row(g->operators.items[node - l->input_count].kind)->name);
    const struct graph_output *o = &g->outputs.items[node - l->input_count - l->operator_count];
    return names_text(&g->names, o->name);
}

/* ---- edges ---- */

/* The node that makes an operand; NO_ID for constants. */
static uint32_t maker(const struct graph *g, const struct layout *l, operand_id id)
{
    const struct operand *o = graph_operand(g, id);
    return o->kind == OPERAND_INPUT    ? o->source
           : o->kind == OPERAND_RESULT ? l->input_count + o->source
                                       : NO_ID;
}

static bool add_edge(const struct graph *g, struct layout *l, operand_id id, uint32_t to)
{
    uint32_t from = id == NO_ID ? NO_ID : maker(g, l, id);
    return from == NO_ID || VEC_PUSH(&l->edges, ((struct layout_edge){ from, to, id }));
}

static bool add_edges(const struct graph *g, struct layout *l)
{
    bool room = true;
    for (uint32_t i = 0; i < l->operator_count && room; i++)
        for (uint32_t k = 0; k < g->operators.items[i].operand_count && room; k++)
            room = add_edge(g, l, g->operators.items[i].operands[k], l->input_count + i);
    for (uint32_t i = 0; i < l->output_count && room; i++)
        room = add_edge(g, l, g->outputs.items[i].operand, l->input_count + l->operator_count + i);
    return room;
}

/* ---- layers ---- */

/* Operators stand in topological order, so one pass finds the longest path. */
static uint32_t assign_layers(struct layout *l)
{
    uint32_t most = 0;
    for (size_t i = 0; i < l->edges.count; i++) {
        const struct layout_edge *e = &l->edges.items[i];
        uint32_t below = l->nodes[e->from].layer + 1;
        if (l->nodes[e->to].layer < below)
            l->nodes[e->to].layer = below;
        most = below > most ? below : most;
    }
    return most + 1;
}

/* Counting sort of edges by one end: those of node i are first[i] … first[i + 1] of `sorted`. */
static void sort_edges(const struct layout *l, bool by_target, uint32_t *first, uint32_t *sorted)
{
    for (size_t i = 0; i < l->edges.count; i++)
        first[by_target ? l->edges.items[i].to : l->edges.items[i].from]++;
    for (uint32_t i = 1; i <= l->count; i++)
        first[i] += first[i - 1];
    for (size_t i = l->edges.count; i-- > 0;)
        sorted[--first[by_target ? l->edges.items[i].to : l->edges.items[i].from]] = (uint32_t)i;
}

static void fill_places(struct ordering *o)
{
    for (uint32_t i = 0; i < o->l->count; i++)
        o->starts[o->l->nodes[i].layer + 1]++;
    for (uint32_t i = 0; i < o->layer_count; i++)
        o->starts[i + 1] += o->starts[i];
    uint32_t *next = ARENA_ARRAY(o->arena, o->layer_count, uint32_t);
    for (uint32_t i = 0; i < o->l->count && next; i++) {
        uint32_t layer = o->l->nodes[i].layer;
        o->places[o->starts[layer] + next[layer]++] = (struct place){ .node = i };
    }
}

/* ---- order and place ---- */

static double middle(const struct layout_node *n)
{
    return n->x + n->width / 2;
}

/* The mean of the middles of the neighbours above or below; its own without any. */
static double wanted_middle(const struct ordering *o, uint32_t node, bool above)
{
    const uint32_t *first = above ? o->first_in : o->first_out, *list = above ? o->in : o->out;
    double sum = 0;
    uint32_t count = first[node + 1] - first[node];
    for (uint32_t i = first[node]; i < first[node + 1]; i++) {
        const struct layout_edge *e = &o->l->edges.items[list[i]];
        sum += middle(&o->l->nodes[above ? e->from : e->to]);
    }
    return count ? sum / count : middle(&o->l->nodes[node]);
}

static int by_wanted(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->wanted != y->wanted)
        return x->wanted < y->wanted ? -1 : 1;
    return x->before < y->before ? -1 : x->before > y->before;
}

/* Side by side without overlap, the whole as near as it can be to where its parts want to be. */
static void set_layer(struct ordering *o, uint32_t layer)
{
    struct place *p = &o->places[o->starts[layer]];
    uint32_t count = o->starts[layer + 1] - o->starts[layer];
    double edge = -1e300, shift = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct layout_node *n = &o->l->nodes[p[i].node];
        double x = p[i].wanted - n->width / 2;
        n->x = x > edge ? x : edge;
        edge = n->x + n->width + GAP;
        shift += n->x - x;
    }
    for (uint32_t i = 0; i < count; i++)
        o->l->nodes[p[i].node].x -= shift / count;
}

static void sweep(struct ordering *o, bool down)
{
    for (uint32_t k = 0; k < o->layer_count; k++) {
        uint32_t layer = down ? k : o->layer_count - 1 - k;
        struct place *p = &o->places[o->starts[layer]];
        uint32_t count = o->starts[layer + 1] - o->starts[layer];
        for (uint32_t i = 0; i < count; i++) {
            p[i].wanted = wanted_middle(o, p[i].node, down);
            p[i].before = i;
        }
        qsort(p, count, sizeof *p, by_wanted);
        set_layer(o, layer);
    }
}

static void normalise(struct layout *l)
{
    double left = 1e300;
    for (uint32_t i = 0; i < l->count; i++)
        left = l->nodes[i].x < left ? l->nodes[i].x : left;
    for (uint32_t i = 0; i < l->count; i++) {
        struct layout_node *n = &l->nodes[i];
        n->x = (double)(int64_t)(n->x - left + GAP + 0.5);
        n->y = (double)n->layer * LAYOUT_ROW + GAP;
        l->width = n->x + n->width + GAP > l->width ? n->x + n->width + GAP : l->width;
        l->height = n->y + LAYOUT_HEIGHT + GAP > l->height ? n->y + LAYOUT_HEIGHT + GAP : l->height;
    }
}

static int by_target(const void *a, const void *b)
{
    const struct layout_edge *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->operand < y->operand ? -1 : x->operand > y->operand;
}

static bool is_sorted(const struct layout *l)
{
    for (size_t i = 1; i < l->edges.count; i++)
        if (l->edges.items[i - 1].to > l->edges.items[i].to)
            return false;
    return true;
}

o2w_status layout_place(struct layout *l, struct arena *arena)
{
    struct ordering ordering = { .l = l, .arena = arena }, *o = &ordering;
    if (!is_sorted(l))
        qsort(l->edges.items, l->edges.count, sizeof *l->edges.items, by_target);
    o->layer_count = assign_layers(l);
    o->starts = ARENA_ARRAY(o->arena, o->layer_count + 1, uint32_t);
    o->places = ARENA_ARRAY(o->arena, l->count, struct place);
    o->first_in = ARENA_ARRAY(o->arena, l->count + 1, uint32_t);
    o->first_out = ARENA_ARRAY(o->arena, l->count + 1, uint32_t);
    o->in = ARENA_ARRAY(o->arena, l->edges.count, uint32_t);
    o->out = ARENA_ARRAY(o->arena, l->edges.count, uint32_t);
    if (!o->starts || !o->places || !o->first_in || !o->first_out || !o->in || !o->out)
        return O2W_NO_MEMORY;
    sort_edges(l, true, o->first_in, o->in);
    sort_edges(l, false, o->first_out, o->out);
    fill_places(o);
    for (int i = 0; i < SWEEPS; i++)
        sweep(o, i % 2 == 0);
    sweep(o, true);
    normalise(l);
    return O2W_OK;
}

double layout_width(struct span text)
{
    double width = (double)(text.size > MOST_LETTERS ? MOST_LETTERS : text.size) * LETTER + GAP;
    return width < LEAST ? LEAST : width;
}

o2w_status layout_make(const struct graph *g, struct arena *arena, struct layout *out)
{
    struct layout l = { .input_count = (uint32_t)g->inputs.count,
                        .operator_count = (uint32_t)g->operators.count,
                        .output_count = (uint32_t)g->outputs.count,
                        .edges.allocator = g->allocator };
    l.count = l.input_count + l.operator_count + l.output_count;
    l.nodes = ARENA_ARRAY(arena, l.count, struct layout_node);
    o2w_status s = l.nodes && add_edges(g, &l) ? O2W_OK : O2W_NO_MEMORY;
    for (uint32_t i = 0; i < l.count && s == O2W_OK; i++)
        l.nodes[i].width = layout_width(layout_text(g, &l, i, arena));
    if (s == O2W_OK)
        s = layout_place(&l, arena);
    if (s == O2W_OK)
        *out = l;
    else
        layout_free(&l);
    return s;
}

void layout_free(struct layout *l)
{
    VEC_FREE(&l->edges);
}
