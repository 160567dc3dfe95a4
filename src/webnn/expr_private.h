/* What expressions are made of; for the expr_*.c files only. */
#ifndef WEBNN_EXPR_PRIVATE_H
#define WEBNN_EXPR_PRIVATE_H

#include "base/intern.h"
#include "webnn/expr.h"

typedef uint32_t atom_id;
typedef uint32_t monomial_id;

/* Of one expression with everything inside it, written out. Bounds time, memory and recursion. */
enum { EXPR_WEIGHT_MAX = 2048, EXPR_DEPTH_MAX = 100 };

/* Closed; min == INT64_MIN and max == INT64_MAX mean unbounded. */
struct interval {
    int64_t min, max;
};

struct extent {
    uint32_t weight, depth;
};

enum atom_kind { ATOM_NAME, ATOM_FLOOR, ATOM_CEIL, ATOM_MOD, ATOM_MIN, ATOM_MAX };

/* ATOM_FLOOR and ATOM_MOD over a number: the number is positive and every coefficient of `a` lies in
 * [0, number). There is no ATOM_CEIL over a number. Over other divisors the leading coefficients of
 * both sides are positive (of ATOM_MOD: of the divisor). */
struct atom {
    enum atom_kind kind;
    expr_id a, b; /* ATOM_NAME: a is the index of the name */
    struct interval range;
    struct extent extent;
};

/* A product of atoms, sorted, with repetition; monomial 0 is the empty one. */
struct monomial {
    const atom_id *factors;
    uint32_t count;
    struct interval range;
    struct extent extent;
};

/* Without padding: arrays of it are map keys. */
struct term {
    int64_t coefficient;
    monomial_id monomial;
    uint32_t unused;
};

/* Sorted by monomial_compare, no coefficient 0; so a number stands last. */
struct expr_node {
    const struct term *terms;
    uint32_t count;
    struct interval range;
    struct extent extent;
};

struct exprs {
    const o2w_allocator *allocator;
    struct arena arena;
    VEC(struct atom) atoms;
    VEC(struct monomial) monomials;
    VEC(struct expr_node) nodes;
    VEC(struct span) names;
    VEC(atom_id) name_atoms;
    struct map atom_map, monomial_map, node_map, name_map;
};

struct poly; /* webnn/expr_poly.h */

/* expr_interval.c */
struct interval interval_add(struct interval a, struct interval b);
struct interval interval_mul(struct interval a, struct interval b);
struct interval interval_floor_div(struct interval a, struct interval b);
struct interval interval_mod(struct interval a, struct interval b);
static inline struct interval interval_of(int64_t v)
{
    return (struct interval){ v, v };
}
static inline bool interval_has(struct interval i, int64_t v)
{
    return i.min <= v && v <= i.max;
}
/* Division and remainder toward minus infinity; b is not 0 and the quotient fits. */
int64_t floor_quotient(int64_t a, int64_t b);
int64_t floor_remainder(int64_t a, int64_t b);

/* expr.c: O2W_RANGE when it grows above the limits. */
o2w_status expr_intern_atom(struct exprs *x, enum atom_kind kind, expr_id a, expr_id b,
                            atom_id *out);
o2w_status expr_intern_monomial(struct exprs *x, const atom_id *factors, uint32_t count,
                                monomial_id *out);
o2w_status expr_intern(struct exprs *x, const struct poly *p, expr_id *out);
/* The single atom that the expression is; false when it is anything else. */
bool expr_is_atom(const struct exprs *x, expr_id e, atom_id *out);

/* expr_text.c: whether a name stands in quotes inside an expression. */
bool expr_name_needs_quotes(struct span name);
bool expr_is_delimiter(uint8_t byte);
/* The operation of a function word, false for other words. */
bool expr_function(struct span word, enum expr_op *op);

#endif
