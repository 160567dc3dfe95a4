/* What can be known before anything is read: engine and reference are there. */
#include "validate/validation.h"

o2w_status backend_open(const webnn_context_options *o, struct arena *a, struct diags *d,
                        webnn_context **out, struct backend_probe *probe)
{
    bool alias;
    const struct backend *b = backend_by_name(span_of(o->backend), &alias);
    *probe = (struct backend_probe){ 0 };
    if (b)
        TRY(b->probe(a, d, probe));
    return api_context_create(o, d, out);
}

o2w_status stage_preflight(struct validation *v)
{
    const o2w_validate_options *o = v->options;
    struct backend_probe probe;
    webnn_context_options context = { .size = sizeof context,
                                      .backend = o->backend,
                                      /* a run or two, beside the reference: weights once */
                                      .power_preference = WEBNN_POWER_LOW,
                                      .threads = o->threads,
                                      .options = o->backend_options,
                                      .option_count = o->backend_option_count,
                                      .require_backend = o->require_backend,
                                      .environment = v->environment };
    if (!o->backend)
        return diag_error(v->diags, DIAG_BACKEND_UNKNOWN, "no backend is named");
    TRY(backend_open(&context, &v->report->arena, v->diags, &v->context, &probe));
    v->report->backend = v->context->backend->name;
    v->report->requested = arena_text(&v->report->arena, span_of(o->backend));
    v->report->engine = probe.engine;
    v->report->engine_version = probe.version;
    TRY(reference_probe(v->diags, &v->ort));
    v->report->reference_version = ort_version(v->ort);
    return v->report->requested ? O2W_OK : diag_memory(v->diags);
}
