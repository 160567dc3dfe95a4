/* Refusals and reports: every one names the node. */
#include "lower/internal.h"

#include <stdarg.h>
#include <stdio.h>

static o2w_status refuse_with(struct lower *l, const struct node_view *n, enum diag_code code,
                              const char *before, const char *format, va_list args)
{
    char *text = arena_vprintf(&l->arena, format, args);
    o2w_status s = diag_error(l->diags, code, "%s%s", before, text ? text : format);
    onnx_at_node(l->diags, l->model, n->onnx, NULL);
    return s;
}

o2w_status refuse(struct lower *l, const struct node_view *n, enum diag_code code,
                  const char *format, ...)
{
    va_list args;
    va_start(args, format);
    o2w_status s = refuse_with(l, n, code, "", format, args);
    va_end(args);
    return s;
}

o2w_status refuse_attribute(struct lower *l, const struct node_view *n, const char *name,
                            const char *format, ...)
{
    char before[300];
    snprintf(before, sizeof before, "attribute '%.200s' ", name);
    va_list args;
    va_start(args, format);
    o2w_status s = refuse_with(l, n, DIAG_LOWER_ATTRIBUTE, before, format, args);
    va_end(args);
    return s;
}

o2w_status refuse_input(struct lower *l, const struct node_view *n, uint32_t i, const char *format,
                        ...)
{
    char before[300];
    const struct onnx_row *row = n->row;
    const char *name = row && row->input_count
                           ? row->inputs[i < row->input_count ? i : row->input_count - 1].name
                           : "";
    snprintf(before, sizeof before, "input %u '%.200s' ", i, name);
    va_list args;
    va_start(args, format);
    o2w_status s = refuse_with(l, n, DIAG_LOWER_INPUT, before, format, args);
    va_end(args);
    return s;
}

o2w_status axis_from(struct lower *l, const struct node_view *n, int64_t axis, uint32_t rank,
                     uint32_t past, uint32_t *out)
{
    int64_t limit = (int64_t)rank + past;
    if (limit == 0)
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE, "axis is %lld, a scalar has no axes",
                      (long long)axis);
    if (axis < -limit || axis >= limit)
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE, "axis is %lld, must be from %lld to %lld",
                      (long long)axis, (long long)-limit, (long long)limit - 1);
    *out = (uint32_t)(axis < 0 ? axis + limit : axis);
    return O2W_OK;
}

static void sort_axes(struct webnn_u32s *axes)
{
    for (uint32_t i = 1; i < axes->count; i++)
        for (uint32_t k = i; k > 0 && axes->items[k - 1] > axes->items[k]; k--) {
            uint32_t t = axes->items[k];
            axes->items[k] = axes->items[k - 1];
            axes->items[k - 1] = t;
        }
}

o2w_status axes_from(struct lower *l, const struct node_view *n, const struct ints *axes,
                     uint32_t rank, bool sorted, struct webnn_u32s *out)
{
    bool seen[MAX_RANK] = { false };
    *out = (struct webnn_u32s){ .given = true };
    if (axes->count > rank)
        return refuse(l, n, DIAG_LOWER_ATTRIBUTE, "%u axes are given for rank %u", axes->count,
                      rank);
    for (uint32_t i = 0; i < axes->count; i++) {
        uint32_t a = 0;
        TRY(axis_from(l, n, axes->items[i], rank, 0, &a));
        if (seen[a])
            return refuse(l, n, DIAG_LOWER_ATTRIBUTE, "axis %u is given twice", a);
        seen[a] = true;
        out->items[out->count++] = a;
    }
    if (sorted)
        sort_axes(out);
    return O2W_OK;
}

void lower_report(struct lower *l, const struct node_view *n, enum diag_code code,
                  const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(&l->arena, format, args);
    va_end(args);
    bool added = false;
    uint32_t *count;
    if (!text || map_insert(&l->reports, span_of(text), 0, &count, &added) != O2W_OK || !added)
        return;
    (void)diag_note(l->diags, code, "%s", text);
    if (n)
        onnx_at_node(l->diags, l->model, n->onnx, NULL);
}

o2w_status dim_of(struct lower *l, const struct node_view *n, enum expr_op operation, dim a, dim b,
                  dim *out)
{
    o2w_status s = dim_apply(lower_exprs(l), operation, a, b, out);
    if (s == O2W_NO_MEMORY)
        return diag_memory(l->diags);
    if (s != O2W_OK)
        return refuse(l, n, DIAG_LOWER_OVERFLOW, "a dimension overflows");
    return O2W_OK;
}
