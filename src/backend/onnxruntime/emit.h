/* Writing a WebNN graph as an ONNX model: what the lowerings of all operators are made of. A failure
 * is kept in emit.status; afterwards every call does nothing and refs are NULL, so lowerings need no
 * checks of their own. */
#ifndef BACKEND_ONNXRUNTIME_EMIT_H
#define BACKEND_ONNXRUNTIME_EMIT_H

#include "ort/ort_model.h"
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

/* A small int64 tensor that the engine fills at dispatch: sums of a dim and a number. */
struct shape_input {
    const dim *dims;
    const int64_t *plus;
    uint32_t count;
    bool scalar;
};

struct emit {
    const struct graph *graph;
    struct ort_model *model;
    struct arena *arena; /* of the compiled graph: constants in it outlive the session */
    struct diags *diags;
    o2w_status status;
    bool single_thread;
    bool orders_64_bits; /* the runtime's Min, Max, Clip are right there; not before 1.32 */
    int accuracy;        /* of products with quantised weights: 4 rounds activations to int8 */
    bool exact;          /* NaN and small results as the standard says, at the price of nodes */
    const struct operator_node *node; /* being lowered */
    struct form *forms;               /* by operand */
    operand_id *first_use;            /* by weight: the constant that stands for it */
    VEC(struct shape_input) shapes;
    struct map scalars; /* dtype and bits to the index of a name */
    VEC(ref) scalar_names;
    bool *
        moved; /* by operand: something beside a product reads it; made when it is first asked for */
    uint32_t next;
    uint64_t matrix_bytes;   /* of constants that products read */
    uint64_t vector_bytes;   /* of these, with a single row on the other side */
    VEC(struct span) mapped; /* large constants that lie in a mapped file */
};

#define REFS(...) (const ref[]){ __VA_ARGS__ }, sizeof((const ref[]){ __VA_ARGS__ }) / sizeof(ref)
#define ATTRIBUTES(...)                            \
    (const struct ort_attribute[]){ __VA_ARGS__ }, \
        sizeof((const struct ort_attribute[]){ __VA_ARGS__ }) / sizeof(struct ort_attribute)
#define PLAIN NULL, 0 /* no attributes */
#define INT(key, value)                                                                       \
    {                                                                                         \
        .name = key, .kind = ORT_ATTRIBUTE_INT, .data = &(const int64_t){ value }, .count = 1 \
    }
#define FLOAT(key, value)                                                                   \
    {                                                                                       \
        .name = key, .kind = ORT_ATTRIBUTE_FLOAT, .data = &(const float){ (float)(value) }, \
        .count = 1                                                                          \
    }
#define INTS(key, values, n)                                                \
    {                                                                       \
        .name = key, .kind = ORT_ATTRIBUTE_INTS, .data = values, .count = n \
    }
#define TEXT(key, text)                                                                \
    {                                                                                  \
        .name = key, .kind = ORT_ATTRIBUTE_STRING, .data = text, .count = strlen(text) \
    }

/* The failure that stops the lowering: build.failed with the operator's name in front. */
void emit_fail(struct emit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emit_keep(struct emit *e, o2w_status status);

/* Nodes of the default operator set. Inputs that are NULL are left out. */
ref emit_node(struct emit *e, const char *op, const ref *inputs, size_t input_count,
              const struct ort_attribute *attributes, size_t attribute_count);
/* The same with several results: outputs[i] receives a name; those that are "" stay out. */
void emit_nodes(struct emit *e, const char *op, const ref *inputs, size_t input_count,
                const struct ort_attribute *attributes, size_t attribute_count, ref *outputs,
                size_t output_count);
/* A node of the runtime's own operator set. */
ref emit_microsoft(struct emit *e, const char *op, const ref *inputs, size_t input_count,
                   const struct ort_attribute *attributes, size_t attribute_count);
static inline ref emit_unary(struct emit *e, const char *op, ref x)
{
    return emit_node(e, op, &x, 1, NULL, 0);
}
static inline ref emit_binary(struct emit *e, const char *op, ref a, ref b)
{
    return emit_node(e, op, (const ref[]){ a, b }, 2, NULL, 0);
}
/* Always a node; the caller knows that the dtypes differ. */
ref emit_cast(struct emit *e, ref x, enum dtype to);

/* Constants. Scalars are shared. */
ref emit_tensor(struct emit *e, const struct tensor *t);
ref emit_float(struct emit *e, enum dtype t, double value);
ref emit_int(struct emit *e, enum dtype t, int64_t value);
ref emit_number(struct emit *e, enum dtype t, const struct webnn_number *value);
ref emit_i64s(struct emit *e, const int64_t *values, uint32_t count);
ref emit_u32s(struct emit *e, const uint32_t *values, uint32_t count);
/* All elements `value`, integers and floats alike. */
ref emit_filled(struct emit *e, enum dtype t, const int64_t *dims, uint32_t rank, double value);

/* Dims as a 1-D tensor: a constant where all are numbers, else filled at dispatch. `plus` (may be
 * NULL) is added. */
ref emit_dims(struct emit *e, const dim *dims, const int64_t *plus, uint32_t count);
/* One dim and a number as a scalar. */
ref emit_dim(struct emit *e, dim d, int64_t plus);

#endif
