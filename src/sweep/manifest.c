#include "sweep/manifest.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/system.h"

#include <stdlib.h>
#include <string.h>

enum { MANIFEST_LIMIT = 64 << 20, NAME_LIMIT = 255, REVISION_LIMIT = 255 };

/* --- fields ------------------------------------------------------------------------------------------- */

struct reading {
    struct json_reader json;
    o2w_manifest *m;
    struct diags *d;
    VEC(struct manifest_entry) entries;
    VEC(struct json_value) places; /* of the entries */
    VEC(o2w_pin) bindings;
};

static o2w_status at(const struct reading *r, const struct json_value *v, bool key, o2w_status s)
{
    diag_position(r->d, r->json.name, -1, key ? v->key_line : v->line,
                  key ? v->key_column : v->column);
    return s;
}

static o2w_status bad(const struct reading *r, const struct json_value *v, const char *wanted)
{
    return at(r, v, false,
              diag_error(r->d, DIAG_MANIFEST_FIELD, "'%.*s' is '%.*s', must be %s",
                         SPAN_ARG(v->key), SPAN_ARG(v->text), wanted));
}

static bool is_word(struct span s)
{
    for (size_t i = 0; i < s.size; i++) {
        uint8_t c = s.data[i], lower = c | 0x20;
        if (!(lower >= 'a' && lower <= 'z') && !(c >= '0' && c <= '9') && !strchr("._-", c))
            return false;
    }
    return s.size > 0 && !span_is(s, ".") && !span_is(s, "..");
}

static size_t find(struct span s, const char *text)
{
    const void *found = memmem(s.data, s.size, text, strlen(text));
    return found ? (size_t)((const uint8_t *)found - s.data) : s.size;
}

static struct span from(struct span s, size_t start)
{
    return (struct span){ s.data + start, s.size - start };
}

static o2w_status read_file(struct reading *r, const struct json_value *v, struct manifest_entry *e)
{
    static const char form[] =
        "ORG--REPOSITORY/PATH, with letters, digits, '.', '_' and '-' in front "
        "of the first '/'";
    struct span s;
    TRY(json_string(&r->json, v, &s));
    size_t cut = find(s, "--");
    if (cut == s.size)
        return bad(r, v, form);
    struct span org = { s.data, cut }, rest = from(s, cut + 2);
    size_t slash = find(rest, "/");
    struct span repo = { rest.data, slash };
    if (slash == rest.size || !is_word(org) || !is_word(repo))
        return bad(r, v, form);
    struct span path = from(rest, slash + 1);
    const char *unsafe = path_unsafe(path);
    if (unsafe)
        return at(r, v, false,
                  diag_error(r->d, DIAG_PATH_UNSAFE, "'file' is '%.*s': its path has %s",
                             SPAN_ARG(s), unsafe));
    e->file = arena_text(&r->m->arena, s);
    e->repository = arena_printf(&r->m->arena, "%.*s/%.*s", SPAN_ARG(org), SPAN_ARG(repo));
    e->path = arena_text(&r->m->arena, path);
    return e->file && e->repository && e->path ? O2W_OK : diag_memory(r->d);
}

static o2w_status keep(struct reading *r, struct span s, const char **out)
{
    *out = arena_text(&r->m->arena, s);
    return *out ? O2W_OK : diag_memory(r->d);
}

static o2w_status read_revision(struct reading *r, const struct json_value *v,
                                struct manifest_entry *e)
{
    struct span s;
    TRY(json_string(&r->json, v, &s));
    if (!is_word(s) || s.size > REVISION_LIMIT)
        return bad(r, v, "a branch, tag or commit of letters, digits, '.', '_' and '-'");
    return keep(r, s, &e->revision);
}

static o2w_status read_digest(struct reading *r, const struct json_value *v,
                              struct manifest_entry *e)
{
    struct span s;
    TRY(json_string(&r->json, v, &s));
    size_t good = 0;
    while (good < s.size && ((s.data[good] >= '0' && s.data[good] <= '9') ||
                             (s.data[good] >= 'a' && s.data[good] <= 'f')))
        good++;
    if (s.size != 64 || good != 64)
        return bad(r, v, "64 lower-case hexadecimal digits");
    return keep(r, s, &e->sha256);
}

