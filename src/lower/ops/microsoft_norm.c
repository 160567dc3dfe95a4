/* com.microsoft: embeddings with a normalisation, normalisations of groups and branches. */
#include "lower/ops/normalization.h"

#include "lower/quantized.h"

/* --- EmbedLayerNormalization ---------------------------------------------------------------------------- */

struct embed {
    int64_t
        mask_index_type; /* what shape inference says of mask_index, whose numbers are the same */
    double epsilon;
};

static const struct attr_row embed_attrs[] = {
    ATTR_INT(struct embed, mask_index_type, .fallback_int = 1, .allowed = "0 1"),
    ATTR_FLOAT(struct embed, epsilon, .fallback_float = 1e-12),
};
static const struct attr_row qembed_attrs[] = { ATTR_FLOAT(struct embed, epsilon,
                                                           .fallback_float = 1e-12) };

/* Where the inputs of the plain and of the quantised form stand; 0: it has none. */
struct embed_slots {
    uint32_t word, position, segment, gamma, beta, mask, position_ids;
    uint32_t scale, zero; /* of the word table; the others follow in the order above */
};

static const struct embed_slots plain = { 2, 3, 4, 5, 6, 7, 8, 0, 0 };
static const struct embed_slots quantized = { 2, 3, 4, 5, 6, 7, 0, 8, 13 };

/* Elements of 8 bits as floats, by the numbers of table `which`. */
static o2w_status dequantized(struct lower *l, const struct node_view *n,
                              const struct embed_slots *s, uint32_t which, value x, value *out)
{
    *out = x;
    if (!s->scale)
        return widen(l, x, out);
    struct quantized q = { .x = x,
                           .scale = input(n, s->scale + which),
                           .zero = input(n, s->zero + which) };
    uint64_t count;
    if (!q.scale || !value_count(q.scale, &count) || count != 1)
        return refuse_input(l, n, s->scale + which, "is not one number");
    TRY(quantized_shape(l, n, &q, x->dtype, s->scale + which, s->zero + which));
    return quantized_run(l, &q, WEBNN_DEQUANTIZE_LINEAR, out);
}

/* Rows of a table by indices, then as floats. */
static o2w_status look_up(struct lower *l, const struct node_view *n, const struct embed_slots *s,
                          uint32_t which, value indices, value *out)
{
    value table = input(n, s->word + which), y;
    if (!table)
        return refuse_input(l, n, s->word + which, "is missing");
    if (table->rank != 2)
        return refuse_input(l, n, s->word + which, "has rank %u, must be 2", table->rank);
    TRY(op2(l, WEBNN_GATHER, table, indices, &y));
    TRY(retype(l, y, table->dtype, &y));
    return dequantized(l, n, s, which, y, out);
}

/* Rows 0 … S - 1 of the table of positions. */
static o2w_status by_place(struct lower *l, const struct node_view *n, const struct embed_slots *s,
                           dim sequence, value *out)
{
    value table = input(n, s->position), indices;
    if (dim_is_static(sequence) && !s->scale && table->rank == 2) {
        TRY(slice(l, table, 0, 0, sequence, 1, &table));
        return widen(l, table, out);
    }
    if (dim_is_static(sequence))
        TRY(iota(l, DTYPE_INT64, sequence, 0, 1, &indices));
    else
        TRY(open_iota(l, DTYPE_INT64, sequence, &indices));
    return look_up(l, n, s, 1, indices, out);
}

/* Ones per row of the mask; zeros without a mask. */
static o2w_status count_mask(struct lower *l, const struct node_view *n, value mask, dim batch,
                             value *out)
{
    struct webnn_reduce_attributes sum = webnn_reduce_sum_defaults();
    value one;
    if (!mask)
        return fill_i64(l, DTYPE_INT32, 0, &batch, 1, out);
    if (mask->rank != 2)
        return refuse(l, n, DIAG_LOWER_INPUT, "the mask has rank %u, must be 2", mask->rank);
    TRY(scalar_i64(l, DTYPE_INT32, 1, &one));
    TRY(op2(l, WEBNN_EQUAL, mask, one, &mask));
    TRY(cast(l, mask, DTYPE_INT32, &mask));
    sum.axes = (struct webnn_u32s){ .given = true, .count = 1, .items = { 1 } };
    return op(l, WEBNN_REDUCE_SUM, OPERANDS(mask), &sum, out);
}

