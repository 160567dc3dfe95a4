/* com.microsoft: attention whose keys serve groups of heads, with rotary positions and a cache. */
#include "lower/ops/microsoft_attention.h"

#include "lower/ops/normalization.h"

extern const struct onnx_row microsoft_gqa_rows[];

struct gqa {
    int64_t num_heads, kv_num_heads, causal, do_rotary, rotary_interleaved, local_window_size,
        smooth_softmax, qk_output, sliding_window_cache, kv_cache_bit_width;
    struct given_float scale, q_norm_epsilon, k_norm_epsilon;
    double softcap, qk_norm_epsilon;
    struct span k_quant_type, v_quant_type;
};

enum {
    QUERY,
    KEY,
    VALUE,
    PAST_KEY,
    PAST_VALUE,
    SEQLENS_K,
    TOTAL,
    COSINE,
    SINE,
    POSITIONS,
    BIAS,
    SINK,
    K_SCALE,
    V_SCALE,
    Q_NORM,
    K_NORM,
    QUERY_LENGTHS
};

/* A6, for all batch entries. */
struct step {
    dim batch, queries, total, buffer; /* B, S, the valid length of the longest, rows of the past */
    bool prompt;                       /* no key before the queries */
    bool at_end;                       /* the queries are the last rows */
    bool is_proven;                    /* past and queries are `total`, whatever the sizes are */
    bool ragged;                       /* a batch entry may have fewer queries than S */
    value lengths, counts, before;     /* T, Q, P: int64 [B, 1, 1, 1]; NULL with at_end or prompt */
};

/* --- queries, keys and values ------------------------------------------------------------------------- */

/* [B, S, heads · size] as [B, S, heads, size]. */
static o2w_status by_heads(struct lower *l, const struct node_view *n, value x, int64_t heads,
                           value *out)
{
    int64_t size;
    TRY(static_dim(l, n, x, 2, &size));
    if (size % heads)
        return refuse(l, n, DIAG_LOWER_SHAPE, "%lld columns are no multiple of %lld heads",
                      (long long)size, (long long)heads);
    return reshape(l, x, (const dim[]){ x->dims[0], x->dims[1], heads, size / heads }, 4, out);
}

static o2w_status unpack(struct lower *l, const struct node_view *n, const struct gqa *p,
                         value out[3])
{
    value x = input(n, QUERY);
    int64_t all, parts = p->num_heads + 2 * p->kv_num_heads;
    TRY(static_dim(l, n, x, 2, &all));
    if (all % parts || input(n, VALUE))
        return refuse_input(l, n, QUERY, "has %lld columns, without a key a multiple of %lld heads",
                            (long long)all, (long long)parts);
    int64_t size = all / parts;
    TRY(ms_columns(l, x, 0, p->num_heads * size, &out[0]));
    TRY(ms_columns(l, x, p->num_heads * size, p->kv_num_heads * size, &out[1]));
    return ms_columns(l, x, (p->num_heads + p->kv_num_heads) * size, p->kv_num_heads * size,
                      &out[2]);
}

static o2w_status read_qkv(struct lower *l, const struct node_view *n, const struct gqa *p,
                           value out[3])
{
    for (uint32_t i = 0; i < 3; i++)
        out[i] = input(n, i);
    if (p->num_heads < 1 || p->kv_num_heads < 1 || p->num_heads > MS_MOST_HEADS ||
        p->num_heads % p->kv_num_heads)
        return refuse_attribute(l, n, "kv_num_heads", "is %lld, must divide num_heads, %lld",
                                (long long)p->kv_num_heads, (long long)p->num_heads);
    for (uint32_t i = 0; i < 3; i++)
        if (out[i] && out[i]->rank != 3)
            return refuse_input(l, n, i, "has rank %u, must be 3", out[i]->rank);
    if (!out[1])
        TRY(unpack(l, n, p, out));
    if (!out[2])
        return refuse_input(l, n, KEY, "is given without a value");
    TRY(by_heads(l, n, out[0], p->num_heads, &out[0]));
    TRY(by_heads(l, n, out[1], p->kv_num_heads, &out[1]));
    return by_heads(l, n, out[2], p->kv_num_heads, &out[2]);
}

