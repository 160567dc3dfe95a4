/* The whole graph as a model: interface, operators in order, outputs. */
#include "nodes/nodes.h"

#include "nodes/lower.h"
#include "nodes/raise.h"

#include <string.h>

/* The operator set of most models; its successor where 4-bit or blockwise quantisation needs it: there
 * the optimiser of int8 graphs goes wrong. */
enum { OPSET = 20, OPSET_OF_BLOCKS = 21 };

int nodes_opset(const struct graph *g)
{
    for (size_t i = 0; i < g->operands.count; i++)
        if (dtype_in(g->operands.items[i].dtype, DTYPES_4BIT))
            return OPSET_OF_BLOCKS;
    for (size_t i = 0; i < g->operators.count; i++)
        if (quantizes_blocks(g, &g->operators.items[i]))
            return OPSET_OF_BLOCKS;
    return OPSET;
}

static bool has_products(const struct graph *g)
{
    static const bool product[WEBNN_OPERATOR_COUNT] = {
        [WEBNN_CONV2D] = true, [WEBNN_CONV_TRANSPOSE2D] = true,
        [WEBNN_MATMUL] = true, [WEBNN_GEMM] = true,
        [WEBNN_GRU] = true,    [WEBNN_GRU_CELL] = true,
        [WEBNN_LSTM] = true,   [WEBNN_LSTM_CELL] = true,
    };
    for (size_t i = 0; i < g->operators.count; i++)
        if (product[g->operators.items[i].kind])
            return true;
    return false;
}

static o2w_status prepare(struct emit *e)
{
    const struct graph *g = e->graph;
    e->forms = ARENA_ARRAY(e->arena, g->operands.count, struct form);
    e->first_use = ARENA_ARRAY(e->arena, g->weights.count, operand_id);
    if (!e->forms || !e->first_use)
        return diag_memory(e->diags);
    for (size_t i = 0; i < g->weights.count; i++)
        e->first_use[i] = NO_ID;
    map_init(&e->shared, g->allocator);
    e->shared_names.allocator = g->allocator;
    e->shapes.allocator = g->allocator;
    e->mapped.allocator = g->allocator;
    return O2W_OK;
}

void emit_free(struct emit *e)
{
    VEC_FREE(&e->shapes);
    VEC_FREE(&e->mapped);
}

static void finish(struct emit *e)
{
    map_free(&e->shared);
    VEC_FREE(&e->shared_names); /* of pointers: NOLINT(bugprone-sizeof-expression) */
}

/* Names of open dims, so that the runtime knows which are equal. */
static const char **dim_symbols(struct emit *e, const struct operand *o)
{
    const char **symbols = ARENA_ARRAY(e->arena, o->rank, const char *);
    for (uint32_t i = 0; symbols && i < o->rank; i++) {
        symbols[i] = dim_is_static(o->dims[i])
                         ? ""
                         : expr_text(e->graph->exprs, dim_expr_id(o->dims[i]), e->arena);
        if (!symbols[i])
            return NULL;
    }
    return symbols;
}

/* What the graph calls an operand; "" where it has no name. */
static struct span operand_title(const struct graph *g, const struct operand *o)
{
    return names_text(&g->names, o->original ? o->original : o->identifier);
}

static o2w_status write_inputs(struct emit *e)
{
    for (size_t i = 0; i < e->graph->inputs.count; i++) {
        operand_id id = e->graph->inputs.items[i];
        const struct operand *o = graph_operand(e->graph, id);
        const char **symbols = dim_symbols(e, o);
        char *name = arena_printf(e->arena, "%c%zu", INPUT_LETTER, i);
        if (!symbols || !name)
            return diag_memory(e->diags);
        const struct sink_port port = { .value = name,
                                        .name = operand_title(e->graph, o),
                                        .dtype = o->dtype,
                                        .rank = o->rank,
                                        .dims = o->dims,
                                        .symbols = dims_static(o->dims, o->rank) ? NULL : symbols };
        TRY(e->sink->input(e->sink->self, &port, e->diags));
        e->forms[id].plain = name;
    }
    return O2W_OK;
}

static void write_operator(struct emit *e, const struct operator_node *node,
                           const struct raise_row *raised)
{
    lower_function lower = raised ? raised->emit : lowerings[node->kind];
    e->node = node;
    if (lower)
        lower(e);
    else
        emit_keep(e, diag_error(e->diags, DIAG_OP_LIMITS, "%s has no ONNX nodes",
                                operator_row(node->kind)->name));
    e->node = NULL;
}

static o2w_status write_outputs(struct emit *e)
{
    size_t count = e->graph->outputs.count;
    ref *values = ARENA_ARRAY(e->arena, count, ref);
    if (!values)
        return diag_memory(e->diags);
    for (size_t i = 0; i < count && e->status == O2W_OK; i++) {
        const struct graph_output *output = &e->graph->outputs.items[i];
        const struct operand *o = graph_operand(e->graph, output->operand);
        const char **symbols = dim_symbols(e, o);
        if (!symbols)
            return diag_memory(e->diags);
        values[i] = output_value(e, output->operand, values, i);
        const struct sink_port port = { .value = values[i],
                                        .name = names_text(&e->graph->names, output->name),
                                        .dtype = o->dtype,
                                        .rank = o->rank,
                                        .dims = o->dims,
                                        .symbols = dims_static(o->dims, o->rank) ? NULL : symbols };
        if (e->status == O2W_OK)
            emit_keep(e, e->sink->output(e->sink->self, &port, e->diags));
    }
    return e->status;
}

static o2w_status write_names(const struct emit *e)
{
    const struct graph *g = e->graph;
    for (size_t i = 0; e->sink->name && i < g->operands.count; i++) {
        const struct form *form = &e->forms[i];
        struct span name = operand_title(g, &g->operands.items[i]);
        const char *value = form->plain ? form->plain : form->carried;
        if (name.size && value)
            TRY(e->sink->name(e->sink->self, value, name, e->diags));
    }
    return O2W_OK;
}

static o2w_status write_all(struct emit *e, bool raises)
{
    struct raising raising;
    TRY(prepare(e));
    TRY(raise_plan(e, raises, &raising));
    TRY(write_inputs(e));
    for (size_t i = 0; i < e->graph->operators.count && e->status == O2W_OK; i++)
        if (!raising.absorbed[i])
            write_operator(e, &e->graph->operators.items[i], raising.rows[i]);
    TRY(e->status);
    TRY(write_outputs(e));
    return write_names(e);
}

o2w_status nodes_write(const struct nodes_settings *settings, const struct graph *g,
                       const struct model_sink *sink, struct arena *arena, struct diags *d,
                       struct emit *e)
{
    *e = (struct emit){
        .graph = g,
        .sink = sink,
        .arena = arena,
        .diags = d,
        .accuracy = settings->accuracy,
        .orders_64_bits = settings->orders_64_bits,
        .single_thread = settings->single_thread,
        .portable = settings->portable,
        .fed_shapes = settings->fed_shapes,
        .exact = settings->numerics == NUMERICS_EXACT ||
                 (settings->numerics == NUMERICS_AUTO && !has_products(g)),
    };
    o2w_status status = write_all(e, settings->raise);
    finish(e);
    if (status != O2W_OK)
        emit_free(e);
    return status;
}
