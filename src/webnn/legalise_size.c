/* Constants that are larger than a target's greatest tensor: in parts. */
#include "webnn/legalise_private.h"

#include <string.h>

static uint64_t bytes_of(const struct descriptor *d)
{
    uint64_t count, bytes;
    return dims_count(d->dims, d->rank, &count) && dtype_bytes(d->dtype, count, &bytes)
               ? bytes
               : UINT64_MAX;
}

static bool is_large(const struct legalise *l, const struct legal_call *c, uint32_t operand)
{
    return legal_is_constant(l, c->operands[operand]) &&
           dtype_info(c->operand[operand].dtype)->bits >= 8 &&
           bytes_of(&c->operand[operand]) > l->limits->max_tensor_bytes;
}

/* How many of `along` slices of a constant a part may hold; 0: not even one. */
static dim slices_per_part(const struct legalise *l, const struct descriptor *d, uint32_t along)
{
    uint64_t one = bytes_of(d) / (uint64_t)d->dims[along];
    return (dim)(l->limits->max_tensor_bytes / (one ? one : 1));
}

/* ---- rows that are gathered ---- */

static bool wants_rows(struct legalise *l, const struct legal_call *c)
{
    const struct webnn_gather_attributes *p = c->attributes;
    return c->kind == WEBNN_GATHER && p->axis == 0 && is_large(l, c, 0) &&
           slices_per_part(l, &c->operand[0], 0) > 0;
}

/* Rows of a constant: a range of where its bytes come from. */
static o2w_status take_rows(struct legalise *l, operand_id id, dim start, dim rows, operand_id *out)
{
    struct descriptor d = legal_descriptor(l, id);
    struct weight w = *graph_weight(l->to.graph, id);
    uint64_t row = w.count / (uint64_t)d.dims[0];
    uint64_t from = (uint64_t)start * row * dtype_info(w.from)->bits / 8;
    w.count = (uint64_t)rows * row;
    w.key = 0;
    if (w.source == WEIGHT_FILE) {
        w.offset += from;
        w.length = w.count * dtype_info(w.from)->bits / 8;
    } else if (w.source == WEIGHT_BYTES) {
        w.bytes += from;
    }
    d.dims[0] = rows;
    return builder_constant(&l->to, &d, &w, SPAN(""), out);
}

static o2w_status bounded(struct legalise *l, operand_id x, int64_t low, int64_t high,
                          operand_id *out)
{
    operand_id bound;
    TRY(legal_scalar(l, DTYPE_INT64, number_of_int(low), &bound));
    TRY(legal_2(l, WEBNN_MAX, x, bound, out));
    TRY(legal_scalar(l, DTYPE_INT64, number_of_int(high), &bound));
    return legal_2(l, WEBNN_MIN, *out, bound, out);
}

/* Indices as int64 of 0 … size - 1. */
static o2w_status plain_indices(struct legalise *l, operand_id x, dim size, operand_id *out)
{
    operand_id zero, count, negative, up;
    TRY(legal_cast(l, x, DTYPE_INT64, &x));
    TRY(legal_scalar(l, DTYPE_INT64, number_of_int(0), &zero));
    TRY(legal_scalar(l, DTYPE_INT64, number_of_int(size), &count));
    TRY(legal_2(l, WEBNN_LESSER, x, zero, &negative));
    TRY(legal_2(l, WEBNN_ADD, x, count, &up));
    TRY(legal_op(l, WEBNN_WHERE, (operand_id[]){ negative, up, x }, 3, NULL, out));
    return bounded(l, *out, 0, size - 1, out);
}

/* What the rows of one part give, whatever the indices of others are. */
static o2w_status gather_part(struct legalise *l, operand_id rows, operand_id indices, dim start,
                              dim count, operand_id *out)
{
    const struct webnn_gather_attributes first = { .axis = 0 };
    operand_id begin, operands[2] = { rows, indices };
    TRY(legal_scalar(l, DTYPE_INT64, number_of_int(-start), &begin));
    TRY(legal_2(l, WEBNN_ADD, indices, begin, &operands[1]));
    TRY(bounded(l, operands[1], 0, count - 1, &operands[1]));
    TRY(legal_cast(l, operands[1], DTYPE_INT32, &operands[1]));
    return legal_op(l, WEBNN_GATHER, operands, 2, &first, out);
}

