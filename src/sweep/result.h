/* What became of a case: a record in the results folder, a line of the report. */
#ifndef SWEEP_RESULT_H
#define SWEEP_RESULT_H

#include "base/json.h"

enum outcome { OUTCOME_NOT_RUN, OUTCOME_PASSED, OUTCOME_FAILED, OUTCOME_SKIPPED, OUTCOME_EXPECTED };
const char *outcome_text(enum outcome o);

enum { RESULT_TIMES = 6 };
extern const char *const result_times[RESULT_TIMES]; /* "download", "convert", … */

/* Texts live in the arena of who made it. */
struct result {
    enum outcome outcome;
    uint64_t index; /* in the manifest */
    const char *tool, *key, *label, *backend, *engine, *source_sha256;
    const char *stage, *code, *message, *command;
    const char *seeds;      /* a JSON array; NULL: [] */
    const char *validation; /* a JSON object; NULL: null */
    uint64_t nodes, operators, weight_bytes, peak_bytes, downloaded_bytes;
    double times[RESULT_TIMES];
    bool reused; /* the graph of an earlier run */
};

/* The record as one JSON object. */
void result_put(struct json_writer *w, const struct result *r);
/* To disk, through a temporary file. */
o2w_status result_write(const struct result *r, const char *path, struct diags *d);
/* manifest.record: not readable, or of a newer version. */
o2w_status result_read(const char *path, struct arena *a, struct diags *d, struct result *out);
/* The members of a record, or of what a case's process sends, from the text of an object. */
o2w_status result_parse(struct span text, const char *name, struct arena *a, struct diags *d,
                        struct result *out);
/* <folder>/<key>-<backend>-<feeds>.json; NULL when memory is out. */
const char *result_path(const char *folder, const char *key, const char *backend,
                        const uint64_t *seeds, size_t seed_count, struct arena *a);

#endif
