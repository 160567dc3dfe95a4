/* Tests that need ONNX Runtime, skipped with the reason where there is none. */
#ifndef TESTS_UNIT_BACKEND_RUNTIME_H
#define TESTS_UNIT_BACKEND_RUNTIME_H

#include "backend/backend.h"
#include "support/test.h"

static inline int need_runtime(void **state)
{
    (void)state;
    struct arena a;
    struct diags d;
    struct backend_probe probe;
    bool alias;
    arena_init(&a, NULL);
    diags_init(&d, NULL);
    bool here = backend_by_name(SPAN("onnx"), &alias)->probe(&a, &d, &probe) == O2W_OK;
    diags_free(&d);
    arena_free(&a);
    if (here)
        return 0;
    print_message("skipped: no ONNX Runtime 1.29 or newer here (tools/setup onnxruntime)\n");
    skip();
    return 0;
}

#endif
