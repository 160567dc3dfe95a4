#include "wasi/context.h"

#include "base/checked.h"
#include "base/half.h"
#include "base/text.h"

#include <string.h>

/* --- texts ------------------------------------------------------------------------------------------- */

enum { SHAPE_TEXT = 160 };

/* "i64 [1,4]", "f32 [N,4]" */
static const char *given_text(const struct nn_given *t, enum dtype dtype, char text[SHAPE_TEXT])
{
    int n = text_format(text, SHAPE_TEXT, "%s [", dtype_short(dtype));
    for (uint32_t k = 0; k < t->rank && n < SHAPE_TEXT - 16; k++)
        n += text_format(text + n, (size_t)(SHAPE_TEXT - n), "%s%u", k ? "," : "", t->dims[k]);
    (void)text_format(text + n, (size_t)(SHAPE_TEXT - n), "]");
    return text;
}

static const char *port_text(const struct nn_port *p, char text[SHAPE_TEXT])
{
    int n = text_format(text, SHAPE_TEXT, "%s", dtype_short(p->dtype));
    if (!p->has_shape)
        return text;
    n += text_format(text + n, (size_t)(SHAPE_TEXT - n), " [");
    for (uint32_t k = 0; k < p->rank && n < SHAPE_TEXT - 40; k++)
        if (p->dims[k] >= 0)
            n += text_format(text + n, (size_t)(SHAPE_TEXT - n), "%s%lld", k ? "," : "",
                             (long long)p->dims[k]);
        else
            n += text_format(text + n, (size_t)(SHAPE_TEXT - n), "%s%.24s", k ? "," : "",
                             p->symbols[k] && *p->symbols[k] ? p->symbols[k] : "?");
    (void)text_format(text + n, (size_t)(SHAPE_TEXT - n), "]");
    return text;
}

static enum fault mismatch(wasinn_instance *i, const struct nn_port *p, uint32_t index,
                           const struct nn_given *t, enum dtype dtype, const char *hint)
{
    char got[SHAPE_TEXT], wants[SHAPE_TEXT];
    return fail(&i->failure, FAULT_ARGUMENT, "input %u `%s`: got %s, model wants %s%s", index,
                p->name, given_text(t, dtype, got), port_text(p, wants), hint);
}

/* Where the code means the model's dtype in another numbering: a guest that was built for that. */
static const char *numbering_hint(const struct nn_port *p, const struct nn_given *t, uint64_t count,
                                  char text[SHAPE_TEXT])
{
    enum dtype here, there;
    uint64_t bytes;
    text[0] = 0;
    if (!dtype_of_code(t->numbering, t->type, &here) || here == dtype_for_guest(p->dtype))
        return text;
    for (int n = WASINN_DTYPES_2023; n <= WASINN_DTYPES_WIT; n++)
        if (dtype_of_code((wasinn_dtypes)n, t->type, &there) &&
            there == dtype_for_guest(p->dtype) && dtype_bytes(there, count, &bytes) &&
            bytes == t->data.size) {
            (void)text_format(text, SHAPE_TEXT,
                              " (code %u is %s in `%s`, %s in `%s`: try --nn-dtypes %s)", t->type,
                              dtype_short(here), dtypes_name(t->numbering), dtype_short(there),
                              dtypes_name((wasinn_dtypes)n), dtypes_name((wasinn_dtypes)n));
            return text;
        }
    return text;
}

/* --- inputs ------------------------------------------------------------------------------------------ */

static enum fault unknown_code(wasinn_instance *i, const struct nn_port *p, uint32_t index,
                               const struct nn_given *t)
{
    enum dtype there;
    for (int n = WASINN_DTYPES_2023; n <= WASINN_DTYPES_WIT; n++)
        if (dtype_of_code((wasinn_dtypes)n, t->type, &there))
            return fail(&i->failure, FAULT_ARGUMENT,
                        "input %u `%s`: type code %u does not exist in `%s`; in `%s` it is %s: try "
                        "--nn-dtypes %s",
                        index, p->name, t->type, dtypes_name(t->numbering),
                        dtypes_name((wasinn_dtypes)n), dtype_short(there),
                        dtypes_name((wasinn_dtypes)n));
    return fail(&i->failure, FAULT_ARGUMENT, "input %u `%s`: no tensor type has the code %u", index,
                p->name, t->type);
}

