/* What a validation found: everything that its text and its JSON members say. */
#ifndef VALIDATE_REPORT_H
#define VALIDATE_REPORT_H

#include <onnx2webnn/validate.h>

#include "validate/compare.h"
#include "validate/nbits.h"
#include "validate/source.h"

enum record_state { RECORD_FRESH, RECORD_STALE, RECORD_NONE, RECORD_IGNORED };

struct report_input {
    const char *name, *graph_name; /* graph_name NULL: pinned or pruned */
    const char *word;              /* of the run's feed */
    const struct source_input *source;
    enum dtype dtype;
    uint32_t rank;
    int64_t dims[MAX_RANK];
    enum feed_rule rule;
    int64_t pin;
    uint64_t vocabulary;
    bool pinned, pruned;
};

struct report_output {
    const char *name, *graph_name, *type;
    bool empty; /* left out of the graph, and the reference yields nothing */
    uint32_t rank, reference_rank;
    int64_t dims[MAX_RANK], reference_dims[MAX_RANK];
    enum mismatch_kind kind;
    const char *detail; /* of a mismatch in dtype or count: what was found */
    struct tolerance allowed;
    bool custom;
    struct figures figures;
    bool has_published;
    struct figures published;
};

struct report_run {
    uint64_t seed;
    bool passed;
    struct report_input *inputs;
    size_t input_count, fed;
    struct report_output *outputs;
    size_t output_count, compared, failed;
};

struct report_time {
    const char *stage;
    double ms;
};

struct o2w_report {
    const o2w_allocator *allocator;
    struct arena arena;
    const char *model, *graph, *graph_name;
    enum record_state record;
    const char *backend, *requested, *engine, *engine_version;
    bool placed;
    uint64_t on_backend, nodes;
    const char *reference_version;
    o2w_reference_optimization optimization;
    bool adjusted, strict;
    struct nbits nbits;
    struct tolerances tolerances;
    bool with_seeds;
    struct report_run *runs;
    size_t run_count, run_room;
    bool passed;
    struct report_time times[16];
    size_t time_count;
    const char *text, *json;
    o2w_error *diagnostics;
};

o2w_status report_create(const o2w_environment *e, struct diags *d, o2w_report **out);
/* Adds to a stage's time. */
void report_time(o2w_report *r, const char *stage, uint64_t begun_ns);
const char *record_state_text(enum record_state s);
const char *mismatch_text(enum mismatch_kind k); /* NULL of none */
const char *optimization_text(o2w_reference_optimization o);

/* Fill r->text and r->json. */
o2w_status report_print_text(o2w_report *r, struct diags *d);
o2w_status report_print_json(o2w_report *r, struct diags *d);

#endif
