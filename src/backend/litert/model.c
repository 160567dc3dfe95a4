#include "backend/litert/model.h"

#include <string.h>

enum { REFERENCE = 4, DATA_ALIGNMENT = 16, SCHEMA_VERSION = 3, CODE_PLACEHOLDER = 127 };

void lite_init(struct lite_model *m, const o2w_allocator *allocator)
{
    *m = (struct lite_model){ .failed = false };
    m->tensors.allocator = allocator;
    m->nodes.allocator = allocator;
}

void lite_free(struct lite_model *m)
{
    VEC_FREE(&m->tensors);
    VEC_FREE(&m->nodes);
}

int32_t lite_tensor(struct lite_model *m, enum dtype t, const int64_t *dims, uint32_t rank,
                    const void *data, size_t size)
{
    struct lite_tensor made = { .dtype = t, .rank = rank, .data = data, .size = size };
    for (uint32_t i = 0; i < rank && i < 8; i++)
        made.dims[i] = (int32_t)dims[i];
    if (!VEC_PUSH(&m->tensors, made))
        m->failed = true;
    return (int32_t)m->tensors.count - 1;
}

void lite_node(struct lite_model *m, const struct lite_node *node)
{
    if (!VEC_PUSH(&m->nodes, *node))
        m->failed = true;
}

/* A vector of references to come; its place. Element i refers at place + 4 + 4 i. */
static size_t references(struct flat *f, size_t count)
{
    return flat_vector(f, REFERENCE, count, NULL, REFERENCE);
}

static size_t element_of(size_t vector, size_t i)
{
    return vector + 4 + REFERENCE * i;
}

/* Buffer 0 is the empty one of tensors without data; constants follow in their order. */
static void write_buffers(const struct lite_model *m, struct flat *f, size_t at)
{
    size_t count = 1, next = 0, place;
    for (size_t i = 0; i < m->tensors.count; i++)
        count += m->tensors.items[i].data != NULL;
    size_t vector = references(f, count);
    flat_patch(f, at, vector);
    flat_patch(f, element_of(vector, next++), flat_table(f, NULL, 0, NULL));
    for (size_t i = 0; i < m->tensors.count; i++) {
        const struct lite_tensor *t = &m->tensors.items[i];
        const struct flat_field data = { REFERENCE, 0 };
        if (!t->data)
            continue;
        flat_patch(f, element_of(vector, next++), flat_table(f, &data, 1, &place));
        flat_patch(f, place, flat_vector(f, 1, t->size, t->data, DATA_ALIGNMENT));
    }
}

/* shape, type, buffer, name, quantization, is_variable, sparsity, shape_signature, has_rank */
static void write_tensors(const struct lite_model *m, struct flat *f, size_t at)
{
    size_t vector = references(f, m->tensors.count), buffer = 0, places[9];
    flat_patch(f, at, vector);
    for (size_t i = 0; i < m->tensors.count; i++) {
        const struct lite_tensor *t = &m->tensors.items[i];
        const struct flat_field fields[9] = {
            [0] = { REFERENCE, 0 },
            [1] = { 1, t->dtype == DTYPE_INT32 ? 2 : 0 },
            [2] = { 4, t->data ? ++buffer : 0 },
            [8] = { 1, 1 },
        };
        flat_patch(f, element_of(vector, i), flat_table(f, fields, 9, places));
        flat_patch(f, places[0], flat_vector(f, 4, t->rank, t->dims, 4));
    }
}

/* opcode_index, inputs, outputs, the kind of options, options */
static void write_node(const struct lite_node *n, size_t code, struct flat *f, size_t at)
{
    size_t places[5];
    bool with = n->options != LITE_NO_OPTIONS;
    const struct flat_field fields[5] = { { 4, code },
                                          { REFERENCE, 0 },
                                          { REFERENCE, 0 },
                                          { with ? 1 : 0, (uint64_t)n->options },
                                          { with ? REFERENCE : 0, 0 } };
    flat_patch(f, at, flat_table(f, fields, 5, places));
    flat_patch(f, places[1], flat_vector(f, 4, n->input_count, n->inputs, 4));
    flat_patch(f, places[2], flat_vector(f, 4, 1, &n->output, 4));
    if (with)
        flat_patch(f, places[4], flat_table(f, n->fields, n->field_count, NULL));
}

/* The first version of its kernel that the engine still has. */
static uint64_t version_of(uint64_t op)
{
    return op == LITE_BROADCAST_TO ? 2 : 1;
}

/* One code per node: the table is small beside everything else. */
static void write_codes(const struct lite_model *m, struct flat *f, size_t at)
{
    size_t vector = references(f, m->nodes.count);
    flat_patch(f, at, vector);
    for (size_t i = 0; i < m->nodes.count; i++) {
        uint64_t op = (uint64_t)m->nodes.items[i].op;
        const struct flat_field fields[4] = { { 1, op < CODE_PLACEHOLDER ? op : CODE_PLACEHOLDER },
                                              { 0, 0 },
                                              { 4, version_of(op) },
                                              { 4, op } };
        flat_patch(f, element_of(vector, i), flat_table(f, fields, 4, NULL));
    }
}

/* tensors, inputs, outputs, operators */
static void write_subgraph(const struct lite_model *m, struct flat *f, size_t at,
                           const int32_t *inputs, size_t input_count, const int32_t *outputs,
                           size_t output_count)
{
    const struct flat_field fields[4] = {
        { REFERENCE, 0 }, { REFERENCE, 0 }, { REFERENCE, 0 }, { REFERENCE, 0 }
    };
    size_t places[4], vector = references(f, 1);
    flat_patch(f, at, vector);
    flat_patch(f, element_of(vector, 0), flat_table(f, fields, 4, places));
    write_tensors(m, f, places[0]);
    flat_patch(f, places[1], flat_vector(f, 4, input_count, inputs, 4));
    flat_patch(f, places[2], flat_vector(f, 4, output_count, outputs, 4));
    vector = references(f, m->nodes.count);
    flat_patch(f, places[3], vector);
    for (size_t i = 0; i < m->nodes.count; i++)
        write_node(&m->nodes.items[i], i, f, element_of(vector, i));
}

/* version, operator_codes, subgraphs, description, buffers */
bool lite_write(const struct lite_model *m, const int32_t *inputs, size_t input_count,
                const int32_t *outputs, size_t output_count, const o2w_allocator *allocator,
                struct flat *f)
{
    const struct flat_field fields[5] = {
        { 4, SCHEMA_VERSION }, { REFERENCE, 0 }, { REFERENCE, 0 }, { 0, 0 }, { REFERENCE, 0 }
    };
    size_t places[5];
    flat_begin(f, allocator, "TFL3");
    flat_patch(f, 0, flat_table(f, fields, 5, places));
    write_codes(m, f, places[1]);
    write_subgraph(m, f, places[2], inputs, input_count, outputs, output_count);
    write_buffers(m, f, places[4]);
    return !f->failed && !m->failed;
}
