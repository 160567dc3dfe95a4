/* Ranks that a target does not take: the same operator on reshaped operands. */
#include "webnn/legalise_private.h"

#include <stddef.h>
#include <string.h>

static uint32_t rank_limit(const struct legalise *l, const struct legal_call *c)
{
    uint32_t max = l->limits->max_rank;
    uint32_t slots = c->row->operand_count + c->row->result_count;
    for (uint32_t i = 0; i < slots; i++)
        if (l->limits->operators[c->kind][i].rank_max < max)
            max = l->limits->operators[c->kind][i].rank_max;
    return max;
}

static o2w_status back(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    for (uint32_t i = 0; i < c->result_count; i++)
        TRY(legal_reshape(l, results[i], c->result[i].dims, c->result[i].rank, &results[i]));
    return O2W_OK;
}

/* ---- element by element ---- */

static bool is_elementwise(const struct legal_call *c)
{
    static const enum webnn_operator others[] = { WEBNN_QUANTIZE_LINEAR, WEBNN_DEQUANTIZE_LINEAR,
                                                  WEBNN_PRELU, WEBNN_WHERE, WEBNN_CLAMP };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (c->kind == others[i])
            return true;
    bool logical = c->kind >= WEBNN_ADD && c->kind <= WEBNN_TAN;
    bool activation =
        c->kind == WEBNN_ELU || c->kind == WEBNN_GELU || c->kind == WEBNN_HARD_SIGMOID ||
        c->kind == WEBNN_HARD_SWISH || c->kind == WEBNN_LEAKY_RELU || c->kind == WEBNN_LINEAR ||
        c->kind == WEBNN_RELU || c->kind == WEBNN_SIGMOID || c->kind == WEBNN_SOFTPLUS ||
        c->kind == WEBNN_SOFTSIGN || c->kind == WEBNN_TANH || c->kind == WEBNN_CAST;
    return logical || activation;
}

static bool wants_elementwise(struct legalise *l, const struct legal_call *c)
{
    (void)l;
    return is_elementwise(c) && legal_is_static(c);
}

/* The size of an operand along an axis of the result: missing leading ones are 1. */
static dim aligned(const struct legal_call *c, uint32_t operand, uint32_t axis)
{
    const struct descriptor *d = &c->operand[operand];
    uint32_t missing = c->result[0].rank - d->rank;
    return axis < missing ? 1 : d->dims[axis - missing];
}

/* Whether two neighbouring axes are one for every operand: whole in both, or 1 in both. */
static bool merges(const struct legal_call *c, uint32_t axis)
{
    const dim *out = c->result[0].dims;
    for (uint32_t i = 0; i < c->operand_count; i++) {
        if (c->operands[i] == NO_ID)
            continue;
        dim a = aligned(c, i, axis), b = aligned(c, i, axis + 1);
        bool whole = a == out[axis] && b == out[axis + 1];
        if (!whole && !(a == 1 && b == 1))
            return false;
    }
    return true;
}

/* Groups of axes: starts[i] … starts[i + 1]. Returns their number. */
static uint32_t group_axes(const struct legal_call *c, uint32_t *starts)
{
    uint32_t count = 0, rank = c->result[0].rank;
    for (uint32_t i = 0; i < rank; i++)
        if (i == 0 || !merges(c, i - 1))
            starts[count++] = i;
    starts[count] = rank;
    return count;
}

static o2w_status group_operand(struct legalise *l, const struct legal_call *c, uint32_t operand,
                                const uint32_t *starts, uint32_t count, operand_id *out)
{
    dim dims[MAX_RANK];
    for (uint32_t i = 0; i < count; i++) {
        dims[i] = 1;
        for (uint32_t k = starts[i]; k < starts[i + 1]; k++)
            dims[i] *= aligned(c, operand, k);
    }
    return legal_reshape(l, c->operands[operand], dims, count, out);
}

/* Everything in full, as one list of elements. */
static o2w_status flatten(struct legalise *l, const struct legal_call *c, uint32_t operand,
                          operand_id *out)
{
    const struct descriptor *r = &c->result[0];
    struct webnn_expand_attributes p = { .new_shape = { .given = true, .count = r->rank } };
    dim count = (dim)legal_product(r->dims, 0, r->rank);
    memcpy(p.new_shape.items, r->dims, sizeof r->dims);
    *out = c->operands[operand];
    if (legal_product(c->operand[operand].dims, 0, c->operand[operand].rank) != (uint64_t)count)
        TRY(legal_1(l, WEBNN_EXPAND, *out, &p, out));
    return legal_reshape(l, *out, &count, 1, out);
}

