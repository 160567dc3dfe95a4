/* Manifests of a sweep: any bytes are read or refused; what is read has what later steps rely on. */
#include "fuzz/fuzz.h"

#include <stdlib.h>

#include "base/file.h"
#include "sweep/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    o2w_manifest m = { 0 };
    struct diags d;
    arena_init(&m.arena, NULL);
    diags_init(&d, NULL);
    o2w_status s = manifest_parse(&m, (struct span){ data, size }, "m.json", &d);
    if ((s == O2W_OK) == (d.errors > 0))
        abort();
    for (size_t i = 0; s == O2W_OK && i < m.count; i++) {
        const struct manifest_entry *e = &m.entries[i];
        if (!e->label || !e->repository || path_unsafe(span_of(e->path)) ||
            (e->sha256 && !e->revision))
            abort();
    }
    diags_free(&d);
    arena_free(&m.arena);
    return 0;
}
