/* Values of options as attributes, by the attribute rows alone. */
#include "base/number.h"
#include "base/text.h"
#include "format/call.h"

#include <float.h>
#include <math.h>

enum { MAX_PARTS = 8192 };

bool argument_is_absent(const struct argument *a, bool empty_is_absent)
{
    const struct doc_value *v = a->value;
    return v->kind == DOC_NULL || (v->kind == DOC_STRING && v->size == 0) ||
           (empty_is_absent && v->kind == DOC_ARRAY && v->size == 0);
}

/* ---- single values ---- */

static bool is_text(const struct doc_value *v)
{
    return v->kind == DOC_STRING || v->kind == DOC_WORD;
}

/* The value is an integer literal; its number may still be too large. */
static bool is_integer(const struct doc_value *v)
{
    return v->kind == DOC_NUMBER && doc_is_integer(doc_text(v));
}

static o2w_status integer(const struct call *c, const struct argument *a, const struct doc_value *v,
                          int64_t min, int64_t max, int64_t *out)
{
    if (!is_integer(v))
        return call_wrong_type(c, a, a->value == v ? "an integer" : "an array of integers");
    if (number_parse_i64(doc_text(v), out) != O2W_OK || *out < min || *out > max)
        return call_wrong_value(c, a, "integers from %lld to %lld", (long long)min, (long long)max);
    return O2W_OK;
}

o2w_status call_read_integer(const struct call *c, const struct argument *a, int64_t min,
                             int64_t max, int64_t *out)
{
    return integer(c, a, a->value, min, max, out);
}

static o2w_status u32(const struct call *c, const struct argument *a, const struct doc_value *v,
                      uint32_t *out)
{
    int64_t value = 0;
    TRY(integer(c, a, v, 0, UINT32_MAX, &value));
    *out = (uint32_t)value;
    return O2W_OK;
}

static o2w_status real(const struct call *c, const struct argument *a, const struct doc_value *v,
                       double *out)
{
    if (v->kind != DOC_NUMBER)
        return call_wrong_type(c, a, a->value == v ? "a number" : "an array of numbers");
    *out = doc_double(doc_text(v));
    return O2W_OK;
}

static o2w_status number(const struct call *c, const struct argument *a, struct webnn_number *out)
{
    struct span text = doc_text(a->value);
    if (!is_integer(a->value)) {
        out->kind = WEBNN_NUMBER_DOUBLE;
        TRY(real(c, a, a->value, &out->d));
        if (fabs(out->d) ==
            DBL_MAX) /* how the writer spells infinity: no type can tell them apart */
            out->d = out->d < 0 ? -INFINITY : INFINITY;
        return O2W_OK;
    }
    out->kind = WEBNN_NUMBER_INT;
    if (number_parse_i64(text, &out->i) == O2W_OK)
        return O2W_OK;
    out->kind = WEBNN_NUMBER_UINT;
    return number_parse_u64(text, &out->u) == O2W_OK ? O2W_OK
                                                     : call_wrong_type(c, a, "a number of 64 bits");
}

static o2w_status enumerator(const struct call *c, const struct attribute_row *row,
                             const struct argument *a, const struct doc_value *v, uint32_t *out)
{
    char allowed[256] = "";
    size_t at = 0;
    if (!is_text(v))
        return call_wrong_type(c, a, a->value == v ? "a string" : "an array of strings");
    for (uint32_t i = 0; i < row->value_count; i++) {
        if (span_is(doc_text(v), row->values[i])) {
            *out = i;
            return O2W_OK;
        }
        at += (size_t)text_format(allowed + at, sizeof allowed - at, "%s'%s'", i ? ", " : "",
                                  row->values[i]);
    }
    return call_wrong_value(c, a, "%s", allowed);
}

static o2w_status data_type(const struct call *c, const struct argument *a, uint32_t *out)
{
    enum dtype t;
    char allowed[256];
    if (!is_text(a->value))
        return call_wrong_type(c, a, "a string");
    if (!dtype_by_name(doc_text(a->value), &t) || !dtype_in(t, DTYPES_WEBNN)) {
        dtype_set_text(DTYPES_WEBNN, allowed, sizeof allowed);
        return call_wrong_value(c, a, "%s", allowed);
    }
    *out = (uint32_t)t;
    return O2W_OK;
}

static o2w_status boolean(const struct call *c, const struct argument *a, bool *out)
{
    if (a->value->kind != DOC_TRUE && a->value->kind != DOC_FALSE)
        return call_wrong_type(c, a, "a boolean");
    *out = a->value->kind == DOC_TRUE;
    return O2W_OK;
}

/* ---- lists ---- */

static o2w_status begin_list(const struct call *c, const struct argument *a, const char *wanted,
                             uint32_t capacity, uint32_t *count)
{
    if (a->value->kind != DOC_ARRAY)
        return call_wrong_type(c, a, wanted);
    if (a->value->size > capacity)
        return call_wrong_value(c, a, "at most %u items", capacity);
    *count = a->value->size;
    return O2W_OK;
}

o2w_status call_read_integers(const struct call *c, const struct argument *a, int64_t min,
                              int64_t max, int64_t *items, uint32_t capacity, uint32_t *count)
{
    TRY(begin_list(c, a, "an array of integers", capacity, count));
    const struct doc_value *v = a->value + 1;
    for (uint32_t i = 0; i < *count; i++, v = doc_next(v))
        TRY(integer(c, a, v, min, max, &items[i]));
    return O2W_OK;
}

