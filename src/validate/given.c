#include "validate/given.h"

#include <string.h>

/* --- names -------------------------------------------------------------------------------------------- */

static void add_name(struct arena_string *report, const char *what, const char *name)
{
    arena_string_add(report, "%s%s '%s'", report->size ? "; " : "", what, name);
}

static o2w_status check_names(const struct source *s, const o2w_tensors *t, bool complete,
                              struct diags *d)
{
    struct arena arena;
    struct arena_string report = { .arena = &arena };
    arena_init(&arena, s->allocator);
    for (size_t i = 0; complete && i < s->input_count; i++)
        if (source_is_feedable(&s->inputs[i]) && !tensors_find(t, span_of(s->inputs[i].feed.name)))
            add_name(&report, "missing", s->inputs[i].feed.name);
    for (size_t i = 0; i < o2w_tensors_count(t); i++) {
        const char *name = t->items.items[i].name;
        const struct source_input *in = source_input(s, span_of(name));
        if (!in || in->initialized)
            add_name(&report, "unknown", name);
        else if (in->pinned)
            add_name(&report, "pinned", name);
    }
    const char *text = arena_string_text(&report);
    o2w_status status = !text ? diag_memory(d)
                        : !report.size
                            ? O2W_OK
                            : diag_error(d, DIAG_FEED_NAMES, "the %s not match the inputs: %s",
                                         complete ? "archive does" : "feeds do", text);
    arena_free(&arena);
    return status;
}

void given_replace_defaults(struct source *s, const o2w_tensors *t)
{
    for (size_t i = 0; i < o2w_tensors_count(t); i++) {
        struct source_input *in = source_input(s, span_of(t->items.items[i].name));
        if (in)
            in->initialized = false;
    }
}

/* --- types -------------------------------------------------------------------------------------------- */

static bool is_packed_as(const struct named_tensor *n, enum dtype t)
{
    return n->packed && t < DTYPE_COUNT && dtype_in(t, DTYPES_4BIT);
}

static o2w_status check_type(const struct named_tensor *n, enum dtype t, struct diags *d)
{
    if (t < DTYPE_COUNT && t != DTYPE_STRING &&
        (n->tensor.dtype == t || is_packed_as(n, t) ||
         (t == DTYPE_BOOL && n->tensor.dtype == DTYPE_UINT8)))
        return O2W_OK;
    o2w_status s = diag_error(d, DIAG_FEED_DTYPE, "input '%s' is %s, its feed is %s", n->name,
                              t < DTYPE_COUNT ? dtype_name(t) : "no tensor of numbers", n->type);
    if (t < DTYPE_COUNT && dtype_in(t, DTYPES_4BIT))
        diag_hint(d, "two elements per byte as uint8 [(n + 1) / 2], with metadata "
                     "rustnn.webnn.packed4 = \"1\"");
    return s;
}

o2w_status given_check(const struct source *s, const o2w_tensors *t, bool complete, struct diags *d)
{
    TRY(check_names(s, t, complete, d));
    for (size_t i = 0; i < o2w_tensors_count(t); i++) {
        const struct named_tensor *n = &t->items.items[i];
        TRY(check_type(n, source_input(s, span_of(n->name))->feed.dtype, d));
    }
    return O2W_OK;
}

/* --- sizes -------------------------------------------------------------------------------------------- */

static o2w_status bind_dim(const struct source_input *in, struct span name, int64_t size,
                           dim_binding_list *l, struct diags *d)
{
    for (size_t i = 0; i < l->count; i++) {
        if (l->items[i].from != DIM_INPUT || !span_equal(l->items[i].name, name))
            continue;
        if (l->items[i].value == size)
            return O2W_OK;
        return diag_error(
            d, DIAG_DIM_DISAGREES, "dimension '%.*s' is %lld in one feed, %lld in that of '%s'",
            SPAN_ARG(name), (long long)l->items[i].value, (long long)size, in->feed.name);
    }
    return VEC_PUSH(l, (struct dim_binding){ name, size, DIM_INPUT }) ? O2W_OK : diag_memory(d);
}

