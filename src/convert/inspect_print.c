/* The summary as text and as JSON. */
#include "convert/inspect.h"

#include "base/text.h"

#include <string.h>

enum { TOP_CONSTANTS = 10 };

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

static void put_ports(struct out *o, const char *key, const inspect_ports *list)
{
    put(o, "%s:%s\n", key, list->count ? "" : " none");
    for (size_t i = 0; i < list->count; i++)
        put(o, "  %s %s %s%s\n", list->items[i].name, list->items[i].type, list->items[i].dims,
            list->items[i].has_default ? " default" : "");
}

static void put_weights(struct out *o, const struct inspect_summary *s, bool all)
{
    uint64_t count = 0, bytes = 0;
    for (size_t i = 0; i < s->weights.count; i++) {
        count += s->weights.items[i].count;
        bytes += s->weights.items[i].bytes;
    }
    put(o, "weights: %llu, %llu bytes\n", (unsigned long long)count, (unsigned long long)bytes);
    for (size_t i = 0; i < s->weights.count; i++)
        put(o, "  %s: %llu, %llu bytes\n", s->weights.items[i].key,
            (unsigned long long)s->weights.items[i].count,
            (unsigned long long)s->weights.items[i].bytes);
    for (size_t i = 0; i < s->external.count; i++)
        put(o, "  external %s: %s\n", s->external.items[i].first, s->external.items[i].second);
    for (size_t i = 0; i < shown(s, all); i++)
        put(o, "  %s %s %s %llu bytes\n", s->constants.items[i].name, s->constants.items[i].type,
            s->constants.items[i].dims, (unsigned long long)s->constants.items[i].bytes);
}

static void put_lists(struct out *o, const struct inspect_summary *s)
{
    put(o, "dims:%s\n", s->dims.count ? "" : " none");
    for (size_t i = 0; i < s->dims.count; i++)
        put(o, "  %s %s %s\n", s->dims.items[i].first, s->dims.items[i].second,
            s->dims.items[i].third);
    put(o, "operators:%s\n", s->histogram.count ? "" : " none");
    for (size_t i = 0; i < s->histogram.count; i++)
        put(o, "  %s %llu\n", s->histogram.items[i].key,
            (unsigned long long)s->histogram.items[i].count);
    put(o, "unsupported:%s\n", s->unsupported.count ? "" : " none");
    for (size_t i = 0; i < s->unsupported.count; i++)
        put(o, "  %s, %llu, first '%s': %s\n", s->unsupported.items[i].first,
            (unsigned long long)s->unsupported.items[i].number, s->unsupported.items[i].second,
            s->unsupported.items[i].third);
    put(o, "functions:%s\n", s->functions.count ? "" : " none");
    for (size_t i = 0; i < s->functions.count; i++)
        put(o, "  %s %s\n", s->functions.items[i].first, s->functions.items[i].second);
}

static void put_tail(struct out *o, const struct inspect_summary *s)
{
    if (s->has_memory)
        put(o,
            "memory: weights %llu bytes, largest activation %llu bytes, peak of live activations %llu bytes\n",
            (unsigned long long)s->weight_bytes, (unsigned long long)s->largest_activation,
            (unsigned long long)s->peak_activations);
    else
        put(o, "memory: %s\n", s->no_memory ? s->no_memory : "unknown");
    if (s->backend)
        put(o, "backend: %s%s\n", s->backend, s->refused.count ? "" : " accepts all of it");
    for (size_t i = 0; i < s->refused.count; i++)
        put(o, "  %s\n", s->refused.items[i].first);
    if (s->nodes.count)
        put(o, "nodes:\n");
    for (size_t i = 0; i < s->nodes.count; i++)
        put(o, "  %llu %s '%s' %s\n", (unsigned long long)s->nodes.items[i].number,
            s->nodes.items[i].first, s->nodes.items[i].second, s->nodes.items[i].third);
}

char *inspect_print_text(const struct inspect_summary *s, bool all_constants)
{
    struct out o = { .arena = s->arena };
    put(&o, "file: %s, %s, %llu bytes\n", s->path, s->kind, (unsigned long long)s->bytes);
    if (s->ir_version)
        put(&o, "  IR version %lld, producer %s\n", (long long)s->ir_version, s->producer);
    put(&o, "opsets:%s\n", s->opsets.count ? "" : " none");
    for (size_t i = 0; i < s->opsets.count; i++)
        put(&o, "  %s %llu\n", s->opsets.items[i].key,
            (unsigned long long)s->opsets.items[i].count);
    put_ports(&o, "inputs", &s->inputs);
    put_ports(&o, "outputs", &s->outputs);
    put_lists(&o, s);
    put_weights(&o, s, all_constants);
    put_tail(&o, s);
    char *text =
        o.failed
            ? NULL
            : arena_text(s->arena, (struct span){ (const uint8_t *)o.text.items, o.text.count });
    VEC_FREE(&o.text);
    return text;
}

