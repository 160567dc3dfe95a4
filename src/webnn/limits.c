#include "webnn/limits.h"

#include <string.h>

static const struct slot_limit any_operand = { .dtypes = DTYPES_WEBNN,
                                               .rank_min = 0,
                                               .rank_max = MAX_RANK };

/* Operators that only move elements and so take any width. */
static const enum webnn_operator packed_movers[] = {
    WEBNN_RESHAPE, WEBNN_CONCAT, WEBNN_IDENTITY, WEBNN_TRANSPOSE, WEBNN_SLICE,
    WEBNN_SPLIT,   WEBNN_GATHER, WEBNN_EXPAND,   WEBNN_TILE,
};

static const enum webnn_operator movers[] = {
    WEBNN_RESHAPE,
    WEBNN_CONCAT,
    WEBNN_IDENTITY,
    WEBNN_TRANSPOSE,
    WEBNN_SLICE,
    WEBNN_SPLIT,
    WEBNN_GATHER,
    WEBNN_EXPAND,
    WEBNN_TILE,
    WEBNN_PAD,
    WEBNN_GATHER_ELEMENTS,
    WEBNN_GATHER_ND,
    WEBNN_SCATTER_ELEMENTS,
    WEBNN_SCATTER_ND,
    WEBNN_WHERE,
    WEBNN_REVERSE,
    WEBNN_TRIANGULAR,
    WEBNN_CAST,
};

#define DTYPES_SHORT_INTEGERS                                                  \
    (DTYPE_BIT(DTYPE_INT8) | DTYPE_BIT(DTYPE_UINT8) | DTYPE_BIT(DTYPE_INT16) | \
     DTYPE_BIT(DTYPE_UINT16))
#define DTYPES_WIDE_INTEGERS                                                     \
    (DTYPE_BIT(DTYPE_INT32) | DTYPE_BIT(DTYPE_UINT32) | DTYPE_BIT(DTYPE_INT64) | \
     DTYPE_BIT(DTYPE_UINT64))
#define COUNT(array) (sizeof array / sizeof *array)

static bool among(enum webnn_operator kind, const enum webnn_operator *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == kind)
            return true;
    return false;
}

static const struct slot_row *slot_at(const struct operator_row *row, uint32_t slot)
{
    return slot < row->operand_count ? &row->operands[slot]
                                     : &row->results[slot - row->operand_count];
}

static uint32_t slot_count(const struct operator_row *row)
{
    return row->operand_count + row->result_count;
}

static void fill(struct limits *out, bool required)
{
    for (unsigned kind = 0; kind < WEBNN_OPERATOR_COUNT; kind++) {
        const struct operator_row *row = &webnn_operator_rows[kind];
        for (uint32_t slot = 0; slot < slot_count(row); slot++) {
            const struct slot_row *s = slot_at(row, slot);
            out->operators[kind][slot] =
                required ? (struct slot_limit){ s->required_dtypes, s->required_rank_min,
                                                s->required_rank_max }
                         : (struct slot_limit){ s->dtypes, s->rank_min, s->rank_max };
        }
    }
}

void limits_standard(struct limits *out)
{
    *out = (struct limits){ .name = "the standard",
                            .min_dimension = 1,
                            .max_rank = MAX_RANK,
                            .max_tensor_bytes = UINT64_MAX,
                            .max_elements = INT32_MAX,
                            .input = any_operand,
                            .constant = any_operand,
                            .output = any_operand };
    fill(out, false);
}

void limits_required(struct limits *out)
{
    const struct slot_limit operand = { .dtypes = DTYPES_WEBNN8, .rank_min = 0, .rank_max = 5 };
    limits_standard(out);
    out->name = "the standard's required set";
    out->input = out->constant = out->output = operand;
    fill(out, true);
}

/* `add` where a slot takes all eight types of the text. */
static void widen_movers(struct limits *out, const enum webnn_operator *list, size_t count,
                         dtype_set add)
{
    for (unsigned kind = 0; kind < WEBNN_OPERATOR_COUNT; kind++) {
        if (!among((enum webnn_operator)kind, list, count))
            continue;
        for (uint32_t slot = 0; slot < slot_count(&webnn_operator_rows[kind]); slot++) {
            dtype_set *dtypes = &out->operators[kind][slot].dtypes;
            if ((*dtypes & DTYPES_WEBNN8) == DTYPES_WEBNN8)
                *dtypes |= add;
        }
    }
}

void limits_own(struct limits *out)
{
    limits_standard(out);
    out->name = "onnx2webnn";
    out->min_dimension = 0;
    out->packed_movers = true;
    out->dynamic_dims = true;
    widen_movers(out, packed_movers, COUNT(packed_movers), DTYPES_4BIT);
}

