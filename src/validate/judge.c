#include "validate/judge.h"

#include "base/number.h"
#include "base/text.h"
#include "validate/carry.h"

#include <math.h>
#include <string.h>

/* What stands behind an output of the reference, as a tensor that can be compared. */
struct seen {
    struct tensor tensor; /* STRING: without data */
    const char *type;
};

/* --- labels ------------------------------------------------------------------------------------------- */

static const struct graph_labels *labels_of(const struct judged *j, uint32_t port)
{
    operand_id id = j->graph->outputs.items[port].operand;
    for (size_t i = 0; i < j->graph->labels.count; i++)
        if (j->graph->labels.items[i].operand == id)
            return &j->graph->labels.items[i];
    return NULL;
}

static struct span label_text(const struct judged *j, const struct graph_labels *l, uint32_t i)
{
    char text[NUMBER_TEXT];
    if (l->strings)
        return names_text(&j->graph->names, l->texts[i]);
    number_print_i64(l->integers[i], text);
    return arena_copy(j->arena, span_of(text));
}

/* --- sequences of maps -------------------------------------------------------------------------------- */

struct row {
    const struct judged *judged;
    const struct graph_labels *labels;
    const char *name;
    struct diags *diags;
    struct tensor *scores;
    uint64_t index;
};

/* Which label a key of a map is; UINT32_MAX: none. */
static o2w_status find_label(const struct row *r, ort_value *keys, const struct tensor *key,
                             uint64_t at, uint32_t *out)
{
    const struct graph_labels *l = r->labels;
    struct span text = { 0 };
    *out = UINT32_MAX;
    if (key->dtype == DTYPE_STRING)
        TRY(ort_value_string(r->judged->reference->ort, keys, at, r->judged->arena, r->diags,
                             &text));
    for (uint32_t i = 0; i < l->count; i++)
        if (key->dtype == DTYPE_STRING
                ? l->strings && span_equal(names_text(&r->judged->graph->names, l->texts[i]), text)
                : !l->strings && l->integers[i] == tensor_get_i64(key, at))
            *out = i;
    return O2W_OK;
}

static o2w_status read_entries(const struct row *r, ort_value *keys, ort_value *values)
{
    const struct ort *ort = r->judged->reference->ort;
    struct tensor key, value;
    TRY(ort_value_tensor(ort, keys, r->diags, &key));
    TRY(ort_value_tensor(ort, values, r->diags, &value));
    if (tensor_count(&key) != r->labels->count || tensor_count(&value) != r->labels->count)
        return diag_error(r->diags, DIAG_MAP_DTYPE,
                          "output '%s': the reference's map has %llu keys, the graph has %u labels",
                          r->name, (unsigned long long)tensor_count(&key), r->labels->count);
    for (uint64_t i = 0; i < r->labels->count; i++) {
        uint32_t column;
        TRY(find_label(r, keys, &key, i, &column));
        if (column == UINT32_MAX)
            return diag_error(
                r->diags, DIAG_MAP_DTYPE,
                "output '%s': key %llu of the reference's map is no label of the graph", r->name,
                (unsigned long long)i);
        tensor_put_double(r->scores, r->index * r->labels->count + column,
                          tensor_get_double(&value, i));
    }
    return O2W_OK;
}

static o2w_status read_map(const struct row *r, const ort_value *sequence)
{
    const struct ort *ort = r->judged->reference->ort;
    ort_value *map = NULL, *keys = NULL, *values = NULL;
    o2w_status s = ort_value_item(ort, sequence, (size_t)r->index, r->diags, &map);
    if (s == O2W_OK && ort_value_kind(ort, map) != ORT_MAP)
        s = diag_error(r->diags, DIAG_MAP_DTYPE,
                       "output '%s': the reference's sequence has other items than maps", r->name);
    if (s == O2W_OK)
        s = ort_value_item(ort, map, 0, r->diags, &keys);
    if (s == O2W_OK)
        s = ort_value_item(ort, map, 1, r->diags, &values);
    if (s == O2W_OK)
        s = read_entries(r, keys, values);
    ort_value_free(ort, keys);
    ort_value_free(ort, values);
    ort_value_free(ort, map);
    return s;
}

