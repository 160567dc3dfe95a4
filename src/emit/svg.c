/* The viewer's layout as a picture. */
#include "emit/emit.h"
#include "emit/layout.h"

#include "base/number.h"

struct svg {
    const struct graph *g;
    struct layout layout;
    struct arena *arena;
    struct text_out *out;
};

static void put(struct svg *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct svg *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(s->arena, format, args);
    va_end(args);
    if (text)
        out_text(s->out, text);
    s->out->failed = s->out->failed || !text;
}

void emit_xml_text(struct text_out *out, struct span s)
{
    uint32_t c;
    for (size_t i = 0; i < s.size;) {
        size_t length = utf8_next(s, i, &c);
        const char *entity = length == 0 || c < 0x20 ? "?"
                             : c == '&'              ? "&amp;"
                             : c == '<'              ? "&lt;"
                             : c == '>'              ? "&gt;"
                             : c == '"'              ? "&quot;"
                                                     : NULL;
        if (entity)
            out_text(out, entity);
        else
            out_span(out, (struct span){ s.data + i, length });
        i += length ? length : 1;
    }
}

/* Inputs and outputs, operators with weights, the rest. */
static const char *class_of(const struct svg *s, uint32_t node)
{
    if (node < s->layout.input_count || node >= s->layout.input_count + s->layout.operator_count)
        return "port";
    const struct operator_node *n = &s->g->operators.items[node - s->layout.input_count];
    for (uint32_t i = 0; i < n->operand_count; i++)
        if (n->operands[i] != NO_ID &&
            graph_operand(s->g, n->operands[i])->kind == OPERAND_CONSTANT)
            return "weighted";
    return "plain";
}

static void put_edge(struct svg *s, const struct layout_edge *e)
{
    const struct layout_node *a = &s->layout.nodes[e->from], *b = &s->layout.nodes[e->to];
    double x1 = a->x + a->width / 2, y1 = a->y + LAYOUT_HEIGHT, x2 = b->x + b->width / 2;
    double half = (b->y - y1) / 2;
    put(s, "<path d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\"/>\n", x1, y1, x1, y1 + half, x2,
        b->y - half, x2, b->y);
}

static struct span shortened(const struct svg *s, struct span text)
{
    enum { MOST = 24 };
    size_t size = 0;
    uint32_t c;
    if (text.size <= MOST)
        return text;
    while (size < MOST - 1) {
        size_t length = utf8_next(text, size, &c);
        size += length ? length : 1;
    }
    const char *cut =
        arena_printf(s->arena, "%.*s\xe2\x80\xa6", (int)size, (const char *)text.data);
    return span_of(cut);
}

static void put_node(struct svg *s, uint32_t node)
{
    const struct layout_node *n = &s->layout.nodes[node];
    struct span text = layout_text(s->g, &s->layout, node, s->arena);
    put(s, "<g class=\"%s\"><title>", class_of(s, node));
    emit_xml_text(s->out, text);
    put(s, "</title><rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%d\" rx=\"6\"/>", n->x,
        n->y, n->width, LAYOUT_HEIGHT);
    put(s, "<text x=\"%.1f\" y=\"%.0f\">", n->x + n->width / 2, n->y + LAYOUT_HEIGHT / 2.0 + 5);
    emit_xml_text(s->out, shortened(s, text));
    out_text(s->out, "</text></g>\n");
}

static void put_picture(struct svg *s)
{
    put(s,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
        "role=\"img\">\n<title>",
        s->layout.width, s->layout.height, s->layout.width, s->layout.height);
    emit_xml_text(s->out, names_text(&s->g->names, s->g->name));
    out_text(
        s->out,
        "</title>\n<style>\nrect{fill:#fff;stroke:#5b6b7d}text{font:13px system-ui,sans-serif;fill:#1b2733;"
        "text-anchor:middle}path{fill:none;stroke:#8796a5}.port rect{fill:#e3eefb;stroke:#2f6db5}"
        ".weighted rect{fill:#f3eefc;stroke:#6f4fb0}\n@media (prefers-color-scheme:dark){rect{fill:#1d2630;"
        "stroke:#7e8fa1}text{fill:#e6edf3}path{stroke:#66778a}.port rect{fill:#17324f}"
        ".weighted rect{fill:#2d2244}}\n</style>\n");
    for (size_t i = 0; i < s->layout.edges.count; i++)
        put_edge(s, &s->layout.edges.items[i]);
    for (uint32_t i = 0; i < s->layout.count; i++)
        put_node(s, i);
    out_text(s->out, "</svg>\n");
}

o2w_status emit_svg(const struct graph *g, struct arena *arena, struct diags *d,
                    struct text_out *out)
{
    struct svg s = { .g = g, .arena = arena, .out = out };
    if (layout_make(g, arena, &s.layout) != O2W_OK)
        return diag_memory(d);
    put_picture(&s);
    layout_free(&s.layout);
    return out->failed ? diag_memory(d) : O2W_OK;
}
