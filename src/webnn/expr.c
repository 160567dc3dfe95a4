#include "webnn/expr.h"

#include "webnn/expr_poly.h"

#include <string.h>

/* ---- life ---- */

/* Monomial 0: the empty product. */
static bool make_unit(struct exprs *x)
{
    return VEC_PUSH(&x->monomials, ((struct monomial){ .range = { 1, 1 } }));
}

o2w_status exprs_create(const o2w_allocator *allocator, struct exprs **out)
{
    struct exprs *x = mem_alloc(allocator, sizeof *x);
    if (!x)
        return O2W_NO_MEMORY;
    *x = (struct exprs){ .allocator = allocator };
    arena_init(&x->arena, allocator);
    map_init(&x->atom_map, allocator);
    map_init(&x->monomial_map, allocator);
    map_init(&x->node_map, allocator);
    map_init(&x->name_map, allocator);
    x->atoms.allocator = x->monomials.allocator = x->nodes.allocator = allocator;
    x->names.allocator = x->name_atoms.allocator = allocator;
    if (!make_unit(x)) {
        exprs_free(x);
        return O2W_NO_MEMORY;
    }
    *out = x;
    return O2W_OK;
}

void exprs_free(struct exprs *x)
{
    if (!x)
        return;
    VEC_FREE(&x->atoms);
    VEC_FREE(&x->monomials);
    VEC_FREE(&x->nodes);
    VEC_FREE(&x->names);
    VEC_FREE(&x->name_atoms);
    map_free(&x->atom_map);
    map_free(&x->monomial_map);
    map_free(&x->node_map);
    map_free(&x->name_map);
    arena_free(&x->arena);
    mem_free(x->allocator, x, sizeof *x);
}

/* ---- interning ---- */

/* The value of the key, or `fresh` under a copy of it. *copy is the interned key. */
static o2w_status intern(struct exprs *x, struct map *map, const void *data, size_t size,
                         size_t align, uint32_t fresh, uint32_t *value, const void **copy)
{
    struct span key = { data, size };
    uint32_t *found = map_find(map, key);
    if (found) {
        *value = *found;
        return O2W_OK;
    }
    void *bytes = arena_alloc(&x->arena, size, align);
    if (!bytes)
        return O2W_NO_MEMORY;
    if (size)
        memcpy(bytes, data, size);
    TRY(map_insert(map, (struct span){ bytes, size }, fresh, &found, NULL));
    *value = fresh;
    *copy = bytes;
    return O2W_OK;
}

/* The sum, saturated above every limit. */
static void extent_add(struct extent *e, struct extent part)
{
    e->weight += part.weight;
    if (e->weight > EXPR_WEIGHT_MAX + 1)
        e->weight = EXPR_WEIGHT_MAX + 1;
    if (part.depth > e->depth)
        e->depth = part.depth;
}

static bool extent_fits(struct extent e)
{
    return e.weight <= EXPR_WEIGHT_MAX && e.depth <= EXPR_DEPTH_MAX;
}

static struct interval atom_range(const struct exprs *x, enum atom_kind kind, expr_id a, expr_id b)
{
    struct interval ra = x->nodes.items[a].range, rb = x->nodes.items[b].range;
    switch (kind) {
    case ATOM_FLOOR: return interval_floor_div(ra, rb);
    case ATOM_CEIL: {
        struct interval down = interval_floor_div(interval_mul(ra, interval_of(-1)), rb);
        return interval_mul(down, interval_of(-1));
    }
    case ATOM_MOD: return interval_mod(ra, rb);
    case ATOM_MIN:
        return (struct interval){ ra.min < rb.min ? ra.min : rb.min,
                                  ra.max < rb.max ? ra.max : rb.max };
    case ATOM_MAX:
        return (struct interval){ ra.min > rb.min ? ra.min : rb.min,
                                  ra.max > rb.max ? ra.max : rb.max };
    case ATOM_NAME: break;
    }
    return (struct interval){ INT64_MIN, INT64_MAX };
}

o2w_status expr_intern_atom(struct exprs *x, enum atom_kind kind, expr_id a, expr_id b,
                            atom_id *out)
{
    struct atom atom = { .kind = kind, .a = a, .b = b, .extent = { .weight = 1 } };
    extent_add(&atom.extent, x->nodes.items[a].extent);
    extent_add(&atom.extent, x->nodes.items[b].extent);
    atom.extent.depth++;
    if (!extent_fits(atom.extent))
        return O2W_RANGE;
    atom.range = atom_range(x, kind, a, b);
    if (!VEC_RESERVE(&x->atoms, 1))
        return O2W_NO_MEMORY;
    uint32_t key[3] = { kind, a, b }, id = 0, fresh = (uint32_t)x->atoms.count;
    const void *copy = NULL;
    TRY(intern(x, &x->atom_map, key, sizeof key, _Alignof(uint32_t), fresh, &id, &copy));
    if (copy)
        x->atoms.items[x->atoms.count++] = atom;
    *out = id;
    return O2W_OK;
}

