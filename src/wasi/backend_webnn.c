/* The backends `webnn:ID`: the model's conversion, or a WebNN graph, on one of the engines. */
#include "wasi/backend_webnn.h"

#include "base/checked.h"
#include "wasi/trim.h"

#include <stdio.h>
#include <string.h>

static o2w_status webnn_is_there(struct nn_choice *c, struct diags *d)
{
    struct arena a;
    struct backend_probe found = { 0 };
    arena_init(&a, NULL);
    o2w_status s = c->engine->probe(&a, d, &found);
    arena_free(&a);
    return s;
}

/* Devices other than the processor are the engine's own choice: it has no way to be told. */
static bool webnn_serves(const struct nn_choice *c, enum nn_container container,
                         wasinn_target target)
{
    (void)c, (void)container;
    return target == WASINN_CPU;
}

enum fault webnn_fault(enum nn_container c, const struct diags *d, o2w_status s)
{
    if (s == O2W_UNAVAILABLE)
        return FAULT_UNSUPPORTED;
    if (s == O2W_INTERNAL)
        return FAULT_INTERNAL;
    if (c == NN_WEBNN)
        return s == O2W_UNSUPPORTED || s == O2W_BUILD_FAILED ? FAULT_UNSUPPORTED : FAULT_ENCODING;
    (void)d;
    return s == O2W_FORMAT ? FAULT_ENCODING : FAULT_UNSUPPORTED;
}

/* --- interface ------------------------------------------------------------------------------------- */

static bool copy_dims(struct arena *a, const struct exprs *x, const dim *dims, uint32_t rank,
                      struct nn_port *p)
{
    p->has_shape = true;
    p->rank = rank;
    for (uint32_t i = 0; i < rank; i++) {
        p->dims[i] = dim_is_static(dims[i]) ? dims[i] : -1;
        p->symbols[i] = dim_is_static(dims[i]) ? "" : expr_text(x, dim_expr_id(dims[i]), a);
        if (!p->symbols[i])
            return false;
    }
    return true;
}

static struct nn_port operand_port(struct nn_graph *g, const struct graph *graph, operand_id id,
                                   name_id binding)
{
    const struct operand *o = graph_operand(graph, id);
    struct span name =
        binding ? names_text(&graph->names, binding) : graph_operand_name(graph, id, &g->arena);
    struct nn_port p = { .name = arena_text(&g->arena, o->original && !binding
                                                           ? names_text(&graph->names, o->original)
                                                           : name),
                         .dtype = o->dtype,
                         .carried = o->dtype,
                         .used = true };
    if (!copy_dims(&g->arena, graph->exprs, o->dims, o->rank, &p))
        p.name = NULL;
    return p;
}

static enum fault graph_interface(const struct nn_load *l, struct nn_graph *g,
                                  const struct graph *graph)
{
    g->input_count = (uint32_t)graph->inputs.count;
    g->output_count = (uint32_t)graph->outputs.count;
    g->inputs = ARENA_ARRAY(&g->arena, g->input_count, struct nn_port);
    g->outputs = ARENA_ARRAY(&g->arena, g->output_count, struct nn_port);
    bool complete = g->inputs && g->outputs;
    for (uint32_t i = 0; complete && i < g->input_count; i++) {
        g->inputs[i] = operand_port(g, graph, graph->inputs.items[i], 0);
        complete = g->inputs[i].name;
    }
    for (uint32_t i = 0; complete && i < g->output_count; i++) {
        const struct graph_output *o = &graph->outputs.items[i];
        g->outputs[i] = operand_port(g, graph, o->operand, o->name);
        complete = g->outputs[i].name;
    }
    return complete ? FAULT_NONE : fail_memory(l->failure);
}

static const struct onnx_value_info *input_info(const struct onnx_model *m, struct span name)
{
    for (uint32_t i = 0; i < m->graph.input_count; i++)
        if (span_equal(onnx_name(m, m->graph.inputs[i].name), name))
            return &m->graph.inputs[i];
    return NULL;
}

static const char *symbol_of(struct arena *a, const struct onnx_dim *d)
{
    return d->kind == ONNX_DIM_NAMED ? arena_text(a, d->name) : "";
}