/* A8: root mean square per head, before the positions. */
static o2w_status normalized(struct lower *l, const struct node_view *n, uint32_t weight_at,
                             double epsilon, value *x)
{
    value weight = input(n, weight_at), y, inverse;
    struct webnn_u32s axes;
    enum dtype dtype = (*x)->dtype;
    if (!weight)
        return O2W_OK;
    if (weight->rank != 1 || weight->dims[0] != (*x)->dims[3])
        return refuse_input(l, n, weight_at, "must have %lld elements", (long long)(*x)->dims[3]);
    TRY(widen(l, *x, &y));
    axes_behind(3, 4, &axes);
    TRY(rms_normalize(l, y, &axes, epsilon, &y, &inverse));
    TRY(widen(l, weight, &weight));
    TRY(op2(l, WEBNN_MUL, y, weight, &y));
    return cast(l, y, dtype, x);
}

/* --- lengths ------------------------------------------------------------------------------------------ */

static o2w_status read_total(struct lower *l, const struct node_view *n, dim *out)
{
    const expr_id *elements;
    uint32_t count;
    if (!value_is_static(input(n, TOTAL))) {
        o2w_status s = refuse_input(
            l, n, TOTAL, "is computed: the length of the cache that goes out depends on it");
        diag_hint(lower_diags(l), "--pin-input gives an input of the model a value");
        return s;
    }
    TRY(known_shape(l, n, TOTAL, &elements, &count));
    if (count != 1)
        return refuse_input(l, n, TOTAL, "has %u elements, one number is needed", count);
    *out = dim_from_expr(lower_exprs(l), elements[0]);
    return O2W_OK;
}

/* seqlens_k or query_seqlens as int64 [B, 1, 1, 1]. */
static o2w_status per_entry(struct lower *l, const struct node_view *n, uint32_t at, dim batch,
                            value *out)
{
    value x = input(n, at);
    if (!(x->rank == 1 || (x->rank == 2 && x->dims[1] == 1)))
        return refuse_input(l, n, at, "must have one element per batch entry");
    TRY(reshape(l, x, (const dim[]){ batch, 1, 1, 1 }, 4, &x));
    return cast(l, x, DTYPE_INT64, out);
}

static o2w_status check_step(struct lower *l, const struct node_view *n, const struct step *s)
{
    bool one = s->queries == 1;
    if (s->prompt || s->at_end || one || input(n, QUERY_LENGTHS))
        return O2W_OK;
    if (dim_is_static(s->queries) && dim_is_static(s->total) && s->batch == 1)
        return O2W_OK;
    o2w_status status =
        refuse(l, n, DIAG_LOWER_SHAPE,
               "several queries behind a past need one batch entry, or input 16 'query_seqlens'");
    diag_hint(lower_diags(l), "--override-dim of the batch and of the sequence length");
    return status;
}

/* T, Q and P. */
static o2w_status read_lengths(struct lower *l, const struct node_view *n, struct step *s)
{
    struct calc c = { .l = l, .dtype = DTYPE_INT64 };
    if (input(n, QUERY_LENGTHS)) {
        TRY(per_entry(l, n, QUERY_LENGTHS, s->batch, &s->counts));
        s->ragged = true;
    } else if (s->queries == 1) {
        s->counts = calc_number(&c, 1);
    } else {
        int64_t queries = s->queries;
        s->ragged = true;
        s->counts = calc_min(&c, s->lengths, calc_number(&c, (double)queries));
    }
    s->before = calc_sub(&c, s->lengths, s->counts);
    return c.status;
}

