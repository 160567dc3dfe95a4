/* Graphs over all operators, written as every file of this project is: interop-graphs FOLDER COUNT
 * makes FOLDER/0.webnn, FOLDER/0.json … with their archives. The same COUNT gives the same files. */
#include "support/random_graph.h"

#include "format/format.h"

#include <stdio.h>
#include <stdlib.h>

static o2w_status write_graph(uint64_t seed, const char *folder, struct arena *arena,
                              struct diags *d)
{
    struct random_graph_options options = { .seed = seed,
                                            .operators = 1 + (uint32_t)seed % 12,
                                            .dynamic = seed % 3 == 0,
                                            .empty = seed % 4 == 0,
                                            .strange_names = seed % 2 == 0,
                                            .directives = seed % 5 < 3 };
    struct graph *graph = NULL;
    TRY(random_graph(&options, NULL, d, NULL, &graph));
    o2w_status status = O2W_OK;
    static const char *const forms[] = { "webnn", "json" };
    for (int i = 0; i < 2 && status == O2W_OK; i++) {
        char path[4096];
        struct format_written written;
        snprintf(path, sizeof path, "%s/%llu.%s", folder, (unsigned long long)seed, forms[i]);
        status = format_write(graph, path, NULL, arena, d, &written);
    }
    graph_free(graph);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: interop-graphs FOLDER COUNT\n");
        return 2;
    }
    struct diags diags;
    struct arena arena;
    diags_init(&diags, NULL);
    arena_init(&arena, NULL);
    o2w_status status = O2W_OK;
    for (uint64_t seed = 0; status == O2W_OK && seed < strtoull(argv[2], NULL, 10); seed++)
        status = write_graph(seed, argv[1], &arena, &diags);
    if (status != O2W_OK)
        fprintf(stderr, "interop-graphs: %s\n",
                diags.newest ? diags.newest->message : "out of memory");
    arena_free(&arena);
    diags_free(&diags);
    return status == O2W_OK ? 0 : 1;
}
