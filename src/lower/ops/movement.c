/* Operators that only move elements. */
#include "lower/ops/movement.h"

#include <string.h>

/* --- Concat --------------------------------------------------------------------------------------- */

struct concat_params {
    int64_t axis;
};

static const struct attr_row concat_1_attrs[] = {
    ATTR_INT(struct concat_params, axis, .fallback_int = 1),
};
static const struct attr_row concat_attrs[] = {
    ATTR_INT(struct concat_params, axis, .required = true),
};

enum { CONCAT_MOST = 8192 };

static o2w_status check_parts(struct lower *l, const struct node_view *n, uint32_t axis)
{
    value first = input(n, 0);
    for (uint32_t i = 1; i < n->input_count; i++) {
        value x = input(n, i);
        if (x->rank != first->rank)
            return refuse_input(l, n, i, "has rank %u, the first one %u", x->rank, first->rank);
        for (uint32_t k = 0; k < x->rank; k++)
            if (k != axis &&
                dim_compare(lower_exprs(l), x->dims[k], first->dims[k]) == EXPR_DIFFERENT)
                return refuse_input(
                    l, n, i, "has shape %s, which fits %s only but for axis %u",
                    dim_list_text(lower_exprs(l), x->dims, x->rank, lower_arena(l)),
                    dim_list_text(lower_exprs(l), first->dims, first->rank, lower_arena(l)), axis);
    }
    return O2W_OK;
}

/* In a tree where there are more parts than an operator takes. */
static o2w_status join(struct lower *l, value *parts, uint32_t count, uint32_t axis, value *out)
{
    while (count > CONCAT_MOST) {
        uint32_t made = 0;
        for (uint32_t i = 0; i < count; i += CONCAT_MOST) {
            uint32_t size = count - i < CONCAT_MOST ? count - i : CONCAT_MOST;
            value whole;
            TRY(concat(l, parts + i, size, axis, &whole));
            parts[made++] = whole;
        }
        count = made;
    }
    return concat(l, parts, count, axis, out);
}

/* Empty parts add nothing. */
static o2w_status lower_concat(struct lower *l, const struct node_view *n, const void *params)
{
    const struct concat_params *p = params;
    uint32_t axis, count = 0;
    value y;
    TRY(axis_from(l, n, p->axis, input(n, 0)->rank, 0, &axis));
    TRY(check_parts(l, n, axis));
    value *parts = ARENA_ARRAY(lower_arena(l), n->input_count, value);
    if (!parts)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < n->input_count; i++)
        if (input(n, i)->dims[axis] != 0)
            parts[count++] = input(n, i);
    if (count == 0)
        return emit_value(l, n, input(n, 0));
    TRY(join(l, parts, count, axis, &y));
    return emit_value(l, n, y);
}

/* --- Split ---------------------------------------------------------------------------------------- */

struct split_params {
    int64_t axis;
    struct ints split;
    struct given_int num_outputs;
};

static const struct attr_row split_2_attrs[] = {
    ATTR_INT(struct split_params, axis, .fallback_int = 0),
    ATTR_INTS(struct split_params, split),
};
static const struct attr_row split_13_attrs[] = {
    ATTR_INT(struct split_params, axis, .fallback_int = 0),
};
static const struct attr_row split_18_attrs[] = {
    ATTR_INT(struct split_params, axis, .fallback_int = 0),
    ATTR_GIVEN_INT(struct split_params, num_outputs),
};

/* Parts of equal size of an open axis: the graph's rule is that nothing is left over. */
static o2w_status split_open(struct lower *l, const struct node_view *n, uint32_t axis)
{
    struct webnn_split_attributes a = { .splits = { .equal = true, .count = n->output_count },
                                        .axis = axis };
    value *parts = ARENA_ARRAY(lower_arena(l), n->output_count, value);
    if (!parts)
        return diag_memory(lower_diags(l));
    TRY(op_list(l, WEBNN_SPLIT, OPERANDS(input(n, 0)), &a, parts, n->output_count));
    for (uint32_t i = 0; i < n->output_count; i++)
        TRY(emit_output(l, n, i, parts[i]));
    return O2W_OK;
}

static o2w_status emit_empty_part(struct lower *l, const struct node_view *n, uint32_t i,
                                  uint32_t axis)
{
    value x = input(n, 0), y;
    dim dims[MAX_RANK];
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    dims[axis] = 0;
    TRY(fill_i64(l, x->dtype, 0, dims, x->rank, &y));
    return emit_output(l, n, i, y);
}

