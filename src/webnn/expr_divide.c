#include "base/checked.h"
#include "webnn/expr_poly.h"

/* ---- by a number ---- */

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static uint64_t absolute(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

static bool is_constant(const struct term *t)
{
    return t->monomial == 0;
}

/* Of d and all coefficients but the number's. */
static int64_t common_divisor(const struct poly *p, int64_t d)
{
    uint64_t g = (uint64_t)d;
    for (size_t i = 0; i < p->count && g != 1; i++)
        if (!is_constant(&p->items[i]))
            g = gcd(g, absolute(p->items[i].coefficient));
    return (int64_t)g;
}

/* Every coefficient becomes its remainder by d; the quotients are added to `quotient` (may be NULL). */
static o2w_status split_by_number(struct exprs *x, struct poly *p, int64_t d, struct poly *quotient)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->count; i++) {
        struct term t = p->items[i], q = t;
        q.coefficient = floor_quotient(t.coefficient, d);
        t.coefficient = floor_remainder(t.coefficient, d);
        if (q.coefficient && quotient)
            TRY(poly_add(x, quotient, &q, 1, 1, 0));
        if (t.coefficient)
            p->items[kept++] = t;
    }
    p->count = kept;
    return O2W_OK;
}

/* Coefficients by g, which divides all but the number's; that one is rounded down, its rest returned. */
static int64_t scale_down(struct poly *p, int64_t g)
{
    int64_t rest = 0;
    size_t kept = 0;
    for (size_t i = 0; i < p->count; i++) {
        struct term t = p->items[i];
        if (is_constant(&t))
            rest = floor_remainder(t.coefficient, g);
        t.coefficient = floor_quotient(t.coefficient, g);
        if (t.coefficient)
            p->items[kept++] = t;
    }
    p->count = kept;
    return rest;
}

/* Whether floor(p / d) is one number whatever the names are. */
static bool quotient_is_known(const struct exprs *x, const struct poly *p, int64_t d,
                              int64_t *value)
{
    struct interval q = interval_floor_div(poly_range(x, p), interval_of(d));
    *value = q.min;
    return q.min == q.max;
}

/* floor((floor(a / e) + k) / d) = floor((a + k * e) / (d * e)): p becomes a + k * e, *d becomes d * e. */
static o2w_status flatten_nested(struct exprs *x, struct poly *p, int64_t *d, bool *done)
{
    *done = false;
    if (p->count == 0 || p->count > 2 || p->items[0].coefficient != 1 ||
        (p->count == 2 && !is_constant(&p->items[1])))
        return O2W_OK;
    const struct monomial *m = &x->monomials.items[p->items[0].monomial];
    if (m->count != 1)
        return O2W_OK;
    struct atom inner = x->atoms.items[m->factors[0]];
    int64_t e, product, shift = 0;
    if (inner.kind != ATOM_FLOOR || !expr_is_number(x, inner.b, &e) || !mul_i64(*d, e, &product))
        return O2W_OK;
    if (p->count == 2 && !mul_i64(p->items[1].coefficient, e, &shift))
        return O2W_OK;
    TRY(poly_set(p, x, inner.a));
    TRY(poly_add_number(x, p, shift));
    *d = product;
    *done = true;
    return O2W_OK;
}

static o2w_status add_atom_over(struct exprs *x, enum atom_kind kind, const struct poly *a,
                                const struct poly *b, int64_t coefficient, struct poly *out)
{
    expr_id ea, eb;
    atom_id atom;
    TRY(expr_intern(x, a, &ea));
    TRY(expr_intern(x, b, &eb));
    TRY(expr_intern_atom(x, kind, ea, eb, &atom));
    return poly_add_atom(x, out, atom, coefficient);
}

static o2w_status add_atom_over_number(struct exprs *x, enum atom_kind kind, const struct poly *a,
                                       int64_t d, int64_t coefficient, struct poly *out)
{
    struct term number = { .coefficient = d };
    struct poly b = { .items = &number, .count = 1 };
    return add_atom_over(x, kind, a, &b, coefficient, out);
}

