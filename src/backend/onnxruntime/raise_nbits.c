/* matmul with a matrix that is dequantised in blocks of K, stored [N, K]: MatMulNBits. Otherwise the
 * runtime would dequantise the whole matrix at every run. */
#include "backend/onnxruntime/raise.h"

#include <string.h>

enum { LEAST_BLOCK = 16 };

struct nbits {
    const struct operator_node *dequantize;
    int64_t n, k, blocks, block;
    uint32_t bits;
};

static const struct operand *first_operand(const struct emit *e, const struct operator_node *node)
{
    return graph_operand(e->graph, node->operands[0]);
}

/* [N, whole blocks] cut to [N, K]. */
static bool cuts_the_end(const struct emit *e, const struct operator_node *node)
{
    const struct webnn_slice_attributes *p = node->attributes;
    const struct operand *x = first_operand(e, node),
                         *y = graph_operand(e->graph, node->first_result);
    for (uint32_t i = 0; i < x->rank; i++)
        if (p->starts.items[i] != 0 || (p->strides.given && p->strides.items[i] != 1))
            return false;
    return x->rank == 2 && x->dims[0] == y->dims[0];
}

static bool is_matrix_of_blocks(const struct emit *e, const struct operator_node *node,
                                struct nbits *m)
{
    const struct operand *q = graph_operand(e->graph, node->operands[0]),
                         *scale = graph_operand(e->graph, node->operands[1]);
    for (uint32_t i = 0; i < 3; i++)
        if (graph_operand(e->graph, node->operands[i])->kind != OPERAND_CONSTANT)
            return false;
    if (q->rank != 3 || scale->dims[0] != q->dims[0] || scale->dims[1] != q->dims[1] ||
        scale->dims[2] != 1)
        return false;
    *m = (struct nbits){
        .dequantize = node, .n = q->dims[0], .blocks = q->dims[1], .block = q->dims[2]
    };
    m->bits = q->dtype == DTYPE_UINT4 ? 4 : q->dtype == DTYPE_UINT8 ? 8 : 0;
    bool is_power = m->block >= LEAST_BLOCK && (m->block & (m->block - 1)) == 0;
    return m->bits && is_power && m->n > 0 && m->blocks > 0;
}

/* dequantizeLinear [N, blocks, block] → reshape [N, blocks · block] → slice [N, K] → transpose. */
static bool find_matrix(const struct emit *e, const struct operator_node *product, struct nbits *m)
{
    const struct operand *b = graph_operand(e->graph, product->operands[1]);
    const struct operator_node *turn = operand_made_by(e, product->operands[1], WEBNN_TRANSPOSE),
                               *cut, *flat, *dequantize;
    if (!turn || b->rank != 2 || !dims_static(b->dims, 2) ||
        ((const struct webnn_transpose_attributes *)turn->attributes)->permutation.items[0] != 1)
        return false;
    cut = operand_made_by(e, turn->operands[0], WEBNN_SLICE);
    if (cut && !cuts_the_end(e, cut))
        return false;
    flat = operand_made_by(e, cut ? cut->operands[0] : turn->operands[0], WEBNN_RESHAPE);
    dequantize = flat ? operand_made_by(e, flat->operands[0], WEBNN_DEQUANTIZE_LINEAR) : NULL;
    if (!dequantize || !is_matrix_of_blocks(e, dequantize, m))
        return false;
    const struct operand *rows = graph_operand(e->graph, flat->first_result);
    m->k = b->dims[0];
    return rows->rank == 2 && rows->dims[0] == m->n && rows->dims[1] == m->blocks * m->block &&
           b->dims[1] == m->n && m->k > (m->blocks - 1) * m->block;
}

static bool matches(struct emit *e, const struct operator_node *node, struct raise_match *match)
{
    struct nbits m;
    match->absorbs = 1 << 1;
    return find_matrix(e, node, &m);
}

