#include "lower/ops/resize.h"

#include <math.h>
#include <string.h>

enum { MAX_TAPS = 4096 };

static double coordinate(const struct resize_rule *r, const struct resize_axis *x, int64_t o)
{
    double out = (double)x->out, in = (double)x->in, p = (double)o;
    switch (r->coordinate) {
    case COORDINATE_HALF_PIXEL: return (p + 0.5) / x->scale - 0.5;
    case COORDINATE_HALF_PIXEL_SYMMETRIC:
        return in / 2 * (1 - out / (x->scale * in)) + (p + 0.5) / x->scale - 0.5;
    case COORDINATE_PYTORCH_HALF_PIXEL: return x->out > 1 ? (p + 0.5) / x->scale - 0.5 : 0;
    case COORDINATE_ALIGN_CORNERS: return x->out > 1 ? p * (in - 1) / (out - 1) : 0;
    case COORDINATE_ASYMMETRIC: return p / x->scale;
    case COORDINATE_TF_CROP_AND_RESIZE:
        return x->out > 1 ? x->start * (in - 1) + p * (x->end - x->start) * (in - 1) / (out - 1)
                          : 0.5 * (x->start + x->end) * (in - 1);
    case COORDINATE_TF_HALF_PIXEL_FOR_NN: return (p + 0.5) / x->scale;
    }
    return 0;
}

float resize_coordinate32(const struct resize_rule *r, const struct resize_axis *x, int64_t o)
{
    float out = (float)x->out, in = (float)x->in, p = (float)o, scale = (float)x->scale;
    float start = (float)x->start, end = (float)x->end;
    switch (r->coordinate) {
    case COORDINATE_HALF_PIXEL: return (p + 0.5f) / scale - 0.5f;
    case COORDINATE_HALF_PIXEL_SYMMETRIC: {
        float centre = in / 2, adjustment = out / (scale * in), offset = centre * (1 - adjustment);
        /* the one form that native ONNX Runtime ends in float64 */
        return (float)((double)offset + ((double)p + 0.5) / (double)scale - 0.5);
    }
    case COORDINATE_PYTORCH_HALF_PIXEL: return x->out > 1 ? (p + 0.5f) / scale - 0.5f : 0;
    case COORDINATE_ALIGN_CORNERS: return x->out > 1 ? p * (in - 1) / (out - 1) : 0;
    case COORDINATE_ASYMMETRIC: return p / scale;
    case COORDINATE_TF_CROP_AND_RESIZE:
        return x->out > 1 ? start * (in - 1) + p * (end - start) * (in - 1) / (out - 1)
                          : 0.5f * (start + end) * (in - 1);
    case COORDINATE_TF_HALF_PIXEL_FOR_NN: return (p + 0.5f) / scale;
    }
    return 0;
}

static int64_t clamp_index(double v, int64_t size)
{
    return v < 0 ? 0 : v > (double)(size - 1) ? size - 1 : (int64_t)v;
}

/* Halves that only rounding of the scale has moved are halves. */
static double nearest(const struct resize_rule *r, double v)
{
    double half = floor(v) + 0.5;
    if (fabs(v - half) < 1e-6)
        v = half;
    switch (r->nearest) {
    case NEAREST_ROUND_PREFER_FLOOR: return ceil(v - 0.5);
    case NEAREST_ROUND_PREFER_CEIL: return floor(v + 0.5);
    case NEAREST_FLOOR: return floor(v);
    case NEAREST_CEIL: return ceil(v);
    }
    return v;
}

static double triangle(double v)
{
    return fabs(v) < 1 ? 1 - fabs(v) : 0;
}

static double cubic(double a, double v)
{
    v = fabs(v);
    if (v <= 1)
        return ((a + 2) * v - (a + 3)) * v * v + 1;
    return v < 2 ? ((a * v - 5 * a) * v + 8 * a) * v - 4 * a : 0;
}

/* Taps of one position before those outside are dealt with: indices base + start …, weights of sum 1. */
static uint32_t kernel_taps(const struct resize_rule *r, const struct resize_axis *x, double v,
                            struct resize_tap *taps)
{
    double reach = r->mode == RESIZE_CUBIC ? 2 : 1,
           scale = r->antialias && x->scale < 1 ? x->scale : 1, sum = 0;
    double base = ceil(v) - 1, ratio = v - base; /* in (0, 1]: the pixel on the left is preferred */
    int64_t start = (int64_t)floor(-reach / scale) + 1, count = 2 - 2 * start;
    for (int64_t i = 0; i < count; i++) {
        double at = ((double)(start + i) - ratio) * scale;
        taps[i].index = (int64_t)base + start + i;
        taps[i].weight = r->mode == RESIZE_CUBIC ? cubic(r->cubic_a, at) : triangle(at);
        sum += taps[i].weight;
    }
    for (int64_t i = 0; i < count; i++)
        taps[i].weight /= sum;
    return (uint32_t)count;
}

