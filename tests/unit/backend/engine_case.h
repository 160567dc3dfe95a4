/* One operator on the engine against the kernels: a graph of one operator is made, run, compared. */
#ifndef UNIT_BACKEND_ENGINE_CASE_H
#define UNIT_BACKEND_ENGINE_CASE_H

#include "backend/backend.h"
#include "kernels/kernel.h"
#include "support/test.h"
#include "webnn/builder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CASE_SLOTS = 10, CASE_RESULTS = 8 };

struct case_shape {
    bool is_set, absent;
    uint32_t rank;
    int64_t dims[6];
};

struct engine_case {
    enum webnn_operator kind;
    const char *label;
    const void *attributes;
    struct case_shape shapes[CASE_SLOTS];
    const char *family; /* of large cases */
    unsigned summands;  /* of one element of their results */
};

#define SHAPE_RANK(...) (uint32_t)(sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t))
#define S(...)                                                                   \
    {                                                                            \
        .is_set = true, .rank = SHAPE_RANK(__VA_ARGS__), .dims = { __VA_ARGS__ } \
    }
#define SCALAR         \
    {                  \
        .is_set = true \
    }
#define ABSENT                         \
    {                                  \
        .is_set = true, .absent = true \
    }
#define CASE(OP, LABEL, ATTRIBUTES, ...)                                                        \
    {                                                                                           \
        .kind = WEBNN_##OP, .label = LABEL, .attributes = ATTRIBUTES, .shapes = { __VA_ARGS__ } \
    }
#define LARGE(FAMILY, OP, ATTRIBUTES, SUMMANDS, ...)                                      \
    {                                                                                     \
        .kind = WEBNN_##OP, .label = "large", .attributes = ATTRIBUTES, .family = FAMILY, \
        .summands = SUMMANDS, .shapes = {                                                 \
            __VA_ARGS__                                                                   \
        }                                                                                 \
    }
#define U32S(...)                                                                 \
    {                                                                             \
        .given = true, .count = SHAPE_RANK(__VA_ARGS__), .items = { __VA_ARGS__ } \
    }
#define SIZES(...)                                                                \
    {                                                                             \
        .given = true, .count = SHAPE_RANK(__VA_ARGS__), .items = { __VA_ARGS__ } \
    }
#define EMPTY_LIST    \
    {                 \
        .given = true \
    }
#define NUMBER(x)                           \
    {                                       \
        .kind = WEBNN_NUMBER_DOUBLE, .d = x \
    }
#define WHOLE(x)                         \
    {                                    \
        .kind = WEBNN_NUMBER_INT, .i = x \
    }

/* Element values of a run: small ones, or with everything that is special mixed in. */
enum case_data { DATA_PLAIN, DATA_SPECIAL };

struct case_run {
    const struct engine_case *c;
    struct arena arena;
    struct diags diags;
    enum dtype dtypes[CASE_SLOTS];
    struct tensor operands[CASE_SLOTS], wanted[CASE_RESULTS], got[CASE_RESULTS];
    uint32_t operand_count, result_count;
    const void *attributes; /* resolved */
    bool constants;         /* all operands but the first are constants */
    enum case_data data;
    uint64_t seed;
};

static inline uint64_t case_random(struct case_run *r)
{
    r->seed ^= r->seed << 13;
    r->seed ^= r->seed >> 7;
    r->seed ^= r->seed << 17;
    return r->seed;
}

/* Sums depend on their order where the largest numbers meet. */
static inline bool case_sums(enum webnn_operator kind)
{
    switch ((int)kind) {
    case WEBNN_CONV2D:
    case WEBNN_CONV_TRANSPOSE2D:
    case WEBNN_GEMM:
    case WEBNN_MATMUL:
    case WEBNN_GRU:
    case WEBNN_GRU_CELL:
    case WEBNN_LSTM:
    case WEBNN_LSTM_CELL:
    case WEBNN_INSTANCE_NORMALIZATION:
    case WEBNN_LAYER_NORMALIZATION:
    case WEBNN_BATCH_NORMALIZATION:
    case WEBNN_L2_POOL2D:
    case WEBNN_AVERAGE_POOL2D:
    case WEBNN_CUMULATIVE_SUM:
    case WEBNN_REDUCE_L1:
    case WEBNN_REDUCE_L2:
    case WEBNN_REDUCE_MEAN:
    case WEBNN_REDUCE_PRODUCT:
    case WEBNN_REDUCE_SUM:
    case WEBNN_REDUCE_SUM_SQUARE: return true;
    default: return false;
    }
}

