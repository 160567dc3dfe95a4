/* Texts as small numbers, and a map from bytes to numbers. */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include "base/arena.h"

/* A hash map from byte keys to uint32_t. Keys are borrowed: they must outlive the map. Order of
 * iteration is the order of insertion, never that of the hash. */
struct map {
    const o2w_allocator *allocator;
    struct map_entry *entries;
    uint32_t *slots;
    size_t count, capacity, slot_count;
};

struct map_entry {
    struct span key;
    uint64_t hash;
    uint32_t value;
};

void map_init(struct map *m, const o2w_allocator *allocator);
void map_free(struct map *m);
/* The value of a key; NULL when it is not there. Valid until the next insertion. */
uint32_t *map_find(const struct map *m, struct span key);
/* Inserts or finds: *value points to the key's value (new ones hold `fresh`), *added says which.
 * O2W_NO_MEMORY leaves the map as it was. `added` may be NULL. */
o2w_status map_insert(struct map *m, struct span key, uint32_t fresh, uint32_t **value,
                      bool *added);
/* Forgets all keys and keeps the memory; costs as much as inserting them did. */
void map_clear(struct map *m);
/* The hash that maps use: keyed per process, so that no file can be made to collide. */
uint64_t map_hash(struct span key);

/* Interned texts: equal texts have equal ids. Id 0 is the empty text. Texts are copied. */
typedef uint32_t name_id;

struct names {
    struct arena arena;
    struct map map;
};

o2w_status names_init(struct names *n, const o2w_allocator *allocator);
void names_free(struct names *n);
o2w_status names_add(struct names *n, struct span text, name_id *id);
/* The text of an id; NUL-terminated behind its end. */
struct span names_text(const struct names *n, name_id id);

#endif
