/* A model's inputs. */
#include "validate/source.h"

#include "base/log.h"
#include "base/number.h"
#include "lower/dims.h"
#include "validate/flow.h"

#include <string.h>

/* --- opening ------------------------------------------------------------------------------------------ */

static o2w_status list_inputs(struct source *s, struct diags *d)
{
    const struct onnx_graph *g = &s->model->graph;
    s->inputs = ARENA_ARRAY(&s->arena, g->input_count, struct source_input);
    if (!s->inputs)
        return diag_memory(d);
    for (uint32_t i = 0; i < g->input_count; i++) {
        struct source_input *in = &s->inputs[s->input_count++];
        const struct onnx_value_info *info = &g->inputs[i];
        *in = (struct source_input){ .info = info,
                                     .feed.name =
                                         arena_text(&s->arena, onnx_name(s->model, info->name)),
                                     .initialized = graph_initializes(g, info->name) };
        if (!in->feed.name)
            return diag_memory(d);
        if (info->type.kind != ONNX_TYPE_TENSOR ||
            !dtype_by_onnx(info->type.dtype, &in->feed.dtype))
            in->feed.dtype = DTYPE_COUNT;
    }
    return O2W_OK;
}

/* One that is listed more than once is one output. */
static o2w_status list_outputs(struct source *s, struct diags *d)
{
    const struct onnx_graph *g = &s->model->graph;
    s->outputs = ARENA_ARRAY(&s->arena, g->output_count, const char *);
    bool *listed = ARENA_ARRAY(&s->arena, (size_t)s->model->name_count + 1, bool);
    if (!s->outputs || !listed)
        return diag_memory(d);
    for (uint32_t i = 0; i < g->output_count; i++) {
        if (listed[g->outputs[i].name])
            continue;
        listed[g->outputs[i].name] = true;
        s->outputs[s->output_count] =
            arena_text(&s->arena, onnx_name(s->model, g->outputs[i].name));
        if (!s->outputs[s->output_count++])
            return diag_memory(d);
    }
    return O2W_OK;
}

o2w_status source_open(const char *path, const o2w_environment *e, struct diags *d,
                       struct source *out)
{
    struct onnx_open_options options = { 0 };
    *out = (struct source){ .path = path, .allocator = environment_allocator(e) };
    arena_init(&out->arena, out->allocator);
    TRY(onnx_model_open(path, &options, out->allocator, d, &out->model));
    TRY(list_inputs(out, d));
    return list_outputs(out, d);
}

void source_close(struct source *s)
{
    for (size_t i = 0; i < s->input_count; i++)
        if (!s->inputs[i].borrowed)
            mem_free(s->allocator, s->inputs[i].data, (size_t)s->inputs[i].room);
    onnx_model_close(s->model);
    arena_free(&s->arena);
    *s = (struct source){ 0 };
}

struct source_input *source_input(const struct source *s, struct span name)
{
    for (size_t i = 0; i < s->input_count; i++)
        if (span_is(name, s->inputs[i].feed.name))
            return &s->inputs[i];
    return NULL;
}

bool source_axis_is_open(const struct source_input *in, uint32_t axis, struct span *name)
{
    const struct onnx_type *t = &in->info->type;
    *name = (struct span){ 0 };
    if (!t->has_shape)
        return true;
    if (axis >= t->rank)
        return false;
    if (t->dims[axis].kind == ONNX_DIM_NAMED && !dim_name_is_anonymous(t->dims[axis].name))
        *name = t->dims[axis].name;
    return t->dims[axis].kind != ONNX_DIM_VALUE || t->dims[axis].value < 1;
}

/* --- pins --------------------------------------------------------------------------------------------- */

static o2w_status refuse_pin(const struct source *s, struct span name,
                             const struct source_input *in, struct diags *d)
{
    struct span near = { 0 };
    size_t best = name.size / 3 + 2;
    for (size_t i = 0; i < s->input_count; i++) {
        struct span candidate = span_of(s->inputs[i].feed.name);
        size_t distance = text_distance(candidate, name);
        if (!s->inputs[i].initialized && distance < best) {
            best = distance;
            near = candidate;
        }
    }
    o2w_status status =
        in ? diag_error(d, DIAG_PIN_UNKNOWN, "input '%.*s' has an initializer", SPAN_ARG(name))
           : diag_error(d, DIAG_PIN_UNKNOWN, "no input '%.*s'%s%.*s%s", SPAN_ARG(name),
                        near.size ? ", nearest '" : "", SPAN_ARG(near), near.size ? "'" : "");
    diag_hint(d, "'onnx2webnn inspect' lists the inputs of a model");
    return status;
}

