/* gather, gatherElements, gatherND, scatterElements, scatterND. */
#include "coordinates.h"

static void indices_count_from_the_end_and_are_clamped(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_gather_attributes p = { .axis = 0 };
    struct tensor x = FLOATS(&k, DIMS(3), 10, 20, 30),
                  i = TENSOR(&k, DTYPE_INT32, DIMS(6), 0, -1, -3, -9, 9, 2);
    assert_values(result_of(&k, WEBNN_GATHER, &p, DTYPE_FLOAT32, DIMS(6), &x, &i, NULL), 10, 30, 10,
                  10, 30, 30);
    struct tensor u = TENSOR(&k, DTYPE_UINT32, DIMS(2), 4294967295.0, 1);
    assert_values(result_of(&k, WEBNN_GATHER, &p, DTYPE_FLOAT32, DIMS(2), &x, &u, NULL), 30, 20);
    struct tensor w = blank(&k, DTYPE_INT64, DIMS(3));
    tensor_put_i64(&w, 0, INT64_MIN);
    tensor_put_i64(&w, 1, INT64_MAX);
    tensor_put_i64(&w, 2, INT64_C(1) << 32);
    assert_values(result_of(&k, WEBNN_GATHER, &p, DTYPE_FLOAT32, DIMS(3), &x, &w, NULL), 10, 30,
                  30);
    kit_close(&k);
    (void)state;
}

static void gather_replaces_a_dim_by_the_indices(void **state)
{
    struct kit k;
    kit_open(&k);
    const enum dtype kinds[] = { DTYPE_INT8,  DTYPE_FLOAT16, DTYPE_FLOAT32,
                                 DTYPE_INT64, DTYPE_INT4,    DTYPE_UINT4 };
    for (size_t t = 0; t < 6; t++)
        for (uint32_t axis = 0; axis < 3; axis++) {
            const struct webnn_gather_attributes p = { .axis = axis };
            struct tensor x = numbered(&k, kinds[t], DIMS(2, 3, 4)),
                          i = TENSOR(&k, DTYPE_INT64, DIMS(2, 2), 1, 0, -1, 1);
            struct shape s = { .rank = 4 };
            uint32_t d = 0;
            for (uint32_t e = 0; e < 3; e++) {
                if (e == axis)
                    s.dims[d++] = 2, s.dims[d++] = 2;
                else
                    s.dims[d++] = x.dims[e];
            }
            struct tensor y = result_of(&k, WEBNN_GATHER, &p, kinds[t], s, &x, &i, NULL);
            for (uint64_t e = 0; e < tensor_count(&y); e++) {
                int64_t at[MAX_RANK], from[MAX_RANK] = { 0 };
                coordinates_of(&y, e, at);
                for (uint32_t f = 0; f < 3; f++)
                    from[f] = f < axis ? at[f] : at[f + 1];
                int64_t index = tensor_get_i64(&i, (uint64_t)(at[axis] * 2 + at[axis + 1]));
                from[axis] = index < 0 ? index + x.dims[axis] : index;
                assert_true(tensor_get_double(&y, e) == value_at(&x, from));
            }
        }
    struct tensor x = FLOATS(&k, DIMS(3), 1, 2, 3), one = TENSOR(&k, DTYPE_INT32, SCALAR, 2);
    const struct webnn_gather_attributes p = { .axis = 0 };
    assert_values(result_of(&k, WEBNN_GATHER, &p, DTYPE_FLOAT32, SCALAR, &x, &one, NULL), 3);
    kit_close(&k);
    (void)state;
}

static void gather_elements_along_an_axis(void **state)
{
    struct kit k;
    kit_open(&k);
    struct webnn_gather_elements_attributes p = { .axis = 1 };
    struct tensor x = FLOATS(&k, DIMS(2, 3), 1, 2, 3, 4, 5, 6),
                  i = TENSOR(&k, DTYPE_INT32, DIMS(2, 4), 0, -1, 9, 1, 2, 2, -9, 0);
    assert_values(result_of(&k, WEBNN_GATHER_ELEMENTS, &p, DTYPE_FLOAT32, DIMS(2, 4), &x, &i, NULL),
                  1, 3, 3, 2, 6, 6, 4, 4);
    p.axis = 0;
    struct tensor j = TENSOR(&k, DTYPE_INT64, DIMS(1, 3), 1, 0, 1);
    assert_values(result_of(&k, WEBNN_GATHER_ELEMENTS, &p, DTYPE_FLOAT32, DIMS(1, 3), &x, &j, NULL),
                  4, 2, 6);
    kit_close(&k);
    (void)state;
}

