/* Law 10: whatever a file holds, reading ends with a graph or with an error and its place, within
 * bounds of memory. And: every allocation may fail. */
#include "files.h"

#include "support/random_graph.h"

struct attempt {
    struct files s;
    const char *name; /* of the graph */
    struct span text, archive;
    const char *changed; /* a file of the folder that is swept; NULL: `part` is */
    struct span *part;
    uint64_t reads, graphs;
};

static o2w_status read_once(struct attempt *t, const o2w_allocator *allocator, struct diags *d,
                            struct graph **g)
{
    struct file *archive;
    if (t->changed)
        return format_read(temp_path(&t->s.folder, t->name), NULL, allocator, d, g);
    assert_ok(file_from_bytes(t->archive, "g.safetensors", NULL, &archive));
    o2w_status status = format_read_bytes(t->text, t->name, archive, NULL, allocator, d, g);
    if (status == O2W_OK) {
        graph_free(*g);
        *g = NULL;
    }
    file_release(archive);
    return status;
}

/* Reads under a counting allocator and looks at how it ended. */
static void read_anything(struct attempt *t, struct span part, size_t file_size)
{
    struct failing_allocator memory;
    struct graph *g = NULL;
    struct diags d;
    failing_allocator_init(&memory, SIZE_MAX);
    diags_init(&d, NULL);
    if (t->changed)
        temp_write(&t->s.folder, t->changed, part.data, part.size);
    else
        *t->part = part;
    o2w_status status = read_once(t, &memory.allocator, &d, &g);
    t->reads++;
    t->graphs += status == O2W_OK;
    if (status == O2W_OK) {
        graph_free(g);
    } else {
        assert_non_null(d.newest);
        assert_true(d.newest->line > 0 || d.newest->offset >= 0 || d.newest->file != NULL);
    }
    assert_int_equal(memory.live_blocks, 0);
    assert_true(memory.peak_bytes <= 2 * file_size + (16u << 20));
    diags_free(&d);
}

static const char sample[] =
    "webnn_graph \"tiny\" v2 @quantized {\n"
    "  # o2w dim \"n\" 4\n  # o2w name x \"x\\u0041\"\n  # o2w labels lo [\"a\", \"b\"]\n"
    "  inputs { x: i32[dyn(\"n\", 16)]; i: f32[1, 2, 5, 5]; }\n"
    "  consts { q: u4[32, 6] @weights(\"q\"); s: f32[32, 1] @weights(\"s.0\"); z: u4[32, 1] @scalar(3); h: f32[]\n"
    "    @scalar(-0.5e1); b: u8[3] @bytes([1, 20, 255]); f: f32[3, 2, 2, 2] @scalar(1); }\n"
    "  nodes { d = dequantizeLinear(q, s, z); e = gather(d, x, axis=0); y = mul(e, h, label=\"l\");\n"
    "    [lo, hi] = split(y, axis=1, splits=[2, 4]); c = conv2d(i, f, strides=[2, 2], autoPad=\"same-upper\");\n"
    "    r = reshape(e, newShape=[{\"maxSize\":16,\"name\":\"n\"}, 2, 3]); k = slice(c, starts=[0], ends=[-1], axes=[3]); }\n"
    "  outputs { lo; hi, k; r }\n}\n";

static void put_weights(struct attempt *t)
{
    uint8_t data[96 + 128];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)i;
    put_archive(
        &t->s, "g.safetensors",
        "{\"__metadata__\":{\"rustnn.webnn.packed4\":\"1\"},\"s_0\":{\"dtype\":\"F32\",\"shape\":[32,1],\"data_offsets\":[0,128]},"
        "\"q\":{\"dtype\":\"U8\",\"shape\":[96],\"data_offsets\":[128,224]}}",
        data, sizeof data);
    assert_ok(file_read_all(temp_path(&t->s.folder, "g.safetensors"), 4096, &t->s.f.arena, NULL,
                            &t->archive));
}

/* Every truncation, and every change of a byte to some that matter. */
static void sweep(struct attempt *t, struct span whole)
{
    static const uint8_t values[] = { 0, '"', '[', '{', '}', '9', '-', '#', '\\', 0xff };
    uint8_t *bytes = arena_alloc(&t->s.f.arena, whole.size, 1);
    for (size_t size = 0; size < whole.size; size++)
        read_anything(t, (struct span){ whole.data, size }, whole.size);
    for (size_t i = 0; i < whole.size; i++)
        for (size_t v = 0; v < sizeof values + 2; v++) {
            memcpy(bytes, whole.data, whole.size);
            bytes[i] = v < sizeof values    ? values[v]
                       : v == sizeof values ? (uint8_t)(bytes[i] ^ 1)
                                            : (uint8_t)(bytes[i] ^ 0x80);
            read_anything(t, (struct span){ bytes, whole.size }, whole.size);
        }
    uint64_t before = t->graphs;
    read_anything(t, whole, whole.size);
    assert_int_equal(t->graphs, before + 1);
}

