#include "runner.h"

#include "base/number.h"
#include "native.h"
#include "tensor_text.h"
#include "webnn/passes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct engine_run {
    const struct backend *backend;
    struct engine *engine;
};

static struct {
    struct engine_run engines[16];
    size_t engine_count;
    bool native;
    unsigned passed, failed, skipped, native_runs, engine_runs;
} all;

/* One case at work. */
struct work {
    const struct op_case *c;
    struct model_run run;
    struct model_builder builder, reference_builder;
    struct model_builder *b; /* the one at work */
    struct span model, native_model;
    struct tensor_text inputs[OP_PORTS], outputs[OP_PORTS];
    size_t output_count;
    struct model_feed feeds[OP_PORTS];
    char why[700];
};

static bool fail(struct work *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(struct work *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(w->why, sizeof w->why, format, args);
    va_end(args);
    return false;
}

/* --- the model ------------------------------------------------------------------------------------- */

static bool parse_ports(struct work *w, const char *const *texts, struct tensor_text *out,
                        size_t *count)
{
    for (*count = 0; *count < OP_PORTS && texts[*count]; ++*count) {
        const char *why = tensor_text_parse(texts[*count], &w->run.arena, &out[*count]);
        if (why)
            return fail(w, "the case: %s in '%s'", why, texts[*count]);
    }
    return true;
}

static const char *port_name(struct work *w, char letter, size_t i)
{
    return arena_printf(&w->run.arena, "%c%zu", letter, i);
}

static void add_input(struct work *w, size_t i)
{
    const struct tensor_text *t = &w->inputs[i];
    int dtype = dtype_info(t->tensor.dtype)->onnx;
    const char *name = port_name(w, 'x', i);
    char dims[400] = "";
    size_t size = 0;
    if (t->absent)
        return;
    if (t->initializer) {
        mb_raw(w->b, name, dtype, t->tensor.dims, t->tensor.rank, t->tensor.data,
               (size_t)tensor_bytes(&t->tensor));
        return;
    }
    w->feeds[w->run.feed_count++] = (struct model_feed){ span_of(name), t->tensor };
    for (uint32_t k = 0; k < t->tensor.rank; k++)
        size += (size_t)(t->names[k] ? snprintf(dims + size, sizeof dims - size, " %s", t->names[k])
                                     : snprintf(dims + size, sizeof dims - size, " %lld",
                                                (long long)t->tensor.dims[k]));
    if (t->tensor.rank)
        mb_input_named(w->b, name, dtype, dims + 1);
    else
        mb_input(w->b, name, dtype, SCALAR);
}

static bool parse_real(struct span text, double *out)
{
    *out = NAN;
    return span_is(text, "nan") || number_parse_double(text, out) == O2W_OK;
}

/* A list "[1,2]" or "[0.5,2]". */
static bool add_list(struct work *w, const char *name, struct span text)
{
    int64_t ints[64];
    float floats[64];
    size_t count = 0;
    bool real = false;
    for (size_t i = 0; i < text.size; i++)
        real |= text.data[i] == '.' || text.data[i] == 'e';
    while (text.size) {
        size_t size = 0;
        double v;
        while (size < text.size && text.data[size] != ',')
            size++;
        struct span item = { text.data, size };
        if (count == 64 || !parse_real(item, &v) ||
            (!real && number_parse_i64(item, &ints[count]) != O2W_OK))
            return fail(w, "the case: attribute '%s' is no list", name);
        floats[count++] = (float)v;
        size += size < text.size;
        text = (struct span){ text.data + size, text.size - size };
    }
    if (real)
        mb_float_list(w->b, name, floats, count);
    else
        mb_int_list(w->b, name, ints, count);
    return true;
}

/* A list "['Tanh','Relu']" of words. */
static void add_words(struct work *w, const char *name, struct span text)
{
    char *words = arena_text(&w->run.arena, text);
    size_t size = 0;
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] != '\'')
            words[size++] = text.data[i] == ',' ? ' ' : (char)text.data[i];
    words[size] = 0;
    mb_string_list(w->b, name, words);
}