/* As the model declares it: what was fixed by metadata stays open to the guest's own check. */
static bool fill_input(struct nn_graph *g, const struct onnx_model *m,
                       const struct lower_port *from, struct nn_port *p)
{
    const struct onnx_value_info *info = input_info(m, from->name);
    *p = (struct nn_port){ .name = arena_text(&g->arena, from->name),
                           .dtype = from->model,
                           .carried = from->graph,
                           .used = from->operand != NO_ID,
                           .has_shape =
                               info && info->type.has_shape && info->type.rank <= MAX_RANK };
    p->rank = p->has_shape ? info->type.rank : 0;
    for (uint32_t i = 0; i < p->rank; i++) {
        const struct onnx_dim *d = &info->type.dims[i];
        p->dims[i] = d->kind == ONNX_DIM_VALUE && d->value >= 1 ? d->value : -1;
        if (!(p->symbols[i] = symbol_of(&g->arena, d)))
            return false;
    }
    return p->name != NULL;
}

/* `places`: the port of each output of the conversion. */
static bool fill_outputs(struct nn_graph *g, const struct onnx_model *m,
                         const struct o2w_conversion *c, const struct trimming *t, uint32_t *places)
{
    const struct lowering *l = c->lowering;
    const struct graph *graph = api_graph(c->graph);
    for (uint32_t i = 0; i < g->output_count; i++) {
        struct nn_port *p = &g->outputs[i];
        p->name = arena_text(&g->arena, onnx_name(m, m->graph.outputs[i].name));
        p->kind = t->outputs[i].kind;
        p->dtype = p->carried = p->kind && strstr(p->kind, "strings") ? DTYPE_STRING : DTYPE_COUNT;
        if (!p->name)
            return false;
        for (uint32_t k = 0; !p->kind && k < l->output_count; k++) {
            if (!span_equal(l->outputs[k].name, t->outputs[i].name))
                continue;
            const struct descriptor *d = &l->outputs[k].descriptor;
            places[i] = k;
            p->used = true;
            p->dtype = l->outputs[k].model;
            p->carried = l->outputs[k].graph;
            if (!copy_dims(&g->arena, graph->exprs, d->dims, d->rank, p))
                return false;
        }
    }
    return true;
}

static enum fault model_interface(const struct nn_load *l, struct nn_graph *g,
                                  const struct onnx_model *m, const struct o2w_conversion *c,
                                  const struct trimming *t)
{
    struct webnn_state *s = g->state;
    const struct lowering *lowering = c->lowering;
    g->input_count = (uint32_t)lowering->input_count;
    g->output_count = m->graph.output_count;
    g->inputs = ARENA_ARRAY(&g->arena, g->input_count, struct nn_port);
    g->outputs = ARENA_ARRAY(&g->arena, g->output_count, struct nn_port);
    s->places = ARENA_ARRAY(&g->arena, g->output_count, uint32_t);
    bool complete = g->inputs && g->outputs && s->places;
    for (uint32_t i = 0; complete && i < g->input_count; i++)
        complete = fill_input(g, m, &lowering->inputs[i], &g->inputs[i]);
    if (complete)
        complete = fill_outputs(g, m, c, t, s->places);
    return complete ? FAULT_NONE : fail_memory(l->failure);
}

/* --- loading --------------------------------------------------------------------------------------- */

int poll_until(void *user, const char *stage, uint64_t done, uint64_t total)
{
    const struct until *u = *(const struct until **)user;
    (void)stage, (void)done, (void)total;
    return u && (*u->stop || system_clock_ns() >= u->deadline_ns);
}

static bool find_open(struct nn_graph *g, struct webnn_state *s, const struct onnx_model *m)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < m->graph.input_count; i++)
        most += m->graph.inputs[i].type.rank;
    s->open = ARENA_ARRAY(&g->arena, most, struct open_dim);
    for (uint32_t i = 0, at = 0; s->open && i < m->graph.input_count; i++) {
        const struct onnx_type *t = &m->graph.inputs[i].type;
        struct span name = onnx_name(m, m->graph.inputs[i].name);
        bool initialized = m->graph.inputs[i].initializer != 0;
        for (uint32_t k = 0; !initialized && t->has_shape && k < t->rank; k++) {
            if (t->dims[k].kind == ONNX_DIM_VALUE && t->dims[k].value >= 1)
                continue;
            bool named = t->dims[k].kind == ONNX_DIM_NAMED && t->dims[k].name.size;
            bool symbol = named && is_symbol(t->dims[k].name);
            s->ambiguous |= named && !symbol;
            const char *label = symbol ? arena_text(&g->arena, t->dims[k].name)
                                       : arena_printf(&g->arena, "%.*s_dim%u", SPAN_ARG(name), k);
            if (!label)
                return false;
            s->open[s->open_count++] = (struct open_dim){ at, k, label };
        }
        at += !initialized;
    }
    return s->open != NULL;
}

