/* The copy of the source in the ONNX cache: the model, and all its external data as one file beside it. */
#include "convert/conversion.h"

#include "base/number.h"
#include "onnx/proto.h"
#include "wire/rewrite.h"

#include <stdio.h>
#include <string.h>

/* Where an external file begins in the one that holds them all: file systems share whole blocks. */
enum { BLOCK = 4096 };

struct placed_file {
    struct file *file;
    uint64_t begin;
};

struct copying {
    const struct onnx_model *model;
    struct arena *arena;
    struct diags *diags;
    const char *data_name; /* of the file with all data */
    struct placed_file *files;
    size_t file_count;
    struct map places; /* location → 1 + index of its file, 0: not there */
    /* Of the tensor that is being rewritten: */
    const struct placed_file *current;
    struct span tensor;
    bool written;
    o2w_status status;
};

/* --- layout ---------------------------------------------------------------------------------------------- */

static o2w_status place_files(struct copying *c)
{
    size_t count;
    uint64_t end = 0;
    struct file *const *files = onnx_model_files(c->model, &count);
    c->files = ARENA_ARRAY(c->arena, count, struct placed_file);
    if (!c->files)
        return diag_memory(c->diags);
    for (size_t i = 0; i < count; i++) {
        end = (end + BLOCK - 1) / BLOCK * BLOCK;
        c->files[c->file_count++] = (struct placed_file){ files[i], end };
        end += files[i]->size;
    }
    return O2W_OK;
}

static uint32_t index_of(const struct copying *c, const struct file *f)
{
    for (size_t i = 0; i < c->file_count; i++)
        if (c->files[i].file->device == f->device && c->files[i].file->inode == f->inode)
            return (uint32_t)i + 1;
    return 0;
}

/* NULL when the file of a location was missing: its tensors are left as they are. */
static const struct placed_file *find_place(struct copying *c, struct span location)
{
    uint32_t *index;
    bool added;
    char *folder = arena_text(c->arena, path_folder(span_of(c->model->file->path)));
    if (!folder || map_insert(&c->places, location, 0, &index, &added) != O2W_OK) {
        c->status = O2W_NO_MEMORY;
        return NULL;
    }
    if (added) {
        struct file *f;
        if (file_open_inside(*folder ? folder : ".", location, NULL, NULL, &f) == O2W_OK) {
            *index = index_of(c, f);
            file_release(f);
        }
    }
    return *index ? &c->files[*index - 1] : NULL;
}

/* --- the model ------------------------------------------------------------------------------------------- */

struct entry {
    struct span key, value;
};

static struct entry read_entry(const struct wire_reader *field)
{
    struct entry e = { { NULL, 0 }, { NULL, 0 } };
    struct wire_message m = { .bytes = field->bytes };
    struct wire_reader r = wire_read(field->source, &m, &proto_entry);
    while (wire_next(&r))
        *(r.field == ENTRY_KEY ? &e.key : &e.value) = r.bytes;
    return e;
}

/* The location of a tensor whose data is external; empty for others. */
static struct span external_location(const struct wire_reader *field)
{
    struct span location = { 0 };
    bool external = false;
    struct wire_message m = { .bytes = field->bytes };
    struct wire_reader r = wire_read(field->source, &m, &proto_tensor);
    while (wire_next(&r)) {
        external |= r.field == TENSOR_DATA_LOCATION && r.number == 1;
        if (r.field != TENSOR_EXTERNAL_DATA)
            continue;
        struct entry e = read_entry(&r);
        if (span_is(e.key, "location"))
            location = e.value;
    }
    return external ? location : (struct span){ 0 };
}

static void put_entry(struct wire_writer *w, struct span key, struct span value)
{
    size_t begun = wire_begin(w, TENSOR_EXTERNAL_DATA);
    wire_put_bytes(w, ENTRY_KEY, key);
    wire_put_bytes(w, ENTRY_VALUE, value);
    wire_end(w, begun);
}

/* All entries of the current tensor, location and offset changed. */
static void put_entries(struct copying *c, const struct wire_reader *field, struct wire_writer *w)
{
    char text[NUMBER_TEXT];
    uint64_t offset = 0;
    struct wire_message m = { .bytes = c->tensor };
    struct wire_reader r = wire_read(field->source, &m, &proto_tensor);
    while (wire_next(&r)) {
        if (r.field != TENSOR_EXTERNAL_DATA)
            continue;
        struct entry e = read_entry(&r);
        if (span_is(e.key, "location"))
            put_entry(w, e.key, span_of(c->data_name));
        else if (span_is(e.key, "offset"))
            (void)number_parse_u64(e.value, &offset);
        else
            put_entry(w, e.key, e.value);
    }
    number_print_u64(offset + c->current->begin, text);
    put_entry(w, SPAN("offset"), span_of(text));
}

