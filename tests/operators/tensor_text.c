#include "tensor_text.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

struct reader {
    const char *at;
    struct arena *arena;
};

static void skip_blanks(struct reader *r)
{
    while (*r->at == ' ' || *r->at == '\n')
        r->at++;
}

static bool take(struct reader *r, char c)
{
    skip_blanks(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static struct span word(struct reader *r, const char *ends)
{
    skip_blanks(r);
    size_t size = strcspn(r->at, ends);
    struct span s = { (const uint8_t *)r->at, size };
    r->at += size;
    return s;
}

static bool read_dtype(struct reader *r, enum dtype *t)
{
    static const struct {
        const char *text;
        enum dtype dtype;
    } more[] = { { "bool", DTYPE_BOOL },        { "f64", DTYPE_FLOAT64 },
                 { "bf16", DTYPE_BFLOAT16 },    { "i16", DTYPE_INT16 },
                 { "u16", DTYPE_UINT16 },       { "i2", DTYPE_INT2 },
                 { "u2", DTYPE_UINT2 },         { "f8e4m3fn", DTYPE_FLOAT8E4M3FN },
                 { "f8e5m2", DTYPE_FLOAT8E5M2 } };
    struct span name = word(r, "[ ");
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (span_is(name, more[i].text)) {
            *t = more[i].dtype;
            return true;
        }
    return dtype_by_text(name, t);
}

static const char *read_dims(struct reader *r, struct tensor_text *out)
{
    if (!take(r, '['))
        return "'[' is missing";
    while (!take(r, ']')) {
        struct tensor *t = &out->tensor;
        struct span s = word(r, ",] ");
        size_t colon = 0;
        while (colon < s.size && s.data[colon] != ':')
            colon++;
        if (t->rank == MAX_RANK)
            return "too many dims";
        if (colon < s.size) {
            out->names[t->rank] = arena_text(r->arena, (struct span){ s.data, colon });
            s = (struct span){ s.data + colon + 1, s.size - colon - 1 };
        }
        if (number_parse_i64(s, &t->dims[t->rank]) != O2W_OK || t->dims[t->rank] < 0)
            return "a dim is no number";
        t->rank++;
        take(r, ',');
    }
    return NULL;
}

static bool put(struct tensor *t, uint64_t i, struct span s)
{
    int64_t whole;
    uint64_t large;
    double v;
    if (span_is(s, "nan"))
        tensor_put_double(t, i, (double)NAN);
    else if (span_is(s, "inf") || span_is(s, "-inf"))
        tensor_put_double(t, i, s.data[0] == '-' ? -(double)INFINITY : (double)INFINITY);
    else if (!dtype_is_float(t->dtype) && number_parse_i64(s, &whole) == O2W_OK)
        tensor_put_i64(t, i, whole);
    else if (!dtype_is_float(t->dtype) && number_parse_u64(s, &large) == O2W_OK)
        tensor_put_u64(t, i, large);
    else if (dtype_is_float(t->dtype) && number_parse_double(s, &v) == O2W_OK)
        tensor_put_double(t, i, v);
    else
        return false;
    return true;
}

static const char *read_iota(struct reader *r, struct tensor *t)
{
    double start, step;
    if (number_parse_double(word(r, " "), &start) != O2W_OK ||
        number_parse_double(word(r, " "), &step) != O2W_OK)
        return "iota needs a start and a step";
    for (uint64_t i = 0; i < tensor_count(t); i++)
        tensor_put_double(t, i, start + step * (double)i);
    return NULL;
}

/* Numbers from low to high that look random; whole ones of integer dtypes. */
static const char *read_noise(struct reader *r, struct tensor *t)
{
    double seed, low, high;
    if (number_parse_double(word(r, " "), &seed) != O2W_OK ||
        number_parse_double(word(r, " "), &low) != O2W_OK ||
        number_parse_double(word(r, " "), &high) != O2W_OK)
        return "noise needs a seed, a lowest and a highest number";
    uint64_t state = (uint64_t)seed * 2654435761u + 88172645463325252u;
    for (uint64_t i = 0; i < tensor_count(t); i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        double share = (double)(state >> 11) / 9007199254740992.0;
        double v = dtype_is_float(t->dtype) ? low + share * (high - low)
                                            : floor(low + share * (high - low + 1));
        tensor_put_double(t, i, v);
    }
    return NULL;
}

/* As many values as elements; `cycle` repeats them. */
static const char *read_values(struct reader *r, struct tensor *t, bool repeat)
{
    VEC(struct span) values = { 0 };
    const char *why = NULL;
    uint64_t count = tensor_count(t);
    for (skip_blanks(r); *r->at; skip_blanks(r))
        if (!VEC_PUSH(&values, word(r, " \n")))
            return "no memory";
    if ((!repeat && values.count != count) || (repeat && count && values.count == 0))
        why = "the number of values is not that of the elements";
    for (uint64_t i = 0; !why && i < count; i++)
        if (!put(t, i, values.items[i % values.count]))
            why = "a value is no number of the dtype";
    VEC_FREE(&values);
    return why;
}

static bool keyword(struct reader *r, const char *text)
{
    size_t size = strlen(text);
    skip_blanks(r);
    if (strncmp(r->at, text, size) != 0 || (r->at[size] != ' ' && r->at[size] != 0))
        return false;
    r->at += size;
    return true;
}

const char *tensor_text_parse(const char *text, struct arena *a, struct tensor_text *out)
{
    struct reader r = { text, a };
    enum dtype dtype;
    struct tensor shape;
    *out = (struct tensor_text){ .absent = strcmp(text, "-") == 0 };
    if (out->absent)
        return NULL;
    out->initializer = take(&r, '=');
    if (!read_dtype(&r, &dtype))
        return "an unknown dtype";
    const char *why = read_dims(&r, out);
    if (why)
        return why;
    shape = out->tensor;
    if (tensor_new(a, dtype, shape.dims, shape.rank, &out->tensor) != O2W_OK)
        return "no memory";
    if (keyword(&r, "iota"))
        return read_iota(&r, &out->tensor);
    if (keyword(&r, "noise"))
        return read_noise(&r, &out->tensor);
    out->native = keyword(&r, "native");
    out->any = keyword(&r, "any");
    if (out->native || out->any)
        return NULL;
    return read_values(&r, &out->tensor, keyword(&r, "cycle") || keyword(&r, "all"));
}
