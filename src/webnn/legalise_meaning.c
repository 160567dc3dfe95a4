/* Forms of an operator that a target refuses or computes otherwise, though types and ranks fit. */
#include "webnn/legalise_private.h"

#include <string.h>

/* ---- slice ---- */

static bool wants_stride(struct legalise *l, const struct legal_call *c)
{
    const struct webnn_slice_attributes *p = c->attributes;
    if (c->kind != WEBNN_SLICE || !legal_noted(l, LIMIT_STRIDE_IN_SIZE))
        return false;
    for (uint32_t i = 0; i < p->strides.count; i++)
        if (dim_is_static(p->sizes.items[i]) && p->strides.items[i] > p->sizes.items[i])
            return true;
    return false;
}

/* One element is read there, whatever the stride. */
static o2w_status apply_stride(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    struct webnn_slice_attributes p = *(const struct webnn_slice_attributes *)c->attributes;
    for (uint32_t i = 0; i < p.strides.count; i++)
        if (dim_is_static(p.sizes.items[i]) && p.strides.items[i] > p.sizes.items[i])
            p.sizes.items[i] = p.strides.items[i] = 1;
    return legal_1(l, c->kind, c->operands[0], &p, results);
}

/* ---- pad ---- */

static bool wants_edge(struct legalise *l, const struct legal_call *c)
{
    const struct webnn_pad_attributes *p = c->attributes;
    return c->kind == WEBNN_PAD && legal_noted(l, LIMIT_NO_EDGE_PAD) && legal_is_static(c) &&
           p->mode == WEBNN_PADDING_MODE_EDGE;
}

/* The slice at `start`, `count` times. */
static o2w_status repeat_edge(struct legalise *l, operand_id x, uint32_t axis, uint32_t start,
                              uint32_t count, operand_id *out)
{
    struct descriptor d = legal_descriptor(l, x);
    struct webnn_expand_attributes p = { .new_shape = { .given = true, .count = d.rank } };
    memcpy(p.new_shape.items, d.dims, sizeof d.dims);
    p.new_shape.items[axis] = count;
    TRY(legal_slice(l, x, &d, axis, start, 1, 1, out));
    return count > 1 ? legal_1(l, WEBNN_EXPAND, *out, &p, out) : O2W_OK;
}

static o2w_status pad_edge(struct legalise *l, operand_id x, uint32_t axis, uint32_t begin,
                           uint32_t end, operand_id *out)
{
    operand_id parts[3];
    uint32_t count = 0;
    struct descriptor d = legal_descriptor(l, x);
    if (begin)
        TRY(repeat_edge(l, x, axis, 0, begin, &parts[count++]));
    parts[count++] = x;
    if (end)
        TRY(repeat_edge(l, x, axis, (uint32_t)d.dims[axis] - 1, end, &parts[count++]));
    return legal_concat(l, parts, count, axis, out);
}

static o2w_status apply_edge(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    const struct webnn_pad_attributes *p = c->attributes;
    operand_id x = c->operands[0];
    for (uint32_t i = 0; i < c->operand[0].rank; i++)
        TRY(pad_edge(l, x, i, p->beginning_padding.items[i], p->ending_padding.items[i], &x));
    *results = x;
    return O2W_OK;
}

/* ---- concat ---- */

static bool is_empty(const struct descriptor *d)
{
    for (uint32_t i = 0; i < d->rank; i++)
        if (d->dims[i] == 0)
            return true;
    return false;
}

static bool wants_parts(struct legalise *l, const struct legal_call *c)
{
    if (c->kind != WEBNN_CONCAT || l->limits->min_dimension == 0 || is_empty(&c->result[0]))
        return false;
    for (uint32_t i = 0; i < c->operand_count; i++)
        if (is_empty(&c->operand[i]))
            return true;
    return false;
}

static o2w_status apply_parts(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    operand_id *parts = ARENA_ARRAY(&l->arena, c->operand_count, operand_id);
    const struct webnn_concat_attributes *p = c->attributes;
    uint32_t count = 0;
    if (!parts)
        return diag_memory(l->diags);
    for (uint32_t i = 0; i < c->operand_count; i++)
        if (!is_empty(&c->operand[i]))
            parts[count++] = c->operands[i];
    return legal_concat(l, parts, count, p->axis, results);
}

/* ---- scatter ---- */

static bool wants_coordinates(struct legalise *l, const struct legal_call *c)
{
    return c->kind == WEBNN_SCATTER_ELEMENTS && legal_noted(l, LIMIT_SCATTER_CONSTANT) &&
           legal_is_static(c) && !legal_is_constant(l, c->operands[1]);
}

/* The coordinate of every index along an axis that the indices do not tell: [count, 1]. */
static o2w_status coordinates(struct legalise *l, const struct descriptor *indices, uint32_t axis,
                              operand_id *out)
{
    const dim dims[2] = { (dim)legal_product(indices->dims, 0, indices->rank), 1 };
    int64_t *values = ARENA_ARRAY(&l->arena, (size_t)dims[0], int64_t);
    uint64_t inner = legal_product(indices->dims, axis + 1, indices->rank);
    if (!values)
        return diag_memory(l->diags);
    for (uint64_t i = 0; i < (uint64_t)dims[0]; i++)
        values[i] = (int64_t)(i / inner % (uint64_t)indices->dims[axis]);
    return legal_integers(l, indices->dtype, values, dims, 2, out);
}

