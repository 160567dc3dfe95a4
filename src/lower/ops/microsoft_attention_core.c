/* com.microsoft: scores, masks and caches of attention. */
#include "lower/ops/microsoft_attention.h"

#include <math.h>

static const double LOWEST = -3.4028234663852886e38;

/* --- shapes ------------------------------------------------------------------------------------------ */

o2w_status ms_split_heads(struct lower *l, const struct node_view *n, value x, int64_t heads,
                          value *out)
{
    static const uint32_t heads_second[] = { 0, 2, 1, 3 };
    int64_t size;
    if (x->rank != 3)
        return refuse(l, n, DIAG_LOWER_SHAPE, "rank 3 is needed to split heads, not %u", x->rank);
    TRY(static_dim(l, n, x, 2, &size));
    if (heads < 1 || size % heads)
        return refuse(l, n, DIAG_LOWER_SHAPE, "%lld columns are no multiple of %lld heads",
                      (long long)size, (long long)heads);
    TRY(reshape(l, x, (const dim[]){ x->dims[0], x->dims[1], heads, size / heads }, 4, &x));
    return transpose(l, x, heads_second, out);
}

o2w_status ms_columns(struct lower *l, value x, int64_t first, int64_t count, value *out)
{
    return slice(l, x, x->rank - 1, first, count, 1, out);
}

/* --- positions --------------------------------------------------------------------------------------- */

o2w_status ms_causal(struct lower *l, dim queries, dim keys, value *out)
{
    value row, column;
    TRY(attention_last_positions(l, keys, queries, &row));
    TRY(attention_positions(l, keys, 3, &column));
    return op2(l, WEBNN_LESSER_OR_EQUAL, column, row, out);
}

/* --- padding ----------------------------------------------------------------------------------------- */

static o2w_status refuse_mask(struct lower *l, const struct node_view *n, const struct ms_mask *m)
{
    value x = input(n, m->at);
    const dim wanted[] = { m->batch, m->queries, m->keys };
    return refuse_input(l, n, m->at,
                        "has shape %s; masks of [B], [2B], [3B+2], [B, T], [B, S, T] and "
                        "[B, 1, M, M] are supported, where [B, S, T] is %s",
                        dim_list_text(lower_exprs(l), x->dims, x->rank, lower_arena(l)),
                        dim_list_text(lower_exprs(l), wanted, 3, lower_arena(l)));
}

static bool same(struct lower *l, dim a, dim b)
{
    return dim_compare(lower_exprs(l), a, b) != EXPR_DIFFERENT;
}

/* Lengths, or ends and starts: keys from start on, before end. What follows 3B + 2 lengths and offsets
 * is not needed. */
static o2w_status between(struct lower *l, const struct node_view *n, const struct ms_mask *m,
                          value *out)
{
    value x = input(n, m->at), end, start, column;
    const dim dims[] = { m->batch, 1, 1, 1 }, count = x->dims[0], batch = m->batch;
    bool numbers = dim_is_static(count) && dim_is_static(batch);
    bool ends = dim_compare(lower_exprs(l), count, batch) == EXPR_EQUAL;
    bool both = numbers && count == 2 * batch;
    if (!ends && !both && !(numbers && count == 3 * batch + 2))
        return refuse_mask(l, n, m);
    TRY(cast(l, x, DTYPE_INT64, &x));
    TRY(attention_positions(l, m->keys, 3, &column));
    TRY(slice(l, x, 0, 0, batch, 1, &end));
    TRY(reshape(l, end, dims, 4, &end));
    TRY(op2(l, WEBNN_LESSER, column, end, out));
    if (!both)
        return O2W_OK;
    TRY(slice(l, x, 0, batch, batch, 1, &start));
    TRY(reshape(l, start, dims, 4, &start));
    TRY(op2(l, WEBNN_GREATER_OR_EQUAL, column, start, &start));
    return op2(l, WEBNN_LOGICAL_AND, *out, start, out);
}

/* [B, 1, M, M]: rows from the past length on, columns up to the last key. */
static o2w_status square(struct lower *l, const struct node_view *n, const struct ms_mask *m,
                         value *out)
{
    value x = input(n, m->at);
    int64_t size;
    TRY(static_dim(l, n, x, 2, &size));
    if (!dim_is_static(m->queries) || !dim_is_static(m->keys) || x->dims[1] != 1 ||
        x->dims[3] != size || size < m->keys || !same(l, x->dims[0], m->batch))
        return refuse_mask(l, n, m);
    TRY(slice(l, x, 2, m->keys - m->queries, m->queries, 1, &x));
    return slice(l, x, 3, 0, m->keys, 1, out);
}

