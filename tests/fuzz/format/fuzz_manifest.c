/* The manifest of a weight blob. */
#include "fuzz/fuzz.h"

#include "format/format.h"
#include "scratch_file.h"

#include <stdio.h>
#include <string.h>

static const char graph[] =
    "webnn_graph \"g\" v1 { inputs { x: f32[2]; } consts { w: f32[2]; q: u4[3]; a.b: i64[]; }"
    " nodes { y = add(x, w); } outputs { y; } }";

static struct scratch manifest = { .path = P_tmpdir "/fuzz-manifest-XXXXXX", .descriptor = -1 };
static struct scratch blob = { .path = P_tmpdir "/fuzz-blob-XXXXXX", .descriptor = -1 };

static void remove_files(void)
{
    unlink(manifest.path);
    unlink(blob.path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct graph *g = NULL;
    struct format_read_options options = { .weights = blob.path, .manifest = manifest.path };
    if (manifest.descriptor < 0) {
        uint8_t bytes[64] = "WGWT\1\0\0\0";
        scratch_open(&manifest);
        scratch_open(&blob);
        scratch_write(&blob, bytes, sizeof bytes);
        atexit(remove_files);
    }
    scratch_write(&manifest, data, size);
    struct span text = { (const uint8_t *)graph, strlen(graph) };
    if (format_read_bytes(text, "g.webnn", NULL, &options, NULL, NULL, &g) == O2W_OK)
        graph_free(g);
    return 0;
}
