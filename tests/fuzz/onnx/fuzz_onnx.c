/* ONNX models: opened, and every tensor's elements looked for. */
#include "fuzz/fuzz.h"

#include "onnx/open.h"
#include "onnx/tensor.h"

struct walk {
    struct onnx_model *m;
    struct diags d;
    struct arena a;
};

static void visit_tensor(struct walk *w, const struct onnx_tensor *t)
{
    struct span bytes;
    struct onnx_payload p;
    if (onnx_tensor_payload(w->m, t, &w->d, &p) == O2W_OK && p.kind != ONNX_PAYLOAD_STRINGS)
        (void)onnx_payload_bytes(&p, &w->a, &w->d, &bytes);
}

static void visit_sparse(struct walk *w, const struct onnx_sparse_tensor *s)
{
    uint64_t count;
    const int64_t *indices;
    (void)onnx_sparse_indices(w->m, s, &w->a, &w->d, &indices, &count);
}

static void visit_graph(struct walk *w, const struct onnx_graph *g);

static void visit_attribute(struct walk *w, const struct onnx_attribute *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (onnx_attribute_has_graphs(a))
            visit_graph(w, &a->graphs[i]);
        else if (a->type == ONNX_ATTRIBUTE_TENSOR || a->type == ONNX_ATTRIBUTE_TENSORS)
            visit_tensor(w, &a->tensors[i]);
        else if (a->type == ONNX_ATTRIBUTE_SPARSE_TENSOR ||
                 a->type == ONNX_ATTRIBUTE_SPARSE_TENSORS)
            visit_sparse(w, &a->sparse_tensors[i]);
    }
}

static void visit_graph(struct walk *w, const struct onnx_graph *g)
{
    for (uint32_t i = 0; i < g->initializer_count; i++)
        visit_tensor(w, &g->initializers[i]);
    for (uint32_t i = 0; i < g->sparse_initializer_count; i++)
        visit_sparse(w, &g->sparse_initializers[i]);
    for (uint32_t i = 0; i < g->node_count; i++)
        for (uint32_t k = 0; k < g->nodes[i].attribute_count; k++)
            visit_attribute(w, &g->nodes[i].attributes[k]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct walk w = { 0 };
    diags_init(&w.d, NULL);
    arena_init(&w.a, NULL);
    if (onnx_model_open_bytes((struct span){ data, size }, "m.onnx", NULL, NULL, NULL, &w.d,
                              &w.m) == O2W_OK) {
        visit_graph(&w, &w.m->graph);
        for (uint32_t i = 0; i < w.m->function_count; i++)
            visit_graph(&w, &w.m->functions[i].body);
    }
    onnx_model_close(w.m);
    arena_free(&w.a);
    diags_free(&w.d);
    return 0;
}
