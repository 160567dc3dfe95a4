/* Reading and writing at indices. */
#include "lower/ops/gather.h"

#include "lower/bounded.h"

#include <string.h>

static const struct attr_row axis_0_attrs[] = {
    ATTR_INT(struct axis_params, axis, .fallback_int = 0),
};

/* Known indices must lie in -size … size-1. */
o2w_status check_indices(struct lower *l, const struct node_view *n, uint32_t i, int64_t size)
{
    struct tensor t;
    value v = input(n, i);
    if (!value_is_known(v) || size < 0)
        return O2W_OK;
    TRY(known_tensor(l, v, &t));
    uint64_t count = tensor_count(&t);
    for (uint64_t k = 0; k < count; k++) {
        int64_t at = tensor_get_i64(&t, k);
        if (at < -size || at >= size)
            return refuse_input(l, n, i, "holds %lld at element %llu, the axis has size %lld",
                                (long long)at, (unsigned long long)k, (long long)size);
    }
    return O2W_OK;
}

static o2w_status lower_gather(struct lower *l, const struct node_view *n, const void *params)
{
    const struct axis_params *p = params;
    value x = input(n, 0);
    struct webnn_gather_attributes a = webnn_gather_defaults();
    TRY(axis_from(l, n, p->axis, x->rank, 0, &a.axis));
    TRY(check_indices(l, n, 1, x->dims[a.axis]));
    return emit(l, n, WEBNN_GATHER, OPERANDS(x, input(n, 1)), &a);
}

/* Beside the axis the indices may cover a part of x only. */
static o2w_status crop_to(struct lower *l, const struct node_view *n, value x, value indices,
                          uint32_t axis, value *out)
{
    *out = x;
    if (indices->rank != x->rank)
        return refuse_input(l, n, 1, "has rank %u, must have %u as the data", indices->rank,
                            x->rank);
    for (uint32_t i = 0; i < x->rank; i++) {
        dim have = x->dims[i], want = indices->dims[i];
        if (i == axis || dim_compare(lower_exprs(l), have, want) == EXPR_EQUAL)
            continue;
        if (dim_is_static(have) && dim_is_static(want) && want > have)
            return refuse_input(l, n, 1, "has size %lld at axis %u, the data has %lld",
                                (long long)want, i, (long long)have);
        TRY(slice(l, *out, i, 0, want, 1, out));
    }
    return O2W_OK;
}

static o2w_status lower_gather_elements(struct lower *l, const struct node_view *n,
                                        const void *params)
{
    const struct axis_params *p = params;
    value x = input(n, 0), indices = input(n, 1);
    struct webnn_gather_elements_attributes a = webnn_gather_elements_defaults();
    TRY(axis_from(l, n, p->axis, x->rank, 0, &a.axis));
    TRY(check_indices(l, n, 1, x->dims[a.axis]));
    TRY(crop_to(l, n, x, indices, a.axis, &x));
    return emit(l, n, WEBNN_GATHER_ELEMENTS, OPERANDS(x, indices), &a);
}

/* --- GatherND ------------------------------------------------------------------------------------- */

struct gather_nd {
    int64_t batch_dims;
};

static const struct attr_row gather_nd_attrs[] = {
    ATTR_INT(struct gather_nd, batch_dims, .fallback_int = 0),
};

/* The depth of an index: how many axes its last dim addresses. */
o2w_status index_depth(struct lower *l, const struct node_view *n, uint32_t i, uint32_t most,
                       uint32_t *out)
{
    value v = input(n, i);
    int64_t depth;
    if (v->rank == 0)
        return refuse_input(l, n, i, "has rank 0, at least 1 is needed");
    TRY(static_dim(l, n, v, v->rank - 1, &depth));
    if (depth < 1 || depth > most)
        return refuse_input(l, n, i, "addresses %lld axes in its last dim, 1 to %u are allowed",
                            (long long)depth, most);
    *out = (uint32_t)depth;
    return O2W_OK;
}

