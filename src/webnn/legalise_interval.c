/* Bounds of integer values, found where a rewrite asks for them: constants, casts, indices, clamps, and what
 * arithmetic and movers make of them. Everything else has the bounds of its type. */
#include "webnn/legalise_private.h"

enum { MOST_VALUES = 1 << 22, MOST_DEPTH = 64 };

static struct interval of_dtype(enum dtype t)
{
    if (!dtype_is_integer(t))
        return (struct interval){ INT64_MIN, INT64_MAX };
    uint64_t high = dtype_max(t);
    return (struct interval){ dtype_min(t), high > INT64_MAX ? INT64_MAX : (int64_t)high };
}

static struct interval join(struct interval a, struct interval b)
{
    return (struct interval){ a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high };
}

static struct interval bounds(struct legalise *l, operand_id id, unsigned depth);

static struct interval of_constant(struct legalise *l, operand_id id, struct interval type)
{
    struct tensor t;
    bool known;
    if (graph_weight(l->to.graph, id)->count > MOST_VALUES ||
        legal_value(l, id, &known, &t) != O2W_OK || !known || tensor_count(&t) == 0 ||
        t.dtype == DTYPE_UINT64)
        return type;
    struct interval r = { INT64_MAX, INT64_MIN };
    for (uint64_t i = 0; i < tensor_count(&t); i++) {
        int64_t v =
            dtype_is_signed(t.dtype) ? tensor_get_i64(&t, i) : (int64_t)tensor_get_u64(&t, i);
        r = join(r, (struct interval){ v, v });
    }
    return r;
}

static struct interval of_input(const struct legalise *l, operand_id id, struct interval type)
{
    const struct operand *o = graph_operand(l->to.graph, id);
    const struct names *names = &l->to.graph->names;
    for (size_t i = 0; i < l->options->assume_int32_count; i++) {
        struct span name = span_of(l->options->assume_int32[i]);
        if (span_equal(name, names_text(names, o->original)) ||
            span_equal(name, names_text(names, o->identifier)))
            return (struct interval){ INT32_MIN, INT32_MAX };
    }
    return type;
}

/* Whether the four corners of an operation stay inside int64; *out is what they span. */
static bool corners(enum webnn_operator kind, struct interval a, struct interval b,
                    struct interval *out)
{
    const int64_t x[2] = { a.low, a.high }, y[2] = { b.low, b.high };
    bool first = true;
    for (int i = 0; i < 4; i++) {
        int64_t p = x[i & 1], q = y[i >> 1], v;
        bool over = kind == WEBNN_ADD   ? __builtin_add_overflow(p, q, &v)
                    : kind == WEBNN_SUB ? __builtin_sub_overflow(p, q, &v)
                                        : __builtin_mul_overflow(p, q, &v);
        if (over)
            return false;
        *out = first ? (struct interval){ v, v } : join(*out, (struct interval){ v, v });
        first = false;
    }
    return true;
}

static bool inside(struct interval a, struct interval b)
{
    return a.low >= b.low && a.high <= b.high;
}

static struct interval of_arithmetic(enum webnn_operator kind, struct interval a, struct interval b,
                                     struct interval type)
{
    struct interval r;
    return corners(kind, a, b, &r) && inside(r, type) ? r : type;
}

static struct interval of_extreme(enum webnn_operator kind, struct interval a, struct interval b)
{
    if (kind == WEBNN_MAX)
        return (struct interval){ a.low > b.low ? a.low : b.low,
                                  a.high > b.high ? a.high : b.high };
    return (struct interval){ a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high };
}

/* The first index of the longest axis that it may come from. */
static struct interval of_index(const struct legalise *l, const struct operator_node *n,
                                struct interval type)
{
    const struct webnn_arg_min_max_attributes *p = n->attributes;
    const struct operand *x = graph_operand(l->to.graph, n->operands[0]);
    dim size = x->dims[p->axis];
    return dim_is_static(size) && size > 0 ? (struct interval){ 0, size - 1 } : type;
}

