/* Help from the rows. */
#include "cli/command.h"

#include <string.h>

enum { HELP_COLUMN = 34 };

/* A growing text in the arena. */
struct page {
    struct arena *arena;
    char *text;
    size_t size, capacity;
    bool failed;
};

static void put(struct page *p, const char *text)
{
    size_t size = text ? strlen(text) : 0;
    if (!text || p->failed) {
        p->failed = true;
        return;
    }
    if (p->capacity - p->size <= size) {
        size_t capacity = (p->capacity + size + 1) * 2;
        char *grown = arena_alloc(p->arena, capacity, 1);
        if (!grown) {
            p->failed = true;
            return;
        }
        if (p->text)
            memcpy(grown, p->text, p->size);
        p->text = grown;
        p->capacity = capacity;
    }
    memcpy(p->text + p->size, text, size + 1);
    p->size += size;
}

/* Two columns; a left text that is too long has its line to itself. */
static void put_row(struct page *p, const char *left, const char *right)
{
    bool fits = strlen(left) < HELP_COLUMN - 2;
    char *line = fits ? arena_printf(p->arena, "  %-*s%s\n", HELP_COLUMN - 2, left, right)
                      : arena_printf(p->arena, "  %s\n%*s%s\n", left, HELP_COLUMN, "", right);
    put(p, line);
}

static void put_option(struct page *p, const struct option_row *row)
{
    const char *var = option_metavar(row);
    char letter[8] = "    ";
    if (row->letter)
        memcpy(letter, (const char[]){ '-', row->letter, ',', ' ', 0 }, 5);
    char *left =
        arena_printf(p->arena, "%s--%s%s%s", letter, row->name, var ? " " : "", var ? var : "");
    char *right = arena_printf(p->arena, "%s%s%s", row->help ? row->help : "",
                               row->required ? " (required)" : "",
                               option_repeats(row) ? " (may be repeated)" : "");
    p->failed |= !left || !right;
    if (!p->failed)
        put_row(p, left, right);
}

char *help_command(const struct command *c, struct arena *a)
{
    struct page p = { .arena = a };
    char *head = arena_printf(
        a, "onnx2webnn %s: %s\n\nusage: onnx2webnn %s [OPTION]...%s%s%s\n\n", c->name, c->summary,
        c->name, c->positional ? c->positional_optional ? " [" : " " : "",
        c->positional ? c->positional : "", c->positional && c->positional_optional ? "]" : "");
    put(&p, head);
    for (size_t i = 0; i < c->option_count; i++)
        put_option(&p, &c->options[i]);
    return p.failed ? NULL : p.text;
}

char *help_overview(struct arena *a)
{
    struct page p = { .arena = a };
    put(&p, "usage: onnx2webnn MODE [OPTION]... [ARGUMENT]...\n"
            "       onnx2webnn --help | -h | --version | -V\n\n"
            "ONNX models as WebNN graphs: converted, proven, run.\n\n");
    for (size_t i = 0; i < command_count; i++)
        put_row(&p, commands[i]->name, commands[i]->summary);
    put(&p, "\n'onnx2webnn MODE --help' shows the options of a mode.\n");
    return p.failed ? NULL : p.text;
}
