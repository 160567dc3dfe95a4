/* The constant-propagating builder: the one fold rule. */
#include "lower/helpers.h"
#include "lower/internal.h"

#include "base/checked.h"
#include "kernels/kernel.h"

#include <string.h>

/* Operands and results of one call, in the arena. */
struct step {
    enum webnn_operator kind;
    const value *operands;
    uint32_t count, result_count;
    const void *attributes; /* resolved once inferred */
    struct descriptor *descriptors, *results;
    const struct descriptor **pointers;
};

static o2w_status step_init(struct lower *l, struct step *s)
{
    s->descriptors = ARENA_ARRAY(&l->arena, s->count, struct descriptor);
    s->pointers = ARENA_ARRAY(&l->arena, s->count, const struct descriptor *);
    s->results = ARENA_ARRAY(&l->arena, s->result_count, struct descriptor);
    if (!s->descriptors || !s->pointers || !s->results)
        return diag_memory(l->diags);
    return O2W_OK;
}

static bool all_known(const value *operands, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (operands[i] && operands[i]->kind != VALUE_KNOWN)
            return false;
    return true;
}

/* Constants of a composition beside a float64 value are float64 too. */
static void widen_floats(struct step *s)
{
    bool wide = false;
    for (uint32_t i = 0; i < s->count; i++)
        wide |= s->operands[i] && s->descriptors[i].dtype == DTYPE_FLOAT64;
    for (uint32_t i = 0; wide && i < s->count; i++)
        if (s->operands[i] && s->descriptors[i].dtype == DTYPE_FLOAT32)
            s->descriptors[i].dtype = DTYPE_FLOAT64;
}

static o2w_status step_infer(struct lower *l, struct step *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->operands[i]) {
            value_descriptor(s->operands[i], &s->descriptors[i]);
            s->pointers[i] = &s->descriptors[i];
        }
    widen_floats(s);
    const struct operator_row *row = operator_row(s->kind);
    void *resolved = arena_alloc(&l->arena, row->attribute_size, 8);
    if (!resolved)
        return diag_memory(l->diags);
    struct infer in = { .kind = s->kind,
                        .row = row,
                        .limits = &l->wide,
                        .exprs = l->builder.graph->exprs,
                        .diags = l->diags,
                        .operands = s->pointers,
                        .operand_count = s->count,
                        .attributes = s->attributes ? s->attributes : row->defaults,
                        .results = s->results,
                        .result_capacity = s->result_count };
    in.constraints.allocator = l->allocator;
    o2w_status status = infer_operator(&in, resolved);
    VEC_FREE(&in.constraints);
    s->attributes = resolved;
    if (status == O2W_OK && in.result_count != s->result_count)
        return diag_error(l->diags, DIAG_INTERNAL, "%s gives %u results, %u were expected",
                          row->name, in.result_count, s->result_count);
    return status;
}

static bool small(const dim *dims, uint32_t rank)
{
    uint64_t count;
    return dims_count(dims, rank, &count) && count <= FOLD_ELEMENTS;
}

/* Whether it makes wide numbers of 4-bit weights, which were packed to be small and are no shape arithmetic. */
static bool unpacks(const struct step *s)
{
    enum dtype dtype = s->descriptors[0].dtype;
    return s->kind == WEBNN_DEQUANTIZE_LINEAR && (dtype == DTYPE_INT4 || dtype == DTYPE_UINT4);
}

static bool is_huge(const struct descriptor *d)
{
    uint64_t count, bytes;
    return !dims_count(d->dims, d->rank, &count) || !dtype_bytes(d->dtype, count, &bytes) ||
           bytes > FOLDED_LIMIT;
}

/* Everything known and small, or folding asked for: run it now. */
static bool worth_folding(const struct lower *l, const struct step *s)
{
    bool is_small = !unpacks(s), huge = false;
    if (s->count && s->operands[0] && !dtype_in(s->descriptors[0].dtype, kernel_dtypes(s->kind)))
        return false;
    for (uint32_t i = 0; i < s->count; i++)
        is_small &= !s->operands[i] || small(s->operands[i]->dims, s->operands[i]->rank);
    for (uint32_t i = 0; i < s->result_count; i++) {
        if (!dims_static(s->results[i].dims, s->results[i].rank))
            return false;
        is_small &= small(s->results[i].dims, s->results[i].rank);
        huge |= is_huge(&s->results[i]);
    }
    return is_small || (l->options->constant_folding && !huge);
}

/* The operand's elements in the dtype of the evaluation. */
static o2w_status working_tensor(struct lower *l, value v, enum dtype dtype, struct arena *scratch,
                                 struct tensor *out)
{
    struct tensor stored;
    TRY(known_tensor(l, v, &stored));
    if (stored.dtype == dtype) {
        *out = stored;
        return O2W_OK;
    }
    if (tensor_new(scratch, dtype, v->dims, v->rank, out) != O2W_OK)
        return diag_memory(l->diags);
    return tensor_convert(&stored, out);
}

static o2w_status run_kernel(struct lower *l, const struct step *s, struct arena *scratch,
                             struct tensor *results)
{
    struct tensor *tensors = ARENA_ARRAY(scratch, s->count, struct tensor);
    const struct tensor **pointers = ARENA_ARRAY(scratch, s->count, const struct tensor *);
    if (!tensors || !pointers)
        return diag_memory(l->diags);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->operands[i]) {
            TRY(working_tensor(l, s->operands[i], s->descriptors[i].dtype, scratch, &tensors[i]));
            pointers[i] = &tensors[i];
        }
    struct kernel_call call = { .kind = s->kind,
                                .operands = pointers,
                                .operand_count = s->count,
                                .attributes = s->attributes,
                                .results = results,
                                .result_count = s->result_count,
                                .pool = l->pool,
                                .scratch = scratch,
                                .allocator = l->allocator };
    return kernel_run(&call);
}