/* A tensor "<f64:0.5,1>" of rank 1. */
static bool add_tensor(struct work *w, const char *name, struct span text)
{
    char *values = arena_text(&w->run.arena, text);
    struct tensor_text t;
    size_t count = 1;
    char *colon = strchr(values, ':');
    for (char *at = colon; at && *at; at++) {
        count += *at == ',';
        *at = *at == ',' || *at == ':' ? ' ' : *at;
    }
    if (!colon)
        return fail(w, "the case: attribute '%s' is no tensor", name);
    char *whole =
        arena_printf(&w->run.arena, "%.*s[%zu]%s", (int)(colon - values), values, count, colon);
    const char *why = tensor_text_parse(whole, &w->run.arena, &t);
    if (why)
        return fail(w, "the case: %s in attribute '%s'", why, name);
    mb_tensor(w->b, name, dtype_info(t.tensor.dtype)->onnx, t.tensor.dims, t.tensor.rank,
              t.tensor.data, (size_t)tensor_bytes(&t.tensor));
    return true;
}

static bool add_attribute(struct work *w, const char *name, struct span value)
{
    int64_t whole;
    double v;
    if (value.size > 2 && value.data[0] == '[' && value.data[1] == '\'') {
        add_words(w, name, (struct span){ value.data + 1, value.size - 2 });
        return true;
    }
    if (value.size > 2 && value.data[0] == '<')
        return add_tensor(w, name, (struct span){ value.data + 1, value.size - 2 });
    if (value.size > 1 && value.data[0] == '[')
        return add_list(w, name, (struct span){ value.data + 1, value.size - 2 });
    if (value.size > 1 && value.data[0] == '\'') {
        struct span inner = { value.data + 1, value.size - 2 };
        mb_string(w->b, name, arena_text(&w->run.arena, inner));
    } else if (number_parse_i64(value, &whole) == O2W_OK) {
        mb_int(w->b, name, whole);
    } else if (parse_real(value, &v)) {
        mb_float(w->b, name, (float)v);
    } else {
        return fail(w, "the case: attribute '%s' has no value", name);
    }
    return true;
}

static bool add_attributes(struct work *w, const char *text)
{
    struct span rest = span_trim(span_of(text ? text : ""));
    while (rest.size) {
        size_t end = 0, equal = 0;
        while (end < rest.size && rest.data[end] != ' ')
            end++;
        while (equal < end && rest.data[equal] != '=')
            equal++;
        if (equal == end)
            return fail(w, "the case: an attribute without '='");
        char *name = arena_text(&w->run.arena, (struct span){ rest.data, equal });
        struct span value = { rest.data + equal + 1, end - equal - 1 };
        if (!add_attribute(w, name, value))
            return false;
        rest = span_trim((struct span){ rest.data + end, rest.size - end });
    }
    return true;
}

static bool add_node(struct work *w, const char *op, size_t input_count)
{
    char inputs[200] = "", outputs[200] = "";
    size_t in = 0, out = 0, count = w->output_count ? w->output_count : 1;
    if (count > 1 && w->c->bound > 0)
        count--;
    for (size_t i = 0; i < input_count; i++)
        in += (size_t)snprintf(inputs + in, sizeof inputs - in,
                               w->inputs[i].absent ? " -" : " x%zu", i);
    for (size_t i = 0; i < count; i++)
        out += (size_t)snprintf(outputs + out, sizeof outputs - out,
                                w->outputs[i].absent ? " -" : " y%zu", i);
    mb_node_open(w->b, op, inputs + (in != 0), outputs + 1);
    mb_node_name(w->b, "n");
    if (strchr(w->c->op, ':'))
        mb_node_domain(w->b, arena_printf(&w->run.arena, "%.*s",
                                          (int)(strchr(w->c->op, ':') - w->c->op), w->c->op));
    bool good = add_attributes(w, w->c->attributes);
    mb_close(w->b);
    return good;
}

/* `name := dtype[dims] values` */
static bool add_constant(struct work *w, char *name, const char *text)
{
    struct tensor_text t;
    const char *why = tensor_text_parse(text, &w->run.arena, &t);
    if (why)
        return fail(w, "the reference: %s in '%s'", why, text);
    mb_raw(w->b, name, dtype_info(t.tensor.dtype)->onnx, t.tensor.dims, t.tensor.rank,
           t.tensor.data, (size_t)tensor_bytes(&t.tensor));
    return true;
}

