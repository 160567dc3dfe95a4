#include "wasi/trim.h"

#include "base/intern.h"
#include "onnx/proto.h"
#include "tensor/dtype.h"
#include "wire/rewrite.h"

static const char *kind_of(const struct onnx_type *t)
{
    switch (t->kind) {
    case ONNX_TYPE_NONE: return NULL;
    case ONNX_TYPE_TENSOR: return t->dtype == 8 ? "a tensor of strings" : NULL;
    case ONNX_TYPE_SPARSE_TENSOR: return "a sparse tensor";
    case ONNX_TYPE_SEQUENCE: return "a sequence";
    case ONNX_TYPE_OPTIONAL: return "an optional";
    case ONNX_TYPE_MAP: return "a map";
    case ONNX_TYPE_OPAQUE: break;
    }
    return "an opaque value";
}

/* --- which nodes the remaining outputs need --------------------------------------------------------- */

static bool is_needed(const bool *needed, const struct onnx_node *n)
{
    for (uint32_t i = 0; i < n->output_count; i++)
        if (n->outputs[i] && needed[n->outputs[i]])
            return true;
    return false;
}

static void need_captures(bool *needed, const struct onnx_node *n)
{
    for (uint32_t i = 0; i < n->attribute_count; i++) {
        const struct onnx_attribute *a = &n->attributes[i];
        for (uint32_t k = 0; onnx_attribute_has_graphs(a) && k < a->count; k++)
            for (uint32_t c = 0; c < a->graphs[k].capture_count; c++)
                needed[a->graphs[k].captures[c]] = true;
    }
}

/* kept[file index of a node]; nodes are in topological order. */
static void mark_nodes(const struct onnx_model *m, bool *needed, bool *kept)
{
    for (uint32_t i = m->graph.node_count; i-- > 0;) {
        const struct onnx_node *n = &m->graph.nodes[i];
        if (!is_needed(needed, n))
            continue;
        kept[n->index] = true;
        for (uint32_t k = 0; k < n->input_count; k++)
            needed[n->inputs[k]] = true;
        need_captures(needed, n);
    }
}

/* Names that remain, in one pass over all: a guest's model may have very many of both. */
static o2w_status need_outputs(const struct onnx_model *m, const struct trimming *t, bool *needed,
                               const o2w_allocator *a)
{
    struct map names;
    uint32_t *unused;
    o2w_status s = O2W_OK;
    map_init(&names, a);
    for (uint32_t i = 0; s == O2W_OK && i < m->graph.output_count; i++)
        if (!t->outputs[i].dropped)
            s = map_insert(&names, t->outputs[i].name, 0, &unused, NULL);
    for (uint32_t i = 1; s == O2W_OK && i < m->name_count; i++)
        needed[i] = map_find(&names, onnx_name(m, i)) != NULL;
    map_free(&names);
    return s;
}

/* --- writing ------------------------------------------------------------------------------------------ */

struct rewriting {
    const struct onnx_model *model;
    const struct trimming *trimming;
    const bool *kept;
    uint32_t node, output;
};

static bool written_before(const struct rewriting *r, uint32_t output)
{
    const struct trimmed_output *all = r->trimming->outputs;
    for (uint32_t i = 0; i < output; i++)
        if (!all[i].dropped && span_equal(all[i].name, all[output].name))
            return true;
    return false;
}

static enum wire_action visit_output(struct rewriting *r, struct wire_writer *w)
{
    uint32_t i = r->output++;
    const struct trimmed_output *o = &r->trimming->outputs[i];
    if (o->dropped || written_before(r, i))
        return WIRE_DROP;
    if (span_equal(o->name, onnx_name(r->model, r->model->graph.outputs[i].name)))
        return WIRE_KEEP;
    size_t output = wire_begin(w, GRAPH_OUTPUT);
    wire_put_bytes(w, VALUE_INFO_NAME, o->name);
    wire_end(w, output);
    return WIRE_DROP;
}

static enum wire_action visit(void *user, const struct wire_reader *field, struct wire_writer *w)
{
    struct rewriting *r = user;
    if (field->schema == &proto_model)
        return field->field == MODEL_GRAPH ? WIRE_ENTER : WIRE_KEEP;
    if (field->field == GRAPH_NODE)
        return r->kept[r->node++] ? WIRE_KEEP : WIRE_DROP;
    return field->field == GRAPH_OUTPUT ? visit_output(r, w) : WIRE_KEEP;
}

static o2w_status rewrite(const struct onnx_model *m, struct span bytes, struct arena *a,
                          struct diags *d, struct trimming *t)
{
    bool *needed = ARENA_ARRAY(a, m->name_count, bool);
    bool *kept = ARENA_ARRAY(a, m->graph.node_count, bool);
    if (!needed || !kept)
        return diag_memory(d);
    if (need_outputs(m, t, needed, a->allocator) != O2W_OK)
        return diag_memory(d);
    mark_nodes(m, needed, kept);
    struct rewriting r = { .model = m, .trimming = t, .kept = kept };
    struct wire_source source = { .file = bytes, .name = SPAN("model"), .diags = d };
    TRY(wire_rewrite(&source, bytes, &proto_model, &(struct wire_visitor){ visit, &r },
                     &t->writer));
    return wire_written(&t->writer, &t->bytes) == O2W_OK ? O2W_OK : diag_memory(d);
}

o2w_status trim_model(const struct onnx_model *m, struct span bytes, const struct model_scan *scan,
                      struct arena *a, struct diags *d, struct trimming *out)
{
    uint32_t count = m->graph.output_count, remaining = 0;
    *out = (struct trimming){ .outputs = ARENA_ARRAY(a, count, struct trimmed_output) };
    if (!out->outputs)
        return diag_memory(d);
    wire_writer_init(&out->writer, a->allocator);
    for (uint32_t i = 0; i < count; i++) {
        struct trimmed_output *o = &out->outputs[i];
        o->name = onnx_name(m, m->graph.outputs[i].name);
        const struct scan_zipmap *z = scan_find_zipmap(scan, o->name);
        o->kind = z ? NULL : kind_of(&m->graph.outputs[i].type);
        o->dropped = o->kind != NULL;
        o->name = z ? z->from : o->name;
        remaining += !o->dropped;
        out->changed |= o->dropped || z;
    }
    if (!remaining)
        return diag_error(d, DIAG_LOWER_UNSUPPORTED,
                          "no output of the model is a tensor that WebNN can hold");
    return out->changed ? rewrite(m, bytes, a, d, out) : O2W_OK;
}
