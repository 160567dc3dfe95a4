/* Feeds of a run: those given, and deterministic or random ones for the rest. */
#include "validate/run.h"

#include "base/number.h"
#include "format/mangle.h"
#include "validate/carry.h"

#include <string.h>

/* --- models ------------------------------------------------------------------------------------------- */

static const o2w_convert_options no_conversion = { .size = sizeof no_conversion };

static const o2w_convert_options *conversion_of(const struct running *r)
{
    return r->options->convert ? r->options->convert : &no_conversion;
}

static o2w_status add_dims(struct running *r, dim_binding_list *l)
{
    const o2w_convert_options *c = conversion_of(r);
    for (size_t i = 0; i < c->dim_count; i++)
        if (!VEC_PUSH(l,
                      (struct dim_binding){ span_of(c->dims[i].name), c->dims[i].value, DIM_CLI }))
            return diag_memory(r->diags);
    return given_dims(&r->source, r->options->feeds, l, r->diags);
}

static o2w_status size_source(struct running *r)
{
    dim_binding_list bindings = { .allocator = r->allocator };
    o2w_status s = add_dims(r, &bindings);
    if (s == O2W_OK)
        s = source_size(&r->source, bindings.items, bindings.count, r->diags);
    VEC_FREE(&bindings);
    return s;
}

o2w_status running_prepare(struct running *r, const char *path)
{
    const o2w_convert_options *c = conversion_of(r);
    r->diags->stage = "read";
    TRY(source_open(path, r->environment, r->diags, &r->source));
    r->diags->stage = "feed";
    for (size_t i = 0; i < c->pin_count; i++)
        TRY(source_pin(&r->source, span_of(c->pins[i].name), c->pins[i].value, r->diags));
    if (c->keep_inputs || r->options->reference)
        given_replace_defaults(&r->source, r->options->feeds);
    TRY(given_check(&r->source, r->options->feeds, false, r->diags));
    TRY(size_source(r));
    TRY(given_take(&r->source, r->options->feeds, r->diags));
    return O2W_OK;
}

/* Sizes that feeds give count as much as those of options, without switching the sidecar off. */
o2w_status running_convert(struct running *r, const char *path)
{
    o2w_convert_options c = *conversion_of(r);
    size_t count = r->source.dims.dim_count;
    o2w_dim *dims = ARENA_ARRAY(&r->arena, count, o2w_dim);
    if (!dims)
        return diag_memory(r->diags);
    c.output = NULL;
    c.environment = r->environment;
    c.threads = r->options->threads;
    for (size_t i = 0; i < count; i++) {
        const struct resolved_dim *from = &r->source.dims.dims[i];
        dims[i] = (o2w_dim){ arena_text(&r->arena, from->name), from->value };
        if (!dims[i].name)
            return diag_memory(r->diags);
    }
    if (!c.dynamic_inputs) {
        c.dims = dims;
        c.dim_count = count;
    }
    TRY(convert_open_file(path, &c, r->diags, &r->conversion));
    r->graph = o2w_conversion_take_graph(r->conversion);
    r->diags->stage = "map";
    TRY(port_map_make(&r->source, api_graph(r->graph), r->diags, &r->map));
    r->diags->stage = "feed";
    return source_plan(&r->source, r->diags);
}

static o2w_status note_made(struct running *r, const char *name)
{
    const char *copy = arena_text(&r->run->arena, span_of(name));
    return copy && VEC_PUSH(&r->run->made, copy) ? O2W_OK : diag_memory(r->diags);
}

o2w_status running_feed_model(struct running *r)
{
    const struct graph *g = api_graph(r->graph);
    TRY(source_fill(&r->source, r->options->seed, r->diags));
    for (size_t i = 0; i < g->inputs.count; i++) {
        const struct source_input *in = &r->source.inputs[r->map.inputs[i].source];
        struct tensor t = source_tensor(in);
        bool given = in->feed.rule == FEED_ARCHIVE;
        TRY(ports_feed(&r->ports, g, i, in->feed.name, &t, given, r->diags));
        if (!given && !in->kept)
            TRY(note_made(r, in->feed.name));
        TRY(tensors_add(r->run->inputs, in->feed.name, &t, true, r->diags));
    }
    return O2W_OK;
}

/* --- graphs ------------------------------------------------------------------------------------------- */

/* An input of a graph while it is matched with the given feeds. */
struct graph_input {
    const struct operand *operand;
    const char *name;
    struct span identifier;
    const struct named_tensor *given;
};

struct matching {
    struct running *running;
    const struct graph *graph;
    struct graph_input *inputs;
    int64_t *values; /* of the names of dims; -1: not known */
    bool plain;      /* no name directives: names are also looked up mangled */
};

