#include "validate/tensors.h"

#include "base/error.h"
#include "base/log.h"
#include "format/safetensors.h"
#include "validate/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

o2w_status tensors_create(const o2w_allocator *allocator, struct diags *d, o2w_tensors **out)
{
    o2w_tensors *t = mem_alloc(allocator, sizeof *t);
    if (!t)
        return diag_memory(d);
    *t = (o2w_tensors){ .allocator = allocator,
                        .items.allocator = allocator,
                        .files.allocator = allocator };
    arena_init(&t->arena, allocator);
    *out = t;
    return O2W_OK;
}

void o2w_tensors_free(o2w_tensors *t)
{
    if (!t)
        return;
    archive_free(t->archive);
    VEC_FREE(&t->items);
    VEC_FREE(&t->files);
    arena_free(&t->arena);
    mem_free(t->allocator, t, sizeof *t);
}

const struct named_tensor *tensors_find(const o2w_tensors *t, struct span name)
{
    for (size_t i = 0; t && i < t->items.count; i++)
        if (span_is(name, t->items.items[i].name))
            return &t->items.items[i];
    return NULL;
}

static o2w_status add_item(o2w_tensors *t, struct named_tensor item, struct diags *d)
{
    if (tensors_find(t, span_of(item.name)))
        return diag_error(d, DIAG_FEED_NAMES, "'%s' is given twice", item.name);
    item.name = arena_text(&t->arena, span_of(item.name));
    return item.name && VEC_PUSH(&t->items, item) ? O2W_OK : diag_memory(d);
}

o2w_status tensors_add(o2w_tensors *t, const char *name, const struct tensor *tensor, bool copied,
                       struct diags *d)
{
    struct named_tensor item = { .name = name,
                                 .type = dtype_name(tensor->dtype),
                                 .tensor = *tensor,
                                 .bytes = tensor_bytes(tensor) };
    if (copied) {
        if (tensor_new(&t->arena, tensor->dtype, tensor->dims, tensor->rank, &item.tensor) !=
            O2W_OK)
            return diag_memory(d);
        if (item.bytes)
            memcpy(item.tensor.data, tensor->data, (size_t)item.bytes);
    }
    return add_item(t, item, d);
}

o2w_status tensors_add_other(o2w_tensors *t, const char *name, const char *type,
                             const struct named_tensor *as, struct diags *d)
{
    struct named_tensor item = { .tensor = { .dtype = DTYPE_COUNT } };
    if (as)
        item = *as;
    item.name = name;
    item.type = type;
    return add_item(t, item, d);
}

o2w_status tensors_add_file(o2w_tensors *t, const char *path, struct diags *d)
{
    const char *own = arena_text(&t->arena, span_of(path));
    return own && VEC_PUSH(&t->files, own) ? O2W_OK : diag_memory(d);
}

/* --- archives ----------------------------------------------------------------------------------------- */

static o2w_status load_entries(o2w_tensors *t, struct diags *d)
{
    const struct archive *a = t->archive;
    bool packed = span_is(archive_metadata(a, SPAN(ARCHIVE_PACKED4)), ARCHIVE_PACKED4_VERSION);
    for (uint32_t i = 0; i < a->count; i++) {
        struct tensor tensor;
        char *name = arena_text(&t->arena, a->entries[i].key);
        if (!name)
            return diag_memory(d);
        TRY(archive_tensor(a, &a->entries[i], &t->arena, d, &tensor));
        TRY(tensors_add(t, name, &tensor, false, d));
        VEC_LAST(&t->items).packed = packed && tensor.dtype == DTYPE_UINT8 && tensor.rank == 1;
    }
    return O2W_OK;
}

o2w_status tensors_load(const char *path, const o2w_allocator *allocator, struct diags *d,
                        o2w_tensors **out)
{
    o2w_tensors *t = NULL;
    TRY(tensors_create(allocator, d, &t));
    o2w_status s = archive_open(path, allocator, d, &t->archive);
    if (s == O2W_OK)
        s = tensors_add_file(t, path, d);
    if (s == O2W_OK)
        s = load_entries(t, d);
    if (s == O2W_OK)
        *out = t;
    else
        o2w_tensors_free(t);
    return s;
}

static o2w_status fill_items(const o2w_tensors *t, struct archive_item *items, struct arena *a,
                             struct diags *d, bool *packed)
{
    for (size_t i = 0; i < t->items.count; i++) {
        const struct named_tensor *n = &t->items.items[i];
        if (n->tensor.dtype == DTYPE_COUNT || n->tensor.dtype == DTYPE_STRING ||
            archive_item_tensor(span_of(n->name), &n->tensor, a, &items[i]) != O2W_OK)
            return diag_error(d, DIAG_FEED_DTYPE, "'%s' has type %s, which no archive can hold",
                              n->name, n->type);
        *packed |= n->packed || dtype_in(n->tensor.dtype, DTYPES_4BIT);
    }
    return O2W_OK;
}

o2w_status tensors_save(const o2w_tensors *t, const char *path, struct diags *d)
{
    const struct archive_text marker = { SPAN(ARCHIVE_PACKED4), SPAN(ARCHIVE_PACKED4_VERSION) };
    struct arena arena;
    bool packed = false;
    arena_init(&arena, t->allocator);
    struct archive_item *items = ARENA_ARRAY(&arena, t->items.count, struct archive_item);
    o2w_status s = items ? fill_items(t, items, &arena, d, &packed) : diag_memory(d);
    if (s == O2W_OK)
        s = archive_write(path, items, t->items.count, &marker, packed, false, t->allocator, d,
                          NULL);
    arena_free(&arena);
    return s;
}

