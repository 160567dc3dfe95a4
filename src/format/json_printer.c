/* A graph in its JSON form. */
#include "base/json.h"
#include "base/number.h"
#include "format/options.h"
#include "format/print_directives.h"

struct printer {
    const struct plan *plan;
    const struct graph *graph;
    struct json_writer json;
};

static struct span identifier(const struct printer *j, operand_id id)
{
    return j->plan->names.operands[id];
}

/* ---- declarations ---- */

static void put_dynamic(void *user, struct span name, int64_t max)
{
    struct printer *j = user;
    json_open(&j->json, '{');
    json_key(&j->json, "maxSize");
    json_put_i64(&j->json, max);
    json_key(&j->json, "name");
    json_put_string(&j->json, name);
    json_close(&j->json, '}');
}

static void put_size(struct printer *j, dim size)
{
    int64_t max;
    if (dim_is_static(size)) {
        json_put_i64(&j->json, size);
        return;
    }
    struct span name = plan_dim_text(j->plan, size, &max);
    json_open(&j->json, '{');
    json_key(&j->json, "name");
    json_put_string(&j->json, name);
    json_key(&j->json, "maxSize");
    json_put_i64(&j->json, max);
    json_close(&j->json, '}');
}

static void begin_descriptor(struct printer *j, operand_id id)
{
    const struct operand *o = graph_operand(j->graph, id);
    json_key_span(&j->json, identifier(j, id));
    json_open(&j->json, '{');
    json_key(&j->json, "dataType");
    json_put_text(&j->json, dtype_name(o->dtype));
    json_key(&j->json, "shape");
    json_open(&j->json, '[');
    for (uint32_t i = 0; i < o->rank; i++)
        put_size(j, o->dims[i]);
    json_close(&j->json, ']');
}

static void put_inputs(struct printer *j)
{
    json_key(&j->json, "inputs");
    json_open(&j->json, '{');
    for (size_t i = 0; i < j->graph->inputs.count; i++) {
        begin_descriptor(j, j->graph->inputs.items[i]);
        json_close(&j->json, '}');
    }
    json_close(&j->json, '}');
}

static void put_init(struct printer *j, const struct constant_plan *c)
{
    static const char *const kinds[] = { [CONSTANT_SCALAR] = "scalar",
                                         [CONSTANT_BYTES] = "inlineBytes",
                                         [CONSTANT_ARCHIVE] = "weights" };
    static const char *const keys[] = {
        [CONSTANT_SCALAR] = "value", [CONSTANT_BYTES] = "bytes", [CONSTANT_ARCHIVE] = "ref"
    };
    json_key(&j->json, "init");
    json_open(&j->json, '{');
    json_key(&j->json, "kind");
    json_put_text(&j->json, kinds[c->place]);
    json_key(&j->json, keys[c->place]);
    if (c->place == CONSTANT_SCALAR) {
        json_put_raw(&j->json, c->text);
    } else if (c->place == CONSTANT_ARCHIVE) {
        json_put_string(&j->json, c->text);
    } else {
        json_open(&j->json, '[');
        for (size_t i = 0; i < c->text.size; i++)
            json_put_i64(&j->json, c->text.data[i]);
        json_close(&j->json, ']');
    }
    json_close(&j->json, '}');
}

static void put_consts(struct printer *j)
{
    json_key(&j->json, "consts");
    json_open(&j->json, '{');
    for (size_t i = 0; i < j->graph->constants.count; i++) {
        begin_descriptor(j, j->graph->constants.items[i]);
        put_init(j, &j->plan->constants[i]);
        json_close(&j->json, '}');
    }
    json_close(&j->json, '}');
}

/* ---- nodes ---- */

static void begin_list(void *user)
{
    json_open(&((struct printer *)user)->json, '[');
}

static void end_list(void *user)
{
    json_close(&((struct printer *)user)->json, ']');
}

static void put_number(void *user, struct span text)
{
    json_put_raw(&((struct printer *)user)->json, text);
}

static void put_string(void *user, struct span text)
{
    json_put_string(&((struct printer *)user)->json, text);
}

static o2w_status put_option(struct printer *j, const struct operator_node *node,
                             const struct option *option)
{
    const struct value_sink sink = { j, begin_list, end_list, put_number, put_string, put_dynamic };
    json_key(&j->json, option->key);
    if (option->row)
        return value_walk(j->plan, option->row, node->attributes, &sink);
    json_put_string(&j->json, option->operand == NO_ID ? plan_label(j->plan, node)
                                                       : identifier(j, option->operand));
    return O2W_OK;
}

