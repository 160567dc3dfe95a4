/* Comparisons, truth values, selection. Truth stays bool between them. */
#include "nodes/lower.h"

static const char *const logic_nodes[WEBNN_OPERATOR_COUNT] = {
    [WEBNN_EQUAL] = "Equal",     [WEBNN_NOT_EQUAL] = "Equal",
    [WEBNN_GREATER] = "Greater", [WEBNN_GREATER_OR_EQUAL] = "GreaterOrEqual",
    [WEBNN_LESSER] = "Less",     [WEBNN_LESSER_OR_EQUAL] = "LessOrEqual",
    [WEBNN_LOGICAL_NOT] = "Not", [WEBNN_LOGICAL_AND] = "And",
    [WEBNN_LOGICAL_OR] = "Or",   [WEBNN_LOGICAL_XOR] = "Xor",
    [WEBNN_IS_NAN] = "IsNaN",    [WEBNN_IS_INFINITE] = "IsInf",
};

void nodes_compare(struct emit *e)
{
    ref truth = emit_binary(e, logic_nodes[e->node->kind], operand(e, 0), operand(e, 1));
    set_result_bool(e, 0, e->node->kind == WEBNN_NOT_EQUAL ? emit_unary(e, "Not", truth) : truth);
}

void nodes_logical(struct emit *e)
{
    ref inputs[2] = { NULL, NULL };
    for (uint32_t i = 0; i < e->node->operand_count; i++)
        inputs[i] = operand_bool(e, i);
    set_result_bool(
        e, 0, emit_node(e, logic_nodes[e->node->kind], inputs, e->node->operand_count, PLAIN));
}

void nodes_classify(struct emit *e)
{
    set_result_bool(e, 0, emit_unary(e, logic_nodes[e->node->kind], operand_wide(e, 0)));
}

void nodes_where(struct emit *e)
{
    set_result(
        e, 0, emit_where(e, operand_dtype(e, 1), operand_bool(e, 0), operand(e, 1), operand(e, 2)));
}
