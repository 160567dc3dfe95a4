/* What the main graph and the model promise to the outside. */

#include "onnx/store.h"

#include <inttypes.h>

enum { IR_FIRST = 3, IR_LAST = 14 };

static o2w_status check_version(const struct onnx_model *m, struct diags *d)
{
    if (m->ir_version < IR_FIRST)
        return diag_error(d, DIAG_MODEL_VERSION, "ir_version %" PRId64 ", must be from %d to %d",
                          m->ir_version, IR_FIRST, IR_LAST);
    /* A newer model that uses nothing new is read; what a new field means nobody here knows. */
    if (m->ir_version > IR_LAST && m->store->unknown_message)
        return diag_error(d, DIAG_MODEL_VERSION,
                          "ir_version %" PRId64 " with the unknown field %" PRIu32
                          " in %s, must be from %d to %d",
                          m->ir_version, m->store->unknown_field, m->store->unknown_message,
                          IR_FIRST, IR_LAST);
    return m->opset_count ? O2W_OK : diag_error(d, DIAG_MODEL_OPSET, "opset_import is missing");
}

/* The tensor type inside, whose data type must be known. */
static o2w_status check_type(const struct onnx_type *type, struct span name, struct diags *d)
{
    switch (type->kind) {
    case ONNX_TYPE_NONE:
        return diag_error(d, DIAG_MODEL_STRUCTURE, "type of '%.*s' is missing", SPAN_ARG(name));
    case ONNX_TYPE_SEQUENCE:
    case ONNX_TYPE_OPTIONAL: return check_type(type->element, name, d);
    case ONNX_TYPE_MAP: TRY(check_type(type->element, name, d)); break;
    case ONNX_TYPE_OPAQUE: return O2W_OK;
    case ONNX_TYPE_TENSOR:
    case ONNX_TYPE_SPARSE_TENSOR: break;
    }
    if (onnx_dtype_known(type->dtype))
        return O2W_OK;
    return diag_error(d, DIAG_MODEL_STRUCTURE,
                      "data type %" PRId32 " of input '%.*s', must be from 1 to %d", type->dtype,
                      SPAN_ARG(name), ONNX_DTYPE_COUNT - 1);
}

o2w_status onnx_check(const struct onnx_model *m, struct diags *d)
{
    TRY(check_version(m, d));
    if (m->graph.output_count == 0)
        return diag_error(d, DIAG_MODEL_STRUCTURE, "graph '%.*s' has no outputs",
                          SPAN_ARG(m->graph.name));
    for (uint32_t i = 0; i < m->graph.input_count; i++) {
        struct span name = onnx_name(m, m->graph.inputs[i].name);
        o2w_status status = check_type(&m->graph.inputs[i].type, name, d);
        if (status != O2W_OK)
            return diag_subject(d, "input", name), status;
    }
    return O2W_OK;
}
