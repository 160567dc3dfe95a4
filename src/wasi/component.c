/* wasi:nn on host values: tensors, named inputs and outputs, errors as objects. */
#include "wasi/context.h"

#include "base/checked.h"

#include <string.h>

enum { ENCODING_ONNX = 1, ENCODING_AUTODETECT = 6, TARGETS = 3 };

/* --- errors ------------------------------------------------------------------------------------------ */

/* Objects count as held, so that there is an end of them. What tells that there is no more room has some. */
enum { ERROR_ROOM = 1 << 20 };

static struct nn_error *make_error(wasinn_instance *i, enum fault fault)
{
    uint64_t limit = i->host->limits.total_bytes;
    if (i->held > limit && i->held - limit > ERROR_ROOM)
        return NULL;
    struct nn_error *e = mem_alloc(i->allocator, sizeof *e);
    if (!e)
        return NULL;
    i->held += sizeof *e;
    e->code = fault_code(fault);
    memcpy(e->text, i->failure.text, sizeof e->text);
    return e;
}

/* Ends a call: 0 and false never come together but when memory is out, which traps. */
static bool finish(wasinn_instance *i, const char *function, enum fault fault, uint32_t *rep)
{
    bool full;
    fault = instance_leave(i, function, fault);
    if (fault == FAULT_NONE)
        return true;
    *rep = 0;
    struct nn_error *e = make_error(i, fault);
    if (!e)
        return false;
    *rep = table_add(&i->tables[WASINN_RESOURCE_ERROR], e, &full);
    if (!*rep)
        object_free(i, WASINN_RESOURCE_ERROR, e);
    return false;
}

bool wasinn_error_get(const wasinn_instance *i, uint32_t rep, wasinn_code *code, const char **text)
{
    const struct nn_error *e = table_find(&i->tables[WASINN_RESOURCE_ERROR], rep);
    if (!e)
        return false;
    *code = e->code;
    *text = e->text;
    return true;
}

bool wasinn_drop(wasinn_instance *i, wasinn_resource kind, uint32_t rep)
{
    void *object = table_remove(&i->tables[kind], rep);
    if (object)
        object_free(i, kind, object);
    return object != NULL;
}

/* --- tensors ----------------------------------------------------------------------------------------- */

/* What a constructor cannot say; bytes of a tensor that is refused are not kept. */
static enum fault judge(wasinn_instance *i, const struct nn_tensor *t, uint64_t size)
{
    uint64_t count = 1, bytes = 0, limit = i->host->limits.tensor_bytes;
    enum dtype dtype;
    bool fits = true;
    if (t->rank > i->host->limits.rank)
        return fail(&i->failure, FAULT_ARGUMENT, "a tensor has rank %u, at most %u is accepted",
                    t->rank, i->host->limits.rank);
    if (!dtype_of_code(WASINN_DTYPES_WIT, t->type, &dtype))
        return fail(&i->failure, FAULT_ARGUMENT, "no tensor type has the number %u", t->type);
    for (uint32_t k = 0; k < t->rank; k++)
        fits = fits && mul_u64(count, t->dims[k], &count);
    if (!fits || !dtype_bytes(dtype, count, &bytes))
        return fail(&i->failure, FAULT_ARGUMENT, "the dimensions of a tensor overflow");
    if (bytes != size)
        return fail(&i->failure, FAULT_ARGUMENT, "a tensor of %llu bytes was given %llu",
                    (unsigned long long)bytes, (unsigned long long)size);
    if (bytes > limit)
        return fail(&i->failure, FAULT_TOO_LARGE, "a tensor has %llu bytes, the limit is %llu",
                    (unsigned long long)bytes, (unsigned long long)limit);
    return instance_hold(i, bytes, "a tensor");
}

static uint32_t add_tensor(wasinn_instance *i, struct nn_tensor *t)
{
    bool full;
    uint32_t rep = table_add(&i->tables[WASINN_RESOURCE_TENSOR], t, &full);
    if (!rep)
        object_free(i, WASINN_RESOURCE_TENSOR, t);
    return rep;
}

static struct nn_tensor *make_tensor(wasinn_instance *i, const uint32_t *dims, size_t rank,
                                     uint32_t type)
{
    if (instance_hold(i, sizeof(struct nn_tensor), "a tensor") != FAULT_NONE)
        return NULL;
    struct nn_tensor *t = mem_alloc(i->allocator, sizeof *t);
    if (!t) {
        i->held -= sizeof *t;
        return NULL;
    }
    memset(t, 0, sizeof *t);
    t->type = type;
    t->rank = rank > UINT32_MAX ? UINT32_MAX : (uint32_t)rank;
    for (size_t k = 0; k < rank && k < MAX_RANK; k++)
        t->dims[k] = dims[k];
    return t;
}

