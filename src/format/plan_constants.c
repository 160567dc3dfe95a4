/* Constants of the archive: equal ones share a tensor, each tensor has a key of its own. */
#include "format/plan.h"

#include "base/system.h"
#include "format/safetensors_dtypes.h"

#include <string.h>

enum { NONE = UINT32_MAX, DIGEST_DIGITS = 8 };

/* Tensors of equal dtype and shape. Their contents are looked at from the second one on. */
struct group {
    uint32_t first; /* of its items */
    bool sampled;
};

struct links {
    uint32_t group; /* the next item of the group */
    uint32_t chain; /* the next item with the same sample */
};

struct sharing {
    struct plan *plan;
    struct map shapes;  /* dtype and dims → group */
    struct map samples; /* group and sample → newest item of a chain */
    struct map sources; /* weight and group → item */
    struct name_table keys;
    struct map existing_keys;
    VEC(struct group) groups;
    VEC(struct links) links; /* by item */
};

static o2w_status no_memory(const struct sharing *s)
{
    return diag_memory(s->plan->diags);
}

/* ---- finding an equal tensor ---- */

static o2w_status find_group(struct sharing *s, const struct archive_item *item, uint32_t *group)
{
    size_t name = item->dtype_name.size, size = name + item->rank * sizeof *item->dims;
    uint8_t *key = arena_alloc(s->plan->arena, size, 1);
    uint32_t *value;
    bool added;
    if (!key)
        return no_memory(s);
    if (name > 0)
        memcpy(key, item->dtype_name.data, name);
    if (item->rank > 0)
        memcpy(key + name, item->dims, item->rank * sizeof *item->dims);
    if (map_insert(&s->shapes, (struct span){ key, size }, (uint32_t)s->groups.count, &value,
                   &added) != O2W_OK)
        return no_memory(s);
    *group = *value;
    return !added || VEC_PUSH(&s->groups, (struct group){ .first = NONE }) ? O2W_OK : no_memory(s);
}

struct sample_key {
    uint64_t sample;
    uint64_t group;
};

static o2w_status index_sample(struct sharing *s, const struct sample_key *key, uint32_t item)
{
    uint32_t *newest;
    bool added;
    struct span copy =
        arena_copy(s->plan->arena, (struct span){ (const uint8_t *)key, sizeof *key });
    if (!copy.data || map_insert(&s->samples, copy, item, &newest, &added) != O2W_OK)
        return no_memory(s);
    s->links.items[item].chain = added ? NONE : *newest;
    *newest = item;
    return O2W_OK;
}

static o2w_status sample_group(struct sharing *s, uint32_t group)
{
    if (s->groups.items[group].sampled)
        return O2W_OK;
    s->groups.items[group].sampled = true;
    for (uint32_t i = s->groups.items[group].first; i != NONE; i = s->links.items[i].group) {
        struct sample_key key = { .group = group };
        TRY(weight_sample(&s->plan->items.items[i].data, s->plan->diags, &key.sample));
        TRY(index_sample(s, &key, i));
    }
    return O2W_OK;
}

/* The item of the group with the same content, or NONE; *key is the sample, once the group has some. */
static o2w_status find_equal(struct sharing *s, const struct archive_item *item, uint32_t group,
                             struct sample_key *key, uint32_t *found)
{
    *found = NONE;
    *key = (struct sample_key){ .group = group };
    if (s->groups.items[group].first == NONE)
        return O2W_OK;
    TRY(sample_group(s, group));
    TRY(weight_sample(&item->data, s->plan->diags, &key->sample));
    const uint32_t *newest =
        map_find(&s->samples, (struct span){ (const uint8_t *)key, sizeof *key });
    for (uint32_t i = newest ? *newest : NONE; i != NONE && *found == NONE;
         i = s->links.items[i].chain) {
        bool same;
        TRY(weight_same(&item->data, &s->plan->items.items[i].data, s->plan->diags, &same));
        if (same)
            *found = i;
    }
    return O2W_OK;
}

static o2w_status add_item(struct sharing *s, const struct archive_item *item, uint32_t group,
                           const struct sample_key *key)
{
    uint32_t index = (uint32_t)s->plan->items.count;
    struct group *g = &s->groups.items[group];
    if (!VEC_PUSH(&s->plan->items, *item) || !VEC_PUSH(&s->links, (struct links){ g->first, NONE }))
        return no_memory(s);
    g->first = index;
    return g->sampled ? index_sample(s, key, index) : O2W_OK;
}

