/* Unique: its size depends on the elements, so they must be known. */
#include "lower/bounded.h"
#include "lower/helpers.h"

#include <math.h>
#include <string.h>

struct unique {
    struct given_int axis;
    int64_t sorted;
};

static const struct attr_row unique_attrs[] = {
    ATTR_GIVEN_INT(struct unique, axis),
    ATTR_INT(struct unique, sorted, .fallback_int = 1, .allowed = "0 1"),
};

/* The input as items along the axis: item i has `outer` runs of `inner` elements. */
struct items {
    struct tensor t;
    uint64_t outer, count, inner;
};

static uint64_t element_at(const struct items *s, uint64_t item, uint64_t k)
{
    return (k / s->inner * s->count + item) * s->inner + k % s->inner;
}

static int compare_elements(const struct tensor *t, uint64_t a, uint64_t b)
{
    if (dtype_is_float(t->dtype)) {
        double x = tensor_get_double(t, a), y = tensor_get_double(t, b);
        return (x > y) - (x < y);
    }
    if (dtype_is_signed(t->dtype) || t->dtype == DTYPE_BOOL) {
        int64_t x = tensor_get_i64(t, a), y = tensor_get_i64(t, b);
        return (x > y) - (x < y);
    }
    uint64_t x = tensor_get_u64(t, a), y = tensor_get_u64(t, b);
    return (x > y) - (x < y);
}

static int compare_items(const struct items *s, uint64_t a, uint64_t b)
{
    for (uint64_t k = 0; k < s->outer * s->inner; k++) {
        int order = compare_elements(&s->t, element_at(s, a, k), element_at(s, b, k));
        if (order)
            return order;
    }
    return 0;
}

/* Stable: equal items stay in order. */
static void sort_items(const struct items *s, uint64_t *order, uint64_t *room, uint64_t count)
{
    for (uint64_t width = 1; width < count; width *= 2) {
        for (uint64_t from = 0; from < count; from += 2 * width) {
            uint64_t middle = from + width < count ? from + width : count;
            uint64_t end = from + 2 * width < count ? from + 2 * width : count;
            uint64_t a = from, b = middle;
            for (uint64_t k = from; k < end; k++) {
                bool left = a < middle && (b == end || compare_items(s, order[a], order[b]) <= 0);
                room[k] = left ? order[a++] : order[b++];
            }
        }
        memcpy(order, room, count * sizeof *order);
    }
}

/* first[u]: the first item of each group, in the order of the result; group_of[i] of every item. */
struct groups {
    uint64_t count, *first, *group_of, *size;
};

static void renumber(struct groups *g, uint64_t items, uint64_t *order)
{
    uint64_t next = 0;
    for (uint64_t i = 0; i < items; i++) /* order[old group]: its number by first occurrence */
        if (g->first[g->group_of[i]] == i)
            order[g->group_of[i]] = next++;
    for (uint64_t i = 0; i < items; i++)
        g->group_of[i] = order[g->group_of[i]];
    for (uint64_t i = items; i-- > 0;)
        g->first[g->group_of[i]] = i;
    memset(g->size, 0, g->count * sizeof *g->size);
    for (uint64_t i = 0; i < items; i++)
        g->size[g->group_of[i]]++;
}

static o2w_status group_items(struct lower *l, const struct items *s, bool sorted, struct groups *g)
{
    struct arena *a = lower_arena(l);
    uint64_t n = s->count, *order = ARENA_ARRAY(a, n, uint64_t),
             *room = ARENA_ARRAY(a, n, uint64_t);
    *g = (struct groups){ .first = ARENA_ARRAY(a, n, uint64_t),
                          .group_of = ARENA_ARRAY(a, n, uint64_t),
                          .size = ARENA_ARRAY(a, n, uint64_t) };
    if (!order || !room || !g->first || !g->group_of || !g->size)
        return diag_memory(lower_diags(l));
    for (uint64_t i = 0; i < n; i++)
        order[i] = i;
    sort_items(s, order, room, n);
    for (uint64_t i = 0; i < n; i++) {
        if (i == 0 || compare_items(s, order[i - 1], order[i]) != 0)
            g->first[g->count++] = order[i];
        g->group_of[order[i]] = g->count - 1;
        g->size[g->count - 1]++;
    }
    if (!sorted)
        renumber(g, n, order);
    return O2W_OK;
}

