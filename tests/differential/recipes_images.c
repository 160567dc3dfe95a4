/* Operators with windows, samples and statistics over images. */
#include "draw.h"

#include <string.h>

enum { SPATIAL_MOST = 3 };

static bool row_is(const struct node *n, const char *name)
{
    return strcmp(n->row->name, name) == 0;
}

/* [batch, channels, spatial …] */
static struct dims image(struct draw *d, int64_t channels, uint32_t spatial)
{
    struct dims s = DIMS_OF(draw_between(d, 1, 2), channels);
    for (uint32_t i = 0; i < spatial; i++)
        s.sizes[s.rank++] = draw_between(d, 1, spatial == 3 ? 5 : 8);
    return s;
}

static uint32_t draw_spatial(struct draw *d)
{
    return (uint32_t)DRAW_OF(d, 1, 2, 2, 2, 3);
}

/* --- windows ------------------------------------------------------------------------------------------ */

struct window {
    uint32_t spatial;
    int64_t kernel[SPATIAL_MOST];
};

static void draw_list(struct draw *d, struct node *n, const char *name, uint32_t count, int64_t low,
                      int64_t high)
{
    int64_t v[2 * SPATIAL_MOST];
    for (uint32_t i = 0; i < count; i++)
        v[i] = draw_between(d, low, high);
    add_ints(n, name, v, count);
}

static void draw_window(struct draw *d, struct node *n, struct window *w, bool needs_kernel)
{
    int64_t pads[2 * SPATIAL_MOST];
    for (uint32_t i = 0; i < w->spatial; i++)
        w->kernel[i] = draw_between(d, 1, 3);
    if (needs_kernel || once_in(d, 2))
        add_ints(n, "kernel_shape", w->kernel, w->spatial);
    if (!once_in(d, 3))
        draw_list(d, n, "strides", w->spatial, 1, 3);
    if (row_has_attribute(n->row, "dilations") && once_in(d, 3))
        draw_list(d, n, "dilations", w->spatial, 1, 2);
    switch (draw_below(d, 4)) {
    case 0: add_text(n, "auto_pad", once_in(d, 2) ? "SAME_UPPER" : "SAME_LOWER"); break;
    case 1:
        for (uint32_t i = 0; i < 2 * w->spatial; i++)
            pads[i] = draw_between(d, 0, w->kernel[i % w->spatial] - (needs_kernel ? 1 : 0));
        add_ints(n, "pads", pads, 2 * w->spatial);
        break;
    case 2: add_text(n, "auto_pad", once_in(d, 2) ? "VALID" : "NOTSET"); break;
    default: break;
    }
}

static struct dims filter_dims(int64_t first, int64_t second, const struct window *w)
{
    struct dims s = DIMS_OF(first, second);
    for (uint32_t i = 0; i < w->spatial; i++)
        s.sizes[s.rank++] = w->kernel[i];
    return s;
}

static bool conv(struct draw *d, struct node *n)
{
    struct window w = { .spatial = draw_spatial(d) };
    int64_t groups = DRAW_OF(d, 1, 1, 2, 3), each = draw_between(d, 1, 2);
    bool transposed = row_is(n, "ConvTranspose");
    int64_t out = groups * draw_between(d, 1, 2);
    enum dtype t = draw_dtype(d, slot_dtypes(n, 0));
    draw_window(d, n, &w, false);
    add_int(n, "group", groups);
    push_input(n, draw_like(d, t, image(d, groups * each, w.spatial)));
    push_input(n, draw_plain(d, t,
                             transposed ? filter_dims(groups * each, out / groups, &w)
                                        : filter_dims(out, each, &w),
                             !once_in(d, 3)));
    if (once_in(d, 2))
        push_input(n, draw_plain(d, t, DIMS_OF(out), true));
    if (transposed && once_in(d, 3))
        draw_list(d, n, "output_padding", w.spatial, 0, 1);
    return true;
}

