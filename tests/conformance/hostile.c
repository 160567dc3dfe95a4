/* Malformed, hostile and very long inputs, given to the command `onnx2webnn` beside this program. */
#include "base/file.h"
#include "conformance.h"
#include "process.h"
#include "tree.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NAME = 128 };

/* Families of codes by the sort of mistake; a code matches by its beginning. */
static const struct {
    const char *kind;
    const char *codes[10];
} families[] = {
    { "protobuf", { "protobuf." } },
    { "model", { "model." } },
    { "tensor", { "model.tensor" } },
    { "operator", { "lower.", "op.", "model." } },
    { "unsupported", { "lower.", "model." } },
    { "limit", { "limit", "lower.", "op.", "dim.", "model.", "protobuf.depth" } },
    { "external-data", { "model.external-data", "path.", "file." } },
    { "safetensors", { "st.", "weights.", "json.", "limit" } },
    { "weights", { "weights.", "st.", "json.", "limit" } },
    { "webnn", { "text.", "op.", "const.", "output.", "dyn.", "weights.", "limit" } },
    { "json", { "json.", "text.", "op.", "const.", "output.", "dyn.", "limit" } },
    { "manifest", { "manifest.", "json.", "path.", "limit" } },
    { "dims", { "dim.", "dyn." } },
};

/* Descriptions among the words of `says`, and what shows that they were met. */
static const struct {
    const char *says, *shown[3];
} descriptions[] = {
    { "all five operators", { "5 operators" } },
    { "could say that this is a Git LFS pointer", { "" } },
    { "byte offset", { "byte", "offset", ":" } },
    { "line", { ":", "line" } },
    { "line 1", { ":1:", "line 1" } },
    { "line 4", { ":4:", "line 4" } },
};

#define COUNT(array) (sizeof array / sizeof *array)

struct hostile {
    const char *program, *folder;
    struct arena *arena;
};

static const char *const commands[] = { "convert", "load", "validate-manifest" };

/* ---- diagnostics as the command prints them ---- */

struct item {
    struct span severity, code, text; /* text: message and the lines below it */
};

static struct span line_at(struct span text, size_t start)
{
    const uint8_t *end = memchr(text.data + start, '\n', text.size - start);
    return (struct span){ text.data + start,
                          end == NULL ? text.size - start : (size_t)(end - text.data) - start };
}

/* "SEVERITY[CODE]: MESSAGE" */
static bool head_of(struct span line, struct item *out)
{
    const uint8_t *open = memchr(line.data, '[', line.size),
                  *close = memchr(line.data, ']', line.size);
    if (open == NULL || close == NULL || close < open || line.data[0] == ' ')
        return false;
    out->severity = (struct span){ line.data, (size_t)(open - line.data) };
    out->code = (struct span){ open + 1, (size_t)(close - open) - 1 };
    return span_is(out->severity, "error") || span_is(out->severity, "warning") ||
           span_is(out->severity, "note");
}

/* The next item from *place on; false when there is none. */
static bool next_item(struct span text, size_t *place, struct item *out)
{
    struct item other;
    bool found = false;
    while (*place < text.size) {
        struct span line = line_at(text, *place);
        if (head_of(line, found ? &other : out)) {
            if (found)
                return true;
            found = true;
            out->text = line;
        } else if (found) {
            out->text.size = (size_t)(line.data + line.size - out->text.data);
        }
        *place += line.size + 1;
    }
    return found;
}

static bool is_word(int c)
{
    return isalnum(c) || c == '_';
}

/* A word begins in the text; one of a single letter ends there too. */
static bool has_word(struct span text, struct span word)
{
    for (size_t i = 0; i + word.size <= text.size; i++) {
        if (strncasecmp((const char *)text.data + i, (const char *)word.data, word.size) != 0)
            continue;
        bool begins = i == 0 || !is_word(text.data[i - 1]) || !is_word(word.data[0]);
        bool ends = i + word.size == text.size || !is_word(text.data[i + word.size]);
        if (begins && (ends || word.size > 1))
            return true;
    }
    return false;
}

static bool has_term(struct span text, struct span term)
{
    for (size_t i = 0; i < COUNT(descriptions); i++) {
        if (!span_is(term, descriptions[i].says))
            continue;
        for (size_t k = 0; k < 3 && descriptions[i].shown[k] != NULL; k++)
            if (has_word(text, span_of(descriptions[i].shown[k])))
                return true;
        return false;
    }
    for (size_t start = 0; start < term.size;) {
        const uint8_t *blank = memchr(term.data + start, ' ', term.size - start);
        size_t end = blank == NULL ? term.size : (size_t)(blank - term.data);
        struct span word = { term.data + start, end - start };
        if (!span_is(word, "of") && !has_word(text, word))
            return false;
        start = end + 1;
    }
    return true;
}

/* The terms of `says` stand between commas. Returns the first that is not there, else an empty span. */
static struct span missing_term(struct span text, struct span says)
{
    for (size_t start = 0; start < says.size;) {
        const uint8_t *comma = memchr(says.data + start, ',', says.size - start);
        size_t end = comma == NULL ? says.size : (size_t)(comma - says.data);
        struct span term = span_trim((struct span){ says.data + start, end - start });
        if (!has_term(text, term))
            return term;
        start = end + 1;
    }
    return span_of("");
}

