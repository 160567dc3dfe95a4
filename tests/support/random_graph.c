#include "support/random_private.h"

#include <string.h>

uint32_t pick(struct making *m, uint32_t n)
{
    m->state ^= m->state >> 12;
    m->state ^= m->state << 25;
    m->state ^= m->state >> 27;
    return (uint32_t)((m->state * 0x2545f4914f6cdd1du) >> 33) % n;
}

bool once_in(struct making *m, uint32_t n)
{
    return pick(m, n) == 0;
}

enum dtype pick_dtype(struct making *m, dtype_set set)
{
    uint32_t chosen = pick(m, (uint32_t)__builtin_popcount(set));
    for (unsigned t = 0;; t++)
        if (dtype_in((enum dtype)t, set) && chosen-- == 0)
            return (enum dtype)t;
}

dim pick_dim(struct making *m)
{
    if (m->options->empty && once_in(m, 24))
        return 0;
    return once_in(m, 3) ? 1 : 2 + pick(m, 3);
}

struct descriptor pick_shape(struct making *m, enum dtype t, uint32_t min_rank, uint32_t max_rank)
{
    struct descriptor d = { .dtype = t, .rank = min_rank + pick(m, max_rank - min_rank + 1) };
    for (uint32_t i = 0; i < d.rank; i++)
        d.dims[i] = pick_dim(m);
    return d;
}

dtype_set slot_dtypes(enum webnn_operator kind, uint32_t slot)
{
    return operator_row(kind)->operands[slot].dtypes;
}

/* ---- names ---- */

static const char *const strange[] = {
    "a.b",       "a/b",          "a_b",
    "a_b_2",     "a::b",         "3d",
    "true_mask", "null",         "gr\xc3\xb6\xc3\237e",
    "a b",       "x\ny\"z\\",    "layer/0/w:0",
    "#",         "\xe6\xbc\xa2", "operand_1",
    "inputs",    "a.b__output",  "_",
    "__",        "falsehood",    "$x",
    "a\tb",
};

static struct span fresh_name(struct making *m)
{
    uint32_t number = m->names++;
    if (m->options->strange_names && once_in(m, 40)) {
        char *text = arena_alloc(&m->arena, 400, 1);
        memset(text, 'n', 390);
        return (struct span){ (const uint8_t *)text, 250 + pick(m, 100) };
    }
    if (m->options->strange_names && !once_in(m, 3))
        return span_of(arena_printf(&m->arena, "%s%.*u",
                                    strange[pick(m, sizeof strange / sizeof strange[0])],
                                    once_in(m, 2) ? 0 : 1, once_in(m, 2) ? 0 : number));
    return span_of(arena_printf(&m->arena, "v%u", number));
}

/* ---- operands ---- */

static bool same_type(const struct operand *o, const struct descriptor *d)
{
    return o->dtype == d->dtype && o->rank == d->rank && dims_equal(o->dims, d->dims, d->rank);
}

static operand_id find_like(struct making *m, const struct descriptor *d)
{
    const struct graph *g = m->builder.graph;
    uint32_t count = (uint32_t)g->operands.count, start = count ? pick(m, count) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (same_type(graph_operand(g, (start + i) % count), d))
            return (start + i) % count;
    return NO_ID;
}

static o2w_status new_input(struct making *m, const struct descriptor *d, operand_id *out)
{
    struct span name = fresh_name(m);
    if (map_find(&m->builder.input_names, name))
        name = span_of(arena_printf(&m->arena, "%.*s~%u", SPAN_ARG(name), m->names++));
    return builder_input(&m->builder, name, d, out);
}

static void fill(struct making *m, uint8_t *bytes, size_t size)
{
    bool few = once_in(m, 3);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(few ? pick(m, 2) : pick(m, 256));
}

/* Values that are hard to write: not finite, minus zero, above 24 bits; and plain ones. */
static uint64_t splat_bits(struct making *m, enum dtype t)
{
    static const float floats[] = { 0,       -0.0f, 1,     0.1f,     1e-6f,
                                    3.4e38f, 1e20f, -2.5f, 50331648, 1e-45f };
    static const uint16_t halves[] = { 0,      0x8000, 0x3c00, 0x2e66, 0x7c00,
                                       0x7e01, 1,      0x7bff, 0xc000, 0x3555 };
    static const int64_t integers[] = { 0,         1,         -1,       127,      100,
                                        INT64_MIN, INT64_MAX, 16777216, 16777217, -16777216 };
    uint32_t i = pick(m, 10), bits = 0;
    if (t == DTYPE_FLOAT32) {
        memcpy(&bits, &floats[i], sizeof bits);
        return once_in(m, 12) ? 0x7fc00001 : once_in(m, 12) ? 0xff800000 : bits;
    }
    return t == DTYPE_FLOAT16 ? halves[i] : (uint64_t)integers[i];
}

