/* TopK: no sorting in WebNN, so places are counted (H14). */
#include "lower/ops/reduction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 256 };

struct top_k {
    value x;
    uint32_t axis;
    int64_t size, k;
    bool largest;
};

static o2w_status top_k_init(struct lower *l, const struct node_view *n,
                             const struct top_k_params *p, int64_t k, struct top_k *t)
{
    *t = (struct top_k){ .x = input(n, 0), .k = k, .largest = p->largest != 0 };
    TRY(axis_from(l, n, p->axis, t->x->rank, 0, &t->axis));
    TRY(static_dim(l, n, t->x, t->axis, &t->size));
    if (k < 0 || k > t->size)
        return refuse(l, n, DIAG_LOWER_VALUE, "K is %lld, the axis has %lld elements", (long long)k,
                      (long long)t->size);
    return O2W_OK;
}

/* --- by places ----------------------------------------------------------------------------------------- */

/* [size, 1] against [1, size]: 1 where the second place stands before the first. */
static o2w_status earlier_mask(struct lower *l, const struct top_k *t, value *out)
{
    dim dims[MAX_RANK];
    struct tensor mask;
    uint32_t rank = t->x->rank + 1;
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = i == t->axis || i == t->axis + 1 ? t->size : 1;
    TRY(known_new(l, DTYPE_UINT8, dims, rank, &mask, out));
    for (int64_t i = 0; i < t->size; i++)
        memset((uint8_t *)mask.data + i * t->size, 1, (size_t)i);
    return O2W_OK;
}

/* H14: how many elements come before each: larger ones, and equal ones of a lower place. */
static o2w_status places_of(struct lower *l, const struct top_k *t, value *out)
{
    value own, other, mask;
    uint32_t at = t->axis, behind = t->axis + 1;
    TRY(unsqueeze(l, t->x, &behind, 1, &own));
    TRY(unsqueeze(l, t->x, &at, 1, &other));
    TRY(earlier_mask(l, t, &mask));
    struct calc c = calc_begin(l, t->x);
    value beyond = t->largest ? calc_greater(&c, other, own) : calc_less(&c, other, own);
    value tied = calc_and(&c, calc_equal(&c, other, own), mask);
    value before = calc_cast(&c, calc_or(&c, beyond, tied), DTYPE_INT32);
    before = calc_reduce(&c, WEBNN_REDUCE_SUM, before, behind);
    TRY(c.status);
    return squeeze(l, before, &behind, 1, out);
}

/* The element whose place is 0, 1 … k-1: Σ index · (place == p). */
static o2w_status indices_by_places(struct lower *l, const struct top_k *t, value *out)
{
    value places, wanted, indices;
    uint32_t at = t->axis, behind = t->axis + 1, rank = t->x->rank + 1;
    TRY(places_of(l, t, &places));
    TRY(unsqueeze(l, places, &at, 1, &places));
    TRY(iota(l, DTYPE_INT32, t->k, at, rank, &wanted));
    TRY(iota(l, DTYPE_INT32, t->size, behind, rank, &indices));
    struct calc c = calc_begin(l, wanted);
    value hit = calc_where(&c, calc_equal(&c, places, wanted), indices, calc_number(&c, 0));
    hit = calc_cast(&c, calc_reduce(&c, WEBNN_REDUCE_SUM, hit, behind), DTYPE_INT64);
    TRY(c.status);
    return squeeze(l, hit, &behind, 1, out);
}

/* --- by rounds ------------------------------------------------------------------------------------------ */

/* What no element passes. */
static struct webnn_number last_number(enum dtype dtype, bool largest)
{
    if (dtype_is_float(dtype))
        return (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE,
                                      .d = largest ? -(double)INFINITY : (double)INFINITY };
    if (largest)
        return (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = dtype_min(dtype) };
    return (struct webnn_number){ .kind = WEBNN_NUMBER_UINT, .u = dtype_max(dtype) };
}

static value first_of(struct calc *c, const struct top_k *t, enum webnn_operator kind, value x)
{
    struct webnn_arg_min_max_attributes a = { .axis = t->axis,
                                              .keep_dimensions = true,
                                              .output_data_type = WEBNN_INT64 };
    value y = NULL;
    if (c->status == O2W_OK)
        c->status = op(c->l, kind, OPERANDS(x), &a, &y);
    return y;
}

