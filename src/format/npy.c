/* numpy's `.npy` files. */
#include "format/npy.h"

#include "base/checked.h"
#include "base/number.h"
#include "base/text.h"

#include <string.h>

enum { PREFIX_1 = 10, PREFIX_2 = 12, ALIGNMENT = 64, HEADER_MAX = 65536, GROWTH_DIGITS = 21 };

static const uint8_t magic[6] = { 0x93, 'N', 'U', 'M', 'P', 'Y' };

static const struct npy_kind {
    const char *descr;
    enum dtype dtype;
} kinds[] = {
    { "<f4", DTYPE_FLOAT32 }, { "<f2", DTYPE_FLOAT16 }, { "<f8", DTYPE_FLOAT64 },
    { "|b1", DTYPE_BOOL },    { "|i1", DTYPE_INT8 },    { "<i2", DTYPE_INT16 },
    { "<i4", DTYPE_INT32 },   { "<i8", DTYPE_INT64 },   { "|u1", DTYPE_UINT8 },
    { "<u2", DTYPE_UINT16 },  { "<u4", DTYPE_UINT32 },  { "<u8", DTYPE_UINT64 },
};

static const struct npy_kind *kind_of(enum dtype t)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].dtype == t)
            return &kinds[i];
    return NULL;
}

bool npy_has_dtype(enum dtype t)
{
    return kind_of(t) != NULL;
}

/* ---- reading: the header is a Python dict literal with three known keys ---- */

struct header {
    const char *path;
    struct diags *diags;
    struct span text;
    size_t at;
    struct tensor *tensor;
    bool has_descr, has_order, has_shape;
};

static o2w_status broken(const struct header *h, const char *what)
{
    o2w_status status = diag_error(h->diags, DIAG_NPY_HEADER, "%s: %s", h->path, what);
    diag_position(h->diags, span_of(h->path), (int64_t)h->at, -1, -1);
    return status;
}

static int peek(struct header *h)
{
    while (h->at < h->text.size && (h->text.data[h->at] == ' ' || h->text.data[h->at] == '\n'))
        h->at++;
    return h->at < h->text.size ? h->text.data[h->at] : -1;
}

static bool take(struct header *h, int c)
{
    if (peek(h) != c)
        return false;
    h->at++;
    return true;
}

static o2w_status read_quoted(struct header *h, struct span *out)
{
    int quote = peek(h);
    if (quote != '\'' && quote != '"')
        return broken(h, "header: expected a quoted text");
    size_t start = ++h->at;
    while (h->at < h->text.size && h->text.data[h->at] != quote)
        h->at++;
    if (h->at == h->text.size)
        return broken(h, "header: a text isn't closed");
    *out = (struct span){ h->text.data + start, h->at++ - start };
    return O2W_OK;
}

static o2w_status read_descr(struct header *h)
{
    struct span descr = { 0 };
    if (peek(h) == '[')
        return diag_error(h->diags, DIAG_NPY_DTYPE, "%s: structured arrays are not supported",
                          h->path);
    TRY(read_quoted(h, &descr));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (span_is(descr, kinds[i].descr)) {
            h->tensor->dtype = kinds[i].dtype;
            h->has_descr = true;
            return O2W_OK;
        }
    bool big = descr.size > 0 && descr.data[0] == '>';
    return diag_error(
        h->diags, DIAG_NPY_DTYPE,
        "%s: dtype '%.*s' is not supported%s: allowed are little-endian bool, int and uint of 8 to 64 bits, "
        "float16, float32, float64",
        h->path, SPAN_ARG(descr), big ? " (big endian)" : "");
}

static o2w_status read_order(struct header *h, bool *fortran)
{
    struct span rest = { h->text.data + h->at, h->text.size - h->at };
    *fortran = span_starts(rest, SPAN("True"));
    if (!*fortran && !span_starts(rest, SPAN("False")))
        return broken(h, "header: fortran_order must be True or False");
    h->at += *fortran ? 4 : 5;
    h->has_order = true;
    return O2W_OK;
}

static o2w_status read_shape(struct header *h)
{
    if (!take(h, '('))
        return broken(h, "header: shape must be a tuple");
    while (!take(h, ')')) {
        size_t start = h->at;
        while (h->at < h->text.size && h->text.data[h->at] >= '0' && h->text.data[h->at] <= '9')
            h->at++;
        int64_t size;
        if (number_parse_i64((struct span){ h->text.data + start, h->at - start }, &size) != O2W_OK)
            return broken(h, "header: shape must hold integers from 0");
        if (h->tensor->rank == MAX_RANK)
            return diag_error(h->diags, DIAG_LIMIT, "%s: rank %u exceeds the limit %u", h->path,
                              MAX_RANK + 1u, (unsigned)MAX_RANK);
        h->tensor->dims[h->tensor->rank++] = size;
        if (!take(h, ',') && peek(h) != ')')
            return broken(h, "header: expected ',' or ')' in shape");
    }
    h->has_shape = true;
    return O2W_OK;
}

static o2w_status read_member(struct header *h, bool *fortran)
{
    struct span key = { 0 };
    TRY(read_quoted(h, &key));
    if (!take(h, ':'))
        return broken(h, "header: expected ':'");
    (void)peek(h);
    if (span_is(key, "descr"))
        TRY(read_descr(h));
    else if (span_is(key, "fortran_order"))
        TRY(read_order(h, fortran));
    else if (span_is(key, "shape"))
        TRY(read_shape(h));
    else
        return broken(h, "header: unknown key");
    if (!take(h, ',') && peek(h) != '}')
        return broken(h, "header: expected ',' or '}'");
    return O2W_OK;
}

