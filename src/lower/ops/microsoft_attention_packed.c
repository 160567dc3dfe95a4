/* com.microsoft: attention over tokens without padding: the sequences lie one behind the other. */
#include "lower/ops/microsoft_attention.h"

enum { MOST_PAIRS = 1 << 26 };

struct packed {
    struct ms_attention_params p;
};

static const struct attr_row packed_attrs[] = {
    MS_SCALE,
    MS_HEADS,
    ATTR_INTS(struct ms_attention_params, qkv_hidden_sizes),
};
static const struct attr_row packed_multi_head_attrs[] = { MS_SCALE, MS_HEADS, MS_MASK };

/* Tokens: how many, which sequence each belongs to, and its place in that. */
struct tokens {
    int64_t count;
    value sequence, place; /* int64 [count] */
};

/* How many sequences end at or before each token, and how far it is behind the last end. */
static o2w_status read_tokens(struct lower *l, const struct node_view *n, uint32_t offsets_at,
                              int64_t count, struct tokens *t)
{
    value ends = input(n, offsets_at), rows, starts;
    int64_t entries;
    struct calc c = { .l = l, .dtype = DTYPE_INT64 };
    struct webnn_reduce_attributes sum = webnn_reduce_sum_defaults();
    if (ends->rank != 1)
        return refuse_input(l, n, offsets_at, "has rank %u, must be 1", ends->rank);
    TRY(static_dim(l, n, ends, 0, &entries));
    if (entries < 2 || count > MOST_PAIRS / (count ? count : 1))
        return refuse_input(l, n, offsets_at, "of %lld elements: %lld tokens are too many, or none",
                            (long long)entries, (long long)count);
    t->count = count;
    TRY(cast(l, ends, DTYPE_INT64, &starts));
    TRY(slice(l, starts, 0, 1, entries - 1, 1, &ends));
    TRY(reshape(l, ends, (const dim[]){ 1, entries - 1 }, 2, &ends));
    TRY(iota(l, DTYPE_INT64, count, 0, 2, &rows));
    value behind = calc_less_equal(&c, ends, rows);
    behind = calc_cast(&c, behind, DTYPE_INT64);
    TRY(c.status);
    sum.axes = (struct webnn_u32s){ .given = true, .count = 1, .items = { 1 } };
    TRY(op(l, WEBNN_REDUCE_SUM, OPERANDS(behind), &sum, &t->sequence));
    TRY(op2(l, WEBNN_GATHER, starts, t->sequence, &starts));
    TRY(reshape(l, rows, (const dim[]){ count }, 1, &rows));
    return op2(l, WEBNN_SUB, rows, starts, &t->place);
}

/* Pairs of one sequence, uint8 [1, 1, tokens, tokens]. */
static o2w_status same_sequence(struct lower *l, const struct tokens *t, value *out)
{
    value row, column;
    TRY(reshape(l, t->sequence, (const dim[]){ 1, 1, t->count, 1 }, 4, &row));
    TRY(reshape(l, t->sequence, (const dim[]){ 1, 1, 1, t->count }, 4, &column));
    return op2(l, WEBNN_EQUAL, row, column, out);
}

