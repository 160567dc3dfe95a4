/* Polynomials that are being worked on; for the expr_*.c files only. */
#ifndef WEBNN_EXPR_POLY_H
#define WEBNN_EXPR_POLY_H

#include "webnn/expr_private.h"

/* Sorted like a node's terms, on the heap. */
struct poly {
    struct term *items;
    size_t count, capacity;
    const o2w_allocator *allocator;
};

/* Order: higher degree first, then by factors: names as declared, then terms by their
 * structure, never by when they were made. */
int expr_structure_compare(const struct exprs *x, expr_id a, expr_id b);
int atom_compare(const struct exprs *x, atom_id a, atom_id b);
int monomial_compare(const struct exprs *x, monomial_id a, monomial_id b);
o2w_status monomial_multiply(struct exprs *x, monomial_id a, monomial_id b, monomial_id *out);
/* a / b; false in *divides when a factor of b is missing in a. */
o2w_status monomial_divide(struct exprs *x, monomial_id a, monomial_id b, bool *divides,
                           monomial_id *out);

struct poly poly_new(const struct exprs *x);
void poly_free(struct poly *p);
o2w_status poly_set(struct poly *p, const struct exprs *x, expr_id e);
/* p += coefficient * monomial * (terms). */
o2w_status poly_add(struct exprs *x, struct poly *p, const struct term *terms, size_t count,
                    int64_t coefficient, monomial_id monomial);
o2w_status poly_add_number(struct exprs *x, struct poly *p, int64_t value);
o2w_status poly_add_atom(struct exprs *x, struct poly *p, atom_id atom, int64_t coefficient);
o2w_status poly_multiply(struct exprs *x, const struct poly *a, const struct poly *b,
                         struct poly *out);
o2w_status poly_negate(struct poly *p);
/* a = quotient * b + rest, where rest's coefficients at multiples of b's first monomial lie in
 * [0, b's first coefficient), which is positive. a becomes the rest; quotient is added to. */
o2w_status poly_divide(struct exprs *x, struct poly *a, const struct poly *b,
                       struct poly *quotient);
bool poly_number(const struct poly *p, int64_t *value);
struct interval poly_range(const struct exprs *x, const struct poly *p);
/* Of a - b. */
o2w_status poly_difference_range(struct exprs *x, const struct poly *a, const struct poly *b,
                                 struct interval *out);

/* expr_divide.c: adds op(a, b) to out; a and b are used up. */
o2w_status poly_floor_div(struct exprs *x, struct poly *a, struct poly *b, struct poly *out);
o2w_status poly_ceil_div(struct exprs *x, struct poly *a, struct poly *b, struct poly *out);
o2w_status poly_mod(struct exprs *x, struct poly *a, struct poly *b, struct poly *out);

/* expr_apply.c: out = op(a, b); a and b are used up. */
o2w_status poly_apply(struct exprs *x, enum expr_op op, struct poly *a, struct poly *b,
                      struct poly *out);

#endif
