/* Tensors of the mode 'run' from and to files. */
#ifndef CLI_RUN_FILES_H
#define CLI_RUN_FILES_H

#include "cli/command.h"
#include "validate/tensors.h"

/* Each spec is FILE.safetensors, NAME=FILE.npy (at the last '='), or a folder of NAME.npy. A name
 * twice is feed.names; a spec of another form is usage. */
o2w_status run_read_inputs(const struct text_list *specs, struct diags *d, o2w_tensors **out);
/* To FILE.safetensors, or a folder (made) for NAME.npy: bytes / % \ and controls of a name as %XX. */
o2w_status run_write_outputs(const o2w_tensors *t, const char *spec, struct diags *d);

#endif
