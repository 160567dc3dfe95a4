/* What names the files of a case. */
#include "sweep/manifest.h"

#include "base/file.h"
#include "base/text.h"

static const char *source_lines(const struct manifest_entry *e, struct arena *a)
{
    const char *text = arena_printf(a, "webnn-cache-v1\nfile=%s\n", e->file);
    if (text && e->revision)
        text = arena_printf(a, "%srevision=%s\n", text, e->revision);
    if (text && e->sha256)
        text = arena_printf(a, "%ssha256=%s\n", text, e->sha256);
    return text;
}

const char *manifest_identity(const struct manifest_entry *e, bool folding, struct arena *a)
{
    const char *text = source_lines(e, a);
    for (size_t i = 0; text && i < e->dim_count; i++)
        text =
            arena_printf(a, "%sdim=%s:%lld\n", text, e->dims[i].name, (long long)e->dims[i].value);
    for (size_t i = 0; text && i < e->pin_count; i++)
        text =
            arena_printf(a, "%spin=%s:%lld\n", text, e->pins[i].name, (long long)e->pins[i].value);
    return text && folding ? arena_printf(a, "%soption=constant-folding\n", text) : text;
}

void manifest_key(const char *identity, char key[MANIFEST_KEY])
{
    text_format(key, MANIFEST_KEY, "%016llx", (unsigned long long)span_fnv1a64(span_of(identity)));
}

bool manifest_source_key(const struct manifest_entry *e, struct arena *a, char key[MANIFEST_KEY])
{
    const char *lines = source_lines(e, a);
    if (lines)
        manifest_key(lines, key);
    return lines != NULL;
}

const char *manifest_base_name(const struct manifest_entry *e, const char *key, struct arena *a)
{
    struct span stem = path_stem(path_name(span_of(e->path)));
    char *name = arena_printf(a, "%.*s-%s-real", (int)(stem.size < 160 ? stem.size : 160),
                              (const char *)stem.data, key);
    for (size_t i = 0; name && i < stem.size && i < 160; i++) {
        char lower = (char)(name[i] | 0x20);
        if (!(lower >= 'a' && lower <= 'z') && !(name[i] >= '0' && name[i] <= '9'))
            name[i] = '-';
    }
    return name;
}