static o2w_status read_step(struct lower *l, const struct node_view *n, value q, struct step *s)
{
    value past = input(n, PAST_KEY);
    dim end;
    *s = (struct step){ .batch = q->dims[0], .queries = q->dims[1] };
    TRY(read_total(l, n, &s->total));
    if (past && past->rank != 4)
        return refuse_input(l, n, PAST_KEY, "has rank %u, must be 4", past->rank);
    s->buffer = past ? past->dims[2] : 0;
    TRY(dim_of(l, n, EXPR_ADD, s->buffer, s->queries, &end));
    struct exprs *x = lower_exprs(l);
    s->prompt = s->buffer == 0 || dim_compare(x, s->queries, s->total) == EXPR_EQUAL;
    if (s->buffer == 0 && dim_compare(x, s->queries, s->total) == EXPR_DIFFERENT)
        return refuse_input(l, n, TOTAL, "is %lld, without a past it must be the %lld queries",
                            (long long)s->total, (long long)s->queries);
    /* open sizes that must be equal then: the mask makes it a condition of the graph */
    s->at_end = !s->prompt && s->batch == 1 && !input(n, QUERY_LENGTHS) &&
                dim_compare(x, end, s->total) != EXPR_DIFFERENT;
    s->is_proven = dim_compare(x, end, s->total) == EXPR_EQUAL;
    TRY(check_step(l, n, s));
    struct calc c = { .l = l, .dtype = DTYPE_INT64 };
    TRY(per_entry(l, n, SEQLENS_K, s->batch, &s->lengths));
    s->lengths = calc_add(&c, s->lengths, calc_number(&c, 1));
    TRY(c.status);
    return s->at_end || s->prompt ? O2W_OK : read_lengths(l, n, s);
}

/* --- positions ---------------------------------------------------------------------------------------- */

/* Positions of the queries as [B | 1, S, 1, 1]. */
static o2w_status query_positions(struct lower *l, const struct step *s, value *out)
{
    static const uint32_t second[] = { 0, 2, 1, 3 };
    value rows;
    if (s->at_end)
        TRY(attention_last_positions(l, s->total, s->queries, &rows));
    else
        TRY(attention_positions(l, s->queries, 2, &rows));
    if (s->before)
        TRY(op2(l, WEBNN_ADD, rows, s->before, &rows));
    return transpose(l, rows, second, out);
}

/* Of a prompt only the first element of position_ids counts: all entries go on from there. */
static o2w_status prompt_positions(struct lower *l, const struct step *s, value ids, value *out)
{
    value first, rows;
    TRY(slice(l, ids, 0, 0, 1, 1, &first));
    TRY(slice(l, first, 1, 0, 1, 1, &first));
    TRY(attention_positions(l, s->queries, 1, &rows));
    TRY(reshape(l, rows, rows->dims, 2, &rows));
    return op2(l, WEBNN_ADD, first, rows, out);
}

/* Rows of the cache [length, half], as [B | 1, S, 1, half]. */
static o2w_status angles(struct lower *l, const struct node_view *n, const struct step *s,
                         uint32_t at, int64_t size, value *out)
{
    value cache = input(n, at), places = input(n, POSITIONS), y;
    const uint32_t heads = 2;
    if (!cache)
        return refuse_attribute(l, n, "do_rotary", "is 1, input %u '%s' is missing", at,
                                n->row->inputs[at].name);
    if (cache->rank != 2 || !dim_is_static(cache->dims[1]) || cache->dims[1] * 2 > size)
        return refuse_input(l, n, at, "must be [length, at most %lld]", (long long)size / 2);
    if (!places && s->prompt && dim_is_static(s->queries)) {
        TRY(slice(l, cache, 0, 0, s->queries, 1, &y));
        TRY(unsqueeze(l, y, (const uint32_t[]){ 0 }, 1, &y));
    } else {
        if (!places) {
            TRY(query_positions(l, s, &places));
            TRY(reshape(l, places, places->dims, 2, &places));
        } else if (s->prompt) {
            TRY(prompt_positions(l, s, places, &places));
        }
        TRY(op2(l, WEBNN_GATHER, cache, places, &y));
        TRY(retype(l, y, cache->dtype, &y));
    }
    TRY(widen(l, y, &y));
    return unsqueeze(l, y, &heads, 1, out);
}

static o2w_status turn(struct lower *l, const struct node_view *n, const struct gqa *p,
                       const struct step *s, value *q, value *k)
{
    value cosine, sine;
    if (!p->do_rotary)
        return O2W_OK;
    TRY(angles(l, n, s, COSINE, (*q)->dims[3], &cosine));
    TRY(angles(l, n, s, SINE, (*q)->dims[3], &sine));
    TRY(rotary_turn(l, *q, cosine, sine, p->rotary_interleaved != 0, q));
    return rotary_turn(l, *k, cosine, sine, p->rotary_interleaved != 0, k);
}

/* --- the cache ---------------------------------------------------------------------------------------- */