static o2w_status apply_elementwise(struct legalise *l, const struct legal_call *c,
                                    operand_id *results)
{
    uint32_t starts[MAX_RANK + 1], count = group_axes(c, starts);
    operand_id operands[4] = { NO_ID, NO_ID, NO_ID, NO_ID };
    bool groups = count <= rank_limit(l, c);
    if (!groups && (c->kind == WEBNN_QUANTIZE_LINEAR || c->kind == WEBNN_DEQUANTIZE_LINEAR))
        return legal_refuse(l, c, results, "blocks of rank %u, %s allows %u", c->result[0].rank,
                            l->limits->name, rank_limit(l, c));
    for (uint32_t i = 0; i < c->operand_count; i++)
        if (c->operands[i] != NO_ID)
            TRY(groups ? group_operand(l, c, i, starts, count, &operands[i])
                       : flatten(l, c, i, &operands[i]));
    TRY(legal_op(l, c->kind, operands, c->operand_count, c->attributes, results));
    return back(l, c, results);
}

/* ---- along one axis ---- */

/* The place of the axis in the attributes; NULL: the operator has none. */
static uint32_t *axis_of(enum webnn_operator kind, void *attributes)
{
    switch ((int)kind) {
    case WEBNN_SOFTMAX: return &((struct webnn_softmax_attributes *)attributes)->axis;
    case WEBNN_CONCAT: return &((struct webnn_concat_attributes *)attributes)->axis;
    case WEBNN_SPLIT: return &((struct webnn_split_attributes *)attributes)->axis;
    case WEBNN_ARG_MIN:
    case WEBNN_ARG_MAX: return &((struct webnn_arg_min_max_attributes *)attributes)->axis;
    case WEBNN_CUMULATIVE_SUM: return &((struct webnn_cumulative_sum_attributes *)attributes)->axis;
    case WEBNN_GATHER: return &((struct webnn_gather_attributes *)attributes)->axis;
    case WEBNN_GATHER_ELEMENTS:
        return &((struct webnn_gather_elements_attributes *)attributes)->axis;
    case WEBNN_SCATTER_ELEMENTS:
        return &((struct webnn_scatter_elements_attributes *)attributes)->axis;
    case WEBNN_BATCH_NORMALIZATION:
        return &((struct webnn_batch_normalization_attributes *)attributes)->axis;
    default: return NULL;
    }
}

static void *copy_attributes(struct legalise *l, const struct legal_call *c)
{
    void *copy = arena_alloc(&l->arena, c->row->attribute_size + 1, 16);
    if (copy && c->row->attribute_size)
        memcpy(copy, c->attributes, c->row->attribute_size);
    return copy;
}

static bool wants_axis(struct legalise *l, const struct legal_call *c)
{
    (void)l;
    union {
        max_align_t align;
        char bytes[sizeof(struct webnn_gru_attributes)];
    } any;
    bool indices = c->kind == WEBNN_GATHER && c->operand[1].rank != 1;
    return axis_of(c->kind, &any) && legal_is_static(c) && (c->operand[0].rank != 3 || indices);
}

/* Whether an operand has the data's shape but along the axis. */
static bool follows(const struct legal_call *c, uint32_t operand)
{
    if (c->kind == WEBNN_BATCH_NORMALIZATION)
        return operand == 0;
    return operand == 0 || c->kind != WEBNN_GATHER;
}

static o2w_status to_three(struct legalise *l, operand_id x, const struct descriptor *d,
                           uint32_t axis, operand_id *out)
{
    const dim dims[3] = { (dim)legal_product(d->dims, 0, axis), d->dims[axis],
                          (dim)legal_product(d->dims, axis + 1, d->rank) };
    return legal_reshape(l, x, dims, 3, out);
}

static o2w_status apply_axis(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    void *attributes = copy_attributes(l, c);
    operand_id *operands = ARENA_ARRAY(&l->arena, c->operand_count, operand_id);
    if (!attributes || !operands)
        return diag_memory(l->diags);
    uint32_t *place = axis_of(c->kind, attributes), axis = *place;
    *place = 1;
    for (uint32_t i = 0; i < c->operand_count; i++) {
        const dim count = (dim)legal_product(c->operand[i].dims, 0, c->operand[i].rank);
        operands[i] = c->operands[i];
        if (operands[i] == NO_ID)
            continue;
        if (follows(c, i))
            TRY(to_three(l, operands[i], &c->operand[i], axis, &operands[i]));
        else if (c->kind == WEBNN_GATHER)
            TRY(legal_reshape(l, operands[i], &count, 1, &operands[i]));
    }
    TRY(legal_op(l, c->kind, operands, c->operand_count, attributes, results));
    return back(l, c, results);
}

