/* Caches that are written at places. */
#include "lower/helpers.h"

struct tensor_scatter {
    struct span mode;
    int64_t axis;
};

static const struct attr_row tensor_scatter_attrs[] = {
    ATTR_STRING(struct tensor_scatter, mode, .fallback_text = "linear",
                .allowed = "linear circular"),
    ATTR_INT(struct tensor_scatter, axis, .fallback_int = -2),
};

/* Without write indices the update covers the beginning. */
static o2w_status at_beginning(struct lower *l, const struct node_view *n, uint32_t axis,
                               int64_t size, int64_t count)
{
    value tail;
    if (count == size)
        return emit_value(l, n, input(n, 1));
    TRY(slice(l, input(n, 0), axis, count, size - count, 1, &tail));
    TRY(concat(l, (const value[]){ input(n, 1), tail }, 2, axis, &tail));
    return emit_value(l, n, tail);
}

/* Index pairs [batch, count, 2]: the entry, and the row write_indices[entry] + t. */
static o2w_status places(struct lower *l, const struct node_view *n, bool circular, int64_t batch,
                         int64_t size, int64_t count, value *out)
{
    value first, step, entry, parts[2];
    struct calc c = { .l = l, .dtype = DTYPE_INT64 };
    uint32_t last = 2;
    TRY(reshape(l, input(n, 2), (const dim[]){ batch, 1 }, 2, &first));
    TRY(iota(l, DTYPE_INT64, count, 1, 2, &step));
    TRY(iota(l, DTYPE_INT64, batch, 0, 2, &entry));
    TRY(expand(l, entry, (const dim[]){ batch, count }, 2, &parts[0]));
    parts[1] = calc_add(&c, first, step);
    if (circular)
        parts[1] = calc_imod(&c, parts[1], calc_number(&c, (double)size), false);
    TRY(c.status);
    for (int i = 0; i < 2; i++)
        TRY(unsqueeze(l, parts[i], &last, 1, &parts[i]));
    return concat(l, parts, 2, 2, out);
}

/* No row behind the last one, where that can be known. */
static o2w_status check_places(struct lower *l, const struct node_view *n, int64_t size,
                               int64_t count)
{
    struct ints first;
    if (!value_is_known(input(n, 2)))
        return O2W_OK;
    TRY(known_ints(l, n, 2, &first));
    for (uint32_t i = 0; i < first.count; i++)
        if (first.items[i] < 0 || first.items[i] + count > size)
            return refuse_input(l, n, 2, "is %lld at index %u, %lld rows do not fit behind it",
                                (long long)first.items[i], i, (long long)count);
    return O2W_OK;
}

static o2w_status lower_tensor_scatter(struct lower *l, const struct node_view *n,
                                       const void *params)
{
    const struct tensor_scatter *p = params;
    bool circular = span_is(p->mode, "circular");
    value cache = input(n, 0), update = input(n, 1), indices, y;
    uint32_t axis, to[MAX_RANK], back[MAX_RANK];
    int64_t size, count, batch;
    TRY(axis_from(l, n, p->axis, cache->rank, 0, &axis));
    if (axis == 0 || update->rank != cache->rank)
        return refuse_attribute(l, n, "axis",
                                "is %lld, the batch dimension cannot be written along",
                                (long long)p->axis);
    TRY(static_dim(l, n, cache, axis, &size));
    TRY(static_dim(l, n, update, axis, &count));
    if (!input(n, 2))
        return at_beginning(l, n, axis, size, count);
    if (!circular)
        TRY(check_places(l, n, size, count));
    TRY(static_dim(l, n, cache, 0, &batch));
    for (uint32_t i = 0; i < cache->rank; i++)
        to[i] = i == 0 ? 0 : i == 1 ? axis : i <= axis ? i - 1 : i;
    for (uint32_t i = 0; i < cache->rank; i++)
        back[to[i]] = i;
    TRY(transpose(l, cache, to, &cache));
    TRY(transpose(l, update, to, &update));
    TRY(places(l, n, circular, batch, size, count, &indices));
    TRY(op3(l, WEBNN_SCATTER_ND, cache, indices, update, &y));
    TRY(transpose(l, y, back, &y));
    return emit_value(l, n, y);
}

const struct onnx_row cache_rows[] = {
    { ONNX("TensorScatter", 24, LATEST),
      INPUTS(IN("past_cache", T, SET_ALL), IN("update", T, SET_ALL),
             IN_OPT("write_indices", NONE, SET_I64)),
      RESULTS(OUT("present_cache", T)), PARAMS(struct tensor_scatter, tensor_scatter_attrs),
      .lower = lower_tensor_scatter, .class = CLASS_COMPOSED, .webnn = "transpose, scatterND",
      .notes = "rows that do not fit are found only where write_indices is known" },
};
ROW_COUNT(cache);
