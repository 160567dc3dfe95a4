/* matmul and gemm against sums in double, over sizes that cross every block of the packed product. */
#include "coordinates.h"

static double product_at(const struct tensor *a, const struct tensor *b, const struct tensor *y,
                         uint64_t i)
{
    int64_t at[MAX_RANK], at_a[MAX_RANK] = { 0 }, at_b[MAX_RANK] = { 0 };
    coordinates_of(y, i, at);
    for (uint32_t d = 0; d + 2 < y->rank; d++) {
        uint32_t back = y->rank - d;
        if (back <= a->rank && a->dims[a->rank - back] > 1)
            at_a[a->rank - back] = at[d];
        if (back <= b->rank && b->dims[b->rank - back] > 1)
            at_b[b->rank - back] = at[d];
    }
    at_a[a->rank - 2] = at[y->rank - 2];
    at_b[b->rank - 1] = at[y->rank - 1];
    double sum = 0;
    for (int64_t p = 0; p < a->dims[a->rank - 1]; p++) {
        at_a[a->rank - 1] = at_b[b->rank - 2] = p;
        sum += value_at(a, at_a) * value_at(b, at_b);
    }
    return sum;
}

static void check_matmul(struct kit *k, enum dtype t, struct shape sa, struct shape sb,
                         double allowed)
{
    struct tensor a = noise(k, t, sa, -3, 3), b = noise(k, t, sb, -3, 3);
    struct shape ta = sa, tb = sb, out;
    ta.rank -= 2, tb.rank -= 2;
    assert_true(broadcast_static(ta.dims, ta.rank, tb.dims, tb.rank, out.dims, &out.rank));
    out.dims[out.rank++] = sa.dims[sa.rank - 2];
    out.dims[out.rank++] = sb.dims[sb.rank - 1];
    struct tensor y = result_of(k, WEBNN_MATMUL, NULL, t, out, &a, &b, NULL);
    for (uint64_t i = 0; i < tensor_count(&y); i++)
        assert_near(tensor_get_double(&y, i), product_at(&a, &b, &y, i), allowed, i);
}

static void products_cross_every_block(void **state)
{
    struct kit k;
    kit_open(&k);
    const int64_t m[] = { 1, 2, 5, 6, 7, 97, 250 }, n[] = { 1, 3, 16, 17, 300 },
                  c[] = { 1, 4, 255, 257 };
    for (size_t i = 0; i < 7; i++)
        for (size_t j = 0; j < 5; j++)
            for (size_t p = 0; p < 4; p++)
                check_matmul(&k, DTYPE_FLOAT32, DIMS(m[i], c[p]), DIMS(c[p], n[j]), 2e-4);
    check_matmul(&k, DTYPE_FLOAT32, DIMS(500, 300), DIMS(300, 40), 2e-4);
    kit_close(&k);
    (void)state;
}

/* Rows of a product have the same bits however many there are: few of them read B where it lies. */
static void rows_do_not_depend_on_each_other(void **state)
{
    struct kit k;
    kit_open(&k);
    enum { ROWS = 260, INNER = 300, COLUMNS = 333 };
    struct tensor a = noise(&k, DTYPE_FLOAT32, DIMS(ROWS, INNER), -3, 3),
                  b = noise(&k, DTYPE_FLOAT32, DIMS(INNER, COLUMNS), -3, 3);
    struct tensor all =
        result_of(&k, WEBNN_MATMUL, NULL, DTYPE_FLOAT32, DIMS(ROWS, COLUMNS), &a, &b, NULL);
    const int64_t few[] = { 5, 8, 12, 13, 32, 33, 48, 49, 96, 97 };
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        struct tensor part = a;
        part.dims[0] = few[i];
        struct tensor y = result_of(&k, WEBNN_MATMUL, NULL, DTYPE_FLOAT32, DIMS(few[i], COLUMNS),
                                    &part, &b, NULL);
        assert_memory_equal(y.data, all.data, (size_t)few[i] * COLUMNS * sizeof(float));
    }
    kit_close(&k);
    (void)state;
}