/* d > 0. */
static o2w_status floor_by_number(struct exprs *x, struct poly *a, int64_t d, struct poly *out)
{
    for (bool again = true; again;) {
        int64_t known;
        TRY(split_by_number(x, a, d, out));
        int64_t g = common_divisor(a, d);
        scale_down(a, g);
        d /= g;
        if (d == 1)
            return poly_add(x, out, a->items, a->count, 1, 0);
        if (quotient_is_known(x, a, d, &known))
            return poly_add_number(x, out, known);
        TRY(flatten_nested(x, a, &d, &again));
    }
    return add_atom_over_number(x, ATOM_FLOOR, a, d, 1, out);
}

/* Adds sign * mod(a, d), d > 0. */
static o2w_status mod_by_number(struct exprs *x, struct poly *a, int64_t d, int64_t sign,
                                struct poly *out)
{
    int64_t known;
    TRY(split_by_number(x, a, d, NULL));
    if (quotient_is_known(x, a, d, &known)) {
        if (!mul_i64(known, -d, &known))
            return O2W_RANGE;
        TRY(poly_add_number(x, a, known));
        return poly_add(x, out, a->items, a->count, sign, 0);
    }
    int64_t g = common_divisor(a, d);
    int64_t rest = scale_down(a, g);
    TRY(poly_add_number(x, out, sign * rest));
    return d == g ? O2W_OK : add_atom_over_number(x, ATOM_MOD, a, d / g, sign * g, out);
}

/* ---- by an expression ---- */

static bool contains(const struct exprs *x, const struct poly *p, atom_id atom)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct monomial *m = &x->monomials.items[p->items[i].monomial];
        uint32_t k = 0;
        while (k < m->count && m->factors[k] != atom)
            k++;
        if (k == m->count)
            return false;
    }
    return true;
}

static o2w_status take_factor(struct exprs *x, struct poly *p, monomial_id factor)
{
    for (size_t i = 0; i < p->count; i++) {
        bool divides;
        TRY(monomial_divide(x, p->items[i].monomial, factor, &divides, &p->items[i].monomial));
    }
    return O2W_OK;
}

/* Takes the atoms that are factors of both and never 0. */
static o2w_status cancel_factors(struct exprs *x, struct poly *a, struct poly *b)
{
    const struct monomial first = x->monomials.items[b->items[0].monomial];
    for (uint32_t i = 0; i < first.count; i++) {
        atom_id atom = first.factors[i];
        if (interval_has(x->atoms.items[atom].range, 0) || !contains(x, a, atom) ||
            !contains(x, b, atom))
            continue;
        monomial_id factor;
        TRY(expr_intern_monomial(x, &atom, 1, &factor));
        TRY(take_factor(x, a, factor));
        TRY(take_factor(x, b, factor));
    }
    return O2W_OK;
}

static void cancel_content(struct poly *a, struct poly *b)
{
    uint64_t g = 0;
    for (size_t i = 0; i < a->count; i++)
        g = gcd(g, absolute(a->items[i].coefficient));
    for (size_t i = 0; i < b->count; i++)
        g = gcd(g, absolute(b->items[i].coefficient));
    if (g < 2 || g > INT64_MAX)
        return;
    scale_down(a, (int64_t)g);
    scale_down(b, (int64_t)g);
}

/* Divides a by b. A quotient without rest is undone where b may be 0: it would hide that. */
static o2w_status reduce(struct exprs *x, struct poly *a, const struct poly *b,
                         struct poly *quotient)
{
    bool was_zero = a->count == 0;
    TRY(poly_divide(x, a, b, quotient));
    if (a->count == 0 && !was_zero && interval_has(poly_range(x, b), 0)) {
        TRY(poly_multiply(x, quotient, b, a));
        quotient->count = 0;
    }
    return O2W_OK;
}

/* Whether floor(a / b) is one number, by bounds. */
static o2w_status quotient_by_bounds(struct exprs *x, const struct poly *a, const struct poly *b,
                                     bool *found, int64_t *value)
{
    struct interval ra = poly_range(x, a), rb = poly_range(x, b), difference;
    *found = false;
    if (rb.min < 1)
        return O2W_OK;
    struct interval q = interval_floor_div(ra, rb);
    *value = q.min;
    *found = q.min == q.max;
    if (*found || (ra.min < 0 && ra.max >= 0))
        return O2W_OK;
    if (ra.min >= 0) { /* 0 <= a < b */
        TRY(poly_difference_range(x, b, a, &difference));
        *value = 0;
        *found = difference.min >= 1;
        return O2W_OK;
    }
    struct poly sum = poly_new(x); /* -b <= a < 0 */
    o2w_status status = poly_add(x, &sum, a->items, a->count, 1, 0);
    if (status == O2W_OK)
        status = poly_add(x, &sum, b->items, b->count, 1, 0);
    *value = -1;
    *found = status == O2W_OK && poly_range(x, &sum).min >= 0;
    poly_free(&sum);
    return status;
}