/* Whether an index lies from `start` on, shaped to go with the result. */
static o2w_status from_on(struct legalise *l, const struct legal_call *c, operand_id indices,
                          dim start, operand_id *out)
{
    dim dims[MAX_RANK];
    operand_id begin;
    for (uint32_t i = 0; i < c->result[0].rank; i++)
        dims[i] = i < c->operand[1].rank ? c->operand[1].dims[i] : 1;
    TRY(legal_scalar(l, DTYPE_INT64, number_of_int(start), &begin));
    TRY(legal_2(l, WEBNN_GREATER_OR_EQUAL, indices, begin, out));
    return legal_reshape(l, *out, dims, c->result[0].rank, out);
}

static o2w_status apply_rows(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    dim size = c->operand[0].dims[0], most = slices_per_part(l, &c->operand[0], 0);
    operand_id indices, rows, part, later;
    TRY(plain_indices(l, c->operands[1], size, &indices));
    for (dim start = 0; start < size; start += most) {
        dim count = size - start < most ? size - start : most;
        TRY(take_rows(l, c->operands[0], start, count, &rows));
        TRY(gather_part(l, rows, indices, start, count, &part));
        if (start) {
            TRY(from_on(l, c, indices, start, &later));
            TRY(legal_op(l, WEBNN_WHERE, (operand_id[]){ later, part, *results }, 3, NULL, &part));
        }
        *results = part;
    }
    return O2W_OK;
}

/* ---- columns of a product ---- */

static bool wants_columns(struct legalise *l, const struct legal_call *c)
{
    const struct descriptor *b = &c->operand[1];
    return c->kind == WEBNN_MATMUL && is_large(l, c, 1) && slices_per_part(l, b, b->rank - 1) > 0;
}

static o2w_status take_columns(struct legalise *l, const struct tensor *t, dim start, dim columns,
                               operand_id *out)
{
    struct tensor part;
    dim dims[MAX_RANK];
    size_t element = dtype_info(t->dtype)->bits / 8;
    size_t from = (size_t)t->dims[t->rank - 1] * element, to = (size_t)columns * element;
    memcpy(dims, t->dims, t->rank * sizeof *dims);
    dims[t->rank - 1] = columns;
    if (tensor_new(&l->arena, t->dtype, dims, t->rank, &part) != O2W_OK)
        return diag_memory(l->diags);
    for (uint64_t i = 0; i < legal_product(dims, 0, t->rank - 1); i++)
        memcpy((uint8_t *)part.data + i * to,
               (const uint8_t *)t->data + i * from + (size_t)start * element, to);
    return legal_tensor(l, &part, out);
}

/* Each column of the result is of one column alone. */
static o2w_status apply_columns(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    const struct descriptor *b = &c->operand[1];
    dim size = b->dims[b->rank - 1], most = slices_per_part(l, b, b->rank - 1);
    uint32_t count = 0;
    operand_id *parts = ARENA_ARRAY(&l->arena, (size_t)((size + most - 1) / most), operand_id);
    struct tensor t;
    bool known;
    if (!parts)
        return diag_memory(l->diags);
    TRY(legal_value(l, c->operands[1], &known, &t));
    for (dim start = 0; start < size; start += most) {
        TRY(take_columns(l, &t, start, size - start < most ? size - start : most, &parts[count]));
        TRY(legal_2(l, WEBNN_MATMUL, c->operands[0], parts[count], &parts[count]));
        count++;
    }
    return legal_concat(l, parts, count, c->result[0].rank - 1, results);
}

const struct rewrite legal_sizes[] = {
    { wants_rows, apply_rows },
    { wants_columns, apply_columns },
};
REWRITES(legal_sizes, legal_size_count);
