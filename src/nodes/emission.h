/* A model being written: what its lowerings know and share. */
#ifndef NODES_EMISSION_H
#define NODES_EMISSION_H

#include "nodes/sink.h"
#include "webnn/graph.h"

/* A value of the model being written, by its name; NULL: absent, or after a failure. */
typedef const char *ref;

/* What a name begins with says what it names. */
enum { RESULT_LETTER = 'v', CONSTANT_LETTER = 'c', INPUT_LETTER = 'i', SHAPE_LETTER = 's' };

/* What is known of an operand of the WebNN graph. Truth values live as the runtime's bool as long as
 * nobody asks for the bytes, 4-bit integers as bytes while they are only moved. */
struct form {
    ref plain;   /* in the operand's dtype */
    ref carried; /* uint8: bool, != 0; int4: int8; uint4: uint8 */
};

/* A small int64 tensor that is filled at dispatch: sums of a dim and a number. */
struct shape_input {
    const dim *dims;
    const int64_t *plus;
    uint32_t count;
    bool scalar;
};

struct emit {
    const struct graph *graph;
    const struct model_sink *sink;
    struct arena *arena; /* constants in it stay as long as the sink wants them */
    struct diags *diags;
    o2w_status status;
    bool single_thread, portable, fed_shapes; /* nodes.h */
    bool orders_64_bits; /* the runtime's Min, Max, Clip are right there; not before 1.32 */
    int accuracy;        /* of products with quantised weights: 4 rounds activations to int8 */
    bool exact;          /* NaN and small results as the standard says, at the price of nodes */
    const struct operator_node *node; /* being lowered */
    struct form *forms;               /* by operand */
    operand_id *first_use;            /* by weight: the constant that stands for it */
    VEC(struct shape_input) shapes;
    struct map shared; /* keys to the index of a name */
    VEC(ref) shared_names;
    bool *
        moved; /* by operand: something beside a product reads it; made when it is first asked for */
    uint32_t next;
    uint64_t matrix_bytes;   /* of constants that products read */
    uint64_t vector_bytes;   /* of these, with a single row on the other side */
    VEC(struct span) mapped; /* large constants that lie in a mapped file */
};

/* What is made once: scalars by dtype and bits, sizes by DTYPE_COUNT and expression. */
struct shared_key {
    uint8_t bytes[9];
};
static inline struct shared_key shared_key(enum dtype t, uint64_t bits)
{
    struct shared_key key = { { (uint8_t)t } };
    for (int i = 0; i < 8; i++)
        key.bytes[1 + i] = (uint8_t)(bits >> (8 * i));
    return key;
}

#endif