/* ---- keys ---- */

static o2w_status hash_block(void *user, const void *data, size_t size)
{
    sha256_add(user, data, size);
    return O2W_OK;
}

static o2w_status digest_of(const struct plan *p, const struct archive_item *item,
                            char text[2 * DIGEST_DIGITS + 1])
{
    uint8_t digest[32];
    char shape[512];
    struct sha256 sum;
    dims_text(item->dims, item->rank, shape, sizeof shape);
    sha256_begin(&sum);
    sha256_add(&sum, item->dtype_name.data, item->dtype_name.size);
    sha256_add(&sum, shape, strlen(shape));
    TRY(weight_stream(&item->data, hash_block, &sum, p->diags));
    sha256_end(&sum, digest);
    hex_print(digest, DIGEST_DIGITS / 2, text);
    return O2W_OK;
}

/* The identifier, or, where another tensor has that key, the identifier and a digest. */
static o2w_status choose_key(struct sharing *s, struct span identifier, struct archive_item *item)
{
    char digest[2 * DIGEST_DIGITS + 1];
    bool taken;
    item->key = identifier;
    if (name_table_claim(&s->keys, identifier, &taken) != O2W_OK)
        return no_memory(s);
    if (taken)
        return O2W_OK;
    TRY(digest_of(s->plan, item, digest));
    const char *base = arena_printf(s->plan->arena, "%.*s_%s", SPAN_ARG(identifier), digest);
    return base && name_table_unique(&s->keys, span_of(base), &item->key) == O2W_OK ? O2W_OK
                                                                                    : no_memory(s);
}

/* Keys that were there, also as other readers know them, are nobody else's. */
static o2w_status claim_key(struct sharing *s, struct span key)
{
    struct span forms[3] = { key, name_normal(key, s->plan->arena),
                             name_peer(key, s->plan->arena) };
    for (int i = 0; i < 3; i++) {
        bool taken;
        if (!forms[i].data || name_table_claim(&s->keys, forms[i], &taken) != O2W_OK)
            return no_memory(s);
    }
    return O2W_OK;
}

/* ---- the tensor of a constant ---- */

static o2w_status append_block(void *user, const void *data, size_t size)
{
    uint8_t **end = user;
    memcpy(*end, data, size);
    *end += size;
    return O2W_OK;
}

/* 4-bit elements as the bytes that hold them, so that equal bytes are found equal. */
static o2w_status as_bytes(const struct plan *p, const struct weight *w, struct weight *out)
{
    uint64_t size = weight_bytes(w);
    *out = *w;
    out->dtype = out->from = DTYPE_UINT8;
    out->count = size;
    bool whole = w->count % 2 == 0 && dtype_info(w->from)->bits == 4;
    if (w->source == WEIGHT_ZEROS ||
        (whole && w->source != WEIGHT_SPLAT && w->transform != WEIGHT_CONVERT))
        return O2W_OK;
    uint8_t *bytes = arena_alloc(p->arena, (size_t)size, 1), *end = bytes;
    if (!bytes)
        return diag_memory(p->diags);
    *out = (struct weight){ .source = WEIGHT_BYTES,
                            .dtype = DTYPE_UINT8,
                            .from = DTYPE_UINT8,
                            .count = size,
                            .bytes = bytes };
    return weight_stream(w, append_block, &end, p->diags);
}

static o2w_status describe(struct plan *p, operand_id constant, struct archive_item *item)
{
    const struct operand *o = graph_operand(p->graph, constant);
    bool packed = dtype_in(o->dtype, DTYPES_4BIT);
    *item = (struct archive_item){ .rank = o->rank,
                                   .dims = o->dims,
                                   .data = *graph_weight(p->graph, constant) };
    const char *name = archive_dtype_name(packed ? DTYPE_UINT8 : o->dtype);
    if (!name)
        return diag_error(p->diags, DIAG_INTERNAL, "a constant of %s has no form in archives",
                          dtype_name(o->dtype));
    item->dtype_name = span_of(name);
    if (!packed)
        return O2W_OK;
    int64_t *dims = ARENA_ARRAY(p->arena, 1, int64_t);
    if (!dims)
        return diag_memory(p->diags);
    dims[0] = (int64_t)weight_bytes(&item->data);
    item->rank = 1;
    item->dims = dims;
    p->packed = true;
    return as_bytes(p, graph_weight(p->graph, constant), &item->data);
}

