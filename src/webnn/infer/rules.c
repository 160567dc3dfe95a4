#include "webnn/infer/rules.h"

#include "base/checked.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *rule_shape_text(const struct infer *in, const dim *dims, uint32_t rank,
                            char text[SHAPE_TEXT])
{
    char *spelled = NULL;
    if (in->exprs != NULL && in->diags != NULL && !dims_static(dims, rank))
        spelled = dim_list_text(in->exprs, dims, rank, &in->diags->arena);
    if (spelled != NULL)
        return spelled;
    dims_text(dims, rank, text, SHAPE_TEXT);
    return text;
}

const char *rule_dim_text(const struct infer *in, dim d, char text[DIM_TEXT])
{
    expr_id e;
    char *spelled = NULL;
    snprintf(text, DIM_TEXT, dim_is_static(d) ? "%" PRId64 : "?", d);
    if (!dim_is_static(d) && in->exprs != NULL && in->diags != NULL &&
        dim_to_expr(in->exprs, d, &e) == O2W_OK)
        spelled = expr_text(in->exprs, e, &in->diags->arena);
    return spelled != NULL ? spelled : text;
}

void rule_bounds(const struct infer *in, dim d, int64_t *min, int64_t *max)
{
    *min = *max = d;
    if (!dim_is_static(d) && in->exprs != NULL)
        dim_bounds(in->exprs, d, min, max);
}

/* Bounds of a - b; false when it cannot be told. */
static bool difference_bounds(struct infer *in, dim a, dim b, int64_t *min, int64_t *max)
{
    expr_id x, y, difference;
    if (in->exprs == NULL || dim_to_expr(in->exprs, a, &x) != O2W_OK ||
        dim_to_expr(in->exprs, b, &y) != O2W_OK ||
        expr_apply(in->exprs, EXPR_SUB, x, y, &difference) != O2W_OK)
        return false;
    expr_bounds(in->exprs, difference, min, max);
    return true;
}

bool rule_greater(struct infer *in, dim a, dim b)
{
    int64_t min, max;
    if (dim_is_static(a) && dim_is_static(b))
        return a > b;
    return difference_bounds(in, a, b, &min, &max) && min > 0;
}

o2w_status rule_at_most(struct infer *in, const char *what, dim a, dim b)
{
    int64_t min, max;
    dim larger;
    if ((dim_is_static(a) && dim_is_static(b)) ||
        (difference_bounds(in, a, b, &min, &max) && max <= 0))
        return O2W_OK;
    TRY(infer_dim(in, EXPR_MAX, a, b, &larger));
    return infer_same_dim(in, what, larger, b);
}

o2w_status rule_dim_is(struct infer *in, uint32_t slot, uint32_t axis, const char *expected, dim b)
{
    char what[128];
    const char *name = in->row->operands[slot].name;
    dim a = infer_operand(in, slot)->dims[axis];
    if (dim_is_static(a) && dim_is_static(b) && a != b)
        return infer_fail(in, "%s.shape[%u] is %" PRId64 ", must be %s = %" PRId64, name, axis, a,
                          expected, b);
    snprintf(what, sizeof what, "%s.shape[%u]", name, axis);
    return infer_same_dim(in, what, a, b);
}

o2w_status rule_shape_is(struct infer *in, uint32_t slot, const dim *dims, uint32_t rank)
{
    const struct descriptor *have = infer_operand(in, slot);
    const char *name = in->row->operands[slot].name;
    if (have == NULL)
        return O2W_OK;
    bool fits = have->rank == rank;
    for (uint32_t i = 0; fits && i < rank; i++)
        fits = !dim_is_static(have->dims[i]) || !dim_is_static(dims[i]) || have->dims[i] == dims[i];
    if (!fits) {
        char found[SHAPE_TEXT], wanted[SHAPE_TEXT];
        return infer_fail(in, "%s has shape %s, must be %s", name,
                          rule_shape_text(in, have->dims, have->rank, found),
                          rule_shape_text(in, dims, rank, wanted));
    }
    for (uint32_t i = 0; i < rank; i++) {
        char what[128];
        snprintf(what, sizeof what, "%s.shape[%u]", name, i);
        TRY(infer_same_dim(in, what, have->dims[i], dims[i]));
    }
    return O2W_OK;
}