static o2w_status read_dict(struct header *h)
{
    bool fortran = false;
    if (!take(h, '{'))
        return broken(h, "header: expected '{'");
    while (!take(h, '}'))
        TRY(read_member(h, &fortran));
    if (!h->has_descr || !h->has_order || !h->has_shape)
        return broken(h, "header: needs descr, fortran_order and shape");
    if (fortran && h->tensor->rank > 1)
        return diag_error(h->diags, DIAG_NPY_DTYPE,
                          "%s: Fortran order is not supported, C order is", h->path);
    return O2W_OK;
}

/* Where the header's text begins and ends. */
static o2w_status read_prefix(struct file *f, struct header *h, struct arena *a)
{
    uint8_t prefix[PREFIX_2];
    if (f->size < PREFIX_1)
        return broken(h, "not an npy file: too short");
    TRY(file_read(f, 0, prefix, f->size < PREFIX_2 ? PREFIX_1 : PREFIX_2, h->diags));
    if (memcmp(prefix, magic, sizeof magic) != 0)
        return broken(h, "not an npy file");
    if (prefix[6] < 1 || prefix[6] > 3 || (prefix[6] > 1 && f->size < PREFIX_2))
        return broken(h, "not an npy file of version 1, 2 or 3");
    size_t start = prefix[6] == 1 ? PREFIX_1 : PREFIX_2;
    size_t length = prefix[8] | (size_t)prefix[9] << 8;
    if (start == PREFIX_2)
        length |= (size_t)prefix[10] << 16 | (size_t)prefix[11] << 24;
    if (length > HEADER_MAX || length > f->size - start)
        return broken(h, "header length is past the end of the file");
    uint8_t *text = arena_alloc(a, start + length, 1);
    if (!text)
        return diag_memory(h->diags);
    TRY(file_read(f, 0, text, start + length, h->diags));
    h->text = (struct span){ text, start + length };
    h->at = start;
    return O2W_OK;
}

static o2w_status read_data(struct file *f, const struct header *h, struct arena *a)
{
    struct tensor *t = h->tensor;
    uint64_t count, bytes;
    if (!dims_count(t->dims, t->rank, &count) || !dtype_bytes(t->dtype, count, &bytes))
        return broken(h, "shape has no size in bytes");
    if (bytes != f->size - h->text.size) {
        char what[128];
        text_format(what, sizeof what, "holds %llu bytes of data, dtype and shape need %llu",
                    (unsigned long long)(f->size - h->text.size), (unsigned long long)bytes);
        return broken(h, what);
    }
    t->data = arena_alloc(a, bytes, ALIGNMENT);
    if (!t->data)
        return diag_memory(h->diags);
    return file_read(f, h->text.size, t->data, bytes, h->diags);
}

o2w_status npy_read(const char *path, struct arena *a, struct diags *d, struct tensor *out)
{
    struct file *f;
    struct tensor t = { 0 };
    struct header h = { .path = path, .diags = d, .tensor = &t };
    TRY(file_open(path, a->allocator, d, &f));
    o2w_status status = read_prefix(f, &h, a);
    if (status == O2W_OK)
        status = read_dict(&h);
    if (status == O2W_OK)
        status = read_data(f, &h, a);
    file_release(f);
    if (status == O2W_OK)
        *out = t;
    return status;
}

/* ---- writing ---- */

/* The dict, with numpy's room for the first dim to grow. */
static size_t print_dict(const struct tensor *t, char *text, size_t size)
{
    int n = text_format(text, size, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                        kind_of(t->dtype)->descr);
    size_t at = (size_t)n, room = 0;
    for (uint32_t i = 0; i < t->rank; i++) {
        char digits[NUMBER_TEXT];
        size_t length = number_print_i64(t->dims[i], digits);
        if (i == 0)
            room = GROWTH_DIGITS - length;
        at += (size_t)text_format(text + at, size - at, "%s%s%s", i ? ", " : "", digits,
                                  t->rank == 1 ? "," : "");
    }
    at += (size_t)text_format(text + at, size - at, "), }");
    memset(text + at, ' ', room);
    return at + room;
}

static o2w_status write_header(struct file_writer *w, const struct tensor *t, struct diags *d)
{
    char text[PREFIX_1 + 64 + MAX_RANK * NUMBER_TEXT + GROWTH_DIGITS + ALIGNMENT];
    size_t length =
        print_dict(t, text + PREFIX_1, sizeof text - PREFIX_1 - ALIGNMENT - GROWTH_DIGITS);
    size_t padding = ALIGNMENT - (PREFIX_1 + length + 1) % ALIGNMENT;
    memset(text + PREFIX_1 + length, ' ', padding);
    length += padding;
    text[PREFIX_1 + length++] = '\n';
    memcpy(text, magic, sizeof magic);
    text[6] = 1;
    text[7] = 0;
    text[8] = (char)(length & 255);
    text[9] = (char)(length >> 8);
    return file_write(w, text, PREFIX_1 + length, d);
}

o2w_status npy_write(const char *path, const struct tensor *t, const o2w_allocator *allocator,
                     struct diags *d)
{
    struct file_writer *w;
    if (!npy_has_dtype(t->dtype)) {
        o2w_status status =
            diag_error(d, DIAG_NPY_DTYPE, "%s: %s has no npy form", path, dtype_name(t->dtype));
        diag_hint(d, "write a .safetensors archive");
        return status;
    }
    TRY(file_create(path, allocator, d, &w));
    o2w_status status = write_header(w, t, d);
    if (status == O2W_OK)
        status = file_write(w, t->data, tensor_bytes(t), d);
    if (status == O2W_OK)
        return file_commit(w, false, d);
    file_discard(w);
    return status;
}
