#include "format/json_values.h"

static o2w_status push(struct document *doc, struct json_reader *r, enum doc_kind kind,
                       struct span text, bool copy)
{
    if (copy && text.size > 0) {
        text = arena_copy(doc->arena, text);
        if (!text.data)
            return diag_memory(r->diags);
    }
    struct doc_value v = { text.data, (uint32_t)text.size, kind };
    return VEC_PUSH(&doc->values, v) ? O2W_OK : diag_memory(r->diags);
}

static o2w_status push_items(struct document *doc, struct json_reader *r, bool copy, bool object)
{
    size_t at = doc->values.count;
    struct json_value item;
    TRY(push(doc, r, object ? DOC_OBJECT : DOC_ARRAY, (struct span){ 0 }, false));
    TRY(json_next(r, &item));
    while (item.kind != JSON_END) {
        if (doc->values.items[at].size++ == LIMIT_ITEMS)
            return doc_limit(doc, r->diags, (struct place){ item.line, item.column },
                             "items of an array:", LIMIT_ITEMS + 1ull, LIMIT_ITEMS);
        if (object)
            TRY(push(doc, r, DOC_STRING, item.key, copy));
        TRY(json_push(doc, r, &item, copy));
        TRY(json_next(r, &item));
    }
    return O2W_OK;
}

o2w_status json_push(struct document *doc, struct json_reader *r, const struct json_value *v,
                     bool copy)
{
    struct place at = { v->line, v->column };
    switch (v->kind) {
    case JSON_NULL: return push(doc, r, DOC_NULL, (struct span){ 0 }, false);
    case JSON_BOOL:
        return push(doc, r, v->boolean ? DOC_TRUE : DOC_FALSE, (struct span){ 0 }, false);
    case JSON_NUMBER:
        TRY(doc_check_number(doc, r->diags, at, v->text, v->key));
        return push(doc, r, DOC_NUMBER, v->text, copy);
    case JSON_STRING:
        if (v->text.size > LIMIT_STRING)
            return doc_limit(doc, r->diags, at, "bytes of a string:", v->text.size, LIMIT_STRING);
        return push(doc, r, DOC_STRING, v->text, copy);
    case JSON_ARRAY:
    case JSON_OBJECT: return push_items(doc, r, copy, v->kind == JSON_OBJECT);
    case JSON_END: break;
    }
    return O2W_OK;
}
