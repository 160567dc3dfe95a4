/* What can go wrong with a call, once for both interfaces. */
#ifndef WASI_FAULT_H
#define WASI_FAULT_H

#include <onnx2webnn/wasi_nn.h>

#include "base/diag.h"

enum fault {
    FAULT_NONE,
    FAULT_ARGUMENT,
    FAULT_ENCODING,
    FAULT_MEMORY, /* the guest's: it exports none */
    FAULT_BUSY,
    FAULT_RUNTIME,
    FAULT_TIMEOUT,
    FAULT_ORDER, /* an input is missing */
    FAULT_UNSUPPORTED,
    FAULT_SECURITY,
    FAULT_TOO_LARGE,
    FAULT_NOT_FOUND,
    FAULT_INTERNAL,
    FAULT_COUNT
};

wasinn_errno fault_errno(enum fault f);
wasinn_code fault_code(enum fault f);

/* Text that guests see: at most 512 bytes of UTF-8, control characters shown. */
enum { FAILURE_TEXT = 513 };
struct failure {
    enum fault fault;
    char text[FAILURE_TEXT];
};

/* Sets both; returns the fault. */
enum fault fail(struct failure *f, enum fault fault, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum fault fail_memory(struct failure *f);
/* From what a stage of the library found: the first error's message, all unsupported operators. */
enum fault fail_from(struct failure *f, enum fault fault, const struct diags *d, o2w_status status);

/* Forwards a fault: `CHECK(call(…));`. */
#define CHECK(expression)                  \
    do {                                   \
        enum fault check_f = (expression); \
        if (check_f != FAULT_NONE)         \
            return check_f;                \
    } while (0)

#endif
