#include "support/model_run.h"

#include "onnx/open.h"

#include <math.h>
#include <string.h>

void model_run_init(struct model_run *r)
{
    *r = (struct model_run){ 0 };
    arena_init(&r->arena, NULL);
    diags_init(&r->diags, NULL);
}

void model_run_free(struct model_run *r)
{
    lowering_free(r->lowering);
    onnx_model_close(r->model);
    diags_free(&r->diags);
    arena_free(&r->arena);
}

/* --- conversion ---------------------------------------------------------------------------------- */

static o2w_status feed_dims(struct model_run *r, struct dims_request *request)
{
    size_t count = 0;
    struct dim_binding *bindings =
        ARENA_ARRAY(&r->arena, r->feed_count * MAX_RANK + 1, struct dim_binding);
    if (!bindings)
        return O2W_NO_MEMORY;
    for (size_t i = 0; i < r->feed_count; i++)
        for (uint32_t k = 0; k < r->feeds[i].tensor.rank; k++) {
            char *name = arena_printf(&r->arena, "%.*s_dim%u", SPAN_ARG(r->feeds[i].name), k);
            if (!name)
                return O2W_NO_MEMORY;
            bindings[count++] = (struct dim_binding){ .name = span_of(name),
                                                      .value = r->feeds[i].tensor.dims[k],
                                                      .from = DIM_INPUT };
        }
    request->bindings = bindings;
    request->count = count;
    return O2W_OK;
}

o2w_status model_run_convert(struct model_run *r, struct span bytes, const char *folder,
                             const struct lower_options *options)
{
    struct dims_request request = { 0 };
    struct lower_options own = { 0 };
    if (options)
        own = *options;
    if (!own.dims) {
        TRY(feed_dims(r, &request));
        own.dims = &request;
    }
    TRY(onnx_model_open_bytes(bytes, "model.onnx", folder, NULL, NULL, &r->diags, &r->model));
    return lower_model(r->model, &own, NULL, &r->diags, &r->lowering);
}

/* --- running --------------------------------------------------------------------------------------- */

static const struct lower_port *port_of(const struct lower_port *ports, size_t count,
                                        operand_id operand)
{
    for (size_t i = 0; i < count; i++)
        if (ports[i].operand == operand)
            return &ports[i];
    return NULL;
}

static o2w_status check_carried(struct model_run *r, const struct tensor *from,
                                const struct tensor *to)
{
    for (uint64_t i = 0; dtype_is_float(from->dtype) && i < tensor_count(from); i++)
        if (isfinite(tensor_get_double(from, i)) && !isfinite(tensor_get_double(to, i)))
            return diag_error(&r->diags, DIAG_FEED_RANGE, "%g does not fit %s",
                              tensor_get_double(from, i), dtype_name(to->dtype));
    return O2W_OK;
}

static o2w_status bind_input(struct model_run *r, const struct lower_port *port,
                             struct binding *out)
{
    for (size_t i = 0; i < r->feed_count; i++) {
        const struct tensor *fed = &r->feeds[i].tensor;
        if (!span_equal(r->feeds[i].name, port->name))
            continue;
        if (fed->dtype != port->model)
            return diag_error(&r->diags, DIAG_FEED_DTYPE, "input '%.*s' is fed %s",
                              SPAN_ARG(port->name), dtype_name(fed->dtype));
        TRY(tensor_new(&r->arena, port->graph, fed->dims, fed->rank, &out->tensor));
        TRY(tensor_convert(fed, &out->tensor));
        return check_carried(r, fed, &out->tensor);
    }
    return diag_error(&r->diags, DIAG_FEED_NAMES, "input '%.*s' is not fed", SPAN_ARG(port->name));
}

static o2w_status bind_all(struct model_run *r, struct binding *inputs, struct binding *outputs)
{
    const struct lowering *l = r->lowering;
    const struct graph *g = l->graph;
    int64_t *values = ARENA_ARRAY(&r->arena, expr_name_count(g->exprs), int64_t);
    for (size_t i = 0; i < g->inputs.count; i++) {
        const struct lower_port *port = port_of(l->inputs, l->input_count, g->inputs.items[i]);
        if (!port)
            return diag_error(&r->diags, DIAG_INTERNAL, "graph input %zu has no port", i);
        TRY(bind_input(r, port, &inputs[i]));
    }
    TRY(backend_bind_dims(g, inputs, values, &r->diags));
    for (size_t i = 0; i < g->outputs.count; i++) {
        struct tensor shape;
        TRY(backend_operand_shape(g, g->outputs.items[i].operand, values, &shape));
        TRY(tensor_new(&r->arena, shape.dtype, shape.dims, shape.rank, &outputs[i].tensor));
    }
    return O2W_OK;
}

static o2w_status collect(struct model_run *r, const struct binding *outputs)
{
    const struct lowering *l = r->lowering;
    const struct graph *g = l->graph;
    r->results = ARENA_ARRAY(&r->arena, l->output_count, struct model_result);
    for (size_t i = 0; i < l->output_count; i++) {
        size_t at = 0;
        while (at < g->outputs.count && g->outputs.items[at].operand != l->outputs[i].operand)
            at++;
        if (at == g->outputs.count)
            return diag_error(&r->diags, DIAG_INTERNAL, "output '%.*s' is not in the graph",
                              SPAN_ARG(l->outputs[i].name));
        r->results[r->result_count++] = (struct model_result){ .name = l->outputs[i].name,
                                                               .model = l->outputs[i].model,
                                                               .tensor = outputs[at].tensor };
    }
    return O2W_OK;
}

o2w_status model_run_execute(struct model_run *r, const struct backend *b, struct engine *e)
{
    const struct graph *g = r->lowering->graph;
    struct binding *inputs = ARENA_ARRAY(&r->arena, g->inputs.count, struct binding);
    struct binding *outputs = ARENA_ARRAY(&r->arena, g->outputs.count, struct binding);
    struct compiled *compiled;
    TRY(bind_all(r, inputs, outputs));
    TRY(b->compile(e, g, &r->diags, &compiled));
    o2w_status s = b->dispatch(compiled, inputs, outputs, NULL, &r->diags);
    b->release(compiled);
    TRY(s);
    return collect(r, outputs);
}
