/* Operators that move elements: each against its definition by coordinates, for every width. */
#include "coordinates.h"

static const enum dtype widths[] = { DTYPE_UINT8, DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_INT16,
                                     DTYPE_INT32, DTYPE_FLOAT32, DTYPE_INT64,    DTYPE_FLOAT64,
                                     DTYPE_INT4,  DTYPE_UINT4,   DTYPE_BOOL };

enum { WIDTHS = sizeof widths / sizeof *widths };

/* Where element `at` of the result comes from. */
typedef void (*source)(const void *attributes, const struct tensor *x, const int64_t *at,
                       int64_t *from);

static void check(struct kit *k, enum webnn_operator kind, const void *attributes, struct shape in,
                  struct shape out, source from)
{
    for (size_t i = 0; i < WIDTHS; i++) {
        struct tensor x = numbered(k, widths[i], in);
        struct tensor y = result_of(k, kind, attributes, widths[i], out, &x, NULL, NULL);
        for (uint64_t e = 0; e < tensor_count(&y); e++) {
            int64_t at[MAX_RANK] = { 0 }, source_at[MAX_RANK] = { 0 };
            coordinates_of(&y, e, at);
            from(attributes, &x, at, source_at);
            assert_true(same_number(tensor_get_double(&y, e), value_at(&x, source_at)));
        }
    }
}

static void from_transpose(const void *attributes, const struct tensor *x, const int64_t *at,
                           int64_t *from)
{
    const struct webnn_transpose_attributes *p = attributes;
    for (uint32_t d = 0; d < x->rank; d++)
        from[p->permutation.items[d]] = at[d];
}

static void check_transpose(struct kit *k, struct shape in, const uint32_t *permutation)
{
    struct webnn_transpose_attributes p = { .permutation = { .given = true, .count = in.rank } };
    struct shape out = { .rank = in.rank };
    for (uint32_t d = 0; d < in.rank; d++) {
        p.permutation.items[d] = permutation[d];
        out.dims[d] = in.dims[permutation[d]];
    }
    check(k, WEBNN_TRANSPOSE, &p, in, out, from_transpose);
}

static void transpose_follows_the_permutation(void **state)
{
    struct kit k;
    kit_open(&k);
    check_transpose(&k, SCALAR, NULL);
    check_transpose(&k, DIMS(3, 5), (const uint32_t[]){ 1, 0 });
    check_transpose(&k, DIMS(129, 67), (const uint32_t[]){ 1, 0 });
    check_transpose(&k, DIMS(2, 3, 4, 5), (const uint32_t[]){ 0, 2, 3, 1 });
    check_transpose(&k, DIMS(2, 3, 4, 5), (const uint32_t[]){ 3, 1, 0, 2 });
    check_transpose(&k, DIMS(2, 3, 4, 5), (const uint32_t[]){ 0, 2, 1, 3 });
    check_transpose(&k, DIMS(1, 4, 2, 2, 3, 5), (const uint32_t[]){ 0, 1, 4, 2, 5, 3 });
    check_transpose(&k, DIMS(2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 2),
                    (const uint32_t[]){ 15, 3, 2, 1, 0, 4, 14, 6, 10, 8, 9, 7, 11, 12, 13, 5 });
    check_transpose(&k, DIMS(64, 700), (const uint32_t[]){ 1, 0 });
    kit_close(&k);
    (void)state;
}

static void from_slice(const void *attributes, const struct tensor *x, const int64_t *at,
                       int64_t *from)
{
    const struct webnn_slice_attributes *p = attributes;
    for (uint32_t d = 0; d < x->rank; d++)
        from[d] = p->starts.items[d] + at[d] * (p->strides.given ? p->strides.items[d] : 1);
}