/* Dims that multiply to what the data have. */
static enum fault check_size(wasinn_instance *i, const struct nn_port *p, uint32_t index,
                             const struct nn_given *t, enum dtype dtype, uint64_t *count)
{
    char got[SHAPE_TEXT], hint[SHAPE_TEXT];
    uint64_t bytes = 0;
    bool fits = true;
    *count = 1;
    for (uint32_t k = 0; k < t->rank; k++)
        fits = fits && mul_u64(*count, t->dims[k], count);
    if (!fits || !dtype_bytes(dtype, *count, &bytes))
        return fail(&i->failure, FAULT_ARGUMENT, "input %u `%s`: the dimensions of %s overflow",
                    index, p->name, given_text(t, dtype, got));
    if (bytes != t->data.size)
        return fail(&i->failure, FAULT_ARGUMENT,
                    "input %u `%s`: %s has %llu bytes, the tensor gives %zu%s", index, p->name,
                    given_text(t, dtype, got), (unsigned long long)bytes, t->data.size,
                    numbering_hint(p, t, *count, hint));
    if (bytes > i->host->limits.tensor_bytes)
        return fail(&i->failure, FAULT_TOO_LARGE,
                    "input %u `%s`: %llu bytes are more than the limit of %llu", index, p->name,
                    (unsigned long long)bytes, (unsigned long long)i->host->limits.tensor_bytes);
    return FAULT_NONE;
}

/* A model's dtype that this backend or this numbering cannot take from a guest. */
static enum fault check_carriable(wasinn_instance *i, const struct nn_context *c,
                                  const struct nn_port *p, uint32_t index, const struct nn_given *t)
{
    uint32_t code;
    if (p->kind)
        return fail(&i->failure, FAULT_UNSUPPORTED,
                    "input %u `%s` is %s: guests can give tensors only", index, p->name, p->kind);
    if (p->dtype == DTYPE_STRING)
        return fail(&i->failure, FAULT_UNSUPPORTED,
                    "input %u `%s` is a tensor of strings, for which there is no type code: move "
                    "the handling of text to the guest",
                    index, p->name);
    if (!code_of_dtype(t->numbering, dtype_for_guest(p->dtype), &code))
        return fail(&i->failure, FAULT_UNSUPPORTED,
                    "input %u `%s` is %s, which has no type code in `%s`", index, p->name,
                    dtype_short(p->dtype), dtypes_name(t->numbering));
    if (p->dtype == DTYPE_FLOAT64 && p->carried != DTYPE_FLOAT64)
        return fail(&i->failure, FAULT_UNSUPPORTED,
                    "input %u `%s` is f64, which %s would narrow to %s: use backend `onnx`", index,
                    p->name, c->graph->choice->name, dtype_short(p->carried));
    return FAULT_NONE;
}

/* A scalar is given with dims [] or [1]. */
static bool shape_fits(const struct nn_port *p, const struct nn_given *t)
{
    if (!p->has_shape)
        return true;
    if (p->rank == 0)
        return t->rank == 0 || (t->rank == 1 && t->dims[0] == 1);
    if (t->rank != p->rank)
        return false;
    for (uint32_t k = 0; k < t->rank; k++)
        if (p->dims[k] >= 0 && p->dims[k] != (int64_t)t->dims[k])
            return false;
    return true;
}

static void copy_elements(const struct nn_port *p, const struct nn_given *t, uint64_t count,
                          struct tensor *to)
{
    uint8_t *bytes = to->data;
    if (p->dtype == DTYPE_BOOL) {
        for (size_t k = 0; k < t->data.size; k++)
            bytes[k] = t->data.data[k] != 0;
        return;
    }
    if (p->dtype == DTYPE_BFLOAT16 && p->carried == DTYPE_FLOAT32) {
        for (uint64_t k = 0; k < count; k++) {
            uint16_t bits;
            memcpy(&bits, t->data.data + 2 * k, 2);
            float wide = bfloat16_to_float(bits);
            memcpy(bytes + 4 * k, &wide, 4);
        }
        return;
    }
    if (t->data.size)
        memcpy(bytes, t->data.data, t->data.size);
}

