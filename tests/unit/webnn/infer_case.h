/* Inference in one line: operands and results as text. */
#ifndef UNIT_WEBNN_INFER_CASE_H
#define UNIT_WEBNN_INFER_CASE_H

#include "support/test.h"
#include "webnn/infer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct infer_case {
    struct limits limits;
    struct exprs *exprs;
    struct diags diags;
    struct arena arena;
    uint8_t scratch[1024] __attribute__((aligned(16))); /* resolved attributes of the last call */
    o2w_status status;
    uint32_t result_count;
};

static int infer_case_setup(void **state)
{
    struct infer_case *c = calloc(1, sizeof *c);
    limits_own(&c->limits);
    diags_init(&c->diags, NULL);
    arena_init(&c->arena, NULL);
    *state = c;
    return c == NULL || exprs_create(NULL, &c->exprs) != O2W_OK;
}

static int infer_case_teardown(void **state)
{
    struct infer_case *c = *state;
    exprs_free(c->exprs);
    diags_free(&c->diags);
    arena_free(&c->arena);
    free(c);
    return 0;
}

/* A number, or a name with bounds 0…1000. */
static dim parse_dim(struct infer_case *c, const char **text)
{
    char *end;
    if (**text >= '0' && **text <= '9') {
        dim d = strtoll(*text, &end, 10);
        *text = end;
        return d;
    }
    size_t n = strspn(*text, "abcdefghijklmnopqrstuvwxyz");
    expr_id e;
    assert_ok(expr_name(c->exprs, (struct span){ (const uint8_t *)*text, n }, 0, 1000, NULL, &e));
    *text += n;
    return dim_of_expr_id(e);
}

/* "f32[2, n]" */
static struct descriptor parse_descriptor(struct infer_case *c, const char **text)
{
    struct descriptor d = { .rank = 0 };
    size_t n = strcspn(*text, "[");
    struct span dtype = { (const uint8_t *)*text, n };
    assert_true(dtype_by_text(dtype, &d.dtype) || dtype_by_name(dtype, &d.dtype));
    *text += n + 1;
    while (**text != ']') {
        d.dims[d.rank++] = parse_dim(c, text);
        *text += strspn(*text, ", ");
    }
    ++*text;
    return d;
}

static char *descriptor_text(struct infer_case *c, const struct descriptor *d)
{
    const char *dtype = dtype_info(d->dtype)->text;
    return arena_printf(&c->arena, "%s%s", dtype[0] != 0 ? dtype : dtype_name(d->dtype),
                        dim_list_text(c->exprs, d->dims, d->rank, &c->arena));
}

static char *outcome_text(struct infer_case *c, struct infer *in)
{
    char *text = (char *)"";
    if (c->status != O2W_OK)
        return (char *)(uintptr_t)c->diags.newest->message;
    for (uint32_t i = 0; i < in->result_count; i++)
        text = arena_printf(&c->arena, "%s%s%s", text, i == 0 ? "" : " ",
                            descriptor_text(c, &in->results[i]));
    for (size_t i = 0; i < in->constraints.count; i++)
        text = arena_printf(&c->arena, "%s, %s = %s", text,
                            expr_text(c->exprs, in->constraints.items[i].a, &c->arena),
                            expr_text(c->exprs, in->constraints.items[i].b, &c->arena));
    return text;
}

/* Operands: descriptors between blanks, '-' for an absent one. Gives the results' descriptors, then
 * the constraints; or the message. */
static const char *infer(struct infer_case *c, enum webnn_operator kind, const void *attributes,
                         const char *operands)
{
    static struct descriptor descriptors[9000], results[9000];
    static const struct descriptor *pointers[9000];
    struct infer in = { .kind = kind,
                        .limits = &c->limits,
                        .exprs = c->exprs,
                        .diags = &c->diags,
                        .operands = pointers,
                        .attributes = attributes,
                        .results = results,
                        .result_capacity = 9000 };
    while (*operands != 0) {
        if (*operands == '-') {
            pointers[in.operand_count++] = NULL;
            operands++;
        } else {
            descriptors[in.operand_count] = parse_descriptor(c, &operands);
            pointers[in.operand_count] = &descriptors[in.operand_count];
            in.operand_count++;
        }
        operands += strspn(operands, " ");
    }
    c->status = infer_operator(&in, c->scratch);
    c->result_count = in.result_count;
    const char *text = outcome_text(c, &in);
    VEC_FREE(&in.constraints);
    return text;
}

#define infers(kind, attributes, operands, want) \
    assert_string_equal(infer(*state, (kind), (attributes), (operands)), (want))

#endif
