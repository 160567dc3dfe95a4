/* The results of a sweep and how they are shown. */
#ifndef SWEEP_SUMMARY_H
#define SWEEP_SUMMARY_H

#include "sweep/manifest.h"
#include "sweep/result.h"

/* How a case differs from an earlier report. */
struct change {
    const char *label, *text;
};

struct o2w_summary {
    const o2w_allocator *allocator;
    struct arena arena;
    const char *manifest, *selection, *backend;
    unsigned shard, shards;
    struct result *results; /* in the manifest's order */
    size_t count;
    size_t not_run;       /* by a stop or --fail-fast */
    bool interrupted;     /* by a stop */
    const char *baseline; /* NULL: not compared */
    struct change *changes;
    size_t change_count;
    const char *text, *json;
};

struct summary_counts {
    size_t passed, failed, expected, skipped, not_run;
};

o2w_status summary_create(const o2w_manifest *m, const char *backend, struct diags *d,
                          o2w_summary **out);
struct summary_counts summary_count(const o2w_summary *s);
/* "66.7": of passed and failed ones. */
void summary_percent(const struct summary_counts *n, char text[16]);
/* "STAGE: MESSAGE" of a failed one; in the arena. */
const char *result_line(const struct result *r, struct arena *a);
/* `text` as a word of a shell command; in the arena. */
const char *shell_word(struct arena *a, const char *text);

#endif
