#include "wasi/instance.h"

enum { RANGE = 0x3fffffff };

void table_init(struct nn_table *t, wasinn_resource kind, const o2w_allocator *a)
{
    uint32_t base = (uint32_t)kind << 30;
    *t = (struct nn_table){ .next = base + 1, .last = base + RANGE };
    t->slots.allocator = a;
}

uint32_t table_add(struct nn_table *t, void *object, bool *full)
{
    *full = t->next == 0 || t->next > t->last;
    if (*full || !VEC_PUSH(&t->slots, (struct nn_slot){ t->next, object }))
        return 0;
    t->alive++;
    return t->next++;
}

/* The place of a handle, or of the first one behind it. */
static size_t place_of(const struct nn_table *t, uint32_t handle)
{
    size_t low = 0, high = t->slots.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->slots.items[middle].handle < handle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void *table_find(const struct nn_table *t, uint32_t handle)
{
    size_t at = place_of(t, handle);
    return at < t->slots.count && t->slots.items[at].handle == handle ? t->slots.items[at].object
                                                                      : NULL;
}

static void squeeze(struct nn_table *t)
{
    size_t kept = 0;
    for (size_t k = 0; k < t->slots.count; k++)
        if (t->slots.items[k].object)
            t->slots.items[kept++] = t->slots.items[k];
    t->slots.count = kept;
}

/* Slots become empty, and go when most are: a guest may drop a great many, in any order. */
void *table_remove(struct nn_table *t, uint32_t handle)
{
    size_t at = place_of(t, handle);
    void *object = table_find(t, handle);
    if (!object)
        return NULL;
    t->slots.items[at].object = NULL;
    t->alive--;
    if (t->alive < t->slots.count / 2)
        squeeze(t);
    return object;
}
