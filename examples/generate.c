/* Decodes greedily with an exported decoder: tokens in, tokens out.
 *
 *   cc generate.c $(pkg-config --cflags --libs onnx2webnn) -o generate
 *   ./generate [--backend NAME] [--merged] model.onnx FOLDER COUNT TOKEN...
 *
 * The model has the inputs input_ids and, where it needs them, attention_mask, position_ids,
 * past_key_values.N.key and .value, and the outputs logits and present.N.key and .value. It is
 * converted twice into FOLDER: prefill.webnn takes the prompt and no cache, decode.webnn one token and
 * the cache so far. Both share the weights, model.safetensors. With --merged the model chooses between
 * the two by its input use_cache_branch, which is pinned.
 */
#include <onnx2webnn/convert.h>
#include <onnx2webnn/webnn.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PORTS = 256 };

struct arguments {
    const char *backend, *model, *folder;
    bool merged;
    long count;
    char **tokens;
    int token_count;
};

/* A tensor under the name of an input or output. */
struct named {
    const char *name;
    webnn_tensor *tensor;
};

struct decoder {
    webnn_context *context;
    webnn_graph *prefill, *decode;
    struct named cache[MOST_PORTS]; /* outputs of the last step */
    size_t cache_count;
    int64_t length; /* tokens that the cache holds */
    float *logits;
    size_t logits_size;
};

static bool fail(o2w_error *error)
{
    fputs(error ? o2w_error_text(error) : "out of memory\n", stderr);
    o2w_error_free(error);
    return false;
}

/* --- conversion -------------------------------------------------------------------------------------- */

static bool convert(const struct arguments *a, bool first, char *path, size_t size)
{
    const o2w_dim prompt[] = { { "batch_size", 1 }, { "past_sequence_length", 0 } };
    const o2w_dim step[] = { { "batch_size", 1 }, { "sequence_length", 1 } };
    const o2w_pin branch = { "use_cache_branch", first ? 0 : 1, true };
    o2w_convert_options options = { .size = sizeof options,
                                    .dims = first ? prompt : step,
                                    .dim_count = first && a->merged ? 1 : 2,
                                    .pins = &branch,
                                    .pin_count = a->merged,
                                    .dynamic_inputs = true,
                                    .weights = "model.safetensors" };
    o2w_conversion *c = NULL;
    o2w_error *error = NULL;
    snprintf(path, size, "%s/%s.webnn", a->folder, first ? "prefill" : "decode");
    options.output = path;
    o2w_status s = o2w_convert_file(a->model, &options, &c, &error);
    o2w_conversion_free(c);
    return s == O2W_OK || fail(error);
}

static bool load(const struct arguments *a, struct decoder *d, bool first, webnn_graph **out)
{
    char path[4096];
    o2w_error *error = NULL;
    if (!convert(a, first, path, sizeof path))
        return false;
    if (webnn_graph_load(path, NULL, out, &error) != O2W_OK)
        return fail(error);
    return webnn_graph_compile(d->context, *out, &error) == O2W_OK || fail(error);
}

/* --- tensors ------------------------------------------------------------------------------------------ */

static bool make_tensor(struct decoder *d, const webnn_descriptor *shape, webnn_tensor **out)
{
    const webnn_tensor_options options = { .size = sizeof options,
                                           .readable = true,
                                           .writable = true };
    o2w_error *error = NULL;
    return webnn_tensor_create(d->context, shape, &options, out, &error) == O2W_OK || fail(error);
}

static int64_t number_for(const char *name, const int64_t *tokens, int64_t past, int64_t i)
{
    if (strcmp(name, "input_ids") == 0)
        return tokens[i];
    return strcmp(name, "position_ids") == 0 ? past + i : 1;
}

/* What stands for a cache that holds nothing yet. */
static bool make_empty(struct decoder *d, const webnn_port *port, webnn_tensor **out)
{
    for (uint32_t i = 0; i < port->descriptor.rank; i++)
        if (port->descriptor.dims[i] == 0)
            return make_tensor(d, &port->descriptor, out);
    fprintf(stderr, "nothing is known for input %s\n", port->name);
    return false;
}

