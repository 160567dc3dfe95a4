/* An ES module of one graph. */
#include "emit/js.h"

#include "base/number.h"
#include "emit/embedded.h"

#include <string.h>

static const struct format_write_options written = { .names = FORMAT_NAMES_ALL };

static bool is_dynamic(const struct js *j)
{
    return expr_name_count(j->graph->exprs) > 0;
}

static bool has_weights(const struct js *j)
{
    for (size_t i = 0; i < j->graph->constants.count; i++)
        if (j->plan.constants[i].place == CONSTANT_ARCHIVE)
            return true;
    return false;
}

/* ---- the head ---- */

/* A graph's name in a comment: what could end the line is not in it. */
static void put_head(struct js *j)
{
    const struct graph *g = j->graph;
    struct span name = plan_clean(&j->plan, names_text(&g->names, g->name));
    const char *module = j->options->types ? j->options->types : "./model.mjs";
    out_text(j->out, "// The graph ");
    js_string(j->out, name);
    js_put(j, ": %zu operators. Written by onnx2webnn %s; do not edit.\n//\n", g->operators.count,
           O2W_VERSION);
    out_text(j->out, "//   import { createContext, load, build, run } from ");
    js_string(j->out, span_of(module));
    out_text(j->out, ";\n//   const context = await createContext();\n");
    js_put(j, "//   const graph = await build(context, await load()%s);\n",
           is_dynamic(j) ? ", { dims: { … } }" : "");
    out_text(j->out, "//   const results = await run(context, graph, { … });\n\n");
}

/* ---- build() ---- */

static o2w_status put_input(struct js *j, size_t index)
{
    operand_id id = j->graph->inputs.items[index];
    const struct operand *o = graph_operand(j->graph, id);
    js_put(j, "  const t%u = builder.input(", j->variables[id]);
    js_string(j->out, js_input_name(j, index));
    js_put(j, ", { dataType: '%s', shape: ", dtype_name(o->dtype));
    TRY(js_dims(j, o->dims, o->rank));
    out_text(j->out, " });\n");
    return O2W_OK;
}

static o2w_status first_element(void *user, const void *data, size_t size)
{
    uint16_t *bits = user;
    if (size >= sizeof *bits)
        memcpy(bits, data, sizeof *bits);
    return O2W_CANCELLED;
}

/* The number as the text has it; bits for float16, since its array may be one of bits. */
static o2w_status put_scalar(struct js *j, operand_id id, struct span text, bool bits)
{
    uint16_t half = 0;
    if (bits) {
        o2w_status s = weight_stream(graph_weight(j->graph, id), first_element, &half, j->diags);
        js_put(j, "0x%04x", half);
        return s == O2W_CANCELLED ? O2W_OK : s;
    }
    if (span_ends(text, SPAN(".0")))
        text.size -= 2;
    out_span(j->out, text);
    if (dtype_info(graph_operand(j->graph, id)->dtype)->bits == 64)
        out_text(j->out, "n");
    return O2W_OK;
}

static o2w_status put_constant(struct js *j, size_t index)
{
    operand_id id = j->graph->constants.items[index];
    const struct operand *o = graph_operand(j->graph, id);
    const struct constant_plan *c = &j->plan.constants[index];
    const char *type = dtype_name(o->dtype);
    js_put(j, "  const t%u = ", j->variables[id]);
    if (c->place == CONSTANT_SCALAR && o->rank == 0) {
        js_put(j, "builder.constant('%s', ", type);
        TRY(put_scalar(j, id, c->text, false));
    } else if (c->place == CONSTANT_SCALAR) {
        js_put(j, "filled(builder, '%s', ", type);
        TRY(js_dims(j, o->dims, o->rank));
        out_text(j->out, ", ");
        TRY(put_scalar(j, id, c->text, o->dtype == DTYPE_FLOAT16));
    } else {
        js_put(j, "builder.constant({ dataType: '%s', shape: ", type);
        TRY(js_dims(j, o->dims, o->rank));
        out_text(j->out, " }, ");
        TRY(js_array(j, id));
    }
    out_text(j->out, ");\n");
    return O2W_OK;
}

