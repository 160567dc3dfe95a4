/* Determinants: cofactors up to 3 × 3, elimination with pivots up to 16 × 16. */
#include "lower/helpers.h"

#include <string.h>

enum { LARGEST = 16 };

struct minors {
    struct calc c;
    value m; /* [batch, n, n] */
};

/* Element (row, column) as [batch, 1, 1]. */
static value at(struct minors *m, uint32_t row, uint32_t column)
{
    value y = m->m;
    if (m->c.status == O2W_OK)
        m->c.status = slice(m->c.l, y, 1, row, 1, 1, &y);
    if (m->c.status == O2W_OK)
        m->c.status = slice(m->c.l, y, 2, column, 1, 1, &y);
    return y;
}

/* Of rows a, b and columns i, j. */
static value two_by_two(struct minors *m, uint32_t a, uint32_t b, uint32_t i, uint32_t j)
{
    value down = calc_mul(&m->c, at(m, a, i), at(m, b, j));
    return calc_sub(&m->c, down, calc_mul(&m->c, at(m, a, j), at(m, b, i)));
}

static value three_by_three(struct minors *m)
{
    struct calc *c = &m->c;
    value first = calc_mul(c, at(m, 0, 0), two_by_two(m, 1, 2, 1, 2));
    value second = calc_mul(c, at(m, 0, 1), two_by_two(m, 1, 2, 0, 2));
    value third = calc_mul(c, at(m, 0, 2), two_by_two(m, 1, 2, 0, 1));
    return calc_add(c, calc_sub(c, first, second), third);
}

/* 1 in the row of the largest first element: uint8 [batch, n, 1]; *moved where it is not the first. */
static o2w_status pivot_row(struct calc *c, value m, value *hit, value *moved)
{
    struct webnn_arg_min_max_attributes arg = webnn_arg_max_defaults();
    value column, row, rows, zero;
    arg.axis = 1;
    arg.keep_dimensions = true;
    TRY(slice(c->l, m, 2, 0, 1, 1, &column));
    column = calc_abs(c, column);
    TRY(c->status);
    TRY(op(c->l, WEBNN_ARG_MAX, OPERANDS(column), &arg, &row));
    TRY(iota(c->l, DTYPE_INT32, m->dims[1], 1, 3, &rows));
    TRY(scalar_i64(c->l, DTYPE_INT32, 0, &zero));
    *hit = calc_equal(c, row, rows);
    *moved = calc_not_equal(c, row, zero);
    return c->status;
}

/* One step: the pivot into the determinant, the rest of the matrix one smaller. A pivot of 0 divides
 * nothing, since its whole column is 0. */
static o2w_status eliminate(struct calc *c, value *m, value *det)
{
    value hit, moved, first, pivot_values, rest, pivot, column;
    int64_t left = (*m)->dims[1] - 1;
    TRY(pivot_row(c, *m, &hit, &moved));
    TRY(slice(c->l, *m, 1, 0, 1, 1, &first));
    pivot_values = calc_reduce(c, WEBNN_REDUCE_SUM, calc_where(c, hit, *m, calc_number(c, 0)), 1);
    value swapped = calc_where(c, hit, first, *m);
    TRY(c->status);
    TRY(slice(c->l, pivot_values, 2, 0, 1, 1, &pivot));
    value signed_pivot = calc_where(c, moved, calc_neg(c, pivot), pivot);
    *det = *det ? calc_mul(c, *det, signed_pivot) : signed_pivot;
    TRY(c->status);
    TRY(slice(c->l, swapped, 1, 1, left, 1, &rest));
    TRY(slice(c->l, rest, 2, 0, 1, 1, &column));
    TRY(slice(c->l, rest, 2, 1, left, 1, &rest));
    TRY(slice(c->l, pivot_values, 2, 1, left, 1, &pivot_values));
    value none = calc_equal(c, pivot, calc_number(c, 0));
    value factors = calc_div(c, column, calc_where(c, none, calc_number(c, 1), pivot));
    *m = calc_sub(c, rest, calc_mul(c, factors, pivot_values));
    return c->status;
}

static o2w_status by_elimination(struct minors *m, value *out)
{
    value det = NULL;
    while (m->m->dims[1] > 1)
        TRY(eliminate(&m->c, &m->m, &det));
    *out = calc_mul(&m->c, det, m->m);
    return m->c.status;
}

static o2w_status determinant(struct minors *m, int64_t size, value *out)
{
    if (size > 3)
        return by_elimination(m, out);
    *out = size == 1 ? m->m : size == 2 ? two_by_two(m, 0, 1, 0, 1) : three_by_three(m);
    return m->c.status;
}

static o2w_status lower_det(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value x = input(n, 0), wide, y;
    struct minors m;
    int64_t size;
    if (x->rank < 2)
        return refuse_input(l, n, 0, "has rank %u, at least 2 is needed", x->rank);
    TRY(static_dim(l, n, x, x->rank - 1, &size));
    if (dim_compare(lower_exprs(l), x->dims[x->rank - 2], size) == EXPR_DIFFERENT)
        return refuse_input(l, n, 0, "has shape %s, square matrices are needed",
                            dim_list_text(lower_exprs(l), x->dims, x->rank, lower_arena(l)));
    if (size < 1 || size > LARGEST)
        return refuse_input(l, n, 0, "has matrices of %lld × %lld, supported are 1 to %d",
                            (long long)size, (long long)size, LARGEST);
    dim dims[3] = { 1, size, size };
    TRY(dims_product(l, n, x->dims, 0, x->rank - 2, &dims[0]));
    TRY(widen(l, x, &wide));
    m.c = calc_begin(l, wide);
    TRY(reshape(l, wide, dims, 3, &m.m));
    TRY(determinant(&m, size, &y));
    TRY(reshape(l, y, x->dims, x->rank - 2, &y));
    return emit_narrowed(l, n, y);
}

const struct onnx_row determinant_rows[] = {
    { ONNX("Det", 11, LATEST), INPUTS(IN("X", T, SET_FLOATS)), RESULTS(OUT("Y", T)),
      .lower = lower_det, .class = CLASS_COMPOSED, .partial = true,
      .webnn = "slice, mul, sub, argMax, where", .notes = "matrices above 16 × 16 refused" },
};
ROW_COUNT(determinant);
