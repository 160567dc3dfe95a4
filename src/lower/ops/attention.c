/* Attention over queries, keys and values, and the positions that go into them. */
#include "lower/ops/attention.h"

#include <math.h>
#include <string.h>

struct attention {
    struct given_float scale;
    struct given_int q_num_heads, kv_num_heads, softmax_precision;
    double softcap;
    int64_t is_causal, qk_matmul_output_mode;
    struct given_int left_window_size, right_window_size; /* -1: no limit */
};

#define ATTENTION_ATTRS                                                                       \
    ATTR_GIVEN_FLOAT(struct attention, scale), ATTR_GIVEN_INT(struct attention, q_num_heads), \
        ATTR_GIVEN_INT(struct attention, kv_num_heads),                                       \
        ATTR_GIVEN_INT(struct attention, softmax_precision),                                  \
        ATTR_FLOAT(struct attention, softcap),                                                \
        ATTR_INT(struct attention, is_causal, .allowed = "0 1"),                              \
        ATTR_INT(struct attention, qk_matmul_output_mode, .allowed = "0 1 2 3")

static const struct attr_row attention_attrs[] = { ATTENTION_ATTRS };
static const struct attr_row attention_25_attrs[] = {
    ATTENTION_ATTRS,
    ATTR_GIVEN_INT(struct attention, left_window_size),
    ATTR_GIVEN_INT(struct attention, right_window_size),
};

/* All in [batch, heads, sequence, size]; scores and what decides about them in float32. */
struct heads {
    value q, k, v, present_key, present_value;
    value bias;    /* added to the scores; NULL: none */
    value allowed; /* uint8, broadcast to the scores; NULL: all are */
    value raw, capped, probabilities;
    bool may_be_empty; /* some row may have no key that is allowed */
};

/* --- shapes ------------------------------------------------------------------------------------------- */

/* [batch, sequence, heads · size] as [batch, heads, sequence, size]; rank 4 as it is. */
static o2w_status split_heads(struct lower *l, const struct node_view *n, uint32_t i,
                              const struct given_int *heads, const char *name, value *out)
{
    static const uint32_t heads_second[] = { 0, 2, 1, 3 };
    value x = input(n, i);
    int64_t size;
    if (x->rank == 4) {
        *out = x;
        return O2W_OK;
    }
    if (x->rank != 3)
        return refuse_input(l, n, i, "has rank %u, must be 3 or 4", x->rank);
    if (!heads->given || heads->value < 1)
        return refuse_attribute(l, n, name, "is missing, inputs of rank 3 need it");
    TRY(static_dim(l, n, x, 2, &size));
    if (size % heads->value)
        return refuse_input(l, n, i, "has %lld columns, no multiple of %lld heads", (long long)size,
                            (long long)heads->value);
    TRY(reshape(l, x, (const dim[]){ x->dims[0], x->dims[1], heads->value, size / heads->value }, 4,
                &x));
    return transpose(l, x, heads_second, out);
}

static o2w_status append(struct lower *l, const struct node_view *n, uint32_t past, value x,
                         value *out)
{
    value old = input(n, past);
    if (!old) {
        *out = x;
        return O2W_OK;
    }
    if (old->rank != 4)
        return refuse_input(l, n, past, "has rank %u, must be 4", old->rank);
    return concat(l, (const value[]){ old, x }, 2, 2, out);
}

o2w_status attention_positions(struct lower *l, dim size, uint32_t axis, value *out)
{
    dim dims[] = { 1, 1, 1, 1 };
    if (dim_is_static(size))
        return iota(l, DTYPE_INT64, size, axis, 4, out);
    dims[axis] = size;
    TRY(open_iota(l, DTYPE_INT64, size, out));
    return reshape(l, *out, dims, 4, out);
}

o2w_status attention_last_positions(struct lower *l, dim size, dim count, value *out)
{
    struct webnn_reverse_attributes back = { .axes = {
                                                 .given = true, .count = 1, .items = { 2 } } };
    value x, offset;
    if (dim_is_static(size) && dim_is_static(count)) {
        TRY(attention_positions(l, count, 2, &x));
        TRY(scalar_i64(l, DTYPE_INT64, size - count, &offset));
        return op2(l, WEBNN_ADD, x, offset, out);
    }
    TRY(attention_positions(l, size, 2, &x));
    TRY(op(l, WEBNN_REVERSE, OPERANDS(x), &back, &x));
    TRY(slice(l, x, 2, 0, count, 1, &x));
    return op(l, WEBNN_REVERSE, OPERANDS(x), &back, out);
}