static uint64_t block_bytes(const void *block, size_t size)
{
    return block ? size - BLOCK_EXTRA : 0;
}

/* The buffer grows; what the former one held counts no more. A failure leaves the former value. */
static enum fault store(wasinn_instance *i, struct nn_context *c, const struct nn_port *p,
                        uint32_t index, const struct nn_given *t, uint64_t count)
{
    struct nn_input *in = &c->inputs[index];
    struct tensor value = { .dtype = p->dtype == DTYPE_BOOL ? p->dtype : p->carried };
    uint64_t bytes = 0;
    if (!dtype_bytes(value.dtype, count, &bytes))
        return fail(&i->failure, FAULT_TOO_LARGE, "input %u `%s` is too large", index, p->name);
    void *block = NULL;
    size_t block_size = 0;
    bool fits = in->block && in->block_size >= bytes + BLOCK_EXTRA;
    if (fits) {
        block = in->block;
        block_size = in->block_size;
    } else {
        CHECK(instance_hold(i, bytes, "an input"));
    }
    if (!block_reserve(i->allocator, &block, &block_size, (size_t)bytes, &value.data)) {
        i->held -= bytes;
        return fail_memory(&i->failure);
    }
    if (!fits) {
        uint64_t former = block_bytes(in->block, in->block_size);
        mem_free(i->allocator, in->block, in->block_size);
        i->held -= former;
        c->held += bytes - former;
        in->block = block;
        in->block_size = block_size;
    }
    value.rank = p->has_shape ? p->rank : t->rank;
    for (uint32_t k = 0; k < value.rank && k < t->rank; k++)
        value.dims[k] = t->dims[k];
    copy_elements(p, t, count, &value);
    in->tensor = value;
    in->set = true;
    return FAULT_NONE;
}

enum fault context_set_input(wasinn_instance *i, struct nn_context *c, uint32_t index,
                             const struct nn_given *t)
{
    const struct nn_port *p = &c->graph->inputs[index];
    enum dtype dtype;
    uint64_t count;
    char hint[SHAPE_TEXT];
    i->call.tensor = p->name;
    if (!dtype_of_code(t->numbering, t->type, &dtype))
        return unknown_code(i, p, index, t);
    i->call.type = dtype_short(dtype);
    i->call.rank = t->rank;
    for (uint32_t k = 0; k < t->rank; k++)
        i->call.dims[k] = t->dims[k];
    CHECK(check_size(i, p, index, t, dtype, &count));
    CHECK(check_carriable(i, c, p, index, t));
    if (dtype != dtype_for_guest(p->dtype))
        return mismatch(i, p, index, t, dtype, numbering_hint(p, t, count, hint));
    if (!shape_fits(p, t))
        return mismatch(i, p, index, t, dtype, "");
    CHECK(store(i, c, p, index, t, count));
    i->call.bytes = t->data.size;
    i->stats.input_bytes += t->data.size;
    return FAULT_NONE;
}

/* --- runs -------------------------------------------------------------------------------------------- */

static enum fault missing(wasinn_instance *i, const struct nn_graph *g, uint32_t index)
{
    return fail(&i->failure, FAULT_ORDER, "input %u `%s` is not set", index, g->inputs[index].name);
}

/* Equal names of open dims are one size. */
static enum fault check_symbols(wasinn_instance *i, const struct nn_context *c)
{
    const struct nn_graph *g = c->graph;
    for (uint32_t a = 0; a < g->input_count; a++)
        for (uint32_t x = 0; g->inputs[a].has_shape && x < g->inputs[a].rank; x++) {
            uint32_t b = g->inputs[a].same_input[x], y = g->inputs[a].same_axis[x];
            if (c->tensors[a].dims[x] != c->tensors[b].dims[y])
                return fail(&i->failure, FAULT_ARGUMENT,
                            "dimension `%s` is %lld in input %u `%s` and %lld in input %u `%s`",
                            g->inputs[a].symbols[x], (long long)c->tensors[b].dims[y], b,
                            g->inputs[b].name, (long long)c->tensors[a].dims[x], a,
                            g->inputs[a].name);
        }
    return FAULT_NONE;
}

