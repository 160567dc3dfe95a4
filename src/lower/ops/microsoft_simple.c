/* com.microsoft: small operators of their own. */
#include "lower/ops/convolution.h"
#include "lower/ops/matmul.h"
#include "lower/ops/pooling.h"

#include <math.h>

/* --- complex numbers: the last dim holds the real and the imaginary part ---------------------------------------- */

static o2w_status parts_of(struct lower *l, const struct node_view *n, uint32_t i, value out[2])
{
    value x = input(n, i);
    if (x->rank == 0 || x->dims[x->rank - 1] != 2)
        return refuse_input(l, n, i, "must have a last dimension of 2");
    TRY(widen(l, x, &x));
    TRY(slice(l, x, x->rank - 1, 0, 1, 1, &out[0]));
    return slice(l, x, x->rank - 1, 1, 1, 1, &out[1]);
}

/* a · b, or a · conj(b) */
static o2w_status complex_product(struct lower *l, const struct node_view *n, bool conjugate)
{
    value a[2], b[2], y[2];
    TRY(parts_of(l, n, 0, a));
    TRY(parts_of(l, n, 1, b));
    struct calc c = calc_begin(l, a[0]);
    if (conjugate)
        b[1] = calc_neg(&c, b[1]);
    y[0] = calc_sub(&c, calc_mul(&c, a[0], b[0]), calc_mul(&c, a[1], b[1]));
    y[1] = calc_add(&c, calc_mul(&c, a[0], b[1]), calc_mul(&c, a[1], b[0]));
    TRY(c.status);
    TRY(concat(l, y, 2, y[0]->rank - 1, &y[0]));
    return emit_narrowed(l, n, y[0]);
}

static o2w_status lower_complex_mul(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return complex_product(l, n, false);
}

static o2w_status lower_complex_mul_conj(struct lower *l, const struct node_view *n,
                                         const void *params)
{
    (void)params;
    return complex_product(l, n, true);
}

/* --- CDist -------------------------------------------------------------------------------------------------------- */

struct cdist {
    struct span metric;
};

static const struct attr_row cdist_attrs[] = { ATTR_STRING(
    struct cdist, metric, .fallback_text = "sqeuclidean", .allowed = "sqeuclidean euclidean") };

/* By differences: squares of large numbers do not cancel. */
static o2w_status lower_cdist(struct lower *l, const struct node_view *n, const void *params)
{
    static const uint32_t first = 0, second = 1;
    const struct cdist *p = params;
    struct webnn_reduce_attributes sum = webnn_reduce_sum_defaults();
    value a = input(n, 0), b = input(n, 1), y;
    for (uint32_t i = 0; i < 2; i++)
        if (input(n, i)->rank != 2)
            return refuse_input(l, n, i, "has rank %u, a matrix is needed", input(n, i)->rank);
    TRY(unsqueeze(l, a, &second, 1, &a));
    TRY(unsqueeze(l, b, &first, 1, &b));
    struct calc c = calc_begin(l, a);
    y = calc_sub(&c, a, b);
    y = calc_mul(&c, y, y);
    TRY(c.status);
    sum.axes = (struct webnn_u32s){ .given = true, .count = 1, .items = { 2 } };
    TRY(op(l, WEBNN_REDUCE_SUM, OPERANDS(y), &sum, &y));
    if (span_is(p->metric, "euclidean"))
        TRY(op1(l, WEBNN_SQRT, y, &y));
    return emit_value(l, n, y);
}

/* --- IsAllFinite ---------------------------------------------------------------------------------------------------- */

struct all_finite {
    int64_t isnan_only, isinf_only;
};

static const struct attr_row all_finite_attrs[] = {
    ATTR_INT(struct all_finite, isnan_only, .allowed = "0 1"),
    ATTR_INT(struct all_finite, isinf_only, .allowed = "0 1"),
};

