/* Shapes as values, and operators that change a shape or a dtype. */
#include "lower/helpers.h"

#include <string.h>

/* --- Shape, Size --------------------------------------------------------------------------------- */

struct shape {
    int64_t start;
    struct given_int end;
};

static const struct attr_row shape_15_attrs[] = {
    ATTR_INT(struct shape, start, .fallback_int = 0),
    ATTR_GIVEN_INT(struct shape, end),
};

static uint32_t clamp_axis(int64_t axis, uint32_t rank)
{
    axis += axis < 0 ? (int64_t)rank : 0;
    return axis < 0 ? 0 : axis > (int64_t)rank ? rank : (uint32_t)axis;
}

static o2w_status check_tensor(struct lower *l, const struct node_view *n)
{
    value x = input(n, 0);
    if (value_is_tensor(x) || x->kind == VALUE_STRINGS)
        return O2W_OK;
    return refuse_input(l, n, 0, "is a sequence or optional, a tensor is needed");
}

static o2w_status lower_shape(struct lower *l, const struct node_view *n, const void *params)
{
    const struct shape *p = params;
    value x = input(n, 0), y;
    TRY(check_tensor(l, n));
    uint32_t from = p ? clamp_axis(p->start, x->rank) : 0;
    uint32_t to = p && p->end.given ? clamp_axis(p->end.value, x->rank) : x->rank;
    TRY(shape_value(l, x->dims + from, to > from ? to - from : 0, &y));
    return emit_value(l, n, y);
}

static o2w_status lower_shape_1(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return lower_shape(l, n, NULL);
}

static o2w_status lower_size(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value x = input(n, 0), y;
    dim count;
    TRY(check_tensor(l, n));
    TRY(dims_product(l, n, x->dims, 0, x->rank, &count));
    TRY(shape_value(l, &count, 1, &y));
    TRY(reshape(l, y, NULL, 0, &y));
    return emit_value(l, n, y);
}

/* --- Reshape ------------------------------------------------------------------------------------- */

struct reshape_params {
    int64_t allowzero;
};
struct reshape_1_params {
    struct ints shape;
};

static const struct attr_row reshape_attrs[] = {
    ATTR_INT(struct reshape_params, allowzero, .fallback_int = 0),
};
static const struct attr_row reshape_1_attrs[] = { ATTR_INTS(struct reshape_1_params, shape) };

struct target {
    dim dims[MAX_RANK];
    uint32_t rank;
    uint32_t inferred; /* index of the -1, or NONE_INFERRED */
};
enum { NONE_INFERRED = UINT32_MAX };

/* One element of the asked shape: -1 is for later, 0 the input's own size, others stay. */
static o2w_status target_number(struct lower *l, const struct node_view *n, uint32_t i,
                                int64_t number, bool allowzero, struct target *t)
{
    value x = input(n, 0);
    if (number < -1)
        return refuse(l, n, DIAG_LOWER_SHAPE, "the size %lld is asked for at index %u",
                      (long long)number, i);
    if (number == -1 && t->inferred != NONE_INFERRED)
        return refuse(l, n, DIAG_LOWER_SHAPE,
                      "-1 is asked for at indices %u and %u, one is allowed", t->inferred, i);
    if (number == -1)
        t->inferred = i;
    if (number == 0 && !allowzero && i >= x->rank)
        return refuse(l, n, DIAG_LOWER_SHAPE, "0 at index %u copies a size, the input has rank %u",
                      i, x->rank);
    t->dims[i] = number == -1 ? 1 : number == 0 && !allowzero ? x->dims[i] : number;
    return O2W_OK;
}

static bool has_zero(const struct target *t)
{
    for (uint32_t i = 0; i < t->rank; i++)
        if (t->dims[i] == 0)
            return true;
    return false;
}

/* The size at -1: all elements over those of the other dims. */
static o2w_status infer_target(struct lower *l, const struct node_view *n, struct target *t)
{
    value x = input(n, 0);
    dim all, others, *out = &t->dims[t->inferred];
    TRY(dims_product(l, n, x->dims, 0, x->rank, &all));
    TRY(dims_product(l, n, t->dims, 0, t->rank, &others));
    if (dim_is_static(all) && dim_is_static(others)) {
        if (others == 0 || all % others != 0)
            return refuse(l, n, DIAG_LOWER_SHAPE,
                          "-1 cannot be inferred: %lld elements in parts of %lld", (long long)all,
                          (long long)others);
        *out = all / others;
        return O2W_OK;
    }
    if (others == 0)
        return refuse(l, n, DIAG_LOWER_SHAPE, "-1 cannot be inferred beside a size of 0");
    bool exact = false;
    expr_id a, b, q = 0;
    TRY(dim_to_expr(lower_exprs(l), all, &a));
    TRY(dim_to_expr(lower_exprs(l), others, &b));
    TRY(expr_divide(lower_exprs(l), a, b, &exact, &q));
    if (!exact)
        return dim_of(l, n, EXPR_FLOOR_DIV, all, others, out);
    *out = dim_from_expr(lower_exprs(l), q);
    return O2W_OK;
}

