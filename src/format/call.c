/* Calls: operands and options found, dialects undone, recorded with the builder. */
#include "format/call.h"
#include "format/mangle.h"

#include "base/number.h"
#include "base/text.h"

#include <string.h>

enum { SHOWN = 200, MAX_VARIADIC = 8192, MAX_OPTIONS = 64 };

/* ---- messages ---- */

o2w_status call_at(const struct call *c, struct place at, o2w_status status)
{
    if (status == O2W_OK)
        return O2W_OK;
    diag_subject(c->loader->diags, "node",
                 c->node->target_count ? c->node->targets[0].name : SPAN(""));
    return loader_at(c->loader, at, status);
}

o2w_status call_note(const struct call *c, struct place at, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    text_vformat(text, sizeof text, format, args);
    va_end(args);
    return loader_note(c->loader, at, "%.*s: %s", SPAN_ARG(c->name), text);
}

static size_t put(char *text, size_t at, const char *format, struct span s)
{
    int n = text_format(text + at, SHOWN - at, format, SPAN_ARG(s));
    return n < 0 || (size_t)n >= SHOWN - at ? SHOWN - 1 : at + (size_t)n;
}

/* The value as it may stand in a message, cut where it gets long. */
static void print_value(const struct doc_value *v, char text[SHOWN])
{
    size_t at = 0, commas = 0;
    text[0] = '\0';
    if (v->kind == DOC_ARRAY) {
        const struct doc_value *item = v + 1;
        for (uint32_t i = 0; i < v->size && at < SHOWN - 1; i++, item = doc_next(item)) {
            struct span shown =
                item->kind == DOC_ARRAY || item->kind == DOC_OBJECT ? SPAN("…") : doc_text(item);
            at = put(text, at, commas++ ? ", %.*s" : "[%.*s", shown);
        }
        put(text, at, "%.*s", v->size ? SPAN("]") : SPAN("[]"));
    } else if (v->kind == DOC_STRING || v->kind == DOC_WORD) {
        put(text, 0, "'%.*s'", doc_text(v));
    } else {
        put(text, 0, "%.*s", v->kind == DOC_NUMBER ? doc_text(v) : span_of(doc_kind_text(v->kind)));
    }
}

o2w_status call_wrong_type(const struct call *c, const struct argument *a, const char *wanted)
{
    struct diags *d = c->loader->diags;
    const char *found = doc_kind_text(a->value->kind == DOC_WORD ? DOC_STRING : a->value->kind);
    char text[SHOWN];
    print_value(a->value, text);
    bool show = a->value->kind == DOC_NUMBER ||
                (a->value->kind == DOC_ARRAY && strncmp(wanted, "an array", 8) == 0);
    return call_at(c, a->place,
                   diag_error(d, DIAG_OP_OPTION_TYPE, "%.*s.%.*s must be %s, found %s%s%s",
                              SPAN_ARG(c->name), SPAN_ARG(a->key), wanted, found, show ? " " : "",
                              show ? text : ""));
}

o2w_status call_wrong_value(const struct call *c, const struct argument *a, const char *format, ...)
{
    char allowed[512], text[SHOWN];
    va_list args;
    va_start(args, format);
    text_vformat(allowed, sizeof allowed, format, args);
    va_end(args);
    print_value(a->value, text);
    return call_at(c, a->place,
                   diag_error(c->loader->diags, DIAG_OP_OPTION_VALUE,
                              "%.*s.%.*s = %s: allowed are %s", SPAN_ARG(c->name), SPAN_ARG(a->key),
                              text, allowed));
}

/* ---- access for dialects ---- */

struct argument *call_option(const struct call *c, const char *key)
{
    for (size_t i = 0; i < c->option_count; i++)
        if (!c->options[i].used && span_is(c->options[i].key, key))
            return &c->options[i];
    return NULL;
}

o2w_status call_operand(const struct call *c, const struct argument *a, operand_id *out)
{
    if (a->value->kind == DOC_NUMBER) {
        o2w_status status = call_wrong_type(c, a, "the name of an operand");
        diag_hint(c->loader->diags,
                  "an operand index; written by an old version, can't be resolved");
        return status;
    }
    if (a->value->kind != DOC_STRING && a->value->kind != DOC_WORD)
        return call_wrong_type(c, a, "the name of an operand");
    return call_at(c, a->place, scope_find(&c->loader->scope, doc_text(a->value), a->place, out));
}

