/* com.microsoft: attention with its projection, and over heads that others projected. */
#include "lower/ops/microsoft_attention.h"

#include "lower/ops/integer_product.h"

typedef struct ms_attention_params params_t;

enum { NO_INPUT = 100 };

static o2w_status check_heads(struct lower *l, const struct node_view *n, const params_t *p)
{
    if (p->num_heads < 1 || p->num_heads > MS_MOST_HEADS)
        return refuse_attribute(l, n, "num_heads", "is %lld, must be from 1 to %d",
                                (long long)p->num_heads, MS_MOST_HEADS);
    return O2W_OK;
}

/* --- queries, keys and values ------------------------------------------------------------------------- */

/* What stands between the inputs and ms_attend. */
struct heads {
    value q, k, v;               /* [B, H, S, D], [B, H, L, D], [B, H, L, Dv] */
    struct ms_cache key, value_; /* where they go */
    uint32_t mask_at, bias_at;
    bool causal;
};

static o2w_status add_columns(struct lower *l, const struct node_view *n, value x, uint32_t bias_at,
                              value *out)
{
    value bias = input(n, bias_at);
    *out = x;
    if (!bias)
        return O2W_OK;
    if (bias->rank != 1)
        return refuse_input(l, n, bias_at, "has rank %u, must be 1", bias->rank);
    TRY(widen(l, x, &x));
    TRY(widen(l, bias, &bias));
    return op2(l, WEBNN_ADD, x, bias, out);
}

/* Caches hold the dtype of the node. */
static o2w_status narrowed(struct lower *l, const struct node_view *n, value x, value *out)
{
    return cast(l, x, n->variables[TYPE_T], out);
}

/* Keys that lie in a buffer behind its valid part are never seen. */
static o2w_status valid_keys(struct lower *l, const struct node_view *n, const struct heads *h,
                             struct ms_attention *a)
{
    value length, column;
    if (!h->key.longer)
        return O2W_OK;
    TRY(ms_past_length(l, n, h->key.length_at, &length));
    TRY(attention_positions(l, h->key.seen->dims[2], 3, &column));
    a->first = length;
    TRY(scalar_i64(l, DTYPE_INT64, h->q->dims[2], &a->allowed));
    TRY(op2(l, WEBNN_ADD, length, a->allowed, &length));
    return op2(l, WEBNN_LESSER, column, length, &a->allowed);
}

static o2w_status attend(struct lower *l, const struct node_view *n, const params_t *p,
                         struct heads *h, struct ms_attention *a, value *out)
{
    value padding;
    TRY(ms_append(l, n, &h->key, h->k));
    TRY(ms_append(l, n, &h->value_, h->v));
    *a = (struct ms_attention){
        .q = h->q,
        .k = h->key.seen,
        .v = h->value_.seen,
        .causal = h->causal,
        .fresh = h->k->dims[2],
        .scale = p->scale,
    };
    struct ms_mask m = { .at = h->mask_at,
                         .batch = h->q->dims[0],
                         .queries = h->q->dims[2],
                         .keys = h->key.seen->dims[2],
                         .filter = p->mask_filter_value,
                         .short_too = h->key.longer };
    TRY(valid_keys(l, n, h, a));
    TRY(ms_padding(l, n, &m, &padding));
    m.at = h->bias_at;
    TRY(ms_score_bias(l, n, &m, &a->bias));
    TRY(ms_add_bias(l, a->bias, padding, &a->bias));
    return ms_attend(l, n, a, out);
}

/* --- Attention: with the projection ------------------------------------------------------------------- */

/* Widths of queries, keys and values. */
static o2w_status widths(struct lower *l, const struct node_view *n, const params_t *p, int64_t all,
                         int64_t out[3])
{
    const struct ints *sizes = &p->qkv_hidden_sizes;
    TRY(check_heads(l, n, p));
    if (sizes->given && sizes->count != 0 && sizes->count != 3)
        return refuse_attribute(l, n, "qkv_hidden_sizes", "has %u elements, must have 3",
                                sizes->count);
    for (uint32_t i = 0; i < 3; i++) {
        out[i] = sizes->count == 3 ? sizes->items[i] : all / 3;
        if (out[i] < 1 || out[i] > all)
            return refuse_attribute(l, n, "qkv_hidden_sizes",
                                    "is %lld at index %u, of %lld columns", (long long)out[i], i,
                                    (long long)all);
    }
    if (out[0] + out[1] + out[2] != all || out[0] != out[1] || out[0] % p->num_heads ||
        out[2] % p->num_heads)
        return refuse(l, n, DIAG_LOWER_SHAPE,
                      "weights with %lld columns do not give queries, keys and values of %lld, "
                      "%lld and %lld to %lld heads",
                      (long long)all, (long long)out[0], (long long)out[1], (long long)out[2],
                      (long long)p->num_heads);
    return O2W_OK;
}