static inline double case_special(const struct case_run *r, uint64_t bits, enum dtype t)
{
    double tiny = t == DTYPE_FLOAT16 ? 6e-8 : 1e-45,
           most = t == DTYPE_FLOAT16 ? 65504 : 3.4028234663852886e38;
    most = case_sums(r->c->kind) ? 3 : most;
    const double values[] = { NAN,   INFINITY, -INFINITY, -0.0, 0.0, tiny, -tiny, most,
                              -most, 1,        -1,        0.5,  1.5, 2.5,  -0.5,  -2.5 };
    return values[bits % (sizeof values / sizeof *values)];
}

/* What the slot of the operator means decides its values. */
enum case_role { ROLE_ANY, ROLE_INDEX, ROLE_POSITIVE, ROLE_SCALE, ROLE_TRUTH };

static inline enum case_role case_role_of(enum webnn_operator kind, uint32_t slot)
{
    switch ((int)kind) {
    case WEBNN_GATHER:
    case WEBNN_GATHER_ELEMENTS:
    case WEBNN_GATHER_ND:
    case WEBNN_SCATTER_ELEMENTS:
    case WEBNN_SCATTER_ND: return slot == 1 ? ROLE_INDEX : ROLE_ANY;
    case WEBNN_BATCH_NORMALIZATION: return slot == 2 ? ROLE_POSITIVE : ROLE_ANY;
    case WEBNN_QUANTIZE_LINEAR:
    case WEBNN_DEQUANTIZE_LINEAR: return slot == 1 ? ROLE_SCALE : ROLE_ANY;
    case WEBNN_WHERE: return slot == 0 ? ROLE_TRUTH : ROLE_ANY;
    case WEBNN_LOGICAL_NOT:
    case WEBNN_LOGICAL_AND:
    case WEBNN_LOGICAL_OR:
    case WEBNN_LOGICAL_XOR: return ROLE_TRUTH;
    default: return ROLE_ANY;
    }
}

static inline void case_fill_float(struct case_run *r, struct tensor *t, enum case_role role)
{
    for (uint64_t i = 0; i < tensor_count(t); i++) {
        uint64_t bits = case_random(r);
        double value = (double)((int64_t)(bits >> 16 & 0xffff) - 32768) / 8192;
        if (role == ROLE_POSITIVE || role == ROLE_SCALE)
            value = fabs(value) / 4 + 0.125;
        else if (r->data == DATA_SPECIAL && (bits >> 40 & 3) == 0)
            value = case_special(r, bits >> 50, t->dtype);
        tensor_put_double(t, i, value);
    }
}

static inline void case_fill_integer(struct case_run *r, struct tensor *t, enum case_role role)
{
    uint64_t count = tensor_count(t);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bits = case_random(r);
        int64_t value = (int64_t)(bits >> 20 & 15) - 5;
        if (role == ROLE_TRUTH)
            value = (bits >> 20 & 1) ? (int64_t)(bits >> 24 & 255) : 0;
        else if (role == ROLE_INDEX)
            value = (int64_t)(bits >> 20 & 15) - 7;
        else if (r->data == DATA_SPECIAL && (bits >> 40 & 1))
            value = (int64_t)(bits >> 3 & 1 ? (uint64_t)dtype_min(t->dtype)
                                            : dtype_max(t->dtype) - (bits >> 50 & 1));
        else if (r->data == DATA_SPECIAL)
            value = (int64_t)case_random(r);
        tensor_put_i64(t, i, value);
    }
}

static inline void case_fill(struct case_run *r, uint32_t slot, struct tensor *t)
{
    enum case_role role = case_role_of(r->c->kind, slot);
    if (dtype_is_float(t->dtype))
        case_fill_float(r, t, role);
    else
        case_fill_integer(r, t, role);
}

/* float32, else uint8, else int32, as the slots take them. */
static inline void case_everyday_dtypes(const struct engine_case *c, enum dtype dtypes[CASE_SLOTS])
{
    static const enum dtype order[] = { DTYPE_FLOAT32, DTYPE_UINT8, DTYPE_INT32 };
    const struct operator_row *row = operator_row(c->kind);
    for (uint32_t slot = 0; slot < CASE_SLOTS && c->shapes[slot].is_set; slot++) {
        const struct slot_row *s =
            &row->operands[slot < row->operand_count ? slot : row->operand_count - 1];
        size_t i = 0;
        while (i < 2 && !dtype_in(order[i], s->dtypes))
            i++;
        dtypes[slot] = s->same_dtype_as >= 0 ? dtypes[s->same_dtype_as] : order[i];
    }
}