/* [batch, H, rows, size] as [batch, heads, H / heads · rows, size]: the rows of the heads that share a
 * key's head are rows of one product. */
static o2w_status share_heads(struct lower *l, const struct node_view *n, dim heads, value x,
                              value *out)
{
    dim rows;
    *out = x;
    if (x->dims[1] == heads)
        return O2W_OK;
    if (!dim_is_static(x->dims[1]) || !dim_is_static(heads) || x->dims[1] % heads)
        return refuse(l, n, DIAG_LOWER_SHAPE,
                      "%lld heads of the query are no multiple of %lld heads of the key",
                      (long long)x->dims[1], (long long)heads);
    TRY(dim_of(l, n, EXPR_MUL, x->dims[2], x->dims[1] / heads, &rows));
    return reshape(l, x, (const dim[]){ x->dims[0], heads, rows, x->dims[3] }, 4, out);
}

o2w_status attention_scores(struct lower *l, const struct node_view *n, value q, value k,
                            double scale, value *out)
{
    static const uint32_t swap[] = { 0, 1, 3, 2 };
    const dim dims[] = { q->dims[0], q->dims[1], q->dims[2], k->dims[2] };
    value keys, factor, rows;
    TRY(scalar_like(l, q, scale, &factor));
    TRY(op2(l, WEBNN_MUL, q, factor, &rows));
    TRY(share_heads(l, n, k->dims[1], rows, &rows));
    TRY(transpose(l, k, swap, &keys));
    TRY(op2(l, WEBNN_MATMUL, rows, keys, out));
    return reshape(l, *out, dims, 4, out);
}

o2w_status attention_mix(struct lower *l, const struct node_view *n, value weights, value v,
                         value *out)
{
    const dim dims[] = { weights->dims[0], weights->dims[1], weights->dims[2], v->dims[3] };
    TRY(share_heads(l, n, v->dims[1], weights, &weights));
    TRY(op2(l, WEBNN_MATMUL, weights, v, out));
    return reshape(l, *out, dims, 4, out);
}

static o2w_status read_heads(struct lower *l, const struct node_view *n, const struct attention *p,
                             struct heads *h)
{
    *h = (struct heads){ 0 };
    TRY(split_heads(l, n, 0, &p->q_num_heads, "q_num_heads", &h->q));
    TRY(split_heads(l, n, 1, &p->kv_num_heads, "kv_num_heads", &h->k));
    TRY(split_heads(l, n, 2, &p->kv_num_heads, "kv_num_heads", &h->v));
    TRY(append(l, n, 4, h->k, &h->present_key));
    TRY(append(l, n, 5, h->v, &h->present_value));
    TRY(widen(l, h->q, &h->q));
    TRY(widen(l, h->present_key, &h->k));
    return widen(l, h->present_value, &h->v);
}

/* --- masks -------------------------------------------------------------------------------------------- */

static void allow(struct calc *c, struct heads *h, value more)
{
    h->allowed = h->allowed ? calc_and(c, h->allowed, more) : more;
}

/* A mask that ends before the last key excludes the keys behind it. */
static o2w_status pad_mask(struct lower *l, value mask, dim keys, bool is_bool, value *out)
{
    struct webnn_pad_attributes p = webnn_pad_defaults();
    dim own = mask->rank ? mask->dims[mask->rank - 1] : keys;
    *out = mask;
    if (!dim_is_static(own) || !dim_is_static(keys) || own >= keys || own == 1)
        return O2W_OK;
    p.beginning_padding = p.ending_padding =
        (struct webnn_u32s){ .given = true, .count = mask->rank };
    p.ending_padding.items[mask->rank - 1] = (uint32_t)(keys - own);
    if (!is_bool)
        p.value = (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE, .d = -INFINITY };
    value y;
    TRY(op(l, WEBNN_PAD, OPERANDS(mask), &p, &y));
    return retype(l, y, mask->dtype, out);
}

