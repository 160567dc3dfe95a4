/* Movers and casts that rows share. No operator where nothing changes. */
#include "lower/helpers.h"
#include "lower/internal.h"

#include <string.h>

const struct graph *lower_graph(struct lower *l)
{
    return l->builder.graph;
}

static bool same_shape(value x, const dim *dims, uint32_t rank)
{
    return x->rank == rank && dims_equal(x->dims, dims, rank);
}

/* A known value under other dims is the same bytes. */
static o2w_status redim(struct lower *l, value x, const dim *dims, uint32_t rank, value *out)
{
    struct lower_value v = *x;
    v.rank = rank;
    v.dims = dims;
    v.operand = NO_ID;
    return value_new(l, &v, out);
}

static o2w_status check_count(struct lower *l, value x, const dim *dims, uint32_t rank)
{
    uint64_t a, b;
    if (!value_count(x, &a) || !dims_count(dims, rank, &b) || a == b)
        return O2W_OK;
    return diag_error(l->diags, DIAG_LOWER_SHAPE, "%llu elements cannot take the shape %s",
                      (unsigned long long)a, dim_list_text(lower_exprs(l), dims, rank, &l->arena));
}

o2w_status reshape(struct lower *l, value x, const dim *dims, uint32_t rank, value *out)
{
    if (same_shape(x, dims, rank)) {
        *out = x;
        return O2W_OK;
    }
    if (rank > MAX_RANK)
        return diag_error(l->diags, DIAG_LOWER_LIMIT, "rank %u exceeds the limit %d", rank,
                          MAX_RANK);
    o2w_status s = check_count(l, x, dims, rank);
    if (s != O2W_OK && l->node)
        onnx_at_node(l->diags, l->model, l->node->onnx, NULL);
    TRY(s);
    if (value_is_static(x) && dims_static(dims, rank))
        return redim(l, x, dims, rank, out);
    struct webnn_reshape_attributes a = webnn_reshape_defaults();
    a.new_shape.given = true;
    a.new_shape.count = rank;
    if (rank)
        memcpy(a.new_shape.items, dims, rank * sizeof *dims);
    enum dtype onnx = x->dtype;
    value y;
    TRY(op(l, WEBNN_RESHAPE, OPERANDS(x), &a, &y));
    return retype(l, y, onnx, out);
}

o2w_status unsqueeze(struct lower *l, value x, const uint32_t *axes, uint32_t count, value *out)
{
    dim dims[MAX_RANK] = { 0 };
    uint32_t rank = x->rank + count, from = 0, next = 0;
    if (rank > MAX_RANK)
        return diag_error(l->diags, DIAG_LOWER_LIMIT, "rank %u exceeds the limit %d", rank,
                          MAX_RANK);
    for (uint32_t i = 0; i < rank; i++) {
        bool fresh = next < count && axes[next] == i;
        next += fresh;
        dims[i] = fresh ? 1 : x->dims[from++];
    }
    return reshape(l, x, dims, rank, out);
}

o2w_status squeeze(struct lower *l, value x, const uint32_t *axes, uint32_t count, value *out)
{
    dim dims[MAX_RANK] = { 0 };
    uint32_t rank = 0, next = 0;
    for (uint32_t i = 0; i < x->rank; i++) {
        bool dropped = next < count && axes[next] == i;
        next += dropped;
        if (!dropped)
            dims[rank++] = x->dims[i];
    }
    return reshape(l, x, dims, rank, out);
}

/* Runs a mover and keeps the ONNX dtype. */
static o2w_status move(struct lower *l, enum webnn_operator kind, value x, const void *attributes,
                       value *out)
{
    value y;
    TRY(op(l, kind, OPERANDS(x), attributes, &y));
    return retype(l, y, x->dtype, out);
}

o2w_status transpose(struct lower *l, value x, const uint32_t *permutation, value *out)
{
    struct webnn_transpose_attributes a = webnn_transpose_defaults();
    bool identity = true;
    a.permutation.given = true;
    a.permutation.count = x->rank;
    for (uint32_t i = 0; i < x->rank; i++) {
        a.permutation.items[i] = permutation[i];
        identity &= permutation[i] == i;
    }
    if (identity) {
        *out = x;
        return O2W_OK;
    }
    return move(l, WEBNN_TRANSPOSE, x, &a, out);
}

o2w_status slice(struct lower *l, value x, uint32_t axis, int64_t start, dim size, int64_t stride,
                 value *out)
{
    if (start == 0 && stride == 1 && size == x->dims[axis]) {
        *out = x;
        return O2W_OK;
    }
    struct webnn_slice_attributes a = webnn_slice_defaults();
    a.starts.given = a.sizes.given = a.strides.given = true;
    a.starts.count = a.sizes.count = a.strides.count = x->rank;
    for (uint32_t i = 0; i < x->rank; i++) {
        a.sizes.items[i] = i == axis ? size : x->dims[i];
        a.strides.items[i] = i == axis ? (uint32_t)stride : 1;
    }
    a.starts.items[axis] = (uint32_t)start;
    return move(l, WEBNN_SLICE, x, &a, out);
}

o2w_status expand(struct lower *l, value x, const dim *dims, uint32_t rank, value *out)
{
    if (same_shape(x, dims, rank)) {
        *out = x;
        return O2W_OK;
    }
    if (x->kind == VALUE_KNOWN && x->stored.source == WEIGHT_SPLAT && dims_static(dims, rank)) {
        struct lower_value v = *x;
        v.operand = NO_ID;
        v.bytes = NULL;
        v.rank = rank;
        v.dims = dims;
        if (!dims_count(dims, rank, &v.stored.count))
            return diag_error(l->diags, DIAG_LOWER_OVERFLOW, "an expanded shape overflows");
        return value_new(l, &v, out);
    }
    struct webnn_expand_attributes a = webnn_expand_defaults();
    a.new_shape.given = true;
    a.new_shape.count = rank;
    if (rank)
        memcpy(a.new_shape.items, dims, rank * sizeof *dims);
    return move(l, WEBNN_EXPAND, x, &a, out);
}

