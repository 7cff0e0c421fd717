// SPDX-License-Identifier: MIT
// Unit tests for solvers/gap_frame.c.
#include "solvers/gap_frame.h"

#include "tests/support/rigid_take.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_a_body_stands_still_in_its_frame(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(300, 5);
    ug_gap_scene *s = ug_gap_scene_create(m);
    ug_gap_scene_measure_pairs(s);
    static const size_t RANKED[] = { 1, 2, 3, 4 };
    for (size_t size = 3; size <= 4; size++) {
        ug_gap_frame frame;
        assert_true(ug_gap_frame_choose(&frame, s, RANKED, 4, size, 0, 150));
        assert_int_equal(frame.count, size); // all are rigid: as many as may be
        ug_vec3 first = { 0 };
        for (size_t f = 0; f < 300; f += 7) {
            const ug_gap_place place = ug_gap_frame_place(&frame, s, f);
            const ug_vec3 world = ug_scene_mm(s, f, 0);
            const ug_vec3 local = ug_gap_place_local(&place, world);
            first = f == 0 ? local : first;
            assert_true(ug_vec3_distance(local, first) < 2e-3); // float millimetres near 3 m
            assert_true(ug_vec3_distance(ug_gap_place_world(&place, local), world) < 1e-9);
        }
    }
    ug_gap_scene_destroy(s);
    ug_markers_destroy(m);
}

static void test_markers_on_a_line_are_passed_over(void **state)
{
    (void)state;
    ug_markers *m = make_markers(40, 5, 100);
    for (size_t f = 0; f < 40; f++) {
        const double x = (double)f;
        put_mm(m, f, 0, x, 5, 5);
        put_mm(m, f, 1, x, 0, 0);
        put_mm(m, f, 2, x + 100, 0, 0);
        put_mm(m, f, 3, x + 200, 10, 0); // all but on the line of 1 and 2
        put_mm(m, f, 4, x, 80, 0);
    }
    ug_gap_scene *s = ug_gap_scene_create(m);
    ug_gap_scene_measure_pairs(s);
    static const size_t RANKED[] = { 1, 2, 3, 4 };
    ug_gap_frame frame;
    assert_true(ug_gap_frame_choose(&frame, s, RANKED, 4, 3, 0, 0));
    assert_int_equal(frame.markers[0], 1);
    assert_int_equal(frame.markers[1], 2);
    assert_int_equal(frame.markers[2], 4);
    assert_false(ug_gap_frame_choose(&frame, s, RANKED, 3, 3, 0, 0));
    assert_false(ug_gap_frame_choose(&frame, s, RANKED, 2, 3, 0, 0));
    ug_gap_scene_destroy(s);
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_body_stands_still_in_its_frame),
        cmocka_unit_test(test_markers_on_a_line_are_passed_over),
    };
    return cmocka_run_group_tests_name("solvers/gap_frame", tests, NULL, NULL);
}