static void gather_nd_takes_tuples(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = FLOATS(&k, DIMS(2, 2, 2), 1, 2, 3, 4, 5, 6, 7, 8);
    struct tensor whole = TENSOR(&k, DTYPE_INT32, DIMS(2, 3), 0, 1, 0, -1, 9, 1),
                  part = TENSOR(&k, DTYPE_INT32, DIMS(1, 2, 1), 1, 0);
    assert_values(result_of(&k, WEBNN_GATHER_ND, NULL, DTYPE_FLOAT32, DIMS(2), &x, &whole, NULL), 3,
                  8);
    assert_values(
        result_of(&k, WEBNN_GATHER_ND, NULL, DTYPE_FLOAT32, DIMS(1, 2, 2, 2), &x, &part, NULL), 5,
        6, 7, 8, 1, 2, 3, 4);
    struct tensor one = TENSOR(&k, DTYPE_INT64, DIMS(2), 1, 1);
    assert_values(result_of(&k, WEBNN_GATHER_ND, NULL, DTYPE_FLOAT32, DIMS(2), &x, &one, NULL), 7,
                  8);
    kit_close(&k);
    (void)state;
}

static void scatter_elements_replaces(void **state)
{
    struct kit k;
    kit_open(&k);
    struct webnn_scatter_elements_attributes p = { .axis = 0 };
    struct tensor x = FLOATS(&k, DIMS(3, 2), 1, 2, 3, 4, 5, 6),
                  i = TENSOR(&k, DTYPE_INT32, DIMS(2, 2), 0, -1, 9, 2);
    struct tensor u = FLOATS(&k, DIMS(2, 2), 10, 20, 30, 40);
    /* column 1: 20 then 40 go to row 2, the later one stays */
    assert_values(result_of(&k, WEBNN_SCATTER_ELEMENTS, &p, DTYPE_FLOAT32, DIMS(3, 2), &x, &i, &u),
                  10, 2, 3, 4, 30, 40);
    p.axis = 1;
    struct tensor bytes = TENSOR(&k, DTYPE_INT8, DIMS(2, 3), 1, 2, 3, 4, 5, 6),
                  j = TENSOR(&k, DTYPE_INT64, DIMS(2, 1), 2, 0);
    struct tensor v = TENSOR(&k, DTYPE_INT8, DIMS(2, 1), -1, -2);
    assert_values(result_of(&k, WEBNN_SCATTER_ELEMENTS, &p, DTYPE_INT8, DIMS(2, 3), &bytes, &j, &v),
                  1, 2, -1, -2, 5, 6);
    kit_close(&k);
    (void)state;
}

static void scatter_nd_writes_blocks_in_order(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor x = FLOATS(&k, DIMS(3, 2), 1, 2, 3, 4, 5, 6),
                  i = TENSOR(&k, DTYPE_INT32, DIMS(3, 1), 2, -3, 2);
    struct tensor u = FLOATS(&k, DIMS(3, 2), 10, 20, 30, 40, 50, 60);
    assert_values(result_of(&k, WEBNN_SCATTER_ND, NULL, DTYPE_FLOAT32, DIMS(3, 2), &x, &i, &u), 30,
                  40, 3, 4, 50, 60);
    struct tensor points = TENSOR(&k, DTYPE_INT64, DIMS(2, 2), 0, 1, 99, -99),
                  w = FLOATS(&k, DIMS(2), 7, 8);
    assert_values(result_of(&k, WEBNN_SCATTER_ND, NULL, DTYPE_FLOAT32, DIMS(3, 2), &x, &points, &w),
                  1, 7, 3, 4, 8, 6);
    struct tensor none = blank(&k, DTYPE_INT32, DIMS(0, 1)),
                  nothing = blank(&k, DTYPE_FLOAT32, DIMS(0, 2));
    assert_values(
        result_of(&k, WEBNN_SCATTER_ND, NULL, DTYPE_FLOAT32, DIMS(3, 2), &x, &none, &nothing), 1, 2,
        3, 4, 5, 6);
    kit_close(&k);
    (void)state;
}

static void nothing_can_be_gathered_from_an_empty_dim(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_gather_attributes p = { .axis = 0 };
    struct tensor x = blank(&k, DTYPE_FLOAT32, DIMS(0)), i = TENSOR(&k, DTYPE_INT32, DIMS(1), 0);
    struct call c = { WEBNN_GATHER, &p, 2, { &x, &i }, 1, { blank(&k, DTYPE_FLOAT32, DIMS(1)) } };
    assert_status(run_with(&c, NULL, NULL), O2W_UNSUPPORTED);
    kit_close(&k);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices_count_from_the_end_and_are_clamped),
        cmocka_unit_test(gather_replaces_a_dim_by_the_indices),
        cmocka_unit_test(gather_elements_along_an_axis),
        cmocka_unit_test(gather_nd_takes_tuples),
        cmocka_unit_test(scatter_elements_replaces),
        cmocka_unit_test(scatter_nd_writes_blocks_in_order),
        cmocka_unit_test(nothing_can_be_gathered_from_an_empty_dim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