/* Adds sign * floor(a / b) for the rest of a division: as floor or ceil, so that a's first
 * coefficient is positive. */
static o2w_status add_quotient_atom(struct exprs *x, struct poly *a, const struct poly *b,
                                    int64_t sign, struct poly *out)
{
    if (a->count == 0 || a->items[0].coefficient > 0)
        return add_atom_over(x, ATOM_FLOOR, a, b, sign, out);
    TRY(poly_negate(a));
    return add_atom_over(x, ATOM_CEIL, a, b, -sign, out);
}

/* Adds sign * floor(a / b); b's first coefficient is positive. */
static o2w_status floor_by_poly(struct exprs *x, struct poly *a, const struct poly *b, int64_t sign,
                                struct poly *out)
{
    struct poly quotient = poly_new(x);
    bool known = false;
    int64_t value = 0;
    o2w_status status = reduce(x, a, b, &quotient);
    if (status == O2W_OK)
        status = poly_add(x, out, quotient.items, quotient.count, sign, 0);
    poly_free(&quotient);
    TRY(status);
    TRY(quotient_by_bounds(x, a, b, &known, &value));
    if (known)
        return mul_i64(value, sign, &value) ? poly_add_number(x, out, value) : O2W_RANGE;
    return add_quotient_atom(x, a, b, sign, out);
}

/* Common factors are gone and the divisor's first coefficient is positive. */
static o2w_status normalise(struct exprs *x, struct poly *a, struct poly *b)
{
    if (b->count == 0)
        return O2W_RANGE;
    TRY(cancel_factors(x, a, b));
    cancel_content(a, b);
    if (b->items[0].coefficient > 0)
        return O2W_OK;
    TRY(poly_negate(a));
    return poly_negate(b);
}

o2w_status poly_floor_div(struct exprs *x, struct poly *a, struct poly *b, struct poly *out)
{
    int64_t d;
    TRY(normalise(x, a, b));
    return poly_number(b, &d) ? floor_by_number(x, a, d, out) : floor_by_poly(x, a, b, 1, out);
}

o2w_status poly_ceil_div(struct exprs *x, struct poly *a, struct poly *b, struct poly *out)
{
    int64_t d;
    TRY(normalise(x, a, b));
    if (poly_number(b, &d)) {
        TRY(poly_add_number(x, a, d - 1));
        return floor_by_number(x, a, d, out);
    }
    TRY(poly_negate(a));
    return floor_by_poly(x, a, b, -1, out);
}

static o2w_status mod_by_poly(struct exprs *x, struct poly *a, const struct poly *b, int64_t sign,
                              struct poly *out)
{
    struct poly quotient = poly_new(x);
    bool known = false;
    int64_t value = 0;
    o2w_status status = reduce(x, a, b, &quotient);
    poly_free(&quotient);
    TRY(status);
    TRY(quotient_by_bounds(x, a, b, &known, &value));
    if (!known)
        return add_atom_over(x, ATOM_MOD, a, b, sign, out);
    TRY(poly_add(x, out, a->items, a->count, sign, 0)); /* a - value * b */
    return mul_i64(value, -sign, &value) ? poly_add(x, out, b->items, b->count, value, 0)
                                         : O2W_RANGE;
}

o2w_status poly_mod(struct exprs *x, struct poly *a, struct poly *b, struct poly *out)
{
    int64_t d, sign = 1;
    if (b->count == 0)
        return O2W_RANGE;
    if (b->items[0].coefficient < 0) { /* mod(a, -b) = -mod(-a, b) */
        sign = -1;
        TRY(poly_negate(a));
        TRY(poly_negate(b));
    }
    return poly_number(b, &d) ? mod_by_number(x, a, d, sign, out) : mod_by_poly(x, a, b, sign, out);
}