/* Rows of zeros, [B, count, H, D], behind x. */
static o2w_status lengthen(struct lower *l, value x, dim count, value *out)
{
    const dim dims[] = { x->dims[0], count, x->dims[2], x->dims[3] };
    value zeros;
    *out = x;
    if (count == 0)
        return O2W_OK;
    TRY(fill_i64(l, x->dtype, 0, dims, 4, &zeros));
    return concat(l, (const value[]){ x, zeros }, 2, 1, out);
}

/* Index pairs [B, S, 2]: the entry, and P + s; a row that is no query goes to `dummy`. */
static o2w_status places(struct lower *l, const struct step *s, int64_t dummy, value *out)
{
    static const uint32_t last = 2;
    value entry, row, number, rows;
    const dim flat[] = { s->batch, s->queries };
    TRY(query_positions(l, s, &row));
    if (s->ragged) {
        TRY(attention_positions(l, s->queries, 1, &number));
        TRY(op2(l, WEBNN_LESSER, number, s->counts, &number));
        TRY(scalar_i64(l, DTYPE_INT64, dummy, &rows));
        TRY(op3(l, WEBNN_WHERE, number, row, rows, &row));
    }
    TRY(reshape(l, row, row->dims, 2, &row));
    TRY(expand(l, row, flat, 2, &row));
    TRY(attention_positions(l, s->batch, 0, &entry));
    TRY(reshape(l, entry, entry->dims, 2, &entry));
    TRY(expand(l, entry, flat, 2, &entry));
    TRY(unsqueeze(l, entry, &last, 1, &entry));
    TRY(unsqueeze(l, row, &last, 1, &row));
    return concat(l, (const value[]){ entry, row }, 2, 2, out);
}

/* The past [B, L, H, D] with x [B, S, H, D] written where the lengths say. */
static o2w_status write_rows(struct lower *l, const struct node_view *n, const struct step *s,
                             value past, value x, value *out)
{
    dim size, more;
    value at;
    TRY(dim_of(l, n, EXPR_MAX, s->buffer, s->total, &size));
    TRY(dim_of(l, n, EXPR_SUB, size, s->buffer, &more));
    TRY(dim_of(l, n, EXPR_ADD, more, s->ragged ? 1 : 0, &more));
    if (s->ragged && !dim_is_static(size))
        return refuse_input(l, n, PAST_KEY, "needs a length that is a number");
    TRY(lengthen(l, past, more, &past));
    TRY(places(l, s, size, &at));
    TRY(op3(l, WEBNN_SCATTER_ND, past, at, x, &past));
    return slice(l, past, 1, 0, size, 1, out);
}

/* A6: x [B, S, H, D] into the cache: the result is [B, H, T, D]. */
static o2w_status append(struct lower *l, const struct node_view *n, const struct step *s,
                         uint32_t past_at, value x, value *out)
{
    static const uint32_t swap[] = { 0, 2, 1, 3 };
    value past = input(n, past_at), rest;
    if (s->buffer == 0) {
        *out = x;
        return transpose(l, x, swap, out);
    }
    if (!past || past->rank != 4 || past->dims[1] != x->dims[2] || past->dims[3] != x->dims[3])
        return refuse_input(l, n, past_at, "is no cache of [batch, %lld, length, %lld]",
                            (long long)x->dims[2], (long long)x->dims[3]);
    if (s->at_end) {
        TRY(transpose(l, x, swap, &x));
        return concat(l, (const value[]){ past, x }, 2, 2, out);
    }
    TRY(transpose(l, past, swap, &past));
    if (s->prompt && dim_is_static(s->buffer) && dim_is_static(s->queries)) {
        if (s->buffer > s->queries) {
            TRY(slice(l, past, 1, s->queries, s->buffer - s->queries, 1, &rest));
            TRY(concat(l, (const value[]){ x, rest }, 2, 1, &x));
        }
        return transpose(l, x, swap, out);
    }
    if (s->prompt)
        return refuse_input(l, n, past_at, "needs a length that is a number in a prompt");
    TRY(write_rows(l, n, s, past, x, &x));
    return transpose(l, x, swap, out);
}

/* --- masks -------------------------------------------------------------------------------------------- */

