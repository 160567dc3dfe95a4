/* The sizes of a model's inputs: for every dim the first source that knows it. */
#include "lower/dims_internal.h"

#include <string.h>

/* One axis of an input. */
struct axis {
    uint32_t input, index;
    struct span label, name; /* <input>_dim<axis>; of the dim, empty where it has none */
    bool labelled;           /* the label means this axis: no dim is called so */
    int64_t fixed;           /* >= 1; else 0 */
};

/* --- names of the model -------------------------------------------------------------------------- */

static o2w_status add_name(struct resolver *r, struct span name, bool of_input)
{
    uint32_t *count;
    bool added;
    if (name.size == 0)
        return O2W_OK;
    if (map_insert(&r->names, name, 0, &count, &added) != O2W_OK)
        return diag_memory(r->diags);
    *count += of_input;
    if (!added)
        return O2W_OK;
    struct span folded = name_folded(r->arena, name);
    if (!folded.data || map_insert(&r->folded, folded, 0, &count, NULL) != O2W_OK)
        return diag_memory(r->diags);
    return O2W_OK;
}

static o2w_status add_type(struct resolver *r, const struct onnx_type *t, bool of_input)
{
    for (; t; t = t->element)
        for (uint32_t i = 0; t->has_shape && i < t->rank; i++)
            if (t->dims[i].kind == ONNX_DIM_NAMED)
                TRY(add_name(r, t->dims[i].name, of_input));
    return O2W_OK;
}

static o2w_status add_infos(struct resolver *r, const struct onnx_value_info *infos, uint32_t count,
                            bool of_inputs)
{
    for (uint32_t i = 0; i < count; i++)
        TRY(add_type(r, &infos[i].type, of_inputs));
    return O2W_OK;
}

static o2w_status add_graph(struct resolver *r, const struct onnx_graph *g)
{
    TRY(add_infos(r, g->inputs, g->input_count, g == r->graph));
    TRY(add_infos(r, g->outputs, g->output_count, false));
    TRY(add_infos(r, g->value_infos, g->value_info_count, false));
    for (uint32_t i = 0; i < g->node_count; i++)
        for (uint32_t k = 0; k < g->nodes[i].attribute_count; k++) {
            const struct onnx_attribute *a = &g->nodes[i].attributes[k];
            for (uint32_t b = 0; onnx_attribute_has_graphs(a) && b < a->count; b++)
                TRY(add_graph(r, &a->graphs[b]));
        }
    return O2W_OK;
}

static o2w_status collect_names(struct resolver *r)
{
    TRY(add_graph(r, &r->model->graph));
    for (uint32_t i = 0; i < r->model->function_count; i++)
        TRY(add_graph(r, &r->model->functions[i].body));
    if (r->graph != &r->model->graph)
        TRY(add_infos(r, r->graph->inputs, r->graph->input_count, true));
    return O2W_OK;
}

/* --- one dim ------------------------------------------------------------------------------------- */

static bool is_default_batch(struct span name)
{
    static const char *const names[] = { "batch_size", "batch", "n", "b" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name_equal_folded(name, span_of(names[i])))
            return true;
    return false;
}

/* A name by the sources that bind names: those given, and the built-in ones. */
static o2w_status look_up(void *user, struct span name, bool *found, int64_t *value)
{
    struct resolver *r = user;
    const struct dim_binding *hit = NULL;
    for (int s = 0; s < DIM_BOUND_SOURCES && !hit; s++)
        TRY(bindings_find(&r->bindings, (enum dim_source)s, name, &hit));
    *found = hit || (!r->request->keep_open && is_default_batch(name));
    *value = hit ? hit->value : 1;
    return O2W_OK;
}

/* What one source says of the axis; *by_label: of this axis alone. */
static o2w_status ask(struct resolver *r, enum dim_source from, const struct axis *x,
                      const struct dim_binding **hit, bool *by_label)
{
    *hit = NULL;
    if (x->labelled)
        TRY(bindings_find(&r->bindings, from, x->label, hit));
    *by_label = *hit != NULL;
    if (!*hit && x->name.size)
        TRY(bindings_find(&r->bindings, from, x->name, hit));
    return O2W_OK;
}

