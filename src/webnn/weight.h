/* Weights: where the bytes of constants come from, and what is done to them on the way. */
#ifndef WEBNN_WEIGHT_H
#define WEBNN_WEIGHT_H

#include "base/file.h"
#include "base/intern.h"
#include "tensor/tensor.h"

typedef uint32_t weight_id;

/* A weight is where its bytes come from and what is done to them while they are streamed. Identity
 * of file weights is (file, offset, length): nobody reads them to convert. */
enum weight_source { WEIGHT_FILE, WEIGHT_BYTES, WEIGHT_SPLAT, WEIGHT_ZEROS };
enum weight_transform {
    WEIGHT_COPY,
    WEIGHT_CONVERT, /* element by element from `from` to the operand's dtype */
    WEIGHT_XOR      /* every byte with `flip` (uint4 as int4) */
};

struct weight {
    enum weight_source source;
    enum weight_transform transform;
    enum dtype dtype; /* of the elements after the transform */
    enum dtype from;  /* of the stored elements */
    uint8_t flip;
    uint64_t count;          /* elements */
    struct file *file;       /* WEIGHT_FILE; the graph holds a reference */
    uint64_t offset, length; /* stored bytes in the file */
    const uint8_t
        *bytes;  /* BYTES: stored ones, borrowed or in the graph's arena; SPLAT: an element */
    name_id key; /* the archive's key when it was read from one; 0: none */
};

/* Stored size of a weight after its transform. */
uint64_t weight_bytes(const struct weight *w);
/* Whether its final bytes are the range [offset, offset + length) of its file as they stand there. */
bool weight_is_file_range(const struct weight *w);
/* Streams the weight's final bytes in blocks, files by reading. The last high nibble of an odd number
 * of 4-bit elements is 0. `sink` returning a failure ends it with that. */
o2w_status weight_stream(const struct weight *w,
                         o2w_status (*sink)(void *user, const void *data, size_t size), void *user,
                         struct diags *d);
/* Equal dtype, count and content: same file range, else three sampled windows and a full comparison. */
o2w_status weight_same(const struct weight *a, const struct weight *b, struct diags *d, bool *same);
/* 64 bits over dtype, count, and sampled content: equal weights have equal keys. */
o2w_status weight_sample(const struct weight *w, struct diags *d, uint64_t *key);

#endif