/* A7: which keys each query sees. */
static o2w_status visible(struct lower *l, const struct gqa *p, const struct step *s, dim keys,
                          value *out)
{
    static const uint32_t second[] = { 0, 2, 1, 3 };
    struct calc c = { .l = l, .dtype = DTYPE_INT64 };
    value row, column;
    bool one_at_end = s->at_end && s->queries == 1;
    *out = NULL;
    if (one_at_end && s->is_proven && p->local_window_size <= 0)
        return O2W_OK;
    TRY(query_positions(l, s, &row));
    TRY(transpose(l, row, second, &row));
    TRY(attention_positions(l, s->at_end ? s->total : keys, 3, &column));
    if (p->causal && !one_at_end)
        *out = calc_less_equal(&c, column, row);
    if (p->local_window_size > 0) {
        value first = calc_sub(&c, row, calc_number(&c, (double)p->local_window_size));
        value inside = calc_greater(&c, column, first);
        *out = *out ? calc_and(&c, *out, inside) : inside;
    }
    if (!s->at_end || !s->is_proven) {
        value valid = calc_less(&c, column, s->lengths);
        *out = *out ? calc_and(&c, *out, valid) : valid;
    }
    return c.status;
}

static o2w_status sink_column(struct lower *l, const struct node_view *n, const struct gqa *p,
                              value *out)
{
    value sink = input(n, SINK);
    *out = NULL;
    if (!sink)
        return p->smooth_softmax == 1
                   ? fill_i64(l, DTYPE_FLOAT32, 0, (const dim[]){ 1, 1, 1, 1 }, 4, out)
                   : O2W_OK;
    if (sink->rank != 1 || sink->dims[0] != p->num_heads)
        return refuse_input(l, n, SINK, "must have %lld elements", (long long)p->num_heads);
    return reshape(l, sink, (const dim[]){ 1, p->num_heads, 1, 1 }, 4, out);
}

/* --- GroupQueryAttention ------------------------------------------------------------------------------ */

static o2w_status refuse_quantized(struct lower *l, const struct node_view *n, const struct gqa *p)
{
    static const char help[] = "the KV cache is quantised; export with a float KV cache";
    if (p->kv_cache_bit_width != 0)
        return refuse_attribute(l, n, "kv_cache_bit_width", "is %lld: %s",
                                (long long)p->kv_cache_bit_width, help);
    for (uint32_t i = K_SCALE; i <= V_SCALE; i++)
        if (input(n, i))
            return refuse_input(l, n, i, "is given: %s", help);
    for (uint32_t i = PAST_KEY; i <= PAST_VALUE; i++)
        if (input(n, i) && input(n, i)->dtype != n->variables[TYPE_T])
            return refuse_input(l, n, i, "has type %s: %s", dtype_name(input(n, i)->dtype), help);
    return O2W_OK;
}

static double epsilon_of(const struct given_float *own, double both)
{
    return own->given ? own->value : both;
}

/* Scores beside the keys of a longer buffer: as many columns as there are keys in all. */
static o2w_status emit_scores(struct lower *l, const struct node_view *n, const struct gqa *p,
                              const struct step *s, const struct ms_attention *a)
{
    value y = p->qk_output == 2 ? a->probabilities : a->scores;
    if (p->qk_output == 0 || !output_used(n, 3))
        return output_used(n, 3)
                   ? refuse_attribute(l, n, "qk_output", "is 0, but output 3 'output_qk' is used")
                   : O2W_OK;
    if (p->qk_output == 1 && a->allowed) { /* those of keys that are not seen: 0, as the runtime */
        struct calc c = calc_begin(l, y);
        y = calc_where(&c, a->allowed, y, calc_number(&c, 0));
        TRY(c.status);
    }
    TRY(slice(l, y, 3, 0, s->total, 1, &y));
    TRY(cast(l, y, n->variables[TYPE_T], &y));
    return emit_output(l, n, 3, y);
}

static o2w_status score_bias(struct lower *l, const struct node_view *n, const struct step *s,
                             dim keys, value *out)
{
    struct ms_mask m = {
        .at = BIAS, .batch = s->batch, .queries = s->queries, .keys = keys, .short_too = true
    };
    return ms_score_bias(l, n, &m, out);
}

