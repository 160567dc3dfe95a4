#include "webnn/targets.h"

#include "base/file.h"
#include "base/json.h"
#include "webnn/legalise.h"

#include <string.h>

enum { MOST_TEXT = 16 << 20 };

struct table {
    struct json_reader json;
    struct limits *limits;
    bool seen[WEBNN_OPERATOR_COUNT];
};

/* ---- one operand ---- */

static o2w_status read_dtypes(struct table *t, dtype_set *out)
{
    struct json_value v;
    struct span name;
    enum dtype dtype;
    *out = 0;
    for (;;) {
        TRY(json_next(&t->json, &v));
        if (v.kind == JSON_END)
            return O2W_OK;
        TRY(json_string(&t->json, &v, &name));
        if (dtype_by_name(name, &dtype) && dtype_in(dtype, DTYPES_WEBNN))
            *out |= DTYPE_BIT(dtype);
    }
}

static uint8_t rank_of(uint64_t n)
{
    return n > MAX_RANK ? MAX_RANK : (uint8_t)n;
}

static o2w_status read_ranks(struct table *t, struct slot_limit *out)
{
    struct json_value v;
    uint64_t n;
    for (;;) {
        TRY(json_next(&t->json, &v));
        if (v.kind == JSON_END)
            return O2W_OK;
        TRY(json_u64(&t->json, &v, &n));
        if (span_is(v.key, "min"))
            out->rank_min = rank_of(n);
        else if (span_is(v.key, "max"))
            out->rank_max = rank_of(n);
    }
}

/* {"dataTypes": [...], "rankRange": {"min": 0, "max": 8}}: keeps in *slot what both accept. */
static o2w_status read_slot(struct table *t, const struct json_value *head, struct slot_limit *slot)
{
    struct slot_limit found = { DTYPES_WEBNN, 0, MAX_RANK };
    struct json_value v;
    if (head->kind != JSON_OBJECT)
        return json_wrong(&t->json, head, "an object");
    for (;;) {
        TRY(json_next(&t->json, &v));
        if (v.kind == JSON_END)
            break;
        if (span_is(v.key, "dataTypes") && v.kind == JSON_ARRAY)
            TRY(read_dtypes(t, &found.dtypes));
        else if (span_is(v.key, "rankRange") && v.kind == JSON_OBJECT)
            TRY(read_ranks(t, &found));
        else
            TRY(json_skip(&t->json, &v));
    }
    slot->dtypes &= found.dtypes;
    slot->rank_min = found.rank_min > slot->rank_min ? found.rank_min : slot->rank_min;
    slot->rank_max = found.rank_max < slot->rank_max ? found.rank_max : slot->rank_max;
    return O2W_OK;
}

/* ---- one operator ---- */

static struct slot_limit *slot_of(struct limits *l, enum webnn_operator kind, struct span name)
{
    const struct operator_row *row = operator_row(kind);
    for (uint32_t i = 0; i < row->operand_count; i++)
        if (span_is(name, row->operands[i].name))
            return &l->operators[kind][i];
    for (uint32_t i = 0; i < row->result_count; i++)
        if (span_is(name, row->results[i].name))
            return &l->operators[kind][row->operand_count + i];
    return NULL;
}

static o2w_status read_operator(struct table *t, enum webnn_operator kind)
{
    struct json_value v;
    t->seen[kind] = true;
    for (;;) {
        TRY(json_next(&t->json, &v));
        if (v.kind == JSON_END)
            return O2W_OK;
        struct slot_limit *slot = slot_of(t->limits, kind, v.key);
        TRY(slot ? read_slot(t, &v, slot) : json_skip(&t->json, &v));
    }
}

/* Facts that the table of types and ranks cannot say, as docs/browser.md names them. */
static o2w_status read_quirk(struct table *t, const struct json_value *v)
{
    static const struct {
        const char *name;
        enum limit_note note;
    } quirks[] = {
        { "noEdgePad", LIMIT_NO_EDGE_PAD },
        { "scatterConstantIndices", LIMIT_SCATTER_CONSTANT },
        { "noPoolDilations", LIMIT_NO_POOL_DILATIONS },
        { "strideInSize", LIMIT_STRIDE_IN_SIZE },
        { "transposeSameOrValid", LIMIT_TRANSPOSE_SAME_VALID },
        { "transposePlain", LIMIT_TRANSPOSE_PLAIN },
        { "averageWholeWindow", LIMIT_AVERAGE_WHOLE },
        { "nearestOther", LIMIT_NEAREST_OTHER },
        { "halfConstants", LIMIT_HALF_CONSTANTS },
    };
    struct span name;
    TRY(json_string(&t->json, v, &name));
    for (size_t i = 0; i < sizeof quirks / sizeof *quirks; i++)
        if (span_is(name, quirks[i].name)) {
            t->limits->notes |= (uint32_t)quirks[i].note;
            return O2W_OK;
        }
    return json_wrong(&t->json, v, "a quirk (docs/browser.md)");
}