/* Sizes as the operator wants them: without zeros, as a number where they are equal. */
static o2w_status split_sizes(struct lower *l, const struct node_view *n, uint32_t axis,
                              const int64_t *sizes)
{
    value x = input(n, 0);
    uint32_t *kept = ARENA_ARRAY(lower_arena(l), n->output_count, uint32_t), count = 0;
    value *parts = ARENA_ARRAY(lower_arena(l), n->output_count, value);
    bool equal = true;
    if (!kept || !parts)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < n->output_count; i++) {
        if (sizes[i] == 0)
            continue;
        kept[count++] = (uint32_t)sizes[i];
        equal &= kept[count - 1] == kept[0];
    }
    struct webnn_split_attributes a = { .splits = { equal, count, kept }, .axis = axis };
    parts[0] = x;
    if (count > 1)
        TRY(op_list(l, WEBNN_SPLIT, OPERANDS(x), &a, parts, count));
    for (uint32_t i = 0, next = 0; i < n->output_count; i++)
        TRY(sizes[i] ? emit_output(l, n, i, parts[next++]) : emit_empty_part(l, n, i, axis));
    return O2W_OK;
}

static o2w_status check_sizes(struct lower *l, const struct node_view *n, const struct ints *split,
                              dim whole)
{
    int64_t sum = 0;
    if (split->count != n->output_count)
        return refuse(l, n, DIAG_LOWER_INPUT, "%u parts are given for %u outputs", split->count,
                      n->output_count);
    for (uint32_t i = 0; i < split->count; i++) {
        if (split->items[i] < 0 || split->items[i] > INT32_MAX)
            return refuse(l, n, DIAG_LOWER_SHAPE, "part %u has size %lld", i,
                          (long long)split->items[i]);
        sum += split->items[i];
    }
    if (dim_is_static(whole) && sum != whole)
        return refuse(l, n, DIAG_LOWER_SHAPE, "the parts have %lld elements, the axis %lld",
                      (long long)sum, (long long)whole);
    return O2W_OK;
}

/* As many parts as outputs; `uneven`: the last one may be smaller. */
static o2w_status split_evenly(struct lower *l, const struct node_view *n, uint32_t axis,
                               bool uneven)
{
    dim whole = input(n, 0)->dims[axis];
    int64_t count = n->output_count, size;
    int64_t *sizes = ARENA_ARRAY(lower_arena(l), n->output_count, int64_t);
    if (!sizes)
        return diag_memory(lower_diags(l));
    if (!dim_is_static(whole))
        return split_open(l, n, axis);
    if (whole % count != 0 && !uneven)
        return refuse(l, n, DIAG_LOWER_SHAPE, "axis %u has %lld elements, not a multiple of %lld",
                      axis, (long long)whole, (long long)count);
    size = (whole + count - 1) / count;
    for (int64_t i = 0; i < count; i++) {
        int64_t left = whole - size * i;
        sizes[i] = left < 0 ? 0 : left < size ? left : size;
    }
    return split_sizes(l, n, axis, sizes);
}

static o2w_status emit_split(struct lower *l, const struct node_view *n,
                             const struct split_params *p, const struct ints *split, bool uneven)
{
    uint32_t axis;
    TRY(axis_from(l, n, p->axis, input(n, 0)->rank, 0, &axis));
    if (!split->given)
        return split_evenly(l, n, axis, uneven);
    TRY(check_sizes(l, n, split, input(n, 0)->dims[axis]));
    return split_sizes(l, n, axis, split->items);
}

static o2w_status lower_split_2(struct lower *l, const struct node_view *n, const void *params)
{
    const struct split_params *p = params;
    return emit_split(l, n, p, &p->split, false);
}

/* Version 1 takes the sizes as an attribute or as an input of the data's float type. */
static o2w_status lower_split_1(struct lower *l, const struct node_view *n, const void *params)
{
    const struct split_params *p = params;
    const double *items;
    struct ints split = p->split;
    if (!input(n, 1))
        return lower_split_2(l, n, params);
    if (split.given)
        return refuse_attribute(l, n, "split", "stands beside input 1 'split', one is allowed");
    TRY(known_doubles(l, n, 1, &items, &split.count));
    int64_t *sizes = ARENA_ARRAY(lower_arena(l), split.count, int64_t);
    if (!sizes)
        return diag_memory(lower_diags(l));
    for (uint32_t i = 0; i < split.count; i++)
        sizes[i] = items[i] >= 0 && items[i] <= INT32_MAX ? (int64_t)items[i] : -1;
    split.given = true;
    split.items = sizes;
    return emit_split(l, n, p, &split, false);
}

