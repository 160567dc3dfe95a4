/* Which quantisation grid an input's elements must lie on. */
#include "validate/flow.h"

#include "base/number.h"

#include <math.h>

/* A quantizer whose constants were read. */
struct read_quantizer {
    const struct quantizer *q;
    const char *node;
    bool constant;  /* scale and zero point are */
    bool uniform;   /* one scale and zero point for all elements */
    uint64_t count; /* of scales */
    const double *scales;
    const int64_t *zeros;
    uint32_t axis;
    int64_t block;
};

static const double scale_one = 1;
static const int64_t zero_none;

struct deciding {
    struct scopes *scopes;
    struct feed *feed;
    struct diags *diags;
    struct read_quantizer *items;
    size_t count;
};

static bool slot_given(const struct quantizer *q, int input)
{
    return input >= 0 && (uint32_t)input < q->node->input_count && q->node->inputs[input];
}

/* About the value behind an input of the quantizer. */
static o2w_status refuse(struct deciding *g, const struct quantizer *q, int input,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

static o2w_status refuse(struct deciding *g, const struct quantizer *q, int input,
                         const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(g->scopes->arena, format, args);
    va_end(args);
    o2w_status s = diag_error(g->diags, DIAG_FEED_QUANTIZER, "node '%s' (%.*s): %s",
                              node_shown(g->scopes, q->node), SPAN_ARG(q->node->op_type),
                              text ? text : format);
    if (slot_given(q, input))
        diag_at(g->diags, "tensor '%.*s', on the way of input '%s'",
                SPAN_ARG(onnx_name(g->scopes->model, q->node->inputs[input])), g->feed->name);
    diag_hint(g->diags, "--input gives feeds of your own");
    return s;
}

/* --- reading ------------------------------------------------------------------------------------------ */

static o2w_status slot_value(struct deciding *g, const struct quantizer *q, int input,
                             struct tensor *t, bool *known)
{
    *known = false;
    if (!slot_given(q, input))
        return O2W_OK;
    return scope_value(g->scopes, q->scope, q->node->inputs[input], g->diags, t, known);
}

/* The dtype of the quantised values; DTYPE_COUNT: none that a grid is made of. */
static enum dtype quantized_dtype(const struct deciding *g, const struct quantizer *q,
                                  const struct tensor *zero)
{
    enum dtype t = DTYPE_UINT8;
    if (q->dynamic)
        return t;
    if (!span_is(q->node->op_type, "QuantizeLinear"))
        return dtype_is_integer(g->feed->dtype) ? g->feed->dtype : DTYPE_COUNT;
    if (!dtype_is_float(g->feed->dtype))
        return DTYPE_COUNT;
    int64_t asked = scope_int(q->scope, q->node, "output_dtype", 0);
    if (zero)
        t = zero->dtype;
    else if (asked && !dtype_by_onnx(asked, &t))
        return DTYPE_COUNT;
    return dtype_is_integer(t) && t != DTYPE_INT64 && t != DTYPE_UINT64 ? t : DTYPE_COUNT;
}

static o2w_status check_scales(struct deciding *g, struct read_quantizer *r)
{
    char text[NUMBER_TEXT];
    for (uint64_t i = 0; i < r->count; i++) {
        if (isfinite(r->scales[i]) && r->scales[i] > 0)
            continue;
        number_print_general(r->scales[i], 9, text);
        return refuse(g, r->q, r->q->scale, "%sscale is %s, must be finite and greater than 0",
                      r->q->prefix, text);
    }
    return O2W_OK;
}

static o2w_status check_zero(struct deciding *g, const struct read_quantizer *r, enum dtype dtype,
                             const struct tensor *scale, const struct tensor *zero)
{
    char a[200], b[200];
    const struct quantizer *q = r->q;
    if (zero->dtype != dtype)
        return refuse(g, q, q->zero, "%szero_point is %s, must be %s", q->prefix,
                      dtype_name(zero->dtype), dtype_name(dtype));
    if (!scale || (tensor_count(scale) == 1 && tensor_count(zero) == 1) ||
        (scale->rank == zero->rank && dims_equal(scale->dims, zero->dims, zero->rank)))
        return O2W_OK;
    dims_text(zero->dims, zero->rank, a, sizeof a);
    dims_text(scale->dims, scale->rank, b, sizeof b);
    return refuse(g, q, q->zero, "%szero_point has shape %s, must be that of the scale, %s",
                  q->prefix, a, b);
}

/* Scale count 1, the axis length, or the block grid. */
static o2w_status check_shape(struct deciding *g, struct read_quantizer *r,
                              const struct tensor *scale)
{
    char text[200];
    const struct quantizer *q = r->q;
    const struct feed *f = g->feed;
    int64_t axis = scope_int(q->scope, q->node, "axis", 1), rank = f->rank;
    int64_t block = scope_int(q->scope, q->node, "block_size", 0);
    if (r->count == 1 || q->moved || !q->per_axis)
        return O2W_OK;
    if (axis < -rank || axis >= rank)
        return refuse(g, q, -1, "axis is %lld, must be from %lld to %lld", (long long)axis,
                      (long long)-rank, (long long)rank - 1);
    r->axis = (uint32_t)(axis < 0 ? axis + rank : axis);
    r->block = block;
    bool fits =
        block < 0 ? false : !block && scale->rank == 1 && scale->dims[0] == f->dims[r->axis];
    if (block > 0 && scale->rank == f->rank) {
        fits = true;
        for (uint32_t i = 0; i < f->rank; i++)
            fits &=
                scale->dims[i] == (i == r->axis ? (f->dims[i] + block - 1) / block : f->dims[i]);
    }
    dims_text(scale->dims, scale->rank, text, sizeof text);
    return fits ? O2W_OK
                : refuse(g, q, q->scale,
                         "%sscale has shape %s, must be 1 value, the axis, or its blocks",
                         q->prefix, text);
}

static bool same_number(double a, double b)
{
    return !(a < b) && !(a > b);
}

static o2w_status copy_values(struct deciding *g, struct read_quantizer *r,
                              const struct tensor *scale, const struct tensor *zero)
{
    struct arena *a = g->scopes->arena;
    uint64_t scales = scale ? tensor_count(scale) : 1, zeros = zero ? tensor_count(zero) : 1;
    r->count = scales > zeros ? scales : zeros;
    if (!scales || !zeros)
        return refuse(g, r->q, r->q->scale, "%sscale or %szero_point has no element", r->q->prefix,
                      r->q->prefix);
    if (r->count > SIZE_MAX / sizeof(int64_t))
        return diag_memory(g->diags);
    double *scale_list = ARENA_ARRAY(a, (size_t)r->count, double);
    int64_t *zero_list = ARENA_ARRAY(a, (size_t)r->count, int64_t);
    if (!scale_list || !zero_list)
        return diag_memory(g->diags);
    r->scales = scale_list;
    r->zeros = zero_list;
    r->uniform = true;
    for (uint64_t i = 0; i < r->count; i++) {
        scale_list[i] = scale ? tensor_get_double(scale, scales == 1 ? 0 : i) : 1;
        zero_list[i] = zero ? tensor_get_i64(zero, zeros == 1 ? 0 : i) : 0;
        r->uniform &= same_number(scale_list[i], scale_list[0]) && zero_list[i] == zero_list[0];
    }
    return O2W_OK;
}

static o2w_status read_quantizer(struct deciding *g, const struct quantizer *q,
                                 struct read_quantizer *r, enum dtype *dtype)
{
    struct tensor scale, zero;
    bool scale_known, zero_known;
    bool has_scale = slot_given(q, q->scale), has_zero = slot_given(q, q->zero);
    *r = (struct read_quantizer){ .q = q,
                                  .node = node_shown(g->scopes, q->node),
                                  .count = 1,
                                  .scales = &scale_one,
                                  .zeros = &zero_none };
    TRY(slot_value(g, q, q->scale, &scale, &scale_known));
    TRY(slot_value(g, q, q->zero, &zero, &zero_known));
    *dtype = quantized_dtype(g, q, zero_known ? &zero : NULL);
    if (*dtype == DTYPE_COUNT || q->dynamic)
        return O2W_OK;
    r->constant = scale_known == has_scale && zero_known == has_zero;
    TRY(copy_values(g, r, scale_known ? &scale : NULL, zero_known ? &zero : NULL));
    if (scale_known)
        TRY(check_scales(g, r));
    if (zero_known)
        TRY(check_zero(g, r, *dtype, scale_known ? &scale : NULL, &zero));
    return scale_known ? check_shape(g, r, &scale) : O2W_OK;
}

/* --- verdict ------------------------------------------------------------------------------------------ */

static void ambiguous(struct deciding *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void ambiguous(struct deciding *g, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(g->scopes->arena, format, args);
    va_end(args);
    diag_warning(g->diags, DIAG_FEED_AMBIGUOUS, "input '%s' %s: generic feed used", g->feed->name,
                 text ? text : format);
}

static bool same_values(const struct read_quantizer *a, const struct read_quantizer *b,
                        uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (!same_number(a->scales[i], b->scales[i]) || a->zeros[i] != b->zeros[i])
            return false;
    return true;
}

static bool same_grid(const struct read_quantizer *a, const struct read_quantizer *b)
{
    if (a->uniform && b->uniform)
        return same_values(a, b, 1);
    return a->uniform == b->uniform && a->count == b->count && a->axis == b->axis &&
           a->block == b->block && same_values(a, b, a->count);
}

static void report_two(struct deciding *g, const struct read_quantizer *a, enum dtype ta,
                       const struct read_quantizer *b, enum dtype tb)
{
    char x[NUMBER_TEXT], y[NUMBER_TEXT];
    number_print_general(a->scales[0], 9, x);
    number_print_general(b->scales[0], 9, y);
    if (ta != tb)
        ambiguous(g, "reaches quantizers to %s ('%s') and %s ('%s')", dtype_name(ta), a->node,
                  dtype_name(tb), b->node);
    else if (!same_number(a->scales[0], b->scales[0]))
        ambiguous(g, "reaches quantizers with scales %s ('%s') and %s ('%s')", x, a->node, y,
                  b->node);
    else if (a->zeros[0] != b->zeros[0])
        ambiguous(g, "reaches quantizers with zero points %lld ('%s') and %lld ('%s')",
                  (long long)a->zeros[0], a->node, (long long)b->zeros[0], b->node);
    else
        ambiguous(g, "reaches quantizers with different scales per axis ('%s' and '%s')", a->node,
                  b->node);
}

/* False, with its warning, where the constants do not make one grid. */
static bool one_grid(struct deciding *g, const enum dtype *dtypes, const struct reach *r)
{
    for (size_t i = 0; i < g->count; i++)
        if (!g->items[i].constant) {
            ambiguous(g, "reaches quantizer '%s' whose scale or zero point is not constant",
                      g->items[i].node);
            return false;
        }
    for (size_t i = 1; i < g->count; i++)
        if (dtypes[i] != dtypes[0] || !same_grid(&g->items[i], &g->items[0])) {
            report_two(g, &g->items[0], dtypes[0], &g->items[i], dtypes[i]);
            return false;
        }
    for (size_t i = 0; i < g->count; i++)
        if (!g->items[i].uniform && (g->items[i].q->moved || !g->items[i].q->per_axis)) {
            ambiguous(g, "reaches quantizer '%s' with scales per axis after its elements moved",
                      g->items[i].node);
            return false;
        }
    if (dtype_is_integer(g->feed->dtype) && r->reads_indices) {
        ambiguous(g, "reaches quantizer '%s', and '%s' as indices or a shape", g->items[0].node,
                  node_shown(g->scopes, r->reads_indices));
        return false;
    }
    return true;
}

/* --- levels ------------------------------------------------------------------------------------------- */

static bool is_finite_in(enum dtype t, double scale, int64_t difference)
{
    uint64_t room = 0;
    struct tensor one = { .dtype = t, .data = &room };
    if (!dtype_is_float(t))
        return true;
    tensor_put_double(&one, 0, scale * (double)difference);
    return isfinite(tensor_get_double(&one, 0));
}

static void set_levels(struct feed *f, enum dtype dtype)
{
    struct feed_grid *g = &f->grid;
    g->least = dtype == DTYPE_INT32 ? -32768 : dtype_min(dtype);
    g->most = dtype == DTYPE_INT32 ? 32767 : (int64_t)dtype_max(dtype);
    for (uint64_t i = 0; i < g->count; i++) {
        while (g->least < g->most && !is_finite_in(f->dtype, g->scales[i], g->least - g->zeros[i]))
            g->least++;
        while (g->most > g->least && !is_finite_in(f->dtype, g->scales[i], g->most - g->zeros[i]))
            g->most--;
    }
}

static void take_grid(struct feed *f, const struct read_quantizer *r, enum dtype dtype)
{
    f->rule = FEED_SCALE_AWARE;
    f->grid = (struct feed_grid){ .count = r->uniform ? 1 : r->count,
                                  .scales = r->scales,
                                  .zeros = r->zeros,
                                  .axis = r->axis,
                                  .block = r->block };
    set_levels(f, dtype);
}

static o2w_status decide(struct deciding *g, const struct reach *r, enum dtype *dtypes)
{
    bool dynamic = false;
    for (size_t i = 0; i < r->quantizers.count; i++) {
        const struct quantizer *q = &r->quantizers.items[i];
        enum dtype *dtype = &dtypes[g->count];
        TRY(read_quantizer(g, q, &g->items[g->count], dtype));
        dynamic |= q->dynamic;
        g->count += !q->dynamic && *dtype != DTYPE_COUNT;
    }
    if (g->count) {
        if (one_grid(g, dtypes, r))
            take_grid(g->feed, &g->items[0], dtypes[0]);
    } else if (dynamic && dtype_is_float(g->feed->dtype)) {
        g->feed->rule = FEED_SCALE_AWARE;
        g->feed->grid = (struct feed_grid){ .dynamic = true, .most = 255 };
    }
    return O2W_OK;
}

o2w_status grid_decide(struct scopes *s, struct feed *f, const struct reach *r, struct diags *d)
{
    struct deciding g = { .scopes = s, .feed = f, .diags = d };
    g.items = ARENA_ARRAY(s->arena, r->quantizers.count + 1, struct read_quantizer);
    enum dtype *dtypes = ARENA_ARRAY(s->arena, r->quantizers.count + 1, enum dtype);
    if (!g.items || !dtypes)
        return diag_memory(d);
    return decide(&g, r, dtypes);
}