static o2w_status read_reason(struct reading *r, const struct json_value *v, const char **out)
{
    struct span s;
    TRY(json_string(&r->json, v, &s));
    if (!s.size)
        return bad(r, v, "a reason");
    return keep(r, s, out);
}

static bool has_control(struct span s)
{
    for (size_t i = 0; i < s.size; i++)
        if (s.data[i] < 0x20 || s.data[i] == 0x7f)
            return true;
    return false;
}

/* The name of a member of override_dims or pin_inputs. */
static o2w_status read_name(struct reading *r, const struct json_value *v, const char **out)
{
    struct span s = span_trim(v->key);
    if (s.size == 0 || s.size > NAME_LIMIT || has_control(s))
        return at(r, v, true,
                  diag_error(r->d, DIAG_MANIFEST_FIELD,
                             "name '%.*s' must have 1 to %d bytes and no control characters",
                             SPAN_ARG(v->key), NAME_LIMIT));
    return keep(r, s, out);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static o2w_status twice(struct reading *r, const struct json_value *object, const char *name)
{
    return at(r, object, false,
              diag_error(r->d, DIAG_MANIFEST_FIELD, "'%.*s' has '%s' twice", SPAN_ARG(object->key),
                         name));
}

/* The value of a dimension, or of a pin, which may be written as true or false. */
static o2w_status read_value(struct reading *r, const struct json_value *v, bool pins, o2w_pin *out)
{
    out->is_bool = pins && v->kind == JSON_BOOL;
    if (out->is_bool) {
        out->value = v->boolean;
        return O2W_OK;
    }
    TRY(json_i64(&r->json, v, &out->value));
    if (!pins && (out->value < 0 || out->value > INT32_MAX))
        return bad(r, v, "an integer from 0 to 2147483647");
    return O2W_OK;
}

/* The members of override_dims or pin_inputs, sorted by name, in r->bindings. */
static o2w_status read_bindings(struct reading *r, const struct json_value *object, bool pins)
{
    struct json_value v;
    if (object->kind != JSON_OBJECT)
        return json_wrong(&r->json, object, "an object of integers");
    r->bindings.count = 0;
    for (;;) {
        o2w_pin item = { 0 };
        TRY(json_next(&r->json, &v));
        if (v.kind == JSON_END)
            break;
        TRY(read_name(r, &v, &item.name));
        TRY(read_value(r, &v, pins, &item));
        if (!VEC_PUSH(&r->bindings, item))
            return diag_memory(r->d);
    }
    if (r->bindings.count)
        qsort(r->bindings.items, r->bindings.count, sizeof *r->bindings.items, by_name);
    for (size_t i = 1; i < r->bindings.count; i++)
        if (strcmp(r->bindings.items[i - 1].name, r->bindings.items[i].name) == 0)
            return twice(r, object, r->bindings.items[i].name);
    return O2W_OK;
}

static o2w_status read_dims(struct reading *r, const struct json_value *object,
                            struct manifest_entry *e)
{
    TRY(read_bindings(r, object, false));
    o2w_dim *dims = ARENA_ARRAY(&r->m->arena, r->bindings.count, o2w_dim);
    if (!dims)
        return diag_memory(r->d);
    for (size_t i = 0; i < r->bindings.count; i++)
        dims[i] = (o2w_dim){ r->bindings.items[i].name, r->bindings.items[i].value };
    e->dims = dims;
    e->dim_count = r->bindings.count;
    return O2W_OK;
}

static o2w_status read_pins(struct reading *r, const struct json_value *object,
                            struct manifest_entry *e)
{
    TRY(read_bindings(r, object, true));
    o2w_pin *pins = ARENA_ARRAY(&r->m->arena, r->bindings.count, o2w_pin);
    if (!pins)
        return diag_memory(r->d);
    for (size_t i = 0; i < r->bindings.count; i++)
        pins[i] = r->bindings.items[i];
    e->pins = pins;
    e->pin_count = r->bindings.count;
    return O2W_OK;
}

static o2w_status read_unknown(struct reading *r, const struct json_value *v)
{
    static const char *const former[] = { "validation", "tier", "tiers" };
    const char *more = " (fields are file, revision, sha256, heavy, override_dims, pin_inputs, "
                       "coreml_unsupported, coreml_slow)";
    for (size_t i = 0; i < sizeof former / sizeof *former; i++)
        if (span_is(v->key, former[i]))
            more = " (tiers were removed; selection is all or match=TEXT)";
    return at(
        r, v, true,
        diag_error(r->d, DIAG_MANIFEST_FIELD, "unknown field '%.*s'%s", SPAN_ARG(v->key), more));
}

static o2w_status read_field(struct reading *r, const struct json_value *v,
                             struct manifest_entry *e)
{
    if (span_is(v->key, "file"))
        return read_file(r, v, e);
    if (span_is(v->key, "revision"))
        return read_revision(r, v, e);
    if (span_is(v->key, "sha256"))
        return read_digest(r, v, e);
    if (span_is(v->key, "heavy"))
        return json_bool(&r->json, v, &e->heavy);
    if (span_is(v->key, "override_dims"))
        return read_dims(r, v, e);
    if (span_is(v->key, "pin_inputs"))
        return read_pins(r, v, e);
    if (span_is(v->key, "coreml_unsupported"))
        return read_reason(r, v, &e->coreml_unsupported);
    if (span_is(v->key, "coreml_slow"))
        return read_reason(r, v, &e->coreml_slow);
    return read_unknown(r, v);
}

/* --- entries ------------------------------------------------------------------------------------------ */

static const char *bindings_text(struct arena *a, const char *text, const char *what,
                                 const struct manifest_entry *e, bool pins)
{
    size_t count = pins ? e->pin_count : e->dim_count;
    for (size_t i = 0; text && i < count; i++)
        text = arena_printf(a, "%s%s%s=%lld", text, i ? ", " : what,
                            pins ? e->pins[i].name : e->dims[i].name,
                            (long long)(pins ? e->pins[i].value : e->dims[i].value));
    return text && count ? arena_printf(a, "%s]", text) : text;
}

static const char *label_of(const struct manifest_entry *e, struct arena *a)
{
    const char *text = e->revision ? arena_printf(a, "%s@%.8s", e->file, e->revision) : e->file;
    text = bindings_text(a, text, " [dims: ", e, false);
    return bindings_text(a, text, " [pins: ", e, true);
}

static o2w_status read_entry(struct reading *r, const struct json_value *object)
{
    struct manifest_entry e = { 0 };
    struct json_value v;
    if (object->kind != JSON_OBJECT) {
        TRY(json_skip(&r->json, object)); /* what cannot even be read is said first */
        return json_wrong(&r->json, object, "an object");
    }
    for (;;) {
        TRY(json_next(&r->json, &v));
        if (v.kind == JSON_END)
            break;
        TRY(read_field(r, &v, &e));
    }
    if (!e.file)
        return at(r, object, false, diag_error(r->d, DIAG_MANIFEST_FIELD, "'file' is missing"));
    if (e.sha256 && !e.revision)
        return at(r, object, false,
                  diag_error(r->d, DIAG_MANIFEST_FIELD,
                             "'sha256' needs 'revision': a digest belongs to one commit"));
    e.label = label_of(&e, &r->m->arena);
    return e.label && VEC_PUSH(&r->entries, e) && VEC_PUSH(&r->places, *object) ? O2W_OK
                                                                                : diag_memory(r->d);
}

static o2w_status check_identities(struct reading *r)
{
    struct map seen;
    uint32_t *index;
    bool added;
    o2w_status s = O2W_OK;
    map_init(&seen, NULL);
    for (size_t i = 0; s == O2W_OK && i < r->entries.count; i++) {
        const char *identity = manifest_identity(&r->entries.items[i], false, &r->m->arena);
        if (!identity ||
            map_insert(&seen, span_of(identity), (uint32_t)i, &index, &added) != O2W_OK)
            s = diag_memory(r->d);
        else if (!added)
            s = at(r, &r->places.items[i], false,
                   diag_error(r->d, DIAG_MANIFEST_DUPLICATE,
                              "entry '%s' stands twice, first in line %u",
                              r->entries.items[i].label, r->places.items[*index].line));
    }
    map_free(&seen);
    return s;
}

static o2w_status read_all(struct reading *r)
{
    struct json_value v, item;
    TRY(json_next(&r->json, &v));
    if (v.kind != JSON_ARRAY)
        return json_wrong(&r->json, &v, "an array of entries");
    for (;;) {
        TRY(json_next(&r->json, &item));
        if (item.kind == JSON_END)
            break;
        TRY(read_entry(r, &item));
    }
    TRY(json_finish(&r->json));
    if (!r->entries.count)
        return at(r, &v, false, diag_error(r->d, DIAG_MANIFEST_FIELD, "the manifest is empty"));
    return check_identities(r);
}

o2w_status manifest_parse(o2w_manifest *m, struct span text, const char *name, struct diags *d)
{
    struct reading r = { .m = m, .d = d };
    TRY(json_begin(&r.json, text, span_of(name), &m->arena, d));
    r.json.syntax = r.json.type = r.json.duplicate = DIAG_MANIFEST_FIELD;
    o2w_status s = read_all(&r);
    if (s == O2W_OK) {
        m->entries = ARENA_ARRAY(&m->arena, r.entries.count, struct manifest_entry);
        m->count = m->entries ? r.entries.count : 0;
        if (m->entries)
            memcpy(m->entries, r.entries.items, r.entries.count * sizeof *m->entries);
        else
            s = diag_memory(d);
    }
    VEC_FREE(&r.entries);
    VEC_FREE(&r.places);
    VEC_FREE(&r.bindings);
    return s;
}

/* --- the file ----------------------------------------------------------------------------------------- */

/* That of the call, of O2W_MANIFEST, or the installed one. */
static o2w_status find_manifest(o2w_manifest *m, const char *path, struct diags *d)
{
    char *installed = program_prefix_path(&m->arena, "share/onnx2webnn/manifest.json");
    m->path = path ? path : system_variable("O2W_MANIFEST");
    if (m->path) {
        m->path = arena_text(&m->arena, span_of(m->path));
        return m->path ? O2W_OK : diag_memory(d);
    }
    m->path = installed;
    if (installed && path_is_file(installed))
        return O2W_OK;
    o2w_status s = diag_error(d, DIAG_MANIFEST_MISSING, "there is no manifest");
    diag_line(d, "searched", "O2W_MANIFEST: not set");
    if (installed)
        diag_line(d, "searched", "%s: no such file", installed);
    diag_hint(d, "--manifest FILE, or set O2W_MANIFEST");
    return s;
}

static o2w_status read_manifest(o2w_manifest *m, const char *path, struct diags *d)
{
    struct span text;
    d->stage = "read";
    TRY(find_manifest(m, path, d));
    TRY(file_read_all(m->path, MANIFEST_LIMIT, &m->arena, d, &text));
    return manifest_parse(m, text, m->path, d);
}

void o2w_manifest_free(o2w_manifest *m)
{
    if (!m)
        return;
    arena_free(&m->arena);
    mem_free(m->allocator, m, sizeof *m);
}

o2w_status o2w_manifest_read(const char *path, const o2w_environment *environment,
                             o2w_manifest **out, o2w_error **error)
{
    const o2w_allocator *allocator = environment_allocator(environment);
    struct diags d;
    diags_init(&d, allocator);
    o2w_manifest *m = mem_alloc(allocator, sizeof *m);
    o2w_status s = m ? O2W_OK : diag_memory(&d);
    if (m) {
        *m = (o2w_manifest){ .allocator = allocator, .environment = environment };
        arena_init(&m->arena, allocator);
        s = read_manifest(m, path, &d);
    }
    if (s == O2W_OK)
        *out = m;
    else
        o2w_manifest_free(m);
    s = error_from_diags(&d, s, error);
    diags_free(&d);
    return s;
}

size_t o2w_manifest_count(const o2w_manifest *m)
{
    return m->count;
}

const char *o2w_manifest_label(const o2w_manifest *m, size_t index)
{
    return index < m->count ? m->entries[index].label : NULL;
}

bool o2w_manifest_selected(const o2w_manifest *m, size_t index)
{
    return index < m->count && m->entries[index].selected && !m->entries[index].skipped;
}