/* Rows of scores in the order of the graph's labels. */
static o2w_status read_sequence(const struct judged *j, const char *name, ort_value *v,
                                const struct graph_labels *l, struct diags *d, struct tensor *out)
{
    size_t rows;
    TRY(ort_value_count(j->reference->ort, v, d, &rows));
    int64_t dims[2] = { (int64_t)rows, l->count };
    if (tensor_new(j->arena, DTYPE_FLOAT32, dims, 2, out) != O2W_OK)
        return diag_memory(d);
    struct row r = { .judged = j, .labels = l, .name = name, .diags = d, .scores = out };
    for (; r.index < rows; r.index++)
        TRY(read_map(&r, v));
    return O2W_OK;
}

/* --- the reference's side ----------------------------------------------------------------------------- */

static o2w_status see(const struct judged *j, uint32_t output, uint32_t port, struct diags *d,
                      struct seen *out)
{
    ort_value *v = j->reference->values[output];
    const char *name = j->source->outputs[output];
    const struct graph_labels *l = labels_of(j, port);
    enum ort_kind kind = ort_value_kind(j->reference->ort, v);
    *out = (struct seen){ 0 };
    if (kind == ORT_TENSOR) {
        TRY(ort_value_tensor(j->reference->ort, v, d, &out->tensor));
        out->type = out->tensor.dtype < DTYPE_COUNT ? dtype_name(out->tensor.dtype) : "unknown";
        return O2W_OK;
    }
    if (kind != ORT_SEQUENCE || !l)
        return diag_error(d, DIAG_MAP_DTYPE,
                          "output '%s' of the reference is no tensor, the graph has %s", name,
                          dtype_name(j->outputs[port].tensor.dtype));
    out->type = "float32";
    return read_sequence(j, name, v, l, d, &out->tensor);
}

/* Elements of an output that the graph left out; optionals and empty sequences have none. */
static o2w_status left_out_count(const struct judged *j, uint32_t output, struct diags *d,
                                 uint64_t *count, struct tensor *t)
{
    ort_value *v = j->reference->values[output];
    size_t items = 0;
    *t = (struct tensor){ 0 };
    *count = 0;
    switch (ort_value_kind(j->reference->ort, v)) {
    case ORT_TENSOR:
        TRY(ort_value_tensor(j->reference->ort, v, d, t));
        *count = tensor_count(t);
        return O2W_OK;
    case ORT_SEQUENCE:
    case ORT_MAP:
        TRY(ort_value_count(j->reference->ort, v, d, &items));
        *count = items;
        return O2W_OK;
    case ORT_OPTIONAL: return O2W_OK;
    case ORT_OTHER: *count = 1; return O2W_OK;
    }
    return O2W_OK;
}

o2w_status judge_missing(const struct judged *j, struct diags *d)
{
    for (uint32_t i = 0; i < j->source->output_count; i++) {
        uint64_t count;
        struct tensor t;
        char shape[200];
        if (j->map->output_of[i] != NO_PORT)
            continue;
        TRY(left_out_count(j, i, d, &count, &t));
        if (!count)
            continue;
        dims_text(t.dims, t.rank, shape, sizeof shape);
        return diag_error(d, DIAG_MAP_OUTPUT_MISSING,
                          "the graph has no output '%s', which the reference gives with shape %s",
                          j->source->outputs[i], shape);
    }
    return O2W_OK;
}

/* --- one output --------------------------------------------------------------------------------------- */

