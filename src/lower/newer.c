/* Operators that changed in versions behind those that the rows are for. */
#include "lower/internal.h"
#include "onnx/schema.h"

enum { OPSET_LISTED = 28 };

/* Those of opset 27 and 28 of ai.onnx: new, or with another meaning than at 26. */
static const char *const changed[] = { "CausalConvWithState",
                                       "LinearAttention",
                                       "SwiGLU",
                                       "BitShift",
                                       "Celu",
                                       "Compress",
                                       "DepthToSpace",
                                       "Einsum",
                                       "Mod",
                                       "OneHot",
                                       "Range",
                                       "ReduceLogSum",
                                       "ReduceLogSumExp",
                                       "ReverseSequence",
                                       "SpaceToDepth",
                                       "Unique",
                                       "Cast",
                                       "QuantizeLinear",
                                       "DequantizeLinear",
                                       "Optional",
                                       "OptionalGetElement",
                                       "OptionalHasElement" };

static bool is_changed(struct span name)
{
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++)
        if (span_is(name, changed[i]))
            return true;
    return false;
}

const char *newer_than_known(struct lower *l, const struct onnx_node *node)
{
    bool standard = span_is(node->domain, "ai.onnx"), ml = span_is(node->domain, "ai.onnx.ml");
    int known = standard ? ONNX_OPSET_KNOWN : ONNX_ML_OPSET_KNOWN;
    if (!(standard || ml) || node->opset <= known)
        return NULL;
    if (standard && node->opset <= OPSET_LISTED && !is_changed(node->op_type))
        return NULL;
    const char *text = arena_printf(&l->arena, "opset %lld of %.*s, supported up to %d",
                                    (long long)node->opset, SPAN_ARG(node->domain), known);
    return text ? text : "opset is newer than supported";
}
