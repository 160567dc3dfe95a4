#include "lower/internal.h"

#include "base/checked.h"

#include <math.h>
#include <string.h>

bool dtype_carried(enum dtype onnx, enum dtype *webnn)
{
    switch (onnx) {
    case DTYPE_BOOL:
    case DTYPE_UINT2: *webnn = DTYPE_UINT8; return true;
    case DTYPE_INT2: *webnn = DTYPE_INT8; return true;
    case DTYPE_INT16:
    case DTYPE_UINT16: *webnn = DTYPE_INT32; return true;
    case DTYPE_FLOAT64:
    case DTYPE_BFLOAT16:
    case DTYPE_FLOAT8E4M3FN:
    case DTYPE_FLOAT8E4M3FNUZ:
    case DTYPE_FLOAT8E5M2:
    case DTYPE_FLOAT8E5M2FNUZ:
    case DTYPE_FLOAT8E8M0:
    case DTYPE_FLOAT4E2M1: *webnn = DTYPE_FLOAT32; return true;
    case DTYPE_COMPLEX64:
    case DTYPE_COMPLEX128:
    case DTYPE_STRING:
    case DTYPE_COUNT: return false;
    case DTYPE_FLOAT32:
    case DTYPE_FLOAT16:
    case DTYPE_INT32:
    case DTYPE_UINT32:
    case DTYPE_INT64:
    case DTYPE_UINT64:
    case DTYPE_INT8:
    case DTYPE_UINT8:
    case DTYPE_INT4:
    case DTYPE_UINT4: *webnn = onnx; return true;
    }
    return false;
}

bool value_count(value v, uint64_t *count)
{
    return dims_count(v->dims, v->rank, count);
}

bool value_is_empty(value v)
{
    for (uint32_t i = 0; i < v->rank; i++)
        if (v->dims[i] == 0)
            return true;
    return false;
}

o2w_status value_new(struct lower *l, const struct lower_value *from, value *out)
{
    struct lower_value *v = ARENA_NEW(&l->arena, struct lower_value);
    dim *dims = ARENA_ARRAY(&l->arena, from->rank, dim);
    if (!v || !dims)
        return diag_memory(l->diags);
    *v = *from;
    if (from->rank)
        memcpy(dims, from->dims, from->rank * sizeof *dims);
    v->dims = dims;
    *out = v;
    return O2W_OK;
}

o2w_status value_failed(struct lower *l, value *out)
{
    return value_new(l, &(struct lower_value){ .kind = VALUE_FAILED, .operand = NO_ID }, out);
}

o2w_status value_of_weight(struct lower *l, const struct weight *w, enum dtype dtype,
                           const dim *dims, uint32_t rank, value *out)
{
    struct lower_value v = { .kind = VALUE_KNOWN,
                             .dtype = dtype,
                             .rank = rank,
                             .dims = dims,
                             .stored = *w,
                             .operand = NO_ID,
                             .bytes = w->source == WEIGHT_BYTES ? w->bytes : NULL };
    return value_new(l, &v, out);
}

o2w_status value_of_operand(struct lower *l, operand_id id, value *out)
{
    const struct operand *o = graph_operand(l->builder.graph, id);
    struct lower_value v = {
        .kind = VALUE_OPERAND, .dtype = o->dtype, .rank = o->rank, .dims = o->dims, .operand = id
    };
    return value_new(l, &v, out);
}

/* float64 is evaluated as it is; every other dtype as WebNN carries it. */
enum dtype value_working_dtype(value v)
{
    enum dtype carried = v->dtype;
    if (v->kind == VALUE_KNOWN && v->stored.dtype == DTYPE_FLOAT64)
        return DTYPE_FLOAT64;
    dtype_carried(v->dtype, &carried);
    return carried;
}

void value_descriptor(value v, struct descriptor *out)
{
    *out = (struct descriptor){ .dtype = value_working_dtype(v), .rank = v->rank };
    memcpy(out->dims, v->dims, v->rank * sizeof *out->dims);
}

