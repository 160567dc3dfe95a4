/* The conformance runner: one program, one kind of cases per first argument. */
#ifndef CONFORMANCE_CONFORMANCE_H
#define CONFORMANCE_CONFORMANCE_H

#include "base/json.h"

struct tally {
    unsigned passed, failed, skipped;
    bool silent; /* counts alone */
};

/* One line per failing case and per skipped one, with the reason. */
void tally_pass(struct tally *t);
void tally_fail(struct tally *t, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void tally_skip(struct tally *t, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A kind of cases: its arguments follow the name. Returns false on wrong usage. */
struct case_kind {
    const char *name, *usage;
    bool (*run)(int count, char **arguments, struct tally *t);
};

extern const struct case_kind builder_calls_kind;
extern const struct case_kind hostile_kind;
extern const struct case_kind onnx_node_kind;
extern const struct case_kind wpt_kind;

/* Whether the finished document stands in the file. */
bool write_report(const struct json_writer *report, const char *path);

/* All files of a folder with this extension, or the file itself; sorted by name. The paths live in
 * the arena; NULL (and *count 0) when the path cannot be read. */
char **list_files(const char *path, const char *extension, struct arena *a, size_t *count);

#endif
