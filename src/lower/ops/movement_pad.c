/* Pad and CenterCropPad. */
#include "lower/ops/movement.h"

#include <string.h>

enum pad_mode { PAD_CONSTANT, PAD_REFLECT, PAD_EDGE, PAD_WRAP };

/* Of each axis, negative where elements go away. */
struct pads {
    int64_t begin[MAX_RANK], end[MAX_RANK];
    enum pad_mode mode;
    struct webnn_number number; /* of the constant mode, when it is known */
    value computed;             /* else this one */
};

static enum pad_mode mode_of(struct span mode)
{
    return span_is(mode, "constant")  ? PAD_CONSTANT
           : span_is(mode, "reflect") ? PAD_REFLECT
           : span_is(mode, "edge")    ? PAD_EDGE
                                      : PAD_WRAP;
}

/* --- cutting --------------------------------------------------------------------------------------- */

/* The axis is cut on one side by more than it has: what is left are elements of the other side's padding. */
static bool is_filling(value x, const struct pads *p, uint32_t i)
{
    return p->mode == PAD_CONSTANT && (p->begin[i] > 0 || p->end[i] > 0) &&
           x->dims[i] + p->begin[i] + p->end[i] >= 0;
}

/* Negative pads are cut off first. */
static o2w_status crop(struct lower *l, const struct node_view *n, value x, struct pads *p,
                       value *out)
{
    *out = x;
    for (uint32_t i = 0; i < x->rank; i++) {
        int64_t before = p->begin[i] < 0 ? -p->begin[i] : 0, after = p->end[i] < 0 ? -p->end[i] : 0;
        dim size, cut = before + after;
        if (cut == 0)
            continue;
        if (dim_is_static(x->dims[i]) && cut > x->dims[i] && is_filling(x, p, i)) {
            TRY(slice(l, *out, i, 0, 0, 1, out));
            p->end[i] += p->begin[i] + x->dims[i];
            p->begin[i] = 0;
            continue;
        }
        TRY(dim_of(l, n, EXPR_SUB, x->dims[i], cut, &size));
        if (dim_is_static(x->dims[i]) && cut > x->dims[i])
            return refuse(l, n, DIAG_LOWER_SHAPE, "pads take %lld elements of axis %u, it has %lld",
                          (long long)cut, i, (long long)x->dims[i]);
        TRY(slice(l, *out, i, before, size, 1, out));
        p->begin[i] += before;
        p->end[i] += after;
    }
    return O2W_OK;
}

/* --- filling --------------------------------------------------------------------------------------- */

static o2w_status pad_op(struct lower *l, value x, const struct pads *p, uint32_t mode,
                         struct webnn_number number, value *out)
{
    struct webnn_pad_attributes a = webnn_pad_defaults();
    bool any = false;
    a.mode = mode;
    a.value = number;
    a.beginning_padding.given = a.ending_padding.given = true;
    a.beginning_padding.count = a.ending_padding.count = x->rank;
    for (uint32_t i = 0; i < x->rank; i++) {
        a.beginning_padding.items[i] = (uint32_t)p->begin[i];
        a.ending_padding.items[i] = (uint32_t)p->end[i];
        any |= p->begin[i] != 0 || p->end[i] != 0;
    }
    *out = x;
    return any ? op(l, WEBNN_PAD, OPERANDS(x), &a, out) : O2W_OK;
}

/* A computed constant: where a padded mask of ones says that x is there, x, else the constant. */
static o2w_status pad_computed(struct lower *l, value x, const struct pads *p, value *out)
{
    const struct webnn_number zero = { .kind = WEBNN_NUMBER_INT };
    value ones, mask, number;
    TRY(fill_i64(l, DTYPE_UINT8, 1, x->dims, x->rank, &ones));
    TRY(pad_op(l, ones, p, WEBNN_PADDING_MODE_CONSTANT, zero, &mask));
    TRY(pad_op(l, x, p, WEBNN_PADDING_MODE_CONSTANT, zero, out));
    TRY(reshape(l, p->computed, NULL, 0, &number));
    return *out == x ? O2W_OK : op3(l, WEBNN_WHERE, mask, *out, number, out);
}