/* Zeros behind the last column, up to the last key. */
static o2w_status lengthen(struct lower *l, const struct ms_mask *m, value x, value *out)
{
    struct webnn_pad_attributes p = webnn_pad_defaults();
    uint32_t last = x->rank - 1;
    *out = x;
    if (!m->short_too || !dim_is_static(m->keys) || !dim_is_static(x->dims[last]) ||
        x->dims[last] >= m->keys)
        return O2W_OK;
    p.beginning_padding = p.ending_padding = (struct webnn_u32s){ .given = true, .count = x->rank };
    p.ending_padding.items[last] = (uint32_t)(m->keys - x->dims[last]);
    return op(l, WEBNN_PAD, OPERANDS(x), &p, out);
}

o2w_status ms_score_bias(struct lower *l, const struct node_view *n, const struct ms_mask *m,
                         value *out)
{
    value x = input(n, m->at);
    *out = NULL;
    if (!x)
        return O2W_OK;
    if (x->rank != 4 || !same(l, x->dims[2], m->queries))
        return refuse_input(l, n, m->at, "has shape %s, [batch, heads, queries, keys] is needed",
                            dim_list_text(lower_exprs(l), x->dims, x->rank, lower_arena(l)));
    TRY(lengthen(l, m, x, &x));
    if (!same(l, x->dims[3], m->keys))
        return refuse_input(l, n, m->at, "has %lld columns for %lld keys", (long long)x->dims[3],
                            (long long)m->keys);
    return widen(l, x, out);
}

/* What is kept: broadcasts to [B, 1, S, T]; integers above 0, or uint8. */
static o2w_status kept(struct lower *l, const struct node_view *n, const struct ms_mask *m,
                       value *out)
{
    static const uint32_t middle[] = { 1, 2 };
    value x = input(n, m->at), zero;
    if (x->rank == 1)
        return between(l, n, m, out);
    if (x->rank == 2 || x->rank == 3)
        TRY(lengthen(l, m, x, &x));
    if (x->rank == 2) {
        if (!same(l, x->dims[0], m->batch) || !same(l, x->dims[1], m->keys))
            return refuse_mask(l, n, m);
        TRY(unsqueeze(l, x, middle, 2, &x));
    } else if (x->rank == 3) {
        if (!same(l, x->dims[0], m->batch) || !same(l, x->dims[1], m->queries) ||
            !same(l, x->dims[2], m->keys))
            return refuse_mask(l, n, m);
        TRY(unsqueeze(l, x, middle, 1, &x));
    } else if (x->rank == 4) {
        TRY(square(l, n, m, &x));
    } else {
        return refuse_mask(l, n, m);
    }
    TRY(scalar_i64(l, x->dtype, 0, &zero));
    return op2(l, WEBNN_GREATER, x, zero, out);
}

o2w_status ms_padding(struct lower *l, const struct node_view *n, const struct ms_mask *m,
                      value *out)
{
    value keep;
    struct calc c = { .l = l, .dtype = DTYPE_FLOAT32 };
    *out = NULL;
    if (!input(n, m->at))
        return O2W_OK;
    TRY(kept(l, n, m, &keep));
    double filter = m->filter.given ? m->filter.value : -10000;
    *out = calc_where(&c, keep, calc_number(&c, 0), calc_number(&c, filter));
    return c.status;
}

o2w_status ms_add_bias(struct lower *l, value a, value b, value *out)
{
    if (a)
        TRY(widen(l, a, &a));
    if (b)
        TRY(widen(l, b, &b));
    *out = a ? a : b;
    return a && b ? op2(l, WEBNN_ADD, a, b, out) : O2W_OK;
}

/* --- caches ------------------------------------------------------------------------------------------ */

o2w_status ms_past_length(struct lower *l, const struct node_view *n, uint32_t at, value *out)
{
    value x = input(n, at);
    uint64_t count;
    if (!x)
        return refuse(l, n, DIAG_LOWER_INPUT,
                      "input %u '%s' is missing, a cache that shares its buffer needs it", at,
                      n->row->inputs[at].name);
    if (!value_count(x, &count) || count != 1)
        return refuse_input(l, n, at, "has rank %u, one number is needed", x->rank);
    TRY(reshape(l, x, NULL, 0, &x));
    return cast(l, x, DTYPE_INT64, out);
}

