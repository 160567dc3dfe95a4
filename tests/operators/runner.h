/* Cases of ONNX operators: each becomes a model, is lowered, runs on every engine there is, and is
 * compared with the values that stand here and with native ONNX Runtime where it is present.
 *
 *   OP_CASES = {
 *       { .rule = "7.65 Mod of integers has the sign of the divisor", .op = "Mod", .opset = 13,
 *         .inputs = { "i32[4] -7 7 -7 7", "i32[4] 3 -3 -3 3" }, .outputs = { "i32[4] 2 -2 -1 1" } },
 *   };
 *   OP_CASES_END
 *
 * A tensor: `dtype[dims] values`, dtype as in .webnn files or bool, f64, bf16, i16, u16. A dim is a
 * number, or `name:size`. Values are numbers, nan, inf, -inf; or `iota START STEP`; or `all VALUE`; or
 * `cycle VALUES`; or `noise SEED LOW HIGH`. "=" before it: an initializer. "-": absent. Of outputs
 * `native`: what native ONNX Runtime gives; such a case is skipped where that is missing;
 * `any`: its shape alone is compared. */
#ifndef OPERATORS_RUNNER_H
#define OPERATORS_RUNNER_H

#include "support/model_builder.h"

enum { OP_PORTS = 24 };

struct op_case {
    const char *rule;                       /* what the case shows; its name */
    const char *op;                         /* of ai.onnx, or `domain:op` */
    int opset;                              /* of that domain; ai.onnx is 21 beside another one */
    const char *inputs[OP_PORTS];           /* x0, x1 … */
    const char *attributes;                 /* axis=1 alpha=0.5 mode='edge' axes=[0,1] to=[]
                                               words=['a','b'] tensor=<f64:0.5,1>,
                                               which has rank 1 */
    const char *outputs[OP_PORTS];          /* y0, y1 …, what they must be */
    void (*build)(struct model_builder *b); /* nodes, when it is not one `op` */
    const char *refused, *says;             /* diagnostic code, and a part of its message */
    const char *dispatch;      /* code of the refusal when it runs: sizes that do not fit */
    const char *operators;     /* of the graph, in order, where it matters */
    const char *reference;     /* nodes that native ONNX Runtime runs instead, where it lacks the
                                  operator or the form: `a b = Op x0 k | axis=1; k := i64[1] 3` */
    const char *native;        /* why ONNX Runtime cannot run it or differs */
    const char *engine;        /* why other engines than cpu differ */
    double relative, absolute; /* 0: by dtype; absolute >= 1: units of integers as well */
    const char *labels;        /* of output 0, which is a string tensor or a sequence of maps: its
                                  texts or keys, by blanks; the tensor has places, or columns */
    int bound;                 /* --bound for the node; the last output is the count */
    bool known_categories;     /* --assume known-categories */
    bool open;                 /* named dims stay open in the graph */
    bool fold;                 /* with constant folding */
};

#define OP_CASES     const struct op_case op_cases[]
#define OP_CASES_END const size_t op_case_count = sizeof op_cases / sizeof *op_cases;
extern const struct op_case op_cases[];
extern const size_t op_case_count;

#endif
