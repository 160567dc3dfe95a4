/* A manifest: which published models are proven, with their dimensions and pins. Contract: docs/sweeps.md */
#ifndef SWEEP_MANIFEST_H
#define SWEEP_MANIFEST_H

#include <onnx2webnn/validate.h>

#include "base/diag.h"

struct manifest_entry {
    const char *file;              /* "org--repo/onnx/model.onnx" */
    const char *repository, *path; /* "org/repo", "onnx/model.onnx" */
    const char *revision, *sha256; /* NULL: not given */
    const o2w_dim *dims;           /* sorted by name */
    const o2w_pin *pins;           /* sorted by name */
    size_t dim_count, pin_count;
    const char *coreml_unsupported, *coreml_slow; /* a reason, or NULL */
    bool heavy;
    bool selected; /* by o2w_manifest_select */
    bool skipped;  /* selected, but heavy ones were to be left out */
    const char *label;
};

struct o2w_manifest {
    const o2w_allocator *allocator;
    const o2w_environment *environment;
    struct arena arena;
    const char *path, *selection;
    unsigned shard, shards;
    struct manifest_entry *entries;
    size_t count;
};

/* The text of a manifest; `name` is for positions. Everything lands in m's arena. */
o2w_status manifest_parse(o2w_manifest *m, struct span text, const char *name, struct diags *d);

/* The lines that say what an entry is: what keys are made of. NULL when memory is out. */
const char *manifest_identity(const struct manifest_entry *e, bool folding, struct arena *a);
enum { MANIFEST_KEY = 17 };
void manifest_key(const char *identity, char key[MANIFEST_KEY]);
/* Of the entry without dims, pins and options: what its archive is named by. False: no memory. */
bool manifest_source_key(const struct manifest_entry *e, struct arena *a, char key[MANIFEST_KEY]);
/* "<stem>-<key>-real" with bytes of the stem other than ASCII letters and digits as '-'. */
const char *manifest_base_name(const struct manifest_entry *e, const char *key, struct arena *a);

#endif