static void attempt_begin(struct attempt *t)
{
    *t = (struct attempt){ 0 };
    files_init(&t->s);
    t->name = "g.webnn";
    t->text = span_of(sample);
    t->part = &t->text;
}

static void l10_any_text(void **state)
{
    (void)state;
    struct attempt t;
    attempt_begin(&t);
    put_weights(&t);
    sweep(&t, span_of(sample));
    files_free(&t.s);
}

static void l10_any_archive(void **state)
{
    (void)state;
    struct attempt t;
    attempt_begin(&t);
    put_weights(&t);
    t.part = &t.archive;
    sweep(&t, t.archive);
    files_free(&t.s);
}

static void l10_any_json(void **state)
{
    (void)state;
    struct attempt t;
    struct span json;
    struct format_write_options o = { .kind = FORMAT_JSON, .names = FORMAT_NAMES_ALL };
    attempt_begin(&t);
    put_weights(&t);
    put_text(&t.s, "g.webnn", sample);
    assert_ok(read_file(&t.s, "g.webnn"));
    assert_ok(format_print(t.s.f.graph, &o, SPAN("g"), &t.s.f.arena, NULL, &json));
    /* without its indentation it is short enough */
    uint8_t *tight = arena_alloc(&t.s.f.arena, json.size, 1);
    size_t n = 0;
    for (size_t i = 0; i < json.size; i++)
        if (json.data[i] != '\n' && !(json.data[i] == ' ' && i > 0 &&
                                      (json.data[i - 1] == ' ' || json.data[i - 1] == '\n')))
            tight[n++] = json.data[i];
    struct format_written written;
    assert_ok(format_write(t.s.f.graph, temp_path(&t.s.folder, "g.json"), &o, &t.s.f.arena, NULL,
                           &written));
    assert_ok(file_read_all(written.archive_path, 4096, &t.s.f.arena, NULL, &t.archive));
    t.name = "g.json";
    sweep(&t, (struct span){ tight, n });
    files_free(&t.s);
}

static void l10_any_manifest(void **state)
{
    (void)state;
    struct attempt t;
    attempt_begin(&t);
    uint8_t blob[224] = "WGWT\1\0\0\0";
    temp_write(&t.s.folder, "g.weights", blob, sizeof blob);
    put_text(&t.s, "g.webnn", WITH_CONST("u4[6]", "w"));
    t.changed = "g.manifest.json";
    sweep(
        &t,
        SPAN(
            "{\"format\":\"wg-weights-manifest\",\"version\":1,\"endianness\":\"little\",\"tensors\":{\"w\":{\"dataType\":\"uint4\","
            "\"shape\":[6],\"byteOffset\":8,\"byteLength\":6,\"layout\":null}}}"));
    files_free(&t.s);
}

/* ---- memory that runs out ---- */

struct sample_files {
    const char *path, *out;
};

static o2w_status read_and_write(const o2w_allocator *allocator, void *user)
{
    const struct sample_files *files = user;
    struct graph *g = NULL;
    struct arena arena;
    struct format_written written;
    arena_init(&arena, allocator);
    o2w_status status = format_read(files->path, NULL, allocator, NULL, &g);
    if (status == O2W_OK)
        status = format_write(g, files->out, NULL, &arena, NULL, &written);
    graph_free(g);
    arena_free(&arena);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct attempt t;
    attempt_begin(&t);
    put_weights(&t);
    put_text(&t.s, "g.webnn", sample);
    struct sample_files text = {
        arena_text(&t.s.f.arena, span_of(temp_path(&t.s.folder, "g.webnn"))),
        arena_text(&t.s.f.arena, span_of(temp_path(&t.s.folder, "o.webnn")))
    };
    assert_true(sweep_allocations(read_and_write, &text) > 50);
    struct sample_files json = {
        arena_text(&t.s.f.arena, span_of(temp_path(&t.s.folder, "o.json"))), text.out
    };
    text.out = json.path;
    assert_ok(read_and_write(NULL, &text));
    assert_true(sweep_allocations(read_and_write, &json) > 50);
    files_free(&t.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(l10_any_text),
        cmocka_unit_test(l10_any_archive),
        cmocka_unit_test(l10_any_json),
        cmocka_unit_test(l10_any_manifest),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