o2w_status rule_static_dim(const struct infer *in, uint32_t slot, uint32_t axis)
{
    char text[DIM_TEXT];
    dim d = infer_operand(in, slot)->dims[axis];
    if (dim_is_static(d))
        return O2W_OK;
    o2w_status status = infer_fail(in, "%s.shape[%u] is '%s', must be a number",
                                   in->row->operands[slot].name, axis, rule_dim_text(in, d, text));
    diag_hint(in->diags, "--override-dim NAME=SIZE fixes a dimension");
    return status;
}

o2w_status rule_count(const struct infer *in, const char *name, uint32_t found, uint32_t count)
{
    if (found == count)
        return O2W_OK;
    return infer_fail(in, "%s has %u values, must have %u", name, found, count);
}

o2w_status rule_positive(const struct infer *in, const char *name, const struct webnn_u32s *list,
                         uint32_t count)
{
    TRY(rule_count(in, name, list->count, count));
    for (uint32_t i = 0; i < count; i++)
        if (list->items[i] == 0)
            return infer_fail(in, "%s[%u] is 0, must be at least 1", name, i);
    return O2W_OK;
}

bool rule_has_axis(const struct webnn_u32s *axes, uint32_t axis)
{
    for (uint32_t i = 0; i < axes->count; i++)
        if (axes->items[i] == axis)
            return true;
    return false;
}

o2w_status rule_axes(const struct infer *in, const char *name, const struct webnn_u32s *axes,
                     uint32_t rank)
{
    for (uint32_t i = 0; i < axes->count; i++) {
        if (axes->items[i] >= rank)
            return infer_fail(in, "%s[%u] is %u, must be below the rank %u", name, i,
                              axes->items[i], rank);
        for (uint32_t k = 0; k < i; k++)
            if (axes->items[k] == axes->items[i])
                return infer_fail(in, "%s names %u twice", name, axes->items[i]);
    }
    return O2W_OK;
}

o2w_status rule_window_travel(struct infer *in, const char *axis, const struct window *w,
                              dim *travel)
{
    dim reach, padded;
    if (dim_is_static(w->size) && w->size < 1)
        return infer_fail(in, "the window's %s is 0, must be at least 1", axis);
    TRY(infer_dim(in, EXPR_SUB, w->size, 1, &reach));
    TRY(infer_dim(in, EXPR_MUL, reach, w->dilation, &reach));
    TRY(infer_dim(in, EXPR_ADD, reach, 1, &reach));
    TRY(infer_dim(in, EXPR_ADD, w->input, (dim)w->begin + w->end, &padded));
    if (rule_greater(in, reach, padded)) {
        char need[DIM_TEXT], have[DIM_TEXT];
        return infer_fail(in, "the padded input's %s is %s, the window needs %s", axis,
                          rule_dim_text(in, padded, have), rule_dim_text(in, reach, need));
    }
    if (dim_is_static(padded) && padded > INT32_MAX)
        return infer_fail(in,
                          "the padded input's %s is %" PRId64 ": padding %u and %u is too large",
                          axis, padded, w->begin, w->end);
    return infer_dim(in, EXPR_SUB, padded, reach, travel);
}

const char *rule_input_layout(uint32_t layout)
{
    return layout == WEBNN_INPUT_LAYOUT_NHWC ? "nhwc" : "nchw";
}

uint32_t rule_layout_axis(const char *layout, char letter)
{
    return (uint32_t)(strchr(layout, letter) - layout);
}

void rule_fill_range(struct webnn_u32s *list, uint32_t start, uint32_t count)
{
    list->given = true;
    list->count = count;
    for (uint32_t i = 0; i < count; i++)
        list->items[i] = start + i;
}
