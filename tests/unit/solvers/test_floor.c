// SPDX-License-Identifier: MIT
// Unit tests for solvers/floor.c: a level walk, tilted and raised on purpose, must come back.
#include "solvers/floor.h"

#include "motion/conventions.h"
#include "tests/support/gait.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct scene {
    ug_skeleton *skeleton;
    ug_clip *clip;
    ug_body_map body;
    ug_foot_model feet[2];
} scene;

static void open_scene(scene *s, const test_walk *w)
{
    s->skeleton = test_character_create(&(test_character){ 1.0, 1.0, 2, 0, 4, true, "l", "r" });
    s->clip = test_walk_create(s->skeleton, w);
    assert_int_equal(ug_body_map_init(&s->body, s->skeleton, NULL), UG_OK);
    assert_int_equal(ug_foot_models_from_rest(s->feet, s->skeleton, &s->body, NULL), UG_OK);
}

static void close_scene(scene *s)
{
    ug_clip_destroy(s->clip);
    ug_skeleton_destroy(s->skeleton);
}

static void move(scene *s, ug_quat turn, ug_vec3 by)
{
    for (size_t f = 0; f < s->clip->frame_count; f++) {
        ug_vec3 *at = ug_clip_translations(s->clip, f);
        ug_quat *q = ug_clip_rotations(s->clip, f);
        *at = ug_vec3_add(ug_quat_rotate(turn, *at), by);
        *q = ug_quat_mul(turn, *q);
    }
}

static void test_tilt_and_height_come_back(void **state)
{
    (void)state;
    const test_walk w = { 600, 100, 0.9, 0.06, 0, 0 };
    scene s;
    open_scene(&s, &w);
    ug_clip *level = ug_clip_copy(s.clip);
    // pitch of 1 degree along the walk
    move(&s, ug_quat_from_axis_angle((ug_vec3){ 1, 0, 0 }, 1.0 * UG_DEG),
         (ug_vec3){ 0.3, 0.2, 0.1 });
    ug_floor floor;
    memset(&floor, 0xa5, sizeof floor);
    assert_int_equal(ug_floor_find(&floor, s.feet, s.skeleton, s.clip, 0.84, NULL), UG_OK);
    assert_true(floor.found);
    assert_true(fabs(floor.tilt_deg - 1.0) < 0.03);
    assert_true(floor.slope_z < 0.0 && floor.slope_x == 0.0); // the feet span 0.2 m only across
    assert_true(floor.residual_mm < 2.0);
    assert_int_equal(floor.used_count, floor.run_count);
    ug_floor_level(s.clip, s.skeleton, &floor);
    for (size_t f = 0; f < 600; f += 50) {
        ug_quat q[32];
        ug_vec3 m[32], n[32];
        ug_clip_forward(q, m, s.skeleton, s.clip, f);
        ug_clip_forward(q, n, s.skeleton, level, f);
        for (size_t j = 0; j < s.skeleton->joint_count; j++) {
            // along the walk 7 m times the slope's error of 0.03 degrees
            assert_true(fabs(m[j].y - n[j].y) < 4e-3);
        }
    }
    ug_clip_destroy(level);
    close_scene(&s);
}

static void test_raise_is_the_inverse_of_level(void **state)
{
    (void)state;
    const test_walk w = { 100, 100, 0.9, 0.06, 0, 0 };
    const ug_floor floor = { .found = true, .height_m = 0.7, .slope_x = 0.02, .slope_z = -0.03 };
    scene s;
    ug_quat q[32];
    ug_vec3 before[32], after[32];
    open_scene(&s, &w);
    ug_clip_forward(q, before, s.skeleton, s.clip, 40);
    ug_floor_level(s.clip, s.skeleton, &floor);
    ug_clip_forward(q, after, s.skeleton, s.clip, 40);
    for (size_t j = 0; j < s.skeleton->joint_count; j++) {
        assert_true(ug_vec3_distance(ug_floor_raise_m(&floor, after[j]), before[j]) < 1e-12);
    }
    // what lies on height 0 comes to lie on the plane
    const ug_vec3 p = ug_floor_raise_m(&floor, (ug_vec3){ 2.0, 0.0, -5.0 });
    assert_true(fabs(p.y - (0.7 + 0.02 * p.x - 0.03 * p.z)) < 1e-12);
    close_scene(&s);
}

static void test_level_walk_is_left_alone(void **state)
{
    (void)state;
    const test_walk w = { 300, 100, 0.9, 0.06, 0, 0.05 };
    scene s;
    open_scene(&s, &w);
    ug_floor floor;
    assert_int_equal(ug_floor_find(&floor, s.feet, s.skeleton, s.clip, 0.84, NULL), UG_OK);
    assert_true(fabs(floor.height_m + 0.05) < 1e-3);
    assert_true(floor.tilt_deg < 0.01);
    close_scene(&s);
}

static void test_held_foot_does_not_lift_the_floor(void **state)
{
    (void)state;
    const test_walk w = { 200, 100, 0.0, 0.25, 0, 0 };
    scene s;
    open_scene(&s, &w);
    const int thigh = s.body.joint[UG_ROLE_R_THIGH], shin = s.body.joint[UG_ROLE_R_SHIN];
    for (size_t f = 0; f < 200; f++) { // the right foot held up, still, for the whole clip
        ug_quat q[32];
        ug_vec3 m[32];
        ug_clip_forward(q, m, s.skeleton, s.clip, f);
        test_reach(q, m, s.skeleton, thigh, shin, s.body.joint[UG_ROLE_R_FOOT],
                   (ug_vec3){ -0.09, 0.36, 0.2 });
        ug_pose_to_local(ug_clip_rotations(s.clip, f), s.skeleton, q);
    }
    ug_floor floor;
    assert_int_equal(ug_floor_find(&floor, s.feet, s.skeleton, s.clip, 0.84, NULL), UG_OK);
    assert_true(fabs(floor.height_m) < 2e-3);
    assert_true(floor.used_count < floor.run_count);
    close_scene(&s);
}

static void test_nothing_rests(void **state)
{
    (void)state;
    for (size_t count = 0; count < 2; count++) {
        const test_walk w = { count * 4, 100, 0.9, 0.06, 0, 0 };
        scene s;
        open_scene(&s, &w);
        ug_floor floor;
        memset(&floor, 0xa5, sizeof floor);
        assert_int_equal(ug_floor_find(&floor, s.feet, s.skeleton, s.clip, 0.84, NULL), UG_OK);
        assert_false(floor.found); // four frames are less than 80 ms
        assert_true(floor.height_m == 0.0 && floor.slope_x == 0.0 && floor.run_count == 0);
        ug_floor_level(s.clip, s.skeleton, &floor);
        close_scene(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tilt_and_height_come_back),
        cmocka_unit_test(test_raise_is_the_inverse_of_level),
        cmocka_unit_test(test_level_walk_is_left_alone),
        cmocka_unit_test(test_held_foot_does_not_lift_the_floor),
        cmocka_unit_test(test_nothing_rests),
    };
    return cmocka_run_group_tests_name("solvers/floor", tests, NULL, NULL);
}
