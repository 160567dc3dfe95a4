/* Arithmetic and comparison of dims, known or open. */
#include "webnn/infer/rules.h"

#include "base/checked.h"

#include <inttypes.h>
#include <string.h>

o2w_status infer_axis(const struct infer *in, const char *name, uint32_t axis, uint32_t rank)
{
    return axis < rank ? O2W_OK
                       : infer_fail(in, "%s is %u, must be below the rank %u", name, axis, rank);
}

o2w_status infer_append(struct infer *in, struct descriptor *out, const dim *dims, uint32_t count)
{
    if (count > MAX_RANK || out->rank + count > MAX_RANK)
        return infer_fail(in, "the result's rank is %u, must be at most %d", out->rank + count,
                          MAX_RANK);
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
        return infer_fail(in, "%s is %s, must be %s", what, rule_dim_text(in, a, found),
                          rule_dim_text(in, b, wanted));
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

o2w_status infer_broadcast(struct infer *in, const struct descriptor *a, const struct descriptor *b,
                           struct descriptor *out)
{
    struct descriptor result = { .rank = a->rank > b->rank ? a->rank : b->rank };
    for (uint32_t i = 0; i < result.rank; i++) {
        dim x = i < result.rank - a->rank ? 1 : a->dims[i - (result.rank - a->rank)];
        dim y = i < result.rank - b->rank ? 1 : b->dims[i - (result.rank - b->rank)];
        if (x != 1 && y != 1 && !may_agree(in, x, y)) {
            char first[SHAPE_TEXT], second[SHAPE_TEXT];
            return infer_fail(in, "shapes %s and %s do not broadcast",
                              rule_shape_text(in, a->dims, a->rank, first),
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

o2w_status infer_broadcastable(struct infer *in, const char *what, const struct descriptor *from,
                               const struct descriptor *to)
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
