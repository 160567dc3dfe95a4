/* Types that a target moves at most: the bits of uint64 as int64, which wraps alike and orders alike once the
 * highest bit is flipped. 4-bit types of inputs and outputs are bytes there (legalise_bits.c). */
#include "webnn/legalise_carried.h"

#include <string.h>

/* ---- which types ---- */

static bool slots_refuse(const struct legalise *l, const struct operator_node *node,
                         dtype_set types)
{
    const struct operator_row *row = operator_row(node->kind);
    const struct slot_limit *limit = l->limits->operators[node->kind];
    for (uint32_t i = 0; i < node->operand_count + node->result_count; i++) {
        bool result = i >= node->operand_count;
        operand_id id = result ? node->first_result + i - node->operand_count : node->operands[i];
        uint32_t count = result ? row->result_count : row->operand_count;
        uint32_t at = result ? i - node->operand_count : i;
        uint32_t slot = (result ? row->operand_count : 0) + (at < count ? at : count - 1);
        enum dtype t = id == NO_ID ? DTYPE_COUNT : graph_operand(l->from, id)->dtype;
        if (t < DTYPE_COUNT && dtype_in(t, types) &&
            (l->limits->refused[node->kind] || !dtype_in(t, limit[slot].dtypes)))
            return true;
    }
    return false;
}

static bool borders_refuse(const struct legalise *l, dtype_set types)
{
    const struct graph *g = l->from;
    for (size_t i = 0; i < g->operands.count; i++) {
        const struct operand *o = graph_operand(g, (operand_id)i);
        dtype_set taken = o->kind == OPERAND_INPUT      ? l->limits->input.dtypes
                          : o->kind == OPERAND_CONSTANT ? l->limits->constant.dtypes
                                                        : DTYPES_WEBNN;
        if (dtype_in(o->dtype, types & ~taken))
            return true;
    }
    for (size_t i = 0; i < g->outputs.count; i++)
        if (dtype_in(graph_operand(g, g->outputs.items[i].operand)->dtype,
                     types & ~l->limits->output.dtypes))
            return true;
    return false;
}

static bool is_refused(const struct legalise *l, dtype_set types)
{
    bool refused = borders_refuse(l, types);
    for (size_t i = 0; i < l->from->operators.count && !refused; i++)
        refused = slots_refuse(l, &l->from->operators.items[i], types);
    return refused;
}

static bool has_port(const struct graph *g, enum dtype t)
{
    for (size_t i = 0; i < g->inputs.count; i++)
        if (graph_operand(g, g->inputs.items[i])->dtype == t)
            return true;
    for (size_t i = 0; i < g->outputs.count; i++)
        if (graph_operand(g, g->outputs.items[i].operand)->dtype == t)
            return true;
    return false;
}

void legal_choose_carried(struct legalise *l)
{
    bool ports = l->options->carry_ports;
    l->carried[DTYPE_UINT64] = (ports || !has_port(l->from, DTYPE_UINT64)) &&
                               dtype_in(DTYPE_INT64, l->limits->operators[WEBNN_ADD][0].dtypes) &&
                               is_refused(l, DTYPE_BIT(DTYPE_UINT64));
    l->carried[DTYPE_INT4] = l->carried[DTYPE_UINT4] = ports && is_refused(l, DTYPES_4BIT);
}

enum dtype legal_carrier(const struct legalise *l, enum dtype t)
{
    if ((unsigned)t >= DTYPE_WEBNN_COUNT || !l->carried[t])
        return t;
    return t == DTYPE_UINT64 ? DTYPE_INT64 : t == DTYPE_INT4 ? DTYPE_INT8 : DTYPE_UINT8;
}

/* ---- uint64 ---- */

static bool is_wide(const struct graph *g, operand_id id)
{
    return id != NO_ID && graph_operand(g, id)->dtype == DTYPE_UINT64;
}

bool legal_is_carried(const struct legalise *l, const struct operator_node *node)
{
    bool any = is_wide(l->from, node->first_result);
    for (uint32_t i = 0; i < node->operand_count; i++)
        any = any || is_wide(l->from, node->operands[i]);
    return any && l->carried[DTYPE_UINT64];
}

