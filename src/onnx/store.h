/* What belongs to a model but is not part of its view. */
#ifndef ONNX_STORE_H
#define ONNX_STORE_H

#include "base/file.h"
#include "onnx/open.h"

struct onnx_store {
    const o2w_allocator *allocator;
    struct arena arena; /* the view, decoded payloads */
    struct onnx_open_options options;
    const char *folder;                  /* of external data; NULL: none is allowed */
    VEC(struct onnx_tensor *) externals; /* as they were read */
    VEC(const struct onnx_tensor *) missing;
    VEC(struct file *) files; /* external ones, each opened once */
    bool external_opened;
    const char *unknown_message; /* the first field that onnx.proto of our time does not have */
    uint32_t unknown_field;
};

/* A typed field in the layout of raw_data. */
struct onnx_decoded {
    bool done, in_file;
    struct span memory;
    const struct span *strings;
};

/* Remembers a tensor with external data and reads its entries; `name` is for messages. */
o2w_status onnx_external_read(struct onnx_model *m, struct onnx_tensor *t, struct span name,
                              const struct onnx_entry *entries, size_t count, struct diags *d);
/* Compares SHA-1 sums of the external files that have one. */
o2w_status onnx_external_verify(const struct onnx_model *m, struct diags *d);
/* Who defines and uses each name; captures, and the order of the nodes. */
o2w_status onnx_link(struct onnx_model *m, struct diags *d);
/* Imported versions and called functions of all nodes; that calls end. */
o2w_status onnx_resolve(struct onnx_model *m, struct diags *d);
/* Versions and the interface of the main graph. */
o2w_status onnx_check(const struct onnx_model *m, struct diags *d);

#endif
