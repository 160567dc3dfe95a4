/* Dialects about shapes: squeeze, unsqueeze, shape, slice by ends, automatic padding. */
#include "base/text.h"
#include "format/dialects.h"

#include <string.h>

static o2w_status needs_static(const struct call *c, const char *what)
{
    return call_at(c, c->node->place,
                   diag_error(c->loader->diags, DIAG_OP_INVALID, "%.*s: %s must be static",
                              SPAN_ARG(c->name), what));
}

static o2w_status need_operands(const struct call *c, size_t count)
{
    if (c->operand_count == count)
        return O2W_OK;
    return call_at(c, c->node->place,
                   diag_error(c->loader->diags, DIAG_TEXT_ARITY,
                              "%.*s takes %zu operands, found %zu", SPAN_ARG(c->name), count,
                              c->operand_count));
}

/* The option's axes as a set of bits, counted from the end where negative. Absent: *given is false. */
static o2w_status read_axes(struct call *c, const char *key, uint32_t rank, uint32_t *set,
                            bool *given)
{
    int64_t axes[MAX_RANK];
    uint32_t count;
    struct argument *a = call_option(c, key);
    *set = 0;
    *given = false;
    if (!a)
        return O2W_OK;
    a->used = true;
    if (argument_is_absent(a, false))
        return O2W_OK;
    *given = true;
    TRY(call_read_integers(c, a, -(int64_t)rank, (int64_t)rank - 1, axes, MAX_RANK, &count));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bit = 1u << (axes[i] < 0 ? axes[i] + rank : axes[i]);
        if (*set & bit)
            return call_wrong_value(c, a, "axes, each once");
        *set |= bit;
    }
    return O2W_OK;
}

o2w_status dialect_squeeze(struct call *c)
{
    struct descriptor d;
    uint32_t set;
    bool given;
    TRY(need_operands(c, 1));
    call_descriptor(c, 0, &d);
    const struct argument *a = call_option(c, "axes");
    TRY(read_axes(c, "axes", d.rank, &set, &given));
    struct webnn_dims shape = { .given = true };
    for (uint32_t i = 0; i < d.rank; i++) {
        bool dropped = given ? set >> i & 1 : d.dims[i] == 1;
        if (dropped && d.dims[i] != 1)
            return call_wrong_value(c, a, "axes of size 1");
        if (!dropped)
            shape.items[shape.count++] = d.dims[i];
    }
    *(struct webnn_dims *)call_attribute(c, "newShape") = shape;
    return O2W_OK;
}

static uint32_t bits_in(uint32_t set)
{
    return (uint32_t)__builtin_popcount(set);
}

o2w_status dialect_unsqueeze(struct call *c)
{
    struct descriptor d;
    uint32_t set, from = 0;
    bool given;
    struct argument *a = call_option(c, "axes");
    TRY(need_operands(c, 1));
    call_descriptor(c, 0, &d);
    if (!a || a->value->kind != DOC_ARRAY)
        return call_at(
            c, c->node->place,
            diag_error(c->loader->diags, DIAG_OP_OPTION_MISSING, "unsqueeze needs 'axes'"));
    if (a->value->size > MAX_RANK - d.rank)
        return call_wrong_value(c, a, "so many that the rank stays below %d", MAX_RANK + 1);
    uint32_t rank = d.rank + a->value->size;
    TRY(read_axes(c, "axes", rank, &set, &given));
    struct webnn_dims shape = { .given = true, .count = rank };
    for (uint32_t i = 0; i < rank; i++)
        shape.items[i] = set >> i & 1 ? 1 : d.dims[from++];
    *(struct webnn_dims *)call_attribute(c, "newShape") = shape;
    return bits_in(set) + d.rank == rank ? O2W_OK : O2W_INTERNAL;
}