/* input_ids, position_ids and attention_mask of a step, [1, count] or [1, past + count]. */
static bool make_numbers(struct decoder *d, const webnn_port *port, const int64_t *tokens,
                         int64_t count, webnn_tensor **out)
{
    webnn_descriptor shape = port->descriptor;
    int64_t size = strcmp(port->name, "attention_mask") == 0 ? d->length + count : count;
    o2w_error *error = NULL;
    if (shape.rank != 2 || shape.data_type != WEBNN_INT64)
        return make_empty(d, port, out);
    shape.dims[0] = 1;
    shape.dims[1] = size;
    int64_t *numbers = malloc((size_t)size * sizeof *numbers);
    if (!numbers || !make_tensor(d, &shape, out)) {
        free(numbers);
        return false;
    }
    for (int64_t i = 0; i < size; i++)
        numbers[i] = number_for(port->name, tokens, d->length, i);
    o2w_status s = webnn_tensor_write(*out, numbers, (size_t)size * sizeof *numbers, &error);
    free(numbers);
    return s == O2W_OK || fail(error);
}

/* past_key_values.N.key is present.N.key of the step before. */
static webnn_tensor *cached(const struct decoder *d, const char *name)
{
    static const char past[] = "past_key_values", present[] = "present";
    if (strncmp(name, past, sizeof past - 1) != 0)
        return NULL;
    for (size_t i = 0; i < d->cache_count; i++)
        if (strncmp(d->cache[i].name, present, sizeof present - 1) == 0 &&
            strcmp(d->cache[i].name + sizeof present - 1, name + sizeof past - 1) == 0)
            return d->cache[i].tensor;
    return NULL;
}

static void free_tensors(struct named *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        webnn_tensor_free(items[i].tensor);
}

/* --- a step ------------------------------------------------------------------------------------------- */

/* Everything that one dispatch takes and gives. */
struct step {
    webnn_named_tensor inputs[MOST_PORTS], outputs[MOST_PORTS];
    webnn_descriptor shapes[MOST_PORTS];
    size_t input_count, output_count;
    struct named own[MOST_PORTS]; /* inputs that were made for this step */
    size_t own_count;
};

static bool fill_inputs(struct decoder *d, webnn_graph *g, const int64_t *tokens, int64_t count,
                        struct step *s)
{
    webnn_port port;
    for (size_t i = 0; i < MOST_PORTS && webnn_graph_input(g, i, &port); i++) {
        webnn_tensor *tensor = cached(d, port.name);
        if (!tensor) {
            if (!make_numbers(d, &port, tokens, count, &tensor))
                return false;
            s->own[s->own_count++] = (struct named){ port.name, tensor };
        }
        webnn_tensor_descriptor(tensor, &s->shapes[i]);
        s->inputs[s->input_count++] = (webnn_named_tensor){ port.name, tensor };
    }
    return true;
}

static bool make_outputs(struct decoder *d, webnn_graph *g, struct step *s)
{
    webnn_port port;
    o2w_error *error = NULL;
    for (size_t i = 0; i < MOST_PORTS && webnn_graph_output(g, i, &port); i++) {
        webnn_descriptor shape;
        webnn_tensor *tensor = NULL;
        if (webnn_output_shape(g, s->shapes, s->input_count, i, &shape, &error) != O2W_OK)
            return fail(error);
        if (!make_tensor(d, &shape, &tensor))
            return false;
        s->outputs[s->output_count++] = (webnn_named_tensor){ port.name, tensor };
    }
    return true;
}

/* The scores of the last position, in d->logits. */
static bool read_logits(struct decoder *d, const struct step *s, size_t *vocabulary)
{
    webnn_descriptor shape;
    o2w_error *error = NULL;
    for (size_t i = 0; i < s->output_count; i++) {
        if (strcmp(s->outputs[i].name, "logits") != 0)
            continue;
        webnn_tensor_descriptor(s->outputs[i].tensor, &shape);
        if (shape.rank != 3 || shape.data_type != WEBNN_FLOAT32)
            break;
        size_t size = (size_t)(shape.dims[1] * shape.dims[2]);
        float *grown = realloc(d->logits, size * sizeof *grown);
        if (!grown)
            return fail(NULL);
        d->logits = grown;
        d->logits_size = size;
        *vocabulary = (size_t)shape.dims[2];
        return webnn_tensor_read(s->outputs[i].tensor, grown, size * sizeof *grown, &error) ==
                   O2W_OK ||
               fail(error);
    }
    fprintf(stderr, "the model has no output logits, float32 [1, sequence, vocabulary]\n");
    return false;
}

