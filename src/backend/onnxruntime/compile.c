/* From a graph to a session with bound memory. */
#include "backend/onnxruntime/engine.h"
#include "backend/onnxruntime/probe.h"

#include <string.h>

enum { PREPACK_LIMIT = 256 << 20 };

/* A product with one row gains nothing by packed weights: large ones stay where they lie then, and the
 * pages of their file can leave memory. */
static bool packs(const struct engine *engine, const struct emit *e)
{
    bool worth = e->matrix_bytes <= PREPACK_LIMIT ||
                 (!engine->frugal && e->vector_bytes <= e->matrix_bytes / 2);
    return engine->prepack == PREPACK_ON || (engine->prepack == PREPACK_AUTO && worth);
}

enum { MOST_CONFIGS = 5 };

static void set_options(const struct compiled *c, const struct emit *e,
                        struct ort_config configs[MOST_CONFIGS], struct ort_options *options)
{
    const struct engine *engine = c->engine;
    bool packed = packs(engine, e);
    size_t count = 3;
    configs[0] = (struct ort_config){ "session.qdq_matmulnbits_accuracy_level", engine->accuracy };
    configs[1] = (struct ort_config){ "session.disable_prepacking", packed ? "0" : "1" };
    configs[2] = (struct ort_config){ "session.x64quantprecision",
                                      "1" }; /* sums of int8 products must not saturate */
    /* Not exact: weights that are floats beside quantised activations are quantised as well, and the first
     * of two quantisations in a row is left out. Older: padding merged into pools that do not take it. */
    configs[count++] =
        (struct ort_config){ "optimization.disable_specified_optimizers",
                             ort_is_at_least(engine->ort, TESTED_MAJOR, TESTED_MINOR)
                                 ? "WeightBiasQuantization;DoubleQDQPairsRemover"
                                 : "WeightBiasQuantization;DoubleQDQPairsRemover;Pad_Fusion" };
    if (c->unfused)
        configs[count++] = (struct ort_config){ "session.disable_quant_qdq", "1" };
    *options = (struct ort_options){
        .allocator = engine->allocator,
        .optimization = engine->optimization,
        .threads = engine->threads,
        .inter_threads = 1,
        .no_arena = !engine->arena,
        .configs = configs,
        .config_count = count,
        .provider = engine->provider,
        .no_memory_pattern =
            engine->frugal, /* one block planned for all results: faster, and half as large again */
        .record_placement = true,
    };
}

/* Room for the tensors that hold run-time shapes. */
static o2w_status keep_shapes(struct compiled *c, const struct emit *e, struct diags *d)
{
    size_t count = e->shapes.count;
    struct shape_input *shapes = ARENA_ARRAY(&c->arena, count, struct shape_input);
    c->shapes = shapes;
    c->shape_count = count;
    c->shape_tensors = ARENA_ARRAY(&c->arena, count, struct tensor);
    c->dim_values = ARENA_ARRAY(&c->arena, expr_name_count(c->graph->exprs), int64_t);
    if (!shapes || !c->shape_tensors || !c->dim_values)
        return diag_memory(d);
    for (size_t i = 0; i < count; i++) {
        shapes[i] = e->shapes.items[i];
        const int64_t length = c->shapes[i].count;
        TRY(tensor_new(&c->arena, DTYPE_INT64, &length, c->shapes[i].scalar ? 0 : 1,
                       &c->shape_tensors[i]));
    }
    return O2W_OK;
}

static o2w_status check_placement(const struct compiled *c, struct diags *d)
{
    const struct engine *engine = c->engine;
    uint64_t on, all;
    if (!engine->provider || !onnxruntime_placement(c, &on, &all))
        return O2W_OK;
    if (on > 0 && (on == all || !engine->require))
        return O2W_OK;
    o2w_status status =
        diag_error(d, DIAG_BACKEND_UNUSED, "%s: %llu of %llu nodes on the provider%s", engine->id,
                   (unsigned long long)on, (unsigned long long)all, on ? ", must be all" : "");
    if (on)
        diag_hint(d, "without --require-backend the CPU provider runs the others");
    return status;
}

