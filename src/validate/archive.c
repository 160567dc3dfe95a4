/* --input: one archive of all feeds, mapped, not copied. */
#include "validate/source.h"

#include "format/safetensors.h"

#include <string.h>

/* --- names -------------------------------------------------------------------------------------------- */

struct name_report {
    struct arena *arena;
    const char *text;
};

static void add_name(struct name_report *r, const char *what, struct span name)
{
    r->text = arena_printf(r->arena, "%s%s%s '%.*s'", r->text ? r->text : "", r->text ? "; " : "",
                           what, SPAN_ARG(name));
}

static o2w_status check_names(struct source *s, const struct archive *a, struct diags *d)
{
    struct name_report report = { .arena = &s->arena };
    for (size_t i = 0; i < s->input_count; i++)
        if (source_is_feedable(&s->inputs[i]) && !archive_find(a, span_of(s->inputs[i].feed.name)))
            add_name(&report, "missing", span_of(s->inputs[i].feed.name));
    for (uint32_t i = 0; i < a->count; i++) {
        const struct source_input *in = source_input(s, a->entries[i].key);
        if (!in || in->initialized)
            add_name(&report, "unknown", a->entries[i].key);
        else if (in->pinned)
            add_name(&report, "pinned", a->entries[i].key);
    }
    if (!report.text)
        return O2W_OK;
    o2w_status status =
        diag_error(d, DIAG_FEED_NAMES, "the archive does not match the inputs: %s", report.text);
    diag_position(d, span_of(a->file->path), -1, -1, -1);
    return status;
}

/* --- dtypes ------------------------------------------------------------------------------------------- */

static bool is_packed(const struct archive *a)
{
    return span_is(archive_metadata(a, SPAN(ARCHIVE_PACKED4)), ARCHIVE_PACKED4_VERSION);
}

static o2w_status check_dtype(const struct source_input *in, const struct archive *a,
                              const struct archive_entry *e, struct diags *d)
{
    enum dtype t = in->feed.dtype;
    bool four = t != DTYPE_COUNT && dtype_in(t, DTYPES_4BIT);
    if (t == DTYPE_COUNT || !feed_has_pattern(t))
        return diag_error(d, DIAG_FEED_DTYPE, "input '%s' has no type that an archive can hold",
                          in->feed.name);
    if (four && !is_packed(a))
        return diag_error(d, DIAG_FEED_DTYPE,
                          "input '%s' is %s, the archive needs metadata %s = \"%s\"", in->feed.name,
                          dtype_name(t), ARCHIVE_PACKED4, ARCHIVE_PACKED4_VERSION);
    if (e->dtype == t || (e->dtype == DTYPE_UINT8 && (four || t == DTYPE_BOOL)))
        return O2W_OK;
    return diag_error(d, DIAG_FEED_DTYPE, "input '%s' is %s, the archive has %.*s", in->feed.name,
                      dtype_name(t), SPAN_ARG(e->dtype_name));
}

o2w_status feeds_open(struct source *s, const char *path, struct diags *d, struct archive **out)
{
    struct archive *a;
    TRY(archive_open(path, s->allocator, d, &a));
    o2w_status status = check_names(s, a, d);
    for (size_t i = 0; i < s->input_count && status == O2W_OK; i++)
        if (source_is_feedable(&s->inputs[i]))
            status =
                check_dtype(&s->inputs[i], a, archive_find(a, span_of(s->inputs[i].feed.name)), d);
    if (status == O2W_OK)
        *out = a;
    else
        archive_free(a);
    return status;
}

/* --- sizes -------------------------------------------------------------------------------------------- */

struct sizes {
    struct source *source;
    struct diags *diags;
    struct dim_binding *items;
    size_t count;
};

static o2w_status bind_name(struct sizes *z, const struct source_input *in, struct span name,
                            int64_t size)
{
    for (size_t i = 0; i < z->count; i++)
        if (span_equal(z->items[i].name, name)) {
            if (z->items[i].value == size)
                return O2W_OK;
            return diag_error(z->diags, DIAG_DIM_DISAGREES,
                              "dimension '%.*s' is %lld in the archive, %lld in its input '%s'",
                              SPAN_ARG(name), (long long)z->items[i].value, (long long)size,
                              in->feed.name);
        }
    z->items[z->count++] = (struct dim_binding){ name, size, DIM_INPUT };
    return O2W_OK;
}

