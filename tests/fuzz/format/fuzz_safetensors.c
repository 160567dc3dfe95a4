/* An archive, as the weights of a graph. */
#include "fuzz/fuzz.h"

#include "format/format.h"

static const char graph[] =
    "webnn_graph \"g\" v1 { inputs { x: f32[2]; } consts { w: f32[2]; b: u8[3]; q: u4[3]; a.b: i64[]; }"
    " nodes { y = add(x, w); } outputs { y; } }";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct file *archive;
    struct graph *g = NULL;
    struct arena arena;
    arena_init(&arena, NULL);
    if (file_from_bytes((struct span){ data, size }, "g.safetensors", NULL, &archive) != O2W_OK)
        return 0;
    if (format_read_bytes(span_of(graph), "g.webnn", archive, NULL, NULL, NULL, &g) == O2W_OK)
        for (size_t i = 0; i < g->constants.count; i++) {
            struct tensor t;
            (void)graph_constant(g, g->constants.items[i], &arena, NULL, &t);
        }
    graph_free(g);
    file_release(archive);
    arena_free(&arena);
    return 0;
}