static void slice_starts_and_strides(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_slice_attributes plain = { .starts = { true, 3, { 0, 1, 2 } },
                                                  .sizes = { true, 3, { 2, 3, 4 } } };
    check(&k, WEBNN_SLICE, &plain, DIMS(3, 4, 7), DIMS(2, 3, 4), from_slice);
    const struct webnn_slice_attributes strided = { .starts = { true, 3, { 1, 0, 1 } },
                                                    .sizes = { true, 3, { 2, 4, 6 } },
                                                    .strides = { true, 3, { 1, 3, 2 } } };
    check(&k, WEBNN_SLICE, &strided, DIMS(3, 4, 7), DIMS(2, 2, 3), from_slice);
    const struct webnn_slice_attributes wide = { .starts = { true, 1, { 2 } },
                                                 .sizes = { true, 1, { 3 } },
                                                 .strides = { true, 1, { 9 } } };
    check(&k, WEBNN_SLICE, &wide, DIMS(6), DIMS(1), from_slice);
    const struct webnn_slice_attributes none = { .starts = { .given = true } };
    check(&k, WEBNN_SLICE, &none, SCALAR, SCALAR, from_slice);
    kit_close(&k);
    (void)state;
}

static void from_expand(const void *attributes, const struct tensor *x, const int64_t *at,
                        int64_t *from)
{
    const struct webnn_expand_attributes *p = attributes;
    uint32_t shift = p->new_shape.count - x->rank;
    for (uint32_t d = 0; d < x->rank; d++)
        from[d] = x->dims[d] == 1 ? 0 : at[d + shift];
}

static void expand_repeats_dims_of_size_1(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_expand_attributes a = { .new_shape = { true, 3, { 2, 3, 4 } } };
    check(&k, WEBNN_EXPAND, &a, DIMS(3, 1), DIMS(2, 3, 4), from_expand);
    check(&k, WEBNN_EXPAND, &a, SCALAR, DIMS(2, 3, 4), from_expand);
    check(&k, WEBNN_EXPAND, &a, DIMS(2, 1, 4), DIMS(2, 3, 4), from_expand);
    check(&k, WEBNN_EXPAND, &a, DIMS(2, 3, 4), DIMS(2, 3, 4), from_expand);
    kit_close(&k);
    (void)state;
}

static void from_tile(const void *attributes, const struct tensor *x, const int64_t *at,
                      int64_t *from)
{
    (void)attributes;
    for (uint32_t d = 0; d < x->rank; d++)
        from[d] = at[d] % x->dims[d];
}

static void tile_repeats_whole_dims(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_tile_attributes a = { .repetitions = { true, 3, { 2, 1, 3 } } };
    check(&k, WEBNN_TILE, &a, DIMS(2, 3, 4), DIMS(4, 3, 12), from_tile);
    check(&k, WEBNN_TILE, &a, DIMS(1, 3, 1), DIMS(2, 3, 3), from_tile);
    struct webnn_tile_attributes deep = { .repetitions = { .given = true, .count = 16 } };
    struct shape in = { .rank = 16 }, out = { .rank = 16 };
    for (uint32_t d = 0; d < 16; d++) {
        in.dims[d] = d % 2 ? 2 : 1;
        deep.repetitions.items[d] = d % 3 ? 1 : 2;
        out.dims[d] = in.dims[d] * deep.repetitions.items[d];
    }
    check(&k, WEBNN_TILE, &deep, in, out, from_tile);
    kit_close(&k);
    (void)state;
}

static void from_reverse(const void *attributes, const struct tensor *x, const int64_t *at,
                         int64_t *from)
{
    const struct webnn_reverse_attributes *p = attributes;
    for (uint32_t d = 0; d < x->rank; d++) {
        bool turned = !p->axes.given;
        for (uint32_t i = 0; i < p->axes.count; i++)
            turned = turned || p->axes.items[i] == d;
        from[d] = turned ? x->dims[d] - 1 - at[d] : at[d];
    }
}

