/* The runtime in tests: skipped with a reason where there is none. */
#ifndef UNIT_ORT_RUNTIME_H
#define UNIT_ORT_RUNTIME_H

#include "ort/ort.h"
#include "support/test.h"

#include <stdio.h>

static inline const struct ort *the_runtime(void)
{
    const struct ort *o = NULL;
    struct diags d;
    diags_init(&d, NULL);
    o2w_status status = ort_open(&d, &o);
    diags_free(&d);
    if (status == O2W_OK)
        return o;
    print_message("skipped: no ONNX Runtime 1.29 or newer here (tools/setup onnxruntime)\n");
    skip();
    return NULL;
}

/* Fails the test with what the diagnostics say. */
#define assert_runtime_ok(expression, d)                                      \
    do {                                                                      \
        o2w_status runtime_status = (expression);                             \
        if (runtime_status != O2W_OK) {                                       \
            struct arena text;                                                \
            arena_init(&text, NULL);                                          \
            print_error("%s", diags_text((d), &text));                        \
            arena_free(&text);                                                \
            fail_msg("%s: %s", #expression, o2w_status_text(runtime_status)); \
        }                                                                     \
    } while (0)

#endif
