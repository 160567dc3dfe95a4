/* One page that shows a graph and runs it: nothing is fetched but, where it is asked to be, the archive beside it. */
#include "emit/embedded.h"
#include "emit/groups.h"
#include "emit/gzip.h"
#include "emit/js.h"
#include "emit/support.h"

#include "base/json.h"
#include "base/number.h"
#include "base/system.h"
#include "emit/base64.h"
#include "webnn/legalise.h"

#include <math.h>
#include <string.h>

static const char *const targets[] = {
#define TARGET(name) #name,
#include "webnn/targets.def"
    "required",
};
enum { TARGETS = sizeof targets / sizeof *targets };

struct page {
    const struct graph *g;
    const struct emit_js_options *options;
    struct layout layout;
    struct groups groups;
    enum support *support[TARGETS]; /* by target and operator */
    struct js js;                   /* for the calls of operators */
    struct arena *arena;
    struct diags *diags;
    struct text_out *out;
    struct json_writer json;
};

/* ---- what the viewer knows ---- */

enum { COMPRESSED = 1 << 20, FIRST = 16, ELEMENT_TEXT = NUMBER_TEXT };

/* Of the elements that are numbers; `nans` are the others. */
struct statistics {
    enum dtype dtype;
    uint64_t left; /* elements that have not been seen */
    uint64_t count, zeros, nans;
    double sum, min_value, max_value;
    char min[ELEMENT_TEXT], max[ELEMENT_TEXT];
    char first[FIRST][ELEMENT_TEXT];
};

/* Integers in full, floats as short as they read back. */
static void element_text(const struct tensor *t, uint64_t i, char text[ELEMENT_TEXT])
{
    if (dtype_is_float(t->dtype))
        (void)number_print_float((float)tensor_get_double(t, i), text);
    else if (dtype_is_signed(t->dtype))
        (void)number_print_i64(tensor_get_i64(t, i), text);
    else
        (void)number_print_u64(tensor_get_u64(t, i), text);
}

/* Exact for 64-bit integers too. */
static bool is_less(const struct statistics *s, double a, const char *a_text, double b,
                    const char *b_text)
{
    if (a != b || dtype_is_float(s->dtype) || dtype_info(s->dtype)->bits < 64)
        return a < b;
    bool negative = *a_text == '-';
    int order = strlen(a_text) != strlen(b_text) ? (strlen(a_text) < strlen(b_text) ? -1 : 1)
                                                 : strcmp(a_text, b_text);
    return negative ? order > 0 : order < 0;
}

static void take_element(struct statistics *s, const struct tensor *t, uint64_t i, uint64_t seen)
{
    double v = tensor_get_double(t, i);
    char text[ELEMENT_TEXT] = "";
    bool wide = dtype_info(s->dtype)->bits == 64;
    if (seen < FIRST)
        element_text(t, i, s->first[seen]);
    if (isnan(v)) {
        s->nans++;
        return;
    }
    if (wide || s->count == 0 || v < s->min_value || v > s->max_value)
        element_text(t, i, text);
    if (s->count == 0 || (*text && is_less(s, v, text, s->min_value, s->min))) {
        s->min_value = v;
        memcpy(s->min, text, sizeof text);
    }
    if (s->count == 0 || (*text && is_less(s, s->max_value, s->max, v, text))) {
        s->max_value = v;
        memcpy(s->max, text, sizeof text);
    }
    s->sum += v;
    s->zeros += v == 0;
    s->count++;
}

static o2w_status take_block(void *user, const void *data, size_t size)
{
    struct statistics *s = user;
    struct tensor t = { .dtype = s->dtype, .data = (void *)(uintptr_t)data }; /* read only */
    uint64_t count = size * 8 / dtype_info(s->dtype)->bits;
    count = count < s->left ? count : s->left; /* half a byte may be empty */
    for (uint64_t i = 0; i < count; i++)
        take_element(s, &t, i, s->count + s->nans);
    s->left -= count;
    return O2W_OK;
}

