#include "base/checked.h"
#include "base/number.h"
#include "webnn/expr_poly.h"

#include <string.h>

/* sum     = product (('+' | '-') product)*
 * product = factor ('*' factor)*
 * factor  = INTEGER | '-' factor | NAME | QUOTED | '(' sum ')' | call
 * call    = ('floor' | 'ceil') '(' product '/' factor ')' | ('mod' | 'min' | 'max') '(' sum ',' sum ')' */

enum { NESTING_MAX = 2 * EXPR_DEPTH_MAX + 20 };

enum token_kind { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_SIGN, TOKEN_BAD };

struct token {
    enum token_kind kind;
    struct span text; /* of a quoted name: with its quotes */
    uint8_t sign;
};

struct parser {
    struct exprs *x;
    struct span text;
    size_t at;
    struct token token;
    uint32_t depth;
    struct diags *d;
    bool quiet;
};

/* ---- tokens ---- */

static size_t quoted_end(struct span text, size_t at)
{
    for (size_t i = at + 1; i < text.size; i++) {
        if (text.data[i] != '\'')
            continue;
        if (i + 1 == text.size || text.data[i + 1] != '\'')
            return i + 1;
        i++;
    }
    return 0;
}

static size_t word_end(struct span text, size_t at)
{
    while (at < text.size && !expr_is_delimiter(text.data[at]))
        at++;
    return at;
}

static bool is_number(struct span word)
{
    for (size_t i = 0; i < word.size; i++)
        if (word.data[i] < '0' || word.data[i] > '9')
            return false;
    return word.size > 0;
}

static bool is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static void next(struct parser *p)
{
    while (p->at < p->text.size && is_blank(p->text.data[p->at]))
        p->at++;
    size_t start = p->at, end = start + 1;
    p->token = (struct token){ .kind = TOKEN_END };
    if (start >= p->text.size)
        return;
    uint8_t byte = p->text.data[start];
    if (byte == '\'') {
        end = quoted_end(p->text, start);
        p->token.kind = end ? TOKEN_NAME : TOKEN_BAD;
        end = end ? end : p->text.size;
    } else if (strchr("+-*/(),", byte) && byte) {
        p->token.kind = TOKEN_SIGN;
        p->token.sign = byte;
    } else if (!expr_is_delimiter(byte)) {
        end = word_end(p->text, start);
        struct span word = { p->text.data + start, end - start };
        p->token.kind = is_number(word) ? TOKEN_NUMBER : TOKEN_NAME;
    } else {
        p->token.kind = TOKEN_BAD;
    }
    p->token.text = (struct span){ p->text.data + start, end - start };
    p->at = end;
}

static bool at_sign(const struct parser *p, uint8_t sign)
{
    return p->token.kind == TOKEN_SIGN && p->token.sign == sign;
}

/* ---- failures ---- */

static o2w_status fail_expected(struct parser *p, const char *what)
{
    if (p->quiet)
        return O2W_FORMAT;
    struct span found = p->token.text;
    if (p->token.kind == TOKEN_END)
        diag_error(p->d, DIAG_DYN_UNKNOWN,
                   "dimension '%.*s' doesn't parse: expected %s, found its end", SPAN_ARG(p->text),
                   what);
    else
        diag_error(p->d, DIAG_DYN_UNKNOWN,
                   "dimension '%.*s' doesn't parse: expected %s, found '%.*s' at byte %zu",
                   SPAN_ARG(p->text), what, SPAN_ARG(found), (size_t)(found.data - p->text.data));
    return O2W_FORMAT;
}

static o2w_status fail_unknown(struct parser *p, struct span name)
{
    if (p->quiet)
        return O2W_FORMAT;
    diag_error(p->d, DIAG_DYN_UNKNOWN, "dimension '%.*s' isn't declared by an input",
               SPAN_ARG(name));
    if (!span_equal(name, p->text))
        diag_at(p->d, "'%.*s'", SPAN_ARG(p->text));
    return O2W_FORMAT;
}

