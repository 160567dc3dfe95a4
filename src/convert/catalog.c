/* The catalog: rows against the published operators, everything counted. */
#include <onnx2webnn/convert.h>

#include "base/text.h"
#include "lower/row.h"
#include "onnx/dtype.h"
#include "onnx/schema.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRY_LIMIT = 2048, DOMAIN_LIMIT = 8, REFUSED_TEXT = 160 };

struct entry {
    const struct onnx_row *row; /* NULL: a published name without one */
    struct onnx_schema schema;  /* the newest version, where the name is published */
    bool published;
    o2w_cells cells;
    char refused[REFUSED_TEXT]; /* what counts against full coverage; empty: nothing */
};

static const struct tested {
    const char *domain, *name;
    int opset;
    uint32_t cpu, onnx;
} tested[] = {
#include "convert/generated/tested.inc"
};

static struct entry entries[ENTRY_LIMIT];
static size_t entry_count;
static o2w_domain_info domains[DOMAIN_LIMIT];
static size_t domain_count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* --- cells ------------------------------------------------------------------------------------------------- */

/* What WebNN cannot carry, or only as known values, is no gap of a row. */
static bool is_foreign(uint32_t onnx_type)
{
    switch (onnx_type) {
    case ONNX_STRING:
    case ONNX_COMPLEX64:
    case ONNX_COMPLEX128:
    case ONNX_FLOAT8E4M3FN:
    case ONNX_FLOAT8E4M3FNUZ:
    case ONNX_FLOAT8E5M2:
    case ONNX_FLOAT8E5M2FNUZ:
    case ONNX_FLOAT8E8M0:
    case ONNX_FLOAT4E2M1: return true;
    default: return false;
    }
}

/* Adds a word once, with "…" where there is no more room. */
static void add_refused(struct entry *e, const char *kind, const char *word)
{
    char text[96];
    size_t used = strlen(e->refused);
    text_format(text, sizeof text, "%s%s %s", used ? ", " : "", kind, word);
    if (strstr(e->refused, used ? text + 2 : text) || span_ends(span_of(e->refused), SPAN("…")))
        return;
    size_t size = strlen(text), room = sizeof e->refused - 8;
    const char *added = used + size < room ? text : ", …";
    memcpy(e->refused + used, added, strlen(added) + 1);
}

/* kind NULL: counts against nothing. */
static void count_cell(struct entry *e, bool honoured, const char *kind, const char *word)
{
    bool refused = e->row->class == CLASS_REFUSED || !honoured;
    bool handled = refused || e->row->lower || e->row->evaluate;
    e->cells.honoured += handled && !refused;
    e->cells.refused += refused;
    e->cells.unhandled += !handled;
    if (refused && kind && e->row->class != CLASS_REFUSED)
        add_refused(e, kind, word);
}

static const struct row_slot *slot_of(const struct row_slot *slots, uint32_t count, uint32_t i)
{
    if (!slots || !count)
        return NULL;
    if (i < count)
        return &slots[i];
    return slots[count - 1].kind == SLOT_VARIADIC ? &slots[count - 1] : NULL;
}

static void count_types(struct entry *e, const struct row_slot *slot, uint32_t types)
{
    for (uint32_t t = 1; t < ONNX_DTYPE_COUNT; t++) {
        enum dtype own;
        if (!(types >> t & 1))
            continue;
        bool honoured =
            slot && dtype_by_onnx(t, &own) && (!slot->dtypes || dtype_in(own, slot->dtypes));
        count_cell(e, honoured, is_foreign(t) ? NULL : "dtype", onnx_dtype_name((int32_t)t));
    }
}

static bool has_attribute(const struct onnx_row *row, const char *name)
{
    if (strcmp(name, "consumed_inputs") == 0)
        return true; /* of opset 1: without a meaning everywhere */
    for (uint32_t i = 0; i < row->attribute_count; i++)
        if (strcmp(row->attributes[i].name, name) == 0)
            return true;
    return false;
}

static void count_version(struct entry *e, const struct onnx_schema *s)
{
    const struct onnx_row *row = e->row;
    for (uint32_t i = 0; i < s->attribute_count; i++) {
        struct onnx_schema_attribute a;
        onnx_schema_attribute(s, i, &a);
        count_cell(e, has_attribute(row, a.name), "attribute", a.name);
    }
    for (uint32_t i = 0; i < s->input_count; i++) {
        struct onnx_schema_slot in;
        onnx_schema_slot(s, false, i, &in);
        const struct row_slot *slot = slot_of(row->inputs, row->input_count, i);
        count_cell(e, slot != NULL, "input", in.name);
        count_types(e, slot, in.dtypes);
    }
    for (uint32_t i = 0; i < s->output_count; i++) {
        struct onnx_schema_slot out;
        onnx_schema_slot(s, true, i, &out);
        count_cell(e, slot_of(row->results, row->result_count, i) != NULL, "output", out.name);
    }
}

