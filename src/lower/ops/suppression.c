/* NonMaxSuppression: how many boxes are left depends on the boxes. */
#include "lower/bounded.h"
#include "lower/helpers.h"

#include <math.h>
#include <stdlib.h>

struct suppression {
    int64_t center_point_box;
};

static const struct attr_row suppression_attrs[] = {
    ATTR_INT(struct suppression, center_point_box, .allowed = "0 1"),
};

enum { BOXES, SCORES, MOST_BOXES, IOU, SCORE };
enum { MOST_PLACES = 1 << 24 };

struct sizes {
    int64_t batches, boxes, classes, most;
};

static o2w_status read_sizes(struct lower *l, const struct node_view *n, struct sizes *s)
{
    value boxes = input(n, BOXES), scores = input(n, SCORES);
    if (boxes->rank != 3 || scores->rank != 3 || boxes->dims[2] != 4)
        return refuse_input(l, n, BOXES,
                            "and the scores are not [N, boxes, 4] and [N, classes, boxes]");
    TRY(static_dim(l, n, scores, 0, &s->batches));
    TRY(static_dim(l, n, scores, 1, &s->classes));
    TRY(static_dim(l, n, scores, 2, &s->boxes));
    if (boxes->dims[0] != s->batches || boxes->dims[1] != s->boxes)
        return refuse_input(l, n, BOXES, "does not fit the scores");
    s->most = 0;
    if (input(n, MOST_BOXES))
        TRY(known_int(l, n, MOST_BOXES, &s->most));
    s->most = s->most < 0 ? 0 : s->most > s->boxes ? s->boxes : s->most;
    return O2W_OK;
}

/* --- known boxes ----------------------------------------------------------------------------------------- */

struct box {
    float low[2], high[2];
};

static struct box box_at(const struct tensor *t, uint64_t i, bool centred)
{
    struct box b;
    for (uint64_t k = 0; k < 2; k++) {
        float a = (float)tensor_get_double(t, 4 * i + k),
              c = (float)tensor_get_double(t, 4 * i + 2 + k);
        float half = c / 2;
        b.low[k] = centred ? a - half : fminf(a, c);
        b.high[k] = centred ? a + half : fmaxf(a, c);
    }
    return b;
}

static bool overlaps(struct box a, struct box b, float limit)
{
    float area = 1, area_a = 1, area_b = 1;
    for (int k = 0; k < 2; k++) {
        float low = fmaxf(a.low[k], b.low[k]), high = fminf(a.high[k], b.high[k]);
        if (high <= low)
            return false;
        area *= high - low;
        area_a *= a.high[k] - a.low[k];
        area_b *= b.high[k] - b.low[k];
    }
    float all = area_a + area_b - area;
    return area > 0 && area_a > 0 && area_b > 0 && all > 0 && area / all > limit;
}

/* Boxes of one class that are still to be looked at. */
struct candidate {
    float score;
    int64_t box;
};

static int by_score(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return (x->box > y->box) - (x->box < y->box);
}

struct search {
    const struct sizes *sizes;
    struct tensor boxes, scores;
    bool centred;
    float iou, score;
    bool has_score;
    struct candidate *candidates;
    struct box *kept;
    int64_t *rows; /* of three */
    uint64_t row_count;
};

static void search_class(struct search *s, int64_t batch, int64_t class)
{
    int64_t first = (batch * s->sizes->classes + class) * s->sizes->boxes;
    size_t count = 0;
    int64_t kept = 0;
    for (int64_t i = 0; i < s->sizes->boxes; i++) {
        float score = (float)tensor_get_double(&s->scores, (uint64_t)(first + i));
        if (!s->has_score || score > s->score)
            s->candidates[count++] = (struct candidate){ score, i };
    }
    qsort(s->candidates, count, sizeof *s->candidates, by_score);
    for (size_t i = 0; i < count && kept < s->sizes->most; i++) {
        int64_t place = s->candidates[i].box;
        struct box b = box_at(&s->boxes, (uint64_t)(batch * s->sizes->boxes + place), s->centred);
        int64_t k = 0;
        while (k < kept && !overlaps(b, s->kept[k], s->iou))
            k++;
        if (k < kept)
            continue;
        s->kept[kept++] = b;
        int64_t *row = &s->rows[3 * s->row_count++];
        row[0] = batch;
        row[1] = class;
        row[2] = place;
    }
}

