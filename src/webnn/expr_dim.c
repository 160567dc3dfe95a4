#include "base/checked.h"
#include "base/number.h"
#include "webnn/expr_private.h"

/* ---- values ---- */

static o2w_status evaluate_atom(const struct exprs *x, const struct atom *atom,
                                const int64_t *values, int64_t *out)
{
    int64_t a, b;
    if (atom->kind == ATOM_NAME) {
        *out = values[atom->a];
        return O2W_OK;
    }
    TRY(expr_evaluate(x, atom->a, values, &a));
    TRY(expr_evaluate(x, atom->b, values, &b));
    return expr_apply_numbers((enum expr_op)(atom->kind - ATOM_FLOOR + EXPR_FLOOR_DIV), a, b, out);
}

_Static_assert(EXPR_CEIL_DIV - EXPR_FLOOR_DIV == ATOM_CEIL - ATOM_FLOOR &&
                   EXPR_MOD - EXPR_FLOOR_DIV == ATOM_MOD - ATOM_FLOOR &&
                   EXPR_MIN - EXPR_FLOOR_DIV == ATOM_MIN - ATOM_FLOOR &&
                   EXPR_MAX - EXPR_FLOOR_DIV == ATOM_MAX - ATOM_FLOOR,
               "terms stand in the order of their operations");

o2w_status expr_evaluate(const struct exprs *x, expr_id e, const int64_t *values, int64_t *out)
{
    const struct expr_node *node = &x->nodes.items[e];
    int64_t sum = 0;
    for (uint32_t i = 0; i < node->count; i++) {
        const struct monomial *m = &x->monomials.items[node->terms[i].monomial];
        int64_t product = node->terms[i].coefficient, factor;
        for (uint32_t k = 0; k < m->count; k++) {
            TRY(evaluate_atom(x, &x->atoms.items[m->factors[k]], values, &factor));
            if (!mul_i64(product, factor, &product))
                return O2W_RANGE;
        }
        if (!add_i64(sum, product, &sum))
            return O2W_RANGE;
    }
    *out = sum;
    return O2W_OK;
}

static o2w_status divide_numbers(enum expr_op op, int64_t a, int64_t b, int64_t *out)
{
    if (b == 0 || (a == INT64_MIN && b == -1 && op != EXPR_MOD))
        return O2W_RANGE;
    *out = op == EXPR_MOD ? floor_remainder(a, b) : floor_quotient(a, b);
    if (op == EXPR_CEIL_DIV && floor_remainder(a, b) != 0)
        ++*out;
    return O2W_OK;
}

o2w_status expr_apply_numbers(enum expr_op op, int64_t a, int64_t b, int64_t *out)
{
    switch (op) {
    case EXPR_ADD: return add_i64(a, b, out) ? O2W_OK : O2W_RANGE;
    case EXPR_SUB: return sub_i64(a, b, out) ? O2W_OK : O2W_RANGE;
    case EXPR_MUL: return mul_i64(a, b, out) ? O2W_OK : O2W_RANGE;
    case EXPR_FLOOR_DIV:
    case EXPR_CEIL_DIV:
    case EXPR_MOD: return divide_numbers(op, a, b, out);
    case EXPR_MIN: *out = a < b ? a : b; return O2W_OK;
    case EXPR_MAX: *out = a > b ? a : b; return O2W_OK;
    }
    return O2W_INVALID_ARGUMENT;
}

void expr_mark_names(const struct exprs *x, expr_id e, bool *used)
{
    const struct expr_node *node = &x->nodes.items[e];
    for (uint32_t i = 0; i < node->count; i++) {
        const struct monomial *m = &x->monomials.items[node->terms[i].monomial];
        for (uint32_t k = 0; k < m->count; k++) {
            const struct atom *atom = &x->atoms.items[m->factors[k]];
            if (atom->kind == ATOM_NAME) {
                used[atom->a] = true;
                continue;
            }
            expr_mark_names(x, atom->a, used);
            expr_mark_names(x, atom->b, used);
        }
    }
}

/* ---- dims ---- */

o2w_status dim_to_expr(struct exprs *x, dim d, expr_id *out)
{
    if (dim_is_static(d))
        return expr_number(x, d, out);
    *out = dim_expr_id(d);
    return O2W_OK;
}

dim dim_from_expr(const struct exprs *x, expr_id e)
{
    int64_t value;
    return expr_is_number(x, e, &value) && value >= 0 ? value : dim_of_expr_id(e);
}

o2w_status dim_apply(struct exprs *x, enum expr_op op, dim a, dim b, dim *out)
{
    if (dim_is_static(a) && dim_is_static(b)) {
        int64_t value;
        TRY(expr_apply_numbers(op, a, b, &value));
        if (value >= 0) {
            *out = value;
            return O2W_OK;
        }
    }
    if (!x)
        return O2W_RANGE;
    expr_id ea, eb, result;
    TRY(dim_to_expr(x, a, &ea));
    TRY(dim_to_expr(x, b, &eb));
    TRY(expr_apply(x, op, ea, eb, &result));
    *out = dim_from_expr(x, result);
    return O2W_OK;
}

void dim_bounds(const struct exprs *x, dim d, int64_t *min, int64_t *max)
{
    if (dim_is_static(d))
        *min = *max = d;
    else
        expr_bounds(x, dim_expr_id(d), min, max);
}

enum expr_order dim_compare(struct exprs *x, dim a, dim b)
{
    if (a == b)
        return EXPR_EQUAL;
    if (dim_is_static(a) && dim_is_static(b))
        return EXPR_DIFFERENT;
    expr_id ea, eb;
    if (dim_to_expr(x, a, &ea) != O2W_OK || dim_to_expr(x, b, &eb) != O2W_OK)
        return EXPR_UNDECIDED;
    return expr_compare(x, ea, eb);
}

/* One dim behind the text so far; NULL when memory is out. */
static char *append_dim(const struct exprs *x, char *text, dim d, const char *separator,
                        struct arena *a)
{
    if (!text)
        return NULL;
    if (dim_is_static(d))
        return arena_printf(a, "%s%s%lld", text, separator, (long long)d);
    char *spelled = expr_text(x, dim_expr_id(d), a);
    return spelled ? arena_printf(a, "%s%s%s", text, separator, spelled) : NULL;
}

char *dim_list_text(const struct exprs *x, const dim *dims, uint32_t rank, struct arena *a)
{
    char *text = arena_printf(a, "[");
    for (uint32_t i = 0; i < rank; i++)
        text = append_dim(x, text, dims[i], i ? ", " : "", a);
    return text ? arena_printf(a, "%s]", text) : NULL;
}
