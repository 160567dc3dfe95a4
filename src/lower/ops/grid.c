/* Sampling grids. */
#include "lower/sample.h"

#include <string.h>

/* --- AffineGrid -------------------------------------------------------------------------------------- */

struct affine_grid {
    int64_t align_corners;
};

static const struct attr_row affine_grid_attrs[] = { ATTR_INT(struct affine_grid, align_corners,
                                                              .allowed = "0 1") };

static double centre(int64_t i, int64_t size, bool align)
{
    return align ? -1 + 2 * (double)i / (double)(size - 1) : (2 * (double)i + 1) / (double)size - 1;
}

/* [places, rank + 1]: x, y (z), 1 of every place. */
static o2w_status base_grid(struct lower *l, const int64_t *size, uint32_t rank, bool align,
                            value *out)
{
    struct tensor t;
    int64_t places = 1;
    for (uint32_t i = 0; i < rank; i++)
        places *= size[i];
    TRY(known_new(l, DTYPE_FLOAT32, (const dim[]){ places, rank + 1 }, 2, &t, out));
    for (int64_t p = 0; p < places; p++) {
        int64_t rest = p;
        uint64_t row = (uint64_t)p * (rank + 1);
        for (uint32_t i = rank; i-- > 0; rest /= size[i])
            tensor_put_double(&t, row + rank - 1 - i, centre(rest % size[i], size[i], align));
        tensor_put_double(&t, row + rank, 1);
    }
    return O2W_OK;
}

static o2w_status read_size(struct lower *l, const struct node_view *n, bool align,
                            struct ints *size)
{
    value theta = input(n, 0);
    int64_t places = 1;
    TRY(known_ints(l, n, 1, size));
    if (size->count != 4 && size->count != 5)
        return refuse_input(l, n, 1, "has %u elements, must have 4 or 5", size->count);
    dim rank = size->count - 2;
    if (theta->rank != 3 || theta->dims[1] != rank || theta->dims[2] != rank + 1)
        return refuse_input(l, n, 0, "has shape %s, must be [N, %lld, %lld]",
                            dim_list_text(lower_exprs(l), theta->dims, theta->rank, lower_arena(l)),
                            (long long)rank, (long long)rank + 1);
    if (dim_is_static(theta->dims[0]) && theta->dims[0] != size->items[0])
        return refuse_input(l, n, 1, "has a batch of %lld, theta one of %lld",
                            (long long)size->items[0], (long long)theta->dims[0]);
    for (uint32_t i = 2; i < size->count; i++) {
        int64_t s = size->items[i];
        if (s < 1 || s > INT32_MAX || places > ((int64_t)1 << 24) / s)
            return refuse_input(l, n, 1, "is %lld at index %u, at least 1 and in all 2^24 places",
                                (long long)s, i);
        if (align && s == 1)
            return refuse_input(l, n, 1,
                                "is 1 at index %u, with align_corners the step is undefined", i);
        places *= s;
    }
    return O2W_OK;
}

static o2w_status lower_affine_grid(struct lower *l, const struct node_view *n, const void *params)
{
    static const uint32_t turned[] = { 0, 2, 1 };
    const struct affine_grid *p = params;
    struct ints size = { 0 };
    value theta, base, y;
    dim dims[6];
    TRY(read_size(l, n, p->align_corners != 0, &size));
    uint32_t rank = size.count - 2;
    TRY(base_grid(l, size.items + 2, rank, p->align_corners != 0, &base));
    TRY(widen(l, input(n, 0), &theta));
    TRY(transpose(l, theta, turned, &theta));
    TRY(op2(l, WEBNN_MATMUL, base, theta, &y));
    dims[0] = theta->dims[0];
    for (uint32_t i = 0; i < rank; i++)
        dims[1 + i] = size.items[2 + i];
    dims[1 + rank] = rank;
    TRY(reshape(l, y, dims, rank + 2, &y));
    return emit_narrowed(l, n, y);
}