/* With open dims where the engine and the model allow it; else once per set of sizes, tried with 1. */
static o2w_status first_variant(struct nn_graph *g, const struct nn_load *l, struct variant **out)
{
    struct webnn_state *s = g->state;
    struct diags tried;
    o2w_status status = O2W_UNSUPPORTED;
    diags_init(&tried, s->allocator);
    if (s->engine->dynamic || !s->open_count)
        status = variant_convert(g, NULL, s->until, &tried, out);
    if (status == O2W_OK || !s->open_count || status == O2W_CANCELLED || status == O2W_NO_MEMORY) {
        diags_append(l->diags, &tried);
    } else {
        int64_t ones[64];
        for (uint32_t i = 0; i < s->open_count && i < 64; i++)
            ones[i] = 1;
        status = s->open_count <= 64
                     ? variant_convert(g, ones, s->until, l->diags, out)
                     : diag_error(l->diags, DIAG_LIMIT, "the inputs have %u open dimensions",
                                  s->open_count);
    }
    diags_free(&tried);
    return status;
}

static o2w_status keep_bytes(const struct nn_load *l, struct webnn_state *s, struct span bytes)
{
    void *data;
    if (!block_reserve(s->allocator, &s->copy, &s->copy_size, bytes.size, &data))
        return diag_memory(l->diags);
    memcpy(data, bytes.data, bytes.size);
    s->source.bytes = (struct span){ data, bytes.size };
    return O2W_OK;
}

/* The conversion's source: bytes that live as long as the graph. A path is not opened again: another file may be there
 * then. */
static o2w_status set_source(const struct nn_load *l, struct nn_graph *g, const struct trimming *t)
{
    struct webnn_state *s = g->state;
    if (l->path) {
        struct span folder = path_folder(span_of(l->path));
        s->source.folder = folder.size ? arena_text(&g->arena, folder) : ".";
        if (!s->source.folder)
            return diag_memory(l->diags);
    }
    if ((l->bytes_stay || l->file) && !t->changed) {
        s->model = l->file ? file_retain(l->file) : NULL;
        s->source.bytes = l->bytes;
        s->source.path = l->path ? arena_text(&g->arena, span_of(l->path)) : NULL;
        return l->path && !s->source.path ? diag_memory(l->diags) : O2W_OK;
    }
    return keep_bytes(l, s, t->changed ? t->bytes : l->bytes);
}

static enum fault add_variant(const struct nn_load *l, struct nn_graph *g, struct variant *v)
{
    struct webnn_state *s = g->state;
    o2w_status status = variant_add(s, v, l->diags);
    if (status == O2W_OK) {
        variant_leave(s, v);
        return FAULT_NONE;
    }
    variant_free(s, v);
    return fail_from(l->failure, webnn_fault(l->container, l->diags, status), l->diags, status);
}

static enum fault load_trimmed(const struct nn_load *l, struct nn_graph *g,
                               const struct onnx_model *m, const struct trimming *t)
{
    struct variant *v = NULL;
    o2w_status status = set_source(l, g, t);
    if (status == O2W_OK && !find_open(g, g->state, m))
        status = diag_memory(l->diags);
    if (status == O2W_OK)
        status = first_variant(g, l, &v);
    if (status != O2W_OK)
        return fail_from(l->failure, webnn_fault(NN_ONNX, l->diags, status), l->diags, status);
    const struct webnn_state *s = g->state;
    enum fault fault = model_interface(l, g, m, v->conversion, t);
    if (fault == FAULT_NONE && !s->ambiguous)
        return add_variant(l, g, v);
    variant_free(g->state, v); /* it holds sizes equal that are not: computes make their own */
    return fault;
}

static enum fault load_model(const struct nn_load *l, struct nn_graph *g)
{
    struct onnx_model *m = NULL;
    struct trimming t = { 0 };
    struct arena a;
    enum fault fault;
    arena_init(&a, l->host->allocator);
    o2w_status s =
        onnx_model_open_bytes(l->bytes, "model", NULL, NULL, l->host->allocator, l->diags, &m);
    if (s == O2W_OK)
        s = trim_model(m, l->bytes, l->scan, &a, l->diags, &t);
    if (s == O2W_OK)
        fault = load_trimmed(l, g, m, &t);
    else
        fault = fail_from(l->failure, webnn_fault(NN_ONNX, l->diags, s), l->diags, s);
    if (t.changed)
        host_log(l->host, O2W_LOG_INFO,
                 "outputs that WebNN cannot hold are left out or replaced by "
                 "the tensor before their ZipMap");
    wire_writer_free(&t.writer);
    onnx_model_close(m);
    arena_free(&a);
    return fault;
}

