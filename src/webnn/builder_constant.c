#include "base/checked.h"
#include "webnn/builder.h"
#include "webnn/graph_private.h"

#include <string.h>

enum { SMALL = 64 * 1024 }; /* bytes that are compared by content */

/* ---- finding an equal weight ---- */

static struct span stored_bytes(const struct weight *w)
{
    uint64_t size = 0;
    dtype_bytes(w->from, w->count, &size);
    return (struct span){ size ? w->bytes : (const uint8_t *)"", (size_t)size };
}

static bool same_kind(const struct weight *a, const struct weight *b)
{
    return a->transform == b->transform && a->dtype == b->dtype && a->from == b->from &&
           a->count == b->count && (a->transform != WEIGHT_XOR || a->flip == b->flip);
}

static bool is_small(const struct weight *w)
{
    return w->source == WEIGHT_BYTES && stored_bytes(w).size <= SMALL;
}

/* Among those with the same stored bytes. *newest is the first of the chain, NO_ID when there is none. */
static weight_id find_small(const struct builder *b, const struct weight *w, weight_id *newest)
{
    const uint32_t *value = map_find(&b->small_weights, stored_bytes(w));
    *newest = value ? *value : NO_ID;
    for (weight_id id = *newest; id != NO_ID; id = b->same_bytes.items[id])
        if (same_kind(w, &b->graph->weights.items[id]))
            return id;
    return NO_ID;
}

static weight_id find_weight(const struct builder *b, const struct weight *w, weight_id *newest)
{
    uint64_t words[WEIGHT_IDENTITY];
    *newest = NO_ID;
    if (w->source == WEIGHT_BYTES)
        return is_small(w) ? find_small(b, w, newest) : NO_ID;
    weight_identity(w, words);
    const uint32_t *value =
        map_find(&b->weights, (struct span){ (const uint8_t *)words, sizeof words });
    return value ? *value : NO_ID;
}

/* ---- adding one ---- */

/* Makes the weight findable; it will be `id`. */
static o2w_status index_weight(struct builder *b, const struct weight *w, weight_id id)
{
    uint64_t words[WEIGHT_IDENTITY];
    uint32_t *value;
    if (w->source == WEIGHT_BYTES) {
        if (is_small(w)) {
            TRY(map_insert(&b->small_weights, stored_bytes(w), id, &value, NULL));
            *value = id;
        }
        return O2W_OK;
    }
    weight_identity(w, words);
    struct span key = arena_copy(&b->keys, (struct span){ (const uint8_t *)words, sizeof words });
    return key.data ? map_insert(&b->weights, key, id, NULL, NULL) : O2W_NO_MEMORY;
}

/* Bytes that the caller keeps come into the arena. */
static o2w_status own_bytes(struct graph *g, struct weight *w)
{
    struct span all = w->source == WEIGHT_SPLAT
                          ? (struct span){ w->bytes, (dtype_info(w->from)->bits + 7u) / 8 }
                          : stored_bytes(w);
    uint8_t *copy = arena_alloc(&g->arena, all.size, 8);
    if (!copy)
        return O2W_NO_MEMORY;
    if (all.size)
        memcpy(copy, all.data, all.size);
    w->bytes = copy;
    return O2W_OK;
}

/* An equal weight, or room and an index for this one, which is then *id == count of weights. */
static o2w_status place_weight(struct builder *b, struct weight *w, bool borrowed, weight_id *id)
{
    struct graph *g = b->graph;
    weight_id newest;
    *id = find_weight(b, w, &newest);
    if (*id != NO_ID)
        return O2W_OK;
    if (!VEC_RESERVE(&g->weights, 1) || !VEC_RESERVE(&b->same_bytes, 1))
        return O2W_NO_MEMORY;
    if (!borrowed && (w->source == WEIGHT_BYTES || w->source == WEIGHT_SPLAT))
        TRY(own_bytes(g, w));
    *id = (weight_id)g->weights.count;
    b->same_bytes.items[*id] = newest;
    return index_weight(b, w, *id);
}

static o2w_status add_constant(struct builder *b, const struct descriptor *d, struct weight *w,
                               bool borrowed, struct span name, operand_id *out)
{
    struct graph *g = b->graph;
    struct operand o = { .kind = OPERAND_CONSTANT, .dtype = d->dtype, .rank = d->rank };
    dim *dims = ARENA_ARRAY(&g->arena, d->rank, dim);
    if (!dims || !VEC_RESERVE(&g->operands, 1) || !VEC_RESERVE(&g->constants, 1))
        return O2W_NO_MEMORY;
    TRY(names_add(&g->names, name, &o.identifier));
    TRY(place_weight(b, w, borrowed, &o.source));
    if (o.source == g->weights.count) {
        if (w->file)
            file_retain(w->file);
        g->weights.items[g->weights.count++] = *w;
        b->same_bytes.count++;
    }
    if (d->rank)
        memcpy(dims, d->dims, d->rank * sizeof *dims);
    o.dims = dims;
    *out = (operand_id)g->operands.count;
    g->operands.items[g->operands.count++] = o;
    g->constants.items[g->constants.count++] = *out;
    return O2W_OK;
}

