#include "support/test.h"

#include "wire/reader.h"
#include "wire/writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER = 1, REAL = 2, TEXT = 3, NUMBERS = 4, REALS = 5, DOUBLES = 6, INNER = 7 };

static const struct wire_schema outer = {
    "Outer",
    {
        [NUMBER] = { "number", WIRE_VARINT, NULL },
        [REAL] = { "real", WIRE_FIXED32, NULL },
        [TEXT] = { "text", WIRE_BYTES, NULL },
        [NUMBERS] = { "numbers", WIRE_VARINTS, NULL },
        [REALS] = { "reals", WIRE_FIXED32S, NULL },
        [DOUBLES] = { "doubles", WIRE_FIXED64S, NULL },
        [INNER] = { "inner", WIRE_BYTES, &outer },
    },
};

struct fixture {
    struct diags diags;
    struct wire_source source;
    struct wire_message message;
    struct wire_reader r;
};

static void begin(struct fixture *f, const void *bytes, size_t size)
{
    diags_init(&f->diags, NULL);
    f->message = (struct wire_message){ .bytes = { bytes, size } };
    f->source =
        (struct wire_source){ .file = f->message.bytes, .name = SPAN("m"), .diags = &f->diags };
    f->r = wire_read(&f->source, &f->message, &outer);
}

#define BEGIN(f, literal) begin(&(f), literal, sizeof(literal) - 1)

/* Reading ends at once with this code and text. */
static void assert_refused(const char *bytes, size_t size, enum diag_code code, const char *message)
{
    struct fixture f;
    begin(&f, bytes, size);
    while (wire_next(&f.r)) {
        size_t count;
        if (outer.fields[f.r.field].kind >= WIRE_VARINTS &&
            wire_value_count(&f.r, &count) != O2W_OK)
            break;
    }
    assert_int_equal(f.r.status, O2W_FORMAT);
    assert_diag(&f.diags, 0, code, message);
    assert_true(f.diags.first->offset >= 0);
    diags_free(&f.diags);
}

#define REFUSED(literal, code, message) assert_refused(literal, sizeof(literal) - 1, code, message)

static void fields_come_in_order(void **state)
{
    (void)state;
    struct fixture f;
    BEGIN(f, "\x08\x96\x01"
             "\x15\x00\x00\x80\x3f"
             "\x1a\x02hi"
             "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    assert_true(wire_next(&f.r));
    assert_int_equal(f.r.field, NUMBER);
    assert_int_equal(wire_i64(&f.r), 150);
    assert_true(wire_next(&f.r));
    assert_true(fabsf(wire_f32(&f.r) - 1) < 1e-9f);
    assert_true(wire_next(&f.r));
    assert_span(f.r.bytes, "hi");
    assert_true(wire_next(&f.r));
    assert_int_equal(wire_i64(&f.r), -1);
    assert_int_equal(wire_i32(&f.r), -1);
    assert_false(wire_next(&f.r));
    assert_ok(f.r.status);
}

static void numbers_may_be_longer_than_needed(void **state)
{
    (void)state;
    struct fixture f;
    BEGIN(f, "\x88\x80\x00\x85\x80\x80\x00");
    assert_true(wire_next(&f.r));
    assert_int_equal(f.r.field, NUMBER);
    assert_int_equal(wire_i64(&f.r), 5);
}

static void int32_is_cut_as_protobuf_does(void **state)
{
    (void)state;
    struct fixture f;
    BEGIN(f, "\x08\x87\x80\x80\x80\x10");
    assert_true(wire_next(&f.r));
    assert_int_equal(wire_i64(&f.r), 0x100000007);
    assert_int_equal(wire_i32(&f.r), 7);
}

static void unknown_fields_are_skipped_and_remembered(void **state)
{
    (void)state;
    struct fixture f;
    BEGIN(f, "\xa2\x1f\x03"
             "abc"
             "\xa8\x1f\x01"
             "\xad\x1f"
             "1234"
             "\xa1\x1f"
             "12345678"
             "\x08\x07");
    assert_true(wire_next(&f.r));
    assert_int_equal(f.r.field, NUMBER);
    assert_int_equal(wire_i64(&f.r), 7);
    assert_string_equal(f.source.unknown_message, "Outer");
    assert_int_equal(f.source.unknown_field, 500);
}

static void repeated_numbers_are_packed_or_not(void **state)
{
    (void)state;
    struct fixture f;
    BEGIN(f, "\x22\x03\x01\xac\x02"
             "\x20\x05"
             "\x22\x00"
             "\x2a\x08\x00\x00\x80\x3f\x00\x00\x00\x40"
             "\x2d\x00\x00\x40\x40"
             "\x31\x01\x02\x03\x04\x05\x06\x07\x08");
    uint64_t seen[8], bits;
    size_t n = 0, count, counts[WIRE_FIELD_LIMIT];
    while (wire_next(&f.r)) {
        assert_ok(wire_value_count(&f.r, &count));
        for (struct wire_values v = wire_values(&f.r); wire_value(&v, &bits); count--)
            seen[n++] = bits;
        assert_int_equal(count, 0);
    }
    assert_ok(f.r.status);
    static const uint64_t wanted[] = {
        1, 300, 5, 0x3f800000, 0x40000000, 0x40400000, 0x0807060504030201
    };
    assert_int_equal(n, 7);
    assert_memory_equal(seen, wanted, sizeof wanted);
    assert_ok(wire_tally(&f.source, &f.message, &outer, counts));
    assert_int_equal(counts[NUMBERS], 3);
    assert_int_equal(counts[REALS], 3);
    assert_int_equal(counts[DOUBLES], 1);
}

static void pieces_read_as_one_message(void **state)
{
    (void)state;
    struct arena a;
    struct fixture f;
    char text[8] = "";
    arena_init(&a, NULL);
    BEGIN(f, "");
    struct wire_message m = { 0 };
    assert_true(wire_message_add(&m,
                                 SPAN("\x1a\x01"
                                      "a"),
                                 &a));
    assert_true(wire_message_add(&m, SPAN(""), &a));
    assert_true(wire_message_add(&m,
                                 SPAN("\x1a\x01"
                                      "b\x1a\x01"
                                      "c"),
                                 &a));
    assert_true(wire_message_add(&m,
                                 SPAN("\x1a\x01"
                                      "d"),
                                 &a));
    for (struct wire_reader r = wire_read(&f.source, &m, &outer); wire_next(&r);)
        strncat(text, (const char *)r.bytes.data, r.bytes.size);
    assert_string_equal(text, "abcd");
    arena_free(&a);
}

static void an_absent_message_is_empty(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, NULL, 0);
    assert_false(wire_next(&f.r));
    assert_ok(f.r.status);
}