static bool pin_fits(int64_t value, enum dtype t)
{
    uint64_t room = 0;
    struct tensor one = { .dtype = t, .data = &room };
    if (t == DTYPE_BOOL)
        return value == 0 || value == 1;
    if (dtype_is_integer(t))
        return value >= dtype_min(t) && (value < 0 || (uint64_t)value <= dtype_max(t));
    tensor_put_double(&one, 0, (double)value);
    double stored = tensor_get_double(&one, 0);
    return stored >= -0x1p63 && stored < 0x1p63 && (int64_t)stored == value;
}

o2w_status source_pin(struct source *s, struct span name, int64_t value, struct diags *d)
{
    struct source_input *in = source_input(s, name);
    if (!in || in->initialized)
        return refuse_pin(s, name, in, d);
    if (!feed_has_pattern(in->feed.dtype))
        return diag_error(d, DIAG_PIN_TYPE, "input '%s' is %s", in->feed.name,
                          in->feed.dtype < DTYPE_COUNT ? dtype_name(in->feed.dtype) : "no tensor");
    if (!pin_fits(value, in->feed.dtype))
        return diag_error(d, DIAG_PIN_RANGE, "input '%s': %lld is not representable in %s",
                          in->feed.name, (long long)value, dtype_name(in->feed.dtype));
    in->pinned = true;
    in->feed.pin = value;
    return O2W_OK;
}

/* --- sizes -------------------------------------------------------------------------------------------- */

static bool has_cli(const struct dim_binding *bindings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bindings[i].from == DIM_CLI)
            return true;
    return false;
}

static o2w_status with_sidecar(struct source *s, const struct dim_binding *bindings, size_t count,
                               struct diags *d, struct dims_request *out)
{
    struct dim_binding *sidecar = NULL, *all;
    size_t more = 0;
    if (!has_cli(bindings, count))
        TRY(dims_read_sidecar(s->path, &s->arena, d, &sidecar, &more));
    all = ARENA_ARRAY(&s->arena, count + more, struct dim_binding);
    if (!all)
        return diag_memory(d);
    if (count)
        memcpy(all, bindings, count * sizeof *all);
    if (more)
        memcpy(all + count, sidecar, more * sizeof *all);
    out->bindings = all;
    out->count = count + more;
    return O2W_OK;
}

static o2w_status pinned_names(struct source *s, struct diags *d, struct dims_request *out)
{
    struct span *names = ARENA_ARRAY(&s->arena, s->input_count, struct span);
    if (!names)
        return diag_memory(d);
    for (size_t i = 0; i < s->input_count; i++)
        if (s->inputs[i].pinned)
            names[out->pinned_count++] = span_of(s->inputs[i].feed.name);
    out->pinned = names;
    return O2W_OK;
}

o2w_status source_size(struct source *s, const struct dim_binding *bindings, size_t count,
                       struct diags *d)
{
    struct dims_request request = { .metadata = true };
    TRY(with_sidecar(s, bindings, count, d, &request));
    TRY(pinned_names(s, d, &request));
    TRY(dims_resolve(s->model, &s->model->graph, &request, &s->arena, d, &s->dims));
    for (size_t i = 0; i < s->input_count; i++) {
        struct feed *f = &s->inputs[i].feed;
        f->rank = s->dims.inputs[i].rank;
        for (uint32_t k = 0; k < f->rank; k++)
            f->dims[k] = s->dims.inputs[i].dims[k].value;
        if (feed_has_pattern(f->dtype) && !s->inputs[i].initialized)
            TRY(feed_measure(f, d));
    }
    return O2W_OK;
}

/* --- rules -------------------------------------------------------------------------------------------- */

