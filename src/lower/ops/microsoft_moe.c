/* com.microsoft: mixtures of experts. Every expert computes every token; the weights of those that are
 * not chosen are 0. */
#include "lower/ops/matmul_nbits.h"
#include "lower/ops/microsoft_activation.h"
#include "lower/ops/reduction.h"

struct moe {
    int64_t k, normalize_routing_weights, use_sparse_mixer, swiglu_fusion,
        swiglu_limit_after_activation;
    double activation_alpha, activation_beta;
    struct given_float swiglu_limit;
    struct span activation_type, quant_type;
    int64_t expert_weight_bits, block_size, accuracy_level, weights_prepacked;
    struct given_int fc1_expert_weight_bits, fc2_expert_weight_bits, fc3_expert_weight_bits;
};

#define MOE_ATTRS                                                              \
    ATTR_INT(struct moe, k, .fallback_int = 1),                                \
        ATTR_INT(struct moe, normalize_routing_weights, .allowed = "0 1"),     \
        ATTR_INT(struct moe, use_sparse_mixer, .allowed = "0"),                \
        ATTR_INT(struct moe, swiglu_fusion, .allowed = "0 1 2"),               \
        ATTR_INT(struct moe, swiglu_limit_after_activation, .allowed = "0 1"), \
        ATTR_FLOAT(struct moe, activation_alpha, .fallback_float = 1),         \
        ATTR_FLOAT(struct moe, activation_beta, .fallback_float = 0),          \
        ATTR_GIVEN_FLOAT(struct moe, swiglu_limit),                            \
        ATTR_STRING(struct moe, activation_type, .fallback_text = "relu",      \
                    .allowed = "relu gelu silu identity swiglu relu2 geglu")
static const struct attr_row moe_attrs[] = { MOE_ATTRS };
static const struct attr_row qmoe_attrs[] = {
    MOE_ATTRS,
    ATTR_INT(struct moe, expert_weight_bits, .fallback_int = 4, .allowed = "2 4 8"),
    ATTR_INT(struct moe, block_size),
    ATTR_INT(struct moe, accuracy_level, .allowed = "0 1 2 3 4"),
    ATTR_INT(struct moe, weights_prepacked, .fallback_int = -1, .allowed = "-1 0"),
    ATTR_STRING(struct moe, quant_type, .fallback_text = "int", .allowed = "int"),
    ATTR_GIVEN_INT(struct moe, fc1_expert_weight_bits),
    ATTR_GIVEN_INT(struct moe, fc2_expert_weight_bits),
    ATTR_GIVEN_INT(struct moe, fc3_expert_weight_bits),
};

/* One layer of all experts: weights [E, out, in], bias [E, out] or NULL; in float32. */
struct layer {
    value weights, bias;
};

/* The node as numbers in float32. */
struct experts {
    const struct moe *p;
    bool normalize;    /* the weights of those chosen have the sum 1 */
    value x;           /* [T, H] */
    value select, mix; /* [T, E]: what the experts are chosen by, what they are weighted by */
    int64_t count;
    struct layer fc1, fc2, fc3;
};

/* --- routing ------------------------------------------------------------------------------------------------- */

/* 1 at the k best; of equal ones those of higher index, as ONNX Runtime takes them. */
static o2w_status choose(struct lower *l, const struct node_view *n, value x, int64_t k, value *out)
{
    const struct webnn_reverse_attributes back = {
        .axes = { .given = true, .count = 1, .items = { 1 } }
    };
    TRY(op(l, WEBNN_REVERSE, OPERANDS(x), &back, &x));
    TRY(top_k_mask(l, n, x, 1, k, &x));
    return op(l, WEBNN_REVERSE, OPERANDS(x), &back, out);
}

/* [T, E]: probabilities of the k chosen experts, 0 elsewhere. */
static o2w_status route(struct lower *l, const struct node_view *n, const struct experts *e,
                        value *out)
{
    struct webnn_softmax_attributes last = { .axis = 1 };
    const struct moe *p = e->p;
    value chosen, weights;
    if (p->k < 1 || p->k > e->count)
        return refuse_attribute(l, n, "k", "is %lld, must be from 1 to the %lld experts",
                                (long long)p->k, (long long)e->count);
    TRY(choose(l, n, e->select, p->k, &chosen));
    weights = e->mix;
    if (e->mix == e->select)
        TRY(op(l, WEBNN_SOFTMAX, OPERANDS(e->mix), &last, &weights));
    struct calc c = calc_begin(l, weights);
    weights = calc_where(&c, chosen, weights, calc_number(&c, 0));
    if (e->normalize)
        weights = calc_div(&c, weights, calc_reduce(&c, WEBNN_REDUCE_SUM, weights, 1));
    *out = weights;
    return c.status;
}