static bool constant_of(struct emit *e, operand_id id, struct tensor *out)
{
    emit_keep(e, graph_constant(e->graph, id, e->arena, e->diags, out));
    return e->status == O2W_OK;
}

/* The same bytes as another tensor. */
static ref bytes_as(struct emit *e, const struct tensor *from, enum dtype t, const int64_t *dims,
                    uint32_t rank)
{
    struct tensor view = { .dtype = t, .rank = rank, .data = from->data };
    memcpy(view.dims, dims, rank * sizeof *dims);
    return emit_tensor(e, &view);
}

static bool all_in_the_middle(const struct tensor *zeros, uint32_t bits)
{
    for (uint64_t i = 0; i < tensor_count(zeros); i++)
        if (tensor_get_u64(zeros, i) != (uint64_t)1 << (bits - 1))
            return false;
    return true;
}

/* [N, blocks], 4-bit rows padded to bytes; NULL where all are the runtime's default. */
static ref zero_points(struct emit *e, const struct nbits *m)
{
    struct tensor zeros, padded;
    int64_t row_bytes = (m->blocks * m->bits + 7) / 8;
    const int64_t dims[2] = { m->n, row_bytes };
    if (!constant_of(e, m->dequantize->operands[2], &zeros) || all_in_the_middle(&zeros, m->bits))
        return NULL;
    if (m->bits == 8 || m->blocks % 2 == 0)
        return bytes_as(e, &zeros, DTYPE_UINT8, dims, 2);
    const int64_t nibbles[2] = { m->n, row_bytes * 2 };
    emit_keep(e, tensor_new(e->arena, DTYPE_UINT4, nibbles, 2, &padded));
    if (e->status != O2W_OK)
        return NULL;
    for (int64_t i = 0; i < m->n * m->blocks; i++)
        tensor_put_u64(&padded, (uint64_t)(i / m->blocks * row_bytes * 2 + i % m->blocks),
                       tensor_get_u64(&zeros, (uint64_t)i));
    return bytes_as(e, &padded, DTYPE_UINT8, dims, 2);
}

static ref scales(struct emit *e, const struct nbits *m)
{
    struct tensor t, wide;
    const int64_t dims[1] = { m->n * m->blocks };
    if (!constant_of(e, m->dequantize->operands[1], &t))
        return NULL;
    if (t.dtype == DTYPE_FLOAT32)
        return bytes_as(e, &t, DTYPE_FLOAT32, dims, 1);
    emit_keep(e, tensor_new(e->arena, DTYPE_FLOAT32, dims, 1, &wide));
    if (e->status == O2W_OK)
        emit_keep(e, tensor_convert(&t, &wide));
    return e->status == O2W_OK ? emit_tensor(e, &wide) : NULL;
}

static ref packed_matrix(struct emit *e, const struct nbits *m)
{
    struct tensor t;
    operand_id id = m->dequantize->operands[0];
    const int64_t dims[3] = { m->n, m->blocks, m->block * m->bits / 8 };
    if (!constant_of(e, id, &t))
        return NULL;
    note_mapping(e, graph_weight(e->graph, id), &t);
    e->matrix_bytes += tensor_bytes(&t);
    return bytes_as(e, &t, DTYPE_UINT8, dims, 3);
}

static void emit_matmul_nbits(struct emit *e)
{
    struct nbits m;
    if (!find_matrix(e, e->node, &m))
        return;
    ref inputs[4] = { operand_wide(e, 0), packed_matrix(e, &m), scales(e, &m), zero_points(e, &m) };
    set_result_wide(
        e, 0,
        emit_microsoft(e, "MatMulNBits", inputs, 4,
                       ATTRIBUTES(INT("K", m.k), INT("N", m.n), INT("bits", m.bits),
                                  INT("block_size", m.block), INT("accuracy_level", e->accuracy))));
}

const struct raise_row raise_matmul_nbits = {
    .name = "matmul-nbits",
    .anchor = WEBNN_MATMUL,
    .matches = matches,
    .emit = emit_matmul_nbits,
};
