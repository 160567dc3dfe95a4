/* Cutting a kernel's work into parts that depend on shapes alone. */
#include "kernels/internal.h"

#include <stdatomic.h>

enum { PARTS_MAX = 256, SLOTS_MAX = 64 };

struct ranges {
    int64_t count, grain;
    void (*part)(void *user, int64_t begin, int64_t end);
    void *user;
};

static void run_range(void *user, size_t index)
{
    const struct ranges *r = user;
    int64_t begin = (int64_t)index * r->grain;
    r->part(r->user, begin, min_i64(begin + r->grain, r->count));
}

void kernel_ranges(const struct kernel_call *call, int64_t count, int64_t grain,
                   void (*part)(void *user, int64_t begin, int64_t end), void *user)
{
    if (count <= 0)
        return;
    grain = max_i64(grain, ceil_div(count, PARTS_MAX));
    if (count <= grain) {
        part(user, 0, count);
        return;
    }
    struct ranges r = { count, grain, part, user };
    pool_run(call->pool, (size_t)ceil_div(count, grain), run_range, &r);
}

struct tasks {
    void (*part)(void *user, int64_t index, unsigned slot);
    void *user;
    unsigned slots;
    atomic_uint_fast64_t busy;
};

unsigned kernel_slots(const struct kernel_call *call)
{
    unsigned threads = pool_threads(call->pool);
    return threads < SLOTS_MAX ? threads : SLOTS_MAX;
}

/* A slot that nobody holds: there are as many as parts that run at once. */
static unsigned claim_slot(struct tasks *t)
{
    for (unsigned slot = 0;; slot = (slot + 1) % t->slots) {
        uint_fast64_t bit = (uint_fast64_t)1 << slot;
        if (!(atomic_fetch_or_explicit(&t->busy, bit, memory_order_acquire) & bit))
            return slot;
    }
}

static void run_task(void *user, size_t index)
{
    struct tasks *t = user;
    unsigned slot = claim_slot(t);
    t->part(t->user, (int64_t)index, slot);
    atomic_fetch_and_explicit(&t->busy, ~((uint_fast64_t)1 << slot), memory_order_release);
}

void kernel_tasks(const struct kernel_call *call, int64_t count,
                  void (*part)(void *user, int64_t index, unsigned slot), void *user)
{
    if (count <= 0)
        return;
    struct tasks t = { .part = part, .user = user, .slots = kernel_slots(call) };
    atomic_init(&t.busy, 0);
    if (count == 1) {
        part(user, 0, 0);
        return;
    }
    pool_run(call->pool, (size_t)count, run_task, &t);
}
