/* ONNX models in a few lines, for tests. A failure to build fails the test.
 *
 *   struct model_builder b;
 *   mb_begin(&b, 17);                          // ModelProto with ai.onnx 17
 *   mb_graph(&b);
 *   mb_input(&b, "x", ONNX_FLOAT, DIMS(2, 3));
 *   mb_floats(&b, "w", DIMS(3), FLOATS(1, 2, 3));
 *   mb_node(&b, "Add", "x w", "y");
 *   mb_output(&b, "y", ONNX_FLOAT, DIMS(2, 3));
 *   struct span bytes = mb_end(&b);            // valid until mb_free
 *
 * Names in lists are separated by blanks; "-" is an absent one. */
#ifndef SUPPORT_MODEL_BUILDER_H
#define SUPPORT_MODEL_BUILDER_H

#include "onnx/dtype.h"
#include "wire/writer.h"

enum { MB_DEPTH = 400 };

struct model_builder {
    struct wire_writer w; /* fields that nothing here writes go in by wire_put_… at any time */
    struct {
        size_t begun;
        bool with_outer; /* ends together with the message around it */
    } open[MB_DEPTH];
    unsigned depth;
    bool in_function; /* field numbers of nodes and values differ there */
};

#define DIMS(...)   (const int64_t[]){ __VA_ARGS__ }, sizeof((int64_t[]){ __VA_ARGS__ }) / 8
#define SCALAR      (const int64_t *)0, 0
#define INTS(...)   DIMS(__VA_ARGS__)
#define FLOATS(...) (const float[]){ __VA_ARGS__ }, sizeof((float[]){ __VA_ARGS__ }) / 4

/* A model of ir_version 10 that imports ai.onnx in this version (0: nothing). */
void mb_begin(struct model_builder *b, int64_t opset);
void mb_opset(struct model_builder *b, const char *domain, int64_t version);
void mb_metadata(struct model_builder *b, const char *key, const char *value);
/* Closes what is open. */
struct span mb_end(struct model_builder *b);
void mb_free(struct model_builder *b);
/* Closes the innermost open message: graph, function, node, attribute with a graph. */
void mb_close(struct model_builder *b);

/* The main graph, called "g"; open until mb_close or mb_end. */
void mb_graph(struct model_builder *b);
/* A function: nodes, attributes, imports go in until mb_close. */
void mb_function(struct model_builder *b, const char *domain, const char *name, const char *inputs,
                 const char *outputs);
void mb_function_attribute(struct model_builder *b, const char *name);

/* In a graph. A dim of -1 is one of unknown size. */
void mb_input(struct model_builder *b, const char *name, int dtype, const int64_t *dims,
              size_t rank);
void mb_output(struct model_builder *b, const char *name, int dtype, const int64_t *dims,
               size_t rank);
/* The same with dims as text: "batch 3 ?"; '?' with its quotes is a dim that is called so. */
void mb_input_named(struct model_builder *b, const char *name, int dtype, const char *dims);
/* Initializers with raw_data. */
void mb_raw(struct model_builder *b, const char *name, int dtype, const int64_t *dims, size_t rank,
            const void *data, size_t size);
void mb_floats(struct model_builder *b, const char *name, const int64_t *dims, size_t rank,
               const float *values, size_t count);
void mb_int64s(struct model_builder *b, const char *name, const int64_t *dims, size_t rank,
               const int64_t *values, size_t count);
/* With external data; NULL: no such entry. */
void mb_external(struct model_builder *b, const char *name, int dtype, const int64_t *dims,
                 size_t rank, const char *location, const char *offset, const char *length);

/* A node without attributes; or open, for the attributes that follow, until mb_close. */
void mb_node(struct model_builder *b, const char *op, const char *inputs, const char *outputs);
void mb_node_open(struct model_builder *b, const char *op, const char *inputs, const char *outputs);
void mb_node_name(struct model_builder *b, const char *name);
void mb_node_domain(struct model_builder *b, const char *domain);

/* In an open node. */
void mb_int(struct model_builder *b, const char *name, int64_t value);
void mb_float(struct model_builder *b, const char *name, float value);
void mb_string(struct model_builder *b, const char *name, const char *value);
void mb_int_list(struct model_builder *b, const char *name, const int64_t *values, size_t count);
void mb_float_list(struct model_builder *b, const char *name, const float *values, size_t count);
/* Strings without blanks, separated by them. */
void mb_string_list(struct model_builder *b, const char *name, const char *words);
void mb_reference(struct model_builder *b, const char *name, int type, const char *outer);
/* A tensor with raw_data. */
void mb_tensor(struct model_builder *b, const char *name, int dtype, const int64_t *dims,
               size_t rank, const void *data, size_t size);
/* A graph, open until mb_close. */
void mb_subgraph(struct model_builder *b, const char *name);

/* Parts, for what the calls above do not say: TensorProto and ValueInfoProto as a field. */
size_t mb_tensor_open(struct model_builder *b, uint32_t field, const char *name, int dtype,
                      const int64_t *dims, size_t rank);
void mb_value_info(struct model_builder *b, uint32_t field, const char *name, int dtype,
                   const int64_t *dims, size_t rank);

#endif