static o2w_status lower_split_13(struct lower *l, const struct node_view *n, const void *params)
{
    struct ints split;
    TRY(known_ints(l, n, 1, &split));
    return emit_split(l, n, params, &split, false);
}

static o2w_status lower_split(struct lower *l, const struct node_view *n, const void *params)
{
    const struct split_params *p = params;
    struct ints split;
    TRY(known_ints(l, n, 1, &split));
    if (split.given && p->num_outputs.given)
        return refuse_attribute(l, n, "num_outputs",
                                "stands beside input 1 'split', one is allowed");
    if (p->num_outputs.given && p->num_outputs.value != n->output_count)
        return refuse_attribute(l, n, "num_outputs", "is %lld, the node has %u outputs",
                                (long long)p->num_outputs.value, n->output_count);
    return emit_split(l, n, p, &split, p->num_outputs.given);
}

/* --- Transpose, DepthToSpace, SpaceToDepth ----------------------------------------------------------- */

struct transpose_params {
    struct ints perm;
};

static const struct attr_row transpose_attrs[] = { ATTR_INTS(struct transpose_params, perm) };

/* Each axis once. */
static o2w_status check_permutation(struct lower *l, const struct node_view *n,
                                    const struct ints *perm, uint32_t rank)
{
    bool seen[MAX_RANK] = { false };
    if (perm->count != rank)
        return refuse_attribute(l, n, "perm", "has %u items for rank %u", perm->count, rank);
    for (uint32_t i = 0; i < rank; i++) {
        int64_t axis = perm->items[i] < 0 ? perm->items[i] + rank : perm->items[i];
        if (axis < 0 || axis >= rank || seen[axis])
            return refuse_attribute(l, n, "perm", "has %lld at %u, must have each of 0 to %u once",
                                    (long long)perm->items[i], i, rank - 1);
        seen[axis] = true;
    }
    return O2W_OK;
}

static o2w_status lower_transpose(struct lower *l, const struct node_view *n, const void *params)
{
    const struct transpose_params *p = params;
    value x = input(n, 0), y;
    struct webnn_u32s order = { .count = x->rank };
    for (uint32_t i = 0; i < x->rank; i++)
        order.items[i] = x->rank - 1 - i;
    if (p->perm.given) {
        TRY(check_permutation(l, n, &p->perm, x->rank));
        TRY(axes_from(l, n, &p->perm, x->rank, false, &order));
    }
    TRY(transpose(l, x, order.items, &y));
    return emit_value(l, n, y);
}

struct blocks {
    int64_t blocksize;
    struct span mode;
};

static const struct attr_row depth_1_attrs[] = {
    ATTR_INT(struct blocks, blocksize, .required = true),
};
static const struct attr_row depth_attrs[] = {
    ATTR_INT(struct blocks, blocksize, .required = true),
    ATTR_STRING(struct blocks, mode, .fallback_text = "DCR", .allowed = "DCR CRD"),
};

static o2w_status check_blocks(struct lower *l, const struct node_view *n, const struct blocks *p)
{
    if (input(n, 0)->rank != 4)
        return refuse_input(l, n, 0, "has rank %u, must have 4", input(n, 0)->rank);
    if (p->blocksize < 1 || p->blocksize > 32768)
        return refuse_attribute(l, n, "blocksize", "is %lld, must be from 1 to 32768",
                                (long long)p->blocksize);
    return O2W_OK;
}

/* reshape - transpose - reshape */
static o2w_status emit_shuffled(struct lower *l, const struct node_view *n, const dim *parts,
                                const uint32_t *order, const dim *result)
{
    value y;
    TRY(reshape(l, input(n, 0), parts, 6, &y));
    TRY(transpose(l, y, order, &y));
    TRY(reshape(l, y, result, 4, &y));
    return emit_value(l, n, y);
}

static o2w_status check_multiple(struct lower *l, const struct node_view *n, uint32_t axis,
                                 int64_t by)
{
    dim d = input(n, 0)->dims[axis];
    if (!dim_is_static(d) || d % by == 0)
        return O2W_OK;
    return refuse_input(l, n, 0, "has size %lld at axis %u, not a multiple of %lld", (long long)d,
                        axis, (long long)by);
}

