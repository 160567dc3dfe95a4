/* What a builder accepts: the standard's tables narrowed by an engine, as data. */
#ifndef WEBNN_LIMITS_H
#define WEBNN_LIMITS_H

#include "webnn/operator.h"

enum { MAX_SLOTS = 11 }; /* operands and results of one row together */

struct slot_limit {
    dtype_set dtypes;
    uint8_t rank_min, rank_max;
};

/* What a table of types and ranks cannot say. */
enum limit_note {
    LIMIT_NO_EDGE_PAD = 1 << 0,      /* pad has no mode edge */
    LIMIT_SCATTER_CONSTANT = 1 << 1, /* scatterElements wants constant indices */
    LIMIT_NO_POOL_DILATIONS = 1 << 2,
    LIMIT_STRIDE_IN_SIZE = 1 << 3,       /* slice strides are at most the size */
    LIMIT_TRANSPOSE_SAME_VALID = 1 << 4, /* convTranspose2d undoes SAME or VALID padding only */
    LIMIT_TRANSPOSE_PLAIN = 1 << 5,      /* convTranspose2d has neither groups nor dilations */
    LIMIT_AVERAGE_WHOLE = 1 << 6,        /* averagePool2d divides by the whole window */
    LIMIT_NEAREST_OTHER = 1 << 7,        /* resample2d takes another neighbour */
    LIMIT_HALF_CONSTANTS = 1 << 8        /* casts of float16 constants lose values */
};

struct limits {
    const char *name;
    uint32_t min_dimension; /* 0 or 1 */
    uint32_t max_rank;      /* of any operand */
    uint64_t max_tensor_bytes;
    uint64_t max_elements; /* 2^31 - 1 in the standard */
    bool packed_movers; /* int4, uint4 in reshape, concat, identity, transpose, slice, split … */
    bool dynamic_dims;
    struct slot_limit input, constant, output;
    /* operands in row order, then results */
    struct slot_limit operators[WEBNN_OPERATOR_COUNT][MAX_SLOTS];
    bool refused[WEBNN_OPERATOR_COUNT];
    uint32_t notes; /* of enum limit_note */
};

/* What the text allows, with min_dimension 1, rank unlimited (16), no dynamic dims. */
void limits_standard(struct limits *out);
/* What every implementation must have. */
void limits_required(struct limits *out);
/* Ours: the standard plus empty tensors, dynamic dims, rank 16, packed movers. What conversion
 * without a target and file reading use, and the `cpu` engine. */
void limits_own(struct limits *out);
/* For evaluation while lowering: ours plus float64, bool, 16-bit kinds wherever a kernel has them. */
void limits_evaluation(struct limits *out);

#endif