o2w_status dialect_shape(struct call *c)
{
    struct descriptor d, type = { .dtype = DTYPE_INT64, .rank = 1 };
    operand_id id;
    TRY(need_operands(c, 1));
    call_descriptor(c, 0, &d);
    if (!dims_static(d.dims, d.rank))
        return needs_static(c, "its input");
    if (c->node->target_count != 1)
        return call_at(c, c->node->place,
                       diag_error(c->loader->diags, DIAG_TEXT_RESULTS,
                                  "shape returns 1 results, %u names given",
                                  c->node->target_count));
    type.dims[0] = d.rank;
    TRY(call_at(c, c->node->place,
                builder_constant_bytes(&c->loader->builder, &type, d.dims,
                                       d.rank * sizeof d.dims[0], false, &id)));
    return loader_declare(c->loader, c->node->targets[0], SCOPE_CONSTANT, id);
}

/* ---- gather ---- */

o2w_status dialect_gather_shape(struct call *c)
{
    struct descriptor x, indices;
    int64_t said[MAX_RANK], dims[2 * MAX_RANK];
    uint32_t count, rank = 0,
                    axis = ((const struct webnn_gather_attributes *)(void *)c->attributes)->axis;
    TRY(need_operands(c, 2));
    call_descriptor(c, 0, &x);
    call_descriptor(c, 1, &indices);
    if (axis >= x.rank)
        return O2W_OK; /* the builder says what is wrong */
    for (uint32_t i = 0; i < axis; i++)
        dims[rank++] = x.dims[i];
    for (uint32_t i = 0; i < indices.rank; i++)
        dims[rank++] = indices.dims[i];
    for (uint32_t i = axis + 1; i < x.rank; i++)
        dims[rank++] = x.dims[i];
    TRY(call_read_integers(c, c->shape, 0, INT32_MAX, said, MAX_RANK, &count));
    bool equal = count == rank;
    for (uint32_t i = 0; i < rank && equal; i++)
        equal = !dim_is_static(dims[i]) || dims[i] == said[i];
    return equal ? O2W_OK : call_wrong_value(c, c->shape, "the shape of the result, or none");
}

/* ---- slice ---- */

struct range {
    int64_t start, end, step;
};

struct slicing {
    struct descriptor input;
    struct range ranges[MAX_RANK]; /* by axis; step 0: untouched */
};

static o2w_status read_list(struct call *c, const char *key, int64_t min, int64_t *items,
                            uint32_t *count, bool *given)
{
    struct argument *a = call_option(c, key);
    *given = a && !argument_is_absent(a, true);
    if (a)
        a->used = true;
    return *given ? call_read_integers(c, a, min, INT64_MAX, items, MAX_RANK, count) : O2W_OK;
}

static o2w_status wrong_lists(const struct call *c, const struct argument *a)
{
    return call_wrong_value(c, a, "as many as there are starts, axes and steps");
}

static o2w_status read_ranges(struct call *c, const struct argument *ends_argument,
                              struct slicing *s)
{
    int64_t starts[MAX_RANK], ends[MAX_RANK], axes[MAX_RANK], steps[MAX_RANK];
    uint32_t n = 0, end_count = 0, axis_count = 0, step_count = 0;
    bool has_starts, has_ends, has_axes, has_steps;
    TRY(read_list(c, "starts", INT64_MIN, starts, &n, &has_starts));
    TRY(read_list(c, "ends", INT64_MIN, ends, &end_count, &has_ends));
    TRY(read_list(c, "axes", INT64_MIN, axes, &axis_count, &has_axes));
    TRY(read_list(c, "steps", INT64_MIN, steps, &step_count, &has_steps));
    if (end_count != n || (has_axes && axis_count != n) || (has_steps && step_count != n) ||
        n > s->input.rank)
        return wrong_lists(c, ends_argument);
    for (uint32_t i = 0; i < n; i++) {
        int64_t axis = has_axes ? axes[i] : i;
        if (axis < 0 && axis >= -(int64_t)s->input.rank)
            axis += s->input.rank;
        if (axis < 0 || axis >= s->input.rank || s->ranges[axis].step != 0 ||
            (has_steps && steps[i] == 0))
            return call_wrong_value(c, ends_argument,
                                    "for axes of the input, each once, with steps that aren't 0");
        s->ranges[axis] = (struct range){ starts[i], ends[i], has_steps ? steps[i] : 1 };
    }
    return O2W_OK;
}

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

