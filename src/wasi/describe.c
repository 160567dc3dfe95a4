/* Graphs and hosts as JSON. */
#include "api/objects.h"
#include "wasi/instance.h"

#include <string.h>

void put_port(struct json_writer *w, const struct nn_port *p)
{
    json_open(w, '{');
    json_key(w, "name");
    json_put_text(w, p->name);
    json_key(w, "type");
    json_put_text(w, p->kind ? p->kind : dtype_short(p->dtype));
    json_key(w, "dims");
    if (p->has_shape) {
        json_open(w, '[');
        for (uint32_t i = 0; i < p->rank; i++)
            if (p->dims[i] >= 0)
                json_put_i64(w, p->dims[i]);
            else
                json_put_text(w, p->symbols[i] ? p->symbols[i] : "");
        json_close(w, ']');
    } else {
        json_put_null(w);
    }
    json_close(w, '}');
}

enum fault describe_port(wasinn_instance *i, const struct nn_port *p, struct span *out)
{
    struct json_writer w;
    struct span text;
    json_writer_init(&w, i->allocator, 0);
    put_port(&w, p);
    bool kept = json_written(&w, &text) == O2W_OK;
    i->text.count = 0;
    kept = kept && VEC_RESERVE(&i->text, text.size);
    if (kept) {
        memcpy(i->text.items, text.data, text.size);
        i->text.count = text.size;
    }
    json_writer_free(&w);
    *out = (struct span){ (const uint8_t *)i->text.items, i->text.count };
    return kept ? FAULT_NONE : fail_memory(&i->failure);
}

static void put_ports(struct json_writer *w, const char *key, const struct nn_port *ports,
                      uint32_t count)
{
    json_key(w, key);
    json_open(w, '[');
    for (uint32_t i = 0; i < count; i++)
        put_port(w, &ports[i]);
    json_close(w, ']');
}

static void put_entry(struct json_writer *w, const struct nn_entry *e)
{
    json_open(w, '{');
    json_key(w, "name");
    json_put_text(w, e->name);
    json_key(w, "path");
    json_put_text(w, e->path);
    json_key(w, "loaded");
    json_put_bool(w, e->graph != NULL);
    if (e->graph) {
        json_key(w, "backend");
        json_put_text(w, e->graph->choice->name);
        put_ports(w, "inputs", e->graph->inputs, e->graph->input_count);
        put_ports(w, "outputs", e->graph->outputs, e->graph->output_count);
    }
    json_close(w, '}');
}

static void put_choice(struct json_writer *w, const struct nn_choice *c)
{
    json_open(w, '{');
    json_key(w, "name");
    json_put_text(w, c->name);
    json_key(w, "available");
    json_put_bool(w, c->available);
    json_key(w, "reason");
    json_put_text(w, c->reason);
    json_close(w, '}');
}

static void put_host(struct json_writer *w, const wasinn_host *h)
{
    json_open(w, '{');
    json_key(w, "backends");
    json_open(w, '[');
    for (size_t i = 0; i < h->choice_count; i++)
        put_choice(w, &h->choices[i]);
    json_close(w, ']');
    json_key(w, "graphs");
    json_open(w, '[');
    for (size_t i = 0; i < h->entries.count; i++)
        put_entry(w, h->entries.items[i]);
    json_close(w, ']');
    json_close(w, '}');
}

o2w_status wasinn_host_json(wasinn_host *h, char **text, o2w_error **error)
{
    struct json_writer w;
    struct span s;
    json_writer_init(&w, h->allocator, 0);
    put_host(&w, h);
    char *copy = json_written(&w, &s) == O2W_OK ? api_text_of(s) : NULL;
    json_writer_free(&w);
    if (!copy)
        return error_from_diags(NULL, O2W_NO_MEMORY, error);
    *text = copy;
    return O2W_OK;
}