static void stacks_broadcast(void **state)
{
    struct kit k;
    kit_open(&k);
    check_matmul(&k, DTYPE_FLOAT32, DIMS(2, 3, 4, 5), DIMS(5, 6), 1e-5);
    check_matmul(&k, DTYPE_FLOAT32, DIMS(4, 5), DIMS(2, 3, 5, 6), 1e-5);
    check_matmul(&k, DTYPE_FLOAT32, DIMS(2, 1, 9, 5), DIMS(3, 5, 20), 1e-5);
    check_matmul(&k, DTYPE_FLOAT32, DIMS(2, 3, 1, 5), DIMS(2, 3, 5, 600), 1e-5);
    check_matmul(&k, DTYPE_FLOAT32, DIMS(2, 3, 8, 5), DIMS(2, 1, 5, 1), 1e-5);
    check_matmul(&k, DTYPE_FLOAT16, DIMS(2, 7, 9), DIMS(1, 9, 4), 1e-3);
    check_matmul(&k, DTYPE_FLOAT64, DIMS(2, 7, 9), DIMS(1, 9, 4), 1e-14);
    kit_close(&k);
    (void)state;
}

static void integers_wrap_in_products(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor a = TENSOR(&k, DTYPE_INT32, DIMS(1, 2), 2147483647, 3),
                  b = TENSOR(&k, DTYPE_INT32, DIMS(2, 1), 2, 5);
    assert_values(result_of(&k, WEBNN_MATMUL, NULL, DTYPE_INT32, DIMS(1, 1), &a, &b, NULL), 13);
    kit_close(&k);
    (void)state;
}

static void an_empty_sum_is_zero(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor a = blank(&k, DTYPE_FLOAT32, DIMS(7, 0)),
                  b = blank(&k, DTYPE_FLOAT32, DIMS(0, 5));
    struct tensor y = result_of(&k, WEBNN_MATMUL, NULL, DTYPE_FLOAT32, DIMS(7, 5), &a, &b, NULL);
    for (uint64_t i = 0; i < 35; i++)
        assert_true(tensor_get_double(&y, i) == 0);
    struct tensor row = blank(&k, DTYPE_FLOAT32, DIMS(1, 0));
    assert_values(result_of(&k, WEBNN_MATMUL, NULL, DTYPE_FLOAT32, DIMS(1, 5), &row, &b, NULL), 0,
                  0, 0, 0, 0);
    kit_close(&k);
    (void)state;
}

static void check_gemm(struct kit *k, enum dtype t, const struct webnn_gemm_attributes *p,
                       int64_t m, int64_t n, int64_t inner, struct shape sc, double allowed)
{
    struct tensor a = noise(k, t, p->a_transpose ? DIMS(inner, m) : DIMS(m, inner), -2, 2);
    struct tensor b = noise(k, t, p->b_transpose ? DIMS(n, inner) : DIMS(inner, n), -2, 2);
    struct tensor c = noise(k, t, sc, -2, 2);
    struct tensor y = result_of(k, WEBNN_GEMM, p, t, DIMS(m, n), &a, &b, &c);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++) {
            int64_t at_c[2] = { c.rank > 1 && c.dims[0] > 1 ? i : 0, 0 };
            at_c[c.rank > 1 ? 1 : 0] = c.rank > 0 && c.dims[c.rank - 1] > 1 ? j : 0;
            double sum = 0;
            for (int64_t q = 0; q < inner; q++)
                sum += value_at(&a, p->a_transpose ? (int64_t[]){ q, i } : (int64_t[]){ i, q }) *
                       value_at(&b, p->b_transpose ? (int64_t[]){ j, q } : (int64_t[]){ q, j });
            double want = p->alpha * sum + (p->beta == 0 ? 0 : p->beta * value_at(&c, at_c));
            assert_near(value_at(&y, (int64_t[]){ i, j }), want, allowed, (size_t)(i * n + j));
        }
    }
}

