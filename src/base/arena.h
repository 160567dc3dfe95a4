/* Memory: the caller's allocator, arenas over it, and growing arrays. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/span.h"

#include <stdarg.h>

/* malloc, realloc and free. */
extern const o2w_allocator mem_default;

/* Like the members of o2w_allocator; `a` NULL means mem_default. Size 0 gives NULL. */
void *mem_alloc(const o2w_allocator *a, size_t size);
void *mem_resize(const o2w_allocator *a, void *block, size_t old_size, size_t new_size);
void mem_free(const o2w_allocator *a, void *block, size_t size);

/* Memory that is freed in one call. Blocks never move. Not for several threads. */
struct arena {
    const o2w_allocator *allocator;
    struct arena_block *last;
    uint8_t *next, *end;
};

void arena_init(struct arena *a, const o2w_allocator *allocator);
/* The same, serving from `size` bytes of the caller's first, which outlive its use. Such an arena is not
 * adopted by another, and arena_free forgets the bytes. */
void arena_init_over(struct arena *a, const o2w_allocator *allocator, void *memory, size_t size);
/* Frees all blocks; the arena can be used again. */
void arena_free(struct arena *a);
/* `size` zeroed bytes aligned to `align` (a power of two up to 64); NULL when memory is out. Size 0
 * gives a valid address. */
void *arena_alloc(struct arena *a, size_t size, size_t align);
/* The same for count elements, checked for overflow. */
void *arena_array(struct arena *a, size_t count, size_t size, size_t align);
/* A copy of the bytes; data is NULL when memory is out. Text copies carry a NUL behind their end. */
struct span arena_copy(struct arena *a, struct span s);
/* NUL-terminated copy, formatted text; NULL when memory is out. */
char *arena_text(struct arena *a, struct span s);
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *format, va_list args);

/* A text that grows by parts, in an arena; zero but for the arena is empty. It takes a few times its size
 * however many parts there are. */
struct arena_string {
    struct arena *arena;
    char *text;
    size_t size, room;
    bool failed;
};
void arena_string_add(struct arena_string *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Valid until the next part; NULL when memory was out. */
const char *arena_string_text(const struct arena_string *s);

/* Takes over all blocks of `from`, which is empty afterwards. */
void arena_adopt(struct arena *a, struct arena *from);
/* An allocator whose blocks live in the arena: freeing gives nothing back. For containers that die
 * with the arena. */
o2w_allocator arena_allocator(struct arena *a);

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type), _Alignof(type)))
#define ARENA_ARRAY(a, count, type) \
    ((type *)arena_array((a), (count), sizeof(type), _Alignof(type)))

/* A growing array on an allocator: VEC(T) declares it, zero is empty (with the default allocator).
 *   VEC(uint32_t) ids = {0};  if (!VEC_PUSH(&ids, 7)) …no memory…;  ids.items[0];  VEC_FREE(&ids); */
#define VEC(type)                       \
    struct {                            \
        type *items;                    \
        size_t count, capacity;         \
        const o2w_allocator *allocator; \
    }
/* Room for `more` further elements; false when memory is out or the size overflows. */
#define VEC_RESERVE(v, more)                                                                  \
    vec_reserve((void **)&(v)->items, &(v)->capacity, (v)->count, (more), sizeof *(v)->items, \
                (v)->allocator)
#define VEC_PUSH(v, ...) (VEC_RESERVE((v), 1) && ((v)->items[(v)->count++] = (__VA_ARGS__), true))
#define VEC_LAST(v)      ((v)->items[(v)->count - 1])
#define VEC_FREE(v)                                                                               \
    (mem_free((v)->allocator, (v)->items, (v)->capacity * sizeof *(v)->items), (v)->items = NULL, \
     (v)->count = (v)->capacity = 0)
bool vec_reserve(void **items, size_t *capacity, size_t count, size_t more, size_t size,
                 const o2w_allocator *allocator);

#endif