/* --- experts --------------------------------------------------------------------------------------------------- */

/* x [.., T, in] by every expert: [E, T, out]. */
static o2w_status apply(struct lower *l, const struct layer *f, value x, value *out)
{
    static const uint32_t swap[] = { 0, 2, 1 };
    const uint32_t middle = 1;
    value w, bias;
    TRY(transpose(l, f->weights, swap, &w));
    TRY(op2(l, WEBNN_MATMUL, x, w, out));
    if (!f->bias)
        return O2W_OK;
    TRY(unsqueeze(l, f->bias, &middle, 1, &bias));
    return op2(l, WEBNN_ADD, *out, bias, out);
}

/* Gate and linear part of one layer: even and odd columns, or halves. */
static o2w_status split_fused(struct lower *l, const struct node_view *n, const struct moe *p,
                              value x, value *gate, value *up)
{
    int64_t size;
    TRY(static_dim(l, n, x, 2, &size));
    if (size % 2)
        return refuse(l, n, DIAG_LOWER_SHAPE,
                      "%lld columns are no gate and linear part of one size", (long long)size);
    if (p->swiglu_fusion == 1) {
        TRY(slice(l, x, 2, 0, size - 1, 2, gate));
        return slice(l, x, 2, 1, size - 1, 2, up);
    }
    TRY(slice(l, x, 2, 0, size / 2, 1, gate));
    return slice(l, x, 2, size / 2, size / 2, 1, up);
}

static o2w_status gated(struct lower *l, const struct node_view *n, const struct experts *e,
                        value hidden, value x, value *out)
{
    const struct moe *p = e->p;
    const struct ms_swiglu s = { .alpha = p->activation_alpha,
                                 .beta = p->activation_beta,
                                 .limited = p->swiglu_limit.given,
                                 .limit = p->swiglu_limit.value,
                                 .limit_activated = p->swiglu_limit_after_activation != 0 };
    bool geglu = span_is(p->activation_type, "geglu");
    value gate = hidden, up;
    if (p->swiglu_fusion == 0) {
        if (!e->fc3.weights || geglu)
            return refuse_attribute(l, n, "swiglu_fusion",
                                    "is 0: swiglu needs the weights fc3, geglu needs 1 or 2");
        TRY(apply(l, &e->fc3, x, &up));
    } else {
        if (e->fc3.weights)
            return refuse_attribute(l, n, "swiglu_fusion",
                                    "is %lld, but weights fc3 are given as well",
                                    (long long)p->swiglu_fusion);
        TRY(split_fused(l, n, p, hidden, &gate, &up));
    }
    struct calc c = calc_begin(l, hidden);
    if (geglu)
        *out = calc_mul(&c, ms_fast_gelu(&c, gate), up);
    else
        *out = calc_mul(&c, ms_gate(&c, &s, gate), ms_linear_part(&c, &s, up));
    return c.status;
}

/* hidden is fc1 of x; fc3 of x is multiplied with what is activated. */
static o2w_status activated(struct lower *l, const struct node_view *n, const struct experts *e,
                            value hidden, value x, value *out)
{
    const struct moe *p = e->p;
    struct calc c = calc_begin(l, hidden);
    value y = hidden, up;
    if (span_is(p->activation_type, "swiglu") || span_is(p->activation_type, "geglu"))
        return gated(l, n, e, hidden, x, out);
    if (p->swiglu_fusion != 0)
        return refuse_attribute(l, n, "swiglu_fusion", "is %lld, which only swiglu and geglu have",
                                (long long)p->swiglu_fusion);
    if (span_is(p->activation_type, "silu"))
        y = calc_mul(&c, y, calc_sigmoid(&c, y));
    else if (span_is(p->activation_type, "gelu"))
        y = ms_fast_gelu(&c, y);
    else if (!span_is(p->activation_type, "identity"))
        y = calc_op(&c, WEBNN_RELU, y, NULL, NULL);
    if (span_is(p->activation_type, "relu2"))
        y = calc_mul(&c, y, y);
    TRY(c.status);
    *out = y;
    if (!e->fc3.weights)
        return O2W_OK;
    TRY(apply(l, &e->fc3, x, &up));
    return op2(l, WEBNN_MUL, y, up, out);
}