static o2w_status evaluate_suppression(struct lower *l, const struct node_view *n,
                                       const void *params)
{
    const struct suppression *p = params;
    struct arena *a = lower_arena(l);
    struct sizes sizes;
    double iou = 0, score = 0;
    TRY(read_sizes(l, n, &sizes));
    struct search s = { .sizes = &sizes, .centred = p->center_point_box != 0 };
    TRY(known_tensor(l, input(n, BOXES), &s.boxes));
    TRY(known_tensor(l, input(n, SCORES), &s.scores));
    if (input(n, IOU))
        TRY(known_double(l, n, IOU, &iou));
    s.has_score = input(n, SCORE) != NULL;
    if (s.has_score)
        TRY(known_double(l, n, SCORE, &score));
    s.iou = (float)iou;
    s.score = (float)score;
    if (sizes.boxes > 1 << 20 || sizes.most * sizes.batches * sizes.classes > 1 << 24)
        return refuse(l, n, DIAG_LOWER_LIMIT, "there are too many boxes");
    s.candidates = ARENA_ARRAY(a, (size_t)sizes.boxes, struct candidate);
    s.kept = ARENA_ARRAY(a, (size_t)sizes.most, struct box);
    s.rows = ARENA_ARRAY(a, (size_t)(3 * sizes.most * sizes.batches * sizes.classes), int64_t);
    if (!s.candidates || !s.kept || !s.rows)
        return diag_memory(lower_diags(l));
    for (int64_t b = 0; b < sizes.batches; b++)
        for (int64_t c = 0; c < sizes.classes; c++)
            search_class(&s, b, c);
    struct tensor t;
    value y;
    TRY(known_new(l, DTYPE_INT64, (const dim[]){ (dim)s.row_count, 3 }, 2, &t, &y));
    for (uint64_t i = 0; i < 3 * s.row_count; i++)
        tensor_put_i64(&t, i, s.rows[i]);
    return emit_value(l, n, y);
}

/* --- computed boxes ---------------------------------------------------------------------------------------- */

/* All [B, C, S], of the boxes: lower and upper ends per direction, area. */
struct boxes {
    value low[2], high[2], area;
};

static o2w_status box_parts(struct lower *l, const struct node_view *n, const struct sizes *s,
                            bool centred, struct boxes *out)
{
    const dim dims[3] = { s->batches, s->classes, s->boxes }, one[3] = { s->batches, 1, s->boxes };
    value part[4];
    for (uint32_t i = 0; i < 4; i++) {
        TRY(slice(l, input(n, BOXES), 2, i, 1, 1, &part[i]));
        TRY(reshape(l, part[i], one, 3, &part[i]));
    }
    struct calc c = calc_begin(l, part[0]);
    value area = NULL;
    for (uint32_t k = 0; k < 2; k++) {
        value a = part[k], b = part[k + 2];
        value half = centred ? calc_div(&c, b, calc_number(&c, 2)) : NULL;
        value low = centred ? calc_sub(&c, a, half) : calc_min(&c, a, b);
        value high = centred ? calc_add(&c, a, half) : calc_max(&c, a, b);
        value side = calc_sub(&c, high, low);
        area = area ? calc_mul(&c, area, side) : side;
        TRY(c.status);
        TRY(expand(l, low, dims, 3, &out->low[k]));
        TRY(expand(l, high, dims, 3, &out->high[k]));
    }
    return expand(l, area, dims, 3, &out->area);
}

static value picked(struct calc *c, value x, value place)
{
    struct webnn_gather_elements_attributes a = { .axis = 2 };
    value y = NULL;
    if (c->status == O2W_OK)
        c->status = op(c->l, WEBNN_GATHER_ELEMENTS, OPERANDS(x, place), &a, &y);
    return y;
}

