/* The functions of LiteRT's C interface that are called here, as version 2.3.0 has them: the interface has
 * no version of its own, and changed between releases of one name. Status 0 is success. */
#ifndef BACKEND_LITERT_LITERT_ABI_H
#define BACKEND_LITERT_LITERT_ABI_H

#include <stddef.h>
#include <stdint.h>

enum { LITERT_FLOAT32 = 1, LITERT_ON_CPU = 1, LITERT_MAX_RANK = 8, LITERT_ALIGNMENT = 64 };

typedef struct LiteRtEnvironment LiteRtEnvironment;
typedef struct LiteRtModel LiteRtModel;
typedef struct LiteRtOptions LiteRtOptions;
typedef struct LiteRtCompiledModel LiteRtCompiledModel;
typedef struct LiteRtTensorBuffer LiteRtTensorBuffer;

struct litert_tensor_type {
    int32_t element_type;
    uint32_t rank; /* in the lower 7 bits; above it whether there are strides */
    int32_t dims[LITERT_MAX_RANK];
    uint32_t strides[LITERT_MAX_RANK];
};

_Static_assert(sizeof(struct litert_tensor_type) == 72, "as the library lays it out");

/* An option of an environment; the kind is that of the value. */
struct litert_option {
    int32_t tag;
    struct {
        int32_t kind;
        int64_t value;
    } value;
};
enum {
    LITERT_KIND_INT = 2,
    LITERT_TAG_ACCELERATORS = 24,
    LITERT_TAG_LOG_LEVEL = 25,
    LITERT_SILENT = 4
};

_Static_assert(sizeof(struct litert_option) == 24, "as the library lays it out");

/* CALL(name, result, parameters) */
#define LITERT_CALLS(CALL)                                                                        \
    CALL(CreateEnvironment, int, (int count, const struct litert_option *, LiteRtEnvironment **)) \
    CALL(DestroyEnvironment, void, (LiteRtEnvironment *))                                         \
    CALL(CreateModelFromBuffer, int,                                                              \
         (LiteRtEnvironment *, const void *data, size_t size, LiteRtModel **))                    \
    CALL(DestroyModel, void, (LiteRtModel *))                                                     \
    CALL(CreateOptions, int, (LiteRtOptions **))                                                  \
    CALL(SetOptionsHardwareAccelerators, int, (LiteRtOptions *, int accelerators))                \
    CALL(DestroyOptions, void, (LiteRtOptions *))                                                 \
    CALL(CreateCompiledModel, int,                                                                \
         (LiteRtEnvironment *, LiteRtModel *, LiteRtOptions *, LiteRtCompiledModel **))           \
    CALL(DestroyCompiledModel, void, (LiteRtCompiledModel *))                                     \
    CALL(CreateTensorBufferFromHostMemory, int,                                                   \
         (const struct litert_tensor_type *, void *data, size_t size, void (*release)(void *),    \
          LiteRtTensorBuffer **))                                                                 \
    CALL(DestroyTensorBuffer, void, (LiteRtTensorBuffer *))                                       \
    CALL(RunCompiledModel, int,                                                                   \
         (LiteRtCompiledModel *, size_t signature, size_t input_count,                            \
          LiteRtTensorBuffer * *inputs, size_t output_count, LiteRtTensorBuffer * *outputs))

struct litert_api {
#define CALL(name, result, parameters) result(*name) parameters;
    LITERT_CALLS(CALL)
#undef CALL
};

#endif
