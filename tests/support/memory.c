#include "support/test.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct header {
    alignas(max_align_t) size_t size;
};

static void release(struct failing_allocator *f, struct header *h, size_t old_size)
{
    if (h->size != old_size)
        fail_msg("a block of %zu bytes was given back as %zu", h->size, old_size);
    f->live_blocks--;
    f->live_bytes -= old_size;
    free(h);
}

static void *failing_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    struct failing_allocator *f = user;
    struct header *old = block ? (struct header *)block - 1 : NULL;
    if (new_size == 0) {
        if (old)
            release(f, old, old_size);
        return NULL;
    }
    if (f->calls++ >= f->fail_at)
        return NULL;
    struct header *fresh = malloc(sizeof *fresh + new_size);
    if (!fresh)
        return NULL;
    fresh->size = new_size;
    memset(fresh + 1, 0xa5, new_size);
    f->live_blocks++;
    f->live_bytes += new_size;
    if (old) {
        memcpy(fresh + 1, block, old_size < new_size ? old_size : new_size);
        release(f, old, old_size);
    }
    if (f->live_bytes > f->peak_bytes)
        f->peak_bytes = f->live_bytes;
    return fresh + 1;
}

void failing_allocator_init(struct failing_allocator *f, size_t fail_at)
{
    *f = (struct failing_allocator){ .fail_at = fail_at };
    f->allocator = (o2w_allocator){ .resize = failing_resize, .user = f };
}

size_t sweep_allocations(o2w_status (*run)(const o2w_allocator *allocator, void *user), void *user)
{
    for (size_t fail_at = 0;; fail_at++) {
        struct failing_allocator f;
        failing_allocator_init(&f, fail_at);
        o2w_status status = run(&f.allocator, user);
        if (f.live_blocks)
            fail_msg("%zu blocks left when allocation %zu fails", f.live_blocks, fail_at);
        if (f.calls <= fail_at) {
            assert_int_equal(status, O2W_OK);
            return f.calls;
        }
        if (status != O2W_NO_MEMORY)
            fail_msg("status %d when allocation %zu fails", (int)status, fail_at);
    }
}