/* Blocks of keys that blocks of queries see; NULL: all. Heads take the layouts in turn. */
struct layouts {
    int64_t count, blocks, size;
    const uint8_t *seen; /* [count, blocks, blocks] */
};

/* The same for each block of queries and each key: uint8 [count, blocks, keys]. */
static o2w_status seen_by_key(struct lower *l, const struct layouts *p, int64_t keys, value *out)
{
    struct tensor t;
    TRY(known_new(l, DTYPE_UINT8, (const dim[]){ p->count, p->blocks, keys }, 3, &t, out));
    for (int64_t row = 0; row < p->count * p->blocks; row++)
        for (int64_t k = 0; k < keys; k++)
            ((uint8_t *)t.data)[row * keys + k] =
                k / p->size < p->blocks && p->seen[row * p->blocks + k / p->size];
    return O2W_OK;
}

/* For each query by its position: uint8 [B | 1, heads, S, keys]. */
static o2w_status seen_by_query(struct lower *l, const struct node_view *n, const struct gqa *p,
                                const struct layouts *of, const struct step *s, value keys,
                                value *out)
{
    static const uint32_t batch_first[] = { 1, 0, 2, 3 };
    const struct webnn_gather_attributes rows = { .axis = 1 };
    struct calc c = { .l = l, .dtype = DTYPE_INT64 };
    value table, position;
    int64_t size, *turn = ARENA_ARRAY(lower_arena(l), (size_t)p->num_heads, int64_t);
    if (!turn)
        return diag_memory(lower_diags(l));
    for (int64_t i = 0; i < p->num_heads; i++)
        turn[i] = i % of->count;
    TRY(static_dim(l, n, keys, 2, &size));
    TRY(seen_by_key(l, of, size, &table));
    TRY(query_positions(l, s, &position));
    TRY(reshape(l, position, position->dims, 2, &position));
    position = calc_div(&c, position, calc_number(&c, (double)of->size));
    TRY(c.status);
    TRY(op(l, WEBNN_GATHER, OPERANDS(table, position), &rows, &table));
    TRY(transpose(l, table, batch_first, &table));
    return gather_known(l, table, turn, (uint32_t)p->num_heads, 1, out);
}

static o2w_status attend(struct lower *l, const struct node_view *n, const struct gqa *p,
                         const struct layouts *of)
{
    static const uint32_t swap[] = { 0, 2, 1, 3 };
    struct ms_attention a = { .scale = p->scale, .softcap = p->softcap };
    struct step s;
    value x[3], y, more;
    TRY(refuse_quantized(l, n, p));
    TRY(read_qkv(l, n, p, x));
    TRY(read_step(l, n, x[0], &s));
    TRY(normalized(l, n, Q_NORM, epsilon_of(&p->q_norm_epsilon, p->qk_norm_epsilon), &x[0]));
    TRY(normalized(l, n, K_NORM, epsilon_of(&p->k_norm_epsilon, p->qk_norm_epsilon), &x[1]));
    TRY(turn(l, n, p, &s, &x[0], &x[1]));
    TRY(append(l, n, &s, PAST_KEY, x[1], &a.k));
    TRY(append(l, n, &s, PAST_VALUE, x[2], &a.v));
    TRY(transpose(l, x[0], swap, &a.q));
    TRY(emit_output(l, n, 1, a.k));
    TRY(emit_output(l, n, 2, a.v));
    TRY(visible(l, p, &s, a.k->dims[2], &more));
    a.allowed = more;
    if (of) {
        TRY(seen_by_query(l, n, p, of, &s, a.k, &y));
        a.allowed = y;
        if (more)
            TRY(op2(l, WEBNN_LOGICAL_AND, more, y, &a.allowed));
    }
    TRY(score_bias(l, n, &s, a.k->dims[2], &a.bias));
    TRY(sink_column(l, n, p, &a.sink));
    TRY(ms_attend(l, n, &a, &y));
    TRY(emit_scores(l, n, p, &s, &a));
    return emit_narrowed(l, n, y);
}

static o2w_status lower_gqa(struct lower *l, const struct node_view *n, const void *params)
{
    return attend(l, n, params, NULL);
}

/* --- SparseAttention ------------------------------------------------------------------------------------- */