static void what_is_cut_off_is_refused(void **state)
{
    (void)state;
    REFUSED("\x88", DIAG_PROTOBUF_TRUNCATED,
            "Outer at byte offset 0: field tag is a varint that is cut off");
    REFUSED("\x08", DIAG_PROTOBUF_TRUNCATED,
            "Outer.number at byte offset 1: value is a varint that is cut off");
    REFUSED("\x08\x01\x15\x00\x00", DIAG_PROTOBUF_TRUNCATED,
            "Outer.real at byte offset 2: cut off: 2 of 4 bytes are left");
    REFUSED("\x1a\x05"
            "abcd",
            DIAG_PROTOBUF_TRUNCATED,
            "Outer.text at byte offset 0: length 5 is more than the 4 bytes that are left");
    REFUSED("\xc9\x01"
            "1234567",
            DIAG_PROTOBUF_TRUNCATED,
            "Outer, unknown field 25, at byte offset 0: cut off: 7 of 8 bytes are left");
    REFUSED("\x1a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
            "abcd",
            DIAG_PROTOBUF_TRUNCATED,
            "Outer.text at byte offset 0: length 18446744073709551615 is more than the 4 bytes "
            "that are left");
}

static void values_of_packed_fields_are_whole(void **state)
{
    (void)state;
    REFUSED("\x22\x02\x01\x80", DIAG_PROTOBUF_TRUNCATED,
            "Outer.numbers at byte offset 3: the last varint is cut off");
    REFUSED("\x22\x0b\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", DIAG_PROTOBUF_VARINT,
            "Outer.numbers at byte offset 2: a varint of more than 10 bytes");
    REFUSED("\x2a\x05\x00\x00\x00\x00\x00", DIAG_PROTOBUF_TRUNCATED,
            "Outer.reals at byte offset 0: length 5 is not a multiple of 4");
    REFUSED("\x32\x04\x00\x00\x00\x00", DIAG_PROTOBUF_TRUNCATED,
            "Outer.doubles at byte offset 0: length 4 is not a multiple of 8");
}

static void bad_tags_are_refused(void **state)
{
    (void)state;
    REFUSED("\x08\x01\x00", DIAG_PROTOBUF_FIELD,
            "Outer at byte offset 2: field number 0, must be from 1 to 536870911");
    REFUSED("\x80\x80\x80\x80\x10\x00", DIAG_PROTOBUF_FIELD,
            "Outer at byte offset 0: field number 536870912, must be from 1 to 536870911");
    REFUSED("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", DIAG_PROTOBUF_VARINT,
            "Outer at byte offset 0: field tag is a varint of more than 10 bytes");
    REFUSED("\x0a\x01"
            "a",
            DIAG_PROTOBUF_WIRE_TYPE,
            "Outer.number at byte offset 0: wire type 2 (length-delimited), must be 0 (varint)");
    REFUSED("\x18\x01", DIAG_PROTOBUF_WIRE_TYPE,
            "Outer.text at byte offset 0: wire type 0 (varint), must be 2 (length-delimited)");
    REFUSED(
        "\x25"
        "1234",
        DIAG_PROTOBUF_WIRE_TYPE,
        "Outer.numbers at byte offset 0: wire type 5 (32 bits), must be 2 (packed) or 0 (varint)");
    REFUSED("\xa3\x1f", DIAG_PROTOBUF_WIRE_TYPE,
            "Outer, unknown field 500, at byte offset 0: wire type 3 (start of a group), must be 0 "
            "(varint), 1 (64 bits), 2 (length-delimited) or 5 (32 bits)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_come_in_order),
        cmocka_unit_test(numbers_may_be_longer_than_needed),
        cmocka_unit_test(int32_is_cut_as_protobuf_does),
        cmocka_unit_test(unknown_fields_are_skipped_and_remembered),
        cmocka_unit_test(repeated_numbers_are_packed_or_not),
        cmocka_unit_test(pieces_read_as_one_message),
        cmocka_unit_test(an_absent_message_is_empty),
        cmocka_unit_test(what_is_cut_off_is_refused),
        cmocka_unit_test(values_of_packed_fields_are_whole),
        cmocka_unit_test(bad_tags_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
