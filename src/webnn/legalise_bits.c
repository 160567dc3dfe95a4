/* 4-bit types: other bits of the same meaning, or 8-bit numbers in their place. */
#include "webnn/legalise_carried.h"

static bool is_4bit(enum dtype t)
{
    return dtype_in(t, DTYPES_4BIT);
}

static enum dtype stand_in(enum dtype t)
{
    return t == DTYPE_INT4 ? DTYPE_INT8 : DTYPE_UINT8;
}

/* The constant as 8-bit numbers. */
static o2w_status unpack(struct legalise *l, operand_id id, operand_id *out)
{
    struct tensor t, wide;
    bool known;
    TRY(legal_value(l, id, &known, &t));
    if (!known)
        return O2W_UNSUPPORTED;
    if (tensor_new(&l->arena, stand_in(t.dtype), t.dims, t.rank, &wide) != O2W_OK ||
        tensor_convert(&t, &wide) != O2W_OK)
        return diag_memory(l->diags);
    return legal_tensor(l, &wide, out);
}

o2w_status legal_mark(struct legalise *l, operand_id id)
{
    return VEC_PUSH(&l->stand_ins, id) ? O2W_OK : diag_memory(l->diags);
}

static bool is_stand_in(const struct legalise *l, operand_id id)
{
    for (size_t i = l->stand_ins.count; i-- > 0;)
        if (l->stand_ins.items[i] == id)
            return true;
    return false;
}

o2w_status legal_match_4bit(struct legalise *l, operand_id *operands, uint32_t count)
{
    bool replaced = false;
    for (uint32_t i = 0; i < count; i++)
        replaced = replaced || (operands[i] != NO_ID && is_stand_in(l, operands[i]));
    for (uint32_t i = 0; i < count && replaced; i++) {
        if (operands[i] == NO_ID || !is_4bit(graph_operand(l->to.graph, operands[i])->dtype))
            continue;
        if (!legal_is_constant(l, operands[i]))
            return O2W_UNSUPPORTED;
        TRY(unpack(l, operands[i], &operands[i]));
    }
    return O2W_OK;
}

/* Saturated in 8 bits, then to the range of 4. */
static o2w_status saturate(struct legalise *l, enum dtype narrow, operand_id *x)
{
    operand_id low, high;
    enum dtype wide = stand_in(narrow);
    TRY(legal_scalar(l, wide, number_of_int(dtype_min(narrow)), &low));
    TRY(legal_scalar(l, wide, number_of_int((int64_t)dtype_max(narrow)), &high));
    TRY(legal_2(l, WEBNN_MAX, *x, low, x));
    return legal_2(l, WEBNN_MIN, *x, high, x);
}

o2w_status legal_follow_4bit(struct legalise *l, const struct operator_node *node,
                             operand_id *results)
{
    for (uint32_t i = 0; i < node->result_count; i++) {
        enum dtype was = graph_operand(l->from, node->first_result + i)->dtype;
        if (!is_4bit(was) || is_4bit(graph_operand(l->to.graph, results[i])->dtype))
            continue;
        if (node->kind == WEBNN_QUANTIZE_LINEAR)
            TRY(saturate(l, was, &results[i]));
        TRY(legal_mark(l, results[i]));
    }
    return O2W_OK;
}

/* ---- uint4 as int4 ---- */

static bool both_constant(const struct legalise *l, const struct legal_call *c)
{
    return legal_is_constant(l, c->operands[0]) && legal_is_constant(l, c->operands[2]);
}

static bool wants_flip(struct legalise *l, const struct legal_call *c)
{
    return c->kind == WEBNN_DEQUANTIZE_LINEAR && c->dtype == DTYPE_UINT4 && both_constant(l, c) &&
           dtype_in(DTYPE_INT4, l->limits->operators[c->kind][0].dtypes) &&
           dtype_in(DTYPE_INT4, l->limits->constant.dtypes);
}

/* (x - 8) - (zero - 8) = x - zero: every nibble with its highest bit flipped. */
static o2w_status flip(struct legalise *l, operand_id id, operand_id *out)
{
    struct descriptor d = legal_descriptor(l, id);
    struct weight w = *graph_weight(l->to.graph, id);
    struct tensor t;
    d.dtype = w.dtype = DTYPE_INT4;
    if (w.transform == WEIGHT_COPY && w.source == WEIGHT_FILE) {
        w.transform = WEIGHT_XOR;
        w.from = DTYPE_UINT4;
        w.flip = 0x88;
        return builder_constant(&l->to, &d, &w, SPAN(""), out);
    }
    TRY(graph_constant(l->to.graph, id, &l->arena, l->diags, &t));
    struct span bytes = arena_copy(&l->arena, (struct span){ t.data, (size_t)tensor_bytes(&t) });
    if (!bytes.data)
        return diag_memory(l->diags);
    uint8_t *flipped = (uint8_t *)(uintptr_t)bytes.data; /* our copy */
    for (size_t i = 0; i < bytes.size; i++)
        flipped[i] ^= 0x88;
    if (w.count & 1)
        flipped[bytes.size - 1] &= 0x0f;
    return builder_constant_bytes(&l->to, &d, flipped, bytes.size, false, out);
}

static o2w_status apply_flip(struct legalise *l, const struct legal_call *c, operand_id *results)
{
    operand_id operands[3] = { c->operands[0], c->operands[1], c->operands[2] };
    TRY(flip(l, c->operands[0], &operands[0]));
    TRY(flip(l, c->operands[2], &operands[2]));
    return legal_op(l, c->kind, operands, 3, c->attributes, results);
}

/* ---- 8-bit numbers in their place ---- */

static bool wants_unpacked(struct legalise *l, const struct legal_call *c)
{
    if (!is_4bit(c->dtype) || c->kind == WEBNN_QUANTIZE_LINEAR)
        return false;
    for (uint32_t i = 0; i < c->operand_count; i++)
        if (c->operands[i] != NO_ID && is_4bit(c->operand[i].dtype) &&
            !legal_is_constant(l, c->operands[i]))
            return false;
    return true;
}

static o2w_status apply_unpacked(struct legalise *l, const struct legal_call *c,
                                 operand_id *results)
{
    operand_id *operands = ARENA_ARRAY(&l->arena, c->operand_count, operand_id);
    if (!operands)
        return diag_memory(l->diags);
    for (uint32_t i = 0; i < c->operand_count; i++) {
        operands[i] = c->operands[i];
        if (operands[i] != NO_ID && is_4bit(c->operand[i].dtype))
            TRY(unpack(l, operands[i], &operands[i]));
    }
    return legal_op(l, c->kind, operands, c->operand_count, c->attributes, results);
}

static bool wants_quantized(struct legalise *l, const struct legal_call *c)
{
    return c->kind == WEBNN_QUANTIZE_LINEAR && is_4bit(c->result[0].dtype) &&
           legal_is_constant(l, c->operands[2]);
}

/* As 8 bits; legal_follow_4bit keeps the range. */
static o2w_status apply_quantized(struct legalise *l, const struct legal_call *c,
                                  operand_id *results)
{
    operand_id operands[3] = { c->operands[0], c->operands[1], NO_ID };
    TRY(unpack(l, c->operands[2], &operands[2]));
    return legal_op(l, c->kind, operands, 3, c->attributes, results);
}

const struct rewrite legal_bits[] = {
    { wants_flip, apply_flip },
    { wants_quantized, apply_quantized },
    { wants_unpacked, apply_unpacked },
};
REWRITES(legal_bits, legal_bit_count);