/* Start and end as ONNX means them, for an axis of this size. */
static void normalise(struct range *r, int64_t size)
{
    r->start = r->start < 0 ? r->start + size : r->start;
    r->end = r->end < 0 ? r->end + size : r->end;
    if (r->step > 0) {
        r->start = clamp(r->start, 0, size);
        r->end = clamp(r->end, r->start, size);
    } else {
        r->start = clamp(r->start, size > 0 ? 0 : -1, size - 1);
        r->end = clamp(r->end, -1, r->start);
    }
}

static uint32_t stride_of(const struct range *r, int64_t size)
{
    uint64_t step = r->step < 0 ? (uint64_t)0 - (uint64_t)r->step : (uint64_t)r->step;
    uint64_t most = size > 1 ? (uint64_t)size : 1;
    return (uint32_t)(step < most ? step : most);
}

/* One axis of the slice; *reversed when it is read from its end. */
static void slice_axis(struct slicing *s, uint32_t axis, struct webnn_slice_attributes *out,
                       bool *reversed)
{
    struct range *r = &s->ranges[axis];
    int64_t size = s->input.dims[axis], count = size;
    *reversed = r->step < 0;
    out->starts.items[axis] = 0;
    out->strides.items[axis] = 1;
    if (r->step != 0) {
        normalise(r, size);
        count = *reversed ? r->start - r->end : r->end - r->start;
        out->starts.items[axis] = (uint32_t)(*reversed ? size - 1 - r->start : r->start);
        out->strides.items[axis] = stride_of(r, count);
    }
    out->sizes.items[axis] = count;
}

o2w_status dialect_slice(struct call *c, struct argument *a)
{
    struct slicing s = { 0 };
    struct webnn_slice_attributes *out = (void *)c->attributes;
    struct webnn_reverse_attributes reverse = { .axes.given = true };
    const struct argument *sizes = call_option(c, "sizes");
    TRY(need_operands(c, 1));
    call_descriptor(c, 0, &s.input);
    if (argument_is_absent(a, true))
        return a->used = true, O2W_OK;
    if (sizes && !argument_is_absent(sizes, true))
        return call_wrong_value(c, a, "nothing: 'sizes' is given too");
    TRY(read_ranges(c, a, &s));
    TRY(call_note(c, a->place,
                  "starts, ends, axes and steps are taken as starts, sizes and strides"));
    if (!dims_static(s.input.dims, s.input.rank))
        return needs_static(c, "the input of a slice with ends");
    call_attribute(c, "starts");
    call_attribute(c, "sizes");
    call_attribute(c, "strides");
    out->starts = out->strides = (struct webnn_u32s){ .given = true, .count = s.input.rank };
    out->sizes = (struct webnn_dims){ .given = true, .count = s.input.rank };
    for (uint32_t i = 0; i < s.input.rank; i++) {
        bool reversed;
        slice_axis(&s, i, out, &reversed);
        if (reversed)
            reverse.axes.items[reverse.axes.count++] = i;
    }
    if (reverse.axes.count == 0)
        return O2W_OK;
    return call_emit(c, WEBNN_REVERSE, &c->operands[0], 1, &reverse, &c->operands[0]);
}

/* ---- automatic padding ---- */

struct window {
    int64_t input[2], kernel[2];
    const uint32_t *strides, *dilations;
    const struct webnn_u32s *output_padding; /* of the transposed convolution */
    struct webnn_u32s *padding;
};

static const int pool_spatial[2][2] = { { 2, 3 }, { 1, 2 } }; /* nchw, nhwc */

/* Where a filter's height stands; width follows. */
static int filter_height(const char *layout)
{
    return (int)(strchr(layout, 'h') - layout);
}