/* Depth becomes blocks: [N, b, b, C, H, W] or, CRD, [N, C, b, b, H, W]. */
static o2w_status lower_depth_to_space(struct lower *l, const struct node_view *n,
                                       const void *params)
{
    static const uint32_t dcr[] = { 0, 3, 4, 1, 5, 2 }, crd[] = { 0, 1, 4, 2, 5, 3 };
    const struct blocks *p = params;
    const dim *x = input(n, 0)->dims;
    int64_t b = p->blocksize;
    dim depth, high, wide;
    bool columns = span_is(p->mode, "CRD");
    TRY(check_blocks(l, n, p));
    TRY(check_multiple(l, n, 1, b * b));
    TRY(dim_of(l, n, EXPR_FLOOR_DIV, x[1], b * b, &depth));
    TRY(dim_of(l, n, EXPR_MUL, x[2], b, &high));
    TRY(dim_of(l, n, EXPR_MUL, x[3], b, &wide));
    const dim row_parts[] = { x[0], b, b, depth, x[2], x[3] },
              column_parts[] = { x[0], depth, b, b, x[2], x[3] };
    return emit_shuffled(l, n, columns ? column_parts : row_parts, columns ? crd : dcr,
                         (const dim[]){ x[0], depth, high, wide });
}

static o2w_status lower_space_to_depth(struct lower *l, const struct node_view *n,
                                       const void *params)
{
    static const uint32_t order[] = { 0, 3, 5, 1, 2, 4 };
    const struct blocks *p = params;
    const dim *x = input(n, 0)->dims;
    int64_t b = p->blocksize;
    dim depth, high, wide;
    TRY(check_blocks(l, n, p));
    TRY(check_multiple(l, n, 2, b));
    TRY(check_multiple(l, n, 3, b));
    TRY(dim_of(l, n, EXPR_MUL, x[1], b * b, &depth));
    TRY(dim_of(l, n, EXPR_FLOOR_DIV, x[2], b, &high));
    TRY(dim_of(l, n, EXPR_FLOOR_DIV, x[3], b, &wide));
    return emit_shuffled(l, n, (const dim[]){ x[0], x[1], high, b, wide, b }, order,
                         (const dim[]){ x[0], depth, high, wide });
}

static o2w_status lower_depth_to_space_1(struct lower *l, const struct node_view *n,
                                         const void *params)
{
    struct blocks p = { .blocksize = ((const struct blocks *)params)->blocksize,
                        .mode = SPAN("DCR") };
    return lower_depth_to_space(l, n, &p);
}

/* --- Trilu ------------------------------------------------------------------------------------------ */

struct trilu {
    int64_t upper;
};

static const struct attr_row trilu_attrs[] = { ATTR_INT(struct trilu, upper, .fallback_int = 1) };

/* A computed diagonal: column - row compared with it. */
static o2w_status masked_trilu(struct lower *l, const struct node_view *n, bool upper)
{
    value x = input(n, 0), k, row, column, zero;
    int64_t rows, columns;
    TRY(static_dim(l, n, x, x->rank - 2, &rows));
    TRY(static_dim(l, n, x, x->rank - 1, &columns));
    TRY(reshape(l, input(n, 1), NULL, 0, &k));
    TRY(iota(l, DTYPE_INT64, rows, 0, 2, &row));
    TRY(iota(l, DTYPE_INT64, columns, 1, 2, &column));
    struct calc c = calc_begin(l, row);
    value place = calc_sub(&c, column, row);
    value keep = upper ? calc_greater_equal(&c, place, k) : calc_less_equal(&c, place, k);
    TRY(c.status);
    TRY(scalar_like(l, x, 0, &zero));
    return emit(l, n, WEBNN_WHERE, OPERANDS(keep, x, zero), NULL);
}

static o2w_status lower_trilu(struct lower *l, const struct node_view *n, const void *params)
{
    const struct trilu *p = params;
    struct webnn_triangular_attributes a = { .upper = p->upper != 0 };
    int64_t k = 0;
    if (input(n, 0)->rank < 2)
        return refuse_input(l, n, 0, "has rank %u, at least 2 is needed", input(n, 0)->rank);
    if (input(n, 1) && !value_is_static(input(n, 1)))
        return masked_trilu(l, n, a.upper);
    if (input(n, 1))
        TRY(known_int(l, n, 1, &k));
    a.diagonal = k > INT32_MAX ? INT32_MAX : k < -INT32_MAX ? -INT32_MAX : (int32_t)k;
    return emit(l, n, WEBNN_TRIANGULAR, OPERANDS(input(n, 0)), &a);
}

