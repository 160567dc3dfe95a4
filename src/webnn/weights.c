#include "base/checked.h"
#include "base/system.h"
#include "webnn/graph.h"
#include "webnn/graph_private.h"

#include <string.h>

/* Bytes of one block, before and after its transform. */
enum {
    ZEROS_SHARED = 1 << 20,
    BLOCK = 32 * 1024,
    COMPARE_BLOCK = 16 * 1024,
    WINDOW = 4096,
    WINDOW_ALIGN = 64
};

static uint32_t bits_of(enum dtype t)
{
    return dtype_info(t)->bits;
}

/* Fits: checked when the weight was added. */
static uint64_t bytes_of(enum dtype t, uint64_t count)
{
    uint64_t bytes = 0;
    dtype_bytes(t, count, &bytes);
    return bytes;
}

uint64_t weight_bytes(const struct weight *w)
{
    return bytes_of(w->dtype, w->count);
}

/* Whether the last byte holds a nibble that belongs to no element. */
static bool has_spare_nibble(const struct weight *w)
{
    return bits_of(w->dtype) == 4 && (w->count & 1);
}

bool weight_is_file_range(const struct weight *w)
{
    return w->source == WEIGHT_FILE && w->transform == WEIGHT_COPY && !has_spare_nibble(w);
}

/* ---- identity ---- */

static bool is_real(const struct file *f)
{
    return f && f->descriptor >= 0;
}

static bool same_file(const struct file *a, const struct file *b)
{
    return a == b || (is_real(a) && is_real(b) && a->device == b->device && a->inode == b->inode &&
                      a->size == b->size && a->mtime_ns == b->mtime_ns);
}

static uint64_t splat_bits(const struct weight *w)
{
    uint64_t bits = 0;
    memcpy(&bits, w->bytes, (bits_of(w->from) + 7) / 8);
    return bits_of(w->from) < 8 ? bits & ((1u << bits_of(w->from)) - 1) : bits;
}

void weight_identity(const struct weight *w, uint64_t words[WEIGHT_IDENTITY])
{
    memset(words, 0, WEIGHT_IDENTITY * sizeof *words);
    words[0] = (uint64_t)w->source | (uint64_t)w->transform << 8 | (uint64_t)w->dtype << 16 |
               (uint64_t)w->from << 24 | (uint64_t)(w->transform == WEIGHT_XOR ? w->flip : 0) << 32;
    words[1] = w->count;
    if (w->source == WEIGHT_SPLAT)
        words[2] = splat_bits(w);
    if (w->source != WEIGHT_FILE)
        return;
    words[2] = w->offset;
    words[3] = w->length;
    words[4] = is_real(w->file) ? w->file->device : (uint64_t)(uintptr_t)w->file;
    words[5] = w->file->inode;
    words[6] = w->file->mtime_ns;
    words[7] = is_real(w->file) ? w->file->size : UINT64_MAX;
}

static const char *transform_fault(const struct weight *w)
{
    switch (w->transform) {
    case WEIGHT_COPY: return w->from == w->dtype ? NULL : "its stored elements have another type";
    case WEIGHT_XOR:
        return bits_of(w->from) == bits_of(w->dtype) ? NULL
                                                     : "its stored elements have another width";
    case WEIGHT_CONVERT: break;
    }
    struct tensor from = { .dtype = w->from, .rank = 1 }, to = { .dtype = w->dtype, .rank = 1 };
    return tensor_convert(&from, &to) == O2W_OK ? NULL : "its stored elements can't be converted";
}

const char *weight_fault(const struct weight *w)
{
    uint64_t stored, final, end;
    if (bits_of(w->dtype) == 0 || bits_of(w->from) == 0)
        return "its elements have no fixed size";
    if (!dtype_bytes(w->from, w->count, &stored) || !dtype_bytes(w->dtype, w->count, &final) ||
        stored > INT64_MAX)
        return "its size overflows";
    if (w->source == WEIGHT_FILE && (!w->file || w->length != stored))
        return "its stored length is not that of its elements";
    if (w->source == WEIGHT_FILE && (!add_u64(w->offset, w->length, &end) || end > w->file->size))
        return "its bytes lie outside the file";
    if ((w->source == WEIGHT_SPLAT || (w->source == WEIGHT_BYTES && stored > 0)) && !w->bytes)
        return "it has no bytes";
    if (w->source == WEIGHT_SPLAT && bits_of(w->from) > 64)
        return "its element is too wide";
    return transform_fault(w);
}

/* ---- blocks ---- */

/* Elements that fit into `size` bytes before and after the transform, a multiple of 64. */
static uint64_t block_elements(const struct weight *w, size_t size)
{
    uint32_t bits = bits_of(w->from) > bits_of(w->dtype) ? bits_of(w->from) : bits_of(w->dtype);
    return (uint64_t)size * 8 / bits / 64 * 64;
}