static enum wire_action visit(void *user, const struct wire_reader *r, struct wire_writer *w)
{
    struct copying *c = user;
    const struct wire_schema *message = r->schema->fields[r->field].message;
    if (r->schema == &proto_tensor && r->field == TENSOR_EXTERNAL_DATA) {
        if (!c->written)
            put_entries(c, r, w);
        c->written = true;
        return WIRE_DROP;
    }
    if (message == &proto_tensor) {
        struct span location = external_location(r);
        c->current = location.size ? find_place(c, location) : NULL;
        c->tensor = r->bytes;
        c->written = false;
        return c->current ? WIRE_ENTER : WIRE_KEEP;
    }
    bool holds_tensors = message == &proto_graph || message == &proto_node ||
                         message == &proto_attribute || message == &proto_function ||
                         message == &proto_sparse_tensor;
    return holds_tensors ? WIRE_ENTER : WIRE_KEEP;
}

static o2w_status rewrite_model(struct copying *c, struct wire_writer *w, struct span *out)
{
    struct span bytes;
    TRY(file_bytes(c->model->file, c->diags, &bytes));
    struct wire_source source = { .file = bytes,
                                  .name = span_of(c->model->file->path),
                                  .diags = c->diags };
    struct wire_visitor visitor = { visit, c };
    TRY(wire_rewrite(&source, bytes, &proto_model, &visitor, w));
    if (c->status != O2W_OK || wire_written(w, out) != O2W_OK)
        return diag_memory(c->diags);
    return O2W_OK;
}

/* --- files ------------------------------------------------------------------------------------------------ */

static o2w_status end_file(struct file_writer *w, o2w_status s, bool sync, struct diags *d)
{
    if (s == O2W_OK)
        return file_commit(w, sync, d);
    file_discard(w);
    return s;
}

static o2w_status write_data(const struct copying *c, const char *path, bool sync)
{
    static const uint8_t zeros[BLOCK];
    struct file_writer *w;
    TRY(file_create(path, NULL, c->diags, &w));
    o2w_status s = O2W_OK;
    for (size_t i = 0; s == O2W_OK && i < c->file_count; i++) {
        const struct placed_file *p = &c->files[i];
        s = file_write(w, zeros, (size_t)(p->begin - file_written(w)), c->diags);
        if (s == O2W_OK)
            s = file_write_from(w, p->file, 0, p->file->size, c->diags);
    }
    return end_file(w, s, sync, c->diags);
}

static o2w_status write_rewritten(struct copying *c, const char *path, bool sync)
{
    struct wire_writer message;
    struct file_writer *w = NULL;
    struct span bytes = { 0 };
    wire_writer_init(&message, c->arena->allocator);
    map_init(&c->places, c->arena->allocator);
    o2w_status s = rewrite_model(c, &message, &bytes);
    if (s == O2W_OK)
        s = file_create(path, NULL, c->diags, &w);
    if (s == O2W_OK && w)
        s = end_file(w, file_write(w, bytes.data, bytes.size, c->diags), sync, c->diags);
    map_free(&c->places);
    wire_writer_free(&message);
    return s;
}

static o2w_status copy_model(const struct copying *c, const char *path, bool sync)
{
    struct file_writer *w;
    struct file *f = c->model->file;
    TRY(file_create(path, NULL, c->diags, &w));
    return end_file(w, file_write_from(w, f, 0, f->size, c->diags), sync, c->diags);
}

o2w_status cache_source(const struct onnx_model *m, const char *name, bool sync, struct arena *a,
                        struct diags *d, const char **out)
{
    const char *folder;
    struct copying c = { .model = m, .arena = a, .diags = d };
    TRY(cache_folder(O2W_CACHE_ONNX, true, a, d, &folder));
    const char *path = arena_printf(a, "%s/%s.onnx", folder, name),
               *data = arena_printf(a, "%s/%s.onnx.data", folder, name);
    c.data_name = arena_printf(a, "%s.onnx.data", name);
    if (!path || !data || !c.data_name)
        return diag_memory(d);
    TRY(place_files(&c));
    if (c.file_count) {
        TRY(write_data(&c, data, sync));
        TRY(write_rewritten(&c, path, sync));
    } else {
        TRY(copy_model(&c, path, sync));
        (void)remove(data); /* of an earlier model at this path */
    }
    *out = path;
    return O2W_OK;
}
