/* The backend `onnx`: the model as it is, in ONNX Runtime. */
#include "wasi/host.h"

#include "base/text.h"
#include "onnx/open.h"
#include "onnx/proto.h"
#include "ort/ort.h"
#include "ort/ort_value.h"
#include "wire/writer.h"

#include <string.h>

/* A folder that holds nothing and cannot: external data of guests' models resolve in it. */
#define NO_FOLDER "/dev/null"

struct onnx_state {
    const struct ort *ort;
    struct ort_session *session;
    const char **feeds; /* names of the inputs */
    const char **names; /* asked of a run */
    uint32_t *places;   /* output of each */
    uint32_t count;
};

/* --- choosing -------------------------------------------------------------------------------------- */

static o2w_status onnx_probe(struct nn_choice *c, struct diags *d)
{
    const struct ort *o;
    (void)c;
    return ort_open(d, &o);
}

static const struct {
    wasinn_target target;
    const char *provider;
} providers[] = {
    { WASINN_GPU, "CUDAExecutionProvider" },    { WASINN_GPU, "ROCMExecutionProvider" },
    { WASINN_GPU, "DmlExecutionProvider" },     { WASINN_TPU, "QNNExecutionProvider" },
    { WASINN_TPU, "VitisAIExecutionProvider" },
};

static const char *provider_of(const struct ort *o, wasinn_target target)
{
    for (size_t i = 0; i < sizeof providers / sizeof *providers; i++)
        if (providers[i].target == target && ort_has_provider(o, providers[i].provider))
            return providers[i].provider;
    return NULL;
}

static bool onnx_serves(const struct nn_choice *c, enum nn_container container,
                        wasinn_target target)
{
    const struct ort *o;
    (void)c;
    if (container != NN_ONNX)
        return false;
    return target == WASINN_CPU || (ort_open(NULL, &o) == O2W_OK && provider_of(o, target));
}

/* --- session --------------------------------------------------------------------------------------- */

/* The model with an output more for each ZipMap's tensor: singular message fields merge. */
static enum fault with_outputs(const struct nn_load *l, struct wire_writer *w)
{
    const struct model_scan *scan = l->scan;
    struct span written;
    wire_put_raw(w, l->bytes);
    size_t graph = wire_begin(w, MODEL_GRAPH);
    for (uint32_t i = 0; i < scan->zipmap_count; i++) {
        bool again = false;
        for (uint32_t k = 0; k < i; k++)
            again |= span_equal(scan->zipmaps[k].from, scan->zipmaps[i].from);
        if (again)
            continue;
        size_t output = wire_begin(w, GRAPH_OUTPUT);
        wire_put_bytes(w, VALUE_INFO_NAME, scan->zipmaps[i].from);
        wire_end(w, output);
    }
    wire_end(w, graph);
    return wire_written(w, &written) == O2W_OK ? FAULT_NONE : fail_memory(l->failure);
}

static bool line_has(const struct diags *d, const char *words)
{
    for (const struct diag *item = d->first; item; item = item->next)
        for (const struct diag_line *line = item->lines; line; line = line->next)
            if (strstr(line->text, words))
                return true;
    return false;
}

/* The operator in "… Fatal error: com.example:Foo(-1) is not a registered function/op". */
static const char *unknown_operator(const struct diags *d, struct arena *a)
{
    static const char mark[] = "Fatal error: ";
    for (const struct diag *item = d->first; item; item = item->next)
        for (const struct diag_line *line = item->lines; line; line = line->next) {
            const char *at = strstr(line->text, mark);
            const char *end = at ? strstr(at, " is not a registered") : NULL;
            at += at ? sizeof mark - 1 : 0;
            if (end)
                return arena_text(a, (struct span){ (const uint8_t *)at, (size_t)(end - at) });
        }
    return NULL;
}

/* --- what it refuses -------------------------------------------------------------------------------- */

struct op_list {
    char text[400];
    int length;
};

static void list_op(struct op_list *list, struct span domain, struct span op)
{
    char one[128];
    int n = text_format(one, sizeof one, "%.*s:%.*s", (int)(domain.size > 60 ? 60 : domain.size),
                        (const char *)domain.data, (int)(op.size > 60 ? 60 : op.size),
                        (const char *)op.data);
    if (!strstr(list->text, one) && list->length + n + 3 < (int)sizeof list->text)
        list->length +=
            text_format(list->text + list->length, sizeof list->text - (size_t)list->length, "%s%s",
                        list->length ? ", " : "", one);
}