static o2w_status put_sizes(struct js *j)
{
    size_t count = expr_name_count(j->graph->exprs);
    out_text(j->out, "  const [");
    for (size_t i = 0; i < count; i++)
        js_put(j, "%sd%zu", i ? ", " : "", i);
    out_text(j->out, "] = sizesOf(given);\n");
    for (size_t i = 0; i < j->graph->constraints.count; i++) {
        const struct constraint *c = &j->graph->constraints.items[i];
        const char *a = expr_text(j->graph->exprs, c->a, j->arena);
        const char *b = expr_text(j->graph->exprs, c->b, j->arena);
        if (!a || !b)
            return diag_memory(j->diags);
        out_text(j->out, "  same(");
        TRY(js_expression(j, c->a));
        out_text(j->out, ", ");
        TRY(js_expression(j, c->b));
        out_text(j->out, ", ");
        js_string(j->out, span_of(arena_printf(j->arena, "%s = %s", a, b)));
        out_text(j->out, ");\n");
    }
    return O2W_OK;
}

/* A name as a member of an object literal: __proto__ in brackets is one like any other. */
static void put_member(struct js *j, struct span name, bool first)
{
    bool special = span_is(name, "__proto__");
    out_text(j->out, first ? "" : ", ");
    out_text(j->out, special ? "[" : "");
    js_string(j->out, name);
    out_text(j->out, special ? "]: " : ": ");
}

/* An operand under two names goes through an identity the second time. */
static void put_identities(struct js *j, uint32_t *second)
{
    for (size_t i = 0; i < j->graph->outputs.count; i++) {
        if (!j->plan.names.identity[i])
            continue;
        second[i] = j->variable_count++;
        js_put(j, "  const t%u = builder.identity(", second[i]);
        js_operand(j, j->graph->outputs.items[i].operand);
        out_text(j->out, ");\n");
    }
}

static o2w_status put_end(struct js *j)
{
    const struct graph *g = j->graph;
    uint32_t *second = ARENA_ARRAY(j->arena, g->outputs.count, uint32_t);
    if (!second)
        return diag_memory(j->diags);
    put_identities(j, second);
    out_text(j->out, "  onProgress?.({ stage: 'build' });\n  return finish(context, builder, { ");
    for (size_t i = 0; i < g->inputs.count; i++) {
        put_member(j, js_input_name(j, i), i == 0);
        js_operand(j, g->inputs.items[i]);
    }
    out_text(j->out, " }, { ");
    for (size_t i = 0; i < g->outputs.count; i++) {
        put_member(j, js_output_name(j, i), i == 0);
        if (j->plan.names.identity[i])
            js_put(j, "t%u", second[i]);
        else
            js_operand(j, g->outputs.items[i].operand);
    }
    out_text(j->out, g->carried.count ? " }, carried);\n}\n" : " });\n}\n");
    return O2W_OK;
}

static void put_build_head(struct js *j)
{
    js_put(j,
           "\n/**\n * Builds the graph.%s\n * @param {MLContext} context\n"
           " * @param {object} weights of load()\n"
           " * @param {{onProgress?: (at: object) => void, label?: string%s}} [options]\n */\n"
           "export async function build(context, weights, { onProgress, label%s } = {}) {\n"
           "  refuseMissing(context);\n",
           is_dynamic(j) ? " The sizes of `dims` are options.dims." : "",
           is_dynamic(j) ? ", dims?: Record<string, number>" : "",
           is_dynamic(j) ? ", dims: given" : "");
}

