/* The catalog: everything is counted from the rows. */
#include "cli/cli.h"

#include <string.h>

struct operators_args {
    struct common_args common;
    bool markdown;
    struct text_list domains, names, statuses;
    const char *backend;
};

static const struct option_row operators_options[] = {
    OPT_SWITCH(struct operators_args, markdown, "markdown", .excludes = "json",
               .help = "as Markdown tables"),
    OPT_(struct operators_args, domains, "domain", OPTION_TEXTS, .metavar = "NAME",
         .help = "ai.onnx, ai.onnx.ml, com.microsoft; or webnn: operators by backend"),
    OPT_(struct operators_args, statuses, "status", OPTION_TEXTS, .metavar = "CLASS",
         .help = "direct, composed, static, bounded, refused or unknown"),
    OPT_(struct operators_args, names, "op", OPTION_TEXTS, .metavar = "NAME",
         .help = "one operator with its inputs, attributes and notes"),
    OPT_NAME(struct operators_args, backend, "backend", "NAME",
             .help = "whose tested cases are counted"),
    COMMON_OPTIONS(struct operators_args),
    COMMON_JSON(struct operators_args),
};

static const char *const class_words[] = { "direct",  "composed", "static",
                                           "bounded", "refused",  "unknown" };
enum { CLASS_COUNT = sizeof class_words / sizeof *class_words };

/* --- selection ------------------------------------------------------------------------------------------- */

static bool listed(const struct text_list *list, const char *word)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], word) == 0)
            return true;
    return list->count == 0;
}

/* The next selected row from *index on. */
static bool next_row(const struct operators_args *a, size_t *index, o2w_operator_info *row)
{
    for (; o2w_operator_at(*index, row); ++*index)
        if (listed(&a->domains, row->domain) && listed(&a->names, row->name) &&
            listed(&a->statuses, class_words[row->op_class]))
            return true;
    return false;
}

static const char *range(struct cli *c, const o2w_operator_info *row)
{
    const char *text = !row->until ? arena_printf(&c->arena, "%d+", row->since)
                       : row->until == row->since
                           ? arena_printf(&c->arena, "%d", row->since)
                           : arena_printf(&c->arena, "%d-%d", row->since, row->until);
    return text ? text : "";
}

static const char *coverage(const o2w_operator_info *row)
{
    if (row->op_class >= O2W_CLASS_REFUSED)
        return "-";
    return row->partial ? "partial" : "full";
}

/* Notes, and what the row refuses. */
static const char *remark(struct cli *c, const o2w_operator_info *row)
{
    const char *own = row->reason ? row->reason : row->notes ? row->notes : "";
    const char *text = row->refused ? arena_printf(&c->arena, "%s%srefused: %s", own,
                                                   *own ? "; " : "", row->refused)
                                    : own;
    return text ? text : "";
}

/* --- text ------------------------------------------------------------------------------------------------- */

enum { COLUMNS = 9 };

static void fill_cells(struct cli *c, const struct operators_args *a, size_t index,
                       const o2w_operator_info *row, const char *cells[COLUMNS])
{
    cells[0] = row->domain;
    cells[1] = row->name;
    cells[2] = range(c, row);
    cells[3] = class_words[row->op_class];
    cells[4] = coverage(row);
    cells[5] = arena_printf(&c->arena, "%u", o2w_operator_tested(index, a->backend));
    cells[6] = arena_printf(&c->arena, "%u", row->cells.unhandled);
    cells[7] = row->webnn ? row->webnn : "";
    cells[8] = remark(c, row);
    for (int i = 0; i < COLUMNS; i++)
        cells[i] = cells[i] ? cells[i] : "";
}

static void print_cells(struct cli *c, const char *const cells[COLUMNS], const int widths[COLUMNS])
{
    int last = COLUMNS - 1;
    while (last > 0 && !*cells[last])
        last--;
    for (int i = 0; i < last; i++)
        cli_print(c, "%-*s  ", widths[i], cells[i]);
    cli_print(c, "%s\n", cells[last]);
}

static void print_slots(struct cli *c, size_t index, bool inputs)
{
    o2w_operator_slot s;
    for (size_t k = 0;
         inputs ? o2w_operator_input(index, k, &s) : o2w_operator_output(index, k, &s); k++)
        cli_print(c, "  %s %s%s%s%s%s\n", inputs ? "input" : "output", s.name,
                  s.variadic   ? "..."
                  : s.required ? ""
                               : " (optional)",
                  s.known ? ", known" : "", *s.data_types ? ": " : "", s.data_types);
}