static o2w_status compile_in(struct engine *engine, struct compiled *c, struct diags *d)
{
    struct emit e;
    struct ort_model *model;
    struct ort_config configs[MOST_CONFIGS];
    struct ort_options options;
    TRY(onnxruntime_check_open_questions(engine, c->graph, d));
    TRY(onnxruntime_write(c->engine, c->graph, &c->arena, d, &e, &model));
    o2w_status status = keep_shapes(c, &e, d);
    set_options(c, &e, configs, &options);
    if (status == O2W_OK)
        status = onnxruntime_load(c->engine, model, &options, packs(c->engine, &e) ? &e : NULL, d,
                                  &c->session);
    emit_free(&e);
    ort_model_free(model);
    TRY(status);
    TRY(check_placement(c, d));
    return ort_binding_create(c->session, d, &c->binding);
}

static o2w_status compile_once(struct engine *engine, const struct graph *g, bool unfused,
                               struct diags *d, struct compiled **out)
{
    struct compiled *c = mem_alloc(engine->allocator, sizeof *c);
    if (!c)
        return diag_memory(d);
    *c = (struct compiled){ .engine = engine, .graph = g, .unfused = unfused };
    arena_init(&c->arena, engine->allocator);
    o2w_status status = compile_in(engine, c, d);
    if (status != O2W_OK)
        onnxruntime_release(c);
    else
        *out = c;
    return status;
}

static bool has_quantised_parts(const struct graph *g)
{
    for (size_t i = 0; i < g->operators.count; i++)
        if (g->operators.items[i].kind == WEBNN_DEQUANTIZE_LINEAR)
            return true;
    return false;
}

/* The runtime's optimiser can fail where it puts quantised products and pools together: of int8 constants it makes
 * uint8 ones under a name that it takes twice for one that is read twice (embeddings that are the last product's
 * weights too), and it hands on attributes that quantised operators do not have. */
o2w_status onnxruntime_compile(struct engine *engine, const struct graph *g, struct diags *d,
                               struct compiled **out)
{
    struct diags first;
    if (!has_quantised_parts(g))
        return compile_once(engine, g, false, d, out);
    diags_init(&first, engine->allocator);
    if (d) {
        first.stage = d->stage;
        first.notes_are_errors = d->notes_are_errors;
        first.environment = d->environment;
    }
    o2w_status status = compile_once(engine, g, false, &first, out);
    if (status == O2W_BUILD_FAILED) {
        diags_free(&first);
        return compile_once(engine, g, true, d, out);
    }
    if (d)
        diags_append(d, &first);
    diags_free(&first);
    return status;
}

void onnxruntime_release(struct compiled *c)
{
    if (!c)
        return;
    ort_binding_free(c->binding);
    ort_session_free(c->session); /* before the constants that it reads */
    arena_free(&c->arena);
    mem_free(c->engine->allocator, c, sizeof *c);
}

bool onnxruntime_placement(const struct compiled *c, uint64_t *on_backend, uint64_t *nodes)
{
    const char *provider = c->engine->provider ? c->engine->provider : "CPUExecutionProvider";
    return ort_session_placement(c->session, provider, on_backend, nodes);
}

/* The run-time shapes from the sizes that the inputs bind. */
static o2w_status fill_shapes(struct compiled *c, const struct binding *inputs, struct diags *d)
{
    TRY(backend_bind_dims(c->graph, inputs, c->dim_values, d));
    for (size_t i = 0; i < c->shape_count; i++) {
        const struct shape_input *s = &c->shapes[i];
        int64_t *values = c->shape_tensors[i].data;
        for (uint32_t k = 0; k < s->count; k++) {
            int64_t size = s->dims[k];
            if (!dim_is_static(size))
                TRY(expr_evaluate(c->graph->exprs, dim_expr_id(s->dims[k]), c->dim_values, &size));
            values[k] = size + s->plus[k];
        }
        TRY(ort_binding_input(c->binding, c->graph->inputs.count + i, &c->shape_tensors[i], d));
    }
    return O2W_OK;
}

o2w_status onnxruntime_dispatch(struct compiled *c, const struct binding *inputs,
                                struct binding *outputs, const _Atomic bool *cancel,
                                struct diags *d)
{
    const struct ort_cancel ending = { .flag = cancel };
    for (size_t i = 0; i < c->graph->inputs.count; i++)
        TRY(ort_binding_input(c->binding, i, &inputs[i].tensor, d));
    if (c->shape_count > 0)
        TRY(fill_shapes(c, inputs, d));
    for (size_t i = 0; i < c->graph->outputs.count; i++)
        TRY(ort_binding_output(c->binding, i, &outputs[i].tensor, d));
    return ort_binding_run(c->binding, &ending, d);
}
