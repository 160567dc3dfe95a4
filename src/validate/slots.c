/* What operators do with their inputs, as rows. */
#include "validate/flow.h"

enum { ALL = -1 };

/* Carriers: input (ALL: every one) whose elements the results have. */
struct carrier_row {
    const char *op;
    int input;
    enum slot_use use;
};

static const struct carrier_row carriers[] = {
    { "Identity", 0, SLOT_KEPT },
    { "Dropout", 0, SLOT_KEPT },
    { "Cast", 0, SLOT_CAST },
    { "Reshape", 0, SLOT_CARRIED },
    { "Flatten", 0, SLOT_CARRIED },
    { "Squeeze", 0, SLOT_CARRIED },
    { "Unsqueeze", 0, SLOT_CARRIED },
    { "Transpose", 0, SLOT_CARRIED },
    { "Slice", 0, SLOT_CARRIED },
    { "Split", 0, SLOT_CARRIED },
    { "Concat", ALL, SLOT_CARRIED },
    { "Expand", 0, SLOT_CARRIED },
    { "Tile", 0, SLOT_CARRIED },
    { "DepthToSpace", 0, SLOT_CARRIED },
    { "SpaceToDepth", 0, SLOT_CARRIED },
    { "Gather", 0, SLOT_CARRIED },
    { "Pad", 0, SLOT_CARRIED },
};

/* Inputs that are read as indices, axes or shapes, as bits. */
struct read_row {
    const char *op;
    unsigned inputs;
};

#define BIT(i) (1u << (i))
static const struct read_row readers[] = {
    { "Reshape", BIT(1) },
    { "Squeeze", BIT(1) },
    { "Unsqueeze", BIT(1) },
    { "Slice", BIT(1) | BIT(2) | BIT(3) | BIT(4) },
    { "Split", BIT(1) },
    { "Expand", BIT(1) },
    { "Tile", BIT(1) },
    { "Gather", BIT(1) },
    { "Pad", BIT(1) | BIT(3) },
    { "GatherElements", BIT(1) },
    { "GatherND", BIT(1) },
    { "GatherBlockQuantized", BIT(1) },
    { "EmbedLayerNormalization", BIT(0) | BIT(1) | BIT(8) },
    { "Scatter", BIT(1) },
    { "ScatterElements", BIT(1) },
    { "ScatterND", BIT(1) },
    { "TensorScatter", BIT(2) },
    { "ArrayFeatureExtractor", BIT(1) },
    { "OneHot", BIT(0) | BIT(1) },
    { "ConstantOfShape", BIT(0) },
    { "Resize", BIT(2) | BIT(3) },
    { "Upsample", BIT(1) },
    { "TopK", BIT(1) },
    { "CumSum", BIT(1) },
    { "Trilu", BIT(1) },
    { "CenterCropPad", BIT(1) },
    { "Col2Im", BIT(1) | BIT(2) },
    { "ReverseSequence", BIT(1) },
    { "AffineGrid", BIT(1) },
    { "DFT", BIT(1) | BIT(2) },
    { "MaxUnpool", BIT(1) | BIT(2) },
};

/* A quantised activation with the inputs of its scale and zero point. */
struct quantized_row {
    const char *op, *prefix; /* of the names of these inputs: "y_" of y_scale and y_zero_point */
    int input, scale, zero;
};