static o2w_status read_quirks(struct table *t, const struct json_value *head)
{
    struct json_value v;
    if (head->kind != JSON_ARRAY)
        return json_wrong(&t->json, head, "a list of quirks");
    for (;;) {
        TRY(json_next(&t->json, &v));
        if (v.kind == JSON_END)
            return O2W_OK;
        TRY(read_quirk(t, &v));
    }
}

static o2w_status read_member(struct table *t, const struct json_value *v)
{
    struct limits *l = t->limits;
    enum webnn_operator kind;
    uint64_t bytes;
    if (span_is(v->key, "input"))
        return read_slot(t, v, &l->input);
    if (span_is(v->key, "constant"))
        return read_slot(t, v, &l->constant);
    if (span_is(v->key, "output"))
        return read_slot(t, v, &l->output);
    if (span_is(v->key, "quirks"))
        return read_quirks(t, v);
    if (span_is(v->key, "maxRank")) {
        TRY(json_u64(&t->json, v, &bytes));
        l->max_rank = rank_of(bytes);
        return O2W_OK;
    }
    if (span_is(v->key, "maxTensorByteLength")) {
        TRY(json_u64(&t->json, v, &bytes));
        l->max_tensor_bytes = bytes;
        return O2W_OK;
    }
    if (v->kind == JSON_OBJECT && operator_by_name(v->key, &kind))
        return read_operator(t, kind);
    return json_skip(&t->json, v);
}

static o2w_status read_table(struct table *t)
{
    struct json_value v;
    TRY(json_next(&t->json, &v));
    if (v.kind != JSON_OBJECT)
        return json_wrong(&t->json, &v, "an object");
    for (;;) {
        TRY(json_next(&t->json, &v));
        if (v.kind == JSON_END)
            return json_finish(&t->json);
        TRY(read_member(t, &v));
    }
}

o2w_status limits_from_json(struct span text, struct span name, struct arena *arena,
                            struct diags *d, struct limits *out)
{
    struct limits limits;
    struct table t = { .limits = &limits };
    limits_own(&limits);
    limits.min_dimension = 1;
    limits.name = arena_text(arena, name);
    if (!limits.name)
        return diag_memory(d);
    TRY(json_begin(&t.json, text, name, arena, d));
    TRY(read_table(&t));
    bool any = false;
    for (unsigned i = 0; i < WEBNN_OPERATOR_COUNT; i++) {
        limits.refused[i] = !t.seen[i];
        any = any || t.seen[i];
    }
    if (!any)
        return diag_error(d, DIAG_USAGE, "'%.*s' names no operator of WebNN", SPAN_ARG(name));
    *out = limits;
    return O2W_OK;
}

/* ---- by name ---- */

static const struct {
    const char *name;
    const struct span *text;
} built_in[] = {
#define TARGET(name) { #name, &embedded_##name##_json },
#include "webnn/targets.def"
};

static const char known_names[] =
#define TARGET(name) #name ", "
#include "webnn/targets.def"
    "required, or a file as opSupportLimits() prints it";

o2w_status limits_of_target(const char *name, struct arena *arena, struct diags *d,
                            struct limits *out)
{
    struct span text;
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
        if (strcmp(name, built_in[i].name) == 0)
            return limits_from_json(*built_in[i].text, span_of(name), arena, d, out);
    if (strcmp(name, "required") == 0) {
        limits_required(out);
        out->dynamic_dims = true;
        return O2W_OK;
    }
    if (!path_is_file(name)) {
        o2w_status s = diag_error(d, DIAG_USAGE, "no target '%s'", name);
        diag_hint(d, "%s", known_names);
        return s;
    }
    TRY(file_read_all(name, MOST_TEXT, arena, d, &text));
    return limits_from_json(text, path_name(span_of(name)), arena, d, out);
}