/* --- ReverseSequence --------------------------------------------------------------------------------- */

struct reverse_sequence {
    int64_t batch_axis, time_axis;
};

static const struct attr_row reverse_sequence_attrs[] = {
    ATTR_INT(struct reverse_sequence, batch_axis, .fallback_int = 1, .allowed = "0 1"),
    ATTR_INT(struct reverse_sequence, time_axis, .fallback_int = 0, .allowed = "0 1"),
};

static o2w_status check_lengths(struct lower *l, const struct node_view *n, int64_t times)
{
    struct ints lengths;
    if (!value_is_known(input(n, 1)))
        return O2W_OK;
    TRY(known_ints(l, n, 1, &lengths));
    for (uint32_t i = 0; i < lengths.count; i++)
        if (lengths.items[i] < 0 || lengths.items[i] > times)
            return refuse_input(l, n, 1, "holds the length %lld, the time axis has %lld",
                                (long long)lengths.items[i], (long long)times);
    return O2W_OK;
}

/* Row (time, batch) comes from where(t < len, len - 1 - t, t) of its batch. */
static o2w_status lower_reverse_sequence(struct lower *l, const struct node_view *n,
                                         const void *params)
{
    const struct reverse_sequence *p = params;
    value x = input(n, 0), lengths, t, batch, y;
    int64_t sizes[2];
    uint32_t time = (uint32_t)p->time_axis;
    struct webnn_gather_attributes a = webnn_gather_defaults();
    dim flat[MAX_RANK];
    if (p->batch_axis == p->time_axis)
        return refuse_attribute(l, n, "batch_axis", "is the time axis too");
    if (x->rank < 2)
        return refuse_input(l, n, 0, "has rank %u, at least 2 is needed", x->rank);
    TRY(static_dim(l, n, x, 0, &sizes[0]));
    TRY(static_dim(l, n, x, 1, &sizes[1]));
    if (input(n, 1)->rank != 1 || input(n, 1)->dims[0] != sizes[1 - time])
        return refuse_input(l, n, 1, "must have one length for each of %lld batches",
                            (long long)sizes[1 - time]);
    TRY(check_lengths(l, n, sizes[time]));
    TRY(iota(l, DTYPE_INT64, sizes[time], time, 2, &t));
    TRY(iota(l, DTYPE_INT64, sizes[1 - time], 1 - time, 2, &batch));
    TRY(reshape(l, input(n, 1), batch->dims, 2, &lengths));
    struct calc c = calc_begin(l, t);
    value mirrored = calc_sub(&c, calc_sub(&c, lengths, calc_number(&c, 1)), t);
    value at = calc_where(&c, calc_less(&c, t, lengths), mirrored, t);
    value major = time == 0 ? at : batch, minor = time == 0 ? batch : at;
    value row = calc_add(&c, calc_mul(&c, major, calc_number(&c, (double)sizes[1])), minor);
    TRY(c.status);
    flat[0] = sizes[0] * sizes[1];
    memcpy(flat + 1, x->dims + 2, (x->rank - 2) * sizeof *flat);
    TRY(reshape(l, row, flat, 1, &row));
    TRY(reshape(l, x, flat, x->rank - 1, &y));
    TRY(op(l, WEBNN_GATHER, OPERANDS(y, row), &a, &y));
    TRY(reshape(l, y, x->dims, x->rank, &y));
    return emit_value(l, n, y);
}

/* --- rows ------------------------------------------------------------------------------------------ */

