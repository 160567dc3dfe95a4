/* Runs, ended early where a cancel asks for it. */
#include "ort/internal.h"
#include "ort/ort_value.h"

#include <string.h>

struct ending {
    const struct ort *ort;
    OrtRunOptions *options;
};

static void end_run(void *user)
{
    const struct ending *e = user;
    OrtStatus *status = e->ort->api.RunOptionsSetTerminate(e->options);
    if (status)
        e->ort->api.ReleaseStatus(status);
}

static OrtStatus *run_now(const struct ort_run *r, const OrtRunOptions *options)
{
    const struct ort_api *api = &r->session->ort->api;
    if (r->binding)
        return api->RunWithBinding(r->session->session, options, r->binding);
    return api->Run(r->session->session, options, r->input_names,
                    (const OrtValue *const *)r->inputs, r->input_count, r->output_names,
                    r->output_count, r->outputs);
}

static bool watches(const struct ort_cancel *cancel)
{
    return cancel && (cancel->flag || cancel->deadline_ns);
}

o2w_status ort_run_watched(const struct ort_run *r, const struct ort_cancel *cancel,
                           struct diags *d)
{
    const struct ort *o = r->session->ort;
    struct ending ending = { .ort = o };
    struct watch watch = { .cancel = cancel, .fire = end_run, .user = &ending };
    OrtStatus *status = NULL;
    if (watches(cancel))
        ORT_TRY(o, o->api.CreateRunOptions(&ending.options), r->session->run_error, d,
                "ONNX Runtime gives no run options");
    o2w_status result = watch_begin(&watch, d);
    if (result == O2W_OK) {
        status = run_now(r, ending.options);
        bool fired = watch_end(&watch);
        if (status && fired) {
            o->api.ReleaseStatus(status);
            result = watch_cancelled(cancel, "the run", d);
        } else if (status) {
            result = ort_fail(o, status, r->session->run_error, d,
                              "ONNX Runtime failed while it ran the model");
        }
    }
    if (ending.options)
        o->api.ReleaseRunOptions(ending.options);
    return result;
}

static void free_values(const struct ort *o, OrtValue **values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ort_value_free(o, values[i]);
}

static o2w_status make_inputs(const struct ort_session *s, const struct ort_feed *feeds,
                              size_t count, const char **names, OrtValue **values, struct diags *d)
{
    for (size_t i = 0; i < count; i++) {
        names[i] = feeds[i].name;
        TRY(ort_value_over(s->ort, &feeds[i].tensor, s->run_error, feeds[i].name, d, &values[i]));
    }
    return O2W_OK;
}

static const char *const *all_outputs(const struct ort_session *s, struct arena *a)
{
    const char **names = ARENA_ARRAY(a, s->output_count, const char *);
    for (size_t i = 0; names && i < s->output_count; i++)
        names[i] = s->outputs[i].name;
    return names;
}

static o2w_status run_in(const struct ort_session *s, struct arena *a, const struct ort_feed *feeds,
                         size_t feed_count, const char *const *names, size_t count,
                         const struct ort_cancel *cancel, struct diags *d, ort_value **values)
{
    const char **input_names = ARENA_ARRAY(a, feed_count, const char *);
    OrtValue **inputs = ARENA_ARRAY(a, feed_count, OrtValue *);
    OrtValue **outputs = ARENA_ARRAY(a, count, OrtValue *);
    const char *const *output_names = names ? names : all_outputs(s, a);
    if (!input_names || !inputs || !outputs || !output_names)
        return diag_memory(d);
    o2w_status status = make_inputs(s, feeds, feed_count, input_names, inputs, d);
    if (status == O2W_OK) {
        const struct ort_run run = { .session = s,
                                     .input_names = input_names,
                                     .inputs = inputs,
                                     .input_count = feed_count,
                                     .output_names = output_names,
                                     .outputs = outputs,
                                     .output_count = count };
        status = ort_run_watched(&run, cancel, d);
    }
    free_values(s->ort, inputs, feed_count);
    if (status == O2W_OK)
        for (size_t i = 0; i < count; i++)
            values[i] = outputs[i];
    else
        free_values(s->ort, outputs, count);
    return status;
}

o2w_status ort_session_run(const struct ort_session *s, const struct ort_feed *feeds,
                           size_t feed_count, const char *const *names, size_t count,
                           const struct ort_cancel *cancel, struct diags *d, ort_value **values)
{
    struct arena arena;
    uint8_t few[1024];
    if (!names && count != s->output_count)
        return diag_error(d, DIAG_DISPATCH_ARGUMENT, "room for %zu outputs, the model has %zu",
                          count, s->output_count);
    arena_init_over(&arena, s->allocator, few, sizeof few);
    o2w_status status = run_in(s, &arena, feeds, feed_count, names, count, cancel, d, values);
    arena_free(&arena);
    return status;
}
