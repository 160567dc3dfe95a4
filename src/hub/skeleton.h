/* The structure of a model without its large weights, read in ranges. */
#ifndef HUB_SKELETON_H
#define HUB_SKELETON_H

#include "base/diag.h"
#include "wire/writer.h"

enum { SKELETON_KEEP = 4096 }; /* bytes of a tensor that are kept */

/* Where the bytes of a model come from. */
struct skeleton_source {
    uint64_t size;
    /* Exactly `size` bytes from `offset` on. */
    o2w_status (*read)(void *user, uint64_t offset, void *to, size_t size, struct diags *d);
    /* Bytes of an external file beside the model; NULL: they are left where they are. */
    o2w_status (*read_external)(void *user, struct span location, uint64_t offset, void *to,
                                size_t size, struct diags *d);
    void *user;
    uint64_t bytes_read; /* what the walk asked for, counted */
};

/* The model with every tensor of more than SKELETON_KEEP bytes turned into a reference to a file that is not there,
 * small external ones taken in. protobuf.* with the offset for what is no model. */
o2w_status skeleton_make(struct skeleton_source *source, const char *name,
                         const o2w_allocator *allocator, struct diags *d, struct wire_writer *out);

#endif