/* --- GridSample -------------------------------------------------------------------------------------- */

struct grid_sample {
    int64_t align_corners;
    struct span mode, padding_mode;
};

#define GRID_ATTRS(words, fallback)                                                         \
    ATTR_INT(struct grid_sample, align_corners, .allowed = "0 1"),                          \
        ATTR_STRING(struct grid_sample, mode, .fallback_text = fallback, .allowed = words), \
        ATTR_STRING(struct grid_sample, padding_mode, .fallback_text = "zeros",             \
                    .allowed = "zeros border reflection")
static const struct attr_row grid_16_attrs[] = { GRID_ATTRS("bilinear nearest bicubic",
                                                            "bilinear") };
static const struct attr_row grid_20_attrs[] = { GRID_ATTRS("linear nearest cubic", "linear") };

enum padding { PADDING_ZEROS, PADDING_BORDER, PADDING_REFLECTION };

/* What one neighbour along one dim gives; weight NULL: 1, inside NULL: always. */
struct tap {
    value index, inside, weight;
};

enum { MAX_TAPS = 4 };

struct sampler {
    struct calc c; /* of coordinates */
    struct image image;
    enum padding padding;
    bool align;
    uint32_t taps; /* along each dim */
    struct tap tap[SAMPLE_DIMS][MAX_TAPS];
    value fraction[SAMPLE_DIMS];
};

/* From -1 … 1 to places. */
static value denormalized(struct sampler *s, value g, int64_t size)
{
    struct calc *c = &s->c;
    if (s->align)
        return calc_mul(c, calc_add(c, g, calc_number(c, 1)),
                        calc_number(c, (double)(size - 1) / 2));
    value y = calc_mul(c, calc_add(c, g, calc_number(c, 1)), calc_number(c, (double)size));
    return calc_mul(c, calc_sub(c, y, calc_number(c, 1)), calc_number(c, 0.5));
}

/* Back and forth between the first and last place, or their outer edges. */
static value reflected(struct sampler *s, value x, int64_t size)
{
    struct calc *c = &s->c;
    double low = s->align ? 0 : -0.5, range = s->align ? (double)(size - 1) : (double)size;
    if (range == 0)
        return calc_mul(c, x, calc_number(c, 0));
    value t = calc_abs(c, calc_sub(c, x, calc_number(c, low)));
    value turns = calc_floor(c, calc_div(c, t, calc_number(c, 2 * range)));
    value rest = calc_sub(c, t, calc_mul(c, turns, calc_number(c, 2 * range)));
    value back = calc_sub(c, calc_number(c, 2 * range), rest);
    return calc_add(c, calc_min(c, rest, back), calc_number(c, low));
}

/* The neighbour at a whole coordinate. One that lies outside is none, the nearest, or reflected: to do
 * this for each neighbour is what the runtime and the exporters' framework do. */
static void set_tap(struct sampler *s, uint32_t i, uint32_t k, value at)
{
    struct tap *tap = &s->tap[i][k];
    if (s->padding == PADDING_ZEROS)
        tap->inside = image_inside(&s->c, &s->image, i, at);
    if (s->padding == PADDING_REFLECTION)
        at = reflected(s, at, s->image.size[i]);
    tap->index = image_index(&s->c, &s->image, i, at);
}

/* a = -0.75: weights at distances 1 + t, t, 1 - t, 2 - t. */
static value cubic_inner(struct calc *c, value t)
{
    value y = calc_sub(c, calc_mul(c, t, calc_number(c, 1.25)), calc_number(c, 2.25));
    return calc_add(c, calc_mul(c, calc_mul(c, y, t), t), calc_number(c, 1));
}
static value cubic_outer(struct calc *c, value t)
{
    value y = calc_add(c, calc_mul(c, t, calc_number(c, -0.75)), calc_number(c, 3.75));
    y = calc_sub(c, calc_mul(c, y, t), calc_number(c, 6));
    return calc_add(c, calc_mul(c, y, t), calc_number(c, 3));
}