static void put_number(struct page *p, const char *key, double value)
{
    char text[NUMBER_TEXT];
    json_key(&p->json, key);
    number_print_general(value, 7, text);
    if (isfinite(value))
        json_put_raw(&p->json, span_of(text));
    else
        json_put_text(&p->json, text);
}

static void put_count(struct page *p, const char *key, uint64_t value)
{
    json_key(&p->json, key);
    json_put_u64(&p->json, value);
}

static o2w_status put_statistics(struct page *p, const struct weight *w)
{
    struct statistics s = { .dtype = w->dtype, .left = w->count };
    TRY(weight_stream(w, take_block, &s, p->diags));
    json_key(&p->json, "stats");
    json_open(&p->json, '{');
    json_key(&p->json, "min");
    json_put_text(&p->json, s.min);
    json_key(&p->json, "max");
    json_put_text(&p->json, s.max);
    put_number(p, "mean", s.count ? s.sum / (double)s.count : NAN);
    put_count(p, "zeros", s.zeros);
    if (s.nans)
        put_count(p, "nans", s.nans);
    json_key(&p->json, "first");
    json_open(&p->json, '[');
    for (uint64_t i = 0; i < FIRST && i < s.count + s.nans; i++)
        json_put_text(&p->json, s.first[i]);
    json_close(&p->json, ']');
    json_close(&p->json, '}');
    return O2W_OK;
}

static void put_dims(struct page *p, const struct operand *o)
{
    json_key(&p->json, "shape");
    json_open(&p->json, '[');
    for (uint32_t i = 0; i < o->rank; i++) {
        int64_t max;
        if (dim_is_static(o->dims[i]))
            json_put_i64(&p->json, o->dims[i]);
        else
            json_put_string(&p->json, plan_dim_text(&p->js.plan, o->dims[i], &max));
    }
    json_close(&p->json, ']');
}

static o2w_status put_operand(struct page *p, operand_id id)
{
    const struct operand *o = graph_operand(p->g, id);
    json_open(&p->json, '{');
    json_key(&p->json, "name");
    json_put_string(&p->json, graph_operand_name(p->g, id, p->arena));
    json_key(&p->json, "dataType");
    json_put_text(&p->json, dtype_name(o->dtype));
    put_dims(p, o);
    if (o->kind == OPERAND_CONSTANT) {
        json_key(&p->json, "bytes");
        json_put_u64(&p->json, weight_bytes(graph_weight(p->g, id)));
        TRY(put_statistics(p, graph_weight(p->g, id)));
    }
    json_close(&p->json, '}');
    return O2W_OK;
}

static uint64_t constant_bytes(const struct page *p, const struct operator_node *n)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < n->operand_count; i++)
        if (n->operands[i] != NO_ID &&
            graph_operand(p->g, n->operands[i])->kind == OPERAND_CONSTANT)
            bytes += weight_bytes(graph_weight(p->g, n->operands[i]));
    return bytes;
}

/* The builder call, as the module has it. */
static o2w_status put_code(struct page *p, const struct operator_node *n)
{
    struct text_out code;
    out_init(&code, p->g->allocator);
    p->js.out = &code;
    o2w_status s = js_call(&p->js, n);
    if (s == O2W_OK && code.bytes.count > 3) {
        json_key(&p->json, "code");
        json_put_string(
            &p->json, (struct span){ (const uint8_t *)code.bytes.items + 2, code.bytes.count - 3 });
    }
    out_free(&code);
    return s;
}

/* Every attribute that has a value: its name, the value, and whether it is the default. */
static o2w_status put_attributes(struct page *p, const struct operator_node *n)
{
    const struct operator_row *row = operator_row(n->kind);
    struct options set;
    o2w_status s = O2W_OK;
    options_collect(&p->js.plan, n, &set);
    json_key(&p->json, "options");
    json_open(&p->json, '[');
    for (uint32_t i = 0; i < row->attribute_count && s == O2W_OK; i++) {
        const struct attribute_row *attribute = &row->attributes[i];
        bool given = false;
        for (uint32_t k = 0; k < set.count; k++)
            given = given || set.items[k].row == attribute;
        if (option_is_absent(attribute, n->attributes))
            continue;
        struct text_out text;
        out_init(&text, p->g->allocator);
        p->js.out = &text;
        s = js_value(&p->js, n, attribute);
        json_open(&p->json, '[');
        json_put_text(&p->json, attribute->name);
        json_put_string(&p->json,
                        (struct span){ (const uint8_t *)text.bytes.items, text.bytes.count });
        json_put_bool(&p->json, !given);
        json_close(&p->json, ']');
        out_free(&text);
    }
    json_close(&p->json, ']');
    return s;
}

