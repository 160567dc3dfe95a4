/* Constants that stand in the text: one value for all elements, or a few bytes. */
#include "format/plan.h"

#include "base/half.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

enum { ELEMENT_MAX = 8, EXACT_MAX = 1 << 24 };

/* ---- one value for all ---- */

struct uniform {
    uint8_t first[ELEMENT_MAX];
    size_t size; /* of an element */
    bool begun, same;
};

static o2w_status compare_block(void *user, const void *data, size_t size)
{
    struct uniform *u = user;
    const uint8_t *bytes = data;
    if (!u->begun && size > 0) {
        memcpy(u->first, bytes, u->size);
        u->begun = true;
    }
    for (size_t i = 0; i < size && u->same; i += u->size)
        u->same = memcmp(bytes + i, u->first, u->size) == 0;
    return u->same ? O2W_OK : O2W_CANCELLED;
}

/* Whether all elements have the bits of *first; reads no further than the first that differs. */
static o2w_status find_uniform(const struct weight *w, struct diags *d, struct uniform *u)
{
    struct weight part = *w;
    *u = (struct uniform){ .size = dtype_info(w->dtype)->bits / 8u, .same = true };
    if ((w->source == WEIGHT_SPLAT || w->source == WEIGHT_ZEROS) && w->count > 1)
        part.count = 1;
    o2w_status status = weight_stream(&part, compare_block, u, d);
    u->same = u->same && u->begun;
    return status == O2W_CANCELLED && !u->same ? O2W_OK : status;
}

static struct span keep(const struct plan *p, const char *text, size_t size)
{
    return arena_copy(p->arena, (struct span){ (const uint8_t *)text, size });
}

/* The shortest digits of the float that other readers, who go over double, read as the same float. */
static size_t print_exact(float value, char text[NUMBER_TEXT])
{
    double over_double;
    size_t size = number_print_float(value, text);
    if (number_parse_double((struct span){ (const uint8_t *)text, size }, &over_double) == O2W_OK &&
        (float)over_double == value)
        return size;
    return number_print_double((double)value, text);
}

/* The number as text; 0 when other readers would get another value. */
static size_t print_scalar(const struct tensor *element, char text[NUMBER_TEXT])
{
    if (dtype_is_float(element->dtype)) {
        float value = (float)tensor_get_double(element, 0);
        bool survives = isfinite(value) && !(value == 0 && signbit(value));
        return survives ? print_exact(value, text) : 0;
    }
    if (dtype_is_signed(element->dtype)) {
        int64_t value = tensor_get_i64(element, 0);
        return value >= -EXACT_MAX && value <= EXACT_MAX ? number_print_i64(value, text) : 0;
    }
    uint64_t value = tensor_get_u64(element, 0);
    return value <= EXACT_MAX ? number_print_u64(value, text) : 0;
}

static o2w_status try_scalar(const struct plan *p, const struct weight *w,
                             struct constant_plan *out, bool *inlined)
{
    struct uniform u;
    char text[NUMBER_TEXT];
    TRY(find_uniform(w, p->diags, &u));
    struct tensor element = { .dtype = w->dtype, .data = u.first };
    size_t size = u.same ? print_scalar(&element, text) : 0;
    *inlined = size > 0;
    if (!*inlined)
        return O2W_OK;
    *out = (struct constant_plan){ CONSTANT_SCALAR, keep(p, text, size) };
    return out->text.data ? O2W_OK : diag_memory(p->diags);
}

/* ---- a few bytes ---- */

static o2w_status append_block(void *user, const void *data, size_t size)
{
    uint8_t **end = user;
    memcpy(*end, data, size);
    *end += size;
    return O2W_OK;
}

static bool fits_inline(const struct plan *p, uint64_t bytes)
{
    int64_t limit = p->options->inline_limit;
    return bytes <= (uint64_t)(limit == 0 ? FORMAT_INLINE_DEFAULT : limit) && limit >= 0;
}

static o2w_status copy_bytes(const struct plan *p, const struct weight *w,
                             struct constant_plan *out)
{
    uint64_t size = weight_bytes(w);
    uint8_t *bytes = arena_alloc(p->arena, (size_t)size, 1), *end = bytes;
    if (!bytes)
        return diag_memory(p->diags);
    *out = (struct constant_plan){ CONSTANT_BYTES, { bytes, (size_t)size } };
    return weight_stream(w, append_block, &end, p->diags);
}

o2w_status plan_inline(struct plan *p, operand_id constant, struct constant_plan *out,
                       bool *inlined)
{
    const struct weight *w = graph_weight(p->graph, constant);
    bool packed = dtype_in(w->dtype, DTYPES_4BIT);
    *inlined = false;
    /* not all readers know them there: only for who asks for everything */
    if (packed && p->options->inline_limit != FORMAT_INLINE_ALL)
        return O2W_OK;
    if (!packed)
        TRY(try_scalar(p, w, out, inlined));
    if (*inlined || !fits_inline(p, weight_bytes(w)))
        return O2W_OK;
    *inlined = true;
    return copy_bytes(p, w, out);
}
