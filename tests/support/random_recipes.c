/* One recipe per family of operators: operands and attributes that the builder takes. */
#include "support/random_private.h"

#include <string.h>

static struct descriptor absent(void)
{
    return (struct descriptor){ .dtype = DTYPE_COUNT };
}

static struct descriptor shape_of(enum dtype t, const dim *dims, uint32_t rank)
{
    struct descriptor d = { .dtype = t, .rank = rank };
    if (rank)
        memcpy(d.dims, dims, rank * sizeof *dims);
    return d;
}

#define SHAPE(t, ...) \
    shape_of((t), (const dim[]){ __VA_ARGS__ }, sizeof((const dim[]){ __VA_ARGS__ }) / sizeof(dim))

/* A named dim instead of a size, where the graph may have some. */
static void make_dynamic(struct making *m, struct descriptor *d)
{
    static const char *const names[] = { "n", "batch", "past len", "seq::len", "n + batch" };
    expr_id e;
    if (!m->options->dynamic || d->rank == 0 || !once_in(m, 3))
        return;
    uint32_t i = pick(m, 5);
    if (expr_name(m->builder.graph->exprs, span_of(names[i]), m->limits.min_dimension, 16 << i,
                  NULL, &e) == O2W_OK)
        d->dims[pick(m, d->rank)] = dim_of_expr_id(e);
}

/* A shape that broadcasts to `to`. */
static struct descriptor narrower(struct making *m, const struct descriptor *to)
{
    struct descriptor d = *to;
    uint32_t drop = to->rank ? pick(m, to->rank + 1) : 0;
    if (once_in(m, 2))
        drop = 0;
    d.rank -= drop;
    memmove(d.dims, d.dims + drop, d.rank * sizeof d.dims[0]);
    for (uint32_t i = 0; i < d.rank; i++)
        if (once_in(m, 3))
            d.dims[i] = 1;
    return d;
}

static struct webnn_u32s list(const struct descriptor *d,
                              uint32_t (*value)(struct making *m, dim size), struct making *m)
{
    struct webnn_u32s l = { .given = true, .count = d->rank };
    for (uint32_t i = 0; i < d->rank; i++)
        l.items[i] = value(m, d->dims[i]);
    return l;
}

static struct webnn_u32s some_axes(struct making *m, uint32_t rank)
{
    struct webnn_u32s l = { .given = !once_in(m, 4) };
    for (uint32_t i = 0; i < rank && l.given; i++)
        if (once_in(m, 2))
            l.items[l.count++] = i;
    return l;
}

/* ---- element by element ---- */

static o2w_status unary(struct making *m, enum webnn_operator kind)
{
    struct descriptor x = pick_shape(m, pick_dtype(m, slot_dtypes(kind, 0)), 0, 5);
    make_dynamic(m, &x);
    return record_like(m, kind, &x, 1, NULL);
}

static o2w_status binary(struct making *m, enum webnn_operator kind)
{
    struct descriptor x[2];
    x[0] = pick_shape(m, pick_dtype(m, slot_dtypes(kind, 0)), 0, 5);
    make_dynamic(m, &x[0]);
    x[1] = narrower(m, &x[0]);
    if (once_in(m, 2)) {
        struct descriptor swap = x[0];
        x[0] = x[1];
        x[1] = swap;
    }
    return record_like(m, kind, x, 2, NULL);
}

static o2w_status where(struct making *m)
{
    struct descriptor x[3];
    x[1] = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_WHERE, 1)), 0, 4);
    x[2] = narrower(m, &x[1]);
    x[0] = narrower(m, &x[1]);
    x[0].dtype = DTYPE_UINT8;
    return record_like(m, WEBNN_WHERE, x, 3, NULL);
}

static o2w_status clamp(struct making *m)
{
    struct webnn_clamp_attributes a = { 0 };
    struct descriptor x = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_CLAMP, 0)), 0, 4);
    if (once_in(m, 2))
        a.min_value = (struct webnn_number){ .kind = WEBNN_NUMBER_INT, .i = -(int64_t)pick(m, 9) };
    if (once_in(m, 3))
        a.max_value =
            (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE, .d = 6.0 + pick(m, 3) * 0.1 };
    else if (once_in(m, 3))
        a.max_value = (struct webnn_number){ .kind = WEBNN_NUMBER_UINT, .u = UINT64_MAX };
    return record_like(m, WEBNN_CLAMP, &x, 1, &a);
}