static o2w_status embed(struct lower *l, const struct node_view *n, const struct embed_slots *s,
                        value *sum)
{
    value ids = input(n, 0), part;
    if (ids->rank != 2)
        return refuse_input(l, n, 0, "has rank %u, must be 2", ids->rank);
    TRY(look_up(l, n, s, 0, ids, sum));
    if (s->position_ids && input(n, s->position_ids))
        TRY(look_up(l, n, s, 1, input(n, s->position_ids), &part));
    else
        TRY(by_place(l, n, s, ids->dims[1], &part));
    TRY(op2(l, WEBNN_ADD, *sum, part, sum));
    if (!input(n, 1))
        return O2W_OK;
    TRY(look_up(l, n, s, 2, input(n, 1), &part));
    return op2(l, WEBNN_ADD, *sum, part, sum);
}

static o2w_status embed_and_norm(struct lower *l, const struct node_view *n,
                                 const struct embed_slots *s, double epsilon)
{
    struct webnn_layer_normalization_attributes a = webnn_layer_normalization_defaults();
    value sum, y, gamma, beta, count;
    TRY(embed(l, n, s, &sum));
    TRY(dequantized(l, n, s, 3, input(n, s->gamma), &gamma));
    TRY(dequantized(l, n, s, 4, input(n, s->beta), &beta));
    a.axes = (struct webnn_u32s){ .given = true, .count = 1, .items = { 2 } };
    a.epsilon = epsilon;
    TRY(widen(l, sum, &y));
    TRY(widen(l, gamma, &gamma));
    TRY(widen(l, beta, &beta));
    TRY(op(l, WEBNN_LAYER_NORMALIZATION, OPERANDS(y, gamma, beta), &a, &y));
    if (output_used(n, 1)) {
        TRY(count_mask(l, n, input(n, s->mask), input(n, 0)->dims[0], &count));
        TRY(emit_output(l, n, 1, count));
    }
    if (output_used(n, 2)) {
        TRY(cast(l, sum, n->variables[TYPE_T], &sum));
        TRY(emit_output(l, n, 2, sum));
    }
    return emit_narrowed(l, n, y);
}

static o2w_status lower_embed(struct lower *l, const struct node_view *n, const void *params)
{
    const struct embed *p = params;
    return embed_and_norm(l, n, &plain, p->epsilon);
}

static o2w_status lower_qembed(struct lower *l, const struct node_view *n, const void *params)
{
    const struct embed *p = params;
    return embed_and_norm(l, n, &quantized, p->epsilon);
}

/* --- GroupNorm -------------------------------------------------------------------------------------------- */

struct group_norm {
    int64_t channels_last, activation, groups;
    double epsilon;
};

static const struct attr_row group_norm_attrs[] = {
    ATTR_INT(struct group_norm, channels_last, .fallback_int = 1, .allowed = "0 1"),
    ATTR_INT(struct group_norm, activation, .required = true, .allowed = "0 1"),
    ATTR_INT(struct group_norm, groups, .required = true),
    ATTR_FLOAT(struct group_norm, epsilon, .fallback_float = 1e-5),
};

