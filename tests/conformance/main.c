/* onnx2webnn-conformance KIND ARGUMENTS…: runs recorded cases and closes with
 * "N passed, N failed, N skipped". Exit status 0 without failures, 1 with, 2 on wrong usage. */
#include "conformance.h"

#include <stdio.h>
#include <string.h>

static const struct case_kind *const kinds[] = { &builder_calls_kind, &hostile_kind,
                                                 &onnx_node_kind, &wpt_kind };

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static void report(const char *verdict, const char *name, const char *format, va_list args)
{
    printf("%s %s: ", verdict, name);
    vprintf(format, args);
    putchar('\n');
}

void tally_pass(struct tally *t)
{
    t->passed++;
}

void tally_fail(struct tally *t, const char *name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!t->silent)
        report("FAIL", name, format, args);
    va_end(args);
    t->failed++;
}

void tally_skip(struct tally *t, const char *name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!t->silent)
        report("skip", name, format, args);
    va_end(args);
    t->skipped++;
}

bool write_report(const struct json_writer *report, const char *path)
{
    struct span text;
    FILE *f = fopen(path, "wb");
    bool good = f && json_written(report, &text) == O2W_OK &&
                fwrite(text.data, 1, text.size, f) == text.size;
    return f && fclose(f) == 0 && good;
}

static int usage(void)
{
    fprintf(stderr, "usage:\n");
    for (size_t i = 0; i < KIND_COUNT; i++)
        fprintf(stderr, "  onnx2webnn-conformance %s %s\n", kinds[i]->name, kinds[i]->usage);
    return 2;
}

int main(int count, char **arguments)
{
    struct tally t = { 0 };
    for (size_t i = 0; count > 1 && i < KIND_COUNT; i++) {
        if (strcmp(arguments[1], kinds[i]->name) != 0)
            continue;
        if (!kinds[i]->run(count - 2, arguments + 2, &t))
            return usage();
        printf("%u passed, %u failed, %u skipped\n", t.passed, t.failed, t.skipped);
        return t.failed != 0;
    }
    return usage();
}
