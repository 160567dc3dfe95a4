/* The summary as text and as JSON. */
#include "convert/inspect.h"

#include "base/checked.h"
#include "base/text.h"

#include <string.h>

enum { TOP_CONSTANTS = 10 };

typedef unsigned long long ull;

struct out {
    struct arena *arena;
    VEC(char) text;
    bool failed;
};

static void put(struct out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct out *o, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(o->arena, format, args);
    va_end(args);
    size_t size = text ? strlen(text) : 0;
    if (!text || !VEC_RESERVE(&o->text, size + 1)) {
        o->failed = true;
        return;
    }
    memcpy(o->text.items + o->text.count, text, size);
    o->text.count += size;
}

static size_t shown(const struct inspect_summary *s, bool all)
{
    return all || s->constants.count < TOP_CONSTANTS ? s->constants.count : TOP_CONSTANTS;
}

static struct inspect_count sum_of(const inspect_counts *list)
{
    struct inspect_count sum = { 0 };
    for (size_t i = 0; i < list->count; i++) {
        sum.count += list->items[i].count;
        if (!add_u64(sum.bytes, list->items[i].bytes, &sum.bytes))
            sum.bytes = UINT64_MAX;
    }
    return sum;
}

/* --- text --------------------------------------------------------------------------------------------------- */

static void put_file(struct out *o, const struct inspect_summary *s)
{
    put(o, "file: %s\n  kind: %s\n  bytes: %llu\n", s->path, s->kind, (ull)s->bytes);
    if (s->ir_version)
        put(o, "  IR version: %lld\n  producer: %s\n", (long long)s->ir_version,
            s->producer && *s->producer ? s->producer : "-");
    put(o, "opsets:%s\n", s->opsets.count ? "" : " none");
    for (size_t i = 0; i < s->opsets.count; i++)
        put(o, "  %s: %llu\n", s->opsets.items[i].key, (ull)s->opsets.items[i].count);
}

static void put_ports(struct out *o, const char *key, const inspect_ports *list)
{
    put(o, "%s:%s\n", key, list->count ? "" : " none");
    for (size_t i = 0; i < list->count; i++)
        put(o, "  %s: %s %s%s\n", list->items[i].name, list->items[i].type, list->items[i].dims,
            list->items[i].has_default ? " default" : "");
}

static void put_lists(struct out *o, const struct inspect_summary *s)
{
    put(o, "dims:%s\n", s->dims.count ? "" : " none");
    for (size_t i = 0; i < s->dims.count; i++)
        if (s->dims.items[i].from)
            put(o, "  %s: %lld (%s)\n", s->dims.items[i].name, (long long)s->dims.items[i].value,
                s->dims.items[i].from);
        else
            put(o, "  %s: unresolved\n", s->dims.items[i].name);
    put(o, "operators:%s\n", s->histogram.count ? "" : " none");
    for (size_t i = 0; i < s->histogram.count; i++)
        put(o, "  %s: %llu\n", s->histogram.items[i].key, (ull)s->histogram.items[i].count);
    put(o, "unsupported:%s\n", s->unsupported.count ? "" : " none");
    for (size_t i = 0; i < s->unsupported.count; i++) {
        const o2w_unsupported *u = &s->unsupported.items[i];
        put(o, "  %s (%s %lld): %llu, first '%s': %s\n", u->name, u->domain, (long long)u->opset,
            (ull)u->count, u->nodes[0], u->reason);
    }
    put(o, "functions:%s\n", s->functions.count ? "" : " none");
    for (size_t i = 0; i < s->functions.count; i++)
        put(o, "  %s\n", s->functions.items[i]);
}

static void put_external(struct out *o, const struct inspect_file *f)
{
    if (!f->found)
        put(o, "  external %s: missing\n", f->path);
    else if (f->bytes < f->needed)
        put(o, "  external %s: %llu bytes, %llu needed\n", f->path, (ull)f->bytes, (ull)f->needed);
    else
        put(o, "  external %s: %llu bytes\n", f->path, (ull)f->bytes);
}

static void put_weights(struct out *o, const struct inspect_summary *s, bool all)
{
    const inspect_counts *list = &s->weights;
    struct inspect_count sum = sum_of(list);
    put(o, "weights: %llu, %llu bytes\n", (ull)sum.count, (ull)sum.bytes);
    for (size_t i = 0; i < list->count; i++)
        put(o, "  %s: %llu, %llu bytes\n", list->items[i].key, (ull)list->items[i].count,
            (ull)list->items[i].bytes);
    for (size_t i = 0; i < s->external.count; i++)
        put_external(o, &s->external.items[i]);
    for (size_t i = 0; i < shown(s, all); i++)
        put(o, "  %s: %s %s, %llu bytes\n", s->constants.items[i].name, s->constants.items[i].type,
            s->constants.items[i].dims, (ull)s->constants.items[i].bytes);
}

