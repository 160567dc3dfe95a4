/* x / sqrt(mean(x²) + ε) over the last dim, times a scale: SimplifiedLayerNormalization. */
#include "nodes/raise.h"

struct rms {
    const struct operator_node *normal; /* mul of x and the factor, or div of x by the root */
    uint32_t x, scale;                  /* slots: of x in that, of the scale in the anchor */
    double epsilon;
};

static bool is_mean_of_last(const struct emit *e, const struct operator_node *node)
{
    const struct webnn_reduce_attributes *p = node->attributes;
    const struct operand *x = graph_operand(e->graph, node->operands[0]);
    return p->keep_dimensions && p->axes.count == 1 && p->axes.items[0] == x->rank - 1;
}

static bool is_number(struct emit *e, operand_id id, double wanted)
{
    double number;
    return operand_number(e, id, &number) && number == wanted;
}

/* x · x, or x to the power of 2. */
static bool is_square(struct emit *e, operand_id id, operand_id x)
{
    const struct operator_node *node = operand_producer(e, id);
    if (!node || (node->kind != WEBNN_MUL && node->kind != WEBNN_POW) || node->operands[0] != x)
        return false;
    return node->kind == WEBNN_MUL ? node->operands[1] == x : is_number(e, node->operands[1], 2);
}

/* sqrt(mean(x²) + ε) */
static bool is_root(struct emit *e, operand_id id, operand_id x, double *epsilon)
{
    const struct operator_node *root = operand_made_by(e, id, WEBNN_SQRT), *sum, *mean;
    sum = root ? operand_made_by(e, root->operands[0], WEBNN_ADD) : NULL;
    mean = sum ? operand_made_by(e, sum->operands[0], WEBNN_REDUCE_MEAN) : NULL;
    return mean && is_mean_of_last(e, mean) && is_square(e, mean->operands[0], x) &&
           operand_number(e, sum->operands[1], epsilon);
}

/* 1 / root */
static bool is_factor(struct emit *e, operand_id id, operand_id x, double *epsilon)
{
    const struct operator_node *node = operand_producer(e, id);
    if (node && node->kind == WEBNN_RECIPROCAL)
        return is_root(e, node->operands[0], x, epsilon);
    return node && node->kind == WEBNN_DIV && is_number(e, node->operands[0], 1) &&
           is_root(e, node->operands[1], x, epsilon);
}

static bool is_normal(struct emit *e, const struct operator_node *node, struct rms *r)
{
    r->normal = node;
    r->x = 0;
    if (!node || (node->kind != WEBNN_MUL && node->kind != WEBNN_DIV))
        return false;
    if (node->kind == WEBNN_DIV)
        return is_root(e, node->operands[1], node->operands[0], &r->epsilon);
    for (; r->x < 2; r->x++)
        if (is_factor(e, node->operands[1 - r->x], node->operands[r->x], &r->epsilon))
            return true;
    return false;
}

/* One number for each element of the last dim. */
static bool is_scale(const struct emit *e, operand_id id, const struct operand *x)
{
    const struct operand *s = graph_operand(e->graph, id);
    return s->rank == 1 && s->dtype == x->dtype && s->dims[0] == x->dims[x->rank - 1] &&
           dim_is_static(s->dims[0]);
}

static bool find_rms(struct emit *e, const struct operator_node *node, struct rms *r)
{
    for (uint32_t slot = 0; slot < 2; slot++) {
        if (!is_normal(e, operand_producer(e, node->operands[slot]), r))
            continue;
        const struct operand *x = graph_operand(e->graph, r->normal->operands[r->x]);
        r->scale = 1 - slot;
        if (x->dtype == DTYPE_FLOAT32 && x->rank > 0 && is_scale(e, node->operands[r->scale], x))
            return true;
    }
    return false;
}

static bool matches(struct emit *e, const struct operator_node *node, struct raise_match *m)
{
    struct rms r;
    if (e->exact || e->portable || !find_rms(e, node, &r))
        return false;
    m->absorbs = 1U << (1 - r.scale);
    m->reads[m->read_count++] = r.normal->operands[r.x];
    return true;
}

static void emit_rms(struct emit *e)
{
    struct rms r;
    if (!find_rms(e, e->node, &r))
        return;
    ref inputs[2] = { operand_of(e, r.normal, r.x), operand(e, r.scale) };
    set_result(
        e, 0,
        emit_node(e, "SimplifiedLayerNormalization", inputs, 2,
                  ATTRIBUTES(INT("axis", -1), FLOAT("epsilon", r.epsilon), INT("stash_type", 1))));
}

const struct raise_row raise_rms_norm = {
    .name = "rms-norm",
    .anchor = WEBNN_MUL,
    .matches = matches,
    .emit = emit_rms,
};
