/* Four-dimensional tensors in the order that kernels compute in. */
#ifndef KERNELS_LAYOUT_H
#define KERNELS_LAYOUT_H

#include "kernels/internal.h"

/* Dim d of *to is dim order[d] of from; the same data when nothing moves, else a copy in scratch. */
o2w_status layout_arrange(const struct kernel_call *call, const struct tensor *from,
                          const uint8_t order[4], struct tensor *to);
/* Operand `slot` (images) as nchw. */
o2w_status layout_images(const struct kernel_call *call, uint32_t layout, uint32_t slot,
                         struct tensor *to);
/* Where result 0 is computed as nchw: itself, or scratch that layout_finish moves into place. */
o2w_status layout_result(const struct kernel_call *call, uint32_t layout, struct tensor *to);
void layout_finish(const struct kernel_call *call, uint32_t layout, const struct tensor *from);

#endif
