/* Validate-and-infer: one pure function per operator, called by builder, file readers and tests. */
#ifndef WEBNN_INFER_H
#define WEBNN_INFER_H

#include "base/diag.h"
#include "webnn/expr.h"
#include "webnn/limits.h"

/* Two dims that must agree at run time. */
struct constraint {
    expr_id a, b;
    enum webnn_operator kind; /* who asked for it */
    const char *label;        /* NULL until who records the operator sets it */
};

struct infer {
    enum webnn_operator kind;
    const struct operator_row *row;
    const struct limits *limits;
    struct exprs *exprs; /* NULL: only static dims */
    struct diags *diags;
    struct span label;
    const struct descriptor *const *operands; /* by slot; variadic ones follow; NULL = absent */
    uint32_t operand_count;
    const void *attributes;     /* resolved */
    struct descriptor *results; /* room for result_capacity */
    uint32_t result_capacity, result_count;
    VEC(struct constraint) constraints; /* found; moved to the graph by the caller */
};

/* Checks arity, dtype and rank of every slot against the limits, resolves the attributes, calls the
 * row's function, checks every result (rank, dims, element count, bytes). `attributes` may be the
 * row's defaults. `scratch` receives the resolved attributes (attribute_size bytes). Fails with
 * op.invalid (TypeError) or op.limits; the message begins with operator and label:
 * "conv2d 'stem': filter.shape[1] is 3, must be input channels / groups = 4". */
o2w_status infer_operator(struct infer *in, void *scratch);
/* Operands and results as given against the limits, nothing else: every refusal is reported. Needs row
 * and result_count too. */
o2w_status infer_check_slots(const struct infer *in);
/* How many results the operator has with these attributes (NULL: its defaults). */
uint32_t infer_result_count(enum webnn_operator kind, const void *attributes);
/* A descriptor of an input, constant or any result: dims in range, element count, bytes. `what`
 * begins the message. op.invalid, op.limits. */
o2w_status infer_check_descriptor(const struct limits *limits, struct exprs *exprs,
                                  struct diags *diags, const char *what,
                                  const struct slot_limit *slot, const struct descriptor *d);

/* For the rules themselves. */
const struct descriptor *infer_operand(const struct infer *in,
                                       uint32_t slot); /* NULL when absent */
/* Result `index`, counted from now on: rank 0, its dtype as the row says (that of an operand, or the
 * only one); a rule with another sets it. Asking again gives the same. */
struct descriptor *infer_result(struct infer *in, uint32_t index);
/* op.invalid with the operator's prefix. */
o2w_status infer_fail(const struct infer *in, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
o2w_status infer_axis(const struct infer *in, const char *name, uint32_t axis, uint32_t rank);
/* a == b: fine, provably different: error, undecided: a constraint. */
o2w_status infer_same_dim(struct infer *in, const char *what, dim a, dim b);
/* Both-way broadcasting of dims. */
o2w_status infer_broadcast(struct infer *in, const struct descriptor *a, const struct descriptor *b,
                           struct descriptor *out);
/* One-way: `from` to `to`. */
o2w_status infer_broadcastable(struct infer *in, const char *what, const struct descriptor *from,
                               const struct descriptor *to);
/* Arithmetic on dims with errors said in the operator's name. */
o2w_status infer_dim(struct infer *in, enum expr_op op, dim a, dim b, dim *out);
o2w_status infer_append(struct infer *in, struct descriptor *out, const dim *dims, uint32_t count);

#endif