void *call_attribute(struct call *c, const char *name)
{
    const struct attribute_row *row = attribute_by_name(c->row, span_of(name));
    c->given |= 1u << (row - c->row->attributes);
    return c->attributes + row->offset;
}

void call_descriptor(const struct call *c, size_t operand, struct descriptor *out)
{
    graph_descriptor(loader_graph(c->loader), c->operands[operand], out);
}

/* ---- the parts of a call ---- */

static o2w_status duplicate(const struct call *c, const struct doc_argument *a,
                            const struct argument *first)
{
    return call_at(c, a->place,
                   diag_error(c->loader->diags, DIAG_TEXT_DUPLICATE,
                              "'%.*s' is already declared as option at line %u", SPAN_ARG(a->key),
                              first->place.line));
}

static const struct doc_argument *arguments_of(const struct call *c)
{
    return c->node->argument_count ? &c->loader->doc->arguments.items[c->node->first_argument]
                                   : NULL;
}

static o2w_status collect_options(struct call *c)
{
    struct loader *l = c->loader;
    const struct doc_argument *arguments = arguments_of(c);
    l->arguments.count = 0;
    for (uint32_t i = 0; i < c->node->argument_count; i++) {
        const struct doc_argument *a = &arguments[i];
        if (!a->key.data)
            continue;
        if (l->arguments.count == MAX_OPTIONS)
            return call_at(c, a->place,
                           diag_error(l->diags, DIAG_LIMIT,
                                      "options of %.*s %d exceeds the limit %d", SPAN_ARG(c->name),
                                      MAX_OPTIONS + 1, MAX_OPTIONS));
        for (size_t j = 0; j < l->arguments.count; j++)
            if (span_equal(l->arguments.items[j].key, a->key))
                return duplicate(c, a, &l->arguments.items[j]);
        struct argument option = { .key = a->key,
                                   .place = a->place,
                                   .value = &l->doc->values.items[a->value] };
        if (!VEC_PUSH(&l->arguments, option))
            return diag_memory(l->diags);
    }
    c->options = l->arguments.items;
    c->option_count = l->arguments.count;
    return O2W_OK;
}

static o2w_status push_operand(struct call *c, const struct doc_argument *a,
                               const struct doc_value *v, size_t index)
{
    struct loader *l = c->loader;
    operand_id id;
    if (v->kind != DOC_STRING && v->kind != DOC_WORD)
        return call_at(c, a->place,
                       diag_error(l->diags, DIAG_TEXT_POSITIONAL,
                                  "argument %zu of %.*s must be an operand name, found %s",
                                  index + 1, SPAN_ARG(c->name), doc_kind_text(v->kind)));
    if (l->operands.count == MAX_VARIADIC)
        return call_at(c, a->place,
                       diag_error(l->diags, DIAG_LIMIT, "operands of %.*s %d exceeds the limit %d",
                                  SPAN_ARG(c->name), MAX_VARIADIC + 1, MAX_VARIADIC));
    TRY(call_at(c, a->place, scope_find(&l->scope, doc_text(v), a->place, &id)));
    return VEC_PUSH(&l->operands, id) ? O2W_OK : diag_memory(l->diags);
}

o2w_status call_collect_operands(struct call *c)
{
    struct loader *l = c->loader;
    const struct doc_argument *arguments = arguments_of(c);
    l->operands.count = 0;
    for (uint32_t i = 0, index = 0; i < c->node->argument_count; i++) {
        const struct doc_argument *a = &arguments[i];
        if (a->key.data)
            continue;
        const struct doc_value *v = &l->doc->values.items[a->value];
        if (v->kind != DOC_ARRAY) {
            TRY(push_operand(c, a, v, index));
        } else {
            const struct doc_value *item = v + 1;
            for (uint32_t j = 0; j < v->size; j++, item = doc_next(item))
                TRY(push_operand(c, a, item, index));
        }
        index++;
    }
    if (!VEC_RESERVE(&l->operands, MAX_SLOTS))
        return diag_memory(l->diags);
    c->operands = l->operands.items;
    c->operand_count = l->operands.count;
    return O2W_OK;
}

