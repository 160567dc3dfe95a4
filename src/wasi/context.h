/* One execution context: inputs by copy, a run, outputs as guests get them. */
#ifndef WASI_CONTEXT_H
#define WASI_CONTEXT_H

#include "wasi/instance.h"

/* A tensor as a guest gave it. */
struct nn_given {
    uint32_t type, rank;
    const uint32_t *dims; /* MAX_RANK at most */
    struct span data;
    wasinn_dtypes numbering;
};
enum fault context_set_input(wasinn_instance *i, struct nn_context *c, uint32_t index,
                             const struct nn_given *t);
enum fault context_compute(wasinn_instance *i, struct nn_context *c);
/* The output as guests get it: dtype with a code, dense bytes that live until the next compute. */
enum fault context_output(wasinn_instance *i, struct nn_context *c, uint32_t index,
                          wasinn_dtypes numbering, struct tensor *out);
/* Gives the memory of the outputs back. */
void context_free_outputs(wasinn_instance *i, struct nn_context *c);
/* Forgets inputs and outputs, keeps the buffers. */
void context_forget(struct nn_context *c);

#endif