/* Where element `at` of the padded axis comes from: walking back and forth, or around. */
static int64_t source_of(enum pad_mode mode, int64_t at, int64_t size)
{
    int64_t period = mode == PAD_WRAP ? size : size > 1 ? 2 * (size - 1) : 1;
    at %= period;
    at += at < 0 ? period : 0;
    return mode == PAD_REFLECT && at >= size ? period - at : at;
}

static o2w_status pad_by_gather(struct lower *l, const struct node_view *n, value x, uint32_t axis,
                                const struct pads *p, value *out)
{
    int64_t size;
    TRY(static_dim(l, n, x, axis, &size));
    if (size == 0)
        return refuse(l, n, DIAG_LOWER_SHAPE, "axis %u is empty, there is nothing to repeat", axis);
    int64_t count = size + p->begin[axis] + p->end[axis];
    if (count > INT32_MAX)
        return refuse(l, n, DIAG_LOWER_LIMIT, "axis %u becomes too long", axis);
    int64_t *indices = ARENA_ARRAY(lower_arena(l), (size_t)count, int64_t);
    if (!indices)
        return diag_memory(lower_diags(l));
    for (int64_t i = 0; i < count; i++)
        indices[i] = source_of(p->mode, i - p->begin[axis], size);
    return gather_known(l, x, indices, (uint32_t)count, axis, out);
}

/* Reflection inside of the axes is WebNN's; further ones and wrapping go by indices, per axis. */
static o2w_status pad_repeating(struct lower *l, const struct node_view *n, value x, struct pads *p,
                                value *out)
{
    *out = x;
    for (uint32_t i = 0; i < x->rank; i++) {
        int64_t longest = p->begin[i] > p->end[i] ? p->begin[i] : p->end[i];
        bool inside = !dim_is_static(x->dims[i]) || longest < x->dims[i];
        if (longest == 0 || (p->mode == PAD_REFLECT && inside))
            continue;
        TRY(pad_by_gather(l, n, *out, i, p, out));
        p->begin[i] = p->end[i] = 0;
    }
    return pad_op(l, *out, p, WEBNN_PADDING_MODE_REFLECTION, (struct webnn_number){ 0 }, out);
}

static o2w_status check_pads(struct lower *l, const struct node_view *n, const struct pads *p)
{
    for (uint32_t i = 0; i < input(n, 0)->rank; i++)
        if (p->begin[i] > INT32_MAX || p->end[i] > INT32_MAX || p->begin[i] < -INT32_MAX ||
            p->end[i] < -INT32_MAX)
            return refuse(l, n, DIAG_LOWER_LIMIT,
                          "axis %u is padded by %lld and %lld, must be within 2147483647", i,
                          (long long)p->begin[i], (long long)p->end[i]);
    return O2W_OK;
}

static o2w_status emit_padded(struct lower *l, const struct node_view *n, struct pads *p)
{
    value x, y;
    TRY(check_pads(l, n, p));
    TRY(crop(l, n, input(n, 0), p, &x));
    switch (p->mode) {
    case PAD_CONSTANT:
        if (p->computed)
            TRY(pad_computed(l, x, p, &y));
        else
            TRY(pad_op(l, x, p, WEBNN_PADDING_MODE_CONSTANT, p->number, &y));
        break;
    case PAD_EDGE:
        TRY(pad_op(l, x, p, WEBNN_PADDING_MODE_EDGE, (struct webnn_number){ 0 }, &y));
        break;
    case PAD_REFLECT:
    case PAD_WRAP: TRY(pad_repeating(l, n, x, p, &y)); break;
    default: return O2W_INTERNAL;
    }
    return emit_value(l, n, y);
}

/* --- Pad ------------------------------------------------------------------------------------------- */

