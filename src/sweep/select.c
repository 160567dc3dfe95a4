/* Which entries of a manifest a run takes. */
#include "sweep/manifest.h"

#include "base/error.h"

#include <string.h>

/* Entries of one file: a shard takes all of them, so that a file is fetched by one machine only. */
struct group {
    const char *file;
    bool heavy;
    unsigned number;
};

static struct group *find_group(struct group *groups, size_t count, const char *file)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(groups[i].file, file) == 0)
            return &groups[i];
    return NULL;
}

static size_t make_groups(const o2w_manifest *m, struct group *groups)
{
    size_t count = 0;
    for (size_t i = 0; i < m->count; i++) {
        const struct manifest_entry *e = &m->entries[i];
        if (!e->selected)
            continue;
        struct group *g = find_group(groups, count, e->file);
        if (!g) {
            g = &groups[count++];
            *g = (struct group){ .file = e->file };
        }
        g->heavy |= e->heavy;
    }
    return count;
}

/* Heavy groups have the first numbers, so that they spread. */
static void number_groups(struct group *groups, size_t count)
{
    unsigned next = 0;
    for (int heavy = 1; heavy >= 0; heavy--)
        for (size_t i = 0; i < count; i++)
            if (groups[i].heavy == (heavy == 1))
                groups[i].number = next++;
}

static o2w_status take_shard(o2w_manifest *m, struct diags *d)
{
    struct group *groups = ARENA_ARRAY(&m->arena, m->count, struct group);
    if (!groups)
        return diag_memory(d);
    size_t count = make_groups(m, groups);
    number_groups(groups, count);
    for (size_t i = 0; i < m->count; i++) {
        struct manifest_entry *e = &m->entries[i];
        if (e->selected)
            e->selected = find_group(groups, count, e->file)->number % m->shards + 1 == m->shard;
    }
    return O2W_OK;
}

static o2w_status nothing(const o2w_manifest *m, const char *match, struct diags *d)
{
    o2w_status s = diag_error(d, DIAG_MANIFEST_SELECTION, "'match=%s' selects none of %zu entries",
                              match, m->count);
    diag_hint(d, "--selection all --list shows the labels");
    return s;
}

static o2w_status select_entries(o2w_manifest *m, const o2w_selection *s, struct diags *d)
{
    bool any = false;
    m->shard = s->shard ? s->shard : 1;
    m->shards = s->shards ? s->shards : 1;
    m->selection = s->match ? arena_printf(&m->arena, "match=%s", s->match) : "all";
    if (!m->selection)
        return diag_memory(d);
    if (m->shard > m->shards)
        return diag_error(d, DIAG_USAGE, "shard %u of %u does not exist", m->shard, m->shards);
    for (size_t i = 0; i < m->count; i++) {
        struct manifest_entry *e = &m->entries[i];
        e->selected = !s->match || strstr(e->label, s->match) != NULL;
        e->skipped = e->selected && s->skip_heavy && e->heavy;
        any |= e->selected;
    }
    return any ? take_shard(m, d) : nothing(m, s->match ? s->match : "", d);
}

o2w_status o2w_manifest_select(o2w_manifest *m, const o2w_selection *selection, o2w_error **error)
{
    static const o2w_selection all = { .size = sizeof all };
    struct diags d;
    diags_init(&d, m->allocator);
    d.stage = "read";
    o2w_status s = select_entries(m, selection ? selection : &all, &d);
    s = error_from_diags(&d, s, error);
    diags_free(&d);
    return s;
}
