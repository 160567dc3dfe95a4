/* Which backends the host uses, in which order. */
#include "wasi/host.h"

#include "backend/backend.h"

#include <stdio.h>
#include <string.h>

static o2w_status unknown(struct span word, struct diags *d)
{
    o2w_status s = diag_error(d, DIAG_USAGE, "no backend '%.*s' for guests", SPAN_ARG(word));
    diag_hint(d, "'onnx' runs the model in ONNX Runtime, 'webnn:ID' its conversion on an engine of "
                 "'onnx2webnn backends'");
    return s;
}

static o2w_status resolve(struct span word, struct diags *d, struct nn_choice *c)
{
    static const struct span webnn = { (const uint8_t *)"webnn:", 6 };
    *c = (struct nn_choice){ .backend = &nn_backend_onnx };
    if (word.size >= sizeof c->name)
        return unknown(word, d);
    (void)snprintf(c->name, sizeof c->name, "%.*s", SPAN_ARG(word));
    if (span_is(word, "onnx"))
        return O2W_OK;
    if (!span_starts(word, webnn))
        return unknown(word, d);
    c->backend = &nn_backend_webnn;
    c->engine = backend_by_name((struct span){ word.data + 6, word.size - 6 }, &(bool){ false });
    return c->engine ? O2W_OK : unknown(word, d);
}

/* A backend that was asked for by name but is not there fails its loads with the reason. */
static void probe(struct nn_choice *c)
{
    struct diags d;
    struct failure f;
    diags_init(&d, NULL);
    o2w_status s = c->backend->probe(c, &d);
    c->available = s == O2W_OK;
    if (!c->available) {
        (void)fail_from(&f, FAULT_UNSUPPORTED, &d, s);
        size_t size = strlen(f.text) + 1;
        c->reason = mem_alloc(NULL, size);
        if (c->reason)
            memcpy(c->reason, f.text, size);
    }
    diags_free(&d);
}

static bool has_choice(const wasinn_host *h, const char *name)
{
    for (size_t i = 0; i < h->choice_count; i++)
        if (strcmp(h->choices[i].name, name) == 0)
            return true;
    return false;
}

static o2w_status add(wasinn_host *h, struct span word, struct diags *d)
{
    struct nn_choice *c = &h->choices[h->choice_count];
    if (h->choice_count == NN_CHOICES)
        return diag_error(d, DIAG_USAGE, "more than %d backends are listed", NN_CHOICES);
    TRY(resolve(word, d, c));
    if (has_choice(h, c->name))
        return diag_error(d, DIAG_USAGE, "backend '%s' is listed twice", c->name);
    probe(c);
    h->choice_count++;
    return O2W_OK;
}

o2w_status host_choose(wasinn_host *h, const char *list, struct diags *d)
{
    struct span rest = span_of(list ? list : "onnx,webnn:cpu");
    for (;;) {
        const uint8_t *comma = rest.size ? memchr(rest.data, ',', rest.size) : NULL;
        struct span word = { rest.data, comma ? (size_t)(comma - rest.data) : rest.size };
        TRY(add(h, span_trim(word), d));
        if (!comma)
            return O2W_OK;
        rest = (struct span){ comma + 1, rest.size - word.size - 1 };
    }
}
