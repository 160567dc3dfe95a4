/* T95: any memory, any functions, any arguments: an errno from 0 to 8, and nothing else. The first bytes are the
 * guest's memory, the others a list of calls. */
#include "guest_host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t count, fill = size < 2048 ? size / 2 : 1024;
    const wasinn_function_row *rows = wasinn_functions(&count);
    wasinn_instance *i = fuzz_instance();
    uint8_t *memory = calloc(1, FUZZ_MEMORY);
    struct fuzz_bytes b = { data + fill, data + size };
    if (!memory)
        abort();
    memcpy(memory, data, fill);
    while (b.at < b.end) {
        uint32_t args[8];
        size_t f = fuzz_u8(&b) % (count + 1);
        for (size_t k = 0; k < 8; k++)
            args[k] = fuzz_u32(&b);
        size_t parameters = f < count ? rows[f].parameters : 3;
        if (wasinn_call(i, (wasinn_function)f, (wasinn_memory){ memory, FUZZ_MEMORY }, args,
                        parameters) > WASINN_NOT_FOUND)
            abort();
    }
    wasinn_instance_free(i);
    free(memory);
    return 0;
}