static double some_double(struct making *m)
{
    static const double values[] = { 1,   0.01, 1e-6, 1e20,          -0.0,   6,
                                     0.2, 0.5,  1e-5, 123456789.125, 5e-324, 1.7e308 };
    return values[pick(m, sizeof values / sizeof values[0])];
}

static o2w_status scaled(struct making *m, enum webnn_operator kind)
{
    struct descriptor x = pick_shape(m, pick_dtype(m, slot_dtypes(kind, 0)), 0, 4);
    union {
        struct webnn_elu_attributes elu;
        struct webnn_leaky_relu_attributes leaky_relu;
        struct webnn_linear_attributes linear;
        struct webnn_hard_sigmoid_attributes hard_sigmoid;
    } a = { 0 };
    _Static_assert(sizeof a.linear == sizeof a.hard_sigmoid, "alpha and beta");
    a.linear.alpha = some_double(m);
    if (kind == WEBNN_LINEAR || kind == WEBNN_HARD_SIGMOID)
        a.linear.beta = some_double(m);
    return record_like(m, kind, &x, 1, &a);
}

static o2w_status cast(struct making *m)
{
    struct descriptor x = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_CAST, 0)), 0, 4);
    struct webnn_cast_attributes a = { .to = (uint32_t)pick_dtype(m, DTYPES_WEBNN8) };
    make_dynamic(m, &x);
    return record_like(m, WEBNN_CAST, &x, 1, &a);
}

static o2w_status prelu(struct making *m)
{
    struct descriptor x[2];
    x[0] = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_PRELU, 0)), 0, 4);
    x[1] = narrower(m, &x[0]);
    return record_like(m, WEBNN_PRELU, x, 2, NULL);
}

/* ---- axes ---- */

static o2w_status arg(struct making *m, enum webnn_operator kind)
{
    struct descriptor x = pick_shape(m, pick_dtype(m, slot_dtypes(kind, 0)), 1, 5);
    struct webnn_arg_min_max_attributes a = { .axis = pick(m, x.rank),
                                              .keep_dimensions = once_in(m, 2),
                                              .output_data_type =
                                                  once_in(m, 2) ? WEBNN_INT64 : WEBNN_INT32 };
    x.dims[a.axis] = 3;
    return record_like(m, kind, &x, 1, &a);
}

static o2w_status reduce(struct making *m, enum webnn_operator kind)
{
    struct descriptor x = pick_shape(m, pick_dtype(m, slot_dtypes(kind, 0)), 0, 5);
    struct webnn_reduce_attributes a = { .axes = some_axes(m, x.rank),
                                         .keep_dimensions = once_in(m, 2) };
    make_dynamic(m, &x);
    return record_like(m, kind, &x, 1, &a);
}

static o2w_status reverse(struct making *m)
{
    struct descriptor x = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_REVERSE, 0)), 0, 5);
    struct webnn_reverse_attributes a = { .axes = some_axes(m, x.rank) };
    return record_like(m, WEBNN_REVERSE, &x, 1, &a);
}

static o2w_status softmax(struct making *m)
{
    struct descriptor x = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_SOFTMAX, 0)), 1, 5);
    struct webnn_softmax_attributes a = { .axis = pick(m, x.rank) };
    return record_like(m, WEBNN_SOFTMAX, &x, 1, &a);
}

static o2w_status cumulative_sum(struct making *m)
{
    struct descriptor x = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_CUMULATIVE_SUM, 0)), 1, 4);
    struct webnn_cumulative_sum_attributes a = { pick(m, x.rank), once_in(m, 2), once_in(m, 2) };
    return record_like(m, WEBNN_CUMULATIVE_SUM, &x, 1, &a);
}

/* ---- moving ---- */

