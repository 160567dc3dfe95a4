#include "onnx/adjust.h"

#include "base/file.h"
#include "onnx/proto.h"
#include "wire/rewrite.h"

struct adjust {
    const struct onnx_adjustment *wanted;
    struct wire_source source;
    struct wire_visitor visitor;
    o2w_status status;
    uint32_t nodes;
    bool matches;  /* the node being rewritten is of the operator */
    bool is_named; /* the attribute being rewritten has the name */
    bool changed;
};

static bool is_node(const struct wire_reader *r)
{
    return (r->schema == &proto_graph && r->field == GRAPH_NODE) ||
           (r->schema == &proto_function && r->field == FUNCTION_NODE);
}

static bool node_matches(struct adjust *a, struct span bytes)
{
    struct span op = SPAN(""), domain = SPAN("");
    struct wire_message m = { .bytes = bytes };
    struct wire_reader r = wire_read(&a->source, &m, &proto_node);
    while (wire_next(&r)) {
        if (r.field == NODE_OP_TYPE)
            op = r.bytes;
        else if (r.field == NODE_DOMAIN)
            domain = r.bytes;
    }
    if (domain.size == 0)
        domain = SPAN("ai.onnx");
    return span_is(op, a->wanted->op_type) && span_is(domain, a->wanted->domain);
}

static bool attribute_is_named(struct adjust *a, struct span bytes)
{
    struct span name = SPAN("");
    struct wire_message m = { .bytes = bytes };
    struct wire_reader r = wire_read(&a->source, &m, &proto_attribute);
    while (wire_next(&r))
        if (r.field == ATTRIBUTE_NAME)
            name = r.bytes;
    return span_is(name, a->wanted->attribute);
}

/* A message of its own, so that what is known about it ends with it. */
static enum wire_action rewrite_inside(struct adjust *a, const struct wire_reader *r,
                                       struct wire_writer *w)
{
    size_t begun = wire_begin(w, r->field);
    o2w_status status =
        wire_rewrite(&a->source, r->bytes, r->schema->fields[r->field].message, &a->visitor, w);
    wire_end(w, begun);
    if (status != O2W_OK && a->status == O2W_OK)
        a->status = status;
    return WIRE_DROP;
}

static enum wire_action visit_node(struct adjust *a, const struct wire_reader *r,
                                   struct wire_writer *w)
{
    struct adjust outer = *a;
    a->matches = node_matches(a, r->bytes);
    a->changed = false;
    enum wire_action action = rewrite_inside(a, r, w);
    a->nodes += a->changed;
    a->matches = outer.matches;
    a->changed = outer.changed;
    return action;
}

static enum wire_action visit_attribute(struct adjust *a, const struct wire_reader *r,
                                        struct wire_writer *w)
{
    bool outer = a->is_named;
    a->is_named = a->matches && attribute_is_named(a, r->bytes);
    enum wire_action action = rewrite_inside(a, r, w);
    a->is_named = outer;
    return action;
}

static enum wire_action visit_value(struct adjust *a, const struct wire_reader *r,
                                    struct wire_writer *w)
{
    if (r->field == ATTRIBUTE_G || r->field == ATTRIBUTE_GRAPHS)
        return WIRE_ENTER;
    if (r->field != ATTRIBUTE_I || !a->is_named || wire_i64(r) == a->wanted->value)
        return WIRE_KEEP;
    a->changed = true;
    wire_put_i64(w, ATTRIBUTE_I, a->wanted->value);
    return WIRE_DROP;
}

static enum wire_action visit(void *user, const struct wire_reader *r, struct wire_writer *w)
{
    struct adjust *a = user;
    if (a->status != O2W_OK)
        return WIRE_KEEP;
    if (is_node(r))
        return visit_node(a, r, w);
    if (r->schema == &proto_node)
        return r->field == NODE_ATTRIBUTE ? visit_attribute(a, r, w) : WIRE_KEEP;
    if (r->schema == &proto_attribute)
        return visit_value(a, r, w);
    if (r->schema == &proto_model && (r->field == MODEL_GRAPH || r->field == MODEL_FUNCTIONS))
        return WIRE_ENTER;
    return WIRE_KEEP;
}

o2w_status onnx_model_adjust(const struct onnx_model *m, const struct onnx_adjustment *adjustment,
                             struct diags *d, struct wire_writer *w, uint32_t *nodes)
{
    size_t before = w->bytes.count;
    struct adjust a = {
        .wanted = adjustment,
        .source = { .file = m->file->mapping, .name = span_of(m->file->path), .diags = d },
        .visitor = { .visit = visit },
    };
    a.visitor.user = &a;
    TRY(wire_rewrite(&a.source, m->file->mapping, &proto_model, &a.visitor, w));
    TRY(a.status);
    if (a.nodes == 0)
        w->bytes.count = before;
    *nodes = a.nodes;
    return O2W_OK;
}