/* The outputs of this step are the cache of the next one. */
static void keep_cache(struct decoder *d, const struct step *s, int64_t count)
{
    free_tensors(d->cache, d->cache_count);
    d->cache_count = s->output_count;
    for (size_t i = 0; i < s->output_count; i++)
        d->cache[i] = (struct named){ s->outputs[i].name, s->outputs[i].tensor };
    d->length += count;
}

/* Feeds `count` tokens; *next is the most probable one behind them. */
static bool advance(struct decoder *d, const int64_t *tokens, int64_t count, int64_t *next)
{
    webnn_graph *g = d->length ? d->decode : d->prefill;
    struct step *s = calloc(1, sizeof *s);
    o2w_error *error = NULL;
    size_t vocabulary = 0, best = 0;
    bool good = s && fill_inputs(d, g, tokens, count, s) && make_outputs(d, g, s);
    if (good)
        good = webnn_dispatch(d->context, g, s->inputs, s->input_count, s->outputs, s->output_count,
                              &error) == O2W_OK ||
               fail(error);
    good = good && read_logits(d, s, &vocabulary);
    if (good) {
        const float *row = d->logits + d->logits_size - vocabulary;
        for (size_t i = 1; i < vocabulary; i++)
            best = row[i] > row[best] ? i : best;
        *next = (int64_t)best;
        keep_cache(d, s, count);
    } else if (s) {
        for (size_t i = 0; i < s->output_count; i++)
            webnn_tensor_free(s->outputs[i].tensor);
    }
    if (s)
        free_tensors(s->own, s->own_count);
    free(s);
    return good;
}

/* --- the loop ------------------------------------------------------------------------------------------- */

static bool generate(const struct arguments *a, struct decoder *d)
{
    int64_t next = 0, *prompt = malloc((size_t)a->token_count * sizeof *prompt);
    bool good = prompt != NULL;
    for (int i = 0; good && i < a->token_count; i++)
        prompt[i] = strtoll(a->tokens[i], NULL, 10);
    good = good && advance(d, prompt, a->token_count, &next);
    for (long i = 0; good && i < a->count; i++) {
        printf("%s%lld", i ? " " : "", (long long)next);
        fflush(stdout);
        const int64_t token = next;
        if (i + 1 < a->count)
            good = advance(d, &token, 1, &next);
    }
    puts("");
    free(prompt);
    return good;
}

static bool open_decoder(const struct arguments *a, struct decoder *d)
{
    const webnn_context_options options = { .size = sizeof options, .backend = a->backend };
    o2w_error *error = NULL;
    if (webnn_context_create(&options, &d->context, &error) != O2W_OK)
        return fail(error);
    return load(a, d, true, &d->prefill) && load(a, d, false, &d->decode);
}

static void close_decoder(struct decoder *d)
{
    free_tensors(d->cache, d->cache_count);
    free(d->logits);
    webnn_graph_free(d->prefill);
    webnn_graph_free(d->decode);
    webnn_context_free(d->context);
}

static bool read_arguments(int argc, char **argv, struct arguments *a)
{
    int i = 1;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
        if (strcmp(argv[i], "--merged") == 0)
            a->merged = true;
        else if (strcmp(argv[i], "--backend") == 0 && i + 1 < argc)
            a->backend = argv[++i];
        else
            return false;
    }
    if (argc - i < 4)
        return false;
    a->model = argv[i];
    a->folder = argv[i + 1];
    a->count = strtol(argv[i + 2], NULL, 10);
    a->tokens = argv + i + 3;
    a->token_count = argc - i - 3;
    return a->count > 0;
}

int main(int argc, char **argv)
{
    struct arguments a = { 0 };
    struct decoder d = { 0 };
    if (!read_arguments(argc, argv, &a)) {
        fprintf(stderr, "usage: generate [--backend NAME] [--merged] MODEL.onnx FOLDER COUNT "
                        "TOKEN...\n");
        return 2;
    }
    bool good = open_decoder(&a, &d) && generate(&a, &d);
    close_decoder(&d);
    return good ? 0 : 1;
}