/* The element of a splat `count` times, as it is stored. */
static void fill_splat(const struct weight *w, uint64_t count, uint8_t *out)
{
    uint32_t bits = bits_of(w->from);
    uint64_t element = splat_bits(w);
    for (; bits < 8; bits *= 2)
        element |= element << bits;
    size_t size = (size_t)bytes_of(w->from, count), width = bits / 8;
    for (size_t i = 0; i < size; i += width)
        memcpy(out + i, &element, width);
}

/* The stored bytes of elements [first, first + count): where they lie, or read into `buffer`. `first`
 * is a multiple of 8. */
static o2w_status stored_block(const struct weight *w, uint64_t first, uint64_t count,
                               uint8_t *buffer, struct diags *d, const uint8_t **out)
{
    uint64_t start = bytes_of(w->from, first);
    size_t size = (size_t)bytes_of(w->from, count);
    *out = buffer;
    switch (w->source) {
    case WEIGHT_FILE: return file_read(w->file, w->offset + start, buffer, size, d);
    case WEIGHT_BYTES: *out = size ? w->bytes + start : buffer; return O2W_OK;
    case WEIGHT_SPLAT: fill_splat(w, count, buffer); return O2W_OK;
    case WEIGHT_ZEROS: memset(buffer, 0, size); return O2W_OK;
    }
    return O2W_INTERNAL;
}

static o2w_status transform_block(const struct weight *w, const uint8_t *stored, uint64_t count,
                                  uint8_t *out)
{
    size_t size = (size_t)bytes_of(w->dtype, count);
    struct tensor from = {
        .dtype = w->from, .rank = 1, .dims = { (int64_t)count }, .data = (void *)(uintptr_t)stored
    };
    struct tensor to = { .dtype = w->dtype, .rank = 1, .dims = { (int64_t)count }, .data = out };
    switch (w->transform) {
    case WEIGHT_CONVERT: return tensor_convert(&from, &to);
    case WEIGHT_XOR:
        for (size_t i = 0; i < size; i++)
            out[i] = stored[i] ^ w->flip;
        return O2W_OK;
    case WEIGHT_COPY:
        if (size && stored != out)
            memcpy(out, stored, size);
        return O2W_OK;
    }
    return O2W_INTERNAL;
}

/* The final bytes of elements [first, first + count) in `out`; `first` is a multiple of 8. `scratch`
 * has room for their stored bytes. */
static o2w_status final_block(const struct weight *w, uint64_t first, uint64_t count,
                              uint8_t *scratch, uint8_t *out, struct diags *d)
{
    const uint8_t *stored;
    TRY(stored_block(w, first, count, w->transform == WEIGHT_COPY ? out : scratch, d, &stored));
    TRY(transform_block(w, stored, count, out));
    if (has_spare_nibble(w) && first + count == w->count && count > 0)
        out[bytes_of(w->dtype, count) - 1] &= 15;
    return O2W_OK;
}

o2w_status weight_stream(const struct weight *w,
                         o2w_status (*sink)(void *user, const void *data, size_t size), void *user,
                         struct diags *d)
{
    uint8_t scratch[BLOCK], block[BLOCK];
    uint64_t step = block_elements(w, BLOCK);
    for (uint64_t first = 0; first < w->count; first += step) {
        uint64_t count = w->count - first < step ? w->count - first : step;
        TRY(final_block(w, first, count, scratch, block, d));
        TRY(sink(user, block, (size_t)bytes_of(w->dtype, count)));
    }
    return O2W_OK;
}

/* ---- values ---- */

static size_t alignment_of(enum dtype t)
{
    size_t bytes = bits_of(t) / 8;
    return bytes == 0 ? 1 : bytes > 8 ? 8 : bytes;
}

/* The bytes as they lie in memory or in the mapping; NULL when they have to be computed. */
static o2w_status bytes_in_place(const struct weight *w, struct diags *d, const uint8_t **out)
{
    struct span all;
    *out = NULL;
    if (w->source == WEIGHT_ZEROS && w->transform != WEIGHT_XOR && weight_bytes(w) >= ZEROS_SHARED)
        *out = system_zeros(weight_bytes(w)); /* a missing file's: no memory for them */
    if (w->transform != WEIGHT_COPY || w->count == 0)
        return O2W_OK;
    if (w->source == WEIGHT_BYTES)
        *out = w->bytes;
    if (w->source == WEIGHT_FILE) {
        TRY(file_unchanged(w->file, d));
        TRY(file_bytes(w->file, d, &all));
        *out = all.data + w->offset;
    }
    if (*out && (uintptr_t)*out % alignment_of(w->dtype) != 0)
        *out = NULL;
    return O2W_OK;
}

static o2w_status append_bytes(void *user, const void *data, size_t size)
{
    uint8_t **end = user;
    memcpy(*end, data, size);
    *end += size;
    return O2W_OK;
}

o2w_status graph_constant(const struct graph *g, operand_id id, struct arena *a, struct diags *d,
                          struct tensor *out)
{
    const struct operand *o = graph_operand(g, id);
    const struct weight *w = graph_weight(g, id);
    const uint8_t *bytes;
    struct tensor t = { .dtype = o->dtype, .rank = o->rank };
    TRY(bytes_in_place(w, d, &bytes));
    if (bytes) {
        memcpy(t.dims, o->dims, o->rank * sizeof *o->dims);
        t.data = (void *)(uintptr_t)bytes;
        *out = t;
        return O2W_OK;
    }
    if (tensor_new(a, o->dtype, o->dims, o->rank, &t) != O2W_OK)
        return diag_memory(d);
    uint8_t *end = t.data;
    TRY(weight_stream(w, append_bytes, &end, d));
    *out = t;
    return O2W_OK;
}

