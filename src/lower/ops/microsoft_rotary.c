/* com.microsoft: rotary positions. */
#include "lower/ops/attention.h"

struct rotary {
    int64_t num_heads, rotary_embedding_dim, interleaved, is_packed_batching, mrope_layout;
    double scale;
    struct ints mrope_section;
};

#define ROTARY_ATTRS                                                                   \
    ATTR_INT(struct rotary, num_heads), ATTR_INT(struct rotary, rotary_embedding_dim), \
        ATTR_INT(struct rotary, interleaved, .allowed = "0 1"),                        \
        ATTR_INT(struct rotary, is_packed_batching, .allowed = "0"),                   \
        ATTR_FLOAT(struct rotary, scale, .fallback_float = 1)
static const struct attr_row rotary_attrs[] = { ROTARY_ATTRS };
static const struct attr_row mrotary_attrs[] = {
    ROTARY_ATTRS,
    ATTR_INTS(struct rotary, mrope_section, .required = true),
    ATTR_INT(struct rotary, mrope_layout, .allowed = "0 1"),
};

/* --- RotaryEmbedding ------------------------------------------------------------------------------------ */

/* Columns of the caches; they are half of what turns. */
static o2w_status read_half(struct lower *l, const struct node_view *n, const struct rotary *p,
                            int64_t *half)
{
    value cosine = input(n, 2), sine = input(n, 3);
    if (p->scale != 1)
        return refuse_attribute(l, n, "scale", "is %g, only 1 is supported", p->scale);
    if (cosine->rank != 2 || sine->rank != 2)
        return refuse_input(l, n, cosine->rank != 2 ? 2 : 3, "must have rank 2");
    TRY(static_dim(l, n, cosine, 1, half));
    if (*half < 1)
        return refuse_input(l, n, 2, "has no columns");
    if (sine->dims[1] != *half)
        return refuse_input(l, n, 3, "has %lld columns, the cosines have %lld",
                            (long long)sine->dims[1], (long long)*half);
    if (p->rotary_embedding_dim && p->rotary_embedding_dim != 2 * *half)
        return refuse_attribute(l, n, "rotary_embedding_dim",
                                "is %lld, the caches have %lld columns for it",
                                (long long)p->rotary_embedding_dim, (long long)*half);
    if (p->rotary_embedding_dim && p->num_heads < 1)
        return refuse_attribute(l, n, "num_heads", "is %lld, a partial rotation needs it",
                                (long long)p->num_heads);
    return O2W_OK;
}

/* [B, S, width] or [B, H, S, size] as [B, S, H, size]. */
static o2w_status sequence_first(struct lower *l, const struct node_view *n, const struct rotary *p,
                                 int64_t half, value *out)
{
    static const uint32_t swap[] = { 0, 2, 1, 3 };
    value x = input(n, 0);
    int64_t width;
    if (x->rank == 4)
        return transpose(l, x, swap, out);
    if (x->rank != 3)
        return refuse_input(l, n, 0, "has rank %u, must be 3 or 4", x->rank);
    TRY(static_dim(l, n, x, 2, &width));
    int64_t size = p->num_heads > 0 ? width / p->num_heads : 2 * half;
    if (size < 2 * half || width % size || (p->num_heads > 0 && size * p->num_heads != width))
        return refuse_input(l, n, 0, "has %lld columns, which are no heads of %lld or more",
                            (long long)width, (long long)(2 * half));
    return reshape(l, x, (const dim[]){ x->dims[0], x->dims[1], width / size, size }, 4, out);
}

/* Positions [B, S]; or [1], where the sequence begins: [1, S]. */
static o2w_status read_positions(struct lower *l, const struct node_view *n, dim sequence,
                                 value *out)
{
    value x = input(n, 1), steps;
    if (x->rank == 2) {
        *out = x;
        return O2W_OK;
    }
    if (x->rank != 1 || x->dims[0] != 1)
        return refuse_input(l, n, 1, "must be [1] or [batch, sequence]");
    if (dim_is_static(sequence))
        TRY(iota(l, DTYPE_INT64, sequence, 0, 1, &steps));
    else
        TRY(open_iota(l, DTYPE_INT64, sequence, &steps));
    TRY(op2(l, WEBNN_ADD, steps, x, &x));
    return unsqueeze(l, x, (const uint32_t[]){ 0 }, 1, out);
}

