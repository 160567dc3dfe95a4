/* Keeping what a run was fed with and what it gave. */
#ifndef VALIDATE_OUTPUTS_H
#define VALIDATE_OUTPUTS_H

#include "validate/validation.h"

/* Whether all that is going to be kept lies beside what is read: file.write. */
o2w_status check_kept(struct validation *v);
/* Feeds as an archive at `path`; those of a seed beside it, as NAME.seed-N.safetensors. */
o2w_status save_feeds(struct validation *v, const char *path, uint64_t seed);
/* Both sides' outputs, by the model's names, as reference.safetensors and graph.safetensors in the
 * folder, those of a seed in its folder seed-N. What no archive can hold is left out with a note. */
o2w_status save_outputs(struct validation *v, const char *folder, uint64_t seed);

#endif