static void put_support(struct page *p, size_t operator)
{
    json_key(&p->json, "support");
    json_open(&p->json, '[');
    for (unsigned t = 0; t < TARGETS; t++)
        json_put_u64(&p->json, p->support[t][operator]);
    json_close(&p->json, ']');
}

static o2w_status find_support(struct page *p)
{
    struct limits *limits = ARENA_NEW(p->arena, struct limits);
    for (unsigned t = 0; t < TARGETS; t++) {
        p->support[t] = ARENA_ARRAY(p->arena, p->g->operators.count, enum support);
        if (!limits || !p->support[t])
            return diag_memory(p->diags);
        TRY(limits_of_target(targets[t], p->arena, p->diags, limits));
        TRY(support_find(p->g, limits, p->support[t]));
    }
    return O2W_OK;
}

static void put_ids(struct page *p, const char *key, const operand_id *ids, uint32_t count)
{
    json_key(&p->json, key);
    json_open(&p->json, '[');
    for (uint32_t i = 0; i < count; i++)
        if (ids[i] != NO_ID)
            json_put_u64(&p->json, ids[i]);
    json_close(&p->json, ']');
}

static o2w_status put_operator(struct page *p, const struct operator_node *n)
{
    operand_id *results = ARENA_ARRAY(p->arena, n->result_count, operand_id);
    struct span label = plan_label(&p->js.plan, n);
    if (!results)
        return diag_memory(p->diags);
    for (uint32_t i = 0; i < n->result_count; i++)
        results[i] = n->first_result + i;
    json_key(&p->json, "kind");
    json_put_text(&p->json, "operator");
    json_key(&p->json, "label");
    json_put_string(&p->json, label.size ? label : graph_operand_name(p->g, results[0], p->arena));
    put_ids(p, "in", n->operands, n->operand_count);
    put_ids(p, "out", results, n->result_count);
    json_key(&p->json, "bytes");
    json_put_u64(&p->json, constant_bytes(p, n));
    json_key(&p->json, "link");
    json_put_text(&p->json, operator_row(n->kind)->link);
    put_support(p, (size_t)(n - p->g->operators.items));
    TRY(put_attributes(p, n));
    return put_code(p, n);
}

static o2w_status put_node(struct page *p, uint32_t node)
{
    const struct layout *l = &p->layout;
    const struct layout_node *place = &p->groups.nodes[node];
    uint32_t operators = l->input_count + l->operator_count;
    json_open(&p->json, '{');
    json_key(&p->json, "text");
    json_put_string(&p->json, layout_text(p->g, l, node, p->arena));
    json_key(&p->json, "x");
    json_put_i64(&p->json, (int64_t)place->x);
    json_key(&p->json, "y");
    json_put_i64(&p->json, (int64_t)place->y);
    json_key(&p->json, "w");
    json_put_i64(&p->json, (int64_t)place->width);
    put_count(p, "group", p->groups.of[node]);
    if (node >= l->input_count && node < operators) {
        TRY(put_operator(p, &p->g->operators.items[node - l->input_count]));
    } else {
        bool input = node < l->input_count;
        operand_id id =
            input ? p->g->inputs.items[node] : p->g->outputs.items[node - operators].operand;
        json_key(&p->json, "kind");
        json_put_text(&p->json, input ? "input" : "output");
        put_ids(p, "in", &id, !input);
        put_ids(p, "out", &id, input);
    }
    json_close(&p->json, '}');
    return O2W_OK;
}

