/* The whole graph as a model: interface, operators in order, outputs. */
#include "backend/onnxruntime/engine.h"
#include "backend/onnxruntime/lower.h"
#include "backend/onnxruntime/raise.h"

#include <string.h>

/* The operator set of most models; its successor where 4-bit or blockwise quantisation needs it: there
 * the optimiser of int8 graphs goes wrong. */
enum { OPSET = 20, OPSET_OF_BLOCKS = 21 };

static int opset_of(const struct graph *g)
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
    map_init(&e->scalars, g->allocator);
    e->scalar_names.allocator = g->allocator;
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
    map_free(&e->scalars);
    VEC_FREE(&e->scalar_names);
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

static o2w_status write_inputs(struct emit *e)
{
    for (size_t i = 0; i < e->graph->inputs.count; i++) {
        operand_id id = e->graph->inputs.items[i];
        const struct operand *o = graph_operand(e->graph, id);
        const char **symbols = dim_symbols(e, o);
        char *name = arena_printf(e->arena, "%c%zu", INPUT_LETTER, i);
        if (!symbols || !name)
            return diag_memory(e->diags);
        bool named = !dims_static(o->dims, o->rank);
        TRY(ort_model_input(e->model, name, o->dtype, o->dims, o->rank, named ? symbols : NULL,
                            e->diags));
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
        emit_keep(e, diag_error(e->diags, DIAG_OP_LIMITS, "%s is not known to this engine",
                                operator_row(node->kind)->name));
    e->node = NULL;
}

static o2w_status write_outputs(struct emit *e)
{
    size_t count = e->graph->outputs.count;
    ref *names = ARENA_ARRAY(e->arena, count, ref);
    if (!names)
        return diag_memory(e->diags);
    for (size_t i = 0; i < count && e->status == O2W_OK; i++) {
        operand_id id = e->graph->outputs.items[i].operand;
        const struct operand *o = graph_operand(e->graph, id);
        names[i] = output_value(e, id, names, i);
        if (e->status == O2W_OK)
            emit_keep(e, ort_model_output(e->model, names[i], o->dtype, o->dims, o->rank, NULL,
                                          e->diags));
    }
    return e->status;
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
    return write_outputs(e);
}

o2w_status onnxruntime_write(const struct engine *engine, const struct graph *g,
                             struct arena *arena, struct diags *d, struct emit *e,
                             struct ort_model **model)
{
    /* the optimiser inserts operators of its own domain and does not import it itself in all versions */
    const struct ort_opset opsets[] = { { "", opset_of(g) }, { "com.microsoft", 1 } };
    struct ort_model *m;
    TRY(ort_model_create(engine->ort, opsets, 2, engine->allocator, d, &m));
    *e = (struct emit){
        .graph = g,
        .model = m,
        .arena = arena,
        .diags = d,
        .accuracy = engine->accuracy[0] - '0',
        .orders_64_bits = ort_is_at_least(engine->ort, TESTED_MAJOR, TESTED_MINOR),
        .single_thread = engine->threads == 1,
        .exact = engine->numerics == NUMERICS_EXACT ||
                 (engine->numerics == NUMERICS_AUTO && !has_products(g)),
    };
    o2w_status status = write_all(e, engine->raise);
    finish(e);
    if (status != O2W_OK) {
        emit_free(e);
        ort_model_free(m);
        return status;
    }
    *model = m;
    return O2W_OK;
}
