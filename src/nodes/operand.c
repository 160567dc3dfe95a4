/* Operands and results of the operator being lowered. */
#include "nodes/operand.h"

#include "base/half.h"
#include "kernels/kernel.h"

#include <string.h>

bool has_operand(const struct emit *e, uint32_t slot)
{
    return slot < e->node->operand_count && e->node->operands[slot] != NO_ID;
}

const struct operand *operand_at(const struct emit *e, uint32_t slot)
{
    return graph_operand(e->graph, e->node->operands[slot]);
}

const struct operand *result_at(const struct emit *e, uint32_t index)
{
    return graph_operand(e->graph, e->node->first_result + index);
}

double option_value(const struct emit *e, double value)
{
    bool narrow = operand_dtype(e, 0) == DTYPE_FLOAT16;
    return narrow ? (double)half_to_float(half_from_double(value)) : (double)(float)value;
}

/* The dtype of `carried`; the operand's own where there is no such form. */
static enum dtype carried_dtype(enum dtype t)
{
    if (t == DTYPE_UINT8)
        return DTYPE_BOOL;
    if (t == DTYPE_INT4)
        return DTYPE_INT8;
    return t == DTYPE_UINT4 ? DTYPE_UINT8 : t;
}

static bool same_shape(const struct operand *a, const struct operand *b)
{
    return a->dtype == b->dtype && a->rank == b->rank && dims_equal(a->dims, b->dims, a->rank);
}

/* Pages of a file can be given back; those of borrowed memory, which also stands for files, not. */
void note_mapping(struct emit *e, const struct weight *w, const struct tensor *value)
{
    enum { LEAST = 1 << 20 };
    const uint8_t *data = value->data;
    uint64_t size = tensor_bytes(value);
    if (w->source != WEIGHT_FILE || w->file->descriptor < 0 || size < LEAST ||
        data < w->file->mapping.data || data >= w->file->mapping.data + w->file->mapping.size)
        return;
    if (!VEC_PUSH(&e->mapped, (struct span){ data, (size_t)size }))
        emit_keep(e, diag_memory(e->diags));
}

/* Constants over one weight with one shape are one constant of the model. */
static ref constant_ref(struct emit *e, operand_id id)
{
    const struct operand *o = graph_operand(e->graph, id);
    operand_id *first = &e->first_use[o->source];
    struct tensor value;
    if (*first != NO_ID && *first != id && same_shape(graph_operand(e->graph, *first), o))
        return e->forms[*first].plain;
    if (*first == NO_ID)
        *first = id;
    emit_keep(e, graph_constant(e->graph, id, e->arena, e->diags, &value));
    if (e->status != O2W_OK)
        return NULL;
    note_mapping(e, graph_weight(e->graph, id), &value);
    return emit_tensor(e, &value);
}

static ref plain_of(struct emit *e, operand_id id)
{
    const struct operand *o = graph_operand(e->graph, id);
    struct form *form = &e->forms[id];
    if (e->status != O2W_OK)
        return NULL;
    if (!form->plain && form->carried)
        form->plain = emit_cast(e, form->carried, o->dtype);
    else if (!form->plain && o->kind == OPERAND_CONSTANT)
        form->plain = constant_ref(e, id);
    return form->plain;
}

static ref carried_of(struct emit *e, operand_id id)
{
    struct form *form = &e->forms[id];
    if (e->status == O2W_OK && !form->carried)
        form->carried =
            emit_cast(e, plain_of(e, id), carried_dtype(graph_operand(e->graph, id)->dtype));
    return form->carried;
}

ref operand(struct emit *e, uint32_t slot)
{
    return has_operand(e, slot) ? plain_of(e, e->node->operands[slot]) : NULL;
}

ref operand_bool(struct emit *e, uint32_t slot)
{
    return carried_of(e, e->node->operands[slot]);
}

ref operand_carried(struct emit *e, uint32_t slot, bool *carried)
{
    operand_id id = e->node->operands[slot];
    enum dtype t = graph_operand(e->graph, id)->dtype;
    const struct form *form = &e->forms[id];
    bool is_truth = t == DTYPE_UINT8 && form->carried && !form->plain;
    *carried = is_truth || dtype_in(t, DTYPES_4BIT);
    return *carried ? carried_of(e, id) : plain_of(e, id);
}

ref operand_as(struct emit *e, uint32_t slot, enum dtype to)
{
    operand_id id = e->node->operands[slot];
    const struct operand *o = graph_operand(e->graph, id);
    const struct form *form = &e->forms[id];
    if (o->dtype == to)
        return plain_of(e, id);
    if (form->carried && !form->plain)
        return carried_dtype(o->dtype) == to ? form->carried : emit_cast(e, form->carried, to);
    return emit_cast(e, plain_of(e, id), to);
}

ref operand_wide(struct emit *e, uint32_t slot)
{
    if (!has_operand(e, slot))
        return NULL;
    return operand_dtype(e, slot) == DTYPE_FLOAT16 ? operand_as(e, slot, DTYPE_FLOAT32)
                                                   : operand(e, slot);
}

void set_result(struct emit *e, uint32_t index, ref value)
{
    e->forms[e->node->first_result + index].plain = value;
}

void set_result_bool(struct emit *e, uint32_t index, ref value)
{
    e->forms[e->node->first_result + index].carried = value;
}