static int known_opset(const char *domain)
{
    if (strcmp(domain, "ai.onnx") == 0)
        return ONNX_OPSET_KNOWN;
    return strcmp(domain, "ai.onnx.ml") == 0 ? ONNX_ML_OPSET_KNOWN : 1;
}

/* All published versions that the row serves. */
static void count_row(struct entry *e)
{
    struct onnx_schema s;
    struct span domain = span_of(e->row->domain), name = span_of(e->row->name);
    int last = e->row->until ? e->row->until : known_opset(e->row->domain);
    e->published = onnx_schema_find(domain, name, last, &e->schema);
    for (int v = e->row->since; e->published && v <= last;) {
        if (!onnx_schema_find(domain, name, v, &s)) {
            v++;
            continue;
        }
        count_version(e, &s);
        if (!s.until)
            break;
        v = s.until + 1;
    }
}

/* --- entries --------------------------------------------------------------------------------------------- */

static const char *entry_domain(const struct entry *e)
{
    return e->row ? e->row->domain : e->schema.domain;
}

static const char *entry_name(const struct entry *e)
{
    return e->row ? e->row->name : e->schema.name;
}

static int by_name(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = strcmp(entry_domain(x), entry_domain(y));
    order = order ? order : strcmp(entry_name(x), entry_name(y));
    return order ? order : (x->row ? x->row->since : 0) - (y->row ? y->row->since : 0);
}

static void add_entry(struct entry e)
{
    if (entry_count == ENTRY_LIMIT)
        abort(); /* a table that outgrew its room: a fault of the build */
    entries[entry_count++] = e;
}

static void add_rows(void)
{
    const struct onnx_row *row;
    for (size_t i = 0; (row = onnx_row_sorted(i)); i++) {
        struct entry e = { .row = row };
        count_row(&e);
        add_entry(e);
    }
}

/* Published, in use at the newest opset, and no row in any version. */
static void add_unknown(void)
{
    struct onnx_schema s;
    for (size_t i = 0; onnx_schema_at(i, &s); i++) {
        bool known;
        if (s.until || s.deprecated)
            continue;
        (void)onnx_row_find(span_of(s.domain), span_of(s.name), known_opset(s.domain), &known);
        if (!known)
            add_entry((struct entry){ .schema = s, .published = true });
    }
}

static bool is_partial(const struct entry *e)
{
    return e->row && e->row->class != CLASS_REFUSED &&
           (e->row->partial || *e->refused || e->row->class == CLASS_BOUNDED);
}

static o2w_operator_class class_of(const struct entry *e)
{
    static const o2w_operator_class classes[] = { [CLASS_DIRECT] = O2W_CLASS_DIRECT,
                                                  [CLASS_COMPOSED] = O2W_CLASS_COMPOSED,
                                                  [CLASS_STATIC] = O2W_CLASS_STATIC,
                                                  [CLASS_BOUNDED] = O2W_CLASS_BOUNDED,
                                                  [CLASS_REFUSED] = O2W_CLASS_REFUSED };
    return e->row ? classes[e->row->class] : O2W_CLASS_UNKNOWN;
}

/* --- domains ------------------------------------------------------------------------------------------------- */

static void add_cells(o2w_cells *to, const o2w_cells *from)
{
    to->honoured += from->honoured;
    to->refused += from->refused;
    to->unhandled += from->unhandled;
}

static o2w_domain_info *domain_of(const char *name)
{
    for (size_t i = 0; i < domain_count; i++)
        if (strcmp(domains[i].domain, name) == 0)
            return &domains[i];
    if (domain_count == DOMAIN_LIMIT)
        abort();
    domains[domain_count] = (o2w_domain_info){ .domain = name, .opset = known_opset(name) };
    return &domains[domain_count++];
}

/* One name: its entries stand together, the last is the newest behaviour. Removed and deprecated names
 * do not count. */
static void count_name(const struct entry *first, size_t count)
{
    const struct entry *newest = &first[count - 1];
    o2w_domain_info *d = domain_of(entry_domain(newest));
    bool partial = false;
    for (size_t i = 0; i < count; i++) {
        add_cells(&d->cells, &first[i].cells);
        partial |= is_partial(&first[i]);
    }
    bool ended = newest->row && newest->row->until && newest->row->until < d->opset;
    if (ended || !newest->published || newest->schema.deprecated)
        return;
    o2w_operator_class c = class_of(newest);
    d->total++;
    d->by_class[c]++;
    if (c < O2W_CLASS_REFUSED)
        *(partial ? &d->partial : &d->full) += 1;
}

static void make_catalog(void)
{
    add_rows();
    add_unknown();
    qsort(entries, entry_count, sizeof *entries, by_name);
    for (size_t i = 0, k; i < entry_count; i = k) {
        for (k = i + 1; k < entry_count &&
                        strcmp(entry_name(&entries[i]), entry_name(&entries[k])) == 0 &&
                        strcmp(entry_domain(&entries[i]), entry_domain(&entries[k])) == 0;)
            k++;
        count_name(&entries[i], k - i);
    }
}