static o2w_status apply_coordinates(struct legalise *l, const struct legal_call *c,
                                    operand_id *results)
{
    const struct webnn_scatter_elements_attributes *p = c->attributes;
    const struct descriptor *indices = &c->operand[1];
    const dim column[2] = { (dim)legal_product(indices->dims, 0, indices->rank), 1 };
    operand_id parts[MAX_RANK], operands[3] = { c->operands[0], NO_ID, NO_ID };
    for (uint32_t i = 0; i < indices->rank; i++)
        TRY(i == p->axis ? legal_reshape(l, c->operands[1], column, 2, &parts[i])
                         : coordinates(l, indices, i, &parts[i]));
    TRY(legal_concat(l, parts, indices->rank, 1, &operands[1]));
    TRY(legal_reshape(l, c->operands[2], column, 1, &operands[2]));
    return legal_op(l, WEBNN_SCATTER_ND, operands, 3, NULL, results);
}

/* ---- cast ---- */

static bool wants_converted(struct legalise *l, const struct legal_call *c)
{
    return c->kind == WEBNN_CAST && legal_noted(l, LIMIT_HALF_CONSTANTS) &&
           c->operand[0].dtype == DTYPE_FLOAT16 && c->result[0].dtype == DTYPE_FLOAT32 &&
           legal_is_constant(l, c->operands[0]);
}

static o2w_status apply_converted(struct legalise *l, const struct legal_call *c,
                                  operand_id *results)
{
    struct tensor t, wide;
    bool known;
    TRY(legal_value(l, c->operands[0], &known, &t));
    if (tensor_new(&l->arena, DTYPE_FLOAT32, t.dims, t.rank, &wide) != O2W_OK ||
        tensor_convert(&t, &wide) != O2W_OK)
        return diag_memory(l->diags);
    return legal_tensor(l, &wide, results);
}

/* ---- nearest neighbour ---- */

enum { MOST_FACTOR = 64 };

/* Whether the size grows by a whole factor, whatever it is. */
static bool is_whole_factor(const struct legalise *l, dim in, dim out)
{
    dim product;
    if (dim_is_static(in) && dim_is_static(out))
        return out % in == 0;
    for (int64_t k = 1; k <= MOST_FACTOR; k++)
        if (dim_apply(l->to.graph->exprs, EXPR_MUL, in, k, &product) == O2W_OK && product == out)
            return true;
    return false;
}

static bool wants_nearest(struct legalise *l, const struct legal_call *c)
{
    const struct webnn_resample2d_attributes *p = c->attributes;
    const struct descriptor *x = &c->operand[0], *y = &c->result[0];
    if (c->kind != WEBNN_RESAMPLE2D || !legal_noted(l, LIMIT_NEAREST_OTHER) ||
        l->options->keep_resample || p->mode != WEBNN_INTERPOLATION_NEAREST_NEIGHBOR)
        return false;
    bool plain = p->axes.items[0] < p->axes.items[1];
    for (uint32_t i = 0; i < 2; i++)
        plain = plain && is_whole_factor(l, x->dims[p->axes.items[i]], y->dims[p->axes.items[i]]);
    return !plain;
}

/* ceil(((2 o + 1) in - 2 out) / (2 out)), within the axis: ties go down. */
static int64_t nearest(int64_t o, int64_t in, int64_t out)
{
    int64_t a = (2 * o + 1) * in - 2 * out, b = 2 * out;
    int64_t up = a > 0 ? (a + b - 1) / b : 0;
    return up < in ? up : in - 1;
}

static o2w_status apply_nearest(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    const struct webnn_resample2d_attributes *p = c->attributes;
    operand_id x = c->operands[0];
    for (uint32_t i = 0; i < 2; i++) {
        struct webnn_gather_attributes along = { .axis = p->axes.items[i] };
        dim in = c->operand[0].dims[along.axis], out = c->result[0].dims[along.axis];
        if (!dim_is_static(in) || !dim_is_static(out))
            return legal_refuse(l, c, results,
                                "open sizes that do not grow by whole factors "
                                "(--override-dim gives them)");
        int64_t *indices = ARENA_ARRAY(&l->arena, (size_t)out, int64_t);
        operand_id operands[2] = { x, NO_ID };
        if (!indices)
            return diag_memory(l->diags);
        for (dim o = 0; o < out; o++)
            indices[o] = nearest(o, in, out);
        TRY(legal_integers(l, DTYPE_INT32, indices, &out, 1, &operands[1]));
        TRY(legal_op(l, WEBNN_GATHER, operands, 2, &along, &x));
    }
    *results = x;
    return O2W_OK;
}

const struct rewrite legal_meanings[] = {
    { wants_stride, apply_stride },       { wants_edge, apply_edge },
    { wants_parts, apply_parts },         { wants_coordinates, apply_coordinates },
    { wants_converted, apply_converted }, { wants_nearest, apply_nearest },
};
REWRITES(legal_meanings, legal_meaning_count);
