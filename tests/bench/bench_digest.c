/* The rate of SHA-256 over one block of memory, in MB/s. */
#include <stdio.h>

#include "base/system.h"

enum { BLOCK = 1 << 20, BLOCKS = 512 };

int main(void)
{
    const void *block = system_zeros(BLOCK);
    struct sha256 digest;
    uint8_t out[32];
    if (!block)
        return 1;
    uint64_t begun = system_clock_ns();
    sha256_begin(&digest);
    for (int i = 0; i < BLOCKS; i++)
        sha256_add(&digest, block, BLOCK);
    sha256_end(&digest, out);
    uint64_t took = system_clock_ns() - begun;
    printf("%.0f\n", (double)BLOCK * BLOCKS / 1e6 / ((double)took / 1e9));
    return 0;
}
