/* The operator being lowered, seen from its lowering: operands, results, constants. */
#ifndef NODES_OPERAND_H
#define NODES_OPERAND_H

#include "nodes/emit.h"

/* Slot of the operator: is it there, what is it. */
bool has_operand(const struct emit *e, uint32_t slot);
const struct operand *operand_at(const struct emit *e, uint32_t slot);
const struct operand *result_at(const struct emit *e, uint32_t index);
static inline enum dtype operand_dtype(const struct emit *e, uint32_t slot)
{
    return operand_at(e, slot)->dtype;
}
/* A double option, rounded to the dtype of the first operand. */
double option_value(const struct emit *e, double value);
#define ATTRIBUTES_OF(e, type) ((const struct webnn_##type##_attributes *)(e)->node->attributes)

/* The operand in its own dtype; NULL when it is absent. */
ref operand(struct emit *e, uint32_t slot);
/* As bool: every nonzero byte is true. */
ref operand_bool(struct emit *e, uint32_t slot);
/* In the form that moving it costs least: bool where nothing else exists of it, bytes for 4-bit
 * dtypes; *carried says that it is not in its own dtype. */
ref operand_carried(struct emit *e, uint32_t slot, bool *carried);
/* float16 as float32, for what must round once at its end; others as they are. */
ref operand_wide(struct emit *e, uint32_t slot);
/* In another dtype. */
ref operand_as(struct emit *e, uint32_t slot, enum dtype to);

void set_result(struct emit *e, uint32_t index, ref value);
void set_result_bool(struct emit *e, uint32_t index, ref value);
/* By the answer of operand_carried. */
void set_result_carried(struct emit *e, uint32_t index, ref value, bool carried);
/* A value of operand_wide's dtype, rounded to the result's. */
void set_result_wide(struct emit *e, uint32_t index, ref value);
/* From a dtype to the result's, a cast where they differ. */
void set_result_from(struct emit *e, uint32_t index, ref value, enum dtype from);

/* The value of a constant operand, read-only; false when it is none or after a failure. */
bool operand_constant(struct emit *e, uint32_t slot, struct tensor *out);

/* Remembers where a large constant lies in a mapped file. */
void note_mapping(struct emit *e, const struct weight *w, const struct tensor *value);

/* Its dims in other order: a new constant where it is one, else a Transpose. */
ref operand_permuted(struct emit *e, uint32_t slot, const uint32_t *permutation);
/* With other dims of the same count, all numbers: no copy of constants. */
ref operand_reshaped(struct emit *e, uint32_t slot, const int64_t *dims, uint32_t rank);
ref emit_transpose(struct emit *e, ref x, const uint32_t *permutation, uint32_t rank);
ref emit_reshape(struct emit *e, ref x, const dim *dims, uint32_t rank);

/* The value behind an output of the graph: a name of its own that a node made. `taken` are the names
 * of earlier outputs. */
ref output_value(struct emit *e, operand_id id, const ref *taken, size_t taken_count);

/* Whether all dims are numbers; emits the failure that names the operand otherwise. */
bool need_static(struct emit *e, const struct operand *o, const char *what);

#endif
