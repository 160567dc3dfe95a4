#include "kernels/move.h"
#include "kernels/number.h"

#include <string.h>

/* Constant: the value everywhere, then the operand inside. */
static void pad_constant(const struct kernel_call *call, const struct webnn_pad_attributes *p)
{
    const struct tensor *x = call->operands[0];
    struct tensor *y = call_result(call, 0);
    size_t size = element_size(x->dtype);
    uint64_t element = 0;
    number_store(p->value, x->dtype, &element);
    move_fill(call, y->data, &element, count_of(y), size);
    if (count_of(x) == 0)
        return;
    int64_t strides[MAX_RANK], start = 0;
    tensor_strides(y, strides);
    for (uint32_t d = 0; d < x->rank; d++)
        start += strides[d] * p->beginning_padding.items[d];
    struct nest n;
    nest_begin(&n, x->dims, x->rank);
    nest_view(&n, strides);
    nest_broadcast(&n, x);
    move_elements(call, &n, (uint8_t *)y->data + start * (int64_t)size, x->data, size);
}

/* Where element i of a padded dim comes from. */
static int64_t source_index(int64_t i, int64_t begin, int64_t size, bool reflection)
{
    int64_t at = i - begin;
    if (reflection)
        at = at < 0 ? -at : at >= size ? 2 * (size - 1) - at : at;
    return at < 0 ? 0 : at >= size ? size - 1 : at;
}

/* Edge and reflection: per dim a table of source offsets. */
struct pad_gather {
    const struct tensor *y;
    const int64_t *tables[MAX_RANK];
    const uint8_t *from;
    size_t size;
};

static int64_t row_offset(const struct pad_gather *g, int64_t row)
{
    int64_t offset = 0;
    for (uint32_t d = g->y->rank - 1; d-- > 0; row /= g->y->dims[d])
        offset += g->tables[d][row % g->y->dims[d]];
    return offset;
}

static void gather_rows(void *user, int64_t begin, int64_t end)
{
    const struct pad_gather *g = user;
    uint32_t last = g->y->rank - 1;
    int64_t cols = g->y->dims[last];
    uint8_t *to = (uint8_t *)g->y->data + (size_t)(begin * cols) * g->size;
    for (int64_t row = begin; row < end; row++) {
        int64_t offset = row_offset(g, row);
        for (int64_t c = 0; c < cols; c++, to += g->size)
            memcpy(to, g->from + (size_t)(offset + g->tables[last][c]) * g->size, g->size);
    }
}

static o2w_status pad_gathered(const struct kernel_call *call, const struct webnn_pad_attributes *p)
{
    const struct tensor *x = call->operands[0];
    struct tensor *y = call_result(call, 0);
    struct pad_gather g = { y, { NULL }, x->data, element_size(x->dtype) };
    int64_t strides[MAX_RANK];
    tensor_strides(x, strides);
    for (uint32_t d = 0; d < x->rank; d++) {
        int64_t *table = kernel_memory(call, y->dims[d], sizeof *table);
        if (!table)
            return O2W_NO_MEMORY;
        for (int64_t i = 0; i < y->dims[d]; i++)
            table[i] = strides[d] * source_index(i, p->beginning_padding.items[d], x->dims[d],
                                                 p->mode == WEBNN_PADDING_MODE_REFLECTION);
        g.tables[d] = table;
    }
    int64_t cols = y->dims[y->rank - 1];
    kernel_ranges(call, count_of(y) / cols, max_i64(1, 65536 / cols), gather_rows, &g);
    return O2W_OK;
}

o2w_status kernel_pad(const struct kernel_call *call)
{
    const struct webnn_pad_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0];
    if (p->mode == WEBNN_PADDING_MODE_CONSTANT || x->rank == 0) {
        pad_constant(call, p);
        return O2W_OK;
    }
    return count_of(x) > 0 ? pad_gathered(call, p) : O2W_UNSUPPORTED;
}
