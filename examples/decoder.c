/* Writes on with a decoder whose cache grows by every token: one compiled graph, no size fixed.
 *
 *   cc decoder.c $(pkg-config --cflags --libs onnx2webnn) -o decoder
 *   ./decoder model.onnx cpu 8 3 1 4
 *
 * The model takes input_ids, position_ids and inputs past_NAME; its outputs are logits and present_NAME, which
 * are the past of the next step. Prints the likeliest token of each step, beginning with 3 1 4 here. */
#include <onnx2webnn/convert.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64, MOST_CACHES = 64 };

/* A pair of tensors that change places: what a step reads, what it writes. */
struct cache {
    char past[128], present[128];
    webnn_tensor *tensors[2];
    webnn_descriptor shape; /* dims of 1 where nothing is open */
    uint32_t axis;          /* the one that grows */
};

struct decoder {
    webnn_context *context;
    webnn_graph *graph;
    webnn_tensor *ids, *positions, *logits;
    struct cache caches[MOST_CACHES];
    size_t cache_count;
    int64_t vocabulary, length; /* tokens in the cache */
    o2w_error *error;
};

/* A tensor with room for the longest text. */
static o2w_status tensor_with_room(struct decoder *d, webnn_descriptor shape, webnn_tensor **out)
{
    const webnn_tensor_options both = { .size = sizeof both, .readable = true, .writable = true };
    for (uint32_t i = 0; i < shape.rank; i++)
        if (shape.dims[i] == WEBNN_DYNAMIC)
            shape.dims[i] = LONGEST;
    return webnn_tensor_create(d->context, &shape, &both, out, &d->error);
}

static o2w_status add_cache(struct decoder *d, const webnn_port *port)
{
    struct cache *c = &d->caches[d->cache_count++];
    snprintf(c->past, sizeof c->past, "%s", port->name);
    snprintf(c->present, sizeof c->present, "present_%s", port->name + strlen("past_"));
    c->shape = port->descriptor;
    for (uint32_t i = 0; i < c->shape.rank; i++)
        if (c->shape.dims[i] == WEBNN_DYNAMIC)
            c->axis = i;
    o2w_status s = tensor_with_room(d, c->shape, &c->tensors[0]);
    return s == O2W_OK ? tensor_with_room(d, c->shape, &c->tensors[1]) : s;
}

static o2w_status make_tensors(struct decoder *d)
{
    webnn_port port;
    o2w_status s = O2W_OK;
    for (size_t i = 0; s == O2W_OK && webnn_graph_input(d->graph, i, &port); i++) {
        if (strcmp(port.name, "input_ids") == 0)
            s = tensor_with_room(d, port.descriptor, &d->ids);
        else if (strcmp(port.name, "position_ids") == 0)
            s = tensor_with_room(d, port.descriptor, &d->positions);
        else if (d->cache_count < MOST_CACHES)
            s = add_cache(d, &port);
    }
    for (size_t i = 0; s == O2W_OK && webnn_graph_output(d->graph, i, &port); i++) {
        if (strcmp(port.name, "logits") != 0)
            continue;
        d->vocabulary = port.descriptor.dims[port.descriptor.rank - 1];
        s = tensor_with_room(d, port.descriptor, &d->logits);
    }
    return s;
}

static o2w_status resize_cache(struct decoder *d, struct cache *c, int which, int64_t length)
{
    c->shape.dims[c->axis] = length;
    return webnn_tensor_resize(c->tensors[which], c->shape.dims, c->shape.rank, &d->error);
}

static o2w_status resize_all(struct decoder *d, int64_t count)
{
    const int64_t rows[2] = { 1, count }, scores[3] = { 1, count, d->vocabulary };
    o2w_status s = webnn_tensor_resize(d->ids, rows, 2, &d->error);
    if (s == O2W_OK)
        s = webnn_tensor_resize(d->positions, rows, 2, &d->error);
    if (s == O2W_OK)
        s = webnn_tensor_resize(d->logits, scores, 3, &d->error);
    for (size_t i = 0; s == O2W_OK && i < d->cache_count; i++) {
        s = resize_cache(d, &d->caches[i], 0, d->length);
        if (s == O2W_OK)
            s = resize_cache(d, &d->caches[i], 1, d->length + count);
    }
    return s;
}