o2w_status legal_carried_constant(struct legalise *l, operand_id old, operand_id *out)
{
    struct descriptor d;
    struct weight w = *graph_weight(l->from, old);
    struct tensor t;
    graph_descriptor(l->from, old, &d);
    d.dtype = DTYPE_INT64;
    if (w.transform == WEIGHT_COPY) {
        w.dtype = w.from = DTYPE_INT64;
        return builder_constant(&l->to, &d, &w, SPAN(""), out);
    }
    TRY(graph_constant(l->from, old, &l->arena, l->diags, &t));
    t.dtype = DTYPE_INT64;
    return legal_tensor(l, &t, out);
}

static o2w_status bits_scalar(struct legalise *l, uint64_t bits, operand_id *out)
{
    return legal_scalar(l, DTYPE_INT64, number_of_int((int64_t)bits), out);
}

/* With the highest bit flipped uint64 has the order of int64, and back. */
static o2w_status flip(struct legalise *l, operand_id x, operand_id *out)
{
    operand_id least;
    TRY(legal_scalar(l, DTYPE_INT64, number_of_int(INT64_MIN), &least));
    return legal_2(l, WEBNN_ADD, x, least, out);
}

/* An operator that compares. */
static o2w_status ordered(struct legalise *l, const struct operator_node *node,
                          const operand_id *operands, operand_id *results)
{
    operand_id flipped[2] = { NO_ID, NO_ID };
    for (uint32_t i = 0; i < node->operand_count; i++)
        TRY(flip(l, operands[i], &flipped[i]));
    TRY(legal_op(l, node->kind, flipped, node->operand_count, node->attributes, results));
    return is_wide(l->from, node->first_result) ? flip(l, *results, results) : O2W_OK;
}

/* What a number is as uint64. */
static uint64_t wide_number(const struct webnn_number *number)
{
    uint64_t value = 0;
    struct tensor t = { .dtype = DTYPE_UINT64, .data = &value };
    number_put(number, &t, 0);
    return value;
}

static o2w_status bounded(struct legalise *l, enum webnn_operator kind,
                          const struct webnn_number *number, operand_id x, operand_id *out)
{
    operand_id bound;
    *out = x;
    if (number->kind == WEBNN_NUMBER_NONE)
        return O2W_OK;
    TRY(bits_scalar(l, wide_number(number) ^ (uint64_t)INT64_MIN, &bound));
    return legal_2(l, kind, x, bound, out);
}

static o2w_status clamped(struct legalise *l, const struct webnn_clamp_attributes *p, operand_id x,
                          operand_id *out)
{
    TRY(flip(l, x, out));
    TRY(bounded(l, WEBNN_MAX, &p->min_value, *out, out));
    TRY(bounded(l, WEBNN_MIN, &p->max_value, *out, out));
    return flip(l, *out, out);
}

static o2w_status padded(struct legalise *l, const struct webnn_pad_attributes *attributes,
                         operand_id x, operand_id *out)
{
    struct webnn_pad_attributes p = *attributes;
    if (p.mode == WEBNN_PADDING_MODE_CONSTANT && p.value.kind != WEBNN_NUMBER_NONE)
        p.value = number_of_int((int64_t)wide_number(&p.value));
    return legal_1(l, WEBNN_PAD, x, &p, out);
}

/* Floats below 2^63 as int64; from there on less 2^63, with the highest bit set after. Casts saturate. */
static o2w_status from_float(struct legalise *l, operand_id x, operand_id *out)
{
    const struct webnn_number half = { .kind = WEBNN_NUMBER_DOUBLE, .d = 0x1p63 };
    operand_id zero, limit, low, high, large;
    TRY(legal_cast(l, x, DTYPE_FLOAT32, &x));
    TRY(legal_scalar(l, DTYPE_FLOAT32, number_of_int(0), &zero));
    TRY(legal_scalar(l, DTYPE_FLOAT32, half, &limit));
    TRY(legal_2(l, WEBNN_GREATER_OR_EQUAL, x, limit, &large));
    TRY(legal_2(l, WEBNN_MAX, x, zero, &low));
    TRY(legal_cast(l, low, DTYPE_INT64, &low));
    TRY(legal_2(l, WEBNN_SUB, x, limit, &high));
    TRY(legal_cast(l, high, DTYPE_INT64, &high));
    TRY(flip(l, high, &high));
    return legal_op(l, WEBNN_WHERE, (operand_id[]){ large, high, low }, 3, NULL, out);
}

/* ---- by operator ---- */