/* Whether some element is what is looked for, as int32 0 or 1. */
static o2w_status any_bad(struct lower *l, const struct all_finite *p, value x, value *out)
{
    value nan, inf;
    TRY(op1(l, WEBNN_IS_NAN, x, &nan));
    TRY(op1(l, WEBNN_IS_INFINITE, x, &inf));
    struct calc c = { .l = l, .dtype = DTYPE_INT32 };
    value bad = p->isnan_only ? nan : p->isinf_only ? inf : calc_or(&c, nan, inf);
    bad = calc_cast(&c, bad, DTYPE_INT32);
    *out = calc_op(&c, WEBNN_REDUCE_MAX, bad, NULL, NULL);
    return c.status;
}

static o2w_status lower_all_finite(struct lower *l, const struct node_view *n, const void *params)
{
    const struct all_finite *p = params;
    struct calc c = { .l = l, .dtype = DTYPE_INT32 };
    value worst = calc_number(&c, 0), bad;
    if (p->isnan_only && p->isinf_only)
        return refuse_attribute(l, n, "isinf_only", "and isnan_only are both 1");
    for (uint32_t i = 0; i < n->input_count; i++) {
        if (value_is_empty(input(n, i)))
            continue;
        TRY(any_bad(l, p, input(n, i), &bad));
        worst = calc_max(&c, worst, bad);
    }
    value y = calc_equal(&c, worst, calc_number(&c, 0));
    TRY(c.status);
    TRY(retype(l, y, DTYPE_BOOL, &y));
    return emit_value(l, n, y);
}

/* --- ExpandDims, TorchEmbedding, UnfoldTensor ------------------------------------------------------------------------ */

static o2w_status lower_expand_dims(struct lower *l, const struct node_view *n, const void *params)
{
    int64_t given;
    uint32_t axis;
    value y;
    (void)params;
    TRY(known_int(l, n, 1, &given));
    TRY(axis_from(l, n, given, input(n, 0)->rank, 1, &axis));
    TRY(unsqueeze(l, input(n, 0), &axis, 1, &y));
    return emit_value(l, n, y);
}

/* The index of padding and the scaling of gradients have no effect forward. */
static o2w_status lower_torch_embedding(struct lower *l, const struct node_view *n,
                                        const void *params)
{
    (void)params;
    if (input(n, 0)->rank < 2)
        return refuse_input(l, n, 0, "has rank %u, at least 2 is needed", input(n, 0)->rank);
    return emit(l, n, WEBNN_GATHER, OPERANDS(input(n, 0), input(n, 1)), NULL);
}

struct unfold {
    int64_t dim, size, step;
};

static const struct attr_row unfold_attrs[] = {
    ATTR_INT(struct unfold, dim, .fallback_int = -1),
    ATTR_INT(struct unfold, size, .required = true),
    ATTR_INT(struct unfold, step, .fallback_int = 1),
};

static o2w_status window_indices(struct lower *l, int64_t count, const struct unfold *p, value *out)
{
    struct tensor t;
    TRY(known_new(l, DTYPE_INT64, (const dim[]){ count, p->size }, 2, &t, out));
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < p->size; k++)
            ((int64_t *)t.data)[i * p->size + k] = i * p->step + k;
    return O2W_OK;
}

/* Windows along a dim, as a new last dim. */
static o2w_status lower_unfold(struct lower *l, const struct node_view *n, const void *params)
{
    const struct unfold *p = params;
    struct webnn_gather_attributes a = webnn_gather_defaults();
    value x = input(n, 0), indices, y;
    uint32_t axis, order[MAX_RANK], to = 0;
    int64_t size;
    TRY(axis_from(l, n, p->dim, x->rank, 0, &axis));
    TRY(static_dim(l, n, x, axis, &size));
    if (p->size < 1 || p->size > size)
        return refuse_attribute(l, n, "size", "is %lld, must be from 1 to %lld", (long long)p->size,
                                (long long)size);
    if (p->step < 1)
        return refuse_attribute(l, n, "step", "is %lld, must be at least 1", (long long)p->step);
    int64_t count = (size - p->size) / p->step + 1;
    if (count > ((int64_t)1 << 26) / p->size || x->rank + 1 > MAX_RANK)
        return refuse_attribute(l, n, "size", "is %lld: the windows are too many",
                                (long long)p->size);
    TRY(window_indices(l, count, p, &indices));
    a.axis = axis;
    TRY(op(l, WEBNN_GATHER, OPERANDS(x, indices), &a, &y));
    TRY(retype(l, y, x->dtype, &y));
    for (uint32_t i = 0; i < y->rank; i++)
        if (i != axis + 1)
            order[to++] = i;
    order[to] = axis + 1;
    TRY(transpose(l, y, order, &y));
    return emit_value(l, n, y);
}