static bool knows_domain(struct span domain)
{
    static const struct span prefixes[] = { { (const uint8_t *)"ai.onnx", 7 },
                                            { (const uint8_t *)"com.microsoft", 13 },
                                            { (const uint8_t *)"com.ms.", 7 },
                                            { (const uint8_t *)"org.pytorch", 11 } };
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (span_starts(domain, prefixes[i]))
            return true;
    return false;
}

static void list_graph(struct op_list *list, const struct onnx_graph *g)
{
    for (uint32_t i = 0; i < g->node_count; i++) {
        const struct onnx_node *n = &g->nodes[i];
        if (!n->function && !knows_domain(n->domain))
            list_op(list, n->domain, n->op_type);
        for (uint32_t k = 0; k < n->attribute_count; k++)
            for (uint32_t b = 0;
                 onnx_attribute_has_graphs(&n->attributes[k]) && b < n->attributes[k].count; b++)
                list_graph(list, &n->attributes[k].graphs[b]);
    }
}

/* The runtime names the first operator that it does not know; those of domains that it has none of are
 * told together. */
static enum fault refuse_operators(const struct nn_load *l, const char *first)
{
    struct op_list list = { .length = 0 };
    struct onnx_model *m = NULL;
    const char *colon = strchr(first, ':'), *end = strchr(first, '(');
    if (!colon || !end || end < colon)
        return fail(l->failure, FAULT_UNSUPPORTED, "operators that are not supported: %s", first);
    list_op(&list, (struct span){ (const uint8_t *)first, (size_t)(colon - first) },
            (struct span){ (const uint8_t *)colon + 1, (size_t)(end - colon - 1) });
    if (onnx_model_open_bytes(l->bytes, "model", NULL, NULL, l->host->allocator, NULL, &m) ==
        O2W_OK)
        list_graph(&list, &m->graph);
    onnx_model_close(m);
    return fail(l->failure, FAULT_UNSUPPORTED, "operators that are not supported: %s", list.text);
}

static enum fault load_failed(const struct nn_load *l, struct arena *a, o2w_status status)
{
    const char *op = unknown_operator(l->diags, a);
    if (op)
        return refuse_operators(l, op);
    if (status == O2W_CANCELLED || status == O2W_NO_MEMORY)
        return fail_from(l->failure, FAULT_RUNTIME, l->diags, status);
    if (status == O2W_UNAVAILABLE)
        return fail_from(l->failure, FAULT_UNSUPPORTED, l->diags, status);
    if (line_has(l->diags, "Could not find an implementation") ||
        line_has(l->diags, "NOT_IMPLEMENTED"))
        return fail(l->failure, FAULT_UNSUPPORTED,
                    "ONNX Runtime has an operator of the model not for its data types");
    if (line_has(l->diags, "external data") || line_has(l->diags, "External data"))
        return fail(l->failure, FAULT_SECURITY, "weights in external files are refused");
    if (line_has(l->diags, "bad_alloc") || line_has(l->diags, "Failed to allocate"))
        return fail_memory(l->failure);
    return fail(l->failure, FAULT_ENCODING, "ONNX Runtime finds the model invalid");
}

static o2w_status make_session(const struct nn_load *l, struct span model, const char *path,
                               const char *folder, struct onnx_state *s)
{
    static const struct ort_config configs[] = {
        { "session.load_model_format", "ONNX" },
        { "session.intra_op.allow_spinning", "0" },
        { "session.inter_op.allow_spinning", "0" },
        { "session.disable_cpu_ep_fallback", "1" },
    };
    const char *provider = provider_of(s->ort, l->target);
    struct ort_options options = {
        .allocator = l->host->allocator,
        .optimization = l->trusted ? ORT_OPTIMIZATION_ALL : ORT_OPTIMIZATION_EXTENDED,
        .threads = l->host->options.compute_threads,
        .no_arena = !l->trusted,
        .configs = configs,
        .config_count = sizeof configs / sizeof *configs - (!provider || l->fallback),
        .provider = l->target == WASINN_CPU ? NULL : provider,
        .cancel = { .flag = l->stop,
                    .deadline_ns = l->deadline_ns == UINT64_MAX ? 0 : l->deadline_ns },
    };
    return path ? ort_session_from_file(s->ort, path, &options, l->diags, &s->session)
                : ort_session_from_bytes(s->ort, model, folder, &options, l->diags, &s->session);
}

