/* numpy's `.npy` files, versions 1 and 2: one dense tensor, little endian, C order. */
#ifndef FORMAT_NPY_H
#define FORMAT_NPY_H

#include "base/file.h"
#include "tensor/tensor.h"

/* Reads a file into the arena. bool, int and uint of 8 to 64 bits, float16, float32, float64; other
 * dtypes, big endian and Fortran order are refused by name (npy.dtype); a broken header or a size that
 * does not fit is npy.header. */
o2w_status npy_read(const char *path, struct arena *a, struct diags *d, struct tensor *out);
/* Whether a dtype has a form in the file. */
bool npy_has_dtype(enum dtype t);
/* Writes version 1 atomically, byte for byte as numpy does. */
o2w_status npy_write(const char *path, const struct tensor *t, const o2w_allocator *allocator,
                     struct diags *d);

#endif