static void print_details(struct cli *c, size_t index, const o2w_operator_info *row)
{
    o2w_operator_attribute at;
    print_slots(c, index, true);
    print_slots(c, index, false);
    for (size_t k = 0; o2w_operator_attribute_at(index, k, &at); k++)
        cli_print(c, "  attribute %s: %s%s%s%s%s\n", at.name, at.type,
                  at.required ? ", required" : "", at.ignored ? ", without effect" : "",
                  at.allowed ? ", one of " : "", at.allowed ? at.allowed : "");
    cli_print(c, "  cells: %u honoured, %u refused, %u unhandled\n", row->cells.honoured,
              row->cells.refused, row->cells.unhandled);
}

static void print_text(struct cli *c, const struct operators_args *a)
{
    static const char *const head[COLUMNS] = { "domain", "operator",  "opsets", "class", "coverage",
                                               "tested", "unhandled", "WebNN",  "notes" };
    const char *cells[COLUMNS];
    int widths[COLUMNS];
    o2w_operator_info row;
    for (int i = 0; i < COLUMNS; i++)
        widths[i] = (int)strlen(head[i]);
    for (size_t i = 0; next_row(a, &i, &row); i++) {
        fill_cells(c, a, i, &row, cells);
        for (int k = 0; k < COLUMNS; k++)
            widths[k] = (int)strlen(cells[k]) > widths[k] ? (int)strlen(cells[k]) : widths[k];
    }
    print_cells(c, head, widths);
    for (size_t i = 0; next_row(a, &i, &row); i++) {
        fill_cells(c, a, i, &row, cells);
        print_cells(c, cells, widths);
        if (a->names.count)
            print_details(c, i, &row);
    }
}

static void print_summary(struct cli *c, const o2w_domain_info *d)
{
    uint32_t supported = d->full + d->partial;
    cli_print(c,
              "%s: %u operators, %u supported (%.1f%%): %u direct, %u composed, %u static, "
              "%u bounded; %u full, %u partial; %u refused",
              d->domain, d->total, supported, d->total ? 100.0 * supported / d->total : 0.0,
              d->by_class[O2W_CLASS_DIRECT], d->by_class[O2W_CLASS_COMPOSED],
              d->by_class[O2W_CLASS_STATIC], d->by_class[O2W_CLASS_BOUNDED], d->full, d->partial,
              d->by_class[O2W_CLASS_REFUSED]);
    if (d->by_class[O2W_CLASS_UNKNOWN])
        cli_print(c, "; %u unknown", d->by_class[O2W_CLASS_UNKNOWN]);
    cli_print(c, "\n");
}

/* --- Markdown --------------------------------------------------------------------------------------------- */

/* A cell must not end its column. */
static const char *escaped(struct cli *c, const char *text)
{
    if (!strchr(text, '|'))
        return text;
    char *copy = arena_alloc(&c->arena, strlen(text) * 2 + 1, 1);
    for (char *to = copy; copy && *text; text++) {
        if (*text == '|')
            *to++ = '\\';
        *to++ = *text;
    }
    return copy ? copy : "";
}

static void print_markdown(struct cli *c, const struct operators_args *a)
{
    o2w_operator_info row;
    const char *domain = "", *cells[COLUMNS];
    cli_print(c, "# Operators\n\nWhat each ONNX operator becomes. Written by `onnx2webnn operators "
                 "--markdown`.\n");
    for (size_t i = 0; next_row(a, &i, &row); i++) {
        if (strcmp(domain, row.domain) != 0)
            cli_print(c,
                      "\n## %s\n\n| operator | opsets | class | coverage | tested | unhandled | "
                      "WebNN | notes |\n|---|---|---|---|---|---|---|---|\n",
                      row.domain);
        domain = row.domain;
        fill_cells(c, a, i, &row, cells);
        for (int k = 1; k < COLUMNS; k++)
            cli_print(c, "| %s ", escaped(c, cells[k]));
        cli_print(c, "|\n");
    }
    cli_print(c, "\n## Summary\n\n");
}

