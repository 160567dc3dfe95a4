/* Element by element, in double or in 64-bit integers. Sums are made in blocks of a fixed size, and
 * the sums of the blocks are added in their order. */
#include "validate/compare.h"

#include "base/half.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 4096 };

const char *profile_text(enum profile p)
{
    static const char *const words[] = { "float32", "q4", "q8" };
    return words[p];
}

void tolerances_init(struct tolerances *t, enum profile p)
{
    static const struct tolerance wide[] = {
        [PROFILE_FLOAT32] = { 1e-5, 1e-4 },
        [PROFILE_Q4] = { 1e-3, 1e-3 },
        [PROFILE_Q8] = { 2e-3, 2e-3 },
    };
    *t = (struct tolerances){ .profile = p };
    t->by_dtype[DTYPE_FLOAT32] = t->by_dtype[DTYPE_FLOAT64] = wide[p];
    t->by_dtype[DTYPE_FLOAT16] = (struct tolerance){ 1e-3, 1e-2 };
    t->by_dtype[DTYPE_BFLOAT16] = (struct tolerance){ 8e-3, 8e-2 };
}

/* --- one pair ----------------------------------------------------------------------------------------- */

struct comparison {
    const struct tensor *reference, *result;
    const struct tolerance *allowed;
    struct figures *out;
    bool floats;
};

/* Sums of one block. */
struct sums {
    double absolute, squares, dot, reference, result;
    uint64_t finite;
};

struct pair {
    double reference, result, absolute; /* absolute: infinite where no number says how far apart */
    bool passes, finite;
};

static struct pair float_pair(const struct comparison *c, uint64_t i)
{
    struct pair p = { .reference = tensor_get_double(c->reference, i),
                      .result = tensor_get_double(c->result, i) };
    p.finite = isfinite(p.reference) && isfinite(p.result);
    if (p.finite) {
        p.absolute = fabs(p.result - p.reference);
        p.passes = p.absolute <= c->allowed->absolute + c->allowed->relative * fabs(p.reference);
        return p;
    }
    p.passes = isnan(p.reference) ? isnan(p.result)
                                  : isinf(p.reference) && isinf(p.result) &&
                                        signbit(p.reference) == signbit(p.result);
    p.absolute = p.passes ? 0 : (double)INFINITY;
    return p;
}

/* An integer as its sign and the distance from 0. */
struct wide {
    bool negative;
    uint64_t magnitude;
};

static struct wide wide_at(const struct tensor *t, uint64_t i)
{
    if (!dtype_is_signed(t->dtype))
        return (struct wide){ false, t->dtype == DTYPE_BOOL ? (uint64_t)tensor_get_i64(t, i)
                                                            : tensor_get_u64(t, i) };
    int64_t v = tensor_get_i64(t, i);
    return (struct wide){ v < 0, v < 0 ? 0 - (uint64_t)v : (uint64_t)v };
}

static double wide_double(struct wide w)
{
    return w.negative ? -(double)w.magnitude : (double)w.magnitude;
}

/* How far apart; exact below 2^53, rounded once above. */
static double wide_distance(struct wide a, struct wide b)
{
    if (a.negative != b.negative)
        return (double)a.magnitude + (double)b.magnitude;
    return a.magnitude > b.magnitude ? (double)(a.magnitude - b.magnitude)
                                     : (double)(b.magnitude - a.magnitude);
}

static struct pair integer_pair(const struct comparison *c, uint64_t i)
{
    struct wide r = wide_at(c->reference, i), g = wide_at(c->result, i);
    struct pair p = { .reference = wide_double(r), .result = wide_double(g), .finite = true };
    bool equal = r.negative == g.negative && r.magnitude == g.magnitude;
    p.absolute = equal ? 0 : wide_distance(r, g);
    p.passes =
        equal || p.absolute <= c->allowed->absolute + c->allowed->relative * fabs(p.reference);
    return p;
}

/* --- texts -------------------------------------------------------------------------------------------- */

/* As few digits as tell a small float apart from its neighbours. */
static void small_float_text(enum dtype t, double value, char text[ELEMENT_TEXT])
{
    for (int digits = 1; digits <= 9; digits++) {
        double back;
        number_print_general(value, digits, text);
        if (number_parse_double(span_of(text), &back) != O2W_OK)
            continue;
        if (t == DTYPE_FLOAT16 ? half_from_double(back) == half_from_double(value)
                               : bfloat16_from_double(back) == bfloat16_from_double(value))
            return;
    }
}