static const struct attr_row slice_1_attrs[] = {
    ATTR_INTS(struct slice_1_params, starts, .required = true),
    ATTR_INTS(struct slice_1_params, ends, .required = true),
    ATTR_INTS(struct slice_1_params, axes),
};
#define PAD_MODES "constant reflect edge"
static const struct attr_row pad_1_attrs[] = {
    ATTR_(PARAM_INTS, struct pad_2_params, pads, "paddings", .required = true),
    ATTR_STRING(struct pad_2_params, mode, .fallback_text = "constant", .allowed = PAD_MODES),
    ATTR_FLOAT(struct pad_2_params, value, .fallback_float = 0),
};
static const struct attr_row pad_2_attrs[] = {
    ATTR_INTS(struct pad_2_params, pads, .required = true),
    ATTR_STRING(struct pad_2_params, mode, .fallback_text = "constant", .allowed = PAD_MODES),
    ATTR_FLOAT(struct pad_2_params, value, .fallback_float = 0),
};
static const struct attr_row pad_11_attrs[] = {
    ATTR_STRING(struct pad_params, mode, .fallback_text = "constant", .allowed = PAD_MODES),
};
static const struct attr_row pad_19_attrs[] = {
    ATTR_STRING(struct pad_params, mode, .fallback_text = "constant", .allowed = PAD_MODES " wrap"),
};
static const struct attr_row crop_attrs[] = { ATTR_INTS(struct crop_params, axes) };

#define CONCAT(from, to, rows)                                                    \
    {                                                                             \
        ONNX("Concat", from, to), INPUTS(IN_MANY("inputs", T, SET_MOVED)),        \
            RESULTS(OUT("concat_result", T)), PARAMS(struct concat_params, rows), \
            .lower = lower_concat, .class = CLASS_DIRECT, .webnn = "concat"       \
    }
#define SPLIT(from, to, rows, function, ...)                                     \
    {                                                                            \
        ONNX("Split", from, to), INPUTS(IN("input", T, SET_MOVED), __VA_ARGS__), \
            RESULTS(OUT_MANY("outputs", T)), PARAMS(struct split_params, rows),  \
            .lower = function, .class = CLASS_DIRECT, .webnn = "split"           \
    }
#define SLICE_INDEX(slot) IN(slot, NONE, SET_INDEX)
#define PAD_ATTRIBUTES(from, to, rows)                                                       \
    {                                                                                        \
        ONNX("Pad", from, to), INPUTS(IN("data", T, SET_FLOATS)), RESULTS(OUT("output", T)), \
            PARAMS(struct pad_2_params, rows), .lower = lower_pad_2, .class = CLASS_DIRECT,  \
                                               .webnn = "pad"                                \
    }
#define PAD(from, to, rows, ...)                                                              \
    {                                                                                         \
        ONNX("Pad", from, to),                                                                \
            INPUTS(IN("data", T, SET_PADDED), IN("pads", NONE, SET_I64, KNOWN),               \
                   IN_OPT("constant_value", T, SET_PADDED), __VA_ARGS__),                     \
            RESULTS(OUT("output", T)), PARAMS(struct pad_params, rows),                       \
            .lower = lower_pad, .class = CLASS_DIRECT, .partial = from >= 21, .webnn = "pad", \
            .notes = "wrap, far reflections: gather; 4-bit and 8-bit floats refused"          \
    }
#define PAD_AXES   IN_OPT("axes", NONE, SET_INDEX, KNOWN)
#define SET_PADDED (SET_ALL | DTYPE_BIT(DTYPE_INT2) | DTYPE_BIT(DTYPE_UINT2))

