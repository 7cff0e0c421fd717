// SPDX-License-Identifier: MIT
// Unit tests for solvers/robust.c.
#include "solvers/robust.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_known_values(void **state)
{
    (void)state;
    const ug_loss huber = { UG_LOSS_HUBER, 2.0 }, gm = { UG_LOSS_GEMAN_MCCLURE, 2.0 };
    assert_true(ug_loss_cost((ug_loss){ UG_LOSS_SQUARE, 0.0 }, 9.0) == 9.0);
    assert_true(ug_loss_weight((ug_loss){ UG_LOSS_SQUARE, 0.0 }, 9.0) == 1.0);
    assert_true(ug_loss_cost(huber, 1.0) == 1.0 && ug_loss_weight(huber, 1.0) == 1.0);
    assert_true(fabs(ug_loss_cost(huber, 9.0) - 8.0) < 1e-15); // 2·2·3 − 4
    assert_true(fabs(ug_loss_weight(huber, 16.0) - 0.5) < 1e-15);
    assert_true(fabs(ug_loss_cost(gm, 4.0) - 2.0) < 1e-15);
    assert_true(fabs(ug_loss_weight(gm, 4.0) - 0.25) < 1e-15);
    assert_true(ug_loss_cost(gm, 1e12) < 4.0); // the pull ends at scale²
}

static void test_weight_is_the_slope_of_the_cost(void **state)
{
    (void)state;
    const ug_loss_kind kinds[] = { UG_LOSS_SQUARE, UG_LOSS_HUBER, UG_LOSS_GEMAN_MCCLURE };
    for (size_t k = 0; k < 3; k++) {
        const ug_loss loss = { kinds[k], 0.7 };
        for (double s2 = 0.05; s2 < 4.0; s2 += 0.113) {
            const double h = 1e-6;
            const double slope =
                (ug_loss_cost(loss, s2 + h) - ug_loss_cost(loss, s2 - h)) / (2.0 * h);
            assert_true(fabs(slope - ug_loss_weight(loss, s2)) < 1e-8);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_values),
        cmocka_unit_test(test_weight_is_the_slope_of_the_cost),
    };
    return cmocka_run_group_tests_name("solvers/robust", tests, NULL, NULL);
}
