/* Graph files with weight files beside them, in a temporary folder. */
#ifndef FORMAT_FILES_H
#define FORMAT_FILES_H

#include "fixture.h"

struct files {
    struct fixture f;
    struct temp_folder folder;
};

static inline void files_init(struct files *s)
{
    fixture_init(&s->f);
    temp_folder_create(&s->folder);
}

static inline void files_free(struct files *s)
{
    fixture_free(&s->f);
    temp_folder_remove(&s->folder);
}

static inline void put_text(struct files *s, const char *name, const char *text)
{
    temp_write(&s->folder, name, text, strlen(text));
}

/* An archive as it stands: the header's text and the data. */
static inline void put_archive(struct files *s, const char *name, const char *header,
                               const void *data, size_t size)
{
    size_t length = strlen(header);
    uint8_t *bytes = arena_alloc(&s->f.arena, 8 + length + size, 1);
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)((uint64_t)length >> (8 * i));
    memcpy(bytes + 8, header, length);
    if (size)
        memcpy(bytes + 8 + length, data, size);
    temp_write(&s->folder, name, bytes, 8 + length + size);
}

/* Reads NAME of the folder. */
static inline o2w_status read_file(struct files *s, const char *name)
{
    graph_free(s->f.graph);
    s->f.graph = NULL;
    diags_free(&s->f.diags);
    diags_init(&s->f.diags, NULL);
    return format_read(temp_path(&s->folder, name), &s->f.options, NULL, &s->f.diags, &s->f.graph);
}

static inline void assert_reads(struct files *s, const char *name, size_t notes)
{
    o2w_status status = read_file(s, name);
    if (status != O2W_OK || s->f.diags.count != notes)
        print_message("%s", diags_text(&s->f.diags, &s->f.arena));
    assert_ok(status);
    assert_int_equal(s->f.diags.count, notes);
}

/* The message contains `text`. */
static inline void assert_fails(struct files *s, const char *name, enum diag_code code,
                                const char *text)
{
    assert_int_not_equal(read_file(s, name), O2W_OK);
    if (s->f.diags.newest->code != code || !strstr(s->f.diags.newest->message, text))
        print_message("%s", diags_text(&s->f.diags, &s->f.arena));
    assert_int_equal(s->f.diags.newest->code, code);
    assert_non_null(strstr(s->f.diags.newest->message, text));
}

/* The bytes of the constant number `index`. */
static inline void assert_constant(struct files *s, size_t index, const void *bytes, size_t size)
{
    struct tensor t;
    assert_ok(graph_constant(s->f.graph, s->f.graph->constants.items[index], &s->f.arena,
                             &s->f.diags, &t));
    assert_int_equal(tensor_bytes(&t), size);
    assert_memory_equal(t.data, bytes, size);
}

/* A graph whose only constant is `name`, of this type and with this reference. */
#define WITH_CONST(type, ref)                                                \
    "webnn_graph \"g\" v1 {\n" X_IN "\nconsts { k: " type " @weights(\"" ref \
    "\"); }\nnodes { y = relu(x); }\n" Y_OUT "\n}\n"

#endif
