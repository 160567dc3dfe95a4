/* Known values: making them, reading them. */
#include "lower/internal.h"

#include "base/checked.h"
#include "base/half.h"

#include <string.h>

struct exprs *lower_exprs(struct lower *l)
{
    return l->builder.graph->exprs;
}

struct arena *lower_arena(struct lower *l)
{
    return &l->arena;
}

struct diags *lower_diags(struct lower *l)
{
    return l->diags;
}

struct onnx_model *lower_model_of(struct lower *l)
{
    return l->model;
}

uint32_t lower_unroll_limit(const struct lower *l, enum unrolled what)
{
    const uint32_t given[] = { [UNROLL_LOOP] = l->options->unroll_loop,
                               [UNROLL_SCAN] = l->options->unroll_scan,
                               [UNROLL_STEPS] = l->options->unroll_steps };
    static const uint32_t fallback[] = { 4096, 4096, 2048 };
    return given[what] ? given[what] : fallback[what];
}

bool lower_assumes_known_categories(const struct lower *l)
{
    return l->options->assume_known_categories;
}

o2w_status lower_check_growth(struct lower *l, const struct node_view *n)
{
    const size_t most = 1 << 18;
    if (l->builder.graph->operators.count > most)
        return refuse(
            l, n, DIAG_LOWER_LIMIT,
            "the graph has more than %zu operators, the limit of unrolling: lower the trip count "
            "or the number of steps",
            most);
    return O2W_OK;
}

o2w_status count_computed(struct lower *l, enum dtype dtype, const dim *dims, uint32_t rank)
{
    uint64_t count, bytes;
    if (dims_count(dims, rank, &count) && dtype_bytes(dtype, count, &bytes) &&
        bytes <= COMPUTED_LIMIT - l->computed) {
        l->computed += bytes;
        return O2W_OK;
    }
    o2w_status s = diag_error(l->diags, DIAG_LOWER_LIMIT,
                              "constants computed while converting have more than %d GiB",
                              (int)(COMPUTED_LIMIT >> 30));
    if (l->node)
        onnx_at_node(l->diags, l->model, l->node->onnx, NULL);
    return s;
}

o2w_status known_new(struct lower *l, enum dtype dtype, const dim *dims, uint32_t rank,
                     struct tensor *t, value *out)
{
    TRY(count_computed(l, dtype, dims, rank));
    if (tensor_new(&l->arena, dtype, dims, rank, t) != O2W_OK)
        return diag_memory(l->diags);
    struct weight w = { .source = WEIGHT_BYTES,
                        .transform = WEIGHT_COPY,
                        .dtype = dtype,
                        .from = dtype,
                        .count = tensor_count(t),
                        .length = tensor_bytes(t),
                        .bytes = t->data };
    return value_of_weight(l, &w, dtype, dims, rank, out);
}

o2w_status known_i64s(struct lower *l, const int64_t *items, uint32_t count, value *out)
{
    struct tensor t;
    TRY(known_new(l, DTYPE_INT64, (const dim[]){ count }, 1, &t, out));
    if (count)
        memcpy(t.data, items, count * sizeof *items);
    return O2W_OK;
}

o2w_status known_strings(struct lower *l, const struct span *items, const dim *dims, uint32_t rank,
                         value *out)
{
    struct lower_value v = { .kind = VALUE_STRINGS,
                             .dtype = DTYPE_STRING,
                             .rank = rank,
                             .dims = dims,
                             .operand = NO_ID,
                             .strings = items };
    return value_new(l, &v, out);
}

o2w_status scalar(struct lower *l, enum dtype dtype, double v, value *out)
{
    struct tensor t;
    TRY(known_new(l, dtype, NULL, 0, &t, out));
    tensor_put_double(&t, 0, v);
    return O2W_OK;
}

o2w_status scalar_i64(struct lower *l, enum dtype dtype, int64_t v, value *out)
{
    struct tensor t;
    TRY(known_new(l, dtype, NULL, 0, &t, out));
    tensor_put_i64(&t, 0, v);
    return O2W_OK;
}

o2w_status scalar_like(struct lower *l, value x, double v, value *out)
{
    return scalar(l, value_working_dtype(x), v, out);
}