/* --- NhwcMaxPool ------------------------------------------------------------------------------------------------------- */

static const struct attr_row nhwc_max_attrs[] = {
    WINDOW_ATTRS(struct pool_params),
    WINDOW_KERNEL(struct pool_params, true),
    WINDOW_DILATIONS(struct pool_params),
    WINDOW_CEIL(struct pool_params),
};

/* 8-bit numbers are exact in float32. */
static o2w_status lower_nhwc_max(struct lower *l, const struct node_view *n, const void *params)
{
    value x;
    if (input(n, 0)->rank < 3)
        return refuse_input(l, n, 0, "has rank %u, at least 3 is needed", input(n, 0)->rank);
    TRY(cast(l, input(n, 0), DTYPE_FLOAT32, &x));
    TRY(channels_to(l, x, 1, &x));
    TRY(max_pool_run(l, n, params, x, &x));
    TRY(channels_to(l, x, x->rank - 1, &x));
    TRY(cast(l, x, input(n, 0)->dtype, &x));
    return emit_value(l, n, x);
}

/* --- Inverse ------------------------------------------------------------------------------------------------------------ */

enum { LARGEST = 16 };

/* 1 in the row with the largest element of the column, from row `step` on: uint8 [B, n, 1]. */
static o2w_status pivot_row(struct calc *c, value m, int64_t step, value *hit)
{
    struct webnn_arg_min_max_attributes arg = webnn_arg_max_defaults();
    value column, row, rows;
    arg.axis = 1;
    arg.keep_dimensions = true;
    TRY(iota(c->l, DTYPE_INT32, m->dims[1], 1, 3, &rows));
    TRY(slice(c->l, m, 2, step, 1, 1, &column));
    struct calc whole = { .l = c->l, .dtype = DTYPE_INT32 };
    value left = calc_greater_equal(&whole, rows, calc_number(&whole, (double)step));
    column = calc_where(c, left, calc_abs(c, column), calc_number(c, -1));
    TRY(whole.status);
    TRY(c->status);
    TRY(op(c->l, WEBNN_ARG_MAX, OPERANDS(column), &arg, &row));
    *hit = calc_equal(c, row, rows);
    return c->status;
}

/* One step of Gauss and Jordan on [B, n, 2n]: the pivot's row goes to row `step`, the others lose
 * their part of it. */
static o2w_status eliminate(struct calc *c, int64_t step, value *m)
{
    struct lower *l = c->l;
    value hit, first, pivots, pivot, column, rows, own;
    TRY(pivot_row(c, *m, step, &hit));
    TRY(slice(l, *m, 1, step, 1, 1, &first));
    pivots = calc_reduce(c, WEBNN_REDUCE_SUM, calc_where(c, hit, *m, calc_number(c, 0)), 1);
    TRY(c->status);
    TRY(slice(l, pivots, 2, step, 1, 1, &pivot));
    value normal = calc_div(c, pivots, pivot), swapped = calc_where(c, hit, first, *m);
    TRY(c->status);
    TRY(slice(l, swapped, 2, step, 1, 1, &column));
    TRY(iota(l, DTYPE_INT32, (*m)->dims[1], 1, 3, &rows));
    TRY(scalar_i64(l, DTYPE_INT32, step, &own));
    own = calc_equal(c, rows, own);
    value rest = calc_sub(c, swapped, calc_mul(c, column, normal));
    *m = calc_where(c, own, normal, rest);
    return c->status;
}

