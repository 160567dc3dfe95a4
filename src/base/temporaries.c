#include "base/temporaries.h"

#include "base/file.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEMPORARY_COUNT = 256 };

/* Entries never move, so that a handler that interrupts anything sees whole ones. */
struct temporary {
    atomic_int state;
    int folder;
    pid_t owner; /* a forked child has its parent's entries, but not its files */
    char name[TEMPORARY_NAME];
};

enum { FREE, TAKEN, LIVE };

static struct temporary temporaries[TEMPORARY_COUNT];
static atomic_ulong name_count;

/* While the name changes a handler must not look. */
static void publish(struct temporary *t)
{
    atomic_store(&t->state, TAKEN);
    unsigned long n = atomic_fetch_add(&name_count, 1);
    text_format(t->name, sizeof t->name, ".o2w-%ld-%lu.tmp", (long)t->owner, n);
    atomic_store(&t->state, LIVE);
}

struct temporary *temporary_add(int folder)
{
    for (int i = 0; i < TEMPORARY_COUNT; i++) {
        struct temporary *t = &temporaries[i];
        int expected = FREE;
        if (!atomic_compare_exchange_strong(&t->state, &expected, TAKEN))
            continue;
        t->folder = folder;
        t->owner = getpid();
        publish(t);
        return t;
    }
    return NULL;
}

void temporary_rename(struct temporary *t)
{
    publish(t);
}

const char *temporary_name(const struct temporary *t)
{
    return t->name;
}

void temporary_remove(struct temporary *t)
{
    if (t)
        atomic_store(&t->state, FREE);
}

void files_discard_all(void)
{
    pid_t self = getpid();
    for (int i = 0; i < TEMPORARY_COUNT; i++) {
        const struct temporary *t = &temporaries[i];
        if (atomic_load(&t->state) == LIVE && t->owner == self)
            unlinkat(t->folder, t->name, 0);
    }
}

/* One that ended and that nobody asked for its status counts as gone. */
static bool is_alive(pid_t pid)
{
    char path[40], text[512];
    if (kill(pid, 0) != 0)
        return errno != ESRCH;
    text_format(path, sizeof path, "/proc/%ld/stat", (long)pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[size > 0 ? size : 0] = '\0';
    const char *state = strrchr(text, ')');
    return !state || (strncmp(state, ") Z", 3) != 0 && strncmp(state, ") X", 3) != 0);
}

/* ".o2w-<pid>-<n>.tmp" of a process that does not live any more. */
static bool is_left_over(const char *name)
{
    char *end;
    if (strncmp(name, ".o2w-", 5) != 0 || !span_ends(span_of(name), SPAN(".tmp")))
        return false;
    long pid = strtol(name + 5, &end, 10);
    return *end == '-' && pid > 0 && !is_alive((pid_t)pid);
}

void folder_clean(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *e; folder && (e = readdir(folder));)
        if (is_left_over(e->d_name))
            (void)unlinkat(dirfd(folder), e->d_name, 0);
    if (folder)
        (void)closedir(folder);
}