static o2w_status read_mask(struct lower *l, const struct node_view *n, struct calc *c,
                            struct heads *h)
{
    value mask = input(n, 3);
    if (!mask)
        return O2W_OK;
    bool is_bool = mask->dtype == DTYPE_BOOL;
    if (!is_bool && !dtype_is_float(mask->dtype))
        return refuse_input(l, n, 3, "has type %s, bool and float types are supported",
                            dtype_name(mask->dtype));
    TRY(pad_mask(l, mask, h->k->dims[2], is_bool, &mask));
    h->may_be_empty = true;
    if (is_bool) {
        allow(c, h, mask);
        return c->status;
    }
    TRY(widen(l, mask, &mask));
    h->bias = mask;
    allow(c, h, calc_not_equal(c, mask, calc_number(c, -INFINITY)));
    return c->status;
}

/* Key index minus query position, [.., S, T]: offset is the number of keys before the first query. */
static o2w_status distance(struct lower *l, const struct node_view *n, struct heads *h, value *out)
{
    dim queries = h->q->dims[2], keys = h->k->dims[2], all;
    value rows, columns, lengths = input(n, 6), count, past = input(n, 4);
    TRY(attention_positions(l, keys, 3, &columns));
    if (past) {
        TRY(dim_of(l, n, EXPR_ADD, past->dims[2], queries, &all));
        TRY(attention_last_positions(l, all, queries, &rows));
    } else
        TRY(attention_positions(l, queries, 2, &rows));
    if (lengths && !past) {
        int64_t size;
        TRY(static_dim(l, n, h->q, 2, &size));
        TRY(scalar_i64(l, DTYPE_INT64, size, &count));
        TRY(reshape(l, lengths, (const dim[]){ lengths->dims[0], 1, 1, 1 }, 4, &lengths));
        TRY(op2(l, WEBNN_SUB, lengths, count, &lengths));
        TRY(op2(l, WEBNN_ADD, rows, lengths, &rows));
        h->may_be_empty = true;
    }
    return op2(l, WEBNN_SUB, columns, rows, out);
}

static int64_t window_of(const struct given_int *size)
{
    return size->given ? size->value : -1;
}

/* Causal: no key after the query. Windows: at most so many before and after it. */
static o2w_status positions(struct lower *l, const struct node_view *n, const struct attention *p,
                            struct calc *c, struct heads *h)
{
    int64_t before = window_of(&p->left_window_size), after = window_of(&p->right_window_size);
    struct calc integers = { .l = l, .dtype = DTYPE_INT64 };
    value far;
    if (before < -1 || after < -1)
        return refuse_attribute(l, n, before < -1 ? "left_window_size" : "right_window_size",
                                "is below -1");
    h->may_be_empty |= before >= 0 || after >= 0;
    after = p->is_causal ? 0 : after;
    if (before < 0 && after < 0)
        return O2W_OK;
    TRY(distance(l, n, h, &far));
    if (after >= 0)
        allow(c, h, calc_less_equal(&integers, far, calc_number(&integers, (double)after)));
    if (before >= 0)
        allow(c, h, calc_greater_equal(&integers, far, calc_number(&integers, (double)-before)));
    TRY(integers.status);
    return c->status;
}

/* Keys behind the valid ones of each batch entry. */
static o2w_status lengths(struct lower *l, const struct node_view *n, struct calc *c,
                          struct heads *h)
{
    value count = input(n, 6), columns;
    if (!count)
        return O2W_OK;
    if (count->rank != 1)
        return refuse_input(l, n, 6, "has rank %u, must be 1", count->rank);
    TRY(attention_positions(l, h->k->dims[2], 3, &columns));
    TRY(reshape(l, count, (const dim[]){ count->dims[0], 1, 1, 1 }, 4, &count));
    h->may_be_empty = true;
    allow(c, h, calc_less(c, columns, count));
    return c->status;
}

/* --- scores ------------------------------------------------------------------------------------------- */