static o2w_status bind_input(struct sizes *z, const struct source_input *in,
                             const struct archive_entry *e)
{
    const struct onnx_type *t = &in->info->type;
    bool four = dtype_in(in->feed.dtype, DTYPES_4BIT); /* its shape is that of the bytes */
    for (uint32_t i = 0; !four && i < e->rank; i++) {
        char *label = arena_printf(&z->source->arena, "%s_dim%u", in->feed.name, i);
        if (!label)
            return diag_memory(z->diags);
        if (t->has_shape && i < t->rank && t->dims[i].kind == ONNX_DIM_NAMED)
            TRY(bind_name(z, in, t->dims[i].name, e->dims[i]));
        else if (!t->has_shape ||
                 (i < t->rank && (t->dims[i].kind == ONNX_DIM_UNKNOWN || t->dims[i].value < 1)))
            TRY(bind_name(z, in, span_of(label), e->dims[i]));
    }
    return O2W_OK;
}

o2w_status feeds_dims(struct source *s, const struct archive *a, struct diags *d,
                      struct dim_binding **items, size_t *count)
{
    struct sizes z = { .source = s, .diags = d };
    z.items = ARENA_ARRAY(&s->arena, (size_t)a->count * MAX_RANK, struct dim_binding);
    if (!z.items)
        return diag_memory(d);
    for (size_t i = 0; i < s->input_count; i++)
        if (source_is_feedable(&s->inputs[i])) {
            const struct archive_entry *e = archive_find(a, span_of(s->inputs[i].feed.name));
            if (e->rank > MAX_RANK)
                return diag_error(d, DIAG_LIMIT, "input '%s': rank %u, at most %d is allowed",
                                  s->inputs[i].feed.name, e->rank, MAX_RANK);
            TRY(bind_input(&z, &s->inputs[i], e));
        }
    *items = z.items;
    *count = z.count;
    return O2W_OK;
}

/* --- elements ----------------------------------------------------------------------------------------- */

static o2w_status refuse_shape(const struct source_input *in, const struct archive_entry *e,
                               const int64_t *dims, uint32_t rank, struct diags *d)
{
    char a[200], b[200];
    dims_text(e->dims, e->rank, a, sizeof a);
    dims_text(dims, rank, b, sizeof b);
    return diag_error(d, DIAG_FEED_SHAPE, "input '%s': archive has %s, the model takes %s",
                      in->feed.name, a, b);
}

static o2w_status check_shape(const struct source_input *in, const struct archive_entry *e,
                              struct diags *d)
{
    const struct feed *f = &in->feed;
    if (dtype_in(f->dtype, DTYPES_4BIT)) {
        int64_t bytes = (int64_t)f->bytes;
        if (e->rank == 1 && e->dims[0] == bytes)
            return O2W_OK;
        return refuse_shape(in, e, &bytes, 1, d);
    }
    if (e->rank == f->rank && dims_equal(e->dims, f->dims, f->rank))
        return O2W_OK;
    return refuse_shape(in, e, f->dims, f->rank, d);
}

static o2w_status check_bools(const struct source_input *in, const struct tensor *t,
                              struct diags *d)
{
    const uint8_t *bytes = t->data;
    for (uint64_t i = 0; in->feed.dtype == DTYPE_BOOL && i < in->feed.count; i++)
        if (bytes[i] > 1)
            return diag_error(d, DIAG_FEED_RANGE,
                              "input '%s': value %u at index %llu, a bool is 0 or 1", in->feed.name,
                              bytes[i], (unsigned long long)i);
    return O2W_OK;
}

o2w_status feeds_take(struct source *s, const struct archive *a, struct diags *d)
{
    for (size_t i = 0; i < s->input_count; i++) {
        struct source_input *in = &s->inputs[i];
        struct tensor t;
        if (!source_is_feedable(in))
            continue;
        const struct archive_entry *e = archive_find(a, span_of(in->feed.name));
        TRY(check_shape(in, e, d));
        TRY(archive_tensor(a, e, &s->arena, d, &t));
        TRY(check_bools(in, &t, d));
        in->feed.rule = FEED_ARCHIVE;
        in->feed.given = t.data;
    }
    return O2W_OK;
}

o2w_status feeds_write(const struct source *s, const char *path, struct diags *d)
{
    const struct archive_text packed = { SPAN(ARCHIVE_PACKED4), SPAN(ARCHIVE_PACKED4_VERSION) };
    struct arena arena;
    size_t count = 0;
    bool four = false;
    arena_init(&arena, s->allocator);
    struct archive_item *items = ARENA_ARRAY(&arena, s->input_count, struct archive_item);
    o2w_status status = items ? O2W_OK : diag_memory(d);
    for (size_t i = 0; i < s->input_count && status == O2W_OK; i++) {
        struct tensor t = source_tensor(&s->inputs[i]);
        if (!source_is_feedable(&s->inputs[i]))
            continue;
        four |= dtype_in(t.dtype, DTYPES_4BIT);
        status = archive_item_tensor(span_of(s->inputs[i].feed.name), &t, &arena, &items[count++]);
    }
    if (status == O2W_OK)
        status = archive_write(path, items, count, &packed, four, false, s->allocator, d, NULL);
    arena_free(&arena);
    return status;
}