/* The projected x [B, S, all] as heads. */
static o2w_status split_projected(struct lower *l, const struct node_view *n, const params_t *p,
                                  value x, struct heads *h)
{
    int64_t all, width[3], first = 0;
    value *to[] = { &h->q, &h->k, &h->v };
    if (x->rank != 3)
        return refuse_input(l, n, 0, "must have rank 3");
    TRY(static_dim(l, n, x, 2, &all));
    TRY(widths(l, n, p, all, width));
    for (uint32_t i = 0; i < 3; i++) {
        TRY(ms_columns(l, x, first, width[i], to[i]));
        TRY(ms_split_heads(l, n, *to[i], p->num_heads, to[i]));
        first += width[i];
    }
    return O2W_OK;
}

/* Keys and values of one tensor [2, B, H, P, D]. */
static o2w_status split_past(struct lower *l, const struct node_view *n, uint32_t at,
                             struct heads *h)
{
    const uint32_t first = 0;
    value past = input(n, at), *to[] = { &h->key.past, &h->value_.past };
    if (!past)
        return O2W_OK;
    if (past->rank != 5 || past->dims[0] != 2)
        return refuse_input(l, n, at, "must be [2, batch, heads, length, size]");
    h->key.past_at = h->value_.past_at = at;
    for (uint32_t i = 0; i < 2; i++) {
        TRY(slice(l, past, 0, i, 1, 1, to[i]));
        TRY(squeeze(l, *to[i], &first, 1, to[i]));
    }
    return O2W_OK;
}

static o2w_status emit_both(struct lower *l, const struct node_view *n, const struct heads *h)
{
    const uint32_t first = 0;
    value parts[] = { h->key.present, h->value_.present }, y;
    if (!output_used(n, 1))
        return O2W_OK;
    if (parts[0]->dims[3] != parts[1]->dims[3])
        return refuse(l, n, DIAG_LOWER_SHAPE,
                      "output 1 'present' needs keys and values of one size");
    for (uint32_t i = 0; i < 2; i++)
        TRY(unsqueeze(l, parts[i], &first, 1, &parts[i]));
    TRY(concat(l, parts, 2, 0, &y));
    return emit_output(l, n, 1, y);
}

static o2w_status attend_projected(struct lower *l, const struct node_view *n, const params_t *p,
                                   value x, struct heads *h)
{
    struct ms_attention a;
    value y;
    TRY(split_projected(l, n, p, x, h));
    TRY(narrowed(l, n, h->k, &h->k));
    TRY(narrowed(l, n, h->v, &h->v));
    TRY(attend(l, n, p, h, &a, &y));
    TRY(emit_both(l, n, h));
    return emit_narrowed(l, n, y);
}

static o2w_status project(struct lower *l, const struct node_view *n, value *out)
{
    value x, w;
    TRY(widen(l, input(n, 0), &x));
    TRY(widen(l, input(n, 1), &w));
    if (x->rank != 3 || w->rank != 2)
        return refuse_input(l, n, x->rank != 3 ? 0 : 1, "must have rank %d", x->rank != 3 ? 3 : 2);
    TRY(op2(l, WEBNN_MATMUL, x, w, &x));
    return add_columns(l, n, x, 2, out);
}

static o2w_status lower_attention(struct lower *l, const struct node_view *n, const void *params)
{
    const params_t *p = params;
    struct heads h = { .mask_at = 3, .bias_at = 5, .causal = p->unidirectional != 0 };
    value x;
    h.key.shared = h.value_.shared = p->past_present_share_buffer != 0;
    h.key.length_at = h.value_.length_at = 6;
    TRY(split_past(l, n, 4, &h));
    TRY(project(l, n, &x));
    return attend_projected(l, n, p, x, &h);
}

/* One step. */
static o2w_status lower_masked_self(struct lower *l, const struct node_view *n, const void *params)
{
    TRY(ms_no_beam(l, n, 7, 8));
    if (input(n, 0)->rank != 3 || input(n, 0)->dims[1] != 1)
        return refuse_input(l, n, 0, "must be [batch, 1, width]: one step at a time");
    return lower_attention(l, n, params);
}