static void put_number(struct tensor *t, struct webnn_number v)
{
    switch (v.kind) {
    case WEBNN_NUMBER_INT: tensor_put_i64(t, 0, v.i); break;
    case WEBNN_NUMBER_UINT: tensor_put_u64(t, 0, v.u); break;
    case WEBNN_NUMBER_DOUBLE:
    case WEBNN_NUMBER_NONE: tensor_put_double(t, 0, v.d); break;
    }
}

o2w_status filled(struct lower *l, enum dtype dtype, struct webnn_number v, const dim *dims,
                  uint32_t rank, value *out)
{
    struct tensor one;
    uint64_t count, bytes;
    if (!dims_count(dims, rank, &count) || !dtype_bytes(dtype, count, &bytes))
        return diag_error(l->diags, DIAG_LOWER_SHAPE,
                          "a constant of this size needs numbers for its dimensions");
    if (tensor_new(&l->arena, dtype, NULL, 0, &one) != O2W_OK)
        return diag_memory(l->diags);
    put_number(&one, v);
    struct weight w = { .source = WEIGHT_SPLAT,
                        .transform = WEIGHT_COPY,
                        .dtype = dtype,
                        .from = dtype,
                        .count = count,
                        .length = tensor_bytes(&one),
                        .bytes = one.data };
    return value_of_weight(l, &w, dtype, dims, rank, out);
}

/* --- reading ---------------------------------------------------------------------------------- */

static o2w_status splat_bytes(struct lower *l, value v, const void **bytes)
{
    struct tensor t, one = { .dtype = v->stored.dtype, .data = (void *)(uintptr_t)v->stored.bytes };
    TRY(count_computed(l, v->stored.dtype, v->dims, v->rank));
    if (tensor_new(&l->arena, v->stored.dtype, v->dims, v->rank, &t) != O2W_OK)
        return diag_memory(l->diags);
    uint64_t count = tensor_count(&t);
    unsigned bits = dtype_info(v->stored.dtype)->bits;
    *bytes = t.data;
    if (v->stored.source == WEIGHT_ZEROS)
        return O2W_OK;
    for (uint64_t i = 0; i < count; i++) {
        if (bits == 4)
            nibble_set(t.data, i, nibble_get(one.data, 0));
        else
            memcpy((uint8_t *)t.data + i * (bits / 8), one.data, bits / 8);
    }
    return O2W_OK;
}

static o2w_status file_bytes_aligned(struct lower *l, value v, const void **bytes)
{
    struct span all;
    TRY(file_bytes(v->stored.file, l->diags, &all));
    const uint8_t *at = all.data + v->stored.offset;
    unsigned size = dtype_info(v->stored.dtype)->bits / 8;
    if (size <= 1 || (uintptr_t)at % size == 0) {
        *bytes = at;
        return O2W_OK;
    }
    uint8_t *aligned = arena_alloc(&l->arena, (size_t)v->stored.length, 16);
    if (!aligned)
        return diag_memory(l->diags);
    memcpy(aligned, at, (size_t)v->stored.length);
    *bytes = aligned;
    return O2W_OK;
}

static o2w_status materialise(struct lower *l, value v, const void **bytes)
{
    switch (v->stored.source) {
    case WEIGHT_BYTES: *bytes = v->stored.bytes; return O2W_OK;
    case WEIGHT_FILE: return file_bytes_aligned(l, v, bytes);
    case WEIGHT_SPLAT:
    case WEIGHT_ZEROS: return splat_bytes(l, v, bytes);
    }
    return O2W_INTERNAL;
}

static o2w_status shape_as_tensor(struct lower *l, value v, struct tensor *out)
{
    uint64_t count;
    if (!value_count(v, &count))
        return O2W_INTERNAL;
    *out = (struct tensor){ .dtype = v->dtype, .rank = v->rank };
    memcpy(out->dims, v->dims, v->rank * sizeof *out->dims);
    if (tensor_new(&l->arena, v->dtype, v->dims, v->rank, out) != O2W_OK)
        return diag_memory(l->diags);
    for (uint64_t i = 0; i < count; i++) {
        int64_t number;
        if (!expr_is_number(lower_exprs(l), v->elements[i], &number))
            return O2W_UNSUPPORTED;
        tensor_put_i64(out, i, number);
    }
    return O2W_OK;
}

