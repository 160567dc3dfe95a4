/* HOW: ends the way that is asked for. */
#include "nn.h"

#include <errno.h>

static volatile uint32_t sink;

__attribute__((noinline)) static uint32_t recurse(uint32_t n)
{
    volatile uint32_t block[64];
    block[n & 63] = n;
    return n == sink - 1 ? 0 : recurse(n + 1) + block[(n + 1) & 63];
}

static int grow(void)
{
    int got = 0;
    while (got < 4096 && __builtin_wasm_memory_grow(0, 16) != (size_t)-1)
        got++;
    printf("%s\n", got > 32 && got < 64 ? "below the limit" : "beyond");
    return 0;
}

static int write_file(const char *path)
{
    FILE *f = fopen(path, "wb");
    printf("%s: %s\n", path, f ? "written" : strerror(errno));
    if (f)
        fclose(f);
    return 0;
}

static int read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    printf("%s: %s\n", path, f ? "opened" : "not opened");
    return 0;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    if (strcmp(how, "loop") == 0)
        for (;;)
            sink++;
    if (strcmp(how, "recurse") == 0)
        return (int)recurse(0);
    if (strcmp(how, "trap") == 0)
        __builtin_trap();
    if (strcmp(how, "grow") == 0)
        return grow();
    if (strcmp(how, "write") == 0 && argc > 2)
        return write_file(argv[2]);
    if (strcmp(how, "read") == 0 && argc > 2)
        return read_file(argv[2]);
    if (strcmp(how, "args") == 0) {
        for (int i = 2; i < argc; i++)
            printf("[%s]", argv[i]);
        printf("[%s]\n", getenv("O2W_GIVEN") ? getenv("O2W_GIVEN") : "");
    }
    if (strcmp(how, "echo") == 0)
        for (int c = getchar(); c != EOF; c = getchar())
            putchar(c);
    return argc > 2 && strcmp(how, "exit") == 0 ? atoi(argv[2]) : 0;
}
