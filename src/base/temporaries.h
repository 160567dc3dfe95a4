/* The temporary files of this process, known to signal handlers. */
#ifndef BASE_TEMPORARIES_H
#define BASE_TEMPORARIES_H

#include <stdbool.h>

enum { TEMPORARY_NAME = 48 };

struct temporary;

/* A place in the register with a name that was never used before in this process; NULL when all are
 * taken. `folder` is a descriptor that stays open while the entry lives. */
struct temporary *temporary_add(int folder);
/* Gives the entry another name, for when a file of this one exists. */
void temporary_rename(struct temporary *t);
const char *temporary_name(const struct temporary *t);
/* Takes it out of the register; the file is no matter any more. NULL is fine. */
void temporary_remove(struct temporary *t);

#endif