/* [B | 1, H | 1, S, S] by places, for pairs of tokens: [1, H | 1, tokens, tokens]. */
static o2w_status bias_by_places(struct lower *l, const struct node_view *n, uint32_t at,
                                 const struct tokens *t, value *out)
{
    static const uint32_t heads_first[] = { 1, 0, 2, 3 }, first = 0;
    value x = input(n, at), row, column, index;
    struct calc c = { .l = l, .dtype = DTYPE_INT64 };
    struct webnn_gather_attributes a = { .axis = 1 };
    *out = NULL;
    if (!x)
        return O2W_OK;
    for (uint32_t i = 0; i < 4; i++)
        if (x->rank != 4 || !dim_is_static(x->dims[i]))
            return refuse_input(l, n, at, "must be [batch, heads, sequence, sequence] in numbers");
    int64_t size = x->dims[3];
    TRY(reshape(l, t->place, (const dim[]){ t->count, 1 }, 2, &row));
    TRY(reshape(l, t->place, (const dim[]){ 1, t->count }, 2, &column));
    index = calc_add(&c, calc_mul(&c, row, calc_number(&c, (double)size)), column);
    if (x->dims[0] > 1) {
        TRY(reshape(l, t->sequence, (const dim[]){ t->count, 1 }, 2, &row));
        index =
            calc_add(&c, index, calc_mul(&c, row, calc_number(&c, (double)(x->dims[2] * size))));
    }
    TRY(c.status);
    const dim flat[] = { x->dims[1], x->dims[0] * x->dims[2] * size };
    TRY(widen(l, x, &x));
    TRY(transpose(l, x, heads_first, &x));
    TRY(reshape(l, x, flat, 2, &x));
    TRY(op(l, WEBNN_GATHER, OPERANDS(x, index), &a, &x));
    return unsqueeze(l, x, &first, 1, out);
}

/* [tokens, heads · size] as [1, heads, tokens, size]. */
static o2w_status heads_of(struct lower *l, const struct node_view *n, value x, int64_t heads,
                           value *out)
{
    TRY(reshape(l, x, (const dim[]){ 1, x->dims[0], x->dims[1] }, 3, &x));
    return ms_split_heads(l, n, x, heads, out);
}

static o2w_status attend(struct lower *l, const struct node_view *n,
                         const struct ms_attention_params *p, const value qkv[3],
                         uint32_t offsets_at, uint32_t bias_at)
{
    struct ms_attention a = { .scale = p->scale };
    struct tokens t;
    value y;
    int64_t count;
    TRY(static_dim(l, n, qkv[0], 0, &count));
    TRY(read_tokens(l, n, offsets_at, count, &t));
    TRY(heads_of(l, n, qkv[0], p->num_heads, &a.q));
    TRY(heads_of(l, n, qkv[1], p->num_heads, &a.k));
    TRY(heads_of(l, n, qkv[2], p->num_heads, &a.v));
    TRY(same_sequence(l, &t, &a.allowed));
    TRY(bias_by_places(l, n, bias_at, &t, &a.bias));
    TRY(ms_attend(l, n, &a, &y));
    TRY(reshape(l, y, (const dim[]){ y->dims[1], y->dims[2] }, 2, &y));
    return emit_narrowed(l, n, y);
}

static o2w_status split_columns(struct lower *l, const struct node_view *n,
                                const struct ms_attention_params *p, value x, value out[3])
{
    const struct ints *sizes = &p->qkv_hidden_sizes;
    int64_t all, first = 0;
    TRY(static_dim(l, n, x, 1, &all));
    for (uint32_t i = 0; i < 3; i++) {
        int64_t size = sizes->given && sizes->count == 3 ? sizes->items[i] : all / 3;
        if (size < 1 || size > all - first || (i == 2 && first + size != all))
            return refuse(l, n, DIAG_LOWER_SHAPE,
                          "%lld columns do not give queries, keys and values", (long long)all);
        TRY(ms_columns(l, x, first, size, &out[i]));
        first += size;
    }
    return O2W_OK;
}

static o2w_status lower_packed(struct lower *l, const struct node_view *n, const void *params)
{
    const struct ms_attention_params *p = params;
    value x, w, bias, qkv[3];
    if (input(n, 0)->rank != 2 || input(n, 1)->rank != 2)
        return refuse_input(l, n, input(n, 0)->rank != 2 ? 0 : 1, "must have rank 2");
    TRY(widen(l, input(n, 0), &x));
    TRY(widen(l, input(n, 1), &w));
    TRY(widen(l, input(n, 2), &bias));
    TRY(op2(l, WEBNN_MATMUL, x, w, &x));
    TRY(op2(l, WEBNN_ADD, x, bias, &x));
    TRY(split_columns(l, n, p, x, qkv));
    return attend(l, n, p, qkv, 4, 5);
}

