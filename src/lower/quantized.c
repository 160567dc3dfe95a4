#include "lower/quantized.h"

#include "base/checked.h"
#include "lower/internal.h"

#include <string.h>

enum { EXACT = 1 << 24 }; /* whole numbers up to here are exact in float32 */

/* --- shapes -------------------------------------------------------------------------------------- */

static bool single(value v)
{
    for (uint32_t i = 0; i < v->rank; i++)
        if (v->dims[i] != 1)
            return false;
    return true;
}

static const char *shape_of(struct lower *l, value v)
{
    return dim_list_text(lower_exprs(l), v->dims, v->rank, lower_arena(l));
}

static bool may_equal(struct lower *l, dim a, dim b)
{
    return dim_compare(lower_exprs(l), a, b) != EXPR_DIFFERENT;
}

/* One number, or one per index of an axis, in the rank of x. */
static o2w_status spread(struct lower *l, const struct node_view *n, value x, value v, uint32_t at,
                         uint32_t axis, value *out)
{
    dim dims[MAX_RANK];
    for (uint32_t i = 0; i < x->rank; i++)
        dims[i] = 1;
    if (!single(v)) {
        if (v->rank != 1 || !may_equal(l, v->dims[0], x->dims[axis]))
            return refuse_input(l, n, at,
                                "has shape %s, one element or one per index of axis %u of %s is "
                                "needed",
                                shape_of(l, v), axis, shape_of(l, x));
        dims[axis] = v->dims[0];
    }
    return reshape(l, v, dims, x->rank, out);
}

static o2w_status check_blocked(struct lower *l, const struct node_view *n,
                                const struct quantized *q, value v, uint32_t at)
{
    int64_t size;
    if (v->rank != q->x->rank)
        return refuse_input(l, n, at, "has rank %u, blocks need the rank of the data, %u", v->rank,
                            q->x->rank);
    TRY(static_dim(l, n, q->x, q->along, &size));
    for (uint32_t i = 0; i < v->rank; i++) {
        bool fits = i == q->along ? v->dims[i] == (size + q->block - 1) / q->block
                                  : may_equal(l, v->dims[i], q->x->dims[i]);
        if (!fits)
            return refuse_input(l, n, at, "has shape %s, which does not fit %s in blocks of %lld",
                                shape_of(l, v), shape_of(l, q->x), (long long)q->block);
    }
    return O2W_OK;
}

static o2w_status shaped(struct lower *l, const struct node_view *n, const struct quantized *q,
                         uint32_t at, value *v)
{
    if (!q->block)
        return spread(l, n, q->x, *v, at, q->along, v);
    return check_blocked(l, n, q, *v, at);
}

o2w_status quantized_shape(struct lower *l, const struct node_view *n, struct quantized *q,
                           enum dtype dtype, uint32_t scale_at, uint32_t zero_at)
{
    if (q->block || !single(q->scale))
        TRY(axis_from(l, n, q->axis, q->x->rank, 0, &q->along));
    value given = q->scale;
    TRY(shaped(l, n, q, scale_at, &q->scale));
    if (!q->zero)
        return fill_i64(l, dtype, 0, q->scale->dims, q->scale->rank, &q->zero);
    if (single(q->zero) != single(given) && !q->block)
        return refuse_input(l, n, zero_at, "has shape %s, the scale has %s", shape_of(l, q->zero),
                            shape_of(l, given));
    return shaped(l, n, q, zero_at, &q->zero);
}

/* --- quantising ----------------------------------------------------------------------------------- */

/* x · scale where every index of the axis has its own, or blocks of one length share one. */
static o2w_status scale_floats(struct lower *l, const struct quantized *q, value *out)
{
    value x = q->x, scale = q->scale, y;
    dim dims[MAX_RANK + 1], parts[MAX_RANK + 1];
    int64_t blocks = q->block ? q->scale->dims[q->along] : 1;
    if (blocks > 1 && q->block > 1) {
        uint32_t to = 0;
        if (x->rank + 1 > MAX_RANK)
            return diag_error(lower_diags(l), DIAG_LOWER_LIMIT, "rank %u exceeds the limit %d",
                              x->rank + 1, MAX_RANK);
        for (uint32_t i = 0; i < x->rank; i++) {
            dims[to] = i == q->along ? blocks : x->dims[i];
            parts[to++] = scale->dims[i];
            if (i == q->along) {
                dims[to] = q->block;
                parts[to++] = 1;
            }
        }
        TRY(reshape(l, x, dims, to, &x));
        TRY(reshape(l, scale, parts, to, &scale));
    }
    TRY(op2(l, WEBNN_MUL, x, scale, &y));
    return reshape(l, y, q->x->dims, q->x->rank, out);
}

