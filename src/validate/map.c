/* Names of the model to names of the graph: the graph's own directives, the equal identifier, the
 * naming recomputed from the model, plain replacement. */
#include "validate/map.h"

#include "format/mangle.h"

#include <string.h>

/* One side: inputs or outputs. */
struct side {
    const char *what; /* "input" */
    uint32_t ports, sources;
    const struct span *identifiers, *originals; /* of the graph's ports; original empty: none */
    const struct span *names;                   /* of the model */
    const bool *absent;                         /* model names that take no part: pinned, frozen */
    struct span *recomputed, *plain;            /* by model index */
    uint32_t *source_of, *port_of;
    enum diag_code collision;
};

struct mapping {
    struct source *source;
    const struct graph *graph;
    struct arena *arena;
    struct diags *diags;
    struct side in, out;
    bool *is_count; /* by graph output: how many rows a bounded output has */
    bool directives;
};

static struct span text_of(const struct mapping *m, name_id id)
{
    return names_text(&m->graph->names, id);
}

/* --- lists -------------------------------------------------------------------------------------------- */

static bool side_alloc(struct arena *a, struct side *s, size_t ports, size_t sources)
{
    struct span *identifiers = ARENA_ARRAY(a, ports, struct span);
    struct span *originals = ARENA_ARRAY(a, ports, struct span);
    struct span *names = ARENA_ARRAY(a, sources, struct span);
    bool *absent = ARENA_ARRAY(a, sources, bool);
    s->ports = (uint32_t)ports;
    s->sources = (uint32_t)sources;
    s->identifiers = identifiers;
    s->originals = originals;
    s->names = names;
    s->absent = absent;
    s->recomputed = ARENA_ARRAY(a, sources, struct span);
    s->plain = ARENA_ARRAY(a, sources, struct span);
    s->source_of = ARENA_ARRAY(a, ports, uint32_t);
    s->port_of = ARENA_ARRAY(a, sources, uint32_t);
    for (size_t i = 0; s->source_of && i < ports; i++)
        s->source_of[i] = NO_PORT;
    for (size_t i = 0; s->port_of && i < sources; i++)
        s->port_of[i] = NO_PORT;
    return identifiers && originals && names && absent && s->recomputed && s->plain &&
           s->source_of && s->port_of;
}

/* An operand's identifier, and the name that a directive gave it: reading sets the original name of
 * an operand only from a directive. A graph that was never a file has public names alone. */
static void port_names(const struct mapping *m, operand_id id, struct span binding,
                       struct span *identifier, struct span *original)
{
    const struct operand *o = graph_operand(m->graph, id);
    *identifier = o->identifier ? text_of(m, o->identifier) : binding;
    *original = o->original ? text_of(m, o->original) : (struct span){ 0 };
    if (!identifier->size)
        *identifier = *original;
}

static void fill_ports(struct mapping *m)
{
    const struct graph *g = m->graph;
    struct span *identifiers = (struct span *)(uintptr_t)m->in.identifiers;
    struct span *originals = (struct span *)(uintptr_t)m->in.originals;
    for (size_t i = 0; i < g->inputs.count; i++)
        port_names(m, g->inputs.items[i], (struct span){ 0 }, &identifiers[i], &originals[i]);
    identifiers = (struct span *)(uintptr_t)m->out.identifiers;
    originals = (struct span *)(uintptr_t)m->out.originals;
    for (size_t i = 0; i < g->outputs.count; i++)
        port_names(m, g->outputs.items[i].operand, text_of(m, g->outputs.items[i].name),
                   &identifiers[i], &originals[i]);
    for (size_t i = 0; i < g->inputs.count; i++)
        m->directives |= m->in.originals[i].size > 0;
    for (size_t i = 0; i < g->outputs.count; i++)
        m->directives |= m->out.originals[i].size > 0;
}

static bool is_kept(const struct mapping *m, struct span name)
{
    for (size_t i = 0; i < m->graph->kept.count; i++)
        if (span_equal(text_of(m, m->graph->kept.items[i]), name))
            return true;
    return false;
}

static void fill_sources(struct mapping *m)
{
    struct span *names = (struct span *)(uintptr_t)m->in.names;
    bool *absent = (bool *)(uintptr_t)m->in.absent;
    for (size_t i = 0; i < m->source->input_count; i++) {
        const struct source_input *in = &m->source->inputs[i];
        names[i] = span_of(in->feed.name);
        absent[i] = in->pinned || (in->initialized && !is_kept(m, names[i]));
    }
    names = (struct span *)(uintptr_t)m->out.names;
    for (size_t i = 0; i < m->source->output_count; i++)
        names[i] = span_of(m->source->outputs[i]);
}