static enum fault load_graph(const struct nn_load *l, struct nn_graph *g)
{
    struct webnn_state *s = g->state;
    struct variant *v = NULL;
    o2w_status status = O2W_OK;
    if (l->weights.data) {
        status = keep_bytes(l, s, l->weights);
        if (status == O2W_OK)
            status = file_from_bytes(s->source.bytes, "weights", s->allocator, &s->weights);
    }
    if (status == O2W_OK)
        status = variant_read(g, l, &v);
    if (status != O2W_OK)
        return fail_from(l->failure, webnn_fault(NN_WEBNN, l->diags, status), l->diags, status);
    enum fault fault = graph_interface(l, g, v->graph);
    if (fault != FAULT_NONE) {
        variant_free(s, v);
        return fault;
    }
    return add_variant(l, g, v);
}

static void webnn_release(struct nn_graph *g)
{
    struct webnn_state *s = g->state;
    if (!s)
        return;
    while (s->variants) {
        struct variant *v = s->variants;
        s->variants = v->next;
        variant_free(s, v);
    }
    file_release(s->weights);
    file_release(s->model);
    mem_free(s->allocator, s->copy, s->copy_size);
    pthread_mutex_destroy(&s->lock);
}

static enum fault webnn_load(const struct nn_load *l, struct nn_graph *g)
{
    struct webnn_state *s = ARENA_NEW(&g->arena, struct webnn_state);
    const struct until until = { l->stop, l->deadline_ns };
    if (!s)
        return fail_memory(l->failure);
    *s = (struct webnn_state){ .engine = l->choice->engine,
                               .allocator = l->host->allocator,
                               .threads = l->host->options.compute_threads,
                               .until = &until };
    s->environment = (o2w_environment){ .size = sizeof s->environment,
                                        .allocator = *(s->allocator ? s->allocator : &mem_default),
                                        .progress = poll_until,
                                        .user = &s->until };
    pthread_mutex_init(&s->lock, NULL);
    g->state = s;
    l->diags->environment = &s->environment;
    enum fault fault = l->container == NN_ONNX ? load_model(l, g) : load_graph(l, g);
    l->diags->environment = NULL;
    s->until = NULL;
    if (fault != FAULT_NONE)
        webnn_release(g);
    return fault;
}

/* --- running --------------------------------------------------------------------------------------- */

struct dispatching {
    struct nn_graph *graph;
    const struct nn_run *run;
    struct nn_results *results;
    const struct variant *variant;
    struct lane *lane;
    struct binding *inputs, *outputs;
    int64_t *values; /* of the named dims */
};

static uint32_t output_port(const struct dispatching *x, uint32_t output)
{
    const struct webnn_state *s = x->graph->state;
    uint32_t k = x->variant->outputs[output], i = 0;
    while (s->places && i < x->graph->output_count &&
           (x->graph->outputs[i].kind || s->places[i] != k))
        i++;
    return s->places ? i : k;
}

static enum fault place_outputs(struct dispatching *x)
{
    const struct graph *g = x->variant->graph;
    struct nn_results *out = x->results;
    const struct nn_run *r = x->run;
    out->bytes = 0;
    for (uint32_t i = 0; i < g->outputs.count; i++) {
        struct nn_output *o = &out->outputs[output_port(x, i)];
        uint64_t count, bytes;
        if (backend_operand_shape(g, g->outputs.items[i].operand, x->values, &o->tensor) !=
                O2W_OK ||
            !dims_count(o->tensor.dims, o->tensor.rank, &count) ||
            !dtype_bytes(o->tensor.dtype, count, &bytes) ||
            !add_u64(out->bytes, bytes, &out->bytes) || out->bytes > r->output_limit ||
            bytes > SIZE_MAX / 2)
            return fail(r->failure, FAULT_TOO_LARGE,
                        "the outputs have more than %llu bytes, which is the limit",
                        (unsigned long long)r->output_limit);
        if (!block_reserve(x->graph->host->allocator, &o->block, &o->block_size, (size_t)bytes,
                           &o->tensor.data))
            return fail_memory(r->failure);
        x->outputs[i].tensor = o->tensor;
        o->present = true;
    }
    return FAULT_NONE;
}

