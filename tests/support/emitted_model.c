#include "support/emitted_model.h"

#include "ort/ort_value.h"

#include <string.h>

o2w_status emitted_make(struct emitted_model *m, const struct graph *g)
{
    const struct emit_onnx_options options = { .weights = EMIT_WEIGHTS_INLINE };
    struct emit_onnx made;
    *m = (struct emitted_model){ .graph = g };
    arena_init(&m->arena, NULL);
    diags_init(&m->diags, NULL);
    out_init(&m->bytes, NULL);
    TRY(emit_onnx(g, &options, &m->arena, &m->diags, &made));
    emit_onnx_text(&made, &m->bytes);
    emit_onnx_free(&made);
    return m->bytes.failed ? O2W_NO_MEMORY : O2W_OK;
}

void emitted_free(struct emitted_model *m)
{
    out_free(&m->bytes);
    diags_free(&m->diags);
    arena_free(&m->arena);
}

static struct ort_feed *make_feeds(struct emitted_model *m, const struct tensor *inputs)
{
    const struct graph *g = m->graph;
    struct ort_feed *feeds = ARENA_ARRAY(&m->arena, g->inputs.count, struct ort_feed);
    for (size_t i = 0; feeds && i < g->inputs.count; i++)
        feeds[i] = (struct ort_feed){
            .name = arena_text(&m->arena, graph_operand_name(g, g->inputs.items[i], &m->arena)),
            .tensor = inputs[i],
        };
    return feeds;
}

/* A copy that outlives the value. */
static o2w_status take(struct emitted_model *m, const struct ort *o, ort_value *v,
                       struct tensor *out)
{
    struct tensor view;
    TRY(ort_value_tensor(o, v, &m->diags, &view));
    TRY(tensor_new(&m->arena, view.dtype, view.dims, view.rank, out));
    if (tensor_bytes(&view))
        memcpy(out->data, view.data, (size_t)tensor_bytes(&view));
    return O2W_OK;
}

static o2w_status run(struct emitted_model *m, const struct ort *o, const struct ort_session *s,
                      const struct tensor *inputs, struct tensor *outputs)
{
    const struct graph *g = m->graph;
    struct ort_feed *feeds = make_feeds(m, inputs);
    const char **names = ARENA_ARRAY(&m->arena, g->outputs.count, const char *);
    ort_value **values = ARENA_ARRAY(&m->arena, g->outputs.count, ort_value *);
    if (!feeds || !names || !values)
        return O2W_NO_MEMORY;
    for (size_t i = 0; i < g->outputs.count; i++)
        names[i] = arena_text(&m->arena, names_text(&g->names, g->outputs.items[i].name));
    TRY(ort_session_run(s, feeds, g->inputs.count, names, g->outputs.count, NULL, &m->diags,
                        values));
    o2w_status status = O2W_OK;
    for (size_t i = 0; i < g->outputs.count; i++) {
        if (status == O2W_OK)
            status = take(m, o, values[i], &outputs[i]);
        ort_value_free(o, values[i]);
    }
    return status;
}

o2w_status emitted_run(struct emitted_model *m, const struct ort *o, const struct tensor *inputs,
                       struct tensor *outputs)
{
    /* what the engine tells every session */
    static const struct ort_config configs[] = {
        { "session.x64quantprecision", "1" }, { "session.qdq_matmulnbits_accuracy_level", "0" }
    };
    const struct ort_options options = {
        .optimization = ORT_OPTIMIZATION_ALL, .threads = 2, .configs = configs, .config_count = 2
    };
    const struct span bytes = { (const uint8_t *)m->bytes.bytes.items, m->bytes.bytes.count };
    struct ort_session *session;
    TRY(ort_session_from_bytes(o, bytes, NULL, &options, &m->diags, &session));
    o2w_status s = run(m, o, session, inputs, outputs);
    ort_session_free(session);
    return s;
}

bool emitted_equal(const struct tensor *a, const struct tensor *b)
{
    return a->dtype == b->dtype && a->rank == b->rank && dims_equal(a->dims, b->dims, a->rank) &&
           (tensor_bytes(a) == 0 || memcmp(a->data, b->data, (size_t)tensor_bytes(a)) == 0);
}