/* Part i of [tokens, heads, 3, size], as [tokens, heads · size]. */
static o2w_status packed_part(struct lower *l, value x, uint32_t i, value *out)
{
    TRY(slice(l, x, 2, i, 1, 1, &x));
    return reshape(l, x, (const dim[]){ x->dims[0], x->dims[1] * x->dims[3] }, 2, out);
}

static o2w_status read_qkv(struct lower *l, const struct node_view *n,
                           const struct ms_attention_params *p, value qkv[3])
{
    value q = input(n, 0);
    if (!input(n, 1)) {
        if (q->rank != 4 || q->dims[1] != p->num_heads || q->dims[2] != 3 ||
            !dim_is_static(q->dims[3]))
            return refuse_input(l, n, 0, "must be [tokens, %lld, 3, size] without a key",
                                (long long)p->num_heads);
        for (uint32_t i = 0; i < 3; i++)
            TRY(packed_part(l, q, i, &qkv[i]));
        return O2W_OK;
    }
    for (uint32_t i = 0; i < 3; i++) {
        qkv[i] = input(n, i);
        if (!qkv[i] || qkv[i]->rank != 2)
            return refuse_input(l, n, i, "must be [tokens, width]");
    }
    return O2W_OK;
}

static o2w_status lower_packed_multi_head(struct lower *l, const struct node_view *n,
                                          const void *params)
{
    const struct ms_attention_params *p = params;
    value qkv[3], part, bias = input(n, 3);
    int64_t first = 0;
    TRY(read_qkv(l, n, p, qkv));
    if (bias && bias->rank != 1)
        return refuse_input(l, n, 3, "has rank %u, must be 1", bias->rank);
    for (uint32_t i = 0; bias && i < 3; i++) {
        int64_t size;
        TRY(static_dim(l, n, qkv[i], 1, &size));
        TRY(slice(l, bias, 0, first, size, 1, &part));
        TRY(widen(l, part, &part));
        TRY(widen(l, qkv[i], &qkv[i]));
        TRY(op2(l, WEBNN_ADD, qkv[i], part, &qkv[i]));
        first += size;
    }
    return attend(l, n, p, qkv, 5, 6);
}

/* --- RemovePadding ---------------------------------------------------------------------------------- */

/* How many tokens each sequence has: int32 [batch], known. */
static o2w_status read_counts(struct lower *l, const struct node_view *n, struct tensor *counts,
                              int64_t batch, int64_t size, int64_t *total)
{
    TRY(known_tensor(l, input(n, 1), counts));
    if (input(n, 1)->rank != 1 || input(n, 1)->dims[0] != batch)
        return refuse_input(l, n, 1, "must be [%lld]", (long long)batch);
    *total = 0;
    for (int64_t b = 0; b < batch; b++) {
        int64_t count = tensor_get_i64(counts, (uint64_t)b);
        if (count < 0 || count > size)
            return refuse_input(l, n, 1, "has %lld tokens in a sequence of %lld", (long long)count,
                                (long long)size);
        *total += count;
    }
    return O2W_OK;
}

/* Places of the tokens, then of the padding, each in order: int32 [batch, size]. And how many tokens
 * lie before each sequence, [batch + 1]; and the most of a sequence, [1]. */
static o2w_status emit_places(struct lower *l, const struct node_view *n,
                              const struct tensor *counts, int64_t batch, int64_t size,
                              int64_t total)
{
    struct tensor places, sums, most;
    value v[3];
    int64_t token = 0, rest = total, longest = 0;
    TRY(known_new(l, DTYPE_INT32, (const dim[]){ batch, size }, 2, &places, &v[0]));
    TRY(known_new(l, DTYPE_INT32, (const dim[]){ batch + 1 }, 1, &sums, &v[1]));
    TRY(known_new(l, DTYPE_INT32, (const dim[]){ 1 }, 1, &most, &v[2]));
    for (int64_t b = 0; b < batch; b++) {
        int64_t count = tensor_get_i64(counts, (uint64_t)b);
        longest = count > longest ? count : longest;
        for (int64_t s = 0; s < size; s++)
            tensor_put_double(&places, (uint64_t)(s < count ? token++ : rest++),
                              (double)(b * size + s));
        tensor_put_double(&sums, (uint64_t)(b + 1), (double)token);
    }
    tensor_put_double(&most, 0, (double)longest);
    for (uint32_t i = 0; i < 3; i++)
        if (output_used(n, i + 1))
            TRY(emit_output(l, n, i + 1, v[i]));
    return O2W_OK;
}

