/* Small ONNX programs with the values that flow through them: what is generated, compared, made
 * smaller and printed. */
#ifndef DIFFERENTIAL_PROGRAM_H
#define DIFFERENTIAL_PROGRAM_H

#include "lower/row.h"
#include "support/model_builder.h"
#include "tensor/tensor.h"

enum { NODE_LIMIT = 12, VALUE_LIMIT = 120, PORT_LIMIT = 12, ATTRIBUTE_LIMIT = 20, LIST_LIMIT = 40 };
enum { ABSENT = -1 };

struct attribute {
    const char *name;
    enum param_type type; /* int, float, string, ints, floats, strings, tensor */
    int64_t whole;
    double real;
    const char *text;
    int64_t wholes[LIST_LIMIT];
    float reals[LIST_LIMIT];
    size_t count;
    struct tensor tensor;
};

struct node {
    const struct onnx_row *row;
    int inputs[PORT_LIMIT], outputs[PORT_LIMIT]; /* values, or ABSENT */
    size_t input_count, output_count, attribute_count;
    struct attribute attributes[ATTRIBUTE_LIMIT];
};

enum origin { FROM_INPUT, FROM_INITIALIZER, FROM_NODE };

/* `tensor` is what native ONNX Runtime has there. */
struct flow {
    enum origin origin;
    struct tensor tensor;
    bool hidden; /* a result that is no output of the model */
};

struct program {
    uint64_t seed;
    int opset;
    bool fold; /* converted with constant folding */
    struct node nodes[NODE_LIMIT];
    struct flow values[VALUE_LIMIT];
    size_t node_count, value_count;
};

int add_value(struct program *p, enum origin origin, const struct tensor *t);
struct attribute *add_attribute(struct node *n, const char *name, enum param_type type);
void add_int(struct node *n, const char *name, int64_t v);
void add_float(struct node *n, const char *name, double v);
void add_text(struct node *n, const char *name, const char *v);
void add_ints(struct node *n, const char *name, const int64_t *v, size_t count);
const struct attribute *find_attribute(const struct node *n, const char *name);
/* The attribute's number, or `fallback`. */
int64_t int_attribute(const struct node *n, const char *name, int64_t fallback);
const struct tensor *node_input(const struct program *p, const struct node *n, size_t i);

/* The model: every result that is not hidden is an output, in the order of the values. */
struct span program_model(const struct program *p, struct model_builder *b);
/* Value names: v0, v1 … */
const char *value_name(int i, char text[16]);
/* Whether anything reads the value. */
bool value_is_read(const struct program *p, int value);
/* A program of this node alone; inputs that nodes gave become inputs of the model. */
void program_of_node(const struct program *p, size_t node, struct program *out);

/* As the members of an op_case of tests/operators where it is one node, else as a list. */
void program_print(const struct program *p);

#endif
