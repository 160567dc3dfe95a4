/* Feeds and reference runs of their own. */
#include "validate/given.h"
#include "validate/reference.h"

#include "base/error.h"
#include "base/log.h"

static const o2w_validate_options no_options = { .size = sizeof no_options };

/* The model with its feeds of run `seed`, those of `given` apart. */
static o2w_status prepare(struct source *s, const char *onnx, const o2w_validate_options *o,
                          const o2w_tensors *given, uint64_t seed, struct diags *d)
{
    dim_binding_list bindings = { 0 };
    d->stage = "read";
    TRY(source_open(onnx, o->environment, d, s));
    d->stage = "feed";
    bindings.allocator = s->allocator;
    o2w_status status = O2W_OK;
    for (size_t i = 0; i < o->pin_count && status == O2W_OK; i++)
        status = source_pin(s, span_of(o->pins[i].name), o->pins[i].value, d);
    for (size_t i = 0; i < o->dim_count && status == O2W_OK; i++)
        if (!VEC_PUSH(&bindings,
                      (struct dim_binding){ span_of(o->dims[i].name), o->dims[i].value, DIM_CLI }))
            status = diag_memory(d);
    given_replace_defaults(s, given);
    if (status == O2W_OK)
        status = given_check(s, given, false, d);
    if (status == O2W_OK)
        status = given_dims(s, given, &bindings, d);
    if (status == O2W_OK)
        status = source_size(s, bindings.items, bindings.count, d);
    VEC_FREE(&bindings);
    TRY(status);
    TRY(given_take(s, given, d));
    TRY(source_plan(s, d));
    return source_fill(s, seed, d);
}

static o2w_status finish(struct source *s, struct diags *d, o2w_status status, o2w_error **error)
{
    if (s->allocator)
        source_close(s);
    status = error_from_diags(d, status, error);
    diags_free(d);
    return status;
}

o2w_status o2w_feeds_make(const char *onnx, const o2w_validate_options *options, uint64_t seed,
                          o2w_tensors **out, o2w_error **error)
{
    const o2w_validate_options *o = options ? options : &no_options;
    struct source s = { 0 };
    struct diags d;
    diags_init(&d, environment_allocator(o->environment));
    o2w_status status = prepare(&s, onnx, o, NULL, seed, &d);
    if (status == O2W_OK)
        status = given_from(&s, true, &d, out);
    return finish(&s, &d, status, error);
}

static o2w_status add_strings(const struct reference_result *r, const char *name, ort_value *v,
                              const struct tensor *t, struct diags *d, o2w_tensors *to)
{
    uint64_t count = tensor_count(t);
    struct named_tensor item = { .tensor = *t };
    const char **texts = ARENA_ARRAY(&to->arena, (size_t)count, const char *);
    if (!texts)
        return diag_memory(d);
    for (uint64_t i = 0; i < count; i++) {
        struct span text;
        TRY(ort_value_string(r->ort, v, i, &to->arena, d, &text));
        texts[i] = (const char *)text.data;
    }
    item.tensor.data = texts;
    item.bytes = count * sizeof *texts;
    return tensors_add_other(to, name, "string", &item, d);
}

static o2w_status add_value(const struct reference_result *r, const char *name, ort_value *v,
                            struct diags *d, o2w_tensors *to)
{
    static const char *const kinds[] = { [ORT_TENSOR] = "tensor",
                                         [ORT_SEQUENCE] = "sequence",
                                         [ORT_MAP] = "map",
                                         [ORT_OPTIONAL] = "optional",
                                         [ORT_OTHER] = "unknown" };
    enum ort_kind kind = ort_value_kind(r->ort, v);
    struct tensor t;
    if (kind != ORT_TENSOR)
        return tensors_add_other(to, name, kinds[kind], NULL, d);
    TRY(ort_value_tensor(r->ort, v, d, &t));
    if (t.dtype == DTYPE_STRING)
        return add_strings(r, name, v, &t, d, to);
    if (t.dtype == DTYPE_COUNT)
        return tensors_add_other(to, name, "unknown", NULL, d);
    return tensors_add(to, name, &t, true, d);
}

o2w_status reference_tensors(const struct reference_result *r, const struct source *s,
                             struct diags *d, o2w_tensors *to)
{
    for (size_t i = 0; i < r->count; i++)
        TRY(add_value(r, s->outputs[i], r->values[i], d, to));
    return O2W_OK;
}

static o2w_status run(struct source *s, const o2w_validate_options *o, struct diags *d,
                      o2w_tensors *to)
{
    const struct reference_options options = { .threads = o->threads,
                                               .optimization = o->reference_optimization,
                                               .environment = o->environment };
    struct reference reference;
    struct reference_result result = { 0 };
    d->stage = "reference";
    o2w_status status = reference_open(s, &options, d, &reference);
    if (status == O2W_OK)
        status = reference_run(&reference, s, d, &result);
    if (status == O2W_OK)
        status = reference_tensors(&result, s, d, to);
    reference_result_free(&result);
    reference_close(&reference);
    return status;
}

o2w_status o2w_reference_run(const char *onnx, const o2w_tensors *feeds,
                             const o2w_validate_options *options, o2w_tensors **out,
                             o2w_error **error)
{
    const o2w_validate_options *o = options ? options : &no_options;
    struct source s = { 0 };
    struct diags d;
    o2w_tensors *made = NULL;
    diags_init(&d, environment_allocator(o->environment));
    o2w_status status = prepare(&s, onnx, o, feeds, 0, &d);
    if (status == O2W_OK)
        status = tensors_create(s.allocator, &d, &made);
    if (status == O2W_OK)
        status = run(&s, o, &d, made);
    if (status == O2W_OK)
        *out = made;
    else
        o2w_tensors_free(made);
    return finish(&s, &d, status, error);
}
