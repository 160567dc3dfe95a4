/* Host memory of a graph's inputs and outputs. */
#include "validate/validation.h"

#include "validate/carry.h"

#include <string.h>

o2w_status ports_init(struct ports *p, const struct graph *g, struct arena *a, struct diags *d)
{
    *p = (struct ports){ .allocator = a->allocator,
                         .inputs = ARENA_ARRAY(a, g->inputs.count, struct binding),
                         .outputs = ARENA_ARRAY(a, g->outputs.count, struct binding),
                         .input_room = ARENA_ARRAY(a, g->inputs.count, uint64_t),
                         .output_room = ARENA_ARRAY(a, g->outputs.count, uint64_t) };
    if (!p->inputs || !p->outputs || !p->input_room || !p->output_room)
        return diag_memory(d);
    p->input_count = g->inputs.count;
    p->output_count = g->outputs.count;
    return O2W_OK;
}

static void free_room(const struct ports *p, struct binding *b, uint64_t *room)
{
    if (*room)
        mem_free(p->allocator, b->tensor.data, (size_t)*room);
    *room = 0;
}

void ports_free(struct ports *p)
{
    for (size_t i = 0; i < p->input_count; i++)
        free_room(p, &p->inputs[i], &p->input_room[i]);
    for (size_t i = 0; i < p->output_count; i++)
        free_room(p, &p->outputs[i], &p->output_room[i]);
    *p = (struct ports){ 0 };
}

/* Memory for all elements of the tensor; that of an earlier run is used again. */
static o2w_status make_room(const struct ports *p, struct tensor *t, uint64_t *room,
                            struct diags *d)
{
    uint64_t bytes = tensor_bytes(t);
    if (*room && *room >= bytes)
        return O2W_OK;
    if (*room)
        mem_free(p->allocator, t->data, (size_t)*room);
    *room = 0;
    bytes = bytes ? bytes : 1;
    t->data = bytes <= SIZE_MAX ? mem_alloc(p->allocator, (size_t)bytes) : NULL;
    if (!t->data)
        return diag_memory(d);
    *room = bytes;
    memset(t->data, 0, (size_t)bytes);
    return O2W_OK;
}

o2w_status ports_feed(struct ports *p, const struct graph *g, size_t port, const char *name,
                      const struct tensor *t, bool given, struct diags *d)
{
    struct tensor *to = &p->inputs[port].tensor;
    void *own = p->input_room[port] ? to->data : NULL;
    *to = *t;
    to->dtype = graph_operand(g, g->inputs.items[port])->dtype;
    if (carry_is_plain(t->dtype, to->dtype))
        return O2W_OK;
    to->data = own;
    TRY(make_room(p, to, &p->input_room[port], d));
    return carry_feed(name, t, given, to, d);
}

o2w_status ports_outputs(struct ports *p, const struct graph *g, struct diags *d)
{
    size_t size = (expr_name_count(g->exprs) + 1) * sizeof(int64_t);
    int64_t *values = mem_alloc(p->allocator, size);
    if (!values)
        return diag_memory(d);
    o2w_status s = backend_bind_dims(g, p->inputs, values, d);
    for (size_t i = 0; i < p->output_count && s == O2W_OK; i++) {
        struct tensor *t = &p->outputs[i].tensor;
        void *own = p->output_room[i] ? t->data : NULL;
        s = backend_operand_shape(g, g->outputs.items[i].operand, values, t);
        t->data = own;
        if (s == O2W_OK)
            s = make_room(p, t, &p->output_room[i], d);
        else
            s = diag_error(d, DIAG_LIMIT, "the size of output %zu overflows with these inputs", i);
    }
    mem_free(p->allocator, values, size);
    return s;
}
