/* Tensors and dispatch. Work is done before dispatch returns, so reads never wait. */
#include "api/objects.h"

#include <string.h>

enum { ALIGNMENT = 64 };

static o2w_status check_shape(const webnn_descriptor *descriptor, struct diags *d, struct tensor *t,
                              uint64_t *bytes)
{
    uint64_t count;
    if ((unsigned)descriptor->data_type >= WEBNN_DATA_TYPE_COUNT || descriptor->rank > MAX_RANK)
        return diag_error(d, DIAG_BUILD_ARGUMENT, "data type %d with rank %u is no tensor",
                          (int)descriptor->data_type, descriptor->rank);
    *t = (struct tensor){ .dtype = (enum dtype)descriptor->data_type, .rank = descriptor->rank };
    memcpy(t->dims, descriptor->dims, t->rank * sizeof *t->dims);
    if (!dims_count(t->dims, t->rank, &count) || !dtype_bytes(t->dtype, count, bytes) ||
        *bytes > SIZE_MAX - ALIGNMENT)
        return diag_error(d, DIAG_BUILD_ARGUMENT,
                          "the tensor's dimensions must be numbers whose product fits memory");
    return O2W_OK;
}

static void link_tensor(webnn_context *c, webnn_tensor *t)
{
    pthread_mutex_lock(&c->queue);
    t->context = c;
    t->next = c->tensors;
    t->link = &c->tensors;
    if (c->tensors)
        c->tensors->link = &t->next;
    c->tensors = t;
    pthread_mutex_unlock(&c->queue);
}

void api_tensor_unlink(webnn_tensor *t)
{
    if (!t->context)
        return;
    *t->link = t->next;
    if (t->next)
        t->next->link = t->link;
    t->context = NULL;
}