value attention_capped(struct calc *c, value scores, double cap)
{
    if (cap == 0)
        return scores;
    value limit = calc_number(c, cap);
    return calc_mul(c, calc_tanh(c, calc_div(c, scores, limit)), limit);
}

static o2w_status scores(struct lower *l, const struct node_view *n, const struct attention *p,
                         struct calc *c, struct heads *h)
{
    int64_t size;
    TRY(static_dim(l, n, h->q, 3, &size));
    double scale = p->scale.given ? p->scale.value : 1 / sqrt((double)size);
    TRY(attention_scores(l, n, h->q, h->k, scale, &h->raw));
    h->capped = attention_capped(c, h->raw, p->softcap);
    return c->status;
}

static o2w_status softmax_in(struct lower *l, const struct node_view *n, const struct attention *p,
                             value x, value *out)
{
    struct webnn_softmax_attributes last = { .axis = 3 };
    enum dtype precision = x->dtype;
    if (p->softmax_precision.given && !dtype_by_onnx(p->softmax_precision.value, &precision))
        return refuse_attribute(l, n, "softmax_precision", "is %lld, not a float type",
                                (long long)p->softmax_precision.value);
    if (!dtype_is_float(precision))
        return refuse_attribute(l, n, "softmax_precision", "is %s, not a float type",
                                dtype_name(precision));
    value y;
    TRY(cast(l, x, precision == DTYPE_FLOAT16 ? DTYPE_FLOAT16 : x->dtype, &y));
    TRY(op(l, WEBNN_SOFTMAX, OPERANDS(y), &last, &y));
    return cast(l, y, x->dtype, out);
}

/* Masked scores are the lowest finite number, never -inf in arithmetic; a row without any key gives zeros. */
static o2w_status probabilities(struct lower *l, const struct node_view *n,
                                const struct attention *p, struct calc *c, struct heads *h)
{
    value s = h->bias ? calc_add(c, h->capped, h->bias) : h->capped;
    if (h->allowed)
        s = calc_where(c, h->allowed, s, calc_number(c, -3.4028234663852886e38));
    TRY(c->status);
    TRY(softmax_in(l, n, p, s, &h->probabilities));
    if (!h->allowed || !h->may_be_empty)
        return O2W_OK;
    value any = calc_cast(c, h->allowed, DTYPE_UINT8);
    TRY(c->status);
    if (any->rank == 0)
        TRY(reshape(l, any, (const dim[]){ 1 }, 1, &any));
    any = calc_reduce(c, WEBNN_REDUCE_MAX, calc_cast(c, any, DTYPE_INT32), any->rank - 1);
    any = calc_cast(c, any, h->probabilities->dtype);
    h->probabilities = calc_mul(c, h->probabilities, any);
    return c->status;
}

static o2w_status emit_scores(struct lower *l, const struct node_view *n, const struct attention *p,
                              struct calc *c, const struct heads *h)
{
    value y = h->raw;
    if (!output_used(n, 3))
        return O2W_OK;
    if (p->qk_matmul_output_mode == 1)
        y = h->capped;
    if (p->qk_matmul_output_mode == 3)
        y = h->probabilities;
    if (p->qk_matmul_output_mode == 2) {
        y = h->bias ? calc_add(c, h->capped, h->bias) : h->capped;
        if (h->allowed)
            y = calc_where(c, h->allowed, y, calc_number(c, -INFINITY));
    }
    TRY(c->status);
    TRY(cast(l, y, input(n, 0)->dtype, &y));
    return emit_output(l, n, 3, y);
}

static o2w_status emit_result(struct lower *l, const struct node_view *n, const struct heads *h)
{
    static const uint32_t sequence_second[] = { 0, 2, 1, 3 };
    value y;
    TRY(attention_mix(l, n, h->probabilities, h->v, &y));
    if (input(n, 0)->rank == 3) {
        dim columns;
        TRY(transpose(l, y, sequence_second, &y));
        TRY(dim_of(l, n, EXPR_MUL, y->dims[2], y->dims[3], &columns));
        TRY(reshape(l, y, (const dim[]){ y->dims[0], y->dims[1], columns }, 3, &y));
    }
    TRY(emit_narrowed(l, n, y));
    TRY(emit_output(l, n, 1, h->present_key));
    return emit_output(l, n, 2, h->present_value);
}

