/* One builder call: operands by position, then other positional arguments, then the options. */
#include "emit/js.h"

#include "base/number.h"
#include "format/mangle.h"

static void put_weight(struct js *j, struct span key)
{
    if (name_is_safe(key)) {
        js_put(j, "w.%.*s", SPAN_ARG(key));
        return;
    }
    out_text(j->out, "w[");
    js_string(j->out, key);
    out_text(j->out, "]");
}

void js_operand(struct js *j, operand_id id)
{
    if (j->variables[id] != NO_ID)
        js_put(j, "t%u", j->variables[id]);
    else
        put_weight(j, j->plan.constants[j->constants[id]].text);
}

/* ---- values ---- */

static void begin_list(void *user)
{
    struct js *j = user;
    out_text(j->out, "[");
}

/* Items put ", " behind themselves; the last one goes. */
static void end_list(void *user)
{
    struct js *j = user;
    size_t n = j->out->bytes.count;
    if (n >= 2 && j->out->bytes.items[n - 2] == ',')
        j->out->bytes.count -= 2;
    out_text(j->out, "]");
}

static void put_raw(void *user, struct span text)
{
    struct js *j = user;
    out_span(j->out, text);
    out_text(j->out, ", ");
}

static void put_word(void *user, struct span text)
{
    struct js *j = user;
    js_put(j, "'%.*s', ", SPAN_ARG(text));
}

/* One exact integer, as a BigInt for operands of 64 bits; other numbers as they are. */
static void put_mlnumber(struct js *j, const struct webnn_number *n, enum dtype dtype)
{
    char text[NUMBER_TEXT];
    bool wide = dtype_info(dtype)->bits == 64;
    if (n->kind == WEBNN_NUMBER_DOUBLE) {
        js_number(j->out, n->d);
        return;
    }
    size_t size =
        n->kind == WEBNN_NUMBER_UINT ? number_print_u64(n->u, text) : number_print_i64(n->i, text);
    out_span(j->out, (struct span){ (const uint8_t *)text, size });
    const int64_t limit = 1ll << 53;
    bool exact =
        n->kind == WEBNN_NUMBER_INT ? n->i >= -limit && n->i <= limit : n->u <= (uint64_t)limit;
    if (wide || !exact)
        out_text(j->out, "n");
}

static void put_doubles(struct js *j, const struct webnn_doubles *list)
{
    out_text(j->out, "[");
    for (uint32_t i = 0; i < list->count; i++) {
        out_text(j->out, i ? ", " : "");
        js_number(j->out, list->items[i]);
    }
    out_text(j->out, "]");
}

o2w_status js_value(struct js *j, const struct operator_node *node, const struct attribute_row *row)
{
    const struct value_sink sink = { j, begin_list, end_list, put_raw, put_word, NULL };
    const void *value = attribute_at(node->attributes, row);
    const struct webnn_dims *dims = value;
    if (row->type == ATTRIBUTE_DIMS)
        return js_dims(j, dims->items, dims->count);
    if (row->type == ATTRIBUTE_DOUBLE)
        js_number(j->out, *(const double *)value);
    else if (row->type == ATTRIBUTE_DOUBLES)
        put_doubles(j, value);
    else if (row->type == ATTRIBUTE_NUMBER)
        put_mlnumber(j, value, graph_operand(j->graph, node->operands[0])->dtype);
    else {
        TRY(value_walk(&j->plan, row, node->attributes, &sink));
        size_t n = j->out->bytes.count;
        if (n >= 2 && j->out->bytes.items[n - 2] == ',')
            j->out->bytes.count -= 2;
    }
    return O2W_OK;
}

/* ---- arguments ---- */

static void put_operands(struct js *j, const struct operator_node *node)
{
    bool list = operator_row(node->kind)->operands[0].kind == SLOT_VARIADIC;
    out_text(j->out, list ? "[" : "");
    for (uint32_t i = 0; i < options_positional(node); i++) {
        out_text(j->out, i ? ", " : "");
        js_operand(j, node->operands[i]);
    }
    out_text(j->out, list ? "]" : "");
}

static o2w_status put_positional(struct js *j, const struct operator_node *node)
{
    const struct operator_row *row = operator_row(node->kind);
    for (unsigned position = 1; position <= row->attribute_count; position++)
        for (uint32_t i = 0; i < row->attribute_count; i++) {
            if (row->attributes[i].position != position)
                continue;
            out_text(j->out, ", ");
            TRY(js_value(j, node, &row->attributes[i]));
        }
    return O2W_OK;
}

static o2w_status put_option(struct js *j, const struct operator_node *node,
                             const struct option *option)
{
    js_put(j, "%s: ", option->key);
    if (option->row)
        return js_value(j, node, option->row);
    if (option->operand != NO_ID)
        js_operand(j, option->operand);
    else
        js_string(j->out, plan_label(&j->plan, node));
    return O2W_OK;
}

static o2w_status put_options(struct js *j, const struct operator_node *node)
{
    struct options options;
    bool any = false;
    options_collect(&j->plan, node, &options);
    for (uint32_t i = 0; i < options.count; i++) {
        if (options.items[i].row && options.items[i].row->position)
            continue;
        out_text(j->out, any ? ", " : ", { ");
        any = true;
        TRY(put_option(j, node, &options.items[i]));
    }
    out_text(j->out, any ? " }" : "");
    return O2W_OK;
}

static void put_results(struct js *j, const struct operator_node *node)
{
    bool list = operator_row(node->kind)->list_result;
    out_text(j->out, list ? "  const [" : "  const ");
    for (uint32_t i = 0; i < node->result_count; i++) {
        js_put(j, "%st%u", i ? ", " : "", j->variables[node->first_result + i]);
    }
    out_text(j->out, list ? "] = " : " = ");
}

o2w_status js_call(struct js *j, const struct operator_node *node)
{
    put_results(j, node);
    js_put(j, "builder.%s(", operator_row(node->kind)->name);
    put_operands(j, node);
    TRY(put_positional(j, node));
    TRY(put_options(j, node));
    out_text(j->out, ");\n");
    return O2W_OK;
}
