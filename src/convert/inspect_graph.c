/* Graphs and archives. */
#include "convert/inspect.h"

#include "format/safetensors.h"
#include "webnn/passes.h"

#include <stdlib.h>
#include <string.h>

/* Sizes as numbers, open ones as {"name", "maxSize"}. */
static const char *shape_json(struct inspect_summary *s, const struct graph *g,
                              const struct operand *o)
{
    struct json_writer w;
    struct span text;
    json_writer_init(&w, s->arena->allocator, 0);
    json_open(&w, '[');
    for (uint32_t i = 0; i < o->rank; i++) {
        int64_t least, most;
        if (dim_is_static(o->dims[i])) {
            json_put_i64(&w, o->dims[i]);
            continue;
        }
        dim_bounds(g->exprs, o->dims[i], &least, &most);
        json_open(&w, '{');
        json_key(&w, "name");
        json_put_text(&w, expr_text(g->exprs, dim_expr_id(o->dims[i]), s->arena));
        json_key(&w, "maxSize");
        json_put_i64(&w, most);
        json_close(&w, '}');
    }
    json_close(&w, ']');
    const char *copy = json_written(&w, &text) == O2W_OK ? arena_text(s->arena, text) : NULL;
    json_writer_free(&w);
    return copy;
}

static o2w_status add_port(struct inspect_summary *s, const struct graph *g, operand_id id,
                           struct span name, inspect_ports *list)
{
    const struct operand *o = graph_operand(g, id);
    struct inspect_port p = { .name = inspect_text(s, name),
                              .type = dtype_name(o->dtype),
                              .dims = dim_list_text(g->exprs, o->dims, o->rank, s->arena),
                              .shape = shape_json(s, g, o) };
    return p.dims && p.shape && VEC_PUSH(list, p) ? O2W_OK : O2W_NO_MEMORY;
}

static o2w_status add_ports(struct inspect_summary *s, const struct graph *g)
{
    for (size_t i = 0; i < g->inputs.count; i++)
        TRY(add_port(s, g, g->inputs.items[i], graph_operand_name(g, g->inputs.items[i], s->arena),
                     &s->inputs));
    for (size_t i = 0; i < g->outputs.count; i++)
        TRY(add_port(s, g, g->outputs.items[i].operand,
                     names_text(&g->names, g->outputs.items[i].name), &s->outputs));
    return O2W_OK;
}

static o2w_status add_constants(struct inspect_summary *s, const struct graph *g)
{
    for (size_t i = 0; i < g->constants.count; i++) {
        operand_id id = g->constants.items[i];
        const struct operand *o = graph_operand(g, id);
        const struct weight *w = graph_weight(g, id);
        struct inspect_constant c = { .name = inspect_text(s, graph_operand_name(g, id, s->arena)),
                                      .type = dtype_name(o->dtype),
                                      .dims = dim_list_text(g->exprs, o->dims, o->rank, s->arena),
                                      .bytes = weight_bytes(w) };
        if (!VEC_PUSH(&s->constants, c))
            return O2W_NO_MEMORY;
    }
    for (size_t i = 0; i < g->weights.count; i++)
        TRY(inspect_add_count(&s->weights, dtype_name(g->weights.items[i].dtype), 1,
                              weight_bytes(&g->weights.items[i])));
    return O2W_OK;
}

/* --- memory ------------------------------------------------------------------------------------------- */

static bool operand_bytes(const struct graph *g, operand_id id, uint64_t *bytes)
{
    const struct operand *o = graph_operand(g, id);
    uint64_t count;
    return dims_count(o->dims, o->rank, &count) && dtype_bytes(o->dtype, count, bytes);
}

/* Last operator that reads each operand; outputs live to the end. */
static o2w_status last_uses(const struct graph *g, struct arena *a, uint32_t **out)
{
    uint32_t *last = ARENA_ARRAY(a, g->operands.count, uint32_t);
    if (!last)
        return O2W_NO_MEMORY;
    for (uint32_t i = 0; i < g->operators.count; i++)
        for (uint32_t k = 0; k < g->operators.items[i].operand_count; k++)
            if (g->operators.items[i].operands[k] != NO_ID)
                last[g->operators.items[i].operands[k]] = i;
    for (size_t i = 0; i < g->outputs.count; i++)
        last[g->outputs.items[i].operand] = (uint32_t)g->operators.count;
    *out = last;
    return O2W_OK;
}

/* Bytes of results that are alive at once, an operator's own inputs and results included. */
static o2w_status measure_memory(struct inspect_summary *s, const struct graph *g)
{
    uint32_t *last;
    uint64_t live = 0, bytes;
    TRY(last_uses(g, s->arena, &last));
    for (size_t i = 0; i < g->weights.count; i++)
        s->weight_bytes += weight_bytes(&g->weights.items[i]);
    for (uint32_t i = 0; i < g->operators.count; i++) {
        const struct operator_node *n = &g->operators.items[i];
        for (uint32_t k = 0; k < n->result_count; k++) {
            if (!operand_bytes(g, n->first_result + k, &bytes)) {
                s->obstacle = "needs dims";
                return O2W_OK;
            }
            live += bytes;
            s->largest_activation = bytes > s->largest_activation ? bytes : s->largest_activation;
        }
        s->peak_activations = live > s->peak_activations ? live : s->peak_activations;
        for (uint32_t k = 0; k < n->operand_count; k++) {
            operand_id id = n->operands[k];
            bool first =
                id != NO_ID && graph_operand(g, id)->kind == OPERAND_RESULT && last[id] == i;
            for (uint32_t b = 0; b < k && first; b++)
                first = n->operands[b] != id;
            if (first && operand_bytes(g, id, &bytes))
                live -= bytes;
        }
    }
    s->has_memory = true;
    return O2W_OK;
}

