#include "support/test.h"

#include "wire/rewrite.h"

#include <stdlib.h>
#include <string.h>

enum { NAME = 1, VALUE = 2, CHILD = 3 };

static const struct wire_schema tree = {
    "Tree",
    {
        [NAME] = { "name", WIRE_BYTES, NULL },
        [VALUE] = { "value", WIRE_VARINT, NULL },
        [CHILD] = { "child", WIRE_BYTES, &tree },
    },
};

static void assert_bytes(const struct wire_writer *w, const char *bytes, size_t size)
{
    struct span written;
    assert_ok(wire_written(w, &written));
    assert_int_equal(written.size, size);
    assert_memory_equal(written.data, bytes, size);
}

#define WRITTEN(w, literal) assert_bytes(&(w), literal, sizeof(literal) - 1)

static void every_kind_of_field_is_written(void **state)
{
    (void)state;
    struct wire_writer w = { 0 };
    wire_put_varint(&w, 1, 150);
    wire_put_i64(&w, 2, -1);
    wire_put_f32(&w, 3, 1);
    wire_put_fixed64(&w, 4, 0x0102030405060708);
    wire_put_text(&w, 16, "hi");
    wire_put_i64s(&w, 5, (const int64_t[]){ 1, 300 }, 2);
    wire_put_f32s(&w, 6, (const float[]){ 2 }, 1);
    wire_put_i64s(&w, 7, NULL, 0);
    WRITTEN(w, "\x08\x96\x01"
               "\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
               "\x1d\x00\x00\x80\x3f"
               "\x21\x08\x07\x06\x05\x04\x03\x02\x01"
               "\x82\x01\x02hi"
               "\x2a\x03\x01\xac\x02"
               "\x32\x04\x00\x00\x00\x40");
    wire_writer_free(&w);
}

static void lengths_of_messages_are_minimal(void **state)
{
    (void)state;
    static const char x[20000] = { 0 };
    for (size_t size = 0; size < sizeof x; size += size < 300 ? 1 : 997) {
        struct wire_writer nested = { 0 }, flat = { 0 };
        struct span a, b;
        size_t begun = wire_begin(&nested, 1);
        wire_put_raw(&nested, (struct span){ (const uint8_t *)x, size });
        wire_end(&nested, begun);
        wire_put_bytes(&flat, 1, (struct span){ (const uint8_t *)x, size });
        assert_ok(wire_written(&nested, &a));
        assert_ok(wire_written(&flat, &b));
        assert_true(span_equal(a, b));
        wire_writer_free(&nested);
        wire_writer_free(&flat);
    }
}

static o2w_status write_much(const o2w_allocator *allocator, void *user)
{
    (void)user;
    struct span out;
    struct wire_writer w;
    wire_writer_init(&w, allocator);
    size_t begun = wire_begin(&w, 1);
    for (int i = 0; i < 1000; i++)
        wire_put_text(&w, 2, "some text");
    wire_end(&w, begun);
    o2w_status status = wire_written(&w, &out);
    wire_writer_free(&w);
    return status;
}

static void running_out_of_memory_is_noticed(void **state)
{
    (void)state;
    assert_true(sweep_allocations(write_much, NULL) > 3);
}

/* ---- rewriting ---- */

static void put_tree(struct wire_writer *w, unsigned depth)
{
    wire_put_text(w, NAME, "old");
    wire_put_varint(w, 99, depth); /* unknown: kept */
    if (depth) {
        size_t begun = wire_begin(w, CHILD);
        put_tree(w, depth - 1);
        wire_end(w, begun);
    }
    wire_put_varint(w, VALUE, 7);
    wire_put_varint(w, 98, 1);
}

/* A longer name everywhere, values are dropped. */
static enum wire_action rename_all(void *user, const struct wire_reader *r, struct wire_writer *w)
{
    ++*(unsigned *)user;
    assert_ptr_equal(r->schema, &tree);
    if (r->field == CHILD)
        return WIRE_ENTER;
    if (r->field == NAME)
        wire_put_text(w, NAME, "a much longer name");
    return WIRE_DROP;
}

static enum wire_action keep_all(void *user, const struct wire_reader *r, struct wire_writer *w)
{
    (void)user, (void)w;
    return r->field == CHILD ? WIRE_ENTER : WIRE_KEEP;
}

struct rewriting {
    struct wire_writer in, out;
    struct diags diags;
};

static o2w_status rewrite(struct rewriting *rw, const struct wire_visitor *visitor)
{
    struct span bytes;
    assert_ok(wire_written(&rw->in, &bytes));
    struct wire_source source = { .file = bytes, .name = SPAN("m"), .diags = &rw->diags };
    return wire_rewrite(&source, bytes, &tree, visitor, &rw->out);
}

static void rewriting_free(struct rewriting *rw)
{
    wire_writer_free(&rw->in);
    wire_writer_free(&rw->out);
    diags_free(&rw->diags);
}

static void fields_change_at_any_depth(void **state)
{
    (void)state;
    unsigned calls = 0;
    struct rewriting rw = { 0 };
    struct wire_visitor visitor = { rename_all, &calls };
    diags_init(&rw.diags, NULL);
    put_tree(&rw.in, 1);
    assert_ok(rewrite(&rw, &visitor));
    assert_int_equal(calls, 5);
    WRITTEN(rw.out, "\x0a\x12"
                    "a much longer name"
                    "\x98\x06\x01"
                    "\x1a\x1a\x0a\x12"
                    "a much longer name"
                    "\x98\x06\x00"
                    "\x90\x06\x01"
                    "\x90\x06\x01");
    rewriting_free(&rw);
}

static void what_is_kept_is_the_same_bytes(void **state)
{
    (void)state;
    struct rewriting rw = { 0 };
    struct wire_visitor visitor = { keep_all, NULL };
    struct span in, out;
    diags_init(&rw.diags, NULL);
    put_tree(&rw.in, WIRE_REWRITE_DEPTH - 1);
    assert_ok(rewrite(&rw, &visitor));
    assert_ok(wire_written(&rw.in, &in));
    assert_ok(wire_written(&rw.out, &out));
    assert_true(span_equal(in, out));
    rewriting_free(&rw);
}

static void rewriting_too_deep_is_refused(void **state)
{
    (void)state;
    struct rewriting rw = { 0 };
    struct wire_visitor visitor = { keep_all, NULL };
    diags_init(&rw.diags, NULL);
    put_tree(&rw.in, WIRE_REWRITE_DEPTH);
    assert_status(rewrite(&rw, &visitor), O2W_RANGE);
    assert_int_equal(rw.diags.first->code, DIAG_LIMIT);
    rewriting_free(&rw);
}

static void rewriting_broken_bytes_is_refused(void **state)
{
    (void)state;
    struct rewriting rw = { 0 };
    struct wire_visitor visitor = { keep_all, NULL };
    diags_init(&rw.diags, NULL);
    wire_put_bytes(&rw.in, CHILD,
                   SPAN("\x0a\x09"
                        "cut"));
    assert_status(rewrite(&rw, &visitor), O2W_FORMAT);
    assert_int_equal(rw.diags.first->code, DIAG_PROTOBUF_TRUNCATED);
    rewriting_free(&rw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_field_is_written),
        cmocka_unit_test(lengths_of_messages_are_minimal),
        cmocka_unit_test(running_out_of_memory_is_noticed),
        cmocka_unit_test(fields_change_at_any_depth),
        cmocka_unit_test(what_is_kept_is_the_same_bytes),
        cmocka_unit_test(rewriting_too_deep_is_refused),
        cmocka_unit_test(rewriting_broken_bytes_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
