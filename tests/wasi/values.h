/* Tensors of test data (TensorProto files) as guests give and get them. */
#ifndef WASI_VALUES_H
#define WASI_VALUES_H

#include "base/arena.h"
#include "tensor/dtype.h"

enum { VALUE_ROOM = 1 << 16 };
struct value {
    enum dtype dtype;
    uint32_t dims[8];
    size_t rank;
    const uint8_t *data;
    size_t size;
    uint8_t own[VALUE_ROOM];
};

/* FOLDER/test_data_set_0/WHAT_INDEX.pb; the bytes live in the arena or in `v`. False: there is no such file, or it
 * is no tensor of numbers. */
bool value_read(const char *folder, const char *what, unsigned index, struct arena *a,
                struct value *v);
/* The code in the numbering 2023; bool goes as u8. */
bool value_code(enum dtype t, uint32_t *code);

/* |got - wanted| <= absolute + relative * |wanted|, of floats; other dtypes are equal. */
struct tolerance {
    double relative, absolute;
};
/* The largest absolute value; 0 of other dtypes than floats. */
double value_most(const struct value *v);
/* Fails the test where an output differs. */
void value_compare(const char *name, unsigned index, const struct value *want, const void *got,
                   size_t size, struct tolerance t);
/* NULL: they agree; else what differs, in static memory. */
const char *value_difference(const struct value *want, const void *got, size_t size,
                             struct tolerance t);

/* Writes each input as INTO/PREFIXin_K.bin; *specs has " f32:5x4:PREFIXin_0.bin" for each. False: one has no code. */
bool value_write_inputs(const char *folder, const char *into, const char *prefix, struct arena *a,
                        char *specs, size_t room);

/* Whether guests in C can run here; says why not. */
bool guests_run_here(void);

#endif
