/* What evaluation accepts is what the kernels have. */
#include "kernels/kernel.h"
#include "support/test.h"
#include "webnn/limits.h"

static void limits_of_evaluation_are_the_kernels_dtypes(void **state)
{
    struct limits limits;
    (void)state;
    limits_evaluation(&limits);
    for (unsigned i = 0; i < WEBNN_OPERATOR_COUNT; i++) {
        dtype_set kernel = kernel_dtypes((enum webnn_operator)i);
        dtype_set differ = limits.operators[i][0].dtypes ^ kernel;
        char text[256];
        dtype_set_text(differ, text, sizeof text);
        if (differ != 0)
            fail_msg("%s: %s", webnn_operator_rows[i].name, text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_of_evaluation_are_the_kernels_dtypes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