static o2w_status run_whole(struct lower *l, const struct quantized *q, enum webnn_operator kind,
                            value *out)
{
    if (kind == WEBNN_MUL)
        return scale_floats(l, q, out);
    return op3(l, kind, q->x, q->scale, q->zero, out);
}

static o2w_status part_of(struct lower *l, const struct quantized *q, int64_t first, int64_t blocks,
                          int64_t size, struct quantized *part)
{
    *part = *q;
    TRY(slice(l, q->x, q->along, first * q->block, size, 1, &part->x));
    TRY(slice(l, q->scale, q->along, first, blocks, 1, &part->scale));
    return slice(l, q->zero, q->along, first, blocks, 1, &part->zero);
}

o2w_status quantized_run(struct lower *l, const struct quantized *q, enum webnn_operator kind,
                         value *out)
{
    struct quantized part;
    value parts[2];
    int64_t blocks = q->block ? q->scale->dims[q->along] : 1;
    int64_t rest = blocks > 1 ? q->x->dims[q->along] % q->block : 0;
    if (!rest)
        return run_whole(l, q, kind, out);
    TRY(part_of(l, q, 0, blocks - 1, (blocks - 1) * q->block, &part));
    TRY(run_whole(l, &part, kind, &parts[0]));
    TRY(part_of(l, q, blocks - 1, 1, rest, &part));
    TRY(run_whole(l, &part, kind, &parts[1]));
    return concat(l, parts, 2, q->along, out);
}

/* --- exact products -------------------------------------------------------------------------------- */

o2w_status drop_zero(struct lower *l, value *zero)
{
    struct tensor t;
    if (!value_is_known(*zero))
        return O2W_OK;
    TRY(known_tensor(l, *zero, &t));
    uint64_t count = tensor_count(&t);
    for (uint64_t i = 0; i < count; i++)
        if (tensor_get_i64(&t, i) != 0)
            return O2W_OK;
    *zero = NULL;
    return O2W_OK;
}

o2w_status centred(struct lower *l, const struct node_view *n, value x, value zero,
                   uint32_t zero_at, uint32_t axis, value *out)
{
    value ones;
    if (zero)
        TRY(drop_zero(l, &zero));
    if (!zero)
        return cast(l, x, DTYPE_FLOAT32, out);
    if (zero->rank != x->rank || single(zero))
        TRY(spread(l, n, x, zero, zero_at, axis, &zero));
    TRY(fill(l, DTYPE_FLOAT32, (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = 1 },
             zero->dims, zero->rank, &ones));
    return op3(l, WEBNN_DEQUANTIZE_LINEAR, x, ones, zero, out);
}

/* The largest |x - zero| that the dtypes allow. */
static o2w_status largest_distance(struct lower *l, enum dtype dtype, value zero, int64_t *out)
{
    int64_t low = dtype_min(dtype), high = (int64_t)dtype_max(dtype);
    int64_t zero_low = zero ? low : 0, zero_high = zero ? high : 0;
    struct tensor t;
    if (zero && value_is_known(zero) && !value_is_empty(zero)) {
        TRY(known_tensor(l, zero, &t));
        zero_low = zero_high = tensor_get_i64(&t, 0);
        for (uint64_t i = 1; i < tensor_count(&t); i++) {
            int64_t v = tensor_get_i64(&t, i);
            zero_low = v < zero_low ? v : zero_low;
            zero_high = v > zero_high ? v : zero_high;
        }
    }
    *out = high - zero_low > zero_high - low ? high - zero_low : zero_high - low;
    return O2W_OK;
}

/* b seen as [outer, length, inner]. */
struct summed {
    const struct tensor *t;
    int64_t zero, outer, length, inner;
    bool inner_too;
};

static int64_t distance_at(const struct summed *s, int64_t i)
{
    int64_t v = s->t->dtype == DTYPE_INT8 ? ((const int8_t *)s->t->data)[i]
                                          : ((const uint8_t *)s->t->data)[i];
    return v < s->zero ? s->zero - v : v - s->zero;
}

/* The largest sum of |b - zero| over `chunk` indices of the length; sums has room for `inner`. */
static int64_t largest_sum(const struct summed *s, int64_t chunk, int64_t *sums)
{
    int64_t worst = 0;
    for (int64_t o = 0; o < s->outer; o++)
        for (int64_t from = 0; from < s->length; from += chunk) {
            int64_t to = from + chunk < s->length ? from + chunk : s->length, total = 0;
            memset(sums, 0, (size_t)s->inner * sizeof *sums);
            for (int64_t k = from; k < to; k++)
                for (int64_t i = 0; i < s->inner; i++)
                    sums[i] += distance_at(s, (o * s->length + k) * s->inner + i);
            for (int64_t i = 0; i < s->inner; i++) {
                total = s->inner_too ? total + sums[i] : sums[i];
                worst = total > worst ? total : worst;
            }
        }
    return worst;
}

