/* The driver: what all operators have in common before and after their own rule. */
#include "webnn/infer.h"

#include "base/checked.h"
#include "webnn/infer/rules.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LIST = 8192, MESSAGE = 1024, DTYPE_TEXT = 256 };

static o2w_status fail_v(const struct infer *in, enum diag_code code, const char *format, va_list args)
{
    char message[MESSAGE];
    vsnprintf(message, sizeof message, format, args);
    if (in->label.size == 0)
        return diag_error(in->diags, code, "%s: %s", in->row->name, message);
    return diag_error(in->diags, code, "%s '%.*s': %s", in->row->name, SPAN_ARG(in->label), message);
}

o2w_status infer_fail(const struct infer *in, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    o2w_status status = fail_v(in, DIAG_OP_INVALID, format, args);
    va_end(args);
    return status;
}

static o2w_status fail_limits(const struct infer *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
static o2w_status fail_limits(const struct infer *in, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    o2w_status status = fail_v(in, DIAG_OP_LIMITS, format, args);
    va_end(args);
    return status;
}

const struct descriptor *infer_operand(const struct infer *in, uint32_t slot)
{
    return slot < in->operand_count ? in->operands[slot] : NULL;
}

struct descriptor *infer_result(struct infer *in, uint32_t index)
{
    struct descriptor *result = &in->results[index];
    if (index < in->result_count)
        return result;
    uint32_t row_index = index < in->row->result_count ? index : in->row->result_count - 1;
    const struct slot_row *row = &in->row->results[row_index];
    *result = (struct descriptor){ .rank = 0 };
    if (row->same_dtype_as >= 0)
        result->dtype = infer_operand(in, (uint32_t)row->same_dtype_as)->dtype;
    else
        while (!dtype_in(result->dtype, row->dtypes))
            result->dtype = (enum dtype)(result->dtype + 1);
    in->result_count = index + 1;
    return result;
}

uint32_t infer_result_count(enum webnn_operator kind, const void *attributes)
{
    const void *p = attributes != NULL ? attributes : operator_row(kind)->defaults;
    if (kind == WEBNN_SPLIT)
        return ((const struct webnn_split_attributes *)p)->splits.count;
    if (kind == WEBNN_GRU)
        return ((const struct webnn_gru_attributes *)p)->return_sequence ? 2 : 1;
    if (kind == WEBNN_LSTM)
        return ((const struct webnn_lstm_attributes *)p)->return_sequence ? 3 : 2;
    return kind == WEBNN_LSTM_CELL ? 2 : 1;
}

/* ---- operands ---- */

/* "input", or "inputs[3]" of a list. */
static const char *operand_name(const struct infer *in, uint32_t index, char text[64])
{
    uint32_t slot = index < in->row->operand_count ? index : in->row->operand_count - 1;
    const struct slot_row *row = &in->row->operands[slot];
    if (row->kind == SLOT_VARIADIC)
        snprintf(text, 64, "%s[%u]", row->name, index - slot);
    else
        snprintf(text, 64, "%s", row->name);
    return text;
}

static o2w_status check_arity(const struct infer *in)
{
    const struct operator_row *row = in->row;
    bool list = row->operands[row->operand_count - 1].kind == SLOT_VARIADIC;
    if (list && (in->operand_count < row->operand_count || in->operand_count > MAX_LIST))
        return infer_fail(in, "%u operands given, must be 1…%d", in->operand_count, MAX_LIST);
    if (!list && in->operand_count > row->operand_count)
        return infer_fail(in, "%u operands given, must be at most %u", in->operand_count, row->operand_count);
    for (uint32_t i = 0; i < row->operand_count || (list && i < in->operand_count); i++) {
        char name[64];
        bool optional = i < row->operand_count && row->operands[i].kind == SLOT_OPTIONAL;
        if (!optional && infer_operand(in, i) == NULL)
            return infer_fail(in, "%s is missing", operand_name(in, i, name));
    }
    return O2W_OK;
}

static o2w_status check_dtype(const struct infer *in, const char *name, enum dtype found, const struct slot_row *row,
                              const struct slot_limit *limit)
{
    char allowed[DTYPE_TEXT];
    if (dtype_in(found, limit->dtypes))
        return O2W_OK;
    bool narrowed = dtype_in(found, row->dtypes);
    dtype_set_text(narrowed ? limit->dtypes : row->dtypes, allowed, sizeof allowed);
    if (!narrowed)
        return infer_fail(in, "%s is %s, must be %s", name, dtype_name(found), allowed);
    return fail_limits(in, "%s is %s, %s allows %s", name, dtype_name(found), in->limits->name,
                       limit->dtypes == 0 ? "none" : allowed);
}

static o2w_status check_rank(const struct infer *in, const char *name, uint32_t found, const struct slot_row *row,
                             const struct slot_limit *limit)
{
    uint32_t max = limit->rank_max < in->limits->max_rank ? limit->rank_max : in->limits->max_rank;
    if (found >= limit->rank_min && found <= max)
        return O2W_OK;
    if (found >= row->rank_min && found <= row->rank_max)
        return fail_limits(in, "%s has rank %u, %s allows %u…%u", name, found, in->limits->name, limit->rank_min, max);
    if (row->rank_min == row->rank_max)
        return infer_fail(in, "%s has rank %u, must be %u", name, found, row->rank_min);
    return infer_fail(in, "%s has rank %u, must be %u…%u", name, found, row->rank_min, row->rank_max);
}

static o2w_status check_operand(const struct infer *in, uint32_t index)
{
    const struct operator_row *row = in->row;
    uint32_t slot = index < row->operand_count ? index : row->operand_count - 1;
    const struct slot_row *s = &row->operands[slot];
    const struct slot_limit *limit = &in->limits->operators[in->kind][slot];
    const struct descriptor *d = infer_operand(in, index);
    char name[64], other[64];
    if (d == NULL)
        return O2W_OK;
    operand_name(in, index, name);
    TRY(check_dtype(in, name, d->dtype, s, limit));
    uint32_t same = s->kind == SLOT_VARIADIC ? slot : (uint32_t)s->same_dtype_as;
    if ((s->kind == SLOT_VARIADIC || s->same_dtype_as >= 0) && d->dtype != infer_operand(in, same)->dtype)
        return infer_fail(in, "%s is %s, must be %s as %s is", name, dtype_name(d->dtype),
                          dtype_name(infer_operand(in, same)->dtype), operand_name(in, same, other));
    return check_rank(in, name, d->rank, s, limit);
}

/* ---- attributes ---- */

static bool value_in(uint32_t value, const struct attribute_row *row)
{
    return value < row->value_count;
}

static o2w_status check_enum(const struct infer *in, const struct attribute_row *row, uint32_t value)
{
    return value_in(value, row) ? O2W_OK : infer_fail(in, "%s has no value number %u", row->name, value);
}

static o2w_status check_enums(const struct infer *in, const struct attribute_row *row, const struct webnn_u32s *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        TRY(check_enum(in, row, list->items[i]));
    return O2W_OK;
}

static o2w_status check_length(const struct infer *in, const struct attribute_row *row, uint32_t count, uint32_t most)
{
    return count <= most ? O2W_OK : infer_fail(in, "%s has %u values, must have at most %u", row->name, count, most);
}

static o2w_status check_dims(const struct infer *in, const struct attribute_row *row, const struct webnn_dims *list)
{
    TRY(check_length(in, row, list->count, MAX_RANK));
    for (uint32_t i = 0; i < list->count; i++) {
        if (!dim_is_static(list->items[i]) && in->exprs == NULL)
            return infer_fail(in, "%s[%u] is open, must be a number", row->name, i);
        if (list->items[i] > INT32_MAX)
            return infer_fail(in, "%s[%u] is %" PRId64 ", must be at most 2147483647", row->name, i, list->items[i]);
    }
    return O2W_OK;
}

static o2w_status check_splits(const struct infer *in, const struct attribute_row *row,
                               const struct webnn_splits *splits)
{
    if (splits->count < 1 || splits->count > MAX_LIST)
        return infer_fail(in, "%s asks for %u parts, must be 1…%d", row->name, splits->count, MAX_LIST);
    return splits->equal || splits->items != NULL ? O2W_OK : infer_fail(in, "%s is missing", row->name);
}

/* What no rule needs to ask again: lists fit, enums exist, doubles are finite. */
static o2w_status check_attribute(const struct infer *in, const struct attribute_row *row, const void *value)
{
    switch (row->type) {
    case ATTRIBUTE_BOOL:
    case ATTRIBUTE_U32:
    case ATTRIBUTE_I32:
    case ATTRIBUTE_NUMBER: return O2W_OK;
    case ATTRIBUTE_DOUBLE:
        return isfinite(*(const double *)value) ? O2W_OK : infer_fail(in, "%s is not finite", row->name);
    case ATTRIBUTE_ENUM: return check_enum(in, row, *(const uint32_t *)value);
    case ATTRIBUTE_DTYPE:
        return *(const uint32_t *)value < DTYPE_COUNT ? O2W_OK : infer_fail(in, "%s is no data type", row->name);
    case ATTRIBUTE_U32S: return check_length(in, row, ((const struct webnn_u32s *)value)->count, MAX_RANK);
    case ATTRIBUTE_ENUMS:
        TRY(check_length(in, row, ((const struct webnn_u32s *)value)->count, MAX_RANK));
        return check_enums(in, row, value);
    case ATTRIBUTE_DOUBLES: return check_length(in, row, ((const struct webnn_doubles *)value)->count, 4);
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

static o2w_status resolve_attributes(struct infer *in, void *scratch)
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

/* ---- results ---- */

static o2w_status check_size(const struct infer *in, const char *name, const struct descriptor *d)
{
    dim least[MAX_RANK];
    char shape[SHAPE_TEXT];
    uint64_t count, bytes;
    for (uint32_t i = 0; i < d->rank; i++) {
        int64_t min, max;
        rule_bounds(in, d->dims[i], &min, &max);
        if (!dim_is_static(d->dims[i]) && !in->limits->dynamic_dims)
            return fail_limits(in, "%s.shape[%u] is open, %s allows numbers only", name, i, in->limits->name);
        if (min > INT32_MAX || max < in->limits->min_dimension)
            return infer_fail(in, "%s.shape[%u] is %" PRId64 ", must be %u…2147483647", name, i, min > 0 ? min : max,
                              in->limits->min_dimension);
        least[i] = min > 0 ? min : 0;
    }
    if (!dims_count(least, d->rank, &count) || count > in->limits->max_elements)
        return infer_fail(in, "%s of shape %s has too many elements, must be at most %" PRIu64, name,
                          rule_shape_text(in, d->dims, d->rank, shape), in->limits->max_elements);
    if (!dtype_bytes(d->dtype, count, &bytes) || bytes > in->limits->max_tensor_bytes)
        return fail_limits(in, "%s of shape %s has %" PRIu64 " elements of %s, %s allows %" PRIu64 " bytes", name,
                           rule_shape_text(in, d->dims, d->rank, shape), count, dtype_name(d->dtype), in->limits->name,
                           in->limits->max_tensor_bytes);
    return O2W_OK;
}

static o2w_status check_result(const struct infer *in, uint32_t index)
{
    const struct operator_row *row = in->row;
    uint32_t slot = index < row->result_count ? index : row->result_count - 1;
    const struct slot_limit *limit = &in->limits->operators[in->kind][row->operand_count + slot];
    const struct slot_row *s = &row->results[slot];
    const struct descriptor *d = &in->results[index];
    TRY(check_dtype(in, s->name, d->dtype, s, limit));
    TRY(check_rank(in, s->name, d->rank, s, limit));
    return check_size(in, s->name, d);
}

o2w_status infer_check_descriptor(const struct limits *limits, struct exprs *exprs, struct diags *diags,
                                  const char *what, const struct slot_limit *slot, const struct descriptor *d)
{
    static const struct slot_row any = { .dtypes = DTYPES_WEBNN, .rank_max = MAX_RANK };
    const struct operator_row row = { .name = what };
    const struct infer in = { .row = &row, .limits = limits, .exprs = exprs, .diags = diags };
    TRY(check_dtype(&in, "descriptor", d->dtype, &any, slot));
    TRY(check_rank(&in, "descriptor", d->rank, &any, slot));
    return check_size(&in, "descriptor", d);
}

static o2w_status check_kind(const struct infer *in)
{
    return in->limits->refused[in->kind] ? fail_limits(in, "%s does not have this operator", in->limits->name) : O2W_OK;
}

static void keep_first(o2w_status *first, o2w_status status)
{
    if (*first == O2W_OK)
        *first = status;
}

o2w_status infer_check_slots(const struct infer *in)
{
    o2w_status first = O2W_OK;
    TRY(check_kind(in));
    for (uint32_t i = 0; i < in->operand_count; i++)
        keep_first(&first, check_operand(in, i));
    for (uint32_t i = 0; i < in->result_count; i++)
        keep_first(&first, check_result(in, i));
    return first;
}

o2w_status infer_operator(struct infer *in, void *scratch)
{
    in->row = operator_row(in->kind);
    in->result_count = 0;
    TRY(check_kind(in));
    TRY(check_arity(in));
    for (uint32_t i = 0; i < in->operand_count; i++)
        TRY(check_operand(in, i));
    TRY(resolve_attributes(in, scratch));
    if (infer_result_count(in->kind, in->attributes) > in->result_capacity)
        return diag_error(in->diags, DIAG_INTERNAL, "%s: room for %u results, needs %u", in->row->name,
                          in->result_capacity, infer_result_count(in->kind, in->attributes));
    TRY(in->row->infer(in));
    for (uint32_t i = 0; i < in->result_count; i++)
        TRY(check_result(in, i));
    return O2W_OK;
}

/* ---- what rules are made of ---- */

o2w_status infer_axis(const struct infer *in, const char *name, uint32_t axis, uint32_t rank)
{
    return axis < rank ? O2W_OK : infer_fail(in, "%s is %u, must be below the rank %u", name, axis, rank);
}

o2w_status infer_append(struct infer *in, struct descriptor *out, const dim *dims, uint32_t count)
{
    if (count > MAX_RANK || out->rank + count > MAX_RANK)
        return infer_fail(in, "the result's rank is %u, must be at most %d", out->rank + count, MAX_RANK);
    for (uint32_t i = 0; i < count; i++)
        out->dims[out->rank++] = dims[i];
    return O2W_OK;
}

static bool floor_div(int64_t a, int64_t b, int64_t *out)
{
    *out = a / b - (a % b < 0 ? 1 : 0); /* b > 0 */
    return true;
}

static bool static_dim(enum expr_op op, int64_t a, int64_t b, int64_t *out)
{
    switch (op) {
    case EXPR_ADD: return add_i64(a, b, out);
    case EXPR_SUB: return sub_i64(a, b, out);
    case EXPR_MUL: return mul_i64(a, b, out);
    case EXPR_FLOOR_DIV: return b > 0 && floor_div(a, b, out);
    case EXPR_CEIL_DIV: return b > 0 && floor_div(a, b, out) && (*out += a % b != 0, true);
    case EXPR_MOD: return b > 0 && (*out = a % b, true);
    case EXPR_MIN: return *out = a < b ? a : b, true;
    case EXPR_MAX: return *out = a > b ? a : b, true;
    }
    return false;
}

static o2w_status expression_failed(struct infer *in, o2w_status status)
{
    if (status == O2W_NO_MEMORY)
        return diag_memory(in->diags);
    return infer_fail(in, "a dimension is too large to compute with");
}

static o2w_status open_dim(struct infer *in, enum expr_op op, dim a, dim b, dim *out)
{
    expr_id x, y, e;
    int64_t value;
    if (in->exprs == NULL)
        return infer_fail(in, "a dimension is open where numbers are needed");
    o2w_status status = dim_to_expr(in->exprs, a, &x);
    if (status == O2W_OK)
        status = dim_to_expr(in->exprs, b, &y);
    if (status == O2W_OK)
        status = expr_apply(in->exprs, op, x, y, &e);
    if (status != O2W_OK)
        return expression_failed(in, status);
    if (expr_is_number(in->exprs, e, &value) && value < 0)
        return infer_fail(in, "a dimension would be %" PRId64, value);
    *out = dim_from_expr(in->exprs, e);
    return O2W_OK;
}

o2w_status infer_dim(struct infer *in, enum expr_op op, dim a, dim b, dim *out)
{
    dim value = 0;
    if (!dim_is_static(a) || !dim_is_static(b))
        return open_dim(in, op, a, b, out);
    if (!static_dim(op, a, b, &value))
        return infer_fail(in, "a dimension is too large to compute with");
    if (value < 0)
        return infer_fail(in, "a dimension would be %" PRId64, value);
    *out = value;
    return O2W_OK;
}

o2w_status infer_same_dim(struct infer *in, const char *what, dim a, dim b)
{
    char found[DIM_TEXT], wanted[DIM_TEXT];
    struct constraint c = { .kind = in->kind };
    if (a == b)
        return O2W_OK;
    bool open = !dim_is_static(a) || !dim_is_static(b);
    if (!open || in->exprs == NULL || dim_compare(in->exprs, a, b) == EXPR_DIFFERENT)
        return infer_fail(in, "%s is %s, must be %s", what, rule_dim_text(in, a, found), rule_dim_text(in, b, wanted));
    o2w_status status = dim_to_expr(in->exprs, a, &c.a);
    if (status == O2W_OK)
        status = dim_to_expr(in->exprs, b, &c.b);
    if (status != O2W_OK)
        return expression_failed(in, status);
    return c.a == c.b || VEC_PUSH(&in->constraints, c) ? O2W_OK : diag_memory(in->diags);
}

/* Whether two dims can agree; whether they do is then a constraint. */
static bool may_agree(struct infer *in, dim a, dim b)
{
    if (dim_is_static(a) && dim_is_static(b))
        return a == b;
    return in->exprs != NULL && dim_compare(in->exprs, a, b) != EXPR_DIFFERENT;
}

o2w_status infer_broadcast(struct infer *in, const struct descriptor *a, const struct descriptor *b, struct descriptor *out)
{
    struct descriptor result = { .rank = a->rank > b->rank ? a->rank : b->rank };
    for (uint32_t i = 0; i < result.rank; i++) {
        dim x = i < result.rank - a->rank ? 1 : a->dims[i - (result.rank - a->rank)];
        dim y = i < result.rank - b->rank ? 1 : b->dims[i - (result.rank - b->rank)];
        if (x != 1 && y != 1 && !may_agree(in, x, y)) {
            char first[SHAPE_TEXT], second[SHAPE_TEXT];
            return infer_fail(in, "shapes %s and %s do not broadcast", rule_shape_text(in, a->dims, a->rank, first),
                              rule_shape_text(in, b->dims, b->rank, second));
        }
        if (x != 1 && y != 1)
            TRY(infer_same_dim(in, "a broadcast dimension", x, y));
        result.dims[i] = x == 1 || (y != 1 && dim_is_static(y)) ? y : x;
    }
    out->rank = result.rank;
    memcpy(out->dims, result.dims, sizeof out->dims);
    return O2W_OK;
}

o2w_status infer_broadcastable(struct infer *in, const char *what, const struct descriptor *from, const struct descriptor *to)
{
    bool fits = from->rank <= to->rank;
    uint32_t shift = to->rank - from->rank;
    for (uint32_t i = 0; fits && i < from->rank; i++)
        fits = from->dims[i] == 1 || may_agree(in, from->dims[i], to->dims[i + shift]);
    if (!fits) {
        char first[SHAPE_TEXT], second[SHAPE_TEXT];
        return infer_fail(in, "%s of shape %s does not broadcast to %s", what,
                          rule_shape_text(in, from->dims, from->rank, first),
                          rule_shape_text(in, to->dims, to->rank, second));
    }
    for (uint32_t i = 0; i < from->rank; i++)
        if (from->dims[i] != 1)
            TRY(infer_same_dim(in, what, from->dims[i], to->dims[i + shift]));
    return O2W_OK;
}
