// SPDX-License-Identifier: MIT
// Unit tests for solvers/gap_methods.c.
#include "solvers/gap_methods.h"

#include "tests/support/rigid_take.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_names(void **state)
{
    (void)state;
    ug_fill_method method = UG_FILL_NONE;
    assert_true(ug_gap_method_from_name(&method, "spline"));
    assert_int_equal(method, UG_FILL_CUBIC);
    assert_true(ug_gap_method_from_name(&method, "rigid"));
    assert_int_equal(method, UG_FILL_RIGID);
    assert_true(ug_gap_method_from_name(&method, "cubic"));
    assert_int_equal(method, UG_FILL_CUBIC);
    assert_false(ug_gap_method_from_name(&method, "magic"));
    assert_int_equal(method, UG_FILL_CUBIC);
}

// Each method with its own idea of how far off it is.
static void test_methods_know_their_error(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5);
    const ug_gap gap = { 0, 200, 319, true, true };
    ug_vec3 out[120];
    ug_rigid_neighbour neighbours[5];
    ug_gap_scratch scratch = { out, neighbours };
    double error_mm = -1.0;
    hide(m, 0, 200, 319);
    assert_true(ug_gap_method_fill(&scratch, &error_mm, m, &gap, UG_FILL_RIGID));
    assert_true(error_mm >= 0.0 && error_mm < 0.01);
    assert_true(ug_gap_method_fill(&scratch, &error_mm, m, &gap, UG_FILL_CUBIC));
    assert_true(error_mm > 10.0); // a second of tumbling is nothing for a cubic, and it knows
    hide(m, 1, 250, 250);
    hide(m, 2, 250, 250);
    assert_false(ug_gap_method_fill(&scratch, &error_mm, m, &gap, UG_FILL_RIGID));
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_methods_know_their_error),
    };
    return cmocka_run_group_tests_name("solvers/gap_methods", tests, NULL, NULL);
}
