/* Makes a program small while its verdict stays. */
#include "judge.h"

#include <string.h>

static bool still(const struct program *p, const struct judgement *like)
{
    struct judgement j;
    judge(p, &j);
    return j.verdict == like->verdict && strcmp(j.subject, like->subject) == 0;
}

/* Values of native ONNX Runtime, node by node; false where it refuses. */
static bool refresh(struct program *p, struct arena *arena)
{
    char why[200];
    struct program *q = ARENA_NEW(arena, struct program);
    *q = *p;
    q->node_count = q->value_count = 0;
    int map[VALUE_LIMIT];
    for (size_t i = 0; i < p->value_count; i++) {
        map[i] = ABSENT;
        if (p->values[i].origin != FROM_NODE)
            map[i] = add_value(q, p->values[i].origin, &p->values[i].tensor);
    }
    for (size_t i = 0; i < p->node_count; i++) {
        struct node *n = &q->nodes[q->node_count++];
        *n = p->nodes[i];
        for (size_t k = 0; k < n->input_count; k++)
            n->inputs[k] = n->inputs[k] == ABSENT ? ABSENT : map[n->inputs[k]];
        if (!judge_native_node(q, i, arena, why, sizeof why))
            return false;
        for (size_t k = 0; k < n->output_count; k++) {
            map[p->nodes[i].outputs[k]] = n->outputs[k];
            q->values[n->outputs[k]].hidden = p->values[p->nodes[i].outputs[k]].hidden;
        }
    }
    *p = *q;
    return true;
}

static bool keep(struct program *p, const struct program *smaller, struct arena *arena,
                 const struct judgement *j)
{
    struct program *tried = ARENA_NEW(arena, struct program);
    *tried = *smaller;
    if (!refresh(tried, arena) || !still(tried, j))
        return false;
    *p = *tried;
    return true;
}

/* The node leaves; its results become inputs where others read them. */
static void without_node(struct program *p, size_t node)
{
    const struct node n = p->nodes[node];
    for (size_t k = 0; k < n.output_count; k++)
        p->values[n.outputs[k]].origin = FROM_INPUT;
    memmove(&p->nodes[node], &p->nodes[node + 1], (p->node_count - node - 1) * sizeof *p->nodes);
    p->node_count--;
}

static void drop_unread(struct program *p)
{
    struct program q = *p;
    int map[VALUE_LIMIT];
    q.value_count = 0;
    for (size_t i = 0; i < p->value_count; i++) {
        map[i] = ABSENT;
        if (p->values[i].origin == FROM_NODE || value_is_read(p, (int)i)) {
            map[i] = (int)q.value_count;
            q.values[q.value_count++] = p->values[i];
        }
    }
    for (size_t i = 0; i < q.node_count; i++) {
        for (size_t k = 0; k < q.nodes[i].input_count; k++)
            q.nodes[i].inputs[k] =
                q.nodes[i].inputs[k] == ABSENT ? ABSENT : map[q.nodes[i].inputs[k]];
        for (size_t k = 0; k < q.nodes[i].output_count; k++)
            q.nodes[i].outputs[k] = map[q.nodes[i].outputs[k]];
    }
    *p = q;
}

static bool drop_nodes(struct program *p, struct arena *arena, const struct judgement *j)
{
    bool any = false;
    for (size_t i = p->node_count; p->node_count > 1 && i-- > 0;) {
        struct program *q = ARENA_NEW(arena, struct program);
        *q = *p;
        without_node(q, i);
        drop_unread(q);
        any |= keep(p, q, arena, j);
        if (i > p->node_count)
            i = p->node_count;
    }
    return any;
}

static bool drop_attributes(struct program *p, struct arena *arena, const struct judgement *j)
{
    bool any = false;
    for (size_t i = 0; i < p->node_count; i++)
        for (size_t k = p->nodes[i].attribute_count; k-- > 0;) {
            struct program *q = ARENA_NEW(arena, struct program);
            *q = *p;
            struct node *n = &q->nodes[i];
            memmove(&n->attributes[k], &n->attributes[k + 1],
                    (n->attribute_count - k - 1) * sizeof *n->attributes);
            n->attribute_count--;
            any |= keep(p, q, arena, j);
        }
    return any;
}

/* The first `to` places of an axis of every given value that has `from` there. */
static bool cut_axis(struct tensor *t, int64_t from, int64_t to, struct arena *arena)
{
    for (uint32_t axis = 0; axis < t->rank; axis++) {
        if (t->dims[axis] != from)
            continue;
        struct tensor cut;
        int64_t dims[MAX_RANK], inner = 1;
        memcpy(dims, t->dims, sizeof dims);
        dims[axis] = to;
        for (uint32_t i = axis + 1; i < t->rank; i++)
            inner *= dims[i];
        if (tensor_new(arena, t->dtype, dims, t->rank, &cut) != O2W_OK)
            return false;
        size_t size = dtype_info(t->dtype)->bits / 8;
        for (uint64_t i = 0; i < tensor_count(&cut); i++) {
            uint64_t row = i / (uint64_t)(to * inner), rest = i % (uint64_t)(to * inner);
            memcpy((char *)cut.data + i * size,
                   (const char *)t->data + (row * (uint64_t)(from * inner) + rest) * size, size);
        }
        *t = cut;
    }
    return true;
}

static bool cut_sizes(struct program *p, struct arena *arena, const struct judgement *j)
{
    bool any = false;
    for (int64_t from = 20; from > 1; from--) {
        struct program *q = ARENA_NEW(arena, struct program);
        *q = *p;
        bool cut = false;
        for (size_t i = 0; i < q->value_count; i++)
            for (uint32_t k = 0; k < q->values[i].tensor.rank && q->values[i].origin != FROM_NODE;
                 k++)
                cut |= q->values[i].tensor.dims[k] == from;
        for (size_t i = 0; cut && i < q->value_count; i++)
            if (q->values[i].origin != FROM_NODE)
                cut = cut_axis(&q->values[i].tensor, from, from - 1, arena);
        any |= cut && keep(p, q, arena, j);
    }
    return any;
}

/* Numbers become 1 where that changes nothing. */
static bool plain_numbers(struct program *p, struct arena *arena, const struct judgement *j)
{
    bool any = false;
    for (size_t i = 0; i < p->value_count; i++) {
        const struct tensor *old = &p->values[i].tensor;
        if (p->values[i].origin == FROM_NODE || tensor_count(old) > 64)
            continue;
        for (uint64_t k = 0; k < tensor_count(old); k++) {
            struct program *q = ARENA_NEW(arena, struct program);
            *q = *p;
            old = &p->values[i].tensor;
            struct tensor *t = &q->values[i].tensor;
            if (tensor_get_double(old, k) == 1 ||
                tensor_new(arena, old->dtype, old->dims, old->rank, t) != O2W_OK)
                continue;
            memcpy(t->data, old->data, tensor_bytes(old));
            tensor_put_i64(t, k, 1);
            any |= keep(p, q, arena, j);
        }
    }
    return any;
}

void shrink(struct program *p, struct arena *arena, const struct judgement *j)
{
    struct program *shown = ARENA_NEW(arena, struct program);
    *shown = *p;
    for (size_t i = 0; i < shown->value_count; i++)
        shown->values[i].hidden = false;
    (void)keep(p, shown, arena, j);
    for (int round = 0; round < 4; round++) {
        bool any = drop_nodes(p, arena, j);
        any |= drop_attributes(p, arena, j);
        any |= cut_sizes(p, arena, j);
        any |= plain_numbers(p, arena, j);
        if (!any)
            break;
    }
}
