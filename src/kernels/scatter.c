/* scatterElements, scatterND: the operand with elements replaced; of equal targets the last update in
 * row-major order wins, so updates are applied in order by one thread. */
#include "kernels/indices.h"
#include "kernels/move.h"

#include <string.h>

o2w_status kernel_scatter_elements(const struct kernel_call *call)
{
    const struct webnn_scatter_elements_attributes *p = call->attributes;
    const struct tensor *x = call->operands[0], *indices = call->operands[1];
    const uint8_t *updates = call->operands[2]->data;
    uint8_t *y = call_result(call, 0)->data;
    struct indices list = indices_of(indices);
    size_t size = element_size(x->dtype);
    int64_t strides[MAX_RANK];
    tensor_strides(x, strides);
    move_dense(call, y, x->data, count_of(x), size);
    for (int64_t i = 0, count = count_of(indices); i < count; i++) {
        int64_t offset = index_at(&list, i, x->dims[p->axis]) * strides[p->axis], rest = i;
        for (uint32_t d = indices->rank; d-- > 0; rest /= indices->dims[d])
            if (d != p->axis)
                offset += rest % indices->dims[d] * strides[d];
        memcpy(y + (size_t)offset * size, updates + (size_t)i * size, size);
    }
    return O2W_OK;
}

o2w_status kernel_scatter_nd(const struct kernel_call *call)
{
    const struct tensor *x = call->operands[0], *indices = call->operands[1];
    const uint8_t *updates = call->operands[2]->data;
    uint8_t *y = call_result(call, 0)->data;
    struct coordinates c = coordinates_of(indices, x);
    size_t size = element_size(x->dtype);
    size_t block = (size_t)dims_product(x->dims, c.depth, x->rank) * size;
    move_dense(call, y, x->data, count_of(x), size);
    for (int64_t i = 0, count = dims_product(indices->dims, 0, indices->rank - 1); i < count; i++)
        memcpy(y + (size_t)coordinate_at(&c, i) * block, updates + (size_t)i * block, block);
    return O2W_OK;
}
