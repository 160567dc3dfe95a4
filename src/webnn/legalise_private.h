/* What the files of the legaliser share. */
#ifndef WEBNN_LEGALISE_PRIVATE_H
#define WEBNN_LEGALISE_PRIVATE_H

#include "webnn/builder.h"
#include "webnn/legalise.h"

enum { LEGAL_RESULTS = 64, LEGAL_DEPTH = 24 };

/* Bounds of an integer operand's values. */
struct interval {
    int64_t low, high;
};

struct legalise {
    const struct graph *from;
    const struct limits *limits;
    const struct legalise_options *options;
    struct limits own;
    struct builder to;
    struct arena arena;
    struct diags *diags;
    operand_id *map; /* from → to */
    struct infer_room room;
    VEC(struct interval) intervals;  /* by operand of `to`, as far as asked */
    VEC(operand_id) stand_ins;       /* 8-bit operands that stand for 4-bit ones, ascending */
    struct span label;               /* of the operator at work */
    const char *place;               /* for messages where it has no label */
    bool carried[DTYPE_WEBNN_COUNT]; /* types that others carry all through the graph */
    unsigned depth;
    bool refused;
};

/* A call with all that inference knows. */
struct legal_call {
    enum webnn_operator kind;
    const struct operator_row *row;
    const operand_id *operands;
    uint32_t operand_count;
    const void *attributes; /* resolved */
    struct descriptor
        *operand; /* by position; NULL entries do not occur: absent ones have rank 0 */
    struct descriptor *result;
    uint32_t result_count;
    bool bad_dtype, bad_rank; /* something is outside the limits */
    enum dtype dtype;         /* the first that is refused */
};

/* A rewrite: whether it is for this call, and what it does. `results` has room for all of the call's. */
struct rewrite {
    bool (*wants)(struct legalise *l, const struct legal_call *c);
    o2w_status (*apply)(struct legalise *l, const struct legal_call *c, operand_id *results);
};

/* Records a call, rewritten where it must be. Operands are of `to`. */
o2w_status legal_op(struct legalise *l, enum webnn_operator kind, const operand_id *operands,
                    uint32_t count, const void *attributes, operand_id *results);
/* The same with one or two operands and one result. */
o2w_status legal_1(struct legalise *l, enum webnn_operator kind, operand_id a,
                   const void *attributes, operand_id *out);
o2w_status legal_2(struct legalise *l, enum webnn_operator kind, operand_id a, operand_id b,
                   operand_id *out);
o2w_status legal_cast(struct legalise *l, operand_id x, enum dtype to, operand_id *out);
o2w_status legal_reshape(struct legalise *l, operand_id x, const dim *dims, uint32_t rank,
                         operand_id *out);
o2w_status legal_transpose(struct legalise *l, operand_id x, const uint32_t *permutation,
                           operand_id *out);
o2w_status legal_slice(struct legalise *l, operand_id x, const struct descriptor *d, uint32_t axis,
                       uint32_t start, dim size, uint32_t stride, operand_id *out);
o2w_status legal_concat(struct legalise *l, const operand_id *parts, uint32_t count, uint32_t axis,
                        operand_id *out);
/* Constants of `to`. */
o2w_status legal_scalar(struct legalise *l, enum dtype dtype, struct webnn_number value,
                        operand_id *out);
o2w_status legal_integers(struct legalise *l, enum dtype dtype, const int64_t *values,
                          const dim *dims, uint32_t rank, operand_id *out);
o2w_status legal_tensor(struct legalise *l, const struct tensor *t, operand_id *out);
/* The value of a constant of `to`; *known false: it is none. */
o2w_status legal_value(struct legalise *l, operand_id id, bool *known, struct tensor *out);
bool legal_is_constant(const struct legalise *l, operand_id id);
struct descriptor legal_descriptor(const struct legalise *l, operand_id id);
/* Notes a refusal (op.limits) and records the call as it is, so that all are found. */
o2w_status legal_refuse(struct legalise *l, const struct legal_call *c, operand_id *results,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Records as it is. */
o2w_status legal_record(struct legalise *l, const struct legal_call *c, operand_id *results);
/* Sizes that are numbers, of all operands and results. */
bool legal_is_static(const struct legal_call *c);
uint64_t legal_product(const dim *dims, uint32_t from, uint32_t to);

/* legalise_interval.c: bounds of the values of an integer operand of `to`. */
struct interval legal_interval(struct legalise *l, operand_id id);

static inline struct webnn_number number_of_int(int64_t i)
{
    return (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = i };
}

static inline bool legal_noted(const struct legalise *l, enum limit_note note)
{
    return (l->limits->notes & (uint32_t)note) != 0;
}

/* The rewrites, in the order in which they are asked: by size, by meaning, by data type, by rank. */
extern const struct rewrite legal_sizes[], legal_meanings[], legal_windows[], legal_bits[],
    legal_dtypes[], legal_ranks[];
extern const size_t legal_size_count, legal_meaning_count, legal_window_count, legal_bit_count,
    legal_dtype_count, legal_rank_count;
#define REWRITES(name, count_name) const size_t count_name = sizeof name / sizeof *name

#endif