static o2w_status list_inputs(struct matching *m)
{
    const struct graph *g = m->graph;
    m->plain = true;
    m->inputs = ARENA_ARRAY(&m->running->arena, g->inputs.count, struct graph_input);
    if (!m->inputs)
        return diag_memory(m->running->diags);
    for (size_t i = 0; i < g->inputs.count; i++) {
        const struct operand *o = graph_operand(g, g->inputs.items[i]);
        m->inputs[i].operand = o;
        m->inputs[i].identifier = names_text(&g->names, o->identifier);
        m->inputs[i].name = arena_text(
            &m->running->arena, graph_operand_name(g, g->inputs.items[i], &m->running->arena));
        if (!m->inputs[i].name)
            return diag_memory(m->running->diags);
        m->plain &= !o->original;
    }
    return O2W_OK;
}

/* The inputs that a given name can mean: by name, then by its mangled forms. */
static size_t candidates(const struct matching *m, const char *name, size_t found[2])
{
    struct span given = span_of(name);
    struct arena *a = &m->running->arena;
    struct span forms[2] = { given, given };
    size_t count = 0, inputs = m->graph->inputs.count;
    for (size_t i = 0; i < inputs; i++)
        if (span_is(given, m->inputs[i].name) || span_equal(given, m->inputs[i].identifier)) {
            found[0] = i;
            return 1;
        }
    if (m->plain) {
        forms[0] = name_mangle(given, a);
        forms[1] = name_peer(given, a);
    }
    for (size_t i = 0; i < inputs && count < 2; i++)
        if (span_equal(m->inputs[i].identifier, forms[0]) ||
            span_equal(m->inputs[i].identifier, forms[1]))
            found[count++] = i;
    return count;
}

static o2w_status place(struct matching *m, const struct named_tensor *n)
{
    size_t found[2];
    struct diags *d = m->running->diags;
    size_t count = candidates(m, n->name, found);
    if (count == 0)
        return diag_error(d, DIAG_FEED_NAMES, "the feeds do not match the inputs: unknown '%s'",
                          n->name);
    if (count == 2)
        return diag_error(d, DIAG_MAP_AMBIGUOUS, "'%s' can be input '%s' and input '%s'", n->name,
                          m->inputs[found[0]].name, m->inputs[found[1]].name);
    if (m->inputs[found[0]].given)
        return diag_error(d, DIAG_FEED_NAMES, "'%s' and '%s' are the same input",
                          m->inputs[found[0]].given->name, n->name);
    m->inputs[found[0]].given = n;
    return O2W_OK;
}

static o2w_status place_all(struct matching *m)
{
    const o2w_tensors *feeds = m->running->options->feeds;
    for (size_t i = 0; i < o2w_tensors_count(feeds); i++)
        TRY(place(m, &feeds->items.items[i]));
    return O2W_OK;
}

/* --- open dims ---------------------------------------------------------------------------------------- */

static void bind_given(const struct matching *m, const struct graph_input *in)
{
    for (uint32_t i = 0; i < in->operand->rank && i < in->given->tensor.rank; i++) {
        size_t index;
        if (!dim_is_static(in->operand->dims[i]) &&
            expr_is_name(m->graph->exprs, dim_expr_id(in->operand->dims[i]), &index) &&
            m->values[index] < 0)
            m->values[index] = in->given->tensor.dims[i];
    }
}

static void bind_options(const struct matching *m)
{
    const o2w_convert_options *c = conversion_of(m->running);
    for (size_t i = 0; i < expr_name_count(m->graph->exprs); i++) {
        struct span name;
        int64_t least, most;
        expr_name_at(m->graph->exprs, i, &name, &least, &most);
        for (size_t k = 0; k < c->dim_count && m->values[i] < 0; k++)
            if (span_is(name, c->dims[k].name))
                m->values[i] = c->dims[k].value;
    }
}

/* The size that conversion fixed; NULL: none of that name. */
static const struct graph_dim *fixed_dim(const struct graph *g, struct span name)
{
    for (size_t i = 0; i < g->dims.count; i++)
        if (span_equal(names_text(&g->names, g->dims.items[i].name), name))
            return &g->dims.items[i];
    return NULL;
}

static bool is_open_dim(const struct graph *g, struct span name, struct span *near)
{
    size_t best = name.size / 3 + 2;
    for (size_t i = 0; i < expr_name_count(g->exprs); i++) {
        struct span candidate;
        int64_t least, most;
        expr_name_at(g->exprs, i, &candidate, &least, &most);
        size_t distance = text_distance(candidate, name);
        if (distance == 0)
            return true;
        if (distance < best) {
            best = distance;
            *near = candidate;
        }
    }
    return false;
}