static bool pool(struct draw *d, struct node *n)
{
    struct window w = { .spatial = draw_spatial(d) };
    enum dtype t = draw_dtype(d, slot_dtypes(n, 0));
    draw_window(d, n, &w, true);
    push_input(n, draw_like(d, t, image(d, draw_between(d, 1, 3), w.spatial)));
    draw_attributes(d, n, 4);
    return true;
}

static bool global_pool(struct draw *d, struct node *n)
{
    push_input(n, draw_input(d, n, 0, 3, 5));
    if (row_has_attribute(n->row, "p") && d->p->opset >= 2 && once_in(d, 2))
        add_int(n, "p", draw_between(d, 1, 3));
    return true;
}

static bool integer_conv(struct draw *d, struct node *n)
{
    struct window w = { .spatial = 2 };
    int64_t out = draw_between(d, 1, 3), in = draw_between(d, 1, 2);
    enum dtype x = once_in(d, 2) ? DTYPE_UINT8 : DTYPE_INT8,
               f = once_in(d, 2) ? DTYPE_UINT8 : DTYPE_INT8;
    if (x == DTYPE_INT8)
        f = x; /* the pairs that the runtime has */
    draw_window(d, n, &w, false);
    push_input(n, draw_value(d, x, image(d, in, 2), false));
    push_input(n, draw_value(d, f, filter_dims(out, in, &w), true));
    push_input(n, once_in(d, 3) ? ABSENT : draw_value(d, x, (struct dims){ 0 }, true));
    if (once_in(d, 2))
        push_input(n, draw_range(d, f, (struct dims){ 0 }, 0, 3, true));
    return true;
}

static int draw_scale(struct draw *d, enum dtype t, struct dims s, bool known)
{
    int id = draw_range(d, t, s, 1, 16, known);
    for (uint64_t i = 0; id != ABSENT && i < tensor_count(drawn(d, id)); i++)
        tensor_put_double(drawn(d, id), i, tensor_get_double(drawn(d, id), i) / 64);
    return id;
}

static bool qlinear_conv(struct draw *d, struct node *n)
{
    struct window w = { .spatial = 2 };
    int64_t out = draw_between(d, 1, 3), in = draw_between(d, 1, 2);
    enum dtype x = once_in(d, 2) ? DTYPE_UINT8 : DTYPE_INT8;
    struct dims scalar = { 0 }, each = once_in(d, 2) ? scalar : DIMS_OF(out);
    draw_window(d, n, &w, false);
    push_input(n, draw_value(d, x, image(d, in, 2), false));
    push_input(n, draw_scale(d, DTYPE_FLOAT32, scalar, true));
    push_input(n, draw_range(d, x, scalar, 0, 5, true));
    push_input(n, draw_value(d, DTYPE_INT8, filter_dims(out, in, &w), true));
    push_input(n, draw_scale(d, DTYPE_FLOAT32, each, true));
    push_input(n, draw_range(d, DTYPE_INT8, each, 0, 0, true));
    push_input(n, draw_scale(d, DTYPE_FLOAT32, scalar, true));
    push_input(n, draw_range(d, x, scalar, 0, 5, true));
    if (once_in(d, 2))
        push_input(n, draw_range(d, DTYPE_INT32, DIMS_OF(out), -50, 50, true));
    return true;
}

static bool max_roi(struct draw *d, struct node *n)
{
    int64_t pooled[] = { draw_between(d, 1, 3), draw_between(d, 1, 3) };
    int64_t count = draw_between(d, 1, 3);
    push_input(n, draw_like(d, DTYPE_FLOAT32, DIMS_OF(1, draw_between(d, 1, 2), 6, 7)));
    push_input(n, draw_range(d, DTYPE_FLOAT32, DIMS_OF(count, 5), 0, 6, once_in(d, 2)));
    for (int64_t i = 0; i < count && n->inputs[1] != ABSENT; i++)
        tensor_put_double(drawn(d, n->inputs[1]), (uint64_t)i * 5, 0);
    add_ints(n, "pooled_shape", pooled, 2);
    if (once_in(d, 2))
        add_float(n, "spatial_scale", once_in(d, 2) ? 0.5 : 2);
    return true;
}