/* Says why arithmetic failed. */
static o2w_status fail_apply(struct parser *p, o2w_status status)
{
    if (p->quiet || status == O2W_OK)
        return status;
    if (status != O2W_RANGE)
        return diag_memory(p->d);
    return diag_error(
        p->d, DIAG_DYN_UNKNOWN,
        "dimension '%.*s' can't be computed: it divides by 0, overflows or is too long",
        SPAN_ARG(p->text));
}

static o2w_status expect(struct parser *p, uint8_t sign)
{
    char what[] = { '\'', (char)sign, '\'', 0 };
    if (!at_sign(p, sign))
        return fail_expected(p, what);
    next(p);
    return O2W_OK;
}

/* ---- grammar: each adds what it read to *out ---- */

static o2w_status parse_sum(struct parser *p, struct poly *out);
static o2w_status parse_product(struct parser *p, struct poly *out);
static o2w_status parse_factor(struct parser *p, struct poly *out);

static o2w_status parse_number(struct parser *p, bool negative, struct poly *out)
{
    uint64_t magnitude;
    if (number_parse_u64(p->token.text, &magnitude) != O2W_OK ||
        magnitude > (uint64_t)INT64_MAX + negative)
        return fail_expected(p, "a 64-bit integer");
    next(p);
    int64_t value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return fail_apply(p, poly_add_number(p->x, out, value));
}

/* The name inside quotes, quotes undoubled, in the buffer. */
static struct span unquote(struct span quoted, uint8_t *buffer)
{
    struct span name = { buffer, 0 };
    for (size_t i = 1; i + 1 < quoted.size; i++) {
        buffer[name.size++] = quoted.data[i];
        i += quoted.data[i] == '\'';
    }
    return name;
}

static o2w_status add_name(struct parser *p, struct span name, struct poly *out)
{
    const uint32_t *index = map_find(&p->x->name_map, name);
    if (!index)
        return fail_unknown(p, name);
    return fail_apply(p, poly_add_atom(p->x, out, p->x->name_atoms.items[*index], 1));
}

static o2w_status parse_name(struct parser *p, struct poly *out)
{
    struct span name = p->token.text;
    o2w_status status;
    if (name.data[0] == '\'') {
        uint8_t *buffer = mem_alloc(p->x->allocator, name.size);
        if (!buffer)
            return fail_apply(p, O2W_NO_MEMORY);
        status = add_name(p, unquote(name, buffer), out);
        mem_free(p->x->allocator, buffer, name.size);
    } else {
        status = add_name(p, name, out);
    }
    if (status == O2W_OK)
        next(p);
    return status;
}

static bool is_division(enum expr_op op)
{
    return op == EXPR_FLOOR_DIV || op == EXPR_CEIL_DIV;
}

static o2w_status parse_arguments(struct parser *p, enum expr_op op, struct poly *a, struct poly *b)
{
    TRY(expect(p, '('));
    TRY(is_division(op) ? parse_product(p, a) : parse_sum(p, a));
    TRY(expect(p, is_division(op) ? '/' : ','));
    TRY(is_division(op) ? parse_factor(p, b) : parse_sum(p, b));
    return expect(p, ')');
}

static o2w_status parse_call(struct parser *p, enum expr_op op, struct poly *out)
{
    struct poly a = poly_new(p->x), b = poly_new(p->x);
    next(p);
    o2w_status status = parse_arguments(p, op, &a, &b);
    if (status == O2W_OK)
        status = fail_apply(p, poly_apply(p->x, op, &a, &b, out));
    poly_free(&a);
    poly_free(&b);
    return status;
}

static o2w_status parse_negative(struct parser *p, struct poly *out)
{
    struct poly value = poly_new(p->x);
    next(p);
    if (p->token.kind == TOKEN_NUMBER)
        return parse_number(p, true, out);
    o2w_status status = parse_factor(p, &value);
    if (status == O2W_OK)
        status = fail_apply(p, poly_add(p->x, out, value.items, value.count, -1, 0));
    poly_free(&value);
    return status;
}

