/* Graphs for tests: a builder over our own limits, calls that must succeed. */
#ifndef UNIT_WEBNN_GRAPHS_H
#define UNIT_WEBNN_GRAPHS_H

#include "support/test.h"
#include "webnn/builder.h"

struct bench {
    struct limits limits;
    struct diags diags;
    struct builder builder;
};

static inline void bench_open(struct bench *b)
{
    limits_own(&b->limits);
    diags_init(&b->diags, NULL);
    assert_ok(builder_init(&b->builder, &b->limits, NULL, &b->diags));
}

static inline void bench_close(struct bench *b)
{
    builder_free(&b->builder);
    diags_free(&b->diags);
}

/* The last message must be this one; it is forgotten. */
static inline void expect_message(struct bench *b, enum diag_code code, const char *message)
{
    assert_non_null(b->diags.newest);
    assert_string_equal(b->diags.newest->message, message);
    assert_int_equal(b->diags.newest->code, code);
    diags_free(&b->diags);
}

static inline struct descriptor shape(enum dtype t, uint32_t rank, dim a, dim b)
{
    return (struct descriptor){ .dtype = t, .rank = rank, .dims = { a, b } };
}

static inline dim named(struct bench *b, const char *name, int64_t max)
{
    expr_id e = 0;
    assert_ok(expr_name(b->builder.graph->exprs, span_of(name), 0, max, NULL, &e));
    return dim_of_expr_id(e);
}

static inline operand_id input(struct bench *b, const char *name, struct descriptor d)
{
    operand_id id = NO_ID;
    assert_ok(builder_input(&b->builder, span_of(name), &d, &id));
    return id;
}

static inline operand_id constant(struct bench *b, float value)
{
    struct descriptor d = { .dtype = DTYPE_FLOAT32 };
    operand_id id = NO_ID;
    assert_ok(builder_constant_bytes(&b->builder, &d, &value, sizeof value, false, &id));
    return id;
}

static inline operand_id op(struct bench *b, enum webnn_operator kind, operand_id x, operand_id y,
                            const void *attributes)
{
    operand_id operands[] = { x, y }, result = NO_ID;
    uint32_t count = 1;
    assert_ok(builder_op(&b->builder, kind, operands, y == NO_ID ? 1 : 2, attributes, SPAN(""),
                         &result, &count));
    assert_int_equal(count, 1);
    return result;
}

static inline void output(struct bench *b, const char *name, operand_id id)
{
    assert_ok(builder_output(&b->builder, span_of(name), id));
}

static inline struct graph *built(struct bench *b)
{
    struct graph *g = NULL;
    assert_ok(builder_build(&b->builder, &g));
    return g;
}

#endif