static o2w_status lower_remove_padding(struct lower *l, const struct node_view *n,
                                       const void *params)
{
    value x = input(n, 0), index, y;
    struct tensor counts, t;
    int64_t batch, size, total = 0, at = 0;
    (void)params;
    if (x->rank != 3)
        return refuse_input(l, n, 0, "has rank %u, must be 3", x->rank);
    TRY(static_dim(l, n, x, 0, &batch));
    TRY(static_dim(l, n, x, 1, &size));
    if (batch > INT32_MAX || size > INT32_MAX || batch * size > MOST_PAIRS)
        return refuse_input(l, n, 0, "has too many places for tokens");
    TRY(read_counts(l, n, &counts, batch, size, &total));
    TRY(known_new(l, DTYPE_INT64, (const dim[]){ total }, 1, &t, &index));
    for (int64_t b = 0; b < batch; b++)
        for (int64_t s = 0; s < tensor_get_i64(&counts, (uint64_t)b); s++)
            tensor_put_double(&t, (uint64_t)at++, (double)(b * size + s));
    TRY(reshape(l, x, (const dim[]){ batch * size, x->dims[2] }, 2, &y));
    TRY(op2(l, WEBNN_GATHER, y, index, &y));
    TRY(emit_value(l, n, y));
    return emit_places(l, n, &counts, batch, size, total);
}

#define SET_F   (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16))
#define SET_I32 DTYPE_BIT(DTYPE_INT32)
#define OFFSETS                                                                         \
    IN("token_offset", NONE, SET_I32), IN("cumulative_sequence_length", NONE, SET_I32), \
        IN_OPT("attention_bias", T, SET_F)
#define WEBNN_OF "matmul, gather, where, softmax"

const struct onnx_row microsoft_attention_packed_rows[] = {
    { MICROSOFT("PackedAttention"),
      INPUTS(IN("input", T, SET_F), IN("weights", T, SET_F), IN("bias", T, SET_F), OFFSETS),
      RESULTS(OUT("output", T)), PARAMS(struct packed, packed_attrs), .lower = lower_packed,
      .class = CLASS_COMPOSED, .webnn = WEBNN_OF,
      .notes = "up to 2^26 pairs of tokens; token_offset is not needed" },
    { MICROSOFT("PackedMultiHeadAttention"),
      INPUTS(IN("query", T, SET_F), IN_OPT("key", T, SET_F), IN_OPT("value", T, SET_F),
             IN_OPT("bias", T, SET_F), OFFSETS),
      RESULTS(OUT("output", T)), PARAMS(struct packed, packed_multi_head_attrs),
      .lower = lower_packed_multi_head, .class = CLASS_COMPOSED, .webnn = WEBNN_OF,
      .notes = "up to 2^26 pairs of tokens; token_offset, mask_filter_value have no effect" },
    { MICROSOFT("RemovePadding"),
      INPUTS(IN("input", T, SET_F), IN("sequence_token_count", NONE, SET_I32, KNOWN)),
      RESULTS(OUT("output", T), OUT_OF("token_offset", DTYPE_INT32),
              OUT_OF("cumulated_seq_len", DTYPE_INT32), OUT_OF("max_seq_len", DTYPE_INT32)),
      .lower = lower_remove_padding, .class = CLASS_STATIC, .webnn = "reshape, gather",
      .notes = "evaluated: the size of the result depends on the lengths" },
};
ROW_COUNT(microsoft_attention_packed);