/* The size counts as held already. */
static bool fill(wasinn_instance *i, struct nn_tensor *t, const void *data, size_t size)
{
    t->data = mem_alloc(i->allocator, size);
    if (size && !t->data) {
        i->held -= size;
        return false;
    }
    t->size = size;
    if (size)
        memcpy(t->data, data, size);
    return true;
}

uint32_t wasinn_tensor_new(wasinn_instance *i, const uint32_t *dims, size_t rank, uint32_t type,
                           wasinn_bytes data)
{
    uint32_t rep = 0;
    if (!instance_enter(i))
        return 0;
    struct nn_tensor *t = make_tensor(i, dims, rank, type);
    if (t) {
        enum fault fault = judge(i, t, data.size);
        if (fault != FAULT_NONE)
            t->verdict = i->failure;
        else if (!fill(i, t, data.data, data.size))
            (void)fail_memory(&t->verdict);
        i->stats.input_bytes += t->size;
        i->call.bytes = t->size;
        rep = add_tensor(i, t);
    }
    i->call.handle = rep;
    (void)instance_leave(i, "[constructor]tensor", FAULT_NONE);
    return rep;
}

bool wasinn_tensor_get(const wasinn_instance *i, uint32_t rep, wasinn_tensor_view *out)
{
    const struct nn_tensor *t = table_find(&i->tables[WASINN_RESOURCE_TENSOR], rep);
    if (!t)
        return false;
    *out = (wasinn_tensor_view){ .rank = t->rank > MAX_RANK ? MAX_RANK : t->rank,
                                 .type = t->type,
                                 .dims = t->dims,
                                 .data = { t->data, t->size } };
    return true;
}

/* --- graphs ------------------------------------------------------------------------------------------ */

static enum fault load(wasinn_instance *i, const wasinn_bytes *builders, size_t count,
                       uint32_t encoding, uint32_t target, uint32_t *rep)
{
    static const char *const names[] = { "openvino",       "onnx", "tensorflow", "pytorch",
                                         "tensorflowlite", "ggml", "autodetect" };
    struct nn_model m = { .builders = builders, .count = count, .target = (wasinn_target)target };
    if (encoding != ENCODING_ONNX && encoding != ENCODING_AUTODETECT)
        return fail(&i->failure, FAULT_ENCODING,
                    "no backend for encoding %s: give onnx or "
                    "autodetect",
                    encoding < ENCODING_AUTODETECT ? names[encoding] : "of that number");
    if (target >= TARGETS)
        return fail(&i->failure, FAULT_ARGUMENT, "target %u does not exist", target);
    m.encoding = encoding == ENCODING_ONNX ? WASINN_ENCODING_ONNX : WASINN_ENCODING_AUTODETECT;
    return op_load(i, &m, rep);
}

bool wasinn_graph_load(wasinn_instance *i, const wasinn_bytes *builders, size_t count,
                       uint32_t encoding, uint32_t target, uint32_t *rep)
{
    *rep = 0;
    return instance_enter(i) &&
           finish(i, "load", load(i, builders, count, encoding, target, rep), rep);
}

bool wasinn_graph_load_by_name(wasinn_instance *i, wasinn_bytes name, uint32_t *rep)
{
    *rep = 0;
    return instance_enter(i) &&
           finish(i, "load-by-name", op_load_by_name(i, (struct span){ name.data, name.size }, rep),
                  rep);
}

bool wasinn_context_new(wasinn_instance *i, uint32_t graph, uint32_t *rep)
{
    *rep = 0;
    return instance_enter(i) &&
           finish(i, "init-execution-context", op_new_context(i, graph, rep), rep);
}

/* --- computing --------------------------------------------------------------------------------------- */

/* The model's names, as many as fit. */
static enum fault wrong_name(wasinn_instance *i, const struct nn_graph *g, const char *what,
                             struct span name)
{
    char names[300] = "";
    size_t length = 0;
    for (uint32_t k = 0; k < g->input_count; k++) {
        size_t size = strlen(g->inputs[k].name);
        if (length + size + 6 > sizeof names)
            break;
        if (k)
            names[length++] = ' ';
        memcpy(names + length, g->inputs[k].name, size + 1);
        length += size;
    }
    return fail(&i->failure, FAULT_ARGUMENT, "input `%.*s` %s; the inputs are: %s", SPAN_ARG(name),
                what, names);
}

/* With extensions a decimal index is a name too, as some hosts have it. */
static bool place_of(const wasinn_instance *i, const struct nn_graph *g, struct span name,
                     uint32_t *place)
{
    uint32_t index = 0;
    for (*place = 0; *place < g->input_count; ++*place)
        if (span_is(name, g->inputs[*place].name))
            return true;
    if (!(i->host->options.policy & WASINN_EXTENSIONS) || !name.size || name.size > 4)
        return false;
    for (size_t k = 0; k < name.size; k++) {
        if (name.data[k] < '0' || name.data[k] > '9')
            return false;
        index = index * 10 + (uint32_t)(name.data[k] - '0');
    }
    *place = index;
    return index < g->input_count;
}

