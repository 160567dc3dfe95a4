/* A case in a process of its own: started anew, watched through a pipe, ended from here. */
#ifndef SWEEP_CHILD_H
#define SWEEP_CHILD_H

#include "base/diag.h"

#include <sys/types.h>

enum { CHILD_EVENTS = 3, CHILD_STAGE = 32, CHILD_WORDS = 512 };

struct child {
    pid_t pid;
    int events, errors; /* ends of pipes; -1: closed */
    VEC(char) text;     /* of events that are not complete yet, then the result */
    char stage[CHILD_STAGE];
    char words[CHILD_WORDS]; /* the end of what it said on standard error */
    size_t word_size;
    bool has_result, timed_out;
    bool postponed; /* ended because all running cases took too much memory */
    int status;     /* of waitpid */
    uint64_t peak_bytes, begun_ns, ended_ns;
};

/* Starts `program case` with the request on standard input. */
o2w_status child_start(struct child *c, const char *program, struct span request, struct diags *d);
/* Reads what it has told; true when it has ended. Never waits. */
bool child_step(struct child *c);
/* Resident bytes now; 0: unknown. */
uint64_t child_memory(const struct child *c);
void child_signal(const struct child *c, int number);
/* The result it sent; false when it ended without one. */
bool child_result(const struct child *c, struct span *out);
/* "ended by SIGSEGV", "ended with status 1"; with its last words. In the arena. */
const char *child_end_text(const struct child *c, struct arena *a);
void child_clear(struct child *c); /* it must have ended */

/* The child's side: one line to the parent. */
void child_tell(const char *word, struct span text);

#endif