/* Memory of a context's outputs: the engine's own, and blocks, which are kept from run to run. */
static uint64_t output_memory(const struct nn_context *c)
{
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < c->graph->output_count; k++) {
        const struct nn_output *o = &c->results.outputs[k];
        bytes += block_bytes(o->block, o->block_size);
        bytes += block_bytes(o->converted, o->converted_size);
        bytes += o->owner && o->present ? tensor_bytes(&o->tensor) : 0;
    }
    return bytes;
}

/* Counts the outputs as they are. FAULT_TOO_LARGE when they do not fit beside what is held: they are gone then. */
static enum fault count_outputs(wasinn_instance *i, struct nn_context *c)
{
    uint64_t now = output_memory(c);
    i->held -= c->outputs_held;
    c->outputs_held = 0;
    enum fault fault = instance_hold(i, now, "the outputs");
    if (fault == FAULT_NONE)
        c->outputs_held = now;
    else
        context_free_outputs(i, c);
    return fault;
}

void context_free_outputs(wasinn_instance *i, struct nn_context *c)
{
    c->computed = false;
    c->graph->choice->backend->clear(c->graph, &c->results);
    for (uint32_t k = 0; k < c->graph->output_count; k++) {
        struct nn_output *o = &c->results.outputs[k];
        mem_free(i->allocator, o->block, o->block_size);
        mem_free(i->allocator, o->converted, o->converted_size);
        *o = (struct nn_output){ 0 };
    }
    i->held -= c->outputs_held;
    c->outputs_held = 0;
}

static void forget_outputs(wasinn_instance *i, struct nn_context *c)
{
    c->computed = false;
    c->graph->choice->backend->clear(c->graph, &c->results);
    (void)count_outputs(i, c);
}

static enum fault run(wasinn_instance *i, struct nn_context *c)
{
    struct diags d;
    const struct nn_run r = { .inputs = c->tensors,
                              .stop = &i->stop,
                              .deadline_ns = i->call.deadline_ns,
                              .output_limit = i->host->limits.output_bytes,
                              .failure = &i->failure,
                              .diags = &d };
    diags_init(&d, i->allocator);
    uint64_t begun = system_clock_ns();
    enum fault fault = c->graph->choice->backend->compute(c->graph, &r, &c->results);
    i->call.backend_ns += system_clock_ns() - begun;
    if (fault != FAULT_NONE)
        host_log_diags(i->host, O2W_LOG_DEBUG, "compute", &d);
    diags_free(&d);
    return fault;
}

enum fault context_compute(wasinn_instance *i, struct nn_context *c)
{
    const struct nn_graph *g = c->graph;
    forget_outputs(i, c);
    for (uint32_t k = 0; k < g->input_count; k++) {
        if (!c->inputs[k].set)
            return missing(i, g, k);
        c->tensors[k] = c->inputs[k].tensor;
    }
    CHECK(check_symbols(i, c));
    CHECK(instance_deadline(i, "compute", i->host->limits.compute_ms));
    enum fault fault = run(i, c);
    if (fault == FAULT_NONE)
        fault = count_outputs(i, c);
    else
        forget_outputs(i, c);
    c->computed = fault == FAULT_NONE;
    return fault;
}

/* --- outputs ----------------------------------------------------------------------------------------- */

