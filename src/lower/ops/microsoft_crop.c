/* com.microsoft: regions of images in one size. */
#include "lower/sample.h"

struct crop {
    double extrapolation_value;
    struct span mode;
};

static const struct attr_row crop_attrs[] = {
    ATTR_FLOAT(struct crop, extrapolation_value, .fallback_float = 0),
    ATTR_STRING(struct crop, mode, .fallback_text = "bilinear", .allowed = "bilinear nearest"),
};

/* Along one dim of the image: coordinates [R, size], the pixels beside them, shares of the second. */
struct line {
    value at, low, high, share, inside;
    int64_t size;
};

/* From corner to corner of the region; a single sample lies in its middle. */
static o2w_status coordinates(struct lower *l, struct calc *c, const struct image *m, value rois,
                              uint32_t i, struct line *s)
{
    value first, last, steps;
    double most = (double)(m->size[i] - 1);
    TRY(slice(l, rois, 1, i, 1, 1, &first));
    TRY(slice(l, rois, 1, i + 2, 1, 1, &last));
    if (s->size == 1) {
        value sum = calc_add(c, first, last);
        s->at = calc_mul(c, sum, calc_number(c, 0.5 * most));
        return c->status;
    }
    TRY(iota(l, c->dtype, s->size, 1, 2, &steps));
    value range = calc_mul(c, calc_sub(c, last, first), calc_number(c, most));
    value step = calc_div(c, range, calc_number(c, (double)(s->size - 1)));
    s->at = calc_add(c, calc_mul(c, first, calc_number(c, most)), calc_mul(c, steps, step));
    return c->status;
}

/* What a line gives, over all places [R, height · width]. */
static value spread(struct calc *c, value v, uint32_t i, const struct line lines[2])
{
    if (c->status != O2W_OK)
        return NULL;
    const int64_t h = lines[0].size, w = lines[1].size;
    const dim line[] = { v->dims[0], i == 0 ? h : 1, i == 0 ? 1 : w }, all[] = { v->dims[0], h, w };
    value y = v;
    c->status = reshape(c->l, v, line, 3, &y);
    if (c->status == O2W_OK)
        c->status = expand(c->l, y, all, 3, &y);
    if (c->status == O2W_OK)
        c->status = reshape(c->l, y, (const dim[]){ v->dims[0], h * w }, 2, &y);
    return y;
}

static void neighbours(struct calc *c, const struct image *m, uint32_t i, bool nearest,
                       struct line lines[2])
{
    struct line *s = &lines[i];
    s->inside = spread(c, image_inside(c, m, i, s->at), i, lines);
    value low =
        nearest ? calc_floor(c, calc_add(c, s->at, calc_number(c, 0.5))) : calc_floor(c, s->at);
    s->low = spread(c, image_index(c, m, i, low), i, lines);
    if (nearest)
        return;
    s->high = spread(c, image_index(c, m, i, calc_ceil(c, s->at)), i, lines);
    s->share = per_place(c, spread(c, calc_sub(c, s->at, low), i, lines));
}

/* a + (b - a) · share */
static value blend(struct calc *c, value a, value b, value share)
{
    return calc_add(c, a, calc_mul(c, calc_sub(c, b, a), share));
}

static value sampled(struct calc *c, const struct image *m, bool nearest, struct line lines[2])
{
    const struct line *y = &lines[0], *x = &lines[1];
    value first = image_read(c, m, calc_add(c, y->low, x->low));
    if (nearest)
        return first;
    value top = blend(c, first, image_read(c, m, calc_add(c, y->low, x->high)), x->share);
    value below = blend(c, image_read(c, m, calc_add(c, y->high, x->low)),
                        image_read(c, m, calc_add(c, y->high, x->high)), x->share);
    return blend(c, top, below, y->share);
}

/* Every region begins at its image. */
static o2w_status region_offsets(struct lower *l, const struct node_view *n, struct image *m)
{
    value images = input(n, 2), plane;
    if (images->rank != 1)
        return refuse_input(l, n, 2, "has rank %u, must be 1", images->rank);
    TRY(reshape(l, images, (const dim[]){ images->dims[0], 1 }, 2, &images));
    TRY(scalar_i64(l, DTYPE_INT32, m->size[0] * m->size[1], &plane));
    return op2(l, WEBNN_MUL, images, plane, &m->offsets);
}

static o2w_status read_size(struct lower *l, const struct node_view *n, struct line lines[2])
{
    struct ints size;
    TRY(known_ints(l, n, 3, &size));
    if (size.count != 2 || size.items[0] < 1 || size.items[1] < 1 ||
        size.items[0] > ((int64_t)1 << 24) / size.items[1])
        return refuse_input(l, n, 3, "must be two numbers from 1 on, of at most 2^24 places");
    for (uint32_t i = 0; i < 2; i++)
        lines[i].size = size.items[i];
    return O2W_OK;
}

static o2w_status lower_crop(struct lower *l, const struct node_view *n, const void *params)
{
    const struct crop *p = params;
    bool nearest = span_is(p->mode, "nearest");
    struct line lines[2] = { 0 };
    struct image m;
    value x, rois;
    TRY(read_size(l, n, lines));
    if (input(n, 0)->rank != 4 || input(n, 1)->rank != 2 || input(n, 1)->dims[1] != 4)
        return refuse_input(l, n, 1, "must be [regions, 4] beside images of rank 4");
    TRY(widen(l, input(n, 0), &x));
    TRY(widen(l, input(n, 1), &rois));
    TRY(image_begin(l, n, x, &m));
    TRY(region_offsets(l, n, &m));
    struct calc c = calc_begin(l, x);
    for (uint32_t i = 0; i < 2; i++) {
        TRY(coordinates(l, &c, &m, rois, i, &lines[i]));
        neighbours(&c, &m, i, nearest, lines);
    }
    value y = sampled(&c, &m, nearest, lines);
    value inside = per_place(&c, calc_and(&c, lines[0].inside, lines[1].inside));
    y = calc_where(&c, inside, y, calc_number(&c, p->extrapolation_value));
    TRY(c.status);
    const dim dims[] = { rois->dims[0], x->dims[1], lines[0].size, lines[1].size };
    TRY(image_shape(l, y, dims, 4, &y));
    return emit_narrowed(l, n, y);
}

#define SET_3 (DTYPE_BIT(DTYPE_FLOAT32) | DTYPE_BIT(DTYPE_FLOAT16) | DTYPE_BIT(DTYPE_FLOAT64))

const struct onnx_row microsoft_crop_rows[] = {
    { MICROSOFT("CropAndResize"),
      INPUTS(IN("X", T, SET_3), IN("rois", T, SET_3),
             IN("batch_indices", NONE, DTYPE_BIT(DTYPE_INT32)),
             IN("crop_size", NONE, DTYPE_BIT(DTYPE_INT32), KNOWN)),
      RESULTS(OUT("Y", T)), PARAMS(struct crop, crop_attrs), .lower = lower_crop,
      .class = CLASS_COMPOSED, .webnn = "gather, mul, add, where" },
};
ROW_COUNT(microsoft_crop);