/* Σ over experts of weight · fc2(activation(fc1(x))). */
static o2w_status mix_experts(struct lower *l, const struct node_view *n, const struct experts *e,
                              value *out)
{
    static const uint32_t swap[] = { 1, 0 };
    const uint32_t behind = 2;
    struct webnn_reduce_attributes sum = webnn_reduce_sum_defaults();
    value weights, hidden, y;
    TRY(route(l, n, e, &weights));
    TRY(apply(l, &e->fc1, e->x, &hidden));
    TRY(activated(l, n, e, hidden, e->x, &hidden));
    TRY(apply(l, &e->fc2, hidden, &y));
    TRY(transpose(l, weights, swap, &weights));
    TRY(unsqueeze(l, weights, &behind, 1, &weights));
    TRY(op2(l, WEBNN_MUL, y, weights, &y));
    sum.axes = (struct webnn_u32s){ .given = true, .count = 1, .items = { 0 } };
    TRY(op(l, WEBNN_REDUCE_SUM, OPERANDS(y), &sum, out));
    lower_report(l, n, DIAG_LOWER_NOTE,
                 "mixtures of experts compute all experts: %lld times the %lld that are chosen",
                 (long long)(e->count / e->p->k), (long long)e->p->k);
    return O2W_OK;
}

/* --- inputs ---------------------------------------------------------------------------------------------------- */

/* Tokens and routing, as rows. */
static o2w_status read_tokens(struct lower *l, const struct node_view *n, struct experts *e,
                              uint32_t mix_at)
{
    value x = input(n, 0), mix = input(n, mix_at);
    dim rows[2] = { 0, 0 };
    if (x->rank != 2 && x->rank != 3)
        return refuse_input(l, n, 0, "has rank %u, must be 2 or 3", x->rank);
    if (input(n, 1)->rank != 2)
        return refuse_input(l, n, 1, "has rank %u, must be 2", input(n, 1)->rank);
    TRY(dims_product(l, n, x->dims, 0, x->rank - 1, &rows[0]));
    rows[1] = x->dims[x->rank - 1];
    TRY(widen(l, x, &e->x));
    TRY(reshape(l, e->x, rows, 2, &e->x));
    TRY(static_dim(l, n, input(n, 1), 1, &e->count));
    TRY(widen(l, input(n, 1), &e->select));
    e->mix = e->select;
    return mix ? widen(l, mix, &e->mix) : O2W_OK;
}

static o2w_status read_bias(struct lower *l, const struct node_view *n, uint32_t at, value *out)
{
    *out = input(n, at);
    if (!*out)
        return O2W_OK;
    if ((*out)->rank != 2)
        return refuse_input(l, n, at, "has rank %u, must be [experts, size]", (*out)->rank);
    return widen(l, *out, out);
}

static o2w_status check_weights(struct lower *l, const struct node_view *n, const struct experts *e,
                                uint32_t at)
{
    value w = input(n, at);
    if (w->rank != 3 || w->dims[0] != e->count)
        return refuse_input(l, n, at, "has shape %s, [%lld experts, out, in] is needed",
                            dim_list_text(lower_exprs(l), w->dims, w->rank, lower_arena(l)),
                            (long long)e->count);
    return O2W_OK;
}

static o2w_status read_layer(struct lower *l, const struct node_view *n, const struct experts *e,
                             uint32_t at, struct layer *f)
{
    *f = (struct layer){ 0 };
    if (!input(n, at))
        return O2W_OK;
    TRY(check_weights(l, n, e, at));
    TRY(widen(l, input(n, at), &f->weights));
    return read_bias(l, n, at + 1, &f->bias);
}

static o2w_status finish(struct lower *l, const struct node_view *n, const struct experts *e)
{
    value y;
    TRY(mix_experts(l, n, e, &y));
    TRY(reshape(l, y, input(n, 0)->dims, input(n, 0)->rank, &y));
    return emit_narrowed(l, n, y);
}

