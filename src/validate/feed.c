/* Elements of feeds. */
#include "validate/feed.h"

#include "base/checked.h"
#include "base/half.h"
#include "base/text.h"

#include <string.h>

static const uint64_t golden = 0x9E3779B97F4A7C15;

bool feed_has_pattern(enum dtype t)
{
    const dtype_set made = DTYPES_WEBNN | DTYPE_BIT(DTYPE_BOOL) | DTYPE_BIT(DTYPE_FLOAT64) |
                           DTYPE_BIT(DTYPE_BFLOAT16) | DTYPE_BIT(DTYPE_INT16) |
                           DTYPE_BIT(DTYPE_UINT16);
    return t < DTYPE_COUNT && dtype_in(t, made);
}

o2w_status feed_measure(struct feed *f, struct diags *d)
{
    char shape[200];
    uint64_t count = 1, bytes;
    bool fits = dims_count(f->dims, f->rank, &count) && dtype_bytes(f->dtype, count, &bytes) &&
                bytes <= INT64_MAX;
    if (!fits) {
        dims_text(f->dims, f->rank, shape, sizeof shape);
        return diag_error(d, DIAG_FEED_TOO_LARGE, "input '%s': %s %s takes more than 2^63-1 bytes",
                          f->name, dtype_name(f->dtype), shape);
    }
    f->count = count;
    f->bytes = bytes;
    return O2W_OK;
}

/* --- random numbers -------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t z)
{
    z ^= z >> 30;
    z *= 0xBF58476D1CE4E5B9;
    z ^= z >> 27;
    z *= 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

/* What all numbers of one input and seed share. */
static uint64_t sequence(uint64_t seed, struct span name)
{
    return mix(seed + golden) ^ span_fnv1a64(name);
}

uint64_t feed_random(uint64_t seed, struct span name, uint64_t i)
{
    return mix(sequence(seed, name) + (i + 1) * golden);
}

/* --- levels ---------------------------------------------------------------------------------------- */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

uint64_t feed_stride(uint64_t levels)
{
    if (levels <= 2)
        return 1;
    uint64_t p = (uint64_t)(0.6180339887498949 * (double)levels);
    if (p % 2 == 0)
        p--;
    while (common_divisor(p, levels) != 1)
        p += 2;
    return p;
}

struct filling {
    const struct feed *feed;
    struct tensor to;
    uint64_t seed, sequence, levels, stride, inner; /* inner: elements behind the grid's axis */
};

static uint64_t random_at(const struct filling *f, uint64_t i)
{
    return mix(f->sequence + (i + 1) * golden);
}

static int64_t level_at(const struct filling *f, uint64_t i)
{
    const struct feed_grid *g = &f->feed->grid;
    if (g->dynamic && i < 2 && f->feed->count >= 2)
        return i == 0 ? 0 : 255;
    uint64_t step =
        f->seed ? random_at(f, i) % f->levels : (i % f->levels + 1) * f->stride % f->levels;
    return g->least + (int64_t)step;
}

/* Which scale element i has. */
static uint64_t scale_at(const struct filling *f, uint64_t i)
{
    const struct feed_grid *g = &f->feed->grid;
    if (g->count <= 1)
        return 0;
    uint64_t length = (uint64_t)f->feed->dims[g->axis], at = i / f->inner % length;
    if (!g->block)
        return at;
    uint64_t blocks = (length + (uint64_t)g->block - 1) / (uint64_t)g->block;
    return (i / (f->inner * length) * blocks + at / (uint64_t)g->block) * f->inner + i % f->inner;
}

static void put_level(struct filling *f, uint64_t i)
{
    const struct feed_grid *g = &f->feed->grid;
    int64_t level = level_at(f, i);
    if (!dtype_is_float(f->to.dtype)) {
        tensor_put_i64(&f->to, i, level);
        return;
    }
    uint64_t k = scale_at(f, i);
    double scale = g->dynamic ? 1.0 / 64 : g->scales[k];
    int64_t zero = g->dynamic ? 128 : g->zeros[k];
    tensor_put_double(&f->to, i, scale * (double)(level - zero));
}

/* --- the rules ------------------------------------------------------------------------------------- */

