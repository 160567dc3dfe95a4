/* Where an input's elements go in the model, and which feed follows from that. */
#ifndef VALIDATE_FLOW_H
#define VALIDATE_FLOW_H

#include "validate/feed.h"
#include "validate/scope.h"

/* A place where a value is quantised. */
struct quantizer {
    const struct onnx_node *node;
    const struct scope *scope;
    enum dtype dtype;   /* of the quantised values; DTYPE_COUNT: a kind that has no levels here */
    int scale, zero;    /* input indices; -1: scale 1, zero point 0 */
    const char *prefix; /* "y_" of y_scale */
    int64_t axis, block;
    bool per_axis; /* the operator has scales per axis or block */
    bool moved;    /* elements may have changed their place on the way */
    bool dynamic;
};

typedef VEC(struct quantizer) quantizer_list;

/* What an input reaches. */
struct reach {
    quantizer_list quantizers;
    const struct onnx_node *reads_indices; /* the first that uses it as indices, axes or a shape */
    uint64_t vocabulary;                   /* least size of a table it indexes; 0: none */
};

enum reach_kind {
    REACH_QUANTIZERS, /* through carriers and casts between floats */
    REACH_TABLES      /* through carriers and casts between integers */
};

/* Follows input `name` of the main graph. */
o2w_status flow_reach(struct scopes *s, name_id name, const struct feed *f, enum reach_kind kind,
                      struct diags *d, struct reach *out);
void reach_free(struct reach *r);

/* What an operator does with an input slot. */
enum slot_use {
    SLOT_OTHER,
    SLOT_CARRIED, /* its elements are those of the results, in another order or shape */
    SLOT_KEPT,    /* … in the same order and shape */
    SLOT_CAST,
    SLOT_READ, /* as indices, axes or a shape */
    SLOT_QUANTIZED
};
/* `q` is filled for SLOT_QUANTIZED: slots and kind of scales. */
enum slot_use slot_use_of(const struct onnx_node *n, uint32_t input, struct quantizer *q);
/* For indices of a table: its input, and the addressed axis (negative: from the end; for GatherND
 * the first of several, *several is then true). False when the slot is none. */
bool slot_table(const struct scope *s, const struct onnx_node *n, uint32_t input, uint32_t *table,
                int64_t *axis, bool *several);

/* Rules 4 and 5 for a feed: sets rule, grid, vocabulary where they hold. feed.quantizer, and the
 * warning feed.ambiguous. */
o2w_status flow_plan(struct scopes *s, name_id name, struct feed *f, struct diags *d);

/* The verdict over the quantizers of one input. */
o2w_status grid_decide(struct scopes *s, struct feed *f, const struct reach *r, struct diags *d);

#endif
