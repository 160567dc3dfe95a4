#include "backend/cpu/planner.h"

#include "base/checked.h"

#include <string.h>

enum { ALIGNMENT = 64 };

void planner_init(struct planner *p, const o2w_allocator *allocator)
{
    *p = (struct planner){ .gaps = { .allocator = allocator } };
}

void planner_free(struct planner *p)
{
    VEC_FREE(&p->gaps);
}

static uint64_t rounded(uint64_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void remove_gap(struct planner *p, size_t index)
{
    p->gaps.count--;
    memmove(&p->gaps.items[index], &p->gaps.items[index + 1],
            (p->gaps.count - index) * sizeof *p->gaps.items);
}

bool planner_take(struct planner *p, uint64_t size, uint64_t *offset)
{
    size_t best = p->gaps.count;
    if (size > UINT64_MAX / 2)
        return false;
    size = rounded(size);
    for (size_t i = 0; i < p->gaps.count; i++)
        if (p->gaps.items[i].size >= size &&
            (best == p->gaps.count || p->gaps.items[i].size < p->gaps.items[best].size))
            best = i;
    if (best == p->gaps.count) {
        *offset = p->end;
        return add_u64(p->end, size, &p->end);
    }
    struct gap *gap = &p->gaps.items[best];
    *offset = gap->offset;
    gap->offset += size;
    gap->size -= size;
    if (gap->size == 0)
        remove_gap(p, best);
    return true;
}

bool planner_give(struct planner *p, uint64_t offset, uint64_t size)
{
    struct gap gap = { offset, rounded(size) };
    size_t at = 0;
    if (gap.size == 0)
        return true;
    while (at < p->gaps.count && p->gaps.items[at].offset < offset)
        at++;
    if (at < p->gaps.count && p->gaps.items[at].offset == offset + gap.size) {
        gap.size += p->gaps.items[at].size;
        remove_gap(p, at);
    }
    if (at > 0 && p->gaps.items[at - 1].offset + p->gaps.items[at - 1].size == offset) {
        p->gaps.items[at - 1].size += gap.size;
        return true;
    }
    if (!VEC_RESERVE(&p->gaps, 1))
        return false;
    memmove(&p->gaps.items[at + 1], &p->gaps.items[at],
            (p->gaps.count - at) * sizeof *p->gaps.items);
    p->gaps.items[at] = gap;
    p->gaps.count++;
    return true;
}
