/* T96, T97: any bytes as a model or graph, the last part as weights where the first byte says so: refused with an
 * errno, or loaded, fed with zeros and run. */
#include "guest_host.h"

enum { AT = 64, TYPES = 6, PLACE = 512 };

static uint32_t get(const uint8_t *memory, uint32_t at)
{
    uint32_t v;
    memcpy(&v, memory + at, 4);
    return v;
}

static void put(uint8_t *memory, uint32_t at, uint32_t v)
{
    memcpy(memory + at, &v, 4);
}

/* The first shape and dtype that an input takes; sizes are few. */
static bool feed(wasinn_instance *i, wasinn_memory m, uint32_t context, uint32_t input)
{
    static const uint32_t sizes[TYPES] = { 2, 4, 8, 1, 4, 8 };
    uint8_t *memory = m.base;
    for (uint32_t rank = 0; rank < 4; rank++)
        for (uint32_t dim = 1; dim < 5; dim++)
            for (uint32_t type = 0; type < TYPES; type++) {
                uint32_t count = 1;
                for (uint32_t k = 0; k < rank; k++) {
                    put(memory, 32 + 4 * k, dim);
                    count *= dim;
                }
                put(memory, 0, 32);
                put(memory, 4, rank);
                put(memory, 8, type);
                put(memory, 12, PLACE);
                put(memory, 16, count * sizes[type]);
                if (wasinn_call(i, WASINN_SET_INPUT, m, (uint32_t[]){ context, input, 0 }, 3) == 0)
                    return true;
            }
    return false;
}

static void run(wasinn_instance *i, wasinn_memory m, uint32_t graph)
{
    uint8_t *memory = m.base;
    if (wasinn_call(i, WASINN_INIT_EXECUTION_CONTEXT, m, (uint32_t[]){ graph, 48 }, 2) != 0)
        abort(); /* a graph that was loaded has contexts */
    uint32_t context = get(memory, 48), count;
    (void)wasinn_call(i, WASINN_COUNT, m, (uint32_t[]){ graph, 0, 48 }, 3);
    count = get(memory, 48);
    for (uint32_t k = 0; k < count && k < 4; k++)
        if (!feed(i, m, context, k))
            return;
    if (wasinn_call(i, WASINN_COMPUTE, m, &context, 1) == 0)
        (void)wasinn_call(i, WASINN_GET_OUTPUT, m, (uint32_t[]){ context, 0, PLACE, 4096, 48 }, 5);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t split = size ? data[0] % 2u : 0u;
    if (size < 3 || size > 1 << 16)
        return 0;
    size_t whole = size - 1, first = split ? whole / 2 : whole, room = whole + 16384;
    wasinn_instance *i = fuzz_instance();
    uint8_t *memory = calloc(1, room);
    if (!memory)
        abort();
    wasinn_memory m = { memory, room };
    memcpy(memory + 16384, data + 1, whole);
    put(memory, AT, 16384);
    put(memory, AT + 4, (uint32_t)first);
    put(memory, AT + 8, 16384 + (uint32_t)first);
    put(memory, AT + 12, (uint32_t)(whole - first));
    uint32_t e = wasinn_call(i, WASINN_LOAD, m, (uint32_t[]){ AT, 1 + split, 5, 0, 48 }, 5);
    if (e > WASINN_NOT_FOUND)
        abort();
    if (e == 0)
        run(i, m, get(memory, 48));
    wasinn_instance_free(i);
    free(memory);
    return 0;
}