/* The products of 8-bit numbers are exact; then they are scaled. */
static o2w_status lower_qattention(struct lower *l, const struct node_view *n, const void *params)
{
    const params_t *p = params;
    struct heads h = { .mask_at = 5, .bias_at = NO_INPUT, .causal = p->unidirectional != 0 };
    struct factor a = factor_at(n, 0, 6), b = factor_at(n, 1, 7);
    value x, scale, weight_scale = input(n, 4);
    TRY(exact_matmul(l, n, &a, &b, &x));
    TRY(cast(l, x, DTYPE_FLOAT32, &x));
    TRY(scalar_input(l, n, 3, &scale));
    TRY(widen(l, scale, &scale));
    TRY(widen(l, weight_scale, &weight_scale));
    TRY(op2(l, WEBNN_MUL, scale, weight_scale, &scale));
    TRY(op2(l, WEBNN_MUL, x, scale, &x));
    TRY(add_columns(l, n, x, 2, &x));
    TRY(split_past(l, n, 8, &h));
    return attend_projected(l, n, p, x, &h);
}

/* --- MultiHeadAttention ------------------------------------------------------------------------------- */

/* x [B, S, H, parts, D]: part i as [B, H, S, D]. */
static o2w_status packed_part(struct lower *l, value x, uint32_t i, value *out)
{
    static const uint32_t heads_second[] = { 0, 2, 1, 3 };
    const uint32_t fourth = 3;
    TRY(slice(l, x, 3, i, 1, 1, &x));
    TRY(squeeze(l, x, &fourth, 1, &x));
    return transpose(l, x, heads_second, out);
}

/* Adds columns first … of the bias [all] to heads [B, H, S, D]. */
static o2w_status bias_heads(struct lower *l, const struct node_view *n, uint32_t bias_at,
                             int64_t first, value *x)
{
    value bias = input(n, bias_at);
    int64_t heads, size, all;
    if (!bias)
        return O2W_OK;
    TRY(static_dim(l, n, *x, 1, &heads));
    TRY(static_dim(l, n, *x, 3, &size));
    if (bias->rank != 1)
        return refuse_input(l, n, bias_at, "has rank %u, must be 1", bias->rank);
    TRY(static_dim(l, n, bias, 0, &all));
    if (first + heads * size > all)
        return refuse_input(l, n, bias_at, "has %lld elements, at least %lld are needed",
                            (long long)all, (long long)(first + heads * size));
    TRY(slice(l, bias, 0, first, heads * size, 1, &bias));
    TRY(reshape(l, bias, (const dim[]){ 1, heads, 1, size }, 4, &bias));
    TRY(widen(l, bias, &bias));
    TRY(widen(l, *x, x));
    return op2(l, WEBNN_ADD, *x, bias, x);
}

static o2w_status check_packed(struct lower *l, const struct node_view *n, const params_t *p,
                               uint32_t at, int64_t parts)
{
    value x = input(n, at);
    if (x->rank == 5 && x->dims[2] == p->num_heads && x->dims[3] == parts)
        return O2W_OK;
    return refuse_input(l, n, at,
                        "has shape %s, [batch, sequence, %lld, %lld, size] is needed where what "
                        "follows it is absent",
                        dim_list_text(lower_exprs(l), x->dims, x->rank, lower_arena(l)),
                        (long long)p->num_heads, (long long)parts);
}

/* Without key and value the query holds all three; without value the key holds both. */
static o2w_status read_heads(struct lower *l, const struct node_view *n, const params_t *p,
                             uint32_t key_at, struct heads *h, bool *cross)
{
    value key = input(n, key_at), v = input(n, key_at + 1);
    TRY(check_heads(l, n, p));
    *cross = key && key->rank == 4;
    if (!key) {
        TRY(check_packed(l, n, p, 0, 3));
        TRY(packed_part(l, input(n, 0), 0, &h->q));
        TRY(packed_part(l, input(n, 0), 1, &h->k));
        return packed_part(l, input(n, 0), 2, &h->v);
    }
    if (input(n, 0)->rank != 3)
        return refuse_input(l, n, 0, "has rank %u, must be 3", input(n, 0)->rank);
    TRY(ms_split_heads(l, n, input(n, 0), p->num_heads, &h->q));
    if (!v) {
        TRY(check_packed(l, n, p, key_at, 2));
        TRY(packed_part(l, key, 0, &h->k));
        return packed_part(l, key, 1, &h->v);
    }
    if (*cross) {
        if (v->rank != 4)
            return refuse_input(l, n, key_at + 1, "has rank %u, the key has 4", v->rank);
        h->k = key;
        h->v = v;
        return O2W_OK;
    }
    TRY(ms_split_heads(l, n, key, p->num_heads, &h->k));
    return ms_split_heads(l, n, v, p->num_heads, &h->v);
}

