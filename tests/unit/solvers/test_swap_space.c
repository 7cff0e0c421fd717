// SPDX-License-Identifier: MIT
// Unit tests for solvers/swap_space.c, on one rigid body whose distances are known.
#include "tests/support/swap_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_distances_of_a_rigid_body(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(700, 5);
    m->kinds[1] = UG_POINT_VIRTUAL;      // not one of them
    for (size_t f = 100; f < 200; f++) { // less than half of the take under a wrong place
        put_mm(m, f, 3, 0, 0, 0);
    }
    ug_swap_space s = make_space(m);
    assert_int_equal(s.count, 4);
    assert_int_equal(s.columns[1], 2);
    for (size_t a = 0; a < 4; a++) {
        for (size_t b = 0; b < 4; b++) {
            const double d = 1e-3 * ug_vec3_distance(BODY_MM[s.columns[a]], BODY_MM[s.columns[b]]);
            if (a == b) {
                assert_true(isnan(s.median_m[a * 4 + b]));
            } else {
                // positions are floats of a metre or ten: 1e-6 of them
                assert_true(fabs((double)s.median_m[a * 4 + b] - d) < 2e-6);
                assert_true((double)s.spread_m[a * 4 + b] < 2e-6);
            }
        }
    }
    ug_swap_space_fini(&s);
    ug_markers_destroy(m);
}

static void test_carried_rigidly(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(700, 5);
    hide(m, 4, 150, 160);
    ug_swap_space s = make_space(m);
    ug_swap_carriers c;
    ug_swap_carriers_choose(&c, &s, 0, 100, 160, (size_t[]){ 0 }, 1);
    assert_int_equal(c.count, 3); // not itself, and not 4, which is hidden at the end
    for (size_t i = 0; i < 3; i++) {
        assert_true(c.members[i] != 0 && c.members[i] != 4);
    }
    const ug_vec3 there = ug_swap_carry_m(&s, &c, ug_swap_place_m(&s, 100, 0), 100, 160);
    assert_true(ug_vec3_distance(there, ug_swap_place_m(&s, 160, 0)) < 1e-5);
    assert_true(ug_swap_carry_error_m(&s, &c, 0, 60) < 1e-5);
    assert_true(ug_swap_carry_error_m(&s, &c, 0, 900) > 0.05); // longer than the take: not known
    ug_swap_carriers_choose(&c, &s, 0, SIZE_MAX, SIZE_MAX, (size_t[]){ 0, 1 }, 2);
    assert_int_equal(c.count, 3);
    ug_swap_space_fini(&s);
    ug_markers_destroy(m);
}

// Two carriers shift, none leaves it where it was.
static void test_carried_by_fewer(void **state)
{
    (void)state;
    ug_markers *m = make_markers(100, 3, 100);
    for (size_t f = 0; f < 100; f++) {
        for (size_t k = 0; k < 3; k++) {
            put_mm(m, f, k, 100.0 * (double)k + 2.0 * (double)f, 50.0, -3.0 * (double)f);
        }
    }
    ug_swap_space s = make_space(m);
    ug_swap_carriers c;
    ug_swap_carriers_choose(&c, &s, 0, 10, 20, (size_t[]){ 0 }, 1);
    assert_int_equal(c.count, 2);
    const ug_vec3 was = ug_swap_place_m(&s, 10, 0);
    ug_vec3 there = ug_swap_carry_m(&s, &c, was, 10, 20);
    assert_true(fabs(there.x - was.x - 0.02) < 1e-9 && fabs(there.z - was.z + 0.03) < 1e-9);
    c.count = 0;
    there = ug_swap_carry_m(&s, &c, was, 10, 20);
    assert_true(there.x == was.x && there.y == was.y && there.z == was.z);
    ug_swap_space_fini(&s);
    ug_markers_destroy(m);
}

static void test_never_seen_together(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(100, 5);
    hide(m, 0, 0, 49);
    hide(m, 1, 50, 99);
    ug_swap_space s = make_space(m);
    assert_true(isnan(s.median_m[1]));
    ug_swap_space_fini(&s);
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances_of_a_rigid_body),
        cmocka_unit_test(test_carried_rigidly),
        cmocka_unit_test(test_carried_by_fewer),
        cmocka_unit_test(test_never_seen_together),
    };
    return cmocka_run_group_tests_name("solvers/swap_space", tests, NULL, NULL);
}