static const char *layout_text(const struct call *c, const char *name)
{
    const struct attribute_row *row = attribute_by_name(c->row, span_of(name));
    return row->values[*(const uint32_t *)attribute_at(c->attributes, row)];
}

static void find_window(struct call *c, struct window *w)
{
    struct descriptor input, filter;
    call_descriptor(c, 0, &input);
    bool pool = c->kind != WEBNN_CONV2D && c->kind != WEBNN_CONV_TRANSPOSE2D;
    const int *spatial =
        pool_spatial[strcmp(layout_text(c, pool ? "layout" : "inputLayout"), "nhwc") == 0];
    int height = 0;
    if (!pool) {
        call_descriptor(c, 1, &filter);
        height = filter_height(layout_text(c, "filterLayout"));
    }
    for (int i = 0; i < 2; i++) {
        w->input[i] = input.dims[spatial[i]];
        w->kernel[i] = pool ? w->input[i] : filter.dims[height + i];
    }
    if (pool) {
        const struct webnn_u32s *dims =
            attribute_at(c->attributes, attribute_by_name(c->row, SPAN("windowDimensions")));
        for (uint32_t i = 0; i < 2 && dims->given && dims->count == 2; i++)
            w->kernel[i] = dims->items[i];
    }
}

static const struct webnn_u32s *list_attribute(const struct call *c, const char *name)
{
    return attribute_at(c->attributes, attribute_by_name(c->row, span_of(name)));
}

/* All padding of one side pair; negative when no padding gives the size that is asked for. */
static int64_t total_padding(const struct window *w, int i)
{
    int64_t kernel = (w->kernel[i] - 1) * w->dilations[i] + 1, stride = w->strides[i],
            in = w->input[i];
    if (w->output_padding) {
        int64_t more = w->output_padding->given ? w->output_padding->items[i] : 0;
        return kernel + more - stride;
    }
    int64_t total = ((in + stride - 1) / stride - 1) * stride + kernel - in;
    return total > 0 ? total : 0;
}

o2w_status dialect_auto_pad(struct call *c)
{
    struct window w = { 0 };
    struct span how = doc_text(c->auto_pad->value);
    struct descriptor d;
    if (span_is(how, "explicit"))
        return O2W_OK;
    if (!span_is(how, "same-upper") && !span_is(how, "same-lower"))
        return call_wrong_value(c, c->auto_pad, "'explicit', 'same-upper', 'same-lower'");
    for (size_t i = 0; i < c->operand_count && i < 2; i++) {
        call_descriptor(c, i, &d);
        if (d.rank != 4)
            return O2W_OK; /* the builder says what is wrong */
    }
    const struct webnn_u32s *strides = list_attribute(c, "strides"),
                            *dilations = list_attribute(c, "dilations");
    if (c->operand_count == 0 ||
        (attribute_by_name(c->row, SPAN("filterLayout")) && c->operand_count < 2) ||
        strides->count != 2 || dilations->count != 2 || strides->items[0] == 0 ||
        strides->items[1] == 0)
        return O2W_OK;
    find_window(c, &w);
    w.strides = strides->items;
    w.dilations = dilations->items;
    w.output_padding =
        c->kind == WEBNN_CONV_TRANSPOSE2D ? list_attribute(c, "outputPadding") : NULL;
    w.padding = call_attribute(c, "padding");
    *w.padding = (struct webnn_u32s){ .given = true, .count = 4 };
    for (int i = 0; i < 2; i++) {
        if (!dim_is_static(w.input[i]) || !dim_is_static(w.kernel[i]))
            return needs_static(c, "the sizes that autoPad needs");
        int64_t total = total_padding(&w, i);
        if (total < 0 || total > UINT32_MAX)
            return call_wrong_value(c, c->auto_pad, "'explicit': no padding gives that size");
        int64_t begin = span_is(how, "same-upper") ? total / 2 : total - total / 2;
        w.padding->items[2 * i] = (uint32_t)begin;
        w.padding->items[2 * i + 1] = (uint32_t)(total - begin);
    }
    return O2W_OK;
}