/* Each group is a row of [N, G, …] that is normalised; x is [N, C, H, W] in float32. */
static o2w_status normalize_groups(struct lower *l, const struct node_view *n,
                                   const struct group_norm *p, value x, value *out)
{
    struct webnn_layer_normalization_attributes a = webnn_layer_normalization_defaults();
    int64_t channels;
    dim rows[3] = { x->dims[0], p->groups };
    value y, v;
    TRY(static_dim(l, n, x, 1, &channels));
    if (p->groups < 1 || channels % p->groups)
        return refuse_attribute(l, n, "groups", "is %lld, must divide %lld channels",
                                (long long)p->groups, (long long)channels);
    TRY(dims_product(l, n, x->dims, 2, x->rank, &rows[2]));
    TRY(dim_of(l, n, EXPR_MUL, rows[2], channels / p->groups, &rows[2]));
    a.epsilon = p->epsilon;
    a.axes = (struct webnn_u32s){ .given = true, .count = 1, .items = { 2 } };
    TRY(reshape(l, x, rows, 3, &y));
    TRY(op(l, WEBNN_LAYER_NORMALIZATION, OPERANDS(y), &a, &y));
    TRY(reshape(l, y, x->dims, x->rank, &y));
    for (uint32_t i = 1; i < 3; i++) {
        v = input(n, i);
        if (v->rank != 1 || v->dims[0] != channels)
            return refuse_input(l, n, i, "must have %lld elements", (long long)channels);
        TRY(widen(l, v, &v));
        TRY(along_channels(l, v, y->rank, &v));
        TRY(op2(l, i == 1 ? WEBNN_MUL : WEBNN_ADD, y, v, &y));
    }
    *out = y;
    return O2W_OK;
}

static o2w_status group_norm(struct lower *l, const struct node_view *n, const struct group_norm *p,
                             value x)
{
    static const uint32_t second[] = { 0, 3, 1, 2 }, last[] = { 0, 2, 3, 1 };
    value y, gate;
    if (x->rank != 4)
        return refuse_input(l, n, 0, "has rank %u, must be 4", x->rank);
    TRY(widen(l, x, &y));
    if (p->channels_last)
        TRY(transpose(l, y, second, &y));
    TRY(normalize_groups(l, n, p, y, &y));
    if (p->activation) {
        TRY(op1(l, WEBNN_SIGMOID, y, &gate));
        TRY(op2(l, WEBNN_MUL, y, gate, &y));
    }
    if (p->channels_last)
        TRY(transpose(l, y, last, &y));
    return emit_narrowed(l, n, y);
}

static o2w_status lower_group_norm(struct lower *l, const struct node_view *n, const void *params)
{
    return group_norm(l, n, params, input(n, 0));
}

/* skip is [N, C], [N, 1, 1, C] or as X; bias is [C]. */
static o2w_status lower_skip_group_norm(struct lower *l, const struct node_view *n,
                                        const void *params)
{
    static const uint32_t spatial_last[] = { 1, 2 }, spatial_first[] = { 2, 3 };
    const struct group_norm *p = params;
    value x, skip, bias = input(n, 4), narrow;
    TRY(widen(l, input(n, 0), &x));
    TRY(widen(l, input(n, 3), &skip));
    if (skip->rank == 2)
        TRY(unsqueeze(l, skip, p->channels_last ? spatial_last : spatial_first, 2, &skip));
    TRY(op2(l, WEBNN_ADD, x, skip, &x));
    if (bias) {
        TRY(widen(l, bias, &bias));
        if (!p->channels_last)
            TRY(along_channels(l, bias, x->rank, &bias));
        TRY(op2(l, WEBNN_ADD, x, bias, &x));
    }
    if (output_used(n, 1)) {
        TRY(cast(l, x, input(n, 0)->dtype, &narrow));
        TRY(emit_output(l, n, 1, narrow));
    }
    return group_norm(l, n, p, x);
}

/* --- root mean squares ---------------------------------------------------------------------------------- */

struct branch_norm {
    int64_t num_branches;
    double epsilon;
    struct span activation;
};

static const struct attr_row branch_norm_attrs[] = {
    ATTR_INT(struct branch_norm, num_branches),
    ATTR_FLOAT(struct branch_norm, epsilon, .fallback_float = 1e-5),
};
static const struct attr_row gated_norm_attrs[] = {
    ATTR_STRING(struct branch_norm, activation, .fallback_text = "silu",
                .allowed = "silu swish sigmoid"),
    ATTR_FLOAT(struct branch_norm, epsilon, .fallback_float = 1e-5),
};