static char *trimmed(struct work *w, char *text)
{
    return arena_text(&w->run.arena, span_trim(span_of(text)));
}

/* `outputs = Op inputs | attributes` */
static bool add_statement(struct work *w, char *outputs, char *node)
{
    char *attributes = strchr(node, '|'), *inputs, *colon;
    if (attributes)
        *attributes++ = 0;
    node = trimmed(w, node);
    inputs = strchr(node, ' ');
    if (inputs)
        *inputs++ = 0;
    colon = strchr(node, ':');
    if (colon)
        *colon = 0;
    mb_node_open(w->b, colon ? colon + 1 : node, inputs ? inputs : "", trimmed(w, outputs));
    if (colon)
        mb_node_domain(w->b, node);
    bool good = add_attributes(w, attributes);
    mb_close(w->b);
    return good;
}

static bool add_reference(struct work *w)
{
    char *rest = arena_text(&w->run.arena, span_of(w->c->reference));
    while (rest) {
        char *statement = rest, *equal;
        rest = strchr(rest, ';');
        if (rest)
            *rest++ = 0;
        equal = strchr(statement, '=');
        if (!equal || equal == statement)
            return fail(w, "the reference: no '=' in '%s'", statement);
        bool constant = equal[-1] == ':';
        equal[constant ? -1 : 0] = 0;
        if (!(constant ? add_constant(w, trimmed(w, statement), equal + 1)
                       : add_statement(w, statement, equal + 1)))
            return false;
    }
    return true;
}

static bool build_nodes(struct work *w, const char *op, size_t input_count)
{
    if (w->b == &w->reference_builder)
        return add_reference(w);
    if (!w->c->build)
        return add_node(w, op, input_count);
    w->c->build(w->b);
    return true;
}

static bool build_one(struct work *w, struct model_builder *b, size_t input_count,
                      struct span *model)
{
    const char *colon = w->c->op ? strchr(w->c->op, ':') : NULL;
    w->b = b;
    w->run.feed_count = 0;
    mb_begin(w->b, colon ? 21 : w->c->opset);
    if (colon)
        mb_opset(w->b, arena_printf(&w->run.arena, "%.*s", (int)(colon - w->c->op), w->c->op),
                 w->c->opset);
    mb_graph(w->b);
    for (size_t i = 0; i < input_count; i++)
        add_input(w, i);
    w->run.feeds = w->feeds;
    if (!build_nodes(w, colon ? colon + 1 : w->c->op, input_count))
        return false;
    if (w->output_count == 0)
        mb_output(w->b, "y0", ONNX_FLOAT, SCALAR);
    size_t declared =
        w->output_count - (w->output_count > 1 && w->c->bound > 0 && b == &w->builder);
    for (size_t i = 0; i < declared; i++)
        if (!w->outputs[i].absent)
            mb_output(w->b, port_name(w, 'y', i), dtype_info(w->outputs[i].tensor.dtype)->onnx,
                      w->outputs[i].tensor.dims, w->outputs[i].tensor.rank);
    *model = mb_end(w->b);
    return true;
}

static bool build_model(struct work *w)
{
    size_t input_count;
    if (!parse_ports(w, w->c->inputs, w->inputs, &input_count) ||
        !parse_ports(w, w->c->outputs, w->outputs, &w->output_count) ||
        !build_one(w, &w->builder, input_count, &w->model))
        return false;
    w->native_model = w->model;
    return !w->c->reference || build_one(w, &w->reference_builder, input_count, &w->native_model);
}

/* --- comparison ------------------------------------------------------------------------------------ */

struct tolerance {
    double relative, absolute;
};

static struct tolerance tolerance_of(const struct op_case *c, enum dtype t)
{
    struct tolerance own = { 2e-6, 1e-6 };
    if (t == DTYPE_FLOAT16)
        own = (struct tolerance){ 2e-3, 1e-4 };
    if (t == DTYPE_BFLOAT16)
        own = (struct tolerance){ 1e-2, 1e-3 };
    if (c->relative != 0 || c->absolute != 0)
        own = (struct tolerance){ c->relative, c->absolute };
    return own;
}