/* --- recomputed names --------------------------------------------------------------------------------- */

static bool is_input_name(const struct mapping *m, struct span name)
{
    for (uint32_t i = 0; i < m->in.sources; i++)
        if (!m->in.absent[i] && span_equal(m->in.names[i], name))
            return true;
    return false;
}

/* An output's name before mangling: that of an input gets a suffix. */
static o2w_status output_base(struct mapping *m, struct span name, struct span *out)
{
    if (!is_input_name(m, name)) {
        *out = name;
        return O2W_OK;
    }
    char *text = arena_printf(m->arena, "%.*s__output", SPAN_ARG(name));
    if (!text)
        return diag_memory(m->diags);
    *out = span_of(text);
    return O2W_OK;
}

static o2w_status claim(struct mapping *m, struct name_table *t, struct span name,
                        struct span *slot)
{
    bool taken;
    if (!name_is_safe(name))
        return O2W_OK;
    if (name_table_claim(t, name, &taken) != O2W_OK)
        return diag_memory(m->diags);
    if (slot && taken)
        *slot = name;
    return O2W_OK;
}

/* Names of the graph that are no part of its interface were given after it, or keep themselves:
 * either way they are not the interface's. */
static o2w_status claim_inner(struct mapping *m, struct name_table *t)
{
    const struct graph *g = m->graph;
    bool *is_port = ARENA_ARRAY(m->arena, g->operands.count, bool);
    if (!is_port)
        return diag_memory(m->diags);
    for (size_t i = 0; i < g->inputs.count; i++)
        is_port[g->inputs.items[i]] = true;
    for (size_t i = 0; i < g->outputs.count; i++)
        is_port[g->outputs.items[i].operand] = true;
    for (operand_id id = 0; id < g->operands.count; id++)
        if (!is_port[id] && graph_operand(g, id)->identifier)
            TRY(claim(m, t, text_of(m, graph_operand(g, id)->identifier), NULL));
    return O2W_OK;
}

static o2w_status claim_all(struct mapping *m, struct name_table *t)
{
    for (uint32_t i = 0; i < m->in.sources; i++)
        if (!m->in.absent[i])
            TRY(claim(m, t, m->in.names[i], &m->in.recomputed[i]));
    for (uint32_t i = 0; i < m->out.sources; i++)
        if (!is_input_name(m, m->out.names[i]))
            TRY(claim(m, t, m->out.names[i], &m->out.recomputed[i]));
    return claim_inner(m, t);
}

static o2w_status invent(struct mapping *m, struct name_table *t, struct span base,
                         struct span *slot)
{
    if (slot->size)
        return O2W_OK;
    struct span name = name_mangle(base, m->arena);
    if (!name.data || name_table_unique(t, name, slot) != O2W_OK)
        return diag_memory(m->diags);
    return O2W_OK;
}

static o2w_status recompute_with(struct mapping *m, struct name_table *t)
{
    TRY(claim_all(m, t));
    for (uint32_t i = 0; i < m->in.sources; i++)
        if (!m->in.absent[i])
            TRY(invent(m, t, m->in.names[i], &m->in.recomputed[i]));
    for (uint32_t i = 0; i < m->out.sources; i++) {
        struct span base = { 0 };
        TRY(output_base(m, m->out.names[i], &base));
        TRY(invent(m, t, base, &m->out.recomputed[i]));
    }
    return O2W_OK;
}

static o2w_status recompute(struct mapping *m)
{
    struct name_table table;
    name_table_init(&table, m->arena, m->source->allocator);
    o2w_status status = recompute_with(m, &table);
    name_table_free(&table);
    return status;
}

static o2w_status replace_plainly(struct mapping *m)
{
    for (uint32_t i = 0; i < m->in.sources; i++) {
        m->in.plain[i] = name_peer(m->in.names[i], m->arena);
        if (!m->in.plain[i].data)
            return diag_memory(m->diags);
    }
    for (uint32_t i = 0; i < m->out.sources; i++) {
        m->out.plain[i] = name_peer(m->out.names[i], m->arena);
        struct span base = { 0 };
        TRY(output_base(m, m->out.plain[i], &base));
        if (is_input_name(m, m->out.names[i]))
            m->out.plain[i] = base;
        if (!m->out.plain[i].data)
            return diag_memory(m->diags);
    }
    return O2W_OK;
}