/* The best of those left; where only worst numbers are left, the first that is left. */
static value next_index(struct calc *c, const struct top_k *t, value alive, value worst)
{
    value left = calc_where(c, alive, t->x, worst);
    value best = calc_reduce(c, t->largest ? WEBNN_REDUCE_MAX : WEBNN_REDUCE_MIN, left, t->axis);
    value index = first_of(c, t, t->largest ? WEBNN_ARG_MAX : WEBNN_ARG_MIN, left);
    value any = first_of(c, t, WEBNN_ARG_MAX, alive);
    return calc_where(c, calc_equal(c, best, worst), any, index);
}

static o2w_status indices_by_rounds(struct lower *l, const struct node_view *n,
                                    const struct top_k *t, value *out)
{
    value rounds[MOST_ROUNDS], alive, worst, places;
    enum dtype carried = value_working_dtype(t->x);
    if (t->k > MOST_ROUNDS)
        return refuse(l, n, DIAG_LOWER_LIMIT,
                      "K is %lld of %lld elements: above 2^26 comparisons at most %d are taken",
                      (long long)t->k, (long long)t->size, MOST_ROUNDS);
    TRY(fill_i64(l, DTYPE_UINT8, 1, t->x->dims, t->x->rank, &alive));
    TRY(filled(l, carried, last_number(carried, t->largest), NULL, 0, &worst));
    TRY(iota(l, DTYPE_INT64, t->size, t->axis, t->x->rank, &places));
    struct calc c = calc_begin(l, t->x);
    for (int64_t i = 0; i < t->k; i++) {
        rounds[i] = next_index(&c, t, alive, worst);
        alive = calc_and(&c, alive, calc_not_equal(&c, places, rounds[i]));
    }
    TRY(c.status);
    return concat(l, rounds, (uint32_t)t->k, t->axis, out);
}

/* --- both outputs ---------------------------------------------------------------------------------------- */

static o2w_status emit_top_k(struct lower *l, const struct node_view *n, const struct top_k *t,
                             value indices)
{
    value values;
    struct webnn_gather_elements_attributes a = { .axis = t->axis };
    TRY(op(l, WEBNN_GATHER_ELEMENTS, OPERANDS(t->x, indices), &a, &values));
    TRY(emit_output(l, n, 0, values));
    return emit_output(l, n, 1, indices);
}

static o2w_status emit_none(struct lower *l, const struct node_view *n, const struct top_k *t)
{
    dim dims[MAX_RANK];
    value values, indices;
    memcpy(dims, t->x->dims, t->x->rank * sizeof *dims);
    dims[t->axis] = 0;
    TRY(fill_i64(l, t->x->dtype, 0, dims, t->x->rank, &values));
    TRY(fill_i64(l, DTYPE_INT64, 0, dims, t->x->rank, &indices));
    TRY(emit_output(l, n, 0, values));
    return emit_output(l, n, 1, indices);
}

/* All pairs of a row are compared while they are few. */
static bool is_small(const struct top_k *t)
{
    uint64_t rows = 1, elements;
    if (!dims_count(t->x->dims, t->x->rank, &elements) || t->x->rank >= MAX_RANK)
        return false;
    rows = t->size ? elements / (uint64_t)t->size : 0;
    return t->size <= 8192 && rows * (uint64_t)t->size * (uint64_t)t->size <= (uint64_t)1 << 26;
}

/* 1 where an index along the axis is one of `indices` [.., k]. */
static o2w_status mask_of(struct lower *l, const struct top_k *t, value indices, value *out)
{
    const uint32_t at = t->axis + 1, behind = t->axis;
    value places;
    TRY(unsqueeze(l, indices, &at, 1, &indices));
    TRY(iota(l, DTYPE_INT64, t->size, at, t->x->rank + 1, &places));
    struct calc c = calc_begin(l, indices);
    value hit = calc_cast(&c, calc_equal(&c, indices, places), DTYPE_INT32);
    hit = calc_cast(&c, calc_reduce(&c, WEBNN_REDUCE_MAX, hit, behind), DTYPE_UINT8);
    TRY(c.status);
    return squeeze(l, hit, &behind, 1, out);
}

o2w_status top_k_mask(struct lower *l, const struct node_view *n, value x, uint32_t axis, int64_t k,
                      value *out)
{
    struct top_k t = { .x = x, .axis = axis, .k = k, .largest = true };
    value places, indices;
    TRY(static_dim(l, n, x, axis, &t.size));
    if (!is_small(&t)) {
        TRY(indices_by_rounds(l, n, &t, &indices));
        return mask_of(l, &t, indices, out);
    }
    TRY(places_of(l, &t, &places));
    struct calc c = calc_begin(l, places);
    *out = calc_less(&c, places, calc_number(&c, (double)k));
    return c.status;
}