static o2w_status identity(struct lower *l, enum dtype dtype, int64_t size, value *out)
{
    struct tensor t;
    TRY(known_new(l, dtype, (const dim[]){ 1, size, size }, 3, &t, out));
    for (int64_t i = 0; i < size; i++)
        tensor_put_double(&t, (uint64_t)(i * size + i), 1);
    return O2W_OK;
}

static o2w_status lower_inverse(struct lower *l, const struct node_view *n, const void *params)
{
    value x = input(n, 0), m, unit;
    int64_t size;
    dim dims[3];
    (void)params;
    if (x->rank < 2)
        return refuse_input(l, n, 0, "has rank %u, at least 2 is needed", x->rank);
    TRY(static_dim(l, n, x, x->rank - 1, &size));
    if (x->dims[x->rank - 2] != size || size < 1 || size > LARGEST)
        return refuse_input(l, n, 0, "has matrices of %lld × %lld, supported are 1 × 1 to 16 × 16",
                            (long long)x->dims[x->rank - 2], (long long)size);
    dims[1] = dims[2] = size;
    TRY(dims_product(l, n, x->dims, 0, x->rank - 2, &dims[0]));
    TRY(widen(l, x, &m));
    TRY(reshape(l, m, dims, 3, &m));
    struct calc c = calc_begin(l, m);
    TRY(identity(l, c.dtype, size, &unit));
    TRY(expand(l, unit, dims, 3, &unit));
    TRY(concat(l, (const value[]){ m, unit }, 2, 2, &m));
    for (int64_t i = 0; i < size; i++)
        TRY(eliminate(&c, i, &m));
    TRY(slice(l, m, 2, size, size, 1, &m));
    TRY(reshape(l, m, x->dims, x->rank, &m));
    return emit_narrowed(l, n, m);
}

/* --- positions as biases ------------------------------------------------------------------------------------------------ */

struct relative {
    int64_t max_distance, is_bidirectional, num_heads;
};

static const struct attr_row relative_attrs[] = {
    ATTR_INT(struct relative, max_distance, .required = true),
    ATTR_INT(struct relative, is_bidirectional, .allowed = "0 1"),
};
static const struct attr_row gated_relative_attrs[] = { ATTR_INT(struct relative, num_heads,
                                                                 .required = true) };

/* T5's bucket of the distance key - query: near ones have their own, far ones share by logarithm. */
static int64_t bucket_of(const struct relative *p, int64_t buckets, int64_t distance)
{
    int64_t first = 0;
    if (p->is_bidirectional) {
        buckets /= 2;
        first = distance > 0 ? buckets : 0;
        distance = distance < 0 ? -distance : distance;
    } else {
        distance = distance < 0 ? -distance : 0;
    }
    int64_t near = buckets / 2;
    if (distance < near)
        return first + distance;
    float share = logf((float)distance / (float)near) / logf((float)p->max_distance / (float)near);
    int64_t far = near + (int64_t)(share * (float)(buckets - near));
    return first + (far < buckets - 1 ? far : buckets - 1);
}

/* The table [buckets, heads] by bucket, as [1, heads, queries, keys]. */
static o2w_status lower_relative(struct lower *l, const struct node_view *n, const void *params)
{
    static const uint32_t heads_first[] = { 2, 0, 1 }, first = 0;
    const struct relative *p = params;
    int64_t queries, keys, buckets;
    struct tensor t;
    value indices, y;
    TRY(known_int(l, n, 1, &queries));
    TRY(known_int(l, n, 2, &keys));
    if (input(n, 0)->rank != 2)
        return refuse_input(l, n, 0, "has rank %u, must be [buckets, heads]", input(n, 0)->rank);
    TRY(static_dim(l, n, input(n, 0), 0, &buckets));
    if (queries < 1 || keys < 1 || queries > ((int64_t)1 << 26) / keys)
        return refuse_input(l, n, 1, "is %lld and key_length %lld, 1 to 2^26 pairs are supported",
                            (long long)queries, (long long)keys);
    if (buckets < (p->is_bidirectional ? 4 : 2) || p->max_distance <= buckets / 2)
        return refuse_attribute(l, n, "max_distance", "is %lld for %lld buckets",
                                (long long)p->max_distance, (long long)buckets);
    TRY(known_new(l, DTYPE_INT32, (const dim[]){ queries, keys }, 2, &t, &indices));
    for (int64_t i = 0; i < queries; i++)
        for (int64_t k = 0; k < keys; k++)
            ((int32_t *)t.data)[i * keys + k] = (int32_t)bucket_of(p, buckets, k - i);
    TRY(op2(l, WEBNN_GATHER, input(n, 0), indices, &y));
    TRY(retype(l, y, input(n, 0)->dtype, &y));
    TRY(transpose(l, y, heads_first, &y));
    TRY(unsqueeze(l, y, &first, 1, &y));
    return emit_value(l, n, y);
}

