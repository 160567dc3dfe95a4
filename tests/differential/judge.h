/* A program, converted and run on the engines, against native ONNX Runtime. */
#ifndef DIFFERENTIAL_JUDGE_H
#define DIFFERENTIAL_JUDGE_H

#include "program.h"

enum verdict {
    SAME,
    REFUSED,   /* with a diagnostic, although native ONNX Runtime runs it */
    AMPLIFIED, /* every node agrees on the values that reach it; their small differences have grown */
    EXPLAINED, /* by a row of explained.def */
    DIFFERENT
};

struct judgement {
    enum verdict verdict;
    const char *reason; /* REFUSED, EXPLAINED: what is counted by */
    char text[700];     /* what differs */
    char subject[80];   /* the operator it is about */
};

/* Opens the engines; false when native ONNX Runtime is missing. */
bool judge_open(void);
void judge_close(void);
/* Runs the node in native ONNX Runtime on the values of its inputs and stores its outputs. False: the
 * runtime does not take it, or its values are of no use. */
bool judge_native_node(struct program *p, size_t node, struct arena *arena, char *why, size_t size);
void judge(const struct program *p, struct judgement *out);

/* explained.c: the reason why this node may differ from native ONNX Runtime; NULL: it may not. Values
 * are what reached the node, `cpu` the engine. `got` is what was computed instead of `want`. */
const char *explained_reason(bool cpu, const struct program *p, const struct node *n,
                             const struct tensor *got, const struct tensor *want);
/* exact_cells.c: whether this result of an RNN, GRU or LSTM is, within the tolerance, what double precision gives. */
bool exact_cells(const struct program *p, const struct node *n, const struct tensor *got);
/* Whether float32 rounding of this node's sums explains the difference. */
bool within_rounding(const struct program *p, const struct node *n, const struct tensor *got,
                     const struct tensor *want);
bool same_tensors(const struct tensor *got, const struct tensor *want, uint64_t *where);
bool same_number(const struct tensor *got, const struct tensor *want, uint64_t i);

/* shrink.c: the smallest program found with the same verdict about the same operator. */
void shrink(struct program *p, struct arena *arena, const struct judgement *j);

#endif