/* ---- options ---- */

static o2w_status read_label(struct call *c, const struct argument *a)
{
    if (a->value->kind != DOC_STRING && a->value->kind != DOC_WORD)
        return call_wrong_type(c, a, "a string");
    c->label = name_cut(doc_text(a->value));
    return O2W_OK;
}

static bool find_slot(const struct operator_row *row, struct span key, uint32_t *slot)
{
    for (uint32_t i = 0; i < row->operand_count; i++)
        if (row->operands[i].named && span_is(key, row->operands[i].name)) {
            *slot = i;
            return true;
        }
    return false;
}

static const char *nearest_option(const struct operator_row *row, struct span key)
{
    const char *best = NULL;
    size_t least = 4;
    for (uint32_t i = 0; i < row->attribute_count + row->operand_count && key.size <= 64; i++) {
        bool slot = i >= row->attribute_count;
        const char *name =
            slot ? row->operands[i - row->attribute_count].name : row->attributes[i].name;
        size_t distance = slot && !row->operands[i - row->attribute_count].named
                              ? SIZE_MAX
                              : text_distance(key, span_of(name));
        if (distance < least && distance < key.size) {
            least = distance;
            best = name;
        }
    }
    return best;
}

static o2w_status unknown_option(const struct call *c, const struct argument *a)
{
    struct diags *d = c->loader->diags;
    const char *near = nearest_option(c->row, a->key);
    const char *before = near ? " (did you mean '" : "", *after = near ? "'?)" : "";
    if (c->loader->options->note_unknown_options)
        return doc_at(c->loader->doc, d, a->place,
                      diag_note(d, DIAG_OP_OPTION_UNKNOWN, "%.*s has no option '%.*s'%s%s%s",
                                SPAN_ARG(c->name), SPAN_ARG(a->key), before, near ? near : "",
                                after));
    return call_at(c, a->place,
                   diag_error(d, DIAG_OP_OPTION_UNKNOWN, "%.*s has no option '%.*s'%s%s%s",
                              SPAN_ARG(c->name), SPAN_ARG(a->key), before, near ? near : "",
                              after));
}

static o2w_status read_option(struct call *c, const struct argument *a)
{
    const struct attribute_row *row = attribute_by_name(c->row, a->key);
    uint32_t slot;
    if (row) {
        if (argument_is_absent(a, !row->empty_means_none))
            return O2W_OK;
        c->given |= 1u << (row - c->row->attributes);
        return call_read_attribute(c, row, a);
    }
    if (find_slot(c->row, a->key, &slot)) {
        if (argument_is_absent(a, true))
            return O2W_OK;
        operand_id positional = c->named[slot];
        TRY(call_operand(c, a, &c->named[slot]));
        if (positional == NO_ID || positional == c->named[slot])
            return O2W_OK;
        return call_wrong_value(c, a, "the operand that is given by position too");
    }
    if (span_is(a->key, "label"))
        return argument_is_absent(a, true) ? O2W_OK : read_label(c, a);
    return unknown_option(c, a);
}

static o2w_status missing_option(struct call *c, const struct attribute_row *row)
{
    struct diags *d = c->loader->diags;
    if (strcmp(row->name, "axis") == 0)
        return doc_at(c->loader->doc, d, c->node->place,
                      diag_note(d, DIAG_OP_OPTION_MISSING, "%.*s needs 'axis': 0 is taken",
                                SPAN_ARG(c->name)));
    o2w_status status =
        diag_error(d, DIAG_OP_OPTION_MISSING, "%.*s needs '%s'", SPAN_ARG(c->name), row->name);
    if (strcmp(row->name, "resetAfter") == 0)
        diag_hint(d, "true is WebNN's default, false is what rustnn assumes");
    return call_at(c, c->node->place, status);
}

static o2w_status read_options(struct call *c)
{
    for (size_t i = 0; i < c->option_count; i++)
        if (!c->options[i].used)
            TRY(read_option(c, &c->options[i]));
    for (uint32_t i = 0; i < c->row->attribute_count; i++)
        if (c->row->attributes[i].required && !(c->given >> i & 1))
            TRY(missing_option(c, &c->row->attributes[i]));
    return O2W_OK;
}

/* ---- recording ---- */

