/* Writing a WebNN graph as an ONNX model: what the lowerings of all operators are made of. A failure
 * is kept in emit.status; afterwards every call does nothing and refs are NULL, so lowerings need no
 * checks of their own. */
#ifndef NODES_EMIT_H
#define NODES_EMIT_H

#include "nodes/emission.h"

#define REFS(...) (const ref[]){ __VA_ARGS__ }, sizeof((const ref[]){ __VA_ARGS__ }) / sizeof(ref)
#define ATTRIBUTES(...)                             \
    (const struct sink_attribute[]){ __VA_ARGS__ }, \
        sizeof((const struct sink_attribute[]){ __VA_ARGS__ }) / sizeof(struct sink_attribute)
#define PLAIN NULL, 0 /* no attributes */
#define INT(key, value)                                                              \
    {                                                                                \
        .name = key, .kind = SINK_INT, .data = &(const int64_t){ value }, .count = 1 \
    }
#define FLOAT(key, value)                                                                     \
    {                                                                                         \
        .name = key, .kind = SINK_FLOAT, .data = &(const float){ (float)(value) }, .count = 1 \
    }
#define INTS(key, values, n)                                       \
    {                                                              \
        .name = key, .kind = SINK_INTS, .data = values, .count = n \
    }
#define TEXT(key, text)                                                       \
    {                                                                         \
        .name = key, .kind = SINK_STRING, .data = text, .count = strlen(text) \
    }

/* The failure that stops the lowering: build.failed with the operator's name in front. */
void emit_fail(struct emit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emit_keep(struct emit *e, o2w_status status);

/* Nodes of the default operator set. Inputs that are NULL are left out. */
ref emit_node(struct emit *e, const char *op, const ref *inputs, size_t input_count,
              const struct sink_attribute *attributes, size_t attribute_count);
/* The same with several results: outputs[i] receives a name; those that are "" stay out. */
void emit_nodes(struct emit *e, const char *op, const ref *inputs, size_t input_count,
                const struct sink_attribute *attributes, size_t attribute_count, ref *outputs,
                size_t output_count);
/* A node of the runtime's own operator set. */
ref emit_microsoft(struct emit *e, const char *op, const ref *inputs, size_t input_count,
                   const struct sink_attribute *attributes, size_t attribute_count);
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
/* The value kept for a key; NULL: none. */
ref emit_shared(struct emit *e, const struct shared_key *key);
void emit_share(struct emit *e, const struct shared_key *key, ref value);
/* All elements `value`, integers and floats alike. */
ref emit_filled(struct emit *e, enum dtype t, const int64_t *dims, uint32_t rank, double value);

/* Dims as a 1-D tensor: a constant where all are numbers, else filled at dispatch or computed. `plus`
 * (may be NULL) is added. */
ref emit_dims(struct emit *e, const dim *dims, const int64_t *plus, uint32_t count);
/* One dim and a number as a scalar. */
ref emit_dim(struct emit *e, dim d, int64_t plus);

#endif
