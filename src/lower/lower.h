/* What the rows' functions are written with. A call that fails has left its diagnostic, which names
 * the node; `TRY` forwards it. Nothing here cares whether a value is known: `op` evaluates or
 * records by the one fold rule. */
#ifndef LOWER_LOWER_H
#define LOWER_LOWER_H

#include "base/diag.h"
#include "lower/row.h"

struct node_view {
    const struct onnx_node *onnx;
    const struct onnx_row *row;
    const value *inputs;
    value *outputs;   /* set by emit …; NULL until then */
    const bool *used; /* which outputs anyone reads */
    uint32_t input_count, output_count;
    enum dtype variables[TYPE_COUNT]; /* dtype of each bound type variable, else DTYPE_COUNT */
};

/* The node's inputs: NULL when absent, or beyond those given. */
static inline value input(const struct node_view *n, uint32_t i)
{
    return i < n->input_count ? n->inputs[i] : NULL;
}
static inline bool output_used(const struct node_view *n, uint32_t i)
{
    return i < n->output_count && n->used[i];
}

/* --- WebNN operators ---------------------------------------------------------------------------- */

#define OPERANDS(...)               \
    (const value[]){ __VA_ARGS__ }, \
        (uint32_t)(sizeof((const value[]){ __VA_ARGS__ }) / sizeof(value))

/* Infers, then runs the kernel now (every operand known and the result small, or folding asked for)
 * or records the operator. Operands by slot, NULL = absent. attributes NULL: defaults. The result's
 * dtype is WebNN's (a comparison gives uint8). */
o2w_status op(struct lower *l, enum webnn_operator kind, const value *operands, uint32_t count,
              const void *attributes, value *out);
/* The list operators: `out` has room for `result_count`, which must be right. */
o2w_status op_list(struct lower *l, enum webnn_operator kind, const value *operands, uint32_t count,
                   const void *attributes, value *out, uint32_t result_count);
o2w_status op1(struct lower *l, enum webnn_operator kind, value a, value *out);
o2w_status op2(struct lower *l, enum webnn_operator kind, value a, value b, value *out);
o2w_status op3(struct lower *l, enum webnn_operator kind, value a, value b, value c, value *out);

/* The same as the node's output 0 (emit_value: any value as output 0; emit_output: as output i). The
 * output takes the dtype that the row's result slot says, whose carried form it must have. */
o2w_status emit(struct lower *l, const struct node_view *n, enum webnn_operator kind,
                const value *operands, uint32_t count, const void *attributes);
o2w_status emit_value(struct lower *l, const struct node_view *n, value v);
o2w_status emit_output(struct lower *l, const struct node_view *n, uint32_t i, value v);
/* Output i with an ONNX dtype that no slot rule gives. */
o2w_status emit_as(struct lower *l, const struct node_view *n, uint32_t i, value v,
                   enum dtype onnx);

/* --- Movers and casts, no operator where nothing changes ----------------------------------------- */

o2w_status reshape(struct lower *l, value x, const dim *dims, uint32_t rank, value *out);
o2w_status unsqueeze(struct lower *l, value x, const uint32_t *axes, uint32_t count,
                     value *out); /* in output rank, ascending */
o2w_status squeeze(struct lower *l, value x, const uint32_t *axes, uint32_t count, value *out);
o2w_status transpose(struct lower *l, value x, const uint32_t *permutation, value *out);
o2w_status slice(struct lower *l, value x, uint32_t axis, int64_t start, dim size, int64_t stride,
                 value *out);
o2w_status expand(struct lower *l, value x, const dim *dims, uint32_t rank, value *out);
o2w_status concat(struct lower *l, const value *items, uint32_t count, uint32_t axis, value *out);
/* To the carried form of an ONNX dtype, by Cast's rules (to bool: != 0). The result has that dtype. */
o2w_status cast(struct lower *l, value x, enum dtype onnx, value *out);
/* The low 16 bits of an int32 value, as int16 or uint16. */
o2w_status wrap16(struct lower *l, value x, enum dtype onnx, value *out);
/* The same elements under another ONNX dtype with the same carried one (bool and uint8 …). */
o2w_status retype(struct lower *l, value x, enum dtype onnx, value *out);

/* --- Refusals: each leaves a diagnostic about the node and returns its status ---------------------- */

o2w_status refuse(struct lower *l, const struct node_view *n, enum diag_code code,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));
/* "attribute 'mode' is 'wrap', …" and "input 2 'shape' …": `format` is what follows. */
o2w_status refuse_attribute(struct lower *l, const struct node_view *n, const char *name,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));
o2w_status refuse_input(struct lower *l, const struct node_view *n, uint32_t i, const char *format,
                        ...) __attribute__((format(printf, 4, 5)));
/* Attribute or input axis in -rank … rank-1 (or rank, `past` = 1) as an index. */
o2w_status axis_from(struct lower *l, const struct node_view *n, int64_t axis, uint32_t rank,
                     uint32_t past, uint32_t *out);
/* A list of axes, unique, ascending where `sorted`. */
o2w_status axes_from(struct lower *l, const struct node_view *n, const struct ints *axes,
                     uint32_t rank, bool sorted, struct webnn_u32s *out);
/* A note that the report shows once per model and text. */
void lower_report(struct lower *l, const struct node_view *n, enum diag_code code,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Most repetitions that are written out: --unroll-limit. */
enum unrolled { UNROLL_LOOP, UNROLL_SCAN, UNROLL_STEPS };
uint32_t lower_unroll_limit(const struct lower *l, enum unrolled what);
/* --assume known-categories */
bool lower_assumes_known_categories(const struct lower *l);
/* Refuses where the graph has grown beyond a million operators. */
o2w_status lower_check_growth(struct lower *l, const struct node_view *n);

struct exprs *lower_exprs(struct lower *l);
struct arena *lower_arena(struct lower *l);
struct diags *lower_diags(struct lower *l);
struct onnx_model *lower_model_of(struct lower *l);
/* dims as numbers or expressions: dim_apply with the node's diagnostic. */
o2w_status dim_of(struct lower *l, const struct node_view *n, enum expr_op op, dim a, dim b,
                  dim *out);
/* A value of a tensor attribute, of an initializer. */
o2w_status value_from_tensor(struct lower *l, const struct onnx_tensor *t, value *out);
o2w_status value_from_sparse(struct lower *l, const struct onnx_sparse_tensor *s,
                             value *out); /* densified */
/* Evaluates a body in a nested scope: inputs by position; outputs has room for its outputs. */
o2w_status lower_body(struct lower *l, const struct node_view *n, const struct onnx_graph *body,
                      const value *inputs, uint32_t input_count, value *outputs);

#include "lower/known.h" /* known values: the other half of this contract */

#endif
