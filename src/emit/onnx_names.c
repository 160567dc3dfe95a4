/* Names of values and nodes in an ONNX model. */
#include "emit/onnx.h"

#include "base/number.h"

void made_names_init(struct made_names *n, struct arena *arena, struct diags *d)
{
    *n = (struct made_names){ .arena = arena, .diags = d, .names.allocator = arena->allocator };
    map_init(&n->finals, arena->allocator);
    map_init(&n->taken, arena->allocator);
    map_init(&n->labels, arena->allocator);
}

void made_names_free(struct made_names *n)
{
    map_free(&n->finals);
    map_free(&n->taken);
    map_free(&n->labels);
    VEC_FREE(&n->names);
}

bool made_text(struct span name)
{
    size_t bad;
    return name.size > 0 && utf8_valid(name, &bad);
}

/* Gives the value that name; neither of both has one yet. */
static o2w_status give(struct made_names *n, const char *value, struct span name)
{
    uint32_t *index;
    if (!VEC_PUSH(&n->names, name) || map_insert(&n->taken, name, 0, &index, NULL) != O2W_OK ||
        map_insert(&n->finals, span_of(value), (uint32_t)n->names.count - 1, &index, NULL) !=
            O2W_OK)
        return diag_memory(n->diags);
    return O2W_OK;
}

static o2w_status give_port(struct made_names *n, const struct made_port *port, const char *what)
{
    if (!made_text(port->name))
        return diag_error(n->diags, DIAG_MODEL_NAME, "an %s has no name that is text in UTF-8",
                          what);
    if (map_find(&n->taken, port->name))
        return diag_error(
            n->diags, DIAG_MODEL_NAME,
            "%s '%.*s' has the name of another input or output, which ONNX keeps apart", what,
            SPAN_ARG(port->name));
    return give(n, port->value, port->name);
}

o2w_status made_names_assign(struct made_names *n, const struct made_parts *p)
{
    for (size_t i = 0; i < p->inputs.count; i++)
        TRY(give_port(n, &p->inputs.items[i], "input"));
    for (size_t i = 0; i < p->outputs.count; i++)
        TRY(give_port(n, &p->outputs.items[i], "output"));
    for (size_t i = 0; i < p->titles.count; i++) {
        const struct made_title *t = &p->titles.items[i];
        if (made_text(t->name) && !map_find(&n->taken, t->name) &&
            !map_find(&n->finals, span_of(t->value)))
            TRY(give(n, t->value, t->name));
    }
    return O2W_OK;
}

o2w_status made_name(struct made_names *n, const char *value, struct span *out)
{
    const uint32_t *index = map_find(&n->finals, span_of(value));
    if (!*value || index) {
        *out = index ? n->names.items[*index] : SPAN("");
        return O2W_OK;
    }
    const char *name = value;
    while (name && map_find(&n->taken, span_of(name)))
        name = arena_printf(n->arena, "%s_", name);
    if (!name)
        return diag_memory(n->diags);
    *out = span_of(name);
    return give(n, value, *out);
}

o2w_status made_node_name(struct made_names *n, const struct made_node *node, struct span *out)
{
    struct span base = made_text(node->label) ? node->label : span_of(node->op);
    uint32_t *count, *first;
    bool is_new;
    *out = base;
    if (map_insert(&n->labels, base, 1, &first, &is_new) != O2W_OK)
        return diag_memory(n->diags);
    uint32_t number = *first;
    while (!is_new) {
        const char *name = arena_printf(n->arena, "%.*s #%u", SPAN_ARG(base), ++number);
        *out = span_of(name);
        if (!name || map_insert(&n->labels, *out, 1, &count, &is_new) != O2W_OK)
            return diag_memory(n->diags);
    }
    *map_find(&n->labels, base) = number;
    return O2W_OK;
}