/* Where boxes overlap the one at `place` [B, C, 1] by more than the limit. */
static value overlapped(struct calc *c, const struct boxes *b, value place, value limit)
{
    value zero = calc_number(c, 0), common = NULL, hit = NULL;
    value own = picked(c, b->area, place);
    for (uint32_t k = 0; k < 2; k++) {
        value low = calc_max(c, b->low[k], picked(c, b->low[k], place));
        value high = calc_min(c, b->high[k], picked(c, b->high[k], place));
        value side = calc_sub(c, high, low), some = calc_greater(c, high, low);
        common = common ? calc_mul(c, common, side) : side;
        hit = hit ? calc_and(c, hit, some) : some;
    }
    value all = calc_sub(c, calc_add(c, own, b->area), common);
    hit = calc_and(c, hit, calc_greater(c, common, zero));
    hit = calc_and(c, hit, calc_and(c, calc_greater(c, b->area, zero), calc_greater(c, own, zero)));
    value ratio =
        calc_div(c, common, calc_where(c, calc_greater(c, all, zero), all, calc_number(c, 1)));
    hit = calc_and(c, hit, calc_greater(c, all, zero));
    return calc_and(c, hit, calc_greater(c, ratio, limit));
}

/* One box more per class: its place [B, C, 1], and whether there was one. */
struct round_of {
    value alive, place, found;
};

static o2w_status one_round(struct lower *l, const struct boxes *b, value scores, value limit,
                            value places, struct round_of *r)
{
    struct webnn_arg_min_max_attributes a = { .axis = 2,
                                              .keep_dimensions = true,
                                              .output_data_type = WEBNN_INT64 };
    struct calc c = calc_begin(l, scores);
    value left = calc_where(&c, r->alive, scores, calc_number(&c, -INFINITY));
    TRY(c.status);
    TRY(op(l, WEBNN_ARG_MAX, OPERANDS(left), &a, &r->place));
    r->found = calc_reduce(&c, WEBNN_REDUCE_MAX, calc_cast(&c, r->alive, DTYPE_INT32), 2);
    value gone = calc_or(&c, overlapped(&c, b, r->place, limit), calc_equal(&c, places, r->place));
    r->alive = calc_and(&c, r->alive, calc_not(&c, gone));
    return c.status;
}

static o2w_status threshold(struct lower *l, const struct node_view *n, uint32_t i, value *out)
{
    if (!input(n, i))
        return scalar(l, DTYPE_FLOAT32, 0, out);
    return reshape(l, input(n, i), NULL, 0, out);
}

/* Alive at first: above the threshold, or all. */
static o2w_status first_alive(struct lower *l, const struct node_view *n, value scores, value *out)
{
    value limit;
    if (!input(n, SCORE))
        return fill_i64(l, DTYPE_UINT8, 1, scores->dims, 3, out);
    TRY(threshold(l, n, SCORE, &limit));
    return op2(l, WEBNN_GREATER, scores, limit, out);
}

/* Batch and class of each place of [B, C, rounds]. */
static o2w_status place_table(struct lower *l, const struct sizes *s, int64_t rounds, value *out)
{
    const dim dims[2] = { s->batches * s->classes * rounds, 2 };
    struct tensor t;
    TRY(known_new(l, DTYPE_INT64, dims, 2, &t, out));
    for (int64_t i = 0; i < dims[0]; i++) {
        tensor_put_i64(&t, (uint64_t)(2 * i), i / rounds / s->classes);
        tensor_put_i64(&t, (uint64_t)(2 * i + 1), i / rounds % s->classes);
    }
    return O2W_OK;
}

/* The rows of what was found, -1 behind the last one. */
static o2w_status emit_rows(struct lower *l, const struct node_view *n, const struct sizes *s,
                            value found, value boxes, int64_t rounds, int64_t most)
{
    const dim flat = s->batches * s->classes * rounds, column[2] = { flat, 1 };
    struct webnn_gather_attributes a = webnn_gather_defaults();
    const uint32_t back = 1;
    value table, places, count, slots, rows;
    TRY(reshape(l, found, &flat, 1, &found));
    TRY(reshape(l, boxes, column, 2, &boxes));
    TRY(place_table(l, s, rounds, &table));
    TRY(concat(l, (const value[]){ table, boxes }, 2, 1, &table));
    TRY(bounded_places(l, n, found, most, &places, &count));
    TRY(op(l, WEBNN_GATHER, OPERANDS(table, places), &a, &rows));
    TRY(iota(l, DTYPE_INT64, most, 0, 1, &slots));
    TRY(unsqueeze(l, slots, &back, 1, &slots));
    struct calc c = calc_begin(l, slots);
    rows = calc_where(&c, calc_less(&c, slots, count), rows, calc_number(&c, -1));
    TRY(c.status);
    return emit_bounded(l, n, 0, rows, 0, count);
}