static o2w_status lower_attention(struct lower *l, const struct node_view *n, const void *params)
{
    const struct attention *p = params;
    struct heads h;
    TRY(read_heads(l, n, p, &h));
    struct calc c = calc_begin(l, h.q);
    TRY(read_mask(l, n, &c, &h));
    TRY(positions(l, n, p, &c, &h));
    TRY(lengths(l, n, &c, &h));
    TRY(scores(l, n, p, &c, &h));
    TRY(probabilities(l, n, p, &c, &h));
    TRY(emit_scores(l, n, p, &c, &h));
    return emit_result(l, n, &h);
}

/* --- RotaryEmbedding ---------------------------------------------------------------------------------- */

struct rotary {
    int64_t num_heads, rotary_embedding_dim, interleaved;
};

static const struct attr_row rotary_attrs[] = {
    ATTR_INT(struct rotary, num_heads, .fallback_int = 0),
    ATTR_INT(struct rotary, rotary_embedding_dim, .fallback_int = 0),
    ATTR_INT(struct rotary, interleaved, .allowed = "0 1"),
};

/* x as [batch, sequence, heads, size]. */
static o2w_status sequence_first(struct lower *l, const struct node_view *n, const struct rotary *p,
                                 value x, value *out)
{
    static const uint32_t swap[] = { 0, 2, 1, 3 };
    int64_t size;
    if (x->rank == 4)
        return transpose(l, x, swap, out);
    if (x->rank != 3)
        return refuse_input(l, n, 0, "has rank %u, must be 3 or 4", x->rank);
    TRY(static_dim(l, n, x, 2, &size));
    if (p->num_heads < 1 || size % p->num_heads)
        return refuse_attribute(l, n, "num_heads",
                                "is %lld, inputs of rank 3 need a divisor of %lld",
                                (long long)p->num_heads, (long long)size);
    return reshape(l, x, (const dim[]){ x->dims[0], x->dims[1], p->num_heads, size / p->num_heads },
                   4, out);
}

/* The cache's rows by position, [batch, sequence, 1, half]. */
static o2w_status angles(struct lower *l, const struct node_view *n, uint32_t i, int64_t half,
                         value *out)
{
    value cache = input(n, i), positions_ = input(n, 3), y = cache;
    uint32_t heads = 2;
    if (cache->rank != (positions_ ? 2u : 3u))
        return refuse_input(l, n, i, "has rank %u, must be %u %s position_ids", cache->rank,
                            positions_ ? 2u : 3u, positions_ ? "with" : "without");
    if (positions_)
        TRY(op2(l, WEBNN_GATHER, cache, positions_, &y));
    if (y->dims[2] != half)
        return refuse_input(l, n, i, "has %lld columns, must have %lld", (long long)y->dims[2],
                            (long long)half);
    TRY(retype(l, y, cache->dtype, &y));
    TRY(widen(l, y, &y));
    return unsqueeze(l, y, &heads, 1, out);
}

/* The two halves that turn together: front and back, or even and odd columns. */
static o2w_status halves(struct lower *l, value x, bool interleaved, int64_t half, value out[2])
{
    for (int i = 0; i < 2; i++)
        TRY(interleaved ? slice(l, x, 3, i, 2 * half - 1, 2, &out[i])
                        : slice(l, x, 3, i * half, half, 1, &out[i]));
    return O2W_OK;
}

static o2w_status join_halves(struct lower *l, value a, value b, bool interleaved, value *out)
{
    uint32_t last = 4;
    if (!interleaved)
        return concat(l, (const value[]){ a, b }, 2, 3, out);
    dim width = 2 * a->dims[3];
    const dim dims[] = { a->dims[0], a->dims[1], a->dims[2], width };
    TRY(unsqueeze(l, a, &last, 1, &a));
    TRY(unsqueeze(l, b, &last, 1, &b));
    TRY(concat(l, (const value[]){ a, b }, 2, 4, out));
    return reshape(l, *out, dims, 4, out);
}