/* From the file itself where nothing has to be added. */
static o2w_status open_session(const struct nn_load *l, struct nn_graph *g, struct onnx_state *s)
{
    struct wire_writer w;
    struct span model = l->bytes;
    const char *folder = l->trusted ? NULL : NO_FOLDER;
    if (l->path && !l->scan->zipmap_count)
        return make_session(l, model, l->path, NULL, s);
    if (l->path) {
        struct span in = path_folder(span_of(l->path));
        folder = in.size ? arena_text(&g->arena, in) : ".";
        if (!folder)
            return diag_memory(l->diags);
    }
    wire_writer_init(&w, l->host->allocator);
    o2w_status status = O2W_OK;
    if (l->scan->zipmap_count) {
        status = with_outputs(l, &w) == FAULT_NONE ? wire_written(&w, &model) : O2W_NO_MEMORY;
        host_log(l->host, O2W_LOG_INFO, "ZipMap is bypassed: its input tensor takes its place");
    }
    if (status == O2W_OK)
        status = make_session(l, model, NULL, folder, s);
    wire_writer_free(&w);
    return status;
}

/* --- interface ------------------------------------------------------------------------------------- */

static const char *kind_text(enum ort_kind kind)
{
    switch (kind) {
    case ORT_TENSOR: return NULL;
    case ORT_SEQUENCE: return "a sequence";
    case ORT_MAP: return "a map";
    case ORT_OPTIONAL: return "an optional";
    case ORT_OTHER: break;
    }
    return "no dense tensor";
}

static struct nn_port port_of(const struct ort_port *p)
{
    const struct ort_type *t = &p->type;
    struct nn_port port = { .name = p->name,
                            .kind = kind_text(t->kind),
                            .dtype = t->dtype,
                            .carried = t->dtype,
                            .used = true,
                            .has_shape = t->has_shape && t->rank <= MAX_RANK,
                            .rank = t->rank };
    for (uint32_t i = 0; port.has_shape && i < t->rank; i++) {
        port.dims[i] = t->dims[i];
        port.symbols[i] = t->symbols[i];
    }
    return port;
}

static const struct ort_port *find_port(const struct ort_port *ports, size_t count,
                                        struct span name)
{
    for (size_t i = 0; i < count; i++)
        if (span_is(name, ports[i].name))
            return &ports[i];
    return NULL;
}

/* Outputs that ZipMaps make become the tensors before them, under their own names. */
static void fill_output(const struct nn_load *l, struct onnx_state *s, struct nn_graph *g,
                        const struct ort_port *ports, size_t count, uint32_t i)
{
    const struct scan_zipmap *z = scan_find_zipmap(l->scan, span_of(ports[i].name));
    const struct ort_port *from = z ? find_port(ports, count, z->from) : NULL;
    g->outputs[i] = port_of(from ? from : &ports[i]);
    g->outputs[i].name = ports[i].name;
    if (g->outputs[i].kind || g->outputs[i].dtype == DTYPE_STRING)
        return;
    s->names[s->count] = from ? from->name : ports[i].name;
    s->places[s->count++] = i;
}

/* Outputs that were added stand behind the model's own. */
static uint32_t own_outputs(const struct nn_load *l, const struct ort_port *ports, size_t count)
{
    uint32_t own = 0;
    for (size_t i = 0; i < count; i++)
        if (scan_find_zipmap(l->scan, span_of(ports[i].name)))
            own = (uint32_t)i + 1;
    if (!own)
        return (uint32_t)count;
    for (size_t i = own; i < count; i++) {
        bool added = false;
        for (uint32_t k = 0; k < l->scan->zipmap_count; k++)
            added |= span_is(l->scan->zipmaps[k].from, ports[i].name);
        own = added ? own : (uint32_t)i + 1;
    }
    return own;
}

static enum fault read_interface(const struct nn_load *l, struct onnx_state *s, struct nn_graph *g)
{
    const struct ort_port *inputs, *outputs;
    size_t in = ort_session_inputs(s->session, &inputs);
    size_t count = ort_session_outputs(s->session, &outputs);
    uint32_t out = own_outputs(l, outputs, count);
    g->inputs = ARENA_ARRAY(&g->arena, in, struct nn_port);
    g->outputs = ARENA_ARRAY(&g->arena, out, struct nn_port);
    s->feeds = ARENA_ARRAY(&g->arena, in, const char *);
    s->names = ARENA_ARRAY(&g->arena, out, const char *);
    s->places = ARENA_ARRAY(&g->arena, out, uint32_t);
    if (!g->inputs || !g->outputs || !s->feeds || !s->names || !s->places)
        return fail_memory(l->failure);
    for (size_t i = 0; i < in; i++) {
        g->inputs[i] = port_of(&inputs[i]);
        s->feeds[i] = inputs[i].name;
    }
    for (uint32_t i = 0; i < out; i++)
        fill_output(l, s, g, outputs, count, i);
    g->input_count = (uint32_t)in;
    g->output_count = out;
    return FAULT_NONE;
}