static void put_tail(struct out *o, const struct inspect_summary *s)
{
    if (s->has_memory)
        put(o,
            "memory:\n  weights: %llu bytes\n  largest activation: %llu bytes\n"
            "  peak of live activations: %llu bytes\n",
            (ull)s->weight_bytes, (ull)s->largest_activation, (ull)s->peak_activations);
    else
        put(o, "memory: %s\n", s->obstacle ? s->obstacle : "unknown");
    if (s->backend && !s->judged)
        put(o, "backend: %s, not judged: %s\n", s->backend, s->obstacle ? s->obstacle : "unknown");
    else if (s->backend)
        put(o, "backend: %s%s\n", s->backend, s->refused.count ? " refuses" : " accepts all of it");
    for (size_t i = 0; i < s->refused.count; i++)
        put(o, "  %s\n", s->refused.items[i]);
    if (s->nodes.count)
        put(o, "nodes:\n");
    for (size_t i = 0; i < s->nodes.count; i++) {
        const struct inspect_node *n = &s->nodes.items[i];
        put(o, "  %llu %s '%s': %s -> %s\n", (ull)n->index, n->op, n->name, n->inputs, n->outputs);
    }
}

char *inspect_print_text(const struct inspect_summary *s, bool all_constants)
{
    struct out o = { .arena = s->arena };
    put_file(&o, s);
    put_ports(&o, "inputs", &s->inputs);
    put_ports(&o, "outputs", &s->outputs);
    put_lists(&o, s);
    put_weights(&o, s, all_constants);
    put_tail(&o, s);
    struct span all = { (const uint8_t *)o.text.items, o.text.count };
    char *text = o.failed ? NULL : arena_text(s->arena, all);
    VEC_FREE(&o.text);
    return text;
}

/* --- JSON --------------------------------------------------------------------------------------------------- */

static void json_pair(struct json_writer *w, const char *key, const char *text)
{
    json_key(w, key);
    json_put_text(w, text);
}

static void json_number(struct json_writer *w, const char *key, uint64_t v)
{
    json_key(w, key);
    json_put_u64(w, v);
}