/* --- public ------------------------------------------------------------------------------------------- */

static o2w_status finish(struct diags *d, o2w_status s, o2w_error **error)
{
    s = error_from_diags(d, s, error);
    diags_free(d);
    return s;
}

o2w_status o2w_tensors_create(const o2w_environment *environment, o2w_tensors **out,
                              o2w_error **error)
{
    struct diags d;
    diags_init(&d, environment_allocator(environment));
    return finish(&d, tensors_create(environment_allocator(environment), &d, out), error);
}

static o2w_status add_view(o2w_tensors *t, const o2w_tensor_view *view, struct diags *d)
{
    struct tensor tensor = { .rank = view->rank, .data = (void *)(uintptr_t)view->data };
    uint64_t count, bytes;
    if (!dtype_by_name(span_of(view->type), &tensor.dtype) || tensor.dtype == DTYPE_STRING)
        return diag_error(d, DIAG_FEED_DTYPE, "'%s' has type '%s', must be one of numbers",
                          view->name, view->type ? view->type : "");
    if (view->rank > MAX_RANK)
        return diag_error(d, DIAG_LIMIT, "'%s': rank %u, at most %d is allowed", view->name,
                          view->rank, MAX_RANK);
    memcpy(tensor.dims, view->dims, view->rank * sizeof *view->dims);
    if (!dims_count(tensor.dims, tensor.rank, &count) ||
        !dtype_bytes(tensor.dtype, count, &bytes) || bytes != view->bytes)
        return diag_error(d, DIAG_FEED_SHAPE,
                          "'%s': %llu bytes are given, its shape does not take "
                          "them",
                          view->name, (unsigned long long)view->bytes);
    return tensors_add(t, view->name, &tensor, true, d);
}

o2w_status o2w_tensors_add(o2w_tensors *t, const o2w_tensor_view *tensor, o2w_error **error)
{
    struct diags d;
    diags_init(&d, t->allocator);
    return finish(&d, add_view(t, tensor, &d), error);
}

size_t o2w_tensors_count(const o2w_tensors *t)
{
    return t ? t->items.count : 0;
}

bool o2w_tensors_at(const o2w_tensors *t, size_t index, o2w_tensor_view *out)
{
    if (index >= o2w_tensors_count(t))
        return false;
    const struct named_tensor *n = &t->items.items[index];
    *out = (o2w_tensor_view){ .name = n->name,
                              .type = n->type,
                              .rank = n->tensor.rank,
                              .data = n->tensor.data,
                              .bytes = n->bytes };
    memcpy(out->dims, n->tensor.dims, n->tensor.rank * sizeof *out->dims);
    return true;
}

o2w_status o2w_feeds_load(const char *archive, o2w_tensors **out, o2w_error **error)
{
    struct diags d;
    diags_init(&d, NULL);
    return finish(&d, tensors_load(archive, &mem_default, &d, out), error);
}

o2w_status o2w_feeds_save(const o2w_tensors *feeds, const char *archive, o2w_error **error)
{
    struct diags d;
    diags_init(&d, feeds->allocator);
    return finish(&d, tensors_save(feeds, archive, &d), error);
}

/* --- elements ----------------------------------------------------------------------------------------- */

static bool tensor_of(const o2w_tensor_view *view, struct tensor *out)
{
    *out = (struct tensor){ .rank = view->rank, .data = (void *)(uintptr_t)view->data };
    if (!dtype_by_name(span_of(view->type), &out->dtype))
        return false;
    memcpy(out->dims, view->dims, view->rank * sizeof *view->dims);
    return true;
}

void o2w_tensor_text(const o2w_tensor_view *view, uint64_t index, char text[O2W_ELEMENT_TEXT])
{
    struct tensor t;
    text[0] = '\0';
    if (!tensor_of(view, &t))
        return;
    if (t.dtype == DTYPE_STRING)
        (void)snprintf(text, O2W_ELEMENT_TEXT, "%s", ((const char *const *)t.data)[index]);
    else if (dtype_info(t.dtype)->class != DTYPE_CLASS_OTHER)
        element_text(&t, index, text);
}

static bool is_less(const struct tensor *t, uint64_t a, uint64_t b)
{
    if (dtype_is_float(t->dtype))
        return tensor_get_double(t, a) < tensor_get_double(t, b);
    if (dtype_is_signed(t->dtype) || t->dtype == DTYPE_BOOL)
        return tensor_get_i64(t, a) < tensor_get_i64(t, b);
    return tensor_get_u64(t, a) < tensor_get_u64(t, b);
}

bool o2w_tensor_summarize(const o2w_tensor_view *view, o2w_tensor_summary *out)
{
    struct tensor t;
    double sum = 0;
    if (!tensor_of(view, &t) || dtype_info(t.dtype)->class == DTYPE_CLASS_OTHER)
        return false;
    *out = (o2w_tensor_summary){ .count = tensor_count(&t), .mean = NAN };
    for (uint64_t i = 0; i < out->count; i++) {
        double v = tensor_get_double(&t, i);
        out->has_nan |= isnan(v) != 0;
        sum += v;
        out->least = is_less(&t, i, out->least) ? i : out->least;
        out->most = is_less(&t, out->most, i) ? i : out->most;
    }
    if (out->has_nan)
        out->least = out->most = 0;
    else if (out->count)
        out->mean = sum / (double)out->count;
    return true;
}
