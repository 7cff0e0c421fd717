// SPDX-License-Identifier: MIT
// Unit tests for solvers/median.c.
#include "solvers/median.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_odd_even_one_and_none(void **state)
{
    (void)state;
    assert_true(ug_median((double[]){ 9, 1, 5 }, 3) == 5);
    assert_true(ug_median((double[]){ 4, 1, 100, 2 }, 4) == 3);
    assert_true(ug_median((double[]){ -7 }, 1) == -7);
    assert_true(isnan(ug_median(NULL, 0)));
}

static void test_quantiles_are_linear_between_values(void **state)
{
    (void)state;
    assert_true(ug_quantile((double[]){ 3, 1, 2 }, 3, 0.0) == 1);
    assert_true(ug_quantile((double[]){ 3, 1, 2 }, 3, 1.0) == 3);
    assert_true(ug_quantile((double[]){ 30, 10, 20 }, 3, 0.75) == 25);
    assert_true(isnan(ug_quantile(NULL, 0, 0.5)));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_odd_even_one_and_none),
                                        cmocka_unit_test(
                                            test_quantiles_are_linear_between_values) };
    return cmocka_run_group_tests_name("solvers/median", tests, NULL, NULL);
}
