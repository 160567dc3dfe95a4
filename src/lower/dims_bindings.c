/* Bindings of dimensions: where they stand, and which one a name means. */
#include "lower/dims_internal.h"

#include "base/file.h"
#include "base/json.h"
#include "base/number.h"

#include <string.h>

const char *dim_source_text(enum dim_source s)
{
    static const char *const texts[] = {
        [DIM_CLI] = "cli",
        [DIM_INPUT] = "input",
        [DIM_GRAPH] = "graph",
        [DIM_RECORD] = "record",
        [DIM_SIDECAR] = "sidecar",
        [DIM_METADATA] = "metadata",
        [DIM_EXPRESSION] = "expression",
        [DIM_DEFAULT] = "default",
    };
    return texts[s];
}

/* --- names -------------------------------------------------------------------------------------- */

static uint8_t fold(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? (uint8_t)(c | 0x20) : c;
}

struct span name_folded(struct arena *a, struct span name)
{
    uint8_t *text = arena_alloc(a, name.size, 1);
    for (size_t i = 0; text && i < name.size; i++)
        text[i] = fold(name.data[i]);
    return (struct span){ text, name.size };
}

bool name_equal_folded(struct span a, struct span b)
{
    bool equal = a.size == b.size;
    for (size_t i = 0; equal && i < a.size; i++)
        equal = fold(a.data[i]) == fold(b.data[i]);
    return equal;
}

/* --- JSON --------------------------------------------------------------------------------------- */

#define OVERRIDES "freeDimensionOverrides"

struct json_source {
    struct json_reader reader;
    enum dim_source from;
    enum diag_code code;
    struct diags *diags;
    struct map seen; /* names without blanks around them */
    struct dim_binding *items;
    size_t count;
};

static o2w_status at_value(struct json_source *s, const struct json_value *v, bool key,
                           o2w_status status)
{
    diag_position(s->diags, s->reader.name, -1, key ? v->key_line : v->line,
                  key ? v->key_column : v->column);
    diag_hint(s->diags, s->from == DIM_SIDECAR
                            ? "fix the file, or give --override-dim, which replaces it"
                            : "fix the model's metadata entry '" OVERRIDES "'");
    return status;
}

static const char *shown(const struct json_value *v, struct arena *a)
{
    switch (v->kind) {
    case JSON_NUMBER: return arena_text(a, v->text);
    case JSON_STRING: return arena_printf(a, "\"%.*s\"", SPAN_ARG(v->text));
    case JSON_BOOL: return v->boolean ? "true" : "false";
    case JSON_NULL: return "null";
    case JSON_ARRAY: return "an array";
    case JSON_OBJECT: return "an object";
    case JSON_END: break;
    }
    return "the end";
}

static bool is_size(const struct json_value *v, int64_t *out)
{
    return v->kind == JSON_NUMBER && json_is_integer(v) && v->text.data[0] != '-' &&
           number_parse_i64(v->text, out) == O2W_OK && *out <= INT32_MAX;
}

static bool is_name(struct span name)
{
    bool good = name.size >= 1 && name.size <= DIM_NAME_MAX;
    for (size_t i = 0; good && i < name.size; i++)
        good = name.data[i] >= 0x20 && name.data[i] != 0x7f;
    return good;
}

static o2w_status add_member(struct json_source *s, const struct json_value *v)
{
    struct dim_binding b = { .name = span_trim(v->key), .from = s->from };
    if (!is_name(b.name))
        return at_value(s, v, true,
                        diag_error(s->diags, s->code,
                                   "name '%.*s' is not 1 to %d bytes without control characters",
                                   SPAN_ARG(b.name), DIM_NAME_MAX));
    if (!is_size(v, &b.value)) {
        const char *text = shown(v, s->reader.arena);
        return at_value(s, v, false,
                        diag_error(s->diags, s->code,
                                   "'%.*s' is %s, expected an integer from 0 to 2147483647",
                                   SPAN_ARG(b.name), text ? text : "another value"));
    }
    uint32_t *first;
    bool added;
    if (map_insert(&s->seen, b.name, 0, &first, &added) != O2W_OK)
        return diag_memory(s->diags);
    if (!added)
        return at_value(
            s, v, true,
            diag_error(s->diags, s->code, "'%.*s' stands there already", SPAN_ARG(b.name)));
    s->items[s->count++] = b;
    return O2W_OK;
}