static bool code_fits(const struct tree *c, struct span code)
{
    struct span wanted = tree_text(c, "code"), kind = tree_text(c, "kind");
    if (wanted.size != 0)
        return span_equal(code, wanted);
    for (size_t i = 0; i < COUNT(families); i++)
        for (size_t k = 0;
             span_is(kind, families[i].kind) && k < 10 && families[i].codes[k] != NULL; k++)
            if (span_starts(code, span_of(families[i].codes[k])))
                return true;
    return false;
}

/* ---- verdicts: NULL, or what is wrong ---- */

static const char *judge_error(struct hostile *h, const struct tree *c, const struct process *p)
{
    struct item item;
    size_t place = 0;
    const char *why = "no diagnostic";
    if (p->status != 1)
        return arena_printf(h->arena, "exit status %d, must be 1", p->status);
    while (next_item(p->error_text, &place, &item)) {
        if (!span_is(item.severity, "error"))
            continue;
        struct span missing = missing_term(item.text, tree_text(c, "says"));
        if (!code_fits(c, item.code))
            why = arena_printf(h->arena, "'%.*s' is not of sort '%.*s' %.*s",
                               SPAN_ARG(line_at(item.text, 0)), SPAN_ARG(tree_text(c, "kind")),
                               SPAN_ARG(tree_text(c, "code")));
        else if (missing.size != 0)
            why = arena_printf(h->arena, "'%.*s' does not say '%.*s'",
                               SPAN_ARG(line_at(item.text, 0)), SPAN_ARG(missing));
        else
            return NULL;
    }
    return why;
}

static const char *judge_success(struct hostile *h, const struct process *p, bool needs_note)
{
    struct item item;
    size_t place = 0;
    bool note = false;
    if (p->status != 0)
        return arena_printf(h->arena, "exit status %d, must be 0: %.*s", p->status,
                            SPAN_ARG(line_at(p->error_text, 0)));
    while (next_item(p->error_text, &place, &item)) {
        note = note || span_is(item.severity, "note");
        if (span_is(item.severity, "error"))
            return arena_printf(h->arena, "succeeded with '%.*s'", SPAN_ARG(line_at(item.text, 0)));
    }
    return needs_note && !note ? "no note" : NULL;
}

/* Either: a failure must still be a clean one, of any sort. */
static const char *judge_either(struct hostile *h, const struct process *p)
{
    struct item item;
    size_t place = 0;
    if (p->status == 0)
        return judge_success(h, p, false);
    if (p->status != 1)
        return arena_printf(h->arena, "exit status %d, must be 0 or 1", p->status);
    return next_item(p->error_text, &place, &item) ? NULL : "failed without a diagnostic";
}

static bool has_text(struct span text, const char *part)
{
    return memmem(text.data, text.size, part, strlen(part)) != NULL;
}

static const char *judge_health(struct hostile *h, const struct process *p)
{
    if (p->timed_out)
        return arena_printf(h->arena, "still running after %.1f s", p->seconds);
    if (p->signal != 0)
        return arena_printf(h->arena, "ended by signal %d", p->signal);
    if (has_text(p->error_text, "Sanitizer") || has_text(p->error_text, "runtime error: "))
        return "a sanitizer reported";
    return NULL;
}

/* Only optimised programs are held to time and memory. */
static const char *judge_bounds(struct hostile *h, const struct tree *c, const struct process *p)
{
#ifdef NDEBUG
    double seconds = 0, megabytes = 0;
    if (!tree_double(tree_get(c, "seconds"), &seconds) ||
        !tree_double(tree_get(c, "memory_mb"), &megabytes))
        return "the case has no bounds";
    if (p->seconds > seconds)
        return arena_printf(h->arena, "took %.1f s, must be at most %.0f", p->seconds, seconds);
    if ((double)p->peak_bytes > megabytes * 1048576)
        return arena_printf(h->arena, "took %.0f MB, must be at most %.0f",
                            (double)p->peak_bytes / 1048576, megabytes);
#else
    (void)h, (void)c, (void)p;
#endif
    return NULL;
}

/* ---- one case ---- */

struct places {
    char *input, *root, *watched, *home, *output;
};

static bool make_places(struct hostile *h, const struct tree *c, struct places *p)
{
    char *folder = path_join(h->arena, span_of(h->folder), tree_text(c, "name"));
    p->input = folder == NULL ? NULL : path_join(h->arena, span_of(folder), tree_text(c, "file"));
    p->root = folder_temporary(h->arena);
    if (p->root == NULL || p->input == NULL)
        return false;
    p->watched = path_join(h->arena, span_of(p->root), SPAN("to"));
    p->home = path_join(h->arena, span_of(p->root), SPAN("home"));
    p->output =
        p->watched == NULL ? NULL : path_join(h->arena, span_of(p->watched), SPAN("out.webnn"));
    return p->output != NULL && p->home != NULL &&
           folder_create(p->watched, 0700, NULL) == O2W_OK &&
           folder_create(p->home, 0700, NULL) == O2W_OK;
}

