/* Runs a program to its end and looks at what it did. */
#ifndef CONFORMANCE_PROCESS_H
#define CONFORMANCE_PROCESS_H

#include "base/diag.h"

struct process {
    int status;     /* exit status, or -1 */
    int signal;     /* that ended it, or 0 */
    bool timed_out; /* ended from here */
    double seconds;
    uint64_t peak_bytes;
    struct span error_text; /* what it wrote to standard error, at most 1 MiB */
};

/* arguments end with NULL. `folder` receives two files, "out" and "err". Standard input is empty; the
 * caches of the program lie in `home`. False when the program cannot be started. */
bool process_run(const char *const *arguments, const char *folder, const char *home, double limit,
                 struct arena *a, struct process *out);

/* Names, sizes and kinds of all entries below a folder, one a line, sorted. NULL on failure. */
char *folder_listing(const char *path, struct arena *a);
/* A new folder below the system's temporary folder. NULL on failure. */
char *folder_temporary(struct arena *a);
void folder_remove(const char *path);

#endif
