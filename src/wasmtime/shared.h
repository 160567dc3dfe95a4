/* Shared memories of core modules. */
#ifndef WASMTIME_SHARED_H
#define WASMTIME_SHARED_H

#include "base/span.h"

/* The pages of 64 KiB that the shared memories of a binary core module grow to at most. False: its memories cannot be
 * told. */
bool shared_pages(struct span module, uint64_t *pages);

#endif
