/* A graph as canonical text. */
#include "base/number.h"
#include "format/options.h"
#include "format/print_directives.h"
#include "format/text_out.h"

struct printer {
    const struct plan *plan;
    const struct graph *graph;
    struct text_out out;
    bool first; /* of a list */
};

static void put(struct printer *t, const char *s)
{
    out_text(&t->out, s);
}

static void put_quoted(struct printer *t, struct span s)
{
    struct span cleaned = plan_clean(t->plan, s);
    t->out.failed = t->out.failed || !cleaned.data;
    out_quoted(&t->out, cleaned);
}

/* What stands between items of a list. */
static void separate(struct printer *t)
{
    put(t, t->first ? "" : ", ");
    t->first = false;
}

/* ---- directives ---- */

static void begin_directive(struct printer *t, const char *keyword)
{
    put(t, "  # o2w ");
    put(t, keyword);
    put(t, " ");
}

static void put_string(struct printer *t, struct span s)
{
    out_json_string(&t->out, s);
}

static o2w_status put_group(struct printer *t, enum directive_group group, const char *keyword)
{
    struct directive_lines lines;
    TRY(directive_group(t->plan, group, &lines));
    for (size_t i = 0; i < lines.count; i++) {
        begin_directive(t, keyword);
        put_string(t, lines.items[i].text);
        if (group == GROUP_META) {
            put(t, " ");
            put_string(t, lines.items[i].value);
        } else if (group != GROUP_KEPT) {
            put(t, " ");
            out_i64(&t->out, lines.items[i].number);
        }
        put(t, "\n");
    }
    return O2W_OK;
}

static o2w_status put_names(struct printer *t)
{
    struct name_line *lines;
    size_t count;
    TRY(directive_names(t->plan, &lines, &count));
    for (size_t i = 0; i < count; i++) {
        begin_directive(t, "name");
        out_span(&t->out, lines[i].identifier);
        put(t, " ");
        put_string(t, lines[i].original);
        put(t, "\n");
    }
    return O2W_OK;
}

static o2w_status put_labels(struct printer *t)
{
    const struct graph_labels **labels;
    TRY(directive_labels(t->plan, &labels));
    for (size_t i = 0; i < t->graph->labels.count; i++) {
        begin_directive(t, "labels");
        out_span(&t->out, t->plan->names.operands[labels[i]->operand]);
        put(t, " [");
        for (uint32_t j = 0; j < labels[i]->count; j++) {
            put(t, j ? ", " : "");
            if (labels[i]->strings)
                put_string(t, names_text(&t->graph->names, labels[i]->texts[j]));
            else
                out_i64(&t->out, labels[i]->integers[j]);
        }
        put(t, "]\n");
    }
    return O2W_OK;
}

static o2w_status put_directives(struct printer *t)
{
    if (t->plan->archive.size > 0) {
        begin_directive(t, "weights");
        put_string(t, t->plan->archive);
        put(t, "\n");
    }
    TRY(put_group(t, GROUP_DIMS, "dim"));
    TRY(put_group(t, GROUP_PINS, "pin"));
    TRY(put_group(t, GROUP_KEPT, "kept"));
    TRY(put_group(t, GROUP_BOUNDS, "bound"));
    if (t->graph->subgraph) {
        begin_directive(t, "subgraph");
        put_string(t, names_text(&t->graph->names, t->graph->subgraph));
        put(t, "\n");
    }
    TRY(put_names(t));
    TRY(put_labels(t));
    return put_group(t, GROUP_META, "meta");
}

/* ---- declarations ---- */

static void put_type(struct printer *t, operand_id id)
{
    const struct operand *o = graph_operand(t->graph, id);
    put(t, dtype_info(o->dtype)->text);
    put(t, "[");
    for (uint32_t i = 0; i < o->rank; i++) {
        put(t, i ? ", " : "");
        if (dim_is_static(o->dims[i])) {
            out_i64(&t->out, o->dims[i]);
            continue;
        }
        int64_t max;
        put(t, "dyn(");
        out_quoted(&t->out, plan_dim_text(t->plan, o->dims[i], &max));
        put(t, ", ");
        out_i64(&t->out, max);
        put(t, ")");
    }
    put(t, "]");
}

static void begin_declaration(struct printer *t, operand_id id)
{
    put(t, "    ");
    out_span(&t->out, t->plan->names.operands[id]);
    put(t, ": ");
    put_type(t, id);
}

static void put_inputs(struct printer *t)
{
    if (t->graph->inputs.count == 0)
        return;
    put(t, "  inputs {\n");
    for (size_t i = 0; i < t->graph->inputs.count; i++) {
        begin_declaration(t, t->graph->inputs.items[i]);
        put(t, ";\n");
    }
    put(t, "  }\n\n");
}

static void put_bytes(struct printer *t, struct span bytes)
{
    put(t, " @bytes([");
    for (size_t i = 0; i < bytes.size; i++) {
        put(t, i ? ", " : "");
        out_i64(&t->out, bytes.data[i]);
    }
    put(t, "])");
}

