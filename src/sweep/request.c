/* The request of a case as JSON, there and back. */
#include "sweep/case.h"

#include "base/number.h"

#include <string.h>

static void put_bindings(struct json_writer *w, const struct case_request *r)
{
    json_key(w, "dims");
    json_open(w, '{');
    for (size_t i = 0; i < r->dim_count; i++) {
        json_key(w, r->dims[i].name);
        json_put_i64(w, r->dims[i].value);
    }
    json_close(w, '}');
    json_key(w, "pins");
    json_open(w, '{');
    for (size_t i = 0; i < r->pin_count; i++) {
        json_key(w, r->pins[i].name);
        if (r->pins[i].is_bool)
            json_put_bool(w, r->pins[i].value != 0);
        else
            json_put_i64(w, r->pins[i].value);
    }
    json_close(w, '}');
}

static void put_lists(struct json_writer *w, const o2w_validate_options *v)
{
    json_key(w, "seeds");
    json_open(w, '[');
    for (size_t i = 0; i < v->seed_count; i++)
        json_put_u64(w, v->seeds[i]);
    json_close(w, ']');
    json_key(w, "backendOptions");
    json_open(w, '[');
    for (size_t i = 0; i < v->backend_option_count; i++) {
        json_put_text(w, v->backend_options[i].key);
        json_put_text(w, v->backend_options[i].value);
    }
    json_close(w, ']');
    json_key(w, "tolerances");
    json_open(w, '[');
    for (size_t i = 0; i < v->tolerance_count; i++) {
        json_put_text(w, v->tolerances[i].data_type);
        json_put_double(w, v->tolerances[i].absolute);
        json_put_double(w, v->tolerances[i].relative);
    }
    json_close(w, ']');
}

void case_request_put(struct json_writer *w, const struct case_request *r)
{
    json_open(w, '{');
    json_member_text(w, "model", r->model);
    json_member_text(w, "sha256", r->sha256);
    json_member_text(w, "graph", r->graph);
    json_member_text(w, "archive", r->archive);
    json_member_text(w, "lock", r->lock);
    json_member_text(w, "backend", r->validate.backend);
    json_member_bool(w, "constantFolding", r->constant_folding);
    json_member_bool(w, "refresh", r->refresh);
    json_member_bool(w, "requireBackend", r->validate.require_backend);
    json_member_bool(w, "strictReference", r->validate.strict_reference);
    json_member_u64(w, "optimization", (uint64_t)r->validate.reference_optimization);
    json_member_u64(w, "threads", r->validate.threads);
    json_member_u64(w, "parent", (uint64_t)r->parent);
    put_bindings(w, r);
    put_lists(w, &r->validate);
    json_close(w, '}');
}

/* --- reading ------------------------------------------------------------------------------------------ */

struct reading {
    struct json_reader json;
    struct arena *arena;
    struct diags *d;
    struct case_request *r;
};

enum { LIST_LIMIT = 4096 };

/* A list is as long as its text allows: the request comes from this program. */
static o2w_status next_item(struct reading *g, size_t count, struct json_value *v)
{
    TRY(json_next(&g->json, v));
    return count < LIST_LIMIT ? O2W_OK : diag_error(g->d, DIAG_LIMIT, "a list is too long");
}

static o2w_status take_text(struct reading *g, const struct json_value *v, const char **out)
{
    struct span s;
    TRY(json_string(&g->json, v, &s));
    *out = arena_text(g->arena, s);
    return *out ? O2W_OK : diag_memory(g->d);
}

static o2w_status read_dims(struct reading *g)
{
    struct json_value v;
    o2w_dim *dims = ARENA_ARRAY(g->arena, LIST_LIMIT, o2w_dim);
    g->r->dims = dims;
    for (;;) {
        TRY(dims ? next_item(g, g->r->dim_count, &v) : diag_memory(g->d));
        if (v.kind == JSON_END)
            return O2W_OK;
        o2w_dim *dim = &dims[g->r->dim_count++];
        TRY(json_i64(&g->json, &v, &dim->value));
        dim->name = arena_text(g->arena, v.key);
        TRY(dim->name ? O2W_OK : diag_memory(g->d));
    }
}

static o2w_status read_pins(struct reading *g)
{
    struct json_value v;
    o2w_pin *pins = ARENA_ARRAY(g->arena, LIST_LIMIT, o2w_pin);
    g->r->pins = pins;
    for (;;) {
        TRY(pins ? next_item(g, g->r->pin_count, &v) : diag_memory(g->d));
        if (v.kind == JSON_END)
            return O2W_OK;
        o2w_pin *pin = &pins[g->r->pin_count++];
        pin->is_bool = v.kind == JSON_BOOL;
        pin->value = v.boolean;
        if (!pin->is_bool)
            TRY(json_i64(&g->json, &v, &pin->value));
        pin->name = arena_text(g->arena, v.key);
        TRY(pin->name ? O2W_OK : diag_memory(g->d));
    }
}