static o2w_status read_u32s(const struct call *c, const struct argument *a, struct webnn_u32s *out)
{
    struct webnn_u32s list = { .given = true };
    TRY(begin_list(c, a, "an array of integers", WEBNN_MAX_RANK, &list.count));
    const struct doc_value *v = a->value + 1;
    for (uint32_t i = 0; i < list.count; i++, v = doc_next(v))
        TRY(u32(c, a, v, &list.items[i]));
    *out = list;
    return O2W_OK;
}

static o2w_status read_enumerators(const struct call *c, const struct attribute_row *row,
                                   const struct argument *a, struct webnn_u32s *out)
{
    struct webnn_u32s list = { .given = true };
    TRY(begin_list(c, a, "an array of strings", WEBNN_MAX_RANK, &list.count));
    const struct doc_value *v = a->value + 1;
    for (uint32_t i = 0; i < list.count; i++, v = doc_next(v))
        TRY(enumerator(c, row, a, v, &list.items[i]));
    *out = list;
    return O2W_OK;
}

static o2w_status read_doubles(const struct call *c, const struct argument *a,
                               struct webnn_doubles *out)
{
    struct webnn_doubles list = { .given = true };
    TRY(begin_list(c, a, "an array of numbers", sizeof list.items / sizeof list.items[0],
                   &list.count));
    const struct doc_value *v = a->value + 1;
    for (uint32_t i = 0; i < list.count; i++, v = doc_next(v))
        TRY(real(c, a, v, &list.items[i]));
    *out = list;
    return O2W_OK;
}

/* {"maxSize": m, "name": "expression"} */
static o2w_status dynamic_size(const struct call *c, const struct argument *a,
                               const struct doc_value *v, int64_t *out)
{
    const struct doc_value *key = v + 1, *name = NULL, *max = NULL;
    for (uint32_t i = 0; i < v->size; i++, key = doc_next(key + 1)) {
        if (span_is(doc_text(key), "name") && is_text(key + 1))
            name = key + 1;
        else if (span_is(doc_text(key), "maxSize") && is_integer(key + 1))
            max = key + 1;
    }
    int64_t size;
    if (!name || !max || number_parse_i64(doc_text(max), &size) != O2W_OK || size < 1 ||
        size > LIMIT_DIM)
        return call_wrong_type(c, a, "an array of integers and of {\"maxSize\":m,\"name\":\"n\"}");
    return call_at(c, a->place, loader_dim(c->loader, a->place, size, doc_text(name), out));
}

static o2w_status read_sizes(const struct call *c, const struct argument *a, struct webnn_dims *out)
{
    struct webnn_dims list = { .given = true };
    TRY(begin_list(c, a, "an array of integers and of {\"maxSize\":m,\"name\":\"n\"}",
                   WEBNN_MAX_RANK, &list.count));
    const struct doc_value *v = a->value + 1;
    for (uint32_t i = 0; i < list.count; i++, v = doc_next(v)) {
        if (v->kind == DOC_OBJECT)
            TRY(dynamic_size(c, a, v, &list.items[i]));
        else
            TRY(integer(c, a, v, 0, LIMIT_DIM, &list.items[i]));
    }
    *out = list;
    return O2W_OK;
}

static o2w_status read_splits(const struct call *c, const struct argument *a,
                              struct webnn_splits *out)
{
    struct webnn_splits splits = { .equal = a->value->kind != DOC_ARRAY };
    if (splits.equal) {
        if (!is_integer(a->value))
            return call_wrong_type(c, a, "an integer or an array of integers");
        int64_t count = 0;
        TRY(call_read_integer(c, a, 1, MAX_PARTS, &count));
        splits.count = (uint32_t)count;
    } else {
        TRY(begin_list(c, a, "an array of integers", MAX_PARTS, &splits.count));
        uint32_t *items = ARENA_ARRAY(c->loader->arena, splits.count, uint32_t);
        if (!items)
            return diag_memory(c->loader->diags);
        const struct doc_value *v = a->value + 1;
        for (uint32_t i = 0; i < splits.count; i++, v = doc_next(v))
            TRY(u32(c, a, v, &items[i]));
        splits.items = items;
    }
    *out = splits;
    return O2W_OK;
}

o2w_status call_read_attribute(struct call *c, const struct attribute_row *row,
                               const struct argument *a)
{
    void *to = c->attributes + row->offset;
    switch (row->type) {
    case ATTRIBUTE_BOOL: return boolean(c, a, to);
    case ATTRIBUTE_U32: return u32(c, a, a->value, to);
    case ATTRIBUTE_I32: {
        int64_t value = 0;
        TRY(call_read_integer(c, a, INT32_MIN, INT32_MAX, &value));
        *(int32_t *)to = (int32_t)value;
        return O2W_OK;
    }
    case ATTRIBUTE_DOUBLE: return real(c, a, a->value, to);
    case ATTRIBUTE_NUMBER: return number(c, a, to);
    case ATTRIBUTE_ENUM: return enumerator(c, row, a, a->value, to);
    case ATTRIBUTE_DTYPE: return data_type(c, a, to);
    case ATTRIBUTE_U32S: return read_u32s(c, a, to);
    case ATTRIBUTE_ENUMS: return read_enumerators(c, row, a, to);
    case ATTRIBUTE_DOUBLES: return read_doubles(c, a, to);
    case ATTRIBUTE_DIMS: return read_sizes(c, a, to);
    case ATTRIBUTE_SPLITS: return read_splits(c, a, to);
    }
    return O2W_INTERNAL;
}
