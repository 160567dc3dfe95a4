/* The only graph IR: operands, operators, weights. Flat arrays and 32-bit ids; immutable once built. */
#ifndef WEBNN_GRAPH_H
#define WEBNN_GRAPH_H

#include "base/file.h"
#include "base/intern.h"
#include "webnn/infer.h"

typedef uint32_t operand_id;
typedef uint32_t operator_id;
typedef uint32_t weight_id;
enum { NO_ID = UINT32_MAX };

enum operand_kind { OPERAND_INPUT, OPERAND_CONSTANT, OPERAND_RESULT };

struct operand {
    enum operand_kind kind;
    enum dtype dtype;
    uint32_t rank;
    const dim *dims;      /* in the graph's arena */
    uint32_t source;      /* index into inputs, a weight_id, or an operator_id */
    uint32_t result_index;
    name_id identifier;   /* as it stood in a graph file; 0: none */
    name_id original;     /* its name in the source model; 0: none */
};

struct operator_node {
    enum webnn_operator kind;
    uint32_t operand_count, result_count;
    const operand_id *operands; /* by slot; NO_ID = absent; variadic ones follow */
    operand_id first_result;    /* results have consecutive ids */
    const void *attributes;     /* resolved, in the graph's arena */
    name_id label;
};

/* A weight is where its bytes come from and what is done to them while they are streamed. Identity
 * of file weights is (file, offset, length): nobody reads them to convert. */
enum weight_source { WEIGHT_FILE, WEIGHT_BYTES, WEIGHT_SPLAT, WEIGHT_ZEROS };
enum weight_transform {
    WEIGHT_COPY,
    WEIGHT_CONVERT,      /* element by element from `from` to the operand's dtype */
    WEIGHT_XOR           /* every byte with `flip` (uint4 as int4) */
};

struct weight {
    enum weight_source source;
    enum weight_transform transform;
    enum dtype dtype;    /* of the elements after the transform */
    enum dtype from;     /* of the stored elements */
    uint8_t flip;
    uint64_t count;      /* elements */
    struct file *file;   /* WEIGHT_FILE; the graph holds a reference */
    uint64_t offset, length; /* stored bytes in the file */
    const uint8_t *bytes;    /* WEIGHT_BYTES: stored bytes, borrowed or in the arena; SPLAT: one element */
    name_id key;         /* the archive's key when it was read from one; 0: none */
};

struct graph_dim { name_id name; int64_t value; };          /* also pins */
typedef VEC(struct graph_dim) graph_dim_list;
struct graph_text { name_id key, value; };                  /* meta */
struct graph_bound { name_id output; int64_t value; };
struct graph_labels {                                       /* class names of an output */
    operand_id operand;
    bool strings;
    uint32_t count;
    const name_id *texts;
    const int64_t *integers;
};

struct graph_output { name_id name; operand_id operand; };  /* name: the binding */

struct graph {
    const o2w_allocator *allocator;
    struct arena arena;
    struct names names;
    struct exprs *exprs;
    name_id name;
    uint32_t version;      /* of the file it was read from; 0: none */
    bool quantized;        /* the flag as read */
    VEC(struct operand) operands;
    VEC(struct operator_node) operators; /* in topological order */
    VEC(struct weight) weights;
    VEC(operand_id) inputs;
    VEC(operand_id) constants;           /* in order of creation */
    VEC(struct graph_output) outputs;
    /* Without repetition, either way round. kind WEBNN_OPERATOR_COUNT: the text of an input's dim name
     * reads as an expression over the other names, and must equal it. */
    VEC(struct constraint) constraints;
    /* what the conversion fixed; written as directives */
    graph_dim_list dims;
    graph_dim_list pins;
    VEC(name_id) kept;
    VEC(struct graph_bound) bounds;
    VEC(struct graph_labels) labels;
    VEC(struct graph_text) meta;
    name_id subgraph, archive;
};

o2w_status graph_create(const o2w_allocator *allocator, struct graph **out);
void graph_free(struct graph *g); /* NULL is fine */

static inline const struct operand *graph_operand(const struct graph *g, operand_id id) { return &g->operands.items[id]; }
static inline const struct weight *graph_weight(const struct graph *g, operand_id constant)
{
    return &g->weights.items[g->operands.items[constant].source];
}
void graph_descriptor(const struct graph *g, operand_id id, struct descriptor *out);

/* Room for inference over operands of a graph, used again from call to call. */
struct infer_room {
    VEC(struct descriptor) operands;
    VEC(struct descriptor) results;
    VEC(const struct descriptor *) slots;
};
void infer_room_init(struct infer_room *r, const o2w_allocator *allocator);
void infer_room_free(struct infer_room *r);
/* Descriptors of the operands (NO_ID: absent) and room for results; `in` points to them. */
o2w_status infer_room_load(struct infer_room *r, const struct graph *g, const operand_id *operands, uint32_t operand_count,
                           uint32_t result_count, struct infer *in);

/* Best name for messages: original, identifier, else "operand_<id>". In the arena given. */
struct span graph_operand_name(const struct graph *g, operand_id id, struct arena *a);
/* The input or output of that name: original name, then identifier; NO_ID when there is none. */
operand_id graph_find_input(const struct graph *g, struct span name);
operand_id graph_find_output(const struct graph *g, struct span name);
bool graph_has_dynamic_dims(const struct graph *g);
/* Stored size of a weight after its transform. */
uint64_t weight_bytes(const struct weight *w);
/* Whether its final bytes are the range [offset, offset + length) of its file as they stand there. */
bool weight_is_file_range(const struct weight *w);

/* The value of a constant as one block: the mapping itself where nothing has to change and it is
 * aligned, else computed into the arena. *out->data is read-only. Several threads may ask for values
 * of one graph that was built. */
o2w_status graph_constant(const struct graph *g, operand_id id, struct arena *a, struct diags *d, struct tensor *out);
/* Streams the weight's final bytes in blocks, files by reading. The last high nibble of an odd number
 * of 4-bit elements is 0. `sink` returning a failure ends it with that. */
o2w_status weight_stream(const struct weight *w, o2w_status (*sink)(void *user, const void *data, size_t size),
                         void *user, struct diags *d);
/* Equal dtype, count and content: same file range, else three sampled windows and a full comparison. */
o2w_status weight_same(const struct weight *a, const struct weight *b, struct diags *d, bool *same);
/* 64 bits over dtype, count, and sampled content: equal weights have equal keys. */
o2w_status weight_sample(const struct weight *w, struct diags *d, uint64_t *key);

#endif