static o2w_status concat(struct making *m)
{
    struct descriptor x[4];
    uint32_t count = 1 + pick(m, 4);
    x[0] = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_CONCAT, 0)), 1, 4);
    struct webnn_concat_attributes a = { .axis = pick(m, x[0].rank) };
    for (uint32_t i = 1; i < count; i++) {
        x[i] = x[0];
        x[i].dims[a.axis] = pick_dim(m);
    }
    return record_like(m, WEBNN_CONCAT, x, count, &a);
}

static o2w_status expand(struct making *m)
{
    struct descriptor to = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_EXPAND, 0)), 0, 4),
                      x = narrower(m, &to);
    struct webnn_expand_attributes a = { .new_shape = { .given = true, .count = to.rank } };
    memcpy(a.new_shape.items, to.dims, to.rank * sizeof to.dims[0]);
    return record_like(m, WEBNN_EXPAND, &x, 1, &a);
}

static o2w_status reshape(struct making *m)
{
    dtype_set movers = slot_dtypes(WEBNN_RESHAPE, 0) | (once_in(m, 3) ? DTYPES_4BIT : 0);
    struct descriptor x = pick_shape(m, pick_dtype(m, movers), 0, 4);
    struct webnn_reshape_attributes a = { .new_shape = { .given = true } };
    make_dynamic(m, &x);
    for (uint32_t i = x.rank; i-- > 0;)
        a.new_shape.items[a.new_shape.count++] = x.dims[i];
    if (once_in(m, 2))
        a.new_shape.items[a.new_shape.count++] = 1;
    return record_like(m, WEBNN_RESHAPE, &x, 1, &a);
}

static o2w_status transpose(struct making *m)
{
    struct descriptor x = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_TRANSPOSE, 0)), 0, 5);
    struct webnn_transpose_attributes a = { .permutation = { .given = once_in(m, 2),
                                                             .count = x.rank } };
    for (uint32_t i = 0; i < x.rank && a.permutation.given; i++) {
        uint32_t j = pick(m, i + 1);
        a.permutation.items[i] = a.permutation.items[j];
        a.permutation.items[j] = i;
    }
    if (!a.permutation.given)
        a.permutation.count = 0;
    make_dynamic(m, &x);
    return record_like(m, WEBNN_TRANSPOSE, &x, 1, &a);
}

static uint32_t at_most_two(struct making *m, dim size)
{
    (void)size;
    return pick(m, 3);
}

static uint32_t one_or_two(struct making *m, dim size)
{
    (void)size;
    return 1 + pick(m, 2);
}

static uint32_t below(struct making *m, dim size)
{
    return size > 1 ? pick(m, (uint32_t)size) : 0;
}

static o2w_status pad(struct making *m)
{
    struct descriptor x = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_PAD, 0)), 1, 4);
    struct webnn_pad_attributes a = webnn_pad_defaults();
    for (uint32_t i = 0; i < x.rank; i++)
        x.dims[i] = x.dims[i] ? x.dims[i] : 1;
    a.mode = pick(m, 3);
    a.beginning_padding =
        list(&x, a.mode == WEBNN_PADDING_MODE_REFLECTION ? below : at_most_two, m);
    a.ending_padding = list(&x, a.mode == WEBNN_PADDING_MODE_REFLECTION ? below : at_most_two, m);
    if (once_in(m, 2))
        a.value = (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE,
                                         .d = once_in(m, 3) ? -__builtin_inf() : some_double(m) };
    return record_like(m, WEBNN_PAD, &x, 1, &a);
}

static o2w_status slice(struct making *m)
{
    struct descriptor x = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_SLICE, 0)), 0, 4);
    struct webnn_slice_attributes a = { .starts = list(&x, below, m),
                                        .sizes = { .given = true, .count = x.rank } };
    for (uint32_t i = 0; i < x.rank; i++) {
        dim left = x.dims[i] - a.starts.items[i];
        a.sizes.items[i] = left > 1 ? 1 + pick(m, (uint32_t)left) : left;
    }
    if (once_in(m, 2))
        a.strides = list(&x, one_or_two, m);
    return record_like(m, WEBNN_SLICE, &x, 1, &a);
}

