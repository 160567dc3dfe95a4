/* The driver: what all operators have in common before and after their own rule. */
#include "webnn/infer.h"

#include "webnn/infer/rules.h"

#include <inttypes.h>
#include <stdio.h>

enum { MESSAGE = 1024, DTYPE_TEXT = 256 };

static o2w_status fail_v(const struct infer *in, enum diag_code code, const char *format,
                         va_list args)
{
    char message[MESSAGE];
    vsnprintf(message, sizeof message, format, args);
    if (in->label.size == 0)
        return diag_error(in->diags, code, "%s: %s", in->row->name, message);
    return diag_error(in->diags, code, "%s '%.*s': %s", in->row->name, SPAN_ARG(in->label),
                      message);
}

o2w_status infer_fail(const struct infer *in, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    o2w_status status = fail_v(in, DIAG_OP_INVALID, format, args);
    va_end(args);
    return status;
}

static o2w_status fail_limits(const struct infer *in, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
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
        return infer_fail(in, "%u operands given, must be at most %u", in->operand_count,
                          row->operand_count);
    for (uint32_t i = 0; i < row->operand_count || (list && i < in->operand_count); i++) {
        char name[64];
        bool optional = i < row->operand_count && row->operands[i].kind == SLOT_OPTIONAL;
        if (!optional && infer_operand(in, i) == NULL)
            return infer_fail(in, "%s is missing", operand_name(in, i, name));
    }
    return O2W_OK;
}

static o2w_status check_dtype(const struct infer *in, const char *name, enum dtype found,
                              const struct slot_row *row, const struct slot_limit *limit)
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

static o2w_status check_rank(const struct infer *in, const char *name, uint32_t found,
                             const struct slot_row *row, const struct slot_limit *limit)
{
    uint32_t max = limit->rank_max < in->limits->max_rank ? limit->rank_max : in->limits->max_rank;
    if (found >= limit->rank_min && found <= max)
        return O2W_OK;
    if (found >= row->rank_min && found <= row->rank_max)
        return fail_limits(in, "%s has rank %u, %s allows %u…%u", name, found, in->limits->name,
                           limit->rank_min, max);
    if (row->rank_min == row->rank_max)
        return infer_fail(in, "%s has rank %u, must be %u", name, found, row->rank_min);
    return infer_fail(in, "%s has rank %u, must be %u…%u", name, found, row->rank_min,
                      row->rank_max);
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
    if ((s->kind == SLOT_VARIADIC || s->same_dtype_as >= 0) &&
        d->dtype != infer_operand(in, same)->dtype)
        return infer_fail(in, "%s is %s, must be %s as %s is", name, dtype_name(d->dtype),
                          dtype_name(infer_operand(in, same)->dtype),
                          operand_name(in, same, other));
    return check_rank(in, name, d->rank, s, limit);
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
            return fail_limits(in, "%s.shape[%u] is open, %s allows numbers only", name, i,
                               in->limits->name);
        if (min > INT32_MAX || max < in->limits->min_dimension)
            return infer_fail(in, "%s.shape[%u] is %" PRId64 ", must be %u…2147483647", name, i,
                              min > 0 ? min : max, in->limits->min_dimension);
        least[i] = min > 0 ? min : 0;
    }
    if (!dims_count(least, d->rank, &count) || count > in->limits->max_elements)
        return infer_fail(in, "%s of shape %s has too many elements, must be at most %" PRIu64,
                          name, rule_shape_text(in, d->dims, d->rank, shape),
                          in->limits->max_elements);
    if (!dtype_bytes(d->dtype, count, &bytes) || bytes > in->limits->max_tensor_bytes)
        return fail_limits(
            in, "%s of shape %s has %" PRIu64 " elements of %s, %s allows %" PRIu64 " bytes", name,
            rule_shape_text(in, d->dims, d->rank, shape), count, dtype_name(d->dtype),
            in->limits->name, in->limits->max_tensor_bytes);
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

o2w_status infer_check_descriptor(const struct limits *limits, struct exprs *exprs,
                                  struct diags *diags, const char *what,
                                  const struct slot_limit *slot, const struct descriptor *d)
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
    return in->limits->refused[in->kind]
               ? fail_limits(in, "%s does not have this operator", in->limits->name)
               : O2W_OK;
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
    TRY(rule_resolve(in, scratch));
    if (infer_result_count(in->kind, in->attributes) > in->result_capacity)
        return diag_error(in->diags, DIAG_INTERNAL, "%s: room for %u results, needs %u",
                          in->row->name, in->result_capacity,
                          infer_result_count(in->kind, in->attributes));
    TRY(in->row->infer(in));
    for (uint32_t i = 0; i < in->result_count; i++)
        TRY(check_result(in, i));
    return O2W_OK;
}