static o2w_status lower_moe(struct lower *l, const struct node_view *n, const void *params)
{
    const struct moe *p = params;
    struct experts e = { .p = p, .normalize = p->normalize_routing_weights != 0 };
    TRY(read_tokens(l, n, &e, NBITS_ABSENT));
    TRY(read_layer(l, n, &e, 2, &e.fc1));
    TRY(read_layer(l, n, &e, 4, &e.fc2));
    TRY(read_layer(l, n, &e, 6, &e.fc3));
    return finish(l, n, &e);
}

/* --- QMoE ------------------------------------------------------------------------------------------------------ */

/* A layer's inputs: weights, scales, bias, zero points. */
struct packed {
    uint32_t weights, scales, bias, zeros;
    const char *bits_name;
    const struct given_int *bits;
};

/* Zero points of whole columns: [E, N] packed per expert, as [E · N, 1, 1]. */
static o2w_status column_zeros(struct lower *l, const struct node_view *n, uint32_t at,
                               const struct nbits_matrix *m, int64_t experts, enum dtype dtype,
                               value *out)
{
    const dim dims[] = { m->N, 1, 1 };
    value given = input(n, at);
    uint64_t count;
    if (!given)
        return fill_i64(l, dtype, (int64_t)1 << (m->bits - 1), dims, 3, out);
    int64_t rows = m->N / experts, bytes = experts * ((rows * m->bits + 7) / 8);
    if (!value_is_known(given) || !value_count(given, &count) || count != (uint64_t)bytes)
        return refuse_input(l, n, at, "must be known and have %lld elements", (long long)bytes);
    TRY(nbits_unpack(l, given, m->bits, experts, rows, out));
    if (dtype == DTYPE_UINT4)
        TRY(nbits_pack4(l, *out, out));
    return reshape(l, *out, dims, 3, out);
}

/* A scale for each row of K elements. */
static o2w_status by_columns(struct lower *l, const struct node_view *n,
                             const struct nbits_matrix *m, int64_t experts, value *out)
{
    const dim dims[] = { m->N, 1, m->K }, ones[] = { m->N, 1, 1 };
    value q = input(n, m->data), scale, zero;
    if (m->bits == 4) {
        TRY(known_view(l, q, DTYPE_UINT4, dims, 3, &q));
    } else {
        if (m->bits == 2)
            TRY(nbits_unpack(l, q, 2, m->N, m->K, &q));
        TRY(reshape(l, q, dims, 3, &q));
    }
    TRY(reshape(l, input(n, m->scales), ones, 3, &scale));
    TRY(column_zeros(l, n, m->zeros, m, experts, q->dtype, &zero));
    return op3(l, WEBNN_DEQUANTIZE_LINEAR, q, scale, zero, out);
}

static o2w_status read_packed(struct lower *l, const struct node_view *n, const struct experts *e,
                              const struct packed *s, struct layer *f)
{
    struct nbits_matrix m = { .data = s->weights,
                              .scales = s->scales,
                              .zeros = s->zeros,
                              .groups = NBITS_ABSENT,
                              .block = e->p->block_size };
    int64_t rows, bytes;
    *f = (struct layer){ 0 };
    if (!input(n, s->weights))
        return O2W_OK;
    TRY(check_weights(l, n, e, s->weights));
    if (!input(n, s->scales))
        return refuse_input(l, n, s->scales, "is missing");
    TRY(static_dim(l, n, input(n, s->weights), 1, &rows));
    TRY(static_dim(l, n, input(n, s->weights), 2, &bytes));
    m.bits = s->bits->given ? s->bits->value : e->p->expert_weight_bits;
    if (m.bits != 2 && m.bits != 4 && m.bits != 8)
        return refuse_attribute(l, n, s->bits_name, "is %lld, allowed are 2, 4 and 8",
                                (long long)m.bits);
    m.N = e->count * rows;
    m.K = bytes * 8 / m.bits;
    if (m.block > 0) {
        TRY(nbits_check(l, n, &m));
        if (m.K % m.block)
            return refuse_attribute(l, n, "block_size", "is %lld, must divide %lld",
                                    (long long)m.block, (long long)m.K);
        TRY(nbits_floats(l, n, &m, &f->weights));
    } else {
        TRY(by_columns(l, n, &m, e->count, &f->weights));
    }
    TRY(widen(l, f->weights, &f->weights));
    TRY(reshape(l, f->weights, (const dim[]){ e->count, rows, m.K }, 3, &f->weights));
    return read_bias(l, n, s->bias, &f->bias);
}