static o2w_status split(struct making *m)
{
    struct descriptor x = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_SPLIT, 0)), 1, 4);
    uint32_t parts = 1 + pick(m, 4), *sizes = ARENA_ARRAY(&m->arena, parts, uint32_t);
    struct webnn_split_attributes a = { .axis = pick(m, x.rank),
                                        .splits = { .equal = once_in(m, 2), .count = parts } };
    x.dims[a.axis] = 0;
    for (uint32_t i = 0; i < parts; i++) {
        sizes[i] = a.splits.equal ? 2 : 1 + pick(m, 3);
        x.dims[a.axis] += sizes[i];
    }
    a.splits.items = a.splits.equal ? NULL : sizes;
    return record_like(m, WEBNN_SPLIT, &x, 1, &a);
}

static o2w_status tile(struct making *m)
{
    struct descriptor x = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_TILE, 0)), 0, 4);
    struct webnn_tile_attributes a = { .repetitions = list(&x, one_or_two, m) };
    return record_like(m, WEBNN_TILE, &x, 1, &a);
}

static o2w_status triangular(struct making *m)
{
    struct descriptor x = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_TRIANGULAR, 0)), 2, 4);
    struct webnn_triangular_attributes a = { once_in(m, 2), (int32_t)pick(m, 5) - 2 };
    return record_like(m, WEBNN_TRIANGULAR, &x, 1, &a);
}

/* ---- gather and scatter ---- */

static enum dtype index_dtype(struct making *m, enum webnn_operator kind)
{
    return pick_dtype(m, slot_dtypes(kind, 1));
}

static o2w_status gather(struct making *m)
{
    struct descriptor x[2];
    x[0] = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_GATHER, 0)), 1, 4);
    x[1] = pick_shape(m, index_dtype(m, WEBNN_GATHER), 0, 3);
    struct webnn_gather_attributes a = { .axis = pick(m, x[0].rank) };
    x[0].dims[a.axis] = 3;
    make_dynamic(m, &x[1]);
    return record_like(m, WEBNN_GATHER, x, 2, &a);
}

static o2w_status gather_elements(struct making *m, enum webnn_operator kind)
{
    struct descriptor x[3];
    bool scatter = kind == WEBNN_SCATTER_ELEMENTS;
    x[0] = pick_shape(m, pick_dtype(m, slot_dtypes(kind, 0)), 1, 4);
    x[1] = x[0];
    x[1].dtype = index_dtype(m, kind);
    struct webnn_gather_elements_attributes a = { .axis = pick(m, x[0].rank) };
    x[0].dims[a.axis] = 3;
    x[1].dims[a.axis] = 1 + pick(m, 3);
    x[2] = x[1];
    x[2].dtype = x[0].dtype;
    return record_like(m, kind, x, scatter ? 3 : 2, &a);
}

static o2w_status gather_nd(struct making *m, enum webnn_operator kind)
{
    struct descriptor x[3];
    x[0] = pick_shape(m, pick_dtype(m, slot_dtypes(kind, 0)), 1, 4);
    for (uint32_t i = 0; i < x[0].rank; i++)
        x[0].dims[i] = x[0].dims[i] ? x[0].dims[i] : 1;
    x[1] = pick_shape(m, index_dtype(m, kind), 1, 3);
    uint32_t depth = 1 + pick(m, x[0].rank);
    x[1].dims[x[1].rank - 1] = depth;
    x[2] = (struct descriptor){ .dtype = x[0].dtype, .rank = x[1].rank - 1 + x[0].rank - depth };
    memcpy(x[2].dims, x[1].dims, (x[1].rank - 1) * sizeof(dim));
    memcpy(x[2].dims + x[1].rank - 1, x[0].dims + depth, (x[0].rank - depth) * sizeof(dim));
    return record_like(m, kind, x, kind == WEBNN_SCATTER_ND ? 3 : 2, NULL);
}

/* ---- sums of products ---- */

static o2w_status matmul(struct making *m)
{
    struct descriptor x[2];
    x[0] = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_MATMUL, 0)), 2, 4);
    x[1] = x[0];
    dim inner = 1 + pick(m, 4);
    x[0].dims[x[0].rank - 1] = inner;
    x[1].dims[x[1].rank - 2] = inner;
    if (x[1].rank > 2 && once_in(m, 2))
        x[1].dims[0] = 1;
    return record_like(m, WEBNN_MATMUL, x, 2, NULL);
}