static o2w_status read_members(struct json_source *s)
{
    struct json_value v;
    for (;;) {
        TRY(json_next(&s->reader, &v));
        if (v.kind == JSON_END)
            return O2W_OK;
        TRY(add_member(s, &v));
    }
}

static o2w_status begin(struct json_source *s, struct span text, struct span name, struct arena *a)
{
    struct json_value root;
    TRY(json_begin(&s->reader, text, name, a, s->diags));
    s->reader.syntax = s->reader.type = s->reader.duplicate = s->code;
    TRY(json_next(&s->reader, &root));
    if (root.kind == JSON_OBJECT)
        return O2W_OK;
    return at_value(s, &root, false,
                    diag_error(s->diags, s->code, "the text is not an object of names and sizes"));
}

/* Reads over the whole text: its syntax, and whether the names stand one level deeper. */
static o2w_status look_over(struct json_source *s, bool *nested, size_t *members)
{
    struct json_value v;
    *nested = false;
    for (*members = 0;; ++*members) {
        TRY(json_next(&s->reader, &v));
        if (v.kind == JSON_END)
            break;
        *nested |= v.kind == JSON_OBJECT && span_is(v.key, OVERRIDES);
        TRY(json_skip(&s->reader, &v));
    }
    return json_finish(&s->reader);
}

static o2w_status enter(struct json_source *s)
{
    struct json_value v;
    for (;;) {
        TRY(json_next(&s->reader, &v));
        if (v.kind == JSON_OBJECT && span_is(v.key, OVERRIDES))
            return O2W_OK;
        TRY(json_skip(&s->reader, &v));
    }
}

o2w_status dims_read_json(struct span text, struct span name, enum dim_source from,
                          enum diag_code code, struct arena *a, struct diags *d,
                          struct dim_binding **items, size_t *count)
{
    o2w_allocator in_arena = arena_allocator(a);
    struct json_source s = { .from = from, .code = code, .diags = d, .count = *count };
    map_init(&s.seen, &in_arena);
    bool nested;
    size_t members;
    TRY(begin(&s, text, name, a));
    TRY(look_over(&s, &nested, &members));
    TRY(begin(&s, text, name, a));
    if (nested) {
        TRY(enter(&s));
        members = text.size / 4; /* "a":1 */
    }
    s.items = ARENA_ARRAY(a, *count + members + 1, struct dim_binding);
    if (!s.items)
        return diag_memory(d);
    if (*count)
        memcpy(s.items, *items, *count * sizeof *s.items);
    TRY(read_members(&s));
    *items = s.items;
    *count = s.count;
    return O2W_OK;
}

o2w_status dims_read_sidecar(const char *model_path, struct arena *a, struct diags *d,
                             struct dim_binding **items, size_t *count)
{
    struct span path = span_of(model_path), extension = path_extension(path), text;
    size_t keep = path.size - (extension.size ? extension.size + 1 : 0);
    *items = NULL;
    *count = 0;
    char *name = arena_printf(a, "%.*s.dims.json", (int)keep, model_path);
    if (!name)
        return diag_memory(d);
    if (!path_is_file(name))
        return O2W_OK;
    TRY(file_read_all(name, 1 << 20, a, d, &text));
    return dims_read_json(text, span_of(name), DIM_SIDECAR, DIAG_DIM_SIDECAR, a, d, items, count);
}

/* --- the index ---------------------------------------------------------------------------------- */

static o2w_status add_exact(struct bindings *b, const struct dim_binding *item, uint32_t *index,
                            bool *added)
{
    uint32_t *at;
    if (map_insert(&b->exact[item->from], item->name, b->count, &at, added) != O2W_OK)
        return diag_memory(b->diags);
    *index = *at;
    if (*added) {
        b->items[b->count++] = (struct bound){ .binding = *item, .rival = NO_RIVAL };
        return O2W_OK;
    }
    struct dim_binding *old = &b->items[*at].binding;
    if (old->value != item->value)
        diag_warning(b->diags, DIAG_DIM_DUPLICATE,
                     "'%.*s' is given as %lld and %lld, the last holds", SPAN_ARG(item->name),
                     (long long)old->value, (long long)item->value);
    old->value = item->value;
    return O2W_OK;
}