/* The query's heads through a layer whose columns are summed in two halves: [B, heads, S, 2]. */
static o2w_status gate_sums(struct lower *l, const struct node_view *n, const struct relative *p,
                            value *out)
{
    static const uint32_t heads_second[] = { 0, 2, 1, 3 };
    value x, weight, bias;
    int64_t width, half;
    if (input(n, 0)->rank != 3 || input(n, 3)->rank != 2)
        return refuse_input(l, n, input(n, 0)->rank != 3 ? 0 : 3, "has a wrong rank");
    TRY(widen(l, input(n, 0), &x));
    TRY(widen(l, input(n, 1), &bias));
    TRY(op2(l, WEBNN_ADD, x, bias, &x));
    TRY(static_dim(l, n, x, 2, &width));
    if (p->num_heads < 1 || width % p->num_heads)
        return refuse_attribute(l, n, "num_heads", "is %lld, must divide %lld",
                                (long long)p->num_heads, (long long)width);
    TRY(reshape(l, x, (const dim[]){ x->dims[0], x->dims[1], p->num_heads, width / p->num_heads },
                4, &x));
    TRY(transpose(l, x, heads_second, &x));
    TRY(widen(l, input(n, 3), &weight));
    TRY(widen(l, input(n, 4), &bias));
    TRY(op2(l, WEBNN_MATMUL, x, weight, &x));
    TRY(op2(l, WEBNN_ADD, x, bias, &x));
    TRY(static_dim(l, n, x, 3, &half));
    if (half % 2)
        return refuse_input(l, n, 3, "has %lld columns, an even number is needed", (long long)half);
    TRY(reshape(l, x, (const dim[]){ x->dims[0], x->dims[1], x->dims[2], 2, half / 2 }, 5, &x));
    struct webnn_reduce_attributes sum = webnn_reduce_sum_defaults();
    sum.axes = (struct webnn_u32s){ .given = true, .count = 1, .items = { 4 } };
    return op(l, WEBNN_REDUCE_SUM, OPERANDS(x), &sum, out);
}

/* (u · (r · eco_a - 1) + 2) · rel_pos, where u and r are the sigmoids of the sums. */
static o2w_status lower_gated_relative(struct lower *l, const struct node_view *n,
                                       const void *params)
{
    value sums, u, r, eco, position;
    if (input(n, 6))
        return refuse_input(l, n, 6, "is given: tokens without padding are not supported");
    TRY(gate_sums(l, n, params, &sums));
    struct calc c = calc_begin(l, sums);
    sums = calc_sigmoid(&c, sums);
    TRY(c.status);
    TRY(slice(l, sums, 3, 0, 1, 1, &u));
    TRY(slice(l, sums, 3, 1, 1, 1, &r));
    TRY(widen(l, input(n, 5), &eco));
    TRY(widen(l, input(n, 2), &position));
    value inner = calc_sub(&c, calc_mul(&c, r, eco), calc_number(&c, 1));
    value y = calc_add(&c, calc_mul(&c, u, inner), calc_number(&c, 2));
    y = calc_mul(&c, y, position);
    TRY(c.status);
    return emit_narrowed(l, n, y);
}

/* --- LinearAttentionGate, RestorePadding ---------------------------------------------------------------------------------- */

