#include "base/file.h"
#include "conformance.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **list_files(const char *path, const char *extension, struct arena *a, size_t *count)
{
    VEC(char *) found = { 0 };
    *count = 0;
    if (!path_is_folder(path)) {
        char **one = ARENA_NEW(a, char *);
        if (one == NULL || (*one = arena_text(a, span_of(path))) == NULL)
            return NULL;
        *count = 1;
        return one;
    }
    DIR *folder = opendir(path);
    for (struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;)
        if (span_is(path_extension(span_of(e->d_name)), extension)) {
            char *file = path_join(a, span_of(path), span_of(e->d_name));
            if (file == NULL || !VEC_PUSH(&found, file))
                abort();
        }
    if (folder != NULL)
        closedir(folder);
    char **all = ARENA_ARRAY(a, found.count, char *);
    if (all != NULL && found.count != 0) {
        memcpy(all, found.items, found.count * sizeof *all);
        qsort(all, found.count, sizeof *all, by_text);
    }
    *count = all == NULL ? 0 : found.count;
    VEC_FREE(&found);
    return all;
}