/* Sizes given from outside may not contradict each other; files of settings may. */
static o2w_status check_agreement(struct resolver *r, const struct axis *x,
                                  const struct dim_binding *chosen)
{
    for (int s = (int)chosen->from + 1; s <= DIM_GRAPH; s++) {
        const struct dim_binding *other;
        bool by_label;
        TRY(ask(r, (enum dim_source)s, x, &other, &by_label));
        if (other && other->value != chosen->value)
            return diag_error(r->diags, DIAG_DIM_DISAGREES,
                              "axis %u of input '%.*s' is %lld by source '%s', %lld by '%s'",
                              x->index,
                              SPAN_ARG(onnx_name(r->model, r->graph->inputs[x->input].name)),
                              (long long)chosen->value, dim_source_text(chosen->from),
                              (long long)other->value, dim_source_text(other->from));
    }
    return O2W_OK;
}

static o2w_status note_over_name(struct resolver *r, const struct axis *x,
                                 const struct dim_binding *hit)
{
    const uint32_t *axes = !dim_name_is_anonymous(x->name) ? map_find(&r->names, x->name) : NULL;
    bool asked = hit->from == DIM_CLI || hit->from == DIM_SIDECAR || hit->from == DIM_METADATA;
    if (!asked || !axes || *axes < 2)
        return O2W_OK;
    return diag_note(r->diags, DIAG_DIM_AXIS_OVER_NAME,
                     "'%.*s' sets one axis to %lld, others called '%.*s' keep their own size",
                     SPAN_ARG(x->label), (long long)hit->value, SPAN_ARG(x->name));
}

static o2w_status remember(struct resolver *r, struct span name, int64_t value,
                           enum dim_source from)
{
    uint32_t *seen;
    bool added;
    if (map_insert(&r->resolved, name, 0, &seen, &added) != O2W_OK)
        return diag_memory(r->diags);
    if (added && !VEC_PUSH(&r->dims, (struct resolved_dim){ name, value, from }))
        return diag_memory(r->diags);
    return O2W_OK;
}

static o2w_status take_binding(struct resolver *r, const struct axis *x,
                               const struct dim_binding *hit, bool by_label, struct input_dim *out)
{
    TRY(check_agreement(r, x, hit));
    if (by_label)
        TRY(note_over_name(r, x, hit));
    out->value = hit->value;
    return remember(r, by_label ? x->label : x->name, hit->value, hit->from);
}

static o2w_status check_fixed(struct resolver *r, const struct axis *x, struct input_dim *out)
{
    out->value = x->fixed;
    for (int s = 0; s < DIM_BOUND_SOURCES; s++) {
        const struct dim_binding *hit;
        bool by_label;
        TRY(ask(r, (enum dim_source)s, x, &hit, &by_label));
        if (!hit || hit->value == x->fixed)
            continue;
        o2w_status status = diag_error(
            r->diags, DIAG_DIM_FIXED, "'%.*s' is %lld, the model fixes this axis at %lld",
            SPAN_ARG(x->label), (long long)hit->value, (long long)x->fixed);
        diag_subject(r->diags, "input", onnx_name(r->model, r->graph->inputs[x->input].name));
        return status;
    }
    return O2W_OK;
}

static int64_t default_max(struct resolver *r, struct span name)
{
    struct span folded = name_folded(r->arena, name);
    struct {
        const char *part, *whole[2];
        int64_t max;
    } rules[] = { { "past", { "s", "t" }, 4096 },
                  { "seq", { "s", "t" }, 4096 },
                  { "length", { "s", "t" }, 4096 },
                  { "batch", { "b", "n" }, 8 } };
    for (size_t i = 0; folded.data && i < sizeof rules / sizeof *rules; i++) {
        if (span_is(folded, rules[i].whole[0]) || span_is(folded, rules[i].whole[1]))
            return rules[i].max;
        struct span part = span_of(rules[i].part);
        for (size_t at = 0; at + part.size <= folded.size; at++)
            if (memcmp(folded.data + at, part.data, part.size) == 0)
                return rules[i].max;
    }
    return 65535;
}

static int64_t max_of(struct resolver *r, struct span name)
{
    const struct dims_request *q = r->request;
    const struct dim_binding *near = NULL;
    for (size_t i = q->maximum_count; i-- > 0;) {
        if (span_equal(q->maxima[i].name, name))
            return q->maxima[i].value;
        if (!near && name_equal_folded(q->maxima[i].name, name))
            near = &q->maxima[i];
    }
    return near ? near->value : default_max(r, name);
}

bool dim_name_is_anonymous(struct span name)
{
    return name.size == 0 || span_is(name, "?") || span_is(name, "-1");
}