/* --- matching ----------------------------------------------------------------------------------------- */

static bool holds(const struct side *s, struct span identifier)
{
    for (uint32_t i = 0; i < s->ports; i++)
        if (span_equal(s->identifiers[i], identifier))
            return true;
    return false;
}

/* Two names of the model that plain replacement makes one, in a graph that does not tell them apart. */
static o2w_status check_plain(struct mapping *m, const struct side *s)
{
    for (uint32_t i = 0; i < s->sources; i++)
        for (uint32_t k = i + 1; !m->directives && k < s->sources; k++) {
            if (s->absent[i] || s->absent[k] || !span_equal(s->plain[i], s->plain[k]) ||
                !holds(s, s->plain[i]) ||
                (holds(s, s->recomputed[i]) && holds(s, s->recomputed[k])))
                continue;
            return diag_error(m->diags, s->collision,
                              "%ss '%.*s' and '%.*s' of the model can both be '%.*s' of the graph",
                              s->what, SPAN_ARG(s->names[i]), SPAN_ARG(s->names[k]),
                              SPAN_ARG(s->plain[i]));
        }
    return O2W_OK;
}

static o2w_status take(struct mapping *m, struct side *s, uint32_t port, uint32_t source)
{
    if (s->source_of[port] != NO_PORT)
        return diag_error(m->diags, s->collision,
                          "%ss '%.*s' and '%.*s' of the model are both '%.*s' of the graph",
                          s->what, SPAN_ARG(s->names[s->source_of[port]]),
                          SPAN_ARG(s->names[source]), SPAN_ARG(s->identifiers[port]));
    s->source_of[port] = source;
    s->port_of[source] = port;
    return O2W_OK;
}

static uint32_t find_port(const struct side *s, const struct span *names, struct span name,
                          bool only_unnamed)
{
    for (uint32_t i = 0; name.size && i < s->ports; i++)
        if (span_equal(names[i], name) && !(only_unnamed && s->originals[i].size))
            return i;
    return NO_PORT;
}

/* The first of the four that finds a port; a port that has a name directive is found by it alone. */
static uint32_t match(const struct side *s, uint32_t source)
{
    uint32_t port = find_port(s, s->originals, s->names[source], false);
    if (port == NO_PORT)
        port = find_port(s, s->identifiers, s->names[source], true);
    if (port == NO_PORT)
        port = find_port(s, s->identifiers, s->recomputed[source], true);
    if (port == NO_PORT)
        port = find_port(s, s->identifiers, s->plain[source], true);
    return port;
}

static o2w_status match_side(struct mapping *m, struct side *s)
{
    TRY(check_plain(m, s));
    for (uint32_t i = 0; i < s->sources; i++) {
        uint32_t port = s->absent[i] ? NO_PORT : match(s, i);
        if (port != NO_PORT)
            TRY(take(m, s, port, i));
    }
    return O2W_OK;
}

/* --- what is left over -------------------------------------------------------------------------------- */

/* A pinned input of the model that the graph's input is named like. */
static const char *pinned_like(const struct mapping *m, uint32_t port)
{
    for (uint32_t i = 0; i < m->in.sources; i++)
        if (m->source->inputs[i].pinned && (span_equal(m->in.originals[port], m->in.names[i]) ||
                                            span_equal(m->in.identifiers[port], m->in.names[i]) ||
                                            span_equal(m->in.identifiers[port], m->in.plain[i])))
            return m->source->inputs[i].feed.name;
    return NULL;
}

static struct span shown(const struct side *s, uint32_t port)
{
    return s->originals[port].size ? s->originals[port] : s->identifiers[port];
}

static o2w_status check_inputs(struct mapping *m)
{
    for (uint32_t i = 0; i < m->in.ports; i++) {
        if (m->in.source_of[i] != NO_PORT)
            continue;
        const char *pinned = pinned_like(m, i);
        if (pinned)
            return diag_error(m->diags, DIAG_MAP_INPUT_PINNED,
                              "input '%.*s' of the graph is the pinned input '%s' of the model",
                              SPAN_ARG(shown(&m->in, i)), pinned);
        return diag_error(m->diags, DIAG_MAP_INPUT_UNKNOWN,
                          "the graph has input '%.*s', the model has none of this name",
                          SPAN_ARG(shown(&m->in, i)));
    }
    return O2W_OK;
}