/* x [B, H, S, D] into the buffer at rows length, length + 1 … */
static o2w_status write_rows(struct lower *l, const struct node_view *n, const struct ms_cache *c,
                             value x, value *out)
{
    static const uint32_t rows_first[] = { 2, 0, 1, 3 }, back[] = { 1, 2, 0, 3 };
    value rows, at, buffer;
    int64_t count;
    TRY(static_dim(l, n, x, 2, &count));
    TRY(ms_past_length(l, n, c->length_at, &at));
    TRY(iota(l, DTYPE_INT64, count, 0, 2, &rows));
    TRY(op2(l, WEBNN_ADD, rows, at, &rows));
    TRY(transpose(l, c->past, rows_first, &buffer));
    TRY(transpose(l, x, rows_first, &x));
    TRY(op3(l, WEBNN_SCATTER_ND, buffer, rows, x, &x));
    return transpose(l, x, back, out);
}

static o2w_status append_shared(struct lower *l, const struct node_view *n, struct ms_cache *c,
                                value x)
{
    int64_t length, size;
    value past;
    TRY(write_rows(l, n, c, x, &c->present));
    c->seen = c->present;
    c->longer = !value_is_known(input(n, c->length_at));
    if (c->longer)
        return O2W_OK;
    TRY(known_int(l, n, c->length_at, &length));
    TRY(static_dim(l, n, c->past, 2, &size));
    if (length < 0 || length + x->dims[2] > size)
        return refuse_input(l, n, c->length_at, "is %lld: %lld rows do not fit behind it in %lld",
                            (long long)length, (long long)x->dims[2], (long long)size);
    c->seen = x;
    if (length == 0)
        return O2W_OK;
    TRY(slice(l, c->past, 2, 0, length, 1, &past));
    return concat(l, (const value[]){ past, x }, 2, 2, &c->seen);
}

o2w_status ms_append(struct lower *l, const struct node_view *n, struct ms_cache *c, value x)
{
    c->seen = c->present = x;
    c->longer = false;
    if (!c->past)
        return O2W_OK;
    if (c->past->rank != 4 || c->past->dims[1] != x->dims[1] || c->past->dims[3] != x->dims[3])
        return refuse_input(l, n, c->past_at, "does not hold [batch, %lld heads, length, %lld]",
                            (long long)x->dims[1], (long long)x->dims[3]);
    if (c->shared)
        return append_shared(l, n, c, x);
    TRY(concat(l, (const value[]){ c->past, x }, 2, 2, &c->present));
    c->seen = c->present;
    return O2W_OK;
}

o2w_status ms_no_beam(struct lower *l, const struct node_view *n, uint32_t width_at,
                      uint32_t indirection_at)
{
    int64_t width = 1;
    if (indirection_at && input(n, indirection_at))
        return refuse_input(l, n, indirection_at,
                            "is given: beam search belongs to the application");
    if (!width_at || !input(n, width_at))
        return O2W_OK;
    TRY(known_int(l, n, width_at, &width));
    if (width != 1)
        return refuse_input(l, n, width_at, "is %lld: beam search belongs to the application",
                            (long long)width);
    return O2W_OK;
}

/* --- scores ------------------------------------------------------------------------------------------ */

/* The position of the first of the last `fresh` keys. */
static o2w_status first_fresh(struct lower *l, dim keys, dim fresh, value *out)
{
    if (dim_is_static(keys) && dim_is_static(fresh))
        return scalar_i64(l, DTYPE_INT64, keys - fresh, out);
    TRY(attention_last_positions(l, keys, fresh, out));
    return slice(l, *out, 2, 0, 1, 1, out);
}

/* Keys up to each query where more or fewer keys than queries are new. */
static o2w_status causal_from(struct lower *l, const struct ms_attention *a, value *out)
{
    dim queries = a->q->dims[2], keys = a->k->dims[2];
    value row, first, last, column, is_last;
    TRY(attention_positions(l, queries, 2, &row));
    TRY(attention_last_positions(l, queries, 1, &last));
    TRY(op2(l, WEBNN_EQUAL, row, last, &is_last));
    TRY(first_fresh(l, keys, a->fresh, &first));
    TRY(op2(l, WEBNN_ADD, row, first, &row));
    TRY(attention_positions(l, keys, 3, &column));
    TRY(op2(l, WEBNN_LESSER_OR_EQUAL, column, row, out));
    return op2(l, WEBNN_LOGICAL_OR, *out, is_last, out);
}