static o2w_status put_build(struct js *j)
{
    const struct graph *g = j->graph;
    put_build_head(j);
    if (is_dynamic(j))
        TRY(put_sizes(j));
    out_text(j->out,
             "  const builder = named(new MLGraphBuilder(context), label ? `${label}: ` : '');\n");
    if (has_weights(j))
        out_text(j->out, "  const w = await constants(builder, weights, onProgress);\n");
    for (size_t i = 0; i < g->inputs.count; i++)
        TRY(put_input(j, i));
    for (size_t i = 0; i < g->constants.count; i++)
        if (j->plan.constants[i].place != CONSTANT_ARCHIVE)
            TRY(put_constant(j, i));
    for (size_t i = 0; i < g->operators.count; i++)
        TRY(js_call(j, &g->operators.items[i]));
    return put_end(j);
}

/* ---- the module ---- */

/* Variables are numbered in the order of their statements; weights have none. */
static void number_variables(struct js *j)
{
    const struct graph *g = j->graph;
    for (size_t i = 0; i < g->operands.count; i++)
        j->variables[i] = NO_ID;
    for (size_t i = 0; i < g->inputs.count; i++)
        j->variables[g->inputs.items[i]] = j->variable_count++;
    for (size_t i = 0; i < g->constants.count; i++) {
        j->constants[g->constants.items[i]] = (uint32_t)i;
        if (j->plan.constants[i].place != CONSTANT_ARCHIVE)
            j->variables[g->constants.items[i]] = j->variable_count++;
    }
    for (size_t i = 0; i < g->operators.count; i++)
        for (uint32_t k = 0; k < g->operators.items[i].result_count; k++)
            j->variables[g->operators.items[i].first_result + k] = j->variable_count++;
}

static o2w_status put_module(struct js *j)
{
    struct span loader = !has_weights(j)                              ? embedded_none_js
                         : j->options->weights == EMIT_WEIGHTS_INLINE ? embedded_inline_js
                                                                      : embedded_weights_js;
    put_head(j);
    js_ports(j);
    if (is_dynamic(j))
        js_dim_table(j);
    TRY(js_used_table(j));
    if (has_weights(j))
        TRY(js_weight_table(j));
    TRY(put_build(j));
    out_span(j->out, embedded_core_js);
    if (is_dynamic(j))
        out_span(j->out, embedded_dims_js);
    if (j->graph->carried.count)
        out_span(j->out, embedded_carried_js);
    out_span(j->out, loader);
    return j->out->failed ? diag_memory(j->diags) : O2W_OK;
}

o2w_status js_with_plan(struct js *j, o2w_status (*part)(struct js *))
{
    TRY(plan_make(&j->plan, j->graph, &written, SPAN(""), j->options->existing, j->arena,
                  j->diags));
    j->plan.minimal = true;
    j->variables = ARENA_ARRAY(j->arena, j->graph->operands.count, uint32_t);
    j->constants = ARENA_ARRAY(j->arena, j->graph->operands.count, uint32_t);
    j->weight_rows = ARENA_ARRAY(j->arena, j->graph->constants.count, bool);
    o2w_status s = j->variables && j->constants && j->weight_rows ? O2W_OK : diag_memory(j->diags);
    if (s == O2W_OK) {
        number_variables(j);
        s = part(j);
    }
    plan_free(&j->plan);
    return s;
}

o2w_status emit_js(const struct graph *g, const struct emit_js_options *options,
                   struct arena *arena, struct diags *d, struct text_out *out)
{
    struct js j = { .graph = g, .options = options, .arena = arena, .diags = d, .out = out };
    return js_with_plan(&j, put_module);
}

/* ---- declarations ---- */

static const char *const array_types[DTYPE_WEBNN_COUNT] = {
    [DTYPE_FLOAT32] = "Float32Array", [DTYPE_FLOAT16] = "Uint16Array | ArrayBufferView",
    [DTYPE_INT32] = "Int32Array",     [DTYPE_UINT32] = "Uint32Array",
    [DTYPE_INT64] = "BigInt64Array",  [DTYPE_UINT64] = "BigUint64Array",
    [DTYPE_INT8] = "Int8Array",       [DTYPE_UINT8] = "Uint8Array",
    [DTYPE_INT4] = "Uint8Array",      [DTYPE_UINT4] = "Uint8Array",
};

