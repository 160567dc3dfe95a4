/* com.microsoft: recurrences in place of attention, and the convolution in front of them. */
#include "lower/ops/convolution.h"
#include "lower/ops/microsoft_attention.h"

#include <math.h>

/* --- LinearAttention ----------------------------------------------------------------------------------------- */

struct linear {
    int64_t q_num_heads, kv_num_heads, chunk_size, state_window;
    double scale;
    struct span update_rule;
};

static const struct attr_row linear_attrs[] = {
    ATTR_INT(struct linear, q_num_heads, .required = true),
    ATTR_INT(struct linear, kv_num_heads, .required = true),
    ATTR_INT(struct linear, chunk_size, .fallback_int = 64),
    ATTR_INT(struct linear, state_window, .allowed = "0"),
    ATTR_FLOAT(struct linear, scale, .fallback_float = 0),
    ATTR_STRING(struct linear, update_rule, .fallback_text = "gated_delta",
                .allowed = "linear gated delta gated_delta"),
};

enum { QUERY, KEY, VALUE, STATE, DECAY, BETA };

/* Of all steps, in float32: [B, H, T, size]; those of the query and the key have fewer heads where
 * one of them serves a group. */
struct recurrence {
    value q, k, v, decay, beta; /* decay and beta: NULL where the rule has none */
    value state;                /* [B, H, dk, dv] */
    int64_t steps, heads;
    bool delta;
};

/* Each head `times` times, one after the other: [B, H · times, T, size]. */
static o2w_status repeat(struct lower *l, value x, int64_t times, value *out)
{
    const uint32_t third = 2;
    *out = x;
    if (times == 1)
        return O2W_OK;
    const dim wide[] = { x->dims[0], x->dims[1], times, x->dims[2], x->dims[3] },
              flat[] = { x->dims[0], x->dims[1] * times, x->dims[2], x->dims[3] };
    TRY(unsqueeze(l, x, &third, 1, &x));
    TRY(expand(l, x, wide, 5, &x));
    return reshape(l, x, flat, 4, out);
}

static o2w_status heads_of(struct lower *l, const struct node_view *n, uint32_t at, int64_t heads,
                           value *out)
{
    value x = input(n, at);
    if (x->rank != 3)
        return refuse_input(l, n, at, "has rank %u, must be 3", x->rank);
    TRY(widen(l, x, &x));
    return ms_split_heads(l, n, x, heads, out);
}

static o2w_status check_rule(struct lower *l, const struct node_view *n, const struct linear *p)
{
    bool gated = span_is(p->update_rule, "gated") || span_is(p->update_rule, "gated_delta");
    bool delta = span_is(p->update_rule, "delta") || span_is(p->update_rule, "gated_delta");
    for (uint32_t i = DECAY; i <= BETA; i++) {
        bool wanted = i == DECAY ? gated : delta;
        if ((input(n, i) != NULL) != wanted)
            return refuse_input(l, n, i, "is %s, update_rule '%.*s' %s it",
                                wanted ? "missing" : "given", SPAN_ARG(p->update_rule),
                                wanted ? "needs" : "has no use for");
    }
    return O2W_OK;
}

/* Decay and update rate per head, or per key column: [B, H, T, 1 or dk]. */
static o2w_status read_gates(struct lower *l, const struct node_view *n, const struct linear *p,
                             struct recurrence *r)
{
    value *to[] = { &r->decay, &r->beta };
    for (uint32_t i = 0; i < 2; i++)
        if (input(n, DECAY + i))
            TRY(heads_of(l, n, DECAY + i, p->kv_num_heads, to[i]));
    if (r->decay) {
        TRY(op1(l, WEBNN_EXP, r->decay, &r->decay));
        if (r->decay->dims[3] != 1 && r->decay->dims[3] != r->k->dims[3])
            return refuse_input(l, n, DECAY, "has %lld columns per head, 1 or %lld are needed",
                                (long long)r->decay->dims[3], (long long)r->k->dims[3]);
    }
    if (r->beta && r->beta->dims[3] != 1)
        return refuse_input(l, n, BETA, "must have one column per head");
    return O2W_OK;
}