/* --- JSON --------------------------------------------------------------------------------------------- */

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
        json_pair(w, "shape", list->items[i].dims);
        json_key(w, "default");
        json_put_bool(w, list->items[i].has_default);
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void json_lines(struct json_writer *w, const char *key, const inspect_lines *list,
                       const char *a, const char *b, const char *c, const char *number)
{
    json_key(w, key);
    json_open(w, '[');
    for (size_t i = 0; i < list->count; i++) {
        json_open(w, '{');
        json_pair(w, a, list->items[i].first);
        if (b)
            json_pair(w, b, list->items[i].second);
        if (c)
            json_pair(w, c, list->items[i].third);
        if (number)
            json_number(w, number, list->items[i].number);
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void json_weights(struct json_writer *w, const struct inspect_summary *s, bool all)
{
    uint64_t count = 0, bytes = 0;
    json_key(w, "weights");
    json_open(w, '{');
    for (size_t i = 0; i < s->weights.count; i++) {
        count += s->weights.items[i].count;
        bytes += s->weights.items[i].bytes;
    }
    json_number(w, "count", count);
    json_number(w, "bytes", bytes);
    json_key(w, "byDataType");
    json_open(w, '{');
    for (size_t i = 0; i < s->weights.count; i++)
        json_number(w, s->weights.items[i].key, s->weights.items[i].bytes);
    json_close(w, '}');
    json_lines(w, "external", &s->external, "path", "status", NULL, NULL);
    json_key(w, "largest");
    json_open(w, '[');
    for (size_t i = 0; i < shown(s, all); i++) {
        json_open(w, '{');
        json_pair(w, "name", s->constants.items[i].name);
        json_pair(w, "dataType", s->constants.items[i].type);
        json_pair(w, "shape", s->constants.items[i].dims);
        json_number(w, "bytes", s->constants.items[i].bytes);
        json_close(w, '}');
    }
    json_close(w, ']');
    json_close(w, '}');
}

static void json_memory(struct json_writer *w, const struct inspect_summary *s)
{
    json_key(w, "memory");
    if (s->has_memory) {
        json_open(w, '{');
        json_number(w, "weightBytes", s->weight_bytes);
        json_number(w, "largestActivationBytes", s->largest_activation);
        json_number(w, "peakActivationBytes", s->peak_activations);
        json_close(w, '}');
    } else {
        json_put_null(w);
    }
    json_key(w, "backend");
    if (s->backend) {
        json_open(w, '{');
        json_pair(w, "id", s->backend);
        json_lines(w, "refused", &s->refused, "message", NULL, NULL, NULL);
        json_close(w, '}');
    } else {
        json_put_null(w);
    }
}

o2w_status inspect_print_json(const struct inspect_summary *s, bool all_constants,
                              struct json_writer *w)
{
    struct span text;
    json_open(w, '{');
    json_pair(w, "kind", s->kind);
    json_number(w, "bytes", s->bytes);
    json_key(w, "irVersion");
    json_put_i64(w, s->ir_version);
    json_pair(w, "producer", s->producer);
    json_key(w, "opsets");
    json_open(w, '{');
    for (size_t i = 0; i < s->opsets.count; i++)
        json_number(w, s->opsets.items[i].key, s->opsets.items[i].count);
    json_close(w, '}');
    json_ports(w, "inputs", &s->inputs);
    json_ports(w, "outputs", &s->outputs);
    json_lines(w, "dims", &s->dims, "name", "value", "from", NULL);
    json_key(w, "histogram");
    json_open(w, '[');
    for (size_t i = 0; i < s->histogram.count; i++) {
        json_open(w, '{');
        json_pair(w, "operator", s->histogram.items[i].key);
        json_number(w, "count", s->histogram.items[i].count);
        json_close(w, '}');
    }
    json_close(w, ']');
    json_lines(w, "unsupported", &s->unsupported, "operator", "firstNode", "reason", "count");
    json_lines(w, "functions", &s->functions, "domain", "name", NULL, NULL);
    json_weights(w, s, all_constants);
    json_memory(w, s);
    if (s->nodes.count)
        json_lines(w, "nodes", &s->nodes, "operator", "name", "values", "index");
    json_close(w, '}');
    return json_written(w, &text);
}
