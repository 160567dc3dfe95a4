/* Memory that an engine keeps between kernel calls, so that scratch pages stay warm. */
#ifndef KERNELS_WORKSPACE_H
#define KERNELS_WORKSPACE_H

#include "base/arena.h"

/* One block, cut from the front. What does not fit is the caller's to find elsewhere; the block
 * grows to the largest need seen when the call has ended. Zero is empty. One call at a time. */
struct kernel_workspace {
    const o2w_allocator *allocator;
    void *block;
    size_t block_size;
    uint8_t *first; /* aligned start inside the block */
    size_t size, used, wanted;
};

/* `size` bytes aligned to 64, not cleared; NULL when they do not fit. */
void *workspace_take(struct kernel_workspace *w, size_t size);
/* Ends a call: everything taken is free again. */
void workspace_reset(struct kernel_workspace *w);
void workspace_free(struct kernel_workspace *w);

#endif
