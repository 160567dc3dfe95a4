/* Files that several owners in a process share: one object, one mapping. */
#include "base/file.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct file *first_shared;

static bool same_file(const struct file *a, const struct file *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->mtime_ns == b->mtime_ns;
}

/* The object that all share: an older one of the same file with a further reference, else `fresh`. */
static struct file *join(struct file *fresh)
{
    struct file *f = first_shared;
    while (f && !same_file(f, fresh))
        f = f->next_shared;
    if (f) {
        f->references++;
        return f;
    }
    fresh->shared = true;
    fresh->next_shared = first_shared;
    first_shared = fresh;
    return fresh;
}

o2w_status file_open_shared(const char *path, struct diags *d, struct file **out)
{
    struct file *fresh;
    struct span bytes;
    TRY(file_open(path, &mem_default, d, &fresh));
    o2w_status status = file_bytes(fresh, d, &bytes);
    if (status != O2W_OK) {
        file_release(fresh);
        return status;
    }
    pthread_mutex_lock(&lock);
    struct file *joined = join(fresh);
    pthread_mutex_unlock(&lock);
    if (joined != fresh)
        file_release(fresh);
    *out = joined;
    return O2W_OK;
}

bool file_shared_drop(struct file *f)
{
    pthread_mutex_lock(&lock);
    bool last = --f->references == 0;
    if (last) {
        struct file **link = &first_shared;
        while (*link != f)
            link = &(*link)->next_shared;
        *link = f->next_shared;
    }
    pthread_mutex_unlock(&lock);
    return last;
}
