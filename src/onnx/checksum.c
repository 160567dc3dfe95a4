#include "base/system.h"
#include "onnx/decode.h"
#include "onnx/sha1.h"

enum { BLOCK = 1 << 20 };

static o2w_status digest_file(struct file *f, uint8_t *block, struct diags *d, char text[41])
{
    struct sha1 s;
    uint8_t digest[20];
    sha1_begin(&s);
    for (uint64_t at = 0; at < f->size;) {
        size_t size = f->size - at < BLOCK ? (size_t)(f->size - at) : BLOCK;
        TRY(file_read(f, at, block, size, d));
        sha1_add(&s, block, size);
        at += size;
    }
    sha1_end(&s, digest);
    hex_print(digest, sizeof digest, text);
    return O2W_OK;
}

/* Each file is digested once: `last` is the one that `text` belongs to. */
static o2w_status verify(const struct onnx_model *m, uint8_t *block, struct diags *d)
{
    char text[41] = "";
    const struct file *last = NULL;
    for (size_t i = 0; i < m->store->externals.count; i++) {
        const struct onnx_tensor *t = m->store->externals.items[i];
        if (!t->external->file || t->external->checksum.size == 0)
            continue;
        if (t->external->file != last)
            TRY(digest_file(t->external->file, block, d, text));
        last = t->external->file;
        if (!span_is(t->external->checksum, text))
            return diag_error(d, DIAG_MODEL_EXTERNAL_DATA,
                              "tensor '%.*s': checksum of '%.*s' is %s, must be %.*s",
                              SPAN_ARG(onnx_name(m, t->name)), SPAN_ARG(t->external->location),
                              text, SPAN_ARG(t->external->checksum));
    }
    return O2W_OK;
}

o2w_status onnx_external_verify(const struct onnx_model *m, struct diags *d)
{
    uint8_t *block = mem_alloc(m->store->allocator, BLOCK);
    if (!block)
        return diag_memory(d);
    o2w_status status = verify(m, block, d);
    mem_free(m->store->allocator, block, BLOCK);
    return status;
}
