#ifndef FORMAT_DIGEST_H
#define FORMAT_DIGEST_H

#include "format/format.h"

/* A constant and its key in the archive. */
struct reference {
    struct span key;
    operand_id constant;
};

/* SHA-256 over key, dtype, shape and sampled bytes, by key; each key once. Sorts the references. */
o2w_status digest_references(const struct graph *g, struct reference *references, size_t count,
                             struct diags *d, uint8_t digest[32]);

#endif
