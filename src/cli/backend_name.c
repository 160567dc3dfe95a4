/* --backend: names that are none, and those that this build does not have. */
#include "cli/cli.h"

#include "base/error.h"
#include "base/number.h"

#include <string.h>
#include <strings.h>

/* Names of engines and of what others call them. */
static const char *const meant[][2] = { { "ort", "onnx" },      { "onnxruntime", "onnx" },
                                        { "cuda", "trtx" },     { "tensorrt", "trtx" },
                                        { "tflite", "litert" }, { "npu", "openvino" } };

static const char *nearest(const char *name)
{
    const char *best = NULL, *id;
    size_t size = strlen(name), distance = (size / 3 ? size / 3 : 1) + 1;
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
        if (strcasecmp(meant[i][0], name) == 0)
            return meant[i][1];
    for (size_t i = 0; (id = webnn_backend_id(i)); i++) {
        size_t own = strcasecmp(id, name) == 0 ? 0 : text_distance(span_of(id), span_of(name));
        if (own < distance) {
            distance = own;
            best = id;
        }
    }
    return best;
}

static o2w_status unknown_backend(struct cli *c, const char *name, struct diags *d)
{
    const char *list = "", *near = nearest(name), *id;
    for (size_t i = 0; list && (id = webnn_backend_id(i)); i++)
        list = arena_printf(&c->arena, "%s%s%s", list, i ? ", " : "", id);
    o2w_status s = diag_error(d, DIAG_USAGE, "unknown backend '%s', must be one of %s", name,
                              list ? list : "");
    if (near)
        diag_hint(d, "did you mean '%s'? see 'onnx2webnn %s --help'", near, c->command->name);
    else
        diag_hint(d, "'onnx2webnn backends' lists them; see 'onnx2webnn %s --help'",
                  c->command->name);
    return s;
}

static o2w_status check(struct cli *c, const char *name, bool dynamic, struct diags *d)
{
    const char *id = NULL;
    for (size_t i = 0; (id = webnn_backend_id(i)) && strcmp(id, name) != 0; i++)
        continue;
    if (!id)
        return unknown_backend(c, name, d);
    const webnn_backend_info *info = webnn_backend_find(name);
    o2w_status s = O2W_OK;
    if (!info)
        s = diag_error(d, DIAG_BACKEND_NOT_COMPILED,
                       "backend '%s' is not compiled into this program", name);
    else if (dynamic && !info->dynamic)
        s = diag_error(d, DIAG_BACKEND_NO_DYNAMIC,
                       "backend '%s' runs no graphs with open dimensions", name);
    if (s != O2W_OK)
        diag_hint(d, "'onnx2webnn backends' lists what works here");
    return s;
}

/* Another name of a backend is told once: by the engine where the command opens one. */
static void note_alias(struct cli *c, const char *name)
{
    const webnn_backend_info *info = webnn_backend_find(name);
    struct diags d;
    if (!info || strcmp(info->name, name) == 0 || c->own || c->command->opens_engine)
        return;
    diags_init(&d, NULL);
    (void)diag_note(&d, DIAG_BACKEND_ALIAS, "backend '%s' is '%s' here", name, info->name);
    (void)error_from_diags(&d, O2W_UNSUPPORTED, &c->own);
    diags_free(&d);
    cli_notes(c, c->own);
}

o2w_status cli_check_backend(struct cli *c, const char *name, bool dynamic)
{
    struct diags d;
    if (!name)
        return O2W_OK;
    diags_init(&d, NULL);
    d.stage = "preflight";
    o2w_status s = error_from_diags(&d, check(c, name, dynamic, &d), &c->error);
    diags_free(&d);
    if (s == O2W_OK)
        note_alias(c, name);
    return s;
}