o2w_status known_tensor(struct lower *l, value v, struct tensor *out)
{
    if (v->kind == VALUE_SHAPE && shape_as_tensor(l, v, out) == O2W_OK)
        return O2W_OK;
    if (v->kind != VALUE_KNOWN)
        return diag_error(l->diags, DIAG_LOWER_NOT_KNOWN, "a value must be known while converting");
    if (!v->bytes)
        TRY(materialise(l, v, &((struct lower_value *)(uintptr_t)v)->bytes));
    *out = (struct tensor){ .dtype = v->stored.dtype,
                            .rank = v->rank,
                            .data = (void *)(uintptr_t)v->bytes };
    memcpy(out->dims, v->dims, v->rank * sizeof *out->dims);
    return O2W_OK;
}

static const char *input_name(const struct node_view *n, uint32_t i)
{
    const struct onnx_row *row = n->row;
    return row && row->input_count
               ? row->inputs[i < row->input_count ? i : row->input_count - 1].name
               : "?";
}

/* The open dim behind a shape vector, or what else keeps the input from being known. */
static o2w_status not_known(struct lower *l, const struct node_view *n, uint32_t i)
{
    value v = input(n, i);
    o2w_status s = refuse(
        l, n, DIAG_LOWER_NOT_KNOWN, "input %u '%s' must be known while converting, it %s", i,
        input_name(n, i),
        v->kind == VALUE_SHAPE ? "depends on an open dimension" : "is computed from graph inputs");
    for (uint32_t k = 0; v->kind == VALUE_SHAPE && v->rank == 1 && k < (uint32_t)v->dims[0]; k++) {
        int64_t number;
        if (!expr_is_number(lower_exprs(l), v->elements[k], &number)) {
            diag_hint(l->diags, "--override-dim for '%s'",
                      expr_text(lower_exprs(l), v->elements[k], &l->arena));
            return s;
        }
    }
    if (v->kind == VALUE_OPERAND)
        diag_hint(
            l->diags,
            "where it comes from one input: --pin-input NAME=VALUE; or export it as a constant");
    return s;
}

static o2w_status readable(struct lower *l, const struct node_view *n, uint32_t i, struct tensor *t)
{
    value v = input(n, i);
    if (!value_is_static(v))
        return not_known(l, n, i);
    struct diags *diags = l->diags;
    if (v->kind == VALUE_SHAPE) {
        l->diags = NULL;
        o2w_status s = shape_as_tensor(l, v, t);
        l->diags = diags;
        return s == O2W_OK ? s : not_known(l, n, i);
    }
    return known_tensor(l, v, t);
}

o2w_status known_ints(struct lower *l, const struct node_view *n, uint32_t i, struct ints *out)
{
    struct tensor t;
    if (!input(n, i)) {
        *out = (struct ints){ 0 };
        return O2W_OK;
    }
    TRY(readable(l, n, i, &t));
    if (!dtype_is_integer(t.dtype) && t.dtype != DTYPE_BOOL)
        return refuse_input(l, n, i, "has type %s, an integer type is needed", dtype_name(t.dtype));
    uint64_t count = tensor_count(&t);
    int64_t *items = ARENA_ARRAY(&l->arena, (size_t)count, int64_t);
    if (!items)
        return diag_memory(l->diags);
    for (uint64_t k = 0; k < count; k++)
        items[k] = tensor_get_i64(&t, k);
    *out = (struct ints){ true, (uint32_t)count, items };
    return O2W_OK;
}

o2w_status known_int(struct lower *l, const struct node_view *n, uint32_t i, int64_t *out)
{
    struct ints items = { 0 };
    TRY(known_ints(l, n, i, &items));
    if (items.count != 1)
        return refuse_input(l, n, i, "has %u elements, one is needed", items.count);
    *out = items.items[0];
    return O2W_OK;
}

