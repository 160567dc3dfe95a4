/* The functions of ONNX Runtime's C interface that are called here: slot in the table that GetApi
 * returns, level since which the table has the slot, prototype. The table only grows at its end, so
 * slots are stable; nothing beyond the level asked for is touched. */
#ifndef ORT_ORT_ABI_H
#define ORT_ORT_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ORT_API_LEVEL = 24, /* the lowest level that has all of them */
    ORT_VERSION_MAJOR = 1,
    ORT_VERSION_MINOR = 29 /* the oldest runtime that is accepted */
};

typedef struct OrtStatus OrtStatus;
typedef struct OrtEnv OrtEnv;
typedef struct OrtSession OrtSession;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtRunOptions OrtRunOptions;
typedef struct OrtValue OrtValue;
typedef struct OrtTypeInfo OrtTypeInfo;
typedef struct OrtTensorInfo OrtTensorInfo;
typedef struct OrtMapTypeInfo OrtMapTypeInfo;
typedef struct OrtSequenceTypeInfo OrtSequenceTypeInfo;
typedef struct OrtOptionalTypeInfo OrtOptionalTypeInfo;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtAllocator OrtAllocator;
typedef struct OrtIoBinding OrtIoBinding;
typedef struct OrtOpAttr OrtOpAttr;
typedef struct OrtNode OrtNode;
typedef struct OrtGraph OrtGraph;
typedef struct OrtModel OrtModel;
typedef struct OrtValueInfo OrtValueInfo;
typedef struct OrtEpDevice OrtEpDevice;
typedef struct OrtAssignedSubgraph OrtAssignedSubgraph;
typedef struct OrtAssignedNode OrtAssignedNode;
typedef struct OrtEditorTable OrtEditorTable;

typedef void (*OrtLogFunction)(void *user, int severity, const char *category, const char *id,
                               const char *location, const char *message);

struct ort_api_base {
    const void *const *(*get_api)(uint32_t level);
    const char *(*version)(void);
};

/* Numbers of the interface's enumerations. */
enum {
    ORT_TYPE_TENSOR = 1,
    ORT_TYPE_SEQUENCE = 2,
    ORT_TYPE_MAP = 3,
    ORT_TYPE_OPAQUE = 4,
    ORT_TYPE_SPARSE = 5,
    ORT_TYPE_OPTIONAL = 6
};
enum { ORT_ALLOCATOR_DEVICE = 0, ORT_MEMORY_DEFAULT = 0 };
enum { ORT_LOG_FATAL = 4 };
enum {
    ORT_ATTR_INT = 1,
    ORT_ATTR_INTS = 2,
    ORT_ATTR_FLOAT = 3,
    ORT_ATTR_FLOATS = 4,
    ORT_ATTR_STRING = 5,
    ORT_ATTR_STRINGS = 6
};

/* The functions by name. What can fail returns a status that ReleaseStatus frees; NULL is success. */
struct ort_api {
#define CALL(name, slot, level, result, parameters) result(*name) parameters;
#include "ort/ort_calls.def"
};

struct ort_editor_api {
#define CALL(name, slot, level, result, parameters) result(*name) parameters;
#include "ort/ort_editor_calls.def"
};

#endif