/* Whether the values are known to be below 2^63. */
static bool is_small(struct legalise *l, operand_id id)
{
    return legal_interval(l, id).low >= 0;
}

static o2w_status refuse(struct legalise *l, const struct operator_node *node,
                         const operand_id *operands, operand_id *results)
{
    struct span name = l->label.size ? l->label : span_of(l->place);
    uint32_t count = node->result_count;
    (void)diag_error(l->diags, DIAG_OP_LIMITS,
                     "%s '%.*s': of uint64 values that may be 2^63 or more, which %s does not "
                     "compute with",
                     operator_row(node->kind)->name, SPAN_ARG(name), l->limits->name);
    l->refused = true;
    return builder_op(&l->to, node->kind, operands, node->operand_count, node->attributes, l->label,
                      results, &count);
}

static o2w_status carried_cast(struct legalise *l, const struct operator_node *node,
                               const operand_id *operands, operand_id *results)
{
    enum dtype from = graph_operand(l->from, node->operands[0])->dtype;
    enum dtype to = graph_operand(l->from, node->first_result)->dtype;
    if (dtype_is_float(to) && !is_small(l, operands[0]))
        return refuse(l, node, operands, results);
    if (dtype_is_float(from) && to == DTYPE_UINT64)
        return from_float(l, operands[0], results);
    return legal_cast(l, operands[0], to == DTYPE_UINT64 ? DTYPE_INT64 : to, results);
}

/* Division and powers agree with those of int64 where nothing is negative there. */
static o2w_status carried_positive(struct legalise *l, const struct operator_node *node,
                                   const operand_id *operands, operand_id *results)
{
    bool base = node->kind == WEBNN_POW || is_small(l, operands[0]);
    if (!base || !is_small(l, operands[1]))
        return refuse(l, node, operands, results);
    return legal_op(l, node->kind, operands, node->operand_count, node->attributes, results);
}

/* Whether the bits of the result are those of the same operator on int64. */
static bool same_bits(enum webnn_operator kind)
{
    static const enum webnn_operator kinds[] = {
        WEBNN_ADD,
        WEBNN_SUB,
        WEBNN_MUL,
        WEBNN_EQUAL,
        WEBNN_NOT_EQUAL,
        WEBNN_WHERE,
        WEBNN_CONCAT,
        WEBNN_EXPAND,
        WEBNN_GATHER,
        WEBNN_GATHER_ELEMENTS,
        WEBNN_GATHER_ND,
        WEBNN_IDENTITY,
        WEBNN_RESHAPE,
        WEBNN_REVERSE,
        WEBNN_SCATTER_ELEMENTS,
        WEBNN_SCATTER_ND,
        WEBNN_SLICE,
        WEBNN_SPLIT,
        WEBNN_TILE,
        WEBNN_TRANSPOSE,
        WEBNN_TRIANGULAR,
        WEBNN_CUMULATIVE_SUM,
        WEBNN_REDUCE_SUM,
        WEBNN_REDUCE_PRODUCT,
        WEBNN_REDUCE_SUM_SQUARE,
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i] == kind)
            return true;
    return false;
}

o2w_status legal_carried(struct legalise *l, const struct operator_node *node,
                         const operand_id *operands, operand_id *results)
{
    if (same_bits(node->kind))
        return legal_op(l, node->kind, operands, node->operand_count, node->attributes, results);
    switch ((int)node->kind) {
    case WEBNN_MAX:
    case WEBNN_MIN:
    case WEBNN_GREATER:
    case WEBNN_GREATER_OR_EQUAL:
    case WEBNN_LESSER:
    case WEBNN_LESSER_OR_EQUAL:
    case WEBNN_REDUCE_MAX:
    case WEBNN_REDUCE_MIN:
    case WEBNN_ARG_MAX:
    case WEBNN_ARG_MIN: return ordered(l, node, operands, results);
    case WEBNN_CLAMP: return clamped(l, node->attributes, operands[0], results);
    case WEBNN_PAD: return padded(l, node->attributes, operands[0], results);
    case WEBNN_CAST: return carried_cast(l, node, operands, results);
    case WEBNN_REDUCE_L1:
        return legal_1(l, WEBNN_REDUCE_SUM, operands[0], node->attributes, results);
    case WEBNN_DIV:
    case WEBNN_POW: return carried_positive(l, node, operands, results);
    default: return refuse(l, node, operands, results);
    }
}