/* Outputs without elements are no part of the graph; two outputs may be one value. */
static void finish_outputs(struct dispatching *x)
{
    const struct webnn_state *s = x->graph->state;
    struct nn_graph *g = x->graph;
    for (uint32_t i = 0; s->places && i < g->output_count; i++) {
        const struct nn_port *p = &g->outputs[i];
        struct nn_output *o = &x->results->outputs[i];
        if (o->present || p->kind)
            continue;
        for (uint32_t k = 0; k < i && !o->present; k++)
            if (x->results->outputs[k].present && s->places[k] == s->places[i]) {
                o->tensor = x->results->outputs[k].tensor;
                o->present = true;
            }
        if (o->present)
            continue;
        o->tensor = (struct tensor){ .dtype = p->carried, .rank = p->rank };
        memcpy(o->tensor.dims, p->dims, sizeof p->dims);
        o->present = true;
    }
}

/* Of the host's own files guests learn nothing. */
static enum fault run_failed(const struct nn_graph *g, const struct nn_run *r, enum fault fault,
                             o2w_status status)
{
    fault = fail_from(r->failure, fault, r->diags, status);
    if (status != O2W_IO)
        return fault;
    host_log(g->host, O2W_LOG_ERROR, "%s", r->failure->text);
    return fail(r->failure, FAULT_RUNTIME, "files of the graph cannot be read by the host");
}

static enum fault dispatch(struct dispatching *x)
{
    const struct graph *g = x->variant->graph;
    struct webnn_state *s = x->graph->state;
    const struct nn_run *r = x->run;
    struct nn_watched watched = { .stop = (_Atomic bool *)(uintptr_t)r->stop,
                                  .deadline_ns = r->deadline_ns };
    for (uint32_t i = 0; i < g->inputs.count; i++) {
        x->inputs[i].tensor = r->inputs[x->variant->inputs[i]];
        x->inputs[i].tensor.dtype = graph_operand(g, g->inputs.items[i])->dtype;
    }
    o2w_status status = backend_bind_dims(g, x->inputs, x->values, r->diags);
    if (status != O2W_OK)
        return fail_from(r->failure, FAULT_ARGUMENT, r->diags, status);
    CHECK(place_outputs(x));
    if (!watchdog_begin(&x->graph->host->watchdog, &watched))
        return fail(r->failure, FAULT_RUNTIME, "no thread can be started to watch the time");
    status = s->engine->dispatch(x->lane->compiled, x->inputs, x->outputs, r->stop, r->diags);
    watchdog_end(&x->graph->host->watchdog, &watched);
    if (status != O2W_OK)
        return run_failed(x->graph, r, FAULT_RUNTIME, status);
    finish_outputs(x);
    return FAULT_NONE;
}

enum { FEW = 8 };

static enum fault run_lane(struct dispatching *x)
{
    const struct graph *g = x->variant->graph;
    size_t in = g->inputs.count, out = g->outputs.count, names = expr_name_count(g->exprs) + 1;
    struct binding few_inputs[FEW], few_outputs[FEW];
    int64_t few_values[FEW];
    if (in <= FEW && out <= FEW && names <= FEW) {
        x->inputs = few_inputs;
        x->outputs = few_outputs;
        x->values = few_values;
        return dispatch(x);
    }
    struct arena a;
    arena_init(&a, x->graph->host->allocator);
    x->inputs = ARENA_ARRAY(&a, in, struct binding);
    x->outputs = ARENA_ARRAY(&a, out, struct binding);
    x->values = ARENA_ARRAY(&a, names, int64_t);
    enum fault fault =
        x->inputs && x->outputs && x->values ? dispatch(x) : fail_memory(x->run->failure);
    arena_free(&a);
    return fault;
}

static enum fault webnn_compute(struct nn_graph *g, const struct nn_run *r, struct nn_results *out)
{
    struct webnn_state *s = g->state;
    struct variant *v = NULL;
    struct dispatching x = { .graph = g, .run = r, .results = out };
    o2w_status status = lane_take(g, r, &v, &x.lane);
    if (status != O2W_OK)
        return run_failed(g, r, FAULT_UNSUPPORTED, status);
    x.variant = v;
    enum fault fault = run_lane(&x);
    lane_return(s, v, x.lane);
    return fault;
}

static void webnn_clear(struct nn_graph *g, struct nn_results *results)
{
    for (uint32_t i = 0; i < g->output_count; i++)
        results->outputs[i].present = false;
}

const struct nn_backend nn_backend_webnn = { .name = "webnn",
                                             .serves = webnn_serves,
                                             .probe = webnn_is_there,
                                             .load = webnn_load,
                                             .compute = webnn_compute,
                                             .clear = webnn_clear,
                                             .release = webnn_release };
