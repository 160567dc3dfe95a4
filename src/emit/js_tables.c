/* What a module says about its graph: interface, sizes, what must be supported, weights. */
#include "emit/js.h"

#include "emit/base64.h"

#include "webnn/limits.h"

#include <string.h>

/* ---- interface ---- */

struct span js_input_name(const struct js *j, size_t index)
{
    const struct operand *o = graph_operand(j->graph, j->graph->inputs.items[index]);
    return names_text(&j->graph->names, o->original ? o->original : o->identifier);
}

struct span js_output_name(const struct js *j, size_t index)
{
    const struct graph_output *output = &j->graph->outputs.items[index];
    const struct operand *o = graph_operand(j->graph, output->operand);
    bool own = o->original && !j->plan.names.identity[index];
    return names_text(&j->graph->names, own ? o->original : output->name);
}

static void put_shape(struct js *j, const struct operand *o)
{
    out_text(j->out, "[");
    for (uint32_t i = 0; i < o->rank; i++) {
        int64_t max;
        out_text(j->out, i ? ", " : "");
        if (dim_is_static(o->dims[i])) {
            out_i64(j->out, o->dims[i]);
            continue;
        }
        struct span name = plan_dim_text(&j->plan, o->dims[i], &max);
        out_text(j->out, "{ name: ");
        js_string(j->out, name);
        js_put(j, ", maxSize: %lld }", (long long)max);
    }
    out_text(j->out, "]");
}

static void put_labels(struct js *j, operand_id id)
{
    for (size_t i = 0; i < j->graph->labels.count; i++) {
        const struct graph_labels *l = &j->graph->labels.items[i];
        if (l->operand != id)
            continue;
        out_text(j->out, ", labels: [");
        for (uint32_t k = 0; k < l->count; k++) {
            out_text(j->out, k ? ", " : "");
            if (l->strings)
                js_string(j->out, names_text(&j->graph->names, l->texts[k]));
            else
                js_put(j, "%lldn", (long long)l->integers[k]);
        }
        out_text(j->out, "]");
    }
}

static void put_port(struct js *j, struct span name, struct span identifier, operand_id id,
                     enum dtype dtype)
{
    const struct operand *o = graph_operand(j->graph, id);
    out_text(j->out, "  { name: ");
    js_string(j->out, name);
    js_put(j, ", dataType: '%s', shape: ", dtype_name(dtype));
    put_shape(j, o);
    if (!span_equal(name, identifier)) {
        out_text(j->out, ", graphName: ");
        js_string(j->out, identifier);
    }
    put_labels(j, id);
    out_text(j->out, " },\n");
}

void js_ports(struct js *j)
{
    const struct graph *g = j->graph;
    out_text(j->out, "export const inputs = [\n");
    for (size_t i = 0; i < g->inputs.count; i++)
        put_port(j, js_input_name(j, i), j->plan.names.operands[g->inputs.items[i]],
                 g->inputs.items[i], graph_input_dtype(g, i));
    out_text(j->out, "];\n\nexport const outputs = [\n");
    for (size_t i = 0; i < g->outputs.count; i++)
        put_port(j, js_output_name(j, i), j->plan.names.outputs[i], g->outputs.items[i].operand,
                 graph_output_dtype(g, i));
    out_text(j->out, "];\n");
}

void js_dim_table(struct js *j)
{
    struct span name;
    int64_t min, max;
    out_text(j->out,
             "\n/** Open dimensions: build() is given their sizes. */\nexport const dims = [\n");
    for (size_t i = 0; i < expr_name_count(j->graph->exprs); i++) {
        expr_name_at(j->graph->exprs, i, &name, &min, &max);
        out_text(j->out, "  { name: ");
        js_string(j->out, name);
        if (min < j->options->min_dimension)
            min = j->options->min_dimension;
        js_put(j, ", min: %lld, max: %lld },\n", (long long)min, (long long)max);
    }
    out_text(j->out, "];\n");
}

/* ---- what must be supported ---- */

struct used {
    struct js *js;
    struct map seen;
    uint64_t largest;
};

static void put_place(struct js *j, const struct operator_node *node)
{
    struct span label = plan_label(&j->plan, node);
    const char *quoted = label.size
                             ? arena_printf(j->arena, "'%.*s'", SPAN_ARG(label))
                             : arena_printf(j->arena, "t%u", j->variables[node->first_result]);
    js_string(j->out, span_of(quoted));
}

static void measure(struct used *u, const struct operand *o)
{
    uint64_t count, bytes;
    if (dims_count(o->dims, o->rank, &count) && dtype_bytes(o->dtype, count, &bytes) &&
        bytes > u->largest)
        u->largest = bytes;
}

/* A row, once: what is used, where it is used first. `node` NULL: `name` is who uses it. The rank of an
 * operator's result follows from its operands: browsers compute results outside the range they state. */
static o2w_status use(struct used *u, const char *operator, const char * slot, operand_id id,
                      const struct operator_node *node, struct span name)
{
    struct js *j = u->js;
    const struct operand *o = graph_operand(j->graph, id);
    uint32_t *value;
    bool added, result = node && id >= node->first_result;
    const char *rank = result ? "null" : arena_printf(j->arena, "%u", o->rank);
    const char *key = arena_printf(j->arena, "['%s', '%s', '%s', %s, ", operator, slot,
                                   dtype_name(o->dtype), rank);
    measure(u, o);
    if (!key || map_insert(&u->seen, span_of(key), 0, &value, &added) != O2W_OK)
        return diag_memory(j->diags);
    if (!added)
        return O2W_OK;
    js_put(j, "  %s", key);
    if (node)
        put_place(j, node);
    else
        js_string(j->out, span_of(arena_printf(j->arena, "'%.*s'", SPAN_ARG(name))));
    out_text(j->out, "],\n");
    return O2W_OK;
}