static o2w_status splat_constant(struct making *m, const struct descriptor *d, uint64_t count,
                                 operand_id *out)
{
    uint64_t bits = splat_bits(m, d->dtype);
    uint8_t *element = arena_alloc(&m->builder.graph->arena, 8, 8);
    for (int i = 0; i < 8; i++)
        element[i] = (uint8_t)(bits >> (8 * i));
    if (dtype_in(d->dtype, DTYPES_4BIT))
        element[0] &= 15;
    struct weight w = { .source = once_in(m, 4) ? WEIGHT_ZEROS : WEIGHT_SPLAT,
                        .dtype = d->dtype,
                        .from = d->dtype,
                        .count = count,
                        .bytes = element };
    return builder_constant(&m->builder, d, &w, SPAN(""), out);
}

static o2w_status file_constant(struct making *m, const struct descriptor *d, uint64_t count,
                                uint64_t size, operand_id *out)
{
    bool flip = dtype_in(d->dtype, DTYPES_4BIT) && once_in(m, 2);
    struct weight w = { .source = WEIGHT_FILE,
                        .transform = flip ? WEIGHT_XOR : WEIGHT_COPY,
                        .flip = flip ? 0x88 : 0,
                        .dtype = d->dtype,
                        .from = d->dtype,
                        .count = count,
                        .file = m->options->weights,
                        .offset = 8 * pick(m, 512),
                        .length = size };
    return builder_constant(&m->builder, d, &w, SPAN(""), out);
}

o2w_status constant_like(struct making *m, const struct descriptor *d, operand_id *out)
{
    uint64_t count, size = 0;
    if (!dims_count(d->dims, d->rank, &count) || !dtype_bytes(d->dtype, count, &size) ||
        size > 32768)
        return diag_error(m->builder.diags, DIAG_INTERNAL, "a constant of a recipe is too large");
    o2w_status status;
    if (once_in(m, 3)) {
        status = splat_constant(m, d, count, out);
    } else if (m->options->weights && once_in(m, 2)) {
        status = file_constant(m, d, count, size, out);
    } else {
        uint8_t *bytes = arena_alloc(&m->arena, size, 8);
        fill(m, bytes, size);
        status = builder_constant_bytes(&m->builder, d, bytes, size, false, out);
    }
    if (status == O2W_OK && !once_in(m, 4))
        status = builder_set_original(&m->builder, *out, fresh_name(m));
    return status;
}

o2w_status operand_like(struct making *m, const struct descriptor *d, operand_id *out)
{
    *out = once_in(m, 4) ? NO_ID : find_like(m, d);
    if (*out != NO_ID)
        return O2W_OK;
    return once_in(m, 2) || !dims_static(d->dims, d->rank) ? new_input(m, d, out)
                                                           : constant_like(m, d, out);
}

/* ---- calls ---- */

o2w_status record_call(struct making *m, enum webnn_operator kind, const operand_id *operands,
                       uint32_t count, const void *attributes)
{
    operand_id results[16];
    uint32_t capacity = 16;
    struct span label = once_in(m, 5) ? fresh_name(m) : SPAN("");
    TRY(builder_op(&m->builder, kind, operands, count, attributes, label, results, &capacity));
    for (uint32_t i = 0; i < capacity; i++)
        if (!once_in(m, 3))
            TRY(builder_set_original(&m->builder, results[i], fresh_name(m)));
    if (m->counts)
        m->counts->recorded[kind]++;
    return O2W_OK;
}

o2w_status record_like(struct making *m, enum webnn_operator kind,
                       const struct descriptor *operands, uint32_t count, const void *attributes)
{
    operand_id ids[16];
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = NO_ID;
        if (operands[i].dtype != DTYPE_COUNT)
            TRY(operand_like(m, &operands[i], &ids[i]));
    }
    return record_call(m, kind, ids, count, attributes);
}

/* ---- the whole ---- */

static name_id intern(struct making *m, struct span text)
{
    name_id id = 0;
    names_add(&m->builder.graph->names, text, &id);
    return id;
}