static o2w_status emit_target(struct lower *l, const struct node_view *n, struct target *t)
{
    value y;
    if (t->inferred != NONE_INFERRED)
        TRY(infer_target(l, n, t));
    TRY(reshape(l, input(n, 0), t->dims, t->rank, &y));
    return emit_value(l, n, y);
}

static o2w_status check_target_rank(struct lower *l, const struct node_view *n, uint32_t rank)
{
    if (rank <= MAX_RANK)
        return O2W_OK;
    return refuse(l, n, DIAG_LOWER_LIMIT, "rank %u is asked for, at most %d is supported", rank,
                  MAX_RANK);
}

static o2w_status lower_reshape(struct lower *l, const struct node_view *n, const void *params)
{
    bool allowzero = params && ((const struct reshape_params *)params)->allowzero != 0;
    struct target t = { .inferred = NONE_INFERRED };
    const expr_id *elements;
    TRY(known_shape(l, n, 1, &elements, &t.rank));
    if (input(n, 1)->rank != 1)
        return refuse_input(l, n, 1, "has rank %u, must have 1", input(n, 1)->rank);
    TRY(check_target_rank(l, n, t.rank));
    for (uint32_t i = 0; i < t.rank; i++) {
        int64_t number;
        if (expr_is_number(lower_exprs(l), elements[i], &number))
            TRY(target_number(l, n, i, number, allowzero, &t));
        else
            t.dims[i] = dim_of_expr_id(elements[i]);
    }
    if (allowzero && t.inferred != NONE_INFERRED && has_zero(&t))
        return refuse(l, n, DIAG_LOWER_SHAPE, "-1 and 0 are asked for together with allowzero = 1");
    return emit_target(l, n, &t);
}

static o2w_status lower_reshape_5(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return lower_reshape(l, n, NULL);
}

static o2w_status lower_reshape_1(struct lower *l, const struct node_view *n, const void *params)
{
    const struct reshape_1_params *p = params;
    struct target t = { .rank = p->shape.count, .inferred = NONE_INFERRED };
    TRY(check_target_rank(l, n, t.rank));
    if (!p->shape.given)
        return refuse_attribute(l, n, "shape", "is missing");
    for (uint32_t i = 0; i < t.rank; i++)
        TRY(target_number(l, n, i, p->shape.items[i], false, &t));
    return emit_target(l, n, &t);
}

/* --- Squeeze, Unsqueeze, Flatten ------------------------------------------------------------------ */

struct axes_params {
    struct ints axes;
};

static const struct attr_row axes_attrs[] = { ATTR_INTS(struct axes_params, axes) };
static const struct attr_row required_axes_attrs[] = {
    ATTR_INTS(struct axes_params, axes, .required = true),
};

static o2w_status all_ones(struct lower *l, const struct node_view *n, value x,
                           struct webnn_u32s *axes)
{
    *axes = (struct webnn_u32s){ .given = true };
    for (uint32_t i = 0; i < x->rank; i++) {
        int64_t size;
        TRY(static_dim(l, n, x, i, &size));
        if (size == 1)
            axes->items[axes->count++] = i;
    }
    return O2W_OK;
}

/* No axes by name: none for the standard, every 1 for native ONNX Runtime. */
static o2w_status check_empty_axes(struct lower *l, const struct node_view *n,
                                   const struct ints *given, value x)
{
    if (!given->given || given->count > 0)
        return O2W_OK;
    for (uint32_t i = 0; i < x->rank; i++)
        if (!dim_is_static(x->dims[i]) || x->dims[i] == 1)
            return refuse(l, n, DIAG_LOWER_SHAPE,
                          "an empty list of axes is read in two ways: give the axes, or none");
    return O2W_OK;
}