static o2w_status write_rounds(struct lower *l, const struct node_view *n, const struct sizes *s,
                               bool centred, int64_t rounds, value *found, value *place)
{
    struct boxes b;
    struct round_of r;
    value limit, places, scores, lowest;
    TRY(box_parts(l, n, s, centred, &b));
    TRY(threshold(l, n, IOU, &limit));
    TRY(first_alive(l, n, input(n, SCORES), &r.alive));
    TRY(scalar(l, DTYPE_FLOAT32, (double)-3.4028234663852886e38f, &lowest));
    TRY(op2(l, WEBNN_MAX, input(n, SCORES), lowest, &scores)); /* -inf is for those that are gone */
    TRY(iota(l, DTYPE_INT64, s->boxes, 2, 3, &places));
    for (int64_t i = 0; i < rounds; i++) {
        TRY(one_round(l, &b, scores, limit, places, &r));
        TRY(lower_check_growth(l, n));
        found[i] = r.found;
        place[i] = r.place;
    }
    return O2W_OK;
}

static o2w_status lower_suppression(struct lower *l, const struct node_view *n, const void *params)
{
    const struct suppression *p = params;
    int64_t most = lower_bound_of(l, n);
    struct sizes s = { 0 };
    value found, place;
    TRY(read_sizes(l, n, &s));
    if (most == 0)
        return refuse_unbounded(l, n);
    int64_t rounds = s.most < most + 1 ? s.most : most + 1; /* one more shows that there are more */
    if (rounds == 0 || s.batches == 0 || s.classes == 0)
        return refuse_input(l, n, MOST_BOXES, "is 0: no box is selected");
    if (s.batches > MOST_PLACES / s.classes || s.batches * s.classes > MOST_PLACES / rounds)
        return refuse(l, n, DIAG_LOWER_LIMIT, "%lld classes of %lld batch entries are too many",
                      (long long)s.classes, (long long)s.batches);
    if (rounds > lower_unroll_limit(l, UNROLL_LOOP)) {
        o2w_status status = refuse(l, n, DIAG_LOWER_LIMIT, "%lld rounds, the limit is %u",
                                   (long long)rounds, lower_unroll_limit(l, UNROLL_LOOP));
        diag_hint(lower_diags(l), "--unroll-limit N");
        return status;
    }
    value *list = ARENA_ARRAY(lower_arena(l), 2 * (size_t)rounds, value);
    if (!list)
        return diag_memory(lower_diags(l));
    TRY(write_rounds(l, n, &s, p->center_point_box != 0, rounds, list, list + rounds));
    TRY(concat(l, list, (uint32_t)rounds, 2, &found));
    TRY(concat(l, list + rounds, (uint32_t)rounds, 2, &place));
    return emit_rows(l, n, &s, found, place, rounds, most);
}

const struct onnx_row suppression_rows[] = {
    { ONNX("NonMaxSuppression", 10, LATEST),
      INPUTS(IN("boxes", NONE, DTYPE_BIT(DTYPE_FLOAT32)),
             IN("scores", NONE, DTYPE_BIT(DTYPE_FLOAT32)),
             IN_OPT("max_output_boxes_per_class", NONE, SET_I64, KNOWN),
             IN_OPT("iou_threshold", NONE, DTYPE_BIT(DTYPE_FLOAT32)),
             IN_OPT("score_threshold", NONE, DTYPE_BIT(DTYPE_FLOAT32))),
      RESULTS(OUT_OF("selected_indices", DTYPE_INT64)),
      PARAMS(struct suppression, suppression_attrs), .lower = lower_suppression,
      .evaluate = evaluate_suppression, .class = CLASS_BOUNDED, .partial = true,
      .webnn = "argMax, gatherElements, where, cumulativeSum",
      .notes = "computed boxes need --bound NODE=N" },
};
ROW_COUNT(suppression);