o2w_status expr_intern_monomial(struct exprs *x, const atom_id *factors, uint32_t count,
                                monomial_id *out)
{
    if (count == 0) {
        *out = 0;
        return O2W_OK;
    }
    struct monomial m = { .count = count, .range = { 1, 1 } };
    for (uint32_t i = 0; i < count; i++) {
        const struct atom *atom = &x->atoms.items[factors[i]];
        m.range = interval_mul(m.range, atom->range);
        extent_add(&m.extent, atom->extent);
    }
    if (!extent_fits(m.extent))
        return O2W_RANGE;
    if (!VEC_RESERVE(&x->monomials, 1))
        return O2W_NO_MEMORY;
    uint32_t id = 0, fresh = (uint32_t)x->monomials.count;
    const void *copy = NULL;
    TRY(intern(x, &x->monomial_map, factors, count * sizeof *factors, _Alignof(atom_id), fresh, &id,
               &copy));
    if (copy) {
        m.factors = copy;
        x->monomials.items[x->monomials.count++] = m;
    }
    *out = id;
    return O2W_OK;
}

static struct extent poly_extent(const struct exprs *x, const struct poly *p)
{
    struct extent e = { 0 };
    for (size_t i = 0; i < p->count; i++) {
        extent_add(&e, x->monomials.items[p->items[i].monomial].extent);
        extent_add(&e, (struct extent){ .weight = 1 });
    }
    return e;
}

o2w_status expr_intern(struct exprs *x, const struct poly *p, expr_id *out)
{
    struct expr_node node = { .count = (uint32_t)p->count,
                              .range = poly_range(x, p),
                              .extent = poly_extent(x, p) };
    if (!extent_fits(node.extent))
        return O2W_RANGE;
    if (!VEC_RESERVE(&x->nodes, 1))
        return O2W_NO_MEMORY;
    uint32_t id = 0, fresh = (uint32_t)x->nodes.count;
    const void *copy = NULL;
    TRY(intern(x, &x->node_map, p->items, p->count * sizeof *p->items, _Alignof(struct term), fresh,
               &id, &copy));
    if (copy) {
        node.terms = copy;
        x->nodes.items[x->nodes.count++] = node;
    }
    *out = id;
    return O2W_OK;
}

/* ---- numbers and names ---- */

static o2w_status intern_term(struct exprs *x, int64_t coefficient, monomial_id monomial,
                              expr_id *out)
{
    struct term term = { .coefficient = coefficient, .monomial = monomial };
    struct poly p = { .items = &term, .count = coefficient != 0 };
    return expr_intern(x, &p, out);
}

o2w_status expr_number(struct exprs *x, int64_t value, expr_id *out)
{
    return intern_term(x, value, 0, out);
}

static o2w_status check_name_bounds(const struct exprs *x, uint32_t index, int64_t min, int64_t max,
                                    struct diags *d)
{
    struct span name = x->names.items[index];
    struct interval range = x->atoms.items[x->name_atoms.items[index]].range;
    if (range.max != max)
        return diag_error(d, DIAG_DYN_MAX, "dimension '%.*s' has maxima %lld and %lld",
                          SPAN_ARG(name), (long long)range.max, (long long)max);
    if (range.min != min)
        return diag_error(d, DIAG_DYN_MAX, "dimension '%.*s' has minima %lld and %lld",
                          SPAN_ARG(name), (long long)range.min, (long long)min);
    return O2W_OK;
}

static o2w_status declare_name(struct exprs *x, struct span name, struct interval range,
                               uint32_t *index)
{
    if (!VEC_RESERVE(&x->names, 1) || !VEC_RESERVE(&x->name_atoms, 1) || !VEC_RESERVE(&x->atoms, 1))
        return O2W_NO_MEMORY;
    const void *copy = NULL;
    uint32_t fresh = (uint32_t)x->names.count;
    TRY(intern(x, &x->name_map, name.data, name.size, 1, fresh, index, &copy));
    x->names.items[x->names.count++] = (struct span){ copy, name.size };
    x->name_atoms.items[x->name_atoms.count++] = (atom_id)x->atoms.count;
    x->atoms.items[x->atoms.count++] =
        (struct atom){ .kind = ATOM_NAME, .a = fresh, .range = range, .extent = { .weight = 1 } };
    return O2W_OK;
}

static o2w_status name_expr(struct exprs *x, uint32_t index, expr_id *out)
{
    monomial_id monomial;
    TRY(expr_intern_monomial(x, &x->name_atoms.items[index], 1, &monomial));
    return intern_term(x, 1, monomial, out);
}