/* Known coordinates must lie inside of the axes from `first` on. */
o2w_status check_coordinates(struct lower *l, const struct node_view *n, uint32_t i, uint32_t first)
{
    struct tensor t;
    value v = input(n, i), x = input(n, 0);
    if (!value_is_known(v))
        return O2W_OK;
    TRY(known_tensor(l, v, &t));
    uint64_t count = tensor_count(&t), depth = (uint64_t)v->dims[v->rank - 1];
    for (uint64_t k = 0; k < count; k++) {
        int64_t at = tensor_get_i64(&t, k), size = x->dims[first + k % depth];
        if (size >= 0 && (at < -size || at >= size))
            return refuse_input(l, n, i, "holds %lld at element %llu, axis %llu has size %lld",
                                (long long)at, (unsigned long long)k,
                                (unsigned long long)(first + k % depth), (long long)size);
    }
    return O2W_OK;
}

/* The place along each of the first `count` axes, as coordinates before those of `indices`. */
static o2w_status prepend_batches(struct lower *l, const struct node_view *n, value indices,
                                  uint32_t count, value *out)
{
    value parts[MAX_RANK + 1];
    dim dims[MAX_RANK];
    memcpy(dims, indices->dims, indices->rank * sizeof *dims);
    dims[indices->rank - 1] = 1;
    for (uint32_t i = 0; i < count; i++) {
        int64_t size;
        TRY(static_dim(l, n, indices, i, &size));
        TRY(iota(l, indices->dtype, size, i, indices->rank, &parts[i]));
        TRY(expand(l, parts[i], dims, indices->rank, &parts[i]));
    }
    parts[count] = indices;
    return concat(l, parts, count + 1, indices->rank - 1, out);
}

static o2w_status lower_gather_nd(struct lower *l, const struct node_view *n, const void *params)
{
    const struct gather_nd *p = params;
    value x = input(n, 0), indices = input(n, 1);
    uint32_t least = x->rank < indices->rank ? x->rank : indices->rank, depth;
    if (p->batch_dims < 0 || p->batch_dims >= (int64_t)least)
        return refuse_attribute(l, n, "batch_dims", "is %lld, ranks %u and %u allow 0 to %d",
                                (long long)p->batch_dims, x->rank, indices->rank, (int)least - 1);
    uint32_t batches = (uint32_t)p->batch_dims;
    TRY(index_depth(l, n, 1, x->rank - batches, &depth));
    TRY(check_coordinates(l, n, 1, batches));
    for (uint32_t i = 0; i < batches; i++)
        if (dim_compare(lower_exprs(l), x->dims[i], indices->dims[i]) == EXPR_DIFFERENT)
            return refuse_input(l, n, 1, "differs from the data in batch axis %u", i);
    if (batches)
        TRY(prepend_batches(l, n, indices, batches, &indices));
    return emit(l, n, WEBNN_GATHER_ND, OPERANDS(x, indices), NULL);
}

static o2w_status lower_gather_nd_11(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return lower_gather_nd(l, n, &(struct gather_nd){ 0 });
}

/* --- OneHot ---------------------------------------------------------------------------------------- */

static const struct attr_row one_hot_attrs[] = {
    ATTR_INT(struct axis_params, axis, .fallback_int = -1),
};

static o2w_status one_hot_depth(struct lower *l, const struct node_view *n, int64_t *out)
{
    double depth;
    uint64_t count;
    value v = input(n, 1);
    if (v->rank > 1 || !value_count(v, &count) || count != 1)
        return refuse_input(l, n, 1, "has rank %u, one number is needed", v->rank);
    TRY(known_double(l, n, 1, &depth));
    if (!(depth >= 1 && depth < INT32_MAX))
        return refuse_input(l, n, 1, "is %.17g, must be at least 1 and below 2147483647", depth);
    *out = (int64_t)depth;
    return O2W_OK;
}

/* Integers that hold depth, negative ones counted from the end. */
static o2w_status one_hot_indices(struct lower *l, value x, int64_t depth, value *out)
{
    unsigned bits = dtype_info(x->dtype)->bits;
    if (dtype_is_float(x->dtype))
        TRY(cast(l, x, DTYPE_INT64, &x));
    else if (bits < 32)
        TRY(cast(l, x, DTYPE_INT32, &x));
    *out = x;
    if (!dtype_is_signed(x->dtype))
        return O2W_OK;
    struct calc c = calc_begin(l, x);
    value moved = calc_add(&c, x, calc_number(&c, (double)depth));
    *out = calc_where(&c, calc_less(&c, x, calc_number(&c, 0)), moved, x);
    return c.status;
}