static o2w_status lower_rows(struct lower *l, const struct node_view *n,
                             const struct top_k_params *p, int64_t k)
{
    struct top_k t;
    value indices;
    TRY(top_k_init(l, n, p, k, &t));
    if (k == 0)
        return emit_none(l, n, &t);
    struct calc c = calc_begin(l, t.x);
    if (k == 1) {
        indices = first_of(&c, &t, t.largest ? WEBNN_ARG_MAX : WEBNN_ARG_MIN, t.x);
        TRY(c.status);
    } else {
        TRY(is_small(&t) ? indices_by_places(l, &t, &indices)
                         : indices_by_rounds(l, n, &t, &indices));
    }
    return emit_top_k(l, n, &t, indices);
}

/* --- known rows ------------------------------------------------------------------------------------------- */

struct ranked {
    double number;
    int64_t whole; /* exact where the dtype is an integer; unsigned ones with the top bit flipped */
    int64_t index;
};

static int descending(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->whole != y->whole)
        return x->whole > y->whole ? -1 : 1;
    if (x->number != y->number)
        return x->number > y->number ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int ascending(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->whole != y->whole)
        return x->whole < y->whole ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static struct ranked rank_of(const struct tensor *t, uint64_t at, int64_t index)
{
    if (dtype_is_float(t->dtype))
        return (struct ranked){ tensor_get_double(t, at), 0, index };
    if (dtype_is_signed(t->dtype))
        return (struct ranked){ 0, tensor_get_i64(t, at), index };
    return (struct ranked){ 0, (int64_t)(tensor_get_u64(t, at) ^ (uint64_t)1 << 63), index };
}

static o2w_status known_indices(struct lower *l, const struct top_k *t, value *out)
{
    struct tensor x, y;
    dim dims[MAX_RANK];
    int64_t inner = 1, outer = 1;
    TRY(known_tensor(l, t->x, &x));
    memcpy(dims, t->x->dims, t->x->rank * sizeof *dims);
    for (uint32_t i = 0; i < t->x->rank; i++) {
        inner *= i > t->axis ? dims[i] : 1;
        outer *= i < t->axis ? dims[i] : 1;
    }
    dims[t->axis] = t->k;
    TRY(known_new(l, DTYPE_INT64, dims, t->x->rank, &y, out));
    struct ranked *row = ARENA_ARRAY(lower_arena(l), (size_t)t->size, struct ranked);
    if (!row)
        return diag_memory(lower_diags(l));
    for (int64_t o = 0; o < outer * inner; o++) {
        int64_t first = o / inner * t->size * inner + o % inner;
        int64_t to = o / inner * t->k * inner + o % inner;
        for (int64_t i = 0; i < t->size; i++)
            row[i] = rank_of(&x, (uint64_t)(first + i * inner), i);
        qsort(row, (size_t)t->size, sizeof *row, t->largest ? descending : ascending);
        for (int64_t i = 0; i < t->k; i++)
            ((int64_t *)y.data)[to + i * inner] = row[i].index;
    }
    return O2W_OK;
}

static o2w_status evaluate_rows(struct lower *l, const struct node_view *n,
                                const struct top_k_params *p, int64_t k)
{
    struct top_k t;
    value indices;
    TRY(top_k_init(l, n, p, k, &t));
    if (k == 0)
        return emit_none(l, n, &t);
    TRY(known_indices(l, &t, &indices));
    return emit_top_k(l, n, &t, indices);
}

/* --- versions ----------------------------------------------------------------------------------------------- */

/* Version 10 has the largest, always. */
static struct top_k_params with_largest(const struct node_view *n, const struct top_k_params *p)
{
    struct top_k_params q = *p;
    q.largest = n->row->since < 11 || p->largest;
    return q;
}

o2w_status lower_top_k(struct lower *l, const struct node_view *n, const void *params)
{
    struct top_k_params p = with_largest(n, params);
    int64_t k;
    TRY(known_int(l, n, 1, &k));
    return lower_rows(l, n, &p, k);
}

o2w_status lower_top_k_1(struct lower *l, const struct node_view *n, const void *params)
{
    struct top_k_params p = with_largest(n, params);
    return lower_rows(l, n, &p, p.k);
}

o2w_status evaluate_top_k(struct lower *l, const struct node_view *n, const void *params)
{
    struct top_k_params p = with_largest(n, params);
    int64_t k;
    TRY(known_int(l, n, 1, &k));
    return evaluate_rows(l, n, &p, k);
}

o2w_status evaluate_top_k_1(struct lower *l, const struct node_view *n, const void *params)
{
    struct top_k_params p = with_largest(n, params);
    return evaluate_rows(l, n, &p, p.k);
}