static bool roi_align(struct draw *d, struct node *n)
{
    int64_t count = draw_between(d, 1, 3), batch = draw_between(d, 1, 2);
    push_input(n, draw_like(d, DTYPE_FLOAT32, DIMS_OF(batch, draw_between(d, 1, 2), 6, 7)));
    push_input(n, draw_range(d, DTYPE_FLOAT32, DIMS_OF(count, 4), 0, 6, once_in(d, 2)));
    push_input(n, draw_range(d, DTYPE_INT64, DIMS_OF(count), 0, batch - 1, once_in(d, 2)));
    add_int(n, "output_height", draw_between(d, 1, 3));
    add_int(n, "output_width", draw_between(d, 1, 3));
    add_int(n, "sampling_ratio", draw_between(d, 1, 3));
    draw_attributes(d, n, 4);
    return true;
}

/* --- samples ------------------------------------------------------------------------------------------- */

static bool grid_sample(struct draw *d, struct node *n)
{
    int64_t batch = draw_between(d, 1, 2);
    push_input(n, draw_like(d, DTYPE_FLOAT32,
                            DIMS_OF(batch, draw_between(d, 1, 2), draw_between(d, 1, 5), 4)));
    push_input(n, draw_scale(d, DTYPE_FLOAT32,
                             DIMS_OF(batch, draw_between(d, 1, 3), draw_between(d, 1, 3), 2),
                             once_in(d, 2)));
    for (uint64_t i = 0; n->inputs[1] != ABSENT && i < tensor_count(drawn(d, n->inputs[1])); i++)
        tensor_put_double(drawn(d, n->inputs[1]), i, (double)draw_between(d, -13, 13) / 10);
    draw_attributes(d, n, 4);
    return true;
}

static bool affine_grid(struct draw *d, struct node *n)
{
    bool cube = once_in(d, 3);
    int64_t batch = draw_between(d, 1, 2);
    struct dims theta = cube ? DIMS_OF(batch, 3, 4) : DIMS_OF(batch, 2, 3);
    int64_t size[] = { batch, 1, draw_between(d, 2, 4), draw_between(d, 2, 4),
                       draw_between(d, 2, 4) };
    push_input(n, draw_plain(d, DTYPE_FLOAT32, theta, false));
    push_input(n, known_list(d, DTYPE_INT64, size, cube ? 5 : 4));
    draw_attributes(d, n, 4);
    return true;
}

static int known_floats(struct draw *d, const float *v, size_t count)
{
    int id = draw_range(d, DTYPE_FLOAT32, DIMS_OF((int64_t)count), 0, 0, true);
    for (size_t i = 0; id != ABSENT && i < count; i++)
        tensor_put_double(drawn(d, id), i, (double)v[i]);
    return id;
}

static float draw_factor(struct draw *d)
{
    static const float factors[] = { 1, 1, 2, 3, 0.5F, 1.5F, 0.7F, 2.6F };
    return factors[draw_below(d, sizeof factors / sizeof *factors)];
}

/* The axes that are resized: the last two, others rarely. */
static void draw_factors(struct draw *d, const struct tensor *x, float *scales, int64_t *sizes)
{
    for (uint32_t i = 0; i < x->rank; i++) {
        bool resized = i + 2 >= x->rank;
        scales[i] = resized ? draw_factor(d) : 1;
        sizes[i] = resized ? draw_between(d, 1, 9) : x->dims[i];
    }
}