static bool is_bound(const struct graph *g, operand_id id)
{
    for (size_t i = 0; i < g->outputs.count; i++)
        if (g->outputs.items[i].operand == id)
            return true;
    return false;
}

/* An output has its operand's name; where that is taken the operand takes another. */
static o2w_status bind(struct making *m, operand_id id)
{
    struct graph *g = m->builder.graph;
    name_id original = graph_operand(g, id)->original;
    struct span name = original ? names_text(&g->names, original) : fresh_name(m);
    if (map_find(&m->builder.output_names, name)) {
        name = span_of(arena_printf(&m->arena, "%.*s~%u", SPAN_ARG(name), m->names++));
        if (!is_bound(g, id))
            g->operands.items[id].original = intern(m, name);
    }
    return builder_output(&m->builder, name, id);
}

static o2w_status choose_outputs(struct making *m)
{
    const struct graph *g = m->builder.graph;
    for (operand_id id = (operand_id)g->operands.count; id-- > 0;)
        if (graph_operand(g, id)->kind == OPERAND_RESULT &&
            (g->outputs.count == 0 || once_in(m, 4))) {
            TRY(bind(m, id));
            if (m->options->strange_names && once_in(m, 6))
                TRY(bind(m, id)); /* twice: one becomes an identity */
        }
    return O2W_OK;
}

static o2w_status add_labels(struct making *m, operand_id operand)
{
    struct graph *g = m->builder.graph;
    struct graph_labels labels = { .operand = operand,
                                   .strings = once_in(m, 2),
                                   .count = 1 + pick(m, 3) };
    name_id *texts = ARENA_ARRAY(&g->arena, labels.count, name_id);
    int64_t *integers = ARENA_ARRAY(&g->arena, labels.count, int64_t);
    for (uint32_t i = 0; i < labels.count; i++) {
        texts[i] = intern(m, fresh_name(m));
        integers[i] = (int64_t)pick(m, 100) - 50;
    }
    labels.texts = labels.strings ? texts : NULL;
    labels.integers = labels.strings ? NULL : integers;
    return VEC_PUSH(&g->labels, labels) ? O2W_OK : O2W_NO_MEMORY;
}

static o2w_status add_directives(struct making *m)
{
    struct graph *g = m->builder.graph;
    for (uint32_t i = 0; i < 3; i++) {
        struct span base = fresh_name(m),
                    name = span_of(arena_printf(&m->arena, "%.*s.%u", SPAN_ARG(base), i));
        if (!VEC_PUSH(&g->dims, (struct graph_dim){ intern(m, name), pick(m, 100) }) ||
            !VEC_PUSH(&g->pins, (struct graph_dim){ intern(m, name), -(int64_t)pick(m, 100) }) ||
            !VEC_PUSH(&g->kept, intern(m, name)) ||
            !VEC_PUSH(&g->bounds, (struct graph_bound){ intern(m, name), pick(m, 100) }) ||
            !VEC_PUSH(&g->meta, (struct graph_text){ intern(m, name), intern(m, fresh_name(m)) }))
            return O2W_NO_MEMORY;
    }
    for (size_t i = 0; i < g->outputs.count; i++)
        if (once_in(m, 2) &&
            (i == 0 || g->outputs.items[i].operand != g->outputs.items[i - 1].operand))
            TRY(add_labels(m, g->outputs.items[i].operand));
    g->subgraph = once_in(m, 2) ? intern(m, SPAN("body/then")) : 0;
    return O2W_OK;
}

static o2w_status make(struct making *m, struct graph **out)
{
    m->builder.graph->name =
        intern(m, m->options->strange_names ? SPAN("a \"b\" \\ c") : SPAN("g"));
    for (uint32_t i = 0; i < m->options->operators; i++)
        TRY(random_call(m, (enum webnn_operator)pick(m, WEBNN_OPERATOR_COUNT)));
    TRY(choose_outputs(m));
    if (m->options->directives)
        TRY(add_directives(m));
    return builder_build(&m->builder, out);
}

o2w_status random_graph(const struct random_graph_options *options, const o2w_allocator *allocator,
                        struct diags *d, struct random_graph_counts *counts, struct graph **out)
{
    struct making m = { .options = options,
                        .state = options->seed * 0x9e3779b97f4a7c15u + 1,
                        .counts = counts };
    limits_own(&m.limits);
    TRY(builder_init(&m.builder, &m.limits, allocator, d));
    arena_init(&m.arena, NULL);
    o2w_status status = make(&m, out);
    arena_free(&m.arena);
    builder_free(&m.builder);
    return status;
}
