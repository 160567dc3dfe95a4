/* A run's outputs against the reference's. */
#ifndef VALIDATE_JUDGE_H
#define VALIDATE_JUDGE_H

#include "api/objects.h"
#include "validate/map.h"
#include "validate/reference.h"
#include "validate/report.h"

struct judged {
    const struct source *source;
    const struct graph *graph;
    const struct port_map *map;
    const struct binding *outputs; /* of the graph */
    const struct reference_result *reference;
    const struct tolerances *tolerances;
    struct arena *arena; /* of the report */
};

/* Outputs of the model that the graph does not have must be empty: map.output-missing. */
o2w_status judge_missing(const struct judged *j, struct diags *d);
/* All outputs in the model's order, also after a failing one. map.dtype */
o2w_status judge_outputs(const struct judged *j, struct diags *d, struct report_run *run);
/* Figures against another reference, which do not decide. */
o2w_status judge_published(const struct judged *j, struct diags *d, struct report_run *run);

#endif