struct sparse {
    int64_t num_heads, kv_num_heads, sparse_block_size, do_rotary, rotary_interleaved;
    struct given_float scale;
};

/* Rows in compressed form: where each begins, and its columns. */
static o2w_status read_layouts(struct lower *l, const struct node_view *n, struct layouts *of)
{
    struct ints starts, columns;
    value rows = input(n, 5), cols = input(n, 6);
    if (rows->rank != 2 || cols->rank != 2 || rows->dims[0] != cols->dims[0] || rows->dims[1] < 2)
        return refuse_input(l, n, 5, "must be [layouts, blocks + 1] beside columns of the layouts");
    TRY(known_ints(l, n, 5, &starts));
    TRY(known_ints(l, n, 6, &columns));
    of->count = rows->dims[0];
    of->blocks = rows->dims[1] - 1;
    int64_t most = cols->dims[1];
    if (of->count < 1 || of->blocks > ((int64_t)1 << 24) / of->blocks / of->count)
        return refuse_input(l, n, 5, "has more than 2^24 pairs of blocks, or none");
    uint8_t *seen =
        ARENA_ARRAY(lower_arena(l), (size_t)(of->count * of->blocks * of->blocks), uint8_t);
    if (!seen)
        return diag_memory(lower_diags(l));
    for (int64_t i = 0; i < of->count * of->blocks; i++) {
        const int64_t layout = i / of->blocks, *start = starts.items + i + layout;
        if (start[0] < 0 || start[1] < start[0] || start[1] > most)
            return refuse_input(l, n, 5, "goes from %lld to %lld, there are %lld columns",
                                (long long)start[0], (long long)start[1], (long long)most);
        for (int64_t k = start[0]; k < start[1]; k++) {
            int64_t column = columns.items[layout * most + k];
            if (column < 0 || column >= of->blocks)
                return refuse_input(l, n, 6, "is %lld, there are %lld blocks", (long long)column,
                                    (long long)of->blocks);
            seen[i * of->blocks + column] = 1;
        }
    }
    of->seen = seen;
    return O2W_OK;
}

static o2w_status lower_sparse(struct lower *l, const struct node_view *n, const void *params)
{
    const struct sparse *p = params;
    const struct gqa grouped = { .num_heads = p->num_heads,
                                 .kv_num_heads = p->kv_num_heads,
                                 .causal = 1,
                                 .do_rotary = p->do_rotary,
                                 .rotary_interleaved = p->rotary_interleaved,
                                 .local_window_size = -1,
                                 .smooth_softmax = -1,
                                 .scale = p->scale };
    struct layouts of = { .size = p->sparse_block_size };
    struct node_view like = *n;
    value inputs[QUERY_LENGTHS + 1] = { NULL }, one;
    if (of.size < 1 || of.size > 1 << 20)
        return refuse_attribute(l, n, "sparse_block_size", "is %lld, must be from 1 to 1048576",
                                (long long)of.size);
    TRY(read_layouts(l, n, &of));
    for (uint32_t i = QUERY; i <= PAST_VALUE; i++)
        inputs[i] = input(n, i);
    TRY(scalar_i64(l, DTYPE_INT32, 1, &one));
    TRY(op2(l, WEBNN_SUB, input(n, 8), one, &inputs[SEQLENS_K]));
    inputs[TOTAL] = input(n, 7);
    inputs[COSINE] = input(n, 9);
    inputs[SINE] = input(n, 10);
    like.inputs = inputs;
    like.input_count = QUERY_LENGTHS + 1;
    like.row = &microsoft_gqa_rows[0]; /* its names, for messages */
    return attend(l, &like, &grouped, &of);
}

