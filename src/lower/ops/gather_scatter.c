/* ScatterElements, ScatterND and their reductions (H19). */
#include "lower/ops/gather.h"

#include <math.h>
#include <stdlib.h>

enum scatter_mode { SCATTER_NONE, SCATTER_ADD, SCATTER_MUL, SCATTER_MAX, SCATTER_MIN };

/* Rows of a matrix [count, width] that `places` rows of `updates` change. */
struct scatter {
    value data, updates;
    int64_t rows, width, places;
    const int64_t *known; /* row of each place, or NULL */
    value computed;       /* the same at run time, int64 [places] */
    enum scatter_mode mode;
};

static enum scatter_mode mode_of(struct span reduction)
{
    return span_is(reduction, "add")   ? SCATTER_ADD
           : span_is(reduction, "mul") ? SCATTER_MUL
           : span_is(reduction, "max") ? SCATTER_MAX
           : span_is(reduction, "min") ? SCATTER_MIN
                                       : SCATTER_NONE;
}

static enum webnn_operator operator_of(enum scatter_mode mode)
{
    return mode == SCATTER_ADD   ? WEBNN_ADD
           : mode == SCATTER_MUL ? WEBNN_MUL
           : mode == SCATTER_MAX ? WEBNN_MAX
                                 : WEBNN_MIN;
}

static o2w_status check_size(struct lower *l, const struct node_view *n, uint64_t elements)
{
    if (elements <= (uint64_t)1 << 26)
        return O2W_OK;
    return refuse(l, n, DIAG_LOWER_LIMIT,
                  "the scatter needs %llu intermediate elements, above 2^26",
                  (unsigned long long)elements);
}

/* --- known rows ---------------------------------------------------------------------------------- */

/* How often a place's row was changed before it, and whether it is the last that does. */
struct visits {
    uint32_t *before;
    bool *last;
    uint32_t most; /* of changes of one row */
};

struct visit {
    int64_t row, place;
};

static int by_row(const void *a, const void *b)
{
    const struct visit *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static o2w_status visits_init(struct lower *l, const struct scatter *s, struct visits *v)
{
    struct arena *a = lower_arena(l);
    struct visit *sorted = ARENA_ARRAY(a, (size_t)s->places, struct visit);
    *v = (struct visits){ .before = ARENA_ARRAY(a, (size_t)s->places, uint32_t),
                          .last = ARENA_ARRAY(a, (size_t)s->places, bool) };
    if (!sorted || !v->before || !v->last)
        return diag_memory(lower_diags(l));
    for (int64_t i = 0; i < s->places; i++)
        sorted[i] = (struct visit){ s->known[i], i };
    qsort(sorted, (size_t)s->places, sizeof *sorted, by_row);
    for (int64_t i = 0; i < s->places; i++) {
        bool again = i > 0 && sorted[i - 1].row == sorted[i].row;
        uint32_t before = again ? v->before[sorted[i - 1].place] + 1 : 0;
        v->before[sorted[i].place] = before;
        v->last[sorted[i].place] = i + 1 == s->places || sorted[i + 1].row != sorted[i].row;
        v->most = before + 1 > v->most ? before + 1 : v->most;
    }
    return O2W_OK;
}

/* data[rows[at[i]]] = operation(itself, updates[at[i]]), no row twice. */
static o2w_status write_rows(struct lower *l, struct scatter *s, const int64_t *at, uint32_t count)
{
    value updates = s->updates, old, where_to;
    int64_t *rows = ARENA_ARRAY(lower_arena(l), count, int64_t);
    bool whole = count == s->places;
    if (!rows)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = s->known[at[i]];
        whole &= at[i] == (int64_t)i;
    }
    if (!whole)
        TRY(gather_known(l, updates, at, count, 0, &updates));
    if (s->mode != SCATTER_NONE) {
        TRY(gather_known(l, s->data, rows, count, 0, &old));
        TRY(op2(l, operator_of(s->mode), old, updates, &updates));
    }
    TRY(known_i64s(l, rows, count, &where_to));
    TRY(reshape(l, where_to, (const dim[]){ count, 1 }, 2, &where_to));
    return op(l, WEBNN_SCATTER_ND, OPERANDS(s->data, where_to, updates), NULL, &s->data);
}

