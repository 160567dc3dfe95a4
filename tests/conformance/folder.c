#include "process.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    struct arena *arena;
    size_t prefix;
    VEC(char *) lines;
    bool failed;
} listing; /* nftw has no user pointer */

static int add_line(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)place;
    const char *name = path + listing.prefix;
    char *line = arena_printf(listing.arena, "%s %d %lld\n", *name == 0 ? "." : name, kind,
                              kind == FTW_F ? (long long)info->st_size : 0);
    listing.failed = listing.failed || line == NULL || !VEC_PUSH(&listing.lines, line);
    return listing.failed;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char *folder_listing(const char *path, struct arena *a)
{
    listing.arena = a;
    listing.prefix = strlen(path);
    listing.failed = false;
    if (nftw(path, add_line, 32, FTW_PHYS) != 0)
        listing.failed = true;
    if (listing.lines.count != 0)
        qsort(listing.lines.items, listing.lines.count, sizeof *listing.lines.items, by_text);
    size_t size = 1;
    for (size_t i = 0; i < listing.lines.count; i++)
        size += strlen(listing.lines.items[i]);
    char *text = listing.failed ? NULL : arena_alloc(a, size, 1), *end = text;
    for (size_t i = 0; end != NULL && i < listing.lines.count; i++)
        end = stpcpy(end, listing.lines.items[i]);
    VEC_FREE(&listing.lines);
    return text;
}

char *folder_temporary(struct arena *a)
{
    const char *base = getenv("TMPDIR");
    char *path =
        arena_printf(a, "%s/o2w-conformance-XXXXXX", base != NULL && *base != 0 ? base : "/tmp");
    return path == NULL ? NULL : mkdtemp(path);
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info, (void)kind, (void)place;
    return remove(path);
}

void folder_remove(const char *path)
{
    nftw(path, remove_entry, 32, FTW_DEPTH | FTW_PHYS);
}