static void put_consts(struct printer *t)
{
    if (t->graph->constants.count == 0)
        return;
    put(t, "  consts {\n");
    for (size_t i = 0; i < t->graph->constants.count; i++) {
        const struct constant_plan *c = &t->plan->constants[i];
        begin_declaration(t, t->graph->constants.items[i]);
        if (c->place == CONSTANT_BYTES) {
            put_bytes(t, c->text);
        } else if (c->place == CONSTANT_SCALAR) {
            put(t, " @scalar(");
            out_span(&t->out, c->text);
            put(t, ")");
        } else {
            put(t, " @weights(");
            out_quoted(&t->out, c->text);
            put(t, ")");
        }
        put(t, ";\n");
    }
    put(t, "  }\n\n");
}

/* ---- nodes ---- */

static void begin_list(void *user)
{
    struct printer *t = user;
    separate(t);
    put(t, "[");
    t->first = true;
}

static void end_list(void *user)
{
    struct printer *t = user;
    put(t, "]");
    t->first = false;
}

static void put_number(void *user, struct span text)
{
    struct printer *t = user;
    separate(t);
    out_span(&t->out, text);
}

static void put_value_string(void *user, struct span text)
{
    struct printer *t = user;
    separate(t);
    out_quoted(&t->out, text);
}

static void put_dynamic(void *user, struct span name, int64_t max)
{
    struct printer *t = user;
    separate(t);
    put(t, "{\"maxSize\":");
    out_i64(&t->out, max);
    put(t, ",\"name\":");
    out_quoted(&t->out, name);
    put(t, "}");
}

static o2w_status put_option(struct printer *t, const struct operator_node *node,
                             const struct option *option)
{
    const struct value_sink sink = { t,          begin_list,       end_list,
                                     put_number, put_value_string, put_dynamic };
    put(t, option->key);
    put(t, "=");
    t->first = true;
    if (option->row)
        return value_walk(t->plan, option->row, node->attributes, &sink);
    struct span text = option->operand == NO_ID ? plan_label(t->plan, node)
                                                : t->plan->names.operands[option->operand];
    t->out.failed = t->out.failed || !text.data;
    out_quoted(&t->out, text);
    return O2W_OK;
}

static void put_targets(struct printer *t, const struct operator_node *node)
{
    bool list = operator_row(node->kind)->list_result;
    put(t, list ? "    [" : "    ");
    for (uint32_t i = 0; i < node->result_count; i++) {
        put(t, i ? ", " : "");
        out_span(&t->out, t->plan->names.operands[node->first_result + i]);
    }
    put(t, list ? "] = " : " = ");
}

static o2w_status put_node(struct printer *t, const struct operator_node *node)
{
    struct options options;
    bool any = false;
    options_collect(t->plan, node, &options);
    put_targets(t, node);
    put(t, operator_row(node->kind)->name);
    put(t, "(");
    for (uint32_t i = 0; i < options_positional(node); i++, any = true) {
        put(t, any ? ", " : "");
        out_span(&t->out, t->plan->names.operands[node->operands[i]]);
    }
    for (uint32_t i = 0; i < options.count; i++, any = true) {
        put(t, any ? ", " : "");
        TRY(put_option(t, node, &options.items[i]));
    }
    put(t, ");\n");
    return O2W_OK;
}

static void put_identities(struct printer *t)
{
    for (size_t i = 0; i < t->graph->outputs.count; i++) {
        if (!t->plan->names.identity[i])
            continue;
        put(t, "    ");
        out_span(&t->out, t->plan->names.outputs[i]);
        put(t, " = identity(");
        out_span(&t->out, t->plan->names.operands[t->graph->outputs.items[i].operand]);
        put(t, ");\n");
    }
}

static o2w_status put_nodes(struct printer *t)
{
    if (t->graph->operators.count == 0)
        return O2W_OK;
    put(t, "  nodes {\n");
    for (size_t i = 0; i < t->graph->operators.count; i++)
        TRY(put_node(t, &t->graph->operators.items[i]));
    put_identities(t);
    put(t, "  }\n\n");
    return O2W_OK;
}

static void put_outputs(struct printer *t)
{
    put(t, "  outputs {");
    for (size_t i = 0; i < t->graph->outputs.count; i++) {
        put(t, " ");
        out_span(&t->out, t->plan->names.outputs[i]);
        put(t, ";");
    }
    put(t, " }\n");
}

static o2w_status put_file(struct printer *t)
{
    put(t, "webnn_graph ");
    put_quoted(t, names_text(&t->graph->names, t->graph->name));
    put(t, t->plan->version == 1 ? " v1" : " v2");
    put(t, t->plan->quantized ? " @quantized {\n" : " {\n");
    TRY(put_directives(t));
    put_inputs(t);
    put_consts(t);
    TRY(put_nodes(t));
    put_outputs(t);
    put(t, "}\n");
    return O2W_OK;
}

o2w_status print_text(const struct plan *p, struct span *text)
{
    struct printer t = { .plan = p, .graph = p->graph };
    out_init(&t.out, p->graph->allocator);
    o2w_status status = put_file(&t);
    if (status == O2W_OK && out_finish(&t.out, p->arena, text) != O2W_OK)
        status = diag_memory(p->diags);
    out_free(&t.out);
    return status;
}