static o2w_status emit_squeezed(struct lower *l, const struct node_view *n,
                                const struct ints *given)
{
    value x = input(n, 0), y;
    struct webnn_u32s axes;
    if (!given->given)
        TRY(all_ones(l, n, x, &axes));
    else
        TRY(axes_from(l, n, given, x->rank, true, &axes));
    TRY(check_empty_axes(l, n, given, x));
    for (uint32_t i = 0; i < axes.count; i++)
        if (dim_is_static(x->dims[axes.items[i]]) && x->dims[axes.items[i]] != 1)
            return refuse(l, n, DIAG_LOWER_SHAPE, "axis %u has size %lld, only 1 can be dropped",
                          axes.items[i], (long long)x->dims[axes.items[i]]);
    TRY(squeeze(l, x, axes.items, axes.count, &y));
    return emit_value(l, n, y);
}

static o2w_status lower_squeeze_1(struct lower *l, const struct node_view *n, const void *params)
{
    const struct axes_params *p = params;
    return emit_squeezed(l, n, &p->axes);
}

static o2w_status lower_squeeze(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    struct ints axes;
    TRY(known_ints(l, n, 1, &axes));
    return emit_squeezed(l, n, &axes);
}

static o2w_status emit_unsqueezed(struct lower *l, const struct node_view *n,
                                  const struct ints *given)
{
    value x = input(n, 0), y;
    struct webnn_u32s axes;
    TRY(check_target_rank(l, n, x->rank + given->count));
    TRY(axes_from(l, n, given, x->rank + given->count, true, &axes));
    TRY(unsqueeze(l, x, axes.items, axes.count, &y));
    return emit_value(l, n, y);
}

static o2w_status lower_unsqueeze_1(struct lower *l, const struct node_view *n, const void *params)
{
    const struct axes_params *p = params;
    return emit_unsqueezed(l, n, &p->axes);
}

static o2w_status lower_unsqueeze(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    struct ints axes;
    TRY(known_ints(l, n, 1, &axes));
    return emit_unsqueezed(l, n, &axes);
}

struct flatten {
    int64_t axis;
};

static const struct attr_row flatten_attrs[] = {
    ATTR_INT(struct flatten, axis, .fallback_int = 1),
};

/* [product of the dims before the axis, product of the rest] */
static o2w_status emit_flat(struct lower *l, const struct node_view *n, int64_t axis)
{
    value x = input(n, 0), y;
    dim dims[2];
    TRY(dims_product(l, n, x->dims, 0, (uint32_t)axis, &dims[0]));
    TRY(dims_product(l, n, x->dims, (uint32_t)axis, x->rank, &dims[1]));
    TRY(reshape(l, x, dims, 2, &y));
    return emit_value(l, n, y);
}

static o2w_status lower_flatten_1(struct lower *l, const struct node_view *n, const void *params)
{
    const struct flatten *p = params;
    int64_t rank = input(n, 0)->rank;
    if (p->axis < 0 || p->axis > rank)
        return refuse_attribute(l, n, "axis", "is %lld, must be from 0 to %lld", (long long)p->axis,
                                (long long)rank);
    return emit_flat(l, n, p->axis);
}

static o2w_status lower_flatten(struct lower *l, const struct node_view *n, const void *params)
{
    const struct flatten *p = params;
    int64_t rank = input(n, 0)->rank;
    if (p->axis < -rank || p->axis > rank)
        return refuse_attribute(l, n, "axis", "is %lld, must be from %lld to %lld",
                                (long long)p->axis, (long long)-rank, (long long)rank);
    return emit_flat(l, n, p->axis < 0 ? p->axis + rank : p->axis);
}

/* --- Expand, Tile ---------------------------------------------------------------------------------- */

/* Two-way broadcast of one dim: where 1 or equality cannot be decided, the asked size counts and the
 * operator's own rule checks it. */
static o2w_status expand_dim(struct lower *l, const struct node_view *n, dim own, dim asked,
                             dim *out)
{
    *out = own == 1 || (asked != 1 && !dim_is_static(own)) ? asked : own;
    if (own == 1 || asked == 1 || dim_compare(lower_exprs(l), own, asked) != EXPR_DIFFERENT)
        return O2W_OK;
    return refuse_input(l, n, 1, "asks for %s where the input has %s",
                        dim_list_text(lower_exprs(l), &asked, 1, lower_arena(l)),
                        dim_list_text(lower_exprs(l), &own, 1, lower_arena(l)));
}

