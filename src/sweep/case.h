/* One case: what its process is told, and what it does. */
#ifndef SWEEP_CASE_H
#define SWEEP_CASE_H

#include "sweep/manifest.h"
#include "sweep/result.h"

struct case_request {
    const char *model, *sha256; /* of the file; its digest */
    const char *graph;          /* where the graph is, or goes */
    const char *archive, *lock; /* file name beside the graph; what is held while writing to it */
    const o2w_dim *dims;
    const o2w_pin *pins;
    size_t dim_count, pin_count;
    bool constant_folding, refresh; /* refresh: the graph is made anew */
    o2w_validate_options validate;
    int64_t parent; /* process that started it */
};

/* As JSON. O2W_NO_MEMORY */
void case_request_put(struct json_writer *w, const struct case_request *r);
o2w_status case_request_parse(struct span text, struct arena *a, struct diags *d,
                              struct case_request *out);
/* Converts where there is no graph that its record confirms, then validates; fills the result, whose texts are in
 * the arena. `tell` is called at the start of each stage. */
void case_run(const struct case_request *r, const o2w_environment *environment, struct arena *a,
              struct result *out);

#endif
