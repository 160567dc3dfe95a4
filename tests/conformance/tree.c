#include "tree.h"

#include "base/file.h"
#include "base/number.h"

#include <math.h>

static o2w_status read_value(struct json_reader *r, const struct json_value *v, struct tree *out)
{
    *out = (struct tree){
        .kind = v->kind, .key = v->key, .text = v->text, .boolean = v->boolean, .line = v->line
    };
    if (v->kind == JSON_STRING || v->kind == JSON_NUMBER)
        out->text = arena_copy(r->arena, v->text);
    out->key = arena_copy(r->arena, v->key);
    if (v->kind != JSON_ARRAY && v->kind != JSON_OBJECT)
        return O2W_OK;
    VEC(struct tree) items = { 0 };
    o2w_status status;
    for (;;) {
        struct json_value item;
        struct tree child;
        status = json_next(r, &item);
        if (status != O2W_OK || item.kind == JSON_END)
            break;
        status = read_value(r, &item, &child); /* nesting is bounded by the reader */
        if (status == O2W_OK && !VEC_PUSH(&items, child))
            status = O2W_NO_MEMORY;
        if (status != O2W_OK)
            break;
    }
    if (status == O2W_OK) {
        out->count = items.count;
        out->items = ARENA_ARRAY(r->arena, items.count, struct tree);
        status = out->items == NULL ? O2W_NO_MEMORY : O2W_OK;
        for (size_t i = 0; status == O2W_OK && i < items.count; i++)
            out->items[i] = items.items[i];
    }
    VEC_FREE(&items);
    return status;
}

o2w_status tree_parse(struct span input, struct span name, struct arena *a, struct diags *d,
                      struct tree *out)
{
    struct json_reader r;
    struct json_value v;
    TRY(json_begin(&r, input, name, a, d));
    TRY(json_next(&r, &v));
    TRY(read_value(&r, &v, out));
    return json_finish(&r);
}

o2w_status tree_read(const char *path, struct arena *a, struct diags *d, struct tree *out)
{
    struct span text;
    TRY(file_read_all(path, UINT64_C(1) << 30, a, d, &text));
    return tree_parse(text, span_of(path), a, d, out);
}

const struct tree *tree_get(const struct tree *t, const char *key)
{
    for (size_t i = 0; t != NULL && t->kind == JSON_OBJECT && i < t->count; i++)
        if (span_is(t->items[i].key, key))
            return &t->items[i];
    return NULL;
}

struct span tree_text(const struct tree *t, const char *key)
{
    const struct tree *member = tree_get(t, key);
    return member != NULL && member->kind == JSON_STRING ? member->text : span_of("");
}

bool tree_double(const struct tree *t, double *out)
{
    if (t->kind != JSON_NUMBER && t->kind != JSON_STRING)
        return false;
    if (span_is(t->text, "NaN"))
        *out = (double)NAN;
    else if (span_is(t->text, "Infinity"))
        *out = (double)INFINITY;
    else if (span_is(t->text, "-Infinity"))
        *out = -(double)INFINITY;
    else
        return number_parse_double(t->text, out) == O2W_OK;
    return true;
}

static bool is_number_text(const struct tree *t)
{
    return t->kind == JSON_NUMBER || t->kind == JSON_STRING;
}

bool tree_i64(const struct tree *t, int64_t *out)
{
    return is_number_text(t) && number_parse_i64(t->text, out) == O2W_OK;
}

bool tree_u64(const struct tree *t, uint64_t *out)
{
    return is_number_text(t) && number_parse_u64(t->text, out) == O2W_OK;
}