static o2w_status parse_nested(struct parser *p, struct poly *out)
{
    enum expr_op op;
    if (at_sign(p, '-'))
        return parse_negative(p, out);
    if (p->token.kind == TOKEN_NAME && expr_function(p->token.text, &op))
        return parse_call(p, op, out);
    if (!at_sign(p, '('))
        return fail_expected(p, "a name or number");
    next(p);
    TRY(parse_sum(p, out));
    return expect(p, ')');
}

static o2w_status parse_factor(struct parser *p, struct poly *out)
{
    enum expr_op op;
    if (p->token.kind == TOKEN_NUMBER)
        return parse_number(p, false, out);
    if (p->token.kind == TOKEN_NAME && !expr_function(p->token.text, &op))
        return parse_name(p, out);
    if (++p->depth > NESTING_MAX)
        return fail_apply(p, O2W_RANGE);
    o2w_status status = parse_nested(p, out);
    p->depth--;
    return status;
}

/* *left becomes left * factor. */
static o2w_status multiply_next(struct parser *p, struct poly *left)
{
    struct poly right = poly_new(p->x), product = poly_new(p->x);
    o2w_status status = parse_factor(p, &right);
    if (status == O2W_OK)
        status = fail_apply(p, poly_multiply(p->x, left, &right, &product));
    poly_free(&right);
    if (status != O2W_OK) {
        poly_free(&product);
        return status;
    }
    poly_free(left);
    *left = product;
    return O2W_OK;
}

static o2w_status parse_product(struct parser *p, struct poly *out)
{
    struct poly product = poly_new(p->x);
    o2w_status status = parse_factor(p, &product);
    while (status == O2W_OK && at_sign(p, '*')) {
        next(p);
        status = multiply_next(p, &product);
    }
    if (status == O2W_OK)
        status = fail_apply(p, poly_add(p->x, out, product.items, product.count, 1, 0));
    poly_free(&product);
    return status;
}

static o2w_status parse_sum(struct parser *p, struct poly *out)
{
    TRY(parse_product(p, out));
    while (at_sign(p, '+') || at_sign(p, '-')) {
        bool minus = at_sign(p, '-');
        struct poly part = poly_new(p->x);
        next(p);
        o2w_status status = parse_product(p, &part);
        if (status == O2W_OK)
            status = fail_apply(p, poly_add(p->x, out, part.items, part.count, minus ? -1 : 1, 0));
        poly_free(&part);
        TRY(status);
    }
    return O2W_OK;
}

static o2w_status parse_whole(struct parser *p, expr_id *out)
{
    struct poly value = poly_new(p->x);
    next(p);
    o2w_status status = parse_sum(p, &value);
    if (status == O2W_OK && p->token.kind != TOKEN_END)
        status = fail_expected(p, "an operator or the end");
    if (status == O2W_OK)
        status = fail_apply(p, expr_intern(p->x, &value, out));
    poly_free(&value);
    return status;
}

o2w_status expr_parse(struct exprs *x, struct span text, struct diags *d, expr_id *out)
{
    struct parser p = { .x = x, .text = text, .d = d };
    return expr_find_name(x, text, out) ? O2W_OK : parse_whole(&p, out);
}

o2w_status expr_parse_formula(struct exprs *x, struct span text, bool *found, expr_id *out)
{
    struct parser p = { .x = x, .text = text, .quiet = true };
    expr_id e;
    int64_t value;
    size_t index;
    o2w_status status = parse_whole(&p, &e);
    if (status == O2W_NO_MEMORY)
        return status;
    *found = status == O2W_OK && !expr_is_number(x, e, &value) && !expr_is_name(x, e, &index);
    if (*found)
        *out = e;
    return O2W_OK;
}
