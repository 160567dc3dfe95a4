#include "base/number.h"
#include "webnn/expr_private.h"

#include <string.h>

/* ---- words ---- */

static const struct {
    const char *word;
    enum expr_op op;
    enum atom_kind kind;
} functions[] = {
    { "floor", EXPR_FLOOR_DIV, ATOM_FLOOR }, { "ceil", EXPR_CEIL_DIV, ATOM_CEIL },
    { "mod", EXPR_MOD, ATOM_MOD },           { "min", EXPR_MIN, ATOM_MIN },
    { "max", EXPR_MAX, ATOM_MAX },
};

bool expr_function(struct span word, enum expr_op *op)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (span_is(word, functions[i].word)) {
            *op = functions[i].op;
            return true;
        }
    }
    return false;
}

static const char *function_word(enum atom_kind kind)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (functions[i].kind == kind)
            return functions[i].word;
    return "";
}

bool expr_is_delimiter(uint8_t byte)
{
    return byte <= ' ' || byte == 0x7f || strchr("+-*/(),'\"[]{}", byte);
}

bool expr_name_needs_quotes(struct span name)
{
    enum expr_op op;
    if (name.size == 0 || (name.data[0] >= '0' && name.data[0] <= '9') || expr_function(name, &op))
        return true;
    for (size_t i = 0; i < name.size; i++)
        if (expr_is_delimiter(name.data[i]))
            return true;
    return false;
}

/* ---- printing ---- */

struct printer {
    const struct exprs *x;
    VEC(char) text;
    bool failed;
};

static void put_bytes(struct printer *p, const void *data, size_t size)
{
    if (p->failed || !VEC_RESERVE(&p->text, size)) {
        p->failed = true;
        return;
    }
    if (size)
        memcpy(p->text.items + p->text.count, data, size);
    p->text.count += size;
}

static void put(struct printer *p, const char *text)
{
    put_bytes(p, text, strlen(text));
}

static void put_name(struct printer *p, struct span name)
{
    if (!expr_name_needs_quotes(name)) {
        put_bytes(p, name.data, name.size);
        return;
    }
    put(p, "'");
    for (size_t i = 0; i < name.size; i++)
        put_bytes(p, name.data[i] == '\'' ? "''" : (const char *)&name.data[i],
                  name.data[i] == '\'' ? 2 : 1);
    put(p, "'");
}

static void put_u64(struct printer *p, uint64_t value)
{
    char digits[NUMBER_TEXT];
    put_bytes(p, digits, number_print_u64(value, digits));
}

static void put_atom(struct printer *p, atom_id id);

/* The term without its sign. */
static void put_product(struct printer *p, const struct term *t)
{
    const struct monomial *m = &p->x->monomials.items[t->monomial];
    uint64_t c = t->coefficient < 0 ? 0 - (uint64_t)t->coefficient : (uint64_t)t->coefficient;
    if (c != 1 || m->count == 0)
        put_u64(p, c);
    for (uint32_t i = 0; i < m->count; i++) {
        if (i > 0 || c != 1)
            put(p, " * ");
        put_atom(p, m->factors[i]);
    }
}

/* A negative first term is an integer below 0 times the rest. */
static void put_first(struct printer *p, const struct term *t)
{
    if (t->coefficient < 0)
        put(p, t->coefficient == -1 && t->monomial ? "-1 * " : "-");
    put_product(p, t);
}

/* The first positive term leads, the others follow in order. */
static void put_sum(struct printer *p, const struct term *terms, uint32_t count)
{
    uint32_t first = 0;
    while (first < count && terms[first].coefficient < 0)
        first++;
    if (first == count)
        first = 0;
    if (count == 0)
        put(p, "0");
    else
        put_first(p, &terms[first]);
    for (uint32_t i = 0; i < count; i++) {
        if (i == first)
            continue;
        put(p, terms[i].coefficient < 0 ? " - " : " + ");
        put_product(p, &terms[i]);
    }
}

/* `single` says whether it can stand there without brackets. */
static void put_operand(struct printer *p, const struct term *terms, uint32_t count, bool single)
{
    if (!single)
        put(p, "(");
    put_sum(p, terms, count);
    if (!single)
        put(p, ")");
}

static bool is_one_factor(const struct exprs *x, const struct expr_node *node)
{
    if (node->count != 1)
        return false;
    const struct term *t = node->terms;
    return t->monomial == 0 ? t->coefficient > 0
                            : t->coefficient == 1 && x->monomials.items[t->monomial].count == 1;
}

/* floor((r + d - 1) / d) over a number d is said as ceil(r / d). */
static bool reads_as_ceil(const struct exprs *x, const struct atom *atom)
{
    int64_t d;
    const struct expr_node *a = &x->nodes.items[atom->a];
    const struct term *last = &a->terms[a->count - 1];
    return atom->kind == ATOM_FLOOR && expr_is_number(x, atom->b, &d) && a->count > 1 &&
           last->monomial == 0 && last->coefficient == d - 1;
}

static void put_quotient(struct printer *p, const struct atom *atom)
{
    const struct expr_node *a = &p->x->nodes.items[atom->a], *b = &p->x->nodes.items[atom->b];
    bool ceil = atom->kind == ATOM_CEIL || reads_as_ceil(p->x, atom);
    uint32_t count = atom->kind == ATOM_FLOOR && ceil ? a->count - 1 : a->count;
    put(p, function_word(ceil ? ATOM_CEIL : ATOM_FLOOR));
    put(p, "(");
    put_operand(p, a->terms, count, count <= 1);
    put(p, " / ");
    put_operand(p, b->terms, b->count, is_one_factor(p->x, b));
    put(p, ")");
}

static void put_atom(struct printer *p, atom_id id)
{
    const struct atom *atom = &p->x->atoms.items[id];
    if (atom->kind == ATOM_NAME) {
        put_name(p, p->x->names.items[atom->a]);
    } else if (atom->kind == ATOM_FLOOR || atom->kind == ATOM_CEIL) {
        put_quotient(p, atom);
    } else {
        const struct expr_node *a = &p->x->nodes.items[atom->a], *b = &p->x->nodes.items[atom->b];
        put(p, function_word(atom->kind));
        put(p, "(");
        put_sum(p, a->terms, a->count);
        put(p, ", ");
        put_sum(p, b->terms, b->count);
        put(p, ")");
    }
}

/* A text that is also a declared name would be read as that name: brackets tell them apart. */
static void put_whole(struct printer *p, expr_id e)
{
    const struct expr_node *node = &p->x->nodes.items[e];
    uint32_t brackets = 0;
    size_t index;
    if (expr_is_name(p->x, e, &index)) {
        struct span name = p->x->names.items[index];
        put_bytes(p, name.data, name.size);
        return;
    }
    do {
        p->text.count = 0;
        for (uint32_t i = 0; i < brackets; i++)
            put(p, "(");
        put_sum(p, node->terms, node->count);
        for (uint32_t i = 0; i < brackets; i++)
            put(p, ")");
        brackets++;
    } while (!p->failed && map_find(&p->x->name_map, (struct span){ (const uint8_t *)p->text.items,
                                                                    p->text.count }));
}

char *expr_text(const struct exprs *x, expr_id e, struct arena *a)
{
    struct printer p = { .x = x, .text.allocator = x->allocator };
    put_whole(&p, e);
    char *text = p.failed
                     ? NULL
                     : arena_text(a, (struct span){ (const uint8_t *)p.text.items, p.text.count });
    VEC_FREE(&p.text);
    return text;
}