/* Places are within the group around; the root is the first. */
static void put_groups(struct page *p)
{
    json_key(&p->json, "groups");
    json_open(&p->json, '[');
    for (uint32_t i = 0; i < p->groups.count; i++) {
        const struct group *g = &p->groups.items[i];
        json_open(&p->json, '{');
        json_key(&p->json, "name");
        json_put_string(&p->json, g->name);
        put_count(p, "parent", g->parent);
        put_count(p, "operators", g->count);
        put_number(p, "x", g->x);
        put_number(p, "y", g->y);
        put_number(p, "w", g->width);
        json_close(&p->json, '}');
    }
    json_close(&p->json, ']');
}

static o2w_status put_view(struct page *p)
{
    json_open(&p->json, '{');
    json_key(&p->json, "format");
    json_put_text(&p->json, "onnx2webnn-view");
    json_key(&p->json, "name");
    json_put_string(&p->json, names_text(&p->g->names, p->g->name));
    json_key(&p->json, "targets");
    json_open(&p->json, '[');
    for (unsigned t = 0; t < TARGETS; t++)
        json_put_text(&p->json, targets[t]);
    json_close(&p->json, ']');
    put_groups(p);
    json_key(&p->json, "operands");
    json_open(&p->json, '[');
    for (operand_id i = 0; i < p->g->operands.count; i++)
        TRY(put_operand(p, i));
    json_close(&p->json, ']');
    json_key(&p->json, "nodes");
    json_open(&p->json, '[');
    for (uint32_t i = 0; i < p->layout.count; i++)
        TRY(put_node(p, i));
    json_close(&p->json, ']');
    json_key(&p->json, "edges");
    json_open(&p->json, '[');
    for (size_t i = 0; i < p->layout.edges.count; i++) {
        json_open(&p->json, '[');
        json_put_u64(&p->json, p->layout.edges.items[i].from);
        json_put_u64(&p->json, p->layout.edges.items[i].to);
        json_close(&p->json, ']');
    }
    json_close(&p->json, ']');
    json_close(&p->json, '}');
    return O2W_OK;
}

/* JSON inside a script element: no `<` stands in it as such. */
static void put_escaped(struct page *p, struct span text)
{
    size_t start = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] != '<')
            continue;
        out_span(p->out, (struct span){ text.data + start, i - start });
        out_text(p->out, "\\u003c");
        start = i + 1;
    }
    out_span(p->out, (struct span){ text.data + start, text.size - start });
}

/* Large data are compressed where zlib is. */
static o2w_status put_data(struct page *p)
{
    struct span text, small = { NULL, 0 };
    if (json_written(&p->json, &text) != O2W_OK)
        return diag_memory(p->diags);
    if (text.size > COMPRESSED)
        small = gzip_of(text, p->arena);
    out_text(p->out, small.size ? "<script type=\"application/gzip\" id=\"data\">"
                                : "<script type=\"application/json\" id=\"data\">");
    if (small.size)
        out_base64(p->out, small);
    else
        put_escaped(p, text);
    out_text(p->out, "</script>\n");
    return O2W_OK;
}

/* ---- the page ---- */

static void put_hash(struct page *p, struct span text)
{
    struct sha256 sum;
    uint8_t digest[32];
    sha256_begin(&sum);
    sha256_add(&sum, text.data, text.size);
    sha256_end(&sum, digest);
    out_text(p->out, "'sha256-");
    out_base64(p->out, (struct span){ digest, sizeof digest });
    out_text(p->out, "'");
}

static bool fetches(const struct page *p)
{
    return p->options->archive && p->options->weights == EMIT_WEIGHTS_EXTERNAL;
}