/* scale · softplus(a + bias), and sigmoid(b). */
static o2w_status lower_attention_gate(struct lower *l, const struct node_view *n,
                                       const void *params)
{
    value a, b;
    (void)params;
    TRY(widen(l, input(n, 0), &a));
    struct calc c = calc_begin(l, a);
    a = calc_mul(&c, calc_softplus(&c, calc_add(&c, a, input(n, 1))), input(n, 2));
    TRY(c.status);
    if (output_used(n, 1)) {
        if (!input(n, 3))
            return refuse_input(l, n, 3, "is missing, output 1 'beta' needs it");
        TRY(widen(l, input(n, 3), &b));
        TRY(op1(l, WEBNN_SIGMOID, b, &b));
        TRY(cast(l, b, input(n, 3)->dtype, &b));
        TRY(emit_output(l, n, 1, b));
    }
    return emit_narrowed(l, n, a);
}

/* Tokens [T, H] to the places that the first T offsets name, zeros elsewhere: [B, S, H]. */
static o2w_status lower_restore_padding(struct lower *l, const struct node_view *n,
                                        const void *params)
{
    static const uint32_t last = 1;
    value x = input(n, 0), offsets = input(n, 1), zeros, y;
    int64_t tokens, places;
    (void)params;
    if (x->rank != 2 || offsets->rank != 2)
        return refuse_input(l, n, x->rank != 2 ? 0 : 1, "must have rank 2");
    TRY(static_dim(l, n, x, 0, &tokens));
    TRY(static_dim(l, n, offsets, 0, &places));
    places *= dim_is_static(offsets->dims[1]) ? offsets->dims[1] : 0;
    if (tokens > places)
        return refuse_input(l, n, 1, "has %lld elements for %lld tokens", (long long)places,
                            (long long)tokens);
    TRY(reshape(l, offsets, (const dim[]){ places }, 1, &offsets));
    TRY(slice(l, offsets, 0, 0, tokens, 1, &offsets));
    TRY(unsqueeze(l, offsets, &last, 1, &offsets));
    TRY(fill_i64(l, x->dtype, 0, (const dim[]){ places, x->dims[1] }, 2, &zeros));
    TRY(op3(l, WEBNN_SCATTER_ND, zeros, offsets, x, &y));
    TRY(reshape(l, y, (const dim[]){ input(n, 1)->dims[0], input(n, 1)->dims[1], x->dims[1] }, 3,
                &y));
    return emit_value(l, n, y);
}

/* --- SparseToDenseMatMul ---------------------------------------------------------------------------------------------------- */

struct sparse_matmul {
    double alpha;
    int64_t transA, transB;
};

static const struct attr_row sparse_matmul_attrs[] = {
    ATTR_FLOAT(struct sparse_matmul, alpha, .fallback_float = 1),
    ATTR_INT(struct sparse_matmul, transA, .allowed = "0 1"),
    ATTR_INT(struct sparse_matmul, transB, .allowed = "0 1"),
};

/* A sparse initializer is a known dense value here. */
static o2w_status lower_sparse_matmul(struct lower *l, const struct node_view *n,
                                      const void *params)
{
    static const uint32_t swap[] = { 1, 0 };
    const struct sparse_matmul *p = params;
    value a = input(n, 0), b = input(n, 1), y, alpha;
    for (uint32_t i = 0; i < 2; i++)
        if (input(n, i)->rank != 2)
            return refuse_input(l, n, i, "has rank %u, a matrix is needed", input(n, i)->rank);
    if (p->transA)
        TRY(transpose(l, a, swap, &a));
    if (p->transB)
        TRY(transpose(l, b, swap, &b));
    TRY(op2(l, WEBNN_MATMUL, a, b, &y));
    if (p->alpha != 1) {
        TRY(scalar_like(l, y, p->alpha, &alpha));
        TRY(op2(l, WEBNN_MUL, y, alpha, &y));
    }
    return emit_value(l, n, y);
}

/* --- Unique ------------------------------------------------------------------------------------------------------------------------ */

static bool same_element(const struct tensor *t, uint64_t a, uint64_t b)
{
    if (dtype_is_float(t->dtype))
        return tensor_get_double(t, a) == tensor_get_double(t, b);
    return dtype_is_signed(t->dtype) ? tensor_get_i64(t, a) == tensor_get_i64(t, b)
                                     : tensor_get_u64(t, a) == tensor_get_u64(t, b);
}