/* Makes the operands that the shapes and r->dtypes say. */
static inline void case_fill_operands(struct case_run *r)
{
    for (; r->operand_count < CASE_SLOTS && r->c->shapes[r->operand_count].is_set;
         r->operand_count++) {
        uint32_t i = r->operand_count;
        if (r->c->shapes[i].absent)
            continue;
        assert_ok(tensor_new(&r->arena, r->dtypes[i], r->c->shapes[i].dims, r->c->shapes[i].rank,
                             &r->operands[i]));
        case_fill(r, i, &r->operands[i]);
    }
}

/* The graph of one operator; false when inference refuses these dtypes. */
static inline bool case_build(struct case_run *r, struct graph **out)
{
    static struct limits limits;
    struct builder b;
    operand_id ids[CASE_SLOTS], results[CASE_RESULTS];
    uint32_t count = CASE_RESULTS;
    limits_own(&limits);
    assert_ok(builder_init(&b, &limits, NULL, &r->diags));
    for (uint32_t i = 0; i < r->operand_count; i++) {
        struct descriptor d = { .dtype = r->dtypes[i], .rank = r->c->shapes[i].rank };
        char name[16];
        ids[i] = NO_ID;
        if (r->c->shapes[i].absent)
            continue;
        memcpy(d.dims, r->c->shapes[i].dims, d.rank * sizeof *d.dims);
        snprintf(name, sizeof name, "x%u", i);
        struct tensor *t = &r->operands[i];
        if (r->constants && i > 0)
            assert_ok(
                builder_constant_bytes(&b, &d, t->data, (size_t)tensor_bytes(t), true, &ids[i]));
        else
            assert_ok(builder_input(&b, span_of(name), &d, &ids[i]));
    }
    o2w_status status = builder_op(&b, r->c->kind, ids, r->operand_count, r->c->attributes,
                                   SPAN(""), results, &count);
    for (uint32_t i = 0; status == O2W_OK && i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "y%u", i);
        assert_ok(builder_output(&b, span_of(name), results[i]));
    }
    r->result_count = count;
    if (status == O2W_OK)
        assert_ok(builder_build(&b, out));
    builder_free(&b);
    return status == O2W_OK;
}

static inline void case_want(struct case_run *r, const struct graph *g)
{
    const struct tensor *operands[CASE_SLOTS];
    const struct operator_node *node = &g->operators.items[0];
    for (uint32_t i = 0; i < r->operand_count; i++)
        operands[i] = r->c->shapes[i].absent ? NULL : &r->operands[i];
    for (uint32_t i = 0; i < r->result_count; i++) {
        const struct operand *o = graph_operand(g, node->first_result + i);
        assert_ok(tensor_new(&r->arena, o->dtype, o->dims, o->rank, &r->wanted[i]));
        assert_ok(tensor_new(&r->arena, o->dtype, o->dims, o->rank, &r->got[i]));
    }
    const struct kernel_call call = {
        .kind = r->c->kind,
        .operands = operands,
        .operand_count = r->operand_count,
        .attributes = node->attributes,
        .results = r->wanted,
        .result_count = r->result_count,
        .scratch = &r->arena,
        .allocator = &mem_default,
    };
    assert_ok(kernel_run(&call));
}

/* What dispatch takes. */
static inline void case_bind(const struct case_run *r, struct binding *inputs,
                             struct binding *outputs)
{
    size_t n = 0;
    for (uint32_t i = 0; i < r->operand_count; i++)
        if (!r->c->shapes[i].absent && !(r->constants && i > 0))
            inputs[n++].tensor = r->operands[i];
    for (uint32_t i = 0; i < r->result_count; i++)
        outputs[i].tensor = r->got[i];
}

static inline o2w_status case_dispatch(struct case_run *r, const struct backend *backend,
                                       struct engine *e, const struct graph *g)
{
    struct compiled *c = NULL;
    struct binding inputs[CASE_SLOTS], outputs[CASE_RESULTS];
    TRY(backend->compile(e, g, &r->diags, &c));
    case_bind(r, inputs, outputs);
    o2w_status status = backend->dispatch(c, inputs, outputs, NULL, &r->diags);
    backend->release(c);
    return status;
}

#endif