/* --- nodes and limits --------------------------------------------------------------------------------- */

static o2w_status add_node(struct inspect_summary *s, const struct graph *g, size_t index)
{
    const struct operator_node *n = &g->operators.items[index];
    struct arena_string in = { .arena = s->arena }, out = in;
    for (uint32_t k = 0; k < n->operand_count; k++) {
        struct span name =
            n->operands[k] == NO_ID ? SPAN("-") : graph_operand_name(g, n->operands[k], s->arena);
        arena_string_add(&in, "%s%.*s", k ? ", " : "", SPAN_ARG(name));
    }
    for (uint32_t k = 0; k < n->result_count; k++) {
        const struct operand *o = graph_operand(g, n->first_result + k);
        struct span name = graph_operand_name(g, n->first_result + k, s->arena);
        const char *dims = dim_list_text(g->exprs, o->dims, o->rank, s->arena);
        out.failed |= !dims;
        arena_string_add(&out, "%s%.*s %s %s", k ? ", " : "", SPAN_ARG(name), dtype_name(o->dtype),
                         dims);
    }
    struct inspect_node node = { .index = index,
                                 .op = operator_row(n->kind)->name,
                                 .name = inspect_text(s, names_text(&g->names, n->label)),
                                 .inputs = arena_string_text(&in),
                                 .outputs = arena_string_text(&out) };
    return node.inputs && node.outputs && VEC_PUSH(&s->nodes, node) ? O2W_OK : O2W_NO_MEMORY;
}

static o2w_status check_backend(struct inspect_summary *s, const struct graph *g, struct diags *d)
{
    bool alias;
    const struct backend *b = backend_by_name(span_of(s->backend), &alias);
    struct limits *limits = arena_alloc(s->arena, sizeof *limits, 16);
    struct diags own;
    if (!b)
        return diag_error(d, DIAG_BACKEND_UNKNOWN, "no backend '%s'", s->backend);
    if (!limits)
        return O2W_NO_MEMORY;
    s->backend = b->name;
    s->judged = true;
    b->limits(limits);
    diags_init(&own, s->arena->allocator);
    o2w_status status = O2W_OK;
    if (graph_check_limits(g, limits, &own) != O2W_OK)
        for (const struct diag *item = own.first; item && status == O2W_OK; item = item->next) {
            const char *text = arena_text(s->arena, span_of(item->message));
            status = text && VEC_PUSH(&s->refused, text) ? O2W_OK : O2W_NO_MEMORY;
        }
    diags_free(&own);
    return status;
}

o2w_status inspect_graph(struct inspect_summary *s, const struct graph *g, struct diags *d)
{
    if (s->backend)
        TRY(check_backend(s, g, d));
    return measure_memory(s, g);
}

/* --- files ------------------------------------------------------------------------------------------------ */

static o2w_status fill_from_graph(struct inspect_summary *s, const struct graph *g,
                                  const o2w_inspect_options *o, struct diags *d)
{
    TRY(add_ports(s, g));
    TRY(add_constants(s, g));
    for (size_t i = 0; i < g->operators.count; i++)
        TRY(inspect_add_count(&s->histogram, operator_row(g->operators.items[i].kind)->name, 1, 0));
    for (size_t i = 0; i < g->dims.count; i++) {
        struct inspect_dim item = { .name = inspect_text(
                                        s, names_text(&g->names, g->dims.items[i].name)),
                                    .value = g->dims.items[i].value,
                                    .from = "graph" };
        if (!VEC_PUSH(&s->dims, item))
            return O2W_NO_MEMORY;
    }
    for (size_t i = 0; o->nodes && i < g->operators.count; i++)
        TRY(add_node(s, g, i));
    return inspect_graph(s, g, d);
}

o2w_status inspect_graph_file(struct inspect_summary *s, const char *path,
                              const o2w_inspect_options *o, struct diags *d)
{
    struct format_read_options read = { .weights = o->weights };
    struct graph *g;
    TRY(format_read(path, &read, s->arena->allocator, d, &g));
    o2w_status status = fill_from_graph(s, g, o, d);
    graph_free(g);
    return status == O2W_NO_MEMORY ? diag_memory(d) : status;
}

o2w_status inspect_archive(struct inspect_summary *s, const char *path, struct diags *d)
{
    struct archive *archive;
    TRY(archive_open(path, s->arena->allocator, d, &archive));
    o2w_status status = O2W_OK;
    for (uint32_t i = 0; status == O2W_OK && i < archive->count; i++) {
        const struct archive_entry *e = &archive->entries[i];
        struct inspect_constant c = { .name = inspect_text(s, e->key),
                                      .type = inspect_text(s, e->dtype_name),
                                      .dims = inspect_dims(s, e->dims, e->rank),
                                      .bytes = e->length };
        status = VEC_PUSH(&s->constants, c) ? inspect_add_count(&s->weights, c.type, 1, e->length)
                                            : O2W_NO_MEMORY;
    }
    archive_free(archive);
    s->obstacle = "not a graph";
    return status == O2W_NO_MEMORY ? diag_memory(d) : status;
}