o2w_status expr_name(struct exprs *x, struct span name, int64_t min, int64_t max, struct diags *d,
                     expr_id *out)
{
    uint32_t *found = map_find(&x->name_map, name), index = 0;
    o2w_status status;
    if (found) {
        index = *found;
        TRY(check_name_bounds(x, index, min, max, d));
        status = name_expr(x, index, out);
    } else {
        status = declare_name(x, name, (struct interval){ min, max }, &index);
        if (status == O2W_OK)
            status = name_expr(x, index, out);
    }
    return status == O2W_NO_MEMORY ? diag_memory(d) : status;
}

/* A name is interned as an expression when it is declared, so that looking it up changes nothing. */
bool expr_find_name(const struct exprs *x, struct span name, expr_id *out)
{
    uint32_t *found = map_find(&x->name_map, name);
    if (!found)
        return false;
    const uint32_t *monomial =
        map_find(&x->monomial_map,
                 (struct span){ (const uint8_t *)&x->name_atoms.items[*found], sizeof(atom_id) });
    if (!monomial)
        return false;
    struct term term = { .coefficient = 1, .monomial = *monomial };
    const uint32_t *id =
        map_find(&x->node_map, (struct span){ (const uint8_t *)&term, sizeof term });
    if (!id)
        return false;
    *out = *id;
    return true;
}

size_t expr_name_count(const struct exprs *x)
{
    return x->names.count;
}

void expr_name_at(const struct exprs *x, size_t index, struct span *name, int64_t *min,
                  int64_t *max)
{
    struct interval range = x->atoms.items[x->name_atoms.items[index]].range;
    *name = x->names.items[index];
    *min = range.min;
    *max = range.max;
}

/* ---- asking ---- */

bool expr_is_number(const struct exprs *x, expr_id e, int64_t *value)
{
    const struct expr_node *node = &x->nodes.items[e];
    struct poly p = { .items = (struct term *)(uintptr_t)node->terms, .count = node->count };
    return poly_number(&p, value);
}

bool expr_is_atom(const struct exprs *x, expr_id e, atom_id *out)
{
    const struct expr_node *node = &x->nodes.items[e];
    if (node->count != 1 || node->terms[0].coefficient != 1)
        return false;
    const struct monomial *m = &x->monomials.items[node->terms[0].monomial];
    if (m->count != 1)
        return false;
    *out = m->factors[0];
    return true;
}

bool expr_is_name(const struct exprs *x, expr_id e, size_t *index)
{
    atom_id atom;
    if (!expr_is_atom(x, e, &atom) || x->atoms.items[atom].kind != ATOM_NAME)
        return false;
    *index = x->atoms.items[atom].a;
    return true;
}

void expr_bounds(const struct exprs *x, expr_id e, int64_t *min, int64_t *max)
{
    *min = x->nodes.items[e].range.min;
    *max = x->nodes.items[e].range.max;
}

size_t expr_term_count(const struct exprs *x, expr_id e)
{
    return x->nodes.items[e].count;
}

int64_t expr_term(const struct exprs *x, expr_id e, size_t term, size_t *factors)
{
    const struct term *t = &x->nodes.items[e].terms[term];
    *factors = x->monomials.items[t->monomial].count;
    return t->coefficient;
}

void expr_factor_at(const struct exprs *x, expr_id e, size_t term, size_t factor,
                    struct expr_factor *out)
{
    static const enum expr_op ops[] = {
        [ATOM_FLOOR] = EXPR_FLOOR_DIV, [ATOM_CEIL] = EXPR_CEIL_DIV, [ATOM_MOD] = EXPR_MOD,
        [ATOM_MIN] = EXPR_MIN,         [ATOM_MAX] = EXPR_MAX,
    };
    const struct term *t = &x->nodes.items[e].terms[term];
    const struct atom *a = &x->atoms.items[x->monomials.items[t->monomial].factors[factor]];
    *out = a->kind == ATOM_NAME ? (struct expr_factor){ .is_name = true, .name = a->a }
                                : (struct expr_factor){ .op = ops[a->kind], .a = a->a, .b = a->b };
}

enum expr_order expr_compare(struct exprs *x, expr_id a, expr_id b)
{
    if (a == b)
        return EXPR_EQUAL;
    struct interval ra = x->nodes.items[a].range, rb = x->nodes.items[b].range;
    if (ra.max < rb.min || rb.max < ra.min)
        return EXPR_DIFFERENT;
    struct poly pa = poly_new(x), pb = poly_new(x);
    struct interval difference = { INT64_MIN, INT64_MAX };
    o2w_status status = poly_set(&pa, x, a);
    if (status == O2W_OK)
        status = poly_set(&pb, x, b);
    if (status == O2W_OK)
        status = poly_difference_range(x, &pa, &pb, &difference);
    poly_free(&pa);
    poly_free(&pb);
    return status == O2W_OK && !interval_has(difference, 0) ? EXPR_DIFFERENT : EXPR_UNDECIDED;
}