static o2w_status read_recurrence(struct lower *l, const struct node_view *n,
                                  const struct linear *p, struct recurrence *r)
{
    int64_t keys, width, size;
    TRY(check_rule(l, n, p));
    if (p->q_num_heads < 1 || p->kv_num_heads < 1 || p->q_num_heads > MS_MOST_HEADS ||
        p->kv_num_heads > MS_MOST_HEADS ||
        (p->q_num_heads % p->kv_num_heads && p->kv_num_heads % p->q_num_heads))
        return refuse_attribute(l, n, "kv_num_heads", "is %lld beside %lld heads of the query",
                                (long long)p->kv_num_heads, (long long)p->q_num_heads);
    TRY(heads_of(l, n, QUERY, p->q_num_heads, &r->q));
    TRY(static_dim(l, n, r->q, 3, &size));
    if (input(n, KEY)->rank != 3)
        return refuse_input(l, n, KEY, "has rank %u, must be 3", input(n, KEY)->rank);
    TRY(static_dim(l, n, input(n, KEY), 2, &width));
    if (size > 0 && width != size * p->kv_num_heads)
        keys = width / size;
    else
        keys = p->kv_num_heads;
    TRY(heads_of(l, n, KEY, keys, &r->k));
    TRY(heads_of(l, n, VALUE, p->kv_num_heads, &r->v));
    if (r->k->dims[3] != size || p->kv_num_heads % keys)
        return refuse_input(l, n, KEY, "has %lld columns, heads have %lld", (long long)width,
                            (long long)size);
    TRY(repeat(l, r->k, p->kv_num_heads / keys, &r->k));
    TRY(static_dim(l, n, r->q, 2, &r->steps));
    r->heads = p->kv_num_heads;
    r->delta = span_is(p->update_rule, "delta") || span_is(p->update_rule, "gated_delta");
    if (r->steps > lower_unroll_limit(l, UNROLL_STEPS)) {
        o2w_status s =
            refuse(l, n, DIAG_LOWER_LIMIT, "%lld steps must be written out, the limit is %u",
                   (long long)r->steps, lower_unroll_limit(l, UNROLL_STEPS));
        diag_hint(lower_diags(l), "--unroll-limit N");
        return s;
    }
    return read_gates(l, n, p, r);
}

/* [B, H, dk, dv]: as given, or zeros. */
static o2w_status first_state(struct lower *l, const struct node_view *n, struct recurrence *r)
{
    const dim dims[] = { r->q->dims[0], r->heads, r->k->dims[3], r->v->dims[3] };
    value given = input(n, STATE);
    if (!given)
        return fill_i64(l, DTYPE_FLOAT32, 0, dims, 4, &r->state);
    if (given->rank != 4)
        return refuse_input(l, n, STATE, "has rank %u, must be 4", given->rank);
    return widen(l, given, &r->state);
}

/* Row t of [B, H, T, size]: as a row, or as a column [B, H, size, 1]. */
static value row_at(struct calc *c, value x, int64_t t, bool column)
{
    static const uint32_t swap[] = { 0, 1, 3, 2 };
    value y = x;
    if (c->status == O2W_OK)
        c->status = slice(c->l, x, 2, t, 1, 1, &y);
    if (c->status == O2W_OK && column)
        c->status = transpose(c->l, y, swap, &y);
    return y;
}

/* The state after step t. */
static void advance(struct calc *c, struct recurrence *r, int64_t t)
{
    value k = row_at(c, r->k, t, true), v = row_at(c, r->v, t, false), state = r->state;
    if (r->decay)
        state = calc_mul(c, row_at(c, r->decay, t, true), state);
    if (r->delta) {
        value seen = calc_op(c, WEBNN_MATMUL, row_at(c, r->k, t, false), state, NULL);
        v = calc_mul(c, row_at(c, r->beta, t, false), calc_sub(c, v, seen));
    }
    r->state = calc_add(c, state, calc_mul(c, k, v));
}

/* q of step t by the state: [B, Hq or H, 1, dv]. */
static o2w_status read_out(struct lower *l, const struct node_view *n, const struct recurrence *r,
                           int64_t t, value *out)
{
    value q;
    TRY(slice(l, r->q, 2, t, 1, 1, &q));
    if (q->dims[1] < r->heads)
        TRY(repeat(l, q, r->heads / q->dims[1], &q));
    return attention_mix(l, n, q, r->state, out);
}

