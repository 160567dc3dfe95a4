/* What a sweep needs before its first case. */
#include "sweep/sweep.h"

#include "base/file.h"
#include "base/system.h"
#include "base/text.h"

#include <string.h>

enum { REASONS_LIMIT = 16 << 20 };

/* --- expected failures -------------------------------------------------------------------------------- */

static size_t entry_of(const o2w_manifest *m, struct span label)
{
    size_t i = 0;
    while (i < m->count && !span_is(label, m->entries[i].label))
        i++;
    return i;
}

static o2w_status read_reason(struct sweep *s, struct json_reader *r, const struct json_value *v)
{
    struct span reason;
    TRY(json_string(r, v, &reason));
    size_t i = entry_of(s->m, v->key);
    if (i == s->m->count) {
        o2w_status status = diag_error(s->d, DIAG_MANIFEST_LABEL,
                                       "the manifest has no entry '%.*s'", SPAN_ARG(v->key));
        diag_position(s->d, r->name, -1, v->key_line, v->key_column);
        return status;
    }
    s->reasons[i] = arena_text(s->arena, reason);
    return s->reasons[i] ? O2W_OK : diag_memory(s->d);
}

o2w_status sweep_read_reasons(struct sweep *s, const char *path)
{
    struct json_reader r;
    struct json_value v;
    struct span text;
    s->reasons = ARENA_ARRAY(s->arena, s->m->count, const char *);
    if (!s->reasons)
        return diag_memory(s->d);
    TRY(file_read_all(path, REASONS_LIMIT, s->arena, s->d, &text));
    TRY(json_begin(&r, text, span_of(path), s->arena, s->d));
    TRY(json_next(&r, &v));
    if (v.kind != JSON_OBJECT)
        return json_wrong(&r, &v, "an object of reasons");
    for (;;) {
        TRY(json_next(&r, &v));
        if (v.kind == JSON_END)
            return json_finish(&r);
        TRY(read_reason(s, &r, &v));
    }
}

/* --- items -------------------------------------------------------------------------------------------- */

static o2w_status name_files(struct sweep *s, struct item *item)
{
    const o2w_validate_options *v = s->options->validate;
    struct arena *a = s->arena;
    item->identity = manifest_identity(item->entry, s->options->constant_folding, a);
    if (!item->identity || !manifest_source_key(item->entry, a, item->source_key))
        return diag_memory(s->d);
    manifest_key(item->identity, item->key);
    const char *own = manifest_base_name(item->entry, item->key, a);
    const char *shared = manifest_base_name(item->entry, item->source_key, a);
    if (!own || !shared)
        return diag_memory(s->d);
    item->graph = arena_printf(a, "%s/%s.webnn", s->cache, own);
    item->archive = arena_printf(a, "%s.safetensors", shared);
    item->lock = arena_printf(a, "%s/.locks/%s.lock", s->cache, shared);
    item->record_path = result_path(s->results, item->key, v->backend, v->seeds, v->seed_count, a);
    return item->graph && item->archive && item->lock && item->record_path ? O2W_OK
                                                                           : diag_memory(s->d);
}

static const char *seeds_text(const struct sweep *s)
{
    const o2w_validate_options *v = s->options->validate;
    const char *text = "[";
    for (size_t i = 0; text && i < v->seed_count; i++)
        text = arena_printf(s->arena, "%s%s\"%llu\"", text, i ? "," : "",
                            (unsigned long long)v->seeds[i]);
    return text ? arena_printf(s->arena, "%s]", text) : NULL;
}

/* The command line that repeats the case alone. */
static const char *command_text(const struct sweep *s, const struct manifest_entry *e)
{
    const o2w_sweep_options *o = s->options;
    struct arena *a = s->arena;
    const char *match = arena_printf(a, "match=%s", e->label);
    const char *text =
        match ? arena_printf(a,
                             "onnx2webnn validate-manifest --manifest %s "
                             "--selection %s --backend %s",
                             shell_word(a, s->m->path), shell_word(a, match), o->validate->backend)
              : NULL;
    if (text && o->constant_folding)
        text = arena_printf(a, "%s --constant-folding", text);
    for (size_t i = 0; text && i < o->validate->seed_count; i++)
        text = arena_printf(a, "%s --seed %llu", text, (unsigned long long)o->validate->seeds[i]);
    return text;
}

static o2w_status fill_result(struct sweep *s, struct item *item, size_t index)
{
    *item->result = (struct result){ .index = index,
                                     .tool = o2w_version(),
                                     .backend = s->options->validate->backend,
                                     .engine = s->engine,
                                     .seeds = seeds_text(s),
                                     .command = command_text(s, item->entry) };
    item->result->key = arena_text(s->arena, span_of(item->key));
    item->result->label = arena_text(s->arena, span_of(item->entry->label));
    const struct result *r = item->result;
    return r->seeds && r->command && r->key && r->label ? O2W_OK : diag_memory(s->d);
}

/* Results in the manifest's order; items so too, but heavy ones last. */
static o2w_status make_items(struct sweep *s)
{
    s->items = ARENA_ARRAY(s->arena, s->m->count, struct item);
    if (!s->items)
        return diag_memory(s->d);
    for (int heavy = 0; heavy <= 1; heavy++) {
        size_t place = 0;
        for (size_t i = 0; i < s->m->count; i++) {
            const struct manifest_entry *e = &s->m->entries[i];
            if (!e->selected)
                continue;
            struct result *result = &s->summary->results[place++];
            if (e->heavy != (heavy == 1))
                continue;
            struct item *item = &s->items[s->count++];
            *item = (struct item){ .entry = e, .result = result };
            TRY(name_files(s, item));
            TRY(fill_result(s, item, i));
        }
        s->summary->count = place;
    }
    return O2W_OK;
}

/* --- folders ------------------------------------------------------------------------------------------ */

static o2w_status make_folders(struct sweep *s)
{
    char *cache = NULL;
    o2w_error *error = NULL;
    if (o2w_cache_folder(O2W_CACHE_WEBNN, true, &cache, &error) != O2W_OK) {
        const o2w_diagnostic *item = o2w_error_item(error, 0);
        o2w_status status = diag_error(s->d, DIAG_CACHE_FOLDER, "%s", item ? item->message : "");
        o2w_error_free(error);
        return status;
    }
    s->cache = arena_text(s->arena, span_of(cache));
    webnn_text_free(cache);
    if (!s->cache)
        return diag_memory(s->d);
    s->results =
        s->options->results ? s->options->results : arena_printf(s->arena, "%s/results", s->cache);
    const char *locks = arena_printf(s->arena, "%s/.locks", s->cache);
    if (!s->results || !locks)
        return diag_memory(s->d);
    TRY(folder_create(s->results, 0777, s->d));
    TRY(folder_create(locks, 0777, s->d));
    folder_clean(s->cache);
    folder_clean(s->results);
    return O2W_OK;
}

o2w_status sweep_prepare(struct sweep *s)
{
    const o2w_sweep_options *o = s->options;
    const struct hub_options hub = { .offline = o->offline,
                                     .refresh = o->refresh,
                                     .jobs = o->download_jobs,
                                     .environment = &s->inner };
    s->limit = o->memory_limit ? o->memory_limit : system_memory() / 10 * 8;
    s->program = o->program;
    if (!s->program)
        return diag_error(s->d, DIAG_INTERNAL, "no program is named that runs cases");
    TRY(make_folders(s));
    if (o->expected_failures)
        TRY(sweep_read_reasons(s, o->expected_failures));
    TRY(make_items(s));
    return hub_open(&hub, s->d, &s->hub);
}