static o2w_status own_memory(webnn_tensor *t, struct diags *d)
{
    t->base_size = (size_t)t->bytes + ALIGNMENT;
    t->base = mem_alloc(t->allocator, t->base_size);
    if (!t->base)
        return diag_memory(d);
    memset(t->base, 0, t->base_size);
    t->tensor.data = (void *)(((uintptr_t)t->base + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
    return O2W_OK;
}

static o2w_status create(webnn_context *c, const webnn_descriptor *descriptor,
                         const webnn_tensor_options *o, struct diags *d, webnn_tensor **out)
{
    webnn_tensor *t = mem_alloc(c->allocator, sizeof *t);
    if (!t)
        return diag_memory(d);
    *t = (webnn_tensor){ .allocator = c->allocator };
    o2w_status s = check_shape(descriptor, d, &t->tensor, &t->bytes);
    if (s == O2W_OK && o && o->data) {
        t->adopted = true;
        t->tensor.data = o->data;
        t->release = o->release;
        t->user = o->user;
    } else if (s == O2W_OK) {
        s = own_memory(t, d);
    }
    if (s != O2W_OK) {
        mem_free(c->allocator, t, sizeof *t);
        return s;
    }
    t->capacity = t->bytes;
    t->readable = o && o->readable;
    t->writable = o && o->writable;
    link_tensor(c, t);
    *out = t;
    return O2W_OK;
}

static o2w_status create_constant(webnn_context *c, const webnn_descriptor *descriptor,
                                  const void *data, size_t size, struct diags *d,
                                  webnn_tensor **out)
{
    webnn_tensor *t = NULL;
    TRY(create(c, descriptor, NULL, d, &t));
    if (size != t->bytes) {
        o2w_status s =
            diag_error(d, DIAG_BUILD_ARGUMENT, "%zu bytes are given, the descriptor needs %llu",
                       size, (unsigned long long)t->bytes);
        webnn_tensor_free(t);
        return s;
    }
    if (size)
        memcpy(t->tensor.data, data, size);
    t->constant = true;
    *out = t;
    return O2W_OK;
}

o2w_status webnn_tensor_create_constant(webnn_context *c, const webnn_descriptor *descriptor,
                                        const void *data, size_t size, webnn_tensor **out,
                                        o2w_error **error)
{
    struct diags d;
    diags_init(&d, c->allocator);
    o2w_status s = error_from_diags(&d, create_constant(c, descriptor, data, size, &d, out), error);
    diags_free(&d);
    return s;
}

static o2w_status resize(webnn_tensor *t, const int64_t *dims, uint32_t rank, struct diags *d)
{
    webnn_descriptor wanted = { .data_type = (enum webnn_data_type)t->tensor.dtype, .rank = rank };
    struct tensor shape;
    uint64_t bytes = 0;
    if (!t->context)
        return diag_error(d, DIAG_BUILD_STATE, "the tensor's context was freed");
    if (t->constant)
        return diag_error(d, DIAG_BUILD_STATE, "the tensor is a constant");
    if (rank > 0 && rank <= MAX_RANK)
        memcpy(wanted.dims, dims, rank * sizeof *dims);
    TRY(check_shape(&wanted, d, &shape, &bytes));
    if (bytes > t->capacity)
        return diag_error(d, DIAG_DISPATCH_ARGUMENT, "%llu bytes do not fit the tensor's %llu",
                          (unsigned long long)bytes, (unsigned long long)t->capacity);
    pthread_mutex_lock(&t->context->queue);
    shape.data = t->tensor.data;
    t->tensor = shape;
    t->bytes = bytes;
    pthread_mutex_unlock(&t->context->queue);
    return O2W_OK;
}

o2w_status webnn_tensor_resize(webnn_tensor *t, const int64_t *dims, uint32_t rank,
                               o2w_error **error)
{
    struct diags d;
    diags_init(&d, t->allocator);
    o2w_status s = error_from_diags(&d, resize(t, dims, rank, &d), error);
    diags_free(&d);
    return s;
}

o2w_status webnn_tensor_create(webnn_context *c, const webnn_descriptor *descriptor,
                               const webnn_tensor_options *options, webnn_tensor **out,
                               o2w_error **error)
{
    struct diags d;
    diags_init(&d, c->allocator);
    o2w_status s = error_from_diags(&d, create(c, descriptor, options, &d, out), error);
    diags_free(&d);
    return s;
}

void webnn_tensor_free(webnn_tensor *t)
{
    if (!t)
        return;
    webnn_context *c = t->context;
    if (c)
        pthread_mutex_lock(&c->queue);
    api_tensor_unlink(t);
    if (c)
        pthread_mutex_unlock(&c->queue);
    if (t->adopted && t->release)
        t->release(t->user, t->tensor.data);
    mem_free(t->allocator, t->base, t->base_size);
    mem_free(t->allocator, t, sizeof *t);
}

static o2w_status check_access(const webnn_tensor *t, bool allowed, const char *flag, size_t size,
                               struct diags *d)
{
    if (!t->context)
        return diag_error(d, DIAG_BUILD_STATE, "the tensor's context was freed");
    if (!allowed)
        return diag_error(d, DIAG_DISPATCH_ARGUMENT, "the tensor was not created %s", flag);
    if (size != t->bytes)
        return diag_error(d, DIAG_DISPATCH_ARGUMENT, "%zu bytes are given, the tensor has %llu",
                          size, (unsigned long long)t->bytes);
    return O2W_OK;
}

o2w_status webnn_tensor_write(webnn_tensor *t, const void *data, size_t size, o2w_error **error)
{
    struct diags d;
    diags_init(&d, t->allocator);
    o2w_status s = check_access(t, t->writable, "writable", size, &d);
    if (s == O2W_OK && size) {
        pthread_mutex_lock(&t->context->queue);
        memcpy(t->tensor.data, data, size);
        pthread_mutex_unlock(&t->context->queue);
    }
    s = error_from_diags(&d, s, error);
    diags_free(&d);
    return s;
}

o2w_status webnn_tensor_read(webnn_tensor *t, void *data, size_t size, o2w_error **error)
{
    struct diags d;
    diags_init(&d, t->allocator);
    o2w_status s = check_access(t, t->readable, "readable", size, &d);
    if (s == O2W_OK && size) {
        pthread_mutex_lock(&t->context->queue);
        memcpy(data, t->tensor.data, size);
        pthread_mutex_unlock(&t->context->queue);
    }
    s = error_from_diags(&d, s, error);
    diags_free(&d);
    return s;
}

bool webnn_tensor_descriptor(const webnn_tensor *t, webnn_descriptor *out)
{
    *out = (webnn_descriptor){ .data_type = (enum webnn_data_type)t->tensor.dtype,
                               .rank = t->tensor.rank };
    memcpy(out->dims, t->tensor.dims, t->tensor.rank * sizeof *out->dims);
    return t->context != NULL;
}

/* --- dispatch -------------------------------------------------------------------------------------- */

static o2w_status same_tensor(const struct graph *g, operand_id id, const struct tensor *wanted,
                              const struct tensor *given, const char *what, struct diags *d)
{
    char a[200], b[200];
    struct arena arena;
    if (given->dtype == wanted->dtype && given->rank == wanted->rank &&
        dims_equal(given->dims, wanted->dims, wanted->rank))
        return O2W_OK;
    dims_text(given->dims, given->rank, a, sizeof a);
    dims_text(wanted->dims, wanted->rank, b, sizeof b);
    arena_init(&arena, g->allocator);
    o2w_status s =
        diag_error(d, DIAG_DISPATCH_ARGUMENT, "%s '%.*s': the tensor is %s %s, the graph has %s %s",
                   what, SPAN_ARG(graph_operand_name(g, id, &arena)), dtype_name(given->dtype), a,
                   dtype_name(wanted->dtype), b);
    arena_free(&arena);
    return s;
}

/* Dtypes and ranks of the inputs, then the values of the named dims. */
static o2w_status bind_inputs(const struct graph *g, const struct binding *inputs, int64_t *values,
                              struct diags *d)
{
    for (size_t i = 0; i < g->inputs.count; i++) {
        const struct operand *o = graph_operand(g, g->inputs.items[i]);
        struct tensor wanted = { .dtype = o->dtype, .rank = o->rank };
        const struct tensor *given = &inputs[i].tensor;
        for (uint32_t k = 0; k < o->rank; k++)
            wanted.dims[k] = dim_is_static(o->dims[k]) ? o->dims[k]
                             : k < given->rank         ? given->dims[k]
                                                       : WEBNN_DYNAMIC;
        TRY(same_tensor(g, g->inputs.items[i], &wanted, given, "input", d));
    }
    return backend_bind_dims(g, inputs, values, d);
}

static o2w_status check_bindings(const struct graph *g, const struct binding *inputs,
                                 const struct binding *outputs, int64_t *values, struct diags *d)
{
    TRY(bind_inputs(g, inputs, values, d));
    for (size_t i = 0; i < g->outputs.count; i++) {
        struct tensor wanted;
        TRY(backend_operand_shape(g, g->outputs.items[i].operand, values, &wanted));
        TRY(same_tensor(g, g->outputs.items[i].operand, &wanted, &outputs[i].tensor, "output", d));
    }
    return O2W_OK;
}

static int64_t *dim_values(const struct graph *g, size_t *size)
{
    *size = (expr_name_count(g->exprs) + 1) * sizeof(int64_t);
    return mem_alloc(g->allocator, *size);
}

o2w_status api_dispatch(webnn_context *c, webnn_graph *g, const struct binding *inputs,
                        struct binding *outputs, const _Atomic bool *cancel, struct diags *d)
{
    size_t size;
    if (g->lost || g->context != c || !g->compiled)
        return diag_error(d, DIAG_BUILD_STATE,
                          g->lost ? "the graph's context was freed"
                                  : "the graph is not compiled for this context");
    int64_t *values = dim_values(g->graph, &size);
    if (!values)
        return diag_memory(d);
    o2w_status s = check_bindings(g->graph, inputs, outputs, values, d);
    mem_free(g->graph->allocator, values, size);
    TRY(s);
    pthread_mutex_lock(&c->queue);
    s = c->backend->dispatch(g->compiled, inputs, outputs, cancel, d);
    pthread_mutex_unlock(&c->queue);
    return s;
}

static bool port_is(const struct graph *g, operand_id id, name_id binding, struct span name)
{
    const struct operand *o = graph_operand(g, id);
    return (o->original && span_equal(names_text(&g->names, o->original), name)) ||
           (binding && span_equal(names_text(&g->names, binding), name)) ||
           (o->identifier && span_equal(names_text(&g->names, o->identifier), name));
}

/* Tensors by name into the graph's order; exactly the graph's names. */
static o2w_status place(webnn_context *c, const struct graph *g, const webnn_named_tensor *given,
                        size_t count, bool outputs, struct binding *out, struct diags *d)
{
    size_t wanted = outputs ? g->outputs.count : g->inputs.count;
    const char *what = outputs ? "output" : "input";
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        struct span name = span_of(given[i].name);
        while (at < wanted &&
               !port_is(g, outputs ? g->outputs.items[at].operand : g->inputs.items[at],
                        outputs ? g->outputs.items[at].name : 0, name))
            at++;
        if (at == wanted)
            return diag_error(d, DIAG_DISPATCH_ARGUMENT, "the graph has no %s '%s'", what,
                              given[i].name);
        if (out[at].tensor.data)
            return diag_error(d, DIAG_DISPATCH_ARGUMENT, "%s '%s' is given twice", what,
                              given[i].name);
        if (!given[i].tensor || given[i].tensor->context != c)
            return diag_error(d, DIAG_BUILD_STATE, "%s '%s': the tensor is not of this context",
                              what, given[i].name);
        if (given[i].tensor->constant)
            return diag_error(d, DIAG_DISPATCH_ARGUMENT, "%s '%s': the tensor is a constant", what,
                              given[i].name);
        out[at].tensor = given[i].tensor->tensor;
    }
    if (count < wanted)
        return diag_error(d, DIAG_DISPATCH_ARGUMENT, "%zu %ss are given, the graph has %zu", count,
                          what, wanted);
    return O2W_OK;
}

static o2w_status distinct(const webnn_named_tensor *a, size_t na, const webnn_named_tensor *b,
                           size_t nb, struct diags *d)
{
    for (size_t i = 0; i < na + nb; i++)
        for (size_t k = 0; k < i; k++) {
            const webnn_tensor *x = i < na ? a[i].tensor : b[i - na].tensor,
                               *y = k < na ? a[k].tensor : b[k - na].tensor;
            if (x == y)
                return diag_error(
                    d, DIAG_DISPATCH_ARGUMENT, "a tensor is given twice, as '%s' and '%s'",
                    k < na ? a[k].name : b[k - na].name, i < na ? a[i].name : b[i - na].name);
        }
    return O2W_OK;
}

static o2w_status dispatch(webnn_context *c, webnn_graph *g, const webnn_named_tensor *inputs,
                           size_t input_count, const webnn_named_tensor *outputs,
                           size_t output_count, struct arena *a, struct diags *d)
{
    struct binding *in = ARENA_ARRAY(a, g->graph->inputs.count, struct binding);
    struct binding *out = ARENA_ARRAY(a, g->graph->outputs.count, struct binding);
    if (!in || !out)
        return diag_memory(d);
    TRY(distinct(inputs, input_count, outputs, output_count, d));
    TRY(place(c, g->graph, inputs, input_count, false, in, d));
    TRY(place(c, g->graph, outputs, output_count, true, out, d));
    return api_dispatch(c, g, in, out, NULL, d);
}

o2w_status webnn_dispatch(webnn_context *c, webnn_graph *g, const webnn_named_tensor *inputs,
                          size_t input_count, const webnn_named_tensor *outputs,
                          size_t output_count, o2w_error **error)
{
    struct arena arena;
    struct diags d;
    diags_init(&d, c->allocator);
    arena_init(&arena, c->allocator);
    o2w_status s = dispatch(c, g, inputs, input_count, outputs, output_count, &arena, &d);
    arena_free(&arena);
    s = error_from_diags(&d, s, error);
    diags_free(&d);
    return s;
}

static o2w_status output_shape(const webnn_graph *g, const webnn_descriptor *inputs, size_t count,
                               size_t index, struct arena *a, struct diags *d,
                               webnn_descriptor *out)
{
    struct binding *in = ARENA_ARRAY(a, g->graph->inputs.count, struct binding);
    int64_t *values = ARENA_ARRAY(a, expr_name_count(g->graph->exprs) + 1, int64_t);
    struct tensor shape;
    if (!in || !values)
        return diag_memory(d);
    if (count != g->graph->inputs.count || index >= g->graph->outputs.count)
        return diag_error(d, DIAG_DISPATCH_ARGUMENT,
                          "%zu inputs and output %zu are asked for, the graph has %zu and %zu",
                          count, index, g->graph->inputs.count, g->graph->outputs.count);
    for (size_t i = 0; i < count; i++) {
        uint64_t bytes;
        TRY(check_shape(&inputs[i], d, &in[i].tensor, &bytes));
    }
    TRY(bind_inputs(g->graph, in, values, d));
    TRY(backend_operand_shape(g->graph, g->graph->outputs.items[index].operand, values, &shape));
    *out = (webnn_descriptor){ .data_type = (enum webnn_data_type)shape.dtype, .rank = shape.rank };
    memcpy(out->dims, shape.dims, shape.rank * sizeof *out->dims);
    return O2W_OK;
}

o2w_status webnn_output_shape(const webnn_graph *g, const webnn_descriptor *inputs,
                              size_t input_count, size_t index, webnn_descriptor *out,
                              o2w_error **error)
{
    struct arena arena;
    struct diags d;
    diags_init(&d, g->allocator);
    arena_init(&arena, g->allocator);
    o2w_status s =
        error_from_diags(&d, output_shape(g, inputs, input_count, index, &arena, &d, out), error);
    arena_free(&arena);
    diags_free(&d);
    return s;
}