/* ---- reductions ---- */

static bool wants_reduce(struct legalise *l, const struct legal_call *c)
{
    (void)l;
    return c->kind >= WEBNN_REDUCE_L1 && c->kind <= WEBNN_REDUCE_SUM_SQUARE && legal_is_static(c);
}

/* Kept axes first, reduced ones behind them. */
static uint32_t order_axes(const struct legal_call *c, const struct webnn_u32s *axes,
                           uint32_t *permutation)
{
    uint32_t rank = c->operand[0].rank, kept = 0, at = 0;
    bool reduced[MAX_RANK] = { false };
    for (uint32_t i = 0; i < axes->count; i++)
        reduced[axes->items[i]] = true;
    for (uint32_t i = 0; i < rank; i++)
        kept += !reduced[i];
    uint32_t behind = kept;
    for (uint32_t i = 0; i < rank; i++)
        permutation[reduced[i] ? behind++ : at++] = i;
    return kept;
}

static o2w_status apply_reduce(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    const struct webnn_reduce_attributes *p = c->attributes;
    struct webnn_reduce_attributes last = { .axes = { .given = true } };
    const struct descriptor *d = &c->operand[0];
    uint32_t permutation[MAX_RANK], kept = order_axes(c, &p->axes, permutation);
    dim dims[2] = { 1, 1 };
    operand_id x;
    for (uint32_t i = 0; i < d->rank; i++)
        dims[i >= kept] *= d->dims[permutation[i]];
    last.axes.count = p->axes.count > 0; /* without axes the function of each element stays */
    last.axes.items[0] = 1;
    TRY(legal_transpose(l, c->operands[0], permutation, &x));
    TRY(legal_reshape(l, x, dims, 2, &x));
    TRY(legal_1(l, c->kind, x, &last, results));
    return back(l, c, results);
}

/* ---- transpose ---- */

static bool wants_transpose(struct legalise *l, const struct legal_call *c)
{
    (void)l;
    return c->kind == WEBNN_TRANSPOSE && legal_is_static(c);
}

/* Axes that stay neighbours are one. Fills sizes and permutation of the groups; returns their number. */
static uint32_t group_transpose(const struct legal_call *c, dim *sizes, uint32_t *permutation)
{
    const struct webnn_transpose_attributes *p = c->attributes;
    const uint32_t *order = p->permutation.items;
    uint32_t rank = c->operand[0].rank, count = 0, first[MAX_RANK];
    for (uint32_t i = 0; i < rank; i++)
        if (i == 0 || order[i] != order[i - 1] + 1)
            first[count++] = i;
    /* groups in the order of the result; their place in the operand follows from their first axis */
    for (uint32_t g = 0; g < count; g++) {
        uint32_t place = 0;
        for (uint32_t h = 0; h < count; h++)
            place += order[first[h]] < order[first[g]];
        permutation[g] = place;
        sizes[place] = 1;
        for (uint32_t i = first[g]; i < (g + 1 < count ? first[g + 1] : rank); i++)
            sizes[place] *= c->operand[0].dims[order[i]];
    }
    return count;
}

/* From the last group to the first, each comes to the front: [before, group, after] → [group, before, after]. */
static o2w_status transpose_stepwise(struct legalise *l, operand_id x, const dim *sizes,
                                     const uint32_t *permutation, uint32_t count, operand_id *out)
{
    static const uint32_t swap[3] = { 1, 0, 2 };
    uint32_t now[MAX_RANK];
    for (uint32_t i = 0; i < count; i++)
        now[i] = i;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t at = 0;
        dim dims[3] = { 1, sizes[permutation[i]], 1 };
        while (now[at] != permutation[i])
            dims[0] *= sizes[now[at++]];
        for (uint32_t k = at + 1; k < count; k++)
            dims[2] *= sizes[now[k]];
        memmove(&now[1], &now[0], at * sizeof *now);
        now[0] = permutation[i];
        if (at == 0)
            continue;
        TRY(legal_reshape(l, x, dims, 3, &x));
        TRY(legal_transpose(l, x, swap, &x));
    }
    *out = x;
    return O2W_OK;
}