static void set_weights(struct sampler *s, uint32_t i, value t)
{
    struct calc *c = &s->c;
    struct tap *tap = s->tap[i];
    value one = calc_number(c, 1), rest = calc_sub(c, one, t);
    if (s->taps == 2) {
        tap[0].weight = rest;
        tap[1].weight = t;
        return;
    }
    tap[0].weight = cubic_outer(c, calc_add(c, t, one));
    tap[1].weight = cubic_inner(c, t);
    tap[2].weight = cubic_inner(c, rest);
    tap[3].weight = cubic_outer(c, calc_add(c, rest, one));
}

static void set_taps(struct sampler *s, uint32_t i, value at)
{
    struct calc *c = &s->c;
    if (s->taps == 1) {
        set_tap(s, i, 0, at);
        return;
    }
    value whole = calc_floor(c, at);
    for (uint32_t k = 0; k < s->taps; k++) {
        double step = (double)k - (s->taps == 4);
        set_tap(s, i, k, step == 0 ? whole : calc_add(c, whole, calc_number(c, step)));
    }
    set_weights(s, i, calc_sub(c, at, whole));
}

/* One neighbour: k counts through the taps of all dims. */
static value neighbour(struct sampler *s, struct calc *x, uint32_t k)
{
    struct calc *c = &s->c;
    struct tap all = { 0 };
    for (uint32_t i = s->image.rank; i-- > 0; k /= s->taps) {
        const struct tap *one = &s->tap[i][k % s->taps];
        all.index = all.index ? calc_add(c, all.index, one->index) : one->index;
        if (one->inside)
            all.inside = all.inside ? calc_and(c, all.inside, one->inside) : one->inside;
        if (one->weight)
            all.weight = all.weight ? calc_mul(c, all.weight, one->weight) : one->weight;
    }
    if (c->status != O2W_OK)
        x->status = c->status;
    value y = image_read(x, &s->image, all.index);
    if (all.inside)
        y = calc_where(x, per_place(x, all.inside), y, calc_number(x, 0));
    return all.weight ? calc_mul(x, y, per_place(x, calc_cast(x, all.weight, x->dtype))) : y;
}

static o2w_status check_grid(struct lower *l, const struct node_view *n, uint32_t taps)
{
    value x = input(n, 0), grid = input(n, 1);
    if (x->rank < 4 || x->rank > 5)
        return refuse_input(l, n, 0, "has rank %u, must be 4 or 5", x->rank);
    if (taps == 4 && x->rank == 5)
        return refuse_attribute(l, n, "mode", "is cubic for three spatial dimensions");
    if (grid->rank != x->rank || grid->dims[grid->rank - 1] != x->rank - 2)
        return refuse_input(l, n, 1, "has shape %s, its rank must be %u and its last dimension %u",
                            dim_list_text(lower_exprs(l), grid->dims, grid->rank, lower_arena(l)),
                            x->rank, x->rank - 2);
    if (taps > 1 && !dtype_is_float(x->dtype))
        return refuse_input(l, n, 0, "has type %s, which only mode nearest takes",
                            dtype_name(x->dtype));
    return O2W_OK;
}

/* Component d - 1 - i of the grid, as coordinates along spatial dim i: [N, P]. */
static o2w_status grid_component(struct lower *l, const struct node_view *n, value grid, uint32_t i,
                                 value *out)
{
    uint32_t last = grid->rank - 1;
    dim dims[2] = { grid->dims[0], 1 };
    TRY(dims_product(l, n, grid->dims, 1, last, &dims[1]));
    TRY(slice(l, grid, last, (int64_t)last - 2 - i, 1, 1, out));
    return reshape(l, *out, dims, 2, out);
}