static void begin_node(struct printer *j, struct span id, const char *op)
{
    json_open(&j->json, '{');
    json_key(&j->json, "id");
    json_put_string(&j->json, id);
    json_key(&j->json, "op");
    json_put_text(&j->json, op);
    json_key(&j->json, "inputs");
    json_open(&j->json, '[');
}

static void end_node(struct printer *j, const struct operator_node *node)
{
    json_key(&j->json, "outputs");
    if (node && operator_row(node->kind)->list_result) {
        json_open(&j->json, '[');
        for (uint32_t i = 0; i < node->result_count; i++)
            json_put_string(&j->json, identifier(j, node->first_result + i));
        json_close(&j->json, ']');
    } else {
        json_put_null(&j->json);
    }
    json_close(&j->json, '}');
}

static o2w_status put_node(struct printer *j, const struct operator_node *node)
{
    struct options options;
    options_collect(j->plan, node, &options);
    begin_node(j, identifier(j, node->first_result), operator_row(node->kind)->name);
    for (uint32_t i = 0; i < options_positional(node); i++)
        json_put_string(&j->json, identifier(j, node->operands[i]));
    json_close(&j->json, ']');
    json_key(&j->json, "options");
    json_open(&j->json, '{');
    for (uint32_t i = 0; i < options.count; i++)
        TRY(put_option(j, node, &options.items[i]));
    json_close(&j->json, '}');
    end_node(j, node);
    return O2W_OK;
}

static void put_identity(struct printer *j, size_t output)
{
    begin_node(j, j->plan->names.outputs[output], "identity");
    json_put_string(&j->json, identifier(j, j->graph->outputs.items[output].operand));
    json_close(&j->json, ']');
    json_key(&j->json, "options");
    json_open(&j->json, '{');
    json_close(&j->json, '}');
    end_node(j, NULL);
}

static o2w_status put_nodes(struct printer *j)
{
    json_key(&j->json, "nodes");
    json_open(&j->json, '[');
    for (size_t i = 0; i < j->graph->operators.count; i++)
        TRY(put_node(j, &j->graph->operators.items[i]));
    for (size_t i = 0; i < j->graph->outputs.count; i++)
        if (j->plan->names.identity[i])
            put_identity(j, i);
    json_close(&j->json, ']');
    return O2W_OK;
}

static void put_outputs(struct printer *j)
{
    json_key(&j->json, "outputs");
    json_open(&j->json, '{');
    for (size_t i = 0; i < j->graph->outputs.count; i++) {
        json_key_span(&j->json, j->plan->names.outputs[i]);
        json_put_string(&j->json, j->plan->names.outputs[i]);
    }
    json_close(&j->json, '}');
}

/* ---- what only we read ---- */

static o2w_status put_numbers(struct printer *j, enum directive_group group, const char *key)
{
    struct directive_lines lines;
    TRY(directive_group(j->plan, group, &lines));
    if (lines.count == 0)
        return O2W_OK;
    json_key(&j->json, key);
    json_open(&j->json, '{');
    for (size_t i = 0; i < lines.count; i++) {
        json_key_span(&j->json, lines.items[i].text);
        json_put_i64(&j->json, lines.items[i].number);
    }
    json_close(&j->json, '}');
    return O2W_OK;
}

static o2w_status put_meta(struct printer *j)
{
    struct directive_lines lines;
    TRY(directive_group(j->plan, GROUP_META, &lines));
    if (lines.count == 0)
        return O2W_OK;
    json_key(&j->json, "meta");
    json_open(&j->json, '{');
    for (size_t i = 0; i < lines.count; i++) {
        json_key_span(&j->json, lines.items[i].text);
        json_put_string(&j->json, lines.items[i].value);
    }
    json_close(&j->json, '}');
    return O2W_OK;
}

static o2w_status put_kept(struct printer *j)
{
    struct directive_lines lines;
    TRY(directive_group(j->plan, GROUP_KEPT, &lines));
    if (lines.count == 0)
        return O2W_OK;
    json_key(&j->json, "kept");
    json_open(&j->json, '[');
    for (size_t i = 0; i < lines.count; i++)
        json_put_string(&j->json, lines.items[i].text);
    json_close(&j->json, ']');
    return O2W_OK;
}