static enum fault give_input(wasinn_instance *i, struct nn_context *c,
                             const wasinn_named_tensor *in)
{
    const struct span name = { in->name.data, in->name.size };
    const struct nn_tensor *t = table_find(&i->tables[WASINN_RESOURCE_TENSOR], in->tensor);
    uint32_t place;
    if (!t)
        return fail(&i->failure, FAULT_ARGUMENT, "input `%.*s` is no tensor", SPAN_ARG(name));
    if (!place_of(i, c->graph, name, &place))
        return wrong_name(i, c->graph, "does not exist", name);
    if (c->inputs[place].set)
        return wrong_name(i, c->graph, "is given twice", name);
    if (t->verdict.fault != FAULT_NONE)
        return fail(&i->failure, t->verdict.fault, "input `%.*s`: %s", SPAN_ARG(name),
                    t->verdict.text);
    const struct nn_given given = { .type = t->type,
                                    .rank = t->rank,
                                    .dims = t->dims,
                                    .data = { t->data, t->size },
                                    .numbering = WASINN_DTYPES_WIT };
    CHECK(context_set_input(i, c, place, &given));
    i->stats.input_bytes -= t->size; /* counted when the guest gave it */
    return FAULT_NONE;
}

static enum fault check_all_given(wasinn_instance *i, const struct nn_context *c)
{
    for (uint32_t k = 0; k < c->graph->input_count; k++)
        if (!c->inputs[k].set)
            return wrong_name(i, c->graph, "is missing", span_of(c->graph->inputs[k].name));
    return FAULT_NONE;
}

/* A tensor that holds what the output is; a scalar has dims [1]. */
static enum fault take_output(wasinn_instance *i, const struct nn_port *p, const struct tensor *t)
{
    uint32_t dims[MAX_RANK] = { 1 }, code = 0;
    size_t size = (size_t)tensor_bytes(t);
    (void)code_of_dtype(WASINN_DTYPES_WIT, t->dtype, &code);
    for (uint32_t k = 0; k < t->rank; k++)
        dims[k] = (uint32_t)t->dims[k];
    CHECK(instance_hold(i, size, "an output"));
    struct nn_tensor *made = make_tensor(i, dims, t->rank ? t->rank : 1, code);
    if (!made || !fill(i, made, t->data, size)) {
        i->held -= made ? 0 : size;
        if (made)
            object_free(i, WASINN_RESOURCE_TENSOR, made);
        return fail_memory(&i->failure);
    }
    uint32_t rep = add_tensor(i, made);
    if (!rep)
        return fail_memory(&i->failure);
    wasinn_named_tensor named = { { p->name, strlen(p->name) }, rep };
    if (!VEC_PUSH(&i->outputs, named)) {
        (void)wasinn_drop(i, WASINN_RESOURCE_TENSOR, rep);
        return fail_memory(&i->failure);
    }
    i->stats.output_bytes += size;
    i->call.bytes += size;
    return FAULT_NONE;
}

static enum fault take_outputs(wasinn_instance *i, struct nn_context *c)
{
    struct tensor t;
    for (uint32_t k = 0; k < c->graph->output_count; k++) {
        enum fault fault = context_output(i, c, k, WASINN_DTYPES_WIT, &t);
        if (fault == FAULT_UNSUPPORTED)
            host_log(i->host, O2W_LOG_INFO, "left out: %s", i->failure.text);
        else if (fault != FAULT_NONE)
            return fault;
        else
            CHECK(take_output(i, &c->graph->outputs[k], &t));
    }
    return FAULT_NONE;
}

static enum fault compute(wasinn_instance *i, uint32_t context, const wasinn_named_tensor *inputs,
                          size_t count)
{
    struct nn_context *c;
    CHECK(op_find_context(i, context, &c));
    context_forget(c);
    for (size_t k = 0; k < count; k++)
        CHECK(give_input(i, c, &inputs[k]));
    CHECK(check_all_given(i, c));
    CHECK(context_compute(i, c));
    return take_outputs(i, c);
}

bool wasinn_context_compute(wasinn_instance *i, uint32_t context, const wasinn_named_tensor *inputs,
                            size_t count, const wasinn_named_tensor **outputs, size_t *output_count,
                            uint32_t *error)
{
    *error = 0;
    if (!instance_enter(i))
        return false;
    i->outputs.count = 0;
    enum fault fault = compute(i, context, inputs, count);
    for (size_t k = 0; k < count; k++)
        (void)wasinn_drop(i, WASINN_RESOURCE_TENSOR, inputs[k].tensor);
    if (fault != FAULT_NONE) {
        for (size_t k = 0; k < i->outputs.count; k++)
            (void)wasinn_drop(i, WASINN_RESOURCE_TENSOR, i->outputs.items[k].tensor);
        i->outputs.count = 0;
    }
    *outputs = i->outputs.items;
    *output_count = i->outputs.count;
    return finish(i, "compute", fault, error);
}
