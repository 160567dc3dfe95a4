#include "kernels/workspace.h"

enum { ALIGNMENT = 64 };

void *workspace_take(struct kernel_workspace *w, size_t size)
{
    if (size > SIZE_MAX / 4 || w->wanted > SIZE_MAX / 4)
        return NULL;
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    w->wanted += rounded;
    if (rounded > w->size - w->used)
        return NULL;
    uint8_t *start = w->first + w->used;
    w->used += rounded;
    return start;
}

void workspace_free(struct kernel_workspace *w)
{
    mem_free(w->allocator, w->block, w->block_size);
    w->block = NULL;
    w->first = NULL;
    w->block_size = w->size = w->used = w->wanted = 0;
}

static void grow(struct kernel_workspace *w)
{
    size_t size = w->wanted;
    workspace_free(w);
    w->block = mem_alloc(w->allocator, size + ALIGNMENT);
    if (!w->block)
        return; /* callers fall back to their arena */
    w->block_size = size + ALIGNMENT;
    w->first = (uint8_t *)w->block + (ALIGNMENT - (uintptr_t)w->block % ALIGNMENT) % ALIGNMENT;
    w->size = size;
}

void workspace_reset(struct kernel_workspace *w)
{
    if (w->wanted > w->size)
        grow(w);
    w->used = w->wanted = 0;
}