static const char *type_text(const struct onnx_type *t)
{
    static const char *const kinds[] = { [ONNX_TYPE_NONE] = "of no known type",
                                         [ONNX_TYPE_TENSOR] = "tensor",
                                         [ONNX_TYPE_SPARSE_TENSOR] = "sparse tensor",
                                         [ONNX_TYPE_SEQUENCE] = "sequence",
                                         [ONNX_TYPE_OPTIONAL] = "optional",
                                         [ONNX_TYPE_MAP] = "map",
                                         [ONNX_TYPE_OPAQUE] = "opaque" };
    if (t->kind != ONNX_TYPE_TENSOR)
        return kinds[t->kind];
    return onnx_dtype_name(t->dtype) ? onnx_dtype_name(t->dtype) : "unknown";
}

static o2w_status check_dtype(const struct source_input *in, struct diags *d)
{
    if (feed_has_pattern(in->feed.dtype))
        return O2W_OK;
    return diag_error(d, DIAG_FEED_DTYPE, "input '%s' has type %s: no feed can be made",
                      in->feed.name, type_text(&in->info->type));
}

static o2w_status take_default(struct source *s, struct source_input *in, struct diags *d)
{
    struct tensor t;
    struct scope main = { .graph = &s->model->graph };
    const struct onnx_tensor *initializer = scope_initializer(&main, in->info->name);
    o2w_status status =
        initializer ? initializer_tensor(s->model, initializer, &s->arena, d, &t) : O2W_UNSUPPORTED;
    if (status == O2W_UNSUPPORTED)
        return diag_error(d, DIAG_FEED_DTYPE,
                          "input '%s': its initializer cannot be fed, it is sparse or no number",
                          in->feed.name);
    TRY(status);
    in->feed.dtype = t.dtype;
    in->feed.rank = t.rank;
    memcpy(in->feed.dims, t.dims, sizeof t.dims);
    in->feed.rule = FEED_DEFAULT;
    in->feed.given = t.data;
    return feed_measure(&in->feed, d);
}

static o2w_status plan_input(struct scopes *scopes, struct source_input *in, struct diags *d)
{
    struct feed *f = &in->feed;
    bool numeric = f->dtype != DTYPE_BOOL;
    TRY(check_dtype(in, d));
    f->rule = FEED_PATTERN;
    if (in->pinned)
        f->rule = FEED_PINNED;
    else if (numeric && strcmp(f->name, "token_type_ids") == 0)
        f->rule = FEED_ZEROS;
    else if (numeric && strcmp(f->name, "attention_mask") == 0)
        f->rule = FEED_ONES;
    if (f->rule == FEED_PINNED || f->rule == FEED_ONES)
        return O2W_OK;
    return flow_plan(scopes, in->info->name, f, d);
}

o2w_status source_plan(struct source *s, struct diags *d)
{
    struct scopes scopes;
    o2w_status status = O2W_OK;
    scopes_init(&scopes, s->model, &s->arena);
    for (size_t i = 0; i < s->input_count && status == O2W_OK; i++) {
        struct source_input *in = &s->inputs[i];
        if (in->kept)
            status = take_default(s, in, d);
        else if (!in->initialized && in->feed.rule != FEED_ARCHIVE)
            status = plan_input(&scopes, in, d);
    }
    scopes_free(&scopes);
    return status;
}

/* --- elements ----------------------------------------------------------------------------------------- */

static o2w_status make_room(struct source *s, struct source_input *in, struct diags *d)
{
    uint64_t bytes = in->feed.bytes ? in->feed.bytes : 1;
    if (in->data)
        return O2W_OK;
    if (bytes > SIZE_MAX)
        return diag_memory(d);
    in->data = mem_alloc(s->allocator, (size_t)bytes);
    if (!in->data)
        return diag_memory(d);
    in->room = bytes;
    return O2W_OK;
}

o2w_status source_fill(struct source *s, uint64_t seed, struct diags *d)
{
    for (size_t i = 0; i < s->input_count; i++) {
        struct source_input *in = &s->inputs[i];
        if (in->initialized && !in->kept)
            continue;
        if (in->feed.rule == FEED_ARCHIVE || in->feed.rule == FEED_DEFAULT) {
            in->data = (uint8_t *)(uintptr_t)in->feed.given;
            in->borrowed = true;
            continue;
        }
        TRY(make_room(s, in, d));
        feed_fill(&in->feed, seed, in->data);
    }
    return O2W_OK;
}

struct tensor source_tensor(const struct source_input *i)
{
    struct tensor t = { .dtype = i->feed.dtype, .rank = i->feed.rank, .data = i->data };
    memcpy(t.dims, i->feed.dims, sizeof t.dims);
    return t;
}