static void sampler_modes(struct sampler *s, const struct grid_sample *p)
{
    s->taps = span_is(p->mode, "nearest")                                ? 1
              : span_is(p->mode, "cubic") || span_is(p->mode, "bicubic") ? 4
                                                                         : 2;
    s->padding = span_is(p->padding_mode, "zeros")    ? PADDING_ZEROS
                 : span_is(p->padding_mode, "border") ? PADDING_BORDER
                                                      : PADDING_REFLECTION;
    s->align = p->align_corners != 0;
}

static o2w_status emit_sampled(struct lower *l, const struct node_view *n, value grid, value y)
{
    value x = input(n, 0);
    dim dims[MAX_RANK] = { x->dims[0], x->dims[1] };
    for (uint32_t i = 2; i < x->rank; i++)
        dims[i] = grid->dims[i - 1];
    TRY(image_shape(l, y, dims, x->rank, &y));
    TRY(cast(l, y, x->dtype, &y));
    return emit_as(l, n, 0, y, x->dtype);
}

static o2w_status lower_grid_sample(struct lower *l, const struct node_view *n, const void *params)
{
    struct sampler s = { 0 };
    value x, grid, at[SAMPLE_DIMS], y = NULL;
    sampler_modes(&s, params);
    TRY(check_grid(l, n, s.taps));
    TRY(widen(l, input(n, 0), &x));
    TRY(widen(l, input(n, 1), &grid));
    TRY(image_begin(l, n, x, &s.image));
    s.c = calc_begin(l, grid);
    for (uint32_t i = 0; i < s.image.rank; i++) {
        TRY(grid_component(l, n, grid, i, &at[i]));
        at[i] = denormalized(&s, at[i], s.image.size[i]);
        if (s.taps == 1)
            at[i] = calc_round(&s.c, at[i]);
    }
    for (uint32_t i = 0; i < s.image.rank; i++)
        set_taps(&s, i, at[i]);
    TRY(s.c.status);
    struct calc c = calc_begin(l, x);
    uint32_t neighbours = 1;
    for (uint32_t i = 0; i < s.image.rank; i++)
        neighbours *= s.taps;
    for (uint32_t k = 0; k < neighbours; k++) {
        value one = neighbour(&s, &c, k);
        y = y ? calc_add(&c, y, one) : one;
    }
    TRY(c.status);
    return emit_sampled(l, n, grid, y);
}

#define SET_GRID (SET_FLOATS)
#define GRID_SAMPLE(from, to, attrs)                                                         \
    {                                                                                        \
        ONNX("GridSample", from, to), INPUTS(IN("X", T, SET_ALL), IN("grid", T1, SET_GRID)), \
            RESULTS(OUT("Y", T)), PARAMS(struct grid_sample, attrs),                         \
            .lower = lower_grid_sample, .class = CLASS_COMPOSED, .partial = true,            \
            .webnn = "gather, mul, add", .notes = GRID_NOTE                                  \
    }
#define GRID_NOTE "cubic for three spatial dimensions refused, integers only with mode nearest"

const struct onnx_row grid_rows[] = {
    { ONNX("AffineGrid", 20, LATEST),
      INPUTS(IN("theta", T, SET_FLOATS), IN("size", NONE, SET_I64, KNOWN)), RESULTS(OUT("grid", T)),
      PARAMS(struct affine_grid, affine_grid_attrs), .lower = lower_affine_grid,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "matmul",
      .notes = "a size of 1 with align_corners refused" },
    GRID_SAMPLE(16, 19, grid_16_attrs),
    GRID_SAMPLE(20, LATEST, grid_20_attrs),
    { MICROSOFT("GridSample"), INPUTS(IN("X", T, SET_ALL), IN("Grid", T1, SET_GRID)),
      RESULTS(OUT("Y", T)), PARAMS(struct grid_sample, grid_16_attrs), .lower = lower_grid_sample,
      .class = CLASS_COMPOSED, .partial = true, .webnn = "gather, mul, add", .notes = GRID_NOTE },
};
ROW_COUNT(grid);