/* Indices of labels against strings. */
static o2w_status compare_strings(const struct judged *j, uint32_t output, const struct tensor *got,
                                  const struct graph_labels *l, struct diags *d, struct figures *f)
{
    ort_value *v = j->reference->values[output];
    *f = (struct figures){ .count = tensor_count(got), .cosine = 1 };
    for (uint64_t i = 0; i < f->count; i++) {
        struct span text, label = SPAN("no label");
        int64_t index = tensor_get_i64(got, i);
        TRY(ort_value_string(j->reference->ort, v, i, j->arena, d, &text));
        bool known = index >= 0 && index < l->count;
        if (known)
            label = label_text(j, l, (uint32_t)index);
        if (known && span_equal(label, text))
            continue;
        f->outside++;
        f->max_abs = f->max_normalized = (double)INFINITY;
        if (f->first_count == FIRST_DIFFERENCES)
            continue;
        struct difference *to = &f->first[f->first_count++];
        *to = (struct difference){ .index = i, .absolute = (double)INFINITY };
        text_format(to->reference, sizeof to->reference, "'%.*s'", SPAN_ARG(text));
        text_format(to->got, sizeof to->got, "'%.*s'", SPAN_ARG(label));
    }
    return O2W_OK;
}

static o2w_status compare_seen(const struct judged *j, uint32_t output, uint32_t port,
                               const struct seen *s, const struct tensor *got, struct diags *d,
                               const struct tolerance *allowed, struct figures *f)
{
    if (s->tensor.dtype == DTYPE_STRING)
        return compare_strings(j, output, got, labels_of(j, port), d, f);
    compare_values(&s->tensor, got, allowed, f);
    return O2W_OK;
}

static bool comparable(const struct judged *j, uint32_t port, const struct tensor *reference,
                       enum dtype got)
{
    if (reference->dtype == DTYPE_STRING)
        return labels_of(j, port) && (got == DTYPE_INT64 || got == DTYPE_INT32);
    return reference->dtype < DTYPE_COUNT && carry_has_pair(reference->dtype, got);
}

/* The axis along which a bounded output was padded: where the sizes differ, else where there are `rows`. */
static uint32_t padded_axis(const struct tensor *got, const struct tensor *reference, int64_t rows)
{
    uint32_t axis = 0;
    for (uint32_t i = got->rank; got->rank == reference->rank && i-- > 0;)
        if (reference->dims[i] == rows)
            axis = i;
    for (uint32_t i = 0; got->rank == reference->rank && i < got->rank; i++)
        if (got->dims[i] != reference->dims[i])
            axis = i;
    return axis;
}

/* The first `count` slices along an axis, packed. */
static o2w_status cut_axis(struct arena *a, struct tensor *t, uint32_t axis, int64_t count,
                           struct diags *d)
{
    struct tensor cut;
    int64_t dims[MAX_RANK];
    uint64_t outer = 1, run = dtype_info(t->dtype)->bits / 8;
    memcpy(dims, t->dims, t->rank * sizeof *dims);
    dims[axis] = count;
    for (uint32_t i = 0; i < t->rank; i++)
        *(i < axis ? &outer : &run) *= i == axis ? 1 : (uint64_t)t->dims[i];
    if (tensor_new(a, t->dtype, dims, t->rank, &cut) != O2W_OK)
        return diag_memory(d);
    for (uint64_t i = 0; i < outer && count; i++)
        memcpy((uint8_t *)cut.data + i * run * (uint64_t)count,
               (const uint8_t *)t->data + i * run * (uint64_t)t->dims[axis], run * (uint64_t)count);
    *t = cut;
    return O2W_OK;
}

/* A bounded output holds its rows first; how many there are is an output of its own. */
static o2w_status cut_rows(const struct judged *j, uint32_t output, const struct tensor *reference,
                           struct tensor *got, struct report_output *o, struct diags *d)
{
    uint32_t port = j->map->count_of[output];
    if (port == NO_PORT)
        return O2W_OK;
    const struct tensor *count = &j->outputs[port].tensor;
    int64_t rows = tensor_count(count) ? tensor_get_i64(count, 0) : -1;
    uint32_t axis = padded_axis(got, reference, rows);
    int64_t wanted = reference->rank == got->rank && got->rank ? reference->dims[axis] : -1;
    if (rows == wanted && rows >= 0 && rows <= got->dims[axis])
        return cut_axis(j->arena, got, axis, rows, d);
    o->kind = MISMATCH_VALUE;
    o->detail = arena_printf(j->arena, "%lld rows, the reference has %lld", (long long)rows,
                             (long long)wanted);
    return o->detail ? O2W_OK : diag_memory(d);
}