static struct interval of_all(struct legalise *l, const struct operator_node *n, uint32_t from,
                              uint32_t to, unsigned depth)
{
    struct interval r = bounds(l, n->operands[from], depth);
    for (uint32_t i = from + 1; i < to; i++)
        r = join(r, bounds(l, n->operands[i], depth));
    return r;
}

static struct interval of_operator(struct legalise *l, const struct operator_node *n,
                                   struct interval type, unsigned depth)
{
    const struct operand *x = graph_operand(l->to.graph, n->operands[0]);
    /* NOLINTNEXTLINE(clang-diagnostic-switch-enum): all others have the bounds of their type */
    switch ((int)n->kind) {
    case WEBNN_CAST: {
        struct interval from =
            dtype_is_integer(x->dtype) ? bounds(l, n->operands[0], depth) : of_dtype(x->dtype);
        return inside(from, type) ? from : type;
    }
    case WEBNN_ARG_MIN:
    case WEBNN_ARG_MAX: return of_index(l, n, type);
    case WEBNN_ADD:
    case WEBNN_SUB:
    case WEBNN_MUL:
        return of_arithmetic(n->kind, bounds(l, n->operands[0], depth),
                             bounds(l, n->operands[1], depth), type);
    case WEBNN_MAX:
    case WEBNN_MIN:
        return of_extreme(n->kind, bounds(l, n->operands[0], depth),
                          bounds(l, n->operands[1], depth));
    case WEBNN_CONCAT: return of_all(l, n, 0, n->operand_count, depth);
    case WEBNN_WHERE: return of_all(l, n, 1, 3, depth);
    case WEBNN_EQUAL:
    case WEBNN_NOT_EQUAL:
    case WEBNN_GREATER:
    case WEBNN_GREATER_OR_EQUAL:
    case WEBNN_LESSER:
    case WEBNN_LESSER_OR_EQUAL:
    case WEBNN_LOGICAL_NOT:
    case WEBNN_LOGICAL_AND:
    case WEBNN_LOGICAL_OR:
    case WEBNN_LOGICAL_XOR: return (struct interval){ 0, 1 };
    case WEBNN_IDENTITY:
    case WEBNN_RESHAPE:
    case WEBNN_TRANSPOSE:
    case WEBNN_SLICE:
    case WEBNN_SPLIT:
    case WEBNN_GATHER:
    case WEBNN_GATHER_ELEMENTS:
    case WEBNN_GATHER_ND:
    case WEBNN_EXPAND:
    case WEBNN_TILE:
    case WEBNN_REVERSE:
    case WEBNN_REDUCE_MAX:
    case WEBNN_REDUCE_MIN: return bounds(l, n->operands[0], depth);
    default: return type;
    }
}

static struct interval find_bounds(struct legalise *l, operand_id id, unsigned depth)
{
    const struct operand *o = graph_operand(l->to.graph, id);
    struct interval type = of_dtype(o->dtype);
    if (depth == MOST_DEPTH || !dtype_is_integer(o->dtype))
        return type;
    if (o->kind == OPERAND_CONSTANT)
        return of_constant(l, id, type);
    if (o->kind == OPERAND_INPUT)
        return of_input(l, id, type);
    return of_operator(l, &l->to.graph->operators.items[o->source], type, depth + 1);
}

/* Each operand once: an interval of nothing stands for one that was not asked for. */
static struct interval bounds(struct legalise *l, operand_id id, unsigned depth)
{
    while (l->intervals.count <= id)
        if (!VEC_PUSH(&l->intervals, ((struct interval){ 1, 0 })))
            return of_dtype(graph_operand(l->to.graph, id)->dtype);
    struct interval known = l->intervals.items[id];
    if (known.low <= known.high)
        return known;
    known = find_bounds(l, id, depth);
    l->intervals.items[id] = known;
    return known;
}

struct interval legal_interval(struct legalise *l, operand_id id)
{
    return bounds(l, id, 0);
}