static o2w_status causal_part(struct lower *l, struct ms_attention *a, value *allowed)
{
    value more, row, column;
    dim queries = a->q->dims[2];
    if (!a->causal || (!a->first && queries == 1))
        return O2W_OK;
    if (a->first) {
        TRY(attention_positions(l, queries, 2, &row));
        TRY(op2(l, WEBNN_ADD, row, a->first, &row));
        TRY(attention_positions(l, a->k->dims[2], 3, &column));
        TRY(op2(l, WEBNN_LESSER_OR_EQUAL, column, row, &more));
    } else if (a->fresh && dim_compare(lower_exprs(l), a->fresh, queries) != EXPR_EQUAL) {
        TRY(causal_from(l, a, &more));
    } else {
        TRY(ms_causal(l, queries, a->k->dims[2], &more));
    }
    *allowed = more;
    return a->allowed ? op2(l, WEBNN_LOGICAL_AND, a->allowed, more, allowed) : O2W_OK;
}

/* A mask that is known to exclude nothing is none. */
static o2w_status drop_full(struct lower *l, value *allowed)
{
    struct tensor t;
    uint64_t count;
    if (!value_is_known(*allowed) || !value_count(*allowed, &count) || count > 1 << 22)
        return O2W_OK;
    TRY(known_tensor(l, *allowed, &t));
    for (uint64_t i = 0; i < count; i++)
        if (tensor_get_i64(&t, i) == 0)
            return O2W_OK;
    *allowed = NULL;
    return O2W_OK;
}

/* The softmax over the keys and one column more, without that column. */
static o2w_status softmax_with_sink(struct lower *l, value scores, value sink, value *out)
{
    struct webnn_softmax_attributes last = { .axis = 3 };
    value all, y;
    dim keys = scores->dims[3];
    if (!sink)
        return op(l, WEBNN_SOFTMAX, OPERANDS(scores), &last, out);
    TRY(expand(l, sink, (const dim[]){ scores->dims[0], scores->dims[1], scores->dims[2], 1 }, 4,
               &sink));
    TRY(concat(l, (const value[]){ scores, sink }, 2, 3, &all));
    TRY(op(l, WEBNN_SOFTMAX, OPERANDS(all), &last, &y));
    return slice(l, y, 3, 0, keys, 1, out);
}

static o2w_status widen_all(struct lower *l, struct ms_attention *a, value *k, value *v)
{
    TRY(widen(l, a->q, &a->q));
    TRY(widen(l, a->k, k));
    TRY(widen(l, a->v, v));
    if (a->bias)
        TRY(widen(l, a->bias, &a->bias));
    return a->sink ? widen(l, a->sink, &a->sink) : O2W_OK;
}

o2w_status ms_attend(struct lower *l, const struct node_view *n, struct ms_attention *a, value *out)
{
    static const uint32_t sequence_second[] = { 0, 2, 1, 3 };
    int64_t size;
    value k, v, allowed = a->allowed, y;
    dim columns;
    TRY(static_dim(l, n, a->q, 3, &size));
    if (!same(l, a->k->dims[3], size))
        return refuse(l, n, DIAG_LOWER_SHAPE,
                      "heads of the key have size %lld, those of the query %lld",
                      (long long)a->k->dims[3], (long long)size);
    TRY(widen_all(l, a, &k, &v));
    TRY(causal_part(l, a, &allowed));
    TRY(drop_full(l, &allowed));
    struct calc c = calc_begin(l, a->q);
    bool own = a->scale.given && a->scale.value != 0;
    value s;
    TRY(attention_scores(l, n, a->q, k, own ? a->scale.value : 1 / sqrt((double)size), &s));
    s = attention_capped(&c, s, a->softcap);
    s = a->bias ? calc_add(&c, s, a->bias) : s;
    s = allowed ? calc_where(&c, allowed, s, calc_number(&c, LOWEST)) : s;
    TRY(c.status);
    a->scores = s;
    TRY(softmax_with_sink(l, s, a->sink, &a->probabilities));
    TRY(attention_mix(l, n, a->probabilities, v, &y));
    TRY(transpose(l, y, sequence_second, &y));
    TRY(dim_of(l, n, EXPR_MUL, y->dims[2], y->dims[3], &columns));
    return reshape(l, y, (const dim[]){ y->dims[0], y->dims[1], columns }, 3, out);
}
