// SPDX-License-Identifier: MIT
// Unit tests for solvers/foot_model.c.
#include "solvers/foot_model.h"

#include "tests/support/gait.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const test_character MAN = { 1.0, 1.0, 2, 0.0, 21, true, "l", "r" };

static void expect_flat_foot(const ug_foot_model *foot, double slack)
{
    assert_true(fabs(foot->ankle_height_m - 0.08) < slack);
    assert_true(fabs(foot->ball_height_m - 0.02) < slack);
    assert_true(fabs(foot->tip_height_m) < slack);
    // heel: 0.3 of the 130 mm from ankle to ball behind the ankle, on the floor
    assert_true(fabs(ug_vec3_norm(foot->heel_m) - hypot(0.08, 0.039)) < slack);
    assert_true(fabs(ug_vec3_distance(foot->heel_m, foot->ball_m) - hypot(0.02, 0.169)) < slack);
    assert_true(fabs(ug_vec3_norm(foot->tip_m) - hypot(0.02, 0.07)) < slack);
    assert_false(foot->points_down || foot->ball_guessed);
}

static void test_rest_pose_with_any_axes(void **state)
{
    (void)state;
    ug_skeleton *s = test_character_create(&MAN);
    ug_body_map body;
    ug_foot_model feet[2];
    memset(feet, 0xa5, sizeof feet);
    assert_int_equal(ug_body_map_init(&body, s, NULL), UG_OK);
    assert_int_equal(ug_foot_models_from_rest(feet, s, &body, NULL), UG_OK);
    ug_quat q[32];
    ug_vec3 m[32];
    ug_rest_forward(q, m, s);
    for (int side = 0; side < 2; side++) {
        const double x = side ? -0.09 : 0.09;
        expect_flat_foot(&feet[side], 1e-12);
        assert_int_equal(feet[side].flat_frame_count, 0);
        assert_true(ug_vec3_distance(ug_foot_heel_m(&feet[side], q, m), (ug_vec3){ x, 0, -0.039 }) <
                    1e-12);
        assert_true(ug_vec3_distance(ug_foot_ball_m(&feet[side], q, m),
                                     (ug_vec3){ x, 0.02, 0.13 }) < 1e-12);
        assert_true(ug_vec3_distance(ug_foot_tip_m(&feet[side], q, m), (ug_vec3){ x, 0, 0.20 }) <
                    1e-12);
        assert_true(ug_vec3_distance(ug_quat_rotate(q[feet[side].toe], feet[side].toe_up),
                                     (ug_vec3){ 0, 1, 0 }) < 1e-12);
    }
    const ug_foot_model twice = ug_foot_model_scale(&feet[0], 2.0);
    assert_true(fabs(twice.ankle_height_m - 0.16) < 1e-12);
    assert_true(fabs(ug_vec3_norm(twice.ball_m) - 2.0 * ug_vec3_norm(feet[0].ball_m)) < 1e-12);
    ug_skeleton_destroy(s);
}

static void test_motion_shows_the_same_foot(void **state)
{
    (void)state;
    ug_skeleton *s = test_character_create(&MAN);
    const test_walk w = { 240, 60, 0.9, 0.06, 0, 0 };
    ug_clip *clip = test_walk_create(s, &w);
    ug_body_map body;
    ug_foot_model feet[2];
    assert_int_equal(ug_body_map_init(&body, s, NULL), UG_OK);
    assert_int_equal(ug_foot_models_from_clip(feet, s, &body, clip, NULL), UG_OK);
    for (int side = 0; side < 2; side++) {
        expect_flat_foot(&feet[side], 1e-9);
        assert_true(feet[side].flat_frame_count > 60);
    }
    ug_foot_paths paths;
    assert_int_equal(ug_foot_paths_init(&paths, feet, s, clip, NULL), UG_OK);
    for (size_t f = 0; f < 240; f++) {
        double z, y;
        test_walk_foot(&z, &y, &w, 1, (double)f / 60.0);
        assert_true(ug_vec3_distance(paths.heel_m[1][f], (ug_vec3){ -0.09, y, z - 0.039 }) < 1e-9);
        assert_true(ug_vec3_distance(paths.tip_m[1][f], (ug_vec3){ -0.09, y, z + 0.20 }) < 1e-9);
    }
    ug_foot_paths_fini(&paths);
    ug_foot_paths_fini(NULL);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
}