/* A double that is finite must stay finite where it reaches the graph as float32. */
static o2w_status check_narrowing(struct lower *l, value v)
{
    struct tensor t;
    if (v->stored.dtype != DTYPE_FLOAT64)
        return O2W_OK;
    TRY(known_tensor(l, v, &t));
    uint64_t count = tensor_count(&t);
    for (uint64_t i = 0; i < count; i++) {
        double x = tensor_get_double(&t, i);
        if (isfinite(x) && !isfinite((float)x)) {
            o2w_status s =
                diag_error(l->diags, DIAG_LOWER_OVERFLOW,
                           "value %g at index %llu is beyond float32, which carries float64", x,
                           (unsigned long long)i);
            if (l->node)
                onnx_at_node(l->diags, l->model, l->node->onnx, NULL);
            return s;
        }
    }
    return O2W_OK;
}

/* Computed bytes live in the lowering's arena, the graph outlives it. */
static o2w_status own_bytes(struct lower *l, struct weight *w)
{
    if (w->source != WEIGHT_BYTES && w->source != WEIGHT_SPLAT)
        return O2W_OK;
    uint8_t *copy = arena_alloc(&l->builder.graph->arena, (size_t)w->length, 16);
    if (!copy)
        return diag_memory(l->diags);
    if (w->length)
        memcpy(copy, w->bytes, (size_t)w->length);
    w->bytes = copy;
    return O2W_OK;
}

static o2w_status constant_for(struct lower *l, value v, operand_id *out)
{
    struct descriptor d = { .rank = v->rank };
    if (!dtype_carried(v->dtype, &d.dtype))
        return diag_error(l->diags, DIAG_LOWER_DTYPE,
                          "a value of type %s cannot be part of a WebNN graph",
                          dtype_name(v->dtype));
    memcpy(d.dims, v->dims, v->rank * sizeof *d.dims);
    TRY(check_narrowing(l, v));
    struct weight w = v->stored;
    TRY(own_bytes(l, &w));
    w.from = v->stored.dtype;
    w.dtype = d.dtype;
    w.transform = w.from == w.dtype ? WEIGHT_COPY : WEIGHT_CONVERT;
    struct span name = v->name ? onnx_name(l->model, v->name) : (struct span){ 0 };
    return builder_constant(&l->builder, &d, &w, name, out);
}

static o2w_status not_recordable(struct lower *l, value v)
{
    static const char *const names[] = {
        [VALUE_KNOWN] = "a known tensor",  [VALUE_SHAPE] = "a shape",
        [VALUE_OPERAND] = "an operand",    [VALUE_STRINGS] = "a string tensor",
        [VALUE_SEQUENCE] = "a sequence",   [VALUE_OPTIONAL] = "an optional",
        [VALUE_CLASSES] = "class labels",  [VALUE_MAPS] = "a sequence of maps",
        [VALUE_FAILED] = "a refused value"
    };
    o2w_status s = diag_error(l->diags, DIAG_LOWER_NOT_KNOWN,
                              "%s cannot be an operand of a WebNN graph", names[v->kind]);
    if (l->node)
        onnx_at_node(l->diags, l->model, l->node->onnx, NULL);
    return s;
}

static o2w_status shape_operand(struct lower *l, value v, operand_id *out)
{
    value computed;
    o2w_status s = shape_at_run_time(l, v, &computed);
    if (s != O2W_OK && !status_is_fatal(s))
        diag_hint(l->diags, "give the dimensions with --override-dim NAME=VALUE");
    return s == O2W_OK ? value_operand(l, computed, out) : s;
}

o2w_status value_operand(struct lower *l, value v, operand_id *out)
{
    if (v->kind == VALUE_SHAPE && v->operand == NO_ID)
        TRY(shape_operand(l, v, &((struct lower_value *)v)->operand));
    else if (v->kind != VALUE_OPERAND && v->kind != VALUE_KNOWN && v->kind != VALUE_SHAPE)
        return not_recordable(l, v);
    if (v->operand == NO_ID)
        TRY(constant_for(l, v, &((struct lower_value *)v)->operand));
    *out = v->operand;
    return O2W_OK;
}
