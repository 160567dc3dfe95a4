/* Gathering and scattering. Indices outside are clamped, negative ones count from the end: constant
 * indices are put right here, others by a node, since the runtime refuses what lies outside. */
#include "nodes/lower.h"

/* Bounds of the coordinates: coordinate i of the last dim of the indices, or one for all. */
struct bounds {
    dim sizes[MAX_RANK];
    uint32_t count;
    bool is_vector; /* as the last dim of the indices; else a scalar */
};

static int64_t index_at(const struct tensor *t, uint64_t i)
{
    return t->dtype == DTYPE_UINT32 ? (int64_t)tensor_get_u64(t, i) : tensor_get_i64(t, i);
}

static int64_t clamped(int64_t index, int64_t size)
{
    if (index < 0)
        index += size;
    return index < 0 ? 0 : index >= size ? size - 1 : index;
}

/* The indices as int64, all inside and not negative. */
static ref constant_indices(struct emit *e, const struct tensor *from, const struct bounds *b)
{
    struct tensor to;
    emit_keep(e, tensor_new(e->arena, DTYPE_INT64, from->dims, from->rank, &to));
    if (e->status != O2W_OK)
        return NULL;
    for (uint64_t i = 0; i < tensor_count(from); i++)
        tensor_put_i64(&to, i, clamped(index_at(from, i), b->sizes[i % b->count]));
    return emit_tensor(e, &to);
}

/* Whether the runtime takes constant indices as they are. */
static bool fits(const struct tensor *t, const struct bounds *b, bool narrow)
{
    if (t->dtype != DTYPE_INT64 && !(narrow && t->dtype == DTYPE_INT32))
        return false;
    for (uint64_t i = 0; i < tensor_count(t); i++) {
        int64_t index = tensor_get_i64(t, i), size = b->sizes[i % b->count];
        if (index < -size || index >= size)
            return false;
    }
    return true;
}

static ref bounds_of(struct emit *e, const struct bounds *b, enum dtype t, bool is_low)
{
    int64_t plus[MAX_RANK];
    dim low[MAX_RANK];
    bool is_static = dims_static(b->sizes, b->count);
    for (uint32_t i = 0; i < b->count; i++) {
        plus[i] = is_low ? 0 : -1;
        low[i] = is_static ? -b->sizes[i] : b->sizes[i];
    }
    if (is_static && !b->is_vector)
        return emit_int(e, t, is_low ? low[0] : b->sizes[0] - 1);
    if (is_static && is_low)
        return emit_i64s(e, low, b->count);
    ref sizes =
        b->is_vector ? emit_dims(e, b->sizes, plus, b->count) : emit_dim(e, b->sizes[0], plus[0]);
    return is_low ? emit_unary(e, "Neg", sizes) : sizes;
}

/* Indices of slot 1 within [-size, size - 1]. `narrow`: int32 may stay. */
static ref indices_inside(struct emit *e, const struct bounds *b, bool narrow)
{
    struct tensor t;
    bool is_static = dims_static(b->sizes, b->count);
    if (is_static && operand_constant(e, 1, &t))
        return fits(&t, b, narrow) ? operand(e, 1) : constant_indices(e, &t, b);
    enum dtype dtype =
        narrow && is_static && operand_dtype(e, 1) == DTYPE_INT32 ? DTYPE_INT32 : DTYPE_INT64;
    ref indices = operand_as(e, 1, dtype), low = bounds_of(e, b, dtype, true),
        high = bounds_of(e, b, dtype, false);
    if (!b->is_vector)
        return emit_clip(e, dtype, indices, low, high);
    return emit_max(e, dtype, emit_min(e, dtype, indices, high), low);
}

static ref axis_indices(struct emit *e, uint32_t axis)
{
    const struct bounds b = { .sizes = { operand_at(e, 0)->dims[axis] }, .count = 1 };
    return indices_inside(e, &b, true);
}

void nodes_gather(struct emit *e)
{
    uint32_t axis = ATTRIBUTES_OF(e, gather)->axis;
    bool carried;
    ref x = operand_carried(e, 0, &carried);
    set_result_carried(
        e, 0, emit_node(e, "Gather", REFS(x, axis_indices(e, axis)), ATTRIBUTES(INT("axis", axis))),
        carried);
}

void nodes_gather_elements(struct emit *e)
{
    uint32_t axis = ATTRIBUTES_OF(e, gather_elements)->axis;
    set_result(e, 0,
               emit_node(e, "GatherElements", REFS(operand(e, 0), axis_indices(e, axis)),
                         ATTRIBUTES(INT("axis", axis))));
}

