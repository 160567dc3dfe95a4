/* The report of a run, as JSON. */
#include "cli/wasi.h"

#include "base/file.h"

static void put_stats(struct json_writer *w, const wasinn_stats *s)
{
    const struct {
        const char *key;
        uint64_t value;
    } members[] = {
        { "calls", s->calls },
        { "errors", s->errors },
        { "nnMicroseconds", s->nn_ns / 1000 },
        { "backendMicroseconds", s->backend_ns / 1000 },
        { "inputBytes", s->input_bytes },
        { "outputBytes", s->output_bytes },
        { "heldBytes", s->held_bytes },
        { "graphs", s->graphs },
        { "contexts", s->contexts },
        { "tensors", s->tensors },
        { "errorObjects", s->error_objects },
    };
    json_key(w, "statistics");
    json_open(w, '{');
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        json_key(w, members[i].key);
        json_put_u64(w, members[i].value);
    }
    json_close(w, '}');
    json_key(w, "limitsHit");
    json_open(w, '{');
    json_key(w, "deadlines");
    json_put_u64(w, s->timeouts);
    json_key(w, "sizes");
    json_put_u64(w, s->refusals);
    json_close(w, '}');
}

static void put_versions(struct json_writer *w, const struct wasi_outcome *o)
{
    webnn_probe *p = NULL;
    json_key(w, "versions");
    json_open(w, '{');
    json_key(w, "onnx2webnn");
    json_put_text(w, o2w_version());
    json_key(w, "wasmtime");
    json_put_text(w, o->engine ? "50" : NULL);
    json_key(w, "wasmtimeLibrary");
    json_put_text(w, o->engine);
    json_key(w, "onnxruntime");
    if (o->result && webnn_backend_probe("onnx", NULL, &p, NULL) == O2W_OK)
        json_put_text(w, webnn_probe_version(p));
    else
        json_put_null(w);
    webnn_probe_free(p);
    json_close(w, '}');
}

static void put_report(struct json_writer *w, const struct wasi_run *r,
                       const struct wasi_outcome *o)
{
    json_open(w, '{');
    json_key(w, "exit");
    json_put_i64(w, o->exit);
    json_key(w, "reason");
    json_put_text(w, o->reason);
    json_key(w, "message");
    json_put_text(w, o->message);
    json_key(w, "guest");
    json_put_text(w, r->guest);
    json_key(w, "isolation");
    json_put_text(w, r->isolated || !o->result ? "process" : "none");
    if (o->result) {
        json_key(w, "form");
        json_put_text(w, o->result->component ? "component" : "core");
        json_key(w, "fuelUsed");
        json_put_u64(w, o->result->fuel_used);
        put_stats(w, &o->result->stats);
    }
    put_versions(w, o);
    json_close(w, '}');
}

int wasi_write_report(struct wasi_run *r, const struct wasi_outcome *o)
{
    struct json_writer w;
    struct span text;
    struct file_writer *file = NULL;
    struct diags d;
    if (!r->args->report)
        return 0;
    json_writer_init(&w, NULL, 2);
    diags_init(&d, NULL);
    put_report(&w, r, o);
    o2w_status s = json_written(&w, &text);
    if (s == O2W_OK)
        s = file_create(r->args->report, NULL, &d, &file);
    if (s == O2W_OK)
        s = file_write(file, text.data, text.size, &d);
    if (s == O2W_OK)
        s = file_write(file, "\n", 1, &d);
    if (s == O2W_OK)
        s = file_commit(file, false, &d);
    else
        file_discard(file);
    if (s != O2W_OK)
        wasi_say("the report '%s' cannot be written: %s", r->args->report, o2w_status_text(s));
    json_writer_free(&w);
    diags_free(&d);
    return s == O2W_OK ? 0 : 1;
}