static void put_pattern(struct filling *f, uint64_t i)
{
    if (f->to.dtype == DTYPE_BOOL)
        tensor_put_i64(&f->to, i, i % 2 == 0);
    else if (dtype_is_float(f->to.dtype))
        tensor_put_double(&f->to, i, ((double)(i % 17) - 8) / 16);
    else
        tensor_put_i64(&f->to, i, (int64_t)(i % 7));
}

static void put_random(struct filling *f, uint64_t i)
{
    uint64_t r = random_at(f, i);
    if (f->to.dtype == DTYPE_BOOL)
        tensor_put_i64(&f->to, i, (int64_t)(r % 2));
    else if (dtype_is_float(f->to.dtype))
        tensor_put_double(&f->to, i, (double)(r >> 40) / 8388608.0 - 1);
    else
        tensor_put_i64(&f->to, i, (int64_t)(r % 7));
}

static void put_number(struct filling *f, uint64_t i, int64_t v)
{
    if (dtype_is_float(f->to.dtype))
        tensor_put_double(&f->to, i, (double)v);
    else
        tensor_put_i64(&f->to, i, v);
}

static void put_id(struct filling *f, uint64_t i)
{
    uint64_t v = f->feed->vocabulary;
    if (f->seed)
        tensor_put_u64(&f->to, i, random_at(f, i) % v);
    else
        tensor_put_u64(&f->to, i, i % (v < 7 ? v : 7));
}

static void put_token_type(struct filling *f, uint64_t i)
{
    uint64_t v = f->feed->vocabulary;
    put_number(f, i, f->seed && v ? (int64_t)(random_at(f, i) % v) : 0);
}

static void put_one(struct filling *f, uint64_t i)
{
    put_number(f, i, 1);
}

static void put_pin(struct filling *f, uint64_t i)
{
    put_number(f, i, f->feed->pin);
}

static void fill_with(struct filling *f, void (*put)(struct filling *, uint64_t))
{
    for (uint64_t i = 0; i < f->feed->count; i++)
        put(f, i);
}

static void prepare_grid(struct filling *f)
{
    const struct feed *feed = f->feed;
    f->levels = (uint64_t)(feed->grid.most - feed->grid.least) + 1;
    f->stride = feed_stride(f->levels);
    f->inner = 1;
    for (uint32_t i = feed->grid.axis + 1; i < feed->rank; i++)
        f->inner *= (uint64_t)feed->dims[i];
}

void feed_fill(const struct feed *feed, uint64_t seed, void *data)
{
    struct filling f = { .feed = feed,
                         .seed = seed,
                         .sequence = sequence(seed, span_of(feed->name)),
                         .to = { .dtype = feed->dtype, .rank = feed->rank, .data = data } };
    if (!feed->count)
        return;
    memcpy(f.to.dims, feed->dims, feed->rank * sizeof *feed->dims);
    memset(data, 0, feed->bytes);
    switch (feed->rule) {
    case FEED_PATTERN: fill_with(&f, seed ? put_random : put_pattern); break;
    case FEED_ZEROS: fill_with(&f, put_token_type); break;
    case FEED_ONES: fill_with(&f, put_one); break;
    case FEED_SCALE_AWARE:
        prepare_grid(&f);
        fill_with(&f, put_level);
        break;
    case FEED_IDS: fill_with(&f, put_id); break;
    case FEED_PINNED: fill_with(&f, put_pin); break;
    case FEED_ARCHIVE:
    case FEED_DEFAULT: memcpy(data, feed->given, feed->bytes); break;
    }
}

const char *feed_word(const struct feed *f, uint64_t seed, char text[FEED_WORD])
{
    static const char *const words[] = {
        [FEED_PATTERN] = "pattern",         [FEED_ZEROS] = "zeros",     [FEED_ONES] = "ones",
        [FEED_SCALE_AWARE] = "scale-aware", [FEED_IDS] = "ids",         [FEED_PINNED] = "pinned",
        [FEED_ARCHIVE] = "archive",         [FEED_DEFAULT] = "default",
    };
    bool ids = f->rule == FEED_IDS || (f->rule == FEED_ZEROS && seed && f->vocabulary);
    if (f->rule == FEED_PATTERN && seed)
        return "random";
    if (!ids)
        return words[f->rule];
    text_format(text, FEED_WORD, "ids<%llu", (unsigned long long)f->vocabulary);
    return text;
}
