/* Offsets in one growing block: the smallest gap that fits, else the end. */
#ifndef BACKEND_CPU_PLANNER_H
#define BACKEND_CPU_PLANNER_H

#include "base/arena.h"

struct gap {
    uint64_t offset, size;
};

struct planner {
    VEC(struct gap) gaps; /* by offset; none touch */
    uint64_t end;
};

void planner_init(struct planner *p, const o2w_allocator *allocator);
void planner_free(struct planner *p);
/* A range that is free; false when memory is out or offsets overflow. */
bool planner_take(struct planner *p, uint64_t size, uint64_t *offset);
/* Gives the range back, with the size it was taken with. */
bool planner_give(struct planner *p, uint64_t offset, uint64_t size);

#endif
