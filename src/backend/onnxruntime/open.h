/* Opening the engine: options and providers. */
#ifndef BACKEND_ONNXRUNTIME_OPEN_H
#define BACKEND_ONNXRUNTIME_OPEN_H

#include "backend/onnxruntime/engine.h"

/* One engine over the runtime: with the CPU provider alone, or with another one in front of it. */
struct runtime_provider {
    const char *id, *provider; /* provider NULL: the CPU provider */
    const char *device;        /* kind of device that it is for */
    const char *needs;
};

extern const struct backend_option_row onnxruntime_options[];
enum { ONNXRUNTIME_OPTION_COUNT = 6 };

void onnxruntime_limits(struct limits *out);
o2w_status onnxruntime_probe(const struct runtime_provider *p, struct arena *a, struct diags *d,
                             struct backend_probe *out);
o2w_status onnxruntime_open(const struct runtime_provider *p,
                            const struct backend_settings *settings, struct diags *d,
                            struct engine **out);
void onnxruntime_close(struct engine *e);

#endif
