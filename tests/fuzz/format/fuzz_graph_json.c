/* Graph JSON: read, written, read again. */
#include "fuzz/fuzz.h"

#include "graph_roundtrip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return read_and_return(data, size, "g.json", FORMAT_JSON);
}
