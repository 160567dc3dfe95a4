#include "onnx/sort.h"

#include <string.h>

enum { WAITING, OPEN, DONE };

/* A depth-first walk without recursion: `path` holds the open nodes, `next` the edge that each of
 * them looks at next. */
struct walk {
    const struct sort_graph *g;
    uint8_t *state;
    uint32_t *next, *path, *order;
    uint32_t depth, done;
};

static void enter(struct walk *w, uint32_t node)
{
    w->state[node] = OPEN;
    w->next[node] = w->g->starts[node];
    w->path[w->depth++] = node;
}

/* The first need of the node on top that is not done; count when there is none. */
static uint32_t next_need(struct walk *w, uint32_t node)
{
    while (w->next[node] < w->g->starts[node + 1]) {
        uint32_t need = w->g->edges[w->next[node]++];
        if (w->state[need] != DONE)
            return need;
    }
    return w->g->count;
}

/* The part of the path from `node` on, last to first. */
static uint32_t copy_cycle(struct walk *w, uint32_t node)
{
    uint32_t length = 0;
    do
        w->order[length++] = w->path[--w->depth];
    while (w->path[w->depth] != node);
    return length;
}

/* False: a cycle. */
static bool visit(struct walk *w, uint32_t root, uint32_t *length)
{
    enter(w, root);
    while (w->depth) {
        uint32_t node = w->path[w->depth - 1];
        uint32_t need = next_need(w, node);
        if (need == w->g->count) {
            w->state[node] = DONE;
            w->order[w->done++] = node;
            w->depth--;
        } else if (w->state[need] == OPEN) {
            *length = copy_cycle(w, need);
            return false;
        } else {
            enter(w, need);
        }
    }
    return true;
}

static o2w_status walk_all(struct walk *w, uint32_t *length)
{
    for (uint32_t i = 0; i < w->g->count; i++)
        if (w->state[i] == WAITING && !visit(w, i, length))
            return O2W_FORMAT;
    *length = w->done;
    return O2W_OK;
}

o2w_status sort_topological(const struct sort_graph *g, const o2w_allocator *allocator,
                            uint32_t *order, uint32_t *length)
{
    size_t n = g->count;
    struct walk w = { .g = g, .order = order };
    w.state = mem_alloc(allocator, n);
    w.next = mem_alloc(allocator, n * sizeof *w.next);
    w.path = mem_alloc(allocator, n * sizeof *w.path);
    o2w_status status = O2W_NO_MEMORY;
    if (n == 0 || (w.state && w.next && w.path)) {
        if (n)
            memset(w.state, WAITING, n);
        status = walk_all(&w, length);
    }
    mem_free(allocator, w.state, n);
    mem_free(allocator, w.next, n * sizeof *w.next);
    mem_free(allocator, w.path, n * sizeof *w.path);
    return status;
}