static bool same_element(const struct tensor *a, const struct tensor *b, uint64_t i,
                         struct tolerance t)
{
    if (!dtype_is_float(b->dtype)) {
        if (t.absolute >= 1)
            return fabs(tensor_get_double(a, i) - tensor_get_double(b, i)) <= t.absolute;
        bool is_unsigned = dtype_is_integer(b->dtype) && !dtype_is_signed(b->dtype);
        return is_unsigned ? tensor_get_u64(a, i) == tensor_get_u64(b, i)
                           : tensor_get_i64(a, i) == tensor_get_i64(b, i);
    }
    double x = tensor_get_double(a, i), y = tensor_get_double(b, i);
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    if (isinf(x) || isinf(y))
        return x == y;
    return fabs(x - y) <= t.absolute + t.relative * fabs(y);
}

/* `want` is in the dtype of the model, `got` in the one that carries it. */
static bool same_tensor(struct work *w, const char *who, size_t output, enum dtype model,
                        const struct tensor *got, const struct tensor *want)
{
    char a[200], b[200];
    struct tensor carried;
    if (model != want->dtype && !(w->c->labels && output == 0))
        return fail(w, "%s: output %zu is %s, must be %s", who, output, dtype_name(model),
                    dtype_name(want->dtype));
    dims_text(got->dims, got->rank, a, sizeof a);
    dims_text(want->dims, want->rank, b, sizeof b);
    if (strcmp(a, b) != 0)
        return fail(w, "%s: output %zu has shape %s, must have %s", who, output, a, b);
    if (w->outputs[output].any)
        return true;
    if (tensor_new(&w->run.arena, got->dtype, want->dims, want->rank, &carried) != O2W_OK ||
        tensor_convert(want, &carried) != O2W_OK)
        return fail(w, "the case: output %zu cannot be compared", output);
    struct tolerance t = tolerance_of(w->c, want->dtype);
    for (uint64_t i = 0; i < tensor_count(got); i++)
        if (!same_element(got, &carried, i, t)) {
            bool real = dtype_is_float(got->dtype);
            return fail(w, "%s: output %zu element %llu is %.9g (%lld), must be %.9g (%lld)", who,
                        output, (unsigned long long)i, tensor_get_double(got, i),
                        real ? 0 : (long long)tensor_get_i64(got, i),
                        tensor_get_double(&carried, i),
                        real ? 0 : (long long)tensor_get_i64(&carried, i));
        }
    return true;
}

static bool same_as_stored(struct work *w, const char *who)
{
    size_t at = 0;
    for (size_t i = 0; i < w->output_count; i++) {
        if (w->outputs[i].absent)
            continue;
        if (at == w->run.result_count)
            return fail(w, "%s: output %zu is missing", who, i);
        const struct model_result *r = &w->run.results[at++];
        if (!same_tensor(w, who, i, r->model, &r->tensor, &w->outputs[i].tensor))
            return false;
    }
    return true;
}

/* --- running ---------------------------------------------------------------------------------------- */

static const struct diag *first_error(const struct work *w)
{
    const struct diag *d = w->run.diags.first;
    while (d && d->severity != O2W_SEVERITY_ERROR)
        d = d->next;
    return d;
}

static bool has_error(const struct work *w, enum diag_code code)
{
    const struct diag *d = first_error(w);
    return d && d->code == code;
}

static bool check_refusal(struct work *w)
{
    const struct diag *d = first_error(w);
    if (!w->c->refused)
        return fail(w, "refused: %s: %s", d ? diag_code_text(d->code) : "?", d ? d->message : "");
    if (!d || strcmp(diag_code_text(d->code), w->c->refused) != 0)
        return fail(w, "refused with %s: %s; must be %s", d ? diag_code_text(d->code) : "nothing",
                    d ? d->message : "", w->c->refused);
    if (w->c->says && !strstr(d->message, w->c->says))
        return fail(w, "the message '%s' does not say '%s'", d->message, w->c->says);
    return true;
}