static o2w_status lower_qmoe(struct lower *l, const struct node_view *n, const void *params)
{
    const struct moe *p = params;
    struct experts e = { .p = p, .normalize = p->normalize_routing_weights || !input(n, 14) };
    const struct packed fc1 = { 2, 3, 4, 11, "fc1_expert_weight_bits", &p->fc1_expert_weight_bits },
                        fc2 = { 5, 6, 7, 12, "fc2_expert_weight_bits", &p->fc2_expert_weight_bits },
                        fc3 = {
                            8, 9, 10, 13, "fc3_expert_weight_bits", &p->fc3_expert_weight_bits
                        };
    for (uint32_t i = 15; i < 21; i++)
        if (input(n, i))
            return refuse_input(l, n, i, "is given: only integer quantisation is supported");
    TRY(read_tokens(l, n, &e, 14));
    TRY(read_packed(l, n, &e, &fc1, &e.fc1));
    TRY(read_packed(l, n, &e, &fc2, &e.fc2));
    TRY(read_packed(l, n, &e, &fc3, &e.fc3));
    return finish(l, n, &e);
}

/* --- rows ------------------------------------------------------------------------------------------------------- */

#define SET_F        (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_BFLOAT16))
#define SET_U        DTYPE_BIT(DTYPE_UINT8)
#define SET_S        (SET_F | DTYPE_BIT(DTYPE_FLOAT8E4M3FN) | DTYPE_BIT(DTYPE_FLOAT8E8M0))
#define SET_32       DTYPE_BIT(DTYPE_FLOAT32)
#define PACKED(name) IN_OPT(name "_scales", NONE, SET_F), IN_OPT(name "_experts_bias", T, SET_F)

const struct onnx_row microsoft_moe_rows[] = {
    { MICROSOFT("MoE"),
      INPUTS(IN("input", T, SET_F), IN("router_probs", T, SET_F),
             IN("fc1_experts_weights", T, SET_F), IN_OPT("fc1_experts_bias", T, SET_F),
             IN("fc2_experts_weights", T, SET_F), IN_OPT("fc2_experts_bias", T, SET_F),
             IN_OPT("fc3_experts_weights", T, SET_F), IN_OPT("fc3_experts_bias", T, SET_F)),
      RESULTS(OUT("output", T)), PARAMS(struct moe, moe_attrs), .lower = lower_moe,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "softmax, where, matmul, mul, reduceSum",
      .notes = "all experts are computed; use_sparse_mixer refused" },
    { MICROSOFT("QMoE"),
      INPUTS(IN("input", T, SET_F), IN("router_probs", T, SET_F),
             IN("fc1_experts_weights", NONE, SET_U, KNOWN), PACKED("fc1"),
             IN("fc2_experts_weights", NONE, SET_U, KNOWN), PACKED("fc2"),
             IN_OPT("fc3_experts_weights", NONE, SET_U, KNOWN), PACKED("fc3"),
             IN_OPT("fc1_zero_points", NONE, SET_U, KNOWN),
             IN_OPT("fc2_zero_points", NONE, SET_U, KNOWN),
             IN_OPT("fc3_zero_points", NONE, SET_U, KNOWN), IN_OPT("router_weights", T, SET_F),
             IN_OPT("fc1_global_scale", NONE, SET_32), IN_OPT("fc2_global_scale", NONE, SET_32),
             IN_OPT("fc1_act_scale", NONE, SET_32), IN_OPT("fc2_act_scale", NONE, SET_32),
             IN_OPT("fc1_act_block_scale", NONE, SET_S),
             IN_OPT("fc2_act_block_scale", NONE, SET_S)),
      RESULTS(OUT("output", T)), PARAMS(struct moe, qmoe_attrs), .lower = lower_qmoe,
      .class = CLASS_COMPOSED, .partial = true,
      .webnn = "dequantizeLinear, softmax, where, matmul, mul, reduceSum",
      .notes = "all experts are computed; 3 bits, quantised floats, prepacked weights, "
               "use_sparse_mixer refused" },
};
ROW_COUNT(microsoft_moe);