static o2w_status gemm(struct making *m)
{
    enum dtype t = pick_dtype(m, slot_dtypes(WEBNN_GEMM, 0));
    struct webnn_gemm_attributes a = { some_double(m), some_double(m), once_in(m, 2),
                                       once_in(m, 2) };
    struct descriptor x[3];
    x[0] = a.a_transpose ? SHAPE(t, 3, 2) : SHAPE(t, 2, 3);
    x[1] = a.b_transpose ? SHAPE(t, 4, 3) : SHAPE(t, 3, 4);
    x[2] = once_in(m, 2) ? absent() : once_in(m, 2) ? SHAPE(t, 4) : SHAPE(t, 2, 1);
    return record_like(m, WEBNN_GEMM, x, 3, &a);
}

/* Batch, channels, height, width in the order of a layout. */
static struct descriptor image(enum dtype t, bool nhwc, dim channels, dim height, dim width)
{
    return nhwc ? SHAPE(t, 2, height, width, channels) : SHAPE(t, 2, channels, height, width);
}

static struct descriptor filter(enum dtype t, const char *layout, dim o, dim i)
{
    struct descriptor d = { .dtype = t, .rank = 4 };
    for (uint32_t k = 0; k < 4; k++)
        d.dims[k] = layout[k] == 'o' ? o : layout[k] == 'i' ? i : layout[k] == 'h' ? 3 : 2;
    return d;
}

static void window(struct making *m, struct webnn_u32s *padding, struct webnn_u32s *strides,
                   struct webnn_u32s *dilations)
{
    for (int i = 0; i < 4; i++)
        padding->items[i] = pick(m, 2);
    for (int i = 0; i < 2; i++) {
        strides->items[i] = 1 + pick(m, 2);
        dilations->items[i] = 1 + pick(m, 2);
    }
}

static o2w_status conv(struct making *m)
{
    static const char *const layouts[] = { "oihw", "hwio", "ohwi", "ihwo" };
    enum dtype t = pick_dtype(m, slot_dtypes(WEBNN_CONV2D, 0));
    struct webnn_conv2d_attributes a = webnn_conv2d_defaults();
    a.groups = 1 + pick(m, 2);
    a.input_layout = pick(m, 2);
    a.filter_layout = pick(m, 4);
    window(m, &a.padding, &a.strides, &a.dilations);
    struct descriptor x[3] = { image(t, a.input_layout == WEBNN_INPUT_LAYOUT_NHWC, 4, 7, 6),
                               filter(t, layouts[a.filter_layout], 6, 4 / a.groups),
                               once_in(m, 2) ? absent() : SHAPE(t, 6) };
    return record_like(m, WEBNN_CONV2D, x, 3, &a);
}

static o2w_status conv_transpose(struct making *m)
{
    static const char *const layouts[] = { "iohw", "hwoi", "ohwi" };
    enum dtype t = pick_dtype(m, slot_dtypes(WEBNN_CONV_TRANSPOSE2D, 0));
    struct webnn_conv_transpose2d_attributes a = webnn_conv_transpose2d_defaults();
    a.groups = 1 + pick(m, 2);
    a.input_layout = pick(m, 2);
    a.filter_layout = pick(m, 3);
    window(m, &a.padding, &a.strides, &a.dilations);
    for (int i = 0; i < 2; i++)
        a.output_padding.items[i] = pick(m, a.strides.items[i]);
    struct descriptor x[3] = { image(t, a.input_layout == WEBNN_INPUT_LAYOUT_NHWC, 4, 5, 5),
                               filter(t, layouts[a.filter_layout], 3, 4),
                               once_in(m, 2) ? absent() : SHAPE(t, 0) };
    x[2].dims[0] = 3 * (dim)a.groups;
    return record_like(m, WEBNN_CONV_TRANSPOSE2D, x, 3, &a);
}