/* A dynamic dim: its own name, or the axis's, which must not be that of another dim. */
static o2w_status leave_open(struct resolver *r, const struct axis *x, struct input_dim *out)
{
    out->value = -1;
    bool anonymous = dim_name_is_anonymous(x->name);
    out->name = anonymous ? x->label : x->name;
    for (int i = 2; anonymous && map_find(&r->names, out->name); i++) {
        char *text = arena_printf(r->arena, "%.*s_%d", SPAN_ARG(x->label), i);
        if (!text)
            return diag_memory(r->diags);
        out->name = span_of(text);
    }
    out->max = max_of(r, out->name);
    return O2W_OK;
}

static o2w_status leave_unresolved(struct resolver *r, const struct axis *x, struct input_dim *out)
{
    struct span name = dim_name_is_anonymous(x->name) ? x->label : x->name;
    uint32_t *seen;
    bool added;
    out->value = -1;
    if (map_insert(&r->open, name, 0, &seen, &added) != O2W_OK ||
        (added && !VEC_PUSH(&r->unresolved, name)))
        return diag_memory(r->diags);
    return O2W_OK;
}

/* The dims of an input's initializer; NULL where it has none. */
static const int64_t *initial_dims(const struct onnx_graph *g, uint32_t input, uint32_t *rank)
{
    uint32_t place = g->inputs[input].initializer;
    if (!place--)
        return NULL;
    if (place < g->initializer_count) {
        *rank = g->initializers[place].rank;
        return g->initializers[place].dims;
    }
    const struct onnx_sparse_tensor *t = &g->sparse_initializers[place - g->initializer_count];
    *rank = t->rank;
    return t->dims;
}

/* The initializer's own size of the axis; < 0 where the input has none. */
static int64_t initial_size(const struct resolver *r, const struct axis *x)
{
    uint32_t rank = 0;
    const int64_t *dims = initial_dims(r->graph, x->input, &rank);
    return dims && x->index < rank ? dims[x->index] : -1;
}

static o2w_status resolve_axis(struct resolver *r, const struct axis *x, struct input_dim *out)
{
    bool found = false;
    if (x->fixed)
        return check_fixed(r, x, out);
    for (int s = 0; s < DIM_BOUND_SOURCES; s++) {
        const struct dim_binding *hit;
        bool by_label;
        TRY(ask(r, (enum dim_source)s, x, &hit, &by_label));
        if (hit)
            return take_binding(r, x, hit, by_label, out);
    }
    out->value = initial_size(r, x);
    if (out->value >= 0)
        return O2W_OK;
    if (x->name.size)
        TRY(dims_formula(x->name, look_up, r, &found, &out->value));
    if (found)
        return remember(r, x->name, out->value, DIM_EXPRESSION);
    if (r->request->keep_open)
        return leave_open(r, x, out);
    if (!is_default_batch(x->name))
        return leave_unresolved(r, x, out);
    out->value = 1;
    return remember(r, x->name, 1, DIM_DEFAULT);
}

/* --- inputs -------------------------------------------------------------------------------------- */

static o2w_status axis_init(struct resolver *r, uint32_t input, uint32_t index,
                            const struct onnx_dim *d, struct axis *x)
{
    struct span name = onnx_name(r->model, r->graph->inputs[input].name);
    char *label = arena_printf(r->arena, "%.*s_dim%u", SPAN_ARG(name), index);
    if (!label)
        return diag_memory(r->diags);
    *x = (struct axis){ .input = input, .index = index, .label = span_of(label) };
    if (d && d->kind == ONNX_DIM_NAMED)
        x->name = d->name;
    if (d && d->kind == ONNX_DIM_VALUE && d->value >= 1)
        x->fixed = d->value;
    x->labelled = map_find(&r->names, x->label) == NULL;
    return O2W_OK;
}

static bool is_pinned(const struct resolver *r, struct span name)
{
    for (size_t i = 0; i < r->request->pinned_count; i++)
        if (span_equal(r->request->pinned[i], name))
            return true;
    return false;
}

static o2w_status refuse_rank(struct resolver *r, struct span name)
{
    o2w_status s = diag_error(r->diags, DIAG_DIM_RANK, "input '%.*s' has no shape in the model",
                              SPAN_ARG(name));
    diag_hint(r->diags,
              "give every axis: --override-dim %.*s_dim0=N --override-dim %.*s_dim1=N …; or export "
              "the model with the shape of its inputs",
              SPAN_ARG(name), SPAN_ARG(name));
    return s;
}