/* ---- checks ---- */

static o2w_status check_descriptor(struct builder *b, const struct descriptor *d, const char *what)
{
    if (b->finished)
        return diag_error(b->diags, DIAG_BUILD_STATE,
                          "the graph was built, its builder takes no more calls");
    for (uint32_t i = 0; i < d->rank && i < MAX_RANK; i++)
        if (!dim_is_static(d->dims[i]))
            return diag_error(b->diags, DIAG_CONST_DYNAMIC, "%s: constants must be static", what);
    return infer_check_descriptor(b->limits, b->graph->exprs, b->diags, what, &b->limits->constant,
                                  d);
}

static o2w_status check_weight(struct builder *b, const struct descriptor *d,
                               const struct weight *w, const char *what)
{
    uint64_t count;
    const char *fault = weight_fault(w);
    if (fault)
        return diag_error(b->diags, DIAG_BUILD_ARGUMENT, "%s: %s", what, fault);
    if (w->dtype != d->dtype)
        return diag_error(b->diags, DIAG_BUILD_ARGUMENT, "%s is %s, its weight is %s", what,
                          dtype_name(d->dtype), dtype_name(w->dtype));
    if (!dims_count(d->dims, d->rank, &count) || count != w->count)
        return diag_error(b->diags, DIAG_BUILD_ARGUMENT,
                          "%s: its weight has %llu elements, its shape needs %llu", what,
                          (unsigned long long)w->count, (unsigned long long)count);
    return O2W_OK;
}

static o2w_status constant_from(struct builder *b, const struct descriptor *d, struct weight w,
                                bool borrowed, struct span name, operand_id *out)
{
    char *what = name.size ? arena_printf(&b->keys, "constant '%.*s'", SPAN_ARG(name))
                           : arena_printf(&b->keys, "constant");
    if (!what)
        return diag_memory(b->diags);
    TRY(check_descriptor(b, d, what));
    TRY(check_weight(b, d, &w, what));
    return add_constant(b, d, &w, borrowed, name, out) == O2W_OK ? O2W_OK : diag_memory(b->diags);
}

/* ---- the calls ---- */

o2w_status builder_constant(struct builder *b, const struct descriptor *descriptor,
                            const struct weight *weight, struct span name, operand_id *out)
{
    return constant_from(b, descriptor, *weight, true, name, out);
}

o2w_status builder_constant_bytes(struct builder *b, const struct descriptor *descriptor,
                                  const void *data, size_t size, bool borrowed, operand_id *out)
{
    uint64_t needed;
    struct weight w = {
        .source = WEIGHT_BYTES, .dtype = descriptor->dtype, .from = descriptor->dtype, .bytes = data
    };
    if (dims_count(descriptor->dims, descriptor->rank, &w.count) &&
        dtype_bytes(w.dtype, w.count, &needed) && needed != size)
        return diag_error(b->diags, DIAG_BUILD_ARGUMENT,
                          "constant: %zu bytes, its descriptor needs %llu", size,
                          (unsigned long long)needed);
    return constant_from(b, descriptor, w, borrowed, (struct span){ 0 }, out);
}

o2w_status builder_constant_fill(struct builder *b, const struct descriptor *descriptor,
                                 struct webnn_number value, operand_id *out)
{
    uint8_t element[8] = { 0 };
    struct weight w = { .source = WEIGHT_SPLAT,
                        .dtype = descriptor->dtype,
                        .from = descriptor->dtype,
                        .bytes = element };
    struct tensor t = { .dtype = descriptor->dtype, .data = element };
    if (value.kind == WEBNN_NUMBER_NONE)
        return diag_error(b->diags, DIAG_BUILD_ARGUMENT, "constant: its value is missing");
    if (!dtype_is_float(t.dtype) && !dtype_is_integer(t.dtype) && t.dtype != DTYPE_BOOL)
        return diag_error(b->diags, DIAG_BUILD_ARGUMENT, "constant: %s has no numbers",
                          dtype_name(t.dtype));
    dims_count(descriptor->dims, descriptor->rank, &w.count);
    number_put(&value, &t, 0);
    return constant_from(b, descriptor, w, false, (struct span){ 0 }, out);
}
