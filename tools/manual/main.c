/* o2w-manual DIR: onnx2webnn.1, .bash, .zsh and .fish from the command's rows. */
#include "manual.h"

#include <stdlib.h>
#include <string.h>

bool is_path_option(const struct option_row *row)
{
    static const char *const words[] = { "PATH", "FILE", "DIR", "SPEC", "NAME|FILE" };
    for (size_t i = 0; row->metavar && i < sizeof words / sizeof *words; i++)
        if (strcmp(row->metavar, words[i]) == 0)
            return true;
    return false;
}

bool is_backend_option(const struct option_row *row)
{
    return strcmp(row->name, "backend") == 0;
}

static int write_file(const char *folder, const char *extension, void (*write)(FILE *out))
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/onnx2webnn.%s", folder, extension);
    FILE *out = fopen(path, "w");
    if (!out) {
        perror(path);
        return 1;
    }
    write(out);
    if (fclose(out) == 0)
        return 0;
    perror(path);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        (void)fputs("usage: o2w-manual DIR\n", stderr);
        return 2;
    }
    return write_file(argv[1], "1", write_man) | write_file(argv[1], "bash", write_bash) |
           write_file(argv[1], "zsh", write_zsh) | write_file(argv[1], "fish", write_fish);
}
