/* The model editor of ONNX Runtime as a sink. */
#include "backend/onnxruntime/engine.h"

static o2w_status put_input(void *self, const struct sink_port *p, struct diags *d)
{
    return ort_model_input(self, p->value, p->dtype, p->dims, p->rank, p->symbols, d);
}

/* The runtime infers which open dims are equal. */
static o2w_status put_output(void *self, const struct sink_port *p, struct diags *d)
{
    return ort_model_output(self, p->value, p->dtype, p->dims, p->rank, NULL, d);
}

static o2w_status put_constant(void *self, const char *value, const struct tensor *t,
                               struct diags *d)
{
    return ort_model_constant(self, value, t, false, d);
}

static o2w_status put_node(void *self, const struct sink_node *node, struct diags *d)
{
    return ort_model_node(self, node, d);
}

o2w_status onnxruntime_write(const struct engine *engine, const struct graph *g,
                             struct arena *arena, struct diags *d, struct emit *e,
                             struct ort_model **model)
{
    /* the optimiser inserts operators of its own domain and does not import it itself in all versions */
    const struct sink_opset opsets[] = { { "", nodes_opset(g) }, { "com.microsoft", 1 } };
    const struct nodes_settings settings = {
        .single_thread = engine->threads == 1,
        .orders_64_bits = ort_is_at_least(engine->ort, TESTED_MAJOR, TESTED_MINOR),
        .raise = engine->raise,
        .fed_shapes = true,
        .accuracy = engine->accuracy[0] - '0',
        .numerics = engine->numerics,
    };
    struct model_sink sink = {
        .input = put_input, .output = put_output, .constant = put_constant, .node = put_node
    };
    struct ort_model *m;
    TRY(ort_model_create(engine->ort, opsets, 2, engine->allocator, d, &m));
    sink.self = m;
    o2w_status status = nodes_write(&settings, g, &sink, arena, d, e);
    if (status == O2W_OK)
        *model = m;
    else
        ort_model_free(m);
    return status;
}