static const char *slot_name(const struct operator_row *row, uint32_t slot)
{
    return row->operands[slot < row->operand_count ? slot : row->operand_count - 1].name;
}

static o2w_status use_operator(struct used *u, const struct operator_node *node)
{
    const struct operator_row *row = operator_row(node->kind);
    for (uint32_t i = 0; i < node->operand_count; i++)
        if (node->operands[i] != NO_ID)
            TRY(use(u, row->name, slot_name(row, i), node->operands[i], node, SPAN("")));
    for (uint32_t i = 0; i < node->result_count; i++) {
        const char *name = row->list_result && row->result_count == 1
                               ? row->results[0].name
                               : row->results[i < row->result_count ? i : 0].name;
        TRY(use(u, row->name, name, node->first_result + i, node, SPAN("")));
    }
    return O2W_OK;
}

static o2w_status use_borders(struct used *u)
{
    static const struct span none = { NULL, 0 };
    const struct graph *g = u->js->graph;
    for (size_t i = 0; i < g->inputs.count; i++)
        TRY(use(u, "input", "", g->inputs.items[i], NULL, js_input_name(u->js, i)));
    for (size_t i = 0; i < g->constants.count; i++) {
        struct span name = u->js->plan.names.operands[g->constants.items[i]];
        TRY(use(u, "constant", "", g->constants.items[i], NULL, name.size ? name : none));
    }
    for (size_t i = 0; i < g->outputs.count; i++)
        TRY(use(u, "output", "", g->outputs.items[i].operand, NULL, js_output_name(u->js, i)));
    return O2W_OK;
}

o2w_status js_used_table(struct js *j)
{
    struct used u = { .js = j };
    map_init(&u.seen, j->graph->allocator);
    out_text(j->out, "\n// What the graph uses: operator, operand, data type, rank, where first.\n"
                     "const used = [\n");
    o2w_status s = use_borders(&u);
    for (size_t i = 0; i < j->graph->operators.count && s == O2W_OK; i++)
        s = use_operator(&u, &j->graph->operators.items[i]);
    js_put(j, "];\nconst largest = %llu; // bytes of the largest tensor\n",
           (unsigned long long)u.largest);
    map_free(&u.seen);
    return s;
}

/* ---- weights ---- */

/* Constants that share a key are one operand: the first is the row. */
static o2w_status mark_rows(struct js *j, struct map *keys)
{
    uint32_t *value;
    for (size_t i = 0; i < j->graph->constants.count; i++)
        if (j->plan.constants[i].place == CONSTANT_ARCHIVE &&
            map_insert(keys, j->plan.constants[i].text, 0, &value, &j->weight_rows[i]) != O2W_OK)
            return diag_memory(j->diags);
    return O2W_OK;
}

static void put_row(struct js *j, size_t index)
{
    const struct operand *o = graph_operand(j->graph, j->graph->constants.items[index]);
    out_text(j->out, "  [");
    js_string(j->out, j->plan.constants[index].text);
    js_put(j, ", '%s', ", dtype_name(o->dtype));
    put_shape(j, o);
    out_text(j->out, "],\n");
}

static o2w_status put_block(void *user, const void *data, size_t size)
{
    base64_add(user, data, size);
    return O2W_OK;
}

static o2w_status put_inline(struct js *j)
{
    out_text(j->out, "const archive = {\n");
    for (size_t i = 0; i < j->graph->constants.count; i++) {
        struct base64 b = { .out = j->out };
        if (!j->weight_rows[i])
            continue;
        out_text(j->out, "  [");
        js_string(j->out, j->plan.constants[i].text);
        out_text(j->out, "]: '");
        TRY(weight_stream(graph_weight(j->graph, j->graph->constants.items[i]), put_block, &b,
                          j->diags));
        base64_end(&b);
        out_text(j->out, "',\n");
    }
    out_text(j->out, "};\n");
    return O2W_OK;
}

static void put_address(struct js *j)
{
    if (!j->options->archive || j->options->weights == EMIT_WEIGHTS_NONE) {
        out_text(j->out, "const archive = undefined; // load() is told\n");
        return;
    }
    out_text(j->out, "const archive = new URL(encodeURIComponent(");
    js_string(j->out, span_of(j->options->archive));
    out_text(j->out, "), import.meta.url);\n");
}

o2w_status js_weight_table(struct js *j)
{
    struct map keys;
    map_init(&keys, j->graph->allocator);
    o2w_status s = mark_rows(j, &keys);
    map_free(&keys);
    TRY(s);
    out_text(j->out, "\n// The weights: key, data type, shape.\nconst weightTable = [\n");
    for (size_t i = 0; i < j->graph->constants.count; i++)
        if (j->weight_rows[i])
            put_row(j, i);
    out_text(j->out, "];\n");
    if (j->options->weights == EMIT_WEIGHTS_INLINE)
        return put_inline(j);
    put_address(j);
    return O2W_OK;
}