static o2w_status lower_expand(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    value x = input(n, 0), y;
    const expr_id *elements;
    uint32_t count;
    dim dims[MAX_RANK];
    TRY(known_shape(l, n, 1, &elements, &count));
    TRY(check_target_rank(l, n, count));
    uint32_t rank = count > x->rank ? count : x->rank;
    for (uint32_t i = 0; i < rank; i++) {
        uint32_t from_end = rank - 1 - i;
        dim own = from_end < x->rank ? x->dims[x->rank - 1 - from_end] : 1, asked = 1;
        int64_t number = 0;
        if (from_end < count) {
            expr_id e = elements[count - 1 - from_end];
            if (expr_is_number(lower_exprs(l), e, &number) && number < 0)
                return refuse_input(l, n, 1, "holds the size %lld", (long long)number);
            asked = dim_from_expr(lower_exprs(l), e);
        }
        TRY(expand_dim(l, n, own, asked, &dims[i]));
    }
    TRY(expand(l, x, dims, rank, &y));
    return emit_value(l, n, y);
}

/* Repetitions as numbers; of a dim of 1 an open one is an expansion. */
static o2w_status emit_tiled(struct lower *l, const struct node_view *n, const expr_id *repeats)
{
    value y = input(n, 0);
    struct webnn_tile_attributes a = { .repetitions = { .given = true, .count = y->rank } };
    dim dims[MAX_RANK] = { 0 }, result[MAX_RANK];
    bool repeated = false, empty = false;
    for (uint32_t i = 0; i < y->rank; i++) {
        int64_t number;
        dims[i] = y->dims[i];
        a.repetitions.items[i] = 1;
        if (!expr_is_number(lower_exprs(l), repeats[i], &number)) {
            if (y->dims[i] != 1)
                return refuse_input(l, n, 1, "has an open size at index %u, where the input has %s",
                                    i,
                                    dim_list_text(lower_exprs(l), &y->dims[i], 1, lower_arena(l)));
            result[i] = dims[i] = dim_of_expr_id(repeats[i]);
            continue;
        }
        if (number < 0 || number > INT32_MAX)
            return refuse_input(l, n, 1, "is %lld at index %u, must be from 0 to 2147483647",
                                (long long)number, i);
        a.repetitions.items[i] = (uint32_t)number;
        repeated |= number != 1;
        empty |= number == 0;
        TRY(dim_of(l, n, EXPR_MUL, dims[i], number, &result[i]));
    }
    if (empty) {
        TRY(fill_i64(l, y->dtype, 0, result, y->rank, &y));
        return emit_value(l, n, y);
    }
    TRY(expand(l, y, dims, y->rank, &y));
    if (repeated)
        return emit(l, n, WEBNN_TILE, OPERANDS(y), &a);
    return emit_value(l, n, y);
}

static o2w_status lower_tile(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    const expr_id *repeats;
    uint32_t count;
    TRY(known_shape(l, n, 1, &repeats, &count));
    if (count != input(n, 0)->rank)
        return refuse_input(l, n, 1, "has %u elements, the input has rank %u", count,
                            input(n, 0)->rank);
    return emit_tiled(l, n, repeats);
}

/* Version 1 repeats one axis; both numbers have the input's float type. */
static o2w_status lower_tile_1(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    double tiles, given_axis;
    uint32_t axis, rank = input(n, 0)->rank;
    expr_id repeats[MAX_RANK];
    TRY(known_double(l, n, 1, &tiles));
    TRY(known_double(l, n, 2, &given_axis));
    if (!(tiles >= 0 && tiles <= INT32_MAX) || tiles != (double)(int64_t)tiles)
        return refuse_input(l, n, 1, "is %g, not a number of repetitions", tiles);
    if (!(given_axis >= -MAX_RANK && given_axis <= MAX_RANK) ||
        given_axis != (double)(int64_t)given_axis)
        return refuse_input(l, n, 2, "is %g, not an axis", given_axis);
    TRY(axis_from(l, n, (int64_t)given_axis, rank, 0, &axis));
    for (uint32_t i = 0; i < rank; i++)
        TRY(expr_number(lower_exprs(l), i == axis ? (int64_t)tiles : 1, &repeats[i]));
    return emit_tiled(l, n, repeats);
}

/* --- rows ------------------------------------------------------------------------------------------ */

#define ANY_INPUT(slot)                     \
    {                                       \
        .name = slot, .variable = TYPE_NONE \
    }
