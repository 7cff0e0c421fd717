// SPDX-License-Identifier: MIT
// Unit tests for motion/kinematics.c: arms whose joints are known in closed form.
#include "motion/kinematics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const ug_vec3 Z = { 0, 0, 1 };

static void assert_at(ug_vec3 v, double x, double y, double z)
{
    if (!(ug_vec3_distance(v, (ug_vec3){ x, y, z }) < 1e-14)) {
        fail_msg("(%.17g %.17g %.17g), not (%g %g %g)", v.x, v.y, v.z, x, y, z);
    }
}

// A two-link arm of 3 and 2 in the plane z = 0, and a second root.
static ug_skeleton *make_arm(void)
{
    ug_skeleton *s = ug_skeleton_create(4);
    assert_non_null(s);
    s->joints[0].offset_m = (ug_vec3){ 0, 0, 0 };
    s->joints[1].offset_m = (ug_vec3){ 3, 0, 0 };
    s->joints[2].offset_m = (ug_vec3){ 2, 0, 0 };
    s->joints[3].parent = -1;
    s->joints[3].offset_m = (ug_vec3){ 7, 8, 9 };
    return s;
}

static void test_two_link_arm(void **state)
{
    (void)state;
    ug_skeleton *s = make_arm();
    ug_quat local[4] = { ug_quat_from_axis_angle(Z, 30 * UG_DEG),
                         ug_quat_from_axis_angle(Z, 45 * UG_DEG), UG_QUAT_IDENTITY,
                         ug_quat_from_axis_angle(Z, 1.0) };
    ug_quat world_q[4];
    ug_vec3 world[4];
    memset(world_q, 0xA5, sizeof world_q);
    memset(world, 0xA5, sizeof world);
    ug_pose_forward(world_q, world, s, local, NULL);
    assert_at(world[0], 0, 0, 0);
    assert_at(world[1], 3 * cos(30 * UG_DEG), 3 * sin(30 * UG_DEG), 0);
    assert_at(world[2], 3 * cos(30 * UG_DEG) + 2 * cos(75 * UG_DEG),
              3 * sin(30 * UG_DEG) + 2 * sin(75 * UG_DEG), 0);
    assert_true(fabs(world[2].x - 3.116) < 1e-3 && fabs(world[2].y - 3.432) < 1e-3);
    assert_at(world[3], 7, 8, 9);
    assert_true(ug_quat_angle(world_q[2], ug_quat_from_axis_angle(Z, 75 * UG_DEG)) < 1e-15);
    assert_true(ug_quat_angle(world_q[3], local[3]) < 1e-15);

    // and back, into the same array
    ug_pose_to_local(world_q, s, world_q);
    for (int j = 0; j < 4; j++) {
        assert_true(ug_quat_angle(world_q[j], local[j]) < 1e-15);
    }
    ug_skeleton_destroy(s);
}

static void test_offsets_of_the_caller(void **state)
{
    (void)state;
    ug_skeleton *s = make_arm();
    const ug_quat local[4] = { ug_quat_from_axis_angle(Z, 90 * UG_DEG), UG_QUAT_IDENTITY,
                               UG_QUAT_IDENTITY, UG_QUAT_IDENTITY };
    const ug_vec3 offsets[4] = { { 1, 1, 1 }, { 1, 0, 0 }, { 0, 5, 0 }, { 0, 0, 0 } };
    ug_quat q[4];
    ug_vec3 world[4];
    ug_pose_forward(q, world, s, local, offsets);
    assert_at(world[0], 1, 1, 1);
    assert_at(world[1], 1, 2, 1);
    assert_at(world[2], -4, 2, 1);
    assert_at(world[3], 0, 0, 0);
    ug_skeleton_destroy(s);
}

// Animated translations replace offsets, for roots and for joints in between.
static void test_clip_translations(void **state)
{
    (void)state;
    ug_skeleton *s = make_arm();
    ug_clip *clip = ug_clip_create(2, 4, (int[]){ 0, 2 }, 2, ug_rate_make(60, 1));
    assert_non_null(clip);
    ug_clip_rotations(clip, 1)[0] = ug_quat_from_axis_angle(Z, 90 * UG_DEG);
    ug_clip_translations(clip, 1)[0] = (ug_vec3){ 10, 0, 0 };
    ug_clip_translations(clip, 1)[1] = (ug_vec3){ 0, 0, 4 };
    ug_quat q[4];
    ug_vec3 world[4];
    ug_clip_forward(q, world, s, clip, 0); // zero translations count as such
    assert_at(world[0], 0, 0, 0);
    assert_at(world[1], 3, 0, 0);
    assert_at(world[2], 3, 0, 0);
    ug_clip_forward(q, world, s, clip, 1);
    assert_at(world[0], 10, 0, 0);
    assert_at(world[1], 10, 3, 0);
    assert_at(world[2], 10, 3, 4);
    assert_at(world[3], 7, 8, 9); // not translated: its offset
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
}

static void test_rest_pose(void **state)
{
    (void)state;
    ug_skeleton *s = make_arm();
    s->joints[0].rest = ug_quat_from_axis_angle(Z, 90 * UG_DEG);
    s->joints[1].rest = ug_quat_from_axis_angle(Z, -90 * UG_DEG);
    ug_quat q[4];
    ug_vec3 world[4];
    ug_rest_forward(q, world, s);
    assert_at(world[1], 0, 3, 0);
    assert_at(world[2], 2, 3, 0);
    ug_skeleton_destroy(s);
}

static void test_nothing_to_do(void **state)
{
    (void)state;
    ug_skeleton *s = ug_skeleton_create(0);
    ug_quat q = { 42, 0, 0, 0 };
    ug_vec3 world = { 42, 0, 0 };
    ug_rest_forward(&q, &world, s);
    ug_pose_to_local(&q, s, &q);
    assert_true(q.w == 42 && world.x == 42);
    ug_skeleton_destroy(s);
}

// A long chain of small turns: the last joint of a regular polygon comes home.
static void test_polygon_closes(void **state)
{
    (void)state;
    enum { SIDES = 360 };
    ug_skeleton *s = ug_skeleton_create(SIDES + 1);
    ug_quat local[SIDES + 1], q[SIDES + 1];
    ug_vec3 world[SIDES + 1];
    for (int j = 0; j <= SIDES; j++) {
        s->joints[j].offset_m = (ug_vec3){ j > 0, 0, 0 };
        local[j] = ug_quat_from_axis_angle(Z, UG_DEG);
    }
    ug_pose_forward(q, world, s, local, NULL);
    assert_true(ug_vec3_norm(world[SIDES]) < 1e-11);
    assert_true(fabs(ug_vec3_norm(world[SIDES / 2]) - 1.0 / sin(0.5 * UG_DEG)) < 1e-9);
    ug_skeleton_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_link_arm),      cmocka_unit_test(test_offsets_of_the_caller),
        cmocka_unit_test(test_clip_translations), cmocka_unit_test(test_rest_pose),
        cmocka_unit_test(test_nothing_to_do),     cmocka_unit_test(test_polygon_closes),
    };
    return cmocka_run_group_tests_name("motion/kinematics", tests, NULL, NULL);
}