static void gemm_scales_transposes_and_adds(void **state)
{
    struct kit k;
    kit_open(&k);
    const double alphas[] = { 1, 0.5 }, betas[] = { 1, -2, 0 };
    for (int flags = 0; flags < 24; flags++) {
        const struct webnn_gemm_attributes p = { .alpha = alphas[flags & 1],
                                                 .beta = betas[flags / 8],
                                                 .a_transpose = flags & 2,
                                                 .b_transpose = flags & 4 };
        check_gemm(&k, DTYPE_FLOAT32, &p, 9, 20, 33, DIMS(9, 20), 1e-5);
        check_gemm(&k, DTYPE_FLOAT32, &p, 9, 20, 33, DIMS(20), 1e-5);
        check_gemm(&k, DTYPE_FLOAT32, &p, 3, 600, 5, DIMS(3, 1), 1e-5);
        check_gemm(&k, DTYPE_FLOAT32, &p, 1, 7, 40, SCALAR, 1e-5);
        check_gemm(&k, DTYPE_FLOAT32, &p, 30, 1, 40, DIMS(1, 1), 1e-5);
        check_gemm(&k, DTYPE_FLOAT64, &p, 5, 4, 3, DIMS(1, 4), 1e-14);
        check_gemm(&k, DTYPE_FLOAT16, &p, 5, 4, 3, DIMS(4), 4e-3);
    }
    kit_close(&k);
    (void)state;
}

static void beta_0_does_not_read_c(void **state)
{
    struct kit k;
    kit_open(&k);
    const struct webnn_gemm_attributes p = { .alpha = 1, .beta = 0 };
    struct tensor a = FLOATS(&k, DIMS(1, 1), 2), b = FLOATS(&k, DIMS(1, 1), 3),
                  c = FLOATS(&k, SCALAR, NAN);
    assert_values(result_of(&k, WEBNN_GEMM, &p, DTYPE_FLOAT32, DIMS(1, 1), &a, &b, &c), 6);
    const struct webnn_gemm_attributes zero = { .alpha = 0, .beta = 1 };
    struct tensor one = FLOATS(&k, SCALAR, 1), inf = FLOATS(&k, DIMS(1, 1), INFINITY);
    struct tensor y = result_of(&k, WEBNN_GEMM, &zero, DTYPE_FLOAT32, DIMS(1, 1), &inf, &b, &one);
    assert_true(isnan(tensor_get_double(&y, 0)));
    kit_close(&k);
    (void)state;
}

static o2w_status run_large(const o2w_allocator *allocator, void *user)
{
    struct call *c = user;
    return run_with(c, NULL, allocator);
}

static void every_allocation_may_fail(void **state)
{
    struct kit k;
    kit_open(&k);
    struct tensor a = noise(&k, DTYPE_FLOAT16, DIMS(2, 60, 30), -1, 1),
                  b = noise(&k, DTYPE_FLOAT16, DIMS(2, 30, 40), -1, 1);
    struct call c = { WEBNN_MATMUL, NULL, 2,
                      { &a, &b },   1,    { blank(&k, DTYPE_FLOAT16, DIMS(2, 60, 40)) } };
    assert_true(sweep_allocations(run_large, &c) > 0);
    kit_close(&k);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_cross_every_block),
        cmocka_unit_test(rows_do_not_depend_on_each_other),
        cmocka_unit_test(stacks_broadcast),
        cmocka_unit_test(integers_wrap_in_products),
        cmocka_unit_test(an_empty_sum_is_zero),
        cmocka_unit_test(gemm_scales_transposes_and_adds),
        cmocka_unit_test(beta_0_does_not_read_c),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