static void put_names(struct printer *j, const struct name_line *lines, size_t count)
{
    if (count == 0)
        return;
    json_key(&j->json, "names");
    json_open(&j->json, '{');
    for (size_t i = 0; i < count; i++) {
        json_key_span(&j->json, lines[i].identifier);
        json_put_string(&j->json, lines[i].original);
    }
    json_close(&j->json, '}');
}

static o2w_status put_labels(struct printer *j)
{
    const struct graph_labels **labels;
    TRY(directive_labels(j->plan, &labels));
    if (j->graph->labels.count == 0)
        return O2W_OK;
    json_key(&j->json, "labels");
    json_open(&j->json, '{');
    for (size_t i = 0; i < j->graph->labels.count; i++) {
        json_key_span(&j->json, identifier(j, labels[i]->operand));
        json_open(&j->json, '[');
        for (uint32_t k = 0; k < labels[i]->count; k++) {
            if (labels[i]->strings)
                json_put_string(&j->json, names_text(&j->graph->names, labels[i]->texts[k]));
            else
                json_put_i64(&j->json, labels[i]->integers[k]);
        }
        json_close(&j->json, ']');
    }
    json_close(&j->json, '}');
    return O2W_OK;
}

static bool has_own(const struct printer *j, size_t names)
{
    const struct graph *g = j->graph;
    bool meta = g->meta.count > 0 && j->plan->options->names == FORMAT_NAMES_ALL;
    return names > 0 || j->plan->archive.size > 0 || g->dims.count > 0 || g->pins.count > 0 ||
           g->kept.count > 0 || g->bounds.count > 0 || g->labels.count > 0 || meta || g->subgraph;
}

static o2w_status put_own(struct printer *j)
{
    struct name_line *lines;
    size_t count;
    TRY(directive_names(j->plan, &lines, &count));
    if (!has_own(j, count))
        return O2W_OK;
    json_key(&j->json, "onnx2webnn");
    json_open(&j->json, '{');
    put_names(j, lines, count);
    if (j->plan->archive.size > 0) {
        json_key(&j->json, "weights");
        json_put_string(&j->json, j->plan->archive);
    }
    TRY(put_numbers(j, GROUP_DIMS, "dims"));
    TRY(put_numbers(j, GROUP_PINS, "pins"));
    TRY(put_kept(j));
    TRY(put_numbers(j, GROUP_BOUNDS, "bound"));
    if (j->graph->subgraph) {
        json_key(&j->json, "subgraph");
        json_put_string(&j->json, names_text(&j->graph->names, j->graph->subgraph));
    }
    TRY(put_labels(j));
    TRY(put_meta(j));
    json_close(&j->json, '}');
    return O2W_OK;
}

static o2w_status put_file(struct printer *j)
{
    json_open(&j->json, '{');
    json_key(&j->json, "format");
    json_put_text(&j->json, "webnn-graph-json");
    json_key(&j->json, "version");
    json_put_u64(&j->json, j->plan->version);
    json_key(&j->json, "name");
    json_put_string(&j->json, plan_clean(j->plan, names_text(&j->graph->names, j->graph->name)));
    json_key(&j->json, "quantized");
    json_put_bool(&j->json, j->plan->quantized);
    put_inputs(j);
    put_consts(j);
    TRY(put_nodes(j));
    put_outputs(j);
    TRY(put_own(j));
    json_close(&j->json, '}');
    return O2W_OK;
}

static o2w_status keep(struct printer *j, struct span *text)
{
    struct span written;
    if (json_written(&j->json, &written) != O2W_OK)
        return diag_memory(j->plan->diags);
    uint8_t *copy = arena_alloc(j->plan->arena, written.size + 1, 1);
    if (!copy)
        return diag_memory(j->plan->diags);
    for (size_t i = 0; i < written.size; i++)
        copy[i] = written.data[i];
    copy[written.size] = '\n';
    *text = (struct span){ copy, written.size + 1 };
    return O2W_OK;
}

o2w_status print_json(const struct plan *p, struct span *text)
{
    struct printer j = { .plan = p, .graph = p->graph };
    json_writer_init(&j.json, p->graph->allocator, 2);
    o2w_status status = put_file(&j);
    if (status == O2W_OK)
        status = keep(&j, text);
    json_writer_free(&j.json);
    return status;
}