static bool check_operators(struct work *w)
{
    const struct graph *g = w->run.lowering->graph;
    char found[1000] = "";
    size_t size = 0;
    for (size_t i = 0; i < g->operators.count && size < sizeof found; i++)
        size += (size_t)snprintf(found + size, sizeof found - size, "%s%s", i ? " " : "",
                                 operator_row(g->operators.items[i].kind)->name);
    if (!w->c->operators || strcmp(found, w->c->operators) == 0)
        return true;
    return fail(w, "the graph is '%s', must be '%s'", found, w->c->operators);
}

/* The labels of output 0. */
static bool check_labels(struct work *w)
{
    const struct graph *g = w->run.lowering->graph;
    char found[1000] = "";
    size_t size = 0;
    for (size_t i = 0; w->c->labels && i < g->labels.count; i++) {
        const struct graph_labels *l = &g->labels.items[i];
        for (uint32_t k = 0;
             l->operand == g->outputs.items[0].operand && k < l->count && size < sizeof found; k++)
            size += (size_t)(l->strings ? snprintf(found + size, sizeof found - size, "%s%.*s",
                                                   k ? " " : "",
                                                   SPAN_ARG(names_text(&g->names, l->texts[k])))
                                        : snprintf(found + size, sizeof found - size, "%s%lld",
                                                   k ? " " : "", (long long)l->integers[k]));
    }
    if (!w->c->labels || strcmp(found, w->c->labels) == 0)
        return true;
    return fail(w, "the labels are '%s', must be '%s'", found, w->c->labels);
}

static bool run_on(struct work *w, const struct engine_run *e)
{
    w->run.result_count = 0;
    if (model_run_execute(&w->run, e->backend, e->engine) != O2W_OK) {
        const struct diag *d = first_error(w);
        return fail(w, "%s: %s", e->backend->name, d ? d->message : "failed");
    }
    return same_as_stored(w, e->backend->name);
}

/* The first engine is cpu; others take what their limits allow, where they are exact. */
static bool run_engines(struct work *w)
{
    for (size_t i = 0; i < all.engine_count; i++) {
        const struct engine_run *e = &all.engines[i];
        struct limits limits;
        e->backend->limits(&limits);
        if (i > 0 && (e->backend->loose ||
                      graph_check_limits(w->run.lowering->graph, &limits, NULL) != O2W_OK ||
                      (w->c->open && !e->backend->dynamic)))
            continue;
        bool same = run_on(w, e);
        if (i > 0 && !same && has_error(w, DIAG_BACKEND_NO_DYNAMIC))
            continue;
        if (i > 0 && w->c->engine && same)
            return fail(w, "%s agrees, although '%s'", e->backend->name, w->c->engine);
        if (!same && !(i > 0 && w->c->engine))
            return false;
        all.engine_runs += i > 0;
    }
    return true;
}

static bool call_native(struct work *w, struct tensor *results)
{
    size_t count = 0;
    for (size_t i = 0; i < w->output_count; i++)
        count += !w->outputs[i].absent;
    if (native_run(&w->run, w->native_model, count, results) == O2W_OK)
        return true;
    const struct diag *d = w->run.diags.newest;
    return fail(w, "native: %s %s", d ? d->message : "", d && d->lines ? d->lines->text : "");
}

/* Values that only native ONNX Runtime says. */
static bool wants_native(const struct op_case *c)
{
    for (size_t i = 0; i < OP_PORTS && c->outputs[i]; i++)
        if (strstr(c->outputs[i], "] native"))
            return true;
    return false;
}

static bool ask_native(struct work *w)
{
    struct tensor results[OP_PORTS];
    size_t at = 0;
    if (!wants_native(w->c))
        return true;
    if (!call_native(w, results))
        return false;
    for (size_t i = 0; i < w->output_count; i++) {
        struct tensor *want = &w->outputs[i].tensor;
        if (w->outputs[i].absent)
            continue;
        const struct tensor *got = &results[at++];
        if (!w->outputs[i].native)
            continue;
        if (got->dtype != want->dtype)
            return fail(w, "native: output %zu is %s, the case says %s", i, dtype_name(got->dtype),
                        dtype_name(want->dtype));
        want->data = got->data;
        if (want->rank != got->rank ||
            memcmp(want->dims, got->dims, want->rank * sizeof *want->dims))
            return fail(w, "native: output %zu has another shape than the case says", i);
    }
    return true;
}