static o2w_status check_arity(const struct call *c)
{
    uint32_t wanted = 0;
    bool variadic = false;
    for (uint32_t i = 0; i < c->row->operand_count; i++) {
        variadic = variadic || c->row->operands[i].kind == SLOT_VARIADIC;
        wanted += !c->row->operands[i].named;
    }
    if (c->operand_count == wanted || (variadic && c->operand_count >= wanted))
        return O2W_OK;
    return call_at(c, c->node->place,
                   diag_error(c->loader->diags, DIAG_TEXT_ARITY,
                              "%.*s takes %s%u operands, found %zu", SPAN_ARG(c->name),
                              variadic ? "at least " : "", wanted, c->operand_count));
}

/* The operands by slot: positional ones, then the named ones. */
static void place_named(struct call *c)
{
    for (uint32_t i = 0; i < c->row->operand_count; i++)
        if (c->row->operands[i].named)
            c->operands[c->operand_count++] = c->named[i];
}

static o2w_status wrong_results(const struct call *c, uint32_t count)
{
    return call_at(c, c->node->place,
                   diag_error(c->loader->diags, DIAG_TEXT_RESULTS,
                              "%.*s returns %u results, %u names given", SPAN_ARG(c->name), count,
                              c->node->target_count));
}

static o2w_status record(struct call *c)
{
    struct loader *l = c->loader;
    uint32_t count = builder_result_count(c->kind, c->attributes, 0);
    place_named(c);
    if (count > LIMIT_RESULTS)
        return wrong_results(c, count);
    TRY(call_at(c, c->node->place,
                builder_op(&l->builder, c->kind, c->operands, (uint32_t)c->operand_count,
                           c->attributes, c->label, l->results, &count)));
    if (count != c->node->target_count)
        return wrong_results(c, count);
    for (uint32_t i = 0; i < count; i++)
        TRY(loader_declare(l, c->node->targets[i], SCOPE_RESULT, l->results[i]));
    return O2W_OK;
}

static o2w_status unknown_operator(const struct call *c)
{
    const char *near = operator_nearest(c->name);
    struct diags *d = c->loader->diags;
    o2w_status status =
        near ? diag_error(d, DIAG_OP_UNKNOWN, "unknown operator '%.*s' (did you mean %s?)",
                          SPAN_ARG(c->name), near)
             : diag_error(d, DIAG_OP_UNKNOWN, "unknown operator '%.*s'", SPAN_ARG(c->name));
    return call_at(c, c->node->place, status);
}

o2w_status call_set_operator(struct call *c, enum webnn_operator kind)
{
    c->kind = kind;
    c->row = operator_row(kind);
    if (c->row->attribute_size > ATTRIBUTES_SIZE)
        return diag_error(c->loader->diags, DIAG_INTERNAL, "attributes of %s have %zu bytes",
                          c->row->name, c->row->attribute_size);
    for (int i = 0; i < MAX_SLOTS; i++)
        c->named[i] = NO_ID;
    memset(c->attributes, 0, ATTRIBUTES_SIZE);
    if (c->row->attribute_size > 0)
        memcpy(c->attributes, c->row->defaults, c->row->attribute_size);
    return O2W_OK;
}

o2w_status call_emit(const struct call *c, enum webnn_operator kind, const operand_id *operands,
                     uint32_t count, const void *attributes, operand_id *result)
{
    uint32_t results = 1;
    return call_at(c, c->node->place,
                   builder_op(&c->loader->builder, kind, operands, count, attributes, SPAN(""),
                              result, &results));
}

o2w_status load_node(struct loader *l, const struct doc_node *node)
{
    struct call c = {
        .loader = l, .node = node, .name = node->operator, .attributes = l->attributes };
    bool done = false;
    TRY(collect_options(&c));
    TRY(dialect_operator(&c, &done));
    if (done)
        return O2W_OK;
    if (!c.row) {
        enum webnn_operator kind;
        if (!operator_by_name(c.name, &kind))
            return unknown_operator(&c);
        TRY(call_set_operator(&c, kind));
        TRY(call_collect_operands(&c));
    }
    TRY(dialect_arguments(&c));
    TRY(read_options(&c));
    TRY(dialect_finish(&c));
    TRY(check_arity(&c));
    return record(&c);
}
