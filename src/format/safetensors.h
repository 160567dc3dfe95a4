/* Archives of named tensors (`.safetensors`): checked reading by mapping, deterministic writing. */
#ifndef FORMAT_SAFETENSORS_H
#define FORMAT_SAFETENSORS_H

#include "webnn/graph.h"

/* The metadata entry without which 4-bit tensors may not be read, and its value. */
#define ARCHIVE_PACKED4         "rustnn.webnn.packed4"
#define ARCHIVE_PACKED4_VERSION "1"

struct archive_entry {
    struct span key;
    struct span dtype_name; /* as stored: "F32", "BF16" … */
    enum dtype dtype; /* DTYPE_COUNT: a kind of the container that nothing here computes with */
    uint32_t rank;
    const int64_t *dims;
    uint64_t offset, length; /* bytes in the file */
};

struct archive_text {
    struct span key, value;
};

/* An archive open for reading; every check of the container was made. */
struct archive {
    const o2w_allocator *allocator;
    struct arena arena;
    struct file *file;
    const struct archive_entry *entries; /* in order of offset, key on ties */
    uint32_t count;
    const struct archive_text *metadata; /* in header order */
    uint32_t metadata_count;
    struct map keys;
};

/* Opens and checks; the mapping is shared with every other archive of the same file in the process.
 * file.read, st.header, st.range, st.trailing. */
o2w_status archive_open(const char *path, const o2w_allocator *allocator, struct diags *d,
                        struct archive **out);
/* The same over an open file (retained). */
o2w_status archive_open_file(struct file *f, const o2w_allocator *allocator, struct diags *d,
                             struct archive **out);
void archive_free(struct archive *a); /* NULL is fine */

const struct archive_entry *archive_find(const struct archive *a, struct span key); /* NULL: none */
/* A metadata value; data is NULL when there is none. */
struct span archive_metadata(const struct archive *a, struct span key);
/* The marker of packed 4-bit tensors is absent or of the version known here: weights.packed4. */
o2w_status archive_check_packed4(const struct archive *a, struct diags *d);
/* The entry as a view into the mapping (copied to the arena when it is misaligned). Dtypes that have
 * no tensor form: O2W_UNSUPPORTED, st.header. */
o2w_status archive_tensor(const struct archive *a, const struct archive_entry *e,
                          struct arena *arena, struct diags *d, struct tensor *out);
/* The entry as a weight of its own dtype (of bytes where there is no such dtype here). */
struct weight archive_weight(const struct archive *a, const struct archive_entry *e);

/* A tensor to write. `data` tells where its bytes come from; its length must be that of dtype and dims. */
struct archive_item {
    struct span key;
    struct span dtype_name;
    uint32_t rank;
    const int64_t *dims;
    struct weight data;
};

/* An item over a tensor in memory, which is borrowed. 4-bit kinds become U8 [(n + 1) / 2] (dims in the
 * arena) and need the ARCHIVE_PACKED4 metadata. O2W_UNSUPPORTED for kinds without a name in the
 * container. */
o2w_status archive_item_tensor(struct span key, const struct tensor *t, struct arena *arena,
                               struct archive_item *out);
/* Writes an archive atomically, file to file: order, header and padding are those of the reference
 * library. Keys must be distinct (st.header). *bytes (may be NULL) is the file's size. */
o2w_status archive_write(const char *path, const struct archive_item *items, size_t count,
                         const struct archive_text *metadata, size_t metadata_count, bool sync,
                         const o2w_allocator *allocator, struct diags *d, uint64_t *bytes);
/* The same without the last step: the caller commits or discards the writer. */
o2w_status archive_prepare(const char *path, const struct archive_item *items, size_t count,
                           const struct archive_text *metadata, size_t metadata_count,
                           const o2w_allocator *allocator, struct diags *d,
                           struct file_writer **out);

#endif
