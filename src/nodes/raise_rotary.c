/* Two halves of the last dim that turn together, concatenated again: RotaryEmbedding. */
#include "nodes/raise.h"

struct rotary {
    const struct operator_node *first, *second; /* slices of x [B, S, heads, size] */
    const struct operator_node *cosine, *sine;  /* products that read the angles, in slot 1 */
    int64_t half;
};

static bool starts_at(const struct operator_node *node, uint32_t rank, int64_t last)
{
    const struct webnn_slice_attributes *p = node->attributes;
    for (uint32_t i = 0; i < rank; i++)
        if (p->starts.items[i] != (i + 1 == rank ? last : 0) ||
            (p->strides.given && p->strides.items[i] != 1))
            return false;
    return true;
}

/* The halves are all of x but cuts of the last dim. */
static bool are_halves(const struct emit *e, const struct operator_node *a,
                       const struct operator_node *b, int64_t *half)
{
    const struct operand *x, *y;
    if (!a || !b || a->operands[0] != b->operands[0])
        return false;
    x = graph_operand(e->graph, a->operands[0]);
    y = graph_operand(e->graph, a->first_result);
    if (x->rank != 4 || !dim_is_static(x->dims[3]) || !dim_is_static(x->dims[2]))
        return false;
    *half = x->dims[3] / 2;
    for (uint32_t i = 0; i < 3; i++)
        if (x->dims[i] != y->dims[i])
            return false;
    return y->dims[3] == *half && *half * 2 == x->dims[3] && starts_at(a, 4, 0) &&
           starts_at(b, 4, *half);
}

/* Angles of one batch entry, [1, S, 1, half]. */
static bool are_angles(const struct emit *e, operand_id id, operand_id x, int64_t half)
{
    const struct operand *a = graph_operand(e->graph, id), *whole = graph_operand(e->graph, x);
    return a->rank == 4 && a->dims[0] == 1 && a->dims[1] == whole->dims[1] && a->dims[2] == 1 &&
           a->dims[3] == half && a->dtype == DTYPE_FLOAT32 && whole->dtype == DTYPE_FLOAT32;
}

/* a · cosine - b · sine and b · cosine + a · sine, as the lowering spells them. */
static bool find_rotary(struct emit *e, const struct operator_node *node, struct rotary *r)
{
    const struct webnn_concat_attributes *p = node->attributes;
    const struct operator_node *minus, *plus, *ac, *bs, *as, *bc;
    if (node->operand_count != 2 || p->axis != 3)
        return false;
    minus = operand_made_by(e, node->operands[0], WEBNN_SUB);
    plus = operand_made_by(e, node->operands[1], WEBNN_ADD);
    ac = minus ? operand_made_by(e, minus->operands[0], WEBNN_MUL) : NULL;
    bs = minus ? operand_made_by(e, minus->operands[1], WEBNN_MUL) : NULL;
    as = plus ? operand_made_by(e, plus->operands[0], WEBNN_MUL) : NULL;
    bc = plus ? operand_made_by(e, plus->operands[1], WEBNN_MUL) : NULL;
    if (!ac || !bs || !as || !bc || ac->operands[0] != as->operands[0] ||
        bs->operands[0] != bc->operands[0] || ac->operands[1] != bc->operands[1] ||
        bs->operands[1] != as->operands[1])
        return false;
    *r = (struct rotary){ .first = operand_made_by(e, ac->operands[0], WEBNN_SLICE),
                          .second = operand_made_by(e, bs->operands[0], WEBNN_SLICE),
                          .cosine = ac,
                          .sine = bs };
    return are_halves(e, r->first, r->second, &r->half) &&
           are_angles(e, ac->operands[1], r->first->operands[0], r->half) &&
           are_angles(e, bs->operands[1], r->first->operands[0], r->half);
}

static bool matches(struct emit *e, const struct operator_node *node, struct raise_match *m)
{
    struct rotary r;
    if (!find_rotary(e, node, &r))
        return false;
    m->absorbs = 3;
    m->reads[m->read_count++] = r.first->operands[0];
    m->reads[m->read_count++] = r.cosine->operands[1];
    m->reads[m->read_count++] = r.sine->operands[1];
    return true;
}

/* The angles that a product reads, as rows. */
static ref angle_table(struct emit *e, const struct operator_node *product, const dim dims[2])
{
    const struct operator_node *own = e->node;
    e->node = product;
    ref table = dims_static(dims, 2) ? operand_reshaped(e, 1, dims, 2)
                                     : emit_reshape(e, operand(e, 1), dims, 2);
    e->node = own;
    return table;
}

static void emit_rotary(struct emit *e)
{
    struct rotary r;
    if (!find_rotary(e, e->node, &r))
        return;
    const struct operand *x = graph_operand(e->graph, r.first->operands[0]);
    const dim flat[] = { x->dims[0], x->dims[1], x->dims[2] * x->dims[3] },
              table[] = { x->dims[1], r.half };
    const int64_t first = 0;
    ref inputs[4] = { emit_reshape(e, operand_of(e, r.first, 0), flat, 3), emit_i64s(e, &first, 1),
                      angle_table(e, r.cosine, table), angle_table(e, r.sine, table) };
    ref y =
        emit_microsoft(e, "RotaryEmbedding", inputs, 4, ATTRIBUTES(INT("num_heads", x->dims[2])));
    set_result(e, 0, emit_reshape(e, y, x->dims, 4));
}

const struct raise_row raise_rotary = {
    .name = "rotary",
    .anchor = WEBNN_CONCAT,
    .matches = matches,
    .emit = emit_rotary,
};
