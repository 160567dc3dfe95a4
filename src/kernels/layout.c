#include "kernels/layout.h"

#include "kernels/move.h"

static const uint8_t nchw_of_nhwc[4] = { 0, 3, 1, 2 }, nhwc_of_nchw[4] = { 0, 2, 3, 1 };

static void move_permuted(const struct kernel_call *call, const struct tensor *from,
                          const uint8_t order[4], const struct tensor *to)
{
    int64_t strides[MAX_RANK], permuted[MAX_RANK], dense[MAX_RANK];
    tensor_strides(from, strides);
    tensor_strides(to, dense);
    for (int d = 0; d < 4; d++)
        permuted[d] = strides[order[d]];
    struct nest n;
    nest_begin(&n, to->dims, 4);
    nest_view(&n, dense);
    nest_view(&n, permuted);
    move_elements(call, &n, to->data, from->data, element_size(from->dtype));
}

o2w_status layout_arrange(const struct kernel_call *call, const struct tensor *from,
                          const uint8_t order[4], struct tensor *to)
{
    bool moves = false;
    struct tensor arranged = *from;
    for (uint8_t d = 0; d < 4; d++) {
        arranged.dims[d] = from->dims[order[d]];
        moves = moves || order[d] != d;
    }
    if (moves) {
        arranged.data = kernel_memory(call, count_of(from), element_size(from->dtype));
        if (!arranged.data)
            return O2W_NO_MEMORY;
        move_permuted(call, from, order, &arranged);
    }
    *to = arranged;
    return O2W_OK;
}

o2w_status layout_images(const struct kernel_call *call, uint32_t layout, uint32_t slot,
                         struct tensor *to)
{
    *to = *call->operands[slot];
    return layout == WEBNN_INPUT_LAYOUT_NCHW
               ? O2W_OK
               : layout_arrange(call, call->operands[slot], nchw_of_nhwc, to);
}

o2w_status layout_result(const struct kernel_call *call, uint32_t layout, struct tensor *to)
{
    const struct tensor *y = call_result(call, 0);
    *to = *y;
    if (layout == WEBNN_INPUT_LAYOUT_NCHW)
        return O2W_OK;
    for (int d = 0; d < 4; d++)
        to->dims[d] = y->dims[nchw_of_nhwc[d]];
    to->data = kernel_memory(call, count_of(y), element_size(y->dtype));
    return to->data ? O2W_OK : O2W_NO_MEMORY;
}

void layout_finish(const struct kernel_call *call, uint32_t layout, const struct tensor *from)
{
    if (layout != WEBNN_INPUT_LAYOUT_NCHW)
        move_permuted(call, from, nhwc_of_nchw, call_result(call, 0));
}
