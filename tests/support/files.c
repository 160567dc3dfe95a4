#include "support/test.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void temp_folder_create(struct temp_folder *t)
{
    snprintf(t->path, sizeof t->path, "%s/o2w-test-XXXXXX", P_tmpdir);
    assert_non_null(mkdtemp(t->path));
}

static int remove_entry(const char *path, const struct stat *s, int kind, struct FTW *ftw)
{
    (void)s, (void)kind, (void)ftw;
    return remove(path);
}

void temp_folder_remove(struct temp_folder *t)
{
    assert_int_equal(nftw(t->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
}

const char *temp_path(const struct temp_folder *t, const char *name)
{
    static char paths[8][4096];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", t->path, name);
    return path;
}

static void make_parents(const char *path)
{
    char copy[4096];
    snprintf(copy, sizeof copy, "%s", path);
    for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(copy, 0777);
        *slash = '/';
    }
}

const char *temp_write(const struct temp_folder *t, const char *name, const void *data, size_t size)
{
    const char *path = temp_path(t, name);
    make_parents(path);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
    return path;
}

size_t temp_count(const struct temp_folder *t)
{
    size_t count = 0;
    DIR *folder = opendir(t->path);
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count - 2;
}

void assert_file(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *found = malloc(size + 1);
    assert_non_null(found);
    assert_int_equal(fread(found, 1, size + 1, f), size);
    assert_memory_equal(found, data, size);
    free(found);
    fclose(f);
}
