/* Graphs and archives. */
#include "convert/inspect.h"

#include "format/safetensors.h"
#include "webnn/passes.h"

#include <stdlib.h>
#include <string.h>

static const char *text_of(struct inspect_summary *s, struct span text)
{
    char *copy = arena_text(s->arena, text);
    return copy ? copy : "";
}

static o2w_status add_port(struct inspect_summary *s, const struct graph *g, operand_id id,
                           struct span name, inspect_ports *list)
{
    const struct operand *o = graph_operand(g, id);
    struct inspect_port p = { .name = text_of(s, name),
                              .type = dtype_name(o->dtype),
                              .dims = dim_list_text(g->exprs, o->dims, o->rank, s->arena) };
    return VEC_PUSH(list, p) ? O2W_OK : O2W_NO_MEMORY;
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
        struct inspect_constant c = { .name = text_of(s, graph_operand_name(g, id, s->arena)),
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
                s->no_memory = "needs dims";
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

static const char *node_ports(struct inspect_summary *s, const struct graph *g,
                              const struct operator_node *n)
{
    const char *in = "", *out = "";
    for (uint32_t k = 0; k < n->operand_count; k++) {
        struct span name =
            n->operands[k] == NO_ID ? SPAN("-") : graph_operand_name(g, n->operands[k], s->arena);
        in = arena_printf(s->arena, "%s%s%.*s", in ? in : "", k ? ", " : "", SPAN_ARG(name));
    }
    for (uint32_t k = 0; k < n->result_count; k++) {
        const struct operand *o = graph_operand(g, n->first_result + k);
        struct span name = graph_operand_name(g, n->first_result + k, s->arena);
        out =
            arena_printf(s->arena, "%s%s%.*s %s %s", out ? out : "", k ? ", " : "", SPAN_ARG(name),
                         dtype_name(o->dtype), dim_list_text(g->exprs, o->dims, o->rank, s->arena));
    }
    return arena_printf(s->arena, "%s -> %s", in ? in : "", out ? out : "");
}

static o2w_status add_nodes(struct inspect_summary *s, const struct graph *g)
{
    for (size_t i = 0; i < g->operators.count; i++) {
        const struct operator_node *n = &g->operators.items[i];
        struct inspect_line line = { .number = i,
                                     .first = operator_row(n->kind)->name,
                                     .second = text_of(s, names_text(&g->names, n->label)),
                                     .third = node_ports(s, g, n) };
        if (!line.third || !VEC_PUSH(&s->nodes, line))
            return O2W_NO_MEMORY;
    }
    return O2W_OK;
}

static o2w_status check_backend(struct inspect_summary *s, const struct graph *g, const char *name,
                                struct diags *d)
{
    bool alias;
    const struct backend *b = backend_by_name(span_of(name), &alias);
    struct limits *limits = arena_alloc(s->arena, sizeof *limits, 16);
    struct diags own;
    if (!b)
        return diag_error(d, DIAG_BACKEND_UNKNOWN, "no backend '%s'", name);
    if (!limits)
        return O2W_NO_MEMORY;
    s->backend = b->name;
    b->limits(limits);
    diags_init(&own, s->arena->allocator);
    o2w_status status = O2W_OK;
    if (graph_check_limits(g, limits, &own) != O2W_OK)
        for (const struct diag *item = own.first; item && status == O2W_OK; item = item->next) {
            struct inspect_line line = { .first = arena_text(s->arena, span_of(item->message)) };
            status = line.first && VEC_PUSH(&s->refused, line) ? O2W_OK : O2W_NO_MEMORY;
        }
    diags_free(&own);
    return status;
}

o2w_status inspect_graph(struct inspect_summary *s, const struct graph *g,
                         const o2w_inspect_options *o, struct diags *d)
{
    if (o && o->backend)
        TRY(check_backend(s, g, o->backend, d));
    return measure_memory(s, g);
}

o2w_status inspect_graph_file(struct inspect_summary *s, const char *path,
                              const o2w_inspect_options *o, struct diags *d)
{
    struct format_read_options read = { .weights = o ? o->weights : NULL };
    struct graph *g;
    TRY(format_read(path, &read, s->arena->allocator, d, &g));
    s->kind = "WebNN graph";
    o2w_status status = add_ports(s, g);
    if (status == O2W_OK)
        status = add_constants(s, g);
    for (size_t i = 0; status == O2W_OK && i < g->operators.count; i++)
        status =
            inspect_add_count(&s->histogram, operator_row(g->operators.items[i].kind)->name, 1, 0);
    for (size_t i = 0; status == O2W_OK && i < g->dims.count; i++) {
        struct inspect_line line = {
            .first = text_of(s, names_text(&g->names, g->dims.items[i].name)),
            .second = arena_printf(s->arena, "%lld", (long long)g->dims.items[i].value),
            .third = "graph"
        };
        status = line.second && VEC_PUSH(&s->dims, line) ? O2W_OK : O2W_NO_MEMORY;
    }
    if (status == O2W_OK && o && o->nodes)
        status = add_nodes(s, g);
    if (status == O2W_OK)
        status = inspect_graph(s, g, o, d);
    graph_free(g);
    return status == O2W_NO_MEMORY ? diag_memory(d) : status;
}

o2w_status inspect_archive(struct inspect_summary *s, const char *path, struct diags *d)
{
    struct archive *archive;
    TRY(archive_open(path, s->arena->allocator, d, &archive));
    s->kind = "safetensors archive";
    o2w_status status = O2W_OK;
    for (uint32_t i = 0; status == O2W_OK && i < archive->count; i++) {
        const struct archive_entry *e = &archive->entries[i];
        char dims[400];
        dims_text(e->dims, e->rank, dims, sizeof dims);
        struct inspect_constant c = { .name = text_of(s, e->key),
                                      .type = text_of(s, e->dtype_name),
                                      .dims = text_of(s, span_of(dims)),
                                      .bytes = e->length };
        status = VEC_PUSH(&s->constants, c) ? inspect_add_count(&s->weights, c.type, 1, e->length)
                                            : O2W_NO_MEMORY;
    }
    archive_free(archive);
    s->no_memory = "not a graph";
    return status == O2W_NO_MEMORY ? diag_memory(d) : status;
}
