#include "validate/nbits.h"

#include "base/file.h"
#include "base/text.h"
#include "onnx/proto.h"
#include "wire/rewrite.h"

#include <string.h>

enum { DEPTH = 32, ATTRIBUTE_TYPE_INT = 2 };

/* --- scanning ----------------------------------------------------------------------------------------- */

struct scan {
    const struct onnx_model *model;
    void (*visit)(struct scan *s, const struct onnx_function *f, const struct onnx_node *n);
    struct nbits *out;
    /* of values_of */
    const struct onnx_function *callee;
    struct span wanted;
    void (*value)(struct scan *s, int64_t value);
    unsigned depth;
    bool accurate; /* of the node that is looked at */
};

static void scan_graph(struct scan *s, const struct onnx_function *f, const struct onnx_graph *g)
{
    for (uint32_t i = 0; i < g->node_count; i++) {
        s->visit(s, f, &g->nodes[i]);
        for (uint32_t k = 0; k < g->nodes[i].attribute_count; k++) {
            const struct onnx_attribute *a = &g->nodes[i].attributes[k];
            for (uint32_t b = 0; onnx_attribute_has_graphs(a) && b < a->count; b++)
                scan_graph(s, f, &a->graphs[b]);
        }
    }
}

static void scan_model(struct scan *s)
{
    scan_graph(s, NULL, &s->model->graph);
    for (uint32_t i = 0; i < s->model->function_count; i++)
        scan_graph(s, &s->model->functions[i], &s->model->functions[i].body);
}

/* --- values of an attribute, over all calls where a function passes it on -------------------------------- */

static void values_of(struct scan *s, const struct onnx_function *f,
                      const struct onnx_attribute *a);

static void visit_call(struct scan *s, const struct onnx_function *f, const struct onnx_node *n)
{
    if (n->function != s->callee)
        return;
    for (uint32_t i = 0; i < n->attribute_count; i++)
        if (span_equal(n->attributes[i].name, s->wanted)) {
            values_of(s, f, &n->attributes[i]);
            return;
        }
    for (uint32_t i = 0; i < n->function->default_count; i++)
        if (span_equal(n->function->defaults[i].name, s->wanted))
            values_of(s, NULL, &n->function->defaults[i]);
}

static void values_of(struct scan *s, const struct onnx_function *f, const struct onnx_attribute *a)
{
    if (a->ref_name.size && f && s->depth < DEPTH) {
        struct scan calls = *s;
        calls.visit = visit_call;
        calls.callee = f;
        calls.wanted = a->ref_name;
        calls.depth++;
        scan_model(&calls);
        s->accurate |= calls.accurate;
    } else if (a->type == ONNX_ATTRIBUTE_INT && !a->ref_name.size) {
        s->value(s, a->i);
    }
}

static void take_bits(struct scan *s, int64_t bits)
{
    enum profile p = bits > 4 ? PROFILE_Q8 : PROFILE_Q4;
    if (p > s->out->profile)
        s->out->profile = p;
}

static void take_level(struct scan *s, int64_t level)
{
    struct nbits *n = s->out;
    unsigned at = 0;
    if (level == 0)
        return;
    s->accurate = true;
    while (at < n->level_count && n->levels[at] < level)
        at++;
    if ((at < n->level_count && n->levels[at] == level) || n->level_count == MOST_LEVELS)
        return;
    memmove(n->levels + at + 1, n->levels + at, (n->level_count - at) * sizeof *n->levels);
    n->levels[at] = level;
    n->level_count++;
}