/* The bias of all three, one after the other; a cache of the encoder has its own already. */
static o2w_status add_biases(struct lower *l, const struct node_view *n, uint32_t bias_at,
                             bool cross, struct heads *h)
{
    int64_t q = h->q->dims[1] * h->q->dims[3];
    TRY(bias_heads(l, n, bias_at, 0, &h->q));
    if (cross)
        return O2W_OK;
    TRY(bias_heads(l, n, bias_at, q, &h->k));
    TRY(bias_heads(l, n, bias_at, 2 * q, &h->v));
    TRY(narrowed(l, n, h->k, &h->k));
    return narrowed(l, n, h->v, &h->v);
}

static o2w_status emit_multi_head(struct lower *l, const struct node_view *n, const struct heads *h,
                                  const struct ms_attention *a, value y)
{
    if (output_used(n, 3))
        TRY(emit_as(l, n, 3, a->scores, DTYPE_FLOAT32));
    TRY(emit_output(l, n, 1, h->key.present));
    TRY(emit_output(l, n, 2, h->value_.present));
    return emit_narrowed(l, n, y);
}

static o2w_status lower_multi_head(struct lower *l, const struct node_view *n, const void *params)
{
    const params_t *p = params;
    struct heads h = { .mask_at = 4, .bias_at = 5, .causal = p->unidirectional != 0 };
    struct ms_attention a;
    bool cross;
    value y;
    TRY(ms_no_beam(l, n, 0, 9));
    TRY(read_heads(l, n, p, 1, &h, &cross));
    TRY(add_biases(l, n, 3, cross, &h));
    if (cross && (input(n, 6) || input(n, 7)))
        return refuse_input(l, n, 6, "is given beside a key of rank 4, which is a cache itself");
    h.key = (struct ms_cache){ 6, 8, input(n, 8) != NULL, .past = input(n, 6) };
    h.value_ = (struct ms_cache){ 7, 8, input(n, 8) != NULL, .past = input(n, 7) };
    TRY(attend(l, n, p, &h, &a, &y));
    return emit_multi_head(l, n, &h, &a, y);
}

static o2w_status lower_masked_multi_head(struct lower *l, const struct node_view *n,
                                          const void *params)
{
    const params_t *p = params;
    struct heads h = { .mask_at = 3, .bias_at = 4 };
    struct ms_attention a;
    bool cross;
    value y;
    TRY(ms_no_beam(l, n, 8, 9));
    TRY(read_heads(l, n, p, 1, &h, &cross));
    if (h.q->dims[2] != 1)
        return refuse_input(l, n, 0, "must be [batch, 1, width]: one step at a time");
    TRY(add_biases(l, n, 10, cross, &h));
    bool shared = p->past_present_share_buffer != 0;
    if (!cross) {
        h.key = (struct ms_cache){ 5, 7, shared, .past = input(n, 5) };
        h.value_ = (struct ms_cache){ 6, 7, shared, .past = input(n, 6) };
    }
    TRY(attend(l, n, p, &h, &a, &y));
    return emit_multi_head(l, n, &h, &a, y);
}

/* --- rows --------------------------------------------------------------------------------------------- */

static const struct attr_row attention_attrs[] = {
    MS_SCALE,
    MS_MASK,
    MS_HEADS,
    MS_CAUSAL,
    MS_SHARED,
    MS_NO_ROTARY,
    ATTR_INTS(struct ms_attention_params, qkv_hidden_sizes),
    ATTR_IGNORED("rotary_embedding_dim"),
};
static const struct attr_row masked_self_attrs[] = { MS_SCALE, MS_MASK, MS_HEADS, MS_SHARED,
                                                     MS_NO_ROTARY };
static const struct attr_row qattention_attrs[] = {
    MS_SCALE,     MS_MASK,
    MS_HEADS,     MS_CAUSAL,
    MS_NO_ROTARY, ATTR_INT(struct ms_attention_params, past_present_share_buffer, .allowed = "0"),
};
static const struct attr_row multi_head_attrs[] = { MS_SCALE, MS_MASK, MS_HEADS, MS_CAUSAL };
static const struct attr_row masked_multi_head_attrs[] = {
    MS_SCALE,
    MS_MASK,
    MS_HEADS,
    MS_SHARED,
    ATTR_INT(struct ms_attention_params, output_qk, .allowed = "0 1"),
};

