// SPDX-License-Identifier: MIT
// Unit tests for motion/median.c.
#include "motion/median.h"

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

static void test_rank_quantiles_are_values_themselves(void **state)
{
    (void)state;
    // nearest rank of 4 values: ceil(0.5 * 4) = 2nd, ceil(0.95 * 4) = 4th, and never the 0th
    assert_true(ug_quantile_rank((double[]){ 4, 1, 100, 2 }, 4, 0.5) == 2);
    assert_true(ug_quantile_rank((double[]){ 4, 1, 100, 2 }, 4, 0.95) == 100);
    assert_true(ug_quantile_rank((double[]){ 4, 1, 100, 2 }, 4, 0.0) == 1);
    assert_true(isnan(ug_quantile_rank(NULL, 0, 0.5)));
}

static void test_sorting_orders_negative_equal_and_infinite(void **state)
{
    (void)state;
    double values[] = { 2, -INFINITY, 2, -1e-300, 0, INFINITY, -3 };
    const double sorted[] = { -INFINITY, -3, -1e-300, 0, 2, 2, INFINITY };
    ug_sort_ascending(values, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_true(values[i] == sorted[i]);
    }
    ug_sort_ascending(NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_odd_even_one_and_none),
                                        cmocka_unit_test(test_quantiles_are_linear_between_values),
                                        cmocka_unit_test(test_rank_quantiles_are_values_themselves),
                                        cmocka_unit_test(
                                            test_sorting_orders_negative_equal_and_infinite) };
    return cmocka_run_group_tests_name("motion/median", tests, NULL, NULL);
}
