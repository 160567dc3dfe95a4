#include "webnn/expr_poly.h"

/* The smaller (or greater) one where the bounds of the difference tell, else a term. */
static o2w_status apply_extreme(struct exprs *x, enum atom_kind kind, const struct poly *a,
                                const struct poly *b, struct poly *out)
{
    struct interval difference;
    expr_id ea, eb;
    atom_id atom;
    TRY(poly_difference_range(x, a, b, &difference));
    if (difference.max <= 0 || difference.min >= 0) {
        const struct poly *chosen = (difference.max <= 0) == (kind == ATOM_MIN) ? a : b;
        return poly_add(x, out, chosen->items, chosen->count, 1, 0);
    }
    TRY(expr_intern(x, a, &ea));
    TRY(expr_intern(x, b, &eb));
    bool ordered = expr_structure_compare(x, ea, eb) < 0;
    TRY(expr_intern_atom(x, kind, ordered ? ea : eb, ordered ? eb : ea, &atom));
    return poly_add_atom(x, out, atom, 1);
}

o2w_status poly_apply(struct exprs *x, enum expr_op op, struct poly *a, struct poly *b,
                      struct poly *out)
{
    switch (op) {
    case EXPR_ADD:
    case EXPR_SUB:
        TRY(poly_add(x, out, a->items, a->count, 1, 0));
        return poly_add(x, out, b->items, b->count, op == EXPR_ADD ? 1 : -1, 0);
    case EXPR_MUL: return poly_multiply(x, a, b, out);
    case EXPR_FLOOR_DIV: return poly_floor_div(x, a, b, out);
    case EXPR_CEIL_DIV: return poly_ceil_div(x, a, b, out);
    case EXPR_MOD: return poly_mod(x, a, b, out);
    case EXPR_MIN: return apply_extreme(x, ATOM_MIN, a, b, out);
    case EXPR_MAX: return apply_extreme(x, ATOM_MAX, a, b, out);
    }
    return O2W_INVALID_ARGUMENT;
}

/* The polynomials of two expressions and one for the result, freed by the caller in any case. */
static o2w_status load(struct exprs *x, expr_id a, expr_id b, struct poly p[3])
{
    for (int i = 0; i < 3; i++)
        p[i] = poly_new(x);
    TRY(poly_set(&p[0], x, a));
    return poly_set(&p[1], x, b);
}

static void unload(struct poly p[3])
{
    for (int i = 0; i < 3; i++)
        poly_free(&p[i]);
}

o2w_status expr_apply(struct exprs *x, enum expr_op op, expr_id a, expr_id b, expr_id *out)
{
    struct poly p[3];
    o2w_status status = load(x, a, b, p);
    if (status == O2W_OK)
        status = poly_apply(x, op, &p[0], &p[1], &p[2]);
    if (status == O2W_OK)
        status = expr_intern(x, &p[2], out);
    unload(p);
    return status;
}

o2w_status expr_divide(struct exprs *x, expr_id a, expr_id b, bool *exact, expr_id *out)
{
    struct poly p[3];
    o2w_status status = load(x, a, b, p);
    if (status == O2W_OK && p[1].count == 0)
        status = O2W_RANGE;
    if (status == O2W_OK && p[1].items[0].coefficient < 0) {
        status = poly_negate(&p[0]);
        if (status == O2W_OK)
            status = poly_negate(&p[1]);
    }
    if (status == O2W_OK)
        status = poly_divide(x, &p[0], &p[1], &p[2]);
    bool divides = status == O2W_OK && p[0].count == 0;
    if (divides)
        status = expr_intern(x, &p[2], out);
    if (status == O2W_OK)
        *exact = divides;
    unload(p);
    return status;
}