o2w_status concat(struct lower *l, const value *items, uint32_t count, uint32_t axis, value *out)
{
    if (count == 1) {
        *out = items[0];
        return O2W_OK;
    }
    struct webnn_concat_attributes a = webnn_concat_defaults();
    a.axis = axis;
    value y;
    TRY(op(l, WEBNN_CONCAT, items, count, &a, &y));
    return retype(l, y, items[0]->dtype, out);
}

o2w_status retype(struct lower *l, value x, enum dtype onnx, value *out)
{
    enum dtype a = DTYPE_COUNT, b = DTYPE_COUNT;
    if (x->dtype == onnx) {
        *out = x;
        return O2W_OK;
    }
    dtype_carried(x->dtype, &a);
    dtype_carried(onnx, &b);
    if (a != b)
        return diag_error(l->diags, DIAG_INTERNAL, "a value of type %s cannot stand for %s",
                          dtype_name(x->dtype), dtype_name(onnx));
    struct lower_value v = *x;
    v.dtype = onnx;
    if (v.kind == VALUE_KNOWN && v.stored.dtype != onnx && v.stored.dtype != b)
        return cast(l, x, onnx, out); /* the bytes are those of a third dtype */
    return value_new(l, &v, out);
}

/* Known values are converted exactly, from and to ONNX's own dtypes. */
static o2w_status cast_known(struct lower *l, value x, enum dtype onnx, value *out)
{
    struct tensor from, to;
    TRY(known_tensor(l, x, &from));
    TRY(known_new(l, onnx, x->dims, x->rank, &to, out));
    return tensor_convert(&from, &to);
}

static bool cast_is_small(struct lower *l, value x)
{
    uint64_t count;
    return value_count(x, &count) && (count <= FOLD_ELEMENTS || l->options->constant_folding);
}

static o2w_status cast_to_bool(struct lower *l, value x, value *out)
{
    value zero, y;
    TRY(scalar_like(l, x, 0, &zero));
    TRY(op2(l, WEBNN_NOT_EQUAL, x, zero, &y));
    return retype(l, y, DTYPE_BOOL, out);
}

/* The low 16 bits of an int32, as the 16-bit type that it carries. */
o2w_status wrap16(struct lower *l, value x, enum dtype onnx, value *out)
{
    value modulus, quotient, whole, rest, bound, outside, moved;
    TRY(scalar_i64(l, DTYPE_INT32, 65536, &modulus));
    TRY(op2(l, WEBNN_DIV, x, modulus, &quotient));
    TRY(op2(l, WEBNN_MUL, quotient, modulus, &whole));
    TRY(op2(l, WEBNN_SUB, x, whole, &rest)); /* -65535 … 65535 */
    TRY(scalar_i64(l, DTYPE_INT32, onnx == DTYPE_INT16 ? -32768 : 0, &bound));
    TRY(op2(l, WEBNN_LESSER, rest, bound, &outside));
    TRY(op2(l, WEBNN_ADD, rest, modulus, &moved));
    TRY(op3(l, WEBNN_WHERE, outside, moved, rest, &rest));
    if (onnx == DTYPE_INT16) {
        TRY(scalar_i64(l, DTYPE_INT32, 32767, &bound));
        TRY(op2(l, WEBNN_GREATER, rest, bound, &outside));
        TRY(op2(l, WEBNN_SUB, rest, modulus, &moved));
        TRY(op3(l, WEBNN_WHERE, outside, moved, rest, &rest));
    }
    return retype(l, rest, onnx, out);
}

/* Whether every value of `from` is one of the 16-bit type. */
static bool fits16(enum dtype from, enum dtype onnx)
{
    return from == DTYPE_UINT8 || from == DTYPE_BOOL || (from == DTYPE_INT8 && onnx == DTYPE_INT16);
}

o2w_status cast(struct lower *l, value x, enum dtype onnx, value *out)
{
    enum dtype carried = DTYPE_COUNT, from = DTYPE_COUNT;
    if (x->dtype == onnx) {
        *out = x;
        return O2W_OK;
    }
    bool carry = dtype_carried(onnx, &carried) && dtype_carried(x->dtype, &from);
    if (x->kind == VALUE_KNOWN && (cast_is_small(l, x) || (carry && carried == from)))
        return cast_known(l, x, onnx, out);
    if (!carry)
        return diag_error(l->diags, DIAG_LOWER_DTYPE, "a cast from %s to %s has no WebNN form",
                          dtype_name(x->dtype), dtype_name(onnx));
    if (onnx == DTYPE_BOOL)
        return cast_to_bool(l, x, out);
    bool wraps = (onnx == DTYPE_INT16 || onnx == DTYPE_UINT16) && !fits16(x->dtype, onnx);
    if (carried == from)
        return wraps ? wrap16(l, x, onnx, out) : retype(l, x, onnx, out);
    struct webnn_cast_attributes a = webnn_cast_defaults();
    a.to = (uint32_t)carried;
    value y;
    TRY(op(l, WEBNN_CAST, OPERANDS(x), &a, &y));
    return wraps ? wrap16(l, y, onnx, out) : retype(l, y, onnx, out);
}