static bool upsample(struct draw *d, struct node *n)
{
    float scales[MAX_RANK];
    int64_t sizes[MAX_RANK];
    push_input(n, draw_input(d, n, 0, 3, 4));
    const struct tensor *x = node_input(d->p, n, 0);
    draw_factors(d, x, scales, sizes);
    for (uint32_t i = 0; i < x->rank && d->p->opset < 10; i++)
        scales[i] = scales[i] < 1 ? 1 : scales[i];
    draw_attributes(d, n, x->rank);
    if (n->row->input_count > 1) {
        push_input(n, known_floats(d, scales, x->rank));
    } else {
        struct attribute *a = add_attribute(n, "scales", PARAM_FLOATS);
        a->count = x->rank;
        memcpy(a->reals, scales, x->rank * sizeof *scales);
    }
    return d->p->opset >= 7;
}

static int draw_roi(struct draw *d, uint32_t rank)
{
    float roi[2 * MAX_RANK];
    for (uint32_t i = 0; i < rank; i++) {
        roi[i] = (float)draw_between(d, -1, 3) / 8;
        roi[i + rank] = (float)draw_between(d, 5, 9) / 8;
    }
    return known_floats(d, roi, 2 * rank);
}

static bool resize(struct draw *d, struct node *n)
{
    float scales[MAX_RANK];
    int64_t sizes[MAX_RANK];
    if (d->p->opset < 11)
        return upsample(d, n);
    push_input(n, draw_input(d, n, 0, 3, 4));
    const struct tensor *x = node_input(d->p, n, 0);
    uint32_t rank = x->rank;
    draw_factors(d, x, scales, sizes);
    draw_attributes(d, n, rank);
    const struct attribute *mode = find_attribute(n, "coordinate_transformation_mode");
    bool crop = mode && strcmp(mode->text, "tf_crop_and_resize") == 0;
    push_input(n, crop || d->p->opset < 13
                      ? draw_roi(d, find_attribute(n, "axes")
                                        ? (uint32_t)find_attribute(n, "axes")->count
                                        : rank)
                      : ABSENT);
    const struct attribute *axes = find_attribute(n, "axes");
    for (size_t i = 0; axes && i < axes->count; i++) { /* the lists are of these axes */
        int64_t at = axes->wholes[i] < 0 ? axes->wholes[i] + rank : axes->wholes[i];
        scales[i] = draw_factor(d);
        sizes[i] = once_in(d, 2) ? x->dims[at] : draw_between(d, 1, 9);
    }
    size_t count = axes ? axes->count : rank;
    if (once_in(d, 2)) {
        push_input(n, known_floats(d, scales, count));
        return count > 0;
    }
    push_input(n, d->p->opset < 13 ? known_floats(d, scales, 0) : ABSENT);
    push_input(n, known_list(d, DTYPE_INT64, sizes, count));
    return count > 0;
}

static bool col2im(struct draw *d, struct node *n)
{
    int64_t image_shape[] = { 4, 5 }, block[] = { draw_between(d, 1, 2), draw_between(d, 1, 2) };
    int64_t blocks = (4 - block[0] + 1) * (5 - block[1] + 1), c = draw_between(d, 1, 2);
    push_input(n,
               draw_plain(d, DTYPE_FLOAT32,
                          DIMS_OF(draw_between(d, 1, 2), c * block[0] * block[1], blocks), false));
    push_input(n, known_list(d, DTYPE_INT64, image_shape, 2));
    push_input(n, known_list(d, DTYPE_INT64, block, 2));
    return true;
}

/* --- statistics ------------------------------------------------------------------------------------------ */

/* Not all alike: a variance of nearly nothing divides rounding by rounding. */
static int draw_spread(struct draw *d, enum dtype t, struct dims s)
{
    int id = draw_plain(d, t, s, false);
    for (uint64_t i = 0; id != ABSENT && i < tensor_count(drawn(d, id)); i++)
        tensor_put_double(drawn(d, id), i,
                          tensor_get_double(drawn(d, id), i) + (double)(i * i % 7) / 4);
    return id;
}

