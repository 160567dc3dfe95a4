/* com.microsoft: DecoderAttention, whose tensors have the sequence in front of the batch. */
#include "lower/ops/microsoft_attention.h"

/* Inputs 8 to 11 say which of its forms a node is. */
struct form {
    bool static_kv, past, masked;
};

static o2w_status read_flag(struct lower *l, const struct node_view *n, uint32_t i, bool *out)
{
    struct tensor t;
    uint64_t count;
    if (!value_count(input(n, i), &count) || count != 1)
        return refuse_input(l, n, i, "must be one truth value");
    TRY(known_tensor(l, input(n, i), &t));
    *out = *(const uint8_t *)t.data != 0;
    return O2W_OK;
}

static o2w_status read_form(struct lower *l, const struct node_view *n, struct form *f)
{
    bool use_past, layer_state;
    TRY(read_flag(l, n, 8, &f->static_kv));
    TRY(read_flag(l, n, 9, &use_past));
    TRY(read_flag(l, n, 10, &layer_state));
    TRY(read_flag(l, n, 11, &f->masked));
    f->past = use_past && layer_state;
    f->masked = f->masked && input(n, 5);
    for (uint32_t i = 6; f->past && i < 8; i++)
        if (!input(n, i) || input(n, i)->rank != 4)
            return refuse_input(l, n, i, "must be [batch, heads, sequence, size] with use_past");
    return O2W_OK;
}

static o2w_status check_shapes(struct lower *l, const struct node_view *n, int64_t *hidden)
{
    static const uint32_t ranks[] = { 3, 3, 2, 2, 1 };
    for (uint32_t i = 0; i < 5; i++)
        if (input(n, i)->rank != ranks[i])
            return refuse_input(l, n, i, "has rank %u, must be %u", input(n, i)->rank, ranks[i]);
    TRY(static_dim(l, n, input(n, 2), 1, hidden));
    if (*hidden > INT32_MAX || input(n, 3)->dims[1] != 2 * *hidden)
        return refuse_input(l, n, 3, "must be [.., %lld]", (long long)(2 * *hidden));
    if (input(n, 4)->dims[0] != 3 * *hidden)
        return refuse_input(l, n, 4, "must be [%lld]", (long long)(3 * *hidden));
    return O2W_OK;
}

/* x [S, B, width] · w + columns of the bias from `first` on, as [B, S, ..]. */
static o2w_status project(struct lower *l, const struct node_view *n, value x, uint32_t w_at,
                          int64_t first, value *out)
{
    static const uint32_t batch_first[] = { 1, 0, 2 };
    value w, bias;
    TRY(widen(l, x, &x));
    TRY(widen(l, input(n, w_at), &w));
    TRY(transpose(l, x, batch_first, &x));
    TRY(op2(l, WEBNN_MATMUL, x, w, &x));
    TRY(slice(l, input(n, 4), 0, first, w->dims[1], 1, &bias));
    TRY(widen(l, bias, &bias));
    return op2(l, WEBNN_ADD, x, bias, out);
}

/* Keys and values: of the cache alone, or of what comes new, behind the cache where there is one. */
static o2w_status read_keys(struct lower *l, const struct node_view *n, const struct form *f,
                            int64_t heads, int64_t hidden, value kv[2])
{
    value both = NULL;
    if (!f->past || !f->static_kv)
        TRY(project(l, n, input(n, f->static_kv ? 1 : 0), 3, hidden, &both));
    for (uint32_t i = 0; i < 2; i++) {
        value past = NULL, x = NULL;
        if (f->past)
            TRY(widen(l, input(n, 6 + i), &past));
        if (both) {
            TRY(ms_columns(l, both, i * hidden, hidden, &x));
            TRY(ms_split_heads(l, n, x, heads, &x));
        }
        if (past && x)
            TRY(concat(l, (const value[]){ past, x }, 2, 2, &x));
        kv[i] = x ? x : past;
    }
    return O2W_OK;
}

/* uint8 [B, 1, 1, T]: what key_padding_mask does not hide. */
static o2w_status read_mask(struct lower *l, const struct node_view *n, value keys, value *out)
{
    static const uint32_t between[] = { 1, 2 };
    value m = input(n, 5);
    if (m->rank != 2 ||
        (dim_is_static(m->dims[1]) && dim_is_static(keys->dims[2]) && m->dims[1] != keys->dims[2]))
        return refuse_input(l, n, 5, "must be [batch, keys]");
    TRY(unsqueeze(l, m, between, 2, &m));
    TRY(cast(l, m, DTYPE_UINT8, &m));
    return op1(l, WEBNN_LOGICAL_NOT, m, out);
}

static o2w_status emit_cache(struct lower *l, const struct node_view *n, uint32_t i, value x)
{
    if (!output_used(n, i))
        return O2W_OK;
    TRY(cast(l, x, input(n, 0)->dtype, &x));
    return emit_output(l, n, i, x);
}

static o2w_status lower_decoder(struct lower *l, const struct node_view *n, const void *params)
{
    static const uint32_t sequence_first[] = { 1, 0, 2 };
    const struct ms_attention_params *p = params;
    struct ms_attention a = { .first = NULL };
    struct form f;
    value kv[2], q, y;
    int64_t hidden;
    TRY(read_form(l, n, &f));
    TRY(check_shapes(l, n, &hidden));
    TRY(project(l, n, input(n, 0), 2, 0, &q));
    TRY(ms_split_heads(l, n, q, p->num_heads, &a.q));
    TRY(read_keys(l, n, &f, p->num_heads, hidden, kv));
    a.k = kv[0];
    a.v = kv[1];
    if (f.masked)
        TRY(read_mask(l, n, a.k, &a.allowed));
    TRY(ms_attend(l, n, &a, &y));
    TRY(transpose(l, y, sequence_first, &y));
    TRY(emit_narrowed(l, n, y));
    TRY(emit_cache(l, n, 1, kv[0]));
    return emit_cache(l, n, 2, kv[1]);
}

static const struct attr_row decoder_attrs[] = { MS_HEADS, MS_MASK };

#define SET_F    (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16))
#define SET_BOOL DTYPE_BIT(DTYPE_BOOL)

const struct onnx_row microsoft_attention_decoder_rows[] = {
    { MICROSOFT("DecoderAttention"),
      INPUTS(IN("query", T, SET_F), IN("key", T, SET_F), IN("q_weight", T, SET_F),
             IN("kv_weight", T, SET_F), IN("bias", T, SET_F),
             IN_OPT("key_padding_mask", NONE, SET_BOOL), IN_OPT("key_cache", T, SET_F),
             IN_OPT("value_cache", T, SET_F), IN("static_kv", NONE, SET_BOOL, KNOWN),
             IN("use_past", NONE, SET_BOOL, KNOWN), IN("has_layer_state", NONE, SET_BOOL, KNOWN),
             IN("has_key_padding_mask", NONE, SET_BOOL, KNOWN)),
      RESULTS(OUT("output", T), OUT_OPT("new_key_cache", T), OUT_OPT("new_value_cache", T)),
      PARAMS(struct ms_attention_params, decoder_attrs), .lower = lower_decoder,
      .class = CLASS_COMPOSED, .webnn = "matmul, transpose, softmax",
      .notes = "keys that are hidden get the lowest score, mask_filter_value has no effect" },
};
ROW_COUNT(microsoft_attention_decoder);