/* H5: index == place along the new axis; what lies outside of -depth … depth-1 equals none. */
static o2w_status lower_one_hot(struct lower *l, const struct node_view *n, const void *params)
{
    const struct axis_params *p = params;
    value indices = input(n, 0), on, off, places, hit, y;
    int64_t depth = 0;
    uint32_t axis;
    TRY(one_hot_depth(l, n, &depth));
    if (indices->rank + 1 > MAX_RANK)
        return refuse_input(l, n, 0, "has rank %u, at most %d is supported", indices->rank,
                            MAX_RANK - 1);
    TRY(axis_from(l, n, p->axis, indices->rank, 1, &axis));
    if (input(n, 2)->rank != 1 || input(n, 2)->dims[0] != 2)
        return refuse_input(l, n, 2, "must hold the values for off and on");
    TRY(one_hot_indices(l, indices, depth, &indices));
    TRY(unsqueeze(l, indices, &axis, 1, &indices));
    TRY(iota(l, value_working_dtype(indices), depth, axis, indices->rank, &places));
    TRY(op2(l, WEBNN_EQUAL, indices, places, &hit));
    TRY(slice(l, input(n, 2), 0, 0, 1, 1, &off));
    TRY(slice(l, input(n, 2), 0, 1, 1, 1, &on));
    TRY(reshape(l, off, NULL, 0, &off));
    TRY(reshape(l, on, NULL, 0, &on));
    TRY(op3(l, WEBNN_WHERE, hit, on, off, &y));
    return emit_value(l, n, y);
}

/* --- NonZero, Compress ------------------------------------------------------------------------------ */

static bool is_true(const struct tensor *t, uint64_t i)
{
    bool is_unsigned = dtype_is_integer(t->dtype) && !dtype_is_signed(t->dtype);
    return dtype_is_float(t->dtype) ? tensor_get_double(t, i) != 0
           : is_unsigned            ? tensor_get_u64(t, i) != 0
                                    : tensor_get_i64(t, i) != 0;
}

/* The coordinates of up to as many elements as the bound says. */
static o2w_status bounded_non_zero(struct lower *l, const struct node_view *n)
{
    value x = input(n, 0), mask, places, count, y;
    int64_t most = lower_bound_of(l, n);
    const uint32_t front = 0;
    value *rows = ARENA_ARRAY(lower_arena(l), x->rank, value);
    dim all;
    if (most == 0)
        return refuse_unbounded(l, n);
    if (x->rank == 0)
        return refuse_input(l, n, 0, "is a scalar, which has no coordinates");
    if (!rows)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < x->rank; i++) {
        int64_t size;
        TRY(static_dim(l, n, x, i, &size));
    }
    TRY(dims_product(l, n, x->dims, 0, x->rank, &all));
    TRY(cast(l, x, DTYPE_BOOL, &mask));
    TRY(reshape(l, mask, &all, 1, &mask));
    TRY(bounded_places(l, n, mask, most, &places, &count));
    struct calc c = calc_begin(l, places);
    for (uint32_t i = x->rank; i-- > 0;) {
        value size = NULL, rest;
        if (c.status == O2W_OK)
            c.status = scalar_i64(l, DTYPE_INT64, x->dims[i], &size);
        rest = calc_div(&c, places, size);
        rows[i] = calc_sub(&c, places, calc_mul(&c, rest, size));
        places = rest;
        TRY(c.status);
        TRY(unsqueeze(l, rows[i], &front, 1, &rows[i]));
    }
    TRY(concat(l, rows, x->rank, 0, &y));
    return emit_bounded(l, n, 0, y, 1, count);
}

/* Coordinates of the elements that are not 0, one row per axis; a scalar has one element and no axis. */
static o2w_status lower_non_zero(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value x = input(n, 0), out;
    struct tensor t, y;
    uint64_t found = 0, next = 0;
    if (!value_is_known(x))
        return bounded_non_zero(l, n);
    TRY(known_tensor(l, x, &t));
    uint64_t count = tensor_count(&t);
    for (uint64_t i = 0; i < count; i++)
        found += is_true(&t, i);
    TRY(known_new(l, DTYPE_INT64, (const dim[]){ t.rank, (dim)found }, 2, &y, &out));
    for (uint64_t i = 0; i < count; i++) {
        uint64_t rest = i;
        if (!is_true(&t, i))
            continue;
        for (uint32_t k = t.rank; k-- > 0; rest /= (uint64_t)t.dims[k])
            tensor_put_i64(&y, k * found + next, (int64_t)(rest % (uint64_t)t.dims[k]));
        next++;
    }
    return emit_value(l, n, out);
}