static o2w_status pool(struct making *m, enum webnn_operator kind)
{
    struct webnn_pool2d_attributes a;
    memcpy(&a, operator_row(kind)->defaults, sizeof a);
    a.layout = pick(m, 2);
    if (once_in(m, 2)) {
        a.window_dimensions = (struct webnn_u32s){ .given = true, .count = 2, .items = { 2, 3 } };
        window(m, &a.padding, &a.strides, &a.dilations);
        a.output_shape_rounding = pick(m, 2);
    }
    struct descriptor x =
        image(pick_dtype(m, slot_dtypes(kind, 0)), a.layout == WEBNN_INPUT_LAYOUT_NHWC, 3, 8, 9);
    return record_like(m, kind, &x, 1, &a);
}

static o2w_status resample(struct making *m)
{
    struct webnn_resample2d_attributes a = webnn_resample2d_defaults();
    struct descriptor x = SHAPE(pick_dtype(m, slot_dtypes(WEBNN_RESAMPLE2D, 0)), 2, 3, 4, 5);
    a.mode = pick(m, 2);
    if (once_in(m, 2))
        a.axes = (struct webnn_u32s){ .given = true, .count = 2, .items = { 1, 2 } };
    if (once_in(m, 3))
        a.sizes = (struct webnn_u32s){ .given = true, .count = 2, .items = { 6, 7 } };
    else if (once_in(m, 2))
        a.scales = (struct webnn_doubles){ .given = true, .count = 2, .items = { 2, 1.5 } };
    return record_like(m, WEBNN_RESAMPLE2D, &x, 1, &a);
}

/* ---- normalisations ---- */

static o2w_status batch_norm(struct making *m)
{
    struct descriptor x[5];
    x[0] = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_BATCH_NORMALIZATION, 0)), 2, 4);
    struct webnn_batch_normalization_attributes a = { pick(m, x[0].rank),
                                                      once_in(m, 2) ? 1e-5 : 0.001 };
    for (int i = 1; i < 5; i++) {
        x[i] = SHAPE(x[0].dtype, x[0].dims[a.axis]);
        if (i > 2 && once_in(m, 2))
            x[i] = absent();
    }
    return record_like(m, WEBNN_BATCH_NORMALIZATION, x, 5, &a);
}

static o2w_status instance_norm(struct making *m)
{
    struct descriptor x[3];
    struct webnn_instance_normalization_attributes a = { once_in(m, 2) ? 1e-5 : 0.001, pick(m, 2) };
    enum dtype t = pick_dtype(m, slot_dtypes(WEBNN_INSTANCE_NORMALIZATION, 0));
    x[0] = image(t, a.layout == WEBNN_INPUT_LAYOUT_NHWC, 3, 4, 5);
    for (int i = 1; i < 3; i++)
        x[i] = once_in(m, 2) ? absent() : SHAPE(t, 3);
    return record_like(m, WEBNN_INSTANCE_NORMALIZATION, x, 3, &a);
}

static o2w_status layer_norm(struct making *m)
{
    struct descriptor x[3];
    struct webnn_layer_normalization_attributes a = { .epsilon = once_in(m, 2) ? 1e-5 : 1e-12 };
    x[0] = pick_shape(m, pick_dtype(m, slot_dtypes(WEBNN_LAYER_NORMALIZATION, 0)), 1, 4);
    a.axes = some_axes(m, x[0].rank);
    struct descriptor scale = { .dtype = x[0].dtype };
    for (uint32_t i = 0; i < (a.axes.given ? a.axes.count : x[0].rank - 1); i++)
        scale.dims[scale.rank++] = x[0].dims[a.axes.given ? a.axes.items[i] : i + 1];
    for (int i = 1; i < 3; i++)
        x[i] = once_in(m, 2) ? absent() : scale;
    return record_like(m, WEBNN_LAYER_NORMALIZATION, x, 3, &a);
}

/* ---- quantisation ---- */

static o2w_status quantizer(struct making *m, enum webnn_operator kind)
{
    struct descriptor x[3];
    bool quantize = kind == WEBNN_QUANTIZE_LINEAR;
    x[0] = pick_shape(m, pick_dtype(m, slot_dtypes(kind, 0)), 0, 4);
    x[1] = x[0];
    x[1].dtype = pick_dtype(m, slot_dtypes(kind, 1));
    if (quantize)
        x[1].dtype = x[0].dtype;
    for (uint32_t i = 0; i < x[1].rank; i++)
        if (once_in(m, 2) && x[1].dims[i] > 0)
            x[1].dims[i] = 1;
    x[2] = x[1];
    x[2].dtype = quantize ? pick_dtype(m, slot_dtypes(kind, 2)) : x[0].dtype;
    return record_like(m, kind, x, 3, NULL);
}