static o2w_status check_outputs(struct mapping *m)
{
    for (uint32_t i = 0; i < m->out.ports; i++)
        if (m->out.source_of[i] == NO_PORT && !m->is_count[i])
            return diag_error(m->diags, DIAG_MAP_OUTPUT_UNKNOWN,
                              "the graph has output '%.*s', the model has none of this name",
                              SPAN_ARG(shown(&m->out, i)));
    return O2W_OK;
}

/* --- bounded outputs ---------------------------------------------------------------------------------- */

/* `<name>.count` of an output whose size was bounded is a port of its own. */
static o2w_status find_counts(struct mapping *m, uint32_t *count_of)
{
    m->is_count = ARENA_ARRAY(m->arena, m->out.ports, bool);
    if (!m->is_count)
        return diag_memory(m->diags);
    for (size_t b = 0; b < m->graph->bounds.count; b++) {
        struct span name = text_of(m, m->graph->bounds.items[b].output);
        char *text = arena_printf(m->arena, "%.*s.count", SPAN_ARG(name));
        struct span count = span_of(text), mangled = text ? name_mangle(count, m->arena) : count;
        if (!text || !mangled.data)
            return diag_memory(m->diags);
        for (uint32_t i = 0; i < m->out.ports; i++)
            if (span_equal(m->out.originals[i], count) ||
                span_equal(m->out.identifiers[i], mangled))
                for (uint32_t k = 0; k < m->out.sources; k++)
                    if (span_equal(m->out.names[k], name)) {
                        count_of[k] = i;
                        m->is_count[i] = true;
                    }
    }
    return O2W_OK;
}

/* --- entry -------------------------------------------------------------------------------------------- */

static o2w_status fill_map(struct mapping *m, struct port_map *out)
{
    out->inputs = ARENA_ARRAY(m->arena, m->in.ports, struct graph_port);
    out->outputs = ARENA_ARRAY(m->arena, m->out.ports, struct graph_port);
    if (!out->inputs || !out->outputs)
        return diag_memory(m->diags);
    for (uint32_t i = 0; i < m->in.ports; i++)
        out->inputs[i] = (struct graph_port){ m->in.identifiers[i], m->in.source_of[i] };
    for (uint32_t i = 0; i < m->out.ports; i++)
        out->outputs[i] = (struct graph_port){ m->out.identifiers[i], m->out.source_of[i] };
    out->input_of = m->in.port_of;
    out->output_of = m->out.port_of;
    for (uint32_t i = 0; i < m->in.sources; i++)
        m->source->inputs[i].kept = m->source->inputs[i].initialized && m->in.port_of[i] != NO_PORT;
    return O2W_OK;
}

o2w_status port_map_make(struct source *s, const struct graph *g, struct diags *d,
                         struct port_map *out)
{
    struct mapping m = { .source = s, .graph = g, .arena = &s->arena, .diags = d };
    m.in = (struct side){ .what = "input", .collision = DIAG_MAP_INPUT_COLLISION };
    m.out = (struct side){ .what = "output", .collision = DIAG_MAP_OUTPUT_COLLISION };
    if (g->subgraph)
        return diag_error(d, DIAG_MAP_SUBGRAPH,
                          "the graph is the body '%.*s' of the model, the reference is the whole "
                          "model",
                          SPAN_ARG(names_text(&g->names, g->subgraph)));
    out->count_of = ARENA_ARRAY(&s->arena, s->output_count, uint32_t);
    if (!out->count_of || !side_alloc(&s->arena, &m.in, g->inputs.count, s->input_count) ||
        !side_alloc(&s->arena, &m.out, g->outputs.count, s->output_count))
        return diag_memory(d);
    for (size_t i = 0; i < s->output_count; i++)
        out->count_of[i] = NO_PORT;
    fill_ports(&m);
    fill_sources(&m);
    TRY(find_counts(&m, out->count_of));
    TRY(recompute(&m));
    TRY(replace_plainly(&m));
    TRY(match_side(&m, &m.in));
    TRY(check_inputs(&m));
    TRY(match_side(&m, &m.out));
    TRY(check_outputs(&m));
    return fill_map(&m, out);
}
