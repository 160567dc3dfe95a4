/* Runs on memory bound by the caller. */
#include "ort/internal.h"
#include "ort/ort_binding.h"

#include <string.h>

/* Memory bound to one port. */
struct bound {
    struct tensor tensor;
    bool is_set;
};

struct ort_binding {
    const struct ort_session *session;
    OrtIoBinding *binding;
    struct bound *inputs, *outputs;
};

static struct bound *bound_ports(const struct ort_session *s, size_t count)
{
    struct bound *ports = mem_alloc(s->allocator, (count + 1) * sizeof *ports);
    for (size_t i = 0; ports && i < count; i++)
        ports[i] = (struct bound){ .is_set = false };
    return ports;
}

static o2w_status create_in(struct ort_binding *b, struct diags *d)
{
    const struct ort_session *s = b->session;
    b->inputs = bound_ports(s, s->input_count);
    b->outputs = bound_ports(s, s->output_count);
    if (!b->inputs || !b->outputs)
        return diag_memory(d);
    ORT_TRY(s->ort, s->ort->api.CreateIoBinding(s->session, &b->binding), s->run_error, d,
            "ONNX Runtime gives no binding");
    return O2W_OK;
}

o2w_status ort_binding_create(const struct ort_session *s, struct diags *d,
                              struct ort_binding **out)
{
    struct ort_binding *b = mem_alloc(s->allocator, sizeof *b);
    if (!b)
        return diag_memory(d);
    *b = (struct ort_binding){ .session = s };
    o2w_status status = create_in(b, d);
    if (status == O2W_OK)
        *out = b;
    else
        ort_binding_free(b);
    return status;
}

void ort_binding_free(struct ort_binding *b)
{
    if (!b)
        return;
    const struct ort_session *s = b->session;
    if (b->binding)
        s->ort->api.ReleaseIoBinding(b->binding);
    mem_free(s->allocator, b->inputs, (s->input_count + 1) * sizeof *b->inputs);
    mem_free(s->allocator, b->outputs, (s->output_count + 1) * sizeof *b->outputs);
    mem_free(s->allocator, b, sizeof *b);
}

static bool is_bound(const struct bound *b, const struct tensor *t)
{
    return b->is_set && b->tensor.data == t->data && b->tensor.dtype == t->dtype &&
           b->tensor.rank == t->rank && dims_equal(b->tensor.dims, t->dims, t->rank);
}

typedef OrtStatus *(*bind_call)(OrtIoBinding *, const char *, const OrtValue *);

static o2w_status bind(struct ort_binding *b, bind_call call, struct bound *bound, const char *name,
                       const struct tensor *t, struct diags *d)
{
    const struct ort_session *s = b->session;
    OrtValue *value = NULL;
    if (is_bound(bound, t))
        return O2W_OK;
    TRY(ort_value_over(s->ort, t, s->run_error, name, d, &value));
    OrtStatus *status = call(b->binding, name, value);
    s->ort->api.ReleaseValue(value);
    bound->is_set = !status;
    bound->tensor = *t;
    return status ? ort_fail(s->ort, status, s->run_error, d,
                             "ONNX Runtime refused the memory of '%s'", name)
                  : O2W_OK;
}

o2w_status ort_binding_input(struct ort_binding *b, size_t index, const struct tensor *t,
                             struct diags *d)
{
    return bind(b, b->session->ort->api.BindInput, &b->inputs[index],
                b->session->inputs[index].name, t, d);
}

o2w_status ort_binding_output(struct ort_binding *b, size_t index, struct tensor *t,
                              struct diags *d)
{
    return bind(b, b->session->ort->api.BindOutput, &b->outputs[index],
                b->session->outputs[index].name, t, d);
}

o2w_status ort_binding_run(struct ort_binding *b, const struct ort_cancel *cancel, struct diags *d)
{
    return ort_run_watched(&(struct ort_run){ .session = b->session, .binding = b->binding },
                           cancel, d);
}