/* Rows of cache `at` by positions, float32 [B | 1, S, 1, half]. */
static o2w_status angles(struct lower *l, const struct node_view *n, uint32_t at, value positions,
                         value *out)
{
    const uint32_t heads = 2;
    value y;
    TRY(op2(l, WEBNN_GATHER, input(n, at), positions, &y));
    TRY(retype(l, y, input(n, at)->dtype, &y));
    TRY(widen(l, y, &y));
    return unsqueeze(l, y, &heads, 1, out);
}

static o2w_status turn_and_emit(struct lower *l, const struct node_view *n, const struct rotary *p,
                                value x, value cosine, value sine)
{
    static const uint32_t swap[] = { 0, 2, 1, 3 };
    value y;
    if (2 * cosine->dims[3] > x->dims[3] ||
        (!p->rotary_embedding_dim && 2 * cosine->dims[3] != x->dims[3]))
        return refuse_input(l, n, 2, "has %lld columns, heads have size %lld",
                            (long long)cosine->dims[3], (long long)x->dims[3]);
    TRY(rotary_turn(l, x, cosine, sine, p->interleaved != 0, &y));
    if (input(n, 0)->rank == 4)
        TRY(transpose(l, y, swap, &y));
    TRY(reshape(l, y, input(n, 0)->dims, input(n, 0)->rank, &y));
    return emit_value(l, n, y);
}

static o2w_status lower_rotary(struct lower *l, const struct node_view *n, const void *params)
{
    const struct rotary *p = params;
    value x, positions, cosine, sine;
    int64_t half;
    TRY(read_half(l, n, p, &half));
    TRY(sequence_first(l, n, p, half, &x));
    TRY(read_positions(l, n, x->dims[1], &positions));
    TRY(angles(l, n, 2, positions, &cosine));
    TRY(angles(l, n, 3, positions, &sine));
    return turn_and_emit(l, n, p, x, cosine, sine);
}

/* --- MRotaryEmbedding ------------------------------------------------------------------------------------ */

/* Which of the three streams of positions column i follows. */
static uint32_t stream_of(const struct rotary *p, int64_t i)
{
    const int64_t *section = p->mrope_section.items;
    if (p->mrope_layout == 0)
        return i < section[0] ? 0 : i < section[0] + section[1] ? 1 : 2;
    uint32_t stream = (uint32_t)(i % 3);
    return stream > 0 && i < section[stream] * 3 ? stream : 0;
}

/* Of the three gathered tables [B, S, 1, half], each column from its own. */
static o2w_status merge(struct lower *l, const struct rotary *p, const value streams[3],
                        int64_t half, value *out)
{
    value y = streams[0];
    for (uint32_t s = 1; s < 3; s++) {
        struct tensor t;
        value mask;
        TRY(known_new(l, DTYPE_UINT8, &(dim){ half }, 1, &t, &mask));
        for (int64_t i = 0; i < half; i++)
            ((uint8_t *)t.data)[i] = stream_of(p, i) == s;
        TRY(op3(l, WEBNN_WHERE, mask, streams[s], y, &y));
    }
    *out = y;
    return O2W_OK;
}

static o2w_status check_sections(struct lower *l, const struct node_view *n, const struct rotary *p,
                                 int64_t half)
{
    const struct ints *s = &p->mrope_section;
    bool good = s->count == 3 && s->items[0] >= 0 && s->items[1] >= 0 && s->items[2] >= 0 &&
                s->items[0] <= half && s->items[1] <= half && s->items[2] <= half;
    if (!good || s->items[0] + s->items[1] + s->items[2] != half)
        return refuse_attribute(l, n, "mrope_section", "must be 3 numbers whose sum is %lld",
                                (long long)half);
    return O2W_OK;
}