/* Elements in the order in which they come first, where each of the input stands there, how often. */
static o2w_status lower_unique(struct lower *l, const struct node_view *n, const void *params)
{
    struct tensor t;
    uint32_t count = 0;
    value y;
    (void)params;
    if (input(n, 0)->rank != 1)
        return refuse_input(l, n, 0, "has rank %u, must be 1", input(n, 0)->rank);
    TRY(known_tensor(l, input(n, 0), &t));
    uint64_t all = tensor_count(&t);
    if (all > 1 << 14)
        return refuse_input(l, n, 0, "has %llu elements, at most 2^14 are compared",
                            (unsigned long long)all);
    int64_t *firsts = ARENA_ARRAY(lower_arena(l), all, int64_t),
            *places = ARENA_ARRAY(lower_arena(l), all, int64_t),
            *counts = ARENA_ARRAY(lower_arena(l), all, int64_t);
    if (!firsts || !places || !counts)
        return diag_memory(lower_diags(l));
    for (uint64_t i = 0; i < all; i++) {
        uint32_t k = 0;
        while (k < count && !same_element(&t, i, (uint64_t)firsts[k]))
            k++;
        if (k == count)
            firsts[count++] = (int64_t)i;
        places[i] = k;
        counts[k]++;
    }
    TRY(gather_known(l, input(n, 0), firsts, count, 0, &y));
    TRY(emit_output(l, n, 0, y));
    TRY(known_i64s(l, places, (uint32_t)all, &y));
    TRY(emit_output(l, n, 1, y));
    TRY(known_i64s(l, counts, count, &y));
    return emit_output(l, n, 2, y);
}

/* --- rows ---------------------------------------------------------------------------------------------------------------------- */

#define SET_3   (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_FLOAT64))
#define SET_2   (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16))
#define SET_BF  (SET_2 | DTYPE_BIT(DTYPE_BFLOAT16))
#define SET_8   (DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_UINT8))
#define SET_32  DTYPE_BIT(DTYPE_FLOAT32)
#define SET_I32 DTYPE_BIT(DTYPE_INT32)
#define A_AND_B INPUTS(IN("A", T, SET_3), IN("B", T, SET_3)), RESULTS(OUT("C", T))