static bool run_mode(struct hostile *h, size_t mode, const struct places *at, double limit,
                     struct process *p)
{
    const char *const convert[] = { h->program, "convert",  "--model", at->input,
                                    "--output", at->output, NULL };
    const char *const inspect[] = { h->program, "inspect", at->input, NULL };
    const char *const manifest[] = { h->program, "validate-manifest", "--manifest", at->input,
                                     "--list",   "--selection",       "all",        NULL };
    const char *const *lines[] = { convert, inspect, manifest };
    return process_run(lines[mode], at->root, at->home, limit, h->arena, p);
}

/* Nothing but the files of a conversion that succeeded may be new, and never a temporary one. */
static const char *judge_files(struct hostile *h, const struct places *at, const char *before,
                               bool success)
{
    char *folder = arena_text(h->arena, path_folder(span_of(at->input)));
    char *after = folder == NULL ? NULL : folder_listing(folder, h->arena);
    char *written = folder_listing(at->watched, h->arena),
         *home = folder_listing(at->home, h->arena);
    if (after == NULL || written == NULL || home == NULL || strcmp(before, after) != 0)
        return "the folder of the case was changed";
    if (strchr(home, '\n') != strrchr(home, '\n'))
        return arena_printf(h->arena, "files in the cache: %s", home);
    if (strstr(written, ".tmp") != NULL || strstr(written, ".o2w-") != NULL)
        return arena_printf(h->arena, "temporary files stayed: %s", written);
    if (!success && strchr(written, '\n') != strrchr(written, '\n'))
        return arena_printf(h->arena, "files were written: %s", written);
    return NULL;
}

static const char *judge(struct hostile *h, const struct tree *c, const struct places *at,
                         const char *before, const struct process *p)
{
    struct span outcome = tree_text(c, "outcome");
    const char *why = judge_health(h, p);
    if (why == NULL && span_is(outcome, "error"))
        why = judge_error(h, c, p);
    else if (why == NULL && span_is(outcome, "either"))
        why = judge_either(h, p);
    else if (why == NULL)
        why = judge_success(h, p, span_is(outcome, "note"));
    if (why == NULL)
        why = judge_files(h, at, before, p->status == 0);
    return why != NULL ? why : judge_bounds(h, c, p);
}

static void run_case(struct hostile *h, const struct tree *c, struct tally *t)
{
    char name[NAME];
    struct places at;
    struct process p;
    double seconds = 5;
    size_t mode = 0;
    struct span command = tree_text(c, "command");
    snprintf(name, sizeof name, "hostile %.*s", SPAN_ARG(tree_text(c, "name")));
    while (mode < COUNT(commands) && !span_is(command, commands[mode]))
        mode++;
    if (mode == COUNT(commands)) {
        tally_fail(t, name, "unknown command '%.*s'", SPAN_ARG(command));
        return;
    }
    bool ready = make_places(h, c, &at);
    char *folder = ready ? arena_text(h->arena, path_folder(span_of(at.input))) : NULL;
    char *before = folder == NULL ? NULL : folder_listing(folder, h->arena);
    tree_double(tree_get(c, "seconds"), &seconds);
    if (before == NULL)
        tally_fail(t, name, "the case cannot be read or has no room");
    else if (!run_mode(h, mode, &at, seconds * 12, &p)) /* sanitizers are slow */
        tally_fail(t, name, "the program cannot be started");
    else {
        const char *why = judge(h, c, &at, before, &p);
        if (why == NULL)
            tally_pass(t);
        else
            tally_fail(t, name, "%s", why);
    }
    if (at.root != NULL)
        folder_remove(at.root);
}

/* ---- all ---- */

static char *program_beside(struct arena *a)
{
    char self[4096];
    ssize_t size = readlink("/proc/self/exe", self, sizeof self);
    if (size <= 0 || (size_t)size == sizeof self)
        return NULL;
    char *path = path_join(a, path_folder((struct span){ (const uint8_t *)self, (size_t)size }),
                           SPAN("onnx2webnn"));
    return path != NULL && access(path, X_OK) == 0 ? path : NULL;
}

static bool run(int count, char **arguments, struct tally *t)
{
    struct arena arena;
    struct diags diags;
    struct tree cases;
    if (count != 3 || strcmp(arguments[0], "--cases") != 0)
        return false;
    arena_init(&arena, NULL);
    diags_init(&diags, NULL);
    struct hostile h = { .folder = arguments[2],
                         .arena = &arena,
                         .program = program_beside(&arena) };
    if (tree_read(arguments[1], &arena, &diags, &cases) != O2W_OK || cases.kind != JSON_ARRAY)
        tally_fail(t, arguments[1], "%s",
                   diags.newest == NULL ? "no list of cases" : diags.newest->message);
    else
        for (size_t i = 0; i < cases.count; i++)
            run_case(&h, &cases.items[i], t);
    diags_free(&diags);
    arena_free(&arena);
    return true;
}

const struct case_kind hostile_kind = { "hostile", "--cases CASES.json FOLDER", run };
