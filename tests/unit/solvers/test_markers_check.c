// SPDX-License-Identifier: MIT
// Unit tests for solvers/markers_check.c.
#include "solvers/markers_check.h"

#include "tests/support/markers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void expect(ug_markers *m, const char *message)
{
    ug_error err = { 0 };
    assert_int_equal(ug_markers_check(m, &err), UG_E_DATA);
    assert_string_equal(err.message, message);
}

static void test_each_fault_is_named(void **state)
{
    (void)state;
    ug_markers *m = make_markers(5, 2, 100);
    put_mm(m, 3, 1, 1.0, INFINITY, 0.0);
    expect(m, "marker 'M1' is present but not finite at frame 3; clear it first");
    free(m->labels[1]);
    m->labels[1] = NULL;
    expect(m, "marker '(unnamed)' is present but not finite at frame 3; clear it first");
    m->kinds[1] = UG_POINT_ANGLE; // model outputs may hold anything
    assert_int_equal(ug_markers_check(m, NULL), UG_OK);
    m->scale_m = 0.0;
    expect(m, "the unit of the markers is 0 metres; must be above 0");
    m->scale_m = INFINITY;
    expect(m, "the unit of the markers is inf metres; must be above 0");
    m->rate = (ug_rate){ 0, 0 };
    expect(m, "the frame rate of the markers is not known");
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_each_fault_is_named) };
    return cmocka_run_group_tests_name("solvers/markers_check", tests, NULL, NULL);
}
