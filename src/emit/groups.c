#include "emit/groups.h"

#include "base/intern.h"

#include <string.h>

enum { LEAST_MEMBERS = 4, LEAST_KINDS = 3, LEAST_BLOCKS = 2, MOST_PERIOD = 512, ROUNDS = 8 };

struct grouping {
    const struct graph *g;
    const struct layout *l;
    struct arena *arena;
    VEC(struct group) list;
    uint32_t *of;
    uint32_t *alias; /* by group: the one that stands for it */
    /* the tree: nodes first, then groups */
    uint32_t *parent, *local;
};

/* ---- by name ---- */

static struct span name_of(const struct grouping *s, const struct operator_node *n)
{
    const struct names *names = &s->g->names;
    struct span label = names_text(names, n->label);
    return label.size ? label : names_text(names, graph_operand(s->g, n->first_result)->original);
}

/* Where the prefix behind `from` ends: at the next slash; 0: there is none. */
static size_t next_part(struct span name, size_t from)
{
    for (size_t i = from; i < name.size; i++)
        if (name.data[i] == '/' && i > 0)
            return i;
    return 0;
}

static o2w_status add_group(struct grouping *s, struct span name, uint32_t parent, uint32_t *id)
{
    struct group new = { .name = name, .parent = parent };
    *id = (uint32_t)s->list.count;
    return VEC_PUSH(&s->list, new) ? O2W_OK : O2W_NO_MEMORY;
}

static o2w_status group_by_name(struct grouping *s, struct map *seen, uint32_t operator)
{
    struct span name = name_of(s, &s->g->operators.items[operator]);
    uint32_t group = 0, *value;
    bool added;
    for (size_t end = next_part(name, 0); end; end = next_part(name, end + 1)) {
        struct span prefix = { name.data, end };
        TRY(map_insert(seen, prefix, (uint32_t)s->list.count, &value, &added));
        if (added)
            TRY(add_group(s, prefix, group, value));
        group = *value;
    }
    s->of[s->l->input_count + operator] = group;
    return O2W_OK;
}

static o2w_status group_by_names(struct grouping *s)
{
    struct map seen;
    o2w_status status = O2W_OK;
    map_init(&seen, s->g->allocator);
    for (uint32_t i = 0; i < s->l->operator_count && status == O2W_OK; i++)
        status = group_by_name(s, &seen, i);
    map_free(&seen);
    return status;
}

static void count_members(struct grouping *s)
{
    for (size_t i = 0; i < s->list.count; i++)
        s->list.items[i].count = 0;
    for (uint32_t i = 0; i < s->l->operator_count; i++)
        s->list.items[s->of[s->l->input_count + i]].count++;
    for (size_t i = s->list.count; i-- > 1;)
        s->list.items[s->list.items[i].parent].count += s->list.items[i].count;
}

/* Groups of few operators, and those that hold all of their parent's, are no groups. */
static o2w_status dissolve(struct grouping *s)
{
    uint32_t kept = 0;
    s->alias = ARENA_ARRAY(s->arena, s->list.count, uint32_t);
    if (!s->alias)
        return O2W_NO_MEMORY;
    count_members(s);
    for (uint32_t i = 0; i < s->list.count; i++) {
        struct group *group = &s->list.items[i];
        uint32_t parent = s->alias[group->parent];
        bool all = i > 0 && group->count == s->list.items[parent].count;
        if (all && parent)
            s->list.items[parent].name = group->name;
        s->alias[i] = parent;
        if (i > 0 && (all || group->count < LEAST_MEMBERS))
            continue;
        struct group copy = *group;
        copy.parent = parent;
        s->alias[i] = kept;
        s->list.items[kept++] = copy;
    }
    s->list.count = kept;
    for (uint32_t i = 0; i < s->l->count; i++)
        s->of[i] = s->alias[s->of[i]];
    return O2W_OK;
}

/* ---- by repeated structure ---- */

struct repeat {
    uint32_t start, period, blocks;
};