/* The last dim of x in rows of `size`: [.., count, size]. */
static o2w_status in_rows(struct lower *l, const struct node_view *n, value x, int64_t size,
                          value *out)
{
    dim dims[MAX_RANK];
    int64_t all;
    TRY(static_dim(l, n, x, x->rank - 1, &all));
    if (size < 1 || all % size || x->rank + 1 > MAX_RANK)
        return refuse_input(l, n, 0, "has %lld columns, no multiple of %lld", (long long)all,
                            (long long)size);
    for (uint32_t i = 0; i + 1 < x->rank; i++)
        dims[i] = x->dims[i];
    dims[x->rank - 1] = all / size;
    dims[x->rank] = size;
    return reshape(l, x, dims, x->rank + 1, out);
}

/* Grouped [.., C, H], or flat [.., C · H] with num_branches. */
static o2w_status lower_branch_norm(struct lower *l, const struct node_view *n, const void *params)
{
    const struct branch_norm *p = params;
    value x = input(n, 0), y, scale = input(n, 1), inverse;
    struct webnn_u32s axes;
    int64_t size;
    if (x->rank < 1 || (p->num_branches == 0 && x->rank < 2))
        return refuse_input(l, n, 0, "has rank %u", x->rank);
    TRY(static_dim(l, n, x, x->rank - 1, &size));
    TRY(widen(l, x, &y));
    if (p->num_branches < 0 || (p->num_branches > 0 && size % p->num_branches))
        return refuse_attribute(l, n, "num_branches", "is %lld, must divide %lld",
                                (long long)p->num_branches, (long long)size);
    if (p->num_branches > 0)
        TRY(in_rows(l, n, y, size / p->num_branches, &y));
    dim branch[2] = { y->dims[y->rank - 2], y->dims[y->rank - 1] };
    axes_behind(y->rank - 1, y->rank, &axes);
    TRY(rms_normalize(l, y, &axes, p->epsilon, &y, &inverse));
    if (scale) {
        TRY(cast(l, scale, DTYPE_FLOAT32, &scale));
        if (scale->rank != 1 || scale->dims[0] != branch[1])
            TRY(reshape(l, scale, branch, 2, &scale));
        TRY(op2(l, WEBNN_MUL, y, scale, &y));
    }
    TRY(reshape(l, y, x->dims, x->rank, &y));
    return emit_narrowed(l, n, y);
}