struct compress {
    struct given_int axis;
};

static const struct attr_row compress_attrs[] = { ATTR_GIVEN_INT(struct compress, axis) };

/* The elements where a computed condition is true, up to as many as the bound says. */
static o2w_status bounded_compress(struct lower *l, const struct node_view *n, value x,
                                   uint32_t axis)
{
    struct webnn_gather_attributes a = { .axis = axis };
    int64_t most = lower_bound_of(l, n), size, given;
    value places, count, y;
    if (most == 0)
        return refuse_unbounded(l, n);
    TRY(static_dim(l, n, x, axis, &size));
    TRY(static_dim(l, n, input(n, 1), 0, &given));
    if (given > size)
        return refuse_input(l, n, 1, "has %lld elements, the axis has %lld", (long long)given,
                            (long long)size);
    TRY(bounded_places(l, n, input(n, 1), most, &places, &count));
    TRY(op(l, WEBNN_GATHER, OPERANDS(x, places), &a, &y));
    TRY(retype(l, y, x->dtype, &y));
    return emit_bounded(l, n, 0, y, axis, count);
}

/* Without an axis the input is flattened; a short condition is false beyond its end. */
static o2w_status lower_compress(struct lower *l, const struct node_view *n, const void *params)
{
    const struct compress *p = params;
    value x = input(n, 0), y;
    struct ints condition;
    uint32_t axis = 0, count = 0;
    int64_t size;
    if (input(n, 1)->rank != 1)
        return refuse_input(l, n, 1, "has rank %u, must have 1", input(n, 1)->rank);
    if (p->axis.given) {
        TRY(axis_from(l, n, p->axis.value, x->rank, 0, &axis));
    } else {
        dim all;
        TRY(dims_product(l, n, x->dims, 0, x->rank, &all));
        TRY(reshape(l, x, &all, 1, &x));
    }
    if (!value_is_known(input(n, 1)))
        return bounded_compress(l, n, x, axis);
    TRY(known_ints(l, n, 1, &condition));
    TRY(static_dim(l, n, x, axis, &size));
    int64_t *places = arena_array(lower_arena(l), condition.count, sizeof *places, 8);
    if (!places)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < condition.count; i++) {
        if (condition.items[i] && i >= size)
            return refuse_input(l, n, 1, "is true at %u, the axis has size %lld", i,
                                (long long)size);
        if (condition.items[i])
            places[count++] = i;
    }
    TRY(gather_known(l, x, places, count, axis, &y));
    return emit_value(l, n, y);
}

/* --- rows ------------------------------------------------------------------------------------------ */

#define GATHERS(op, from, to, types, function, kind, ...)                                       \
    {                                                                                           \
        ONNX(op, from, to), INPUTS(IN("data", T, SET_ALL), IN("indices", NONE, types)),         \
            RESULTS(OUT("output", T)), .lower = function, .class = CLASS_DIRECT, .webnn = kind, \
                                       __VA_ARGS__                                              \
    }
#define SCATTERS(op, from, to, types, function, kind, ...)                                         \
    {                                                                                              \
        ONNX(op, from, to),                                                                        \
            INPUTS(IN("data", T, SET_ALL), IN("indices", NONE, types), IN("updates", T, SET_ALL)), \
            RESULTS(OUT("output", T)), .lower = function, .class = CLASS_DIRECT, .webnn = kind,    \
                                       __VA_ARGS__                                                 \
    }
#define AXIS PARAMS(struct axis_params, axis_0_attrs)

