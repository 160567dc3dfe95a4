/* T97: any records of the lowered interface: a result or a trap. Memory comes anew at every cabi_realloc. */
#include "guest_host.h"

struct guest {
    uint8_t *memory;
    uint32_t top;
};

static wasinn_memory memory_of(void *user)
{
    const struct guest *g = user;
    return (wasinn_memory){ g->memory, FUZZ_MEMORY };
}

static bool reallocate(void *user, uint32_t align, uint32_t size, uint32_t *address)
{
    struct guest *g = user;
    uint8_t *moved = malloc(FUZZ_MEMORY);
    if (!moved)
        abort();
    memcpy(moved, g->memory, FUZZ_MEMORY);
    free(g->memory);
    g->memory = moved;
    *address = (g->top + align - 1) & ~(align - 1);
    g->top = *address + size;
    return size < FUZZ_MEMORY; /* beyond the memory's end: the host must see it */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t count, fill = size < 2048 ? size / 2 : 1024;
    wasinn_instance *i = fuzz_instance();
    struct guest g = { calloc(1, FUZZ_MEMORY), FUZZ_MEMORY / 2 };
    const wasinn_guest guest = { memory_of, reallocate, &g };
    struct fuzz_bytes b = { data + fill, data + size };
    (void)wasinn_lowered_functions(&count);
    if (!g.memory)
        abort();
    memcpy(g.memory, data, fill);
    while (b.at < b.end) {
        uint32_t args[8], result;
        const char *trap = NULL;
        size_t f = fuzz_u8(&b) % (count + 1);
        for (size_t k = 0; k < 8; k++)
            args[k] = fuzz_u32(&b) & (k % 2 ? ~3u : ~0u);
        if (wasinn_call_lowered(i, f, &guest, args, &result, &trap) == (trap != NULL))
            abort();
    }
    wasinn_instance_free(i);
    free(g.memory);
    return 0;
}