static void describe(const struct judged *j, uint32_t output, uint32_t port, const struct seen *s,
                     const struct tensor *got, struct report_output *o)
{
    *o = (struct report_output){ .name = j->source->outputs[output],
                                 .type = s->type,
                                 .rank = got->rank,
                                 .reference_rank = s->tensor.rank };
    o->graph_name = arena_text(j->arena, j->map->outputs[port].name);
    memcpy(o->dims, got->dims, sizeof o->dims);
    memcpy(o->reference_dims, s->tensor.dims, sizeof o->reference_dims);
    if (s->tensor.dtype < DTYPE_COUNT) {
        o->allowed = j->tolerances->by_dtype[s->tensor.dtype];
        o->custom = j->tolerances->custom[s->tensor.dtype];
    }
}

static o2w_status judge_output(const struct judged *j, uint32_t output, uint32_t port,
                               struct diags *d, struct report_output *o)
{
    struct seen s;
    struct tensor got = j->outputs[port].tensor;
    TRY(see(j, output, port, d, &s));
    describe(j, output, port, &s, &got, o);
    if (!comparable(j, port, &s.tensor, got.dtype)) {
        o->kind = MISMATCH_DTYPE;
        o->detail = arena_printf(j->arena, "%s of the graph cannot be compared with %s",
                                 dtype_name(got.dtype), s.type);
        return o->detail ? O2W_OK : diag_memory(d);
    }
    TRY(cut_rows(j, output, &s.tensor, &got, o, d));
    if (o->kind != MISMATCH_NONE)
        return O2W_OK;
    memcpy(o->dims, got.dims, sizeof o->dims);
    if (got.rank != s.tensor.rank || !dims_equal(got.dims, s.tensor.dims, got.rank)) {
        o->kind = MISMATCH_SHAPE;
        return O2W_OK;
    }
    TRY(compare_seen(j, output, port, &s, &got, d, &o->allowed, &o->figures));
    o->kind = o->figures.outside ? MISMATCH_VALUE : MISMATCH_NONE;
    return O2W_OK;
}

o2w_status judge_outputs(const struct judged *j, struct diags *d, struct report_run *run)
{
    run->outputs = ARENA_ARRAY(j->arena, j->source->output_count, struct report_output);
    if (!run->outputs)
        return diag_memory(d);
    run->output_count = j->source->output_count;
    for (uint32_t i = 0; i < j->source->output_count; i++) {
        struct report_output *o = &run->outputs[i];
        uint32_t port = j->map->output_of[i];
        if (port == NO_PORT) {
            *o = (struct report_output){ .name = j->source->outputs[i], .empty = true };
            continue;
        }
        TRY(judge_output(j, i, port, d, o));
        run->compared++;
        run->failed += o->kind != MISMATCH_NONE;
    }
    run->passed = run->failed == 0;
    return O2W_OK;
}

o2w_status judge_published(const struct judged *j, struct diags *d, struct report_run *run)
{
    for (uint32_t i = 0; i < run->output_count; i++) {
        struct report_output *o = &run->outputs[i];
        uint32_t port = j->map->output_of[i];
        struct seen s;
        if (port == NO_PORT || o->kind == MISMATCH_SHAPE || o->kind == MISMATCH_DTYPE || o->detail)
            continue;
        struct tensor got = j->outputs[port].tensor;
        memcpy(got.dims, o->dims, sizeof got.dims);
        TRY(see(j, i, port, d, &s));
        if (got.rank != s.tensor.rank || !dims_equal(got.dims, s.tensor.dims, got.rank))
            continue;
        TRY(compare_seen(j, i, port, &s, &got, d, &o->allowed, &o->published));
        o->has_published = true;
    }
    return O2W_OK;
}