static const struct attr_row scatter_attrs[] = {
    ATTR_INT(struct scatter_params, axis, .fallback_int = 0),
};
static const struct attr_row scatter_16_attrs[] = {
    ATTR_INT(struct scatter_params, axis, .fallback_int = 0),
    ATTR_STRING(struct scatter_params, reduction, .fallback_text = "none",
                .allowed = "none add mul"),
};
static const struct attr_row scatter_18_attrs[] = {
    ATTR_INT(struct scatter_params, axis, .fallback_int = 0),
    ATTR_STRING(struct scatter_params, reduction, .fallback_text = "none",
                .allowed = "none add mul max min"),
};
static const struct attr_row scatter_nd_16_attrs[] = {
    ATTR_STRING(struct scatter_params, reduction, .fallback_text = "none",
                .allowed = "none add mul"),
};
static const struct attr_row scatter_nd_18_attrs[] = {
    ATTR_STRING(struct scatter_params, reduction, .fallback_text = "none",
                .allowed = "none add mul max min"),
};
#define REDUCED      \
    .partial = true, \
    .notes = "duplicate indices: last wins; reductions of bool and over 2^26 elements refused"

const struct onnx_row gather_rows[] = {
    { ONNX("Gather", 1, LATEST), INPUTS(IN("data", T, SET_MOVED), IN("indices", NONE, SET_INDEX)),
      RESULTS(OUT("output", T)), AXIS, .lower = lower_gather, .class = CLASS_DIRECT,
      .classes = true, .webnn = "gather" },
    GATHERS("GatherElements", 11, LATEST, SET_INDEX, lower_gather_elements, "gatherElements", AXIS),
    GATHERS("GatherND", 11, 11, SET_I64, lower_gather_nd_11, "gatherND"),
    GATHERS("GatherND", 12, LATEST, SET_I64, lower_gather_nd, "gatherND",
            PARAMS(struct gather_nd, gather_nd_attrs)),
    { MICROSOFT("GatherND"), INPUTS(IN("data", T, SET_ALL), IN("indices", NONE, SET_INDEX)),
      RESULTS(OUT("output", T)), .lower = lower_gather_nd_11, .class = CLASS_DIRECT,
      .webnn = "gatherND" },
    SCATTERS("Scatter", 9, LATEST, SET_INDEX, lower_scatter_elements, "scatterElements",
             PARAMS(struct scatter_params, scatter_attrs)),
    SCATTERS("ScatterElements", 11, 15, SET_INDEX, lower_scatter_elements, "scatterElements",
             PARAMS(struct scatter_params, scatter_attrs)),
    SCATTERS("ScatterElements", 16, 17, SET_INDEX, lower_scatter_elements, "scatterElements",
             PARAMS(struct scatter_params, scatter_16_attrs), REDUCED),
    SCATTERS("ScatterElements", 18, LATEST, SET_INDEX, lower_scatter_elements, "scatterElements",
             PARAMS(struct scatter_params, scatter_18_attrs), REDUCED),
    SCATTERS("ScatterND", 11, 15, SET_I64, lower_scatter_nd_11, "scatterND"),
    SCATTERS("ScatterND", 16, 17, SET_I64, lower_scatter_nd, "scatterND",
             PARAMS(struct scatter_params, scatter_nd_16_attrs), REDUCED),
    SCATTERS("ScatterND", 18, LATEST, SET_I64, lower_scatter_nd, "scatterND",
             PARAMS(struct scatter_params, scatter_nd_18_attrs), REDUCED),
    { ONNX("OneHot", 9, LATEST),
      INPUTS(IN("indices", NONE, SET_NUMERIC), IN("depth", NONE, SET_NUMERIC, KNOWN),
             IN("values", T, SET_ALL)),
      RESULTS(OUT("output", T)), PARAMS(struct axis_params, one_hot_attrs), .lower = lower_one_hot,
      .class = CLASS_COMPOSED, .webnn = "equal, where" },
    { ONNX("NonZero", 9, LATEST), INPUTS(IN("X", NONE, SET_ALL)), RESULTS(OUT_OF("Y", DTYPE_INT64)),
      .lower = lower_non_zero, .class = CLASS_BOUNDED, .partial = true,
      .webnn = "cumulativeSum, reduceSum, div", .notes = "computed inputs need --bound NODE=N" },
    { ONNX("Compress", 9, LATEST),
      INPUTS(IN("input", T, SET_MOVED), IN("condition", NONE, SET_BOOL)), RESULTS(OUT("output", T)),
      PARAMS(struct compress, compress_attrs), .lower = lower_compress, .class = CLASS_BOUNDED,
      .partial = true, .webnn = "gather", .notes = "computed conditions need --bound NODE=N" },
};
ROW_COUNT(gather);