static enum fault output_dtype(wasinn_instance *i, const struct nn_context *c,
                               const struct nn_port *p, uint32_t index, wasinn_dtypes numbering,
                               enum dtype *out)
{
    uint32_t code;
    const char *offer = p->dtype == DTYPE_STRING
                            ? ": ask for the probabilities and map the labels in the guest"
                            : "";
    if (p->kind || p->dtype == DTYPE_STRING)
        return fail(&i->failure, FAULT_UNSUPPORTED,
                    "output %u `%s` is %s, which guests cannot have%s", index, p->name,
                    p->kind ? p->kind : "a tensor of strings", offer);
    if (p->dtype == DTYPE_FLOAT64 && p->carried != DTYPE_FLOAT64)
        return fail(&i->failure, FAULT_UNSUPPORTED,
                    "output %u `%s` is f64, which %s computes as %s: use backend `onnx`", index,
                    p->name, c->graph->choice->name, dtype_short(p->carried));
    *out = dtype_for_guest(p->dtype);
    if (code_of_dtype(numbering, *out, &code))
        return FAULT_NONE;
    if (i->host->options.policy & WASINN_WIDEN && dtype_widened(p->dtype, out) &&
        code_of_dtype(numbering, *out, &code))
        return FAULT_NONE;
    return fail(&i->failure, FAULT_UNSUPPORTED,
                "output %u `%s` is %s, which has no type code in `%s`%s", index, p->name,
                dtype_short(p->dtype), dtypes_name(numbering),
                dtype_widened(p->dtype, out) ? " (--nn-widen gives it in a wider type)" : "");
}

/* Into a block that is kept; its bytes have the limits of outputs too. */
static enum fault convert(wasinn_instance *i, struct nn_context *c, struct nn_output *o,
                          enum dtype to, struct tensor *out)
{
    uint64_t bytes = 0, kept = block_bytes(o->converted, o->converted_size);
    uint64_t limit = i->host->limits.output_bytes;
    struct tensor t = o->tensor;
    t.dtype = to;
    if (!dtype_bytes(to, tensor_count(&t), &bytes) || bytes > limit || bytes > SIZE_MAX / 2)
        return fail(&i->failure, FAULT_TOO_LARGE,
                    "as %s the output has %llu bytes, the limit is %llu", dtype_short(to),
                    (unsigned long long)bytes, (unsigned long long)limit);
    uint64_t more = bytes > kept ? bytes - kept : 0;
    CHECK(instance_hold(i, more, "an output"));
    c->outputs_held += more;
    if (!block_reserve(i->allocator, &o->converted, &o->converted_size, (size_t)bytes, &t.data)) {
        (void)count_outputs(i, c);
        return fail_memory(&i->failure);
    }
    if (bytes && tensor_convert(&o->tensor, &t) != O2W_OK)
        return fail(&i->failure, FAULT_INTERNAL, "%s cannot be converted to %s",
                    dtype_short(o->tensor.dtype), dtype_short(to));
    *out = t;
    return FAULT_NONE;
}

enum fault context_output(wasinn_instance *i, struct nn_context *c, uint32_t index,
                          wasinn_dtypes numbering, struct tensor *out)
{
    const struct nn_port *p = &c->graph->outputs[index];
    struct nn_output *o = &c->results.outputs[index];
    enum dtype dtype;
    i->call.tensor = p->name;
    if (!c->computed)
        return fail(&i->failure, FAULT_RUNTIME,
                    "output %u `%s`: no compute of this context has succeeded last", index,
                    p->name);
    CHECK(output_dtype(i, c, p, index, numbering, &dtype));
    if (!o->present)
        return fail(&i->failure, FAULT_UNSUPPORTED, "output %u `%s` is no tensor", index, p->name);
    struct tensor t = o->tensor;
    bool same = t.dtype == dtype || (t.dtype == DTYPE_BOOL && dtype == DTYPE_UINT8);
    if (same)
        t.dtype = dtype;
    else
        CHECK(convert(i, c, o, dtype, &t));
    i->call.type = dtype_short(dtype);
    i->call.rank = t.rank;
    memcpy(i->call.dims, t.dims, sizeof t.dims);
    *out = t;
    return FAULT_NONE;
}

void context_forget(struct nn_context *c)
{
    for (uint32_t k = 0; k < c->graph->input_count; k++)
        c->inputs[k].set = false;
}
