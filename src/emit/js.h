/* Writing JavaScript: the state of one module, literals, expressions. */
#ifndef EMIT_JS_H
#define EMIT_JS_H

#include "emit/emit.h"
#include "format/options.h"

struct js {
    const struct graph *graph;
    const struct emit_js_options *options;
    struct plan plan;
    struct arena *arena; /* texts */
    struct diags *diags;
    struct text_out *out;
    uint32_t *variables; /* by operand: N of its variable tN; NO_ID: a weight by its key */
    uint32_t *constants; /* by operand: its index among the constants */
    uint32_t variable_count;
    bool *weight_rows; /* by constant: it is the first with its key */
    void *user;
};

void js_put(struct js *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Runs `part` with plan and variables made. */
o2w_status js_with_plan(struct js *j, o2w_status (*part)(struct js *));

/* A double-quoted literal of any bytes, safe inside a page's script too. */
void js_string(struct text_out *o, struct span s);
/* Shortest text that reads back as the same number; NaN, Infinity, -0 by name. */
void js_number(struct text_out *o, double value);
/* The elements of a constant as an expression: a typed array, whose bits are the constant's. */
o2w_status js_array(struct js *j, operand_id constant);
o2w_status js_expression(struct js *j, expr_id e);
/* A dim as an expression over the variables d0, d1 …, in range at run time. */
o2w_status js_dim(struct js *j, dim size);
o2w_status js_dims(struct js *j, const dim *dims, uint32_t rank);
/* Variable of an operand, or w.key. */
void js_operand(struct js *j, operand_id id);
/* The value of an attribute. */
o2w_status js_value(struct js *j, const struct operator_node *node,
                    const struct attribute_row *row);
/* One builder call as a statement. */
o2w_status js_call(struct js *j, const struct operator_node *node);

/* js_tables.c: the parts above build(). */
void js_ports(struct js *j);
void js_dim_table(struct js *j);
o2w_status js_used_table(struct js *j);
o2w_status js_weight_table(struct js *j);
/* The public name of an input or output. */
struct span js_input_name(const struct js *j, size_t index);
struct span js_output_name(const struct js *j, size_t index);

#endif
