/* What is said of dimensions: those without a value, and bindings without a dimension. */
#include "lower/dims_internal.h"

#include "base/number.h"
#include "base/text.h"

#include <string.h>

/* Text that grows in the arena of the messages; cut where they are cut. */
struct text {
    char bytes[4096];
    size_t size;
};

static void put(struct text *t, struct span s)
{
    size_t room = sizeof t->bytes - 1 - t->size, size = s.size < room ? s.size : room;
    memcpy(t->bytes + t->size, s.data, size);
    t->size += size;
    t->bytes[t->size] = 0;
}

static void put_shape(struct text *t, const struct onnx_type *type, const struct input_shape *shape)
{
    put(t, SPAN("["));
    for (uint32_t i = 0; i < shape->rank; i++) {
        char number[24];
        const struct onnx_dim *d = type->has_shape ? &type->dims[i] : NULL;
        put(t, i ? SPAN(", ") : SPAN(""));
        text_format(number, sizeof number, "%lld", (long long)shape->dims[i].value);
        put(t, d && d->kind == ONNX_DIM_NAMED ? d->name
               : shape->dims[i].value >= 0    ? span_of(number)
                                              : SPAN("?"));
    }
    put(t, SPAN("]"));
}

static void put_inputs(struct resolver *r, const struct dims_result *out, struct text *t)
{
    for (uint32_t i = 0; i < r->graph->input_count; i++) {
        bool open = false;
        for (uint32_t k = 0; k < out->inputs[i].rank; k++)
            open |= out->inputs[i].dims[k].value < 0;
        if (!open)
            continue;
        put(t, t->size ? SPAN("; input '") : SPAN("input '"));
        put(t, onnx_name(r->model, r->graph->inputs[i].name));
        put(t, SPAN("' "));
        put_shape(t, &r->graph->inputs[i].type, &out->inputs[i]);
    }
}

static bool needs_quotes(struct span name)
{
    for (size_t i = 0; i < name.size; i++) {
        uint8_t c = name.data[i], low = c | 0x20;
        if (!((low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') || c >= 0x80 ||
              (c && strchr("_-./:,+@%", c))))
            return true;
    }
    return false;
}

o2w_status dims_report_unresolved(struct resolver *r, const struct dims_result *out)
{
    struct text names = { .size = 0 }, places = { .size = 0 }, hint = { .size = 0 };
    size_t count = r->unresolved.count;
    for (size_t i = 0; i < count; i++) {
        struct span name = r->unresolved.items[i];
        struct span quote = needs_quotes(name) ? SPAN("'") : SPAN("");
        put(&names, i ? SPAN(", '") : SPAN("'"));
        put(&names, name);
        put(&names, SPAN("'"));
        put(&hint, i ? SPAN(" --override-dim ") : SPAN("--override-dim "));
        put(&hint, quote);
        put(&hint, name);
        put(&hint, SPAN("=N"));
        put(&hint, quote);
    }
    put_inputs(r, out, &places);
    o2w_status s = diag_error(r->diags, DIAG_DIM_UNRESOLVED, "%zu dimension%s no value: %s", count,
                              count == 1 ? " has" : "s have", names.bytes);
    diag_at(r->diags, "%s", places.bytes);
    diag_hint(r->diags, "%s; or keep them open with --experimental-dynamic-inputs", hint.bytes);
    return s;
}

static struct span nearest_name(const struct resolver *r, struct span name)
{
    struct span near = { 0 };
    size_t best = name.size / 3 + 2;
    for (size_t i = 0; i < r->names.count; i++) {
        struct span candidate = r->names.entries[i].key;
        size_t gap =
            candidate.size > name.size ? candidate.size - name.size : name.size - candidate.size;
        if (gap >= best)
            continue;
        size_t distance = text_distance(candidate, name);
        if (distance < best) {
            best = distance;
            near = candidate;
        }
    }
    return near;
}

/* Bindings of people that no dim of the model is called by. */
o2w_status dims_report_unused(struct resolver *r)
{
    for (uint32_t i = 0; i < r->bindings.count; i++) {
        const struct bound *b = &r->bindings.items[i];
        bool asked = b->binding.from == DIM_CLI || b->binding.from == DIM_SIDECAR ||
                     b->binding.from == DIM_METADATA;
        if (b->used || !asked)
            continue;
        struct span folded = name_folded(r->arena, b->binding.name);
        if (!folded.data)
            return diag_memory(r->diags);
        if (map_find(&r->folded, folded))
            continue;
        struct span near = nearest_name(r, b->binding.name);
        diag_warning(r->diags, DIAG_DIM_UNUSED, "no dimension '%.*s' in the model%s%.*s%s",
                     SPAN_ARG(b->binding.name), near.size ? ", nearest '" : "", SPAN_ARG(near),
                     near.size ? "'" : "");
    }
    return O2W_OK;
}
