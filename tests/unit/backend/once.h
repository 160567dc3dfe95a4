/* One run with an engine of its own, and tensors for inputs whose dims may be open. */
#ifndef TESTS_UNIT_BACKEND_ONCE_H
#define TESTS_UNIT_BACKEND_ONCE_H

#include "backend/backend.h"
#include "support/test.h"

/* `cpu` opened, the graph compiled and dispatched, all with the allocator; leaves nothing behind. */
static inline o2w_status cpu_run_once(const o2w_allocator *allocator, const struct graph *g,
                                      const struct binding *in, struct binding *out)
{
    const o2w_environment environment = { .size = sizeof environment, .allocator = *allocator };
    const struct backend_settings settings = { .threads = 1, .environment = &environment };
    struct engine *e = NULL;
    struct compiled *c = NULL;
    struct diags d;
    diags_init(&d, allocator);
    o2w_status status = backends[0]->open(&settings, &d, &e);
    if (status == O2W_OK)
        status = backends[0]->compile(e, g, &d, &c);
    if (status == O2W_OK)
        status = backends[0]->dispatch(c, in, out, NULL, &d);
    backends[0]->release(c);
    backends[0]->close(e);
    diags_free(&d);
    return status;
}

/* A new tensor for input `i`, open dims by the sizes of the graph's names. */
static inline void input_tensor(const struct graph *g, size_t i, const int64_t *sizes,
                                struct arena *a, struct tensor *out)
{
    const struct operand *o = graph_operand(g, g->inputs.items[i]);
    int64_t dims[MAX_RANK];
    for (uint32_t k = 0; k < o->rank; k++) {
        dims[k] = o->dims[k];
        if (!dim_is_static(dims[k]))
            assert_ok(expr_evaluate(g->exprs, dim_expr_id(o->dims[k]), sizes, &dims[k]));
    }
    assert_ok(tensor_new(a, o->dtype, dims, o->rank, out));
}

#endif