#define MOVER(op, from, to, more, ...)                                                         \
    {                                                                                          \
        ONNX(op, from, to), INPUTS(IN("data", T, SET_MOVED), more), RESULTS(OUT("output", T)), \
            .webnn = "reshape", .class = CLASS_DIRECT, __VA_ARGS__                             \
    }

const struct onnx_row shape_rows[] = {
    { ONNX("Shape", 1, 14), INPUTS(ANY_INPUT("data")), RESULTS(OUT_OF("shape", DTYPE_INT64)),
      .lower = lower_shape_1, .class = CLASS_STATIC, .webnn = "constant" },
    { ONNX("Shape", 15, LATEST), INPUTS(ANY_INPUT("data")), RESULTS(OUT_OF("shape", DTYPE_INT64)),
      PARAMS(struct shape, shape_15_attrs), .lower = lower_shape, .class = CLASS_STATIC,
      .webnn = "constant" },
    { ONNX("Size", 1, LATEST), INPUTS(ANY_INPUT("data")), RESULTS(OUT_OF("size", DTYPE_INT64)),
      .lower = lower_size, .class = CLASS_STATIC, .webnn = "constant" },

    { ONNX("Reshape", 1, 4), INPUTS(IN("data", T, SET_FLOATS)), RESULTS(OUT("reshaped", T)),
      PARAMS(struct reshape_1_params, reshape_1_attrs), .lower = lower_reshape_1,
      .class = CLASS_DIRECT, .webnn = "reshape" },
    MOVER("Reshape", 5, 13, IN("shape", NONE, SET_I64, SHAPE), .classes = true,
          .lower = lower_reshape_5),
    MOVER("Reshape", 14, LATEST, IN("shape", NONE, SET_I64, SHAPE), .classes = true,
          .lower = lower_reshape, PARAMS(struct reshape_params, reshape_attrs)),
    { ONNX("Squeeze", 1, 12), INPUTS(IN("data", T, SET_MOVED)), RESULTS(OUT("squeezed", T)),
      PARAMS(struct axes_params, axes_attrs), .classes = true, .lower = lower_squeeze_1,
      .class = CLASS_DIRECT, .webnn = "reshape" },
    MOVER("Squeeze", 13, LATEST, IN_OPT("axes", NONE, SET_I64, KNOWN), .classes = true,
          .lower = lower_squeeze),
    { ONNX("Unsqueeze", 1, 12), INPUTS(IN("data", T, SET_MOVED)), RESULTS(OUT("expanded", T)),
      PARAMS(struct axes_params, required_axes_attrs), .classes = true, .lower = lower_unsqueeze_1,
      .class = CLASS_DIRECT, .webnn = "reshape" },
    MOVER("Unsqueeze", 13, LATEST, IN("axes", NONE, SET_I64, KNOWN), .classes = true,
          .lower = lower_unsqueeze),
    { ONNX("Flatten", 1, 10), INPUTS(IN("input", T, SET_MOVED)), RESULTS(OUT("output", T)),
      PARAMS(struct flatten, flatten_attrs), .classes = true, .lower = lower_flatten_1,
      .class = CLASS_DIRECT, .webnn = "reshape" },
    { ONNX("Flatten", 11, LATEST), INPUTS(IN("input", T, SET_MOVED)), RESULTS(OUT("output", T)),
      PARAMS(struct flatten, flatten_attrs), .classes = true, .lower = lower_flatten,
      .class = CLASS_DIRECT, .webnn = "reshape" },

    { ONNX("Expand", 8, LATEST),
      INPUTS(IN("input", T, SET_MOVED), IN("shape", NONE, SET_I64, SHAPE)),
      RESULTS(OUT("output", T)), .lower = lower_expand, .class = CLASS_DIRECT, .webnn = "expand" },
    { ONNX("Tile", 1, 5),
      INPUTS(IN("input", T, SET_FLOATS), IN("tiles", T, SET_FLOATS, KNOWN),
             IN("axis", T, SET_FLOATS, KNOWN)),
      RESULTS(OUT("output", T)), .lower = lower_tile_1, .class = CLASS_DIRECT, .webnn = "tile" },
    { ONNX("Tile", 6, LATEST),
      INPUTS(IN("input", T, SET_MOVED), IN("repeats", NONE, SET_I64, SHAPE)),
      RESULTS(OUT("output", T)), .lower = lower_tile, .class = CLASS_DIRECT, .webnn = "tile" },
};
ROW_COUNT(shape);