static o2w_status lower_linear(struct lower *l, const struct node_view *n, const void *params)
{
    static const uint32_t sequence_second[] = { 0, 2, 1, 3 };
    const struct linear *p = params;
    struct recurrence r = { 0 };
    dim columns;
    TRY(read_recurrence(l, n, p, &r));
    TRY(first_state(l, n, &r));
    double scale = p->scale != 0 ? p->scale : 1 / sqrt((double)r.k->dims[3]);
    struct calc c = calc_begin(l, r.q);
    r.q = calc_mul(&c, r.q, calc_number(&c, scale));
    value *rows = ARENA_ARRAY(lower_arena(l), (size_t)r.steps, value), y;
    if (!rows)
        return diag_memory(lower_diags(l));
    for (int64_t t = 0; t < r.steps; t++) {
        advance(&c, &r, t);
        TRY(c.status);
        TRY(read_out(l, n, &r, t, &rows[t]));
    }
    TRY(concat(l, rows, (uint32_t)r.steps, 2, &y));
    TRY(transpose(l, y, sequence_second, &y));
    TRY(dim_of(l, n, EXPR_MUL, y->dims[2], y->dims[3], &columns));
    TRY(reshape(l, y, (const dim[]){ y->dims[0], y->dims[1], columns }, 3, &y));
    enum dtype state = input(n, STATE) ? input(n, STATE)->dtype : input(n, QUERY)->dtype;
    TRY(cast(l, r.state, state, &r.state));
    TRY(emit_as(l, n, 1, r.state, state));
    return emit_narrowed(l, n, y);
}

/* --- CausalConvWithState ---------------------------------------------------------------------------------------- */

struct causal {
    int64_t ndim, dilation, channels_last, state_window, state_update_capacity, state_channels_last,
        state_length, input_channel_offset, input_channels;
    struct span activation;
};

static const struct attr_row causal_attrs[] = {
    ATTR_INT(struct causal, ndim, .fallback_int = 1, .allowed = "1"),
    ATTR_INT(struct causal, dilation, .fallback_int = 1),
    ATTR_INT(struct causal, channels_last, .allowed = "0 1"),
    ATTR_INT(struct causal, state_window, .allowed = "0"),
    ATTR_INT(struct causal, state_update_capacity, .allowed = "0"),
    ATTR_INT(struct causal, state_channels_last, .fallback_int = -1, .allowed = "-1"),
    ATTR_INT(struct causal, state_length, .allowed = "0"),
    ATTR_INT(struct causal, input_channel_offset, .allowed = "0"),
    ATTR_INT(struct causal, input_channels, .allowed = "0"),
    ATTR_STRING(struct causal, activation, .fallback_text = "none", .allowed = "none silu swish"),
};

/* [B, L, d…] as [B, C, L]. */
static o2w_status channels_first(struct lower *l, const struct node_view *n, value x, value *out)
{
    static const uint32_t swap[] = { 0, 2, 1 };
    dim columns;
    TRY(dims_product(l, n, x->dims, 2, x->rank, &columns));
    TRY(reshape(l, x, (const dim[]){ x->dims[0], x->dims[1], columns }, 3, &x));
    return transpose(l, x, swap, out);
}

/* Back to the trailing dims of the input; x is [B, C, any]. */
static o2w_status as_input(struct lower *l, const struct node_view *n, const struct causal *p,
                           value x, value *out)
{
    static const uint32_t swap[] = { 0, 2, 1 };
    dim dims[MAX_RANK];
    value like = input(n, 0);
    *out = x;
    if (!p->channels_last)
        return O2W_OK;
    for (uint32_t i = 0; i < like->rank; i++)
        dims[i] = i == 1 ? x->dims[2] : like->dims[i];
    TRY(transpose(l, x, swap, &x));
    return reshape(l, x, dims, like->rank, out);
}

/* What came before, `length` columns [B, C, length]: as given, or zeros. */
static o2w_status read_state(struct lower *l, const struct node_view *n, const struct causal *p,
                             value x, int64_t length, value *out)
{
    value given = input(n, 3);
    const dim dims[] = { x->dims[0], x->dims[1], length };
    if (!given)
        return fill_i64(l, x->dtype, 0, dims, 3, out);
    if (given->rank < 3)
        return refuse_input(l, n, 3, "has rank %u, must be at least 3", given->rank);
    if (p->channels_last)
        TRY(channels_first(l, n, given, &given));
    if (given->dims[2] != length)
        return refuse_input(l, n, 3, "holds %lld columns, %lld are needed",
                            (long long)given->dims[2], (long long)length);
    *out = given;
    return O2W_OK;
}

