/* Dimension expressions over the named dims of a graph's inputs, interned in normal form: a
 * polynomial with integer coefficients over names and non-linear terms (floor, ceil, mod, min, max),
 * sorted. Two expressions are equal iff their ids are. spec: dimension expressions. */
#ifndef WEBNN_EXPR_H
#define WEBNN_EXPR_H

#include "base/diag.h"
#include "tensor/tensor.h"

typedef uint32_t expr_id;

struct exprs;

o2w_status exprs_create(const o2w_allocator *allocator, struct exprs **out);
void exprs_free(struct exprs *x);

/* A number. */
o2w_status expr_number(struct exprs *x, int64_t value, expr_id *out);
/* A name with its bounds min…max; the same name again must have the same bounds (dyn.max). */
o2w_status expr_name(struct exprs *x, struct span name, int64_t min, int64_t max, struct diags *d,
                     expr_id *out);
/* The name declared before; false when it is not. */
bool expr_find_name(const struct exprs *x, struct span name, expr_id *out);
size_t expr_name_count(const struct exprs *x);
void expr_name_at(const struct exprs *x, size_t index, struct span *name, int64_t *min,
                  int64_t *max);

enum expr_op {
    EXPR_ADD,
    EXPR_SUB,
    EXPR_MUL,
    EXPR_FLOOR_DIV,
    EXPR_CEIL_DIV,
    EXPR_MOD,
    EXPR_MIN,
    EXPR_MAX
};
/* floor and mod round toward minus infinity, ceil toward infinity. An expression stands for its value
 * where every division in it is defined. O2W_RANGE when a coefficient overflows, a known divisor is 0
 * or the expression grows too long (some thousand parts); O2W_NO_MEMORY. */
o2w_status expr_apply(struct exprs *x, enum expr_op op, expr_id a, expr_id b, expr_id *out);
/* The same on two numbers. */
o2w_status expr_apply_numbers(enum expr_op op, int64_t a, int64_t b, int64_t *out);
/* *exact says whether a == q * b holds for all sizes, 0 included; *out is then q, else unchanged.
 * floor(a / b) is that q only where b is never 0. b is not the number 0 (O2W_RANGE). */
o2w_status expr_divide(struct exprs *x, expr_id a, expr_id b, bool *exact, expr_id *out);

bool expr_is_number(const struct exprs *x, expr_id e, int64_t *value);
/* Whether it is one name, and which: its index in order of declaration. */
bool expr_is_name(const struct exprs *x, expr_id e, size_t *index);
/* From the names' bounds; INT64_MIN, INT64_MAX where they lie outside. */
void expr_bounds(const struct exprs *x, expr_id e, int64_t *min, int64_t *max);
enum expr_order { EXPR_EQUAL, EXPR_DIFFERENT, EXPR_UNDECIDED };
/* Sets used[i] for every name i that occurs in it. */
void expr_mark_names(const struct exprs *x, expr_id e, bool *used);
/* Equal ids: equal; bounds of the difference exclude 0: different; else undecided. */
enum expr_order expr_compare(struct exprs *x, expr_id a, expr_id b);
/* Value with the names bound to values[] (index = order of declaration). O2W_RANGE on overflow. */
o2w_status expr_evaluate(const struct exprs *x, expr_id e, const int64_t *values, int64_t *out);

/* An expression is the sum of its terms, each a number times factors: names, and divisions, mod, min, max of
 * expressions. */
struct expr_factor {
    bool is_name;
    size_t name; /* index in order of declaration */
    enum expr_op op;
    expr_id a, b;
};
size_t expr_term_count(const struct exprs *x, expr_id e);
/* The number; *factors is how many there are. */
int64_t expr_term(const struct exprs *x, expr_id e, size_t term, size_t *factors);
void expr_factor_at(const struct exprs *x, expr_id e, size_t term, size_t factor,
                    struct expr_factor *out);

/* `past + seq`, `2 * n`, `floor(a / b)`; names that need it in single quotes. expr_parse gives the
 * same expression back. In the arena; NULL when memory is out. */
char *expr_text(const struct exprs *x, expr_id e, struct arena *a);
/* A text that is a declared name is that name; else it is parsed over declared names: dyn.unknown. */
o2w_status expr_parse(struct exprs *x, struct span text, struct diags *d, expr_id *out);
/* For names of inputs: the text read as an expression, although it is a name. *found is false when it
 * does not parse over declared names or is one name or number only. Fails with O2W_NO_MEMORY. */
o2w_status expr_parse_formula(struct exprs *x, struct span text, bool *found, expr_id *out);

/* Dims are numbers or expressions in one int64. */
static inline dim dim_of_expr_id(expr_id e)
{
    return -(dim)e - 1;
}
static inline expr_id dim_expr_id(dim d)
{
    return (expr_id)(-(d + 1));
}
/* As an id (numbers are interned), and back (numbers >= 0 become numbers, others stay expressions). */
o2w_status dim_to_expr(struct exprs *x, dim d, expr_id *out);
dim dim_from_expr(const struct exprs *x, expr_id e);
/* x may be NULL while all is static; a result below 0 is then O2W_RANGE. */
o2w_status dim_apply(struct exprs *x, enum expr_op op, dim a, dim b, dim *out);
void dim_bounds(const struct exprs *x, dim d, int64_t *min, int64_t *max);
enum expr_order dim_compare(struct exprs *x, dim a, dim b);
/* Like dims_text, with expressions spelled out. In the arena. */
char *dim_list_text(const struct exprs *x, const dim *dims, uint32_t rank, struct arena *a);

#endif