/* What makes two operators alike. */
static uint32_t signature(const struct grouping *s, uint32_t operator)
{
    const struct operator_node *n = &s->g->operators.items[operator];
    const struct operand *o = graph_operand(s->g, n->first_result);
    return ((uint32_t)n->kind << 16) | (n->operand_count & 15) << 12 | (uint32_t)o->dtype << 6 |
           (o->rank & 31);
}

static uint32_t kinds_in(const uint32_t *signs, uint32_t count)
{
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < count && kinds < LEAST_KINDS; i++) {
        bool known = false;
        for (uint32_t k = 0; k < i && !known; k++)
            known = signs[k] == signs[i];
        kinds += !known;
    }
    return kinds;
}

/* The longest stretch that repeats with this period. */
static struct repeat longest(const uint32_t *signs, uint32_t count, uint32_t period)
{
    struct repeat best = { .period = period };
    uint32_t run = 0;
    for (uint32_t i = period; i <= count; i++) {
        bool same = i < count && signs[i] && signs[i] == signs[i - period];
        run = same ? run + 1 : 0;
        uint32_t blocks = (run + period) / period;
        if (run && blocks > best.blocks && blocks >= LEAST_BLOCKS) {
            best.blocks = blocks;
            best.start = i + 1 - run - period;
        }
    }
    return best;
}

static struct repeat find_repeat(const uint32_t *signs, uint32_t count)
{
    struct repeat best = { 0 };
    for (uint32_t period = LEAST_MEMBERS; period <= MOST_PERIOD && 2 * period <= count; period++) {
        struct repeat r = longest(signs, count, period);
        if (r.blocks * period > best.blocks * best.period &&
            kinds_in(signs + r.start, period) >= LEAST_KINDS)
            best = r;
    }
    return best;
}

static o2w_status group_by_structure(struct grouping *s)
{
    uint32_t count = s->l->operator_count, id;
    uint32_t *signs = ARENA_ARRAY(s->arena, count, uint32_t);
    if (!signs)
        return O2W_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        signs[i] = signature(s, i) + 1;
    for (int round = 0; round < ROUNDS; round++) {
        struct repeat r = find_repeat(signs, count);
        if (r.blocks < LEAST_BLOCKS)
            break;
        for (uint32_t b = 0; b < r.blocks; b++) {
            const char *name = arena_printf(s->arena, "block %u of %u", b + 1, r.blocks);
            if (!name || add_group(s, span_of(name), 0, &id) != O2W_OK)
                return O2W_NO_MEMORY;
            for (uint32_t i = r.start + b * r.period; i < r.start + (b + 1) * r.period; i++) {
                s->of[s->l->input_count + i] = id;
                signs[i] = 0;
            }
        }
    }
    count_members(s);
    return O2W_OK;
}

/* ---- the inside of every group ---- */

/* Members of each group in the order of their first operator. */
static o2w_status collect_members(struct grouping *s)
{
    uint32_t nodes = s->l->count, groups = (uint32_t)s->list.count;
    uint32_t *sizes = ARENA_ARRAY(s->arena, groups, uint32_t);
    s->parent = ARENA_ARRAY(s->arena, nodes + groups, uint32_t);
    s->local = ARENA_ARRAY(s->arena, nodes + groups, uint32_t);
    bool *listed = ARENA_ARRAY(s->arena, nodes + groups, bool);
    if (!sizes || !s->parent || !s->local || !listed)
        return O2W_NO_MEMORY;
    for (uint32_t i = 0; i < nodes + groups; i++)
        s->parent[i] = i < nodes ? s->of[i] : s->list.items[i - nodes].parent;
    listed[nodes] = true;
    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t at = i; !listed[at]; at = nodes + s->parent[at]) {
            listed[at] = true;
            s->local[at] = sizes[s->parent[at]]++;
        }
    for (uint32_t i = 0; i < groups; i++) {
        struct layout *inside = &s->list.items[i].inside;
        inside->count = sizes[i];
        inside->nodes = ARENA_ARRAY(s->arena, sizes[i], struct layout_node);
        inside->edges.allocator = s->g->allocator;
        if (!inside->nodes)
            return O2W_NO_MEMORY;
    }
    return O2W_OK;
}