#define INT(member, ...) ATTR_INT(struct gqa, member, __VA_ARGS__)
static const struct attr_row gqa_attrs[] = {
    INT(num_heads, .required = true),
    INT(kv_num_heads, .required = true),
    INT(causal, .fallback_int = 1, .allowed = "0 1"),
    INT(do_rotary, .allowed = "0 1"),
    INT(rotary_interleaved, .allowed = "0 1"),
    INT(local_window_size, .fallback_int = -1),
    INT(smooth_softmax, .fallback_int = -1, .allowed = "-1 0 1"),
    INT(qk_output, .allowed = "0 1 2"),
    INT(sliding_window_cache, .allowed = "0"),
    INT(kv_cache_bit_width, .fallback_int = 0),
    ATTR_GIVEN_FLOAT(struct gqa, scale),
    ATTR_GIVEN_FLOAT(struct gqa, q_norm_epsilon),
    ATTR_GIVEN_FLOAT(struct gqa, k_norm_epsilon),
    ATTR_FLOAT(struct gqa, softcap, .fallback_float = 0),
    ATTR_FLOAT(struct gqa, qk_norm_epsilon, .fallback_float = 1e-6),
    ATTR_STRING(struct gqa, k_quant_type, .fallback_text = "NONE", .allowed = "NONE"),
    ATTR_STRING(struct gqa, v_quant_type, .fallback_text = "NONE", .allowed = "NONE"),
};

static const struct attr_row sparse_attrs[] = {
    ATTR_INT(struct sparse, num_heads, .required = true),
    ATTR_INT(struct sparse, kv_num_heads, .required = true),
    ATTR_INT(struct sparse, sparse_block_size, .required = true),
    ATTR_INT(struct sparse, do_rotary, .allowed = "0 1"),
    ATTR_INT(struct sparse, rotary_interleaved, .allowed = "0 1"),
    ATTR_GIVEN_FLOAT(struct sparse, scale),
};

#define SET_F (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_BFLOAT16))
#define SET_CACHE \
    (SET_F | DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_UINT8) | DTYPE_BIT(DTYPE_FLOAT8E4M3FN))
#define SET_32  DTYPE_BIT(DTYPE_FLOAT32)
#define SET_I32 DTYPE_BIT(DTYPE_INT32)

const struct onnx_row microsoft_gqa_rows[] = {
    { MICROSOFT("GroupQueryAttention"),
      INPUTS(IN("query", T, SET_F), IN_OPT("key", T, SET_F), IN_OPT("value", T, SET_F),
             IN_OPT("past_key", NONE, SET_CACHE), IN_OPT("past_value", NONE, SET_CACHE),
             IN("seqlens_k", NONE, SET_I32), IN("total_sequence_length", NONE, SET_I32),
             IN_OPT("cos_cache", T, SET_F), IN_OPT("sin_cache", T, SET_F),
             IN_OPT("position_ids", NONE, SET_I64), IN_OPT("attention_bias", T, SET_F),
             IN_OPT("head_sink", T, SET_F), IN_OPT("k_scale", NONE, SET_32),
             IN_OPT("v_scale", NONE, SET_32), IN_OPT("q_norm_weight", T, SET_F),
             IN_OPT("k_norm_weight", T, SET_F), IN_OPT("query_seqlens", NONE, SET_I32)),
      RESULTS(OUT("output", T), OUT_OPT("present_key", T), OUT_OPT("present_value", T),
              OUT_OPT("output_qk", T)),
      PARAMS(struct gqa, gqa_attrs), .lower = lower_gqa, .class = CLASS_COMPOSED, .partial = true,
      .webnn = "matmul, softmax, where, concat, scatterND",
      .notes = "quantised caches, sliding_window_cache, a computed total_sequence_length refused" },
    { MICROSOFT("SparseAttention"),
      INPUTS(IN("query", T, SET_F), IN_OPT("key", T, SET_F), IN_OPT("value", T, SET_F),
             IN("past_key", T, SET_F), IN("past_value", T, SET_F),
             IN("block_row_indices", NONE, SET_I32, KNOWN),
             IN("block_col_indices", NONE, SET_I32, KNOWN),
             IN("total_sequence_length", NONE, SET_I32, SHAPE),
             IN("key_total_sequence_lengths", NONE, SET_I32), IN_OPT("cos_cache", T, SET_F),
             IN_OPT("sin_cache", T, SET_F)),
      RESULTS(OUT("output", T), OUT("present_key", T), OUT("present_value", T)),
      PARAMS(struct sparse, sparse_attrs), .lower = lower_sparse, .class = CLASS_COMPOSED,
      .partial = true, .webnn = "matmul, gather, softmax, where, scatterND",
      .notes = "layouts must be known; several queries behind a past for several entries refused" },
};
ROW_COUNT(microsoft_gqa);