void set_result_carried(struct emit *e, uint32_t index, ref value, bool carried)
{
    if (carried)
        set_result_bool(e, index, value);
    else
        set_result(e, index, value);
}

void set_result_from(struct emit *e, uint32_t index, ref value, enum dtype from)
{
    enum dtype to = result_at(e, index)->dtype;
    set_result(e, index, from == to ? value : emit_cast(e, value, to));
}

void set_result_wide(struct emit *e, uint32_t index, ref value)
{
    enum dtype to = result_at(e, index)->dtype;
    set_result(e, index, to == DTYPE_FLOAT16 ? emit_cast(e, value, to) : value);
}

bool operand_constant(struct emit *e, uint32_t slot, struct tensor *out)
{
    if (e->status != O2W_OK || !has_operand(e, slot) ||
        operand_at(e, slot)->kind != OPERAND_CONSTANT)
        return false;
    emit_keep(e, graph_constant(e->graph, e->node->operands[slot], e->arena, e->diags, out));
    return e->status == O2W_OK;
}

ref emit_transpose(struct emit *e, ref x, const uint32_t *permutation, uint32_t rank)
{
    int64_t wide[MAX_RANK];
    for (uint32_t i = 0; i < rank; i++)
        wide[i] = permutation[i];
    return emit_node(e, "Transpose", &x, 1, ATTRIBUTES(INTS("perm", wide, rank)));
}

static ref permuted_constant(struct emit *e, const struct tensor *from, const uint32_t *permutation)
{
    struct webnn_transpose_attributes attributes = { .permutation = { .given = true,
                                                                      .count = from->rank } };
    int64_t dims[MAX_RANK];
    struct tensor to;
    struct arena scratch;
    for (uint32_t i = 0; i < from->rank; i++) {
        attributes.permutation.items[i] = permutation[i];
        dims[i] = from->dims[permutation[i]];
    }
    emit_keep(e, tensor_new(e->arena, from->dtype, dims, from->rank, &to));
    if (e->status != O2W_OK)
        return NULL;
    arena_init(&scratch, e->graph->allocator);
    const struct kernel_call call = {
        .kind = WEBNN_TRANSPOSE,
        .operands = (const struct tensor *const[]){ from },
        .operand_count = 1,
        .attributes = &attributes,
        .results = &to,
        .result_count = 1,
        .scratch = &scratch,
        .allocator = e->graph->allocator,
    };
    o2w_status status = kernel_run(&call);
    arena_free(&scratch);
    if (status != O2W_OK)
        emit_fail(e, "the constant cannot be transposed: %s", o2w_status_text(status));
    return e->status == O2W_OK ? emit_tensor(e, &to) : NULL;
}

ref operand_permuted(struct emit *e, uint32_t slot, const uint32_t *permutation)
{
    struct tensor value;
    uint32_t rank = operand_at(e, slot)->rank, kept = 0;
    while (kept < rank && permutation[kept] == kept)
        kept++;
    if (kept == rank)
        return operand(e, slot);
    if (operand_constant(e, slot, &value))
        return permuted_constant(e, &value, permutation);
    return emit_transpose(e, operand(e, slot), permutation, rank);
}

ref operand_reshaped(struct emit *e, uint32_t slot, const int64_t *dims, uint32_t rank)
{
    struct tensor value;
    const struct operand *o = operand_at(e, slot);
    if (o->rank == rank && dims_equal(o->dims, dims, rank))
        return operand(e, slot);
    if (operand_constant(e, slot, &value)) {
        value.rank = rank;
        memcpy(value.dims, dims, rank * sizeof *dims);
        return emit_tensor(e, &value);
    }
    return emit_reshape(e, operand(e, slot), dims, rank);
}

/* One open dim can be left to the runtime, which then knows more of the shape, if no other is 0. */
static bool shape_with_rest(const dim *dims, uint32_t rank, int64_t *out)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < rank; i++) {
        open += dims[i] < 0;
        out[i] = dims[i] < 0 ? -1 : dims[i];
        if (dims[i] == 0)
            return false;
    }
    return open <= 1;
}

ref emit_reshape(struct emit *e, ref x, const dim *dims, uint32_t rank)
{
    int64_t shape[MAX_RANK * 2];
    ref wanted = shape_with_rest(dims, rank, shape) ? emit_i64s(e, shape, rank)
                                                    : emit_dims(e, dims, NULL, rank);
    return emit_node(e, "Reshape", REFS(x, wanted), ATTRIBUTES(INT("allowzero", 1)));
}

ref output_value(struct emit *e, operand_id id, const ref *taken, size_t taken_count)
{
    ref value = plain_of(e, id);
    bool is_own = value && value[0] == RESULT_LETTER;
    enum dtype t = graph_operand(e->graph, id)->dtype;
    for (size_t i = 0; i < taken_count && is_own; i++)
        is_own = taken[i] != value;
    if (is_own || !value)
        return value;
    return dtype_in(t, DTYPES_4BIT) ? emit_cast(e, carried_of(e, id), t)
                                    : emit_unary(e, "Identity", value);
}

bool need_static(struct emit *e, const struct operand *o, const char *what)
{
    if (dims_static(o->dims, o->rank))
        return true;
    char text[128];
    dims_text(o->dims, o->rank, text, sizeof text);
    emit_fail(
        e,
        "%s has shape %s, must be all numbers on ONNX Runtime; give the dim a size with --override-dim",
        what, text);
    return false;
}