static uint32_t depth_of(const struct grouping *s, uint32_t group)
{
    uint32_t depth = 0;
    for (; group; group = s->list.items[group].parent)
        depth++;
    return depth;
}

/* An edge belongs to the innermost group that holds both ends, between the members that they are in. */
static o2w_status take_edge(struct grouping *s, const struct layout_edge *e)
{
    uint32_t nodes = s->l->count, from = e->from, to = e->to;
    uint32_t a = depth_of(s, s->parent[from]), b = depth_of(s, s->parent[to]);
    while (s->parent[from] != s->parent[to]) {
        bool climb = a >= b;
        uint32_t *end = climb ? &from : &to;
        a -= climb;
        b -= !climb;
        *end = nodes + s->parent[*end];
    }
    struct layout *inside = &s->list.items[s->parent[from]].inside;
    struct layout_edge own = { s->local[from], s->local[to], e->operand };
    if (own.from >= own.to)
        return O2W_OK; /* back into a group that was left */
    return VEC_PUSH(&inside->edges, own) ? O2W_OK : O2W_NO_MEMORY;
}

static struct layout_node *member(struct grouping *s, uint32_t id)
{
    return &s->list.items[s->parent[id]].inside.nodes[s->local[id]];
}

static o2w_status arrange(struct grouping *s, struct groups *out)
{
    uint32_t nodes = s->l->count;
    TRY(collect_members(s));
    for (size_t i = 0; i < s->l->edges.count; i++)
        TRY(take_edge(s, &s->l->edges.items[i]));
    for (uint32_t i = 0; i < nodes; i++)
        member(s, i)->width = s->l->nodes[i].width;
    for (uint32_t i = 1; i < s->list.count; i++)
        member(s, nodes + i)->width = layout_width(s->list.items[i].name);
    for (uint32_t i = 0; i < s->list.count; i++)
        TRY(layout_place(&s->list.items[i].inside, s->arena));
    for (uint32_t i = 0; i < nodes; i++)
        out->nodes[i] = *member(s, i);
    for (uint32_t i = 1; i < s->list.count; i++) {
        struct group *group = &s->list.items[i];
        const struct layout_node *place = member(s, nodes + i);
        group->x = place->x;
        group->y = place->y;
        group->width = place->width;
    }
    return O2W_OK;
}

static o2w_status find_groups(struct grouping *s)
{
    uint32_t root;
    TRY(add_group(s, SPAN(""), 0, &root));
    TRY(group_by_names(s));
    TRY(dissolve(s));
    return s->list.count == 1 ? group_by_structure(s) : O2W_OK;
}

o2w_status groups_make(const struct graph *g, const struct layout *l, struct arena *arena,
                       struct groups *out)
{
    struct grouping s = { .g = g, .l = l, .arena = arena, .list.allocator = g->allocator };
    struct groups made = { .of = s.of = ARENA_ARRAY(arena, l->count, uint32_t),
                           .nodes = ARENA_ARRAY(arena, l->count, struct layout_node) };
    o2w_status status = made.of && made.nodes ? find_groups(&s) : O2W_NO_MEMORY;
    if (status == O2W_OK)
        status = arrange(&s, &made);
    made.count = (uint32_t)s.list.count;
    made.items = ARENA_ARRAY(arena, s.list.count, struct group);
    if (made.items && s.list.count)
        memcpy(made.items, s.list.items, s.list.count * sizeof *made.items);
    for (size_t i = 0; !made.items && i < s.list.count; i++)
        layout_free(&s.list.items[i].inside);
    VEC_FREE(&s.list);
    if (status == O2W_OK && !made.items)
        status = O2W_NO_MEMORY;
    if (status == O2W_OK)
        *out = made;
    else if (made.items)
        groups_free(&made);
    return status;
}

void groups_free(struct groups *groups)
{
    for (uint32_t i = 0; i < groups->count; i++)
        layout_free(&groups->items[i].inside);
}