/* One round for each time that some row is changed; without reduction only the last change counts. */
static o2w_status scatter_known(struct lower *l, const struct node_view *n, struct scatter *s)
{
    struct visits v;
    bool plain = s->mode == SCATTER_NONE;
    TRY(visits_init(l, s, &v));
    int64_t *at = ARENA_ARRAY(lower_arena(l), (size_t)s->places, int64_t);
    if (!at)
        return diag_memory(lower_diags(l));
    if (v.most > 1024 && !plain)
        return refuse(l, n, DIAG_LOWER_LIMIT,
                      "one place is reduced %u times, at most 1024 are allowed", v.most);
    for (uint32_t round = 0; round < (plain ? v.most > 0 : v.most); round++) {
        uint32_t count = 0;
        for (int64_t i = 0; i < s->places; i++)
            if (plain ? v.last[i] : v.before[i] == round)
                at[count++] = i;
        TRY(write_rows(l, s, at, count));
    }
    return O2W_OK;
}

/* --- rows at run time ------------------------------------------------------------------------------ */

/* What changes nothing: 0, 1 or the far end of the dtype. */
static struct webnn_number neutral(enum scatter_mode mode, enum dtype t)
{
    bool high = mode == SCATTER_MIN;
    if (mode == SCATTER_ADD || mode == SCATTER_MUL)
        return (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = mode == SCATTER_MUL };
    if (dtype_is_float(t))
        return (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE,
                                      .d = high ? (double)INFINITY : -(double)INFINITY };
    if (high)
        return (struct webnn_number){ .kind = WEBNN_NUMBER_UINT, .u = dtype_max(t) };
    return (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = dtype_min(t) };
}

static enum webnn_operator reduction_of(enum scatter_mode mode)
{
    return mode == SCATTER_ADD   ? WEBNN_REDUCE_SUM
           : mode == SCATTER_MUL ? WEBNN_REDUCE_PRODUCT
           : mode == SCATTER_MAX ? WEBNN_REDUCE_MAX
                                 : WEBNN_REDUCE_MIN;
}

/* All places against all rows: where they meet the update, else what changes nothing; reduced. */
static o2w_status scatter_computed(struct lower *l, const struct node_view *n, struct scatter *s)
{
    enum dtype dtype = s->data->dtype;
    value rows, meets, part, none;
    TRY(check_size(l, n, (uint64_t)s->rows * (uint64_t)s->places * (uint64_t)s->width));
    if (dtype_info(dtype)->bits == 8) {
        TRY(cast(l, s->data, DTYPE_INT32, &s->data));
        TRY(cast(l, s->updates, DTYPE_INT32, &s->updates));
    }
    TRY(iota(l, DTYPE_INT64, s->rows, 0, 3, &rows));
    TRY(reshape(l, s->computed, (const dim[]){ 1, s->places, 1 }, 3, &meets));
    TRY(op2(l, WEBNN_EQUAL, rows, meets, &meets));
    TRY(reshape(l, s->updates, (const dim[]){ 1, s->places, s->width }, 3, &part));
    TRY(filled(l, value_working_dtype(part), neutral(s->mode, part->dtype), NULL, 0, &none));
    TRY(op3(l, WEBNN_WHERE, meets, part, none, &part));
    struct calc c = calc_begin(l, part);
    part = calc_reduce(&c, reduction_of(s->mode), part, 1);
    TRY(c.status);
    TRY(reshape(l, part, (const dim[]){ s->rows, s->width }, 2, &part));
    TRY(op2(l, operator_of(s->mode), s->data, part, &s->data));
    return cast(l, s->data, dtype_info(dtype)->bits == 8 ? dtype : s->data->dtype, &s->data);
}

static o2w_status scatter_last(struct lower *l, struct scatter *s)
{
    value at;
    TRY(reshape(l, s->computed, (const dim[]){ s->places, 1 }, 2, &at));
    return op(l, WEBNN_SCATTER_ND, OPERANDS(s->data, at, s->updates), NULL, &s->data);
}

/* --- both operators -------------------------------------------------------------------------------- */

static o2w_status static_shape(struct lower *l, const struct node_view *n, value v)
{
    int64_t size;
    for (uint32_t i = 0; i < v->rank; i++)
        TRY(static_dim(l, n, v, i, &size));
    return O2W_OK;
}

static int64_t count_of(const dim *dims, uint32_t from, uint32_t to)
{
    int64_t count = 1;
    for (uint32_t i = from; i < to; i++)
        count *= dims[i];
    return count;
}

/* Runs the scatter on matrices and gives the data its shape back. */
static o2w_status emit_scattered(struct lower *l, const struct node_view *n, struct scatter *s)
{
    value x = input(n, 0), y;
    TRY(reshape(l, x, (const dim[]){ s->rows, s->width }, 2, &s->data));
    TRY(reshape(l, input(n, 2), (const dim[]){ s->places, s->width }, 2, &s->updates));
    if (s->known)
        TRY(scatter_known(l, n, s));
    else
        TRY(s->mode == SCATTER_NONE ? scatter_last(l, s) : scatter_computed(l, n, s));
    TRY(reshape(l, s->data, x->dims, x->rank, &y));
    return emit_wrapped(l, n, y);
}

