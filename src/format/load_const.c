/* Constants of a graph file. */
#include "base/half.h"
#include "base/number.h"
#include "base/text.h"
#include "format/load.h"
#include "format/weights.h"

#include <math.h>
#include <string.h>

static o2w_status describe(struct loader *l, const struct doc_const *c, struct descriptor *d,
                           uint64_t *count)
{
    *d = (struct descriptor){ .dtype = c->type.dtype, .rank = c->type.rank };
    for (uint32_t i = 0; i < d->rank; i++) {
        if (c->type.dims[i].name.data)
            return loader_at(l, c->place,
                             diag_error(l->diags, DIAG_CONST_DYNAMIC,
                                        "'%.*s': constants must be static", SPAN_ARG(c->name)));
        d->dims[i] = c->type.dims[i].size;
    }
    return loader_count(l, c->place, c->name, d, count);
}

/* ---- @scalar ---- */

/* The number as the bits of an integer type; false when it isn't one of its values. */
static bool integer_bits(enum dtype t, struct span text, uint64_t *bits)
{
    int64_t i = 0;
    uint64_t u = 0;
    double x = doc_double(text);
    if (!doc_is_integer(text)) {
        if (x != floor(x) || x < -0x1p63 || x >= 0x1p64)
            return false;
        i = x < 0 ? (int64_t)x : 0;
        u = x < 0 ? 0 : (uint64_t)x;
    } else if (number_parse_i64(text, &i) == O2W_OK) {
        u = i < 0 ? 0 : (uint64_t)i;
    } else if (number_parse_u64(text, &u) != O2W_OK) {
        return false;
    }
    if (i < 0 ? i < dtype_min(t) : u > dtype_max(t))
        return false;
    *bits = i < 0 ? (uint64_t)i : u;
    return true;
}

/* Over float32, in this order, as other readers do. False when it becomes infinite. */
static bool float_bits(enum dtype t, struct span text, uint64_t *bits)
{
    double x = doc_double(text);
    if (fabs(x) > 0x1.ffffffp127)
        return false;
    float f = (float)x;
    if (isinf(f))
        return false;
    if (t == DTYPE_FLOAT16) {
        *bits = half_from_float(f);
        return (*bits & 0x7fff) != 0x7c00;
    }
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    *bits = word;
    return true;
}

static o2w_status load_scalar(struct loader *l, const struct doc_const *c,
                              const struct descriptor *d, uint64_t count, operand_id *id)
{
    uint64_t bits = 0;
    bool fits = dtype_is_float(d->dtype) ? float_bits(d->dtype, c->text, &bits)
                                         : integer_bits(d->dtype, c->text, &bits);
    if (!fits)
        return diag_error(l->diags, DIAG_CONST_SCALAR, "'%.*s': %.*s isn't a %s", SPAN_ARG(c->name),
                          SPAN_ARG(c->text), dtype_name(d->dtype));
    uint8_t *element = arena_alloc(&loader_graph(l)->arena, sizeof bits, 8);
    if (!element)
        return diag_memory(l->diags);
    for (size_t i = 0; i < sizeof bits; i++)
        element[i] = (uint8_t)(bits >> (8 * i));
    if (dtype_in(d->dtype, DTYPES_4BIT))
        element[0] &= 15;
    struct weight w = { .source = WEIGHT_SPLAT,
                        .dtype = d->dtype,
                        .from = d->dtype,
                        .count = count,
                        .bytes = element };
    return builder_constant(&l->builder, d, &w, c->name, id);
}

/* ---- @bytes ---- */

static o2w_status load_bytes(struct loader *l, const struct doc_const *c,
                             const struct descriptor *d, uint64_t count, operand_id *id)
{
    uint64_t bytes = 0;
    dtype_bytes(d->dtype, count, &bytes);
    if (c->text.size != bytes) {
        char shape[300];
        dims_text(d->dims, d->rank, shape, sizeof shape);
        return diag_error(l->diags, DIAG_CONST_BYTES, "'%.*s': %zu bytes, %s%s needs %llu",
                          SPAN_ARG(c->name), c->text.size, dtype_info(d->dtype)->text, shape,
                          (unsigned long long)bytes);
    }
    struct span copy = arena_copy(&loader_graph(l)->arena, c->text);
    if (!copy.data)
        return diag_memory(l->diags);
    struct weight w = { .source = WEIGHT_BYTES,
                        .dtype = d->dtype,
                        .from = d->dtype,
                        .count = count,
                        .bytes = copy.data };
    return builder_constant(&l->builder, d, &w, c->name, id);
}

static o2w_status load_external(struct loader *l, const struct doc_const *c,
                                const struct descriptor *d, operand_id *id)
{
    struct weight w;
    TRY(weights_resolve(l, c, d, &w));
    return builder_constant(&l->builder, d, &w, c->name, id);
}

o2w_status load_const(struct loader *l, const struct doc_const *c)
{
    struct descriptor d;
    struct doc_name name = { c->name, c->place };
    uint64_t count = 0;
    operand_id id = NO_ID;
    if (scope_lookup(&l->scope, c->name))
        return scope_declare(&l->scope, name, SCOPE_CONSTANT, NO_ID);
    TRY(describe(l, c, &d, &count));
    o2w_status status = c->init == DOC_INIT_SCALAR  ? load_scalar(l, c, &d, count, &id)
                        : c->init == DOC_INIT_BYTES ? load_bytes(l, c, &d, count, &id)
                                                    : load_external(l, c, &d, &id);
    TRY(loader_at(l, c->place, status));
    return loader_declare(l, name, SCOPE_CONSTANT, id);
}