/* ---- recurrent ---- */

enum { STEPS = 2, BATCH = 2, FEATURES = 3, HIDDEN = 2 };

static struct webnn_u32s activations(struct making *m, uint32_t count)
{
    struct webnn_u32s l = { .given = true, .count = count };
    for (uint32_t i = 0; i < count; i++)
        l.items[i] = pick(m, 3);
    return l;
}

static struct descriptor maybe(struct making *m, struct descriptor d)
{
    return once_in(m, 2) ? absent() : d;
}

static o2w_status gru(struct making *m)
{
    struct webnn_gru_attributes a = webnn_gru_defaults();
    a.steps = STEPS;
    a.hidden_size = HIDDEN;
    a.reset_after = once_in(m, 2);
    a.return_sequence = once_in(m, 2);
    a.direction = pick(m, 3);
    a.layout = pick(m, 2);
    if (once_in(m, 2))
        a.activations = activations(m, 2);
    dim dirs = a.direction == WEBNN_DIRECTION_BOTH ? 2 : 1, rows = 3 * HIDDEN;
    enum dtype t = pick_dtype(m, slot_dtypes(WEBNN_GRU, 0));
    struct descriptor x[] = {
        SHAPE(t, STEPS, BATCH, FEATURES), SHAPE(t, dirs, rows, FEATURES),
        SHAPE(t, dirs, rows, HIDDEN),     maybe(m, SHAPE(t, dirs, rows)),
        maybe(m, SHAPE(t, dirs, rows)),   maybe(m, SHAPE(t, dirs, BATCH, HIDDEN))
    };
    return record_like(m, WEBNN_GRU, x, 6, &a);
}

static o2w_status gru_cell(struct making *m)
{
    struct webnn_gru_cell_attributes a = webnn_gru_cell_defaults();
    a.hidden_size = HIDDEN;
    a.reset_after = once_in(m, 2);
    a.layout = pick(m, 2);
    enum dtype t = pick_dtype(m, slot_dtypes(WEBNN_GRU_CELL, 0));
    dim rows = 3 * HIDDEN;
    struct descriptor x[] = { SHAPE(t, BATCH, FEATURES), SHAPE(t, rows, FEATURES),
                              SHAPE(t, rows, HIDDEN),    SHAPE(t, BATCH, HIDDEN),
                              maybe(m, SHAPE(t, rows)),  maybe(m, SHAPE(t, rows)) };
    return record_like(m, WEBNN_GRU_CELL, x, 6, &a);
}

static o2w_status lstm(struct making *m)
{
    struct webnn_lstm_attributes a = webnn_lstm_defaults();
    a.steps = STEPS;
    a.hidden_size = HIDDEN;
    a.return_sequence = once_in(m, 2);
    a.direction = pick(m, 3);
    a.layout = pick(m, 2);
    if (once_in(m, 2))
        a.activations = activations(m, 3);
    dim dirs = a.direction == WEBNN_DIRECTION_BOTH ? 2 : 1, rows = 4 * HIDDEN;
    enum dtype t = pick_dtype(m, slot_dtypes(WEBNN_LSTM, 0));
    struct descriptor state = SHAPE(t, dirs, BATCH, HIDDEN);
    struct descriptor x[] = { SHAPE(t, STEPS, BATCH, FEATURES),
                              SHAPE(t, dirs, rows, FEATURES),
                              SHAPE(t, dirs, rows, HIDDEN),
                              maybe(m, SHAPE(t, dirs, rows)),
                              maybe(m, SHAPE(t, dirs, rows)),
                              maybe(m, SHAPE(t, dirs, 3 * HIDDEN)),
                              maybe(m, state),
                              maybe(m, state) };
    return record_like(m, WEBNN_LSTM, x, 8, &a);
}

