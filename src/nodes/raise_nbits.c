/* matmul with a matrix that is dequantised in blocks of K, stored [N, K], or a stack of them: MatMulNBits, one for
 * each. Otherwise the runtime would dequantise the whole matrix at every run. */
#include "nodes/raise.h"

#include <string.h>

enum { LEAST_BLOCK = 16, MOST_MATRICES = 256 };

struct nbits {
    operand_id source, scale, zero; /* constants */
    bool shifted;                   /* the zero points are floats */
    int64_t n, k, blocks, block;    /* of one matrix */
    int64_t stack;                  /* matrices; 0: one, and the product has no stack */
    uint32_t bits;
    struct tensor q, scales, zeros; /* of all */
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

static bool constant_of(struct emit *e, operand_id id, struct tensor *out)
{
    emit_keep(e, graph_constant(e->graph, id, e->arena, e->diags, out));
    return e->status == O2W_OK;
}

static bool is_constant(const struct emit *e, operand_id id)
{
    return graph_operand(e->graph, id)->kind == OPERAND_CONSTANT;
}

/* [N, blocks, block] with a number per block. */
static bool has_blocks(const struct emit *e, struct nbits *m)
{
    const struct operand *q = graph_operand(e->graph, m->source),
                         *scale = graph_operand(e->graph, m->scale),
                         *zero = graph_operand(e->graph, m->zero);
    if (q->rank != 3 || scale->rank != 3 || zero->rank != 3 || scale->dims[2] != 1)
        return false;
    for (uint32_t i = 0; i < 3; i++)
        if (zero->dims[i] != scale->dims[i] || (i < 2 && scale->dims[i] != q->dims[i]))
            return false;
    m->n = q->dims[0], m->blocks = q->dims[1], m->block = q->dims[2];
    m->bits = q->dtype == DTYPE_UINT4 ? 4 : q->dtype == DTYPE_UINT8 ? 8 : 0;
    bool is_power = m->block >= LEAST_BLOCK && (m->block & (m->block - 1)) == 0;
    return m->bits && is_power && m->n > 0 && m->blocks > 0;
}

static bool is_number(struct emit *e, operand_id id, double wanted)
{
    struct tensor t;
    return is_constant(e, id) && constant_of(e, id, &t) && tensor_count(&t) == 1 &&
           tensor_get_double(&t, 0) == wanted;
}

/* (q - zero) · scale in floats; the runtime takes it for 4 bits. */
static bool is_shifted(struct emit *e, operand_id id, struct nbits *m)
{
    const struct operator_node *mul = operand_made_by(e, id, WEBNN_MUL), *sub, *plain;
    sub = mul ? operand_made_by(e, mul->operands[0], WEBNN_SUB) : NULL;
    plain = sub ? operand_made_by(e, sub->operands[0], WEBNN_DEQUANTIZE_LINEAR) : NULL;
    if (!plain || !is_number(e, plain->operands[1], 1) || !is_number(e, plain->operands[2], 0) ||
        graph_operand(e->graph, id)->dtype != DTYPE_FLOAT32)
        return false;
    *m = (struct nbits){ .source = plain->operands[0],
                         .scale = mul->operands[1],
                         .zero = sub->operands[1],
                         .shifted = true };
    return graph_operand(e->graph, m->source)->dtype == DTYPE_UINT4;
}

static bool is_matrix_of_blocks(struct emit *e, operand_id id, struct nbits *m)
{
    const struct operator_node *node = operand_made_by(e, id, WEBNN_DEQUANTIZE_LINEAR);
    if (node)
        *m = (struct nbits){ .source = node->operands[0],
                             .scale = node->operands[1],
                             .zero = node->operands[2] };
    else if (!is_shifted(e, id, m))
        return false;
    return is_constant(e, m->source) && is_constant(e, m->scale) && is_constant(e, m->zero) &&
           has_blocks(e, m);
}

/* [S · N, K] as [S, N, K]. */
static const struct operator_node *stacks_lines(const struct emit *e, operand_id id)
{
    const struct operator_node *node = operand_made_by(e, id, WEBNN_RESHAPE);
    const struct operand *x = node ? first_operand(e, node) : NULL,
                         *y = graph_operand(e->graph, id);
    return x && x->rank == 2 && dims_static(x->dims, 2) && x->dims[1] == y->dims[2] ? node : NULL;
}

/* The last two dims change places. */
static bool turns(const struct operator_node *node, uint32_t rank)
{
    const struct webnn_transpose_attributes *p = node->attributes;
    return p->permutation.items[rank - 1] == rank - 2 && p->permutation.items[rank - 2] == rank - 1;
}

/* A that one matrix after the other can be given its part of. */
static bool fits_stack(const struct emit *e, operand_id id, int64_t stack)
{
    const struct operand *a = graph_operand(e->graph, id);
    return stack > 0 && stack <= MOST_MATRICES &&
           (a->rank == 2 || (a->rank == 3 && (a->dims[0] == 1 || a->dims[0] == stack)));
}

/* The blocks that `flat` makes lines of, for the matrix b. */
static bool find_blocks(struct emit *e, const struct operator_node *flat, const struct operand *b,
                        struct nbits *m)
{
    const struct operand *rows = graph_operand(e->graph, flat->first_result);
    if (!is_matrix_of_blocks(e, flat->operands[0], m))
        return false;
    int64_t lines = m->n;
    m->stack = b->rank == 3 ? b->dims[0] : 0;
    m->k = b->dims[b->rank - 2];
    m->n = b->dims[b->rank - 1];
    return rows->rank == 2 && rows->dims[0] == lines && rows->dims[1] == m->blocks * m->block &&
           lines == m->n * (m->stack ? m->stack : 1) && m->k > (m->blocks - 1) * m->block &&
           m->k <= m->blocks * m->block;
}

/* dequantizeLinear (or what has floats for zero points) [N, blocks, block] → reshape [N, blocks · block] → slice [N, K] → transpose; a stack has
 * [S · N, …] until a reshape [S, N, K] before the transpose. */
static bool find_matrix(struct emit *e, const struct operator_node *product, struct nbits *m)
{
    const struct operand *b = graph_operand(e->graph, product->operands[1]);
    const struct operator_node *node = operand_made_by(e, product->operands[1], WEBNN_TRANSPOSE);
    bool stacked = b->rank == 3;
    if (!node || b->rank < 2 || b->rank > 3 || !dims_static(b->dims, b->rank) ||
        !turns(node, b->rank) || (stacked && !fits_stack(e, product->operands[0], b->dims[0])))
        return false;
    operand_id lines = node->operands[0];
    if (stacked && !(node = stacks_lines(e, lines)))
        return false;
    lines = node->operands[0];
    node = operand_made_by(e, lines, WEBNN_SLICE);
    if (node && !cuts_the_end(e, node))
        return false;
    node = operand_made_by(e, node ? node->operands[0] : lines, WEBNN_RESHAPE);
    return node && find_blocks(e, node, b, m);
}

static bool matches(struct emit *e, const struct operator_node *node, struct raise_match *match)
{
    struct nbits m;
    match->absorbs = 1 << 1;
    return find_matrix(e, node, &m);
}

/* Bytes from `first` on as another tensor. */
static ref bytes_as(struct emit *e, const struct tensor *from, int64_t first, enum dtype t,
                    const int64_t *dims, uint32_t rank)
{
    struct tensor view = { .dtype = t, .rank = rank, .data = (uint8_t *)from->data + first };
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

/* [N, blocks] of matrix `index`, floats, or 4-bit rows padded to bytes; NULL where all are the runtime's default. */
static ref zero_points(struct emit *e, const struct nbits *m, int64_t index)
{
    struct tensor padded;
    int64_t row_bytes = (m->blocks * m->bits + 7) / 8, first = index * m->n * m->blocks;
    const int64_t dims[2] = { m->n, row_bytes }, nibbles[2] = { m->n, row_bytes * 2 };
    if (!m->zeros.data)
        return NULL;
    if (m->shifted)
        return bytes_as(e, &m->zeros, first * (int64_t)sizeof(float), DTYPE_FLOAT32,
                        (const int64_t[]){ m->n, m->blocks }, 2);
    if (m->bits == 8 || m->blocks % 2 == 0)
        return bytes_as(e, &m->zeros, first * m->bits / 8, DTYPE_UINT8, dims, 2);
    emit_keep(e, tensor_new(e->arena, DTYPE_UINT4, nibbles, 2, &padded));
    if (e->status != O2W_OK)
        return NULL;
    for (int64_t i = 0; i < m->n * m->blocks; i++)
        tensor_put_u64(&padded, (uint64_t)(i / m->blocks * row_bytes * 2 + i % m->blocks),
                       tensor_get_u64(&m->zeros, (uint64_t)(first + i)));
    return bytes_as(e, &padded, 0, DTYPE_UINT8, dims, 2);
}

static ref scales(struct emit *e, const struct nbits *m, int64_t index)
{
    const int64_t count = m->n * m->blocks;
    return bytes_as(e, &m->scales, index * count * (int64_t)sizeof(float), DTYPE_FLOAT32, &count,
                    1);
}

static ref packed_matrix(struct emit *e, const struct nbits *m, int64_t index)
{
    const int64_t dims[3] = { m->n, m->blocks, m->block * m->bits / 8 };
    return bytes_as(e, &m->q, index * dims[0] * dims[1] * dims[2], DTYPE_UINT8, dims, 3);
}

/* The constants; scales as float32, no zero points where all are the runtime's default. */
static bool read_constants(struct emit *e, struct nbits *m)
{
    struct tensor half;
    if (!constant_of(e, m->source, &m->q) || !constant_of(e, m->scale, &half) ||
        !constant_of(e, m->zero, &m->zeros))
        return false;
    note_mapping(e, graph_weight(e->graph, m->source), &m->q);
    e->matrix_bytes += tensor_bytes(&m->q);
    if (!m->shifted && all_in_the_middle(&m->zeros, m->bits))
        m->zeros.data = NULL;
    m->scales = half;
    if (half.dtype == DTYPE_FLOAT32)
        return true;
    emit_keep(e, tensor_new(e->arena, DTYPE_FLOAT32, half.dims, half.rank, &m->scales));
    if (e->status == O2W_OK)
        emit_keep(e, tensor_convert(&half, &m->scales));
    return e->status == O2W_OK;
}

static ref product_with(struct emit *e, const struct nbits *m, ref a, int64_t index)
{
    ref inputs[4] = { a, packed_matrix(e, m, index), scales(e, m, index),
                      zero_points(e, m, index) };
    return emit_microsoft(e, "MatMulNBits", inputs, 4,
                          ATTRIBUTES(INT("K", m->k), INT("N", m->n), INT("bits", m->bits),
                                     INT("block_size", m->block),
                                     INT("accuracy_level", e->accuracy)));
}

/* A for each matrix of a stack, [1, rows, K]: parts of it, or all of it again and again. */
static void parts_of(struct emit *e, const struct nbits *m, ref *parts)
{
    const struct operand *shape = graph_operand(e->graph, e->node->operands[0]);
    const int64_t first = 0;
    int64_t ones[MOST_MATRICES];
    ref a = operand_wide(e, 0);
    if (shape->rank == 3 && shape->dims[0] == m->stack && m->stack > 1) {
        for (int64_t i = 0; i < m->stack; i++)
            ones[i] = 1, parts[i] = NULL;
        emit_nodes(e, "Split", REFS(a, emit_i64s(e, ones, (uint32_t)m->stack)),
                   ATTRIBUTES(INT("axis", 0)), parts, (size_t)m->stack);
        return;
    }
    if (shape->rank == 2)
        a = emit_binary(e, "Unsqueeze", a, emit_i64s(e, &first, 1));
    for (int64_t i = 0; i < m->stack; i++)
        parts[i] = a;
}

static void emit_matmul_nbits(struct emit *e)
{
    struct nbits m;
    ref parts[MOST_MATRICES];
    if (!find_matrix(e, e->node, &m) || !read_constants(e, &m))
        return;
    if (!m.stack) {
        set_result_wide(e, 0, product_with(e, &m, operand_wide(e, 0), 0));
        return;
    }
    parts_of(e, &m, parts);
    for (int64_t i = 0; i < m.stack; i++)
        parts[i] = product_with(e, &m, parts[i], i);
    set_result_wide(e, 0,
                    emit_node(e, "Concat", parts, (size_t)m.stack, ATTRIBUTES(INT("axis", 0))));
}

const struct raise_row raise_matmul_nbits = {
    .name = "matmul-nbits",
    .anchor = WEBNN_MATMUL,
    .matches = matches,
    .emit = emit_matmul_nbits,
};