/* Of bools, add and max are "or", mul and min are "and". */
static enum scatter_mode reduction_mode(enum scatter_mode mode, enum dtype dtype)
{
    if (dtype != DTYPE_BOOL)
        return mode;
    return mode == SCATTER_ADD ? SCATTER_MAX : mode == SCATTER_MUL ? SCATTER_MIN : mode;
}

static o2w_status has_duplicates(struct lower *l, const struct scatter *s, bool *out)
{
    struct visits v;
    TRY(visits_init(l, s, &v));
    *out = v.most > 1;
    return O2W_OK;
}

/* --- ScatterElements ------------------------------------------------------------------------------- */

static o2w_status element_rows(struct lower *l, const struct node_view *n, uint32_t axis,
                               struct scatter *s)
{
    value x = input(n, 0), indices = input(n, 1);
    struct tensor t;
    TRY(known_tensor(l, indices, &t));
    int64_t *rows = ARENA_ARRAY(lower_arena(l), (size_t)s->places, int64_t);
    if (!rows)
        return diag_memory(lower_diags(l));
    for (int64_t i = 0; i < s->places; i++) {
        int64_t rest = i, stride = 1, row = 0;
        for (uint32_t k = x->rank; k-- > 0; stride *= x->dims[k]) {
            int64_t at = rest % indices->dims[k];
            rest /= indices->dims[k];
            if (k == axis)
                at = tensor_get_i64(&t, (uint64_t)i);
            row += (at < 0 ? at + x->dims[k] : at) * stride;
        }
        rows[i] = row;
    }
    s->known = rows;
    return O2W_OK;
}

/* index · stride + Σ place · stride over the other axes */
static o2w_status computed_element_rows(struct lower *l, const struct node_view *n, uint32_t axis,
                                        struct scatter *s)
{
    value x = input(n, 0), indices, row;
    TRY(cast(l, input(n, 1), DTYPE_INT64, &indices));
    struct calc c = calc_begin(l, indices);
    value moved = calc_add(&c, indices, calc_number(&c, (double)x->dims[axis]));
    row = calc_where(&c, calc_less(&c, indices, calc_number(&c, 0)), moved, indices);
    row = calc_mul(&c, row, calc_number(&c, (double)count_of(x->dims, axis + 1, x->rank)));
    for (uint32_t k = 0; k < x->rank; k++) {
        value place;
        if (k == axis || c.status != O2W_OK)
            continue;
        TRY(iota(l, DTYPE_INT64, indices->dims[k], k, x->rank, &place));
        double stride = (double)count_of(x->dims, k + 1, x->rank);
        row = calc_add(&c, row, calc_mul(&c, place, calc_number(&c, stride)));
    }
    s->computed = row;
    return c.status;
}

static o2w_status check_element_shapes(struct lower *l, const struct node_view *n, uint32_t axis,
                                       bool *whole)
{
    value x = input(n, 0), indices = input(n, 1), updates = input(n, 2);
    *whole = true;
    if (indices->rank != x->rank || updates->rank != x->rank)
        return refuse(l, n, DIAG_LOWER_SHAPE, "ranks are %u, %u and %u, must be equal", x->rank,
                      indices->rank, updates->rank);
    for (uint32_t i = 0; i < x->rank; i++) {
        if (dim_compare(lower_exprs(l), indices->dims[i], updates->dims[i]) == EXPR_DIFFERENT)
            return refuse_input(l, n, 2, "differs in axis %u from the indices", i);
        enum expr_order order = dim_compare(lower_exprs(l), indices->dims[i], x->dims[i]);
        if (i != axis && dim_is_static(indices->dims[i]) && dim_is_static(x->dims[i]) &&
            indices->dims[i] > x->dims[i])
            return refuse_input(l, n, 1, "has size %lld at axis %u, the data has %lld",
                                (long long)indices->dims[i], i, (long long)x->dims[i]);
        *whole &= i == axis || order != EXPR_DIFFERENT;
    }
    return O2W_OK;
}

static o2w_status emit_scatter_elements(struct lower *l, const struct node_view *n, uint32_t axis)
{
    struct webnn_scatter_elements_attributes a = webnn_scatter_elements_defaults();
    a.axis = axis;
    return emit(l, n, WEBNN_SCATTER_ELEMENTS, OPERANDS(input(n, 0), input(n, 1), input(n, 2)), &a);
}