/* ---- comparison ---- */

/* Starts of the windows, in final bytes; they overlap or touch in small weights. */
static void window_starts(uint64_t size, uint64_t starts[3])
{
    uint64_t last = size > WINDOW ? (size - WINDOW) / WINDOW_ALIGN * WINDOW_ALIGN : 0;
    starts[0] = 0;
    starts[1] = last / 2 / WINDOW_ALIGN * WINDOW_ALIGN;
    starts[2] = last;
}

enum { WINDOW_ROOM = WINDOW + WINDOW_ALIGN };

/* The final bytes of the window at `start`, which is a multiple of WINDOW_ALIGN: *size <= WINDOW_ROOM. */
static o2w_status read_window(const struct weight *w, uint64_t start, uint8_t out[WINDOW_ROOM],
                              struct diags *d, size_t *size)
{
    uint8_t scratch[WINDOW_ROOM];
    uint64_t first = start * 8 / bits_of(w->dtype),
             end = first + (uint64_t)WINDOW_ROOM * 8 / bits_of(w->dtype);
    uint64_t step = block_elements(w, WINDOW_ROOM);
    end = end < w->count ? end : w->count;
    *size = (size_t)bytes_of(w->dtype, end - first);
    for (uint64_t at = first; at < end; at += step) {
        uint64_t count = end - at < step ? end - at : step;
        TRY(final_block(w, at, count, scratch, out + bytes_of(w->dtype, at - first), d));
    }
    return O2W_OK;
}

static uint64_t mix(uint64_t key, uint64_t value)
{
    key ^= value;
    key *= 0x9e3779b97f4a7c15u;
    return key ^ key >> 29;
}

o2w_status weight_sample(const struct weight *w, struct diags *d, uint64_t *key)
{
    uint8_t window[WINDOW_ROOM];
    uint64_t starts[3], sum = mix(mix(0, (uint64_t)w->dtype), w->count);
    window_starts(weight_bytes(w), starts);
    for (int i = 0; i < 3; i++) {
        size_t size;
        TRY(read_window(w, starts[i], window, d, &size));
        sum = mix(sum, span_fnv1a64((struct span){ window, size }));
    }
    *key = sum;
    return O2W_OK;
}

static bool same_source(const struct weight *a, const struct weight *b)
{
    if (a->source != b->source || a->transform != b->transform || a->from != b->from ||
        (a->transform == WEIGHT_XOR && a->flip != b->flip))
        return false;
    switch (a->source) {
    case WEIGHT_FILE:
        return a->offset == b->offset && a->length == b->length && same_file(a->file, b->file);
    case WEIGHT_BYTES: return a->bytes == b->bytes;
    case WEIGHT_SPLAT: return splat_bits(a) == splat_bits(b);
    case WEIGHT_ZEROS: return true;
    }
    return false;
}

static o2w_status compare_windows(const struct weight *a, const struct weight *b, struct diags *d,
                                  bool *same)
{
    uint8_t of_a[WINDOW_ROOM], of_b[WINDOW_ROOM];
    uint64_t starts[3];
    *same = true;
    window_starts(weight_bytes(a), starts);
    for (int i = 0; i < 3 && *same; i++) {
        size_t size;
        TRY(read_window(a, starts[i], of_a, d, &size));
        TRY(read_window(b, starts[i], of_b, d, &size));
        *same = memcmp(of_a, of_b, size) == 0;
    }
    return O2W_OK;
}

static o2w_status compare_all(const struct weight *a, const struct weight *b, struct diags *d,
                              bool *same)
{
    uint8_t scratch[COMPARE_BLOCK], of_a[COMPARE_BLOCK], of_b[COMPARE_BLOCK];
    uint64_t step = block_elements(a, COMPARE_BLOCK), other = block_elements(b, COMPARE_BLOCK);
    step = step < other ? step : other;
    *same = true;
    for (uint64_t first = 0; first < a->count && *same; first += step) {
        uint64_t count = a->count - first < step ? a->count - first : step;
        TRY(final_block(a, first, count, scratch, of_a, d));
        TRY(final_block(b, first, count, scratch, of_b, d));
        *same = memcmp(of_a, of_b, (size_t)bytes_of(a->dtype, count)) == 0;
    }
    return O2W_OK;
}

o2w_status weight_same(const struct weight *a, const struct weight *b, struct diags *d, bool *same)
{
    bool equal = a->dtype == b->dtype && a->count == b->count;
    if (equal && !same_source(a, b)) {
        TRY(compare_windows(a, b, d, &equal));
        if (equal && weight_bytes(a) > WINDOW)
            TRY(compare_all(a, b, d, &equal));
    }
    *same = equal;
    return O2W_OK;
}
