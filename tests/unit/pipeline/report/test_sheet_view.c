// SPDX-License-Identifier: MIT
// Unit tests for pipeline/report/sheet_view.c: where known points of the world land.
#include "pipeline/report/sheet_view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_lands(const ug_sheet_camera *c, ug_vec3 p, double x, double y, double depth)
{
    const ug_sheet_point q = ug_sheet_project(c, p);
    assert_true(fabs(q.x - x) < 1e-12);
    assert_true(fabs(q.y - y) < 1e-12);
    assert_true(fabs(q.depth - depth) < 1e-12);
}

static void test_parallel_views(void **state)
{
    (void)state;
    const ug_vec3 ahead = { 0, 0, 7 }, centre = { 10, 0, 20 };
    // 1 to the character's left, 2 up, 3 ahead
    const ug_vec3 p = { 11, 2, 23 };
    ug_sheet_camera c = ug_sheet_camera_of(UG_SHEET_FRONT, ahead, centre, 1.7);
    assert_lands(&c, p, 1, 2, 3); // its left on the right of the picture, what is ahead is near
    c = ug_sheet_camera_of(UG_SHEET_SIDE, ahead, centre, 1.7);
    assert_lands(&c, p, 3, 2, -1); // goes to the right, seen from its right
    c = ug_sheet_camera_of(UG_SHEET_TOP, ahead, centre, 1.7);
    assert_lands(&c, p, 3, 1, 2); // goes to the right, its left at the top
    assert_true(ug_sheet_project(&c, p).scale == 1.0);
}

static void test_views_turn_with_the_facing(void **state)
{
    (void)state;
    // looks along +X: its left is -Z
    ug_sheet_camera c =
        ug_sheet_camera_of(UG_SHEET_FRONT, (ug_vec3){ 2, 5, 0 }, (ug_vec3){ 0 }, 1.0);
    assert_lands(&c, (ug_vec3){ 3, 2, -1 }, 1, 2, 3);
    // no facing at all is +Z
    c = ug_sheet_camera_of(UG_SHEET_FRONT, (ug_vec3){ 0, 1, 0 }, (ug_vec3){ 0 }, 1.0);
    assert_lands(&c, (ug_vec3){ 1, 2, 3 }, 1, 2, 3);
}

static void test_perspective(void **state)
{
    (void)state;
    const ug_sheet_camera c =
        ug_sheet_camera_of(UG_SHEET_PERSP, (ug_vec3){ 0, 0, 1 }, (ug_vec3){ 0 }, 2.0);
    assert_true(c.distance_m == 8.0);
    assert_true(fabs(ug_vec3_dot(c.right, c.up)) + fabs(ug_vec3_dot(c.right, c.toward)) < 1e-12);
    assert_true(c.toward.y > 0.1 && c.toward.z > 0.5 && c.toward.x < -0.5); // above, ahead, right
    // a metre half way to the eye is twice as long
    const ug_vec3 near = ug_vec3_scale(c.toward, 4.0);
    const ug_sheet_point p = ug_sheet_project(&c, ug_vec3_add(near, c.right));
    assert_true(fabs(p.scale - 2.0) < 1e-12 && fabs(p.x - 2.0) < 1e-12 && fabs(p.y) < 1e-12);
    // behind the eye is held in front of it: finite, and on its own side
    const ug_sheet_point q = ug_sheet_project(&c, ug_vec3_madd(c.right, 100.0, c.toward));
    assert_true(fabs(q.scale - 5.0) < 1e-12 && q.x > 0.0);
}

static void test_names(void **state)
{
    (void)state;
    for (int k = 0; k < UG_SHEET_VIEW_COUNT; k++) {
        ug_sheet_view_kind kind = UG_SHEET_VIEW_COUNT;
        assert_true(ug_sheet_view_from_name(&kind, ug_sheet_view_name((ug_sheet_view_kind)k)));
        assert_int_equal(kind, k);
    }
    ug_sheet_view_kind kind;
    assert_false(ug_sheet_view_from_name(&kind, "back"));
}

static void test_round_steps(void **state)
{
    (void)state;
    assert_true(ug_sheet_step(1.0, 1) == 1.0);
    assert_true(ug_sheet_step(1.5, 1) == 2.0);
    assert_true(ug_sheet_step(4.0, 1) == 5.0);
    assert_true(ug_sheet_step(8.0, 1) == 10.0);
    assert_true(fabs(ug_sheet_step(0.0047, 1) - 0.005) < 1e-15);
    assert_true(fabs(ug_sheet_step(10.0, 5) - 2.0) < 1e-12);
    assert_true(ug_sheet_step(0.0, 1) == 1.0);
    assert_true(ug_sheet_step(NAN, 1) == 1.0);
    assert_true(ug_sheet_step(INFINITY, 1) == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parallel_views), cmocka_unit_test(test_views_turn_with_the_facing),
        cmocka_unit_test(test_perspective),    cmocka_unit_test(test_names),
        cmocka_unit_test(test_round_steps),
    };
    return cmocka_run_group_tests_name("report/sheet_view", tests, NULL, NULL);
}
