/* Calls and constants that rewrites are made of. */
#include "webnn/legalise_private.h"

#include <string.h>

o2w_status legal_1(struct legalise *l, enum webnn_operator kind, operand_id a,
                   const void *attributes, operand_id *out)
{
    return legal_op(l, kind, &a, 1, attributes, out);
}

o2w_status legal_2(struct legalise *l, enum webnn_operator kind, operand_id a, operand_id b,
                   operand_id *out)
{
    return legal_op(l, kind, (operand_id[]){ a, b }, 2, NULL, out);
}

o2w_status legal_cast(struct legalise *l, operand_id x, enum dtype to, operand_id *out)
{
    struct webnn_cast_attributes p = webnn_cast_defaults();
    p.to = (uint32_t)to;
    if (graph_operand(l->to.graph, x)->dtype != to)
        return legal_1(l, WEBNN_CAST, x, &p, out);
    *out = x;
    return O2W_OK;
}

o2w_status legal_reshape(struct legalise *l, operand_id x, const dim *dims, uint32_t rank,
                         operand_id *out)
{
    struct descriptor d = legal_descriptor(l, x);
    struct webnn_reshape_attributes p = { .new_shape = { .given = true, .count = rank } };
    if (d.rank == rank && dims_equal(d.dims, dims, rank)) {
        *out = x;
        return O2W_OK;
    }
    if (rank)
        memcpy(p.new_shape.items, dims, rank * sizeof *dims);
    return legal_1(l, WEBNN_RESHAPE, x, &p, out);
}

o2w_status legal_transpose(struct legalise *l, operand_id x, const uint32_t *permutation,
                           operand_id *out)
{
    struct descriptor d = legal_descriptor(l, x);
    struct webnn_transpose_attributes p = { .permutation = { .given = true, .count = d.rank } };
    bool same = true;
    for (uint32_t i = 0; i < d.rank; i++) {
        p.permutation.items[i] = permutation[i];
        same = same && permutation[i] == i;
    }
    if (!same)
        return legal_1(l, WEBNN_TRANSPOSE, x, &p, out);
    *out = x;
    return O2W_OK;
}

o2w_status legal_slice(struct legalise *l, operand_id x, const struct descriptor *d, uint32_t axis,
                       uint32_t start, dim size, uint32_t stride, operand_id *out)
{
    struct webnn_slice_attributes p = webnn_slice_defaults();
    if (start == 0 && size == d->dims[axis] && stride == 1) {
        *out = x;
        return O2W_OK;
    }
    p.starts.given = p.sizes.given = p.strides.given = true;
    p.starts.count = p.sizes.count = p.strides.count = d->rank;
    for (uint32_t i = 0; i < d->rank; i++) {
        p.starts.items[i] = i == axis ? start : 0;
        p.sizes.items[i] = i == axis ? size : d->dims[i];
        p.strides.items[i] = i == axis ? stride : 1;
    }
    return legal_1(l, WEBNN_SLICE, x, &p, out);
}

o2w_status legal_concat(struct legalise *l, const operand_id *parts, uint32_t count, uint32_t axis,
                        operand_id *out)
{
    struct webnn_concat_attributes p = { .axis = axis };
    if (count > 1)
        return legal_op(l, WEBNN_CONCAT, parts, count, &p, out);
    *out = parts[0];
    return O2W_OK;
}

/* ---- constants ---- */

o2w_status legal_scalar(struct legalise *l, enum dtype dtype, struct webnn_number value,
                        operand_id *out)
{
    const struct descriptor d = { .dtype = dtype };
    return builder_constant_fill(&l->to, &d, value, out);
}

o2w_status legal_tensor(struct legalise *l, const struct tensor *t, operand_id *out)
{
    struct descriptor d = { .dtype = t->dtype, .rank = t->rank };
    if (t->rank)
        memcpy(d.dims, t->dims, t->rank * sizeof *t->dims);
    return builder_constant_bytes(&l->to, &d, t->data, (size_t)tensor_bytes(t), false, out);
}

o2w_status legal_integers(struct legalise *l, enum dtype dtype, const int64_t *values,
                          const dim *dims, uint32_t rank, operand_id *out)
{
    struct tensor t;
    if (tensor_new(&l->arena, dtype, dims, rank, &t) != O2W_OK)
        return diag_memory(l->diags);
    for (uint64_t i = 0; i < tensor_count(&t); i++)
        tensor_put_i64(&t, i, values[i]);
    return legal_tensor(l, &t, out);
}

o2w_status legal_value(struct legalise *l, operand_id id, bool *known, struct tensor *out)
{
    *known = legal_is_constant(l, id);
    return *known ? graph_constant(l->to.graph, id, &l->arena, l->diags, out) : O2W_OK;
}
