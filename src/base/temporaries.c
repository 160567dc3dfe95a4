#include "base/temporaries.h"

#include "base/file.h"
#include "base/text.h"

#include <stdatomic.h>
#include <stdlib.h>
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