const struct onnx_row microsoft_simple_rows[] = {
    { MICROSOFT("ComplexMul"), A_AND_B, .lower = lower_complex_mul, .class = CLASS_COMPOSED,
      .webnn = "slice, mul, sub, add, concat" },
    { MICROSOFT("ComplexMulConj"), A_AND_B, .lower = lower_complex_mul_conj,
      .class = CLASS_COMPOSED, .webnn = "slice, mul, sub, add, concat" },
    { MICROSOFT("CDist"),
      INPUTS(IN("A", T, SET_32 | DTYPE_BIT(DTYPE_FLOAT64)),
             IN("B", T, SET_32 | DTYPE_BIT(DTYPE_FLOAT64))),
      RESULTS(OUT("C", T)), PARAMS(struct cdist, cdist_attrs), .lower = lower_cdist,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "sub, mul, reduceSum, sqrt",
      .notes = "metrics other than sqeuclidean and euclidean refused" },
    { MICROSOFT("IsAllFinite"), INPUTS(IN_MANY("input", T, SET_FLOATS)),
      RESULTS(OUT_OF("output", DTYPE_BOOL)), PARAMS(struct all_finite, all_finite_attrs),
      .lower = lower_all_finite, .class = CLASS_COMPOSED, .webnn = "isNaN, isInfinite, reduceMax" },
    { MICROSOFT("ExpandDims"), INPUTS(IN("X", T, SET_MOVED), IN("axis", NONE, SET_I32, KNOWN)),
      RESULTS(OUT("Y", T)), .lower = lower_expand_dims, .class = CLASS_DIRECT, .webnn = "reshape" },
    { MICROSOFT("TorchEmbedding"),
      INPUTS(IN("weight", T, SET_ALL), IN("indices", NONE, SET_I64),
             IN_OPT("padding_idx", NONE, SET_I64), IN_OPT("scale_grad_by_freq", NONE, SET_BOOL)),
      RESULTS(OUT("Y", T)), .lower = lower_torch_embedding, .class = CLASS_DIRECT,
      .webnn = "gather", .notes = "padding_idx, scale_grad_by_freq have no effect forward" },
    { MICROSOFT("UnfoldTensor"), INPUTS(IN("input", T, SET_ALL)), RESULTS(OUT("output", T)),
      PARAMS(struct unfold, unfold_attrs), .lower = lower_unfold, .class = CLASS_COMPOSED,
      .webnn = "gather, transpose" },
    { MICROSOFT("NhwcMaxPool"), INPUTS(IN("x", T, SET_8)), RESULTS(OUT("y", T)),
      PARAMS(struct pool_params, nhwc_max_attrs), .lower = lower_nhwc_max, .class = CLASS_COMPOSED,
      .partial = true, .webnn = "cast, transpose, maxPool2d",
      .notes = "more than three spatial dimensions refused" },
    { MICROSOFT("Inverse"), INPUTS(IN("X", T, SET_3)), RESULTS(OUT("Y", T)), .lower = lower_inverse,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "slice, argMax, where, div, mul, sub",
      .notes = "matrices above 16 × 16 refused" },
    { MICROSOFT("RelativePositionBias"),
      INPUTS(IN("bias_table", T, SET_2), IN("query_length", NONE, SET_I64, KNOWN),
             IN("key_length", NONE, SET_I64, KNOWN)),
      RESULTS(OUT("output", T)), PARAMS(struct relative, relative_attrs), .lower = lower_relative,
      .class = CLASS_STATIC, .webnn = "gather, transpose" },
    { MICROSOFT("GatedRelativePositionBias"),
      INPUTS(IN("query_layer", T, SET_2), IN("query_bias", T, SET_2), IN("rel_pos", T, SET_2),
             IN("weight", T, SET_2), IN("bias", T, SET_2), IN("eco_a", T, SET_2),
             IN_OPT("token_offset", NONE, SET_I32)),
      RESULTS(OUT("output", T)), PARAMS(struct relative, gated_relative_attrs),
      .lower = lower_gated_relative, .class = CLASS_COMPOSED, .partial = true,
      .webnn = "matmul, reduceSum, sigmoid, mul", .notes = "token_offset refused" },
    { MICROSOFT("LinearAttentionGate"),
      INPUTS(IN("a", T, SET_BF), IN("dt_bias", NONE, SET_32), IN("decay_scale", NONE, SET_32),
             IN_OPT("b", T, SET_BF)),
      RESULTS(OUT("decay", T), OUT_OPT("beta", T)), .lower = lower_attention_gate,
      .class = CLASS_COMPOSED, .webnn = "add, softplus, mul, sigmoid" },
    { MICROSOFT("RestorePadding"), INPUTS(IN("input", T, SET_2), IN("token_offset", NONE, SET_I32)),
      RESULTS(OUT("output", T)), .lower = lower_restore_padding, .class = CLASS_COMPOSED,
      .webnn = "scatterND" },
    { MICROSOFT("SparseToDenseMatMul"), INPUTS(IN("A", NONE, SET_3, KNOWN), IN("B", T, SET_3)),
      RESULTS(OUT("Y", T)), PARAMS(struct sparse_matmul, sparse_matmul_attrs),
      .lower = lower_sparse_matmul, .class = CLASS_COMPOSED, .webnn = "matmul",
      .notes = "A must be a sparse initializer, it becomes dense" },
    { MICROSOFT("Unique"), INPUTS(IN("x", T, SET_ALL, KNOWN)),
      RESULTS(OUT("y", T), OUT_OF("idx", DTYPE_INT64), OUT_OF("counts", DTYPE_INT64)),
      .lower = lower_unique, .class = CLASS_STATIC, .webnn = "constant",
      .notes = "evaluated: the size of the result depends on the data" },
};
ROW_COUNT(microsoft_simple);