const struct onnx_row movement_rows[] = {
    CONCAT(1, 3, concat_1_attrs),
    CONCAT(4, LATEST, concat_attrs),
    SPLIT(1, 1, split_2_attrs, lower_split_1, IN_OPT("split", T, SET_FLOATS, KNOWN)),
    { ONNX("Split", 2, 12), INPUTS(IN("input", T, SET_MOVED)), RESULTS(OUT_MANY("outputs", T)),
      PARAMS(struct split_params, split_2_attrs), .lower = lower_split_2, .class = CLASS_DIRECT,
      .webnn = "split" },
    SPLIT(13, 17, split_13_attrs, lower_split_13, IN_OPT("split", NONE, SET_I64, KNOWN)),
    SPLIT(18, LATEST, split_18_attrs, lower_split, IN_OPT("split", NONE, SET_I64, KNOWN)),

    { ONNX("Slice", 1, 9), INPUTS(IN("data", T, SET_MOVED)), RESULTS(OUT("output", T)),
      PARAMS(struct slice_1_params, slice_1_attrs), .lower = lower_slice_1, .class = CLASS_DIRECT,
      .webnn = "slice" },
    { ONNX("Slice", 10, LATEST),
      INPUTS(IN("data", T, SET_MOVED), SLICE_INDEX("starts"), SLICE_INDEX("ends"),
             IN_OPT("axes", NONE, SET_INDEX, KNOWN), IN_OPT("steps", NONE, SET_INDEX, KNOWN)),
      RESULTS(OUT("output", T)), .lower = lower_slice, .class = CLASS_DIRECT, .partial = true,
      .classes = true, .webnn = "slice, reverse, gather",
      .notes = "bounds computed at run time: one axis, end = start + number" },

    { ONNX("Transpose", 1, LATEST), INPUTS(IN("data", T, SET_MOVED)), RESULTS(OUT("transposed", T)),
      PARAMS(struct transpose_params, transpose_attrs), .lower = lower_transpose, .classes = true,
      .class = CLASS_DIRECT, .webnn = "transpose" },
    { ONNX("DepthToSpace", 1, 10), INPUTS(IN("input", T, SET_ALL)), RESULTS(OUT("output", T)),
      PARAMS(struct blocks, depth_1_attrs), .lower = lower_depth_to_space_1,
      .class = CLASS_COMPOSED, .webnn = "reshape, transpose" },
    { ONNX("DepthToSpace", 11, LATEST), INPUTS(IN("input", T, SET_ALL)), RESULTS(OUT("output", T)),
      PARAMS(struct blocks, depth_attrs), .lower = lower_depth_to_space, .class = CLASS_COMPOSED,
      .webnn = "reshape, transpose" },
    { ONNX("SpaceToDepth", 1, LATEST), INPUTS(IN("input", T, SET_ALL)), RESULTS(OUT("output", T)),
      PARAMS(struct blocks, depth_1_attrs), .lower = lower_space_to_depth, .class = CLASS_COMPOSED,
      .webnn = "reshape, transpose" },

    PAD_ATTRIBUTES(1, 1, pad_1_attrs),
    PAD_ATTRIBUTES(2, 10, pad_2_attrs),
    { ONNX("Pad", 11, 17),
      INPUTS(IN("data", T, SET_ALL), IN("pads", NONE, SET_I64, KNOWN),
             IN_OPT("constant_value", T, SET_ALL)),
      RESULTS(OUT("output", T)), PARAMS(struct pad_params, pad_11_attrs), .lower = lower_pad,
      .class = CLASS_DIRECT, .webnn = "pad", .notes = "far reflections: gather" },
    PAD(18, 18, pad_11_attrs, PAD_AXES),
    PAD(19, 20, pad_19_attrs, PAD_AXES),
    PAD(21, LATEST, pad_19_attrs, PAD_AXES),
    { ONNX("CenterCropPad", 18, LATEST),
      INPUTS(IN("input_data", T, SET_ALL), IN("shape", NONE, SET_INDEX, KNOWN)),
      RESULTS(OUT("output_data", T)), PARAMS(struct crop_params, crop_attrs),
      .lower = lower_center_crop_pad, .class = CLASS_COMPOSED, .webnn = "slice, pad" },

    { ONNX("Trilu", 14, LATEST), INPUTS(IN("input", T, SET_ALL), IN_OPT("k", NONE, SET_I64)),
      RESULTS(OUT("output", T)), PARAMS(struct trilu, trilu_attrs), .lower = lower_trilu,
      .class = CLASS_DIRECT, .webnn = "triangular" },
    { MICROSOFT("Trilu"), INPUTS(IN("X", T, SET_ALL), IN_OPT("k", NONE, SET_I64)),
      RESULTS(OUT("Y", T)), PARAMS(struct trilu, trilu_attrs), .lower = lower_trilu,
      .class = CLASS_DIRECT, .webnn = "triangular" },
    { MICROSOFT("Pad"),
      INPUTS(IN("data", T, SET_FLOATS), IN("pads", NONE, SET_I64, KNOWN),
             IN_OPT("value", T, SET_FLOATS)),
      RESULTS(OUT("output", T)), PARAMS(struct pad_params, pad_11_attrs), .lower = lower_pad,
      .class = CLASS_DIRECT, .webnn = "pad", .notes = "far reflections: gather" },
    { ONNX("ReverseSequence", 10, LATEST),
      INPUTS(IN("input", T, SET_ALL), IN("sequence_lens", NONE, SET_I64)), RESULTS(OUT("Y", T)),
      PARAMS(struct reverse_sequence, reverse_sequence_attrs), .lower = lower_reverse_sequence,
      .class = CLASS_COMPOSED, .webnn = "gather" },
};
ROW_COUNT(movement);
