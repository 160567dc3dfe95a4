/* Nodes and constants of the model being written. */
#include "nodes/emit.h"

#include "base/text.h"

#include <string.h>

void emit_keep(struct emit *e, o2w_status status)
{
    if (e->status == O2W_OK)
        e->status = status;
}

void emit_fail(struct emit *e, const char *format, ...)
{
    char message[512];
    va_list args;
    if (e->status != O2W_OK)
        return;
    va_start(args, format);
    text_vformat(message, sizeof message, format, args);
    va_end(args);
    struct span label = names_text(&e->graph->names, e->node->label);
    const char *quote = label.size ? "'" : "";
    emit_keep(e, diag_error(e->diags, DIAG_BUILD_FAILED, "%s%s%s%.*s%s: %s",
                            operator_row(e->node->kind)->name, label.size ? " " : "", quote,
                            SPAN_ARG(label), quote, message));
}

static void *room(struct emit *e, void *memory)
{
    if (!memory)
        emit_keep(e, diag_memory(e->diags));
    return memory;
}

static ref new_name(struct emit *e, char kind)
{
    return room(e, arena_printf(e->arena, "%c%u", kind, e->next++));
}

static struct span label_of(const struct emit *e)
{
    return e->node ? names_text(&e->graph->names, e->node->label) : SPAN("");
}

/* What the runtime's messages call the node; it wants each once. */
static const char *node_name(struct emit *e)
{
    if (!e->node)
        return "";
    struct span label = label_of(e);
    const char *name = label.size ? (const char *)label.data : operator_row(e->node->kind)->name;
    return room(e, arena_printf(e->arena, "%s #%u", name, e->next++));
}

static void emit_in(struct emit *e, const char *domain, const char *op, const ref *inputs,
                    size_t input_count, const struct sink_attribute *attributes,
                    size_t attribute_count, ref *outputs, size_t output_count)
{
    const char **names = ARENA_ARRAY(e->arena, input_count, const char *);
    if (e->status != O2W_OK || !room(e, names))
        return;
    for (size_t i = 0; i < output_count; i++)
        if (!outputs[i])
            outputs[i] = new_name(e, RESULT_LETTER);
    while (input_count > 0 && !inputs[input_count - 1])
        input_count--;
    for (size_t i = 0; i < input_count; i++)
        names[i] = inputs[i] ? inputs[i] : "";
    const struct sink_node node = {
        .op = op,
        .domain = domain,
        .name = node_name(e),
        .label = label_of(e),
        .inputs = names,
        .input_count = input_count,
        .outputs = outputs,
        .output_count = output_count,
        .attributes = attributes,
        .attribute_count = attribute_count,
    };
    if (e->status == O2W_OK)
        emit_keep(e, e->sink->node(e->sink->self, &node, e->diags));
}

void emit_nodes(struct emit *e, const char *op, const ref *inputs, size_t input_count,
                const struct sink_attribute *attributes, size_t attribute_count, ref *outputs,
                size_t output_count)
{
    emit_in(e, "", op, inputs, input_count, attributes, attribute_count, outputs, output_count);
}

ref emit_microsoft(struct emit *e, const char *op, const ref *inputs, size_t input_count,
                   const struct sink_attribute *attributes, size_t attribute_count)
{
    ref output = NULL;
    emit_in(e, "com.microsoft", op, inputs, input_count, attributes, attribute_count, &output, 1);
    return e->status == O2W_OK ? output : NULL;
}

ref emit_node(struct emit *e, const char *op, const ref *inputs, size_t input_count,
              const struct sink_attribute *attributes, size_t attribute_count)
{
    ref output = NULL;
    emit_nodes(e, op, inputs, input_count, attributes, attribute_count, &output, 1);
    return e->status == O2W_OK ? output : NULL;
}

ref emit_cast(struct emit *e, ref x, enum dtype to)
{
    return emit_node(e, "Cast", &x, 1, ATTRIBUTES(INT("to", dtype_info(to)->onnx)));
}

ref emit_tensor(struct emit *e, const struct tensor *t)
{
    if (e->status != O2W_OK)
        return NULL;
    ref name = new_name(e, CONSTANT_LETTER);
    if (name)
        emit_keep(e, e->sink->constant(e->sink->self, name, t, e->diags));
    return e->status == O2W_OK ? name : NULL;
}

ref emit_shared(struct emit *e, const struct shared_key *key)
{
    const uint32_t *index =
        e->status == O2W_OK ? map_find(&e->shared, (struct span){ key->bytes, sizeof key->bytes })
                            : NULL;
    return index ? e->shared_names.items[*index] : NULL;
}

void emit_share(struct emit *e, const struct shared_key *key, ref value)
{
    uint32_t *index;
    if (e->status != O2W_OK)
        return;
    struct span copy = arena_copy(e->arena, (struct span){ key->bytes, sizeof key->bytes });
    if (!copy.data || !VEC_PUSH(&e->shared_names, value)) {
        emit_keep(e, diag_memory(e->diags));
        return;
    }
    if (map_insert(&e->shared, copy, (uint32_t)e->shared_names.count - 1, &index, NULL) != O2W_OK)
        emit_keep(e, diag_memory(e->diags));
}

/* By its bits, made once. */
static ref emit_scalar(struct emit *e, const struct tensor *t, uint64_t bits)
{
    const struct shared_key key = shared_key(t->dtype, bits);
    ref name = emit_shared(e, &key);
    if (name || e->status != O2W_OK)
        return name;
    name = emit_tensor(e, t);
    emit_share(e, &key, name);
    return name;
}

ref emit_float(struct emit *e, enum dtype t, double value)
{
    uint64_t bits = 0;
    struct tensor scalar = { .dtype = t, .data = &bits };
    tensor_put_double(&scalar, 0, value);
    return emit_scalar(e, &scalar, bits);
}

ref emit_int(struct emit *e, enum dtype t, int64_t value)
{
    uint64_t bits = 0;
    struct tensor scalar = { .dtype = t, .data = &bits };
    tensor_put_i64(&scalar, 0, value);
    return emit_scalar(e, &scalar, bits);
}

ref emit_number(struct emit *e, enum dtype t, const struct webnn_number *value)
{
    uint64_t bits = 0;
    struct tensor scalar = { .dtype = t, .data = &bits };
    number_put(value, &scalar, 0);
    return emit_scalar(e, &scalar, bits);
}

ref emit_i64s(struct emit *e, const int64_t *values, uint32_t count)
{
    struct tensor t;
    if (e->status != O2W_OK)
        return NULL;
    emit_keep(e, tensor_new(e->arena, DTYPE_INT64, &(const int64_t){ count }, 1, &t));
    if (e->status != O2W_OK)
        return NULL;
    memcpy(t.data, values, count * sizeof *values);
    return emit_tensor(e, &t);
}

ref emit_u32s(struct emit *e, const uint32_t *values, uint32_t count)
{
    int64_t wide[MAX_RANK * 2];
    for (uint32_t i = 0; i < count; i++)
        wide[i] = values[i];
    return emit_i64s(e, wide, count);
}

ref emit_filled(struct emit *e, enum dtype t, const int64_t *dims, uint32_t rank, double value)
{
    struct tensor filled;
    if (e->status != O2W_OK)
        return NULL;
    emit_keep(e, tensor_new(e->arena, t, dims, rank, &filled));
    if (e->status != O2W_OK)
        return NULL;
    for (uint64_t i = 0; i < tensor_count(&filled); i++)
        tensor_put_double(&filled, i, value);
    return emit_tensor(e, &filled);
}
