/* Keeping what a run was fed with and what it gave. */
#ifndef VALIDATE_OUTPUTS_H
#define VALIDATE_OUTPUTS_H

#include "validate/validation.h"

/* Feeds as an archive at `path`; those of a seed beside it, as NAME.seed-N.safetensors. */
o2w_status save_feeds(const struct source *s, const char *path, uint64_t seed, struct diags *d);
/* Both sides' outputs, by the model's names, as reference.safetensors and graph.safetensors in the
 * folder, those of a seed in its folder seed-N. What no archive can hold is left out with a note. */
o2w_status save_outputs(struct validation *v, const char *folder, uint64_t seed);

#endif