static void json_ports(struct json_writer *w, const char *key, const inspect_ports *list)
{
    json_key(w, key);
    json_open(w, '[');
    for (size_t i = 0; i < list->count; i++) {
        json_open(w, '{');
        json_pair(w, "name", list->items[i].name);
        json_pair(w, "dataType", list->items[i].type);
        json_key(w, "shape");
        json_put_raw(w, span_of(list->items[i].shape));
        json_key(w, "default");
        json_put_bool(w, list->items[i].has_default);
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void json_dims(struct json_writer *w, const struct inspect_summary *s)
{
    json_key(w, "dims");
    json_open(w, '[');
    for (size_t i = 0; i < s->dims.count; i++) {
        json_open(w, '{');
        json_pair(w, "name", s->dims.items[i].name);
        json_key(w, "value");
        if (s->dims.items[i].from)
            json_put_i64(w, s->dims.items[i].value);
        else
            json_put_null(w);
        json_pair(w, "from", s->dims.items[i].from);
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void json_histogram(struct json_writer *w, const struct inspect_summary *s)
{
    json_key(w, "histogram");
    json_open(w, '[');
    for (size_t i = 0; i < s->histogram.count; i++) {
        json_open(w, '{');
        json_pair(w, "operator", s->histogram.items[i].key);
        json_number(w, "count", s->histogram.items[i].count);
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void json_unsupported(struct json_writer *w, const o2w_unsupported *u)
{
    json_open(w, '{');
    json_pair(w, "domain", u->domain);
    json_pair(w, "operator", u->name);
    json_key(w, "opset");
    json_put_i64(w, u->opset);
    json_number(w, "count", u->count);
    json_key(w, "nodes");
    json_open(w, '[');
    for (size_t i = 0; i < u->node_count; i++)
        json_put_text(w, u->nodes[i]);
    json_close(w, ']');
    json_pair(w, "reason", u->reason);
    json_close(w, '}');
}

static void json_texts(struct json_writer *w, const char *key, const inspect_texts *list)
{
    json_key(w, key);
    json_open(w, '[');
    for (size_t i = 0; i < list->count; i++)
        json_put_text(w, list->items[i]);
    json_close(w, ']');
}

static void json_external(struct json_writer *w, const struct inspect_summary *s)
{
    json_key(w, "external");
    json_open(w, '[');
    for (size_t i = 0; i < s->external.count; i++) {
        const struct inspect_file *f = &s->external.items[i];
        json_open(w, '{');
        json_pair(w, "path", f->path);
        json_pair(w, "status", !f->found ? "missing" : f->bytes < f->needed ? "short" : "found");
        json_key(w, "bytes");
        if (f->found)
            json_put_u64(w, f->bytes);
        else
            json_put_null(w);
        json_number(w, "needed", f->needed);
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void json_weights(struct json_writer *w, const struct inspect_summary *s, bool all)
{
    const inspect_counts *list = &s->weights;
    struct inspect_count sum = sum_of(list);
    json_key(w, "weights");
    json_open(w, '{');
    json_number(w, "count", sum.count);
    json_number(w, "bytes", sum.bytes);
    json_key(w, "byDataType");
    json_open(w, '{');
    for (size_t i = 0; i < list->count; i++)
        json_number(w, list->items[i].key, list->items[i].bytes);
    json_close(w, '}');
    json_external(w, s);
    json_key(w, "largest");
    json_open(w, '[');
    for (size_t i = 0; i < shown(s, all); i++) {
        json_open(w, '{');
        json_pair(w, "name", s->constants.items[i].name);
        json_pair(w, "dataType", s->constants.items[i].type);
        json_key(w, "shape");
        json_put_raw(w, span_of(s->constants.items[i].dims));
        json_number(w, "bytes", s->constants.items[i].bytes);
        json_close(w, '}');
    }
    json_close(w, ']');
    json_close(w, '}');
}

static void json_tail(struct json_writer *w, const struct inspect_summary *s)
{
    json_key(w, "memory");
    if (s->has_memory) {
        json_open(w, '{');
        json_number(w, "weightBytes", s->weight_bytes);
        json_number(w, "peakActivationBytes", s->peak_activations);
        json_number(w, "largestActivationBytes", s->largest_activation);
        json_close(w, '}');
    } else {
        json_put_null(w);
    }
    json_key(w, "backend");
    if (!s->backend) {
        json_put_null(w);
        return;
    }
    json_open(w, '{');
    json_pair(w, "id", s->backend);
    json_texts(w, "refused", &s->refused);
    json_pair(w, "notJudged", s->judged ? NULL : s->obstacle);
    json_close(w, '}');
}

static void json_nodes(struct json_writer *w, const struct inspect_summary *s)
{
    json_key(w, "nodes");
    json_open(w, '[');
    for (size_t i = 0; i < s->nodes.count; i++) {
        const struct inspect_node *n = &s->nodes.items[i];
        json_open(w, '{');
        json_number(w, "index", n->index);
        json_pair(w, "operator", n->op);
        json_pair(w, "name", n->name);
        json_pair(w, "inputs", n->inputs);
        json_pair(w, "outputs", n->outputs);
        json_close(w, '}');
    }
    json_close(w, ']');
}

o2w_status inspect_print_json(const struct inspect_summary *s, bool all_constants, bool nodes,
                              struct json_writer *w)
{
    struct span text;
    json_open(w, '{');
    json_pair(w, "kind", s->kind);
    json_number(w, "bytes", s->bytes);
    json_key(w, "irVersion");
    if (s->ir_version)
        json_put_i64(w, s->ir_version);
    else
        json_put_null(w);
    json_pair(w, "producer", s->ir_version ? s->producer : NULL);
    json_key(w, "opsets");
    json_open(w, '{');
    for (size_t i = 0; i < s->opsets.count; i++)
        json_number(w, s->opsets.items[i].key, s->opsets.items[i].count);
    json_close(w, '}');
    json_ports(w, "inputs", &s->inputs);
    json_ports(w, "outputs", &s->outputs);
    json_dims(w, s);
    json_histogram(w, s);
    json_key(w, "unsupported");
    json_open(w, '[');
    for (size_t i = 0; i < s->unsupported.count; i++)
        json_unsupported(w, &s->unsupported.items[i]);
    json_close(w, ']');
    json_texts(w, "functions", &s->functions);
    json_weights(w, s, all_constants);
    json_tail(w, s);
    if (nodes)
        json_nodes(w, s);
    json_close(w, '}');
    return json_written(w, &text);
}
