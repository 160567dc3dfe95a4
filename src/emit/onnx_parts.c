/* What a model is made of, collected. */
#include "emit/onnx.h"

#include "onnx/proto.h"

#include <string.h>

void made_parts_init(struct made_parts *p, struct arena *arena)
{
    const o2w_allocator *allocator = arena->allocator;
    *p = (struct made_parts){ .arena = arena };
    p->inputs.allocator = p->outputs.allocator = allocator;
    p->constants.allocator = p->nodes.allocator = p->titles.allocator = allocator;
}

void made_parts_free(struct made_parts *p)
{
    VEC_FREE(&p->inputs);
    VEC_FREE(&p->outputs);
    VEC_FREE(&p->constants);
    VEC_FREE(&p->nodes);
    VEC_FREE(&p->titles);
}

/* The texts of a list stay, the list does not. */
static const char *const *copy_texts(struct arena *a, const char *const *texts, size_t count)
{
    const char **copy = ARENA_ARRAY(a, count, const char *);
    if (copy && count)
        memcpy((void *)copy, (const void *)texts, count * sizeof *texts);
    return copy;
}

static o2w_status copy_port(const struct made_parts *p, const struct sink_port *port,
                            struct diags *d, struct made_port *out)
{
    int64_t *dims = ARENA_ARRAY(p->arena, port->rank, int64_t);
    const char *const *symbols =
        port->symbols ? copy_texts(p->arena, port->symbols, port->rank) : NULL;
    *out = (struct made_port){
        .value = port->value,
        .name = arena_copy(p->arena, port->name),
        .dtype = port->dtype,
        .rank = port->rank,
        .dims = dims,
        .symbols = symbols,
    };
    if (!dims || !out->name.data || (port->symbols && !symbols))
        return diag_memory(d);
    for (uint32_t i = 0; i < port->rank; i++)
        dims[i] = port->dims[i];
    return O2W_OK;
}

static o2w_status put_input(void *self, const struct sink_port *port, struct diags *d)
{
    struct made_parts *p = self;
    struct made_port copy;
    TRY(copy_port(p, port, d, &copy));
    return VEC_PUSH(&p->inputs, copy) ? O2W_OK : diag_memory(d);
}

static o2w_status put_output(void *self, const struct sink_port *port, struct diags *d)
{
    struct made_parts *p = self;
    struct made_port copy;
    TRY(copy_port(p, port, d, &copy));
    return VEC_PUSH(&p->outputs, copy) ? O2W_OK : diag_memory(d);
}

/* Small ones may lie where they do not stay. */
static o2w_status put_constant(void *self, const char *value, const struct tensor *t,
                               struct diags *d)
{
    struct made_parts *p = self;
    struct made_constant c = { .value = value, .tensor = *t };
    size_t size = (size_t)tensor_bytes(t);
    if (size < ONNX_INLINE_LIMIT) {
        struct span copy = arena_copy(p->arena, (struct span){ t->data, size });
        if (!copy.data)
            return diag_memory(d);
        c.tensor.data = (void *)(uintptr_t)copy.data;
    }
    return VEC_PUSH(&p->constants, c) ? O2W_OK : diag_memory(d);
}

static void put_strings(struct wire_writer *w, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        wire_put_text(w, ATTRIBUTE_STRINGS, texts[i]);
}

static void put_attribute(struct wire_writer *w, const struct sink_attribute *a)
{
    /* AttributeProto.AttributeType */
    static const uint8_t types[] = { [SINK_INT] = 2,    [SINK_INTS] = 7,   [SINK_FLOAT] = 1,
                                     [SINK_FLOATS] = 6, [SINK_STRING] = 3, [SINK_STRINGS] = 8 };
    size_t begun = wire_begin(w, NODE_ATTRIBUTE);
    wire_put_text(w, ATTRIBUTE_NAME, a->name);
    switch (a->kind) {
    case SINK_INT: wire_put_i64(w, ATTRIBUTE_I, *(const int64_t *)a->data); break;
    case SINK_INTS: wire_put_i64s(w, ATTRIBUTE_INTS, a->data, a->count); break;
    case SINK_FLOAT: wire_put_f32(w, ATTRIBUTE_F, *(const float *)a->data); break;
    case SINK_FLOATS: wire_put_f32s(w, ATTRIBUTE_FLOATS, a->data, a->count); break;
    case SINK_STRING: wire_put_bytes(w, ATTRIBUTE_S, (struct span){ a->data, a->count }); break;
    case SINK_STRINGS: put_strings(w, a->data, a->count); break;
    }
    wire_put_varint(w, ATTRIBUTE_TYPE, types[a->kind]);
    wire_end(w, begun);
}

static o2w_status encode_attributes(const struct made_parts *p, const struct sink_node *node,
                                    struct diags *d, struct span *out)
{
    struct wire_writer w;
    struct span written = { 0 };
    wire_writer_init(&w, p->arena->allocator);
    for (size_t i = 0; i < node->attribute_count; i++)
        put_attribute(&w, &node->attributes[i]);
    o2w_status s = wire_written(&w, &written);
    *out = s == O2W_OK ? arena_copy(p->arena, written) : (struct span){ 0 };
    wire_writer_free(&w);
    return out->data ? O2W_OK : diag_memory(d);
}

static o2w_status put_node(void *self, const struct sink_node *node, struct diags *d)
{
    struct made_parts *p = self;
    struct made_node n = {
        .op = node->op,
        .domain = node->domain,
        .label = node->label,
        .inputs = copy_texts(p->arena, node->inputs, node->input_count),
        .outputs = copy_texts(p->arena, node->outputs, node->output_count),
        .input_count = node->input_count,
        .output_count = node->output_count,
    };
    TRY(encode_attributes(p, node, d, &n.attributes));
    p->microsoft |= strcmp(node->domain, "com.microsoft") == 0;
    return n.inputs && n.outputs && VEC_PUSH(&p->nodes, n) ? O2W_OK : diag_memory(d);
}

static o2w_status put_title(void *self, const char *value, struct span name, struct diags *d)
{
    struct made_parts *p = self;
    const struct made_title title = { .value = value, .name = name };
    return VEC_PUSH(&p->titles, title) ? O2W_OK : diag_memory(d);
}

struct model_sink made_parts_sink(struct made_parts *p)
{
    return (struct model_sink){ .self = p,
                                .input = put_input,
                                .output = put_output,
                                .constant = put_constant,
                                .node = put_node,
                                .name = put_title };
}
