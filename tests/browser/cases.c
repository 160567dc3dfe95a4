/* browser-cases FOLDER OUT [TARGET]: every conformance case of FOLDER as a module OUT/N.mjs, and
 * OUT/cases.json: what becomes of each. */
#include "api/objects.h"
#include "conformance.h"
#include "emit/emit.h"
#include "webnn/legalise.h"
#include "wpt_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cases {
    const char *out;
    const struct limits *target; /* NULL: as they are */
    struct json_writer json;
    unsigned count;
};

static void write_file(const char *folder, const char *name, struct span text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(text.data, 1, text.size, f) != text.size || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
}

/* The graph file beside the module: what its calls are compared with. */
static o2w_status print_case(struct cases *cs, struct wpt_case *c)
{
    const struct format_write_options options = { .kind = FORMAT_JSON, .inline_limit = INT64_MAX };
    struct diags d;
    struct span text;
    char name[32];
    snprintf(name, sizeof name, "%u.json", cs->count - 1);
    diags_init(&d, NULL);
    o2w_status s = format_print(api_graph(c->graph), &options, SPAN(""), &c->arena, &d, &text);
    s = error_from_diags(&d, s, &c->error);
    diags_free(&d);
    if (s == O2W_OK)
        write_file(cs->out, name, text);
    return s;
}

static o2w_status emit_case(struct cases *cs, struct wpt_case *c, const char *module)
{
    struct emit_js_options options = { .weights = EMIT_WEIGHTS_INLINE, .min_dimension = 1 };
    struct text_out out;
    struct diags d;
    TRY(wpt_build(c));
    if (cs->target)
        TRY(wpt_legalise(c, cs->target));
    else
        TRY(print_case(cs, c));
    diags_init(&d, NULL);
    out_init(&out, NULL);
    o2w_status s = emit_js(api_graph(c->graph), &options, &c->arena, &d, &out);
    s = error_from_diags(&d, s, &c->error);
    diags_free(&d);
    if (s == O2W_OK)
        write_file(cs->out, module,
                   (struct span){ (const uint8_t *)out.bytes.items, out.bytes.count });
    out_free(&out);
    return s;
}

static void add_case(struct cases *cs, struct span file, size_t index, const struct tree *t)
{
    struct wpt_case *c = wpt_case_new(t, NULL, false);
    char module[32];
    const char *skip = wpt_skip_reason(t);
    snprintf(module, sizeof module, "%u.mjs", cs->count++);
    json_open(&cs->json, '{');
    json_key(&cs->json, "file");
    json_put_string(&cs->json, file);
    json_key(&cs->json, "index");
    json_put_u64(&cs->json, index);
    json_key(&cs->json, "name");
    json_put_string(&cs->json, tree_text(t, "name"));
    json_key(&cs->json, skip ? "skip" : "module");
    json_put_text(&cs->json, skip ? skip : module);
    if (!skip && emit_case(cs, c, module) != O2W_OK) {
        json_key(&cs->json, "refused");
        json_put_text(&cs->json, c->error ? o2w_error_text(c->error) : wpt_reason(c));
    }
    json_close(&cs->json, '}');
    wpt_case_free(c);
}

static void add_file(struct cases *cs, const char *path)
{
    struct arena a;
    struct diags d;
    struct tree tree;
    arena_init(&a, NULL);
    diags_init(&d, NULL);
    if (tree_read(path, &a, &d, &tree) != O2W_OK || !tree_get(&tree, "tests")) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(1);
    }
    const struct tree *tests = tree_get(&tree, "tests");
    for (size_t i = 0; i < tests->count; i++)
        add_case(cs, path_name(span_of(path)), i, &tests->items[i]);
    diags_free(&d);
    arena_free(&a);
}

int main(int argc, char **argv)
{
    struct cases cs = { 0 };
    struct arena a;
    struct span text;
    size_t count;
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: browser-cases FOLDER OUT [TARGET]\n");
        return 2;
    }
    cs.out = argv[2];
    arena_init(&a, NULL);
    if (argc == 4) {
        static struct limits target;
        if (limits_of_target(argv[3], &a, NULL, &target) != O2W_OK)
            return 2;
        cs.target = &target;
    }
    json_writer_init(&cs.json, NULL, 0);
    json_open(&cs.json, '[');
    char **files = list_files(argv[1], "json", &a, &count);
    for (size_t i = 0; i < count; i++)
        add_file(&cs, files[i]);
    json_close(&cs.json, ']');
    if (json_written(&cs.json, &text) != O2W_OK)
        return 1;
    write_file(cs.out, "cases.json", text);
    json_writer_free(&cs.json);
    arena_free(&a);
    return 0;
}
