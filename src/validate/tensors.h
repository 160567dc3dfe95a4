/* Lists of named tensors, from inside. */
#ifndef VALIDATE_TENSORS_H
#define VALIDATE_TENSORS_H

#include <onnx2webnn/validate.h>

#include "base/diag.h"
#include "tensor/tensor.h"

struct archive;

struct named_tensor {
    const char *name, *type;
    struct tensor tensor; /* dtype DTYPE_COUNT: of another type, without data */
    uint64_t bytes;
    bool packed; /* uint8 [(n + 1) / 2] that may be n elements of 4 bits */
};

struct o2w_tensors {
    const o2w_allocator *allocator;
    struct arena arena;
    struct archive *archive; /* whose mapping some of them are in; NULL: none */
    VEC(struct named_tensor) items;
    VEC(const char *) files; /* that they were read from */
};

o2w_status tensors_create(const o2w_allocator *allocator, struct diags *d, o2w_tensors **out);
/* NULL: none of this name. */
const struct named_tensor *tensors_find(const o2w_tensors *t, struct span name);
/* The name is copied, the elements are where `copied`. feed.names when the name is there. */
o2w_status tensors_add(o2w_tensors *t, const char *name, const struct tensor *tensor, bool copied,
                       struct diags *d);
/* A value that is no tensor of numbers. */
o2w_status tensors_add_other(o2w_tensors *t, const char *name, const char *type,
                             const struct named_tensor *as, struct diags *d);
o2w_status tensors_load(const char *path, const o2w_allocator *allocator, struct diags *d,
                        o2w_tensors **out);
/* Lists a file that tensors were read from. */
o2w_status tensors_add_file(o2w_tensors *t, const char *path, struct diags *d);
/* The file that o2w_tensors_write writes the tensor `name` to; NULL when memory is out. */
const char *tensors_path(const char *spec, const char *name, struct arena *a);
o2w_status tensors_save(const o2w_tensors *t, const char *path, struct diags *d);

#endif
