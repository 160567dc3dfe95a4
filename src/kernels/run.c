/* Preparing a call: memory, dtypes that kernels do not see. */
#include "base/checked.h"
#include "base/half.h"
#include "kernels/convert.h"
#include "kernels/internal.h"
#include "kernels/workspace.h"

enum { CONVERT_GRAIN = 1 << 16 };

void *kernel_memory(const struct kernel_call *call, int64_t count, size_t size)
{
    size_t bytes;
    if (count < 0 || !mul_size((size_t)count, size, &bytes))
        return NULL;
    void *taken = call->workspace ? workspace_take(call->workspace, bytes) : NULL;
    return taken ? taken : arena_alloc(call->scratch, bytes, 64);
}

float option_float(const struct kernel_call *call, double value)
{
    return call->halved ? half_to_float(half_from_double(value)) : (float)value;
}

double option_double(const struct kernel_call *call, enum dtype t, double value)
{
    return t == DTYPE_FLOAT64 ? value : (double)option_float(call, value);
}

struct conversion {
    const struct kernel_call *call;
    const struct tensor *from;
    struct tensor *to;
};

static void convert_part(void *user, int64_t begin, int64_t end)
{
    const struct conversion *c = user;
    int64_t count = end - begin;
    if (c->from->dtype == DTYPE_FLOAT16)
        half_widen((const uint16_t *)c->from->data + begin, (float *)c->to->data + begin, count);
    else if (c->from->dtype == DTYPE_FLOAT32)
        half_narrow((const float *)c->from->data + begin, (uint16_t *)c->to->data + begin, count);
    else if (dtype_in(c->from->dtype, DTYPES_4BIT))
        nibbles_unpack(c->from->data, begin, count, c->from->dtype == DTYPE_INT4,
                       (uint8_t *)c->to->data + begin);
    else
        nibbles_pack((const uint8_t *)c->from->data + begin, count,
                     (uint8_t *)c->to->data + begin / 2);
}

static void convert(const struct kernel_call *call, const struct tensor *from, struct tensor *to)
{
    struct conversion c = { call, from, to };
    kernel_ranges(call, count_of(from), CONVERT_GRAIN, convert_part, &c);
}

/* The dtype that the kernel sees in place of t. */
static enum dtype prepared_dtype(enum kernel_style style, enum dtype t)
{
    if (style == KERNEL_WIDEN)
        return t == DTYPE_FLOAT16 ? DTYPE_FLOAT32 : t;
    if (t == DTYPE_INT4)
        return DTYPE_INT8;
    return t == DTYPE_UINT4 ? DTYPE_UINT8 : t;
}

static o2w_status prepared_tensor(const struct kernel_call *call, enum kernel_style style,
                                  const struct tensor *from, struct tensor *to)
{
    *to = *from;
    to->dtype = prepared_dtype(style, from->dtype);
    if (to->dtype == from->dtype)
        return O2W_OK;
    to->data = kernel_memory(call, count_of(from), to->dtype == DTYPE_FLOAT32 ? 4 : 1);
    return to->data ? O2W_OK : O2W_NO_MEMORY;
}

/* Runs the kernel over converted operands and results. */
static o2w_status run_prepared(const struct kernel_call *call, const struct kernel_row *row)
{
    uint32_t operands = call->operand_count, results = call->result_count;
    struct tensor *tensors = arena_array(call->scratch, (size_t)operands + results + 1,
                                         sizeof *tensors, _Alignof(struct tensor));
    const struct tensor **list =
        arena_array(call->scratch, (size_t)operands + 1, sizeof *list, _Alignof(struct tensor *));
    if (!tensors || !list)
        return O2W_NO_MEMORY;
    for (uint32_t i = 0; i < operands; i++) {
        if (!call->operands[i])
            continue;
        TRY(prepared_tensor(call, row->style, call->operands[i], &tensors[i]));
        if (tensors[i].dtype != call->operands[i]->dtype)
            convert(call, call->operands[i], &tensors[i]);
        list[i] = &tensors[i];
    }
    struct kernel_call prepared = *call;
    prepared.operands = list;
    prepared.results = tensors + operands;
    prepared.halved = row->style == KERNEL_WIDEN;
    for (uint32_t i = 0; i < results; i++)
        TRY(prepared_tensor(call, row->style, &call->results[i], &prepared.results[i]));
    TRY(row->run(&prepared));
    for (uint32_t i = 0; i < results; i++)
        if (prepared.results[i].dtype != call->results[i].dtype)
            convert(call, &prepared.results[i], &call->results[i]);
    return O2W_OK;
}

static bool needs_preparation(const struct kernel_call *call, enum kernel_style style)
{
    if (style == KERNEL_PLAIN)
        return false;
    for (uint32_t i = 0; i < call->operand_count; i++)
        if (call->operands[i] &&
            prepared_dtype(style, call->operands[i]->dtype) != call->operands[i]->dtype)
            return true;
    for (uint32_t i = 0; i < call->result_count; i++)
        if (call->results[i].dtype == DTYPE_FLOAT16)
            return style == KERNEL_WIDEN;
    return false;
}

static bool all_results_empty(const struct kernel_call *call)
{
    for (uint32_t i = 0; i < call->result_count; i++)
        if (count_of(&call->results[i]) > 0)
            return false;
    return true;
}

o2w_status kernel_run(const struct kernel_call *call)
{
    const struct kernel_row *row = &kernel_rows[call->kind];
    const struct tensor *first = call_operand(call, 0);
    if (!row->run || !first || !dtype_in(first->dtype, row->dtypes))
        return O2W_UNSUPPORTED;
    if (all_results_empty(call))
        return O2W_OK;
    o2w_status status =
        needs_preparation(call, row->style) ? run_prepared(call, row) : row->run(call);
    if (call->workspace)
        workspace_reset(call->workspace);
    return status;
}

kernel_function kernel_find(enum webnn_operator kind)
{
    return kernel_rows[kind].run ? kernel_run : NULL;
}

bool kernel_widens(enum webnn_operator kind)
{
    return kernel_rows[kind].style == KERNEL_WIDEN;
}

dtype_set kernel_dtypes(enum webnn_operator kind)
{
    return kernel_rows[kind].dtypes;
}
