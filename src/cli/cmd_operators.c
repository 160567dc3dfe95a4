/* The catalog: everything is counted from the rows. */
#include "cli/cli.h"

#include <string.h>

struct operators_args {
    struct common_args common;
    bool markdown;
    struct text_list domains, names;
    unsigned status;
};

#define STATUS_WORDS "all|direct|composed|static|bounded|refused"

static const struct option_row operators_options[] = {
    OPT_SWITCH(struct operators_args, markdown, "markdown", .excludes = "json",
               .help = "as Markdown tables"),
    OPT_(struct operators_args, domains, "domain", OPTION_TEXTS, .metavar = "NAME",
         .help = "ai.onnx, com.microsoft, ai.onnx.ml"),
    OPT_CHOICE(struct operators_args, status, "status", STATUS_WORDS,
               .help = "only rows of this class"),
    OPT_(struct operators_args, names, "op", OPTION_TEXTS, .metavar = "NAME",
         .help = "one operator"),
    COMMON_OPTIONS(struct operators_args),
    COMMON_JSON(struct operators_args),
};

static const char *const class_words[] = { "direct", "composed", "static", "bounded", "refused" };

static bool listed(const struct text_list *list, const char *word)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], word) == 0)
            return true;
    return list->count == 0;
}

static bool selected(const struct operators_args *a, const o2w_operator_info *row)
{
    return listed(&a->domains, row->domain) && listed(&a->names, row->name) &&
           (a->status == 0 || a->status - 1 == (unsigned)row->op_class);
}

static const char *range(struct cli *c, const o2w_operator_info *row)
{
    const char *text = row->until ? arena_printf(&c->arena, "%d-%d", row->since, row->until)
                                  : arena_printf(&c->arena, "%d+", row->since);
    return text ? text : "";
}

static const char *coverage(const o2w_operator_info *row)
{
    if (row->op_class == O2W_CLASS_REFUSED)
        return "-";
    return row->partial ? "partial" : "full";
}

static const char *remark(const o2w_operator_info *row)
{
    return row->reason ? row->reason : row->notes ? row->notes : "";
}

struct widths {
    int domain, name, range, webnn;
};

static int wider(int a, const char *text)
{
    int size = text ? (int)strlen(text) : 0;
    return size > a ? size : a;
}

static struct widths measure(struct cli *c, const struct operators_args *a)
{
    struct widths w = { 6, 8, 6, 5 };
    o2w_operator_info row;
    for (size_t i = 0; o2w_operator_at(i, &row); i++) {
        if (!selected(a, &row))
            continue;
        w.domain = wider(w.domain, row.domain);
        w.name = wider(w.name, row.name);
        w.range = wider(w.range, range(c, &row));
        w.webnn = wider(w.webnn, row.webnn);
    }
    return w;
}

static void print_text(struct cli *c, const struct operators_args *a)
{
    struct widths w = measure(c, a);
    o2w_operator_info row;
    cli_print(c, "%-*s  %-*s  %-*s  %-8s  %-7s  %-*s  notes\n", w.domain, "domain", w.name,
              "operator", w.range, "opsets", "class", "coverage", w.webnn, "WebNN");
    for (size_t i = 0; o2w_operator_at(i, &row); i++)
        if (selected(a, &row))
            cli_print(c, "%-*s  %-*s  %-*s  %-8s  %-8s  %-*s  %s\n", w.domain, row.domain, w.name,
                      row.name, w.range, range(c, &row), class_words[row.op_class], coverage(&row),
                      w.webnn, row.webnn ? row.webnn : "", remark(&row));
}

static void print_markdown(struct cli *c, const struct operators_args *a)
{
    o2w_operator_info row;
    const char *domain = "";
    cli_print(
        c,
        "# Operators\n\nWhat each ONNX operator becomes. Written by `onnx2webnn operators --markdown`.\n");
    for (size_t i = 0; o2w_operator_at(i, &row); i++) {
        if (!selected(a, &row))
            continue;
        if (strcmp(domain, row.domain) != 0)
            cli_print(
                c,
                "\n## %s\n\n| operator | opsets | class | coverage | WebNN | notes |\n|---|---|---|---|---|---|\n",
                row.domain);
        domain = row.domain;
        cli_print(c, "| %s | %s | %s | %s | %s | %s |\n", row.name, range(c, &row),
                  class_words[row.op_class], coverage(&row), row.webnn ? row.webnn : "",
                  remark(&row));
    }
    cli_print(c, "\n");
}

