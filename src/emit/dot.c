/* A graph for Graphviz. */
#include "emit/emit.h"

#include "base/number.h"
#include "webnn/operator.h"

struct dot {
    const struct graph *g;
    struct arena *arena;
    struct text_out *out;
};

/* A label's text: lines end in \n, quotes and backslashes are escaped. */
static void put_escaped(struct dot *t, struct span s)
{
    uint32_t code_point;
    for (size_t i = 0; i < s.size;) {
        size_t length = utf8_next(s, i, &code_point);
        if (length == 0 || code_point < 0x20)
            out_text(t->out, "?");
        else if (code_point == '"' || code_point == '\\')
            out_text(t->out, code_point == '"' ? "\\\"" : "\\\\");
        else
            out_span(t->out, (struct span){ s.data + i, length });
        i += length ? length : 1;
    }
}

static void put_type(struct dot *t, operand_id id)
{
    const struct operand *o = graph_operand(t->g, id);
    const char *dims = dim_list_text(t->g->exprs, o->dims, o->rank, t->arena);
    out_text(t->out, dtype_name(o->dtype));
    out_text(t->out, " ");
    put_escaped(t, span_of(dims));
}

static void put_id(struct dot *t, char kind, size_t id)
{
    char text[2] = { kind, 0 };
    out_text(t->out, text);
    out_i64(t->out, (int64_t)id);
}

static void put_border(struct dot *t, char kind, size_t index, operand_id id, struct span name)
{
    out_text(t->out, "  ");
    put_id(t, kind, index);
    out_text(t->out, " [shape=ellipse, label=\"");
    put_escaped(t, name);
    out_text(t->out, "\\n");
    put_type(t, id);
    out_text(t->out, "\"];\n");
}

static void put_source(struct dot *t, operand_id id)
{
    const struct operand *o = graph_operand(t->g, id);
    if (o->kind == OPERAND_INPUT)
        put_id(t, 'i', o->source);
    else
        put_id(t, 'n', o->source);
}

static void put_edge(struct dot *t, operand_id from, char kind, size_t to)
{
    out_text(t->out, "  ");
    put_source(t, from);
    out_text(t->out, " -> ");
    put_id(t, kind, to);
    out_text(t->out, " [label=\"");
    put_type(t, from);
    out_text(t->out, "\"];\n");
}

static bool is_constant(const struct dot *t, operand_id id)
{
    return graph_operand(t->g, id)->kind == OPERAND_CONSTANT;
}

/* Constants are lines of the operator that takes them. */
static void put_operator(struct dot *t, size_t index)
{
    const struct operator_node *node = &t->g->operators.items[index];
    const struct operator_row *row = operator_row(node->kind);
    struct span label = names_text(&t->g->names, node->label);
    out_text(t->out, "  ");
    put_id(t, 'n', index);
    out_text(t->out, " [label=\"");
    out_text(t->out, row->name);
    if (label.size) {
        out_text(t->out, "\\n");
        put_escaped(t, label);
    }
    for (uint32_t i = 0; i < node->operand_count; i++) {
        if (node->operands[i] == NO_ID || !is_constant(t, node->operands[i]))
            continue;
        out_text(t->out, "\\n");
        out_text(t->out, row->operands[i < row->operand_count ? i : row->operand_count - 1].name);
        out_text(t->out, ": ");
        put_type(t, node->operands[i]);
    }
    out_text(t->out, "\"];\n");
    for (uint32_t i = 0; i < node->operand_count; i++)
        if (node->operands[i] != NO_ID && !is_constant(t, node->operands[i]))
            put_edge(t, node->operands[i], 'n', index);
}

o2w_status emit_dot(const struct graph *g, struct arena *arena, struct diags *d,
                    struct text_out *out)
{
    struct dot t = { .g = g, .arena = arena, .out = out };
    out_text(out, "digraph \"");
    put_escaped(&t, names_text(&g->names, g->name));
    out_text(out, "\" {\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n"
                  "  edge [fontname=\"sans-serif\", fontsize=10];\n");
    for (size_t i = 0; i < g->inputs.count; i++)
        put_border(&t, 'i', i, g->inputs.items[i],
                   graph_operand_name(g, g->inputs.items[i], arena));
    for (size_t i = 0; i < g->operators.count; i++)
        put_operator(&t, i);
    for (size_t i = 0; i < g->outputs.count; i++) {
        const struct graph_output *o = &g->outputs.items[i];
        put_border(&t, 'o', i, o->operand, names_text(&g->names, o->name));
        put_edge(&t, o->operand, 'o', i);
    }
    out_text(out, "}\n");
    return out->failed ? diag_memory(d) : O2W_OK;
}
