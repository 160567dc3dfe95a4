/* What the fuzz targets of graph files share. */
#ifndef FUZZ_GRAPH_ROUNDTRIP_H
#define FUZZ_GRAPH_ROUNDTRIP_H

#include "format/format.h"

#include <stdlib.h>
#include <string.h>

/* The canonical form of a graph; data is NULL when it can't be written. */
static inline struct span canonical(const struct graph *g, enum format_kind kind,
                                    struct arena *arena)
{
    struct format_write_options options = { .names = FORMAT_NAMES_ALL, .kind = kind };
    struct span text = { 0 };
    return format_print(g, &options, SPAN("g"), arena, NULL, &text) == O2W_OK ? text
                                                                              : (struct span){ 0 };
}

static inline int holds(struct span text, const char *part)
{
    return text.data && memmem(text.data, text.size, part, strlen(part)) != NULL;
}

/* Reads; what was read must be written, and read and written again without a change. */
static inline int read_and_return(const uint8_t *data, size_t size, const char *name,
                                  enum format_kind kind)
{
    struct graph *g = NULL, *again = NULL;
    struct arena arena;
    struct span input = { data, size };
    arena_init(&arena, NULL);
    if (format_read_bytes(input, name, NULL, NULL, NULL, NULL, &g) == O2W_OK) {
        struct span text = canonical(g, kind, &arena);
        int external = holds(text, "@weights(") || holds(text, "\"kind\": \"weights\"");
        if (text.data && !external) {
            struct format_read_options strict = { .strict = true };
            if (format_read_bytes(text, name, NULL, &strict, NULL, NULL, &again) != O2W_OK)
                abort();
            struct span second = canonical(again, kind, &arena);
            if (!second.data || !span_equal(text, second))
                abort();
        }
    }
    graph_free(again);
    graph_free(g);
    arena_free(&arena);
    return 0;
}

#endif