static const struct quantized_row quantized[] = {
    { "QuantizeLinear", "y_", 0, 1, 2 },
    { "DequantizeLinear", "x_", 0, 1, 2 },
    { "DynamicQuantizeLinear", "", 0, -1, -1 },
    { "QLinearConv", "x_", 0, 1, 2 },
    { "QLinearConv", "w_", 3, 4, 5 },
    { "QLinearMatMul", "a_", 0, 1, 2 },
    { "QLinearMatMul", "b_", 3, 4, 5 },
    { "QGemm", "a_", 0, 1, 2 },
    { "QGemm", "b_", 3, 4, 5 },
    { "QLinearAdd", "A_", 0, 1, 2 },
    { "QLinearAdd", "B_", 3, 4, 5 },
    { "QLinearMul", "A_", 0, 1, 2 },
    { "QLinearMul", "B_", 3, 4, 5 },
    { "QLinearSigmoid", "X_", 0, 1, 2 },
    { "QLinearLeakyRelu", "X_", 0, 1, 2 },
    { "QLinearSoftmax", "X_", 0, 1, 2 },
    { "QLinearAveragePool", "x_", 0, 1, 2 },
    { "QLinearGlobalAveragePool", "x_", 0, 1, 2 },
    { "QLinearReduceMean", "data_", 0, 1, 2 },
    { "QAttention", "input_", 0, 3, 6 },
    { "QAttention", "weight_", 1, 4, 7 },
    { "ConvInteger", "x_", 0, -1, 2 },
    { "ConvInteger", "w_", 1, -1, 3 },
    { "MatMulInteger", "a_", 0, -1, 2 },
    { "MatMulInteger", "b_", 1, -1, 3 },
};

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static bool is_known_domain(const struct onnx_node *n)
{
    return !n->function && (span_is(n->domain, "ai.onnx") || span_is(n->domain, "com.microsoft"));
}

static bool reads(const struct onnx_node *n, uint32_t input)
{
    for (size_t i = 0; i < COUNT(readers); i++)
        if (span_is(n->op_type, readers[i].op))
            return input < 32 && (readers[i].inputs & BIT(input));
    return span_starts(n->op_type, SPAN("Reduce")) && input == 1;
}

static bool is_quantized(const struct onnx_node *n, uint32_t input, struct quantizer *q)
{
    for (size_t i = 0; i < COUNT(quantized); i++)
        if (quantized[i].input == (int)input && span_is(n->op_type, quantized[i].op)) {
            q->prefix = quantized[i].prefix;
            q->scale = quantized[i].scale;
            q->zero = quantized[i].zero;
            q->dynamic = q->scale < 0 && q->zero < 0;
            q->per_axis =
                span_is(n->op_type, "QuantizeLinear") || span_is(n->op_type, "DequantizeLinear");
            return true;
        }
    if (!span_is(n->op_type, "QLinearConcat") || input < 2 || (input - 2) % 3)
        return false;
    q->prefix = "";
    q->scale = (int)input + 1;
    q->zero = (int)input + 2;
    return true;
}

enum slot_use slot_use_of(const struct onnx_node *n, uint32_t input, struct quantizer *q)
{
    if (!is_known_domain(n))
        return SLOT_OTHER;
    for (size_t i = 0; i < COUNT(carriers); i++)
        if (span_is(n->op_type, carriers[i].op) &&
            (carriers[i].input == ALL || carriers[i].input == (int)input))
            return carriers[i].use;
    if (reads(n, input))
        return SLOT_READ;
    *q = (struct quantizer){ .node = n };
    return is_quantized(n, input, q) ? SLOT_QUANTIZED : SLOT_OTHER;
}

/* --- tables ------------------------------------------------------------------------------------------ */

struct table_row {
    const char *op;
    uint32_t input, table;
    const char *attribute; /* of the axis; NULL: axis 0 */
};

static const struct table_row tables[] = {
    { "Gather", 1, 0, "axis" },
    { "GatherElements", 1, 0, "axis" },
    { "GatherND", 1, 0, "batch_dims" },
    { "GatherBlockQuantized", 1, 0, "gather_axis" },
    { "EmbedLayerNormalization", 0, 2, NULL },
    { "EmbedLayerNormalization", 1, 4, NULL },
    { "EmbedLayerNormalization", 8, 3, NULL },
};

bool slot_table(const struct scope *s, const struct onnx_node *n, uint32_t input, uint32_t *table,
                int64_t *axis, bool *several)
{
    for (size_t i = 0; is_known_domain(n) && i < COUNT(tables); i++) {
        const struct table_row *row = &tables[i];
        if (row->input != input || !span_is(n->op_type, row->op) || row->table >= n->input_count)
            continue;
        *table = row->table;
        *axis = row->attribute ? scope_int(s, n, row->attribute, 0) : 0;
        *several = span_is(n->op_type, "GatherND");
        return true;
    }
    return false;
}