/* The tensor that already has the constant's own name, when its content is the same. */
static o2w_status find_own(struct sharing *s, struct span identifier,
                           const struct archive_item *item, uint32_t *found)
{
    const uint32_t *index = map_find(&s->existing_keys, identifier);
    bool same = false;
    *found = NONE;
    if (!index)
        return O2W_OK;
    const struct archive_item *own = &s->plan->items.items[*index];
    if (span_equal(own->dtype_name, item->dtype_name) && own->rank == item->rank &&
        dims_equal(own->dims, item->dims, item->rank))
        TRY(weight_same(&item->data, &own->data, s->plan->diags, &same));
    *found = same ? *index : NONE;
    return O2W_OK;
}

static o2w_status place_item(struct sharing *s, struct span identifier, struct archive_item *item,
                             uint32_t *index)
{
    struct sample_key key;
    uint32_t group = 0;
    TRY(find_own(s, identifier, item, index));
    if (*index != NONE)
        return O2W_OK;
    TRY(find_group(s, item, &group));
    TRY(find_equal(s, item, group, &key, index));
    if (*index != NONE)
        return O2W_OK;
    TRY(choose_key(s, identifier, item));
    *index = (uint32_t)s->plan->items.count;
    return add_item(s, item, group, &key);
}

/* Constants over one weight and of one shape need no look at their content. */
static o2w_status source_key(struct sharing *s, operand_id constant, struct span *key)
{
    const struct operand *o = graph_operand(s->plan->graph, constant);
    size_t size = sizeof o->source + o->rank * sizeof *o->dims;
    uint8_t *bytes = arena_alloc(s->plan->arena, size, 1);
    if (!bytes)
        return no_memory(s);
    memcpy(bytes, &o->source, sizeof o->source);
    if (o->rank > 0)
        memcpy(bytes + sizeof o->source, o->dims, o->rank * sizeof *o->dims);
    *key = (struct span){ bytes, size };
    return O2W_OK;
}

static o2w_status store(struct sharing *s, operand_id constant, struct constant_plan *out)
{
    struct archive_item item;
    struct span source = { 0 };
    uint32_t index, *value;
    TRY(source_key(s, constant, &source));
    const uint32_t *known = map_find(&s->sources, source);
    if (known) {
        index = *known;
    } else {
        TRY(describe(s->plan, constant, &item));
        TRY(place_item(s, s->plan->names.operands[constant], &item, &index));
        if (map_insert(&s->sources, source, index, &value, NULL) != O2W_OK)
            return no_memory(s);
    }
    *out = (struct constant_plan){ CONSTANT_ARCHIVE, s->plan->items.items[index].key };
    return O2W_OK;
}

/* ---- all ---- */

static o2w_status keep_existing(struct sharing *s, const struct archive *existing)
{
    for (uint32_t i = 0; existing && i < existing->count; i++) {
        const struct archive_entry *e = &existing->entries[i];
        struct archive_item item = { e->key, e->dtype_name, e->rank, e->dims,
                                     archive_weight(existing, e) };
        uint32_t group = 0, *value;
        TRY(find_group(s, &item, &group));
        TRY(add_item(s, &item, group, NULL));
        TRY(claim_key(s, e->key));
        if (map_insert(&s->existing_keys, e->key, i, &value, NULL) != O2W_OK)
            return no_memory(s);
    }
    return O2W_OK;
}

static o2w_status place_all(struct sharing *s, const struct archive *existing)
{
    struct plan *p = s->plan;
    TRY(keep_existing(s, existing));
    for (size_t i = 0; i < p->graph->constants.count; i++) {
        operand_id id = p->graph->constants.items[i];
        bool inlined;
        TRY(plan_inline(p, id, &p->constants[i], &inlined));
        if (!inlined)
            TRY(store(s, id, &p->constants[i]));
    }
    return O2W_OK;
}

o2w_status plan_constants(struct plan *p, const struct archive *existing)
{
    const o2w_allocator *allocator = p->graph->allocator;
    struct sharing s = { .plan = p, .groups.allocator = allocator, .links.allocator = allocator };
    struct map *maps[] = { &s.shapes, &s.samples, &s.sources, &s.existing_keys };
    for (int i = 0; i < 4; i++)
        map_init(maps[i], allocator);
    name_table_init(&s.keys, p->arena, allocator);
    o2w_status status = place_all(&s, existing);
    for (int i = 0; i < 4; i++)
        map_free(maps[i]);
    name_table_free(&s.keys);
    VEC_FREE(&s.groups);
    VEC_FREE(&s.links);
    return status;
}