/* Sizes that the graph has no use for are told; those that it has otherwise are errors. */
static o2w_status check_dims(const struct matching *m)
{
    const o2w_convert_options *c = conversion_of(m->running);
    struct diags *d = m->running->diags;
    for (size_t i = 0; i < c->dim_count; i++) {
        struct span name = span_of(c->dims[i].name), near = { 0 };
        const struct graph_dim *fixed = fixed_dim(m->graph, name);
        if (is_open_dim(m->graph, name, &near) || (fixed && fixed->value == c->dims[i].value))
            continue;
        if (fixed)
            return diag_error(d, DIAG_DIM_FIXED, "'%s' is %lld, the graph was converted with %lld",
                              c->dims[i].name, (long long)c->dims[i].value,
                              (long long)fixed->value);
        diag_warning(d, DIAG_DIM_UNUSED, "no dimension '%s' in the graph%s%.*s%s", c->dims[i].name,
                     near.size ? ", nearest '" : "", SPAN_ARG(near), near.size ? "'" : "");
    }
    return O2W_OK;
}

static o2w_status bind_dims(struct matching *m)
{
    size_t count = expr_name_count(m->graph->exprs);
    m->values = ARENA_ARRAY(&m->running->arena, count + 1, int64_t);
    if (!m->values)
        return diag_memory(m->running->diags);
    for (size_t i = 0; i < count; i++)
        m->values[i] = -1;
    for (size_t i = 0; i < m->graph->inputs.count; i++)
        if (m->inputs[i].given)
            bind_given(m, &m->inputs[i]);
    bind_options(m);
    return check_dims(m);
}

static o2w_status unresolved(struct matching *m, const struct graph_input *in, uint32_t axis)
{
    struct diags *d = m->running->diags;
    char *text =
        expr_text(m->graph->exprs, dim_expr_id(in->operand->dims[axis]), &m->running->arena);
    o2w_status s = diag_error(d, DIAG_DIM_UNRESOLVED, "dimension '%s' of the graph has no value",
                              text ? text : "?");
    diag_at(d, "input '%s', axis %u", in->name, axis);
    diag_hint(d, "--override-dim %s=N, or give the input with --input", text ? text : "NAME");
    return s;
}

static o2w_status size_input(struct matching *m, const struct graph_input *in, struct feed *f)
{
    *f = (struct feed){ .name = in->name,
                        .dtype = in->operand->dtype,
                        .rank = in->operand->rank,
                        .rule = FEED_PATTERN };
    for (uint32_t i = 0; i < f->rank; i++) {
        size_t index;
        f->dims[i] = in->operand->dims[i];
        if (dim_is_static(f->dims[i]))
            continue;
        if (!expr_is_name(m->graph->exprs, dim_expr_id(f->dims[i]), &index) || m->values[index] < 0)
            return unresolved(m, in, i);
        f->dims[i] = m->values[index];
    }
    if (strcmp(f->name, "token_type_ids") == 0)
        f->rule = FEED_ZEROS;
    else if (strcmp(f->name, "attention_mask") == 0)
        f->rule = FEED_ONES;
    return feed_measure(f, m->running->diags);
}

/* --- feeding ------------------------------------------------------------------------------------------ */

/* A tensor of the source's type for the graph's: what conversion would have carried. */
static o2w_status feed_given(struct matching *m, size_t port, const struct feed *f)
{
    struct running *r = m->running;
    const struct named_tensor *n = m->inputs[port].given;
    struct tensor t = n->tensor;
    bool carried = n->tensor.dtype < DTYPE_COUNT && n->tensor.dtype != f->dtype &&
                   carry_has_pair(n->tensor.dtype, f->dtype);
    TRY(given_as(n, carried ? n->tensor.dtype : f->dtype, f->dims, f->rank, r->diags, &t));
    TRY(ports_feed(&r->ports, m->graph, port, n->name, &t, true, r->diags));
    return tensors_add(r->run->inputs, m->inputs[port].name, &t, true, r->diags);
}

static o2w_status feed_made(struct matching *m, size_t port, const struct feed *f)
{
    struct running *r = m->running;
    struct tensor t;
    if (tensor_new(&r->arena, f->dtype, f->dims, f->rank, &t) != O2W_OK)
        return diag_memory(r->diags);
    feed_fill(f, r->options->seed, t.data);
    TRY(ports_feed(&r->ports, m->graph, port, f->name, &t, false, r->diags));
    TRY(note_made(r, f->name));
    return tensors_add(r->run->inputs, f->name, &t, true, r->diags);
}

o2w_status running_feed_graph(struct running *r)
{
    struct matching m = { .running = r, .graph = api_graph(r->graph) };
    r->diags->stage = "feed";
    TRY(list_inputs(&m));
    TRY(place_all(&m));
    TRY(bind_dims(&m));
    for (size_t i = 0; i < m.graph->inputs.count; i++) {
        struct feed f;
        TRY(size_input(&m, &m.inputs[i], &f));
        TRY(m.inputs[i].given ? feed_given(&m, i, &f) : feed_made(&m, i, &f));
    }
    return O2W_OK;
}