static bool is_nbits(struct span op, struct span domain)
{
    static const char *const names[] = { "MatMulNBits", "MatMulNBitsMlp", "MatMulNBitsQkv",
                                         "MatMulNBitsQLoRA", "QMoE" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (span_is(op, names[i]))
            return span_is(domain, "com.microsoft");
    return false;
}

static void visit_node(struct scan *s, const struct onnx_function *f, const struct onnx_node *n)
{
    if (!is_nbits(n->op_type, n->domain) || n->function)
        return;
    const struct onnx_attribute *bits = onnx_node_attribute(n, "bits");
    const struct onnx_attribute *level = onnx_node_attribute(n, "accuracy_level");
    s->value = take_bits;
    if (bits)
        values_of(s, f, bits);
    else
        take_bits(s, 4);
    s->value = take_level;
    s->accurate = false;
    if (level)
        values_of(s, f, level);
    s->out->accurate += s->accurate;
}

void nbits_scan(const struct onnx_model *m, struct nbits *out)
{
    struct scan s = { .model = m, .visit = visit_node, .out = out };
    *out = (struct nbits){ 0 };
    scan_model(&s);
}

void nbits_levels_text(const struct nbits *n, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (unsigned i = 0; i < n->level_count && used < size; i++) {
        int more =
            text_format(text + used, size - used, "%s%lld", i ? ", " : "", (long long)n->levels[i]);
        used += more > 0 ? (size_t)more : 0;
    }
}

/* --- rewriting ---------------------------------------------------------------------------------------- */

struct adjusting {
    struct wire_source *source;
    o2w_status status;
};

/* The last text of a field, as protobuf reads it. */
static struct span text_field(struct adjusting *a, struct span message,
                              const struct wire_schema *schema, uint32_t field)
{
    struct wire_message m = { .bytes = message };
    struct wire_reader r = wire_read(a->source, &m, schema);
    struct span text = { 0 };
    while (wire_next(&r))
        if (r.field == field)
            text = r.bytes;
    return text;
}

static void write_level(struct wire_writer *w)
{
    size_t attribute = wire_begin(w, NODE_ATTRIBUTE);
    wire_put_text(w, ATTRIBUTE_NAME, "accuracy_level");
    wire_put_i64(w, ATTRIBUTE_I, 0);
    wire_put_i64(w, ATTRIBUTE_TYPE, ATTRIBUTE_TYPE_INT);
    wire_end(w, attribute);
}

static void write_node(struct adjusting *a, struct span node, uint32_t field, struct wire_writer *w)
{
    struct wire_message m = { .bytes = node };
    struct wire_reader r = wire_read(a->source, &m, &proto_node);
    size_t begun = wire_begin(w, field);
    const uint8_t *kept = node.data;
    bool found = false;
    while (wire_next(&r)) {
        if (r.field != NODE_ATTRIBUTE ||
            !span_is(text_field(a, r.bytes, &proto_attribute, ATTRIBUTE_NAME), "accuracy_level"))
            continue;
        wire_put_raw(w, (struct span){ kept, (size_t)(r.tag - kept) });
        kept = r.at;
        found = true;
    }
    wire_put_raw(w, (struct span){ kept, (size_t)(node.data + node.size - kept) });
    if (found)
        write_level(w);
    wire_end(w, begun);
    if (r.status != O2W_OK)
        a->status = r.status;
}

static enum wire_action visit_field(void *user, const struct wire_reader *r, struct wire_writer *w)
{
    struct adjusting *a = user;
    bool in_graph = r->schema == &proto_graph && r->field == GRAPH_NODE;
    bool in_function = r->schema == &proto_function && r->field == FUNCTION_NODE;
    if (in_graph || in_function) {
        if (!is_nbits(text_field(a, r->bytes, &proto_node, NODE_OP_TYPE),
                      text_field(a, r->bytes, &proto_node, NODE_DOMAIN)))
            return WIRE_ENTER;
        write_node(a, r->bytes, r->field, w);
        return WIRE_DROP;
    }
    bool leads_on =
        (r->schema == &proto_model && (r->field == MODEL_GRAPH || r->field == MODEL_FUNCTIONS)) ||
        (r->schema == &proto_node && r->field == NODE_ATTRIBUTE) ||
        (r->schema == &proto_attribute &&
         (r->field == ATTRIBUTE_G || r->field == ATTRIBUTE_GRAPHS));
    return leads_on ? WIRE_ENTER : WIRE_KEEP;
}

o2w_status nbits_adjust(const struct onnx_model *m, struct diags *d, struct wire_writer *w)
{
    struct span bytes;
    TRY(file_bytes(m->file, d, &bytes));
    struct wire_source source = { .file = bytes, .name = span_of(m->file->path), .diags = d };
    struct adjusting a = { .source = &source };
    const struct wire_visitor visitor = { visit_field, &a };
    TRY(wire_rewrite(&source, bytes, &proto_model, &visitor, w));
    return a.status;
}
