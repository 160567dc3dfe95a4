#include "webnn/operator.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

bool operator_by_name(struct span name, enum webnn_operator *kind)
{
    for (unsigned i = 0; i < WEBNN_OPERATOR_COUNT; i++)
        if (span_is(name, webnn_operator_rows[i].name)) {
            *kind = (enum webnn_operator)i;
            return true;
        }
    return false;
}

/* Equal but for the case of ASCII letters. */
static bool same_letters(struct span a, struct span b)
{
    for (size_t i = 0; i < a.size && i < b.size; i++) {
        uint8_t x = a.data[i], y = b.data[i];
        if (x != y && ((x ^ y) != 0x20 || (x | 0x20) < 'a' || (x | 0x20) > 'z'))
            return false;
    }
    return a.size == b.size;
}

const char *operator_nearest(struct span name)
{
    const char *nearest = NULL;
    size_t best = 4; /* farther names are not worth a question */
    if (name.size > 64)
        return NULL;
    for (unsigned i = 0; i < WEBNN_OPERATOR_COUNT; i++) {
        if (same_letters(name, span_of(webnn_operator_rows[i].name)))
            return webnn_operator_rows[i].name;
        size_t d = text_distance(name, span_of(webnn_operator_rows[i].name));
        if (d < best && d < name.size) {
            best = d;
            nearest = webnn_operator_rows[i].name;
        }
    }
    return nearest;
}

const struct attribute_row *attribute_by_name(const struct operator_row *row, struct span name)
{
    for (uint32_t i = 0; i < row->attribute_count; i++)
        if (span_is(name, row->attributes[i].name))
            return &row->attributes[i];
    return NULL;
}

/* An integer of 65 bits: sign and magnitude. */
struct wide {
    bool negative;
    uint64_t magnitude;
};

static struct wide wide_of(const struct webnn_number *n)
{
    if (n->kind == WEBNN_NUMBER_UINT)
        return (struct wide){ false, n->u };
    return (struct wide){ n->i < 0, n->i < 0 ? (uint64_t)0 - (uint64_t)n->i : (uint64_t)n->i };
}

static int compare_u64(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_wide(struct wide a, struct wide b)
{
    if (a.negative != b.negative)
        return a.negative ? -1 : 1;
    return a.negative ? compare_u64(b.magnitude, a.magnitude)
                      : compare_u64(a.magnitude, b.magnitude);
}

static int compare_double(double a, double b)
{
    if (isnan(a) || isnan(b))
        return (isnan(a) ? 1 : 0) - (isnan(b) ? 1 : 0);
    return a < b ? -1 : a > b;
}

/* An integer against a double, without rounding either. */
static int compare_mixed(struct wide a, double b)
{
    if (isnan(b) || b >= 0x1p64)
        return -1;
    if (b < -0x1p63)
        return 1;
    double whole = floor(b);
    struct wide w = { whole < 0, (uint64_t)fabs(whole) };
    int order = compare_wide(a, w);
    return order != 0 ? order : whole < b ? -1 : 0;
}

int number_compare(const struct webnn_number *a, const struct webnn_number *b)
{
    bool a_double = a->kind == WEBNN_NUMBER_DOUBLE, b_double = b->kind == WEBNN_NUMBER_DOUBLE;
    if (a_double && b_double)
        return compare_double(a->d, b->d);
    if (b_double)
        return compare_mixed(wide_of(a), b->d);
    if (a_double)
        return -compare_mixed(wide_of(b), a->d);
    return compare_wide(wide_of(a), wide_of(b));
}

void number_put(const struct webnn_number *number, struct tensor *t, uint64_t index)
{
    if (number->kind == WEBNN_NUMBER_DOUBLE) {
        tensor_put_double(t, index, number->d);
        return;
    }
    struct wide w = wide_of(number);
    if (dtype_is_integer(t->dtype)) {
        uint64_t most =
            w.negative ? (uint64_t)0 - (uint64_t)dtype_min(t->dtype) : dtype_max(t->dtype);
        w.magnitude = w.magnitude < most ? w.magnitude : most;
    }
    if (w.negative)
        tensor_put_i64(t, index, (int64_t)((uint64_t)0 - w.magnitude));
    else
        tensor_put_u64(t, index, w.magnitude);
}

static bool double_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static bool number_same(const struct webnn_number *a, const struct webnn_number *b)
{
    if (a->kind == WEBNN_NUMBER_NONE || b->kind == WEBNN_NUMBER_NONE)
        return a->kind == b->kind;
    bool minus_a = a->kind == WEBNN_NUMBER_DOUBLE && a->d == 0 && signbit(a->d);
    bool minus_b = b->kind == WEBNN_NUMBER_DOUBLE && b->d == 0 && signbit(b->d);
    return minus_a == minus_b && number_compare(a, b) == 0;
}

static bool u32s_same(const struct webnn_u32s *a, const struct webnn_u32s *b)
{
    return a->given == b->given &&
           (!a->given ||
            (a->count == b->count && memcmp(a->items, b->items, a->count * sizeof *a->items) == 0));
}

static bool doubles_same(const struct webnn_doubles *a, const struct webnn_doubles *b)
{
    if (!a->given || !b->given || a->count != b->count)
        return !a->given && !b->given;
    for (uint32_t i = 0; i < a->count; i++)
        if (!double_same(a->items[i], b->items[i]))
            return false;
    return true;
}

static bool dims_same(const struct webnn_dims *a, const struct webnn_dims *b)
{
    return a->given == b->given &&
           (!a->given ||
            (a->count == b->count && memcmp(a->items, b->items, a->count * sizeof *a->items) == 0));
}

static bool splits_same(const struct webnn_splits *a, const struct webnn_splits *b)
{
    return a->equal == b->equal && a->count == b->count &&
           (a->equal || a->count == 0 ||
            memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

bool attribute_equal(const struct attribute_row *row, const void *a, const void *b)
{
    const void *x = attribute_at(a, row), *y = attribute_at(b, row);
    switch (row->type) {
    case ATTRIBUTE_BOOL: return *(const bool *)x == *(const bool *)y;
    case ATTRIBUTE_U32:
    case ATTRIBUTE_ENUM:
    case ATTRIBUTE_DTYPE: return *(const uint32_t *)x == *(const uint32_t *)y;
    case ATTRIBUTE_I32: return *(const int32_t *)x == *(const int32_t *)y;
    case ATTRIBUTE_DOUBLE: return double_same(*(const double *)x, *(const double *)y);
    case ATTRIBUTE_NUMBER: return number_same(x, y);
    case ATTRIBUTE_U32S:
    case ATTRIBUTE_ENUMS: return u32s_same(x, y);
    case ATTRIBUTE_DOUBLES: return doubles_same(x, y);
    case ATTRIBUTE_DIMS: return dims_same(x, y);
    case ATTRIBUTE_SPLITS: return splits_same(x, y);
    }
    return false;
}