static o2w_status lstm_cell(struct making *m)
{
    struct webnn_lstm_cell_attributes a = webnn_lstm_cell_defaults();
    a.hidden_size = HIDDEN;
    a.layout = pick(m, 2);
    enum dtype t = pick_dtype(m, slot_dtypes(WEBNN_LSTM_CELL, 0));
    dim rows = 4 * HIDDEN;
    struct descriptor state = SHAPE(t, BATCH, HIDDEN);
    struct descriptor x[] = { SHAPE(t, BATCH, FEATURES),
                              SHAPE(t, rows, FEATURES),
                              SHAPE(t, rows, HIDDEN),
                              state,
                              state,
                              maybe(m, SHAPE(t, rows)),
                              maybe(m, SHAPE(t, rows)),
                              maybe(m, SHAPE(t, 3 * HIDDEN)) };
    return record_like(m, WEBNN_LSTM_CELL, x, 8, &a);
}

/* ---- which recipe ---- */

o2w_status random_call(struct making *m, enum webnn_operator kind)
{
    if (kind >= WEBNN_ADD && kind <= WEBNN_LESSER_OR_EQUAL)
        return binary(m, kind);
    if (kind >= WEBNN_REDUCE_L1 && kind <= WEBNN_REDUCE_SUM_SQUARE)
        return reduce(m, kind);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
    switch (kind) {
    case WEBNN_LOGICAL_AND:
    case WEBNN_LOGICAL_OR:
    case WEBNN_LOGICAL_XOR: return binary(m, kind);
    case WEBNN_ARG_MIN:
    case WEBNN_ARG_MAX: return arg(m, kind);
    case WEBNN_BATCH_NORMALIZATION: return batch_norm(m);
    case WEBNN_CAST: return cast(m);
    case WEBNN_CLAMP: return clamp(m);
    case WEBNN_CONCAT: return concat(m);
    case WEBNN_CONV2D: return conv(m);
    case WEBNN_CONV_TRANSPOSE2D: return conv_transpose(m);
    case WEBNN_CUMULATIVE_SUM: return cumulative_sum(m);
    case WEBNN_DEQUANTIZE_LINEAR:
    case WEBNN_QUANTIZE_LINEAR: return quantizer(m, kind);
    case WEBNN_ELU:
    case WEBNN_LEAKY_RELU:
    case WEBNN_LINEAR:
    case WEBNN_HARD_SIGMOID: return scaled(m, kind);
    case WEBNN_EXPAND: return expand(m);
    case WEBNN_GATHER: return gather(m);
    case WEBNN_GATHER_ELEMENTS:
    case WEBNN_SCATTER_ELEMENTS: return gather_elements(m, kind);
    case WEBNN_GATHER_ND:
    case WEBNN_SCATTER_ND: return gather_nd(m, kind);
    case WEBNN_GEMM: return gemm(m);
    case WEBNN_GRU: return gru(m);
    case WEBNN_GRU_CELL: return gru_cell(m);
    case WEBNN_INSTANCE_NORMALIZATION: return instance_norm(m);
    case WEBNN_LAYER_NORMALIZATION: return layer_norm(m);
    case WEBNN_LSTM: return lstm(m);
    case WEBNN_LSTM_CELL: return lstm_cell(m);
    case WEBNN_MATMUL: return matmul(m);
    case WEBNN_PAD: return pad(m);
    case WEBNN_AVERAGE_POOL2D:
    case WEBNN_L2_POOL2D:
    case WEBNN_MAX_POOL2D: return pool(m, kind);
    case WEBNN_PRELU: return prelu(m);
    case WEBNN_RESAMPLE2D: return resample(m);
    case WEBNN_RESHAPE: return reshape(m);
    case WEBNN_REVERSE: return reverse(m);
    case WEBNN_SLICE: return slice(m);
    case WEBNN_SOFTMAX: return softmax(m);
    case WEBNN_SPLIT: return split(m);
    case WEBNN_TILE: return tile(m);
    case WEBNN_TRANSPOSE: return transpose(m);
    case WEBNN_TRIANGULAR: return triangular(m);
    case WEBNN_WHERE: return where(m);
    default: return unary(m, kind);
    }
#pragma GCC diagnostic pop
}
