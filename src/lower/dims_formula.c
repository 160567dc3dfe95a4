/* Names of dimensions that are expressions over other names. */
#include "lower/dims_internal.h"

#include "base/checked.h"
#include "base/number.h"

#include <string.h>

enum { DEEPEST = 32 };

struct reader {
    struct span text;
    size_t at;
    unsigned depth;
    bool has_operator;
    dims_lookup *lookup;
    void *user;
    o2w_status status; /* of looking a name up */
};

static void skip_blanks(struct reader *r)
{
    while (r->at < r->text.size && (r->text.data[r->at] == ' ' || r->text.data[r->at] == '\t'))
        r->at++;
}

/* The next character that is no blank; 0 at the end. */
static uint8_t peek(struct reader *r)
{
    skip_blanks(r);
    return r->at < r->text.size ? r->text.data[r->at] : 0;
}

static bool is_special(uint8_t c)
{
    return c == 0 || strchr("+-*/() \t", c) != NULL;
}

static bool read_sum(struct reader *r, int64_t *value);

static bool read_atom(struct reader *r, int64_t *value)
{
    bool found = false;
    size_t from = r->at;
    while (r->at < r->text.size && !is_special(r->text.data[r->at]))
        r->at++;
    struct span name = { r->text.data + from, r->at - from };
    if (name.size == 0)
        return false;
    if (name.data[0] >= '0' && name.data[0] <= '9')
        return number_parse_i64(name, value) == O2W_OK;
    r->status = r->lookup(r->user, name, &found, value);
    return r->status == O2W_OK && found;
}

static bool read_factor(struct reader *r, int64_t *value)
{
    if (peek(r) != '(')
        return read_atom(r, value);
    if (++r->depth > DEEPEST)
        return false;
    r->at++;
    r->has_operator = true;
    if (!read_sum(r, value) || peek(r) != ')')
        return false;
    r->at++;
    r->depth--;
    return true;
}

static bool divide(int64_t a, int64_t b, int64_t *out)
{
    if (b == 0 || (a == INT64_MIN && b == -1) || a % b != 0)
        return false;
    *out = a / b;
    return true;
}

static bool read_product(struct reader *r, int64_t *value)
{
    if (!read_factor(r, value))
        return false;
    for (uint8_t c = peek(r); c == '*' || c == '/'; c = peek(r)) {
        int64_t b;
        r->at++;
        r->has_operator = true;
        if (!read_factor(r, &b) ||
            !(c == '*' ? mul_i64(*value, b, value) : divide(*value, b, value)))
            return false;
    }
    return true;
}

static bool read_sum(struct reader *r, int64_t *value)
{
    if (!read_product(r, value))
        return false;
    for (uint8_t c = peek(r); c == '+' || c == '-'; c = peek(r)) {
        int64_t b;
        r->at++;
        r->has_operator = true;
        if (!read_product(r, &b) ||
            !(c == '+' ? add_i64(*value, b, value) : sub_i64(*value, b, value)))
            return false;
    }
    return true;
}

o2w_status dims_formula(struct span text, dims_lookup *lookup, void *user, bool *found,
                        int64_t *value)
{
    struct reader r = { .text = text, .lookup = lookup, .user = user };
    int64_t v;
    *found = read_sum(&r, &v) && peek(&r) == 0 && r.at == text.size && r.has_operator && v >= 0 &&
             v <= INT32_MAX;
    if (*found)
        *value = v;
    return r.status;
}
