/* Runs a fuzz target over files instead of libFuzzer: `fuzz_NAME FILE-or-FOLDER...`. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/fuzz.h"

static unsigned ran, failed;

static void run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0) {
        rewind(file);
        bytes = malloc(size ? (size_t)size : 1); /* exact, so that a read past the end is seen */
    }
    if (bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size) {
        LLVMFuzzerTestOneInput(bytes, (size_t)size);
        ran++;
    } else {
        fprintf(stderr, "%s: cannot be read\n", path);
        failed++;
    }
    free(bytes);
    if (file)
        fclose(file);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void run_path(const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISDIR(info.st_mode)) {
        run_file(path);
        return;
    }
    struct dirent **entries;
    int count = scandir(path, &entries, is_visible, alphasort);
    if (count < 0) {
        fprintf(stderr, "%s: cannot be read\n", path);
        failed++;
        return;
    }
    for (int i = 0; i < count; i++) {
        size_t length = strlen(path) + strlen(entries[i]->d_name) + 2;
        char *inner = malloc(length);
        if (!inner)
            abort();
        snprintf(inner, length, "%s/%s", path, entries[i]->d_name);
        run_path(inner);
        free(inner);
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        run_path(argv[i]);
    if (ran == 0 && failed == 0) {
        fprintf(stderr, "usage: %s FILE-or-FOLDER...\n", argv[0]);
        return 2;
    }
    printf("%u passed, %u failed, 0 skipped\n", ran, failed);
    return failed != 0;
}