/* Whether the elements of b are worth reading: known, not huge, one zero point. */
static bool readable(const struct exact_sum *s)
{
    uint64_t count;
    bool zero_known = !s->b_zero || (value_is_known(s->b_zero) && single(s->b_zero));
    return value_is_known(s->b) && zero_known && value_count(s->b, &count) && count > 0 &&
           count <= (uint64_t)1 << 26;
}

/* Longer chunks than the dtypes alone allow, by the elements themselves. */
static o2w_status chunk_by_elements(struct lower *l, const struct exact_sum *e, int64_t distance,
                                    int64_t *chunk)
{
    struct tensor t, zero;
    struct summed s = { .t = &t, .outer = 1, .inner = 1, .inner_too = e->inner_too };
    TRY(known_tensor(l, e->b, &t));
    if (e->b_zero) {
        TRY(known_tensor(l, e->b_zero, &zero));
        s.zero = tensor_get_i64(&zero, 0);
    }
    s.length = t.dims[e->axis];
    for (uint32_t i = 0; i < t.rank; i++)
        if (i != e->axis)
            *(i < e->axis ? &s.outer : &s.inner) *= t.dims[i];
    int64_t *sums = ARENA_ARRAY(lower_arena(l), (size_t)s.inner, int64_t);
    if (!sums)
        return diag_memory(lower_diags(l));
    int64_t parts = largest_sum(&s, s.length, sums) * distance / EXACT + 1;
    for (int64_t tries = 0; tries < 4; tries++, parts++) {
        int64_t size = (s.length + parts - 1) / parts;
        if (size <= *chunk)
            return O2W_OK;
        if (largest_sum(&s, size, sums) * distance <= EXACT) {
            *chunk = size;
            return O2W_OK;
        }
    }
    return O2W_OK;
}

o2w_status exact_sum_chunk(struct lower *l, const struct exact_sum *s, int64_t *chunk)
{
    int64_t a, b, inner = 1;
    TRY(largest_distance(l, s->a_dtype, s->a_zero, &a));
    TRY(largest_distance(l, s->b->dtype, s->b_zero, &b));
    for (uint32_t i = s->axis + 1; s->inner_too && i < s->b->rank; i++)
        inner *= s->b->dims[i];
    *chunk = inner > 0 ? EXACT / (a * b) / inner : EXACT;
    if (readable(s) && s->b->dims[s->axis] > *chunk)
        return chunk_by_elements(l, s, a, chunk);
    return O2W_OK;
}

o2w_status requantize(struct lower *l, value acc, value m, value zero, enum dtype dtype, value *out)
{
    struct webnn_clamp_attributes bounds = webnn_clamp_defaults();
    value y;
    bounds.min_value = (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = dtype_min(dtype) };
    bounds.max_value =
        (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = (int64_t)dtype_max(dtype) };
    TRY(cast(l, acc, DTYPE_FLOAT32, &y));
    TRY(op2(l, WEBNN_MUL, y, m, &y));
    TRY(op1(l, WEBNN_ROUND_EVEN, y, &y));
    if (zero) {
        TRY(cast(l, zero, DTYPE_FLOAT32, &zero));
        TRY(op2(l, WEBNN_ADD, y, zero, &y));
    }
    TRY(op(l, WEBNN_CLAMP, OPERANDS(y), &bounds, &y));
    return cast(l, y, dtype, out);
}

/* --- views ------------------------------------------------------------------------------------------ */

o2w_status known_view(struct lower *l, value x, enum dtype dtype, const dim *dims, uint32_t rank,
                      value *out)
{
    struct tensor t;
    struct lower_value v = *x;
    uint64_t count, bytes;
    if (v.stored.source == WEIGHT_SPLAT || v.stored.source == WEIGHT_ZEROS) {
        TRY(known_tensor(l, x, &t));
        v.stored.source = WEIGHT_BYTES;
        v.stored.bytes = t.data;
        v.stored.length = tensor_bytes(&t);
        v.bytes = t.data;
    }
    if (!dims_count(dims, rank, &count) || !dtype_bytes(dtype, count, &bytes) ||
        bytes != v.stored.length)
        return diag_error(lower_diags(l), DIAG_INTERNAL, "a view differs in size");
    v.dtype = v.stored.dtype = v.stored.from = dtype;
    v.stored.count = count;
    v.rank = rank;
    v.dims = dims;
    v.operand = NO_ID;
    return value_new(l, &v, out);
}