static bool batch_norm(struct draw *d, struct node *n)
{
    enum dtype t = draw_dtype(d, slot_dtypes(n, 0));
    int64_t c = draw_between(d, 1, 4);
    push_input(n, draw_like(d, t, image(d, c, (uint32_t)DRAW_OF(d, 1, 2, 2, 3))));
    for (int i = 0; i < 3; i++)
        push_input(n, draw_plain(d, t, DIMS_OF(c), !once_in(d, 3)));
    push_input(n, draw_range(d, t, DIMS_OF(c), 1, 5, !once_in(d, 3)));
    if (once_in(d, 2))
        add_float(n, "epsilon", once_in(d, 2) ? 0.1 : 1e-3);
    n->output_count = 1;
    return true;
}

static bool instance_norm(struct draw *d, struct node *n)
{
    enum dtype t = draw_dtype(d, slot_dtypes(n, 0));
    int64_t c = draw_between(d, 1, 4);
    push_input(n, draw_spread(d, t, image(d, c, (uint32_t)DRAW_OF(d, 1, 2, 2, 3))));
    for (int i = 0; i < 2; i++)
        push_input(n, draw_plain(d, t, DIMS_OF(c), !once_in(d, 3)));
    add_float(n, "epsilon", 0.1);
    return true;
}

static bool group_norm(struct draw *d, struct node *n)
{
    int64_t groups = draw_between(d, 1, 3), c = groups * draw_between(d, 1, 2);
    int64_t size = d->p->opset < 21 ? groups : c;
    push_input(n, draw_spread(d, DTYPE_FLOAT32, image(d, c, draw_spatial(d))));
    push_input(n, draw_plain(d, DTYPE_FLOAT32, DIMS_OF(size), true));
    push_input(n, draw_plain(d, DTYPE_FLOAT32, DIMS_OF(size), true));
    add_int(n, "num_groups", groups);
    add_float(n, "epsilon", 0.1);
    return true;
}

static bool layer_norm(struct draw *d, struct node *n)
{
    struct dims s = draw_dims(d, 1, 4), tail = { 0 };
    int64_t axis = draw_axis(d, s.rank);
    enum dtype t = draw_dtype(d, slot_dtypes(n, 0) & ~DTYPE_BIT(DTYPE_BFLOAT16));
    push_input(n, draw_spread(d, t, s));
    for (int64_t i = axis < 0 ? axis + s.rank : axis; i < s.rank; i++)
        tail.sizes[tail.rank++] = s.sizes[i];
    push_input(n, draw_plain(d, t, tail, !once_in(d, 3)));
    if (n->row->input_count > 2 && once_in(d, 2))
        push_input(n, draw_plain(d, t, tail, true));
    add_int(n, "axis", axis);
    add_float(n, "epsilon", 0.1);
    return true;
}

static bool lrn(struct draw *d, struct node *n)
{
    push_input(n, draw_like(d, DTYPE_FLOAT32, image(d, draw_between(d, 1, 5), 2)));
    add_int(n, "size", DRAW_OF(d, 1, 3, 5));
    draw_attributes(d, n, 4);
    return true;
}

const struct recipe image_recipes[] = {
    { "Conv ConvTranspose", conv },
    { "MaxPool AveragePool LpPool", pool },
    { "GlobalAveragePool GlobalMaxPool GlobalLpPool", global_pool },
    { "ConvInteger", integer_conv },
    { "QLinearConv", qlinear_conv },
    { "MaxRoiPool", max_roi },
    { "RoiAlign", roi_align },
    { "GridSample", grid_sample },
    { "AffineGrid", affine_grid },
    { "Upsample", upsample },
    { "Resize", resize },
    { "Col2Im", col2im },
    { "BatchNormalization", batch_norm },
    { "InstanceNormalization", instance_norm },
    { "GroupNormalization", group_norm },
    { "LayerNormalization RMSNormalization", layer_norm },
    { "LRN", lrn },
    { NULL, NULL },
};
