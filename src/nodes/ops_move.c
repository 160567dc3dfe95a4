/* Operators that move elements without looking at them. Truth values move as bool, 4-bit integers as
 * bytes. */
#include "nodes/lower.h"

#include <string.h>

static bool same_dims(const struct operand *a, const struct operand *b)
{
    return a->rank == b->rank && dims_equal(a->dims, b->dims, a->rank);
}

/* The input with the dims of the result: a Reshape, or what `node` names. */
static void give_dims(struct emit *e, const char *node)
{
    const struct operand *y = result_at(e, 0);
    bool carried;
    if (same_dims(operand_at(e, 0), y)) {
        nodes_identity(e);
        return;
    }
    ref x = operand_carried(e, 0, &carried);
    ref moved = node ? emit_binary(e, node, x, emit_dims(e, y->dims, NULL, y->rank))
                     : emit_reshape(e, x, y->dims, y->rank);
    set_result_carried(e, 0, moved, carried);
}

void nodes_reshape(struct emit *e)
{
    give_dims(e, NULL);
}

void nodes_expand(struct emit *e)
{
    give_dims(e, "Expand");
}

void nodes_transpose(struct emit *e)
{
    const struct webnn_transpose_attributes *p = ATTRIBUTES_OF(e, transpose);
    uint32_t rank = operand_at(e, 0)->rank, kept = 0;
    bool carried;
    while (kept < rank && p->permutation.items[kept] == kept)
        kept++;
    if (kept == rank) {
        nodes_identity(e);
        return;
    }
    ref x = operand_carried(e, 0, &carried);
    set_result_carried(e, 0, emit_transpose(e, x, p->permutation.items, rank), carried);
}

void nodes_concat(struct emit *e)
{
    uint32_t count = e->node->operand_count, bools = 0;
    ref *parts = ARENA_ARRAY(e->arena, count, ref);
    bool carried = false;
    if (!parts) {
        emit_keep(e, diag_memory(e->diags));
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = operand_carried(e, i, &carried);
        bools += carried;
    }
    carried = bools == count;
    for (uint32_t i = 0; i < count && !carried; i++)
        parts[i] = operand(e, i);
    if (count == 1)
        nodes_identity(e);
    else
        set_result_carried(e, 0,
                           emit_node(e, "Concat", parts, count,
                                     ATTRIBUTES(INT("axis", ATTRIBUTES_OF(e, concat)->axis))),
                           carried);
}

void nodes_split(struct emit *e)
{
    const struct webnn_split_attributes *p = ATTRIBUTES_OF(e, split);
    uint32_t count = e->node->result_count;
    ref *parts = ARENA_ARRAY(e->arena, count, ref);
    int64_t *sizes = ARENA_ARRAY(e->arena, count, int64_t);
    struct tensor t = { .dtype = DTYPE_INT64, .rank = 1, .dims = { count }, .data = sizes };
    bool carried, is_static = true;
    if (!parts || !sizes) {
        emit_keep(e, diag_memory(e->diags));
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        sizes[i] = result_at(e, i)->dims[p->axis];
        is_static = is_static && dim_is_static(sizes[i]);
    }
    ref x = operand_carried(e, 0, &carried);
    if (is_static)
        emit_nodes(e, "Split", REFS(x, emit_tensor(e, &t)), ATTRIBUTES(INT("axis", p->axis)), parts,
                   count);
    else
        emit_nodes(e, "Split", &x, 1, ATTRIBUTES(INT("axis", p->axis), INT("num_outputs", count)),
                   parts, count);
    for (uint32_t i = 0; i < count; i++)
        set_result_carried(e, i, parts[i], carried);
}