static o2w_status lower_mrotary(struct lower *l, const struct node_view *n, const void *params)
{
    const struct rotary *p = params;
    const uint32_t first = 0;
    value x, positions, cosine[3], sine[3];
    int64_t half;
    TRY(read_half(l, n, p, &half));
    TRY(check_sections(l, n, p, half));
    TRY(sequence_first(l, n, p, half, &x));
    if (input(n, 1)->rank != 3 || input(n, 1)->dims[0] != 3)
        return refuse_input(l, n, 1, "must be [3, batch, sequence]");
    for (uint32_t i = 0; i < 3; i++) {
        TRY(slice(l, input(n, 1), 0, i, 1, 1, &positions));
        TRY(squeeze(l, positions, &first, 1, &positions));
        TRY(angles(l, n, 2, positions, &cosine[i]));
        TRY(angles(l, n, 3, positions, &sine[i]));
    }
    TRY(merge(l, p, cosine, half, &cosine[0]));
    TRY(merge(l, p, sine, half, &sine[0]));
    return turn_and_emit(l, n, p, x, cosine[0], sine[0]);
}

/* --- GemmaRotaryEmbedding --------------------------------------------------------------------------------- */

/* q · cos(emb) + q_rot · sin(emb), the same for k; angles in float32, rounded once. */
static o2w_status lower_gemma_rotary(struct lower *l, const struct node_view *n, const void *params)
{
    const uint32_t heads = 1;
    value angle[2], a, b;
    (void)params;
    for (uint32_t i = 0; i < 2; i++) {
        TRY(op1(l, i ? WEBNN_SIN : WEBNN_COS, input(n, 0), &angle[i]));
        TRY(cast(l, angle[i], input(n, 1)->dtype, &angle[i]));
        TRY(unsqueeze(l, angle[i], &heads, 1, &angle[i]));
    }
    for (uint32_t i = 0; i < 2; i++) {
        TRY(op2(l, WEBNN_MUL, input(n, 1 + 2 * i), angle[0], &a));
        TRY(op2(l, WEBNN_MUL, input(n, 2 + 2 * i), angle[1], &b));
        TRY(op2(l, WEBNN_ADD, a, b, &a));
        TRY(emit_output(l, n, i, a));
    }
    return O2W_OK;
}

/* --- rows -------------------------------------------------------------------------------------------------- */

#define SET_BF (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_BFLOAT16))
#define SET_16 DTYPE_BIT(DTYPE_FLOAT16)
#define SLOTS                                                                                     \
    INPUTS(IN("input", T, SET_BF), IN("position_ids", NONE, SET_I64), IN("cos_cache", T, SET_BF), \
           IN("sin_cache", T, SET_BF)),                                                           \
        RESULTS(OUT("output", T))

const struct onnx_row microsoft_rotary_rows[] = {
    { MICROSOFT("RotaryEmbedding"), SLOTS, PARAMS(struct rotary, rotary_attrs),
      .lower = lower_rotary, .class = CLASS_COMPOSED, .partial = true,
      .webnn = "gather, slice, mul, sub, add, concat",
      .notes = "scale other than 1, is_packed_batching refused" },
    { MICROSOFT("MRotaryEmbedding"), SLOTS, PARAMS(struct rotary, mrotary_attrs),
      .lower = lower_mrotary, .class = CLASS_COMPOSED, .partial = true,
      .webnn = "gather, where, slice, mul, sub, add, concat",
      .notes = "scale other than 1, is_packed_batching refused" },
    { MICROSOFT("GemmaRotaryEmbedding"),
      INPUTS(IN("emb", NONE, DTYPE_BIT(DTYPE_FLOAT32)), IN("q", T, SET_16), IN("q_rot", T, SET_16),
             IN("k", T, SET_16), IN("k_rot", T, SET_16)),
      RESULTS(OUT("output1", T), OUT("output2", T)), .lower = lower_gemma_rotary,
      .class = CLASS_COMPOSED, .webnn = "sin, cos, mul, add" },
};
ROW_COUNT(microsoft_rotary);