static o2w_status bind_axis(struct source *s, const struct source_input *in, uint32_t axis,
                            int64_t size, dim_binding_list *out, struct diags *d)
{
    struct span name;
    if (!source_axis_is_open(in, axis, &name))
        return O2W_OK;
    if (!name.size) {
        char *label = arena_printf(&s->arena, "%s_dim%u", in->feed.name, axis);
        if (!label)
            return diag_memory(d);
        name = span_of(label);
    }
    return bind_dim(in, name, size, out, d);
}

o2w_status given_dims(struct source *s, const o2w_tensors *t, dim_binding_list *out,
                      struct diags *d)
{
    for (size_t i = 0; i < o2w_tensors_count(t); i++) {
        const struct named_tensor *n = &t->items.items[i];
        const struct source_input *in = source_input(s, span_of(n->name));
        for (uint32_t k = 0; k < n->tensor.rank && !is_packed_as(n, in->feed.dtype); k++)
            TRY(bind_axis(s, in, k, n->tensor.dims[k], out, d));
    }
    return O2W_OK;
}

/* --- elements ----------------------------------------------------------------------------------------- */

static o2w_status refuse_shape(const struct named_tensor *n, const int64_t *dims, uint32_t rank,
                               struct diags *d)
{
    char a[200], b[200];
    dims_text(n->tensor.dims, n->tensor.rank, a, sizeof a);
    dims_text(dims, rank, b, sizeof b);
    return diag_error(d, DIAG_FEED_SHAPE, "input '%s': its feed has %s, the input takes %s",
                      n->name, a, b);
}

static o2w_status check_bools(const struct named_tensor *n, struct diags *d)
{
    const uint8_t *bytes = n->tensor.data;
    for (uint64_t i = 0; i < n->bytes; i++)
        if (bytes[i] > 1)
            return diag_error(d, DIAG_FEED_RANGE,
                              "input '%s': value %u at index %llu, a bool is 0 or 1", n->name,
                              bytes[i], (unsigned long long)i);
    return O2W_OK;
}

o2w_status given_as(const struct named_tensor *n, enum dtype dtype, const int64_t *dims,
                    uint32_t rank, struct diags *d, struct tensor *out)
{
    uint64_t count, bytes;
    TRY(check_type(n, dtype, d));
    *out = (struct tensor){ .dtype = dtype, .rank = rank, .data = n->tensor.data };
    memcpy(out->dims, dims, rank * sizeof *dims);
    if (is_packed_as(n, dtype)) {
        bool same = dims_count(dims, rank, &count) && dtype_bytes(dtype, count, &bytes) &&
                    bytes == n->bytes;
        return same ? O2W_OK : refuse_shape(n, dims, rank, d);
    }
    if (n->tensor.rank != rank || !dims_equal(n->tensor.dims, dims, rank))
        return refuse_shape(n, dims, rank, d);
    return dtype == DTYPE_BOOL ? check_bools(n, d) : O2W_OK;
}

o2w_status given_take(struct source *s, const o2w_tensors *t, struct diags *d)
{
    for (size_t i = 0; i < o2w_tensors_count(t); i++) {
        const struct named_tensor *n = &t->items.items[i];
        struct feed *f = &source_input(s, span_of(n->name))->feed;
        struct tensor taken;
        TRY(given_as(n, f->dtype, f->dims, f->rank, d, &taken));
        f->rule = FEED_ARCHIVE;
        f->given = taken.data;
    }
    return O2W_OK;
}

static o2w_status add_feeds(const struct source *s, bool copied, struct diags *d, o2w_tensors *t)
{
    for (size_t i = 0; i < s->input_count; i++) {
        struct tensor tensor = source_tensor(&s->inputs[i]);
        if (source_is_feedable(&s->inputs[i]))
            TRY(tensors_add(t, s->inputs[i].feed.name, &tensor, copied, d));
    }
    return O2W_OK;
}

o2w_status given_from(const struct source *s, bool copied, struct diags *d, o2w_tensors **out)
{
    o2w_tensors *t;
    TRY(tensors_create(s->allocator, d, &t));
    o2w_status status = add_feeds(s, copied, d, t);
    if (status == O2W_OK)
        *out = t;
    else
        o2w_tensors_free(t);
    return status;
}