static o2w_status apply_transpose(struct legalise *l, const struct legal_call *c,
                                  operand_id *results)
{
    dim sizes[MAX_RANK];
    uint32_t permutation[MAX_RANK], count = group_transpose(c, sizes, permutation);
    operand_id x = c->operands[0];
    if (count <= rank_limit(l, c)) {
        TRY(legal_reshape(l, x, sizes, count, &x));
        TRY(legal_transpose(l, x, permutation, results));
    } else {
        TRY(transpose_stepwise(l, x, sizes, permutation, count, results));
    }
    return back(l, c, results);
}

/* ---- axis after axis ---- */

static bool wants_steps(struct legalise *l, const struct legal_call *c)
{
    (void)l;
    bool kind = c->kind == WEBNN_SLICE || c->kind == WEBNN_PAD || c->kind == WEBNN_TILE ||
                c->kind == WEBNN_EXPAND;
    return kind && legal_is_static(c);
}

static struct webnn_u32s three(uint32_t outer, uint32_t middle)
{
    return (struct webnn_u32s){ .given = true, .count = 3, .items = { outer, middle, outer } };
}

/* The call's part along one axis, on [before, axis, after]; *touched false: there is none. */
static o2w_status step(struct legalise *l, const struct legal_call *c, uint32_t axis, dim size,
                       const dim sides[2], operand_id x, bool *touched, operand_id *out)
{
    const struct webnn_slice_attributes *slice = c->attributes;
    const struct webnn_pad_attributes *pad = c->attributes;
    const struct webnn_tile_attributes *tile = c->attributes;
    uint32_t shift = c->result[0].rank - c->operand[0].rank;
    dim wanted = c->result[0].dims[axis + shift];
    if (c->kind == WEBNN_SLICE) {
        struct webnn_slice_attributes p = webnn_slice_defaults();
        p.starts = three(0, slice->starts.items[axis]);
        p.strides = three(1, slice->strides.items[axis]);
        p.sizes = (struct webnn_dims){ .given = true,
                                       .count = 3,
                                       .items = { sides[0], slice->sizes.items[axis], sides[1] } };
        *touched = wanted != size;
        return *touched ? legal_1(l, c->kind, x, &p, out) : O2W_OK;
    }
    if (c->kind == WEBNN_PAD) {
        struct webnn_pad_attributes p = *pad;
        p.beginning_padding = three(0, pad->beginning_padding.items[axis]);
        p.ending_padding = three(0, pad->ending_padding.items[axis]);
        *touched = wanted != size;
        return *touched ? legal_1(l, c->kind, x, &p, out) : O2W_OK;
    }
    *touched = wanted != size;
    if (c->kind == WEBNN_TILE) {
        struct webnn_tile_attributes p = { .repetitions = three(1, tile->repetitions.items[axis]) };
        return *touched ? legal_1(l, c->kind, x, &p, out) : O2W_OK;
    }
    struct webnn_expand_attributes p = {
        .new_shape = { .given = true, .count = 3, .items = { sides[0], wanted, sides[1] } }
    };
    return *touched ? legal_1(l, c->kind, x, &p, out) : O2W_OK;
}

static o2w_status apply_steps(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    struct descriptor d = c->operand[0];
    uint32_t shift = c->result[0].rank - d.rank;
    operand_id x = c->operands[0];
    for (uint32_t i = 0; i < d.rank; i++) {
        const dim sides[2] = { (dim)legal_product(d.dims, 0, i),
                               (dim)legal_product(d.dims, i + 1, d.rank) };
        operand_id middle;
        bool touched;
        if (c->result[0].dims[i + shift] == d.dims[i])
            continue;
        TRY(to_three(l, x, &d, i, &middle));
        TRY(step(l, c, i, d.dims[i], sides, middle, &touched, &x));
        d.dims[i] = c->result[0].dims[i + shift];
    }
    if (shift && legal_product(c->result[0].dims, 0, shift) > 1) {
        dim flat = (dim)legal_product(d.dims, 0, d.rank);
        dim lead = (dim)legal_product(c->result[0].dims, 0, shift);
        struct webnn_expand_attributes p = {
            .new_shape = { .given = true, .count = 2, .items = { lead, flat } }
        };
        const dim one[2] = { 1, flat };
        TRY(legal_reshape(l, x, one, 2, &x));
        TRY(legal_1(l, WEBNN_EXPAND, x, &p, &x));
    }
    *results = x;
    return back(l, c, results);
}

