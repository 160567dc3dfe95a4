/* What all attributes have in common, before the operator's own rule looks at them. */
#include "webnn/infer/rules.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool value_in(uint32_t value, const struct attribute_row *row)
{
    return value < row->value_count;
}

static o2w_status check_enum(const struct infer *in, const struct attribute_row *row,
                             uint32_t value)
{
    return value_in(value, row) ? O2W_OK
                                : infer_fail(in, "%s has no value number %u", row->name, value);
}

static o2w_status check_enums(const struct infer *in, const struct attribute_row *row,
                              const struct webnn_u32s *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        TRY(check_enum(in, row, list->items[i]));
    return O2W_OK;
}

static o2w_status check_length(const struct infer *in, const struct attribute_row *row,
                               uint32_t count, uint32_t most)
{
    return count <= most
               ? O2W_OK
               : infer_fail(in, "%s has %u values, must have at most %u", row->name, count, most);
}

static o2w_status check_dims(const struct infer *in, const struct attribute_row *row,
                             const struct webnn_dims *list)
{
    TRY(check_length(in, row, list->count, MAX_RANK));
    for (uint32_t i = 0; i < list->count; i++) {
        if (!dim_is_static(list->items[i]) && in->exprs == NULL)
            return infer_fail(in, "%s[%u] is open, must be a number", row->name, i);
        if (list->items[i] > INT32_MAX)
            return infer_fail(in, "%s[%u] is %" PRId64 ", must be at most 2147483647", row->name, i,
                              list->items[i]);
    }
    return O2W_OK;
}

static o2w_status check_splits(const struct infer *in, const struct attribute_row *row,
                               const struct webnn_splits *splits)
{
    if (splits->count < 1 || splits->count > MAX_LIST)
        return infer_fail(in, "%s asks for %u parts, must be 1…%d", row->name, splits->count,
                          MAX_LIST);
    return splits->equal || splits->items != NULL ? O2W_OK
                                                  : infer_fail(in, "%s is missing", row->name);
}

/* What no rule needs to ask again: lists fit, enums exist, doubles are finite. */
static o2w_status check_attribute(const struct infer *in, const struct attribute_row *row,
                                  const void *value)
{
    switch (row->type) {
    case ATTRIBUTE_BOOL:
    case ATTRIBUTE_U32:
    case ATTRIBUTE_I32:
    case ATTRIBUTE_NUMBER: return O2W_OK;
    case ATTRIBUTE_DOUBLE:
        return isfinite(*(const double *)value) ? O2W_OK
                                                : infer_fail(in, "%s is not finite", row->name);
    case ATTRIBUTE_ENUM: return check_enum(in, row, *(const uint32_t *)value);
    case ATTRIBUTE_DTYPE:
        return *(const uint32_t *)value < DTYPE_COUNT
                   ? O2W_OK
                   : infer_fail(in, "%s is no data type", row->name);
    case ATTRIBUTE_U32S:
        return check_length(in, row, ((const struct webnn_u32s *)value)->count, MAX_RANK);
    case ATTRIBUTE_ENUMS:
        TRY(check_length(in, row, ((const struct webnn_u32s *)value)->count, MAX_RANK));
        return check_enums(in, row, value);
    case ATTRIBUTE_DOUBLES:
        return check_length(in, row, ((const struct webnn_doubles *)value)->count, 4);
    case ATTRIBUTE_DIMS: return check_dims(in, row, value);
    case ATTRIBUTE_SPLITS: return check_splits(in, row, value);
    }
    return infer_fail(in, "%s is of unknown type", row->name);
}

/* Whether a list is absent; other types never are. */
static bool is_absent(const struct attribute_row *row, const void *value)
{
    switch (row->type) {
    case ATTRIBUTE_U32S:
    case ATTRIBUTE_ENUMS: return !((const struct webnn_u32s *)value)->given;
    case ATTRIBUTE_DOUBLES: return !((const struct webnn_doubles *)value)->given;
    case ATTRIBUTE_DIMS: return !((const struct webnn_dims *)value)->given;
    case ATTRIBUTE_BOOL:
    case ATTRIBUTE_U32:
    case ATTRIBUTE_I32:
    case ATTRIBUTE_DOUBLE:
    case ATTRIBUTE_NUMBER:
    case ATTRIBUTE_ENUM:
    case ATTRIBUTE_DTYPE:
    case ATTRIBUTE_SPLITS: break;
    }
    return false;
}

/* Lists are the only values whose absence can be seen, so only they are taken from the defaults. */
static void copy_default(const struct attribute_row *row, const void *defaults, void *attributes)
{
    void *value = (uint8_t *)attributes + row->offset;
    const void *fallback = attribute_at(defaults, row);
    size_t size = row->type == ATTRIBUTE_DOUBLES ? sizeof(struct webnn_doubles)
                  : row->type == ATTRIBUTE_DIMS  ? sizeof(struct webnn_dims)
                                                 : sizeof(struct webnn_u32s);
    memcpy(value, fallback, size);
}

o2w_status rule_resolve(struct infer *in, void *scratch)
{
    const struct operator_row *row = in->row;
    if (row->attribute_count == 0)
        return O2W_OK;
    for (uint32_t i = 0; i < row->attribute_count && in->attributes == NULL; i++)
        if (row->attributes[i].position > 0)
            return infer_fail(in, "%s is missing", row->attributes[i].name);
    memmove(scratch, in->attributes != NULL ? in->attributes : row->defaults, row->attribute_size);
    in->attributes = scratch;
    for (uint32_t i = 0; i < row->attribute_count; i++) {
        const struct attribute_row *a = &row->attributes[i];
        const void *value = attribute_at(scratch, a);
        if (is_absent(a, value) && a->position > 0)
            return infer_fail(in, "%s is missing", a->name);
        if (is_absent(a, value))
            copy_default(a, row->defaults, scratch);
        TRY(check_attribute(in, a, value));
    }
    if (row->resolve != NULL)
        row->resolve(in, scratch);
    return O2W_OK;
}
