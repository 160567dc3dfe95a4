#include "format/scope.h"

#include "base/number.h"
#include "format/mangle.h"

enum { AMBIGUOUS = UINT32_MAX, NEAR_NAMES = 20000, NEAR_SIZE = 64 };

void scope_init(struct scope *s, const struct document *doc, struct diags *d, struct arena *arena,
                const o2w_allocator *allocator)
{
    *s = (struct scope){ .doc = doc, .diags = d, .arena = arena, .entries.allocator = allocator };
    map_init(&s->names, allocator);
    map_init(&s->normal, allocator);
}

void scope_free(struct scope *s)
{
    VEC_FREE(&s->entries);
    map_free(&s->names);
    map_free(&s->normal);
}

const char *scope_kind_text(enum scope_kind kind)
{
    static const char *const texts[] = {
        [SCOPE_INPUT] = "input", [SCOPE_CONSTANT] = "constant", [SCOPE_RESULT] = "node result"
    };
    return texts[kind];
}

o2w_status scope_declare(struct scope *s, struct doc_name name, enum scope_kind kind,
                         operand_id operand)
{
    uint32_t *index;
    bool added;
    if (s->entries.count == LIMIT_NAMES)
        return doc_limit(s->doc, s->diags, name.place, "declared names:", LIMIT_NAMES + 1ull,
                         LIMIT_NAMES);
    if (map_insert(&s->names, name.name, (uint32_t)s->entries.count, &index, &added) != O2W_OK)
        return diag_memory(s->diags);
    if (!added) {
        const struct scope_entry *first = &s->entries.items[*index];
        return doc_at(s->doc, s->diags, name.place,
                      diag_error(s->diags, DIAG_TEXT_DUPLICATE,
                                 "'%.*s' is already declared as %s at line %u", SPAN_ARG(name.name),
                                 scope_kind_text(first->kind), first->line));
    }
    struct scope_entry entry = { name.name, kind, name.place.line, operand };
    return VEC_PUSH(&s->entries, entry) ? O2W_OK : diag_memory(s->diags);
}

const struct scope_entry *scope_lookup(const struct scope *s, struct span name)
{
    const uint32_t *index = map_find(&s->names, name);
    return index ? &s->entries.items[*index] : NULL;
}

/* ---- names that a peer would have renamed ---- */

static o2w_status fill_normal(struct scope *s)
{
    const struct scope_entry *entries = s->entries.items;
    for (; entries && s->normal_count < s->entries.count; s->normal_count++) {
        uint32_t *index;
        bool added;
        struct span normal = name_normal(entries[s->normal_count].name, s->arena);
        if (!normal.data ||
            map_insert(&s->normal, normal, (uint32_t)s->normal_count, &index, &added) != O2W_OK)
            return diag_memory(s->diags);
        if (!added)
            *index = AMBIGUOUS;
    }
    return O2W_OK;
}

static o2w_status find_normal(struct scope *s, struct span name, const struct scope_entry **out)
{
    *out = NULL;
    TRY(fill_normal(s));
    struct span normal = name_normal(name, s->arena);
    if (!normal.data)
        return diag_memory(s->diags);
    const uint32_t *index = map_find(&s->normal, normal);
    if (index && *index != AMBIGUOUS)
        *out = &s->entries.items[*index];
    return O2W_OK;
}

/* ---- what to say about a name that isn't there ---- */

static uint32_t later_line(const struct document *doc, struct span name)
{
    for (size_t i = 0; i < doc->nodes.count; i++)
        for (uint32_t j = 0; j < doc->nodes.items[i].target_count; j++)
            if (span_equal(doc->nodes.items[i].targets[j].name, name))
                return doc->nodes.items[i].targets[j].place.line;
    return 0;
}

static struct span nearest(const struct scope *s, struct span name)
{
    struct span best = { 0 };
    size_t least = name.size / 3 + 1;
    if (name.size > NEAR_SIZE || s->entries.count > NEAR_NAMES)
        return best;
    const struct scope_entry *entries = s->entries.items;
    for (size_t i = 0; entries && i < s->entries.count; i++) {
        struct span other = entries[i].name;
        size_t distance = other.size <= NEAR_SIZE ? text_distance(name, other) : SIZE_MAX;
        if (distance < least || (distance == least && best.size == 0)) {
            least = distance;
            best = other;
        }
    }
    return best.size > 0 && least < name.size ? best : (struct span){ 0 };
}

static o2w_status undeclared(const struct scope *s, struct span name, struct place at)
{
    uint32_t line = later_line(s->doc, name);
    struct span near = line ? (struct span){ 0 } : nearest(s, name);
    o2w_status status;
    if (line)
        status =
            diag_error(s->diags, DIAG_TEXT_UNDECLARED,
                       "'%.*s' isn't declared before this use (a later declaration is at line %u)",
                       SPAN_ARG(name), line);
    else if (near.size > 0)
        status = diag_error(s->diags, DIAG_TEXT_UNDECLARED,
                            "'%.*s' isn't declared before this use (did you mean '%.*s'?)",
                            SPAN_ARG(name), SPAN_ARG(near));
    else
        status = diag_error(s->diags, DIAG_TEXT_UNDECLARED, "'%.*s' isn't declared before this use",
                            SPAN_ARG(name));
    return doc_at(s->doc, s->diags, at, status);
}

o2w_status scope_find(struct scope *s, struct span name, struct place at, operand_id *out)
{
    const struct scope_entry *entry = scope_lookup(s, name);
    if (!entry) {
        TRY(find_normal(s, name, &entry));
        if (!entry)
            return undeclared(s, name, at);
        TRY(doc_at(s->doc, s->diags, at,
                   diag_note(s->diags, DIAG_TEXT_DIALECT, "'%.*s' isn't declared, '%.*s' is taken",
                             SPAN_ARG(name), SPAN_ARG(entry->name))));
    }
    *out = entry->operand;
    return O2W_OK;
}