/* A tap outside falls on the edge, or is dropped and the rest normalised again. */
static void settle_outside(const struct resize_rule *r, const struct resize_axis *x,
                           struct resize_tap *taps, uint32_t count)
{
    double sum = 0;
    bool drops = r->exclude_outside && (r->mode == RESIZE_CUBIC || r->antialias);
    for (uint32_t i = 0; i < count; i++) {
        bool outside = taps[i].index < 0 || taps[i].index >= x->in;
        if (outside && drops)
            taps[i].weight = 0;
        taps[i].index = clamp_index((double)taps[i].index, x->in);
        sum += taps[i].weight;
    }
    for (uint32_t i = 0; drops && sum != 0 && i < count; i++)
        taps[i].weight /= sum;
}

/* Ascending, each index once, no zero weights (but one tap always stays). */
static uint32_t merge(struct resize_tap *taps, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (taps[i].weight == 0)
            continue;
        if (kept && taps[kept - 1].index == taps[i].index)
            taps[kept - 1].weight += taps[i].weight;
        else
            taps[kept++] = taps[i];
    }
    return kept ? kept : 1;
}

static uint32_t position(const struct resize_rule *r, const struct resize_axis *x, double v,
                         struct resize_tap *taps)
{
    v = v < -1e9 ? -1e9 : v > 1e9 ? 1e9 : v; /* as far outside as any */
    if (r->mode == RESIZE_NEAREST) {
        taps[0] = (struct resize_tap){ clamp_index(nearest(r, v), x->in), 1 };
        return 1;
    }
    if (r->mode == RESIZE_LINEAR && !r->antialias)
        v = v < 0 ? 0 : v > (double)(x->in - 1) ? (double)(x->in - 1) : v;
    uint32_t count = kernel_taps(r, x, v, taps);
    settle_outside(r, x, taps, count);
    return merge(taps, count);
}

o2w_status resize_table(struct arena *a, const struct resize_rule *r, struct resize_axis *x)
{
    VEC(struct resize_tap) all = { .allocator = a->allocator };
    struct resize_tap *taps = ARENA_ARRAY(a, MAX_TAPS, struct resize_tap);
    uint32_t *first = ARENA_ARRAY(a, (size_t)x->out + 1, uint32_t);
    uint8_t *outside = ARENA_ARRAY(a, (size_t)x->out, uint8_t);
    bool any = false;
    if (!taps || !first || !outside)
        return O2W_NO_MEMORY;
    if (r->antialias && x->scale < 8.0 / MAX_TAPS)
        return O2W_RANGE;
    for (int64_t o = 0; o < x->out; o++) {
        /* which pixel is nearest can hang on the last bit: as the runtime has it */
        double v =
            r->mode == RESIZE_NEAREST ? (double)resize_coordinate32(r, x, o) : coordinate(r, x, o);
        outside[o] =
            r->coordinate == COORDINATE_TF_CROP_AND_RESIZE && (v < 0 || v > (double)(x->in - 1));
        any |= outside[o];
        uint32_t count = position(r, x, v, taps);
        if (!VEC_RESERVE(&all, count)) {
            VEC_FREE(&all);
            return O2W_NO_MEMORY;
        }
        memcpy(all.items + all.count, taps, count * sizeof *taps);
        all.count += count;
        first[o + 1] = (uint32_t)all.count;
    }
    struct resize_tap *copy = ARENA_ARRAY(a, all.count, struct resize_tap);
    if (copy && all.count)
        memcpy(copy, all.items, all.count * sizeof *copy);
    VEC_FREE(&all);
    x->taps = copy;
    x->first = first;
    x->outside = any ? outside : NULL;
    return copy ? O2W_OK : O2W_NO_MEMORY;
}

static bool same_row(const struct resize_axis *x, const struct resize_axis *y, int64_t o)
{
    uint32_t count = x->first[o + 1] - x->first[o];
    if (count != y->first[o + 1] - y->first[o])
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct resize_tap *a = &x->taps[x->first[o] + i], *b = &y->taps[y->first[o] + i];
        if (a->index != b->index || fabs(a->weight - b->weight) > 1e-7)
            return false;
    }
    return true;
}

bool resize_is_resample2d(struct arena *a, const struct resize_rule *rule,
                          const struct resize_axis *x)
{
    struct resize_rule own = { .mode = rule->mode };
    struct resize_axis y = { .in = x->in, .out = x->out, .scale = (double)x->out / (double)x->in };
    if (rule->mode == RESIZE_CUBIC || x->outside || resize_table(a, &own, &y) != O2W_OK)
        return false;
    /* resample2d clamps the coordinate first and takes ceil(c - 0.5); ties by exact rationals:
     * (2 o + 1) in / (2 out) - 1 is a whole number where the table would depend on rounding */
    for (int64_t o = 0; rule->mode == RESIZE_NEAREST && o < x->out; o++) {
        int64_t c = ((2 * o + 1) * x->in + 2 * x->out - 1) / (2 * x->out) - 1;
        ((struct resize_tap *)(uintptr_t)y.taps)[o].index = clamp_index((double)c, x->in);
    }
    for (int64_t o = 0; o < x->out; o++)
        if (!same_row(x, &y, o))
            return false;
    return true;
}