/* Names of one domain, each counted once by its newest row. */
struct tally {
    const char *domain;
    unsigned names, partial, by_class[5];
};

static void add(struct tally *t, const o2w_operator_info *row)
{
    t->names++;
    t->by_class[row->op_class]++;
    t->partial += row->partial && row->op_class != O2W_CLASS_REFUSED;
}

static void put_tally(struct cli *c, const struct tally *t)
{
    unsigned supported = t->names - t->by_class[O2W_CLASS_REFUSED];
    if (!t->names)
        return;
    cli_print(
        c,
        "%s: %u operators with rows, %u supported: %u direct, %u composed, %u static, %u bounded; %u full, %u partial; %u refused\n",
        t->domain, t->names, supported, t->by_class[0], t->by_class[1], t->by_class[2],
        t->by_class[3], supported - t->partial, t->partial, t->by_class[4]);
    json_open(&c->json, '{');
    json_key(&c->json, "domain");
    json_put_text(&c->json, t->domain);
    json_key(&c->json, "total");
    json_put_u64(&c->json, t->names);
    for (int i = 0; i < 5; i++) {
        json_key(&c->json, class_words[i]);
        json_put_u64(&c->json, t->by_class[i]);
    }
    json_key(&c->json, "full");
    json_put_u64(&c->json, supported - t->partial);
    json_key(&c->json, "partial");
    json_put_u64(&c->json, t->partial);
    json_close(&c->json, '}');
}

static void put_domains(struct cli *c, const struct operators_args *a)
{
    struct tally t = { .domain = "" };
    o2w_operator_info row, next;
    json_key(&c->json, "domains");
    json_open(&c->json, '[');
    for (size_t i = 0; o2w_operator_at(i, &row); i++) {
        bool last = !o2w_operator_at(i + 1, &next) || strcmp(next.domain, row.domain) != 0 ||
                    strcmp(next.name, row.name) != 0;
        if (strcmp(t.domain, row.domain) != 0) {
            put_tally(c, &t);
            t = (struct tally){ .domain = row.domain };
        }
        if (last && selected(a, &row))
            add(&t, &row);
    }
    put_tally(c, &t);
    json_close(&c->json, ']');
}

static void put_row(struct json_writer *w, const o2w_operator_info *row)
{
    json_open(w, '{');
    json_key(w, "domain");
    json_put_text(w, row->domain);
    json_key(w, "name");
    json_put_text(w, row->name);
    json_key(w, "since");
    json_put_i64(w, row->since);
    json_key(w, "until");
    if (row->until)
        json_put_i64(w, row->until);
    else
        json_put_null(w);
    json_key(w, "class");
    json_put_text(w, class_words[row->op_class]);
    json_key(w, "coverage");
    json_put_text(w, coverage(row));
    json_key(w, "webnn");
    json_put_text(w, row->webnn);
    json_key(w, "notes");
    json_put_text(w, remark(row));
    json_close(w, '}');
}

static int run_operators(struct cli *c, const void *args, const struct text_list *positionals)
{
    const struct operators_args *a = args;
    o2w_operator_info row;
    (void)positionals;
    if (a->markdown)
        print_markdown(c, a);
    else
        print_text(c, a);
    cli_print(c, "\n");
    put_domains(c, a);
    json_key(&c->json, "operators");
    json_open(&c->json, '[');
    for (size_t i = 0; o2w_operator_at(i, &row); i++)
        if (selected(a, &row))
            put_row(&c->json, &row);
    json_close(&c->json, ']');
    return cli_finish(c, "listed", 0);
}

const struct command command_operators = { .name = "operators",
                                           .summary =
                                               "catalog of the operators, counted from the code",
                                           ROWS(operators_options),
                                           .args_size = sizeof(struct operators_args),
                                           .run = run_operators };