/* ---- products ---- */

static bool wants_matmul(struct legalise *l, const struct legal_call *c)
{
    (void)l;
    return c->kind == WEBNN_MATMUL && legal_is_static(c);
}

/* [batch…, rows, columns] in full as [batch, rows, columns]. */
static o2w_status flatten_batch(struct legalise *l, const struct legal_call *c, uint32_t i,
                                operand_id *out)
{
    const struct descriptor *d = &c->operand[i], *r = &c->result[0];
    uint32_t batch = r->rank - 2;
    struct webnn_expand_attributes p = { .new_shape = { .given = true, .count = r->rank } };
    memcpy(p.new_shape.items, r->dims, sizeof r->dims);
    const dim rows = p.new_shape.items[batch] = d->dims[d->rank - 2];
    const dim columns = p.new_shape.items[batch + 1] = d->dims[d->rank - 1];
    const dim dims[3] = { (dim)legal_product(r->dims, 0, batch), rows, columns };
    *out = c->operands[i];
    if (legal_product(d->dims, 0, d->rank - 2) != (uint64_t)dims[0])
        TRY(legal_1(l, WEBNN_EXPAND, *out, &p, out));
    return legal_reshape(l, *out, dims, 3, out);
}

static o2w_status apply_matmul(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    operand_id a, b;
    TRY(flatten_batch(l, c, 0, &a));
    TRY(flatten_batch(l, c, 1, &b));
    TRY(legal_2(l, WEBNN_MATMUL, a, b, results));
    return back(l, c, results);
}

/* ---- the last two axes ---- */

static bool wants_triangular(struct legalise *l, const struct legal_call *c)
{
    (void)l;
    return c->kind == WEBNN_TRIANGULAR && legal_is_static(c) && c->operand[0].rank > 3;
}

static o2w_status apply_triangular(struct legalise *l, const struct legal_call *c,
                                   operand_id *results)
{
    const struct descriptor *d = &c->operand[0];
    const dim dims[3] = { (dim)legal_product(d->dims, 0, d->rank - 2), d->dims[d->rank - 2],
                          d->dims[d->rank - 1] };
    operand_id x;
    TRY(legal_reshape(l, c->operands[0], dims, 3, &x));
    TRY(legal_1(l, c->kind, x, c->attributes, results));
    return back(l, c, results);
}

/* The last axes in order are one; what stands before them is another. */
static bool wants_layer(struct legalise *l, const struct legal_call *c)
{
    const struct webnn_layer_normalization_attributes *p = c->attributes;
    (void)l;
    if (c->kind != WEBNN_LAYER_NORMALIZATION || !legal_is_static(c))
        return false;
    for (uint32_t i = 0; i < p->axes.count; i++)
        if (p->axes.items[i] != c->operand[0].rank - p->axes.count + i)
            return false;
    return p->axes.count > 0;
}

static o2w_status apply_layer(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    const struct webnn_layer_normalization_attributes *p = c->attributes;
    struct webnn_layer_normalization_attributes last = *p;
    const struct descriptor *d = &c->operand[0];
    uint32_t split = d->rank - p->axes.count;
    const dim dims[2] = { (dim)legal_product(d->dims, 0, split),
                          (dim)legal_product(d->dims, split, d->rank) };
    operand_id operands[3] = { NO_ID, NO_ID, NO_ID };
    last.axes.count = 1;
    last.axes.items[0] = 1;
    TRY(legal_reshape(l, c->operands[0], dims, 2, &operands[0]));
    for (uint32_t i = 1; i < c->operand_count; i++)
        if (c->operands[i] != NO_ID)
            TRY(legal_reshape(l, c->operands[i], &dims[1], 1, &operands[i]));
    TRY(legal_op(l, c->kind, operands, c->operand_count, &last, results));
    return back(l, c, results);
}

const struct rewrite legal_ranks[] = {
    { wants_elementwise, apply_elementwise },
    { wants_axis, apply_axis },
    { wants_reduce, apply_reduce },
    { wants_transpose, apply_transpose },
    { wants_steps, apply_steps },
    { wants_matmul, apply_matmul },
    { wants_triangular, apply_triangular },
    { wants_layer, apply_layer },
};
REWRITES(legal_ranks, legal_rank_count);