static void reverse_turns_the_axes_it_is_given(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_reverse_attributes all = { .axes = { .given = false } };
    const struct webnn_reverse_attributes none = { .axes = { .given = true } };
    const struct webnn_reverse_attributes some = { .axes = { true, 2, { 2, 0 } } };
    check(&k, WEBNN_REVERSE, &all, DIMS(2, 3, 5), DIMS(2, 3, 5), from_reverse);
    check(&k, WEBNN_REVERSE, &none, DIMS(2, 3, 5), DIMS(2, 3, 5), from_reverse);
    check(&k, WEBNN_REVERSE, &some, DIMS(2, 3, 5), DIMS(2, 3, 5), from_reverse);
    check(&k, WEBNN_REVERSE, &all, DIMS(100), DIMS(100), from_reverse);
    check(&k, WEBNN_REVERSE, &all, SCALAR, SCALAR, from_reverse);
    kit_close(&k);
    (void)state;
}

static void concat_and_split_undo_each_other(void **state)
{
    struct kit k;
    kit_open(&k);
    for (size_t i = 0; i < WIDTHS; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            struct shape s = DIMS(2, 3, 5), whole = s;
            struct call join = { .kind = WEBNN_CONCAT, .operand_count = 4, .result_count = 1 };
            struct call cut = { .kind = WEBNN_SPLIT, .operand_count = 1, .result_count = 4 };
            struct tensor parts[4];
            const int64_t sizes[4] = { 1, 3, 0, 2 };
            whole.dims[axis] = 6;
            for (int p = 0; p < 4; p++) {
                s.dims[axis] = sizes[p];
                parts[p] = noise(&k, widths[i], s, 0, 7);
                join.operands[p] = &parts[p];
                cut.results[p] = blank(&k, widths[i], s);
            }
            const struct webnn_concat_attributes c = { .axis = axis };
            const uint32_t split_sizes[4] = { 1, 3, 0, 2 };
            const struct webnn_split_attributes p = {
                .splits = { .count = 4, .items = split_sizes }, .axis = axis
            };
            join.attributes = &c;
            cut.attributes = &p;
            join.results[0] = blank(&k, widths[i], whole);
            run(&k, &join);
            cut.operands[0] = &join.results[0];
            run(&k, &cut);
            for (int q = 0; q < 4; q++)
                assert_memory_equal(parts[q].data, cut.results[q].data, tensor_bytes(&parts[q]));
        }
    }
    struct tensor a = FLOATS(&k, DIMS(2, 1), 1, 2), b = FLOATS(&k, DIMS(2, 2), 3, 4, 5, 6);
    const struct webnn_concat_attributes last = { .axis = 1 };
    assert_values(result_of(&k, WEBNN_CONCAT, &last, DTYPE_FLOAT32, DIMS(2, 3), &a, &b, NULL), 1, 3,
                  4, 2, 5, 6);
    kit_close(&k);
    (void)state;
}

static void identity_and_reshape_keep_every_bit(void **state)
{
    struct kit k;
    kit_open(&k);
    const uint32_t bits[4] = { 0x7fc12345, 0xff812345, 0x80000000, 0x00000001 };
    struct tensor x = blank(&k, DTYPE_FLOAT32, DIMS(4));
    memcpy(x.data, bits, sizeof bits);
    struct tensor same = unary(&k, WEBNN_IDENTITY, NULL, x);
    struct tensor shaped =
        result_of(&k, WEBNN_RESHAPE, NULL, DTYPE_FLOAT32, DIMS(2, 2), &x, NULL, NULL);
    assert_memory_equal(same.data, bits, sizeof bits);
    assert_memory_equal(shaped.data, bits, sizeof bits);
    kit_close(&k);
    (void)state;
}

