#include "base/arena.h"

#include "base/checked.h"
#include "base/text.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

static void *default_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

const o2w_allocator mem_default = { .resize = default_resize };

void *mem_resize(const o2w_allocator *a, void *block, size_t old_size, size_t new_size)
{
    if (!block && new_size == 0)
        return NULL;
    if (!a || !a->resize)
        return default_resize(NULL, block, old_size, new_size);
    return a->resize(a->user, block, old_size, new_size);
}

void *mem_alloc(const o2w_allocator *a, size_t size)
{
    return mem_resize(a, NULL, 0, size);
}

void mem_free(const o2w_allocator *a, void *block, size_t size)
{
    if (block)
        mem_resize(a, block, size, 0);
}

enum { ARENA_FIRST = 4096, ARENA_LARGEST = 1 << 20, ARENA_ALIGN_MAX = 64 };

/* Blocks know their allocator, so that they can move between arenas. */
struct arena_block {
    struct arena_block *previous;
    size_t size; /* of all, this header included */
    o2w_allocator allocator;
};

void arena_init(struct arena *a, const o2w_allocator *allocator)
{
    *a = (struct arena){ .allocator = allocator && allocator->resize ? allocator : &mem_default };
}

void arena_init_over(struct arena *a, const o2w_allocator *allocator, void *memory, size_t size)
{
    arena_init(a, allocator);
    a->next = memory;
    a->end = a->next + size;
}

void arena_free(struct arena *a)
{
    for (struct arena_block *block = a->last; block;) {
        struct arena_block *previous = block->previous;
        o2w_allocator allocator = block->allocator;
        mem_free(&allocator, block, block->size);
        block = previous;
    }
    arena_init(a, a->allocator);
}

static struct arena_block *block_create(const struct arena *a, size_t size)
{
    const o2w_allocator *allocator = a->allocator ? a->allocator : &mem_default;
    struct arena_block *block = mem_alloc(allocator, size);
    if (block)
        *block = (struct arena_block){ .size = size, .allocator = *allocator };
    return block;
}

static size_t padding(const void *address, size_t align)
{
    return (0 - (uintptr_t)address) & (align - 1);
}

static uint8_t *block_start(struct arena_block *block, size_t align)
{
    return (uint8_t *)(block + 1) + padding(block + 1, align);
}

/* A block of its own behind the last one, which stays the one that is filled. */
static void *alloc_large(struct arena *a, size_t size, size_t align)
{
    struct arena_block *block = block_create(a, size);
    if (!block)
        return NULL;
    if (a->last) {
        block->previous = a->last->previous;
        a->last->previous = block;
    } else {
        a->last = block;
        a->next = a->end = (uint8_t *)block + size;
    }
    return block_start(block, align);
}

/* Twice the last one, and at least twice what is asked for. */
static size_t next_block_size(const struct arena *a, size_t need)
{
    size_t last = a->last ? a->last->size : 0, size = ARENA_FIRST;
    while (size < ARENA_LARGEST && (size <= last || size / 2 < need))
        size *= 2;
    return size;
}

static void *alloc_in_new_block(struct arena *a, size_t size, size_t align)
{
    size_t need;
    if (!add_size(size, sizeof(struct arena_block) + align, &need))
        return NULL;
    if (need > ARENA_LARGEST / 2)
        return alloc_large(a, need, align);
    size_t block_size = next_block_size(a, need);
    struct arena_block *block = block_create(a, block_size);
    if (!block)
        return NULL;
    block->previous = a->last;
    a->last = block;
    a->end = (uint8_t *)block + block_size;
    uint8_t *start = block_start(block, align);
    a->next = start + size;
    return start;
}

static void *alloc_in_block(struct arena *a, size_t size, size_t align)
{
    if (!a->next)
        return NULL;
    size_t left = (size_t)(a->end - a->next), skip = padding(a->next, align);
    if (skip > left || size > left - skip)
        return NULL;
    uint8_t *start = a->next + skip;
    a->next = start + size;
    return start;
}

