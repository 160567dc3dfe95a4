#include "format/plan.h"

#include "base/number.h"

#include <string.h>

static bool is_control(uint8_t c)
{
    return c < 0x20 || c == 0x7f;
}

struct span plan_clean(const struct plan *p, struct span s)
{
    uint8_t *to = arena_alloc(p->arena, s.size, 1);
    size_t n = 0;
    uint32_t code_point;
    if (!to)
        return (struct span){ 0 };
    for (size_t i = 0; i < s.size; n++) {
        size_t length = utf8_next(s, i, &code_point);
        if (length == 0 || is_control(s.data[i])) {
            to[n] = '_';
            i++;
        } else if (s.data[i] == ':' && i + 1 < s.size && s.data[i + 1] == ':') {
            to[n++] = '_';
            to[n] = '_';
            i += 2;
        } else {
            memcpy(to + n, s.data + i, length);
            n += length - 1;
            i += length;
        }
    }
    return (struct span){ to, n };
}

struct span plan_label(const struct plan *p, const struct operator_node *node)
{
    return name_cut(plan_clean(p, names_text(&p->graph->names, node->label)));
}

/* Names stay apart when they are cleaned, or they are not cleaned. */
static bool is_ambiguous(const struct plan *p, struct span cleaned)
{
    const struct exprs *x = p->graph->exprs;
    size_t same = 0;
    for (size_t i = 0; i < expr_name_count(x); i++) {
        struct span name;
        int64_t min, max;
        expr_name_at(x, i, &name, &min, &max);
        same += span_equal(plan_clean(p, name), cleaned);
    }
    return same > 1;
}

struct span plan_dim_text(const struct plan *p, dim size, int64_t *max)
{
    const struct exprs *x = p->graph->exprs;
    expr_id e = dim_expr_id(size);
    size_t index;
    int64_t min;
    struct span text;
    expr_bounds(x, e, &min, max);
    if (expr_is_name(x, e, &index))
        expr_name_at(x, index, &text, &min, max);
    else
        text = span_of(expr_text(x, e, p->arena));
    struct span cleaned = plan_clean(p, text);
    return span_equal(cleaned, text) || is_ambiguous(p, cleaned) ? text : cleaned;
}

static bool holds_quantizers(const struct graph *g)
{
    for (size_t i = 0; i < g->operators.count; i++)
        if (g->operators.items[i].kind == WEBNN_QUANTIZE_LINEAR ||
            g->operators.items[i].kind == WEBNN_DEQUANTIZE_LINEAR)
            return true;
    return false;
}

/* The archive's name, unless it is the one that everybody looks for first. */
static o2w_status name_archive(struct plan *p, struct span stem)
{
    const char *plain = arena_printf(p->arena, "%.*s.safetensors", SPAN_ARG(stem));
    if (!plain)
        return diag_memory(p->diags);
    if (p->options->archive && strcmp(p->options->archive, plain) != 0)
        p->archive = span_of(p->options->archive);
    return O2W_OK;
}

static void *attribute_room(struct arena *arena)
{
    size_t most = 0;
    for (unsigned i = 0; i < WEBNN_OPERATOR_COUNT; i++) {
        size_t size = operator_row((enum webnn_operator)i)->attribute_size;
        most = size > most ? size : most;
    }
    return arena_alloc(arena, most, 16);
}

static o2w_status fill(struct plan *p, struct span stem, const struct archive *existing)
{
    const struct graph *g = p->graph;
    p->version = graph_has_dynamic_dims(g) ? 2 : 1;
    p->quantized = g->quantized || holds_quantizers(g);
    p->constants = ARENA_ARRAY(p->arena, g->constants.count, struct constant_plan);
    p->attributes = attribute_room(p->arena);
    if (!p->constants || !p->attributes || graph_names_assign(g, p->arena, &p->names) != O2W_OK)
        return diag_memory(p->diags);
    TRY(name_archive(p, stem));
    return plan_constants(p, existing);
}

o2w_status plan_make(struct plan *p, const struct graph *g,
                     const struct format_write_options *options, struct span stem,
                     const struct archive *existing, struct arena *arena, struct diags *d)
{
    *p = (struct plan){
        .graph = g, .options = options, .arena = arena, .diags = d, .items.allocator = g->allocator
    };
    o2w_status status = fill(p, stem, existing);
    if (status != O2W_OK)
        plan_free(p);
    return status;
}

void plan_free(struct plan *p)
{
    VEC_FREE(&p->items);
}
