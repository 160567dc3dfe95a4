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
struct interval { int64_t min, max; };

struct extent { uint32_t weight, depth; };

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

/* A polynomial that is being worked on: sorted like a node's, on the heap. */
struct poly {
    struct term *items;
    size_t count, capacity;
    const o2w_allocator *allocator;
};

/* expr_interval.c */
struct interval interval_add(struct interval a, struct interval b);
struct interval interval_mul(struct interval a, struct interval b);
struct interval interval_floor_div(struct interval a, struct interval b);
struct interval interval_mod(struct interval a, struct interval b);
static inline struct interval interval_of(int64_t v) { return (struct interval){ v, v }; }
static inline bool interval_has(struct interval i, int64_t v) { return i.min <= v && v <= i.max; }
/* Division and remainder toward minus infinity; b is not 0 and the quotient fits. */
int64_t floor_quotient(int64_t a, int64_t b);
int64_t floor_remainder(int64_t a, int64_t b);

/* expr.c: O2W_RANGE when it grows above the limits. */
o2w_status expr_intern_atom(struct exprs *x, enum atom_kind kind, expr_id a, expr_id b, atom_id *out);
o2w_status expr_intern_monomial(struct exprs *x, const atom_id *factors, uint32_t count, monomial_id *out);
o2w_status expr_intern(struct exprs *x, const struct poly *p, expr_id *out);
/* The single atom that the expression is; false when it is anything else. */
bool expr_is_atom(const struct exprs *x, expr_id e, atom_id *out);

/* expr_poly.c. Order: higher degree first, then by factors: names as declared, then terms by their
 * structure, never by when they were made. */
int expr_structure_compare(const struct exprs *x, expr_id a, expr_id b);
int atom_compare(const struct exprs *x, atom_id a, atom_id b);
int monomial_compare(const struct exprs *x, monomial_id a, monomial_id b);
o2w_status monomial_multiply(struct exprs *x, monomial_id a, monomial_id b, monomial_id *out);
/* a / b; false in *divides when a factor of b is missing in a. */
o2w_status monomial_divide(struct exprs *x, monomial_id a, monomial_id b, bool *divides, monomial_id *out);

struct poly poly_new(const struct exprs *x);
void poly_free(struct poly *p);
o2w_status poly_set(struct poly *p, const struct exprs *x, expr_id e);
/* p += coefficient * monomial * (terms). */
o2w_status poly_add(struct exprs *x, struct poly *p, const struct term *terms, size_t count,
                    int64_t coefficient, monomial_id monomial);
o2w_status poly_add_number(struct exprs *x, struct poly *p, int64_t value);
o2w_status poly_add_atom(struct exprs *x, struct poly *p, atom_id atom, int64_t coefficient);
o2w_status poly_multiply(struct exprs *x, const struct poly *a, const struct poly *b, struct poly *out);
o2w_status poly_negate(struct poly *p);
/* a = quotient * b + rest, where rest's coefficients at multiples of b's first monomial lie in
 * [0, b's first coefficient), which is positive. a becomes the rest; quotient is added to. */
o2w_status poly_divide(struct exprs *x, struct poly *a, const struct poly *b, struct poly *quotient);
bool poly_number(const struct poly *p, int64_t *value);
struct interval poly_range(const struct exprs *x, const struct poly *p);
/* Of a - b. */
o2w_status poly_difference_range(struct exprs *x, const struct poly *a, const struct poly *b, struct interval *out);

/* expr_divide.c: adds op(a, b) to out; a and b are used up. */
o2w_status poly_floor_div(struct exprs *x, struct poly *a, struct poly *b, struct poly *out);
o2w_status poly_ceil_div(struct exprs *x, struct poly *a, struct poly *b, struct poly *out);
o2w_status poly_mod(struct exprs *x, struct poly *a, struct poly *b, struct poly *out);

/* expr_apply.c: out = op(a, b); a and b are used up. */
o2w_status poly_apply(struct exprs *x, enum expr_op op, struct poly *a, struct poly *b, struct poly *out);

/* expr_text.c: whether a name stands in quotes inside an expression. */
bool expr_name_needs_quotes(struct span name);
bool expr_is_delimiter(uint8_t byte);
/* The operation of a function word, false for other words. */
bool expr_function(struct span word, enum expr_op *op);

#endif