static o2w_status run_graph(struct decoder *d)
{
    webnn_named_tensor inputs[MOST_CACHES + 2] = { { "input_ids", d->ids },
                                                   { "position_ids", d->positions } };
    webnn_named_tensor outputs[MOST_CACHES + 1] = { { "logits", d->logits } };
    for (size_t i = 0; i < d->cache_count; i++) {
        inputs[i + 2] = (webnn_named_tensor){ d->caches[i].past, d->caches[i].tensors[0] };
        outputs[i + 1] = (webnn_named_tensor){ d->caches[i].present, d->caches[i].tensors[1] };
    }
    return webnn_dispatch(d->context, d->graph, inputs, d->cache_count + 2, outputs,
                          d->cache_count + 1, &d->error);
}

/* Likeliest token behind the last one given. */
static o2w_status best_token(struct decoder *d, int64_t count, int64_t *token)
{
    size_t size = (size_t)(count * d->vocabulary) * sizeof(float);
    float *logits = malloc(size);
    if (!logits)
        return O2W_NO_MEMORY;
    o2w_status s = webnn_tensor_read(d->logits, logits, size, &d->error);
    const float *last = logits + (count - 1) * d->vocabulary;
    *token = 0;
    for (int64_t i = 1; s == O2W_OK && i < d->vocabulary; i++)
        if (last[i] > last[*token])
            *token = i;
    free(logits);
    return s;
}

/* Gives `count` tokens to the model; *token becomes the one that follows. */
static o2w_status step(struct decoder *d, const int64_t *ids, int64_t count, int64_t *token)
{
    int64_t positions[LONGEST];
    size_t size = (size_t)count * sizeof *ids;
    for (int64_t i = 0; i < count; i++)
        positions[i] = d->length + i;
    o2w_status s = resize_all(d, count);
    if (s == O2W_OK)
        s = webnn_tensor_write(d->ids, ids, size, &d->error);
    if (s == O2W_OK)
        s = webnn_tensor_write(d->positions, positions, size, &d->error);
    if (s == O2W_OK)
        s = run_graph(d);
    if (s == O2W_OK)
        s = best_token(d, count, token);
    for (size_t i = 0; s == O2W_OK && i < d->cache_count; i++) {
        webnn_tensor *written = d->caches[i].tensors[1];
        d->caches[i].tensors[1] = d->caches[i].tensors[0];
        d->caches[i].tensors[0] = written;
    }
    d->length += count;
    return s;
}

static o2w_status open_decoder(struct decoder *d, const char *model, const char *backend)
{
    const o2w_dim bounds[] = { { "past", LONGEST }, { "seq", LONGEST } };
    const o2w_convert_options open_dims = {
        .size = sizeof open_dims, .dynamic_inputs = true, .max_dims = bounds, .max_dim_count = 2
    };
    const webnn_context_options on = { .size = sizeof on, .backend = backend };
    o2w_conversion *conversion = NULL;
    o2w_status s = o2w_convert_file(model, &open_dims, &conversion, &d->error);
    if (s == O2W_OK)
        d->graph = o2w_conversion_take_graph(conversion);
    if (s == O2W_OK)
        s = webnn_context_create(&on, &d->context, &d->error);
    if (s == O2W_OK)
        s = webnn_graph_compile(d->context, d->graph, &d->error);
    if (s == O2W_OK)
        s = make_tensors(d);
    o2w_conversion_free(conversion);
    return s;
}

static void close_decoder(struct decoder *d)
{
    for (size_t i = 0; i < d->cache_count; i++) {
        webnn_tensor_free(d->caches[i].tensors[0]);
        webnn_tensor_free(d->caches[i].tensors[1]);
    }
    webnn_tensor_free(d->ids);
    webnn_tensor_free(d->positions);
    webnn_tensor_free(d->logits);
    webnn_graph_free(d->graph);
    webnn_context_free(d->context);
    o2w_error_free(d->error);
}

int main(int argc, char **argv)
{
    struct decoder d = { .length = 0 };
    int64_t ids[LONGEST], token = 0, count = argc - 4;
    if (argc < 5 || count > LONGEST) {
        fprintf(stderr, "usage: decoder MODEL.onnx BACKEND COUNT TOKEN...\n");
        return 2;
    }
    for (int64_t i = 0; i < count; i++)
        ids[i] = strtoll(argv[4 + i], NULL, 10);
    o2w_status s = open_decoder(&d, argv[1], argv[2]);
    for (long left = strtol(argv[3], NULL, 10); s == O2W_OK && left > 0; left--) {
        s = step(&d, ids, count, &token);
        if (s == O2W_OK)
            printf("%lld%s", (long long)token, left > 1 ? " " : "\n");
        ids[0] = token;
        count = 1;
    }
    if (s != O2W_OK)
        fputs(o2w_error_text(d.error), stderr);
    close_decoder(&d);
    return s == O2W_OK ? 0 : 1;
}
