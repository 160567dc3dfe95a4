#include "webnn/expr_poly.h"
#include "base/checked.h"

#include <string.h>

/* What no expression that is kept can need. */
enum { TERMS_MAX = EXPR_WEIGHT_MAX, STEPS_MAX = EXPR_WEIGHT_MAX, PRODUCTS_MAX = 4096 };

/* ---- order ---- */

static int compare_u64(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int term_compare(const struct exprs *x, const struct term *a, const struct term *b)
{
    int order = monomial_compare(x, a->monomial, b->monomial);
    if (order)
        return order;
    return a->coefficient < b->coefficient ? -1 : a->coefficient > b->coefficient;
}

int expr_structure_compare(const struct exprs *x, expr_id a, expr_id b)
{
    if (a == b)
        return 0;
    const struct expr_node *na = &x->nodes.items[a], *nb = &x->nodes.items[b];
    for (uint32_t i = 0; i < na->count && i < nb->count; i++) {
        int order = term_compare(x, &na->terms[i], &nb->terms[i]);
        if (order)
            return order;
    }
    return compare_u64(na->count, nb->count);
}

int atom_compare(const struct exprs *x, atom_id a, atom_id b)
{
    if (a == b)
        return 0;
    const struct atom *aa = &x->atoms.items[a], *ab = &x->atoms.items[b];
    if (aa->kind != ab->kind)
        return aa->kind < ab->kind ? -1 : 1;
    if (aa->kind == ATOM_NAME)
        return compare_u64(aa->a, ab->a);
    int order = expr_structure_compare(x, aa->a, ab->a);
    return order ? order : expr_structure_compare(x, aa->b, ab->b);
}

int monomial_compare(const struct exprs *x, monomial_id a, monomial_id b)
{
    if (a == b)
        return 0;
    const struct monomial *ma = &x->monomials.items[a], *mb = &x->monomials.items[b];
    if (ma->count != mb->count)
        return ma->count > mb->count ? -1 : 1;
    for (uint32_t i = 0; i < ma->count; i++) {
        int order = atom_compare(x, ma->factors[i], mb->factors[i]);
        if (order)
            return order;
    }
    return 0;
}

/* ---- monomials ---- */

o2w_status monomial_multiply(struct exprs *x, monomial_id a, monomial_id b, monomial_id *out)
{
    if (a == 0 || b == 0) {
        *out = a ? a : b;
        return O2W_OK;
    }
    const struct monomial *ma = &x->monomials.items[a], *mb = &x->monomials.items[b];
    atom_id factors[EXPR_WEIGHT_MAX];
    uint32_t count = 0, i = 0, j = 0;
    if (ma->count + mb->count > EXPR_WEIGHT_MAX)
        return O2W_RANGE;
    while (i < ma->count || j < mb->count) {
        bool left = j == mb->count ||
                    (i < ma->count && atom_compare(x, ma->factors[i], mb->factors[j]) <= 0);
        factors[count++] = left ? ma->factors[i++] : mb->factors[j++];
    }
    return expr_intern_monomial(x, factors, count, out);
}

o2w_status monomial_divide(struct exprs *x, monomial_id a, monomial_id b, bool *divides,
                           monomial_id *out)
{
    const struct monomial *ma = &x->monomials.items[a], *mb = &x->monomials.items[b];
    atom_id factors[EXPR_WEIGHT_MAX];
    uint32_t count = 0, j = 0;
    for (uint32_t i = 0; i < ma->count; i++) {
        if (j < mb->count && ma->factors[i] == mb->factors[j])
            j++;
        else
            factors[count++] = ma->factors[i];
    }
    *divides = j == mb->count;
    return *divides ? expr_intern_monomial(x, factors, count, out) : O2W_OK;
}

/* ---- polynomials ---- */

struct poly poly_new(const struct exprs *x)
{
    return (struct poly){ .allocator = x->allocator };
}

void poly_free(struct poly *p)
{
    VEC_FREE(p);
}

o2w_status poly_set(struct poly *p, const struct exprs *x, expr_id e)
{
    const struct expr_node *node = &x->nodes.items[e];
    p->count = 0;
    if (!VEC_RESERVE(p, node->count))
        return O2W_NO_MEMORY;
    if (node->count)
        memcpy(p->items, node->terms, node->count * sizeof *p->items);
    p->count = node->count;
    return O2W_OK;
}

/* The factor times the term, in *out. */
static o2w_status scale_term(struct exprs *x, const struct term *t, int64_t coefficient,
                             monomial_id monomial, struct term *out)
{
    *out = (struct term){ 0 };
    if (!mul_i64(t->coefficient, coefficient, &out->coefficient))
        return O2W_RANGE;
    return monomial_multiply(x, t->monomial, monomial, &out->monomial);
}

static o2w_status push_sum(struct poly *to, const struct term *a, const struct term *b)
{
    struct term sum = *a;
    if (!add_i64(a->coefficient, b->coefficient, &sum.coefficient))
        return O2W_RANGE;
    if (sum.coefficient)
        to->items[to->count++] = sum;
    return O2W_OK;
}

/* The order of products is that of the terms, so this is one merge. */
static o2w_status merge(struct exprs *x, const struct poly *p, const struct term *terms,
                        size_t count, int64_t coefficient, monomial_id monomial, struct poly *to)
{
    size_t i = 0;
    for (size_t j = 0; j < count; j++) {
        struct term t;
        TRY(scale_term(x, &terms[j], coefficient, monomial, &t));
        int order = 1;
        while (i < p->count && (order = monomial_compare(x, p->items[i].monomial, t.monomial)) < 0)
            to->items[to->count++] = p->items[i++];
        if (i < p->count && order == 0)
            TRY(push_sum(to, &p->items[i++], &t));
        else
            to->items[to->count++] = t;
    }
    while (i < p->count)
        to->items[to->count++] = p->items[i++];
    return O2W_OK;
}

o2w_status poly_add(struct exprs *x, struct poly *p, const struct term *terms, size_t count,
                    int64_t coefficient, monomial_id monomial)
{
    if (count == 0 || coefficient == 0)
        return O2W_OK;
    if (p->count + count > TERMS_MAX)
        return O2W_RANGE;
    struct poly sum = { .allocator = p->allocator };
    if (!VEC_RESERVE(&sum, p->count + count))
        return O2W_NO_MEMORY;
    o2w_status status = merge(x, p, terms, count, coefficient, monomial, &sum);
    if (status != O2W_OK) {
        poly_free(&sum);
        return status;
    }
    poly_free(p);
    *p = sum;
    return O2W_OK;
}

o2w_status poly_add_number(struct exprs *x, struct poly *p, int64_t value)
{
    struct term t = { .coefficient = value };
    return poly_add(x, p, &t, value != 0, 1, 0);
}

o2w_status poly_add_atom(struct exprs *x, struct poly *p, atom_id atom, int64_t coefficient)
{
    struct term t = { .coefficient = coefficient };
    TRY(expr_intern_monomial(x, &atom, 1, &t.monomial));
    return poly_add(x, p, &t, coefficient != 0, 1, 0);
}

o2w_status poly_multiply(struct exprs *x, const struct poly *a, const struct poly *b,
                         struct poly *out)
{
    if (a->count * b->count > PRODUCTS_MAX)
        return O2W_RANGE;
    for (size_t i = 0; i < a->count; i++)
        TRY(poly_add(x, out, b->items, b->count, a->items[i].coefficient, a->items[i].monomial));
    return O2W_OK;
}

o2w_status poly_negate(struct poly *p)
{
    for (size_t i = 0; i < p->count; i++) {
        if (p->items[i].coefficient == INT64_MIN)
            return O2W_RANGE;
        p->items[i].coefficient = -p->items[i].coefficient;
    }
    return O2W_OK;
}

/* Takes quotient * b from *a for the term at *at, or steps over it. */
static o2w_status divide_term(struct exprs *x, struct poly *a, size_t *at, const struct poly *b,
                              struct poly *quotient)
{
    struct term q = { .coefficient =
                          floor_quotient(a->items[*at].coefficient, b->items[0].coefficient) };
    bool divides = false;
    if (q.coefficient != 0)
        TRY(monomial_divide(x, a->items[*at].monomial, b->items[0].monomial, &divides,
                            &q.monomial));
    if (!divides) {
        ++*at;
        return O2W_OK;
    }
    if (q.coefficient == INT64_MIN)
        return O2W_RANGE;
    bool stays = floor_remainder(a->items[*at].coefficient, b->items[0].coefficient) != 0;
    TRY(poly_add(x, a, b->items, b->count, -q.coefficient, q.monomial));
    *at += stays;
    return poly_add(x, quotient, &q, 1, 1, 0);
}

o2w_status poly_divide(struct exprs *x, struct poly *a, const struct poly *b, struct poly *quotient)
{
    size_t at = 0, steps = 0;
    while (at < a->count) {
        if (++steps > STEPS_MAX)
            return O2W_RANGE;
        TRY(divide_term(x, a, &at, b, quotient));
    }
    return O2W_OK;
}

bool poly_number(const struct poly *p, int64_t *value)
{
    if (p->count > 1 || (p->count == 1 && p->items[0].monomial != 0))
        return false;
    *value = p->count ? p->items[0].coefficient : 0;
    return true;
}

struct interval poly_range(const struct exprs *x, const struct poly *p)
{
    struct interval sum = { 0, 0 };
    for (size_t i = 0; i < p->count; i++) {
        struct interval m = x->monomials.items[p->items[i].monomial].range;
        sum = interval_add(sum, interval_mul(m, interval_of(p->items[i].coefficient)));
    }
    return sum;
}

o2w_status poly_difference_range(struct exprs *x, const struct poly *a, const struct poly *b,
                                 struct interval *out)
{
    struct poly difference = { .allocator = a->allocator };
    o2w_status status = poly_add(x, &difference, a->items, a->count, 1, 0);
    if (status == O2W_OK)
        status = poly_add(x, &difference, b->items, b->count, -1, 0);
    if (status == O2W_OK)
        *out = poly_range(x, &difference);
    poly_free(&difference);
    return status;
}