static const struct entry *entry_at(size_t index)
{
    pthread_once(&once, make_catalog);
    return index < entry_count ? &entries[index] : NULL;
}

/* --- public --------------------------------------------------------------------------------------------------- */

size_t o2w_operator_count(void)
{
    (void)entry_at(0);
    return entry_count;
}

bool o2w_operator_at(size_t index, o2w_operator_info *out)
{
    const struct entry *e = entry_at(index);
    if (!e)
        return false;
    const struct onnx_row *row = e->row;
    *out = (o2w_operator_info){ .domain = entry_domain(e),
                                .name = entry_name(e),
                                .since = row ? row->since : e->schema.since,
                                .until = row ? row->until : 0,
                                .op_class = class_of(e),
                                .partial = is_partial(e),
                                .webnn = row ? row->webnn : NULL,
                                .notes = row ? row->notes : NULL,
                                .reason = row ? row->reason : NULL,
                                .input_count = row ? row->input_count : 0,
                                .output_count = row ? row->result_count : 0,
                                .attribute_count = row ? row->attribute_count : 0,
                                .refused = *e->refused ? e->refused : NULL,
                                .cells = e->cells };
    return true;
}

static uint32_t tested_on(const struct tested *t, const char *backend)
{
    if (!backend || strcmp(backend, "cpu") == 0)
        return t->cpu;
    return strcmp(backend, "onnx") == 0 ? t->onnx : 0;
}

uint32_t o2w_operator_tested(size_t index, const char *backend)
{
    const struct entry *e = entry_at(index);
    uint32_t count = 0;
    for (size_t i = 0; e && e->row && i < sizeof tested / sizeof *tested; i++)
        if (strcmp(tested[i].name, e->row->name) == 0 &&
            strcmp(tested[i].domain, e->row->domain) == 0 && tested[i].opset >= e->row->since &&
            (!e->row->until || tested[i].opset <= e->row->until))
            count += tested_on(&tested[i], backend);
    return count;
}

static void fill_slot(const struct row_slot *s, bool input, o2w_operator_slot *out)
{
    *out = (o2w_operator_slot){ .name = s->name,
                                .required = s->kind == SLOT_REQUIRED,
                                .variadic = s->kind == SLOT_VARIADIC,
                                .known = input && s->known };
    size_t used = 0;
    for (unsigned t = 0; t < DTYPE_COUNT; t++) {
        const char *name = dtype_in((enum dtype)t, s->dtypes) ? dtype_name((enum dtype)t) : NULL;
        size_t size = name ? strlen(name) : 0;
        if (!name || used + size + 2 > sizeof out->data_types)
            continue;
        if (used)
            out->data_types[used++] = ' ';
        memcpy(out->data_types + used, name, size);
        used += size;
    }
}

bool o2w_operator_input(size_t index, size_t slot, o2w_operator_slot *out)
{
    const struct entry *e = entry_at(index);
    if (!e || !e->row || slot >= e->row->input_count)
        return false;
    fill_slot(&e->row->inputs[slot], true, out);
    return true;
}

bool o2w_operator_output(size_t index, size_t slot, o2w_operator_slot *out)
{
    const struct entry *e = entry_at(index);
    if (!e || !e->row || slot >= e->row->result_count)
        return false;
    fill_slot(&e->row->results[slot], false, out);
    return true;
}

bool o2w_operator_attribute_at(size_t index, size_t attribute, o2w_operator_attribute *out)
{
    static const char *const types[] = {
        [PARAM_INT] = "int",       [PARAM_FLOAT] = "float",          [PARAM_STRING] = "string",
        [PARAM_INTS] = "ints",     [PARAM_FLOATS] = "floats",        [PARAM_STRINGS] = "strings",
        [PARAM_TENSOR] = "tensor", [PARAM_SPARSE] = "sparse tensor", [PARAM_GRAPH] = "graph",
        [PARAM_TYPE] = "type",     [PARAM_GIVEN_INT] = "int",        [PARAM_GIVEN_FLOAT] = "float"
    };
    const struct entry *e = entry_at(index);
    if (!e || !e->row || attribute >= e->row->attribute_count)
        return false;
    const struct attr_row *a = &e->row->attributes[attribute];
    *out = (o2w_operator_attribute){ a->name, types[a->type], a->required, a->ignored, a->allowed };
    return true;
}

bool o2w_domain_at(size_t index, const char *backend, o2w_domain_info *out)
{
    (void)entry_at(0);
    if (index >= domain_count)
        return false;
    *out = domains[index];
    for (size_t i = 0; i < entry_count; i++)
        if (strcmp(entry_domain(&entries[i]), out->domain) == 0)
            out->tested += o2w_operator_tested(i, backend);
    return true;
}
