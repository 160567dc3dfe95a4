#include "emit/support.h"

#include "webnn/builder.h"
#include "webnn/legalise.h"

#include <stdio.h>

/* The operand in the new graph: constants stay such, all others are inputs. */
static o2w_status take_operand(struct builder *b, const struct graph *g, operand_id id,
                               operand_id *out)
{
    struct descriptor d;
    char name[24];
    graph_descriptor(g, id, &d);
    if (graph_operand(g, id)->kind == OPERAND_CONSTANT)
        return builder_constant(b, &d, graph_weight(g, id), SPAN(""), out);
    snprintf(name, sizeof name, "i%u", id);
    *out = graph_find_input(b->graph, span_of(name));
    return *out == NO_ID ? builder_input(b, span_of(name), &d, out) : O2W_OK;
}

static o2w_status take_node(struct builder *b, const struct graph *g, const struct operator_node *n,
                            struct arena *a)
{
    operand_id *operands = ARENA_ARRAY(a, n->operand_count, operand_id);
    operand_id *results = ARENA_ARRAY(a, n->result_count, operand_id);
    uint32_t count = n->result_count;
    char name[24];
    if (!operands || !results)
        return O2W_NO_MEMORY;
    for (uint32_t i = 0; i < n->operand_count; i++) {
        operands[i] = NO_ID;
        if (n->operands[i] != NO_ID)
            TRY(take_operand(b, g, n->operands[i], &operands[i]));
    }
    TRY(builder_op(b, n->kind, operands, n->operand_count, n->attributes, SPAN(""), results,
                   &count));
    for (uint32_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "o%u", i);
        TRY(builder_output(b, span_of(name), results[i]));
    }
    return O2W_OK;
}

/* The sizes are those of `g`: its expressions are lent. */
static o2w_status alone(const struct graph *g, const struct operator_node *n, struct arena *a,
                        struct diags *d, struct graph **out)
{
    struct limits own;
    struct builder b;
    limits_own(&own);
    TRY(builder_init(&b, &own, g->allocator, d));
    exprs_free(b.graph->exprs);
    b.graph->exprs = g->exprs;
    o2w_status s = take_node(&b, g, n, a);
    if (s == O2W_OK)
        s = builder_build(&b, out);
    if (b.graph)
        b.graph->exprs = NULL;
    builder_free(&b);
    return s;
}

static enum support judge(const struct graph *g, const struct operator_node *n,
                          const struct limits *limits, struct arena *a, struct diags *d)
{
    static const struct legalise_options options = { .carry_ports = true };
    struct graph *one = NULL;
    enum support found = SUPPORT_UNKNOWN;
    if (alone(g, n, a, d, &one) != O2W_OK)
        return found;
    o2w_status s = graph_legalise(&one, limits, &options, d);
    bool same = one->operators.count == 1 && one->operators.items[0].kind == n->kind &&
                one->carried.count == 0;
    if (s == O2W_OK)
        found = same ? SUPPORT_FULL : SUPPORT_REWRITTEN;
    else if (s == O2W_UNSUPPORTED)
        found = SUPPORT_REFUSED;
    one->exprs = NULL;
    graph_free(one);
    return found;
}

o2w_status support_find(const struct graph *g, const struct limits *limits, enum support *out)
{
    for (size_t i = 0; i < g->operators.count; i++) {
        struct arena arena;
        struct diags diags;
        arena_init(&arena, g->allocator);
        diags_init(&diags, g->allocator);
        out[i] = judge(g, &g->operators.items[i], limits, &arena, &diags);
        diags_free(&diags);
        arena_free(&arena);
    }
    return O2W_OK;
}