#define SET_F    (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16))
#define SET_BF   (SET_F | DTYPE_BIT(DTYPE_BFLOAT16))
#define SET_8    (DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_UINT8))
#define SET_I32  DTYPE_BIT(DTYPE_INT32)
#define NOTES    "beam search, do_rotary refused"
#define WEBNN_OF "matmul, softmax, where, concat"

const struct onnx_row microsoft_attention_rows[] = {
    { MICROSOFT("Attention"),
      INPUTS(IN("input", T, SET_BF), IN("weights", T, SET_BF), IN_OPT("bias", T, SET_BF),
             IN_OPT("mask_index", NONE, SET_I32), IN_OPT("past", T, SET_BF),
             IN_OPT("attention_bias", T, SET_BF), IN_OPT("past_sequence_length", NONE, SET_I32)),
      RESULTS(OUT("output", T), OUT_OPT("present", T)),
      PARAMS(struct ms_attention_params, attention_attrs), .lower = lower_attention,
      .class = CLASS_COMPOSED, .partial = true, .webnn = WEBNN_OF, .notes = "do_rotary refused" },
    { MICROSOFT("DecoderMaskedSelfAttention"),
      INPUTS(IN("input", T, SET_F), IN("weights", T, SET_F), IN("bias", T, SET_F),
             IN_OPT("mask_index", NONE, SET_I32), IN("past", T, SET_F),
             IN_OPT("attention_bias", T, SET_F), IN("past_sequence_length", NONE, SET_I32),
             IN_OPT("beam_width", NONE, SET_I32), IN_OPT("cache_indirection", NONE, SET_I32)),
      RESULTS(OUT("output", T), OUT("present", T)),
      PARAMS(struct ms_attention_params, masked_self_attrs), .lower = lower_masked_self,
      .class = CLASS_COMPOSED, .partial = true, .webnn = WEBNN_OF, .notes = NOTES },
    { MICROSOFT("QAttention"),
      INPUTS(IN("input", T1, SET_8), IN("weight", T2, SET_8), IN("bias", T, SET_F),
             IN("input_scale", T, SET_F), IN("weight_scale", T, SET_F),
             IN_OPT("mask_index", NONE, SET_I32), IN_OPT("input_zero_point", T1, SET_8),
             IN_OPT("weight_zero_point", T2, SET_8), IN_OPT("past", T, SET_F)),
      RESULTS(OUT("output", T), OUT_OPT("present", T)),
      PARAMS(struct ms_attention_params, qattention_attrs), .lower = lower_qattention,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "dequantizeLinear, " WEBNN_OF,
      .notes = "do_rotary, shared buffers refused" },
    { MICROSOFT("MultiHeadAttention"),
      INPUTS(IN("query", T, SET_BF), IN_OPT("key", T, SET_BF), IN_OPT("value", T, SET_BF),
             IN_OPT("bias", T, SET_BF), IN_OPT("key_padding_mask", NONE, SET_I32),
             IN_OPT("attention_bias", T, SET_BF), IN_OPT("past_key", T, SET_BF),
             IN_OPT("past_value", T, SET_BF), IN_OPT("past_sequence_length", NONE, SET_I32),
             IN_OPT("cache_indirection", NONE, SET_I32)),
      RESULTS(OUT("output", T), OUT_OPT("present_key", T), OUT_OPT("present_value", T),
              OUT_OPT("qk", NONE)),
      PARAMS(struct ms_attention_params, multi_head_attrs), .lower = lower_multi_head,
      .class = CLASS_COMPOSED, .partial = true, .webnn = WEBNN_OF,
      .notes = "cache_indirection refused: beam search" },
    { MICROSOFT("DecoderMaskedMultiHeadAttention"),
      INPUTS(IN("query", T, SET_F), IN_OPT("key", T, SET_F), IN_OPT("value", T, SET_F),
             IN_OPT("mask_index", NONE, SET_I32), IN_OPT("attention_bias", T, SET_F),
             IN_OPT("past_key", T, SET_F), IN_OPT("past_value", T, SET_F),
             IN_OPT("past_sequence_length", NONE, SET_I32), IN_OPT("beam_width", NONE, SET_I32),
             IN_OPT("cache_indirection", NONE, SET_I32), IN_OPT("bias", T, SET_F)),
      RESULTS(OUT("output", T), OUT_OPT("present_key", T), OUT_OPT("present_value", T),
              OUT_OPT("qk", NONE)),
      PARAMS(struct ms_attention_params, masked_multi_head_attrs), .lower = lower_masked_multi_head,
      .class = CLASS_COMPOSED, .partial = true, .webnn = WEBNN_OF, .notes = "beam search refused" },
};
ROW_COUNT(microsoft_attention);
