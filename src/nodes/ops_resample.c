/* resample2d. Nearest neighbours are gathered by indices that were computed in integers; only a
 * whole-numbered enlargement is left to the runtime. */
#include "nodes/lower.h"

#include <string.h>

/* ceil(c - 1/2) for c = clamp((o + 1/2) * n / m - 1/2, 0, n - 1): the index of output o of m over an
 * input of n. */
static int64_t nearest(int64_t o, int64_t n, int64_t m)
{
    int64_t numerator =
        (2 * o + 1) * n - 2 * m; /* at least 1 - 2m, so the sum below is not negative */
    int64_t index = (numerator + 2 * m - 1) / (2 * m);
    return index < n ? index : n - 1;
}

static ref nearest_table(struct emit *e, int64_t n, int64_t m)
{
    struct tensor t;
    emit_keep(e, tensor_new(e->arena, DTYPE_INT64, &m, 1, &t));
    if (e->status != O2W_OK)
        return NULL;
    for (int64_t o = 0; o < m; o++)
        tensor_put_i64(&t, (uint64_t)o, nearest(o, n, m));
    return emit_tensor(e, &t);
}

/* The same for open dims, at run time. */
static ref nearest_at_run_time(struct emit *e, dim n, dim m)
{
    ref one = emit_int(e, DTYPE_INT64, 1), two = emit_int(e, DTYPE_INT64, 2);
    ref input = emit_dim(e, n, 0), twice = emit_binary(e, "Mul", emit_dim(e, m, 0), two);
    ref ones = emit_binary(e, "Expand", one, emit_dims(e, &m, NULL, 1));
    ref odd = emit_binary(
        e, "Sub",
        emit_binary(e, "Mul",
                    emit_node(e, "CumSum", REFS(ones, emit_int(e, DTYPE_INT64, 0)), PLAIN), two),
        one);
    ref sum = emit_binary(e, "Sub", emit_binary(e, "Mul", odd, input), one);
    return emit_min(e, DTYPE_INT64, emit_binary(e, "Div", sum, twice), emit_dim(e, n, -1));
}

static void resample_by_gather(struct emit *e, const uint32_t axes[2])
{
    const struct operand *x = operand_at(e, 0), *y = result_at(e, 0);
    ref value = operand(e, 0);
    bool moved = false;
    for (uint32_t i = 0; i < 2; i++) {
        dim n = x->dims[axes[i]], m = y->dims[axes[i]];
        if (n == m)
            continue;
        bool is_static = dim_is_static(n) && dim_is_static(m);
        ref indices = is_static ? nearest_table(e, n, m) : nearest_at_run_time(e, n, m);
        value = emit_node(e, "Gather", REFS(value, indices), ATTRIBUTES(INT("axis", axes[i])));
        moved = true;
    }
    if (moved)
        set_result(e, 0, value);
    else
        nodes_identity(e);
}

static bool enlarges_wholly(const struct operand *x, const struct operand *y,
                            const uint32_t axes[2])
{
    for (uint32_t i = 0; i < 2; i++) {
        dim n = x->dims[axes[i]], m = y->dims[axes[i]];
        if (n <= 0 || m <= 0 || m % n != 0)
            return false;
    }
    return true;
}

static ref resize_node(struct emit *e, ref x, const dim *sizes,
                       const struct sink_attribute *attributes, size_t count)
{
    return emit_node(e, "Resize", REFS(x, NULL, NULL, emit_dims(e, sizes, NULL, 4)), attributes,
                     count);
}

/* The runtime interpolates the last two dims, or the two before the last one; others are moved there
 * first. */
static void resample_linear(struct emit *e, const uint32_t axes[2])
{
    const struct operand *x = operand_at(e, 0), *y = result_at(e, 0);
    bool in_place = axes[1] - axes[0] == 1 && axes[0] > 0;
    bool is_integer = dtype_is_integer(x->dtype);
    uint32_t order[4], back[4], n = 0;
    dim sizes[4];
    for (uint32_t i = 0; i < 4; i++)
        if (i != axes[0] && i != axes[1])
            order[n++] = i;
    order[2] = axes[0];
    order[3] = axes[1];
    for (uint32_t i = 0; i < 4; i++)
        back[order[i]] = i;
    for (uint32_t i = 0; i < 4; i++)
        sizes[i] = y->dims[in_place ? i : order[i]];
    ref value = is_integer ? operand_as(e, 0, DTYPE_FLOAT32) : operand_wide(e, 0);
    value = in_place ? value : emit_transpose(e, value, order, 4);
    value = resize_node(
        e, value, sizes,
        ATTRIBUTES(TEXT("mode", "linear"), TEXT("coordinate_transformation_mode", "half_pixel")));
    value = in_place ? value : emit_transpose(e, value, back, 4);
    if (is_integer)
        value = emit_unary(e, "Round", value);
    set_result_from(e, 0, value, DTYPE_FLOAT32);
}

