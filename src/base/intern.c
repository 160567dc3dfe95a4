#include "base/intern.h"

#include <string.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif

/* ---- SipHash-1-3 ---- */

struct sip {
    uint64_t v0, v1, v2, v3;
};

static uint64_t rotate(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

static void sip_round(struct sip *s)
{
    s->v0 += s->v1;
    s->v2 += s->v3;
    s->v1 = rotate(s->v1, 13) ^ s->v0;
    s->v3 = rotate(s->v3, 16) ^ s->v2;
    s->v0 = rotate(s->v0, 32);
    s->v2 += s->v1;
    s->v0 += s->v3;
    s->v1 = rotate(s->v1, 17) ^ s->v2;
    s->v3 = rotate(s->v3, 21) ^ s->v0;
    s->v2 = rotate(s->v2, 32);
}

/* Sixteen bytes that the kernel gave this process, or an address where it gives none. */
static void process_key(uint64_t key[2])
{
    static const char anchor;
    const void *random = NULL;
#if defined(__linux__)
    random = (const void *)getauxval(AT_RANDOM);
#endif
    if (random)
        memcpy(key, random, 16);
    else
        key[0] = key[1] = (uint64_t)(uintptr_t)&anchor;
}

static uint64_t last_word(struct span key, size_t from)
{
    uint64_t word = (uint64_t)key.size << 56;
    if (from < key.size)
        memcpy(&word, key.data + from, key.size - from);
    return word;
}

uint64_t map_hash(struct span key)
{
    uint64_t k[2], word;
    process_key(k);
    struct sip s = { k[0] ^ 0x736f6d6570736575u, k[1] ^ 0x646f72616e646f6du,
                     k[0] ^ 0x6c7967656e657261u, k[1] ^ 0x7465646279746573u };
    size_t i = 0;
    for (; key.size - i >= sizeof word; i += sizeof word) {
        memcpy(&word, key.data + i, sizeof word);
        s.v3 ^= word;
        sip_round(&s);
        s.v0 ^= word;
    }
    word = last_word(key, i);
    s.v3 ^= word;
    sip_round(&s);
    s.v0 ^= word;
    s.v2 ^= 0xff;
    sip_round(&s);
    sip_round(&s);
    sip_round(&s);
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

/* ---- map ---- */

enum { MAP_FIRST = 16 };

void map_init(struct map *m, const o2w_allocator *allocator)
{
    *m = (struct map){ .allocator = allocator };
}

void map_free(struct map *m)
{
    mem_free(m->allocator, m->entries, m->capacity * sizeof *m->entries);
    mem_free(m->allocator, m->slots, m->slot_count * sizeof *m->slots);
    map_init(m, m->allocator);
}

/* The slot of the key, or the free one where it belongs. A slot holds the entry's index + 1. */
static uint32_t *find_slot(const struct map *m, struct span key, uint64_t hash)
{
    size_t mask = m->slot_count - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        uint32_t *slot = &m->slots[i];
        if (*slot == 0)
            return slot;
        const struct map_entry *entry = &m->entries[*slot - 1];
        if (entry->hash == hash && span_equal(entry->key, key))
            return slot;
    }
}

static void place(uint32_t *slots, size_t slot_count, uint64_t hash, size_t index)
{
    size_t mask = slot_count - 1, i = (size_t)hash & mask;
    while (slots[i])
        i = (i + 1) & mask;
    slots[i] = (uint32_t)index + 1;
}

static bool grow_slots(struct map *m)
{
    size_t count = m->slot_count ? m->slot_count * 2 : MAP_FIRST * 2;
    uint32_t *slots = mem_alloc(m->allocator, count * sizeof *slots);
    if (!slots)
        return false;
    memset(slots, 0, count * sizeof *slots);
    for (size_t i = 0; i < m->count; i++)
        place(slots, count, m->entries[i].hash, i);
    mem_free(m->allocator, m->slots, m->slot_count * sizeof *slots);
    m->slots = slots;
    m->slot_count = count;
    return true;
}

/* Room for one more; at most half of the slots are used. */
static bool make_room(struct map *m)
{
    if (m->count >= UINT32_MAX / 4)
        return false;
    if (!vec_reserve((void **)&m->entries, &m->capacity, m->count, 1, sizeof *m->entries,
                     m->allocator))
        return false;
    return (m->count + 1) * 2 <= m->slot_count || grow_slots(m);
}

uint32_t *map_find(const struct map *m, struct span key)
{
    if (m->count == 0)
        return NULL;
    uint32_t slot = *find_slot(m, key, map_hash(key));
    return slot ? &m->entries[slot - 1].value : NULL;
}

o2w_status map_insert(struct map *m, struct span key, uint32_t fresh, uint32_t **value, bool *added)
{
    if (!make_room(m))
        return O2W_NO_MEMORY;
    uint64_t hash = map_hash(key);
    uint32_t *slot = find_slot(m, key, hash);
    bool is_new = *slot == 0;
    if (is_new) {
        m->entries[m->count] = (struct map_entry){ .key = key, .hash = hash, .value = fresh };
        *slot = (uint32_t)++m->count;
    }
    if (value)
        *value = &m->entries[*slot - 1].value;
    if (added)
        *added = is_new;
    return O2W_OK;
}

/* Frees the slot of an entry. Slots of later entries must be free already. */
static void free_slot(struct map *m, size_t index)
{
    size_t mask = m->slot_count - 1, i = (size_t)m->entries[index].hash & mask;
    while (m->slots[i] != index + 1)
        i = (i + 1) & mask;
    m->slots[i] = 0;
}

static void remove_last(struct map *m)
{
    free_slot(m, m->count - 1);
    m->count--;
}

void map_clear(struct map *m)
{
    while (m->count)
        remove_last(m);
}

/* ---- names ---- */

o2w_status names_init(struct names *n, const o2w_allocator *allocator)
{
    name_id empty;
    arena_init(&n->arena, allocator);
    map_init(&n->map, allocator);
    o2w_status status = names_add(n, SPAN(""), &empty);
    if (status != O2W_OK)
        names_free(n);
    return status;
}

void names_free(struct names *n)
{
    map_free(&n->map);
    arena_free(&n->arena);
}

o2w_status names_add(struct names *n, struct span text, name_id *id)
{
    uint32_t *value;
    bool added;
    if (map_insert(&n->map, text, (uint32_t)n->map.count, &value, &added) != O2W_OK)
        return O2W_NO_MEMORY;
    if (added) {
        struct span copy = arena_copy(&n->arena, text);
        if (!copy.data) {
            remove_last(&n->map);
            return O2W_NO_MEMORY;
        }
        n->map.entries[*value].key = copy;
    }
    *id = *value;
    return O2W_OK;
}

struct span names_text(const struct names *n, name_id id)
{
    return id < n->map.count ? n->map.entries[id].key : (struct span){ 0 };
}