static void put_head(struct page *p, struct span script)
{
    out_text(
        p->out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src ");
    put_hash(p, script);
    out_text(p->out, " ");
    put_hash(p, embedded_viewer_js);
    out_text(p->out, "; style-src ");
    put_hash(p, embedded_page_css);
    out_text(p->out,
             fetches(p) ? "; img-src data: blob:; connect-src 'self'" : "; img-src data: blob:");
    out_text(p->out, "\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
                     "<link rel=\"icon\" href=\"data:,\">\n<title>");
    emit_xml_text(p->out, names_text(&p->g->names, p->g->name));
    out_text(p->out, "</title>\n<style>");
    out_span(p->out, embedded_page_css);
    out_text(p->out, "</style>\n</head>\n<body>\n");
}

/* 1,234,567 */
static void put_grouped(struct text_out *out, uint64_t n)
{
    char digits[NUMBER_TEXT];
    size_t count = number_print_u64(n, digits);
    for (size_t i = 0; i < count; i++) {
        out_text(out, i && (count - i) % 3 == 0 ? "," : "");
        out_span(out, (struct span){ (const uint8_t *)digits + i, 1 });
    }
}

static void put_summary(struct page *p)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < p->g->weights.count; i++)
        bytes += weight_bytes(&p->g->weights.items[i]);
    put_grouped(p->out, p->g->operators.count);
    out_text(p->out, " operators, ");
    put_grouped(p->out, p->g->constants.count);
    out_text(p->out, " constants of ");
    put_grouped(p->out, bytes);
    out_text(p->out, " bytes");
}

/* The body, with what stands between its @ signs. */
static void put_body(struct page *p)
{
    struct span rest = embedded_page_html;
    while (rest.size) {
        const uint8_t *mark = memchr(rest.data, '@', rest.size);
        size_t before = mark ? (size_t)(mark - rest.data) : rest.size;
        out_span(p->out, (struct span){ rest.data, before });
        rest = (struct span){ rest.data + before, rest.size - before };
        if (span_starts(rest, SPAN("@TITLE@"))) {
            emit_xml_text(p->out, names_text(&p->g->names, p->g->name));
            rest = (struct span){ rest.data + 7, rest.size - 7 };
        } else if (span_starts(rest, SPAN("@SUMMARY@"))) {
            put_summary(p);
            rest = (struct span){ rest.data + 9, rest.size - 9 };
        } else if (rest.size) {
            out_span(p->out, (struct span){ rest.data, 1 });
            rest = (struct span){ rest.data + 1, rest.size - 1 };
        }
    }
}

static o2w_status put_page(struct page *p, const struct text_out *script)
{
    struct span code = { (const uint8_t *)script->bytes.items, script->bytes.count };
    put_head(p, code);
    put_body(p);
    TRY(put_view(p));
    TRY(put_data(p));
    out_text(p->out, "<script>");
    out_span(p->out, embedded_viewer_js);
    out_text(p->out, "</script>\n<script type=\"module\">");
    out_span(p->out, code);
    out_text(p->out, "</script>\n</body>\n</html>\n");
    return p->out->failed ? diag_memory(p->diags) : O2W_OK;
}

static o2w_status page_with_js(struct js *j)
{
    struct page *p = j->user;
    struct text_out script;
    out_init(&script, p->g->allocator);
    o2w_status s = emit_js(p->g, p->options, p->arena, p->diags, &script);
    out_span(&script, embedded_runner_js);
    p->js = *j;
    if (s == O2W_OK)
        s = find_support(p);
    if (s == O2W_OK)
        s = script.failed ? diag_memory(p->diags) : put_page(p, &script);
    out_free(&script);
    return s;
}

o2w_status emit_html(const struct graph *g, const struct emit_js_options *options,
                     struct arena *arena, struct diags *d, struct text_out *out)
{
    struct page p = { .g = g, .options = options, .arena = arena, .diags = d, .out = out };
    if (layout_make(g, arena, &p.layout) != O2W_OK)
        return diag_memory(d);
    if (groups_make(g, &p.layout, arena, &p.groups) != O2W_OK) {
        layout_free(&p.layout);
        return diag_memory(d);
    }
    json_writer_init(&p.json, g->allocator, 0);
    struct js j = {
        .graph = g, .options = options, .arena = arena, .diags = d, .out = out, .user = &p
    };
    o2w_status s = js_with_plan(&j, page_with_js);
    json_writer_free(&p.json);
    groups_free(&p.groups);
    layout_free(&p.layout);
    return s;
}