o2w_status known_doubles(struct lower *l, const struct node_view *n, uint32_t i,
                         const double **items, uint32_t *count)
{
    struct tensor t;
    TRY(readable(l, n, i, &t));
    uint64_t all = tensor_count(&t);
    double *values = ARENA_ARRAY(&l->arena, (size_t)all, double);
    if (!values)
        return diag_memory(l->diags);
    for (uint64_t k = 0; k < all; k++)
        values[k] = tensor_get_double(&t, k);
    *items = values;
    *count = (uint32_t)all;
    return O2W_OK;
}

o2w_status known_double(struct lower *l, const struct node_view *n, uint32_t i, double *out)
{
    const double *items;
    uint32_t count;
    TRY(known_doubles(l, n, i, &items, &count));
    if (count != 1)
        return refuse_input(l, n, i, "has %u elements, one is needed", count);
    *out = items[0];
    return O2W_OK;
}

o2w_status known_shape(struct lower *l, const struct node_view *n, uint32_t i,
                       const expr_id **elements, uint32_t *count)
{
    value v = input(n, i);
    if (v->kind == VALUE_SHAPE) {
        uint64_t all;
        if (!value_count(v, &all))
            return O2W_INTERNAL;
        *elements = v->elements;
        *count = (uint32_t)all;
        return O2W_OK;
    }
    struct ints items;
    TRY(known_ints(l, n, i, &items));
    expr_id *ids = ARENA_ARRAY(&l->arena, items.count, expr_id);
    if (!ids)
        return diag_memory(l->diags);
    for (uint32_t k = 0; k < items.count; k++)
        TRY(expr_number(lower_exprs(l), items.items[k], &ids[k]));
    *elements = ids;
    *count = items.count;
    return O2W_OK;
}

o2w_status shape_value(struct lower *l, const dim *dims, uint32_t count, value *out)
{
    if (dims_static(dims, count))
        return known_i64s(l, dims, count, out);
    expr_id *elements = ARENA_ARRAY(&l->arena, count, expr_id);
    if (!elements)
        return diag_memory(l->diags);
    for (uint32_t i = 0; i < count; i++)
        TRY(dim_to_expr(lower_exprs(l), dims[i], &elements[i]));
    struct lower_value v = { .kind = VALUE_SHAPE,
                             .dtype = DTYPE_INT64,
                             .rank = 1,
                             .dims = (const dim[]){ count },
                             .operand = NO_ID,
                             .elements = elements };
    return value_new(l, &v, out);
}

/* --- sequences -------------------------------------------------------------------------------- */

static o2w_status container(struct lower *l, enum value_kind kind, const value *items,
                            uint32_t count, enum dtype dtype, value *out)
{
    value *copy = ARENA_ARRAY(&l->arena, count, value);
    if (!copy)
        return diag_memory(l->diags);
    if (count)
        memcpy(copy, items, count * sizeof *copy);
    struct lower_value v = {
        .kind = kind, .dtype = dtype, .operand = NO_ID, .items = copy, .item_count = count
    };
    return value_new(l, &v, out);
}

o2w_status sequence_of(struct lower *l, const value *items, uint32_t count, enum dtype dtype,
                       value *out)
{
    return container(l, VALUE_SEQUENCE, items, count, dtype, out);
}

static o2w_status labelled(struct lower *l, enum value_kind kind, value v,
                           const struct label_table *labels, value *out)
{
    value made;
    TRY(container(l, kind, &v, 1, DTYPE_STRING, &made));
    struct lower_value own = *made;
    own.rank = v->rank;
    own.dims = v->dims;
    own.labels = *labels;
    return value_new(l, &own, out);
}

o2w_status classes_of(struct lower *l, value places, const struct span *texts, uint32_t count,
                      value *out)
{
    return labelled(l, VALUE_CLASSES, places,
                    &(struct label_table){ .count = count, .texts = texts }, out);
}

o2w_status maps_of(struct lower *l, value rows, const struct label_table *labels, value *out)
{
    return labelled(l, VALUE_MAPS, rows, labels, out);
}

o2w_status optional_of(struct lower *l, value item, enum dtype dtype, value *out)
{
    return container(l, VALUE_OPTIONAL, &item, item ? 1 : 0, dtype, out);
}