static o2w_status read_seeds(struct reading *g)
{
    struct json_value v;
    uint64_t *seeds = ARENA_ARRAY(g->arena, LIST_LIMIT, uint64_t);
    g->r->validate.seeds = seeds;
    for (;;) {
        TRY(seeds ? next_item(g, g->r->validate.seed_count, &v) : diag_memory(g->d));
        if (v.kind == JSON_END)
            return O2W_OK;
        TRY(json_u64(&g->json, &v, &seeds[g->r->validate.seed_count++]));
    }
}

static o2w_status read_backend_options(struct reading *g)
{
    struct json_value v;
    webnn_option *options = ARENA_ARRAY(g->arena, LIST_LIMIT, webnn_option);
    g->r->validate.backend_options = options;
    for (;;) {
        TRY(options ? next_item(g, g->r->validate.backend_option_count, &v) : diag_memory(g->d));
        if (v.kind == JSON_END)
            return O2W_OK;
        webnn_option *o = &options[g->r->validate.backend_option_count++];
        TRY(take_text(g, &v, &o->key));
        TRY(json_next(&g->json, &v));
        TRY(take_text(g, &v, &o->value));
    }
}

static o2w_status read_tolerances(struct reading *g)
{
    struct json_value v;
    o2w_tolerance *all = ARENA_ARRAY(g->arena, LIST_LIMIT, o2w_tolerance);
    g->r->validate.tolerances = all;
    for (;;) {
        TRY(all ? next_item(g, g->r->validate.tolerance_count, &v) : diag_memory(g->d));
        if (v.kind == JSON_END)
            return O2W_OK;
        o2w_tolerance *t = &all[g->r->validate.tolerance_count++];
        TRY(take_text(g, &v, &t->data_type));
        TRY(json_next(&g->json, &v));
        TRY(json_double(&g->json, &v, &t->absolute));
        TRY(json_next(&g->json, &v));
        TRY(json_double(&g->json, &v, &t->relative));
    }
}

static o2w_status read_count(struct reading *g, const struct json_value *v)
{
    uint64_t count;
    TRY(json_u64(&g->json, v, &count));
    if (span_is(v->key, "threads"))
        g->r->validate.threads = (unsigned)count;
    else if (span_is(v->key, "optimization"))
        g->r->validate.reference_optimization = (o2w_reference_optimization)count;
    else
        g->r->parent = (int64_t)count;
    return O2W_OK;
}

static o2w_status read_member(struct reading *g, const struct json_value *v)
{
    struct case_request *r = g->r;
    const struct {
        const char *key, **text;
    } texts[] = { { "model", &r->model }, { "sha256", &r->sha256 },
                  { "graph", &r->graph }, { "archive", &r->archive },
                  { "lock", &r->lock },   { "backend", &r->validate.backend } };
    const struct {
        const char *key;
        bool *value;
    } switches[] = { { "constantFolding", &r->constant_folding },
                     { "refresh", &r->refresh },
                     { "requireBackend", &r->validate.require_backend },
                     { "strictReference", &r->validate.strict_reference } };
    const struct {
        const char *key;
        o2w_status (*read)(struct reading *);
    } lists[] = { { "dims", read_dims },
                  { "pins", read_pins },
                  { "seeds", read_seeds },
                  { "backendOptions", read_backend_options },
                  { "tolerances", read_tolerances } };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (span_is(v->key, texts[i].key))
            return take_text(g, v, texts[i].text);
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (span_is(v->key, switches[i].key))
            return json_bool(&g->json, v, switches[i].value);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (span_is(v->key, lists[i].key))
            return lists[i].read(g);
    return v->kind == JSON_NUMBER ? read_count(g, v) : json_wrong(&g->json, v, "known");
}

o2w_status case_request_parse(struct span text, struct arena *a, struct diags *d,
                              struct case_request *out)
{
    struct reading g = { .arena = a, .d = d, .r = out };
    struct json_value v;
    *out = (struct case_request){ .validate = { .size = sizeof out->validate } };
    TRY(json_begin(&g.json, text, SPAN("the request"), a, d));
    TRY(json_next(&g.json, &v));
    if (v.kind != JSON_OBJECT)
        return json_wrong(&g.json, &v, "an object");
    for (;;) {
        TRY(json_next(&g.json, &v));
        if (v.kind == JSON_END)
            break;
        TRY(read_member(&g, &v));
    }
    TRY(json_finish(&g.json));
    bool whole = out->model && out->sha256 && out->graph && out->archive && out->lock &&
                 out->validate.backend;
    return whole ? O2W_OK : diag_error(d, DIAG_INTERNAL, "the request lacks members");
}
