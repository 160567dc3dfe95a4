/* Work that no dispatch has to repeat: operators on constants, float16 constants as float32. */
#include "backend/cpu/engine.h"
#include "kernels/convert.h"
#include "kernels/kernel.h"

static bool all_known(const struct compiled *c, const struct operator_node *node)
{
    for (uint32_t i = 0; i < node->operand_count; i++)
        if (node->operands[i] != NO_ID && !c->known[node->operands[i]])
            return false;
    return true;
}

static void static_tensor(const struct compiled *c, uint32_t id, struct tensor *out)
{
    const struct operand *o = graph_operand(c->graph, id);
    *out = (struct tensor){ .dtype = o->dtype, .rank = o->rank, .data = c->known_data[id] };
    for (uint32_t d = 0; d < o->rank; d++)
        out->dims[d] = o->dims[d];
}

/* Whether all results have fixed sizes and there is room for them; *size is then their bytes. */
static bool fits(const struct compiled *c, const struct operator_node *node, uint64_t *size)
{
    *size = 0;
    for (uint32_t i = 0; i < node->result_count; i++) {
        const struct operand *o = graph_operand(c->graph, node->first_result + i);
        uint64_t count, bytes;
        if (!dims_static(o->dims, o->rank) || !dims_count(o->dims, o->rank, &count) ||
            !dtype_bytes(o->dtype, count, &bytes) || bytes > PREPARED_MAX)
            return false;
        *size += bytes;
    }
    return *size <= PREPARED_MAX - c->spent;
}

static o2w_status run_now(struct compiled *c, const struct operator_node *node,
                          struct tensor *results, struct arena *scratch)
{
    struct tensor *tensors = ARENA_ARRAY(scratch, node->operand_count + 1u, struct tensor);
    const struct tensor **operands =
        ARENA_ARRAY(scratch, node->operand_count + 1u, const struct tensor *);
    if (!tensors || !operands)
        return O2W_NO_MEMORY;
    for (uint32_t i = 0; i < node->operand_count; i++) {
        if (node->operands[i] == NO_ID)
            continue;
        static_tensor(c, node->operands[i], &tensors[i]);
        operands[i] = &tensors[i];
    }
    for (uint32_t i = 0; i < node->result_count; i++) {
        const struct operand *o = graph_operand(c->graph, node->first_result + i);
        TRY(tensor_new(&c->arena, o->dtype, o->dims, o->rank, &results[i]));
    }
    const struct kernel_call call = { .kind = node->kind,
                                      .operands = operands,
                                      .operand_count = node->operand_count,
                                      .attributes = node->attributes,
                                      .results = results,
                                      .result_count = node->result_count,
                                      .pool = c->engine->pool,
                                      .scratch = scratch,
                                      .allocator = c->engine->allocator,
                                      .workspace = &c->engine->workspace };
    return kernel_run(&call);
}

/* An operator that its kernel refuses stays for the dispatch, which says why. */
static o2w_status run_ahead(struct compiled *c, const struct operator_node *node)
{
    struct arena scratch;
    arena_init(&scratch, c->engine->allocator);
    struct tensor *results = ARENA_ARRAY(&scratch, node->result_count + 1u, struct tensor);
    o2w_status status = results ? run_now(c, node, results, &scratch) : O2W_NO_MEMORY;
    for (uint32_t i = 0; status == O2W_OK && i < node->result_count; i++) {
        c->known[node->first_result + i] = true;
        c->known_data[node->first_result + i] = results[i].data;
    }
    arena_free(&scratch);
    return status == O2W_UNSUPPORTED ? O2W_OK : status;
}

static o2w_status prepare_operator(struct compiled *c, const struct operator_node *node)
{
    uint64_t size;
    size_t index = (size_t)(node - c->graph->operators.items);
    if (c->packed[index] || c->absorbed[index] || !all_known(c, node) || !fits(c, node, &size))
        return O2W_OK;
    if (node->kind == WEBNN_RESHAPE || node->kind == WEBNN_IDENTITY) {
        c->known[node->first_result] = true;
        c->known_data[node->first_result] = c->known_data[node->operands[0]];
        return O2W_OK;
    }
    c->spent += size;
    return run_ahead(c, node);
}

/* The float32 form of a float16 constant that an operator computes with, while there is room. */
static o2w_status widen(struct compiled *c, uint32_t id)
{
    struct tensor half, wide;
    static_tensor(c, id, &half);
    uint64_t size = 2 * tensor_bytes(&half);
    if (half.dtype != DTYPE_FLOAT16 || c->wide_data[id] || size == 0 ||
        size > PREPARED_MAX - c->spent)
        return O2W_OK;
    TRY(tensor_new(&c->arena, DTYPE_FLOAT32, half.dims, half.rank, &wide));
    half_widen(half.data, wide.data, (int64_t)tensor_count(&half));
    c->wide_data[id] = wide.data;
    c->spent += size;
    return O2W_OK;
}

static o2w_status prepare_operands(struct compiled *c, const struct operator_node *node)
{
    if (c->known[node->first_result] || c->absorbed[node - c->graph->operators.items] ||
        !kernel_widens(node->kind))
        return O2W_OK;
    for (uint32_t i = 0; i < node->operand_count; i++)
        if (node->operands[i] != NO_ID && c->known[node->operands[i]])
            TRY(widen(c, node->operands[i]));
    return O2W_OK;
}

o2w_status cpu_prepare(struct compiled *c, struct diags *d)
{
    const struct graph *g = c->graph;
    o2w_status status = O2W_OK;
    for (size_t i = 0; i < g->operators.count && status == O2W_OK; i++)
        status = prepare_operator(c, &g->operators.items[i]);
    for (size_t i = 0; i < g->operators.count && status == O2W_OK; i++)
        status = prepare_operands(c, &g->operators.items[i]);
    return status == O2W_NO_MEMORY ? diag_memory(d) : status;
}
