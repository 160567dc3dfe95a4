#include "attributes.h"

#include <math.h>

static bool integer_in(const struct tree *t, double min, double max, double *out)
{
    double d;
    if (!tree_double(t, &d) || !isfinite(d))
        return false;
    d = trunc(d);
    *out = d;
    return d >= min && d <= max;
}

static bool u32_of(const struct tree *t, uint32_t *out)
{
    double d;
    if (t->kind != JSON_NUMBER || !integer_in(t, 0, UINT32_MAX, &d))
        return false;
    *out = (uint32_t)d;
    return true;
}

static bool number_of(const struct tree *t, struct webnn_number *out)
{
    struct webnn_number n = { .kind = WEBNN_NUMBER_NONE };
    double d;
    if (!tree_double(t, &d))
        return false;
    if (tree_i64(t, &n.i) && !(n.i == 0 && signbit(d)))
        n.kind = WEBNN_NUMBER_INT;
    else if (tree_u64(t, &n.u))
        n.kind = WEBNN_NUMBER_UINT;
    else {
        n.kind = WEBNN_NUMBER_DOUBLE;
        n.d = d;
    }
    *out = n;
    return true;
}

static bool enum_of(const struct attribute_row *row, const struct tree *t, uint32_t *out)
{
    for (uint32_t i = 0; i < row->value_count; i++)
        if (t->kind == JSON_STRING && span_is(t->text, row->values[i])) {
            *out = i;
            return true;
        }
    return false;
}

static bool u32s_of(const struct attribute_row *row, const struct tree *t, struct webnn_u32s *out)
{
    *out = (struct webnn_u32s){ .given = true, .count = (uint32_t)t->count };
    if (t->kind != JSON_ARRAY || t->count > WEBNN_MAX_RANK)
        return false;
    for (uint32_t i = 0; i < t->count; i++)
        if (!(row->type == ATTRIBUTE_ENUMS ? enum_of(row, &t->items[i], &out->items[i])
                                           : u32_of(&t->items[i], &out->items[i])))
            return false;
    return true;
}

static bool dims_of(const struct tree *t, struct webnn_dims *out)
{
    *out = (struct webnn_dims){ .given = true, .count = (uint32_t)t->count };
    if (t->kind != JSON_ARRAY || t->count > WEBNN_MAX_RANK)
        return false;
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t u;
        if (!u32_of(&t->items[i], &u))
            return false;
        out->items[i] = u;
    }
    return true;
}

static bool doubles_of(const struct tree *t, struct webnn_doubles *out)
{
    *out = (struct webnn_doubles){ .given = true, .count = (uint32_t)t->count };
    if (t->kind != JSON_ARRAY || t->count > 4)
        return false;
    for (uint32_t i = 0; i < t->count; i++)
        if (!tree_double(&t->items[i], &out->items[i]) || !isfinite(out->items[i]))
            return false;
    return true;
}

static bool splits_of(const struct tree *t, struct arena *a, struct webnn_splits *out)
{
    if (t->kind == JSON_NUMBER) {
        *out = (struct webnn_splits){ .equal = true };
        return u32_of(t, &out->count);
    }
    uint32_t *items = ARENA_ARRAY(a, t->count, uint32_t);
    *out = (struct webnn_splits){ .count = (uint32_t)t->count, .items = items };
    if (t->kind != JSON_ARRAY || items == NULL)
        return false;
    for (size_t i = 0; i < t->count; i++)
        if (!u32_of(&t->items[i], &items[i]))
            return false;
    return true;
}

static bool dtype_of(const struct tree *t, uint32_t *out)
{
    enum dtype dtype;
    if (t->kind != JSON_STRING || !dtype_by_name(t->text, &dtype))
        return false;
    *out = dtype;
    return true;
}

static bool i32_of(const struct tree *t, int32_t *out)
{
    double d;
    if (t->kind != JSON_NUMBER || !integer_in(t, INT32_MIN, INT32_MAX, &d))
        return false;
    *out = (int32_t)d;
    return true;
}

static bool value_of(const struct attribute_row *row, void *to, const struct tree *t,
                     struct arena *a)
{
    double *d = to;
    switch (row->type) {
    case ATTRIBUTE_BOOL: return *(bool *)to = t->boolean, t->kind == JSON_BOOL;
    case ATTRIBUTE_U32: return u32_of(t, to);
    case ATTRIBUTE_I32: return i32_of(t, to);
    case ATTRIBUTE_DOUBLE: return tree_double(t, d) && isfinite(*d);
    case ATTRIBUTE_NUMBER: return number_of(t, to);
    case ATTRIBUTE_ENUM: return enum_of(row, t, to);
    case ATTRIBUTE_DTYPE: return dtype_of(t, to);
    case ATTRIBUTE_U32S:
    case ATTRIBUTE_ENUMS: return u32s_of(row, t, to);
    case ATTRIBUTE_DOUBLES: return doubles_of(t, to);
    case ATTRIBUTE_DIMS: return dims_of(t, to);
    case ATTRIBUTE_SPLITS: return splits_of(t, a, to);
    }
    return false;
}

const char *attribute_from_tree(const struct attribute_row *row, void *attributes,
                                const struct tree *value, struct arena *a)
{
    return value_of(row, (uint8_t *)attributes + row->offset, value, a)
               ? NULL
               : "the value does not convert";
}

const struct attribute_row *attribute_at_position(const struct operator_row *row, uint32_t position)
{
    for (uint32_t i = 0; i < row->attribute_count; i++)
        if (row->attributes[i].position == position)
            return &row->attributes[i];
    return NULL;
}