static o2w_status lower_gated_norm(struct lower *l, const struct node_view *n, const void *params)
{
    const struct branch_norm *p = params;
    value x = input(n, 0), scale = input(n, 1), gate, y, inverse;
    struct webnn_u32s axes;
    int64_t size;
    if (scale->rank != 1 || x->rank < 1)
        return refuse_input(l, n, 1, "has rank %u, must be 1", scale->rank);
    TRY(static_dim(l, n, scale, 0, &size));
    TRY(widen(l, x, &y));
    TRY(in_rows(l, n, y, size, &y));
    axes_behind(y->rank - 1, y->rank, &axes);
    TRY(rms_normalize(l, y, &axes, p->epsilon, &y, &inverse));
    TRY(widen(l, scale, &scale));
    TRY(op2(l, WEBNN_MUL, y, scale, &y));
    TRY(reshape(l, y, x->dims, x->rank, &y));
    TRY(widen(l, input(n, 2), &gate));
    struct calc c = calc_begin(l, y);
    value act = calc_sigmoid(&c, gate);
    if (!span_is(p->activation, "sigmoid"))
        act = calc_mul(&c, gate, act);
    y = calc_mul(&c, y, act);
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

/* --- rows ------------------------------------------------------------------------------------------------ */

#define SET_F   (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16))
#define SET_BF  (SET_F | DTYPE_BIT(DTYPE_BFLOAT16))
#define SET_I32 DTYPE_BIT(DTYPE_INT32)
#define SET_8   (DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_UINT8))
#define SET_32  DTYPE_BIT(DTYPE_FLOAT32)

const struct onnx_row microsoft_norm_rows[] = {
    { MICROSOFT("EmbedLayerNormalization"),
      INPUTS(IN("input_ids", T1, SET_I32), IN_OPT("segment_ids", T1, SET_I32),
             IN("word_embedding", T, SET_F), IN("position_embedding", T, SET_F),
             IN_OPT("segment_embedding", T, SET_F), IN("gamma", T, SET_F), IN("beta", T, SET_F),
             IN_OPT("mask", T1, SET_I32), IN_OPT("position_ids", T1, SET_I32)),
      RESULTS(OUT("output", T), OUT_OPT("mask_index", T1), OUT_OPT("embedding_sum", T)),
      PARAMS(struct embed, embed_attrs), .lower = lower_embed, .class = CLASS_COMPOSED,
      .webnn = "gather, add, layerNormalization, reduceSum" },
    { MICROSOFT("QEmbedLayerNormalization"),
      INPUTS(IN("input_ids", T1, SET_I32), IN_OPT("segment_ids", T1, SET_I32),
             IN("word_embedding_quant", T2, SET_8), IN("position_embedding_quant", T2, SET_8),
             IN_OPT("segment_embedding", T2, SET_8), IN("gamma_quant", T2, SET_8),
             IN("beta_quant", T2, SET_8), IN_OPT("mask", T1, SET_I32),
             IN("word_embedding_scale", T, SET_32), IN("position_embedding_scale", T, SET_32),
             IN_OPT("segment_embedding_scale", T, SET_32), IN("gamma_scale", T, SET_32),
             IN("beta_scale", T, SET_32), IN("word_embedding_zero_point", T2, SET_8),
             IN("position_embedding_zero_point", T2, SET_8),
             IN_OPT("segment_embedding_zero_point", T2, SET_8), IN("gamma_zero_point", T2, SET_8),
             IN("beta_zero_point", T2, SET_8)),
      RESULTS(OUT("layernorm_out", T), OUT_OPT("mask_index_out", T1)),
      PARAMS(struct embed, qembed_attrs), .lower = lower_qembed, .class = CLASS_COMPOSED,
      .webnn = "gather, dequantizeLinear, add, layerNormalization, reduceSum" },
    { MICROSOFT("GroupNorm"),
      INPUTS(IN("X", T, SET_F), IN("gamma", T1, SET_F), IN("beta", T1, SET_F)),
      RESULTS(OUT("Y", T)), PARAMS(struct group_norm, group_norm_attrs), .lower = lower_group_norm,
      .class = CLASS_COMPOSED, .webnn = "transpose, layerNormalization, mul, add, sigmoid" },
    { MICROSOFT("SkipGroupNorm"),
      INPUTS(IN("X", T, SET_F), IN("gamma", T1, SET_F), IN("beta", T1, SET_F), IN("skip", T, SET_F),
             IN_OPT("bias", T, SET_F)),
      RESULTS(OUT("Y", T), OUT_OPT("S", T)), PARAMS(struct group_norm, group_norm_attrs),
      .lower = lower_skip_group_norm, .class = CLASS_COMPOSED,
      .webnn = "add, transpose, layerNormalization, mul, sigmoid" },
    { MICROSOFT("BranchwiseRMSNorm"), INPUTS(IN("X", T, SET_BF), IN_OPT("scale", NONE, SET_BF)),
      RESULTS(OUT("Y", T)), PARAMS(struct branch_norm, branch_norm_attrs),
      .lower = lower_branch_norm, .class = CLASS_COMPOSED, .webnn = "mul, reduceMean, sqrt, div" },
    { MICROSOFT("GatedRMSNorm"),
      INPUTS(IN("X", T, SET_BF), IN("scale", T, SET_BF), IN("gate", T, SET_BF)),
      RESULTS(OUT("Y", T)), PARAMS(struct branch_norm, gated_norm_attrs), .lower = lower_gated_norm,
      .class = CLASS_COMPOSED, .webnn = "mul, reduceMean, sqrt, div, sigmoid" },
};
ROW_COUNT(microsoft_norm);