static o2w_status add_binding(struct bindings *b, const struct dim_binding *item)
{
    uint32_t index = 0, *first;
    bool added, fresh;
    TRY(add_exact(b, item, &index, &added));
    if (!added)
        return O2W_OK;
    struct span folded = name_folded(b->arena, item->name);
    if (!folded.data || map_insert(&b->folded[item->from], folded, index, &first, &fresh) != O2W_OK)
        return diag_memory(b->diags);
    if (!fresh)
        b->items[*first].rival = index;
    return O2W_OK;
}

/* Entries of the model's metadata, as bindings. */
static o2w_status read_metadata(const struct onnx_model *m, struct arena *a, struct diags *d,
                                struct dim_binding **items, size_t *count)
{
    for (uint32_t i = 0; i < m->metadata_count; i++)
        if (name_equal_folded(m->metadata[i].key, SPAN(OVERRIDES)))
            TRY(dims_read_json(m->metadata[i].value, SPAN("metadata " OVERRIDES), DIM_METADATA,
                               DIAG_DIM_METADATA, a, d, items, count));
    return O2W_OK;
}

static o2w_status fill(struct bindings *b, const struct dims_request *request,
                       const struct dim_binding *metadata, size_t metadata_count)
{
    bool cli = false;
    b->items = ARENA_ARRAY(b->arena, request->count + metadata_count + 1, struct bound);
    if (!b->items)
        return diag_memory(b->diags);
    for (size_t i = 0; i < request->count; i++)
        cli |= request->bindings[i].from == DIM_CLI;
    for (size_t i = 0; i < request->count; i++)
        if ((int)request->bindings[i].from < DIM_BOUND_SOURCES &&
            !(cli && request->bindings[i].from == DIM_SIDECAR))
            TRY(add_binding(b, &request->bindings[i]));
    for (size_t i = 0; i < metadata_count; i++)
        TRY(add_binding(b, &metadata[i]));
    return O2W_OK;
}

o2w_status bindings_init(struct bindings *b, const struct onnx_model *m,
                         const struct dims_request *request, struct arena *a, struct diags *d)
{
    struct dim_binding *metadata = NULL;
    size_t metadata_count = 0;
    *b = (struct bindings){ .arena = a, .diags = d };
    for (int i = 0; i < DIM_BOUND_SOURCES; i++) {
        map_init(&b->exact[i], a->allocator);
        map_init(&b->folded[i], a->allocator);
    }
    if (request->metadata)
        TRY(read_metadata(m, a, d, &metadata, &metadata_count));
    return fill(b, request, metadata, metadata_count);
}

void bindings_free(struct bindings *b)
{
    for (int i = 0; i < DIM_BOUND_SOURCES; i++) {
        map_free(&b->exact[i]);
        map_free(&b->folded[i]);
    }
}

static o2w_status ambiguous(struct bindings *b, struct span name, const struct bound *one)
{
    o2w_status s = diag_error(
        b->diags, DIAG_DIM_AMBIGUOUS, "dimension '%.*s' is meant by '%.*s' and by '%.*s'",
        SPAN_ARG(name), SPAN_ARG(one->binding.name), SPAN_ARG(b->items[one->rival].binding.name));
    diag_hint(b->diags, "write the name as the model does");
    return s;
}

o2w_status bindings_find(struct bindings *b, enum dim_source from, struct span name,
                         const struct dim_binding **out)
{
    *out = NULL;
    if (b->exact[from].count == 0)
        return O2W_OK;
    const uint32_t *at = map_find(&b->exact[from], name);
    if (!at) {
        struct span folded = name_folded(b->arena, name);
        if (!folded.data)
            return diag_memory(b->diags);
        at = map_find(&b->folded[from], folded);
        if (at && b->items[*at].rival != NO_RIVAL)
            return ambiguous(b, name, &b->items[*at]);
    }
    if (!at)
        return O2W_OK;
    b->items[*at].used = true;
    *out = &b->items[*at].binding;
    return O2W_OK;
}