static o2w_status known_result(struct lower *l, const struct tensor *t, value *out)
{
    uint64_t bytes = tensor_bytes(t);
    struct weight w = { .source = WEIGHT_BYTES,
                        .transform = WEIGHT_COPY,
                        .dtype = t->dtype,
                        .from = t->dtype,
                        .count = tensor_count(t),
                        .length = bytes,
                        .bytes = t->data };
    return value_of_weight(l, &w, t->dtype, t->dims, t->rank, out);
}

static o2w_status step_evaluate(struct lower *l, const struct step *s, value *out)
{
    struct tensor *results = ARENA_ARRAY(&l->arena, s->result_count, struct tensor);
    if (!results)
        return diag_memory(l->diags);
    for (uint32_t i = 0; i < s->result_count; i++) {
        if (!l->options->constant_folding)
            TRY(count_computed(l, s->results[i].dtype, s->results[i].dims, s->results[i].rank));
        o2w_status made = tensor_new(&l->arena, s->results[i].dtype, s->results[i].dims,
                                     s->results[i].rank, &results[i]);
        if (made != O2W_OK)
            return diag_memory(l->diags);
    }
    struct arena scratch;
    arena_init(&scratch, l->allocator);
    o2w_status status = run_kernel(l, s, &scratch, results);
    arena_free(&scratch);
    TRY(status);
    for (uint32_t i = 0; i < s->result_count; i++)
        TRY(known_result(l, &results[i], &out[i]));
    l->evaluated++;
    return O2W_OK;
}

static o2w_status step_record(struct lower *l, const struct step *s, const void *attributes,
                              value *out)
{
    operand_id *operands = ARENA_ARRAY(&l->arena, s->count, operand_id);
    operand_id *results = ARENA_ARRAY(&l->arena, s->result_count, operand_id);
    if (!operands || !results)
        return diag_memory(l->diags);
    for (uint32_t i = 0; i < s->count; i++) {
        operands[i] = NO_ID;
        if (s->operands[i])
            TRY(value_operand(l, s->operands[i], &operands[i]));
    }
    struct span label = l->node ? l->node->onnx->name : (struct span){ 0 };
    uint32_t made = s->result_count;
    TRY(builder_op(&l->builder, s->kind, operands, s->count, attributes, label, results, &made));
    for (uint32_t i = 0; i < s->result_count; i++)
        TRY(value_of_operand(l, results[i], &out[i]));
    return O2W_OK;
}

/* Says whose operator it was that the builder refused. */
static o2w_status at_node(struct lower *l, o2w_status status, size_t before)
{
    if (status != O2W_OK && l->node && l->diags && l->diags->count > before && l->diags->newest &&
        !l->diags->newest->lines)
        onnx_at_node(l->diags, l->model, l->node->onnx, NULL);
    return status;
}

/* The padding of a bounded size must not be computed with unawares. */
static o2w_status check_bounded(struct lower *l, const struct step *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->operands[i] && s->operands[i]->bounded)
            return diag_error(l->diags, DIAG_LOWER_SHAPE,
                              "a value has a size that depends on data: outputs, Gather, GatherND, "
                              "Transpose and elementwise operators alone take it");
    return O2W_OK;
}

static o2w_status perform(struct lower *l, struct step *s, value *out)
{
    TRY(check_bounded(l, s));
    const void *given = s->attributes;
    if (value_has_shape(s->operands, s->count)) {
        bool done = false;
        TRY(symbolic_op(l, s->kind, s->operands, s->count, given, out, s->result_count, &done));
        if (done)
            return O2W_OK;
    }
    if (all_known(s->operands, s->count) && kernel_find(s->kind)) {
        TRY(step_init(l, s));
        TRY(step_infer(l, s));
        if (worth_folding(l, s))
            return step_evaluate(l, s, out);
    }
    return step_record(l, s, given, out);
}

o2w_status op_list(struct lower *l, enum webnn_operator kind, const value *operands, uint32_t count,
                   const void *attributes, value *out, uint32_t result_count)
{
    struct step s = { .kind = kind,
                      .operands = operands,
                      .count = count,
                      .result_count = result_count,
                      .attributes = attributes };
    size_t before = l->diags ? l->diags->count : 0;
    return at_node(l, perform(l, &s, out), before);
}

o2w_status op(struct lower *l, enum webnn_operator kind, const value *operands, uint32_t count,
              const void *attributes, value *out)
{
    return op_list(l, kind, operands, count, attributes, out, 1);
}

bool gives_model_output(const struct lower *l, const struct node_view *n, uint32_t i)
{
    const struct onnx_graph *g = &l->model->graph;
    for (uint32_t k = 0; k < g->output_count; k++)
        if (g->outputs[k].name == n->onnx->outputs[i])
            return true;
    return false;
}

o2w_status unevaluated(struct lower *l, value x, value *out)
{
    operand_id id;
    TRY(value_operand(l, x, &id));
    return value_of_operand(l, id, out);
}

o2w_status op1(struct lower *l, enum webnn_operator kind, value a, value *out)
{
    return op(l, kind, OPERANDS(a), NULL, out);
}

o2w_status op2(struct lower *l, enum webnn_operator kind, value a, value b, value *out)
{
    return op(l, kind, OPERANDS(a, b), NULL, out);
}

o2w_status op3(struct lower *l, enum webnn_operator kind, value a, value b, value c, value *out)
{
    return op(l, kind, OPERANDS(a, b, c), NULL, out);
}