o2w_status lower_scatter_elements(struct lower *l, const struct node_view *n, const void *params)
{
    const struct scatter_params *p = params;
    value x = input(n, 0), indices = input(n, 1);
    struct scatter s = { .width = 1, .mode = reduction_mode(mode_of(p->reduction), x->dtype) };
    uint32_t axis;
    bool whole, repeated = false;
    TRY(axis_from(l, n, p->axis, x->rank, 0, &axis));
    TRY(check_element_shapes(l, n, axis, &whole));
    TRY(check_indices(l, n, 1, x->dims[axis]));
    if (s.mode == SCATTER_NONE && whole && !value_is_known(indices))
        return emit_scatter_elements(l, n, axis);
    TRY(static_shape(l, n, x));
    TRY(static_shape(l, n, indices));
    s.rows = count_of(x->dims, 0, x->rank);
    s.places = count_of(indices->dims, 0, indices->rank);
    if (!value_is_known(indices)) {
        TRY(computed_element_rows(l, n, axis, &s));
        return emit_scattered(l, n, &s);
    }
    TRY(element_rows(l, n, axis, &s));
    TRY(has_duplicates(l, &s, &repeated));
    if (s.mode == SCATTER_NONE && whole && !repeated)
        return emit_scatter_elements(l, n, axis);
    return emit_scattered(l, n, &s);
}

/* --- ScatterND ------------------------------------------------------------------------------------- */

static o2w_status coordinate_rows(struct lower *l, const struct node_view *n, uint32_t depth,
                                  struct scatter *s)
{
    value x = input(n, 0);
    struct tensor t;
    TRY(known_tensor(l, input(n, 1), &t));
    int64_t *rows = ARENA_ARRAY(lower_arena(l), (size_t)s->places, int64_t);
    if (!rows)
        return diag_memory(lower_diags(l));
    for (int64_t i = 0; i < s->places; i++)
        for (uint32_t k = 0; k < depth; k++) {
            int64_t at = tensor_get_i64(&t, (uint64_t)i * depth + k);
            rows[i] = rows[i] * x->dims[k] + (at < 0 ? at + x->dims[k] : at);
        }
    s->known = rows;
    return O2W_OK;
}

static o2w_status computed_rows(struct lower *l, const struct node_view *n, uint32_t depth,
                                struct scatter *s)
{
    value x = input(n, 0), all, sum = NULL;
    TRY(reshape(l, input(n, 1), (const dim[]){ s->places, depth }, 2, &all));
    struct calc c = calc_begin(l, all);
    for (uint32_t k = 0; k < depth; k++) {
        value at;
        TRY(slice(l, all, 1, k, 1, 1, &at));
        value moved = calc_add(&c, at, calc_number(&c, (double)x->dims[k]));
        at = calc_where(&c, calc_less(&c, at, calc_number(&c, 0)), moved, at);
        value size = calc_number(&c, (double)x->dims[k]);
        sum = sum ? calc_add(&c, calc_mul(&c, sum, size), at) : at;
        TRY(c.status);
    }
    s->computed = sum;
    return O2W_OK;
}

static o2w_status scatter_nd(struct lower *l, const struct node_view *n, enum scatter_mode mode)
{
    value x = input(n, 0), indices = input(n, 1);
    bool repeated = false;
    uint32_t depth;
    mode = reduction_mode(mode, x->dtype);
    struct scatter s = { .mode = mode };
    TRY(index_depth(l, n, 1, x->rank, &depth));
    TRY(check_coordinates(l, n, 1, 0));
    if (mode != SCATTER_NONE || value_is_known(indices)) {
        TRY(static_shape(l, n, x));
        TRY(static_shape(l, n, indices));
        s.rows = count_of(x->dims, 0, depth);
        s.width = count_of(x->dims, depth, x->rank);
        s.places = count_of(indices->dims, 0, indices->rank - 1);
    }
    if (value_is_known(indices)) {
        TRY(coordinate_rows(l, n, depth, &s));
        TRY(has_duplicates(l, &s, &repeated));
    } else if (mode != SCATTER_NONE) {
        TRY(computed_rows(l, n, depth, &s));
    }
    if (mode != SCATTER_NONE || repeated)
        return emit_scattered(l, n, &s);
    return emit(l, n, WEBNN_SCATTER_ND, OPERANDS(x, indices, input(n, 2)), NULL);
}

o2w_status lower_scatter_nd(struct lower *l, const struct node_view *n, const void *params)
{
    return scatter_nd(l, n, mode_of(((const struct scatter_params *)params)->reduction));
}

o2w_status lower_scatter_nd_11(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return scatter_nd(l, n, SCATTER_NONE);
}