static bool coordinate_bounds(struct emit *e, struct bounds *b)
{
    const struct operand *x = operand_at(e, 0), *indices = operand_at(e, 1);
    dim last = indices->dims[indices->rank - 1];
    *b = (struct bounds){ .is_vector = true };
    if (!dim_is_static(last) || last > x->rank) {
        need_static(e, indices, "indices");
        return false;
    }
    b->count = (uint32_t)last;
    for (uint32_t i = 0; i < b->count; i++)
        b->sizes[i] = x->dims[i];
    return true;
}

void nodes_gather_nd(struct emit *e)
{
    struct bounds b;
    if (!coordinate_bounds(e, &b))
        return;
    ref indices = b.count ? indices_inside(e, &b, false) : operand_as(e, 1, DTYPE_INT64);
    set_result(e, 0, emit_binary(e, "GatherND", operand(e, 0), indices));
}

void nodes_scatter_elements(struct emit *e)
{
    uint32_t axis = ATTRIBUTES_OF(e, scatter_elements)->axis;
    ref indices = axis_indices(e, axis);
    set_result(e, 0,
               emit_node(e, "ScatterElements", REFS(operand(e, 0), indices, operand(e, 2)),
                         ATTRIBUTES(INT("axis", axis))));
}

/* Row-major places in the first `count` dims of the input, one for each update: [updates]. */
static ref target_places(struct emit *e, ref indices, const struct bounds *b)
{
    const struct operand *o = operand_at(e, 1);
    ref rows = emit_node(e, "Flatten", &indices, 1, ATTRIBUTES(INT("axis", o->rank - 1)));
    ref places = NULL, zero = emit_int(e, DTYPE_INT64, 0);
    for (uint32_t i = 0; i < b->count; i++) {
        ref size = emit_dim(e, b->sizes[i], 0);
        ref column = emit_node(e, "Gather", REFS(rows, emit_int(e, DTYPE_INT64, i)),
                               ATTRIBUTES(INT("axis", 1)));
        ref from_end = emit_binary(e, "Add", column, size);
        column = emit_node(e, "Where", REFS(emit_binary(e, "Less", column, zero), from_end, column),
                           PLAIN);
        places =
            places ? emit_binary(e, "Add", emit_binary(e, "Mul", places, size), column) : column;
    }
    return places;
}

/* The runtime writes updates in parallel: among those with one target each is given the last one's
 * value, so that their order does not matter. */
static ref settled_updates(struct emit *e, ref indices, const struct bounds *b)
{
    const struct operand *o = operand_at(e, 1);
    ref places = target_places(e, indices, b), updates = operand(e, 2);
    ref first = emit_int(e, DTYPE_INT64, 0), one = emit_int(e, DTYPE_INT64, 1),
        all = emit_i64s(e, &(const int64_t){ -1 }, 1);
    ref ones = emit_binary(e, "Expand", one, emit_unary(e, "Shape", places));
    ref order = emit_node(e, "CumSum", REFS(ones, first), ATTRIBUTES(INT("exclusive", 1)));
    ref table = emit_binary(e, "Expand", first, emit_dims(e, b->sizes, NULL, b->count));
    table = emit_binary(e, "Reshape", table, all);
    table = emit_node(e, "ScatterElements", REFS(table, places, order), ATTRIBUTES(INT("axis", 0)));
    ref last = emit_binary(e, "Gather", table, places);
    ref rows = emit_node(e, "Flatten", &updates, 1, ATTRIBUTES(INT("axis", o->rank - 1)));
    rows = emit_binary(e, "Gather", rows, last);
    return emit_node(e, "Reshape", REFS(rows, emit_unary(e, "Shape", updates)),
                     ATTRIBUTES(INT("allowzero", 1)));
}

/* Whether two updates may have one target: not with a single one. */
static bool may_collide(const struct emit *e)
{
    const struct operand *o = operand_at(e, 1);
    uint64_t updates;
    return !(dims_count(o->dims, o->rank - 1, &updates) && updates <= 1) && !e->single_thread;
}

void nodes_scatter_nd(struct emit *e)
{
    struct bounds b;
    if (!coordinate_bounds(e, &b))
        return;
    ref indices = b.count ? indices_inside(e, &b, false) : operand_as(e, 1, DTYPE_INT64);
    ref updates = may_collide(e) && b.count ? settled_updates(e, indices, &b) : operand(e, 2);
    set_result(e, 0, emit_node(e, "ScatterND", REFS(operand(e, 0), indices, updates), PLAIN));
}
