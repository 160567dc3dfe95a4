/* Where the weights of a graph file are, and which of them a constant refers to. */
#ifndef FORMAT_WEIGHTS_H
#define FORMAT_WEIGHTS_H

#include "format/load.h"
#include "format/safetensors.h"

/* The file with the weights: an archive, or a blob with a manifest. */
struct weight_store {
    struct archive *archive; /* NULL: a blob */
    struct file *file;
    const struct archive_entry
        *entries; /* of a blob: dtype_name or dims may be absent (data NULL) */
    uint32_t count;
    const struct map *keys;
    struct map manifest_keys;
    const char *why; /* how it was found, where that is not plain */
    /* keys under the normalisations of other readers: index, or AMBIGUOUS; filled on the first miss */
    struct map normal, peer;
    bool normalised;
};

/* Finds and opens the file when a constant needs one. weights.none, st.*, weights.manifest, path.unsafe. */
o2w_status weights_open(struct loader *l);
void weights_close(struct loader *l);
/* The weight of a reference, checked against the declared type (whose dims are static).
 * weights.missing, weights.dtype, weights.shape, weights.ambiguous, weights.packed4. */
o2w_status weights_resolve(struct loader *l, const struct doc_const *c,
                           const struct descriptor *type, struct weight *out);

/* manifest.c: the entries of a blob. In the arena. weights.manifest, st.range. */
o2w_status manifest_read(struct loader *l, const char *path, struct weight_store *store);

#endif