static bool run_native(struct work *w)
{
    struct tensor results[OP_PORTS];
    size_t at = 0;
    if (!call_native(w, results))
        return false;
    for (size_t i = 0; i < w->output_count; i++) {
        if (w->outputs[i].absent)
            continue;
        const struct tensor *got = &results[at++];
        if (!same_tensor(w, "native", i, got->dtype, got, &w->outputs[i].tensor))
            return false;
    }
    all.native_runs++;
    return true;
}

static bool check_native(struct work *w)
{
    if (!all.native)
        return true;
    bool same = run_native(w);
    if (w->c->native && same)
        return fail(w, "native agrees, although '%s'", w->c->native);
    return same || w->c->native;
}

/* What was converted is refused with these sizes. */
static bool check_dispatch(struct work *w)
{
    o2w_status s = model_run_execute(&w->run, all.engines[0].backend, all.engines[0].engine);
    const struct diag *d = first_error(w);
    if (s != O2W_OK && d && strcmp(diag_code_text(d->code), w->c->dispatch) == 0)
        return true;
    return fail(w, "runs, or is refused with %s; must be refused with %s",
                d ? diag_code_text(d->code) : "nothing", w->c->dispatch);
}

static bool run_case(struct work *w)
{
    struct dims_request open = { .keep_open = true };
    const struct lower_bound bound = { .node = SPAN("n"), .value = w->c->bound };
    struct lower_options options = { .constant_folding = w->c->fold,
                                     .bounds = &bound,
                                     .bound_count = w->c->bound > 0,
                                     .assume_known_categories = w->c->known_categories };
    if (w->c->open)
        options.dims = &open;
    if (!build_model(w))
        return false;
    if (model_run_convert(&w->run, w->model, NULL, &options) != O2W_OK)
        return check_refusal(w);
    if (w->c->refused)
        return fail(w, "converted, must be refused with %s", w->c->refused);
    if (w->c->dispatch)
        return check_operators(w) && check_dispatch(w);
    return check_operators(w) && check_labels(w) && ask_native(w) && run_engines(w) &&
           check_native(w);
}

static void one_case(const struct op_case *c)
{
    struct work *w = calloc(1, sizeof *w);
    w->c = c;
    model_run_init(&w->run);
    if (!all.native && wants_native(c)) {
        all.skipped++;
        printf("SKIP %s: %s: its values are those of ONNX Runtime, which is missing\n", c->op,
               c->rule);
    } else if (run_case(w)) {
        all.passed++;
    } else {
        all.failed++;
        printf("FAIL %s: %s: %s\n", c->op ? c->op : "(graph)", c->rule, w->why);
    }
    model_run_free(&w->run);
    mb_free(&w->builder);
    mb_free(&w->reference_builder);
    free(w);
}

static void open_engines(void)
{
    struct backend_settings settings = { .threads = 1 };
    for (size_t i = 0; i < backend_count && all.engine_count < 16; i++) {
        struct engine_run e = { .backend = backends[i] };
        if (backends[i]->open(&settings, NULL, &e.engine) == O2W_OK)
            all.engines[all.engine_count++] = e;
    }
}

int main(int count, char **arguments)
{
    open_engines();
    all.native = native_present();
    for (size_t i = 0; i < op_case_count; i++)
        if (count < 2 || strstr(op_cases[i].rule, arguments[1]) ||
            (op_cases[i].op && strcmp(op_cases[i].op, arguments[1]) == 0))
            one_case(&op_cases[i]);
    for (size_t i = 0; i < all.engine_count; i++)
        all.engines[i].backend->close(all.engines[i].engine);
    printf("compared with native ONNX Runtime: %u, on engines beside cpu: %u\n", all.native_runs,
           all.engine_runs);
    printf("%u passed, %u failed, %u skipped\n", all.passed, all.failed, all.skipped);
    return all.failed != 0;
}