/* An input without a shape has as many axes as bindings name without a gap. */
static o2w_status bound_rank(struct resolver *r, uint32_t input, uint32_t *rank)
{
    for (*rank = 0; *rank <= MAX_RANK; ++*rank) {
        struct axis x;
        const struct dim_binding *hit = NULL;
        bool by_label;
        TRY(axis_init(r, input, *rank, NULL, &x));
        for (int s = 0; s < DIM_BOUND_SOURCES && !hit; s++)
            TRY(ask(r, (enum dim_source)s, &x, &hit, &by_label));
        if (!hit)
            break;
    }
    struct span name = onnx_name(r->model, r->graph->inputs[input].name);
    return *rank == 0 && !is_pinned(r, name) ? refuse_rank(r, name) : O2W_OK;
}

static o2w_status resolve_input(struct resolver *r, uint32_t input, struct input_shape *out)
{
    const struct onnx_value_info *info = &r->graph->inputs[input];
    const struct onnx_type *t = &info->type;
    out->info = info;
    if (t->kind != ONNX_TYPE_TENSOR)
        return O2W_OK;
    out->rank = t->rank;
    if (!t->has_shape && !initial_dims(r->graph, input, &out->rank))
        TRY(bound_rank(r, input, &out->rank));
    if (out->rank > MAX_RANK)
        return diag_error(r->diags, DIAG_LIMIT, "input '%.*s' has rank %u, at most %d is allowed",
                          SPAN_ARG(onnx_name(r->model, info->name)), out->rank, MAX_RANK);
    for (uint32_t i = 0; i < out->rank; i++) {
        struct axis x;
        TRY(axis_init(r, input, i, t->has_shape ? &t->dims[i] : NULL, &x));
        TRY(resolve_axis(r, &x, &out->dims[i]));
    }
    return O2W_OK;
}

/* Bound names that outputs have and inputs have not. */
static o2w_status output_dims(struct resolver *r, struct dims_result *out)
{
    VEC(struct output_dim) list = { .allocator = r->dims.allocator };
    for (uint32_t i = 0; i < r->graph->output_count; i++) {
        const struct onnx_type *t = &r->graph->outputs[i].type;
        for (uint32_t k = 0; t->kind == ONNX_TYPE_TENSOR && t->has_shape && k < t->rank; k++) {
            struct output_dim item = { .output = i, .axis = k, .name = t->dims[k].name };
            const struct dim_binding *hit = NULL;
            if (t->dims[k].kind != ONNX_DIM_NAMED)
                continue;
            const uint32_t *axes = map_find(&r->names, item.name);
            for (int s = 0; s < DIM_BOUND_SOURCES && !hit && axes && *axes == 0; s++)
                TRY(bindings_find(&r->bindings, (enum dim_source)s, item.name, &hit));
            item.value = hit ? hit->value : 0;
            if (hit && !VEC_PUSH(&list, item))
                return diag_memory(r->diags);
        }
    }
    out->outputs = list.items;
    out->output_count = list.count;
    return O2W_OK;
}

/* --- entry ----------------------------------------------------------------------------------------- */

static o2w_status resolve_all(struct resolver *r, struct dims_result *out)
{
    TRY(bindings_init(&r->bindings, r->model, r->request, r->arena, r->diags));
    TRY(collect_names(r));
    out->inputs = ARENA_ARRAY(r->arena, r->graph->input_count, struct input_shape);
    if (!out->inputs)
        return diag_memory(r->diags);
    for (uint32_t i = 0; i < r->graph->input_count; i++)
        TRY(resolve_input(r, i, &out->inputs[i]));
    TRY(output_dims(r, out));
    TRY(dims_report_unused(r));
    out->dims = r->dims.items;
    out->dim_count = r->dims.count;
    out->unresolved = r->unresolved.items;
    out->unresolved_count = r->unresolved.count;
    return r->unresolved.count ? dims_report_unresolved(r, out) : O2W_OK;
}

o2w_status dims_resolve(const struct onnx_model *m, const struct onnx_graph *g,
                        const struct dims_request *request, struct arena *a, struct diags *d,
                        struct dims_result *out)
{
    o2w_allocator *in_arena = ARENA_NEW(a, o2w_allocator);
    struct resolver r = { .model = m, .graph = g, .request = request, .arena = a, .diags = d };
    *out = (struct dims_result){ 0 };
    if (!in_arena)
        return diag_memory(d);
    *in_arena = arena_allocator(a);
    r.dims.allocator = r.unresolved.allocator = in_arena;
    map_init(&r.names, a->allocator);
    map_init(&r.folded, a->allocator);
    map_init(&r.resolved, a->allocator);
    map_init(&r.open, a->allocator);
    o2w_status s = resolve_all(&r, out);
    bindings_free(&r.bindings);
    map_free(&r.names);
    map_free(&r.folded);
    map_free(&r.resolved);
    map_free(&r.open);
    return s;
}