static void put_field(struct js *j, struct span name, enum dtype dtype, const char *more)
{
    out_text(j->out, "  ");
    js_string(j->out, name);
    js_put(j, ": %s%s;\n", array_types[dtype], more);
}

static o2w_status put_types(struct js *j)
{
    static const char shared[] =
        "export interface Port {\n  name: string;\n  dataType: string;\n"
        "  shape: (number | { name: string; maxSize: number })[];\n  graphName?: string;\n"
        "  labels?: (string | bigint)[];\n}\n"
        "export declare const inputs: Port[];\nexport declare const outputs: Port[];\n";
    const struct graph *g = j->graph;
    bool dynamic = is_dynamic(j);
    out_text(j->out, "// Written by onnx2webnn; do not edit. Context and graph are the browser's "
                     "MLContext and MLGraph.\n");
    out_text(j->out, shared);
    if (dynamic)
        out_text(j->out,
                 "export declare const dims: { name: string; min: number; max: number }[];\n");
    out_text(j->out, "export interface Feeds {\n");
    for (size_t i = 0; i < g->inputs.count; i++)
        put_field(j, js_input_name(j, i), graph_input_dtype(g, i), " | ArrayBuffer");
    out_text(j->out, "}\nexport interface Results {\n");
    for (size_t i = 0; i < g->outputs.count; i++)
        put_field(j, js_output_name(j, i), graph_output_dtype(g, i), "");
    out_text(
        j->out,
        "}\nexport interface Weights {}\n"
        "export declare function createContext(options?: {\n"
        "  powerPreference?: 'default' | 'high-performance' | 'low-power';\n"
        "  accelerated?: boolean;\n}): Promise<any>;\n"
        "export declare function check(context: any): string[];\n"
        "export declare function load(\n"
        "  source?: string | URL | Blob | ArrayBuffer | ArrayBufferView,\n"
        "  options?: { cache?: false | 'caches' },\n): Promise<Weights>;\n"
        "export declare function build(\n  context: any,\n  weights: Weights,\n"
        "  options?: {\n    onProgress?: (at: { stage: string; loaded?: number; total?: number }) "
        "=> void;\n    label?: string;\n");
    out_text(j->out, dynamic ? "    dims?: Record<string, number>;\n" : "");
    out_text(j->out, "  },\n): Promise<any>;\n"
                     "export declare function run(context: any, graph: any, feeds: Feeds): "
                     "Promise<Results>;\n");
    return j->out->failed ? diag_memory(j->diags) : O2W_OK;
}

o2w_status emit_js_types(const struct graph *g, struct arena *arena, struct diags *d,
                         struct text_out *out)
{
    static const struct emit_js_options none = { 0 };
    struct js j = { .graph = g, .options = &none, .arena = arena, .diags = d, .out = out };
    return js_with_plan(&j, put_types);
}

/* ---- the archive ---- */

o2w_status emit_js_fits(const struct graph *g, const struct archive *existing, struct arena *arena,
                        struct diags *d, bool *fits)
{
    struct plan p;
    TRY(plan_make(&p, g, &written, SPAN(""), existing, arena, d));
    *fits = p.items.count == existing->count;
    plan_free(&p);
    return O2W_OK;
}

o2w_status emit_js_archive(const struct graph *g, const char *path, struct arena *arena,
                           struct diags *d, struct file_writer **out)
{
    const struct archive_text packed = { SPAN(ARCHIVE_PACKED4), SPAN("1") };
    struct plan p;
    TRY(plan_make(&p, g, &written, SPAN(""), NULL, arena, d));
    o2w_status s = archive_prepare(path, p.items.items, p.items.count, &packed, p.packed,
                                   g->allocator, d, out);
    plan_free(&p);
    return s;
}
