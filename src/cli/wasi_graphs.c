/* --graph NAME=PATH[,ENCODING][,TARGET] and -S nn-graph=ENCODING::DIR */
#include "cli/wasi.h"

#include "base/file.h"

#include <string.h>
#include <strings.h>

struct graph_text {
    char *name, *path;
    wasinn_encoding encoding;
    wasinn_target target;
};

static bool encoding_word(const char *word, wasinn_encoding *out)
{
    static const char *const words[] = { "autodetect", "onnx", "webnn" };
    for (unsigned i = 0; i < 3; i++)
        if (strcmp(word, words[i]) == 0) {
            *out = (wasinn_encoding)i;
            return true;
        }
    return false;
}

static bool target_word(const char *word, wasinn_target *out)
{
    static const char *const words[] = { "cpu", "gpu", "tpu" };
    for (unsigned i = 0; i < 3; i++)
        if (strcmp(word, words[i]) == 0) {
            *out = (wasinn_target)i;
            return true;
        }
    return false;
}

/* The last comma that nothing escapes; NULL: none. */
static char *last_comma(char *text)
{
    for (char *at = text + strlen(text); at-- > text;)
        if (*at == ',' && (at == text || at[-1] != '\\'))
            return at;
    return NULL;
}

static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (from[0] == '\\' && from[1] == ',')
            continue;
        *to++ = *from;
    }
    *to = 0;
}

/* Trailing words count only where they are known ones: a path may hold commas. */
static bool read_graph(struct cli *c, const char *text, struct graph_text *out)
{
    const char *equals = strchr(text, '=');
    *out = (struct graph_text){ 0 };
    if (!equals || equals == text || !equals[1])
        return false;
    out->name =
        arena_text(&c->arena, (struct span){ (const uint8_t *)text, (size_t)(equals - text) });
    out->path = arena_text(&c->arena, span_of(equals + 1));
    if (!out->name || !out->path)
        return false;
    for (int words = 0; words < 2; words++) {
        char *comma = last_comma(out->path);
        if (!comma ||
            (!encoding_word(comma + 1, &out->encoding) && !target_word(comma + 1, &out->target)))
            break;
        *comma = 0;
    }
    unescape(out->path);
    return *out->path != 0;
}

static int add_graph(struct wasi_run *r, wasinn_host *host, const struct graph_text *g)
{
    struct cli *c = r->cli;
    const wasinn_graph_source s = { .size = sizeof s,
                                    .name = g->name,
                                    .path = g->path,
                                    .encoding = g->encoding,
                                    .target = g->target,
                                    .lazy = r->args->lazy };
    o2w_status status = wasinn_host_add_graph(host, &s, &c->error);
    return status == O2W_OK ? 0 : status == O2W_USAGE ? cli_failed(c) : wasi_failed(r);
}

/* --- Wasmtime's notation ---------------------------------------------------------------------------- */

static int read_folder(struct wasi_run *r, const char *text, struct graph_text *out)
{
    struct cli *c = r->cli;
    const char *colons = strstr(text, "::");
    size_t size = colons ? (size_t)(colons - text) : 0;
    bool onnx = size == 4 && strncasecmp(text, "onnx", 4) == 0;
    bool webnn = size == 5 && strncasecmp(text, "webnn", 5) == 0;
    if (!colons || !colons[2])
        return cli_usage(c, NULL, "option '-S nn-graph' is '%s', must be ENCODING::DIR", text);
    if (!onnx && !webnn)
        return cli_usage(c, NULL, "option '-S nn-graph': encoding '%.*s' is not onnx or webnn",
                         (int)size, text);
    struct span folder = span_of(colons + 2);
    while (folder.size > 1 && folder.data[folder.size - 1] == '/')
        folder.size--;
    *out = (struct graph_text){
        .name = arena_text(&c->arena, path_name(folder)),
        .path = path_join(&c->arena, folder, onnx ? SPAN("model.onnx") : SPAN("model.webnn")),
        .encoding = onnx ? WASINN_ENCODING_ONNX : WASINN_ENCODING_WEBNN,
    };
    return out->name && out->path ? 0 : 1;
}

static int add_wasi_option(struct wasi_run *r, wasinn_host *host, const char *text)
{
    static const char key[] = "nn-graph=";
    struct graph_text g = { 0 };
    if (strcmp(text, "nn") == 0)
        return 0;
    if (strncmp(text, key, sizeof key - 1) != 0)
        return cli_usage(r->cli, "-S nn-graph=ENCODING::DIR and -S nn are known",
                         "option '-S' is '%s', which is not known here", text);
    int status = read_folder(r, text + sizeof key - 1, &g);
    return status ? status : add_graph(r, host, &g);
}

int wasi_add_graphs(struct wasi_run *r, wasinn_host *host)
{
    int status = 0;
    for (size_t i = 0; i < r->args->graphs.count && !status; i++) {
        struct graph_text g = { 0 };
        if (!read_graph(r->cli, r->args->graphs.items[i], &g))
            return cli_usage(r->cli, NULL,
                             "option '--graph' is '%s', must be NAME=PATH[,ENCODING][,TARGET]",
                             r->args->graphs.items[i]);
        status = add_graph(r, host, &g);
    }
    for (size_t i = 0; i < r->args->wasi.count && !status; i++)
        status = add_wasi_option(r, host, r->args->wasi.items[i]);
    return status;
}