void element_text(const struct tensor *t, uint64_t i, char text[ELEMENT_TEXT])
{
    if (!dtype_is_float(t->dtype)) {
        if (dtype_is_signed(t->dtype) || t->dtype == DTYPE_BOOL)
            number_print_i64(tensor_get_i64(t, i), text);
        else
            number_print_u64(tensor_get_u64(t, i), text);
        return;
    }
    double value = tensor_get_double(t, i);
    if (t->dtype == DTYPE_FLOAT32 || !isfinite(value))
        number_print_float((float)value, text);
    else if (t->dtype == DTYPE_FLOAT64)
        number_print_double(value, text);
    else
        small_float_text(t->dtype, value, text);
}

/* --- figures ------------------------------------------------------------------------------------------ */

static double normalized(const struct comparison *c, const struct pair *p)
{
    double allowed = c->allowed->absolute + c->allowed->relative * fabs(p->reference);
    if (p->absolute <= 0)
        return 0;
    return allowed > 0 ? p->absolute / allowed : (double)INFINITY;
}

static void note_difference(struct comparison *c, uint64_t i, const struct pair *p)
{
    struct figures *f = c->out;
    f->outside++;
    if (f->first_count == FIRST_DIFFERENCES)
        return;
    struct difference *to = &f->first[f->first_count++];
    to->index = i;
    to->absolute = p->absolute;
    to->allowed = c->allowed->absolute + c->allowed->relative * fabs(p->reference);
    element_text(c->reference, i, to->reference);
    element_text(c->result, i, to->got);
}

static void add_pair(struct comparison *c, uint64_t i, const struct pair *p, struct sums *s)
{
    struct figures *f = c->out;
    double relation = normalized(c, p);
    if (!p->passes)
        note_difference(c, i, p);
    f->nan[0] += isnan(p->reference) ? 1 : 0;
    f->nan[1] += isnan(p->result) ? 1 : 0;
    f->inf[0] += isinf(p->reference) ? 1 : 0;
    f->inf[1] += isinf(p->result) ? 1 : 0;
    if (p->absolute > f->max_abs)
        f->max_abs = p->absolute;
    if (relation > f->max_normalized)
        f->max_normalized = relation;
    if (!p->finite)
        return;
    s->finite++;
    s->absolute += p->absolute;
    s->squares += p->absolute * p->absolute;
    s->dot += p->reference * p->result;
    s->reference += p->reference * p->reference;
    s->result += p->result * p->result;
}

static void add_sums(struct sums *to, const struct sums *from)
{
    to->finite += from->finite;
    to->absolute += from->absolute;
    to->squares += from->squares;
    to->dot += from->dot;
    to->reference += from->reference;
    to->result += from->result;
}

static void finish(struct figures *f, const struct sums *s)
{
    double finite = (double)s->finite, lengths = sqrt(s->reference) * sqrt(s->result);
    f->mean_abs = s->finite ? s->absolute / finite : 0;
    f->rmse = s->finite ? sqrt(s->squares / finite) : 0;
    f->cosine = s->reference <= 0 && s->result <= 0 ? 1 : lengths > 0 ? s->dot / lengths : 0;
}

/* --- top-1 -------------------------------------------------------------------------------------------- */

/* Index of the first maximum; false when the row has a NaN. */
static bool first_maximum(const struct tensor *t, uint64_t begin, uint64_t count, uint64_t *at)
{
    double best = -(double)INFINITY;
    *at = 0;
    for (uint64_t i = 0; i < count; i++) {
        double v = tensor_get_double(t, begin + i);
        if (isnan(v))
            return false;
        if (v > best) {
            best = v;
            *at = i;
        }
    }
    return true;
}

static void compare_rows(struct comparison *c)
{
    const struct tensor *r = c->reference;
    uint64_t length = r->rank ? (uint64_t)r->dims[r->rank - 1] : 0, a, b;
    if (!c->floats || length < 2)
        return;
    for (uint64_t i = 0; i < c->out->count; i += length)
        if (first_maximum(r, i, length, &a) && first_maximum(c->result, i, length, &b)) {
            c->out->rows++;
            c->out->same_top += a == b;
        }
}

void compare_values(const struct tensor *reference, const struct tensor *result,
                    const struct tolerance *allowed, struct figures *out)
{
    struct comparison c = { .reference = reference,
                            .result = result,
                            .allowed = allowed,
                            .out = out,
                            .floats = dtype_is_float(reference->dtype) };
    struct sums total = { 0 };
    *out = (struct figures){ .count = tensor_count(reference) };
    for (uint64_t begin = 0; begin < out->count; begin += BLOCK) {
        uint64_t end = begin + BLOCK < out->count ? begin + BLOCK : out->count;
        struct sums block = { 0 };
        for (uint64_t i = begin; i < end; i++) {
            struct pair p = c.floats ? float_pair(&c, i) : integer_pair(&c, i);
            add_pair(&c, i, &p, &block);
        }
        add_sums(&total, &block);
    }
    finish(out, &total);
    compare_rows(&c);
}