/* The last `length` columns of x, whose size is `size`. */
static o2w_status last_columns(struct lower *l, value x, dim size, int64_t length, value *out)
{
    const struct webnn_reverse_attributes back = {
        .axes = { .given = true, .count = 1, .items = { 2 } }
    };
    if (dim_is_static(size))
        return slice(l, x, 2, size - length, length, 1, out);
    TRY(op(l, WEBNN_REVERSE, OPERANDS(x), &back, &x));
    TRY(slice(l, x, 2, 0, length, 1, &x));
    return op(l, WEBNN_REVERSE, OPERANDS(x), &back, out);
}

static o2w_status causal_conv(struct lower *l, const struct node_view *n, const struct causal *p,
                              value x, value *out)
{
    struct conv_params conv = { .group = x->dims[1] };
    const int64_t dilation = p->dilation;
    value w = input(n, 1), bias = input(n, 2), y;
    conv.window.auto_pad = span_of("NOTSET");
    conv.window.dilations = (struct ints){ .given = true, .count = 1, .items = &dilation };
    TRY(widen(l, x, &x));
    TRY(widen(l, w, &w));
    if (bias)
        TRY(widen(l, bias, &bias));
    TRY(conv_run(l, n, &conv, x, w, 1, bias, &y));
    if (!span_is(p->activation, "none")) {
        struct calc c = calc_begin(l, y);
        y = calc_mul(&c, y, calc_sigmoid(&c, y));
        TRY(c.status);
    }
    *out = y;
    return O2W_OK;
}

static o2w_status lower_causal(struct lower *l, const struct node_view *n, const void *params)
{
    const struct causal *p = params;
    value x = input(n, 0), state, y;
    int64_t kernel, channels;
    if (x->rank < 3 || (!p->channels_last && x->rank != 3) || input(n, 1)->rank != 3)
        return refuse_input(l, n, 0, "has rank %u, weights have rank %u: 3 is needed", x->rank,
                            input(n, 1)->rank);
    if (p->dilation < 1 || p->dilation > 1 << 20)
        return refuse_attribute(l, n, "dilation", "is %lld, must be from 1 to 1048576",
                                (long long)p->dilation);
    if (p->channels_last)
        TRY(channels_first(l, n, x, &x));
    TRY(static_dim(l, n, x, 1, &channels));
    TRY(static_dim(l, n, input(n, 1), 2, &kernel));
    int64_t length = (kernel - 1) * p->dilation;
    if (length > 0) {
        TRY(read_state(l, n, p, x, length, &state));
        TRY(concat(l, (const value[]){ state, x }, 2, 2, &x));
        TRY(last_columns(l, x, x->dims[2], length, &state));
    } else {
        TRY(fill_i64(l, x->dtype, 0, (const dim[]){ x->dims[0], channels, 0 }, 3, &state));
    }
    TRY(as_input(l, n, p, state, &state));
    TRY(emit_output(l, n, 1, state));
    TRY(causal_conv(l, n, p, x, &y));
    TRY(as_input(l, n, p, y, &y));
    return emit_narrowed(l, n, y);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

#define SET_F (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_BFLOAT16))

const struct onnx_row microsoft_linear_rows[] = {
    { MICROSOFT("LinearAttention"),
      INPUTS(IN("query", T, SET_F), IN("key", T, SET_F), IN("value", T, SET_F),
             IN_OPT("past_state", T1, SET_F), IN_OPT("decay", T, SET_F), IN_OPT("beta", T, SET_F)),
      RESULTS(OUT("output", T), { .name = "present_state", .variable = TYPE_NONE }),
      PARAMS(struct linear, linear_attrs), .lower = lower_linear, .class = CLASS_COMPOSED,
      .partial = true, .webnn = "mul, add, matmul",
      .notes = "written out step by step; chunk_size is a hint; state_window refused" },
    { MICROSOFT("CausalConvWithState"),
      INPUTS(IN("input", T, SET_F), IN("weight", T, SET_F), IN_OPT("bias", T, SET_F),
             IN_OPT("past_state", T, SET_F)),
      RESULTS(OUT("output", T), OUT("present_state", T), OUT_OPT("state_update", T)),
      PARAMS(struct causal, causal_attrs), .lower = lower_causal, .class = CLASS_COMPOSED,
      .partial = true, .webnn = "concat, conv2d, slice",
      .notes = "one spatial dimension; state windows and updates refused" },
};
ROW_COUNT(microsoft_linear);