/* Types that a kernel has beyond the rule, in the operands that agree with the first and in the
 * results that have its type. */
static const struct {
    enum webnn_operator kind;
    dtype_set dtypes;
} evaluated[] = {
    { WEBNN_EQUAL, DTYPE_BIT(DTYPE_BOOL) },
    { WEBNN_NOT_EQUAL, DTYPE_BIT(DTYPE_BOOL) },
    { WEBNN_GREATER, DTYPE_BIT(DTYPE_BOOL) },
    { WEBNN_GREATER_OR_EQUAL, DTYPE_BIT(DTYPE_BOOL) },
    { WEBNN_LESSER, DTYPE_BIT(DTYPE_BOOL) },
    { WEBNN_LESSER_OR_EQUAL, DTYPE_BIT(DTYPE_BOOL) },
    { WEBNN_LOGICAL_NOT, DTYPE_BIT(DTYPE_BOOL) },
    { WEBNN_LOGICAL_AND, DTYPE_BIT(DTYPE_BOOL) },
    { WEBNN_LOGICAL_OR, DTYPE_BIT(DTYPE_BOOL) },
    { WEBNN_LOGICAL_XOR, DTYPE_BIT(DTYPE_BOOL) },
    { WEBNN_WHERE, DTYPE_BIT(DTYPE_BOOL) },
    { WEBNN_MATMUL, DTYPES_WIDE_INTEGERS },
    { WEBNN_CUMULATIVE_SUM, DTYPES_SHORT_INTEGERS },
    { WEBNN_REDUCE_L1, DTYPES_SHORT_INTEGERS },
    { WEBNN_REDUCE_PRODUCT, DTYPES_SHORT_INTEGERS },
    { WEBNN_REDUCE_SUM, DTYPES_SHORT_INTEGERS },
    { WEBNN_REDUCE_SUM_SQUARE, DTYPES_SHORT_INTEGERS },
    { WEBNN_GATHER_ELEMENTS, DTYPES_4BIT },
    { WEBNN_GATHER_ND, DTYPES_4BIT },
    { WEBNN_REVERSE, DTYPES_4BIT },
    { WEBNN_SCATTER_ELEMENTS, DTYPES_4BIT },
    { WEBNN_SCATTER_ND, DTYPES_4BIT },
};

/* float64 beside float32, the 16-bit integers beside their neighbours. */
static void widen_slot(struct slot_limit *slot)
{
    if (dtype_in(DTYPE_FLOAT32, slot->dtypes))
        slot->dtypes |= DTYPE_BIT(DTYPE_FLOAT64);
    if (dtype_in(DTYPE_INT32, slot->dtypes) && dtype_in(DTYPE_INT8, slot->dtypes))
        slot->dtypes |= DTYPE_BIT(DTYPE_INT16);
    if (dtype_in(DTYPE_UINT32, slot->dtypes) && dtype_in(DTYPE_UINT8, slot->dtypes))
        slot->dtypes |= DTYPE_BIT(DTYPE_UINT16);
}

void limits_evaluation(struct limits *out)
{
    const dtype_set moved = DTYPE_BIT(DTYPE_BOOL) | DTYPE_BIT(DTYPE_BFLOAT16);
    limits_own(out);
    out->name = "evaluation";
    for (unsigned kind = 0; kind < WEBNN_OPERATOR_COUNT; kind++)
        for (uint32_t slot = 0; slot < MAX_SLOTS; slot++)
            widen_slot(&out->operators[kind][slot]);
    widen_movers(out, movers, COUNT(movers), moved);
    for (size_t i = 0; i < COUNT(evaluated); i++) {
        const struct operator_row *row = operator_row(evaluated[i].kind);
        for (uint32_t slot = 0; slot < slot_count(row); slot++)
            if (slot == 0 || slot_at(row, slot)->same_dtype_as == 0)
                out->operators[evaluated[i].kind][slot].dtypes |= evaluated[i].dtypes;
    }
    /* Scales are never float64. */
    out->operators[WEBNN_QUANTIZE_LINEAR][0].dtypes &= ~DTYPE_BIT(DTYPE_FLOAT64);
    out->operators[WEBNN_QUANTIZE_LINEAR][1].dtypes &= ~DTYPE_BIT(DTYPE_FLOAT64);
    out->operators[WEBNN_DEQUANTIZE_LINEAR][1].dtypes &= ~DTYPE_BIT(DTYPE_FLOAT64);
    out->input.dtypes = out->constant.dtypes = out->output.dtypes =
        DTYPES_WEBNN | moved | DTYPE_BIT(DTYPE_FLOAT64) | DTYPE_BIT(DTYPE_INT16) |
        DTYPE_BIT(DTYPE_UINT16);
}