static void onnx_release(struct nn_graph *g)
{
    struct onnx_state *s = g->state;
    if (s)
        ort_session_free(s->session);
}

static enum fault onnx_load(const struct nn_load *l, struct nn_graph *g)
{
    struct onnx_state *s = ARENA_NEW(&g->arena, struct onnx_state);
    if (!s)
        return fail_memory(l->failure);
    g->state = s;
    o2w_status status = ort_open(l->diags, &s->ort);
    if (status == O2W_OK)
        status = open_session(l, g, s);
    if (status != O2W_OK)
        return load_failed(l, &g->arena, status);
    enum fault fault = read_interface(l, s, g);
    if (fault != FAULT_NONE)
        onnx_release(g);
    return fault;
}

/* --- running --------------------------------------------------------------------------------------- */

static void onnx_clear(struct nn_graph *g, struct nn_results *results)
{
    const struct onnx_state *s = g->state;
    for (uint32_t i = 0; i < g->output_count; i++) {
        ort_value_free(s->ort, results->outputs[i].owner);
        results->outputs[i].owner = NULL;
        results->outputs[i].present = false;
    }
}

static enum fault take_outputs(const struct onnx_state *s, const struct nn_run *r,
                               ort_value **values, struct nn_results *out)
{
    out->bytes = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        struct nn_output *o = &out->outputs[s->places[i]];
        o->owner = values[i];
        o->present = ort_value_kind(s->ort, values[i]) == ORT_TENSOR &&
                     ort_value_tensor(s->ort, values[i], NULL, &o->tensor) == O2W_OK;
        out->bytes += o->present ? tensor_bytes(&o->tensor) : 0;
    }
    return out->bytes <= r->output_limit
               ? FAULT_NONE
               : fail(r->failure, FAULT_TOO_LARGE, "the outputs have %llu bytes, the limit is %llu",
                      (unsigned long long)out->bytes, (unsigned long long)r->output_limit);
}

static enum fault run_failed(const struct nn_run *r, o2w_status status)
{
    if (status == O2W_CANCELLED || status == O2W_NO_MEMORY)
        return fail_from(r->failure, FAULT_RUNTIME, r->diags, status);
    if (line_has(r->diags, "bad_alloc") || line_has(r->diags, "Failed to allocate"))
        return fail_memory(r->failure);
    return fail(r->failure, FAULT_RUNTIME, "ONNX Runtime failed while it ran the model");
}

enum { FEW = 16 };

static enum fault run_session(const struct nn_graph *g, const struct nn_run *r,
                              struct ort_feed *feeds, ort_value **values, struct nn_results *out)
{
    const struct onnx_state *s = g->state;
    struct ort_cancel cancel = { r->stop, r->deadline_ns == UINT64_MAX ? 0 : r->deadline_ns };
    for (uint32_t i = 0; i < g->input_count; i++)
        feeds[i] = (struct ort_feed){ s->feeds[i], r->inputs[i] };
    if (!s->count)
        return fail(r->failure, FAULT_UNSUPPORTED,
                    "no output of the graph is a tensor that guests "
                    "can have");
    o2w_status status = ort_session_run(s->session, feeds, g->input_count, s->names, s->count,
                                        &cancel, r->diags, values);
    return status == O2W_OK ? take_outputs(s, r, values, out) : run_failed(r, status);
}

static enum fault onnx_compute(struct nn_graph *g, const struct nn_run *r, struct nn_results *out)
{
    const struct onnx_state *s = g->state;
    struct ort_feed few[FEW];
    ort_value *few_values[FEW];
    const o2w_allocator *a = g->host->allocator;
    if (g->input_count <= FEW && s->count <= FEW)
        return run_session(g, r, few, few_values, out);
    size_t feeds_size = (g->input_count + 1) * sizeof(struct ort_feed);
    size_t values_size = (s->count + 1) * sizeof(ort_value *);
    struct ort_feed *feeds = mem_alloc(a, feeds_size);
    ort_value **values = mem_alloc(a, values_size);
    enum fault fault =
        feeds && values ? run_session(g, r, feeds, values, out) : fail_memory(r->failure);
    mem_free(a, feeds, feeds_size);
    mem_free(a, values, values_size);
    return fault;
}

const struct nn_backend nn_backend_onnx = { .name = "onnx",
                                            .serves = onnx_serves,
                                            .probe = onnx_probe,
                                            .load = onnx_load,
                                            .compute = onnx_compute,
                                            .clear = onnx_clear,
                                            .release = onnx_release };