/* One axis between its two neighbours; where the place is that of an element, the element alone,
 * while the runtime would let an infinite neighbour in. */
static ref blend_axis(struct emit *e, ref x, uint32_t axis, int64_t n, int64_t m)
{
    const int64_t along[4] = { m, 1, 1, 1 };
    struct tensor lower, upper, weight, whole;
    emit_keep(e, tensor_new(e->arena, DTYPE_INT64, &m, 1, &lower));
    emit_keep(e, tensor_new(e->arena, DTYPE_INT64, &m, 1, &upper));
    emit_keep(e, tensor_new(e->arena, DTYPE_FLOAT32, along, 4 - axis, &weight));
    emit_keep(e, tensor_new(e->arena, DTYPE_BOOL, along, 4 - axis, &whole));
    if (e->status != O2W_OK)
        return NULL;
    for (int64_t o = 0; o < m; o++) {
        /* c = ((2 o + 1) n - m) / 2m within 0 … n - 1, in integers */
        int64_t numerator = (2 * o + 1) * n - m, last = 2 * m * (n - 1);
        numerator = numerator < 0 ? 0 : numerator > last ? last : numerator;
        int64_t low = numerator / (2 * m), rest = numerator % (2 * m);
        tensor_put_i64(&lower, (uint64_t)o, low);
        tensor_put_i64(&upper, (uint64_t)o, low + (rest != 0));
        tensor_put_double(&weight, (uint64_t)o, (double)rest / (double)(2 * m));
        tensor_put_i64(&whole, (uint64_t)o, rest == 0);
    }
    ref share = emit_tensor(e, &weight),
        rest = emit_binary(e, "Sub", emit_float(e, DTYPE_FLOAT32, 1), share);
    ref a = emit_node(e, "Gather", REFS(x, emit_tensor(e, &lower)), ATTRIBUTES(INT("axis", axis)));
    ref b = emit_node(e, "Gather", REFS(x, emit_tensor(e, &upper)), ATTRIBUTES(INT("axis", axis)));
    ref sum =
        emit_binary(e, "Add", emit_binary(e, "Mul", a, rest), emit_binary(e, "Mul", b, share));
    return emit_node(e, "Where", REFS(emit_tensor(e, &whole), a, sum), PLAIN);
}

static void blend(struct emit *e, const uint32_t axes[2])
{
    const struct operand *x = operand_at(e, 0), *y = result_at(e, 0);
    ref value = operand_wide(e, 0);
    for (uint32_t i = 0; i < 2; i++)
        if (x->dims[axes[i]] != y->dims[axes[i]])
            value = blend_axis(e, value, axes[i], x->dims[axes[i]], y->dims[axes[i]]);
    set_result_wide(e, 0, value);
}

static bool blends(const struct emit *e)
{
    const struct operand *x = operand_at(e, 0), *y = result_at(e, 0);
    return e->exact && dtype_is_float(x->dtype) && dims_static(x->dims, 4) &&
           dims_static(y->dims, 4);
}

void nodes_resample2d(struct emit *e)
{
    const struct webnn_resample2d_attributes *p = ATTRIBUTES_OF(e, resample2d);
    const struct operand *x = operand_at(e, 0), *y = result_at(e, 0);
    uint32_t a = p->axes.items[0], b = p->axes.items[1];
    const uint32_t axes[2] = { a < b ? a : b, a < b ? b : a };
    if (dims_equal(x->dims, y->dims, 4))
        nodes_identity(e);
    else if (p->mode == WEBNN_INTERPOLATION_LINEAR && blends(e))
        blend(e, axes);
    else if (p->mode == WEBNN_INTERPOLATION_LINEAR)
        resample_linear(e, axes);
    else if (enlarges_wholly(x, y, axes) && axes[0] == 2)
        set_result(e, 0,
                   resize_node(e, operand(e, 0), y->dims,
                               ATTRIBUTES(TEXT("mode", "nearest"),
                                          TEXT("coordinate_transformation_mode", "asymmetric"),
                                          TEXT("nearest_mode", "floor"))));
    else
        resample_by_gather(e, axes);
}
