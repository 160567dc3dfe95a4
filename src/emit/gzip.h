/* Compressing with zlib, which is loaded when it is asked for. */
#ifndef EMIT_GZIP_H
#define EMIT_GZIP_H

#include "base/arena.h"

/* The bytes as a gzip file in the arena; empty where there is no zlib, or no memory for it: they go as they are. */
struct span gzip_of(struct span bytes, struct arena *arena);

#endif