static o2w_status emit_numbers(struct lower *l, const struct node_view *n, uint32_t output,
                               const uint64_t *numbers, uint64_t count)
{
    struct tensor t;
    value y;
    if (!output_used(n, output))
        return O2W_OK;
    TRY(known_new(l, DTYPE_INT64, (const dim[]){ (dim)count }, 1, &t, &y));
    for (uint64_t i = 0; i < count; i++)
        tensor_put_i64(&t, i, (int64_t)numbers[i]);
    return emit_output(l, n, output, y);
}

static o2w_status emit_items(struct lower *l, const struct node_view *n, const struct items *s,
                             const struct groups *g, value x, uint32_t axis, bool flat)
{
    int64_t *places = ARENA_ARRAY(lower_arena(l), g->count, int64_t);
    dim all = (dim)s->count;
    value y;
    if (!places)
        return diag_memory(lower_diags(l));
    for (uint64_t i = 0; i < g->count; i++)
        places[i] = (int64_t)g->first[i];
    if (flat)
        TRY(reshape(l, x, &all, 1, &x));
    TRY(gather_known(l, x, places, (uint32_t)g->count, axis, &y));
    return emit_value(l, n, y);
}

static o2w_status evaluate_unique(struct lower *l, const struct node_view *n, const void *params)
{
    const struct unique *p = params;
    value x = input(n, 0);
    struct items s = { .outer = 1, .count = 1, .inner = 1 };
    struct groups g;
    uint32_t axis = 0;
    TRY(known_tensor(l, x, &s.t));
    if (p->axis.given)
        TRY(axis_from(l, n, p->axis.value, x->rank, 0, &axis));
    for (uint32_t i = 0; i < x->rank; i++) {
        uint64_t *part = !p->axis.given || i == axis ? &s.count : i < axis ? &s.outer : &s.inner;
        *part *= (uint64_t)s.t.dims[i];
    }
    if (s.count > 1 << 22)
        return refuse_input(l, n, 0, "has more than %d items", 1 << 22);
    for (uint64_t i = 0; dtype_is_float(s.t.dtype) && i < tensor_count(&s.t); i++)
        if (isnan(tensor_get_double(&s.t, i)))
            return refuse(l, n, DIAG_LOWER_VALUE, "element %llu is NaN, which equals nothing",
                          (unsigned long long)i);
    TRY(group_items(l, &s, p->sorted != 0, &g));
    TRY(emit_items(l, n, &s, &g, x, axis, !p->axis.given));
    TRY(emit_numbers(l, n, 1, g.first, g.count));
    TRY(emit_numbers(l, n, 2, g.group_of, s.count));
    return emit_numbers(l, n, 3, g.size, g.count);
}

static o2w_status refuse_unique(struct lower *l, const struct node_view *n, const void *params)
{
    (void)params;
    return refuse_unbounded(l, n);
}

const struct onnx_row unique_rows[] = {
    { ONNX("Unique", 11, LATEST), INPUTS(IN("X", T, SET_ALL)),
      RESULTS(OUT("Y", T), OUT_OPT_OF("indices", DTYPE_INT64),
              OUT_OPT_OF("inverse_indices", DTYPE_INT64), OUT_OPT_OF("counts", DTYPE_INT64)),
      PARAMS(struct unique, unique_attrs), .lower = refuse_unique, .evaluate = evaluate_unique,
      .class = CLASS_STATIC, .partial = true, .webnn = "constant",
      .notes = "known values only, no NaN among them" },
};
ROW_COUNT(unique);