void *arena_alloc(struct arena *a, size_t size, size_t align)
{
    static alignas(ARENA_ALIGN_MAX) uint8_t nothing[ARENA_ALIGN_MAX];
    if (size == 0)
        return nothing;
    void *start = alloc_in_block(a, size, align);
    if (!start)
        start = alloc_in_new_block(a, size, align);
    return start ? memset(start, 0, size) : NULL;
}

void *arena_array(struct arena *a, size_t count, size_t size, size_t align)
{
    size_t bytes;
    return mul_size(count, size, &bytes) ? arena_alloc(a, bytes, align) : NULL;
}

struct span arena_copy(struct arena *a, struct span s)
{
    char *text = arena_text(a, s);
    return (struct span){ (const uint8_t *)text, text ? s.size : 0 };
}

char *arena_text(struct arena *a, struct span s)
{
    size_t size;
    char *text = add_size(s.size, 1, &size) ? arena_alloc(a, size, 1) : NULL;
    if (text && s.size)
        memcpy(text, s.data, s.size);
    return text;
}

char *arena_vprintf(struct arena *a, const char *format, va_list args)
{
    char buffer[256];
    va_list again;
    va_copy(again, args);
    int length = text_vformat(buffer, sizeof buffer, format, args);
    char *text = length < 0 ? NULL : arena_alloc(a, (size_t)length + 1, 1);
    if (text && (size_t)length < sizeof buffer)
        memcpy(text, buffer, (size_t)length);
    else if (text)
        text_vformat(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *arena_printf(struct arena *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(a, format, args);
    va_end(args);
    return text;
}

/* Room for `more` bytes and the NUL. */
static bool string_reserve(struct arena_string *s, size_t more)
{
    size_t room;
    if (more < s->room - s->size)
        return true;
    if (!add_size(s->size, more, &room) || !add_size(room, 1, &room) || !mul_size(room, 2, &room))
        return false;
    char *text = arena_alloc(s->arena, room, 1);
    if (!text)
        return false;
    if (s->size)
        memcpy(text, s->text, s->size);
    s->text = text;
    s->room = room;
    return true;
}

static void string_vadd(struct arena_string *s, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int size = text_vformat(NULL, 0, format, args);
    s->failed |= size < 0 || !string_reserve(s, (size_t)size);
    if (!s->failed) {
        (void)text_vformat(s->text + s->size, s->room - s->size, format, again);
        s->size += (size_t)size;
    }
    va_end(again);
}

void arena_string_add(struct arena_string *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!s->failed)
        string_vadd(s, format, args);
    va_end(args);
}

const char *arena_string_text(const struct arena_string *s)
{
    return s->failed ? NULL : s->text ? s->text : "";
}

void arena_adopt(struct arena *a, struct arena *from)
{
    if (!from->last)
        return;
    if (!a->last) {
        a->last = from->last;
        a->next = from->next;
        a->end = from->end;
    } else {
        struct arena_block *first = from->last;
        while (first->previous)
            first = first->previous;
        first->previous = a->last->previous;
        a->last->previous = from->last;
    }
    arena_init(from, from->allocator);
}

static void *arena_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    if (new_size == 0)
        return NULL;
    void *fresh = arena_alloc(user, new_size, alignof(max_align_t));
    if (fresh && block)
        memcpy(fresh, block, old_size < new_size ? old_size : new_size);
    return fresh;
}

o2w_allocator arena_allocator(struct arena *a)
{
    return (o2w_allocator){ .resize = arena_resize, .user = a };
}

bool vec_reserve(void **items, size_t *capacity, size_t count, size_t more, size_t size,
                 const o2w_allocator *allocator)
{
    size_t need, bytes;
    if (!add_size(count, more, &need))
        return false;
    if (need <= *capacity)
        return true;
    size_t grown = *capacity < 8 ? 8 : *capacity + *capacity / 2;
    if (grown < need)
        grown = need;
    if (!mul_size(grown, size, &bytes))
        return false;
    /* *items has another pointer type: read and written as bytes. */
    void *old;
    memcpy(&old, (const void *)items, sizeof old);
    void *fresh = mem_resize(allocator, old, *capacity * size, bytes);
    if (!fresh)
        return false;
    memcpy((void *)items, &fresh, sizeof fresh);
    *capacity = grown;
    return true;
}