void nodes_slice(struct emit *e)
{
    const struct webnn_slice_attributes *p = ATTRIBUTES_OF(e, slice);
    const struct operand *o = operand_at(e, 0);
    int64_t starts[MAX_RANK], steps[MAX_RANK], axes[MAX_RANK];
    dim sizes[MAX_RANK];
    uint32_t n = 0;
    bool carried;
    for (uint32_t i = 0; i < o->rank; i++) {
        uint32_t step = p->strides.given ? p->strides.items[i] : 1;
        if (p->starts.items[i] == 0 && step == 1 && p->sizes.items[i] == o->dims[i])
            continue;
        starts[n] = p->starts.items[i];
        sizes[n] = p->sizes.items[i];
        steps[n] = step;
        axes[n++] = i;
    }
    if (n == 0) {
        nodes_identity(e);
        return;
    }
    ref x = operand_carried(e, 0, &carried);
    ref ends = emit_dims(e, sizes, starts, n);
    ref y = emit_node(
        e, "Slice",
        REFS(x, emit_i64s(e, starts, n), ends, emit_i64s(e, axes, n), emit_i64s(e, steps, n)),
        PLAIN);
    set_result_carried(e, 0, y, carried);
}

void nodes_reverse(struct emit *e)
{
    const struct webnn_reverse_attributes *p = ATTRIBUTES_OF(e, reverse);
    int64_t starts[MAX_RANK], ends[MAX_RANK], steps[MAX_RANK];
    uint32_t n = p->axes.count;
    bool carried;
    if (n == 0) {
        nodes_identity(e);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        starts[i] = steps[i] = -1;
        ends[i] = INT64_MIN;
    }
    ref x = operand_carried(e, 0, &carried);
    ref y = emit_node(e, "Slice",
                      REFS(x, emit_i64s(e, starts, n), emit_i64s(e, ends, n),
                           emit_u32s(e, p->axes.items, n), emit_i64s(e, steps, n)),
                      PLAIN);
    set_result_carried(e, 0, y, carried);
}

void nodes_tile(struct emit *e)
{
    const struct webnn_tile_attributes *p = ATTRIBUTES_OF(e, tile);
    bool carried;
    if (same_dims(operand_at(e, 0), result_at(e, 0))) {
        nodes_identity(e);
        return;
    }
    ref x = operand_carried(e, 0, &carried);
    ref repeats = emit_u32s(e, p->repetitions.items, operand_at(e, 0)->rank);
    set_result_carried(e, 0, emit_binary(e, "Tile", x, repeats), carried);
}

void nodes_pad(struct emit *e)
{
    static const char *const modes[] = {
        [WEBNN_PADDING_MODE_CONSTANT] = "constant",
        [WEBNN_PADDING_MODE_EDGE] = "edge",
        [WEBNN_PADDING_MODE_REFLECTION] = "reflect",
    };
    const struct webnn_pad_attributes *p = ATTRIBUTES_OF(e, pad);
    uint32_t rank = operand_at(e, 0)->rank;
    int64_t pads[2 * MAX_RANK], sum = 0;
    for (uint32_t i = 0; i < rank; i++) {
        pads[i] = p->beginning_padding.items[i];
        pads[rank + i] = p->ending_padding.items[i];
        sum += pads[i] + pads[rank + i];
    }
    if (sum == 0) {
        nodes_identity(e);
        return;
    }
    bool fills = p->mode == WEBNN_PADDING_MODE_CONSTANT && p->value.kind != WEBNN_NUMBER_NONE;
    ref value = fills ? emit_number(e, operand_dtype(e, 0), &p->value) : NULL;
    ref amounts = emit_i64s(e, pads, 2 * rank);
    set_result(e, 0,
               emit_node(e, "Pad", REFS(operand(e, 0), amounts, value),
                         ATTRIBUTES(TEXT("mode", modes[p->mode]))));
}

/* The dtype in which the runtime has triangles, without loss. */
static enum dtype triangular_dtype(enum dtype t)
{
    if (dtype_info(t)->bits == 8 || t == DTYPE_UINT32)
        return DTYPE_INT32;
    return t == DTYPE_UINT64 ? DTYPE_INT64 : t;
}

void nodes_triangular(struct emit *e)
{
    const struct webnn_triangular_attributes *p = ATTRIBUTES_OF(e, triangular);
    enum dtype through = triangular_dtype(operand_dtype(e, 0));
    ref y = emit_node(e, "Trilu",
                      REFS(operand_as(e, 0, through), emit_int(e, DTYPE_INT64, p->diagonal)),
                      ATTRIBUTES(INT("upper", p->upper)));
    set_result_from(e, 0, y, through);
}