o2w_status rotary_turn(struct lower *l, value x, value cosine, value sine, bool interleaved,
                       value *out)
{
    value part[2], turned, rest, y;
    dim size = x->dims[3];
    int64_t half = cosine->dims[cosine->rank - 1];
    TRY(slice(l, x, 3, 0, 2 * half, 1, &turned));
    TRY(widen(l, turned, &turned));
    TRY(halves(l, turned, interleaved, half, part));
    struct calc c = calc_begin(l, turned);
    value a = calc_sub(&c, calc_mul(&c, part[0], cosine), calc_mul(&c, part[1], sine));
    value b = calc_add(&c, calc_mul(&c, part[0], sine), calc_mul(&c, part[1], cosine));
    TRY(c.status);
    TRY(join_halves(l, a, b, interleaved, &y));
    TRY(cast(l, y, x->dtype, &y));
    *out = y;
    if (size == 2 * half)
        return O2W_OK;
    TRY(slice(l, x, 3, 2 * half, size - 2 * half, 1, &rest));
    return concat(l, (const value[]){ y, rest }, 2, 3, out);
}

static o2w_status lower_rotary(struct lower *l, const struct node_view *n, const void *params)
{
    static const uint32_t swap[] = { 0, 2, 1, 3 };
    const struct rotary *p = params;
    value x, cosine, sine, y;
    int64_t size;
    TRY(sequence_first(l, n, p, input(n, 0), &x));
    TRY(static_dim(l, n, x, 3, &size));
    int64_t width = p->rotary_embedding_dim ? p->rotary_embedding_dim : size;
    if (width < 2 || width > size || width % 2)
        return refuse_attribute(l, n, "rotary_embedding_dim",
                                "is %lld, must be even and at most %lld", (long long)width,
                                (long long)size);
    TRY(angles(l, n, 1, width / 2, &cosine));
    TRY(angles(l, n, 2, width / 2, &sine));
    TRY(rotary_turn(l, x, cosine, sine, p->interleaved != 0, &y));
    if (input(n, 0)->rank == 4)
        TRY(transpose(l, y, swap, &y));
    TRY(reshape(l, y, input(n, 0)->dims, input(n, 0)->rank, &y));
    return emit_value(l, n, y);
}

#define QKV                                                                    \
    IN("Q", T, SET_FLOATS), IN("K", T, SET_FLOATS), IN("V", T1, SET_FLOATS),   \
        IN_OPT("attn_mask", NONE, SET_ALL), IN_OPT("past_key", T, SET_FLOATS), \
        IN_OPT("past_value", T1, SET_FLOATS)
#define LENGTHS IN_OPT("nonpad_kv_seqlen", NONE, SET_I64)
#define ATTENTION_RESULTS                                                         \
    RESULTS(OUT("Y", T), OUT_OPT("present_key", T), OUT_OPT("present_value", T1), \
            OUT_OPT("qk_matmul_output", T))
#define ATTENTION_ROW                                                   \
    .lower = lower_attention, .class = CLASS_COMPOSED, .partial = true, \
    .webnn = "matmul, softmax, where", .notes = "integer masks refused"

const struct onnx_row attention_rows[] = {
    { ONNX("Attention", 23, 23), INPUTS(QKV), ATTENTION_RESULTS,
      PARAMS(struct attention, attention_attrs), ATTENTION_ROW },
    { ONNX("Attention", 24, 24), INPUTS(QKV, LENGTHS), ATTENTION_RESULTS,
      PARAMS(struct attention, attention_attrs), ATTENTION_ROW },
    { ONNX("Attention", 25, LATEST), INPUTS(QKV, LENGTHS), ATTENTION_RESULTS,
      PARAMS(struct attention, attention_25_attrs), ATTENTION_ROW },
    { ONNX("RotaryEmbedding", 23, LATEST),
      INPUTS(IN("X", T, SET_FLOATS), IN("cos_cache", T, SET_FLOATS), IN("sin_cache", T, SET_FLOATS),
             IN_OPT("position_ids", NONE, SET_I64)),
      RESULTS(OUT("Y", T)), PARAMS(struct rotary, rotary_attrs), .lower = lower_rotary,
      .class = CLASS_COMPOSED, .webnn = "slice, mul, sub, add, concat" },
};
ROW_COUNT(attention);