static void test_foot_that_is_never_flat_comes_from_the_rest_pose(void **state)
{
    (void)state;
    ug_skeleton *s = test_character_create(&MAN);
    const test_walk w = { 60, 60, 0.0, 0.06, 0, 0 };
    ug_clip *clip = test_walk_create(s, &w);
    ug_body_map body;
    ug_foot_model feet[2];
    assert_int_equal(ug_body_map_init(&body, s, NULL), UG_OK);
    const int foot = body.joint[UG_ROLE_R_FOOT];
    // tiptoe: turned by 45 degrees about the world's x, in the foot's own axes
    ug_quat q[32];
    ug_vec3 m[32];
    ug_clip_forward(q, m, s, clip, 0);
    const ug_vec3 axis = ug_quat_unrotate(q[foot], (ug_vec3){ 1, 0, 0 });
    for (size_t f = 0; f < 60; f++) {
        ug_quat *local = &ug_clip_rotations(clip, f)[foot];
        *local = ug_quat_mul(*local, ug_quat_from_axis_angle(axis, 0.785));
    }
    assert_int_equal(ug_foot_models_from_clip(feet, s, &body, clip, NULL), UG_OK);
    expect_flat_foot(&feet[0], 1e-9);
    expect_flat_foot(&feet[1], 1e-9);
    assert_int_equal(feet[1].flat_frame_count, 0);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
}

static void test_tiptoe_rest_and_bare_ankles(void **state)
{
    (void)state;
    ug_skeleton *s = test_character_create(&(test_character){ 1.0, 1.0, 2, 0, 0, true, "l", "r" });
    ug_body_map body;
    ug_foot_model feet[2];
    s->joints[ug_skeleton_find_role(s, UG_ROLE_L_TOE)].offset_m = (ug_vec3){ 0, -0.13, 0.02 };
    assert_int_equal(ug_body_map_init(&body, s, NULL), UG_OK);
    assert_int_equal(ug_foot_models_from_rest(feet, s, &body, NULL), UG_OK);
    assert_true(feet[0].points_down);
    assert_false(feet[1].points_down);
    // nothing below the ankles: proportions of the leg, ahead of the body
    for (int side = 0; side < 2; side++) {
        body.ball[side] = body.tip[side] = body.joint[side ? UG_ROLE_R_TOE : UG_ROLE_L_TOE] = -1;
    }
    assert_int_equal(ug_foot_models_from_rest(feet, s, &body, NULL), UG_OK);
    assert_true(feet[0].ball_guessed && feet[1].ball_guessed);
    assert_true(fabs(feet[1].ball_m.z - 0.17 * 0.84) < 1e-3);
    assert_true(fabs(feet[1].ball_m.y + feet[1].ankle_height_m) < 1e-12);
    assert_true(feet[0].ball_height_m == 0.0);
    ug_skeleton_destroy(s);
}

static void test_few_frames(void **state)
{
    (void)state;
    ug_skeleton *s = test_character_create(&MAN);
    ug_body_map body;
    assert_int_equal(ug_body_map_init(&body, s, NULL), UG_OK);
    for (size_t count = 0; count < 4; count++) {
        const test_walk w = { count, 60, 1.0, 0.06, 0, 0 };
        ug_clip *clip = test_walk_create(s, &w);
        ug_foot_model feet[2];
        ug_foot_paths paths;
        memset(feet, 0xa5, sizeof feet);
        assert_int_equal(ug_foot_models_from_clip(feet, s, &body, clip, NULL), UG_OK);
        expect_flat_foot(&feet[1], 1e-9);
        assert_int_equal(ug_foot_paths_init(&paths, feet, s, clip, NULL), UG_OK);
        assert_int_equal(paths.frame_count, count);
        ug_foot_paths_fini(&paths);
        ug_clip_destroy(clip);
    }
    ug_skeleton_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest_pose_with_any_axes),
        cmocka_unit_test(test_motion_shows_the_same_foot),
        cmocka_unit_test(test_foot_that_is_never_flat_comes_from_the_rest_pose),
        cmocka_unit_test(test_tiptoe_rest_and_bare_ankles),
        cmocka_unit_test(test_few_frames),
    };
    return cmocka_run_group_tests_name("solvers/foot_model", tests, NULL, NULL);
}