/* [begin of the axes, end of the axes] */
static o2w_status spread_pads(struct lower *l, const struct node_view *n, const struct ints *given,
                              const struct ints *axes, struct pads *p)
{
    struct webnn_u32s order = { .count = input(n, 0)->rank };
    for (uint32_t i = 0; i < order.count; i++)
        order.items[i] = i;
    if (axes->given)
        TRY(axes_from(l, n, axes, input(n, 0)->rank, false, &order));
    if (given->count != order.count * 2)
        return refuse(l, n, DIAG_LOWER_INPUT, "%u pads are given, %u axes need %u", given->count,
                      order.count, order.count * 2);
    for (uint32_t i = 0; i < order.count; i++) {
        p->begin[order.items[i]] = given->items[i];
        p->end[order.items[i]] = given->items[order.count + i];
    }
    return O2W_OK;
}

static o2w_status pad_number(struct lower *l, const struct node_view *n, struct pads *p)
{
    value v = input(n, 2);
    struct tensor t;
    uint64_t count;
    p->number = (struct webnn_number){ .kind = WEBNN_NUMBER_INT };
    if (!v || p->mode != PAD_CONSTANT)
        return O2W_OK;
    if (!value_count(v, &count) || count > 1)
        return refuse_input(l, n, 2, "has shape %s, one number is needed",
                            dim_list_text(lower_exprs(l), v->dims, v->rank, lower_arena(l)));
    if (count == 0)
        return O2W_OK;
    if (!value_is_known(v)) {
        p->computed = v;
        return O2W_OK;
    }
    TRY(known_tensor(l, v, &t));
    p->number = number_at(&t, 0);
    return O2W_OK;
}

o2w_status lower_pad(struct lower *l, const struct node_view *n, const void *params)
{
    struct pads p = { .mode = mode_of(((const struct pad_params *)params)->mode) };
    struct ints given, axes;
    TRY(known_ints(l, n, 1, &given));
    TRY(known_ints(l, n, 3, &axes));
    TRY(spread_pads(l, n, &given, &axes, &p));
    TRY(pad_number(l, n, &p));
    return emit_padded(l, n, &p);
}

o2w_status lower_pad_2(struct lower *l, const struct node_view *n, const void *params)
{
    const struct pad_2_params *a = params;
    struct pads p = { .mode = mode_of(a->mode),
                      .number = { .kind = WEBNN_NUMBER_DOUBLE, .d = a->value } };
    TRY(spread_pads(l, n, &a->pads, &(struct ints){ 0 }, &p));
    return emit_padded(l, n, &p);
}

/* --- CenterCropPad ---------------------------------------------------------------------------------- */

/* Cuts around the middle, the odd element at the end; pads with zeros, the odd one at the end. */
o2w_status lower_center_crop_pad(struct lower *l, const struct node_view *n, const void *params)
{
    const struct crop_params *given = params;
    struct pads p = { .mode = PAD_CONSTANT, .number = { .kind = WEBNN_NUMBER_INT } };
    struct ints sizes;
    struct webnn_u32s axes = { .count = input(n, 0)->rank };
    TRY(known_ints(l, n, 1, &sizes));
    for (uint32_t i = 0; i < axes.count; i++)
        axes.items[i] = i;
    if (given->axes.given)
        TRY(axes_from(l, n, &given->axes, input(n, 0)->rank, false, &axes));
    if (sizes.count != axes.count)
        return refuse_input(l, n, 1, "has %u sizes for %u axes", sizes.count, axes.count);
    for (uint32_t i = 0; i < axes.count; i++) {
        int64_t have, want = sizes.items[i];
        TRY(static_dim(l, n, input(n, 0), axes.items[i], &have));
        if (want < 0 || want > INT32_MAX)
            return refuse_input(l, n, 1, "holds the size %lld", (long long)want);
        int64_t less = want < have ? have - want : want - have;
        p.begin[axes.items[i]] = want < have ? -(less / 2) : less / 2;
        p.end[axes.items[i]] = want < have ? -(less - less / 2) : less - less / 2;
    }
    return emit_padded(l, n, &p);
}