/* --- document ---------------------------------------------------------------------------------------------- */

static void put_text(struct json_writer *w, const char *key, const char *text)
{
    json_key(w, key);
    json_put_text(w, text);
}

static void put_number(struct json_writer *w, const char *key, uint64_t v)
{
    json_key(w, key);
    json_put_u64(w, v);
}

static void put_cells(struct json_writer *w, const o2w_cells *cells)
{
    json_key(w, "cells");
    json_open(w, '{');
    put_number(w, "honoured", cells->honoured);
    put_number(w, "refused", cells->refused);
    put_number(w, "unhandled", cells->unhandled);
    json_close(w, '}');
}

static void put_domain(struct json_writer *w, const o2w_domain_info *d)
{
    json_open(w, '{');
    put_text(w, "domain", d->domain);
    put_number(w, "opset", (uint64_t)d->opset);
    put_number(w, "total", d->total);
    for (int i = 0; i < CLASS_COUNT; i++)
        put_number(w, class_words[i], d->by_class[i]);
    put_number(w, "full", d->full);
    put_number(w, "partial", d->partial);
    put_number(w, "unhandled", d->cells.unhandled);
    put_number(w, "tested", d->tested);
    put_cells(w, &d->cells);
    json_close(w, '}');
}

static void put_slots(struct json_writer *w, size_t index, bool inputs)
{
    o2w_operator_slot s;
    json_key(w, inputs ? "inputs" : "outputs");
    json_open(w, '[');
    for (size_t k = 0;
         inputs ? o2w_operator_input(index, k, &s) : o2w_operator_output(index, k, &s); k++) {
        json_open(w, '{');
        put_text(w, "name", s.name);
        put_text(w, "option", s.variadic ? "variadic" : s.required ? "required" : "optional");
        json_key(w, "known");
        json_put_bool(w, s.known);
        put_text(w, "dataTypes", s.data_types);
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void put_attributes(struct json_writer *w, size_t index)
{
    o2w_operator_attribute at;
    json_key(w, "attributes");
    json_open(w, '[');
    for (size_t k = 0; o2w_operator_attribute_at(index, k, &at); k++) {
        json_open(w, '{');
        put_text(w, "name", at.name);
        put_text(w, "type", at.type);
        json_key(w, "required");
        json_put_bool(w, at.required);
        put_text(w, "allowed", at.allowed);
        json_close(w, '}');
    }
    json_close(w, ']');
}

/* "a, b" as a list. */
static void put_list(struct json_writer *w, const char *key, const char *text)
{
    json_key(w, key);
    json_open(w, '[');
    while (text && *text) {
        size_t size = strcspn(text, ",");
        json_put_string(w, span_trim((struct span){ (const uint8_t *)text, size }));
        text += size + (text[size] == ',');
    }
    json_close(w, ']');
}

static void put_row(struct cli *c, const struct operators_args *a, size_t index,
                    const o2w_operator_info *row)
{
    struct json_writer *w = &c->json;
    json_open(w, '{');
    put_text(w, "domain", row->domain);
    put_text(w, "name", row->name);
    put_number(w, "since", (uint64_t)row->since);
    json_key(w, "until");
    if (row->until)
        json_put_i64(w, row->until);
    else
        json_put_null(w);
    put_text(w, "class", class_words[row->op_class]);
    put_text(w, "coverage", coverage(row));
    put_list(w, "webnn", row->webnn);
    put_text(w, "notes", remark(c, row));
    put_slots(w, index, true);
    put_slots(w, index, false);
    put_attributes(w, index);
    put_number(w, "tested", o2w_operator_tested(index, a->backend));
    put_cells(w, &row->cells);
    json_close(w, '}');
}

/* --- WebNN's side: operator by backend ------------------------------------------------------------------- */

/* The names in a document of limits. */
static o2w_status read_names(struct json_reader *r, bool found[WEBNN_OPERATOR_COUNT])
{
    struct json_value v;
    TRY(json_next(r, &v));
    for (;;) {
        TRY(json_next(r, &v));
        if (v.kind == JSON_END)
            return O2W_OK;
        for (unsigned k = 0; k < WEBNN_OPERATOR_COUNT; k++)
            found[k] |= span_is(v.key, webnn_operator_name((enum webnn_operator)k));
        TRY(json_skip(r, &v));
    }
}

static void accepted_by(struct cli *c, const char *backend, bool found[WEBNN_OPERATOR_COUNT])
{
    char *text = NULL;
    struct json_reader r;
    if (webnn_backend_limits_json(backend, &text, NULL) != O2W_OK ||
        json_begin(&r, span_of(text), SPAN("limits"), &c->arena, NULL) != O2W_OK ||
        read_names(&r, found) != O2W_OK)
        c->failed = true;
    webnn_text_free(text);
}

static void show_webnn(struct cli *c, const struct operators_args *a)
{
    size_t count;
    const webnn_backend_info *all = webnn_backends(&count);
    bool(*accepted)[WEBNN_OPERATOR_COUNT] = arena_alloc(&c->arena, count * sizeof *accepted, 1);
    if (!accepted) {
        c->failed = true;
        return;
    }
    cli_print(c, "%-22s", "operator");
    for (size_t b = 0; b < count; b++) {
        accepted_by(c, all[b].name, accepted[b]);
        cli_print(c, "  %s", all[b].name);
    }
    cli_print(c, "\n");
    for (unsigned k = 0; k < WEBNN_OPERATOR_COUNT; k++) {
        const char *name = webnn_operator_name((enum webnn_operator)k);
        if (!listed(&a->names, name))
            continue;
        cli_print(c, "%-22s", name);
        json_open(&c->json, '{');
        put_text(&c->json, "domain", "webnn");
        put_text(&c->json, "name", name);
        json_key(&c->json, "backends");
        json_open(&c->json, '[');
        for (size_t b = 0; b < count; b++) {
            cli_print(c, "  %-*s", (int)strlen(all[b].name), accepted[b][k] ? "yes" : "-");
            if (accepted[b][k])
                json_put_text(&c->json, all[b].name);
        }
        json_close(&c->json, ']');
        json_close(&c->json, '}');
        cli_print(c, "\n");
    }
}

/* --- the command ------------------------------------------------------------------------------------------- */

static const char *wrong_status(const struct operators_args *a)
{
    for (size_t i = 0; i < a->statuses.count; i++) {
        bool known = false;
        for (int k = 0; k < CLASS_COUNT; k++)
            known |= strcmp(class_words[k], a->statuses.items[i]) == 0;
        if (!known)
            return a->statuses.items[i];
    }
    return NULL;
}

static void show_domains(struct cli *c, const struct operators_args *a)
{
    o2w_domain_info d;
    json_key(&c->json, "domains");
    json_open(&c->json, '[');
    for (size_t i = 0; o2w_domain_at(i, a->backend, &d); i++) {
        if (!listed(&a->domains, d.domain))
            continue;
        print_summary(c, &d);
        if (a->markdown)
            cli_print(c, "\n");
        put_domain(&c->json, &d);
    }
    json_close(&c->json, ']');
}

static void show_rows(struct cli *c, const struct operators_args *a)
{
    o2w_operator_info row;
    for (size_t i = 0; next_row(a, &i, &row); i++)
        put_row(c, a, i, &row);
}

static int run_operators(struct cli *c, const void *args, const struct text_list *positionals)
{
    const struct operators_args *a = args;
    const char *wrong = wrong_status(a);
    bool webnn = a->domains.count && listed(&a->domains, "webnn");
    (void)positionals;
    if (wrong)
        return cli_usage(c, NULL,
                         "option '--status' is '%s', must be one of direct, composed, static, "
                         "bounded, refused, unknown",
                         wrong);
    CLI_TRY(c, cli_check_backend(c, a->backend, false));
    bool onnx = !webnn || a->domains.count > 1;
    if (onnx && a->markdown)
        print_markdown(c, a);
    else if (onnx)
        print_text(c, a);
    cli_print(c, onnx && !a->markdown ? "\n" : "");
    show_domains(c, a);
    json_key(&c->json, "operators");
    json_open(&c->json, '[');
    show_rows(c, a);
    if (webnn)
        show_webnn(c, a);
    json_close(&c->json, ']');
    return cli_finish(c, "listed", 0);
}

const struct command command_operators = { .name = "operators",
                                           .summary =
                                               "catalog of the operators, counted from the code",
                                           ROWS(operators_options),
                                           .args_size = sizeof(struct operators_args),
                                           .run = run_operators };