static void pad_fills_repeats_or_reflects(void **state)
{
    struct kit k;
    kit_open(&k);
    struct webnn_pad_attributes p = { .beginning_padding = { true, 1, { 2 } },
                                      .ending_padding = { true, 1, { 1 } } };
    struct tensor x = FLOATS(&k, DIMS(3), 1, 2, 3);
    p.value = (struct webnn_number){ .kind = WEBNN_NUMBER_DOUBLE, .d = 0.5 };
    assert_values(result_of(&k, WEBNN_PAD, &p, DTYPE_FLOAT32, DIMS(6), &x, NULL, NULL), 0.5, 0.5, 1,
                  2, 3, 0.5);
    p.mode = WEBNN_PADDING_MODE_REFLECTION;
    assert_values(result_of(&k, WEBNN_PAD, &p, DTYPE_FLOAT32, DIMS(6), &x, NULL, NULL), 3, 2, 1, 2,
                  3, 2);
    p.mode = WEBNN_PADDING_MODE_EDGE;
    assert_values(result_of(&k, WEBNN_PAD, &p, DTYPE_FLOAT32, DIMS(6), &x, NULL, NULL), 1, 1, 1, 2,
                  3, 3);
    p.ending_padding.items[0] = 3; /* longer than the dim itself */
    assert_values(result_of(&k, WEBNN_PAD, &p, DTYPE_FLOAT32, DIMS(8), &x, NULL, NULL), 1, 1, 1, 2,
                  3, 3, 3, 3);
    struct webnn_pad_attributes q = { .beginning_padding = { true, 2, { 1, 0 } },
                                      .ending_padding = { true, 2, { 0, 2 } },
                                      .value = { .kind = WEBNN_NUMBER_INT, .i = -300 } };
    struct tensor bytes = TENSOR(&k, DTYPE_INT8, DIMS(1, 2), 5, 6);
    assert_values(result_of(&k, WEBNN_PAD, &q, DTYPE_INT8, DIMS(2, 4), &bytes, NULL, NULL), -128,
                  -128, -128, -128, 5, 6, -128, -128);
    q.mode = WEBNN_PADDING_MODE_EDGE;
    assert_values(result_of(&k, WEBNN_PAD, &q, DTYPE_INT8, DIMS(2, 4), &bytes, NULL, NULL), 5, 6, 6,
                  6, 5, 6, 6, 6);
    struct tensor none = blank(&k, DTYPE_INT8, DIMS(0, 2));
    q.mode = WEBNN_PADDING_MODE_CONSTANT;
    assert_values(result_of(&k, WEBNN_PAD, &q, DTYPE_INT8, DIMS(1, 4), &none, NULL, NULL), -128,
                  -128, -128, -128);
    kit_close(&k);
    (void)state;
}

static void triangular_keeps_one_side_of_a_diagonal(void **state)
{
    struct kit k;
    kit_open(&k);
    for (int32_t diagonal = -5; diagonal <= 5; diagonal++) {
        for (int upper = 0; upper < 2; upper++) {
            const struct webnn_triangular_attributes p = { .upper = upper, .diagonal = diagonal };
            struct tensor x = numbered(&k, DTYPE_INT16, DIMS(2, 3, 4));
            struct tensor y = unary(&k, WEBNN_TRIANGULAR, &p, x);
            for (uint64_t i = 0; i < tensor_count(&y); i++) {
                int64_t at[MAX_RANK];
                coordinates_of(&y, i, at);
                bool kept = upper ? at[2] - at[1] >= diagonal : at[2] - at[1] <= diagonal;
                assert_int_equal(tensor_get_i64(&y, i), kept ? (int64_t)i + 1 : 0);
            }
        }
    }
    kit_close(&k);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transpose_follows_the_permutation),
        cmocka_unit_test(slice_starts_and_strides),
        cmocka_unit_test(expand_repeats_dims_of_size_1),
        cmocka_unit_test(tile_repeats_whole_dims),
        cmocka_unit_test(reverse_turns_the_axes_it_is_given),
        cmocka_unit_test(concat_and_split_undo_each_other),
        cmocka_unit_test(identity_and_reshape_keep_every_bit),
        cmocka_unit_test(pad_fills_repeats_or_reflects),
        cmocka_unit_test(triangular_keeps_one_side_of_a_diagonal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
