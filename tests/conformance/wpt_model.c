#include "wpt_model.h"

#include "api/objects.h"
#include "support/emitted_model.h"

#include <stdio.h>
#include <string.h>

static bool leave(struct wpt_model *m, const struct emitted_model *model)
{
    char path[4096];
    if (!m->folder)
        return true;
    snprintf(path, sizeof path, "%s/%u.onnx", m->folder, m->count++);
    FILE *f = fopen(path, "wb");
    bool good = f && fwrite(model->bytes.bytes.items, 1, model->bytes.bytes.count, f) ==
                         model->bytes.bytes.count;
    return f && fclose(f) == 0 && good;
}

static const char *said(struct wpt_case *c, const struct emitted_model *model)
{
    const char *message = model->diags.newest ? model->diags.newest->message : "out of memory";
    return arena_printf(&c->arena, "as a model: %s", message);
}

static o2w_status read_inputs(struct wpt_case *c, const struct graph *g, struct tensor *inputs)
{
    for (size_t i = 0; i < g->inputs.count; i++) {
        struct span name = graph_operand_name(g, g->inputs.items[i], &c->arena);
        const char *text = arena_text(&c->arena, name);
        TRY(wpt_read_tensor(c, tree_get(tree_get(c->tree, "inputs"), text), &inputs[i]));
    }
    return O2W_OK;
}

static const char *compare(struct wpt_case *c, const struct graph *g, const struct tensor *got,
                           const struct tensor *want)
{
    const struct tree *wanted = tree_get(c->tree, "outputs");
    for (size_t i = 0; i < wanted->count; i++)
        for (size_t k = 0; k < g->outputs.count; k++) {
            struct span name = names_text(&g->names, g->outputs.items[k].name);
            if (span_equal(wanted->items[i].key, name) && !emitted_equal(&got[k], &want[i]))
                return arena_printf(&c->arena, "as a model: '%.*s' has other bytes",
                                    SPAN_ARG(name));
        }
    return NULL;
}

const char *wpt_model_differs(struct wpt_model *m, struct wpt_case *c, const struct tensor *outputs)
{
    const struct graph *g = api_graph(c->graph);
    struct tensor inputs[WPT_RESULTS], results[WPT_RESULTS];
    struct emitted_model model;
    const char *why = NULL;
    if (emitted_make(&model, g) != O2W_OK)
        why = said(c, &model);
    else if (!leave(m, &model))
        why = "the model cannot be left in the folder";
    else if (read_inputs(c, g, inputs) != O2W_OK)
        why = "as a model: the inputs cannot be read";
    else if (emitted_run(&model, m->ort, inputs, results) != O2W_OK)
        why = said(c, &model);
    else
        why = compare(c, g, results, outputs);
    emitted_free(&model);
    return why;
}
